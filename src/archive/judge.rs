//! The rulings due in one game: every position in which a cycle has become pending.

use super::canon::{Closed, Turned};
use super::input::{Entry, Record, of_fault};
use super::memory::{Memory, memory};
use super::row::{About, PlaceJson, Rejection, Row};
use crate::board::{BySide, Move, Position, Side};
use crate::classify::{Assertions, Depth, Nature};
use crate::game::{CycleSpan, Game, PendingUnit, RepetitionScan};
use crate::language::{Text, both};
use crate::record::{FaultKind, Record as GameRecord};
use crate::rules::{Catalog, LoadedBook, Situation};
use crate::ruling::{Arbiter, Due, Judged, Options, Order, Standing, Verdict};
use crate::wire::{BookRef, Kind, LONGEST_PERIOD, Prepared, Request, RequestError};
use quick_cache::Weighter;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A game with more pending positions is refused.
pub const MOST_PENDING: usize = 1000;

/// What a book makes of a line, without squares.
#[derive(Clone, Debug)]
struct Judgement {
    natures: Vec<Option<Nature>>,
    sides: Option<BySide<SideOf>>,
    verdict: Verdict,
    spent: u64,
}

/// What a side does over a line.
#[derive(Clone, Debug, Serialize)]
pub struct SideOf {
    /// `perpetual_chase` and the like; `None` where it is open.
    pub pattern: Option<String>,
    /// Forbidden or permitted.
    pub standing: Option<Standing>,
}

type Key = Box<[u8]>;

/// Lines judged in one game: a cycle that goes on is pending again with every move, whatever is remembered of others.
type Met = Vec<(Key, Arc<Judgement>)>;

#[derive(Clone, Debug)]
struct Bytewise;

impl Weighter<Key, Arc<Judgement>> for Bytewise {
    fn weight(&self, key: &Key, known: &Arc<Judgement>) -> u64 {
        (key.len() + 2 * known.natures.len() + 320) as u64
    }
}

/// Judges games under a book; used by all threads at once.
#[derive(Debug)]
pub struct Judge {
    book: Arc<LoadedBook>,
    catalog: &'static Catalog,
    known: Memory<Key, Arc<Judgement>, Bytewise>,
    asked: AtomicU64,
    judged: AtomicU64,
}

/// What one thread works with.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) scan: RepetitionScan,
    /// Time spent on pending positions.
    pub judging: Duration,
}

/// What was found in a game.
#[derive(Debug)]
pub struct Found {
    /// The game's name.
    pub id: Value,
    /// How many plies it has.
    pub plies: usize,
    /// Its pending positions in their order, or why there are none.
    pub rows: Result<Vec<Row>, Rejection>,
    /// What its record says about it.
    pub about: Option<Arc<About>>,
}

/// A game read through.
pub(super) struct Ready {
    pub(super) id: Value,
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    pub(super) request: Option<Box<Request>>,
    pub(super) about: Option<Arc<About>>,
}

impl Ready {
    pub(super) fn request(&self) -> Option<&Request> {
        self.request.as_deref()
    }

    /// The changes that were ordered in it.
    pub(super) fn ordered(&self) -> &[Order] {
        self.request().map_or(&[], |request| &request.ordered)
    }

    /// Whether it is but a cycle.
    pub(super) fn is_cycle(&self) -> bool {
        self.request().is_some_and(|r| r.kind == Kind::Cycle)
    }
}

impl Judge {
    /// One with room for so many bytes of rulings on cycles it has met.
    pub fn new(book: Arc<LoadedBook>, bytes: u64) -> Self {
        let entries = usize::try_from(bytes / 512).unwrap_or(usize::MAX).max(16);
        Self {
            book,
            catalog: Catalog::builtin(),
            known: memory(entries, bytes.max(1), Bytewise),
            asked: AtomicU64::new(0),
            judged: AtomicU64::new(0),
        }
    }

    /// How many lines were to be judged, and how many were not known already.
    pub fn lookups(&self) -> (u64, u64) {
        (
            self.asked.load(Ordering::Relaxed),
            self.judged.load(Ordering::Relaxed),
        )
    }

    /// The book of those games that name none.
    pub const fn book(&self) -> &Arc<LoadedBook> {
        &self.book
    }

    /// Judges what is pending in a game; nothing where the record is none.
    pub fn game(&self, record: &Record, scratch: &mut Scratch) -> Option<Found> {
        let rejected = |id: Value, error: RequestError| Found {
            rows: Err(record.rejected(id.clone(), error)),
            id,
            plies: 0,
            about: None,
        };
        let ready = match read(record) {
            Ok(ready) => ready,
            Err(Unread::Passed) => return None,
            Err(Unread::Bad(bad)) => return Some(rejected(bad.0, bad.1)),
        };
        let plies = ready.moves.len();
        Some(match self.rows(&ready, scratch) {
            Ok(rows) => Found {
                id: ready.id,
                plies,
                rows: Ok(rows),
                about: ready.about,
            },
            Err(error) => rejected(ready.id, error),
        })
    }

