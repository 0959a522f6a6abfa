//! Mates within so many checks.

use super::budget::Budget;
use super::value::material;
use crate::board::{
    Answers, Move, MoveList, PieceSet, Position, Square, Table, checking_moves_but_for,
};
use std::cmp::Reverse;

/// Whether the side to move mates within `depth` consecutive checks.
pub fn mates_within(position: &mut Position, depth: u32, budget: &mut Budget<'_>) -> bool {
    mates_aside(position, depth, PieceSet::EMPTY, budget)
}

/// The same where these pieces, which check that side, keep it from nothing.
pub(super) fn mates_aside(
    position: &mut Position,
    depth: u32,
    aside: PieceSet,
    budget: &mut Budget<'_>,
) -> bool {
    let work = budget.work();
    work.mating(|mating| {
        mating.aside = aside;
        mating.mates_by(position, depth, None, budget)
    })
}

/// Whether the side to move mates in one position by fewer checks than in another, and by fewer than these, though some pieces
/// check it.
pub(super) fn mates_sooner(
    now: &mut Position,
    than: &mut Position,
    (most, aside): (u32, PieceSet),
    budget: &mut Budget<'_>,
) -> bool {
    let found = (1..most).find_map(|depth| {
        let there = mates_aside(than, depth, aside, budget);
        (there || mates_aside(now, depth, aside, budget)).then_some(!there)
    });
    found == Some(true)
}

/// Positions whose answer is kept; beyond them it is worked out again.
const KEPT: usize = 1 << 17;

/// What is known of mates from a position.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// There is none within so many checks.
    none: u32,
    /// There is one within so many.
    mates: u32,
}

impl Known {
    const NOTHING: Self = Self {
        none: 0,
        mates: u32::MAX,
    };

    const fn within(self, depth: u32) -> Option<bool> {
        if depth <= self.none {
            Some(false)
        } else if depth >= self.mates {
            Some(true)
        } else {
            None
        }
    }
}

/// Mates by nothing but checks, with what was found on the way.
#[derive(Debug)]
pub(super) struct Mating {
    /// What keeps the side that mates from nothing, though it checks.
    aside: PieceSet,
    known: Table<(u64, PieceSet), Known>,
    /// By the square the check came to.
    spoilers: Spoilers,
}

impl Mating {
    pub(super) fn new() -> Self {
        Self {
            aside: PieceSet::EMPTY,
            known: Table::default(),
            spoilers: Spoilers::new(),
        }
    }

    /// What a position is known by.
    const fn key(&self, position: &Position) -> (u64, PieceSet) {
        (position.key(), self.aside)
    }

    /// The next answer to a check; none takes a king that is left out of account.
    fn next(&self, answers: &mut Answers, position: &mut Position) -> Option<Move> {
        if self.aside.is_empty() {
            return answers.next(position);
        }
        let king = position.king(position.turn().opponent());
        std::iter::from_fn(|| answers.next(position)).find(|answer| answer.to != king)
    }

    /// What is known of a position, or that nothing is.
    fn known(&self, key: (u64, PieceSet)) -> Known {
        self.known.get(&key).copied().unwrap_or(Known::NOTHING)
    }

    /// Keeps that there is a mate within so many checks, or that there is none.
    fn keep(&mut self, key: (u64, PieceSet), depth: u32, mates: bool) {
        let mut known = self.known(key);
        if mates {
            known.mates = known.mates.min(depth);
        } else {
            known.none = known.none.max(depth);
        }
        if self.known.len() < KEPT {
            self.known.insert(key, known);
        }
    }

    /// Whether the side to move mates within `depth` consecutive checks; those there are may have been looked for.
    fn mates_by(
        &mut self,
        position: &mut Position,
        depth: u32,
        checks: Option<&[Move]>,
        budget: &mut Budget<'_>,
    ) -> bool {
        if depth == 0 {
            return false;
        }
        let key = self.key(position);
        if let Some(known) = self.known(key).within(depth) {
            return known;
        }
        if !budget.take() {
            return false;
        }
        let mut room = MoveList::new();
        let checks = checks_of(position, self.aside, checks, &mut room);
        let mates = checks.iter().any(|&check| {
            let undo = position.make(check);
            let mates = self.is_mated_within(position, check.to, depth - 1, budget);
            position.unmake(undo);
            mates
        });
        if !budget.is_spent() {
            // Without a check there is none however many are looked at.
            let depth = if checks.is_empty() { u32::MAX } else { depth };
            self.keep(key, depth, mates);
        }
        mates
    }

