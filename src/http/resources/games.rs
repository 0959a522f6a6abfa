//! Games: what may be played next, and what a move is.

use crate::http::desk::games::{AskedGame, counted};
use crate::http::desk::gate::Task;
use crate::http::desk::state::State;
use crate::http::desk::work::answer;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{BodyFailures, Busy, Failures};
use crate::http::edge::problem::Answer;
#[cfg(feature = "openapi")]
use crate::wire::Request;
use crate::wire::{Classified, Continuation, ContinuationList, RequestError};
use actix_web::HttpRequest;
use actix_web::web::{Data, Payload};

/// Say what every next move would bring
///
/// A game so far; for each legal next move whether it would bring a repetition that is ruled on, and
/// what the book would then say. `kind` is taken to be `game`. What might come is no ruling on what
/// has been played: nothing of it is kept, whoever asks.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/positions:continuations", tag = "games", request_body = Request, responses(
    (status = 200, description = "Every legal next move.", body = ContinuationList), BodyFailures, Busy, Failures)))]
pub async fn continuations(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let found = answer(state, request, payload, |state, text, task| {
        Ok(continuations_of(
            state,
            &AskedGame::read(state, text, task)?,
            task,
        )?)
    });
    found.await
}

fn continuations_of(
    state: &State,
    asked: &AskedGame,
    task: &Task,
) -> Result<ContinuationList, RequestError> {
    let (request, loaded, game) = (&asked.request, &asked.loaded, &asked.game);
    let mut continuations = Vec::new();
    let mut spent = 0;
    for (mv, ruling) in request.arbiter(&loaded.book).next(game, &request.ordered) {
        if !task.goes_on() {
            break;
        }
        if let Some(ruling) = &ruling {
            counted(state, loaded, ruling, &mut spent)?;
        }
        continuations.push(Continuation::of(request, loaded, game, mv, ruling.as_ref()));
    }
    Ok(ContinuationList::of(loaded, game, continuations))
}

/// Say what a move is
///
/// The last of `moves`, with those before it as its context: its nature under the book, with the
/// evidence. `kind` is taken to be `game`. This is no ruling: nothing of it is kept, whoever asks.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/moves:classify", tag = "games", request_body = Request, responses(
    (status = 200, description = "What the move is.", body = Classified), BodyFailures, Busy, Failures)))]
pub async fn classify(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let found = answer(state, request, payload, |state, text, task| {
        let asked = AskedGame::read(state, text, task)?;
        Ok(Classified::of(&asked.request, &asked.loaded, &asked.game)?)
    });
    found.await
}
