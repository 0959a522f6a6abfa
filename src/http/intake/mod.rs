//! What arrives: bodies, queries, lines, tags.

pub mod body;
pub mod lines;
pub mod tags;
