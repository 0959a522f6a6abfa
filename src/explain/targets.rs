//! The pieces a move attacks, and what protects them: one word for each, which the data of a ruling, its text
//! and its clauses all go by.

use super::facts::{Placed, Play};
use super::pick::threats;
use crate::board::{Move, Role, Square};
use crate::classify::{Quiet, Reason, Scene, Threat};
use crate::exchange::{FalseRoot, Root, RootPiece, RootTarget, Shortage, Terms, target_of};
use crate::ruling::MoveJudged;

/// The captures a move makes possible: of what it chases, and of what it follows. One for each
/// piece attacked, that which the text tells.
fn captures(m: &MoveJudged) -> Vec<Move> {
    let told: Vec<Move> = threats(m)
        .iter()
        .map(|(threat, _)| threat.capture)
        .collect();
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
            | Reason::Uncounted(..)
            | Reason::Quiet(_) => continue,
        };
        if found.iter().all(|known| known.to != capture.to) {
            let told = told.iter().find(|told| told.to == capture.to);
            found.push(told.copied().unwrap_or(capture));
        }
    }
    found
}

/// The pieces a move attacks, with what becomes of whoever takes them: real, false, hidden and
/// insufficient roots, and why.
pub fn rooted_targets(m: &MoveJudged, terms: Terms<'_>) -> Vec<RootTarget> {
    let captures = captures(m).into_iter();
    captures
        .filter_map(|capture| target_of(terms, &m.scene.after, capture))
        .collect()
}

/// What protects a target, in the piece that decides.
#[derive(Clone, Copy)]
pub(super) enum Hold<'a> {
    /// 无根.
    None,
    /// 有根, by this piece.
    Rooted(&'a RootPiece),
    /// 少根: those of these pieces that are no false roots do not suffice.
    Under(&'a [RootPiece]),
    /// 假根: these pieces only seem to guard.
    False(&'a [RootPiece]),
}

impl<'a> Hold<'a> {
    pub const fn root(self) -> Root {
        match self {
            Self::None => Root::None,
            Self::Rooted(_) => Root::Rooted,
            Self::Under(..) => Root::Under,
            Self::False(..) => Root::False,
        }
    }

    /// What protects the piece on a square.
    pub fn of(targets: &'a [RootTarget], square: Square) -> Self {
        let roots = targets
            .iter()
            .find(|target| target.square == square)
            .map_or(&[][..], |target| &target.roots);
        let real = || roots.iter().filter(|root| root.is_real());
        if let Some(root) = real().find(|root| root.short.is_none()) {
            return Self::Rooted(root);
        }
        if real().next().is_some() {
            return Self::Under(roots);
        }
        if roots.is_empty() {
            Self::None
        } else {
            Self::False(roots)
        }
    }
}

/// The pieces that only seem to guard, and why they do not.
pub(super) fn seeming<'a>(roots: &'a [RootPiece]) -> impl Iterator<Item = (Placed, &'a FalseRoot)> {
    let told = |root: &'a RootPiece| Some((placed(root), root.false_because.as_ref()?));
    roots.iter().filter_map(told)
}

/// The pieces that guard but do not suffice, and what more than their number they are short of.
pub(super) fn insufficient<'a>(
    roots: &'a [RootPiece],
) -> impl Iterator<Item = (&'a RootPiece, &'a Shortage)> {
    let short = |root: &'a RootPiece| Some((root, root.short.as_ref()?));
    let real = roots.iter().filter(|root| root.is_real());
    real.filter_map(short)
        .filter(|(_, short)| !matches!(short, Shortage::Outnumbered { .. }))
}

/// What the best retake, which is not enough, would come to, where the line stops with the capture: that, the retake and the
/// rest.
pub(super) fn retaken(
    scene: &Scene,
    targets: &[RootTarget],
    threat: &Threat,
    play: &Play,
) -> Option<Play> {
    let Hold::Under(roots) = Hold::of(targets, threat.capture.to) else {
        return None;
    };
    if play.told() > 1 || play.mates() {
        return None;
    }
    let short = roots.iter().filter(|root| root.is_real());
    let plays = short.filter(|root| !root.costs.is_empty()).map(|root| {
        let line = [&[threat.capture], root.through.as_slice(), &root.costs].concat();
        Play::new(scene.threat(), &line)
    });
    plays.min_by_key(|play| play.net(scene.side).number())
}

/// A root and its square.
pub(super) const fn placed(root: &RootPiece) -> Placed {
    (root.id, root.square)
}

/// What stands on a square once a capture has been made.
pub(super) fn standing(m: &MoveJudged, capture: Move, at: Square) -> Option<Placed> {
    Some((m.scene.threat().after(capture).id_at(at)?, at))
}

/// Whether a piece cannot move at all once a capture has been made.
pub(super) fn is_stuck(m: &MoveJudged, capture: Move, at: Square) -> bool {
    let taken = m.scene.threat().after(capture);
    taken.legal_moves().iter().all(|mv| mv.from != at)
}

/// What a king would be exposed to once a capture has been made.
pub(super) enum Exposed {
    /// This piece.
    To(Placed),
    /// The other king.
    ToKing,
    /// It is not told: what was found is of another capture of the same piece.
    Somehow,
}

/// What a king would be exposed to once a capture has been made, by what was found of captures on its square.
pub(super) fn exposed(m: &MoveJudged, capture: Move, by: &[Square]) -> Exposed {
    let stand = by.iter().filter_map(|&at| standing(m, capture, at));
    // Pieces before the king.
    let first = stand.min_by_key(|(id, _)| id.role() == Role::King);
    match first {
        None => Exposed::Somehow,
        Some((id, _)) if id.role() == Role::King => Exposed::ToKing,
        Some(piece) => Exposed::To(piece),
    }
}
