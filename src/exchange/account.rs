//! The account of a capture: what it wins once everything it touches off has been taken.
//!
//! One position is looked at, with the side whose threats are asked about (the *taker*) to move.
//! A capture opens an exchange in which both sides may stop at any time, and in which only
//! *related* captures count: those on the square of the last capture, and those that the line
//! itself made possible or better. What could be taken all along is another matter: it is left
//! out, so that two attacks that have nothing to do with each other are judged apart.

use super::budget::Budget;
use super::checks::{checking_moves, checks_of};
use super::value::{Balance, Grade, material};
use crate::board::{Move, MoveList, PieceId, Position, Role, Side, Square};
use crate::definitions::{Definitions, PawnCapture};

/// Plies looked at after the first capture; beyond them only the last square is exchanged on.
const DEPTH: u32 = 5;

/// Captures that are not the taker's to use: by a piece that is offered in exchange, of its
/// partner. Known by the squares and the kind of the offered piece, whatever stands there by then.
#[derive(Clone, Debug, Default)]
pub struct Bans(Vec<Ban>);

/// One such capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ban {
    /// The offered piece's square.
    pub from: Square,
    /// Its partner's square.
    pub to: Square,
    /// What is offered.
    pub offered: PieceId,
}

impl Bans {
    /// Nothing is banned.
    pub const NONE: &'static Self = &Self(Vec::new());

    /// Bans one more capture.
    pub fn push(&mut self, ban: Ban) {
        self.0.push(ban);
    }

    /// Whether nothing is banned.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Ban> {
        self.0.iter()
    }

    /// Whether this move, in this position, is a banned capture.
    pub fn forbid(&self, position: &Position, mv: Move) -> bool {
        self.0.iter().any(|ban| {
            ban.from == mv.from
                && ban.to == mv.to
                && position
                    .id_at(mv.from)
                    .is_some_and(|id| id.piece() == ban.offered.piece())
        })
    }
}

/// How the piece about to move is treated where the position *before* a move is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Like any other.
    Plain,
    /// It cannot be taken.
    Shield(PieceId),
    /// Taking it is part of the account.
    Dodge(PieceId),
}

/// How a line of captures ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Both sides have taken what they want.
    Settled,
    /// The other side is mated.
    Mates,
    /// The taker is mated.
    Mated,
    /// The taking piece is lost to a run of checks.
    WonBack,
}

/// In what sense a line wins something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Win {
    /// More is taken than lost.
    Gain,
    /// As much is taken as lost, and the piece that took first survives.
    EvenTrade,
    /// Pawns are won for pieces, or pieces for pawns, which cannot be told apart in worth; the piece
    /// that took first survives, and what is lost was under attack already: that piece was its
    /// root.
    RootDuty,
}

impl Win {
    /// Whether having been able to win so before covers winning so now: a gain covers anything,
    /// the others only their like.
    pub fn covers(self, now: Self) -> bool {
        self == Self::Gain || self == now
    }
}

/// A line of captures and what it brings the taker.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// What is won and lost.
    pub balance: Balance,
    /// How that compares.
    pub grade: Grade,
    /// In what sense of the book the line wins something, if it does.
    pub win: Option<Win>,
    /// Whether the piece that took first is still there at the end.
    pub captor_lives: bool,
    /// How it ends.
    pub end: End,
    /// The dearest piece the taker wins after the first capture, retakes apart.
    pub dearest_later: i32,
    len: u8,
    moves: [Move; 24],
}

