//! The moves that give check, and the answers to one.

use super::movegen::{MoveList, Onto};
use super::piece::{PieceId, PieceSet, Role, Side};
use super::position::{Position, span};
use super::square::{Move, Square};
use super::tables;
use std::cmp::Ordering;

/// Every legal move of the side to move that gives check, in the order of the move list, into a list
/// that is emptied first.
pub fn checking_moves(position: &mut Position, found: &mut MoveList) {
    let aim = Aim::of(position);
    position.pseudo_moves_onto(aim.pieces(position), &|id| aim.squares(position, id), found);
    if aim.stands {
        found.retain(|mv| mv.to != aim.king && position.checks_with(mv));
    } else if !found.is_empty() {
        // A king may have been taken in thought: where it stood last nothing is to be had.
        found.retain(|mv| mv.to != aim.king);
        position.retain_legal(found);
    }
}

/// The same were it not for these pieces, which keep the side to move from nothing.
pub(crate) fn checking_moves_but_for(
    position: &mut Position,
    these: PieceSet,
    found: &mut MoveList,
) {
    if these.is_empty() {
        return checking_moves(position, found);
    }
    let king = position.king(position.turn().opponent());
    position.pseudo_moves_into(found);
    found.retain(|mv| mv.to != king && position.checks_with_but_for(mv, these));
}

/// Squares on the lines of one: a bit for each rank of its file, and for each file of its rank.
#[derive(Clone, Copy)]
struct Lines {
    of: Square,
    file: u16,
    rank: u16,
}

impl Lines {
    const fn none(of: Square) -> Self {
        Self {
            of,
            file: 0,
            rank: 0,
        }
    }

    const fn all(of: Square) -> Self {
        Self {
            of,
            file: 0x3FF,
            rank: 0x1FF,
        }
    }

    /// Those strictly between it and another square of its lines.
    fn between(of: Square, other: Square) -> Self {
        Self::along(of, other, span)
    }

    /// Those of its lines beyond another square of them, to the edge.
    fn beyond(of: Square, other: Square) -> Self {
        let rest = |from: u8, to: u8| match to.cmp(&from) {
            Ordering::Less => (1 << to) - 1,
            Ordering::Equal => 0,
            Ordering::Greater => 0xFFFE << to,
        };
        Self::along(of, other, rest)
    }

    /// Part of the line on which both lie, by the places of the two; nothing where they share none.
    fn along(of: Square, other: Square, part: impl Fn(u8, u8) -> u16) -> Self {
        let mut lines = Self::none(of);
        if of.file() == other.file() {
            lines.file = part(of.rank(), other.rank());
        } else if of.rank() == other.rank() {
            lines.rank = part(of.file(), other.file());
        }
        lines
    }

    /// Where nothing stands.
    fn empty(self, position: &Position) -> Self {
        Self {
            file: self.file & !position.file_bits(self.of.file()),
            rank: self.rank & !position.rank_bits(self.of.rank()),
            ..self
        }
    }

    /// From where a rook would bear on a square, and a cannon, as the board stands.
    fn onto(position: &Position, of: Square) -> [Self; 2] {
        let file = reach(position.file_bits(of.file()), of.rank());
        let rank = reach(position.rank_bits(of.rank()), of.file());
        [(file[0], rank[0]), (file[1], rank[1])].map(|(file, rank)| Self { of, file, rank })
    }

    const fn or(self, other: Self) -> Self {
        Self {
            of: self.of,
            file: self.file | other.file,
            rank: self.rank | other.rank,
        }
    }

    const fn and(self, other: Self) -> Self {
        Self {
            of: self.of,
            file: self.file & other.file,
            rank: self.rank & other.rank,
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            of: self.of,
            file: self.file & !other.file,
            rank: self.rank & !other.rank,
        }
    }

    /// With a square that lies on them.
    fn with(mut self, square: Square) -> Self {
        if square.file() == self.of.file() {
            self.file |= 1 << square.rank();
        }
        if square.rank() == self.of.rank() {
            self.rank |= 1 << square.file();
        }
        self
    }
}

