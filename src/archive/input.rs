//! Archives read in batches: game records of every form, or requests one a line.

use super::files::{Files, Source, Stream};
use crate::language::both;
use crate::record::{Fault, FaultKind, Form, RawRecord, Reader as Records};
use crate::wire::RequestError;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A batch is closed when it has so many games,
const MOST_GAMES: usize = 256;
/// or so many bytes,
const MOST_BYTES: usize = 1 << 18;
/// or so many files were opened for it.
const MOST_FILES: usize = 256;
/// A line with more bytes is no request.
const LONGEST_LINE: usize = 1 << 20;

/// One game of an archive, not yet read through.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A game record.
    Game(RawRecord),
    /// A request.
    Line(String),
    /// A row of columns.
    #[cfg(feature = "parquet")]
    Row(super::parquet::GameRow),
    /// What could not even be told apart.
    Bad(RequestError),
}

/// A game and where it stands.
#[derive(Clone, Debug)]
pub struct Record {
    /// The file as it was named.
    pub file: Arc<str>,
    /// Its number in the file, from 1: of lines the line, of records the record.
    pub number: u64,
    /// The line it starts on, from 1; 0 where there are no lines.
    pub line: u64,
    /// Whether the file was found in a folder or a ZIP archive: it may be anything then.
    pub found: bool,
    /// The game.
    pub entry: Entry,
}

/// Games that stand one after the other in an archive.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The games.
    pub records: Vec<Record>,
    /// How far the reader is with this batch.
    pub end: Position,
    /// Files that turned out to be no records, and were not named themselves.
    pub passed: Vec<(Arc<str>, Fault)>,
}

/// How far the reader is, in files and the records of the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// The place of the file among all files, those in folders and ZIP archives counted.
    pub file: usize,
    /// Records of it, or lines, that are done with.
    pub records: u64,
}

enum Open {
    Games(Box<Records<Stream>>),
    Lines {
        input: Stream,
        line: u64,
    },
    #[cfg(feature = "parquet")]
    Rows(super::parquet::Rows),
}

/// Reads archives one after the other.
pub struct Reader {
    files: Files,
    /// Files of the archive still to be passed over.
    skip: usize,
    at: Position,
    open: Option<(Source, Open)>,
    bytes: Arc<AtomicU64>,
    /// Why it goes no further than what was handed on last.
    failed: Option<io::Error>,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("files", &self.files)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// A failure of a file, told with its name and where in it.
fn failure(file: &str, after: u64, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("`{file}` cannot be read on after {after} games or lines: {error}"),
    )
}

impl Reader {
    /// One that begins with what stands behind `from`. A file `-` is standard input; folders are
    /// gone through, and ZIP archives.
    pub fn new(files: &[PathBuf], from: Position) -> Self {
        Self {
            files: Files::new(files),
            skip: from.file,
            at: from,
            open: None,
            failed: None,
            bytes: Arc::new(AtomicU64::new(0)),
        }
    }

    /// Takes the files as if they had been found in a folder: what is no record is passed over.
    #[must_use]
    pub fn found(mut self) -> Self {
        self.files = self.files.found();
        self
    }

    /// The bytes read of all files together, as they are on the disk.
    pub fn bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    /// The next games. A batch without games ends nothing.
    ///
    /// # Errors
    /// A file that cannot be opened or read on.
    pub fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut batch = Batch {
            records: Vec::new(),
            end: self.at,
            passed: Vec::new(),
        };
        let more = match self.fill(&mut batch) {
            // What comes before a break is handed on first.
            Err(error) if !batch.records.is_empty() => {
                self.failed = Some(error);
                true
            }
            more => more?,
        };
        batch.end = self.at;
        let none = batch.records.is_empty() && batch.passed.is_empty();
        Ok((more || !none).then_some(batch))
    }

    /// Reads into a batch what there is room for; whether there may be more.
    fn fill(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let mut bytes = 0;
        for _ in 0..MOST_FILES {
            if self.open.is_none() && !self.open_next()? {
                return Ok(false);
            }
            let Some((source, open)) = &mut self.open else {
                break;
            };
            while batch.records.len() < MOST_GAMES && bytes < MOST_BYTES {
                let next = open.next(&source.name);
                match next.map_err(|error| failure(&source.name, self.at.records, &error))? {
                    Next::Record(mut record) => {
                        record.found = !source.named;
                        bytes += record.entry.size();
                        self.at.records = record.number;
                        batch.records.push(record);
                    }
                    Next::NoRecord(fault) if !source.named => {
                        batch.passed.push((Arc::clone(&source.name), fault));
                    }
                    Next::NoRecord(fault) => {
                        self.at.records += 1;
                        batch.records.push(Record {
                            file: Arc::clone(&source.name),
                            number: self.at.records,
                            line: 0,
                            found: false,
                            entry: Entry::Bad(of_fault(&fault)),
                        });
                    }
                    Next::End => {
                        self.open = None;
                        self.at = Position {
                            file: self.at.file + 1,
                            records: 0,
                        };
                        break;
                    }
                }
            }
            if batch.records.len() >= MOST_GAMES || bytes >= MOST_BYTES {
                break;
            }
        }
        Ok(true)
    }

    /// Opens the next file. False where there is none.
    fn open_next(&mut self) -> io::Result<bool> {
        while self.skip > 0 {
            match self.files.next() {
                None => return Ok(false),
                Some(source) => drop(source?),
            }
            self.skip -= 1;
        }
        let Some(source) = self.files.next() else {
            return Ok(false);
        };
        let source = source?;
        let opened = open(&source, self.at.records, &self.bytes)
            .map_err(|error| failure(&source.name, 0, &error))?;
        self.open = Some((source, opened));
        Ok(true)
    }
}

