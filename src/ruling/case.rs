//! The ruling due on a cycle, or after the last move of a game.

use super::arbiter::Sitting;
use super::conduct::Standing;
use super::due::{Due, overdue};
use super::judge::{Judged, MoveJudged, Verdict};
use crate::board::{BySide, Move, Side};
use crate::definitions::Definitions;
use crate::game::{Cycle, CycleSpan, Ended, Game, PendingRule, PendingUnit};
use crate::rules::{Ground, Outcome, RuleBook, Situation, VerdictRow};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// A change an arbiter or platform has ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The ply after which it was ordered, the first being 0.
    pub after_ply: usize,
    /// Who was to change.
    pub side: Side,
}

impl Order {
    /// Where the position in which it was given stands among those of its game.
    pub const fn given_at(self) -> usize {
        self.after_ply.saturating_add(1)
    }
}

/// What is ruled, and on what.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// How the game was decided on the board, if it was.
    pub ended: Option<Ended>,
    /// The cycle ruled on.
    pub cycle: Option<Cycle>,
    /// The plies of the long run ruled on, where there is no cycle.
    pub run: Option<Range<usize>>,
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
            bound: None,
            clauses: Vec::new(),
            open: Vec::new(),
        };
        Self {
            ended,
            cycle: None,
            run: None,
            judged: None,
            verdict: Arc::new(verdict),
        }
    }

    /// The plies of the first move judged, and of the first of the last way round.
    fn begins(&self) -> (usize, usize) {
        let run = self.run.as_ref().map_or(0, |run| run.start);
        self.cycle.as_ref().map_or((run, run), |cycle| {
            (cycle.span.span_start_ply, cycle.span.start_ply)
        })
    }

    /// From which ply on to which what is ruled on was played.
    pub fn plies(&self) -> Option<(usize, usize)> {
        let run = || self.run.as_ref().map(|run| run.end);
        let cycle = self.cycle.as_ref().map(|cycle| cycle.span.end_ply());
        Some((self.begins().0, cycle.or_else(run)?))
    }

    /// The ply of the first move that is told.
    pub fn told_from(&self) -> usize {
        self.begins().1
    }

    /// The plies of the moves that leave it open.
    pub fn open_plies(&self) -> Vec<usize> {
        let (from, _) = self.begins();
        self.verdict.open.iter().map(|at| from + at).collect()
    }

    /// The ruling due on a cycle whose position is pending, its moves judged.
    pub(super) fn on_cycle(cycle: Cycle, judged: Judged) -> Self {
        let verdict = Arc::clone(&judged.verdict);
        Self {
            ended: None,
            cycle: Some(cycle),
            run: None,
            judged: Some(judged),
            verdict,
        }
    }

    /// The ruling due after the last move of a game.
    pub(super) fn on_game(sitting: Sitting<'_>, game: &Game, ordered: &[Order]) -> Self {
        if let Some(ended) = game.ended() {
            return Self::none(Some(ended));
        }
        Due::last(&sitting.arbiter.book.definitions, game, ordered)
            .and_then(|due| Self::when(sitting, game, due, ordered))
            .unwrap_or_else(|| Self::none(None))
    }

    /// The ruling at a moment of a game; none where what was done over a long run binds nobody.
    pub(super) fn when(
        sitting: Sitting<'_>,
        game: &Game,
        due: Due,
        ordered: &[Order],
    ) -> Option<Self> {
        match due.span {
            Some(span) => Some(Self::on_pending(sitting, game, span, ordered)),
            None => Self::on_long_run(sitting, game, due, ordered)
                .or_else(|| Self::on_return(sitting, game, due.returns?, ordered))
                .or_else(|| Self::on_going_on(sitting, game, due, ordered)),
        }
    }

    /// The ruling on a pending position of a game.
    fn on_pending(sitting: Sitting<'_>, game: &Game, span: CycleSpan, ordered: &[Order]) -> Self {
        let book = sitting.arbiter.book;
        let cycle = game.cycle(span);
        let mut judged = match game.position_at(cycle.span.span_start_ply) {
            // Not every way round was the same: conduct is what was done on all of them.
            Some(start)
                if book.definitions.pending_unit == PendingUnit::Occurrences
                    && !cycle.span.is_uniform() =>
            {
                sitting.judged(start, game.span_moves(cycle.span))
            }
            _ => sitting.judged(cycle.start(), &cycle.line()),
        };
        heed(sitting, game, span.end_ply(), ordered, &mut judged);
        Self::on_cycle(cycle, judged)
    }

    /// The ruling where the position in which a change was ordered has come about again, by whatever way round: none where
    /// the side did change.
    fn on_return(
        sitting: Sitting<'_>,
        game: &Game,
        way: CycleSpan,
        ordered: &[Order],
    ) -> Option<Self> {
        let cycle = game.cycle(way);
        let mut judged = sitting.judged(cycle.start(), &cycle.line());
        let end = way.end_ply();
        match judged.verdict.outcome {
            Outcome::MustChange | Outcome::Loss => {
                // An order in another position says nothing of this one.
                let position = game.position_at(end);
                let given_here = |order: &Order| game.position_at(order.given_at()) == position;
                let here: Vec<Order> = ordered.iter().copied().filter(given_here).collect();
                hold_to(sitting, game, end, &here, &mut judged);
            }
            // Whether the side changed is as open.
            Outcome::Undetermined => {}
            Outcome::Draw | Outcome::None => return None,
        }
        let is_ignored = judged.verdict.situation == Some(Situation::NotChanged);
        let is_open = judged.verdict.outcome == Outcome::Undetermined;
        (is_ignored || is_open).then(|| Self::on_cycle(cycle, judged))
    }

    /// Forbidden moves over many rounds bind their side although the ways round are irregular.
    fn on_long_run(sitting: Sitting<'_>, game: &Game, due: Due, ordered: &[Order]) -> Option<Self> {
        let book = sitting.arbiter.book;
        let definitions = &book.definitions;
        let end = due.after_ply;
        let from = end.checked_sub(2 * definitions.irregular_rounds as usize)?;
        let (start, line) = (game.position_at(from)?, game.moves().get(from..end)?);
        let may = |side: Side| {
            let first = usize::from(start.turn() != side);
            let own = line.iter().skip(first).step_by(2);
            let mut squares: Vec<_> = own.map(|mv| mv.to).collect();
            squares.sort_unstable();
            squares.dedup();
            due.repeats[side] && squares.len() >= definitions.irregular_squares as usize
        };
        let may = BySide::from_fn(may);
        if !(may.red || may.black) || is_idle(&sitting.outcome(game, from..end)?, may) {
            return None;
        }
        let mut judged = sitting.run(game, from..end)?;
        let attacks = BySide::from_fn(|side| always_attacks(definitions, &judged, side));
        // One side is bound whose every move attacks, while the other's do not: it need not repeat itself to attack on
        // every move, too.
        let could_be_bound = |side: Side| {
            may[side] && attacks[side] != Some(false) && attacks[side.opponent()] != Some(true)
        };
        let is_bound = |side: Side| {
            may[side] && attacks[side] == Some(true) && attacks[side.opponent()] == Some(false)
        };
        let Some(side) = Side::ALL.into_iter().find(|&side| is_bound(side)) else {
            if !Side::ALL.into_iter().any(could_be_bound) {
                return None;
            }
            let open = |m: &MoveJudged| m.finding.nature.is_none();
            let open = (0..).zip(&judged.moves).filter(|(_, m)| open(m));
            let open = open.map(|(ply, _)| ply).collect();
            judged.verdict = Arc::new(Verdict::undetermined(open));
            return Some(Self::without_cycle(judged, from..end));
        };
        judged.verdict = Arc::new(binding(book, side)?);
        heed(sitting, game, end, ordered, &mut judged);
        Some(Self::without_cycle(judged, from..end))
    }

    /// The ruling where a side was ordered to change over a long run and went on with what is forbidden, over squares new and
    /// old: what it has done since is what is ruled on.
    fn on_going_on(sitting: Sitting<'_>, game: &Game, due: Due, ordered: &[Order]) -> Option<Self> {
        let (end, book) = (due.after_ply, sitting.arbiter.book);
        let definitions = &book.definitions;
        let mut overdue: Vec<Order> = overdue(definitions, game, end, ordered).collect();
        if overdue.is_empty() {
            return None;
        }
        // Who plays quietly by now is told with little work.
        let of_late = sitting.outcome(game, end.checked_sub(2)?..end)?;
        let may = |side| always_attacks(definitions, &of_late, side) != Some(false);
        let may = BySide::from_fn(may);
        overdue.retain(|order| may[order.side]);
        overdue.sort_unstable_by_key(|order| (order.after_ply, order.side));
        overdue.dedup();
        let mut answers = overdue.into_iter().map(|order| {
            let gone_on = went_on(sitting, game, end, order);
            (order, gone_on)
        });
        let (order, gone_on) = answers.find(|(_, gone_on)| *gone_on != Some(false))?;
        let since = order.given_at()..end;
        let mut judged = sitting.run(game, since.clone())?;
        judged.verdict = Arc::new(binding(book, order.side)?);
        match gone_on {
            Some(_) => not_changed(
                book,
                book.verdicts.get(&Situation::NotChanged)?,
                &mut judged,
            ),
            None => judged.verdict = Arc::new(Verdict::undetermined(Vec::new())),
        }
        Some(Self::without_cycle(judged, since))
    }

    fn without_cycle(judged: Judged, run: Range<usize>) -> Self {
        Self {
            ended: None,
            cycle: None,
            run: Some(run),
            verdict: Arc::clone(&judged.verdict),
            judged: Some(judged),
        }
    }
}

