//! Sides, kinds of piece, and the identity of a piece through a line of play.

use crate::language::Text;
use crate::named::named;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};

named! { read
    /// Who moves: Red, who starts, or Black.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Side {
        /// 红方, at the bottom of the board.
        Red "red" "红方" "Red",
        /// 黑方.
        Black "black" "黑方" "Black",
    }
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }

    /// Its name: Red, 红方.
    pub(crate) fn text(self) -> Text {
        Text::new(self.en(), self.zh())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BySide<T> {
    /// Red's.
    pub red: T,
    /// Black's.
    pub black: T,
}

impl<T> BySide<T> {
    /// A value for each side, made by `f`.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        Self {
            red: f(Side::Red),
            black: f(Side::Black),
        }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::Red => &self.red,
            Side::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Red => &mut self.red,
            Side::Black => &mut self.black,
        }
    }
}

named! { read
    /// The seven kinds of piece.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Role {
        /// 帅 / 将
        King "king",
        /// 仕 / 士
        Advisor "advisor",
        /// 相 / 象
        Elephant "elephant",
        /// 马
        Horse "horse",
        /// 车
        Rook "rook",
        /// 炮
        Cannon "cannon",
        /// 兵 / 卒
        Pawn "pawn",
    }
}

impl Role {
    /// The FEN letter, lower case.
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'k',
            Self::Advisor => 'a',
            Self::Elephant => 'b',
            Self::Horse => 'n',
            Self::Rook => 'r',
            Self::Cannon => 'c',
            Self::Pawn => 'p',
        }
    }

    /// How many of it a side starts with, and may at most have.
    pub const fn most(self) -> u8 {
        match self {
            Self::King => 1,
            Self::Pawn => 5,
            Self::Advisor | Self::Elephant | Self::Horse | Self::Rook | Self::Cannon => 2,
        }
    }

    pub(super) const fn first_slot(self) -> u8 {
        match self {
            Self::King => 0,
            Self::Advisor => 1,
            Self::Elephant => 3,
            Self::Horse => 5,
            Self::Rook => 7,
            Self::Cannon => 9,
            Self::Pawn => 11,
        }
    }
}

/// A kind of piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// Whose.
    pub side: Side,
    /// What.
    pub role: Role,
}

impl Piece {
    /// A piece of `side`.
    pub const fn new(side: Side, role: Role) -> Self {
        Self { side, role }
    }

    /// The FEN letter, upper case for Red.
    pub const fn letter(self) -> char {
        match self.side {
            Side::Red => self.role.letter().to_ascii_uppercase(),
            Side::Black => self.role.letter(),
        }
    }

    /// The piece a FEN letter names; `h` and `e` are read as horse and elephant.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let role = match letter.to_ascii_lowercase() {
            'k' => Role::King,
            'a' => Role::Advisor,
            'b' | 'e' => Role::Elephant,
            'n' | 'h' => Role::Horse,
            'r' => Role::Rook,
            'c' => Role::Cannon,
            'p' => Role::Pawn,
            _ => return None,
        };
        let side = if letter.is_ascii_uppercase() {
            Side::Red
        } else {
            Side::Black
        };
        Some(Self { side, role })
    }

    /// What kind it is, for which each side has its own word in Chinese: elephant, 象.
    pub(crate) fn kind(self) -> Text {
        Text::new(self.role.id(), self.zh())
    }

    /// The character on the piece, as read in text: 帅仕相马车炮兵, 将士象马车炮卒.
    pub const fn zh(self) -> char {
        match (self.side, self.role) {
            (Side::Red, Role::King) => '帅',
            (Side::Red, Role::Advisor) => '仕',
            (Side::Red, Role::Elephant) => '相',
            (Side::Red, Role::Pawn) => '兵',
            (Side::Black, Role::King) => '将',
            (Side::Black, Role::Advisor) => '士',
            (Side::Black, Role::Elephant) => '象',
            (Side::Black, Role::Pawn) => '卒',
            (_, Role::Horse) => '马',
            (_, Role::Rook) => '车',
            (_, Role::Cannon) => '炮',
        }
    }

    /// The character engraved on the piece: 帥仕相傌俥炮兵, 將士象馬車砲卒.
    pub const fn glyph(self) -> char {
        match (self.side, self.role) {
            (Side::Red, Role::King) => '帥',
            (Side::Red, Role::Advisor) => '仕',
            (Side::Red, Role::Elephant) => '相',
            (Side::Red, Role::Horse) => '傌',
            (Side::Red, Role::Rook) => '俥',
            (Side::Red, Role::Cannon) => '炮',
            (Side::Red, Role::Pawn) => '兵',
            (Side::Black, Role::King) => '將',
            (Side::Black, Role::Advisor) => '士',
            (Side::Black, Role::Elephant) => '象',
            (Side::Black, Role::Horse) => '馬',
            (Side::Black, Role::Rook) => '車',
            (Side::Black, Role::Cannon) => '砲',
            (Side::Black, Role::Pawn) => '卒',
        }
    }
}

