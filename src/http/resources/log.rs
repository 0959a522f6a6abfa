//! The decision log: rulings that were kept.

use crate::http::desk::books;
use crate::http::desk::gate::Task;
use crate::http::desk::judging;
use crate::http::desk::state::State;
use crate::http::desk::work::work;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Busy, Failures, Kept, Missing, Nowhere, Uncertified, Unread};
use crate::http::edge::keys::asker;
use crate::http::edge::keys::{Scope, not_allowed};
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::intake::body;
use crate::http::keeping::recording::store;
use crate::http::resources::paging::{Part, cursor, limit, page};
use crate::language::both;
use crate::rules::{LoadedBook, Outcome};
#[cfg(feature = "openapi")]
use crate::store::Page;
use crate::store::{
    Filter, Moment, Number, RefusedRow, RulingRow, RulingText, differences, request_under,
    verify_kept,
};
use crate::version::BUILD;
use crate::wire::BookRef;
#[cfg(feature = "openapi")]
use crate::wire::{Request, RulingJson, Verification};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// Places that are told of two rulings that differ.
const MOST_PLACES: usize = 100;

/// Which rulings.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct Query {
    /// Where the page begins: `next` of the page before.
    cursor: Option<String>,
    /// So many at most: 50 where missing, 200 at most.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    limit: Option<u32>,
    /// Under this book, in any of its versions.
    #[cfg_attr(feature = "openapi", param(example = "cxa-1999"))]
    rules: Option<String>,
    /// That come to this.
    #[cfg_attr(feature = "openapi", param(inline, example = "loss"))]
    outcome: Option<Outcome>,
    /// Of this event.
    event: Option<String>,
    /// Asked for by the key of this name. A key without the scope `admin` sees its own only.
    caller: Option<String>,
    /// Kept on this day or at this moment, or later.
    #[cfg_attr(feature = "openapi", param(example = "2026-11-01"))]
    since: Option<String>,
    /// Kept before this day or moment.
    until: Option<String>,
}

fn moment(text: Option<&String>, name: &str) -> Result<Option<Moment>> {
    let read = |text: &String| {
        let told = || {
            both!(
                "expected a day (2026-11-29) or a moment (2026-11-29T07:00:00Z), not `{text}`",
                "应为日期（2026-11-29）或时刻（2026-11-29T07:00:00Z），不是“{text}”",
            )
        };
        let bad = || ApiError::query(name, &told());
        Moment::parse(text).ok_or_else(bad)
    };
    text.map(read).transpose()
}

/// List the rulings that were kept
///
/// The newest first, a page at a time; all that meet every parameter.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "kept_rulings", path = "/v1/rulings", tag = "log", params(Query), responses(
    (status = 200, description = "A page of them.", body = Page), Unread, Nowhere, Kept, Failures)))]
pub async fn rulings(state: Data<State>, request: HttpRequest) -> Answer {
    let query: Query = body::query(&request)?;
    // A draft is kept by the name of the book that it makes; what is no book any more may have been one.
    let named =
        |id: String| books::book_of(&state, &id).map_or(id, |(loaded, _)| loaded.book.id.clone());
    let mut filter = Filter {
        cursor: cursor(query.cursor.as_ref())?,
        limit: Some(limit(query.limit)?),
        since: moment(query.since.as_ref(), "since")?,
        until: moment(query.until.as_ref(), "until")?,
        rules: query.rules.map(named),
        outcome: query.outcome,
        event: query.event,
        caller: query.caller,
    };
    if let Some(asker) = asker(&request).filter(|asker| !asker.may(Scope::Admin)) {
        if filter
            .caller
            .as_ref()
            .is_some_and(|caller| *caller != asker.name)
        {
            return Err(not_allowed(Scope::Admin));
        }
        filter.caller = Some(asker.name.clone());
    }
    let page = store(&state)?.rulings(filter).await;
    Ok(HttpResponse::Ok().json(page?))
}

/// A ruling that was kept.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeptRuling {
    #[serde(flatten)]
    row: RulingRow,
    /// Those that take its place, the newest first.
    superseded_by: Vec<String>,
    /// The request in canonical form.
    #[cfg_attr(feature = "openapi", schema(value_type = Request))]
    request: Box<RawValue>,
    /// The ruling as it was sent, to the byte.
    #[cfg_attr(feature = "openapi", schema(value_type = RulingJson))]
    ruling: Box<RawValue>,
}

/// The ruling of a number.
pub async fn kept(state: &State, number: &str) -> Result<RulingText> {
    let unknown = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_ruling",
            both!(
                "there is no ruling `{number}`",
                "没有编号为“{number}”的裁决"
            ),
        )
    };
    let store = store(state)?;
    let parsed: Number = number.parse().map_err(|_| unknown())?;
    let found = store.ruling(parsed).await?;
    found.ok_or_else(unknown)
}

/// A ruling by its number
///
/// With the request in canonical form, and the ruling byte for byte as it was sent.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "kept_ruling", path = "/v1/rulings/{number}", tag = "log",
    params(("number" = String, Path, description = "The number.", example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE")), responses(
    (status = 200, description = "The ruling.", body = KeptRuling), Missing, Kept, Failures)))]
