//! The file format of a case.

use crate::board::Side;
use crate::classify::{Assertions, Nature};
use crate::language::both;
use crate::rules::{Outcome, Text};
use crate::ruling::Order;
use crate::wire::{Kind, Request};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An id names a file: more characters than this not every file system takes.
const LONGEST_ID: usize = 200;

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseFault {
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: Text,
}

impl CaseFault {
    /// What is wrong, and on which line.
    pub fn told(&self) -> Text {
        let message = &self.message;
        self.line.map_or_else(
            || message.clone(),
            |line| both!(message; "line {line}: {message}", "第{line}行：{message}"),
        )
    }
}

impl Case {
    /// Reads a case file.
    ///
    /// # Errors
    /// What is wrong with it: everything, once it has the shape of a case.
    pub fn read(text: &str) -> Result<Self, Vec<CaseFault>> {
        let case: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| line_at(text, span.start));
            let told = error.message().trim_end();
            let message = both!("{told}", "判例文件读不通：{told}");
            vec![CaseFault { line, message }]
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
        let mut fault = |table: &str, key: &str, message: Text| {
            let line = line_of(text, table, key);
            faults.push(CaseFault { line, message });
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let id = &self.id;
        if id.is_empty() || !id.chars().all(plain) {
            let message = both!(
                "`{id}` is no id: letters, digits, `-`, `_` and `.`",
                "“{id}”不能作编号：只用字母、数字、“-”、“_”和“.”"
            );
            fault("", "id", message);
        } else if id.len() > LONGEST_ID {
            let message = both!(
                "an id has at most {LONGEST_ID} characters",
                "编号最多{LONGEST_ID}个字符"
            );
            fault("", "id", message);
        }
        if !self.ordered.is_empty() && self.kind == Kind::Cycle {
            let message = both!(
                "a change can only be ordered in a game",
                "只有对局才能有责令变着"
            );
            fault("", "ordered", message);
        }
        for (book, expect) in &self.expect {
            let table = format!("expect.{book}");
            let (labels, moves) = (expect.natures.len(), self.moves.len());
            if labels != 0 && labels != moves && self.kind == Kind::Cycle {
                let message = both!(
                    "{labels} natures for {moves} moves",
                    "{moves}着而有{labels}个性质"
                );
                fault(&table, "natures", message);
            }
            let concerns = matches!(expect.outcome, Outcome::MustChange | Outcome::Loss);
            let outcome = expect.outcome.id();
            if concerns && expect.side.is_none() {
                let message = both!(
                    "`{outcome}` concerns a side: `side` is missing",
                    "“{outcome}”须指明一方：缺 `side`"
                );
                fault(&table, "outcome", message);
            } else if !concerns && expect.side.is_some() {
                let message = both!("`{outcome}` concerns no side", "“{outcome}”不涉及任何一方");
                fault(&table, "side", message);
            }
        }
        for book in self.known_difference.keys() {
            if !self.expect.contains_key(book) {
                let message = both!(
                    "there is no `expect.{book}` to differ from",
                    "没有可与之相异的 `expect.{book}`"
                );
                fault(&format!("known_difference.{book}"), "", message);
            }
        }
        if let Err(error) = self.request("").prepare() {
            let key = error.pointer.as_deref().and_then(|at| at.split('/').nth(1));
            let message = Text {
                zh: error.detail_zh,
                en: error.detail,
            };
            fault("", key.unwrap_or("moves"), message);
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
