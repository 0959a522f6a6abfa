//! `qili archive`: what repeats in millions of games.

mod compare;
mod generate;
mod judge;
mod progress;

use super::out::Out;
use super::{Failure, Lang, Status};
use crate::archive::InputOf;
use crate::rules::{Catalog, LoadedBook};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Archives of games: judged, compared under two rule books, and made for trials
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
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    match &args.command {
        Command::Generate(args) => generate::run(args, out),
        Command::Judge(args) => judge::run(args, out),
        Command::Compare(args) => compare::run(args, out),
    }
}

/// A rule book by its id, or from a file.
fn book(name: &str) -> Result<Arc<LoadedBook>, Failure> {
    if Path::new(name).is_file() {
        let text = fs::read_to_string(name).map_err(|error| unreadable(name, &error))?;
        return LoadedBook::read(name, &text)
            .map(Arc::new)
            .map_err(|faults| {
                let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
                Failure::Bad(told.join("\n"))
            });
    }
    Catalog::builtin()
        .get(name)
        .map_err(|unknown| Failure::Usage(unknown.to_string()))
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::Usage(format!("`{name}`: {error}"))
}

/// The files given, standard input where there are none. Each must be there.
fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if given.is_empty() {
        return Ok(vec![PathBuf::from("-")]);
    }
    for path in given.iter().filter(|path| path.as_os_str() != "-") {
        let name = path.display().to_string();
        let meta = fs::metadata(path).map_err(|error| unreadable(&name, &error))?;
        if meta.is_dir() {
            return Err(Failure::Usage(format!(
                "`{name}` is a folder: name the files in it"
            )));
        }
    }
    Ok(given.to_vec())
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

/// The bytes of the files before one.
fn bytes_before(inputs: &[InputOf], file: usize) -> u64 {
    inputs.iter().take(file).map(|input| input.bytes).sum()
}

/// Writes a small file as a whole.
fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let name = path.display().to_string();
    fs::write(path, text).map_err(|error| unreadable(&name, &error))
}

/// A stream is gone when the program is.
fn stream_once(lang: Lang) -> Failure {
    Failure::Usage(lang.pick(
        "标准输入不能续读：--checkpoint 需要文件".to_owned(),
        "standard input cannot be read again: --checkpoint takes files".to_owned(),
    ))
}

/// The program cannot write Parquet.
#[cfg(not(feature = "parquet"))]
fn without_parquet(lang: Lang) -> Failure {
    Failure::Usage(lang.pick(
        "此 qili 编译时未加 `parquet` 特性".to_owned(),
        "this qili was built without its feature `parquet`".to_owned(),
    ))
}
