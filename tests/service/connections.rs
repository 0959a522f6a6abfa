//! Connections: readers who do not read, senders who send nothing, idle ones, heads that cannot be
//! read, HTTP/2, and the end.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, Service, answer, post};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

fn wait_for(told: &str, met: impl Fn() -> bool) {
    let begun = Instant::now();
    while !met() {
        assert!(begun.elapsed() < Duration::from_mins(3), "{told}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn begin_batch(service: &Service) -> TcpStream {
    let mut stream = service.connect();
    stream
        .write_all(b"POST /v1/rulings:batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    stream
}

fn chunk(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes())
}

#[test]
fn who_does_not_read_loses_his_batch_and_nobody_else_does() {
    let service = Service::start(&["--batches=4", "--batches-each=4", "--write-wait-ms=700"]);
    let lines = format!("{BODY}\n").repeat(400);
    let mut senders = Vec::new();
    for _ in 0..4 {
        let mut stream = begin_batch(&service);
        let lines = lines.clone();
        senders.push(thread::spawn(move || {
            let begun = Instant::now();
            while chunk(&mut stream, &lines).is_ok() {
                assert!(begun.elapsed() < Duration::from_mins(3), "never broken off");
            }
            begun.elapsed()
        }));
    }
    wait_for("the batches begin", || {
        service.count("qili_batches_running") == 4
    });
    let full = service.send(&post("/v1/rulings:batch", BODY));
    assert!(full.contains("too_many_batches"), "{full}");
    wait_for("the batches end", || {
        service.count("qili_batches_running") == 0
    });
    for sender in senders {
        sender.join().unwrap();
    }
    assert!(service.count("qili_connections_unread_total") >= 4);
    assert!(
        service
            .send(&post("/v1/rulings:batch", BODY))
            .contains("\"outcome\":\"loss\"")
    );
}

/// The body of an answer that came in chunks.
fn unframed(answer: &[u8]) -> Vec<u8> {
    let behind =
        |text: &[u8], of: &[u8]| text.windows(of.len()).position(|at| at == of).unwrap() + of.len();
    let (_, mut left) = answer.split_at(behind(answer, b"\r\n\r\n"));
    let mut body = Vec::new();
    loop {
        let (size, rest) = left.split_at(behind(left, b"\r\n"));
        let size = std::str::from_utf8(size).unwrap().trim();
        let size = usize::from_str_radix(size, 16).unwrap();
        let (chunk, rest) = rest.split_at(size);
        body.extend_from_slice(chunk);
        if size == 0 {
            return body;
        }
        left = rest.strip_prefix(b"\r\n").unwrap();
    }
}

#[test]
fn a_slow_reader_who_reads_is_served_to_the_end() {
    let service = Service::start(&["--write-wait-ms=3000"]);
    let lines = format!("{BODY}\n").repeat(3000);
    let mut stream = service.connect();
    let mut sender = stream.try_clone().unwrap();
    let sent = thread::spawn(move || sender.write_all(&post("/v1/rulings:batch", &lines)));
    let (mut text, mut piece) = (Vec::new(), vec![0; 200_000]);
    loop {
        let count = stream.read(&mut piece).unwrap();
        if count == 0 {
            break;
        }
        text.extend_from_slice(&piece[..count]);
        thread::sleep(Duration::from_millis(250));
    }
    sent.join().unwrap().unwrap();
    let text = String::from_utf8(unframed(&text)).unwrap();
    assert_eq!(text.matches("\"outcome\":\"loss\"").count(), 3000);
}

#[test]
fn empty_lines_keep_no_batch_open() {
    let service = Service::start(&["--body-wait-ms=600"]);
    for blank in ["\n", " ", " \n\n"] {
        let mut stream = begin_batch(&service);
        chunk(&mut stream, &format!("{BODY}\n")).unwrap();
        let mut quiet = stream.try_clone().unwrap();
        let reads = thread::spawn(move || {
            let (mut told, mut piece) = (String::new(), [0; 4096]);
            while !told.ends_with("\r\n0\r\n\r\n") {
                let count = quiet.read(&mut piece).unwrap();
                told.push_str(&String::from_utf8_lossy(&piece[..count]));
            }
            // What was not waited for is not waited for any more: the connection ends, or is broken off.
            let after = quiet.read(&mut piece).map_err(|error| error.kind());
            assert!(
                matches!(after, Ok(0) | Err(std::io::ErrorKind::ConnectionReset)),
                "{after:?}"
            );
            told
        });
        let begun = Instant::now();
        while !reads.is_finished() {
            assert!(begun.elapsed() < Duration::from_mins(1), "never ended");
            chunk(&mut stream, blank).ok();
            thread::sleep(Duration::from_millis(100));
        }
        let told = reads.join().unwrap();
        assert!(told.contains("\"outcome\":\"loss\""), "{told}");
        assert!(told.contains("\"code\":\"body_timeout\""), "{told}");
        assert_eq!(service.count("qili_batches_running"), 0);
    }
    // A line now and then, each in time, is what batches are for.
    let service = Service::start(&["--body-wait-ms=3000"]);
    let mut stream = begin_batch(&service);
    for _ in 0..5 {
        chunk(&mut stream, &format!("{BODY}\n")).unwrap();
        thread::sleep(Duration::from_millis(800));
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let (mut told, mut piece) = (String::new(), [0; 4096]);
    while !told.ends_with("\r\n0\r\n\r\n") {
        let count = stream.read(&mut piece).unwrap();
        assert!(count > 0, "{told}");
        told.push_str(&String::from_utf8_lossy(&piece[..count]));
    }
    assert_eq!(told.matches("\"outcome\":\"loss\"").count(), 5, "{told}");
}

#[test]
fn a_key_that_is_revoked_gets_no_more_lines() {
    let folder = std::env::temp_dir().join(format!("qili-revoked-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let database = format!("sqlite:{}", folder.join("qili.db").display());
    let command = |args: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_qili"));
        let told = command
            .args(args)
            .env("QILI_DATABASE", &database)
            .output()
            .unwrap();
        assert!(told.status.success(), "{told:?}");
        String::from_utf8(told.stdout).unwrap()
    };
    let key = command(&["keys", "add", "club"]);
    let service = Service::start(&[&format!("--database={database}")]);
    let mut stream = service.connect();
    let key = key.trim();
    stream
        .write_all(
            format!("POST /v1/rulings:batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nTransfer-Encoding: chunked\r\n\r\n")
                .as_bytes(),
        )
        .unwrap();
    chunk(&mut stream, &format!("{BODY}\n")).unwrap();
    let list = command(&["keys", "list"]);
    command(&["keys", "revoke", list.split_whitespace().next().unwrap()]);
    let mut quiet = stream.try_clone().unwrap();
    let reads = thread::spawn(move || answer(&mut quiet));
    let begun = Instant::now();
    let mut sent = 1;
    while !reads.is_finished() {
        assert!(begun.elapsed() < Duration::from_secs(25), "never ended");
        sent += u64::from(chunk(&mut stream, &format!("{BODY}\n")).is_ok());
        thread::sleep(Duration::from_millis(50));
    }
    let told = reads.join().unwrap();
    let rulings = told.matches("\"outcome\":\"loss\"").count() as u64;
    assert!(rulings > 0 && rulings < sent, "{rulings} of {sent}: {told}");
    let at = format!("\"line\":{}", rulings + 1);
    assert!(
        told.contains("\"code\":\"key_unknown\"") && told.contains(&at),
        "{told}"
    );
    std::fs::remove_dir_all(&folder).ok();
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The head of a batch, its fields as literals that nobody keeps.
fn head_of_a_batch(stream: u32) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/v1/rulings:batch"),
        (":authority", "localhost"),
    ] {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).unwrap());
            block.extend_from_slice(text.as_bytes());
        }
    }
    frame(1, 4, stream, &block)
}

