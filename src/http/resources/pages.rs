//! The description of the API, for programs and for people.

use crate::http::edge::failures::{Broken, Missing};
use crate::http::edge::problem::ApiError;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, web};
use std::sync::{Arc, LazyLock};
use utoipa_swagger_ui::{Config, serve};

/// What describes this API: it stands above what it describes.
#[derive(Clone, Copy, Debug)]
pub struct Description(pub fn() -> &'static str);

/// The description of this API
#[utoipa::path(get, path = "/openapi.json", tag = "operation", responses(
    (status = 200, description = "OpenAPI 3.1.", body = Object), Broken))]
pub async fn openapi(description: web::Data<Description>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body((description.0)())
}

/// The description of this API, to be browsed
///
/// Works without anything from elsewhere.
#[utoipa::path(get, path = "/docs", tag = "operation", responses(
    (status = 307, description = "To the page."), Broken))]
pub async fn docs() -> HttpResponse {
    HttpResponse::TemporaryRedirect()
        .insert_header((header::LOCATION, "/docs/"))
        .finish()
}

static CONFIG: LazyLock<Arc<Config<'static>>> =
    LazyLock::new(|| Arc::new(Config::from("/openapi.json").try_it_out_enabled(true)));

/// A file of the page that shows the description
#[utoipa::path(get, path = "/docs/{file}", operation_id = "docs_file", tag = "operation",
    params(("file" = String, Path, description = "The name of the file.", example = "index.html")), responses(
    (status = 200, description = "The file.", body = String, content_type = "text/html"), Missing, Broken))]
pub async fn docs_file(name: web::Path<String>) -> Result<HttpResponse, ApiError> {
    let found = serve(&name, Arc::clone(&CONFIG)).map_err(|_| ApiError::broken())?;
    let missing = || {
        let (en, zh) = (
            format!("there is nothing at `/docs/{name}`"),
            format!("“/docs/{name}”处没有资源"),
        );
        ApiError::new(StatusCode::NOT_FOUND, "unknown_path", en, zh)
    };
    let file = found.ok_or_else(missing)?;
    Ok(HttpResponse::Ok()
        .content_type(file.content_type)
        .body(file.bytes.into_owned()))
}

/// An empty object: what rulings are measured against.
pub async fn nothing() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body("{}")
}
