//! `qili migrate`: the schema of the store.

use super::kept::{Place, failed};
use super::out::Out;
use super::{Failure, Status};
use crate::language::told;
use crate::store::{SCHEMA, bring_up_to_date, survey};

/// Bring the store to the schema of this program, or say what that would take
///
/// `qili serve` and every command that opens the store do so by themselves. A store that a newer program
/// has written is refused.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "With --check the status is 0 where there is nothing to do, 1 where there is."
)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// Only say which steps would be taken, and change nothing
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let url = args.place.url();
    let found = survey(&url, false).map_err(|error| failed(&error))?;
    let ahead = found.ahead();
    let had = match found.schema {
        Some(schema) => told!(lang; "库结构{schema}"; "schema {schema}"),
        None => lang.pick("尚无内容".to_owned(), "nothing kept yet".to_owned()),
    };
    if ahead.is_empty() {
        out.line(told!(lang; "{had}：无需变更"; "{had}: nothing to do"))?;
        return Ok(Status::Well);
    }
    out.line(told!(lang; "{had} → 库结构{SCHEMA}"; "{had} → schema {SCHEMA}"))?;
    for (number, name) in ahead {
        out.line(format_args!("{number:>4} {name}"))?;
    }
    if args.check {
        return Ok(Status::Wrong);
    }
    bring_up_to_date(&url).map_err(|error| failed(&error))?;
    out.line(lang.pick("完成", "done"))?;
    Ok(Status::Well)
}