#[test]
fn over_http_2_a_batch_that_is_cut_short_takes_nobody_else_along() {
    let service = Service::start(&["--body-wait-ms=3000"]);
    let mut stream = service.connect();
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .unwrap();
    let line = format!("{BODY}\n");
    // The first sends a line and no more; the second goes on.
    let mut sent = frame(4, 0, 0, &[]);
    for number in [1, 3] {
        sent.extend(head_of_a_batch(number));
        sent.extend(frame(0, 0, number, line.as_bytes()));
    }
    stream.write_all(&sent).unwrap();
    for _ in 0..6 {
        thread::sleep(Duration::from_millis(800));
        stream.write_all(&frame(0, 0, 3, line.as_bytes())).unwrap();
    }
    stream.write_all(&frame(0, 1, 3, &[])).unwrap();
    let mut told = [String::new(), String::new()];
    let mut ended = [false; 2];
    while ended != [true; 2] {
        let mut head = [0; 9];
        stream.read_exact(&mut head).unwrap();
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        stream.read_exact(&mut payload).unwrap();
        let of = match head[8] {
            1 => 0,
            3 => 1,
            _ => continue,
        };
        if head[3] == 0 {
            told[of].push_str(&String::from_utf8_lossy(&payload));
        }
        ended[of] |= head[4] & 1 == 1 && matches!(head[3], 0 | 1);
    }
    let [cut, whole] = told;
    assert!(cut.contains("\"code\":\"body_timeout\""), "{cut}");
    assert_eq!(whole.matches("\"outcome\":\"loss\"").count(), 7, "{whole}");
}

