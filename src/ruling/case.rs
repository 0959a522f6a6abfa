//! The ruling due on a cycle, or after the last move of a game.

use super::arbiter::Arbiter;
use super::due::Due;
use super::judge::{Judged, MoveJudged, Options, Verdict, judge_line};
use crate::board::{BySide, Move, Position, Side};
use crate::classify::{Depth, Nature};
use crate::definitions::Definitions;
use crate::exchange::{leaving, sharing_mates};
use crate::game::{Cycle, CycleSpan, Ended, Game, PendingRule, PendingUnit};
use crate::rules::{Outcome, RuleBook, Situation};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A change an arbiter or platform has ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The ply after which it was ordered.
    pub after_ply: usize,
    /// Who was to change.
    pub side: Side,
}

/// What is ruled, and on what.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// How the game was decided on the board, if it was.
    pub ended: Option<Ended>,
    /// The cycle ruled on.
    pub cycle: Option<Cycle>,
    /// Its moves and what follows from them.
    pub judged: Option<Judged>,
    /// What is ruled.
    pub verdict: Arc<Verdict>,
}

impl Definitions {
    /// When a position is pending under the book.
    pub const fn pending_rule(&self) -> PendingRule {
        PendingRule {
            unit: self.pending_unit,
            count: self.pending_count,
            counts_opening_capture: !self.first_capture_excluded_from_perpetual_check,
        }
    }
}

impl Ruling {
    /// Nothing to rule on.
    pub fn none(ended: Option<Ended>) -> Self {
        let verdict = Verdict {
            outcome: Outcome::None,
            side: None,
            situation: None,
            clauses: Vec::new(),
            open: Vec::new(),
        };
        Self {
            ended,
            cycle: None,
            judged: None,
            verdict: Arc::new(verdict),
        }
    }

    /// The ruling due on a cycle whose position is pending, its moves judged.
    pub(super) fn on_cycle(cycle: Cycle, judged: Judged) -> Self {
        let verdict = Arc::clone(&judged.verdict);
        Self {
            ended: None,
            cycle: Some(cycle),
            judged: Some(judged),
            verdict,
        }
    }

    /// The ruling due after the last move of a game.
    pub(super) fn on_game(arbiter: &Arbiter<'_>, game: &Game, ordered: &[Order]) -> Self {
        if let Some(ended) = game.ended() {
            return Self::none(Some(ended));
        }
        Due::last(&arbiter.book.definitions, game)
            .and_then(|due| Self::when(arbiter, game, due, ordered))
            .unwrap_or_else(|| Self::none(None))
    }

    /// The ruling at a moment of a game; none where what was done over a long run binds nobody.
    pub(super) fn when(
        arbiter: &Arbiter<'_>,
        game: &Game,
        due: Due,
        ordered: &[Order],
    ) -> Option<Self> {
        match due.span {
            Some(span) => Some(Self::on_pending(arbiter, game, span, ordered)),
            None => Self::on_long_run(arbiter, game, due),
        }
    }

    /// The ruling on a pending position of a game.
    fn on_pending(arbiter: &Arbiter<'_>, game: &Game, span: CycleSpan, ordered: &[Order]) -> Self {
        let book = arbiter.book;
        let cycle = game.cycle(span);
        let mut judged = match game.position_at(cycle.span.span_start_ply) {
            // Not every way round was the same: conduct is what was done on all of them.
            Some(start)
                if book.definitions.pending_unit == PendingUnit::Occurrences
                    && !cycle.span.is_uniform() =>
            {
                arbiter.judged(start, game.span_moves(cycle.span))
            }
            _ => arbiter.judged(cycle.start(), &cycle.line()),
        };
        let verdict = &judged.verdict;
        if verdict.outcome == Outcome::MustChange
            && let Some(side) = verdict.side
            && ordered
                .iter()
                .any(|order| order.side == side && ignored(book, game, span.end_ply(), *order))
            && let Some(row) = book.verdicts.get(&Situation::NotChanged)
        {
            let verdict = Arc::make_mut(&mut judged.verdict);
            verdict.outcome = row.outcome;
            verdict.situation = Some(Situation::NotChanged);
            let known = &verdict.clauses;
            let more = row.clauses.iter().filter(|clause| !known.contains(clause));
            let more: Vec<String> = more.cloned().collect();
            verdict.clauses.extend(more);
        }
        let verdict = Arc::clone(&judged.verdict);
        Self {
            ended: None,
            cycle: Some(cycle),
            judged: Some(judged),
            verdict,
        }
    }

