//! Captures on one square, each side free to stop.

use super::memo::Table;
use super::piece::{PieceId, PieceSet, Side};
use super::position::Position;
use super::square::{Move, Square};

/// What pieces are worth, as whoever asks counts it.
pub(crate) trait Worth: Copy {
    /// Of nothing.
    const NOTHING: Self;

    /// In one number: what is less is worth less.
    fn number(self) -> i32;

    /// With the other taken off.
    #[must_use]
    fn minus(self, other: Self) -> Self;
}

/// How a square is traded on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trade<F> {
    /// What a piece is worth on the square.
    pub worth: F,
    /// The side whose king may be left in check.
    pub careless: Option<Side>,
    /// The pieces that take nothing.
    pub idle: PieceSet,
}

/// Captures that are played out one by one. Where more pieces bear on the square there may be very many ways, and what a way
/// comes to is looked up by the pieces it leaves.
const FEW: u32 = 200;

impl<W: Worth, F: Fn(PieceId, Square) -> W> Trade<F> {
    /// What a capture comes to for whoever makes it. Of replies that are worth as much the first of the pieces makes its own.
    pub fn after(&self, position: &mut Position, mv: Move) -> W {
        let all = self.all_ways(position, mv, &mut { FEW });
        all.unwrap_or_else(|| self.looked_up(position, mv).0)
    }

    /// The same by what the pieces that are left come to, and how many were looked at.
    fn looked_up(&self, position: &mut Position, mv: Move) -> (W, usize) {
        let won = self.standing(position, mv.to);
        let undo = position.make(mv);
        let mut long = Long {
            trade: self,
            square: mv.to,
            known: Table::default(),
        };
        let best = long.best(position, -1, i32::MAX);
        let lost = long.of_best(position, best);
        position.unmake(undo);
        (won.minus(lost), long.known.len())
    }

    fn standing(&self, position: &Position, square: Square) -> W {
        let standing = position.id_at(square);
        standing.map_or(W::NOTHING, |id| (self.worth)(id, square))
    }

    /// Who may take on a square.
    fn takers(&self, position: &Position, square: Square) -> PieceSet {
        position
            .bearing_on(square, position.turn())
            .minus(self.idle)
    }

    fn may(&self, position: &mut Position, mv: Move) -> bool {
        self.careless == Some(position.turn()) || position.keeps_king_safe(mv)
    }

    /// The same by every way, as long as there are few.
    fn all_ways(&self, position: &mut Position, mv: Move, left: &mut u32) -> Option<W> {
        *left = left.checked_sub(1)?;
        let won = self.standing(position, mv.to);
        let undo = position.make(mv);
        // No more can be lost than the captor.
        let price = self.standing(position, mv.to).number();
        let mut best = Some(W::NOTHING);
        for id in self.takers(position, mv.to) {
            let lost = best.map_or(price, W::number);
            if lost >= price {
                break;
            }
            let reply = Move::new(position.square_of(id), mv.to);
            if self.may(position, reply) {
                let found = self.all_ways(position, reply, left);
                if found.is_none_or(|found| found.number() > lost) {
                    best = found;
                }
            }
        }
        position.unmake(undo);
        Some(won.minus(best?))
    }
}

/// A trade in which many pieces take part.
struct Long<'t, F> {
    trade: &'t Trade<F>,
    square: Square,
    /// Between what and what it comes to, by the pieces that are left and the one that stands on the square.
    known: Table<(PieceSet, Option<PieceId>), (i32, i32)>,
}

impl<W: Worth, F: Fn(PieceId, Square) -> W> Long<'_, F> {
    /// What the side to move wins at best, if that is more than one number and less than another; else some number on the same
    /// side of them.
    fn best(&mut self, position: &mut Position, above: i32, below: i32) -> i32 {
        let key = (position.pieces(), position.id_at(self.square));
        let price = self.trade.standing(position, self.square).number();
        let (least, most) = self.known.get(&key).copied().unwrap_or((0, price.max(0)));
        if least >= below || least == most {
            return least;
        }
        if most <= above {
            return most;
        }
        let mut best = least;
        for id in self.cheapest_first(position) {
            if best >= below || best >= most {
                break;
            }
            let mv = Move::new(position.square_of(id), self.square);
            if !self.trade.may(position, mv) {
                continue;
            }
            let floor = best.max(above);
            let undo = position.make(mv);
            let lost = self.best(position, price - below, price - floor);
            position.unmake(undo);
            best = best.max(price - lost);
        }
        let found = if best >= below {
            (best.max(least), most)
        } else if best > above {
            (best, best)
        } else {
            (least, best.max(above).min(most))
        };
        self.known.insert(key, found);
        best
    }

    /// The same, of what it is made up.
    fn of_best(&mut self, position: &mut Position, best: i32) -> W {
        if best == 0 {
            return W::NOTHING;
        }
        let standing = self.trade.standing(position, self.square);
        let lost = standing.number() - best;
        for id in self.trade.takers(position, self.square) {
            let mv = Move::new(position.square_of(id), self.square);
            if !self.trade.may(position, mv) {
                continue;
            }
            let undo = position.make(mv);
            let is_it = self.best(position, lost - 1, lost + 1) == lost;
            let lost = is_it.then(|| self.of_best(position, lost));
            position.unmake(undo);
            if let Some(lost) = lost {
                return standing.minus(lost);
            }
        }
        W::NOTHING
    }

    /// Who may take, what is worth least first: that is mostly best.
    fn cheapest_first(&self, position: &Position) -> Vec<PieceId> {
        let mut takers: Vec<_> = self
            .trade
            .takers(position, self.square)
            .into_iter()
            .collect();
        takers.sort_by_key(|&id| (self.trade.worth)(id, self.square).number());
        takers
    }
}

