//! Module imports only point downwards: a module may name those below it, never those above.
//!
//! The check reads the sources, so it asks for imports it can read: one `use crate::module::…` for
//! each module, and no way to the crate's root but `crate::`. Comments and strings are passed over.

#![expect(
    clippy::unwrap_used,
    reason = "test code: a file that cannot be read fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Bottom to top. Not every one needs to exist; one that exists needs to stand here.
const LAYERS: &[&str] = &[
    "version",
    "named",
    "once",
    "durable",
    "language",
    "written",
    "board",
    "notation",
    "game",
    "record",
    "definitions",
    "exchange",
    "classify",
    "rules",
    "proof",
    "ruling",
    "prove",
    "explain",
    "wire",
    "cases",
    "diagram",
    "template",
    "compare",
    "calls",
    "archive",
    "store",
    "http",
    "cli",
];

/// Modules that have rooms, with these from the bottom up: a room knows itself and those below it.
const ROOMS: &[(&str, &[&str])] = &[(
    "http",
    &[
        "edge",
        "intake",
        "desk",
        "keeping",
        "batches",
        "resources",
        "front",
    ],
)];

/// What belongs to no layer: the root that declares the modules, and the program on top.
const ROOTS: &[&str] = &["lib", "main"];

/// The text with comments and the insides of strings and characters blanked, lines kept.
fn code_of(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(hashes) = raw_string(rest) {
            let close = format!("\"{}", "#".repeat(hashes));
            let body = rest.find('"').unwrap() + 1;
            let end = rest.get(body..).unwrap().find(&close).unwrap();
            body + end + close.len()
        } else if first == '"' {
            quoted(rest, '"')
        } else if is_character(rest) {
            quoted(rest, '\'')
        } else {
            // A whole word at a time, so that the `r` in `for"` is not taken for a raw string.
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest.find(|c: char| !word(c)).unwrap_or(rest.len());
            let end = end.max(first.len_utf8());
            out.push_str(rest.get(..end).unwrap());
            rest = rest.get(end..).unwrap();
            continue;
        };
        let (skipped, after) = rest.split_at(length);
        out.push(' ');
        out.extend(skipped.chars().filter(|&c| c == '\n'));
        rest = after;
    }
    out
}

/// How long a block comment is, the comments in it included.
fn block_comment(text: &str) -> usize {
    let mut depth = 0u32;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The number of hashes where a raw string begins.
fn raw_string(text: &str) -> Option<usize> {
    let text = text.strip_prefix('b').unwrap_or(text);
    let text = text.strip_prefix('r')?;
    let after = text.trim_start_matches('#');
    after.starts_with('"').then(|| text.len() - after.len())
}

/// Whether a character literal begins here, not a lifetime.
fn is_character(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('\'')
        && chars
            .next()
            .is_some_and(|c| c == '\\' || chars.next() == Some('\''))
}

/// How long a literal with escapes is, its quotes included.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// Every fault in the imports of a file of `module`, `depth` modules below the root.
fn faults(module: &str, depth: usize, source: &str) -> Vec<String> {
    let code = code_of(source);
    let mut faults = Vec::new();
    let height = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let mut after_crate = code.split("crate::");
    let mut line = 1 + after_crate
        .next()
        .map_or(0, |text| text.matches('\n').count());
    for text in after_crate {
        let name: String = text
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if text.starts_with('{') || text.starts_with('*') {
            faults.push(format!("line {line}: one `use crate::…` for each module"));
        } else if let Some(other) = height(&name) {
            if other > height(module).unwrap_or(LAYERS.len()) {
                faults.push(format!("line {line}: `{module}` must not know `{name}`"));
            }
        } else {
            faults.push(format!("line {line}: `crate::{name}` names no layer"));
        }
        line += text.matches('\n').count();
    }
    // Modules written out in the file are one deeper each.
    let mut inline: Vec<usize> = Vec::new();
    let mut braces = 0;
    for (line, text) in (1..).zip(code.lines()) {
        let ups = text.matches("super::").count();
        let chained = (1..=ups)
            .rev()
            .find(|&n| text.contains(&"super::".repeat(n)));
        if chained.is_some_and(|n| n >= depth + inline.len()) {
            faults.push(format!(
                "line {line}: write `crate::…` for the crate's root"
            ));
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let opens_module =
            words.contains(&"mod") && words.last().is_some_and(|word| word.ends_with('{'));
        if opens_module {
            inline.push(braces);
        }
        braces = (braces + text.matches('{').count()).saturating_sub(text.matches('}').count());
        if text.contains('}') {
            inline.retain(|&outer| outer < braces);
        }
    }
    faults
}

/// Every source file below a folder, with its depth.
fn sources(folder: &Path, depth: usize, found: &mut Vec<(PathBuf, usize)>) {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, depth + 1, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own = usize::from(path.file_stem().is_some_and(|stem| stem != "mod"));
            found.push((path, depth + own));
        }
    }
}

