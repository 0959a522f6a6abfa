//! The board: squares, pieces, positions, legal moves.
//!
//! ```
//! use qili::board::{Move, Position};
//! let mut position = Position::start();
//! assert_eq!(position.legal_moves().len(), 44);
//! let cannon: Move = "h2e2".parse()?;
//! assert!(position.is_legal(cannon));
//! let undo = position.make(cannon);
//! position.unmake(undo);
//! assert_eq!(position, Position::start());
//! # Ok::<_, qili::board::ParseSquareError>(())
//! ```

mod checks;
mod memo;
mod movegen;
mod packed;
mod piece;
mod position;
mod setup;
mod square;
mod tables;
mod trade;

pub(crate) use checks::Answers;
pub use checks::checking_moves;
pub(crate) use checks::checking_moves_but_for;
#[cfg(test)]
pub(crate) use checks::tests::thrown;
pub(crate) use memo::Table;
pub use movegen::{MoveList, steps};
pub use packed::Packed;
pub use piece::{BySide, Piece, PieceId, PieceSet, Role, Side};
pub use position::{Position, Ray, Undo};
pub(crate) use setup::Filling;
pub use setup::{Fault, FaultKind, Setup};
pub use square::{Move, ParseSquareError, Square, SquareSet};
pub(crate) use trade::{Trade, Worth};