    /// Forbidden moves over many rounds bind their side although the ways round are irregular.
    fn on_long_run(arbiter: &Arbiter<'_>, game: &Game, due: Due) -> Option<Self> {
        let (book, options) = (arbiter.book, arbiter.options);
        let definitions = &book.definitions;
        let end = due.after_ply;
        let from = end.checked_sub(2 * definitions.irregular_rounds as usize)?;
        let (start, line) = (game.position_at(from)?, game.moves().get(from..end)?);
        let row = book.verdicts.get(&Situation::OneForbidden)?;
        let may = |side: Side| {
            let first = usize::from(start.turn() != side);
            let own = line.iter().skip(first).step_by(2);
            let mut squares: Vec<_> = own.map(|mv| mv.to).collect();
            squares.sort_unstable();
            squares.dedup();
            due.repeats[side] && squares.len() >= definitions.irregular_squares as usize
        };
        let may = BySide::from_fn(may);
        if !(may.red || may.black) || is_idle(book, start, line, may, options) {
            return None;
        }
        let mut judged = arbiter.judged(start, line);
        let offends = |side: Side| {
            let mut own = judged.moves.iter().filter(|m| m.scene.side == side);
            may[side]
                && own.all(|m| {
                    m.finding.is_strike()
                        && (m.finding.nature != Some(Nature::Kill) || definitions.kill_is_attack)
                })
        };
        let side = match (offends(Side::Red), offends(Side::Black)) {
            (true, false) => Side::Red,
            (false, true) => Side::Black,
            _ => return None,
        };
        let mut clauses = row.clauses.clone();
        clauses.extend(
            book.grounds
                .get(&crate::rules::Ground::Irregular)
                .into_iter()
                .flatten()
                .cloned(),
        );
        let verdict = Arc::new(Verdict {
            outcome: row.outcome,
            side: Some(side),
            situation: Some(Situation::OneForbidden),
            clauses,
            open: Vec::new(),
        });
        judged.verdict = Arc::clone(&verdict);
        Some(Self {
            ended: None,
            cycle: None,
            judged: Some(judged),
            verdict,
        })
    }
}

/// Whether each of these sides makes a move that certainly attacks nothing: found out with the least that tells, and
/// without bearing on what is asked afterwards.
fn is_idle(
    book: &RuleBook,
    start: &Position,
    line: &[Move],
    sides: BySide<bool>,
    options: Options,
) -> bool {
    let depth = Depth::Outcome;
    let options = Options { depth, ..options };
    let work = || judge_line(book, start, line, options);
    let judged = leaving(|| sharing_mates(work));
    let is_idle = |m: &MoveJudged| m.finding.nature.is_some_and(|n| !n.is_strike());
    let idles = |side| {
        judged
            .moves
            .iter()
            .any(|m| m.scene.side == side && is_idle(m))
    };
    Side::ALL
        .into_iter()
        .all(|side| !sides[side] || idles(side))
}

/// The position in which the change was ordered has come about again as often as the book lets it.
fn ignored(book: &RuleBook, game: &Game, by: usize, order: Order) -> bool {
    let stood = order.after_ply.saturating_add(1);
    let Some(position) = game.position_at(stood) else {
        return false;
    };
    let again = game
        .positions()
        .iter()
        .take(by + 1)
        .skip(stood + 1)
        .filter(|later| *later == position)
        .count();
    again >= book.definitions.extra_cycles_after_warning.max(1) as usize
}
