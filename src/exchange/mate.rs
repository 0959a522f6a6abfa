//! Mate by consecutive checks, with no limit of depth.
//!
//! A node is a position with the attacker to move. It is won when some check leaves the defender
//! no reply, or only replies whose nodes are won: the *least* such set, so a line that only
//! repeats wins nothing and the answer does not depend on the way a position was reached.
//!
//! The set is worked out lazily. Every check keeps one reply at a time, one whose node is known
//! already before a new one, and of these one that takes something, or else the one that leaves the
//! fewest further checks; when the reply's node is won another is kept, and so it is when another has
//! come to leave less to be answered. If the root is won, the answer is *yes*; if every node that can be reached through kept replies has been
//! expanded, these replies refute every check, which proves *no*.

#![expect(
    clippy::indexing_slicing,
    reason = "node and edge numbers are handed out by this module"
)]

use super::account::Bans;
use super::budget::Budget;
use super::checks::{Likely, put_into};
use crate::board::{Answers, Move, MoveList, Packed, Position, Table, checking_moves};

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

#[derive(Debug)]
struct Node {
    /// Most are never expanded.
    position: Packed,
    /// The checks there are.
    moves: Box<[Move]>,
    /// The same with their replies, once the node is expanded.
    checks: Vec<Check>,
    /// Nodes and their checks whose kept reply leads here.
    parents: Vec<(usize, usize)>,
    /// The check that wins, and in how many moves at most.
    won: Option<(usize, u32)>,
    /// The last walk that came by, and from which check it first did.
    seen: u32,
    owner: (usize, usize),
    /// How many checks are still to be answered below it, as far as is known.
    load: usize,
}

#[derive(Debug, Default)]
struct Check {
    /// The replies and the nodes they lead to, in the order in which they are tried.
    replies: Vec<(Move, usize)>,
    /// Which reply is kept.
    kept: usize,
}

impl Node {
    /// Whether its replies are known; without a check there is nothing to find out.
    fn is_expanded(&self) -> bool {
        self.checks.len() == self.moves.len()
    }
}

#[derive(Debug)]
struct Search {
    nodes: Vec<Node>,
    by_key: Table<u64, usize>,
    bans: Bans,
    moves: MoveList,
}

impl Search {
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
        self.nodes.push(Node {
            load: moves.len(),
            position: position.packed(),
            moves,
            checks: Vec::new(),
            parents: Vec::new(),
            won: None,
            seen: 0,
            owner: (0, 0),
        });
        self.by_key.insert(position.key(), number);
        number
    }

    /// Finds the replies to a node's checks and keeps a first one for each.
    fn expand(&mut self, number: usize) {
        let node = &mut self.nodes[number];
        node.checks.resize_with(node.moves.len(), Check::default);
        let mut position = node.position.position();
        for check in 0..self.nodes[number].checks.len() {
            let undo = position.make(self.nodes[number].moves[check]);
            let replies = self.replies(&mut position);
            position.unmake(undo);
            self.nodes[number].checks[check].replies = replies;
            self.keep_reply(number, check);
            if self.nodes[number].won.is_some() {
                break;
            }
        }
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

    /// Keeps a reply whose node is not won; where there is none, tells how many moves the mate takes.
    fn next_reply(&mut self, number: usize, check: usize) -> Option<u32> {
        let Some(child) = self.choose(number, check) else {
            let replies = self.nodes[number].checks[check].replies.iter();
            let wins = replies.filter_map(|&(_, child)| self.nodes[child].won);
            return Some(wins.map(|won| won.1).max().unwrap_or(0) + 1);
        };
        self.nodes[child].parents.push((number, check));
        None
    }

    /// Keeps the best of the replies to a check that may refute it, and tells where it leads: to a node whose own
    /// checks are answered already, or at least one that must be looked at for another check, rather than to a
    /// new one. What refutes is then as small as can be, and so is what has to be looked at.
    fn choose(&mut self, number: usize, check: usize) -> Option<usize> {
        let edge = &self.nodes[number].checks[check];
        let tried = edge
            .replies
            .iter()
            .enumerate()
            .filter_map(|(at, &(_, child))| {
                let node = &self.nodes[child];
                let known = (!node.is_expanded(), node.parents.is_empty());
                node.won.is_none().then_some((known, at, child))
            });
        let (_, at, child) = tried.min()?;
        self.nodes[number].checks[check].kept = at;
        Some(child)
    }

    /// The nodes reached through kept replies only, each after the one from which it was first reached.
    fn reached(&mut self, walk: u32) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut ahead = vec![(0, (0, 0))];
        while let Some((number, owner)) = ahead.pop() {
            let node = &mut self.nodes[number];
            if node.seen == walk || node.won.is_some() {
                continue;
            }
            (node.seen, node.owner) = (walk, owner);
            reached.push(number);
            for (check, edge) in node.checks.iter().enumerate() {
                if let Some(&(_, child)) = edge.replies.get(edge.kept) {
                    ahead.push((child, (number, check)));
                }
            }
        }
        reached
    }

    /// Keeps other replies where they leave fewer checks to be answered than those kept do by now: what seemed
    /// to refute a check may turn out to be hard to hold. A node that is reached anyhow costs nothing more. Whether
    /// any reply was changed.
    fn keep_lighter(&mut self, walk: u32, reached: &[usize]) -> bool {
        let mut changed = false;
        for &number in reached.iter().rev() {
            let mut load = 0;
            for check in 0..self.nodes[number].checks.len() {
                let edge = &self.nodes[number].checks[check];
                let kept = edge.replies.get(edge.kept).map(|&(_, child)| child);
                let Some(kept) = kept.filter(|&child| self.nodes[child].owner == (number, check))
                else {
                    continue;
                };
                let weigh = |child: usize| {
                    let node = &self.nodes[child];
                    let reached = child != kept && node.seen == walk;
                    let load = if reached { 0 } else { node.load };
                    node.won.is_none().then_some(load)
                };
                let tried = edge.replies.iter().enumerate();
                let lightest = tried
                    .filter_map(|(at, &(_, child))| Some((weigh(child)?, child != kept, at, child)))
                    .min();
                let Some((least, _, at, child)) = lightest else {
                    continue;
                };
                load += least;
                if child != kept {
                    changed = true;
                    self.nodes[number].checks[check].kept = at;
                    self.nodes[child].parents.push((number, check));
                }
            }
            if self.nodes[number].is_expanded() {
                self.nodes[number].load = load;
            }
        }
        changed
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
                .max_by_key(|&(moves, reply, _)| (moves, std::cmp::Reverse(reply)));
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
    let mut search = Search {
        nodes: Vec::new(),
        by_key: Table::default(),
        bans: bans.clone(),
        moves: MoveList::new(),
    };
    search.node(&mut position.clone());
    let root = &mut search.nodes[0];
    root.moves = root.moves.iter().copied().filter(|&mv| first(mv)).collect();
    let mut walk = 1;
    loop {
        let mut reached = search.reached(walk);
        if search.keep_lighter(walk, &reached) {
            walk += 1;
            reached = search.reached(walk);
        }
        walk += 1;
        reached.retain(|&number| !search.nodes[number].is_expanded());
        if reached.is_empty() {
            return Some(Shown(search));
        }
        for open in reached {
            if !budget.take() {
                return None;
            }
            search.expand(open);
            if search.nodes[0].won.is_some() {
                return Some(Shown(search));
            }
        }
    }
}
