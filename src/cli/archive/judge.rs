//! `qili archive judge`: the rulings due in every game of an archive.

use super::super::input::not_over;
use super::super::out::{Out, complain, pretty};
use super::super::{Failure, Lang, Status};
use super::{Input, book, reader};
use crate::archive::{
    Checkpoint, Form, Judge, Keep, Lines, Resumable, Run, RunOf, Shape, Summary, Times,
};
use crate::language::told;
use clap::ValueEnum;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Judges every position that became pending in the games of an archive
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Games are records in any form that is read (see `qili convert`), or requests one a line (NDJSON), plain or \
compressed with gzip or zstd, in folders and ZIP archives; Parquet where qili was built with its feature \
`parquet`: columns `id`, `fen` (both may be missing or null) and `moves`, a text or a list of texts. Which of \
them a file is, is found out. Rows of records carry `red`, `black`, `event`, `date` and `result` where they are known.

The output has the order of the input and the same bytes for any number of threads. A game that \
cannot be judged gets a line with `error`. The status is 0 where all games were judged, 1 where \
some were rejected (see --accept-rejected) or a file could not be read on, 2 for wrong usage.

With --checkpoint a run that was killed is gone on with by the same command: no row is lost, none \
is there twice.")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: Input,
    /// The rule book for games that name none: `id`, `id@version` or a file
    #[arg(long, value_name = "ID", default_value = "cxa-1999")]
    rules: String,
    /// What is a line of the output
    #[arg(long, value_enum, default_value = "pending")]
    rows: Shape,
    /// The same as --rows run
    #[arg(long, conflicts_with = "rows")]
    runs: bool,
    /// How to write it [default: as Parquet where --out ends in `.parquet`, otherwise ndjson]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Writes the output to a file; Parquet with --checkpoint to a folder of files
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keeps in this file how far the run has come
    #[arg(long, value_name = "FILE", requires = "out")]
    checkpoint: Option<PathBuf>,
    /// After how many games that is done
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20_000,
        requires = "checkpoint"
    )]
    checkpoint_games: u64,
    /// Writes the counts, and where the time went, to a file as JSON
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON, one row a line
    Ndjson,
    /// Columns
    Parquet,
}

impl Args {
    const fn rows(&self) -> Shape {
        if self.runs { Shape::Run } else { self.rows }
    }
}

/// The counts as they are written to a file.
#[derive(Serialize)]
struct Report<'a> {
    rules: String,
    digest: &'a str,
    #[serde(flatten)]
    summary: &'a Summary,
    /// Of this run alone: after a checkpoint was gone on with, of the rest.
    run: Option<RunJson>,
}

#[derive(Serialize)]
struct RunJson {
    threads: usize,
    resumed: bool,
    hit_rate: f64,
    #[serde(flatten)]
    times: Times,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let loaded = book(&args.rules, out.lang)?;
    let files = args.input.files()?;
    let written = [&args.out, &args.checkpoint, &args.summary];
    not_over(written, &files, out.lang)?;
    let judge = Judge::new(Arc::clone(&loaded), args.input.cache_bytes());
    let work = Work {
        args,
        files,
        judge: &judge,
        lang: out.lang,
    };
    let parquet = args.format.map_or_else(
        || args.out.as_deref().is_some_and(is_parquet),
        |format| format == Format::Parquet,
    );
    let (summary, run) = if parquet {
        columns(&work)?
    } else {
        lines(&work, out)?
    };
    tell(out.lang, &summary, run.as_ref());
    if let Some(path) = &args.summary {
        let report = Report {
            rules: loaded.pinned(),
            digest: &loaded.digest,
            summary: &summary,
            run,
        };
        out.text_to(Some(path), &(pretty(&report) + "\n"))?;
    }
    Ok(args.input.status(summary.rejected))
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "parquet")
}

/// Lines to a file or to standard output.
fn lines(work: &Work<'_>, out: &mut Out) -> Result<Counted, Failure> {
    let args = work.args;
    let shape = args.rows();
    Ok(match (&args.out, &args.checkpoint) {
        (Some(path), Some(kept)) => {
            work.resumable(shape, kept, |checkpoint| Lines::open(path, checkpoint))?
        }
        (Some(path), None) => {
            let file = File::create(path).map_err(|e| super::unreadable(path, &e))?;
            let mut file = BufWriter::with_capacity(1 << 20, file);
            let done = work.streamed(shape, |bytes| file.write_all(&bytes))?;
            file.flush()?;
            done
        }
        (None, _) => {
            let done = work.streamed(shape, |bytes| out.bytes(&bytes))?;
            out.flush()?;
            done
        }
    })
}

/// Columns to a file; with a checkpoint, to a folder of files.
#[cfg(feature = "parquet")]
fn columns(work: &Work<'_>) -> Result<Counted, Failure> {
    use crate::archive::parquet::{Columnar, Parts, Writer, schema};
    let args = work.args;
    if args.rows() != Shape::Pending {
        return Err(Failure::Usage(work.lang.pick(
            "Parquet 每行一个待判局面：不能用 --rows game 或 run".to_owned(),
            "a row of Parquet is a pending position: --rows game and run are for NDJSON".to_owned(),
        )));
    }
    let Some(path) = &args.out else {
        return Err(Failure::Usage(work.lang.pick(
            "Parquet 须写入文件：请给 --out".to_owned(),
            "Parquet is written to a file: give --out".to_owned(),
        )));
    };
    if let Some(kept) = &args.checkpoint {
        return work.resumable(Columnar, kept, |checkpoint| Parts::open(path, checkpoint));
    }
    let mut file = Writer::create(path, schema()).map_err(|e| super::unreadable(path, &e))?;
    let done = work.streamed(Columnar, |batch| {
        batch.map_or(Ok(()), |batch| file.write(&batch))
    })?;
    file.finish()?;
    Ok(done)
}

