//! The handlers: one file for each resource.

#![expect(
    unused_qualifications,
    reason = "what describes the parameters of an operation writes them"
)]

pub mod health;
pub mod pages;
pub mod rulings;
