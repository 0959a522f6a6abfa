//! `qili keys`, `log`, `library`, `backup` and `restore`, run as their users run them: the same tests
//! on `SQLite` and, where there is one, `PostgreSQL`.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use super::support::{FEN, MOVES, Place, UNREACHED, ask, count, get, on, places, post, state};
use crate::told::told;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const NOBODY: &str = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE";

const CASE: &str = r#"
id = "club-1"
title = { zh = "长将", en = "Perpetual check" }
fen = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
moves = ["f0e0", "e8f8", "e0f0", "f8e8"]
why = { zh = "单方长将", en = "One side checks" }
[source]
book = "cxa-1999"
figure = ""
clauses = ["26.1"]
official = false
position = "composed"
[expect.cxa-1999]
natures = ["check", "idle", "check", "idle"]
outcome = "loss"
side = "red"
clauses = ["24.1", "26.1"]
"#;

/// Exit status, standard output and standard error.
fn run(place: &Place, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_qili"))
        .args(args)
        .env("QILI_DATABASE", &place.url)
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("LANG", "C.UTF-8")
        .output()
        .unwrap();
    told(output)
}

fn ok(place: &Place, args: &[&str]) -> String {
    let (status, out, err) = run(place, args);
    assert_eq!((status, err.as_str()), (0, ""), "{args:?}: {out}");
    out
}

/// What a command complains of that ends with a status.
fn fails(place: &Place, status: i32, args: &[&str]) -> String {
    let (ended, out, err) = run(place, args);
    assert_eq!(ended, status, "{args:?}: {out}{err}");
    err
}

fn json_of(place: &Place, args: &[&str]) -> Value {
    serde_json::from_str(&ok(place, args)).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("store-cli-{name}"));
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Keeps some rulings by a service, and gives their numbers.
async fn keep(place: &Place, requests: &[Value]) -> Vec<String> {
    let state = state(&[&place.flag()]);
    let mut numbers = Vec::new();
    for more in requests {
        let mut request = json!({"fen": FEN, "moves": MOVES, "record": true});
        for (key, value) in more.as_object().unwrap() {
            request[key] = value.clone();
        }
        numbers.push(ask(&state, post("/v1/rulings", &request)).await.number());
    }
    state.store.as_ref().unwrap().close().await;
    numbers
}

