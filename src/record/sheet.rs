//! Games in words: tags or headers, then moves in any notation between numbers, comments and results.

use super::fault::{Fault, FaultKind, Place, Remark};
use super::form::Looks;
use super::raw::RawRecord;
use super::record::{Comment, Record, Variation};
use super::tags::{canonical, header};
use crate::board::{Position, Undo};
use crate::notation::{
    Element, GameResult, Location, Ranks, Scanner, fen, is_blank, is_move, is_printed, play_word,
    shortened, split_moves,
};
use std::borrow::Cow;

/// A tag that goes on for more bytes is refused.
const LONGEST_TAG: usize = 1 << 13;
/// Lines of prose before the first move of a sheet without tags.
const MOST_PROSE: usize = 60;

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

impl RawRecord {
    fn tags_or_faults(&self) -> Tags<'_> {
        Tags {
            text: &self.text,
            at: 0,
        }
    }

    /// The tags in brackets that can be read, one by one; a text alone has them.
    pub fn tags(&self) -> impl Iterator<Item = Tag<'_>> {
        self.tags_or_faults().filter_map(Result::ok)
    }

    /// What a tag in brackets says, its name in English; it is found under its Chinese name too.
    ///
    /// ```
    /// use qili::record::{RawRecord, Reader};
    /// let mut reader = Reader::new("[红方 \"甲\"]\n\n1. h2e2 *".as_bytes());
    /// let mut game = RawRecord::new();
    /// assert!(reader.read_raw(&mut game)?);
    /// assert_eq!(game.tag("Red").as_deref(), Some("甲"));
    /// assert!(!reader.read_raw(&mut game)?);
    /// # Ok::<_, qili::record::Fault>(())
    /// ```
    pub fn tag(&self, name: &str) -> Option<Cow<'_, str>> {
        let name = canonical(name);
        let mut tags = self.tags();
        tags.find(|tag| tag.english().eq_ignore_ascii_case(name))
            .map(|tag| tag.value)
    }

    /// The place of a byte of the text.
    pub(super) fn location(&self, byte: usize) -> Location {
        let before = self.text.get(..byte).unwrap_or_default();
        let lines = before.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before.get(line_start..).unwrap_or_default();
        Location {
            byte,
            line: self.line + lines,
            column: column.chars().count() as u64 + 1,
        }
    }
}

/// Reads a game in words.
pub(super) fn read(raw: &RawRecord) -> Result<Record, Fault> {
    let fault = |byte, kind| raw.fault(Place::Text(raw.location(byte)), None, kind);
    let mut record = Record::new(Position::start());
    let mut tags = raw.tags_or_faults();
    let mut tagged = false;
    for tag in tags.by_ref() {
        tagged = true;
        let tag = tag.map_err(|at| fault(at, FaultKind::Tag))?;
        match tag.english() {
            "FEN" if tag.value.trim().is_empty() => {}
            "FEN" => {
                record.start =
                    fen::parse(&tag.value).map_err(|error| fault(tag.at, FaultKind::Fen(error)))?;
            }
            "Result" => record.result = tag.value.parse().unwrap_or_default(),
            _ => {}
        }
        record
            .tags
            .push((tag.name.to_owned(), tag.value.into_owned()));
    }
    let mut at = tags.at;
    if !tagged {
        let head = Head::of(&raw.text);
        at = head.end;
        if let Some((text, at)) = head.fen {
            record.start = fen::parse(&text).map_err(|error| fault(at, FaultKind::Fen(error)))?;
        } else if head.prose && !reads_as_moves(raw.text.get(at..).unwrap_or_default()) {
            return Err(fault(0, FaultKind::NoRecord(Looks::Text)));
        }
        record.tags = head.tags;
        record.result = head.result;
    }
    Ok(play(raw, record, at))
}

/// Plays the moves that stand from byte `at` on, ranks counted whichever way goes further.
pub(super) fn play(raw: &RawRecord, record: Record, at: usize) -> Record {
    let text = raw.text.get(at..).unwrap_or_default();
    let to_ten = names_rank_ten(text)
        && split_moves(text)
            .is_ok_and(|moves| Ranks::of(moves.iter().map(|found| found.text)) == Ranks::One);
    if to_ten {
        return Moves::new(raw, record, Ranks::One).read(at);
    }
    let from_zero = Moves::new(raw, record, Ranks::Zero).read(at);
    if !from_zero
        .fault
        .as_ref()
        .is_some_and(|fault| matches!(fault.kind, FaultKind::Move(_)))
    {
        return from_zero;
    }
    let again = Record {
        tags: from_zero.tags.clone(),
        result: from_zero.result,
        ..Record::new(from_zero.start.clone())
    };
    let mut from_one = Moves::new(raw, again, Ranks::One).read(at);
    // A move or two may be had by chance.
    if from_one.fault.is_none() && from_one.moves.len() > from_zero.moves.len().max(3) {
        from_one.remarks.push(Remark::CountedFromOne);
        return from_one;
    }
    from_zero
}

