//! The repetitions in games: every pending position, equal cycles once.

use super::items::{Ask, Item, ItemError, Place};
use crate::board::Move;
use crate::cases::{Case, spread};
use crate::classify::Depth;
use crate::game::{CycleSpan, Game, PendingUnit};
use crate::language::both;
use crate::notation::fen;
use crate::record::{Form, Reader, Record};
use crate::rules::LoadedBook;
use crate::ruling::{Due, Order};
use crate::wire::{Prepared, Request, RequestError, Watched};
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufRead, Read};

/// Games are looked through so many at a time.
const BATCH: usize = 512;
/// A line with more bytes is no request.
const LONGEST_LINE: usize = 1 << 20;

/// Gathers what is compared: cases, and what repeats in games read one after the other.
#[derive(Debug)]
pub struct Gatherer<'a> {
    books: [&'a LoadedBook; 2],
    items: Vec<Item>,
    errors: Vec<ItemError>,
    known: HashMap<String, usize>,
    waiting: Vec<(String, Request, Prepared)>,
    games: usize,
    watch: Watched,
}

/// What is compared.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The cases, and every cycle of a game that comes to be pending under one of the books, once.
    pub items: Vec<Item>,
    /// What could not be read.
    pub errors: Vec<ItemError>,
    /// How many games and cycles were read.
    pub games: usize,
}

/// A repetition found in a game.
struct Found {
    key: String,
    item: Item,
}

impl<'a> Gatherer<'a> {
    /// One that looks for what is pending under either of two books.
    pub fn new(base: &'a LoadedBook, other: &'a LoadedBook) -> Self {
        Self {
            books: [base, other],
            items: Vec::new(),
            errors: Vec::new(),
            known: HashMap::new(),
            waiting: Vec::new(),
            games: 0,
            watch: Watched::default(),
        }
    }

    /// The same where the work for what is gathered from now on may be called off.
    #[must_use]
    pub fn watched(self, watch: Watched) -> Self {
        Self { watch, ..self }
    }