#[test]
fn a_caller_of_http_1_0_gets_no_chunks() {
    let service = Service::start(&[]);
    let lines = format!("{BODY}\n").repeat(300);
    let length = lines.len();
    let told = service.send(
        format!("POST /v1/rulings:batch HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nContent-Length: {length}\r\n\r\n{lines}")
            .as_bytes(),
    );
    let (head, body) = told.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(
        head.starts_with("http/1.0 200") && !head.contains("transfer-encoding"),
        "{head}"
    );
    assert!(!head.contains("keep-alive"), "{head}");
    assert_eq!(body.lines().count(), 300, "{body}");
    for line in body.lines() {
        let told: Value = serde_json::from_str(line).unwrap();
        assert_eq!(told["verdict"]["outcome"], "loss");
    }
}

#[test]
fn a_head_that_cannot_be_read_is_answered_with_a_problem_and_told_in_the_log() {
    let service = Service::start(&[]);
    let endless = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 18));
    for (head, statuses) in [
        (&b"GET\r\n\r\n"[..], &[400][..]),
        (
            b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
            &[400],
        ),
        (b"GET / HTTP/9.9\r\n\r\n", &[400]),
        (endless.as_bytes(), &[400, 413, 431]),
    ] {
        let told = service.send(head);
        let status: u16 = told.get(9..12).unwrap().parse().unwrap();
        assert!(statuses.contains(&status), "{told}");
        let body = told.split("\r\n\r\n").nth(1).unwrap();
        let problem: Value = serde_json::from_str(body).unwrap();
        assert_eq!(problem["status"], status, "{told}");
        assert!(
            problem["code"].as_str().unwrap().starts_with("head_"),
            "{told}"
        );
        assert!(
            told.contains("content-type: application/problem+json"),
            "{told}"
        );
    }
    // What is at fault stands behind what is not.
    let told = service.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET\r\n\r\n");
    assert!(told.starts_with("HTTP/1.1 200 OK"), "{told}");
    assert!(told.contains("\"status\":\"ok\""), "{told}");
    assert!(told.contains("\"code\":\"head_malformed\""), "{told}");
    let (_, log) = service.end();
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    let warned: Vec<Value> = lines
        .filter(|line: &Value| line["level"] == "WARN" && line["target"] == "qili::access")
        .collect();
    assert_eq!(warned.len(), 5, "{warned:?}");
    assert!(warned.iter().all(|line| line["peer"] == "127.0.0.1"));
}

#[test]
fn idle_connections_make_room_for_others() {
    let service = Service::start(&["--connections=20"]);
    let mut idle: Vec<TcpStream> = (0..59).map(|_| service.connect()).collect();
    // Several threads take them on, in no order of their own: the last comes when the others are there.
    let begun = Instant::now();
    let closed = || service.counted("qili_connections_closed_total");
    while closed().is_none_or(|count| count < 39) {
        assert!(begun.elapsed() < Duration::from_mins(1), "none is closed");
    }
    // The youngest are kept, the oldest are not.
    let mut last = service.connect();
    last.write_all(&post("/v1/rulings", BODY)).unwrap();
    assert!(answer(&mut last).contains("\"outcome\":\"loss\""));
    let first = idle.first_mut().unwrap();
    assert_eq!(first.read(&mut [0; 8]).unwrap_or(0), 0);
    for _ in 0..5 {
        assert!(service.is_well());
    }
    assert!(service.count("qili_connections_open") <= 20);
    assert!(service.count("qili_connections_closed_total") >= 40);
}

