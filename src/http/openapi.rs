//! The description of the API, made from the code and from the examples in `openapi/examples`.

use super::handlers::{
    audit, batch, boards, case_files, drafts, games, health, keys, library, log, own_cases, page,
    pages, reading, rulings,
};
use super::problem::Problem;
use include_dir::{Dir, File, include_dir};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    Content, ContentBuilder, OpenApi as Document, Ref, RefOr, Required, Response, ResponseBuilder,
};
use utoipa::{IntoResponses, Modify, OpenApi};

/// The examples: what is asked, and what is answered.
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/openapi/examples");

/// The examples by their names, in the order of these.
fn examples() -> BTreeMap<&'static str, Value> {
    let named = |file: &'static File<'_>| {
        let example = serde_json::from_slice(file.contents()).ok()?;
        Some((file.path().file_stem()?.to_str()?, example))
    };
    EXAMPLES.files().filter_map(named).collect()
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "qili 棋例",
        description = "Adjudicates repetition in xiangqi by the clauses of the rule books, and gives its reasons.\n\n\
            Errors are `application/problem+json` (RFC 9457) with a stable `code`, in Chinese or English by `Accept-Language`. \
            Where the operator limits requests, `RateLimit` and `RateLimit-Policy` tell what is left to a key or peer, and \
            `Retry-After` when to come back after a 429 or 503. Where keys are asked for, send `Authorization: Bearer`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/")),
    paths(
        rulings::judge, rulings::judge_query, batch::batch,
        log::rulings, log::ruling, log::replay, log::refusals,
        games::continuations, games::classify, audit::audit, reading::read,
        library::rulesets, library::ruleset, library::ruleset_diff, library::compare,
        own_cases::cases, own_cases::case, own_cases::add, own_cases::revise, own_cases::retire, own_cases::revisions,
        case_files::export, case_files::import, own_cases::save,
        drafts::drafts, drafts::add, drafts::draft, drafts::revise, drafts::versions, drafts::note, drafts::reports,
        drafts::compare, drafts::report, keys::keys, keys::add, keys::revoke,
        boards::board, boards::graph,
        health::healthz, health::readyz, health::status, health::metrics,
        pages::openapi, pages::docs, page::index, page::file,
    ),
    components(schemas(Problem)),
    tags(
        (name = "rulings", description = "Rulings on cycles and games."),
        (name = "log", description = "Rulings that were kept."),
        (name = "games", description = "Games: what may be played, what a move is, what repeats."),
        (name = "rules", description = "Rule books, amendments and the case library."),
        (name = "drafts", description = "Amendments under discussion."),
        (name = "keys", description = "API keys."),
        (name = "positions", description = "Positions drawn."),
        (name = "operation", description = "How the service fares, and what it can do."),
    ),
    modifiers(&Keys, &NoLines, &Examples),
)]
struct Api;

/// The description of the API.
pub fn document() -> Document {
    Api::openapi()
}

/// The description as JSON.
pub fn json() -> &'static str {
    static JSON: LazyLock<String> =
        LazyLock::new(|| document().to_pretty_json().unwrap_or_default());
    &JSON
}

struct Keys;

impl Modify for Keys {
    fn modify(&self, document: &mut Document) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("A key of the service, where it asks for one."));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("key", SecurityScheme::Http(scheme.build()));
    }
}

/// A batch may have no lines, and then no body.
struct NoLines;

impl Modify for NoLines {
    fn modify(&self, document: &mut Document) {
        let batch = document.paths.paths.get_mut("/v1/rulings:batch");
        let body = batch.and_then(|item| item.post.as_mut()?.request_body.as_mut());
        if let Some(RefOr::T(body)) = body {
            body.required = Some(Required::False);
        }
    }
}

/// Puts the examples in the places they are examples of.
struct Examples;

impl Modify for Examples {
    fn modify(&self, document: &mut Document) {
        for (name, example) in examples() {
            put(document, name, &example);
        }
    }
}

