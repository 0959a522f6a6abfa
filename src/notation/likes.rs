//! Like pieces of one side in the order the notations count them: files from the side's right,
//! on a file the foremost first.

use super::symbol::{Action, Place};
use super::written::Which;
use crate::board::{Move, Position, Role, Side, Square};

/// The file's number, 1–9 from the side's right.
pub(super) const fn file_number(side: Side, square: Square) -> u8 {
    match side {
        Side::Red => 9 - square.file(),
        Side::Black => square.file() + 1,
    }
}

/// How far on a square is for a side, 0 on its back row.
pub(super) const fn forward(side: Side, square: Square) -> u8 {
    match side {
        Side::Red => square.rank(),
        Side::Black => 9 - square.rank(),
    }
}

/// The square on a side's numbered file, `forward` ranks from its back row.
const fn square_at(side: Side, number: u8, forward: u8) -> Option<Square> {
    if number == 0 || number > 9 || forward > 9 {
        return None;
    }
    match side {
        Side::Red => Square::new(9 - number, forward),
        Side::Black => Square::new(number - 1, 9 - forward),
    }
}

/// Up to five squares in counting order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likes {
    squares: [Option<Square>; 5],
    side: Side,
}

impl Likes {
    /// Where the side's pieces of a kind stand.
    pub(super) fn of(position: &Position, side: Side, role: Role) -> Self {
        let mut squares = [None; 5];
        for (slot, id) in squares.iter_mut().zip(position.pieces_like(side, role)) {
            *slot = Some(position.square_of(id));
        }
        squares.sort_unstable_by_key(|square| match square {
            Some(square) => (file_number(side, *square), 9 - forward(side, *square)),
            None => (u8::MAX, 0),
        });
        Self { squares, side }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Square> {
        self.squares.into_iter().flatten()
    }

    pub(super) fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }

    /// Those on one file.
    pub(super) fn on_file(self, number: u8) -> impl Iterator<Item = Square> {
        self.iter()
            .filter(move |square| file_number(self.side, *square) == number)
    }

    /// Those that share their file with another.
    pub(super) fn in_lines(self) -> impl Iterator<Item = Square> {
        self.iter()
            .filter(move |square| self.on_file(file_number(self.side, *square)).count() > 1)
    }

    /// On how many files more than one stands.
    pub(super) fn lines(self) -> usize {
        (1..=9)
            .filter(|&number| self.on_file(number).count() > 1)
            .count()
    }

    /// A square's place among those on its file, if it shares it.
    pub(super) fn place(self, square: Square) -> Option<Place> {
        let number = file_number(self.side, square);
        let (first, last) = (self.on_file(number).next()?, self.on_file(number).last()?);
        if first == last {
            None
        } else if square == first {
            Some(Place::Front)
        } else if square == last {
            Some(Place::Back)
        } else {
            Some(Place::Middle)
        }
    }

    /// Those a text means.
    pub(super) fn meant(self, which: Which) -> Self {
        let nth = |n: u8| usize::from(n.saturating_sub(1));
        let only = |square: Option<Square>| [square, None, None, None, None];
        let kept = |keep: &dyn Fn(Square) -> bool| self.squares.map(|s| s.filter(|&s| keep(s)));
        let squares = match which {
            Which::Any => self.squares,
            Which::File(file) => kept(&|s| file_number(self.side, s) == file),
            Which::Place(place) => kept(&|s| self.place(s) == Some(place)),
            Which::PlaceOnFile(place, file) => {
                kept(&|s| file_number(self.side, s) == file && self.place(s) == Some(place))
            }
            Which::Order(n) => only(self.in_lines().nth(nth(n))),
            Which::OrderOnFile(n, file) => only(self.on_file(file).nth(nth(n))),
        };
        Self {
            squares,
            side: self.side,
        }
    }
}

/// Where a piece of `role` on `from` comes to, going that way to a file or by an amount. Only the
/// piece's own way of moving counts, not what stands in it.
pub(super) fn target(
    side: Side,
    role: Role,
    from: Square,
    action: Action,
    number: u8,
) -> Option<Move> {
    let (file, rank) = (file_number(side, from), forward(side, from));
    let steep = match role {
        Role::King | Role::Rook | Role::Cannon | Role::Pawn => {
            let to = match action {
                Action::Traverse => (number != file)
                    .then_some(())
                    .and_then(|()| square_at(side, number, rank)),
                Action::Advance => square_at(side, file, rank.checked_add(number)?),
                Action::Retreat => square_at(side, file, rank.checked_sub(number)?),
            };
            return Some(Move::new(from, to?));
        }
        Role::Advisor | Role::Elephant | Role::Horse => match (role, file.abs_diff(number)) {
            (Role::Advisor, 1) | (Role::Horse, 2) => 1,
            (Role::Elephant, 2) | (Role::Horse, 1) => 2,
            _ => return None,
        },
    };
    let rank = match action {
        Action::Traverse => return None,
        Action::Advance => rank + steep,
        Action::Retreat => rank.checked_sub(steep)?,
    };
    Some(Move::new(from, square_at(side, number, rank)?))
}
