//! CBF: a game as XML, one `<Move value="77-47"/>` after the other.
//!
//! The files that are around are not always sound XML; what is needed of them is read all the same.

use super::fault::Remark;
use super::fault::{Fault, FaultKind, Place};
use super::frame;
use super::raw::RawRecord;
use super::record::{Comment, Record};
use super::{Encoding, MOST_PLIES};
use crate::board::{Move, Position, Square};
use crate::notation::{fen, read_move};

/// An element, its attributes and text as written.
struct Element<'a> {
    at: usize,
    name: &'a str,
    attributes: &'a str,
    /// What stands behind it, up to the next mark.
    text: &'a str,
}

/// Goes over the elements of a text, those that close left out.
fn elements(text: &str) -> impl Iterator<Item = Element<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..)?.find('<')?;
            let rest = text.get(start + 1..)?;
            if let Some(comment) = rest.strip_prefix("!--") {
                at = start + 4 + comment.find("-->").unwrap_or(comment.len());
                continue;
            }
            let end = tag_end(rest);
            let inside = rest.get(..end)?.trim_end_matches('/');
            at = start + 1 + end;
            if inside.starts_with(['/', '?', '!']) {
                continue;
            }
            let name = inside.split(char::is_whitespace).next()?;
            let behind = text.get(at..)?.trim_start_matches('>');
            let text = behind.split('<').next().unwrap_or_default();
            return Some(Element {
                at: start,
                name,
                attributes: inside.get(name.len()..)?,
                text,
            });
        }
    })
}

/// Where a tag ends: at a `>` that is not within quotes, or where the next begins.
fn tag_end(tag: &str) -> usize {
    let mut quoted = false;
    for (at, c) in tag.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' | '<' if !quoted => return at,
            _ => {}
        }
    }
    tag.find('>').unwrap_or(tag.len())
}

impl Element<'_> {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Some((key, behind)) = rest.split_once('=') {
            let behind = behind.trim_start();
            let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, behind) = behind.get(1..)?.split_once(quote)?;
            if key.trim().eq_ignore_ascii_case(name) {
                return Some(plain(value));
            }
            rest = behind;
        }
        None
    }
}

/// A text with its entities turned into what they stand for.
pub(super) fn plain(text: &str) -> String {
    const NAMED: [(&str, &str); 6] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    let mut plain = text.to_owned();
    for (entity, character) in NAMED {
        if plain.contains('&') {
            plain = plain.replace(entity, character);
        }
    }
    plain.trim().to_owned()
}

/// The names elements of the head have in the tags of a record.
const TAGS: [(&str, &str); 18] = [
    ("RecordTitle", "Title"),
    ("Title", "Title"),
    ("Event", "Event"),
    ("Match", "Event"),
    ("MatchName", "Event"),
    ("Round", "Round"),
    ("Date", "Date"),
    ("MatchDate", "Date"),
    ("Site", "Site"),
    ("Place", "Site"),
    ("Red", "Red"),
    ("RedPlayer", "Red"),
    ("RedTeam", "RedTeam"),
    ("Black", "Black"),
    ("BlackPlayer", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("Opening", "Opening"),
    ("Author", "Author"),
];

/// Two squares as the format writes them: file and row, rows counted from Black's side or, where
/// `up`, from Red's.
fn squares(value: &str, up: bool) -> Option<Move> {
    let &[a, b, b'-', c, d] = value.as_bytes() else {
        return None;
    };
    let square = |file: u8, row: u8| {
        let row = row.wrapping_sub(b'0');
        let rank = if up { row } else { 9u8.wrapping_sub(row) };
        Square::new(file.wrapping_sub(b'0'), rank)
    };
    Some(Move::new(square(a, b)?, square(c, d)?))
}

pub(super) fn read(raw: &RawRecord) -> Result<Record, Fault> {
    let mut text = String::new();
    if !frame::decode(&raw.bytes, Encoding::Auto, &mut None, &mut text) {
        return Err(raw.at_byte(0, FaultKind::Encoding(Encoding::Auto)));
    }
    let mut record = Record::new(Position::start());
    let mut moves = Vec::new();
    for element in elements(&text) {
        if element.is("Move") {
            moves.push(element);
            continue;
        }
        let value = plain(element.text);
        if element.is("FEN") && !value.is_empty() {
            record.start = fen::parse(&value)
                .map_err(|error| raw.at_byte(element.at, FaultKind::Fen(error)))?;
        } else if element.is("Result") || element.is("RecordResult") {
            record.result = match &*value {
                "1" => crate::notation::GameResult::RedWins,
                "2" => crate::notation::GameResult::BlackWins,
                "3" => crate::notation::GameResult::Draw,
                other => other.parse().unwrap_or_default(),
            };
        } else if let Some((_, name)) = TAGS.iter().find(|(name, _)| element.is(name)) {
            record.tell(name, value);
        }
    }
    let first = moves
        .iter()
        .filter_map(|element| element.attribute("value"));
    let first = first.into_iter().find(|value| value != "00-00");
    let playable = |up| {
        let mv = first.as_deref().and_then(|value| squares(value, up));
        mv.is_some_and(|mv| record.start.is_legal(mv))
    };
    let up = !playable(false) && playable(true);
    play(raw, &moves, up, &mut record);
    Ok(record)
}

/// Plays the main line: up to the first move that is the last of its line.
fn play(raw: &RawRecord, moves: &[Element<'_>], up: bool, record: &mut Record) {
    let mut position = record.start.clone();
    for (i, element) in moves.iter().enumerate() {
        let value = element.attribute("value").unwrap_or_default();
        let comment = element
            .attribute("comment")
            .unwrap_or_else(|| plain(element.text));
        let last = element.attribute("end").is_some_and(|end| end == "1");
        // The first stands for no move.
        if !(i == 0 && (value == "00-00" || value.is_empty())) {
            let index = record.moves.len();
            let kind = if index == MOST_PLIES {
                Some(FaultKind::TooManyMoves(MOST_PLIES))
            } else {
                match squares(&value, up) {
                    Some(mv) if position.is_legal(mv) => {
                        position.make(mv);
                        record.moves.push(mv);
                        None
                    }
                    Some(mv) => read_move(&position, &mv.to_string())
                        .err()
                        .map(|error| FaultKind::Move(Box::new(error))),
                    None => Some(FaultKind::Squares(value)),
                }
            };
            if let Some(kind) = kind {
                let place = Place::Byte(raw.at + element.at as u64);
                record.fault = Some(raw.fault(place, Some(index), kind));
                return;
            }
        }
        if !comment.is_empty() {
            record.comments.push(Comment {
                after: record.moves.len(),
                text: comment,
            });
        }
        if last {
            let rest = moves.len() - i - 1;
            if rest > 0 {
                record.remarks.push(Remark::Variations(1));
            }
            return;
        }
    }
}
