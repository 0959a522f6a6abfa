//! What a side does over a whole cycle: its pattern, and whether a book forbids it.

use super::judge::{Judged, MoveJudged};
use crate::board::{PieceId, PieceSet, Role, Side};
use crate::classify::{Finding, Nature, Reason, Scene};
use crate::definitions::Definitions;
use crate::exchange::{ContactGraph, PinHow};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Whether a side's behaviour is allowed (允许着法, 禁止着法).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// 允许着法.
    Permitted,
    /// 禁止着法.
    Forbidden,
}

/// One side's part in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// `perpetual_check`, `check_chase`, `chase_idle`, …
    pub pattern: &'static str,
    /// Every move is a check.
    pub perpetual_check: bool,
    /// What the book makes of it.
    pub standing: Standing,
    /// How grave it is, where the book has levels: 0 is permitted.
    pub level: u8,
    /// All its attacks are strong, where the book asks.
    pub strong: bool,
    /// The piece chased on every move, where the book asks for one.
    pub victim: Option<PieceId>,
}

/// The pattern's name: `perpetual_` and the nature where it is always the same, otherwise the
/// attacking natures in order, with `_idle` where other moves occur.
fn pattern(natures: &(impl Iterator<Item = Nature> + Clone)) -> &'static str {
    let has = |nature| natures.clone().any(|other| other == nature);
    if let Some(only) = only(natures.clone()) {
        return match only {
            Nature::Check => "perpetual_check",
            Nature::Kill => "perpetual_kill",
            Nature::Chase => "perpetual_chase",
            Nature::Exchange => "perpetual_exchange",
            Nature::Offer => "perpetual_offer",
            Nature::Block => "perpetual_block",
            Nature::Follow => "perpetual_follow",
            Nature::Idle => "perpetual_idle",
        };
    }
    let quiet = !natures.clone().all(Nature::is_strike);
    match (
        has(Nature::Check),
        has(Nature::Kill),
        has(Nature::Chase),
        quiet,
    ) {
        (true, true, true, true) => "check_kill_chase_idle",
        (true, true, true, false) => "check_kill_chase",
        (true, true, false, true) => "check_kill_idle",
        (true, true, false, false) => "check_kill",
        (true, false, true, true) => "check_chase_idle",
        (true, false, true, false) => "check_chase",
        (true, false, false, _) => "check_idle",
        (false, true, true, true) => "kill_chase_idle",
        (false, true, true, false) => "kill_chase",
        (false, true, false, _) => "kill_idle",
        (false, false, true, _) => "chase_idle",
        (false, false, false, _) => "perpetual_idle",
    }
}

/// The one nature that all of these are.
fn only(mut natures: impl Iterator<Item = Nature>) -> Option<Nature> {
    let first = natures.next()?;
    natures.all(|nature| nature == first).then_some(first)
}

/// A move, and what it is taken to be.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    /// What it is taken to be.
    pub(super) taken: Taken,
    /// The move in its place.
    pub(super) scene: &'a Scene,
    /// What was found about it.
    pub(super) finding: &'a Finding,
}

