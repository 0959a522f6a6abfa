//! A library of 象棋桥 3: a header, an introduction, an index with room for so many games, then the
//! games, each from the start of a block of 4,096 bytes.

use super::super::LARGEST_FILE;
use super::super::fault::{Fault, FaultKind, Missing, Place};
use super::super::raw::RawRecord;
use super::number;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{BufRead, Read};

/// Where the header says how many games the index has room for.
const CAPACITY: usize = 60;
/// Where the index starts.
const INDEX: usize = 66_624;
/// How long an entry of it is.
const ENTRY: usize = 276;
const BLOCK: usize = 4_096;
/// An index has room for no more games.
const MOST: usize = 1 << 16;
const MAGIC: &[u8] = b"CCBridge Record\0";
/// Where the number of a game stands that tells it from all others, in the game.
const NAME: std::ops::Range<usize> = 20..36;
/// The same in words, in an entry.
const NAME_IN_WORDS: std::ops::Range<usize> = 20..96;
/// The bit of an entry's first number that is set as long as the game is not deleted.
const IN_USE: u32 = 2;

/// Cuts a library into games.
#[derive(Debug, Default)]
pub(in super::super) struct Library {
    opened: bool,
    games: u64,
    /// How many bytes have been read.
    at: u64,
    /// The block that starts the next game.
    ahead: Vec<u8>,
    deleted: HashSet<String>,
}

impl Library {
    fn fault(&self, kind: FaultKind) -> Fault {
        Fault::new(self.games + 1, Place::Byte(self.at), None, kind)
    }

    fn read(&mut self, input: &mut dyn BufRead, length: usize) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        let read = input.take(length as u64).read_to_end(&mut bytes);
        let read = read.map_err(|error| self.fault(FaultKind::Io(error.to_string())))?;
        self.at += read as u64;
        Ok(bytes)
    }

    /// Reads header and index.
    fn open(&mut self, input: &mut dyn BufRead) -> Result<(), Fault> {
        self.opened = true;
        let header = self.read(input, INDEX)?;
        let room = number(&header, CAPACITY).and_then(|room| usize::try_from(room).ok());
        let whole = header.len() == INDEX;
        let Some(room) = room.filter(|room| whole && (1..=MOST).contains(room)) else {
            return Err(self.fault(FaultKind::Ends(Missing::Header)));
        };
        for _ in 0..room {
            let entry = self.read(input, ENTRY)?;
            if entry.len() < ENTRY {
                return Err(self.fault(FaultKind::Ends(Missing::Header)));
            }
            let state = number(&entry, 0).unwrap_or(0);
            if state > 0 && state & IN_USE == 0 {
                let name = entry.get(NAME_IN_WORDS).unwrap_or_default();
                self.deleted.insert(super::super::encoding::utf16(name));
            }
        }
        Ok(())
    }

    /// Reads the next game. False at the end of the file.
    pub(in super::super) fn next(
        &mut self,
        input: &mut dyn BufRead,
        raw: &mut RawRecord,
    ) -> Result<bool, Fault> {
        if !self.opened {
            self.open(input)?;
        }
        raw.line = 0;
        let mut block = std::mem::take(&mut self.ahead);
        // Blocks that start no game before the first belong to none.
        while !block.starts_with(MAGIC) {
            block = self.read(input, BLOCK)?;
            if block.is_empty() {
                return Ok(false);
            }
        }
        self.games += 1;
        raw.number = self.games;
        raw.at = self.at - block.len() as u64;
        raw.bytes = block;
        loop {
            let block = self.read(input, BLOCK)?;
            if block.is_empty() || block.starts_with(MAGIC) {
                self.ahead = block;
                break;
            }
            if raw.bytes.len() + block.len() > LARGEST_FILE {
                return Err(raw.at_byte(0, FaultKind::TooLong(LARGEST_FILE)));
            }
            raw.bytes.extend_from_slice(&block);
        }
        let name = raw.bytes.get(NAME).and_then(|name| name.first_chunk());
        raw.deleted = name.is_some_and(|name| self.deleted.contains(&in_words(name)));
        Ok(true)
    }
}

/// The number of a game as it is written: `{72562BB0-7FAD-47CA-B20B-CD80FF5977EF}`, its first groups
/// with the least byte first.
fn in_words(name: &[u8; 16]) -> String {
    const ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    let mut words = String::from("{");
    for (place, index) in ORDER.into_iter().enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            words.push('-');
        }
        let byte = name.get(index).copied().unwrap_or_default();
        let _ = write!(words, "{byte:02X}");
    }
    words.push('}');
    words
}
