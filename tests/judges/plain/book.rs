//! What the books differ in. The judge reads these, never the name of a book.

use super::board::Kind;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Check, kill and chase by what is threatened.
    Chinese,
    /// Check and chase by who attacks whom.
    Asian,
    /// Any third occurrence is a draw.
    Threefold,
}

/// Both sides attack on every move, neither only by checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutual {
    /// 1999 26.3: a draw.
    Draw,
    /// 2007 5.9.9: who chases an unrooted piece changes, if one of the other's chases is of a rooted or under-rooted one.
    Unrooted,
    /// 2011 and 2020 26.9: who attacks single-handed on every move changes, if the other does not.
    SingleHanded,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Book {
    pub id: &'static str,
    pub method: Method,
    pub mutual: Mutual,
    /// A standing threat may become better without becoming new: who moves away from an attack makes no
    /// new chase by that (the decision of 2008; 1999, 2007). Otherwise what comes of the move counts.
    pub standing_is_old: bool,
    /// A root that takes chases even if it loses by it (细则 4 and the course of 2004; 1999, 2007).
    pub roots_may_lose: bool,
    /// Any strong piece outweighs any weak ones (26.6; 2011, 2020); otherwise values are added up.
    pub strong_before_weak: bool,
    /// A crossed pawn given for a rook is a gain (26.6; 2011, 2020).
    pub pawn_for_rook: bool,
    /// Where both sides attack for ever, pawns' own attacks count (27.2; 1999).
    pub pawns_upgraded: bool,
    /// A pawn that takes with others' force attacks (2004 course; 1999, 2007).
    pub pawns_with_help: bool,
    /// A pawn's capture that uncovers another piece's check attacks (26.8; 2020, and all the more 1999 and 2007).
    pub pawns_uncovering: bool,
    /// An exchange is of equal worth (28.5; 1999, 2007), otherwise of the same kind (24.4).
    pub exchange_by_worth: bool,
}

impl Book {
    pub const C1999: Book = Book {
        id: "cxa-1999",
        method: Method::Chinese,
        mutual: Mutual::Draw,
        standing_is_old: true,
        roots_may_lose: true,
        strong_before_weak: false,
        pawn_for_rook: false,
        pawns_upgraded: true,
        pawns_with_help: true,
        pawns_uncovering: true,
        exchange_by_worth: true,
    };
    pub const C2007: Book = Book {
        id: "cxa-2007",
        mutual: Mutual::Unrooted,
        pawns_upgraded: false,
        ..Book::C1999
    };
    pub const C2011: Book = Book {
        id: "cxa-2011",
        mutual: Mutual::SingleHanded,
        standing_is_old: false,
        roots_may_lose: false,
        strong_before_weak: true,
        pawn_for_rook: true,
        pawns_with_help: false,
        pawns_uncovering: false,
        exchange_by_worth: false,
        ..Book::C2007
    };
    pub const C2020: Book = Book {
        id: "cxa-2020",
        pawns_uncovering: true,
        ..Book::C2011
    };
    pub const WXF: Book = Book {
        id: "wxf",
        method: Method::Asian,
        ..Book::C2020
    };
    pub const THREEFOLD: Book = Book {
        id: "threefold",
        method: Method::Threefold,
        ..Book::C2020
    };
    pub const ALL: [Book; 6] = [
        Book::C1999,
        Book::C2007,
        Book::C2011,
        Book::C2020,
        Book::WXF,
        Book::THREEFOLD,
    ];

    pub fn by_id(id: &str) -> Option<Book> {
        Book::ALL.into_iter().find(|book| book.id == id)
    }

    pub fn exchangeable(&self, a: Kind, b: Kind) -> bool {
        use Kind::*;
        a == b
            || (self.exchange_by_worth
                && matches!(
                    (a, b),
                    (Horse, Cannon) | (Cannon, Horse) | (Advisor, Elephant) | (Elephant, Advisor)
                ))
    }

    /// How good it is for a side to have won (less lost) so many horses' worth of strong pieces, so many
    /// weak ones and so many crossed pawns. Pawns float: never set off against pieces.
    pub fn grade(&self, strong: i32, weak: i32, pawns: i32, given: bool) -> i32 {
        let pieces = if self.strong_before_weak {
            100 * strong + 4 * weak
        } else {
            10 * strong + 4 * weak
        };
        match (pieces.signum(), pawns.signum()) {
            (1, 0 | 1) => GAIN + 4 * pieces + pawns,
            (0, 1) => GAIN + pawns,
            // Pieces for pawns: a gain only if a rook is among them and the book says so.
            (1, _) if !given || (self.pawn_for_rook && strong >= 2) => GAIN + 4 * pieces + pawns,
            (1, _) => EVEN + 1,
            (0, 0) => EVEN,
            (0, _) => LOSS + pawns,
            // A pawn may weigh as much as a horse or a cannon, not a rook.
            (-1, 1) if self.pawn_for_rook && strong == -1 && weak == 0 => EVEN,
            _ => LOSS + 4 * pieces + pawns,
        }
    }
}

/// Grades from here on are gains.
pub const GAIN: i32 = 10_000;
/// Nothing won, nothing lost.
pub const EVEN: i32 = 5_000;
/// An even trade the captor outlives (26.5; supplement 6 to 1999) is just above one it does not.
pub const OUTLIVED: i32 = EVEN + 50;
/// Grades below here are losses.
pub const LOSS: i32 = 4_900;
/// The opponent is mated.
pub const MATE: i32 = 100_000;
