//! 捉: what a move threatens to win, and whether the threat is new.

use super::partners::{Pair, bans as bans_of, faced_before, pairs};
use super::scene::Scene;
use crate::board::{Move, PieceId, PieceSet, Position, Role, Side, Square};
use crate::definitions::{BeforeBasis, BothForbidden, Definitions, PawnCapture};
use crate::exchange::{
    Account, Aims, Attack, Balance, Bans, Before, Budget, End, Grade, Line, Prefer, Terms, Win,
    material,
};

/// A capture that would win something, were its side to move again.
#[derive(Clone, Debug)]
pub struct Threat {
    /// Captor and victim.
    pub capture: Move,
    /// Which piece would take.
    pub captor: PieceId,
    /// Which piece would be taken.
    pub victim: PieceId,
    /// What it would win, and how.
    pub line: Line,
    /// In what sense it wins.
    pub win: Win,
    /// Whether the captor bore on the victim before the move.
    pub old_relation: bool,
    /// Whether the victim could be won before the move in the plain account, the danger to the
    /// piece about to move left aside.
    pub old_in_plain: bool,
    /// What taking the victim would have brought before the move: the line that won it where it
    /// could be won, otherwise the line by which this capture won nothing, if it was there, or that of another piece.
    pub before: Option<Line>,
    /// How it would win less if what its captor lets go of as a root counted (细则 4): told.
    pub without_wards: Option<Line>,
}

impl Threat {
    /// The line that won it before the move, or that leads now to the very position to which it led then.
    fn stood(&self) -> Line {
        let won = self.before.filter(|line| line.win.is_some());
        won.unwrap_or(self.line)
    }

    /// The capture alone.
    pub const fn attack(&self) -> Attack {
        let Self {
            captor,
            victim,
            capture,
            ..
        } = *self;
        Attack {
            captor,
            victim,
            capture,
        }
    }
}

/// Why a winning capture is not charged to the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pardon {
    /// The victim could be won before the move just as well (从捉到捉).
    Existed,
    /// A king's or pawn's own attack.
    KingOrPawn,
}

/// All that a move threatens to capture.
#[derive(Clone, Debug, Default)]
pub struct Threats {
    /// New threats.
    pub new: Vec<Threat>,
    /// Threats that are not charged.
    pub pardoned: Vec<(Threat, Pardon)>,
    /// Captures of material that win nothing.
    pub vain: Vec<(Move, Line)>,
}

/// A gain by consecutive checks.
#[derive(Clone, Debug)]
pub struct ByChecks {
    /// Checks, answers, and the gain.
    pub line: Line,
    /// What brought as much before the move, where something did: then it is not charged.
    pub before: Option<Line>,
    /// Whether it did so with the check left aside that the move answers.
    pub aside: bool,
    /// Why it brought less before the move, where it is told and could be played then.
    pub foil: Option<Foil>,
    /// Whether so much could be won before the move with the danger to the piece about to move left aside.
    pub old_in_plain: bool,
    /// The whole of it: with what could be taken before, where all such runs begin by taking that.
    pub whole: Line,
}

/// Why what checks would bring is no gain by the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// As much is lost.
    Costs,
    /// It is paid for with pawns.
    Floats,
    /// A pawn takes it.
    Pawn,
}

/// Why a run of checks brought less before a move.
#[derive(Clone, Debug)]
pub enum Foil {
    /// This answer to its first check was enough.
    Answer(Move),
    /// Played like this, it would have been answered so at its end.
    Reply(Box<Line>),
    /// So far it could be played; the next move of it could not.
    Ends(Vec<Move>),
}

impl ByChecks {
    /// One that was there before as well.
    const fn that_stood(line: Line, before: Line) -> Self {
        Self {
            line,
            before: Some(before),
            aside: false,
            foil: None,
            old_in_plain: false,
            whole: line,
        }
    }

    /// Whether not so much was to be had before at once, but each of the pieces by itself.
    pub fn was_apart(&self) -> bool {
        self.before
            .is_some_and(|stood| stood.grade < self.line.grade)
    }
}

/// The questions about captures that one move raises, with the accounts of the positions around
/// it kept between them.
pub struct Chases<'a> {
    terms: Terms<'a>,
    scene: &'a Scene,
    now: Account<'a>,
    before: Account<'a>,
    basis: Account<'a>,
    /// What is there now without the piece that moved.
    removed: Option<Account<'a>>,
    /// What is there now with the loss of that piece, where it hangs, counted.
    charged: Option<Account<'a>>,
    /// Whether it is told how a threat came about, and what is not charged.
    told: bool,
    /// What was expanded beside these.
    others: Budget<'a>,
}

impl std::fmt::Debug for Chases<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chases")
            .field("scene", &self.scene)
            .finish_non_exhaustive()
    }
}

