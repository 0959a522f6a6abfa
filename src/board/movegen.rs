//! Legal moves.

#![expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "hot path: a square (u8) indexes 256 entries, and a list never holds more than 128 moves"
)]

use super::piece::{PieceId, PieceSet, Role};
use super::position::Position;
use super::square::{Move, Square};
use super::tables;
use std::ops::Deref;

/// A list of moves that needs no allocation. No position has more than 119 pseudo-legal moves.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; 128],
    len: usize,
}

impl MoveList {
    /// An empty list.
    pub const fn new() -> Self {
        const NONE: Move = Move::new(Square(0), Square(0));
        Self {
            moves: [NONE; 128],
            len: 0,
        }
    }

    #[inline]
    fn push(&mut self, from: Square, to: Square) {
        self.moves[self.len & 127] = Move::new(from, to);
        self.len += 1;
    }

    /// Leaves only the moves to be kept, in their order.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let mv = self.moves[i & 127];
            self.moves[kept & 127] = mv;
            kept += usize::from(keep(mv));
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len.min(128)]
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Which moves a generator is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    All,
    Captures,
}

/// Where moves are wanted to go: a bit for each place of a line.
pub(super) trait Onto {
    fn nowhere(&self) -> bool;
    fn has(&self, square: Square) -> bool;
    fn on_file(&self, file: u8) -> u16;
    fn on_rank(&self, rank: u8) -> u16;
}

/// No square is unwanted.
struct Anywhere;

/// One way to ask for it, so that what generates moves is there once.
const fn anywhere(_: PieceId) -> Anywhere {
    Anywhere
}

impl Onto for Anywhere {
    fn nowhere(&self) -> bool {
        false
    }

    fn has(&self, _: Square) -> bool {
        true
    }

    fn on_file(&self, _: u8) -> u16 {
        0x3FF
    }

    fn on_rank(&self, _: u8) -> u16 {
        0x1FF
    }
}

impl Position {
    #[inline]
    fn slide(&self, from: Square, cannon: bool, want: Want, onto: &impl Onto, list: &mut MoveList) {
        let (file, rank) = (from.file(), from.rank());
        let own = PieceSet::side(self.turn()).0;
        let lines = [
            (onto.on_file(file), self.file_bits(file), rank, true, 10),
            (onto.on_rank(rank), self.rank_bits(rank), file, false, 9),
        ];
        for (wanted, line, place, vertical, length) in lines {
            if wanted == 0 {
                continue;
            }
            let at = |p: u8| {
                if vertical {
                    Square(p << 4 | file)
                } else {
                    Square(rank << 4 | p)
                }
            };
            let mut take = |p: u8| {
                let to = at(p);
                if own >> (self.cell(to) & 31) & 1 == 0 && wanted >> p & 1 != 0 {
                    list.push(from, to);
                }
            };
            let up = line & (0xFFFE << place);
            let down = line & ((1 << place) - 1);
            let first_up = if up == 0 {
                length
            } else {
                up.trailing_zeros() as u8
            };
            let first_down = if down == 0 {
                -1
            } else {
                15 - down.leading_zeros() as i8
            };
            if cannon {
                let behind = up & up.wrapping_sub(1);
                if behind != 0 {
                    take(behind.trailing_zeros() as u8);
                }
                if down != 0 {
                    let behind = down ^ 1 << first_down;
                    if behind != 0 {
                        take(15 - behind.leading_zeros() as u8);
                    }
                }
            } else {
                if up != 0 {
                    take(first_up);
                }
                if down != 0 {
                    take(first_down.unsigned_abs());
                }
            }
            if want == Want::All {
                let mut above = wanted & (0xFFFE << place) & ((1 << first_up) - 1);
                while above != 0 {
                    list.push(from, at(above.trailing_zeros() as u8));
                    above &= above - 1;
                }
                let beyond = (1 << (first_down + 1).unsigned_abs()) - 1;
                let mut below = wanted & ((1 << place) - 1) & !beyond;
                while below != 0 {
                    let p = 15 - below.leading_zeros() as u8;
                    list.push(from, at(p));
                    below ^= 1 << p;
                }
            }
        }
    }

    /// Every move the pieces could make onto squares wanted of each, the own king's safety apart.
    fn pseudo_legal_into<O: Onto>(
        &self,
        want: Want,
        wanted_of: impl Fn(PieceId) -> O,
        list: &mut MoveList,
    ) {
        self.pseudo_legal_of(self.pieces_of(self.turn()), want, wanted_of, list);
    }

    /// The same of some of the pieces.
    fn pseudo_legal_of<O: Onto>(
        &self,
        pieces: PieceSet,
        want: Want,
        wanted_of: impl Fn(PieceId) -> O,
        list: &mut MoveList,
    ) {
        list.len = 0;
        let own = PieceSet::side(self.turn()).0;
        for id in pieces {
            let onto = wanted_of(id);
            if onto.nowhere() {
                continue;
            }
            let from = self.square_of(id);
            let Some(steps) = steps_of(id) else {
                self.slide(from, id.role() == Role::Cannon, want, &onto, list);
                continue;
            };
            let guarded = matches!(id.role(), Role::Horse | Role::Elephant);
            for (to, via) in steps[from.raw()].from(from) {
                if guarded && !self.is_empty(via) {
                    continue;
                }
                let cell = self.cell(to);
                let wanted = if cell == 32 {
                    want == Want::All
                } else {
                    own >> (cell & 31) & 1 == 0
                };
                if wanted && onto.has(to) {
                    list.push(from, to);
                }
            }
        }
    }

