//! The command as a shell, `man`, and somebody who mistypes meet it.

#![expect(clippy::unwrap_used, reason = "test code")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const CYCLE: [&str; 6] = [
    "--fen",
    "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
    "f0e0",
    "e8f8",
    "e0f0",
    "f8e8",
];

/// Exit status, standard output and standard error, in a folder.
fn told_in(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    let command = command
        .args(args)
        .current_dir(folder)
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::null());
    crate::told::told(command.output().unwrap())
}

fn told(args: &[&str]) -> (i32, String, String) {
    told_in(Path::new("."), args)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn who_names_no_command_is_shown_the_three_that_matter() {
    for (lang, head) in [("en", "adjudicates repetition"), ("zh", "按规则条文裁决")] {
        let (status, out, err) = told(&["--lang", lang]);
        assert_eq!((status, err.as_str()), (0, ""));
        assert!(out.contains(head), "{out}");
        let shown: Vec<&str> = out
            .lines()
            .filter_map(|line| line.strip_prefix("  qili "))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        assert_eq!(shown, ["judge", "cases", "serve"]);
        assert!(out.contains("--help"));
    }
}

#[test]
fn what_is_nearly_right_is_suggested() {
    let folder = folder("mistyped");
    std::fs::write(folder.join("league.pgn"), "1. 炮二平五 马8进7").unwrap();
    for (args, meant) in [
        (&["juge"][..], "'judge'"),
        (&["judge", "--rulse", "wxf"], "'--rules'"),
        (
            &["judge", "--rules", "cxa-2019", "league.pgn"],
            "did you mean `cxa-2011`?",
        ),
        (&["judge", "--format", "jsn"], "'json'"),
        (&["judge", "leage.pgn"], "did you mean `league.pgn`?"),
        (&["limit", "leage.pgn"], "did you mean `league.pgn`?"),
        (
            &["convert", "--to", "ndjson", "leauge.pgn"],
            "did you mean `league.pgn`?",
        ),
    ] {
        let (status, _, err) = told_in(&folder, args);
        assert_eq!(status, 2, "{args:?}: {err}");
        assert!(err.contains(meant), "{args:?}: {err}");
    }
    let zh = ["--lang", "zh", "judge", "leage.pgn"];
    let (status, _, err) = told_in(&folder, &zh);
    let last = err.lines().last();
    assert_eq!(
        (status, last),
        (
            2,
            Some("qili: “leage.pgn”：没有这个文件，是否指“league.pgn”？")
        )
    );
    // What is there and is no text is bad, not missing.
    std::fs::write(folder.join("gbk.toml"), b"id = \"\xd0\xde\xb6\xa9\"").unwrap();
    let gbk = ["--lang", "zh", "rules", "check", "gbk.toml"];
    let (status, _, err) = told_in(&folder, &gbk);
    assert!(
        status == 1 && err.contains("请另存为UTF-8"),
        "{status} {err}"
    );
    // What is like nothing there is not guessed at.
    let (_, _, err) = told_in(&folder, &["judge", "something-else.xqf"]);
    assert!(
        err.contains("something-else.xqf") && !err.contains("mean"),
        "{err}"
    );
    // A mistyped move is told with those it may have been.
    let (status, out, _) = told(&["judge", "--format", "json", "--fen", CYCLE[1], "f0e1"]);
    assert_eq!(status, 1);
    assert!(out.contains("f0e0 车四平五"), "{out}");
}

#[test]
fn lines_for_programs_are_announced_to_whoever_did_not_ask_for_them() {
    let judge = |args: &[&str]| told(&[&["judge"], args, &CYCLE].concat());
    let (status, out, err) = judge(&[]);
    assert_eq!(status, 0);
    assert!(out.starts_with('{') && out.lines().count() == 1, "{out}");
    assert!(err.contains("--format text"), "{err}");
    for format in ["ndjson", "json", "text"] {
        assert_eq!(judge(&["--format", format]).2, "", "{format}");
    }
    assert_eq!(told(&["judge"]).2, "", "one program to another");
}

#[test]
fn shells_complete_every_command() {
    let help = told(&["--help"]).1;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let commands: Vec<&str> = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty())
        .collect();
    assert!(commands.contains(&"judge") && commands.contains(&"completions"));
    for shell in ["bash", "zsh", "fish"] {
        let (status, script, err) = told(&["completions", shell]);
        assert_eq!((status, err.as_str()), (0, ""), "{shell}");
        for command in commands.iter().chain(&["--rules", "ndjson"]) {
            let bare = command.trim_start_matches('-');
            assert!(script.contains(bare), "{shell} does not know {command}");
        }
    }
    // And bash does as it is told.
    let script = "source <(\"$0\" completions bash); COMP_WORDS=(qili ju); COMP_CWORD=1; \
        _qili qili ju qili; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_qili")])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "judge");
    assert_eq!(told(&["completions", "csh"]).0, 2);
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let folder = folder("manual");
    let (status, _, err) = told(&["man", folder.to_str().unwrap()]);
    assert_eq!((status, err.as_str()), (0, ""));
    for (page, words) in [
        ("qili", &["judge", "completions", "\\-\\-lang"][..]),
        ("qili-judge", &["\\-\\-rules", "ID|FILE", "theoretical"]),
        ("qili-archive-judge", &["\\-\\-checkpoint"]),
        ("qili-cases-ablate", &["parameter"]),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".TH"), "{page}");
        for word in words {
            assert!(text.contains(word), "{page} does not say {word}");
        }
    }
    let file = folder.join("qili.1");
    let (status, _, err) = told(&["man", file.to_str().unwrap()]);
    assert_eq!(status, 2, "{err}");
}