impl Line {
    /// The moves, the first capture first.
    pub fn moves(&self) -> &[Move] {
        self.moves.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// Where a line of captures stands.
#[derive(Clone, Copy)]
struct At {
    /// The square of the last capture.
    last: Option<Square>,
    /// Plies still looked at.
    depth: u32,
    /// What the taker has won so far.
    balance: Balance,
    /// The dearest piece it has won after the first, retakes apart.
    dearest: i32,
    /// A result that makes the exact value useless: for a reply anything below it, for the taker
    /// anything above it.
    enough: Grade,
}

impl At {
    const fn deeper(mut self, last: Option<Square>) -> Self {
        self.last = last;
        self.depth = self.depth.saturating_sub(1);
        self
    }
}

/// A capture that was there in the position looked at.
#[derive(Clone, Copy, Debug)]
struct Known {
    mv: Move,
    see: i32,
    /// `see` less what is won back by checks, once that has been asked for.
    cap: Option<i32>,
}

/// The captures of one position, and lines of captures from it.
#[derive(Debug)]
pub struct Account<'a> {
    definitions: &'a Definitions,
    /// The taker to move.
    position: Position,
    taker: Side,
    /// Whether the taker's own king is left out of account: the taker stands in check, or is
    /// asked about as if it did.
    careless: bool,
    before: Before,
    bans: Bans,
    /// Whether a taker that gets mated thereby has won nothing.
    mates_refute: bool,
    known: [Option<Vec<Known>>; 2],
    /// The piece that takes first in the line being looked at, where it started and what it
    /// guarded there.
    captor: Option<PieceId>,
    first: Option<Move>,
    path: Vec<Move>,
    /// Positions expanded.
    pub budget: Budget,
}

impl<'a> Account<'a> {
    /// The account of a position with the taker to move.
    pub fn new(definitions: &'a Definitions, position: &Position) -> Self {
        Self {
            definitions,
            taker: position.turn(),
            careless: position.in_check(),
            position: position.clone(),
            before: Before::Plain,
            bans: Bans::default(),
            mates_refute: true,
            known: [None, None],
            captor: None,
            first: None,
            path: Vec::new(),
            budget: Budget::new(definitions.chase_budget),
        }
    }

    /// The side whose king is left out of account.
    fn careless_side(&self) -> Option<Side> {
        self.careless.then_some(self.taker)
    }

    /// How many checks a root may work through; none where the taker's king is left out.
    const fn root_depth(&self) -> u32 {
        if self.careless {
            0
        } else {
            self.definitions.check_root_depth
        }
    }

    /// Within how many checks a mate makes a capture void.
    const fn mate_depth(&self) -> u32 {
        if self.careless || !self.mates_refute {
            0
        } else {
            self.definitions.mate_after_capture_depth
        }
    }

    /// How many checks are looked at after a capture.
    fn checks_back(&self) -> u32 {
        self.root_depth().max(self.mate_depth())
    }

    /// Captures the taker may not use.
    #[must_use]
    pub fn banning(mut self, bans: Bans) -> Self {
        self.bans = bans;
        self
    }

    /// How the piece about to move is treated.
    #[must_use]
    pub const fn before(mut self, before: Before) -> Self {
        self.before = before;
        self
    }

    /// Leaves out of account that the taker might be mated.
    #[must_use]
    pub const fn without_mates(mut self) -> Self {
        self.mates_refute = false;
        self
    }

    /// Leaves the taker's own king out of account.
    #[must_use]
    pub const fn careless(mut self) -> Self {
        self.careless = true;
        self
    }

    /// The position looked at.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Captures not to be used.
    pub const fn bans(&self) -> &Bans {
        &self.bans
    }

    /// The taker's captures: legal ones, or, where the taker stands in check, all that its pieces
    /// could make if it did not.
    pub fn captures(&self) -> Vec<Move> {
        let mut position = self.position.clone();
        captures(&mut position, self.careless)
    }

    fn known(&mut self, side: Side) -> &mut Vec<Known> {
        let slot = usize::from(side != self.taker);
        if self.known.get(slot).is_some_and(Option::is_none) {
            let mut position = self.position.clone();
            if position.turn() != side {
                position.pass();
            }
            let careless = self.careless_side();
            let list = captures(&mut position, careless == Some(side))
                .into_iter()
                .map(|mv| Known {
                    mv,
                    see: exchange(&mut position, mv, careless).0,
                    cap: None,
                })
                .collect();
            if let Some(place) = self.known.get_mut(slot) {
                *place = Some(list);
            }
        }
        #[expect(clippy::indexing_slicing, reason = "the slot is 0 or 1")]
        self.known[slot].get_or_insert_default()
    }

