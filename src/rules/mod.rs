//! Rule books as data over one engine.

mod book;
mod catalog;

pub use book::{
    Article, Certainty, Ground, NaturalLimit, Outcome, RuleBook, Situation, Text, Unwritten,
    VerdictRow,
};
pub use catalog::{Catalog, LoadedBook, UnknownBook};
