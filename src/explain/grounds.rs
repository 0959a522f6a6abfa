//! The grounds of the book that the label of a move rests on, and their clauses.

use super::facts::{Came, Play, threat_came, ward};
use super::pick::{is_heaviest_of_several, telling, worthless};
use crate::board::Role;
use crate::classify::{Nature, Pardon, Reason, Scene, Threat};
use crate::exchange::{End, Win};
use crate::rules::{Ground, RuleBook};
use crate::ruling::MoveJudged;

/// The ground that says what a nature is.
const fn of_nature(nature: Nature) -> Ground {
    match nature {
        Nature::Check => Ground::Check,
        Nature::Kill => Ground::Kill,
        Nature::Chase => Ground::Chase,
        Nature::Exchange => Ground::Exchange,
        Nature::Offer => Ground::Offer,
        Nature::Block => Ground::Block,
        Nature::Follow => Ground::Follow,
        Nature::Idle => Ground::Idle,
    }
}

/// What the label of a move rests on, the ground of its nature first. Where the nature is open,
/// the ground of the test that ran out.
pub fn grounds(m: &MoveJudged) -> Vec<Ground> {
    let mut found = Vec::new();
    let nature = m.finding.nature;
    let test = m.finding.open.as_ref().map(|open| open.test);
    let Some(named) = nature.or(test) else {
        return found;
    };
    found.push(of_nature(named));
    match named {
        Nature::Chase => {
            for reason in &m.finding.reasons {
                of_chase(m, reason, &mut found);
            }
        }
        Nature::Exchange | Nature::Offer | Nature::Block | Nature::Follow | Nature::Idle => {
            for reason in telling(m) {
                of_quiet(reason, &mut found);
            }
            if named == Nature::Idle && worthless(m).is_some() {
                found.push(Ground::NoMaterial);
            }
        }
        Nature::Check | Nature::Kill => {}
    }
    if is_heaviest_of_several(m) {
        found.push(Ground::HeaviestEffect);
    }
    let mut once = Vec::with_capacity(found.len());
    for ground in found {
        if !once.contains(&ground) {
            once.push(ground);
        }
    }
    once
}

fn of_chase(m: &MoveJudged, reason: &Reason, found: &mut Vec<Ground>) {
    match reason {
        Reason::Chase(threat, _) => of_threat(&m.scene, threat, found),
        Reason::PawnUpgrade(threat) => {
            found.push(Ground::PawnUpgrade);
            of_threat(&m.scene, threat, found);
        }
        Reason::ByChecks(..) => found.push(Ground::ChaseByChecks),
        Reason::Check(_)
        | Reason::Kill(_)
        | Reason::Fortress(..)
        | Reason::Attack(_)
        | Reason::KingEvasion
        | Reason::Pardoned(..)
        | Reason::PardonedChecks(_)
        | Reason::Vain(..)
        | Reason::Quiet(_) => {}
    }
}

fn of_threat(scene: &Scene, threat: &Threat, found: &mut Vec<Ground>) {
    let king = |role| matches!(role, Role::King | Role::Pawn);
    let moved = threat_came(scene, threat) == Came::Moved;
    let joint = king(threat.captor.role()) && !moved;
    if joint || (scene.mover.role() == Role::King && !moved) {
        found.push(Ground::ChaseWithKing);
    }
    if !moved {
        found.push(Ground::ChaseByOther);
    }
    match threat.win {
        Win::RootDuty => found.push(Ground::ChaseByRoot),
        Win::EvenTrade => found.push(Ground::ChaseByExchange),
        Win::Gain => {
            let play = Play::new(&scene.threat, threat.line.moves());
            if !play.lost.is_empty() && play.steps.len() > 1 {
                found.push(Ground::ChaseByExchange);
            }
        }
    }
    if ward(scene, threat).is_some() {
        found.push(Ground::ChaseByRoot);
    }
}

fn of_quiet(reason: &Reason, found: &mut Vec<Ground>) {
    found.push(match reason {
        Reason::KingEvasion => Ground::KingEvasion,
        Reason::Fortress(..) => Ground::Fortress,
        Reason::Pardoned(_, Pardon::Existed) | Reason::PardonedChecks(_) => Ground::Existed,
        Reason::Pardoned(_, Pardon::KingOrPawn) => Ground::KingOrPawn,
        Reason::Vain(_, line) if line.end == End::Mated => Ground::TakerMated,
        Reason::Vain(..) => Ground::Rooted,
        Reason::Check(_)
        | Reason::Kill(_)
        | Reason::Chase(..)
        | Reason::ByChecks(..)
        | Reason::Attack(_)
        | Reason::PawnUpgrade(_)
        | Reason::Quiet(_) => return,
    });
}

/// The clauses of the book behind these grounds, in their order, each once.
pub fn clauses(book: &RuleBook, grounds: &[Ground]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for ground in grounds {
        for clause in book.grounds.get(ground).into_iter().flatten() {
            if !found.contains(clause) {
                found.push(clause.clone());
            }
        }
    }
    found
}
