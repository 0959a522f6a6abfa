//! The command `compare` and its reports.

#![expect(clippy::unwrap_used, reason = "test code")]

use crate::told::told;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Exit status, standard output and standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    command.args(["--lang", "en", "compare"]).args(args);
    told(command.output().unwrap())
}

fn ok(args: &[&str]) -> String {
    let (status, out, err) = run(args);
    assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
    out
}

fn fixture(name: &str) -> String {
    format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

const PAWN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/src/rules/amendments/pawn-upgrade-struck.toml"
);
const FIGURE_13: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/cxa-1999/13.toml");
const FIGURES_1999: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/cxa-1999");

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("qili-compare-{}-{name}", std::process::id()))
}

/// Whether every element is closed where it should be, attributes are quoted and ids are single.
fn well_formed(page: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    let body = page.strip_prefix("<!DOCTYPE html>\n").unwrap();
    let mut rest = body;
    while let Some((text, after)) = rest.split_once('<') {
        assert!(
            !text.contains('>') || open.last().is_some_and(|tag| tag == "style"),
            "{text}"
        );
        let (tag, after) = after.split_once('>').unwrap();
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{tag}");
            continue;
        }
        let (tag, closed) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let name = tag.split_whitespace().next().unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let attributes: Vec<&str> = tag.split('"').collect();
        for pair in attributes.chunks(2) {
            if let [name, value] = pair {
                assert!(name.ends_with('='), "{tag}");
                assert!(!value.contains('<'), "{tag}");
                if name.trim_end_matches('=').ends_with(" id") {
                    ids.push((*value).to_owned());
                }
            }
        }
        if !closed {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let mut once = ids.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), ids.len(), "an id stands twice");
    ids
}

/// Whether nothing is fetched from anywhere.
fn stands_alone(page: &str) {
    let elsewhere = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in [
        "http:", "https:", "<script", "<link", "<img", "@import", "url(//", "src=",
    ] {
        assert!(!elsewhere.contains(word), "{word}");
    }
}

#[test]
fn the_page_is_well_formed_and_stands_alone() {
    let path = temporary("page.html");
    let name = path.to_str().unwrap();
    let args = [
        "--base",
        "cxa-1999",
        "--with",
        "cxa-2020",
        "--cases",
        FIGURES_1999,
    ];
    assert_eq!(
        ok(&[&args[..], &["--format", "html", "--out", name]].concat()),
        ""
    );
    let page = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let ids = well_formed(&page);
    stands_alone(&page);
    for link in page.split("href=\"#").skip(1) {
        let target = link.split('"').next().unwrap();
        assert!(ids.iter().any(|id| id == target), "{target}");
    }
    for told in [
        "Figure 13: in mutual attack",
        "<strong>draw</strong>",
        "<strong>Black must change</strong>",
        "tr class=\"changed\"",
        "<b>27.2</b>",
        "@media print",
        "<svg ",
        "lang=\"en\"",
    ] {
        assert!(page.contains(told), "{told}");
    }
    let chinese = ["--lang", "zh", "--format", "html"];
    let page = ok(&[&args[..], &chinese[..]].concat());
    well_formed(&page);
    assert!(page.contains("黑方应变着") && page.contains("lang=\"zh-Hans\""));
}