#[cfg(test)]
mod tests {
    use super::super::movegen::MoveList;
    use super::super::{Piece, Role, Setup, thrown};
    use super::*;

    /// A number, and what it is made up of.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Made(i32, i32);

    impl Worth for Made {
        const NOTHING: Self = Self(0, 0);

        fn number(self) -> i32 {
            self.0
        }

        fn minus(self, other: Self) -> Self {
            Self(self.0 - other.0, self.1 - other.1)
        }
    }

    fn made(id: PieceId, _: Square) -> Made {
        match id.role() {
            Role::King => Made(0, 0),
            Role::Rook => Made(20, 1),
            // What is worth as much is told apart.
            Role::Horse => Made(10, 100),
            Role::Cannon => Made(10, 10_000),
            Role::Advisor | Role::Elephant => Made(4, 1_000_000),
            Role::Pawn => Made(3, 50_000_000),
        }
    }

    #[test]
    fn what_is_looked_up_is_what_all_ways_come_to() {
        let trade = Trade {
            worth: made,
            careless: None,
            idle: PieceSet::EMPTY,
        };
        // Now these pieces stand about the square, now those, no more than can be gone through.
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let thinned = (0..300).map(|_| {
            let mut position = crowded();
            for id in position.pieces() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if id.role() != Role::King && seed >> 62 < 2 {
                    position.lift(id);
                }
            }
            position
        });
        let mut traded = 0;
        for mut position in thrown(2_000).chain(thinned) {
            let mut captures = MoveList::new();
            position.pseudo_captures_into(&mut captures);
            for &mv in &*captures {
                let all = trade.all_ways(&mut position, mv, &mut { u32::MAX });
                let (found, looked_up) = trade.looked_up(&mut position, mv);
                assert_eq!(Some(found), all, "{position:?} {mv}");
                traded += usize::from(looked_up > 4);
            }
        }
        assert!(traded > 300, "{traded}");
    }

    /// Nine pieces and eight about one square.
    fn crowded() -> Position {
        let ranks = "3k5/9/2c6/1nrn5/2p6/rpppCc3/N1R6/B1RNB4/2C6/5K3";
        let mut setup = Setup::empty(Side::Red);
        for (rank, row) in (0..).zip(ranks.rsplit('/')) {
            let mut file = 0;
            for letter in row.chars() {
                let role = Role::ALL
                    .into_iter()
                    .find(|role| role.letter() == letter.to_ascii_lowercase());
                let side = Side::ALL[usize::from(letter.is_ascii_lowercase())];
                if let (Some(role), Some(square)) = (role, Square::new(file, rank)) {
                    setup.put(square, Some(Piece::new(side, role)));
                }
                file += letter
                    .to_digit(10)
                    .map_or(1, |skip| u8::try_from(skip).unwrap_or(9));
            }
        }
        setup.position().unwrap_or_else(|_| Position::start())
    }

    /// Every order of these captures would take longer than anyone waits.
    #[test]
    fn a_crowded_square_costs_little() {
        let mut position = crowded();
        let square = Square::all().find(|square| square.to_string() == "c4");
        let trade = Trade {
            worth: made,
            careless: None,
            idle: PieceSet::EMPTY,
        };
        let mut captures = MoveList::new();
        position.pseudo_captures_into(&mut captures);
        let mut crowded = 0;
        for &mv in captures.iter().filter(|mv| Some(mv.to) == square) {
            assert_eq!(trade.all_ways(&mut position, mv, &mut { FEW }), None);
            let (_, looked_up) = trade.looked_up(&mut position, mv);
            assert!(looked_up < 3_000, "{mv}: {looked_up}");
            crowded += 1;
        }
        assert!(crowded > 0);
    }
}
