//! Which of the facts about a move are worth telling.

use crate::board::{Role, Square};
use crate::classify::{Nature, Pardon, Quiet, Reason, Threat};
use crate::exchange::{End, material};
use crate::ruling::MoveJudged;

/// The nature a quiet effect gives.
pub(super) const fn nature_of(quiet: &Quiet) -> Nature {
    match quiet {
        Quiet::Exchange { .. } => Nature::Exchange,
        Quiet::Offer { .. } => Nature::Offer,
        Quiet::Block { .. } => Nature::Block,
        Quiet::Follow { .. } => Nature::Follow,
    }
}

/// The threats that make a chase, one for each piece chased, the dearest first; with each the
/// other captures of the same piece.
pub(super) fn chased<'a>(
    threats: impl Iterator<Item = &'a Threat>,
) -> Vec<(&'a Threat, Vec<&'a Threat>)> {
    let mut found: Vec<(&Threat, Vec<&Threat>)> = Vec::new();
    for threat in threats {
        match found
            .iter_mut()
            .find(|(known, _)| known.victim == threat.victim)
        {
            Some((_, others)) => others.push(threat),
            None => found.push((threat, Vec::new())),
        }
    }
    found.sort_by_key(|(threat, _)| std::cmp::Reverse(worth(threat.capture.to, threat)));
    found
}

fn worth(at: Square, threat: &Threat) -> i32 {
    material(threat.victim, at).number()
}

/// The quiet effect that names the move, or, below a heavier name, the first.
pub(super) fn quiet(m: &MoveJudged) -> Option<&Quiet> {
    let effects = || {
        m.finding.reasons.iter().filter_map(|reason| match reason {
            Reason::Quiet(quiet) => Some(quiet),
            _ => None,
        })
    };
    effects()
        .find(|quiet| Some(nature_of(quiet)) == m.finding.nature)
        .or_else(|| effects().next())
}

/// Why a quiet move is no chase: what forbids to call it one, or at most two captures that do not
/// count, the most telling first.
pub(super) fn telling(m: &MoveJudged) -> Vec<&Reason> {
    let scene = &m.scene;
    let reasons = &m.finding.reasons;
    if let Some(decisive) = reasons
        .iter()
        .find(|r| matches!(r, Reason::KingEvasion | Reason::Fortress(..)))
    {
        return vec![decisive];
    }
    let exchanged: Vec<Square> = reasons
        .iter()
        .filter_map(|reason| match reason {
            Reason::Quiet(Quiet::Exchange { other, .. } | Quiet::Follow { target: other }) => {
                Some(other.1)
            }
            _ => None,
        })
        .collect();
    // The lower the rank, the more telling; ties go to the dearer victim.
    let rank = |reason: &Reason| -> Option<(u8, i32)> {
        match reason {
            Reason::Pardoned(threat, Pardon::Existed) => {
                let part = threat.captor == scene.mover
                    || !threat.old_relation
                    || scene.threat.bears(scene.mv.to, threat.capture.to);
                Some((if part { 0 } else { 2 }, -worth(threat.capture.to, threat)))
            }
            Reason::Pardoned(threat, Pardon::KingOrPawn) => {
                let part = threat.captor == scene.mover || !threat.old_relation;
                part.then(|| (1, -worth(threat.capture.to, threat)))
            }
            Reason::Vain(capture, line) => {
                let part = capture.from == scene.mv.to || !scene.bore(capture.from, capture.to);
                let victim = scene.threat.id_at(capture.to)?;
                let value = material(victim, capture.to).number();
                let mated = line.end == End::Mated;
                let pawn = scene
                    .threat
                    .piece_at(capture.from)
                    .is_some_and(|p| matches!(p.role, Role::King | Role::Pawn));
                let shown = part && !pawn && (mated || !exchanged.contains(&capture.to));
                shown.then_some((if mated { 0 } else { 1 }, -value))
            }
            Reason::Check(_)
            | Reason::Kill(_)
            | Reason::Chase(..)
            | Reason::ByChecks(..)
            | Reason::Fortress(..)
            | Reason::Attack(_)
            | Reason::KingEvasion
            | Reason::PawnUpgrade(_)
            | Reason::Quiet(_) => None,
        }
    };
    let mut ranked: Vec<_> = reasons
        .iter()
        .filter_map(|reason| Some((rank(reason)?, reason)))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut found: Vec<&Reason> = Vec::new();
    for (_, reason) in ranked {
        let seen = found.iter().any(|known| victim(known) == victim(reason));
        if !seen && found.len() < 2 {
            found.push(reason);
        }
    }
    found
}

/// The square of the piece a capture in thought would take.
pub(super) fn victim(reason: &Reason) -> Option<Square> {
    match reason {
        Reason::Chase(threat, _) | Reason::Pardoned(threat, _) | Reason::PawnUpgrade(threat) => {
            Some(threat.capture.to)
        }
        Reason::Vain(capture, _) => Some(capture.to),
        Reason::Attack(attack) => Some(attack.capture.to),
        Reason::Check(_)
        | Reason::Kill(_)
        | Reason::ByChecks(..)
        | Reason::Fortress(..)
        | Reason::KingEvasion
        | Reason::Quiet(_) => None,
    }
}