    /// What a capture was worth in the position looked at: its exchange on the one square, less
    /// what the other side wins back there by checks. `None` where it was not there.
    pub fn cap(&mut self, side: Side, mv: Move) -> Option<i32> {
        let index = self.known(side).iter().position(|known| known.mv == mv)?;
        let known = *self.known(side).get(index)?;
        if let Some(cap) = known.cap {
            return Some(cap);
        }
        let mut position = self.position.clone();
        if position.turn() != side {
            position.pass();
        }
        let cap = self.less_what_is_won_back(&mut position, mv, known.see);
        if let Some(known) = self.known(side).get_mut(index) {
            known.cap = Some(cap);
        }
        Some(cap)
    }

    /// The value of a capture less what the other side wins back on its square by checks.
    fn less_what_is_won_back(&mut self, position: &mut Position, mv: Move, see: i32) -> i32 {
        // What wins nothing anyway needs no refutation.
        if see <= 0 || self.checks_back() == 0 {
            return see;
        }
        let undo = position.make(mv);
        let back = if position.in_check() {
            None
        } else {
            self.won_back(position, mv.to, 1)
        };
        position.unmake(undo);
        back.map_or(see, |back| see - back.number)
    }

    /// Whether the line made this capture possible or better.
    fn is_new_or_better(&mut self, position: &mut Position, mv: Move) -> bool {
        let side = position.turn();
        let now = exchange(position, mv, self.careless_side()).0;
        let known = self
            .known(side)
            .iter()
            .find(|known| known.mv == mv)
            .copied();
        let Some(known) = known else {
            return now > 0;
        };
        if now <= known.see && known.see <= 0 {
            return false;
        }
        let cap = self.cap(side, mv).unwrap_or(known.see);
        if now <= cap {
            return false;
        }
        // Where a root through checks held the capture back, like is compared with like: it may
        // hold it back still.
        cap == known.see || self.less_what_is_won_back(position, mv, now) > cap
    }

    /// What taking with `mv` brings, both sides playing the exchange as well as they can.
    pub fn line(&mut self, mv: Move) -> Line {
        let mut position = self.position.clone();
        self.captor = position.id_at(mv.from);
        self.first = Some(mv);
        self.path.clear();
        let balance = position
            .id_at(mv.to)
            .map_or(Balance::EVEN, |id| material(id, mv.to));
        self.path.push(mv);
        position.make(mv);
        let at = At {
            last: Some(mv.to),
            depth: DEPTH,
            balance,
            dearest: 0,
            enough: Grade::WORST,
        };
        let line = self.reply(&mut position, at, true);
        self.path.clear();
        line
    }

    /// In what sense of the book a line wins something that brings no gain: as much is lost, and
    /// the piece that took first survives (supplement 6 of 1999, 26.5 of 2020).
    fn evens_out(&mut self, balance: Balance) -> Option<Win> {
        if !self.definitions.even_trade_with_survival {
            return None;
        }
        if balance == Balance::EVEN {
            return Some(Win::EvenTrade);
        }
        (balance.may_be_even() && self.loses_a_ward_only()).then_some(Win::RootDuty)
    }

    /// Whether all that the line so far loses is one piece that was under attack already and that
    /// the taking piece guarded: nothing was given for what is won.
    fn loses_a_ward_only(&mut self) -> bool {
        let mut position = self.position.clone();
        let mut replies = Vec::new();
        for &mv in &self.path {
            let target = position.id_at(mv.to);
            if target.is_some_and(|id| id.side() == self.taker) {
                replies.push(mv);
            }
            position.make(mv);
        }
        match (replies.as_slice(), self.path.get(1)) {
            (&[lost], Some(&reply)) if lost == reply => self.was_ward(reply),
            _ => false,
        }
    }