    /// Takes cases, before any game.
    pub fn cases<'c>(&mut self, cases: impl IntoIterator<Item = &'c Case>) {
        for case in cases {
            match Item::of_case(case) {
                Ok(mut item) => {
                    item.request.watch = self.watch.clone();
                    self.items.push(item);
                }
                Err(error) => self.errors.push(*error),
            }
        }
    }

    /// Reads a file: requests, or game records of any form. `name` is what
    /// its games go by where they have no name of their own.
    ///
    /// # Errors
    /// A failure of the file; what is wrong with single games is kept for the report.
    pub fn read(&mut self, name: &str, input: &mut dyn BufRead) -> io::Result<()> {
        let start = input.fill_buf()?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        let first = start.iter().copied().find(|b| !b.is_ascii_whitespace());
        match first {
            None => Ok(()),
            Some(b'{') if !matches!(Form::of(start), Ok(Form::Rows)) => self.lines(name, input),
            Some(_) => {
                self.records(name, input);
                Ok(())
            }
        }
    }

    fn lines(&mut self, name: &str, input: &mut dyn BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        let mut number = 0u64;
        loop {
            line.clear();
            let most = LONGEST_LINE as u64;
            if (&mut *input).take(most).read_until(b'\n', &mut line)? == 0 {
                self.look();
                return Ok(());
            }
            number += 1;
            let own = format!("{name}#{number}");
            if line.len() == LONGEST_LINE && !line.ends_with(b"\n") {
                input.skip_until(b'\n')?;
                self.bad(
                    own,
                    RequestError::at(
                        "line_too_long",
                        None,
                        both!(
                            "the line has more than {LONGEST_LINE} bytes",
                            "此行超过{LONGEST_LINE}字节"
                        ),
                    ),
                );
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() {
                continue;
            }
            match Request::parse(text) {
                Ok(request) => self.request(own, request),
                Err(bad) => self.bad(named(Some(&bad.id), own), bad.error),
            }
        }
    }

    fn records(&mut self, name: &str, input: &mut dyn BufRead) {
        for (number, record) in (1u64..).zip(Reader::new(input)) {
            let own = format!("{name}#{number}");
            match record.and_then(Record::whole) {
                Ok(record) => self.record(own, &record),
                Err(error) if error.is_heading() => {}
                Err(error) => {
                    let told = RequestError::at(error.code(), None, error.text());
                    self.bad(own, told);
                }
            }
        }
        self.look();
    }

    fn record(&mut self, id: String, record: &Record) {
        let mut request = Request::cycle(&fen::write(&record.start), Vec::new());
        request.kind = crate::wire::Kind::Game;
        match Game::with_moves(record.start.clone(), record.moves.iter().copied()) {
            Ok(game) => self.put(id, request, Prepared::Game(Box::new(game))),
            Err(illegal) => {
                let told = RequestError::at(illegal.code(), None, illegal.text());
                self.bad(id, told);
            }
        }
    }

    fn bad(&mut self, id: String, error: RequestError) {
        self.games += 1;
        self.errors.push(ItemError { id, error });
    }

    /// Takes a request, whatever book it names; `own` is its name where it has none.
    pub fn request(&mut self, own: String, request: Request) {
        let id = named(request.id.as_ref(), own);
        match request.prepare() {
            Ok(prepared) => self.put(id, request, prepared),
            Err(error) => self.bad(id, error),
        }
    }

    fn put(&mut self, id: String, mut request: Request, prepared: Prepared) {
        self.games += 1;
        request.watch = self.watch.clone();
        self.waiting.push((id, request, prepared));
        if self.waiting.len() >= BATCH {
            self.look();
        }
    }

    /// Looks through the games that wait.
    fn look(&mut self) {
        let books = self.books;
        let waiting = std::mem::take(&mut self.waiting);
        let found: Vec<Vec<Found>> = spread(&waiting, |(id, request, prepared)| match prepared {
            Prepared::Cycle(cycle) => {
                let place = Place {
                    id: id.clone(),
                    ply: None,
                };
                let ask = Ask::Cycle(cycle.clone());
                let key = cycle_key(cycle.start(), cycle.moves(), request);
                vec![Found::new(key, place, ask, request)]
            }
            Prepared::Game(game) => repetitions(books, id, game, request),
        });
        for Found { key, item } in found.into_iter().flatten() {
            match self.known.entry(key) {
                Entry::Occupied(known) => {
                    if let Some(first) = self.items.get_mut(*known.get()) {
                        first.places.extend(item.places);
                    }
                }
                Entry::Vacant(free) => {
                    free.insert(self.items.len());
                    self.items.push(item);
                }
            }
        }
    }

    /// Everything found.
    pub fn finish(mut self) -> Gathered {
        self.look();
        Gathered {
            items: self.items,
            errors: self.errors,
            games: self.games,
        }
    }
}

/// The caller's name of a request, or its own.
fn named(id: Option<&Value>, own: String) -> String {
    match id {
        Some(Value::String(id)) if !id.is_empty() => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => own,
    }
}

impl Found {
    fn new(key: String, place: Place, ask: Ask, request: &Request) -> Self {
        let item = Item::at(place, ask, request.clone());
        Self { key, item }
    }
}

/// The same for a cycle wherever in it one begins.
fn cycle_key(start: &crate::board::Position, moves: &[Move], request: &Request) -> String {
    let mut position = start.clone();
    let mut keys = Vec::with_capacity(moves.len());
    for &mv in moves {
        keys.push((position.key(), position.clone()));
        position.make(mv);
    }
    // The position with the least key comes first; equal keys are told apart by the moves.
    let least = keys.iter().map(|(key, _)| *key).min();
    let rotation = |at: usize| -> Option<(String, Vec<Move>)> {
        let (front, back) = moves.split_at_checked(at)?;
        let (_, position) = keys.get(at)?;
        Some((fen::write(position), [back, front].concat()))
    };
    let starts = keys
        .iter()
        .enumerate()
        .filter(|(_, (key, _))| Some(*key) == least)
        .map(|(at, _)| at);
    let first = starts.filter_map(rotation).min();
    format!("{first:?} {:?} {}", request.assertions, request.claimed)
}

/// The same for a game whatever it is called.
fn whole_key(game: &Game, request: &Request) -> String {
    let (start, moves) = (fen::write(game.start()), game.moves());
    format!(
        "{start} {moves:?} {:?} {}",
        request.assertions, request.claimed
    )
}

