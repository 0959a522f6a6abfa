//! Boards as several formats have them: a square for each of the thirty-two pieces, in a fixed order.

use crate::board::{Piece, Setup, Side, Square};

/// The pieces in the order in which their squares stand: Red's, then Black's the same.
const PIECES: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// Where the pieces stand, by their squares, of which the first is that of piece `first`.
pub(super) fn placed(
    turn: Side,
    first: usize,
    squares: impl Iterator<Item = Option<Square>>,
) -> Setup {
    let mut setup = Setup::empty(turn);
    let pieces = PIECES.iter().cycle().skip(first).take(PIECES.len());
    for (square, &letter) in squares.zip(pieces) {
        if let Some(square) = square {
            setup.put(square, Piece::from_letter(char::from(letter)));
        }
    }
    setup
}

/// The squares of the pieces in their order; none for those that are not on the board.
pub(super) fn squares(setup: &Setup) -> [Option<Square>; 32] {
    let pieces = setup.pieces();
    let mut left: Vec<(Square, char)> = pieces
        .map(|(square, piece)| (square, piece.letter()))
        .collect();
    PIECES.map(|letter| {
        let is_it = |&(_, piece): &(Square, char)| piece == char::from(letter);
        Some(left.remove(left.iter().position(is_it)?).0)
    })
}
