//! 捉: what a move threatens to win, whether that is new (24.3, 29.1, 29.2), and how strong it is (26.9).

use super::asian::{Attack, is_retaken_if};
use super::frame::{Aims, Ban, Before, Frame, FrameKey, Leaf, Mates, Prefer, Run, is_banned};
use super::guide::Rules;
use super::material::{Balance, EVEN_TRADE, GAIN, as_much, worth};
use super::pairs::Pair;
use super::post::holds_post;
use super::step::Step;
use crate::board::{Move, PieceId, PieceSet, Position, Role, Side, Square};
use crate::definitions::{Assertions, BeforeBasis, BothForbidden, Root};
use std::cell::OnceCell;
use std::rc::Rc;

/// A chase: its capture, and what was found of it.
#[derive(Clone, Copy, Debug)]
struct Threat {
    capture: Move,
    captor: PieceId,
    victim: PieceId,
    /// What covers it: a gain covers anything, what is level all that is level.
    mark: i32,
}

/// What stood before the move.
#[derive(Clone, Debug)]
struct Stood {
    threat: Threat,
    /// In which frame its victim could be won, if it could.
    frame: Option<Rc<Frame>>,
}

/// How something was to be had before the move.
#[derive(Clone)]
enum Had {
    AtOnce,
    /// In this frame.
    ByChecks(Rc<Frame>),
}

/// Pieces, and what winning them by checks comes to.
#[derive(Clone, Copy, Debug)]
struct Won {
    victims: PieceSet,
    grade: i32,
    /// What comes to as much.
    as_much: i32,
}

/// What is newly won by checks.
#[derive(Clone, Copy, Debug)]
struct NewByChecks {
    won: Won,
    /// With what could be taken before, where all such runs begin by taking that.
    whole: Won,
}

/// What a threat is compared with, where there is one.
#[derive(Clone, Debug)]
struct Then {
    before: Rc<Frame>,
    /// What the piece about to move cost where it stood, if it hung there and the book asks.
    danger: Option<i32>,
    /// It hangs now and did not: where it falls whatever its root takes, that is no price of it now, and was none then.
    gave_itself_up: bool,
    /// The same with the piece about to move treated as the book has it.
    basis: Rc<Frame>,
    /// What stands now without the piece that moved.
    removed: Rc<Frame>,
}

/// The questions one move raises about captures.
#[derive(Clone, Debug)]
pub(crate) struct Chases {
    now: Rc<Frame>,
    then: OnceCell<Then>,
    /// What could be taken before just as well.
    stood: Vec<Stood>,
    /// What could not.
    new: Vec<Threat>,
    /// What is attacked by the way, where a drawing post is held.
    held: Vec<Threat>,
    /// What is newly won by checks, where nothing new can be taken at once.
    by_checks: Option<NewByChecks>,
    /// Whether the move is a chase.
    pub charged: bool,
    /// What a pawn that moved takes by itself, which counts where both sides attack on every move (27.2).
    by_pawn: Vec<Threat>,
}

impl Chases {
    /// What could be taken with profit, by other pieces than king and pawns by themselves, whether or not that is new.
    pub fn won(&self) -> PieceSet {
        let old = self.stood.iter().map(|stood| &stood.threat);
        let all = self.new.iter().chain(&self.held).chain(old);
        all.map(|threat| threat.victim).collect()
    }

    /// Who chases whom at once, and by a pawn that moved, which may count.
    pub fn attacks(&self) -> [Vec<Attack>; 2] {
        [&self.new, &self.by_pawn].map(|threats| {
            let attack = |threat: &Threat| (threat.captor, threat.victim);
            threats.iter().map(attack).collect()
        })
    }
}

/// Who accepts what is offered so loses nothing by it; what is given may still take back.
fn acceptable(pairs: &[Pair], after: &Position) -> Vec<Ban> {
    let pairs = pairs.iter().filter(|pair| pair.acceptable);
    let ban = |pair: &Pair| pair.ban(!pair.is_exchange(after.clone()));
    pairs.map(ban).collect()
}

