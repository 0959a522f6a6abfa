//! Games on a line: `position … moves …` as engines are told, and links to chessdb.cn.

use super::fault::{Fault, FaultKind, Place, Remark};
use super::raw::RawRecord;
use super::record::Record;
use super::{Encoding, LONGEST_TEXT, frame};
use crate::board::Position;
use crate::notation::{MoveError, Ranks, fen, play_move};
use crate::written;
use std::io::{self, BufRead, Read};

fn strip_word<'a>(line: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = line.split_at_checked(word.len())?;
    let ended = rest.first().is_none_or(u8::is_ascii_whitespace);
    (start.eq_ignore_ascii_case(word) && ended).then(|| rest.trim_ascii_start())
}

/// Whether a line gives a position and moves: `position startpos moves …`, `fen … moves …`, or a FEN
/// with `moves` behind it.
pub(super) fn is_position(line: &[u8]) -> bool {
    // Most lines are none: they neither begin with one of these words nor have a board in them.
    let worded = matches!(line.first(), Some(b'p' | b'P' | b's' | b'S'));
    if !worded && !line.contains(&b'/') {
        return false;
    }
    let said = strip_word(line, b"position");
    let rest = said.unwrap_or(line);
    if strip_word(rest, b"startpos").is_some() {
        return true;
    }
    let named = strip_word(rest, b"fen");
    let fen = named.unwrap_or(rest);
    let board = fen
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    let slashes = board.split(|&byte| byte == b'/').count() - 1;
    let mut words = fen.split(u8::is_ascii_whitespace);
    slashes >= 7 && (said.is_some() || words.any(|word| word.eq_ignore_ascii_case(b"moves")))
}

/// Cuts a text into the lines that hold a game.
#[derive(Debug, Default)]
pub(super) struct Lines {
    links: bool,
    encoding: Encoding,
    /// How many have been taken.
    taken: u64,
    games: u64,
    line: Vec<u8>,
    /// A game that the next line may go on with.
    held: Option<(u64, Vec<u8>)>,
    ended: bool,
}

impl Lines {
    pub(super) fn new(links: bool, encoding: Encoding) -> Self {
        Self {
            links,
            encoding,
            ..Self::default()
        }
    }

    fn holds(&self, line: &[u8]) -> bool {
        if self.links {
            link_in(line).is_some()
        } else {
            is_position(line)
        }
    }

    /// Whether the next line tells the same game, further on.
    fn goes_on(&self, held: &[u8], line: &[u8]) -> bool {
        let moved = |line: &[u8]| line.windows(7).any(|window| window == b" moves ");
        !self.links
            && line
                .strip_prefix(held)
                .is_some_and(|more| more.first() == Some(&b' ') && (moved(line) || moved(held)))
    }

    /// Reads the next game. False at the end of the file.
    pub(super) fn next(
        &mut self,
        input: &mut dyn BufRead,
        game: &mut RawRecord,
    ) -> Result<bool, Fault> {
        loop {
            let more = !self.ended
                && self.next_line(input).map_err(|error| {
                    let place = frame::start_of(self.taken + 1);
                    Fault::new(
                        self.games + 1,
                        place,
                        None,
                        FaultKind::Io(error.to_string()),
                    )
                })?;
            let found = more.then(|| self.line.trim_ascii().to_vec());
            let found = match (found, &self.held) {
                (Some(line), Some((number, held))) if self.goes_on(held, &line) => {
                    self.held = Some((*number, line));
                    continue;
                }
                (Some(line), _) if !self.holds(&line) => continue,
                (Some(line), _) => Some((self.taken, line)),
                (None, _) => {
                    self.ended = true;
                    None
                }
            };
            let last = found.is_none();
            let Some((number, bytes)) = std::mem::replace(&mut self.held, found) else {
                if last {
                    return Ok(false);
                }
                continue;
            };
            self.games += 1;
            game.number = self.games;
            game.line = number;
            game.text.clear();
            let mut proven = None;
            if !frame::decode(&bytes, self.encoding, &mut proven, &mut game.text) {
                return Err(game.at_start(FaultKind::Encoding(self.encoding)));
            }
            return Ok(true);
        }
    }

    /// Takes the next line. False at the end of the file.
    fn next_line(&mut self, input: &mut dyn BufRead) -> io::Result<bool> {
        self.line.clear();
        let most = LONGEST_TEXT as u64;
        input.take(most).read_until(b'\n', &mut self.line)?;
        self.taken += u64::from(!self.line.is_empty());
        if self.taken == 1 && self.line.starts_with(b"\xEF\xBB\xBF") {
            self.line.drain(..3);
            return Ok(true);
        }
        Ok(!self.line.is_empty())
    }
}

