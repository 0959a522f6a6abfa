//! Archives read in batches: PGN or requests one a line, plain or compressed.

use crate::notation::pgn::{PgnError, PgnFault, PgnReader, RawGame};
use crate::wire::RequestError;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A batch is closed when it has so many games,
const MOST_GAMES: usize = 256;
/// or so many bytes.
const MOST_BYTES: usize = 1 << 18;
/// A line with more bytes is no request.
const LONGEST_LINE: usize = 1 << 20;

/// One game of an archive, not yet read through.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A game record.
    Pgn(RawGame),
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
    /// Its number in the file, from 1: of lines the line, of records the record.
    pub number: u64,
    /// The line it starts on, from 1; 0 where there are no lines.
    pub line: u64,
    /// The game.
    pub entry: Entry,
}

/// Games that stand one after the other in a file.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The file as it was named.
    pub file: Arc<str>,
    /// Its place among the files.
    pub file_index: usize,
    /// The games.
    pub records: Vec<Record>,
    /// How many records, or lines, of the file have been read with this batch.
    pub end: u64,
}

/// How far the reader is, in files and the records of the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// The place of the file among those given.
    pub file: usize,
    /// Records of it, or lines, that are done with.
    pub records: u64,
}

/// A stream whose bytes are counted as they are read.
struct Counted<R> {
    inner: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

type Stream = Box<dyn BufRead + Send>;

enum Open {
    Pgn(Box<PgnReader<Stream>>),
    Lines {
        input: Stream,
        line: u64,
    },
    #[cfg(feature = "parquet")]
    Rows(super::parquet::Rows),
}

/// Reads archives one after the other.
pub struct Reader {
    files: Vec<PathBuf>,
    at: Position,
    open: Option<(Arc<str>, Open)>,
    bytes: Arc<AtomicU64>,
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
    /// One that begins with what stands behind `from`. A file `-` is standard input.
    pub fn new(files: Vec<PathBuf>, from: Position) -> Self {
        Self {
            files,
            at: from,
            open: None,
            bytes: Arc::new(AtomicU64::new(0)),
        }
    }

    /// The bytes read of all files together, as they are on the disk.
    pub fn bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    /// The next games, all of one file.
    ///
    /// # Errors
    /// A file that cannot be opened or read on.
    pub fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        loop {
            let Some(path) = self.files.get(self.at.file) else {
                return Ok(None);
            };
            let (name, open) = if let Some(open) = &mut self.open {
                open
            } else {
                let name: Arc<str> = path.display().to_string().into();
                let opened = open(path, self.at.records, &self.bytes)
                    .map_err(|error| failure(&name, 0, &error))?;
                self.open.insert((name, opened))
            };
            let after = self.at.records;
            let records = open
                .batch(&mut self.at.records)
                .map_err(|error| failure(name, after, &error))?;
            if records.is_empty() {
                self.open = None;
                self.at = Position {
                    file: self.at.file + 1,
                    records: 0,
                };
                continue;
            }
            return Ok(Some(Batch {
                file: Arc::clone(name),
                file_index: self.at.file,
                records,
                end: self.at.records,
            }));
        }
    }
}

impl Open {
    /// The records of the next batch; none at the end of the file.
    fn batch(&mut self, at: &mut u64) -> io::Result<Vec<Record>> {
        let mut records = Vec::new();
        let mut bytes = 0;
        while records.len() < MOST_GAMES && bytes < MOST_BYTES {
            let record = match self {
                Self::Pgn(reader) => next_game(reader)?,
                Self::Lines { input, line } => next_line(input, line)?,
                #[cfg(feature = "parquet")]
                Self::Rows(rows) => rows.next_record()?,
            };
            let Some(record) = record else { break };
            bytes += record.entry.size();
            *at = record.number;
            records.push(record);
        }
        Ok(records)
    }
}

impl Entry {
    fn size(&self) -> usize {
        match self {
            Self::Pgn(game) => game.text().len(),
            Self::Line(text) => text.len(),
            #[cfg(feature = "parquet")]
            Self::Row(row) => row.size(),
            Self::Bad(_) => 64,
        }
    }
}

