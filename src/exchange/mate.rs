//! Mate by consecutive checks, with no limit of depth.
//!
//! A node is a position with the attacker to move. It is won when some check leaves the defender
//! no reply, or only replies whose nodes are won: the *least* such set, so a line that only
//! repeats wins nothing and the answer does not depend on the way a position was reached.
//!
//! The set is worked out lazily. Every check keeps one reply at a time; when the reply's node is
//! won the next is tried. If the root is won, the answer is *yes*; if every kept node has been
//! expanded and none is left to try, the kept replies refute every check, which proves *no*.

#![expect(
    clippy::indexing_slicing,
    reason = "node and edge numbers are handed out by this module"
)]

use super::account::Bans;
use super::budget::Budget;
use super::checks::checking_moves;
use crate::board::{Move, MoveList, Position};
use std::collections::{HashMap, VecDeque};

/// Whether the side to move mates by consecutive checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// Yes, and how.
    Mates(Mate),
    /// No: every check has an answer.
    Escapes,
    /// The budget ran out.
    Open,
}

impl MateAnswer {
    /// Whether it is a proven mate.
    pub const fn is_mate(&self) -> bool {
        matches!(self, Self::Mates(_))
    }
}

/// A mate: its main line, the defender holding out as long as the proof allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Check, reply, check, …, the mating move.
    pub line: Vec<Move>,
}

impl Mate {
    /// Moves the attacker needs.
    pub fn moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }
}

struct Node {
    position: Position,
    checks: Vec<Check>,
    /// Nodes and their checks whose kept reply leads here.
    parents: Vec<(usize, usize)>,
    /// The check that wins, and in how many moves at most.
    won: Option<(usize, u32)>,
}

struct Check {
    mv: Move,
    replies: Vec<Move>,
    /// Which reply is kept, and the nodes of the replies tried so far.
    tried: Vec<usize>,
}

struct Search<'a> {
    nodes: Vec<Node>,
    by_key: HashMap<u64, usize>,
    waiting: VecDeque<usize>,
    bans: &'a Bans,
}

impl Search<'_> {
    fn node(&mut self, position: &Position) -> usize {
        if let Some(&known) = self.by_key.get(&position.key()) {
            return known;
        }
        let number = self.nodes.len();
        self.nodes.push(Node {
            position: position.clone(),
            checks: Vec::new(),
            parents: Vec::new(),
            won: None,
        });
        self.by_key.insert(position.key(), number);
        self.waiting.push_back(number);
        number
    }

    /// Finds the checks of a node and keeps a first reply to each.
    fn expand(&mut self, number: usize, moves: &mut Vec<Move>) {
        let mut position = self.nodes[number].position.clone();
        checking_moves(&mut position, moves);
        moves.retain(|&mv| !self.bans.forbid(&position, mv));
        let mut checks = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            let undo = position.make(mv);
            let mut replies = MoveList::new();
            position.legal_moves_into(&mut replies);
            // Taking a checker refutes most often, then the king's own moves.
            let king = position.king(position.turn());
            let mut replies = replies.to_vec();
            replies.sort_by_key(|r| (r.to != mv.to, r.from != king));
            position.unmake(undo);
            checks.push(Check {
                mv,
                replies,
                tried: Vec::new(),
            });
        }
        self.nodes[number].checks = checks;
        for check in 0..self.nodes[number].checks.len() {
            if self.nodes[number].won.is_some() {
                break;
            }
            self.keep_reply(number, check);
        }
    }

    /// Keeps the next reply to a check. Without one left the node is won, and so may be the nodes
    /// whose checks had kept it as a refutation.
    fn keep_reply(&mut self, number: usize, check: usize) {
        let mut refuted = vec![(number, check)];
        while let Some((number, check)) = refuted.pop() {
            if self.nodes[number].won.is_some() {
                continue;
            }
            let Some(moves) = self.next_reply(number, check) else {
                continue;
            };
            self.nodes[number].won = Some((check, moves));
            refuted.append(&mut self.nodes[number].parents);
        }
    }

    /// Finds a reply whose node is not won; where there is none, how many moves the mate takes.
    fn next_reply(&mut self, number: usize, check: usize) -> Option<u32> {
        loop {
            let node = &self.nodes[number];
            let edge = &node.checks[check];
            let Some(&reply) = edge.replies.get(edge.tried.len()) else {
                let replies = edge.tried.iter();
                let longest = replies
                    .filter_map(|&n| self.nodes[n].won)
                    .map(|w| w.1)
                    .max();
                return Some(longest.unwrap_or(0) + 1);
            };
            let next = node.position.after(edge.mv).after(reply);
            let child = self.node(&next);
            self.nodes[number].checks[check].tried.push(child);
            if self.nodes[child].won.is_none() {
                self.nodes[child].parents.push((number, check));
                return None;
            }
        }
    }

    fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut number = 0;
        while let Some((check, _)) = self.nodes[number].won {
            let edge = &self.nodes[number].checks[check];
            line.push(edge.mv);
            // Each reply's node was won before this one: the line comes to an end.
            let longest = (0..edge.replies.len())
                .filter_map(|i| Some((self.nodes[*edge.tried.get(i)?].won?.1, i)))
                .max_by_key(|&(moves, i)| (moves, std::cmp::Reverse(i)));
            let Some((_, reply)) = longest else { break };
            line.push(edge.replies[reply]);
            number = edge.tried[reply];
        }
        line
    }
}

/// Decides whether the side to move mates by consecutive checks, without using a banned capture.
pub fn mate(position: &Position, bans: &Bans, budget: &mut Budget) -> MateAnswer {
    let mut search = Search {
        nodes: Vec::new(),
        by_key: HashMap::new(),
        waiting: VecDeque::new(),
        bans,
    };
    let mut moves = Vec::new();
    search.node(position);
    while search.nodes[0].won.is_none() {
        let Some(number) = search.waiting.pop_front() else {
            return MateAnswer::Escapes;
        };
        // A node no unwon check keeps any more needs no answer.
        let needed = number == 0
            || search.nodes[number]
                .parents
                .iter()
                .any(|&(p, _)| search.nodes[p].won.is_none());
        if !needed {
            search.by_key.remove(&search.nodes[number].position.key());
            continue;
        }
        if !budget.take() {
            return MateAnswer::Open;
        }
        search.expand(number, &mut moves);
    }
    MateAnswer::Mates(Mate {
        line: search.line(),
    })
}
