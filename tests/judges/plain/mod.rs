//! The plain judge: sections 2 and 3 of the semantics, written as directly as possible. A test oracle.
//!
//! `board` (mailbox, copy-make) · `params` (2.10) · `lines` (2.0, 2.4: what a capture is worth) · `natures` (2.1-2.8) ·
//! `wxf` (2.9) · `verdict` (3). Nothing but `std`.

pub mod board;
pub mod lines;
pub mod natures;
pub mod params;
pub mod verdict;
pub mod wxf;

pub use board::{Position, Side};
pub use natures::Nature;
pub use params::Params;
pub use verdict::{Judged, judge};
