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

/// What one input line or game came to.
enum Answer {
    Ruling(Box<crate::wire::RulingJson>),
    Bad(BadRequest),
}

impl Answer {
    fn json(&self) -> Value {
        match self {
            Self::Ruling(ruling) => serde_json::to_value(ruling).unwrap_or_default(),
            Self::Bad(bad) => json!(bad),
        }
    }
}

/// Where rulings go, in the form asked for.
struct Sink<'a> {
    out: &'a mut Out,
    format: Format,
    held: Vec<Value>,
    bad: bool,
}

impl Sink<'_> {
    fn put(&mut self, request: Option<&Request>, answer: &Answer) -> Result<(), Failure> {
        self.bad |= matches!(answer, Answer::Bad(_));
        match self.format {
            Format::Ndjson => match answer {
                Answer::Ruling(ruling) => self.out.line(serde_json::to_string(ruling).unwrap_or_default())?,
                Answer::Bad(bad) => self.out.line(serde_json::to_string(bad).unwrap_or_default())?,
            },
            Format::Json => self.held.push(answer.json()),
            Format::Text => match (answer, request) {
                (Answer::Bad(bad), _) => {
                    let lang = self.out.lang;
                    let place = bad.error.pointer.as_deref().map(|p| format!(" ({p})")).unwrap_or_default();
                    let told = lang.pick(&bad.error.detail_zh, &bad.error.detail);
                    super::out::complain(&format!("{told}{place}"));
                }
                (Answer::Ruling(_), Some(request)) => {
                    let text = super::sheet::of(request, self.out.lang, self.out.coloured);
                    self.out.text(text)?;
                }
                (Answer::Ruling(_), None) => {}
            },
        }
        Ok(())
    }

    fn end(self) -> Result<Status, Failure> {
        if self.format == Format::Json {
            let held = self.held;
            let document = match <[Value; 1]>::try_from(held) {
                Ok([one]) => one,
                Err(many) => Value::Array(many),
            };
            self.out.line(serde_json::to_string_pretty(&document).unwrap_or_default())?;
        }
        Ok(if self.bad { Status::Wrong } else { Status::Well })
    }
}
