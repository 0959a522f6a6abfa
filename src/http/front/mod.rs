//! The route table, what stands around every request, what describes it, and the start.

pub mod around;
pub mod check;
#[cfg(feature = "openapi")]
pub mod described;
#[cfg(feature = "openapi")]
pub mod plain;
pub mod routes;
pub mod service;