#[test]
fn what_callers_wrote_is_escaped() {
    let evil = r#"<script>alert("1")</script>&'"#;
    let requests = temporary("evil.ndjson");
    let cycle = serde_json::json!({
        "id": evil, "fen": "3akab2/9/1cn1b1r2/p3pR1P1/9/9/P3P4/4C4/9/2BAKABN1 w",
        "moves": ["h6g6", "g7h7", "g6h6", "h7g7"],
    });
    let bad = serde_json::json!({"id": evil, "fen": evil, "moves": []});
    fs::write(&requests, format!("{cycle}\n{bad}\n")).unwrap();
    let amendment = temporary("evil.toml");
    let text = fs::read_to_string(PAWN)
        .unwrap()
        .replace("Pawn upgrade struck", "<i onclick='x'>");
    fs::write(&amendment, text).unwrap();
    let (amendment_name, requests_name) = (amendment.to_str().unwrap(), requests.to_str().unwrap());
    let (status, page, _) = run(&[
        "--base",
        "cxa-1999",
        "--amendment",
        amendment_name,
        "--no-cases",
        "--games",
        requests_name,
        "--format",
        "html",
    ]);
    fs::remove_file(&requests).unwrap();
    fs::remove_file(&amendment).unwrap();
    assert_eq!(status, 1, "one line is bad");
    well_formed(&page);
    stands_alone(&page);
    assert!(!page.contains("<i onclick"));
    assert!(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"));
}

/// The keys of an object, in order.
fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

#[test]
fn the_json_keeps_its_shape() {
    let args = [
        "--base",
        "cxa-1999",
        "--amendment",
        PAWN,
        "--cases",
        FIGURE_13,
    ];
    let text = ok(&[&args[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&text).unwrap();
    let expected = [
        "books",
        "changes",
        "counts",
        "differences",
        "errors",
        "groups",
    ];
    assert_eq!(keys(&json), expected);
    let counts = [
        "determined",
        "errors",
        "flipped",
        "relabelled",
        "total",
        "unchanged",
        "undetermined",
    ];
    assert_eq!(keys(&json["counts"]), counts);
    assert_eq!(json["counts"]["flipped"], 1);
    assert_eq!(
        keys(&json["books"]["base"]),
        ["digest", "id", "title", "version"]
    );
    assert_eq!(
        keys(&json["books"]["other"]),
        ["amendments", "digest", "id", "title", "version"]
    );
    assert_eq!(
        keys(&json["groups"][0]),
        ["articles", "changes", "counts", "levers"]
    );
    assert_eq!(json["groups"][0]["levers"][0], "definitions.pawn_upgrade");
    let change = &json["changes"][0];
    let expected = [
        "cause", "changed", "cited", "fen", "id", "kind", "moves", "pieces", "rulings", "title",
    ];
    assert_eq!(keys(change), expected);
    assert_eq!(change["kind"], "flipped");
    assert_eq!(keys(&change["cause"]), ["each_alone", "levers"]);
    assert_eq!(
        keys(&change["changed"][0]),
        ["evidence", "iccs", "index", "nature", "side"]
    );
    assert_eq!(change["rulings"]["base"]["verdict"]["outcome"], "draw");
    assert_eq!(change["rulings"]["other"]["verdict"]["side"], "black");
    let search = ok(&[
        "--base",
        "cxa-1999",
        "--amendment",
        PAWN,
        "--search",
        "20",
        "--format",
        "json",
    ]);
    let json: Value = serde_json::from_str(&search).unwrap();
    assert_eq!(
        keys(&json),
        ["differing", "found", "judged", "missing", "search"]
    );
}

#[test]
fn the_text_shows_a_flip_whole() {
    let text = ok(&[
        "--base",
        "cxa-1999",
        "--amendment",
        PAWN,
        "--cases",
        FIGURE_13,
    ]);
    for told in [
        "1 in all: 1 flipped",
        "[flipped] cxa-1999-13  Figure 13: in mutual attack the pawn's chases count\n",
        "draw [24.2, 26.3]",
        "Black must change [24.3, 26.4]",
        " 6 卒──┼───┼───┼───卒──俥──┼───兵──┤",
        " *  1. Red   P2=3 h6g6  chase → block\n",
        "cxa-1999 细则11\n",
    ] {
        assert!(text.contains(told), "{told}\n{text}");
    }
    let zh = ok(&[
        "--lang",
        "zh",
        "--base",
        "cxa-1999",
        "--amendment",
        PAWN,
        "--cases",
        FIGURE_13,
    ]);
    assert!(
        zh.contains("[改判] cxa-1999-13") && zh.contains("捉 → 拦"),
        "{zh}"
    );
}

#[test]
fn an_amendment_that_does_not_fit_is_refused_with_every_fault() {
    let bad = fixture("rules/amendments/bad_values.toml");
    let (status, out, err) = run(&["--base", "cxa-1999", "--amendment", &bad]);
    assert_eq!((status, out.as_str()), (1, ""));
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines.len() > 2, "{err}");
    for line in lines {
        let place = line.strip_prefix(&format!("qili: {bad}:")).unwrap();
        assert!(place.starts_with(|c: char| c.is_ascii_digit()), "{line}");
    }
}

#[test]
fn amendments_are_applied_in_their_order() {
    let pawn = [
        "--base",
        "cxa-1999",
        "--cases",
        FIGURE_13,
        "--format",
        "json",
        "--amendment",
    ];
    let kills = fixture("../../src/rules/amendments/kills-permitted.toml");
    let text = ok(&[&pawn[..], &[PAWN, &kills]].concat());
    let json: Value = serde_json::from_str(&text).unwrap();
    let id = &json["books"]["other"]["id"];
    assert_eq!(id, "cxa-1999+pawn-upgrade-struck+kills-permitted");
}

#[test]
fn what_makes_no_sense_is_wrong_usage() {
    for args in [
        &["--base", "cxa-1998", "--with", "wxf"][..],
        &["--base", "cxa-1999", "--with", "cxa-2021"],
        &["--base", "cxa-1999"],
        &["--base", "cxa-1999", "--amendment", "no-such-file.toml"],
        &[
            "--base",
            "cxa-1999",
            "--with",
            "wxf",
            "--games",
            "no-such-file.pgn",
        ],
        &[
            "--base", "cxa-1999", "--with", "wxf", "--search", "5", "--pieces", "9..4",
        ],
        &["--base", "cxa-1999", "--with", "wxf", "--amendment", PAWN],
    ] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
    }
}
