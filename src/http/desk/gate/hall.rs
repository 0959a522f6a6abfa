//! Who runs, who waits, and who is next.

use crate::http::edge::limits::Caller;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// As long as this after the last single ruling a slot is kept for the next.
const KEPT: Duration = Duration::from_millis(200);
/// Pieces of work that may wait for their next turn: each holds a thread.
const MOST_SUSPENDED: usize = 128;
/// Those of one caller.
const MOST_SUSPENDED_EACH: usize = 32;
/// Callers that are remembered although they have nothing to do.
const MOST_IDLE: usize = 128;

/// What kind of work it is: what stands first goes first for the same caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// A request by itself.
    Single,
    /// Lines of a batch.
    Line,
    /// What has run for long.
    Long,
}

impl Lane {
    /// All of them, what goes first before what goes later.
    const ALL: [Self; 3] = [Self::Single, Self::Line, Self::Long];
}

/// What somebody who waits is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// It is his turn.
    Turn,
    /// Somebody who asks for less has taken his place in the queue.
    Pushed,
}

#[derive(Debug)]
pub(super) enum Tell {
    Request(oneshot::Sender<Told>),
    Thread(mpsc::Sender<Told>),
}

impl Tell {
    fn send(self, told: Told) {
        // Who has left looks for himself whether it was his turn.
        match self {
            Self::Request(tell) => {
                tell.send(told).ok();
            }
            Self::Thread(tell) => {
                tell.send(told).ok();
            }
        }
    }
}

#[derive(Debug)]
struct Waiter {
    id: u64,
    tell: Tell,
}

/// One caller's share.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// Microseconds of slots he has had, from where the others stood when he came.
    pub(super) used: u64,
    lanes: [VecDeque<Waiter>; 3],
    running: usize,
    pub(super) suspended: usize,
}

impl Account {
    fn is_idle(&self) -> bool {
        self.running == 0 && self.first(|_| true).is_none()
    }

    /// The first of the lanes in which something waits, of those that are `open`.
    pub(super) fn first(&self, open: impl Fn(Lane) -> bool) -> Option<Lane> {
        let mut waiting = Lane::ALL.into_iter().zip(&self.lanes);
        let found = waiting.find(|(lane, queue)| !queue.is_empty() && open(*lane));
        found.map(|(lane, _)| lane)
    }
}

#[derive(Debug, Default)]
pub(super) struct Hall {
    slots: usize,
    running: usize,
    /// Those that run and are no single rulings, or no longer short.
    pub(super) bulk: usize,
    pub(super) suspended: usize,
    /// Requests that wait to begin.
    pub(super) waiting: usize,
    pub(super) accounts: HashMap<Caller, Account>,
    /// What those had who had least, when last anybody's turn came.
    clock: u64,
    pub(super) last_single: Option<Instant>,
    next: u64,
}

impl Hall {
    pub(super) fn account(&mut self, caller: &Caller) -> &mut Account {
        let clock = self.clock;
        if self.accounts.len() > MOST_IDLE && !self.accounts.contains_key(caller) {
            let ahead = |account: &Account| account.used > clock;
            self.accounts
                .retain(|_, account| !account.is_idle() || ahead(account));
            if self.accounts.len() > 2 * MOST_IDLE {
                self.accounts.retain(|_, account| !account.is_idle());
            }
        }
        let account = self.accounts.entry(caller.clone()).or_default();
        if account.is_idle() {
            // Nobody saves up turns by staying away.
            account.used = account.used.max(clock);
        }
        account
    }

    /// Slots that lines and long work may have.
    pub(super) fn bulk_slots(&self) -> usize {
        let asked = self.last_single.is_some_and(|at| at.elapsed() < KEPT);
        let kept = usize::from(asked && self.slots > 1);
        self.slots - kept
    }

    pub(super) fn may_run(&self, lane: Lane) -> bool {
        self.running < self.slots && (lane == Lane::Single || self.bulk < self.bulk_slots())
    }

    fn starts(&mut self, caller: &Caller, lane: Lane) {
        self.running += 1;
        self.bulk += usize::from(lane != Lane::Single);
        self.account(caller).running += 1;
    }

    pub(super) fn stops(&mut self, caller: &Caller, lane: Lane) {
        self.running -= 1;
        self.bulk -= usize::from(lane != Lane::Single);
        self.account(caller).running -= 1;
    }

