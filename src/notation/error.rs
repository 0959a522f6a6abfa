//! What can be wrong with a written move, told so that whoever wrote it can put it right.

use super::likes::file_number;
use super::symbol::Place;
use super::write::{Notation, write_move};
use super::written::Which;
use crate::board::{Move, Piece, Position, Role, Side, Square};
use std::fmt;

/// A legal move with its Chinese name.
#[derive(Clone, PartialEq, Eq)]
pub struct NamedMove {
    /// The move.
    pub mv: Move,
    /// Its name in the position it was found in.
    pub chinese: String,
}

impl NamedMove {
    /// Names a move.
    pub fn new(position: &Position, mv: Move) -> Self {
        Self {
            mv,
            chinese: write_move(position, mv, Notation::Chinese),
        }
    }
}

impl fmt::Display for NamedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.mv, self.chinese)
    }
}

impl fmt::Debug for NamedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no legal move of the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveError {
    /// As written, shortened where it is very long.
    pub text: String,
    /// What is wrong.
    pub fault: MoveFault,
    /// The legal moves of the piece meant; where the text is ambiguous, the candidates.
    pub moves: Vec<NamedMove>,
    /// Whether the side to move had no legal move at all: the game was over.
    pub over: bool,
}

/// What is wrong with a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveFault {
    /// No text.
    #[error("is empty: expected a move such as `h2e2`, `炮二平五` or `C2=5`")]
    Empty,
    /// No notation has such a text.
    #[error(
        "is no move: expected two squares (`h2e2`), Chinese (`炮二平五`, `前马退四`), the short form (`炮25`), or `C2=5`"
    )]
    Unreadable,
    /// Nothing stands where the move starts.
    #[error("starts on {0}, where nothing stands")]
    NoPiece(Square),
    /// The piece is the other side's.
    #[error("moves {}'s {} on {square}, but it is {}'s turn", piece.side.en(), piece.role.id(), piece.side.opponent().en())]
    WrongSide {
        /// Where it stands.
        square: Square,
        /// What it is.
        piece: Piece,
    },
    /// The side has no such piece there.
    #[error("{}", no_such_piece(*.piece, *.which))]
    NoSuchPiece {
        /// What is looked for.
        piece: Piece,
        /// Where.
        which: Which,
    },
    /// An own piece stands on the target.
    #[error("would capture {}'s own {} on {}", piece.side.en(), piece.role.id(), mv.to)]
    OwnPiece {
        /// The move.
        mv: Move,
        /// The piece on its target.
        piece: Piece,
    },
    /// A piece stands in the way, or the screen a cannon needs is missing.
    #[error("{}", hindered(*.piece, *.mv, *.at))]
    Hindered {
        /// The move.
        mv: Move,
        /// What moves.
        piece: Piece,
        /// A horse's leg or an elephant's eye.
        at: Option<Square>,
    },
    /// The piece does not move like that.
    #[error("is not how {} moves", one(.0.role))]
    Impossible(Piece),
    /// The kings would face each other.
    #[error("would leave the kings facing each other (自杀, clause 3.4 of the CXA rules)")]
    KingsFace(Move),
    /// The own king could be captured.
    #[error("would give up the king to {} (自杀, clause 3.4 of the CXA rules)", squares(.by, ", "))]
    GivesKing {
        /// The move.
        mv: Move,
        /// The pieces that would attack it.
        by: Vec<Square>,
    },
    /// The side is in check and would stay so.
    #[error(
        "does not answer the check: the king would still be attacked from {} (自杀, clause 3.4 of the CXA rules)",
        squares(.by, ", ")
    )]
    IgnoresCheck {
        /// The move.
        mv: Move,
        /// The pieces that would attack the king.
        by: Vec<Square>,
    },
    /// More than one legal move is written like that.
    #[error("is ambiguous: several legal moves are written like that")]
    Ambiguous,
}

fn squares(squares: &[Square], joiner: &str) -> String {
    squares
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(joiner)
}

