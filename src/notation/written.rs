//! A move as written, not yet held against a position.

use super::symbol::{Action, Place, Symbol, is_blank, is_mark};
use crate::board::{Move, Role, Square};

/// What the ranks of squares are counted from: `h2e2` and `h3e3` may be the same move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ranks {
    /// 0 to 9, as in ICCS.
    #[default]
    Zero,
    /// 1 to 10, as some engines write.
    One,
}

impl Ranks {
    /// How the squares of a list of moves count: from 1 where one of them names a rank 10.
    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let to_ten = |text: &str| {
            text.as_bytes().windows(2).any(|pair| pair == b"10")
                && match Written::read(text) {
                    Ok(Written::Squares(corners)) => corners.counts_to_ten(),
                    Ok(Written::Lands(landing)) => landing.to.rank == 10,
                    _ => false,
                }
        };
        if texts.into_iter().any(to_ten) {
            Self::One
        } else {
            Self::Zero
        }
    }

    fn square(self, corner: Corner) -> Option<Square> {
        let rank = match self {
            Self::Zero => corner.rank,
            Self::One => corner.rank.checked_sub(1)?,
        };
        Square::new(corner.file, rank)
    }
}

/// A file and a rank as written, the rank 0 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    file: u8,
    rank: u8,
}

/// Two squares as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corners {
    from: Corner,
    to: Corner,
}

impl Corners {
    /// The move it is, ranks counted so.
    pub(super) fn mv(self, ranks: Ranks) -> Option<Move> {
        Some(Move::new(ranks.square(self.from)?, ranks.square(self.to)?))
    }

    const fn counts_to_ten(self) -> bool {
        self.from.rank == 10 || self.to.rank == 10
    }
}

/// A piece and the square it comes to, as `WinBoard` writes: `Che2`, `Rxd7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    pub(super) role: Role,
    /// The file it comes from, 0 for `a`.
    pub(super) file: Option<u8>,
    to: Corner,
}

impl Landing {
    pub(super) fn to(self, ranks: Ranks) -> Option<Square> {
        ranks.square(self.to)
    }
}

/// Which of a side's like pieces is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Which {
    /// Not said: `车进一`.
    Any,
    /// The one on this file, 1–9 from the side's right: `车二进一`.
    File(u8),
    /// One of those in a line: `前车进一`.
    Place(Place),
    /// One of those in a line on this file: `前兵九平八`.
    PlaceOnFile(Place, u8),
    /// The pawns that stand in lines, numbered front to back, the right file first: `一兵平五`.
    Order(u8),
    /// The pawns of one file, numbered front to back: `16=5`.
    OrderOnFile(u8, u8),
}

/// A piece and where it goes, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelled {
    pub(super) role: Role,
    pub(super) which: Which,
    /// `None` in the short form, which leaves it out.
    pub(super) action: Option<Action>,
    /// A file or an amount, 1–9.
    pub(super) number: u8,
}

/// What a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Two squares.
    Squares(Corners),
    /// A piece and where it lands.
    Lands(Landing),
    /// A piece by name.
    Spelled(Spelled),
    /// `R+6` says either: a rook advances six, or the front rook goes to (or by) six.
    Either(Spelled, Spelled),
}

/// The longest written move has this many signs.
pub(super) const LONGEST: usize = 5;

/// Why a text is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotWritten {
    Empty,
    Unreadable,
}

