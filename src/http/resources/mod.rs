//! The operations: one file for each resource.

pub mod audit;
pub mod batch;
pub mod boards;
pub mod case_files;
pub mod description;
pub mod drafts;
pub mod games;
pub mod health;
pub mod keys;
pub mod library;
pub mod log;
pub mod metrics;
pub mod own_cases;
pub mod page;
pub mod pages;
pub mod paging;
pub mod proofs;
pub mod reading;
pub mod rulings;
mod versions;
