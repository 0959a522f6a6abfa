//! A position that can be played on: piece by piece, made and unmade without allocation.

#![expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "hot path: a square (u8) indexes 256 entries, a piece id 32, a rank or file 16; \
              every index is masked or typed so that it cannot leave its array"
)]

use super::movegen::MoveList;
use super::piece::{Piece, PieceId, PieceSet, Role, Side};
use super::setup::Setup;
use super::square::{Move, Square};
use super::tables::{self, BLACK_TO_MOVE};
use std::fmt;

/// No piece, in a cell.
const EMPTY: u8 = 32;

/// A legal position with its side to move.
///
/// # Equality
/// Two positions are equal exactly when the repetition rules say so: the same kinds of piece on
/// the same squares and the same side to move. Which of two like pieces stands where
/// ([`PieceId`]), and how the position came about, make no difference.
#[derive(Clone)]
pub struct Position {
    cells: [u8; 256],
    at: [u8; 32],
    /// Occupied files of each rank, and occupied ranks of each file.
    ranks: [u16; 16],
    files: [u16; 16],
    alive: u32,
    turn: Side,
    key: u64,
}

/// What it takes to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    captured: u8,
    key: u64,
}

impl Undo {
    /// The piece the move captured.
    pub fn captured(self) -> Option<PieceId> {
        (self.captured != EMPTY).then_some(PieceId(self.captured))
    }
}

/// The first and second piece met from a square in one direction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ray {
    /// The nearest piece's square.
    pub first: Option<Square>,
    /// The one behind it.
    pub second: Option<Square>,
}

/// The places of a line strictly between two.
#[inline]
pub(super) const fn span(a: u8, b: u8) -> u16 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((1 << (high & 15)) - 1) & (0xFFFE << (low & 15))
}

/// A byte of ones for every bit of a byte.
static WHOLE_BYTES: [u64; 256] = {
    let mut all = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            if bits >> bit & 1 != 0 {
                all[bits] |= 0xFF << (8 * bit);
            }
            bit += 1;
        }
        bits += 1;
    }
    all
};

impl Position {
    /// The opening position, Red to move.
    pub fn start() -> Self {
        Self::from_valid(&Setup::start())
    }

    /// A board with nothing on it, to be filled.
    pub(super) const fn empty(turn: Side) -> Self {
        Self {
            cells: [EMPTY; 256],
            at: [0; 32],
            ranks: [0; 16],
            files: [0; 16],
            alive: 0,
            turn,
            key: match turn {
                Side::Red => 0,
                Side::Black => BLACK_TO_MOVE,
            },
        }
    }

    /// Fills a position from a setup that has passed validation.
    pub(super) fn from_valid(setup: &Setup) -> Self {
        let mut position = Self::empty(setup.turn);
        for (square, piece) in setup.as_read() {
            position.add(piece, square);
        }
        position
    }

    /// Puts a piece that is still to come on an empty square: the first horse to come is the first of the horses. Tells
    /// whether there is one left.
    pub(super) fn add(&mut self, piece: Piece, square: Square) -> bool {
        let mut free = PieceSet::of(piece.side, piece.role).minus(PieceSet(self.alive));
        let id = free.next();
        if let Some(id) = id {
            self.put(id, square);
        }
        id.is_some()
    }

