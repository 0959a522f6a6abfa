//! The service: its answers, its description, its page, its bounds.

mod bounds;
mod connections;
mod doors;
mod logs;
mod openapi;
mod operating;
mod page;
mod process;
mod proofs;
mod rulings;
mod schema;
mod served;
mod ways;
