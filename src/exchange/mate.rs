//! Mate by consecutive checks, with no limit of depth.
//!
//! A node is a position with the attacker to move. It is won when some check leaves the defender
//! no reply, or only replies whose nodes are won: the *least* such set, so a line that only
//! repeats wins nothing and the answer does not depend on the way a position was reached.
//!
//! The set is worked out lazily, one node after another. Every check keeps one reply at a time; the nodes reached
//! through kept replies only hang together as a tree, each on the check from which it was first reached. The reply kept
//! is the one that leaves the fewest checks to be answered: none where its node is reached anyhow, few where what it
//! takes gives no more checks. When its node is won another is kept, and so it is when another has come to leave clearly
//! less. If the root is won, the answer is *yes*; if every node of the tree has been expanded, the kept replies refute
//! every check, which proves *no*.

#![expect(
    clippy::indexing_slicing,
    reason = "node and edge numbers are handed out by this module"
)]

use super::account::Bans;
use super::budget::Budget;
use super::checks::{Likely, put_into};
use crate::board::{Answers, Move, MoveList, Packed, Position, Table, checking_moves};
use std::cmp::Reverse;

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

/// A mate: its main line, the defender holding out as long as the proof allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Check, reply, check, …, the mating move.
    pub line: Vec<Move>,
}

/// A node and one of its checks.
type Edge = (usize, usize);

#[derive(Debug)]
struct Node {
    /// Most are never expanded.
    position: Packed,
    /// The checks there are.
    moves: Box<[Move]>,
    /// The same with their replies, once the node is expanded.
    checks: Vec<Check>,
    /// Checks whose kept reply leads here, or did so once.
    parents: Vec<Edge>,
    /// The check that wins, and in how many moves at most.
    won: Option<(usize, u32)>,
    /// On which check it hangs where it is reached through kept replies only; the root on itself.
    owner: Option<Edge>,
    /// How much is still to be answered below it, as far as is known.
    load: u64,
}

#[derive(Debug, Default)]
struct Check {
    /// The replies and the nodes they lead to, in the order in which they are tried.
    replies: Vec<(Move, usize)>,
    /// Which reply is kept.
    kept: usize,
    /// When somebody last went this way.
    passed: u64,
}

impl Check {
    /// The node that the kept reply leads to.
    fn child(&self) -> Option<usize> {
        Some(self.replies.get(self.kept)?.1)
    }
}

impl Node {
    /// Whether its replies are known; without a check there is nothing to find out.
    fn is_expanded(&self) -> bool {
        self.checks.len() == self.moves.len()
    }

    /// What is to be answered before anything is known of the answers: the more checks, the more come after each.
    fn own_load(&self) -> u64 {
        if self.is_expanded() {
            0
        } else {
            (self.moves.len() as u64).pow(3)
        }
    }
}

/// So many nodes are expanded in the order of their depth: a mate that is near is found by the shortest way.
const NEAR: u32 = 100;

#[derive(Debug)]
struct Search {
    nodes: Vec<Node>,
    by_key: Table<u64, usize>,
    bans: Bans,
    moves: MoveList,
    /// How many nodes have been expanded.
    time: u64,
}

impl Search {
    /// A search from a position by such checks only to begin with.
    fn beginning(position: &Position, first: impl Fn(Move) -> bool, bans: &Bans) -> Self {
        let mut search = Self {
            nodes: Vec::new(),
            by_key: Table::default(),
            bans: bans.clone(),
            moves: MoveList::new(),
            time: 0,
        };
        let root = search.node(&mut position.clone());
        let node = &mut search.nodes[root];
        node.moves = node.moves.iter().copied().filter(|&mv| first(mv)).collect();
        (node.load, node.owner) = (node.own_load(), Some((root, usize::MAX)));
        search
    }

    fn node(&mut self, position: &mut Position) -> usize {
        if let Some(&known) = self.by_key.get(&position.key()) {
            return known;
        }
        checking_moves(position, &mut self.moves);
        let allowed = self
            .moves
            .iter()
            .filter(|&&mv| !self.bans.forbid(position, mv));
        let moves: Box<[Move]> = allowed.copied().collect();
        let number = self.nodes.len();
        let mut node = Node {
            position: position.packed(),
            moves,
            checks: Vec::new(),
            parents: Vec::new(),
            won: None,
            owner: None,
            load: 0,
        };
        node.load = node.own_load();
        self.nodes.push(node);
        self.by_key.insert(position.key(), number);
        number
    }

