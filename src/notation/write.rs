//! Moves written down in any notation.

use super::likes::{Likes, file_number, forward};
use super::read::can_mean;
use super::symbol::{Action, Place};
use super::written::Which;
use crate::board::{Move, Piece, Position, Role, Side, Square};
use crate::named::named;
use std::fmt;
use std::str::FromStr;

named! {
    /// A way to write moves.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Notation {
        /// `h2e2`, as requests and rulings have it.
        Iccs "iccs" "坐标",
        /// `H2-E2`, as ICCS game records have it.
        IccsDashed "iccs_dashed" "坐标（带连字符）",
        /// `炮二平五`, `马8进7`: simplified; Chinese numerals for Red, Arabic for Black.
        Chinese "chinese" "中文",
        /// `炮二平五`, `馬8進7`: the same in traditional characters.
        Traditional "traditional" "中文（繁体）",
        /// `炮25`, `马87`, as clerks jot it down: piece, file, target file or amount. Where that would
        /// be read as another move, the direction is put in: `车1+2` beside `车12`.
        Short "short" "简写",
        /// `炮2=5`, `马8+7`.
        Asian "asian" "亚洲",
        /// `C2=5`, `H8+7`, also known as WXF.
        English "english" "英文",
    }
}

impl Notation {
    /// Whether every legal move of every position reads back as itself. In the short form some
    /// do not: their text names the candidates instead.
    pub const fn is_unambiguous(self) -> bool {
        !matches!(self, Self::Short)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The text names no notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown notation `{0}`: expected `iccs`, `iccs_dashed`, `chinese`, `traditional`, `short`, `asian` or `english`"
)]
pub struct ParseNotationError(pub String);

impl FromStr for Notation {
    type Err = ParseNotationError;

    /// Reads an id; `uci` is read as `iccs`, `wxf` as `english`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.to_ascii_lowercase().replace('-', "_");
        match name.as_str() {
            "uci" => return Ok(Self::Iccs),
            "wxf" => return Ok(Self::English),
            _ => {}
        }
        let found = Self::ALL.into_iter().find(|notation| notation.id() == name);
        found.ok_or_else(|| ParseNotationError(text.to_owned()))
    }
}

/// How a notation spells what a move is made of.
#[derive(Clone, Copy)]
struct Script {
    notation: Notation,
    side: Side,
}

impl Script {
    fn number(self, number: u8) -> char {
        const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
        let chinese = matches!(self.notation, Notation::Chinese | Notation::Traditional);
        let numeral = NUMERALS.get(usize::from(number).wrapping_sub(1));
        match numeral {
            Some(&numeral) if chinese && self.side == Side::Red => numeral,
            _ => char::from(b'0' + number % 10),
        }
    }

    fn piece(self, role: Role) -> char {
        match (self.notation, role, self.side) {
            (Notation::English, Role::Horse, _) => 'H',
            (Notation::English, Role::Elephant, _) => 'E',
            (Notation::English, role, _) => role.letter().to_ascii_uppercase(),
            (Notation::Traditional, Role::King, Side::Red) => '帥',
            (Notation::Traditional, Role::King, Side::Black) => '將',
            (Notation::Traditional, Role::Horse, _) => '馬',
            (Notation::Traditional, Role::Rook, _) => '車',
            (_, role, side) => Piece::new(side, role).zh(),
        }
    }

    fn place(self, place: Place) -> char {
        match (self.notation, place) {
            (Notation::Traditional, Place::Back) => '後',
            (Notation::English, Place::Front) => '+',
            (Notation::English, Place::Back) => '-',
            (_, place) => place.zh(),
        }
    }

    fn action(self, action: Action) -> char {
        let words = matches!(self.notation, Notation::Chinese | Notation::Traditional);
        match action {
            Action::Advance if self.notation == Notation::Traditional => '進',
            Action::Advance if words => '进',
            Action::Retreat if words => '退',
            Action::Traverse if words => '平',
            Action::Advance => '+',
            Action::Retreat => '-',
            Action::Traverse => '=',
        }
    }

