//! Checking moves.

use super::budget::Budget;
use crate::board::{Move, MoveList, Position, Role};

/// Every legal move of the side to move that gives check, in the order of the move list.
pub fn checking_moves(position: &mut Position, found: &mut Vec<Move>) {
    checks_of(position, false, found);
}

/// The same, legal or, for a side whose own king is left out of account, as its pieces move.
pub(super) fn checks_of(position: &mut Position, careless: bool, found: &mut Vec<Move>) {
    found.clear();
    let mut moves = MoveList::new();
    position.pseudo_moves_into(&mut moves);
    let side = position.turn();
    let king = position.king(side.opponent());
    for &mv in &*moves {
        // A move touches the enemy king only along its lines, by a horse's step or a leg let go.
        let near = |sq: crate::board::Square| sq.file() == king.file() || sq.rank() == king.rank();
        let leg =
            mv.from.file().abs_diff(king.file()) == 1 && mv.from.rank().abs_diff(king.rank()) == 1;
        let horse = || {
            let (df, dr) = (
                mv.to.file().abs_diff(king.file()),
                mv.to.rank().abs_diff(king.rank()),
            );
            matches!((df, dr), (1, 2) | (2, 1))
                && position
                    .piece_at(mv.from)
                    .is_some_and(|p| p.role == Role::Horse)
        };
        if !(near(mv.from) || near(mv.to) || leg || horse()) || mv.to == king {
            continue;
        }
        let undo = position.make(mv);
        let checks = position.in_check() && (careless || !position.attacked(side));
        position.unmake(undo);
        if checks {
            found.push(mv);
        }
    }
}

/// Whether the side to move mates within `depth` consecutive checks.
pub fn mates_within(position: &mut Position, depth: u32, budget: &mut Budget) -> bool {
    if depth == 0 || !budget.take() {
        return false;
    }
    let mut checks = Vec::new();
    checking_moves(position, &mut checks);
    checks.iter().any(|&check| {
        let undo = position.make(check);
        let mut answers = MoveList::new();
        position.legal_moves_into(&mut answers);
        let mates = answers.iter().all(|&answer| {
            let undo = position.make(answer);
            let mates = mates_within(position, depth - 1, budget);
            position.unmake(undo);
            mates
        });
        position.unmake(undo);
        mates
    })
}
