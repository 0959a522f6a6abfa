//! The case library: the published cases, which stay as they are, and an organisation's own.

use crate::cases::{Case, CaseFault, Corpus, Expect, Source, Standing};
use crate::classify::Nature;
use crate::http::desk::state::State;
use crate::http::desk::work::work;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Busy, Changed, Failures, Kept, Missing, Unread};
use crate::http::edge::keys::caller;
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::intake::body;
use crate::http::keeping::recording::store;
use crate::http::resources::log::{book_of, kept};
use crate::http::resources::paging::{MOST, Part, limit, no_cursor, page};
use crate::http::resources::versions;
use crate::language::both;
use crate::rules::{LoadedBook, Outcome, Text};
use crate::store::{CaseChange, OwnCase, RulingText, Store, request_under};
use crate::wire::{self, Kind, Prepared, Request, ruling_json};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Whose a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Published, and part of the program.
    Published,
    /// The organisation's own.
    Own,
}

/// Which cases.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct Filter {
    /// That say what this book makes of them.
    #[cfg_attr(feature = "openapi", param(example = "cxa-2020"))]
    book: Option<String>,
    /// That rest on this clause.
    clause: Option<String>,
    /// In which a move has this nature.
    #[cfg_attr(feature = "openapi", param(inline))]
    nature: Option<Nature>,
    /// Of which a book makes this.
    #[cfg_attr(feature = "openapi", param(inline))]
    verdict: Option<Outcome>,
    /// Published, or own.
    #[cfg_attr(feature = "openapi", param(inline))]
    origin: Option<Origin>,
    /// In whose id, title, figure or commentary all of these words stand, however they are written.
    #[cfg_attr(feature = "openapi", param(example = "长捉", max_length = 200))]
    text: Option<String>,
    /// Where the page begins: `next` of the page before.
    cursor: Option<String>,
    /// So many at most: 200 where missing, and never more.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    limit: Option<u32>,
}

impl Filter {
    /// Whether it leaves any own case out.
    const fn chooses(&self) -> bool {
        self.book.is_some()
            || self.clause.is_some()
            || self.nature.is_some()
            || self.verdict.is_some()
            || self.text.is_some()
    }

    /// Whether all words looked for stand in what is said of a case.
    fn names(&self, case: &Case) -> bool {
        let Some(text) = &self.text else { return true };
        let (title, why) = (&case.title, &case.why);
        let told = [
            case.id.as_str(),
            &case.source.figure,
            &title.zh,
            &title.en,
            &why.zh,
            &why.en,
        ];
        let told = told.join("\n").to_lowercase();
        let text = text.to_lowercase();
        text.split_whitespace().all(|word| told.contains(word))
    }

    fn takes(&self, case: &Case) -> bool {
        let meets = |(book, expect): (&String, &Expect)| {
            let clause = |clause: &String| {
                expect.clauses.contains(clause)
                    || (case.source.book == *book && case.source.clauses.contains(clause))
            };
            self.book.as_ref().is_none_or(|asked| asked == book)
                && self.clause.as_ref().is_none_or(clause)
                && self
                    .nature
                    .is_none_or(|nature| expect.natures.contains(&nature))
                && self.verdict.is_none_or(|verdict| expect.outcome == verdict)
        };
        case.expect.iter().any(meets) && self.names(case)
    }
}

/// A case in a list.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CaseSummary {
    /// Its id.
    id: String,
    /// Whose it is.
    origin: Origin,
    /// The revision of one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<i64>,
    /// What it shows.
    title: Text,
    /// The book that prints it.
    book: String,
    /// The figure.
    figure: String,
    /// The position.
    fen: String,
    /// One period.
    moves: Vec<String>,
    /// What rule books make of it.
    expect: BTreeMap<String, Expect>,
}

impl CaseSummary {
    fn of(case: &Case, revision: Option<i64>) -> Self {
        Self {
            id: case.id.clone(),
            origin: if revision.is_some() {
                Origin::Own
            } else {
                Origin::Published
            },
            revision,
            title: case.title.clone(),
            book: case.source.book.clone(),
            figure: case.source.figure.clone(),
            fen: case.fen.clone(),
            moves: case.moves.clone(),
            expect: case.expect.clone(),
        }
    }
}

