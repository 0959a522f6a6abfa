//! Entity tags a caller sends.

use actix_web::HttpRequest;
use actix_web::http::header;

/// Whether the caller has what the tag names.
pub fn at_hand(request: &HttpRequest, tag: &str) -> bool {
    let headers = request.headers().get_all(header::IF_NONE_MATCH);
    headers
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| {
            let one = one.trim();
            one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag
        })
}
