//! Entity tags a caller sends.

use crate::version::BUILD;
use crate::written::hex;
use actix_web::HttpRequest;
use actix_web::http::header;
use sha2::{Digest, Sha256};

/// A strong entity tag: the same for what is told of the same by the same build of the program.
pub fn of(what: &str) -> String {
    let hash = Sha256::new()
        .chain_update(BUILD)
        .chain_update(what)
        .finalize();
    format!("\"{:.32}\"", hex(&hash))
}

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
