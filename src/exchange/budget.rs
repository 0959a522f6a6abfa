//! Work is counted in positions, never in time: the same question gets the same answer anywhere.
//!
//! Each search has a [`Budget`] of its own. Above them stands what the whole piece of work may
//! expand ([`within`]), and whoever may call it off ([`until`]); both hold for the thread that does
//! the work, so that no search needs to be handed them.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Positions between two looks at whether the work was called off.
pub const LOOK: u64 = 256;

/// Looks after a piece of work while it searches.
pub trait Watch: Send + Sync {
    /// Whether the work goes on: asked every [`LOOK`] positions, it may take its time to say so.
    fn goes_on(&self) -> bool;
}

impl Watch for AtomicBool {
    fn goes_on(&self) -> bool {
        !self.load(Relaxed)
    }
}

thread_local! {
    static GRANTED: Cell<u32> = const { Cell::new(u32::MAX) };
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static WATCH: RefCell<Option<Arc<dyn Watch>>> = const { RefCell::new(None) };
}

/// Does a piece of work whose searches may expand so many positions together. One that finds
/// nothing left breaks off, as one does that has spent its own budget.
pub fn within<T>(positions: u32, work: impl FnOnce() -> T) -> T {
    let _before = Before(
        GRANTED.replace(positions),
        LEFT.replace(u64::from(positions)),
    );
    work()
}

/// Does a piece of work that may expand what is left, and then leaves as much as there was: what comes
/// after it finds what it would have found without.
pub fn leaving<T>(work: impl FnOnce() -> T) -> T {
    let _before = Before(GRANTED.get(), LEFT.get());
    work()
}

/// What there was before a piece of work.
struct Before(u32, u64);

impl Drop for Before {
    fn drop(&mut self) {
        GRANTED.set(self.0);
        LEFT.set(self.1);
    }
}

/// Does a piece of work whose searches break off soon after the flag is set. What comes of it then
/// means nothing.
pub fn until<T, W: Watch + 'static>(watch: &Arc<W>, work: impl FnOnce() -> T) -> T {
    struct Before(Option<Arc<dyn Watch>>);
    impl Drop for Before {
        fn drop(&mut self) {
            WATCH.set(self.0.take());
        }
    }
    let _before = Before(WATCH.replace(Some(Arc::clone(watch) as Arc<dyn Watch>)));
    work()
}

/// Takes one position of what the whole work may expand; whether there was one.
fn allowed() -> bool {
    let called_off = || WATCH.with_borrow(|watch| watch.as_ref().is_some_and(|w| !w.goes_on()));
    let left = LEFT.get();
    if left == 0 || (left.is_multiple_of(LOOK) && called_off()) {
        return false;
    }
    LEFT.set(left - 1);
    true
}

/// How many positions a search may still expand.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    limit: u32,
    spent: u32,
    ran_out: bool,
}

impl Budget {
    /// A budget of `limit` positions.
    pub const fn new(limit: u32) -> Self {
        Self {
            limit,
            spent: 0,
            ran_out: false,
        }
    }

    /// Takes one position; whether there was one left.
    #[inline]
    pub fn take(&mut self) -> bool {
        if self.ran_out {
            return false;
        }
        if self.spent < self.limit {
            if allowed() {
                self.spent += 1;
                return true;
            }
            // What was granted to the whole work is what there was too little of.
            self.limit = GRANTED.get();
        }
        self.ran_out = true;
        false
    }

    /// Takes over what another search expanded on this one's behalf; one that ran out breaks this
    /// one off as well.
    pub const fn absorb(&mut self, other: Self) {
        self.spent = self.spent.saturating_add(other.spent);
        if other.ran_out && !self.ran_out {
            self.limit = other.limit;
        }
        self.ran_out = self.ran_out || other.ran_out || self.spent > self.limit;
    }

    /// Whether more has been asked for than there was.
    pub const fn is_spent(&self) -> bool {
        self.ran_out
    }

    /// Positions expanded so far.
    pub const fn spent(&self) -> u32 {
        self.spent
    }

    /// Positions there were to begin with; where it ran out, the budget that was too small: its own,
    /// that of a search made on its behalf, or what the whole work may expand.
    pub const fn limit(&self) -> u32 {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(limit: u32) -> u32 {
        let mut budget = Budget::new(limit);
        while budget.take() {}
        assert!(budget.is_spent());
        budget.spent()
    }

    #[test]
    fn searches_share_what_the_whole_work_may_expand() {
        let shares = within(1000, || [taken(600), taken(600), taken(600)]);
        assert_eq!(shares, [600, 400, 0]);
        assert_eq!(taken(600), 600, "and what comes after is free again");
        let nested = within(10, || (within(5, || taken(100)), taken(100)));
        assert_eq!(nested, (5, 10));
    }

    #[test]
    fn work_that_is_called_off_ends_soon() {
        let flag = Arc::new(AtomicBool::new(false));
        let (before, after) = until(&flag, || {
            let before = taken(10_000);
            flag.store(true, Relaxed);
            (before, taken(10_000))
        });
        assert_eq!(before, 10_000);
        assert!(u64::from(after) < LOOK, "{after}");
        assert_eq!(taken(10_000), 10_000);
    }
}
