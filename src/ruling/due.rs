//! When in a game a ruling may be due.

use crate::board::{BySide, Side};
use crate::definitions::Definitions;
use crate::game::{CycleSpan, Game, PendingUnit};

/// A moment of a game at which the book may have something to rule on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The ply after which.
    pub after_ply: usize,
    /// The cycle that makes the position pending; without one a side repeats itself over a long run by irregular
    /// ways round.
    pub span: Option<CycleSpan>,
    /// Who repeats itself so.
    pub(super) repeats: BySide<bool>,
}

impl Due {
    /// Every such moment of a game, in its order.
    pub(super) fn all(definitions: &Definitions, game: &Game) -> Vec<Self> {
        let spans = game.all_pending(definitions.pending_rule());
        let mut spans = spans.into_iter().peekable();
        let moments = (1..=game.len()).filter_map(|after_ply| {
            let span = spans.next_if(|span| span.end_ply() == after_ply);
            Self::at(definitions, game, after_ply, span)
        });
        moments.collect()
    }

    /// How often some position of a game must have stood for any such moment.
    pub(super) const fn least_occurrences(definitions: &Definitions) -> u32 {
        if definitions.irregular_rounds > 0 {
            return 2;
        }
        let rule = definitions.pending_rule();
        let least = rule.least_occurrences();
        match rule.unit {
            // The position before the capture that opens the first round never stands again.
            PendingUnit::Rounds if rule.counts_opening_capture => least.saturating_sub(1),
            PendingUnit::Rounds | PendingUnit::Occurrences => least,
        }
    }

    /// The moment after the last move, if it is one.
    pub(super) fn last(definitions: &Definitions, game: &Game) -> Option<Self> {
        let after_ply = game.len();
        let span = game.pending_at(after_ply, definitions.pending_rule());
        Self::at(definitions, game, after_ply, span)
    }

    fn at(
        definitions: &Definitions,
        game: &Game,
        after_ply: usize,
        span: Option<CycleSpan>,
    ) -> Option<Self> {
        let repeats = match span {
            Some(_) => BySide::default(),
            None => who_repeats(definitions, game, after_ply),
        };
        let is_due = span.is_some() || repeats[Side::Red] || repeats[Side::Black];
        is_due.then_some(Self {
            after_ply,
            span,
            repeats,
        })
    }
}

/// The sides all of whose moves in the rounds up to a ply, as many as the book asks for, brought about positions
/// that stand more than once: who drives a piece over ever new squares repeats nothing, however it attacks.
fn who_repeats(definitions: &Definitions, game: &Game, ply: usize) -> BySide<bool> {
    let plies = 2 * definitions.irregular_rounds as usize;
    let since = game.reversible_since(ply);
    if plies == 0 || game.times_at(ply) < 2 || since + plies > ply {
        return BySide::default();
    }
    let mut comes_back = vec![false; ply + 1];
    for later in since..=ply {
        for earlier in game.earlier_occurrences(later) {
            for at in [earlier, later] {
                if let Some(comes_back) = comes_back.get_mut(at) {
                    *comes_back = true;
                }
            }
        }
    }
    let positions = || (ply - plies + 1..=ply).zip(game.positions().iter().skip(ply - plies + 1));
    BySide::from_fn(|side| {
        positions()
            .filter(|(_, position)| position.turn() != side)
            .all(|(at, _)| comes_back.get(at) == Some(&true))
    })
}
