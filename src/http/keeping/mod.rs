//! Rulings that are kept.

pub mod recording;
