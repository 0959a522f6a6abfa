//! Reading XQF.

use super::super::encoding::gbk;
use super::super::fault::{Fault, FaultKind, Missing, Remark};
use super::super::raw::RawRecord;
use super::super::record::Record;
use super::super::tree::Tree;
use super::{Keys, PIECES, TEXTS, TREE};
use crate::board::{Move, Piece, Setup, Side, Square};
use crate::notation::GameResult;
use crate::notation::fen::FenError;

/// A square as the format counts: ten to a file, from Red's left corner up.
const fn square(number: u8) -> Option<Square> {
    Square::new(number / 10, number % 10)
}

pub(in super::super) fn read(raw: &RawRecord) -> Result<Record, Fault> {
    let bytes = &raw.bytes;
    let header = bytes
        .get(..TREE)
        .ok_or_else(|| raw.at_byte(bytes.len(), FaultKind::Ends(Missing::Header)))?;
    let keys = header.first_chunk().map_or(Keys::NONE, Keys::of);
    let version = header.get(2).copied().unwrap_or_default();
    let mut setup = setup(header, version, &keys);
    let byte = |at: usize| header.get(at).copied().unwrap_or_default();
    let told = if byte(50) == 1 {
        Side::Black
    } else {
        Side::Red
    };
    let mut nodes = Nodes {
        bytes,
        at: TREE,
        keys: &keys,
        plain: version <= 10,
    };
    // The root stands for no move: it only says whether there is one, and what is said before it.
    let root = nodes.next();
    // Some programs forget whose move it is; the first piece to move knows.
    let first = match &root {
        Some(Ok(root)) if root.follows => nodes.clone().next(),
        _ => None,
    };
    let mover = first
        .and_then(Result::ok)
        .and_then(|node| setup.piece_at(square(node.from)?))
        .map_or(told, |piece| piece.side);
    setup.turn = mover;
    let start = setup
        .position()
        .map_err(|faults| raw.at_byte(16, FaultKind::Fen(FenError::Impossible(faults))))?;
    let mut record = Record::new(start);
    if mover != told {
        record.remarks.push(Remark::OtherSideFirst);
    }
    record.result = match byte(51) {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 => GameResult::Draw,
        _ => GameResult::Unknown,
    };
    for (name, at, length) in TEXTS {
        let field = header.get(at..at + length).unwrap_or_default();
        if let Some((&length, text)) = field.split_first() {
            let text = text.get(..usize::from(length)).unwrap_or(text);
            record.tell(name, gbk(text));
        }
    }
    let mut tree = Tree::new(raw, record);
    match root {
        None => {}
        Some(Err((at, missing))) => tree.break_off(at, FaultKind::Ends(missing)),
        Some(Ok(root)) => {
            tree.opening(root.comment);
            if root.follows {
                play(&mut nodes, &mut tree);
            }
        }
    }
    Ok(tree.finish())
}

/// Where the pieces stand. Whoever is not on the board has a number beyond it.
fn setup(header: &[u8], version: u8, keys: &Keys) -> Setup {
    let mut setup = Setup::empty(Side::Red);
    for (i, &number) in header.iter().skip(16).take(32).enumerate() {
        // Later versions also turn the order of the pieces round.
        let piece = if version >= 12 {
            (i + usize::from(keys.pieces) + 1) % 32
        } else {
            i
        };
        let letter = PIECES.get(piece).map(|&letter| char::from(letter));
        let piece = letter.and_then(Piece::from_letter);
        if let (Some(square), Some(piece)) = (square(number.wrapping_sub(keys.pieces)), piece) {
            setup.put(square, Some(piece));
        }
    }
    setup
}

/// Goes through the tree: each move before what follows it, that before what else might be played.
fn play(nodes: &mut Nodes<'_>, tree: &mut Tree<'_>) {
    let mut waiting: Vec<u32> = Vec::new();
    let mut depth: u32 = 1;
    loop {
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
        if node.follows {
            depth += 1;
        } else {
            match waiting.pop() {
                Some(next) => depth = next,
                None => return,
            }
        }
        // What follows a break cannot be placed.
        if !tree.is_whole() {
            return;
        }
    }
}

/// A move as it stands in the tree.
struct Node {
    from: u8,
    to: u8,
    /// A move follows.
    follows: bool,
    /// There is another move to be played in its place.
    alternative: bool,
    comment: String,
}

#[derive(Clone)]
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
    keys: &'a Keys,
    /// A version that hides nothing and counts the length of every comment.
    plain: bool,
}

impl Nodes<'_> {
    /// So many bytes, no longer hidden.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut taken = *self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.reveal(&mut taken);
        Some(taken)
    }

    fn reveal(&mut self, bytes: &mut [u8]) {
        let mask = &self.keys.mask;
        let keys = mask.iter().cycle().skip(self.at % mask.len());
        for (byte, key) in bytes.iter_mut().zip(keys) {
            *byte = byte.wrapping_sub(*key);
        }
        self.at += bytes.len();
    }

    /// The next move, nothing at the end of the file, or where it breaks off and in what.
    fn next(&mut self) -> Option<Result<Node, (usize, Missing)>> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        let Some([from, to, flags, _]) = self.take() else {
            return Some(Err((start, Missing::Moves)));
        };
        let (follows, alternative, commented) = if self.plain {
            (flags & 0xF0 > 0, flags & 0x0F > 0, true)
        } else {
            (flags & 0x80 > 0, flags & 0x40 > 0, flags & 0x20 > 0)
        };
        let mut comment = String::new();
        if commented {
            let length = self.take().map(u32::from_le_bytes);
            let length = length.map(|length| length.wrapping_sub(self.keys.comment));
            let length = length.and_then(|length| usize::try_from(length).ok());
            let text = length.and_then(|length| self.bytes.get(self.at..)?.get(..length));
            let Some(text) = text else {
                return Some(Err((start, Missing::Comment)));
            };
            let mut text = text.to_vec();
            self.reveal(&mut text);
            comment = gbk(&text);
        }
        Some(Ok(Node {
            from: from.wrapping_sub(24).wrapping_sub(self.keys.from),
            to: to.wrapping_sub(32).wrapping_sub(self.keys.to),
            follows,
            alternative,
            comment,
        }))
    }
}
