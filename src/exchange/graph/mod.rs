//! Who bears on whom: the attacks and guards of one position, as a graph.
//!
//! Pieces are the nodes. An edge says that a piece attacks or guards another, would do so once
//! one piece has left (a through-line, 暗根), pins it, serves it as a screen, or stands in its
//! way. Callers see squares and pieces.
//!
//! What is *hidden* has one meaning throughout: the relation does not hold, and holds as soon as
//! one certain piece is lifted off the board. So the rook behind a rook is hidden behind it, and
//! so are a guard behind the attacker, a horse behind its leg and a cannon with one screen too
//! many. A pin is a hidden attack on a king with a piece of that king's side in front.
//!
//! ```
//! use qili::exchange::ContactGraph;
//! use qili::notation::fen;
//! // Two rooks on one file: the one behind guards what the one in front attacks.
//! let position = fen::parse("5k3/9/9/9/9/3n5/9/9/3R5/3RK4 w")?;
//! let graph = ContactGraph::of(&position);
//! let horse = "d4".parse()?;
//! assert_eq!(graph.attackers(horse).len(), 1);
//! let behind = graph.hidden_attackers(horse);
//! assert_eq!(behind[0].piece.square.to_string(), "d0");
//! assert_eq!(behind[0].front.square.to_string(), "d1");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod contact;
mod draw;
mod fill;
mod survey;

pub use crate::language::Language as DrawLanguage;
pub use contact::{Contact, ContactKind, Guard, Hidden, Past, Pin, PinHow, Stand};
pub use draw::{Drawing, DrawnContact, DrawnPiece};
pub use survey::Survey;

use super::value::{Balance, material};
use crate::board::{Move, PieceId, PieceSet, Position, Role, Side, Square};
use fill::{Filler, Link, node};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use petgraph::{Directed, Direction, Graph};

/// A piece on the board and what taking it where it stands would bring.
#[derive(Clone, Copy)]
struct Node {
    id: PieceId,
    worth: Balance,
}

/// One node for each of the 32 ids, filled where the piece is on the board.
type Inner = Graph<Option<Node>, Link, Directed, u16>;

/// The most pieces there can be.
const SLOTS: usize = 32;
/// Contacts of a piece that fit without growing: more than in any position met, taken together.
const ROOM: usize = 8;

/// Whether the pieces on two squares bear on each other, as the graph of the position tells: few do, so that no graph is
/// made where only that is asked.
pub fn face_each_other(position: &Position, one: Square, other: Square) -> bool {
    position.bears(one, other) && position.bears(other, one)
}

/// Who bears on whom in one position.
#[derive(Clone)]
pub struct ContactGraph {
    position: Position,
    inner: Inner,
}

impl ContactGraph {
    /// The graph of a position.
    pub fn of(position: &Position) -> Self {
        let room = position.pieces().len() as usize * ROOM;
        let mut inner = Inner::with_capacity(SLOTS, room);
        for _ in 0..SLOTS {
            inner.add_node(None);
        }
        let mut graph = Self {
            position: position.clone(),
            inner,
        };
        graph.fill();
        graph
    }

    /// Makes it the graph of another position, in the room it has.
    pub fn refill(&mut self, position: &Position) {
        self.position.clone_from(position);
        self.inner.clear_edges();
        self.fill();
    }

    fn fill(&mut self) {
        for id in self.position.pieces() {
            let worth = material(id, self.position.square_of(id));
            if let Some(slot) = self.inner.node_weight_mut(node(id)) {
                *slot = Some(Node { id, worth });
            }
        }
        Filler {
            position: &self.position,
            inner: &mut self.inner,
        }
        .fill();
    }

    /// The position it is the graph of.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// A piece where it stands.
    fn stand(&self, id: PieceId) -> Stand {
        Stand {
            id,
            square: self.position.square_of(id),
        }
    }

    fn piece(&self, node: NodeIndex<u16>) -> Option<PieceId> {
        let weight = self.inner.node_weight(node)?;
        weight.map(|node| node.id)
    }

    /// What taking the piece on a square would bring, by itself; nothing where it is empty.
    pub fn worth(&self, square: Square) -> Balance {
        let id = self.position.id_at(square);
        let found = id.and_then(|id| *self.inner.node_weight(node(id))?);
        found.map_or(Balance::EVEN, |node| node.worth)
    }

