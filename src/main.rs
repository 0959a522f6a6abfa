//! The command `qili`.

use clap::Parser as _;
use qili::cli::{self, Cli};
use std::process::ExitCode;

/// Requests and rulings are many small things, made on one thread and dropped on another.
#[cfg(feature = "server")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run(&Cli::parse())
}
