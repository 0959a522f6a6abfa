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
    #[error("{} from {} to {}", hindered(*.piece, *.at), mv.from, mv.to)]
    Hindered {
        /// The move.
        mv: Move,
        /// What moves.
        piece: Piece,
        /// A horse's leg or an elephant's eye.
        at: Option<Square>,
    },
    /// The piece does not move like that.
    #[error("is not how a {} moves", .0.role.id())]
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
    #[error("is ambiguous")]
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
        Which::Any => format!("moves a {role}, but {side} has none"),
        Which::File(file) => {
            let letter = file_letter(piece.side, file);
            format!("moves a {role} on file {file} ({letter}), but {side} has none there")
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

fn hindered(piece: Piece, at: Option<Square>) -> String {
    let role = piece.role.id();
    match (piece.role, at) {
        (Role::Cannon, _) => {
            "has the wrong number of pieces in its way: a cannon moves along a free line and captures over exactly one piece".to_owned()
        }
        (_, Some(at)) => format!("is blocked: the piece on {at} keeps the {role}"),
        (_, None) => format!("is blocked: something stands in the {role}'s way"),
    }
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
            Self::Hindered { mv, piece, at } => match (piece.role, at) {
                (Role::Cannon, _) => {
                    format!(
                        "炮从{}到{}隔子不对：炮走空线，吃子须恰隔一子",
                        mv.from, mv.to
                    )
                }
                (Role::Horse, Some(at)) => {
                    format!("马从{}到{}蹩腿（{at}）", mv.from, mv.to)
                }
                (Role::Elephant, Some(at)) => {
                    format!("{}从{}到{}塞眼（{at}）", piece.zh(), mv.from, mv.to)
                }
                (_, _) => format!("{}从{}到{}中间有子阻挡", piece.zh(), mv.from, mv.to),
            },
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
            Self::Ambiguous => "有歧义".to_owned(),
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

    fn speaks_of_a_piece(&self) -> bool {
        !matches!(
            self.fault,
            MoveFault::Empty | MoveFault::Unreadable | MoveFault::NoPiece(_)
        ) && !matches!(
            self.fault,
            MoveFault::NoSuchPiece {
                which: Which::Any,
                ..
            }
        )
    }

    /// The error in Chinese.
    pub fn zh(&self) -> String {
        let Self { text, fault, .. } = self;
        let fault = fault.zh();
        if self.is_ambiguous() {
            format!("“{text}”{fault}：{}", self.list("、"))
        } else if !self.moves.is_empty() {
            format!("“{text}”{fault}；该子合法的着法：{}", self.list("、"))
        } else if self.speaks_of_a_piece() {
            format!("“{text}”{fault}；该子没有合法的着法")
        } else {
            format!("“{text}”{fault}")
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.text, self.fault)?;
        if self.is_ambiguous() {
            write!(f, ": {}", self.list(", "))
        } else if !self.moves.is_empty() {
            write!(f, "; legal for that piece: {}", self.list(", "))
        } else if self.speaks_of_a_piece() {
            f.write_str("; that piece has no legal move")
        } else {
            Ok(())
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

    /// The clause of the rules of play that is broken, where one is.
    pub const fn clause(&self) -> Option<&'static str> {
        self.error.clause()
    }

    /// The error in Chinese.
    pub fn zh(&self) -> String {
        format!("第{}着：{}", self.index + 1, self.error.zh())
    }
}
