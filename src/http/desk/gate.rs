//! Who works when: so much at once, shared fairly between callers, short work before long.
//!
//! There are so many slots, as a rule one for each core. Work holds one while it runs, and looks
//! around every so often, between the lines of a batch and while it searches: where another caller
//! has had less, or the same caller has something shorter to do, it leaves its slot to that and waits
//! for its next turn. What has run for long is long work; it and the lines of batches leave one
//! slot free as long as single rulings are asked for. Only when something is done depends on all
//! this, never what comes of it.

use crate::exchange::{LOOK, Watch, until};
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{ApiError, Busy};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// What runs for so long is long work.
const SHORT: Duration = Duration::from_millis(10);
/// No work looks around more often than this.
const SLICE: Duration = Duration::from_micros(500);
/// So much less another caller must have had for long work to make room for long work.
const SLACK: u64 = 2_000;
/// As long as this after the last single ruling a slot is kept for the next.
const KEPT: Duration = Duration::from_millis(200);
/// How often work that waits for its next turn asks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);
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
enum Told {
    /// It is his turn.
    Turn,
    /// Somebody who asks for less has taken his place in the queue.
    Pushed,
}

#[derive(Debug)]
enum Tell {
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
struct Account {
    /// Microseconds of slots he has had, from where the others stood when he came.
    used: u64,
    lanes: [VecDeque<Waiter>; 3],
    running: usize,
    suspended: usize,
}

impl Account {
    fn is_idle(&self) -> bool {
        self.running == 0 && self.first(|_| true).is_none()
    }

    /// The first of the lanes in which something waits, of those that are `open`.
    fn first(&self, open: impl Fn(Lane) -> bool) -> Option<Lane> {
        let mut waiting = Lane::ALL.into_iter().zip(&self.lanes);
        let found = waiting.find(|(lane, queue)| !queue.is_empty() && open(*lane));
        found.map(|(lane, _)| lane)
    }
}

#[derive(Debug)]
struct Hall {
    slots: usize,
    running: usize,
    /// Those that run and are no single rulings, or no longer short.
    bulk: usize,
    suspended: usize,
    /// Requests that wait to begin.
    waiting: usize,
    accounts: HashMap<Caller, Account>,
    /// What those had who had least, when last anybody's turn came.
    clock: u64,
    last_single: Option<Instant>,
    next: u64,
}

impl Hall {
    fn account(&mut self, caller: &Caller) -> &mut Account {
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
    fn bulk_slots(&self) -> usize {
        let asked = self.last_single.is_some_and(|at| at.elapsed() < KEPT);
        let kept = usize::from(asked && self.slots > 1);
        self.slots - kept
    }

    fn may_run(&self, lane: Lane) -> bool {
        self.running < self.slots && (lane == Lane::Single || self.bulk < self.bulk_slots())
    }

    fn starts(&mut self, caller: &Caller, lane: Lane) {
        self.running += 1;
        self.bulk += usize::from(lane != Lane::Single);
        self.account(caller).running += 1;
    }

    fn stops(&mut self, caller: &Caller, lane: Lane) {
        self.running -= 1;
        self.bulk -= usize::from(lane != Lane::Single);
        self.account(caller).running -= 1;
    }

    /// Somebody no longer waits for his next turn.
    fn resumes(&mut self, caller: &Caller) {
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
    fn serve(&mut self) {
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

    fn queue(&mut self, caller: &Caller, lane: Lane, tell: Tell) -> u64 {
        self.next += 1;
        let id = self.next;
        if let Some(queue) = self.account(caller).lanes.get_mut(lane as usize) {
            queue.push_back(Waiter { id, tell });
        }
        id
    }

    /// Takes somebody out of the queue; whether he was there.
    fn leaves(&mut self, caller: &Caller, lane: Lane, id: u64) -> bool {
        let queue = self.account(caller).lanes.get_mut(lane as usize);
        let Some(queue) = queue else { return false };
        let before = queue.len();
        queue.retain(|waiter| waiter.id != id);
        queue.len() < before
    }

    /// Makes room in the queue at the cost of whoever has most in it; whether there is room then.
    fn push_out(&mut self, caller: &Caller) -> bool {
        let length = |account: &Account| account.lanes.first().map_or(0, VecDeque::len);
        let own = self.accounts.get(caller).map_or(0, length);
        let longest = self.accounts.values_mut().max_by_key(|a| length(a));
        let Some(longest) = longest.filter(|longest| length(longest) > own + 1) else {
            return false;
        };
        let Some(last) = longest.lanes.first_mut().and_then(VecDeque::pop_back) else {
            return false;
        };
        self.waiting -= 1;
        last.tell.send(Told::Pushed);
        true
    }
}

/// Bounds what is worked on at once, and what waits.
#[derive(Debug)]
pub struct Gate {
    hall: Mutex<Hall>,
    most_waiting: usize,
    wait: Duration,
}

/// A request in the queue; leaves it when dropped.
struct Waiting<'a> {
    gate: &'a Gate,
    caller: &'a Caller,
    lane: Lane,
    id: u64,
    told: oneshot::Receiver<Told>,
    /// He has been told, and acts on it.
    served: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.served {
            return;
        }
        let mut hall = self.gate.hall();
        if hall.leaves(self.caller, self.lane, self.id) {
            hall.waiting -= usize::from(self.lane == Lane::Single);
        } else if self.told.try_recv() == Ok(Told::Turn) {
            // It was his turn just now.
            hall.stops(self.caller, self.lane);
            hall.serve();
        }
    }
}

impl Gate {
    /// A gate for so many at once and so many waiting so long.
    pub fn new(slots: usize, most_waiting: usize, wait: Duration) -> Arc<Self> {
        Arc::new(Self {
            hall: Mutex::new(Hall {
                slots: slots.max(1),
                running: 0,
                bulk: 0,
                suspended: 0,
                waiting: 0,
                accounts: HashMap::new(),
                clock: 0,
                last_single: None,
                next: 0,
            }),
            most_waiting,
            wait,
        })
    }

