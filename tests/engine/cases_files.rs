//! Case files that are not as they should be: each refused, with its file and line.

#![expect(clippy::string_slice, clippy::unwrap_used, reason = "test code")]

use qili::cases::{Corpus, FileFault, junit, run};
use qili::rules::Catalog;
use std::fs;
use std::path::{Path, PathBuf};

const GOOD: &str = r#"id    = "good"
title = { zh = "好", en = "good" }
fen   = "3k5/9/9/9/9/9/9/9/9/3AK4 w"
moves = ["d0e1", "d9d8", "e1d0", "d8d9"]

[source]
book     = "cxa-1999"
figure   = "1"
clauses  = ["26.2"]
official = false
position = "composed"

[expect.cxa-1999]
natures = ["idle", "idle", "idle", "idle"]
outcome = "draw"
clauses = ["24.2"]

[why]
zh = "闲"
en = "idle"
"#;

/// What is changed, the line at fault, and what is said of it.
const BROKEN: &[(&str, &str, &str, Option<usize>, &str)] = &[
    (
        "syntax",
        "[source]",
        "[source",
        Some(6),
        "TOML|expected|invalid|unclosed",
    ),
    (
        "unknown_key",
        "figure ",
        "figur ",
        Some(8),
        "unknown field `figur`",
    ),
    (
        "unknown_label",
        "\"idle\", \"idle\", \"idle\", \"idle\"",
        "\"idle\", \"idle\", \"idle\", \"lazy\"",
        Some(14),
        "unknown variant `lazy`",
    ),
    (
        "unknown_outcome",
        "\"draw\"",
        "\"remis\"",
        Some(15),
        "unknown variant `remis`",
    ),
    (
        "wrong_type",
        "official = false",
        "official = \"no\"",
        Some(10),
        "invalid type",
    ),
    (
        "missing_key",
        "position = \"composed\"\n",
        "",
        Some(6),
        "missing field `position`",
    ),
    (
        "too_few_labels",
        "\"idle\", \"idle\", \"idle\", \"idle\"",
        "\"idle\"",
        Some(14),
        "1 natures for 4 moves",
    ),
    (
        "side_missing",
        "outcome = \"draw\"",
        "outcome = \"loss\"",
        Some(15),
        "`side` is missing",
    ),
    (
        "side_too_many",
        "outcome = \"draw\"",
        "outcome = \"draw\"\nside = \"red\"",
        Some(16),
        "concerns no side",
    ),
    (
        "bad_id",
        "id    = \"good\"",
        "id    = \"no good\"",
        Some(1),
        "`no good` is no id",
    ),
    ("bad_fen", "fen   = \"3k5/", "fen   = \"3k6/", Some(3), ""),
    ("no_king", "3AK4 w", "3A5 w", Some(3), ""),
    ("illegal_move", "\"d0e1\"", "\"d0b2\"", Some(4), "move 1: "),
    ("does_not_close", "\"d8d9\"", "\"d9d8\"", Some(4), ""),
    (
        "no_moves",
        "[\"d0e1\", \"d9d8\", \"e1d0\", \"d8d9\"]",
        "[]",
        Some(4),
        "",
    ),
    (
        "order_in_a_cycle",
        "[source]",
        "[[ordered]]\nafter_ply = 0\nside = \"red\"\n\n[source]",
        Some(6),
        "only be ordered in a game",
    ),
    (
        "differs_from_nothing",
        "[why]",
        "[known_difference.wxf]\nreason = { zh = \"无\", en = \"none\" }\n\n[why]",
        Some(20),
        "no `expect.wxf`",
    ),
];

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("qili-cases-{name}-{}", std::process::id()));
    fs::create_dir_all(dir.join("below")).unwrap();
    dir
}

fn faults_of(dir: &Path) -> Vec<FileFault> {
    Corpus::from_dir(dir).unwrap_err()
}

#[test]
fn a_good_file_is_good() {
    let (corpus, faults) = Corpus::of_files([("good.toml".to_owned(), GOOD)]);
    assert_eq!(faults, []);
    assert_eq!(corpus.len(), 1);
}

#[test]
fn every_broken_file_is_named_with_its_line() {
    for (name, old, new, line, says) in BROKEN {
        assert!(GOOD.contains(old), "{name}");
        let (corpus, faults) =
            Corpus::of_files([(format!("{name}.toml"), GOOD.replacen(old, new, 1))]);
        assert!(corpus.is_empty(), "{name}");
        let fault = faults.first().unwrap();
        let told = fault.told().en;
        assert_eq!(fault.fault.line, *line, "{name}: {told}");
        assert!(
            told.starts_with(&format!("{name}.toml:{}: ", line.unwrap())),
            "{told}"
        );
        assert!(says.split('|').any(|word| told.contains(word)), "{told}");
        // Told once, in Chinese as well.
        assert!(told.matches("move 1: ").count() < 2, "{told}");
        let zh = fault.told().zh;
        assert!(!zh.is_ascii(), "{zh}");
    }
}

