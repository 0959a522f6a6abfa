//! Random positions with few pieces, and cycles made by shuffling them.

use crate::board::{Move, Piece, Position, Role, Setup, Side, Square};
use crate::game::Cycle;

/// A stream of numbers that a seed and an index determine (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64, index: u64) -> Self {
        let mut dice = Self(seed ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03));
        dice.roll();
        dice
    }

    const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 where there is none.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let high = (u128::from(self.roll()) * bound as u128) >> 64;
        usize::try_from(high).unwrap_or_default()
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }
}

/// The kinds put on the board, the more often they stand here the likelier.
const ROLES: [Role; 16] = [
    Role::Rook,
    Role::Rook,
    Role::Rook,
    Role::Horse,
    Role::Horse,
    Role::Horse,
    Role::Cannon,
    Role::Cannon,
    Role::Cannon,
    Role::Pawn,
    Role::Pawn,
    Role::Pawn,
    Role::Advisor,
    Role::Advisor,
    Role::Elephant,
    Role::Rook,
];

/// Of so many cycles the sharpest is taken: most differ in nothing.
const DRAWN: usize = 6;
/// So many positions are tried for them.
const TRIES: usize = 30;

/// A random cycle with `min` to `max` pieces, if the dice give one.
pub(super) fn cycle(dice: &mut Dice, min: usize, max: usize) -> Option<Cycle> {
    let mut best: Option<(usize, Cycle)> = None;
    let mut drawn = 0;
    for _ in 0..TRIES {
        let Some(cycle) = one(dice, min, max) else {
            continue;
        };
        let sharp = sharpness(&cycle);
        if best.as_ref().is_none_or(|(known, _)| sharp > *known) {
            best = Some((sharp, cycle));
        }
        drawn += 1;
        if drawn == DRAWN {
            break;
        }
    }
    best.map(|(_, cycle)| cycle)
}

/// How many of a hundred moves attack something anew.
fn sharpness(cycle: &Cycle) -> usize {
    let mut position = cycle.start().clone();
    let mut sharp = 0;
    for &mv in cycle.moves() {
        sharp += usize::from(attacks(&position, mv));
        position.make(mv);
    }
    100 * sharp / cycle.moves().len().max(1)
}

fn one(dice: &mut Dice, min: usize, max: usize) -> Option<Cycle> {
    let pieces = min + dice.below(max + 1 - min);
    let position = position(dice, pieces)?;
    // Mostly both sides go to and fro; otherwise one round takes each three moves, or four.
    let length = match dice.below(8) {
        0..=4 => 2,
        5 => 3,
        _ => 4,
    };
    let line = walk(dice, &position, length)?;
    Cycle::from_period(&position, &line).ok()
}

fn position(dice: &mut Dice, pieces: usize) -> Option<Position> {
    let turn = if dice.below(2) == 0 {
        Side::Red
    } else {
        Side::Black
    };
    let mut setup = Setup::empty(turn);
    for side in Side::ALL {
        let rank = u8::try_from(dice.below(3)).ok()?;
        let file = 3 + u8::try_from(dice.below(3)).ok()?;
        let square = Square::new(file, rank)?;
        let square = if side == Side::Red {
            square
        } else {
            square.flipped()
        };
        setup.put(square, Some(Piece::new(side, Role::King)));
    }
    let squares: Vec<Square> = Square::all().collect();
    let mut placed = 2;
    for _ in 0..40 * pieces {
        if placed >= pieces {
            break;
        }
        let side = dice.pick(Side::ALL.as_slice())?;
        let piece = Piece::new(side, dice.pick(&ROLES)?);
        let square = dice.pick(&squares)?;
        let like = setup.pieces().filter(|(_, other)| *other == piece).count();
        if setup.piece_at(square).is_some() || like >= usize::from(piece.role.most()) {
            continue;
        }
        if may_stand(piece, square) {
            setup.put(square, Some(piece));
            placed += 1;
        }
    }
    setup.possible().filter(|_| placed == pieces)
}

