//! The command, run as its users run it.

#![expect(clippy::unwrap_used, reason = "test code")]

use crate::told::told;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

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
fn legal_moves_are_listed_piece_by_piece() {
    let out = ok(&["moves", START]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.first(), Some(&"Red: 44 moves"));
    assert!(
        lines.contains(&"傌 h0  h0i2 马二进一  h0g2 马二进三"),
        "{out}"
    );
    let listed = out
        .split_whitespace()
        .filter(|word| word.len() == 4 && word.ends_with(|c: char| c.is_ascii_digit()));
    assert_eq!(listed.count(), 44);
    assert_eq!(
        ok(&["moves", "--lang", "zh", "3k5/R8/9/9/9/9/9/9/9/4K4 b"]),
        "黑方无着可走：困毙\n"
    );
    assert_eq!(
        ok(&["moves", "3k5/9/9/9/9/9/9/9/9/3R1K3 b"]),
        "Black: 1 move (in check)\n將 d9  d9e9 将4平5\n"
    );
}

#[test]
fn moves_are_written_in_another_notation() {
    let jotted = ["炮25", "马87", "马23", "车98", "车12", "炮84"];
    let with = |more: &[&'static str]| ok(&[&["convert"], more, &jotted[..]].concat());
    assert_eq!(
        with(&[]),
        "炮二平五 马8进7 马二进三 车9平8 车一平二 炮8进4\n"
    );
    assert_eq!(with(&["--to", "iccs"]), "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3\n");
    assert_eq!(with(&["--to", "wxf"]), "C2=5 H8+7 H2+3 R9=8 R1=2 C8+4\n");
    assert_eq!(with(&["--to", "iccs", "--lines"]).lines().count(), 6);
    let fen = "3k4r/9/9/9/9/9/9/9/9/R3K4 w";
    assert_eq!(
        ok(&["convert", "--fen", fen, "车", "9", "+", "1"]),
        "车九进一\n"
    );
    let (status, out, err) = told(run(&["convert", "炮25", "马86"]));
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.starts_with("qili: move 2"), "{err}");
    assert!(
        err.contains("h9g7 马8进7"),
        "the horse's legal moves are named: {err}"
    );
}

