//! Gains by consecutive checks (抽吃).

use super::line::lesser;
use super::{Account, Aims, End, Line, captures, exchange, is_barred, is_root};
use crate::board::{
    Answers, Move, MoveList, PieceId, PieceSet, Position, Role, Square, checking_moves_but_for,
};
use crate::definitions::PawnCapture;
use crate::exchange::checks::{Followed, Least, Likely, put_into};
use crate::exchange::value::{Balance, Grade, material, worth};
use std::cmp::Ordering;

impl Account<'_> {
    /// The taker's best gain by at most `depth` consecutive checks, beyond what could be taken
    /// without them, where it is better than `floor`. `start` is what the taker has won or lost
    /// beforehand.
    pub fn by_checks(&mut self, depth: u32, start: Balance, floor: Grade) -> Option<Line> {
        if depth == 0 {
            return None;
        }
        let mut position = self.begun_anew();
        let line = self.check(&mut position, depth, start, floor)?;
        Some(line.without_loops(&self.position))
    }

    /// All that falls by one run of checks or another that comes to more than `floor`, with the best of them.
    pub fn whatever_falls(&mut self, depth: u32, start: Balance, floor: Grade) -> Option<Line> {
        self.every = true;
        let line = self.by_checks(depth, start, floor);
        self.every = false;
        line
    }

    /// The position looked at, with no run under way.
    fn begun_anew(&mut self) -> Position {
        self.captor = None;
        self.first = None;
        self.fruits = PieceSet::EMPTY;
        self.path.clear();
        self.position.clone()
    }

    /// An answer, other than the one named, after which a check that takes nothing leads to no more than `floor`, where that
    /// check is there.
    pub fn foil(
        &mut self,
        check: Move,
        but: Option<Move>,
        depth: u32,
        floor: Grade,
    ) -> Option<Move> {
        let mut position = self.begun_anew();
        if !position.is_empty(check.to)
            || !position.is_legal(check)
            || !self.may_make(&position, check)
        {
            return None;
        }
        position.make(check);
        self.path.push(check);
        if !position.in_check() {
            return None;
        }
        let run = Run {
            depth,
            balance: Balance::EVEN,
            credit: Balance::EVEN,
        };
        let mut answers = Answers::of(&position);
        while let Some(answer) = answers.next(&mut position) {
            if Some(answer) != but
                && !self.takes_shielded(&position, answer)
                && self.left_by(&mut position, run, floor, answer).is_none()
            {
                return Some(answer);
            }
        }
        None
    }

    /// What comes of a run of checks that can be played here move for move, the other side taking at its end what it may: where that
    /// is no more than `floor`. What answers the taker's last move is not given.
    pub fn spoilt(&mut self, run: &[Move], floor: Grade) -> Option<Line> {
        let answer = usize::from(run.len().is_multiple_of(2));
        let run = run.get(..run.len().checked_sub(answer)?)?;
        let mut position = self.begun_anew();
        let mut at = self.at(None, Balance::EVEN);
        for (ply, &mv) in run.iter().enumerate() {
            if self.takes_shielded(&position, mv) {
                return None;
            }
            let taken = worth(&position, mv.to);
            if ply % 2 == 1 {
                at.balance = at.balance.minus(taken);
            } else if self.may_make(&position, mv) {
                at.balance = at.balance.plus(taken);
                at.last = Some(mv.to);
                self.captor = position.id_at(mv.from);
                self.taken_at = ply;
            } else {
                return None;
            }
            self.path.push(mv);
            position.make(mv);
        }
        let line = self.reply(&mut position, at, false);
        let back = self.taken_by_checks(&mut position, at.last?, at);
        let line = back.map_or(line, |back| lesser(Some(line), back));
        let answered = line.moves().len() > run.len();
        (answered && line.grade <= floor).then_some(line)
    }

    /// The best run of checks that wins some of these pieces, if it comes to more than `floor`. What mates whatever the
    /// answers threatens mate (24.2) and wins none of them: then some answer has to be left.
    pub fn wins_by_checks(&mut self, among: PieceSet, depth: u32, floor: Grade) -> Option<Line> {
        short_of_mate(among, &mut |aims| {
            self.aim(aims);
            self.by_checks(depth, Balance::EVEN, floor)
        })
    }

    /// What of these pieces falls by such runs, one or another.
    pub fn what_falls(&mut self, among: PieceSet, depth: u32, floor: Grade) -> PieceSet {
        self.every = true;
        let line = self.wins_by_checks(among, depth, floor);
        self.every = false;
        line.map_or(PieceSet::EMPTY, |line| line.victims)
    }

    /// The best check of the taker, if it leads to more than `floor`.
    pub(super) fn check(
        &mut self,
        position: &mut Position,
        depth: u32,
        balance: Balance,
        mut floor: Grade,
    ) -> Option<Line> {
        if !self.budget.take() {
            return None;
        }
        let mut checks = MoveList::new();
        checking_moves_but_for(position, self.aside(self.taker), &mut checks);
        let mut best = None;
        for &mv in &*checks {
            if self.was_there(mv)
                || !self.may_make(position, mv)
                || self.takes_shielded(position, mv)
            {
                continue;
            }
            let mut run = Run {
                depth,
                balance,
                credit: Balance::EVEN,
            };
            let takes = position.id_at(mv.to).filter(|_| {
                self.may_take_in_checks(position, mv) && !self.is_ward_let_go(position, mv)
            });
            let fruits = self.fruits;
            if let Some(target) = takes {
                let won = material(target, mv.to);
                if self.aims.leave(target, self.path.is_empty()) {
                    continue;
                }
                if self.aims.contain(target) {
                    self.fruits = fruits.with(target);
                    // That it could be taken all along shows in the comparison with what was there before.
                    run.balance = balance.plus(won);
                } else {
                    // What is asked about is won by the checks; what else they take only pays for them.
                    run.credit = won;
                }
            }
            let undo = position.make(mv);
            // A check that needs another piece behind is not given by one alone.
            let by_others = self
                .alone
                .is_some_and(|alone| !position.checkers().without(alone).is_empty());
            let helped = self.is_helped(position, takes, mv.to);
            self.path.push(mv);
            let mut line = if by_others || helped {
                None
            } else {
                self.after_check(position, run, floor)
            };
            // An answer that gives check may win back what has just taken.
            if let (Some(won), Some(_)) = (line, takes) {
                let at = self.at(Some(mv.to), run.balance);
                line = self
                    .taken_by_checks(position, mv.to, at)
                    .filter(|left| left.grade < won.grade)
                    .map_or(Some(won), |left| (left.grade > floor).then_some(left));
            }
            self.path.pop();
            self.fruits = fruits;
            position.unmake(undo);
            self.keep(&mut best, line, &mut floor);
        }
        best
    }

    /// Whether a run would begin with a check that led to the same position before the move.
    fn was_there(&mut self, check: Move) -> bool {
        let was_there = self.path.is_empty()
            && self.moved.is_some_and(|(moved, before)| {
                check.from == moved.to && before.is_legal(Move::new(moved.from, check.to))
            });
        if was_there {
            self.passed_over = Some(check);
        }
        was_there
    }

    /// Keeps a line that comes to more than the floor, which it raises unless every such line is looked at.
    fn keep(&self, best: &mut Option<Line>, line: Option<Line>, floor: &mut Grade) {
        let Some(mut line) = line.filter(|line| line.grade > *floor) else {
            return;
        };
        if !self.every {
            *floor = line.grade;
        } else if let Some(known) = *best {
            let victims = known.victims.or(line.victims);
            if known.grade >= line.grade {
                line = known;
            }
            line.victims = victims;
        }
        *best = Some(line);
    }

    /// What the taker gets by its check, if that is more than `floor`: short of mate, if that is asked, not whatever the answer.
    fn after_check(&mut self, position: &mut Position, run: Run, mut floor: Grade) -> Option<Line> {
        let Aims::Short(among) = self.aims else {
            return self.whatever_is_answered(position, run, floor);
        };
        self.aims = Aims::Among(among);
        let least = self.whatever_is_answered(position, run, floor);
        self.aims = Aims::Short(among);
        let least = least?;
        if least.end != End::Mates {
            return Some(least);
        }
        let mut best: Option<Line> = None;
        let mut answers = Answers::of(position);
        while let Some(answer) = answers.next(position) {
            if !self.takes_shielded(position, answer) {
                let line = self.left_by(position, run, floor, answer);
                self.keep(&mut best, line, &mut floor);
            }
        }
        best
    }

    /// The least the taker gets after any answer to its check, if that is more than `floor`.
    fn whatever_is_answered(
        &mut self,
        position: &mut Position,
        run: Run,
        floor: Grade,
    ) -> Option<Line> {
        let at = run.depth as usize;
        let known = match self.spoilers.of(position, at) {
            Some(mv) if !self.takes_shielded(position, mv) => {
                Some((mv, self.left_by(position, run, floor, mv)?))
            }
            _ => None,
        };
        let mut answers = Answers::of(position);
        let mut mates = true;
        let mut tried = Followed::default();
        while let Some(answer) = answers.next(position) {
            mates = false;
            if !self.takes_shielded(position, answer) {
                let likely = Likely::of(position, answer, tried.len());
                if run.depth <= 1 || !tried.follow(position, PieceSet::EMPTY, likely) {
                    put_into(&mut tried.answers, likely);
                }
            }
        }
        let mut least = Least::new();
        let mut victims = PieceSet::EMPTY;
        let mut certain = (Grade::BEST, PieceSet::EMPTY);
        for Likely { place, answer, .. } in tried.answers {
            let line = match known {
                Some((mv, line)) if mv == answer => Some(line),
                _ => self.left_by(position, run, floor, answer),
            };
            let Some(line) = line else {
                self.spoilers.note(at, answer);
                return None;
            };
            victims = victims.or(line.victims);
            match line.grade.cmp(&certain.0) {
                Ordering::Less => certain = (line.grade, line.certain),
                Ordering::Equal => certain.1 = certain.1.and(line.certain),
                Ordering::Greater => {}
            }
            least.keep(line.grade, place, line);
        }
        let least = least.get().map(|mut line| {
            line.victims = victims;
            line.certain = certain.1;
            line
        });
        least.or_else(|| {
            let line = self.unanswered(position, mates, run.balance, 0);
            (line.grade > floor).then_some(line)
        })
    }

    /// What the taker gets after one answer to its check, if that is more than `floor`.
    fn left_by(
        &mut self,
        position: &mut Position,
        run: Run,
        floor: Grade,
        answer: Move,
    ) -> Option<Line> {
        let target = position.id_at(answer.to);
        let price = target.filter(|&id| !self.takes_passer_by(position, id, answer));
        let left = run.less(price.map_or(Balance::EVEN, |id| material(id, answer.to)));
        let undo = position.make(answer);
        self.path.push(answer);
        let line = self.fruit(position, run.depth, left, floor, target.map(|_| answer.to));
        self.path.pop();
        position.unmake(undo);
        line
    }

    /// Whether an answer takes such a piece where it hung all along.
    fn takes_passer_by(&mut self, position: &Position, taken: PieceId, answer: Move) -> bool {
        self.passer_by == Some(taken)
            && self.position.square_of(taken) == answer.to
            && self.cap(position.turn(), answer).is_some_and(|cap| cap > 0)
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
        if !self.is_careless() && !position.has_legal_move() {
            let mated = self.leaf(position, Balance::MATED, End::Mated, 0);
            self.keep(&mut best, Some(mated), &mut floor);
            return best;
        }
        let mut at = self.at(last, balance);
        if balance.grade(self.terms.scale()) > floor {
            at.least = floor.just_above();
            let stop = self.stop(position, at);
            self.keep(&mut best, Some(stop), &mut floor);
        }
        for mv in captures(position, self.is_careless()) {
            let Some(target) = position.id_at(mv.to) else {
                continue;
            };
            at.balance = balance.plus(material(target, mv.to));
            // Where it is no check the other side may leave it at that.
            let too_little = at.balance.grade(self.terms.scale()) <= floor;
            if !self.aims.contain(target)
                || (too_little && !gives_check(position, mv))
                || !self.may_make(position, mv)
                || self.takes_shielded(position, mv)
                || !self.may_take_in_checks(position, mv)
                || (self.is_careless() && !position.keeps_king_safe_but_for(mv, self.checked_by()))
                || !(Some(mv.to) == last || self.is_new_or_better(position, mv))
                || self.is_ward_let_go(position, mv)
            {
                continue;
            }
            at.last = Some(mv.to);
            at.answered = true;
            at.enough = floor.just_above();
            self.captor = position.id_at(mv.from);
            self.taken_at = self.path.len();
            let fruits = self.fruits;
            self.fruits = fruits.with(target);
            let undo = position.make(mv);
            if !self.is_helped(position, Some(target), mv.to) {
                self.path.push(mv);
                let line = self.reply(position, at, true);
                self.path.pop();
                self.keep(&mut best, Some(line), &mut floor);
            }
            position.unmake(undo);
            self.fruits = fruits;
            self.captor = None;
        }
        if depth > 1 {
            let line = self.check(position, depth - 1, balance, floor);
            self.keep(&mut best, line, &mut floor);
        }
        best
    }

    /// Whether a capture is of what a piece was the root of before it took, where that does not count against it
    /// (细则 4): it stands where it stood, and with that piece back the capture would win less, or could not be made although
    /// it is guarded.
    fn is_ward_let_go(&self, position: &mut Position, mv: Move) -> bool {
        let Some((captor, home)) = self.let_go else {
            return false;
        };
        let victim = position.id_at(mv.to);
        let stands = victim == self.position.id_at(mv.to) && victim != Some(captor);
        if !stands || !position.is_alive(captor) {
            return false;
        }
        if !position.is_empty(home) {
            // Where the run has come to its square, what it guarded before it took tells.
            let then = self.since.as_ref().zip(position.id_at(mv.from));
            return then.is_some_and(|(since, taker)| since.is_guard(captor, taker, mv.to));
        }
        let now = exchange(position, mv, None).number();
        let back = position.make(Move::new(position.square_of(captor), home));
        position.pass();
        let guarded = if position.is_legal(mv) {
            exchange(position, mv, None).number() < now && is_root(position, mv, None, captor)
        } else {
            position.bears(home, mv.to)
        };
        position.pass();
        position.unmake(back);
        guarded
    }

    /// Whether a piece guards what stands on a square against another one, where that can take there, or else at all.
    fn is_guard(&self, guard: PieceId, taker: PieceId, at: Square) -> bool {
        let mut position = self.position_for(taker.side());
        let take = Move::new(position.square_of(taker), at);
        if position.is_pseudo_legal(take) {
            is_root(&mut position, take, None, guard)
        } else {
            position.bears(position.square_of(guard), at)
        }
    }

    /// Whether others of its side than the king keep a piece from taking one alone where it has come to (24.16): where it has taken
    /// a rook, only one that is a rook itself (26.9).
    fn is_helped(&self, come: &Position, target: Option<PieceId>, at: Square) -> bool {
        let rook = |id: PieceId| id.role() == Role::Rook;
        self.alone
            .is_some_and(|alone| rook(alone) || !target.is_some_and(rook))
            && come.bearing_on(at, come.turn()).any(|root| {
                let take = Move::new(come.square_of(root), at);
                !come.is_legal(take) && is_barred(come, take)
            })
    }

    /// Whether a capture within a run of checks counts: kings' and pawns' where they take back, as any root does, otherwise kings'
    /// never, pawns' by the book.
    fn may_take_in_checks(&self, position: &mut Position, mv: Move) -> bool {
        let Some(captor) = position.id_at(mv.from) else {
            return false;
        };
        // What a capture costs is lost to whatever takes it.
        if self.is_beside() {
            return true;
        }
        match captor.role() {
            Role::King | Role::Pawn if self.takes_back(mv) => true,
            Role::King => false,
            Role::Pawn => match self.terms.pawn_in_checks {
                PawnCapture::Never => false,
                PawnCapture::LeaningOnOthers if self.others_have_checked(captor) => true,
                PawnCapture::UncoveringCheck | PawnCapture::LeaningOnOthers => {
                    uncovers_check(position, mv)
                }
            },
            Role::Advisor | Role::Elephant | Role::Horse | Role::Rook | Role::Cannon => true,
        }
    }

    /// Whether a capture takes what has just taken another piece than a pawn in answer to a check.
    fn takes_back(&self, mv: Move) -> bool {
        let Some((answer, before)) = self.path.split_last() else {
            return false;
        };
        answer.to == mv.to && {
            let mut position = self.position.clone();
            for &mv in before {
                position.make(mv);
            }
            let taken = position.id_at(answer.to);
            taken.is_some_and(|id| id.role() != Role::Pawn)
        }
    }

    /// Whether another piece than this one gave one of the checks so far: what it takes then it does not
    /// take by itself.
    fn others_have_checked(&self, captor: PieceId) -> bool {
        let mut position = self.position.clone();
        self.path.iter().enumerate().any(|(ply, &mv)| {
            position.make(mv);
            ply % 2 == 0 && !position.checkers().without(captor).is_empty()
        })
    }
}

