//! What an operator watches, as Prometheus reads it.

use crate::http::desk::state::State;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::Failures;
use crate::http::edge::metrics::{family, single};
use crate::http::edge::process;
use crate::store::Health;
use crate::version;
use actix_web::HttpResponse;
use actix_web::web::Data;
use std::sync::atomic::Ordering::Relaxed;

/// Counts for Prometheus
///
/// Rulings by book and outcome, latency, positions expanded, queue, batches, cache, connections, store,
/// and what the process takes up.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/metrics", tag = "operation", responses(
    (status = 200, description = "The counts.", body = String, content_type = "text/plain"), Failures),
    security((), ("key" = ["admin"]))))]
pub async fn metrics(state: Data<State>) -> HttpResponse {
    let text = text(&state);
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(text)
}

/// All of it as text.
fn text(state: &State) -> String {
    let counts = &state.metrics;
    let mut out = String::with_capacity(16 << 10);
    counts.write(&mut out);
    for (name, count, told) in [
        (
            "qili_connections_closed_total",
            &state.connections.closed,
            "Idle connections closed to make room for others.",
        ),
        (
            "qili_connections_unread_total",
            &state.connections.unread,
            "Connections broken off because nobody read what was written.",
        ),
    ] {
        single(&mut out, name, "counter", told, count.load(Relaxed));
    }
    write_store(&mut out, state);
    process::write(&mut out);
    let (entries, bytes) = state.cache.size();
    for (name, help, value) in [
        (
            "qili_rulings_running",
            "Pieces of work under way.",
            state.gate.running() as u64,
        ),
        (
            "qili_rulings_suspended",
            "Pieces of work that wait for their next turn.",
            state.gate.suspended() as u64,
        ),
        (
            "qili_connections_open",
            "Connections.",
            state.connections.open() as u64,
        ),
        (
            "qili_batches_running",
            "Batches being answered.",
            state.places.taken() as u64,
        ),
        (
            "qili_queue_waiting",
            "Requests waiting for a place.",
            state.gate.waiting() as u64,
        ),
        ("qili_cache_entries", "Rulings remembered.", entries),
        ("qili_cache_bytes", "What they take up.", bytes),
        (
            "qili_uptime_seconds",
            "Time since the start.",
            state.started.elapsed().as_secs(),
        ),
    ] {
        single(&mut out, name, "gauge", help, value);
    }
    let (version, commit) = (version::PACKAGE, version::COMMIT);
    let build = format!("version=\"{version}\",commit=\"{commit}\"");
    let (name, told) = ("qili_build_info", "The build that runs.");
    family(&mut out, name, "gauge", told, [(build, 1)]);
    out
}

/// What was kept, and whether it can be.
fn write_store(out: &mut String, state: &State) {
    let Some(store) = &state.store else { return };
    let counts = store.counts();
    for (name, count, told) in [
        ("kept", &counts.kept, "Rulings kept."),
        ("groups", &counts.groups, "Transactions they were kept in."),
        ("failed", &counts.failed, "Rulings that could not be kept."),
        (
            "unnoted",
            &counts.unnoted,
            "Refused requests that were not noted.",
        ),
    ] {
        let name = format!("qili_store_{name}_total");
        single(out, &name, "counter", told, count.load(Relaxed));
    }
    let open = u8::from(store.health() == Health::Well);
    let told = "Whether the store can be used.";
    single(out, "qili_store_up", "gauge", told, open);
}