/// What a file gives next.
enum Next {
    Record(Record),
    /// The file is no record at all.
    NoRecord(Fault),
    End,
}

impl Open {
    fn next(&mut self, file: &Arc<str>) -> io::Result<Next> {
        let record = match self {
            Self::Games(reader) => return next_game(reader, file),
            Self::Lines { input, line } => next_line(input, line, file)?,
            #[cfg(feature = "parquet")]
            Self::Rows(rows) => rows.next_record(file)?,
        };
        Ok(record.map_or(Next::End, Next::Record))
    }
}

impl Entry {
    fn size(&self) -> usize {
        match self {
            Self::Game(game) => game.size(),
            Self::Line(text) => text.len(),
            #[cfg(feature = "parquet")]
            Self::Row(row) => row.size(),
            Self::Bad(_) => 64,
        }
    }
}

/// Opens a file behind so many records.
fn open(source: &Source, skip: u64, bytes: &Arc<AtomicU64>) -> io::Result<Open> {
    let mut input = source.open(bytes)?;
    let start = input.fill_buf()?;
    if start.starts_with(b"PAR1")
        && let Some(file) = source.parquet()?
    {
        // Its rows are counted as they are read.
        bytes.fetch_sub(start.len() as u64, Ordering::Relaxed);
        return open_rows(file, skip, bytes);
    }
    if asks(start) {
        let mut line = 0;
        while line < skip && input.skip_until(b'\n')? > 0 {
            line += 1;
        }
        return Ok(Open::Lines { input, line });
    }
    let mut reader = Records::new(input);
    let mut game = RawRecord::new();
    for _ in 0..skip {
        // Only where it ends matters, not what is wrong with it.
        if let Ok(false) = reader.read_raw(&mut game) {
            break;
        }
    }
    Ok(Open::Games(Box::new(reader)))
}

/// Whether a file that begins like this holds requests, or nothing.
pub fn asks(start: &[u8]) -> bool {
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    match start.trim_ascii_start() {
        [] => true,
        [b'{', rest @ ..] => {
            matches!(rest.trim_ascii_start(), [b'"' | b'}', ..] | [])
                && Form::of(start) != Ok(Form::Rows)
        }
        _ => false,
    }
}

#[cfg(feature = "parquet")]
fn open_rows(file: std::fs::File, skip: u64, bytes: &Arc<AtomicU64>) -> io::Result<Open> {
    super::parquet::Rows::open(file, skip, Arc::clone(bytes)).map(Open::Rows)
}

#[cfg(not(feature = "parquet"))]
fn open_rows(_: std::fs::File, _: u64, _: &Arc<AtomicU64>) -> io::Result<Open> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this is a Parquet file, and qili was built without its feature `parquet`",
    ))
}

fn next_game(reader: &mut Records<Stream>, file: &Arc<str>) -> io::Result<Next> {
    let mut game = RawRecord::new();
    match reader.read_raw(&mut game) {
        Ok(true) => Ok(Next::Record(Record {
            file: Arc::clone(file),
            number: game.number(),
            line: game.line(),
            found: false,
            entry: Entry::Game(game),
        })),
        Ok(false) => Ok(Next::End),
        Err(Fault {
            kind: FaultKind::Io(error),
            ..
        }) => Err(io::Error::other(error)),
        Err(fault) if matches!(fault.kind, FaultKind::NoRecord(_)) => Ok(Next::NoRecord(fault)),
        Err(fault) => Ok(Next::Record(Record {
            file: Arc::clone(file),
            number: fault.game,
            line: fault.line().unwrap_or(0),
            found: false,
            entry: Entry::Bad(of_fault(&fault)),
        })),
    }
}

/// What is wrong with a game record, as it is told of a request.
pub(super) fn of_fault(fault: &Fault) -> RequestError {
    let mut told = RequestError::at(fault.code(), None, fault.text());
    told.index = fault.index;
    told
}

/// The next line that is not blank.
fn next_line(input: &mut Stream, number: &mut u64, file: &Arc<str>) -> io::Result<Option<Record>> {
    loop {
        let mut line = Vec::with_capacity(1024);
        let most = LONGEST_LINE as u64;
        if (&mut *input).take(most).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        *number += 1;
        let entry = if line.len() == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            Entry::Bad(RequestError::at(
                "line_too_long",
                None,
                both!(
                    "the line has more than {LONGEST_LINE} bytes",
                    "此行超过{LONGEST_LINE}字节"
                ),
            ))
        } else {
            let text = String::from_utf8(line)
                .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned());
            if text.trim_start_matches('\u{feff}').trim().is_empty() {
                continue;
            }
            Entry::Line(text)
        };
        return Ok(Some(Record {
            file: Arc::clone(file),
            number: *number,
            line: *number,
            found: false,
            entry,
        }));
    }
}
