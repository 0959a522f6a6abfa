//! The tests in the order of their gravity: check, king's evasion, kill, chase, and the quiet kinds.

use super::fortress::{self, Post};
use super::partners::{Pair, bans, pairs};
use super::quiet::{Quiet, effects, exchange, holds, mate_shut};
use super::scene::Scene;
use super::strength::{self, Strength};
use super::threats::{ByChecks, Chases, Pardon, Threat, Threats, Uncounted};
use crate::board::{Move, PieceId, PieceSet, Role, Square};
use crate::definitions::{Assertions, ChaseTest, Nature};
use crate::exchange::{
    Account, Aims, Attack, Balance, Budget, Grade, Line, MateAnswer, Sparing, Spent, Terms, Which,
    attacked, attacks, mate,
};

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
    /// Attacks that are new of their captor, on what another attacked already: they count where a side makes one of them with
    /// every move.
    pub renewed: Vec<Attack>,
    /// Holding a drawing post would excuse it, were that asserted.
    pub excusable: bool,
    /// Positions expanded.
    pub spent: u32,
}

/// A test that ran out of its budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Which: `kill` or `chase`; `block` where it is open whether there was a mate to stop, `exchange` and `offer` whether what is
    /// offered may be taken.
    pub test: Nature,
    /// What the move is if the test holds, and if it does not.
    pub candidates: Vec<Nature>,
    /// Positions it was allowed.
    pub budget: u32,
    /// Positions it used.
    pub spent: u32,
    /// It is a pawn's own attack, and what is open is whether both sides attack on every move, so that it counts.
    pub upgrade: bool,
}

/// A fact about a move.
#[derive(Clone, Debug)]
pub enum Reason {
    /// It gives check, with these pieces.
    Check(Vec<(PieceId, Square)>),
    /// It threatens this mate.
    Kill(Vec<Move>),
    /// It threatens to take; how strong that attack is where the book asks.
    Chase(Threat, Option<Strength>),
    /// It threatens to win by checks.
    ByChecks(ByChecks, Option<Strength>),
    /// It only holds a drawing post: these captures are not charged.
    Fortress(Post, Vec<Move>),
    /// It attacks, in the sense of the Asian rules.
    Attack(Attack),
    /// It could take, but that is not charged under the Asian rules.
    Spared(Attack, Sparing),
    /// It threatens to win this by a check first, which those rules do not charge.
    SparedCheck(Line),
    /// A king's move out of check, whatever it threatens.
    KingEvasion,
    /// It could take, but that is not charged.
    Pardoned(Threat, Pardon),
    /// It could win by checks, but could before the move just as well.
    PardonedChecks(ByChecks),
    /// It could take, but would win nothing.
    Vain(Move, Line),
    /// It could take behind checks, and other books would count what that brings.
    Uncounted(Line, Uncounted),
    /// A pawn's own attack that counts, both sides attacking on every move; how strong it is where
    /// the book asks.
    PawnUpgrade(Threat, Option<Strength>),
    /// A quiet effect.
    Quiet(Quiet),
}

impl Reason {
    /// The mate that is threatened.
    pub const fn mate(&self) -> Option<&[Move]> {
        if let Self::Kill(line) = self {
            Some(line.as_slice())
        } else {
            None
        }
    }

    /// Whether it is an attack that the book calls strong.
    pub const fn is_strong(&self) -> bool {
        matches!(
            self,
            Self::Chase(_, Some(Strength::Strong))
                | Self::PawnUpgrade(_, Some(Strength::Strong))
                | Self::ByChecks(_, Some(Strength::Strong))
        )
    }

    /// Whether it is such an attack on a rook.
    pub fn is_strong_on_rook(&self) -> bool {
        if let Self::ByChecks(gain, Some(Strength::Strong)) = self {
            let mut won = gain.line.certain;
            return won.any(|id| id.role() == Role::Rook);
        }
        matches!(
            self,
            Self::Chase(threat, Some(Strength::Strong))
                | Self::PawnUpgrade(threat, Some(Strength::Strong))
                if strength::takes_a_rook(threat)
        )
    }

