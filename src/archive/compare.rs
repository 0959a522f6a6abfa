//! What another book would have changed in every game of an archive.
//!
//! Pending positions are counted, and the cycles that are ruled otherwise kept, each once and at
//! most so many; what is shown of them in the end is chosen from these. The counts are made in the
//! order of the games, so that the report is the same for any number of threads.

use super::canon::Closed;
use super::input::{Batch, Reader};
use super::judge::{Ready, Scratch, read, repeats as repeats_at_all};
use super::pipeline::{self, Busy};
use super::row::{Rejection, plain};
use super::run::{Clock, Times, Watch};
use crate::board::Move;
use crate::classify::Assertions;
use crate::compare::{
    Archive, Ask, BothOutcomes, Cause, Change, ChangeKind, Comparer, Comparison, Counted, Counts,
    Item, ItemError, Place, Reach, VerdictChange, repeats, together,
};
use crate::game::{Cycle, Game};
use crate::notation::fen;
use crate::rules::{LoadedBook, Outcome};
use crate::ruling::Order;
use crate::wire::{Kind, Prepared, Request, RequestError};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// So many changed cycles are told apart.
const MOST_CYCLES: usize = 100_000;
/// Places kept of each.
const PLACES: usize = 4;
/// Rejected games told in the report; all are counted.
const REJECTED: usize = 20;
/// Groups for which examples are drawn.
const DRAWN_GROUPS: usize = 12;

/// What became of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Changed {
    kind: ChangeKind,
    cause: Cause,
    outcomes: BothOutcomes,
    pieces: usize,
}

/// A changed cycle as it is kept.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    /// Its place among the causes.
    cause: usize,
    kind: ChangeKind,
    outcomes: BothOutcomes,
    pieces: usize,
    positions: u64,
    games: u64,
    places: Vec<Place>,
    /// As it was first met: the position, the moves, whether they are a game, and what is asserted.
    fen: String,
    moves: Vec<String>,
    game: bool,
    ordered: Vec<Order>,
    request: Option<Request>,
}

/// The counts of an archive so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    games: u64,
    judged: u64,
    rejected: u64,
    plies: u64,
    repeating: u64,
    changed_games: u64,
    counts: Counts,
    causes: Vec<Cause>,
    of_cause: Vec<OfCause>,
    verdicts: BTreeMap<BothOutcomes, u64>,
    cycles: HashMap<Arc<[u8]>, usize>,
    known: Vec<Known>,
    more_cycles: bool,
    errors: Vec<ItemError>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OfCause {
    counts: Counts,
    games: u64,
}

type Key = Arc<[u8]>;
type Judged = Option<Arc<Changed>>;

#[derive(Clone, Debug)]
struct Bytewise;

impl Weighter<Key, Judged> for Bytewise {
    fn weight(&self, key: &Key, changed: &Judged) -> u64 {
        (key.len() + 128 + changed.as_ref().map_or(0, |_| 256)) as u64
    }
}

/// Sets two books against each other over archives.
#[derive(Debug)]
pub struct Comparing<'a> {
    comparer: Comparer<'a>,
    known: Cache<Key, Judged, Bytewise>,
    asked: AtomicU64,
    judged: AtomicU64,
    least: u32,
}

/// A pending position of a game that the books rule otherwise.
struct Met {
    key: Key,
    changed: Arc<Changed>,
    item: Item,
}

