//! The plain judge. A test oracle.

pub mod board;
pub mod book;
pub mod forced;
pub mod idle;
pub mod lines;
pub mod natures;
pub mod threats;
pub mod verdict;
pub mod wxf;

pub use board::{Position, Side};
pub use book::Book;
pub use natures::Nature;
pub use verdict::{Judged, judge};
