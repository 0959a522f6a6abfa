//! Roots that work through checks: what is won back on a square.

use super::{Account, Aims, Before, End, exchange};
use crate::board::{Answers, Move, MoveList, Packed, PieceSet, Position, Side, Square, Table};
use crate::exchange::checks::{Followed, Least, Likely, checks_of, mates_aside, mates_sooner};
use crate::exchange::value::{Balance, Grade, material, worth};

/// So many checks are tried before as many as the book looks at.
const TRIED_FIRST: u32 = 2;

/// What costs more is mated.
const MATED: i32 = -500;

/// How many answers are kept; beyond them they are worked out again.
const MOST_KNOWN: usize = 1 << 16;

impl Account<'_> {
    /// The value of a capture where the other side may also win back on its square by checks: it
    /// retakes at once, which `see` reckons with, or by checks, whichever brings it more.
    pub(super) fn less_what_is_won_back(
        &mut self,
        position: &mut Position,
        mv: Move,
        see: i32,
        left: Left,
    ) -> i32 {
        // What loses anyway needs no refutation.
        if see < 0 {
            return see;
        }
        let won = won_by(position, mv);
        let quest = Quest {
            left,
            ..self.quest(mv.to, won - see)
        };
        self.won_back_after_taking(position, mv, quest)
            .map_or(see, |back| won - back.number)
    }

    /// What a capture was worth for all that its roots do: a mate that threatened anyhow is nobody's root (24.17), and what is
    /// won back otherwise tells.
    pub(super) fn cap_by_roots(&mut self, side: Side, mv: Move) -> Option<i32> {
        let cap = self.cap(side, mv)?;
        let mut position = self.position_for(side);
        if cap > MATED || self.is_mated_having_taken(&mut position, mv) {
            return Some(cap);
        }
        let see = self.known(side, mv).see?;
        let most = Left {
            mates: 0,
            ..self.checks_back()
        };
        Some(self.less_what_is_won_back(&mut position, mv, see, most))
    }

    /// Whether a capture is worth more than `mark`, and the other side does not win back so much by checks that
    /// it is not.
    pub(super) fn is_worth_more(
        &mut self,
        position: &mut Position,
        mv: Move,
        see: i32,
        mark: i32,
    ) -> bool {
        let floor = won_by(position, mv) - mark - 1;
        let quest = self.quest(mv.to, floor);
        see > mark && self.won_back_after_taking(position, mv, quest).is_none()
    }

    /// What is won back by checks after a capture.
    fn won_back_after_taking(
        &mut self,
        position: &mut Position,
        mv: Move,
        quest: Quest,
    ) -> Option<Back> {
        let undo = position.make(mv);
        let back = self.won_by_checks(position, quest);
        position.unmake(undo);
        back
    }

    /// What the side to move wins back on a square for good by consecutive checks, whatever the answers: what the retake lets go
    /// of elsewhere is taken off. A root that thereby loses as much is none (24.17), whether it retakes at once or by checks.
    pub(super) fn won_back_for_good(
        &mut self,
        position: &mut Position,
        square: Square,
    ) -> Option<Back> {
        // Most is not won back at all.
        let quest = self.quest(square, 0);
        let back = self.won_by_checks(position, quest)?;
        if back.mates {
            return Some(back);
        }
        let for_good = Some(Balance::EVEN);
        self.won_by_checks(position, Quest { for_good, ..quest })
    }

    /// More than `floor` is to be won back on a square by as many checks as the book looks at.
    const fn quest(&self, square: Square, floor: i32) -> Quest {
        Quest {
            square,
            left: self.checks_back(),
            floor,
            for_good: None,
        }
    }

    /// How many checks may win back: none where a king is left out.
    pub(super) const fn checks_back(&self) -> Left {
        let definitions = self.terms.definitions;
        if self.careless.is_some() {
            return Left { roots: 0, mates: 0 };
        }
        Left {
            roots: definitions.check_root_depth,
            mates: definitions.mate_after_capture_depth,
        }
    }

    /// A few checks are looked at before more: mostly those are enough, and where they are not, that is known
    /// already where a longer run comes by the same positions again.
    fn won_by_checks(&mut self, position: &mut Position, quest: Quest) -> Option<Back> {
        let most = quest.left;
        if most.checks() == 0 {
            return None;
        }
        let few = Some(most.at_most(TRIED_FIRST)).filter(|few| *few != most);
        let mut best: Option<Back> = None;
        for left in few.into_iter().chain([most]) {
            let floor = best.as_ref().map_or(quest.floor, |best| best.number);
            let quest = Quest {
                left,
                floor,
                ..quest
            };
            best = self.won_within(position, quest, None).or(best);
            if best.as_ref().is_some_and(|best| best.mates) {
                break;
            }
        }
        best
    }

    /// The same with no more checks than are left.
    fn won_within(
        &mut self,
        position: &mut Position,
        quest: Quest,
        checks: Option<&[Move]>,
    ) -> Option<Back> {
        let asked = Asked::of(position, quest);
        let told = |backs: &mut Backs| backs.get(&asked).ok_or(())?.told(quest);
        let apart = self.is_apart() || quest.for_good.is_some();
        if !apart && let Ok(back) = self.terms.work.backs(told) {
            return back;
        }
        if quest.for_good.is_some() && self.fails_anyhow(asked, quest) {
            return None;
        }
        if let Ok(back) = told(&mut self.own.backs) {
            self.own.leans = true;
            return back;
        }
        if !self.budget.take() {
            return None;
        }
        let leant = std::mem::replace(&mut self.own.leans, apart);
        let mut room = MoveList::new();
        let checks = checks_of(position, PieceSet::EMPTY, checks, &mut room);
        let back = self.best_back(position, quest, checks);
        if !self.budget.is_spent() {
            let keep = |backs: &mut Backs| {
                if backs.len() < MOST_KNOWN {
                    backs.entry(asked).or_default().keep(quest, back.as_ref());
                }
            };
            if self.own.leans {
                keep(&mut self.own.backs);
            } else {
                self.terms.work.backs(keep);
            }
        }
        self.own.leans |= leant;
        back
    }

    /// Whether it is known that so much is not won back even where nothing is taken off.
    fn fails_anyhow(&mut self, asked: Asked, quest: Quest) -> bool {
        let for_good = None;
        let plain = Asked { for_good, ..asked };
        let fails = |backs: &mut Backs| backs.get(&plain).is_some_and(|found| found.fails(quest));
        fails(&mut self.own.backs) || (!self.is_apart() && self.terms.work.backs(fails))
    }

    /// Whether some moves count otherwise than for other accounts.
    fn is_apart(&self) -> bool {
        !self.bans.is_empty() || matches!(self.before, Before::Shield(_))
    }

    /// What the best check wins back.
    fn best_back(
        &mut self,
        position: &mut Position,
        quest: Quest,
        checks: &[Move],
    ) -> Option<Back> {
        let mut best: Option<Back> = None;
        for &mv in checks {
            // A check that takes on the square itself wins nothing back by what follows; it may mate.
            let left = if mv.to == quest.square {
                quest.left.only_mates()
            } else {
                quest.left
            };
            if left.checks() == 0 || self.takes_shielded(position, mv) {
                continue;
            }
            let target = position.id_at(mv.to);
            let floor = best.as_ref().map_or(quest.floor, |best| best.number);
            let step = Step {
                quest: Quest {
                    left,
                    floor,
                    ..quest
                },
                taken: target.map_or(Balance::EVEN, |id| material(id, mv.to)),
            };
            let undo = position.make(mv);
            let back = self.won_back_after(position, step, mv.to);
            position.unmake(undo);
            let Some(mut back) = back else { continue };
            back.line.insert(0, mv);
            let enough = back.mates;
            best = Some(back);
            if enough {
                break;
            }
        }
        best
    }

    /// The least of what every answer to a check by a move to `at` leaves to be won back, if that is
    /// more than the floor.
    fn won_back_after(&mut self, position: &mut Position, step: Step, at: Square) -> Option<Back> {
        let spoiler = self.spoilers_on.of(position, at.index());
        let known = match spoiler.filter(|&mv| self.may_answer(position, mv)) {
            Some(mv) => Some((mv, self.won_back_from(position, step, mv, None)?)),
            None => None,
        };
        let mut least = Least::new();
        let mut mates = true;
        // What leaves no further check mostly refutes this one.
        let mut later = Followed::default();
        // After the last check none is further: they need not be counted.
        let ends = step.quest.left.is_last();
        let none = (!ends).then_some(&[] as &[Move]);
        let mut answers = Answers::of(position);
        for place in 0.. {
            let Some(answer) = answers.next(position) else {
                break;
            };
            mates = false;
            if !self.may_answer(position, answer) {
                continue;
            }
            if let Some((_, back)) = known.as_ref().filter(|known| known.0 == answer) {
                least.keep(back.number, place, back.clone());
                continue;
            }
            let likely = Likely::of(position, answer, place);
            if !ends && later.follow(position, PieceSet::EMPTY, likely) {
                continue;
            }
            let back = self.left_by_answer(position, step, at, answer, none)?;
            least.keep(back.number, place, back);
        }
        if mates && step.quest.left.mates > 0 {
            return Some(Back {
                number: 1000,
                balance: Balance::MATING,
                mates,
                line: Vec::new(),
            });
        }
        for likely in &later.answers {
            let checks = Some(later.checks(likely));
            let back = self.left_by_answer(position, step, at, likely.answer, checks)?;
            least.keep(back.number, likely.place, back);
        }
        least.get()
    }

    /// What one answer leaves; one that leaves too little is tried first where the next check comes to `at`.
    fn left_by_answer(
        &mut self,
        position: &mut Position,
        step: Step,
        at: Square,
        answer: Move,
        checks: Option<&[Move]>,
    ) -> Option<Back> {
        let back = self.won_back_from(position, step, answer, checks);
        if back.is_none() {
            self.spoilers_on.note(at.index(), answer);
        }
        back
    }

    /// Whether the answer to a check is looked at.
    fn may_answer(&self, position: &Position, answer: Move) -> bool {
        !self.takes_shielded(position, answer) && !self.bans.forbid(position, answer)
    }

    /// What an answer to a check leaves to be won back, if that is more than the floor.
    fn won_back_from(
        &mut self,
        position: &mut Position,
        step: Step,
        answer: Move,
        checks: Option<&[Move]>,
    ) -> Option<Back> {
        // A root that works through checks pays for them: what the answer takes, less what the
        // check took. What a check takes is no profit of its own.
        let given = position
            .id_at(answer.to)
            .map_or(Balance::EVEN, |id| material(id, answer.to));
        let cost = given.minus(step.taken);
        let price = cost.number().max(0);
        let undo = position.make(answer);
        let Quest { left, floor, .. } = step.quest;
        let paid = |paid: Balance| {
            if cost.number() < 0 {
                paid.minus(cost)
            } else {
                paid
            }
        };
        let quest = Quest {
            floor: floor + price,
            for_good: step.quest.for_good.map(paid),
            ..step.quest
        };
        let mut back = if left.roots > 0 {
            self.retake(position, quest)
        } else {
            None
        };
        if !left.is_last() {
            let more = |back: &Back| quest.floor.max(back.number);
            let further = Quest {
                left: left.less_one(),
                floor: back.as_ref().map_or(quest.floor, more),
                ..quest
            };
            back = self.won_within(position, further, checks).or(back);
        }
        position.unmake(undo);
        let mut back = back.filter(|back| back.mates || back.number - price > floor)?;
        if !back.mates && price > 0 {
            back.number -= price;
            back.balance = back.balance.minus(cost);
        }
        back.line.insert(0, answer);
        Some(back)
    }
}

