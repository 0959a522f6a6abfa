//! Everything that repeats in a game, and how far the natural limit is.

use crate::http::desk::books::canonical;
use crate::http::desk::games::{AskedGame, counted};
use crate::http::desk::gate::Task;
use crate::http::desk::judging::read;
use crate::http::desk::state::State;
use crate::http::desk::work::work;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{BodyFailures, Failures, Unkept};
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::intake::body;
use crate::http::keeping::recording::{Keeper, concerns, keep, mark, store_to_keep};
use crate::language::both;
use crate::ruling::Memory;
use crate::store::Entry;
use crate::wire::{Details, GameAudit, Length, PendingRuling, Prepared, Proofs, Request};
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::future::join_all;
use serde_json::value::RawValue;
use std::time::Instant;

/// Audit a whole game
///
/// Every pending position with its ruling, and the count of the natural move limit, in one pass.
/// `kind` is taken to be `game`. With `record`, or by a key that records always, each of the rulings
/// is kept under a number of its own before any is answered, as the ruling on the game up to there.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games:audit", tag = "games", request_body = Request,
    params(("Idempotency-Key" = Option<String>, Header, description = "The caller's word for this very request, of rulings that are kept.")), responses(
    (status = 200, description = "What repeats, and the count.", body = GameAudit), BodyFailures, Unkept, Failures)))]
pub async fn audit(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let text = body::whole(&state.settings, &request, payload).await?;
    let state = state.into_inner();
    let recorder = Recorder::of(&state, &request, &text)?;
    let caller = Caller::of(&request);
    let audited = work(&state, &caller, move |state, task| {
        let mut request = read(&text)?;
        request.record = None;
        let asked = AskedGame::of(state, request, task)?;
        audited(state, &asked, task, recorder.as_ref())
    });
    let (mut audit, entries) = audited.await?;
    keep_all(&state, &mut audit.pending, entries).await?;
    Ok(HttpResponse::Ok().json(audit))
}

/// Makes of the rulings of an audit what is kept.
struct Recorder {
    keeper: Keeper,
    details: Details,
    body: Bytes,
}

impl Recorder {
    /// None where nothing is to be kept.
    fn of(state: &State, request: &HttpRequest, body: &Bytes) -> Result<Option<Self>> {
        if !concerns(request, body) {
            return Ok(None);
        }
        let keeper = Keeper::of(request);
        let Some(details) = keeper.wanted(&mut read(body)?)? else {
            return Ok(None);
        };
        mark(request, body);
        store_to_keep(state)?;
        if details.supersedes.is_some() {
            let at = "/record/supersedes";
            return Err(ApiError::unprocessable(
                "record_not_here",
                at,
                both!(
                    "an audit gives a ruling on every pending position, which cannot all take the place of one",
                    "审核对每个待判局面各作裁决，不能一并取代某一裁决"
                ),
            ));
        }
        let body = body.clone();
        Ok(Some(Self {
            keeper,
            details,
            body,
        }))
    }

    /// What is kept of the ruling on a game so far.
    fn entry(
        &self,
        asked: &AskedGame,
        plies: usize,
        ruling: &RawValue,
        begun: Instant,
    ) -> Result<Entry> {
        let played = asked.game.up_to(plies).ok_or_else(ApiError::broken)?;
        let mut request = Request {
            id: None,
            ..asked.request.clone()
        };
        request.ordered.retain(|order| order.after_ply < plies);
        let pinned = asked.pinned.clone();
        let pinned = pinned.unwrap_or_else(|| asked.loaded.pinned());
        let canonical = canonical(&request, pinned, &Prepared::Game(Box::new(played)));
        let word = self.keeper.word(&self.body, Some(plies as u64))?;
        let details = self.details.clone();
        let asking = self
            .keeper
            .asking(&asked.loaded, &canonical, details, word, begun)?;
        asking.entry(ruling.get().to_owned())
    }
}

/// Keeps the rulings of an audit, and tells their numbers.
async fn keep_all(state: &State, pending: &mut [PendingRuling], entries: Vec<Entry>) -> Result {
    if entries.is_empty() {
        return Ok(());
    }
    let store = store_to_keep(state)?;
    let keeping = entries.into_iter().map(|entry| keep(store, entry, true));
    for (pending, kept) in pending.iter_mut().zip(join_all(keeping).await) {
        let (number, ruling) = kept?;
        pending.number = Some(number.to_string());
        pending.ruling = RawValue::from_string(ruling).map_err(|_| ApiError::broken())?;
    }
    Ok(())
}

fn audited(
    state: &State,
    asked: &AskedGame,
    task: &Task,
    recorder: Option<&Recorder>,
) -> Result<(GameAudit, Vec<Entry>)> {
    let AskedGame {
        request,
        loaded,
        game,
        ..
    } = asked;
    // What is pending again and again is judged and proved once.
    let (memory, mut proofs) = (Memory::of(&loaded.book), Proofs::default());
    let arbiter = request.arbiter(&loaded.book).remembering(&memory);
    let mut rulings = arbiter.every(game, &request.ordered);
    let (mut pending, mut entries) = (Vec::new(), Vec::new());
    let (mut spent, mut length) = (0, Length::default());
    while task.goes_on() {
        let begun = Instant::now();
        let Some((due, ruling)) = rulings.next() else {
            break;
        };
        counted(state, loaded, &ruling, &mut spent)?;
        let one = PendingRuling::of(request, loaded, due, &ruling, &mut proofs);
        let one = one.map_err(|_| ApiError::broken())?;
        length.add(&one)?;
        if let Some(recorder) = recorder {
            entries.push(recorder.entry(asked, due.after_ply, &one.ruling, begun)?);
        }
        pending.push(one);
    }
    let audit = GameAudit::of(request, loaded, game, pending);
    Ok((audit, entries))
}
