//! `qili compare`: what an amendment, or another rule book, changes.

use super::books::{amended, bad_cases, book, trying, unreadable};
use super::out::{Out, complain, pretty};
use super::{Failure, Lang, Status, board};
use crate::archive::{Files, asks};
use crate::cases::Corpus;
use crate::compare::{self, Comparison, Gathered, Gatherer, Page, Search, SearchReport};
use crate::explain::Language;
use crate::record::{FaultKind, Form};
use crate::rules::LoadedBook;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

/// Tells what an amendment, or another rule book, changes
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Every case of the library (or of --cases), and every repetition in the games of \
                  --games, is judged under both books. The status is 0 whatever is found; 1 where \
                  what was to be read is bad: of games that cannot be read the rest is reported, \
                  an amendment with faults is refused whole and each of them named with its file \
                  and line; 2 for an unknown rule book, a file that is not there and the like."
)]
pub(super) struct Args {
    /// The rule book set out from: `id`, `id@version` or a file
    #[arg(long, value_name = "ID")]
    base: String,
    /// Amendments to it, applied in this order
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["with", "set"])]
    amendment: Vec<PathBuf>,
    /// Parameters at other values, by way of trial, over the amendments
    #[arg(long, value_name = "PARAM=VALUE", conflicts_with = "with")]
    set: Vec<String>,
    /// Another rule book to set against it, `id` or file
    #[arg(long, value_name = "ID", conflicts_with = "amendment")]
    with: Option<String>,
    /// A folder of case files, or one, instead of the library
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Leaves the library out, for --games alone
    #[arg(long, conflicts_with = "cases", requires = "games")]
    no_cases: bool,
    /// Games: records in any form, folders and ZIP archives of them, or requests one a line (NDJSON); `-`
    /// for standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Looks through so many random cycles for the smallest that are ruled differently, instead
    #[arg(long, value_name = "N", conflicts_with_all = ["cases", "games"])]
    search: Option<u64>,
    /// Another seed makes other cycles
    #[arg(long, value_name = "S", default_value_t = 1, requires = "search")]
    seed: u64,
    /// How many pieces the positions of --search have, the kings among them
    #[arg(long, value_name = "MIN..MAX", default_value = "4..10", value_parser = range, requires = "search")]
    pieces: (usize, usize),
    /// How to tell the comparison
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Writes it to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For reading in a terminal
    Text,
    /// One JSON document
    Json,
    /// A page that stands alone, for mail and print
    Html,
}

fn range(text: &str) -> Result<(usize, usize), String> {
    let (min, max) = text.split_once("..").unwrap_or((text, text));
    let bound = |text: &str| text.trim_start_matches('=').parse::<usize>().ok();
    match (bound(min), bound(max)) {
        (Some(min), Some(max)) if (2..=max).contains(&min) && max <= 32 => Ok((min, max)),
        _ => Err("expected MIN..MAX with 2 ≤ MIN ≤ MAX ≤ 32".to_owned()),
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let base = book(&args.base, out.lang)?;
    let other = match &args.with {
        Some(id) => book(id, out.lang)?,
        None => trying(
            amended(&base, &args.amendment, out.lang)?,
            &args.set,
            out.lang,
        )?,
    };
    // Standard output belongs to this thread; the work is done on those of the pool.
    let style = Style {
        format: args.format,
        lang: out.lang,
        coloured: out.coloured && args.out.is_none(),
    };
    let (text, status) = pool.install(|| match args.search {
        Some(cycles) => Ok((search(args, cycles, &base, &other, style), Status::Well)),
        None => judge(args, &base, &other, style),
    })?;
    out.text_to(args.out.as_deref(), &text)?;
    Ok(status)
}

/// How results are told.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) format: Format,
    pub(super) lang: Lang,
    pub(super) coloured: bool,
}

impl Style {
    /// A report, which may be told as text and as a page.
    pub(super) fn told<R: Serialize>(
        self,
        report: &R,
        text: impl Fn(&R, &Page<'_>) -> String,
        html: impl Fn(&R, Language) -> String,
    ) -> String {
        match self.format {
            Format::Text => text(
                report,
                &Page {
                    language: self.lang,
                    board: &|setup| board::draw(setup, self.coloured),
                },
            ),
            Format::Json => pretty(report) + "\n",
            Format::Html => html(report, self.lang),
        }
    }
}

fn judge(
    args: &Args,
    base: &LoadedBook,
    other: &LoadedBook,
    style: Style,
) -> Result<(String, Status), Failure> {
    let mut bad_files = false;
    let loaded;
    let corpus = match &args.cases {
        _ if args.no_cases => None,
        None => Some(Corpus::builtin()),
        Some(dir) => {
            loaded = Corpus::from_dir(dir).map_err(|faults| bad_cases(&faults, style.lang))?;
            Some(&loaded)
        }
    };
    let mut gatherer = Gatherer::new(base, other);
    gatherer.cases(corpus.into_iter().flat_map(Corpus::iter));
    for source in Files::new(&args.games) {
        let source = source.map_err(|error| Failure::Usage(error.to_string()))?;
        let mut input = source
            .open(&Arc::default())
            .map_err(|error| unreadable(&*source.name, &error))?;
        // Of the files of a folder not all need be records.
        let head = input.fill_buf().unwrap_or_default();
        if let Err(looks) = Form::of(head)
            && !source.named
            && !asks(head)
        {
            complain(&format!("{}: {}", source.name, FaultKind::NoRecord(looks)));
            continue;
        }
        if let Err(error) = gatherer.read(&source.name, &mut *input) {
            complain(&format!("`{}`: {error}", source.name));
            bad_files = true;
        }
    }
    let Gathered { items, errors, .. } = gatherer.finish();
    let bar = bar(items.len() as u64);
    let comparison = compare::compare(base, other, &items, errors, &|| bar.inc(1));
    bar.finish_and_clear();
    let text = style.told(&comparison, Comparison::text, Comparison::html);
    let well = comparison.errors.is_empty() && !bad_files;
    Ok((text, Status::of(well)))
}

fn search(args: &Args, cycles: u64, base: &LoadedBook, other: &LoadedBook, style: Style) -> String {
    let (min_pieces, max_pieces) = args.pieces;
    let what = Search {
        cycles,
        seed: args.seed,
        min_pieces,
        max_pieces,
    };
    let bar = bar(cycles);
    let report = compare::search(base, other, what, &|more| bar.inc(more));
    bar.finish_and_clear();
    style.told(&report, SearchReport::text, SearchReport::html)
}

/// A bar on standard error, hidden where nobody would see it.
fn bar(length: u64) -> ProgressBar {
    if length < 500 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec} {eta}") {
        bar.set_style(style);
    }
    bar
}
