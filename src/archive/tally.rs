//! The counts of changes over an archive, and the cycles kept to be shown.

use super::row::Rejection;
use crate::board::Move;
use crate::classify::Assertions;
use crate::compare::{
    Archive, Ask, Both, Cause, Change, ChangeKind, Counted, Counts, Item, ItemError, Lever, Place,
    Reach, VerdictChange,
};
use crate::language::Text;
use crate::notation::fen;
use crate::rules::Outcome;
use crate::ruling::Order;
use crate::wire::{Kind, Prepared, Request, RequestError, SideJson};
use crate::written::plain;
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// So many changed cycles are told apart.
const MOST_CYCLES: usize = 100_000;
/// Games named of each, with the first place in it.
const PLACES: usize = 4;
/// Rejected games told in the report; all are counted.
const REJECTED: usize = 20;

/// What became of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    kind: ChangeKind,
    cause: Cause,
    outcomes: Both<Outcome>,
    conduct: String,
    pieces: usize,
}

/// A changed cycle as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Known {
    key: Vec<u8>,
    /// Its place among the causes.
    pub(super) cause: usize,
    kind: ChangeKind,
    outcomes: Both<Outcome>,
    /// What both sides do, whichever is which, as the base sees it.
    conduct: String,
    pieces: usize,
    pub(super) positions: u64,
    pub(super) games: u64,
    places: Vec<Place>,
    /// As it was first met: the position, the moves, whether they are a game, and what is asserted.
    fen: String,
    moves: Vec<String>,
    game: bool,
    ordered: Vec<Order>,
    request: Option<Request>,
}

/// A rejected game as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Bad {
    id: String,
    code: String,
    detail: String,
    detail_zh: String,
}

/// The counts of an archive so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    games: u64,
    judged: u64,
    rejected: u64,
    plies: u64,
    repeating: u64,
    changed_games: u64,
    pub(super) counts: Counts,
    pub(super) causes: Vec<Cause>,
    /// What is counted for each cause.
    pub(super) of_cause: Vec<Counts>,
    /// Games by the causes met in them, in their order.
    games_of: Vec<(Vec<usize>, u64)>,
    verdicts: Vec<VerdictChange>,
    /// The places of the known by their keys: what was read back is indexed first.
    #[serde(skip)]
    cycles: HashMap<Arc<[u8]>, usize>,
    known: Vec<Known>,
    more_cycles: bool,
    errors: Vec<Bad>,
}

/// A pending position of a game that the books rule otherwise.
pub(super) struct Met {
    pub(super) key: Arc<[u8]>,
    pub(super) changed: Arc<Changed>,
    pub(super) item: Item,
}

/// What a game came to.
pub(super) enum OfGame {
    Rejected(Rejection),
    Read {
        plies: usize,
        pending: usize,
        met: Vec<Met>,
    },
}

impl Changed {
    pub(super) fn of(change: &Change) -> Self {
        let sides = change.rulings.base.sides.as_ref();
        let name = |side: &SideJson| side.pattern.unwrap_or_default();
        let mut conduct =
            sides.map_or_else(Vec::new, |sides| vec![name(&sides.red), name(&sides.black)]);
        conduct.sort_unstable();
        Self {
            kind: change.kind,
            cause: change.cause.clone(),
            outcomes: Both {
                base: change.rulings.base.verdict.outcome,
                other: change.rulings.other.verdict.outcome,
            },
            conduct: conduct.join("+"),
            pieces: change.pieces,
        }
    }
}

/// How far apart two outcomes are.
fn weight(outcomes: Both<Outcome>) -> u8 {
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
            key,
            changed,
            mut item,
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
            key: key.to_vec(),
            cause,
            kind: changed.kind,
            outcomes: changed.outcomes,
            conduct: changed.conduct.clone(),
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
    pub(super) fn item(&self) -> Option<Item> {
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
        let mut item = Item::at(self.places.first()?.clone(), ask, request);
        item.places.clone_from(&self.places);
        Some(item)
    }
}

impl Tally {
    /// Finds the known by their keys again, after it was read back.
    pub(super) fn index(&mut self) {
        let keys = self.known.iter().map(|known| Arc::from(&*known.key));
        self.cycles = keys.zip(0..).collect();
    }

