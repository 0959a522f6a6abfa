//! The description of the API, for programs and for people.

use crate::http::openapi::{Broken, json};
use actix_web::HttpResponse;
use actix_web::http::header;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// The description of this API
#[utoipa::path(get, path = "/openapi.json", tag = "operation", responses(
    (status = 200, description = "OpenAPI 3.1.", body = Object), Broken))]
pub async fn openapi() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(json())
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

/// The page itself.
pub fn swagger() -> SwaggerUi {
    SwaggerUi::new("/docs/{_:.*}").config(Config::from("/openapi.json").try_it_out_enabled(true))
}

/// An empty object: what rulings are measured against.
pub async fn nothing() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body("{}")
}
