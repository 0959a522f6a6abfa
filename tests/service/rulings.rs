//! The service through its own error handlers.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, settings};
use actix_web::http::{Method, StatusCode, header};
use actix_web::test as harness;
use qili::http::{State, app};
use serde_json::{Value, json};
use std::sync::Arc;

const FEN: &str = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
const MOVES: [&str; 4] = ["f0e0", "e8f8", "e0f0", "f8e8"];

fn state(flags: &[&str]) -> Arc<State> {
    Arc::new(State::new(settings(flags)).unwrap())
}

/// An answer taken apart.
struct Answer {
    status: u16,
    headers: header::HeaderMap,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

async fn ask(flags: &[&str], requests: Vec<harness::TestRequest>) -> Vec<Answer> {
    let service = harness::init_service(app(state(flags))).await;
    let mut answers = Vec::new();
    for request in requests {
        let peer = "192.0.2.7:4000".parse().unwrap();
        let response = harness::call_service(&service, request.peer_addr(peer).to_request()).await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = harness::read_body(response).await;
        answers.push(Answer {
            status,
            headers,
            text: String::from_utf8(body.to_vec()).unwrap(),
        });
    }
    answers
}

async fn one(flags: &[&str], request: harness::TestRequest) -> Answer {
    ask(flags, vec![request]).await.pop().unwrap()
}

fn post(path: &str, body: impl Into<actix_web::web::Bytes>) -> harness::TestRequest {
    harness::TestRequest::post().uri(path).set_payload(body)
}

fn get(path: &str) -> harness::TestRequest {
    harness::TestRequest::get().uri(path)
}

fn assert_problem(answer: &Answer, status: StatusCode, code: &str) {
    let told = &answer.text;
    assert_eq!(
        answer.header("content-type"),
        "application/problem+json",
        "{told}"
    );
    let problem = answer.json();
    assert_eq!(answer.status, status.as_u16(), "{told}");
    assert_eq!(problem["status"], status.as_u16(), "{told}");
    assert_eq!(problem["code"], code, "{told}");
    assert_eq!(
        problem["type"],
        format!("urn:qili:problem:{code}"),
        "{told}"
    );
    assert!(
        problem["title"].is_string() && problem["detail"].is_string(),
        "{told}"
    );
}

#[actix_web::test]
async fn a_request_gets_its_ruling_with_its_id() {
    let request = json!({"id": "my-17", "fen": FEN, "moves": MOVES});
    let ask_twice = vec![
        post("/v1/rulings", request.to_string()),
        post("/v1/rulings", request.to_string()),
    ];
    let answers = ask(&[], ask_twice).await;
    let ruling = answers[0].json();
    assert_eq!(answers[0].status, 200);
    assert_eq!(ruling["id"], "my-17");
    assert_eq!(ruling["verdict"]["outcome"], "loss");
    assert_eq!(ruling["verdict"]["side"], "red");
    assert_eq!(
        answers[0].text, answers[1].text,
        "the same bytes, worked out or remembered"
    );
}

#[actix_web::test]
async fn a_ruling_is_what_the_command_gives() {
    let request =
        json!({"id": 7, "rules": "wxf", "fen": FEN, "moves": MOVES, "explain": "full"}).to_string();
    let answer = one(&[], post("/v1/rulings", request.clone())).await;
    let request = qili::wire::Request::parse(&request).unwrap();
    let ruling = qili::wire::answer(&request, qili::rules::Catalog::builtin()).unwrap();
    assert_eq!(answer.text, serde_json::to_string(&ruling).unwrap());
}

#[actix_web::test]
async fn remembered_rulings_keep_to_what_was_asked() {
    let variants: Vec<Value> = vec![
        json!({"fen": FEN, "moves": MOVES}),
        json!({"fen": FEN, "moves": MOVES, "rules": "wxf"}),
        json!({"fen": FEN, "moves": MOVES, "explain": "none"}),
        json!({"fen": FEN, "moves": MOVES, "claimed": false, "rules": "cxa-2020"}),
        json!({"fen": FEN, "moves": MOVES, "kind": "game"}),
        json!({"id": null, "fen": FEN, "moves": ["车四平五", "将5平6", "车五平四", "将6平5"]}),
        json!({"fen": FEN, "moves": MOVES, "budget": 1}),
    ];
    let twice = variants.iter().chain(&variants);
    let answers = ask(
        &[],
        twice.map(|v| post("/v1/rulings", v.to_string())).collect(),
    )
    .await;
    for (at, variant) in variants.iter().enumerate() {
        let request = qili::wire::Request::parse(&variant.to_string()).unwrap();
        let ruling = qili::wire::answer(&request, qili::rules::Catalog::builtin()).unwrap();
        let expected = serde_json::to_string(&ruling).unwrap();
        assert_eq!(answers[at].text, expected);
        assert_eq!(answers[at + variants.len()].text, expected);
    }
}

#[actix_web::test]
async fn everything_bad_is_a_problem() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_id = format!("{{\"moves\":[],\"id\":{}}}", "[".repeat(50_000));
    for (request, status, code) in [
        (
            post("/v1/rulings", "{\"moves\":"),
            StatusCode::BAD_REQUEST,
            "json_syntax",
        ),
        (
            post("/v1/rulings", ""),
            StatusCode::BAD_REQUEST,
            "json_syntax",
        ),
        (
            post("/v1/rulings", "{\"moves\":[]} x"),
            StatusCode::BAD_REQUEST,
            "json_syntax",
        ),
        (
            post("/v1/rulings", &b"{\"id\":\"\xff\"}"[..]),
            StatusCode::BAD_REQUEST,
            "not_utf8",
        ),
        (
            post("/v1/rulings", deep),
            StatusCode::UNPROCESSABLE_ENTITY,
            "request_shape",
        ),
        (
            post("/v1/rulings", deep_id),
            StatusCode::BAD_REQUEST,
            "json_syntax",
        ),
        (
            post("/v1/rulings", "{\"moves\":[],\"mvoes\":[]}"),
            StatusCode::UNPROCESSABLE_ENTITY,
            "request_shape",
        ),
        (
            post("/v1/rulings", "{\"moves\":[],\"rules\":\"x\"}"),
            StatusCode::UNPROCESSABLE_ENTITY,
            "unknown_rules",
        ),
        (
            post("/v1/rulings", "{\"moves\":[],\"budget\":4000000000}"),
            StatusCode::UNPROCESSABLE_ENTITY,
            "budget_too_high",
        ),
        (
            post("/v1/rulings", vec![b' '; (1 << 20) + 1]),
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
        ),
        (
            get("/v1/rulings:judge"),
            StatusCode::BAD_REQUEST,
            "bad_query",
        ),
        (
            get("/v1/rulings:judge?moves=a0a1&explain=loud"),
            StatusCode::BAD_REQUEST,
            "bad_query",
        ),
        (
            get("/v1/rulings:judge?moves=%ff"),
            StatusCode::UNPROCESSABLE_ENTITY,
            "move_unreadable",
        ),
        (get("/v1/nothing"), StatusCode::NOT_FOUND, "unknown_path"),
        (
            get("/v1/rulings:replay"),
            StatusCode::NOT_FOUND,
            "unknown_path",
        ),
        (
            harness::TestRequest::delete().uri("/v1/rulings"),
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
        ),
        (
            post("/healthz", ""),
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
        ),
    ] {
        let answer = one(&[], request).await;
        if code == "move_unreadable" {
            assert_eq!(answer.status, status.as_u16());
        } else {
            assert_problem(&answer, status, code);
        }
    }
}