    /// A king's or pawn's own attack, where the Asian rules spare it.
    pub const fn own_attack(&self) -> Option<Attack> {
        if let Self::Spared(attack, Sparing::KingOrPawn) = self {
            Some(*attack)
        } else {
            None
        }
    }

    /// Whether it is an attack by the pawn that moved, alone and new, which may come to count (27.2).
    pub fn is_own_of_pawn(&self, scene: &Scene) -> bool {
        if scene.mover.role() != Role::Pawn {
            return false;
        }
        if let Some(attack) = self.own_attack() {
            let Move { from, to } = attack.capture;
            return attack.captor == scene.mover && !scene.bore(from, to);
        }
        matches!(self, Self::Pardoned(threat, Pardon::KingOrPawn)
            if threat.captor == scene.mover && !threat.old_relation)
    }
}

impl Finding {
    /// Of a move that was not looked into.
    pub const SKIPPED: Self = Self {
        nature: None,
        also: Vec::new(),
        open: None,
        reasons: Vec::new(),
        renewed: Vec::new(),
        excusable: false,
        spent: 0,
    };

    /// Counts an attack that is new of its captor alone.
    pub fn renew(&mut self, attack: Attack) {
        let told =
            |reason: &Reason| matches!(reason, Reason::Spared(spared, _) if *spared == attack);
        self.reasons.retain(|reason| !told(reason));
        self.reasons.insert(0, Reason::Attack(attack));
        if let Some(open) = &mut self.open {
            // Whatever it would be otherwise is no less than a chase.
            for candidate in &mut open.candidates {
                *candidate = (*candidate).min(Nature::Chase);
            }
            open.candidates.dedup();
        }
        self.name_chase();
    }

    /// Names the move a chase, unless it is something heavier.
    fn name_chase(&mut self) {
        match self.nature {
            Some(Nature::Chase) | None => {}
            // What is heavier names the move, though it may be none of what is forbidden (27.4).
            Some(heavier) if heavier.is_strike() => {
                if !self.also.contains(&Nature::Chase) {
                    self.also.insert(0, Nature::Chase);
                }
            }
            Some(quiet) => {
                self.nature = Some(Nature::Chase);
                if quiet != Nature::Idle {
                    self.also.insert(0, quiet);
                }
            }
        }
    }

    /// Counts a pawn's own attacks, among the reasons why the move was none.
    pub fn upgrade(&mut self, terms: Terms<'_>, scene: &Scene) {
        let graded = terms.both_forbidden.grades();
        let mut budget = terms.chase_budget();
        let mut counted = 0;
        for at in 0..self.reasons.len() {
            let own = |reason: &Reason| reason.is_own_of_pawn(scene);
            if !self.reasons.get(at).is_some_and(own) {
                continue;
            }
            let mut reason = self.reasons.remove(at);
            if let Reason::Pardoned(threat, _) = reason {
                let strength =
                    graded.then(|| strength::of_threat(terms, scene, &threat, &mut budget));
                reason = Reason::PawnUpgrade(threat, strength);
            } else if let Reason::Spared(attack, _) = reason {
                reason = Reason::Attack(attack);
            }
            self.reasons.insert(counted, reason);
            counted += 1;
        }
        self.spent = self.spent.saturating_add(budget.spent());
        if budget.is_spent() {
            // How strong it is stays open.
            let Spent { positions, of } = budget.told();
            self.may_be_upgraded(&Open {
                test: Nature::Chase,
                candidates: Vec::new(),
                budget: of,
                spent: positions,
                upgrade: true,
            });
        } else {
            self.name_chase();
        }
    }

    /// Says that a pawn's own attack may come to count, as long as what another move is stays open.
    pub fn may_be_upgraded(&mut self, unsettled: &Open) {
        let open = self.open.get_or_insert_with(|| Open {
            test: Nature::Chase,
            candidates: self.nature.into_iter().collect(),
            upgrade: true,
            ..unsettled.clone()
        });
        self.nature = None;
        open.candidates.push(Nature::Chase);
        open.candidates.sort();
        open.candidates.dedup();
    }

    /// Whether it is a chase only as long as nobody asserts that the ending is a plain draw (27.3, 26.2).
    pub fn is_idle_if_drawn(&self) -> bool {
        self.nature == Some(Nature::Chase) && self.excusable
    }

