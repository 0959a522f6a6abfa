//! The graph as a drawing: DOT, and a value that serialises for a board page.

use super::ContactGraph;
use super::contact::{Contact, ContactKind};
use crate::board::{Role, Side, Square};
use crate::language::Language;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A graph as data: pieces and what they have to do with each other, in the order of squares.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Drawing {
    /// The pieces, `a0` first.
    pub nodes: Vec<DrawnPiece>,
    /// By kind, then by squares.
    pub edges: Vec<DrawnContact>,
}

/// A piece of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DrawnPiece {
    /// Where it stands.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub square: Square,
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub piece: Role,
    /// The character engraved on it.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub glyph: char,
}

/// A contact of a drawing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DrawnContact {
    /// What relation.
    pub kind: ContactKind,
    /// The piece that attacks, guards, pins, serves as a screen or stands in the way.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub from: Square,
    /// The piece it does that to.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub to: Square,
    /// What an attack or guard leads past: the screen, or the piece that has to leave.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub via: Vec<Square>,
    /// What a pin, screen, leg or eye is about: the king, or the piece borne on beyond.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub target: Option<Square>,
}

impl From<&Contact> for DrawnContact {
    fn from(contact: &Contact) -> Self {
        Self {
            kind: contact.kind,
            from: contact.from.square,
            to: contact.to.square,
            via: contact.via().into_iter().collect(),
            target: contact.target(),
        }
    }
}

/// Colour and line of an edge.
const fn style(kind: ContactKind) -> (&'static str, &'static str) {
    match kind {
        ContactKind::Attack => ("firebrick", "solid"),
        ContactKind::Guard => ("steelblue", "solid"),
        ContactKind::HiddenAttack => ("firebrick", "dashed"),
        ContactKind::HiddenGuard => ("steelblue", "dashed"),
        ContactKind::Pin => ("purple", "bold"),
        ContactKind::Screen => ("gray40", "dotted"),
        ContactKind::Leg | ContactKind::Eye => ("darkorange", "dotted"),
    }
}

impl ContactGraph {
    /// The graph as data.
    ///
    /// ```
    /// use qili::board::Position;
    /// use qili::exchange::ContactGraph;
    /// let drawing = ContactGraph::of(&Position::start()).drawing();
    /// let json = serde_json::to_value(&drawing)?;
    /// assert_eq!(json["nodes"][0]["square"], "a0");
    /// assert_eq!(json["edges"][0]["kind"], "attack");
    /// assert_eq!(json["edges"][0]["via"][0], "b7");
    /// # Ok::<_, serde_json::Error>(())
    /// ```
    pub fn drawing(&self) -> Drawing {
        let nodes = self
            .stands()
            .into_iter()
            .map(|stand| DrawnPiece {
                square: stand.square,
                side: stand.id.side(),
                piece: stand.id.role(),
                glyph: stand.id.piece().glyph(),
            })
            .collect();
        Drawing {
            nodes,
            edges: self.contacts().iter().map(DrawnContact::from).collect(),
        }
    }

    /// The graph in the DOT language, the pieces placed as on the board (`neato -n`).
    pub fn to_dot(&self, language: Language) -> String {
        let drawing = self.drawing();
        let mut dot = String::from(
            "digraph contacts {\n  layout=neato;\n  node [shape=circle, fixedsize=true, width=0.6];\n",
        );
        for node in &drawing.nodes {
            let label = match language {
                Language::Zh => node.glyph.to_string(),
                Language::En => format!("{} {}", node.side.en(), node.piece.id()),
            };
            let (x, y) = (node.square.file(), node.square.rank());
            let colour = match node.side {
                Side::Red => "red",
                Side::Black => "black",
            };
            let square = node.square;
            // Writing to a string does not fail.
            let _ = writeln!(
                dot,
                "  {square} [label=\"{label}\\n{square}\", pos=\"{x},{y}!\", color={colour}, fontcolor={colour}];"
            );
        }
        for edge in &drawing.edges {
            let (colour, line) = style(edge.kind);
            let name = match language {
                Language::Zh => edge.kind.zh(),
                Language::En => edge.kind.en(),
            };
            let mut label = name.to_owned();
            for square in edge.via.iter().chain(&edge.target) {
                let _ = write!(label, " {square}");
            }
            let (from, to, kind) = (edge.from, edge.to, edge.kind.id());
            let _ = writeln!(
                dot,
                "  {from} -> {to} [class={kind}, label=\"{label}\", color={colour}, style={line}];"
            );
        }
        dot.push_str("}\n");
        dot
    }
}
