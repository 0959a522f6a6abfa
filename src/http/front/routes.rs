//! The route table: every operation, what it asks of its caller, and what answers it.
//!
//! It is the only place that says so: a request that was matched to a path and a method of this table
//! is let in by what stands beside them, and what is not in it is not there.

use crate::http::desk::state::State;
use crate::http::edge::keys::Scope;
use crate::http::edge::problem::{ApiError, Result};
use crate::http::resources::{
    audit, batch, boards, case_files, drafts, games, health, keys, library, log, metrics,
    own_cases, page, pages, proofs, reading, rulings,
};
use crate::language::both;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpMessage as _, HttpRequest, Route, guard, web};
use std::sync::Arc;

const OPEN: Option<Scope> = None;
const JUDGE: Option<Scope> = Some(Scope::Judge);
const WRITE: Option<Scope> = Some(Scope::Write);
const ADMIN: Option<Scope> = Some(Scope::Admin);

/// How an operation is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// GET, and HEAD.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
}

impl Verb {
    /// The methods as `Allow` names them.
    const fn id(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }

    fn takes(self, method: &Method) -> bool {
        match self {
            Self::Get => method == Method::GET || method == Method::HEAD,
            Self::Post => method == Method::POST,
            Self::Put => method == Method::PUT,
            Self::Delete => method == Method::DELETE,
        }
    }
}

/// An operation.
#[derive(Clone, Copy, Debug)]
struct Operation {
    path: &'static str,
    verb: Verb,
    /// The scope of the key it asks for, where keys are asked for; none where anybody may.
    need: Option<Scope>,
    route: fn() -> Route,
}

macro_rules! table {
    ($($verb:ident $path:literal $need:ident $handler:path;)+) => {
        &[$(Operation {
            path: $path,
            verb: Verb::$verb,
            need: $need,
            route: || web::to($handler),
        }),+]
    };
}

/// Every operation; those of one path follow each other.
const TABLE: &[Operation] = table! {
    Get "/v1/rulings" JUDGE log::rulings;
    Post "/v1/rulings" JUDGE rulings::judge;
    Get "/v1/rulings/{number:[^/:]+}" JUDGE log::ruling;
    Post "/v1/rulings/{number:[^/:]+}:replay" JUDGE log::replay;
    Post "/v1/rulings/{number:[^/:]+}:verify" JUDGE log::verify;
    Post "/v1/rulings/{number:[^/:]+}:case" WRITE own_cases::save;
    Get "/v1/refusals" ADMIN log::refusals;
    Get "/v1/rulings:judge" JUDGE rulings::judge_query;
    Post "/v1/rulings:batch" JUDGE batch::batch;
    Post "/v1/proofs:verify" JUDGE proofs::verify;
    Post "/v1/positions:continuations" JUDGE games::continuations;
    Post "/v1/moves:classify" JUDGE games::classify;
    Post "/v1/games:audit" JUDGE audit::audit;
    Post "/v1/games:read" JUDGE reading::read;
    Post "/v1/games:list" JUDGE reading::list;
    Get "/v1/rulesets" JUDGE library::rulesets;
    Get "/v1/rulesets/{id}" JUDGE library::ruleset;
    Get "/v1/rulesets/{a}/diff/{b}" JUDGE library::ruleset_diff;
    Post "/v1/amendments:compare" JUDGE library::compare;
    Get "/v1/cases" JUDGE own_cases::cases;
    Post "/v1/cases" WRITE own_cases::add;
    Get "/v1/cases/{id}" JUDGE own_cases::case;
    Put "/v1/cases/{id}" WRITE own_cases::revise;
    Delete "/v1/cases/{id}" WRITE own_cases::retire;
    Get "/v1/cases/{id}/revisions" JUDGE own_cases::revisions;
    Get "/v1/cases:export" JUDGE case_files::export;
    Post "/v1/cases:import" WRITE case_files::import;
    Get "/v1/drafts" JUDGE drafts::drafts;
    Post "/v1/drafts" WRITE drafts::add;
    Get "/v1/drafts/{id}" JUDGE drafts::draft;
    Put "/v1/drafts/{id}" WRITE drafts::revise;
    Get "/v1/drafts/{id}/versions" JUDGE drafts::versions;
    Get "/v1/drafts/{id}/notes" JUDGE drafts::notes;
    Post "/v1/drafts/{id}/notes" WRITE drafts::note;
    Get "/v1/drafts/{id}/reports" JUDGE drafts::reports;
    Post "/v1/drafts/{id}/reports" WRITE drafts::compare;
    Get "/v1/drafts/{id}/reports/{number}" JUDGE drafts::report;
    Get "/v1/keys" ADMIN keys::keys;
    Post "/v1/keys" ADMIN keys::add;
    Delete "/v1/keys/{id}" ADMIN keys::revoke;
    Get "/v1/boards.svg" JUDGE boards::board;
    Get "/v1/graphs" JUDGE boards::graph;
    Get "/v1/status" OPEN health::status;
    Get "/healthz" OPEN health::healthz;
    Get "/readyz" OPEN health::readyz;
    Get "/readyz/judging" OPEN health::judging;
    Get "/metrics" ADMIN metrics::metrics;
    Get "/openapi.json" OPEN pages::openapi;
    Get "/docs" OPEN pages::docs;
    Get "/docs/{file:.*}" OPEN pages::docs_file;
    Get "/" OPEN page::index;
    Get "/service-worker.js" OPEN page::worker;
    Get "/page/{state}/{file}" OPEN page::file;
};