    fn hall(&self) -> MutexGuard<'_, Hall> {
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

    /// Waits for a slot: a request by itself not for ever, lines as long as it takes, for they hold
    /// their caller back by waiting.
    ///
    /// # Errors
    /// Too many wait, or none comes free in time.
    pub async fn enter(
        self: &Arc<Self>,
        caller: &Caller,
        lane: Lane,
        deadline: Duration,
        gone: &Gone,
    ) -> Result<Arc<Task>, ApiError> {
        let deadline = Instant::now() + deadline;
        let mut waiting = {
            let mut hall = self.hall();
            if lane == Lane::Single {
                hall.last_single = Some(Instant::now());
                if hall.waiting >= self.most_waiting
                    && !hall.push_out(caller)
                    && !hall.may_run(lane)
                {
                    return Err(Busy::QueueFull.into());
                }
                hall.waiting += 1;
            }
            let (tell, told) = oneshot::channel();
            let id = hall.queue(caller, lane, Tell::Request(tell));
            hall.serve();
            Waiting {
                gate: self,
                caller,
                lane,
                id,
                told,
                served: false,
            }
        };
        let told = if lane == Lane::Single {
            let told = tokio::time::timeout(self.wait, &mut waiting.told).await;
            told.map_err(|_| Busy::QueueTimeout)?
        } else {
            (&mut waiting.told).await
        };
        waiting.served = true;
        match told {
            Ok(Told::Turn) => {
                let gate = Some(Arc::clone(self));
                Ok(Task::begun(gate, caller, lane, Some(deadline), gone))
            }
            Ok(Told::Pushed) => Err(Busy::QueueFull.into()),
            Err(_) => Err(ApiError::broken()),
        }
    }
}

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
    fn begun(
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
    ///
    /// # Errors
    /// Why it was.
    pub fn is_whole(&self) -> Result<(), ApiError> {
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

    /// Does work whose searches look around every so often.
    pub fn watches<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        until(self, work)
    }

    /// The same for work that would spread over every core: it is done on one, as befits the one
    /// place it was let in on, and where it can be called off.
    ///
    /// # Errors
    /// There is no thread to be had, or it was broken off.
    pub fn watches_alone<T: Send>(
        self: &Arc<Self>,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, ApiError> {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let one = one.map_err(|_| ApiError::broken())?;
        let done = one.install(|| self.watches(work));
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
        let own = hall.account(&self.caller).suspended;
        if hall.suspended >= MOST_SUSPENDED || own >= MOST_SUSPENDED_EACH {
            self.breaks_off(CROWDED);
            return false;
        }
        turn.leaves(&mut hall, &self.caller);
        let back = self.waits(gate, hall, &mut turn);
        back && self.over.load(Ordering::Relaxed) == GOES_ON
    }

    fn breaks_off(&self, why: u8) {
        self.over.store(why, Ordering::Relaxed);
    }

    /// Does something that only waits, without a slot meanwhile.
    pub fn aside<T>(&self, wait: impl FnOnce() -> T) -> T {
        let Some(gate) = &self.gate else {
            return wait();
        };
        let mut turn = self.turn();
        {
            let mut hall = gate.hall();
            turn.settle(&mut hall, &self.caller, Instant::now());
            turn.leaves(&mut hall, &self.caller);
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
        hall.suspended += 1;
        hall.account(&self.caller).suspended += 1;
        let id = hall.queue(&self.caller, turn.lane, Tell::Thread(tell));
        hall.serve();
        drop(hall);
        loop {
            if told.recv_timeout(PATIENCE).is_ok() {
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

/// Whether the caller has left.
#[derive(Clone, Debug, Default)]
pub struct Gone(Arc<AtomicBool>);

impl Gone {
    /// Whether the caller has left.
    pub fn yes(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Held by the side that waits for the result: dropped with it when the caller leaves.
#[derive(Debug)]
pub struct Present(Gone);

impl Drop for Present {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// A pair that tells one side that the other has gone.
pub fn presence() -> (Present, Gone) {
    let gone = Gone::default();
    (Present(gone.clone()), gone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Budget;
    use rayon::prelude::*;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    const LONG: Duration = Duration::from_mins(1);

    fn caller(name: &str) -> Caller {
        Caller::Key(name.to_owned())
    }

    /// Works until it has had so much of a slot; whether it was let to.
    fn works(task: &Arc<Task>, time: Duration) -> bool {
        let begun = Instant::now();
        let mut had = Duration::ZERO;
        while had < time && begun.elapsed() < LONG {
            let before = Instant::now();
            thread::sleep(Duration::from_micros(600));
            had += before.elapsed();
            if !task.goes_on() {
                return false;
            }
        }
        true
    }

    async fn enter(gate: &Arc<Gate>, who: &str, lane: Lane) -> Result<Arc<Task>, ApiError> {
        let gone = Gone::default();
        gate.enter(&caller(who), lane, LONG, &gone).await
    }

    #[actix_web::test]
    async fn short_work_goes_before_long_and_who_had_less_before_who_had_more() {
        let gate = Gate::new(1, 8, LONG);
        let hostile = enter(&gate, "hostile", Lane::Single).await.unwrap();
        let long = thread::spawn(move || {
            let begun = Instant::now();
            assert!(works(&hostile, Duration::from_millis(400)));
            drop(hostile);
            begun.elapsed()
        });
        thread::sleep(Duration::from_millis(30));
        let mut waits = Vec::new();
        for _ in 0..20 {
            let begun = Instant::now();
            let honest = enter(&gate, "honest", Lane::Single).await.unwrap();
            waits.push(begun.elapsed());
            assert!(works(&honest, Duration::from_millis(2)));
        }
        waits.sort();
        assert!(waits[10] < Duration::from_millis(50), "{waits:?}");
        assert!(!long.is_finished(), "the long work had to make room");
        assert!(long.join().unwrap() > Duration::from_millis(400));
        assert_eq!(
            (gate.running(), gate.suspended(), gate.waiting()),
            (0, 0, 0)
        );
    }

    #[actix_web::test]
    async fn long_work_is_shared_between_callers_not_between_requests() {
        let gate = Gate::new(1, 64, LONG);
        let had: Arc<[AtomicUsize; 2]> = Arc::default();
        let mut threads = Vec::new();
        // One asks for eight things at once, the other for one.
        for (who, count) in [(0, 8), (1, 1)] {
            for _ in 0..count {
                let (gate, had) = (Arc::clone(&gate), Arc::clone(&had));
                threads.push(thread::spawn(move || {
                    let entered = async move {
                        let gone = Gone::default();
                        let name = ["many", "one"][who];
                        gate.enter(&caller(name), Lane::Single, LONG, &gone).await
                    };
                    let task = actix_web::rt::System::new().block_on(entered).unwrap();
                    let begun = Instant::now();
                    while begun.elapsed() < Duration::from_millis(600) {
                        thread::sleep(Duration::from_millis(1));
                        had[who].fetch_add(1, Ordering::Relaxed);
                        assert!(task.goes_on());
                    }
                }));
            }
        }
        for thread in threads {
            thread.join().unwrap();
        }
        let [many, one] = [0, 1].map(|who| had[who].load(Ordering::Relaxed));
        assert!(one * 4 > many, "{one} against {many}");
    }

    #[actix_web::test]
    async fn a_slot_is_kept_for_single_rulings_as_long_as_they_are_asked_for() {
        let gate = Gate::new(2, 8, Duration::from_millis(50));
        let first = enter(&gate, "batch", Lane::Line).await.unwrap();
        let second = enter(&gate, "batch", Lane::Line).await.unwrap();
        assert_eq!(gate.running(), 2, "nobody else is there");
        let full = enter(&gate, "honest", Lane::Single).await.unwrap_err();
        assert_eq!(
            full.code(),
            "queue_timeout",
            "lines look around of themselves"
        );
        thread::sleep(Duration::from_millis(1));
        let asked = enter(&gate, "honest", Lane::Single);
        let leaves = thread::spawn(move || {
            let went_on = second.goes_on();
            drop(second);
            went_on
        });
        let single = asked.await.unwrap();
        drop(single);
        assert!(
            leaves.join().unwrap(),
            "it went on once none was asked for any more"
        );
        drop(first);
        assert_eq!((gate.running(), gate.suspended()), (0, 0));
    }

    #[actix_web::test]
    async fn who_fills_the_queue_is_turned_away_first() {
        let gate = Gate::new(1, 3, LONG);
        let holds = enter(&gate, "hostile", Lane::Single).await.unwrap();
        let hostile: Vec<_> = (0..4)
            .map(|_| {
                let gate = Arc::clone(&gate);
                actix_web::rt::spawn(async move { enter(&gate, "hostile", Lane::Single).await })
            })
            .collect();
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(gate.waiting(), 3);
        let waits = Arc::clone(&gate);
        let honest =
            actix_web::rt::spawn(async move { enter(&waits, "honest", Lane::Single).await });
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        drop(holds);
        assert!(honest.await.unwrap().is_ok());
        let mut refused = 0;
        for one in hostile {
            refused += usize::from(one.await.unwrap().is_err_and(|e| e.code() == "queue_full"));
        }
        assert_eq!(refused, 2);
        assert_eq!((gate.running(), gate.waiting()), (0, 0));
    }

    #[actix_web::test]
    async fn work_that_takes_too_long_is_broken_off_and_the_next_is_not() {
        let gate = Gate::new(1, 8, LONG);
        let (present, gone) = presence();
        let deadline = Duration::from_millis(30);
        let task = gate
            .enter(&caller("a"), Lane::Line, deadline, &gone)
            .await
            .unwrap();
        assert!(!works(&task, Duration::from_millis(200)));
        assert_eq!(task.is_whole().unwrap_err().code(), "deadline");
        task.next(LONG);
        assert!(task.is_whole().is_ok() && works(&task, Duration::from_millis(5)));
        drop(present);
        assert!(!task.goes_on() && task.is_whole().is_err());
    }

    #[test]
    fn work_that_would_spread_is_called_off_on_whatever_thread_it_is() {
        let expanded = AtomicUsize::new(0);
        let search = |_| {
            let mut budget = Budget::new(10_000);
            let found = (0..10_000).take_while(|_| budget.take()).count();
            expanded.fetch_add(found, Ordering::Relaxed);
        };
        let all = || (0..8).into_par_iter().for_each(search);
        let (present, gone) = presence();
        let task = Task::begun(None, &caller("a"), Lane::Single, None, &gone);
        task.watches_alone(all).unwrap();
        assert_eq!(expanded.swap(0, Ordering::Relaxed), 80_000);
        assert!(
            (70_000..=90_000).contains(&task.expanded()),
            "{}",
            task.expanded()
        );
        drop(present);
        task.watches_alone(all).unwrap_err();
        let expanded = expanded.into_inner();
        assert!(expanded < 8 * 1000, "{expanded}");
    }
}
