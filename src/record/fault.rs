//! What is wrong with a record, and what is only worth a word.

use super::Encoding;
use super::form::Looks;
use crate::language::{Text, both, in_both};
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
    /// The place in both languages.
    pub fn text(self) -> Text {
        match self {
            Self::Text(location) => location.text(),
            Self::Byte(byte) => both!("byte {byte}", "第{byte}字节"),
        }
    }
}

in_both!(Place);

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
    Io(String),
    /// The file is no record.
    NoRecord(Looks),
    /// The bytes are no text.
    Encoding(Encoding),
    /// A game too long to be one.
    TooLong(usize),
    /// More moves than a game has.
    TooManyMoves(usize),
    /// A tag that cannot be read.
    Tag,
    /// A position that cannot be read, or cannot be.
    Fen(#[from] FenError),
    /// The moves cannot be taken apart.
    Text(#[from] ScanFault),
    /// A move cannot be played.
    Move(Box<MoveError>),
    /// A move that names no squares of the board.
    Squares(String),
    /// The file ends, or a length in it points beyond its end.
    Ends(Missing),
    /// What is packed cannot be unpacked.
    Packed,
    /// No pieces and no moves: a heading in a library.
    Heading(String),
    /// A row of JSON that is no game.
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
    fn text(self) -> Text {
        match self {
            Self::Header => both!("the header is not whole", "文件头不全"),
            Self::Moves => both!("more moves were to come", "其后还应有着法"),
            Self::Comment => both!("a comment is not whole", "注释不全"),
            Self::Game => both!("more of the game was to come", "棋局不全"),
        }
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

    /// The fault in both languages.
    pub fn text(&self) -> Text {
        match self {
            Self::Io(error) => both!("the file cannot be read: {error}", "文件无法读取：{error}"),
            Self::NoRecord(looks) => both!(
                looks = looks.text();
                "{looks}: what is read is XQF, CBL, CBR, CBF, DhtmlXQ, PGN and lists of moves, `position … moves …`, \
                 chessdb.cn links, and rows of JSON as `qili convert` writes them",
                "{looks}；能读的是XQF、CBL、CBR、CBF、东萍 DhtmlXQ、PGN 和着法文本、position … moves …、chessdb.cn 链接，\
                 以及 qili convert 所写的 JSON 行",
            ),
            Self::Encoding(encoding) => {
                let name = match encoding {
                    Encoding::Auto => {
                        return both!(
                            "the game is no text in UTF-8 or GB18030",
                            "文字编码不是 UTF-8，也不是 GB18030",
                        );
                    }
                    Encoding::Utf8 => "UTF-8",
                    Encoding::Gb18030 => "GB18030",
                };
                both!("the game is no text in {name}", "文字编码不是 {name}")
            }
            Self::TooLong(most) => {
                both!("the game is longer than {most} bytes", "棋谱超过{most}字节")
            }
            Self::TooManyMoves(most) => {
                both!("the game has more than {most} moves", "棋谱超过{most}着")
            }
            Self::Tag => both!(
                "the tag cannot be read: expected `[Name \"value\"]`",
                "标签无法读取：应为 [名称 \"内容\"]",
            ),
            Self::Fen(error) => error.text(),
            Self::Text(fault) => fault.text(),
            Self::Move(error) => error.text(),
            Self::Squares(text) => both!(
                "`{text}` names no two squares of the board",
                "“{text}”不是棋盘上的两个点",
            ),
            Self::Ends(missing) => {
                both!(missing = missing.text(); "the file breaks off: {missing}", "文件中断：{missing}")
            }
            Self::Packed => both!("what is packed cannot be unpacked", "压缩的内容无法解开"),
            Self::Heading(title) => both!(
                title = both!(": `{title}`", "（{title}）").only_if(!title.is_empty());
                "a heading, not a game: there are no pieces{title}",
                "是标题，不是棋局：没有棋子{title}",
            ),
            Self::Row(error) => both!("the row is no game: {error}", "此行不是棋局：{error}"),
        }
    }
}

in_both!(FaultKind);

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

    /// The fault as it is told where it is known which game is meant.
    pub fn of_the_game(&self) -> Text {
        let ply = self.index.map_or_else(Text::default, |index| {
            let number = index + 1;
            both!(", move {number}", "，第{number}着")
        });
        both!(at = self.place.text(), ply, kind = self.kind.text(); "{at}{ply}: {kind}", "{at}{ply}：{kind}")
    }

    /// The fault in both languages.
    pub fn text(&self) -> Text {
        let game = self.game;
        both!(fault = self.of_the_game(); "game {game}, {fault}", "第{game}局，{fault}")
    }
}

in_both!(error Fault);

/// Something about a record that was read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// Text behind the result, or below the game.
    Behind(String),
    /// Variations that were not kept.
    Variations(usize),
    /// The record says one side is to move, and the other's piece moves first.
    OtherSideFirst,
    /// Its library says that the game was deleted.
    Deleted,
    /// Squares count their ranks from 1.
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

    /// The remark in both languages.
    pub fn text(&self) -> Text {
        match self {
            Self::Behind(text) => both!(
                "`{text}` stands behind the game and is not read",
                "“{text}”在棋局之后，未读",
            ),
            Self::Variations(count) => {
                both!("{count} variations are not kept", "有{count}个变着未保留")
            }
            Self::OtherSideFirst => both!(
                "the record says that the other side moves first",
                "棋谱所记的先走方与第一着不符",
            ),
            Self::Deleted => both!(
                "the library says that this game was deleted",
                "棋谱库标明此局已删除",
            ),
            Self::CountedFromOne => both!("ranks are counted from 1", "横线从1数起"),
        }
    }
}

in_both!(error Remark);
