//! Drafts: amendments under discussion.

use crate::cases::Corpus;
use crate::http::desk::state::State;
use crate::http::desk::work::work;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Busy, Changed, Failures, Kept, Missing, Unread};
use crate::http::edge::keys::caller;
use crate::http::edge::limits::Caller;
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::intake::body;
use crate::http::keeping::recording::store;
#[cfg(feature = "openapi")]
use crate::http::resources::library::amendment_schema;
use crate::http::resources::library::{comparison, fit, read};
use crate::http::resources::paging::{MOST, Part, limit, page};
use crate::http::resources::versions::{self, noted};
use crate::language::both;
use crate::rules::{Amendment, LoadedBook};
use crate::store::{DraftChange, DraftNote, DraftReport, DraftRow, DraftStatus};
use crate::written::plain;
use actix_web::http::{StatusCode, header};
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// How many notes are told with their draft.
const MOST_NOTES: u32 = 1000;

/// Drafts.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftList {
    /// As they are now, in the order of their ids.
    drafts: Vec<DraftRow>,
    /// Where the next page begins; null after the last.
    next: Option<String>,
}

/// List the drafts
///
/// In the order of their ids, a page at a time.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/drafts", operation_id = "drafts", tag = "drafts", params(Part), responses(
    (status = 200, description = "The drafts.", body = DraftList), Unread, Missing, Kept, Failures)))]
pub async fn drafts(state: Data<State>, request: HttpRequest) -> Answer {
    let part: Part = body::query(&request)?;
    let limit = limit(part.limit)?;
    let behind = part.cursor.unwrap_or_default();
    let found = store(&state)?.drafts(&behind, limit + 1).await?;
    let (drafts, next) = page(found, limit, |draft| draft.id.clone());
    Ok(HttpResponse::Ok().json(DraftList { drafts, next }))
}

/// A draft to be put.
#[derive(Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DraftToPut {
    /// The amendment: the text of its TOML file, or the same as an object. Of a draft there is,
    /// what it has where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = amendment_schema))]
    amendment: Option<Value>,
    /// Its title: the amendment's in Chinese, where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// How far it has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<DraftStatus>,
}

fn unknown(id: &str) -> ApiError {
    versions::unknown("unknown_draft", id, &both!("draft", "草案"))
}

/// An amendment as it was sent, read and fitted over its base.
fn fitted(state: &State, amendment: &Value) -> Result<(String, Amendment, LoadedBook)> {
    let text = plain(amendment);
    let read = read(state, &text)?;
    let (base, amended) = fit(state, &read)?;
    drop(base);
    Ok((text, read, amended))
}

/// Add a draft
///
/// Its id is the amendment's; a request's `rules` may name it: `id` for what it is now, `id@2` for
/// that version.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "add_draft", path = "/v1/drafts", tag = "drafts", request_body = DraftToPut, responses(
    (status = 201, description = "The draft.", body = DraftRow), Changed, Missing, Kept, Failures), security((), ("key" = ["write"]))))]
pub async fn add(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let put: DraftToPut = body::sent(&state.settings, &request, payload).await?;
    let Some(amendment) = put.amendment else {
        return Err(ApiError::unprocessable(
            "request_shape",
            "/amendment",
            both!("`amendment` is missing", "缺少 amendment"),
        ));
    };
    let (text, amendment, amended) = fitted(&state, &amendment)?;
    let taken = state.catalog.get(&amendment.id).is_ok();
    if taken {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "conflict",
            both!("a rule book has this id", "已有规则使用该 id"),
        )
        .at("/amendment/id"));
    }
    let change = DraftChange {
        title: noted(&put.title.unwrap_or(amendment.title.zh), "/title")?,
        id: amendment.id,
        status: put.status.unwrap_or_default(),
        digest: amended.digest,
        amendment: text,
        caller: caller(&request),
    };
    let row = store(&state)?.put_draft(change, 0).await?;
    let place = format!("/v1/drafts/{}", row.id);
    Ok(versions::created(place, row.version, row))
}

/// A draft with what was said and found.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftInFull {
    #[serde(flatten)]
    draft: DraftRow,
    /// The notes, the oldest first: of more than a thousand the newest.
    notes: Vec<DraftNote>,
    /// The comparisons, the newest first: two hundred at most.
    reports: Vec<DraftReport>,
}

async fn latest(state: &State, id: &str) -> Result<DraftRow> {
    let versions = store(state)?.draft_versions(id, None, 1).await?;
    versions.into_iter().next().ok_or_else(|| unknown(id))
}

/// A draft with its notes and comparisons
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/drafts/{id}", tag = "drafts",
    params(("id" = String, Path, description = "Its id.", example = "trial")), responses(
    (status = 200, description = "The draft.", body = DraftInFull), Missing, Kept, Failures)))]
