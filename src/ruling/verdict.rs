//! From two sides' conduct to the verdict of the book's table.

use super::conduct::{Conduct, Ply, Standing, always_chased, captors};
use crate::board::{BySide, PieceId, PieceSet, Role, Side};
use crate::classify::Nature;
use crate::definitions::{BothForbidden, Definitions};
use crate::rules::Situation;

/// The situation two conducts make, and the side it is about.
pub fn situation(
    definitions: &Definitions,
    conduct: &BySide<Conduct>,
    plies: &[Ply<'_>],
) -> (Situation, Option<Side>) {
    if !definitions.conduct_is_judged {
        return (Situation::ConductNotJudged, None);
    }
    let (red, black) = (&conduct.red, &conduct.black);
    match (red.perpetual_check, black.perpetual_check) {
        (true, true) => return (Situation::MutualCheck, None),
        (true, false) => return (Situation::OneSidedCheck, Some(Side::Red)),
        (false, true) => return (Situation::OneSidedCheck, Some(Side::Black)),
        (false, false) => {}
    }
    let forbidden = |c: &Conduct| c.standing == Standing::Forbidden;
    match (forbidden(red), forbidden(black)) {
        (false, false) => (Situation::BothPermitted, None),
        (true, false) => (Situation::OneForbidden, Some(Side::Red)),
        (false, true) => (Situation::OneForbidden, Some(Side::Black)),
        (true, true) => both_forbidden(definitions, conduct, plies),
    }
}

fn both_forbidden(
    definitions: &Definitions,
    conduct: &BySide<Conduct>,
    plies: &[Ply<'_>],
) -> (Situation, Option<Side>) {
    let only_chases = || plies.iter().all(|ply| ply.taken.is(Nature::Chase));
    let heavier = |red: u8, black: u8, situation: Situation| match red.cmp(&black) {
        std::cmp::Ordering::Greater => (situation, Some(Side::Red)),
        std::cmp::Ordering::Less => (situation, Some(Side::Black)),
        std::cmp::Ordering::Equal => (Situation::BothForbidden, None),
    };
    match definitions.both_forbidden {
        BothForbidden::Draw => (Situation::BothForbidden, None),
        BothForbidden::StrengthOfChases | BothForbidden::RootsOfChases if !only_chases() => {
            (Situation::BothForbidden, None)
        }
        BothForbidden::Strength
        | BothForbidden::StrengthOfChases
        | BothForbidden::RootsOfChases => heavier(
            u8::from(conduct.red.strong),
            u8::from(conduct.black.strong),
            Situation::StrongerAttacks,
        ),
        BothForbidden::Levels => {
            let level = BySide::from_fn(|side| {
                let level = conduct[side].level;
                if level == 2 && chase_each_other(conduct, plies, side) {
                    1
                } else {
                    level
                }
            });
            heavier(level.red, level.black, Situation::GraverOffence)
        }
    }
}

/// The horse or cannon with which `side` chases a rook on every move is itself chased on every move, by the rook or by
/// whatever else. What binds the one binds the other then; a reply that attacks *something else* would be no excuse.
fn chase_each_other(conduct: &BySide<Conduct>, plies: &[Ply<'_>], side: Side) -> bool {
    let Some(rook) = conduct[side].victim.filter(|id| id.role() == Role::Rook) else {
        return false;
    };
    let of = |side| plies.iter().filter(move |ply| ply.scene.side == side);
    let minor = |id: &PieceId| matches!(id.role(), Role::Horse | Role::Cannon);
    let chasers = of(side).map(|ply| captors(ply.finding, rook).filter(minor).collect());
    let chasers = chasers.reduce(PieceSet::and).unwrap_or_default();
    let chased = always_chased(of(side.opponent()).map(|ply| ply.finding));
    !chasers.and(chased).is_empty()
}
