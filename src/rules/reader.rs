//! Reads a TOML file to the end whatever is wrong with it, and notes on which line all stands.

use super::draft::Complaint;
use super::fault::{Fault, FaultCode, MOST_FAULTS, meant, nearest, told};
use crate::language::{Text, both};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// On which line a value stands, by JSON pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines(BTreeMap<String, usize>);

impl Lines {
    /// The line of a value, or of the nearest thing around it.
    pub fn of(&self, pointer: &str) -> Option<usize> {
        let mut pointer = pointer;
        loop {
            if let Some(line) = self.0.get(pointer) {
                return Some(*line);
            }
            pointer = pointer.rsplit_once('/')?.0;
        }
    }
}

/// A pointer to what stands under `key` in `pointer`.
pub fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A JSON pointer as people write a path: `/articles/2/id` as `articles[2].id`.
pub fn path(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        if !path.is_empty() && part.parse::<usize>().is_ok() {
            path = format!("{path}[{part}]");
            continue;
        }
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&part.replace("~1", "/").replace("~0", "~"));
    }
    path
}

/// What a value is, in words.
fn kind(value: &DeValue<'_>) -> Text {
    match value {
        DeValue::String(_) => both!("a text", "文字"),
        DeValue::Integer(_) => both!("a number", "数"),
        DeValue::Float(_) => both!("a number with a fraction", "小数"),
        DeValue::Boolean(_) => both!("`true` or `false`", "true 或 false"),
        DeValue::Datetime(_) => both!("a date", "日期"),
        DeValue::Array(_) => both!("a list", "列表"),
        DeValue::Table(_) => both!("a table", "表"),
    }
}

/// Bytes of a file: the longest book there is has a fifth of them.
pub const LONGEST: usize = 128 << 10;
/// Letters of a line that are looked at for what makes it no TOML.
const LONGEST_LINE: usize = 1_000;

/// A table of the file.
#[derive(Clone, Debug, Default)]
pub struct Section<'t> {
    /// What there is to be read.
    table: Option<&'t DeTable<'t>>,
    pointer: String,
}

/// A value of the file, with where it stands.
#[derive(Clone, Debug)]
pub struct Node<'t> {
    value: &'t DeValue<'t>,
    pub pointer: String,
}

/// What a file of rules is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Book,
    Amendment,
}

/// Whether a file, sound or not, is that of an amendment: one names the book it is over.
pub fn is_amendment(text: &str) -> bool {
    let (table, _) = DeTable::parse_recoverable(text);
    table.get_ref().contains_key("base")
}

/// A file being read.
#[derive(Debug)]
pub struct Reader {
    file: String,
    /// Where each line but the first begins.
    starts: Vec<usize>,
    /// What was found wrong so far.
    pub faults: Vec<Fault>,
    /// Where all stands.
    pub lines: Lines,
    /// The keys that are not there, but that misspelt ones stand for.
    pub meant: BTreeSet<String>,
    /// Whether the file is no TOML, so that what seems missing or out of place may not be.
    broken: bool,
}

