//! How the characters of a file are encoded.

use std::borrow::Cow;
use std::str::FromStr;

/// How the characters of a file are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Found out game by game: UTF-8 where it can be that, else GB18030.
    #[default]
    Auto,
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// GB18030, and with it GB2312 and GBK.
    Gb18030,
}

impl Encoding {
    /// The text in this encoding; UTF-8 where it is to be found out.
    ///
    /// ```
    /// use qili::record::Encoding;
    /// assert_eq!(&*Encoding::Gb18030.encode("炮"), [0xC5, 0xDA]);
    /// ```
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Self::Auto | Self::Utf8 => Cow::Borrowed(text.as_bytes()),
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            Self::Gb18030 => encoding_rs::GB18030.encode(text).0,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Self::Gb18030 => super::gb18030::encode(text).into(),
        }
    }

    /// `auto`, `utf-8` or `gb18030`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Utf8 => "utf-8",
            Self::Gb18030 => "gb18030",
        }
    }
}

/// The text names no encoding that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown encoding `{0}`: expected `auto`, `utf-8` or `gb18030`")]
pub struct ParseEncodingError(pub String);

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "auto" => Ok(Self::Auto),
            "utf-8" | "utf8" => Ok(Self::Utf8),
            "gb18030" | "gbk" | "gb2312" => Ok(Self::Gb18030),
            _ => Err(ParseEncodingError(text.to_owned())),
        }
    }
}

/// A text of GB18030, if it is one.
pub(super) fn gb18030(bytes: &[u8]) -> Option<Cow<'_, str>> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return super::gb18030::strict(bytes).map(Cow::Owned);
}

/// The same of a whole game in words. Where there are many the table pays that their common characters are read by; the
/// few words of a field are read without.
pub(super) fn gb18030_game(bytes: &[u8]) -> Option<Cow<'_, str>> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    if let Some(text) = super::gbk::read(bytes) {
        return Some(Cow::Owned(text));
    }
    gb18030(bytes)
}

/// A text of GB18030, with what is none replaced.
pub(super) fn gb18030_mended(bytes: &[u8]) -> Cow<'_, str> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return encoding_rs::GB18030.decode_without_bom_handling(bytes).0;
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return super::gb18030::lenient(bytes).into();
}

/// A text of a binary format, which says nothing of its encoding: GB18030, or UTF-8 where it cannot
/// be that. Half a character at the end, where a field was too short for it, is left out.
pub(super) fn gbk(bytes: &[u8]) -> String {
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    let text = match (gb18030(bytes), std::str::from_utf8(bytes)) {
        (Some(text), _) => text,
        (None, Ok(text)) => Cow::Borrowed(text),
        (None, Err(_)) => {
            let text = gb18030_mended(bytes);
            text.trim_end_matches('\u{FFFD}').to_owned().into()
        }
    };
    text.trim().to_owned()
}

/// A text of two bytes a character, up to its end or the first zero.
pub(super) fn utf16(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter();
    let units = units.map(|&unit| u16::from_le_bytes(unit));
    let units = units.take_while(|&unit| unit != 0);
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or('\u{FFFD}'))
        .collect()
}

/// Turns UTF-16 into UTF-8 as it comes.
#[derive(Debug)]
pub(super) struct Utf16 {
    big: bool,
    /// The beginning of a character of which more is to come.
    begun: Vec<u8>,
}

impl Utf16 {
    pub(super) const fn new(big: bool) -> Self {
        let begun = Vec::new();
        Self { big, begun }
    }

    /// Adds what the bytes say; with the last of them, also what is cut off.
    pub(super) fn turn(&mut self, bytes: &[u8], text: &mut Vec<u8>, last: bool) {
        self.begun.extend_from_slice(bytes);
        let (pairs, odd) = self.begun.as_chunks::<2>();
        let unit = if self.big {
            u16::from_be_bytes
        } else {
            u16::from_le_bytes
        };
        let mut units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
        let half = units
            .last()
            .is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        let mut left = odd.len();
        if half && (!last || left > 0) {
            units.pop();
            left += 2;
        }
        let characters = char::decode_utf16(units);
        let characters = characters.map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        let cut = (last && left > 0).then_some(char::REPLACEMENT_CHARACTER);
        let told: String = characters.chain(cut).collect();
        text.extend_from_slice(told.as_bytes());
        let done = if last {
            self.begun.len()
        } else {
            self.begun.len() - left
        };
        self.begun.drain(..done);
    }
}

#[cfg(test)]
mod tests {
    use super::Utf16;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn utf_16_is_turned_as_the_web_does_however_it_comes(big: bool, cuts in proptest::collection::vec(0..9_usize, 0..12),
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), 0xD7..0xE1_u8], 0..60)) {
            let encoding = if big { encoding_rs::UTF_16BE } else { encoding_rs::UTF_16LE };
            let (told, _) = encoding.decode_without_bom_handling(&bytes);
            let (mut turned, mut text, mut rest) = (Utf16::new(big), Vec::new(), &bytes[..]);
            for cut in cuts {
                let (some, more) = rest.split_at(cut.min(rest.len()));
                turned.turn(some, &mut text, false);
                rest = more;
            }
            turned.turn(rest, &mut text, true);
            prop_assert_eq!(String::from_utf8(text).unwrap(), told);
        }
    }
}
