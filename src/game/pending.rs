//! The pending position (待判局面): the two ways of counting, and the cycle that is closed.

use super::table::KeyTable;
use crate::board::Move;
use crate::named::named;
use serde::{Deserialize, Serialize};

named! { read
    /// What a rule book counts until a position is pending.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum PendingUnit {
        /// One period played so many times in full: the *moves* repeat.
        Rounds "rounds",
        /// A position standing so many times with the same side to move, however it came about.
        Occurrences "occurrences",
    }
}

/// When a position is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PendingRule {
    /// What is counted.
    pub unit: PendingUnit,
    /// Up to how many. Fewer than one round or two occurrences close nothing: they are taken as
    /// that.
    pub count: u32,
    /// Whether a capture that opens a run of checks is counted into it: as the first move of the
    /// first round, or as the move that brought the position about for the first time.
    pub counts_opening_capture: bool,
}

impl PendingRule {
    /// The Chinese books: the moves have repeated three times.
    pub const THREE_ROUNDS: Self = Self {
        unit: PendingUnit::Rounds,
        count: 3,
        counts_opening_capture: false,
    };
    /// The Asian and world rules, and plain threefold repetition: a third occurrence.
    pub const THIRD_OCCURRENCE: Self = Self {
        unit: PendingUnit::Occurrences,
        count: 3,
        counts_opening_capture: true,
    };

    /// How often a position must have stood, at least, to be pending.
    pub const fn least_occurrences(self) -> u32 {
        match self.unit {
            PendingUnit::Rounds if self.count > 0 => self.count.saturating_add(1),
            PendingUnit::Occurrences if self.count > 2 => self.count,
            PendingUnit::Rounds | PendingUnit::Occurrences => 2,
        }
    }
}

/// Which part of a game repeats, ending with the position that is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CycleSpan {
    /// The first ply (from 0) of the rounds that were played one like the other; a capture, where the
    /// book counts one that opens a run of checks.
    pub start_ply: usize,
    /// How many plies one round takes.
    pub period: usize,
    /// How many rounds in a row were played with the same moves, the last one ending here.
    pub rounds: u32,
    /// How often the position has stood. One more than `rounds`, unless it also came about by
    /// another way round or the first round opened with a capture.
    pub occurrences: u32,
    /// From here to the end every way round that makes the position pending was played: the last
    /// returns to it, as many as the book counts, and what came before is another matter. Equal to
    /// `start_ply` when they were alike.
    pub span_start_ply: usize,
}

impl CycleSpan {
    /// The number of plies played when the position stands for the last time.
    pub const fn end_ply(self) -> usize {
        self.start_ply + self.period * self.rounds as usize
    }

    /// Whether every way round that counts was the same.
    pub const fn is_uniform(self) -> bool {
        self.span_start_ply == self.start_ply
    }
}

/// What was found out about the last ply, so that the next need not walk back again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memo {
    ply: usize,
    period: usize,
    matched: usize,
}

/// Which positions stood when.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    table: KeyTable,
    /// Of each ply's position: where it stood before.
    previous: Vec<Option<usize>>,
    /// How often it has stood.
    times: Vec<u32>,
}

impl Ledger {
    pub(super) fn new() -> Self {
        Self {
            table: KeyTable::new(),
            previous: Vec::new(),
            times: Vec::new(),
        }
    }

    /// Starts over.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.previous.clear();
        self.times.clear();
    }

    /// Nothing that stood until now can stand again.
    pub(super) fn close(&mut self) {
        self.table.clear();
    }

    /// How many positions have stood.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Enters the next position and tells how often it has stood.
    #[inline]
    pub(super) fn enter(&mut self, key: u64, same: impl FnMut(usize) -> bool) -> u32 {
        let ply = self.len();
        let previous = self.table.note(key, ply, same);
        let times = previous.map_or(0, |at| self.times_at(at)) + 1;
        self.previous.push(previous);
        self.times.push(times);
        times
    }

    /// How often the position at `ply` had stood by then.
    pub(super) fn times_at(&self, ply: usize) -> u32 {
        self.times.get(ply).copied().unwrap_or(0)
    }

    /// The plies before `ply` at which its position stood, the latest first.
    pub(super) fn earlier(&self, ply: usize) -> impl Iterator<Item = usize> + '_ {
        let previous = |at: usize| self.previous.get(at).copied().flatten();
        std::iter::successors(previous(ply), move |&at| previous(at))
    }

    /// The cycle that makes the position at `ply` pending, if it is. No position before `since`
    /// can have stood again.
    pub(super) fn closed(
        &self,
        moves: &[Move],
        ply: usize,
        since: usize,
        rule: PendingRule,
        memo: &mut Memo,
    ) -> Option<CycleSpan> {
        let occurrences = self.times_at(ply);
        if occurrences < rule.least_occurrences() {
            return None;
        }
        let room = ply - since;
        let least_rounds = match rule.unit {
            PendingUnit::Rounds => rule.count.max(1),
            PendingUnit::Occurrences => 1,
        };
        for at in self.earlier(ply) {
            let period = ply - at;
            if period
                .checked_mul(least_rounds as usize)
                .is_none_or(|plies| plies > room)
            {
                break;
            }
            let matched = matched(moves, ply, period, since, *memo);
            let rounds = u32::try_from(matched / period + 1).unwrap_or(u32::MAX);
            if rounds >= least_rounds {
                *memo = Memo {
                    ply,
                    period,
                    matched,
                };
                let start_ply = ply - period * rounds as usize;
                let counted = (rule.least_occurrences() as usize).saturating_sub(2);
                return Some(CycleSpan {
                    start_ply,
                    period,
                    rounds,
                    occurrences,
                    span_start_ply: self
                        .earlier(ply)
                        .nth(counted)
                        .map_or(start_ply, |ply| ply.min(start_ply)),
                });
            }
        }
        None
    }
}

/// How many of the moves before `ply`, going back, are those played one period earlier. Moves
/// before `since` are not looked at: one that captures may look like one that does not.
fn matched(moves: &[Move], ply: usize, period: usize, since: usize, memo: Memo) -> usize {
    let most = ply - since - period;
    let back = |from: usize| moves.get(..from).unwrap_or_default().iter().rev();
    let mut pairs = back(ply).zip(back(ply - period)).take(most);
    if memo.period == period && memo.ply + 1 == ply {
        return if pairs.next().is_some_and(|(a, b)| a == b) {
            (memo.matched + 1).min(most)
        } else {
            0
        };
    }
    pairs.take_while(|(a, b)| a == b).count()
}
