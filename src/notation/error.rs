//! What can be wrong with a written move, told so that whoever wrote it can put it right.

use super::likes::file_number;
use super::symbol::Place;
use super::write::{Notation, write_move};
use super::written::Which;
use crate::board::{Move, Piece, Position, Role, Side, Square};
use crate::language::{Text, both, in_both};
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
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveFault {
    /// No text.
    Empty,
    /// No notation has such a text.
    Unreadable,
    /// Nothing stands where the move starts.
    NoPiece(Square),
    /// The piece is the other side's.
    WrongSide {
        /// Where it stands.
        square: Square,
        /// What it is.
        piece: Piece,
    },
    /// The side has no such piece there.
    NoSuchPiece {
        /// What is looked for.
        piece: Piece,
        /// Where.
        which: Which,
    },
    /// An own piece stands on the target.
    OwnPiece {
        /// The move.
        mv: Move,
        /// The piece on its target.
        piece: Piece,
    },
    /// A piece stands in the way, or the screen a cannon needs is missing.
    Hindered {
        /// The move.
        mv: Move,
        /// What moves.
        piece: Piece,
        /// A horse's leg or an elephant's eye.
        at: Option<Square>,
    },
    /// The piece does not move like that.
    Impossible(Piece),
    /// The kings would face each other.
    KingsFace(Move),
    /// The own king could be captured.
    GivesKing {
        /// The move.
        mv: Move,
        /// The pieces that would attack it.
        by: Vec<Square>,
    },
    /// The side is in check and would stay so.
    IgnoresCheck {
        /// The move.
        mv: Move,
        /// The pieces that would attack the king.
        by: Vec<Square>,
    },
    /// More than one legal move is written like that.
    Ambiguous,
}

/// `a rook`, `an advisor`, and 车, 仕.
fn one(piece: Piece) -> Text {
    let vowel = matches!(piece.role, Role::Advisor | Role::Elephant);
    let article = if vowel { "an" } else { "a" };
    let kind = piece.kind();
    Text::new(format!("{article} {}", kind.en), kind.zh)
}

fn no_such_piece(piece: Piece, which: Which) -> Text {
    let (side, kind, one) = (piece.side.text(), piece.kind(), one(piece));
    let on = |number: u8| {
        let letter = file_letter(piece.side, number);
        both!("file {number} ({letter})", "{number}路（{letter}线）")
    };
    match which {
        Which::Any => both!(side, one; "moves {one}, but {side} has none", "{side}没有{one}"),
        Which::File(number) => both!(
            side, one, file = on(number);
            "moves {one} on {file}, but {side} has none there",
            "{side}的{file}没有{one}",
        ),
        Which::Place(Place::Middle) => both!(
            side, kind;
            "moves the middle {kind}, but {side} has no three on one file",
            "{side}没有三个{kind}在同一条直线上",
        ),
        Which::Place(place) => {
            let place = place.en();
            both!(
                side, kind;
                "moves the {place} {kind}, but {side} has no two on one file",
                "{side}没有两个{kind}在同一条直线上",
            )
        }
        Which::PlaceOnFile(place, number) => both!(
            side, kind, file = on(number), place = Text::new(place.en(), place.zh());
            "moves the {place} {kind} of {file}, but {side} has none in line there",
            "{side}的{file}没有{place}{kind}",
        ),
        Which::Order(order) => both!(
            side, kind;
            "moves {kind} number {order} of those that stand in line, but {side} has no such {kind}",
            "{side}同线的{kind}中没有第{order}个",
        ),
        Which::OrderOnFile(order, number) => both!(
            side, kind, file = on(number);
            "moves {kind} number {order} of {file}, but {side} has no such {kind} there",
            "{side}的{file}没有第{order}个{kind}",
        ),
    }
}

/// The ICCS letter of a side's numbered file.
fn file_letter(side: Side, number: u8) -> char {
    let on = |square: &Square| file_number(side, *square) == number;
    Square::all()
        .find(on)
        .map_or('?', |square| char::from(b'a' + square.file()))
}

