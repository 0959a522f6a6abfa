//! Archives: what repeats in millions of games, judged in constant memory.
//!
//! A [`Reader`] takes games from records of every form or request lines, plain or compressed, from
//! folders and ZIP archives, batch by batch; a
//! [`Judge`] scans each for repetition and rules on the positions that are pending; a [`Run`]
//! does so on many threads and writes what they find in the order of the games, the same bytes
//! for any number of threads. A cycle is judged in its canonical form and remembered: where it is
//! entered, on which wing and by which colour it is played makes no difference.
//!
//! A run with a [`Checkpoint`] goes on after it was killed, with no row lost or doubled.

mod canon;
mod checkpoint;
mod compare;
mod files;
mod generate;
mod input;
mod judge;
mod memory;
#[cfg(feature = "parquet")]
pub mod parquet;
mod pipeline;
mod report;
mod row;
mod run;
mod runs;
mod summary;
mod tally;

pub use canon::{Closed, Turned};
pub use checkpoint::{Checkpoint, InputOf, RunOf};
pub use compare::Comparing;
pub use files::{Files, Source, Stream};
pub use generate::{Generator, Made, Plan, Tally};
pub use input::{Batch, Entry, Position, Reader, Record, asks};
pub use judge::{Found, Judge, MOST_PENDING, Scratch, SideOf};
pub use memory::{Memory, memory};
pub use pipeline::{Busy, run as pipeline, threads};
pub use report::Report;
pub use row::{About, PlaceJson, Rejection, Row};
pub use run::{Form, Keep, Lines, Resumable, Run, Shape, Times, Watch};
pub use summary::Summary;
pub use tally::Tally as ChangeTally;
