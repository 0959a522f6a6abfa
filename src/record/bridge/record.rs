//! One game of 象棋桥 3: a header of 2,214 bytes with the board, then the moves as a tree.

use super::super::encoding::utf16;
use super::super::fault::{Fault, FaultKind, Missing, Remark};
use super::super::raw::RawRecord;
use super::super::record::{Record, result};
use super::super::tree::{Found, Node, Tree, begun, first_from};
use super::{number, side};
use crate::board::{Piece, Setup, Square};

/// The fields that hold text: what they are called, where they start, how many bytes they have.
const TEXTS: [(&str, usize, usize); 24] = [
    ("Title", 180, 128),
    ("Opening", 308, 64),
    ("Event", 692, 64),
    ("Round", 756, 64),
    ("Group", 820, 32),
    ("Table", 852, 32),
    ("Date", 884, 64),
    ("Site", 948, 64),
    ("TimeControl", 1012, 64),
    ("Red", 1076, 64),
    ("RedTeam", 1140, 64),
    ("RedTime", 1204, 64),
    ("RedElo", 1268, 32),
    ("Black", 1300, 64),
    ("BlackTeam", 1364, 64),
    ("BlackTime", 1428, 64),
    ("BlackElo", 1492, 32),
    ("Arbiter", 1524, 64),
    ("Recorder", 1588, 64),
    ("Annotator", 1652, 64),
    ("AnnotatorMail", 1716, 64),
    ("Author", 1780, 64),
    ("AuthorMail", 1844, 64),
    ("Created", 1908, 64),
];
const ECCO: usize = 2036;
const RESULT: usize = 2076;
const TURN: usize = 2112;
const BOARD: usize = 2120;
/// Where the tree starts: behind the board and four bytes that mark a last move.
const TREE: usize = 2214;

/// The next move is no further in this line.
const LAST: u8 = 1;
/// There is another move to be played in its place.
const ALTERNATIVE: u8 = 2;
/// A comment follows.
const COMMENTED: u8 = 4;

/// A square as the format counts: rows of nine from Black's back row down.
const fn square(number: u8) -> Option<Square> {
    if number < 90 {
        Square::new(number % 9, 9 - number / 9)
    } else {
        None
    }
}

/// 0x11 to 0x17 are Red's rook, horse, elephant, advisor, king, cannon and pawn, 0x21 to 0x27 Black's.
fn piece(byte: u8) -> Option<Piece> {
    let letters: &[u8; 7] = match byte >> 4 {
        1 => b"RNBAKCP",
        2 => b"rnbakcp",
        _ => return None,
    };
    let letter = letters.get(usize::from(byte & 0xF).checked_sub(1)?)?;
    Piece::from_letter(char::from(*letter))
}

/// A field of text. What was never filled in may hold anything at all: text that nobody writes is
/// none.
fn text(field: &[u8]) -> String {
    let text = utf16(field);
    let odd = |c: char| {
        c.is_control() && c != '\n' && c != '\r'
            || matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}')
    };
    // One that is never ended.
    let full = 2 * text.encode_utf16().count() == field.len();
    if full || text.chars().any(odd) {
        return String::new();
    }
    text.trim().to_owned()
}

pub(in super::super) fn record(raw: &RawRecord) -> Result<Record, Fault> {
    let bytes = &raw.bytes;
    let header = bytes
        .get(..TREE)
        .ok_or_else(|| raw.at_byte(bytes.len(), FaultKind::Ends(Missing::Header)))?;
    let field = |at: usize, length: usize| header.get(at..at + length).unwrap_or_default();
    let mut setup = Setup::empty(side(number(header, TURN).unwrap_or(1)));
    for (place, &byte) in (0u8..).zip(field(BOARD, 90)) {
        if let Some(square) = square(place) {
            setup.put(square, piece(byte));
        }
    }
    let title = text(field(180, 128));
    let nodes = Nodes { bytes, at: TREE };
    let root = nodes.clone().next();
    if setup.pieces().next().is_none()
        && !root.is_some_and(|root| root.is_ok_and(|root| root.follows))
    {
        return Err(raw.at_byte(BOARD, FaultKind::Heading(title)));
    }
    let first = first_from(nodes.clone()).and_then(square);
    let mut record = begun(raw, BOARD, setup, first)?;
    if raw.deleted {
        record.remarks.insert(0, Remark::Deleted);
    }
    record.result = result(number(header, RESULT).unwrap_or(0));
    for (name, at, length) in TEXTS {
        record.tell(name, text(field(at, length)));
    }
    let ecco = field(ECCO, 4).iter().map(|&byte| char::from(byte));
    let ecco: String = ecco.take_while(|&c| c != '\0').collect();
    if ecco.chars().all(|c| c.is_ascii_alphanumeric()) {
        record.tell("ECCO", ecco);
    }
    Ok(Tree::new(raw, record).read(nodes, square))
}

#[derive(Clone)]
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Nodes<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let start = self.at;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let Some(&[flags, _, from, to]) = rest.first_chunk() else {
            return Some(Err((start, Missing::Moves)));
        };
        self.at += 4;
        let mut comment = String::new();
        if flags & COMMENTED > 0 {
            let length = number(rest, 4).and_then(|length| usize::try_from(length).ok());
            let text = length.and_then(|length| rest.get(8..)?.get(..length));
            let Some(text) = text else {
                return Some(Err((start, Missing::Comment)));
            };
            self.at += 4 + text.len();
            utf16(text).trim().clone_into(&mut comment);
        }
        Some(Ok(Node {
            at: start,
            from,
            to,
            follows: flags & LAST == 0,
            alternative: flags & ALTERNATIVE > 0,
            comment,
        }))
    }
}
