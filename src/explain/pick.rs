//! Which of the facts about a move are worth telling.

use super::facts::{self, Placed};
use super::targets::Hold;
use crate::board::{Move, Role, Square};
use crate::classify::{Attack, ByChecks, Nature, Pardon, Quiet, Reason, Sparing, Strength, Threat};
use crate::definitions::{BothForbidden, Definitions};
use crate::exchange::{End, Root, RootTarget, material};
use crate::ruling::MoveJudged;
use std::cmp::Reverse;

/// The threats that make a chase, one for each piece chased, the dearest first; with each the
/// other captures of the same piece.
pub(super) fn threats(m: &MoveJudged) -> Vec<(&Threat, Vec<&Threat>)> {
    let mut found: Vec<(&Threat, Vec<&Threat>)> = Vec::new();
    for reason in &m.finding.reasons {
        let Reason::Chase(threat, _) = reason else {
            continue;
        };
        match found
            .iter_mut()
            .find(|(known, _)| known.victim == threat.victim)
        {
            Some((_, others)) => others.push(threat),
            None => found.push((threat, Vec::new())),
        }
    }
    for (first, others) in &mut found {
        // What weighs most is told first, of those the moved piece's own attack, then what wins most, and from nearest: the same
        // as on the reflected board.
        let weight = |t: &Threat| {
            let own = t.captor == m.scene.mover;
            (is_alone(m, t), own, t.line.grade, Reverse(way(t.capture)))
        };
        if let Some(most) = others.iter_mut().rev().max_by_key(|t| weight(t))
            && weight(most) > weight(first)
        {
            std::mem::swap(first, most);
        }
    }
    found.sort_by_key(|(threat, _)| Reverse(worth(threat)));
    found
}

/// How far a capture goes.
fn way(capture: Move) -> u8 {
    let (from, to) = (capture.from, capture.to);
    from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank())
}

/// The attacks of the Asian rules that a move makes.
pub(super) fn attacks(m: &MoveJudged) -> impl Iterator<Item = Attack> {
    m.finding.reasons.iter().filter_map(|reason| {
        if let Reason::Attack(attack) = reason {
            Some(*attack)
        } else {
            None
        }
    })
}

/// The pieces that a move chases, whatever else it is.
pub(super) fn chased(m: &MoveJudged) -> Vec<Placed> {
    let threats = threats(m).into_iter();
    let mut found: Vec<Placed> = threats
        .map(|(threat, _)| (threat.victim, threat.capture.to))
        .collect();
    for attack in attacks(m) {
        if found.iter().all(|&(id, _)| id != attack.victim) {
            found.push((attack.victim, attack.capture.to));
        }
    }
    found
}

/// Whether the first of the checks is the capture of a threat.
fn begins_with(gain: &ByChecks, threat: &Threat) -> bool {
    gain.line.moves().first() == Some(&threat.capture)
}

/// Whether a gain by checks is more than a capture that is told already, which gives check.
pub(super) fn is_more(gain: &ByChecks, m: &MoveJudged) -> bool {
    let is_it =
        |reason: &Reason| matches!(reason, Reason::Chase(threat, _) if begins_with(gain, threat));
    !m.finding.reasons.iter().any(is_it)
}

/// How strong the chase of a move is, where the book asks: its strongest threat, and what that
/// threat attacks.
pub(super) fn strength(
    m: &MoveJudged,
    targets: &[RootTarget],
    definitions: &Definitions,
) -> Option<Force> {
    // Where only roots are asked about.
    let by_roots = definitions.both_forbidden == BothForbidden::RootsOfChases;
    let each = m.finding.reasons.iter().filter_map(|reason| {
        let (Reason::Chase(_, strength)
        | Reason::PawnUpgrade(_, strength)
        | Reason::ByChecks(_, strength)) = reason
        else {
            return None;
        };
        Some(match (*strength)? {
            Strength::Strong if reason.is_strong_on_rook() && !by_roots => Force::Rook,
            Strength::Strong if by_roots && victim(reason).is_some() => Force::Unrooted,
            Strength::Strong => Force::Alone,
            Strength::Weak => {
                let root = victim(reason).map(|at| Hold::of(targets, at).root());
                match root.unwrap_or(Root::None) {
                    Root::Rooted => Force::Rooted,
                    Root::Under => Force::Under,
                    Root::None | Root::False => Force::Joint,
                }
            }
        })
    });
    each.max()
}

