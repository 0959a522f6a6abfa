//! The moves that give check, and the answers to one.

use super::movegen::{MoveList, horse_steps};
use super::piece::{PieceId, Role};
use super::position::Position;
use super::square::{Move, Square, SquareSet};

/// Every legal move of the side to move that gives check, in the order of the move list, into a list
/// that is emptied first.
pub fn checking_moves(position: &mut Position, found: &mut MoveList) {
    let aim = Aim::of(position);
    position.pseudo_moves_onto(|id| aim.squares(position, id), found);
    found.retain(|mv| mv.to != aim.king && position.checks_with(mv));
}

/// How the side to move may come to touch the enemy king: few moves do, and only those are tried
/// out.
struct Aim {
    king: Square,
    /// Where a move may give check wherever it comes from.
    anyhow: SquareSet,
    /// From where a move may give check wherever it goes.
    leaving: SquareSet,
    /// From where a rook would check, and a cannon.
    rook: SquareSet,
    cannon: SquareSet,
    /// Where a horse or a pawn may.
    horse: SquareSet,
    pawn: SquareSet,
}

impl Aim {
    fn of(position: &Position) -> Self {
        let side = position.turn();
        let king = position.king(side.opponent());
        let steps = |steps: [(i8, i8); 4]| -> SquareSet {
            let squares = steps.into_iter();
            squares.filter_map(|(f, r)| king.offset(f, r)).collect()
        };
        let stands = position.attacked(side.opponent());
        let horses = !position.pieces_like(side, Role::Horse).is_empty();
        let [rook, cannon] = position.lines_onto(king);
        let (mut anyhow, mut leaving) = (SquareSet::EMPTY, SquareSet::EMPTY);
        if horses || stands {
            // The legs of horses that attack it.
            leaving = steps([(1, 1), (1, -1), (-1, 1), (-1, -1)]);
        }
        if stands {
            // Attacked already, the king may stay so: of the moves that leave it at that, those on its
            // lines are looked at.
            let lines = king.lines();
            (anyhow, leaving) = (lines, leaving.or(lines));
        }
        let sliders = position
            .pieces_like(side, Role::Rook)
            .or(position.pieces_like(side, Role::Cannon))
            .with(PieceId::king(side));
        for id in sliders {
            let at = position.square_of(id);
            // A move changes the number of pieces between by one at most.
            match position.between(at, king) {
                Some(0) if id.role() == Role::Cannon => {
                    anyhow = anyhow.or(SquareSet::between(at, king));
                    // What else stands behind it may be a screen for itself.
                    leaving = leaving.with(at);
                }
                Some(1) if id.role() != Role::Cannon => {
                    leaving = leaving.or(SquareSet::between(at, king));
                }
                Some(2) if id.role() == Role::Cannon => {
                    leaving = leaving.or(SquareSet::between(at, king));
                }
                _ => {}
            }
        }
        Self {
            king,
            anyhow,
            leaving,
            rook,
            cannon,
            horse: horse_steps(king),
            pawn: steps([(1, 0), (-1, 0), (0, 1), (0, -1)]),
        }
    }

    /// Where a piece may give check by going.
    fn squares(&self, position: &Position, id: PieceId) -> SquareSet {
        if self.leaving.contains(position.square_of(id)) {
            return SquareSet::ALL;
        }
        self.anyhow.or(match id.role() {
            Role::Rook => self.rook,
            Role::Cannon => self.cannon,
            Role::Horse => self.horse,
            Role::Pawn => self.pawn,
            Role::King | Role::Advisor | Role::Elephant => SquareSet::EMPTY,
        })
    }
}

/// The legal answers to a check in the order of the move list, looked for one by one: mostly an
/// early one spoils what the check was for.
pub(crate) struct Answers {
    moves: MoveList,
    next: usize,
}

