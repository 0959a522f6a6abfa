//! The arbiter's page, as it is sent.

use crate::http::desk::page::Asset;
use crate::http::desk::state::State;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Broken, Missing};
use crate::http::edge::problem::{Answer, ApiError};
use crate::http::intake::tags;
use crate::language::both;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

/// The file, packed where the caller unpacks; nothing where the caller has it.
fn answer_with(file: &Asset, request: &HttpRequest, age: &str) -> HttpResponse {
    let packed = !file.packed.is_empty() && unpacks(request.headers());
    let tag = format!("\"{}{}\"", file.tag, if packed { "-gzip" } else { "" });
    let at_hand = tags::at_hand(request, &tag);
    let status = if at_hand {
        StatusCode::NOT_MODIFIED
    } else {
        StatusCode::OK
    };
    let mut answer = HttpResponse::build(status);
    answer
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, age))
        .insert_header((header::VARY, "Accept-Encoding"));
    if at_hand {
        return answer.finish();
    }
    answer.content_type(file.kind);
    if packed {
        answer.insert_header((header::CONTENT_ENCODING, "gzip"));
        answer.body(file.packed.clone())
    } else {
        answer.body(file.plain.clone())
    }
}

/// Whether a caller takes gzip.
fn unpacks(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    accepted.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        matches!(name.trim(), "gzip" | "*") && !matches!(weight.trim(), "q=0" | "q=0.0")
    })
}

/// The arbiter's page
///
/// Rulings, the case library and amendments, for people; it asks this API and nothing else.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/", tag = "operation", responses(
    (status = 200, description = "The page.", body = String, content_type = "text/html"), Broken)))]
pub async fn index(state: Data<State>, request: HttpRequest) -> HttpResponse {
    let page = &state.page;
    let mut answer = answer_with(&page.index, &request, "no-cache");
    let policy = header::HeaderValue::from_static(page.policy);
    answer
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    answer
}

/// What keeps the arbiter's page at hand
///
/// The script that lets a browser open the page with no network, where the page rules by itself.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/service-worker.js", tag = "operation", responses(
    (status = 200, description = "The script.", body = String, content_type = "text/javascript"), Missing, Broken)))]
pub async fn worker(state: Data<State>, request: HttpRequest) -> Answer {
    let missing = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_path",
            both!(
                "this page does not rule by itself, and needs its service",
                "此页不自行裁决，须有服务"
            ),
        )
    };
    let worker = state.page.worker.as_ref().ok_or_else(missing)?;
    Ok(answer_with(worker, &request, "no-cache"))
}

/// A file of the arbiter's page
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/page/{state}/{file}", tag = "operation", params(
    ("state" = String, Path, description = "Names the state of the files."),
    ("file" = String, Path, description = "The name of the file.")), responses(
    (status = 200, description = "The file.", body = String, content_type = "text/plain"), Missing, Broken)))]
pub async fn file(
    service: Data<State>,
    request: HttpRequest,
    path: Path<(String, String)>,
) -> Answer {
    let (state, name) = path.into_inner();
    let page = &service.page;
    let known = page
        .files
        .get(name.as_str())
        .filter(|_| state == page.state);
    let missing = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_path",
            both!(
                "this page has no file `{name}`, or no longer",
                "页面没有文件“{name}”，或已更新"
            ),
        )
    };
    let file = known.ok_or_else(missing)?;
    Ok(answer_with(
        file,
        &request,
        "public, max-age=31536000, immutable",
    ))
}