fn no_such_piece(piece: Piece, which: Which) -> String {
    let (side, role) = (piece.side.en(), piece.role.id());
    match which {
        Which::Any => format!("moves {}, but {side} has none", one(piece.role)),
        Which::File(file) => {
            let letter = file_letter(piece.side, file);
            format!(
                "moves {} on file {file} ({letter}), but {side} has none there",
                one(piece.role)
            )
        }
        Which::Place(Place::Middle) => {
            format!("moves the middle {role}, but {side} has no three on one file")
        }
        Which::Place(place) => {
            format!(
                "moves the {} {role}, but {side} has no two on one file",
                place.en()
            )
        }
        Which::PlaceOnFile(place, file) => {
            let letter = file_letter(piece.side, file);
            format!(
                "moves the {} {role} of file {file} ({letter}), but {side} has none in line there",
                place.en()
            )
        }
        Which::Order(order) => {
            format!(
                "moves {role} number {order} of those that stand in line, but {side} has no such {role}"
            )
        }
        Which::OrderOnFile(order, file) => {
            let letter = file_letter(piece.side, file);
            format!(
                "moves {role} number {order} of file {file} ({letter}), but {side} has no such {role} there"
            )
        }
    }
}

fn no_such_piece_zh(piece: Piece, which: Which) -> String {
    let (side, zh) = (piece.side.zh(), piece.zh());
    let file = |n: u8| format!("{n}路（{}线）", file_letter(piece.side, n));
    match which {
        Which::Any => format!("{side}没有{zh}"),
        Which::File(n) => format!("{side}的{}没有{zh}", file(n)),
        Which::Place(Place::Middle) => format!("{side}没有三个{zh}在同一条直线上"),
        Which::Place(_) => format!("{side}没有两个{zh}在同一条直线上"),
        Which::PlaceOnFile(place, n) => format!("{side}的{}没有{}{zh}", file(n), place.zh()),
        Which::Order(order) => format!("{side}同线的{zh}中没有第{order}个"),
        Which::OrderOnFile(order, n) => format!("{side}的{}没有第{order}个{zh}", file(n)),
    }
}

/// The ICCS letter of a side's numbered file.
fn file_letter(side: Side, number: u8) -> char {
    let on = |square: &Square| file_number(side, *square) == number;
    Square::all()
        .find(on)
        .map_or('?', |square| char::from(b'a' + square.file()))
}

fn hindered(piece: Piece, mv: Move, at: Option<Square>) -> String {
    let Move { from, to } = mv;
    let role = piece.role.id();
    match (piece.role, at) {
        (Role::Cannon, _) => format!(
            "is blocked: from {from} to {to} a cannon needs a free line to move and exactly one piece between to capture"
        ),
        (_, Some(at)) => {
            format!("is blocked: the piece on {at} keeps the {role} from going from {from} to {to}")
        }
        (_, None) => format!("is blocked: something stands between {from} and {to}"),
    }
}

fn hindered_zh(piece: Piece, mv: Move, at: Option<Square>) -> String {
    let Move { from, to } = mv;
    let zh = piece.zh();
    match (piece.role, at) {
        (Role::Cannon, _) => format!("受阻：炮从{from}到{to}，走子须中间无子，吃子须恰隔一子"),
        (Role::Horse, Some(at)) => format!("受阻：马从{from}到{to}蹩腿（{at}）"),
        (Role::Elephant, Some(at)) => format!("受阻：{zh}从{from}到{to}塞眼（{at}）"),
        (_, _) => format!("受阻：{zh}从{from}到{to}中间有子"),
    }
}

/// `a rook`, `an advisor`.
fn one(role: Role) -> String {
    let article = if matches!(role, Role::Advisor | Role::Elephant) {
        "an"
    } else {
        "a"
    };
    format!("{article} {}", role.id())
}

