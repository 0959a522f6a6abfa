//! Where results and diagnostics are written.

use super::books::unreadable;
use super::{Failure, Lang};
use crate::rules::LoadedBook;
use crate::ruling::Ruling;
use crate::wire::{Request, write_ruling};
use serde::Serialize;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;

/// Standard output, and how to speak on it.
pub(super) struct Out {
    stream: BufWriter<StdoutLock<'static>>,
    pub(super) lang: Lang,
    /// Whether colours may be used.
    pub(super) coloured: bool,
    /// The line that is being made.
    made: Vec<u8>,
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
            made: Vec::new(),
        }
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        writeln!(self.stream, "{line}")
    }

    /// Writes a value as a line of JSON.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.stream.write_all(&line)
    }

    /// Writes a ruling as a line of JSON.
    pub(super) fn ruling(
        &mut self,
        request: &Request,
        loaded: &LoadedBook,
        ruling: &Ruling,
    ) -> io::Result<()> {
        self.made.clear();
        write_ruling(&mut self.made, request, loaded, ruling)?;
        self.made.push(b'\n');
        self.stream.write_all(&self.made)
    }

    /// Writes what says itself where its lines end.
    pub(super) fn text(&mut self, text: impl fmt::Display) -> io::Result<()> {
        write!(self.stream, "{text}")
    }

    /// Writes a text into the file that is named, else to standard output.
    pub(super) fn text_to(&mut self, file: Option<&Path>, text: &str) -> Result<(), Failure> {
        match file {
            Some(path) => fs::write(path, text).map_err(|error| unreadable(path, &error)),
            None => Ok(self.text(text)?),
        }
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

/// A value as JSON for reading.
///
/// The text is made as for programs, and set out then: what writes each type is compiled once and not
/// for both. What lies in it as text already is set out with the rest.
pub(super) fn pretty(value: &impl Serialize) -> String {
    set_out(&serde_json::to_string(value).unwrap_or_default())
}

/// JSON without blanks between its parts, set out on lines as `serde_json` does it.
fn set_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0;
    let mut chars = text.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(next) = chars.next() {
        match next {
            '{' | '[' => {
                out.push(next);
                if let Some(close) = chars.next_if(|c| matches!(c, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth -= 1;
                line(&mut out, depth);
                out.push(next);
            }
            ',' => {
                out.push(next);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => {
                out.push(next);
                let mut escaped = false;
                for c in chars.by_ref() {
                    out.push(c);
                    match c {
                        '"' if !escaped => break,
                        '\\' => escaped = !escaped,
                        _ => escaped = false,
                    }
                }
            }
            _ => out.push(next),
        }
    }
    out
}

/// Writes a diagnostic. Where even that cannot be written, nobody is there to be told.
pub(super) fn complain(fault: &str) {
    let mut stderr = io::stderr().lock();
    writeln!(stderr, "qili: {fault}").ok();
}

#[cfg(test)]
mod tests {
    use super::pretty;
    use serde_json::{Value, json, to_string_pretty};

    #[test]
    fn json_is_set_out_as_by_serde_json() {
        let deep = json!({"a": [], "b": {}, "c": [1, -2.5e300, null, true, "x"], "d": {"e": [[], [{}], {"f": [0]}]}});
        let strings = json!(["", "\"", "\\", "\\\"", "\\\\", "{[:,]}", "\n\t\u{1}", "车四平五“，”", {"\"k\\": ":"}]);
        for value in [
            deep,
            strings,
            Value::Null,
            json!("text"),
            json!([]),
            json!({}),
        ] {
            assert_eq!(pretty(&value), to_string_pretty(&value).unwrap());
        }
    }
}
