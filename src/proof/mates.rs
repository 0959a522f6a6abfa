//! Mate by consecutive checks, however many (24.2, 28.2).
//!
//! That there is one is shown by a check for each position met, until no reply is left; that there is none, by a reply to every
//! check, all of which lead to positions of which the same is shown.

use super::frame::{Ban, Leaf, Moves, Question, is_banned, legal};
use super::guide::{Checks, Fault, Rules};
use crate::board::{Move, Packed, Position, Square, Table};

/// How deep a mate may be.
const DEEPEST: u32 = 300;

const NO_CHECK: Fault = ("a check is named that is not there", "所指的将军并不存在");

/// One such question.
#[derive(Clone, Copy)]
struct Mate<'b> {
    first: Option<Square>,
    bans: &'b [Ban],
}

impl Mate<'_> {
    /// Whether a check is looked at.
    fn counts(self, position: &Position, check: Move, is_root: bool) -> bool {
        let first = self.first.filter(|_| is_root);
        !is_banned(self.bans, position, check)
            && first.is_none_or(|square| Position::passes(check, square))
    }
}

impl Rules<'_> {
    /// The side to move mates by consecutive checks, without a banned capture; the first past a square, if one is given.
    pub fn kills(&mut self, position: &Position, first: Option<Square>, bans: &[Ban]) -> bool {
        let mut position = position.clone();
        let checks = self.checks(&mut position);
        let mate = Mate { first, bans };
        if !checks
            .moves
            .iter()
            .any(|&mv| mate.counts(&position, mv, true))
        {
            return false;
        }
        let question = Question::Kill(checks.number, first, bans.to_vec());
        let answer = self.lemma(question, &mut |rules| {
            rules.guide.solve(rules, &position, first, bans);
            if let Some(check) = rules.guide.in_mate(rules, &position, None) {
                rules.mates(mate, &mut Table::default(), &mut position, check, 0);
                Some(Leaf::default())
            } else {
                rules.escapes(mate, position.clone(), checks.clone());
                None
            }
        });
        answer.is_some()
    }

    /// The check mates; of positions met it is known whether what is said of them has been shown.
    fn mates(
        &mut self,
        mate: Mate<'_>,
        met: &mut Table<Packed, bool>,
        position: &mut Position,
        check: Move,
        depth: u32,
    ) {
        let is_check = position.is_pseudo_legal(check)
            && position.checks_with(check)
            && mate.counts(position, check, depth == 0);
        if !is_check {
            return self.fail(NO_CHECK);
        }
        if depth > DEEPEST {
            return self.fail(("the mate goes too deep", "杀法层次过深"));
        }
        let at = position.packed();
        met.insert(at, false);
        let undo = position.make(check);
        for &reply in &*legal(position) {
            let undo = position.make(reply);
            match met.get(&position.packed()) {
                Some(true) => {}
                Some(false) => self.fail(("the mate goes round in a circle", "杀法往复循环")),
                None => match self.guide.in_mate(self, position, None) {
                    Some(check) => self.mates(mate, met, position, check, depth + 1),
                    None => self.fail(NO_CHECK),
                },
            }
            position.unmake(undo);
            if self.fault.is_some() {
                break;
            }
        }
        position.unmake(undo);
        met.insert(at, true);
    }

    /// Every check is answered so that none of the positions met mates.
    fn escapes(&mut self, mate: Mate<'_>, root: Position, checks: Checks) {
        let mut met = Vec::new();
        is_new(&mut met, checks.number);
        let mut open = vec![(root, checks.moves)];
        let mut is_root = true;
        while let Some((mut position, checks)) = open.pop() {
            for &check in &*checks {
                if !mate.counts(&position, check, is_root) {
                    continue;
                }
                let reply = self.guide.in_mate(self, &position, Some(check));
                let undo = position.make(check);
                let Some(reply) = reply.filter(|&mv| Moves::Legal.have(&mut position, mv)) else {
                    return self.fail(("a check is not answered", "有将军而未给出应着"));
                };
                let undone = position.make(reply);
                let Checks { number, moves } = self.checks(&mut position);
                if is_new(&mut met, number) {
                    open.push((position.clone(), moves));
                }
                position.unmake(undone);
                position.unmake(undo);
            }
            is_root = false;
        }
    }
}

/// Whether a position of this number has not been met before; now it has.
fn is_new(met: &mut Vec<bool>, number: usize) -> bool {
    if met.len() <= number {
        met.resize(number + 1, false);
    }
    let met = met.get_mut(number);
    met.is_some_and(|met| !std::mem::replace(met, true))
}
