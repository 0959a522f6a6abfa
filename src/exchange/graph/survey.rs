//! A position with what is asked of it more than once.

use super::ContactGraph;
use crate::board::{Move, Position};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A position with who bears on whom in it, and with the board as the other side would find it: each is made when it is
/// first asked for, and all that ask share it.
#[derive(Clone, Debug)]
pub struct Survey {
    position: Position,
    passed: OnceLock<Box<Position>>,
    contacts: OnceLock<Box<ContactGraph>>,
}

impl Survey {
    /// A position of which nothing has been asked yet.
    pub const fn of(position: Position) -> Self {
        Self {
            position,
            passed: OnceLock::new(),
            contacts: OnceLock::new(),
        }
    }

    /// The position after a move, of which nothing has been asked yet.
    pub fn played(&self, mv: Move) -> Arc<Self> {
        let mut after = Arc::new(Self::of(self.position.clone()));
        // Played where it stands: moving a position costs more than playing on it.
        if let Some(survey) = Arc::get_mut(&mut after) {
            survey.position.make(mv);
        }
        after
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The same board with the other side to move.
    pub fn passed(&self) -> &Position {
        self.passed.get_or_init(|| {
            let mut position = Box::new(self.position.clone());
            position.pass();
            position
        })
    }

    /// Who bears on whom.
    pub fn contacts(&self) -> &ContactGraph {
        self.contacts
            .get_or_init(|| Box::new(ContactGraph::of(&self.position)))
    }
}

impl Deref for Survey {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.position
    }
}
