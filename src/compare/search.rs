//! A search through random cycles for the smallest positions on which two books rule differently.

use super::cause::{Aspect, Cause, Lever, Levers, decided};
use super::items::Item;
use super::random::{self, Dice};
use super::report::{Comparison, compare};
use crate::cases::spread;
use crate::classify::{Assertions, Depth};
use crate::game::Cycle;
use crate::rules::{LoadedBook, Outcome};
use crate::ruling::{Arbiter, Options};
use serde::Serialize;
use std::collections::BTreeMap;

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Search {
    /// How many random cycles.
    pub cycles: u64,
    /// The same seed gives the same cycles.
    pub seed: u64,
    /// The fewest pieces on the board, the kings among them.
    pub min_pieces: usize,
    /// The most.
    pub max_pieces: usize,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchReport {
    /// What was searched.
    pub search: Search,
    /// How many positions and moves made a cycle.
    pub judged: u64,
    /// On how many the books rule differently.
    pub differing: u64,
    /// The differences between the books that were found behind none.
    pub missing: Vec<Lever>,
    /// The smallest of them, one for each difference between the books that is found behind one.
    pub found: Comparison,
}

/// A cycle on which the books differ.
#[derive(Clone, Debug)]
struct Find {
    index: u64,
    cycle: Cycle,
}

/// Cycles are tried so many at a time.
const BATCH: u64 = 4096;
/// So many are asked for their cause at a time.
const CHUNK: usize = 64;
/// So many at most are asked.
const MOST_ASKED: usize = 4096;
/// So many of each cause are made smaller.
const KEPT: usize = 6;

impl Find {
    /// Fewest pieces first, then the shortest period.
    fn size(&self) -> (u32, usize, u64) {
        let pieces = self.cycle.start().pieces().len();
        (pieces, self.cycle.moves().len(), self.index)
    }
}

/// Whether both books decide, and not the same.
fn differ(base: &LoadedBook, other: &LoadedBook, cycle: &Cycle) -> bool {
    let options = Options {
        depth: Depth::Outcome,
        assertions: Assertions::default(),
    };
    let rule = |loaded: &LoadedBook| {
        decided(
            &Arbiter::new(&loaded.book)
                .with(options)
                .cycle(cycle.clone()),
        )
    };
    let (from, to) = (rule(base), rule(other));
    let open = |outcome| outcome == Outcome::Undetermined;
    from != to && !open(from.0) && !open(to.0)
}

/// Searches. `done` is told how many cycles more have been tried, from whatever thread.
pub fn search(
    base: &LoadedBook,
    other: &LoadedBook,
    what: Search,
    done: &(dyn Fn(u64) + Sync),
) -> SearchReport {
    let levers = Levers::between(&base.book, &other.book);
    let mut judged = 0;
    let mut finds: Vec<Find> = Vec::new();
    let mut differing = 0;
    let mut first = 0;
    while first < what.cycles && !levers.all().is_empty() {
        let next = what.cycles.min(first + BATCH);
        let batch: Vec<u64> = (first..next).collect();
        let tried: Vec<(bool, Option<Find>)> = spread(&batch, |&index| {
            let mut dice = Dice::new(what.seed, index);
            let cycle = random::cycle(&mut dice, what.min_pieces, what.max_pieces);
            let Some(cycle) = cycle else {
                return (false, None);
            };
            let find = differ(base, other, &cycle).then_some(Find { index, cycle });
            (true, find)
        });
        done(next - first);
        for (cycled, find) in tried {
            judged += u64::from(cycled);
            differing += u64::from(find.is_some());
            finds.extend(find);
        }
        // The smallest are enough.
        if finds.len() > 4 * MOST_ASKED {
            finds.sort_by_key(Find::size);
            finds.truncate(MOST_ASKED);
        }
        first = next;
    }
    finds.sort_by_key(Find::size);
    finds.truncate(MOST_ASKED);
    let smallest = smallest(base, other, &levers, &finds, what.min_pieces);
    let items: Vec<Item> = smallest
        .into_iter()
        .map(|find| Item::cycle(format!("search-{}-{}", what.seed, find.index), find.cycle))
        .collect();
    let found = compare(base, other, &items, Vec::new(), &|| ());
    let behind = |lever: &&Lever| {
        let mut changes = found.changes.iter();
        !changes.any(|change| change.cause.levers.contains(lever))
    };
    SearchReport {
        search: what,
        judged,
        differing,
        missing: levers.all().iter().filter(behind).cloned().collect(),
        found,
    }
}

/// The smallest position for each cause.
fn smallest(
    base: &LoadedBook,
    other: &LoadedBook,
    levers: &Levers<'_>,
    finds: &[Find],
    min_pieces: usize,
) -> Vec<Find> {
    let cause = |cycle: &Cycle| {
        let item = Item::cycle("", cycle.clone());
        levers.behind(
            &item,
            &item.ruling(&other.book, Depth::Outcome),
            Aspect::Decision,
        )
    };
    let mut kept: BTreeMap<Cause, Vec<Find>> = BTreeMap::new();
    for chunk in finds.chunks(CHUNK) {
        let causes: Vec<Cause> = spread(chunk, |find| cause(&find.cycle));
        for (find, cause) in chunk.iter().zip(causes) {
            let own = kept.entry(cause).or_default();
            if own.len() < KEPT {
                own.push(find.clone());
            }
        }
        let single = |lever| {
            kept.iter().any(|(cause, finds)| {
                cause.levers.len() == 1 && cause.levers.contains(lever) && finds.len() >= KEPT
            })
        };
        if levers.all().iter().all(single) {
            break;
        }
    }
    let shown = causes_shown(&kept);
    let candidates: Vec<(&Cause, &Find)> = kept
        .iter()
        .filter(|(cause, _)| shown.contains(cause))
        .flat_map(|(cause, finds)| finds.iter().map(move |find| (cause, find)))
        .collect();
    let shrunk: Vec<Find> = spread(&candidates, |(known, find)| {
        let keeps = |smaller: &Cycle| differ(base, other, smaller) && cause(smaller) == **known;
        shrink((*find).clone(), min_pieces, keeps)
    });
    let mut best: BTreeMap<&Cause, Find> = BTreeMap::new();
    for ((cause, _), find) in candidates.iter().zip(shrunk) {
        let smaller = best
            .get(cause)
            .is_none_or(|known| find.size() < known.size());
        if smaller {
            best.insert(cause, find);
        }
    }
    let mut found: Vec<Find> = best.into_values().collect();
    found.sort_by_key(Find::size);
    found
}

/// One for each single difference; those that several bring about only where one of these is not
/// shown by itself.
fn causes_shown(kept: &BTreeMap<Cause, Vec<Find>>) -> Vec<&Cause> {
    let mut causes: Vec<&Cause> = kept.keys().collect();
    causes.sort_by_key(|cause| {
        let size = kept
            .get(cause)
            .and_then(|finds| finds.first())
            .map(Find::size);
        (cause.levers.len(), size)
    });
    let mut covered = Vec::new();
    let mut shown = Vec::new();
    for cause in causes {
        if cause.levers.iter().any(|lever| !covered.contains(&lever)) {
            covered.extend(&cause.levers);
            shown.push(cause);
        }
    }
    shown
}

/// Takes away one piece after the other for as long as the books differ for the same cause.
fn shrink(mut find: Find, min_pieces: usize, keeps: impl Fn(&Cycle) -> bool) -> Find {
    loop {
        let pieces = find.cycle.start().pieces().len() as usize;
        if pieces <= min_pieces {
            return find;
        }
        let setup = find.cycle.start().setup();
        let fewer = setup
            .pieces()
            .filter_map(|(square, _)| random::without(&find.cycle, square))
            .find(|smaller| keeps(smaller));
        match fewer {
            Some(cycle) => find.cycle = cycle,
            None => return find,
        }
    }
}
