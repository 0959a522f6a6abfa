//! Holding a post that makes a plain draw (27.3, 26.2).

use super::step::Step;
use crate::board::{PieceId, PieceSet, Role, Side};
use crate::definitions::{Assertions, Definitions, Fortress};

/// Holding a post that makes a plain draw, advisors and elephants may be attacked by the way (27.3, 26.2).
pub(crate) fn holds_post(
    definitions: &Definitions,
    step: &Step,
    asserted: Assertions,
    mut victims: PieceSet,
) -> bool {
    let guard = |id: PieceId| matches!(id.role(), Role::Advisor | Role::Elephant);
    let count = |side, role| step.after.pieces_like(side, role).len();
    let attackers = [Role::Rook, Role::Horse, Role::Cannon, Role::Pawn];
    let of = |side| attackers.iter().map(|&role| count(side, role)).sum::<u32>();
    let enemy = step.side.opponent();
    if definitions.fortress_exemption == Fortress::Off
        || victims.is_empty()
        || !victims.all(guard)
        || of(step.side) != 1
        || of(enemy) == 0
    {
        return false;
    }
    if asserted.theoretical_draw {
        return true;
    }
    if asserted.without_table || count(step.side, Role::Advisor) != 2 {
        return false;
    }
    let theirs = attackers.map(|role| count(enemy, role));
    let at = step.mv.to;
    let back = if step.side == Side::Red { 0 } else { 9 };
    match (step.mover.role(), theirs) {
        // A lone rook does not win against a cannon on the bottom of its palace and two advisors.
        (Role::Cannon, [1, 0, 0, 0]) => at.in_palace() && at.rank() == back,
        // Rook and horse do not win against a rook on the middle file behind the horse and two advisors.
        (Role::Rook, [1, 1, 0, 0]) => {
            let [up, down, _, _] = step.after.rays(at);
            let ray = if step.side == Side::Red { down } else { up };
            let next = ray.first.and_then(|square| step.after.piece_at(square));
            at.file() == 4 && next.is_some_and(|p| p.side == enemy && p.role == Role::Horse)
        }
        _ => false,
    }
}
