//! What a side can force by consecutive checks: mate (28.2, 24.2), or something else it wants (29.1, 24.3).
//!
//! A game of reaching: the positions in which the side is to move are nodes; a node is won when it is what
//! is wanted, or when some check leaves no reply, or only replies to nodes that are won. There is no depth:
//! a line that repeats never wins. One reply is tried for each check, the next only when the node after the
//! first turned out won; so what is looked at when the answer is no is closed under checks, and proves it.

use super::board::{Kind, Move, Position};
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

pub enum Answer {
    /// With the checks and the replies that held out last.
    Yes(Vec<Move>),
    No,
    /// More nodes than are looked at.
    Open,
}

#[derive(Default)]
struct Node {
    won: bool,
    /// The check that wins, when one does.
    by: Option<usize>,
    checks: Vec<Check>,
    /// The checks whose reply being tried leads here: (node, check).
    waiting: Vec<(usize, usize)>,
}

struct Check {
    mv: Move,
    replies: Vec<(Move, Position)>,
    tried: usize,
}

struct Game {
    nodes: Vec<Node>,
    places: Vec<Position>,
    index: HashMap<Position, usize>,
    queue: VecDeque<usize>,
}

/// Can the side to move in `start`, beginning with a check, force mate or a position (it to move) that is
/// `wanted`? Moves that are `banned` neither side may make; `most` nodes are looked at,
/// and how many were is told.
pub fn force(
    start: &Position,
    banned: &dyn Fn(&Position, Move) -> bool,
    wanted: &mut dyn FnMut(&Position) -> bool,
    most: usize,
) -> (Answer, usize) {
    let mut game = Game {
        nodes: Vec::new(),
        places: Vec::new(),
        index: HashMap::new(),
        queue: VecDeque::new(),
    };
    game.node(*start);
    while let Some(n) = game.queue.pop_front() {
        let place = game.places[n];
        if game.nodes[n].won {
            continue;
        }
        if n > 0 && wanted(&place) {
            game.win(n, None);
        } else {
            for (mv, after) in place.checks() {
                if banned(&place, mv) {
                    continue;
                }
                let replies = replies(&after, banned);
                game.nodes[n].checks.push(Check {
                    mv,
                    replies,
                    tried: 0,
                });
                let check = game.nodes[n].checks.len() - 1;
                if !game.holds_out(n, check) {
                    game.win(n, Some(check));
                    break;
                }
            }
        }
        if game.nodes[0].won {
            return (Answer::Yes(game.line()), game.nodes.len());
        }
        if game.nodes.len() > most {
            return (Answer::Open, game.nodes.len());
        }
    }
    (Answer::No, game.nodes.len())
}

/// The replies to a check, those first that leave fewest checks: what takes something, then by counting.
/// When all are banned none is: a ban mates nobody.
fn replies(after: &Position, banned: &dyn Fn(&Position, Move) -> bool) -> Vec<(Move, Position)> {
    let worth = |kind: Option<Kind>| match kind {
        None => 0,
        Some(Kind::Rook) => 3,
        Some(Kind::Horse | Kind::Cannon) => 2,
        Some(_) => 1,
    };
    let mut moves = after.legal_moves();
    if !moves.iter().all(|m| banned(after, *m)) {
        moves.retain(|m| !banned(after, *m));
    }
    let mut replies: Vec<_> = moves.into_iter().map(|m| (m, after.after(m))).collect();
    if replies.len() > 1 {
        replies.sort_by_cached_key(|(m, next)| {
            (Reverse(worth(after.kind(m.to))), next.checks().len())
        });
    }
    replies
}

impl Game {
    fn node(&mut self, place: Position) -> usize {
        *self.index.entry(place).or_insert_with(|| {
            self.nodes.push(Node::default());
            self.places.push(place);
            self.queue.push_back(self.nodes.len() - 1);
            self.nodes.len() - 1
        })
    }

    /// Looks for a reply to this check that leads to a node not won; false if there is none left.
    fn holds_out(&mut self, n: usize, check: usize) -> bool {
        while let Some((_, place)) = {
            let check = &self.nodes[n].checks[check];
            check.replies.get(check.tried).copied()
        } {
            let next = self.node(place);
            if !self.nodes[next].won {
                self.nodes[next].waiting.push((n, check));
                return true;
            }
            self.nodes[n].checks[check].tried += 1;
        }
        false
    }

    /// Marks a node as won, and what waited for it if no other reply is left there.
    fn win(&mut self, n: usize, by: Option<usize>) {
        let mut work = vec![(n, by)];
        while let Some((n, by)) = work.pop() {
            if self.nodes[n].won {
                continue;
            }
            self.nodes[n].won = true;
            self.nodes[n].by = by;
            for (parent, check) in std::mem::take(&mut self.nodes[n].waiting) {
                if !self.nodes[parent].won && !self.holds_out(parent, check) {
                    work.push((parent, Some(check)));
                }
            }
        }
    }

    fn line(&self) -> Vec<Move> {
        let (mut told, mut n) = (Vec::new(), 0);
        while let Some(by) = self.nodes[n].by {
            let check = &self.nodes[n].checks[by];
            told.push(check.mv);
            let Some((mv, place)) = check.replies.last() else {
                break;
            };
            told.push(*mv);
            n = self.index[place];
            if told.len() >= 40 {
                break;
            }
        }
        told
    }
}
