//! What a side's moves come to over the whole cycle: the patterns the books have names and clauses
//! for.

use super::conduct::{Conduct, Standing, called, captors, chased, natures_of, natures_told};
use super::judge::{Judged, MoveJudged};
use crate::board::{BySide, Move, PieceId, PieceSet, Position, Role, Side, Square};
use crate::classify::{Attack, Nature, Quiet, Reason, Scene, Sparing};
use crate::definitions::{ChaseTest, Definitions};
use crate::exchange::{Root, Terms, is_retaken, status_of};
use crate::once::each_once;
use crate::rules::{Ground, Situation};

/// The grounds of a side's pattern; none where a nature is open.
pub fn of_side(definitions: &Definitions, judged: &Judged, side: Side) -> Vec<Ground> {
    let told = |side| natures_told(definitions, judged, side);
    let (Some(own), Some(other)) = (told(side), told(side.opponent())) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let all = |test: &dyn Fn(Nature) -> bool| own.iter().all(|&nature| test(nature));
    let given = |nature| matches!(nature, Nature::Exchange | Nature::Offer);
    found.extend(if all(&|n| n == Nature::Check) {
        Some(Ground::PerpetualCheck)
    } else if all(&|n| n == Nature::Kill) {
        Some(Ground::PerpetualKill)
    } else if all(&|n| n == Nature::Chase) {
        Some(Ground::PerpetualChase)
    } else if all(&given) {
        Some(Ground::PerpetualExchange)
    } else if all(&|n| !n.is_strike()) {
        Some(Ground::PerpetualQuiet)
    } else {
        None
    });
    let strikes = |natures: &[Nature]| natures.iter().all(|&n| definitions.is_attack(n));
    found.extend(match (strikes(&own), strikes(&other)) {
        (true, true) => Some(Ground::BothStrike),
        (true, false) => Some(Ground::OneStrikes),
        (false, _) => None,
    });
    found
}

/// What decides beside the row of the table: who chases whom, and how.
pub fn of_verdict(
    terms: Terms<'_>,
    moves: &[MoveJudged],
    conduct: &BySide<Conduct>,
    situation: Situation,
    side: Option<Side>,
) -> Vec<Ground> {
    let definitions = terms.definitions;
    let themes = Themes {
        terms,
        moves,
        conduct,
    };
    if definitions.chase_test != ChaseTest::RootAndValue {
        return match (situation, side) {
            (Situation::StrongerAttacks, Some(side)) => themes.single_handed(side),
            _ => Vec::new(),
        };
    }
    let mut found = Vec::new();
    match (situation, side) {
        (Situation::OneSidedCheck, Some(side)) => {
            let other = natures_of(definitions, moves, side.opponent());
            if other.is_some_and(|other| other.contains(&Nature::Check)) {
                found.push(Ground::CheckAnswered);
            }
            themes.answer(side.opponent(), &mut found);
        }
        (Situation::OneForbidden | Situation::GraverOffence, Some(side)) => {
            themes.offence(side, &mut found);
            themes.answer(side.opponent(), &mut found);
        }
        (Situation::BothForbidden | Situation::BothPermitted, _) => {
            for side in Side::ALL {
                if conduct[side].standing == Standing::Forbidden {
                    themes.offence(side, &mut found);
                } else {
                    themes.permitted(side, &mut found);
                }
            }
        }
        (Situation::OneSidedCheck | Situation::OneForbidden | Situation::GraverOffence, None)
        | (
            Situation::MutualCheck
            | Situation::StrongerAttacks
            | Situation::NotChanged
            | Situation::ConductNotJudged,
            _,
        ) => {}
    }
    each_once(found)
}

/// How many of the mover's pieces could take on a square.
pub fn could_take(scene: &Scene, at: Square) -> usize {
    let attackers = scene.after.contacts().attackers(at);
    let takes = |&id: &PieceId| {
        let take = Move::new(scene.after.square_of(id), at);
        scene.threat().is_legal(take)
    };
    attackers.filter(takes).count()
}

/// Whose own attack it is.
pub const fn of_king_or_pawn(captor: PieceId) -> Ground {
    if matches!(captor.role(), Role::King) {
        Ground::KingChases
    } else {
        Ground::PawnChases
    }
}

