//! Material, as the rule books compare it: strong pieces (强子) with rook 20, horse and cannon 10; weak ones (弱子)
//! with advisor and elephant 4; crossed pawns, whose value floats. Kings and pawns at home are none.

use crate::board::{PieceId, PieceSet, Position, Role, Side, Square, Trade, Worth};
use crate::definitions::Definitions;

/// What is won and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Balance {
    pub strong: i32,
    pub weak: i32,
    pub pawns: i32,
}

impl Balance {
    pub const EVEN: Self = Self::of(0, 0, 0);
    pub const MATED: Self = Self::of(-1000, 0, 0);
    pub const MATING: Self = Self::of(1000, 0, 0);

    const fn of(strong: i32, weak: i32, pawns: i32) -> Self {
        Self {
            strong,
            weak,
            pawns,
        }
    }

    pub const fn plus(self, other: Self) -> Self {
        Self::of(
            self.strong + other.strong,
            self.weak + other.weak,
            self.pawns + other.pawns,
        )
    }

    pub const fn minus(self, other: Self) -> Self {
        Self::of(
            self.strong - other.strong,
            self.weak - other.weak,
            self.pawns - other.pawns,
        )
    }

    /// Where a balance of pieces against pawns stands among those that count as much.
    pub fn among_floating(self) -> i32 {
        (40 + self.number()).clamp(0, 98)
    }

    pub const fn pieces(self) -> i32 {
        self.strong + self.weak
    }

    /// For exchanges on one square a pawn counts 3.
    pub const fn number(self) -> i32 {
        self.pieces() + 3 * self.pawns
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

/// What a piece counts where it stands.
pub(crate) fn material(id: PieceId, at: Square) -> Balance {
    match id.role() {
        Role::Rook => Balance::of(20, 0, 0),
        Role::Horse | Role::Cannon => Balance::of(10, 0, 0),
        Role::Advisor | Role::Elephant => Balance::of(0, 4, 0),
        Role::Pawn if has_crossed(id.side(), at) => Balance::of(0, 0, 1),
        Role::Pawn | Role::King => Balance::EVEN,
    }
}

pub(crate) const fn has_crossed(side: Side, at: Square) -> bool {
    match side {
        Side::Red => at.rank() >= 5,
        Side::Black => at.rank() <= 4,
    }
}

/// What stands on a square counts.
pub(crate) fn worth(position: &Position, at: Square) -> Balance {
    position
        .id_at(at)
        .map_or(Balance::EVEN, |id| material(id, at))
}

/// Grades from here on are gains; below stand, in this order, losses, what is even, and what the book threatens with without
/// gaining.
pub(crate) const GAIN: i32 = 1000;
/// Between gains that differ in pieces, which takes two of their worth at least; pawns make no such difference.
const STEP: i32 = 8;
/// Pawns against strong pieces, none of them the price (26.6).
pub(crate) const LET_GO: i32 = 700;
/// As much is lost as won, and the captor survives (26.5).
pub(crate) const EVEN_TRADE: i32 = 600;
/// From here on nothing is lost.
pub(crate) const EVEN: i32 = 500;

/// So many pawns a side has.
const PAWNS: i32 = 5;

/// Where a balance stands in the order of balances (25.3, 26.6).
pub(crate) fn grade(definitions: &Definitions, balance: Balance) -> i32 {
    let (pieces, pawns) = (weighed(definitions, balance), balance.pawns);
    let rook_won = pieces >= 20 || definitions.strong_outweighs_weak && balance.strong >= 20;
    match (pieces, pawns) {
        (1.., 0..) => GAIN + STEP * pieces + pawns,
        (0, 1..) => GAIN + pawns,
        // Less than where they are no price of it.
        _ if rook_won && definitions.pawn_for_rook => GAIN + STEP * pieces + pawns - PAWNS,
        // No gain, however much it is.
        (1.., _) => EVEN + 1 + balance.among_floating(),
        (..=-1, _) => EVEN - 10 + 4 * pieces + pawns,
        (0, ..=-1) => EVEN - 1 + pawns,
        (0, 0) => EVEN,
    }
}

/// The pieces of a balance, where any strong one may outweigh all weak ones.
const fn weighed(definitions: &Definitions, balance: Balance) -> i32 {
    let (strong, sum) = (balance.strong, balance.pieces());
    if definitions.strong_outweighs_weak && strong > 0 && sum <= 0 {
        1
    } else if definitions.strong_outweighs_weak && strong < 0 && sum >= 0 {
        -1
    } else {
        sum
    }
}

/// A gain whose pawns fell as no price of it (26.6): the same, and the more of them the less.
pub(crate) const fn but_for_pawns(definitions: &Definitions, balance: Balance) -> i32 {
    GAIN + STEP * weighed(definitions, balance) + balance.pawns
}

/// What a gain of as much comes to at least: where pawns that fall after a strong piece are no price of it, however many do.
pub(crate) fn as_much(definitions: &Definitions, balance: Balance) -> i32 {
    let no_price = definitions.fallen_pawn_ignored && balance.strong >= 10 && balance.pawns <= 0;
    if no_price {
        let pawns = -PAWNS;
        but_for_pawns(definitions, Balance { pawns, ..balance })
    } else {
        grade(definitions, balance)
    }
}

/// Pawns against strong pieces, so that neither is worth more (26.6).
#[derive(PartialEq, Eq)]
pub(crate) enum Floating {
    PawnsLost,
    PawnsWon,
}

pub(crate) const fn floating(definitions: &Definitions, balance: Balance) -> Option<Floating> {
    let (pieces, pawns) = (balance.pieces(), balance.pawns);
    let is_won = pieces >= 10 || definitions.strong_outweighs_weak;
    if balance.strong >= 10 && is_won && pawns < 0 {
        Some(Floating::PawnsLost)
    } else if pieces < 0 && pieces + 10 * pawns >= 0 {
        Some(Floating::PawnsWon)
    } else {
        None
    }
}

/// A capture and the exchange it starts on its one square, both sides free to stop; a careless side's king is left out
/// of account.
pub(crate) fn exchange(
    position: &mut Position,
    capture: crate::board::Move,
    careless: Option<Side>,
) -> Balance {
    exchange_without(position, capture, careless, PieceSet::EMPTY)
}

/// A piece is itself a root: it can take back at once, or the capture would be worth more if it could not.
pub(crate) fn is_root(
    position: &mut Position,
    capture: crate::board::Move,
    careless: Option<Side>,
    id: PieceId,
) -> bool {
    let undo = position.make(capture);
    let back = crate::board::Move::new(position.square_of(id), capture.to);
    let takes_back = position
        .bearing_on(capture.to, position.turn())
        .contains(id)
        && (careless == Some(position.turn()) || position.keeps_king_safe(back));
    position.unmake(undo);
    takes_back || {
        let without = exchange_without(position, capture, careless, PieceSet::EMPTY.with(id));
        without.number() > exchange(position, capture, careless).number()
    }
}

/// The same where these pieces take nothing back.
fn exchange_without(
    position: &mut Position,
    capture: crate::board::Move,
    careless: Option<Side>,
    idle: PieceSet,
) -> Balance {
    let trade = Trade {
        worth: material,
        careless,
        idle,
    };
    trade.after(position, capture)
}
