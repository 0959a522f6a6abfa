//! The file format of a case.

use crate::board::Side;
use crate::classify::{Assertions, Nature};
use crate::rules::{Outcome, Text};
use crate::wire::Request;
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
    /// Exactly one period.
    pub moves: Vec<String>,
    /// What an arbiter has to assert.
    #[serde(default)]
    pub assertions: Assertions,
    /// Where it comes from.
    pub source: Source,
    /// The line as printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<Printed>,
    /// What the rule books make of it, by their ids.
    pub expect: BTreeMap<String, Expect>,
    /// What is known to differ, by rule book.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub known_difference: BTreeMap<String, KnownDifference>,
    /// The reasons, in our own words.
    pub why: Text,
}

/// What is wrong with a case file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CaseFault(String);

impl Case {
    /// Reads a case file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, CaseFault> {
        let case: Self =
            toml::from_str(text).map_err(|error| CaseFault(error.to_string().trim_end().to_owned()))?;
        for (book, expect) in &case.expect {
            let (labels, moves) = (expect.natures.len(), case.moves.len());
            if labels != 0 && labels != moves {
                return Err(CaseFault(format!("expect.{book}: {labels} natures for {moves} moves")));
            }
        }
        Ok(case)
    }

    /// The request for a ruling on it under a rule book.
    pub fn request(&self, book: &str) -> Request {
        let mut request = Request::cycle(&self.fen, self.moves.clone());
        request.id = Some(self.id.clone().into());
        request.rules = Some(book.to_owned());
        request.assertions = self.assertions;
        request
    }
}