fn put(document: &mut Document, name: &str, example: &Value) -> Option<()> {
    let text = |key: &str| example.get(key).and_then(Value::as_str);
    let item = document.paths.paths.get_mut(text("route")?)?;
    let operation = match text("method")? {
        "get" => item.get.as_mut()?,
        "post" => item.post.as_mut()?,
        "put" => item.put.as_mut()?,
        "delete" => item.delete.as_mut()?,
        _ => return None,
    };
    let summary = text("summary")?;
    let shown = |content: &mut RefOr<Content>, value: &Value| {
        let shown = ExampleBuilder::new().summary(summary);
        let shown = shown.value(Some(value.clone())).build();
        if let RefOr::T(content) = content {
            content.examples.insert(name.to_owned(), shown.into());
        }
    };
    if let Some(sent) = example.get("request")
        && let Some(RefOr::T(body)) = &mut operation.request_body
    {
        shown(body.content.values_mut().next()?, sent);
    }
    let status = example.get("status")?.to_string();
    if let RefOr::T(answer) = operation.responses.responses.get_mut(&status)? {
        shown(
            answer.content.values_mut().next()?,
            example.get("response")?,
        );
    }
    Some(())
}

fn problems(list: &[(&str, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let problem = || {
        ContentBuilder::new()
            .schema(Some(Ref::from_schema_name("Problem")))
            .build()
    };
    let response = |told: &str| {
        ResponseBuilder::new()
            .description(told)
            .content("application/problem+json", problem())
    };
    list.iter()
        .map(|(status, told)| ((*status).to_owned(), response(told).build().into()))
        .collect()
}

macro_rules! failures {
    ($($name:ident $doc:literal [$($status:literal $told:literal),+])+) => {
        $(
            #[doc = $doc]
            pub struct $name;

            impl IntoResponses for $name {
                fn responses() -> BTreeMap<String, RefOr<Response>> {
                    problems(&[$(($status, $told)),+])
                }
            }
        )+
    };
}

failures! {
    Broken "What every operation can answer." ["500" "The service failed: `internal`."]
    Failures "What every operation under `/v1` can answer." [
        "401" "A key is needed: `key_unknown`.",
        "403" "The key does not allow this: `scope_missing`.",
        "429" "Too many requests: `rate_limited`, with `Retry-After`.",
        "500" "The service failed: `internal`."
    ]
    BodyFailures "What can be wrong with a body." [
        "400" "Not JSON: `json_syntax`, `not_utf8`, `body_incomplete`; or `bad_idempotency_key`.",
        "408" "The body did not arrive in time: `body_timeout`.",
        "413" "The body is too large: `body_too_large`.",
        "422" "It cannot be ruled on: `request_shape`, `unknown_rules`, the codes of positions and moves, \
            `too_many_moves`, `budget_too_high`, `game_too_costly`; `no_store`, `record_not_here`, `unknown_ruling` and \
            `idempotency_key_reused` where a ruling is to be kept and cannot be; `pointer` and `index` say where."
    ]
    QueryFailures "What can be wrong with a query." [
        "400" "The query cannot be read: `bad_query`.",
        "422" "It cannot be ruled on: `unknown_rules`, the codes of positions and moves, `too_many_moves`, \
            `budget_too_high`; `pointer` and `index` say where."
    ]
    Missing "What is answered for an id that there is not." [
        "404" "There is none: `unknown_rules`, `unknown_rules_version`, `unknown_case`, `unknown_ruling`, `unknown_draft`, `unknown_report`, `unknown_key`; or nothing is kept: `no_store`."
    ]
    Changed "What is answered where something cannot be put." [
        "400" "Not JSON: `json_syntax`, `not_utf8`, `body_incomplete`; or `bad_revision`.",
        "408" "The body did not arrive in time: `body_timeout`.",
        "409" "It is there already, or was changed meanwhile: `conflict`, `published_case`.",
        "412" "It is at another revision than `If-Match` says: `revision_mismatch`.",
        "413" "The body is too large: `body_too_large`.",
        "422" "It makes no sense: `request_shape`, `case_faulty`, `amendment_faulty`, `unknown_rules`, `another_id`, \
            `bad_name`, `bad_text`, `no_scopes`, `first_key_admin`."
    ]
    Kept "What is answered where the store cannot be used." [
        "503" "Not now: `store_unavailable`, with `Retry-After`."
    ]
    Unkept "What a service answers that has much to do, or cannot use its store." [
        "503" "Too much to do: `queue_full`, `queue_timeout`; or the ruling cannot be kept: `store_unavailable`. With `Retry-After`."
    ]
    Unread "What is answered to a query that cannot be read." [
        "400" "The query cannot be read: `bad_query`."
    ]
    Full "What is answered where too many batches are under way." [
        "503" "Too much to do: `too_many_batches`, with `Retry-After`."
    ]
    Busy "What a service with much to do answers." [
        "503" "Too much to do: `queue_full`, `queue_timeout`, with `Retry-After`."
    ]
}
