//! What a rule book makes otherwise than another: two books over the same cases and games.
//!
//! Every case, cycle and repetition is judged under both; what *flips* (outcome or side), what
//! becomes undetermined or stops being, and what is *relabelled* (other natures, the same
//! verdict) is reported with both rulings, grouped by the differences between the books that are
//! behind it. These are not guessed from the clauses cited: the base takes over single parameters
//! and verdict rows of the other book and is asked again.
//!
//! ```
//! use qili::cases::Case;
//! use qili::compare::{Item, compare};
//! use qili::rules::Catalog;
//! let catalog = Catalog::builtin();
//! let (base, other) = (catalog.get("cxa-1999")?, catalog.get("cxa-2020")?);
//! let case = Case::read(include_str!("../../cases/cxa-1999/13.toml")).unwrap();
//! let item = Item::of_case(&case).unwrap();
//! let comparison = compare(&base, &other, &[item], Vec::new(), &|| ());
//! assert_eq!(comparison.counts.flipped, 1);
//! let cause = &comparison.changes[0].cause;
//! assert_eq!(cause.levers[0].target(), "definitions.pawn_upgrade");
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```

mod boards;
mod cause;
mod games;
mod html;
mod items;
mod random;
mod report;
mod search;
mod text;
mod words;

pub use cause::{Cause, Lever};
pub use games::{Gathered, Gatherer, repeats};
pub use items::{Ask, Item, ItemError, Place};
#[cfg(feature = "archive")]
pub(crate) use random::Dice;
pub use report::{
    Archive, BookOf, Both, Change, ChangeKind, Comparer, Comparison, Counted, Counts, Group,
    MoveChange, Reach, VerdictChange, compare, together,
};
pub use search::{Search, SearchReport, search};
pub use text::Page;
