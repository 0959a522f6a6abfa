//! A cycle: moves that lead back to the position they started from.

use super::line::{IllegalMove, Refusal};
use super::pending::{CycleSpan, PendingRule, PendingUnit};
use super::scan::is_irreversible;
use crate::board::{Move, Piece, Position, Square};
use crate::language::{Text, both, in_both};
use serde::Serialize;
use std::borrow::Cow;

/// One period of play that returns to its start, and where it stands in its game.
///
/// It closes when the same *kinds* of piece stand on the same squares again. Like pieces may
/// have changed places meanwhile; [`unrolled`](Self::unrolled) then goes round until each piece
/// itself is back.
///
/// ```
/// use qili::board::Move;
/// use qili::game::{Cycle, PendingRule};
/// use qili::notation::fen;
/// let start = fen::parse("2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")?;
/// let period = ["f0e0", "e8f8", "e0f0", "f8e8"].map(|text| text.parse::<Move>().unwrap());
/// let cycle = Cycle::from_period(&start, &period)?.at_pending(PendingRule::THREE_ROUNDS);
/// assert_eq!((cycle.span.rounds, cycle.span.occurrences), (3, 4));
/// let open = Cycle::from_period(&start, &period[..2]).unwrap_err();
/// assert_eq!(
///     open.to_string(),
///     "the moves do not lead back to their start: e0 was empty and holds a red rook, \
///      f0 held a red rook and is empty, e8 held a black king and is empty, \
///      f8 was empty and holds a black king"
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Where it lies in the game, and how often it has been gone round.
    pub span: CycleSpan,
    /// Apart, since a cycle goes from hand to hand.
    start: Box<Position>,
    moves: Vec<Move>,
    turns: usize,
}

/// Why moves are not one period of a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CycleError {
    /// No moves.
    Empty,
    /// So many that the other side would be to move.
    Odd(usize),
    /// A move that cannot be played.
    Illegal(IllegalMove),
    /// The last position is not the first.
    Open {
        /// Every square that differs.
        differs: Vec<Difference>,
        /// The first move that can never be undone, and its ply.
        irreversible: Option<(usize, Move)>,
    },
}

/// A square on which two positions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Where.
    pub square: Square,
    /// What stood there at the start.
    pub was: Option<Piece>,
    /// What stands there at the end.
    pub is: Option<Piece>,
}

impl Cycle {
    /// A cycle given as exactly one period, gone round once.
    ///
    /// # Errors
    /// What keeps the moves from being one.
    pub fn from_period(start: &Position, moves: &[Move]) -> Result<Self, CycleError> {
        even(moves)?;
        let mut position = start.clone();
        for (ply, &mv) in moves.iter().enumerate() {
            if let Some(why) = Refusal::of(&position, mv) {
                return Err(CycleError::Illegal(IllegalMove { ply, mv, why }));
            }
            position.make(mv);
        }
        Self::of_played(Box::new(start.clone()), moves.to_vec(), &mut position)
    }

    /// The same of moves that have been played, and led to a position.
    ///
    /// # Errors
    /// What keeps the moves from being one.
    pub(crate) fn of_played(
        start: Box<Position>,
        moves: Vec<Move>,
        end: &mut Position,
    ) -> Result<Self, CycleError> {
        even(&moves)?;
        if *end != *start {
            return Err(CycleError::Open {
                differs: differences(&start, end),
                irreversible: first_irreversible(*start, &moves),
            });
        }
        let span = CycleSpan {
            start_ply: 0,
            period: moves.len(),
            rounds: 1,
            occurrences: 2,
            span_start_ply: 0,
        };
        Ok(Self::gone_round(span, start, moves, end))
    }

    /// A cycle whose moves are known to lead from `start` back to it.
    pub(super) fn closing(span: CycleSpan, start: Position, moves: Vec<Move>) -> Self {
        let mut position = start.clone();
        for &mv in &moves {
            position.make(mv);
        }
        Self::gone_round(span, Box::new(start), moves, &mut position)
    }

    /// A cycle, and the position after its first turn.
    fn gone_round(
        span: CycleSpan,
        start: Box<Position>,
        moves: Vec<Move>,
        position: &mut Position,
    ) -> Self {
        let mut turns = 1;
        // Each turn permutes like pieces the same way, so that some turn brings all of them back.
        while !moves.is_empty() && !position.same_pieces(&start) && *position == *start {
            for &mv in &moves {
                position.make(mv);
            }
            turns += 1;
        }
        Self {
            span,
            start,
            moves,
            turns,
        }
    }

    /// Gone round until its position is pending.
    #[must_use]
    pub fn at_pending(mut self, rule: PendingRule) -> Self {
        let occurrences = rule.least_occurrences();
        self.span.occurrences = occurrences;
        self.span.rounds = match rule.unit {
            PendingUnit::Rounds => rule.count.max(1),
            PendingUnit::Occurrences => occurrences - 1,
        };
        self
    }

