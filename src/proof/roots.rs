//! Mates within so many checks, and roots that work through checks: what is won back on a square (24.15, 24.17).

use super::frame::{Answer, Back, Frame, FrameKey, Question, is_banned, is_stuck};
use super::guide::{Checks, Rules};
use super::material::{Balance, exchange, worth};
use crate::board::{Move, Position, Side, Square};
use std::cell::RefCell;
use std::rc::Rc;

impl Rules<'_> {
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
            seen: RefCell::default(),
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

    pub fn mate_depth(&self, frame: &Frame) -> u32 {
        if frame.key.careless {
            0
        } else {
            self.definitions.mate_after_capture_depth
        }
    }

    /// The side to move mates within so many consecutive checks.
    pub fn mates_within(&mut self, position: &mut Position, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let Checks { number, moves } = self.checks(position);
        if moves.is_empty() {
            return false;
        }
        let question = Question::Mates(number, depth);
        let answer = self.lemma(question, |rules| {
            let mates = rules.any(&moves, |rules, check| {
                let undo = position.make(check);
                let after = |rules: &mut Self, position: &mut Position, answer| {
                    let undo = position.make(answer);
                    let mates = rules.mates_within(position, depth - 1);
                    position.unmake(undo);
                    mates.then_some(())
                };
                let mates = rules.whatever_is_answered(position, after, |()| {});
                position.unmake(undo);
                mates.then_some(())
            });
            mates.map_or(Answer::No, |()| Answer::Yes)
        });
        matches!(answer, Answer::Yes)
    }

    /// Whoever takes with this is mated by checks that did not threaten anyhow: such a piece is no root (24.17).
    pub fn is_mated_having_taken(
        &mut self,
        frame: &Frame,
        position: &mut Position,
        mv: Move,
    ) -> bool {
        let depth = self.mate_depth(frame);
        if depth == 0 {
            return false;
        }
        let mater = position.turn().opponent();
        let undo = position.make(mv);
        let falls = self.mates_within(position, depth);
        position.unmake(undo);
        falls && !self.mates_within(&mut frame.with(mater), depth)
    }

    /// What a capture was worth to begin with, less what is won back on its square by checks.
    pub fn cap(&mut self, frame: &Rc<Frame>, side: Side, mv: Move) -> Option<i32> {
        let see = frame.see(side, mv)?;
        if frame.is_base_careless() || see < 0 || self.checks_back(frame) == 0 {
            return Some(see);
        }
        let question = Question::Cap(frame.number, side, mv);
        let answer = self.lemma(question, |rules| {
            let mut position = frame.with(side);
            let won = worth(&position, mv.to).number();
            position.make(mv);
            let back = rules.most_back(frame, &mut position, mv.to, won - see);
            Answer::Number(back.map_or(see, |back| won - back.number))
        });
        if let Answer::Number(number) = answer {
            Some(number)
        } else {
            Some(see)
        }
    }

    pub fn checks_back(&self, frame: &Frame) -> u32 {
        self.root_depth(frame).max(self.mate_depth(frame))
    }

    /// The most that is won back on a square by checks, if it is more than the floor.
    pub fn most_back(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        square: Square,
        floor: i32,
    ) -> Option<Back> {
        if self.checks_back(frame) == 0 {
            return None;
        }
        self.most(
            floor + 1,
            |rules, least, _| rules.back(frame, position, square, 1, least - 1),
            |back| back.number,
            |back| back.mates,
        )
    }

    /// The side to move wins back more than the floor on a square by consecutive checks, this one the so-manieth.
    pub fn back(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        square: Square,
        nth: u32,
        floor: i32,
    ) -> Option<Back> {
        let Checks { number, moves } = self.checks(position);
        let counts = |mv: &Move| mv.to != square && !frame.takes_shielded(position, *mv);
        if !moves.iter().any(counts) {
            return None;
        }
        let question = Question::Back(frame.number, number, square, nth, floor);
        let answer = self.lemma(question, |rules| {
            let found = rules.any(&moves, |rules, mv| {
                if mv.to == square || frame.takes_shielded(position, mv) {
                    return None;
                }
                let taken = worth(position, mv.to);
                let undo = position.make(mv);
                let back = rules.back_after(frame, position, square, nth, floor, taken);
                position.unmake(undo);
                back
            });
            found.map_or(Answer::No, Answer::Back)
        });
        if let Answer::Back(back) = answer {
            Some(back)
        } else {
            None
        }
    }

    fn back_after(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        square: Square,
        nth: u32,
        floor: i32,
        taken: Balance,
    ) -> Option<Back> {
        let mut least: Option<Back> = None;
        let after = |rules: &mut Self, position: &mut Position, answer| {
            if frame.takes_shielded(position, answer)
                || is_banned(&frame.key.bans, position, answer)
            {
                return Some(None);
            }
            let price = worth(position, answer.to).minus(taken);
            let undo = position.make(answer);
            let back = rules.back_from(frame, position, square, nth, floor, price);
            position.unmake(undo);
            back.map(Some)
        };
        let keep = |back: Option<Back>| {
            let less = |back: &Back| least.is_none_or(|least| back.number < least.number);
            least = back.filter(less).or(least);
        };
        let stands = self.whatever_is_answered(position, after, keep);
        if stands && least.is_none() && nth <= self.mate_depth(frame) && is_stuck(position) {
            return Some(Back {
                number: 1000,
                balance: Balance::MATING,
                mates: true,
            });
        }
        least.filter(|_| stands)
    }

    fn back_from(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        square: Square,
        nth: u32,
        floor: i32,
        price: Balance,
    ) -> Option<Back> {
        let cost = price.number().max(0);
        let mut found = None;
        if nth <= self.root_depth(frame) {
            found = self.retake(frame, position, square, floor + cost);
        }
        if found.is_none() && nth < self.checks_back(frame) {
            found = self.back(frame, position, square, nth + 1, floor + cost);
        }
        let mut back = found?;
        if !back.mates && cost > 0 {
            back.number -= cost;
            back.balance = back.balance.minus(price);
        }
        Some(back)
    }

    /// A capture on the square that gains more than the floor, by a piece that is not mated for it.
    fn retake(
        &mut self,
        frame: &Frame,
        position: &mut Position,
        square: Square,
        floor: i32,
    ) -> Option<Back> {
        let target = position.id_at(square)?;
        if target.side() == position.turn() {
            return None;
        }
        let mut takes = Vec::new();
        for id in position.bearing_on(square, position.turn()) {
            let mv = Move::new(position.square_of(id), square);
            if position.keeps_king_safe(mv) {
                let (number, balance) = exchange(position, mv, None);
                if number > 0 && number > floor {
                    takes.push((mv, number, balance));
                }
            }
        }
        self.any(&takes, |rules, (mv, number, balance)| {
            let mated = rules.is_mated_having_taken(frame, position, mv);
            (!mated).then_some(Back {
                number,
                balance,
                mates: false,
            })
        })
    }

    /// The line made this capture possible or better.
    pub fn is_new_or_better(
        &mut self,
        frame: &Rc<Frame>,
        position: &mut Position,
        mv: Move,
    ) -> bool {
        let side = position.turn();
        let now = exchange(position, mv, frame.careless_side()).0;
        let won = worth(position, mv.to);
        if now < 0 || won == Balance::EVEN {
            return false;
        }
        if frame.see(side, mv).is_none() {
            return now > 0;
        }
        let mark = self.cap(frame, side, mv).unwrap_or(0).max(-1);
        if now <= mark {
            return false;
        }
        if self.checks_back(frame) == 0 {
            return true;
        }
        // Like is compared with like: roots through checks may hold it back now as well.
        let floor = won.number() - mark - 1;
        let undo = position.make(mv);
        let back = self.back(frame, position, mv.to, 1, floor);
        position.unmake(undo);
        back.is_none()
    }
}
