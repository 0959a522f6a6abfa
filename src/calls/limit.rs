//! The natural move limit that is asked about.

use crate::board::Side;
use crate::game::limit::{self, Claim, ExcessCheck, Unit};
use crate::language::both;
use crate::rules::Catalog;
use crate::wire::{Kind, Request, RequestError, limit_json};
use serde::Deserialize;
use serde_json::Value;

/// An audit of the natural move limit after the last move of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitAsked {
    /// Whose limit: `cxa-1999` where missing.
    pub rules: Option<String>,
    /// The start position: the opening where missing.
    pub fen: Option<String>,
    /// The moves, in any notation.
    pub moves: Vec<String>,
    /// Whose claim is audited; an arbiter's own audit where missing.
    pub claim: Option<Side>,
    /// How many false claims the claimant made in this stage before.
    #[serde(default)]
    pub earlier_false_claims: u32,
    /// How many make a draw, where the event has changed it.
    pub count: Option<u32>,
    /// What is counted, where it is not as in the book.
    pub unit: Option<Unit>,
    /// How many of the claimant's checks count.
    pub checks: Option<u32>,
    /// What each further check takes out of the count.
    pub excess_check_removes: Option<ExcessCheck>,
    /// Audit after this many plies instead of the last.
    pub after: Option<usize>,
}

impl LimitAsked {
    /// The audit.
    ///
    /// # Errors
    /// What is wrong with the game, or that the book has no such limit.
    pub fn audit(&self, catalog: &Catalog) -> Result<Value, RequestError> {
        let request = Request {
            rules: self.rules.clone(),
            fen: self.fen.clone(),
            kind: Kind::Game,
            ..Request::cycle("", self.moves.clone())
        };
        let loaded = request.book(catalog)?;
        let rule = loaded.book.limit().ok_or_else(|| {
            let id = &loaded.book.id;
            RequestError::at(
                "no_limit",
                "/rules".to_owned(),
                both!("`{id}` has no natural move limit", "规则“{id}”没有自然限着"),
            )
        })?;
        let rule = limit::Rule {
            count: self.count.unwrap_or(rule.count),
            unit: self.unit.unwrap_or(rule.unit),
            claimant_checks_counted: self.checks.unwrap_or(rule.claimant_checks_counted),
            excess_check_removes: self
                .excess_check_removes
                .unwrap_or(rule.excess_check_removes),
            ..rule
        };
        let mut game = request.game()?;
        if let Some(after) = self.after {
            game = game.up_to(after).ok_or_else(|| {
                let plies = game.len();
                RequestError::at(
                    "after_beyond_game",
                    "/after".to_owned(),
                    both!(
                        "the game has {plies} plies and cannot be audited after {after}",
                        "对局只有{plies}着，不能在第{after}着后审核"
                    ),
                )
            })?;
        }
        let claim = self.claim.map(|by| Claim {
            by,
            earlier_false_claims: self.earlier_false_claims,
        });
        Ok(limit_json(&limit::audit(&game, &rule, claim)))
    }
}
