//! From the natures of the moves to the verdict: what each side does over the whole cycle, whether the book forbids it, and
//! the row of its table.

use super::asian::Attack;
use super::guide::Rules;
use super::kinds::Strike;
use super::step::Step;
use crate::board::{BySide, PieceId, PieceSet, Position, Role, Side};
use crate::definitions::{BothForbidden, Definitions, Nature};
use crate::rules::Situation;
use std::cmp::Reverse;

/// A move with what it is.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    pub step: Step,
    pub strike: Strike,
    pub nature: Nature,
}

/// What a side does over the whole cycle.
#[derive(Clone, Copy, Debug)]
struct Conduct {
    perpetual_check: bool,
    forbidden: bool,
    /// How grave it is, where the book has levels.
    level: u8,
    victim: Option<PieceId>,
}

fn own(plies: &[Ply], side: Side) -> impl Iterator<Item = &Ply> + Clone {
    plies.iter().filter(move |ply| ply.step.side == side)
}

const fn is_attack(definitions: &Definitions, nature: Nature) -> bool {
    matches!(nature, Nature::Check | Nature::Chase)
        || (matches!(nature, Nature::Kill) && definitions.kill_is_attack)
}

/// What a move counts as: where a threat of mate is no attack, a chase that goes with it is.
const fn counted_as(definitions: &Definitions, ply: &Ply) -> Nature {
    if matches!(ply.nature, Nature::Kill) && !definitions.kill_is_attack && ply.strike.chases {
        Nature::Chase
    } else {
        ply.nature
    }
}

/// One and the same piece that attacks another anew with every move chases it, whatever else attacks that all along (14, 15, 18).
pub(crate) fn renew(plies: &mut [Ply], side: Side) {
    let always = |attack: &Attack| {
        own(plies, side).all(|ply| {
            let mut made = ply.strike.attacks.iter().chain(&ply.strike.renewed);
            made.any(|made| made == attack)
        })
    };
    let all = own(plies, side).flat_map(|ply| &ply.strike.renewed);
    let common: Vec<Attack> = all.filter(|attack| always(attack)).copied().collect();
    for ply in plies.iter_mut().filter(|ply| ply.step.side == side) {
        let strike = &mut ply.strike;
        let counts = |attack: &&Attack| common.contains(attack);
        let renewed: Vec<_> = strike.renewed.iter().filter(counts).copied().collect();
        if renewed.is_empty() {
            continue;
        }
        strike.attacks.extend(renewed);
        strike.chases = true;
        if !matches!(ply.nature, Nature::Check | Nature::Kill) {
            ply.nature = Nature::Chase;
        }
    }
}

/// 27.2: a pawn's own attacks count where thereby both sides attack on every move.
pub(crate) fn upgrade_pawns(definitions: &Definitions, plies: &mut [Ply]) {
    let counts = |ply: &Ply| {
        is_attack(definitions, counted_as(definitions, ply)) || !ply.strike.by_pawn.is_empty()
    };
    if !definitions.pawn_upgrade || !plies.iter().all(counts) {
        return;
    }
    for ply in plies {
        if !is_attack(definitions, counted_as(definitions, ply)) {
            // A threat of mate names the move, though it may be no attack (27.4).
            if ply.nature != Nature::Kill {
                ply.nature = Nature::Chase;
            }
            ply.strike.chases = true;
            ply.strike.attacks.append(&mut ply.strike.by_pawn);
        }
    }
}

fn captors(strike: &Strike, victim: PieceId) -> impl Iterator<Item = PieceId> + '_ {
    let of = move |&(captor, chased): &Attack| (chased == victim).then_some(captor);
    strike.attacks.iter().filter_map(of)
}

/// The pieces a side chases with every move.
fn always_chased(plies: &[Ply], side: Side) -> PieceSet {
    let victims = |ply: &Ply| ply.strike.attacks.iter().map(|&(_, id)| id).collect();
    let each = own(plies, side).map(victims);
    each.reduce(PieceSet::and).unwrap_or_default()
}

/// Those that a side is charged with: of several only what one piece attacks throughout, or what weighs more (15, 19, 32, 33).
fn charged_of(definitions: &Definitions, plies: &[Ply], side: Side) -> PieceSet {
    let all = always_chased(plies, side);
    let several = all.count() > 1;
    let counts = |&victim: &PieceId| {
        let each = own(plies, side).map(|ply| captors(&ply.strike, victim).collect());
        let by_one = each
            .reduce(PieceSet::and)
            .is_some_and(|all: PieceSet| !all.is_empty());
        by_one || weight(definitions, plies, side, victim) > 1
    };
    if several {
        all.filter(counts).collect()
    } else {
        all
    }
}

/// How grave it is to chase a piece for ever (14, 15, 19).
fn weight(definitions: &Definitions, plies: &[Ply], side: Side, victim: PieceId) -> u8 {
    let held = |ply: &Ply| is_held_by_horse(&ply.step, victim);
    let minor = |id: PieceId| matches!(id.role(), Role::Horse | Role::Cannon);
    let by_minor = |ply: &Ply| captors(&ply.strike, victim).any(minor);
    if victim.role() != Role::Rook {
        1
    } else if definitions.pinned_rook_by_horse_level && own(plies, side).all(held) {
        3
    } else if own(plies, side).all(by_minor) {
        2
    } else {
        1
    }
}

