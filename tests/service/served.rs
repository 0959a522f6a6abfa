//! The service as a process of its own.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use qili::http::Settings;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A ruling that is soon given.
pub const BODY: &str =
    r#"{"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"]}"#;

/// The flags of a service, as its command takes them.
#[derive(clap::Parser)]
pub struct Flags {
    #[command(flatten)]
    settings: Settings,
}

/// What flags come to, the rest at its defaults.
pub fn settings(flags: &[&str]) -> Settings {
    let flags = ["qili"].iter().chain(flags);
    <Flags as clap::Parser>::parse_from(flags).settings
}

/// A service that ends with the test.
pub struct Service {
    pub process: Child,
    pub address: SocketAddr,
    log: Option<thread::JoinHandle<String>>,
}

impl Service {
    pub fn start(flags: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_qili"))
            .args(["serve", "--bind", "127.0.0.1:0"])
            .env("QILI_DATABASE", "none")
            .args(flags)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let told: serde_json::Value = serde_json::from_str(&line).unwrap();
        let address = told
            .get("address")
            .and_then(|address| address.as_str())
            .unwrap()
            .parse()
            .unwrap();
        let log = thread::spawn(move || {
            let mut rest = String::new();
            log.read_to_string(&mut rest).unwrap();
            rest
        });
        Self {
            process,
            address,
            log: Some(log),
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(2)))
            .unwrap();
        stream
    }

    pub fn send(&self, text: &[u8]) -> String {
        let mut stream = self.connect();
        // Whoever has heard enough answers and hangs up.
        stream.write_all(text).ok();
        answer(&mut stream)
    }

    pub fn is_well(&self) -> bool {
        self.send(&post("/v1/rulings", BODY))
            .contains("\"outcome\":\"loss\"")
    }

    /// Asks it to end; the status it ends with and the rest of its log.
    pub fn end(mut self) -> (Option<i32>, String) {
        self.terminate();
        let status = self.process.wait().unwrap();
        (status.code(), self.log.take().unwrap().join().unwrap())
    }

    pub fn terminate(&self) {
        let id = self.process.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// What comes until the connection is closed.
pub fn answer(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).ok();
    String::from_utf8_lossy(&text).into_owned()
}

pub fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

impl Service {
    /// A count as `/metrics` tells it.
    pub fn count(&self, name: &str) -> u64 {
        self.counted(name).unwrap()
    }

    /// The same, where the connection that asks is not itself among those that make room.
    pub fn counted(&self, name: &str) -> Option<u64> {
        let text =
            self.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let value = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
        text.lines().find_map(value)
    }
}