impl<'a> Chases<'a> {
    /// The questions about one move; `bans` are the captures of acceptable exchange partners. Where it is `told` how a
    /// threat came about, more is asked of the position before the move than decides.
    pub fn new(terms: Terms<'a>, scene: &'a Scene, bans: Bans, told: bool) -> Self {
        // A piece that was offered in exchange for another before the move was no threat to it then either; one without a
        // root was no exchange but an offer, and the mover could simply take, as it could what won something by itself. In
        // check nothing could be accepted: the pairs are those of now that faced each other already.
        let mut others = terms.chase_budget();
        let mut stood = if scene.answers_check {
            faced_before(&bans, scene)
        } else {
            let stood = pairs(terms, scene.waiting(), &mut others);
            let exchange = |pair: Pair| pair.acceptable && pair.is_exchange(scene.waiting());
            bans_of(&stood, exchange, |_| false)
        };
        let treated = match terms.before_basis {
            BeforeBasis::Relation => Before::Shield(scene.mover),
            BeforeBasis::Result => Before::Dodge(scene.mover),
        };
        // Hardly ever does any pair stand.
        if !stood.is_empty() {
            let mut account = Account::surveyed(terms, &scene.before, &scene.before);
            if terms.before_basis == BeforeBasis::Relation {
                account = account.before(treated);
            }
            stood.retain(|ban| {
                let take = Move::new(ban.from, ban.to);
                !account.can_take(take)
                    || account.line_from(take, Grade::EVEN_TRADE).win != Some(Win::Gain)
            });
            others.absorb(account.budget);
        }
        let plain = Account::surveyed(terms, &scene.before, &scene.before).banning(stood.clone());
        Self {
            terms,
            scene,
            now: of_now(terms, scene, bans),
            before: plain,
            basis: Account::surveyed(terms, &scene.before, &scene.before)
                .before(treated)
                .banning(stood),
            removed: None,
            charged: None,
            told,
            others,
        }
    }

