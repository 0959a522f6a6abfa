//! A player with some sense: takes what pays, does not put pieces where they are lost, checks now
//! and then, and otherwise moves at random.

use super::Plan;
use super::repeat::{candidates, kind};
use crate::board::{Move, MoveList, Position, Role, Side};
use crate::compare::Dice;
use crate::game::{Ended, RepetitionScan};
use crate::notation::GameResult;
use crate::rules::RuleBook;

/// How many candidate cycles of a game are judged before it is given up.
const MOST_JUDGED: usize = 8;
/// A cycle is looked for from here on.
const FIRST_PLY: usize = 12;

/// A game being played.
pub(super) struct Player {
    start: Position,
    scan: RepetitionScan,
    moves: Vec<Move>,
    length: usize,
    list: MoveList,
    ended: Option<Ended>,
}

/// What a piece is worth, in half pawns.
fn value(role: Role) -> i32 {
    match role {
        Role::King => 100,
        Role::Rook => 18,
        Role::Cannon | Role::Horse => 9,
        Role::Advisor | Role::Elephant => 4,
        Role::Pawn => 2,
    }
}

pub(super) fn role_at(position: &Position, square: crate::board::Square) -> Option<Role> {
    position.id_at(square).map(crate::board::PieceId::role)
}

impl Player {
    /// A game from a position, to be about so many plies long.
    pub(super) fn new(start: Position, length: usize) -> Self {
        let mut scan = RepetitionScan::new();
        scan.begin(&start);
        Self {
            start,
            scan,
            moves: Vec::with_capacity(length + 40),
            length,
            list: MoveList::new(),
            ended: None,
        }
    }

    pub(super) const fn start(&self) -> &Position {
        &self.start
    }

    pub(super) fn into_moves(self) -> Vec<Move> {
        self.moves
    }

    fn push(&mut self, mv: Move) -> u32 {
        self.moves.push(mv);
        self.scan.push(mv)
    }

    /// Plays to the end.
    pub(super) fn play_out(&mut self, dice: &mut Dice) {
        while self.moves.len() < self.length && self.step(dice) {}
    }

    /// Plays until a cycle of this kind can be gone round, goes round, and plays to the end.
    /// False where none came about.
    pub(super) fn play_with(&mut self, dice: &mut Dice, plan: Plan, book: &RuleBook) -> bool {
        let mut judged = 0;
        while self.moves.len() < self.length {
            if self.moves.len() >= FIRST_PLY {
                for cycle in candidates(self.scan.position(), dice, plan) {
                    if judged == MOST_JUDGED {
                        return false;
                    }
                    judged += 1;
                    let found = kind(book, self.scan.position(), &cycle);
                    if found == Some(plan) || (plan == Plan::Short && found.is_some()) {
                        self.go_round(dice, plan, &cycle);
                        return true;
                    }
                }
            }
            if !self.step(dice) {
                return false;
            }
        }
        false
    }

    /// Goes round a cycle, and plays on unless the players leave it at that.
    pub(super) fn go_round(&mut self, dice: &mut Dice, plan: Plan, cycle: &[Move]) {
        let short = plan == Plan::Short;
        // Gone round three times in full, a cycle is pending in every book.
        let rounds = if short { 2 } else { 3 + dice.below(3) };
        let mut more = if short { 0 } else { dice.below(cycle.len()) };
        if rounds == 3 {
            more = more.min(1);
        }
        let plies = rounds * cycle.len() + more;
        for &mv in cycle.iter().cycle().take(plies) {
            self.push(mv);
        }
        if short || dice.below(2) == 0 {
            self.length = self.length.max(self.moves.len() + 10);
            self.play_out(dice);
        }
    }

    /// One move; false at the end of the game. The player does not repeat by himself.
    fn step(&mut self, dice: &mut Dice) -> bool {
        let mut list = std::mem::take(&mut self.list);
        let mut position = self.scan.position().clone();
        position.legal_moves_into(&mut list);
        let chosen = choose(&position, &list, dice);
        self.list = list;
        let Some(mv) = chosen else {
            self.ended = Ended::of(&position);
            return false;
        };
        // Only what is planned shall repeat.
        if self.push(mv) > 1 {
            self.length = 0;
        }
        true
    }

    pub(super) fn result(&self) -> GameResult {
        let position = self.scan.position();
        let winner = if let Some(ended) = self.ended {
            Some(ended.loser.opponent())
        } else {
            let material =
                |side| -> i32 { position.pieces_of(side).map(|id| value(id.role())).sum() };
            match material(Side::Red) - material(Side::Black) {
                12.. => Some(Side::Red),
                ..=-12 => Some(Side::Black),
                _ => None,
            }
        };
        match winner {
            Some(Side::Red) => GameResult::RedWins,
            Some(Side::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}

/// A move for the side to move; `None` where there is none.
fn choose(position: &Position, list: &[Move], dice: &mut Dice) -> Option<Move> {
    let enemy = position.turn().opponent();
    let guarded = |mv: Move| !position.bearing_on(mv.to, enemy).is_empty();
    let worth = |mv: Move| role_at(position, mv.from).map_or(0, value);
    let mut best: Option<(i32, Move)> = None;
    for &mv in list {
        let Some(victim) = role_at(position, mv.to) else {
            continue;
        };
        let loss = if guarded(mv) { worth(mv) } else { 0 };
        let gain = value(victim) - loss;
        if gain > best.map_or(0, |(most, _)| most) {
            best = Some((gain, mv));
        }
    }
    if let Some((_, mv)) = best
        && dice.below(8) > 0
    {
        return Some(mv);
    }
    let loses = |mv: Move| {
        let gain = role_at(position, mv.to).map_or(0, value);
        guarded(mv) && worth(mv) > gain
    };
    if dice.below(8) == 0 {
        let from = dice.below(list.len());
        let (front, back) = list.split_at_checked(from)?;
        let checks = |mv: &&Move| position.after(**mv).in_check() && !loses(**mv);
        if let Some(&mv) = back.iter().chain(front).find(checks) {
            return Some(mv);
        }
    }
    let mut tried = None;
    for _ in 0..6 {
        let mv = dice.pick(list)?;
        tried = Some(mv);
        let dull = match role_at(position, mv.from) {
            Some(Role::King) => dice.below(4) > 0,
            Some(Role::Advisor | Role::Elephant) => dice.below(2) > 0,
            _ => false,
        };
        if !dull && !loses(mv) {
            break;
        }
    }
    tried
}
