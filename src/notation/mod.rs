//! Text to board values and back.

pub mod fen;
