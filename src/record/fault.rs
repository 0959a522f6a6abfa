//! What is wrong with a record, and what is only worth a word.

use super::Encoding;
use super::form::Looks;
use crate::notation::fen::FenError;
use crate::notation::{Location, MoveError, ScanFault};

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Of a text: the line counts from the start of the file, the byte from that of the game.
    Text(Location),
    /// Of other files: how many bytes come before. Of packed ones, the bytes they were packed from.
    Byte(u64),
}

impl Place {
    fn zh(self) -> String {
        match self {
            Self::Text(location) => location.zh(),
            Self::Byte(byte) => format!("第{byte}字节"),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(location) => location.fmt(f),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// A game record that cannot be read, or not to its end, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which game of the file, from 1.
    pub game: u64,
    /// Where.
    pub place: Place,
    /// How many moves of the game come before, where the fault is in the moves.
    pub index: Option<usize>,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// What can be wrong with a game record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The file cannot be read on.
    #[error("the file cannot be read: {0}")]
    Io(String),
    /// The file is no record.
    #[error("{}: what is read is {READ}", .0.en())]
    NoRecord(Looks),
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
    /// More moves than a game has.
    #[error("the game has more than {0} moves")]
    TooManyMoves(usize),
    /// A tag that cannot be read.
    #[error("the tag cannot be read: expected `[Name \"value\"]`")]
    Tag,
    /// A position that cannot be read, or cannot be.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The moves cannot be taken apart.
    #[error(transparent)]
    Text(#[from] ScanFault),
    /// A move cannot be played.
    #[error(transparent)]
    Move(Box<MoveError>),
    /// A move that names no squares of the board.
    #[error("`{0}` names no two squares of the board")]
    Squares(String),
    /// The file ends, or a length in it points beyond its end.
    #[error("the file breaks off: {0}")]
    Ends(Missing),
    /// What is packed cannot be unpacked.
    #[error("what is packed cannot be unpacked")]
    Packed,
    /// No pieces and no moves: a heading in a library.
    #[error("a heading, not a game: there are no pieces{}", title(.0, ": `", "`"))]
    Heading(String),
    /// A row of JSON that is no game.
    #[error("the row is no game: {0}")]
    Row(String),
}

/// What a file that breaks off should still have had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The header.
    Header,
    /// The rest of the moves.
    Moves,
    /// The rest of a comment.
    Comment,
    /// The rest of the game.
    Game,
}

impl Missing {
    const fn both(self) -> (&'static str, &'static str) {
        match self {
            Self::Header => ("the header is not whole", "文件头不全"),
            Self::Moves => ("more moves were to come", "其后还应有着法"),
            Self::Comment => ("a comment is not whole", "注释不全"),
            Self::Game => ("more of the game was to come", "棋局不全"),
        }
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.both().0)
    }
}

/// What is read, for those who gave something else.
const READ: &str = "XQF, CBL, CBR, CBF, DhtmlXQ, PGN and lists of moves, `position … moves …`, \
                    chessdb.cn links, and rows of JSON as `qili convert` writes them";
const READ_ZH: &str = "XQF、CBL、CBR、CBF、东萍 DhtmlXQ、PGN 和着法文本、position … moves …、chessdb.cn 链接，\
                       以及 qili convert 所写的 JSON 行";

fn title(title: &str, before: &str, behind: &str) -> String {
    if title.is_empty() {
        String::new()
    } else {
        format!("{before}{title}{behind}")
    }
}

impl FaultKind {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "pgn_io",
            Self::NoRecord(_) => "no_record",
            Self::Encoding(_) => "pgn_encoding",
            Self::TooLong(_) => "pgn_too_long",
            Self::TooManyMoves(_) => "too_many_moves",
            Self::Tag => "pgn_tag",
            Self::Fen(error) => error.code(),
            Self::Text(fault) => fault.code(),
            Self::Move(error) => error.code(),
            Self::Squares(_) => "move_off_board",
            Self::Ends(_) => "record_breaks_off",
            Self::Packed => "record_packed",
            Self::Heading(_) => "record_heading",
            Self::Row(_) => "record_row",
        }
    }

    /// The fault in Chinese.
    pub fn zh(&self) -> String {
        match self {
            Self::Io(error) => format!("文件无法读取：{error}"),
            Self::NoRecord(looks) => format!("{}；能读的是{READ_ZH}", looks.zh()),
            Self::Encoding(Encoding::Auto) => "文字编码不是 UTF-8，也不是 GB18030".to_owned(),
            Self::Encoding(encoding) => format!("文字编码不是 {}", encoding.id()),
            Self::TooLong(most) => format!("棋谱超过{most}字节"),
            Self::TooManyMoves(most) => format!("棋谱超过{most}着"),
            Self::Tag => "标签无法读取：应为 [名称 \"内容\"]".to_owned(),
            Self::Fen(error) => error.zh(),
            Self::Text(fault) => fault.zh(),
            Self::Move(error) => error.zh(),
            Self::Squares(text) => format!("“{text}”不是棋盘上的两个点"),
            Self::Ends(missing) => format!("文件中断：{}", missing.both().1),
            Self::Packed => "压缩的内容无法解开".to_owned(),
            Self::Heading(text) => format!("是标题，不是棋局：没有棋子{}", title(text, "（", "）")),
            Self::Row(error) => format!("此行不是棋局：{error}"),
        }
    }
}

