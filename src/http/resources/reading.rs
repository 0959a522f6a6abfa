//! A score sheet as it was written down, read.

use crate::http::desk::state::State;
use crate::http::desk::work::answer;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{BodyFailures, Busy, Failures};
use crate::http::edge::problem::Answer;
#[cfg(feature = "openapi")]
use crate::wire::Reading;
use crate::wire::{GameList, Sheet, json};
use actix_web::HttpRequest;
use actix_web::web::{Data, Payload};

/// Read a score sheet
///
/// A FEN, moves in any notation, or a game record: what it is, the start position, and every move
/// as ICCS and in Chinese. Where something cannot be read, what comes before it is given all the
/// same, with the fault and its place.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games:read", tag = "games", request_body = Sheet, responses(
    (status = 200, description = "What it says, as far as it can be read.", body = Reading), BodyFailures, Busy, Failures)))]
pub async fn read(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let found = answer(state, request, payload, |state, text, _| {
        let sheet: Sheet = json(text)?;
        Ok(sheet.reading(state.settings.max_moves))
    });
    found.await
}

/// A file as it is.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only described")]
pub struct GameFile(String);

/// List the games of a file
///
/// The bytes of a file in any form that is read: XQF, CBL, CBR, CBF, 东萍 UBB, PGN, moves, and the rest.
/// What it is, is told by its content. At most 2,000 games and 200,000 moves are given; a game that
/// breaks off is given as far as it goes, with its fault. What is no record at all is told as such.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "list_games", path = "/v1/games:list", tag = "games",
    request_body(content = GameFile, content_type = "application/octet-stream", description = "The file as it is."),
    responses((status = 200, description = "Its games.", body = GameList), BodyFailures, Busy, Failures)))]
pub async fn list(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let found = answer(state, request, payload, |state, file, task| {
        let most = state.settings.max_moves;
        Ok(GameList::of(file, most, || task.goes_on())?)
    });
    found.await
}
