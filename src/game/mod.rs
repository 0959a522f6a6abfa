//! Games: a start position and legal moves, what repeats in them, and the natural limit.
//!
//! ```
//! use qili::board::{Move, Position};
//! use qili::game::{Game, PendingRule};
//! let round = ["b0c2", "b9c7", "c2b0", "c7b9"].map(|text| text.parse::<Move>().unwrap());
//! let mut game = Game::new(Position::start());
//! for mv in round.iter().cycle().take(12) {
//!     game.push(*mv)?;
//! }
//! let cycle = game.pending(PendingRule::THREE_ROUNDS).expect("three rounds are played in full");
//! assert_eq!((cycle.span.period, cycle.span.rounds, cycle.span.occurrences), (4, 3, 4));
//! assert_eq!(cycle.moves(), round);
//! # Ok::<_, qili::game::IllegalMove>(())
//! ```
//!
//! # What repeats
//! A position stands again when the same kinds of piece stand on the same squares with the same
//! side to move (the equality of [`Position`](crate::board::Position)). A *cycle* is the span
//! between two such positions; its *period* is how many plies lie between them.
//!
//! The books count in two ways ([`PendingUnit`]):
//! - *rounds*: the moves of one period have been played, one like the other, so many times in
//!   full. The period is the shortest for which that holds, of any even length.
//! - *occurrences*: a position stands for the so-manieth time, however it came about. The period
//!   is then the way round from the last time to this one; [`CycleSpan::rounds`] says how often
//!   that very way has been played, and [`CycleSpan::span_start_ply`] where the ways round that
//!   count began, for a judge who must look at each of them.

mod cycle;
pub mod limit;
mod line;
mod pending;
mod scan;
mod table;

pub use cycle::{Cycle, CycleError, Difference};
pub use line::{Ended, EndedBy, Game, IllegalMove, Refusal};
pub use pending::{CycleSpan, PendingRule, PendingUnit};
pub use scan::RepetitionScan;