/// *This* piece, not just its kind: it keeps its id from the first position of a game to its
/// capture, wherever it goes.
// INVARIANT: < 32. Red holds 0–15, Black 16–31, and the low four bits fix the role (see
// `Role::first_slot`), so that role and side are read off the id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub(super) u8);

const ROLE_OF_SLOT: [Role; 16] = [
    Role::King,
    Role::Advisor,
    Role::Advisor,
    Role::Elephant,
    Role::Elephant,
    Role::Horse,
    Role::Horse,
    Role::Rook,
    Role::Rook,
    Role::Cannon,
    Role::Cannon,
    Role::Pawn,
    Role::Pawn,
    Role::Pawn,
    Role::Pawn,
    Role::Pawn,
];

impl PieceId {
    /// The id of a side's king.
    pub const fn king(side: Side) -> Self {
        Self((side as u8) << 4)
    }

    /// Its side.
    pub const fn side(self) -> Side {
        if self.0 & 16 == 0 {
            Side::Red
        } else {
            Side::Black
        }
    }

    /// Its kind.
    #[expect(clippy::indexing_slicing, reason = "four bits index sixteen entries")]
    pub const fn role(self) -> Role {
        ROLE_OF_SLOT[(self.0 & 15) as usize]
    }

    /// Whether it is one of those whose own attacks the books spare.
    pub const fn is_king_or_pawn(self) -> bool {
        matches!(self.role(), Role::King | Role::Pawn)
    }

    /// Side and kind.
    pub const fn piece(self) -> Piece {
        Piece {
            side: self.side(),
            role: self.role(),
        }
    }

    /// 0–31, for tables.
    pub const fn index(self) -> usize {
        (self.0 & 31) as usize
    }
}

impl fmt::Debug for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.piece().letter(), self.0 & 15)
    }
}

/// A set of pieces.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PieceSet(pub(super) u32);

impl PieceSet {
    /// No piece.
    pub const EMPTY: Self = Self(0);

    /// Every id of a role and side, on the board or not.
    pub(super) const fn of(side: Side, role: Role) -> Self {
        let bits = ((1u32 << role.most()) - 1) << role.first_slot();
        Self(bits << ((side as u32) << 4))
    }

    /// Every id of a side's king, rooks and cannons: what may attack a king along a line.
    pub(super) const fn straight(side: Side) -> Self {
        let [king, rooks, cannons] = [
            Self::of(side, Role::King),
            Self::of(side, Role::Rook),
            Self::of(side, Role::Cannon),
        ];
        king.or(rooks).or(cannons)
    }

    /// Every id of a side.
    pub(super) const fn side(side: Side) -> Self {
        Self(0xFFFF << ((side as u32) << 4))
    }

    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many are in it.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the piece is in it.
    pub const fn contains(self, id: PieceId) -> bool {
        self.0 >> (id.0 & 31) & 1 != 0
    }

    /// With the piece added.
    #[must_use]
    pub const fn with(self, id: PieceId) -> Self {
        Self(self.0 | 1 << (id.0 & 31))
    }

    /// With the piece taken out.
    #[must_use]
    pub const fn without(self, id: PieceId) -> Self {
        Self(self.0 & !(1 << (id.0 & 31)))
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this and not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl fmt::Debug for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[expect(
    clippy::copy_iterator,
    reason = "four bytes: a set is walked, and asked again, without naming an iterator"
)]
impl Iterator for PieceSet {
    type Item = PieceId;

    #[expect(clippy::cast_possible_truncation, reason = "a bit index is below 32")]
    fn next(&mut self) -> Option<PieceId> {
        if self.0 == 0 {
            return None;
        }
        let slot = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(PieceId(slot))
    }
}

impl FromIterator<PieceId> for PieceSet {
    fn from_iter<I: IntoIterator<Item = PieceId>>(ids: I) -> Self {
        ids.into_iter().fold(Self::EMPTY, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_the_serde_names() {
        for role in Role::ALL {
            assert_eq!(
                serde_json::to_string(&role).unwrap(),
                format!("\"{}\"", role.id())
            );
        }
        for side in Side::ALL {
            assert_eq!(
                serde_json::to_string(&side).unwrap(),
                format!("\"{}\"", side.id())
            );
        }
    }

    #[test]
    fn an_id_tells_its_role_and_side() {
        for side in Side::ALL {
            for role in Role::ALL {
                let set = PieceSet::of(side, role);
                assert_eq!(set.len(), u32::from(role.most()));
                assert!(
                    set.into_iter()
                        .all(|id| id.piece() == Piece::new(side, role))
                );
            }
        }
    }

    #[test]
    fn letters_read_back() {
        for side in Side::ALL {
            for role in Role::ALL {
                let piece = Piece::new(side, role);
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_letter('H'), Piece::from_letter('N'));
        assert_eq!(Piece::from_letter('x'), None);
    }
}
