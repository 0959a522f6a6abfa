//! GB18030 by a table that the host gives.
//!
//! In a browser and in Node the table is at hand, and a sixth of the module would be nothing else. How bytes
//! become characters, and which of them are none, is as the Encoding Standard of the web has it.

use std::sync::OnceLock;

/// Characters of two bytes.
pub const PAIRS: usize = 126 * 190;
/// Characters of four bytes that are no more than 16 bits.
pub const FOURS: usize = 39_420;
const BEYOND: usize = 189_000;

static TABLE: OnceLock<Table> = OnceLock::new();

/// Takes the table: the characters of two bytes in the order of their pointers, then those of four; 0
/// where there is none. Says whether it was taken; the first stays.
pub fn characters(units: Vec<u16>) -> bool {
    units.len() == PAIRS + FOURS && TABLE.set(Table(units)).is_ok()
}

/// The text, if it is one.
pub(super) fn strict(bytes: &[u8]) -> Option<String> {
    let mut text = String::new();
    turn(TABLE.get(), bytes, |c| c.is_some_and(|c| add(&mut text, c))).then_some(text)
}

/// The text, with what is none replaced.
pub(super) fn lenient(bytes: &[u8]) -> String {
    let mut text = String::new();
    turn(TABLE.get(), bytes, |c| {
        add(&mut text, c.unwrap_or(char::REPLACEMENT_CHARACTER))
    });
    text
}

/// The text in GB18030; `?` for what the table does not have.
pub(super) fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for c in text.chars() {
        let unit = u16::try_from(u32::from(c)).ok();
        let units = TABLE.get().map_or(&[][..], |table| &table.0);
        let at = unit.and_then(|unit| units.iter().position(|&one| one == unit));
        let beyond = usize::try_from(u32::from(c))
            .ok()
            .filter(|_| unit.is_none());
        let beyond = beyond.map(|c| c - 0x1_0000 + BEYOND);
        let four = beyond.or(at.and_then(|at| at.checked_sub(PAIRS)));
        match (c, four, at) {
            ('\0'..='\x7f', ..) => bytes.push(u8::try_from(c).unwrap_or(b'?')),
            (_, Some(n), _) => {
                let digits = [
                    n / 12_600 + 0x81,
                    n / 1_260 % 10 + 0x30,
                    n / 10 % 126 + 0x81,
                    n % 10 + 0x30,
                ];
                bytes.extend(digits.map(|digit| u8::try_from(digit).unwrap_or(b'?')));
            }
            (_, None, Some(at)) => {
                let second = at % 190;
                let digits = [
                    at / 190 + 0x81,
                    second + if second < 0x3F { 0x40 } else { 0x41 },
                ];
                bytes.extend(digits.map(|digit| u8::try_from(digit).unwrap_or(b'?')));
            }
            (_, None, None) => bytes.push(b'?'),
        }
    }
    bytes
}

fn add(text: &mut String, c: char) -> bool {
    text.push(c);
    true
}

#[derive(Debug)]
struct Table(Vec<u16>);

impl Table {
    fn at(&self, pointer: usize) -> Option<char> {
        let unit = self.0.get(pointer).filter(|&&unit| unit != 0)?;
        char::from_u32(u32::from(*unit))
    }

    fn four(&self, pointer: usize) -> Option<char> {
        match pointer {
            ..FOURS => self.at(PAIRS + pointer),
            BEYOND.. => char::from_u32(u32::try_from(pointer - BEYOND + 0x1_0000).ok()?),
            FOURS..BEYOND => None,
        }
    }
}