    /// Whether every answer to the check that stands lets the other side mate within as many more.
    fn is_mated_within(
        &mut self,
        position: &mut Position,
        checked_from: Square,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> bool {
        let at = checked_from.index();
        let spoiler = self.spoilers.of(position, at);
        let escape = if depth == 0 {
            spoiler.or_else(|| self.next(&mut Answers::of(position), position))
        } else {
            spoiler
                .filter(|&mv| !self.mates_after(position, mv, depth, None, budget))
                .or_else(|| self.escape(position, depth, spoiler, budget))
        };
        if let Some(answer) = escape {
            self.spoilers.note(at, answer);
        }
        escape.is_none()
    }

    /// An answer to the check that stands after which the other side does not mate within as many more. One that
    /// leaves it no check is looked for before any is followed, and then captures and those that leave it few.
    fn escape(
        &mut self,
        position: &mut Position,
        depth: u32,
        tried: Option<Move>,
        budget: &mut Budget<'_>,
    ) -> Option<Move> {
        let mut answers = Answers::of(position);
        let mut left = Followed::default();
        while let Some(answer) = self.next(&mut answers, position) {
            if Some(answer) == tried {
                continue;
            }
            let undo = position.make(answer);
            let known = self.known(self.key(position)).within(depth);
            position.unmake(undo);
            match known {
                Some(true) => continue,
                Some(false) => return Some(answer),
                None => {}
            }
            let likely = Likely::of(position, answer, left.len());
            if !left.follow(position, self.aside, likely) {
                return Some(answer);
            }
        }
        let spoils = |likely: &&Likely| {
            let checks = Some(left.checks(likely));
            !self.mates_after(position, likely.answer, depth, checks, budget)
        };
        left.answers.iter().find(spoils).map(|likely| likely.answer)
    }

    fn mates_after(
        &mut self,
        position: &mut Position,
        answer: Move,
        depth: u32,
        checks: Option<&[Move]>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let undo = position.make(answer);
        let mates = self.mates_by(position, depth, checks, budget);
        position.unmake(undo);
        mates
    }
}

/// An answer to a check, in the order in which one is likely to spoil what the check is for: what takes most comes
/// first, and then what leaves the fewest further checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likely {
    taken: Reverse<i32>,
    /// Further checks that it leaves.
    pub(super) checks: usize,
    /// Where it stands in the move list.
    pub(super) place: usize,
    pub(super) answer: Move,
    /// Where its checks begin among those of other answers.
    first: usize,
}

impl Likely {
    /// By what it takes.
    pub(super) fn of(position: &Position, answer: Move, place: usize) -> Self {
        let taken = position.id_at(answer.to);
        Self {
            taken: Reverse(taken.map_or(0, |id| material(id, answer.to).number())),
            checks: 0,
            place,
            answer,
            first: 0,
        }
    }
}

/// The checks of a position, though some pieces check who gives them, looked for if nobody has done so before; there is room for
/// them.
pub(super) fn checks_of<'a>(
    position: &mut Position,
    aside: PieceSet,
    before: Option<&'a [Move]>,
    room: &'a mut MoveList,
) -> &'a [Move] {
    before.unwrap_or_else(|| {
        checking_moves_but_for(position, aside, room);
        room
    })
}

/// Answers that leave further checks, in the order in which they are followed, with those checks.
#[derive(Debug, Default)]
pub(super) struct Followed {
    pub(super) answers: Vec<Likely>,
    checks: Vec<Move>,
}

impl Followed {
    pub(super) fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether an answer leaves further checks, though some pieces check who gives them: then it is put in its place.
    pub(super) fn follow(
        &mut self,
        position: &mut Position,
        aside: PieceSet,
        mut likely: Likely,
    ) -> bool {
        let undo = position.make(likely.answer);
        let mut checks = MoveList::new();
        checking_moves_but_for(position, aside, &mut checks);
        position.unmake(undo);
        if checks.is_empty() {
            return false;
        }
        (likely.checks, likely.first) = (checks.len(), self.checks.len());
        self.checks.extend_from_slice(&checks);
        put_into(&mut self.answers, likely);
        true
    }

    /// The checks that one leaves.
    pub(super) fn checks(&self, likely: &Likely) -> &[Move] {
        let end = likely.first + likely.checks;
        self.checks.get(likely.first..end).unwrap_or(&[])
    }
}

/// Puts something in its place among others that are in order.
pub(super) fn put_into<T: Ord>(others: &mut Vec<T>, one: T) {
    others.insert(others.partition_point(|other| *other < one), one);
}

/// The least of what answers leave: of equal ones the first in the order of the move list, whichever was tried first.
#[derive(Debug)]
pub(super) struct Least<K, T>(Option<((K, usize), T)>);

impl<K: Ord, T> Least<K, T> {
    pub(super) const fn new() -> Self {
        Self(None)
    }

    pub(super) fn keep(&mut self, left: K, place: usize, line: T) {
        let order = (left, place);
        if self.0.as_ref().is_none_or(|(least, _)| order < *least) {
            self.0 = Some((order, line));
        }
    }

    pub(super) fn get(self) -> Option<T> {
        self.0.map(|(_, line)| line)
    }
}

/// The answers that last spoilt a run of checks: mostly one spoils the next run as well, and the
/// other answers need not be looked for. They are kept by a number below 90: so as to hit most often.
#[derive(Debug)]
pub(super) struct Spoilers([Move; 90]);

impl Spoilers {
    pub(super) const fn new() -> Self {
        Self([Move::NONE; 90])
    }

    /// The one to try first, if it is legal.
    pub(super) fn of(&self, position: &mut Position, at: usize) -> Option<Move> {
        let mv = self.noted(at);
        (position.is_pseudo_legal(mv) && position.keeps_king_safe(mv)).then_some(mv)
    }

    /// The one to try first, legal or not.
    pub(super) fn noted(&self, at: usize) -> Move {
        self.0.get(at).copied().unwrap_or(Move::NONE)
    }

    pub(super) fn note(&mut self, at: usize, answer: Move) {
        if let Some(spoiler) = self.0.get_mut(at) {
            *spoiler = answer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::Work;
    use super::*;
    use crate::board::thrown;

    #[test]
    fn within_one_work_a_mate_is_looked_for_once() {
        let spent = |work: &Work<'_>, position: &Position| {
            let mut budget = work.budget(10_000);
            let mates = mates_within(&mut position.clone(), 3, &mut budget);
            (mates, budget.spent())
        };
        let mut searched = 0;
        for position in thrown(200) {
            let work = Work::free(None);
            let first = spent(&work, &position);
            assert_eq!(spent(&work, &position), (first.0, 0), "{position:?}");
            assert_eq!(
                work.aside(|aside| spent(aside, &position)),
                first,
                "other work knows nothing of it"
            );
            searched += first.1;
        }
        assert!(searched > 400, "{searched}");
    }
}
