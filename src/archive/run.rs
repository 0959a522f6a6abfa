//! A run over archives: read, judge, write, count.

use super::checkpoint::Checkpoint;
use super::input::{Batch, Position, Reader, Record};
use super::judge::{Found, Judge, Scratch};
use super::pipeline::{self, Busy};
use super::row::Rejection;
use super::summary::Summary;
use crate::record::Fault;
use serde::Serialize;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is made of the games of a batch, to be written in their order.
pub trait Form: Sync {
    /// What is written.
    type Out: Send;

    /// Makes it.
    fn make(&self, games: &[Found]) -> io::Result<Self::Out>;
}

/// What has a line of its own, where games are written as lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Shape {
    /// A pending position.
    Pending,
    /// A run of a repetition, however many plies it stood: from the first to the last, its rounds, and
    /// what happened next.
    Run,
    /// A game of the input, with all that became pending in it: as many lines out as in.
    Game,
}

impl Form for Shape {
    type Out = Vec<u8>;

    fn make(&self, games: &[Found]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for found in games {
            match self {
                Self::Pending => found.write_rows(&mut bytes),
                Self::Run => found.write_runs(&mut bytes),
                Self::Game => found.write_game(&mut bytes),
            }
        }
        Ok(bytes)
    }
}

/// Where the time of a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// Seconds from the first game to the last.
    pub elapsed: f64,
    /// Seconds of reading and decompressing, on one thread.
    pub read: f64,
    /// Seconds of reading moves and looking for repetition, all threads together.
    pub scan: f64,
    /// Seconds of judging pending positions, all threads together.
    pub judge: f64,
    /// Seconds of making rows, all threads together.
    pub format: f64,
    /// Seconds of writing, on one thread.
    pub write: f64,
    /// Lines that were to be judged.
    pub asked: u64,
    /// Lines that were not known already.
    pub judged: u64,
}

impl Times {
    /// Of the lines that were to be judged, the share that was known already.
    #[expect(clippy::cast_precision_loss, reason = "a share for reading")]
    pub fn hit_rate(&self) -> f64 {
        if self.asked == 0 {
            return 0.0;
        }
        1.0 - self.judged as f64 / self.asked as f64
    }

    /// All work, whichever thread did it.
    pub fn work(&self) -> f64 {
        self.read + self.scan + self.judge + self.format + self.write
    }
}

/// Who is told while a run goes on.
pub trait Watch {
    /// So many games have been written, all in all.
    fn games(&mut self, games: u64);
    /// A game was rejected.
    fn rejected(&mut self, rejection: &Rejection);
    /// A file in a folder or a ZIP archive is no record and was passed over.
    fn passed(&mut self, file: &str, fault: &Fault);
}

/// A stage's time on all threads, in nanoseconds.
#[derive(Debug, Default)]
struct Clock(AtomicU64);

impl Clock {
    fn add(&self, more: Duration) {
        let nanos = u64::try_from(more.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanos, Ordering::Relaxed);
    }

    fn seconds(&self) -> f64 {
        Duration::from_nanos(self.0.load(Ordering::Relaxed)).as_secs_f64()
    }
}

/// What was made of a batch's games, how far the reader was, and the files passed over.
pub(super) type OfBatch<T> = (T, Position, Vec<(Arc<str>, Fault)>);

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Looks at every game a reader gives and makes something of those of each batch, by so many threads;
/// `sink` gets that in the order of the games. What was looked up is not counted.
pub(super) fn drive<G, T: Send>(
    reader: &mut Reader,
    threads: NonZeroUsize,
    look: impl Fn(&Record, &mut Scratch) -> Option<G> + Sync,
    make: impl Fn(Vec<G>) -> T + Sync,
    sink: impl FnMut(OfBatch<T>) -> io::Result<()>,
) -> io::Result<Times> {
    let [scan, judge, format] = <[Clock; 3]>::default();
    let work = |batch: Batch| {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.judging = Duration::ZERO;
            let begun = Instant::now();
            let records = batch.records.iter();
            let games = records.filter_map(|record| look(record, scratch)).collect();
            let all = begun.elapsed();
            judge.add(scratch.judging);
            scan.add(all.saturating_sub(scratch.judging));
            let begun = Instant::now();
            let out = make(games);
            format.add(begun.elapsed());
            (out, batch.end, batch.passed)
        })
    };
    let begun = Instant::now();
    let Busy { reading, writing } = pipeline::run(threads, || reader.next_batch(), work, sink)?;
    Ok(Times {
        elapsed: begun.elapsed().as_secs_f64(),
        read: reading.as_secs_f64(),
        scan: scan.seconds(),
        judge: judge.seconds(),
        format: format.seconds(),
        write: writing.as_secs_f64(),
        ..Times::default()
    })
}