/// What a run wins of these pieces; one that does not mate whatever the answers, where the best does.
pub(super) fn short_of_mate(
    these: PieceSet,
    run: &mut dyn FnMut(Aims) -> Option<Line>,
) -> Option<Line> {
    let line = run(Aims::Among(these))?;
    if line.end == End::Mates {
        run(Aims::Short(these))
    } else {
        Some(line)
    }
}

/// Where a run of checks stands.
#[derive(Clone, Copy)]
struct Run {
    /// Checks still to come, this one included.
    depth: u32,
    /// What has been won and lost.
    balance: Balance,
    /// What the check took, where that only pays for it.
    credit: Balance,
}

impl Run {
    /// The balance less what an answer takes.
    fn less(self, given: Balance) -> Balance {
        let price = given.minus(self.credit);
        if self.credit == Balance::EVEN || price.number() > 0 {
            self.balance.minus(price)
        } else {
            self.balance
        }
    }
}

/// Whether a move lets another piece of its side give check.
pub fn uncovers_check(position: &mut Position, mv: Move) -> bool {
    let undo = position.make(mv);
    let others = position.checkers();
    let uncovered = position
        .id_at(mv.to)
        .is_some_and(|moved| !others.without(moved).is_empty());
    position.unmake(undo);
    uncovered
}

pub(super) fn gives_check(position: &mut Position, mv: Move) -> bool {
    let undo = position.make(mv);
    let check = position.in_check();
    position.unmake(undo);
    check
}
