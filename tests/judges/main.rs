//! Judges beside each other: the engine against other engines, and against itself with the board turned.

mod cross_check;
mod differential;
mod essence;
mod open;
mod outcome;
#[expect(
    clippy::all,
    clippy::pedantic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    unused_imports,
    reason = "written to be read beside the clauses, and run by tests only"
)]
mod plain;
mod proofs;
mod properties;
mod roots;
mod told_apart;
mod worst;
