//! Work is counted in positions, never in time: the same question gets the same answer anywhere.
//!
//! Each search has a [`Budget`] of its own. Above them stands the piece of [`Work`] they are made for: what all of it may
//! expand, whoever may call it off, and what its searches have found for each other.

use super::account::Backs;
use super::checks::Mating;
use crate::definitions::Definitions;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Positions between two looks at whether the work was called off.
pub const LOOK: u64 = 256;

/// Of what is granted, what may be expanded aside: a quarter.
const ASIDE: u64 = 4;

/// Looks after a piece of work while it searches.
pub trait Watch: fmt::Debug + Send + Sync {
    /// Whether the work goes on: asked every [`LOOK`] positions, it may take its time to say so. What comes of work that
    /// does not means nothing.
    fn goes_on(&self) -> bool;

    /// The same of work that gives way to nobody: what it has at hand is too large to be kept while others go first.
    fn goes_on_at_once(&self) -> bool {
        self.goes_on()
    }
}

/// Looks after work that gives way to nobody.
#[derive(Clone, Copy, Debug)]
pub struct AtOnce<'w>(pub &'w dyn Watch);

impl Watch for AtOnce<'_> {
    fn goes_on(&self) -> bool {
        self.0.goes_on_at_once()
    }
}

impl Watch for AtomicBool {
    fn goes_on(&self) -> bool {
        !self.load(Relaxed)
    }
}

/// A piece of work under one book: its searches share what it may expand and what they find. Whoever asks, and whatever for, whether a
/// position is mate by so many checks is the same question.
pub struct Work<'w> {
    granted: u32,
    left: Cell<u64>,
    /// What may be expanded besides, for what is only told.
    left_aside: Cell<u64>,
    watch: Option<&'w dyn Watch>,
    /// Most never ask.
    mating: RefCell<Option<Box<Mating>>>,
    backs: RefCell<Backs>,
}

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work")
            .field("granted", &self.granted)
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}

impl<'w> Work<'w> {
    /// Work whose searches may expand so many positions together. One that finds nothing left breaks off, as one does
    /// that has spent its own budget.
    pub fn within(positions: u32, watch: Option<&'w dyn Watch>) -> Self {
        Self::of(positions, u64::from(positions), watch)
    }

    /// Work whose searches have their own budgets alone.
    pub fn free(watch: Option<&'w dyn Watch>) -> Self {
        Self::of(u32::MAX, u64::MAX, watch)
    }

    fn of(granted: u32, left: u64, watch: Option<&'w dyn Watch>) -> Self {
        Self {
            granted,
            left: Cell::new(left),
            left_aside: Cell::new(left / ASIDE),
            watch,
            mating: RefCell::default(),
            backs: RefCell::default(),
        }
    }

    /// Work that takes nothing of what this one has left: what comes after finds what it would have found without. All that is
    /// done so may expand a part of what was granted at first.
    pub fn aside<T>(&self, ask: impl FnOnce(&Work<'_>) -> T) -> T {
        let given = self.left.get().min(self.left_aside.get());
        let work = Work::of(self.granted, given, self.watch);
        let answer = ask(&work);
        let taken = given - work.left.get();
        self.left_aside.set(self.left_aside.get() - taken);
        answer
    }

    /// A budget for one of its searches.
    pub const fn budget(&'w self, limit: u32) -> Budget<'w> {
        Budget {
            work: self,
            limit,
            spent: 0,
            ran_out: false,
        }
    }

    /// Whether nothing more may be expanded: what was found last may be less than there is.
    pub fn is_over(&self) -> bool {
        self.left.get() == 0 || self.is_called_off()
    }

    fn is_called_off(&self) -> bool {
        self.watch.is_some_and(|watch| !watch.goes_on())
    }

    /// Takes one position of what the whole work may expand; whether there was one.
    fn take(&self) -> bool {
        let left = self.left.get();
        if left == 0 || (left.is_multiple_of(LOOK) && self.is_called_off()) {
            return false;
        }
        self.left.set(left - 1);
        true
    }

    /// Asks about mates, with what is known of them.
    pub(super) fn mating<T>(&self, ask: impl FnOnce(&mut Mating) -> T) -> T {
        ask(self
            .mating
            .borrow_mut()
            .get_or_insert_with(|| Box::new(Mating::new())))
    }

    /// What is known of what is won back by checks.
    pub(super) fn backs<T>(&self, ask: impl FnOnce(&mut Backs) -> T) -> T {
        ask(&mut self.backs.borrow_mut())
    }
}

/// By which definitions it is judged, and the work it is judged for.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The definitions.
    pub definitions: &'a Definitions,
    /// The work.
    pub work: &'a Work<'a>,
}

impl<'a> Terms<'a> {
    /// What one question about captures may expand.
    pub const fn chase_budget(self) -> Budget<'a> {
        self.work.budget(self.definitions.chase_budget)
    }

