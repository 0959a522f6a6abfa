//! The tests in the order of their gravity: check, king's evasion, kill, chase, and the quiet kinds.

use super::asian;
use super::nature::Nature;
use super::partners::pairs;
use super::quiet::{Quiet, effects};
use super::scene::Scene;
use super::threats::{ByChecks, Chases, Pardon, Threat, banned};
use crate::board::{Move, PieceId, Role, Square};
use crate::definitions::{ChaseTest, Definitions};
use crate::exchange::{Budget, MateAnswer, mate};

/// What a move is, and why.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The heaviest nature that applies; `None` where that is open.
    pub nature: Option<Nature>,
    /// What else it is.
    pub also: Vec<Nature>,
    /// What it could be, where its nature is open.
    pub open: Option<Open>,
    /// The facts, the one that names the move first.
    pub reasons: Vec<Reason>,
    /// Positions expanded.
    pub spent: u32,
}

/// A test that ran out of its budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Which: `kill` or `chase`.
    pub test: Nature,
    /// What the move is if the test holds, and if it does not.
    pub candidates: Vec<Nature>,
    /// Positions it was allowed.
    pub budget: u32,
    /// Positions it used.
    pub spent: u32,
}

/// A fact about a move.
#[derive(Clone, Debug)]
pub enum Reason {
    /// It gives check, with these pieces.
    Check(Vec<(PieceId, Square)>),
    /// It threatens this mate.
    Kill(Vec<Move>),
    /// It threatens to take.
    Chase(Threat),
    /// It threatens to win by checks.
    ByChecks(ByChecks),
    /// It attacks, in the sense of the Asian rules.
    Attack(asian::Attack),
    /// A king's move out of check, whatever it threatens.
    KingEvasion,
    /// It could take, but that is not charged.
    Pardoned(Threat, Pardon),
    /// It could take, but would win nothing.
    Vain(Move, crate::exchange::Line),
    /// A quiet effect.
    Quiet(Quiet),
}

impl Finding {
    /// Whether it is certainly one of check, kill and chase.
    pub fn is_strike(&self) -> bool {
        self.nature.is_some_and(Nature::is_strike)
    }
}

const fn quiet_nature(quiet: &Quiet) -> Nature {
    match quiet {
        Quiet::Exchange { .. } => Nature::Exchange,
        Quiet::Offer { .. } => Nature::Offer,
        Quiet::Block { .. } => Nature::Block,
        Quiet::Follow { .. } => Nature::Follow,
    }
}

/// Finds the nature of a move. `kill` is the mate the other side's previous move threatened.
pub fn classify(definitions: &Definitions, scene: &Scene, kill: Option<&[Move]>) -> Finding {
    let mut natures = Vec::new();
    let mut reasons = Vec::new();
    let mut open = None;
    let mut spent = 0;
    let pairs = pairs(definitions, &scene.after);
    let checks = scene.after.in_check();
    let evades =
        definitions.king_evasion_idle && scene.answers_check && scene.mover.role() == Role::King;
    if checks {
        natures.push(Nature::Check);
        let by = scene
            .after
            .checkers()
            .map(|id| (id, scene.after.square_of(id)))
            .collect();
        reasons.push(Reason::Check(by));
    } else if evades {
        reasons.push(Reason::KingEvasion);
    } else {
        let mut budget = Budget::new(definitions.kill_budget);
        let bans = banned(&pairs, |pair| pair.playable);
        match mate(&scene.threat, &bans, &mut budget) {
            MateAnswer::Mates(mate) => {
                natures.push(Nature::Kill);
                reasons.push(Reason::Kill(mate.line));
            }
            MateAnswer::Escapes => {}
            MateAnswer::Open => {
                open = Some((Nature::Kill, budget.limit(), budget.spent()));
            }
        }
        spent += budget.spent();
    }
    if !evades {
        match definitions.chase_test {
            ChaseTest::None => {}
            ChaseTest::RootAndValue => {
                if !checks {
                    let old = asian::victims(&mut scene.before.clone());
                    let mut new = Vec::new();
                    asian::attacks(&mut scene.threat.clone(), |attack| {
                        if !old.contains(attack.victim) {
                            new.push(Reason::Attack(attack));
                        }
                    });
                    if !new.is_empty() {
                        natures.push(Nature::Chase);
                        reasons.append(&mut new);
                    }
                }
            }
            ChaseTest::Exchange if checks => {}
            ChaseTest::Exchange => {
                let bans = banned(&pairs, |pair| pair.acceptable);
                let mut chases = Chases::new(definitions, scene, bans);
                let threats = chases.threats();
                let mut new: Vec<_> = threats.new.iter().cloned().map(Reason::Chase).collect();
                if new.is_empty() {
                    new.extend(chases.by_checks(&threats).map(Reason::ByChecks));
                }
                let (used, exhausted) = chases.spent();
                spent += used;
                if exhausted && open.is_none() {
                    open = Some((Nature::Chase, definitions.chase_budget, used));
                }
                if !new.is_empty() {
                    natures.push(Nature::Chase);
                }
                reasons.append(&mut new);
                reasons.extend(
                    threats
                        .pardoned
                        .into_iter()
                        .map(|(t, p)| Reason::Pardoned(t, p)),
                );
                reasons.extend(
                    threats
                        .vain
                        .into_iter()
                        .map(|(c, line)| Reason::Vain(c, line)),
                );
            }
        }
    }
    for quiet in effects(definitions, scene, &pairs, kill) {
        let nature = quiet_nature(&quiet);
        if !checks && !natures.contains(&nature) {
            natures.push(nature);
        }
        reasons.push(Reason::Quiet(quiet));
    }
    if natures.is_empty() {
        natures.push(Nature::Idle);
    }
    let mut natures = natures.into_iter();
    let nature = natures.next();
    let also: Vec<_> = natures.collect();
    let open = open.and_then(|(test, budget, spent)| {
        let other = nature?;
        (test < other).then(|| Open {
            test,
            candidates: vec![test, other],
            budget,
            spent,
        })
    });
    let nature = if open.is_some() { None } else { nature };
    Finding {
        nature,
        also,
        open,
        reasons,
        spent,
    }
}
