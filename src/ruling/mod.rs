//! A cycle or a game under a rule book: from moves to findings, from findings to conduct, from
//! conduct to the verdict.

mod again;
mod arbiter;
mod case;
mod conduct;
mod due;
mod judge;
mod themes;
mod verdict;

pub use again::Memory;
pub use arbiter::{Arbiter, BUDGET};
pub use case::{Order, Ruling};
pub use conduct::{Conduct, Standing, captors};
pub(crate) use conduct::{called, natures_told};
pub use due::Due;
pub use judge::{Certain, Judged, MoveJudged, Options, Verdict};
pub use themes::of_side as side_grounds;
pub(crate) use themes::{could_take, of_attack, of_king_or_pawn, offers};
