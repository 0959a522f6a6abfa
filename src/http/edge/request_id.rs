//! What a request is called, by its caller or by the service.

use crate::store::Number;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The header that has it, in requests and in answers.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Bytes of one that is taken from a caller.
const LONGEST: usize = 128;

/// What a request is called.
#[derive(Clone, Debug)]
pub struct RequestId(pub HeaderValue);

impl RequestId {
    /// As its caller calls it; by a name of our own where that is none, or none to be written down.
    pub fn of(headers: &HeaderMap) -> Self {
        let told = headers.get(&REQUEST_ID);
        let told = told.filter(|id| (1..=LONGEST).contains(&id.len()) && id.to_str().is_ok());
        Self(told.cloned().unwrap_or_else(made))
    }

    /// The same as text.
    pub fn text(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// A name that no other request has, of this process or of another.
fn made() -> HeaderValue {
    static PROCESS: LazyLock<String> =
        LazyLock::new(|| Number::new().map_or_else(|_| String::new(), |it| it.to_string()));
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let made = format!("{}-{:x}", *PROCESS, NEXT.fetch_add(1, Relaxed));
    HeaderValue::try_from(made).unwrap_or_else(|_| HeaderValue::from_static("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_keeps_its_name_or_gets_one() {
        let called = |name: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, HeaderValue::from_bytes(name).unwrap());
            RequestId::of(&headers).text().to_owned()
        };
        assert_eq!(called(b"my-17"), "my-17");
        let others = [
            called(b""),
            called(&b"x".repeat(LONGEST + 1)),
            called("名".as_bytes()),
            RequestId::of(&HeaderMap::new()).text().to_owned(),
        ];
        for (at, made) in others.iter().enumerate() {
            assert!(made.len() > 26 && made.is_ascii(), "{made}");
            assert!(!others[..at].contains(made), "{made}");
        }
    }
}
