//! What is kept in versions: cases and drafts.

use crate::http::edge::problem::{ApiError, Result};
use crate::http::intake::tags;
use crate::language::{Text, both};
use crate::store::StoreError;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

/// Characters of a note.
const LONGEST_NOTE: usize = 4000;

/// An answer that is at a version.
pub fn at(version: i64, answer: impl Serialize) -> HttpResponse {
    HttpResponse::Ok().insert_header(tag(version)).json(answer)
}

/// The same, where the caller has not got it yet.
pub fn asked_for(request: &HttpRequest, version: i64, answer: impl Serialize) -> HttpResponse {
    let tag = tag(version);
    if tags::at_hand(request, &tag.1) {
        return HttpResponse::NotModified().insert_header(tag).finish();
    }
    at(version, answer)
}

/// Something that was made, and where it is.
pub fn created(place: String, version: i64, answer: impl Serialize) -> HttpResponse {
    HttpResponse::Created()
        .insert_header((header::LOCATION, place))
        .insert_header(tag(version))
        .json(answer)
}

fn tag(version: i64) -> (header::HeaderName, String) {
    (header::ETAG, format!("\"{version}\""))
}

/// There is none of that id.
pub fn unknown(code: &'static str, id: &str, what: &Text) -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        code,
        both!(what; "there is no {what} `{id}`", "没有{what}“{id}”"),
    )
}

/// What is sent has another id than the path.
pub fn another_id(pointer: &str, what: &Text) -> ApiError {
    ApiError::unprocessable(
        "another_id",
        pointer,
        both!(what; "the {what} has another id than the path", "{what}的 id 与路径不符"),
    )
}

/// The text, if it is short enough and a column takes it.
pub fn noted(text: &str, pointer: &str) -> Result<String> {
    if text.chars().count() <= LONGEST_NOTE && !text.contains('\0') {
        return Ok(text.to_owned());
    }
    Err(ApiError::unprocessable(
        "bad_text",
        pointer,
        both!(
            "at most {LONGEST_NOTE} characters are taken",
            "最多{LONGEST_NOTE}个字符"
        ),
    ))
}

/// The version a change is meant for.
pub fn meant_for(request: &HttpRequest) -> Result<Option<i64>> {
    let Some(header) = request.headers().get(header::IF_MATCH) else {
        return Ok(None);
    };
    let text = header.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    let number = text.trim_matches('"').parse().ok();
    let bad = || {
        ApiError::new(
            StatusCode::BAD_REQUEST,
            "bad_revision",
            both!("`If-Match` is no revision", "If-Match 不是修订号"),
        )
    };
    number.map(Some).ok_or_else(bad)
}

/// What came of a change that was meant for a version.
pub fn changed<T>(done: Result<T, StoreError>, meant_for: Option<i64>) -> Result<T> {
    done.map_err(|error| {
        if error != StoreError::Conflict || meant_for.is_none() {
            return error.into();
        }
        let status = StatusCode::PRECONDITION_FAILED;
        ApiError::new(
            status,
            "revision_mismatch",
            both!("it is at another revision by now", "其间已有新的修订"),
        )
    })
}
