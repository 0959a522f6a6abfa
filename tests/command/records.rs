//! Records of every form through the command: converted, judged, and as archives of folders and ZIP
//! archives.

#![expect(clippy::unwrap_used, reason = "test code")]

use super::record_made::{self as made, ending, game};
use flate2::Compression;
use flate2::write::GzEncoder;
use qili::record::{Encoding, Record};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const KEYS: [u8; 9] = [0x5A, 1, 2, 4, 8, 0x73, 0x15, 0x29, 0x6C];

/// A folder of its own for a test; the command runs in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("records-{name}"));
        fs::remove_dir_all(&path).ok();
        fs::create_dir_all(path.join("all/inner")).unwrap();
        Self(path)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_qili"))
            .args(["--lang", "en"])
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// Status, standard output and standard error.
    fn told(&self, args: &[&str]) -> (i32, String, String) {
        crate::told::told(self.run(args))
    }
}

/// A game in which Black's rook chases for ever: 1 e4f4 e8f8 to and fro.
fn repeating(rounds: usize, result: &str) -> String {
    let moves = "1. f0e0 e8f8 2. e0f0 f8e8 ".repeat(rounds);
    format!(
        "[Event \"联赛\"]\n[Date \"2001.1.1\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"{result}\"]\n\
         [FEN \"2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w\"]\n\n{moves}"
    )
}

/// Files of many forms in a folder, in one within, and in a ZIP archive there.
fn mixed(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.put("all/a.xqf", &made::xqf(&game(), 18, KEYS));
    folder.put(
        "all/b.dat",
        &made::cbl(
            &[
                made::heading("题", 1),
                made::cbr(&game(), 2),
                made::cbr(&ending(), 3),
            ],
            &[],
        ),
    );
    folder.put(
        "all/c.pgn",
        &Encoding::Gb18030.encode(&repeating(4, "1/2-1/2")),
    );
    folder.put("all/d.png", b"\x89PNG\r\n\x1A\n");
    folder.put("all/.hidden", b"not a record");
    folder.put("all/inner/e.cbl", &made::old_library(&[game(), ending()]));
    let mut zip = ZipWriter::new(fs::File::create(folder.0.join("all/inner/f.zip")).unwrap());
    for (name, method, bytes) in [
        (
            "z.txt",
            CompressionMethod::Stored,
            repeating(3, "*").into_bytes(),
        ),
        (
            "deep/y.cbf",
            CompressionMethod::Deflated,
            made::cbf(&game()),
        ),
        (
            "deep/x.html",
            CompressionMethod::Deflated,
            format!("<html>{}</html>", ending().to_dhtmlxq()).into_bytes(),
        ),
    ] {
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(name, options).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap();
    folder
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn what_is_written_into_a_folder_is_not_read_as_it_is_written() {
    let folder = Folder::new("own-output");
    let request =
        r#"{"fen":"2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w","moves":["f0e0","e8f8","e0f0","f8e8"]}"#;
    folder.put("all/a.ndjson", request.as_bytes());
    let run = |args: &[&str], to: &str| {
        let mut options = fs::OpenOptions::new();
        let out = options.append(true).create(true).open(folder.0.join(to));
        let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
        command
            .args(["--lang", "en"])
            .args(args)
            .current_dir(&folder.0);
        crate::told::told(command.stdout(out.unwrap()).output().unwrap())
    };
    let judge = ["judge", "--format", "ndjson", "all"];
    assert_eq!(run(&judge, "all/z.ndjson").0, 0);
    let written = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
    assert_eq!(written("all/z.ndjson").lines().count(), 1);
    let (status, _, err) = run(
        &["judge", "--format", "ndjson", "all/a.ndjson"],
        "all/a.ndjson",
    );
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("`all/a.ndjson`"), "{err}");
    assert_eq!(written("all/a.ndjson"), request);
}

#[test]
fn a_path_is_told_to_name_no_file_and_not_taken_for_a_move() {
    let folder = Folder::new("no-such-path");
    for path in ["./nofile", "../nofile", "/nowhere/nofile"] {
        let (status, out, err) = folder.told(&["convert", "--to", "ndjson", path]);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(path) && !err.contains("move"), "{err}");
    }
}

