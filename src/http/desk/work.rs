//! Work off the connection threads, once there is a place for it.

use crate::http::desk::gate::{Gone, presence};
use crate::http::desk::state::State;
use crate::http::edge::problem::ApiError;
use crate::http::intake::body;
use actix_web::web::{self, Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;

/// Does bounded work on a thread of its own, once there is a place. Work that has not begun when
/// its caller leaves is not begun; searches under way break off, and work in several steps asks
/// between them.
pub async fn work<T, F>(state: &Arc<State>, work: F) -> Result<T, ApiError>
where
    T: Send + 'static,
    F: FnOnce(&State, &Gone) -> Result<T, ApiError> + Send + 'static,
{
    let asked = Instant::now();
    let permit = state
        .gate
        .enter()
        .await
        .inspect_err(|error| state.metrics.refused(error.code()))?;
    state.metrics.queue_wait.record(asked.elapsed());
    let (present, gone) = presence();
    let shared = Arc::clone(state);
    let span = tracing::Span::current();
    let done = web::block(move || {
        let _permit = permit;
        if gone.yes() {
            return Err(ApiError::broken());
        }
        span.in_scope(|| gone.stops(|| work(&shared, &gone)))
    });
    let done = done.await.map_err(|_| ApiError::broken())?;
    drop(present);
    done
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
) -> Result<HttpResponse, ApiError>
where
    T: Serialize,
    F: FnOnce(&State, &Bytes, &Gone) -> Result<T, ApiError> + Send + 'static,
{
    let text = body::whole(&state.settings, &request, payload).await?;
    let state = state.into_inner();
    let written = work(&state, move |state, gone| {
        let found = answer(state, &text, gone)?;
        serde_json::to_vec(&found).map_err(|_| ApiError::broken())
    });
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .body(written.await?))
}