    /// Positions expanded so far; spent where any search ran out of its budget.
    pub fn spent(&self) -> Budget<'a> {
        let mut all = self.terms.work.budget(u32::MAX - 1);
        all.absorb(self.others);
        let asked = [&self.now, &self.before, &self.basis].into_iter();
        for account in asked.chain(&self.removed).chain(&self.charged) {
            all.absorb(account.budget);
        }
        all
    }

    /// From where on lines have to be exact: what wins nothing is told in notes alone.
    const fn least(&self) -> Grade {
        if self.told {
            Grade::WORST
        } else {
            Grade::EVEN_TRADE
        }
    }

    /// Whether a capture wins whatever the answer to the check that goes with it, but for those that have the victim go or the
    /// captor taken: while the check stands the other side could answer nothing.
    pub fn outlasts_check(&mut self, threat: &Threat) -> bool {
        let Threat {
            capture,
            captor,
            victim,
            ..
        } = *threat;
        let after = self.scene.after.position();
        let mut stood = false;
        for &answer in after.legal_moves().iter() {
            let position = after.after(answer);
            if position.id_at(capture.from) != Some(captor)
                || position.id_at(capture.to) != Some(victim)
            {
                continue;
            }
            let mut account = Account::new(self.terms, &position);
            let wins = position.is_legal(capture) && account.wins(capture);
            self.others.absorb(account.budget);
            if !wins {
                return false;
            }
            stood = true;
        }
        stood
    }

    /// Every capture of material now possible, sorted into threats and others.
    pub fn threats(&mut self) -> Threats {
        let mut found = Threats::default();
        for capture in self.now.captures() {
            let position = self.now.position();
            if !self.scene.after.contacts().is_material(capture.to)
                || self.now.bans().forbid(position, capture)
            {
                continue;
            }
            let (Some(captor), Some(victim)) =
                (position.id_at(capture.from), position.id_at(capture.to))
            else {
                continue;
            };
            let barred = captor.is_king_or_pawn() && !self.may_be_joint(capture);
            if barred && !self.told && !self.may_be_upgraded(captor) {
                continue;
            }
            let line = self.now.line_from(capture, self.least());
            let Some(win) = line.win else {
                found.vain.push((capture, line));
                continue;
            };
            let mut threat = Threat {
                capture,
                captor,
                victim,
                line,
                win,
                old_relation: self.scene.bore(capture.from, capture.to),
                old_in_plain: false,
                before: None,
                without_wards: None,
            };
            if barred || captor.is_king_or_pawn() && !self.needs_mover(&threat) {
                found.pardoned.push((threat, Pardon::KingOrPawn));
            } else if self.existed(&mut threat) {
                found.pardoned.push((threat, Pardon::Existed));
            } else {
                found.new.push(threat);
            }
        }
        let own = found.pardoned.iter_mut();
        let own = own.filter(|(_, why)| *why == Pardon::KingOrPawn);
        let own = own.map(|(threat, _)| threat);
        for threat in found.new.iter_mut().chain(own) {
            self.look_for_rooks(threat);
        }
        if self.told && self.terms.root_ignore_loss {
            let pardoned = found.pardoned.iter_mut().map(|(threat, _)| threat);
            for threat in found.new.iter_mut().chain(pardoned) {
                threat.without_wards = self.without_wards(threat);
            }
        }
        found
    }

    /// What comes of a threat where what its captor lets go of as a root is a loss like any other: where it wins less then.
    fn without_wards(&self, threat: &Threat) -> Option<Line> {
        let (scene, bans) = (self.scene, self.now.bans().clone());
        self.terms.work.aside(|work| {
            let definitions = self.terms.definitions;
            let mut account = of_now(Terms { definitions, work }, scene, bans).counting_wards();
            let line = account.line_from(threat.capture, Grade::WORST);
            let as_well = line.win.is_some_and(|win| win.covers(threat.win));
            (!as_well && !account.budget.is_spent()).then_some(line)
        })
    }

    /// 26.9: a rook is attacked where one falls whatever is answered, as far as lines bring as much. Whether the book asks, and
    /// there is one beside the victim.
    fn look_for_rooks(&mut self, threat: &mut Threat) -> bool {
        let enemy = self.scene.side.opponent();
        let mut rooks = self.now.position().pieces_like(enemy, Role::Rook);
        let weighs = matches!(
            self.terms.both_forbidden,
            BothForbidden::Strength | BothForbidden::StrengthOfChases
        );
        let asked = weighs && threat.win == Win::Gain;
        if !asked || !rooks.any(|id| id != threat.victim) {
            return false;
        }
        let grade = threat.line.grade;
        self.now.prefers = Some(Prefer::Rook);
        threat.line = self.now.line_from(threat.capture, grade.just_below());
        self.now.prefers = None;
        threat.line.grade = grade;
        true
    }

    /// Whether a gain by checks begins by taking what could be taken before as well, and a rook falls to that: so far it is an
    /// attack on a rook, whoever takes it (26.9, figure 26).
    pub fn opens_on_a_rook(&mut self, threats: &Threats, gain: &ByChecks) -> bool {
        let whole = &gain.whole;
        for (threat, why) in &threats.pardoned {
            let begins = *why == Pardon::Existed && whole.victims.contains(threat.victim);
            if begins && self.now.position().after(threat.capture).in_check() {
                let mut threat = threat.clone();
                let asked = self.look_for_rooks(&mut threat);
                if asked && threat.line.wins_a_rook {
                    return self.falls_to_a_run(whole) && !self.was_kept_back(whole);
                }
            }
        }
        false
    }

    /// Whether so much is won by checks with a rook among it, which is not exchanged for another.
    fn falls_to_a_run(&mut self, gain: &Line) -> bool {
        let mark = gain.grade.just_below();
        let run = Wanted::of(gain.victims, mark, self.terms.check_gain_depth);
        self.now.prefers = Some(Prefer::Rook);
        let found = won_by_checks(&mut self.now, run);
        self.now.prefers = None;
        found.is_some()
    }

    /// Whether so much could be won by checks before the move but for what took the piece about to move.
    fn was_kept_back(&mut self, gain: &Line) -> bool {
        let mark = gain.as_much(self.terms.definitions);
        self.shielded(|chases| chases.had_in_plain(gain.victims, mark))
    }

    /// What is found before the move where the piece about to move cannot be taken.
    fn shielded<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let plain = self.before.treat(Before::Shield(self.scene.mover));
        let found = ask(self);
        self.before.treat(plain);
        found
    }

    /// 26.1.1: the king or a pawn takes first, but perhaps only together with the piece that moved.
    fn may_be_joint(&self, capture: Move) -> bool {
        !self.terms.king_joint_exempt
            && !self.scene.mover.is_king_or_pawn()
            && self.scene.bears_now(self.scene.mv.to, capture.to)
    }

    /// 27.2: the own attack of the pawn that moved may come to count.
    fn may_be_upgraded(&self, captor: PieceId) -> bool {
        self.terms.pawn_upgrade && captor == self.scene.mover
    }

    /// Whether the threat is gone when the piece that moved is taken off the board.
    fn needs_mover(&mut self, threat: &Threat) -> bool {
        if threat.captor == self.scene.mover {
            return false;
        }
        let account = self.without_mover();
        if !account.captures().contains(&threat.capture) {
            return true;
        }
        !account.wins(threat.capture)
    }

    fn without_mover(&mut self) -> &mut Account<'a> {
        let (terms, scene) = (self.terms, self.scene);
        let bans = self.now.bans().clone();
        self.removed.get_or_insert_with(|| {
            Account::new(terms, &scene.without_mover())
                .pardoning(scene.gives_check)
                .without_mates()
                .banning(bans)
        })
    }

    /// Whether the victim could be won before the move, or the same piece attacked it already.
    fn existed(&mut self, threat: &mut Threat) -> bool {
        let (same, least) = (self.scene.same_before(threat.capture), self.least());
        let side = self.scene.side;
        let mut plain = None;
        if self.told || self.terms.both_forbidden.grades() && threat.old_relation {
            let stood = best_before(&mut self.before, same, least);
            threat.old_in_plain = stood.won.is_some_and(|(win, _)| win.covers(threat.win));
            plain = Some(stood);
        }
        // By the piece that moved it leads to the very position to which it led before (29.2, figure 5).
        let leads_there = threat.captor == self.scene.mover;
        let wins = |before: &mut Account<'a>| before.cap(side, same).is_some_and(|cap| cap > 0);
        let by_same = leads_there || self.scene.answers_check && wins(&mut self.before);
        if by_same && self.before.can_take(same) {
            let plain = plain.unwrap_or_else(|| best_before(&mut self.before, same, least));
            threat.before = plain.line(threat.old_relation);
            return true;
        }
        let by_relation = self.terms.before_basis == BeforeBasis::Relation;
        let saved = |chases: &mut Self| {
            !chases.hangs_still()
                && chases.is_party(threat)
                && !chases.hangs_still_after(threat.capture)
        };
        let found = if by_relation {
            best_before(&mut self.basis, same, least)
        } else if threat.captor != self.scene.mover
            && self.before.can_take(same)
            && self.gave_itself_up()
            && self.danger_after(threat.capture) > Some(0)
        {
            self.shielded(|chases| best_before(&mut chases.before, same, least))
        } else if saved(self) {
            best_before(&mut self.basis, same, least)
        } else {
            plain.unwrap_or_else(|| best_before(&mut self.before, same, least))
        };
        threat.before = found.line(threat.old_relation);
        found.won.is_some_and(|(win, _)| win.covers(threat.win))
    }

    /// The piece that moved can be taken now as dearly as where it stood: the result is the same (figure 5).
    fn hangs_still(&mut self) -> bool {
        let stood = self.stood_in_danger();
        let enemy = self.scene.side.opponent();
        stood.is_some() && stood <= danger(&mut self.now, enemy, self.scene.mv.to)
    }

    /// It hangs as much once its root has taken (reference figure 37).
    fn hangs_still_after(&mut self, capture: Move) -> bool {
        let stood = self.stood_in_danger();
        stood.is_some() && stood <= self.danger_after(capture)
    }

    /// What the piece that moved costs once a capture has been made.
    fn danger_after(&mut self, capture: Move) -> Option<i32> {
        let taken = self.now.position().after(capture);
        let mut account = Account::new(self.terms, &taken);
        let danger = danger(&mut account, self.scene.side.opponent(), self.scene.mv.to);
        self.others.absorb(account.budget);
        danger
    }

    /// It hangs now and did not before: where it falls whatever its root takes, what becomes of it is no price of that now, and was
    /// none then.
    fn gave_itself_up(&mut self) -> bool {
        let (enemy, to) = (self.scene.side.opponent(), self.scene.mv.to);
        danger(&mut self.now, enemy, to) > Some(0) && self.stood_in_danger().is_none()
    }

    /// It did, and so much is had now only because its own loss is not counted.
    fn gave_itself_up_beside(&mut self, wanted: Wanted) -> bool {
        if self.terms.before_basis == BeforeBasis::Relation || !self.gave_itself_up() {
            return false;
        }
        let (terms, scene) = (self.terms, self.scene);
        let bans = self.now.bans();
        let charged = || of_now(terms, scene, bans.clone()).before(Before::Dodge(scene.mover));
        let charged = self.charged.get_or_insert_with(charged);
        to_be_had(charged, wanted).is_none()
    }

    /// What the piece that moved would have cost where it stood, if it hung there.
    fn stood_in_danger(&mut self) -> Option<i32> {
        let (enemy, from) = (self.scene.side.opponent(), self.scene.mv.from);
        danger(&mut self.before, enemy, from).filter(|&stood| stood > 0)
    }

    /// Whether the piece that moved has a part in the threat: it made the relation, takes part in
    /// the capture, or keeps off what would dissolve it.
    fn is_party(&mut self, threat: &Threat) -> bool {
        !threat.old_relation || self.needs_mover(threat) || self.supports(threat)
    }

    /// With the piece that moved taken away, the other side could profitably take something that the threat needs.
    fn supports(&mut self, threat: &Threat) -> bool {
        let enemy = self.scene.side.opponent();
        let position = self.scene.without_mover();
        for take in self.without_mover().captures_by(enemy) {
            let profit =
                |account: &mut Account<'_>| account.cap(enemy, take).is_some_and(|c| c > 0);
            if !profit(self.without_mover()) || profit(&mut self.now) {
                continue;
            }
            let after = without_taken(&position, take, threat.capture.to);
            let mut account = Account::new(self.terms, &after).careless().without_mates();
            let dissolved = after.id_at(threat.capture.from) != Some(threat.captor)
                || !after.is_pseudo_legal(threat.capture)
                || !account.wins(threat.capture);
            self.others.absorb(account.budget);
            if dissolved {
                return true;
            }
        }
        false
    }

    /// A gain by consecutive checks (抽吃), where the book knows it: a new one if there is one, otherwise the best
    /// with what brought as much before the move. A run that begins by taking what has `begun` one already is that.
    pub fn by_checks(&mut self, threats: &Threats, begun: PieceSet) -> Option<ByChecks> {
        self.gain(None, threats, begun)
    }

    /// What checks newly win besides what has `begun` one already; with the positions expanded for it, which nothing else is to
    /// lack.
    pub fn won_besides(
        &self,
        definitions: &Definitions,
        threats: &Threats,
        begun: PieceSet,
    ) -> (Option<ByChecks>, u32) {
        self.terms.work.aside(|work| {
            let bans = self.now.bans().clone();
            let mut own = Chases::new(Terms { definitions, work }, self.scene, bans, false);
            let gain = own.by_checks(threats, begun);
            let spent = own.spent();
            // What a search that broke off seemed to find is not known.
            let new = gain.filter(|gain| gain.before.is_none() && !spent.is_spent());
            (new, spent.spent())
        })
    }

    /// What some checks would newly win if all counted that counts under one book or another, and why it is no gain; with the
    /// positions expanded for it, which nothing else is to lack.
    pub fn uncounted(&self, threats: &Threats) -> (Option<(Line, Uncounted)>, u32) {
        let definitions = Definitions {
            root_ignore_loss: true,
            pawn_for_rook: true,
            strong_outweighs_weak: true,
            fallen_pawn_ignored: true,
            pawn_in_checks: PawnCapture::LeaningOnOthers,
            check_gain_depth: self.terms.check_gain_depth.min(3),
            ..self.terms.definitions.clone()
        };
        let (gain, spent) = self.won_besides(&definitions, threats, PieceSet::EMPTY);
        let Some(gain) = gain else {
            return (None, spent);
        };
        let definitions = self.terms.definitions;
        let (costs, more, is_known) = self.terms.work.aside(|work| {
            let bans = self.now.bans().clone();
            let mut own = of_now(Terms { definitions, work }, self.scene, bans);
            let costs = own.spoilt(gain.line.moves(), Grade::EVEN_TRADE);
            (costs, own.budget.spent(), !own.budget.is_spent())
        });
        let found = match costs {
            Some(costs) if costs.end == End::Mated => None,
            Some(costs) if costs.balance.gives_pawns() => Some((costs, Uncounted::Floats)),
            Some(costs) => Some((costs, Uncounted::Costs)),
            None => by_pawns(self.scene.threat(), &gain.line).map(|why| (gain.line, why)),
        };
        (found.filter(|_| is_known), spent + more)
    }

    /// A new gain by consecutive checks that one piece makes by itself. A run that begins by taking one of these is that
    /// threat, which has been weighed.
    pub fn by_checks_alone(&mut self, threats: &Threats, weighed: PieceSet) -> Option<ByChecks> {
        let position = self.now.position().clone();
        position.pieces_of(self.scene.side).find_map(|piece| {
            let mut account = Account::new(self.terms, &position)
                .banning(self.now.bans().clone())
                .alone(piece);
            let found = self.gain(Some(&mut account), threats, weighed);
            self.others.absorb(account.budget);
            found.filter(|gain| gain.before.is_none() && !gain.old_in_plain)
        })
    }

    /// What is won by checks, by one piece alone or not, and by what it was covered before: victim by
    /// victim (29.2), until one is new. It does not begin by taking what has `begun` one already.
    fn gain(
        &mut self,
        mut alone: Option<&mut Account<'a>>,
        threats: &Threats,
        mut begun: PieceSet,
    ) -> Option<ByChecks> {
        let depth = self.terms.check_gain_depth;
        let mut told = None;
        let (mut covered, mut whole) = (PieceSet::EMPTY, None);
        let moved = (self.scene.mv, self.scene.before.position());
        loop {
            let now = alone.as_deref_mut().unwrap_or(&mut self.now);
            now.begin_anew(Some(moved));
            now.aim(Aims::Beside { covered, begun });
            let line = now.by_checks(depth, Balance::EVEN, Grade::EVEN_TRADE);
            // What mates whatever the answers is a threat of mate, which has been asked about.
            let Some(mut line) = line.filter(|line| line.end != End::Mates) else {
                if told.is_none() && self.told && alone.is_none() {
                    told = self.gain_that_stood();
                }
                return told;
            };
            // Old is what reaches as much, and of the runs there are now those tell that bring what this one does.
            let (least, mark) = (
                line.grade.just_below(),
                line.as_much(self.terms.definitions),
            );
            // Which of several falls may hang on which of two runs that bring as much is met first.
            let first = line.victims;
            let mut as_much = None;
            if first.len() == 1 {
                as_much = self.had(Wanted::of(first, mark, depth), threats);
            }
            if as_much.is_none() {
                let now = alone.as_deref_mut().unwrap_or(&mut self.now);
                if let Some(all) = now.whatever_falls(depth, Balance::EVEN, least) {
                    line.victims = all.victims;
                }
                if line.victims != first || first.len() > 1 {
                    as_much = self.had(Wanted::of(line.victims, mark, depth), threats);
                }
            }
            let victims = line.victims;
            let simply = if as_much.is_none() && victims.len() > 1 {
                self.simply_taken(victims, threats)
            } else {
                None
            };
            // Of runs that bring as much, one that wins nothing else tells.
            let simply = simply.filter(|&(these, _)| {
                let now = alone.as_deref_mut().unwrap_or(&mut self.now);
                these == victims || won_by_checks(now, Wanted::of(these, least, depth)).is_some()
            });
            let Some(had) = as_much.or(simply.map(|(_, had)| had)) else {
                // What could be taken before is old by victim, at once or with a check: what else falls to such runs is asked.
                let (those, before) = existed(threats, victims);
                // Where this run begins otherwise, not all do.
                let first = line.moves().first();
                let opens = first.and_then(|check| self.scene.threat().id_at(check.to));
                if let Some(before) = before.filter(|_| opens.is_some_and(|id| those.contains(id)))
                {
                    let now = alone.as_deref_mut().unwrap_or(&mut self.now);
                    let begun = begun.or(those);
                    now.aim(Aims::Beside { covered, begun });
                    if now.by_checks(depth, Balance::EVEN, least).is_none() {
                        whole = whole.or(Some(line));
                        covered = covered.or(those);
                        told = told.or(Some(ByChecks::that_stood(line, before)));
                        continue;
                    }
                }
                return Some(ByChecks {
                    line,
                    before: None,
                    aside: false,
                    foil: self.foil(&line, mark),
                    old_in_plain: self.had_in_plain(victims, mark),
                    whole: whole.unwrap_or(line),
                });
            };
            told = told.or(Some(ByChecks {
                aside: had.aside,
                ..ByChecks::that_stood(line, had.line)
            }));
            if victims.is_empty() {
                return told;
            }
            let mut old = PieceSet::EMPTY;
            for id in victims {
                let one = PieceSet::EMPTY.with(id);
                let had = match simply {
                    Some((these, had)) => these.contains(id).then_some(had),
                    None if one == victims => Some(had),
                    None => self.had(Wanted::of(one, mark, depth), threats),
                };
                let Some(had) = had else { continue };
                old = old.with(id);
                // A run that begins with what could be taken at once is that threat, with all that it brings.
                if had.at_once {
                    begun = begun.with(id);
                }
            }
            if old.is_empty() {
                // One or another of them was to be had, none for certain: as many of them as fell then.
                let all = Wanted {
                    all: true,
                    ..Wanted::of(victims, mark, depth)
                };
                old = self
                    .had(all, threats)
                    .map_or(victims, |had| had.line.victims.and(victims));
            }
            covered = covered.or(if old.is_empty() { victims } else { old });
        }
    }

    /// What the piece that moved wins by beginning with a check that it could give before just so: told, where nothing else is.
    fn gain_that_stood(&mut self) -> Option<ByChecks> {
        if !self.now.has_passed_over() {
            return None;
        }
        self.now.begin_anew(None);
        self.now.aim(Aims::ALL);
        let depth = self.terms.check_gain_depth;
        let line = self.now.by_checks(depth, Balance::EVEN, Grade::EVEN_TRADE);
        let line = line.filter(|line| line.end != End::Mates)?;
        let first = self.scene.same_before(*line.moves().first()?);
        Some(ByChecks::that_stood(line, line.beginning_with(first)))
    }

    /// Those of several pieces that could each be taken for nothing before the move, and how the last of them could: what
    /// wins no others wins nothing new.
    fn simply_taken(&mut self, victims: PieceSet, threats: &Threats) -> Option<(PieceSet, Had)> {
        let mut found = None;
        for id in victims {
            let (one, these) = (PieceSet::EMPTY.with(id), found.map(|(these, _)| these));
            let worth = material(id, self.now.position().square_of(id));
            let mark = worth.as_much(self.terms.definitions);
            if let Some(had) = self.had(Wanted::of(one, mark, 0), threats) {
                found = Some((these.unwrap_or(PieceSet::EMPTY).with(id), had));
            }
        }
        found
    }

    /// What brought as much of these pieces before the move, where something did, by so many checks at most.
    fn had(&mut self, wanted: Wanted, threats: &Threats) -> Option<Had> {
        let Wanted { among, mark, .. } = wanted;
        let stood = |(threat, pardon): &(Threat, Pardon)| {
            let then = threat.stood();
            let counts = *pardon == Pardon::Existed && among.contains(threat.victim);
            (counts && threat.line.grade.min(then.grade) > mark).then(|| Had::at_once(then))
        };
        let stood = threats.pardoned.iter().find_map(stood);
        stood.or_else(|| self.had_before(wanted))
    }

    /// Why a new gain brought no more than the mark before the move: for another answer to its first check, a move of it that was not
    /// there, or what its last would have let the other side take.
    fn foil(&mut self, line: &Line, mark: Grade) -> Option<Foil> {
        let check = self.scene.same_before(*line.moves().first()?);
        if !self.told || self.scene.answers_check {
            return None;
        }
        let (answer, depth) = (line.moves().get(1).copied(), self.terms.check_gain_depth);
        self.basis.aim(Aims::Among(line.victims));
        if let Some(answer) = self.basis.foil(check, answer, depth, mark) {
            return Some(Foil::Answer(answer));
        }
        let mut run = line.moves().to_vec();
        let moved = self.scene.mv;
        if let Some(first) = run.iter_mut().step_by(2).find(|mv| mv.from == moved.to) {
            first.from = moved.from;
        }
        let mut position = self.scene.before.position().clone();
        let there = run.iter().take_while(|&&mv| {
            let legal = position.is_legal(mv);
            if legal {
                position.make(mv);
            }
            legal
        });
        let there = there.count();
        if there == run.len() {
            let reply = self.basis.spoilt(&run, mark)?;
            return Some(Foil::Reply(Box::new(reply)));
        }
        run.truncate(there);
        // Where its first check was not there that tells enough.
        (there > 0 && there.is_multiple_of(2)).then_some(Foil::Ends(run))
    }

    /// Whether so much was to be had with the danger to the piece about to move left aside, where the book asks.
    fn had_in_plain(&mut self, among: PieceSet, mark: Grade) -> bool {
        let depth = self.terms.check_gain_depth;
        self.terms.both_forbidden.grades()
            && !self.scene.answers_check
            && to_be_had(&mut self.before, Wanted::of(among, mark, depth)).is_some()
    }

    /// So much of these pieces, to be had before the move.
    fn had_before(&mut self, wanted: Wanted) -> Option<Had> {
        let had = if self.gave_itself_up_beside(wanted) {
            self.shielded(|chases| to_be_had(&mut chases.before, wanted))
        } else {
            self.had_by_the_book(wanted)
        };
        match had {
            Some(had) if had.at_once || !self.scene.answers_check => Some(had),
            Some(had) => Some(Had { aside: true, ..had }),
            // What the other side's check has brought about stood before its answer as well, the check left aside.
            None if self.scene.answers_check => self.before_the_check(wanted),
            None => None,
        }
    }

    /// The same with the piece about to move treated as the book has it.
    fn had_by_the_book(&mut self, wanted: Wanted) -> Option<Had> {
        // To a piece that has no part in it, since it is to be had without that piece, what it would have lost meanwhile is
        // another matter.
        let by_relation = self.terms.before_basis == BeforeBasis::Relation;
        let needed = by_relation || to_be_had(self.without_mover(), wanted).is_none();
        let party = by_relation || needed && !self.hangs_still();
        let account = if party {
            &mut self.basis
        } else {
            &mut self.before
        };
        if let Some(stood) = won_directly(account, wanted) {
            return Some(stood);
        }
        account.passer_by = Some(self.scene.mover).filter(|_| !needed);
        let had = won_by_checks(account, wanted);
        account.passer_by = None;
        had
    }

    /// What the side now answering a check could have won by checks of its own before it, of what has not moved since: what
    /// has given the check was to be had elsewhere.
    fn before_the_check(&mut self, mut wanted: Wanted) -> Option<Had> {
        let (earlier, check) = self.scene.earlier.as_ref()?;
        if earlier.in_check() {
            return None;
        }
        let mut position = earlier.position().clone();
        if let Some(moved) = position.id_at(check.from) {
            wanted.among = wanted.among.without(moved);
        }
        if wanted.among.is_empty() {
            return None;
        }
        position.pass();
        let mut account = Account::new(self.terms, &position);
        let line = won_by_checks(&mut account, wanted);
        self.others.absorb(account.budget);
        line
    }
}

