//! Text to board values and back: positions as FEN, moves in every notation in use.
//!
//! Which notation a move is written in is found out move by move; lists may mix them.
//!
//! ```
//! use qili::board::Position;
//! use qili::notation::{Notation, read_line, write_move};
//! let start = Position::start();
//! let moves = read_line(&start, &["炮二平五", "H8+7", "h0g2"])?;
//! let first = write_move(&start, moves[0], Notation::Asian);
//! assert_eq!(first, "炮2=5");
//! # Ok::<_, qili::notation::LineError>(())
//! ```

mod error;
pub mod fen;
mod likes;
mod list;
pub mod pgn;
mod read;
mod scan;
mod symbol;
mod write;
mod written;

pub use error::{LineError, MoveError, MoveFault, NamedMove};
pub use list::{ListError, ListFault, read_list, split_moves};
pub use read::{read_line, read_move};
pub use scan::{GameResult, Location, MoveText, ParseResultError, ScanFault};
pub use symbol::Place;
pub use write::{Notation, ParseNotationError, write_move};
pub use written::Which;
