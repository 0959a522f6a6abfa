//! The service as a process of its own: connections that misbehave, and the end.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, Service, answer};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn half_a_body_is_not_waited_for_for_ever() {
    let service = Service::start(&["--body-wait-ms", "300"]);
    let begun = Instant::now();
    let half = format!(
        "POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len() * 2
    );
    let mut stream = service.connect();
    stream.write_all(half.as_bytes()).unwrap();
    let (mut told, mut piece) = (String::new(), [0; 1024]);
    while !told.contains("body_timeout") {
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "{told}");
        told.push_str(&String::from_utf8_lossy(&piece[..length]));
    }
    assert!(
        told.starts_with("HTTP/1.1 408 ") && told.contains("body_timeout"),
        "{told}"
    );
    // Without the setting it would be waited for longer.
    assert!(begun.elapsed() < Duration::from_secs(12));
    // One that hangs up in the middle.
    let mut stream = service.connect();
    stream.write_all(half.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
    assert!(service.is_well());
}

#[test]
fn a_hundred_megabytes_are_refused_unread() {
    let service = Service::start(&[]);
    assert!(service.is_well());
    let before = most_held(&service);
    let most = 100 << 20;
    let begun = Instant::now();
    let mut stream = service.connect();
    let head = format!(
        "POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {most}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // The connection may stay open behind the answer.
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut sent = 0;
    while sent < most && stream.write_all(&vec![b' '; 1 << 16]).is_ok() {
        sent += 1 << 16;
    }
    assert!(begun.elapsed() < Duration::from_mins(1));
    let text = answer(&mut stream);
    assert!(
        sent < most || text.contains("body_too_large"),
        "{sent} bytes were taken: {text}"
    );
    // In pieces, without its length being told.
    let mut stream = service.connect();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream.write_all(b"POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
    let piece = [
        format!("{:x}\r\n", 1 << 16).into_bytes(),
        vec![b' '; 1 << 16],
        b"\r\n".to_vec(),
    ]
    .concat();
    let mut sent = 0;
    while sent < most && stream.write_all(&piece).is_ok() {
        sent += 1 << 16;
    }
    let text = answer(&mut stream);
    assert!(
        sent < most || text.contains("body_too_large"),
        "{sent} bytes were taken: {text}"
    );
    // The program's own pages, read in as they are needed, count too: a body would be as much again.
    let grown = most_held(&service) - before;
    assert!(
        grown < 32 << 10,
        "{grown} kB were kept of what was refused, beside {before} kB"
    );
    assert!(service.is_well());
}

/// The most memory the service has held since it began, in kB.
fn most_held(service: &Service) -> u64 {
    let status = format!("/proc/{}/status", service.process.id());
    let status = std::fs::read_to_string(status).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    peak.parse().unwrap()
}

#[test]
fn slow_clients_keep_nobody_waiting() {
    let service = Service::start(&[]);
    let mut slow: Vec<TcpStream> = (0..400).map(|_| service.connect()).collect();
    for (at, stream) in slow.iter_mut().enumerate() {
        let part: &[u8] = match at % 3 {
            0 => b"POST /v1/rul",
            1 => b"POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{",
            _ => {
                b"POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"
            }
        };
        stream.write_all(part).unwrap();
    }
    for _ in 0..20 {
        let begun = Instant::now();
        assert!(service.is_well());
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn what_is_no_http_is_turned_away() {
    let service = Service::start(&[]);
    for rubbish in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"\r\n\r\n\0\0\0\0 / \r\n\r\n",
    ] {
        let told = service.send(rubbish);
        assert!(
            told.is_empty() || told.starts_with("HTTP/1.1 400 "),
            "{told}"
        );
    }
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20));
    let told = service.send(long.as_bytes());
    assert!(told.is_empty() || told.starts_with("HTTP/1.1 4"), "{told}");
    assert!(service.is_well());
}

#[test]
fn it_finishes_what_runs_and_ends_well() {
    let service = Service::start(&[]);
    let address = service.address;
    let asking: Vec<_> = (0..4)
        .map(|_| thread::spawn(move || load(address)))
        .collect();
    thread::sleep(Duration::from_millis(400));
    let begun = Instant::now();
    let (code, log) = service.end();
    assert_eq!(code, Some(0));
    assert!(
        begun.elapsed() < Duration::from_secs(25),
        "{:?}",
        begun.elapsed()
    );
    for asked in asking {
        let (well, broken) = asked.join().unwrap();
        assert!(
            well > 0 && broken == 0,
            "{well} answered, {broken} broken off"
        );
    }
    assert!(
        log.lines()
            .all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    );
    assert!(
        log.lines()
            .filter(|line| line.contains("\"path\":\"/v1/rulings\""))
            .count()
            > 3
    );
}

/// Asks on one connection until it is closed: answers that came whole, and those that did not.
fn load(address: SocketAddr) -> (u32, u32) {
    let (mut well, mut broken) = (0, 0);
    let head = format!(
        "POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    while let Ok(mut stream) = TcpStream::connect(address) {
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        while stream.write_all(head.as_bytes()).is_ok() {
            let mut length = 0;
            let mut line = String::new();
            let mut lines = 0;
            while reader.read_line(&mut line).is_ok_and(|n| n > 0) && line != "\r\n" {
                lines += 1;
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            if lines == 0 {
                // Closed between two requests.
                break;
            }
            let mut body = vec![0; length];
            if length > 0 && reader.read_exact(&mut body).is_ok() {
                well += 1;
            } else {
                broken += 1;
            }
        }
    }
    (well, broken)
}

#[test]
fn a_setting_that_cannot_be_met_is_told() {
    let told = |flags: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_qili"))
            .arg("serve")
            .env("QILI_DATABASE", "none")
            .args(flags)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, text) = told(&["--keys", "/nowhere"]);
    assert!(code == Some(2) && text.contains("/nowhere"), "{text}");
    let service = Service::start(&[]);
    let (code, text) = told(&["--bind", &service.address.to_string()]);
    assert!(
        code == Some(2) && text.contains("cannot listen on"),
        "{text}"
    );
    assert_eq!(told(&["--bind", "here"]).0, Some(2));
}

#[test]
fn settings_come_from_flags_and_the_environment() {
    let output = Command::new(env!("CARGO_BIN_EXE_qili"))
        .args(["serve", "--print-config", "--queue", "7"])
        .env("QILI_BIND", "127.0.0.1:9999")
        .env("QILI_QUEUE", "8")
        .env("QILI_DATABASE", "postgres://me:secret@host/db")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for line in [
        "bind = \"127.0.0.1:9999\"",
        "queue = 7",
        "database = \"postgres://me:***@host/db\"",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "no `{line}` in\n{text}"
        );
    }
}