    /// Whether the side to move mates; nothing where the budget does not tell.
    fn mates(&mut self, budget: &mut Budget) -> Option<bool> {
        let mut expanded = 0;
        while self.nodes[0].won.is_none() {
            let next = if expanded < NEAR { None } else { self.next() };
            let open = next.map_or_else(|| self.open(), |next| vec![next]);
            if open.is_empty() {
                return Some(false);
            }
            for number in open {
                // What was expanded before may have changed what is reached, the root at last.
                if self.nodes[number].owner.is_some() {
                    if !budget.take() {
                        return None;
                    }
                    self.expand(number);
                    expanded += 1;
                }
            }
        }
        Some(true)
    }

    /// All nodes still to be expanded.
    fn open(&self) -> Vec<usize> {
        let (mut open, mut ahead) = (Vec::new(), vec![0]);
        while let Some(number) = ahead.pop() {
            let node = &self.nodes[number];
            if !node.is_expanded() {
                open.push(number);
            }
            for (check, edge) in node.checks.iter().enumerate() {
                let child = edge.child();
                let hangs = |&child: &usize| self.nodes[child].owner == Some((number, check));
                ahead.extend(child.filter(hangs));
            }
        }
        open
    }

    /// The node to be expanded next: every way is taken in its turn, and the oftener the more is left to be answered
    /// there.
    fn next(&mut self) -> Option<usize> {
        self.time += 1;
        let mut number = 0;
        while self.nodes[number].is_expanded() {
            let checks = self.nodes[number].checks.iter().enumerate();
            let due = checks.filter_map(|(check, edge)| {
                let child = edge.child()?;
                let node = &self.nodes[child];
                let hangs = node.owner == Some((number, check)) && node.load > 0;
                let due = node.load * (self.time - edge.passed);
                hangs.then_some((due, Reverse(check), child))
            });
            let (_, Reverse(check), child) = due.max()?;
            self.nodes[number].checks[check].passed = self.time;
            number = child;
        }
        Some(number)
    }

    /// Finds the replies to a node's checks and keeps a first one for each.
    fn expand(&mut self, number: usize) {
        let node = &mut self.nodes[number];
        node.checks.resize_with(node.moves.len(), Check::default);
        let mut position = node.position.position();
        let load = std::mem::take(&mut node.load);
        self.load_above(number, load, 0);
        for check in 0..self.nodes[number].checks.len() {
            let undo = position.make(self.nodes[number].moves[check]);
            let replies = self.replies(&mut position);
            position.unmake(undo);
            self.nodes[number].checks[check].replies = replies;
            self.keep_reply(number, check);
            if self.nodes[number].won.is_some() {
                return;
            }
        }
        self.keep_lighter(number);
    }

    /// The replies to a check and the nodes they lead to, in the order in which they are tried: captures before
    /// others, since what is taken gives no more checks, then those that leave the fewest. One that leaves none
    /// refutes the check for good and stands alone then.
    fn replies(&mut self, position: &mut Position) -> Vec<(Move, usize)> {
        let mut answers = Answers::of(position);
        let legal: Vec<Move> = std::iter::from_fn(|| answers.next(position)).collect();
        let mut replies: Vec<(Likely, usize)> = Vec::with_capacity(legal.len());
        for takes in [true, false] {
            for (place, &reply) in legal.iter().enumerate() {
                if position.is_empty(reply.to) == takes {
                    continue;
                }
                let mut likely = Likely::of(position, reply, place);
                let undo = position.make(reply);
                let child = self.node(position);
                position.unmake(undo);
                likely.checks = self.nodes[child].moves.len();
                if likely.checks == 0 {
                    return vec![(reply, child)];
                }
                put_into(&mut replies, (likely, child));
            }
        }
        let tried = replies.into_iter();
        tried
            .map(|(likely, child)| (likely.answer, child))
            .collect()
    }