    fn leaf(
        &mut self,
        position: &Position,
        balance: Balance,
        end: End,
        dearest_later: i32,
    ) -> Line {
        let captor_lives = self.captor.is_some_and(|id| position.is_alive(id));
        let material = balance.grade(self.definitions.pawn_for_rook);
        let (grade, win) = if material.is_gain() {
            (material, Some(Win::Gain))
        } else if end == End::Settled && captor_lives {
            // What the book counts as won stands above what it does not, so that both sides aim at
            // what decides.
            let win = self.evens_out(balance);
            (win.map_or(material, |_| Grade::LEVEL), win)
        } else {
            (material, None)
        };
        let mut moves = [Move::NONE; 24];
        for (slot, mv) in moves.iter_mut().zip(&self.path) {
            *slot = *mv;
        }
        Line {
            balance,
            grade,
            win,
            captor_lives,
            end,
            dearest_later,
            len: u8::try_from(self.path.len().min(24)).unwrap_or(24),
            moves,
        }
    }

    /// The other side answers the taker's last capture, choosing what leaves the taker least.
    fn reply(&mut self, position: &mut Position, at: At, first: bool) -> Line {
        if !self.budget.take() {
            // Whatever is said now is not used: the question stays open.
            return self.leaf(position, at.balance, End::Settled, at.dearest);
        }
        let in_check = position.in_check();
        let mut worst: Option<Line> = None;
        if !in_check {
            worst = Some(self.leaf(position, at.balance, End::Settled, at.dearest));
        }
        let mut moves = MoveList::new();
        if in_check {
            position.legal_moves_into(&mut moves);
        } else {
            position.legal_captures_into(&mut moves);
        }
        for &mv in &*moves {
            if worst.is_some_and(|worst| worst.grade < at.enough) {
                break;
            }
            let target = position.id_at(mv.to);
            if target.is_some_and(|id| id.role() == Role::King) {
                continue;
            }
            let mut related = false;
            if let Some(id) = target {
                if self.is_shielded(id, mv.to) {
                    continue;
                }
                related = Some(mv.to) == at.last
                    || (at.depth > 0 && self.is_related_reply(position, mv, id, first));
            }
            if !related && !in_check {
                continue;
            }
            let mut next = at.deeper(target.filter(|_| related).map(|_| mv.to));
            next.enough = worst.map_or(Grade::BEST, |worst| worst.grade);
            let undo = position.make(mv);
            self.path.push(mv);
            let line = match target {
                Some(id) if related => {
                    next.balance = at.balance.minus(material(id, mv.to));
                    self.resume(position, next)
                }
                _ => self.after_answer(position, next),
            };
            self.path.pop();
            position.unmake(undo);
            worst = Some(lesser(worst, line));
        }
        // Only after the first capture, and only where that was no check.
        if let Some(last) = at.last
            && first
            && !in_check
            && self.checks_back() > 0
            && worst.is_some_and(|line| line.grade >= at.enough && line.win.is_some())
            && let Some(back) = self.won_back(position, last, 1)
        {
            let (balance, end) = if back.mates {
                (Balance::MATED, End::Mated)
            } else {
                (at.balance.minus(back.balance), End::WonBack)
            };
            let taken = self.path.len();
            self.path.extend_from_slice(&back.line);
            let mut line = self.leaf(position, balance, end, at.dearest);
            line.captor_lives = false;
            self.path.truncate(taken);
            worst = Some(lesser(worst, line));
        }
        worst.unwrap_or_else(|| self.leaf(position, Balance::MATING, End::Mates, at.dearest))
    }

    /// The piece about to move cannot be taken where it stands; once it has moved in the line, it
    /// can.
    fn is_shielded(&self, id: PieceId, at: Square) -> bool {
        self.before == Before::Shield(id) && at == self.position.square_of(id)
    }

    fn is_related_reply(
        &mut self,
        position: &mut Position,
        mv: Move,
        target: PieceId,
        first: bool,
    ) -> bool {
        if self.before == Before::Dodge(target) && mv.to == self.position.square_of(target) {
            return true;
        }
        self.is_new_or_better(position, mv)
            && !(first && self.definitions.root_ignore_loss && self.was_ward(mv))
    }