/// Starts a batch whose length is not told.
fn begin_batch(service: &Service) -> (TcpStream, BufReader<TcpStream>) {
    let mut stream = service.connect();
    let head =
        "POST /v1/rulings:batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let reader = BufReader::new(stream.try_clone().unwrap());
    (stream, reader)
}

fn send_lines(stream: &mut TcpStream, lines: &str) -> std::io::Result<()> {
    stream.write_all(format!("{:x}\r\n{lines}\r\n", lines.len()).as_bytes())
}

fn read_ruling(reader: &mut BufReader<TcpStream>) -> String {
    loop {
        let mut line = String::new();
        assert!(reader.read_line(&mut line).unwrap() > 0, "no answer came");
        if line.starts_with('{') {
            return line;
        }
    }
}

#[test]
fn a_batch_is_answered_while_it_is_sent() {
    let service = Service::start(&["--body-wait-ms", "5000"]);
    let (mut stream, mut reader) = begin_batch(&service);
    for _ in 0..3 {
        send_lines(&mut stream, &format!("{BODY}\n")).unwrap();
        assert!(read_ruling(&mut reader).contains("\"outcome\":\"loss\""));
    }
    // One that stops in the middle of a line is told so.
    send_lines(&mut stream, "{\"id\":").unwrap();
    let last = read_ruling(&mut reader);
    assert!(
        last.contains("\"line\":4") && last.contains("body_timeout"),
        "{last}"
    );
}

#[test]
fn a_batch_that_says_its_length_is_answered_when_it_is_there() {
    let service = Service::start(&["--body-wait-ms", "5000"]);
    let lines = format!("{BODY}\n").repeat(200);
    let (half, rest) = lines.split_at(lines.len() / 2);
    let head = format!(
        "POST /v1/rulings:batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        lines.len()
    );
    let mut stream = service.connect();
    stream
        .write_all(format!("{head}{half}").as_bytes())
        .unwrap();
    let nothing = Duration::from_millis(200);
    stream.set_read_timeout(Some(nothing)).unwrap();
    assert!(stream.read(&mut [0]).is_err(), "answered before its end");
    stream.write_all(rest.as_bytes()).unwrap();
    stream.set_read_timeout(None).unwrap();
    let told = answer(&mut stream);
    assert!(told.starts_with("HTTP/1.1 200 "), "{told}");
    assert_eq!(told.matches("\"outcome\":\"loss\"").count(), 200);
    // One that does not come is refused as a whole.
    let mut stream = service.connect();
    stream
        .write_all(format!("{head}{half}").as_bytes())
        .unwrap();
    let told = answer(&mut stream);
    assert!(
        told.starts_with("HTTP/1.1 408 ") && told.contains("body_timeout"),
        "{told}"
    );
}

