//! Mate by consecutive checks, with no limit of depth.
//!
//! A node is a position with the attacker to move. It is won when some check leaves the defender
//! no reply, or only replies whose nodes are won: the *least* such set, so a line that only
//! repeats wins nothing and the answer does not depend on the way a position was reached.
//!
//! The set is worked out lazily, node after node. To begin with each check keeps one reply, and the nodes reached through
//! kept replies are expanded in the order of their depth: a mate that is near is found by the shortest way, and if no node
//! is left to be expanded the kept replies refute every check. What is not settled soon is searched by proof numbers: each
//! node tells about how much is to be shown for it to be won, and for it to be refuted, and the way goes where that is
//! least. A win is a win whichever way it was found. A refutation may lean on a node
//! that stands earlier on the way, and so counts for nothing until all that is reached through refuting replies has been
//! gone through and found refuted.

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
    /// Yes, by check, reply, check, …, the mating move, the defender holding out as long as the proof allows.
    Mates(Vec<Move>),
    /// No: every check has an answer.
    Escapes,
    /// The budget ran out.
    Open,
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
    /// Checks whose kept reply led here when it came to be kept.
    parents: Vec<Edge>,
    /// The check that wins, and in how many moves at most.
    won: Option<(usize, u32)>,
    /// How much is left to be shown.
    left: Left,
    /// Whether the way looked along goes through it.
    ahead: bool,
}

#[derive(Debug, Default)]
struct Check {
    /// The replies and the nodes they lead to, in the order in which they are tried.
    replies: Vec<(Move, usize)>,
    /// Which reply is kept.
    kept: usize,
}

impl Check {
    /// The node that the kept reply leads to.
    fn child(&self) -> Option<usize> {
        Some(self.replies.get(self.kept)?.1)
    }
}

/// How much is to be shown for a mate, and how much for an escape, as far as is known: about as many nodes as would have
/// to be won, or refuted. Those of several options are not added up, since they mostly lead to the same nodes.
#[derive(Clone, Copy, Debug)]
struct Left {
    mate: u32,
    escape: u32,
}

/// More than can be shown.
const NEVER: u32 = 1 << 30;

impl Left {
    const WON: Self = Self {
        mate: 0,
        escape: NEVER,
    };
    const REFUTED: Self = Self {
        mate: NEVER,
        escape: 0,
    };
    const NEVER: Self = Self {
        mate: NEVER,
        escape: NEVER,
    };

    /// Of a position of whose checks nothing is known: the more there are, the more come after each.
    fn of(checks: &[Move]) -> Self {
        let checks = u32::try_from(checks.len()).unwrap_or(NEVER);
        match checks.saturating_pow(3).min(NEVER - 1) {
            0 => Self::REFUTED,
            escape => Self { mate: 1, escape },
        }
    }

    /// Whether it is settled, or one of the two comes to a limit.
    const fn reaches(self, limit: Self) -> bool {
        self.mate == 0 || self.escape == 0 || self.mate >= limit.mate || self.escape >= limit.escape
    }
}

/// What is known of a check.
struct Replies {
    left: Left,
    /// How many replies beside one are not won.
    others: u32,
    /// Where least is to be refuted,
    child: usize,
    /// and how much where it is next least.
    second: u32,
}

/// So far a way is followed before the next best: a quarter farther than to where that is as good.
fn beyond(next_best: u32) -> u32 {
    (next_best + next_best / 4 + 1).min(NEVER)
}

impl Node {
    /// Whether its replies are known; without a check there is nothing to find out.
    fn is_expanded(&self) -> bool {
        self.checks.len() == self.moves.len()
    }

    fn is_refuted(&self) -> bool {
        self.won.is_none() && self.left.escape == 0
    }
}

/// So many nodes are expanded in the order of their depth.
const NEAR: u32 = 100;

#[derive(Debug)]
struct Search {
    nodes: Vec<Node>,
    known: Table<Packed, usize>,
    bans: Bans,
    moves: MoveList,
}

impl Search {
    /// A search from a position by such checks only to begin with.
    fn beginning(position: &Position, first: impl Fn(Move) -> bool, bans: &Bans) -> Self {
        let mut search = Self {
            nodes: Vec::new(),
            known: Table::default(),
            bans: bans.clone(),
            moves: MoveList::new(),
        };
        let root = search.node(&mut position.clone());
        let node = &mut search.nodes[root];
        node.moves = node.moves.iter().copied().filter(|&mv| first(mv)).collect();
        node.left = Left::of(&node.moves);
        search
    }

