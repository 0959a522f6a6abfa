//! Work under way.

use crate::exchange::{LOOK, Watch};
use crate::http::desk::gate::hall::{Gate, Hall, Lane, Tell, Told};
use crate::http::desk::gate::presence::Gone;
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{ApiError, Busy, Result};
use crate::wire::Watched;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// What runs for so long is long work.
const SHORT: Duration = Duration::from_millis(10);
/// No work looks around more often than this.
const SLICE: Duration = Duration::from_micros(500);
/// So much less another caller must have had for long work to make room for long work.
const SLACK: u64 = 2_000;
/// How often work that waits for its next turn asks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);
/// Why work is broken off.
const GOES_ON: u8 = 0;
const LATE: u8 = 2;
const CROWDED: u8 = 3;

/// A piece of work under way: holds a slot while it runs, and gives it back when dropped.
#[derive(Debug)]
pub struct Task {
    /// None where the work is so short that it needs no slot.
    gate: Option<Arc<Gate>>,
    caller: Caller,
    turn: Mutex<Turn>,
    gone: Gone,
    over: AtomicU8,
    looks: AtomicU64,
}

#[derive(Debug)]
struct Turn {
    holds: bool,
    lane: Lane,
    /// What it is before it is long.
    first: Lane,
    since: Instant,
    ran: Duration,
    deadline: Option<Instant>,
}

impl Task {
    pub(super) fn begun(
        gate: Option<Arc<Gate>>,
        caller: &Caller,
        lane: Lane,
        deadline: Option<Instant>,
        gone: &Gone,
    ) -> Arc<Self> {
        Arc::new(Self {
            turn: Mutex::new(Turn {
                holds: gate.is_some(),
                lane,
                first: lane,
                since: Instant::now(),
                ran: Duration::ZERO,
                deadline,
            }),
            gate,
            caller: caller.clone(),
            gone: gone.clone(),
            over: AtomicU8::new(GOES_ON),
            looks: AtomicU64::new(0),
        })
    }

    /// Work that takes no longer than waiting for a slot would.
    pub fn brief(caller: &Caller) -> Arc<Self> {
        Self::begun(None, caller, Lane::Single, None, &Gone::default())
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// On whose behalf it is done.
    pub const fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Positions expanded by now, roughly.
    pub fn expanded(&self) -> u64 {
        self.looks.load(Ordering::Relaxed) * LOOK
    }

    /// Begins with the next of several pieces of work, each of which has so long.
    pub fn next(&self, deadline: Duration) {
        self.over.store(GOES_ON, Ordering::Relaxed);
        let mut turn = self.turn();
        turn.deadline = Some(Instant::now() + deadline);
        // Both are bulk, so that nothing else changes with it.
        if turn.first != Lane::Single {
            turn.lane = turn.first;
            turn.ran = Duration::ZERO;
        }
    }

    /// Whether the caller has left.
    pub fn is_gone(&self) -> bool {
        self.gone.yes()
    }

    /// Whether the work was broken off: what came of it means nothing then.
    pub fn is_whole(&self) -> Result {
        if self.is_gone() {
            return Err(ApiError::broken());
        }
        match self.over.load(Ordering::Relaxed) {
            GOES_ON => Ok(()),
            LATE => Err(Busy::Deadline.into()),
            CROWDED => Err(Busy::TooMuch.into()),
            _ => Err(ApiError::broken()),
        }
    }

    /// What a request is given whose searches are to look around every so often.
    pub fn watch(self: &Arc<Self>) -> Watched {
        Watched::by(Arc::<Self>::clone(self))
    }

    /// Does work that would spread over every core on one, as befits the one place it was let in on.
    ///
    /// # Errors
    /// There is no thread to be had, or it was broken off.
    pub fn alone<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let one = one.map_err(|_| ApiError::broken())?;
        let done = one.install(work);
        self.is_whole()?;
        Ok(done)
    }

    /// Whether the work goes on; where others should go first, after they have.
    pub fn goes_on(&self) -> bool {
        if self.is_gone() || self.over.load(Ordering::Relaxed) != GOES_ON {
            return false;
        }
        let Some(gate) = &self.gate else { return true };
        let mut turn = self.turn();
        let now = Instant::now();
        let ran = now - turn.since;
        if ran < SLICE {
            return true;
        }
        if turn.deadline.is_some_and(|deadline| now > deadline) {
            self.breaks_off(LATE);
            return false;
        }
        let mut hall = gate.hall();
        turn.settle(&mut hall, &self.caller, now);
        if !turn.should_leave(&hall, &self.caller) {
            return true;
        }
        if hall.is_crowded(&self.caller) {
            self.breaks_off(CROWDED);
            return false;
        }
        turn.leaves(&mut hall, &self.caller);
        hall.suspends(&self.caller);
        let back = self.waits(gate, hall, &mut turn);
        back && self.over.load(Ordering::Relaxed) == GOES_ON
    }