#[actix_web::test]
async fn a_packed_body_is_refused_and_a_mark_of_encoding_is_passed_over() {
    for path in ["/v1/rulings", "/v1/rulings:batch", "/v1/games:audit"] {
        for packed in ["gzip", "br"] {
            let sent = post(path, BODY).insert_header((header::CONTENT_ENCODING, packed));
            let answer = one(&[], sent).await;
            assert_problem(
                &answer,
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "content_encoding",
            );
        }
    }
    let plain = one(&[], post("/v1/rulings", BODY)).await;
    let same = post("/v1/rulings", BODY).insert_header((header::CONTENT_ENCODING, "identity"));
    assert_eq!(one(&[], same).await.text, plain.text);
    let marked = format!("\u{feff}{BODY}");
    let sent = post("/v1/rulings", marked.clone());
    assert_eq!(one(&[], sent).await.text, plain.text);
    let sent = post("/v1/rulings:batch", format!("{marked}\n{BODY}\n"));
    let batch = one(&[], sent).await;
    assert_eq!(batch.text, format!("{0}\n{0}\n", plain.text.trim_end()));
}

#[actix_web::test]
async fn a_bad_move_is_told_with_its_place_in_the_callers_language() {
    let body = json!({"fen": FEN, "moves": ["f0e0", "e8e9", "e0e9"]}).to_string();
    let asked = ["zh-CN,zh;q=0.9,en;q=0.5", "en", ""].map(|language| {
        post("/v1/rulings", body.clone()).insert_header((header::ACCEPT_LANGUAGE, language))
    });
    let answers = ask(&[], asked.into()).await;
    for answer in &answers {
        assert_eq!(answer.status, 422);
        let problem = answer.json();
        assert_eq!(problem["pointer"], "/moves/1", "{problem}");
        assert_eq!(problem["index"], 1);
    }
    assert!(answers[0].json()["detail"].as_str().unwrap().contains('着'));
    assert!(
        answers[0].json()["title"]
            .as_str()
            .unwrap()
            .contains("办理")
    );
    assert_eq!(answers[0].header("content-language"), "zh");
    assert_eq!(answers[1].text, answers[2].text);
    assert!(
        answers[1].text.contains("does not answer the check"),
        "{}",
        answers[1].text
    );
}