impl MoveFault {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "move_empty",
            Self::Unreadable => "move_unreadable",
            Self::NoPiece(_) => "move_from_empty",
            Self::WrongSide { .. } => "move_wrong_side",
            Self::NoSuchPiece { .. } => "move_no_such_piece",
            Self::OwnPiece { .. } => "move_captures_own",
            Self::Hindered { .. } => "move_blocked",
            Self::Impossible(_) => "move_impossible",
            Self::KingsFace(_) => "move_kings_face",
            Self::GivesKing { .. } => "move_gives_king",
            Self::IgnoresCheck { .. } => "move_ignores_check",
            Self::Ambiguous => "move_ambiguous",
        }
    }

    /// The clause of the CXA rules broken by a move the piece could make: 3.4, 自杀 (leaving or
    /// giving the king, kings facing).
    pub const fn clause(&self) -> Option<&'static str> {
        match self {
            Self::KingsFace(_) | Self::GivesKing { .. } | Self::IgnoresCheck { .. } => Some("3.4"),
            Self::Empty
            | Self::Unreadable
            | Self::NoPiece(_)
            | Self::WrongSide { .. }
            | Self::NoSuchPiece { .. }
            | Self::OwnPiece { .. }
            | Self::Hindered { .. }
            | Self::Impossible(_)
            | Self::Ambiguous => None,
        }
    }

    /// The fault in Chinese.
    pub fn zh(&self) -> String {
        const SUICIDE: &str = "属自杀（象棋竞赛规则3.4）";
        match self {
            Self::Empty => "着法为空：应为 h2e2、炮二平五 或 C2=5 之类".to_owned(),
            Self::Unreadable => {
                "不是着法：应为坐标（h2e2）、中文（炮二平五、前马退四）、简写（炮25）或 C2=5 之类"
                    .to_owned()
            }
            Self::NoPiece(square) => format!("起点{square}没有棋子"),
            Self::WrongSide { square, piece } => {
                let turn = piece.side.opponent().zh();
                format!(
                    "{square}的{}是{}的棋子，现在轮到{turn}走",
                    piece.zh(),
                    piece.side.zh()
                )
            }
            Self::NoSuchPiece { piece, which } => no_such_piece_zh(*piece, *which),
            Self::OwnPiece { mv, piece } => format!("{}上是本方的{}，不能吃", mv.to, piece.zh()),
            Self::Hindered { mv, piece, at } => hindered_zh(*piece, *mv, *at),
            Self::Impossible(piece) => format!("{}不能这样走", piece.zh()),
            Self::KingsFace(_) => format!("走后将帅照面，{SUICIDE}"),
            Self::GivesKing { by, .. } => {
                format!("送将：走后将（帅）被{}攻击，{SUICIDE}", squares(by, "、"))
            }
            Self::IgnoresCheck { by, .. } => {
                format!(
                    "未应将：走后将（帅）仍被{}攻击，{SUICIDE}",
                    squares(by, "、")
                )
            }
            Self::Ambiguous => "有歧义：不止一着可以这样写".to_owned(),
        }
    }
}

impl MoveError {
    /// Whether the text can mean several legal moves: [`Self::moves`] are the candidates.
    pub fn is_ambiguous(&self) -> bool {
        self.fault == MoveFault::Ambiguous
    }

    /// A stable name.
    pub const fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// The clause of the rules of play that is broken, where one is.
    pub const fn clause(&self) -> Option<&'static str> {
        self.fault.clause()
    }

    fn list(&self, joiner: &str) -> String {
        self.moves
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(joiner)
    }

    /// What introduces the moves, in Chinese and English: `None` where there is no piece to speak
    /// of.
    fn heading(&self) -> Option<(&'static str, &'static str)> {
        Some(match self.fault {
            MoveFault::Ambiguous => ("可以是", "it can be"),
            MoveFault::NoSuchPiece { .. } => ("同类棋子合法的着法", "legal for such pieces"),
            MoveFault::Empty
            | MoveFault::Unreadable
            | MoveFault::NoPiece(_)
            | MoveFault::WrongSide { .. } => {
                return None;
            }
            MoveFault::OwnPiece { .. }
            | MoveFault::Hindered { .. }
            | MoveFault::Impossible(_)
            | MoveFault::KingsFace(_)
            | MoveFault::GivesKing { .. }
            | MoveFault::IgnoresCheck { .. } => ("该子合法的着法", "legal for that piece"),
        })
    }

    /// The error in Chinese.
    pub fn zh(&self) -> String {
        let told = format!("“{}”{}", self.text, self.fault.zh());
        if self.over {
            return format!("{told}；此前走方已无着可走，对局已告结束");
        }
        match self.heading() {
            None => told,
            Some((heading, _)) if self.moves.is_empty() => format!("{told}；{heading}：无"),
            Some((heading, _)) => format!("{told}；{heading}：{}", self.list("、")),
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.text, self.fault)?;
        if self.over {
            return f.write_str("; the side to move had no legal move: the game was over before");
        }
        match self.heading() {
            None => Ok(()),
            Some((_, heading)) if self.moves.is_empty() => write!(f, "; {heading}: nothing"),
            Some((_, heading)) => write!(f, "; {heading}: {}", self.list(", ")),
        }
    }
}

impl std::error::Error for MoveError {}

/// A line of moves with one that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {}: {error}", .index + 1)]
pub struct LineError {
    /// Which move, 0 for the first.
    pub index: usize,
    /// What is wrong with it.
    pub error: MoveError,
}

impl LineError {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        self.error.code()
    }

    /// The error in Chinese.
    pub fn zh(&self) -> String {
        format!("第{}着：{}", self.index + 1, self.error.zh())
    }
}