#[actix_web::test]
async fn keys_are_made_listed_and_revoked() {
    for place in places("cli-keys").await {
        assert_eq!(ok(&place, &["keys", "list"]), "");
        let admin = ok(&place, &["keys", "add", "chief", "--scopes", "judge,admin"]);
        let club = ok(&place, &["keys", "add", "the club", "--records"]);
        let (admin, club) = (admin.trim(), club.trim());
        assert!(
            club.starts_with("qili_") && club.len() == 69 && club != admin,
            "{club}"
        );
        let list = ok(&place, &["keys", "list"]);
        assert!(
            !list.contains("qili_"),
            "no key is ever shown again: {list}"
        );
        let told = json_of(&place, &["keys", "list", "--format", "json"]);
        assert_eq!(
            (&told[0]["name"], &told[0]["scopes"], &told[0]["records"]),
            (&json!("the club"), &json!(["judge"]), &json!(true))
        );
        assert_eq!(told[1]["scopes"], json!(["judge", "admin"]));
        let id = told[0]["id"].as_str().unwrap();
        let line = list.lines().find(|line| line.starts_with(id)).unwrap();
        assert!(line.ends_with("the club  records"), "{line}");

        // The service knows them, and soon knows what has been revoked meanwhile.
        let state = state(&[&place.flag()]);
        let sent = json!({"fen": FEN, "moves": MOVES});
        let by = |key: &str| {
            post("/v1/rulings", &sent).insert_header(("Authorization", format!("Bearer {key}")))
        };
        assert_eq!(ask(&state, post("/v1/rulings", &sent)).await.status, 401);
        ask(&state, by(club)).await.number();
        assert_eq!(ok(&place, &["keys", "revoke", id]), "revoked: the club\n");
        let begun = Instant::now();
        while ask(&state, by(club)).await.status != 401 {
            assert!(begun.elapsed() < Duration::from_secs(30));
            actix_web::rt::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(ask(&state, by(admin)).await.status, 200);
        let list = ok(&place, &["--lang", "zh", "keys", "list"]);
        assert!(
            list.lines()
                .any(|line| line.starts_with(id) && line.contains("撤销")),
            "{list}"
        );

        let twice = fails(&place, 1, &["keys", "add", "chief"]);
        assert!(twice.contains("there already"), "{twice}");
        let unknown = fails(&place, 1, &["keys", "revoke", NOBODY]);
        assert!(
            unknown.contains(&format!("there is no key `{NOBODY}`")),
            "{unknown}"
        );
        for bad in [
            &["keys", "add", ""][..],
            &["keys", "add", "x", "--scopes", "rule"],
            &["keys", "add", "x", "--scopes", ""],
        ] {
            fails(&place, 2, bad);
        }
        assert_eq!(
            json_of(&place, &["keys", "list", "--format", "json"])
                .as_array()
                .unwrap()
                .len(),
            2
        );
    }
}

#[actix_web::test]
async fn the_log_is_listed_shown_and_ruled_again() {
    for place in places("cli-log").await {
        let numbers = keep(
            &place,
            &[
                json!({"record": {"event": "春季赛"}}),
                json!({"rules": "wxf", "id": "看"}),
                json!({"explain": "full"}),
            ],
        )
        .await;
        let list = ok(&place, &["log", "list"]);
        let listed: Vec<&str> = list
            .lines()
            .map(|line| line.split_whitespace().next().unwrap())
            .collect();
        assert_eq!(
            listed,
            [&numbers[2], &numbers[1], &numbers[0]],
            "the newest first"
        );
        for (filter, found) in [
            (&["--rules", "wxf"][..], &numbers[1..2]),
            (&["--event", "春季赛"], &numbers[..1]),
            (&["--limit", "1"], &numbers[2..]),
            (&["--outcome", "draw"], &[]),
            (&["--until", "2026-01-01"], &[]),
        ] {
            let args = [&["log", "list", "--format", "json"], filter].concat();
            let listed = json_of(&place, &args);
            let listed: Vec<&str> = listed
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["number"].as_str().unwrap())
                .collect();
            assert_eq!(listed, found, "{filter:?}");
        }

        // As the service gives it.
        let shown = ok(&place, &["log", "show", &numbers[1]]);
        let state = state(&[&place.flag()]);
        let served = ask(&state, get(&format!("/v1/rulings/{}", numbers[1]))).await;
        assert_eq!(shown.trim(), served.text);

        let same = ok(&place, &["log", "replay", "--all"]);
        assert_eq!(same, "3 ruled again, 0 changed\n");
        on(&place.url, "UPDATE rulings SET ruling = replace(ruling, '\"outcome\":\"loss\"', '\"outcome\":\"draw\"')").await;
        let (status, changed, _) = run(&place, &["log", "replay", &numbers[0], &numbers[1]]);
        assert_eq!(status, 1);
        assert_eq!(
            changed,
            format!(
                "{}  /verdict/outcome\n2 ruled again, 1 changed\n",
                numbers[0]
            )
        );

        let unknown = fails(&place, 1, &["--lang", "zh", "log", "show", NOBODY]);
        assert!(
            unknown.contains(&format!("没有裁决“{NOBODY}”")),
            "{unknown}"
        );
        for bad in [
            &["log", "show", "17"][..],
            &["log", "replay"],
            &["log", "list", "--since", "yesterday"],
        ] {
            fails(&place, 2, bad);
        }

        let refused = json!({"fen": FEN, "moves": ["a0a1"], "record": true});
        assert_eq!(ask(&state, post("/v1/rulings", &refused)).await.status, 422);
        state.store.as_ref().unwrap().close().await;
        let told = json_of(&place, &["log", "refused", "--format", "json"]);
        assert_eq!(
            (told[0]["status"].as_u64(), &told[0]["route"]),
            (Some(422), &json!("POST /v1/rulings"))
        );
        let told = ok(&place, &["log", "refused"]);
        assert!(
            told.contains("  422  ") && told.lines().count() == 1,
            "{told}"
        );
    }
}