/// What binds a side over a long run.
fn binding(book: &RuleBook, side: Side) -> Option<Verdict> {
    let row = book.verdicts.get(&Situation::OneForbidden)?;
    let irregular = book.grounds.get(&Ground::Irregular);
    let clauses = row.clauses.iter().chain(irregular.into_iter().flatten());
    Some(Verdict {
        outcome: row.outcome,
        side: Some(side),
        situation: Some(Situation::OneForbidden),
        bound: None,
        clauses: clauses.cloned().collect(),
        open: Vec::new(),
    })
}

/// Whether a side attacks on every one of its moves, as far as that is known.
fn always_attacks(definitions: &Definitions, judged: &Judged, side: Side) -> Option<bool> {
    let own = judged.moves.iter().filter(|m| m.scene.side == side);
    let attacks = own.map(|m| m.finding.nature.map(|nature| definitions.is_attack(nature)));
    attacks.reduce(|all, one| match (all, one) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (None, _) | (_, None) => None,
        (Some(true), Some(true)) => Some(true),
    })?
}

/// Whether each of these sides makes a move that certainly attacks nothing.
fn is_idle(judged: &Judged, sides: BySide<bool>) -> bool {
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

/// Rules the game lost where the side that must change had been ordered to and went on.
fn heed(sitting: Sitting<'_>, game: &Game, by: usize, ordered: &[Order], judged: &mut Judged) {
    if judged.verdict.outcome == Outcome::MustChange {
        hold_to(sitting, game, by, ordered, judged);
    }
}

/// The same of a side that is obliged in whatever way.
fn hold_to(sitting: Sitting<'_>, game: &Game, by: usize, ordered: &[Order], judged: &mut Judged) {
    let Some(side) = judged.verdict.side else {
        return;
    };
    let book = &sitting.arbiter.book;
    let Some(row) = book.verdicts.get(&Situation::NotChanged) else {
        return;
    };
    let own: Vec<Order> = ordered
        .iter()
        .copied()
        .filter(|order| order.side == side)
        .collect();
    if own.is_empty() {
        return;
    }
    let definitions = &sitting.arbiter.book.definitions;
    let most = definitions.extra_cycles_after_warning.max(1) as usize;
    let rule = definitions.pending_rule();
    let running = running(game, by, rule);
    let counts_returns = rule.unit == PendingUnit::Occurrences;
    // Where it was given in the course of the cycle that has run on since, the way round is that cycle: a piece of it is neither one
    // nor a change, though the position come about in it twice, unless the returns are counted.
    let ran_on = |order: Order| {
        let (plies, period) = running.as_ref()?;
        let from = order.given_at();
        let whole = from.saturating_add(most.saturating_mul(*period)) <= plies.end;
        (plies.start + period <= from && (whole || !counts_returns)).then_some(whole)
    };
    let runs_from = running.as_ref().map_or(by, |(plies, _)| plies.start);
    let heeded = |order: Order| {
        let again =
            ran_on(order).or_else(|| came_back(sitting, game, (runs_from, by), order, most));
        match again {
            Some(false) => went_on(sitting, game, by, order),
            known => known,
        }
    };
    let ignored: Vec<_> = own.into_iter().map(heeded).collect();
    if ignored.contains(&Some(true)) {
        not_changed(book, row, judged);
    } else if ignored.contains(&None) {
        judged.verdict = Arc::new(Verdict::undetermined(Vec::new()));
    }
}

/// What is due where the side that was bound had been ordered to change and did not.
fn not_changed(book: &RuleBook, row: &VerdictRow, judged: &mut Judged) {
    let verdict = Arc::make_mut(&mut judged.verdict);
    verdict.outcome = row.outcome;
    let mut more = book.unchanged(verdict.situation);
    verdict.bound = verdict.situation.replace(Situation::NotChanged);
    more.retain(|clause| !verdict.clauses.contains(clause));
    verdict.clauses.extend(more);
}

/// Whether the side went on as it was ordered not to: the position in which the change was ordered has come about again as often as the
/// book lets it, by ways round that oblige the side to change, and does so with this ply, or in the course of the cycle that is
/// running by now. A way in which the side does what is permitted is the change, and what comes after it is another matter; one
/// in which the other side attacks as well is neither. Nothing where a way round is open.
fn came_back(
    sitting: Sitting<'_>,
    game: &Game,
    (runs_from, by): (usize, usize),
    order: Order,
    most: usize,
) -> Option<bool> {
    let mut from = order.given_at();
    let Some(position) = game.position_at(from) else {
        return Some(false);
    };
    let stands = |at: &usize| game.position_at(*at) == Some(position);
    let is_due = |last| last == by || runs_from <= last;
    if !(from..=by).rev().find(stands).is_some_and(is_due) {
        return Some(false);
    }
    let returns = (from + 1..=by).filter(stands);
    // What goes round as before was judged before.
    let mut known: Vec<(&[Move], bool)> = Vec::new();
    let mut count = 0;
    for at in returns {
        let line = game.moves().get(from..at).unwrap_or_default();
        from = at;
        let alike = known.iter().find(|(same, _)| *same == line);
        let obliges = if let Some(&(_, obliges)) = alike {
            obliges
        } else {
            let Judged { verdict, sides, .. } = sitting.judged(position, line);
            if verdict.outcome == Outcome::Undetermined {
                return None;
            }
            let binds = matches!(verdict.outcome, Outcome::MustChange | Outcome::Loss);
            let obliges = binds && verdict.side == Some(order.side);
            if !obliges && sides[order.side].standing? == Standing::Permitted {
                return Some(false);
            }
            known.push((line, obliges));
            obliges
        };
        count += usize::from(obliges);
    }
    Some(count >= most)
}

/// The plies over which one and the same cycle has been running up to one, and its period: for as many rounds as make it pending, or, where
/// it is returns that are counted, twice at least.
fn running(game: &Game, ply: usize, rule: PendingRule) -> Option<(Range<usize>, usize)> {
    let count = match rule.unit {
        PendingUnit::Rounds => rule.count,
        PendingUnit::Occurrences => 2,
    };
    let in_rounds = PendingRule {
        unit: PendingUnit::Rounds,
        count,
        ..rule
    };
    let cycle = game.pending_at(ply, in_rounds)?;
    let (moves, period) = (game.moves(), cycle.period);
    // Its rounds are counted back from the last move: part of one may have come before.
    let is_alike = |ply: &usize| moves.get(*ply) == moves.get(*ply + period);
    let part = (0..cycle.start_ply).rev().take_while(is_alike).count();
    Some((cycle.start_ply - part..ply, period))
}

/// Whether the side, ordered to change over a long run, went on with what is forbidden for as many rounds as the book lets it
/// (the decision of 2014). Nothing where that is open.
fn went_on(sitting: Sitting<'_>, game: &Game, by: usize, order: Order) -> Option<bool> {
    let definitions = &sitting.arbiter.book.definitions;
    let rounds = definitions.irregular_rounds_after_warning as usize;
    let from = order.given_at();
    if rounds == 0 || by < from.saturating_add(2 * rounds) {
        return Some(false);
    }
    let bound = game.up_to(from).and_then(|then| {
        let due = Due::last(definitions, &then, &[]).filter(|due| due.span.is_none())?;
        Ruling::on_long_run(sitting, &then, due, &[])
    });
    match bound {
        Some(ruling) if ruling.verdict.side == Some(order.side) => {}
        Some(ruling) if ruling.verdict.outcome == Outcome::Undetermined => return None,
        Some(_) | None => return Some(false),
    }
    let since = sitting.run(game, from..by)?;
    let attacks = |side| always_attacks(definitions, &since, side);
    match (attacks(order.side), attacks(order.side.opponent())) {
        (Some(true), Some(false)) => Some(true),
        (Some(false), _) | (_, Some(true)) => Some(false),
        (None | Some(true), _) => None,
    }
}
