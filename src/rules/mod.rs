//! Rule books as data over one engine.
//!
//! A [`RuleBook`] is a TOML file: the parameters the engine reads ([`PARAMETERS`]), a verdict
//! table, the clauses each label rests on, and the articles. [`read_book`] lists every fault of a
//! file with its line; the [`Catalog`] has the books built in, in every version ever released. An [`Amendment`] is a
//! small file over a book.

mod amendment;
mod book;
mod builtin;
mod catalog;
mod diff;
mod draft;
mod fault;
mod fit;
mod names;
mod parameters;
mod parts;
mod reader;
mod settings;
mod validate;

pub use crate::language::Text;
pub use amendment::{Amendment, EXAMPLES};
pub use book::{
    Applied, Article, NaturalLimit, RuleBook, Unwritten, VerdictRow, uncertain_articles,
};
pub use catalog::{Catalog, LoadedBook, UnknownBook, Version, canonical, name_and_settings};
pub use diff::{BookDiff, BookName, Change, ParameterChange, diff};
pub use fault::{Fault, FaultCode, nearest};
pub use names::{Certainty, Ground, Outcome, Situation};
pub use parameters::{ChoiceDoc, PARAMETERS, ParameterDoc, ParameterKind, Silence};
pub(crate) use parameters::{definitions_of, values_of};
pub use reader::{LONGEST as LONGEST_FILE, is_amendment};
pub use settings::BadSetting;
pub use validate::read_book;
