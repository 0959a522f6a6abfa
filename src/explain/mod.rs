//! What was found, told in Chinese and English.
//!
//! Everything here is rendered from the findings: the pieces, squares and lines they hold, and what
//! the board shows at a glance. Nothing is analysed again.

mod en;
mod evidence;
mod facts;
mod grounds;
mod pattern;
mod pick;
mod sheet;
mod targets;
mod verdict;
mod words;
mod zh;

pub use evidence::{Claim, Evidence, evidence};
pub use grounds::{clauses, grounds};
pub use pattern::{pattern_en, pattern_zh};
pub use sheet::{Sheet, sheet};
pub use targets::{RootPiece, Target, rooted_targets, targets};
pub use verdict::{VerdictContext, of_verdict};
pub use words::Language;

use crate::rules::{RuleBook, Text};
use crate::ruling::MoveJudged;

/// Why a move has its nature.
pub fn of_move(m: &MoveJudged, book: &RuleBook) -> Text {
    Text {
        zh: zh::tell(m, &book.definitions),
        en: en::tell(m, &book.definitions),
    }
}