    /// Whether what a reply takes was guarded by the piece that took, before that let go of it: as
    /// an open or hidden root, or as one that works through checks. It was where the reply would
    /// have been worth more without that piece.
    fn was_ward(&mut self, reply: Move) -> bool {
        let Some(captor) = self.captor else {
            return false;
        };
        let enemy = self.taker.opponent();
        let Some(with) = self.cap(enemy, reply) else {
            return false;
        };
        let mut position = self.position.clone();
        position.lift(captor);
        let mut without = Self::new(self.definitions, &position);
        without.careless |= self.careless;
        let more = without.cap(enemy, reply).is_some_and(|cap| cap > with);
        self.budget.absorb(without.budget);
        more
    }

    /// The taker goes on after the other side's capture, or stops.
    fn resume(&mut self, position: &mut Position, at: At) -> Line {
        if self.is_mated(position) {
            return self.leaf(position, Balance::MATED, End::Mated, at.dearest);
        }
        let stop = self.leaf(position, at.balance, End::Settled, at.dearest);
        self.best_capture(position, at, stop)
    }

    fn is_mated(&self, position: &mut Position) -> bool {
        !self.careless && position.in_check() && !position.has_legal_move()
    }

    /// The taker's best further capture, where it is better than `stop`.
    fn best_capture(&mut self, position: &mut Position, at: At, stop: Line) -> Line {
        if !self.budget.take() {
            return stop;
        }
        let mut best = stop;
        let origin = self.first.map(|mv| mv.to);
        for mv in captures(position, self.careless) {
            if best.grade > at.enough {
                break;
            }
            let (Some(captor), Some(target)) = (position.id_at(mv.from), position.id_at(mv.to))
            else {
                continue;
            };
            if self.bans.forbid(position, mv) {
                continue;
            }
            let on_last = Some(mv.to) == at.last;
            // A king or a pawn that retakes is a root like any other; it opens nothing new.
            if matches!(captor.role(), Role::King | Role::Pawn) && !on_last && Some(mv.to) != origin
            {
                continue;
            }
            if !on_last && (at.depth == 0 || !self.is_new_or_better(position, mv)) {
                continue;
            }
            let won = material(target, mv.to);
            let mut next = at.deeper(Some(mv.to));
            next.balance = at.balance.plus(won);
            if !on_last {
                next.dearest = at.dearest.max(won.number());
            }
            next.enough = best.grade;
            let undo = position.make(mv);
            self.path.push(mv);
            let line = self.reply(position, next, false);
            self.path.pop();
            position.unmake(undo);
            if (line.grade, line.dearest_later) > (best.grade, best.dearest_later) {
                best = line;
            }
        }
        best
    }

    /// The other side has answered a check: the taker may add what the check made possible. Its
    /// further worries are one step later and do not count, except that in a comparison with
    /// what could be won before, it must also save the piece about to move.
    fn after_answer(&mut self, position: &mut Position, at: At) -> Line {
        if self.is_mated(position) {
            return self.leaf(position, Balance::MATED, End::Mated, at.dearest);
        }
        let stop = self.stop(position, at);
        self.best_capture(position, at, stop)
    }

    /// The taker takes nothing more. Where the piece about to move hangs, that costs it a move:
    /// the best it can make, after which the other side takes what is related.
    fn stop(&mut self, position: &mut Position, at: At) -> Line {
        let stop = self.leaf(position, at.balance, End::Settled, at.dearest);
        let Before::Dodge(dodger) = self.before else {
            return stop;
        };
        if !position.is_alive(dodger) || at.depth == 0 {
            return stop;
        }
        let mut moves = MoveList::new();
        if self.careless {
            position.pseudo_moves_into(&mut moves);
        } else {
            position.legal_moves_into(&mut moves);
        }
        // The piece in danger first: it saves itself most often.
        let home = position.square_of(dodger);
        let mut moves: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| position.is_empty(mv.to))
            .collect();
        moves.sort_by_key(|mv| mv.from != home);
        let mut saved: Option<Line> = None;
        for mv in moves {
            let mut next = at;
            next.last = None;
            next.enough = saved.map_or(Grade::WORST, |saved| saved.grade.just_above());
            let undo = position.make(mv);
            self.path.push(mv);
            let line = self.reply(position, next, false);
            self.path.pop();
            position.unmake(undo);
            if saved.is_none_or(|best| line.grade > best.grade) {
                saved = Some(line);
            }
            // Nothing can be better than losing nothing.
            if line.grade >= stop.grade {
                break;
            }
        }
        saved.unwrap_or(stop)
    }

