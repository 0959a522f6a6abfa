//! What a move is: check, kill, chase, or one of the quiet kinds (24, 28).

use super::asian::{Attack, is_retaken, new_attacks};
use super::chases::Chases;
use super::frame::{Ban, FrameKey, Takes};
use super::guide::Rules;
use super::material::{exchange, has_crossed};
use super::pairs::Pair;
use super::post::holds_post;
use super::step::Step;
use crate::board::{Move, PieceSet, Position, Role, Square};
use crate::definitions::{Assertions, ChaseTest, Nature, Root};

/// What was found of a move's attack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strike {
    pub nature: Option<Nature>,
    /// What is chased, where the book asks who chases whom.
    pub attacks: Vec<Attack>,
    /// It chases besides, where a kill is no attack.
    pub chases: bool,
    /// A pawn's own attacks, which count where both sides attack on every move (27.2).
    pub by_pawn: Vec<Attack>,
    /// What is new of its captor alone, which counts where a side makes the same attack with every move.
    pub renewed: Vec<Attack>,
    pairs: Vec<Pair>,
    /// Its chases, to be graded where both sides attack on every move.
    pub graded: Option<Chases>,
}

const fn is_strong(role: Role) -> bool {
    matches!(role, Role::Rook | Role::Horse | Role::Cannon)
}

impl Rules<'_> {
    /// Whether the move is a check, kill or chase.
    pub fn strike(&mut self, step: &Step, asserted: Assertions) -> Strike {
        let definitions = self.definitions;
        let mut found = Strike::default();
        if step.after.in_check() {
            found.nature = Some(Nature::Check);
            return found;
        }
        found.pairs = self.pairs(&step.after);
        if definitions.king_evasion_idle && step.answers_check() && step.mover.role() == Role::King
        {
            return found;
        }
        let offered =
            |pair: &&Pair| pair.playable && (is_made(step, **pair) || is_exchange(step, **pair));
        let bans: Vec<Ban> = found
            .pairs
            .iter()
            .filter(offered)
            .map(|pair| pair.ban(false))
            .collect();
        if self.kills(&step.threat, None, &bans) {
            found.nature = Some(Nature::Kill);
        }
        match definitions.chase_test {
            ChaseTest::RootAndValue => {
                let [attacks, by_pawn, renewed] = new_attacks(definitions, step);
                found.by_pawn = by_pawn;
                let victims = attacks.iter().map(|&(_, id)| id).collect();
                if !holds_post(definitions, step, asserted, victims) {
                    found.chases = !attacks.is_empty();
                    found.attacks = attacks;
                    found.renewed = renewed;
                }
            }
            ChaseTest::Exchange if found.nature.is_none() || !definitions.kill_is_attack => {
                let chases = self.chases(step, &found.pairs, asserted);
                found.chases = chases.charged;
                [found.attacks, found.by_pawn] = chases.attacks();
                found.graded = Some(chases);
            }
            ChaseTest::Exchange | ChaseTest::None => {}
        }
        if found.chases {
            found.nature.get_or_insert(Nature::Chase);
        }
        found
    }

    /// What a move that attacks nothing still is; `mate` where the move before it threatened one.
    pub fn quiet(&mut self, step: &Step, strike: &Strike, mate: bool) -> Nature {
        if strike.pairs.iter().any(|&pair| is_exchange(step, pair)) {
            Nature::Exchange
        } else if self.offers(step) {
            Nature::Offer
        } else if (mate && self.kills(&step.waiting(), Some(step.mv.to), &[])) || blocks(step) {
            Nature::Block
        } else if self.follows(step, strike.graded.as_ref()) {
            Nature::Follow
        } else {
            Nature::Idle
        }
    }

    /// A strong piece newly bears on a rooted strong piece or crossed pawn (24.7, 28.8): what can be taken with profit is none.
    fn follows(&mut self, step: &Step, chases: Option<&Chases>) -> bool {
        let won = chases.map_or(PieceSet::EMPTY, Chases::won);
        let stands = step.mv.to;
        is_strong(step.mover.role())
            && step.after.pieces_of(step.side.opponent()).any(|target| {
                let at = step.after.square_of(target);
                let hold = Move::new(stands, at);
                let crossed = target.role() == Role::Pawn && has_crossed(target.side(), at);
                (is_strong(target.role()) || crossed)
                    && !won.contains(target)
                    && step.after.bears(stands, at)
                    && !step.bore(stands, at)
                    && step.threat.is_legal(hold)
                    && is_retaken(&mut step.threat.clone(), hold)
                    && self.root(step, hold) == Root::Rooted
            })
    }

    /// The strong piece that moved may now be taken with profit, as it could not before (24.5, 28.6).
    fn offers(&mut self, step: &Step) -> bool {
        let narrow = self.definitions.offer_same_kind_unrooted;
        is_strong(step.mover.role())
            && self.takes_offered(step, &step.after, (step.mv.to, narrow))
            && !self.takes_offered(step, &step.waiting(), (step.mv.from, false))
    }

    /// It may be taken there with profit: in the narrow sense of an offer by a like piece, and without having a root.
    fn takes_offered(
        &mut self,
        step: &Step,
        position: &Position,
        (at, narrow): (Square, bool),
    ) -> bool {
        let role = step.mover.role();
        let mut takes = Vec::new();
        for id in position.bearing_on(at, position.turn()) {
            let take = Move::new(position.square_of(id), at);
            let mut position = position.clone();
            if position.is_legal(take)
                && exchange(&mut position, take, None).number() > 0
                && (!narrow || (id.role() == role && !is_retaken(&mut position, take)))
            {
                takes.push(take);
            }
        }
        let depth = self.definitions.acceptance_mate_depth;
        self.any(&takes, |rules, take| {
            // Whoever takes loses nothing at once, what it lets go of included.
            let mut key = FrameKey::of(position);
            key.takes = Takes::Back;
            let frame = rules.frame(key);
            let wins = rules.value(&frame, take).balance.number() > 0;
            (wins && !rules.mates_within(&mut position.after(take), depth, PieceSet::EMPTY))
                .then_some(())
        })
        .is_some()
    }
}