impl Conduct {
    /// The conduct of the side that makes these moves. What goes with a threat of mate counts where something comes of
    /// it; else the side does what its moves are called.
    pub(super) fn of<'a>(
        definitions: &Definitions,
        called: &(impl Iterator<Item = Ply<'a>> + Clone),
    ) -> Self {
        let own = &called.clone().map(|ply| Ply {
            taken: ply.taken.counted(definitions, ply.finding),
            ..ply
        });
        let natures = own.clone().map(|ply| ply.taken.nature);
        let perpetual_check = natures.clone().all(|nature| nature == Nature::Check);
        let mut charged = PieceSet::EMPTY;
        let mut forbidden = natures.clone().all(|nature| definitions.is_attack(nature));
        if forbidden && !perpetual_check {
            forbidden = match only(natures.clone()) {
                None => definitions.mixed_attacks_forbidden,
                Some(Nature::Chase) if definitions.perpetual_chase_same_victim => {
                    charged = charged_of(definitions, own);
                    !charged.is_empty()
                }
                Some(_) => true,
            };
        }
        // Of several the one that weighs most.
        let weighed = charged.map(|victim| (weight(definitions, own, victim), victim));
        let gravest = weighed.min_by_key(|&(weight, _)| Reverse(weight));
        let level = match (forbidden, gravest) {
            (false, _) => 0,
            (true, _) if perpetual_check => 4,
            (true, Some((weight, _))) => weight,
            (true, None) => 1,
        };
        let victim = gravest.map(|(_, victim)| victim);
        let strong = definitions.both_forbidden.grades() && own.clone().all(|ply| ply.taken.strong);
        Self {
            pattern: if forbidden {
                pattern(&natures)
            } else {
                pattern(&called.clone().map(|ply| ply.taken.nature))
            },
            perpetual_check,
            standing: if forbidden {
                Standing::Forbidden
            } else {
                Standing::Permitted
            },
            level,
            strong,
            victim,
        }
    }
}

/// How grave it is to chase a piece for ever: a rook by horse or cannon weighs more, and most where it cannot leave (14, 15, 19).
fn weight<'a>(
    definitions: &Definitions,
    own: &(impl Iterator<Item = Ply<'a>> + Clone),
    victim: PieceId,
) -> u8 {
    let rook = victim.role() == Role::Rook;
    let held = |ply: Ply<'_>| is_held_by_horse(ply.scene.after.contacts(), victim);
    let minor = |id: PieceId| matches!(id.role(), Role::Horse | Role::Cannon);
    let by_minor = |ply: Ply<'_>| captors(ply.finding, victim).any(minor);
    if rook && definitions.pinned_rook_by_horse_level && own.clone().all(held) {
        3
    } else if rook && own.clone().all(by_minor) {
        2
    } else {
        1
    }
}

/// The pieces that a side is charged with chasing: of several that it always chases only those that one and the same piece
/// attacks throughout, or that weigh more (15, 19); two that attack two by turns offend nobody (32, 33).
fn charged_of<'a>(
    definitions: &Definitions,
    own: &(impl Iterator<Item = Ply<'a>> + Clone),
) -> PieceSet {
    let all = always_chased(own.clone().map(|ply| ply.finding));
    let several = all.count() > 1;
    let counts = |&victim: &PieceId| {
        let each = own
            .clone()
            .map(|ply| captors(ply.finding, victim).collect::<PieceSet>());
        let by_one = each
            .reduce(PieceSet::and)
            .is_some_and(|all| !all.is_empty());
        by_one || weight(definitions, own, victim) > 1
    };
    if several {
        all.filter(counts).collect()
    } else {
        all
    }
}

/// The pieces that every one of these moves chases, whoever chases them.
pub(super) fn always_chased<'a>(findings: impl Iterator<Item = &'a Finding>) -> PieceSet {
    findings
        .map(chased)
        .reduce(PieceSet::and)
        .unwrap_or_default()
}

/// The pieces that a move chases.
pub(super) fn chased(finding: &Finding) -> PieceSet {
    finding.reasons.iter().filter_map(victim).collect()
}

/// Captor and victim of a chase.
pub(super) const fn chase(reason: &Reason) -> Option<(PieceId, PieceId)> {
    if let Reason::Attack(attack) = reason {
        Some((attack.captor, attack.victim))
    } else if let Reason::Chase(threat, _) | Reason::PawnUpgrade(threat, _) = reason {
        Some((threat.captor, threat.victim))
    } else {
        None
    }
}

const fn victim(reason: &Reason) -> Option<PieceId> {
    match chase(reason) {
        Some((_, victim)) => Some(victim),
        None => None,
    }
}