    /// The book a request asks for.
    fn book_of(&self, request: &Request) -> Result<Arc<LoadedBook>, RequestError> {
        match request.rules {
            None => Ok(Arc::clone(&self.book)),
            Some(_) => request.book(self.catalog),
        }
    }

    fn rows(&self, ready: &Ready, scratch: &mut Scratch) -> Result<Vec<Row>, RequestError> {
        let own;
        let loaded = match ready.request() {
            None => &self.book,
            Some(request) => {
                own = self.book_of(request)?;
                &own
            }
        };
        if ready.is_cycle() {
            let begun = Instant::now();
            let row = self.given_cycle(ready, loaded);
            scratch.judging += begun.elapsed();
            return row.map(|row| vec![row]);
        }
        let least = Arbiter::new(&loaded.book).least_occurrences(ready.ordered());
        if !repeats(&mut scratch.scan, &ready.start, &ready.moves, least) {
            return Ok(Vec::new());
        }
        let begun = Instant::now();
        let rows = self.repetitions(ready, loaded);
        scratch.judging += begun.elapsed();
        rows
    }

    fn given_cycle(&self, ready: &Ready, loaded: &Arc<LoadedBook>) -> Result<Row, RequestError> {
        let prepared = ready.request().map(Request::prepare).transpose()?;
        let Some(Prepared::Cycle(cycle)) = prepared else {
            return Err(too_much(
                "cycle_empty",
                both!("there is no cycle", "没有循环"),
            ));
        };
        let cycle = cycle.at_pending(loaded.book.definitions.pending_rule());
        let closed = Closed::new(cycle.start(), &cycle.unrolled(), true);
        let judged = self.judge(loaded, &closed, ready.request(), &mut Met::new());
        let moves = cycle.moves();
        Ok(row(
            ready,
            None,
            Some(cycle.span),
            cycle.start(),
            moves,
            0,
            &judged,
            loaded,
        ))
    }

    /// Every pending position of a game in which something stands again.
    fn repetitions(
        &self,
        ready: &Ready,
        loaded: &Arc<LoadedBook>,
    ) -> Result<Vec<Row>, RequestError> {
        let request = ready.request();
        let game = Game::with_legal(ready.start.clone(), &ready.moves);
        let (mut rows, mut met) = (Vec::new(), Met::new());
        for due in arbiter(loaded, request).due(&game, ready.ordered()) {
            let Some(span) = due.span else {
                rows.extend(long_run_row(ready, &game, due, loaded));
                continue;
            };
            if span.period > LONGEST_PERIOD {
                let (ply, period) = (due.after_ply, span.period);
                return Err(RequestError::at(
                    "period_too_long",
                    None,
                    both!(
                        "the cycle that ends with move {ply} takes {period} moves, at most {LONGEST_PERIOD} are judged",
                        "第{ply}着所止的循环有{period}着，最多裁{LONGEST_PERIOD}着"
                    ),
                ));
            }
            if rows.len() == MOST_PENDING {
                return Err(too_many_pending());
            }
            rows.push(self.pending(ready, &game, (due, span), loaded, &mut met));
        }
        Ok(rows)
    }

    fn pending(
        &self,
        ready: &Ready,
        game: &Game,
        (due, span): (Due, CycleSpan),
        loaded: &Arc<LoadedBook>,
        met: &mut Met,
    ) -> Row {
        let request = ready.request();
        let cycle = game.cycle(span);
        let ply = due.after_ply;
        let moves = cycle.moves();
        let orders = orders_before(ready, ply);
        let told = |judgement: &Judgement, skip| {
            row(
                ready,
                Some(ply),
                Some(span),
                cycle.start(),
                moves,
                skip,
                judgement,
                loaded,
            )
        };
        if !orders.is_empty() {
            // What was ordered in a game is its own.
            let ruling = arbiter(loaded, request).when(game, due, &orders);
            if let Some(judged) = ruling.and_then(|ruling| ruling.judged) {
                return told(&Judgement::of(&judged), judged.before_the_last(span));
            }
        }
        // Where not every way round was the same, conduct is what was done on all of them.
        if loaded.book.definitions.pending_unit == PendingUnit::Occurrences
            && !span.is_uniform()
            && let Some(start) = game.position_at(span.span_start_ply)
        {
            let closed = Closed::new(start, game.span_moves(span), false);
            let judgement = self.judge(loaded, &closed, request, met);
            return told(&judgement, closed.line.len().saturating_sub(span.period));
        }
        let closed = Closed::new(cycle.start(), &cycle.unrolled(), true);
        told(&self.judge(loaded, &closed, request, met), 0)
    }