#[actix_web::test]
async fn bounds_are_kept() {
    let long = json!({"kind": "game", "moves": vec!["a0a1"; 21]}).to_string();
    assert_problem(
        &one(&["--max-moves=20"], post("/v1/rulings", long)).await,
        StatusCode::UNPROCESSABLE_ENTITY,
        "too_many_moves",
    );
    // A cycle that takes searches.
    let case = qili::cases::Corpus::builtin().get("cxa-1999-04").unwrap();
    let body = json!({"fen": case.fen, "moves": case.moves}).to_string();
    let thrice = [&case.moves[..]; 3].concat();
    let game = json!({"fen": case.fen, "moves": thrice}).to_string();
    let costly = one(&["--max-positions=10"], post("/v1/games:audit", game)).await;
    assert_problem(&costly, StatusCode::UNPROCESSABLE_ENTITY, "game_too_costly");
    // What a request does not ask for it does not get either.
    let most = one(&["--max-budget=10"], post("/v1/rulings", body.clone())).await;
    let asked = json!({"fen": case.fen, "moves": case.moves, "budget": 10}).to_string();
    let asked = one(&[], post("/v1/rulings", asked)).await;
    let full = one(&[], post("/v1/rulings", body.clone())).await;
    assert_eq!(most.text, asked.text);
    assert_ne!(most.text, full.text);
    assert!(
        most.text.contains("\"open\""),
        "a test is left open: {}",
        most.text
    );
    assert_problem(
        &one(&["--max-body=20"], post("/v1/rulings", body)).await,
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
    );
}

/// Many lines come in one piece: what is too long is each by itself, wherever it stands among them.
#[actix_web::test]
async fn only_a_line_that_is_too_long_is_refused_however_many_come_at_once() {
    let short = r#"{"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"], "explain": "none"}"#;
    let long = format!("{{\"id\": \"{}\"}}", "x".repeat(1100));
    // The piece in which lines are handed on is 32 KiB.
    for (before, after) in [(0, 0), (1, 1), (5, 200), (200, 5), (300, 300)] {
        let lines = [vec![short; before], vec![long.as_str()], vec![short; after]].concat();
        for end in ["", "\n"] {
            let body = format!("{}{end}", lines.join("\n"));
            let told = one(&["--max-body=1000"], post("/v1/rulings:batch", body)).await;
            let told: Vec<Value> = told
                .text
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(told.len(), lines.len(), "{before} {after}");
            for (at, told) in told.iter().enumerate() {
                let code = &told["error"]["code"];
                if at == before {
                    assert_eq!(code, "line_too_long", "{before} {after}: {told}");
                } else {
                    assert!(told["verdict"].is_object(), "{before} {after}: {told}");
                }
            }
        }
    }
}

#[actix_web::test]
async fn a_ruling_has_its_moves_though_nothing_is_read_of_them() {
    let body = r#"{"rules": "threefold", "explain": "none", "fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"]}"#;
    let ruling = one(&[], post("/v1/rulings", body)).await.json();
    let moves: Vec<_> = ruling["moves"].as_array().unwrap().iter().collect();
    let told: Vec<_> = moves
        .iter()
        .map(|one| (&one["ply"], &one["side"], &one["iccs"]))
        .collect();
    assert_eq!(
        json!(told),
        json!([
            [0, "red", "f0e0"],
            [1, "black", "e8f8"],
            [2, "red", "e0f0"],
            [3, "black", "f8e8"]
        ])
    );
    assert!(
        moves.iter().all(|one| one.get("nature").is_none()),
        "{ruling}"
    );
}

#[actix_web::test]
async fn nothing_under_the_docs_is_a_problem_as_everywhere() {
    let answer = one(&[], get("/docs/nothing.js")).await;
    assert_problem(&answer, StatusCode::NOT_FOUND, "unknown_path");
}

#[actix_web::test]
async fn small_rulings_can_be_cached() {
    let path = |rules: &str, moves: &str| {
        format!(
            "/v1/rulings:judge?fen={}&moves={moves}&rules={rules}",
            FEN.replace(' ', "_")
        )
    };
    let first = one(&[], get(&path("wxf", "f0e0,e8f8,e0f0,f8e8"))).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() > 20, "{tag}");
    assert!(first.header("cache-control").contains("max-age=300"));
    let again = get(&path("wxf", "f0e0%20e8f8|e0f0,f8e8"))
        .insert_header((header::IF_NONE_MATCH, format!("\"x\", {tag}")));
    let again = one(&[], again).await;
    assert_eq!(
        (again.status, again.text.as_str(), again.header("etag")),
        (304, "", tag.as_str())
    );
    let other = one(&[], get(&path("cxa-2020@1.1.0", "f0e0,e8f8,e0f0,f8e8"))).await;
    assert_ne!(other.header("etag"), tag);
    assert!(other.header("cache-control").contains("max-age=86400"));
    let head = harness::TestRequest::default()
        .method(Method::HEAD)
        .uri(&path("wxf", "f0e0,e8f8,e0f0,f8e8"));
    assert_eq!(one(&[], head).await.header("etag"), tag);
}

