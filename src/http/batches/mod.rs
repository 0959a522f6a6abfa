//! Rulings by the line: lines taken in as they come, ruled on by every core, answered in order.

pub mod kept;
pub mod line;
pub mod stream;