/// Every repetition in a game to be put to both books, each with its place; `request` says what is
/// asserted and ordered.
pub fn repeats(books: [&LoadedBook; 2], id: &str, game: &Game, request: &Request) -> Vec<Item> {
    let found = repetitions(books, id, game, request);
    found.into_iter().map(|found| found.item).collect()
}

/// What repeats in a game: every pending position under either book, and the irregular runs of
/// forbidden moves a book binds without a cycle.
fn repetitions(books: [&LoadedBook; 2], id: &str, game: &Game, request: &Request) -> Vec<Found> {
    let ordered = &request.ordered;
    let dues = books.map(|loaded| request.arbiter(&loaded.book).due(game, ordered));
    let mut plies: BTreeMap<usize, [Option<CycleSpan>; 2]> = BTreeMap::new();
    for (book, dues) in dues.iter().enumerate() {
        for span in dues.iter().filter_map(|due| due.span) {
            let spans = plies.entry(span.end_ply()).or_default();
            if let Some(slot) = spans.get_mut(book) {
                *slot = Some(span);
            }
        }
    }
    let place = |ply| Place {
        id: id.to_owned(),
        ply: Some(ply),
    };
    let mut found = Vec::new();
    for (&ply, &spans) in &plies {
        let Some(span) = spans.iter().flatten().next().copied() else {
            continue;
        };
        let cycle = game.cycle(span);
        let key = cycle_key(cycle.start(), cycle.moves(), request);
        let ordered = request.ordered.iter().any(|order| order.after_ply < ply);
        if !ordered && is_plain(books, spans) {
            let ask = Ask::Cycle(cycle);
            found.push(Found::new(key, place(ply), ask, request));
        } else if let Some(mut one) = as_far_as(game, ply, place(ply), request) {
            // The same cycle, until the way it came about or an order makes a difference.
            let decisions = books.map(|loaded| {
                let verdict = one.item.ruling(&loaded.book, Depth::Outcome).verdict;
                (verdict.outcome, verdict.side)
            });
            one.key = format!("{} {decisions:?} {key}", whole_key(game, request));
            found.push(one);
        }
    }
    // Of each thing that a book rules although nothing is pending under either, on a long run or on an order: the first ply
    // after which it does.
    let mut binds = BTreeSet::new();
    for (loaded, dues) in books.into_iter().zip(&dues) {
        let arbiter = request.arbiter(&loaded.book);
        let alone = |due: &&Due| due.span.is_none() && !plies.contains_key(&due.after_ply);
        let mut known = Vec::new();
        for &due in dues.iter().filter(alone) {
            let Some(ruling) = arbiter.when(game, due, ordered) else {
                continue;
            };
            let ruled = (ruling.verdict.outcome, ruling.verdict.side);
            if !known.contains(&ruled) {
                known.push(ruled);
                binds.insert(due.after_ply);
            }
        }
    }
    let binds = binds.into_iter();
    found.extend(binds.filter_map(|ply| as_far_as(game, ply, place(ply), request)));
    found
}

/// Whether the cycle says everything about a pending position, however the game came to it.
///
/// A position that is pending under one book only will be under the other if the players go on,
/// unless it has come about in various ways.
fn is_plain(books: [&LoadedBook; 2], spans: [Option<CycleSpan>; 2]) -> bool {
    let uniform = |span: &CycleSpan| span.is_uniform();
    match spans {
        [Some(one), Some(other)] if one.period != other.period => false,
        [Some(_), Some(_)] => books.iter().zip(&spans).all(|(loaded, span)| {
            let definitions = &loaded.book.definitions;
            !definitions.conduct_is_judged
                || definitions.pending_unit == PendingUnit::Rounds
                || span.as_ref().is_none_or(uniform)
        }),
        [one, other] => one.or(other).as_ref().is_none_or(uniform),
    }
}

/// A game up to a ply, as one to be ruled on.
fn as_far_as(game: &Game, ply: usize, place: Place, request: &Request) -> Option<Found> {
    let until = game.up_to(ply)?;
    let ordered: Vec<Order> = request
        .ordered
        .iter()
        .copied()
        .filter(|order| order.after_ply < ply)
        .collect();
    let key = format!("{} {ordered:?}", whole_key(&until, request));
    let ask = Ask::Game(Box::new(until), ordered);
    Some(Found::new(key, place, ask, request))
}
