//! Archives: made up, judged by any number of threads, and gone on with after a kill.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::archive::{Generator, Plan};
use qili::rules::Catalog;
use qili::wire::{Request, answer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("archive-{name}"));
        fs::remove_dir_all(&path).ok();
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    command.args(["--lang", "en", "archive"]).args(args);
    command
}

fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// Standard output of a run that goes well.
fn well(args: &[&str]) -> Vec<u8> {
    let output = run(args);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
    output.stdout
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn generator(seed: u64) -> Generator {
    Generator::new(seed, &Catalog::builtin().get("cxa-1999").unwrap())
}

#[test]
fn games_are_the_same_for_any_number_of_threads() {
    let one = well(&[
        "generate",
        "--games",
        "700",
        "--seed",
        "3",
        "--threads",
        "1",
    ]);
    let many = well(&[
        "generate",
        "--games",
        "700",
        "--seed",
        "3",
        "--threads",
        "5",
    ]);
    assert!(one == many);
    let other = well(&[
        "generate",
        "--games",
        "700",
        "--seed",
        "4",
        "--threads",
        "5",
    ]);
    assert!(one != other);
}

#[test]
fn what_is_planned_repeats_and_nothing_else() {
    let catalog = Catalog::builtin();
    let generator = generator(11);
    let mut seen: BTreeMap<Plan, usize> = BTreeMap::new();
    for number in 0..1500 {
        let made = generator.game(number);
        let row = first_pending(&made.request(), catalog);
        *seen.entry(made.plan).or_default() += 1;
        let found = row.map(|sides| Plan::of_patterns(sides.0, sides.1));
        let pending = !matches!(made.plan, Plan::None | Plan::Short);
        assert_eq!(found, pending.then_some(made.plan), "{}", made.id);
    }
    for (plan, share) in Plan::ALL {
        let expected = 1500 * share / 1000;
        let found = seen.get(&plan).copied().unwrap_or(0);
        assert!(
            found.abs_diff(expected) <= 4 + expected / 2,
            "{plan:?}: {found}, not {expected}"
        );
    }
}

/// The patterns at the first position of a game that is pending, found by asking after each ply.
fn first_pending(request: &Request, catalog: &Catalog) -> Option<(&'static str, &'static str)> {
    let game = match request.prepare().unwrap() {
        qili::wire::Prepared::Game(game) => game,
        qili::wire::Prepared::Cycle(_) => return None,
    };
    let rule = catalog
        .get("cxa-1999")
        .unwrap()
        .book
        .definitions
        .pending_rule();
    let span = *game.all_pending(rule).first()?;
    let mut until = request.clone();
    until.moves.truncate(span.end_ply());
    let sides = answer(&until, catalog).unwrap().sides.unwrap();
    Some((sides.red.pattern.unwrap(), sides.black.pattern.unwrap()))
}

#[test]
fn rows_say_what_a_ruling_after_each_ply_says() {
    let folder = Folder::new("rows");
    let games = folder.file("games.ndjson");
    let generator = generator(5);
    let made: Vec<_> = (0..400).map(|number| generator.game(number)).collect();
    let text: String = made.iter().map(qili::archive::Made::line).collect();
    fs::write(&games, text).unwrap();
    let catalog = Catalog::builtin();
    for book in ["cxa-1999", "wxf", "cxa-2020", "threefold"] {
        let rows = lines(&well(&["judge", "--rules", book, &games]));
        let mut expected = Vec::new();
        let loaded = catalog.get(book).unwrap();
        for made in &made {
            let mut request = made.request();
            request.rules = Some(book.to_owned());
            let moves = std::mem::take(&mut request.moves);
            // Nothing can be pending where nothing stands again.
            let mut scan = qili::game::RepetitionScan::new();
            scan.begin(&made.record.start);
            for (ply, &mv) in (1..).zip(&made.record.moves) {
                if scan.push(mv) < 2 {
                    continue;
                }
                request.moves = moves[..ply].to_vec();
                let ruling = serde_json::to_value(answer(&request, catalog).unwrap()).unwrap();
                if ruling["verdict"]["outcome"] == "none" {
                    continue;
                }
                expected.push((made.id.clone(), ply, ruling));
            }
        }
        assert!(expected.len() > 50, "{book}");
        assert_eq!(rows.len(), expected.len(), "{book}");
        for (row, (id, ply, ruling)) in rows.iter().zip(&expected) {
            let place = format!("{book}: {id} after {ply}");
            assert_eq!(
                (row["id"].as_str(), row["ply"].as_u64()),
                (Some(id.as_str()), Some(*ply as u64)),
                "{place}"
            );
            assert_eq!(row["cycle"], ruling["cycle"], "{place}");
            for key in ["outcome", "side", "clauses"] {
                assert_eq!(
                    row["verdict"][key], ruling["verdict"][key],
                    "{place}: {key}"
                );
            }
            for side in ["red", "black"] {
                for key in ["pattern", "standing"] {
                    let told = &ruling["sides"][side][key];
                    assert_eq!(&row["sides"][side][key], told, "{place}: {side} {key}");
                }
            }
            assert_eq!(row["rules"]["digest"], loaded.digest.as_str());
            let of = |key| -> Vec<Value> {
                let moves = ruling["moves"].as_array().unwrap();
                moves.iter().map(|mv| mv[key].clone()).collect()
            };
            assert_eq!(row["moves"], Value::from(of("iccs")), "{place}");
            if loaded.book.definitions.conduct_is_judged {
                assert_eq!(row["natures"], Value::from(of("nature")), "{place}");
            }
        }
    }
}

/// A rook that chases a cannon, and a way round by which it does not.
const CHASE: &str = "3k5/4a4/9/9/c8/9/9/9/9/1R2K4 w";
const ROUND: [&str; 4] = ["b0a0", "a5b5", "a0b0", "b5a5"];
const QUIET: [&str; 4] = ["e0e1", "d9d8", "e1e0", "d8d9"];

fn game(moves: &[&[&str]], ordered: &Value) -> String {
    let moves = moves.concat();
    let asked = serde_json::json!({"id": "g", "kind": "game", "fen": CHASE, "moves": moves, "ordered": ordered});
    format!("{asked}\n")
}

#[test]
fn an_order_is_seen_in_a_game_in_which_nothing_else_is_due() {
    let folder = Folder::new("orders");
    let games = folder.file("games.ndjson");
    let ordered = serde_json::json!([{"after_ply": 0, "side": "red"}]);
    fs::write(&games, game(&[&ROUND, &ROUND[..1]], &ordered)).unwrap();
    let rows = lines(&well(&["judge", "--rules", "cxa-1999", &games]));
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = rows.first().unwrap();
    assert_eq!(
        (&row["ply"], &row["verdict"]["outcome"]),
        (&Value::from(5), &Value::from("loss"))
    );
    let request = Request::parse(&game(&[&ROUND, &ROUND[..1]], &ordered)).unwrap();
    let ruling = answer(&request, Catalog::builtin()).unwrap();
    let ruling = serde_json::to_value(ruling).unwrap();
    assert!(row["cycle"].is_object(), "{row}");
    assert_eq!(row["cycle"], ruling["cycle"], "{row}");
}

#[test]
fn a_row_has_every_way_round_that_its_ruling_rests_on() {
    let folder = Folder::new("ways");
    let games = folder.file("games.ndjson");
    let moves: [&[&str]; 4] = [&ROUND, &QUIET, &QUIET, &ROUND];
    fs::write(&games, game(&moves, &Value::from(Vec::<Value>::new()))).unwrap();
    let rows = lines(&well(&["judge", "--rules", "wxf", &games]));
    assert!(rows.iter().any(|row| row.get("earlier_moves").is_some()));
    for row in &rows {
        let of = |key: &str| -> Vec<Value> {
            let moves = row.get(key).and_then(Value::as_array);
            moves.cloned().unwrap_or_default()
        };
        let line = [of("earlier_moves"), of("moves")].concat();
        let request = serde_json::json!({"rules": "wxf", "fen": row["fen"], "moves": line});
        let request = Request::parse(&request.to_string()).unwrap();
        let ruling = answer(&request, Catalog::builtin()).unwrap();
        let ruling = serde_json::to_value(ruling).unwrap();
        assert_eq!(
            row["verdict"]["outcome"], ruling["verdict"]["outcome"],
            "{row}"
        );
        for side in ["red", "black"] {
            let (told, ruled) = (&row["sides"][side], &ruling["sides"][side]);
            assert_eq!(told["pattern"], ruled["pattern"], "{row}");
            assert_eq!(told["standing"], ruled["standing"], "{row}");
        }
    }
}

#[test]
fn a_run_tells_every_ruling_it_came_to() {
    let folder = Folder::new("changes");
    let (games, rows) = (folder.file("games.ndjson"), folder.file("rows.ndjson"));
    let moves: [&[&str]; 7] = [&ROUND, &QUIET, &ROUND, &QUIET, &ROUND, &ROUND, &QUIET];
    fs::write(&games, game(&moves, &Value::from(Vec::<Value>::new()))).unwrap();
    let written = well(&["judge", "--rules", "wxf", "--rows", "run", &games]);
    fs::write(&rows, &written).unwrap();
    let runs = lines(&written);
    let last = runs.last().unwrap();
    assert_eq!(last["verdict"]["outcome"], "draw");
    let changes = last["changes"].as_array().unwrap();
    let told: Vec<_> = changes
        .iter()
        .map(|c| (&c["ply"], &c["verdict"]["outcome"]))
        .collect();
    let expected = [
        (Value::from(24), Value::from("must_change")),
        (Value::from(25), Value::from("draw")),
    ];
    assert_eq!(
        told,
        expected.each_ref().map(|(ply, outcome)| (ply, outcome))
    );
    // The page goes by the gravest.
    let page = String::from_utf8(well(&["report", &rows])).unwrap();
    assert!(page.contains("Red: must vary"), "{page}");
}

#[test]
fn threads_compression_and_form_change_no_byte() {
    let folder = Folder::new("forms");
    let make = |name: &str, format: &str| {
        let file = folder.file(name);
        well(&[
            "generate", "--games", "1500", "--seed", "8", "--format", format, "--out", &file,
        ]);
        file
    };
    let plain = make("g.ndjson", "ndjson");
    let expected = well(&["judge", "--threads", "1", &plain]);
    assert!(expected.len() > 10_000);
    let zipped = make("g.ndjson.gz", "ndjson");
    let packed = make("g.ndjson.zst", "ndjson");
    assert!(fs::metadata(&zipped).unwrap().len() * 2 < fs::metadata(&plain).unwrap().len());
    for input in [&plain, &zipped, &packed] {
        assert!(
            well(&["judge", "--threads", "7", input]) == expected,
            "{input}"
        );
    }
    // A cache without room is no answer either.
    assert!(well(&["judge", "--cache", "0", &plain]) == expected);
    // Game records say the same, but for the names of the games.
    let unnamed = |bytes: &[u8]| -> Vec<Value> {
        let mut rows = lines(bytes);
        for row in &mut rows {
            row["id"] = Value::Null;
            // What a record says about its game no request does.
            for name in ["red", "black", "event", "date", "result"] {
                row.as_object_mut().unwrap().remove(name);
            }
        }
        rows
    };
    for name in ["g.pgn", "g.pgn.gz", "g.pgn.zst"] {
        let records = make(name, "pgn");
        assert!(
            unnamed(&well(&["judge", &records])) == unnamed(&expected),
            "{name}"
        );
    }
    let chinese = folder.file("chinese.pgn");
    let args = [
        "generate", "--games", "1500", "--seed", "8", "--format", "pgn",
    ];
    well(&[&args[..], &["--notation", "chinese", "--out", &chinese]].concat());
    assert!(unnamed(&well(&["judge", &chinese])) == unnamed(&expected));
}

#[test]
fn bad_games_are_told_with_their_place_and_counted() {
    let folder = Folder::new("bad");
    let games = folder.file("games.ndjson");
    let good = generator(5).game(1).line();
    let bad = r#"{"id": "x", "kind": "game", "moves": ["h2e2", "h2e2"]}"#;
    fs::write(
        &games,
        format!("{good}\n{bad}\nno json\n{good}{{\"id\": 3, \"moves\": []}}\n"),
    )
    .unwrap();
    let (rows, summary) = (folder.file("rows"), folder.file("summary.json"));
    let args = ["judge", &games, "--out", &rows, "--summary", &summary];
    assert_eq!(run(&args).status.code(), Some(1));
    assert_eq!(
        run(&[&args[..], &["--accept-rejected"]].concat())
            .status
            .code(),
        Some(0)
    );
    let counted: Value = serde_json::from_str(&fs::read_to_string(&summary).unwrap()).unwrap();
    assert_eq!(
        (&counted["games"], &counted["judged"], &counted["rejected"]),
        (&5.into(), &2.into(), &3.into())
    );
    let reasons = counted["rejections"].as_object().unwrap();
    assert_eq!(reasons.values().filter_map(Value::as_u64).sum::<u64>(), 3);
    let rows = lines(&fs::read(&rows).unwrap());
    let bad: Vec<&Value> = rows
        .iter()
        .filter(|row| row.get("error").is_some())
        .collect();
    assert_eq!(bad.len(), 3);
    assert_eq!(
        (&bad[0]["id"], &bad[0]["error"]["index"]),
        (&"x".into(), &1.into())
    );
    assert_eq!(bad[0]["place"]["line"], 3);
    assert_eq!(bad[0]["place"]["file"], games.as_str());
    assert_eq!(
        (&bad[1]["error"]["code"], &bad[1]["place"]["line"]),
        (&"json_syntax".into(), &4.into())
    );
    assert_eq!(
        (&bad[2]["id"], &bad[2]["error"]["code"]),
        (&3.into(), &"cycle_empty".into())
    );
    // One line out for each line in, without the blank.
    let each = run(&["judge", "--rows", "game", &games]);
    assert_eq!(lines(&each.stdout).len(), 5);
}

#[test]
fn a_filter_gives_a_line_for_a_line_from_standard_input() {
    let games: String = (0..300).map(|n| generator(9).game(n).line()).collect();
    let mut child = command(&["judge", "--rows", "game"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = games.clone();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answers = lines(&output.stdout);
    let asked = lines(games.as_bytes());
    assert_eq!(answers.len(), asked.len());
    for (answer, asked) in answers.iter().zip(&asked) {
        assert_eq!(answer["id"], asked["id"]);
        assert_eq!(answer["plies"], asked["moves"].as_array().unwrap().len());
    }
    assert!(
        answers
            .iter()
            .any(|answer| !answer["pending"].as_array().unwrap().is_empty())
    );
}

#[test]
fn a_run_that_is_killed_goes_on_without_losing_or_doubling_a_row() {
    let folder = Folder::new("kill");
    let games = folder.file("games.ndjson.zst");
    let pgn = folder.file("games.pgn");
    let made = ["generate", "--games", "6000", "--seed", "21"];
    well(&[&made[..], &["--out", &games]].concat());
    well(&[&made[..], &["--format", "pgn", "--out", &pgn]].concat());
    let whole = folder.file("whole");
    well(&["judge", &games, &pgn, "--out", &whole]);
    let (rows, kept) = (folder.file("rows"), folder.file("kept"));
    let args = [
        "judge",
        &games,
        &pgn,
        "--out",
        &rows,
        "--checkpoint",
        &kept,
        "--checkpoint-games",
        "300",
        "--threads",
        "2",
    ];
    let mut kills = 0;
    let mut reached = Vec::new();
    loop {
        let at = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let before = at(&kept);
        let mut child = command(&args).stderr(Stdio::null()).spawn().unwrap();
        // Killed as soon as it has come further, or has come to its end.
        let begun = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if kills < 12 && at(&kept) != before && begun.elapsed() > Duration::from_millis(20) {
                break None;
            }
            assert!(
                begun.elapsed() < Duration::from_mins(5),
                "it does not come to its end"
            );
        };
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        // What was being written when the kill came is cut off.
        let mut torn = fs::OpenOptions::new().append(true).open(&rows).unwrap();
        torn.write_all(b"{\"id\": \"torn").unwrap();
        reached.push(fs::metadata(&rows).unwrap().len());
    }
    assert!(kills >= 3, "killed {kills} times only, at {reached:?}");
    assert!(fs::read(&rows).unwrap() == fs::read(&whole).unwrap());
    let kept: Value = serde_json::from_str(&fs::read_to_string(&kept).unwrap()).unwrap();
    assert_eq!(
        (&kept["done"], &kept["summary"]["games"]),
        (&true.into(), &12_000.into())
    );
    // Done is done.
    well(&args);
    assert!(fs::read(&rows).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let folder = Folder::new("other");
    let games = folder.file("games.ndjson");
    well(&["generate", "--games", "50", "--out", &games]);
    let (rows, kept) = (folder.file("rows"), folder.file("kept"));
    let args = ["judge", &games, "--out", &rows, "--checkpoint", &kept];
    well(&args);
    let refused = |args: &[&str], why: &str| {
        let output = run(args);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(why), "{told}");
    };
    refused(&[&args[..], &["--rules", "wxf"]].concat(), "another run");
    well(&["generate", "--games", "51", "--out", &games]);
    refused(&args, "the input has changed");
    fs::write(&kept, "{").unwrap();
    refused(&args, "no checkpoint");
    refused(
        &["judge", "--out", &rows, "--checkpoint", &kept],
        "standard input",
    );
    refused(&["judge", "nowhere.pgn"], "nowhere.pgn");
    refused(&["judge", "--rules", "cxa-1899", &games], "cxa-1899");
}

#[test]
fn a_torn_archive_is_told_and_what_was_judged_stands() {
    let folder = Folder::new("torn");
    let games = folder.file("games.ndjson.gz");
    well(&["generate", "--games", "3000", "--out", &games]);
    let bytes = fs::read(&games).unwrap();
    fs::write(&games, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let output = run(&["judge", "--rows", "game", &games]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be read on"));
    assert!(lines(&output.stdout).len() > 500);
}

#[test]
fn an_amendment_is_counted_over_an_archive_and_its_flips_are_drawn() {
    let folder = Folder::new("amendment");
    let games = folder.file("games.ndjson");
    well(&[
        "generate", "--games", "4000", "--seed", "2", "--out", &games,
    ]);
    let amendment = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/rules/amendments/kills-permitted.toml"
    );
    let args = [
        "compare",
        &games,
        "--base",
        "cxa-1999",
        "--amendment",
        amendment,
        "--format",
    ];
    let one: Vec<u8> = well(&[&args[..], &["json", "--threads", "1"]].concat());
    let many = well(&[&args[..], &["json", "--threads", "6"]].concat());
    assert!(one == many);
    let report: Value = serde_json::from_slice(&one).unwrap();
    let number = |value: &Value| value.as_u64().unwrap();
    let (counts, archive) = (&report["counts"], &report["archive"]);
    assert_eq!(number(&archive["games"]), 4000);
    let sum: u64 = [
        "unchanged",
        "flipped",
        "relabelled",
        "undetermined",
        "determined",
    ]
    .iter()
    .map(|kind| number(&counts[kind]))
    .sum();
    assert_eq!(number(&counts["total"]), sum);
    assert!(number(&counts["flipped"]) > 0);
    let changed = sum - number(&counts["unchanged"]);
    assert_eq!(number(&archive["reach"]["positions"]), changed);
    let groups = report["groups"].as_array().unwrap();
    let grouped: u64 = groups
        .iter()
        .map(|group| number(&group["reach"]["positions"]))
        .sum();
    assert_eq!(grouped, changed);
    assert!(
        groups
            .iter()
            .all(|group| group["changes"].as_array().unwrap().len() <= 3)
    );
    // Every way in which a verdict changes is shown, before any is shown twice.
    let ways = archive["verdicts"].as_array().unwrap();
    assert!(ways.len() > 1);
    for way in ways {
        let outcome =
            |change: &Value, book: &str| change["rulings"][book]["verdict"]["outcome"].clone();
        let told = report["changes"].as_array().unwrap().iter().any(|change| {
            ["base", "other"]
                .iter()
                .all(|book| outcome(change, book) == way["outcome"][book])
        });
        assert!(told, "{way} is not shown");
        assert!(number(&way["games"]) <= number(&way["positions"]));
    }
    // A cycle is told with different games.
    for change in report["changes"].as_array().unwrap() {
        let places = change["places"].as_array().unwrap();
        let games: BTreeSet<&str> = places.iter().map(|p| p["id"].as_str().unwrap()).collect();
        assert_eq!(games.len(), places.len());
        assert!(games.len() as u64 <= number(&change["reach"]["games"]));
    }
    // The same flips as a ruling under each book finds.
    let rows = |rules: &str| lines(&well(&["judge", "--rules", rules, &games]));
    assert_eq!(rows("cxa-1999").len() as u64, sum);
    let page = String::from_utf8(well(&[&args[..], &["html"]].concat())).unwrap();
    assert!(page.contains("<svg") && page.contains("4,000 games"));
    let text = String::from_utf8(well(&[&args[..], &["text"]].concat())).unwrap();
    assert!(text.contains("An archive of 4,000 games") && text.contains("flipped"));
    let none = well(&[
        "compare", &games, "--base", "cxa-1999", "--with", "cxa-1999",
    ]);
    assert!(
        String::from_utf8(none)
            .unwrap()
            .contains("The books make the same of everything.")
    );
}

#[test]
fn a_comparison_that_is_killed_comes_to_the_same_report() {
    let folder = Folder::new("kill-compare");
    let games = folder.file("games.ndjson.gz");
    well(&[
        "generate", "--games", "5000", "--seed", "31", "--out", &games,
    ]);
    let kept = folder.file("kept");
    let plain = [
        "compare", &games, "--base", "cxa-1999", "--with", "cxa-2020", "--format", "json",
    ];
    let whole = well(&plain);
    let args = [
        &plain[..],
        &["--checkpoint", &kept, "--checkpoint-games", "400"],
    ]
    .concat();
    let mut kills = 0;
    let report = loop {
        let before = fs::read_to_string(&kept).unwrap_or_default();
        let mut child = command(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let further = || fs::read_to_string(&kept).unwrap_or_default() != before;
        while kills < 4 && child.try_wait().unwrap().is_none() && !further() {}
        if kills == 4 {
            break child.wait_with_output().unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    };
    assert!(report.status.success());
    assert!(report.stdout == whole);
}

#[test]
fn what_was_ordered_and_asserted_is_heeded() {
    let round = ["b0c2", "b9c7", "c2b0", "c7b9"];
    let start = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
    let check = ["f0e0", "e8f8", "e0f0", "f8e8"];
    let request = |more: &str, fen: &str, moves: &[&str], rounds: usize| {
        let moves = moves.repeat(rounds);
        format!("{{\"kind\":\"game\",\"fen\":\"{fen}\",\"moves\":{moves:?}{more}}}\n")
    };
    let opening = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let order = ",\"rules\":\"wxf\",\"ordered\":[{\"after_ply\":7,\"side\":\"red\"}]";
    let text = request(order, start, &check, 4)
        + &request(",\"rules\":\"threefold\"", opening, &round, 3)
        + &request(",\"budget\":0", opening, &round, 3)
        + &request(",\"claimed\":false", opening, &round, 3);
    let folder = Folder::new("ordered");
    let games = folder.file("games.ndjson");
    fs::write(&games, &text).unwrap();
    let answers = lines(&well(&["judge", "--rows", "game", &games]));
    let catalog = Catalog::builtin();
    for (answer_, line) in answers.iter().zip(text.lines()) {
        let rows = answer_["pending"].as_array().unwrap();
        assert!(!rows.is_empty());
        for row in rows {
            let mut request = Request::parse(line).unwrap();
            let ply = usize::try_from(row["ply"].as_u64().unwrap()).unwrap();
            request.moves.truncate(ply);
            request.ordered.retain(|order| order.after_ply < ply);
            let ruling = serde_json::to_value(answer(&request, catalog).unwrap()).unwrap();
            for key in ["outcome", "side", "clauses"] {
                assert_eq!(
                    row["verdict"][key], ruling["verdict"][key],
                    "{line} after {ply}"
                );
            }
        }
    }
    let first = answers[0]["pending"].as_array().unwrap();
    assert_eq!(first[0]["verdict"]["outcome"], "must_change");
}

#[test]
fn what_one_line_may_spend_is_nothing_to_the_next() {
    let fen = "2P1kn3/4r4/9/9/p3p3R/9/4P4/4B4/9/2BAKA3 w - - 0 1";
    let moves = ["i5i9", "e8f8", "i9i5", "f8e8"].repeat(3);
    let line =
        |more| format!("{{\"kind\":\"game\",\"fen\":\"{fen}\",\"moves\":{moves:?}{more}}}\n");
    let text = [
        line(",\"rules\":\"cxa-1999\",\"budget\":1"),
        line(",\"rules\":\"cxa-1999\""),
        line(",\"budget\":1"),
        line(""),
    ];
    let folder = Folder::new("spent");
    let games = folder.file("games.ndjson");
    fs::write(&games, text.concat()).unwrap();
    let answers = lines(&well(&[
        "judge",
        "--rows",
        "game",
        "--threads",
        "1",
        &games,
    ]));
    let outcomes: Vec<_> = answers
        .iter()
        .map(|answer| answer["pending"][0]["verdict"]["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["undetermined", "draw", "undetermined", "draw"]);
}

#[cfg(feature = "parquet")]
#[test]
fn a_game_that_is_rejected_has_a_row_of_every_column() {
    use arrow_array::Array as _;
    use arrow_array::cast::AsArray;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    let folder = Folder::new("parquet-rejected");
    let (text, rows) = (folder.file("g.ndjson"), folder.file("rows.parquet"));
    well(&["generate", "--games", "200", "--seed", "6", "--out", &text]);
    let games = fs::read_to_string(&text).unwrap() + "{\"id\":7,\"moves\":[\"a0a0\"]}\n";
    fs::write(&text, games).unwrap();
    let expected = well(&["judge", "--accept-rejected", &text]);
    well(&["judge", "--accept-rejected", &text, "--out", &rows]);
    let file = fs::File::open(&rows).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let mut told = Vec::new();
    for batch in reader.build().unwrap() {
        let batch = batch.unwrap();
        let text = |name: &str, row: usize| {
            let column = batch.column_by_name(name).unwrap().as_string::<i32>();
            (!column.is_null(row)).then(|| column.value(row).to_owned())
        };
        for row in 0..batch.num_rows() {
            told.push((text("id", row), text("error_code", row)));
            assert_eq!(text("event", row), None);
        }
    }
    let of_lines: Vec<_> = lines(&expected)
        .iter()
        .map(|row| {
            let id = &row["id"];
            let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            let code = row["error"]["code"].as_str();
            (Some(id), code.map(str::to_owned))
        })
        .collect();
    assert_eq!(told, of_lines);
    assert_eq!(told.iter().filter(|(_, code)| code.is_some()).count(), 1);
    assert!(told.len() > 1);
}

#[cfg(feature = "parquet")]
#[test]
#[expect(clippy::too_many_lines, reason = "one way there and back")]
fn columns_say_what_lines_say() {
    use arrow_array::Array as _;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int32Type, Int64Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    let folder = Folder::new("parquet");
    let (columns, text) = (folder.file("g.parquet"), folder.file("g.ndjson"));
    let make = ["generate", "--games", "1500", "--seed", "6"];
    well(&[&make[..], &["--format", "parquet", "--out", &columns]].concat());
    well(&[&make[..], &["--out", &text]].concat());
    let expected = well(&["judge", &text]);
    assert!(
        well(&["judge", &columns]) == expected,
        "Parquet in, lines out"
    );
    let rows = folder.file("rows.parquet");
    well(&["judge", &text, "--out", &rows]);
    let again = folder.file("again.parquet");
    well(&["judge", &columns, "--threads", "5", "--out", &again]);
    assert!(
        fs::read(&rows).unwrap() == fs::read(&again).unwrap(),
        "the same bytes"
    );
    let read = |path: &str| {
        let file = fs::File::open(path).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let mut told = Vec::new();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let text = |name: &str| {
                batch
                    .column_by_name(name)
                    .unwrap()
                    .as_string::<i32>()
                    .clone()
            };
            let (ids, outcomes, sides) = (text("id"), text("outcome"), text("side"));
            let ply = batch
                .column_by_name("ply")
                .unwrap()
                .as_primitive::<Int32Type>()
                .clone();
            let spent = batch
                .column_by_name("spent")
                .unwrap()
                .as_primitive::<Int64Type>()
                .clone();
            let natures = batch
                .column_by_name("natures")
                .unwrap()
                .as_list::<i32>()
                .clone();
            for row in 0..batch.num_rows() {
                let natures = natures.value(row);
                let natures: Vec<_> = natures.as_string::<i32>().iter().collect();
                told.push(serde_json::json!([
                    ids.value(row),
                    ply.value(row),
                    outcomes.value(row),
                    (!sides.is_null(row)).then(|| sides.value(row)),
                    spent.value(row),
                    natures,
                ]));
            }
        }
        told
    };
    let of_lines: Vec<Value> = lines(&expected)
        .iter()
        .map(|row| {
            let verdict = &row["verdict"];
            serde_json::json!([
                row["id"],
                row["ply"],
                verdict["outcome"],
                verdict["side"],
                row["spent"],
                row["natures"]
            ])
        })
        .collect();
    assert_eq!(read(&rows), of_lines);
    // In parts, and killed before any was whole.
    let (parts, kept) = (folder.file("parts"), folder.file("kept"));
    let args = [
        "judge",
        &columns,
        "--out",
        &parts,
        "--format",
        "parquet",
        "--checkpoint",
        &kept,
        "--checkpoint-games",
        "500",
    ];
    let mut child = command(&args).stderr(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none()
        && !Path::new(&parts).join("part-00001.parquet").exists()
    {}
    child.kill().unwrap();
    child.wait().unwrap();
    well(&args);
    let mut names: Vec<_> = fs::read_dir(&parts)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let together: Vec<Value> = names
        .iter()
        .flat_map(|path| read(path.to_str().unwrap()))
        .collect();
    assert!(names.len() >= 2);
    assert_eq!(together, of_lines);
}
