//! 棋例: adjudicates repetition in xiangqi.
//!
//! A move cycle or a whole game goes in; every move gets its nature (将 check, 杀 kill, 捉 chase,
//! 兑 exchange, 献 offer, 拦 block, 跟 follow, 闲 idle) with the evidence for it, and the ruling
//! follows from the clauses of the rule book asked for.
//!
//! # Features
//!
//! | feature | brings |
//! | --- | --- |
//! | none | the engine, the rule books, the notations, comparisons: no threads, no files, no C code |
//! | `threads` | comparisons on every core |
//! | `archive` | archives of games, plain and packed |
//! | `cli` | the command `qili` |
//! | `store` | what is kept: rulings, own cases, drafts, keys |
//! | `server` | the HTTP service (default) |
//! | `postgres` | the store on PostgreSQL as well |
//! | `otlp` | spans to an OTLP collector |
//! | `openapi` | schemas of what is sent and received, and the description that is made of them |
//! | `parquet` | archives in Parquet |

#[cfg(feature = "archive")]
pub mod archive;
pub mod board;
pub mod calls;
pub mod cases;
pub mod classify;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod definitions;
pub mod diagram;
#[cfg(any(feature = "archive", feature = "store"))]
mod durable;
pub mod exchange;
pub mod explain;
pub mod game;
#[cfg(feature = "server")]
pub mod http;
mod language;
mod named;
pub mod notation;
mod once;
pub mod proof;
pub mod prove;
pub mod record;
pub mod rules;
pub mod ruling;
#[cfg(feature = "store")]
pub mod store;
mod template;
pub mod version;
pub mod wire;
mod written;

pub use ruling::Arbiter;
