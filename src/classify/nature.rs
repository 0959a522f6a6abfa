//! What a move can be, and what a guarded piece can be.

pub use crate::definitions::Nature;
pub use crate::exchange::Root;
