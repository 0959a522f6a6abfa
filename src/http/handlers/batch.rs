//! Rulings by the line: NDJSON in, NDJSON out.

use crate::http::batch::{Lines, Piece, ruled};
use crate::http::gate::presence;
use crate::http::observe::language;
use crate::http::openapi::{Failures, Full};
use crate::http::problem::ApiError;
use crate::http::state::State;
use crate::wire::{Request, RulingJson};
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::{StreamExt as _, stream};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A batch being answered; makes room for another when dropped.
struct Place(Arc<State>);

impl Place {
    fn take(state: Arc<State>) -> Result<Self, ApiError> {
        let before = state.batches.fetch_add(1, Relaxed);
        let place = Self(state);
        if before < place.0.settings.batches {
            return Ok(place);
        }
        place.0.metrics.refused("too_many_batches");
        let (en, zh) = (
            "too many batches are being answered already",
            "正在处理的批次过多",
        );
        Err(ApiError::busy("too_many_batches", en, zh))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.batches.fetch_sub(1, Relaxed);
    }
}

/// Rule on any number of requests
///
/// One request a line, one answer a line, in the same order, as they come. Each line is what
/// `POST /v1/rulings` takes; its answer is the ruling, or `{"id", "line", "error"}`, and the other
/// lines are ruled on all the same. Lines are numbered from 1; empty ones are passed over, and the
/// last needs no line feed, while every answer has one. Read the answers while sending: what is not
/// read holds back what is taken in.
#[utoipa::path(post, path = "/v1/rulings:batch", tag = "rulings",
    request_body(content = Request, content_type = "application/x-ndjson", description = "One request a line."),
    responses((status = 200, description = "One ruling or error a line.", body = RulingJson, content_type = "application/x-ndjson"),
    Full, Failures))]
pub async fn batch(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let state = state.into_inner();
    let place = Place::take(Arc::clone(&state))?;
    let (present, gone) = presence();
    let language = language(request.headers());
    let abreast = state.settings.rulings.max(1) * 2;
    let lines = stream::unfold(Lines::new(&state.settings, payload), Lines::next);
    let answers = lines
        .map(move |piece| ruled(Arc::clone(&state), piece, language, gone.clone()))
        .buffered(abreast)
        .map(move |answer| {
            // Both are kept until the last answer is sent, or nobody is there to take it.
            let _ = (&place, &present);
            Ok::<_, ApiError>(answer)
        });
    Ok(HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .streaming(answers))
}

/// What batches are measured against: every line read as JSON and written again.
pub async fn echo(state: web::Data<State>, payload: web::Payload) -> HttpResponse {
    let abreast = state.settings.rulings.max(1) * 2;
    let lines = stream::unfold(Lines::new(&state.settings, payload), Lines::next);
    let answers = lines
        .map(|piece| async {
            let Piece::Lines { text, .. } = piece else {
                return Ok(web::Bytes::new());
            };
            let copied = web::block(move || {
                let mut out = Vec::with_capacity(text.len());
                for line in text
                    .split(|&byte| byte == b'\n')
                    .filter(|line| !line.is_empty())
                {
                    let value: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
                    serde_json::to_writer(&mut out, &value).ok();
                    out.push(b'\n');
                }
                web::Bytes::from(out)
            });
            copied.await.map_err(|_| ApiError::broken())
        })
        .buffered(abreast);
    HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .streaming(answers)
}
