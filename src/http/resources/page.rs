//! The arbiter's page: a handful of files, part of the program, that speak to the public API.

use crate::diagram;
use crate::http::edge::failures::{Broken, Missing};
use crate::http::edge::problem::ApiError;
use crate::http::intake::tags;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::LazyLock;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/http/web");

/// Nothing from elsewhere, nothing inline, and no text that becomes markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// Where the index has the name of this state of the files.
const STATE: &str = "{state}";

/// A file as it is sent.
struct Asset {
    kind: &'static str,
    tag: String,
    plain: Bytes,
    packed: Bytes,
}

/// All files, compressed once.
struct Page {
    /// Names this state of the files: it is part of their paths, so that they can be kept for good.
    state: String,
    index: Asset,
    files: BTreeMap<&'static str, Asset>,
}

static PAGE: LazyLock<Page> = LazyLock::new(Page::new);

impl Asset {
    fn new(name: &str, content: Vec<u8>) -> Self {
        let ending = name.rsplit('.').next().unwrap_or_default();
        let kind = match ending {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        };
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder
            .write_all(&content)
            .and_then(|()| encoder.finish())
            .unwrap_or_default();
        Self {
            kind,
            tag: hex(&[&content]),
            plain: content.into(),
            packed: packed.into(),
        }
    }

    /// The file, packed where the caller unpacks; nothing where the caller has it.
    fn answer(&self, request: &HttpRequest, age: &str) -> HttpResponse {
        let packed = !self.packed.is_empty() && unpacks(request.headers());
        let tag = format!("\"{}{}\"", self.tag, if packed { "-gzip" } else { "" });
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
        answer.content_type(self.kind);
        if packed {
            answer.insert_header((header::CONTENT_ENCODING, "gzip"));
            answer.body(self.packed.clone())
        } else {
            answer.body(self.plain.clone())
        }
    }
}

impl Page {
    fn new() -> Self {
        let mut contents: BTreeMap<&'static str, Vec<u8>> = FILES
            .files()
            .filter_map(|file| Some((file.path().to_str()?, file.contents().to_vec())))
            .collect();
        contents.insert("outlines.txt", diagram::OUTLINES.as_bytes().to_vec());
        let index = contents.remove("index.html").unwrap_or_default();
        let all = contents
            .values()
            .map(Vec::as_slice)
            .chain([index.as_slice()]);
        let mut state = hex(&all.collect::<Vec<_>>());
        state.truncate(16);
        let index = String::from_utf8_lossy(&index).replace(STATE, &state);
        let files = contents.into_iter();
        Self {
            index: Asset::new("index.html", index.into_bytes()),
            files: files
                .map(|(name, content)| (name, Asset::new(name, content)))
                .collect(),
            state,
        }
    }
}

fn hex(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    let mut text = String::new();
    for byte in digest.finalize().iter().take(16) {
        let _ = write!(text, "{byte:02x}");
    }
    text
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
#[utoipa::path(get, path = "/", tag = "operation", responses(
    (status = 200, description = "The page.", body = String, content_type = "text/html"), Broken))]
pub async fn index(request: HttpRequest) -> HttpResponse {
    let mut answer = PAGE.index.answer(&request, "no-cache");
    let policy = header::HeaderValue::from_static(POLICY);
    answer
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    answer
}

/// A file of the arbiter's page
#[utoipa::path(get, path = "/page/{state}/{file}", tag = "operation", params(
    ("state" = String, Path, description = "Names the state of the files."),
    ("file" = String, Path, description = "The name of the file.")), responses(
    (status = 200, description = "The file.", body = String, content_type = "text/plain"), Missing, Broken))]
pub async fn file(
    request: HttpRequest,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (state, name) = path.into_inner();
    let known = PAGE
        .files
        .get(name.as_str())
        .filter(|_| state == PAGE.state);
    let missing = || {
        let (en, zh) = (
            format!("this page has no file `{name}`, or no longer"),
            format!("页面没有文件“{name}”，或已更新"),
        );
        ApiError::new(StatusCode::NOT_FOUND, "unknown_path", en, zh)
    };
    let file = known.ok_or_else(missing)?;
    Ok(file.answer(&request, "public, max-age=31536000, immutable"))
}

#[cfg(test)]
mod tests {
    use super::PAGE;

    /// What a browser loads, compressed.
    const MOST: usize = 160 << 10;

    #[test]
    fn the_page_is_light_and_whole() {
        let sent: usize = PAGE.files.values().map(|file| file.packed.len()).sum();
        let sent = sent + PAGE.index.packed.len();
        assert!(sent < MOST, "{sent} bytes");
        assert!(sent > 10_000, "{sent} bytes");
    }

    #[test]
    fn the_index_names_files_there_are() {
        let index = String::from_utf8(PAGE.index.plain.to_vec()).unwrap();
        let prefix = format!("page/{}/", PAGE.state);
        let named: Vec<_> = index.split(&prefix).skip(1).collect();
        assert!(named.len() > 1);
        for rest in named {
            let name = rest.split('"').next().unwrap();
            assert!(PAGE.files.contains_key(name), "{name}");
        }
        let handles = |word: &str| word.starts_with("on") && word.contains('=');
        assert!(!index.split_whitespace().any(handles));
        assert!(!index.contains("<style") && !index.contains(" style="));
    }
}
