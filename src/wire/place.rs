//! Where in a text of JSON its reading failed.
//!
//! What reads a value says in which line and column it failed, and not in which of its members. To keep track of that while
//! reading would take time, and a second copy of every reader; so the text is gone through once more, up to there.

use serde_json::Error;
use serde_json::error::Category;

/// An array or an object that is open.
enum Open {
    /// The element that is read, 0 for the first, and whether it has come: between two of them there is none.
    Array(usize, bool),
    /// The member whose value is read: where its name stands in the text.
    Object(Option<(usize, usize)>),
}

/// What is read at a place.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// Nothing: white space, or what stands between values.
    Nothing,
    /// A text from here on, in which the next character may be masked.
    Text(usize, bool),
    /// A number or a word from here on.
    Word(usize),
}

/// What was met of a text so far.
struct Trail<'t> {
    text: &'t str,
    open: Vec<Open>,
    within: Within,
    /// Whether an element may come next.
    comes: bool,
    /// Whether the last byte ended a value.
    over: bool,
    /// The name of a member whose colon has not come yet.
    name: Option<(usize, usize)>,
}

/// The JSON pointer to the value that could not be read; empty for the whole.
pub(super) fn pointer(text: &str, error: &Error) -> String {
    let lines = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let consumed = (lines.map(str::len).sum::<usize>() + error.column()).min(text.len());
    let at = consumed.saturating_sub(1);
    let mut trail = Trail {
        text,
        open: Vec::new(),
        within: Within::Nothing,
        comes: false,
        over: false,
        name: None,
    };
    let bytes = text.as_bytes();
    for (place, &byte) in bytes.iter().enumerate().take(at) {
        trail.ends_before(place, Some(byte));
        if trail.breaks_off(place) {
            break;
        }
        trail.take(place, byte);
    }
    let next = bytes.get(at).copied();
    match error.classify() {
        // What was read last is not what was expected; a list or an object is not read, but looked at.
        Category::Data => {
            trail.ends_before(at, next);
            trail.take(at, next.unwrap_or_default());
            let behind = bytes.get(consumed..).unwrap_or_default().trim_ascii_start();
            if let Some(b'[' | b'{') = behind.first() {
                trail.begins();
            }
        }
        // It is over where something was to come.
        Category::Eof => {
            trail.ends_before(at, next);
            trail.take(at, next.unwrap_or_default());
            trail.ends_before(text.len(), None);
        }
        // The next character cannot stand there.
        Category::Syntax | Category::Io => {
            trail.ends_before(at, next);
            if next != Some(b']') {
                trail.begins();
            }
        }
    }
    let unknown = error.to_string().starts_with("unknown field");
    trail.told(unknown)
}

/// Whether what begins as a number is one with this byte as well.
fn number_goes_on(number: &[u8], byte: u8) -> bool {
    // The whole of it is looked through for what comes in it once, and not for each of its digits.
    let has = |of: &[u8]| number.iter().any(|byte| of.contains(byte));
    match byte {
        b'0'..=b'9' => true,
        b'.' => !has(b".eE"),
        b'e' | b'E' => !has(b"eE"),
        b'+' | b'-' => matches!(number.last(), Some(b'e' | b'E')),
        _ => !number.last().is_some_and(u8::is_ascii_digit),
    }
}