/// The places of a line up to the first piece from one of them, either way, and those behind it up to the second; the pieces
/// are counted in.
fn reach(line: u16, from: u8) -> [u16; 2] {
    let (above, below) = (0xFFFE << from, (1 << from) - 1);
    let up_to = |pieces: u16| {
        let lowest = pieces & pieces.wrapping_neg();
        above & (lowest << 1).wrapping_sub(1)
    };
    let highest = |pieces: u16| 0x8000u16.checked_shr(pieces.leading_zeros()).unwrap_or(0);
    let down_to = |pieces: u16| below & !highest(pieces).saturating_sub(1);
    let (up, down) = (line & above, line & below);
    let near = up_to(up) | down_to(down);
    let whole = up_to(up & up.wrapping_sub(1)) | down_to(down ^ highest(down));
    [near, whole & !near]
}

impl Lines {
    const fn is_empty(self) -> bool {
        self.file | self.rank == 0
    }

    #[inline]
    const fn has(self, square: Square) -> bool {
        self.on_file(square.file()) >> square.rank() & 1 != 0
    }

    #[inline]
    const fn on_file(self, file: u8) -> u16 {
        if file == self.of.file() {
            self.file
        } else {
            (self.rank >> file & 1) << self.of.rank()
        }
    }

    #[inline]
    const fn on_rank(self, rank: u8) -> u16 {
        if rank == self.of.rank() {
            self.rank
        } else {
            (self.file >> rank & 1) << self.of.file()
        }
    }
}

/// Where a piece is wanted to go.
enum Toward {
    Anywhere,
    Lines(Lines),
    /// There, or to where a horse would bear on the square whose lines they are over such corners of it.
    Horse(Lines, Corners),
    Except(Lines),
}

impl Toward {
    #[inline]
    fn on_line(&self, all: u16, of: impl Fn(Lines) -> u16) -> u16 {
        match self {
            Self::Anywhere => all,
            Self::Lines(lines) | Self::Horse(lines, _) => of(*lines),
            Self::Except(lines) => all & !of(*lines),
        }
    }
}

impl Onto for Toward {
    #[inline]
    fn nowhere(&self) -> bool {
        matches!(self, Self::Lines(lines) if lines.is_empty())
    }

    #[inline]
    fn has(&self, square: Square) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Lines(lines) => lines.has(square),
            Self::Horse(lines, over) => {
                let leg = || tables::leg(square, lines.of);
                lines.has(square) || leg().is_some_and(|leg| over.has(lines.of, leg))
            }
            Self::Except(lines) => !lines.has(square),
        }
    }

    #[inline]
    fn on_file(&self, file: u8) -> u16 {
        self.on_line(0x3FF, |lines| lines.on_file(file))
    }

    #[inline]
    fn on_rank(&self, rank: u8) -> u16 {
        self.on_line(0x1FF, |lines| lines.on_rank(rank))
    }
}

/// Some of the four squares diagonally beside one, where the legs of horses stand that bear on it.
#[derive(Clone, Copy)]
struct Corners(u8);

impl Corners {
    const NONE: Self = Self(0);
    const ALL: Self = Self(15);

    const fn bit(of: Square, corner: Square) -> u8 {
        1 << ((corner.file() > of.file()) as u8 | ((corner.rank() > of.rank()) as u8) << 1)
    }

    const fn with(self, of: Square, corner: Square) -> Self {
        Self(self.0 | Self::bit(of, corner))
    }

    const fn has(self, of: Square, corner: Square) -> bool {
        self.0 & Self::bit(of, corner) != 0
    }

    /// Those where nothing stands.
    fn empty(position: &Position, of: Square) -> Self {
        let corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter();
        let corners = corners.filter_map(|(files, ranks)| of.offset(files, ranks));
        let empty = corners.filter(|&corner| position.is_empty(corner));
        empty.fold(Self::NONE, |empty, corner| empty.with(of, corner))
    }
}