impl Rules<'_> {
    /// What the move newly threatens to win (24.3, 29.1, 29.2); by checks only where nothing is to be had at once.
    pub fn chases(&mut self, step: &Step, pairs: &[Pair], asserted: Assertions) -> Chases {
        let mut now = FrameKey::of(&step.threat);
        now.bans = acceptable(pairs, &step.after);
        let mut chases = Chases {
            now: self.frame(now),
            then: OnceCell::new(),
            stood: Vec::new(),
            new: Vec::new(),
            held: Vec::new(),
            by_checks: None,
            charged: false,
            by_pawn: Vec::new(),
        };
        for &capture in &*chases.now.captures() {
            let Some(threat) = self.threat(&chases, capture) else {
                continue;
            };
            if threat.captor.is_king_or_pawn() && !self.is_joint(step, &chases, threat) {
                let counts = self.definitions.pawn_upgrade
                    && step.mover.role() == Role::Pawn
                    && threat.captor == step.mover
                    && !step.bore(capture.from, capture.to);
                if counts {
                    chases.by_pawn.push(threat);
                }
            } else if let Some(stood) = self.existed(step, &chases, threat) {
                chases.stood.push(stood);
            } else {
                chases.new.push(threat);
            }
        }
        let victims: PieceSet = chases.new.iter().map(|threat| threat.victim).collect();
        if holds_post(self.definitions, step, asserted, victims) {
            chases.held = std::mem::take(&mut chases.new);
        }
        // What is attacked by the way leaves it to what else is won by checks.
        if chases.new.is_empty() {
            let found = self.new_by_checks(step, &chases, &chases.now, victims);
            let won = found.map_or(PieceSet::EMPTY, |new| new.won.victims);
            let by_way = holds_post(self.definitions, step, asserted, won);
            chases.by_checks = found.filter(|_| !by_way);
        }
        chases.charged = !chases.new.is_empty() || chases.by_checks.is_some();
        chases
    }

    fn then<'c>(&mut self, step: &Step, chases: &'c Chases) -> &'c Then {
        chases.then.get_or_init(|| {
            let bans = &chases.now.key.bans;
            let by_relation = self.definitions.before_basis == BeforeBasis::Relation;
            let mut before = FrameKey::of(&step.before);
            // A piece that was offered in exchange for another before was no threat to it then either; one without a root was
            // no exchange but given, and what won something by itself was a threat. In check nothing could be accepted: the
            // pairs are those of now that faced each other already.
            before.bans = if step.answers_check() {
                let (mut waiting, checkers) = (step.waiting(), step.before.checkers());
                let safe = |at: &mut Position, retake| at.keeps_king_safe_but_for(retake, checkers);
                let faced = bans.iter().filter_map(|ban| {
                    let from = step.origin(ban.from);
                    let faced = step.before.bears(from, ban.to)
                        && step.before.bears(ban.to, from)
                        && is_retaken_if(&mut waiting, Move::new(ban.to, from), safe);
                    faced.then_some(Ban {
                        from,
                        given: false,
                        ..*ban
                    })
                });
                faced.collect()
            } else {
                let waiting = step.waiting();
                let mut stood = self.pairs(&waiting);
                stood.retain(|pair| pair.is_exchange(waiting.clone()));
                acceptable(&stood, &waiting)
            };
            if !before.bans.is_empty() {
                let mut alone = FrameKey::of(&step.before);
                if by_relation {
                    alone.before = Before::Shield(step.mover);
                }
                let alone = self.frame(alone);
                let takes = alone.captures();
                before.bans.retain(|ban| {
                    let take = Move::new(ban.from, ban.to);
                    !takes.contains(&take) || self.line(&alone, take, GAIN).is_none()
                });
            }
            let mut basis = before.clone();
            let before = self.frame(before);
            let (enemy, to) = (step.side.opponent(), step.mv.to);
            let danger = if by_relation {
                None
            } else {
                let stood = self.danger(&before, enemy, step.mv.from);
                stood.filter(|&stood| stood > 0)
            };
            // What hangs now as before has not changed anything (figure 5).
            let hangs = self.danger(&chases.now, enemy, to);
            let hangs_still = danger.is_some_and(|stood| Some(stood) <= hangs);
            basis.before = if by_relation {
                Before::Shield(step.mover)
            } else if hangs_still {
                Before::Plain
            } else {
                Before::Dodge(step.mover)
            };
            let mut removed = FrameKey::of(&step.without_mover());
            removed.bans.clone_from(bans);
            removed.mates = Mates::Spare;
            Then {
                before,
                danger,
                gave_itself_up: !by_relation && danger.is_none() && hangs > Some(0),
                basis: self.frame(basis),
                removed: self.frame(removed),
            }
        })
    }

    /// What stood before where the piece about to move could not be taken.
    fn shielded(&mut self, step: &Step, then: &Then) -> Rc<Frame> {
        let mut shielded = then.before.key.clone();
        shielded.before = Before::Shield(step.mover);
        self.frame(shielded)
    }

    /// The most that a side gets by taking there.
    fn danger(&mut self, frame: &Rc<Frame>, taker: Side, at: Square) -> Option<i32> {
        let captures = frame.captures_by(taker);
        let there = captures.iter().filter(|capture| capture.to == at);
        there
            .filter_map(|&capture| self.cap(frame, taker, capture))
            .max()
    }

    /// A capture that would win something.
    fn threat(&mut self, chases: &Chases, capture: Move) -> Option<Threat> {
        let position = &chases.now.base;
        let (captor, victim) = position
            .id_at(capture.from)
            .zip(position.id_at(capture.to))?;
        if worth(position, capture.to) == Balance::EVEN
            || is_banned(&chases.now.key.bans, position, capture)
        {
            return None;
        }
        let mark = |nth| if nth > 0 { GAIN } else { EVEN_TRADE };
        let most = self.most(
            0,
            &mut |rules, nth, _| {
                let line = rules.line(&chases.now, capture, mark(nth));
                line.map(|_| Leaf::of(nth.min(1)))
            },
            |leaf| leaf.grade > 0,
        )?;
        Some(Threat {
            capture,
            captor,
            victim,
            mark: mark(most.grade),
        })
    }

    /// 26.1.1: the king or a pawn takes first, but only together with the piece that moved.
    fn is_joint(&mut self, step: &Step, chases: &Chases, threat: Threat) -> bool {
        !self.definitions.king_joint_exempt
            && !step.mover.is_king_or_pawn()
            && step.after.bears(step.mv.to, threat.capture.to)
            && self.needs_mover(step, chases, threat)
    }

    /// Without the piece that moved the threat is gone.
    fn needs_mover(&mut self, step: &Step, chases: &Chases, threat: Threat) -> bool {
        if threat.captor == step.mover {
            return false;
        }
        let removed = &self.then(step, chases).removed;
        !removed.captures().contains(&threat.capture)
            || self.line(removed, threat.capture, EVEN_TRADE).is_none()
    }

    /// Without the piece that moved the other side could take something, with profit, that the threat needs.
    fn supports(&mut self, step: &Step, chases: &Chases, threat: Threat) -> bool {
        let enemy = step.side.opponent();
        let removed = &self.then(step, chases).removed;
        let takes = removed.captures_by(enemy);
        let position = step.without_mover();
        self.any(&takes, |rules, take| {
            let profits = |rules: &mut Self, frame: &Rc<Frame>| {
                rules.cap(frame, enemy, take).is_some_and(|cap| cap > 0)
            };
            if !profits(rules, removed) || profits(rules, &chases.now) {
                return None;
            }
            let capture = threat.capture;
            let mut after = position.clone();
            if take.from == capture.to {
                // The victim may run away anyhow: what matters is what it takes.
                after.lift(after.id_at(take.to)?);
            } else {
                after.pass();
                after.make(take);
            }
            if after.id_at(capture.from) != Some(threat.captor) || !after.is_pseudo_legal(capture) {
                return Some(());
            }
            let mut key = FrameKey::of(&after);
            key.careless = true;
            key.mates = Mates::Spare;
            let frame = rules.frame(key);
            let line = rules.line(&frame, capture, EVEN_TRADE);
            line.is_none().then_some(())
        })
        .is_some()
    }

    /// The victim could be won before the move just as well, or the same piece attacked it already (29.2).
    fn existed(&mut self, step: &Step, chases: &Chases, threat: Threat) -> Option<Stood> {
        let then = self.then(step, chases);
        let same = step.same_before(threat.capture);
        // By the piece that moved it leads to the very position to which it led before (29.2, figure 5).
        let by_same = threat.captor == step.mover
            || step.answers_check()
                && self
                    .cap(&then.before, step.side, same)
                    .is_some_and(|cap| cap > 0);
        if by_same && then.before.captures().contains(&same) {
            let won = self.could_win(&then.before, same, EVEN_TRADE);
            return Some(Stood {
                threat,
                frame: won.then(|| Rc::clone(&then.before)),
            });
        }
        let by_relation = self.definitions.before_basis == BeforeBasis::Relation;
        // The piece that moved has a part in it: it made the relation, takes part, or keeps off what would dissolve it.
        let party = !step.bore(threat.capture.from, threat.capture.to)
            || self.needs_mover(step, chases, threat)
            || self.supports(step, chases, threat);
        let after = |rules: &mut Self| {
            let taken = FrameKey::of(&chases.now.base.after(threat.capture));
            let taken = rules.frame(taken);
            rules.danger(&taken, step.side.opponent(), step.mv.to)
        };
        let gave_itself_up = then.gave_itself_up
            && threat.captor != step.mover
            && then.before.captures().contains(&same)
            && after(self) > Some(0);
        // Where it hangs as much once its root has taken, nothing has changed either.
        let frame = if gave_itself_up {
            &self.shielded(step, then)
        } else if by_relation || party && then.danger.is_none_or(|stood| Some(stood) > after(self))
        {
            &then.basis
        } else {
            &then.before
        };
        self.could_win(frame, same, threat.mark).then(|| Stood {
            threat,
            frame: Some(Rc::clone(frame)),
        })
    }

    /// What stood before was won at a gain.
    fn won_before(&mut self, step: &Step, stood: &Stood) -> bool {
        let same = step.same_before(stood.threat.capture);
        match &stood.frame {
            Some(frame) => self.could_win(frame, same, GAIN),
            None => stood.threat.mark == GAIN,
        }
    }

    /// What a capture takes could be won, to this grade. A king's or pawn's own capture covers none but itself.
    fn could_win(&mut self, frame: &Rc<Frame>, same: Move, mark: i32) -> bool {
        let mut takes = frame.captures();
        takes.retain(|mv| {
            let own = frame
                .base
                .id_at(mv.from)
                .is_none_or(PieceId::is_king_or_pawn);
            mv.to == same.to && (!own || mv == same) && !is_banned(&frame.key.bans, &frame.base, mv)
        });
        self.any(&takes, |rules, mv| rules.line(frame, mv, mark))
            .is_some()
    }

    /// What is won by consecutive checks and could not be won before (抽吃). A run that begins by taking what is threatened anyhow
    /// is that threat, which has been weighed.
    fn new_by_checks(
        &mut self,
        step: &Step,
        chases: &Chases,
        frame: &Rc<Frame>,
        mut begun: PieceSet,
    ) -> Option<NewByChecks> {
        let (mut covered, mut whole) = (PieceSet::EMPTY, None);
        let depth = self.definitions.check_gain_depth;
        let mut key = frame.key.clone();
        key.moved = Some(step.mv);
        let frame = &self.frame(key);
        loop {
            let aims = Aims::Beside { covered, begun };
            let run = Run::of(depth, Balance::EVEN, EVEN_TRADE + 1);
            let gain = self.by_checks(frame, run, aims);
            // What mates whatever the answers is a threat of mate, which has been asked about.
            let gain = gain.filter(|gain| !gain.mates())?;
            let (grade, first) = (gain.grade, gain.victims);
            let mut least = grade;
            if grade >= GAIN {
                least = least.min(as_much(self.definitions, gain.balance));
            }
            let telling = Run {
                least: grade,
                ..run
            };
            // Which of several falls may hang on which of two runs that bring as much is met first.
            let (mut victims, mut had) = (first, None);
            if first.len() == 1 {
                had = self.had(step, chases, first, least, depth);
            }
            if had.is_none() {
                victims = self.whatever_falls(frame, telling, aims);
                if victims != first || first.len() > 1 {
                    had = self.had(step, chases, victims, least, depth);
                }
            }
            let mut simply = PieceSet::EMPTY;
            if had.is_none() && victims.len() > 1 {
                simply = self.simply_taken(step, chases, frame, victims);
                // Of runs that bring as much, one that wins nothing else tells.
                let all = simply.is_empty() || simply == victims;
                if !all && !self.wins_by_checks(frame, telling, simply) {
                    simply = PieceSet::EMPTY;
                }
            }
            if had.is_none() && simply.is_empty() {
                let won = Won {
                    victims,
                    grade,
                    as_much: least,
                };
                // What could be taken before is old by victim, at once or with a check: what else falls to such runs is asked.
                let mut those = PieceSet::EMPTY;
                for stood in &chases.stood {
                    if victims.contains(stood.threat.victim) && self.won_before(step, stood) {
                        those = those.with(stood.threat.victim);
                    }
                }
                let begun = begun.or(those);
                let otherwise = Aims::Beside { covered, begun };
                if !those.is_empty() && !self.gains_by_checks(frame, telling, otherwise) {
                    whole = whole.or(Some(won));
                    covered = covered.or(those);
                    continue;
                }
                let whole = whole.unwrap_or(won);
                return Some(NewByChecks { won, whole });
            }
            if victims.is_empty() || self.fault.is_some() {
                return None;
            }
            // It goes by victim (29.2).
            let mut old = simply;
            if simply.is_empty() {
                for id in victims {
                    let one = PieceSet::EMPTY.with(id);
                    let had = if one == victims {
                        had.clone()
                    } else {
                        self.had(step, chases, one, least, depth)
                    };
                    let Some(had) = had else { continue };
                    old = old.with(id);
                    // A run that begins with what could be taken at once is that threat, with all that it brings.
                    if matches!(had, Had::AtOnce) {
                        begun = begun.with(id);
                    }
                }
            } else {
                begun = begun.or(simply);
            }
            if old.is_empty() {
                // One or another of them was to be had, none for certain: as many of them as fell then.
                if let Some(Had::ByChecks(then)) = had {
                    let before = Run { least, ..run };
                    old = self.what_falls(&then, before, victims);
                }
            }
            covered = covered.or(if old.is_empty() { victims } else { old });
        }
    }

    /// As much could be won before the move after all, looked at so.
    fn had_in(&mut self, step: &Step, before: &Rc<Frame>, won: Won) -> bool {
        let depth = self.definitions.check_gain_depth;
        !step.answers_check() && self.gets(before, won.victims, won.as_much, depth).is_some()
    }

    /// As much of these pieces is to be had.
    fn gets(&mut self, frame: &Rc<Frame>, among: PieceSet, mark: i32, depth: u32) -> Option<Had> {
        let at_once = self.at_once(frame, among, mark);
        at_once.or_else(|| self.within_checks(frame, among, mark, depth))
    }

    fn within_checks(
        &mut self,
        frame: &Rc<Frame>,
        among: PieceSet,
        mark: i32,
        depth: u32,
    ) -> Option<Had> {
        let run = Run::of(depth, Balance::EVEN, mark);
        let wins = depth > 0 && self.wins_by_checks(frame, run, among);
        wins.then(|| Had::ByChecks(Rc::clone(frame)))
    }

    /// Those of the pieces that could each be taken for nothing before the move: what wins no others wins nothing new.
    fn simply_taken(
        &mut self,
        step: &Step,
        chases: &Chases,
        frame: &Frame,
        victims: PieceSet,
    ) -> PieceSet {
        let mut simply = PieceSet::EMPTY;
        for id in victims {
            let won = worth(&frame.base, frame.base.square_of(id));
            let (one, mark) = (PieceSet::EMPTY.with(id), as_much(self.definitions, won));
            if self.had(step, chases, one, mark, 0).is_some() {
                simply = simply.with(id);
            }
        }
        simply
    }

    /// As much of these pieces could be won before the move, by so many checks at most.
    fn had(
        &mut self,
        step: &Step,
        chases: &Chases,
        among: PieceSet,
        mark: i32,
        depth: u32,
    ) -> Option<Had> {
        for stood in &chases.stood {
            let Threat {
                capture, victim, ..
            } = stood.threat;
            if among.contains(victim) && self.line(&chases.now, capture, mark).is_some() {
                let same = step.same_before(capture);
                let as_much = stood
                    .frame
                    .as_ref()
                    .is_none_or(|frame| self.could_win(frame, same, mark));
                if as_much {
                    return Some(Had::AtOnce);
                }
            }
        }
        // To a piece that has no part in it what it would have lost meanwhile is another matter.
        let then = self.then(step, chases);
        let by_relation = self.definitions.before_basis == BeforeBasis::Relation;
        let given = then.gave_itself_up && {
            // So much is had now only because the loss of the piece that moved is not counted.
            let mut charged = chases.now.key.clone();
            charged.before = Before::Dodge(step.mover);
            let charged = self.frame(charged);
            self.gets(&charged, among, mark, depth).is_none()
        };
        let stood = if given {
            let shielded = self.shielded(step, then);
            self.gets(&shielded, among, mark, depth)
        } else if by_relation || self.gets(&then.removed, among, mark, depth).is_none() {
            self.gets(&then.basis, among, mark, depth)
        } else {
            let at_once = self.at_once(&then.before, among, mark);
            at_once.or_else(|| {
                let mut spared = then.before.key.clone();
                spared.passer_by = Some(step.mover);
                let spared = self.frame(spared);
                self.within_checks(&spared, among, mark, depth)
            })
        };
        if stood.is_some() || !step.answers_check() {
            return stood;
        }
        // What the side now answering a check could have won by checks of its own before it, of what has not moved since.
        let earlier = step.earlier.as_ref().filter(|e| !e.in_check())?;
        let mut position = Position::clone(earlier);
        let stays = |&id: &PieceId| earlier.square_of(id) == step.before.square_of(id);
        let among: PieceSet = among.into_iter().filter(stays).collect();
        if among.is_empty() {
            return None;
        }
        position.pass();
        let frame = self.frame(FrameKey::of(&position));
        self.within_checks(&frame, among, mark, depth)
    }

    /// A piece, king and pawns apart, could take one of these and win as much.
    fn at_once(&mut self, frame: &Rc<Frame>, among: PieceSet, mark: i32) -> Option<Had> {
        let mut takes = frame.captures();
        takes.retain(|mv| {
            let (captor, victim) = (frame.base.id_at(mv.from), frame.base.id_at(mv.to));
            captor.is_some_and(|id| !id.is_king_or_pawn())
                && victim.is_some_and(|id| among.contains(id))
                && !is_banned(&frame.key.bans, &frame.base, mv)
        });
        self.any(&takes, |rules, mv| rules.line(frame, mv, mark))
            .map(|_| Had::AtOnce)
    }

    /// One of the attacks of a chase is strong (26.9): a piece wins single-handed what has no root, or wins a rook and is
    /// none.
    pub fn is_strong(&mut self, step: &Step, chases: &Chases) -> bool {
        let counted = if chases.charged {
            &chases.new
        } else {
            &chases.by_pawn
        };
        if self
            .any(counted, |rules, threat| {
                rules.is_strong_threat(step, chases, threat).then_some(())
            })
            .is_some()
        {
            return true;
        }
        if !chases.charged {
            return false;
        }
        // A rook may fall to what could be taken before as well (figure 26).
        if self.opens_on_a_rook(step, chases) {
            return true;
        }
        // What several pieces win together does not undo what one wins alone.
        let weighed = counted.iter().chain(&chases.held);
        let weighed = weighed.map(|threat| threat.victim).collect();
        let pieces: Vec<PieceId> = step.threat.pieces_of(step.side).collect();
        self.any(&pieces, |rules, piece| {
            let mut key = FrameKey::of(&step.threat);
            key.bans.clone_from(&chases.now.key.bans);
            key.alone = Some(piece);
            let frame = rules.frame(key);
            let new = rules.new_by_checks(step, chases, &frame, weighed)?;
            let before = Rc::clone(&rules.then(step, chases).before);
            (!rules.had_in(step, &before, new.won)).then_some(())
        })
        .is_some()
    }

    /// What is new is won by checks that begin by taking what could be taken before as well, and a rook falls to that.
    fn opens_on_a_rook(&mut self, step: &Step, chases: &Chases) -> bool {
        if self.definitions.both_forbidden == BothForbidden::RootsOfChases {
            return false;
        }
        let Some(NewByChecks { whole: won, .. }) = chases.by_checks else {
            return false;
        };
        let opens = chases.stood.iter().any(|&Stood { threat, .. }| {
            won.victims.contains(threat.victim)
                && step.threat.after(threat.capture).in_check()
                && self
                    .with_rooks(step, chases, threat)
                    .is_some_and(|worth| worth.rook)
        });
        if !opens {
            return false;
        }
        // Nor is it one that is exchanged for another.
        let mut rooks = chases.now.key.clone();
        rooks.prefers = Some(Prefer::Rook);
        rooks.moved = Some(step.mv);
        let rooks = self.frame(rooks);
        let run = Run::of(self.definitions.check_gain_depth, Balance::EVEN, won.grade);
        // Nor where it is new only because the piece that moved can no longer be taken.
        self.wins_by_checks(&rooks, run, won.victims) && {
            let then = self.then(step, chases);
            let shielded = self.shielded(step, then);
            !self.had_in(step, &shielded, won)
        }
    }

    /// What a threat comes to, a rook falling whatever is answered as far as lines come to as much, where there is one to fall.
    fn with_rooks(&mut self, step: &Step, chases: &Chases, threat: Threat) -> Option<Leaf> {
        let Threat {
            capture,
            victim,
            mark,
            ..
        } = threat;
        let mut rooks = step.threat.pieces_like(victim.side(), Role::Rook);
        if mark != GAIN || !rooks.any(|id| id != victim) {
            return None;
        }
        let mut key = chases.now.key.clone();
        key.prefers = Some(Prefer::Rook);
        let frame = self.frame(key);
        Some(self.value(&frame, capture))
    }

    fn is_strong_threat(&mut self, step: &Step, chases: &Chases, threat: Threat) -> bool {
        let Threat {
            capture,
            captor,
            victim,
            mark,
        } = threat;
        if self.definitions.both_forbidden == BothForbidden::RootsOfChases {
            return !self.has_root(step, capture);
        }
        let same = step.same_before(capture);
        // New only because the piece that moved is no longer hanging: its part is to be there.
        let before = &self.then(step, chases).before;
        if step.bore(capture.from, capture.to)
            && self.could_win(before, same, mark)
            && !self.holds_victim(step, threat)
        {
            return false;
        }
        // What a king or pawn takes counts only together with the piece that moved (26.1.1).
        if captor.is_king_or_pawn() && captor != step.mover {
            return false;
        }
        let with_rooks = self.with_rooks(step, chases, threat);
        let worth = with_rooks.unwrap_or_else(|| self.value(&chases.now, capture));
        if worth.rook {
            return true;
        }
        let rook = victim.role() == Role::Rook;
        if rook && captor.role() != Role::Rook {
            return true;
        }
        !worth.again && !needs_partners(step, capture, rook)
    }

    /// The victim has a root, enough or not (28.16 of 2007).
    fn has_root(&mut self, step: &Step, capture: Move) -> bool {
        matches!(self.root(step, capture), Root::Rooted | Root::Under)
    }

    /// Captor and victim are alike and the victim bears on its captor, but may not take it, which the piece that moved has seen to
    /// (不能离线).
    fn holds_victim(&mut self, step: &Step, threat: Threat) -> bool {
        let back = threat.capture.reversed();
        if threat.captor.role() != threat.victim.role() || !step.after.bears(back.from, back.to) {
            return false;
        }
        if !step.after.is_legal(back) {
            return true;
        }
        let frame = self.frame(FrameKey::of(&step.after));
        self.cap(&frame, step.side.opponent(), back)
            .is_some_and(|cap| cap < 0)
    }
}

