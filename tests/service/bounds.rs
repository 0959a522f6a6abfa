//! The bounds of the service under work that takes long: who waits, who is turned away, and what ends
//! when its caller leaves.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, Service, answer, post};
use qili::cases::Corpus;
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// Lets a request ask for as much as that one does.
const DEAR: &str = "--max-budget=10000000";

/// A request whose ruling takes seconds: a costly cycle many times over.
fn costly() -> String {
    let case = Corpus::builtin().get("cxa-2020-fig-09").unwrap();
    let moves = vec![case.moves.as_slice(); 150].concat();
    json!({"rules": "cxa-2020", "fen": case.fen, "moves": moves, "budget": 10_000_000}).to_string()
}

/// Asks for it, and waits until it is being worked on.
fn begin(service: &Service, path: &str, body: &str) -> TcpStream {
    let mut stream = service.connect();
    stream.write_all(&post(path, body)).unwrap();
    wait_for(|| service.count("qili_rulings_running") == 1);
    stream
}

fn wait_for(met: impl Fn() -> bool) {
    let begun = Instant::now();
    while !met() {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never came");
        thread::sleep(Duration::from_millis(20));
    }
}

fn assert_turned_away(told: &str, code: &str) {
    assert!(told.starts_with("HTTP/1.1 503 "), "{told}");
    assert!(
        told.to_lowercase().contains("\r\nretry-after: 1\r\n"),
        "{told}"
    );
    assert!(told.contains(&format!("\"code\":\"{code}\"")), "{told}");
}

#[test]
fn who_finds_the_queue_full_or_waits_in_vain_is_told_to_come_back() {
    let costly = costly();
    let full = Service::start(&["--rulings=1", "--queue=0", DEAR]);
    let _busy = begin(&full, "/v1/rulings", &costly);
    assert_turned_away(&full.send(&post("/v1/rulings", BODY)), "queue_full");
    assert_turned_away(&full.send(&post("/v1/games:audit", BODY)), "queue_full");
    assert_eq!(full.count("qili_refused_total{reason=\"queue_full\"}"), 2);

    // Where there is a queue, what is short goes before what is long, on the only slot there is.
    let slow = Service::start(&["--rulings=1", "--queue-wait-ms=20000", DEAR]);
    let _busy = begin(&slow, "/v1/rulings", &costly);
    for _ in 0..5 {
        assert!(slow.is_well());
    }
    assert_eq!(slow.count("qili_rulings_running"), 1);
}

#[test]
fn what_takes_too_long_is_told_so_and_not_remembered() {
    let service = Service::start(&["--deadline-ms=200", DEAR]);
    for path in ["/v1/rulings", "/v1/games:audit"] {
        let begun = Instant::now();
        let told = service.send(&post(path, &costly()));
        assert!(told.starts_with("HTTP/1.1 503 "), "{path}: {told}");
        assert!(told.contains("\"code\":\"deadline\""), "{path}: {told}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{path}");
    }
    let told = service.send(&post(
        "/v1/rulings:batch",
        &format!("{}\n{BODY}\n", costly()),
    ));
    assert!(
        told.contains("\"line\":1,\"error\":{\"code\":\"deadline\""),
        "{told}"
    );
    assert!(told.contains("\"outcome\":\"loss\""), "{told}");
    assert_eq!(
        service.count("qili_cache_entries"),
        1,
        "the one that was ruled on"
    );
    assert_eq!(service.count("qili_refused_total{reason=\"deadline\"}"), 3);
}

#[test]
fn a_ruling_ends_when_its_caller_leaves() {
    let service = Service::start(&["--rulings=1", DEAR]);
    let asking = begin(&service, "/v1/rulings", &costly());
    drop(asking);
    wait_for(|| service.count("qili_rulings_running") == 0);
    // One that was worked out to its end would be counted.
    assert_eq!(
        service.count("qili_cache_requests_total{result=\"miss\"}"),
        0
    );
    assert_eq!(service.count("qili_cache_entries"), 0);
    assert!(service.is_well());
}

