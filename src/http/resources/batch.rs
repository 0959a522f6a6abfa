//! Rulings by the line: NDJSON in, NDJSON out.

use crate::http::batches::kept::rule_line;
use crate::http::batches::line::Line;
#[cfg(feature = "openapi")]
use crate::http::batches::line::LineAnswer;
use crate::http::batches::stream::{answer, echo_line};
use crate::http::desk::gate::Task;
use crate::http::desk::state::State;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Failures, Full};
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::Answer;
use crate::http::keeping::recording::Keeper;
#[cfg(feature = "openapi")]
use crate::wire::Request;
use actix_web::HttpRequest;
use actix_web::web::{Data, Payload};
use std::sync::Arc;

/// Rule on any number of requests
///
/// One request a line, one answer a line, in the same order, as they come. Each line is what
/// `POST /v1/rulings` takes; its answer is the ruling, or `{"id", "line", "error"}`, and the other
/// lines are ruled on all the same. Lines are numbered from 1; empty ones are passed over, and the
/// last needs no line feed, while every answer has one. Read the answers while sending: what is not
/// read holds back what is taken in. Only a body that says its length, and is no longer than other
/// bodies may be, is taken in whole before it is answered, so that it may be sent first and read
/// after, and passes proxies that carry one way at a time.
///
/// A line with `record`, and every line of a key that records always, is kept before it is answered;
/// its answer is `{"id", "number", "ruling"}`. Where the store cannot be used it gets the error
/// `store_unavailable` with `retry_after` instead, and lines that are not to be kept go on. With an
/// `Idempotency-Key`, each line is known by the key and its own number: a batch sent again, whole or
/// from its beginning up to some line, gets the answers and numbers of the first time.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/rulings:batch", tag = "rulings",
    params(("Idempotency-Key" = Option<String>, Header, description = "The caller's word for this very batch, of rulings that are kept.")),
    request_body(content = Request, content_type = "application/x-ndjson", description = "One request a line."),
    responses((status = 200, description = "One ruling or error a line.", body = LineAnswer<'_>, content_type = "application/x-ndjson"),
    Full, Failures)))]
pub async fn batch(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let state = state.into_inner();
    let place = state.places.take(&Caller::of(&request))?;
    let keeper = Arc::new(Keeper::of(&request));
    let work = move |state: &State, task: &Arc<Task>, line: &Line<'_>, out: &mut Vec<u8>| {
        rule_line(&keeper, state, task, line, out)
    };
    answer(state, &request, payload, place, work).await
}

/// What batches are measured against: every line read as JSON and written again.
pub async fn echo(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    answer(state.into_inner(), &request, payload, (), echo_line).await
}
