//! The route table.

use super::handlers::{
    audit, batch, boards, case_files, drafts, games, health, keys, library, log, own_cases, page,
    pages, reading, rulings,
};
use super::problem::ApiError;
use actix_web::dev::HttpServiceFactory;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, Handler, HttpRequest, Resource, Responder, guard, web};

/// Every path, as it is written in the table and told in logs and metrics.
pub const PATTERNS: &[&str] = &[
    "/v1/rulings",
    "/v1/rulings:judge",
    "/v1/rulings:batch",
    "/v1/rulings/{number}",
    "/v1/rulings/{number}:replay",
    "/v1/refusals",
    "/v1/positions:continuations",
    "/v1/moves:classify",
    "/v1/games:audit",
    "/v1/games:read",
    "/v1/rulesets",
    "/v1/rulesets/{id}",
    "/v1/rulesets/{a}/diff/{b}",
    "/v1/amendments:compare",
    "/v1/rulings/{number}:case",
    "/v1/cases",
    "/v1/cases/{id}",
    "/v1/cases/{id}/revisions",
    "/v1/cases:export",
    "/v1/cases:import",
    "/v1/drafts",
    "/v1/drafts/{id}",
    "/v1/drafts/{id}/versions",
    "/v1/drafts/{id}/notes",
    "/v1/drafts/{id}/reports",
    "/v1/drafts/{id}/reports/{number}",
    "/v1/keys",
    "/v1/keys/{id}",
    "/v1/boards.svg",
    "/v1/graphs",
    "/v1/status",
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/",
    "/page/{state}/{file}",
];

/// Every route of the service, and how wrong methods and unknown paths are answered.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .service(both("/v1/rulings", log::rulings, rulings::judge))
        .service(reading("/v1/rulings/{number:[^/:]+}", log::ruling))
        .service(posting("/v1/rulings/{number:[^/:]+}:replay", log::replay))
        .service(reading("/v1/refusals", log::refusals))
        .service(reading("/v1/rulings:judge", rulings::judge_query))
        .service(posting("/v1/rulings:batch", batch::batch))
        .service(posting("/v1/positions:continuations", games::continuations))
        .service(posting("/v1/moves:classify", games::classify))
        .service(posting("/v1/games:audit", audit::audit))
        .service(posting("/v1/games:read", reading::read))
        .service(reading("/v1/rulesets", library::rulesets))
        .service(reading("/v1/rulesets/{id}", library::ruleset))
        .service(reading("/v1/rulesets/{a}/diff/{b}", library::ruleset_diff))
        .service(posting("/v1/amendments:compare", library::compare))
        .service(posting("/v1/rulings/{number:[^/:]+}:case", own_cases::save))
        .service(both("/v1/cases", own_cases::cases, own_cases::add))
        .service(
            resource("/v1/cases/{id}", "GET, HEAD, PUT, DELETE")
                .route(web::route().guard(reads()).to(own_cases::case))
                .route(web::put().to(own_cases::revise))
                .route(web::delete().to(own_cases::retire)),
        )
        .service(reading("/v1/cases/{id}/revisions", own_cases::revisions))
        .service(reading("/v1/cases:export", case_files::export))
        .service(posting("/v1/cases:import", case_files::import))
        .service(both("/v1/drafts", drafts::drafts, drafts::add))
        .service(
            resource("/v1/drafts/{id}", "GET, HEAD, PUT")
                .route(web::route().guard(reads()).to(drafts::draft))
                .route(web::put().to(drafts::revise)),
        )
        .service(reading("/v1/drafts/{id}/versions", drafts::versions))
        .service(posting("/v1/drafts/{id}/notes", drafts::note))
        .service(both(
            "/v1/drafts/{id}/reports",
            drafts::reports,
            drafts::compare,
        ))
        .service(reading("/v1/drafts/{id}/reports/{number}", drafts::report))
        .service(both("/v1/keys", keys::keys, keys::add))
        .service(resource("/v1/keys/{id}", "DELETE").route(web::delete().to(keys::revoke)))
        .service(reading("/v1/boards.svg", boards::board))
        .service(reading("/v1/graphs", boards::graph))
        .service(reading("/v1/status", health::status))
        .service(reading("/healthz", health::healthz))
        .service(reading("/readyz", health::readyz))
        .service(reading("/metrics", health::metrics))
        .service(reading("/openapi.json", pages::openapi))
        .service(reading("/docs", pages::docs))
        .service(pages::swagger())
        .service(reading("/", page::index))
        .service(reading("/page/{state}/{file}", page::file));
}

/// What the load script compares with: an empty answer, and lines echoed.
pub fn yardsticks(config: &mut web::ServiceConfig) {
    config
        .service(resource("/yardstick", "GET, POST").route(web::route().to(pages::nothing)))
        .service(posting("/yardstick:batch", batch::echo))
        .service(posting("/yardstick:upsert", log::upsert));
}

fn reads() -> impl guard::Guard {
    guard::Any(guard::Get()).or(guard::Head())
}

/// A resource that can be read.
fn reading<F, Args>(path: &str, handler: F) -> impl HttpServiceFactory + 'static
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    resource(path, "GET, HEAD").route(web::route().guard(reads()).to(handler))
}

/// A resource to which things are sent.
fn posting<F, Args>(path: &str, handler: F) -> impl HttpServiceFactory + 'static
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    resource(path, "POST").route(web::post().to(handler))
}

/// A resource that can be read, and to which things are sent.
fn both<F, A, G, B>(path: &str, read: F, sent: G) -> impl HttpServiceFactory + 'static
where
    F: Handler<A>,
    A: FromRequest + 'static,
    F::Output: Responder + 'static,
    G: Handler<B>,
    B: FromRequest + 'static,
    G::Output: Responder + 'static,
{
    resource(path, "GET, HEAD, POST")
        .route(web::route().guard(reads()).to(read))
        .route(web::post().to(sent))
}

fn resource(path: &str, allow: &'static str) -> Resource {
    let other = move |request: HttpRequest| async move {
        Err::<&str, _>(ApiError::method(request.method().as_str(), allow))
    };
    web::resource(path.to_owned()).default_service(web::to(other))
}

/// What is answered where there is no resource.
pub async fn nothing_here(request: HttpRequest) -> Result<&'static str, ApiError> {
    let path = request.path();
    let (en, zh) = (
        format!("there is nothing at `{path}`"),
        format!("“{path}”处没有资源"),
    );
    Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_path", en, zh))
}