/// What taking what is offered was worth where it stood, the check that the move answers apart, if it could be taken there.
fn worth_before(step: &Step, pair: Pair) -> Option<i32> {
    let took = Move::new(pair.other.1, step.before.square_of(pair.own.0));
    let mut waiting = step.waiting();
    let checked = step.answers_check().then_some(step.side);
    (step.before.bears(took.to, took.from) && waiting.is_legal(took))
        .then(|| exchange(&mut waiting, took, checked).number())
}

/// The move brought the two together, or gives what could not be taken where it stood, or not for nothing.
fn is_made(step: &Step, pair: Pair) -> bool {
    let ((own, at), from) = (pair.own, pair.other.1);
    if own != step.mover {
        return !step.before.bears(at, from);
    }
    let take = Move::new(from, at);
    let gives = || exchange(&mut Position::clone(&step.after), take, None).number() > 0;
    worth_before(step, pair).is_none_or(|stood| stood <= 0 && gives())
}

/// The exchange on offer comes of the move: it was not there, or is better for who offers it.
fn is_exchange(step: &Step, pair: Pair) -> bool {
    if !pair.acceptable || !pair.is_exchange(Position::clone(&step.after)) {
        return false;
    }
    let Some(stood) = worth_before(step, pair) else {
        return true;
    };
    let ((own, at), from) = (pair.own, pair.other.1);
    let mut before = Position::clone(&step.before);
    let (ours, could) = (Move::new(at, from), Move::new(before.square_of(own), from));
    // The check that the move answers is another matter.
    let checked = step.answers_check().then_some(step.side);
    let checkers = before.checkers();
    let improved = step.threat.is_legal(ours)
        && (!before.keeps_king_safe_but_for(could, checkers)
            || exchange(&mut step.threat.clone(), ours, None).number()
                > exchange(&mut before, could, checked).number());
    improved || exchange(&mut Position::clone(&step.after), ours.reversed(), None).number() < stood
}

/// What bore on an own piece before the move would again, were the moved piece not there (24.6, 28.7).
fn blocks(step: &Step) -> bool {
    let enemy = step.side.opponent();
    let stands = step.mv.to;
    let mut without = Position::clone(&step.after);
    without.lift(step.mover);
    step.after.pieces_of(step.side).any(|target| {
        let at = step.after.square_of(target);
        // On its lines, or a leg or an eye beside it.
        let is_near = step.after.between(stands, at).is_some() || stands.is_aslant(at);
        target != step.mover
            && is_near
            && step.before.bearing_on(at, enemy).any(|attacker| {
                step.after.is_alive(attacker) && {
                    let from = step.after.square_of(attacker);
                    without.bears(from, at) && !step.after.bears(from, at)
                }
            })
    })
}
