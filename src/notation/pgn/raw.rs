//! One game as it stands in the file, its tags and moves not yet looked at.

use super::super::fen;
use super::super::read::{read_move, shortened};
use super::super::scan::{Element, GameResult, Location, Scanner};
use super::super::symbol::is_blank;
use super::record::{Record, canonical};
use super::{PgnError, PgnFault};
use crate::board::Position;
use std::borrow::Cow;

/// A tag that goes on for more bytes is refused.
const LONGEST_TAG: usize = 1 << 13;

/// The text of one game. It can be read into again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    pub(super) number: u64,
    pub(super) line: u64,
    pub(super) text: String,
}

/// A tag as it stands in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// As written, in Chinese or English.
    pub name: &'a str,
    /// What it says.
    pub value: Cow<'a, str>,
    /// Where the value starts, in bytes of the game's text.
    at: usize,
}

impl Tag<'_> {
    /// The English name of a tag written in Chinese; else the name as written.
    pub fn english(&self) -> &str {
        canonical(self.name)
    }
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '＂')
}

/// Goes over the tags of a game.
struct Tags<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tags<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes to the next tag, over blanks and `%` lines. False where there is none.
    fn find(&mut self) -> bool {
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else {
                return false;
            };
            let line_start = self
                .text
                .get(..self.at)
                .is_none_or(|b| b.is_empty() || b.ends_with('\n'));
            if is_blank(c) {
                self.at += c.len_utf8();
            } else if c == '%' && line_start {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return c == '[';
            }
        }
    }

    /// The tag that starts here, if it can be read, and its end.
    fn read(&self) -> Option<(Tag<'a>, usize)> {
        let rest = self.rest();
        let line = rest
            .get(..rest.floor_char_boundary(LONGEST_TAG))
            .unwrap_or(rest)
            .split('\n')
            .next()?;
        let inner = line.strip_prefix('[')?.trim_start_matches(is_blank);
        let name = inner
            .split(|c| is_blank(c) || is_quote(c) || c == ']')
            .next()?;
        let behind = inner.strip_prefix(name)?.trim_start_matches(is_blank);
        let mut rest = behind.strip_prefix(is_quote)?.char_indices();
        if name.is_empty() {
            return None;
        }
        let value = behind.strip_prefix(is_quote)?;
        let start = self.at + (line.len() - value.len());
        let mut escaped = false;
        while let Some((offset, c)) = rest.next() {
            match c {
                '\\' => {
                    let next = rest.as_str().chars().next();
                    if matches!(next, Some('\\' | '"')) {
                        escaped = true;
                        rest.next();
                    }
                }
                _ if is_quote(c) => {
                    let rest = rest.as_str().trim_start_matches(is_blank);
                    if let Some(rest) = rest.strip_prefix(']') {
                        let value = value.get(..offset)?;
                        let value = if escaped {
                            unescaped(value)
                        } else {
                            Cow::Borrowed(value)
                        };
                        let end = self.at + (line.len() - rest.len());
                        return Some((
                            Tag {
                                name,
                                value,
                                at: start,
                            },
                            end,
                        ));
                    }
                }
                _ => {}
            }
        }
        None
    }
}

fn unescaped(value: &str) -> Cow<'static, str> {
    let mut plain = String::with_capacity(value.len());
    let mut rest = value.chars();
    while let Some(c) = rest.next() {
        let next = rest
            .as_str()
            .chars()
            .next()
            .filter(|c| matches!(c, '\\' | '"'));
        match next {
            Some(next) if c == '\\' => {
                plain.push(next);
                rest.next();
            }
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

impl<'a> Iterator for Tags<'a> {
    /// A tag, or where one stands that cannot be read.
    type Item = Result<Tag<'a>, usize>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.find() {
            return None;
        }
        if let Some((tag, end)) = self.read() {
            self.at = end;
            Some(Ok(tag))
        } else {
            let fault = self.at;
            let rest = self.rest();
            self.at += rest.find('\n').unwrap_or(rest.len());
            Some(Err(fault))
        }
    }
}

