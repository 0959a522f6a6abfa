//! A move with the positions around it.

use crate::board::{Move, PieceId, Position, Side, Square};
use std::rc::Rc;

/// A move in its place.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Before the other side's previous move.
    pub earlier: Option<Rc<Position>>,
    pub before: Rc<Position>,
    pub mv: Move,
    pub after: Rc<Position>,
    /// After the move, with the mover to move again.
    pub threat: Position,
    pub mover: PieceId,
    pub side: Side,
}

impl Step {
    /// Every move of a line that leads back to its start, the first after the last.
    pub fn of_line(start: &Position, line: &[Move]) -> Option<Vec<Self>> {
        let mut steps: Vec<Self> = Vec::with_capacity(line.len());
        let mut before = Rc::new(start.clone());
        for &mv in line {
            if !before.is_pseudo_legal(mv) {
                return None;
            }
            let mover = before.id_at(mv.from)?;
            let after = Rc::new(before.after(mv));
            if after.attacked(before.turn()) {
                return None;
            }
            let mut threat = Position::clone(&after);
            threat.pass();
            steps.push(Self {
                earlier: steps.last().map(|step| Rc::clone(&step.before)),
                mv,
                threat,
                mover,
                side: before.turn(),
                before,
                after: Rc::clone(&after),
            });
            before = after;
        }
        let closing = steps.last().map(|last| Rc::clone(&last.before));
        steps.first_mut()?.earlier = closing;
        Some(steps)
    }

    pub fn origin(&self, square: Square) -> Square {
        if square == self.mv.to {
            self.mv.from
        } else {
            square
        }
    }

    /// The same capture before the move, from where its piece stood then.
    pub fn same_before(&self, capture: Move) -> Move {
        Move::new(self.origin(capture.from), capture.to)
    }

    /// The piece now on a square bore on the target before the move.
    pub fn bore(&self, square: Square, target: Square) -> bool {
        self.before.bears(self.origin(square), target)
    }

    pub fn answers_check(&self) -> bool {
        self.before.in_check()
    }

    pub fn waiting(&self) -> Position {
        let mut position = Position::clone(&self.before);
        position.pass();
        position
    }

    pub fn without_mover(&self) -> Position {
        let mut position = self.threat.clone();
        position.lift(self.mover);
        position
    }
}