/// What a game came to.
enum OfGame {
    Rejected(Rejection),
    Read {
        plies: usize,
        pending: usize,
        met: Vec<Met>,
    },
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl<'a> Comparing<'a> {
    /// For two books, with room for so many bytes of cycles met before.
    pub fn new(base: &'a LoadedBook, other: &'a LoadedBook, bytes: u64) -> Self {
        let least = [base, other].map(|loaded| {
            let definitions = &loaded.book.definitions;
            if definitions.irregular_rounds > 0 {
                2
            } else {
                definitions.pending_rule().least_occurrences()
            }
        });
        let entries = usize::try_from(bytes / 384).unwrap_or(usize::MAX).max(16);
        Self {
            comparer: Comparer::new(base, other),
            known: Cache::with_weighter(entries, bytes.max(1), Bytewise),
            asked: AtomicU64::new(0),
            judged: AtomicU64::new(0),
            least: least.into_iter().min().unwrap_or(2),
        }
    }

    fn game(&self, file: &str, record: &super::input::Record, scratch: &mut Scratch) -> OfGame {
        let ready = match read(file, record) {
            Ok(ready) => ready,
            Err(bad) => return OfGame::Rejected(record.rejected(file, bad.0, bad.1)),
        };
        let plies = ready.moves.len();
        let is_cycle = ready
            .request
            .as_ref()
            .is_some_and(|r| r.kind == Kind::Cycle);
        if !is_cycle && !repeats_at_all(&mut scratch.scan, &ready.start, &ready.moves, self.least) {
            return OfGame::Read {
                plies,
                pending: 0,
                met: Vec::new(),
            };
        }
        let begun = Instant::now();
        let items = self.items(&ready);
        let found = items.map(|items| {
            let pending = items.len();
            let met = items
                .into_iter()
                .filter_map(|item| self.met(item))
                .collect();
            OfGame::Read {
                plies,
                pending,
                met,
            }
        });
        scratch.judging += begun.elapsed();
        found.unwrap_or_else(|error| OfGame::Rejected(record.rejected(file, ready.id, error)))
    }

    /// What repeats in a game.
    fn items(&self, ready: &Ready) -> Result<Vec<Item>, RequestError> {
        let id = plain(&ready.id);
        let plain;
        let request = if let Some(request) = ready.request.as_deref() {
            request
        } else {
            let mut game = Request::cycle("", Vec::new());
            game.kind = Kind::Game;
            plain = game;
            &plain
        };
        if request.kind == Kind::Cycle {
            let Prepared::Cycle(cycle) = request.prepare()? else {
                return Ok(Vec::new());
            };
            let mut item = Item::of(id.clone(), Ask::Cycle(cycle), request.clone());
            item.places.push(Place { id, ply: None });
            return Ok(vec![item]);
        }
        let game = Game::with_moves(ready.start.clone(), ready.moves.iter().copied())
            .map_err(|bad| RequestError::at(bad.code(), None, bad.to_string(), bad.zh()))?;
        let mut own = request.clone();
        own.moves = Vec::new();
        let items = repeats(self.comparer.books(), &id, &game, &own);
        if items.len() > super::judge::MOST_PENDING {
            return Err(super::judge::too_many_pending());
        }
        Ok(items)
    }

    /// The item, where the books do not make the same of it.
    fn met(&self, item: Item) -> Option<Met> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let fresh = |item: &Item| {
            self.judged.fetch_add(1, Ordering::Relaxed);
            self.comparer
                .change(item)
                .map(|change| Arc::new(Changed::of(&change)))
        };
        let request = item.request();
        let asserted = (request.assertions, request.claimed);
        let (key, changed): (Key, Judged) = match &item.ask {
            Ask::Cycle(cycle) => {
                let closed = Closed {
                    start: cycle.start().clone(),
                    line: cycle.moves().to_vec(),
                    turns: true,
                };
                let (mut key, way) = closed.canonical();
                if asserted != (Assertions::default(), true) {
                    key = [&*key, format!("{asserted:?}").as_bytes()].concat().into();
                }
                let key: Key = key.into();
                let form = || {
                    let form = closed.in_form(way);
                    let cycle = Cycle::from_period(&form.start, &form.line).ok()?;
                    let ask = Ask::Cycle(Box::new(cycle));
                    fresh(&Item::of(item.id.clone(), ask, request.clone()))
                };
                let known = self
                    .known
                    .get_or_insert_with(&key, || Ok::<_, std::convert::Infallible>(form()));
                let Ok(known) = known;
                (key, known)
            }
            Ask::Game(game, ordered) => {
                let closed = Closed {
                    start: game.start().clone(),
                    line: game.moves().to_vec(),
                    turns: false,
                };
                let (key, _) = closed.canonical();
                let key = [&*key, format!("{ordered:?}{asserted:?}").as_bytes()].concat();
                (key.into(), fresh(&item))
            }
        };
        changed.map(|changed| Met { key, changed, item })
    }

    /// Looks through everything a reader gives.
    ///
    /// # Errors
    /// What cannot be read; what was counted before stands in the tally.
    pub fn over(
        &self,
        reader: &mut Reader,
        threads: NonZeroUsize,
        tally: &mut Tally,
        watch: &mut dyn Watch,
    ) -> io::Result<Times> {
        let (scan, judge) = (Clock::default(), Clock::default());
        let work = |batch: Batch| {
            SCRATCH.with_borrow_mut(|scratch| {
                scratch.judging = Duration::ZERO;
                let begun = Instant::now();
                let games = batch.records.iter();
                let games = games
                    .map(|record| self.game(&batch.file, record, scratch))
                    .collect();
                judge.add(scratch.judging);
                scan.add(begun.elapsed().saturating_sub(scratch.judging));
                games
            })
        };
        let begun = Instant::now();
        let Busy { reading, writing } = pipeline::run(
            threads,
            || reader.next_batch(),
            work,
            |games: Vec<OfGame>| {
                let count = games.len() as u64;
                for game in games {
                    if let OfGame::Rejected(rejection) = &game {
                        watch.rejected(rejection);
                    }
                    tally.enter(game);
                }
                watch.games(count);
                Ok(())
            },
        )?;
        Ok(Times {
            elapsed: begun.elapsed().as_secs_f64(),
            read: reading.as_secs_f64(),
            scan: scan.seconds(),
            judge: judge.seconds(),
            format: 0.0,
            write: writing.as_secs_f64(),
            asked: self.asked.load(Ordering::Relaxed),
            judged: self.judged.load(Ordering::Relaxed),
        })
    }

