//! Games as people keep them: the one way in which every record of a game is read, and written.
//!
//! A [`Reader`] tells by its content what a file is, and gives its games one by one; a library of
//! many games takes no more memory than its largest. Each game is first cut out ([`RawRecord`]), then
//! read ([`RawRecord::parse`]), so that the two can be done on different threads. Nothing here opens
//! files: bytes go in, and come out.
//!
//! | what | told by | holds |
//! | --- | --- | --- |
//! | XQF of 象棋演播室, versions 10 to 18 | `XQ` and the version | one game, with variations |
//! | CBR of 象棋桥 3 | `CCBridge Record` | one game, with variations |
//! | CBL of 象棋桥 3 | `CCBridgeLibrary` | many of them |
//! | games and libraries of 象棋桥 2 | `CCBridge` and a number | one or many, packed |
//! | CBF | `<ChineseChessRecord` | one game |
//! | 东萍 UBB, also within a page | `[DhtmlXQ` | many |
//! | PGN, score sheets, lists of moves, in any notation | tags, headers, moves | many |
//! | `position startpos moves …`, `FEN moves …` | these words | a game a line |
//! | links to chessdb.cn | `chessdb.cn/` | a position a line |
//! | rows of JSON | `{"file": …, "index": …, …, "moves": …}` | a game a line |
//!
//! A game that breaks off is given as far as it goes, with its [`Fault`]; what was read all the same
//! has its [`Remark`]s. `docs/formats.md` describes the formats byte by byte.
//!
//! ```
//! use qili::notation::Notation;
//! use qili::record::Reader;
//! let text = "[赛事 \"例\"]\n[红方 \"甲\"]\n\n1. 炮二平五 {中炮} 马8进7 (车9进1) 2. H2+3 *\n==========\n";
//! for game in Reader::new(text.as_bytes()) {
//!     let game = game?;
//!     assert_eq!(game.tag("Red"), Some("甲"));
//!     assert_eq!(game.moves.len(), 3);
//!     assert_eq!(game.comments[0].text, "中炮");
//!     assert!(game.write(Notation::English).contains("1. C2=5 {中炮} H8+7 (1. ... R9+1) 2. H2+3 *"));
//! }
//! # Ok::<_, qili::record::Fault>(())
//! ```

mod bridge;
mod cbf;
mod dhtmlxq;
mod encoding;
mod fault;
mod form;
mod frame;
#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
pub mod gb18030;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod gbk;
mod lines;
mod pgn;
mod pieces;
mod raw;
mod reader;
#[expect(
    clippy::module_inception,
    reason = "the module is of records, this is one"
)]
mod record;
mod row;
mod sheet;
mod tags;
mod tree;
mod xqf;

pub use encoding::{Encoding, ParseEncodingError};
pub use fault::{Fault, FaultKind, Missing, Place, Remark};
pub use form::{Form, Looks};
pub use raw::RawRecord;
pub use reader::Reader;
pub use record::{Comment, Record, Variation};
pub use sheet::Tag;

/// A game in words with more bytes is refused, so that a broken file cannot fill the memory.
const LONGEST_TEXT: usize = 1 << 20;
/// A file of one game with more bytes is refused.
const LARGEST_FILE: usize = 1 << 24;
/// A game of a binary format has no more plies.
const MOST_PLIES: usize = 10_000;
