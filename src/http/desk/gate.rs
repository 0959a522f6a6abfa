//! Work off the connection threads: so much at once, so much waiting, and none for callers that
//! have left.

use crate::exchange::until;
use crate::http::edge::problem::ApiError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bounds what is worked on at once, and what waits.
#[derive(Debug)]
pub struct Gate {
    slots: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    wait: Duration,
}

/// Someone in the queue; leaves it when dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Gate {
    /// A gate for so many at once and so many waiting so long.
    pub fn new(slots: usize, most_waiting: usize, wait: Duration) -> Self {
        let slots = Arc::new(Semaphore::new(slots.max(1)));
        Self {
            slots,
            waiting: AtomicUsize::new(0),
            most_waiting,
            wait,
        }
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// How many could start at once.
    pub fn free(&self) -> usize {
        self.slots.available_permits()
    }

    /// Waits for a place, but not for ever.
    pub async fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let slots = Arc::clone(&self.slots);
        if let Ok(permit) = Arc::clone(&slots).try_acquire_owned() {
            return Ok(permit);
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        if before >= self.most_waiting {
            let (en, zh) = ("too many requests are waiting already", "等候的请求过多");
            return Err(ApiError::busy("queue_full", en, zh));
        }
        let entered = tokio::time::timeout(self.wait, slots.acquire_owned()).await;
        let late = || ApiError::busy("queue_timeout", "no place came free in time", "等候超时");
        entered.map_err(|_| late())?.map_err(|_| ApiError::broken())
    }

    /// Waits for a place as long as it takes: for work that holds its caller back by waiting.
    pub async fn enter_in_turn(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let permit = Arc::clone(&self.slots).acquire_owned().await;
        permit.map_err(|_| ApiError::broken())
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

    /// Does work whose searches break off when the caller leaves.
    pub fn stops<T>(&self, work: impl FnOnce() -> T) -> T {
        until(&self.0, work)
    }

    /// The same for work that would spread over every core: it is done on one, as befits the one
    /// place it was let in on, and where it can be called off.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn stops_alone<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, ApiError> {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let one = one.map_err(|_| ApiError::broken())?;
        let done = one.install(|| self.stops(work));
        if self.yes() {
            return Err(ApiError::broken());
        }
        Ok(done)
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
        gone.stops_alone(all).unwrap();
        assert_eq!(expanded.swap(0, Ordering::Relaxed), 80_000);
        drop(present);
        gone.stops_alone(all).unwrap_err();
        let expanded = expanded.into_inner();
        assert!(expanded < 8 * 1000, "{expanded}");
    }
}
