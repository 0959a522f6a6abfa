//! One row for each run of a repetition, however many plies it stood: from the first pending position
//! to the last, and what happened next.

use super::judge::Found;
use super::row::{About, Row, Ruled, VerdictOf, push};
use crate::board::Side;
use crate::notation::GameResult;
use crate::wire::BookRef;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What happened behind the last pending position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A side played something else.
    Varied,
    /// The game ended there, drawn.
    Drawn,
    /// The game ended there, lost by a side.
    Lost,
    /// The game ended there; how, is not told.
    Ended,
}

#[derive(Serialize)]
struct Next {
    what: What,
    /// Who varied, or who lost.
    side: Option<Side>,
    /// What was played instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    iccs: Option<String>,
}

#[derive(Serialize)]
struct RunJson<'a> {
    id: &'a Value,
    #[serde(flatten)]
    about: Option<&'a About>,
    first_ply: Option<usize>,
    last_ply: Option<usize>,
    /// How many plies of it were pending.
    pending: usize,
    /// How often the cycle had gone round in the end.
    rounds: Option<u32>,
    #[serde(flatten)]
    ruled: Ruled<'a>,
    /// The ruling in the end, where it had become another.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict_at_last: Option<VerdictOf<'a>>,
    /// Every ruling that was another than the one before it, and the first ply behind which it was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Change<'a>>,
    next: Option<Next>,
    rules: &'a BookRef,
}

#[derive(Serialize)]
struct Change<'a> {
    ply: Option<usize>,
    verdict: VerdictOf<'a>,
}

/// Whether the same is ruled.
fn same(one: &Row, other: &Row) -> bool {
    (one.outcome, one.side) == (other.outcome, other.side)
}

/// Whether one pending position follows the other without a break.
fn follows(before: &Row, row: &Row) -> bool {
    matches!((before.ply, row.ply), (Some(before), Some(ply)) if ply == before + 1)
}

fn next(last: &Row) -> Option<Next> {
    last.ply?;
    if let Some((side, mv)) = last.next {
        return Some(Next {
            what: What::Varied,
            side: Some(side),
            iccs: Some(mv.to_string()),
        });
    }
    let result = last.about.as_ref().and_then(|about| about.result);
    let (what, side) = match result.and_then(|result| result.parse().ok()) {
        Some(GameResult::Draw) => (What::Drawn, None),
        Some(GameResult::RedWins) => (What::Lost, Some(Side::Black)),
        Some(GameResult::BlackWins) => (What::Lost, Some(Side::Red)),
        Some(GameResult::Unknown) | None => (What::Ended, None),
    };
    let iccs = None;
    Some(Next { what, side, iccs })
}

impl Found {
    /// Writes the game: a line for each run of a repetition, or one with the error.
    pub fn write_runs(&self, out: &mut Vec<u8>) {
        let rows = match &self.rows {
            Ok(rows) => rows,
            Err(rejection) => return push(out, rejection),
        };
        for run in rows.chunk_by(follows) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else {
                continue;
            };
            let changes = run.iter().zip(run.iter().skip(1));
            let changes = changes.filter(|(before, row)| !same(before, row));
            push(
                out,
                &RunJson {
                    id: &first.id,
                    about: first.about.as_deref(),
                    first_ply: first.ply,
                    last_ply: last.ply,
                    pending: run.len(),
                    rounds: last.span.map(|span| span.rounds),
                    ruled: first.ruled(),
                    verdict_at_last: (!same(first, last)).then(|| last.verdict()),
                    changes: changes
                        .map(|(_, row)| Change {
                            ply: row.ply,
                            verdict: row.verdict(),
                        })
                        .collect(),
                    next: next(last),
                    rules: &first.rules,
                },
            );
        }
    }
}