/// The victim has a root after the capture, or would have one but for a piece of the captor's side other than its king; the one
/// that moved may have come in its way, where it bears on the victim as well.
fn needs_partners(step: &Step, capture: Move, rook: bool) -> bool {
    let taken = step.threat.after(capture);
    let rooted = taken.bearing_on(capture.to, taken.turn()).any(|root| {
        let retake = Move::new(taken.square_of(root), capture.to);
        if taken.is_legal(retake) {
            return !rook;
        }
        is_barred(&taken, retake)
    });
    rooted || bars_root(step, capture, &taken)
}

/// An illegal retake would be legal but for a piece other than king and captor, or for several of which each bars it.
pub(super) fn is_barred(taken: &Position, retake: Move) -> bool {
    let captor = taken.id_at(retake.to);
    let partner = |id: &PieceId| id.role() != Role::King && Some(*id) != captor;
    let without = |these: PieceSet| {
        let mut left = taken.clone();
        these.into_iter().for_each(|id| left.lift(id));
        left
    };
    let mut partners = taken.pieces_of(taken.turn().opponent()).filter(partner);
    if partners.any(|id| without(PieceSet::EMPTY.with(id)).is_legal(retake)) {
        return true;
    }
    let mut exposed = taken.after(retake);
    exposed.pass();
    let bars: PieceSet = exposed.checkers().into_iter().filter(partner).collect();
    !bars.is_empty() && is_barred(&without(bars), retake)
}

/// The piece that moved bears on the victim as well as the captor, and has come between it and a root.
fn bars_root(step: &Step, capture: Move, taken: &Position) -> bool {
    let mover = step.mover;
    if mover.role() == Role::King
        || Some(mover) == taken.id_at(capture.to)
        || !step.after.bears(step.mv.to, capture.to)
    {
        return false;
    }
    let mut without = taken.clone();
    without.lift(mover);
    let bear = |at: &Position| at.bearing_on(capture.to, at.turn());
    let mut barred = bear(&without).minus(bear(taken));
    barred.any(|root| without.is_legal(Move::new(taken.square_of(root), capture.to)))
}