/// What is to be won back: more than `floor` on a square.
#[derive(Clone, Copy)]
struct Quest {
    square: Square,
    left: Left,
    floor: i32,
    /// What the retake lets go of is taken off, less this, which the checks have taken for nothing.
    for_good: Option<Balance>,
}

/// How many checks may be given yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    /// After so many the square may be retaken.
    roots: u32,
    /// So many may mate.
    mates: u32,
}

impl Left {
    fn checks(self) -> u32 {
        self.roots.max(self.mates)
    }

    fn is_last(self) -> bool {
        self.checks() <= 1
    }

    fn at_most(self, checks: u32) -> Self {
        Self {
            roots: self.roots.min(checks),
            mates: self.mates.min(checks),
        }
    }

    const fn only_mates(self) -> Self {
        Self { roots: 0, ..self }
    }

    const fn less_one(self) -> Self {
        Self {
            roots: self.roots.saturating_sub(1),
            mates: self.mates.saturating_sub(1),
        }
    }

    /// Whether another allows all that this does.
    const fn is_within(self, other: Self) -> bool {
        self.roots <= other.roots && self.mates <= other.mates
    }
}

/// A check on the way.
#[derive(Clone, Copy)]
struct Step {
    quest: Quest,
    /// What the check took.
    taken: Balance,
}

