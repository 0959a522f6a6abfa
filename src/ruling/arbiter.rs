//! The one door to what is judged.

use super::again::Memory;
use super::case::{Order, Ruling};
use super::due::Due;
use super::judge::{Judged, Line, MoveJudged, Options, judge_line};
use crate::board::{Move, Position};
use crate::classify::{Depth, MateThreat, Scene, Strikes};
use crate::exchange::{Terms, Watch, Work};
use crate::game::limit::{self, Audit, Claim};
use crate::game::{Cycle, Game};
use crate::rules::RuleBook;
use std::ops::Range;

/// Positions a ruling may expand, unless it is told otherwise.
pub const BUDGET: u32 = 200_000;

/// Judges under one book: cycles, games, single moves, the natural limit. Whatever asks, the same
/// question gets the same answer, within the same budget.
///
/// ```
/// use qili::board::Position;
/// use qili::game::Game;
/// use qili::rules::{Catalog, Outcome};
/// use qili::Arbiter;
/// let loaded = Catalog::builtin().get("cxa-2020")?;
/// let arbiter = Arbiter::new(&loaded.book);
/// let mut game = Game::new(Position::start());
/// for mv in ["b0c2", "b9c7", "c2b0", "c7b9"].repeat(3) {
///     game.push(mv.parse().unwrap()).unwrap();
/// }
/// assert_eq!(arbiter.game(&game, &[]).verdict.outcome, Outcome::Draw);
/// // It was due once, after the third time round.
/// let due: Vec<_> = arbiter.every(&game, &[]).map(|(due, _)| due.after_ply).collect();
/// assert_eq!(due, [12]);
/// // Played once more it would be due again, by the move that goes on with it.
/// for mv in ["b0c2", "b9c7", "c2b0"] {
///     game.push(mv.parse().unwrap()).unwrap();
/// }
/// let ruled = arbiter.next(&game, &[]).filter(|(_, ruling)| {
///     ruling.as_ref().is_some_and(|ruling| ruling.verdict.outcome == Outcome::Draw)
/// });
/// let moves: Vec<_> = ruled.map(|(mv, _)| mv.to_string()).collect();
/// assert_eq!(moves, ["c7b9"]);
/// # Ok::<_, qili::rules::UnknownBook>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Arbiter<'a> {
    pub(super) book: &'a RuleBook,
    pub(super) options: Options,
    pub(super) budget: u32,
    memory: Option<&'a Memory<'a>>,
    watch: Option<&'a dyn Watch>,
}

impl<'a> Arbiter<'a> {
    /// One that explains what it finds and asserts nothing.
    pub fn new(book: &'a RuleBook) -> Self {
        Self {
            book,
            options: Options::default(),
            budget: BUDGET,
            memory: None,
            watch: None,
        }
    }