/// Whether a point may stand in a text whose rank is 10, behind the letter of its file.
fn names_rank_ten(text: &str) -> bool {
    let threes = text.as_bytes().array_windows();
    // All of it is looked at, many bytes at a time, which takes less than to stop. What of ASCII has this bit are letters.
    threes.fold(false, |found, &[letter, one, zero]| {
        let here = !letter & 0x40 | one ^ b'1' | zero ^ b'0' == 0;
        found | here
    })
}

/// Whether anything in a text reads as a move.
fn reads_as_moves(text: &str) -> bool {
    split_moves(text).map_or(true, |moves| moves.iter().any(|found| is_move(found.text)))
}

/// What stands before the moves of a sheet without tags.
#[derive(Default)]
struct Head {
    tags: Vec<(String, String)>,
    result: GameResult,
    fen: Option<(String, usize)>,
    /// Something stands there that is neither header nor move.
    prose: bool,
    end: usize,
}

impl Head {
    fn of(text: &str) -> Self {
        let mut head = Self::default();
        for line in text.split_inclusive('\n').take(MOST_PROSE) {
            if !head.takes(line) {
                break;
            }
            head.end += line.len();
        }
        head
    }

    /// Whether a line stands before the moves.
    fn takes(&mut self, line: &str) -> bool {
        let text = line.trim_matches(is_blank);
        if text.is_empty() || text.starts_with('%') || is_printed(text) {
            return true;
        }
        if let Some(length) = fen_at(text) {
            let (fen, rest) = text.split_at_checked(length).unwrap_or((text, ""));
            let start = line.find(text).unwrap_or(0);
            let fen = fen.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
            let named = fen
                .get(..3)
                .is_some_and(|name| name.eq_ignore_ascii_case("fen"));
            let bare = if named {
                fen.get(3..).unwrap_or_default()
            } else {
                fen
            };
            let bare =
                bare.trim_matches(|c: char| is_blank(c) || matches!(c, ':' | '：' | '=' | '"'));
            self.fen = Some((bare.to_owned(), self.end + start));
            if rest.trim().is_empty() {
                return true;
            }
            // The moves go on behind it.
            self.end += start + length;
            return false;
        }
        if let Some((name, value)) = text.split_once([':', '：']) {
            let value = value.trim_matches(is_blank);
            // `红方：炮二平五` is a move.
            let moves = |name: &str| matches!(name, "Red" | "Black") && is_first_move(value);
            if let Some(name) = header(name.trim_matches(is_blank)).filter(|name| !moves(name)) {
                if name == "Result" {
                    self.result = value.parse().unwrap_or_default();
                }
                self.tags.push((name.to_owned(), value.to_owned()));
                return true;
            }
        }
        if text.starts_with(['{', ';', '(', '（']) || is_first_move(text) {
            return false;
        }
        if let Ok(result) = text.parse::<GameResult>() {
            self.result = result;
            return true;
        }
        if reads_as_moves(text) {
            return false;
        }
        if !self.prose && self.tags.iter().all(|(name, _)| name != "Title") {
            self.tags.push(("Title".to_owned(), shortened(text)));
        }
        self.prose = true;
        true
    }
}

fn is_first_move(text: &str) -> bool {
    split_moves(text).is_ok_and(|moves| moves.first().is_some_and(|found| is_move(found.text)))
}

/// How much of a line is a position, with the word before it; nothing where it holds none.
fn fen_at(line: &str) -> Option<usize> {
    let board = line
        .split_whitespace()
        .find(|field| field.matches('/').count() >= 7)?;
    let start = line.find(board)?;
    let word = line.get(..start)?.trim_matches(is_blank);
    let word = word.trim_end_matches([':', '：', '=', '"']);
    if !(word.is_empty() || word.eq_ignore_ascii_case("fen") || word == "局面") {
        return None;
    }
    let mut end = start + board.len();
    let behind = line.get(end..)?;
    for (i, field) in behind.split_whitespace().enumerate() {
        let belongs = match i {
            0 => matches!(field, "w" | "r" | "b" | "W" | "R" | "B"),
            1 | 2 => field == "-",
            3 | 4 => field.chars().all(|c| c.is_ascii_digit()),
            _ => false,
        };
        if !belongs {
            break;
        }
        end += line.get(end..)?.find(field)? + field.len();
    }
    Some(end)
}

