//! The command, run as its users run it.

#![expect(clippy::unwrap_used, reason = "test code")]

use std::process::{Command, Output, Stdio};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn qili(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    command
        .args(args)
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("LANG", "C.UTF-8");
    command
}

fn run(args: &[&str]) -> Output {
    qili(args).output().unwrap()
}

/// Exit status, standard output and standard error.
fn told(output: Output) -> (i32, String, String) {
    let status = output.status.code().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    (status, out, String::from_utf8(output.stderr).unwrap())
}

fn ok(args: &[&str]) -> String {
    let (status, out, err) = told(run(args));
    assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
    out
}

#[test]
fn perft_counts_leaves() {
    assert_eq!(ok(&["perft", START, "3"]), "1 44\n2 1920\n3 79666\n");
    assert_eq!(ok(&["perft", "start", "2", "--bulk"]), "1 44\n2 1920\n");
}

#[test]
fn perft_compares_a_table() {
    let path = std::env::temp_dir().join(format!("qili-perft-{}.tsv", std::process::id()));
    let name = path.to_str().unwrap();
    std::fs::write(
        &path,
        format!("# name\nstart\t{START}\t44 1920 79666 3290240 133312995\n"),
    )
    .unwrap();
    let out = ok(&["perft", "--table", name, "--bulk"]);
    assert!(
        out.ends_with("start 4 3290240\n4 counts compared, 0 differ\n"),
        "{out}"
    );
    std::fs::write(&path, format!("start\t{START}\t44 1921\n")).unwrap();
    let (status, out, err) = told(run(&["perft", "--table", name]));
    assert_eq!((status, err.as_str()), (1, ""));
    let expected = "start 1 44\nstart 2 1920 (expected 1921)\n2 counts compared, 1 differ\n";
    assert_eq!(out, expected);
    std::fs::write(&path, "start\t9/9 w\t44\n").unwrap();
    let (status, _, err) = told(run(&["perft", "--table", name]));
    assert_eq!(status, 1);
    assert!(err.contains("line 1: the FEN has 2 ranks"), "{err}");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(told(run(&["perft", "--table", name])).0, 2);
}

#[test]
fn the_board_is_drawn() {
    let out = ok(&["board", START]);
    for line in [
        " 9 車──馬──象──士──將──士──象──馬──車\n",
        " 5 ├───┴───┴───┴───┴───┴───┴───┴───┤\n   │    楚  河           汉  界    │\n",
        " 0 俥──傌──相──仕──帥──仕──相──傌──俥\n   九  八  七  六  五  四  三  二  一\n",
        "Red to move\n",
    ] {
        assert!(out.contains(line), "{line}{out}");
    }
    assert!(
        !out.contains('\u{1b}'),
        "no colours where there is no terminal"
    );
    assert_eq!(ok(&["board", "start", "--plain"]), out);
    let zh = ok(&["board", "--lang", "zh", "3k4r/9/9/9/9/9/9/9/9/R3K4 b"]);
    assert!(zh.ends_with("轮到黑方走\n"), "{zh}");
    let mated = ok(&["--lang", "zh", "board", "2Rk5/R8/9/9/9/9/9/9/9/4K4 b"]);
    assert!(mated.ends_with("轮到黑方走，已被将死\n"), "{mated}");
}

#[test]
fn an_impossible_board_is_drawn_with_its_faults() {
    let (status, out, err) = told(run(&["board", "4k4/9/9/9/9/9/9/9/9/4K4 w"]));
    assert_eq!(status, 1);
    assert!(out.contains("將"));
    assert_eq!(
        err,
        "qili: the position cannot be: the kings face each other (e0, e9)\n"
    );
}

#[test]
fn wrong_usage_is_status_two() {
    for args in [
        &["perft"][..],
        &["perft", "9/9 w", "1"],
        &["perft", "start", "deep"],
        &["perft", "start", "1", "--table", "x"],
        &["perft", "start", "1", "--deep"],
        &["board", "rnbakabnr"],
        &["nonsense"],
        &["--lang", "fr", "board", "start"],
    ] {
        let (status, out, err) = told(run(args));
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(!err.is_empty(), "{args:?}");
    }
}

#[test]
fn the_locale_chooses_the_language() {
    let with = |all: &str, lang: &str| {
        let mut command = qili(&["board", "start"]);
        told(
            command
                .env("LC_ALL", all)
                .env("LANG", lang)
                .output()
                .unwrap(),
        )
        .1
    };
    assert!(with("", "zh_CN.UTF-8").ends_with("轮到红方走\n"));
    assert!(with("zh_TW.UTF-8", "C").ends_with("轮到红方走\n"));
    assert!(with("C", "zh_CN.UTF-8").ends_with("Red to move\n"));
}

#[test]
fn a_reader_who_leaves_is_no_fault() {
    let mut child = qili(&["perft", "start", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let (status, _, err) = told(child.wait_with_output().unwrap());
    assert_eq!((status, err.as_str()), (0, ""));
}
