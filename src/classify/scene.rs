//! One move in its place: the positions around it.

use crate::board::{Move, PieceId, Position, Side, Square};

/// A move, the position before it and after it, and the position one move earlier still.
#[derive(Clone, Debug)]
pub struct Scene {
    /// With the mover to move.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// With the other side to move.
    pub after: Position,
    /// The same board with the mover to move again: what it threatens.
    pub threat: Position,
    /// Before the other side's previous move, and that move.
    pub earlier: Option<(Position, Move)>,
    /// The piece that moves.
    pub mover: PieceId,
    /// Its side.
    pub side: Side,
    /// Whether the mover's side stood in check.
    pub answers_check: bool,
}

impl Scene {
    /// The scene of a move; `None` where nothing stands on its first square.
    pub fn new(before: &Position, mv: Move, earlier: Option<(Position, Move)>) -> Option<Self> {
        let mover = before.id_at(mv.from)?;
        let after = before.after(mv);
        let mut threat = after.clone();
        threat.pass();
        Some(Self {
            mv,
            threat,
            mover,
            side: before.turn(),
            answers_check: before.in_check(),
            before: before.clone(),
            after,
            earlier,
        })
    }

    /// Where a piece of the mover's side stood before the move.
    pub fn origin(&self, square: Square) -> Square {
        if square == self.mv.to {
            self.mv.from
        } else {
            square
        }
    }

    /// Whether the piece now on `square` bore on `target` before the move.
    pub fn bore(&self, square: Square, target: Square) -> bool {
        self.before.bears(self.origin(square), target)
    }

    /// The board before the move with the other side to move: what it threatened.
    pub fn waiting(&self) -> Position {
        let mut position = self.before.clone();
        position.pass();
        position
    }

    /// The threatened board without the piece that moved.
    pub fn without_mover(&self) -> Position {
        let mut position = self.threat.clone();
        position.lift(self.mover);
        position
    }
}