/// Reads moves into a record.
struct Moves<'a> {
    raw: &'a RawRecord,
    record: Record,
    ranks: Ranks,
    position: Position,
    /// The last move, which variations take the place of.
    last: Option<Undo>,
    asides: usize,
}

impl<'a> Moves<'a> {
    fn new(raw: &'a RawRecord, record: Record, ranks: Ranks) -> Self {
        Self {
            raw,
            position: record.start.clone(),
            last: None,
            record,
            ranks,
            asides: 0,
        }
    }

    fn read(mut self, at: usize) -> Record {
        let passed = self.raw.text.get(..at).unwrap_or_default();
        let line = self.raw.line + passed.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let mut scanner = Scanner::record(&self.raw.text, at, line);
        let mut ended = false;
        while let Some(found) = scanner.next() {
            match found {
                Ok(Element::Move(found)) if ended => {
                    self.behind(found.text);
                    break;
                }
                Ok(Element::Move(found)) => {
                    match play_word(&mut self.position, found, self.ranks) {
                        Ok((mv, undo)) => {
                            self.last = Some(undo);
                            self.record.moves.push(mv);
                        }
                        Err(error) => {
                            let location = scanner.location(found.at);
                            self.fault(location, FaultKind::Move(Box::new(error)));
                            break;
                        }
                    }
                }
                Ok(Element::Result(result)) => {
                    if result != GameResult::Unknown {
                        self.record.result = result;
                    }
                    ended |= !self.record.moves.is_empty();
                }
                Ok(Element::Comment(text)) => self.comment(text),
                Ok(Element::Aside(text)) => self.aside(text),
                Ok(Element::Below(text)) => {
                    self.behind(text);
                    break;
                }
                Err((_, location)) if ended => {
                    let text = self.raw.text.get(location.byte..).unwrap_or_default();
                    self.behind(text.lines().next().unwrap_or_default());
                    break;
                }
                Err((kind, location)) => {
                    self.fault(location, FaultKind::Text(kind));
                    break;
                }
            }
        }
        if self.asides > 0 {
            self.record.remarks.push(Remark::Variations(self.asides));
        }
        self.record
    }

    fn fault(&mut self, location: Location, kind: FaultKind) {
        let index = Some(self.record.moves.len());
        self.record.fault = Some(self.raw.fault(Place::Text(location), index, kind));
    }

    fn behind(&mut self, text: &str) {
        self.record.remarks.push(Remark::Behind(shortened(text)));
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        // What clocks say is no comment.
        let clock = text.starts_with("[%") && text.ends_with(']');
        if !text.is_empty() && !clock {
            self.record.comments.push(Comment {
                after: self.record.moves.len(),
                text: text.to_owned(),
            });
        }
    }

    /// A variation, where its first move can be played in the place of the last one; else what is
    /// said about it.
    fn aside(&mut self, text: &str) {
        let Some(at) = self.record.moves.len().checked_sub(1) else {
            return self.comment(text);
        };
        let mut scanner = Scanner::record(text, 0, 1);
        let mut position = self.position.clone();
        if let Some(undo) = self.last {
            position.unmake(undo);
        }
        let mut variation = Variation {
            of: None,
            at,
            moves: Vec::new(),
            comments: Vec::new(),
        };
        while let Some(Ok(element)) = scanner.next() {
            match element {
                Element::Move(found) => {
                    let Ok((mv, _)) = play_word(&mut position, found, self.ranks) else {
                        break;
                    };
                    variation.moves.push(mv);
                }
                Element::Comment(text) if !text.trim().is_empty() => {
                    variation.comments.push(Comment {
                        after: variation.moves.len(),
                        text: text.trim().to_owned(),
                    });
                }
                // Variations of variations are not kept.
                Element::Aside(text) => self.asides += usize::from(is_first_move(text)),
                Element::Comment(_) | Element::Result(_) | Element::Below(_) => {}
            }
        }
        if !variation.moves.is_empty() {
            self.record.variations.push(variation);
        } else if is_first_move(text) {
            self.asides += 1;
        } else {
            self.comment(text);
        }
    }
}