/// Gives one character after the other, nothing for what is none, as long as they are taken; says whether
/// all were.
fn turn(
    table: Option<&Table>,
    mut bytes: &[u8],
    mut take: impl FnMut(Option<char>) -> bool,
) -> bool {
    while let [first, rest @ ..] = bytes {
        let (c, length) = match (first, rest) {
            (..0x80, _) => (Some(char::from(*first)), 1),
            (0x80, _) => (Some('€'), 1),
            (0x81..=0xFE, [b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9', ..]) => {
                let at =
                    |i: usize, from: u8| rest.get(i).map_or(0, |&byte| usize::from(byte - from));
                let four =
                    ((usize::from(first - 0x81) * 10 + at(0, b'0')) * 126 + at(1, 0x81)) * 10;
                (table.and_then(|table| table.four(four + at(2, b'0'))), 4)
            }
            // Cut off: what is left is one that is none.
            (0x81..=0xFE, [] | [b'0'..=b'9'] | [b'0'..=b'9', 0x81..=0xFE]) => (None, bytes.len()),
            (0xFF, _) | (0x81..=0xFE, [b'0'..=b'9', ..]) => (None, 1),
            (0x81..=0xFE, [second, ..]) => {
                let from = if *second < 0x7F { 0x40 } else { 0x41 };
                let valid = matches!(second, 0x40..=0x7E | 0x80..=0xFE);
                let pointer = || usize::from(first - 0x81) * 190 + usize::from(second - from);
                let c = table
                    .filter(|_| valid)
                    .and_then(|table| table.at(pointer()));
                (
                    c,
                    if c.is_none() && second.is_ascii() {
                        1
                    } else {
                        2
                    },
                )
            }
        };
        if !take(c) {
            return false;
        }
        bytes = bytes.get(length..).unwrap_or_default();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{FOURS, PAIRS, characters, encode, lenient, strict};
    use encoding_rs::GB18030;
    use proptest::prelude::*;

    fn one(bytes: &[u8]) -> u16 {
        let text = GB18030.decode_without_bom_handling_and_without_replacement(bytes);
        let mut units = text.iter().flat_map(|text| text.encode_utf16());
        match (units.next(), units.next()) {
            (Some(unit), None) => unit,
            _ => 0,
        }
    }

    /// As a host makes it.
    fn given() {
        let byte = |number: usize| u8::try_from(number).unwrap();
        let pairs = (0..PAIRS).map(|pointer| {
            let second = pointer % 190;
            let from = if second < 0x3F { 0x40 } else { 0x41 };
            one(&[byte(pointer / 190 + 0x81), byte(second + from)])
        });
        let fours = (0..FOURS).map(|n| {
            one(&[
                byte(n / 12_600 + 0x81),
                byte(n / 1_260 % 10 + 0x30),
                byte(n / 10 % 126 + 0x81),
                byte(n % 10 + 0x30),
            ])
        });
        characters(pairs.chain(fours).collect());
    }

    fn compared(bytes: &[u8]) {
        let (mended, _) = GB18030.decode_without_bom_handling(bytes);
        assert_eq!(lenient(bytes), mended, "{bytes:x?}");
        let whole = GB18030.decode_without_bom_handling_and_without_replacement(bytes);
        assert_eq!(strict(bytes).as_deref(), whole.as_deref(), "{bytes:x?}");
    }

    #[test]
    fn every_pair_and_what_is_cut_off_is_as_by_the_tables_that_are_built_in() {
        given();
        for first in 0..=255_u8 {
            for second in 0..=255 {
                compared(&[first, second]);
                compared(&[first, second, 0x85]);
                compared(&[first, second, 0xB1, 0x31]);
                compared(&[first, second, 0xB1, 0x31, 0xC5, 0xDA]);
            }
        }
        assert!(!characters(vec![0; 7]));
    }

    #[test]
    fn what_is_written_is_as_by_the_tables_that_are_built_in() {
        given();
        let text = "炮二平五，車8进7 José \u{e5e6}㐀𠀀\u{10ffff}";
        assert_eq!(encode(text), *GB18030.encode(text).0);
    }

    proptest! {
        #[test]
        fn bytes_are_as_by_the_tables_that_are_built_in(bytes in proptest::collection::vec(
            prop_oneof![any::<u8>(), 0x30..0x3a_u8, 0x81..=0xFE_u8], 0..40)) {
            given();
            compared(&bytes);
        }
    }
}