/// What kings and pawns attack by a move, which is spared as their own.
fn own_attacks(m: &MoveJudged) -> impl Iterator<Item = Attack> + '_ {
    m.finding.reasons.iter().filter_map(Reason::own_attack)
}

/// The attacks of the Asian rules on a piece that a move is charged with.
fn attacks_on(m: &MoveJudged, victim: PieceId) -> impl Iterator<Item = Attack> + '_ {
    m.finding.reasons.iter().filter_map(move |reason| {
        if let Reason::Attack(attack) = reason {
            (attack.victim == victim).then_some(*attack)
        } else {
            None
        }
    })
}

/// What an attack of the Asian rules rests on, by what the piece attacked has for a root.
pub fn of_attack(m: &MoveJudged, attack: Attack, root: Root) -> Vec<Ground> {
    let scene = &m.scene;
    let take = attack.capture;
    let mut found = Vec::new();
    if attack.captor != scene.mover {
        let on_path = |square| Position::path(take.from, take.to).any(|at| at == square);
        let screen = attack.captor.role() == Role::Cannon
            && (on_path(scene.mv.from) || on_path(scene.mv.to));
        found.push(if scene.mover.is_king_or_pawn() {
            Ground::ChaseByKingMove
        } else if screen {
            Ground::ChaseByScreen
        } else {
            Ground::ChaseByOther
        });
        let offered = m.finding.also.contains(&Nature::Offer);
        if offered && scene.mover.role() == Role::Rook {
            found.push(Ground::DiscoveredUnderOffer);
        }
    }
    if attack.captor.role() == Role::Rook
        && scene.mover.role() == Role::Pawn
        && scene.bore(take.from, take.to)
        && is_retaken(&scene.before, take)
    {
        found.push(Ground::RootCutByPawn);
    }
    if attack.captor.role() == attack.victim.role() {
        found.push(Ground::SameKind);
    }
    if attack.victim.role() == Role::Pawn {
        found.push(Ground::PawnVictim);
    }
    if root == Root::False {
        found.push(Ground::FalseRoot);
    }
    found
}

/// Whether a move offers an exchange, or a piece.
pub fn offers(m: &MoveJudged) -> bool {
    let given = |quiet: &Quiet| matches!(quiet, Quiet::Exchange { .. } | Quiet::Offer { .. });
    let mut reasons = m.finding.reasons.iter();
    reasons.any(|reason| matches!(reason, Reason::Quiet(quiet) if given(quiet)))
}

struct Themes<'a> {
    terms: Terms<'a>,
    moves: &'a [MoveJudged],
    conduct: &'a BySide<Conduct>,
}

