//! Who works when: so much at once, shared fairly between callers, short work before long.
//!
//! There are so many slots, as a rule one for each core. Work holds one while it runs, and looks
//! around every so often, between the lines of a batch and while it searches: where another caller
//! has had less, or the same caller has something shorter to do, it leaves its slot to that and waits
//! for its next turn. What has run for long is long work; it and the lines of batches leave one
//! slot free as long as single rulings are asked for. Only when something is done depends on all
//! this, never what comes of it.

mod hall;
mod presence;
mod task;
#[cfg(test)]
mod tests;

pub use hall::{Gate, Lane};
pub use presence::{Gone, presence};
pub use task::Task;

use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{ApiError, Busy, Result};
use hall::{Tell, Told};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

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
    ) -> Result<Arc<Task>> {
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