#[test]
fn moves_come_from_a_file_or_standard_input() {
    let path = std::env::temp_dir().join(format!("qili-moves-{}.txt", std::process::id()));
    std::fs::write(&path, "1. 炮二平五 马8进7\n2. 马二进三 {稳健}\n").unwrap();
    let expected = "h2e2 h9g7 h0g2\n";
    assert_eq!(
        ok(&["convert", "--to", "iccs", path.to_str().unwrap()]),
        expected
    );
    let file = std::fs::File::open(&path).unwrap();
    let output = qili(&["convert", "--to", "iccs", "-"])
        .stdin(file)
        .output()
        .unwrap();
    assert_eq!(told(output), (0, expected.to_owned(), String::new()));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn game_records_are_read_and_written() {
    let path = std::env::temp_dir().join(format!("qili-games-{}.pgn", std::process::id()));
    let name = path.to_str().unwrap();
    let good = "[红方 \"甲\"]\n[黑方 \"乙\"]\n\n1. 炮二平五 (兵七进一) 马8进7 *\n\n";
    let bad = "[红方 \"丙\"]\n\n1. 炮二平五 马8进6 *\n\n";
    let text = format!("{good}{bad}[FEN \"{ROOM}\"]\n\n1. R9+1 R9+1 *\n");
    let gb18030 = encoding_rs::GB18030.encode(&text).0;
    for bytes in [text.as_bytes(), &gb18030[..]] {
        std::fs::write(&path, bytes).unwrap();
        let (status, out, err) = told(run(&["convert", "--to", "iccs", name]));
        assert_eq!(status, 1, "{err}");
        assert!(
            out.contains("[红方 \"甲\"]") && out.contains("1. h2e2 (1. c3c4) 1. ... h9g7 *"),
            "{out}"
        );
        assert!(
            out.contains("1. a0a1 i9i8 *"),
            "the game after the bad one is read: {out}"
        );
        assert_eq!(err.lines().count(), 1);
        assert!(err.contains("h9g7 马8进7"), "{err}");
        let (status, out, _) = told(run(&["limit", name]));
        assert_eq!(status, 1);
        assert!(
            out.contains("Game 1: 甲 – 乙\n") && out.contains("Game 3\n"),
            "{out}"
        );
    }
    assert_eq!(told(run(&["limit", name, "--fen", ROOM])).0, 2);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(told(run(&["limit", name])).0, 2, "the file is gone");
}

/// A room for two rooks, and twelve checks in 48 plies.
const ROOM: &str = "3k4r/9/9/9/9/9/9/9/9/R3K4 w";

fn twelve_checks() -> String {
    "a0a9 d9d8 a9a0 d8d9 ".repeat(12)
}

#[test]
fn a_claim_of_the_natural_limit_is_audited() {
    let moves = twelve_checks();
    let out = ok(&[
        "limit", "--fen", ROOM, &moves, "--claim", "red", "--count", "23",
    ]);
    assert_eq!(
        out,
        "Nothing has been captured: counted from the first move, 48 plies.\n\
         Red, who claims, gave 12 checks, of which 10 count: 2 checks and 2 answers left out.\n\
         22 rounds of 23: the claim is false.\n\
         A foul by Red, and 5 minutes off Red's clock; Red loses if that runs the clock out, \
         otherwise the game goes on.\n\
         By cxa-1999, 4.2.4, 23.3\n\
         Left out:\n  \
         41 a0a9   20  车九进九  check  left out: the claimant's check 11\n  \
         42 d9d8   20  将4进1  left out: the answer to check 11\n  \
         45 a0a9   21  车九进九  check  left out: the claimant's check 12\n  \
         46 d9d8   21  将4进1  left out: the answer to check 12\n"
    );
    let zh = [
        "--lang", "zh", "limit", "--fen", ROOM, &moves, "--claim", "black", "--count", "24",
    ];
    assert!(
        ok(&zh)
            .contains("计24回合，限24回合：提出成立。\n判和。\n依据：cxa-1999 第4.2.4、23.3条\n")
    );
    let again = [
        "--rules",
        "cxa-2011",
        "--earlier-false-claims",
        "1",
        "--claim",
        "red",
    ];
    let out = ok(&[&["limit", "--fen", ROOM, &moves], &again[..]].concat());
    assert!(out.contains("Red loses: another false claim"), "{out}");
    let listing = ok(&["limit", "--fen", ROOM, &moves, "--listing", "--after", "8"]);
    assert!(
        listing.contains("Ply by ply:\n   1 a0a9    0  车九进九  check\n"),
        "{listing}"
    );
    assert_eq!(listing.lines().count(), 6 + 8);
}

#[test]
fn an_audit_is_told_to_programs() {
    let moves = twelve_checks();
    let options = [
        "--rules",
        "wxf",
        "--excess-check-removes",
        "ply",
        "--format",
        "json",
    ];
    let claim = ["--claim", "red"];
    let out = ok(&[&["limit", "--fen", ROOM, &moves], &options[..], &claim[..]].concat());
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    for (pointer, expected) in [
        ("/rule/book", "\"wxf\""),
        ("/rule/unit", "\"plies\""),
        ("/count", "46"),
        ("/reached", "false"),
        ("/consequence/technical", "true"),
        ("/left_out/1/ply", "44"),
        ("/plies/47/iccs", "\"d8d9\""),
    ] {
        assert_eq!(
            json.pointer(pointer).unwrap().to_string(),
            expected,
            "{pointer}"
        );
    }
}

#[test]
fn wrong_usage_is_status_two() {
    for args in [
        &["perft"][..],
        &["perft", "9/9 w", "1"],
        &["perft", "start", "deep"],
        &["perft", "start", "0"],
        &["perft", "start", "1", "--table", "x"],
        &["perft", "start", "1", "--deep"],
        &["board", "rnbakabnr"],
        &["board"],
        &["moves", "9/9 w"],
        &["moves", "4k4/9/9/9/9/9/9/9/9/4K4 w"],
        &["convert"],
        &["convert", "--to", "morse", "h2e2"],
        &["limit", "h2e2", "--rules", "chess"],
        &["limit", "h2e2", "--rules", "threefold"],
        &["limit", "h2e2", "--earlier-false-claims", "1"],
        &["limit", "h2e2", "--after", "2"],
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

/// What is sent to a command that reads standard input: exit status and the lines it answers with.
fn judged(input: &str) -> (i32, Vec<serde_json::Value>) {
    judged_bytes(input.as_bytes())
}

fn judged_bytes(input: &[u8]) -> (i32, Vec<serde_json::Value>) {
    let mut child = qili(&["judge", "--format", "ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    let (status, out, _) = told(child.wait_with_output().unwrap());
    let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
    (status, lines.collect())
}

#[test]
fn each_line_is_answered_before_the_next_is_sent() {
    let mut child = qili(&["judge", "--format", "ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let (told, tells) = std::sync::mpsc::channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in out.lines() {
            told.send(line.unwrap()).unwrap();
        }
    });
    for id in 0..3 {
        writeln!(
            stdin,
            r#"{{"id":{id},"moves":["h2e2","h9g7","e2h2","g7h9"],"explain":"none"}}"#
        )
        .unwrap();
        let line = tells.recv_timeout(Duration::from_mins(1)).unwrap();
        assert!(line.starts_with(&format!(r#"{{"id":{id},"#)), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_line_that_is_no_text_is_refused_and_others_are_told_in_both_languages() {
    let good = r#"{"moves":["h2e2","h9g7","e2h2","g7h9"],"explain":"none"}"#;
    let mut input = format!("{good}\n\n").into_bytes();
    // 棋 in GBK: read with other characters it would be another id.
    input.extend_from_slice(b"{\"id\":\"\xc6\xe5\",\"moves\":[\"h2e2\"]}\n");
    input.extend_from_slice(b"\xef\xbb\xbf{\"id\":5,\"budget\":-1,\"moves\":[]}\n");
    let (status, lines) = judged_bytes(&input);
    assert_eq!((status, lines.len()), (1, 3), "{lines:?}");
    let of = |line: usize| {
        (
            lines[line]["id"].clone(),
            lines[line]["error"]["code"].clone(),
        )
    };
    assert_eq!(of(1), (serde_json::Value::Null, "not_utf8".into()));
    assert_eq!(of(2), (5.into(), "request_shape".into()));
    assert_eq!(
        (
            &lines[2]["error"]["detail"],
            &lines[2]["error"]["detail_zh"],
            &lines[2]["error"]["pointer"]
        ),
        (
            &"`/budget`: expected a whole number from 0 to 4294967295, not the number -1".into(),
            &"“/budget”：应为0至4294967295的整数，不是数字-1".into(),
            &"/budget".into()
        )
    );
}

#[test]
fn a_bad_first_line_costs_no_other() {
    let good = r#"{"id": 7, "fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"]}"#;
    let bad = [
        "garbage",
        "null",
        "[]",
        "\"x\"",
        "42",
        "{\"id\": 1,",
        "{\"id\": \"x",
    ];
    for first in bad {
        let (status, lines) = judged(&format!("{first}\n{good}\n{good}\n"));
        assert_eq!((status, lines.len()), (1, 3), "{first}: {lines:?}");
        assert!(lines[0]["error"]["code"].is_string(), "{first}: {lines:?}");
        for line in &lines[1..] {
            assert_eq!(line["verdict"]["outcome"], "loss", "{first}: {line}");
        }
    }
    for first in ["\u{feff}", "\n\n"] {
        let (status, lines) = judged(&format!("{first}{good}\n{good}\n"));
        assert_eq!((status, lines.len()), (0, 2), "{first:?}: {lines:?}");
    }
    let indented = serde_json::from_str::<serde_json::Value>(good).unwrap();
    let indented = serde_json::to_string_pretty(&indented).unwrap();
    let (status, lines) = judged(&format!("{indented}\n{good}\n"));
    assert_eq!((status, lines.len()), (0, 2), "{lines:?}");
}

#[test]
fn the_version_says_which_build_it_is() {
    let told = ok(&["--version"]);
    let (version, commit) = told
        .trim()
        .strip_prefix("qili ")
        .unwrap()
        .split_once('+')
        .unwrap();
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let known = |commit: &str| {
        let commit = commit.strip_suffix(".modified").unwrap_or(commit);
        commit.len() == 12 && commit.chars().all(|c| c.is_ascii_hexdigit())
    };
    assert!(
        ["debug", "unknown"].contains(&commit) || known(commit),
        "{told}"
    );
    assert_eq!(
        ok(&["judge", "--version"]).split('+').nth(1),
        told.split('+').nth(1)
    );
}
