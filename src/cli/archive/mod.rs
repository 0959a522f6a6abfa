//! `qili archive`: what repeats in millions of games.

mod compare;
mod generate;
mod judge;
mod progress;
mod report;

use super::books::{amended, book, there, unreadable};
use super::out::Out;
use super::{Failure, Lang, Status};
use crate::archive::{Checkpoint, Reader, RunOf, threads};
use progress::Progress;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Archives of games: judged, compared under two rule books, reported, and made for trials
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    Generate(generate::Args),
    Judge(judge::Args),
    Compare(compare::Args),
    Report(report::Args),
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    match &args.command {
        Command::Generate(args) => generate::run(args, out),
        Command::Judge(args) => judge::run(args, out),
        Command::Compare(args) => compare::run(args, out),
        Command::Report(args) => report::run(args, out),
    }
}

/// What is read, and how: the same for all that reads archives.
#[derive(Clone, Debug, clap::Args)]
struct Input {
    /// The archives: files, folders with all that is in them, ZIP archives; `-` or nothing: standard
    /// input
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Takes the files named as if they had been found in a folder: what is no record is passed over
    #[arg(long)]
    found: bool,
    /// Rejected games leave the status at 0
    #[arg(long)]
    accept_rejected: bool,
    /// How many threads judge [default: one a core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// How much room there is for rulings on cycles met before, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    cache: u64,
}

impl Input {
    /// The files given, standard input where there are none. Each must be there.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        if self.inputs.is_empty() {
            return Ok(vec![PathBuf::from("-")]);
        }
        there(&self.inputs)?;
        Ok(self.inputs.clone())
    }

    fn cache_bytes(&self) -> u64 {
        self.cache.saturating_mul(1 << 20)
    }

    fn threads(&self) -> NonZeroUsize {
        threads(self.threads)
    }

    fn status(&self, rejected: u64) -> Status {
        Status::of(rejected == 0 || self.accept_rejected)
    }
}

/// Where a run stands that is kept in a file, and whether it stood there already.
fn kept<T: Default + Serialize + DeserializeOwned>(
    path: &Path,
    mut settings: String,
    input: &Input,
    files: &[PathBuf],
    lang: Lang,
) -> Result<(Checkpoint<T>, bool), Failure> {
    if files.iter().any(|file| file.as_os_str() == "-") {
        // A stream is gone when the program is.
        return Err(Failure::Usage(lang.pick(
            "标准输入不能续读：--checkpoint 需要文件".to_owned(),
            "standard input cannot be read again: --checkpoint takes files".to_owned(),
        )));
    }
    if input.found {
        settings += " found";
    }
    let usage = |error: io::Error| Failure::Usage(error.to_string());
    let run = RunOf::new(settings, files).map_err(usage)?;
    let known = Checkpoint::load(path, &run).map_err(usage)?;
    let there = known.is_some();
    Ok((known.unwrap_or_else(|| Checkpoint::new(run)), there))
}

/// A reader that goes on where a run stands, and the bar for it.
fn reader<T>(
    input: &Input,
    files: &[PathBuf],
    at: &Checkpoint<T>,
    lang: Lang,
) -> (Reader, Progress) {
    let mut reader = Reader::new(files, at.input);
    if input.found {
        reader = reader.found();
    }
    // Where every file is named, they are those that were done with.
    let total = total(files);
    let before = at.run.inputs.iter().take(at.input.file);
    let before = before.map(|input| input.bytes).sum();
    let progress = Progress::over_bytes(total, before, reader.bytes(), lang);
    (reader, progress)
}

/// The bytes of all files together, if none of them is a stream.
fn total(files: &[PathBuf]) -> Option<u64> {
    files
        .iter()
        .map(|path| {
            fs::metadata(path)
                .ok()
                .filter(fs::Metadata::is_file)
                .map(|m| m.len())
        })
        .sum()
}

/// The program cannot write Parquet.
#[cfg(not(feature = "parquet"))]
fn without_parquet(lang: Lang) -> Failure {
    Failure::Usage(lang.pick(
        "此 qili 编译时未加 `parquet` 特性".to_owned(),
        "this qili was built without its feature `parquet`".to_owned(),
    ))
}
