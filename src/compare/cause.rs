//! Which of the differences between two books are behind a difference between their rulings.
//!
//! The books are data over one engine, so it need not be guessed: the base takes over single
//! parameters and verdict rows of the other book, and is asked again.

use super::items::Item;
use crate::board::Side;
use crate::classify::{Depth, Nature};
use crate::rules::{Outcome, ParameterDoc, RuleBook, Situation, definitions_of, values_of};
use crate::ruling::Ruling;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::str::FromStr;

/// Something in which two books differ and that rulings follow from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lever {
    /// A parameter.
    Parameter(&'static str),
    /// A row of the verdict table.
    Row(Situation),
}

impl Lever {
    /// The name articles decide it by: `definitions.pawn_upgrade`, `verdicts.one_forbidden`.
    pub fn target(&self) -> String {
        match self {
            Self::Parameter(key) => format!("definitions.{key}"),
            Self::Row(situation) => format!("verdicts.{}", situation.id()),
        }
    }
}

impl FromStr for Lever {
    type Err = String;

    /// Reads what [`target`](Self::target) writes.
    fn from_str(text: &str) -> Result<Self, String> {
        let parameter = text.strip_prefix("definitions.").and_then(ParameterDoc::of);
        let row = text.strip_prefix("verdicts.");
        let row = row.and_then(Situation::from_id);
        let found = parameter.map(|doc| Self::Parameter(doc.key));
        found
            .or(row.map(Self::Row))
            .ok_or_else(|| format!("`{text}` is nothing in which books can differ"))
    }
}

impl<'de> Deserialize<'de> for Lever {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Lever {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.target())
    }
}

/// What is behind a change.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cause {
    /// The differences that bring it about.
    pub levers: Vec<Lever>,
    /// Whether each of them does by itself; otherwise they do together.
    pub each_alone: bool,
}

/// Outcome and side.
pub(super) type Decided = (Outcome, Option<Side>);

/// What of a ruling is to be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aspect {
    /// Outcome and side.
    Decision,
    /// The nature of every move.
    Natures,
}

/// What two books differ in, and the means to try each difference by itself.
#[derive(Debug)]
pub(super) struct Levers<'a> {
    base: &'a RuleBook,
    other: &'a RuleBook,
    all: Vec<Lever>,
}

pub(super) fn decided(ruling: &Ruling) -> Decided {
    (ruling.verdict.outcome, ruling.verdict.side)
}

pub(super) fn natures(ruling: &Ruling) -> Vec<Option<Nature>> {
    let judged = ruling.judged.iter().flat_map(|judged| &judged.moves);
    judged.map(|m| m.finding.nature).collect()
}

impl<'a> Levers<'a> {
    pub(super) fn between(base: &'a RuleBook, other: &'a RuleBook) -> Self {
        let parameters = crate::rules::diff(base, other).parameters;
        let mut all: Vec<Lever> = parameters
            .iter()
            .map(|change| Lever::Parameter(change.key))
            .collect();
        for situation in Situation::ALL {
            // A row the base has no use for comes with the parameter that makes one.
            if let (Some(from), Some(to)) = (
                base.verdicts.get(&situation),
                other.verdicts.get(&situation),
            ) && from.outcome != to.outcome
            {
                all.push(Lever::Row(situation));
            }
        }
        Self { base, other, all }
    }

    pub(super) fn all(&self) -> &[Lever] {
        &self.all
    }

    /// The base with these differences taken over.
    fn hybrid(&self, levers: &[Lever]) -> Option<RuleBook> {
        let mut book = self.base.clone();
        let mut definitions = values_of(&book.definitions);
        let new = values_of(&self.other.definitions);
        for lever in levers {
            match lever {
                Lever::Parameter(key) => {
                    definitions.insert((*key).to_owned(), new.get(*key)?.clone());
                }
                Lever::Row(situation) => {
                    let row = self.other.verdicts.get(situation)?.clone();
                    book.verdicts.insert(*situation, row);
                }
            }
        }
        book.definitions = definitions_of(&definitions)?;
        for (situation, row) in &self.other.verdicts {
            let missing = !book.verdicts.contains_key(situation);
            if missing && !self.base.verdicts.contains_key(situation) {
                book.verdicts.insert(*situation, row.clone());
            }
        }
        Some(book)
    }

    /// What brings about, on this item, what the other book makes of it.
    pub(super) fn behind(&self, item: &Item, other: &Ruling, aspect: Aspect) -> Cause {
        // The same, and by the same row of the table where that is wanted.
        let same = |levers: &[Lever], by_row: bool| {
            self.hybrid(levers).is_some_and(|book| match aspect {
                Aspect::Decision => {
                    let ruling = item.ruling(&book, Depth::Outcome);
                    let row = ruling.verdict.situation == other.verdict.situation;
                    decided(&ruling) == decided(other) && (row || !by_row)
                }
                Aspect::Natures => natures(&item.ruling(&book, Depth::Notes)) == natures(other),
            })
        };
        let alone = |by_row: bool| -> Vec<Lever> {
            let single = |lever: &&Lever| same(std::slice::from_ref(*lever), by_row);
            self.all.iter().filter(single).cloned().collect()
        };
        let mut found = alone(true);
        if found.is_empty() && aspect == Aspect::Decision {
            found = alone(false);
        }
        if !found.is_empty() {
            let each_alone = found.len() > 1;
            return Cause {
                levers: found,
                each_alone,
            };
        }
        // Leave out one after the other what it comes about without.
        let mut needed = self.all.clone();
        let mut at = 0;
        while at < needed.len() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            if same(&fewer, true) {
                needed = fewer;
            } else {
                at += 1;
            }
        }
        Cause {
            levers: needed,
            each_alone: false,
        }
    }
}
