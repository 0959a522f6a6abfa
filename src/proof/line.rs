//! What a capture wins once everything it touches off has been taken (24.3, 26.5, 26.6).
//!
//! Both sides take what the line has made possible or better, or stop; what could be taken all along is another matter.

use super::frame::{
    Aims, Before, End, Frame, FrameKey, Leaf, Mates, Moves, Prefer, Question, Takes,
};
use super::guide::{Board, Pick, Rules};
use super::material::{
    Balance, EVEN_TRADE, Floating, GAIN, LET_GO, but_for_pawns, exchange, floating, grade, is_root,
    material, worth,
};
use crate::board::{Move, MoveList, PieceId, PieceSet, Position, Role, Square};
use std::rc::Rc;

/// A line under way.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub frame: Rc<Frame>,
    pub position: Position,
    pub path: Vec<Move>,
    pub captor: Option<PieceId>,
    first: Option<Move>,
    /// Where in the path the captor took.
    pub taken_at: usize,
    pub aims: Aims,
    pub fruits: PieceSet,
    /// Which of the runs of checks that come to the mark are looked at.
    pub pick: Pick,
}

impl Walk {
    pub fn of(frame: &Rc<Frame>) -> Self {
        Self {
            frame: Rc::clone(frame),
            position: frame.base.clone(),
            path: Vec::new(),
            captor: None,
            first: None,
            taken_at: 0,
            aims: Aims::ALL,
            fruits: PieceSet::EMPTY,
            pick: Pick::Any,
        }
    }

    /// One that begins with a capture.
    pub fn taking(frame: &Rc<Frame>, capture: Move) -> Self {
        Self {
            captor: frame.base.id_at(capture.from),
            first: Some(capture),
            ..Self::of(frame)
        }
    }

    /// One that goes on from a move somewhere else.
    pub fn from(frame: &Rc<Frame>, position: &Position, mv: Move) -> Self {
        Self {
            position: position.after(mv),
            path: vec![mv],
            ..Self::of(frame)
        }
    }

    /// Whether the taker has taken more rooks than it has lost, where it is left with this.
    fn wins_rooks(&self, position: &Position, balance: Balance) -> bool {
        let taken = |side| {
            let rooks = |position: &Position| position.pieces_like(side, Role::Rook).len();
            rooks(&self.frame.base) - rooks(position)
        };
        balance.pieces() > 0 && taken(self.frame.taker.opponent()) > taken(self.frame.taker)
    }

    /// Whether a rook has fallen by checks, where that is asked: after the first capture it falls to it as well (26.9).
    fn took_a_rook(&self) -> bool {
        let mut fruits = self.fruits.into_iter();
        self.frame.key.prefers == Some(Prefer::Rook) && fruits.any(|id| id.role() == Role::Rook)
    }

    pub fn aiming(frame: &Rc<Frame>, aims: Aims) -> Self {
        Self {
            aims,
            ..Self::of(frame)
        }
    }

    pub fn gone<T>(&mut self, mv: Move, go: impl FnOnce(&mut Self) -> T) -> T {
        let undo = self.position.make(mv);
        self.path.push(mv);
        let found = go(self);
        self.path.pop();
        self.position.unmake(undo);
        found
    }
}

impl Board for Walk {
    fn position(&mut self) -> &mut Position {
        &mut self.position
    }
}

/// Where a line of captures stands.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// The square of the last capture.
    pub last: Option<Square>,
    /// Plies still looked at.
    pub depth: u32,
    pub balance: Balance,
    pub dearest: i32,
    /// The taker has just answered a check: it stopped, and what hung all along is another matter.
    pub answered: bool,
}

impl At {
    fn deeper(mut self, last: Option<Square>) -> Self {
        self.last = last;
        self.depth = self.depth.saturating_sub(1);
        self.answered = false;
        self
    }
}