    /// What the side to move wins back on `square` by consecutive checks, whatever the answers; the
    /// next one is the so-manieth.
    fn won_back(&mut self, position: &mut Position, square: Square, check: u32) -> Option<Back> {
        if !self.budget.take() {
            return None;
        }
        let mut checks = Vec::new();
        checking_moves(position, &mut checks);
        let mut best: Option<Back> = None;
        for &mv in &checks {
            let target = position.id_at(mv.to);
            if mv.to == square || target.is_some_and(|id| self.is_shielded(id, mv.to)) {
                continue;
            }
            let taken = target.map_or(Balance::EVEN, |id| material(id, mv.to));
            let undo = position.make(mv);
            let back = self.won_back_after(position, square, check, taken);
            position.unmake(undo);
            let Some(mut back) = back else { continue };
            back.line.insert(0, mv);
            if best.as_ref().is_none_or(|best| back.number > best.number) {
                let enough = back.mates;
                best = Some(back);
                if enough {
                    break;
                }
            }
        }
        best
    }

    /// The least of what every answer to a check leaves to be won back.
    fn won_back_after(
        &mut self,
        position: &mut Position,
        square: Square,
        check: u32,
        taken: Balance,
    ) -> Option<Back> {
        let mut answers = MoveList::new();
        position.legal_moves_into(&mut answers);
        if answers.is_empty() {
            let line = Vec::new();
            let mates = true;
            return (check <= self.mate_depth()).then_some(Back {
                number: 1000,
                balance: Balance::MATING,
                mates,
                line,
            });
        }
        let mut least: Option<Back> = None;
        for &answer in &*answers {
            let shielded = position
                .id_at(answer.to)
                .is_some_and(|id| self.is_shielded(id, answer.to));
            if shielded || self.bans.forbid(position, answer) {
                continue;
            }
            // A root that works through checks pays for them: what the answer takes, less what the
            // check took. What a check takes is no profit of its own.
            let given = position
                .id_at(answer.to)
                .map_or(Balance::EVEN, |id| material(id, answer.to));
            let cost = given.minus(taken);
            let undo = position.make(answer);
            let mut back = if check <= self.root_depth() {
                retake(position, square)
            } else {
                None
            };
            if check < self.checks_back() && !position.in_check() {
                let further = self.won_back(position, square, check + 1);
                if further.as_ref().map_or(0, |b| b.number) > back.as_ref().map_or(0, |b| b.number)
                {
                    back = further;
                }
            }
            position.unmake(undo);
            let mut back = back?;
            if !back.mates && cost.number() > 0 {
                back.number -= cost.number();
                back.balance = back.balance.minus(cost);
                if back.number <= 0 {
                    return None;
                }
            }
            back.line.insert(0, answer);
            if least
                .as_ref()
                .is_none_or(|least| back.number < least.number)
            {
                least = Some(back);
            }
        }
        least
    }
}

/// The line that leaves the taker less; where they are equal, the one that costs the captor.
fn lesser(known: Option<Line>, line: Line) -> Line {
    let left = |line: &Line| (line.grade, line.captor_lives);
    known
        .filter(|known| left(known) <= left(&line))
        .unwrap_or(line)
}

/// A piece won back by checks.
#[derive(Clone, Debug)]
struct Back {
    number: i32,
    balance: Balance,
    mates: bool,
    line: Vec<Move>,
}

