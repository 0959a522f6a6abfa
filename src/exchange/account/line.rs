//! Lines of captures: both sides take what is related, or stop.

use super::by_checks::gives_check;
use super::{Account, Aims, Before, Looks, Prefer, Takes, captures, exchange, is_root};
use crate::board::{Move, MoveList, PieceId, PieceSet, Position, Role, Square};
use crate::definitions::Definitions;
use crate::exchange::value::{Balance, Floating, Grade, material, worth};

/// A rook's worth.
const ROOK: i32 = 20;

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
    /// More is taken than lost; or a piece is, and a pawn falls after it.
    Gain,
    /// As much is taken as lost, and the piece that took first survives.
    EvenTrade,
    /// Pawns are won for pieces, or pieces for pawns, which cannot be told apart in worth; the piece
    /// that took first survives, and what is lost falls only because that piece left: a pawn that it
    /// guarded or covered, a horse or a cannon that it guarded.
    LetGo,
}

impl Win {
    /// Whether having been able to win so before covers winning so now: a gain covers anything,
    /// what is level all that is level.
    pub fn covers(self, now: Self) -> bool {
        self == Self::Gain || now != Self::Gain
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
    /// Whether that is a rook, not one exchanged for another on the way.
    pub wins_a_rook: bool,
    /// What the taker wins by a run of checks, after one answer or another.
    pub victims: PieceSet,
    /// What of it falls whichever of the answers that cost least is given.
    pub certain: PieceSet,
    len: u8,
    moves: [Move; 24],
}

impl Line {
    /// The same without what leads back to a position it has come by before.
    #[must_use]
    pub fn without_loops(self, start: &Position) -> Self {
        // It takes two moves of each side to come back.
        if self.len < 4 {
            return self;
        }
        let mut position = start.clone();
        let mut stood = vec![position.packed()];
        let mut moves: Vec<Move> = Vec::with_capacity(usize::from(self.len));
        for &mv in self.moves() {
            position.make(mv);
            moves.push(mv);
            let now = position.packed();
            if let Some(place) = stood.iter().position(|&then| then == now) {
                stood.truncate(place + 1);
                moves.truncate(place);
            } else {
                stood.push(now);
            }
        }
        let mut line = Self {
            len: u8::try_from(moves.len()).unwrap_or(self.len),
            ..self
        };
        for (slot, mv) in line.moves.iter_mut().zip(&moves) {
            *slot = *mv;
        }
        line
    }

    /// Whether what is won is worth more than what is lost: not only where what is lost is no price of it.
    pub const fn is_worth_more(&self, definitions: &Definitions) -> bool {
        self.balance.grade(definitions.scale()).is_gain()
    }

    /// The mark that as much passes.
    pub fn as_much(&self, definitions: &Definitions) -> Grade {
        let mark = self.grade.just_below();
        if self.win == Some(Win::Gain) {
            mark.min(self.balance.as_much(definitions))
        } else {
            mark
        }
    }

    /// The same, beginning with another move.
    #[must_use]
    pub fn beginning_with(mut self, mv: Move) -> Self {
        self.moves[0] = mv;
        self
    }