/// What was found out about what is won back by checks. It depends on nothing but what is asked, unless some moves
/// count otherwise for an account or it matters what threatens in its position anyhow.
pub(in crate::exchange) type Backs = Table<Asked, Found>;

/// What of it holds for one account alone.
#[derive(Debug, Default)]
pub(super) struct Own {
    backs: Backs,
    /// Whether what has just been found out does.
    leans: bool,
}

/// What is asked of a position within a run of checks; mostly several orders of them lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::exchange) struct Asked {
    /// Which of two like pieces stands where counts as well: it may be part of the answer.
    position: Packed,
    square: Square,
    for_good: Option<Balance>,
}

impl Asked {
    fn of(position: &Position, quest: Quest) -> Self {
        Self {
            position: position.packed(),
            square: quest.square,
            for_good: quest.for_good,
        }
    }
}

/// What was found out about that.
#[derive(Debug, Default)]
pub(in crate::exchange) struct Found {
    /// With so many checks left no more than so much is won.
    fails: Option<(Left, i32)>,
    /// With so many, this is the most.
    most: Option<(Left, Back)>,
}

impl Found {
    /// Whether it is known that this fails: with fewer checks, or for more, it does all the more.
    fn fails(&self, quest: Quest) -> bool {
        self.fails
            .is_some_and(|(left, floor)| quest.left.is_within(left) && floor <= quest.floor)
    }

