//! Games and libraries of 象棋桥 2: packed with zlib behind a header of 20 bytes, texts in GBK behind
//! their lengths, the moves as a list with the depth of each.

use super::super::encoding::gbk;
use super::super::fault::{Fault, FaultKind, Missing, Place};
use super::super::pieces::placed;
use super::super::raw::RawRecord;
use super::super::record::{Record, result};
use super::super::tree::{Tree, begun};
use super::{number, side};
use crate::board::{Move, Setup, Square};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use std::io::{self, BufRead, Read};

/// What stands before what is packed: `CCBridge`, a version, a number, the length unpacked.
const HEADER: u64 = 20;
/// A game with more bytes is refused.
const LONGEST: usize = 1 << 22;
/// A moment as text, padded with blanks.
const MOMENT: usize = 19;
/// What a move takes: its depth, two squares, and two bytes that write it in words.
const NODE: usize = 6;

/// Cuts a library into games.
#[derive(Default)]
pub(in super::super) struct OldLibrary {
    unpacked: Unpacked,
    opened: bool,
    games: u64,
}

/// What is packed, unpacked piece by piece.
struct Unpacked {
    state: Box<InflateState>,
    /// Unpacked and not yet taken, from `from` on.
    ready: Vec<u8>,
    from: usize,
    /// How many bytes have been taken.
    at: u64,
    ended: bool,
}

impl Default for Unpacked {
    fn default() -> Self {
        Self {
            state: InflateState::new_boxed(DataFormat::Zlib),
            ready: Vec::new(),
            from: 0,
            at: 0,
            ended: false,
        }
    }
}

impl Unpacked {
    /// Unpacks some more. False where there is no more.
    fn more(&mut self, input: &mut dyn BufRead) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.ready.drain(..self.from);
        self.from = 0;
        let mut space = [0; 1 << 12];
        let packed = input.fill_buf()?;
        let last = packed.is_empty();
        let result = inflate(&mut self.state, packed, &mut space, MZFlush::None);
        input.consume(result.bytes_consumed);
        let written = space.get(..result.bytes_written).unwrap_or_default();
        self.ready.extend_from_slice(written);
        let stuck = result.bytes_written == 0 && last;
        match result.status {
            Ok(MZStatus::StreamEnd) => self.ended = true,
            Ok(_) if !stuck => {}
            // What broke in it, or that it ends too soon, shows where more is asked for.
            Ok(_) | Err(_) => {
                self.ended = true;
                if result.bytes_written == 0 {
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
        }
        Ok(true)
    }

    /// Takes so many bytes, or as many as there are.
    fn take(&mut self, input: &mut dyn BufRead, length: usize) -> io::Result<Vec<u8>> {
        while self.ready.len() - self.from < length && self.more(input)? {}
        let end = (self.from + length).min(self.ready.len());
        let taken = self.ready.get(self.from..end).unwrap_or_default().to_vec();
        self.from = end;
        self.at += taken.len() as u64;
        Ok(taken)
    }

    /// A number of four bytes.
    fn number(&mut self, input: &mut dyn BufRead) -> io::Result<Option<u32>> {
        Ok(number(&self.take(input, 4)?, 0))
    }
}

impl OldLibrary {
    fn fault(&self, kind: FaultKind) -> Fault {
        Fault::new(self.games + 1, Place::Byte(self.unpacked.at), None, kind)
    }

    fn failed(&self, error: &io::Error) -> Fault {
        self.fault(if error.kind() == io::ErrorKind::InvalidData {
            FaultKind::Packed
        } else {
            FaultKind::Io(error.to_string())
        })
    }

