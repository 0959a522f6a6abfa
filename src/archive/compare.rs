//! What another book would have changed in every game of an archive.
//!
//! Pending positions are counted, and the cycles that are ruled otherwise kept, each once and at
//! most so many; what is shown of them in the end is chosen from these. The counts are made in the
//! order of the games, so that the report is the same for any number of threads.

use super::canon::Closed;
use super::input::{Position as At, Reader, Record};
use super::judge::{Ready, Scratch, Unread, read, repeats as repeats_at_all};
use super::memory::{Memory, memory};
use super::run::{OfBatch, Times, Watch, drive};
use super::tally::{Changed, Met, OfGame, Tally};
use crate::classify::Assertions;
use crate::compare::{
    Ask, Change, Comparer, Comparison, Counted, Item, Place, Reach, repeats, together,
};
use crate::game::{Cycle, Game};
use crate::rules::LoadedBook;
use crate::ruling::Arbiter;
use crate::wire::{Kind, Prepared, Request, RequestError};
use crate::written::plain;
use quick_cache::Weighter;
use std::cmp::Reverse;
use std::convert::identity;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Groups for which examples are drawn.
const DRAWN_GROUPS: usize = 12;

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
    known: Memory<Key, Judged, Bytewise>,
    asked: AtomicU64,
    judged: AtomicU64,
}

impl<'a> Comparing<'a> {
    /// For two books, with room for so many bytes of cycles met before.
    pub fn new(base: &'a LoadedBook, other: &'a LoadedBook, bytes: u64) -> Self {
        let entries = usize::try_from(bytes / 384).unwrap_or(usize::MAX).max(16);
        Self {
            comparer: Comparer::new(base, other),
            known: memory(entries, bytes.max(1), Bytewise),
            asked: AtomicU64::new(0),
            judged: AtomicU64::new(0),
        }
    }

    fn game(&self, record: &Record, scratch: &mut Scratch) -> Option<OfGame> {
        let ready = match read(record) {
            Ok(ready) => ready,
            Err(Unread::Passed) => return None,
            Err(Unread::Bad(bad)) => {
                return Some(OfGame::Rejected(record.rejected(bad.0, bad.1)));
            }
        };
        let plies = ready.moves.len();
        let [base, other] = self.comparer.books().map(|loaded| {
            let arbiter = Arbiter::new(&loaded.book);
            arbiter.least_occurrences(ready.ordered())
        });
        let least = base.min(other);
        if !ready.is_cycle()
            && !repeats_at_all(&mut scratch.scan, &ready.start, &ready.moves, least)
        {
            return Some(OfGame::Read {
                plies,
                pending: 0,
                met: Vec::new(),
            });
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
        Some(found.unwrap_or_else(|error| OfGame::Rejected(record.rejected(ready.id, error))))
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
            let place = Place { id, ply: None };
            return Ok(vec![Item::at(place, Ask::Cycle(cycle), request.clone())]);
        }
        let game = Game::with_moves(ready.start.clone(), ready.moves.iter().copied())
            .map_err(|bad| RequestError::at(bad.code(), None, bad.text()))?;
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
                let closed = Closed::new(cycle.start(), cycle.moves(), true);
                let (mut key, way) = closed.canonical();
                if asserted != (Assertions::default(), true) {
                    key = [&*key, format!("{asserted:?}").as_bytes()].concat().into();
                }
                let key: Key = key.into();
                let form = || {
                    let form = closed.in_form(way);
                    let cycle = Cycle::from_period(&form.start, &form.line).ok()?;
                    let ask = Ask::Cycle(cycle);
                    fresh(&Item::of(item.id.clone(), ask, request.clone()))
                };
                let known = self
                    .known
                    .get_or_insert_with(&key, || Ok::<_, std::convert::Infallible>(form()));
                let Ok(known) = known;
                (key, known)
            }
            Ask::Game(game, ordered) => {
                let closed = Closed::new(game.start(), game.moves(), false);
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
    /// What cannot be read, or a failure of `kept`, which is told after each batch what has been
    /// counted, how far the reader was, and of how many games.
    pub fn over(
        &self,
        reader: &mut Reader,
        threads: NonZeroUsize,
        tally: &mut Tally,
        mut kept: impl FnMut(&Tally, At, u64) -> io::Result<()>,
        watch: &mut dyn Watch,
    ) -> io::Result<Times> {
        tally.index();
        let sink = |(games, at, passed): OfBatch<Vec<OfGame>>| {
            for (file, fault) in &passed {
                watch.passed(file, fault);
            }
            let count = games.len() as u64;
            for game in games {
                if let OfGame::Rejected(rejection) = &game {
                    watch.rejected(rejection);
                }
                tally.enter(game);
            }
            watch.games(count);
            kept(tally, at, count)
        };
        let look = |record: &Record, scratch: &mut Scratch| self.game(record, scratch);
        let times = drive(reader, threads, look, identity, sink)?;
        Ok(Times {
            asked: self.asked.load(Ordering::Relaxed),
            judged: self.judged.load(Ordering::Relaxed),
            ..times
        })
    }

    /// The report, with at most so many examples under each heading.
    pub fn report(&self, tally: &Tally, samples: usize) -> Comparison {
        let causes = tally.causes.iter().zip(&tally.of_cause);
        let causes: Vec<_> = causes.map(|(cause, of)| (cause, of.total)).collect();
        let mut groups: Vec<(Counted, Vec<usize>)> = together(&causes)
            .into_iter()
            .map(|(levers, causes)| (tally.counted(levers, &causes), causes))
            .collect();
        groups.sort_by_key(|(counted, _)| Reverse(counted.counts.weight()));
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
        let (archive, errors) = (tally.archive(), tally.errors());
        self.comparer
            .report(archive, tally.counts, groups, changes, errors)
    }
}