#[actix_web::test]
async fn callers_that_ask_too_often_are_told_when_to_come_back() {
    let flags = ["--rate=1", "--burst=2"];
    let body = json!({"fen": FEN, "moves": MOVES}).to_string();
    let answers = ask(
        &flags,
        (0..3).map(|_| post("/v1/rulings", body.clone())).collect(),
    )
    .await;
    assert_eq!(answers[0].header("ratelimit"), "\"default\";r=1;t=1");
    assert_eq!(answers[0].header("ratelimit-policy"), "\"default\";q=2;w=2");
    assert_eq!(answers[1].status, 200);
    assert_problem(&answers[2], StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    assert!(answers[2].header("retry-after").parse::<u64>().unwrap() >= 1);
    let health = ask(&flags, (0..5).map(|_| get("/healthz")).collect()).await;
    assert!(health.iter().all(|answer| answer.status == 200));
}

#[actix_web::test]
async fn keys_open_what_their_scopes_say() {
    let file = std::env::temp_dir().join(format!("qili-keys-{}", std::process::id()));
    // The keys are `test` and `foo`.
    let lines = "# keys\n9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 judge club\n\
        2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae admin,judge us\n";
    std::fs::write(&file, lines).unwrap();
    let flag = format!("--keys={}", file.display());
    let with = |key: &str, request: harness::TestRequest| {
        request.insert_header((header::AUTHORIZATION, format!("Bearer {key}")))
    };
    let query = format!(
        "/v1/rulings:judge?fen={}&moves={}",
        FEN.replace(' ', "_"),
        MOVES.join(",")
    );
    let answers = ask(
        &[&flag],
        vec![
            get(&query),
            with("wrong", get(&query)),
            with("test", get(&query)),
            with("test", get("/metrics")),
            with("foo", get("/metrics")),
            get("/healthz"),
            get("/v1/status"),
        ],
    )
    .await;
    assert_problem(&answers[0], StatusCode::UNAUTHORIZED, "key_unknown");
    assert!(answers[0].header("www-authenticate").starts_with("Bearer"));
    assert_problem(&answers[1], StatusCode::UNAUTHORIZED, "key_unknown");
    assert_eq!(answers[2].status, 200);
    assert_problem(&answers[3], StatusCode::FORBIDDEN, "scope_missing");
    assert_eq!(
        [answers[4].status, answers[5].status, answers[6].status],
        [200; 3]
    );
    std::fs::remove_file(file).unwrap();
}

#[actix_web::test]
async fn pages_of_other_origins_use_the_service_only_if_named() {
    let from = |origin: &str| get("/healthz").insert_header((header::ORIGIN, origin.to_owned()));
    let flag = ["--cors=https://a.example,https://b.example"];
    let answers = ask(
        &flag,
        vec![from("https://b.example"), from("https://c.example")],
    )
    .await;
    assert_eq!(
        answers[0].header("access-control-allow-origin"),
        "https://b.example"
    );
    assert_eq!(answers[1].header("access-control-allow-origin"), "");
    // What is held for one may be asked for by another.
    for answer in ask(&flag, vec![get("/healthz"), from("https://c.example")]).await {
        let vary = answer.headers.get_all("vary").any(|vary| vary == "Origin");
        assert!(vary, "{:?}", answer.headers);
    }
    assert_eq!(
        one(&[], from("https://a.example"))
            .await
            .header("access-control-allow-origin"),
        ""
    );
    let preflight = |origin: &str| {
        harness::TestRequest::default()
            .method(Method::OPTIONS)
            .uri("/v1/rulings")
            .insert_header((header::ORIGIN, origin.to_owned()))
            .insert_header((header::ACCESS_CONTROL_REQUEST_METHOD, "POST"))
    };
    let answer = one(&flag, preflight("https://a.example")).await;
    assert_eq!(answer.status, 204);
    assert!(
        answer
            .header("access-control-allow-methods")
            .contains("POST")
    );
    assert_problem(
        &one(&[], preflight("https://a.example")).await,
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
    );
}

#[actix_web::test]
async fn an_operator_sees_how_it_fares() {
    let body = json!({"fen": FEN, "moves": MOVES}).to_string();
    let answers = ask(
        &[],
        vec![
            post("/v1/rulings", body.clone()),
            post("/v1/rulings", body),
            get("/v1/nothing"),
            get("/metrics"),
            get("/readyz"),
            get("/v1/status"),
        ],
    )
    .await;
    let metrics = &answers[3].text;
    for line in [
        "qili_http_requests_total{route=\"/v1/rulings\",status=\"2xx\"} 2",
        "qili_http_requests_total{route=\"other\",status=\"4xx\"} 1",
        "qili_rulings_total{rules=\"cxa-1999\",outcome=\"loss\"} 2",
        "qili_cache_requests_total{result=\"hit\"} 1",
        "qili_cache_entries 1",
        "qili_queue_waiting 0",
    ] {
        assert!(
            metrics.lines().any(|found| found == line),
            "no `{line}` in\n{metrics}"
        );
    }
    assert_eq!(answers[4].json()["ready"], true);
    let status = answers[5].json();
    assert!(
        status["rulesets"]
            .as_array()
            .unwrap()
            .iter()
            .any(|book| book["id"] == "wxf"
                && book["digest"].as_str().unwrap().starts_with("sha256:"))
    );
}

#[actix_web::test]
async fn a_database_is_opened_and_reported() {
    let file = std::env::temp_dir().join(format!("qili-db-{}", std::process::id()));
    let good = format!("--database=sqlite:{}", file.display());
    let answer = one(&[&good], get("/readyz")).await;
    assert_eq!(answer.json()["database"]["open"], true, "{}", answer.text);
    std::fs::remove_file(file).unwrap();
    let bad = State::new(settings(&["--database=sqlite:/nowhere/at/all"])).unwrap_err();
    assert!(bad.to_string().contains("cannot open the store"), "{bad}");
}

#[actix_web::test]
async fn pages_take_nothing_from_elsewhere() {
    let answers = ask(
        &[],
        vec![
            get("/docs"),
            get("/docs/"),
            get("/docs/swagger-ui-bundle.js"),
            get("/openapi.json"),
        ],
    )
    .await;
    assert_eq!(
        (answers[0].status, answers[0].header("location")),
        (307, "/docs/")
    );
    assert_eq!(answers[1].status, 200);
    assert!(
        answers[1]
            .header("content-security-policy")
            .contains("default-src 'none'")
    );
    assert!(!answers[1].text.contains("://"), "{}", answers[1].text);
    assert_eq!(answers[2].status, 200);
    assert_eq!(answers[3].json()["openapi"], "3.1.0");
}

#[actix_web::test]
async fn batches_keep_their_order_and_their_errors() {
    let mut lines: Vec<String> = Vec::new();
    for id in 0..600 {
        lines.push(match id % 4 {
            0 => json!({"id": id, "fen": FEN, "moves": MOVES, "explain": "none"}).to_string(),
            1 => json!({"id": id, "fen": FEN, "moves": ["f0e0", "e8e9"]}).to_string(),
            2 => format!("{{\"id\":{id},"),
            _ => json!({"id": id, "fen": FEN, "moves": MOVES, "rules": "wxf"}).to_string(),
        });
    }
    // An empty line, one that is too long, and a last one without its end.
    lines.insert(10, String::new());
    lines.insert(20, " ".repeat((1 << 20) + 1));
    let answer = one(&[], post("/v1/rulings:batch", lines.join("\n"))).await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "application/x-ndjson")
    );
    assert!(answer.text.ends_with("}\n"));
    let answers: Vec<Value> = answer
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 601);
    let long = &answers[19];
    assert_eq!(
        (&long["error"]["code"], &long["line"]),
        (&json!("line_too_long"), &json!(21))
    );
    let rest: Vec<&Value> = answers.iter().filter(|answer| *answer != long).collect();
    for (id, answer) in rest.into_iter().enumerate() {
        match id % 4 {
            0 | 3 => assert_eq!(
                (&answer["id"], answer["verdict"].is_object()),
                (&json!(id), true)
            ),
            1 => {
                let line = id + 1 + usize::from(id >= 10) + usize::from(id >= 19);
                assert_eq!(
                    (&answer["id"], &answer["line"]),
                    (&json!(id), &json!(line)),
                    "{answer}"
                );
                assert_eq!(answer["error"]["pointer"], "/moves/1");
            }
            _ => assert_eq!(answer["error"]["code"], "json_syntax"),
        }
    }
    // The fields of a request in their order, without their names.
    let list = json!([null, "wxf", FEN, MOVES, "cycle", [], {}, "none", true, null]).to_string();
    for path in ["/v1/rulings", "/v1/rulings:batch"] {
        let told = one(&[], post(path, list.clone())).await.text;
        assert!(told.contains("\"code\":\"request_shape\""), "{told}");
    }
    let empty = one(&[], post("/v1/rulings:batch", "\n\n")).await;
    assert_eq!((empty.status, empty.text.as_str()), (200, ""));
}

