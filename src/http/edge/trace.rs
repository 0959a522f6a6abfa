//! Spans: one for each request, and within it one for the ruling.
//!
//! They are made only where somebody takes them, an OTLP collector or a log at `debug`: keeping them
//! costs more than answering a request from memory does.

use crate::http::edge::settings::StartError;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderMap;
use tracing::Span;
use tracing::field::Empty;

/// The span of a request; disabled where nobody takes it.
pub fn of_request(request: &ServiceRequest) -> Span {
    let span = tracing::debug_span!(
        target: "qili::request",
        "request",
        // A span is named when it begins.
        otel.name = name(request),
        otel.kind = "server",
        http.request.method = request.method().as_str(),
        http.route = request.match_pattern(),
        url.path = request.path(),
        http.response.status_code = Empty,
        error.type = Empty,
    );
    if !span.is_disabled() {
        export::continue_trace(&span, request.headers());
    }
    span
}

fn name(request: &ServiceRequest) -> String {
    let route = request.match_pattern().unwrap_or_default();
    format!("{} {route}", request.method())
        .trim_end()
        .to_owned()
}

/// The trace a request belongs to: the caller's, or the one that begins with its span.
pub fn id_of(span: &Span, headers: &HeaderMap) -> Option<String> {
    let begun = || export::id_of(span);
    callers(headers).map(str::to_owned).or_else(begun)
}

/// The trace that a caller names, as W3C has it.
fn callers(headers: &HeaderMap) -> Option<&str> {
    let told = headers.get("traceparent")?.to_str().ok()?;
    let mut parts = told.split('-');
    let (version, trace, parent, flags) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let lengths = [version, trace, parent, flags].map(str::len);
    let small_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let known = lengths == [2, 32, 16, 2]
        && version != "ff"
        && trace.bytes().all(small_hex)
        && trace.bytes().any(|byte| byte != b'0');
    known.then_some(trace)
}

/// Tells the span of a request what became of it.
pub fn answered(span: &Span, response: &ServiceResponse, code: Option<&str>) {
    if span.is_disabled() {
        return;
    }
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if let Some(code) = code {
        span.record("error.type", code);
    }
    if status.is_server_error() {
        export::failed(span);
    }
}

pub use export::{Exporter, exporter};

/// Whether spans can be sent to a collector; nobody asks whether it is there.
///
/// # Errors
/// The endpoint cannot be used, or not by this build.
pub fn is_possible(endpoint: &str) -> Result<(), StartError> {
    exporter(endpoint).map(Exporter::end)
}

#[cfg(feature = "otlp")]
mod export {
    use crate::http::edge::settings::StartError;
    use crate::language::both;
    use crate::store::shown;
    use crate::version::BUILD;
    use actix_web::http::header::{HeaderMap, HeaderName};
    use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
    use opentelemetry::trace::{Status, TraceContextExt as _, TraceId, TracerProvider as _};
    use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::propagation::TraceContextPropagator;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use std::time::Duration;
    use tracing::level_filters::LevelFilter;
    use tracing::{Span, Subscriber};
    use tracing_opentelemetry::OpenTelemetrySpanExt as _;
    use tracing_subscriber::Layer;
    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::registry::LookupSpan;

    /// What a collector may take to accept the last spans.
    const LAST: Duration = Duration::from_secs(5);

    /// Sends spans to a collector, in batches and from a thread of its own.
    #[derive(Debug)]
    pub struct Exporter(SdkTracerProvider);

    /// The exporter to a collector.
    pub fn exporter(endpoint: &str) -> Result<Exporter, StartError> {
        let refused = |en: &str, zh: &str| {
            let endpoint = shown(endpoint);
            StartError(both!(
                "cannot send spans to `{endpoint}`: {en}",
                "无法向“{endpoint}”发送跟踪数据：{zh}"
            ))
        };
        if !endpoint.starts_with("http://") {
            return Err(refused(
                "expected http://HOST:PORT of an OTLP collector",
                "应为OTLP收集器的 http://主机:端口",
            ));
        }
        let spans = SpanExporter::builder()
            .with_http()
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .build()
            .map_err(|error| error.to_string())
            .map_err(|error| refused(&error, &error))?;
        let mut resource = Resource::builder()
            .with_attribute(opentelemetry::KeyValue::new("service.version", BUILD));
        if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name("qili");
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(spans)
            .with_resource(resource.build())
            .build();
        Ok(Exporter(provider))
    }

    impl Exporter {
        /// Takes the spans of this program, and no others.
        pub fn layer<S>(&self) -> impl Layer<S> + use<S>
        where
            S: Subscriber + for<'a> LookupSpan<'a>,
        {
            let own = Targets::new().with_target("qili", LevelFilter::DEBUG);
            tracing_opentelemetry::layer()
                .with_tracer(self.0.tracer("qili"))
                .with_filter(own)
        }

        /// Sends what is left.
        pub fn end(self) {
            // A collector that is not there has been told of in the log.
            self.0.shutdown_with_timeout(LAST).ok();
        }
    }

    struct Headers<'a>(&'a HeaderMap);

    impl Extractor for Headers<'_> {
        fn get(&self, key: &str) -> Option<&str> {
            self.0.get(key)?.to_str().ok()
        }

        fn keys(&self) -> Vec<&str> {
            self.0.keys().map(HeaderName::as_str).collect()
        }
    }

    /// Makes the span part of the trace its caller has begun (`traceparent`).
    pub fn continue_trace(span: &Span, headers: &HeaderMap) {
        if headers.contains_key("traceparent") {
            let parent = TraceContextPropagator::new().extract(&Headers(headers));
            // Refused where no exporter takes the span.
            span.set_parent(parent).ok();
        }
    }

    /// The trace the span is part of; none where nobody takes it.
    pub fn id_of(span: &Span) -> Option<String> {
        if span.is_disabled() {
            return None;
        }
        let context = span.context();
        let trace = context.span().span_context().trace_id();
        (trace != TraceId::INVALID).then(|| trace.to_string())
    }

    /// Marks the span as one of a failure.
    pub fn failed(span: &Span) {
        span.set_status(Status::error(""));
    }
}

#[cfg(not(feature = "otlp"))]
mod export {
    use crate::http::edge::settings::StartError;
    use crate::language::both;
    use crate::store::shown;
    use actix_web::http::header::HeaderMap;
    use tracing::Span;
    use tracing_subscriber::layer::Identity;

    /// Nothing can be exported by this build.
    #[derive(Debug)]
    pub enum Exporter {}

    /// Refuses.
    pub fn exporter(endpoint: &str) -> Result<Exporter, StartError> {
        let endpoint = shown(endpoint);
        Err(StartError(both!(
            "cannot send spans to `{endpoint}`: built without the feature `otlp`",
            "无法向“{endpoint}”发送跟踪数据：编译时未带 otlp"
        )))
    }

    impl Exporter {
        /// There is none.
        pub fn layer(&self) -> Identity {
            match *self {}
        }

        /// There is none.
        pub fn end(self) {
            match self {}
        }
    }

    /// Spans go nowhere.
    pub const fn id_of(_: &Span) -> Option<String> {
        None
    }

    /// Spans go nowhere.
    pub const fn continue_trace(_: &Span, _: &HeaderMap) {}

    /// Spans go nowhere.
    pub const fn failed(_: &Span) {}
}
