//! How much a key or a peer may ask for: requests, lines of batches, positions expanded.

use crate::http::edge::settings::Settings;
use actix_web::{HttpMessage as _, HttpRequest};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Callers that are remembered; those that owe nothing are forgotten before more are.
const MOST_CALLERS: usize = 1 << 16;
/// How long a share of lines and positions may be saved up.
const SAVED: Duration = Duration::from_secs(10);

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The holder of a key, by its name.
    Key(String),
    /// Whoever is at an address; an IPv6 network of /64 is one.
    Peer(Option<IpAddr>),
}

impl Caller {
    /// Who sent a request that was let in.
    pub fn of(request: &HttpRequest) -> Self {
        let known = request.extensions().get::<Self>().cloned();
        known.unwrap_or(Self::Peer(None))
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Requests.
    Requests,
    /// Lines of batches.
    Lines,
    /// Positions expanded.
    Positions,
}

/// So many a second, so many at once.
#[derive(Clone, Copy, Debug)]
struct Rate {
    each: Duration,
    burst: Duration,
    told: (u64, u64),
}

impl Rate {
    /// None where so many are none.
    fn of(rate: u64, burst: Option<u64>) -> Option<Self> {
        if rate == 0 {
            return None;
        }
        let burst = burst.unwrap_or_else(|| rate.saturating_mul(SAVED.as_secs()));
        let burst = burst.max(1);
        let span = |count: u64| Duration::from_secs_f64(seconds(count, rate));
        Some(Self {
            each: span(1),
            burst: span(burst),
            told: (burst, burst.div_ceil(rate)),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "a time is told as a fraction")]
fn seconds(count: u64, rate: u64) -> f64 {
    // Beyond some days it makes no difference.
    (count as f64 / rate as f64).min(1e6)
}

/// When a caller's share of each will be whole again.
type Owed = [Option<Instant>; 3];

/// So much for each caller.
#[derive(Debug)]
pub struct Limits {
    rates: [Option<Rate>; 3],
    owed: Mutex<HashMap<Caller, Owed>>,
}

/// What is left to a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Requests that may be made at once; nothing where they are not counted.
    pub requests: Option<u64>,
    /// Seconds to wait, where there are none.
    pub wait: Option<u64>,
}

impl Limits {
    /// No limits where every rate is zero.
    pub fn of(settings: &Settings) -> Option<Self> {
        let burst = settings.burst.map(u64::from);
        let rates = [
            Rate::of(settings.rate.into(), burst),
            Rate::of(settings.rate_lines, None),
            Rate::of(settings.rate_positions, None),
        ];
        rates.iter().any(Option::is_some).then(|| Self {
            rates,
            owed: Mutex::default(),
        })
    }

    /// Counts a request, which is refused as long as more was taken of anything than there was.
    pub fn ask(&self, caller: &Caller) -> Left {
        self.ask_at(caller, Instant::now())
    }

    fn ask_at(&self, caller: &Caller, now: Instant) -> Left {
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = entry(&mut owed, caller, now);
        let mut wait = self.debt_of(mine, now);
        let mut requests = None;
        if let (Some(rate), Some(due)) = (self.rates[0], mine.first_mut()) {
            let before = due.unwrap_or(now).max(now);
            let after = before + rate.each;
            let over = (after - now).saturating_sub(rate.burst);
            if over.is_zero() && wait.is_none() {
                *due = Some(after);
                let left = rate.burst.saturating_sub(after - now).as_secs_f64();
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a small number that is not negative"
                )]
                let left = (left / rate.each.as_secs_f64() + 1e-6) as u64;
                requests = Some(left);
            } else {
                requests = Some(0);
                wait = wait.max(Some(over)).filter(|wait| !wait.is_zero());
            }
        }
        Left {
            requests,
            wait: wait.map(|wait| wait.as_secs() + 1),
        }
    }

    /// Takes note of what was spent on a caller's behalf.
    pub fn spend(&self, caller: &Caller, cost: Cost, count: u64) {
        self.spend_at(caller, cost, count, Instant::now());
    }

    fn spend_at(&self, caller: &Caller, cost: Cost, count: u64, now: Instant) {
        let Some(rate) = self.rates.get(cost as usize).copied().flatten() else {
            return;
        };
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(due) = entry(&mut owed, caller, now).get_mut(cost as usize) {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            *due = Some(due.unwrap_or(now).max(now) + rate.each.saturating_mul(count));
        }
    }

