//! Text to board values and back: positions as FEN, moves in every notation in use.
//!
//! Which notation a move is written in is found out move by move; lists may mix them. Characters
//! may be simplified, traditional or full-width, either side's (兵 or 卒, 相 or 象), and numbers
//! Chinese or Arabic.
//!
//! | notation | as in | what it leaves open |
//! | --- | --- | --- |
//! | ICCS, UCI | `h2e2` `H2-E2`, `h10g8` | what ranks are counted from: 0, unless a list names a rank 10 |
//! | `WinBoard` | `Che2` `Rxd7` | a piece and where it lands; the file it comes from where that is said |
//! | Chinese | `炮二平五` `马8进7` | nothing; like pieces in a line are told apart by 前 中 后 (`前马退四` or `马前退四`), pawns where three stand in a line or two lines are doubled by number, front to back, the right file first (`一兵平五`), or with their file (`前兵九平八`) |
//! | Asian | `炮2=5` `马3-5` | nothing |
//! | English, WXF | `C2=5` `H8+7` `R+=6` `16=5` | nothing; `16=5` is the first pawn of file 6. `R+6` may be a rook that advances six, or the front rook to six: it is read where only one such move is legal |
//! | short | `炮25` `马87` | a target file goes before an amount (`车12` is 车一平二 where that is legal); forwards or backwards, and which of two in line |
//!
//! What a text leaves open is settled where only one of the moves it can mean is legal; otherwise
//! the error lists the candidates.
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
mod read;
mod scan;
mod skip;
mod symbol;
mod write;
mod written;

pub use error::{LineError, MoveError, MoveFault, NamedMove};
pub use list::{ListError, ListFault, read_list, split_moves};
pub(crate) use read::{is_move, play_line, play_move, play_word, shortened};
pub use read::{read_line, read_move, read_move_counting};
pub(crate) use scan::{Element, Scanner};
pub use scan::{GameResult, Location, MoveText, ParseResultError, ScanFault};
pub(crate) use skip::is_printed;
pub use symbol::Place;
pub(crate) use symbol::is_blank;
pub use write::{Notation, ParseNotationError, write_move};
pub use written::{Ranks, Which};
