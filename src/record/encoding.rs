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
            Self::Gb18030 => encoding_rs::GB18030.encode(text).0,
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

/// A text of a binary format, which says nothing of its encoding: GB18030, or UTF-8 where it cannot
/// be that. Half a character at the end, where a field was too short for it, is left out.
pub(super) fn gbk(bytes: &[u8]) -> String {
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    let decoded = encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    let text = match (decoded, std::str::from_utf8(bytes)) {
        (Some(text), _) => text,
        (None, Ok(text)) => Cow::Borrowed(text),
        (None, Err(_)) => {
            let text = encoding_rs::GB18030.decode_without_bom_handling(bytes).0;
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
