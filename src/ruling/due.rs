//! When in a game a ruling may be due.

use super::case::Order;
use crate::board::{BySide, Side};
use crate::definitions::Definitions;
use crate::game::{CycleSpan, Game, PendingUnit};

/// A moment of a game at which the book may have something to rule on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// How many plies had been played.
    pub after_ply: usize,
    /// The cycle that makes the position pending; without one a side repeats itself over a long run by irregular
    /// ways round.
    pub span: Option<CycleSpan>,
    /// Who repeats itself so.
    pub(super) repeats: BySide<bool>,
    /// The way round that brought about again the position in which a change was ordered.
    pub(super) returns: Option<CycleSpan>,
}

impl Due {
    /// Every such moment of a game, in its order, with these orders to change.
    pub(super) fn all(definitions: &Definitions, game: &Game, ordered: &[Order]) -> Vec<Self> {
        let spans = game.all_pending(definitions.pending_rule());
        let mut spans = spans.into_iter().peekable();
        let moments = (1..=game.len()).filter_map(|after_ply| {
            let span = spans.next_if(|span| span.end_ply() == after_ply);
            Self::at(definitions, game, after_ply, span, ordered)
        });
        moments.collect()
    }

    /// How often some position of a game must have stood for any such moment, with these orders to change.
    pub(super) const fn least_occurrences(definitions: &Definitions, ordered: &[Order]) -> u32 {
        if definitions.irregular_rounds > 0 || !ordered.is_empty() {
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
    pub(super) fn last(definitions: &Definitions, game: &Game, ordered: &[Order]) -> Option<Self> {
        let after_ply = game.len();
        let span = game.pending_at(after_ply, definitions.pending_rule());
        Self::at(definitions, game, after_ply, span, ordered)
    }

    fn at(
        definitions: &Definitions,
        game: &Game,
        after_ply: usize,
        span: Option<CycleSpan>,
        ordered: &[Order],
    ) -> Option<Self> {
        if span.is_some() {
            return Some(Self {
                after_ply,
                span,
                repeats: BySide::default(),
                returns: None,
            });
        }
        let due = Self {
            after_ply,
            span: None,
            repeats: who_repeats(definitions, game, after_ply),
            returns: way_back(game, after_ply, ordered),
        };
        let repeated = due.repeats[Side::Red] || due.repeats[Side::Black];
        let mut overdue = overdue(definitions, game, after_ply, ordered);
        (repeated || due.returns.is_some() || overdue.next().is_some()).then_some(due)
    }
}

/// The orders to change, each given over a long run, that should have been heeded by a ply, nothing since having been taken,
/// and no pawn advanced.
pub(super) fn overdue(
    definitions: &Definitions,
    game: &Game,
    ply: usize,
    ordered: &[Order],
) -> impl Iterator<Item = Order> {
    let rounds = definitions.irregular_rounds_after_warning as usize;
    ordered.iter().copied().filter(move |order| {
        let from = order.given_at();
        rounds > 0
            && from.saturating_add(2 * rounds) <= ply
            && game.reversible_since(ply) <= from
            && who_repeats(definitions, game, from)[order.side]
    })
}

/// The way round by which the position after a ply has come about again, where a change was ordered in it.
fn way_back(game: &Game, ply: usize, ordered: &[Order]) -> Option<CycleSpan> {
    let start_ply = game.earlier_occurrences(ply).next()?;
    let position = game.position_at(ply)?;
    let orders = ordered.iter().map(|order| order.given_at());
    let mut earlier = orders.filter(|&at| at < ply);
    let is_ordered = earlier.any(|at| game.position_at(at) == Some(position));
    is_ordered.then(|| CycleSpan {
        start_ply,
        period: ply - start_ply,
        rounds: 1,
        occurrences: game.times_at(ply),
        span_start_ply: start_ply,
    })
}

/// The sides all of whose moves in the rounds up to a ply, as many as the book asks for, brought about positions
/// that stand more than once: who drives a piece over ever new squares repeats nothing, however it attacks.
fn who_repeats(definitions: &Definitions, game: &Game, ply: usize) -> BySide<bool> {
    let plies = 2 * definitions.irregular_rounds as usize;
    let since = game.reversible_since(ply);
    // What either side's last move brought about tells soonest. What the other side answers with may be new: that is no conduct
    // of the side that attacks.
    let is_new = |at: usize| game.times_at(at) < 2;
    if plies == 0 || since + plies > ply || is_new(ply) && is_new(ply - 1) {
        return BySide::default();
    }
    let first = ply - plies + 1;
    let mut comes_back = vec![false; plies];
    for later in first..=ply {
        // The nearest tells: where one stood between them, its own turn comes.
        let Some(earlier) = game.earlier_occurrences(later).next() else {
            continue;
        };
        for at in [earlier, later] {
            let within = at.checked_sub(first);
            if let Some(comes_back) = within.and_then(|at| comes_back.get_mut(at)) {
                *comes_back = true;
            }
        }
    }
    let positions = game.positions().iter().skip(first).zip(comes_back);
    BySide::from_fn(|side| {
        let mut own = positions.clone().filter(|(at, _)| at.turn() != side);
        own.all(|(_, comes_back)| comes_back)
    })
}