/// The best capture on `square` for the side to move, if it gains.
fn retake(position: &mut Position, square: Square) -> Option<Back> {
    let target = position.id_at(square)?;
    if target.side() == position.turn() {
        return None;
    }
    let mut best: Option<Back> = None;
    for id in position.bearing_on(square, position.turn()) {
        let mv = Move::new(position.square_of(id), square);
        if !position.keeps_king_safe(mv) {
            continue;
        }
        let (number, balance) = exchange(position, mv, None);
        if number > 0 && best.as_ref().is_none_or(|b| number > b.number) {
            best = Some(Back {
                number,
                balance,
                mates: false,
                line: vec![mv],
            });
        }
    }
    best
}

/// Every capture of the side to move (never of a king): the legal ones, or, for a side whose king
/// is left out of account, all its pieces bear on.
pub(super) fn captures(position: &mut Position, careless: bool) -> Vec<Move> {
    let mut moves = MoveList::new();
    if careless {
        position.pseudo_captures_into(&mut moves);
    } else {
        position.legal_captures_into(&mut moves);
    }
    let is_king = |mv: &Move| {
        position
            .id_at(mv.to)
            .is_some_and(|id| id.role() == Role::King)
    };
    moves.iter().copied().filter(|mv| !is_king(mv)).collect()
}

/// The value of a capture in the exchange on its one square, both sides free to stop.
pub fn square_exchange(position: &mut Position, mv: Move) -> i32 {
    exchange(position, mv, None).0
}

fn exchange(position: &mut Position, mv: Move, careless: Option<Side>) -> (i32, Balance) {
    let won = position
        .id_at(mv.to)
        .map_or(Balance::EVEN, |id| material(id, mv.to));
    let undo = position.make(mv);
    let mut best = (0, Balance::EVEN);
    for id in position.bearing_on(mv.to, position.turn()) {
        let reply = Move::new(position.square_of(id), mv.to);
        if careless == Some(position.turn()) || position.keeps_king_safe(reply) {
            let (number, balance) = exchange(position, reply, careless);
            if number > best.0 {
                best = (number, balance);
            }
        }
    }
    position.unmake(undo);
    (won.number() - best.0, won.minus(best.1))
}

