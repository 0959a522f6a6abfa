//! Certificates: `qili judge --proof` makes them, `qili verify` believes nothing else.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use crate::told::told;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FEN: &str = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
const CYCLE: [&str; 4] = ["f0e0", "e8f8", "e0f0", "f8e8"];
/// 1999, figure 2: Red's rook threatens mate and attacks on every move, and must change.
const FORBIDDEN: (&str, [&str; 4]) = (
    "2ba1k3/4a4/4b4/9/1n5R1/9/9/4B4/4A4/2BAK4 w",
    ["h5h9", "f9f8", "h9h5", "f8f9"],
);

fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    command
        .args(args)
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES");
    command.env("LANG", "C.UTF-8").stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Whoever refuses its arguments reads nothing.
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    told(child.wait_with_output().unwrap())
}

fn request(more: &Value) -> String {
    let mut request = json!({"fen": FEN, "moves": CYCLE});
    let fields = more.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(fields);
    format!("{request}\n")
}

/// The text of a ruling with its certificate.
fn proved(more: &Value) -> String {
    let (status, out, err) = run(&["judge", "--proof", "--format", "ndjson"], &request(more));
    assert_eq!((status, err.as_str()), (0, ""));
    out
}

fn ruling() -> Value {
    serde_json::from_str(&proved(&json!({}))).unwrap()
}

/// The same of a cycle that takes numbers to prove.
fn ruling_on_threats() -> Value {
    let (fen, moves) = FORBIDDEN;
    serde_json::from_str(&proved(&json!({"fen": fen, "moves": moves}))).unwrap()
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("proofs-{name}"))
}

/// What is said of a certificate or a ruling, for programs.
fn verified(value: &Value) -> (i32, Value) {
    let (status, out, _) = run(&["verify", "--format", "json", "-"], &value.to_string());
    (status, serde_json::from_str(&out).unwrap())
}

#[test]
fn a_ruling_with_its_certificate_is_the_ruling_with_notes_and_the_certificate() {
    for more in [json!({}), json!({"id": 7}), json!({"rules": "wxf"})] {
        let notes = run(&["judge", "--format", "ndjson"], &request(&more)).1;
        let proved = proved(&more);
        let (ruling, proof) = proved.split_once(",\"proof\":").unwrap();
        assert_eq!(format!("{ruling}}}\n"), notes);
        let proof = proof.strip_suffix("}\n").unwrap();
        let proof: Value = serde_json::from_str(proof).unwrap();
        assert_eq!(proof["format"], "qili-proof/12");
        assert_eq!(verified(&proof).0, 0);
        // However it is asked for, it is the same.
        let mut asked = more.clone();
        asked["explain"] = json!("proof");
        let in_request = run(&["judge", "--format", "ndjson"], &request(&asked)).1;
        assert_eq!(in_request, proved);
    }
    for explain in ["none", "notes", "full"] {
        let asked = request(&json!({ "explain": explain }));
        let (_, out, _) = run(&["judge", "--format", "ndjson"], &asked);
        assert!(!out.contains("proof") && !out.contains("unproved"), "{out}");
    }
}

#[test]
fn what_is_proved_is_told_in_either_language() {
    let ruling = ruling();
    let digest = ruling["rules"]["digest"].as_str().unwrap();
    let (status, out, err) = run(&["verify", "--lang", "en", "-"], &ruling.to_string());
    assert_eq!((status, err.as_str()), (0, ""));
    let told = format!(
        "-#1: verified. f0e0 check, e8f8 idle, e0f0 check, f8e8 idle; one side checks on every move: red loses \
         ({}). By cxa-1999@1.1.0, {digest}\n",
        certified_clauses(&ruling).join(", ")
    );
    assert_eq!(out, told);
    let (_, out, _) = run(&["verify", "--lang", "zh", "-"], &ruling.to_string());
    assert!(
        out.starts_with(
            "-#1: 证书成立。f0e0 将，e8f8 闲，e0f0 将，f8e8 闲；单方长将：红方判负（第24.1"
        ),
        "{out}"
    );
    let (status, told) = verified(&ruling_on_threats()["proof"]);
    assert_eq!(
        (status, &told["verified"], &told["moves"]),
        (0, &json!(true), &json!(4))
    );
    assert!(told["numbers"].as_u64().unwrap() > 10, "{told}");
    assert_eq!(told["claims"]["outcome"], "must_change");
    // What an arbiter asserts is no proof, and is named.
    let asserted = proved(&json!({"assertions": {"theoretical_draw": true}}));
    let (_, out, _) = run(&["verify", "--lang", "en", "-"], &asserted);
    assert!(
        out.contains("The arbiter asserts that it is a plain draw."),
        "{out}"
    );
}