/// Whether a piece can have come to a square.
fn may_stand(piece: Piece, square: Square) -> bool {
    let own = if piece.side == Side::Red {
        square
    } else {
        square.flipped()
    };
    let (file, rank) = (own.file(), own.rank());
    match piece.role {
        Role::King => own.in_palace() && rank <= 2,
        Role::Advisor => own.in_palace() && rank <= 2 && (file + rank) % 2 == 1,
        Role::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        Role::Pawn => rank > 4 || (rank >= 3 && file % 2 == 0),
        Role::Horse | Role::Rook | Role::Cannon => true,
    }
}

/// Moves by which both sides come back after so many each.
fn walk(dice: &mut Dice, start: &Position, length: usize) -> Option<Vec<Move>> {
    let mut position = start.clone();
    let mut line: Vec<Move> = Vec::with_capacity(2 * length);
    // What each side has still to undo, and the squares a single piece goes round by.
    let mut undo: [Vec<Move>; 2] = [Vec::new(), Vec::new()];
    for ply in 0..2 * length {
        let own = undo.get_mut(ply % 2)?;
        let (made, left) = (ply / 2, length - ply / 2);
        let mv = if length == 3 {
            round(dice, &position, own, made)?
        } else if left > own.len() {
            quiet_move(dice, &position, |_| true)?
        } else if dice.below(2) == 0 && own.len() == 2 && own.first()?.to != own.last()?.from {
            // Two moves by different pieces are taken back in either order.
            own.remove(0).reversed()
        } else {
            own.pop()?.reversed()
        };
        if !position.is_legal(mv) || !position.is_empty(mv.to) {
            return None;
        }
        if length == 3 || left > own.len() {
            own.push(mv);
        }
        position.make(mv);
        line.push(mv);
    }
    (position == *start).then_some(line)
}

/// A move on the way round of three: anywhere, on from there, and back.
fn round(dice: &mut Dice, position: &Position, own: &[Move], made: usize) -> Option<Move> {
    match (own, made) {
        (_, 0) => quiet_move(dice, position, |_| true),
        (&[first], 1) => quiet_move(dice, position, |mv| {
            mv.from == first.to && mv.to != first.from
        }),
        (&[first, second], 2) => Some(Move::new(second.to, first.from)),
        _ => None,
    }
}

/// A move that takes nothing and can be taken back. Those that attack something are likelier.
fn quiet_move(dice: &mut Dice, position: &Position, wanted: impl Fn(Move) -> bool) -> Option<Move> {
    let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    let fits = |mv: &Move| {
        let pawn = position
            .piece_at(mv.from)
            .is_some_and(|p| p.role == Role::Pawn);
        position.is_empty(mv.to) && wanted(*mv) && !(pawn && mv.from.rank() != mv.to.rank())
    };
    let quiet: Vec<Move> = moves.into_iter().filter(fits).collect();
    let sharp: Vec<Move> = if dice.below(4) == 0 {
        Vec::new()
    } else {
        quiet
            .iter()
            .copied()
            .filter(|&mv| attacks(position, mv))
            .collect()
    };
    if sharp.is_empty() {
        dice.pick(&quiet)
    } else {
        dice.pick(&sharp)
    }
}

/// Whether after a move some piece can be taken that could not before.
fn attacks(position: &Position, mv: Move) -> bool {
    let side = position.turn();
    let after = position.after(mv);
    let theirs = after.pieces_of(side.opponent());
    let count = |position: &Position| -> u32 {
        let on = |id| position.bearing_on(position.square_of(id), side).len();
        theirs.map(on).sum()
    };
    count(&after) > count(position)
}

/// The cycle without the piece on a square, if that is one still.
pub(super) fn without(cycle: &Cycle, square: Square) -> Option<Cycle> {
    let mut setup = cycle.start().setup();
    let piece = setup.piece_at(square)?;
    let moves = cycle.moves().iter().any(|mv| mv.from == square);
    if piece.role == Role::King || moves {
        return None;
    }
    setup.put(square, None);
    Cycle::from_period(&setup.possible()?, cycle.moves()).ok()
}