    /// Leaves only the moves after which the own king is safe: only those that may endanger it are tried out.
    pub(super) fn retain_legal(&mut self, list: &mut MoveList) {
        let exposed = Exposed::of(self);
        list.retain(|mv| !exposed.by(mv) || self.keeps_king_safe(mv));
    }

    /// Every legal move, into a list that is emptied first. The position is as before afterwards.
    pub fn legal_moves_into(&mut self, list: &mut MoveList) {
        self.pseudo_legal_into(Want::All, anywhere, list);
        self.retain_legal(list);
    }

    /// Every legal capture, into a list that is emptied first.
    pub fn legal_captures_into(&mut self, list: &mut MoveList) {
        self.pseudo_legal_into(Want::Captures, anywhere, list);
        self.retain_legal(list);
    }

    /// Every move the pieces could make, the own king's safety apart, into a list that is emptied
    /// first.
    pub fn pseudo_moves_into(&self, list: &mut MoveList) {
        self.pseudo_legal_into(Want::All, anywhere, list);
    }

    /// The moves each of these pieces could make onto squares that are wanted of it, the own king's safety
    /// apart, into a list that is emptied first. Whoever asks, it is one piece of code.
    pub(super) fn pseudo_moves_onto<O: Onto>(
        &self,
        pieces: PieceSet,
        squares: &dyn Fn(PieceId) -> O,
        list: &mut MoveList,
    ) {
        self.pseudo_legal_of(pieces, Want::All, squares, list);
    }

    /// Every capture the pieces could make, the own king's safety apart.
    pub fn pseudo_captures_into(&self, list: &mut MoveList) {
        self.pseudo_legal_into(Want::Captures, anywhere, list);
    }

    /// Whether the side to move can move at all.
    pub fn has_legal_move(&mut self) -> bool {
        let mut list = MoveList::new();
        // Piece by piece: mostly the first that moves may.
        self.pieces_of(self.turn()).any(|id| {
            self.pseudo_legal_of(PieceSet::EMPTY.with(id), Want::All, anywhere, &mut list);
            list.iter().any(|&mv| self.keeps_king_safe(mv))
        })
    }

    /// Leaves at `depth`. Without `bulk` every leaf is played and taken back; with it the last
    /// ply is counted from the length of the list.
    pub fn perft(&mut self, depth: u32, bulk: bool) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        if bulk && depth == 1 {
            return moves.len() as u64;
        }
        let mut leaves = 0;
        for &mv in &*moves {
            let undo = self.make(mv);
            leaves += self.perft(depth - 1, bulk);
            self.unmake(undo);
        }
        leaves
    }
}

/// How moves of the side to move may endanger its king. Most moves of a side that is not in check cannot: those of pieces off
/// the exposed lines of the king and not on a leg of a horse, to squares off the exposed lines.
struct Exposed {
    king: Square,
    /// It is in check: every move may leave it so.
    anyhow: bool,
    horses: bool,
    /// Its file and its rank where they are exposed.
    file: Option<u8>,
    rank: Option<u8>,
}

impl Exposed {
    fn of(position: &Position) -> Self {
        let side = position.turn();
        let enemy = side.opponent();
        let king = position.king(side);
        let mut exposed = Self {
            king,
            anyhow: position.attacked(side),
            file: None,
            rank: None,
            horses: !position.pieces_like(enemy, Role::Horse).is_empty(),
        };
        if exposed.anyhow {
            return exposed;
        }
        // A move changes the number of pieces between by one at most, so a line is exposed where
        // that number is one off what the attacker needs.
        for id in position.straight(enemy) {
            let attacker = position.square_of(id);
            let open = match position.between(king, attacker) {
                Some(between) if id.role() == Role::Cannon => matches!(between, 0 | 2),
                Some(between) => between == 1,
                None => false,
            };
            if open && attacker.file() == king.file() {
                exposed.file = Some(king.file());
            } else if open {
                exposed.rank = Some(king.rank());
            }
        }
        exposed
    }

    /// Whether a move may leave the king attacked.
    #[inline]
    fn by(&self, mv: Move) -> bool {
        let on_line = |sq: Square| Some(sq.file()) == self.file || Some(sq.rank()) == self.rank;
        self.anyhow
            || mv.from == self.king
            || on_line(mv.from)
            || on_line(mv.to)
            || (self.horses && self.king.is_aslant(mv.from))
    }
}

/// The steps of a piece that does not slide, in the order of the generator: where they lead, and the square that has to be empty
/// for them (the leg or the eye, otherwise the square they lead to). None for rooks and cannons.
pub fn steps(id: PieceId, from: Square) -> impl Iterator<Item = (Square, Square)> {
    let steps = steps_of(id).into_iter();
    steps.flat_map(move |steps| steps[from.raw()].from(from))
}

/// The steps of a piece from every square; none where it slides.
#[inline]
fn steps_of(id: PieceId) -> Option<&'static [tables::Steps; 256]> {
    match id.role() {
        Role::Rook | Role::Cannon => None,
        Role::Horse => Some(&tables::HORSE_STEPS),
        Role::Elephant => Some(&tables::ELEPHANT_STEPS),
        Role::Advisor => Some(&tables::ADVISOR_STEPS),
        Role::King => Some(&tables::KING_STEPS),
        Role::Pawn => Some(&tables::PAWN_STEPS[id.side() as usize]),
    }
}
