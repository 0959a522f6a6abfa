//! What can go wrong with an operation, for the description of the API.

use std::collections::BTreeMap;
use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

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
    Broken "What every operation can answer." ["421" "The service goes by another name: `host_unknown`.", "500" "The service failed: `internal`."]
    Failures "What every operation under `/v1` can answer." [
        "401" "A key is needed: `key_unknown`.",
        "403" "The key does not allow this: `scope_missing`; a page of another origin asks: `origin_foreign`; or the first key is to be made: `first_key_by_command`.",
        "421" "The service goes by another name: `host_unknown`.",
        "429" "Too many requests: `rate_limited`, with `Retry-After`.",
        "500" "The service failed: `internal`."
    ]
    BodyFailures "What can be wrong with a body." [
        "400" "Not JSON: `json_syntax`, `not_utf8`, `body_incomplete`; or `bad_idempotency_key`.",
        "408" "The body did not arrive in time: `body_timeout`.",
        "413" "The body is too large: `body_too_large`.",
        "415" "The body is packed: `content_encoding`.",
        "422" "It cannot be ruled on: `request_shape`, `id_kind`, `unknown_rules`, `unknown_rules_version`, the codes of positions and moves, \
            `no_moves`, `too_many_moves`, `order_beyond_game`, `too_many_orders`, `budget_too_high`, `game_too_costly`, `audit_too_long`; `amendment_faulty`, `bad_setting` where an amendment or a parameter is tried; `no_store`, `record_not_here`, `trial_book`, `unknown_ruling` and \
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
        "415" "It is sent as another type: `media_type`; or packed: `content_encoding`.",
        "422" "It makes no sense: `request_shape`, `case_faulty`, `amendment_faulty`, `unknown_rules`, `another_id`, \
            `bad_name`, `bad_text`, `no_scopes`."
    ]
    Kept "What is answered where the store cannot be used." [
        "503" "Not now: `store_unavailable`, with `Retry-After`."
    ]
    Unkept "What a service answers that has much to do, or cannot use its store." [
        "503" "Too much to do: `queue_full`, `queue_timeout`, `too_much_work`; it took too long: `deadline`; or the ruling cannot be kept: `store_unavailable`. With `Retry-After`."
    ]
    Nowhere "What is answered where nothing is kept." [
        "404" "This service keeps nothing: `no_store`."
    ]
    Uncertified "What is answered of a ruling that was kept without a certificate." [
        "422" "It has none: `no_certificate`, with why."
    ]
    Unread "What is answered to a query that cannot be read." [
        "400" "The query cannot be read: `bad_query`."
    ]
    Full "What is answered to a batch that is not begun." [
        "400" "The body broke off before its end: `body_incomplete`; or `bad_idempotency_key`.",
        "408" "The body did not arrive in time: `body_timeout`.",
        "415" "The body is packed: `content_encoding`.",
        "503" "Too much to do: `too_many_batches`, of all callers or of this one, with `Retry-After`."
    ]
    Busy "What a service with much to do answers." [
        "503" "Too much to do: `queue_full`, `queue_timeout`, `too_much_work`; or it took too long: `deadline`. With `Retry-After`."
    ]
}