    /// Whether it is certainly one of check, kill and chase.
    pub fn is_strike(&self) -> bool {
        self.nature.is_some_and(Nature::is_strike)
    }
}

/// How far a finding goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Only what the outcome hangs on: a side that has one idle move is permitted its conduct, and its
    /// other moves are not looked into any more. They have no nature then.
    Outcome,
    /// Only what a verdict can read.
    Verdict,
    /// The nature of every move, quiet ones too, and all clauses.
    Natures,
    /// Also what else the move is, and why it is not more.
    Notes,
}

/// The mate that a move threatens.
#[derive(Clone, Debug)]
pub enum MateThreat {
    /// None.
    None,
    /// This one.
    Line(Vec<Move>),
    /// Not settled within this budget.
    Open(Spent),
}

/// The tests that decide whether a move is a strike (打), heaviest first.
#[derive(Debug)]
pub struct Strikes {
    natures: Vec<Nature>,
    reasons: Vec<Reason>,
    /// Tests that ran out of their budget.
    open: Vec<(Nature, Spent)>,
    spent: u32,
    pairs: Vec<Pair>,
    /// What could be taken with profit now, whether or not that is charged.
    won: PieceSet,
    checks: bool,
    /// See [`Finding::renewed`].
    renewed: Vec<Attack>,
    /// See [`Finding::excusable`].
    excusable: bool,
}

impl Strikes {
    /// The mate the move threatens, if it does.
    fn kill(&self) -> Option<&[Move]> {
        self.reasons.iter().find_map(Reason::mate)
    }

    /// What the next move may have to stop.
    pub fn mate_threat(&self) -> MateThreat {
        let open = self.open.iter().find(|&&(test, _)| test == Nature::Kill);
        match (open, self.kill()) {
            (Some(&(_, spent)), _) => MateThreat::Open(spent),
            (None, Some(line)) => MateThreat::Line(line.to_vec()),
            (None, None) => MateThreat::None,
        }
    }

    /// Looks for check, kill and chase.
    pub fn find(terms: Terms<'_>, scene: &Scene, assertions: Assertions, depth: Depth) -> Self {
        let checks = scene.gives_check;
        let searches = terms.chase_test == ChaseTest::Exchange;
        let mut budget = terms.chase_budget();
        // They decide what may be used to mate, and to win.
        let matter = searches || terms.kill_is_attack || depth >= Depth::Natures;
        let pairs = if checks || !matter {
            Vec::new()
        } else {
            pairs(terms, &scene.after, &mut budget)
        };
        let mut found = Self {
            natures: Vec::new(),
            reasons: Vec::new(),
            open: Vec::new(),
            spent: budget.spent(),
            pairs,
            won: PieceSet::EMPTY,
            checks,
            renewed: Vec::new(),
            excusable: false,
        };
        let evades =
            terms.king_evasion_idle && scene.answers_check && scene.mover.role() == Role::King;
        if budget.is_spent() {
            // Where only the verdict is asked for a quiet move is idle, whatever it offers.
            if depth >= Depth::Natures {
                found.open.push((Nature::Exchange, budget.told()));
            }
            // What is on offer decides what may be used to mate and to win.
            if !evades {
                found.open.push((Nature::Kill, budget.told()));
                if searches {
                    found.open.push((Nature::Chase, budget.told()));
                }
            }
        }
        if checks {
            found.natures.push(Nature::Check);
            // Who gives it is only told.
            if depth == Depth::Notes {
                let king = scene.after.king(scene.side.opponent());
                let by = scene.after.contacts().attackers(king);
                let by = by.map(|id| (id, scene.after.square_of(id))).collect();
                found.reasons.push(Reason::Check(by));
            }
        } else if evades {
            found.reasons.push(Reason::KingEvasion);
            return found;
        } else if terms.kill_is_attack || depth >= Depth::Natures {
            found.mate(terms, scene);
        }
        match terms.chase_test {
            ChaseTest::None => {}
            ChaseTest::RootAndValue if checks => {}
            ChaseTest::RootAndValue => found.attacks(terms, scene, assertions, depth),
            ChaseTest::Exchange => {
                let known = found.natures.first().copied();
                if terms.chase_counts_beside(known) || depth == Depth::Notes {
                    found.chases(terms, scene, assertions, depth);
                }
            }
        }
        found
    }

