//! What a capture costs or brings elsewhere, by runs of checks that it has made possible.

use super::line::At;
use super::{Account, Aims, Before, End, Line};
use crate::board::{PieceSet, Position, Role, Side};
use crate::exchange::value::{Balance, Grade, material};

impl Account<'_> {
    /// What is left of a capture that wins something where the other side, by a run of checks, takes elsewhere
    /// what it could not have before: what the captor guarded, covered or kept from being taken where it stood.
    /// `won` is the balance with the capture, the last move of the path.
    pub(super) fn less_what_falls_elsewhere(
        &mut self,
        taken: &Position,
        won: Balance,
        line: Line,
    ) -> Line {
        let asked = line.win.is_some() && line.end == End::Settled;
        if !asked || !self.looks_elsewhere() || taken.in_check() {
            return line;
        }
        let side = self.taker.opponent();
        let mut other = self.beside(taken);
        other.since = Some(Box::new(self.beside(&self.position)));
        // What the captor was the root of does not count where roots may take.
        other.let_go = self
            .captor
            .filter(|_| self.terms.root_ignore_loss)
            .map(|id| (id, self.position.square_of(id)));
        let gain = (Balance::EVEN, Grade::NO_GAIN);
        let less = self.less_what_falls(&mut other, taken, won, line, gain);
        let mut left = less.unwrap_or(line);
        // Pieces for pawns are no gain to the other side, nor do they leave one to the taker (25.3, 26.6); to who mates anyhow
        // they are less than that.
        let mut pawns = taken.pieces_like(side, Role::Pawn);
        let mut crossed = || pawns.any(|id| material(id, taken.square_of(id)) != Balance::EVEN);
        if left.win.is_some() && crossed() && !self.mates_anyhow(side) {
            let for_pawns = (Balance::EVEN.minus(won), Grade::LEVEL);
            if let Some(less) = self.less_what_falls(&mut other, taken, won, left, for_pawns) {
                left = less;
                (left.grade, left.win) = (less.balance.grade(self.terms.scale()), None);
            }
        }
        self.budget.absorb(other.budget);
        if let Some(since) = other.since {
            self.budget.absorb(since.budget);
        }
        left
    }

    /// The same by what wins more than `floor`, reckoned from `start` on, where that is something.
    fn less_what_falls(
        &mut self,
        other: &mut Account<'_>,
        taken: &Position,
        won: Balance,
        line: Line,
        (start, floor): (Balance, Grade),
    ) -> Option<Line> {
        let (side, depth) = (self.taker.opponent(), self.terms.let_go_check_depth);
        let mut anyhow = self.takeable_by(side);
        loop {
            other.aim(Aims::Apart(anyhow));
            let lost = other.by_checks(depth, start, floor)?;
            let net = won.minus(lost.balance.minus(start));
            // Mates are looked for apart.
            if lost.end == End::Mates || net.grade(self.terms.scale()).is_gain() {
                return None;
            }
            let more = self.won_anyhow(side, lost.victims, floor).minus(anyhow);
            if !more.is_empty() {
                anyhow = anyhow.or(more);
                continue;
            }
            let taken_at = self.path.len();
            self.path.extend_from_slice(lost.moves());
            // As much may be lost as won; what took first need not be among it.
            let lives = !self.captor.is_some_and(|id| lost.certain.contains(id));
            let end = if lives { line.end } else { End::WonBack };
            let mut left = self.leaf(taken, net, end, line.dearest_later);
            left.captor_lives = line.captor_lives && lives;
            self.path.truncate(taken_at);
            return Some(left);
        }
    }

    /// What the taker makes of it where its first capture has been retaken and it goes on by checks: a root that
    /// retakes and loses as much by it is a false one (24.17).
    pub(super) fn with_what_falls_to_it(
        &mut self,
        position: &mut Position,
        at: At,
        line: Line,
    ) -> Line {
        if line.grade > at.enough
            || !self.is_retaken_at(at)
            || line.win.is_some()
            || !self.looks_elsewhere()
            || position.in_check()
        {
            return line;
        }
        let (side, depth) = (self.taker, self.terms.let_go_check_depth);
        let (captor, fruits, aims) = (self.captor, self.fruits, self.aims);
        let taken_at = self.taken_at;
        let mut anyhow = self.takeable_by(side);
        let mut best = line;
        loop {
            self.aims = Aims::Apart(anyhow);
            self.fruits = PieceSet::EMPTY;
            let Some(won) = self.check(position, depth, at.balance, Grade::NO_GAIN) else {
                break;
            };
            if won.end == End::Mates {
                break;
            }
            let more = self
                .won_anyhow(side, won.victims, Grade::NO_GAIN)
                .minus(anyhow);
            if more.is_empty() {
                best = won;
                (best.captor_lives, best.victims) = (false, fruits);
                break;
            }
            anyhow = anyhow.or(more);
        }
        (self.captor, self.fruits, self.aims) = (captor, fruits, aims);
        self.taken_at = taken_at;
        best
    }

    /// Whether the first capture has just been retaken.
    pub(super) fn is_retaken_at(&self, at: At) -> bool {
        self.path.len() == 2 && at.last == self.path.first().map(|mv| mv.to)
    }

    /// Whether what captures cost and bring elsewhere is looked at.
    const fn looks_elsewhere(&self) -> bool {
        self.terms.definitions.let_go_check_depth > 0 && self.careless.is_none() && !self.beside
    }

    /// The account of a position by which this one is compared, for the side to move there.
    fn beside(&self, position: &Position) -> Self {
        let mut other = Account::new(self.terms, position);
        other.beside = true;
        if let Before::Shield(_) = self.before {
            other.before = self.before;
        }
        other
    }

    /// The pieces that a side could take at once in the position looked at, and win something.
    fn takeable_by(&mut self, side: Side) -> PieceSet {
        let mut found = PieceSet::EMPTY;
        for take in self.captures_by(side) {
            if let Some(victim) = self.position.id_at(take.to)
                && self.cap(side, take).is_some_and(|cap| cap > 0)
            {
                found = found.with(victim);
            }
        }
        found
    }

    /// Those of the pieces that a side could win by checks in the position looked at, and come to more than `floor`.
    fn won_anyhow(&mut self, side: Side, among: PieceSet, floor: Grade) -> PieceSet {
        let mut position = self.position.clone();
        let mut own = if side == self.taker {
            let mut own = self.beside(&position).banning(self.bans.clone());
            own.before = self.before;
            own.alone = self.alone;
            own
        } else {
            position.pass();
            self.beside(&position)
        };
        let mut found = PieceSet::EMPTY;
        loop {
            let depth = self.terms.let_go_check_depth;
            let won = own.wins_by_checks(among.minus(found), depth, floor);
            let more = won.map_or(PieceSet::EMPTY, |won| won.victims.minus(found));
            if more.is_empty() {
                break;
            }
            found = found.or(more);
        }
        self.budget.absorb(own.budget);
        found
    }
}