    pub(super) fn enter(&mut self, game: OfGame) {
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
                    self.errors.push(Bad {
                        id: format!("{}{at} {id}", place.file),
                        code: rejection.error.code.to_owned(),
                        detail: rejection.error.detail,
                        detail_zh: rejection.error.detail_zh,
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
        // A game counts once for its causes, and for each of its cycles and flips.
        let (mut causes, mut cycles, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
        for met in met {
            let cause = self.cause(&met.changed.cause);
            let (kind, outcomes) = (met.changed.kind, met.changed.outcomes);
            self.counts.add_many(Some(kind), 1);
            if kind != ChangeKind::Relabelled {
                self.verdict(outcomes, !verdicts.contains(&outcomes));
                verdicts.push(outcomes);
            }
            if let Some(counts) = self.of_cause.get_mut(cause) {
                counts.add_many(Some(kind), 1);
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
                if !cycles.contains(&at) {
                    known.games += 1;
                    let room = PLACES.saturating_sub(known.places.len());
                    known.places.extend(met.item.places.into_iter().take(room));
                }
            }
            cycles.push(at);
        }
        causes.sort_unstable();
        causes.dedup();
        if causes.is_empty() {
            return;
        }
        match self.games_of.iter_mut().find(|(of, _)| *of == causes) {
            Some((_, games)) => *games += 1,
            None => self.games_of.push((causes, 1)),
        }
    }

    fn cause(&mut self, cause: &Cause) -> usize {
        let at = self.causes.iter().position(|known| known == cause);
        at.unwrap_or_else(|| {
            self.causes.push(cause.clone());
            self.of_cause.push(Counts::default());
            self.causes.len() - 1
        })
    }

    pub(super) fn counted(&self, levers: Vec<Lever>, causes: &[usize]) -> Counted {
        let mut counts = Counts::default();
        for of in causes.iter().filter_map(|&at| self.of_cause.get(at)) {
            for kind in ChangeKind::ALL {
                counts.add_many(Some(kind), of.of(kind));
            }
        }
        let ours = |(of, _): &&(Vec<usize>, u64)| of.iter().any(|at| causes.contains(at));
        let games = self.games_of.iter().filter(ours).map(|(_, games)| games);
        let games = games.sum();
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

    /// The cycles of some causes that tell most, the most telling first: one of each flip before
    /// any second, then one of each conduct.
    pub(super) fn most_telling(&self, causes: &[usize], most: usize) -> Vec<&Known> {
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
        let (mut flips, mut conducts) = (HashSet::new(), HashSet::new());
        let mut ranked: Vec<(u8, &Known)> = Vec::new();
        for known in known {
            let flip = flips.insert((known.kind, known.outcomes));
            let conduct = conducts.insert((known.kind, known.outcomes, &known.conduct));
            ranked.push((2 - u8::from(flip) - u8::from(conduct), known));
        }
        ranked.sort_by_key(|&(rank, known)| (known.kind, rank));
        ranked
            .into_iter()
            .take(most)
            .map(|(_, known)| known)
            .collect()
    }

    fn verdict(&mut self, outcome: Both<Outcome>, first_of_game: bool) {
        let mut known = self.verdicts.iter();
        let at = known.position(|change| change.outcome == outcome);
        let at = at.unwrap_or_else(|| {
            self.verdicts.push(VerdictChange {
                outcome,
                positions: 0,
                games: 0,
            });
            self.verdicts.len() - 1
        });
        if let Some(change) = self.verdicts.get_mut(at) {
            change.positions += 1;
            change.games += u64::from(first_of_game);
        }
    }

    /// What is told of the archive as a whole.
    pub(super) fn archive(&self) -> Archive {
        let mut verdicts = self.verdicts.clone();
        verdicts.sort_by_key(|change| (std::cmp::Reverse(change.positions), change.outcome));
        Archive {
            games: self.games,
            judged: self.judged,
            rejected: self.rejected,
            plies: self.plies,
            repeating: self.repeating,
            reach: Reach {
                positions: (self.counts.total - self.counts.unchanged) as u64,
                games: self.changed_games,
                cycles: self.known.len() as u64,
            },
            more_cycles: self.more_cycles,
            verdicts,
        }
    }

    /// The first games that were rejected, by the reasons given.
    pub(super) fn errors(&self) -> Vec<ItemError> {
        let told = |bad: &Bad| ItemError {
            id: bad.id.clone(),
            // A few codes, told once: they were the program's own before they were read back.
            error: RequestError::at(
                Box::leak(bad.code.clone().into_boxed_str()),
                None,
                Text::new(bad.detail.as_str(), bad.detail_zh.as_str()),
            ),
        };
        self.errors.iter().map(told).collect()
    }

    /// Games read and games rejected.
    pub const fn games(&self) -> (u64, u64) {
        (self.games, self.rejected)
    }
}