    /// The report, with at most so many examples under each heading.
    pub fn report(&self, tally: &Tally, samples: usize) -> Comparison {
        let causes = tally.causes.iter().zip(&tally.of_cause);
        let causes: Vec<_> = causes.map(|(cause, of)| (cause, of.counts.total)).collect();
        let mut groups: Vec<(Counted, Vec<usize>)> = together(&causes)
            .into_iter()
            .map(|(levers, causes)| (tally.counted(levers, &causes), causes))
            .collect();
        groups.sort_by_key(|(counted, _)| {
            let counts = counted.counts;
            let weighty = counts.flipped + counts.undetermined + counts.determined;
            std::cmp::Reverse((weighty, counts.relabelled))
        });
        let mut changes: Vec<Change> = Vec::new();
        for (counted, causes) in groups.iter_mut().take(DRAWN_GROUPS) {
            for known in tally.most_telling(causes, samples) {
                let Some(mut change) = known.item().and_then(|item| self.comparer.change(&item))
                else {
                    continue;
                };
                change.reach = Some(Reach {
                    positions: known.positions,
                    games: known.games,
                    cycles: 1,
                });
                if let Some(cause) = tally.causes.get(known.cause) {
                    change.cause = cause.clone();
                }
                counted.shown.push(changes.len());
                changes.push(change);
            }
        }
        let groups = groups.into_iter().map(|(counted, _)| counted).collect();
        let archive = Archive {
            games: tally.games,
            judged: tally.judged,
            rejected: tally.rejected,
            plies: tally.plies,
            repeating: tally.repeating,
            reach: Reach {
                positions: (tally.counts.total - tally.counts.unchanged) as u64,
                games: tally.changed_games,
                cycles: tally.known.len() as u64,
            },
            more_cycles: tally.more_cycles,
            verdicts: tally.verdicts(),
        };
        let errors = tally.errors.clone();
        self.comparer
            .report(archive, tally.counts, groups, changes, errors)
    }
}

impl Changed {
    fn of(change: &Change) -> Self {
        Self {
            kind: change.kind,
            cause: change.cause.clone(),
            outcomes: BothOutcomes {
                base: change.rulings.base.verdict.outcome,
                other: change.rulings.other.verdict.outcome,
            },
            pieces: change.pieces,
        }
    }
}

/// How far apart two outcomes are.
fn weight(outcomes: BothOutcomes) -> u8 {
    let rank = |outcome| match outcome {
        Outcome::Loss => 3,
        Outcome::MustChange => 2,
        Outcome::Draw => 0,
        Outcome::None | Outcome::Undetermined => 1,
    };
    let (from, to): (u8, u8) = (rank(outcomes.base), rank(outcomes.other));
    from.abs_diff(to)
}

impl Known {
    fn new(cause: usize, met: Met) -> Self {
        let Met {
            changed, mut item, ..
        } = met;
        let (start, moves, ordered): (_, &[Move], _) = match &item.ask {
            Ask::Cycle(cycle) => (cycle.start(), cycle.moves(), Vec::new()),
            Ask::Game(game, ordered) => (game.start(), game.moves(), ordered.clone()),
        };
        let (fen, moves) = (
            fen::write(start),
            moves.iter().map(ToString::to_string).collect(),
        );
        let request = item.request();
        let plain = request.assertions == Assertions::default() && request.claimed;
        let request = (!plain).then(|| request.clone());
        item.places.truncate(PLACES);
        Self {
            cause,
            kind: changed.kind,
            outcomes: changed.outcomes,
            pieces: changed.pieces,
            positions: 0,
            games: 0,
            fen,
            moves,
            game: matches!(item.ask, Ask::Game(..)),
            ordered,
            request,
            places: item.places,
        }
    }

    /// The cycle as it was met first.
    fn item(&self) -> Option<Item> {
        let mut request = self
            .request
            .clone()
            .unwrap_or_else(|| Request::cycle("", Vec::new()));
        request.fen = Some(self.fen.clone());
        request.moves.clone_from(&self.moves);
        request.kind = if self.game { Kind::Game } else { Kind::Cycle };
        let ask = match request.prepare().ok()? {
            Prepared::Cycle(cycle) => Ask::Cycle(cycle),
            Prepared::Game(game) => Ask::Game(game, self.ordered.clone()),
        };
        let place = self.places.first()?;
        let name = match place.ply {
            Some(ply) => format!("{}@{ply}", place.id),
            None => place.id.clone(),
        };
        let mut item = Item::of(name, ask, request);
        item.places.clone_from(&self.places);
        Some(item)
    }
}

