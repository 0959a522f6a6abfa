//! `qili perft`: leaf counts of move generation.

use super::out::Out;
use super::{Failure, Status};
use crate::language::told;
use crate::notation::fen;
use std::path::{Path, PathBuf};

/// Tables are compared this far, unless asked to go deeper.
const SHALLOW: u64 = 4_000_000;

/// Counts the leaves of move generation, or compares a table of counts
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "A table has a row for each position: its name, its FEN, and its counts at \
                        depth 1, 2, … separated by blanks; the columns are separated by tabs. \
                        Rows that start with # are passed over."
)]
pub(super) struct Args {
    /// The position, or `start`
    #[arg(required_unless_present = "table")]
    fen: Option<String>,
    /// How deep
    #[arg(required_unless_present = "table", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Count the moves of the last ply instead of playing them
    #[arg(long)]
    bulk: bool,
    /// Compare the counts of a table; the status is 1 if any differs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "depth"])]
    table: Option<PathBuf>,
    /// Compare counts of more than four million leaves too
    #[arg(long, requires = "table", conflicts_with_all = ["fen", "depth"])]
    deep: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    if let Some(path) = &args.table {
        return compare(path, args, out);
    }
    let mut position = super::position(args.fen.as_deref().unwrap_or("start"), out.lang)?;
    for depth in 1..=args.depth.unwrap_or(0) {
        let leaves = position.perft(depth, args.bulk);
        out.line(format_args!("{depth} {leaves}"))?;
        out.flush()?;
    }
    Ok(Status::Well)
}

fn compare(path: &Path, args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let unreadable = |error| Failure::Usage(format!("`{}`: {error}", path.display()));
    let table = std::fs::read_to_string(path).map_err(unreadable)?;
    let (mut compared, mut wrong) = (0u32, 0u32);
    let rows = table.lines().zip(1u32..);
    for (row, number) in rows.filter(|(row, _)| !row.starts_with('#') && !row.trim().is_empty()) {
        let bad = |what: &str| Failure::Bad(format!("`{}` line {number}: {what}", path.display()));
        let mut columns = row.split('\t');
        let (Some(name), Some(text), Some(counts)) =
            (columns.next(), columns.next(), columns.next())
        else {
            let expected = (
                "应有三栏：名称、FEN、各层数目",
                "expected a name, a FEN and counts",
            );
            return Err(bad(out.lang.pick(expected.0, expected.1)));
        };
        let mut position = fen::parse(text).map_err(|fault| bad(&super::tell(&fault, out.lang)))?;
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            let expected: u64 = count.parse().map_err(|_| {
                bad(&told!(out.lang; "`{count}`不是数目"; "`{count}` is not a count"))
            })?;
            if expected > SHALLOW && !args.deep {
                break;
            }
            let leaves = position.perft(depth, args.bulk);
            compared += 1;
            if leaves == expected {
                out.line(format_args!("{name} {depth} {leaves}"))?;
            } else {
                wrong += 1;
                let note = out.lang.pick("应为", "expected");
                out.line(format_args!("{name} {depth} {leaves} ({note} {expected})"))?;
            }
            out.flush()?;
        }
    }
    out.line(told!(out.lang;
        "比较{compared}个数目，{wrong}个不符";
        "{compared} counts compared, {wrong} differ"))?;
    Ok(Status::of(wrong == 0))
}