/// What a run is to do.
#[derive(Debug)]
pub struct Run<'a, F> {
    /// Who judges.
    pub judge: &'a Judge,
    /// How games are written.
    pub form: F,
    /// How many threads judge.
    pub threads: NonZeroUsize,
}

impl<F: Form> Run<'_, F> {
    /// Judges everything a reader gives, in its order.
    ///
    /// # Errors
    /// What cannot be read or written; what was written before stands.
    pub fn over(
        &self,
        reader: &mut Reader,
        mut sink: impl FnMut(F::Out, Position, &Summary) -> io::Result<()>,
        watch: &mut dyn Watch,
    ) -> io::Result<Times> {
        let make = |games: Vec<Found>| {
            let out = self.form.make(&games);
            let mut summary = Summary::default();
            for found in &games {
                summary.enter(found);
            }
            let rejected = games.into_iter().filter_map(|found| found.rows.err());
            (out, summary, rejected.collect::<Vec<_>>())
        };
        let sink = |((out, summary, rejections), at, passed): OfBatch<(_, Summary, Vec<_>)>| {
            sink(out?, at, &summary)?;
            for rejection in &rejections {
                watch.rejected(rejection);
            }
            for (file, fault) in &passed {
                watch.passed(file, fault);
            }
            watch.games(summary.games);
            Ok(())
        };
        let look = |record: &Record, scratch: &mut Scratch| self.judge.game(record, scratch);
        let times = drive(reader, self.threads, look, make, sink)?;
        let (asked, judged) = self.judge.lookups();
        Ok(Times {
            asked,
            judged,
            ..times
        })
    }
}

/// An output that can be brought to a state a checkpoint speaks of.
pub trait Keep {
    /// What is written to it.
    type Out;

    /// Writes what a batch came to.
    fn take(&mut self, out: Self::Out) -> io::Result<()>;

    /// Sees that everything taken is on the disk, and tells how far the output has come.
    fn settle(&mut self) -> io::Result<u64>;
}

/// Lines in a file.
#[derive(Debug)]
pub struct Lines {
    file: File,
    buffer: Vec<u8>,
    length: u64,
}

impl Lines {
    /// A file cut to where a checkpoint stood.
    ///
    /// # Errors
    /// It cannot be opened, or is shorter than it was.
    pub fn open(path: &Path, checkpoint: &Checkpoint) -> io::Result<Self> {
        Ok(Self {
            file: checkpoint.open_output(path)?,
            buffer: Vec::new(),
            length: checkpoint.output,
        })
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

impl Keep for Lines {
    type Out = Vec<u8>;

    fn take(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.buffer.extend_from_slice(&bytes);
        if self.buffer.len() > 1 << 20 {
            self.write()?;
        }
        Ok(())
    }

    fn settle(&mut self) -> io::Result<u64> {
        self.write()?;
        self.file.sync_data()?;
        Ok(self.length)
    }
}

/// An output, and the checkpoint that tells how far it has come.
#[derive(Debug)]
pub struct Resumable<K> {
    path: PathBuf,
    every: u64,
    since: u64,
    checkpoint: Checkpoint,
    output: K,
}

impl<K: Keep> Resumable<K> {
    /// Goes on where a checkpoint stood, which from now on is kept in a file; a new one is saved
    /// after so many games.
    pub fn new(path: &Path, every: u64, checkpoint: Checkpoint, output: K) -> io::Result<Self> {
        checkpoint.save(path)?;
        Ok(Self {
            path: path.to_owned(),
            every,
            since: 0,
            checkpoint,
            output,
        })
    }

    /// Takes what a batch came to.
    pub fn take(&mut self, out: K::Out, at: Position, more: &Summary) -> io::Result<()> {
        self.output.take(out)?;
        self.checkpoint.input = at;
        self.checkpoint.summary.add(more);
        self.since += more.games;
        if self.since >= self.every {
            self.save()?;
        }
        Ok(())
    }

    /// The output is on the disk before the checkpoint speaks of it.
    fn save(&mut self) -> io::Result<()> {
        self.since = 0;
        self.checkpoint.output = self.output.settle()?;
        self.checkpoint.save(&self.path)
    }

    /// Everything has been taken.
    pub fn finish(mut self) -> io::Result<Summary> {
        self.checkpoint.done = true;
        self.save()?;
        Ok(self.checkpoint.summary)
    }
}
