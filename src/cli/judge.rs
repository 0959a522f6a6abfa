//! `qili judge`: rulings on requests, games and cases.

use super::out::Out;
use super::{Failure, Lang, Status};
use crate::rules::Catalog;
use crate::wire::{BadRequest, Request, RequestError, answer};
use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Judge requests (NDJSON or one JSON object), a PGN, a case file, or a position and moves
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct Args {
    /// The rule book for requests that name none
    #[arg(long, value_name = "ID", default_value = "cxa-1999")]
    rules: String,
    /// How to tell the rulings [default: text for people on a terminal, otherwise ndjson]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// A position; the arguments are then the moves of one cycle
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The moves are a game, not one period of a cycle
    #[arg(long, requires = "fen")]
    game: bool,
    /// The arbiter finds that the position is a plain draw while the post is held
    #[arg(long, requires = "fen")]
    theoretical_draw: bool,
    /// A file (`-` or nothing: standard input), or the moves of --fen
    #[arg(value_name = "FILE|MOVE")]
    inputs: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON document, indented; a list where there are several rulings
    Json,
    /// One ruling a line, in input order, streaming
    Ndjson,
}
