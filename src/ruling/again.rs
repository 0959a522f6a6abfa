//! Lines that are judged more than once within one piece of work: a game in which one cycle is
//! pending again and again asks about the same line each time.

use super::arbiter::Arbiter;
use super::judge::{Judged, Options};
use crate::board::{Move, Position};
use crate::exchange::Work;
use crate::rules::RuleBook;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lines that are remembered at a time.
const MOST: usize = 64;

/// What was judged under one book, for [`Arbiter::remembering`]: nothing at first.
#[derive(Debug)]
pub struct Memory<'a> {
    pub(super) book: &'a RuleBook,
    /// An arbiter that remembers can go to another thread.
    lines: Mutex<Vec<Line>>,
}

#[derive(Debug)]
struct Line {
    start: Position,
    moves: Vec<Move>,
    options: Options,
    budget: u32,
    judged: Judged,
}

impl<'a> Memory<'a> {
    /// One that knows of no line yet.
    pub const fn of(book: &'a RuleBook) -> Self {
        Self {
            book,
            lines: Mutex::new(Vec::new()),
        }
    }

    fn lines(&self) -> MutexGuard<'_, Vec<Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What an arbiter found before: then nothing more was expanded for it. Else what it finds now, which is remembered unless
    /// its work has come to an end over it: with more left it may find more.
    pub(super) fn judged(
        &self,
        arbiter: &Arbiter<'_>,
        work: &Work<'_>,
        (start, moves): (&Position, &[Move]),
        judge: impl FnOnce() -> Judged,
    ) -> Judged {
        let (options, budget) = (arbiter.options, arbiter.budget);
        let same = |line: &&Line| {
            (line.options, line.budget) == (options, budget)
                && line.moves == moves
                && line.start.same_pieces(start)
        };
        if let Some(known) = self.lines().iter().find(same) {
            return Judged {
                spent: 0,
                ..known.judged.clone()
            };
        }
        let judged = judge();
        let mut lines = self.lines();
        if lines.len() < MOST && !work.is_over() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Depth;
    use crate::notation::fen;
    use crate::rules::Catalog;

    #[test]
    fn what_is_remembered_is_what_was_found_on_any_thread() {
        // Figure 3 of 1999: a chase by a check that wins a rook.
        let start =
            fen::parse("1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w")
                .unwrap();
        let line: Vec<Move> = ["h6i4", "i9h9", "i4h6", "h9i9"]
            .map(|mv| mv.parse().unwrap())
            .to_vec();
        let loaded = Catalog::builtin().get("cxa-1999").unwrap();
        let memory = Memory::of(&loaded.book);
        let arbiter = Arbiter::new(&loaded.book).remembering(&memory);
        let first = arbiter.line(&start, &line);
        let again = std::thread::scope(|scope| {
            let other = scope.spawn(|| arbiter.line(&start, &line));
            other.join().unwrap()
        });
        let natures = |judged: &Judged| -> Vec<_> {
            let moves = judged.moves.iter();
            moves.map(|m| m.finding.nature).collect()
        };
        assert!(first.spent > 0);
        assert_eq!(again.spent, 0);
        assert_eq!(natures(&again), natures(&first));
        assert_eq!(again.verdict, first.verdict);
        let depth = Depth::Verdict;
        let options = Options {
            depth,
            ..Options::default()
        };
        assert!(arbiter.with(options).line(&start, &line).spent > 0);
        // Found with too little, it is not what more would find.
        let starved = arbiter.within(1);
        assert!(starved.line(&start, &line).spent > 0);
        assert!(starved.line(&start, &line).spent > 0);
    }
}
