//! The command `qili`.

use clap::Parser as _;
use qili::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(&Cli::parse())
}
