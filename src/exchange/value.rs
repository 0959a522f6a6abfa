//! Material, as the rule books compare it.

use crate::board::{PieceId, Position, Role, Side, Square};

/// What a line wins or loses for one side: pieces of fixed value, and crossed pawns, whose value
/// floats. The two are never added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Rook 20, horse and cannon 10, advisor and elephant 4.
    pub pieces: i32,
    /// Crossed pawns.
    pub pawns: i32,
}

impl Balance {
    /// Nothing won or lost.
    pub const EVEN: Self = Self {
        pieces: 0,
        pawns: 0,
    };
    /// The king lost.
    pub const MATED: Self = Self {
        pieces: -1000,
        pawns: 0,
    };
    /// The enemy king won.
    pub const MATING: Self = Self {
        pieces: 1000,
        pawns: 0,
    };

    /// With the other added.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            pieces: self.pieces + other.pieces,
            pawns: self.pawns + other.pawns,
        }
    }

    /// With the other taken off.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self {
            pieces: self.pieces - other.pieces,
            pawns: self.pawns - other.pawns,
        }
    }

    /// One number, for exchanges on a single square: a floating pawn counts 3.
    pub const fn number(self) -> i32 {
        self.pieces + 3 * self.pawns
    }

    /// Whether pawns stand against pieces such that neither is worth more: a pawn's value floats,
    /// below a rook's.
    pub const fn may_be_even(self) -> bool {
        let Self { pieces, pawns } = self;
        pieces > 0 && pawns < 0 || pieces < 0 && pieces + 10 * pawns >= 0
    }

    /// Where the balance stands in the order by which lines are compared.
    pub const fn grade(self, pawn_for_rook: bool) -> Grade {
        let Self { pieces, pawns } = self;
        Grade(if pieces > 0 && pawns >= 0 {
            Grade::GAIN + 4 * pieces + pawns
        } else if pieces == 0 && pawns > 0 {
            Grade::GAIN + pawns
        } else if pawn_for_rook && pieces >= 20 {
            Grade::GAIN + 4 * pieces + 3 * pawns
        } else if pieces > 0 {
            501
        } else if pieces < 0 {
            490 + 4 * pieces + pawns
        } else if pawns < 0 {
            499 + pawns
        } else {
            500
        })
    }
}

/// A total order of balances: losses, then even, then gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grade(pub i32);

impl Grade {
    const GAIN: i32 = 1000;
    /// Nothing gained, and yet a threat by the book: less than any gain, more than any balance that
    /// is no threat.
    pub const LEVEL: Self = Self(600);
    /// Just short of winning something.
    pub const NO_GAIN: Self = Self(Self::GAIN - 1);

    /// Less than any.
    pub const WORST: Self = Self(i32::MIN);
    /// More than any.
    pub const BEST: Self = Self(i32::MAX);

    /// The least mark this grade does not reach.
    #[must_use]
    pub const fn just_above(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The mark that this grade passes and nothing less does.
    #[must_use]
    pub const fn just_below(self) -> Self {
        Self(self.0 - 1)
    }

    /// Whether something is won.
    pub const fn is_gain(self) -> bool {
        self.0 >= Self::GAIN
    }
}

/// Whether a pawn of `side` standing there has crossed the river.
pub const fn has_crossed(side: Side, square: Square) -> bool {
    match side {
        Side::Red => square.rank() >= 5,
        Side::Black => square.rank() <= 4,
    }
}

/// What the piece counts where it stands. Kings and pawns that have not crossed are no material.
pub const fn material(id: PieceId, square: Square) -> Balance {
    let pieces = match id.role() {
        Role::Rook => 20,
        Role::Horse | Role::Cannon => 10,
        Role::Advisor | Role::Elephant => 4,
        Role::King => 0,
        Role::Pawn => {
            let pawns = if has_crossed(id.side(), square) { 1 } else { 0 };
            return Balance { pieces: 0, pawns };
        }
    };
    Balance { pieces, pawns: 0 }
}

/// Whether taking the piece on the square can be a gain at all.
pub fn is_material(position: &Position, square: Square) -> bool {
    position
        .id_at(square)
        .is_some_and(|id| material(id, square) != Balance::EVEN)
}
