//! Positions as they are kept by the thousand.

use super::piece::{PieceSet, Side};
use super::position::Position;
use super::square::Square;
use std::hash::{Hash, Hasher};

/// A position in little room.
///
/// # Equality
/// Which of two like pieces stands where counts as well. The hash is the position's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    key: u64,
    pieces: PieceSet,
    /// Where each of them stands, eight to a word.
    places: [u64; 4],
    turn: Side,
}

impl Hash for Packed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl Position {
    /// The position in little room.
    pub fn packed(&self) -> Packed {
        Packed {
            key: self.key(),
            pieces: self.pieces(),
            places: self.places(),
            turn: self.turn(),
        }
    }
}

impl Packed {
    /// The position to be played on.
    pub fn position(&self) -> Position {
        let mut position = Position::empty(self.turn);
        let places = self.places.map(u64::to_le_bytes);
        for id in self.pieces {
            if let Some(&place) = places.as_flattened().get(id.index()) {
                position.put(id, Square(place));
            }
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_the_same_piece_by_piece() {
        let mut position = Position::start();
        let text = ["b2e2", "h9g7", "e2e6", "d9e8", "h0g2"];
        for mv in text.map(|text| text.parse().unwrap()) {
            position.make(mv);
            let again = position.packed().position();
            assert!(again.same_pieces(&position));
            assert_eq!(again.key(), position.key());
            assert_eq!(
                again.legal_moves().to_vec(),
                position.legal_moves().to_vec()
            );
        }
        assert_ne!(position.packed(), Position::start().packed());
    }
}
