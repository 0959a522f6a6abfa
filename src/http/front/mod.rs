//! The route table, what stands around every request, the description, and the start.

pub mod around;
pub mod check;
#[cfg(feature = "openapi")]
pub mod described;
pub mod description;
#[cfg(feature = "openapi")]
pub mod plain;
pub mod routes;
pub mod service;
