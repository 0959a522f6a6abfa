//! The Asian/World rules: section 2.9 (chase by relations, no search) and 3.4 (levels).

use super::board::{Kind, Move, Position, Side, Square, crossed, reaches};

/// 2.9: R 8, N C 4, the others 2.
fn value(kind: Kind) -> u32 {
    match kind {
        Kind::Rook => 8,
        Kind::Horse | Kind::Cannon => 4,
        _ => 2,
    }
}

/// The captures of the side on move; where it is in check, those that would be legal if the pieces that
/// give check gave none, for answering a check makes no old attack new (trap 9).
fn captures(q: &Position) -> Vec<Move> {
    if !q.in_check() {
        return q.legal_captures();
    }
    let king = q.king(q.turn).unwrap();
    let checkers: Vec<Square> = q
        .pieces(q.turn.other())
        .into_iter()
        .filter(|&s| reaches(&q.cells, s, king))
        .collect();
    q.pseudo_moves()
        .into_iter()
        .filter(|m| {
            let next = q.after(*m);
            let home = next.king(q.turn).unwrap();
            let others = next.pieces(q.turn.other());
            q.cells[m.to].is_some_and(|(side, _)| side != q.turn)
                && !next.kings_face()
                && others
                    .iter()
                    .all(|s| checkers.contains(s) || !reaches(&next.cells, *s, home))
        })
        .collect()
}

/// 2.9 `A(Q, S)`: every (captor, victim) such that S, on move in Q, chases `victim`.
pub fn attacks(q: &Position, s: Side) -> Vec<(Square, Square)> {
    let q = q.with_turn(s);
    let mut found = Vec::new();
    for m in captures(&q) {
        let captor = q.kind(m.from).unwrap();
        let (victim_side, victim) = q.cells[m.to].unwrap();
        if matches!(captor, Kind::King | Kind::Pawn) {
            continue;
        }
        if victim == Kind::King || (victim == Kind::Pawn && !crossed(victim_side, m.to)) {
            continue;
        }
        if captor == victim && can_take_back(&q, m) {
            continue;
        }
        if value(victim) > value(captor) || q.after(m).legal_captures_on(m.to).is_empty() {
            found.push((m.from, m.to));
        }
    }
    found
}

/// Clause 24: pieces of the same kind attacking each other; could the attacked one legally take the attacker?
fn can_take_back(q: &Position, m: Move) -> bool {
    let theirs = q.with_turn(q.turn.other());
    reaches(&q.cells, m.to, m.from)
        && theirs.is_safe(Move {
            from: m.to,
            to: m.from,
        })
}

/// 2.9: what the move from `p0` to `p1` newly chases, by victim, whoever the captor.
pub fn newly_chased(p0: &Position, p1: &Position) -> Vec<(Square, Square)> {
    let s = p0.turn;
    let before: Vec<Square> = attacks(p0, s).into_iter().map(|(_, v)| v).collect();
    attacks(p1, s)
        .into_iter()
        .filter(|(_, v)| !before.contains(v))
        .collect()
}

/// 3.4 level 3: a rook held by a horse: lifting it would leave its king in a horse's check.
pub fn held_by_horse(p: &Position, rook: Square) -> bool {
    let Some((owner, Kind::Rook)) = p.cells[rook] else {
        return false;
    };
    let Some(king) = p.king(owner) else {
        return false;
    };
    let horse_checks = |q: &Position| {
        (0..90)
            .any(|s| q.cells[s] == Some((owner.other(), Kind::Horse)) && reaches(&q.cells, s, king))
    };
    !horse_checks(p) && horse_checks(&p.without(rook))
}
