//! Material, as the rule books compare it.

use crate::board::{PieceId, Position, Role, Side, Square, Worth};
use crate::definitions::Definitions;

/// What a line wins or loses for one side: pieces of fixed value, and crossed pawns, whose value
/// floats. The two are never added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Balance {
    /// Strong pieces (强子): rook 20, horse and cannon 10.
    pub strong: i32,
    /// Weak pieces (弱子): advisor and elephant 4.
    pub weak: i32,
    /// Crossed pawns.
    pub pawns: i32,
}

/// How a book weighs material beyond its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Giving a pawn for a rook is a gain.
    pub pawn_for_rook: bool,
    /// Any strong piece outweighs any number of weak ones.
    pub strong_outweighs_weak: bool,
}

impl Definitions {
    /// How the book weighs material.
    pub const fn scale(&self) -> Scale {
        Scale {
            pawn_for_rook: self.pawn_for_rook,
            strong_outweighs_weak: self.strong_outweighs_weak,
        }
    }
}

impl Balance {
    /// Nothing won or lost.
    pub const EVEN: Self = Self {
        strong: 0,
        weak: 0,
        pawns: 0,
    };
    /// The king lost.
    pub const MATED: Self = Self {
        strong: -1000,
        weak: 0,
        pawns: 0,
    };
    /// The enemy king won.
    pub const MATING: Self = Self {
        strong: 1000,
        weak: 0,
        pawns: 0,
    };

    /// So many pawns a side has.
    const PAWNS: i32 = 5;

    /// With the other added.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            strong: self.strong + other.strong,
            weak: self.weak + other.weak,
            pawns: self.pawns + other.pawns,
        }
    }

    /// With the other taken off.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self {
            strong: self.strong - other.strong,
            weak: self.weak - other.weak,
            pawns: self.pawns - other.pawns,
        }
    }

    /// One number, for exchanges on a single square: a floating pawn counts 3.
    pub const fn number(self) -> i32 {
        self.pieces() + 3 * self.pawns
    }

    /// The pieces of fixed value added up.
    pub const fn pieces(self) -> i32 {
        self.strong + self.weak
    }

    /// The same as the book weighs them: where any strong piece outweighs weak ones, a sum of the other sign
    /// comes to as little as there is.
    const fn weighed(self, scale: Scale) -> i32 {
        let sum = self.pieces();
        if scale.strong_outweighs_weak && self.strong > 0 && sum <= 0 {
            1
        } else if scale.strong_outweighs_weak && self.strong < 0 && sum >= 0 {
            -1
        } else {
            sum
        }
    }

    /// Where a gain stands whose pawns fell as no price of it (26.6): the same, and the more of them the less.
    pub const fn grade_but_for_pawns(self, scale: Scale) -> Grade {
        Grade(Grade::GAIN + Grade::STEP * self.weighed(scale) + self.pawns)
    }

    /// The mark that a gain of as much passes: where pawns that fall after a strong piece are no price of it, however many do.
    pub fn as_much(self, definitions: &Definitions) -> Grade {
        let scale = definitions.scale();
        let no_price = definitions.fallen_pawn_ignored && self.strong >= 10 && self.pawns <= 0;
        let least = if no_price {
            let pawns = -Self::PAWNS;
            Self { pawns, ..self }.grade_but_for_pawns(scale)
        } else {
            self.grade(scale)
        };
        least.just_below()
    }

    /// Whether pieces are won for pawns.
    pub const fn gives_pawns(self) -> bool {
        self.pieces() > 0 && self.pawns < 0
    }

    /// Whether pawns stand against strong pieces such that neither is worth more: a pawn's value floats, below
    /// a rook's. With advisors and elephants it is not compared; where a strong piece outweighs them they take nothing from one.
    pub const fn against_pawns(self, scale: Scale) -> Option<Floating> {
        let (pieces, pawns) = (self.pieces(), self.pawns);
        let is_won = pieces >= 10 || scale.strong_outweighs_weak;
        if self.strong >= 10 && is_won && pawns < 0 {
            Some(Floating::PawnsLost)
        } else if pieces < 0 && pieces + 10 * pawns >= 0 {
            Some(Floating::PawnsWon)
        } else {
            None
        }
    }

    /// Where a balance of pieces against pawns stands among those that count as much: more is more, so that what is told of a
    /// line does not hang on which was met first.
    const fn among_floating(self) -> i32 {
        match 40 + self.number() {
            ..=0 => 0,
            98.. => 98,
            place => place,
        }
    }

    /// Whether a rook's worth is won: where any strong piece outweighs weak ones, whatever falls of those.
    const fn is_rook_won(self, scale: Scale) -> bool {
        self.pieces() >= 20 || scale.strong_outweighs_weak && self.strong >= 20
    }

    /// Where the balance stands in the order by which lines are compared.
    pub const fn grade(self, scale: Scale) -> Grade {
        let (pieces, pawns) = (self.weighed(scale), self.pawns);
        Grade(if pieces > 0 && pawns >= 0 {
            Grade::GAIN + Grade::STEP * pieces + pawns
        } else if pieces == 0 && pawns > 0 {
            Grade::GAIN + pawns
        } else if scale.pawn_for_rook && self.is_rook_won(scale) {
            // Less than where they fell as no price.
            Grade::GAIN + Grade::STEP * pieces + pawns - Self::PAWNS
        } else if pieces > 0 {
            // No gain, however much it is.
            Grade::LEVEL.0 + 1 + self.among_floating()
        } else if pieces < 0 {
            490 + 4 * pieces + pawns
        } else if pawns < 0 {
            499 + pawns
        } else {
            Grade::LEVEL.0
        })
    }
}