/// The pieces that chase a victim by one move.
pub fn captors(finding: &Finding, chased: PieceId) -> impl Iterator<Item = PieceId> + '_ {
    let found = finding.reasons.iter().filter_map(chase);
    found.filter_map(move |(captor, victim)| (victim == chased).then_some(captor))
}

/// Without the rook its king would stand in a horse's check: the rook cannot leave.
fn is_held_by_horse(contacts: &ContactGraph, rook: PieceId) -> bool {
    let pins = contacts.pins(rook);
    pins.iter().any(|pin| pin.how == PinHow::Leg)
}

/// What a move is taken to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    nature: Nature,
    /// A check or kill is strong, and a chase that holds one strong threat.
    strong: bool,
}

impl Taken {
    /// By what was found.
    fn of(nature: Nature, finding: &Finding) -> Self {
        let strong = matches!(nature, Nature::Check | Nature::Kill)
            || finding.reasons.iter().any(Reason::is_strong);
        Self { nature, strong }
    }

    /// Whether the move is taken to be such a one.
    pub(super) fn is(self, nature: Nature) -> bool {
        self.nature == nature
    }

    /// The same, or what it counts as.
    pub(super) fn counted(self, definitions: &Definitions, finding: &Finding) -> Self {
        let nature = counted_as(definitions, self.nature, finding);
        if nature == self.nature {
            self
        } else {
            Self::of(nature, finding)
        }
    }

    /// What a move is of which nothing is open; one that was not looked into is idle.
    pub(super) fn known(finding: &Finding) -> Self {
        Self::of(finding.nature.unwrap_or(Nature::Idle), finding)
    }

    /// What a move can be taken to be. Where it is open whether it is a chase, how strong one it is is open as well.
    pub(super) fn candidates(definitions: &Definitions, finding: &Finding) -> Vec<Self> {
        let Some(open) = &finding.open else {
            return vec![Self::known(finding)];
        };
        let certain = open.candidates.last();
        let mut found = Vec::new();
        for &nature in &open.candidates {
            let graded = nature == Nature::Chase && definitions.both_forbidden.grades();
            if graded && certain != Some(&nature) {
                found.extend([false, true].map(|strong| Self { nature, strong }));
            } else {
                found.push(Self::of(nature, finding));
            }
        }
        found
    }
}

/// What a move counts as: where a threat of mate is no attack, a chase that goes with it is.
pub(super) fn counted_as(definitions: &Definitions, nature: Nature, finding: &Finding) -> Nature {
    let chases = || {
        let chase = |reason: &Reason| {
            matches!(
                reason,
                Reason::Attack(_)
                    | Reason::Chase(..)
                    | Reason::PawnUpgrade(..)
                    | Reason::ByChecks(..)
            )
        };
        finding.reasons.iter().any(chase)
    };
    if nature == Nature::Kill && !definitions.kill_is_attack && chases() {
        Nature::Chase
    } else {
        nature
    }
}

/// What the moves of a side are called, where that is known of all.
pub(crate) fn called(moves: &[MoveJudged], side: Side) -> Option<Vec<Nature>> {
    let own = moves.iter().filter(|m| m.scene.side == side);
    own.map(|m| m.finding.nature).collect()
}

/// What a side does, as it is told: as its moves count where something comes of that, else as they are called.
pub(crate) fn natures_told(
    definitions: &Definitions,
    judged: &Judged,
    side: Side,
) -> Option<Vec<Nature>> {
    if judged.sides[side].standing == Some(Standing::Permitted) {
        called(&judged.moves, side)
    } else {
        natures_of(definitions, &judged.moves, side)
    }
}

/// What the moves of a side count as, where all their natures are known.
pub(super) fn natures_of(
    definitions: &Definitions,
    moves: &[MoveJudged],
    side: Side,
) -> Option<Vec<Nature>> {
    let own = moves.iter().filter(|m| m.scene.side == side);
    own.map(|m| Some(counted_as(definitions, m.finding.nature?, &m.finding)))
        .collect()
}
