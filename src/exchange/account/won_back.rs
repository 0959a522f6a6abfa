//! Roots that work through checks: what is won back on a square.

use super::{Account, exchange, spoiler_first};
use crate::board::{Move, MoveList, Position, Square};
use crate::exchange::checks::checking_moves;
use crate::exchange::value::{Balance, material};

impl Account<'_> {
    /// The value of a capture where the other side may also win back on its square by checks: it
    /// retakes at once, which `see` reckons with, or by checks, whichever brings it more.
    pub(super) fn less_what_is_won_back(
        &mut self,
        position: &mut Position,
        mv: Move,
        see: i32,
    ) -> i32 {
        // What wins nothing anyway needs no refutation.
        if see <= 0 || self.checks_back() == 0 {
            return see;
        }
        let won = position
            .id_at(mv.to)
            .map_or(0, |id| material(id, mv.to).number());
        let undo = position.make(mv);
        let back = self.won_back(position, mv.to, 1);
        position.unmake(undo);
        back.map_or(see, |back| see.min(won - back.number))
    }

    /// What the side to move wins back on `square` by consecutive checks, whatever the answers; the
    /// next one is the so-manieth.
    pub(super) fn won_back(
        &mut self,
        position: &mut Position,
        square: Square,
        check: u32,
    ) -> Option<Back> {
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
            let floor = best.as_ref().map_or(0, |best| best.number);
            let undo = position.make(mv);
            let back = self.won_back_after(position, square, check, taken, floor);
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

    /// The least of what every answer to a check leaves to be won back, if that is more than `floor`.
    fn won_back_after(
        &mut self,
        position: &mut Position,
        square: Square,
        check: u32,
        taken: Balance,
        floor: i32,
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
        let at = check as usize;
        let mut least: Option<(usize, Back)> = None;
        for (index, answer) in spoiler_first(&answers, self.spoilers.get(at)) {
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
            let price = cost.number().max(0);
            let undo = position.make(answer);
            let mut back = if check <= self.root_depth() {
                retake(position, square)
            } else {
                None
            };
            if check < self.checks_back() {
                let further = self.won_back(position, square, check + 1);
                if further.as_ref().map_or(0, |b| b.number) > back.as_ref().map_or(0, |b| b.number)
                {
                    back = further;
                }
            }
            position.unmake(undo);
            let paid = back.filter(|back| back.mates || back.number - price > floor);
            let Some(mut back) = paid else {
                if let Some(spoiler) = self.spoilers.get_mut(at) {
                    *spoiler = answer;
                }
                return None;
            };
            if !back.mates && price > 0 {
                back.number -= price;
                back.balance = back.balance.minus(cost);
            }
            back.line.insert(0, answer);
            if least
                .as_ref()
                .is_none_or(|(known, least)| (back.number, index) < (least.number, *known))
            {
                least = Some((index, back));
            }
        }
        least.map(|(_, back)| back)
    }
}

/// A piece won back by checks.
#[derive(Clone, Debug)]
pub(super) struct Back {
    pub(super) number: i32,
    pub(super) balance: Balance,
    pub(super) mates: bool,
    pub(super) line: Vec<Move>,
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