    /// What is known of a quest; an error where nothing is.
    fn told(&self, quest: Quest) -> Result<Option<Back>, ()> {
        if self.fails(quest) {
            return Ok(None);
        }
        match &self.most {
            Some((known, back)) if *known == quest.left => {
                Ok(Some(back.clone()).filter(|back| back.number > quest.floor))
            }
            _ => Err(()),
        }
    }

    fn keep(&mut self, quest: Quest, back: Option<&Back>) {
        match back {
            Some(back) => self.most = Some((quest.left, back.clone())),
            None => self.fails = Some((quest.left, quest.floor)),
        }
    }
}

/// A piece won back by checks.
#[derive(Clone, Debug)]
pub(in crate::exchange) struct Back {
    pub(super) number: i32,
    pub(super) balance: Balance,
    pub(super) mates: bool,
    pub(super) line: Vec<Move>,
}

/// What a capture takes.
fn won_by(position: &Position, mv: Move) -> i32 {
    worth(position, mv.to).number()
}

impl Account<'_> {
    /// The best capture on the square for the side to move, if it gains more than the floor.
    fn retake(&mut self, position: &mut Position, quest: Quest) -> Option<Back> {
        let Quest { square, floor, .. } = quest;
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
            let mark = best.as_ref().map_or(floor.max(0), |best| best.number);
            let mut balance = exchange(position, mv, None);
            if balance.number() <= mark || self.is_mated_having_taken(position, mv) {
                continue;
            }
            let mut line = vec![mv];
            if let Some(paid) = quest.for_good {
                let (kept, taken) = self.kept_by_taking(position, mv, paid);
                if kept.number() < balance.number() {
                    (balance, line) = (kept, taken);
                }
            }
            let number = balance.number();
            if number > mark {
                best = Some(Back {
                    number,
                    balance,
                    mates: false,
                    line,
                });
            }
        }
        best
    }

    /// What a retake wins, less what is then taken on its square and of what it has let go of, where that is more than
    /// is paid for; and the moves.
    fn kept_by_taking(
        &mut self,
        position: &mut Position,
        mv: Move,
        paid: Balance,
    ) -> (Balance, Vec<Move>) {
        let won = worth(position, mv.to);
        // Whatever led here: what took first, and what was to be won, is of no account in what comes of it.
        let path = std::mem::replace(&mut self.path, vec![mv]);
        let before = (self.captor.take(), self.first.take(), self.against.take());
        let aims = std::mem::replace(&mut self.aims, Aims::ALL);
        let undo = position.make(mv);
        let mut at = self.at(Some(mv.to), Balance::EVEN.minus(paid));
        at.enough = Grade::BEST;
        let stop = self.leaf(position, at.balance, End::Settled, 0);
        let taken = self.best_capture(position, at, stop);
        position.unmake(undo);
        (self.captor, self.first, self.against) = before;
        self.aims = aims;
        self.path = path;
        if taken.grade.is_gain() {
            (won.minus(taken.balance), taken.moves().to_vec())
        } else {
            (won, vec![mv])
        }
    }

    /// Whether whoever takes with `mv` is mated thereby, by an unbroken run of checks that did not threaten
    /// anyhow: such a piece is no root.
    pub(super) fn is_mated_having_taken(&mut self, position: &mut Position, mv: Move) -> bool {
        let mater = position.turn().opponent();
        let falls = self.is_mated_after(position, mv);
        // What threatens anyhow hangs on the position looked at.
        self.own.leans |= falls;
        falls && (!self.mates_anyhow(mater) || self.is_mated_sooner(position, mv))
    }

    /// Whether that takes fewer checks than it would have taken anyhow: then it is another mate.
    fn is_mated_sooner(&mut self, position: &mut Position, mv: Move) -> bool {
        let mater = position.turn().opponent();
        let mut anyhow = self.position_for(mater);
        let most = (self.mate_depth(mater), self.aside(mater));
        let mut budget = self.terms.kill_budget();
        let undo = position.make(mv);
        let sooner = mates_sooner(position, &mut anyhow, most, &mut budget);
        position.unmake(undo);
        self.budget.absorb(budget);
        sooner
    }

    /// Whether whoever takes with `mv` is mated by an unbroken run of checks, be it one that threatened anyhow.
    pub(super) fn is_mated_after(&mut self, position: &mut Position, mv: Move) -> bool {
        let undo = position.make(mv);
        let falls = self.mates_by_checks(position);
        position.unmake(undo);
        falls
    }

    /// Whether the side to move mates by as many checks as the book looks at after a capture.
    fn mates_by_checks(&mut self, position: &mut Position) -> bool {
        let mater = position.turn();
        let depth = self.mate_depth(mater);
        let mut budget = self.terms.kill_budget();
        let found = depth > 0 && mates_aside(position, depth, self.aside(mater), &mut budget);
        self.budget.absorb(budget);
        found
    }

    /// Whether a side so mates in the position looked at, were it to move.
    pub(super) fn mates_anyhow(&mut self, mater: Side) -> bool {
        self.mates_by_checks(&mut self.position_for(mater))
    }
}
