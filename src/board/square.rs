//! Points of the board and moves between them.

use crate::named::read_text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A point of the 9×10 board, from `a0` (Red's left corner) to `i9`.
///
/// ```
/// use qili::board::Square;
/// let e0: Square = "e0".parse()?;
/// assert_eq!((e0.file(), e0.rank()), (4, 0));
/// assert!("j0".parse::<Square>().is_err());
/// # Ok::<_, qili::board::ParseSquareError>(())
/// ```
///
/// Kept as `rank * 16 + file`: the difference of two squares then names the step between them
/// uniquely, and a table of 256 entries needs no bounds check.
// INVARIANT: the low nibble is < 9 and the high nibble < 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(super) u8);

impl Square {
    /// The square on `file` 0–8 (a–i) and `rank` 0–9, if there is one.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < 9 && rank < 10 {
            Some(Self(rank << 4 | file))
        } else {
            None
        }
    }

    /// All ninety squares, `a0 b0 … i9`.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..90u8).map(|i| Self((i / 9) << 4 | (i % 9)))
    }

    /// The square with this dense index, 0–89 (`rank * 9 + file`).
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 90 {
            Some(Self((index / 9) << 4 | (index % 9)))
        } else {
            None
        }
    }

    /// Dense index, 0–89.
    pub const fn index(self) -> usize {
        (self.0 >> 4) as usize * 9 + (self.0 & 15) as usize
    }

    /// 0–8 for a–i, from Red's left.
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// 0–9 from Red's back row.
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// As it is written.
    const fn letters(self) -> [u8; 2] {
        [b'a' + self.file(), b'0' + self.rank()]
    }

    /// The square `files` to Red's right and `ranks` towards Black, if on the board.
    pub fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        Self::new(
            self.file().checked_add_signed(files)?,
            self.rank().checked_add_signed(ranks)?,
        )
    }

    /// Reflected left to right.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(self.0 & 0xF0 | (8 - (self.0 & 15)))
    }

    /// Reflected across the river.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self((9 - (self.0 >> 4)) << 4 | (self.0 & 15))
    }

    /// Within either palace.
    pub const fn in_palace(self) -> bool {
        let (f, r) = (self.0 & 15, self.0 >> 4);
        f >= 3 && f <= 5 && (r <= 2 || r >= 7)
    }

    /// Diagonally beside the other: where the leg of a horse stands that bears on it, or the eye of an elephant.
    #[inline]
    pub const fn is_aslant(self, other: Self) -> bool {
        matches!(other.0.wrapping_sub(self.0), 17 | 15 | 239 | 241)
    }

    pub(super) const fn raw(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquareSet(u128);

impl SquareSet {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// Whether the square is in it.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> (square.index() & 127) & 1 != 0
    }

    /// With the square added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << (square.index() & 127))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(text_of(&self.letters()))
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text_of(&self.letters()))
    }
}

/// The letters of squares, which are plain ones, as text.
fn text_of(letters: &[u8]) -> &str {
    std::str::from_utf8(letters).unwrap_or_default()
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a square: expected a file `a`-`i` and a rank `0`-`9`, as in `e0`")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || ParseSquareError(text.to_owned());
        let &[file, rank] = text.as_bytes() else {
            return Err(fault());
        };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        Self::new(file, rank.wrapping_sub(b'0')).ok_or_else(fault)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_text(from)
    }
}

/// A move as two squares; what moves and what is captured is the position's to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// A place holder, `a0a0`: no piece moves so.
    pub const NONE: Self = Self::new(Square(0), Square(0));

    /// The move from one square to another.
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to }
    }

    /// As it is written.
    pub(crate) const fn letters(self) -> [u8; 4] {
        let ([file, rank], [to_file, to_rank]) = (self.from.letters(), self.to.letters());
        [file, rank, to_file, to_rank]
    }

    /// The same move on the board reflected left to right.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::new(self.from.mirrored(), self.to.mirrored())
    }

    /// The same move on the board reflected across the river.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::new(self.from.flipped(), self.to.flipped())
    }

    /// The move back.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::new(self.to, self.from)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(text_of(&self.letters()))
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text_of(&self.letters()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let halves = text.split_at_checked(2);
        let (from, to) = halves.ok_or_else(|| ParseSquareError(text.to_owned()))?;
        Ok(Self::new(from.parse()?, to.parse()?))
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_text(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_and_pair_reads_back() {
        for from in Square::all() {
            assert_eq!(from.to_string().parse(), Ok(from));
            assert_eq!(
                Square::from_index(u8::try_from(from.index()).unwrap()),
                Some(from)
            );
            for to in Square::all() {
                let mv = Move::new(from, to);
                assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        }
        assert_eq!(Square::all().count(), 90);
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "e", "j0", "e10", "é0", "a:", "棋0"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }
}
