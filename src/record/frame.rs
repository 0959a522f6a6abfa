//! Where one game of a text ends and the next starts.

use super::encoding::{gb18030_game, gb18030_mended};
use super::fault::{Fault, FaultKind, Place};
use super::raw::RawRecord;
use super::{Encoding, LONGEST_TEXT};
use crate::notation::Location;
use memchr::memchr;
use std::io::{self, BufRead};

/// Cuts a text into games.
#[derive(Debug, Default)]
pub(super) struct Frames {
    encoding: Encoding,
    /// What the games so far turned out to be, where that is to be found out.
    proven: Option<Encoding>,
    lines: u64,
    games: u64,
    /// The line that starts the next game, already taken from the input.
    ahead: Vec<u8>,
    line: Vec<u8>,
    bytes: Vec<u8>,
    ended: bool,
}

impl Frames {
    pub(super) fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            ..Self::default()
        }
    }

    /// Reads the next game's text without looking at it. False at the end of the file.
    pub(super) fn next(
        &mut self,
        input: &mut dyn BufRead,
        game: &mut RawRecord,
    ) -> Result<bool, Fault> {
        self.bytes.clear();
        let mut frame = Frame::default();
        let mut too_long = false;
        game.text.clear();
        while !self.ended {
            if let Err(error) = self.next_line(input) {
                self.games += 1;
                let line = self.lines + 1;
                return Err(self.error(line, FaultKind::Io(error.to_string())));
            }
            if self.line.is_empty() {
                self.ended = true;
                break;
            }
            if frame.takes(&self.line, self.encoding) {
                if frame.is_empty() {
                    self.lines += u64::from(ends_line(&self.line));
                    continue;
                }
                if self.bytes.is_empty() && !too_long {
                    game.line = self.lines + 1;
                }
                self.lines += u64::from(ends_line(&self.line));
                too_long |= self.bytes.len() + self.line.len() > LONGEST_TEXT;
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
            return Err(self.error(game.line, FaultKind::TooLong(LONGEST_TEXT)));
        }
        if self.decode(&mut game.text) {
            Ok(true)
        } else {
            Err(self.error(game.line, FaultKind::Encoding(self.encoding)))
        }
    }

    /// Takes the next line, or as much of it as a game may have.
    fn next_line(&mut self, input: &mut dyn BufRead) -> io::Result<()> {
        self.line.clear();
        if !self.ahead.is_empty() {
            std::mem::swap(&mut self.line, &mut self.ahead);
            return Ok(());
        }
        // What `take` and `read_until` do, in half the instructions: games in words are read line by line.
        while self.line.len() <= LONGEST_TEXT {
            let bytes = match input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            let room = LONGEST_TEXT + 1 - self.line.len();
            let bytes = bytes.get(..room).unwrap_or(bytes);
            let newline = memchr(b'\n', bytes);
            let taken = newline.map_or(bytes.len(), |at| at + 1);
            self.line
                .extend_from_slice(bytes.get(..taken).unwrap_or_default());
            input.consume(taken);
            if newline.is_some() || taken == 0 {
                break;
            }
        }
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
        decode(&self.bytes, self.encoding, &mut self.proven, text)
    }

    fn error(&self, line: u64, kind: FaultKind) -> Fault {
        Fault::new(self.games, start_of(line), None, kind)
    }
}

/// The beginning of a line.
pub(super) const fn start_of(line: u64) -> Place {
    Place::Text(Location {
        byte: 0,
        line,
        column: 1,
    })
}

/// Turns bytes into text; `proven` is what earlier ones of the file turned out to be.
pub(super) fn decode(
    bytes: &[u8],
    encoding: Encoding,
    proven: &mut Option<Encoding>,
    text: &mut String,
) -> bool {
    let utf8 = if encoding == Encoding::Gb18030 {
        None
    } else {
        std::str::from_utf8(bytes).ok()
    };
    if let Some(utf8) = utf8 {
        // In a file of GB18030 a few characters may look like UTF-8, but not like Chinese.
        let chinese = || utf8.chars().any(|c| c >= '\u{800}');
        let doubtful = *proven == Some(Encoding::Gb18030)
            || encoding == Encoding::Auto && proven.is_none() && !within_words(utf8);
        if utf8.is_ascii() || chinese() || !doubtful {
            if proven.is_none() && !utf8.is_ascii() && chinese() {
                *proven = Some(Encoding::Utf8);
            }
            text.push_str(utf8);
            return true;
        }
    }
    if encoding == Encoding::Utf8 {
        return false;
    }
    match (gb18030_game(bytes), utf8) {
        (Some(decoded), _) => {
            proven.get_or_insert(Encoding::Gb18030);
            text.push_str(&decoded);
            true
        }
        (None, Some(utf8)) => {
            text.push_str(utf8);
            true
        }
        // What programs print below a game may be cut in the middle of a character.
        (None, None) => mostly(bytes, text),
    }
}

/// Whether letters stand beside letters that are no plain ones, as in `José`: two bytes of GB18030 may
/// look like one of those, but seldom stand within words, and some (士, 胜) look like letters no name is written with.
fn within_words(text: &str) -> bool {
    let marked = |c: char| ('\u{c0}'..'\u{250}').contains(&c);
    let mut before = ' ';
    text.chars().any(|c| {
        let pair = (before.is_ascii_alphabetic(), c.is_ascii_alphabetic());
        let found = marked(before) && pair.1 || pair.0 && marked(c);
        before = c;
        found
    })
}