/// The module a source file belongs to: the first name below `src`.
fn module_of(path: &Path, src: &Path) -> String {
    let below = path.strip_prefix(src).unwrap();
    let first = Path::new(below.components().next().unwrap().as_os_str());
    first.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn imports_point_downwards() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, 0, &mut files);
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (path, depth) in files {
        let module = module_of(&path, &src);
        if ROOTS.contains(&module.as_str()) {
            continue;
        }
        if !LAYERS.contains(&module.as_str()) {
            wrong.push(format!("{}: `{module}` has no layer", path.display()));
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        for fault in faults(&module, depth, &source) {
            wrong.push(format!("{}: {fault}", path.display()));
        }
        seen.insert(module);
    }
    assert!(seen.contains("board"), "no sources found: {seen:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The places within a module that a file of it names: `crate::http::edge::{log, keys::Scope}` names
/// `edge::log` and `edge::keys`.
fn places_named(module: &str, source: &str) -> BTreeSet<String> {
    let code = code_of(source);
    let word = |text: &str| -> String {
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let mut places = BTreeSet::new();
    for rest in code.split(&format!("crate::{module}::")).skip(1) {
        let room = word(rest);
        let Some(inner) = rest.get(room.len()..).and_then(|r| r.strip_prefix("::")) else {
            places.insert(room);
            continue;
        };
        let Some(list) = inner.strip_prefix('{') else {
            places.insert(format!("{room}::{}", word(inner)));
            continue;
        };
        let mut depth = 0;
        let mut name = String::new();
        for c in list.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    places.insert(format!("{room}::{}", word(name.trim())));
                    name.clear();
                }
                c => name.push(c),
            }
        }
        if !name.trim().is_empty() {
            places.insert(format!("{room}::{}", word(name.trim())));
        }
    }
    places
}