/// Cases.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CaseList {
    /// How many stand here.
    count: usize,
    /// They themselves.
    cases: Vec<CaseSummary>,
    /// Where the next page begins; null after the last. There may be more where few or none stand here.
    next: Option<String>,
}

/// Own cases that are looked at for one page, of which few may meet the parameters.
const MOST_LOOKED_AT: usize = 1000;
/// How many of them are fetched at a time.
const FETCHED: u32 = 100;

/// Where a page of cases begins: behind which one.
#[derive(Debug, PartialEq, Eq)]
struct Behind {
    origin: Origin,
    id: String,
}

impl Behind {
    fn read(cursor: Option<&String>) -> Result<Self> {
        let Some(text) = cursor else {
            let id = String::new();
            return Ok(Self {
                origin: Origin::Published,
                id,
            });
        };
        let (origin, id) = text.split_once(':').ok_or_else(no_cursor)?;
        let origin = match origin {
            "published" if Corpus::builtin().get(id).is_some() => Origin::Published,
            "own" => Origin::Own,
            _ => return Err(no_cursor()),
        };
        let id = id.to_owned();
        Ok(Self { origin, id })
    }

    fn told(origin: &str, id: &str) -> String {
        format!("{origin}:{id}")
    }
}

/// A page under construction.
struct Chosen<'a> {
    filter: &'a Filter,
    limit: usize,
    taken: Vec<CaseSummary>,
}

impl Chosen<'_> {
    /// Takes a case, if it is one of those asked for; whether there was room for it.
    fn take(&mut self, case: &Case, revision: Option<i64>) -> bool {
        if !self.filter.takes(case) {
            return true;
        }
        let room = self.taken.len() < self.limit;
        if room {
            self.taken.push(CaseSummary::of(case, revision));
        }
        room
    }

    /// Takes published cases; where the next page begins, if there are more.
    fn published(&mut self, behind: &str) -> Option<String> {
        let all = Corpus::builtin().iter();
        let seen = Corpus::builtin()
            .iter()
            .take_while(|case| case.id != behind);
        let skipped = if behind.is_empty() {
            0
        } else {
            seen.count() + 1
        };
        let mut last = behind.to_owned();
        for case in all.skip(skipped) {
            if !self.take(case, None) {
                return Some(Behind::told("published", &last));
            }
            last.clone_from(&case.id);
        }
        None
    }

    /// Takes own cases; where the next page begins, if there are more.
    async fn own(&mut self, store: &Store, behind: &str) -> Result<Option<String>> {
        let (mut last, mut looked_at) = (behind.to_owned(), 0);
        loop {
            let room = u32::try_from(self.limit - self.taken.len()).unwrap_or(u32::MAX);
            let at_once = if self.filter.chooses() { FETCHED } else { 0 };
            let fetched = (room + 1).max(at_once);
            let found = store.own_cases_after(&last, fetched).await?;
            let all = found.len() < fetched as usize;
            for own in found {
                if !self.take(&own.case, Some(own.revision)) {
                    return Ok(Some(Behind::told("own", &last)));
                }
                looked_at += 1;
                last = own.id;
            }
            if all {
                return Ok(None);
            }
            if looked_at >= MOST_LOOKED_AT {
                return Ok(Some(Behind::told("own", &last)));
            }
        }
    }
}

/// List the cases
///
/// Positions with their cycles, and what rule books make of them, a page at a time; all that meet every
/// parameter, the published ones first, then the own ones in the order of their ids. Own cases that were
/// retired are not among them.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/cases", tag = "rules", params(Filter), responses(
    (status = 200, description = "The cases.", body = CaseList), Unread, Kept, Failures)))]
