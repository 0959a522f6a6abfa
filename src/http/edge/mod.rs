//! What stands between a request and its work.

pub mod admission;
pub mod connections;
#[cfg(feature = "openapi")]
pub mod failures;
pub mod hosts;
pub mod keys;
pub mod language;
pub mod limits;
pub mod log;
pub mod metrics;
pub mod problem;
pub mod process;
pub mod request_id;
pub mod settings;
pub mod trace;
