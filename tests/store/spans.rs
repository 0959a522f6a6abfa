//! Spans of requests and rulings on their way to a collector.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, Service};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

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
        begun.elapsed() < Duration::from_mins(1),
        "{:?}",
        begun.elapsed()
    );
}