pub async fn cases(state: Data<State>, request: HttpRequest) -> Answer {
    let filter: Filter = body::query(&request)?;
    let behind = Behind::read(filter.cursor.as_ref())?;
    let mut chosen = Chosen {
        filter: &filter,
        limit: limit(filter.limit.or(Some(MOST)))? as usize,
        taken: Vec::new(),
    };
    let mut next = None;
    if filter.origin != Some(Origin::Own) && behind.origin == Origin::Published {
        next = chosen.published(&behind.id);
    }
    if let (Some(store), None | Some(Origin::Own), None) = (&state.store, filter.origin, &next) {
        let own = behind.origin == Origin::Own;
        let behind = if own { behind.id.as_str() } else { "" };
        next = chosen.own(store, behind).await?;
    }
    let cases = chosen.taken;
    Ok(HttpResponse::Ok().json(CaseList {
        count: cases.len(),
        cases,
        next,
    }))
}

fn unknown(id: &str) -> ApiError {
    versions::unknown("unknown_case", id, &both!("case", "判例"))
}

/// A case in full
///
/// With its source, what is known to differ, and why. The `ETag` of an own case is its revision.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/cases/{id}", tag = "rules",
    params(("id" = String, Path, description = "The id.", example = "cxa-1999-01"),
    ("If-None-Match" = Option<String>, Header, description = "The `ETag` of an own case at hand.")), responses(
    (status = 200, description = "The case.", body = Case),
    (status = 304, description = "The case at hand is at this revision."), Missing, Kept, Failures)))]
pub async fn case(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    if let Some(found) = Corpus::builtin().get(&id) {
        return Ok(HttpResponse::Ok().json(found));
    }
    let own = match &state.store {
        Some(store) => store.own_case(&id).await?,
        None => None,
    };
    let own = own.ok_or_else(|| unknown(&id))?;
    Ok(versions::asked_for(&request, own.revision, own.case))
}

/// A case to be put, and why.
#[derive(Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CaseToPut {
    /// The case: as an object, or the text of a case file.
    #[cfg_attr(feature = "openapi", schema(schema_with = case_schema))]
    case: Value,
    /// Why.
    #[serde(default)]
    note: String,
}

#[cfg(feature = "openapi")]
fn case_schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
    use utoipa::openapi::Ref;
    use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
    OneOfBuilder::new()
        .item(Ref::from_schema_name("Case"))
        .item(ObjectBuilder::new().schema_type(Type::String))
        .description(Some("A case, or the text of a case file."))
        .into()
}

pub(super) fn faulty(faults: impl Iterator<Item = Text>) -> ApiError {
    let told = both!(faults = Text::joined(faults, "; ", "；"); "{faults}", "判例有误：{faults}");
    ApiError::unprocessable("case_faulty", "/case", told)
}

/// Reads a case from an object or the text of a case file, and checks it.
fn read_case(case: Value) -> Result<Case> {
    let text = if let Value::String(text) = case {
        text
    } else {
        let case: Case = serde_json::from_value(case).map_err(|error| {
            ApiError::unprocessable("request_shape", "/case", wire::in_words(&error.to_string()))
        })?;
        // One text is checked as the other.
        toml::to_string(&case).map_err(|_| ApiError::broken())?
    };
    Case::read(&text).map_err(|faults| faulty(faults.iter().map(CaseFault::told)))
}

/// Reads what is to be put: a case by itself, or with a note.
fn read(text: &[u8], caller: String) -> Result<CaseChange> {
    let text = wire::text(text)?;
    let (case, note) = if text.trim_start().starts_with('{') {
        let value: Value = wire::json(text.as_bytes())?;
        if value.get("case").is_some() {
            let put: CaseToPut = wire::json(text.as_bytes())?;
            (put.case, put.note)
        } else {
            (value, String::new())
        }
    } else {
        (Value::String(text.to_owned()), String::new())
    };
    let change = CaseChange {
        note: versions::noted(&note, "/note")?,
        case: read_case(case)?,
        caller,
        ruling: None,
    };
    own_id(&change.case.id)?;
    Ok(change)
}

