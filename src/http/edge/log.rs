//! The log: lines of JSON, gathered and written out by a thread of its own, so that no request
//! waits for whoever reads them.
//!
//! Requests write their one line by hand. Formatting the fields of a span for each request costs
//! more than answering it from memory does.

use crate::http::edge::settings::StartError;
use crate::http::edge::trace::Exporter;
use crate::language::both;
use crate::store::Second;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tracing::subscriber::set_global_default;
use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::{Layer as _, Registry};

/// What may wait to be written out; lines beyond that are dropped and counted.
const MOST: usize = 8 << 20;
const OFTEN: Duration = Duration::from_millis(50);
/// How long the end waits for the last lines to be written.
const LAST: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
struct Held {
    text: Vec<u8>,
    dropped: u64,
}

/// Where lines of the log go.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Held>>);

static LOG: LazyLock<Log> = LazyLock::new(Log::default);

impl Log {
    /// The log of this process.
    pub fn global() -> &'static Self {
        &LOG
    }

    /// Adds a line.
    pub fn line(&self, line: &[u8]) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.text.len() + line.len() > MOST {
            held.dropped += 1;
        } else {
            held.text.extend_from_slice(line);
        }
    }

    /// Writes out what is held.
    pub fn flush(&self) {
        let held = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut out = io::stderr().lock();
        // There is nobody to tell that the log cannot be written.
        out.write_all(&held.text).ok();
        if held.dropped > 0 {
            let now = Stamp::now();
            let count = held.dropped;
            writeln!(
                out,
                "{{\"timestamp\":\"{now}\",\"level\":\"WARN\",\"dropped_lines\":{count}}}"
            )
            .ok();
        }
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Whole<'a>;

    fn make_writer(&'a self) -> Whole<'a> {
        Whole {
            log: self,
            line: Vec::with_capacity(256),
        }
    }
}

/// One event, added to the log as a whole.
#[derive(Debug)]
pub struct Whole<'a> {
    log: &'a Log,
    line: Vec<u8>,
}

impl Write for Whole<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Whole<'_> {
    fn drop(&mut self) {
        self.log.line(&self.line);
    }
}

/// What is to be logged: a level, or levels by module.
pub fn filter(text: &str) -> Result<Targets, StartError> {
    text.parse().map_err(|error: ParseError| {
        StartError(both!(
            "cannot read the filter of the log `{text}`: {error}",
            "日志的筛选“{text}”读不懂：{error}"
        ))
    })
}

/// Starts the log, and sends spans to the exporter, if there is one.
pub fn start(filter: &str, exporter: Option<&Exporter>) -> Result<(), StartError> {
    let filter = self::filter(filter)?;
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_writer(Log::global().clone());
    // A filter around everything is asked once for each place in the code, one around a layer each
    // time: that is only for a service that exports.
    let subscribed = match exporter {
        None => set_global_default(Registry::default().with(lines).with(filter)),
        Some(exporter) => {
            let both = Registry::default().with(lines.with_filter(filter));
            set_global_default(both.with(exporter.layer()))
        }
    };
    // A program that has a subscriber of its own keeps it.
    if subscribed.is_ok() {
        let writer = thread::Builder::new().name("log".to_owned());
        let write = || loop {
            thread::sleep(OFTEN);
            Log::global().flush();
        };
        writer
            .spawn(write)
            .map_err(|error| StartError(both!("{error}", "日志无法写出：{error}")))?;
    }
    Ok(())
}

/// Writes out what is held, but does not wait for ever for whoever should read it.
pub fn flush_at_the_end() {
    let (tell, told) = mpsc::channel();
    let last = thread::Builder::new().spawn(move || {
        Log::global().flush();
        tell.send(()).ok();
    });
    if last.is_ok() {
        told.recv_timeout(LAST).ok();
    }
}

/// A moment, written as RFC 3339 has it.
#[derive(Clone, Copy, Debug)]
pub struct Stamp(Duration);

impl Stamp {
    /// Now.
    pub fn now() -> Self {
        Self(
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default(),
        )
    }
}

impl std::fmt::Display for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let micros = self.0.subsec_micros();
        write!(f, "{}.{micros:06}Z", Second(self.0.as_secs()))
    }
}

/// A line of JSON under construction.
#[derive(Debug)]
pub struct Line(String);

impl Line {
    /// A line that begins with the time and a level.
    pub fn new(level: &str, target: &str) -> Self {
        let mut line = String::with_capacity(320);
        let _ = write!(
            line,
            "{{\"timestamp\":\"{}\",\"level\":\"{level}\",\"target\":\"{target}\"",
            Stamp::now()
        );
        Self(line)
    }

    /// With a text.
    #[must_use]
    pub fn text(mut self, key: &str, value: &str) -> Self {
        let _ = write!(self.0, ",\"{key}\":\"");
        for c in value.chars() {
            match c {
                '"' | '\\' => self.0.extend(['\\', c]),
                c if c.is_control() => {
                    let _ = write!(self.0, "\\u{:04x}", u32::from(c));
                }
                c => self.0.push(c),
            }
        }
        self.0.push('"');
        self
    }

    /// With a number.
    #[must_use]
    pub fn number(mut self, key: &str, value: u64) -> Self {
        let _ = write!(self.0, ",\"{key}\":{value}");
        self
    }

    /// Ends the line and hands it over.
    pub fn end(mut self) {
        self.0.push_str("}\n");
        Log::global().line(self.0.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_782_400, "2000-02-29T00:00:00.000000Z"),
            (1_795_219_199, "2026-11-20T23:59:59.000000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000000Z"),
        ] {
            assert_eq!(Stamp(Duration::from_secs(seconds)).to_string(), text);
        }
    }

    #[test]
    fn lines_are_json_whatever_is_in_them() {
        let line = Line::new("INFO", "t")
            .text("path", "/a\"b\\c\n\u{7f}将")
            .number("us", 3);
        let value: serde_json::Value = serde_json::from_str(&format!("{}}}", line.0)).unwrap();
        assert_eq!(value["path"], "/a\"b\\c\n\u{7f}将");
        assert_eq!(value["us"], 3);
    }
}