impl Account<'_> {
    /// The taker's best gain by at most `depth` consecutive checks, beyond what could be taken
    /// without them, where it is better than `floor`. `start` is what the taker has won or lost
    /// beforehand.
    pub fn by_checks(&mut self, depth: u32, start: Balance, floor: Grade) -> Option<Line> {
        self.captor = None;
        self.first = None;
        self.path.clear();
        let mut position = self.position.clone();
        self.check(&mut position, depth, start, floor)
    }

    /// The best check of the taker, if it leads to more than `floor`.
    fn check(
        &mut self,
        position: &mut Position,
        depth: u32,
        balance: Balance,
        mut floor: Grade,
    ) -> Option<Line> {
        if !self.budget.take() {
            return None;
        }
        let mut checks = Vec::new();
        // With a piece taken away to see whether it takes part, the king it may have shielded is left
        // out of account; a check that really stands has to be answered.
        let exposed = self.careless && !self.mates_refute;
        checks_of(position, exposed, &mut checks);
        let mut best = None;
        for &mv in &checks {
            if self.bans.forbid(position, mv) {
                continue;
            }
            let mut balance = balance;
            // What a check takes counts; that it could be taken all along shows in the comparison
            // with what was there before.
            if let Some(target) = position.id_at(mv.to)
                && self.may_take_in_checks(position, mv)
            {
                balance = balance.plus(material(target, mv.to));
            }
            let undo = position.make(mv);
            self.path.push(mv);
            let line = self.after_check(position, depth, balance, floor);
            self.path.pop();
            position.unmake(undo);
            if let Some(line) = line {
                floor = line.grade;
                best = Some(line);
            }
        }
        best
    }

    /// The least the taker gets after any answer to its check, if that is more than `floor`.
    fn after_check(
        &mut self,
        position: &mut Position,
        depth: u32,
        balance: Balance,
        floor: Grade,
    ) -> Option<Line> {
        let mut answers = MoveList::new();
        position.legal_moves_into(&mut answers);
        let mut least: Option<Line> = None;
        for &answer in &*answers {
            let target = position.id_at(answer.to);
            if target.is_some_and(|id| self.is_shielded(id, answer.to)) {
                continue;
            }
            let left = target.map_or(balance, |id| balance.minus(material(id, answer.to)));
            let undo = position.make(answer);
            self.path.push(answer);
            let line = self.fruit(position, depth, left, floor, target.map(|_| answer.to));
            self.path.pop();
            position.unmake(undo);
            let line = line?;
            if least.is_none_or(|least| line.grade < least.grade) {
                least = Some(line);
            }
        }
        least.or_else(|| {
            let line = self.leaf(position, Balance::MATING, End::Mates, 0);
            (line.grade > floor).then_some(line)
        })
    }

    /// What the taker makes of an answer: it stops, takes something, or checks again.
    fn fruit(
        &mut self,
        position: &mut Position,
        depth: u32,
        balance: Balance,
        mut floor: Grade,
        last: Option<Square>,
    ) -> Option<Line> {
        let mut best = None;
        let mut keep = |line: Line, floor: &mut Grade| {
            if line.grade > *floor {
                *floor = line.grade;
                best = Some(line);
            }
        };
        if !self.careless && !position.has_legal_move() {
            keep(
                self.leaf(position, Balance::MATED, End::Mated, 0),
                &mut floor,
            );
            return best;
        }
        let mut at = At {
            last,
            depth: DEPTH,
            balance,
            dearest: 0,
            enough: Grade::WORST,
        };
        if balance.grade(self.definitions.pawn_for_rook) > floor {
            keep(self.stop(position, at), &mut floor);
        }
        for mv in captures(position, self.careless) {
            let Some(target) = position.id_at(mv.to) else {
                continue;
            };
            if self.bans.forbid(position, mv)
                || !self.may_take_in_checks(position, mv)
                || !(Some(mv.to) == last || self.is_new_or_better(position, mv))
            {
                continue;
            }
            at.balance = balance.plus(material(target, mv.to));
            if at.balance.grade(self.definitions.pawn_for_rook) <= floor {
                continue;
            }
            at.last = Some(mv.to);
            at.enough = floor.just_above();
            self.captor = position.id_at(mv.from);
            let undo = position.make(mv);
            self.path.push(mv);
            let line = self.reply(position, at, true);
            self.path.pop();
            position.unmake(undo);
            self.captor = None;
            keep(line, &mut floor);
        }
        if depth > 1
            && let Some(line) = self.check(position, depth - 1, balance, floor)
        {
            best = Some(line);
        }
        best
    }

    /// Whether a capture within a run of checks counts: kings' never do, pawns' by the book.
    fn may_take_in_checks(&self, position: &mut Position, mv: Move) -> bool {
        let Some(captor) = position.id_at(mv.from) else {
            return false;
        };
        match captor.role() {
            Role::King => false,
            Role::Pawn => match self.definitions.pawn_in_checks {
                PawnCapture::Never => false,
                PawnCapture::LeaningOnOthers if !self.path.is_empty() => true,
                PawnCapture::UncoveringCheck | PawnCapture::LeaningOnOthers => {
                    let undo = position.make(mv);
                    let uncovered = !position.checkers().without(captor).is_empty();
                    position.unmake(undo);
                    uncovered
                }
            },
            Role::Advisor | Role::Elephant | Role::Horse | Role::Rook | Role::Cannon => true,
        }
    }
}

/// Whether the side to move mates within `depth` consecutive checks.
pub fn mates_within(position: &mut Position, depth: u32, budget: &mut Budget) -> bool {
    if depth == 0 || !budget.take() {
        return false;
    }
    let mut checks = Vec::new();
    checking_moves(position, &mut checks);
    checks.iter().any(|&check| {
        let undo = position.make(check);
        let mut answers = MoveList::new();
        position.legal_moves_into(&mut answers);
        let mates = answers.iter().all(|&answer| {
            let undo = position.make(answer);
            let mates = mates_within(position, depth - 1, budget);
            position.unmake(undo);
            mates
        });
        position.unmake(undo);
        mates
    })
}
