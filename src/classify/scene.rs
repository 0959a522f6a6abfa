//! One move in its place: the positions around it.

use crate::board::{Move, PieceId, Position, Side, Square};
use crate::exchange::Survey;
use std::sync::Arc;

/// A move, the position before it and after it, and the position one move earlier still. Of one line of play each
/// position is there once, and the moves on either side of it share it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// With the mover to move.
    pub before: Arc<Survey>,
    /// The move.
    pub mv: Move,
    /// With the other side to move.
    pub after: Arc<Survey>,
    /// Before the other side's previous move, and that move.
    pub earlier: Option<(Arc<Survey>, Move)>,
    /// The piece that moves.
    pub mover: PieceId,
    /// Its side.
    pub side: Side,
    /// Whether the mover's side stood in check.
    pub answers_check: bool,
    /// Whether the move puts the other side in check.
    pub gives_check: bool,
}

impl Scene {
    /// The scene of a move; `None` where nothing stands on its first square.
    fn new(
        before: &Arc<Survey>,
        answers_check: bool,
        mv: Move,
        earlier: Option<(Arc<Survey>, Move)>,
    ) -> Option<Self> {
        let mover = before.id_at(mv.from)?;
        let after = before.played(mv);
        Some(Self {
            mv,
            mover,
            side: before.turn(),
            answers_check,
            gives_check: after.in_check(),
            before: Arc::clone(before),
            after,
            earlier,
        })
    }

    /// The scenes of a line: every move after the one before it.
    pub fn in_turn(start: &Position, line: &[Move]) -> Vec<Self> {
        let mut scenes: Vec<Self> = Vec::with_capacity(line.len());
        let mut before = Arc::new(Survey::of(start.clone()));
        let (mut earlier, mut check) = (None, start.in_check());
        for &mv in line {
            let Some(scene) = Self::new(&before, check, mv, earlier.take()) else {
                break;
            };
            earlier = Some((before, mv));
            check = scene.gives_check;
            before = Arc::clone(&scene.after);
            scenes.push(scene);
        }
        scenes
    }

    /// The same of a line that leads back to its start: the first move comes after the last.
    pub fn of_line(start: &Position, line: &[Move]) -> Vec<Self> {
        let mut scenes = Self::in_turn(start, line);
        let closing = scenes
            .last()
            .map(|last| (Arc::clone(&last.before), last.mv));
        if let Some(first) = scenes.first_mut() {
            first.earlier = closing;
        }
        scenes
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
        self.before.contacts().reaches(self.origin(square), target)
    }

    /// The same capture before the move, from where its piece stood then.
    pub fn same_before(&self, capture: Move) -> Move {
        Move::new(self.origin(capture.from), capture.to)
    }

    /// Whether this capture could be made before the move; in check, whether the piece bore on what it takes.
    pub fn could(&self, capture: Move) -> bool {
        if self.answers_check {
            self.bore(capture.from, capture.to)
        } else {
            self.before.is_legal(self.same_before(capture))
        }
    }

    /// Whether the piece on `square` bears on `target` after the move.
    pub fn bears_now(&self, square: Square, target: Square) -> bool {
        self.after.contacts().reaches(square, target)
    }

    /// The board after the move with the mover to move again: what it threatens. Who bears on whom in it is told by `after`.
    pub fn threat(&self) -> &Position {
        self.after.passed()
    }

    /// The board before the move with the other side to move: what it threatened.
    pub fn waiting(&self) -> &Position {
        self.before.passed()
    }

    /// The threatened board without the piece that moved.
    pub fn without_mover(&self) -> Position {
        let mut position = self.threat().clone();
        position.lift(self.mover);
        position
    }
}