/// How the side to move may come to touch the enemy king: few moves do. All that matters lies on the king's lines, horses
/// apart.
struct Aim {
    king: Square,
    /// It is attacked already: only trying a move out tells whether it stays so.
    stands: bool,
    /// From where a rook checks, a cannon and a pawn.
    rook: Lines,
    cannon: Lines,
    pawn: Lines,
    /// Where anything is a screen for a cannon.
    screens: Lines,
    /// Over which corners a horse checks, and from which whatever leaves uncovers one.
    open: Corners,
    legs: Corners,
    /// What checks when another piece moves.
    behind: [Behind; 5],
    count: usize,
    /// The pieces that uncover a check by leaving, or change by it where the others check.
    matter: PieceSet,
}

/// A piece on a line with the king which does not check it.
#[derive(Clone, Copy)]
struct Behind {
    at: Square,
    between: Lines,
    /// A cannon with nothing between, which checks when something comes there; otherwise it or a rook does when
    /// something leaves.
    bare: bool,
    /// Where a bare cannon checks by going, or where what stands between keeps its place by going.
    goes: Lines,
}

impl Aim {
    fn of(position: &Position) -> Self {
        let side = position.turn();
        let king = position.king(side.opponent());
        let [rook, cannon] = Lines::onto(position, king);
        let none = Lines::none(king);
        let behind = Behind {
            at: king,
            between: none,
            bare: false,
            goes: none,
        };
        let mut aim = Self {
            king,
            stands: false,
            rook,
            cannon,
            pawn: pawn_checks(king, side),
            screens: none,
            open: Corners::NONE,
            legs: Corners::NONE,
            behind: [behind; 5],
            count: 0,
            matter: PieceSet::EMPTY,
        };
        aim.look_along_lines(position, side);
        let horses = position.pieces_like(side, Role::Horse);
        if !horses.is_empty() {
            aim.open = Corners::empty(position, king);
        }
        for id in horses {
            if let Some(leg) = tables::leg(position.square_of(id), king) {
                aim.stands |= aim.open.has(king, leg);
                aim.legs = aim.legs.with(king, leg);
                aim.matter = position
                    .id_at(leg)
                    .map_or(aim.matter, |id| aim.matter.with(id));
            }
        }
        for id in position.pieces_like(side, Role::Pawn) {
            aim.stands |= aim.pawn.has(position.square_of(id));
        }
        aim
    }

    fn look_along_lines(&mut self, position: &Position, side: Side) {
        for id in position.straight(side) {
            let at = position.square_of(id);
            let Some(pieces) = position.between(at, self.king) else {
                continue;
            };
            // A move changes the number of pieces between by one at most.
            let bare = match (id.role() == Role::Cannon, pieces) {
                (true, 0) => true,
                (true, 2) | (false, 1) => false,
                (true, 1) | (false, 0) => {
                    self.stands = true;
                    continue;
                }
                _ => continue,
            };
            let between = Lines::between(self.king, at);
            let goes = if bare {
                self.matter = self.matter.with(id);
                self.screens = self.screens.or(between);
                // It has been the screen of what lies beyond. There it can go only by taking, and what it jumps
                // over is its screen then.
                let beyond = Lines::beyond(self.king, at);
                self.cannon.minus(beyond).or(beyond.minus(self.cannon))
            } else {
                let path =
                    Position::path(self.king, at).filter_map(|square| position.id_at(square));
                self.matter = self.matter.or(path.collect());
                between.empty(position)
            };
            if let Some(behind) = self.behind.get_mut(self.count) {
                *behind = Behind {
                    at,
                    between,
                    bare,
                    goes,
                };
                self.count += 1;
            }
        }
    }

