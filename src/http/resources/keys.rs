//! API keys that are kept.

use crate::http::desk::state::State;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Changed, Failures, Kept, Missing, Unread};
use crate::http::edge::problem::{Answer, ApiError};
use crate::http::intake::body;
use crate::http::keeping::recording::store;
use crate::http::resources::paging::{Part, page};
use crate::http::resources::versions::unknown;
use crate::language::both;
use crate::store::{KeyRow, NewKey, StoreError, is_key_name};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

/// The keys.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeyList {
    /// Every key there is or was, the newest first.
    keys: Vec<KeyRow>,
    /// Where the next page begins; null after the last.
    next: Option<String>,
}

/// List the API keys
///
/// Those revoked as well, a page at a time; of none the key itself, which is not kept.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/keys", tag = "keys", params(Part), responses(
    (status = 200, description = "The keys.", body = KeyList), Unread, Missing, Kept, Failures), security((), ("key" = ["admin"]))))]
pub async fn keys(state: Data<State>, request: HttpRequest) -> Answer {
    let part: Part = body::query(&request)?;
    let (limit, behind) = part.asked()?;
    let found = store(&state)?.keys(behind, limit + 1).await?;
    let (keys, next) = page(found, limit, |key| key.id.clone());
    Ok(HttpResponse::Ok().json(KeyList { keys, next }))
}

/// A key that was made.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MadeKey {
    #[serde(flatten)]
    row: KeyRow,
    /// The key itself: it is told this once.
    #[cfg_attr(
        feature = "openapi",
        schema(example = "qili_0000000000000000000000000000000000000000000000000000000000000000")
    )]
    key: String,
}

/// Make an API key
///
/// The first is made by the command `qili keys add`; from then on everybody needs one for good, even
/// when the last was revoked.
#[cfg_attr(feature = "openapi", utoipa::path(post, operation_id = "add_key", path = "/v1/keys", tag = "keys", request_body = NewKey, responses(
    (status = 201, description = "The key.", body = MadeKey), Changed, Missing, Kept, Failures), security((), ("key" = ["admin"]))))]
pub async fn add(state: Data<State>, request: HttpRequest, payload: Payload) -> Answer {
    let new: NewKey = body::sent(&state.settings, &request, payload).await?;
    if !is_key_name(&new.name) {
        return Err(ApiError::unprocessable(
            "bad_name",
            "/name",
            both!("a name has 1 to 100 characters", "名称应为1至100个字符"),
        ));
    }
    if new.scopes.is_empty() {
        return Err(ApiError::unprocessable(
            "no_scopes",
            "/scopes",
            both!(
                "a key without scopes is good for nothing: name `judge`, `write` or `admin`",
                "没有权限的密钥毫无用处：请列出 judge、write 或 admin"
            ),
        ));
    }
    // Whoever made the first key could lock everybody else out: that takes access to the store itself.
    if state.door().asker(None).is_ok() {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "first_key_by_command",
            both!(
                "the first key is made by the command: `qili keys add --scopes admin NAME`",
                "首个密钥须用命令创建：qili keys add --scopes admin 名称"
            ),
        ));
    }
    let made = store(&state)?.add_key(new).await;
    let (row, key) = made.map_err(|error| {
        if error != StoreError::Conflict {
            return error.into();
        }
        ApiError::new(
            StatusCode::CONFLICT,
            "conflict",
            both!("a key in force has this name", "已有同名的有效密钥"),
        )
        .at("/name")
    })?;
    Ok(HttpResponse::Created().json(MadeKey { row, key }))
}

/// Revoke an API key
///
/// At once here, and within seconds at every instance that shares the store.
#[cfg_attr(feature = "openapi", utoipa::path(delete, operation_id = "revoke_key", path = "/v1/keys/{id}", tag = "keys",
    params(("id" = String, Path, description = "Its id.", example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE")), responses(
    (status = 200, description = "The key, revoked.", body = KeyRow), Missing, Kept, Failures), security((), ("key" = ["admin"]))))]
pub async fn revoke(state: Data<State>, id: Path<String>) -> Answer {
    let revoked = store(&state)?.revoke_key(&id).await?;
    let missing = || unknown("unknown_key", &id, &both!("key", "密钥"));
    Ok(HttpResponse::Ok().json(revoked.ok_or_else(missing)?))
}