impl Written {
    /// Reads a text, blanks anywhere in it.
    pub(super) fn read(text: &str) -> Result<Self, NotWritten> {
        if let &[a, b, c, d] = text.as_bytes()
            && let (Some(from), Some(to)) = (corner(a, b), corner(c, d))
        {
            return Ok(Self::Squares(Corners { from, to }));
        }
        if let Some((written, length)) = Self::in_words(text)
            && length == text.len()
        {
            return Ok(written);
        }
        let word = text.trim_matches(is_blank).trim_end_matches(is_mark);
        let word = word.strip_suffix(['+', '#']).unwrap_or(word);
        if let Some((written, length)) = Self::in_ascii(word)
            && length == word.len()
        {
            return Ok(written);
        }
        if let Some((to, "")) = corner_at(word)
            && word.starts_with(|c: char| c.is_ascii_lowercase())
        {
            let (role, file) = (Role::Pawn, None);
            return Ok(Self::Lands(Landing { role, file, to }));
        }
        let mut signs = [Symbol::Digit(0); LONGEST];
        let mut length = 0;
        let mut marked = false;
        for c in text.chars().filter(|&c| !is_blank(c)) {
            if is_mark(c) && length > 0 {
                marked = true;
                continue;
            }
            let symbol = Symbol::of(c)
                .filter(|_| !marked)
                .ok_or(NotWritten::Unreadable)?;
            *signs.get_mut(length).ok_or(NotWritten::Unreadable)? = symbol;
            length += 1;
        }
        match signs.get(..length) {
            None | Some([]) => Err(NotWritten::Empty),
            Some(signs) => Self::of(signs).ok_or(NotWritten::Unreadable),
        }
    }

    /// The forms that only plain letters write, at the start of a text, and how long they are: squares
    /// with a rank 10, and a piece with the square it comes to.
    pub(super) fn in_ascii(text: &str) -> Option<(Self, usize)> {
        let long = |rest: &str| text.len() - rest.len();
        if let Some((from, rest)) = corner_at(text) {
            let (to, rest) = corner_at(rest.strip_prefix('-').unwrap_or(rest))?;
            let corners = Corners { from, to };
            return corners
                .counts_to_ten()
                .then(|| (Self::Squares(corners), long(rest)));
        }
        let piece = text.chars().next().filter(char::is_ascii_uppercase)?;
        let role = Symbol::of(piece)?.role()?;
        let rest = text.get(1..)?;
        let lands = |file, rest: &str| {
            let rest = rest.strip_prefix('x').unwrap_or(rest);
            let (to, rest) =
                corner_at(rest).filter(|_| !rest.starts_with(|c: char| c.is_ascii_uppercase()))?;
            Some((Self::Lands(Landing { role, file, to }), long(rest)))
        };
        let file = rest.chars().next().and_then(file_of);
        lands(None, rest).or_else(|| lands(Some(file?), rest.get(1..)?))
    }

    /// The common form of moves in words at the start of a text, and how long it is: a piece, its file, where it goes.
    pub(super) fn in_words(text: &str) -> Option<(Self, usize)> {
        let mut chars = text.chars();
        let mut next = || Symbol::of(chars.next()?);
        let Symbol::Piece(role) = next()? else {
            return None;
        };
        let which = Which::File(next()?.number()?);
        let Symbol::Word(action) = next()? else {
            return None;
        };
        let number = next()?.number()?;
        let spelled = Spelled {
            role,
            which,
            action: Some(action),
            number,
        };
        Some((Self::Spelled(spelled), text.len() - chars.as_str().len()))
    }

    /// What a row of signs says.
    pub(super) fn of(signs: &[Symbol]) -> Option<Self> {
        match *signs {
            [a, b, c] => three(a, b, c),
            [a, b, c, d] => squares(a, b, c, d).or_else(|| four(a, b, c, d)),
            [a, b, dash, d, e] => (dash == Symbol::Sign(Action::Retreat))
                .then(|| squares(a, b, d, e))
                .flatten()
                .or_else(|| five([a, b, dash, d, e])),
            _ => None,
        }
    }
}

/// A square of two bytes, `h2` or `H2`.
fn corner(file: u8, rank: u8) -> Option<Corner> {
    let (file, rank) = (
        file.to_ascii_lowercase().wrapping_sub(b'a'),
        rank.wrapping_sub(b'0'),
    );
    (file < 9 && rank < 10).then_some(Corner { file, rank })
}

fn file_of(letter: char) -> Option<u8> {
    let file = u8::try_from(letter.to_ascii_lowercase()).ok()?;
    Some(file.wrapping_sub(b'a')).filter(|&file| file < 9)
}

/// A square of two or three characters at the start of a text, and what stands behind it.
fn corner_at(text: &str) -> Option<(Corner, &str)> {
    let file = text.chars().next().and_then(file_of)?;
    let rest = text.get(1..)?;
    if let Some(rest) = rest.strip_prefix("10") {
        return Some((Corner { file, rank: 10 }, rest));
    }
    let rank = rest.bytes().next()?.wrapping_sub(b'0');
    (rank < 10).then_some((Corner { file, rank }, rest.get(1..)?))
}