#[test]
fn a_line_of_a_batch_ends_when_its_caller_leaves() {
    let service = Service::start(&["--rulings=1", DEAR]);
    let lines = format!("{}\n", costly()).repeat(20);
    let asking = begin(&service, "/v1/rulings:batch", &lines);
    drop(asking);
    wait_for(|| service.count("qili_rulings_running") == 0);
    assert_eq!(
        service.count("qili_cache_requests_total{result=\"miss\"}"),
        0
    );
    assert!(service.is_well());
}

/// A service whose own cases take minutes to compare.
fn with_costly_cases() -> Service {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("costly-cases");
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    let database = format!("sqlite:{}", folder.join("qili.db").display());
    let service = Service::start(&[
        "--rulings=1",
        "--deadline-ms=300000",
        "--database",
        &database,
    ]);
    let case = Corpus::builtin().get("cxa-2020-fig-09").unwrap();
    let moves = vec![case.moves.as_slice(); 150].concat();
    let expect = json!({"cxa-2020": {"natures": [], "outcome": "draw", "clauses": []}});
    for id in 0..8 {
        let costly = json!({
            "id": format!("costly-{id}"), "title": {"zh": "久", "en": "Long"}, "fen": case.fen, "moves": moves,
            "source": {"book": "cxa-2020", "figure": "", "clauses": [], "official": false, "position": "composed"},
            "expect": expect, "why": {"zh": "久", "en": "Long"},
        });
        let told = service.send(&post("/v1/cases", &costly.to_string()));
        assert!(told.starts_with("HTTP/1.1 201 "), "{told}");
    }
    service
}

#[test]
fn a_comparison_ends_when_its_caller_leaves() {
    let service = with_costly_cases();
    let amendment = "id = \"trial\"\ntitle = { zh = \"试\", en = \"Trial\" }\nreason = { zh = \"试\", en = \"Trial\" }\n\
        effective = \"\"\nbase = \"cxa-2020\"\n[definitions]\nkill_is_attack = false\n";
    let draft = json!({"amendment": amendment}).to_string();
    let told = service.send(&post("/v1/drafts", &draft));
    assert!(told.starts_with("HTTP/1.1 201 "), "{told}");
    let asking = begin(&service, "/v1/drafts/trial/reports", "");
    drop(asking);
    wait_for(|| service.count("qili_rulings_running") == 0);
    let list = service.send(
        b"GET /v1/drafts/trial/reports HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    assert!(list.ends_with("{\"reports\":[],\"next\":null}"), "{list}");
    // The place is free again, for one without these cases as well.
    let told = service.send(&post("/v1/amendments:compare", &draft));
    assert!(told.starts_with("HTTP/1.1 200 "), "{told}");
}

#[test]
fn what_runs_at_the_end_is_finished_and_what_waits_is_not_lost() {
    let service = Service::start(&["--rulings=1", "--queue-wait-ms=60000", "--grace=60"]);
    let case = Corpus::builtin().get("cxa-2020-fig-09").unwrap();
    let moves = vec![case.moves.as_slice(); 20].concat();
    let body = json!({"rules": "cxa-2020", "fen": case.fen, "moves": moves, "explain": "none"});
    let mut running = service.connect();
    running
        .write_all(&post("/v1/rulings", &body.to_string()))
        .unwrap();
    let mut waiting = service.connect();
    waiting.write_all(&post("/v1/rulings", BODY)).unwrap();
    wait_for(|| {
        service.count("qili_rulings_running") == 1
            || service.count("qili_cache_requests_total{result=\"miss\"}") > 0
    });
    service.terminate();
    for stream in [&mut running, &mut waiting] {
        let told = answer(stream);
        assert!(
            told.starts_with("HTTP/1.1 200 ") && told.ends_with('}'),
            "{told}"
        );
    }
    let (code, _) = service.end();
    assert_eq!(code, Some(0));
}