    /// What the book makes of a line, from its canonical form.
    fn judge(
        &self,
        loaded: &Arc<LoadedBook>,
        closed: &Closed,
        request: Option<&Request>,
        met: &mut Met,
    ) -> Judgement {
        let (mut key, way) = closed.canonical();
        let options = options(request);
        let budget = request.and_then(|request| request.budget);
        if !Arc::ptr_eq(loaded, &self.book)
            || options.assertions != Assertions::default()
            || budget.is_some()
        {
            let asserted = options.assertions;
            let more = format!("{}|{budget:?}|{asserted:?}", loaded.digest);
            key = [&*key, more.as_bytes()].concat().into_boxed_slice();
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        if let Some((_, known)) = met.iter().rfind(|(line, _)| *line == key) {
            return known.given_back(way);
        }
        let fresh = || {
            self.judged.fetch_add(1, Ordering::Relaxed);
            let form = closed.in_form(way);
            let judged = arbiter(loaded, request).line(&form.start, &form.line);
            Ok::<_, std::convert::Infallible>(Arc::new(Judgement::of(&judged)))
        };
        let Ok(known) = self.known.get_or_insert_with(&key, fresh);
        let judgement = known.given_back(way);
        met.push((key, known));
        judgement
    }
}

/// A game in which too much is pending.
pub(super) fn too_many_pending() -> RequestError {
    RequestError::at(
        "too_many_pending",
        None,
        both!(
            "more than {MOST_PENDING} positions are pending",
            "待判局面超过{MOST_PENDING}个"
        ),
    )
}

fn too_much(code: &'static str, told: Text) -> RequestError {
    RequestError::at(code, "/moves".to_owned(), told)
}

/// Who judges by a book as the request asks, if there is one.
fn arbiter<'a>(loaded: &'a LoadedBook, request: Option<&'a Request>) -> Arbiter<'a> {
    let arbiter = match request {
        Some(request) => request.arbiter(&loaded.book),
        None => Arbiter::new(&loaded.book),
    };
    arbiter.with(options(request))
}

fn options(request: Option<&Request>) -> Options {
    Options {
        assertions: request
            .map(|request| request.assertions)
            .unwrap_or_default(),
        // Rows have no words.
        depth: Depth::Natures,
    }
}

/// Whether any position of a game has stood so often.
pub(super) fn repeats(
    scan: &mut RepetitionScan,
    start: &Position,
    moves: &[Move],
    least: u32,
) -> bool {
    scan.begin(start);
    moves.iter().any(|&mv| scan.push(mv) >= least)
}

impl Record {
    /// What is told of it where it cannot be judged.
    pub(super) fn rejected(&self, id: Value, error: RequestError) -> Rejection {
        let place = PlaceJson {
            file: self.file.to_string(),
            record: self.number,
            line: (self.line > 0).then_some(self.line),
        };
        Rejection { id, error, place }
    }
}

/// Why a game could not be read through.
pub(super) enum Unread {
    /// There is none: a heading in a library, or a file among others that is no record.
    Passed,
    /// What is wrong with it, and its name.
    Bad(Box<(Value, RequestError)>),
}

/// Reads a game through.
pub(super) fn read(record: &Record) -> Result<Ready, Unread> {
    let own = || Value::String(format!("{}#{}", record.file, record.number));
    let bad = |id, error| Unread::Bad(Box::new((id, error)));
    match &record.entry {
        Entry::Bad(error) => Err(bad(own(), error.clone())),
        Entry::Game(raw) => match raw.parse().and_then(GameRecord::whole) {
            Ok(game) => Ok(Ready {
                id: own(),
                about: About::of(&game).map(Arc::new),
                start: game.start,
                moves: game.moves,
                request: None,
            }),
            Err(fault) if fault.is_heading() => Err(Unread::Passed),
            Err(fault) if record.found && matches!(fault.kind, FaultKind::NoRecord(_)) => {
                Err(Unread::Passed)
            }
            Err(fault) => Err(bad(own(), of_fault(&fault))),
        },
        Entry::Line(text) => {
            let text = text.trim_start_matches('\u{feff}').trim();
            let request = Request::parse(text).map_err(|bad| {
                let id = if bad.id.is_null() { own() } else { bad.id };
                Unread::Bad(Box::new((id, bad.error)))
            })?;
            of_request(request, own).map_err(Unread::Bad)
        }
        #[cfg(feature = "parquet")]
        Entry::Row(row) => of_request(row.request(), own).map_err(Unread::Bad),
    }
}

fn of_request(
    request: Request,
    own: impl Fn() -> Value,
) -> Result<Ready, Box<(Value, RequestError)>> {
    let id = match &request.id {
        None | Some(Value::Null) => own(),
        Some(id) => id.clone(),
    };
    let line = request.line().and_then(|line| {
        request.check_orders(line.1.len())?;
        Ok(line)
    });
    match line {
        Ok((start, moves)) => Ok(Ready {
            id,
            start,
            moves,
            request: Some(Box::new(request)),
            about: None,
        }),
        Err(error) => Err(Box::new((id, error))),
    }
}

impl Judgement {
    fn of(judged: &Judged) -> Self {
        Self {
            natures: judged.moves.iter().map(|m| m.finding.nature).collect(),
            sides: judged
                .verdict
                .situation
                .is_none_or(|s| s != Situation::ConductNotJudged)
                .then(|| {
                    BySide::from_fn(|side| SideOf {
                        pattern: judged.sides[side].pattern.map(str::to_owned),
                        standing: judged.sides[side].standing,
                    })
                }),
            verdict: Verdict::clone(&judged.verdict),
            spent: judged.spent,
        }
    }