pub async fn ruling(state: Data<State>, number: Path<String>) -> Answer {
    let kept = kept(&state, &number).await?;
    let raw = |text| RawValue::from_string(text).map_err(|_| ApiError::broken());
    Ok(HttpResponse::Ok().json(KeptRuling {
        row: kept.row,
        superseded_by: kept.superseded_by,
        request: raw(kept.request)?,
        ruling: raw(kept.ruling)?,
    }))
}

/// A ruling given again.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Replay {
    /// Its number.
    number: String,
    /// Whether anything is not as it was, to the byte.
    changed: bool,
    /// Whether the outcome, or the side it concerns, is another.
    verdict_changed: bool,
    /// Places in which the rulings differ, as JSON pointers: a hundred at most.
    differences: Vec<String>,
    /// The version of the program, then and now.
    engine: Both,
    /// The book of the ruling: the one kept with it.
    rules: BookRef,
    /// The ruling that this program gives.
    #[cfg_attr(feature = "openapi", schema(value_type = RulingJson))]
    ruling: Box<RawValue>,
}

/// Then and now.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Both {
    /// When it was kept.
    then: String,
    /// Of this program.
    now: &'static str,
}

/// The book a kept ruling was given under.
pub async fn book_of(state: &State, rules: &BookRef) -> Result<Arc<LoadedBook>> {
    let found = store(state)?.book_of(rules).await;
    found?.ok_or_else(|| {
        let pinned = format!("{}@{}", rules.id, rules.version);
        ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "book_unreadable",
            both!(
                "this program cannot read the rule book `{pinned}` as it was kept",
                "本程序读不懂当时保存的规则“{pinned}”"
            ),
        )
    })
}

/// Rule again
///
/// What today's program makes of the request under the very book the ruling was given under, and
/// whether that is what was kept. Nothing is kept of it.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "replay_ruling", path = "/v1/rulings/{number}:replay", tag = "log",
    params(("number" = String, Path, description = "The number.", example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE")), responses(
    (status = 200, description = "How it comes out.", body = Replay), Missing, Kept, Busy, Failures)))]
pub async fn replay(state: Data<State>, request: HttpRequest, number: Path<String>) -> Answer {
    let state = state.into_inner();
    let caller = Caller::of(&request);
    let kept = kept(&state, &number).await?;
    let book = book_of(&state, &kept.row.rules).await?;
    let (request, book) = request_under(&kept, &book)?;
    let asked = judging::prepare_under(&state, request, book)?;
    let now = judging::answer(&state, &caller, asked).await?;
    let now = String::from_utf8(now.to_vec()).map_err(|_| ApiError::broken())?;
    let differences = differences(&kept.ruling, &now);
    let verdict = |pointer: &String| pointer == "/verdict/outcome" || pointer == "/verdict/side";
    Ok(HttpResponse::Ok().json(Replay {
        changed: now != kept.ruling,
        verdict_changed: differences.iter().any(verdict),
        differences: differences.into_iter().take(MOST_PLACES).collect(),
        engine: Both {
            then: kept.row.engine,
            now: BUILD,
        },
        number: kept.row.number,
        rules: kept.row.rules,
        ruling: RawValue::from_string(now).map_err(|_| ApiError::broken())?,
    }))
}

/// Verify a kept ruling
///
/// Whether the certificate that was kept with a ruling, asked for with `explain` `proof`, proves what the ruling says, under the
/// very book it was given under.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "verify_ruling", path = "/v1/rulings/{number}:verify", tag = "log",
    params(("number" = String, Path, description = "The number.", example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE")), responses(
    (status = 200, description = "Whether it is proved.", body = Verification), Missing, Uncertified, Kept, Busy, Failures)))]
pub async fn verify(state: Data<State>, request: HttpRequest, number: Path<String>) -> Answer {
    let state = state.into_inner();
    let kept = kept(&state, &number).await?;
    let book = book_of(&state, &kept.row.rules).await?;
    let caller = Caller::of(&request);
    let verify = move |_: &State, _: &Arc<Task>| Ok(verify_kept(&kept, &book)?);
    Ok(HttpResponse::Ok().json(work(&state, &caller, verify).await?))
}

/// Refused requests.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refusals {
    /// They themselves, the newest first.
    items: Vec<RefusedRow>,
    /// Where the next page begins; null after the last.
    next: Option<String>,
}

/// List the requests that were refused
///
/// Those whose ruling was to be kept, the newest first: the last hundred thousand or so.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/refusals", tag = "log", params(Part), responses(
    (status = 200, description = "A page of them.", body = Refusals), Unread, Nowhere, Kept, Failures),
    security((), ("key" = ["admin"]))))]
pub async fn refusals(state: Data<State>, request: HttpRequest) -> Answer {
    let part: Part = body::query(&request)?;
    let (limit, behind) = part.asked()?;
    let found = store(&state)?.refusals(behind, limit + 1).await?;
    let (items, next) = page(found, limit, |row| row.number.clone());
    Ok(HttpResponse::Ok().json(Refusals { items, next }))
}

/// What kept rulings are measured against.
pub async fn upsert(state: Data<State>) -> Answer {
    let id = Number::new().map_err(|_| ApiError::broken())?;
    // Few enough rows for them to be changed as well as put.
    let id = 2 + i64::try_from(id.at().milliseconds() % 1000).unwrap_or_default();
    let found = store(&state)?.upsert_and_select(id).await;
    let found = found?;
    Ok(HttpResponse::Ok().json(found))
}