    /// Somebody who has begun gives up his slot until his next turn.
    pub(super) fn suspends(&mut self, caller: &Caller) {
        self.suspended += 1;
        self.account(caller).suspended += 1;
    }

    /// Whether as many have done so already as may.
    pub(super) fn is_crowded(&mut self, caller: &Caller) -> bool {
        let own = self.account(caller).suspended;
        self.suspended >= MOST_SUSPENDED || own >= MOST_SUSPENDED_EACH
    }

    /// Somebody no longer waits for his next turn.
    pub(super) fn resumes(&mut self, caller: &Caller) {
        self.suspended -= 1;
        self.account(caller).suspended -= 1;
    }

    /// Who is next, if there is a slot for him: who has had least, and of him what is shortest.
    fn next(&self) -> Option<(&Caller, &Account, Lane)> {
        let ready = self.accounts.iter().filter_map(|(caller, account)| {
            let first = account.first(|lane| self.may_run(lane))?;
            Some((caller, account, first))
        });
        ready.min_by_key(|(_, account, lane)| (account.used, *lane))
    }

    /// Gives free slots to those who wait.
    pub(super) fn serve(&mut self) {
        while let Some((caller, account, lane)) = self.next() {
            let caller = caller.clone();
            self.clock = self.clock.max(account.used);
            self.starts(&caller, lane);
            let queue = &mut self.account(&caller).lanes;
            let waiter = queue.get_mut(lane as usize).and_then(VecDeque::pop_front);
            let Some(Waiter { tell, .. }) = waiter else {
                return;
            };
            match &tell {
                Tell::Request(_) => self.waiting -= usize::from(lane == Lane::Single),
                Tell::Thread(_) => self.resumes(&caller),
            }
            tell.send(Told::Turn);
        }
    }

    pub(super) fn queue(&mut self, caller: &Caller, lane: Lane, tell: Tell) -> u64 {
        self.next += 1;
        let id = self.next;
        if let Some(queue) = self.account(caller).lanes.get_mut(lane as usize) {
            queue.push_back(Waiter { id, tell });
        }
        id
    }

    /// Takes somebody out of the queue; whether he was there.
    pub(super) fn leaves(&mut self, caller: &Caller, lane: Lane, id: u64) -> bool {
        let queue = self.account(caller).lanes.get_mut(lane as usize);
        let Some(queue) = queue else { return false };
        let before = queue.len();
        queue.retain(|waiter| waiter.id != id);
        queue.len() < before
    }

    /// Makes room in the queue at the cost of whoever has most requests in it; whether there is room then. Work that has
    /// begun waits there as well, and is let alone.
    pub(super) fn push_out(&mut self, caller: &Caller) -> bool {
        let is_request = |waiter: &Waiter| matches!(waiter.tell, Tell::Request(_));
        let length = |account: &Account| {
            let singles = account.lanes.first().into_iter().flatten();
            singles.filter(|waiter| is_request(waiter)).count()
        };
        let own = self.accounts.get(caller).map_or(0, length);
        let longest = self.accounts.values_mut().max_by_key(|a| length(a));
        let Some(longest) = longest.filter(|longest| length(longest) > own + 1) else {
            return false;
        };
        let last = longest.lanes.first_mut().and_then(|singles| {
            let at = singles.iter().rposition(is_request)?;
            singles.remove(at)
        });
        let Some(last) = last else { return false };
        self.waiting -= 1;
        last.tell.send(Told::Pushed);
        true
    }
}

/// Bounds what is worked on at once, and what waits.
#[derive(Debug)]
pub struct Gate {
    hall: Mutex<Hall>,
    pub(super) most_waiting: usize,
    pub(super) wait: Duration,
}

impl Gate {
    /// A gate for so many at once and so many waiting so long.
    pub fn new(slots: usize, most_waiting: usize, wait: Duration) -> Arc<Self> {
        Arc::new(Self {
            hall: Mutex::new(Hall {
                slots: slots.max(1),
                ..Hall::default()
            }),
            most_waiting,
            wait,
        })
    }

    pub(super) fn hall(&self) -> MutexGuard<'_, Hall> {
        self.hall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many requests wait to begin.
    pub fn waiting(&self) -> usize {
        self.hall().waiting
    }

    /// How many pieces of work are under way, those that wait for their next turn not counted.
    pub fn running(&self) -> usize {
        self.hall().running
    }

    /// How many wait for their next turn.
    pub fn suspended(&self) -> usize {
        self.hall().suspended
    }
}
