//! How the service fares.

use crate::http::desk::state::State;
#[cfg(feature = "openapi")]
use crate::http::edge::failures::Broken;
use crate::store::{Health as Fares, shown};
use crate::version;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use serde::Serialize;

/// Whether the process lives
///
/// Answers as long as the process can answer at all.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/healthz", tag = "operation", responses(
    (status = 200, description = "It lives.", body = Health), Broken)))]
pub async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(Health { status: "ok" })
}

/// The process lives.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    /// `ok`.
    #[cfg_attr(feature = "openapi", schema(example = "ok"))]
    status: &'static str,
}

/// Whether requests should be sent here.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an answer of its own"
)]
pub struct Readiness {
    /// Whether all of it is in order.
    ready: bool,
    /// The rule books could be read.
    rules: bool,
    /// Rulings are given: the rule books are there, and the service is not about to end.
    judging: bool,
    /// Rulings can be kept: there is a database, and it can be used.
    keeping: bool,
    /// The service is about to end.
    stopping: bool,
    /// The database, where one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<Database>,
}

/// A database.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Database {
    /// Its URL, without a password.
    url: String,
    /// Whether it can be used.
    open: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// Whether requests should be sent here
///
/// Not while the service is about to end, and not without its rule books or the database it was given.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/readyz", tag = "operation", responses(
    (status = 200, description = "It is ready.", body = Readiness),
    (status = 503, description = "It is not.", body = Readiness), Broken)))]
pub async fn readyz(state: Data<State>) -> HttpResponse {
    let readiness = readiness(&state);
    answer(readiness.ready, readiness)
}

/// Whether rulings are given
///
/// The same, but without a regard to the database: rulings that are not to be kept go on without it.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/readyz/judging", operation_id = "judging_readyz", tag = "operation", responses(
    (status = 200, description = "They are.", body = Readiness),
    (status = 503, description = "They are not.", body = Readiness), Broken)))]
pub async fn judging(state: Data<State>) -> HttpResponse {
    let readiness = readiness(&state);
    answer(readiness.judging, readiness)
}

fn readiness(state: &State) -> Readiness {
    let url = state.settings.database.as_deref();
    let database = url.zip(state.store.as_ref()).map(|(url, store)| {
        let fault = match store.health() {
            Fares::Well => None,
            Fares::Ill(fault) => Some(fault),
        };
        Database {
            url: shown(url),
            open: fault.is_none(),
            fault,
        }
    });
    let rules = state.catalog.iter().next().is_some();
    let stopping = state.stage.is_stopping();
    let judging = rules && !stopping;
    Readiness {
        ready: judging && database.as_ref().is_none_or(|database| database.open),
        rules,
        judging,
        keeping: database.as_ref().is_some_and(|database| database.open),
        stopping,
        database,
    }
}

fn answer(well: bool, readiness: Readiness) -> HttpResponse {
    let status = if well {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    HttpResponse::build(status).json(readiness)
}

/// What runs here.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Status {
    /// The version of the program.
    #[cfg_attr(feature = "openapi", schema(example = "0.2.0"))]
    version: &'static str,
    /// The commit it was built from, with `.modified` where the sources were not as committed.
    #[cfg_attr(feature = "openapi", schema(example = "1d19d96d302d"))]
    commit: &'static str,
    /// Seconds since it started.
    uptime_seconds: u64,
    /// The rule books, every version of each.
    rulesets: Vec<RulesetDigest>,
    /// What a request may ask for.
    bounds: Bounds,
}

/// A rule book and its digest.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetDigest {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(example = "cxa-1999"))]
    id: String,
    /// Its version.
    #[cfg_attr(feature = "openapi", schema(example = "1.0.0"))]
    version: String,
    /// `sha256:` and the digest of its content.
    digest: String,
}

/// What a request may ask for.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bounds {
    /// Bytes of a body, and of a line of a batch.
    body_bytes: usize,
    /// Moves.
    moves: usize,
    /// The highest `budget`: positions one ruling may expand.
    budget: u32,
    /// Positions that all rulings on one game may expand together.
    positions: u64,
    /// Requests that may wait.
    queue: usize,
    /// Milliseconds one may wait.
    queue_wait_ms: u64,
    /// Requests a second for each key or peer; 0: no limit.
    rate: u32,
}

/// Version, rule books and bounds
///
/// The digests tell which rules this process rules by.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/status", tag = "operation", responses(
    (status = 200, description = "What runs here.", body = Status), Broken)))]
pub async fn status(state: Data<State>) -> HttpResponse {
    let rulesets = state.catalog.iter().map(|loaded| RulesetDigest {
        id: loaded.book.id.clone(),
        version: loaded.book.version.clone(),
        digest: loaded.digest.clone(),
    });
    let settings = &state.settings;
    HttpResponse::Ok().json(Status {
        version: version::PACKAGE,
        commit: version::COMMIT,
        uptime_seconds: state.started.elapsed().as_secs(),
        rulesets: rulesets.collect(),
        bounds: Bounds {
            body_bytes: settings.max_body,
            moves: settings.max_moves,
            budget: settings.max_budget,
            positions: settings.max_positions,
            queue: settings.queue,
            queue_wait_ms: settings.queue_wait_ms,
            rate: settings.rate,
        },
    })
}
