//! `qili archive generate`: games made up for trials.

use super::super::out::{Out, complain, pretty};
use super::super::{Failure, Status};
use super::progress::Progress;
use super::{book, unreadable};
use crate::archive::{Generator, Made, Tally, Watch, pipeline, threads};
use crate::language::told;
use crate::notation::Notation;
use clap::ValueEnum;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Games are made so many at a time.
const BATCH: u64 = 256;

/// Makes up games for trials, with repetitions of every kind in known proportion
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
The same seed gives the same games on every machine, for any number of threads. Each game's id says \
what repeats in it: `SEED-NUMBER-PLAN`; how many games have which plan is told at the end.")]
pub(in crate::cli) struct Args {
    /// How many games
    #[arg(long, value_name = "N")]
    games: u64,
    /// Another seed makes other games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How to write them
    #[arg(long, value_enum, default_value = "ndjson")]
    format: Format,
    /// The notation of the moves in PGN: iccs, chinese, …
    #[arg(long, value_name = "NOTATION", default_value = "iccs")]
    notation: Notation,
    /// Writes them to a file; what ends in `.gz` or `.zst` is compressed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Writes the counts to a file as JSON
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Game records
    Pgn,
    /// Requests, one a line
    Ndjson,
    /// Columns `id`, `fen` and `moves`
    Parquet,
}

#[derive(Serialize)]
struct Report<'a> {
    seed: u64,
    #[serde(flatten)]
    tally: &'a Tally,
}

/// A file, compressed by its name.
enum Sink {
    #[cfg(feature = "parquet")]
    Columns(Box<crate::archive::parquet::Writer>),
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl Sink {
    fn create(path: &Path, format: Format) -> io::Result<Self> {
        #[cfg(feature = "parquet")]
        if format == Format::Parquet {
            let schema = crate::archive::parquet::game_schema();
            let writer = crate::archive::parquet::Writer::create(path, schema)?;
            return Ok(Self::Columns(Box::new(writer)));
        }
        #[cfg(not(feature = "parquet"))]
        let _ = format;
        let file = BufWriter::with_capacity(1 << 18, File::create(path)?);
        Ok(match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Self::Gzip(GzEncoder::new(file, Compression::fast())),
            Some("zst") => Self::Zstd(zstd::Encoder::new(file, 3)?),
            _ => Self::Plain(file),
        })
    }

    fn write(&mut self, written: &Written) -> io::Result<()> {
        match (self, written) {
            (Self::Plain(file), Written::Text(text)) => file.write_all(text.as_bytes()),
            (Self::Gzip(file), Written::Text(text)) => file.write_all(text.as_bytes()),
            (Self::Zstd(file), Written::Text(text)) => file.write_all(text.as_bytes()),
            #[cfg(feature = "parquet")]
            (Self::Columns(file), Written::Columns(batch)) => file.write(batch),
            #[cfg(feature = "parquet")]
            _ => Err(io::Error::other("columns and text do not mix")),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Columns(file) => file.finish(),
            Self::Plain(mut file) => file.flush(),
            Self::Gzip(file) => file.finish()?.flush(),
            Self::Zstd(file) => file.finish()?.flush(),
        }
    }
}

/// Games as they are written.
enum Written {
    Text(String),
    #[cfg(feature = "parquet")]
    Columns(arrow_array::RecordBatch),
}

impl Written {
    #[cfg_attr(
        not(feature = "parquet"),
        expect(clippy::unnecessary_wraps, reason = "columns may fail to be made")
    )]
    fn of(games: &[Made], args: &Args) -> io::Result<Self> {
        match args.format {
            Format::Pgn => Ok(Self::Text(
                games.iter().map(|game| game.pgn(args.notation)).collect(),
            )),
            #[cfg(feature = "parquet")]
            Format::Parquet => crate::archive::parquet::game_columns(games).map(Self::Columns),
            _ => Ok(Self::Text(games.iter().map(Made::line).collect())),
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let generator = Generator::new(args.seed, &*book("cxa-1999", out.lang)?);
    if args.format == Format::Parquet {
        #[cfg(not(feature = "parquet"))]
        return Err(super::without_parquet(out.lang));
        #[cfg(feature = "parquet")]
        if args.out.is_none() {
            return Err(Failure::Usage(out.lang.pick(
                "Parquet 须写入文件：请给 --out".to_owned(),
                "Parquet is written to a file: give --out".to_owned(),
            )));
        }
    }
    let mut sink = match &args.out {
        None => None,
        Some(path) => {
            Some(Sink::create(path, args.format).map_err(|error| unreadable(path, &error))?)
        }
    };
    let mut progress = Progress::over_games(args.games, out.lang);
    let mut tally = Tally::default();
    let mut next = 0;
    let read = || {
        let first = next;
        next = args.games.min(first + BATCH);
        Ok((first < next).then_some(first..next))
    };
    let work = |numbers: std::ops::Range<u64>| {
        let games: Vec<Made> = numbers.map(|number| generator.game(number)).collect();
        let mut tally = Tally::default();
        for made in &games {
            tally.enter(made);
        }
        (Written::of(&games, args), tally)
    };
    let taken = |(written, more): (io::Result<Written>, Tally)| {
        let written = written?;
        match (&mut sink, &written) {
            (Some(sink), written) => sink.write(written)?,
            (None, Written::Text(text)) => out.bytes(text.as_bytes())?,
            #[cfg(feature = "parquet")]
            (None, Written::Columns(_)) => {}
        }
        tally.add(&more);
        progress.games(more.games);
        Ok(())
    };
    let done = pipeline(threads(args.threads), read, work, taken);
    progress.end();
    done?;
    if let Some(sink) = sink {
        sink.finish()?;
    }
    let counts = |of: &std::collections::BTreeMap<&str, u64>| {
        let told: Vec<String> = of.iter().map(|(plan, n)| format!("{plan} {n}")).collect();
        told.join(", ")
    };
    let (games, plies) = (tally.games, tally.plies);
    let (played, studies) = (counts(&tally.played), counts(&tally.studies));
    complain(&told!(out.lang;
        "{games}局，共{plies}着；自开局：{played}；自排局：{studies}";
        "{games} games, {plies} plies; from the opening: {played}; from studies: {studies}"));
    if let Some(path) = &args.summary {
        let report = Report {
            seed: args.seed,
            tally: &tally,
        };
        out.text_to(Some(path), &(pretty(&report) + "\n"))?;
    }
    Ok(Status::Well)
}
