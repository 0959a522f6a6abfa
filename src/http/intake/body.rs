//! Bodies and queries as they arrive: bounded in size and in time.

use crate::http::edge::problem::{ApiError, Result};
use crate::http::edge::settings::Settings;
use crate::language::both;
use crate::wire::{in_words, json};
use actix_web::HttpRequest;
use actix_web::error::QueryPayloadError;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{Bytes, BytesMut, Payload, Query};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How long a body is, where its head says so.
pub fn length(headers: &HeaderMap) -> Option<usize> {
    let length = headers.get(header::CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

/// Whether a body is sent as it is, and not packed.
///
/// # Errors
/// It is not: nothing here unpacks it.
pub fn plain(headers: &HeaderMap) -> Result {
    let named = headers.get_all(header::CONTENT_ENCODING);
    let named = named.flat_map(|named| named.to_str().unwrap_or("?").split(','));
    let plain = |named: &&str| named.is_empty() || named.eq_ignore_ascii_case("identity");
    let Some(packed) = named.map(str::trim).find(|named| !plain(named)) else {
        return Ok(());
    };
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    Err(ApiError::new(
        status,
        "content_encoding",
        both!(
            "a body is taken as it is, without `Content-Encoding: {packed}`",
            "请求体须原样发送，不接受 Content-Encoding: {packed}"
        ),
    ))
}

/// The whole body.
///
/// # Errors
/// It is packed, too large, breaks off, or takes too long.
pub async fn whole(
    settings: &Settings,
    request: &HttpRequest,
    mut payload: Payload,
) -> Result<Bytes> {
    plain(request.headers())?;
    let most = settings.max_body;
    let length = length(request.headers());
    if length.is_some_and(|length| length > most) {
        return Err(ApiError::too_large(most));
    }
    let read = async {
        let mut first = Bytes::new();
        let mut rest = BytesMut::new();
        while let Some(piece) = payload.next().await {
            let piece = piece.map_err(|_| broken_off())?;
            if first.len() + rest.len() + piece.len() > most {
                return Err(ApiError::too_large(most));
            }
            if first.is_empty() {
                first = piece;
            } else {
                rest.extend_from_slice(&piece);
            }
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok([first, rest.freeze()].concat().into())
    };
    let wait = Duration::from_millis(settings.body_wait_ms);
    tokio::time::timeout(wait, read).await.map_err(|_| late())?
}

/// The body broke off.
pub fn broken_off() -> ApiError {
    ApiError::new(
        StatusCode::BAD_REQUEST,
        "body_incomplete",
        both!("the body broke off before its end", "请求体不完整"),
    )
}

/// The body did not arrive in time.
pub fn late() -> ApiError {
    ApiError::new(
        StatusCode::REQUEST_TIMEOUT,
        "body_timeout",
        both!("the body did not arrive in time", "请求体未及时到齐"),
    )
}

/// The whole body as the JSON of a value.
///
/// # Errors
/// It cannot be had, or it is not.
pub async fn sent<T: DeserializeOwned>(
    settings: &Settings,
    request: &HttpRequest,
    payload: Payload,
) -> Result<T> {
    Ok(json(&whole(settings, request, payload).await?)?)
}

/// The query.
///
/// # Errors
/// A parameter that is missing, unknown or of another form.
pub fn query<T: DeserializeOwned>(request: &HttpRequest) -> Result<T> {
    let text = request.query_string();
    let read = |text: &str| Query::<T>::from_query(text);
    let fault = match read(text) {
        Ok(query) => return Ok(query.into_inner()),
        Err(QueryPayloadError::Deserialize(fault)) => fault.to_string(),
        Err(_) => "not a query".to_owned(),
    };
    if let Some(rest) = fault.strip_prefix("missing field `") {
        let name = rest.trim_end_matches('`');
        return Err(ApiError::query(name, &both!("it is missing", "缺少")));
    }
    // What is wrong with a value is found as soon as it is met: whatever ends before it has no such fault, all else has.
    let ends = text.match_indices('&').map(|(at, _)| at);
    let ends: Vec<_> = ends.chain([text.len()]).collect();
    let first = ends.partition_point(|&end| {
        let before = read(text.get(..end).unwrap_or_default());
        !matches!(before, Err(QueryPayloadError::Deserialize(met)) if met.to_string() == fault)
    });
    let met = ends.get(first);
    let met = met.and_then(|&end| text.get(..end)).unwrap_or_default();
    let (_, last) = met.rsplit_once('&').unwrap_or(("", met));
    let name = last.split('=').next().unwrap_or_default();
    Err(ApiError::query(name, &in_words(&fault)))
}