impl Reader {
    /// Begins to read.
    pub fn new(file: &str, text: &str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            file: file.to_owned(),
            starts: newlines.map(|(at, _)| at + 1).collect(),
            faults: Vec::new(),
            lines: Lines(BTreeMap::from([(String::new(), 1)])),
            meant: BTreeSet::new(),
            broken: false,
        }
    }

    fn line_at(&self, span: &Range<usize>) -> usize {
        1 + self.starts.partition_point(|start| *start <= span.start)
    }

    /// The whole file as a table; faults of syntax are noted, and the rest is read all the same.
    pub fn parse<'t>(&mut self, text: &'t str) -> Spanned<DeTable<'t>> {
        if text.len() > LONGEST {
            self.broken = true;
            let message = both!(
                "the file has {} bytes, at most {LONGEST} are taken",
                "文件有{}字节，最多{LONGEST}字节",
                text.len()
            );
            self.fault("", FaultCode::TooLong, message);
            return DeTable::parse_recoverable("").0;
        }
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors.into_iter().take(MOST_FAULTS + 1) {
            self.broken = true;
            let line = error.span().map(|span| self.line_at(&span));
            // What a Chinese keyboard writes in the place of TOML's own signs.
            let wide = |c: &char| "“”‘’，＝：［］｛｝".contains(*c);
            let begins = |line: usize| line.checked_sub(2).and_then(|n| self.starts.get(n));
            let begins = line.map(|line| begins(line).copied().unwrap_or(0));
            let written = begins.and_then(|at| text.get(at..)?.lines().next());
            let wide = written.and_then(|written| written.chars().take(LONGEST_LINE).find(wide));
            let (mut en, mut zh) = (String::new(), String::new());
            if let Some(wide) = wide {
                en = format!(
                    " (the line has `{wide}`: quotes, commas and signs are those of ASCII)"
                );
                zh = format!("（该行有“{wide}”：引号、逗号等符号须用半角）");
            }
            let told = error.message();
            self.faults.push(Fault {
                file: self.file.clone(),
                line,
                pointer: String::new(),
                code: FaultCode::Syntax,
                message: format!("{told}{en}"),
                message_zh: format!("不是合法的 TOML：{told}{zh}"),
            });
        }
        table
    }

    /// What the file is by the keys that only one kind has, where it is sound and they say it.
    pub fn kind(&self, table: &DeTable<'_>) -> Option<Kind> {
        let has = |key| !self.broken && table.contains_key(key);
        match (has("base"), has("version") || has("edition")) {
            (true, false) => Some(Kind::Amendment),
            (false, true) => Some(Kind::Book),
            _ => None,
        }
    }

    /// That one thing is wrong, which makes all else beside the point.
    pub fn only(mut self, pointer: &str, code: FaultCode, message: Text) -> Vec<Fault> {
        self.faults.clear();
        self.fault(pointer, code, message);
        self.faults
    }

    /// Notes a fault.
    pub fn fault(&mut self, pointer: &str, code: FaultCode, message: Text) {
        let follows = matches!(code, FaultCode::MissingKey | FaultCode::UnknownKey);
        if (self.broken && follows) || self.faults.len() > MOST_FAULTS {
            return;
        }
        self.faults.push(Fault {
            file: self.file.clone(),
            line: self.lines.of(pointer),
            pointer: pointer.to_owned(),
            code,
            message: message.en,
            message_zh: message.zh,
        });
    }

    /// A table with the keys it must and may have.
    pub fn section<'t>(
        &mut self,
        table: &'t DeTable<'t>,
        outer: &str,
        required: &[&str],
        optional: &[&str],
    ) -> Section<'t> {
        let name = match path(outer) {
            name if name.is_empty() => both!("the file", "文件"),
            name => both!("`{name}`", "`{name}` "),
        };
        for (key, value) in table {
            let pointer = below(outer, key.get_ref());
            let line = self.line_at(&key.span());
            self.lines.0.insert(pointer.clone(), line);
            if let DeValue::Array(items) = value.get_ref() {
                for (at, item) in items.iter().enumerate() {
                    let line = self.line_at(&item.span());
                    self.lines.0.insert(format!("{pointer}/{at}"), line);
                }
            }
            let key = key.get_ref().as_ref();
            let known = required.iter().chain(optional).copied();
            if !known.clone().any(|other| other == key) {
                if let Some(other) = nearest(key, known.clone()) {
                    self.meant.insert(below(outer, other));
                }
                let meant = meant(key, known);
                let message = both!(
                    name, meant;
                    "unknown key `{key}` in {name}{meant}",
                    "{name}中没有“{key}”这一项{meant}",
                );
                self.fault(&pointer, FaultCode::UnknownKey, message);
            }
        }
        for key in required {
            let pointer = below(outer, key);
            if !table.contains_key(*key) && !self.meant.contains(&pointer) {
                let message = both!(name; "{name} lacks `{key}`", "{name}缺“{key}”");
                self.fault(&pointer, FaultCode::MissingKey, message);
            }
        }
        Section {
            table: Some(table),
            pointer: outer.to_owned(),
        }
    }

    fn wrong(&mut self, node: &Node<'_>, expected: &Text) {
        let (key, kind) = (path(&node.pointer), kind(node.value));
        let message = both!(
            kind, expected;
            "`{key}` is {kind}, expected {expected}",
            "`{key}` 是{kind}，应为{expected}",
        );
        self.fault(&node.pointer, FaultCode::WrongType, message);
    }

    /// A value as a table.
    pub fn table<'t>(
        &mut self,
        node: &Node<'t>,
        required: &[&str],
        optional: &[&str],
    ) -> Option<Section<'t>> {
        if let DeValue::Table(table) = node.value {
            return Some(self.section(table, &node.pointer, required, optional));
        }
        self.wrong(node, &both!("a table", "表"));
        None
    }

    /// A value as a text.
    pub fn text(&mut self, node: &Node<'_>) -> Option<String> {
        if let DeValue::String(text) = node.value {
            return Some(text.clone().into_owned());
        }
        self.wrong(node, &both!("a text", "文字"));
        None
    }

    /// A value as `true` or `false`.
    pub fn flag(&mut self, node: &Node<'_>) -> Option<bool> {
        if let DeValue::Boolean(flag) = node.value {
            return Some(*flag);
        }
        self.wrong(node, &both!("`true` or `false`", "true 或 false"));
        None
    }

    /// A value as a whole number of that range.
    pub fn count(&mut self, node: &Node<'_>, range: Range<u32>) -> Option<u32> {
        let (least, most) = (range.start, range.end - 1);
        let expected = both!(
            "a whole number from {least} to {most}",
            "{least}至{most}的整数"
        );
        let DeValue::Integer(number) = node.value else {
            self.wrong(node, &expected);
            return None;
        };
        let count = u32::from_str_radix(number.as_str(), number.radix()).ok();
        let count = count.filter(|count| range.contains(count));
        if count.is_none() {
            let name = path(&node.pointer);
            let message = both!(
                expected;
                "`{name}` is {number}, expected {expected}",
                "`{name}` 是{number}，应为{expected}",
            );
            self.fault(&node.pointer, FaultCode::OutOfRange, message);
        }
        count
    }

    /// A value as one of a closed set of names.
    pub fn name<T>(
        &mut self,
        node: &Node<'_>,
        known: impl IntoIterator<Item = &'static str> + Clone,
        from_id: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let name = self.text(node)?;
        let value = from_id(&name);
        if value.is_none() {
            let (key, meant) = (path(&node.pointer), meant(&name, known));
            let message = both!(meant; "`{key}` is `{name}`{meant}", "`{key}` 是“{name}”{meant}");
            self.fault(&node.pointer, FaultCode::UnknownValue, message);
        }
        value
    }

    /// A value as a list.
    pub fn list<'t>(&mut self, node: &Node<'t>, expected: &Text) -> Option<Vec<Node<'t>>> {
        let DeValue::Array(items) = node.value else {
            self.wrong(node, expected);
            return None;
        };
        let nodes = items.iter().enumerate().map(|(at, item)| Node {
            value: item.get_ref(),
            pointer: format!("{}/{at}", node.pointer),
        });
        Some(nodes.collect())
    }

    /// A value as a list of texts.
    pub fn texts(&mut self, node: &Node<'_>) -> Option<Vec<String>> {
        let items = self.list(node, &both!("a list of texts", "文字的列表"))?;
        let texts: Vec<_> = items.iter().map(|item| self.text(item)).collect();
        texts.into_iter().collect()
    }

    /// A number, a text or a truth value as it is; other kinds are none a parameter could have.
    pub fn plain(node: &Node<'_>) -> Option<Value> {
        match node.value {
            DeValue::String(text) => Some(Value::from(text.as_ref())),
            DeValue::Boolean(flag) => Some(Value::from(*flag)),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .ok()
                .map(Value::from),
            DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
                None
            }
        }
    }

    /// Says that a value is of another kind than was expected.
    pub fn of_another_kind(&mut self, node: &Node<'_>, expected: &Text) {
        self.wrong(node, expected);
    }
}

