//! The nature of a move, with the facts it rests on.

mod finding;
mod fortress;
mod partners;
mod quiet;
mod scene;
mod strength;
mod threats;

pub use crate::definitions::{Assertions, Nature};
pub use crate::exchange::{Attack, Root, Sparing};
pub use finding::{Depth, Finding, MateThreat, Open, Reason, Strikes};
pub use fortress::{ENDINGS, Ending, Holding, Post};
pub use quiet::{Placed, Quiet};
pub use scene::Scene;
pub use strength::Strength;
pub use threats::{ByChecks, Foil, Pardon, Threat, Threats, Uncounted};
