//! Mates within so many checks, and roots that work through checks: what is won back on a square (24.15, 24.17).

use super::frame::{End, Frame, FrameKey, Leaf, Mates, Question, is_banned};
use super::gains::beside;
use super::guide::{Checks, Rules};
use super::line::Walk;
use super::material::{Balance, GAIN, exchange, worth};
use crate::board::{Move, PieceId, PieceSet, Position, Role, Side, Square};
use std::rc::Rc;

/// Winning back more than a floor on a square by consecutive checks, the next one the so-manieth.
#[derive(Clone, Copy)]
struct Hunt<'f> {
    frame: &'f Rc<Frame>,
    square: Square,
    nth: u32,
    floor: i32,
    /// What the retake lets go of elsewhere is taken off, less this, which the checks have taken for nothing: who thereby
    /// loses as much is no root.
    for_good: Option<Balance>,
    /// After so many checks the square may be retaken: none any more once a check has taken on it, which may mate.
    roots: u32,
}

/// What costs more is mated.
const MATED: i32 = -500;

impl Rules<'_> {
    fn hunt<'f>(&self, frame: &'f Rc<Frame>, square: Square, floor: i32) -> Hunt<'f> {
        Hunt {
            frame,
            square,
            nth: 1,
            floor,
            for_good: None,
            roots: self.root_depth(frame),
        }
    }

    pub fn frame(&mut self, key: FrameKey) -> Rc<Frame> {
        if let Some(known) = self.frames.get(&key) {
            return Rc::clone(known);
        }
        let base = key.base.position();
        let frame = Rc::new(Frame {
            number: self.frames.len(),
            taker: base.turn(),
            base,
            key: key.clone(),
        });
        self.frames.insert(key, Rc::clone(&frame));
        frame
    }

    pub fn root_depth(&self, frame: &Frame) -> u32 {
        if frame.key.careless {
            0
        } else {
            self.definitions.check_root_depth
        }
    }

    /// Within how many checks a mate by this side makes a capture void. Where the taker's king is left out of account the check
    /// that stands is, and nothing else; of the other side's mates that king knows nothing.
    fn mate_depth(&self, frame: &Frame, mater: Side) -> u32 {
        if frame.key.careless && mater != frame.taker {
            0
        } else {
            self.definitions.mate_after_capture_depth
        }
    }

    /// How many checks may mate where something is won back: none where a king is left out.
    fn mates_back(&self, frame: &Frame) -> u32 {
        if frame.key.careless || frame.key.mates == Mates::WinNothing {
            0
        } else {
            self.definitions.mate_after_capture_depth
        }
    }

    /// The side to move mates within so many consecutive checks, though these pieces check it.
    pub fn mates_within(&mut self, position: &mut Position, depth: u32, aside: PieceSet) -> bool {
        if depth == 0 {
            return false;
        }
        let Checks { number, moves } = self.checks_aside(position, aside);
        if moves.is_empty() {
            return false;
        }
        let question = Question::Mates(number, depth);
        let answer = self.lemma(question, &mut |rules| {
            let after = |rules: &mut Self, position: &mut Position, answer: Move| {
                // A king that is left out of account is not taken.
                let takes_king = position.id_at(answer.to).map(PieceId::role) == Some(Role::King);
                let mates = takes_king
                    || position.having(answer, |at| rules.mates_within(at, depth - 1, aside));
                mates.then_some(())
            };
            rules.any(&moves, |rules, check| {
                let mates = |at: &mut Position| rules.whatever_is_answered(at, after, |()| {});
                position.having(check, mates).then(Leaf::default)
            })
        });
        answer.is_some()
    }

    /// The side to move so mates as the book looks at it after a capture.
    fn mates_by_checks(&mut self, frame: &Frame, position: &mut Position) -> bool {
        let mater = position.turn();
        let depth = self.mate_depth(frame, mater);
        self.mates_within(position, depth, frame.aside(mater))
    }

    /// Whoever takes with this is mated by checks that did not threaten anyhow: such a piece is no root (24.17).
    pub fn is_mated_having_taken(
        &mut self,
        frame: &Frame,
        position: &mut Position,
        mv: Move,
    ) -> bool {
        let mater = position.turn().opponent();
        self.is_mated_after(frame, position, mv)
            && (!self.mates_anyhow(frame, mater) || self.is_mated_sooner(frame, position, mv))
    }

    /// That takes fewer checks than it would have taken to begin with: it is another mate.
    fn is_mated_sooner(&mut self, frame: &Frame, position: &mut Position, mv: Move) -> bool {
        let mater = position.turn().opponent();
        let (mut anyhow, aside) = (frame.with(mater), frame.aside(mater));
        for depth in 1..self.mate_depth(frame, mater) {
            if self.mates_within(&mut anyhow, depth, aside) {
                return false;
            }
            if position.having(mv, |position| self.mates_within(position, depth, aside)) {
                return true;
            }
        }
        false
    }

    /// Whether a side so mates to begin with, were it to move.
    pub fn mates_anyhow(&mut self, frame: &Frame, mater: Side) -> bool {
        self.mates_by_checks(frame, &mut frame.with(mater))
    }

    /// Whoever takes with this is mated by checks, be it by some that threatened anyhow.
    pub fn is_mated_after(&mut self, frame: &Frame, position: &mut Position, mv: Move) -> bool {
        position.having(mv, |position| self.mates_by_checks(frame, position))
    }

    /// What a capture was worth to begin with, less what is won back on its square by checks.
    pub fn cap(&mut self, frame: &Rc<Frame>, side: Side, mv: Move) -> Option<i32> {
        let question = Question::Cap(frame.number, side, mv);
        let answer = self.lemma(question, &mut |rules| {
            let see = frame.see(side, mv)?;
            if frame.is_base_careless() || see < 0 {
                return Some(Leaf::of(see));
            }
            let mut position = frame.with(side);
            let won = worth(&position, mv.to).number();
            position.make(mv);
            let hunt = rules.hunt(frame, mv.to, won - see);
            let back = rules.most_back(&mut position, hunt);
            Some(Leaf::of(back.map_or(see, |back| won - back.grade)))
        });
        answer.map(|cap| cap.grade)
    }

    /// The same for all that its roots do: a mate that threatened anyhow is nobody's root (24.17), and what is won back otherwise
    /// tells.
    pub fn cap_by_roots(&mut self, frame: &Rc<Frame>, side: Side, mv: Move) -> Option<i32> {
        let cap = self.cap(frame, side, mv)?;
        if cap > MATED || self.is_mated_having_taken(frame, &mut frame.with(side), mv) {
            return Some(cap);
        }
        let mut key = frame.key.clone();
        key.mates = Mates::WinNothing;
        let frame = self.frame(key);
        self.cap(&frame, side, mv)
    }

    pub fn checks_back(&self, frame: &Frame) -> u32 {
        self.root_depth(frame).max(self.mates_back(frame))
    }

    /// The most that is won back on a square by checks, if it is more than the floor.
    fn most_back(&mut self, position: &mut Position, hunt: Hunt<'_>) -> Option<Leaf> {
        if self.checks_back(hunt.frame) == 0 {
            return None;
        }
        self.most(
            hunt.floor + 1,
            &mut |rules, least, _| {
                let floor = least - 1;
                rules.back(position, Hunt { floor, ..hunt })
            },
            Leaf::mates,
        )
    }

    /// The most that is won back so for good.
    pub fn most_back_for_good(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        square: Square,
    ) -> Option<Leaf> {
        let hunt = Hunt {
            for_good: Some(Balance::EVEN),
            ..self.hunt(frame, square, 0)
        };
        self.most_back(position, hunt)
    }

    /// The side to move wins back more than the floor on the square by consecutive checks.
    fn back(&mut self, position: &mut Position, hunt: Hunt<'_>) -> Option<Leaf> {
        let Checks { number, moves } = self.checks(position);
        let may_mate = hunt.nth <= self.mates_back(hunt.frame);
        let counts = |position: &Position, mv: Move| {
            (mv.to != hunt.square || may_mate) && !hunt.frame.takes_shielded(position, mv)
        };
        if !moves.iter().any(|&mv| counts(position, mv)) {
            return None;
        }
        let Hunt {
            frame,
            square,
            nth,
            floor,
            for_good,
            roots,
        } = hunt;
        let asked = (nth, floor, for_good, roots);
        let question = Question::Back(frame.number, number, square, asked);
        self.lemma(question, &mut |rules| {
            rules.any(&moves, |rules, mv| {
                let taken = worth(position, mv.to);
                let counts = counts(position, mv);
                let roots = if mv.to == square { 0 } else { roots };
                let hunt = Hunt { roots, ..hunt };
                let back = |position: &mut Position| rules.back_after(position, hunt, taken);
                counts.then(|| position.having(mv, back)).flatten()
            })
        })
    }

    fn back_after(
        &mut self,
        position: &mut Position,
        hunt: Hunt<'_>,
        taken: Balance,
    ) -> Option<Leaf> {
        let frame = hunt.frame;
        let mut least: Option<Leaf> = None;
        let after = |rules: &mut Self, position: &mut Position, answer| {
            if frame.takes_shielded(position, answer)
                || is_banned(&frame.key.bans, position, answer)
            {
                return Some(None);
            }
            let price = worth(position, answer.to).minus(taken);
            let back = |position: &mut Position| rules.back_from(position, hunt, price);
            position.having(answer, back).map(Some)
        };
        let keep = |back: Option<Leaf>| {
            let less = |back: &Leaf| least.is_none_or(|least| back.grade < least.grade);
            least = back.filter(less).or(least);
        };
        let stands = self.whatever_is_answered(position, after, keep);
        if stands
            && least.is_none()
            && hunt.nth <= self.mates_back(frame)
            && !position.has_legal_move()
        {
            return Some(Leaf {
                balance: Balance::MATING,
                end: End::Mates,
                ..Leaf::of(1000)
            });
        }
        least.filter(|_| stands)
    }

    fn back_from(
        &mut self,
        position: &mut Position,
        mut hunt: Hunt<'_>,
        price: Balance,
    ) -> Option<Leaf> {
        let cost = price.number().max(0);
        hunt.floor += cost;
        if price.number() < 0 {
            hunt.for_good = hunt.for_good.map(|paid| paid.minus(price));
        }
        let mut found = None;
        if hunt.nth <= hunt.roots {
            found = self.retake(position, hunt);
        }
        let most = hunt.roots.max(self.mates_back(hunt.frame));
        if found.is_none() && hunt.nth < most {
            hunt.nth += 1;
            found = self.back(position, hunt);
        }
        let mut back = found?;
        if !back.mates() && cost > 0 {
            back.grade -= cost;
            back.balance = back.balance.minus(price);
        }
        Some(back)
    }

    /// A capture on the square that gains more than the floor, by a piece that is not mated for it.
    fn retake(&mut self, position: &mut Position, hunt: Hunt<'_>) -> Option<Leaf> {
        let square = hunt.square;
        let target = position.id_at(square)?;
        if target.side() == position.turn() {
            return None;
        }
        let mut takes = Vec::new();
        for id in position.bearing_on(square, position.turn()) {
            let mv = Move::new(position.square_of(id), square);
            if position.keeps_king_safe(mv) {
                let balance = exchange(position, mv, None);
                if balance.number() > hunt.floor.max(0) {
                    takes.push((mv, balance));
                }
            }
        }
        self.any(&takes, |rules, (mv, mut balance)| {
            if rules.is_mated_having_taken(hunt.frame, position, mv) {
                return None;
            }
            if let Some(paid) = hunt.for_good {
                let kept = rules.kept_by_taking(hunt.frame, position, mv, paid);
                if kept.number() < balance.number() {
                    balance = kept;
                }
            }
            let number = balance.number();
            (number > hunt.floor.max(0)).then(|| Leaf {
                balance,
                ..Leaf::of(number)
            })
        })
    }

    /// What a retake wins, less what is then taken on its square and of what it has let go of, where that is more than
    /// is paid for.
    fn kept_by_taking(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        mv: Move,
        paid: Balance,
    ) -> Balance {
        let won = worth(position, mv.to);
        // What the run was held against is of no account here.
        let apart = frame.key.against.map(|_| {
            let key = frame.key.clone();
            self.frame(FrameKey {
                against: None,
                ..key
            })
        });
        let mut walk = Walk::from(apart.as_ref().unwrap_or(frame), position, mv);
        let at = self.at(Some(mv.to), Balance::EVEN.minus(paid));
        let taken = self.most(
            GAIN,
            &mut |rules, least, _| rules.best_capture(&mut walk, at, least),
            Leaf::mates,
        );
        taken.map_or(won, |taken| won.minus(taken.balance))
    }

    /// The line made this capture possible or better.
    pub fn is_new_or_better(&mut self, walk: &mut Walk, mv: Move) -> bool {
        let side = walk.position.turn();
        let answers = side != walk.frame.taker;
        let then = if answers && walk.frame.key.since.is_some() {
            mv
        } else {
            walk.frame.base.as_from_home(&walk.path, &walk.position, mv)
        };
        let frame = &self.compared(&walk.frame, answers);
        let position = &mut walk.position;
        let now = exchange(position, mv, frame.careless_side()).number();
        let won = worth(position, mv.to);
        if now < 0 || won == Balance::EVEN {
            return false;
        }
        // What was not there has to win something; an answer may come out even.
        let Some(cap) = self.cap(frame, side, then) else {
            return now > 0 || answers;
        };
        self.is_worth_more(frame, position, mv, cap)
    }

    /// What an answer takes could be taken where it stands for as much before the line, by whatever piece.
    pub fn hung_as_much(&mut self, frame: &Rc<Frame>, position: &mut Position, mv: Move) -> bool {
        let frame = &self.compared(frame, true);
        let (base, side) = (&frame.base, position.turn());
        let mut by = base.bearing_on(mv.to, side).into_iter();
        base.id_at(mv.to) == position.id_at(mv.to)
            && by.any(|captor| {
                let before = Move::new(base.square_of(captor), mv.to);
                let cap = self.cap(frame, side, before);
                cap.is_some_and(|cap| !self.is_worth_more(frame, position, mv, cap))
            })
    }

    /// What a capture of a line is compared with: where the line comes of a capture that is being weighed, answers are with
    /// what there was before that.
    fn compared(&mut self, frame: &Rc<Frame>, answers: bool) -> Rc<Frame> {
        let since = frame.key.since.filter(|_| answers);
        since.map_or_else(
            || Rc::clone(frame),
            |since| self.frame(beside(frame, &since.position())),
        )
    }

    /// A capture is worth more than another was.
    fn is_worth_more(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        mv: Move,
        cap: i32,
    ) -> bool {
        let mark = cap.max(-1);
        if exchange(position, mv, frame.careless_side()).number() <= mark {
            return false;
        }
        if self.checks_back(frame) == 0 {
            return true;
        }
        // Like is compared with like: roots through checks may hold it back now as well.
        let floor = worth(position, mv.to).number() - mark - 1;
        let hunt = self.hunt(frame, mv.to, floor);
        let back = position.having(mv, |position| self.back(position, hunt));
        back.is_none()
    }
}