fn squares(a: Symbol, b: Symbol, c: Symbol, d: Symbol) -> Option<Written> {
    let at = |letter, digit| match (letter, digit) {
        (Symbol::Letter(letter), Symbol::Digit(digit)) => corner(letter, digit + b'0'),
        _ => None,
    };
    let (from, to) = (at(a, b)?, at(c, d)?);
    Some(Written::Squares(Corners { from, to }))
}

/// Only pawns are numbered.
fn pawn(role: Role) -> Option<Role> {
    (role == Role::Pawn).then_some(role)
}

fn four(a: Symbol, b: Symbol, c: Symbol, d: Symbol) -> Option<Written> {
    let (action, number) = (Some(c.action()?), d.number()?);
    let spelled = |role, which| {
        Some(Written::Spelled(Spelled {
            role,
            which,
            action,
            number,
        }))
    };
    match (a.role(), b.role()) {
        (Some(role), None) => match (b.number(), b.place()) {
            (Some(file), _) => spelled(role, Which::File(file)),
            (None, Some(place)) => spelled(role, Which::Place(place)),
            (None, None) => None,
        },
        (None, Some(role)) => match (a.number(), a.place()) {
            (Some(order), _) => spelled(pawn(role)?, Which::Order(order)),
            (None, Some(place)) => spelled(role, Which::Place(place)),
            (None, None) => None,
        },
        // Where pawns stand in lines on two files, their file takes the place of their name.
        (None, None) => spelled(
            Role::Pawn,
            match (a, b) {
                (Symbol::Place(place), file) | (file, Symbol::Place(place)) => {
                    Which::PlaceOnFile(place, file.number()?)
                }
                (order, file) => Which::OrderOnFile(order.number()?, file.number()?),
            },
        ),
        (Some(_), Some(_)) => None,
    }
}

fn five([first, second, file, action, number]: [Symbol; 5]) -> Option<Written> {
    let (file, action, number) = (file.number()?, Some(action.action()?), number.number()?);
    let (role, other) = match (first.role(), second.role()) {
        (Some(role), None) => (role, second),
        (None, Some(role)) => (role, first),
        (None, None) | (Some(_), Some(_)) => return None,
    };
    let which = match (other.number(), other.place()) {
        (Some(order), _) => {
            pawn(role)?;
            Which::OrderOnFile(order, file)
        }
        (None, Some(place)) => Which::PlaceOnFile(place, file),
        (None, None) => return None,
    };
    Some(Written::Spelled(Spelled {
        role,
        which,
        action,
        number,
    }))
}