/// A text of GB18030 with a few bytes in it that are none.
fn mostly(bytes: &[u8], text: &mut String) -> bool {
    let decoded = gb18030_mended(bytes);
    let bad = decoded.chars().filter(|&c| c == '\u{FFFD}').count();
    let few = bad * 200 <= decoded.chars().count() && bytes.len() > 400;
    if few {
        text.push_str(&decoded);
    }
    few
}

/// How far into a game the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Nothing,
    Tags,
    Moves,
    /// Behind a line that ends with a result.
    Ended,
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
    /// The name of the first header, where the game has headers for tags.
    first_header: Vec<u8>,
}

impl Frame {
    fn is_empty(&self) -> bool {
        self.part == Part::Nothing
    }

    /// Whether the line belongs to this game still.
    fn takes(&mut self, line: &[u8], encoding: Encoding) -> bool {
        let within = std::mem::replace(&mut self.within, !ends_line(line));
        let trimmed = line.trim_ascii();
        let blank = std::mem::replace(&mut self.blank, trimmed.is_empty());
        if trimmed.is_empty() || within || line.first() == Some(&b'%') {
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
                    Part::Moves | Part::Ended => true,
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
                if !self.comment && self.starts_sheet(trimmed) {
                    return false;
                }
                self.comment = open_comment(line, self.comment, encoding);
                self.part = if !self.comment && ends_with_result(trimmed) {
                    Part::Ended
                } else {
                    Part::Moves
                };
                true
            }
        }
    }
}

impl Frame {
    /// Whether a line without tags starts another game: with the header this one started with, or
    /// with the first move behind a result.
    fn starts_sheet(&mut self, line: &[u8]) -> bool {
        let numbered =
            matches!(line, [b'1', behind, ..] if !matches!(behind, b'0'..=b'9' | b'-' | b'/'));
        if self.part == Part::Ended && self.first_tag.is_empty() && numbered {
            return true;
        }
        // Headers tell where a game starts, not what is in it.
        if matches!(self.part, Part::Tags | Part::Moves) {
            return false;
        }
        let Some(name) = header_name(line) else {
            return false;
        };
        if self.is_empty() {
            self.first_header = name.to_vec();
            return false;
        }
        self.part == Part::Ended && name == self.first_header
    }
}

/// What stands before the colon of a header, in whichever encoding.
fn header_name(line: &[u8]) -> Option<&[u8]> {
    const COLONS: [&[u8]; 3] = [b":", b"\xEF\xBC\x9A", b"\xA3\xBA"];
    let at = |colon: &&[u8]| {
        line.windows(colon.len())
            .position(|window| window == *colon)
    };
    let end = COLONS.iter().filter_map(at).min()?;
    line.get(..end)
        .filter(|name| (2..=24).contains(&name.len()))
}

/// Whether the last word of a line is a result.
fn ends_with_result(line: &[u8]) -> bool {
    const WORDS: [&[u8]; 12] = [
        b"1-0",
        b"0-1",
        b"1/2-1/2",
        b"*",
        // 红胜 黑胜 和棋 和局 in UTF-8 and GB18030.
        b"\xE7\xBA\xA2\xE8\x83\x9C",
        b"\xE9\xBB\x91\xE8\x83\x9C",
        b"\xE5\x92\x8C\xE6\xA3\x8B",
        b"\xE5\x92\x8C\xE5\xB1\x80",
        b"\xBA\xEC\xCA\xA4",
        b"\xBA\xDA\xCA\xA4",
        b"\xBA\xCD\xC6\xE5",
        b"\xBA\xCD\xBE\xD6",
    ];
    WORDS.iter().any(|word| {
        // Hardly a line ends so, and the last byte tells most.
        let likely = Some(line).filter(|line| line.last() == word.last());
        let before = likely.and_then(|line| line.strip_suffix(*word));
        before.is_some_and(|before| before.last().is_none_or(u8::is_ascii_whitespace))
    })
}

/// The name of the tag a line starts with.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let [b'[', inner @ ..] = line else {
        return None;
    };
    let inner = inner.trim_ascii_start();
    let quote = inner
        .iter()
        .position(|&byte| byte == b'"' || byte == b']' || byte >= 0x80 || byte == b' ');
    match inner.get(..quote?)? {
        // A Chinese name, with its value behind it: a remark in brackets has none.
        [] => {
            let end = inner
                .iter()
                .position(|&byte| byte == b' ' || byte == b'"')?;
            let (name, value) = inner.split_at_checked(end)?;
            value.trim_ascii_start().starts_with(b"\"").then_some(name)
        }
        name => name
            .first()
            .is_some_and(u8::is_ascii_alphabetic)
            .then_some(name),
    }
}

fn ends_line(line: &[u8]) -> bool {
    line.last() == Some(&b'\n')
}

/// Whether a comment is open at the end of the line.
fn open_comment(line: &[u8], mut open: bool, encoding: Encoding) -> bool {
    if !open && memchr(b'{', line).is_none() {
        return false;
    }
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