#[test]
fn a_break_in_a_packed_file_is_placed_behind_what_could_be_read() {
    let folder = Folder::new("packed-break");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    for round in 1..=400_u64 {
        // No two alike, so that half of the file is half of the games.
        let event = format!("{:x}", round.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let game = repeating(3, "1-0").replace("联赛", &event);
        packed.write_all(game.as_bytes()).unwrap();
    }
    let packed = packed.finish().unwrap();
    folder.put("half.gz", &packed[..packed.len() / 2]);
    let (status, out, err) = folder.told(&["archive", "judge", "--rows", "game", "half.gz"]);
    let rows = out.lines().count();
    assert!(status != 0 && rows > 0, "{err}");
    assert!(
        err.contains(&format!("after {rows} games")),
        "{rows}: {err}"
    );
}

#[test]
fn folders_and_zip_archives_are_converted_in_a_fixed_order() {
    let folder = mixed("convert");
    let (status, out, err) = folder.told(&["convert", "--to", "ndjson", "all"]);
    assert_eq!(status, 0, "{err}");
    let places: Vec<(String, u64)> = rows(&out)
        .iter()
        .map(|row| {
            (
                row["file"].as_str().unwrap().to_owned(),
                row["index"].as_u64().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("all/a.xqf", 0),
        ("all/b.dat", 1),
        ("all/b.dat", 2),
        ("all/c.pgn", 0),
        ("all/inner/e.cbl", 0),
        ("all/inner/e.cbl", 1),
        ("all/inner/f.zip/z.txt", 0),
        ("all/inner/f.zip/deep/y.cbf", 0),
        ("all/inner/f.zip/deep/x.html", 0),
    ];
    assert_eq!(
        places,
        expected.map(|(file, index)| (file.to_owned(), index))
    );
    assert!(
        err.contains("all/d.png: this looks like a PNG picture"),
        "{err}"
    );
    assert!(!err.contains("hidden"), "{err}");
    let first = &rows(&out)[0];
    assert_eq!(
        *first,
        json!({
            "file": "all/a.xqf", "index": 0,
            "fen": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "moves": ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"],
            "red": "甲某", "black": "乙某", "event": "某赛", "date": "2001.2.3", "result": "1-0",
            "comments": [{"after": 0, "text": "开头"}, {"after": 3, "text": "好"}],
            "title": "一局", "place": "某地"
        })
    );
    // Rows are records, too.
    folder.put("rows.ndjson", out.as_bytes());
    let (status, again, err) = folder.told(&["convert", "--to", "ndjson", "rows.ndjson"]);
    assert_eq!(status, 0, "{err}");
    let moves = |text: &str| {
        rows(text)
            .into_iter()
            .map(|row| row["moves"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(moves(&again), moves(&out));
}

#[test]
fn a_file_that_breaks_off_gives_what_comes_before_and_a_fault() {
    let folder = Folder::new("broken");
    let file = made::xqf(&game(), 12, KEYS);
    folder.put("cut.xqf", &file[..file.len() - 3]);
    let (status, out, err) = folder.told(&["convert", "--to", "ndjson", "cut.xqf"]);
    assert_eq!(status, 1);
    assert_eq!(rows(&out)[0]["moves"].as_array().unwrap().len(), 5);
    assert!(err.contains("cut.xqf: game 1, byte"), "{err}");
    assert!(
        err.contains("the file breaks off: more moves were to come"),
        "{err}"
    );
    // What is judged is a whole game.
    let (status, out, _) = folder.told(&["judge", "cut.xqf"]);
    assert_eq!(
        (status, rows(&out)[0]["error"]["code"].as_str()),
        (1, Some("record_breaks_off"))
    );
    // Named itself, what is no record is wrong.
    folder.put("a.xqf", b"%PDF-1.7");
    let (status, out, err) = folder.told(&["convert", "--to", "pgn", "a.xqf"]);
    assert_eq!((status, &*out), (1, ""));
    assert!(
        err.contains("this looks like a PDF document: what is read is XQF"),
        "{err}"
    );
}

#[test]
fn what_is_read_is_not_written_over() {
    let folder = Folder::new("over");
    let text = repeating(3, "1/2-1/2");
    for name in ["a.pgn", "b.pgn"] {
        folder.put(name, text.as_bytes());
    }
    for args in [
        &["convert", "--to", "pgn", "b.pgn", "a.pgn", "--out", "a.pgn"][..],
        &["archive", "judge", "./a.pgn", "--out", "a.pgn"],
        &[
            "archive",
            "judge",
            "a.pgn",
            "--out",
            "rows",
            "--summary",
            "a.pgn",
        ],
    ] {
        let (status, _, err) = folder.told(args);
        assert_eq!(status, 2, "{args:?}");
        assert!(err.contains("is both read and written"), "{err}");
        assert_eq!(fs::read_to_string(folder.0.join("a.pgn")).unwrap(), text);
    }
}

#[test]
fn a_packed_file_that_breaks_off_ends_and_its_games_are_judged() {
    let folder = Folder::new("packed");
    let game = |at: u64| format!("{}{{{}}} *\n\n", repeating(1, "*"), at * at * at * 7919);
    let text = (0..300).map(game).collect::<Vec<_>>().concat();
    folder.put("games.pgn", text.as_bytes());
    let (_, rows_text, _) = folder.told(&["convert", "--to", "ndjson", "games.pgn"]);
    for (name, plain) in [("games.pgn.gz", &text), ("rows.gz", &rows_text)] {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(plain.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        folder.put(name, &packed[..packed.len() / 2]);
        let (status, out, err) = folder.told(&["convert", "--to", "ndjson", name]);
        let before = rows(&out).len();
        assert_eq!((status, err.lines().count()), (1, 1), "{name}: {err}");
        assert!(before > 20, "{name}: {before}");
        let judge = ["archive", "judge", "--rows", "game", name];
        let (_, out, _) = folder.told(&judge);
        assert_eq!(rows(&out).len(), before, "{name}");
    }
}

#[test]
fn every_form_written_is_read_again() {
    let folder = mixed("written");
    let (_, plain, _) = folder.told(&["convert", "--to", "ndjson", "all"]);
    let moves = |text: &str| -> Vec<Value> {
        rows(text)
            .into_iter()
            .map(|row| json!([row["fen"], row["moves"], row["red"], row["result"]]))
            .collect()
    };
    for form in ["pgn", "dhtmlxq"] {
        for encoding in ["utf-8", "gbk"] {
            let args = [
                "convert",
                "--to",
                form,
                "--encoding",
                encoding,
                "--out",
                "out",
                "all",
            ];
            assert_eq!(folder.told(&args).0, 0);
            let (status, again, err) = folder.told(&["convert", "--to", "ndjson", "out"]);
            assert_eq!(status, 0, "{err}");
            assert_eq!(moves(&again), moves(&plain), "{form} {encoding}");
            fs::remove_file(folder.0.join("out")).unwrap();
        }
    }
    assert_eq!(
        folder
            .told(&["convert", "--to", "xqf", "--out", "files", "all"])
            .0,
        0
    );
    let (status, again, _) = folder.told(&["convert", "--to", "ndjson", "files"]);
    assert_eq!((status, moves(&again)), (0, moves(&plain)));
    // One game goes to standard output; a second has no room there.
    let one = folder.run(&["convert", "--to", "xqf", "all/a.xqf"]);
    assert!(one.stdout.starts_with(b"XQ\x0A"));
    let (status, _, err) = folder.told(&["convert", "--to", "pgn", "--out", "all.pgn", "all"]);
    assert_eq!(status, 0, "{err}");
    let two = folder.run(&["convert", "--to", "xqf", "all.pgn"]);
    assert_eq!(two.status.code(), Some(2));
}

#[test]
fn every_command_reads_every_form() {
    let folder = mixed("commands");
    let (status, out, err) = folder.told(&["judge", "all"]);
    assert_eq!(status, 0, "{err}");
    let outcomes: Vec<(String, String)> = rows(&out)
        .iter()
        .map(|ruling| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (text(&ruling["id"]), text(&ruling["verdict"]["outcome"]))
        })
        .collect();
    assert_eq!(outcomes.len(), 9);
    assert_eq!(outcomes[3], ("all/c.pgn#1".to_owned(), "loss".to_owned()));
    assert_eq!(outcomes[0].1, "none");
    let (status, out, _) = folder.told(&["limit", "all/a.xqf"]);
    assert_eq!(status, 0);
    assert!(out.contains("Game 1: 甲某 – 乙某"), "{out}");
    let (status, out, err) = folder.told(&[
        "compare",
        "--base",
        "cxa-1999",
        "--with",
        "threefold",
        "--no-cases",
        "--format",
        "json",
        "--games",
        "all",
    ]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("all/c.pgn#1"), "{out}");
    // A rule book from a file, for `judge` as for archives.
    let book = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/rules/books/threefold.toml"
    );
    let (status, out, err) = folder.told(&["judge", "--rules", book, "all/c.pgn"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(rows(&out)[0]["verdict"]["outcome"], "draw");
}

#[test]
fn archives_of_files_give_the_same_bytes_however_they_are_run() {
    let folder = mixed("archive");
    for i in 0..250u8 {
        folder.put(
            &format!("all/inner/g{i:03}.xqf"),
            &made::xqf(&game(), 10 + i % 9, KEYS),
        );
    }
    let judge = |args: &[&str]| {
        let output = folder.run(&[&["archive", "judge"], args].concat());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let games = judge(&["--rows", "game", "--threads", "1", "all"]);
    assert_eq!(games.lines().count(), 259);
    assert_eq!(judge(&["--rows", "game", "--threads", "5", "all"]), games);
    let row = &rows(&games)[3];
    assert_eq!(
        json!([
            row["id"],
            row["red"],
            row["black"],
            row["event"],
            row["date"],
            row["result"]
        ]),
        json!(["all/c.pgn#1", "甲", "乙", "联赛", "2001.1.1", "1/2-1/2"])
    );
    // Spread over several runs, as if found in the folder: the same rows, nothing else is told apart.
    let files = [
        "all/a.xqf",
        "all/b.dat",
        "all/c.pgn",
        "all/d.png",
        "all/inner",
    ];
    let spread: String = files
        .map(|file| judge(&["--rows", "game", "--found", file]))
        .concat();
    assert_eq!(spread, games);
    let named = folder.run(&["archive", "judge", "--rows", "game", "all/d.png"]);
    assert_eq!(named.status.code(), Some(1));
    // Gone on with from every file a checkpoint may stand at.
    let args = [
        "--rows",
        "game",
        "--checkpoint",
        "kept",
        "--checkpoint-games",
        "1",
        "--out",
        "rows",
        "all",
    ];
    judge(&args);
    assert_eq!(fs::read_to_string(folder.0.join("rows")).unwrap(), games);
    let kept: Value =
        serde_json::from_str(&fs::read_to_string(folder.0.join("kept")).unwrap()).unwrap();
    for (file, records, lines) in [(0, 0, 0), (1, 2, 2), (1, 3, 3), (6, 0, 7), (40, 0, 41)] {
        let mut before = kept.clone();
        let length: usize = games.split_inclusive('\n').take(lines).map(str::len).sum();
        before["done"] = json!(false);
        before["input"] = json!({"file": file, "records": records});
        before["output"] = json!(length);
        before["summary"] = json!({"games": 0, "judged": 0, "rejected": 0, "plies": 0, "repeating": 0,
            "pending": 0, "outcomes": {}, "patterns": {}, "rejections": {}});
        folder.put("kept", before.to_string().as_bytes());
        judge(&args);
        assert_eq!(
            fs::read_to_string(folder.0.join("rows")).unwrap(),
            games,
            "{file} {records}"
        );
    }
    // A folder that has changed is another archive.
    folder.put("all/a.xqf", &made::xqf(&ending(), 18, KEYS));
    let mut open = kept;
    open["done"] = json!(false);
    folder.put("kept", open.to_string().as_bytes());
    let (status, _, err) = folder.told(&[&["archive", "judge"][..], &args].concat());
    assert_eq!(status, 2);
    assert!(err.contains("the input has changed since: all"), "{err}");
}

#[test]
fn a_run_of_a_repetition_is_one_row() {
    let folder = Folder::new("runs");
    let chased = "[Red \"丙\"]\n[FEN \"4ka3/4a1P2/4b4/9/2b2r3/4R4/9/9/4A4/4KA3 b\"]\n\n";
    let varied = format!("{chased}{}f5d5 *\n\n", "f5g5 g8f8 g5f5 f8g8 ".repeat(30));
    let drawn = repeating(10, "1/2-1/2") + "1/2-1/2\n\n";
    let lost = repeating(5, "0-1") + "0-1\n\n";
    let open = repeating(5, "*") + "*\n\n";
    folder.put("games.pgn", [varied, drawn, lost, open].concat().as_bytes());
    let (_, pending, _) = folder.told(&["archive", "judge", "games.pgn"]);
    assert!(pending.lines().count() > 150);
    let (status, out, err) = folder.told(&["archive", "judge", "--runs", "games.pgn"]);
    assert_eq!(status, 0, "{err}");
    let told: Vec<Value> = rows(&out)
        .iter()
        .map(|run| {
            json!([
                run["first_ply"],
                run["last_ply"],
                run["pending"],
                run["rounds"],
                run["verdict"]["outcome"],
                run["next"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!([12, 120, 109, 30, "must_change", {"what": "varied", "side": "black", "iccs": "f5d5"}]),
            json!([12, 40, 29, 10, "loss", {"what": "drawn", "side": null}]),
            json!([12, 20, 9, 5, "loss", {"what": "lost", "side": "red"}]),
            json!([12, 20, 9, 5, "loss", {"what": "ended", "side": null}]),
        ]
    );
    folder.put("runs.ndjson", out.as_bytes());
    let (status, page, err) = folder.told(&["archive", "report", "runs.ndjson"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(page.matches("<details class=\"o-loss s-red n-").count(), 3);
    assert_eq!(
        page.matches("<details class=\"o-must_change s-black n-varied")
            .count(),
        1
    );
    assert_eq!(
        page.matches("<svg").count(),
        5,
        "four boards and what they share"
    );
    assert!(page.contains("body:has(#n-varied:checked) details:not(.n-varied) { display: none; }"));
    for told in [
        "甲 – 乙",
        "联赛 · 2001.1.1 · 1/2-1/2",
        "after plies 12–120, 30 rounds;",
        "Black varied: f5d5",
        "车四平五",
    ] {
        assert!(page.contains(told), "{told}");
    }
    let (status, _, err) = folder.told(&["archive", "report", "games.pgn"]);
    assert_eq!(status, 1);
    assert!(err.contains("line 1: no row of `--rows run`"), "{err}");
    // Rows of pending positions would each count as a repetition.
    folder.told(&["archive", "judge", "games.pgn", "--out", "pending.ndjson"]);
    let (status, _, err) = folder.told(&["archive", "report", "pending.ndjson"]);
    assert_eq!(status, 1);
    assert!(err.contains("missing field `pending`"), "{err}");
}

#[test]
fn moves_given_as_words_are_converted_as_before() {
    let folder = Folder::new("words");
    let (status, out, _) = folder.told(&["convert", "--to", "iccs", "炮二平五", "马8进7"]);
    assert_eq!((status, &*out), (0, "h2e2 h9g7\n"));
    let (status, out, _) = folder.told(&["convert", "--to", "ndjson", "炮二平五", "马8进7"]);
    assert_eq!(status, 0);
    assert_eq!(rows(&out)[0]["moves"], json!(["h2e2", "h9g7"]));
    let file = Record::new(qili::board::Position::start()).to_xqf();
    folder.put("none.xqf", &file);
    let (status, out, _) = folder.told(&["convert", "--to", "ndjson", "none.xqf"]);
    assert_eq!((status, rows(&out)[0]["moves"].clone()), (0, json!([])));
}
