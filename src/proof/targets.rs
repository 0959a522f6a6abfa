//! What a move chases, and what protects it (24.15, 24.17, 28.16).

use super::Target;
use super::asian::{Attack, is_retaken};
use super::frame::{End, Frame, FrameKey, Mates, Takes};
use super::guide::Rules;
use super::line::{At, Walk};
use super::material::{Balance, GAIN, grade, worth};
use super::step::Step;
use crate::board::Move;
use crate::definitions::{ChaseTest, Root};
use std::rc::Rc;

impl Rules<'_> {
    /// What is taken at once by these attacks of a move.
    pub fn targets(&mut self, step: &Step, attacks: &[Attack]) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for &(captor, victim) in attacks {
            let square = step.after.square_of(victim);
            let capture = Move::new(step.after.square_of(captor), square);
            let root = self.root(step, capture);
            match targets.iter_mut().find(|known| known.square == square) {
                // What it has for a root may depend on what takes it.
                Some(known) => known.root = known.root.filter(|&known| known == root),
                None => targets.push(Target {
                    square,
                    root: Some(root),
                }),
            }
        }
        targets
    }

    /// What becomes of whoever takes: the best root there is has the word.
    pub fn root(&mut self, step: &Step, capture: Move) -> Root {
        let frame = self.frame(FrameKey::of(&step.threat));
        let taken = frame.base.after(capture);
        let guards = taken.bearing_on(capture.to, taken.turn());
        let ahead = worth(&frame.base, capture.to).minus(worth(&taken, capture.to));
        let dearer = self.gains(ahead);
        // Whoever retakes is a root, whatever becomes of it (Asian rules, 34 and 35).
        let by_retake_alone = self.definitions.chase_test == ChaseTest::RootAndValue;
        let mut short = false;
        for guard in guards {
            let retake = Move::new(taken.square_of(guard), capture.to);
            if taken.is_legal(retake) {
                if by_retake_alone {
                    return Root::Rooted;
                }
                match self.root_by(&frame, capture, retake, dearer) {
                    Root::Rooted => return Root::Rooted,
                    Root::Under => short = true,
                    Root::None | Root::False => {}
                }
            }
        }
        // A root may work through checks.
        if !by_retake_alone {
            let whole = self.value(&frame, capture);
            let won_back = whole.end == End::WonBack && whole.balance != Balance::MATED;
            // What comes after the retake is what it costs, as of any other.
            let won = worth(&frame.base, capture.to);
            let kept = won.minus(whole.balance);
            if won_back && kept.number() > 0 {
                if !self.costs(won, worth(&taken, capture.to), kept) {
                    return Root::Rooted;
                }
                short = true;
            }
        }
        if short {
            return Root::Under;
        }
        let guarded = step.after.bearing_on(capture.to, taken.turn());
        if guards.or(guarded).is_empty() {
            Root::None
        } else {
            Root::False
        }
    }

    /// What the piece is that retakes: a false root where it is mated for it, or for as much as it took is won back by checks, or
    /// something else is; one too few where it keeps some of that, or the other side comes out ahead by what it takes next, be it the
    /// capture or the retake that has opened it. Where that is ahead anyhow, having taken what is dearer, only what the
    /// retake costs makes the root too few.
    fn root_by(&mut self, frame: &Rc<Frame>, capture: Move, retake: Move, dearer: bool) -> Root {
        let mut walk = Walk::taking(frame, capture);
        let won = worth(&walk.position, capture.to);
        let mut at = self.at(Some(capture.to), won);
        walk.gone(capture, |walk| {
            if self.is_mated_having_taken(frame, &mut walk.position, retake) {
                return Root::False;
            }
            let whole = worth(&walk.position, capture.to);
            at.balance = won.minus(whole);
            // What the retake is worth by itself.
            let mut key = FrameKey::of(&walk.position);
            (key.careless, key.mates, key.takes) = (false, Mates::Spare, Takes::Back);
            let checked = walk.position.in_check();
            key.stood = checked.then_some(frame.key.base);
            let own = self.frame(key.clone());
            let kept = self.value(&own, retake);
            if kept.end == End::Mated {
                return Root::False;
            }
            if kept.end == End::WonBack && self.gains(won.minus(kept.balance)) {
                let keeps = kept.balance.number() > 0;
                return if keeps { Root::Under } else { Root::False };
            }
            // Something may fall elsewhere, by checks that the retake has made possible: as much as it took, or it is the root
            // that it is.
            key.beside = true;
            let costs = self.costs(won, whole, kept.balance);
            let costs_apart = costs && {
                let beside = self.frame(key);
                let apart = self.value(&beside, retake);
                self.costs(won, whole, apart.balance)
            };
            if costs && !costs_apart && kept.balance.number() <= 0 {
                return Root::False;
            }
            match (dearer, costs_apart) {
                (true, true) => Root::Under,
                (true, false) => Root::Rooted,
                (false, _) => self.root_where_even(walk, at, retake),
            }
        })
    }

    /// What it is that retakes, where the other side is not ahead anyhow.
    fn root_where_even(&mut self, walk: &mut Walk, at: At, retake: Move) -> Root {
        let takes = |walk: &mut Walk| self.best_capture(walk, at, GAIN).is_some();
        if walk.gone(retake, takes) {
            return Root::Under;
        }
        // That less falls elsewhere by checks leaves it the root that it is, unless there are fewer roots than
        // attackers (24.15).
        let looks = self.looks_elsewhere(&walk.frame) && is_retaken(&mut walk.position, retake);
        let falls = |walk: &mut Walk| {
            !walk.position.in_check() && self.falls_to_it(walk, at, GAIN).is_some()
        };
        if looks && walk.gone(retake, falls) {
            Root::Under
        } else {
            Root::Rooted
        }
    }

    /// The retake keeps less than it takes, and whoever took first gains.
    fn costs(&self, won: Balance, whole: Balance, kept: Balance) -> bool {
        self.gains(won.minus(kept)) && kept.number() < whole.number()
    }

    fn gains(&self, balance: Balance) -> bool {
        grade(self.definitions, balance) >= GAIN
    }
}