/// Whether the captor of a threat wins its victim alone, where the book asks.
pub(super) fn is_alone(m: &MoveJudged, threat: &Threat) -> bool {
    m.finding.reasons.iter().any(|reason| {
        matches!(reason, Reason::Chase(other, Some(Strength::Strong)) if other.capture == threat.capture)
    })
}

/// How strong a chase is, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Force {
    /// The victim has a root.
    Rooted,
    /// It has too few.
    Under,
    /// Several pieces are needed.
    Joint,
    /// One piece attacks an unrooted piece.
    Alone,
    /// An unrooted piece is attacked, by however many.
    Unrooted,
    /// A rook is attacked.
    Rook,
}

fn worth(threat: &Threat) -> i32 {
    material(threat.victim, threat.capture.to).number()
}

/// The quiet effects, the one that names the move first.
pub(super) fn quiet_effects(m: &MoveJudged) -> impl Iterator<Item = Quiet> {
    let effects = m.finding.reasons.iter().filter_map(|reason| {
        if let Reason::Quiet(quiet) = reason {
            Some(*quiet)
        } else {
            None
        }
    });
    let mut effects: Vec<_> = effects.collect();
    effects.sort_by_key(|quiet| Some(quiet.nature()) != m.finding.nature);
    effects.into_iter()
}

/// The quiet effect told below a heavier name: that a chased piece is also followed or blocked
/// goes without saying.
pub(super) fn quiet_effect(m: &MoveJudged) -> Option<Quiet> {
    let chased = |square: Square| m.finding.reasons.iter().any(|r| victim(r) == Some(square));
    quiet_effects(m).find(|quiet| match quiet {
        Quiet::Exchange { .. } | Quiet::Offer { .. } => true,
        Quiet::Block { attacker, .. } => !chased(attacker.1),
        Quiet::Follow { target } => !chased(target.1),
    })
}

/// Whether a strike is also something else worth telling.
pub(super) fn is_heaviest_of_several(m: &MoveJudged) -> bool {
    let chases = m.finding.nature != Some(Nature::Chase) && !chased(m).is_empty();
    m.finding.nature.is_some_and(Nature::is_strike) && (chases || quiet_effect(m).is_some())
}

/// The rank of what is told only where there is nothing else.
const LAST: u8 = 9;

/// How telling a reason against calling the move a chase is, the lower the more; ties go to the
/// dearer victim.
fn rank(m: &MoveJudged, reason: &Reason, exchanged: &[Square]) -> Option<(u8, i32)> {
    let scene = &m.scene;
    match reason {
        Reason::Pardoned(threat, Pardon::Existed) => {
            let part = threat.captor == scene.mover
                || !threat.old_relation
                || scene.bears_now(scene.mv.to, threat.capture.to);
            Some((u8::from(!part), -worth(threat)))
        }
        Reason::Pardoned(threat, Pardon::KingOrPawn) => {
            let part = threat.captor == scene.mover || !threat.old_relation;
            part.then(|| (1, -worth(threat)))
        }
        Reason::PardonedChecks(gain) => {
            let is_it = |reason: &Reason| matches!(reason, Reason::Pardoned(threat, _) if begins_with(gain, threat));
            (!m.finding.reasons.iter().any(is_it)).then_some((1, 0))
        }
        Reason::SparedCheck(_) | Reason::Uncounted(..) => Some((1, 0)),
        Reason::Vain(capture, line) => {
            let part = capture.from == scene.mv.to || !scene.could(*capture);
            let captor = scene.threat().piece_at(capture.from)?;
            let victim = scene.threat().id_at(capture.to)?;
            let mated = line.end == End::Mated;
            let own = matches!(captor.role, Role::King | Role::Pawn);
            let shown = part && (mated && !own || !exchanged.contains(&capture.to));
            let value = material(victim, capture.to).number();
            let rank = match (own, mated) {
                (true, _) => LAST,
                (false, true) => 0,
                (false, false) => 2,
            };
            shown.then_some((rank, -value))
        }
        Reason::Spared(attack, why) => {
            let followed = exchanged.contains(&attack.capture.to);
            let value = material(attack.victim, attack.capture.to).number();
            let rank = match why {
                Sparing::Existed => 0,
                Sparing::KingOrPawn | Sparing::Pinned => 1,
                Sparing::Mutual => 2,
                Sparing::Rooted(_) => 3,
            };
            let rooted = matches!(why, Sparing::Rooted(_));
            (!(followed && rooted)).then_some((rank, -value))
        }
        Reason::Check(_)
        | Reason::Kill(_)
        | Reason::Chase(..)
        | Reason::ByChecks(..)
        | Reason::Fortress(..)
        | Reason::Attack(_)
        | Reason::KingEvasion
        | Reason::PawnUpgrade(..)
        | Reason::Quiet(_) => None,
    }
}

