//! The chase of the Asian/World rules: no search, only roots and values.

use crate::board::{Move, MoveList, PieceId, PieceSet, Position, Role};
use crate::exchange::has_crossed;

const fn value(role: Role) -> u8 {
    match role {
        Role::Rook => 8,
        Role::Horse | Role::Cannon => 4,
        Role::King | Role::Advisor | Role::Elephant | Role::Pawn => 2,
    }
}

/// One attack in the sense of the Asian rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The piece that could take.
    pub captor: PieceId,
    /// The piece it could take.
    pub victim: PieceId,
    /// The capture.
    pub capture: Move,
}

/// The attacks of the side to move: captures by rook, horse, cannon, advisor or elephant of a
/// piece that has no real root or is dearer than its captor, like kinds that can take each other
/// left aside.
pub fn attacks(position: &mut Position, mut each: impl FnMut(Attack)) {
    let mut moves = MoveList::new();
    position.legal_captures_into(&mut moves);
    for &capture in &*moves {
        let (Some(captor), Some(victim)) =
            (position.id_at(capture.from), position.id_at(capture.to))
        else {
            continue;
        };
        let exempt = matches!(captor.role(), Role::King | Role::Pawn)
            || victim.role() == Role::King
            || (victim.role() == Role::Pawn && !has_crossed(victim.side(), capture.to));
        if exempt {
            continue;
        }
        if captor.role() == victim.role() && can_take_back(position, capture) {
            continue;
        }
        if value(victim.role()) > value(captor.role()) || !is_rooted(position, capture) {
            each(Attack {
                captor,
                victim,
                capture,
            });
        }
    }
}

/// The pieces attacked by the side to move.
pub fn victims(position: &mut Position) -> PieceSet {
    let mut victims = PieceSet::EMPTY;
    attacks(position, |attack| victims = victims.with(attack.victim));
    victims
}

/// Whether the attacked piece could take its attacker instead.
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

/// Whether a piece could really retake.
fn is_rooted(position: &mut Position, capture: Move) -> bool {
    let undo = position.make(capture);
    let by = position.bearing_on(capture.to, position.turn());
    let mut by = by
        .into_iter()
        .map(|id| Move::new(position.square_of(id), capture.to))
        .collect::<Vec<_>>();
    let rooted = by.drain(..).any(|retake| position.keeps_king_safe(retake));
    position.unmake(undo);
    rooted
}