    /// The pieces and the side to move, as written in a FEN.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.turn);
        for id in self.pieces() {
            setup.put(self.square_of(id), Some(id.piece()));
        }
        setup
    }

    /// The side to move.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// A number equal for equal positions, kept up with every move. It is made from fixed
    /// constants: the same in every run and build.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Every piece on the board.
    pub const fn pieces(&self) -> PieceSet {
        PieceSet(self.alive)
    }

    /// The pieces of one side.
    pub const fn pieces_of(&self, side: Side) -> PieceSet {
        PieceSet(self.alive & PieceSet::side(side).0)
    }

    /// The pieces of one side and kind.
    #[inline]
    pub const fn pieces_like(&self, side: Side, role: Role) -> PieceSet {
        PieceSet(self.alive & PieceSet::of(side, role).0)
    }

    /// The king, rooks and cannons of a side: what may attack a king along a line.
    #[inline]
    pub(super) const fn straight(&self, side: Side) -> PieceSet {
        PieceSet(self.alive & PieceSet::straight(side).0)
    }

    /// The piece standing on a square.
    #[inline]
    pub fn id_at(&self, square: Square) -> Option<PieceId> {
        let cell = self.cells[square.raw()];
        (cell != EMPTY).then_some(PieceId(cell))
    }

    /// The kind of piece standing on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.id_at(square).map(PieceId::piece)
    }

    /// Whether nothing stands there.
    #[inline]
    pub fn is_empty(&self, square: Square) -> bool {
        self.cells[square.raw()] == EMPTY
    }

    /// Whether the piece is still on the board.
    #[inline]
    pub const fn is_alive(&self, id: PieceId) -> bool {
        self.alive >> (id.0 & 31) & 1 != 0
    }

    /// Where a piece stands, or stood last if it has been captured.
    #[inline]
    pub fn square_of(&self, id: PieceId) -> Square {
        Square(self.at[id.index()])
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        self.square_of(PieceId::king(side))
    }

    #[inline]
    fn toggle(&mut self, square: Square) {
        self.ranks[usize::from(square.rank() & 15)] ^= 1 << square.file();
        self.files[usize::from(square.file() & 15)] ^= 1 << square.rank();
    }

    #[inline]
    fn key_of(id: u8, square: Square) -> u64 {
        let kind = PieceId(id).role() as u8 | id >> 1 & 8;
        tables::key_of(kind, square)
    }

    /// Puts a piece that is off the board on an empty square: for positions in thought (what if
    /// it stood here), after which a king may be in check on the wrong move.
    pub fn put(&mut self, id: PieceId, square: Square) {
        self.cells[square.raw()] = id.0;
        self.at[id.index()] = square.0;
        self.alive |= 1 << (id.0 & 31);
        self.toggle(square);
        self.key ^= Self::key_of(id.0, square);
    }

    /// Takes a piece off the board, in thought.
    pub fn lift(&mut self, id: PieceId) {
        let square = self.square_of(id);
        self.cells[square.raw()] = EMPTY;
        self.alive &= !(1 << (id.0 & 31));
        self.toggle(square);
        self.key ^= Self::key_of(id.0, square);
    }

    /// Where each piece stands, in the order of their slots, eight to a word; the first square for one that is taken.
    pub(super) fn places(&self) -> [u64; 4] {
        let mut places = [0; 4];
        let (words, _) = self.at.as_chunks::<8>();
        for ((place, at), alive) in places.iter_mut().zip(words).zip(self.alive.to_le_bytes()) {
            *place = u64::from_le_bytes(*at) & WHOLE_BYTES[usize::from(alive)];
        }
        places
    }

    /// Gives the move to the other side without moving: only what a side *threatens* is looked
    /// at this way.
    pub fn pass(&mut self) {
        self.turn = self.turn.opponent();
        self.key ^= BLACK_TO_MOVE;
    }

    /// Moves a piece on the board alone; the key and the turn stay. Tells what was captured.
    #[inline]
    fn shift(&mut self, mv: Move) -> u8 {
        let (from, to) = (mv.from, mv.to);
        let mover = self.cells[from.raw()];
        let captured = self.cells[to.raw()];
        self.cells[from.raw()] = EMPTY;
        self.cells[to.raw()] = mover;
        self.at[usize::from(mover & 31)] = to.0;
        self.toggle(from);
        if captured == EMPTY {
            self.toggle(to);
        } else {
            self.alive &= !(1 << (captured & 31));
        }
        captured
    }

    #[inline]
    fn shift_back(&mut self, mv: Move, captured: u8) {
        let (from, to) = (mv.from, mv.to);
        let mover = self.cells[to.raw()];
        self.cells[from.raw()] = mover;
        self.cells[to.raw()] = captured;
        self.at[usize::from(mover & 31)] = from.0;
        self.toggle(from);
        if captured == EMPTY {
            self.toggle(to);
        } else {
            self.alive |= 1 << (captured & 31);
        }
    }

    /// Plays a move without asking whether it is legal.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        let key = self.key;
        let mover = self.cells[mv.from.raw()];
        let captured = self.shift(mv);
        self.key ^= Self::key_of(mover, mv.from) ^ Self::key_of(mover, mv.to) ^ BLACK_TO_MOVE;
        if captured != EMPTY {
            self.key ^= Self::key_of(captured, mv.to);
        }
        self.turn = self.turn.opponent();
        Undo { mv, captured, key }
    }

    /// Plays a move if it is legal; else leaves everything as it is.
    pub fn make_legal(&mut self, mv: Move) -> Option<Undo> {
        if !self.is_pseudo_legal(mv) {
            return None;
        }
        let side = self.turn;
        let undo = self.make(mv);
        if self.attacked(side) {
            self.unmake(undo);
            return None;
        }
        Some(undo)
    }

    /// Takes back the last move made.
    #[inline]
    pub fn unmake(&mut self, undo: Undo) {
        self.shift_back(undo.mv, undo.captured);
        self.key = undo.key;
        self.turn = self.turn.opponent();
    }

    /// What is found after a move, which is taken back.
    #[inline]
    pub fn having<T>(&mut self, mv: Move, look: impl FnOnce(&mut Self) -> T) -> T {
        let undo = self.make(mv);
        let found = look(self);
        self.unmake(undo);
        found
    }

    /// A capture that may be made `now`, after a line from here, as one from here: what has only taken on its way to where it
    /// stands is asked about from where it stood, if its victim stands where it stood.
    pub(crate) fn as_from_home(&self, line: &[Move], now: &Self, mv: Move) -> Move {
        let captor = now.id_at(mv.from);
        let home = captor.map_or(mv.from, |id| self.square_of(id));
        if home == mv.from || now.id_at(mv.to) != self.id_at(mv.to) {
            return mv;
        }
        let mut position = self.clone();
        let only_took = line.iter().all(|&step| {
            let took = position.id_at(step.from) != captor || !position.is_empty(step.to);
            position.make(step);
            took
        });
        if only_took {
            Move::new(home, mv.to)
        } else {
            mv
        }
    }

    /// The position after a move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make(mv);
        next
    }

    /// The first two pieces met from `square` going up, down, right and left.
    #[inline]
    pub fn rays(&self, square: Square) -> [Ray; 4] {
        let (file, rank) = (square.file(), square.rank());
        let column = self.files[usize::from(file & 15)];
        let row = self.ranks[usize::from(rank & 15)];
        let vertical = |r: u8| Square(r << 4 | file);
        let horizontal = |f: u8| Square(rank << 4 | f);
        let above = |line: u16, place: u8| line & (0xFFFE << place);
        let below = |line: u16, place: u8| line & ((1 << place) - 1);
        let upward = |bits: u16| {
            let rest = bits & bits.wrapping_sub(1);
            let place = |b: u16| (b != 0).then_some(b.trailing_zeros() as u8);
            (place(bits), place(rest))
        };
        let downward = |bits: u16| {
            let top = |b: u16| (b != 0).then(|| 15 - b.leading_zeros() as u8);
            let first = top(bits);
            (first, first.and_then(|f| top(bits & !(1 << f))))
        };
        let ray = |(first, second): (Option<u8>, Option<u8>), at: &dyn Fn(u8) -> Square| Ray {
            first: first.map(at),
            second: second.map(at),
        };
        [
            ray(upward(above(column, rank)), &vertical),
            ray(downward(below(column, rank)), &vertical),
            ray(upward(above(row, file)), &horizontal),
            ray(downward(below(row, file)), &horizontal),
        ]
    }

    /// How many pieces stand strictly between two squares, or `None` where they share no line.
    #[inline]
    pub fn between(&self, a: Square, b: Square) -> Option<u32> {
        let line = if a.file() == b.file() {
            self.files[usize::from(a.file() & 15)] & span(a.rank(), b.rank())
        } else if a.rank() == b.rank() {
            self.ranks[usize::from(a.rank() & 15)] & span(a.file(), b.file())
        } else {
            return None;
        };
        Some(line.count_ones())
    }

    /// The squares strictly between two squares of a line, nearest to `a` first.
    pub fn path(a: Square, b: Square) -> impl Iterator<Item = Square> {
        let step = if a.file() == b.file() {
            if b.0 > a.0 { 16i16 } else { -16 }
        } else if a.rank() == b.rank() {
            if b.0 > a.0 { 1 } else { -1 }
        } else {
            0
        };
        let mut at = i16::from(a.0);
        let end = i16::from(b.0);
        std::iter::from_fn(move || {
            at += step;
            (step != 0 && at != end).then(|| Square(at.unsigned_abs() as u8))
        })
    }

    /// Whether a move goes over a square, or past it as its leg or eye.
    pub fn passes(mv: Move, square: Square) -> bool {
        let by = tables::leg(mv.from, mv.to).or_else(|| tables::eye(mv.from, mv.to));
        by == Some(square) || Self::path(mv.from, mv.to).any(|at| at == square)
    }

    /// Whether the piece on `from` bears on `to`: its way of capturing reaches there, whether or
    /// not leaving its place is allowed. Kings are taken to bear on each other along an open file.
    pub fn bears(&self, from: Square, to: Square) -> bool {
        let Some(id) = self.id_at(from) else {
            return false;
        };
        if from == to {
            return false;
        }
        match id.role() {
            Role::Rook => self.between(from, to) == Some(0),
            Role::Cannon => self.between(from, to) == Some(1),
            Role::Horse => tables::leg(from, to).is_some_and(|leg| self.is_empty(leg)),
            Role::Elephant => tables::eye(from, to).is_some_and(|eye| self.is_empty(eye)),
            Role::Advisor => tables::ADVISOR_STEPS[from.raw()]
                .from(from)
                .any(|(sq, _)| sq == to),
            Role::Pawn => {
                let steps = &tables::PAWN_STEPS[id.side() as usize][from.raw()];
                steps.from(from).any(|(sq, _)| sq == to)
            }
            Role::King => {
                tables::KING_STEPS[from.raw()]
                    .from(from)
                    .any(|(sq, _)| sq == to)
                    || (self.king(id.side().opponent()) == to
                        && from.file() == to.file()
                        && self.between(from, to) == Some(0))
            }
        }
    }

    /// The square whose emptiness the piece on `from` needs to bear on `to`: a horse's leg, an
    /// elephant's eye.
    pub fn pivot(&self, from: Square, to: Square) -> Option<Square> {
        match self.piece_at(from)?.role {
            Role::Horse => tables::leg(from, to),
            Role::Elephant => tables::eye(from, to),
            Role::King | Role::Advisor | Role::Rook | Role::Cannon | Role::Pawn => None,
        }
    }

    /// The pieces of `side` that bear on an occupied square (see [`Self::bears`]), whosever the
    /// piece on it is: attackers of an enemy piece, guards of an own one.
    pub fn bearing_on(&self, square: Square, side: Side) -> PieceSet {
        let mut found = 0u32;
        let rooks = PieceSet::of(side, Role::Rook).0;
        let cannons = PieceSet::of(side, Role::Cannon).0;
        let king = PieceId::king(side);
        let bit = |at: Option<Square>| at.map_or(0, |sq| 1u32 << (self.cells[sq.raw()] & 31));
        for ray in self.rays(square) {
            found |= bit(ray.first) & rooks;
            found |= bit(ray.second) & cannons;
        }
        for id in self.pieces_like(side, Role::Horse) {
            let leg = tables::leg(self.square_of(id), square);
            if leg.is_some_and(|leg| self.is_empty(leg)) {
                found |= 1 << id.0;
            }
        }
        for id in self.pieces_like(side, Role::Elephant) {
            let eye = tables::eye(self.square_of(id), square);
            if eye.is_some_and(|eye| self.is_empty(eye)) {
                found |= 1 << id.0;
            }
        }
        // A pawn of `side` bears on `square` from where a pawn of the other side would go.
        let home = if side == Side::Red {
            square.rank() >= 5
        } else {
            square.rank() <= 4
        };
        let back = if side == Side::Red { -1 } else { 1 };
        let pawns = PieceSet::of(side, Role::Pawn).0;
        found |= bit(square.offset(0, back).filter(|sq| !self.is_empty(*sq))) & pawns;
        if home {
            found |= bit(square.offset(1, 0).filter(|sq| !self.is_empty(*sq))) & pawns;
            found |= bit(square.offset(-1, 0).filter(|sq| !self.is_empty(*sq))) & pawns;
        }
        if square.in_palace() {
            let advisors = PieceSet::of(side, Role::Advisor).0;
            for (sq, _) in tables::ADVISOR_STEPS[square.raw()].from(square) {
                found |= bit(Some(sq).filter(|sq| !self.is_empty(*sq))) & advisors;
            }
            if self.bears(self.king(side), square) {
                found |= 1 << king.0;
            }
        }
        PieceSet(found & self.alive)
    }

    /// Whether `side`'s king is attacked, an open file between the kings included.
    #[inline]
    pub fn attacked(&self, side: Side) -> bool {
        let king = self.king(side);
        let enemy = side.opponent();
        for id in self.straight(enemy) {
            let at = self.square_of(id);
            let (file, rank) = (king.file(), king.rank());
            // The pieces strictly between, on whichever line they share.
            let between = if at.file() == file {
                self.files[usize::from(file & 15)] & span(at.rank(), rank)
            } else if at.rank() == rank {
                self.ranks[usize::from(rank & 15)] & span(at.file(), file)
            } else {
                continue;
            };
            let bears = if id.role() == Role::Cannon {
                between.is_power_of_two()
            } else {
                between == 0
            };
            if bears {
                return true;
            }
        }
        for id in self.pieces_like(enemy, Role::Horse) {
            if let Some(leg) = tables::leg(self.square_of(id), king)
                && self.is_empty(leg)
            {
                return true;
            }
        }
        let pawns = u64::from(PieceSet::of(enemy, Role::Pawn).0);
        let front = if side == Side::Red {
            king.0.wrapping_add(16)
        } else {
            king.0.wrapping_sub(16)
        };
        // Beside a palace there are always squares; the cells off the board stay empty.
        [front, king.0.wrapping_add(1), king.0.wrapping_sub(1)]
            .iter()
            .any(|&at| 1u64 << (self.cells[usize::from(at)] & 63) & pawns != 0)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.attacked(self.turn)
    }

    /// The pieces giving check to the side to move.
    pub fn checkers(&self) -> PieceSet {
        self.bearing_on(self.king(self.turn), self.turn.opponent())
    }

    /// Whether the two kings face each other.
    pub fn kings_face(&self) -> bool {
        let (red, black) = (self.king(Side::Red), self.king(Side::Black));
        red.file() == black.file() && self.between(red, black) == Some(0)
    }

    /// Whether the piece moves that way, its own king's safety apart.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let Some(id) = self.id_at(mv.from) else {
            return false;
        };
        if id.side() != self.turn {
            return false;
        }
        match self.id_at(mv.to) {
            Some(target) => {
                target.side() != self.turn
                    && target.role() != Role::King
                    && self.bears(mv.from, mv.to)
            }
            None if id.role() == Role::Cannon => self.between(mv.from, mv.to) == Some(0),
            None => self.bears(mv.from, mv.to),
        }
    }

    /// Whether the side that would have moved is safe after the move.
    #[inline]
    pub(crate) fn keeps_king_safe(&mut self, mv: Move) -> bool {
        let captured = self.shift(mv);
        let safe = !self.attacked(self.turn);
        self.shift_back(mv, captured);
        safe
    }

    /// The same were it not for these pieces: what a side could do, but for those that give it check.
    pub(crate) fn keeps_king_safe_but_for(&mut self, mv: Move, these: PieceSet) -> bool {
        let captured = self.shift(mv);
        let side = self.turn;
        let attackers = self.bearing_on(self.king(side), side.opponent());
        self.shift_back(mv, captured);
        attackers.minus(these).is_empty()
    }

    /// Whether the side to move checks with the move, and is safe after it.
    #[inline]
    pub(crate) fn checks_with(&mut self, mv: Move) -> bool {
        let captured = self.shift(mv);
        let checks = self.attacked(self.turn.opponent()) && !self.attacked(self.turn);
        self.shift_back(mv, captured);
        checks
    }

    /// The same were it not for these pieces.
    pub(crate) fn checks_with_but_for(&mut self, mv: Move, these: PieceSet) -> bool {
        let captured = self.shift(mv);
        let checks = self.attacked(self.turn.opponent());
        self.shift_back(mv, captured);
        checks && self.keeps_king_safe_but_for(mv, these)
    }

    /// Whether the move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.clone().keeps_king_safe(mv)
    }

    /// Every legal move, in a fixed order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.clone().legal_moves_into(&mut moves);
        moves
    }

    /// Whether the side to move has no legal move: mated, or stalemated (困毙), and lost.
    pub fn is_over(&self) -> bool {
        !self.clone().has_legal_move()
    }

    /// Whether two positions also have the same *pieces*, not just the same kinds, everywhere.
    pub fn same_pieces(&self, other: &Self) -> bool {
        // What a piece is never changes, so that where each stands says all.
        self.turn == other.turn
            && self.alive == other.alive
            && self
                .pieces()
                .all(|id| self.at[id.index()] == other.at[id.index()])
    }

    /// The board reflected left to right.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self::from_valid(&self.setup().mirrored())
    }

    /// The board reflected across the river with the colours exchanged, and the move with them.
    #[must_use]
    pub fn colours_swapped(&self) -> Self {
        Self::from_valid(&self.setup().colours_swapped())
    }

    pub(super) fn cell(&self, square: Square) -> u8 {
        self.cells[square.raw()]
    }

    pub(super) fn file_bits(&self, file: u8) -> u16 {
        self.files[usize::from(file & 15)]
    }

    pub(super) fn rank_bits(&self, rank: u8) -> u16 {
        self.ranks[usize::from(rank & 15)]
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.turn == other.turn
            && self.pieces().len() == other.pieces().len()
            && self.pieces().all(|id| {
                let square = self.square_of(id);
                other.piece_at(square) == Some(id.piece())
            })
    }
}

impl Eq for Position {}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.setup())
    }
}