#[cfg(not(feature = "parquet"))]
fn columns(work: &Work<'_>) -> Result<Counted, Failure> {
    Err(super::without_parquet(work.lang))
}

struct Work<'a> {
    args: &'a Args,
    files: Vec<PathBuf>,
    judge: &'a Judge,
    lang: Lang,
}

type Counted = (Summary, Option<RunJson>);

impl Work<'_> {
    fn run<F: Form>(&self, form: F) -> Run<'_, F> {
        Run {
            judge: self.judge,
            form,
            threads: self.args.input.threads(),
        }
    }

    fn told(&self, times: Times, resumed: bool) -> RunJson {
        RunJson {
            threads: self.args.input.threads().get(),
            resumed,
            hit_rate: times.hit_rate(),
            times,
        }
    }

    /// Judges without a way back.
    fn streamed<F: Form>(
        &self,
        form: F,
        mut write: impl FnMut(F::Out) -> io::Result<()>,
    ) -> Result<Counted, Failure> {
        let start = Checkpoint::<Summary>::new(RunOf::over(String::new(), Vec::new()));
        let (mut reader, mut progress) = reader(&self.args.input, &self.files, &start, self.lang);
        let mut summary = Summary::default();
        let mut unwritten = false;
        let sink = |out: F::Out, _, more: &Summary| {
            summary.add(more);
            write(out).inspect_err(|_| unwritten = true)
        };
        let done = self.run(form).over(&mut reader, sink, &mut progress);
        progress.end();
        let times = done.map_err(|error| failure(error, unwritten))?;
        Ok((summary, Some(self.told(times, false))))
    }

    /// Goes on from the checkpoint, if there is one.
    fn resumable<F: Form, K: Keep<Out = F::Out>>(
        &self,
        form: F,
        kept: &Path,
        open: impl FnOnce(&Checkpoint) -> io::Result<K>,
    ) -> Result<Counted, Failure> {
        let (rows, every) = (self.args.rows(), self.args.checkpoint_games);
        let settings = format!("judge {rows:?} {every} {}", self.judge.book().digest);
        let (checkpoint, resumed) =
            super::kept(kept, settings, &self.args.input, &self.files, self.lang)?;
        if checkpoint.done {
            complain(&told!(self.lang;
                "`{}`：此前已经做完", kept.display();
                "`{}`: everything was done already", kept.display()));
            return Ok((checkpoint.summary, None));
        }
        let (mut reader, mut progress) =
            reader(&self.args.input, &self.files, &checkpoint, self.lang);
        let bad = |error: io::Error| Failure::Bad(error.to_string());
        let output = open(&checkpoint).map_err(bad)?;
        let mut output = Resumable::new(kept, every, checkpoint, output).map_err(bad)?;
        let mut unwritten = false;
        let sink = |out: F::Out, at, more: &Summary| {
            let taken = output.take(out, at, more);
            taken.inspect_err(|_| unwritten = true)
        };
        let done = self.run(form).over(&mut reader, sink, &mut progress);
        progress.end();
        let times = done.map_err(|error| failure(error, unwritten))?;
        Ok((output.finish()?, Some(self.told(times, resumed))))
    }
}

/// What went wrong on the way in is told; the way out has its own rules.
fn failure(error: io::Error, unwritten: bool) -> Failure {
    if unwritten {
        Failure::Output(error)
    } else {
        Failure::Bad(error.to_string())
    }
}

/// The counts on standard error.
fn tell(lang: Lang, summary: &Summary, run: Option<&RunJson>) {
    let Summary {
        games,
        judged,
        rejected,
        plies,
        repeating,
        pending,
        ..
    } = summary;
    complain(&told!(lang;
        "读{games}局：裁{judged}局，不能裁{rejected}局；共{plies}着，{repeating}局有待判局面，计{pending}个";
        "{games} games read: {judged} judged, {rejected} rejected; {plies} plies; {pending} pending positions in {repeating} games"));
    let listed = |counts: &std::collections::BTreeMap<String, u64>| {
        let told: Vec<String> = counts
            .iter()
            .map(|(name, n)| format!("{name} {n}"))
            .collect();
        told.join(lang.pick("、", ", "))
    };
    for (zh, en, counts) in [
        ("裁决", "rulings", &summary.outcomes),
        ("着法", "patterns", &summary.patterns),
        ("不能裁", "rejected", &summary.rejections),
    ] {
        if !counts.is_empty() {
            complain(&format!("{}: {}", lang.pick(zh, en), listed(counts)));
        }
    }
    let Some(RunJson {
        times,
        hit_rate,
        threads,
        ..
    }) = run
    else {
        return;
    };
    let share = |part: f64| 100.0 * part / times.work().max(f64::EPSILON);
    let [read, scan, judge, format, write] = [
        times.read,
        times.scan,
        times.judge,
        times.format,
        times.write,
    ]
    .map(share);
    let (elapsed, hits) = (times.elapsed, 100.0 * hit_rate);
    complain(&told!(lang;
        "{elapsed:.1}秒，{threads}线程：读{read:.0}%，扫描{scan:.0}%，裁{judge:.0}%，成行{format:.0}%，写{write:.0}%；循环命中{hits:.1}%";
        "{elapsed:.1} s on {threads} threads: read {read:.0} %, scan {scan:.0} %, judge {judge:.0} %, rows {format:.0} %, write {write:.0} %; cycles known already {hits:.1} %"));
}
