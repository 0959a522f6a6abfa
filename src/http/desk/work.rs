//! Work off the connection threads, once there is a slot for it.

use crate::http::desk::gate::{Lane, Task, presence};
use crate::http::desk::state::State;
use crate::http::edge::limits::{Caller, Cost};
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::intake::body;
use actix_web::body::MessageBody;
use actix_web::web::{self, Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;

/// Does bounded work on a thread of its own, once there is a slot. Work that has not begun when
/// its caller leaves is not begun; searches under way break off, and work in several steps asks
/// between them. What was broken off, or took too long, comes to nothing.
///
/// # Errors
/// The work fails, is broken off, or the service is busy.
pub async fn work<T, F>(state: &Arc<State>, caller: &Caller, work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(&State, &Arc<Task>) -> Result<T> + Send + 'static,
{
    let asked = Instant::now();
    let (present, gone) = presence();
    let deadline = state.settings.deadline();
    let entered = state.gate.enter(caller, Lane::Single, deadline, &gone);
    let task = entered.await?;
    state.metrics.queue_wait.record(asked.elapsed());
    let shared = Arc::clone(state);
    let span = tracing::Span::current();
    let done = aside(move || {
        task.is_whole()?;
        let done = span.in_scope(|| work(&shared, &task));
        shared.spent(task.caller(), Cost::Positions, task.expanded());
        task.is_whole()?;
        done
    });
    let done = done.await.ok_or_else(ApiError::broken)?;
    drop(present);
    done
}

/// Does something on a thread that may wait; nothing where it panics.
pub async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (tell, mut told) = oneshot::channel();
    // Boxed, so that what hands work to threads is compiled once and not for all work there is.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        tell.send(work()).ok();
    });
    web::block(work).await.ok()?;
    told.try_recv().ok()
}

/// Reads the whole body, does the work that it asks for, and answers with what comes of it.
///
/// # Errors
/// The body cannot be had, the work fails, or the service is busy.
pub async fn answer<T, F>(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
    answer: F,
) -> Answer
where
    T: Serialize,
    F: FnOnce(&State, &Bytes, &Arc<Task>) -> Result<T> + Send + 'static,
{
    let text = body::whole(&state.settings, &request, payload).await?;
    let state = state.into_inner();
    let caller = Caller::of(&request);
    let written = work(&state, &caller, move |state, task| {
        let found = answer(state, &text, task)?;
        serde_json::to_vec(&found).map_err(|_| ApiError::broken())
    });
    Ok(json(written.await?))
}

/// An answer in JSON that is written already.
pub fn json(written: impl MessageBody + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(written)
}
