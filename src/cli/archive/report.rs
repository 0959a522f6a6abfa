//! `qili archive report`: the repetitions of an archive on one page.

use super::super::out::Out;
use super::super::{Failure, Status};
use super::unreadable;
use crate::archive::{Files, Report};
use std::path::PathBuf;
use std::sync::Arc;

/// Makes a page (HTML) of what `qili archive judge --runs` wrote
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
The page stands alone: boards inline, nothing fetched, no scripts. It lists at most 5,000 runs, each with its game, \
players, event, date and result, the plies, the rounds, the ruling and what happened next, and has filters for the \
ruling, the side, what happened next and the event; the first 500 have a board.")]
pub(in crate::cli) struct Args {
    /// Rows of `--runs`; `-` or nothing: standard input
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Writes the page to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let stdin = [PathBuf::from("-")];
    let inputs = if args.inputs.is_empty() {
        &stdin[..]
    } else {
        &args.inputs
    };
    let mut report = Report::default();
    for source in Files::new(inputs) {
        let source = source.map_err(|error| Failure::Usage(error.to_string()))?;
        let mut input = source
            .open(&Arc::default())
            .map_err(|error| unreadable(&*source.name, &error))?;
        report
            .read(&source.name, &mut *input)
            .map_err(|error| Failure::Bad(error.to_string()))?;
    }
    let page = report.html(out.lang);
    out.text_to(args.out.as_deref(), &page)?;
    Ok(Status::Well)
}