/// What leaves the taker less; where that is equal, what costs the captor.
pub(super) fn lesser(known: Option<Leaf>, leaf: Leaf) -> Leaf {
    known
        .filter(|known| (known.grade, known.captor_lives) <= (leaf.grade, leaf.captor_lives))
        .unwrap_or(leaf)
}

/// Lines of captures.
impl Rules<'_> {
    pub fn at(&self, last: Option<Square>, balance: Balance) -> At {
        At {
            last,
            depth: self.definitions.exchange_depth,
            balance,
            dearest: 0,
            answered: false,
        }
    }

    /// A capture that comes to at least this grade, both sides playing as well as they can.
    pub fn line(&mut self, frame: &Rc<Frame>, mv: Move, least: i32) -> Option<Leaf> {
        let question = Question::Line(frame.number, mv, least);
        self.lemma(question, &mut |rules| rules.line_anew(frame, mv, least))
    }

    fn line_anew(&mut self, frame: &Rc<Frame>, mv: Move, least: i32) -> Option<Leaf> {
        let mut walk = Walk::taking(frame, mv);
        let won = worth(&walk.position, mv.to);
        let at = self.at(Some(mv.to), won);
        walk.gone(mv, |walk| {
            let mut leaf = self.reply(walk, at, least)?;
            let wins = least >= EVEN_TRADE || self.reply(walk, at, EVEN_TRADE).is_some();
            if !wins {
                return Some(leaf);
            }
            if let Some(back) = self.taken_by_checks(walk, mv.to, won) {
                let left = back.grade;
                if left < least {
                    return None;
                }
                // Unless something else costs as much, and the captor, it is the worst of it that the captor is won back.
                let worst = self.reply(walk, at, left);
                if let Some(worst) = worst
                    && (worst.captor_lives || self.reply(walk, at, left + 1).is_some())
                {
                    leaf = leaf.won_back(back);
                }
            }
            let asked = match leaf.end {
                End::Settled => true,
                // The other side may choose what falls elsewhere instead.
                End::WonBack => leaf.grade >= EVEN_TRADE,
                End::Mates | End::Mated => false,
            };
            if !asked || !self.looks_elsewhere(frame) || walk.position.in_check() {
                return Some(leaf);
            }
            let left = self.elsewhere(walk, won, leaf);
            if left.grade >= least {
                return Some(left);
            }
            // Whoever mates is not asked what it costs.
            let mating = grade(self.definitions, Balance::MATING);
            self.reply(walk, at, mating)
        })
    }

    /// The whole worth of a capture.
    pub fn value(&mut self, frame: &Rc<Frame>, mv: Move) -> Leaf {
        self.most(
            -9_000,
            &mut |rules, least, _| rules.line(frame, mv, least),
            |_| false,
        )
        .unwrap_or_default()
    }

    /// What is left where the piece that has just taken on a square is won back by checks.
    pub fn taken_by_checks(
        &mut self,
        walk: &mut Walk,
        square: Square,
        balance: Balance,
    ) -> Option<Leaf> {
        let frame = &Rc::clone(&walk.frame);
        let back = self.most_back_for_good(frame, &mut walk.position, square)?;
        if back.mates() && frame.key.mates == Mates::Spare {
            return None;
        }
        let left = if back.mates() {
            Balance::MATED
        } else {
            balance.minus(back.balance)
        };
        let mut position = walk.position.clone();
        position.lift(position.id_at(square)?);
        let rook = walk.took_a_rook() && walk.wins_rooks(&position, left);
        let short = frame.key.prefers == Some(Prefer::Rook) && !rook;
        let value = grade(self.definitions, left) - i32::from(short);
        Some(Leaf {
            balance: left,
            rook,
            ..Leaf::of(self.held_against(frame, left, value))
        })
    }

    /// Where a line may stop.
    pub fn leaf(&mut self, walk: &Walk, at: &At, end: End) -> Leaf {
        let balance = match end {
            End::Mated => Balance::MATED,
            End::Mates => Balance::MATING,
            End::Settled | End::WonBack => at.balance,
        };
        let captor_lives = walk.captor.is_some_and(|id| walk.position.is_alive(id));
        let mut value = grade(self.definitions, balance);
        // What falls by checks elsewhere is no threat to be weighed.
        let falls = walk.frame.key.beside && walk.first.is_none();
        let weighed = !falls && self.definitions.even_trade_with_survival;
        if weighed && end == End::Settled && walk.captor.is_some() {
            if self.pawns_are_no_price(walk, balance, captor_lives) {
                value = but_for_pawns(self.definitions, balance);
            } else if value < GAIN {
                let won = self.evens_out(walk, balance, captor_lives);
                value = won.unwrap_or(value);
            }
        }
        let dearest = if walk.took_a_rook() { 20 } else { at.dearest };
        let rook = dearest >= 20 && walk.wins_rooks(&walk.position, balance);
        value -= i32::from(match walk.frame.key.prefers {
            Some(Prefer::Fall(id)) => walk.position.is_alive(id),
            Some(Prefer::Rook) => !rook,
            None => false,
        });
        let mut later = walk.path.iter().skip(2).step_by(2);
        Leaf {
            grade: self.held_against(&walk.frame, balance, value),
            balance,
            end,
            captor_lives,
            dearest,
            rook,
            again: later.any(|mv| walk.first.is_some_and(|first| first.to == mv.to)),
            victims: walk.fruits,
            certain: walk.fruits,
            fallen: walk.fruits,
            taken_by: None,
        }
    }

    /// A line that leaves the other side a gain over what it has won beforehand comes to no more than is asked.
    fn held_against(&self, frame: &Frame, balance: Balance, value: i32) -> i32 {
        match frame.key.against {
            Some((won, most)) if grade(self.definitions, won.minus(balance)) >= GAIN => {
                value.min(most)
            }
            _ => value,
        }
    }

    fn ending(&mut self, walk: &Walk, at: &At, end: End, least: i32) -> Option<Leaf> {
        let leaf = self.leaf(walk, at, end);
        (leaf.grade >= least).then_some(leaf)
    }

    /// A strong piece is won, and pawns fall after it (26.6).
    fn pawns_are_no_price(&self, walk: &Walk, balance: Balance, captor_lives: bool) -> bool {
        self.definitions.fallen_pawn_ignored
            && floating(self.definitions, balance) == Some(Floating::PawnsLost)
            && gives_no_pawn(walk, captor_lives)
    }

    /// No more is won than lost, and the captor survives (supplement 6 of 1999, 26.5, 26.6).
    fn evens_out(&mut self, walk: &Walk, balance: Balance, captor_lives: bool) -> Option<i32> {
        if !captor_lives {
            return None;
        }
        if balance == Balance::EVEN {
            return Some(EVEN_TRADE);
        }
        let floats = match floating(self.definitions, balance)? {
            Floating::PawnsLost => self.ward_lost(walk).is_some(),
            // What had no root in it is simply lost.
            Floating::PawnsWon => self.ward_lost(walk).is_some_and(|(reply, lost)| {
                matches!(lost, Role::Horse | Role::Cannon) && self.had_root_or_hung(walk, reply)
            }),
        };
        floats.then_some(LET_GO + balance.among_floating())
    }

    /// The only piece the line loses, where the captor guarded or covered it where it stood.
    fn ward_lost(&mut self, walk: &Walk) -> Option<(Move, Role)> {
        match (losses(walk).as_slice(), walk.path.get(1)) {
            (&[(1, lost)], Some(&reply)) => self
                .was_let_go(&walk.frame, walk.captor, reply)
                .then(|| (reply, lost.role())),
            _ => None,
        }
    }

    /// The other side answers the taker's last capture: whatever it takes and wherever it stops, this grade is reached.
    pub fn reply(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let in_check = walk.position.in_check();
        let mut left: Option<Leaf> = None;
        if !in_check {
            left = Some(self.ending(walk, &at, End::Settled, least)?);
        }
        let moves = if in_check {
            Moves::Legal
        } else {
            Moves::Captures { careless: false }
        };
        let refuted = self.any_move(walk, moves, |rules, walk, mv| {
            rules.answer(walk, (at, least), mv, &mut left)
        });
        if refuted.is_some() {
            return None;
        }
        left.or_else(|| self.unanswered(walk, &at, least))
    }

    /// No answer counts: the other side is mated, or that is all.
    pub fn unanswered(&mut self, walk: &mut Walk, at: &At, least: i32) -> Option<Leaf> {
        let end = if !matches!(walk.aims, Aims::Short(_)) && !walk.position.has_legal_move() {
            End::Mates
        } else {
            End::Settled
        };
        self.ending(walk, at, end, least)
    }

    /// One answer: something where it leaves less than the mark.
    fn answer(
        &mut self,
        walk: &mut Walk,
        (at, least): (At, i32),
        mv: Move,
        left: &mut Option<Leaf>,
    ) -> Option<()> {
        let frame = &Rc::clone(&walk.frame);
        let target = walk.position.id_at(mv.to);
        let retakes = Some(mv.to) == at.last;
        let mut related = false;
        if let Some(id) = target {
            if id.role() == Role::King || frame.takes_shielded(&walk.position, mv) {
                return None;
            }
            related = retakes || (at.depth > 0 && self.is_related(walk, &at, mv, id));
        }
        if !related && !walk.position.in_check() {
            return None;
        }
        let mut next = at.deeper(related.then_some(mv.to));
        if related {
            next.balance = at.balance.minus(worth(&walk.position, mv.to));
        }
        let leaf = walk.gone(mv, |walk| {
            let careless = frame.key.careless;
            if !careless && walk.position.in_check() && !walk.position.has_legal_move() {
                self.ending(walk, &next, End::Mated, least)
            } else if related {
                self.resume(walk, next, least)
            } else {
                self.after_answer(walk, next, least)
            }
        });
        // Who takes and is mated thereby has no answer in it: who so retakes was no root.
        let counts = |rules: &mut Self, walk: &mut Walk| {
            !(related && rules.is_mated_having_taken(frame, &mut walk.position, mv))
        };
        match leaf {
            None => counts(self, walk).then_some(()),
            Some(leaf) => {
                if left.is_some() || counts(self, walk) {
                    *left = Some(lesser(*left, leaf));
                }
                None
            }
        }
    }

    fn is_related(&mut self, walk: &mut Walk, at: &At, mv: Move, target: PieceId) -> bool {
        let frame = &Rc::clone(&walk.frame);
        if frame.key.before == Before::Dodge(target) && mv.to == frame.base.square_of(target) {
            return true;
        }
        let ignores_loss = self.ignores_loss(frame);
        // The captor asked about, not one that takes later, nor what it is weighed against. When its wards fall makes no
        // difference.
        let asked = |mv: Move| walk.captor == frame.base.id_at(mv.from);
        let itself = !frame.key.beside && walk.first.is_none_or(asked);
        self.is_new_or_better(walk, mv)
            && !(at.answered && self.hung_as_much(frame, &mut walk.position, mv))
            && !(itself && ignores_loss && self.was_ward(walk, mv))
    }

    /// What a reply takes had the captor for its root, whoever might have taken it, or hung anyhow.
    fn had_root_or_hung(&mut self, walk: &Walk, reply: Move) -> bool {
        let frame = &walk.frame;
        let enemy = frame.taker.opponent();
        let by = frame.base.bearing_on(reply.to, enemy).into_iter();
        let takes = by.map(|id| Move::new(frame.base.square_of(id), reply.to));
        let mut takes = takes.chain([reply]);
        takes.any(|take| {
            self.was_ward(walk, take) || self.cap(frame, enemy, take).is_some_and(|cap| cap > 0)
        })
    }

    /// What a reply takes was guarded by the captor before it let go of it (细则 4).
    fn was_ward(&mut self, walk: &Walk, reply: Move) -> bool {
        let frame = &walk.frame;
        let enemy = frame.taker.opponent();
        let cap = self.cap_by_roots(frame, enemy, reply);
        // What only stood in somebody's way, or was a screen for another root, was none; one through checks is told by what it is
        // worth. A king could not take what is guarded.
        let is_root = |captor| {
            let left_out = frame.is_base_careless().then_some(frame.taker);
            let mut position = frame.with(enemy);
            !position.is_empty(reply.to)
                && position.bearing_on(reply.to, enemy).any(|id| {
                    let take = Move::new(frame.base.square_of(id), reply.to);
                    (take == reply || position.keeps_king_safe(take))
                        && is_root(&mut position, take, left_out, captor)
                })
        };
        self.was_let_go(frame, walk.captor, reply)
            && ((cap.is_some() && frame.see(enemy, reply) != cap)
                || walk.captor.is_some_and(is_root))
    }

    /// What a reply takes falls because the captor has left its square: there the reply would have been worth more
    /// without it.
    fn was_let_go(&mut self, frame: &Rc<Frame>, captor: Option<PieceId>, reply: Move) -> bool {
        let Some(captor) = captor else { return false };
        let enemy = frame.taker.opponent();
        let with = self.cap_by_roots(frame, enemy, reply).unwrap_or(0).max(-1);
        let mut position = frame.base.clone();
        position.lift(captor);
        let mut key = FrameKey::of(&position);
        key.careless |= frame.key.careless;
        let without = self.frame(key);
        if let Some(cap) = self.cap_by_roots(&without, enemy, reply) {
            return cap > with;
        }
        // Where it shielded the enemy king, that king is left out of account.
        position.pass();
        position.is_pseudo_legal(reply)
            && exchange(&mut position, reply, Some(enemy)).number() > with
    }

    /// The taker goes on after the other side's capture, or stops, and reaches the grade.
    fn resume(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let found = self.stop_or_take(walk, at, least);
        if found.is_some() {
            return found;
        }
        let retaken = walk.path.len() == 2 && at.last == walk.path.first().map(|mv| mv.to);
        if !retaken
            || !self.may_look_elsewhere(&walk.frame)
            || walk.frame.is_checked(&walk.position)
        {
            return None;
        }
        let wins = least > EVEN_TRADE && self.stop_or_take(walk, at, EVEN_TRADE).is_some();
        if wins {
            return None;
        }
        self.falls_to_it(walk, at, least)
            .filter(|leaf| leaf.grade >= least)
    }

    fn stop_or_take(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let stop = self.stop_having_lost(walk, at, least);
        stop.or_else(|| self.best_capture(walk, at, least))
    }

    pub fn best_capture(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let frame = &Rc::clone(&walk.frame);
        let careless = frame.key.careless;
        self.any_move(walk, Moves::Captures { careless }, |rules, walk, mv| {
            let position = &mut walk.position;
            let (captor, target) = position.id_at(mv.from).zip(position.id_at(mv.to))?;
            let retakes = Some(mv.to) == at.last;
            let own = captor.is_king_or_pawn() && frame.key.takes == Takes::Any;
            let opens = !retakes && walk.first.map(|first| first.to) != Some(mv.to);
            // Nor is what a run of checks leaves apart picked up where one has been answered without taking anything.
            let apart = at.last.is_none() && walk.aims.leave(target, false);
            if !frame.may_make(position, mv)
                || (own && opens)
                || (!retakes && (apart || at.depth == 0 || !rules.is_new_or_better(walk, mv)))
            {
                return None;
            }
            let won = material(target, mv.to);
            let mut next = at.deeper(Some(mv.to));
            next.balance = at.balance.plus(won);
            if !retakes {
                next.dearest = at.dearest.max(won.number());
            }
            let leaf = walk.gone(mv, |walk| rules.reply(walk, next, least))?;
            // No capture of the line may let the taker be mated (29.4).
            let lets = frame.key.mates != Mates::Spare
                && rules.is_mated_after(frame, &mut walk.position, mv);
            (!lets).then_some(leaf)
        })
    }

    /// The other side has answered a check: the taker may add what the check made possible.
    fn after_answer(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let stop = self.stop(walk, at, least);
        stop.or_else(|| self.best_capture(walk, at, least))
    }

    /// The taker takes nothing more. Where the piece about to move hangs, that costs it a move.
    pub fn stop(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let stop = self.ending(walk, &at, End::Settled, least)?;
        let frame = &walk.frame;
        let Before::Dodge(dodger) = frame.key.before else {
            return Some(stop);
        };
        let home = frame.base.square_of(dodger);
        let enemy = frame.taker.opponent();
        let hangs = walk.position.id_at(home) == Some(dodger)
            && dodger.role() != Role::King
            && !walk.position.bearing_on(home, enemy).is_empty();
        if at.depth == 0 || !hangs {
            return Some(stop);
        }
        self.having_moved(walk, at, (stop, Some(home)), least)
    }

    /// The same where the other side has just taken: a check has to be answered first, but where a retake is weighed apart from
    /// what falls by checks.
    fn stop_having_lost(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let stop = self.ending(walk, &at, End::Settled, least)?;
        let key = &walk.frame.key;
        let apart = key.beside && key.takes == Takes::Back;
        if apart || key.careless || at.depth == 0 || !walk.position.in_check() {
            return Some(stop);
        }
        self.having_moved(walk, at, (stop, None), least)
    }

    /// The taker may not stop for nothing: it saves what hangs on this square, or answers a check, and the other side takes what is
    /// related.
    fn having_moved(
        &mut self,
        walk: &mut Walk,
        mut at: At,
        (stop, hangs): (Leaf, Option<Square>),
        least: i32,
    ) -> Option<Leaf> {
        let mut moves = MoveList::new();
        if walk.frame.key.careless {
            walk.position.pseudo_moves_into(&mut moves);
        } else {
            walk.position.legal_moves_into(&mut moves);
        }
        moves.retain(|mv| hangs.is_none() || walk.position.is_empty(mv.to));
        if moves.is_empty() {
            return Some(stop);
        }
        at.last = None;
        at.answered = hangs.is_none();
        // The piece in danger first: it saves itself most often.
        let mut moves: Vec<Move> = moves.to_vec();
        moves.sort_by_key(|mv| Some(mv.from) != hangs);
        let saved = self.any(&moves, |rules, mv| {
            walk.gone(mv, |walk| rules.reply(walk, at, least))
        })?;
        Some(if saved.grade < stop.grade {
            saved
        } else {
            stop
        })
    }
}

/// Every pawn the line loses falls only after what is won was taken. Where the captor falls too, a pawn that takes and is
/// taken back is exchanged; one that falls where it stood is not.
fn gives_no_pawn(walk: &Walk, captor_lives: bool) -> bool {
    losses(walk).into_iter().all(|(at, id)| {
        let fell_on = walk.path.get(at).map(|mv| mv.to);
        let stood = fell_on == Some(walk.frame.base.square_of(id));
        id.role() != Role::Pawn || (at > walk.taken_at && (captor_lives || stood))
    })
}

/// What the taker loses in the line so far: where in it, and what.
fn losses(walk: &Walk) -> Vec<(usize, PieceId)> {
    let mut position = walk.frame.base.clone();
    let mut losses = Vec::new();
    for (at, &mv) in walk.path.iter().enumerate() {
        let lost = position.id_at(mv.to);
        let lost = lost.filter(|id| id.side() == walk.frame.taker);
        losses.extend(lost.map(|id| (at, id)));
        position.make(mv);
    }
    losses
}