    /// The same with other options.
    #[must_use]
    pub const fn with(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// The same where a ruling may expand so many positions.
    #[must_use]
    pub const fn within(self, positions: u32) -> Self {
        Self {
            budget: positions,
            ..self
        }
    }

    /// The same under the book of a memory, which keeps the lines that are judged: one that comes again is not
    /// judged again.
    #[must_use]
    pub const fn remembering(self, memory: &'a Memory<'a>) -> Self {
        Self {
            book: memory.book,
            memory: Some(memory),
            ..self
        }
    }

    /// The same where the work may be called off: what it comes to then means nothing.
    #[must_use]
    pub const fn watched(self, watch: Option<&'a dyn Watch>) -> Self {
        Self { watch, ..self }
    }

    /// One piece of work, within its budget.
    fn work<T>(&self, ask: impl FnOnce(Sitting<'_>) -> T) -> T {
        let work = Work::within(self.budget, self.watch);
        ask(Sitting {
            arbiter: self,
            work: &work,
        })
    }

    /// The ruling due on a cycle when its position is pending.
    pub fn cycle(&self, cycle: Cycle) -> Ruling {
        let cycle = cycle.at_pending(self.book.definitions.pending_rule());
        let judged = self.line(cycle.start(), &cycle.line());
        Ruling::on_cycle(cycle, judged)
    }

    /// The ruling due after the last move of a game.
    pub fn game(&self, game: &Game, ordered: &[Order]) -> Ruling {
        self.work(|sitting| Ruling::on_game(sitting, game, ordered))
    }

    /// How often some position of a game must have stood for anything to be due in it, with these orders to change: who goes
    /// through many games can pass over the others.
    pub const fn least_occurrences(&self, ordered: &[Order]) -> u32 {
        Due::least_occurrences(&self.book.definitions, ordered)
    }

    /// Every moment of a game at which there may be something to rule on, in its order, with these orders to change.
    pub fn due(&self, game: &Game, ordered: &[Order]) -> Vec<Due> {
        Due::all(&self.book.definitions, game, ordered)
    }

    /// The ruling at such a moment; none where what was done over a long run binds nobody.
    pub fn when(&self, game: &Game, due: Due, ordered: &[Order]) -> Option<Ruling> {
        self.work(|sitting| Ruling::when(sitting, game, due, ordered))
    }

    /// Everything that was due in a game, in its order. What was ordered later changes nothing earlier.
    pub fn every<'g>(
        &self,
        game: &'g Game,
        ordered: &'g [Order],
    ) -> impl Iterator<Item = (Due, Ruling)> + use<'a, 'g> {
        let arbiter = *self;
        let due = arbiter.due(game, ordered).into_iter();
        due.filter_map(move |due| Some((due, arbiter.when(game, due, ordered)?)))
    }

    /// What would be ruled after each legal next move, one by one; nothing where the position after it is new, unless an order
    /// is overdue or the other side has repeated itself over a long run.
    pub fn next<'g>(
        &self,
        game: &'g Game,
        ordered: &'g [Order],
    ) -> impl Iterator<Item = (Move, Option<Ruling>)> + use<'a, 'g> {
        let arbiter = *self;
        let moves = game.position().legal_moves().to_vec();
        let definitions = &self.book.definitions;
        let may_be_overdue = definitions.irregular_rounds_after_warning > 0 && !ordered.is_empty();
        let may_be_bound = definitions.irregular_rounds > 0 && game.times_at(game.len()) > 1;
        moves.into_iter().map(move |mv| {
            let stood = game.times_stood(&game.position().after(mv)) > 0;
            let ruling = (stood || may_be_overdue || may_be_bound).then(|| {
                let mut longer = game.clone();
                longer.push(mv).ok()?;
                let ruling = arbiter.game(&longer, ordered);
                (stood || ruling.judged.is_some()).then_some(ruling)
            });
            (mv, ruling.flatten())
        })
    }

    /// A line that leads back to its start: every move against the one before it, the first against
    /// the last.
    pub fn line(&self, start: &Position, line: &[Move]) -> Judged {
        self.work(|sitting| sitting.judged(start, line))
    }

    /// What the last move of a game is, the one before it as its context.
    pub fn last_move(&self, game: &Game) -> Option<MoveJudged> {
        self.work(|Sitting { work, .. }| {
            let definitions = &self.book.definitions;
            let terms = Terms { definitions, work };
            let Options { depth, assertions } = self.options;
            let find = |scene: &Scene| Strikes::find(terms, scene, assertions, depth);
            let from = game.len().saturating_sub(2);
            let mut scenes = Scene::in_turn(game.position_at(from)?, game.moves().get(from..)?);
            let scene = scenes.pop()?;
            let before = scenes.last();
            let threat = before.map_or(MateThreat::None, |scene| find(scene).mate_threat());
            let finding = find(&scene).finish(terms, &scene, &threat, depth);
            Some(MoveJudged { scene, finding })
        })
    }

    /// The natural move limit after the last move of a game, claimed or not; none where the book has
    /// none.
    pub fn limit(&self, game: &Game, claim: Option<Claim>) -> Option<Audit> {
        Some(limit::audit(game, &self.book.limit()?, claim))
    }
}

/// An arbiter at one piece of work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sitting<'a> {
    pub(super) arbiter: &'a Arbiter<'a>,
    pub(super) work: &'a Work<'a>,
}

impl Sitting<'_> {
    /// What a line comes to that leads back to its start.
    pub(super) fn judged(self, start: &Position, line: &[Move]) -> Judged {
        let Arbiter { book, options, .. } = *self.arbiter;
        let judge = || judge_line(book, self.work, Line::around(start, line), options);
        match self.arbiter.memory {
            Some(memory) => memory.judged(self.arbiter, self.work, (start, line), judge),
            None => judge(),
        }
    }

    /// What the moves of a game between two plies come to, which need not lead back to where they began.
    pub(super) fn run(self, game: &Game, plies: Range<usize>) -> Option<Judged> {
        let Arbiter { book, options, .. } = *self.arbiter;
        let line = Line::between(game, plies)?;
        Some(judge_line(book, self.work, line, options))
    }

    /// The same found out with the least that tells which side is permitted, and without bearing on what is asked
    /// afterwards.
    pub(super) fn outcome(self, game: &Game, plies: Range<usize>) -> Option<Judged> {
        let Arbiter { book, options, .. } = *self.arbiter;
        let line = Line::between(game, plies)?;
        let depth = Depth::Outcome;
        let options = Options { depth, ..options };
        Some(
            self.work
                .aside(|work| judge_line(book, work, line, options)),
        )
    }
}