    /// What one question about mates may expand.
    pub const fn kill_budget(self) -> Budget<'a> {
        self.work.budget(self.definitions.kill_budget)
    }
}

impl Deref for Terms<'_> {
    type Target = Definitions;

    fn deref(&self) -> &Definitions {
        self.definitions
    }
}

/// What a search has expanded, and the budget that it had: its own, that of a search made on its behalf, or what the whole work
/// may expand, whichever was too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Positions expanded.
    pub positions: u32,
    /// The budget.
    pub of: u32,
}

/// How many positions a search may still expand.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'w> {
    work: &'w Work<'w>,
    limit: u32,
    spent: u32,
    ran_out: bool,
}

impl<'w> Budget<'w> {
    /// The work the search is made for.
    pub const fn work(&self) -> &'w Work<'w> {
        self.work
    }

    /// Takes one position; whether there was one left.
    #[inline]
    pub fn take(&mut self) -> bool {
        if self.ran_out {
            return false;
        }
        if self.spent < self.limit {
            if self.work.take() {
                self.spent += 1;
                return true;
            }
            // What was granted to the whole work is what there was too little of.
            self.limit = self.work.granted;
        }
        self.ran_out = true;
        false
    }

    /// Takes over what another search expanded on this one's behalf; one that ran out breaks this
    /// one off as well.
    pub const fn absorb(&mut self, other: Budget<'_>) {
        self.spent = self.spent.saturating_add(other.spent);
        if other.ran_out && !self.ran_out {
            self.limit = other.limit;
        }
        self.ran_out = self.ran_out || other.ran_out || self.spent > self.limit;
    }

    /// A question asked on its behalf was broken off.
    pub const fn run_out(&mut self) {
        self.ran_out = true;
    }

    /// Whether more has been asked for than there was.
    pub const fn is_spent(&self) -> bool {
        self.ran_out
    }

    /// Positions expanded so far.
    pub const fn spent(&self) -> u32 {
        self.spent
    }

    /// What was expanded, of how much.
    pub const fn told(&self) -> Spent {
        Spent {
            positions: self.spent,
            of: self.limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(work: &Work<'_>, limit: u32) -> u32 {
        let mut budget = work.budget(limit);
        while budget.take() {}
        assert!(budget.is_spent());
        budget.spent()
    }

    #[test]
    fn searches_share_what_the_whole_work_may_expand() {
        let work = Work::within(1000, None);
        assert_eq!(taken(&work, 600), 600);
        let aside = |limit| work.aside(|aside| taken(aside, limit));
        assert_eq!([aside(200), aside(200)], [200, 50], "a quarter, together");
        assert_eq!([taken(&work, 600), taken(&work, 600)], [400, 0]);
        assert_eq!(aside(200), 0);
        assert_eq!(taken(&Work::free(None), 600), 600);
    }

    #[test]
    fn work_that_is_called_off_ends_soon() {
        let flag = AtomicBool::new(false);
        let work = Work::free(Some(&flag));
        assert_eq!(taken(&work, 10_000), 10_000);
        flag.store(true, Relaxed);
        assert!(u64::from(taken(&work, 10_000)) < LOOK);
        assert_eq!(taken(&Work::free(None), 10_000), 10_000);
    }
}
