//! How often a key or a peer may ask.

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The holder of a key, by its name.
    Key(String),
    /// Whoever is at an address; an IPv6 network of /64 is one.
    Peer(Option<IpAddr>),
}

type Limiter =
    RateLimiter<Caller, DashMapStateStore<Caller>, DefaultClock, StateInformationMiddleware>;

/// So many requests a second, so many at once.
#[derive(Debug)]
pub struct Limits {
    limiter: Limiter,
    rate: u32,
    burst: u32,
    since_swept: AtomicU32,
}

/// What is left to a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Requests that may be made at once.
    pub requests: u32,
    /// Seconds to wait, where there are none.
    pub wait: Option<u64>,
}

impl Limits {
    /// No limits where the rate is zero.
    pub fn new(rate: u32, burst: Option<u32>) -> Option<Self> {
        let each = NonZeroU32::new(rate)?;
        let burst = burst.unwrap_or(rate.saturating_mul(10)).max(1);
        let quota = Quota::per_second(each).allow_burst(NonZeroU32::new(burst)?);
        let limiter = RateLimiter::dashmap(quota).with_middleware();
        Some(Self {
            limiter,
            rate,
            burst,
            since_swept: AtomicU32::new(0),
        })
    }

    /// Counts a request.
    pub fn ask(&self, caller: &Caller) -> Left {
        // Callers that have not asked for long are forgotten now and then.
        if self.since_swept.fetch_add(1, Ordering::Relaxed) & 0xFFFF == 0xFFFF {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key(caller) {
            Ok(left) => Left {
                requests: left.remaining_burst_capacity(),
                wait: None,
            },
            Err(not_until) => {
                let wait = not_until.wait_time_from(DefaultClock::default().now());
                Left {
                    requests: 0,
                    wait: Some(wait.as_secs() + 1),
                }
            }
        }
    }

    /// The policy as the header tells it.
    pub fn policy(&self) -> String {
        let Self { rate, burst, .. } = self;
        format!("\"default\";q={burst};w={}", burst.div_ceil(*rate))
    }
}

/// The part of an address that stands for one peer.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}