#[test]
fn all_bad_files_of_a_folder_are_named_and_not_only_the_first() {
    let dir = folder("all");
    for (name, old, new, ..) in BROKEN {
        fs::write(
            dir.join("below").join(format!("{name}.toml")),
            GOOD.replacen(old, new, 1),
        )
        .unwrap();
    }
    fs::write(dir.join("good.toml"), GOOD).unwrap();
    fs::write(dir.join("latin.toml"), b"id = \"\xff\"").unwrap();
    fs::write(dir.join("readme.txt"), "no case").unwrap();
    let faults = faults_of(&dir);
    for (name, ..) in BROKEN {
        let file = format!("{name}.toml");
        assert!(
            faults.iter().any(|fault| fault.path.ends_with(&file)),
            "{name}"
        );
    }
    assert!(
        faults
            .iter()
            .any(|fault| fault.path.ends_with("latin.toml"))
    );
    assert!(
        !faults
            .iter()
            .any(|fault| fault.path.contains("good.toml") || fault.path.contains("readme"))
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_file_with_several_faults_has_them_all_named() {
    let text = GOOD
        .replacen("\"draw\"", "\"loss\"", 1)
        .replacen("\"d0e1\"", "\"d0b2\"", 1)
        .replacen("id    = \"good\"", "id    = \"\"", 1);
    let (_, faults) = Corpus::of_files([("bad.toml".to_owned(), text)]);
    let lines: Vec<_> = faults.iter().map(|fault| fault.fault.line).collect();
    assert_eq!(lines, [Some(1), Some(4), Some(15)]);
}

#[test]
fn no_id_stands_twice() {
    let (corpus, faults) =
        Corpus::of_files([("a.toml".to_owned(), GOOD), ("b.toml".to_owned(), GOOD)]);
    assert_eq!(corpus.len(), 1);
    assert_eq!(faults.len(), 1);
    assert_eq!(
        faults[0].told().en,
        "b.toml: `good` is already the id of `a.toml`"
    );
}

#[test]
fn an_empty_folder_is_told() {
    let dir = folder("empty");
    assert!(faults_of(&dir)[0].told().en.contains("no case files"));
    fs::remove_dir_all(dir).unwrap();
    assert!(
        faults_of(Path::new("/nowhere"))[0]
            .told()
            .en
            .contains("cannot be read")
    );
}

/// Whether elements are closed in order and attributes quoted; how often each element occurs.
fn elements(xml: &str) -> std::collections::BTreeMap<String, usize> {
    let mut open: Vec<String> = Vec::new();
    let mut counts = std::collections::BTreeMap::new();
    let mut rest = xml
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        .unwrap();
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'));
        let end = rest.find('>').unwrap();
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let closed = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert_eq!(attributes.matches('"').count() % 2, 0, "{attributes}");
        for (i, part) in attributes.split('"').enumerate() {
            assert!(
                i % 2 == 1 || part.is_empty() || part.ends_with('='),
                "{attributes}"
            );
            for entity in part.split('&').skip(1) {
                assert!(
                    ["amp;", "lt;", "gt;", "quot;", "apos;", "#10;", "#9;"]
                        .iter()
                        .any(|e| entity.starts_with(e)),
                    "{part}"
                );
            }
        }
        *counts.entry(name.to_owned()).or_default() += 1;
        if !closed {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty());
    counts
}

#[test]
fn the_junit_document_is_well_formed() {
    let wrong = GOOD
        .replacen("id    = \"good\"", "id    = \"wrong\"", 1)
        .replacen(
            "outcome = \"draw\"",
            "outcome = \"loss\"\nside = \"red\"",
            1,
        )
        .replacen("\"idle\", \"idle\"", "\"check\", \"idle\"", 1);
    let known = wrong.replacen("\"wrong\"", "\"known\"", 1)
        + "\n[known_difference.cxa-1999.reason]\nzh = \"无\"\nen = \"a \\\"<print>\\\" & more\"\n";
    let stale = GOOD.replacen("\"good\"", "\"stale\"", 1)
        + "\n[known_difference.cxa-1999.reason]\nzh = \"无\"\nen = \"none\"\n";
    let files = [GOOD.to_owned(), wrong, known, stale]
        .into_iter()
        .enumerate()
        .map(|(i, text)| (format!("{i}.toml"), text));
    let (corpus, faults) = Corpus::of_files(files);
    assert_eq!(faults, []);
    let books = [Catalog::builtin().get("cxa-1999").unwrap()];
    let report = run(&corpus, &books, 2);
    assert!(report.is_wrong());
    let counts = report.books[0].counts;
    assert_eq!(
        (
            counts.cases,
            counts.right,
            counts.wrong,
            counts.known_differences,
            counts.no_longer_differ
        ),
        (4, 1, 1, 1, 1)
    );
    let found = elements(&junit(&report));
    let expected = [
        ("failure", 1),
        ("skipped", 1),
        ("system-out", 1),
        ("testcase", 4),
        ("testsuite", 1),
        ("testsuites", 1),
    ];
    assert_eq!(found, expected.map(|(name, n)| (name.to_owned(), n)).into());
}
