//! What a capture costs or brings elsewhere, by runs of checks that it has made possible.

use super::by_checks::short_of_mate;
use super::line::{At, lesser};
use super::{Account, Aims, Before, End, Line, Looks, Prefer};
use crate::board::{Move, PieceSet, Position, Role, Side};
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
        // Be the captor won back or not: it is for the other side to choose.
        let asked = line.win.is_some() && matches!(line.end, End::Settled | End::WonBack);
        if !asked || !self.looks_elsewhere() || taken.in_check() {
            return line;
        }
        let side = self.taker.opponent();
        let mut other = self.beside(taken);
        other.since = Some(Box::new(self.beside(&self.position)));
        // What the captor was the root of does not count where roots may take.
        other.let_go = self
            .captor
            .filter(|_| self.ignores_loss())
            .map(|id| (id, self.position.square_of(id)));
        let gain = (Balance::EVEN, Grade::NO_GAIN);
        let less = self.less_what_falls(&mut other, taken, won, line, gain);
        // What costs the taker less than the line does is not taken.
        let mut left = less.map_or(line, |less| lesser(Some(line), less));
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
        let net = |lost: &Line| won.minus(lost.balance.minus(start));
        // Whatever the taker answers, it need not go on to where it is left no gain.
        other.against = Some((won.plus(start), floor));
        let lost = self.newly_won(
            (side, depth),
            (start, floor),
            &mut |_, aims, (start, floor)| {
                other.aim(aims);
                other.by_checks(depth, start, floor)
            },
        );
        let mut least: Option<Line> = None;
        for (lost, anyhow) in lost {
            // As much may be lost as won; what took first need not be among it, unless it can be for as much.
            let falls = self.captor.is_some_and(|id| lost.certain.contains(id));
            let net = net(&lost);
            let mut left = self.less(taken, line, lost, (net, !falls));
            if left.win.is_some() {
                other.prefers = self.captor.map(Prefer::Fall);
                other.aim(Aims::Apart(anyhow));
                let prey = other.by_checks(depth, start, lost.grade.just_below());
                other.prefers = None;
                if let Some(prey) = prey {
                    left = self.less(taken, line, prey, (net, false));
                }
            }
            least = Some(lesser(least, left));
        }
        least
    }

    /// What is left of a line where a run of checks takes this elsewhere, and whether what took first lives.
    fn less(
        &mut self,
        taken: &Position,
        line: Line,
        lost: Line,
        (net, lives): (Balance, bool),
    ) -> Line {
        let taken_at = self.path.len();
        self.path.extend_from_slice(lost.moves());
        // Who takes elsewhere does not win back what took first.
        let end = if lives { End::Settled } else { End::WonBack };
        let mut left = self.leaf(taken, net, end, line.dearest_later);
        left.captor_lives = lives && (line.captor_lives || line.end == End::WonBack);
        self.path.truncate(taken_at);
        left
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
            || self.is_pardoned()
            || !self.may_look_elsewhere()
            || self.is_checked(position)
        {
            return line;
        }
        let (side, depth) = (self.taker, self.terms.let_go_check_depth);
        let (captor, fruits, aims) = (self.captor, self.fruits, self.aims);
        let taken_at = self.taken_at;
        let from = (at.balance, Grade::NO_GAIN);
        let won = self.newly_won((side, depth), from, &mut |now, aims, (start, floor)| {
            (now.aims, now.fruits) = (aims, PieceSet::EMPTY);
            now.check(position, depth, start, floor)
        });
        let mut best = line;
        if let Some((won, _)) = won.into_iter().max_by_key(|(won, _)| won.grade) {
            best = won;
            (best.captor_lives, best.victims) = (false, fruits);
        }
        (self.captor, self.fruits, self.aims) = (captor, fruits, aims);
        self.taken_at = taken_at;
        best
    }

    /// Whether a capture lets the other side come out ahead by so many checks, given this to begin with: not by what it could have
    /// won anyhow, what has just taken apart.
    pub fn lets_win_by_checks(&mut self, take: Move, depth: u32, given: Balance) -> bool {
        let after = self.position.after(take);
        let mut other = Account::new(self.terms, &after).answering();
        let captor = after.id_at(take.to);
        let from = (given, Grade::NO_GAIN);
        let mut wins = other.by_checks(depth, given, from.1).is_some();
        if wins && !self.position.in_check() {
            let side = self.taker.opponent();
            // What is given counts in the comparison, too: a run that stood may have cost that very piece.
            let won = self.newly_won((side, depth), from, &mut |_, aims, (_, floor)| {
                other.aim(match (aims, captor) {
                    (Aims::Apart(anyhow), Some(captor)) => Aims::Apart(anyhow.without(captor)),
                    _ => aims,
                });
                other.by_checks(depth, given, floor)
            });
            wins = !won.is_empty();
        }
        self.budget.absorb(other.budget);
        wins
    }

    /// Whether the first capture has just been retaken.
    pub(super) fn is_retaken_at(&self, at: At) -> bool {
        self.path.len() == 2 && at.last == self.path.first().map(|mv| mv.to)
    }

    /// Whether what captures cost elsewhere is looked at: of a king left out of account nothing is asked.
    const fn looks_elsewhere(&self) -> bool {
        self.careless.is_none() && self.may_look_elsewhere()
    }

    const fn may_look_elsewhere(&self) -> bool {
        self.terms.definitions.let_go_check_depth > 0 && !self.is_beside()
    }

    /// Whether the taker, to move, stands in a check that is not left out of account.
    fn is_checked(&self, position: &Position) -> bool {
        let aside = self.aside(self.taker);
        !position.checkers().minus(aside).is_empty()
    }

    /// The account of a position by which this one is compared, for the side to move there.
    fn beside(&self, position: &Position) -> Self {
        let mut other = Account::new(self.terms, position);
        other.looks = Looks::Beside;
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

    /// What a side wins by runs of checks, more than a floor from a start on, of what it could not have won in the position
    /// looked at as well, by so many checks; and what it could. Where one of several falls by the answer, as it could before, each of them
    /// may still fall otherwise: there are as many runs then.
    fn newly_won(
        &mut self,
        (side, depth): (Side, u32),
        from: (Balance, Grade),
        run: RunOf<'_, Self>,
    ) -> Vec<(Line, PieceSet)> {
        let mut found = Vec::new();
        // What took falls to a root of its victim whether or not it hung before.
        let hung = self.takeable_by(side);
        let mut open = vec![self.captor.map_or(hung, |captor| hung.without(captor))];
        let mut asked = Vec::new();
        while let Some(anyhow) = open.pop() {
            // The same pieces may be left out in another order.
            if asked.contains(&anyhow) {
                continue;
            }
            asked.push(anyhow);
            // Mates are looked for apart.
            let won = run(self, Aims::Apart(anyhow), from);
            let Some(won) = won.filter(|won| won.end != End::Mates) else {
                continue;
            };
            let Anyhow { each, one_of } = self.won_anyhow((side, depth), won.victims, from.1, run);
            let more = each.minus(anyhow);
            if !more.is_empty() {
                open.push(anyhow.or(more));
            } else if one_of.minus(anyhow).is_empty() {
                found.push((won, anyhow));
            } else {
                let without = one_of.minus(anyhow).map(|id| anyhow.with(id));
                open.extend(without);
            }
        }
        found
    }

    /// Those of the pieces that a side could win by checks in the position looked at, and come to more than `floor`, as
    /// much as it wins of them by its run now: what cost more then is another matter (29.2, 26.4).
    fn won_anyhow(
        &mut self,
        (side, depth): (Side, u32),
        among: PieceSet,
        floor: Grade,
        run: RunOf<'_, Self>,
    ) -> Anyhow {
        let mut position = self.position.clone();
        let mut own = if side == self.taker {
            let mut own = self.beside(&position).banning(self.bans.clone());
            own.before = self.before;
            own.alone = self.alone;
            own
        } else if let Some(stood) = self.stood.filter(|_| position.in_check()) {
            // Where a king stands in check any move would be one.
            self.beside(stood)
        } else {
            position.pass();
            self.beside(&position)
        };
        // Whether they bring no more now than they could then.
        let mut stood = |account: &mut Self, these: PieceSet, then: Line| {
            let more = (Balance::EVEN, then.grade);
            short_of_mate(these, &mut |aims| run(account, aims, more)).is_none()
        };
        let all = own.wins_by_checks(among, depth, floor);
        let (mut each, mut left) = (PieceSet::EMPTY, among);
        // Each by itself, since one may only have paid for another; then what falls one or the other.
        if all.is_some() && among.len() > 1 {
            for id in among {
                let alone = PieceSet::EMPTY.with(id);
                let Some(then) = own.wins_by_checks(alone, depth, floor) else {
                    continue;
                };
                left = left.without(id);
                if stood(self, alone, then) {
                    each = each.with(id);
                }
            }
        }
        let then = if left == among {
            all
        } else if left.is_empty() {
            None
        } else {
            own.wins_by_checks(left, depth, floor)
        };
        let mut one_of = PieceSet::EMPTY;
        if then.is_some_and(|then| stood(self, left, then)) {
            if left.len() == 1 {
                each = each.or(left);
            } else {
                one_of = left;
            }
        }
        self.budget.absorb(own.budget);
        Anyhow { each, one_of }
    }
}

/// A run of checks with these aims, from a start on, that comes to more than a floor.
type RunOf<'r, A> = &'r mut dyn FnMut(&mut A, Aims, (Balance, Grade)) -> Option<Line>;

/// What could have been won as well.
struct Anyhow {
    /// Whatever the answers.
    each: PieceSet,
    /// One or another of them.
    one_of: PieceSet,
}