    /// Whether taking the piece on a square can be a gain at all.
    pub fn is_material(&self, square: Square) -> bool {
        self.worth(square) != Balance::EVEN
    }

    /// Every piece, `a0` first.
    pub fn stands(&self) -> Vec<Stand> {
        let mut stands: Vec<Stand> = self.position.pieces().map(|id| self.stand(id)).collect();
        stands.sort_unstable_by_key(|stand| stand.square);
        stands
    }

    fn contact(&self, from: Option<PieceId>, to: Option<PieceId>, link: Link) -> Option<Contact> {
        Some(Contact {
            kind: link.kind,
            from: self.stand(from?),
            to: self.stand(to?),
            third: link.third.map(|id| self.stand(id)),
        })
    }

    /// Every contact, by kind, then by squares: the same for equal positions.
    pub fn contacts(&self) -> Vec<Contact> {
        let mut contacts: Vec<Contact> = self
            .inner
            .edge_references()
            .filter_map(|edge| {
                let (from, to) = (self.piece(edge.source()), self.piece(edge.target()));
                self.contact(from, to, *edge.weight())
            })
            .collect();
        contacts.sort_unstable_by_key(|contact| contact.order());
        contacts
    }

    /// How many contacts there are.
    pub fn len(&self) -> usize {
        self.inner.edge_count()
    }