/// Those of some pieces that could be taken at a gain before the move just as well, and how one of them could.
fn existed(threats: &Threats, among: PieceSet) -> (PieceSet, Option<Line>) {
    let stood = threats.pardoned.iter().filter_map(|(threat, why)| {
        let then = threat.stood();
        let counts = *why == Pardon::Existed && among.contains(threat.victim);
        (counts && then.win == Some(Win::Gain)).then_some((threat.victim, then))
    });
    stood.fold((PieceSet::EMPTY, None), |(those, line), (victim, then)| {
        (those.with(victim), line.or(Some(then)))
    })
}

/// The account of what is there now.
fn of_now<'a>(terms: Terms<'a>, scene: &'a Scene, bans: Bans) -> Account<'a> {
    Account::surveyed(terms, scene.threat(), &scene.after)
        .pardoning(scene.gives_check)
        .banning(bans)
}

/// What stands once something has been taken. A victim that takes may run away anyhow: what matters is what it takes.
fn without_taken(position: &Position, take: Move, victim: Square) -> Position {
    let mut after = position.clone();
    if take.from == victim {
        after
            .id_at(take.to)
            .into_iter()
            .for_each(|id| after.lift(id));
    } else {
        after.pass();
        after.make(take);
    }
    after
}

/// What was to be had before the move.
#[derive(Clone, Copy)]
struct Had {
    line: Line,
    /// By a capture, not only by checks.
    at_once: bool,
    /// With a check left aside.
    aside: bool,
}

