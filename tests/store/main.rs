//! What is kept, and what else is seldom built in: spans.

mod batch;
mod command;
mod library;
mod rulings;
#[cfg(feature = "otlp")]
#[path = "../service/served.rs"]
#[expect(dead_code, reason = "the tests of the service use the rest of it")]
mod served;
#[cfg(feature = "otlp")]
mod spans;
mod support;
mod surveyed;
#[path = "../command/told.rs"]
mod told;
