//! From the text of a request to the text of its ruling.

use crate::calls::too_costly;
use crate::definitions::{ChaseTest, Definitions};
use crate::http::desk::books::{book_named, canonical};
use crate::http::desk::cache::{Apart, Key, Known, Leave, Remembered};
use crate::http::desk::gate::Task;
use crate::http::desk::state::State;
use crate::http::desk::work::work;
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::Result;
use crate::http::edge::settings::Settings;
use crate::language::both;
use crate::rules::LoadedBook;
use crate::wire::{self, BUDGET, Explain, Prepared, Request, RequestError, write_ruling};
use actix_web::web::Bytes;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Bodies up to this size are read where they arrive.
const SMALL: usize = 4 << 10;
/// Periods up to this length are ruled on where they arrive, if no search is made.
const SHORT: usize = 64;

/// How long others are waited for who work on the same ruling.
const TOGETHER: Duration = Duration::from_millis(250);

/// A request that makes sense.
#[derive(Debug)]
pub struct Asked {
    request: Request,
    loaded: Arc<LoadedBook>,
    /// The version of the draft, where the book is one.
    pinned: Option<String>,
    prepared: Prepared,
    /// Its text without its id, where that can be told apart.
    text: Option<Box<str>>,
}

/// Reads the text of a request.
pub fn read(text: &[u8]) -> Result<Request, RequestError> {
    Request::parse(wire::text(text)?).map_err(|bad| bad.error)
}

/// Whether a ruling makes searches.
fn searches(definitions: &Definitions, explain: Explain) -> bool {
    let explained = explain != Explain::None;
    let chases = definitions.chase_test == ChaseTest::Exchange;
    (definitions.conduct_is_judged || explained)
        && (explained || definitions.kill_is_attack || chases)
}

/// Checks a request against what the service takes, and gives it no more than that.
pub fn bounded(settings: &Settings, mut request: Request) -> Result<Request, RequestError> {
    let (count, most) = (request.moves.len(), settings.max_moves);
    if count > most {
        return Err(RequestError::at(
            "too_many_moves",
            "/moves".to_owned(),
            both!(
                "{count} moves, at most {most} are taken",
                "共{count}着，最多{most}着"
            ),
        ));
    }
    let most = settings.max_budget;
    if let Some(budget) = request.budget.filter(|&budget| budget > most) {
        return Err(RequestError::at(
            "budget_too_high",
            "/budget".to_owned(),
            both!(
                "a budget of {budget} positions, at most {most} can be had",
                "预算{budget}个局面，最多{most}个"
            ),
        ));
    }
    if request.budget.is_none() && most < BUDGET {
        request.budget = Some(most);
    }
    Ok(request)
}

/// Checks what the rulings on one game have taken so far.
///
/// # Errors
/// It is more than the service spends on one request.
pub fn affordable(settings: &Settings, spent: u64) -> Result<(), RequestError> {
    let most = settings.max_positions;
    if spent <= most {
        return Ok(());
    }
    Err(too_costly(most))
}

/// Makes sense of a request.
pub fn prepare(state: &State, request: Request) -> Result<Asked, RequestError> {
    let request = bounded(&state.settings, request)?;
    let (loaded, pinned) = book_named(state, &request)?;
    make_sense(request, loaded, pinned)
}

/// Makes sense of a request under a book that is at hand.
pub fn prepare_under(
    state: &State,
    request: Request,
    loaded: Arc<LoadedBook>,
) -> Result<Asked, RequestError> {
    let request = bounded(&state.settings, request)?;
    make_sense(request, loaded, None)
}

/// Checks that no ruling is to be kept where none is.
pub fn unkept(request: &Request) -> Result<(), RequestError> {
    if request.record.is_none() {
        return Ok(());
    }
    let at = Some("/record".to_owned());
    Err(RequestError::at(
        "record_not_here",
        at,
        both!(
            "nothing is kept here: `record` goes with POST /v1/rulings, its batches, and POST /v1/games:audit",
            "此处不保存裁决：record 请用于 POST /v1/rulings、批量裁决或 POST /v1/games:audit"
        ),
    ))
}

fn make_sense(
    request: Request,
    loaded: Arc<LoadedBook>,
    pinned: Option<String>,
) -> Result<Asked, RequestError> {
    unkept(&request)?;
    let prepared = request.prepare()?;
    Ok(Asked {
        request,
        loaded,
        pinned,
        prepared,
        text: None,
    })
}