    /// The position it starts from and returns to.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves of one period.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How often it must be gone round until every piece itself, not just its like, is back:
    /// 1 unless like pieces change places.
    pub const fn turns(&self) -> usize {
        self.turns
    }

    /// The moves that bring every piece itself back to where it stood.
    pub fn unrolled(&self) -> Vec<Move> {
        self.moves.repeat(self.turns)
    }

    /// The same, as they stand where one turn is all of them.
    pub(crate) fn line(&self) -> Cow<'_, [Move]> {
        if self.turns == 1 {
            Cow::Borrowed(&self.moves)
        } else {
            Cow::Owned(self.unrolled())
        }
    }

    /// The positions of the unrolled cycle: before each move, and the last.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = Vec::with_capacity(self.moves.len() * self.turns + 1);
        let mut position = self.start().clone();
        positions.push(position.clone());
        for mv in self.unrolled() {
            position.make(mv);
            positions.push(position.clone());
        }
        positions
    }
}

/// Whether moves may be a period by their number.
const fn even(moves: &[Move]) -> Result<(), CycleError> {
    match moves.len() {
        0 => Err(CycleError::Empty),
        odd if odd % 2 == 1 => Err(CycleError::Odd(odd)),
        _ => Ok(()),
    }
}

/// The first move that can never be undone, and its ply.
fn first_irreversible(mut position: Position, moves: &[Move]) -> Option<(usize, Move)> {
    for (ply, &mv) in moves.iter().enumerate() {
        if is_irreversible(&position, mv) {
            return Some((ply, mv));
        }
        position.make(mv);
    }
    None
}

/// The squares on which two positions differ, in the order of [`Square::all`].
fn differences(start: &Position, end: &Position) -> Vec<Difference> {
    Square::all()
        .map(|square| Difference {
            square,
            was: start.piece_at(square),
            is: end.piece_at(square),
        })
        .filter(|d| d.was != d.is)
        .collect()
}

/// 红车, or a red rook.
fn coloured(piece: Piece) -> Text {
    let (side, role) = (piece.side, piece.role.id());
    let (colour, kind) = (side.zh().trim_end_matches('方'), piece.zh());
    both!("a {side} {role}", "{colour}{kind}")
}

impl Difference {
    fn text(self) -> Text {
        let square = self.square;
        let none = || Text::new("nothing", "空");
        let [was, is] = [self.was, self.is].map(|piece| piece.map_or_else(none, coloured));
        let en = match (self.was, self.is) {
            (Some(_), Some(_)) => format!("held {} and holds {}", was.en, is.en),
            (Some(_), None) => format!("held {} and is empty", was.en),
            (None, Some(_)) => format!("was empty and holds {}", is.en),
            (None, None) => "is as it was".to_owned(),
        };
        Text {
            en: format!("{square} {en}"),
            zh: format!("{square}原为{}，现为{}", was.zh, is.zh),
        }
    }
}

impl CycleError {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "cycle_empty",
            Self::Odd(_) => "cycle_odd",
            Self::Illegal(illegal) => illegal.code(),
            Self::Open { .. } => "cycle_open",
        }
    }

    /// The ply of the move at fault, where there is one.
    pub const fn ply(&self) -> Option<usize> {
        match self {
            Self::Illegal(illegal) => Some(illegal.ply),
            Self::Open {
                irreversible: Some((ply, _)),
                ..
            } => Some(*ply),
            Self::Empty
            | Self::Odd(_)
            | Self::Open {
                irreversible: None, ..
            } => None,
        }
    }

    /// The fault in both languages.
    pub fn text(&self) -> Text {
        match self {
            Self::Empty => both!(
                "the cycle has no moves: expected exactly one period",
                "循环没有着法：应给出整整一个循环",
            ),
            Self::Odd(plies) => both!(
                "the cycle has {plies} moves and would end with the other side to move: expected an even number",
                "一个循环有{plies}着，末后轮到另一方走：应为偶数着",
            ),
            Self::Illegal(illegal) => illegal.text(),
            Self::Open {
                differs,
                irreversible,
            } => {
                let differs = Text::joined(differs.iter().map(|d| d.text()), ", ", "；");
                let cause = irreversible.map_or_else(Text::default, |(ply, mv)| {
                    let number = ply + 1;
                    both!(
                        " (move {number}, `{mv}`, captures or advances a pawn and cannot be undone)",
                        "（第{number}着`{mv}`吃子或进兵，不能还原）",
                    )
                });
                both!(
                    differs, cause;
                    "the moves do not lead back to their start: {differs}{cause}",
                    "着法没有回到起始局面：{differs}{cause}",
                )
            }
        }
    }
}

in_both!(Difference);
in_both!(error CycleError);
