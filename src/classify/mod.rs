//! The nature of a move, with the facts it rests on.

mod asian;
mod finding;
mod nature;
mod partners;
mod quiet;
mod scene;
mod threats;

pub use asian::{Attack, attacks, victims};
pub use finding::{Finding, Open, Reason, classify};
pub use nature::{Nature, Root};
pub use quiet::{Placed, Quiet};
pub use scene::Scene;
pub use threats::{ByChecks, Pardon, Threat, Threats};