#[actix_web::test]
async fn kept_rulings_are_verified_by_their_certificates() {
    for place in places("cli-verify").await {
        let numbers = keep(
            &place,
            &[
                json!({"explain": "proof"}),
                json!({}),
                json!({"explain": "proof", "rules": "cxa-2020"}),
            ],
        )
        .await;
        let all = ["log", "verify", "--all"];
        assert_eq!(
            ok(&place, &all),
            "2 verified, 0 not, 1 without a certificate\n"
        );
        let (status, told, _) = run(&place, &["--lang", "zh", "log", "verify", &numbers[1]]);
        let without = "裁决没有证书\n证书成立0个，不成立0个，没有证书1个\n";
        assert_eq!((status, told), (1, format!("{}  {without}", numbers[1])));

        let state = state(&[&place.flag()]);
        let verify = |number: &str| post(&format!("/v1/rulings/{number}:verify"), &json!(null));
        let told = ask(&state, verify(&numbers[2])).await.json();
        assert_eq!(
            (&told["verified"], &told["moves"]),
            (&json!(true), &json!(4))
        );
        let told = ask(&state, verify(&numbers[1])).await;
        assert_eq!(
            (told.status, &told.json()["code"]),
            (422, &json!("no_certificate"))
        );
        assert_eq!(ask(&state, verify(NOBODY)).await.status, 404);

        // What was written over in the store is found out, in the ruling and in its certificate.
        let ruling = "UPDATE rulings SET ruling = replace(ruling, '\"outcome\":\"loss\",\"side\":\"red\",\"clauses\"', '\"outcome\":\"draw\",\"side\":\"red\",\"clauses\"')";
        on(&place.url, ruling).await;
        let (status, told, _) = run(&place, &["log", "verify", &numbers[0]]);
        assert_eq!(status, 1, "{told}");
        assert!(
            told.contains("not verified. ruling.verdict.outcome"),
            "{told}"
        );
        let certificate = "UPDATE rulings SET ruling = replace(ruling, '\"outcome\":\"loss\"', '\"outcome\":\"draw\"')";
        on(&place.url, certificate).await;
        let (status, told, _) = run(&place, &all);
        assert_eq!(status, 1);
        assert!(told.contains("not verified. claims.outcome"), "{told}");
        assert!(
            told.ends_with("0 verified, 2 not, 1 without a certificate\n"),
            "{told}"
        );
        let told = ask(&state, verify(&numbers[2])).await.json();
        assert_eq!(
            (&told["verified"], &told["claim"]),
            (&json!(false), &json!("claims.outcome"))
        );
    }
}

#[actix_web::test]
async fn own_cases_go_in_and_out_as_files() {
    for (at, place) in places("cli-library").await.iter().enumerate() {
        let folder = folder(&format!("library-{at}"));
        let (into, out) = (folder.join("in"), folder.join("out"));
        fs::create_dir(&into).unwrap();
        fs::write(into.join("club-1.toml"), CASE).unwrap();
        fs::write(into.join("club-2.toml"), CASE.replace("club-1", "club-2")).unwrap();
        let told = ok(
            place,
            &["library", "import", text(&into), "--note", "spring"],
        );
        assert_eq!(told, "club-1  created\nclub-2  created\n");
        fs::write(
            into.join("club-2.toml"),
            CASE.replace("club-1", "club-2")
                .replace("One side checks", "Red checks"),
        )
        .unwrap();
        let told = ok(
            place,
            &["library", "import", text(&into), "--note", "corrected"],
        );
        assert_eq!(told, "club-1  unchanged\nclub-2  revised\n");
        let listed = ok(place, &["--lang", "zh", "library", "list"]);
        assert!(
            listed.lines().count() == 2 && listed.contains("长将"),
            "{listed}"
        );
        let history = ok(place, &["library", "history", "club-2"]);
        let notes: Vec<_> = history
            .lines()
            .map(|line| (line.chars().next(), line.rsplit("  ").next()))
            .collect();
        assert_eq!(
            notes,
            [(Some('2'), Some("corrected")), (Some('1'), Some("spring"))]
        );
        assert!(ok(place, &["library", "show", "club-2"]).contains("Red checks"));

        assert_eq!(ok(place, &["library", "export", text(&out)]), "2 written\n");
        let again = ok(place, &["library", "import", text(&out)]);
        assert_eq!(
            again, "club-1  unchanged\nclub-2  unchanged\n",
            "out and in again is the same"
        );
        let checked = ok(place, &["library", "check"]);
        assert!(checked.starts_with("cxa-1999  {"), "{checked}");

        // All or none.
        fs::write(into.join("club-3.toml"), CASE.replace("club-1", "club-3")).unwrap();
        fs::write(
            into.join("club-4.toml"),
            CASE.replace("\"e8f8\"", "\"e8e9\""),
        )
        .unwrap();
        let fault = fails(place, 1, &["library", "import", text(&into)]);
        assert!(fault.contains("club-4.toml"), "{fault}");
        fs::remove_file(into.join("club-4.toml")).unwrap();
        fs::write(into.join("own.toml"), CASE.replace("club-1", "cxa-1999-01")).unwrap();
        let taken = fails(place, 1, &["library", "import", text(&into)]);
        assert!(
            taken.contains("`cxa-1999-01` is a published case"),
            "{taken}"
        );
        assert_eq!(
            json_of(place, &["library", "list", "--format", "json"])
                .as_array()
                .unwrap()
                .len(),
            2
        );

        // One that expects something else.
        fs::remove_dir_all(&into).unwrap();
        fs::create_dir(&into).unwrap();
        let wrong = CASE
            .replace("club-1", "club-5")
            .replace("\"loss\"", "\"draw\"")
            .replace("side = \"red\"\n", "");
        fs::write(into.join("club-5.toml"), wrong).unwrap();
        assert_eq!(
            ok(place, &["library", "import", text(&into)]),
            "club-5  created\n"
        );
        let (status, told, _) = run(place, &["library", "check"]);
        assert!(status == 1 && told.contains("club-5: "), "{status} {told}");

        assert_eq!(
            ok(place, &["library", "retire", "club-5", "--note", "wrong"]),
            "retired: club-5\n"
        );
        ok(place, &["library", "check"]);
        let all = ok(place, &["library", "list", "--retired"]);
        assert!(
            all.lines()
                .any(|line| line.starts_with("club-5") && line.ends_with("retired")),
            "{all}"
        );
        for command in ["show", "history", "retire"] {
            let fault = fails(place, 1, &["library", command, "none"]);
            assert!(
                fault.contains("there is no case `none`"),
                "{command}: {fault}"
            );
        }
    }
}