/// A word of the text and where it starts.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // All are slices of the same text.
    let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().map(move |word| (at(word), word))
}

/// Reads a line that gives a position and moves.
pub(super) fn read_position(raw: &RawRecord) -> Result<Record, Fault> {
    let mut rest = words(&raw.text).peekable();
    let mut skipped = |word: &str| rest.next_if(|(_, found)| found.eq_ignore_ascii_case(word));
    skipped("position");
    let opening = skipped("startpos").is_some();
    skipped("fen");
    let mut fields = Vec::new();
    let mut moves = Vec::new();
    let mut at = 0;
    let mut in_moves = false;
    for (byte, word) in rest {
        if in_moves {
            moves.push((byte, word));
        } else if word.eq_ignore_ascii_case("moves") {
            in_moves = true;
        } else {
            if fields.is_empty() {
                at = byte;
            }
            fields.push(word);
        }
    }
    let start = if opening && fields.is_empty() {
        Position::start()
    } else {
        fen::parse(&fields.join(" ")).map_err(|error| {
            raw.fault(Place::Text(raw.location(at)), None, FaultKind::Fen(error))
        })?
    };
    Ok(play(raw, start, &moves))
}

/// What a line says behind `chessdb.cn`, if it holds a link.
fn link_in(line: &[u8]) -> Option<&[u8]> {
    let at = line.windows(11).position(|part| part == b"chessdb.cn/")?;
    let found = line.get(at..)?;
    let end = found
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\'' | b'<' | b'>'));
    let found = found.get(..end.unwrap_or(found.len()))?;
    found.contains(&b'?').then_some(found)
}

/// A part of a link with its `%20` and `+` turned back.
fn unescaped(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'%' => match rest.split_at_checked(2) {
                Some((digits, behind)) if let Some(byte) = written::byte(digits) => {
                    bytes.push(byte);
                    rest = behind;
                }
                _ => bytes.push(b'%'),
            },
            b'+' | b'_' => bytes.push(b' '),
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads a link: `…?action=…&board=FEN&movelist=a|b`, or `…/query/?FEN`.
pub(super) fn read_link(raw: &RawRecord) -> Result<Record, Fault> {
    let link = link_in(raw.text.as_bytes()).and_then(|link| std::str::from_utf8(link).ok());
    let link = link.unwrap_or_default();
    let at = raw.text.find(link).unwrap_or(0);
    let query = link.split_once('?').map_or("", |(_, query)| query);
    let (mut board, mut list) = (None, String::new());
    for part in query.split('&') {
        match part.split_once('=') {
            Some(("board", value)) => board = Some(unescaped(value)),
            Some(("movelist", value)) => list = unescaped(value),
            Some(_) => {}
            None => {
                board.get_or_insert_with(|| unescaped(part));
            }
        }
    }
    let board = board.unwrap_or_default();
    let start = fen::parse(board.trim())
        .map_err(|error| raw.fault(Place::Text(raw.location(at)), None, FaultKind::Fen(error)))?;
    let moves: Vec<_> = list
        .split(['|', ',', ' '])
        .filter(|word| !word.is_empty())
        .map(|word| (at, word))
        .collect();
    Ok(play(raw, start, &moves))
}

/// Plays moves given as words, ranks counted whichever way goes to the end.
fn play(raw: &RawRecord, start: Position, words: &[(usize, &str)]) -> Record {
    let told = Ranks::of(words.iter().map(|&(_, word)| word));
    let mut record = Record::new(start);
    let Err((at, index, error)) = read_all(&mut record, words, told) else {
        return record;
    };
    let mut other = Record::new(record.start.clone());
    if told == Ranks::Zero && read_all(&mut other, words, Ranks::One).is_ok() {
        other.remarks.push(Remark::CountedFromOne);
        return other;
    }
    let place = Place::Text(raw.location(at));
    record.fault = Some(raw.fault(place, Some(index), FaultKind::Move(Box::new(error))));
    record
}

fn read_all(
    record: &mut Record,
    words: &[(usize, &str)],
    ranks: Ranks,
) -> Result<(), (usize, usize, MoveError)> {
    let mut position = record.start.clone();
    for (index, &(at, word)) in words.iter().enumerate() {
        let played = play_move(&mut position, word, ranks);
        let (mv, _) = played.map_err(|error| (at, index, error))?;
        record.moves.push(mv);
    }
    Ok(())
}
