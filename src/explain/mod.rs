//! What was found, told in Chinese and English.
//!
//! Everything here is rendered from the findings: the pieces, squares and lines they hold, what the board shows at a
//! glance, and what becomes of whoever takes a target, asked once of [`target_of`](crate::exchange::target_of).

/// Puts a text together, with room for most: texts are made of texts, and each would else be moved as it grows.
macro_rules! format {
    ($($told:tt)*) => {
        crate::explain::words::put_together(format_args!($($told)*))
    };
}

mod evidence;
mod facts;
mod grounds;
mod pattern;
mod pick;
mod sheet;
mod targets;
mod tell;
mod verdict;
mod words;

pub use crate::language::Language;
pub use evidence::{Claim, Evidence, evidence};
pub use grounds::clauses;
pub use pattern::pattern;
pub use sheet::{Sheet, sheet};
pub(crate) use sheet::{padded, width};
pub use verdict::{VerdictContext, of_verdict, verdict_within};

use crate::exchange::{RootTarget, Terms, Work};
use crate::language::Text;
use crate::rules::{Ground, RuleBook};
use crate::ruling::MoveJudged;

/// Why a move has its nature, and what it attacks.
#[derive(Clone, Debug)]
pub struct Told {
    /// In words.
    pub reason: Text,
    /// The pieces attacked, and what protects them.
    pub targets: Vec<RootTarget>,
    /// What the label rests on, the ground of its nature first.
    pub grounds: Vec<Ground>,
}

impl Told {
    /// What is to be told of a move.
    pub fn new(m: &MoveJudged, book: &RuleBook) -> Self {
        Self::within(m, book, &Work::free(None))
    }

    /// The same as part of a piece of work.
    pub fn within(m: &MoveJudged, book: &RuleBook, work: &Work<'_>) -> Self {
        let definitions = &book.definitions;
        let targets = targets::rooted_targets(m, Terms { definitions, work });
        Self {
            reason: tell::tell(m, &targets, definitions),
            grounds: grounds::grounds(m, &targets, definitions),
            targets,
        }
    }
}