fn hindered(piece: Piece, mv: Move, at: Option<Square>) -> Text {
    let (Move { from, to }, kind) = (mv, piece.kind());
    match (piece.role, at) {
        (Role::Cannon, _) => both!(
            "is blocked: from {from} to {to} a cannon needs a free line to move and exactly one piece between to capture",
            "受阻：炮从{from}到{to}，走子须中间无子，吃子须恰隔一子",
        ),
        (role, Some(at)) => {
            let how = if role == Role::Horse {
                "蹩腿"
            } else {
                "塞眼"
            };
            both!(
                kind;
                "is blocked: the piece on {at} keeps the {kind} from going from {from} to {to}",
                "受阻：{kind}从{from}到{to}{how}（{at}）",
            )
        }
        (_, None) => both!(
            kind = Text::new("something", kind.zh);
            "is blocked: {kind} stands between {from} and {to}",
            "受阻：{kind}从{from}到{to}中间有子",
        ),
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

    /// The fault in both languages, to stand behind the text it is about.
    fn text(&self) -> Text {
        let suicide = both!(
            "(自杀, clause 3.4 of the CXA rules)",
            "属自杀（象棋竞赛规则3.4）"
        );
        match self {
            Self::Empty => both!(
                "is empty: expected a move such as `h2e2`, `炮二平五` or `C2=5`",
                "着法为空：应为 h2e2、炮二平五 或 C2=5 之类",
            ),
            Self::Unreadable => both!(
                "is no move: expected two squares (`h2e2`), Chinese (`炮二平五`, `前马退四`), the short form (`炮25`), or `C2=5`",
                "不是着法：应为坐标（h2e2）、中文（炮二平五、前马退四）、简写（炮25）或 C2=5 之类",
            ),
            Self::NoPiece(square) => both!(
                "starts on {square}, where nothing stands",
                "起点{square}没有棋子",
            ),
            Self::WrongSide { square, piece } => both!(
                side = piece.side.text(), kind = piece.kind(), turn = piece.side.opponent().text();
                "moves {side}'s {kind} on {square}, but it is {turn}'s turn",
                "{square}的{kind}是{side}的棋子，现在轮到{turn}走",
            ),
            Self::NoSuchPiece { piece, which } => no_such_piece(*piece, *which),
            Self::OwnPiece { mv, piece } => {
                let (side, to) = (piece.side.en(), mv.to);
                both!(
                    kind = piece.kind();
                    "would capture {side}'s own {kind} on {to}",
                    "{to}上是本方的{kind}，不能吃",
                )
            }
            Self::Hindered { mv, piece, at } => hindered(*piece, *mv, *at),
            Self::Impossible(piece) => {
                both!(piece = one(*piece); "is not how {piece} moves", "{piece}不能这样走")
            }
            Self::KingsFace(_) => both!(
                suicide;
                "would leave the kings facing each other {suicide}",
                "走后将帅照面，{suicide}",
            ),
            Self::GivesKing { by, .. } => both!(
                suicide, by = Text::listed(by);
                "would give up the king to {by} {suicide}",
                "送将：走后将（帅）被{by}攻击，{suicide}",
            ),
            Self::IgnoresCheck { by, .. } => both!(
                suicide, by = Text::listed(by);
                "does not answer the check: the king would still be attacked from {by} {suicide}",
                "未应将：走后将（帅）仍被{by}攻击，{suicide}",
            ),
            Self::Ambiguous => both!(
                "is ambiguous: several legal moves are written like that",
                "有歧义：不止一着可以这样写",
            ),
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

    /// What introduces the moves; nothing where there is no piece to speak of.
    fn heading(&self) -> Option<Text> {
        Some(match self.fault {
            MoveFault::Ambiguous => both!("it can be", "可以是"),
            MoveFault::NoSuchPiece { .. } => {
                both!("legal for such pieces", "同类棋子合法的着法")
            }
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
            | MoveFault::IgnoresCheck { .. } => both!("legal for that piece", "该子合法的着法"),
        })
    }

    /// The error in both languages.
    pub fn text(&self) -> Text {
        let text = &self.text;
        let behind = match self.heading() {
            _ if self.over => both!(
                "; the side to move had no legal move: the game was over before",
                "；此前走方已无着可走，对局已告结束",
            ),
            None => Text::default(),
            Some(heading) => {
                let moves = if self.moves.is_empty() {
                    both!("nothing", "无")
                } else {
                    Text::listed(&self.moves)
                };
                both!(heading, moves; "; {heading}: {moves}", "；{heading}：{moves}")
            }
        };
        both!(fault = self.fault.text(), behind; "`{text}` {fault}{behind}", "“{text}”{fault}{behind}")
    }
}

in_both!(error MoveFault, MoveError, LineError);

/// A line of moves with one that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
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

    /// The error in both languages.
    pub fn text(&self) -> Text {
        let number = self.index + 1;
        both!(error = self.error.text(); "move {number}: {error}", "第{number}着：{error}")
    }
}