    /// How long a caller has to wait before anything more is done for him.
    pub fn debt(&self, caller: &Caller) -> Option<Duration> {
        let now = Instant::now();
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = *entry(&mut owed, caller, now);
        drop(owed);
        self.debt_of(&mine, now)
    }

    /// What is owed of lines and positions, which are only counted once they are spent.
    fn debt_of(&self, owed: &Owed, now: Instant) -> Option<Duration> {
        let debts = self.rates.iter().zip(owed).skip(1).filter_map(|both| {
            let (rate, due) = ((*both.0)?, (*both.1)?);
            let over = due
                .saturating_duration_since(now)
                .saturating_sub(rate.burst);
            Some(over).filter(|over| !over.is_zero())
        });
        debts.max()
    }

    /// The policy as the header tells it.
    pub fn policy(&self) -> String {
        let names = ["default", "lines", "positions"];
        let told = names.iter().zip(&self.rates).filter_map(|(name, rate)| {
            let (burst, window) = rate.as_ref()?.told;
            Some(format!("\"{name}\";q={burst};w={window}"))
        });
        told.collect::<Vec<_>>().join(", ")
    }
}

fn entry<'a>(owed: &'a mut HashMap<Caller, Owed>, caller: &Caller, now: Instant) -> &'a mut Owed {
    if owed.len() >= MOST_CALLERS && !owed.contains_key(caller) {
        owed.retain(|_, due| due.iter().flatten().any(|due| *due > now));
        // Nobody is remembered for long where so many owe something.
        if owed.len() >= MOST_CALLERS {
            owed.clear();
        }
    }
    owed.entry(caller.clone()).or_default()
}

/// The part of an address that stands for one peer.
pub fn network(address: IpAddr) -> IpAddr {
    // On a socket for both, IPv4 comes as IPv6.
    match address.to_canonical() {
        address @ IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(rates: [u64; 3], burst: Option<u64>) -> Limits {
        Limits {
            rates: [
                Rate::of(rates[0], burst),
                Rate::of(rates[1], None),
                Rate::of(rates[2], None),
            ],
            owed: Mutex::default(),
        }
    }

    #[test]
    fn who_asks_is_told_apart_by_address_or_by_network() {
        let of = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }

    #[test]
    fn so_many_requests_are_taken_at_once_and_then_one_each_time() {
        let limits = limits([2, 0, 0], Some(3));
        let (one, other) = (Caller::Key("a".to_owned()), Caller::Peer(None));
        let now = Instant::now();
        for left in [2, 1, 0] {
            let told = Left {
                requests: Some(left),
                wait: None,
            };
            assert_eq!(limits.ask_at(&one, now), told);
        }
        let told = limits.ask_at(&one, now);
        assert_eq!((told.requests, told.wait), (Some(0), Some(1)));
        assert_eq!(limits.ask_at(&other, now).wait, None);
        let later = now + Duration::from_millis(500);
        assert_eq!(limits.ask_at(&one, later).wait, None);
        assert_eq!(limits.ask_at(&one, later).wait, Some(1));
        assert_eq!(limits.policy(), "\"default\";q=3;w=2");
    }

    #[test]
    fn who_has_spent_too_much_waits_until_it_is_made_good() {
        let limits = limits([0, 0, 1000], None);
        let caller = Caller::Peer(None);
        let now = Instant::now();
        assert_eq!(limits.ask_at(&caller, now).wait, None);
        limits.spend_at(&caller, Cost::Positions, 10_000, now);
        assert_eq!(
            limits.ask_at(&caller, now).wait,
            None,
            "that much is saved up"
        );
        limits.spend_at(&caller, Cost::Positions, 5_000, now);
        assert_eq!(limits.ask_at(&caller, now).wait, Some(6));
        let later = now + Duration::from_secs(6);
        assert_eq!(limits.ask_at(&caller, later).wait, None);
        // What is not limited is not counted.
        limits.spend_at(&caller, Cost::Lines, u64::MAX, now);
        assert_eq!(limits.ask_at(&caller, later).wait, None);
    }
}