impl Had {
    const fn at_once(line: Line) -> Self {
        let (at_once, aside) = (true, false);
        Self {
            line,
            at_once,
            aside,
        }
    }
}

/// What is asked about of the position before the move.
#[derive(Clone, Copy)]
struct Wanted {
    /// Which pieces were to be had.
    among: PieceSet,
    /// More than this has to come of it.
    mark: Grade,
    /// By so many checks at most.
    depth: u32,
    /// All of them that fell by one run of checks or another are wanted, not only whether some did.
    all: bool,
}

impl Wanted {
    const fn of(among: PieceSet, mark: Grade, depth: u32) -> Self {
        let all = false;
        Self {
            among,
            mark,
            depth,
            all,
        }
    }
}

/// What is won of these pieces, at once or by checks, and more than the mark.
fn to_be_had(account: &mut Account<'_>, wanted: Wanted) -> Option<Had> {
    won_directly(account, wanted).or_else(|| won_by_checks(account, wanted))
}

/// What is won of these pieces by checks, and more than the mark.
fn won_by_checks(account: &mut Account<'_>, wanted: Wanted) -> Option<Had> {
    let (among, depth, mark) = (wanted.among, wanted.depth, wanted.mark);
    let mut line = account.wins_by_checks(among, depth, mark)?;
    if wanted.all {
        line.victims = account.what_falls(among, depth, mark);
    }
    Some(Had {
        line,
        at_once: false,
        aside: false,
    })
}