impl RawGame {
    /// An empty one, to be read into.
    pub const fn new() -> Self {
        Self {
            number: 0,
            line: 1,
            text: String::new(),
        }
    }

    /// Which game of the file it is, from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The line of the file it starts on, from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// The text, tags and moves.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn tags_or_faults(&self) -> Tags<'_> {
        Tags {
            text: &self.text,
            at: 0,
        }
    }

    /// The tags that can be read, one by one.
    pub fn tags(&self) -> impl Iterator<Item = Tag<'_>> {
        self.tags_or_faults().filter_map(Result::ok)
    }

    /// What a tag says, its name in English; it is found under its Chinese name too.
    ///
    /// ```
    /// use qili::notation::pgn::{PgnReader, RawGame};
    /// let mut reader = PgnReader::new("[红方 \"甲\"]\n\n1. h2e2 *".as_bytes());
    /// let mut game = RawGame::new();
    /// assert!(reader.read_raw(&mut game)?);
    /// assert_eq!(game.tag("Red").as_deref(), Some("甲"));
    /// assert!(!reader.read_raw(&mut game)?);
    /// # Ok::<_, qili::notation::pgn::PgnError>(())
    /// ```
    pub fn tag(&self, name: &str) -> Option<Cow<'_, str>> {
        let name = canonical(name);
        let found = |tag: &Tag<'_>| tag.english().eq_ignore_ascii_case(name);
        self.tags().find(found).map(|tag| tag.value)
    }

    /// What stands behind the tags: moves, comments and the result.
    pub fn movetext(&self) -> &str {
        let mut tags = self.tags_or_faults();
        tags.by_ref().for_each(drop);
        tags.rest()
    }

    fn error(&self, byte: usize, index: Option<usize>, fault: PgnFault) -> PgnError {
        let before = self.text.get(..byte).unwrap_or_default();
        let lines = before.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count() as u64
            + 1;
        let location = Location {
            byte,
            line: self.line + lines,
            column,
        };
        PgnError {
            game: self.number,
            location,
            index,
            fault,
        }
    }

    /// Reads the tags and plays the moves.
    ///
    /// # Errors
    /// The first thing that cannot be read, and where it stands.
    pub fn parse(&self) -> Result<Record, PgnError> {
        let mut record = Record::new(Position::start());
        let mut tags = self.tags_or_faults();
        for tag in tags.by_ref() {
            let tag = tag.map_err(|at| self.error(at, None, PgnFault::Tag))?;
            match tag.english() {
                "FEN" => {
                    record.start = fen::parse(&tag.value)
                        .map_err(|error| self.error(tag.at, None, PgnFault::Fen(error)))?;
                }
                "Result" => record.result = tag.value.parse().unwrap_or_default(),
                _ => {}
            }
            record
                .tags
                .push((tag.name.to_owned(), tag.value.into_owned()));
        }
        let passed = self.text.get(..tags.at).unwrap_or_default();
        let line = self.line + passed.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let mut scanner = Scanner::record(&self.text, tags.at, line);
        let mut position = record.start.clone();
        let mut ended = false;
        while let Some(found) = scanner.next() {
            let index = record.moves.len();
            let error = |location, fault| PgnError {
                game: self.number,
                location,
                index: Some(index),
                fault,
            };
            match found.map_err(|(fault, location)| error(location, PgnFault::Text(fault)))? {
                Element::Move(found) if ended => {
                    let text = shortened(found.text);
                    return Err(error(found.location, PgnFault::BehindResult(text)));
                }
                Element::Move(found) => {
                    let mv = read_move(&position, found.text)
                        .map_err(|fault| error(found.location, PgnFault::Move(Box::new(fault))))?;
                    position.make(mv);
                    record.moves.push(mv);
                }
                Element::Result(result, _) => {
                    if result != GameResult::Unknown {
                        record.result = result;
                    }
                    ended = true;
                }
                _ => {}
            }
        }
        Ok(record)
    }
}