#[actix_web::test]
async fn a_backup_is_checked_and_restored() {
    let into = places("cli-restored").await;
    for (at, place) in places("cli-backup").await.iter().enumerate() {
        let numbers = keep(place, &[json!({}), json!({"rules": "wxf"})]).await;
        let folder = folder(&format!("backup-{at}"));
        let file = folder.join("qili.backup");
        let made = ok(place, &["backup", text(&file)]);
        assert!(made.contains("2 rulings among them, sha256:"), "{made}");
        let there = fails(place, 1, &["backup", text(&file)]);
        assert!(there.contains("exists"), "{there}");
        assert_eq!(ok(place, &["restore", "--check", text(&file)]), made);

        // Into the other kind, where there is one.
        let target = &into[into.len() - 1 - at];
        assert_eq!(ok(target, &["restore", text(&file)]), made);
        for number in &numbers {
            assert_eq!(
                ok(target, &["log", "show", number]),
                ok(place, &["log", "show", number])
            );
        }
        let full = fails(target, 1, &["restore", text(&file)]);
        assert!(full.contains("not empty"), "{full}");

        // A file of another program is left alone.
        let foreign = folder.join("foreign.db");
        let url = format!("sqlite:{}", foreign.display());
        fs::File::create(&foreign).unwrap();
        on(&url, "CREATE TABLE letters (text TEXT)").await;
        let refused = fails(&Place::at(&url), 1, &["restore", text(&file)]);
        assert!(refused.contains("another program"), "{refused}");
        assert_eq!(count(&url, "SELECT count(*) FROM sqlite_master").await, 1);

        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let damaged = folder.join("damaged.backup");
        fs::write(&damaged, bytes).unwrap();
        for args in [&["restore", "--check"][..], &["restore"]] {
            let fault = fails(target, 1, &[args, &[text(&damaged)]].concat());
            assert!(fault.contains("no whole backup"), "{fault}");
        }
        fails(
            place,
            1,
            &["restore", "--check", text(&folder.join("none"))],
        );
    }
}

#[test]
fn a_store_that_is_none_is_wrong_usage() {
    let nowhere = |url: &str| Place::at(url);
    for url in [
        "mysql://me:secret@host/db",
        "sqlite:/nowhere/at/all/qili.db",
    ] {
        let fault = fails(&nowhere(url), 2, &["log", "list"]);
        assert!(!fault.contains("secret"), "{fault}");
    }
    // What is only read is not made.
    let folder = folder("none");
    let none = folder.join("none.db");
    for args in [&["log", "replay", "--all"][..], &["backup", "none.backup"]] {
        let fault = fails(&nowhere(&format!("sqlite:{}", text(&none))), 2, args);
        assert!(fault.contains(text(&none)) && !none.exists(), "{fault}");
    }
    // That there is no server is told when it is asked.
    let status = if cfg!(feature = "postgres") { 1 } else { 2 };
    let fault = fails(
        &nowhere("postgres://me:secret@127.0.0.1:1/none"),
        status,
        &["keys", "list"],
    );
    assert!(
        fault.contains(UNREACHED) && !fault.contains("secret"),
        "{fault}"
    );
}
