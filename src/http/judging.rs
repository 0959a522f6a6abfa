//! From the text of a request to the text of its ruling.

use super::body;
use super::cache::{Key, Known};
use super::gate;
use super::problem::ApiError;
use super::recording;
use super::settings::Settings;
use super::state::State;
use crate::definitions::{ChaseTest, Definitions};
use crate::game::Game;
use crate::rules::LoadedBook;
use crate::wire::{Explain, Prepared, Request, RequestError, ruling_json};
use actix_web::web::Bytes;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Bodies up to this size are read where they arrive.
const SMALL: usize = 4 << 10;
/// Periods up to this length are ruled on where they arrive, if no search is made.
const SHORT: usize = 64;

/// A request that makes sense.
#[derive(Debug)]
pub struct Asked {
    request: Request,
    loaded: Arc<LoadedBook>,
    /// The version of the draft, where the book is one.
    pinned: Option<String>,
    prepared: Prepared,
    /// What determines the ruling.
    pub key: Key,
}

/// Reads the text of a request.
///
/// # Errors
/// It is none.
pub fn read(text: &[u8]) -> Result<Request, RequestError> {
    let text = body::text(text)?;
    // A list of values would pass for an object without its names.
    if text.trim_start().starts_with('[') {
        let (en, zh) = ("a request is one JSON object", "一个请求是一个JSON对象");
        return Err(RequestError::at("request_shape", None, en, zh));
    }
    Request::parse(text).map_err(|bad| bad.error)
}

/// Positions one ply may take the searches a request asks for.
fn positions_of_ply(definitions: &Definitions, explain: Explain) -> u64 {
    let explained = explain != Explain::None;
    if !definitions.conduct_is_judged && !explained {
        return 0;
    }
    let mates = definitions.kill_is_attack || explained;
    let chases = definitions.chase_test == ChaseTest::Exchange;
    let budget = |searched, budget| if searched { u64::from(budget) } else { 0 };
    budget(mates, definitions.kill_budget) + budget(chases, definitions.chase_budget)
}

/// Plies a ruling would look at.
fn plies(prepared: &Prepared, definitions: &Definitions) -> usize {
    match prepared {
        Prepared::Cycle(cycle) => cycle.moves().len() * cycle.turns(),
        Prepared::Game(game) => plies_of(game, definitions),
    }
}

/// Plies a ruling after the last move of a game would look at.
pub fn plies_of(game: &Game, definitions: &Definitions) -> usize {
    let irregular = 2 * definitions.irregular_rounds as usize;
    let span = game.pending_at(game.len(), definitions.pending_rule());
    span.map_or(irregular, |span| {
        // One way round counts as often as like pieces need to be back in their places.
        let turns = if span.is_uniform() {
            game.cycle(span).turns()
        } else {
            1
        };
        (span.period * turns).max(span.end_ply() - span.span_start_ply)
    })
}

/// Checks a request against what the service takes.
///
/// # Errors
/// It asks for more.
pub fn bounded(settings: &Settings, request: &Request) -> Result<(), RequestError> {
    let (count, most) = (request.moves.len(), settings.max_moves);
    if count > most {
        return Err(RequestError::at(
            "too_many_moves",
            "/moves".to_owned(),
            format!("{count} moves, at most {most} are taken"),
            format!("共{count}着，最多{most}着"),
        ));
    }
    let most = settings.max_budget;
    if let Some(budget) = request.budget.filter(|&budget| budget > most) {
        return Err(RequestError::at(
            "budget_too_high",
            "/budget".to_owned(),
            format!("a budget of {budget} positions, at most {most} can be had"),
            format!("预算{budget}个局面，最多{most}个"),
        ));
    }
    Ok(())
}

/// Checks the work that so many plies may come to.
///
/// # Errors
/// It is more than the service takes on.
pub fn affordable(
    settings: &Settings,
    definitions: &Definitions,
    explain: Explain,
    plies: usize,
) -> Result<(), RequestError> {
    let each = positions_of_ply(definitions, explain);
    let most = settings.max_positions;
    if each.saturating_mul(plies as u64) <= most {
        return Ok(());
    }
    Err(too_large(plies, most))
}

/// Plies that may take more positions than the service spends on one request.
pub fn too_large(plies: usize, most: u64) -> RequestError {
    RequestError::at(
        "ruling_too_large",
        "/budget".to_owned(),
        format!("{plies} plies might take more than {most} positions: ask for a smaller `budget`"),
        format!("{plies}着可能展开超过{most}个局面：请减小budget"),
    )
}

/// Makes sense of a request.
///
/// # Errors
/// What is wrong with it, and where.
pub fn prepare(state: &State, request: Request) -> Result<Asked, RequestError> {
    bounded(&state.settings, &request)?;
    let (loaded, pinned) = recording::book_named(state, &request)?;
    make_sense(state, request, loaded, pinned)
}