pub async fn draft(state: Data<State>, id: Path<String>) -> Answer {
    let draft = latest(&state, &id).await?;
    let store = store(&state)?;
    let mut notes = store.notes(&id, None, MOST_NOTES).await?;
    notes.reverse();
    let reports = store.reports(&id, None, MOST).await?;
    let version = draft.version;
    let whole = DraftInFull {
        draft,
        notes,
        reports,
    };
    Ok(versions::at(version, whole))
}

/// Revise a draft
///
/// What is left out stays as it is. With `If-Match` only if it is at that version.
#[cfg_attr(feature = "openapi", utoipa::path(put, operation_id = "revise_draft", path = "/v1/drafts/{id}", tag = "drafts", request_body = DraftToPut, params(
    ("id" = String, Path, description = "Its id.", example = "trial"),
    ("If-Match" = Option<String>, Header, description = "The version it is meant for.")), responses(
    (status = 200, description = "The draft.", body = DraftRow), Changed, Missing, Kept, Failures), security((), ("key" = ["write"]))))]
pub async fn revise(
    state: Data<State>,
    request: HttpRequest,
    id: Path<String>,
    payload: Payload,
) -> Answer {
    let at = versions::meant_for(&request)?;
    let put: DraftToPut = body::sent(&state.settings, &request, payload).await?;
    let before = latest(&state, &id).await?;
    let (amendment, digest) = match &put.amendment {
        None => (before.amendment, before.digest),
        Some(amendment) => {
            let (text, amendment, amended) = fitted(&state, amendment)?;
            if amendment.id != *id {
                return Err(versions::another_id(
                    "/amendment/id",
                    &both!("amendment", "修订"),
                ));
            }
            (text, amended.digest)
        }
    };
    let change = DraftChange {
        id: before.id,
        title: noted(&put.title.unwrap_or(before.title), "/title")?,
        status: put.status.unwrap_or(before.status),
        digest,
        amendment,
        caller: caller(&request),
    };
    let row = store(&state)?
        .put_draft(change, at.unwrap_or(before.version))
        .await;
    let row = versions::changed(row, at)?;
    Ok(versions::at(row.version, row))
}

/// Versions of a draft.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftVersions {
    /// The newest first.
    versions: Vec<DraftRow>,
    /// Where the next page begins; null after the last.
    next: Option<String>,
}

/// The history of a draft
///
/// The newest version first, a page at a time.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "draft_versions", path = "/v1/drafts/{id}/versions", tag = "drafts",
    params(("id" = String, Path, description = "Its id.", example = "trial"), Part), responses(
    (status = 200, description = "Its versions.", body = DraftVersions), Unread, Missing, Kept, Failures)))]
pub async fn versions(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    let part: Part = body::query(&request)?;
    let (limit, before) = part.asked()?;
    let found = store(&state)?
        .draft_versions(&id, before, limit + 1)
        .await?;
    if found.is_empty() {
        latest(&state, &id).await?;
    }
    let (versions, next) = page(found, limit, |draft| draft.version.to_string());
    Ok(HttpResponse::Ok().json(DraftVersions { versions, next }))
}

/// A note to be written.
#[derive(Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NoteToPut {
    /// What it says.
    text: String,
    /// Who writes it; behind it stands the name of the key, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 80))]
    by: Option<String>,
}

/// Letters the name of a writer may have.
const LONGEST_NAME: usize = 80;

/// Who wrote something: the name given, and the key's.
fn written_by(by: Option<&str>, key: String) -> Result<String> {
    let by = by.unwrap_or_default().trim();
    if by.chars().count() > LONGEST_NAME || by.chars().any(char::is_control) {
        return Err(ApiError::unprocessable(
            "bad_text",
            "/by",
            both!(
                "a name has at most {LONGEST_NAME} characters, on one line",
                "署名至多{LONGEST_NAME}字，不换行"
            ),
        ));
    }
    Ok(match (by, key.as_str()) {
        ("", _) => key,
        (by, "") => by.to_owned(),
        (by, key) => format!("{by} ({key})"),
    })
}

/// Write a note on a draft
///
/// On the version the draft is at.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "add_draft_note", path = "/v1/drafts/{id}/notes", tag = "drafts", request_body = NoteToPut,
    params(("id" = String, Path, description = "Its id.", example = "trial")), responses(
    (status = 201, description = "The note.", body = DraftNote), Changed, Missing, Kept, Failures), security((), ("key" = ["write"]))))]