    /// The moves, the first capture first.
    pub fn moves(&self) -> &[Move] {
        self.moves.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// Where a line of captures stands.
#[derive(Clone, Copy)]
pub(super) struct At {
    /// The square of the last capture.
    pub(super) last: Option<Square>,
    /// Plies still looked at.
    pub(super) depth: u32,
    /// What the taker has won so far.
    pub(super) balance: Balance,
    /// The dearest piece it has won after the first, retakes apart.
    pub(super) dearest: i32,
    /// A result that makes the exact value useless: for a reply anything below it, for the taker
    /// anything above it.
    pub(super) enough: Grade,
    /// For the taker: its result need be exact only from here on.
    pub(super) least: Grade,
    /// Whether the taker has just answered a check: it stopped, and what hung all along is another matter.
    pub(super) answered: bool,
}

/// What an answer leaves the taker.
#[derive(Clone, Copy)]
struct Answered {
    line: Line,
    /// Whether it takes something that counts.
    takes: bool,
}

impl At {
    const fn deeper(mut self, last: Option<Square>) -> Self {
        self.last = last;
        self.depth = self.depth.saturating_sub(1);
        self.answered = false;
        self
    }

    /// Where what refuted such a line is kept.
    fn kept_at(&self) -> usize {
        let after_capture = usize::from(self.last.is_some());
        2 * self.depth as usize + after_capture
    }
}

impl Account<'_> {
    /// Where a line stands that has the whole depth before it.
    pub(super) const fn at(&self, last: Option<Square>, balance: Balance) -> At {
        At {
            last,
            depth: self.terms.definitions.exchange_depth,
            balance,
            dearest: 0,
            enough: Grade::WORST,
            least: Grade::WORST,
            answered: false,
        }
    }

    /// Begins a line with a capture: what that wins.
    fn begin(&mut self, position: &mut Position, mv: Move) -> Balance {
        self.captor = position.id_at(mv.from);
        self.first = Some(mv);
        self.taken_at = 0;
        // What a run of checks was to win before is nothing to this.
        self.aims = Aims::ALL;
        self.path.clear();
        let won = worth(position, mv.to);
        self.path.push(mv);
        position.make(mv);
        won
    }

    /// What taking with `mv` brings, both sides playing the exchange as well as they can.
    pub fn line(&mut self, mv: Move) -> Line {
        self.line_from(mv, Grade::WORST)
    }

    /// Whether taking with `mv` wins something.
    pub fn wins(&mut self, mv: Move) -> bool {
        self.line_from(mv, Grade::EVEN_TRADE).win.is_some()
    }

    /// What taking with `mv` brings, where that comes to `least`; otherwise some line that does not.
    pub fn line_from(&mut self, mv: Move, least: Grade) -> Line {
        let mut position = self.position.clone();
        let balance = self.begin(&mut position, mv);
        let mut at = self.at(Some(mv.to), balance);
        at.enough = least;
        let line = self.reply(&mut position, at, true);
        self.path.clear();
        self.path.push(mv);
        let line = self.less_what_falls_elsewhere(&position, balance, line);
        self.path.clear();
        line
    }

    /// By what the taker comes out ahead after all where its capture is retaken: what the capture or the retake has opened,
    /// or another capture on the square; and the whole line.
    pub fn retaken(&mut self, capture: Move, retake: Move) -> Option<(Move, Line)> {
        let mut position = self.position.clone();
        let won = self.begin(&mut position, capture);
        let left = won.minus(worth(&position, retake.to));
        self.path.push(retake);
        position.make(retake);
        let mut at = self.at(Some(retake.to), left);
        at.enough = Grade::BEST;
        let stop = self.leaf(&position, left, End::Settled, 0);
        let best = self.best_capture(&mut position, at, stop);
        if best.grade.is_gain() {
            return best.moves().get(2).map(|&next| (next, best));
        }
        // That less falls elsewhere by checks leaves the guard the root that it is, unless there are fewer roots
        // than attackers (24.15).
        let again = captures(&mut position, false);
        let again = again.into_iter().filter(|mv| mv.to == retake.to).min()?;
        let line = self.with_what_falls_to_it(&mut position, at, best);
        line.grade.is_gain().then_some((again, line))
    }

    /// In what sense of the book a line wins something that is worth no more than what it costs: where the piece that took first
    /// survives (supplement 6 of 1999, 26.5, 26.6).
    fn evens_out(&mut self, balance: Balance, captor_lives: bool) -> Option<(Grade, Win)> {
        if !captor_lives {
            return None;
        }
        if balance == Balance::EVEN {
            return Some((Grade::EVEN_TRADE, Win::EvenTrade));
        }
        let floats = match balance.against_pawns(self.terms.scale())? {
            Floating::PawnsLost => self.ward_lost().is_some(),
            // What had no root in it is simply lost.
            Floating::PawnsWon => self.ward_lost().is_some_and(|(reply, lost)| {
                matches!(lost, Role::Horse | Role::Cannon) && self.had_root_or_hung(reply)
            }),
        };
        floats.then(|| (Grade::LET_GO.floating(balance), Win::LetGo))
    }

    /// Whether it matters how what is lost fell: what falls by checks elsewhere is no threat to be weighed.
    fn is_weighed(&self) -> bool {
        let falls = self.is_beside() && self.first.is_none();
        !falls && self.terms.even_trade_with_survival
    }

    /// Whether a strong piece is won, and pawns fall after it, as no price of it (26.6).
    fn pawns_are_no_price(&self, balance: Balance, captor_lives: bool) -> bool {
        self.terms.fallen_pawn_ignored
            && balance.against_pawns(self.terms.scale()) == Some(Floating::PawnsLost)
            && self.gives_no_pawn(captor_lives)
    }

    /// What the taker loses in the line so far: where in it, and what.
    fn losses(&self) -> Vec<(usize, PieceId)> {
        let mut position = self.position.clone();
        let mut losses = Vec::new();
        for (at, &mv) in self.path.iter().enumerate() {
            let lost = position.id_at(mv.to);
            let lost = lost.filter(|id| id.side() == self.taker);
            losses.extend(lost.map(|id| (at, id)));
            position.make(mv);
        }
        losses
    }

    /// Whether every pawn the line loses falls only after what is won was taken: none was the price of it. Where the piece that
    /// took first falls too, a pawn that takes and is taken back is exchanged; one that falls where it stood is not.
    fn gives_no_pawn(&self, captor_lives: bool) -> bool {
        let mut losses = self.losses().into_iter();
        losses.all(|(at, id)| {
            let fell_on = self.path.get(at).map(|mv| mv.to);
            let stood = fell_on == Some(self.position.square_of(id));
            id.role() != Role::Pawn || (at > self.taken_at && (captor_lives || stood))
        })
    }

    /// The only piece the line loses, where the taking piece guarded or covered it where it stood; and what took it, as if from
    /// where that stood.
    fn ward_lost(&mut self) -> Option<(Move, Role)> {
        let &[(at, lost)] = self.losses().as_slice() else {
            return None;
        };
        let reply = self.taken_first_by(at)?;
        let is_next = at == 1 || self.first.is_some();
        (is_next && self.was_let_go(reply)).then(|| (reply, lost.role()))
    }

    /// The capture at this place of the path as if made from where that piece stood, where only checks come between it and the
    /// first capture: that they take it nearer does not make it another.
    fn taken_first_by(&self, at: usize) -> Option<Move> {
        let mut position = self.position.clone();
        for (ply, &mv) in self.path.iter().take(at).enumerate() {
            if ply > 0 && !position.is_empty(mv.to) {
                return None;
            }
            position.make(mv);
        }
        let &reply = self.path.get(at)?;
        let by = position.id_at(reply.from)?;
        Some(Move::new(self.position.square_of(by), reply.to))
    }

    pub(super) fn leaf(
        &mut self,
        position: &Position,
        balance: Balance,
        end: End,
        dearest_later: i32,
    ) -> Line {
        let captor_lives = self.captor.is_some_and(|id| position.is_alive(id));
        let material = balance.grade(self.terms.scale());
        let weighed = end == End::Settled && self.captor.is_some() && self.is_weighed();
        let (grade, win) = if weighed && self.pawns_are_no_price(balance, captor_lives) {
            let fallen = balance.grade_but_for_pawns(self.terms.scale());
            (fallen, Some(Win::Gain))
        } else if material.is_gain() {
            (material, Some(Win::Gain))
        } else if weighed {
            // What the book counts as won stands above what it does not, so that both sides aim at
            // what decides.
            let even = self.evens_out(balance, captor_lives);
            even.map_or((material, None), |(grade, win)| (grade, Some(win)))
        } else {
            (material, None)
        };
        let mut moves = [Move::NONE; 24];
        for (slot, mv) in moves.iter_mut().zip(&self.path) {
            *slot = *mv;
        }
        // One that falls by checks after the first capture falls to it as well (26.9).
        let by_checks = self.prefers == Some(Prefer::Rook)
            && self.fruits.into_iter().any(|id| id.role() == Role::Rook);
        let dearest_later = if by_checks { ROOK } else { dearest_later };
        let wins_a_rook = dearest_later >= ROOK && balance.pieces() > 0 && {
            let rooks = |side| {
                let left = |position: &Position| position.pieces_like(side, Role::Rook).len();
                left(&self.position) - left(position)
            };
            rooks(self.taker.opponent()) > rooks(self.taker)
        };
        let mut line = Line {
            balance,
            grade,
            win,
            captor_lives,
            end,
            dearest_later,
            wins_a_rook,
            victims: self.fruits,
            certain: self.fruits,
            len: u8::try_from(self.path.len().min(24)).unwrap_or(24),
            moves,
        };
        let other = match self.prefers {
            Some(Prefer::Fall(id)) => position.is_alive(id),
            Some(Prefer::Rook) => !wins_a_rook,
            None => false,
        };
        if other {
            line.grade = grade.just_below();
        }
        if let Some((won, most)) = self.against
            && !self.aims.are_among()
            && won.minus(balance).grade(self.terms.scale()).is_gain()
        {
            line.grade = line.grade.min(most);
        }
        line
    }

    /// The other side answers the taker's last capture, choosing what leaves the taker least.
    pub(super) fn reply(&mut self, position: &mut Position, at: At, first: bool) -> Line {
        if !self.budget.take() {
            // Whatever is said now is not used: the question stays open.
            return self.leaf(position, at.balance, End::Settled, at.dearest);
        }
        let in_check = !self.is_pardoned() && position.in_check();
        let mut worst: Option<Line> = None;
        if !in_check {
            worst = Some(self.leaf(position, at.balance, End::Settled, at.dearest));
        }
        let mut moves = MoveList::new();
        if self.is_pardoned() {
            position.pseudo_captures_into(&mut moves);
        } else if in_check {
            position.legal_moves_into(&mut moves);
        } else {
            position.legal_captures_into(&mut moves);
        }
        // What refuted the line before mostly refutes this one; then nothing else need be looked at.
        let is_open = |worst: Option<Line>| worst.is_none_or(|worst| worst.grade >= at.enough);
        let refuter = self.refuters.noted(at.kept_at());
        let mut known = None;
        if is_open(worst) && moves.contains(&refuter) {
            let answered = self.answered(position, at, refuter, in_check, worst);
            if let Some(answered) = answered
                && answered.line.grade < at.enough
                && !self.is_void(position, refuter, answered, worst)
            {
                return lesser(worst, answered.line);
            }
            known = Some(answered);
        }
        for &mv in &*moves {
            if !is_open(worst) {
                break;
            }
            let answered = match known {
                Some(answered) if mv == refuter => answered,
                _ => self.answered(position, at, mv, in_check, worst),
            };
            let Some(answered) = answered else { continue };
            if self.is_void(position, mv, answered, worst) {
                continue;
            }
            if answered.line.grade < at.enough {
                self.refuters.note(at.kept_at(), mv);
            }
            worst = Some(lesser(worst, answered.line));
        }
        // Only after the first capture, and where it comes to something.
        let counts = |line: Line| {
            let asked = line.win.is_some() || at.enough > Grade::LEVEL;
            asked && line.grade >= at.enough
        };
        if let Some(last) = at.last
            && first
            && worst.is_some_and(counts)
            && let Some(line) = self.taken_by_checks(position, last, at)
        {
            worst = Some(lesser(worst, line));
        }
        worst.unwrap_or_else(|| self.unanswered(position, moves.is_empty(), at.balance, at.dearest))
    }

    /// What one answer leaves, if it counts, where so much is left by others: to a check any answer does.
    fn answered(
        &mut self,
        position: &mut Position,
        at: At,
        mv: Move,
        in_check: bool,
        worst: Option<Line>,
    ) -> Option<Answered> {
        let target = position.id_at(mv.to);
        let mut takes = false;
        if let Some(id) = target {
            if id.role() == Role::King || self.is_shielded(id, mv.to) {
                return None;
            }
            takes = Some(mv.to) == at.last
                || (at.depth > 0 && self.is_related_reply(position, at, mv, id));
        }
        if !takes && !in_check {
            return None;
        }
        let mut next = at.deeper(target.filter(|_| takes).map(|_| mv.to));
        // What leaves as much is not told instead, unless it costs the captor.
        next.enough = worst.map_or(Grade::BEST, |worst| {
            if worst.captor_lives {
                worst.grade
            } else {
                worst.grade.just_below()
            }
        });
        next.least = at.enough;
        let undo = position.make(mv);
        self.path.push(mv);
        let line = match target {
            Some(id) if takes => {
                next.balance = at.balance.minus(material(id, mv.to));
                self.resume(position, next)
            }
            _ => self.after_answer(position, next),
        };
        self.path.pop();
        position.unmake(undo);
        Some(Answered { line, takes })
    }

    /// Who takes and is mated thereby has no answer in it: who so retakes was no root.
    fn is_void(
        &mut self,
        position: &mut Position,
        mv: Move,
        answered: Answered,
        worst: Option<Line>,
    ) -> bool {
        answered.takes
            && worst.is_none_or(|worst| answered.line.grade < worst.grade)
            && self.is_mated_having_taken(position, mv)
    }

    /// A check that is not answered mates; where the only answers may not be used, it is no mate, and there it
    /// stops.
    pub(super) fn unanswered(
        &mut self,
        position: &Position,
        mates: bool,
        balance: Balance,
        dearest_later: i32,
    ) -> Line {
        let (balance, end) = if mates && !matches!(self.aims, Aims::Short(_)) {
            (Balance::MATING, End::Mates)
        } else {
            (balance, End::Settled)
        };
        self.leaf(position, balance, end, dearest_later)
    }

    /// What is left of a line when the piece that has just taken on `square` is won back by checks. Where
    /// it gave check, the first of them is the answer.
    pub(super) fn taken_by_checks(
        &mut self,
        position: &mut Position,
        square: Square,
        at: At,
    ) -> Option<Line> {
        let back = self
            .won_back_for_good(position, square)
            .filter(|back| self.mates_refute || !back.mates)?;
        let (balance, end) = if back.mates {
            (Balance::MATED, End::Mated)
        } else {
            (at.balance.minus(back.balance), End::WonBack)
        };
        let taken = self.path.len();
        self.path.extend_from_slice(&back.line);
        let mut left = position.clone();
        if let Some(lost) = left.id_at(square) {
            left.lift(lost);
        }
        let mut line = self.leaf(&left, balance, end, at.dearest);
        line.captor_lives = false;
        self.path.truncate(taken);
        Some(line)
    }

    fn is_related_reply(
        &mut self,
        position: &mut Position,
        at: At,
        mv: Move,
        target: PieceId,
    ) -> bool {
        if self.before == Before::Dodge(target) && mv.to == self.position.square_of(target) {
            return true;
        }
        let ignored = self.ignores_loss() && self.takes_for_itself();
        self.is_new_or_better(position, mv)
            && !(at.answered && self.hung_as_much(position, mv))
            && !(ignored && self.was_ward(mv))
    }

    /// Whether the piece that took is the one asked about: not one that takes later, nor what it is weighed against. When
    /// its wards fall makes no difference.
    fn takes_for_itself(&self) -> bool {
        let asked = |mv: Move| self.captor == self.position.id_at(mv.from);
        !self.is_beside() && self.first.is_none_or(asked)
    }

    /// Whether what a reply takes was guarded by the piece that took, before that let go of it: as
    /// an open or hidden root, or as one that works through checks.
    fn was_ward(&mut self, reply: Move) -> bool {
        let cap = self.cap_by_roots(self.taker.opponent(), reply);
        self.was_let_go(reply) && self.was_root(reply, cap)
    }

    /// Whether what a reply takes falls as the piece that took lets go of it as its root, whoever might have taken it, or hung
    /// anyhow.
    fn had_root_or_hung(&mut self, reply: Move) -> bool {
        let enemy = self.taker.opponent();
        let by = self.position.bearing_on(reply.to, enemy).into_iter();
        let takes = by.map(|id| Move::new(self.position.square_of(id), reply.to));
        let takes: Vec<Move> = takes.chain([reply]).collect();
        takes
            .into_iter()
            .any(|take| self.was_ward(take) || self.cap(enemy, take).is_some_and(|cap| cap > 0))
    }

    /// Whether the piece that took was a root of what a reply takes, whoever might have taken it: one that only stood in somebody's
    /// way, or was a screen for another root, was none. `cap` is what the reply was worth, if it was there: a king could not
    /// take what is guarded.
    fn was_root(&mut self, reply: Move, cap: Option<i32>) -> bool {
        let enemy = self.taker.opponent();
        if cap.is_some() && self.known(enemy, reply).see != cap {
            // Through checks.
            return true;
        }
        let Some(captor) = self.captor else {
            return false;
        };
        let (careless, mut position) = (self.careless_at_first(), self.position_for(enemy));
        !position.is_empty(reply.to)
            && position.bearing_on(reply.to, enemy).any(|id| {
                let take = Move::new(position.square_of(id), reply.to);
                // A king may not take what is guarded; what is tied could not take either.
                (take == reply || careless == Some(enemy) || position.keeps_king_safe(take))
                    && is_root(&mut position, take, careless, captor)
            })
    }

    /// Whether what a reply takes falls because the piece that took has left its square, where it was
    /// its root, its cover, or in the taker's way: there the reply would have been worth more
    /// without that piece.
    fn was_let_go(&mut self, reply: Move) -> bool {
        let Some(captor) = self.captor else {
            return false;
        };
        let enemy = self.taker.opponent();
        // What lost anyway may have lost more: that guarded nothing.
        let with = self.cap_by_roots(enemy, reply).unwrap_or_default().max(-1);
        let mut position = self.position.clone();
        position.lift(captor);
        let mut without = Self::new(self.terms, &position);
        without.careless = self.careless.or(without.careless);
        let more = without.cap_by_roots(enemy, reply).map_or_else(
            // Where the piece shielded the enemy king, that king is left out of account.
            || {
                position.pass();
                position.is_pseudo_legal(reply)
                    && exchange(&mut position, reply, Some(enemy)).number() > with
            },
            |cap| cap > with,
        );
        self.budget.absorb(without.budget);
        more
    }

    /// The taker goes on after the other side's capture, or stops.
    fn resume(&mut self, position: &mut Position, mut at: At) -> Line {
        let checked = !self.is_careless() && position.in_check();
        if checked && !position.has_legal_move() {
            return self.leaf(position, Balance::MATED, End::Mated, at.dearest);
        }
        let stop = self.stop_having_lost(position, at, checked);
        if self.is_retaken_at(at) {
            // Whether it wins nothing otherwise decides what it makes of it.
            at.least = Grade::WORST;
        }
        let line = self.best_capture(position, at, stop);
        self.with_what_falls_to_it(position, at, line)
    }

    /// The taker's best further capture, where it is better than `stop`.
    pub(super) fn best_capture(&mut self, position: &mut Position, at: At, stop: Line) -> Line {
        if !self.budget.take() {
            return stop;
        }
        let mut best = stop;
        let origin = self.first.map(|mv| mv.to);
        for mv in captures(position, self.is_careless()) {
            if best.grade > at.enough {
                break;
            }
            let (Some(captor), Some(target)) = (position.id_at(mv.from), position.id_at(mv.to))
            else {
                continue;
            };
            if !self.may_make(position, mv) {
                continue;
            }
            let on_last = Some(mv.to) == at.last;
            // A king or a pawn that retakes is a root like any other; it opens nothing new.
            let own = captor.is_king_or_pawn();
            if own && self.takes != Takes::Back && !on_last && Some(mv.to) != origin {
                continue;
            }
            // Nor is what a run of checks leaves apart picked up where one has been answered without taking anything.
            let apart = at.last.is_none() && self.aims.leave(target, false);
            if !on_last && (apart || at.depth == 0 || !self.is_new_or_better(position, mv)) {
                continue;
            }
            let won = material(target, mv.to);
            let mut next = at.deeper(Some(mv.to));
            next.balance = at.balance.plus(won);
            if !on_last {
                next.dearest = at.dearest.max(won.number());
            }
            next.enough = best.grade.max(at.least);
            let undo = position.make(mv);
            self.path.push(mv);
            let line = self.reply(position, next, false);
            self.path.pop();
            position.unmake(undo);
            // Neither the capture asked about nor one that comes after it may let the taker be mated (29.4).
            if line.grade >= at.least
                && (line.grade, line.dearest_later) > (best.grade, best.dearest_later)
                && !(self.mates_refute && self.is_mated_after(position, mv))
            {
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

    /// Whether the piece about to move still stands where it stood, and can be taken there.
    fn hangs(&self, position: &Position, dodger: PieceId) -> bool {
        let home = self.position.square_of(dodger);
        let enemy = self.taker.opponent();
        position.id_at(home) == Some(dodger)
            && dodger.role() != Role::King
            && !position.bearing_on(home, enemy).is_empty()
    }

    /// The taker takes nothing more. Where the piece about to move hangs, that costs it a move:
    /// the best it can make, after which the other side takes what is related.
    pub(super) fn stop(&mut self, position: &mut Position, at: At) -> Line {
        let stop = self.leaf(position, at.balance, End::Settled, at.dearest);
        let Before::Dodge(dodger) = self.before else {
            return stop;
        };
        if at.depth == 0 || !self.hangs(position, dodger) {
            return stop;
        }
        self.having_moved(position, at, (stop, Some(dodger)))
    }

    /// The same where the other side has just taken: a check has to be answered first.
    fn stop_having_lost(&mut self, position: &mut Position, at: At, checked: bool) -> Line {
        let stop = self.leaf(position, at.balance, End::Settled, at.dearest);
        if at.depth == 0 || !checked || self.looks == Looks::Apart {
            return stop;
        }
        self.having_moved(position, at, (stop, None))
    }

    /// What is left where the taker may not stop for nothing: it saves this piece, or answers a check, and the other side
    /// takes what is related.
    fn having_moved(
        &mut self,
        position: &mut Position,
        at: At,
        (stop, hangs): (Line, Option<PieceId>),
    ) -> Line {
        let mut moves = MoveList::new();
        if self.is_careless() {
            position.pseudo_moves_into(&mut moves);
        } else {
            position.legal_moves_into(&mut moves);
        }
        // First what saved it last, then the piece in danger, which saves itself most often. Checks come last: those have to
        // be answered, and any move that saves it will do.
        let (home, first) = (hangs.map(|id| position.square_of(id)), self.saver);
        let mut moves: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| hangs.is_none() || position.is_empty(mv.to))
            .collect();
        moves.sort_by_cached_key(|&mv| {
            (
                mv != first,
                gives_check(position, mv),
                Some(mv.from) != home,
            )
        });
        let mut saved: Option<Line> = None;
        for mv in moves {
            let mut next = at;
            next.last = None;
            next.answered = hangs.is_none();
            next.enough = saved.map_or(at.least, |saved| at.least.max(saved.grade.just_above()));
            let undo = position.make(mv);
            self.path.push(mv);
            let line = self.reply(position, next, false);
            self.path.pop();
            position.unmake(undo);
            // Nothing can be better than losing nothing: a move that saves a piece wins nothing by it.
            if line.grade >= stop.grade {
                self.saver = mv;
                return stop;
            }
            if saved.is_none_or(|best| line.grade > best.grade) {
                saved = Some(line);
            }
        }
        saved.unwrap_or(stop)
    }
}

/// The line that leaves the taker less; where they are equal, the one that costs the captor.
pub(super) fn lesser(known: Option<Line>, line: Line) -> Line {
    let left = |line: &Line| (line.grade, line.captor_lives);
    known
        .filter(|known| left(known) <= left(&line))
        .unwrap_or(line)
}