impl Fault {
    pub(super) const fn new(
        game: u64,
        place: Place,
        index: Option<usize>,
        kind: FaultKind,
    ) -> Self {
        Self {
            game,
            place,
            index,
            kind,
        }
    }

    /// A stable name.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Whether there was no game to be read, and nothing lost.
    pub const fn is_heading(&self) -> bool {
        matches!(self.kind, FaultKind::Heading(_))
    }

    /// The line of a text.
    pub const fn line(&self) -> Option<u64> {
        match self.place {
            Place::Text(location) => Some(location.line),
            Place::Byte(_) => None,
        }
    }

    /// The fault as it is told where it is known which game is meant, in Chinese and English.
    pub fn of_the_game(&self) -> (String, String) {
        let (zh, en) = match self.index {
            Some(index) => (
                format!("，第{}着", index + 1),
                format!(", move {}", index + 1),
            ),
            None => Default::default(),
        };
        (
            format!("{}{zh}：{}", self.place.zh(), self.kind.zh()),
            format!("{}{en}: {}", self.place, self.kind),
        )
    }

    /// The fault in Chinese.
    pub fn zh(&self) -> String {
        format!("第{}局，{}", self.game, self.of_the_game().0)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "game {}, {}", self.game, self.of_the_game().1)
    }
}

impl std::error::Error for Fault {}

/// Something about a record that was read all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Remark {
    /// Text behind the result, or below the game.
    #[error("`{0}` stands behind the game and is not read")]
    Behind(String),
    /// Variations that were not kept.
    #[error("{0} variations are not kept")]
    Variations(usize),
    /// The record says one side is to move, and the other's piece moves first.
    #[error("the record says that the other side moves first")]
    OtherSideFirst,
    /// Its library says that the game was deleted.
    #[error("the library says that this game was deleted")]
    Deleted,
    /// Squares count their ranks from 1.
    #[error("ranks are counted from 1")]
    CountedFromOne,
}

impl Remark {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Behind(_) => "behind_game",
            Self::Variations(_) => "variations_not_kept",
            Self::OtherSideFirst => "other_side_first",
            Self::Deleted => "deleted",
            Self::CountedFromOne => "counted_from_one",
        }
    }

    /// The remark in Chinese.
    pub fn zh(&self) -> String {
        match self {
            Self::Behind(text) => format!("“{text}”在棋局之后，未读"),
            Self::Variations(count) => format!("有{count}个变着未保留"),
            Self::OtherSideFirst => "棋谱所记的先走方与第一着不符".to_owned(),
            Self::Deleted => "棋谱库标明此局已删除".to_owned(),
            Self::CountedFromOne => "横线从1数起".to_owned(),
        }
    }
}