    fn mate(&mut self, terms: Terms<'_>, scene: &Scene) {
        let mut budget = terms.kill_budget();
        // Only with what it offers itself is the move an exchange instead of a threat of mate.
        let offers = |pair: Pair| {
            pair.playable && (pair.is_made_by(scene) || exchange(scene, pair).is_some())
        };
        let bans = bans(&self.pairs, offers, |_| false);
        match mate(scene.threat(), &bans, &mut budget) {
            MateAnswer::Mates(line) => {
                self.natures.push(Nature::Kill);
                self.reasons.push(Reason::Kill(line));
            }
            MateAnswer::Escapes => {}
            MateAnswer::Open => self.open.push((Nature::Kill, budget.told())),
        }
        self.spent += budget.spent();
    }

    /// The attacks of the Asian rules: on pieces not attacked before, whoever attacks them.
    fn attacks(&mut self, terms: Terms<'_>, scene: &Scene, assertions: Assertions, depth: Depth) {
        let which = if depth >= Depth::Natures || terms.pawn_upgrade {
            Which::All
        } else {
            Which::Charged
        };
        let mut new = Vec::new();
        let mut spared = Vec::new();
        // Most moves attack nothing: what was attacked before is asked only where one does.
        let mut old = None;
        let mut renewed = Vec::new();
        let mut existed = |attack: Attack| {
            let old =
                old.get_or_insert_with(|| attacked(&terms, &mut scene.before.position().clone()));
            let existed = old.iter().any(|&(_, victim)| victim == attack.victim);
            if existed && !old.contains(&(attack.captor, attack.victim)) {
                renewed.push(attack);
            }
            existed
        };
        // What can be taken at once is not won by a check.
        let mut at_once = PieceSet::EMPTY;
        let mut threat = scene.after.position().clone();
        threat.pass();
        attacks(&terms, &mut threat, which, |attack, sparing| {
            if sparing.is_none() {
                at_once = at_once.with(attack.victim);
            }
            let sparing = match sparing {
                None if !existed(attack) => return new.push(attack),
                spared => spared.unwrap_or(Sparing::Existed),
            };
            let Attack {
                captor, capture, ..
            } = attack;
            // A check that is answered may have kept a piece from taking what it bore on.
            let freed = || {
                sparing == Sparing::Existed
                    && scene.answers_check
                    && !scene.before.is_legal(scene.same_before(capture))
            };
            if which == Which::All
                && (captor == scene.mover || !scene.bore(capture.from, capture.to) || freed())
            {
                spared.push((attack, sparing));
            }
        });
        let victims = new.iter().map(|attack| attack.victim).collect();
        if let Some(post) = fortress::exempts(&terms, scene, assertions, victims) {
            let captures = new.iter().map(|attack| attack.capture).collect();
            self.reasons.push(Reason::Fortress(post, captures));
        } else {
            if !new.is_empty() {
                self.natures.push(Nature::Chase);
            }
            self.reasons.extend(new.into_iter().map(Reason::Attack));
            self.renewed = renewed;
        }
        if depth >= Depth::Natures && self.natures.is_empty() && spared.is_empty() {
            let mut account = Account::new(terms, scene.threat());
            account.aim(Aims::Apart(at_once));
            let line = account.by_checks(1, Balance::EVEN, Grade::NO_GAIN);
            self.reasons.extend(line.map(Reason::SparedCheck));
        }
        let spared = spared.into_iter();
        self.reasons
            .extend(spared.map(|(attack, why)| Reason::Spared(attack, why)));
    }

