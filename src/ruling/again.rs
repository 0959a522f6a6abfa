//! Lines that are judged more than once within one piece of work: a game in which one cycle is
//! pending again and again asks about the same line each time.

use super::arbiter::Arbiter;
use super::judge::{Judged, Options};
use crate::board::{Move, Position};
use crate::rules::RuleBook;
use std::cell::RefCell;

/// Lines that are remembered at a time.
const MOST: usize = 64;

/// What was judged under one book, for [`Arbiter::remembering`]: nothing at first.
#[derive(Debug)]
pub struct Memory<'a> {
    pub(super) book: &'a RuleBook,
    lines: RefCell<Vec<Line>>,
}

#[derive(Debug)]
struct Line {
    start: Position,
    moves: Vec<Move>,
    options: Options,
    budget: u32,
    judged: Judged,
}

/// Whether two positions are the same down to which of two like pieces stands where.
fn identical(one: &Position, other: &Position) -> bool {
    let placed = |position: &Position| -> Vec<_> {
        let pieces = position.pieces();
        pieces.map(|id| (id, position.square_of(id))).collect()
    };
    one == other && placed(one) == placed(other)
}

impl<'a> Memory<'a> {
    /// One that knows of no line yet.
    pub const fn of(book: &'a RuleBook) -> Self {
        Self {
            book,
            lines: RefCell::new(Vec::new()),
        }
    }

    /// What an arbiter found before: then nothing more was expanded for it. Else what it finds now.
    pub(super) fn judged(
        &self,
        arbiter: &Arbiter<'_>,
        start: &Position,
        moves: &[Move],
        judge: impl FnOnce() -> Judged,
    ) -> Judged {
        let (options, budget) = (arbiter.options, arbiter.budget);
        let same = |line: &&Line| {
            (line.options, line.budget) == (options, budget)
                && line.moves == moves
                && identical(&line.start, start)
        };
        if let Some(known) = self.lines.borrow().iter().find(same) {
            return Judged {
                spent: 0,
                ..known.judged.clone()
            };
        }
        let judged = judge();
        let mut lines = self.lines.borrow_mut();
        if lines.len() < MOST {
            lines.push(Line {
                start: start.clone(),
                moves: moves.to_vec(),
                options,
                budget,
                judged: judged.clone(),
            });
        }
        judged
    }
}