impl Worth for Balance {
    const NOTHING: Self = Self::EVEN;

    fn number(self) -> i32 {
        Self::number(self)
    }

    fn minus(self, other: Self) -> Self {
        Self::minus(self, other)
    }
}

/// Pawns against pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floating {
    /// Pawns are lost for strong pieces.
    PawnsLost,
    /// Pawns are won for strong pieces.
    PawnsWon,
}

/// A total order of balances: losses, then even, then gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grade(pub i32);

impl Grade {
    const GAIN: i32 = 1000;
    /// Between gains that differ in pieces: two kinds of pieces add up to no less than a difference of two.
    const STEP: i32 = 8;
    /// Nothing is won or lost.
    pub const LEVEL: Self = Self(500);
    /// As much is lost as won, and yet it is a threat by the book: less than any gain, more than any
    /// balance that is no threat.
    pub const EVEN_TRADE: Self = Self(600);
    /// Pawns against strong pieces, none of them the price: a threat as well, and more than an even trade.
    pub const LET_GO: Self = Self(700);
    /// Just short of winning something.
    pub const NO_GAIN: Self = Self(Self::GAIN - 1);

    /// Less than any.
    pub const WORST: Self = Self(i32::MIN);
    /// More than any.
    pub const BEST: Self = Self(i32::MAX);

    /// Pawns against strong pieces where that is a threat, or a gain.
    #[must_use]
    pub const fn floating(self, balance: Balance) -> Self {
        Self(self.0 + balance.among_floating())
    }

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
    let (strong, weak, pawns) = match id.role() {
        Role::Rook => (20, 0, 0),
        Role::Horse | Role::Cannon => (10, 0, 0),
        Role::Advisor | Role::Elephant => (0, 4, 0),
        Role::Pawn if has_crossed(id.side(), square) => (0, 0, 1),
        Role::Pawn | Role::King => (0, 0, 0),
    };
    Balance {
        strong,
        weak,
        pawns,
    }
}

/// What is won by taking whatever stands on a square.
pub(super) fn worth(position: &Position, square: Square) -> Balance {
    let taken = position.id_at(square);
    taken.map_or(Balance::EVEN, |id| material(id, square))
}

/// Whether taking the piece on the square can be a gain at all.
pub fn is_material(position: &Position, square: Square) -> bool {
    worth(position, square) != Balance::EVEN
}
