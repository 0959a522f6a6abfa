//! A store looked at before it is used: `qili migrate`, `qili doctor`, and `qili health`, which asks a service.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::support::{Place, count, on, places};
use crate::told::told;
use qili::store::SCHEMA;
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// Exit status, standard output and standard error.
fn qili(args: &[&str]) -> (i32, String, String) {
    qili_in("en", args)
}

fn qili_in(lang: &str, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_qili"))
        .args(["--lang", lang])
        .args(args)
        .env_remove("QILI_DATABASE")
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    told(output)
}

fn migrate(place: &Place, check: bool) -> (i32, String, String) {
    let flag = place.flag();
    let mut args = vec!["migrate", &flag];
    args.extend(check.then_some("--check"));
    qili(&args)
}

fn sample(place: &Place) -> String {
    let kind = if place.file.is_some() {
        "sqlite"
    } else {
        "postgres"
    };
    let path = format!("tests/fixtures/store/schema-1-{kind}.sql");
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[actix_web::test]
async fn what_a_store_is_behind_is_told_before_it_is_changed() {
    for place in places("survey").await {
        let (status, out, _) = migrate(&place, true);
        assert_eq!(status, 1, "{out}");
        assert!(
            out.contains(&format!("nothing kept yet → schema {SCHEMA}")) && out.contains("1 first"),
            "{out}"
        );
        if let Some(file) = &place.file {
            assert!(!file.exists(), "looking made it");
        }
        assert_eq!(migrate(&place, false).0, 0);
        let (status, out, _) = migrate(&place, true);
        assert_eq!(
            (status, out.as_str()),
            (0, format!("schema {SCHEMA}: nothing to do\n").as_str())
        );
        assert_eq!(migrate(&place, false).0, 0, "twice does no harm");
        let steps = count(&place.url, "SELECT count(*) FROM _sqlx_migrations").await;
        assert_eq!(steps, SCHEMA);
    }
}

#[actix_web::test]
async fn a_sample_of_each_released_schema_is_brought_up_to_date() {
    for place in places("sample").await {
        if let Some(file) = &place.file {
            fs::File::create(file).unwrap();
        }
        on(&place.url, &sample(&place)).await;
        let rulings = count(&place.url, "SELECT count(*) FROM rulings").await;
        assert!(rulings > 0);
        let (status, out, err) = migrate(&place, false);
        assert_eq!(status, 0, "{out}{err}");
        assert_eq!(
            count(&place.url, "SELECT count(*) FROM rulings").await,
            rulings
        );
        let (status, out, _) = qili(&["doctor", &place.flag()]);
        assert_eq!(status, 0, "{out}");
        assert!(
            out.contains(&format!("schema {SCHEMA}, {rulings} rulings")),
            "{out}"
        );
    }
}

#[actix_web::test]
async fn what_is_newer_or_was_changed_is_refused() {
    for place in places("refused").await {
        assert_eq!(migrate(&place, false).0, 0);
        let insert = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
            SELECT 99, 'later', success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
        on(&place.url, insert).await;
        let newer = format!("the store has schema 99, this program knows up to {SCHEMA}");
        for check in [true, false] {
            let (status, _, err) = migrate(&place, check);
            assert_eq!(status, 1);
            assert!(err.contains(&newer), "{err}");
        }
        let (status, out, _) = qili(&["doctor", &place.flag()]);
        assert_eq!(status, 1);
        assert!(out.contains(&newer), "{out}");
    }
}

#[test]
fn a_file_of_another_program_is_left_alone() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("notes.txt");
    fs::write(
        &file,
        "what somebody else has written, far longer than the head of a file is",
    )
    .unwrap();
    let flag = format!("--database=sqlite:{}", file.display());
    for command in ["migrate", "doctor"] {
        let (status, out, err) = qili(&[command, &flag]);
        assert_eq!(status, 1, "{command}: {out}{err}");
        assert!((out + &err).contains("database"), "{command}");
    }
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .starts_with("what somebody")
    );
}

fn doctor(args: &[&str]) -> (i32, Vec<(String, String, String)>) {
    let args = [&["doctor", "--format=json"], args].concat();
    let (status, out, err) = qili(&args);
    let found: Value = serde_json::from_str(&out).map_err(|_| err).unwrap();
    let word = |one: &Value, name: &str| one.get(name).unwrap().as_str().unwrap().to_owned();
    let found = found.as_array().unwrap().iter();
    let found = found.map(|one| (word(one, "about"), word(one, "level"), word(one, "told")));
    (status, found.collect())
}

