//! Rule books, amendments and cases.

use crate::cases::{Case, Corpus};
use crate::compare::{Comparison, Gathered, Gatherer, compare as set_against};
use crate::http::desk::books::book_of;
use crate::http::desk::gate::Task;
use crate::http::desk::state::State;
use crate::http::desk::work::work;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{BodyFailures, Busy, Failures, Missing};
use crate::http::edge::language::Language;
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::intake::{body, tags};
use crate::language::both;
use crate::rules::{
    Amendment, BadSetting, BookDiff, Fault, LONGEST_FILE, LoadedBook, Text, UnknownBook, diff,
};
use crate::wire::{self, Ruleset, RulesetList, in_words};
use crate::written::plain;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, Accept, Header, Quality};
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// List the rule books
///
/// Every version of every book.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/rulesets", tag = "rules", responses(
    (status = 200, description = "The books.", body = RulesetList), Failures)))]
pub async fn rulesets(state: Data<State>) -> HttpResponse {
    HttpResponse::Ok().json(RulesetList::of(state.catalog))
}

fn book(state: &State, id: &str) -> Result<Arc<LoadedBook>> {
    named(state, id, StatusCode::NOT_FOUND)
}

fn named(state: &State, id: &str, missing: StatusCode) -> Result<Arc<LoadedBook>> {
    let found = book_of(state, id).map(|(loaded, _)| loaded);
    found.map_err(|unknown| refused(&unknown, missing))
}

fn refused(unknown: &UnknownBook, missing: StatusCode) -> ApiError {
    ApiError::new(missing, unknown.code(), unknown.text())
}

/// A rule book in full
///
/// Articles, parameters, verdict table, version and digest; `cxa-1999@1.1.0` for a certain version.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/rulesets/{id}", tag = "rules",
    params(("id" = String, Path, description = "The id, perhaps with `@` and a version; a draft that is kept has one as well.", example = "cxa-1999")), responses(
    (status = 200, description = "The book.", body = Ruleset), (status = 304, description = "The book at hand is this one."), Missing, Failures)))]
pub async fn ruleset(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    let loaded = book(&state, &id)?;
    let tag = tags::of(&loaded.digest);
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::ETAG, tag.as_str()));
    if tags::at_hand(&request, &tag) {
        return Ok(answer.status(StatusCode::NOT_MODIFIED).finish());
    }
    Ok(answer.json(Ruleset::of(&loaded)))
}

/// What differs between two rule books, with the same told in words.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetDiff {
    /// In words.
    text: Text,
    /// As data.
    #[serde(flatten)]
    diff: BookDiff,
}

/// What differs between two rule books
///
/// Parameters, verdict rows, grounds, natural limit and articles, from the one to the other.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/rulesets/{a}/diff/{b}", tag = "rules", params(
    ("a" = String, Path, description = "The one.", example = "cxa-1999"),
    ("b" = String, Path, description = "The other.", example = "cxa-2020")), responses(
    (status = 200, description = "The differences.", body = RulesetDiff), Missing, Failures)))]
pub async fn ruleset_diff(state: Data<State>, ids: Path<(String, String)>) -> Answer {
    let (from, to) = (book(&state, &ids.0)?, book(&state, &ids.1)?);
    let diff = diff(&from.book, &to.book);
    let text = Text {
        zh: diff.zh(),
        en: diff.en(),
    };
    Ok(HttpResponse::Ok().json(RulesetDiff { text, diff }))
}

/// What is set against a rule book: an amendment to it, another book (`with`), or the book with
/// parameters at other values (`set`, which goes over an amendment, too).
#[derive(Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The amendment: the text of its TOML file, or the same as an object. It names its base itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = amendment_schema))]
    amendment: Option<Value>,
    /// The book set out from, where no amendment names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "cxa-1999"))]
    base: Option<String>,
    /// Another book to set against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "cxa-2020"))]
    with: Option<String>,
    /// Parameters at other values, `PARAMETER=VALUE`, by way of trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    set: Vec<String>,
    /// Games of one's own, looked through beside the library: records in any form that is text, or requests
    /// one a line. What of them repeats is judged under both books.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<String>,
    /// Whether the library is left out, for `games` alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    no_cases: bool,
}

#[cfg(feature = "openapi")]
pub(super) fn amendment_schema() -> utoipa::openapi::Schema {
    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Object]))
        .description(Some("The text of a TOML file, or the same as an object."))
        .into()
}

/// Whether the caller would rather have a page: of what `Accept` names, the first of the heaviest.
fn wants_page(request: &HttpRequest) -> bool {
    Accept::parse(request).is_ok_and(|accepted| {
        let named = accepted.iter().filter(|kind| kind.quality > Quality::ZERO);
        // Of those that are as heavy `max_by_key` takes the last.
        let preferred = named.rev().max_by_key(|kind| kind.quality);
        preferred.is_some_and(|kind| kind.item.essence_str() == "text/html")
    })
}

/// Try an amendment, another book or a parameter on the case library and on games
///
/// What the other book rules otherwise than the base: which verdicts flip, which moves get another
/// nature, with both rulings and the changes behind each. With `Accept: text/html` the same as a page
/// that stands alone and can be mailed.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/amendments:compare", tag = "rules", request_body = Trial, responses(
    (status = 200, description = "The comparison.", body = Object), BodyFailures, Busy, Failures)))]