    fn chases(&mut self, terms: Terms<'_>, scene: &Scene, assertions: Assertions, depth: Depth) {
        let told_before = self.reasons.len();
        // A kill that is no attack leaves it to the chase that may go with it.
        let decides = terms.chase_counts_beside(self.natures.first().copied());
        let given = |pair: Pair| !pair.is_exchange(&scene.after);
        let bans = bans(&self.pairs, |pair| pair.acceptable, given);
        let mut chases = Chases::new(terms, scene, bans, depth == Depth::Notes);
        let mut threats = chases.threats();
        if self.checks {
            threats.new.retain(|threat| chases.outlasts_check(threat));
        }
        let own = |&&(_, why): &&(Threat, Pardon)| why != Pardon::KingOrPawn;
        let old = threats.pardoned.iter().filter(own);
        let all = threats.new.iter().chain(old.map(|(threat, _)| threat));
        self.won = all.map(|threat| threat.victim).collect();
        let mut new = std::mem::take(&mut threats.new);
        let victims: PieceSet = new.iter().map(|threat| threat.victim).collect();
        let mut post = fortress::exempts(&terms, scene, assertions, victims);
        let (mut held, mut excused) = (Vec::new(), PieceSet::EMPTY);
        if post.is_some() {
            (held, excused) = (std::mem::take(&mut new), victims);
        }
        // What is attacked by the way leaves it to what else is won by checks. Where it decides nothing only what can be taken
        // directly is told.
        let by_checks = if new.is_empty() && decides {
            chases.by_checks(&threats, excused)
        } else {
            None
        };
        let (mut by_checks, old_checks) = match by_checks {
            Some(gain) if gain.before.is_some() => (None, Some(gain)),
            new => (new, None),
        };
        let won = by_checks
            .as_ref()
            .map_or(PieceSet::EMPTY, |gain| gain.line.victims);
        if let Some(by_way) = fortress::exempts(&terms, scene, assertions, won) {
            (post, by_checks) = (Some(by_way), None);
        }
        if let Some(post) = post {
            let captures = held.iter().map(|threat| threat.capture).collect();
            self.reasons.push(Reason::Fortress(post, captures));
        }
        if decides && post.is_none() {
            self.look_besides(terms, scene, (&chases, &threats), (victims, won));
        }
        let mut graded = terms.work.budget(u32::MAX);
        if !new.is_empty() || by_checks.is_some() {
            self.natures.push(Nature::Chase);
            let weighing = (&mut chases, &threats, &mut graded);
            let found = charges(
                terms,
                scene,
                weighing,
                (new, by_checks),
                decides.then_some(excused),
            );
            self.reasons.extend(found);
        }
        let mut budget = chases.spent();
        budget.absorb(graded);
        self.spent = self.spent.saturating_add(budget.spent());
        if budget.is_spent() {
            if decides {
                self.open.push((Nature::Chase, budget.told()));
            } else {
                // What a search that broke off seemed to find is not known, and decides nothing.
                self.natures.retain(|&nature| nature != Nature::Chase);
                self.reasons.truncate(told_before);
                self.won = PieceSet::EMPTY;
                return;
            }
        }
        if depth == Depth::Notes && decides && self.natures.is_empty() && old_checks.is_none() {
            let (found, spent) = chases.uncounted(&threats);
            self.spent = self.spent.saturating_add(spent);
            self.reasons
                .extend(found.map(|(line, why)| Reason::Uncounted(line, why)));
        }
        if depth == Depth::Notes || terms.pawn_upgrade {
            let pardoned = threats.pardoned.into_iter();
            self.reasons
                .extend(pardoned.map(|(threat, why)| Reason::Pardoned(threat, why)));
        }
        if depth == Depth::Notes {
            self.reasons.extend(old_checks.map(Reason::PardonedChecks));
            let vain = threats.vain.into_iter();
            self.reasons
                .extend(vain.map(|(capture, line)| Reason::Vain(capture, line)));
        }
    }

