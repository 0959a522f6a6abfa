//! The bounds of the service under work that takes long: who waits, who is turned away, and what ends
//! when its caller leaves.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, Service, answer, post};
use qili::cases::Corpus;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
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
    let slow = Service::start(&["--rulings=1", "--queue-wait-ms=1000", DEAR]);
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
        assert!(begun.elapsed() < Duration::from_secs(5), "{path}");
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
    let service = Service::start(&["--rulings=1", "--database", &database]);
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
        service.count("qili_queue_waiting") == 0 || service.count("qili_rulings_running") == 1
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

/// A collector: the bodies of the requests it gets.
fn collector() -> (String, mpsc::Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut text = Vec::new();
            let mut piece = [0; 4096];
            let whole = |text: &[u8]| {
                let head = text.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
                let lines = String::from_utf8_lossy(text.get(..head)?).to_lowercase();
                let length = lines
                    .lines()
                    .find_map(|line| line.strip_prefix("content-length:"));
                let length: usize = length?.trim().parse().ok()?;
                (text.len() >= head + length).then_some((lines, head))
            };
            let (head, at) = loop {
                if let Some(found) = whole(&text) {
                    break found;
                }
                let count = stream.read(&mut piece).unwrap();
                assert!(count > 0, "the request broke off");
                text.extend_from_slice(piece.get(..count).unwrap());
            };
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            stream.write_all(answer.as_bytes()).unwrap();
            if tell.send((head, text.split_off(at))).is_err() {
                return;
            }
        }
    });
    (address, told)
}

fn contains(body: &[u8], text: &str) -> bool {
    body.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn spans_of_requests_and_rulings_reach_the_collector() {
    let (address, told) = collector();
    let service = Service::start(&[&format!("--otlp-endpoint={address}")]);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let length = BODY.len();
    let asked = service.send(
        format!(
            "POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             traceparent: 00-{trace}-00f067aa0ba902b7-01\r\nContent-Length: {length}\r\n\r\n{BODY}"
        )
        .as_bytes(),
    );
    assert!(asked.contains("\"outcome\":\"loss\""), "{asked}");
    let (code, log) = service.end();
    assert_eq!(code, Some(0), "{log}");
    let (head, body) = told.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(head.starts_with("post /v1/traces "), "{head}");
    for text in [
        "POST /v1/rulings",
        "ruling",
        "http.response.status_code",
        "cxa-1999",
        "qili",
    ] {
        assert!(contains(&body, text), "no `{text}`");
    }
    let id: Vec<u8> = (0..16)
        .map(|at| u8::from_str_radix(trace.get(2 * at..2 * at + 2).unwrap(), 16).unwrap())
        .collect();
    let spans = body.windows(16).filter(|part| *part == id).count();
    assert!(spans >= 2, "{spans} spans of the caller's trace");
    // The log has its line as before, and is not made of spans.
    let access = |line: &&str| line.contains("\"qili::access\"");
    let line: Value = serde_json::from_str(log.lines().find(access).unwrap()).unwrap();
    assert_eq!(line.get("status"), Some(&json!(200)));
}

#[test]
fn a_collector_that_is_not_there_keeps_nobody_waiting() {
    let service = Service::start(&["--otlp-endpoint=http://127.0.0.1:9"]);
    assert!(service.is_well());
    let begun = Instant::now();
    assert_eq!(service.end().0, Some(0));
    assert!(
        begun.elapsed() < Duration::from_secs(15),
        "{:?}",
        begun.elapsed()
    );
}