#[actix_web::test]
async fn http_2_is_spoken_to_who_begins_with_it() {
    let service = Service::start(&["--write-wait-ms=700", "--batches-each=1"]);
    let io = tokio::net::TcpStream::connect(service.address)
        .await
        .unwrap();
    let (mut send, connection) = h2::client::Builder::new()
        .initial_window_size(2000)
        .handshake::<_, std::io::Cursor<Vec<u8>>>(io)
        .await
        .unwrap();
    let runs = actix_web::rt::spawn(connection);
    let ask = |path: &str| {
        http::Request::post(format!("http://localhost{path}"))
            .header("content-type", "application/json")
            .body(())
            .unwrap()
    };
    // Several at once on one connection.
    let mut answers = Vec::new();
    for _ in 0..8 {
        let (told, mut body) = send.send_request(ask("/v1/rulings"), false).unwrap();
        body.send_data(std::io::Cursor::new(BODY.as_bytes().to_vec()), true)
            .unwrap();
        answers.push(told);
    }
    for told in answers {
        let mut told = told.await.unwrap();
        assert_eq!(told.status(), 200);
        let mut text = Vec::new();
        while let Some(piece) = told.body_mut().data().await {
            let piece = piece.unwrap();
            told.body_mut()
                .flow_control()
                .release_capacity(piece.len())
                .unwrap();
            text.extend_from_slice(&piece);
        }
        assert!(
            String::from_utf8(text)
                .unwrap()
                .contains("\"outcome\":\"loss\"")
        );
    }
    // A name it does not go by is refused there as well.
    let other = http::Request::get("http://evil.example/v1/status")
        .body(())
        .unwrap();
    let (told, _) = send.send_request(other, true).unwrap();
    assert_eq!(told.await.unwrap().status(), 421);
    // Whoever reads nothing of a batch loses it here as well.
    let (told, mut body) = send.send_request(ask("/v1/rulings:batch"), false).unwrap();
    body.send_data(
        std::io::Cursor::new(format!("{BODY}\n").repeat(20).into_bytes()),
        false,
    )
    .unwrap();
    let told = told.await.unwrap();
    assert_eq!(told.status(), 200);
    let begun = Instant::now();
    let ended = actix_web::rt::time::timeout(Duration::from_secs(30), runs).await;
    assert!(ended.is_ok(), "never broken off");
    assert!(begun.elapsed() > Duration::from_millis(600));
    drop(told);
    assert!(service.is_well());
}

#[test]
fn the_end_is_told_before_it_comes_and_batches_end_on_a_whole_line() {
    let service = Service::start(&["--drain-ms=6000", "--grace=20"]);
    let mut stream = begin_batch(&service);
    chunk(&mut stream, &format!("{BODY}\n")).unwrap();
    let mut reader = stream.try_clone().unwrap();
    let reads = thread::spawn(move || answer(&mut reader));
    assert!(service.is_well());
    service.terminate();
    let asked = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    wait_for("it says so", || {
        let told = service.send(asked);
        told.starts_with("HTTP/1.1 503 ") && told.contains("\"stopping\":true")
    });
    // It still answers, new connections as well, and the batch goes on.
    assert!(service.is_well());
    let begun = Instant::now();
    while chunk(&mut stream, &format!("{BODY}\n")).is_ok() && !reads.is_finished() {
        assert!(begun.elapsed() < Duration::from_mins(1), "never ended");
        thread::sleep(Duration::from_millis(10));
    }
    let told = reads.join().unwrap();
    assert!(
        told.ends_with("0\r\n\r\n"),
        "the answer has its end: {told}"
    );
    let lines: Vec<Value> = told
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (last, before) = lines.split_last().unwrap();
    assert_eq!(last["error"]["code"], "stopping");
    assert_eq!(last["line"], before.len() as u64 + 1);
    assert!(
        before
            .iter()
            .all(|line| line["verdict"]["outcome"] == "loss")
    );
    let (code, _) = service.end();
    assert_eq!(code, Some(0));
}

#[test]
fn it_ends_although_nobody_reads_its_log() {
    use std::process::{Command, Stdio};
    let mut process = Command::new(env!("CARGO_BIN_EXE_qili"))
        .args([
            "serve",
            "--bind",
            "127.0.0.1:0",
            "--database",
            "none",
            "--drain-ms",
            "0",
        ])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = process.stderr.take().unwrap();
    let (mut text, mut byte) = (Vec::new(), [0]);
    while byte != *b"\n" {
        log.read_exact(&mut byte).unwrap();
        text.push(byte[0]);
    }
    let told: Value = serde_json::from_slice(&text).unwrap();
    let address: std::net::SocketAddr = told["address"].as_str().unwrap().parse().unwrap();
    // Far more than a pipe holds.
    let mut stream = TcpStream::connect(address).unwrap();
    for _ in 0..2000 {
        // In one piece: a second one waits until the first is acknowledged.
        let id = "x".repeat(100);
        let asked =
            format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: {id}\r\n\r\n");
        stream.write_all(asked.as_bytes()).unwrap();
        let mut seen = 0;
        let mut piece = [0; 4096];
        while !piece[..seen].ends_with(b"\"status\":\"ok\"}") {
            seen += stream.read(&mut piece[seen..]).unwrap();
        }
    }
    let id = process.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it never ends");
        thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(status.code(), Some(0));
}