/// What the load script compares with: an empty answer, and lines echoed.
const YARDSTICKS: &[Operation] = table! {
    Get "/yardstick" OPEN pages::nothing;
    Post "/yardstick" OPEN pages::nothing;
    Post "/yardstick:batch" OPEN batch::echo;
    Post "/yardstick:upsert" OPEN log::upsert;
};

/// An operation as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The path, with the names of its parts in braces.
    pub path: String,
    /// `get`, `post`, `put` or `delete`.
    pub method: &'static str,
    /// The scope a key needs for it; nothing where anybody may.
    pub scope: Option<&'static str>,
}

/// Every operation.
pub fn sites() -> impl Iterator<Item = Site> {
    TABLE.iter().map(|operation| Site {
        path: named(operation.path),
        method: match operation.verb {
            Verb::Get => "get",
            Verb::Post => "post",
            Verb::Put => "put",
            Verb::Delete => "delete",
        },
        scope: operation.need.map(Scope::id),
    })
}

/// A path without what its parts may look like.
fn named(path: &str) -> String {
    path.replace(":[^/:]+}", "}").replace(":.*}", "}")
}

/// Every route of the service, and how wrong methods are answered.
pub fn configure(config: &mut web::ServiceConfig, state: &State) {
    let yardsticks = state.settings.yardsticks.then_some(YARDSTICKS);
    for table in [Some(TABLE), yardsticks].into_iter().flatten() {
        for operations in table.chunk_by(|one, next| one.path == next.path) {
            resource(config, state, operations);
        }
    }
}

fn resource(
    config: &mut web::ServiceConfig,
    state: &State,
    operations: &'static [Operation],
) -> Option<()> {
    let path = operations.first()?.path;
    let counts = state.metrics.route(&named(path));
    let verbs: Vec<&str> = operations.iter().map(|one| one.verb.id()).collect();
    let allow = verbs.join(", ");
    let mut resource = web::resource(path);
    for operation in operations {
        let takes = guard::fn_guard(|asked| operation.verb.takes(&asked.head().method));
        resource = resource.route((operation.route)().guard(takes));
    }
    let other = move |request: HttpRequest| {
        let error = ApiError::method(request.method().as_str(), &allow);
        async move { Err::<&str, _>(error) }
    };
    let admit = move |request: ServiceRequest, next: Next<BoxBody>| {
        request.extensions_mut().insert(Arc::clone(&counts));
        admitted(operations, request, next)
    };
    config.service(
        resource
            .default_service(web::to(other))
            .wrap(from_fn(admit)),
    );
    Some(())
}

/// Lets a request in that was matched to a path, if it may ask for what its method asks there.
async fn admitted(
    operations: &[Operation],
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let asked = operations
        .iter()
        .find(|operation| operation.verb.takes(request.method()));
    let state = request.app_data::<web::Data<State>>();
    // Any other method is answered by saying which are taken.
    if let (Some(operation), Some(state)) = (asked, state) {
        let (admitted, left) = state.door().admit(operation.need, &request);
        if let Some(left) = left {
            request.extensions_mut().insert(left);
        }
        if let Err(error) = admitted {
            return Ok(request.error_response(error));
        }
    }
    next.call(request).await
}

/// What is answered where there is no resource.
pub async fn nothing_here(request: HttpRequest) -> Result<&'static str> {
    let path = request.path();
    Err(ApiError::new(
        StatusCode::NOT_FOUND,
        "unknown_path",
        both!("there is nothing at `{path}`", "“{path}”处没有资源"),
    ))
}
