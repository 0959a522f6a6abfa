//! Mates within so many checks.

use super::budget::Budget;
use super::table::Table;
use crate::board::{Answers, Move, MoveList, Position, checking_moves};
use std::cell::RefCell;

/// Whether the side to move mates within `depth` consecutive checks.
pub fn mates_within(position: &mut Position, depth: u32, budget: &mut Budget) -> bool {
    shared(&mut Mating::new(), |mating| {
        mating.mates_within(position, depth, budget)
    })
}

thread_local! {
    static SHARED: RefCell<Option<Mating>> = const { RefCell::new(None) };
}

/// Does a piece of work whose questions about mates share what they find: whoever asks, and whatever
/// for, whether a position is mate by so many checks is the same question. It holds for the thread
/// that does the work.
pub fn sharing_mates<T>(work: impl FnOnce() -> T) -> T {
    struct Before(Option<Mating>);
    impl Drop for Before {
        fn drop(&mut self) {
            SHARED.set(self.0.take());
        }
    }
    let _before = Before(SHARED.replace(Some(Mating::new())));
    work()
}

/// Asks about mates with what is known of them within the work, or else by oneself.
pub(super) fn shared<T>(own: &mut Mating, ask: impl FnOnce(&mut Mating) -> T) -> T {
    SHARED.with_borrow_mut(|shared| ask(shared.as_mut().unwrap_or(own)))
}

/// Positions whose answer is kept; beyond them it is worked out again.
const KEPT: usize = 1 << 14;
/// Depths for which the answer that spoils a mate is tried first elsewhere.
const SPOILED: usize = 8;

/// Mates by nothing but checks, with what was found on the way.
#[derive(Debug)]
pub(super) struct Mating {
    known: Table<(u64, u32), bool>,
    spoilers: Spoilers<SPOILED>,
}

impl Mating {
    pub(super) fn new() -> Self {
        Self {
            known: Table::default(),
            spoilers: Spoilers::new(),
        }
    }

    /// Whether the side to move mates within `depth` consecutive checks.
    pub(super) fn mates_within(
        &mut self,
        position: &mut Position,
        depth: u32,
        budget: &mut Budget,
    ) -> bool {
        if depth == 0 {
            return false;
        }
        let key = (position.key(), depth);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if !budget.take() {
            return false;
        }
        let mut checks = MoveList::new();
        checking_moves(position, &mut checks);
        let mates = checks.iter().any(|&check| {
            let undo = position.make(check);
            let mates = self.is_mated_within(position, depth - 1, budget);
            position.unmake(undo);
            mates
        });
        if !budget.is_spent() && self.known.len() < KEPT {
            self.known.insert(key, mates);
        }
        mates
    }

    /// Whether every answer to the check that stands lets the other side mate within as many more.
    fn is_mated_within(
        &mut self,
        position: &mut Position,
        depth: u32,
        budget: &mut Budget,
    ) -> bool {
        let at = depth as usize;
        let spoiler = self.spoilers.of(position, at);
        if depth == 0 && spoiler.is_some() {
            return false;
        }
        if let Some(mv) = spoiler
            && !self.mates_after(position, mv, depth, budget)
        {
            return false;
        }
        let mut answers = Answers::of(position);
        while let Some(answer) = answers.next(position) {
            if Some(answer) != spoiler && !self.mates_after(position, answer, depth, budget) {
                self.spoilers.note(at, answer);
                return false;
            }
        }
        true
    }

    fn mates_after(
        &mut self,
        position: &mut Position,
        answer: Move,
        depth: u32,
        budget: &mut Budget,
    ) -> bool {
        let undo = position.make(answer);
        let mates = self.mates_within(position, depth, budget);
        position.unmake(undo);
        mates
    }
}

/// The answers that last spoilt a run of checks: mostly one spoils the next run as well, and the
/// other answers need not be looked for.
#[derive(Debug)]
pub(super) struct Spoilers<const N: usize>([Move; N]);

impl<const N: usize> Spoilers<N> {
    pub(super) const fn new() -> Self {
        Self([Move::NONE; N])
    }

    /// The one to try first, if it is legal.
    pub(super) fn of(&self, position: &mut Position, at: usize) -> Option<Move> {
        let mv = self.0.get(at).copied()?;
        (position.is_pseudo_legal(mv) && position.keeps_king_safe(mv)).then_some(mv)
    }

    pub(super) fn note(&mut self, at: usize, answer: Move) {
        if let Some(spoiler) = self.0.get_mut(at) {
            *spoiler = answer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::thrown;

    #[test]
    fn within_one_work_a_mate_is_looked_for_once() {
        let spent = |position: &Position| {
            let mut budget = Budget::new(10_000);
            let mates = mates_within(&mut position.clone(), 3, &mut budget);
            (mates, budget.spent())
        };
        let mut searched = 0;
        for position in thrown(200) {
            let first = spent(&position);
            let again = sharing_mates(|| [spent(&position), spent(&position)]);
            assert_eq!(again, [first, (first.0, 0)], "{position:?}");
            assert_eq!(
                spent(&position),
                first,
                "what comes after knows nothing of it"
            );
            searched += first.1;
        }
        assert!(searched > 400, "{searched}");
    }
}
