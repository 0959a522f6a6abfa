//! What is kept.

mod batch;
mod command;
mod library;
mod rulings;
mod support;
mod surveyed;
#[path = "../command/told.rs"]
mod told;