#[test]
fn the_doctor_finds_what_is_wrong() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("doctor");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    let well = format!("--database=sqlite:{}", folder.join("qili.db").display());
    let keys = folder.join("keys");
    fs::write(&keys, "no hash\n").unwrap();
    let keys = format!("--keys={}", keys.display());
    let listens = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = format!("--bind={}", listens.local_addr().unwrap());
    let free = "--bind=127.0.0.1:0";
    let module = folder.join("qili.wasm");
    fs::write(&module, b"\0asm and more").unwrap();
    let module = format!("--judge={}", module.display());
    let no_module = format!("--judge={}", folder.join("keys").display());
    let no_file = format!("--judge={}", folder.join("none.wasm").display());

    let (status, found) = doctor(&[&well, free, &module]);
    assert_eq!(status, 0, "{found:?}");
    assert!(
        found.iter().all(|(_, level, _)| level != "wrong"),
        "{found:?}"
    );
    let cases = |told: &str| told.contains("cases are ruled on as they say");
    assert!(
        found
            .iter()
            .any(|(about, _, told)| about == "build" && cases(told))
    );
    assert!(!folder.join("qili.db").exists(), "looking changes nothing");

    for (args, about, level, words) in [
        (
            vec![well.as_str(), free, "--log=loud=maybe"],
            "configuration",
            "wrong",
            "filter of the log",
        ),
        (vec![&well, free, &keys], "configuration", "wrong", "keys:1"),
        (
            vec![&well, free, &no_module],
            "configuration",
            "wrong",
            "is no WebAssembly module",
        ),
        (
            vec![&well, free, &no_file],
            "configuration",
            "wrong",
            "none.wasm` cannot be read",
        ),
        (
            vec![&well, "--bind=0.0.0.0:0"],
            "configuration",
            "wrong",
            "make a key first",
        ),
        (
            vec![&well, "--bind=192.0.2.1:80", "--open"],
            "configuration",
            "wrong",
            "192.0.2.1:80",
        ),
        (
            vec![&well, free, "--otlp-endpoint=nonsense"],
            "configuration",
            "wrong",
            "cannot send spans",
        ),
        (
            vec!["--database=mysql://me:secret@host/db", free],
            "store",
            "wrong",
            "is no database",
        ),
        (
            vec!["--database=none", free],
            "store",
            "note",
            "nothing is kept",
        ),
        (
            vec![&well, &taken],
            "configuration",
            "note",
            "perhaps by the qili that runs",
        ),
    ] {
        let (status, found) = doctor(&args);
        assert_eq!(status, i32::from(level == "wrong"), "{args:?}: {found:?}");
        let hit = |(a, l, told): &(String, String, String)| {
            a == about && l == level && told.contains(words)
        };
        assert!(found.iter().any(hit), "{args:?}: {found:?}");
        assert!(!format!("{found:?}").contains("secret"));
    }
}

#[test]
fn the_doctor_speaks_chinese_of_the_settings_too() {
    for (flag, words) in [
        ("--log=loud=maybe", "日志的筛选“loud=maybe”读不懂"),
        ("--keys=/none", "密钥文件“/none”读不出来"),
        ("--judge=/none", "裁决模块“/none”读不出来"),
        ("--otlp-endpoint=nonsense", "无法向“nonsense”发送跟踪数据"),
        ("--bind=192.0.2.1:80", "无法监听192.0.2.1:80"),
        ("--bind=0.0.0.0:0", "凡能连到0.0.0.0:0者都可为所欲为"),
    ] {
        let (status, out, err) = qili_in("zh", &["doctor", "--database=none", flag]);
        assert_eq!(status, 1, "{out}{err}");
        let hit = |line: &str| line.starts_with("✗ 配置: ") && line.contains(words);
        assert!(out.lines().any(hit), "{out}");
    }
}

#[test]
fn the_doctor_finds_a_damaged_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("damaged");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("qili.db");
    let flag = format!("--database=sqlite:{}", file.display());
    assert_eq!(qili(&["migrate", &flag]).0, 0);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes.get_mut(middle..middle + 4096).unwrap().fill(0x5A);
    fs::write(&file, bytes).unwrap();
    let (status, found) = doctor(&[&flag, "--bind=127.0.0.1:0"]);
    assert_eq!(status, 1, "{found:?}");
    assert!(
        found
            .iter()
            .any(|(about, level, _)| about == "store" && level == "wrong"),
        "{found:?}"
    );
}

#[test]
fn nobody_there_is_not_healthy() {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let (status, out, err) = qili(&["health", &format!("--bind={free}")]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains(&free.to_string()), "{err}");
}