impl Conduct {
    fn of(definitions: &Definitions, plies: &[Ply], side: Side) -> Self {
        let counted = own(plies, side).map(|ply| counted_as(definitions, ply));
        let all = |nature| counted.clone().all(|other| other == nature);
        let perpetual_check = all(Nature::Check);
        let mut charged = PieceSet::EMPTY;
        let mut forbidden = counted.clone().all(|nature| is_attack(definitions, nature));
        if forbidden && all(Nature::Chase) && definitions.perpetual_chase_same_victim {
            charged = charged_of(definitions, plies, side);
            forbidden = !charged.is_empty();
        } else if forbidden
            && ![Nature::Check, Nature::Kill, Nature::Chase]
                .into_iter()
                .any(all)
        {
            forbidden = definitions.mixed_attacks_forbidden;
        }
        let weighed = charged.map(|id| (weight(definitions, plies, side, id), id));
        let gravest = weighed.min_by_key(|&(weight, _)| Reverse(weight));
        let level = match (forbidden, gravest) {
            (false, _) => 0,
            (true, _) if perpetual_check => 4,
            (true, Some((weight, _))) => weight,
            (true, None) => 1,
        };
        let victim = gravest.map(|(_, victim)| victim);
        Self {
            perpetual_check,
            forbidden,
            level,
            victim,
        }
    }
}

/// Without the rook its king would stand in a horse's check.
fn is_held_by_horse(step: &Step, rook: PieceId) -> bool {
    let king = step.after.king(rook.side());
    let mut without = Position::clone(&step.after);
    without.lift(rook);
    let enemy = rook.side().opponent();
    without.bearing_on(king, enemy).any(|id| {
        let from = without.square_of(id);
        id.role() == Role::Horse && !step.after.bears(from, king)
    })
}

impl Rules<'_> {
    /// The row of the table, and the side it is about.
    pub fn situation(&mut self, plies: &[Ply]) -> (Situation, Option<Side>) {
        let definitions = self.definitions;
        let conduct = BySide::from_fn(|side| Conduct::of(definitions, plies, side));
        let only = |is: fn(&Conduct) -> bool| match (is(&conduct.red), is(&conduct.black)) {
            (true, false) => Some(Side::Red),
            (false, true) => Some(Side::Black),
            _ => None,
        };
        let (checks, forbidden) = (
            only(|conduct| conduct.perpetual_check),
            only(|conduct| conduct.forbidden),
        );
        if checks.is_some() {
            (Situation::OneSidedCheck, checks)
        } else if conduct.red.perpetual_check {
            (Situation::MutualCheck, None)
        } else if forbidden.is_some() {
            (Situation::OneForbidden, forbidden)
        } else if conduct.red.forbidden {
            self.both_forbidden(plies, &conduct)
        } else {
            (Situation::BothPermitted, None)
        }
    }

    fn both_forbidden(
        &mut self,
        plies: &[Ply],
        conduct: &BySide<Conduct>,
    ) -> (Situation, Option<Side>) {
        let chases = plies.iter().all(|ply| ply.nature == Nature::Chase);
        let (weighed, situation) = match self.definitions.both_forbidden {
            BothForbidden::Draw => return (Situation::BothForbidden, None),
            BothForbidden::StrengthOfChases | BothForbidden::RootsOfChases if !chases => {
                return (Situation::BothForbidden, None);
            }
            BothForbidden::Strength
            | BothForbidden::StrengthOfChases
            | BothForbidden::RootsOfChases => {
                let strong = BySide::from_fn(|side| u8::from(self.all_strong(plies, side)));
                (strong, Situation::StrongerAttacks)
            }
            BothForbidden::Levels => {
                let level = |side: Side| match conduct[side].level {
                    2 if chase_each_other(conduct, plies, side) => 1,
                    level => level,
                };
                (BySide::from_fn(level), Situation::GraverOffence)
            }
        };
        match weighed.red.cmp(&weighed.black) {
            std::cmp::Ordering::Greater => (situation, Some(Side::Red)),
            std::cmp::Ordering::Less => (situation, Some(Side::Black)),
            std::cmp::Ordering::Equal => (Situation::BothForbidden, None),
        }
    }

    fn all_strong(&mut self, plies: &[Ply], side: Side) -> bool {
        let definitions = self.definitions;
        own(plies, side).all(|ply| {
            let graded = ply.strike.graded.as_ref();
            matches!(counted_as(definitions, ply), Nature::Check | Nature::Kill)
                || graded.is_some_and(|chases| self.is_strong(&ply.step, chases))
        })
    }
}

/// The horse or cannon with which a side chases a rook on every move is itself chased on every move.
fn chase_each_other(conduct: &BySide<Conduct>, plies: &[Ply], side: Side) -> bool {
    let Some(rook) = conduct[side].victim.filter(|id| id.role() == Role::Rook) else {
        return false;
    };
    let minor = |id: &PieceId| matches!(id.role(), Role::Horse | Role::Cannon);
    let chasers = own(plies, side).map(|ply| captors(&ply.strike, rook).filter(minor).collect());
    let chasers = chasers.reduce(PieceSet::and).unwrap_or_default();
    let chased = always_chased(plies, side.opponent());
    !chasers.and(chased).is_empty()
}
