//! 棋例: adjudicates repetition in xiangqi.
//!
//! A move cycle or a whole game goes in; every move gets its nature (将 check, 杀 kill, 捉 chase,
//! 兑 exchange, 献 offer, 拦 block, 跟 follow, 闲 idle) with the evidence for it, and the ruling
//! follows from the clauses of the rule book asked for.

pub mod archive;
pub mod board;
pub mod cases;
pub mod classify;
pub mod cli;
pub mod compare;
pub mod definitions;
pub mod diagram;
pub mod exchange;
pub mod explain;
pub mod game;
#[cfg(feature = "server")]
pub mod http;
pub mod notation;
pub mod rules;
pub mod ruling;
#[cfg(feature = "store")]
pub mod store;
pub mod wire;