impl Themes<'_> {
    fn own(&self, side: Side) -> impl Iterator<Item = &MoveJudged> {
        self.moves.iter().filter(move |m| m.scene.side == side)
    }

    /// What the chases of a side are of that are all single-handed; checks and threats of mate are nobody's chases.
    fn single_handed(&self, side: Side) -> Vec<Ground> {
        let chases = |m: &MoveJudged| m.finding.nature == Some(Nature::Chase);
        if !self.own(side).all(chases) {
            return Vec::new();
        }
        let of_rook = |m: &MoveJudged| {
            let mut reasons = m.finding.reasons.iter();
            reasons.any(Reason::is_strong_on_rook)
        };
        let (rooks, others) = (self.own(side).any(of_rook), !self.own(side).all(of_rook));
        let rooks = rooks.then_some(Ground::SingleChaseOfRook);
        let others = others.then_some(Ground::SingleChaseOfUnrooted);
        rooks.into_iter().chain(others).collect()
    }

    /// Why a perpetual chase is forbidden: who chases whom.
    fn offence(&self, side: Side, found: &mut Vec<Ground>) {
        let Some(victim) = self.conduct[side].victim else {
            return;
        };
        let chasers: Vec<Vec<PieceId>> = self
            .own(side)
            .map(|m| captors(&m.finding, victim).collect())
            .collect();
        let always = |role: Role| {
            chasers
                .iter()
                .all(|each| each.iter().any(|id| id.role() == role))
        };
        let (by_horse, by_cannon) = (always(Role::Horse), always(Role::Cannon));
        let minor = |id: &PieceId| matches!(id.role(), Role::Horse | Role::Cannon);
        let by_minors = || chasers.iter().all(|each| each.iter().any(minor));
        found.extend_from_slice(match victim.role() {
            Role::Rook if self.conduct[side].level == 3 => &[Ground::HeldRook],
            Role::Rook if by_horse => &[Ground::HorseChasesRook],
            Role::Rook if by_cannon => &[Ground::CannonChasesRook],
            Role::Rook if by_minors() => &[Ground::HorseChasesRook, Ground::CannonChasesRook],
            Role::Cannon if always(Role::Rook) => &[Ground::RookChasesCannon],
            Role::Horse if always(Role::Rook) => &[Ground::RookChasesHorse],
            Role::Pawn => &[Ground::PawnVictim],
            Role::King
            | Role::Advisor
            | Role::Elephant
            | Role::Horse
            | Role::Rook
            | Role::Cannon => &[],
        });
        let first = chasers.first().cloned().unwrap_or_default();
        let one_always = first
            .iter()
            .any(|id| chasers.iter().all(|each| each.contains(id)));
        let moved = |m: &MoveJudged| m.scene.mover.is_king_or_pawn();
        if self.own(side).all(moved) {
            found.push(Ground::ChaseByKingMove);
            found.extend((!one_always).then_some(Ground::KingMovesInTurn));
        } else if !one_always && !self.is_rooted(side, victim) {
            found.push(Ground::ChasersInTurn);
        }
        for m in self.own(side) {
            found.extend(self.rests_on(m, victim));
        }
        if self.own(side).any(offers) {
            found.push(Ground::ChaseWithOffer);
        }
    }

    /// Why the other side is spared although it attacks with every move as well.
    fn answer(&self, side: Side, found: &mut Vec<Ground>) {
        let strikes = |m: &MoveJudged| m.finding.nature.is_some_and(Nature::is_strike);
        if self.conduct[side].standing == Standing::Permitted && self.own(side).all(strikes) {
            self.permitted(side, found);
        }
    }

    /// Without what a move would not chase a piece at all: what all its attacks on it rest on.
    fn rests_on(&self, m: &MoveJudged, victim: PieceId) -> Vec<Ground> {
        let mut grounds = attacks_on(m, victim).map(|attack| {
            let root = status_of(self.terms, &m.scene.after, attack.capture).root;
            of_attack(m, attack, root)
        });
        let mut all = grounds.next().unwrap_or_default();
        for others in grounds {
            all.retain(|ground| others.contains(ground));
        }
        all.retain(|ground| {
            matches!(
                ground,
                Ground::SameKind
                    | Ground::ChaseByScreen
                    | Ground::FalseRoot
                    | Ground::DiscoveredUnderOffer
                    | Ground::RootCutByPawn
            )
        });
        all
    }

    /// Whether a piece that a side chases for ever could be retaken once: a rook may be chased although it has a root.
    fn is_rooted(&self, side: Side, victim: PieceId) -> bool {
        self.own(side).any(|m| {
            attacks_on(m, victim).any(|attack| is_retaken(m.scene.threat(), attack.capture))
        })
    }

    /// Why moves that attack are permitted all the same.
    fn permitted(&self, side: Side, found: &mut Vec<Ground>) {
        // As they are called: nothing comes of what goes with a threat of mate.
        let Some(natures) = called(self.moves, side) else {
            return;
        };
        let kills = |m: &MoveJudged| m.finding.nature == Some(Nature::Kill);
        if self.own(side).all(kills) {
            let both = self.moves.iter().all(kills);
            found.push(if both {
                Ground::MutualKill
            } else {
                Ground::PerpetualKill
            });
            return;
        }
        let has = |nature| natures.contains(&nature);
        let strikes = natures.iter().filter(|nature| nature.is_strike()).count();
        if strikes == natures.len() {
            self.strikes(side, &natures, found);
        } else if strikes > 0 {
            if has(Nature::Check) || has(Nature::Chase) {
                let together = self.with_king_or_pawn(side);
                found.push(together.unwrap_or(Ground::StrikeAndIdle));
            }
        } else {
            self.quiet(side, &natures, found);
        }
    }

    /// Whether a king or a pawn chases one and the same piece by turns with others: what is spared of that is its own alone.
    fn with_king_or_pawn(&self, side: Side) -> Option<Ground> {
        let attacked = self.own(side).map(|m| {
            let own = own_attacks(m).map(|attack| attack.victim);
            chased(&m.finding).or(own.collect())
        });
        let always = attacked.reduce(PieceSet::and).unwrap_or_default();
        let mut own = self.own(side).flat_map(own_attacks);
        let own = own.find(|attack| always.contains(attack.victim));
        own.map(|attack| of_king_or_pawn(attack.captor))
    }

    /// Attacks of several kinds, or of several pieces.
    fn strikes(&self, side: Side, natures: &[Nature], found: &mut Vec<Ground>) {
        let has = |nature| natures.contains(&nature);
        let (check, kill, chase) = (has(Nature::Check), has(Nature::Kill), has(Nature::Chase));
        if check && kill {
            found.push(Ground::CheckAndKill);
        }
        if check && chase {
            found.push(Ground::CheckAndChase);
        }
        // A threat of mate is no offence, the chase that goes with it may be.
        let chases = |m: &MoveJudged| !chased(&m.finding).is_empty();
        if chase && !check && self.own(side).all(chases) {
            let rook_by_cannon = |reason: &Reason| {
                matches!(reason, Reason::Attack(attack)
                    if attack.captor.role() == Role::Cannon && attack.victim.role() == Role::Rook)
            };
            let mut own = self.own(side);
            found.push(
                if own.all(|m| m.finding.reasons.iter().any(rook_by_cannon)) {
                    Ground::RooksInTurn
                } else {
                    Ground::SeveralVictims
                },
            );
        }
    }

    /// What a side's quiet moves have in common.
    fn quiet(&self, side: Side, natures: &[Nature], found: &mut Vec<Ground>) {
        let every = |test: &dyn Fn(&Reason) -> bool| {
            self.own(side).all(|m| m.finding.reasons.iter().any(test))
        };
        let spared_king = |role: Role| {
            move |reason: &Reason| {
                let own = reason.own_attack();
                own.is_some_and(|attack| attack.captor.role() == role)
            }
        };
        // What a piece bore on before its move as well is not chased by it.
        let rooted = |m: &MoveJudged, test: &dyn Fn(Square) -> bool| {
            m.finding.reasons.iter().any(|reason| {
                matches!(reason, Reason::Spared(Attack { capture, .. }, Sparing::Rooted(_))
                    if !m.scene.bore(capture.from, capture.to) && test(capture.to))
            })
        };
        let several = |m: &MoveJudged| rooted(m, &|at| could_take(&m.scene, at) > 1);
        let given = |&nature: &Nature| matches!(nature, Nature::Exchange | Nature::Offer);
        if every(&spared_king(Role::King)) {
            found.push(Ground::KingChases);
        } else if every(&spared_king(Role::Pawn)) {
            found.push(Ground::PawnChases);
        } else if every(&|reason| matches!(reason, Reason::Spared(_, Sparing::Pinned))) {
            found.push(Ground::PinnedAttacker);
        } else if self.own(side).all(|m| rooted(m, &|_| true)) {
            found.push(if self.own(side).all(several) {
                Ground::JointChaseOfRooted
            } else {
                Ground::ChaseOfRooted
            });
        }
        if every(&|reason| matches!(reason, Reason::Spared(_, Sparing::Mutual))) {
            found.push(Ground::SameKind);
        }
        if every(&|reason| matches!(reason, Reason::Spared(_, Sparing::Existed))) {
            found.push(Ground::Existed);
        }
        if every(&|reason| matches!(reason, Reason::SparedCheck(_))) {
            found.push(Ground::CheckFirst);
        }
        if natures.iter().all(given) {
            found.push(Ground::PerpetualExchange);
        }
    }
}