impl Trail<'_> {
    /// Leaves a value that is over before this byte.
    fn ends_before(&mut self, place: usize, byte: Option<u8>) {
        if let Within::Word(from) = self.within {
            let word = self.text.as_bytes().get(from..place).unwrap_or_default();
            self.over = match word {
                b"true" | b"false" | b"null" => true,
                [b'a'..=b'z', ..] => false,
                _ => !byte.is_some_and(|byte| number_goes_on(word, byte)),
            };
        }
        if !std::mem::take(&mut self.over) {
            return;
        }
        self.within = Within::Nothing;
        match self.open.last_mut() {
            Some(Open::Array(index, begun)) => (*index, *begun) = (*index + 1, false),
            Some(Open::Object(member)) => *member = None,
            None => {}
        }
    }

    /// An element comes, where one may.
    fn begins(&mut self) {
        if self.within == Within::Nothing
            && let Some(Open::Array(_, begun)) = self.open.last_mut()
        {
            *begun |= self.comes;
        }
    }

    /// Whether a character in hexadecimal digits lacks some: reading ends there, and says that it ended behind them.
    fn breaks_off(&self, place: usize) -> bool {
        let escape = self.text.as_bytes().get(place..place + 5);
        matches!(self.within, Within::Text(_, true))
            && self.text.as_bytes().get(place) == Some(&b'u')
            && !escape.is_some_and(|escape| escape.iter().skip(1).all(u8::is_ascii_hexdigit))
    }

    fn take(&mut self, place: usize, byte: u8) {
        match self.within {
            Within::Text(from, true) => self.within = Within::Text(from, false),
            Within::Text(from, false) if byte == b'\\' => self.within = Within::Text(from, true),
            Within::Text(from, false) if byte == b'"' => {
                self.within = Within::Nothing;
                if let Some(Open::Object(None)) = self.open.last() {
                    self.name = Some((from, place + 1));
                } else {
                    self.over = true;
                }
            }
            Within::Text(..) | Within::Word(_) => {}
            Within::Nothing => {
                if !matches!(byte, b',' | b']' | b'}' | b':') && !byte.is_ascii_whitespace() {
                    self.begins();
                }
                match byte {
                    b'"' => self.within = Within::Text(place, false),
                    b'[' => self.open.push(Open::Array(0, false)),
                    b'{' => self.open.push(Open::Object(None)),
                    b']' | b'}' => {
                        self.open.pop();
                        self.over = true;
                    }
                    b':' => {
                        if let Some(Open::Object(member)) = self.open.last_mut() {
                            *member = self.name.take();
                        }
                    }
                    b',' => {}
                    _ if byte.is_ascii_whitespace() => {}
                    _ => self.within = Within::Word(place),
                }
                if !byte.is_ascii_whitespace() {
                    self.comes = matches!(byte, b'[' | b',');
                }
            }
        }
    }

    /// As a pointer; a member that is unknown is pointed at itself.
    fn told(&self, unknown: bool) -> String {
        let mut pointer = String::new();
        let last = Open::Object(self.name.filter(|_| unknown));
        for open in self.open.iter().chain([&last]) {
            match *open {
                Open::Array(index, true) => {
                    pointer.push('/');
                    pointer += &index.to_string();
                }
                Open::Object(Some((from, to))) => {
                    let name = self.text.get(from..to).unwrap_or_default();
                    let name: String = serde_json::from_str(name).unwrap_or_default();
                    pointer.push('/');
                    pointer += &name.replace('~', "~0").replace('/', "~1");
                }
                Open::Array(_, false) | Open::Object(None) => {}
            }
        }
        pointer
    }
}

#[cfg(test)]
mod tests {
    use super::pointer;
    use crate::proof::Certificate;
    use crate::wire::{Request, Sheet};
    use serde::de::DeserializeOwned;
    use serde_path_to_error::Segment;

    /// As it is when it is kept track of while reading.
    fn tracked<T: DeserializeOwned>(text: &str) -> Option<(String, String, String)> {
        let json = &mut serde_json::Deserializer::from_str(text);
        let error = serde_path_to_error::deserialize::<_, T>(json).err()?;
        let path = error.path().iter().filter_map(|segment| match segment {
            Segment::Seq { index } => Some(format!("/{index}")),
            Segment::Map { key } => Some(format!("/{}", key.replace('~', "~0").replace('/', "~1"))),
            Segment::Enum { .. } | Segment::Unknown => None,
        });
        let (path, error) = (path.collect(), error.into_inner());
        Some((path, pointer(text, &error), error.to_string()))
    }

    fn check(text: &str) -> usize {
        let all = [
            tracked::<Request>(text),
            tracked::<Certificate>(text),
            tracked::<Sheet>(text),
        ];
        let failed = all.into_iter().flatten();
        let told = failed.map(|(path, found, error)| {
            // A list that is taken up where anything may stand looks like one whose first element was looked at.
            let first = error.starts_with("invalid type: sequence") && found == format!("{path}/0");
            assert!(
                found == path || first,
                "{found}, not {path}: {error}: {text}"
            );
        });
        told.count()
    }

    #[test]
    fn it_is_where_it_is_when_it_is_kept_track_of() {
        let whole = r#"{"id": "a", "fen" : "x", "moves": ["f0e0","e8f8" , "\"\u4e00"], "kind":"game",
            "ordered":[{"side":"red", "after_ply": 3}], "assertions": {"theoretical_draw":true},
            "explain": "notes", "claimed": false, "budget":20, "record": {"players": {"red": "甲"}}}"#;
        let others = [
            "",
            "1",
            "-1",
            "1.5",
            "null",
            "true",
            "tru",
            "[",
            "]",
            "{",
            "}",
            "[[]]",
            "{}",
            "\"x\"",
            "\"",
            ",",
            ":",
            "\"a~/b\": 1,",
            "\"moves\": []",
            " ",
            "\n",
        ];
        let cuts: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
        let mut failed = 0;
        for &at in &cuts {
            let (before, behind) = whole.split_at(at);
            failed += check(before);
            for other in others {
                failed += check(&format!("{before}{other}{behind}"));
                for length in [1, 2, 3, 5, 8] {
                    if let Some(behind) = behind.get(length..) {
                        failed += check(&format!("{before}{other}{behind}"));
                    }
                }
            }
        }
        assert!(failed > 10_000, "{failed}");
    }
}
