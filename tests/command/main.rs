//! The command, run as its users run it, and what it is made of.

mod archive;
mod cases;
mod cli;
mod compare;
mod compare_report;
#[cfg(feature = "server")]
mod page;
mod proofs;
mod readme;
#[path = "../engine/record_made.rs"]
mod record_made;
mod records;
mod shell;
mod told;