    /// The two signs that tell which piece moves.
    fn mover(self, role: Role, which: Which) -> [char; 2] {
        match which {
            Which::Any => [self.piece(role), ' '],
            Which::File(file) => [self.piece(role), self.number(file)],
            Which::Order(order) => [self.number(order), self.piece(role)],
            Which::OrderOnFile(order, file) => [self.number(order), self.number(file)],
            Which::Place(place) | Which::PlaceOnFile(place, _)
                if self.notation == Notation::English =>
            {
                [self.piece(role), self.place(place)]
            }
            Which::Place(place) | Which::PlaceOnFile(place, _) => {
                [self.place(place), self.piece(role)]
            }
        }
    }
}

/// How the conventions single out the piece: by its file; where two or three like pieces stand on
/// one, by 前, 中, 后; pawns on two such files, or four on one, by number.
fn which(likes: Likes, role: Role, mv: Move, side: Side, notation: Notation) -> Which {
    let file = file_number(side, mv.from);
    let on_file = likes.on_file(file).count();
    let place = likes.place(mv.from);
    let order = |row: &mut dyn Iterator<Item = Square>| {
        let before = row.take_while(|&square| square != mv.from).count();
        u8::try_from(before + 1).unwrap_or(u8::MAX)
    };
    match (role, place) {
        // Forwards or backwards tells which advisor or elephant it is.
        (Role::King | Role::Advisor | Role::Elephant, _) | (_, None) => Which::File(file),
        (Role::Pawn, Some(_))
            if on_file > 3
                || likes.lines() > 1
                || (on_file > 2 && notation == Notation::English) =>
        {
            if notation == Notation::English {
                Which::OrderOnFile(order(&mut likes.on_file(file)), file)
            } else {
                Which::Order(order(&mut likes.in_lines()))
            }
        }
        (_, Some(place)) => Which::Place(place),
    }
}

/// Writes a move that is possible in the position; from an empty square, its two squares.
///
/// ```
/// use qili::board::Position;
/// use qili::notation::{Notation, write_move};
/// let start = Position::start();
/// let cannon = "h2e2".parse()?;
/// assert_eq!(write_move(&start, cannon, Notation::Chinese), "炮二平五");
/// assert_eq!(write_move(&start, cannon, Notation::English), "C2=5");
/// assert_eq!(write_move(&start, cannon, Notation::Short), "炮25");
/// assert_eq!(write_move(&start, cannon, Notation::IccsDashed), "H2-E2");
/// # Ok::<_, qili::board::ParseSquareError>(())
/// ```
pub fn write_move(position: &Position, mv: Move, notation: Notation) -> String {
    let Some(Piece { side, role }) = position.piece_at(mv.from) else {
        return mv.to_string();
    };
    match notation {
        Notation::Iccs => return mv.to_string(),
        Notation::IccsDashed => return format!("{}-{}", mv.from, mv.to).to_ascii_uppercase(),
        Notation::Chinese
        | Notation::Traditional
        | Notation::Short
        | Notation::Asian
        | Notation::English => {}
    }
    let script = Script { notation, side };
    let likes = Likes::of(position, side, role);
    let (before, after) = (forward(side, mv.from), forward(side, mv.to));
    let action = match after.cmp(&before) {
        std::cmp::Ordering::Greater => Action::Advance,
        std::cmp::Ordering::Less => Action::Retreat,
        std::cmp::Ordering::Equal => Action::Traverse,
    };
    let number = if mv.from.file() == mv.to.file() {
        before.abs_diff(after)
    } else {
        file_number(side, mv.to)
    };
    let [a, b] = script.mover(role, which(likes, role, mv, side, notation));
    let number = script.number(number);
    if notation == Notation::Short {
        let short = String::from_iter([a, b, number]);
        if can_mean(position, &short, mv) {
            return short;
        }
    }
    String::from_iter([a, b, script.action(action), number])
}
