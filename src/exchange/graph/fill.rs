//! Fills a graph from a position.

use super::Inner;
use super::contact::ContactKind;
use crate::board::{PieceId, Position, Role, Square, steps};
use petgraph::graph::NodeIndex;

/// What an edge carries besides its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub kind: ContactKind,
    pub third: Option<PieceId>,
}

/// A piece's node.
pub(super) fn node(id: PieceId) -> NodeIndex<u16> {
    NodeIndex::new(id.index())
}

/// Adds the contacts of one position.
pub(super) struct Filler<'a> {
    pub position: &'a Position,
    pub inner: &'a mut Inner,
}

impl Filler<'_> {
    /// Every contact of every piece.
    pub fn fill(&mut self) {
        for id in self.position.pieces() {
            let from = self.position.square_of(id);
            match id.role() {
                Role::Rook => self.rook(id, from),
                Role::Cannon => self.cannon(id, from),
                Role::Horse => self.past(id, from, ContactKind::Leg),
                Role::Elephant => self.past(id, from, ContactKind::Eye),
                Role::Advisor | Role::Pawn => self.steps(id, from),
                Role::King => {
                    self.steps(id, from);
                    self.facing(id, from);
                }
            }
        }
    }

    fn rook(&mut self, id: PieceId, from: Square) {
        for ray in self.position.rays(from) {
            let Some(first) = self.at(ray.first) else {
                continue;
            };
            self.bears(id, first, None);
            if let Some(second) = self.at(ray.second) {
                self.hidden(id, second, first);
            }
        }
    }

    /// A cannon bears on the second piece of a line. On the third it bears once either of the two
    /// has left and the other is the screen.
    fn cannon(&mut self, id: PieceId, from: Square) {
        for (direction, ray) in self.position.rays(from).into_iter().enumerate() {
            let (Some(first), Some(second)) = (self.at(ray.first), self.at(ray.second)) else {
                continue;
            };
            self.bears(id, second, Some(first));
            let beyond = self.position.rays(self.position.square_of(second));
            let third = beyond.get(direction).and_then(|ray| ray.first);
            if let Some(third) = self.at(third) {
                self.hidden(id, third, first);
                self.hidden(id, third, second);
            }
        }
    }

    /// Steps that need an empty square on the way: a horse's, an elephant's.
    fn past(&mut self, id: PieceId, from: Square, kind: ContactKind) {
        for (to, pivot) in steps(id, from) {
            let Some(target) = self.position.id_at(to) else {
                continue;
            };
            match self.position.id_at(pivot) {
                None => self.bears(id, target, None),
                Some(block) => {
                    self.add(block, id, kind, Some(target));
                    self.hidden(id, target, block);
                }
            }
        }
    }

    /// Steps that nothing can be in the way of.
    fn steps(&mut self, id: PieceId, from: Square) {
        for (to, _) in steps(id, from) {
            if let Some(target) = self.position.id_at(to) {
                self.bears(id, target, None);
            }
        }
    }

    /// Kings bear on each other along a file.
    fn facing(&mut self, id: PieceId, from: Square) {
        let enemy = PieceId::king(id.side().opponent());
        let to = self.position.king(id.side().opponent());
        if from.file() != to.file() {
            return;
        }
        match self.position.between(from, to) {
            Some(0) => self.bears(id, enemy, None),
            Some(1) => {
                let front = Position::path(from, to).find_map(|sq| self.position.id_at(sq));
                if let Some(front) = front {
                    self.hidden(id, enemy, front);
                }
            }
            _ => {}
        }
    }

    fn at(&self, square: Option<Square>) -> Option<PieceId> {
        self.position.id_at(square?)
    }

    fn bears(&mut self, from: PieceId, to: PieceId, screen: Option<PieceId>) {
        let kind = if from.side() == to.side() {
            ContactKind::Guard
        } else {
            ContactKind::Attack
        };
        self.add(from, to, kind, screen);
        if let Some(screen) = screen {
            self.add(screen, from, ContactKind::Screen, Some(to));
        }
    }

    fn hidden(&mut self, from: PieceId, to: PieceId, front: PieceId) {
        let kind = if from.side() == to.side() {
            ContactKind::HiddenGuard
        } else {
            ContactKind::HiddenAttack
        };
        self.add(from, to, kind, Some(front));
        // What would be an attack on the king, were the king's own piece not there, pins it.
        if to.role() == Role::King && from.side() != to.side() && front.side() == to.side() {
            self.add(from, front, ContactKind::Pin, Some(to));
        }
    }

    fn add(&mut self, from: PieceId, to: PieceId, kind: ContactKind, third: Option<PieceId>) {
        self.inner
            .add_edge(node(from), node(to), Link { kind, third });
    }
}
