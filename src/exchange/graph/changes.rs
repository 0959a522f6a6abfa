//! What a move opens and shuts.

use super::ContactGraph;
use super::contact::{Contact, ContactKind};
use crate::board::{Move, PieceId, Square};

/// The contacts a move makes and unmakes. A contact is the same before and after where the same
/// pieces have it, wherever they stand; for an attack or guard whichever screen it goes by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// There after the move only, with the squares after it.
    pub opened: Vec<Contact>,
    /// There before the move only, with the squares before it.
    pub shut: Vec<Contact>,
}

type Key = (ContactKind, PieceId, PieceId, Option<PieceId>);

fn key(contact: Contact) -> Key {
    let third = match contact.kind {
        ContactKind::Attack | ContactKind::Guard => None,
        ContactKind::HiddenAttack
        | ContactKind::HiddenGuard
        | ContactKind::Pin
        | ContactKind::Screen
        | ContactKind::Leg
        | ContactKind::Eye => contact.third.map(|third| third.id),
    };
    (contact.kind, contact.from.id, contact.to.id, third)
}

/// What is in `all` and has no like in `others`.
fn missing(all: &[Contact], others: &[Contact]) -> Vec<Contact> {
    let mut known: Vec<Key> = others.iter().copied().map(key).collect();
    known.sort_unstable();
    let is_new = |contact: &&Contact| known.binary_search(&key(**contact)).is_err();
    all.iter().filter(is_new).copied().collect()
}

impl Changes {
    /// What differs between two graphs of a line of play.
    pub fn between(before: &ContactGraph, after: &ContactGraph) -> Self {
        let (before, after) = (before.contacts(), after.contacts());
        Self {
            opened: missing(&after, &before),
            shut: missing(&before, &after),
        }
    }

    /// Attacks and guards, open ones only, that lead to `square` after the move.
    pub fn opened_on(&self, square: Square) -> impl Iterator<Item = &Contact> {
        self.opened
            .iter()
            .filter(move |contact| is_bearing(**contact) && contact.to.square == square)
    }

    /// Attacks and guards, open ones only, that led to `square` before the move.
    pub fn shut_on(&self, square: Square) -> impl Iterator<Item = &Contact> {
        self.shut
            .iter()
            .filter(move |contact| is_bearing(**contact) && contact.to.square == square)
    }
}

const fn is_bearing(contact: Contact) -> bool {
    matches!(contact.kind, ContactKind::Attack | ContactKind::Guard)
}

impl ContactGraph {
    /// What a move of this position opens and shuts. It need not be legal, only start from a
    /// piece.
    ///
    /// ```
    /// use qili::board::{Position, Square};
    /// use qili::exchange::{ContactGraph, ContactKind};
    /// let graph = ContactGraph::of(&Position::start());
    /// let changes = graph.after("h0g2".parse()?);
    /// let h9: Square = "h9".parse()?;
    /// // The horse leaves the rank: the rook behind it guards the elephant now …
    /// assert!(changes.opened.iter().any(|c| {
    ///     c.kind == ContactKind::Guard && c.from.square.to_string() == "i0"
    /// }));
    /// // … and the other rook's guard of the horse is gone.
    /// assert!(changes.shut.iter().any(|c| {
    ///     c.kind == ContactKind::Guard && c.from.square.to_string() == "i0"
    /// }));
    /// assert!(changes.shut_on(h9).next().is_none());
    /// # Ok::<_, qili::board::ParseSquareError>(())
    /// ```
    pub fn after(&self, mv: Move) -> Changes {
        if self.position().is_empty(mv.from) {
            return Changes::default();
        }
        Changes::between(self, &Self::of(&self.position().after(mv)))
    }
}