    fn node(&mut self, position: &mut Position) -> usize {
        let packed = position.packed();
        if let Some(&known) = self.known.get(&packed) {
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
            position: packed,
            left: Left::of(&moves),
            moves,
            checks: Vec::new(),
            parents: Vec::new(),
            won: None,
            ahead: false,
        });
        self.known.insert(packed, number);
        number
    }

    /// Whether the side to move mates; nothing where the budget does not tell.
    fn mates(&mut self, budget: &mut Budget<'_>) -> Option<bool> {
        let near = self.near(budget);
        if near.is_some() || budget.is_spent() {
            return near;
        }
        let mut top = 0;
        loop {
            self.look_into(top, budget)?;
            if self.nodes[0].won.is_some() {
                return Some(true);
            }
            let Some(unsettled) = self.unrefuted() else {
                return Some(self.nodes[0].won.is_some());
            };
            top = unsettled;
        }
    }

    /// Expands nodes in the order of their depth until it is settled whether there is a mate, or many have been expanded.
    fn near(&mut self, budget: &mut Budget<'_>) -> Option<bool> {
        let mut expanded = 0;
        while expanded < NEAR {
            let open = self.open();
            if open.is_empty() {
                return Some(false);
            }
            for number in open {
                if !budget.take() {
                    return None;
                }
                self.expand(number);
                expanded += 1;
                for check in 0..self.nodes[number].checks.len() {
                    if self.nodes[number].won.is_none() {
                        self.keep_reply(number, check);
                    }
                }
                if self.nodes[number].won.is_some() {
                    // What was reached may be reached no more.
                    break;
                }
            }
            if self.nodes[0].won.is_some() {
                return Some(true);
            }
        }
        None
    }

    /// All nodes still to be expanded that are reached through kept replies, by their depth.
    fn open(&self) -> Vec<usize> {
        let mut met = vec![false; self.nodes.len()];
        let (mut open, mut reached) = (Vec::new(), vec![0]);
        let mut at = 0;
        while let Some(&number) = reached.get(at) {
            at += 1;
            let node = &self.nodes[number];
            if !node.is_expanded() {
                open.push(number);
            }
            for child in node.checks.iter().filter_map(Check::child) {
                if !std::mem::replace(&mut met[child], true) {
                    reached.push(child);
                }
            }
        }
        open
    }

    /// Finds the replies to a node's checks, up to one that has none and mates.
    fn expand(&mut self, number: usize) {
        let node = &mut self.nodes[number];
        node.checks.resize_with(node.moves.len(), Check::default);
        let mut position = node.position.position();
        for check in 0..self.nodes[number].checks.len() {
            let undo = position.make(self.nodes[number].moves[check]);
            let replies = self.replies(&mut position);
            position.unmake(undo);
            let mates = replies.is_empty();
            self.nodes[number].checks[check].replies = replies;
            if mates {
                return;
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

    /// Keeps the first reply to a check that may refute it. Without one the node is won, and so may be the nodes whose
    /// checks had kept it.
    fn keep_reply(&mut self, number: usize, check: usize) {
        let mut refuted = vec![(number, check)];
        while let Some((number, check)) = refuted.pop() {
            if self.nodes[number].won.is_some() {
                continue;
            }
            let replies = &self.nodes[number].checks[check].replies;
            let stands = |&(_, child): &(Move, usize)| self.nodes[child].won.is_none();
            if let Some(at) = replies.iter().position(stands) {
                let child = replies[at].1;
                self.nodes[number].checks[check].kept = at;
                self.nodes[child].parents.push((number, check));
                continue;
            }
            self.win(number, check);
            let mut parents = std::mem::take(&mut self.nodes[number].parents);
            parents
                .retain(|&(above, check)| self.nodes[above].checks[check].child() == Some(number));
            refuted.append(&mut parents);
        }
    }

    /// A node is won by a check all of whose replies lead to such nodes.
    fn win(&mut self, number: usize, check: usize) {
        let replies = self.nodes[number].checks[check].replies.iter();
        let wins = replies.filter_map(|&(_, child)| self.nodes[child].won);
        let moves = wins.map(|won| won.1).max().unwrap_or(0) + 1;
        let node = &mut self.nodes[number];
        node.won = Some((check, moves));
        node.left = Left::WON;
    }

    /// Looks into a node until it is won or refuted: always where least is to be shown.
    fn look_into(&mut self, top: usize, budget: &mut Budget<'_>) -> Option<()> {
        let mut way = vec![(top, Left::NEVER)];
        while let Some(&(number, limit)) = way.last() {
            if !self.nodes[number].is_expanded() {
                if !budget.take() {
                    return None;
                }
                self.expand(number);
            }
            self.nodes[number].ahead = true;
            let next = self.weigh(number, limit);
            if let Some(next) = next {
                way.push(next);
            } else {
                self.nodes[number].ahead = false;
                way.pop();
            }
        }
        Some(())
    }

    /// What is to be shown below a node, and the node to look into next, unless it is settled or comes to its limit.
    fn weigh(&mut self, number: usize, limit: Left) -> Option<(usize, Left)> {
        let mut left = Left::REFUTED;
        let mut second = NEVER;
        let (mut unrefuted, mut best) = (0, None);
        for check in 0..self.nodes[number].checks.len() {
            let replies = self.weigh_replies(&self.nodes[number].checks[check]);
            if replies.left.mate == 0 {
                self.win(number, check);
                return None;
            }
            if replies.left.escape == 0 {
                continue;
            }
            unrefuted += 1;
            left.escape = left.escape.max(replies.left.escape);
            if replies.left.mate < left.mate {
                second = left.mate;
                left.mate = replies.left.mate;
                best = Some(replies);
            } else {
                second = second.min(replies.left.mate);
            }
        }
        let others = u32::max(unrefuted, 1) - 1;
        left.escape += others;
        self.nodes[number].left = left;
        if left.reaches(limit) {
            return None;
        }
        let best = best?;
        let limit = Left {
            mate: limit.mate.min(beyond(second)) - best.others,
            escape: (limit.escape - others).min(beyond(best.second)),
        };
        Some((best.child, limit))
    }

    /// The same of a check: every reply has to be won, or one refuted.
    fn weigh_replies(&self, check: &Check) -> Replies {
        let mut found = Replies {
            left: Left::WON,
            others: 0,
            child: 0,
            second: NEVER,
        };
        let mut open = 0;
        for &(_, child) in &check.replies {
            let node = &self.nodes[child];
            let left = if node.ahead {
                // What comes round again wins nothing.
                Left::REFUTED
            } else {
                node.left
            };
            if left.mate > 0 {
                open += 1;
            }
            found.left.mate = found.left.mate.max(left.mate);
            if left.escape < found.left.escape {
                found.second = found.left.escape;
                (found.left.escape, found.child) = (left.escape, child);
            } else {
                found.second = found.second.min(left.escape);
            }
        }
        found.others = u32::max(open, 1) - 1;
        if found.left.mate < NEVER {
            found.left.mate += found.others;
        }
        found
    }

    /// Goes through what is reached through refuting replies, and keeps those. The first node there that is not refuted;
    /// none if all are, or if the root turns out to be won: what refuted a node may have been won since.
    fn unrefuted(&mut self) -> Option<usize> {
        loop {
            let mut met = vec![false; self.nodes.len()];
            let mut reached = vec![0];
            met[0] = true;
            let mut won = None;
            while let Some(number) = reached.pop() {
                for check in 0..self.nodes[number].checks.len() {
                    let replies = self.nodes[number].checks[check].replies.iter().enumerate();
                    let best = replies
                        .filter(|(_, (_, child))| self.nodes[*child].won.is_none())
                        .min_by_key(|(at, (_, child))| {
                            (!met[*child], self.nodes[*child].left.escape, *at)
                        });
                    let Some((at, &(_, child))) = best else {
                        won = Some((number, check));
                        break;
                    };
                    self.nodes[number].checks[check].kept = at;
                    if !self.nodes[child].is_refuted() {
                        return Some(child);
                    }
                    if !std::mem::replace(&mut met[child], true) {
                        reached.push(child);
                    }
                }
            }
            let (number, check) = won?;
            self.win(number, check);
            if number == 0 {
                return None;
            }
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
pub fn mate(position: &Position, bans: &Bans, budget: &mut Budget<'_>) -> MateAnswer {
    mate_beginning(position, |_| true, bans, budget)
}

/// Decides whether the side to move mates by consecutive checks of which the first is such a one.
pub fn mate_beginning(
    position: &Position,
    first: impl Fn(Move) -> bool,
    bans: &Bans,
    budget: &mut Budget<'_>,
) -> MateAnswer {
    match shown(position, first, bans, budget) {
        None => MateAnswer::Open,
        Some(shown) if shown.mates() => MateAnswer::Mates(shown.0.line()),
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
        let number = self.0.known.get(&position.packed())?;
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
    budget: &mut Budget<'_>,
) -> Option<Shown> {
    let mut search = Search::beginning(position, first, bans);
    search.mates(budget)?;
    Some(Shown(search))
}
