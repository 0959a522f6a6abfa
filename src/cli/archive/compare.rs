//! `qili archive compare`: what an amendment would have changed in every game of an archive.

use super::super::compare::{Format, Style};
use super::super::input::not_over;
use super::super::out::{Out, complain};
use super::super::{Failure, Lang, Status};
use super::{Input, amended, book, kept, reader};
use crate::archive::{ChangeTally, Checkpoint, Comparing, Position, RunOf, Times};
use crate::compare::Comparison;
use crate::language::told;
use std::path::PathBuf;

/// Tells what an amendment, or another rule book, would have changed in the games of an archive
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Reads what `qili archive judge` reads. Counted are pending positions; changes are grouped by what is \
behind them, and of each group the most telling are drawn: those whose verdict changes most, in most \
games, with the fewest pieces. The status is 1 where games were rejected (see --accept-rejected) or \
a file could not be read on.")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: Input,
    /// The rule book set out from: `id`, `id@version` or a file
    #[arg(long, value_name = "ID")]
    base: String,
    /// Amendments to it, applied in this order
    #[arg(long, value_name = "FILE", required_unless_present = "with")]
    amendment: Vec<PathBuf>,
    /// Another rule book to set against it, `id` or file
    #[arg(long, value_name = "ID", conflicts_with = "amendment")]
    with: Option<String>,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// How many changes are shown of each group
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=50))]
    samples: u16,
    /// Writes the report to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keeps in this file how far it has come
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// After how many games that is done
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        requires = "checkpoint"
    )]
    checkpoint_games: u64,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let base = book(&args.base, out.lang)?;
    let other = match &args.with {
        Some(id) => book(id, out.lang)?,
        None => amended(&base, &args.amendment, out.lang)?,
    };
    let files = args.input.files()?;
    not_over([&args.out, &args.checkpoint], &files, out.lang)?;
    let comparing = Comparing::new(&base, &other, args.input.cache_bytes());
    let settings = format!("compare {} {}", base.digest, other.digest);
    let mut kept = match &args.checkpoint {
        Some(path) => kept(path, settings, &args.input, &files, out.lang)?.0,
        None => Checkpoint::new(RunOf::over(settings, Vec::new())),
    };
    if kept.done {
        complain(out.lang.pick("此前已经做完", "everything was done already"));
    } else {
        count(args, &comparing, &files, &mut kept, out.lang)?;
    }
    let tally = kept.summary;
    let comparison = comparing.report(&tally, usize::from(args.samples));
    let style = Style {
        format: args.format,
        lang: out.lang,
        coloured: out.coloured && args.out.is_none(),
    };
    let text = style.told(&comparison, Comparison::text, Comparison::html);
    out.text_to(args.out.as_deref(), &text)?;
    let (_, rejected) = tally.games();
    Ok(args.input.status(rejected))
}

/// Counts from where the counting stands to the end.
fn count(
    args: &Args,
    comparing: &Comparing<'_>,
    files: &[PathBuf],
    kept: &mut Checkpoint<ChangeTally>,
    lang: Lang,
) -> Result<(), Failure> {
    let (mut reader, mut progress) = reader(&args.input, files, kept, lang);
    let mut tally = std::mem::take(&mut kept.summary);
    let mut since = 0;
    let save = |tally: &ChangeTally, at: Position, games: u64| {
        since += games;
        kept.input = at;
        match &args.checkpoint {
            Some(path) if since >= args.checkpoint_games => {
                since = 0;
                kept.save_with(path, tally)
            }
            _ => Ok(()),
        }
    };
    let threads = args.input.threads();
    let done = comparing.over(&mut reader, threads, &mut tally, save, &mut progress);
    progress.end();
    let times = done.map_err(|error| Failure::Bad(error.to_string()))?;
    tell(lang, &tally, &times);
    kept.summary = tally;
    kept.done = true;
    match &args.checkpoint {
        Some(path) => kept
            .save(path)
            .map_err(|error| Failure::Bad(error.to_string())),
        None => Ok(()),
    }
}

/// The counts on standard error.
fn tell(lang: Lang, tally: &ChangeTally, times: &Times) {
    let (games, rejected) = tally.games();
    let (elapsed, hits) = (times.elapsed, 100.0 * times.hit_rate());
    let share = |part: f64| 100.0 * part / times.work().max(f64::EPSILON);
    let [read, scan, judge, count] = [times.read, times.scan, times.judge, times.write].map(share);
    complain(&told!(lang;
        "读{games}局，不能裁{rejected}局；{elapsed:.1}秒：读{read:.0}%，扫描{scan:.0}%，裁{judge:.0}%，计数{count:.0}%；循环命中{hits:.1}%";
        "{games} games read, {rejected} rejected; {elapsed:.1} s: read {read:.0} %, scan {scan:.0} %, judge {judge:.0} %, count {count:.0} %; cycles known already {hits:.1} %"));
}