fn certified_clauses(ruling: &Value) -> Vec<&str> {
    let clauses = ruling["proof"]["claims"]["clauses"].as_array().unwrap();
    clauses
        .iter()
        .map(|clause| clause.as_str().unwrap())
        .collect()
}

#[test]
fn what_is_changed_is_refused_with_its_place() {
    let ruling = ruling_on_threats();
    let proof = &ruling["proof"];
    let text = proof["proof"].as_str().unwrap();
    for (place, other, claim) in [
        ("/claims/natures/1", json!("chase"), "claims.natures"),
        ("/claims/outcome", json!("draw"), "claims.outcome"),
        ("/claims/side", json!("black"), "claims.side"),
        ("/claims/side", json!(null), "claims.side"),
        (
            "/claims/situation",
            json!("one_sided_check"),
            "claims.situation",
        ),
        ("/claims/clauses/0", json!("24.1"), "claims.clauses"),
        ("/rules/digest", json!("sha256:00"), "rules.digest"),
        ("/format", json!("qili-proof/0"), "format"),
        ("/moves/1", json!("e4e5"), "moves"),
        ("/proof", json!(text.get(..text.len() / 2)), "proof"),
        ("/proof", json!(format!("{text}AAAA")), "proof"),
        (
            "/proof",
            json!(format!("!{}", text.get(1..).unwrap())),
            "proof",
        ),
        ("/proof", json!(""), "proof"),
    ] {
        let mut changed = proof.clone();
        *changed.pointer_mut(place).unwrap() = other;
        let (status, told) = verified(&changed);
        assert_eq!(
            (status, &told["verified"]),
            (1, &json!(false)),
            "{place}: {told}"
        );
        assert_eq!(told["claim"], claim, "{place}: {told}");
        assert!(!told["detail"].as_str().unwrap().is_empty(), "{told}");
        let (status, out, _) = run(&["verify", "--lang", "zh", "-"], &changed.to_string());
        assert_eq!(status, 1);
        assert!(
            out.starts_with(&format!("-#1: 证书不成立。{claim}")),
            "{out}"
        );
    }
    let mut changed = proof.clone();
    changed["claims"]["natures"][2] = json!("idle");
    let (_, out, _) = run(&["verify", "--lang", "en", "-"], &changed.to_string());
    assert_eq!(
        out,
        "-#1: not verified. claims.natures, move 3: what is proved is chase\n"
    );
    assert_eq!(verified(&changed).1["ply"], 2);
}

