//! The pieces a move attacks, and what protects them.

use super::facts::{Play, guards};
use crate::board::{Move, Role, Square};
use crate::classify::{Quiet, Reason, Root, Scene};
use crate::ruling::MoveJudged;
use serde::{Deserialize, Serialize};

/// A piece a move attacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Target {
    /// Where it stands.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub square: Square,
    /// Its kind.
    pub piece: Role,
    /// Whether it is protected.
    pub root: Root,
    /// What protects it, or seems to.
    pub roots: Vec<RootPiece>,
}

/// A piece that protects another, or seems to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RootPiece {
    /// Where it stands.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub square: Square,
    /// Its kind.
    pub piece: Role,
    /// 暗根: it bears on the square only once the capture is made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// The pieces a move attacks: what it chases, and what it follows.
pub fn targets(m: &MoveJudged) -> Vec<Target> {
    let mut found: Vec<Target> = Vec::new();
    for reason in &m.finding.reasons {
        let capture = match reason {
            Reason::Chase(threat, _) | Reason::PawnUpgrade(threat) => Some(threat.capture),
            Reason::Attack(attack) => Some(attack.capture),
            Reason::Quiet(Quiet::Follow { target }) => Some(Move::new(m.scene.mv.to, target.1)),
            Reason::Check(_)
            | Reason::Kill(_)
            | Reason::ByChecks(..)
            | Reason::Fortress(..)
            | Reason::KingEvasion
            | Reason::Pardoned(..)
            | Reason::Vain(..)
            | Reason::Quiet(_) => None,
        };
        let Some(capture) = capture else { continue };
        let Some(target) = m.scene.threat.id_at(capture.to) else {
            continue;
        };
        if found.iter().any(|known| known.square == capture.to) {
            continue;
        }
        let again = matches!(reason, Reason::Chase(threat, _)
            if Play::new(&m.scene.threat, threat.line.moves()).takes_again());
        let (root, roots) = root_of(&m.scene, capture, again);
        found.push(Target {
            square: capture.to,
            piece: target.role(),
            root,
            roots,
        });
    }
    found
}

/// Whether the piece a capture takes is protected, by what can retake once it is made.
fn root_of(scene: &Scene, capture: Move, again: bool) -> (Root, Vec<RootPiece>) {
    let guards = guards(&scene.threat, capture);
    let pieces = guards
        .legal
        .iter()
        .copied()
        .chain(guards.pinned.iter().map(|pinned| pinned.guard));
    let roots = pieces
        .map(|(id, square)| RootPiece {
            square,
            piece: id.role(),
            hidden: !scene.threat.bears(square, capture.to),
        })
        .collect();
    let root = if !guards.legal.is_empty() {
        if again { Root::Under } else { Root::Rooted }
    } else if guards.pinned.is_empty() {
        Root::None
    } else {
        Root::False
    };
    (root, roots)
}
