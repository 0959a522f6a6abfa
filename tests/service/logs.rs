//! What an operator is told: lines of the log, counts, which build it is, and from when on keys are
//! asked for.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, Service};
use qili::version;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// The SHA-256 of `test`.
const KEY: &str =
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 judge,admin club 棋社\n";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn asked(path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn header<'a>(told: &'a str, name: &str) -> &'a str {
    let line = |line: &'a str| line.strip_prefix(name)?.strip_prefix(": ");
    told.lines().find_map(line).unwrap_or_default()
}

#[test]
fn the_log_says_who_asked_for_what_and_how_it_went() {
    let keys = folder("logs").join("keys");
    std::fs::write(&keys, KEY).unwrap();
    let keys = format!("--keys={}", keys.display());
    let service = Service::start(&["--behind-proxy", &keys]);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let bearer = "Authorization: Bearer test\r\n";
    let told = service.send(&asked(
        "/v1/rulings",
        &format!(
            "{bearer}X-Forwarded-For: 198.51.100.9, 203.0.113.7\r\nX-Request-Id: my-17\r\n\
             traceparent: 00-{trace}-00f067aa0ba902b7-01\r\n"
        ),
        BODY,
    ));
    assert_eq!(header(&told, "x-request-id"), "my-17", "{told}");
    let bad = asked("/v1/rulings", "traceparent: 00-nonsense-01\r\n", BODY);
    let refused = service.send(&bad);
    let made = header(&refused, "x-request-id").to_owned();
    assert!(refused.starts_with("HTTP/1.1 401 "), "{refused}");
    let lines = format!("{BODY}\nnonsense\n{BODY}\n");
    let told = service.send(&asked("/v1/rulings:batch", bearer, &lines));
    let of_batch = header(&told, "x-request-id").to_owned();
    assert!(told.contains("json_syntax"), "{told}");
    assert!(made.len() > 26 && of_batch.len() > 26 && made != of_batch);
    let head = service.send(b"GET / HTTP/9.9\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 400 "), "{head}");

    let (status, log) = service.end();
    assert_eq!(status, Some(0));
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}")))
        .collect::<Result<_, _>>()
        .unwrap();
    let of = |target: &str, id: &str| {
        let mut found = lines
            .iter()
            .filter(|line| line["target"] == target && line["request_id"] == id);
        let one = found
            .next()
            .unwrap_or_else(|| panic!("{target} {id}: {log}"));
        assert!(found.next().is_none(), "{log}");
        one.clone()
    };
    let access = of("qili::access", "my-17");
    for (name, value) in [
        ("method", "POST"),
        ("path", "/v1/rulings"),
        ("peer", "127.0.0.1"),
        ("client", "203.0.113.7"),
        ("key", "club 棋社"),
        ("trace_id", trace),
    ] {
        assert_eq!(access[name], value, "{access}");
    }
    assert!(access["us"].as_u64() > Some(0), "{access}");
    let access = of("qili::access", &made);
    assert_eq!(
        (&access["status"], &access["code"]),
        (&401.into(), &"key_unknown".into())
    );
    assert_eq!(
        (&access["key"], &access["trace_id"]),
        (&Value::Null, &Value::Null)
    );
    let batch = of("qili::batch", &of_batch);
    assert_eq!(
        (&batch["lines"], &batch["bad"]),
        (&3.into(), &1.into()),
        "{batch}"
    );
    assert_eq!(
        (&batch["ended"], &batch["key"]),
        (&"whole".into(), &"club 棋社".into())
    );
    assert!(batch["us"].as_u64() > Some(0), "{batch}");
    let head = lines.iter().find(|line| line["code"] == "head_malformed");
    assert_eq!(head.unwrap()["level"], "WARN");
}

#[test]
fn a_batch_that_breaks_off_is_told_so() {
    use std::io::Write as _;
    let service = Service::start(&[]);
    let mut stream = service.connect();
    let head = "POST /v1/rulings:batch HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: off\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let line = format!("{BODY}\n");
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    stream.write_all(chunk.as_bytes()).unwrap();
    let begun = Instant::now();
    while service.count("qili_batch_lines_total{result=\"ruling\"}") == 0 {
        assert!(begun.elapsed() < Duration::from_secs(30), "never ruled on");
        thread::sleep(Duration::from_millis(20));
    }
    drop(stream);
    while service.count("qili_batches_running") > 0 {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never ends");
        thread::sleep(Duration::from_millis(20));
    }
    let (_, log) = service.end();
    let batch = log
        .lines()
        .find(|line| line.contains("\"qili::batch\""))
        .unwrap();
    let batch: Value = serde_json::from_str(batch).unwrap();
    assert_eq!(
        (&batch["lines"], &batch["ended"]),
        (&1.into(), &"early".into()),
        "{batch}"
    );
}

#[test]
fn the_process_is_counted_under_the_names_everybody_gives() {
    let service = Service::start(&[]);
    assert!(service.count("process_open_fds") > 3);
    assert!(service.count("process_max_fds") >= service.count("process_open_fds"));
    assert!(service.count("process_resident_memory_bytes") > 1 << 20);
    assert!(service.count("process_threads") > 1);
    let text =
        service.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    for name in ["process_cpu_seconds_total", "process_start_time_seconds"] {
        let line = |line: &str| line.strip_prefix(name)?.trim().parse::<f64>().ok();
        assert!(
            text.lines().find_map(line).is_some_and(|told| told >= 0.0),
            "{name}"
        );
    }
    let build = format!(
        "qili_build_info{{version=\"{}\",commit=\"{}\"}} 1\n",
        version::PACKAGE,
        version::COMMIT
    );
    assert!(text.contains(&build), "{text}");
    let status = b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let status = service.send(status);
    let status: Value = serde_json::from_str(status.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(status["version"], version::PACKAGE);
    assert_eq!(status["commit"], version::COMMIT);
}

#[test]
fn keys_are_asked_for_from_the_first_on_although_the_service_runs_already() {
    let file = folder("first-key").join("qili.db");
    let database = format!("--database=sqlite:{}", file.display());
    let service = Service::start(&[&database]);
    assert!(service.is_well());
    let made = Command::new(env!("CARGO_BIN_EXE_qili"))
        .args(["keys", "add", "chief"])
        .env("QILI_DATABASE", database.trim_start_matches("--database="))
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let key = String::from_utf8(made.stdout).unwrap();
    let begun = Instant::now();
    while service.is_well() {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "it asks for no key"
        );
        thread::sleep(Duration::from_millis(50));
    }
    let told = service.send(&asked("/v1/rulings", "", BODY));
    assert!(told.contains("\"code\":\"key_unknown\""), "{told}");
    let bearer = format!("Authorization: Bearer {}\r\n", key.trim());
    let told = service.send(&asked("/v1/rulings", &bearer, BODY));
    assert!(told.contains("\"outcome\":\"loss\""), "{told}");
}
