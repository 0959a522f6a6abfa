//! The file format of a case.

use crate::board::Side;
use crate::classify::{Assertions, Nature};
use crate::rules::{Outcome, Text};
use crate::ruling::Order;
use crate::wire::{Kind, Request};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How certain the position of a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CasePosition))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// As printed.
    Printed,
    /// Identified with a position printed elsewhere.
    Identified,
    /// Made to show what the text states, the diagram being lost.
    Reconstructed,
    /// The printed position with an error put right.
    Corrected,
    /// Composed for this collection.
    Composed,
}

/// Where a case comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CaseSource))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The rule book that prints it.
    pub book: String,
    /// The figure.
    pub figure: String,
    /// The clauses it illustrates.
    pub clauses: Vec<String>,
    /// Whether the book itself gives it, not only a text about it.
    pub official: bool,
    /// How certain the position is.
    pub position: Standing,
    /// Its provenance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
}

/// The line as printed, where it does not close by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// The printed position.
    pub fen: String,
    /// The moves that lead into the cycle.
    pub lead_in: Vec<String>,
    /// Their labels.
    #[serde(default)]
    pub natures: Vec<Nature>,
}

/// What a rule book makes of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The label of every move, where the book gives them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub natures: Vec<Nature>,
    /// The verdict.
    pub outcome: Outcome,
    /// Whom it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The clauses of the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
}

/// A real game on which arbiters or the association decided: weightier than an example, but no figure of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Precedent {
    /// Who had Red, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<String>,
    /// Who had Black, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// Where and in which round.
    pub event: String,
    /// When, as far as known: a year, or more.
    pub date: String,
    /// What was decided, and by whom.
    pub decision: Text,
}

/// A label or verdict in print that is not followed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownDifference {
    /// Why not.
    pub reason: Text,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// A name of its own.
    pub id: String,
    /// What it shows.
    pub title: Text,
    /// The position.
    pub fen: String,
    /// Exactly one period, or a game.
    pub moves: Vec<String>,
    /// What the moves are.
    #[serde(default)]
    pub kind: Kind,
    /// Changes that were ordered in a game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ordered: Vec<Order>,
    /// What an arbiter has to assert.
    #[serde(default)]
    pub assertions: Assertions,
    /// Where it comes from.
    pub source: Source,
    /// The line as printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<Printed>,
    /// The game and the decision, where it is a precedent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precedent: Option<Precedent>,
    /// What the rule books make of it, by their ids.
    pub expect: BTreeMap<String, Expect>,
    /// What is known to differ, by rule book.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub known_difference: BTreeMap<String, KnownDifference>,
    /// The reasons, in our own words.
    pub why: Text,
}

/// What is wrong with a case file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct CaseFault {
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl Case {
    /// Reads a case file.
    ///
    /// # Errors
    /// Its first fault.
    pub fn parse(text: &str) -> Result<Self, CaseFault> {
        Self::read(text).map_err(|faults| {
            let none = || CaseFault {
                line: None,
                message: String::new(),
            };
            faults.into_iter().next().unwrap_or_else(none)
        })
    }

    /// Reads a case file.
    ///
    /// # Errors
    /// What is wrong with it: everything, once it has the shape of a case.
    pub fn read(text: &str) -> Result<Self, Vec<CaseFault>> {
        let case: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| line_at(text, span.start));
            vec![CaseFault {
                line,
                message: error.message().trim_end().to_owned(),
            }]
        })?;
        let faults = case.faults(text);
        if faults.is_empty() {
            Ok(case)
        } else {
            Err(faults)
        }
    }

    /// What no shape forbids and makes no sense all the same.
    fn faults(&self, text: &str) -> Vec<CaseFault> {
        let mut faults = Vec::new();
        let mut fault = |table: &str, key: &str, message: &str| {
            faults.push(CaseFault {
                line: line_of(text, table, key),
                message: message.to_owned(),
            });
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if self.id.is_empty() || !self.id.chars().all(plain) {
            let message = format!("`{}` is no id: letters, digits, `-`, `_` and `.`", self.id);
            fault("", "id", &message);
        }
        if !self.ordered.is_empty() && self.kind == Kind::Cycle {
            fault("", "ordered", "a change can only be ordered in a game");
        }
        for (book, expect) in &self.expect {
            let table = format!("expect.{book}");
            let (labels, moves) = (expect.natures.len(), self.moves.len());
            if labels != 0 && labels != moves && self.kind == Kind::Cycle {
                let message = format!("{labels} natures for {moves} moves");
                fault(&table, "natures", &message);
            }
            let concerns = matches!(expect.outcome, Outcome::MustChange | Outcome::Loss);
            let outcome = expect.outcome.id();
            if concerns && expect.side.is_none() {
                let message = format!("`{outcome}` concerns a side: `side` is missing");
                fault(&table, "outcome", &message);
            } else if !concerns && expect.side.is_some() {
                fault(&table, "side", &format!("`{outcome}` concerns no side"));
            }
        }
        for book in self.known_difference.keys() {
            if !self.expect.contains_key(book) {
                let message = format!("there is no `expect.{book}` to differ from");
                fault(&format!("known_difference.{book}"), "", &message);
            }
        }
        if let Err(error) = self.request("").prepare() {
            let pointer = error.pointer.unwrap_or_default();
            let key = pointer.split('/').nth(1).unwrap_or("moves");
            let ply = error.index.map(|index| format!("move {}: ", index + 1));
            fault("", key, &(ply.unwrap_or_default() + &error.detail));
        }
        faults.sort_by_key(|fault| fault.line);
        faults
    }

    /// The request for a ruling on it under a rule book.
    pub fn request(&self, book: &str) -> Request {
        let mut request = Request::cycle(&self.fen, self.moves.clone());
        request.id = Some(self.id.clone().into());
        request.rules = Some(book.to_owned());
        request.kind = self.kind;
        request.ordered.clone_from(&self.ordered);
        request.assertions = self.assertions;
        request
    }
}

/// The line of a byte, from 1.
fn line_at(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    1 + before.filter(|&&b| b == b'\n').count()
}

/// The line of a key of a table, of the table's head where the key is not there.
fn line_of(text: &str, table: &str, key: &str) -> Option<usize> {
    let mut head = None;
    let mut current = "";
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if content.starts_with('[') {
            current = content.trim_matches(|c| matches!(c, '[' | ']' | ' '));
            if table.is_empty() && current == key {
                return Some(line);
            }
            if current == table {
                head = Some(line);
            }
        } else if current == table
            && content
                .split('=')
                .next()
                .is_some_and(|name| name.trim() == key)
        {
            return Some(line);
        }
    }
    head
}
