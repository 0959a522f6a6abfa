//! Mate by consecutive checks, however many (24.2, 28.2).
//!
//! That there is one is shown by a check for each position met, until no reply is left; that there is none, by a reply to every
//! check, all of which lead to positions of which the same is shown.

use super::frame::{Answer, Ban, Question, is_banned};
use super::guide::Rules;
use crate::board::{Move, MoveList, Packed, Position, Square, checking_moves};
use std::collections::HashMap;

/// How deep a mate may be.
const DEEPEST: u32 = 300;

/// One such question.
struct Mate<'b> {
    first: Option<Square>,
    bans: &'b [Ban],
    /// Positions met, and whether what is said of them has been shown.
    met: HashMap<Packed, bool>,
}

impl Mate<'_> {
    /// The checks looked at in a position.
    fn checks(&self, position: &mut Position, is_root: bool) -> MoveList {
        let mut checks = MoveList::new();
        checking_moves(position, &mut checks);
        let first = self.first.filter(|_| is_root);
        checks.retain(|mv| {
            !is_banned(self.bans, position, mv)
                && first.is_none_or(|square| Position::passes(mv, square))
        });
        checks
    }
}

impl Rules<'_> {
    /// The side to move mates by consecutive checks, without a banned capture; the first past a square, if one is given.
    pub fn kills(&mut self, position: &Position, first: Option<Square>, bans: &[Ban]) -> bool {
        let question = Question::Kill(position.packed(), first, bans.to_vec());
        let answer = self.lemma(question.clone(), |rules| {
            let mut position = position.clone();
            let mut mate = Mate {
                first,
                bans,
                met: HashMap::new(),
            };
            let checks = mate.checks(&mut position, true);
            if checks.is_empty() {
                return Answer::No;
            }
            rules.solve(&question);
            let word = rules.in_mate(&position.packed(), None, &checks);
            if word == 0 {
                rules.escapes(&mut mate, position);
                Answer::No
            } else {
                rules.mates(&mut mate, &mut position, &checks, word, 0);
                Answer::Yes
            }
        });
        matches!(answer, Answer::Yes)
    }

    fn mates(
        &mut self,
        mate: &mut Mate<'_>,
        position: &mut Position,
        checks: &[Move],
        word: u32,
        depth: u32,
    ) {
        let at = position.packed();
        let Some(&check) = (word as usize).checked_sub(1).and_then(|n| checks.get(n)) else {
            return self.fail(("a check is named that is not there", "所指的将军并不存在"));
        };
        if depth > DEEPEST {
            return self.fail(("the mate goes too deep", "杀法层次过深"));
        }
        mate.met.insert(at, false);
        let undo = position.make(check);
        let replies = position.legal_moves();
        for &reply in &*replies {
            let undo = position.make(reply);
            match mate.met.get(&position.packed()) {
                Some(true) => {}
                Some(false) => self.fail(("the mate goes round in a circle", "杀法往复循环")),
                None => {
                    let checks = mate.checks(position, false);
                    let word = self.in_mate(&position.packed(), None, &checks);
                    self.mates(mate, position, &checks, word, depth + 1);
                }
            }
            position.unmake(undo);
            if self.fault.is_some() {
                break;
            }
        }
        position.unmake(undo);
        mate.met.insert(at, true);
    }

    fn escapes(&mut self, mate: &mut Mate<'_>, root: Position) {
        mate.met.insert(root.packed(), true);
        let mut open = vec![root];
        let mut is_root = true;
        while let Some(mut position) = open.pop() {
            let at = position.packed();
            let checks = mate.checks(&mut position, is_root);
            is_root = false;
            for &check in &*checks {
                let undo = position.make(check);
                let replies = position.legal_moves();
                let word = self.in_mate(&at, Some(check), &replies) as usize;
                let Some(&reply) = word.checked_sub(1).and_then(|n| replies.get(n)) else {
                    return self.fail(("a check is not answered", "有将军而未给出应着"));
                };
                let undone = position.make(reply);
                if mate.met.insert(position.packed(), true).is_none() {
                    open.push(position.clone());
                }
                position.unmake(undone);
                position.unmake(undo);
                if self.fault.is_some() {
                    return;
                }
            }
        }
    }
}
