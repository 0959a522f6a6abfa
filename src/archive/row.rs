//! What is written of a game: a row for each pending position, or why it was rejected.

use super::judge::{Found, SideOf};
use crate::board::{BySide, Move, Side};
use crate::classify::Nature;
use crate::game::CycleSpan;
use crate::notation::GameResult;
use crate::record::Record;
use crate::rules::Outcome;
use crate::wire::{BookRef, CycleJson, RequestError};
use crate::written;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::sync::Arc;

/// What the record of a game says about it: what is not known is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct About {
    /// Who had Red.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub red: Option<String>,
    /// Who had Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// Where it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// How it ended: `1-0`, `0-1` or `1/2-1/2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
}

impl About {
    /// What a record says, if it says anything.
    pub fn of(record: &Record) -> Option<Self> {
        let told = |name| record.told(name).map(str::to_owned);
        let known = record.result != GameResult::Unknown;
        let about = Self {
            red: told("Red"),
            black: told("Black"),
            event: told("Event"),
            date: told("Date"),
            result: known.then_some(record.result.id()),
        };
        (about != Self::default()).then_some(about)
    }
}

/// A pending position.
#[derive(Clone, Debug)]
pub struct Row {
    /// The game's name.
    pub id: Value,
    /// What its record says about it.
    pub about: Option<Arc<About>>,
    /// How many plies had been played; `None` where a cycle was given by itself.
    pub ply: Option<usize>,
    /// The cycle; `None` where a book rules without one.
    pub span: Option<CycleSpan>,
    /// The position before the first of the moves.
    pub fen: String,
    /// One period.
    pub moves: Vec<Move>,
    /// The ways round before it, where they were others and the ruling rests on all of them.
    pub earlier_moves: Vec<Move>,
    /// What each of them is; `None` where that is open.
    pub natures: Vec<Option<Nature>>,
    /// Both sides; `None` where the book does not look at conduct.
    pub sides: Option<BySide<SideOf>>,
    /// What is ruled.
    pub outcome: Outcome,
    /// Whom it concerns.
    pub side: Option<Side>,
    /// The clauses that decide.
    pub clauses: Vec<String>,
    /// The plies that leave the verdict open.
    pub open: Vec<usize>,
    /// The book.
    pub rules: BookRef,
    /// Positions expanded.
    pub spent: u64,
    /// What was played next, and by whom.
    pub next: Option<(Side, Move)>,
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceJson {
    /// The file as it was named.
    pub file: String,
    /// Its number in the file, from 1.
    pub record: u64,
    /// The line it starts on, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// A game that could not be judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rejection {
    /// The game's name.
    pub id: Value,
    /// What is wrong with it.
    pub error: RequestError,
    /// Where it stands.
    pub place: PlaceJson,
}

#[derive(Serialize)]
pub(super) struct VerdictOf<'a> {
    outcome: Outcome,
    side: Option<Side>,
    clauses: &'a [String],
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    open: &'a [usize],
}

#[derive(Serialize)]
struct RowJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(flatten)]
    about: Option<&'a About>,
    ply: Option<usize>,
    #[serde(flatten)]
    ruled: Ruled<'a>,
    rules: &'a BookRef,
    spent: u64,
}

/// What is ruled, and on what.
#[derive(Serialize)]
pub(super) struct Ruled<'a> {
    cycle: Option<CycleJson>,
    fen: &'a str,
    moves: &'a [Move],
    #[serde(skip_serializing_if = "<[Move]>::is_empty")]
    earlier_moves: &'a [Move],
    natures: &'a [Option<Nature>],
    sides: Option<&'a BySide<SideOf>>,
    verdict: VerdictOf<'a>,
}

impl Row {
    pub(super) fn verdict(&self) -> VerdictOf<'_> {
        VerdictOf {
            outcome: self.outcome,
            side: self.side,
            clauses: &self.clauses,
            open: &self.open,
        }
    }

    pub(super) fn ruled(&self) -> Ruled<'_> {
        Ruled {
            cycle: self.span.map(CycleJson::from),
            fen: &self.fen,
            moves: &self.moves,
            earlier_moves: &self.earlier_moves,
            natures: &self.natures,
            sides: self.sides.as_ref(),
            verdict: self.verdict(),
        }
    }

    fn json(&self, named: bool) -> RowJson<'_> {
        RowJson {
            id: named.then_some(&self.id),
            about: self.about.as_deref().filter(|_| named),
            ply: self.ply,
            ruled: self.ruled(),
            rules: &self.rules,
            spent: self.spent,
        }
    }
}

struct Unnamed<'a>(&'a [Row]);

impl Serialize for Unnamed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|row| row.json(false)))
    }
}

#[derive(Serialize)]
struct GameJson<'a> {
    id: &'a Value,
    #[serde(flatten)]
    about: Option<&'a About>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<Unnamed<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RequestError>,
}

pub(super) fn push(out: &mut Vec<u8>, line: &impl Serialize) {
    let from = out.len();
    if written::write(out, line).is_err() {
        out.truncate(from);
    }
    out.push(b'\n');
}

impl Found {
    /// Writes the game: a line for each pending position, or one with the error.
    pub fn write_rows(&self, out: &mut Vec<u8>) {
        match &self.rows {
            Ok(rows) => rows.iter().for_each(|row| push(out, &row.json(true))),
            Err(rejection) => push(out, rejection),
        }
    }

    /// Writes the game as exactly one line. Where it stands is not told: it is the line's own
    /// place.
    pub fn write_game(&self, out: &mut Vec<u8>) {
        let rows = self.rows.as_ref();
        let line = GameJson {
            id: &self.id,
            about: self.about.as_deref(),
            plies: rows.is_ok().then_some(self.plies),
            pending: rows.ok().map(|rows| Unnamed(rows)),
            error: rows.err().map(|rejection| &rejection.error),
        };
        push(out, &line);
    }
}