/// Whether the id may be one of an own case.
pub(super) fn own_id(id: &str) -> Result {
    // Whoever follows a path of dots goes up in it, and never comes to the case.
    if id.chars().all(|c| c == '.') {
        return Err(ApiError::unprocessable(
            "case_faulty",
            "/case/id",
            both!(
                "`{id}` cannot be the id of a case: no path leads to it",
                "“{id}”不能用作判例 id：没有路径可达"
            ),
        ));
    }
    if Corpus::builtin().get(id).is_none() {
        return Ok(());
    }
    Err(ApiError::new(
        StatusCode::CONFLICT,
        "published_case",
        both!(
            "`{id}` is a published case, which stays as it is",
            "“{id}”是已公布的判例，不可改动"
        ),
    ))
}

fn created(own: &OwnCase) -> HttpResponse {
    versions::created(format!("/v1/cases/{}", own.id), own.revision, own)
}

/// Add a case
///
/// The case by itself, or with a note: as an object, or the text of a case file.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "add_case", path = "/v1/cases", tag = "rules", request_body = CaseToPut, responses(
    (status = 201, description = "The case.", body = OwnCase), Changed, Missing, Kept, Failures), security((), ("key" = ["write"]))))]
pub async fn add(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let text = body::whole(&state.settings, &request, payload).await?;
    let change = read(&text, caller(&request))?;
    Ok(created(&store(&state)?.add_case(change).await?))
}

/// Revise a case
///
/// With `If-Match` only if it is at that revision. A retired case is taken up again.
#[cfg_attr(feature = "openapi", utoipa::path(put, operation_id = "revise_case", path = "/v1/cases/{id}", tag = "rules", request_body = CaseToPut, params(
    ("id" = String, Path, description = "The id.", example = "club-1"),
    ("If-Match" = Option<String>, Header, description = "The revision it is meant for.")), responses(
    (status = 200, description = "The case.", body = OwnCase), Changed, Missing, Kept, Failures), security((), ("key" = ["write"]))))]
pub async fn revise(
    state: Data<State>,
    request: HttpRequest,
    id: Path<String>,
    payload: Payload,
) -> Answer {
    let at = versions::meant_for(&request)?;
    let text = body::whole(&state.settings, &request, payload).await?;
    own_id(&id)?;
    let change = read(&text, caller(&request))?;
    if change.case.id != *id {
        return Err(versions::another_id("/case/id", &both!("case", "判例")));
    }
    let own = versions::changed(store(&state)?.revise_case(change, at).await, at)?;
    let own = own.ok_or_else(|| unknown(&id))?;
    Ok(versions::at(own.revision, own))
}

/// Retire a case
///
/// It is listed no more, and keeps its history.
#[cfg_attr(feature = "openapi", utoipa::path(delete, operation_id = "retire_case", path = "/v1/cases/{id}", tag = "rules", params(
    ("id" = String, Path, description = "The id.", example = "club-1"),
    ("If-Match" = Option<String>, Header, description = "The revision it is meant for.")), responses(
    (status = 200, description = "The case, retired.", body = OwnCase), Changed, Missing, Kept, Failures), security((), ("key" = ["write"]))))]
pub async fn retire(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    let at = versions::meant_for(&request)?;
    own_id(&id)?;
    let own = store(&state)?
        .retire_case(&id, "", &caller(&request), at)
        .await;
    let own = versions::changed(own, at)?;
    Ok(HttpResponse::Ok().json(own.ok_or_else(|| unknown(&id))?))
}

/// Revisions.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CaseRevisionList {
    /// The newest first.
    revisions: Vec<OwnCase>,
    /// Where the next page begins; null after the last.
    next: Option<String>,
}

/// The history of a case
///
/// The newest revision first, a page at a time; a published case has none.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "case_revisions", path = "/v1/cases/{id}/revisions", tag = "rules",
    params(("id" = String, Path, description = "The id.", example = "club-1"), Part), responses(
    (status = 200, description = "Its revisions.", body = CaseRevisionList), Unread, Missing, Kept, Failures)))]
