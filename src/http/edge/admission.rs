//! Who may do what, and how often: decided by the route a request was matched to, never by the
//! text of its path.

use crate::http::edge::keys::{Asker, Keys, Scope, not_allowed};
use crate::http::edge::limits::{Caller, Left, Limits, network};
use crate::http::edge::problem::{ApiError, Result};
use crate::http::edge::settings::Settings;
use crate::language::both;
use crate::store::Store;
use actix_web::HttpMessage as _;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{self, HeaderMap};
use actix_web::http::{Method, StatusCode, Version};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// What decides who is let in.
#[derive(Clone, Copy, Debug)]
pub struct Door<'a> {
    /// What the operator set.
    pub settings: &'a Settings,
    /// The keys of a file, where there is one.
    pub keys: Option<&'a Keys>,
    /// Where other keys are kept.
    pub store: Option<&'a Store>,
    /// How often anybody may ask.
    pub limits: Option<&'a Limits>,
}

impl Door<'_> {
    /// Who holds a key; nobody in particular where no key is asked for.
    ///
    /// # Errors
    /// The key is unknown, or nobody knows yet which keys there are.
    pub fn asker(&self, key: Option<&str>) -> Result<Option<Asker>> {
        Asker::of(self.keys, self.store, self.settings.may_be_open(), key)
    }

    /// Whether a request may be answered, and how many more its caller may make.
    pub fn admit(&self, need: Option<Scope>, request: &ServiceRequest) -> (Result, Option<Left>) {
        let Some(scope) = need else {
            return (Ok(()), None);
        };
        if !matches!(scope, Scope::Judge)
            && let Err(error) = typed(request)
        {
            return (Err(error), None);
        }
        let mut caller = None;
        match self.asker(key(request.headers())) {
            Err(error) => return (Err(error), None),
            Ok(None) => {}
            Ok(Some(asker)) => {
                caller = Some(Caller::Key(asker.name.clone()));
                let allowed = asker.may(scope);
                request.extensions_mut().insert(Arc::new(asker));
                if !allowed {
                    return (Err(not_allowed(scope)), None);
                }
            }
        }
        let caller = caller.unwrap_or_else(|| {
            let peer = address(self.settings, request.headers(), request.peer_addr());
            Caller::Peer(peer.map(network))
        });
        request.extensions_mut().insert(caller.clone());
        let (Some(limits), Scope::Judge | Scope::Write) = (self.limits, scope) else {
            return (Ok(()), None);
        };
        let left = limits.ask(&caller);
        let Some(wait) = left.wait else {
            return (Ok(()), Some(left));
        };
        (Err(ApiError::too_often(wait)), Some(left))
    }
}

/// The address that asks: the one a proxy tells, where one stands before the service.
pub fn address(
    settings: &Settings,
    headers: &HeaderMap,
    peer: Option<SocketAddr>,
) -> Option<IpAddr> {
    let forwarded = || {
        let header = headers.get_all("x-forwarded-for").last()?;
        let last = header.to_str().ok()?.rsplit(',').next()?;
        last.trim().parse().ok()
    };
    let told = settings.behind_proxy.then(forwarded).flatten();
    told.or_else(|| peer.map(|address| address.ip()))
}

/// What changes something is sent as a type that no page can send elsewhere without being asked first.
fn typed(request: &ServiceRequest) -> Result {
    let headers = request.headers();
    // A body without a length comes in chunks over HTTP/1, and over HTTP/2 in frames: there it may be one where it has a type.
    let framed = request.version() == Version::HTTP_2 && headers.contains_key(header::CONTENT_TYPE);
    let unsized_body = framed || headers.contains_key(header::TRANSFER_ENCODING);
    let empty = headers
        .get(header::CONTENT_LENGTH)
        .map_or(!unsized_body, |length| length.as_bytes() == b"0");
    let sends = matches!(*request.method(), Method::POST | Method::PUT);
    if !sends || empty {
        return Ok(());
    }
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if ["application/json", "application/toml"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(kind))
    {
        return Ok(());
    }
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    Err(ApiError::new(
        status,
        "media_type",
        both!(
            "send `Content-Type: application/json`, not `{kind}`",
            "请以 Content-Type: application/json 发送，而非“{kind}”"
        ),
    ))
}

/// The key a request is sent with.
pub fn key(headers: &HeaderMap) -> Option<&str> {
    bearer(headers.get(header::AUTHORIZATION)?.to_str().ok()?)
}

/// The key of an `Authorization`. The name of a scheme is the same in capitals and in small letters.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}