/// Why a quiet move is no chase: what forbids to call it one, or at most two captures that do not
/// count, the most telling first.
pub(super) fn telling(m: &MoveJudged) -> Vec<&Reason> {
    let reasons = &m.finding.reasons;
    let decisive = |r: &&Reason| matches!(r, Reason::KingEvasion | Reason::Fortress(..));
    if let Some(decisive) = reasons.iter().find(decisive) {
        return vec![decisive];
    }
    let exchanged: Vec<Square> = quiet_effects(m)
        .filter_map(|quiet| match quiet {
            Quiet::Exchange { other, .. } => Some(other.1),
            Quiet::Follow { target } => Some(target.1),
            Quiet::Offer { .. } | Quiet::Block { .. } => None,
        })
        .collect();
    let mut ranked: Vec<_> = reasons
        .iter()
        .filter_map(|reason| Some((rank(m, reason, &exchanged)?, reason)))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut found: Vec<&Reason> = Vec::new();
    for ((rank, _), reason) in ranked {
        let seen =
            victim(reason).is_some() && found.iter().any(|known| victim(known) == victim(reason));
        let room = if rank == LAST { 1 } else { 2 };
        if !seen && found.len() < room {
            found.push(reason);
        }
    }
    found
}

/// A piece that could now be taken and is no material, and what could take it: the moved piece, where there is little else
/// to tell, or another, where there is nothing.
pub(super) fn worthless(m: &MoveJudged) -> Option<(Placed, Placed)> {
    let scene = &m.scene;
    let told = telling(m).len();
    let nothing = told == 0 && quiet_effects(m).next().is_none();
    let others = scene.threat().pieces_of(scene.side).into_iter();
    let others = others.filter(|&id| nothing && id != scene.mover);
    let own = (told <= 1).then_some(scene.mover);
    let mut captors = own.into_iter().chain(others);
    captors.find_map(|id| {
        let pawn = facts::worthless(scene, id).filter(|_| id.role() != Role::Pawn)?;
        Some(((id, scene.threat().square_of(id)), pawn))
    })
}

/// The square of the piece a capture in thought would take.
fn victim(reason: &Reason) -> Option<Square> {
    match reason {
        Reason::Chase(threat, _) | Reason::Pardoned(threat, _) | Reason::PawnUpgrade(threat, _) => {
            Some(threat.capture.to)
        }
        Reason::Vain(capture, _) => Some(capture.to),
        Reason::Attack(attack) | Reason::Spared(attack, _) => Some(attack.capture.to),
        Reason::Check(_)
        | Reason::Kill(_)
        | Reason::ByChecks(..)
        | Reason::Fortress(..)
        | Reason::KingEvasion
        | Reason::PardonedChecks(_)
        | Reason::SparedCheck(_)
        | Reason::Uncounted(..)
        | Reason::Quiet(_) => None,
    }
}