/// A way round from a file back to itself, if there is one.
fn circle(knows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk(
        knows: &BTreeMap<String, BTreeSet<String>>,
        at: &str,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> bool {
        if let Some(first) = way.iter().position(|seen| seen == at) {
            way.drain(..first);
            return true;
        }
        if done.contains(at) {
            return false;
        }
        way.push(at.to_owned());
        for next in knows.get(at).into_iter().flatten() {
            if next == at {
                continue;
            }
            if walk(knows, next, way, done) {
                return true;
            }
        }
        way.pop();
        done.insert(at.to_owned());
        false
    }
    let mut done = BTreeSet::new();
    knows.keys().find_map(|from| {
        let mut way = Vec::new();
        walk(knows, from, &mut way, &mut done).then_some(way)
    })
}

#[test]
fn rooms_know_only_those_below_them_and_no_files_know_each_other_in_a_circle() {
    for (module, rooms) in ROOMS {
        let src = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(module);
        let mut files = Vec::new();
        sources(&src, 1, &mut files);
        let height = |room: &str| rooms.iter().position(|known| *known == room);
        let mut wrong = Vec::new();
        let mut knows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (path, _) in &files {
            let below = path.strip_prefix(&src).unwrap().with_extension("");
            let place = below.to_string_lossy().replace('/', "::");
            let place = place.strip_suffix("::mod").unwrap_or(&place).to_owned();
            let source = fs::read_to_string(path).unwrap();
            // The tests of a file stand below it and may name what it has.
            let code = code_of(&source);
            let own = code.split("mod tests {").next().unwrap();
            if own.contains("super::") {
                wrong.push(format!(
                    "{place}: write `crate::{module}::…` for other files"
                ));
            }
            if place == "mod" {
                continue;
            }
            let room = place.split("::").next().unwrap();
            let Some(own_height) = height(room) else {
                wrong.push(format!("{place}: `{room}` is no room"));
                continue;
            };
            let named = places_named(module, &source);
            for other in &named {
                let other_room = other.split("::").next().unwrap();
                if height(other_room).is_none_or(|other| other > own_height) {
                    wrong.push(format!("{place} must not know {other}"));
                }
            }
            knows.insert(place, named);
        }
        assert!(knows.len() > 20, "{knows:?}");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(circle(&knows), None);
    }
}

/// Whoever verifies a certificate trusts what the verifier knows: the two languages, the board, texts of positions, and the book.
#[test]
fn the_verifier_knows_nothing_of_the_engine() {
    let mut files = Vec::new();
    sources(Path::new("src/proof"), 1, &mut files);
    assert!(files.len() > 10, "{files:?}");
    let mut knows = BTreeMap::new();
    for (path, _) in files {
        let code = code_of(&fs::read_to_string(&path).unwrap());
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let beside = code.match_indices("use super::").map(|(at, using)| {
            let rest = code.get(at + using.len()..).unwrap();
            rest.chars().take_while(char::is_ascii_lowercase).collect()
        });
        knows.insert(name, beside.collect());
        for (at, _) in code.match_indices("crate::") {
            let rest = code.get(at + "crate::".len()..).unwrap();
            let allowed = ["language", "board", "notation", "definitions", "rules"];
            let named: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
            assert!(allowed.contains(&named.as_str()), "{path:?} knows {named}");
        }
    }
    assert_eq!(circle(&knows), None);
}

/// What asks the board itself who bears on whom.
const RELATIONS: [&str; 7] = [
    ".bears(",
    ".bearing_on(",
    ".checkers(",
    ".pivot(",
    ".between(",
    "captures_into(",
    "ContactGraph::of(&scene",
];

/// Where a source asks the board who bears on whom.
fn asks_the_board(source: &str) -> Vec<String> {
    let code = code_of(source);
    let lines = (1..).zip(code.lines());
    let asked = lines.flat_map(|(line, text)| {
        let found = RELATIONS
            .iter()
            .filter(|relation| text.contains(**relation));
        found.map(move |relation| format!("line {line}: `{relation}`"))
    });
    asked.collect()
}

/// Who attacks, guards, blocks and pins is read from the graph that a position's questions share, so that the
/// label, the data and the words cannot see different things.
#[test]
fn what_names_moves_and_tells_of_them_reads_relations_from_the_graph() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for module in ["classify", "ruling", "explain"] {
        let mut files = Vec::new();
        sources(&src.join(module), 1, &mut files);
        assert!(files.len() > 5, "{module}");
        for (path, _) in &files {
            let source = fs::read_to_string(path).unwrap();
            let found = asks_the_board(&source).into_iter();
            wrong.extend(found.map(|fault| format!("{}: {fault}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_question_to_the_board_is_found() {
    let found = asks_the_board("// .bears(x)\nfn f() {\n    let a = scene.before.bears(x, y);\n}");
    assert_eq!(found, ["line 3: `.bears(`"]);
    assert!(asks_the_board("fn f() { scene.after.contacts().reaches(a, b); }").is_empty());
}

#[test]
fn the_page_on_the_architecture_tells_of_every_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let told: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert_eq!(told.get(..LAYERS.len()), Some(LAYERS));
    let is_path = |word: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        word.contains('/') && word.chars().all(plain)
    };
    for path in page.split('`').filter(is_path) {
        let there = root.join(path).exists() || root.join("src").join(path).exists();
        assert!(there, "there is no {path}");
    }
}

#[test]
fn a_circle_of_files_is_found() {
    let places =
        |source: &str| -> Vec<String> { places_named("http", source).into_iter().collect() };
    assert_eq!(
        places("use crate::http::edge::{log, keys::{A, B}};\nfn f(_: crate::http::desk::x::Y) {}"),
        ["desk::x", "edge::keys", "edge::log"]
    );
    let graph = |arrows: &[(&str, &str)]| {
        let mut knows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in arrows {
            knows
                .entry((*from).to_owned())
                .or_default()
                .insert((*to).to_owned());
        }
        knows
    };
    let open = graph(&[("a", "b"), ("a", "c"), ("b", "c")]);
    assert_eq!(circle(&open), None);
    let closed = graph(&[("a", "b"), ("b", "c"), ("c", "b")]);
    assert_eq!(circle(&closed), Some(vec!["b".to_owned(), "c".to_owned()]));
}

#[test]
fn an_import_that_points_upwards_is_found() {
    for (depth, source, expected) in [
        (1, "use crate::board::Square;\n", None),
        (1, "use crate::game::Game;\n", None),
        (
            1,
            "\nuse crate::rules::Book;\n",
            Some("line 2: `game` must not know `rules`"),
        ),
        (
            2,
            "fn f() -> crate::cli::Out {}\n",
            Some("line 1: `game` must not know `cli`"),
        ),
        (
            1,
            "use crate::{board, rules};\n",
            Some("line 1: one `use crate::…` for each module"),
        ),
        (
            1,
            "use crate::*;\n",
            Some("line 1: one `use crate::…` for each module"),
        ),
        (
            1,
            "use crate::Ruling;\n",
            Some("line 1: `crate::Ruling` names no layer"),
        ),
        (
            1,
            "//! [`crate::rules::Book`]\n/* use crate::{a} /* b */ crate::cli:: */\n",
            None,
        ),
        (
            1,
            "const A: &str = \"crate::cli::\\\"\"; const B: &str = r#\"crate::cli::\"#;\n",
            None,
        ),
        (
            1,
            "fn f<'a>(c: char) -> bool { c == '\"' }\nuse crate::cli::x;\n",
            Some("line 2: `game` must not know `cli`"),
        ),
        (2, "use super::Square;\n", None),
        (
            2,
            "use super::super::rules;\n",
            Some("line 1: write `crate::…` for the crate's root"),
        ),
        (
            1,
            "use super::rules;\n",
            Some("line 1: write `crate::…` for the crate's root"),
        ),
        (1, "mod tests {\n    use super::*;\n}\n", None),
        (
            1,
            "mod tests {\n    fn f() {}\n}\nuse super::cli;\n",
            Some("line 4: write `crate::…` for the crate's root"),
        ),
        (
            1,
            "mod tests {\n    use super::super::cli;\n}\n",
            Some("line 2: write `crate::…` for the crate's root"),
        ),
    ] {
        let found = faults("game", depth, source);
        assert_eq!(found.first().map(String::as_str), expected, "{source}");
    }
}

#[test]
fn a_file_belongs_to_the_first_name_below_src() {
    let src = Path::new("src");
    for (path, module) in [
        ("src/ruling.rs", "ruling"),
        ("src/board/mod.rs", "board"),
        ("src/http/resources/rulings.rs", "http"),
    ] {
        assert_eq!(module_of(Path::new(path), src), module);
    }
}