pub async fn compare(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let text = body::whole(&state.settings, &request, payload).await?;
    let state = state.into_inner();
    let as_page = wants_page(&request);
    let spoken = Language::asked_for(request.headers());
    let caller = Caller::of(&request);
    let answer = work(&state, &caller, move |state, task| {
        let trial: Trial = wire::json(&text)?;
        let (base, other) = set_up(state, &trial)?;
        let cases = (!trial.no_cases).then(|| Corpus::builtin().iter());
        let games = trial.games.as_deref().unwrap_or_default();
        let comparison = comparison([&base, &other], cases.into_iter().flatten(), games, task)?;
        if as_page {
            return Ok(comparison.html(spoken).into_bytes());
        }
        serde_json::to_vec(&comparison).map_err(|_| ApiError::broken())
    });
    let kind = if as_page {
        "text/html; charset=utf-8"
    } else {
        "application/json"
    };
    Ok(HttpResponse::Ok()
        .content_type(kind)
        .insert_header((header::VARY, "Accept, Accept-Language"))
        .body(answer.await?))
}

/// The comparison of two books over cases, and over games in a text.
pub(super) fn comparison<'c>(
    [base, other]: [&LoadedBook; 2],
    cases: impl IntoIterator<Item = &'c Case>,
    games: &str,
    task: &Arc<Task>,
) -> Result<Comparison> {
    let mut gatherer = Gatherer::new(base, other).watched(task.watch());
    gatherer.cases(cases);
    task.alone(|| {
        // What is read from memory never fails.
        let _ = gatherer.read("games", &mut games.as_bytes());
        let Gathered { items, errors, .. } = gatherer.finish();
        set_against(base, other, &items, errors, &|| ())
    })
}

fn not_so(pointer: &str, told: Text) -> ApiError {
    ApiError::unprocessable("request_shape", pointer, told)
}

/// The book set out from, and the one set against it.
fn set_up(state: &State, trial: &Trial) -> Result<(Arc<LoadedBook>, Arc<LoadedBook>)> {
    let sent = |id: &String, pointer: &str| {
        named(state, id, StatusCode::UNPROCESSABLE_ENTITY).map_err(|error| error.at(pointer))
    };
    let base = trial
        .base
        .as_ref()
        .map(|id| sent(id, "/base"))
        .transpose()?;
    let (base, other) = match (&trial.amendment, base, &trial.with) {
        (Some(_), _, Some(_)) => {
            return Err(not_so(
                "/with",
                both!("either `amendment` or `with`", "amendment 与 with 只取其一"),
            ));
        }
        (Some(amendment), base, None) => {
            let (of, other) = amended(state, amendment)?;
            if base.is_some_and(|base| base.digest != of.digest) {
                return Err(not_so(
                    "/base",
                    both!(
                        "the amendment is to another book than `base`",
                        "修订所改的不是 base 所指的规则"
                    ),
                ));
            }
            (of, Arc::new(other))
        }
        (None, Some(base), Some(with)) => (base, sent(with, "/with")?),
        (None, Some(base), None) if !trial.set.is_empty() => (Arc::clone(&base), base),
        (None, Some(_), None) => {
            return Err(not_so(
                "/amendment",
                both!(
                    "`amendment`, `with` or `set` says what is compared",
                    "须有 amendment、with 或 set，说明与什么比较"
                ),
            ));
        }
        (None, None, _) => {
            return Err(not_so(
                "/amendment",
                both!(
                    "`amendment` is missing, or `base` with `with` or `set`",
                    "缺少 amendment，或 base 与 with、set"
                ),
            ));
        }
    };
    if trial.set.is_empty() {
        return Ok((base, other));
    }
    let tried = other.trying(&trial.set).map_err(|bad| {
        let pointer = if bad == BadSetting::Many {
            "/set".to_owned()
        } else {
            let well = |one: &&String| other.trying(&[one]).is_ok();
            format!("/set/{}", trial.set.iter().take_while(well).count())
        };
        let unknown = UnknownBook::from(bad);
        refused(&unknown, StatusCode::UNPROCESSABLE_ENTITY).at(pointer)
    })?;
    Ok((base, Arc::new(tried)))
}

fn amended(state: &State, amendment: &Value) -> Result<(Arc<LoadedBook>, LoadedBook)> {
    let amendment = read(state, &plain(amendment))?;
    fit(state, &amendment)
}

/// An amendment from the text of its TOML file, or from an object as text.
pub(super) fn read(state: &State, text: &str) -> Result<Amendment> {
    if !text.trim_start().starts_with('{') {
        return state.catalog.read_amendment("", text).map_err(faulty);
    }
    let count = text.len();
    if count > LONGEST_FILE {
        return Err(not_so(
            "/amendment",
            both!(
                "the amendment has {count} bytes, at most {LONGEST_FILE} are taken",
                "修订有{count}字节，最多{LONGEST_FILE}字节"
            ),
        ));
    }
    serde_json::from_str(text).map_err(|error| not_so("/amendment", in_words(&error.to_string())))
}

/// A book, and the book with an amendment to it.
pub(super) fn fit(state: &State, amendment: &Amendment) -> Result<(Arc<LoadedBook>, LoadedBook)> {
    // A draft is no base: whoever keeps an amendment must be able to read it with what is built in.
    let base = state.catalog.get(&amendment.base).map_err(|unknown| {
        refused(&unknown, StatusCode::UNPROCESSABLE_ENTITY).at("/amendment/base")
    })?;
    let amended = base.amended(amendment).map_err(faulty)?;
    Ok((base, amended))
}

pub(super) fn faulty(faults: Vec<Fault>) -> ApiError {
    let count = faults.len();
    let plural = if count == 1 { "" } else { "s" };
    ApiError::unprocessable(
        "amendment_faulty",
        "/amendment",
        both!(
            "the amendment has {count} fault{plural}",
            "修订有{count}处错误"
        ),
    )
    .with_faults(faults)
}
