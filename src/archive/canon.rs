//! The one form of all lines of play that must be judged alike.
//!
//! A ruling does not change where a cycle is entered, on which wing it is played or by which
//! colour. Of all those forms the least is taken, and that one is judged: so a line's ruling never
//! depends on which of its likes was met first.

use crate::board::{Move, Position, Side, Square};

/// Codes of the squares and the side to move.
type Picture = [u8; 91];

/// How a line is brought into its canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turned {
    /// The move it begins with.
    pub at: usize,
    /// Left and right exchanged.
    pub mirrored: bool,
    /// The colours exchanged.
    pub swapped: bool,
}

/// A line of play that leads back to its start.
#[derive(Clone, Debug)]
pub struct Closed {
    /// Where it starts.
    pub start: Position,
    /// Its moves, each legal where it is played.
    pub line: Vec<Move>,
    /// Whether it may be entered anywhere. A line that passes its start on the way may not.
    pub turns: bool,
}

/// The square codes of a position, left and right or the colours exchanged: 0 where nothing stands.
fn picture(position: &Position, mirrored: bool, swapped: bool) -> Picture {
    let mut codes = [0u8; 91];
    for id in position.pieces() {
        let piece = id.piece();
        let square = turned(position.square_of(id), mirrored, swapped);
        let side = if (piece.side == Side::Red) == swapped {
            8
        } else {
            0
        };
        if let Some(code) = codes.get_mut(square.index()) {
            *code = 1 + piece.role as u8 + side;
        }
    }
    if let Some(turn) = codes.last_mut() {
        *turn = u8::from((position.turn() == Side::Black) != swapped);
    }
    codes
}

const FORMS: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

fn turned(square: Square, mirrored: bool, swapped: bool) -> Square {
    let square = if mirrored { square.mirrored() } else { square };
    if swapped { square.flipped() } else { square }
}

fn turned_move(mv: Move, mirrored: bool, swapped: bool) -> Move {
    let mv = if mirrored { mv.mirrored() } else { mv };
    if swapped { mv.flipped() } else { mv }
}

impl Closed {
    /// A cycle, which may be entered anywhere, or a line from its start to its end.
    pub fn new(start: &Position, line: &[Move], turns: bool) -> Self {
        Self {
            start: start.clone(),
            line: line.to_vec(),
            turns,
        }
    }

    /// The canonical form: a key equal for all likes and for nothing else, and the way there.
    pub fn canonical(&self) -> (Box<[u8]>, Turned) {
        let entries = if self.turns {
            self.line.len().max(1)
        } else {
            1
        };
        let mut position = self.start.clone();
        let mut positions = vec![position.clone()];
        for &mv in self.line.iter().take(entries - 1) {
            position.make(mv);
            positions.push(position.clone());
        }
        let mut best: Option<(Picture, Turned)> = None;
        for (mirrored, swapped) in FORMS {
            for (at, position) in positions.iter().enumerate() {
                // Half of the forms have Black to move; those are never the least.
                if self.turns && (position.turn() == Side::Black) != swapped {
                    continue;
                }
                let form = picture(position, mirrored, swapped);
                let way = Turned {
                    at,
                    mirrored,
                    swapped,
                };
                let less = best.as_ref().is_none_or(|(least, known)| {
                    let moves = || self.moves(way).cmp(self.moves(*known));
                    form.cmp(least).then_with(moves).is_lt()
                });
                if less {
                    best = Some((form, way));
                }
            }
        }
        let (form, way) = best.unwrap_or((
            [0; 91],
            Turned {
                at: 0,
                mirrored: false,
                swapped: false,
            },
        ));
        let mut key = Vec::with_capacity(92 + 2 * self.line.len());
        key.extend_from_slice(&form);
        key.push(u8::from(self.turns));
        for mv in self.moves(way) {
            key.extend(
                [mv.from.index(), mv.to.index()].map(|i| u8::try_from(i).unwrap_or(u8::MAX)),
            );
        }
        (key.into_boxed_slice(), way)
    }

    /// The moves of a form.
    fn moves(&self, way: Turned) -> impl Iterator<Item = Move> + '_ {
        let (front, back) = self
            .line
            .split_at_checked(way.at)
            .unwrap_or((&[], &self.line));
        back.iter()
            .chain(front)
            .map(move |&mv| turned_move(mv, way.mirrored, way.swapped))
    }

    /// The line in another form. Its pieces are numbered by where they stand, whatever they were
    /// before.
    #[must_use]
    pub fn in_form(&self, way: Turned) -> Self {
        let mut start = self.start.clone();
        for &mv in self.line.iter().take(way.at) {
            start.make(mv);
        }
        let mut setup = start.setup();
        if way.mirrored {
            setup = setup.mirrored();
        }
        if way.swapped {
            setup = setup.colours_swapped();
        }
        // What turns a legal position round leaves it legal.
        let start = setup.position().unwrap_or(start);
        Self {
            start,
            line: self.moves(way).collect(),
            turns: self.turns,
        }
    }
}

impl Turned {
    /// The place in the line as given of a move of the canonical form.
    pub const fn back(self, index: usize, length: usize) -> usize {
        if length == 0 {
            0
        } else {
            (index + self.at) % length
        }
    }

    /// A side of the canonical form in the line as given.
    pub const fn side(self, side: Side) -> Side {
        if self.swapped { side.opponent() } else { side }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, read_line};

    fn cycle() -> Closed {
        let start = fen::parse("2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w").unwrap();
        let line = read_line(&start, &["f0e0", "e8f8", "e0f0", "f8e8"]).unwrap();
        Closed {
            start,
            line,
            turns: true,
        }
    }

    #[test]
    fn all_forms_of_a_cycle_have_one_key() {
        let given = cycle();
        let (key, way) = given.canonical();
        let canonical = given.in_form(way);
        for at in 0..4 {
            for (mirrored, swapped) in FORMS {
                let like = given.in_form(Turned {
                    at,
                    mirrored,
                    swapped,
                });
                let (same, there) = like.canonical();
                assert_eq!(same, key);
                let again = like.in_form(there);
                assert_eq!(
                    (&again.start, &again.line),
                    (&canonical.start, &canonical.line)
                );
                assert!(again.start.same_pieces(&canonical.start));
            }
        }
    }

    #[test]
    fn other_cycles_have_other_keys() {
        let given = cycle();
        let mut open = given.clone();
        open.turns = false;
        assert_ne!(open.canonical().0, given.canonical().0);
        let start = fen::parse("2b6/4k4/9/9/9/9/9/9/2p6/3K1RB1c w").unwrap();
        let moved = Closed {
            start,
            ..given.clone()
        };
        assert_ne!(moved.canonical().0, given.canonical().0);
    }

    #[test]
    fn a_move_is_found_again() {
        let given = cycle();
        let (_, way) = given.canonical();
        let canonical = given.in_form(way);
        for (index, mv) in canonical.line.iter().enumerate() {
            let back = given.line[way.back(index, 4)];
            assert_eq!(*mv, turned_move(back, way.mirrored, way.swapped));
        }
    }
}
