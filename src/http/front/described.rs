//! The description of the API, made from the code and from the examples in `openapi/examples`: what
//! stands in `openapi` is written by this.

use crate::http::edge::problem::Problem;
use crate::http::front::plain::{Lines, Variants};
use crate::http::resources::{
    audit, batch, boards, case_files, drafts, games, health, keys, library, log, metrics,
    own_cases, page, pages, proofs, reading, rulings,
};
use include_dir::{Dir, File, include_dir};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, OpenApi as Document, RefOr};
use utoipa::{Modify, OpenApi};

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
        rulings::judge, rulings::judge_query, batch::batch, proofs::verify,
        log::rulings, log::ruling, log::replay, log::verify, log::refusals,
        games::continuations, games::classify, audit::audit, reading::read, reading::list,
        library::rulesets, library::ruleset, library::ruleset_diff, library::compare,
        own_cases::cases, own_cases::case, own_cases::add, own_cases::revise, own_cases::retire, own_cases::revisions,
        case_files::export, case_files::import, own_cases::save,
        drafts::drafts, drafts::add, drafts::draft, drafts::revise, drafts::versions, drafts::note, drafts::notes, drafts::reports,
        drafts::compare, drafts::report, keys::keys, keys::add, keys::revoke,
        boards::board, boards::graph,
        health::healthz, health::readyz, health::judging, health::status, metrics::metrics,
        pages::openapi, pages::docs, pages::docs_file, page::index, page::worker, page::file,
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
    modifiers(&Keys, &Variants, &Lines, &Examples),
)]
struct Api;

/// The description of the API.
pub fn document() -> Document {
    Api::openapi()
}

struct Keys;

impl Modify for Keys {
    fn modify(&self, document: &mut Document) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("A key of the service, where it asks for one."));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("key", SecurityScheme::Http(scheme.build()));
        // Clients send a key where they have one, and none where none is asked for.
        let key = SecurityRequirement::new("key", Vec::<String>::new());
        document.security = Some(vec![SecurityRequirement::default(), key]);
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
