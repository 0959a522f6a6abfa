//! The moves that give check, and the answers to one.

use super::movegen::{MoveList, Onto};
use super::piece::{PieceId, Role};
use super::position::Position;
use super::square::{Move, Square};
use super::tables;

/// Every legal move of the side to move that gives check, in the order of the move list, into a list
/// that is emptied first.
pub fn checking_moves(position: &mut Position, found: &mut MoveList) {
    let aim = Aim::of(position);
    position.pseudo_moves_onto(|id| aim.squares(position, id), found);
    found.retain(|mv| mv.to != aim.king && position.checks_with(mv));
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
        let span = |a: u8, b: u8| ((1 << a.max(b)) - 1) & (0xFFFE << a.min(b));
        let mut between = Self::none(of);
        if of.file() == other.file() {
            between.file = span(of.rank(), other.rank());
        } else if of.rank() == other.rank() {
            between.rank = span(of.file(), other.file());
        }
        between
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

impl Onto for Lines {
    #[inline]
    fn nowhere(&self) -> bool {
        self.file | self.rank == 0
    }

    #[inline]
    fn has(&self, square: Square) -> bool {
        self.on_file(square.file()) >> square.rank() & 1 != 0
    }

    #[inline]
    fn on_file(&self, file: u8) -> u16 {
        if file == self.of.file() {
            self.file
        } else {
            (self.rank >> file & 1) << self.of.rank()
        }
    }

    #[inline]
    fn on_rank(&self, rank: u8) -> u16 {
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
    /// There, or to where a horse would bear on the square whose lines they are.
    Horse(Lines),
}

impl Onto for Toward {
    #[inline]
    fn nowhere(&self) -> bool {
        matches!(self, Self::Lines(lines) if lines.nowhere())
    }

    #[inline]
    fn has(&self, square: Square) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Lines(lines) => lines.has(square),
            Self::Horse(lines) => lines.has(square) || tables::leg(square, lines.of).is_some(),
        }
    }

    #[inline]
    fn on_file(&self, file: u8) -> u16 {
        match self {
            Self::Anywhere => 0x3FF,
            Self::Lines(lines) | Self::Horse(lines) => lines.on_file(file),
        }
    }

    #[inline]
    fn on_rank(&self, rank: u8) -> u16 {
        match self {
            Self::Anywhere => 0x1FF,
            Self::Lines(lines) | Self::Horse(lines) => lines.on_rank(rank),
        }
    }
}

/// How the side to move may come to touch the enemy king: few moves do, and only those are tried
/// out. All that matters lies on the king's lines, horses apart.
struct Aim {
    king: Square,
    /// Where a move may give check wherever it comes from.
    anyhow: Lines,
    /// From where a move may give check wherever it goes.
    leaving: Lines,
    /// So it may from where the legs of horses stand that attack the king.
    legs: bool,
    /// From where a rook would check, and a cannon.
    rook: Lines,
    cannon: Lines,
}

impl Aim {
    fn of(position: &Position) -> Self {
        let side = position.turn();
        let king = position.king(side.opponent());
        let stands = position.attacked(side.opponent());
        let [rook, cannon] = Lines::onto(position, king);
        // Attacked already, the king may stay so: of the moves that leave it at that, those on its lines are looked at.
        let lines = if stands {
            Lines::all(king)
        } else {
            Lines::none(king)
        };
        let (mut anyhow, mut leaving) = (lines, lines);
        let sliders = position
            .pieces_like(side, Role::Rook)
            .or(position.pieces_like(side, Role::Cannon))
            .with(PieceId::king(side));
        for id in sliders {
            let at = position.square_of(id);
            let between = Lines::between(king, at);
            // A move changes the number of pieces between by one at most.
            match position.between(at, king) {
                Some(0) if id.role() == Role::Cannon => {
                    anyhow = anyhow.or(between);
                    // What else stands behind it may be a screen for itself.
                    leaving = leaving.with(at);
                }
                Some(1) if id.role() != Role::Cannon => leaving = leaving.or(between),
                Some(2) if id.role() == Role::Cannon => leaving = leaving.or(between),
                _ => {}
            }
        }
        Self {
            king,
            anyhow,
            leaving,
            legs: stands || !position.pieces_like(side, Role::Horse).is_empty(),
            rook,
            cannon,
        }
    }

    /// Where a piece may give check by going.
    fn squares(&self, position: &Position, id: PieceId) -> Toward {
        let from = position.square_of(id);
        if self.leaving.has(from) || (self.legs && self.king.is_aslant(from)) {
            return Toward::Anywhere;
        }
        match id.role() {
            Role::Rook => Toward::Lines(self.anyhow.or(self.rook)),
            Role::Cannon => Toward::Lines(self.anyhow.or(self.cannon)),
            Role::Horse => Toward::Horse(self.anyhow),
            Role::Pawn => Toward::Lines(self.anyhow.or(self.beside())),
            Role::King | Role::Advisor | Role::Elephant => Toward::Lines(self.anyhow),
        }
    }

    /// The squares next to the king.
    fn beside(&self) -> Lines {
        Lines {
            of: self.king,
            file: 5 << self.king.rank() >> 1,
            rank: 5 << self.king.file() >> 1,
        }
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
