//! The pieces a move attacks, and what protects them.

use super::facts::guards;
use crate::board::{Move, Role, Square};
use crate::classify::{Quiet, Reason, Root};
use crate::exchange::{RootTarget, target_of};
use crate::rules::RuleBook;
use crate::ruling::MoveJudged;
use serde::{Deserialize, Serialize};

/// A piece a move attacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Where it stands.
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
pub struct RootPiece {
    /// Where it stands.
    pub square: Square,
    /// Its kind.
    pub piece: Role,
    /// 暗根: it bears on the square only once the capture is made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// The captures a move makes possible: of what it chases, and of what it follows. One for each
/// piece attacked.
fn captures(m: &MoveJudged) -> Vec<Move> {
    let mut found: Vec<Move> = Vec::new();
    for reason in &m.finding.reasons {
        let capture = match reason {
            Reason::Chase(threat, _) | Reason::PawnUpgrade(threat, _) => threat.capture,
            Reason::Attack(attack) => attack.capture,
            Reason::Quiet(Quiet::Follow { target }) => Move::new(m.scene.mv.to, target.1),
            Reason::Check(_)
            | Reason::Kill(_)
            | Reason::ByChecks(..)
            | Reason::Fortress(..)
            | Reason::KingEvasion
            | Reason::Pardoned(..)
            | Reason::PardonedChecks(_)
            | Reason::Vain(..)
            | Reason::Spared(..)
            | Reason::SparedCheck(_)
            | Reason::Quiet(_) => continue,
        };
        if found.iter().all(|known| known.to != capture.to) {
            found.push(capture);
        }
    }
    found
}

/// The pieces a move attacks, with what could retake at a glance. [`rooted_targets`] looks deeper.
pub fn targets(m: &MoveJudged) -> Vec<Target> {
    captures(m)
        .into_iter()
        .filter_map(|c| glance(m, c))
        .collect()
}

fn glance(m: &MoveJudged, capture: Move) -> Option<Target> {
    let position = &m.scene.threat;
    let guards = guards(position, capture);
    let pinned = guards.pinned.iter().map(|pinned| pinned.guard);
    let roots = guards.legal.iter().copied().chain(pinned);
    let root = match (guards.legal.is_empty(), guards.pinned.is_empty()) {
        (false, _) => Root::Rooted,
        (true, false) => Root::False,
        (true, true) => Root::None,
    };
    Some(Target {
        square: capture.to,
        piece: position.piece_at(capture.to)?.role,
        root,
        roots: roots
            .map(|(id, square)| RootPiece {
                square,
                piece: id.role(),
                hidden: !position.bears(square, capture.to),
            })
            .collect(),
    })
}

/// The pieces a move attacks, with what becomes of whoever takes them: real, false, hidden and
/// insufficient roots, and why.
pub fn rooted_targets(m: &MoveJudged, book: &RuleBook) -> Vec<RootTarget> {
    let captures = captures(m).into_iter();
    captures
        .filter_map(|capture| target_of(&book.definitions, &m.scene.threat, capture))
        .collect()
}
