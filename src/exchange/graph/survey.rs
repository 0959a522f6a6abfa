//! A position with its graph.

use super::ContactGraph;
use crate::board::Position;
use std::ops::Deref;
use std::sync::OnceLock;

/// A position with who bears on whom in it: the graph is made when it is first asked for, and all that ask share it.
#[derive(Clone, Debug)]
pub struct Survey {
    position: Position,
    contacts: OnceLock<ContactGraph>,
}

impl Survey {
    /// A position of which nothing has been asked yet.
    pub const fn of(position: Position) -> Self {
        Self {
            position,
            contacts: OnceLock::new(),
        }
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Who bears on whom.
    pub fn contacts(&self) -> &ContactGraph {
        self.contacts
            .get_or_init(|| ContactGraph::of(&self.position))
    }
}

impl Deref for Survey {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.position
    }
}