    /// The pieces that may check by going: where nothing is a screen, few can.
    fn pieces(&self, position: &Position) -> PieceSet {
        let side = position.turn();
        let all = position.pieces_of(side);
        if self.stands || !self.screens.is_empty() {
            return all;
        }
        let of = |role, near: fn(u8, u8) -> bool| {
            let pieces = position.pieces_like(side, role);
            let near = pieces.filter(move |&id| {
                let at = position.square_of(id);
                near(
                    at.file().abs_diff(self.king.file()),
                    at.rank().abs_diff(self.king.rank()),
                )
            });
            near.collect::<PieceSet>()
        };
        // Two leaps lead to the king, and two steps.
        let horses = of(Role::Horse, |files, ranks| {
            files.max(ranks) <= 4 && (files + ranks).is_multiple_of(2)
        });
        let pawns = of(Role::Pawn, |files, ranks| files + ranks == 2);
        let straight = position.straight(side);
        all.and(straight.or(horses).or(pawns).or(self.matter))
    }

    /// Where a piece checks by going, or may where the king stands in check already.
    fn squares(&self, position: &Position, id: PieceId) -> Toward {
        let from = position.square_of(id);
        if self.stands {
            return self.squares_tried(from, id);
        }
        let matters = self.matter.contains(id);
        if matters && self.king.is_aslant(from) && self.legs.has(self.king, from) {
            return Toward::Anywhere;
        }
        let (mut itself, mut screens) = (self.squares_of(id), self.screens);
        let mut stays: Option<Lines> = None;
        let count = if matters { self.count } else { 0 };
        for behind in self.behind.iter().take(count) {
            if behind.bare && behind.at == from {
                (itself, screens) = (behind.goes, screens.minus(behind.between));
            } else if !behind.bare && behind.between.has(from) {
                stays = Some(stays.map_or(behind.goes, |stays| stays.and(behind.goes)));
            }
        }
        let lines = itself.or(screens);
        match stays {
            Some(stays) => Toward::Except(stays.minus(lines)),
            None if id.role() == Role::Horse => Toward::Horse(lines, self.open),
            None => Toward::Lines(lines),
        }
    }

    /// On which squares of the king's lines a piece checks itself.
    const fn squares_of(&self, id: PieceId) -> Lines {
        match id.role() {
            Role::Rook => self.rook,
            Role::Cannon => self.cannon,
            Role::Pawn => self.pawn,
            Role::King | Role::Advisor | Role::Elephant | Role::Horse => Lines::none(self.king),
        }
    }

    /// Of the moves that leave a check at that, those on the king's lines.
    fn squares_tried(&self, from: Square, id: PieceId) -> Toward {
        let lines = Lines::all(self.king);
        if lines.has(from) || self.king.is_aslant(from) {
            Toward::Anywhere
        } else if id.role() == Role::Horse {
            Toward::Horse(lines, Corners::ALL)
        } else {
            Toward::Lines(lines)
        }
    }
}

/// From where a pawn of a side checks a king.
const fn pawn_checks(king: Square, side: Side) -> Lines {
    let (rank, file) = (1 << king.rank(), 1 << king.file());
    Lines {
        of: king,
        file: match side {
            Side::Red => rank >> 1,
            Side::Black => rank << 1,
        },
        rank: file >> 1 | file << 1,
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
            let none = Lines::none(at);
            let between = Lines::between(at, home);
            // The checker is taken, something comes in between or, before a cannon, leaves from there.
            let (ends, may_leave) = match checker.role() {
                Role::Rook | Role::King => (between, none),
                Role::Cannon => (between, between),
                Role::Horse => {
                    let leg = position.pivot(at, home);
                    (leg.map_or(none, |leg| none.with(leg)), none)
                }
                Role::Pawn | Role::Advisor | Role::Elephant => (none, none),
            };
            let ends = ends.with(at);
            let squares = |id: PieceId| {
                if id == king || may_leave.has(position.square_of(id)) {
                    Toward::Anywhere
                } else {
                    Toward::Lines(ends)
                }
            };
            let pieces = position.pieces_of(position.turn());
            position.pseudo_moves_onto(pieces, &squares, &mut moves);
        } else {
            position.pseudo_moves_into(&mut moves);
        }
        Self { moves, next: 0 }
    }

    /// All of them.
    pub(crate) fn all(mut self, position: &mut Position) -> MoveList {
        self.moves.retain(|mv| position.keeps_king_safe(mv));
        self.moves
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
    use crate::board::{Piece, Setup};

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
