//! The route table, what stands around every request, the description, and the start.

pub mod around;
pub mod check;
pub mod description;
pub mod plain;
pub mod routes;
pub mod service;
