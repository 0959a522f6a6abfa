//! What was done, in counts that add up.

use super::judge::Found;
use super::row::Rejection;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of an archive. `games` is `judged` and `rejected` together; `pending` is the sum of the
/// outcomes, and `rejected` that of the rejections. They depend on the input alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Games read.
    pub games: u64,
    /// Games judged, whether or not anything was pending in them.
    pub judged: u64,
    /// Games that could not be judged.
    pub rejected: u64,
    /// Plies of the games judged.
    pub plies: u64,
    /// Games with a pending position.
    pub repeating: u64,
    /// Pending positions.
    pub pending: u64,
    /// Pending positions by what is ruled.
    pub outcomes: BTreeMap<String, u64>,
    /// Games with a pending position by what both sides do in the first: the patterns, Red's
    /// and Black's in the order of the alphabet.
    pub patterns: BTreeMap<String, u64>,
    /// Rejected games by the code of the error.
    pub rejections: BTreeMap<String, u64>,
}

impl Summary {
    /// Enters a game.
    pub fn enter(&mut self, found: &Found) {
        self.games += 1;
        match &found.rows {
            Ok(rows) => {
                self.judged += 1;
                self.plies += found.plies as u64;
                self.repeating += u64::from(!rows.is_empty());
                self.pending += rows.len() as u64;
                for row in rows {
                    *self
                        .outcomes
                        .entry(row.outcome.id().to_owned())
                        .or_default() += 1;
                }
                if let Some(sides) = rows.first().and_then(|row| row.sides.as_ref()) {
                    let name = |pattern: &Option<String>| {
                        pattern.clone().unwrap_or_else(|| "open".to_owned())
                    };
                    let mut both = [name(&sides.red.pattern), name(&sides.black.pattern)];
                    both.sort_unstable();
                    *self.patterns.entry(both.join("+")).or_default() += 1;
                }
            }
            Err(Rejection { error, .. }) => {
                self.rejected += 1;
                *self.rejections.entry(error.code.to_owned()).or_default() += 1;
            }
        }
    }

    /// Adds the counts of games that came after.
    pub fn add(&mut self, more: &Self) {
        let Self {
            games,
            judged,
            rejected,
            plies,
            repeating,
            pending,
            outcomes,
            patterns,
            rejections,
        } = more;
        for (own, more) in [
            (&mut self.games, games),
            (&mut self.judged, judged),
            (&mut self.rejected, rejected),
            (&mut self.plies, plies),
            (&mut self.repeating, repeating),
            (&mut self.pending, pending),
        ] {
            *own += more;
        }
        for (own, more) in [
            (&mut self.outcomes, outcomes),
            (&mut self.patterns, patterns),
            (&mut self.rejections, rejections),
        ] {
            for (name, count) in more {
                *own.entry(name.clone()).or_default() += count;
            }
        }
    }
}