/// What a piece, king and pawns apart, takes of these at once and wins more than the mark.
fn won_directly(account: &mut Account<'_>, wanted: Wanted) -> Option<Had> {
    let Wanted { among, mark, .. } = wanted;
    account.captures().into_iter().find_map(|capture| {
        let captor = account.position().id_at(capture.from);
        let victim = account.position().id_at(capture.to);
        if captor.is_none_or(PieceId::is_king_or_pawn)
            || victim.is_none_or(|id| !among.contains(id))
            || account.bans().forbid(account.position(), capture)
        {
            return None;
        }
        let line = account.line_from(capture, mark.just_above());
        (line.grade > mark).then(|| Had::at_once(line))
    })
}

/// What taking a piece would have brought in the position of an account.
#[derive(Clone, Copy, Default)]
struct Stood {
    /// The best line that won it, whoever took.
    won: Option<(Win, Line)>,
    /// The line of the capture asked about, if it was there.
    same: Option<Line>,
    /// The best line of another piece that won nothing.
    other: Option<Line>,
}

impl Stood {
    /// What is told of it: of other pieces only where the captor did not bear on its victim.
    fn line(self, old_relation: bool) -> Option<Line> {
        let other = self.other.filter(|_| !old_relation);
        self.won.map(|(_, line)| line).or(self.same).or(other)
    }
}