/// Makes sense of the text of a request that is given under a certain name, to be known by it.
fn read_apart(state: &State, apart: Apart<'_>, request: Request) -> Result<Asked, RequestError> {
    let asked = prepare(state, request)?;
    // A name that may come to mean another book says nothing about the next request.
    let mut lasting = state.catalog.iter();
    let known_by = state.cache.is_on()
        && apart.id.is_some() == asked.request.id.is_some()
        && lasting.any(|book| Arc::ptr_eq(book, &asked.loaded));
    let text = known_by.then(|| apart.rest.into());
    Ok(Asked { text, ..asked })
}

/// Adds the ruling on a text that was ruled on before.
pub fn recalled(state: &State, apart: Apart<'_>, out: &mut Vec<u8>) -> bool {
    let Some(Remembered { known, book }) = state.cache.recall(apart.rest) else {
        return false;
    };
    state.metrics.hits.fetch_add(1, Relaxed);
    state.metrics.ruled(&book.book.id, known.outcome);
    if let Some(id) = apart.id {
        out.extend_from_slice(b"{\"id\":");
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
        out.extend_from_slice(known.json.get(1..).unwrap_or_default());
    } else {
        out.extend_from_slice(&known.json);
    }
    true
}

/// Adds the ruling on a request that was read from a text.
pub fn rule_on(
    state: &State,
    task: &Arc<Task>,
    apart: Apart<'_>,
    request: Request,
    out: &mut Vec<u8>,
) -> Result {
    read_apart(state, apart, request)?.answer(state, task, out)
}

impl Asked {
    /// What determines the ruling.
    pub fn key(&self) -> Key {
        Key::of(&self.request, &self.loaded, &self.prepared)
    }

    /// Whether the book it is ruled by is a draft that is kept.
    pub const fn is_by_draft(&self) -> bool {
        self.pinned.is_some()
    }

    /// The request with everything said out.
    pub fn canonical(&self) -> Request {
        let pinned = self.pinned.clone().unwrap_or_else(|| self.loaded.pinned());
        canonical(&self.request, pinned, &self.prepared)
    }

    /// The book it is ruled by.
    pub const fn book(&self) -> &Arc<LoadedBook> {
        &self.loaded
    }

    /// Whether the ruling takes no longer than handing it to another thread would.
    fn is_brief(&self) -> bool {
        let definitions = &self.loaded.book.definitions;
        let short = match &self.prepared {
            Prepared::Cycle(cycle) => cycle.moves().len() * cycle.turns() <= SHORT,
            Prepared::Game(game) => game.len() <= SHORT,
        };
        short && !searches(definitions, self.request.explain)
    }

    /// Whether the ruling is remembered by what determines it: a brief one takes no longer than its key does. Known by its text
    /// it still spares the reading.
    fn has_key(&self, state: &State) -> bool {
        state.cache.is_on() && !self.is_brief()
    }

    /// Writes the ruling, if it was given before under its key.
    fn recall(&self, state: &State, key: Option<&Key>, out: &mut Vec<u8>) -> bool {
        let Some(known) = key.and_then(|key| state.cache.get(key)) else {
            return false;
        };
        self.write(state, known, out);
        true
    }

    /// Writes a ruling that was given before.
    fn write(&self, state: &State, known: Known, out: &mut Vec<u8>) {
        state.metrics.hits.fetch_add(1, Relaxed);
        state.metrics.ruled(&self.loaded.book.id, known.outcome);
        let id = self.request.id.as_ref();
        let at = lead(out, id);
        out.extend_from_slice(&known.json);
        join(out, at, id);
        self.remember(state, known);
    }

    /// Has the ruling found by the text of its request the next time, if that can be.
    fn remember(&self, state: &State, known: Known) {
        if let Some(text) = &self.text {
            let book = Arc::clone(&self.loaded);
            state.cache.remember(text, Remembered { known, book });
        }
    }

