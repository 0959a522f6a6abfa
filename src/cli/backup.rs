//! `qili backup` and `qili restore`: everything that is kept, in one file.

use super::kept::{Place, failed};
use super::out::Out;
use super::{Failure, Status};
use crate::language::told;
use crate::store::{Backup, backup, restore, verify};
use std::path::PathBuf;

/// Write everything the store holds into a file, while it may be in use
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// The file: there must be none of the name
    file: PathBuf,
}

/// Put everything a backup has into an empty store of either kind
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RestoreArgs {
    #[command(flatten)]
    place: Place,
    /// The file
    file: PathBuf,
    /// Only read it, and check it by its checksum
    #[arg(long)]
    check: bool,
}

fn tell(found: &Backup, out: &mut Out) -> Result<Status, Failure> {
    let Backup {
        rows,
        rulings,
        sha256,
        made_at,
    } = found;
    out.line(told!(out.lang;
        "{made_at}：共{rows}行，其中裁决{rulings}个，sha256:{sha256}";
        "{made_at}: {rows} rows, {rulings} rulings among them, sha256:{sha256}"))?;
    Ok(Status::Well)
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let made = backup(&args.place.url(), &args.file);
    tell(&made.map_err(|error| failed(&error))?, out)
}

pub(super) fn run_restore(args: &RestoreArgs, out: &mut Out) -> Result<Status, Failure> {
    let found = if args.check {
        verify(&args.file)
    } else {
        restore(&args.file, &args.place.url())
    };
    tell(&found.map_err(|error| failed(&error))?, out)
}
