//! From a request to the text of its ruling.

pub mod books;
pub mod cache;
pub mod games;
pub mod gate;
pub mod judging;
pub mod page;
pub mod places;
pub mod state;
pub mod work;
