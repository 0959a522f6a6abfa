//! Lines that are judged more than once within one piece of work: a game in which one cycle is
//! pending again and again asks about the same line each time.

use super::judge::{self, Judged, Options};
use crate::board::{Move, Position};
use crate::rules::RuleBook;
use std::cell::RefCell;

/// Lines that are remembered at a time.
const MOST: usize = 64;

/// What was judged under a book, none at first.
#[derive(Default)]
struct Known {
    book: Option<RuleBook>,
    lines: Vec<Line>,
}

struct Line {
    start: Position,
    moves: Vec<Move>,
    options: Options,
    judged: Judged,
}

thread_local! {
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// Whether two positions are the same down to which of two like pieces stands where.
fn identical(one: &Position, other: &Position) -> bool {
    let placed = |position: &Position| -> Vec<_> {
        let pieces = position.pieces();
        pieces.map(|id| (id, position.square_of(id))).collect()
    };
    one == other && placed(one) == placed(other)
}

/// Does a piece of work within which a line that comes again is judged once: under the same book, with
/// the same options and the same budget each time. It holds for the thread that does the work.
pub fn once<T>(work: impl FnOnce() -> T) -> T {
    struct Before(Option<Known>);
    impl Drop for Before {
        fn drop(&mut self) {
            KNOWN.set(self.0.take());
        }
    }
    let _before = Before(KNOWN.replace(Some(Known::default())));
    work()
}

/// Judges a line, or gives what was found before: then nothing more was expanded for it.
pub(super) fn judge_line(
    book: &RuleBook,
    start: &Position,
    moves: &[Move],
    options: Options,
) -> Judged {
    let same = |line: &&Line| {
        line.options == options && line.moves == moves && identical(&line.start, start)
    };
    let found = KNOWN.with_borrow(|known| {
        let known = known.as_ref();
        let known = known.filter(|known| known.book.as_ref() == Some(book))?;
        known
            .lines
            .iter()
            .find(same)
            .map(|line| line.judged.clone())
    });
    if let Some(judged) = found {
        return Judged { spent: 0, ..judged };
    }
    let judged = judge::judge_line(book, start, moves, options);
    KNOWN.with_borrow_mut(|known| {
        let Some(known) = known else { return };
        if known.book.as_ref() != Some(book) {
            *known = Known {
                book: Some(book.clone()),
                lines: Vec::new(),
            };
        }
        if known.lines.len() < MOST {
            known.lines.push(Line {
                start: start.clone(),
                moves: moves.to_vec(),
                options,
                judged: judged.clone(),
            });
        }
    });
    judged
}