impl Answers {
    pub(crate) fn of(position: &Position) -> Self {
        let mut moves = MoveList::new();
        let king = PieceId::king(position.turn());
        // One piece that gives the check; every answer deals with that one.
        if let Some(checker) = position.checkers().into_iter().next() {
            let (at, home) = (position.square_of(checker), position.square_of(king));
            let between = SquareSet::between(at, home);
            // The checker is taken, something comes in between or, before a cannon, leaves from there.
            let (ends, may_leave) = match checker.role() {
                Role::Rook | Role::King => (between, SquareSet::EMPTY),
                Role::Cannon => (between, between),
                Role::Horse => {
                    let leg = position.pivot(at, home);
                    (leg.into_iter().collect(), SquareSet::EMPTY)
                }
                Role::Pawn | Role::Advisor | Role::Elephant => (SquareSet::EMPTY, SquareSet::EMPTY),
            };
            let ends = ends.with(at);
            let squares = |id: PieceId| {
                if id == king || may_leave.contains(position.square_of(id)) {
                    SquareSet::ALL
                } else {
                    ends
                }
            };
            position.pseudo_moves_onto(squares, &mut moves);
        } else {
            position.pseudo_moves_into(&mut moves);
        }
        Self { moves, next: 0 }
    }

    /// All of them, into a list that is empty.
    pub(crate) fn all_into(mut self, position: &mut Position, list: &mut MoveList) {
        self.moves.retain(|mv| position.keeps_king_safe(mv));
        *list = self.moves;
    }

    /// The next answer in the position they were asked for.
    pub(crate) fn next(&mut self, position: &mut Position) -> Option<Move> {
        while let Some(&mv) = self.moves.get(self.next) {
            self.next += 1;
            if position.keeps_king_safe(mv) {
                return Some(mv);
            }
        }
        None
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{Piece, Setup, Side};

    /// Positions of a few pieces thrown on the board, the same in every run.
    pub(crate) fn thrown(count: usize) -> impl Iterator<Item = Position> {
        let squares: Vec<Square> = Square::all().collect();
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = move |end: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            usize::try_from(seed % end as u64).unwrap()
        };
        let throw = move || {
            let mut setup = Setup::empty(Side::ALL[below(2)]);
            for side in Side::ALL {
                let home = if side == Side::Red { 0 } else { 7 };
                let files = u8::try_from(below(3)).unwrap();
                let ranks = u8::try_from(below(3)).unwrap();
                let king = Square::new(3 + files, home + ranks).unwrap();
                setup.put(king, Some(Piece::new(side, Role::King)));
                for _ in 0..2 + below(9) {
                    let role = Role::ALL[below(Role::ALL.len())];
                    let at = squares[below(squares.len())];
                    if role != Role::King && setup.piece_at(at).is_none() {
                        setup.put(at, Some(Piece::new(side, role)));
                    }
                }
            }
            setup.possible()
        };
        std::iter::repeat_with(throw).flatten().take(count)
    }

    #[test]
    fn checks_are_the_moves_after_which_the_king_is_attacked() {
        let mut found = MoveList::new();
        let mut checks = 0;
        for mut position in thrown(3_000) {
            checking_moves(&mut position, &mut found);
            let legal = position.legal_moves();
            let all = legal.iter().filter(|&&mv| position.after(mv).in_check());
            assert_eq!(*found, all.copied().collect::<Vec<_>>(), "{position:?}");
            checks += found.len();
        }
        assert!(checks > 3_000, "{checks}");
    }

    #[test]
    fn answers_are_the_legal_moves() {
        let mut checks = 0;
        for position in thrown(3_000) {
            for mv in position.legal_moves().iter() {
                let mut position = position.after(*mv);
                if !position.in_check() {
                    continue;
                }
                checks += 1;
                let mut answers = Answers::of(&position);
                let found: Vec<Move> = std::iter::from_fn(|| answers.next(&mut position)).collect();
                assert_eq!(found, position.legal_moves().to_vec(), "{position:?}");
            }
        }
        assert!(checks > 3_000, "{checks}");
    }
}
