//! The service: rulings over HTTP.
//!
//! Its rooms, from the bottom up; each knows only those below it:
//!
//! - `edge`: what stands between a request and its work, and speaks of no ruling: settings, problems,
//!   keys and what they allow, limits, the log, counts and spans;
//! - `intake`: bodies, queries and lines, bounded in size and time;
//! - `desk`: from a request to the text of its ruling: books, the gate before the work, what is
//!   remembered;
//! - `keeping`: rulings that are kept, and under which word;
//! - `batches`: rulings by the line;
//! - `resources`: the operations, one file for each resource, and the description;
//! - `front`: the route table, what stands around every request, what makes the description, and the start.

mod batches;
mod desk;
mod edge;
mod front;
mod intake;
mod keeping;
mod resources;

pub use desk::page::{Page, judge_in};
pub use desk::state::State;
pub use edge::problem::Problem;
pub use edge::settings::{Settings, StartError};
pub use front::check::{Obstacle, obstacles};
#[cfg(feature = "openapi")]
pub use front::described::document;
pub use front::routes::{Site, sites};
pub use front::service::{app, serve};
pub use resources::description;