/// Makes sense of a request under a book that is at hand.
///
/// # Errors
/// What is wrong with it, and where.
pub fn prepare_under(
    state: &State,
    request: Request,
    loaded: Arc<LoadedBook>,
) -> Result<Asked, RequestError> {
    bounded(&state.settings, &request)?;
    make_sense(state, request, loaded, None)
}

fn make_sense(
    state: &State,
    request: Request,
    loaded: Arc<LoadedBook>,
    pinned: Option<String>,
) -> Result<Asked, RequestError> {
    if request.record.is_some() {
        let (en, zh) = (
            "nothing is kept here: `record` goes with POST /v1/rulings",
            "此处不保存裁决：record 请用于 POST /v1/rulings",
        );
        let at = Some("/record".to_owned());
        return Err(RequestError::at("record_not_here", at, en, zh));
    }
    let prepared = request.prepare()?;
    let definitions = &loaded.book.definitions;
    affordable(
        &state.settings,
        definitions,
        request.explain,
        plies(&prepared, definitions),
    )?;
    let key = Key::of(&request, &loaded, &prepared);
    Ok(Asked {
        request,
        loaded,
        pinned,
        prepared,
        key,
    })
}

impl Asked {
    /// The request with everything said out.
    pub fn canonical(&self) -> Request {
        let pinned = self.pinned.clone().unwrap_or_else(|| self.loaded.pinned());
        recording::canonical(&self.request, pinned, &self.prepared)
    }

    /// The book it is ruled by.
    pub const fn book(&self) -> &Arc<LoadedBook> {
        &self.loaded
    }

    /// Whether the ruling takes no longer than handing it to another thread would.
    fn is_brief(&self) -> bool {
        let definitions = &self.loaded.book.definitions;
        self.request.explain == Explain::None
            && positions_of_ply(definitions, Explain::None) == 0
            && plies(&self.prepared, definitions) <= SHORT
    }

    /// The ruling, if it was given before.
    pub fn known(&self, state: &State) -> Option<Bytes> {
        let known = state.cache.get(&self.key)?;
        state.metrics.hits.fetch_add(1, Relaxed);
        state.metrics.ruled(&self.loaded.book.id, known.outcome);
        Some(with_id(self.request.id.as_ref(), &known.json))
    }

    /// Works the ruling out.
    pub fn rule(self, state: &State) -> Bytes {
        let span = tracing::debug_span!("ruling", rules = %self.loaded.book.id).entered();
        let begun = Instant::now();
        let Self {
            mut request,
            loaded,
            prepared,
            key,
            ..
        } = self;
        let id = request.id.take();
        let ruling = request.rule(&loaded, prepared);
        let json = ruling_json(&request, &loaded, &ruling);
        let outcome = json.verdict.outcome;
        let json: Bytes = serde_json::to_vec(&json).unwrap_or_default().into();
        let metrics = &state.metrics;
        metrics.misses.fetch_add(1, Relaxed);
        metrics.ruled(&loaded.book.id, outcome);
        metrics
            .positions
            .fetch_add(ruling.judged.map_or(0, |judged| judged.spent), Relaxed);
        metrics.ruling.record(begun.elapsed());
        drop(span);
        let known = Known { json, outcome };
        state.cache.put(key, &known);
        with_id(id.as_ref(), &known.json)
    }
}

/// The ruling on a line, worked out here and now.
///
/// # Errors
/// What is wrong with the request, and where.
pub fn rule_now(state: &State, request: Request) -> Result<Bytes, RequestError> {
    let asked = prepare(state, request)?;
    Ok(asked.known(state).unwrap_or_else(|| asked.rule(state)))
}

/// The ruling on a request that makes sense.
///
/// # Errors
/// The service is busy.
pub async fn answer(state: &Arc<State>, asked: Asked) -> Result<Bytes, ApiError> {
    if let Some(known) = asked.known(state) {
        return Ok(known);
    }
    if asked.is_brief() {
        return Ok(asked.rule(state));
    }
    gate::work(state, |state, _| Ok(asked.rule(state))).await
}

/// The ruling on the text of a request.
///
/// # Errors
/// What is wrong with it, or the service is busy.
pub async fn answer_text(state: &Arc<State>, text: Bytes) -> Result<Bytes, ApiError> {
    if text.len() <= SMALL {
        return answer(state, prepare(state, read(&text)?)?).await;
    }
    gate::work(state, move |state, _| Ok(rule_now(state, read(&text)?)?)).await
}

/// A ruling with the caller's id in front.
fn with_id(id: Option<&Value>, json: &Bytes) -> Bytes {
    let (Some(id), Some(rest)) = (id, json.get(1..)) else {
        return json.clone();
    };
    let mut text = format!("{{\"id\":{id},").into_bytes();
    text.extend_from_slice(rest);
    text.into()
}