    /// Keeps another reply to a check. Without one left the node is won, and so may be the nodes whose checks had
    /// kept it as a refutation.
    fn keep_reply(&mut self, number: usize, check: usize) {
        let mut refuted = vec![(number, check)];
        while let Some((number, check)) = refuted.pop() {
            if self.nodes[number].won.is_some() {
                continue;
            }
            if let Some(at) = self.lightest(number, check) {
                self.keep(number, check, at);
                continue;
            }
            let replies = self.nodes[number].checks[check].replies.iter();
            let wins = replies.filter_map(|&(_, child)| self.nodes[child].won);
            let moves = wins.map(|won| won.1).max().unwrap_or(0) + 1;
            self.nodes[number].won = Some((check, moves));
            let mut parents = std::mem::take(&mut self.nodes[number].parents);
            parents.retain(|&edge| self.leads(edge, number));
            parents.sort_unstable();
            parents.dedup();
            refuted.append(&mut parents);
            if self.nodes[number].owner.is_some() {
                self.leave(number);
            }
        }
    }

    /// Of the replies to a check that may refute it the one that leaves the least to be answered. A node that is
    /// reached anyhow costs nothing more, and what is kept is left only for what costs clearly less.
    fn lightest(&self, number: usize, check: usize) -> Option<usize> {
        let replies = self.nodes[number].checks[check].replies.iter().enumerate();
        let weighed = replies.filter_map(|(at, &(_, child))| {
            let node = &self.nodes[child];
            let hangs = node.owner == Some((number, check));
            let load = match node.owner {
                Some(_) if hangs => node.load - node.load / 5,
                Some(_) => 0,
                None => node.load,
            };
            node.won
                .is_none()
                .then_some((load, !hangs, !node.is_expanded(), at))
        });
        Some(weighed.min()?.3)
    }

    fn keep(&mut self, number: usize, check: usize, at: usize) {
        let edge = &mut self.nodes[number].checks[check];
        edge.kept = at;
        let child = edge.replies[at].1;
        self.nodes[child].parents.push((number, check));
        if self.nodes[number].owner.is_some() && self.nodes[child].owner.is_none() {
            self.reach(child, (number, check));
        }
    }

    /// Whether a check's kept reply leads to a node.
    fn leads(&self, (number, check): Edge, child: usize) -> bool {
        self.nodes[number].checks[check].child() == Some(child)
    }

    /// The check on which a node hangs, other than the root.
    fn above(&self, number: usize) -> Option<Edge> {
        self.nodes[number].owner.filter(|owner| owner.0 != number)
    }

    /// Tells the nodes above what is to be answered below one: so much more, and less than before.
    fn load_above(&mut self, mut number: usize, less: u64, more: u64) {
        while let Some((above, _)) = self.above(number) {
            let node = &mut self.nodes[above];
            node.load = node.load + more - less;
            number = above;
        }
    }

    /// The nodes that hang below one, itself first, each after the one on which it hangs; or those that can be
    /// made to, since they are not reached otherwise.
    fn below(&mut self, top: usize, reached: bool) -> Vec<usize> {
        let mut below = vec![top];
        let mut at = 0;
        while let Some(&number) = below.get(at) {
            at += 1;
            for check in 0..self.nodes[number].checks.len() {
                let Some(child) = self.nodes[number].checks[check].child() else {
                    continue;
                };
                let node = &mut self.nodes[child];
                let edge = Some((number, check));
                if reached && node.owner.is_none() && node.won.is_none() {
                    node.owner = edge;
                } else if !reached && node.owner == edge {
                    node.owner = None;
                } else {
                    continue;
                }
                below.push(child);
            }
        }
        below
    }

    /// Hangs a node on a check, and below it all that is reached thereby.
    fn reach(&mut self, top: usize, owner: Edge) {
        self.nodes[top].owner = Some(owner);
        let below = self.below(top, true);
        for &number in &below {
            self.nodes[number].load = self.nodes[number].own_load();
        }
        for &number in below.iter().skip(1).rev() {
            let load = self.nodes[number].load;
            if let Some((above, _)) = self.above(number) {
                self.nodes[above].load += load;
            }
        }
        self.load_above(top, 0, self.nodes[top].load);
    }

