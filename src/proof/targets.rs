//! What a move chases, and what protects it (24.15, 24.17, 28.16).

use super::Target;
use super::asian::Attack;
use super::frame::{End, Frame, FrameKey, Takes};
use super::guide::Rules;
use super::line::Walk;
use super::material::{Balance, EVEN_TRADE, GAIN, exchange, grade, worth};
use super::step::Step;
use crate::board::Move;
use crate::definitions::Root;
use std::rc::Rc;

impl Rules<'_> {
    /// What is taken at once by these attacks of a move.
    pub fn targets(&mut self, step: &Step, attacks: &[Attack]) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for &(captor, victim) in attacks {
            let square = step.after.square_of(victim);
            let root = self.root(step, Move::new(step.after.square_of(captor), square));
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
    fn root(&mut self, step: &Step, capture: Move) -> Root {
        let frame = self.frame(FrameKey::of(&step.threat));
        let taken = frame.base.after(capture);
        let guards = taken.bearing_on(capture.to, taken.turn());
        let ahead = worth(&frame.base, capture.to).minus(worth(&taken, capture.to));
        let dearer = self.gains(ahead);
        let mut short = false;
        for guard in guards {
            let retake = Move::new(taken.square_of(guard), capture.to);
            if taken.is_legal(retake) {
                match self.root_by(&frame, capture, retake, dearer) {
                    Root::Rooted => return Root::Rooted,
                    Root::Under => short = true,
                    Root::None | Root::False => {}
                }
            }
        }
        // A root may work through checks. It would not be enough for what is no dearer than its captor and is chased.
        if dearer && self.value(&frame, capture).end == End::WonBack {
            return Root::Rooted;
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

    /// What the piece is that retakes: a false root where it is mated for it or won back by checks, one too few where the
    /// other side then takes something that makes it come out ahead after all.
    fn root_by(&mut self, frame: &Rc<Frame>, capture: Move, retake: Move, dearer: bool) -> Root {
        let mut walk = Walk::taking(frame, capture);
        let won = worth(&walk.position, capture.to);
        let mut at = self.at(Some(capture.to), won);
        walk.gone(capture, |walk| {
            if self.is_mated_having_taken(frame, &mut walk.position, retake) {
                return Root::False;
            }
            let whole = worth(&walk.position, capture.to);
            // What the retake is worth by itself. That something falls elsewhere for it leaves it the root that it is.
            let kept = if walk.position.in_check() {
                exchange(&mut walk.position, retake, None).1
            } else {
                let mut key = FrameKey::of(&walk.position);
                (key.without_mates, key.takes) = (true, Takes::Back);
                let own = self.frame(key.clone());
                let own = self.value(&own, retake);
                if own.end == End::WonBack && self.gains(won.minus(own.balance)) {
                    return Root::False;
                }
                if self.falls_short(won, own.balance, whole) {
                    key.beside = true;
                    let here = self.frame(key);
                    self.value(&here, retake).balance
                } else {
                    whole
                }
            };
            if self.falls_short(won, kept, whole) {
                return Root::Under;
            }
            if dearer {
                return Root::Rooted;
            }
            // What the capture itself has opened comes on top.
            at.balance = won.minus(whole);
            let more = walk.gone(retake, |walk| self.best_capture(walk, at, EVEN_TRADE));
            more.map_or(Root::Rooted, |_| Root::Under)
        })
    }

    /// What a retake keeps of what it takes leaves whoever took first a gain.
    fn falls_short(&self, won: Balance, kept: Balance, whole: Balance) -> bool {
        kept != whole && self.gains(won.minus(kept))
    }

    fn gains(&self, balance: Balance) -> bool {
        grade(self.definitions, balance) >= GAIN
    }
}
