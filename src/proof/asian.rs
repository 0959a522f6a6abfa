//! The chase of the Asian and World rules: roots and values alone, nothing to be searched (terms 3 and 9; 14 to 17, 24 to 35).

use super::material::has_crossed;
use super::step::Step;
use crate::board::{Move, MoveList, PieceId, PieceSet, Position, Role};
use crate::definitions::Definitions;

/// Captor and victim.
pub(crate) type Attack = (PieceId, PieceId);

const fn value(role: Role) -> u8 {
    match role {
        Role::Rook => 8,
        Role::Horse | Role::Cannon => 4,
        Role::King | Role::Advisor | Role::Elephant | Role::Pawn => 2,
    }
}

const fn is_king_or_pawn(id: PieceId) -> bool {
    matches!(id.role(), Role::King | Role::Pawn)
}

const fn is_minor_on_rook((captor, victim): Attack) -> bool {
    matches!(captor.role(), Role::Horse | Role::Cannon) && matches!(victim.role(), Role::Rook)
}

/// What the side to move attacks, and among that what it attacks by king and pawn alone, which is not charged. A check it
/// stands in is left out of account.
fn attacks(definitions: &Definitions, position: &mut Position) -> [Vec<(Attack, Move)>; 2] {
    let mut moves = MoveList::new();
    let checkers = position.checkers();
    if checkers.is_empty() {
        position.legal_captures_into(&mut moves);
    } else {
        position.pseudo_captures_into(&mut moves);
    }
    let (mut charged, mut spared) = (Vec::new(), Vec::new());
    for &capture in &*moves {
        let Some((captor, victim)) = position.id_at(capture.from).zip(position.id_at(capture.to))
        else {
            continue;
        };
        if victim.role() == Role::King
            || (victim.role() == Role::Pawn && !has_crossed(victim.side(), capture.to))
            || (!checkers.is_empty() && !is_legal_but_for(position, capture, checkers))
        {
            continue;
        }
        let partner = position
            .bearing_on(capture.to, captor.side())
            .any(|id| !is_king_or_pawn(id));
        let exempt = is_king_or_pawn(captor) && (definitions.king_joint_exempt || !partner);
        let attack = (captor, victim);
        let mutual = captor.role() == victim.role() && can_take_back(position, capture);
        let dear = if definitions.minor_on_rook {
            is_minor_on_rook(attack)
        } else {
            value(victim.role()) > value(captor.role())
        };
        if mutual || (!dear && is_retaken(position, capture)) {
            continue;
        }
        if exempt {
            spared.push((attack, capture));
        } else {
            charged.push((attack, capture));
        }
    }
    [charged, spared]
}

fn is_legal_but_for(position: &mut Position, capture: Move, checkers: PieceSet) -> bool {
    let undo = position.make(capture);
    position.pass();
    let legal = position.checkers().minus(checkers).is_empty() && !position.kings_face();
    position.pass();
    position.unmake(undo);
    legal
}

fn can_take_back(position: &mut Position, capture: Move) -> bool {
    let back = capture.reversed();
    if !position.bears(back.from, back.to) {
        return false;
    }
    position.pass();
    let legal = position.keeps_king_safe(back);
    position.pass();
    legal
}

/// Something can really retake.
pub(crate) fn is_retaken(position: &mut Position, capture: Move) -> bool {
    let undo = position.make(capture);
    let mut by = position.bearing_on(capture.to, position.turn());
    let found = by.any(|id| {
        let retake = Move::new(position.square_of(id), capture.to);
        position.keeps_king_safe(retake)
    });
    position.unmake(undo);
    found
}

/// What the move newly attacks, and what a pawn that moved attacks by itself.
pub(crate) fn new_attacks(definitions: &Definitions, step: &Step) -> [Vec<Attack>; 2] {
    let [old, _] = attacks(definitions, &mut Position::clone(&step.before));
    let [now, own] = attacks(definitions, &mut step.threat.clone());
    let stood = |attack: Attack| {
        let anew = definitions.minor_on_rook
            && is_minor_on_rook(attack)
            && !old.iter().any(|&(known, _)| known == attack);
        !anew && old.iter().any(|&((_, victim), _)| victim == attack.1)
    };
    let counts = |&(attack, mv): &(Attack, Move)| {
        attack.0 == step.mover && step.mover.role() == Role::Pawn && !step.bore(mv.from, mv.to)
    };
    [
        now.iter()
            .map(|&(attack, _)| attack)
            .filter(|&attack| !stood(attack))
            .collect(),
        own.iter()
            .filter(|one| counts(one))
            .map(|&(attack, _)| attack)
            .collect(),
    ]
}
