//! Bodies and queries as they arrive: bounded in size and in time.

use crate::http::edge::problem::{ApiError, Result};
use crate::http::edge::settings::Settings;
use crate::wire::json;
use actix_web::HttpRequest;
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
    let (en, zh) = (
        format!("a body is taken as it is, without `Content-Encoding: {packed}`"),
        format!("请求体须原样发送，不接受 Content-Encoding: {packed}"),
    );
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    Err(ApiError::new(status, "content_encoding", en, zh))
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
    let (en, zh) = ("the body broke off before its end", "请求体不完整");
    ApiError::new(StatusCode::BAD_REQUEST, "body_incomplete", en, zh)
}

/// The body did not arrive in time.
pub fn late() -> ApiError {
    let (en, zh) = ("the body did not arrive in time", "请求体未及时到齐");
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", en, zh)
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
    let query = Query::<T>::from_query(request.query_string());
    query.map(Query::into_inner).map_err(|error| match error {
        actix_web::error::QueryPayloadError::Deserialize(error) => {
            ApiError::query(&error.to_string())
        }
        _ => ApiError::query("not a query"),
    })
}