    /// Takes a node from where it hangs. What hung below it, and itself, may still be reached otherwise.
    fn leave(&mut self, top: usize) {
        self.load_above(top, self.nodes[top].load, 0);
        self.nodes[top].owner = None;
        for number in self.below(top, false) {
            if self.nodes[number].owner.is_some() || self.nodes[number].won.is_some() {
                continue;
            }
            let mut parents = std::mem::take(&mut self.nodes[number].parents);
            parents.retain(|&edge| self.leads(edge, number));
            let reached = |edge: &&Edge| {
                let node = &self.nodes[edge.0];
                node.owner.is_some() && node.won.is_none()
            };
            let owner = parents.iter().find(reached).copied();
            self.nodes[number].parents = parents;
            if let Some(owner) = owner {
                self.reach(number, owner);
            }
        }
    }

    /// Above a node that has been expanded keeps other replies where those kept have come to leave more to be
    /// answered: what seemed to refute a check may turn out to be hard to hold.
    fn keep_lighter(&mut self, mut number: usize) {
        while let Some((above, check)) = self.above(number) {
            if let Some(at) = self.lightest(above, check)
                && at != self.nodes[above].checks[check].kept
            {
                self.nodes[above].checks[check].kept = at;
                self.leave(number);
                self.keep(above, check, at);
            }
            number = above;
        }
    }

    fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut number = 0;
        while let Some((check, _)) = self.nodes[number].won {
            let edge = &self.nodes[number].checks[check];
            line.push(self.nodes[number].moves[check]);
            // Each reply's node was won before this one: the line comes to an end.
            let wins =
                |&(reply, child): &(Move, usize)| Some((self.nodes[child].won?.1, reply, child));
            let longest = edge
                .replies
                .iter()
                .filter_map(wins)
                .max_by_key(|&(moves, reply, _)| (moves, Reverse(reply)));
            let Some((_, reply, child)) = longest else {
                break;
            };
            line.push(reply);
            number = child;
        }
        line
    }
}

/// Decides whether the side to move mates by consecutive checks, without using a banned capture.
pub fn mate(position: &Position, bans: &Bans, budget: &mut Budget) -> MateAnswer {
    mate_beginning(position, |_| true, bans, budget)
}

/// Decides whether the side to move mates by consecutive checks of which the first is such a one.
pub fn mate_beginning(
    position: &Position,
    first: impl Fn(Move) -> bool,
    bans: &Bans,
    budget: &mut Budget,
) -> MateAnswer {
    match shown(position, first, bans, budget) {
        None => MateAnswer::Open,
        Some(shown) if shown.mates() => MateAnswer::Mates(Mate {
            line: shown.0.line(),
        }),
        Some(_) => MateAnswer::Escapes,
    }
}

/// Why the side to move mates by consecutive checks, or does not.
#[derive(Debug)]
pub struct Shown(Search);

impl Shown {
    /// Whether it does.
    pub fn mates(&self) -> bool {
        self.0.nodes[0].won.is_some()
    }

    fn node(&self, position: &Position) -> Option<&Node> {
        let number = self.0.by_key.get(&position.key())?;
        self.0.nodes.get(*number)
    }

    /// The check that mates from a position met, if one does.
    pub fn check(&self, position: &Position) -> Option<Move> {
        let node = self.node(position)?;
        let (check, _) = node.won?;
        node.moves.get(check).copied()
    }

    /// The reply that answers a check in a position met from which no check mates.
    pub fn reply(&self, position: &Position, check: Move) -> Option<Move> {
        let node = self.node(position)?;
        let number = node.moves.iter().position(|&mv| mv == check)?;
        let edge = node.checks.get(number)?;
        Some(edge.replies.get(edge.kept)?.0)
    }
}

/// The same with what shows it; nothing where the budget does not tell.
pub fn shown(
    position: &Position,
    first: impl Fn(Move) -> bool,
    bans: &Bans,
    budget: &mut Budget,
) -> Option<Shown> {
    let mut search = Search::beginning(position, first, bans);
    search.mates(budget)?;
    Some(Shown(search))
}