    /// Works the ruling out and writes it. What was broken off is not remembered.
    fn rule(
        self,
        state: &State,
        key: Option<Key>,
        leave: Option<Leave<'_>>,
        task: &Arc<Task>,
        out: &mut Vec<u8>,
    ) -> Result {
        let _span = tracing::debug_span!(
            "ruling", rules = %self.loaded.book.id, outcome = tracing::field::Empty,
            positions = tracing::field::Empty
        )
        .entered();
        let begun = Instant::now();
        let Self {
            mut request,
            loaded,
            prepared,
            text,
            ..
        } = self;
        let id = request.id.take();
        let at = lead(out, id.as_ref());
        request.watch = task.watch();
        let ruling = request.rule(&loaded, prepared);
        task.is_whole()?;
        // Writing to memory does not fail.
        write_ruling(out, &request, &loaded, &ruling).ok();
        // A certificate takes searches of its own.
        task.is_whole()?;
        let outcome = ruling.verdict.outcome;
        let counts = &state.metrics;
        let spent = ruling.judged.map_or(0, |judged| judged.spent);
        counts.misses.fetch_add(1, Relaxed);
        counts.ruled(&loaded.book.id, outcome);
        counts.positions.fetch_add(spent, Relaxed);
        counts.ruling.record(begun.elapsed());
        let span = tracing::Span::current();
        span.record("outcome", outcome.id());
        span.record("positions", spent);
        let written = out.get(at..).filter(|_| text.is_some() || key.is_some());
        if let Some(json) = written {
            let json = Bytes::copy_from_slice(json);
            let known = Known { json, outcome };
            if let Some(text) = text {
                let known = known.clone();
                let book = Arc::clone(&loaded);
                state.cache.remember(&text, Remembered { known, book });
            }
            match (leave, key) {
                (Some(leave), _) => leave.put(known),
                (None, Some(key)) => state.cache.put(key, known),
                (None, None) => {}
            }
        }
        join(out, at, id.as_ref());
        Ok(())
    }

    /// Writes the ruling, remembered or worked out here and now; or by others who are at it already.
    pub fn answer(self, state: &State, task: &Arc<Task>, out: &mut Vec<u8>) -> Result {
        if !self.has_key(state) {
            return self.rule(state, None, None, task, out);
        }
        let key = self.key();
        let leave = match state.cache.get_or_work(&key, Duration::ZERO) {
            Err(None) => task.aside(|| state.cache.get_or_work(&key, TOGETHER)),
            known => known,
        };
        match leave {
            Ok(known) => {
                self.write(state, known, out);
                Ok(())
            }
            Err(leave) => self.rule(state, Some(key), leave, task, out),
        }
    }
}

/// The ruling on a request that makes sense.
pub async fn answer(state: &Arc<State>, caller: &Caller, asked: Asked) -> Result<Bytes> {
    let mut out = Vec::with_capacity(1 << 10);
    let key = asked.has_key(state).then(|| asked.key());
    if asked.recall(state, key.as_ref(), &mut out) {
        return Ok(out.into());
    }
    if asked.is_brief() {
        asked.rule(state, key, None, &Task::brief(caller), &mut out)?;
        return Ok(out.into());
    }
    let ruled = work(state, caller, |state, task| {
        asked.answer(state, task, &mut out)?;
        Ok(out.into())
    });
    ruled.await
}

/// The ruling on the text of a request.
pub async fn answer_text(state: &Arc<State>, caller: &Caller, text: Bytes) -> Result<Bytes> {
    if text.len() <= SMALL {
        let line = wire::text(&text)?;
        let apart = Apart::of(line);
        let mut out = Vec::with_capacity(1 << 10);
        if recalled(state, apart, &mut out) {
            return Ok(out.into());
        }
        let asked = read_apart(state, apart, read(&text)?)?;
        return answer(state, caller, asked).await;
    }
    let ruled = work(state, caller, move |state, task| {
        let mut out = Vec::new();
        prepare(state, read(&text)?)?.answer(state, task, &mut out)?;
        Ok(out.into())
    });
    ruled.await
}

/// Begins a ruling with the caller's id, if there is one; where the ruling itself then begins.
fn lead(out: &mut Vec<u8>, id: Option<&Value>) -> usize {
    if let Some(id) = id {
        out.extend_from_slice(b"{\"id\":");
        serde_json::to_writer(&mut *out, id).ok();
    }
    out.len()
}

/// Makes one object of the id, if there is one, and the ruling that begins there.
fn join(out: &mut [u8], at: usize, id: Option<&Value>) {
    if id.is_some()
        && let Some(brace) = out.get_mut(at)
    {
        *brace = b',';
    }
}