impl Tally {
    fn enter(&mut self, game: OfGame) {
        self.games += 1;
        let (plies, pending, met) = match game {
            OfGame::Rejected(rejection) => {
                self.rejected += 1;
                self.counts.errors += 1;
                if self.errors.len() < REJECTED {
                    let place = &rejection.place;
                    let at = place
                        .line
                        .map(|line| format!(":{line}"))
                        .unwrap_or_default();
                    let id = plain(&rejection.id);
                    self.errors.push(ItemError {
                        id: format!("{}{at} {id}", place.file),
                        error: rejection.error,
                    });
                }
                return;
            }
            OfGame::Read {
                plies,
                pending,
                met,
            } => (plies, pending, met),
        };
        self.judged += 1;
        self.plies += plies as u64;
        self.repeating += u64::from(pending > 0);
        self.changed_games += u64::from(!met.is_empty());
        self.counts.add_many(None, pending - met.len());
        // A game counts once for each of its causes and cycles.
        let (mut causes, mut cycles) = (Vec::new(), Vec::new());
        for met in met {
            let cause = self.cause(&met.changed.cause);
            let (kind, outcomes) = (met.changed.kind, met.changed.outcomes);
            self.counts.add_many(Some(kind), 1);
            if kind != ChangeKind::Relabelled {
                *self.verdicts.entry(outcomes).or_default() += 1;
            }
            if let Some(of) = self.of_cause.get_mut(cause) {
                of.counts.add_many(Some(kind), 1);
                of.games += u64::from(!causes.contains(&cause));
            }
            causes.push(cause);
            let full = self.known.len() >= MOST_CYCLES;
            let at = match self.cycles.entry(Arc::clone(&met.key)) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(_) if full => {
                    self.more_cycles = true;
                    continue;
                }
                Entry::Vacant(free) => {
                    let at = *free.insert(self.known.len());
                    let mut known = Known::new(cause, met);
                    known.positions = 1;
                    known.games = 1;
                    self.known.push(known);
                    cycles.push(at);
                    continue;
                }
            };
            if let Some(known) = self.known.get_mut(at) {
                known.positions += 1;
                known.games += u64::from(!cycles.contains(&at));
                let room = PLACES.saturating_sub(known.places.len());
                known.places.extend(met.item.places.into_iter().take(room));
            }
            cycles.push(at);
        }
    }

    fn cause(&mut self, cause: &Cause) -> usize {
        let at = self.causes.iter().position(|known| known == cause);
        at.unwrap_or_else(|| {
            self.causes.push(cause.clone());
            self.of_cause.push(OfCause::default());
            self.causes.len() - 1
        })
    }

    fn counted(&self, levers: Vec<crate::compare::Lever>, causes: &[usize]) -> Counted {
        let mut counts = Counts::default();
        let mut games = 0;
        for of in causes.iter().filter_map(|&at| self.of_cause.get(at)) {
            for kind in ChangeKind::ALL {
                counts.add_many(Some(kind), of.counts.of(kind));
            }
            games += of.games;
        }
        let cycles = self
            .known
            .iter()
            .filter(|known| causes.contains(&known.cause));
        let reach = Reach {
            positions: counts.total as u64,
            games,
            cycles: cycles.count() as u64,
        };
        Counted {
            levers,
            counts,
            reach,
            shown: Vec::new(),
        }
    }

    /// The cycles of some causes that tell most, the most telling first.
    fn most_telling(&self, causes: &[usize], most: usize) -> Vec<&Known> {
        let of_them = self
            .known
            .iter()
            .filter(|known| causes.contains(&known.cause));
        let mut known: Vec<&Known> = of_them.collect();
        known.sort_by_key(|known| {
            (
                known.kind,
                std::cmp::Reverse((weight(known.outcomes), known.games)),
                known.pieces,
                known.moves.len(),
            )
        });
        known.truncate(most);
        known
    }

    fn verdicts(&self) -> Vec<VerdictChange> {
        let mut verdicts: Vec<VerdictChange> = self
            .verdicts
            .iter()
            .map(|(&outcome, &positions)| VerdictChange { outcome, positions })
            .collect();
        verdicts.sort_by_key(|change| std::cmp::Reverse(change.positions));
        verdicts
    }

    /// Whether the counts add up.
    pub const fn adds_up(&self) -> bool {
        let counts = self.counts;
        let changed = counts.flipped + counts.undetermined + counts.determined + counts.relabelled;
        self.games == self.judged + self.rejected && counts.total == counts.unchanged + changed
    }

    /// Games read and games rejected.
    pub const fn games(&self) -> (u64, u64) {
        (self.games, self.rejected)
    }
}
