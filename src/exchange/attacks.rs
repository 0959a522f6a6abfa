//! The chase of the Asian/World rules: no search, only roots and values.

use super::account::retaker;
use super::value::has_crossed;
use crate::board::{Move, MoveList, PieceId, PieceSet, Position, Role};
use crate::definitions::Definitions;

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

/// Why a capture is not charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sparing {
    /// A king's or pawn's own attack.
    KingOrPawn,
    /// Two pieces of one kind that can take each other.
    Mutual,
    /// This piece could really retake.
    Rooted(PieceId),
    /// The piece was attacked before the move already.
    Existed,
    /// What attacks may not leave its place: its king would be exposed.
    Pinned,
}

/// How much is asked about captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that are charged.
    Charged,
    /// Also those that are not, and why.
    All,
}

/// The captures of the side to move that a piece could be chased by. Charged are those by rook,
/// horse, cannon, advisor or elephant of a piece that has no real root or is dearer than its
/// captor, like kinds that can take each other left aside; those by king or pawn only where the
/// book charges what they do together with others, and another piece bears on the victim too. A
/// check that the side stands in is left out of account.
pub fn attacks(
    definitions: &Definitions,
    position: &mut Position,
    which: Which,
    mut each: impl FnMut(Attack, Option<Sparing>),
) {
    let mut moves = MoveList::new();
    position.pseudo_captures_into(&mut moves);
    // Few captures come as far as that anybody asks whether they are legal.
    let mut checkers = None;
    for &capture in &*moves {
        let (Some(captor), Some(victim)) =
            (position.id_at(capture.from), position.id_at(capture.to))
        else {
            continue;
        };
        if victim.role() == Role::King
            || (victim.role() == Role::Pawn && !has_crossed(victim.side(), capture.to))
        {
            continue;
        }
        let exempt = captor.is_king_or_pawn()
            && (definitions.king_joint_exempt || !has_partner(position, captor, capture));
        if exempt && which == Which::Charged {
            continue;
        }
        // An attack that stood before a check is not made anew by answering it.
        let checkers = *checkers.get_or_insert_with(|| {
            if position.in_check() {
                position.checkers()
            } else {
                PieceSet::EMPTY
            }
        });
        let legal = if checkers.is_empty() {
            position.keeps_king_safe(capture)
        } else {
            position.keeps_king_safe_but_for(capture, checkers)
        };
        // What cannot be taken is not attacked; it may be told why not.
        if !legal && (exempt || which == Which::Charged) {
            continue;
        }
        let attack = Attack {
            captor,
            victim,
            capture,
        };
        let spared = if captor.role() == victim.role() && can_take_back(position, capture) {
            Some(Sparing::Mutual)
        } else if gains_by_value(definitions, attack) {
            None
        } else {
            retaker(position, capture).map(Sparing::Rooted)
        };
        match spared {
            Some(_) if !legal => {}
            None if !legal => each(attack, Some(Sparing::Pinned)),
            None if exempt => each(attack, Some(Sparing::KingOrPawn)),
            None => each(attack, None),
            Some(_) if which == Which::Charged => {}
            Some(_) => each(attack, spared),
        }
    }
}

/// Whether an attack is charged whatever guards the victim: on a dearer piece, or where the book protects
/// only the rook so, and only from horse and cannon (14, 15), on a rook by one of them.
const fn gains_by_value(definitions: &Definitions, attack: Attack) -> bool {
    if definitions.minor_on_rook {
        is_minor_on_rook(attack)
    } else {
        value(attack.victim.role()) > value(attack.captor.role())
    }
}

const fn is_minor_on_rook(attack: Attack) -> bool {
    matches!(attack.captor.role(), Role::Horse | Role::Cannon)
        && matches!(attack.victim.role(), Role::Rook)
}

/// Which pieces a side to move attacks, and with which: what it attacks with its move is new by victim (术语8), whoever does it.
pub fn attacked(definitions: &Definitions, position: &mut Position) -> Vec<(PieceId, PieceId)> {
    let mut found = Vec::new();
    attacks(definitions, position, Which::Charged, |attack, _| {
        found.push((attack.captor, attack.victim));
    });
    found
}

/// Whether a piece other than kings and pawns bears on the victim too.
fn has_partner(position: &Position, captor: PieceId, capture: Move) -> bool {
    position
        .bearing_on(capture.to, captor.side())
        .any(|id| !id.is_king_or_pawn())
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