#[actix_web::test]
async fn continuations_are_what_the_games_would_be_ruled() {
    for rules in ["cxa-1999", "wxf", "threefold"] {
        let mut played: Vec<&str> = MOVES.repeat(3);
        played.pop();
        let body =
            json!({"rules": rules, "fen": FEN, "moves": played, "explain": "none"}).to_string();
        let answer = one(&[], post("/v1/positions:continuations", body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let found = answer.json();
        let all = found["continuations"].as_array().unwrap();
        assert!(!all.is_empty());
        for next in all {
            let mv = next["iccs"].as_str().unwrap();
            let game: Vec<&str> = played.iter().copied().chain([mv]).collect();
            let body = json!({"rules": rules, "fen": FEN, "moves": game, "kind": "game", "explain": "none"}).to_string();
            let ruling = one(&[], post("/v1/rulings", body)).await.json();
            for key in ["outcome", "side", "clauses"] {
                assert_eq!(next[key], ruling["verdict"][key], "{rules} {mv} {key}");
            }
            assert_eq!(next["ended"], ruling["ended"]);
        }
        let closing = all.iter().find(|next| next["iccs"] == "f8e8").unwrap();
        assert_ne!(closing["outcome"], "none", "{rules}");
    }
}

#[actix_web::test]
async fn a_move_is_classified_as_in_its_cycle() {
    let context = [MOVES.as_slice(), &MOVES[..1]].concat();
    let body = json!({"fen": FEN, "moves": context}).to_string();
    let found = one(&[], post("/v1/moves:classify", body)).await.json();
    assert_eq!(
        (&found["move"]["nature"], &found["move"]["ply"]),
        (&json!("check"), &json!(4))
    );
    let none = one(
        &[],
        post(
            "/v1/moves:classify",
            json!({"fen": FEN, "moves": []}).to_string(),
        ),
    )
    .await;
    assert_problem(&none, StatusCode::UNPROCESSABLE_ENTITY, "no_moves");
}

#[actix_web::test]
async fn an_audit_finds_every_pending_position() {
    let moves = MOVES.repeat(4);
    let body = json!({"fen": FEN, "moves": moves, "explain": "none"}).to_string();
    let audit = one(&[], post("/v1/games:audit", body)).await.json();
    let plies: Vec<u64> = audit["pending"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["after_ply"].as_u64().unwrap())
        .collect();
    assert_eq!(plies, [12, 13, 14, 15, 16]);
    assert_eq!(audit["natural_limit"]["count"], 8);
    for pending in audit["pending"].as_array().unwrap() {
        let after = usize::try_from(pending["after_ply"].as_u64().unwrap()).unwrap();
        let body = json!({"fen": FEN, "moves": &moves[..after], "kind": "game", "explain": "none"})
            .to_string();
        assert_eq!(
            pending["ruling"],
            one(&[], post("/v1/rulings", body)).await.json()
        );
    }
}

#[actix_web::test]
async fn a_book_at_hand_is_not_sent_again() {
    let path = "/v1/rulesets/cxa-2020";
    let tag = one(&[], get(path)).await.header("etag").to_owned();
    let again = one(
        &[],
        get(path).insert_header((header::IF_NONE_MATCH, tag.clone())),
    )
    .await;
    assert_eq!(
        (again.status, again.text.as_str(), again.header("etag")),
        (304, "", tag.as_str())
    );
    let other = get(path).insert_header((header::IF_NONE_MATCH, "\"sha256:0\""));
    assert_eq!(one(&[], other).await.status, 200);
}

/// What an audit says of a ruling is what is said of the game up to there, orders given later or kept since left aside.
#[actix_web::test]
async fn an_order_is_told_of_only_while_it_holds() {
    let fen = "3k5/4a4/9/9/c8/9/9/9/9/1R2K4 w";
    let round = ["b0a0", "a5b5", "a0b0", "b5a5"];
    let asked = |moves: &[&str], ordered: &Value| {
        json!({"fen": fen, "moves": moves, "ordered": ordered, "rules": "wxf", "kind": "game"})
            .to_string()
    };
    let counted = |ruling: &Value| {
        let told = ruling["verdict"]["reason"]["zh"].as_str().unwrap();
        told.contains("自责令变着起")
    };
    let orders = json!([{"after_ply": 11, "side": "red"}]);
    let moves = round.repeat(4);
    let audited =
        json!({"fen": fen, "moves": moves, "ordered": orders, "rules": "wxf"}).to_string();
    let audit = one(&[], post("/v1/games:audit", audited)).await.json();
    let mut told = Vec::new();
    for pending in audit["pending"].as_array().unwrap() {
        let after = usize::try_from(pending["after_ply"].as_u64().unwrap()).unwrap();
        let known = if after > 11 {
            orders.clone()
        } else {
            json!([])
        };
        let alone = one(&[], post("/v1/rulings", asked(&moves[..after], &known))).await;
        assert_eq!(pending["ruling"], alone.json(), "after {after}");
        told.push((after, counted(&pending["ruling"])));
    }
    assert!(
        told.contains(&(8, false)) && told.contains(&(16, true)),
        "{told:?}"
    );
    // Who has changed since is ordered anew.
    let changed = ["e0e1", "d9d8", "e1e0", "d8d9"];
    let moves = [round.repeat(3), changed.to_vec(), round.repeat(3)].concat();
    let ruling = one(&[], post("/v1/rulings", asked(&moves, &orders)))
        .await
        .json();
    assert_eq!(ruling["verdict"]["outcome"], "must_change");
    assert!(!counted(&ruling), "{ruling}");
}

/// The order that an audit gives is one that a ruling takes.
#[actix_web::test]
async fn an_audit_gives_the_order_that_goes_with_its_ruling() {
    let fen = "3k5/4a4/9/9/c8/9/9/9/9/1R2K4 w";
    let moves = ["b0a0", "a5b5", "a0b0", "b5a5"].repeat(4);
    let thrice = json!({"fen": fen, "moves": &moves[..12], "explain": "none"}).to_string();
    let audit = one(&[], post("/v1/games:audit", thrice)).await.json();
    let order = audit["pending"][0]["order"].clone();
    assert_eq!(order, json!({"after_ply": 11, "side": "red"}));
    let ordered = json!({"fen": fen, "moves": moves, "kind": "game", "ordered": [order]});
    let ruling = one(&[], post("/v1/rulings", ordered.to_string()))
        .await
        .json();
    assert_eq!(ruling["verdict"]["outcome"], "loss");
    // Where nobody must change nothing is to be ordered.
    let idle =
        json!({"fen": FEN, "moves": MOVES.repeat(3), "rules": "threefold", "explain": "none"});
    let audit = one(&[], post("/v1/games:audit", idle.to_string()))
        .await
        .json();
    assert!(
        audit["pending"][0]["order"].is_null(),
        "{}",
        audit["pending"][0]
    );
}

#[actix_web::test]
async fn amendments_are_tried_on_the_library() {
    let text = qili::rules::EXAMPLES[2].1;
    let answer = one(
        &[],
        post(
            "/v1/amendments:compare",
            json!({"amendment": text}).to_string(),
        ),
    )
    .await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let found = answer.json();
    assert!(found["counts"]["total"].as_u64().unwrap() > 100);
    assert!(
        found["counts"]["flipped"].as_u64().unwrap() > 0,
        "{}",
        found["counts"]
    );
}

#[actix_web::test]
async fn a_comparison_is_a_page_for_whoever_would_rather_have_one() {
    let trial = json!({"base": "cxa-1999", "set": ["kill_is_attack=false"], "no_cases": true});
    for (accepted, kind) in [
        ("text/html", "text/html; charset=utf-8"),
        (
            "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
            "text/html; charset=utf-8",
        ),
        (
            "application/json;q=0.5, text/html",
            "text/html; charset=utf-8",
        ),
        ("text/html;q=0.5, application/json", "application/json"),
        ("text/html;q=0", "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
    ] {
        let asked = post("/v1/amendments:compare", trial.to_string());
        let answer = one(&[], asked.insert_header((header::ACCEPT, accepted))).await;
        assert_eq!(answer.header("content-type"), kind, "{accepted}");
    }
}

#[actix_web::test]
async fn what_is_no_json_is_told_in_chinese_too() {
    for (body, told) in [
        (r#"{"moves":tru}"#, "此处应为 true、false 或 null"),
        (r#"{"moves":["\x"]}"#, "转义有误"),
        (r#"{"id":"\ud800"}"#, "转义有误"),
        (
            r#"{"moves":["f0e0"],"budget":4294967296}"#,
            "应为0至4294967295的整数",
        ),
    ] {
        let asked = post("/v1/rulings", body.to_owned());
        let answer = one(&[], asked.insert_header((header::ACCEPT_LANGUAGE, "zh"))).await;
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(told), "{body}: {detail}");
    }
}

/// What compares books without an amendment.
async fn compared(trial: Value) -> Answer {
    one(&[], post("/v1/amendments:compare", trial.to_string())).await
}

#[actix_web::test]
async fn a_parameter_or_another_book_is_tried_without_an_amendment() {
    let set = compared(json!({"base": "cxa-1999", "set": ["kill_is_attack=false"]})).await;
    assert_eq!(set.status, 200, "{}", set.text);
    let set = set.json();
    assert_eq!(set["books"]["other"]["id"], "cxa-1999+kill_is_attack=false");
    assert!(set["counts"]["flipped"].as_u64().unwrap() > 0);

    // Red checks on and on; only the baseline does not mind.
    let moves = ["f1e1", "e9f9", "e1f1", "f9e9"].repeat(4);
    let fen = "4k4/9/9/9/9/9/9/9/5R3/3K5 w";
    let row = json!({"id": "club-7", "fen": fen, "moves": moves, "kind": "game"}).to_string();
    let games = format!("{row}\n{{\"fen\": \"nowhere\"}}\n");
    let own = json!({"base": "cxa-1999", "with": "threefold", "games": games, "no_cases": true});
    let own = compared(own).await.json();
    assert_eq!(
        (&own["counts"]["total"], &own["counts"]["flipped"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(own["books"]["other"]["id"], "threefold");
    assert_eq!(own["changes"][0]["places"][0]["id"], "club-7");
    assert_eq!(own["errors"].as_array().unwrap().len(), 1);

    let many: Vec<_> = std::iter::repeat_n("kill_is_attack=false", 21).collect();
    for (trial, code, pointer) in [
        (json!({}), "request_shape", "/amendment"),
        (json!({"base": "cxa-1999"}), "request_shape", "/amendment"),
        (
            json!({"base": "cxa-1999", "set": ["kill=1"]}),
            "bad_setting",
            "/set/0",
        ),
        (
            json!({"base": "cxa-1999", "set": many}),
            "bad_setting",
            "/set",
        ),
        (
            json!({"base": "nowhere", "with": "cxa-1999"}),
            "unknown_rules",
            "/base",
        ),
        (
            json!({"base": "cxa-1999", "with": "nowhere"}),
            "unknown_rules",
            "/with",
        ),
        (
            json!({"amendment": qili::rules::EXAMPLES[2].1, "with": "wxf"}),
            "request_shape",
            "/with",
        ),
        (
            json!({"amendment": qili::rules::EXAMPLES[2].1, "base": "wxf"}),
            "request_shape",
            "/base",
        ),
    ] {
        let answer = compared(trial.clone()).await;
        assert_problem(&answer, StatusCode::UNPROCESSABLE_ENTITY, code);
        assert_eq!(answer.json()["pointer"], pointer, "{trial}");
    }
}

#[actix_web::test]
async fn of_one_period_nobody_says_that_it_was_played() {
    let cycle = json!({"fen": FEN, "moves": MOVES, "explain": "notes"});
    let told = |answer: Value| {
        let reason = answer["verdict"]["reason"].clone();
        (
            reason["zh"].as_str().unwrap().to_owned(),
            reason["en"].as_str().unwrap().to_owned(),
        )
    };
    let (zh, en) = told(
        one(&[], post("/v1/rulings", cycle.to_string()))
            .await
            .json(),
    );
    assert!(
        zh.starts_with("按已循环三次、同一局面出现四次计，经提请裁决："),
        "{zh}"
    );
    assert!(
        en.starts_with("Taken as played three times in full, the position standing four times,"),
        "{en}"
    );
    let game = json!({"fen": FEN, "moves": MOVES.repeat(3), "kind": "game", "explain": "notes"});
    let (zh, en) = told(one(&[], post("/v1/rulings", game.to_string())).await.json());
    assert!(zh.starts_with("循环已满三次，同一局面出现四次，"), "{zh}");
    assert!(
        en.starts_with("The cycle has been played three times in full"),
        "{en}"
    );
}

#[actix_web::test]
async fn the_moves_that_could_be_meant_are_given_with_a_fault() {
    let sheet = json!({"text": "炮二平五 马8进7\n马二进四"}).to_string();
    let fault = one(&[], post("/v1/games:read", sheet)).await.json()["fault"].clone();
    assert_eq!((&fault["line"], &fault["column"]), (&json!(2), &json!(1)));
    let choices = fault["choices"].as_array().unwrap();
    assert!(
        choices
            .iter()
            .any(|choice| *choice == json!({"iccs": "h0g2", "chinese": "马二进三"})),
        "{fault}"
    );
}

#[actix_web::test]
async fn the_library_is_searched() {
    let answers = ask(
        &[],
        vec![
            get("/v1/cases"),
            get("/v1/cases?book=wxf&verdict=must_change"),
            get("/v1/cases?nature=loud"),
            get("/v1/cases/none"),
            get("/v1/rulesets/cxa-1999@1.1.0"),
            get("/v1/rulesets/cxa-1999/diff/nowhere"),
            get("/v1/cases?text=PERPETUAL%20check&book=cxa-1999"),
            get("/v1/cases?text=zzz"),
        ],
    )
    .await;
    let words = answers[6].json();
    let found: Vec<_> = words["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| &case["id"])
        .collect();
    assert!(found.contains(&&json!("cxa-1999-01")), "{found:?}");
    assert!(found.len() < 40, "{found:?}");
    assert_eq!(answers[7].json()["count"], 0);
    let (all, some) = (answers[0].json(), answers[1].json());
    assert!(all["count"].as_u64() > some["count"].as_u64());
    assert!(
        some["cases"]
            .as_array()
            .unwrap()
            .iter()
            .all(|case| case["expect"]["wxf"]["outcome"] == "must_change")
    );
    assert_problem(&answers[2], StatusCode::BAD_REQUEST, "bad_query");
    assert_problem(&answers[3], StatusCode::NOT_FOUND, "unknown_case");
    assert_eq!(answers[4].json()["id"], "cxa-1999");
    assert_problem(&answers[5], StatusCode::NOT_FOUND, "unknown_rules");
}

#[actix_web::test]
async fn boards_are_drawn_in_the_callers_language() {
    let path = format!(
        "/v1/boards.svg?fen={}&arrows=attack:f0f8",
        FEN.replace(' ', "_")
    );
    let zh = one(
        &[],
        get(&path).insert_header((header::ACCEPT_LANGUAGE, "zh")),
    )
    .await;
    let en = one(
        &[],
        get(&format!("{path}&lang=en")).insert_header((header::ACCEPT_LANGUAGE, "zh")),
    )
    .await;
    assert_eq!(
        (zh.status, zh.header("content-type")),
        (200, "image/svg+xml")
    );
    assert!(zh.text.starts_with("<svg ") && zh.text != en.text);
    let bad = one(&[], get(&format!("{path},x"))).await;
    assert_eq!(
        (bad.status, bad.json()["pointer"].clone()),
        (422, json!("/arrows"))
    );
}

#[actix_web::test]
async fn what_is_wrong_with_a_query_names_the_parameter() {
    for (query, pointer, en, zh) in [
        (
            "/v1/rulings:judge?moves=a0a1&budget=-1",
            "/budget",
            "`budget`: expected a whole number from 0 to 4294967295",
            "参数 budget：应为0至4294967295的整数",
        ),
        (
            "/v1/rulings:judge?moves=a0a1&explain=loud&budget=1",
            "/explain",
            "`explain`: expected one of `none`, `notes`, `full`, `proof`, not `loud`",
            "参数 explain：应为“none”“notes”“full”“proof”之一，不是“loud”",
        ),
        (
            "/v1/rulings:judge?budget=1",
            "/moves",
            "`moves`: it is missing",
            "参数 moves：缺少",
        ),
        (
            "/v1/cases?limit=0",
            "/limit",
            "`limit`: a whole number from 1 to 200, not 0",
            "参数 limit：应为1至200的整数，不是0",
        ),
        (
            "/v1/boards.svg?fen=4k4%2F9%2F9%2F9%2F9%2F9%2F9%2F9%2F9%2F4K4+w&flipped=1",
            "/flipped",
            "`flipped`: expected true or false",
            "参数 flipped：应为 true 或 false",
        ),
    ] {
        let told = one(&[], get(query)).await;
        let problem = told.json();
        assert_eq!(
            (told.status, &problem["code"], &problem["pointer"]),
            (
                400.try_into().unwrap(),
                &json!("bad_query"),
                &json!(pointer)
            ),
            "{}",
            told.text
        );
        let asked = get(query).insert_header((header::ACCEPT_LANGUAGE, "zh"));
        let told_zh = one(&[], asked).await.json();
        assert_eq!(
            (&problem["detail"], &told_zh["detail"]),
            (&json!(en), &json!(zh))
        );
    }
}