pub async fn revisions(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    let part: Part = body::query(&request)?;
    let (limit, behind) = part.asked()?;
    let found = store(&state)?
        .case_revisions(&id, behind, limit + 1)
        .await?;
    if found.is_empty()
        && Corpus::builtin().get(&id).is_none()
        && store(&state)?.own_case(&id).await?.is_none()
    {
        return Err(unknown(&id));
    }
    let (revisions, next) = page(found, limit, |own| own.revision.to_string());
    Ok(HttpResponse::Ok().json(CaseRevisionList { revisions, next }))
}

/// What a ruling that becomes a case is to be called.
#[derive(Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CaseOfRuling {
    /// The id of the case.
    #[cfg_attr(feature = "openapi", schema(example = "club-1"))]
    id: String,
    /// What it shows.
    title: Text,
    /// The reasons, in one's own words: the verdict's, where missing.
    #[serde(default)]
    why: Option<Text>,
    /// Why it is kept.
    #[serde(default)]
    note: String,
}

/// Save a ruling as a case
///
/// Position, moves and book as they were kept; what is expected is what this program rules.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "save_ruling_as_case", path = "/v1/rulings/{number}:case", tag = "log", request_body = CaseOfRuling,
    params(("number" = String, Path, description = "The number.", example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE")), responses(
    (status = 201, description = "The case.", body = OwnCase), Changed, Missing, Busy, Failures), security((), ("key" = ["write"]))))]
pub async fn save(
    state: Data<State>,
    request: HttpRequest,
    number: Path<String>,
    payload: Payload,
) -> Answer {
    let wanted: CaseOfRuling = body::sent(&state.settings, &request, payload).await?;
    own_id(&wanted.id)?;
    let state = state.into_inner();
    let kept = kept(&state, &number).await?;
    let book = book_of(&state, &kept.row.rules).await?;
    let (caller, number) = (caller(&request), kept.row.number.clone());
    let note = versions::noted(&wanted.note, "/note")?;
    let asked_by = Caller::of(&request);
    let case = work(&state, &asked_by, move |_, _| case_of(&kept, &book, wanted)).await?;
    let change = CaseChange {
        case,
        note,
        caller,
        ruling: Some(number),
    };
    Ok(created(&store(&state)?.add_case(change).await?))
}

/// The case a ruling makes.
fn case_of(kept: &RulingText, book: &LoadedBook, wanted: CaseOfRuling) -> Result<Case> {
    let (mut request, loaded) = request_under(kept, book)?;
    // A case is judged as it is asked for: by a player, and with the budget of the book.
    (request.claimed, request.budget) = (true, None);
    let prepared: Prepared = Request::prepare(&request)?;
    let ruling = request.rule(&loaded, prepared);
    let ruling = ruling_json(&request, &loaded, &ruling);
    let natures: Option<Vec<Nature>> = ruling.moves.iter().map(|m| m.nature.flatten()).collect();
    let natures = natures.filter(|_| request.kind == Kind::Cycle);
    let verdict = ruling.verdict;
    let expect = Expect {
        natures: natures.unwrap_or_default(),
        outcome: verdict.outcome,
        side: verdict.side,
        clauses: verdict.clauses.clone(),
    };
    let reason = verdict.reason.unwrap_or_else(|| wanted.title.clone());
    let case = Case {
        id: wanted.id,
        title: wanted.title,
        fen: request.fen.unwrap_or_default(),
        moves: request.moves,
        kind: request.kind,
        ordered: request.ordered,
        assertions: request.assertions,
        source: Source {
            book: kept.row.rules.id.clone(),
            figure: kept.row.number.clone(),
            clauses: verdict.clauses,
            official: false,
            position: Standing::Composed,
            note: None,
        },
        printed: None,
        precedent: None,
        expect: BTreeMap::from([(kept.row.rules.id.clone(), expect)]),
        known_difference: BTreeMap::new(),
        why: wanted.why.unwrap_or(reason),
    };
    read_case(serde_json::to_value(case).map_err(|_| ApiError::broken())?)
}