    /// Looks whether an assertion would excuse what is chased at once and by checks: not where more is won by checks.
    fn look_besides(
        &mut self,
        terms: Terms<'_>,
        scene: &Scene,
        (chases, threats): (&Chases<'_>, &Threats),
        (at_once, by_checks): (PieceSet, PieceSet),
    ) {
        let asserted = Assertions {
            theoretical_draw: true,
            ..Assertions::default()
        };
        let excuses = |victims| fortress::exempts(&terms, scene, asserted, victims).is_some();
        self.excusable = excuses(at_once.or(by_checks));
        if self.excusable && !at_once.is_empty() {
            let (besides, spent) = chases.won_besides(terms.definitions, threats, at_once);
            self.spent = self.spent.saturating_add(spent);
            self.excusable = besides.is_none_or(|gain| excuses(gain.line.victims));
        }
    }

    /// Adds the quiet effects and names the move. `threat` is the mate the other side's previous
    /// move threatened.
    pub fn finish(
        mut self,
        terms: Terms<'_>,
        scene: &Scene,
        threat: &MateThreat,
        depth: Depth,
    ) -> Finding {
        if depth >= Depth::Natures && !self.checks {
            let shut = match threat {
                MateThreat::Line(line) => mate_shut(terms, scene, line),
                MateThreat::None => Ok(None),
                MateThreat::Open(spent) => Err(*spent),
            };
            let stopped = shut.ok().flatten();
            let known = (&*self.pairs, self.won);
            for quiet in effects(terms, scene, known, stopped, &mut self.open) {
                let nature = quiet.nature();
                if !self.natures.contains(&nature) {
                    self.natures.push(nature);
                }
                self.reasons.push(Reason::Quiet(quiet));
            }
            if let Err(spent) = shut
                && !self.natures.contains(&Nature::Block)
            {
                // What it may stop is not known, so neither is whether it blocks.
                self.open.push((Nature::Block, spent));
            }
        }
        // What a search that broke off seemed to find is not known.
        self.open.sort_by_key(|&(test, _)| test);
        self.open.dedup_by_key(|&mut (test, _)| test);
        for &(test, _) in &self.open {
            self.natures.retain(|&nature| nature != test);
        }
        let mut natures = self.natures.into_iter();
        let nature = natures.next().or(Some(Nature::Idle));
        let heavier = |&&(test, _): &&(Nature, Spent)| {
            let counts = test == Nature::Chase && terms.chase_counts_beside(nature);
            counts || nature.is_some_and(|other| test < other)
        };
        // What can be taken with profit is not followed: with the one it is open whether it is.
        let unsure = depth >= Depth::Natures
            && matches!(nature, Some(Nature::Follow | Nature::Idle))
            && self.open.iter().any(|&(test, _)| test == Nature::Chase)
            && holds(scene);
        let open = self
            .open
            .iter()
            .find(heavier)
            .map(|&(test, Spent { positions, of })| {
                let could_be = self.open.iter().filter(heavier).map(|&(test, _)| test);
                let else_it_is = if unsure {
                    vec![Nature::Follow, Nature::Idle]
                } else {
                    nature.into_iter().collect()
                };
                Open {
                    test,
                    candidates: could_be.chain(else_it_is).collect(),
                    budget: of,
                    spent: positions,
                    upgrade: false,
                }
            });
        Finding {
            nature: if open.is_some() { None } else { nature },
            also: natures.collect(),
            open,
            reasons: self.reasons,
            renewed: self.renewed,
            excusable: self.excusable,
            spent: self.spent,
        }
    }
}

/// What a chase is charged with, each with its strength where the book asks; where it decides something, beside what is
/// excused.
fn charges(
    terms: Terms<'_>,
    scene: &Scene,
    (chases, threats, graded): (&mut Chases<'_>, &Threats, &mut Budget<'_>),
    (new, by_checks): (Vec<Threat>, Option<ByChecks>),
    excused: Option<PieceSet>,
) -> Vec<Reason> {
    let asked = terms.both_forbidden.grades();
    let weighed: PieceSet = new.iter().map(|threat| threat.victim).collect();
    let direct = new.into_iter().map(|threat| {
        let strength = asked.then(|| strength::of_threat(terms, scene, &threat, graded));
        Reason::Chase(threat, strength)
    });
    let mut found: Vec<Reason> = direct.collect();
    found.extend(by_checks.map(|gain| {
        let strength = asked.then(|| {
            if chases.opens_on_a_rook(threats, &gain) {
                Strength::Strong
            } else {
                Strength::Weak
            }
        });
        Reason::ByChecks(gain, strength)
    }));
    // What several pieces win together does not undo what one wins alone.
    if asked
        && let Some(excused) = excused
        && !found.iter().any(Reason::is_strong)
        && let Some(gain) = chases.by_checks_alone(threats, weighed.or(excused))
    {
        found.retain(|reason| !matches!(reason, Reason::ByChecks(..)));
        found.push(Reason::ByChecks(gain, Some(Strength::Strong)));
    }
    found
}
