//! Around every request: who asks and how often, the language of errors, headers, one line of the
//! log, and the counts.

use crate::http::desk::state::State;
use crate::http::edge::admission::address;
use crate::http::edge::connections::{Busy as InUse, Connection};
use crate::http::edge::keys::asker;
use crate::http::edge::language::Language;
use crate::http::edge::limits::{Left, Limits};
use crate::http::edge::log::Line;
use crate::http::edge::metrics::RouteCounts;
use crate::http::edge::problem::{ApiError, Busy};
use crate::http::edge::request_id::{REQUEST_ID, RequestId};
use crate::http::edge::trace;
use crate::http::keeping::recording::note_refused;
use crate::language::both;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, Version};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage as _, HttpResponse, web};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tracing::Instrument as _;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const NOTHING_FROM_ELSEWHERE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers a request with all that surrounds it.
///
/// # Errors
/// None of its own: errors become answers.
pub async fn around<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let begun = Instant::now();
    let Some(state) = request.app_data::<web::Data<State>>().cloned() else {
        return next
            .call(request)
            .await
            .map(ServiceResponse::map_into_boxed_body);
    };
    let connection = request.conn_data::<Arc<Connection>>().cloned();
    let at_work = connection.as_ref().map(InUse::on);
    let span = trace::of_request(&request);
    let id = RequestId::of(request.headers());
    request.extensions_mut().insert(id.clone());
    let language = Language::asked_for(request.headers());
    let meant = state.hosts.check(&state.settings.cors, &request);
    let mut response = if let Err(error) = meant {
        request.error_response(error)
    } else if is_preflight(&state, &request) {
        request.into_response(HttpResponse::NoContent().finish())
    } else {
        let answer = next.call(request).instrument(span.clone()).await?;
        answer.map_into_boxed_body()
    };
    let mut code = None;
    if let Some(why) = busy(&response) {
        state.metrics.refused(why);
    }
    if let Some((problem, known)) = problem(&response, language) {
        let (status, detail) = (problem.status().as_u16(), detail(&response));
        note_refused(&state, response.request(), status, known, &detail);
        response = response.into_response(problem);
        code = Some(known);
    }
    let left = response.request().extensions().get::<Left>().copied();
    let asker = asker(response.request());
    let origin = response.request().headers().get(header::ORIGIN).cloned();
    let answer = response.response_mut();
    if asker.is_some() {
        keep_private(answer.headers_mut());
    }
    dress(&state, origin.as_ref(), answer, left);
    answer.headers_mut().insert(REQUEST_ID, id.0.clone());
    let told = Told {
        code,
        id: &id,
        trace: trace::id_of(&span, response.request().headers()),
        key: asker.as_ref().map(|asker| asker.name.as_str()),
        took: begun.elapsed(),
    };
    tell(&state, &response, &told);
    trace::answered(&span, &response, code);
    let streams = response.response().body().size() == BodySize::Stream;
    if streams && response.request().version() == Version::HTTP_10 {
        // It knows no chunks: the answer ends with the connection.
        let head = response.response_mut().head_mut();
        head.no_chunking(true);
        head.set_connection_type(ConnectionType::Close);
    }
    // What is sent as it comes keeps its connection in use until its end.
    if let (Some(at_work), true) = (at_work, streams) {
        response = response.map_body(|_, body| {
            BoxBody::new(Sending {
                body,
                _at_work: at_work,
            })
        });
    }
    Ok(response)
}

/// A body that keeps its connection in use.
struct Sending {
    body: BoxBody,
    _at_work: InUse,
}

impl MessageBody for Sending {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_next(context)
    }
}

/// The error of an answer in the caller's language, where it has one.
fn problem(
    response: &ServiceResponse<BoxBody>,
    language: Language,
) -> Option<(HttpResponse, &'static str)> {
    let error = response.response().error()?;
    if let Some(known) = error.as_error::<ApiError>() {
        return Some((known.answer(language), known.code()));
    }
    let status = response.status();
    let other = if status.is_server_error() {
        ApiError::broken()
    } else {
        ApiError::new(status, "bad_request", both!("{error}", "请求有误：{error}"))
    };
    Some((other.answer(language), other.code()))
}

/// Why the service could not take the request on, where that is what is wrong.
fn busy(response: &ServiceResponse<BoxBody>) -> Option<Busy> {
    let error = response.response().error()?;
    error.as_error::<ApiError>()?.busy()
}