#[test]
fn a_ruling_says_what_its_certificate_claims() {
    let ruling = ruling();
    assert_eq!(verified(&ruling).0, 0);
    for (place, other, claim) in [
        ("/moves/1/nature", json!("chase"), "ruling.moves.nature"),
        ("/moves/1/nature", json!(null), "ruling.moves.nature"),
        ("/moves/1/side", json!("red"), "ruling.moves.side"),
        ("/moves/1/iccs", json!("e8e9"), "ruling.moves"),
        ("/verdict/outcome", json!("draw"), "ruling.verdict.outcome"),
        ("/verdict/side", json!("black"), "ruling.verdict.side"),
        ("/rules/id", json!("cxa-2020"), "ruling.rules"),
        ("/rules/digest", json!("sha256:00"), "ruling.rules"),
        ("/moves", json!([]), "ruling.moves"),
        ("/proof/claims/natures/1", json!("chase"), "claims.natures"),
    ] {
        let mut changed = ruling.clone();
        *changed.pointer_mut(place).unwrap() = other;
        let (status, told) = verified(&changed);
        assert_eq!(
            (status, &told["verified"]),
            (1, &json!(false)),
            "{place}: {told}"
        );
        assert_eq!(told["claim"], claim, "{place}: {told}");
    }
    // That an order was not kept is seen from the game: the loss rests on what is proved of the cycle.
    let (fen, cycle) = FORBIDDEN;
    let perpetual_check = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
    let checks = ["f0e0", "e8f8", "e0f0", "f8e8"];
    let figure_10 = "2b1ka3/4a4/n1c1b1n2/p1r1p3p/6p2/5N1R1/P3P3P/2N1B2C1/4A4/2BAK4 w";
    let both = ["c2d4", "c6c4", "d4c2", "c4c6"];
    for (rules, fen, cycle, bound) in [
        ("cxa-1999", fen, cycle, "one_forbidden"),
        ("wxf", perpetual_check, checks, "one_sided_check"),
        ("cxa-2020", figure_10, both, "stronger_attacks"),
    ] {
        let moves = [cycle; 6].concat();
        let asked = json!({"rules": rules, "fen": fen, "moves": moves, "kind": "game",
            "ordered": [{"after_ply": 11, "side": "red"}], "explain": "proof"});
        let (_, out, _) = run(&["judge", "--format", "ndjson"], &asked.to_string());
        let mut ruling: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(ruling["verdict"]["outcome"], "loss", "{out}");
        let claims = &ruling["proof"]["claims"];
        assert_eq!(claims["outcome"], "must_change", "{out}");
        assert_eq!(claims["situation"], bound, "{out}");
        assert_eq!(verified(&ruling).0, 0);
        // Why it was bound is told as well.
        let why = ruling["verdict"]["reason"]["zh"].as_str().unwrap();
        assert!(why.contains("红方应变着而未变着，红方判负"), "{why}");
        let told = bound == "one_forbidden" || why.contains("较重") || why.contains("单方面长将");
        assert!(told, "{why}");
        let mut other = ruling.clone();
        other["verdict"]["side"] = json!("black");
        assert_eq!(verified(&other).1["claim"], "ruling.verdict.side");
        // A loss is told with the clause by which it is one; a part of a way round is none.
        let mut other = ruling.clone();
        other["verdict"]["clauses"] = claims_of(&ruling)["clauses"].clone();
        if rules == "cxa-1999" {
            assert_eq!(verified(&other).1["claim"], "ruling.verdict.clauses");
        }
        let last = ruling["moves"].as_array().unwrap().last().unwrap().clone();
        ruling["moves"] = json!([last]);
        assert_eq!(verified(&ruling).1["claim"], "ruling.moves");
    }
    // Where nobody asked for it a draw is given by another clause.
    let unasked = proved(&json!({"fen": "2P1kn3/4r4/9/9/p3p3R/9/4P4/4B4/9/2BAKA3 w",
        "moves": ["i5i9", "e8f8", "i9i5", "f8e8"], "claimed": false}));
    let unasked: Value = serde_json::from_str(&unasked).unwrap();
    assert_eq!(unasked["verdict"]["outcome"], "draw");
    assert_ne!(
        unasked["verdict"]["clauses"],
        claims_of(&unasked)["clauses"]
    );
    assert_eq!(verified(&unasked).0, 0);
}

fn claims_of(ruling: &Value) -> &Value {
    &ruling["proof"]["claims"]
}

#[test]
fn many_are_verified_one_by_one_and_what_is_bad_stops_no_other() {
    let ruling = ruling();
    let (name, path) = ("many.ndjson", file("many.ndjson"));
    let mut bad = ruling.clone();
    bad["proof"]["claims"]["outcome"] = json!("draw");
    let undetermined = request(&json!({"id": "dear", "budget": 0, "explain": "proof"}));
    let none = r#"{"id": "none", "moves": ["h2e2"], "kind": "game", "explain": "proof"}"#;
    let (status, unproved, _) = run(
        &["judge", "--format", "ndjson"],
        &format!("{undetermined}{none}\nnonsense\n"),
    );
    assert_eq!(status, 1);
    let told: Vec<Value> = unproved
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(told[1]["unproved"], "there is nothing to rule on");
    assert!(told[1].get("proof").is_none());
    let unknown = proof_of_unknown(&ruling);
    let text = format!(
        "{}\n\n{}\n{{\"broken\n{bad}\n{unproved}{unknown}\n",
        ruling, ruling["proof"]
    );
    std::fs::write(&path, text).unwrap();
    let at = path.to_str().unwrap();
    let (status, out, err) = run(&["verify", "--lang", "en", at], "");
    assert_eq!(status, 1);
    let verified = out
        .lines()
        .filter(|line| line.contains(": verified. "))
        .count();
    let proofs_made = told
        .iter()
        .filter(|ruling| ruling.get("proof").is_some())
        .count();
    assert_eq!(verified, 2 + proofs_made, "{out}");
    assert!(out.contains("#4: not verified. claims.outcome"), "{out}");
    for said in [
        format!("{name}#3: "),
        "#6 (none): the ruling has no certificate: there is nothing to rule on".to_owned(),
        "#7: the ruling has no certificate".to_owned(),
        "#8: no rule book `cxa-1998`, did you mean `cxa-1999`?".to_owned(),
    ] {
        assert!(err.contains(&said), "{said}: {err}");
    }
    // A list over several lines, as `--format json` writes it.
    let list = serde_json::to_string_pretty(&json!([ruling, ruling["proof"]])).unwrap();
    let (status, out, err) = run(&["verify", "--lang", "en", "-"], &list);
    assert_eq!((status, out.lines().count(), err.as_str()), (0, 2, ""));
    assert_eq!(run(&["verify", "-"], "").0, 1);
    assert_eq!(run(&["verify", "no-such-file"], "").0, 2);
    assert_eq!(run(&["verify"], "").0, 2);
}

