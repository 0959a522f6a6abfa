//! The common texts of GB18030: ASCII and characters of two bytes, as GBK had them.
//!
//! In a game every other character is a digit or a blank, and what is made for long texts of one script takes thrice as
//! much to read it.

use std::sync::OnceLock;

/// The characters of two bytes in the order of their pointers.
fn pairs() -> &'static [u16] {
    static PAIRS: OnceLock<Vec<u16>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let mut bytes = Vec::with_capacity(2 * 126 * 190);
        for first in 0x81..=0xFE_u8 {
            for second in (0x40..=0x7E_u8).chain(0x80..=0xFE) {
                bytes.extend([first, second]);
            }
        }
        let text = encoding_rs::GB18030.decode_without_bom_handling(&bytes).0;
        text.encode_utf16().collect()
    })
}

/// The text, where there is nothing else in it.
pub(super) fn read(bytes: &[u8]) -> Option<String> {
    let pairs = pairs();
    let mut text = String::with_capacity(bytes.len() / 2 * 3 + 3);
    let mut rest = bytes;
    while let [first, behind @ ..] = rest {
        rest = behind;
        if first.is_ascii() {
            text.push(char::from(*first));
            continue;
        }
        let (second, behind) = rest.split_first()?;
        rest = behind;
        let column = match second {
            0x40..=0x7E => second - 0x40,
            0x80..=0xFE => second - 0x41,
            _ => return None,
        };
        let row = usize::from(first.checked_sub(0x81)?);
        let unit = *pairs.get(row * 190 + usize::from(column))?;
        text.push(char::from_u32(u32::from(unit)).filter(|&c| c != '\0')?);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::read;
    use encoding_rs::GB18030;
    use proptest::prelude::*;

    fn compared(bytes: &[u8]) -> bool {
        let read = read(bytes);
        if let Some(text) = &read {
            let whole = GB18030.decode_without_bom_handling_and_without_replacement(bytes);
            assert_eq!(Some(text.as_str()), whole.as_deref(), "{bytes:x?}");
        }
        read.is_some()
    }

    #[test]
    fn every_pair_is_read_or_left_to_others() {
        for first in 0..=255_u8 {
            for second in 0..=255_u8 {
                let pair = matches!((first, second), (0x81..=0xFE, 0x40..=0x7E | 0x80..=0xFE));
                let plain = first.is_ascii() && second.is_ascii();
                assert_eq!(compared(&[first, second]), pair || plain);
                compared(&[first, second, b'1']);
            }
        }
        for text in ["1. 炮二平五 马８进７\r\n", "阿·伯", "Ωж"] {
            assert_eq!(read(&GB18030.encode(text).0).as_deref(), Some(text));
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_as_by_the_tables_that_are_built_in(bytes in proptest::collection::vec(
            prop_oneof![any::<u8>(), 0x30..0x3a_u8, 0x81..=0xFE_u8], 0..40)) {
            compared(&bytes);
        }
    }
}
