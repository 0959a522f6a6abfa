//! The description of the API, for programs and for people.

use crate::http::desk::work::json;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::{Broken, Missing};
use crate::http::edge::problem::{Answer, ApiError, Result};
use crate::http::resources::description;
use crate::language::both;
use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use actix_web::web::Path;
use std::io::{Cursor, Read as _};
use std::sync::LazyLock;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

/// The description of this API
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/openapi.json", tag = "operation", responses(
    (status = 200, description = "OpenAPI 3.1.", body = Object), Broken)))]
pub async fn openapi() -> HttpResponse {
    json(description::JSON.trim_end())
}

/// The description of this API, to be browsed
///
/// Works without anything from elsewhere.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/docs", tag = "operation", responses(
    (status = 307, description = "To the page."), Broken)))]
pub async fn docs() -> HttpResponse {
    HttpResponse::TemporaryRedirect()
        .insert_header((header::LOCATION, "/docs/"))
        .finish()
}

/// The pages of Swagger UI, as its makers pack them, and the folder in it that they are in.
static PACKED: LazyLock<Option<Packed>> = LazyLock::new(|| {
    let archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED)).ok()?;
    let first = archive.file_names().next()?.ok()?;
    let (top, _) = first.split_once('/')?;
    let folder = format!("{top}/dist/");
    Some(Packed { folder, archive })
});

struct Packed {
    folder: String,
    archive: ZipArchive<Cursor<&'static [u8]>>,
}

/// What the page is told to show: the only file of it that is not as it was packed.
const INITIALIZER: &str = r##"window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    tryItOutEnabled: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  });
};
"##;

/// One of the files; none where there is none of the name.
fn packed(name: &str) -> Result<Option<Vec<u8>>> {
    if name == "swagger-initializer.js" {
        return Ok(Some(INITIALIZER.into()));
    }
    let Packed { folder, archive } = PACKED.as_ref().ok_or_else(ApiError::broken)?;
    // The directory is shared, the place in the file is not.
    let mut archive = archive.clone();
    let Ok(mut file) = archive.by_name(&format!("{folder}{name}")) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let read = file.read_to_end(&mut bytes);
    read.map_err(|_| ApiError::broken())?;
    Ok(Some(bytes))
}

/// What a file is, by its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "html")) => "text/html",
        Some((_, "js")) => "text/javascript",
        Some((_, "css")) => "text/css",
        Some((_, "png")) => "image/png",
        _ => "application/octet-stream",
    }
}

/// A file of the page that shows the description
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/docs/{file}", operation_id = "docs_file", tag = "operation",
    params(("file" = String, Path, description = "The name of the file.", example = "index.html")), responses(
    (status = 200, description = "The file.", body = String, content_type = "text/html"), Missing, Broken)))]
pub async fn docs_file(name: Path<String>) -> Answer {
    let name = match name.as_str() {
        "" => "index.html",
        name => name,
    };
    let missing = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_path",
            both!(
                "there is nothing at `/docs/{name}`",
                "“/docs/{name}”处没有资源"
            ),
        )
    };
    let bytes = packed(name)?.ok_or_else(missing)?;
    Ok(HttpResponse::Ok().content_type(kind(name)).body(bytes))
}

/// An empty object: what rulings are measured against.
pub async fn nothing() -> HttpResponse {
    json("{}")
}
