//! The chase of the Asian and World rules: roots and values alone, nothing to be searched (terms 3 and 9; 14 to 17, 24 to 35).

use super::material::{Balance, material};
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

const fn is_minor_on_rook((captor, victim): Attack) -> bool {
    matches!(captor.role(), Role::Horse | Role::Cannon) && matches!(victim.role(), Role::Rook)
}

/// Which of these pieces the side to move attacks, and by which pieces; and the same by king or pawn alone, which is not
/// charged, where such a capture is asked about. A check it stands in is left out of account.
fn attacks(
    definitions: &Definitions,
    position: &mut Position,
    victims: PieceSet,
    is_asked: impl Fn(Attack, Move) -> bool,
) -> [Vec<Attack>; 2] {
    let mut moves = MoveList::new();
    position.pseudo_captures_into(&mut moves);
    let (mut charged, mut spared) = (Vec::new(), Vec::new());
    for &capture in &*moves {
        let Some(attack) = position.id_at(capture.from).zip(position.id_at(capture.to)) else {
            continue;
        };
        let (captor, victim) = attack;
        if !victims.contains(victim) || material(victim, capture.to) == Balance::EVEN {
            continue;
        }
        let exempt = captor.is_king_or_pawn()
            && (definitions.king_joint_exempt || !has_partner(position, captor, capture));
        if exempt && !is_asked(attack, capture) {
            continue;
        }
        let mutual = captor.role() == victim.role() && can_take_back(position, capture);
        let dear = if definitions.minor_on_rook {
            is_minor_on_rook(attack)
        } else {
            value(victim.role()) > value(captor.role())
        };
        if mutual || (!dear && is_retaken(position, capture)) {
            continue;
        }
        // An attack that stood before a check is not made anew by answering it.
        if position.keeps_king_safe(capture)
            || position.keeps_king_safe_but_for(capture, position.checkers())
        {
            let found = if exempt { &mut spared } else { &mut charged };
            found.push(attack);
        }
    }
    [charged, spared]
}

/// A piece other than king and pawns bears on it as well.
fn has_partner(position: &Position, captor: PieceId, capture: Move) -> bool {
    let mut bearing = position.bearing_on(capture.to, captor.side());
    bearing.any(|id| !id.is_king_or_pawn())
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
    is_retaken_if(position, capture, Position::keeps_king_safe)
}

/// Something bears on what has taken, and its retake is safe.
pub(crate) fn is_retaken_if(
    position: &mut Position,
    capture: Move,
    safe: impl Fn(&mut Position, Move) -> bool,
) -> bool {
    position.having(capture, |position| {
        let mut by = position.bearing_on(capture.to, position.turn());
        by.any(|id| safe(position, Move::new(position.square_of(id), capture.to)))
    })
}

/// What the move newly attacks, what a pawn that moved attacks by itself, and what is new of its captor alone.
pub(crate) fn new_attacks(definitions: &Definitions, step: &Step) -> [Vec<Attack>; 3] {
    let is_own = |(captor, _): Attack, mv: Move| {
        captor == step.mover && captor.role() == Role::Pawn && !step.bore(mv.from, mv.to)
    };
    let mut position = step.threat.clone();
    let [mut now, own] = attacks(definitions, &mut position, step.after.pieces(), is_own);
    if now.is_empty() {
        return [now, own, Vec::new()];
    }
    let victims = now.iter().map(|&(_, victim)| victim).collect();
    position.clone_from(&step.before);
    let [old, _] = attacks(definitions, &mut position, victims, |_, _| false);
    let mut renewed = now.clone();
    now.retain(|&(_, victim)| !old.iter().any(|&(_, stood)| stood == victim));
    renewed.retain(|attack| !now.contains(attack) && !old.contains(attack));
    [now, own, renewed]
}
