//! Reading XQF.

use super::super::encoding::gbk;
use super::super::fault::{Fault, FaultKind, Missing};
use super::super::pieces::placed;
use super::super::raw::RawRecord;
use super::super::record::{Record, result};
use super::super::tree::{Found, Node, Tree, begun, first_from};
use super::{Keys, TEXTS, TREE};
use crate::board::{Side, Square};

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
    let byte = |at: usize| header.get(at).copied().unwrap_or_default();
    let turn = if byte(50) == 1 {
        Side::Black
    } else {
        Side::Red
    };
    // Later versions also turn the order of the pieces round.
    let turned = if version >= 12 {
        usize::from(keys.pieces) + 1
    } else {
        0
    };
    // Whoever is not on the board has a number beyond it.
    let squares = header.iter().skip(16).take(32);
    let squares = squares.map(|number| square(number.wrapping_sub(keys.pieces)));
    let setup = placed(turn, turned, squares);
    let nodes = Nodes {
        bytes,
        at: TREE,
        keys: &keys,
        plain: version <= 10,
    };
    let first = first_from(nodes.clone()).and_then(square);
    let mut record = begun(raw, 16, setup, first)?;
    record.result = result(byte(51).into());
    for (name, at, length) in TEXTS {
        let field = header.get(at..at + length).unwrap_or_default();
        if let Some((&length, text)) = field.split_first() {
            let text = text.get(..usize::from(length)).unwrap_or(text);
            record.tell(name, gbk(text));
        }
    }
    Ok(Tree::new(raw, record).read(nodes, square))
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
}

impl Iterator for Nodes<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
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
            at: start,
            from: from.wrapping_sub(24).wrapping_sub(self.keys.from),
            to: to.wrapping_sub(32).wrapping_sub(self.keys.to),
            follows,
            alternative,
            comment,
        }))
    }
}