impl<'t> Section<'t> {
    /// What stands under a key, if anything does.
    pub fn get(&self, key: &str) -> Option<Node<'t>> {
        let value = self.table?.get(key)?.get_ref();
        let pointer = below(&self.pointer, key);
        Some(Node { value, pointer })
    }

    /// Everything in it, in the order of its keys.
    pub fn entries(&self) -> Vec<(String, Node<'t>)> {
        let entries = self.table.into_iter().flatten().map(|(key, value)| {
            let key = key.get_ref().clone().into_owned();
            let pointer = below(&self.pointer, &key);
            let value = value.get_ref();
            (key, Node { value, pointer })
        });
        entries.collect()
    }
}

impl Reader {
    /// All faults, with those of the book that was read, in the order of their lines. What is
    /// only wrong because something could not be read is left out.
    pub fn finish(mut self, complaints: Vec<Complaint>) -> Vec<Fault> {
        let unread: BTreeSet<String> = self.faults.iter().map(|f| f.pointer.clone()).collect();
        let follows = |pointer: &str| {
            let mut outer = pointer;
            while !outer.is_empty() {
                if unread.contains(outer) {
                    return true;
                }
                outer = outer.rsplit_once('/').map_or("", |(outer, _)| outer);
            }
            false
        };
        let articles_unread = unread.iter().any(|pointer| {
            let mut parts = pointer.split('/').skip(1);
            parts.next() == Some("articles")
                && matches!((parts.nth(1), parts.next()), (None | Some("id"), None))
        });
        for complaint in complaints {
            let Complaint {
                pointer,
                code,
                message,
                ..
            } = complaint;
            let absent = matches!(
                code,
                FaultCode::MissingRow
                    | FaultCode::MissingGround
                    | FaultCode::UntiedParameter
                    | FaultCode::EmptyText
                    | FaultCode::BadId
                    | FaultCode::BadVersion
                    | FaultCode::BadDate
            );
            let within = |other: &String| other.starts_with(&pointer);
            let unsure = self.broken && (absent || code == FaultCode::UnknownArticle)
                || articles_unread && code == FaultCode::UnknownArticle
                || code == FaultCode::NoClause && unread.iter().any(within)
                || code == FaultCode::NoChange && pointer.is_empty() && !unread.is_empty();
            let misspelt = |meant: &String| {
                let below = pointer.strip_prefix(meant.as_str());
                below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
            };
            if !unsure && !self.meant.iter().any(misspelt) && !follows(&pointer) {
                self.fault(&pointer, code, message);
            }
        }
        self.faults.sort_by_key(|fault| fault.line);
        told(self.faults)
    }
}
