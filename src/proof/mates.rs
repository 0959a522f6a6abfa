//! Mate by consecutive checks, however many (24.2, 28.2).
//!
//! That there is one is shown by a check for each position met, until no reply is left; that there is none, by a reply to every
//! check, all of which lead to positions of which the same is shown.

use super::frame::{Answer, Ban, Moves, Question, is_banned, legal};
use super::guide::Rules;
use crate::board::{Move, Packed, Position, Square, Table};

/// How deep a mate may be.
const DEEPEST: u32 = 300;

/// One such question.
struct Mate<'b> {
    first: Option<Square>,
    bans: &'b [Ban],
    /// Positions met, and whether what is said of them has been shown.
    met: Table<Packed, bool>,
}

impl Mate<'_> {
    /// Whether a check is looked at.
    fn counts(&self, position: &Position, check: Move, is_root: bool) -> bool {
        let first = self.first.filter(|_| is_root);
        !is_banned(self.bans, position, check)
            && first.is_none_or(|square| Position::passes(check, square))
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
                met: Table::default(),
            };
            let checks = rules.checks(&mut position).moves;
            if !checks.iter().any(|&mv| mate.counts(&position, mv, true)) {
                return Answer::No;
            }
            rules.solve(&question);
            if let Some(check) = rules.in_mate(&position, None) {
                rules.mates(&mut mate, &mut position, check, 0);
                Answer::Yes
            } else {
                rules.escapes(&mut mate, position);
                Answer::No
            }
        });
        matches!(answer, Answer::Yes)
    }

    fn mates(&mut self, mate: &mut Mate<'_>, position: &mut Position, check: Move, depth: u32) {
        let is_check = position.is_pseudo_legal(check)
            && position.checks_with(check)
            && mate.counts(position, check, depth == 0);
        if !is_check {
            return self.fail(("a check is named that is not there", "所指的将军并不存在"));
        }
        if depth > DEEPEST {
            return self.fail(("the mate goes too deep", "杀法层次过深"));
        }
        let at = position.packed();
        mate.met.insert(at, false);
        let undo = position.make(check);
        for &reply in &*legal(position) {
            let undo = position.make(reply);
            match mate.met.get(&position.packed()) {
                Some(true) => {}
                Some(false) => self.fail(("the mate goes round in a circle", "杀法往复循环")),
                None => match self.in_mate(position, None) {
                    Some(check) => self.mates(mate, position, check, depth + 1),
                    None => self.fail(("a check is named that is not there", "所指的将军并不存在")),
                },
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
            let checks = self.checks(&mut position).moves;
            let counts = |&check: &Move| mate.counts(&position, check, is_root);
            let counted: Vec<Move> = checks.iter().copied().filter(counts).collect();
            is_root = false;
            for check in counted {
                let reply = self.in_mate(&position, Some(check));
                let undo = position.make(check);
                let Some(reply) = reply.filter(|&mv| Moves::Legal.have(&mut position, mv)) else {
                    return self.fail(("a check is not answered", "有将军而未给出应着"));
                };
                let undone = position.make(reply);
                if mate.met.insert(position.packed(), true).is_none() {
                    open.push(position.clone());
                }
                position.unmake(undone);
                position.unmake(undo);
            }
        }
    }
}
