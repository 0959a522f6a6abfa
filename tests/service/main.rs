//! The service: its answers, its description, its page, its bounds.

#[cfg(feature = "otlp")]
mod bounds;
mod connections;
mod doors;
mod logs;
mod openapi;
mod page;
mod process;
mod rulings;
mod served;