/// Opens a file behind so many records.
fn open(path: &std::path::Path, skip: u64, bytes: &Arc<AtomicU64>) -> io::Result<Open> {
    let counted = |inner| Counted {
        inner,
        bytes: Arc::clone(bytes),
    };
    let raw: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(counted(Box::new(io::stdin()) as Box<dyn Read + Send>))
    } else {
        let mut file = File::open(path)?;
        let mut magic = [0u8; 4];
        if file.metadata()?.is_file() && file.read_exact(&mut magic).is_ok() && &magic == b"PAR1" {
            return open_rows(file, skip, bytes);
        }
        // Not rewound: what is no plain file cannot be.
        drop(file);
        Box::new(counted(Box::new(File::open(path)?) as Box<dyn Read + Send>))
    };
    let mut raw = BufReader::with_capacity(1 << 16, raw);
    let start = raw.fill_buf()?;
    let mut input: Stream = if start.starts_with(&[0x1F, 0x8B]) {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(raw)))
    } else if start.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
        let decoder = zstd::Decoder::with_buffer(raw)?;
        Box::new(BufReader::with_capacity(1 << 16, decoder))
    } else {
        Box::new(raw)
    };
    let start = input.fill_buf()?;
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    let first = start.iter().copied().find(|b| !b.is_ascii_whitespace());
    if first.is_none_or(|byte| byte == b'{') {
        let mut line = 0;
        while line < skip && input.skip_until(b'\n')? > 0 {
            line += 1;
        }
        return Ok(Open::Lines { input, line });
    }
    let mut reader = PgnReader::new(input);
    let mut game = RawGame::new();
    for _ in 0..skip {
        // Only where it ends matters, not what is wrong with it.
        if let Ok(false) = reader.read_raw(&mut game) {
            break;
        }
    }
    Ok(Open::Pgn(Box::new(reader)))
}

#[cfg(feature = "parquet")]
fn open_rows(file: File, skip: u64, bytes: &Arc<AtomicU64>) -> io::Result<Open> {
    super::parquet::Rows::open(file, skip, Arc::clone(bytes)).map(Open::Rows)
}

#[cfg(not(feature = "parquet"))]
fn open_rows(_: File, _: u64, _: &Arc<AtomicU64>) -> io::Result<Open> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this is a Parquet file, and qili was built without its feature `parquet`",
    ))
}

fn next_game(reader: &mut PgnReader<Stream>) -> io::Result<Option<Record>> {
    let mut game = RawGame::new();
    match reader.read_raw(&mut game) {
        Ok(true) => Ok(Some(Record {
            number: game.number(),
            line: game.line(),
            entry: Entry::Pgn(game),
        })),
        Ok(false) => Ok(None),
        Err(PgnError {
            fault: PgnFault::Io(error),
            ..
        }) => Err(io::Error::other(error)),
        Err(error) => Ok(Some(Record {
            number: error.game,
            line: error.location.line,
            entry: Entry::Bad(of_pgn(&error)),
        })),
    }
}

/// What is wrong with a game record, as it is told of a request.
pub(super) fn of_pgn(error: &PgnError) -> RequestError {
    let mut told = RequestError::at(error.code(), None, error.to_string(), error.zh());
    told.index = error.index;
    told
}

/// The next line that is not blank.
fn next_line(input: &mut Stream, number: &mut u64) -> io::Result<Option<Record>> {
    loop {
        let mut line = Vec::with_capacity(1024);
        let most = LONGEST_LINE as u64;
        if (&mut *input).take(most).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        *number += 1;
        let entry = if line.len() == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            let en = format!("the line has more than {LONGEST_LINE} bytes");
            let zh = format!("此行超过{LONGEST_LINE}字节");
            Entry::Bad(RequestError::at("line_too_long", None, en, zh))
        } else {
            let text = String::from_utf8(line)
                .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned());
            if text.trim_start_matches('\u{feff}').trim().is_empty() {
                continue;
            }
            Entry::Line(text)
        };
        return Ok(Some(Record {
            number: *number,
            line: *number,
            entry,
        }));
    }
}