#[test]
fn a_batch_whose_answers_are_not_read_is_held_back_and_stops_when_its_caller_leaves() {
    let service = Service::start(&[]);
    let (mut stream, reader) = begin_batch(&service);
    stream
        .set_write_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let lines = format!("{BODY}\n").repeat(500);
    let mut sent = 0;
    while sent < 400 && send_lines(&mut stream, &lines).is_ok() {
        sent += 1;
    }
    assert!(sent < 400, "everything was taken in");
    let status = format!("/proc/{}/status", service.process.id());
    let status = std::fs::read_to_string(status).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak: u64 = peak
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    assert!(peak < 120_000, "{peak} kB");
    stream.shutdown(Shutdown::Both).unwrap();
    drop((stream, reader));
    let begun = Instant::now();
    while service.count("qili_batches_running") > 0 {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never ends");
        thread::sleep(Duration::from_millis(20));
    }
    let before = service.count("qili_batch_lines_total{result=\"ruling\"}");
    thread::sleep(Duration::from_millis(500));
    assert_eq!(
        service.count("qili_batch_lines_total{result=\"ruling\"}"),
        before
    );
    assert!(service.is_well());
}

#[test]
fn on_a_new_machine_it_keeps_its_rulings_where_programs_keep_data() {
    let home = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-home");
    std::fs::remove_dir_all(&home).ok();
    let data = home.join("share").join("data");
    let mut process = Command::new(env!("CARGO_BIN_EXE_qili"))
        .args(["serve", "--bind", "127.0.0.1:0"])
        .env_remove("QILI_DATABASE")
        .env("XDG_DATA_HOME", &data)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = BufReader::new(process.stderr.take().unwrap());
    let first = log.lines().next().unwrap().unwrap();
    process.kill().ok();
    process.wait().ok();
    assert!(
        first.contains("\"address\""),
        "nothing else is to be told: {first}"
    );
    assert!(data.join("qili/qili.db").is_file());
}

/// Bytes that are no UTF-8, within the text of a string.
fn not_utf8(text: &str) -> Vec<u8> {
    let (before, after) = text.split_once('?').unwrap();
    [before.as_bytes(), b"\xe6\xa3\xff", after.as_bytes()].concat()
}

#[test]
fn what_is_no_utf8_is_told_where_it_stands() {
    let service = Service::start(&[]);
    let ask = |path: &str, body: &[u8]| {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Language: zh\r\nContent-Length: {length}\r\n\r\n"
        );
        service.send(&[head.as_bytes(), body].concat())
    };
    let bad = not_utf8(&BODY.replacen('{', "{\"id\": \"棋?\", ", 1));
    for path in [
        "/v1/rulings",
        "/v1/positions:continuations",
        "/v1/moves:classify",
        "/v1/games:audit",
        "/v1/games:read",
        "/v1/amendments:compare",
    ] {
        let told = ask(path, &bad);
        assert!(told.starts_with("HTTP/1.1 400 "), "{path}: {told}");
        assert!(
            told.contains("\"code\":\"not_utf8\"") && told.contains("从第11字节起不是UTF-8"),
            "{path}: {told}"
        );
    }
    // On a line of a batch the others are ruled on all the same, and those that follow as well.
    let lines = [
        BODY.as_bytes(),
        b"\n",
        &bad,
        b"\n\xff\xfe\n",
        BODY.as_bytes(),
        b"\n",
    ]
    .concat();
    let told = ask("/v1/rulings:batch", &lines);
    let answers: Vec<&str> = told.lines().filter(|line| line.starts_with('{')).collect();
    assert_eq!(answers.len(), 4, "{told}");
    assert!(
        answers[0].contains("\"outcome\":\"loss\"") && answers[3] == answers[0],
        "{told}"
    );
    for (line, answer, at) in [(2, answers[1], 11), (3, answers[2], 0)] {
        let start = format!("{{\"id\":null,\"line\":{line},\"error\":{{\"code\":\"not_utf8\"");
        assert!(
            answer.starts_with(&start) && answer.contains(&format!("从第{at}字节起")),
            "{answer}"
        );
    }
    let count = service.count("qili_batch_lines_total{result=\"error\"}");
    assert_eq!(count, 2);
    // In a path and in a query, where it can only be written in hexadecimal.
    for (path, status) in [
        ("/v1/cases/%E6%FF", "404"),
        ("/v1/rulings:judge?fen=%E6%FF&moves=a0a1", "422"),
    ] {
        let told = service.send(
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        );
        assert!(
            told.starts_with(&format!("HTTP/1.1 {status} "))
                && told.contains("application/problem+json"),
            "{path}: {told}"
        );
    }
    assert!(service.is_well());
}
