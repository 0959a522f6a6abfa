//! `qili cases` and `qili rules`, run as their users run them.

#![expect(clippy::unwrap_used, reason = "test code")]

use crate::told::told;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Exit status, standard output and standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_qili"))
        .args(args)
        .current_dir(ROOT)
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("LANG", "C.UTF-8")
        .output()
        .unwrap();
    told(output)
}

fn ok(args: &[&str]) -> String {
    let (status, out, err) = run(args);
    assert_eq!((status, err.as_str()), (0, ""), "{args:?}: {out}");
    out
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(args)).unwrap()
}

/// A folder with the case `from`, `old` replaced by `new`.
fn altered(name: &str, from: &str, old: &str, new: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("qili-cli-{name}-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let text = fs::read_to_string(PathBuf::from(ROOT).join(from)).unwrap();
    assert!(text.contains(old));
    fs::write(dir.join("case.toml"), text.replacen(old, new, 1)).unwrap();
    dir
}

#[test]
fn check_counts_by_book() {
    let out = ok(&["cases", "check", "--rules", "cxa-1999", "cases/cxa-1999"]);
    let last: Vec<_> = out.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(
        last[..9],
        ["cxa-1999", "16", "16", "0", "0", "0", "0", "0", "16/16"]
    );
    let report = json(&["cases", "check", "--format", "json"]);
    let books: Vec<_> = report["books"]
        .as_array()
        .unwrap()
        .iter()
        .map(|book| book["book"].as_str().unwrap())
        .collect();
    assert!(
        books.starts_with(&["cxa-1999"]) && books.contains(&"wxf"),
        "{books:?}"
    );
    for book in report["books"].as_array().unwrap() {
        assert_eq!(book["counts"]["wrong"], 0);
        assert_eq!(
            book["counts"]["cases"],
            book["results"].as_array().unwrap().len()
        );
    }
}

#[test]
fn check_writes_the_same_bytes_each_time() {
    let args = ["cases", "check", "--format", "json", "cases/wxf"];
    assert_eq!(ok(&args), ok(&args));
}

#[test]
fn a_wrong_verdict_is_told_and_the_status_says_so() {
    let dir = altered(
        "wrong",
        "cases/cxa-1999/04.toml",
        "side    = \"red\"",
        "side    = \"black\"",
    );
    let (status, out, err) = run(&[
        "cases",
        "check",
        "--rules",
        "cxa-1999",
        dir.to_str().unwrap(),
    ]);
    assert_eq!((status, err.as_str()), (1, ""));
    assert!(
        out.starts_with(
            "cxa-1999-04 · cxa-1999: wrong\n  expected Black must change, found Red must change\n"
        ),
        "{out}"
    );
    let (_, out, _) = run(&[
        "--lang",
        "zh",
        "cases",
        "check",
        "--rules",
        "cxa-1999",
        dir.to_str().unwrap(),
    ]);
    assert!(out.contains("应为黑方变着，判得红方变着"), "{out}");
    let file = dir.join("junit.xml");
    let (status, ..) = run(&[
        "cases",
        "check",
        "--junit",
        file.to_str().unwrap(),
        dir.to_str().unwrap(),
    ]);
    assert_eq!(status, 1);
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .contains("<failure message=\"expected Black must change")
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn an_unknown_book_is_told_in_the_language_asked_for() {
    for command in [
        ["check", "--rules", "cxa-1998"],
        ["matrix", "--rules", "cxa-1998"],
        ["coverage", "--rules", "cxa-1998"],
    ] {
        let (status, _, err) = run(&[&["--lang", "zh", "cases"], &command[..]].concat());
        assert_eq!(status, 2, "{err}");
        assert!(
            err.contains("没有规则“cxa-1998”，是否指“cxa-1999”？"),
            "{err}"
        );
    }
}

#[test]
fn a_broken_file_is_named() {
    let dir = altered("broken", "cases/cxa-1999/04.toml", "official", "oficial");
    for command in ["check", "list", "matrix", "coverage"] {
        let (status, out, err) = run(&["cases", command, dir.to_str().unwrap()]);
        assert_eq!((status, out.as_str()), (1, ""), "{command}");
        assert!(
            err.contains("case.toml:") && err.contains("unknown field `oficial`"),
            "{err}"
        );
    }
    fs::remove_dir_all(dir).unwrap();
    let (status, _, err) = run(&["cases", "check", "nowhere"]);
    assert_eq!(status, 2, "{err}");
    let (status, _, err) = run(&["cases", "check", "--rules", "cxa-1989"]);
    assert_eq!((status, err.contains("did you mean")), (2, true), "{err}");
}

#[test]
fn a_book_nobody_knows_is_told() {
    let dir = altered(
        "unknown",
        "cases/cxa-1999/04.toml",
        "[expect.cxa-1999]",
        "[expect.cxa-1998]",
    );
    let (status, _, err) = run(&["cases", "check", dir.to_str().unwrap()]);
    assert_eq!(status, 1);
    assert!(
        err.contains("cxa-1999-04: no rule book `cxa-1998`, did you mean `cxa-1999`?"),
        "{err}"
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn cases_are_listed_and_shown() {
    let listed = ok(&["cases", "list"]);
    assert!(listed.starts_with("cxa-1999-01 "), "{listed}");
    let count = json(&["cases", "list", "--format", "json"])
        .as_array()
        .unwrap()
        .len();
    assert_eq!(listed.lines().count(), count);
    let shown = ok(&["cases", "show", "cxa-1999-15"]);
    assert!(
        shown.contains("cxa-1999: draw (24.2, 26.2)  check idle follow kill"),
        "{shown}"
    );
    assert!(ok(&["--lang", "zh", "cases", "show", "cxa-1999-15"]).contains("将 闲 跟 杀"));
    assert_eq!(
        json(&["cases", "show", "cxa-1999-15", "--format", "json"])["id"],
        "cxa-1999-15"
    );
    let (status, _, err) = run(&["cases", "show", "fig-30"]);
    assert_eq!(status, 2);
    assert!(err.contains("cxa-2020-fig-30-a"), "{err}");
}

#[test]
fn the_matrix_has_every_case_under_every_book() {
    let dir = "cases/cxa-1999";
    let matrix = json(&["cases", "matrix", "--format", "json", dir]);
    let books = matrix["books"].as_array().unwrap().len();
    let cases = matrix["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 16);
    assert!(
        cases
            .iter()
            .all(|case| case["cells"].as_array().unwrap().len() == books)
    );
    let csv = ok(&[
        "cases",
        "matrix",
        "--format",
        "csv",
        "--rules",
        "cxa-1999,threefold",
        dir,
    ]);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "id,cxa-1999,cxa-1999 expected,threefold,threefold expected"
    );
    assert_eq!(lines[1], "cxa-1999-01,loss red,loss red,draw,");
    let text = ok(&["cases", "matrix", "--rules", "cxa-1999", dir]);
    assert!(text.contains("cxa-1999-01  Red loses ✓"), "{text}");
}

#[test]
fn coverage_names_what_is_not_exercised() {
    let found = json(&[
        "cases",
        "coverage",
        "--format",
        "json",
        "--rules",
        "cxa-1999",
        "cases/cxa-1999",
    ]);
    let parameters = found[0]["parameters"].as_array().unwrap();
    let of = |key: &str| parameters.iter().find(|p| p["key"] == key).unwrap();
    assert_eq!(of("pawn_upgrade")["exercise"]["effect"], "settled_verdict");
    assert_eq!(of("pawn_upgrade")["exercise"]["case"], "cxa-1999-13");
    assert_eq!(of("extra_cycles_after_warning")["exercise"], Value::Null);
    let articles = found[0]["articles"].as_array().unwrap();
    assert!(
        articles
            .iter()
            .any(|article| article["id"] == "26.4" && article["cited"].as_u64() > Some(0))
    );
}

#[test]
fn rule_books_are_listed_and_shown() {
    let listed = json(&["rules", "list", "--format", "json"]);
    assert!(listed.as_array().unwrap().len() >= 4);
    assert!(ok(&["rules", "list"]).starts_with("cxa-1999 "));
    for book in listed.as_array().unwrap() {
        let id = book["id"].as_str().unwrap();
        let shown = json(&["rules", "show", id, "--format", "json"]);
        assert_eq!(shown["digest"], book["digest"]);
        let text = ok(&["--lang", "zh", "rules", "show", id]);
        for article in shown["articles"].as_array().unwrap() {
            assert!(
                text.contains(article["zh"].as_str().unwrap()),
                "{id} {article}"
            );
        }
        for parameter in shown["parameters"].as_array().unwrap() {
            let named = text.contains(&format!("\n  {} = ", parameter["key"].as_str().unwrap()));
            assert_eq!(
                named,
                parameter["read"].as_bool().unwrap(),
                "{id} {parameter}"
            );
        }
        // What is written out is the same book.
        let path = std::env::temp_dir().join(format!("qili-{id}-{}.toml", std::process::id()));
        fs::write(&path, ok(&["rules", "show", id, "--format", "toml"])).unwrap();
        let again = json(&["rules", "show", path.to_str().unwrap(), "--format", "json"]);
        assert_eq!(again["digest"], book["digest"], "{id}");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn rule_books_are_compared_and_checked() {
    let amendment = "src/rules/amendments/kills-permitted.toml";
    let out = ok(&["rules", "diff", "cxa-1999", amendment]);
    assert!(out.contains("kill_is_attack: true → false"), "{out}");
    let found = json(&["rules", "diff", "cxa-1999", "cxa-2020", "--format", "json"]);
    assert!(found["parameters"].as_array().unwrap().len() > 3);
    assert!(
        ok(&["rules", "check", amendment, "src/rules/books/wxf.toml"])
            .lines()
            .count()
            == 2
    );
    let shown = json(&[
        "rules",
        "show",
        "cxa-1999",
        "--amendment",
        amendment,
        "--format",
        "json",
    ]);
    assert_eq!(shown["id"], "cxa-1999+kills-permitted");
    let broken = "tests/fixtures/rules/books/unknown_value.toml";
    let (status, out, _) = run(&["rules", "check", broken]);
    assert_eq!(status, 1);
    assert!(out.starts_with(&format!("{broken}:")), "{out}");
    let (status, _, err) = run(&["rules", "show", broken]);
    assert_eq!(status, 1);
    assert!(err.contains(broken), "{err}");
    let (status, _, err) = run(&["rules", "show", "cxa-1999@9.0.0"]);
    assert_eq!(status, 2, "{err}");
}

#[test]
fn an_amendment_of_no_book_is_a_fault_and_one_of_an_amendment_is_said_to_be_unchecked() {
    let draft = fs::read_to_string("src/rules/amendments/kills-permitted.toml").unwrap();
    let based = |name: &str, base: &str| {
        let file = std::env::temp_dir().join(format!("qili-{name}-{}.toml", std::process::id()));
        let text = draft.replace("base = \"cxa-1999\"", &format!("base = \"{base}\""));
        assert_ne!(text, draft);
        fs::write(&file, text).unwrap();
        run(&["rules", "check", file.to_str().unwrap()])
    };
    let (status, out, _) = based("ghost", "cxa-1998");
    assert_eq!(status, 1, "{out}");
    assert!(
        out.contains("no rule book `cxa-1998`, did you mean `cxa-1999`?"),
        "{out}"
    );
    let (status, out, _) = based("stacked", "cxa-1999+another");
    assert_eq!(status, 0, "{out}");
    assert!(
        out.contains("(not checked against `cxa-1999+another`)"),
        "{out}"
    );
}

#[test]
fn what_goes_on_after_an_order_is_counted_from_the_order() {
    let told = ok(&[
        "judge",
        "--lang",
        "zh",
        "--format",
        "text",
        "--rules",
        "wxf",
        "cases/own/order-ignored.toml",
    ]);
    assert!(
        told.contains("若自责令变着起再循环三次仍不变，判负"),
        "{told}"
    );
}

#[test]
fn a_base_that_there_is_not_is_told_with_the_other_faults() {
    let file = std::env::temp_dir().join(format!("qili-base-{}.toml", std::process::id()));
    let draft = fs::read_to_string("src/rules/amendments/kills-permitted.toml").unwrap();
    let wrong = draft
        .replace("kill_is_attack", "kill_is_atack")
        .replace("base = \"cxa-1999\"", "base = \"cxa1999\"");
    fs::write(&file, &wrong).unwrap();
    let name = file.to_str().unwrap();
    let (status, told, _) = run(&["rules", "check", name, "--lang", "zh"]);
    assert_eq!(status, 1, "{told}");
    let line = wrong
        .lines()
        .position(|line| line.starts_with("base"))
        .unwrap()
        + 1;
    assert!(
        told.contains(&format!(
            "{name}:{line}: 没有规则“cxa1999”，是否指“cxa-1999”？"
        )),
        "{told}"
    );
    assert!(told.contains("kill_is_atack"), "{told}");
    fs::remove_file(file).unwrap();
}

#[test]
fn every_fault_of_an_amendment_is_told_in_the_language_asked_for() {
    let file = std::env::temp_dir().join(format!("qili-draft-{}.toml", std::process::id()));
    let draft = fs::read_to_string("src/rules/amendments/kills-permitted.toml").unwrap();
    let wrong = draft
        .replace("kill_is_attack", "kill_is_atack")
        .replace("[definitions]", "[definitions]\nchase_budget = \"much\"");
    assert_ne!(wrong, draft);
    fs::write(&file, wrong).unwrap();
    let file = file.to_str().unwrap();
    assert!(draft.contains("[definitions]"));
    for command in [
        ["compare", "--base", "cxa-1999", "--amendment", file],
        ["archive", "compare", "--base=cxa-1999", "--amendment", file],
        ["rules", "show", "cxa-1999", "--amendment", file],
    ] {
        let faults = |lang: &str| {
            let (status, _, told) = run(&[&command[..], &["--lang", lang]].concat());
            assert_eq!(status, 1, "{command:?}: {told}");
            told
        };
        let (zh, en) = (faults("zh"), faults("en"));
        for (zh_says, en_says) in [
            (
                "`definitions` 中没有“kill_is_atack”这一项，是否指“kill_is_attack”？",
                "did you mean `kill_is_attack`?",
            ),
            (
                "`definitions.chase_budget` 是文字，应为",
                "`definitions.chase_budget` is a text",
            ),
        ] {
            assert!(zh.contains(zh_says), "{command:?}: {zh}");
            assert!(en.contains(en_says), "{command:?}: {en}");
        }
        assert!(!en.contains("没有"), "{en}");
    }
    fs::remove_file(file).unwrap();
}
