//! Games one by one, whatever they are written in.

use super::bridge::{Library, OldLibrary};
use super::encoding::Utf16;
use super::fault::{Fault, FaultKind, Place};
use super::form::{Form, Looks};
use super::frame::Frames;
use super::lines::Lines;
use super::raw::RawRecord;
use super::record::Record;
use super::row::Rows;
use super::{Encoding, LARGEST_FILE, dhtmlxq};
use std::io::{self, BufRead, Chain, Cursor, Read};

/// As much of a file is looked at to tell what it is.
const HEAD: usize = 1 << 16;
/// What most files of one game do not fill.
const HEAD_ROOM: usize = 1 << 12;

/// Reads a file of games one by one. What the file is, is told by its content.
///
/// As an iterator it gives each game, as far as it can be read, or what keeps it from being one;
/// the games behind a bad one are read all the same. After a failure of the file itself it ends.
pub struct Reader<R> {
    /// The file, until it is opened.
    file: Option<R>,
    open: Option<(Form, Input<R>, Source)>,
    encoding: Encoding,
    raw: RawRecord,
}

type Input<R> = Chain<Cursor<Vec<u8>>, Utf8<R>>;

/// How games are cut out of a file.
enum Source {
    Frames(Frames),
    Lines(Lines),
    Dhtmlxq(dhtmlxq::Blocks),
    Library(Library),
    Old(Box<OldLibrary>),
    Rows(Rows),
    /// The file is one game.
    One,
    /// Nothing is left.
    Ended,
}

impl<R> std::fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("form", &self.open.as_ref().map(|(form, ..)| form))
            .finish_non_exhaustive()
    }
}

impl<R: BufRead> Reader<R> {
    /// Finds out the encoding of texts by itself.
    pub const fn new(file: R) -> Self {
        Self::with_encoding(file, Encoding::Auto)
    }

    /// Takes the encoding of texts as told.
    pub const fn with_encoding(file: R, encoding: Encoding) -> Self {
        Self {
            file: Some(file),
            open: None,
            encoding,
            raw: RawRecord::new(),
        }
    }

    /// What the file is.
    ///
    /// # Errors
    /// It is nothing that is read, or cannot be read.
    pub fn form(&mut self) -> Result<Form, Fault> {
        if let Some((form, ..)) = &self.open {
            return Ok(*form);
        }
        let Some(mut file) = self.file.take() else {
            return Err(nothing(FaultKind::NoRecord(Looks::Empty)));
        };
        let mut head = Vec::with_capacity(HEAD_ROOM);
        let read = read_head(&mut file, &mut head);
        let mut rest = Utf8::plain(file);
        match read {
            // What was read before is a beginning all the same.
            Err(error) if !head.is_empty() => rest.failed = Some(error),
            Err(error) => return Err(nothing(FaultKind::Io(error.to_string()))),
            Ok(()) => {}
        }
        if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = *head {
            rest.turn(&mut head);
        }
        let form = Form::of(&head).map_err(|looks| nothing(FaultKind::NoRecord(looks)))?;
        let source = match form {
            Form::Sheet => Source::Frames(Frames::new(self.encoding)),
            Form::Lines => Source::Lines(Lines::new(false, self.encoding)),
            Form::Links => Source::Lines(Lines::new(true, self.encoding)),
            Form::Dhtmlxq => Source::Dhtmlxq(dhtmlxq::Blocks::new(self.encoding)),
            Form::Rows => Source::Rows(Rows::default()),
            Form::Cbl => Source::Library(Library::default()),
            Form::OldBridge => Source::Old(Box::default()),
            Form::Xqf | Form::Cbr | Form::Cbf => Source::One,
        };
        let input = Cursor::new(head).chain(rest);
        self.open = Some((form, input, source));
        Ok(form)
    }