    fn breaks_off(&self, why: u8) {
        self.over.store(why, Ordering::Relaxed);
    }

    /// Does something that only waits, without a slot meanwhile where there is room for that.
    pub fn aside<T>(&self, wait: impl FnOnce() -> T) -> T {
        let Some(gate) = &self.gate else {
            return wait();
        };
        let mut turn = self.turn();
        {
            let mut hall = gate.hall();
            if hall.is_crowded(&self.caller) {
                drop(hall);
                return wait();
            }
            turn.settle(&mut hall, &self.caller, Instant::now());
            turn.leaves(&mut hall, &self.caller);
            hall.suspends(&self.caller);
            hall.serve();
        }
        let done = wait();
        let hall = gate.hall();
        self.waits(gate, hall, &mut turn);
        done
    }

    /// Waits for the next turn; whether it came.
    fn waits(&self, gate: &Gate, mut hall: MutexGuard<'_, Hall>, turn: &mut Turn) -> bool {
        let (tell, told) = mpsc::channel();
        let id = hall.queue(&self.caller, turn.lane, Tell::Thread(tell));
        hall.serve();
        drop(hall);
        loop {
            if told.recv_timeout(PATIENCE) == Ok(Told::Turn) {
                break;
            }
            let late = turn.deadline.is_some_and(|at| Instant::now() > at);
            let mut hall = gate.hall();
            if !late && !self.is_gone() {
                // A slot that was kept may be free again.
                hall.serve();
                continue;
            }
            if late {
                self.breaks_off(LATE);
            }
            if !hall.leaves(&self.caller, turn.lane, id) {
                break;
            }
            hall.resumes(&self.caller);
            return false;
        }
        turn.holds = true;
        turn.since = Instant::now();
        true
    }
}

impl Turn {
    /// Puts what ran since on the caller's account.
    fn settle(&mut self, hall: &mut Hall, caller: &Caller, now: Instant) {
        let ran = now - self.since;
        self.since = now;
        self.ran += ran;
        let micros = u64::try_from(ran.as_micros()).unwrap_or(u64::MAX).max(1);
        hall.account(caller).used += micros;
        if self.lane != Lane::Long && self.ran >= SHORT && self.holds {
            hall.bulk += usize::from(self.lane == Lane::Single);
            self.lane = Lane::Long;
        }
    }

    /// Whether somebody else should go first.
    fn should_leave(&self, hall: &Hall, caller: &Caller) -> bool {
        let bulk = self.lane != Lane::Single;
        if bulk && hall.bulk > hall.bulk_slots() {
            return true;
        }
        let Some(own) = hall.accounts.get(caller) else {
            return false;
        };
        hall.accounts.iter().any(|(other, account)| {
            let Some(lane) = account.first(|_| true) else {
                return false;
            };
            // A bulk slot is of use to everybody, a kept one to single rulings alone.
            if lane != Lane::Single && !bulk {
                return false;
            }
            if other == caller {
                return lane < self.lane;
            }
            let slack = if lane < self.lane { 0 } else { SLACK };
            account.used + slack < own.used
        })
    }

    fn leaves(&mut self, hall: &mut Hall, caller: &Caller) {
        if std::mem::take(&mut self.holds) {
            hall.stops(caller, self.lane);
        }
    }
}

impl Watch for Task {
    fn goes_on(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed);
        Self::goes_on(self)
    }

    fn goes_on_at_once(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed);
        let late = self.turn().deadline.is_some_and(|at| Instant::now() > at);
        if late {
            self.breaks_off(LATE);
        }
        !self.is_gone() && self.over.load(Ordering::Relaxed) == GOES_ON
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let Some(gate) = self.gate.take() else { return };
        let turn = self.turn.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !turn.holds {
            return;
        }
        let mut hall = gate.hall();
        turn.settle(&mut hall, &self.caller, Instant::now());
        turn.leaves(&mut hall, &self.caller);
        hall.serve();
    }
}