    /// Passes over the header and what the library says about itself. Of a file of one game there is
    /// none: it begins with the length of the game, which is all there is.
    fn open(&mut self, input: &mut dyn BufRead) -> Result<(), Fault> {
        self.opened = true;
        let mut header = Vec::new();
        let read = input.take(HEADER).read_to_end(&mut header);
        read.map_err(|error| self.failed(&error))?;
        let Some(whole) = number(&header, 16) else {
            return Err(self.fault(FaultKind::Ends(Missing::Header)));
        };
        let unpacked = &mut self.unpacked;
        let first = unpacked.take(input, 8);
        let first = first.map_err(|error| self.failed(&error))?;
        // Give it back: it is only looked at.
        self.unpacked.from -= first.len();
        self.unpacked.at -= first.len() as u64;
        if number(&first, 0) == Some(whole) {
            return Ok(());
        }
        let mut read = || -> io::Result<Option<()>> {
            let unpacked = &mut self.unpacked;
            // The name of the library, then of those who made it.
            for _ in 0..5 {
                let Some(length) = unpacked.number(input)?.filter(|&length| length < 1 << 20)
                else {
                    return Ok(None);
                };
                unpacked.take(input, length as usize)?;
            }
            // When it was made and changed; how many games there are, and a number.
            let rest = unpacked.take(input, 2 * MOMENT + 8)?;
            Ok((rest.len() == 2 * MOMENT + 8).then_some(()))
        };
        match read() {
            Ok(Some(())) => Ok(()),
            Ok(None) => Err(self.fault(FaultKind::Ends(Missing::Header))),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Reads the next game. False at the end of the file.
    pub(in super::super) fn next(
        &mut self,
        input: &mut dyn BufRead,
        raw: &mut RawRecord,
    ) -> Result<bool, Fault> {
        if !self.opened
            && let Err(fault) = self.open(input)
        {
            self.unpacked.ended = true;
            self.unpacked.ready.clear();
            self.unpacked.from = 0;
            return Err(fault);
        }
        raw.line = 0;
        raw.number = self.games + 1;
        raw.at = self.unpacked.at;
        match self.cut(input, raw) {
            Ok(None) => Ok(false),
            Ok(Some(())) => {
                self.games += 1;
                Ok(true)
            }
            Err(fault) => {
                self.games += 1;
                // Where the next game starts is not known any more.
                self.unpacked.ended = true;
                self.unpacked.from = self.unpacked.ready.len();
                Err(fault)
            }
        }
    }

    fn cut(&mut self, input: &mut dyn BufRead, raw: &mut RawRecord) -> Result<Option<()>, Fault> {
        let length = self.unpacked.take(input, 4);
        let length = length.map_err(|error| self.failed(&error))?;
        if length.is_empty() {
            return Ok(None);
        }
        let Some(length) = number(&length, 0) else {
            return Err(self.fault(FaultKind::Ends(Missing::Game)));
        };
        let rest = usize::try_from(length)
            .ok()
            .and_then(|length| length.checked_sub(4));
        let Some(rest) = rest.filter(|&rest| rest <= LONGEST) else {
            return Err(self.fault(FaultKind::TooLong(LONGEST)));
        };
        raw.at = self.unpacked.at;
        // What is there of a game that breaks off is read, too.
        raw.bytes = self.unpacked.take(input, rest).unwrap_or_else(|_| {
            let ready = self.unpacked.ready.get(self.unpacked.from..);
            ready.unwrap_or_default().to_vec()
        });
        if raw.bytes.is_empty() {
            return Err(self.fault(FaultKind::Ends(Missing::Game)));
        }
        Ok(Some(()))
    }
}

/// A square as the format counts: the file from 0 in one half of the byte, the row from Black's side
/// in the other.
const fn square(byte: u8) -> Option<Square> {
    if byte & 0xF < 10 {
        Square::new(byte >> 4, 9 - (byte & 0xF))
    } else {
        None
    }
}

/// The bytes of a game, taken one after the other.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..)?.get(..length)?;
        self.at += length;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        number(self.take(4)?, 0)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        Some(gbk(self.take(length)?))
    }
}

pub(in super::super) fn old_record(raw: &RawRecord) -> Result<Record, Fault> {
    let mut fields = Fields {
        bytes: &raw.bytes,
        at: 0,
    };
    let short = |fields: &Fields<'_>| raw.at_byte(fields.at, FaultKind::Ends(Missing::Header));
    let Some((setup, mut told)) = head(&mut fields) else {
        return Err(short(&fields));
    };
    let title = told.first().map(|(_, title)| title.clone());
    if setup.pieces().next().is_none() {
        return Err(raw.at_byte(0, FaultKind::Heading(title.unwrap_or_default())));
    }
    let Some((number, more, remark)) = foot(&mut fields) else {
        return Err(short(&fields));
    };
    told.extend(more);
    let Some(count) = fields
        .number()
        .and_then(|count| usize::try_from(count).ok())
    else {
        return Err(short(&fields));
    };
    let list = raw.bytes.get(fields.at..).unwrap_or_default();
    let first = list.get(2).and_then(|&from| square(from));
    let mut record = begun(raw, 0, setup, first)?;
    record.result = result(number);
    for (name, value) in told {
        record.tell(name, value);
    }
    let mut tree = Tree::new(raw, record);
    tree.opening(remark);
    play(list, count, fields.at, &mut tree);
    Ok(tree.finish())
}

type Told = Vec<(&'static str, String)>;

/// The board and what is said about the game before its result.
fn head(fields: &mut Fields<'_>) -> Option<(Setup, Told)> {
    let squares = fields.take(32)?;
    // What kind of game it is, a number, and who is to move.
    let (_, _, turn) = (fields.number()?, fields.number()?, fields.number()?);
    let squares = squares.iter().map(|&byte| {
        // Here files and rows count from 1; 0 is no square.
        let (file, row) = ((byte >> 4).wrapping_sub(1), (byte & 0xF).wrapping_sub(1));
        (row < 10).then(|| Square::new(file, 9 - row)).flatten()
    });
    let setup = placed(side(turn), 0, squares);
    let title = fields.text()?;
    let (one, two) = (fields.text()?, fields.text()?);
    // Of these two the first may be the opening, or the second the round.
    let is_round = two
        .chars()
        .any(|c| c.is_ascii_digit() || c == '轮' || c == '局');
    let (event, other) = if two.is_empty() || is_round {
        (one, ("Round", two))
    } else {
        (two, ("Opening", one))
    };
    let told = vec![
        ("Title", title),
        ("Event", event),
        other,
        ("Date", fields.text()?),
        ("Site", fields.text()?),
        ("Red", fields.text()?),
        ("Black", fields.text()?),
    ];
    Some((setup, told))
}

/// The result, what is said behind it, and what is said about the game as a whole.
fn foot(fields: &mut Fields<'_>) -> Option<(u32, Told, String)> {
    let result = fields.number()?;
    let told = vec![
        ("Annotator", fields.text()?),
        ("AnnotatorMail", fields.text()?),
        ("Author", fields.text()?),
        ("AuthorMail", fields.text()?),
    ];
    let remark = unfolded(&fields.text()?);
    // A byte, then when it was made and changed.
    fields.take(1 + 2 * MOMENT)?;
    Some((result, told, remark))
}

/// Lines are folded into one with `||`.
fn unfolded(text: &str) -> String {
    text.replace("||", "\n").trim().to_owned()
}

/// Plays the moves of a list; behind it stands a line for each of them: what is said about it.
fn play(list: &[u8], count: usize, at: usize, tree: &mut Tree<'_>) {
    let (nodes, text) = list
        .split_at_checked(count.saturating_mul(NODE))
        .unwrap_or((list, &[]));
    let mut comments = text.split(|&byte| byte == b'\n');
    for (i, node) in nodes.as_chunks::<NODE>().0.iter().enumerate() {
        let [low, high, from, to, ..] = *node;
        let depth = usize::from(u16::from_le_bytes([low, high]));
        let mv = match (square(from), square(to)) {
            (Some(from), Some(to)) => Ok(Move::new(from, to)),
            _ => Err(format!("{from:02x}-{to:02x}")),
        };
        let comment = comments.next().map(gbk).unwrap_or_default();
        tree.node(depth, mv, unfolded(&comment), at + i * NODE);
        if !tree.is_whole() {
            return;
        }
    }
    if nodes.len() < count.saturating_mul(NODE) {
        tree.break_off(at + nodes.len(), FaultKind::Ends(Missing::Moves));
    }
}