/// What was wrong, for the log of decisions.
fn detail(response: &ServiceResponse<BoxBody>) -> String {
    let error = response.response().error();
    error.map_or_else(String::new, ToString::to_string)
}

fn is_preflight(state: &State, request: &ServiceRequest) -> bool {
    request.method() == Method::OPTIONS
        && !state.settings.cors.is_empty()
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Puts on the headers every answer has.
fn dress(
    state: &State,
    origin: Option<&HeaderValue>,
    answer: &mut HttpResponse,
    left: Option<Left>,
) {
    if state.stage.is_stopping() {
        answer.head_mut().set_connection_type(ConnectionType::Close);
    }
    let headers = answer.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    if kind.is_some_and(|kind| kind.starts_with(b"text/html")) {
        let policy = HeaderValue::from_static(NOTHING_FROM_ELSEWHERE);
        if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        headers.insert(
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        );
    }
    if let (Some(limits), Some(left)) = (&state.limits, left) {
        limited(headers, limits, left);
    }
    if !state.settings.cors.is_empty() {
        // Whoever asks: an answer that is held may be asked for by a page later.
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        share(&state.settings.cors, origin, headers);
    }
}

/// What was answered to the holder of a key is for nobody else.
fn keep_private(headers: &mut HeaderMap) {
    let Some(told) = headers.get(header::CACHE_CONTROL) else {
        // What has a tag may be held, and is asked about again.
        let told = if headers.contains_key(header::ETAG) {
            "private, no-cache"
        } else {
            "no-store"
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(told));
        headers.append(header::VARY, HeaderValue::from_static("Authorization"));
        return;
    };
    let told = told.to_str().unwrap_or_default();
    if told.contains("no-store") {
        return;
    }
    if let Ok(private) = HeaderValue::try_from(told.replace("public", "private")) {
        headers.insert(header::CACHE_CONTROL, private);
    }
    headers.append(header::VARY, HeaderValue::from_static("Authorization"));
}

fn limited(headers: &mut HeaderMap, limits: &Limits, left: Left) {
    let told = left.requests.map(|requests| {
        let wait = left.wait.unwrap_or(1);
        format!("\"default\";r={requests};t={wait}")
    });
    for (name, value) in [(RATE_LIMIT, told), (RATE_POLICY, Some(limits.policy()))] {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(name, value);
        }
    }
}

/// Lets pages of the origins named use the answer.
fn share(named: &[String], origin: &HeaderValue, headers: &mut HeaderMap) {
    if !named
        .iter()
        .any(|name| name == "*" || name.as_bytes() == origin.as_bytes())
    {
        return;
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    for (name, value) in [
        (
            header::ACCESS_CONTROL_ALLOW_METHODS,
            "GET, HEAD, POST, PUT, DELETE",
        ),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, X-Request-Id",
        ),
        (
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            "ETag, Location, Qili-Ruling-Number, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// What is told of an answer besides itself.
struct Told<'a> {
    code: Option<&'a str>,
    id: &'a RequestId,
    trace: Option<String>,
    key: Option<&'a str>,
    took: Duration,
}

/// Counts the answer and writes its line of the log.
fn tell(state: &State, response: &ServiceResponse<BoxBody>, told: &Told<'_>) {
    let request = response.request();
    let route = request.extensions().get::<Arc<RouteCounts>>().cloned();
    let status = response.status().as_u16();
    let counts = route.as_deref().unwrap_or(&state.metrics.elsewhere);
    counts.answered(status, told.took);
    if !tracing::enabled!(target: "qili::access", tracing::Level::INFO) {
        return;
    }
    let mut line = Line::new("INFO", "qili::access")
        .text("method", request.method().as_str())
        .text("path", request.path())
        .number("status", u64::from(status))
        .number(
            "us",
            u64::try_from(told.took.as_micros()).unwrap_or(u64::MAX),
        );
    let peer = request.peer_addr();
    if let Some(peer) = peer {
        line = line.text("peer", &peer.ip().to_string());
    }
    let forwarded = address(&state.settings, request.headers(), peer);
    if let Some(address) = forwarded.filter(|address| peer.is_none_or(|peer| peer.ip() != *address))
    {
        line = line.text("client", &address.to_string());
    }
    line = line.text("request_id", told.id.text());
    let others = [
        ("trace_id", told.trace.as_deref()),
        ("key", told.key),
        ("code", told.code),
    ];
    for (name, value) in others {
        if let Some(value) = value {
            line = line.text(name, value);
        }
    }
    line.end();
}
