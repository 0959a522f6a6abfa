//! One game of 象棋桥 3: a header of 2,214 bytes with the board, then the moves as a tree.

use super::super::encoding::utf16;
use super::super::fault::{Fault, FaultKind, Missing, Remark};
use super::super::raw::RawRecord;
use super::super::record::Record;
use super::super::tree::Tree;
use super::{number, result, side};
use crate::board::{Move, Piece, Setup, Square};
use crate::notation::fen::FenError;

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
    if text.len() == field.len() || text.chars().any(odd) {
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
    let mut nodes = Nodes { bytes, at: TREE };
    let root = nodes.next();
    if setup.pieces().next().is_none() && !matches!(root, Some(Ok(Node { last: false, .. }))) {
        return Err(raw.at_byte(BOARD, FaultKind::Heading(title)));
    }
    // As in other formats the first piece to move knows better whose move it is.
    let first = match &root {
        Some(Ok(root)) if !root.last => nodes.clone().next(),
        _ => None,
    };
    let told = setup.turn;
    let mover = first
        .and_then(Result::ok)
        .and_then(|node| setup.piece_at(square(node.from)?))
        .map_or(told, |piece| piece.side);
    setup.turn = mover;
    let start = setup
        .position()
        .map_err(|faults| raw.at_byte(BOARD, FaultKind::Fen(FenError::Impossible(faults))))?;
    let mut record = Record::new(start);
    if raw.deleted {
        record.remarks.push(Remark::Deleted);
    }
    if mover != told {
        record.remarks.push(Remark::OtherSideFirst);
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
    let mut tree = Tree::new(raw, record);
    match root {
        None => {}
        Some(Err((at, missing))) => tree.break_off(at, FaultKind::Ends(missing)),
        Some(Ok(root)) => {
            tree.opening(root.comment);
            if !root.last {
                play(&mut nodes, &mut tree);
            }
        }
    }
    Ok(tree.finish())
}

/// Goes through the tree: each move before what follows it, that before what else might be played.
fn play(nodes: &mut Nodes<'_>, tree: &mut Tree<'_>) {
    let mut waiting: Vec<u32> = Vec::new();
    let mut depth: u32 = 1;
    while tree.is_whole() {
        let at = nodes.at;
        let node = match nodes.next() {
            None => return tree.break_off(at, FaultKind::Ends(Missing::Moves)),
            Some(Err((at, missing))) => return tree.break_off(at, FaultKind::Ends(missing)),
            Some(Ok(node)) => node,
        };
        if node.alternative {
            waiting.push(depth);
        }
        let mv = match (square(node.from), square(node.to)) {
            (Some(from), Some(to)) => Ok(Move::new(from, to)),
            _ => Err(format!("{}-{}", node.from, node.to)),
        };
        tree.node(depth as usize, mv, node.comment, at);
        if !node.last {
            depth += 1;
        } else if let Some(next) = waiting.pop() {
            depth = next;
        } else {
            return;
        }
    }
}

/// A move as it stands in the tree.
struct Node {
    from: u8,
    to: u8,
    last: bool,
    alternative: bool,
    comment: String,
}

#[derive(Clone)]
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Nodes<'_> {
    /// The next move, nothing at the end of the file, or where it breaks off and in what.
    fn next(&mut self) -> Option<Result<Node, (usize, Missing)>> {
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
            from,
            to,
            last: flags & LAST > 0,
            alternative: flags & ALTERNATIVE > 0,
            comment,
        }))
    }
}
