//! The arbiter's page as it is sent, and the score sheets it has read.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::settings;
use actix_web::http::{StatusCode, header};
use actix_web::test as harness;
use qili::http::{State, app};
use serde_json::{Value, json};
use std::sync::Arc;

struct Answer {
    status: StatusCode,
    headers: header::HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: header::HeaderName) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }
}

async fn ask(request: harness::TestRequest) -> Answer {
    let state = State::new(settings(&[])).unwrap();
    let service = harness::init_service(app(Arc::new(state))).await;
    let response = harness::call_service(&service, request.to_request()).await;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = harness::read_body(response).await.to_vec();
    Answer {
        status,
        headers,
        body,
    }
}

fn get(path: &str) -> harness::TestRequest {
    harness::TestRequest::get().uri(path)
}

async fn read(text: &str) -> Value {
    let request = harness::TestRequest::post()
        .uri("/v1/games:read")
        .set_payload(json!({"text": text}).to_string());
    let answer = ask(request).await;
    assert_eq!(answer.status, StatusCode::OK);
    serde_json::from_slice(&answer.body).unwrap()
}

/// The files the page names.
fn named(index: &str) -> Vec<&str> {
    let quoted = index.split('"');
    quoted.filter(|text| text.starts_with("page/")).collect()
}

#[actix_web::test]
async fn the_page_allows_nothing_inline_or_from_elsewhere() {
    let answer = ask(get("/")).await;
    assert_eq!(answer.header(header::CACHE_CONTROL), "no-cache");
    let policy = answer.header(header::CONTENT_SECURITY_POLICY);
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("require-trusted-types-for 'script'"));
    let index = answer.text();
    assert!(!index.contains("http:") && !index.contains("https:") && !index.contains("//"));
    assert!(named(&index).len() > 10);
}

#[actix_web::test]
async fn files_are_kept_for_good_and_known_again() {
    let index = ask(get("/")).await.text();
    for name in named(&index) {
        let path = format!("/{name}");
        let plain = ask(get(&path)).await;
        assert_eq!(plain.status, StatusCode::OK, "{name}");
        assert!(plain.header(header::CACHE_CONTROL).contains("immutable"));
        assert!(!plain.headers.contains_key(header::CONTENT_ENCODING));
        let tag = plain.header(header::ETAG).to_owned();
        let again = ask(get(&path).insert_header((header::IF_NONE_MATCH, tag.clone()))).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{name}");
        let packed = ask(get(&path).insert_header((header::ACCEPT_ENCODING, "br, gzip"))).await;
        assert_eq!(packed.header(header::CONTENT_ENCODING), "gzip", "{name}");
        assert_ne!(packed.header(header::ETAG), tag);
        assert!(packed.body.starts_with(&[0x1f, 0x8b]));
    }
    let other = named(&index)[0].replace(|c: char| c.is_ascii_digit(), "x");
    let gone = ask(get(&format!("/{other}"))).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn whatever_is_on_a_score_sheet_is_read() {
    const FEN: &str = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
    for (text, form, fen, moves) in [
        (FEN.to_owned(), "fen", FEN, vec![]),
        (
            format!("局面： {FEN}\n1. 车四平五 将56"),
            "moves",
            FEN,
            vec!["f0e0", "e8f8"],
        ),
        (
            "炮二平五 H8+7".to_owned(),
            "moves",
            "rnbakabnr/",
            vec!["h2e2", "h9g7"],
        ),
        (
            format!("[赛事 \"杯赛\"]\n[局面 \"{FEN}\"]\n\n1. 车四平五 {{好}} 将5平6 *\n"),
            "pgn",
            FEN,
            vec!["f0e0", "e8f8"],
        ),
    ] {
        let found = read(&text).await;
        assert_eq!(found["form"], form, "{text}");
        assert!(found["fen"].as_str().unwrap().starts_with(fen), "{text}");
        let read: Vec<_> = found["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["iccs"].clone())
            .collect();
        assert_eq!(read, moves, "{text}");
        assert_eq!(found["fault"], Value::Null, "{text}");
    }
}

#[actix_web::test]
async fn what_cannot_be_read_is_told_with_its_place_and_what_comes_before_it() {
    let found = read("炮二平五 马8进7\n2. 马二进三 车1平9").await;
    assert_eq!(found["moves"].as_array().unwrap().len(), 3);
    let fault = &found["fault"];
    assert_eq!((&fault["index"], &fault["line"]), (&json!(3), &json!(2)));
    assert_eq!(fault["column"], 9);
    let found = read("[Red \"甲\"]\n\n1. 炮二平五 炮2平9 *\n").await;
    assert_eq!(
        (found["games"].as_u64(), &found["tags"]["Red"]),
        (Some(1), &json!("甲"))
    );
    assert_eq!(found["moves"].as_array().unwrap().len(), 1);
    assert_eq!(found["fault"]["index"], 1);
    let found = read("4k4/9/9/9/9/9/9/9/9/9 w").await;
    assert_eq!(found["fault"]["code"], "position_impossible");
    assert_eq!(found["fen"], Value::Null);
    assert!(
        found["fault"]["detail"]["zh"]
            .as_str()
            .unwrap()
            .contains('帅')
    );
}
