//! The formats of 象棋桥 (`CCBridge`): one game (CBR) and libraries of many (CBL), of its third version
//! and of the second.

mod library;
mod old;
mod record;

pub(super) use library::Library;
pub(super) use old::{OldLibrary, old_record};
pub(super) use record::record;

use crate::board::Side;

/// 1 Red, 2 Black.
const fn side(number: u32) -> Side {
    if number == 2 { Side::Black } else { Side::Red }
}

/// Four bytes, the least first.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*four))
}