    /// Whether no piece has to do with any other.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The other ends of a piece's edges of one kind that lead to it, and the third pieces.
    fn incoming(
        &self,
        id: PieceId,
        kind: ContactKind,
    ) -> impl Iterator<Item = (PieceId, Option<PieceId>)> + '_ {
        self.inner
            .edges_directed(node(id), Direction::Incoming)
            .filter(move |edge| edge.weight().kind == kind)
            .filter_map(|edge| {
                let from = self.piece(edge.source())?;
                Some((from, edge.weight().third))
            })
    }

    fn on(&self, square: Square, kind: ContactKind) -> PieceSet {
        let id = self.position.id_at(square);
        id.into_iter()
            .flat_map(|id| self.incoming(id, kind))
            .map(|(from, _)| from)
            .collect()
    }

    fn hidden(&self, square: Square, kind: ContactKind) -> Vec<Hidden> {
        let id = self.position.id_at(square);
        let mut hidden: Vec<Hidden> = id
            .into_iter()
            .flat_map(|id| self.incoming(id, kind))
            .filter_map(|(from, front)| {
                Some(Hidden {
                    piece: self.stand(from),
                    front: self.stand(front?),
                })
            })
            .collect();
        hidden.sort_unstable_by_key(|hidden| (hidden.piece.square, hidden.front.square));
        hidden
    }

    /// The enemy pieces that bear on the piece on a square; none where the square is empty.
    pub fn attackers(&self, square: Square) -> PieceSet {
        self.on(square, ContactKind::Attack)
    }

    /// The pieces of its own side that bear on the piece on a square.
    pub fn guards(&self, square: Square) -> PieceSet {
        self.on(square, ContactKind::Guard)
    }

    /// Whether one piece bears on another: attacks or guards it as things stand.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        self.between(from, to)
            .any(|link| matches!(link.kind, ContactKind::Attack | ContactKind::Guard))
    }

    /// Whether one piece would bear on another if a third had not come between, onto its leg or into its eye,
    /// or were not one screen too many.
    pub fn is_kept_off(&self, from: Square, to: Square, by: PieceId) -> bool {
        self.between(from, to).any(|link| {
            matches!(
                link.kind,
                ContactKind::HiddenAttack | ContactKind::HiddenGuard
            ) && link.third == Some(by)
        })
    }

    /// The edges from one piece to another.
    fn between(&self, from: Square, to: Square) -> impl Iterator<Item = Link> + '_ {
        let ends = self.position.id_at(from).zip(self.position.id_at(to));
        ends.into_iter().flat_map(|(from, to)| {
            self.inner
                .edges_connecting(node(from), node(to))
                .map(|edge| *edge.weight())
        })
    }

    /// Every capture the pieces of one side could make, the own king's safety apart, in the order of the move
    /// generator. A king is not taken.
    pub fn captures(&self, side: Side) -> impl Iterator<Item = Move> + '_ {
        self.inner.edge_references().filter_map(move |edge| {
            if edge.weight().kind != ContactKind::Attack {
                return None;
            }
            let (from, to) = (self.piece(edge.source())?, self.piece(edge.target())?);
            (from.side() == side && to.role() != Role::King)
                .then(|| Move::new(self.position.square_of(from), self.position.square_of(to)))
        })
    }

    /// Whether leaving its place is certain not to expose a piece's own king: it is not the king, and nothing pins
    /// it. Where its side stands in check that says nothing of its moves.
    pub fn is_free(&self, id: PieceId) -> bool {
        id.role() != Role::King && self.incoming(id, ContactKind::Pin).next().is_none()
    }

    /// The enemy pieces that would bear on the piece on a square once another has left.
    pub fn hidden_attackers(&self, square: Square) -> Vec<Hidden> {
        self.hidden(square, ContactKind::HiddenAttack)
    }

    /// The pieces of its own side that would bear on the piece on a square once another has left
    /// (暗根): where that is an attacker that takes, they retake.
    pub fn hidden_guards(&self, square: Square) -> Vec<Hidden> {
        self.hidden(square, ContactKind::HiddenGuard)
    }

    /// All that guards the piece on a square: open guards, then hidden ones that come to bear
    /// when a piece attacking or guarding it goes there. Whether they can really retake is
    /// [`root_of`](super::root_of)'s to say.
    pub fn roots(&self, square: Square) -> Vec<Guard> {
        let guard = |piece: Stand, front| Guard {
            piece,
            front,
            pins: self.pins(piece.id),
        };
        let open = self.guards(square);
        let mut roots: Vec<Guard> = open.map(|id| guard(self.stand(id), None)).collect();
        roots.sort_unstable_by_key(|root| root.piece.square);
        let comes = open.or(self.attackers(square));
        for hidden in self.hidden_guards(square) {
            if comes.contains(hidden.front.id) {
                roots.push(guard(hidden.piece, Some(hidden.front)));
            }
        }
        roots
    }

    /// What keeps a piece from leaving: each exposes its king once it is gone. A pinned piece may
    /// still move along the line it is pinned on, or take what pins it.
    pub fn pins(&self, id: PieceId) -> Vec<Pin> {
        let mut pins: Vec<Pin> = self
            .incoming(id, ContactKind::Pin)
            .filter_map(|(by, _)| {
                let how = match by.role() {
                    Role::Rook => PinHow::Rook,
                    Role::Cannon => PinHow::Cannon,
                    Role::Horse => PinHow::Leg,
                    Role::King => PinHow::Kings,
                    Role::Advisor | Role::Elephant | Role::Pawn => return None,
                };
                let by = self.stand(by);
                Some(Pin { by, how })
            })
            .collect();
        pins.sort_unstable_by_key(|pin| pin.by.square);
        pins
    }

    fn past(&self, id: PieceId, kind: ContactKind) -> Vec<Past> {
        let mut past: Vec<Past> = self
            .incoming(id, kind)
            .filter_map(|(piece, target)| {
                Some(Past {
                    piece: self.stand(piece),
                    target: self.stand(target?),
                })
            })
            .collect();
        past.sort_unstable_by_key(|past| (past.piece.square, past.target.square));
        past
    }

    /// The screens a cannon has, each with the piece it bears on by it (炮架).
    pub fn screens(&self, cannon: PieceId) -> Vec<Past> {
        self.past(cannon, ContactKind::Screen)
    }

    /// What stands on a horse's legs or in an elephant's eyes, each with the piece it keeps it
    /// from.
    pub fn blocks(&self, id: PieceId) -> Vec<Past> {
        match id.role() {
            Role::Horse => self.past(id, ContactKind::Leg),
            Role::Elephant => self.past(id, ContactKind::Eye),
            Role::King | Role::Advisor | Role::Rook | Role::Cannon | Role::Pawn => Vec::new(),
        }
    }
}

impl std::fmt::Debug for ContactGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContactGraph")
            .field("position", &self.position)
            .field("contacts", &self.len())
            .finish_non_exhaustive()
    }
}