fn proof_of_unknown(ruling: &Value) -> Value {
    let mut unknown = ruling["proof"].clone();
    unknown["rules"]["id"] = json!("cxa-1998");
    unknown
}

#[test]
fn certificates_go_into_a_file_or_stand_alone() {
    let path = file("alone.ndjson");
    let at = path.to_str().unwrap();
    let two = format!(
        "{}{}",
        request(&json!({"id": 1})),
        request(&json!({"rules": "wxf"}))
    );
    let (status, out, err) = run(
        &[
            "judge",
            "--proof-to",
            at,
            "--format",
            "text",
            "--lang",
            "en",
        ],
        &two,
    );
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(
        out.matches(&format!("bytes was made (written to {at};"))
            .count(),
        2,
        "{out}"
    );
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(written.lines().count(), 2);
    let (status, out, err) = run(&["verify", "--lang", "en", at], "");
    assert_eq!((status, out.lines().count(), err.as_str()), (0, 2, ""));
    for format in ["text", "json", "ndjson"] {
        let alone = run(&["judge", "--proof-to", "-", "--format", format], &two);
        assert_eq!(alone, (0, written.clone(), String::new()), "{format}");
    }
    let none = r#"{"id": "none", "moves": ["h2e2"], "kind": "game"}"#;
    let (status, out, err) = run(&["judge", "--proof-to", "-", "--lang", "en"], none);
    assert_eq!((status, out.as_str()), (0, ""));
    assert_eq!(
        err,
        "qili: \"none\": No certificate: there is nothing to rule on.\n"
    );
    let (_, out, _) = run(
        &["judge", "--proof", "--format", "text", "--lang", "zh"],
        &two,
    );
    assert!(out.contains("\n已作成证书，"), "{out}");
    let missing = run(&["judge", "--proof-to", "no/such/folder"], &two);
    assert_eq!(missing.0, 2);
}

#[test]
fn a_book_that_is_not_built_in_is_given() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/books/cxa-1999.toml");
    let text = std::fs::read_to_string(source).unwrap();
    let text = text.replacen("id = \"cxa-1999\"", "id = \"of-the-hall\"", 1);
    let book = file("hall.toml");
    std::fs::write(&book, text).unwrap();
    let book = book.to_str().unwrap();
    let asked = request(&json!({}));
    let (_, out, _) = run(&["judge", "--rules", book, "--proof-to", "-"], &asked);
    assert!(out.contains("of-the-hall"), "{out}");
    let (status, _, err) = run(&["verify", "--lang", "en", "-"], &out);
    assert_eq!(status, 1);
    assert!(err.contains("no rule book `of-the-hall`"), "{err}");
    assert_eq!(run(&["verify", "--rules", book, "-"], &out).0, 0);
    // What is tried is named by the certificate itself.
    let (_, out, _) = run(
        &[
            "judge",
            "--rules",
            "cxa-1999",
            "--set",
            "pawn_upgrade=false",
            "--proof-to",
            "-",
        ],
        &asked,
    );
    let proof: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(proof["rules"]["id"], "cxa-1999+pawn_upgrade=false");
    assert_eq!(verified(&proof).0, 0);
    let mut other = proof;
    other["rules"]["id"] = json!("cxa-1999");
    assert_eq!(verified(&other).1["claim"], "rules.digest");
}