    /// What was found of the canonical form, told of the line it was made from.
    fn given_back(&self, way: Turned) -> Self {
        let length = self.natures.len();
        let mut natures = self.natures.clone();
        natures.rotate_right(if length == 0 { 0 } else { way.at % length });
        let mut verdict = self.verdict.clone();
        verdict.side = verdict.side.map(|side| way.side(side));
        for ply in &mut verdict.open {
            *ply = way.back(*ply, length);
        }
        verdict.open.sort_unstable();
        let sides = self
            .sides
            .clone()
            .map(|sides| BySide::from_fn(|side| sides[way.side(side)].clone()));
        Self {
            natures,
            sides,
            verdict,
            spent: self.spent,
        }
    }
}

/// What had been ordered in a game before a ply.
fn orders_before(ready: &Ready, ply: usize) -> Vec<Order> {
    let orders = ready.ordered().iter();
    orders.filter(|o| o.after_ply < ply).copied().collect()
}

/// A ruling due although no cycle has closed, after so many plies.
fn long_run_row(ready: &Ready, game: &Game, due: Due, loaded: &Arc<LoadedBook>) -> Option<Row> {
    let request = ready.request();
    let orders = orders_before(ready, due.after_ply);
    let ruling = arbiter(loaded, request).when(game, due, &orders)?;
    // Where an order was not kept there is a way round.
    let span = ruling.cycle.as_ref().map(|cycle| cycle.span);
    let judged = ruling.judged?;
    let start = judged.moves.first()?.scene.before.clone();
    let moves: Vec<Move> = judged.moves.iter().map(|m| m.scene.mv).collect();
    Some(row(
        ready,
        Some(due.after_ply),
        span,
        &start,
        &moves,
        0,
        &Judgement::of(&judged),
        loaded,
    ))
}

#[expect(
    clippy::too_many_arguments,
    reason = "a row is made of this in one place"
)]
fn row(
    ready: &Ready,
    ply: Option<usize>,
    span: Option<CycleSpan>,
    start: &Position,
    moves: &[Move],
    skip: usize,
    judgement: &Judgement,
    loaded: &LoadedBook,
) -> Row {
    let verdict = &judgement.verdict;
    let claimed = ready.request().is_none_or(|request| request.claimed);
    let earlier = |span: CycleSpan| {
        let last = span.end_ply().checked_sub(span.period)?;
        let ways = ready.moves.get(span.span_start_ply..last)?;
        (skip > 0).then(|| ways.to_vec())
    };
    Row {
        id: ready.id.clone(),
        about: ready.about.clone(),
        ply,
        span,
        fen: crate::notation::fen::write(start),
        moves: moves.to_vec(),
        earlier_moves: span.and_then(earlier).unwrap_or_default(),
        natures: judgement
            .natures
            .iter()
            .skip(skip)
            .take(moves.len())
            .copied()
            .collect(),
        sides: judgement.sides.clone(),
        outcome: verdict.outcome,
        side: verdict.side,
        clauses: verdict.cited(&loaded.book, claimed).to_vec(),
        open: verdict.open.clone(),
        rules: BookRef::of(loaded),
        spent: judgement.spent,
        next: ply.and_then(|ply| next_of(ready, ply)),
    }
}

/// What was played after so many plies, and by whom.
fn next_of(ready: &Ready, ply: usize) -> Option<(Side, Move)> {
    let &mv = ready.moves.get(ply)?;
    let first = ready.start.turn();
    let side = if ply.is_multiple_of(2) {
        first
    } else {
        first.opponent()
    };
    Some((side, mv))
}