/// What pawns have to do with a line: they pay for what it wins, or take it.
fn by_pawns(start: &Position, line: &Line) -> Option<Uncounted> {
    let mut position = start.clone();
    let (mut pay, mut take) = (false, false);
    for (ply, &mv) in line.moves().iter().enumerate() {
        let is_pawn = |at| position.id_at(at).is_some_and(|id| id.role() == Role::Pawn);
        if ply % 2 == 1 {
            pay |= is_pawn(mv.to);
        } else {
            take |= is_pawn(mv.from) && !position.is_empty(mv.to);
        }
        position.make(mv);
    }
    if pay {
        Some(Uncounted::Floats)
    } else {
        take.then_some(Uncounted::Pawn)
    }
}

/// The most that a side gets by taking there.
fn danger(account: &mut Account<'_>, taker: Side, at: Square) -> Option<i32> {
    let captures = account.captures_by(taker).into_iter();
    let there = captures.filter(|capture| capture.to == at);
    there
        .filter_map(|capture| account.cap(taker, capture))
        .max()
}

/// What taking the piece that `same` takes would have brought. A king's or pawn's own capture covers
/// none but itself.
fn best_before(account: &mut Account<'_>, same: Move, least: Grade) -> Stood {
    let mut found = Stood::default();
    for capture in account.captures() {
        let captor = account.position().id_at(capture.from);
        if capture.to != same.to
            || captor.is_none_or(|id| id.is_king_or_pawn() && capture != same)
            || account.bans().forbid(account.position(), capture)
        {
            continue;
        }
        let line = account.line_from(capture, least);
        if let Some(win) = line.win
            && found.won.is_none_or(|(_, known)| line.grade > known.grade)
        {
            found.won = Some((win, line));
        }
        if capture == same {
            found.same = Some(line);
        } else if line.win.is_none() && found.other.is_none_or(|known| line.grade > known.grade) {
            found.other = Some(line);
        }
    }
    found
}