    /// Reads the next game without looking into it. False at the end of the file.
    ///
    /// # Errors
    /// A game that cannot be told apart, after which the next can be read, or a failure of the
    /// file, after which there is none.
    pub fn read_raw(&mut self, raw: &mut RawRecord) -> Result<bool, Fault> {
        if self.open.is_none() && self.file.is_none() {
            return Ok(false);
        }
        match self.form() {
            Err(fault) if fault.kind == FaultKind::NoRecord(Looks::Empty) => return Ok(false),
            Err(fault) => return Err(fault),
            Ok(_) => {}
        }
        let Some((form, input, source)) = &mut self.open else {
            return Ok(false);
        };
        raw.form = *form;
        raw.deleted = false;
        raw.at = 0;
        raw.bytes.clear();
        raw.text.clear();
        let read = match source {
            Source::Frames(frames) => frames.next(input, raw),
            Source::Lines(lines) => lines.next(input, raw),
            Source::Dhtmlxq(blocks) => blocks.next(input, raw),
            Source::Rows(rows) => rows.next(input, raw),
            Source::Library(library) => library.next(input, raw),
            Source::Old(library) => library.next(input, raw),
            Source::One => {
                *source = Source::Ended;
                raw.number = 1;
                raw.line = 0;
                let most = LARGEST_FILE as u64 + 1;
                // Most files are small, and room made step by step costs more than reading them.
                raw.bytes.reserve(HEAD_ROOM);
                let read = input.take(most).read_to_end(&mut raw.bytes);
                read.map_err(|error| raw.at_byte(0, FaultKind::Io(error.to_string())))?;
                if raw.bytes.len() > LARGEST_FILE {
                    return Err(raw.at_byte(0, FaultKind::TooLong(LARGEST_FILE)));
                }
                Ok(true)
            }
            Source::Ended => Ok(false),
        };
        // After a failure of the file itself there is no more to come.
        if matches!(&read, Err(fault) if matches!(fault.kind, FaultKind::Io(_))) {
            *source = Source::Ended;
        }
        read
    }
}

/// Takes the beginning of a file, as it lies in its buffer.
fn read_head(file: &mut impl BufRead, head: &mut Vec<u8>) -> io::Result<()> {
    while head.len() < HEAD {
        let bytes = match file.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let taken = bytes.len().min(HEAD - head.len());
        if taken == 0 {
            break;
        }
        head.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        file.consume(taken);
    }
    Ok(())
}

/// A fault of a file without games.
const fn nothing(kind: FaultKind) -> Fault {
    Fault::new(1, Place::Byte(0), None, kind)
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut raw = std::mem::take(&mut self.raw);
        let game = match self.read_raw(&mut raw) {
            Ok(true) => Some(raw.parse()),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        };
        self.raw = raw;
        game
    }
}

/// What stands behind the head of a file, turned into UTF-8 where it is UTF-16.
struct Utf8<R> {
    file: R,
    /// The failure that cut the head short.
    failed: Option<io::Error>,
    decoder: Option<Utf16>,
    /// Turned, and not yet taken from `at` on.
    ready: Vec<u8>,
    at: usize,
}

impl<R: BufRead> Utf8<R> {
    const fn plain(file: R) -> Self {
        Self {
            file,
            failed: None,
            decoder: None,
            ready: Vec::new(),
            at: 0,
        }
    }

    /// Turns the head, and from now on all that follows.
    fn turn(&mut self, head: &mut Vec<u8>) {
        let mut decoder = Utf16::new(head.starts_with(b"\xFE\xFF"));
        let mut text = Vec::new();
        decoder.turn(head.get(2..).unwrap_or_default(), &mut text, false);
        *head = text;
        self.decoder = Some(decoder);
    }
}

impl<R: BufRead> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        while self.at == self.ready.len() {
            let Some(decoder) = &mut self.decoder else {
                return self.file.fill_buf();
            };
            let bytes = self.file.fill_buf()?;
            let (length, last) = (bytes.len(), bytes.is_empty());
            self.ready.clear();
            self.at = 0;
            decoder.turn(bytes, &mut self.ready, last);
            self.file.consume(length);
            if last {
                self.decoder = None;
            }
        }
        Ok(self.ready.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        if self.at < self.ready.len() {
            self.at += amount;
        } else {
            self.file.consume(amount);
        }
    }
}

impl<R: BufRead> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}