pub async fn note(
    state: Data<State>,
    request: HttpRequest,
    id: Path<String>,
    payload: Payload,
) -> Answer {
    let put: NoteToPut = body::sent(&state.settings, &request, payload).await?;
    let text = noted(&put.text, "/text")?;
    let by = written_by(put.by.as_deref(), caller(&request))?;
    let draft = latest(&state, &id).await?;
    let note = store(&state)?
        .add_note(&id, draft.version, &by, &text)
        .await;
    Ok(HttpResponse::Created().json(note?))
}

/// Notes.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftNotes {
    /// The newest first.
    notes: Vec<DraftNote>,
    /// Where the next page begins; null after the last.
    next: Option<String>,
}

/// List the notes on a draft
///
/// The newest first, a page at a time.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "draft_notes", path = "/v1/drafts/{id}/notes", tag = "drafts",
    params(("id" = String, Path, description = "Its id.", example = "trial"), Part), responses(
    (status = 200, description = "The notes.", body = DraftNotes), Unread, Missing, Kept, Failures)))]
pub async fn notes(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    let part: Part = body::query(&request)?;
    let (limit, behind) = part.asked()?;
    latest(&state, &id).await?;
    let found = store(&state)?.notes(&id, behind, limit + 1).await?;
    let (notes, next) = page(found, limit, |note| note.number.clone());
    Ok(HttpResponse::Ok().json(DraftNotes { notes, next }))
}

/// Comparisons.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftReports {
    /// The newest first.
    reports: Vec<DraftReport>,
    /// Where the next page begins; null after the last.
    next: Option<String>,
}

/// List the comparisons kept with a draft
///
/// The newest first, a page at a time.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "draft_reports", path = "/v1/drafts/{id}/reports", tag = "drafts",
    params(("id" = String, Path, description = "Its id.", example = "trial"), Part), responses(
    (status = 200, description = "The comparisons.", body = DraftReports), Unread, Missing, Kept, Failures)))]
pub async fn reports(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    let part: Part = body::query(&request)?;
    let (limit, behind) = part.asked()?;
    latest(&state, &id).await?;
    let found = store(&state)?.reports(&id, behind, limit + 1).await?;
    let (reports, next) = page(found, limit, |report| report.number.clone());
    Ok(HttpResponse::Ok().json(DraftReports { reports, next }))
}

/// Compare a draft with its base, and keep what comes of it
///
/// Over the published cases and the own ones, of the version the draft is at.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "compare_draft", path = "/v1/drafts/{id}/reports", tag = "drafts",
    params(("id" = String, Path, description = "Its id.", example = "trial")), responses(
    (status = 201, description = "The comparison, in short.", body = DraftReport), Missing, Busy, Failures), security((), ("key" = ["write"]))))]
pub async fn compare(state: Data<State>, request: HttpRequest, id: Path<String>) -> Answer {
    let state = state.into_inner();
    let draft = latest(&state, &id).await?;
    let own = store(&state)?.own_cases(false).await?;
    let version = draft.version;
    let asked_by = Caller::of(&request);
    let made = work(&state, &asked_by, move |state, task| {
        let amendment = read(state, &draft.amendment)?;
        let (base, amended) = fit(state, &amendment)?;
        let own = own.iter().map(|own| &own.case);
        let cases = Corpus::builtin().iter().chain(own);
        let comparison = comparison([&base, &amended], cases, "", task)?;
        let report = serde_json::to_string(&comparison).map_err(|_| ApiError::broken())?;
        let summary = serde_json::to_value(comparison.counts).map_err(|_| ApiError::broken())?;
        Ok((summary, report))
    });
    let (summary, report) = made.await?;
    let kept = store(&state)?
        .add_report(&id, version, &caller(&request), summary, report)
        .await;
    let kept = kept?;
    let location = format!("/v1/drafts/{id}/reports/{}", kept.number);
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, location))
        .json(kept))
}

/// A comparison in full
///
/// As `POST /v1/amendments:compare` answers it, and as it was when it was made.
#[cfg_attr(feature = "openapi", utoipa::path(get, operation_id = "draft_report", path = "/v1/drafts/{id}/reports/{number}", tag = "drafts", params(
    ("id" = String, Path, description = "The draft's id.", example = "trial"),
    ("number" = String, Path, description = "The comparison's number.", example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE")), responses(
    (status = 200, description = "The comparison.", body = Object), Missing, Kept, Failures)))]
pub async fn report(state: Data<State>, path: Path<(String, String)>) -> Answer {
    let (id, number) = path.into_inner();
    let found = store(&state)?.report(&id, &number).await?;
    let missing = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_report",
            both!(
                "there is no comparison `{number}` of `{id}`",
                "草案“{id}”没有比较“{number}”"
            ),
        )
    };
    let raw = RawValue::from_string(found.ok_or_else(missing)?).map_err(|_| ApiError::broken())?;
    Ok(HttpResponse::Ok().json(raw))
}
