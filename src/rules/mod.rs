//! Rule books as data over one engine.

mod book;

pub use book::{
    Article, Certainty, Ground, NaturalLimit, Outcome, RuleBook, Situation, Text, VerdictRow,
};
