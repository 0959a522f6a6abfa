//! Where one game of a file ends and the next starts.

use super::super::scan::Location;
use super::raw::RawGame;
use super::record::Record;
use super::{Encoding, PgnError, PgnFault};
use std::io::{self, BufRead, Read};

/// A game with more bytes is refused, so that a broken file cannot fill the memory.
const LONGEST_GAME: usize = 1 << 20;

/// Reads a file of games one by one.
///
/// As an iterator it gives each game played through, or what is wrong with it; the games behind
/// a bad one are read all the same. After a failure of the file itself it ends.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    encoding: Encoding,
    /// What the games so far turned out to be, where that is to be found out.
    proven: Option<Encoding>,
    lines: u64,
    games: u64,
    /// The line that starts the next game, already taken from the input.
    ahead: Vec<u8>,
    line: Vec<u8>,
    bytes: Vec<u8>,
    raw: RawGame,
    ended: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Finds out the encoding by itself.
    pub const fn new(input: R) -> Self {
        Self::with_encoding(input, Encoding::Auto)
    }

    /// Takes the encoding as told.
    pub const fn with_encoding(input: R, encoding: Encoding) -> Self {
        Self {
            input,
            encoding,
            proven: None,
            lines: 0,
            games: 0,
            ahead: Vec::new(),
            line: Vec::new(),
            bytes: Vec::new(),
            raw: RawGame::new(),
            ended: false,
        }
    }

    /// Reads the next game's text without looking at its tags and moves. False at the end of the
    /// file.
    ///
    /// # Errors
    /// A game that is too long or no text, after which the next can be read, or a failure of the
    /// file, after which there is none.
    pub fn read_raw(&mut self, game: &mut RawGame) -> Result<bool, PgnError> {
        self.bytes.clear();
        let mut frame = Frame::default();
        let mut too_long = false;
        game.text.clear();
        while !self.ended {
            if let Err(error) = self.next_line() {
                self.ended = true;
                self.games += 1;
                let line = self.lines + 1;
                return Err(self.error(line, PgnFault::Io(error.to_string())));
            }
            if self.line.is_empty() {
                self.ended = true;
                break;
            }
            if frame.takes(&self.line, self.encoding) {
                if frame.is_empty() {
                    self.lines += u64::from(self.line.ends_with(b"\n"));
                    continue;
                }
                if self.bytes.is_empty() && !too_long {
                    game.line = self.lines + 1;
                }
                self.lines += u64::from(self.line.ends_with(b"\n"));
                too_long |= self.bytes.len() + self.line.len() > LONGEST_GAME;
                if too_long {
                    self.bytes.clear();
                } else {
                    self.bytes.extend_from_slice(&self.line);
                }
            } else {
                std::mem::swap(&mut self.line, &mut self.ahead);
                break;
            }
        }
        if frame.is_empty() {
            return Ok(false);
        }
        self.games += 1;
        game.number = self.games;
        if too_long {
            return Err(self.error(game.line, PgnFault::TooLong(LONGEST_GAME)));
        }
        if self.decode(&mut game.text) {
            Ok(true)
        } else {
            Err(self.error(game.line, PgnFault::Encoding(self.encoding)))
        }
    }

    /// Takes the next line, or as much of it as a game may have.
    fn next_line(&mut self) -> io::Result<()> {
        self.line.clear();
        if !self.ahead.is_empty() {
            std::mem::swap(&mut self.line, &mut self.ahead);
            return Ok(());
        }
        let most = LONGEST_GAME as u64 + 1;
        self.input
            .by_ref()
            .take(most)
            .read_until(b'\n', &mut self.line)?;
        if self.lines == 0 && self.line.starts_with(b"\xEF\xBB\xBF") {
            self.line.drain(..3);
            self.proven = Some(Encoding::Utf8);
            if self.line.is_empty() {
                self.line.push(b'\n');
            }
        }
        Ok(())
    }

    fn decode(&mut self, text: &mut String) -> bool {
        let utf8 = if self.encoding == Encoding::Gb18030 {
            None
        } else {
            std::str::from_utf8(&self.bytes).ok()
        };
        if let Some(utf8) = utf8 {
            // In a file of GB18030 a few characters may look like UTF-8, but not like Chinese.
            let chinese = || utf8.chars().any(|c| c >= '\u{800}');
            if self.proven != Some(Encoding::Gb18030) || utf8.is_ascii() || chinese() {
                if self.proven.is_none() && !utf8.is_ascii() && chinese() {
                    self.proven = Some(Encoding::Utf8);
                }
                text.push_str(utf8);
                return true;
            }
        }
        if self.encoding == Encoding::Utf8 {
            return false;
        }
        let decoded =
            encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(&self.bytes);
        match (decoded, utf8) {
            (Some(decoded), _) => {
                self.proven.get_or_insert(Encoding::Gb18030);
                text.push_str(&decoded);
                true
            }
            (None, Some(utf8)) => {
                text.push_str(utf8);
                true
            }
            (None, None) => false,
        }
    }

    fn error(&self, line: u64, fault: PgnFault) -> PgnError {
        let location = Location {
            byte: 0,
            line,
            column: 1,
        };
        PgnError {
            game: self.games,
            location,
            index: None,
            fault,
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<Record, PgnError>;

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

/// How far into a game the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Nothing,
    Tags,
    Moves,
}

/// What has been seen of a game while its end is looked for.
#[derive(Debug, Default)]
struct Frame {
    part: Part,
    first_tag: Vec<u8>,
    /// Within a comment.
    comment: bool,
    /// Behind a blank line.
    blank: bool,
    /// Within a line too long to be taken at once.
    within: bool,
}

impl Frame {
    fn is_empty(&self) -> bool {
        self.part == Part::Nothing
    }

    /// Whether the line belongs to this game still.
    fn takes(&mut self, line: &[u8], encoding: Encoding) -> bool {
        let within = std::mem::replace(&mut self.within, !line.ends_with(b"\n"));
        let trimmed = line.trim_ascii();
        let blank = std::mem::replace(&mut self.blank, trimmed.is_empty());
        if trimmed.is_empty() || within || line.starts_with(b"%") {
            return true;
        }
        match tag_name(trimmed) {
            // A comment may speak of tags; but where a game clearly starts, the comment was never
            // closed, and only the one game shall suffer for it.
            Some(b"Event") if self.comment && blank => false,
            Some(tag) if !self.comment => {
                let next = match self.part {
                    Part::Nothing => false,
                    // A game without moves.
                    Part::Tags => blank && tag == self.first_tag,
                    Part::Moves => true,
                };
                if next {
                    return false;
                }
                if self.is_empty() {
                    self.first_tag = tag.to_vec();
                }
                self.part = if trimmed.ends_with(b"]") {
                    Part::Tags
                } else {
                    Part::Moves
                };
                true
            }
            Some(_) | None => {
                self.part = Part::Moves;
                self.comment = open_comment(line, self.comment, encoding);
                true
            }
        }
    }
}

/// The name of the tag a line starts with.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let inner = line.strip_prefix(b"[")?.trim_ascii_start();
    let quote = inner
        .iter()
        .position(|&byte| byte == b'"' || byte == b']' || byte >= 0x80 || byte == b' ');
    match inner.get(..quote?)? {
        // A Chinese name.
        [] => inner.split(|&byte| byte == b' ' || byte == b'"').next(),
        name => name
            .first()
            .is_some_and(u8::is_ascii_alphabetic)
            .then_some(name),
    }
}

/// Whether a comment is open at the end of the line.
fn open_comment(line: &[u8], mut open: bool, encoding: Encoding) -> bool {
    let double = encoding != Encoding::Utf8
        && !line.is_ascii()
        && (encoding == Encoding::Gb18030 || std::str::from_utf8(line).is_err());
    let mut bytes = line.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'{' => open = true,
            b'}' => open = false,
            b';' if !open => return false,
            // The second byte of a GB18030 character may look like a brace.
            0x81.. if double => {
                bytes.next();
            }
            _ => {}
        }
    }
    open
}
