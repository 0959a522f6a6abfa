//! Game records: PGN with Chinese or English tags, moves in any notation, GB18030 or UTF-8.
//!
//! A file is read game by game, however large it is. [`PgnReader`] as an iterator gives each game
//! played through; [`PgnReader::read_raw`] only finds where games start and end, for those who
//! look at the tags first. Comments, variations and glyphs are passed over. A bad game is told
//! with its number, line, column and move, and the next one is read all the same.
//!
//! ```
//! use qili::notation::Notation;
//! use qili::notation::pgn::PgnReader;
//! let text = "[赛事 \"例\"]\n[红方 \"甲\"]\n\n1. 炮二平五 {中炮} 马8进7 (车9进1) 2. H2+3 *\n";
//! for game in PgnReader::new(text.as_bytes()) {
//!     let game = game?;
//!     assert_eq!(game.tag("Red"), Some("甲"));
//!     assert_eq!(game.moves.len(), 3);
//!     assert!(game.write(Notation::English).contains("1. C2=5 H8+7 2. H2+3 *"));
//! }
//! # Ok::<_, qili::notation::pgn::PgnError>(())
//! ```

mod raw;
mod reader;
mod record;

pub use raw::{RawGame, Tag};
pub use reader::PgnReader;
pub use record::Record;

use super::error::MoveError;
use super::fen::FenError;
use super::scan::{Location, ScanFault};
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
    /// use qili::notation::pgn::Encoding;
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

/// A game record that cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnError {
    /// Which game of the file, from 1.
    pub game: u64,
    /// Where: the line counts from the start of the file, the byte from that of the game.
    pub location: Location,
    /// How many moves of the game come before, where the fault is in the moves.
    pub index: Option<usize>,
    /// What is wrong there.
    pub fault: PgnFault,
}

/// What can be wrong with a game record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PgnFault {
    /// The file cannot be read on.
    #[error("the file cannot be read: {0}")]
    Io(String),
    /// The bytes are no text.
    #[error("the game is no text in {}", match .0 {
        Encoding::Auto => "UTF-8 or GB18030",
        Encoding::Utf8 => "UTF-8",
        Encoding::Gb18030 => "GB18030",
    })]
    Encoding(Encoding),
    /// A game too long to be one.
    #[error("the game is longer than {0} bytes")]
    TooLong(usize),
    /// A tag that cannot be read.
    #[error("the tag cannot be read: expected `[Name \"value\"]`")]
    Tag,
    /// A position that cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The moves cannot be taken apart.
    #[error(transparent)]
    Text(#[from] ScanFault),
    /// A move cannot be played.
    #[error(transparent)]
    Move(Box<MoveError>),
    /// Moves go on behind the result.
    #[error("`{0}` stands behind the result: expected the next game's tags")]
    BehindResult(String),
}

impl PgnFault {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "pgn_io",
            Self::Encoding(_) => "pgn_encoding",
            Self::TooLong(_) => "pgn_too_long",
            Self::Tag => "pgn_tag",
            Self::Fen(error) => error.code(),
            Self::Text(fault) => fault.code(),
            Self::Move(error) => error.code(),
            Self::BehindResult(_) => "pgn_behind_result",
        }
    }

    /// The fault in Chinese.
    pub fn zh(&self) -> String {
        match self {
            Self::Io(error) => format!("文件无法读取：{error}"),
            Self::Encoding(Encoding::Auto) => "文字编码不是 UTF-8，也不是 GB18030".to_owned(),
            Self::Encoding(encoding) => format!("文字编码不是 {}", encoding.id()),
            Self::TooLong(most) => format!("棋谱超过{most}字节"),
            Self::Tag => "标签无法读取：应为 [名称 \"内容\"]".to_owned(),
            Self::Fen(error) => error.zh(),
            Self::Text(fault) => fault.zh(),
            Self::Move(error) => error.zh(),
            Self::BehindResult(text) => format!("结果之后还有“{text}”：应为下一局的标签"),
        }
    }
}

impl PgnError {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// The error in Chinese.
    pub fn zh(&self) -> String {
        let nth = self
            .index
            .map(|index| format!("，第{}着", index + 1))
            .unwrap_or_default();
        format!(
            "第{}局，{}{nth}：{}",
            self.game,
            self.location.zh(),
            self.fault.zh()
        )
    }
}

impl std::fmt::Display for PgnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "game {}, {}", self.game, self.location)?;
        if let Some(index) = self.index {
            write!(f, ", move {}", index + 1)?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl std::error::Error for PgnError {}
