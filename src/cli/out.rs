//! Where results and diagnostics are written.

use super::Lang;
use serde::Serialize;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// Standard output, and how to speak on it.
pub(super) struct Out {
    stream: BufWriter<StdoutLock<'static>>,
    pub(super) lang: Lang,
    /// Whether colours may be used.
    pub(super) coloured: bool,
}

impl Out {
    pub(super) fn new(lang: Lang) -> Self {
        let stdout = io::stdout();
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let coloured = stdout.is_terminal() && !refused;
        Self {
            stream: BufWriter::new(stdout.lock()),
            lang,
            coloured,
        }
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        writeln!(self.stream, "{line}")
    }

    /// Writes a value as a line of JSON.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.stream, value)?;
        self.stream.write_all(b"\n")
    }

    /// Writes what says itself where its lines end.
    pub(super) fn text(&mut self, text: impl fmt::Display) -> io::Result<()> {
        write!(self.stream, "{text}")
    }

    /// Writes what is lines already.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Lets what has been written be seen.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Writes a diagnostic. Where even that cannot be written, nobody is there to be told.
pub(super) fn complain(fault: &str) {
    let mut stderr = io::stderr().lock();
    writeln!(stderr, "qili: {fault}").ok();
}
