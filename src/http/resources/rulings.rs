//! Rulings, one at a time.

use crate::classify::Assertions;
use crate::http::desk::judging;
use crate::http::desk::state::State;
use crate::http::desk::work::json;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{BodyFailures, Busy, Failures, QueryFailures, Unkept};
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::Answer;
use crate::http::intake::{body, tags};
use crate::http::keeping::recording;
#[cfg(feature = "openapi")]
use crate::wire::RulingJson;
use crate::wire::{Explain, Kind, Request};
use actix_web::http::header;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;

/// Rule on a cycle or a game
///
/// One request in, one ruling out. The same request under the same rules gives the same bytes.
/// With `record`, or by a key that records always, the ruling is kept under a number before it is
/// answered, for which a key wants the scope `write` besides; the answer has the number in its headers. Sent again with the same `Idempotency-Key`,
/// the same request gets the same answer and number.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/rulings", tag = "rulings", request_body = Request,
    params(("Idempotency-Key" = Option<String>, Header, description = "The caller's word for this very request, of ruling that is kept.")), responses(
    (status = 200, description = "The ruling.", body = RulingJson, headers(
        ("Location" = String, description = "Where it is found again, if it was kept."),
        ("Qili-Ruling-Number" = String, description = "Its number, if it was kept."))), BodyFailures, Unkept, Failures)))]
pub async fn judge(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let text = body::whole(&state.settings, &request, payload).await?;
    let state = state.into_inner();
    if recording::concerns(&request, &text) {
        return recording::judge(&state, &request, text).await;
    }
    let ruling = judging::answer_text(&state, &Caller::of(&request), text).await?;
    Ok(json(ruling))
}

/// A small request as a query.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct Query {
    /// The start position; underscores may stand for spaces. The opening where missing.
    #[cfg_attr(
        feature = "openapi",
        param(example = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1_w")
    )]
    fen: Option<String>,
    /// The moves in any notation, with commas or spaces between.
    #[cfg_attr(feature = "openapi", param(example = "f0e0,e8f8,e0f0,f8e8"))]
    moves: String,
    /// A rule book: `cxa-1999` where missing.
    rules: Option<String>,
    /// A cycle, or a game.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    kind: Kind,
    /// How much to explain.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    explain: Explain,
    /// The arbiter finds that the position is a plain draw while the post is held.
    #[serde(default)]
    theoretical_draw: bool,
    /// Positions the searches of the ruling may expand together; 200,000 where missing.
    budget: Option<u32>,
    /// Whether a player asked for the ruling: yes where missing.
    claimed: Option<bool>,
}

impl From<Query> for Request {
    fn from(query: Query) -> Self {
        let between = |c: char| c == ',' || c == '，' || c == '|' || c.is_whitespace();
        let moves = query.moves.split(between).filter(|text| !text.is_empty());
        Self {
            rules: query.rules,
            fen: query.fen.map(|fen| fen.replace('_', " ")),
            kind: query.kind,
            explain: query.explain,
            assertions: Assertions {
                theoretical_draw: query.theoretical_draw,
                ..Assertions::default()
            },
            budget: query.budget,
            claimed: query.claimed.unwrap_or(true),
            ..Self::cycle("", moves.map(str::to_owned).collect())
        }
    }
}

/// Rule on a small cycle or game, cacheable
///
/// The same as `POST /v1/rulings`, with a strong `ETag` made of the digest of the rules and the
/// canonical request.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/rulings:judge", tag = "rulings", params(Query,
    ("If-None-Match" = Option<String>, Header, description = "The `ETag` of an answer at hand.")), responses(
    (status = 200, description = "The ruling.", body = RulingJson, headers(("ETag" = String, description = "Names this very ruling."))),
    (status = 304, description = "The ruling at hand is this one."), QueryFailures, Busy, Failures)))]
pub async fn judge_query(state: Data<State>, request: HttpRequest) -> Answer {
    let query: Query = body::query(&request)?;
    let pinned = query
        .rules
        .as_deref()
        .is_some_and(|rules| rules.contains('@'));
    let query: Request = query.into();
    let kept = recording::judge_always(&state, &request, &query).await?;
    if let Some(kept) = kept {
        return Ok(kept);
    }
    let asked = judging::prepare(&state, query)?;
    let tag = asked.key().etag();
    let mut answer = HttpResponse::Ok();
    let at_hand = tags::at_hand(&request, &tag);
    if at_hand {
        answer.status(actix_web::http::StatusCode::NOT_MODIFIED);
    }
    // Under a pinned version of a book only another version of the program rules otherwise; a draft may be rewritten at any
    // moment.
    let kept_for = match (pinned, asked.is_by_draft()) {
        (true, _) => "public, max-age=86400",
        (false, false) => "public, max-age=300",
        (false, true) => "no-cache",
    };
    answer.insert_header((header::ETAG, tag));
    answer.insert_header((header::CACHE_CONTROL, kept_for));
    if at_hand {
        return Ok(answer.finish());
    }
    let ruling = judging::answer(&state.into_inner(), &Caller::of(&request), asked).await?;
    Ok(answer.content_type("application/json").body(ruling))
}