fn three(a: Symbol, b: Symbol, c: Symbol) -> Option<Written> {
    let number = c.number()?;
    let spelled = |role, which, action| Spelled {
        role,
        which,
        action,
        number,
    };
    let short = |role, which| Some(Written::Spelled(spelled(role, which, None)));
    match (a.role(), b.role()) {
        (Some(role), None) => {
            if let Some(file) = b.number() {
                return short(role, Which::File(file));
            }
            match (b.action(), b.place()) {
                (Some(action), place) => {
                    let going = spelled(role, Which::Any, Some(action));
                    Some(match place {
                        Some(place) => {
                            Written::Either(going, spelled(role, Which::Place(place), None))
                        }
                        None => Written::Spelled(going),
                    })
                }
                (None, Some(place)) => short(role, Which::Place(place)),
                (None, None) => None,
            }
        }
        (None, Some(role)) => match (a.number(), a.place()) {
            (Some(order), _) => short(pawn(role)?, Which::Order(order)),
            (None, Some(place)) => short(role, Which::Place(place)),
            (None, None) => None,
        },
        (None, None) | (Some(_), Some(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> (Role, Which, Option<Action>, u8) {
        match Written::read(text) {
            Ok(Written::Spelled(s)) => (s.role, s.which, s.action, s.number),
            other => unreachable!("{text}: {other:?}"),
        }
    }

    #[test]
    fn one_move_has_many_spellings() {
        let cannon = (Role::Cannon, Which::File(2), Some(Action::Traverse), 5);
        for text in [
            "炮二平五",
            "炮2平5",
            "砲２平５",
            "包二平五",
            "C2=5",
            "c2.5",
            "Ｃ２＝５",
            "炮2=5",
            "炮 2 = 5",
            "炮二平五!?",
            "C2·5",
            "炮２．５",
            " 炮　二 平\u{200B}五 ",
        ] {
            assert_eq!(spelled(text), cannon, "{text}");
        }
        for text in ["h2e2", "H2E2", "H2-E2", "h2 – e2", "Ｈ２－Ｅ２", "h2—e2!"] {
            let Ok(Written::Squares(corners)) = Written::read(text) else {
                unreachable!("{text}");
            };
            assert_eq!(corners.mv(Ranks::Zero), "h2e2".parse().ok(), "{text}");
            assert_eq!(corners.mv(Ranks::One), "h1e1".parse().ok(), "{text}");
        }
        for (text, mv) in [("h10g8", "h9g7"), ("I10-H10!", "i9h9"), ("a1a10+", "a0a9")] {
            let Ok(Written::Squares(corners)) = Written::read(text) else {
                unreachable!("{text}");
            };
            assert_eq!(corners.mv(Ranks::One), mv.parse().ok(), "{text}");
            assert_eq!(corners.mv(Ranks::Zero), None, "{text}");
        }
        for (text, role, file, to) in [
            ("Che2", Role::Cannon, Some(7), "e2"),
            ("Hg2", Role::Horse, None, "g2"),
            ("Rxd7+", Role::Rook, None, "d7"),
            ("Rcxd7#", Role::Rook, Some(2), "d7"),
            ("Ah0", Role::Advisor, None, "h0"),
            ("c5", Role::Pawn, None, "c5"),
        ] {
            let Ok(Written::Lands(landing)) = Written::read(text) else {
                unreachable!("{text}");
            };
            assert_eq!((landing.role, landing.file), (role, file), "{text}");
            assert_eq!(landing.to(Ranks::Zero), to.parse().ok(), "{text}");
        }
        let rook = (
            Role::Rook,
            Which::Place(Place::Back),
            Some(Action::Traverse),
            6,
        );
        for text in [
            "后车平六",
            "後車平六",
            "车后平六",
            "R-=6",
            "-R=6",
            "后车=6",
            "俥後平６",
        ] {
            assert_eq!(spelled(text), rook, "{text}");
        }
        let pawn = (
            Role::Pawn,
            Which::OrderOnFile(1, 6),
            Some(Action::Traverse),
            5,
        );
        for text in ["16=5", "1 6 = 5", "P16=5", "1P6=5", "一兵六平五"] {
            assert_eq!(spelled(text), pawn, "{text}");
        }
        assert_eq!(
            spelled("马 3 – 5"),
            (Role::Horse, Which::File(3), Some(Action::Retreat), 5)
        );
        assert_eq!(spelled("炮25"), (Role::Cannon, Which::File(2), None, 5));
        assert_eq!(
            spelled("一兵平五"),
            (Role::Pawn, Which::Order(1), Some(Action::Traverse), 5)
        );
        let front_on_file = (
            Role::Pawn,
            Which::PlaceOnFile(Place::Front, 9),
            Some(Action::Traverse),
            8,
        );
        for text in ["前兵九平八", "前九平八", "九前平八", "前9平8"] {
            assert_eq!(spelled(text), front_on_file, "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in [
            "炮",
            "炮二",
            "炮二平",
            "炮二平五六七",
            "h2e",
            "j2e2",
            "h11e2",
            "Xe2",
            "che2",
            "Chje2",
            "炮二平〇",
            "C2=0",
            "5",
            "二二二",
            "e4 e5 e6",
        ] {
            assert_eq!(Written::read(text), Err(NotWritten::Unreadable), "{text}");
        }
        for text in ["", "  ", "\u{3000}\u{FEFF}"] {
            assert_eq!(Written::read(text), Err(NotWritten::Empty), "{text}");
        }
    }
}
