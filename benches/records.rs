//! What reading records costs beside judging them, one thread: of files of one's own, and of games
//! made up and written in every form.
//!
//! `QILI_RECORDS=FOLDER cargo bench --bench records` takes the files of a folder, those in folders
//! and ZIP archives within too; without the folder there are only the games made up. Files of
//! requests (NDJSON) are taken as cycles to rule on. Each figure is the best of five runs.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "a bench prints what it measures"
)]

use qili::Arbiter;
use qili::archive::{Files, Generator, asks};
use qili::board::Position;
use qili::classify::Depth;
use qili::game::{Cycle, Game};
use qili::notation::{Notation, fen, read_line};
use qili::record::{Encoding, Form, Reader, Record};
use qili::rules::{Catalog, RuleBook};
use qili::ruling::Options;
use serde_json::Value;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games made up.
const MADE: u64 = 400;
const RUNS: usize = 5;

/// Writes a game in some form.
type Write = fn(&Record) -> Vec<u8>;

const VERDICT: fn() -> Options = || Options {
    depth: Depth::Verdict,
    ..Options::default()
};

/// The best of some runs.
fn best(mut work: impl FnMut()) -> Duration {
    let once = |work: &mut dyn FnMut()| {
        let began = Instant::now();
        work();
        began.elapsed()
    };
    (0..RUNS).map(|_| once(&mut work)).min().unwrap()
}

fn games(file: &[u8]) -> impl Iterator<Item = Record> + '_ {
    Reader::new(file).filter_map(Result::ok)
}

/// Files of one form: read, and their games judged under each book.
fn measure(what: &str, files: &[Vec<u8>], books: &[&RuleBook]) {
    let bytes: usize = files.iter().map(Vec::len).sum();
    let records: Vec<Record> = files.iter().flat_map(|file| games(file)).collect();
    let plies: usize = records.iter().map(|record| record.moves.len()).sum();
    if records.is_empty() {
        return;
    }
    let count = records.len() as f64;
    let each = |took: Duration| took.as_secs_f64() * 1e6 / count;
    let reading = each(best(|| {
        for file in files {
            black_box(games(file).count());
        }
    }));
    let played = |record: &Record| {
        Game::with_moves(record.start.clone(), record.moves.iter().copied()).unwrap()
    };
    print!(
        "{what:18} {:6} games {:4} plies each {:7} kB   read {reading:7.1} µs a game, {:8.0} games/s",
        records.len(),
        plies / records.len(),
        bytes / 1000,
        1e6 / reading,
    );
    for book in books {
        let judging = each(best(|| {
            for record in &records {
                let arbiter = Arbiter::new(book).with(VERDICT());
                black_box(arbiter.every(&played(record), &[]).count());
            }
        }));
        print!("   {} {judging:6.1} µs", book.id);
    }
    println!();
}

/// How long rulings on cycles take under a book.
fn cycles(what: &str, cycles: &[Cycle], book: &RuleBook) {
    for (told, depth) in [("verdict", Depth::Verdict), ("notes", Depth::Notes)] {
        let options = Options {
            depth,
            ..Options::default()
        };
        let mut times: Vec<Duration> = cycles
            .iter()
            .map(|cycle| {
                best(|| {
                    black_box(Arbiter::new(book).with(options).cycle(cycle.clone()));
                })
            })
            .collect();
        times.sort_unstable();
        let total: Duration = times.iter().sum();
        let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
        println!(
            "{what:18} {:6} cycles {:9} {told:8} mean {:8.1} µs   median {:7.1} µs   p95 {:8.1} µs   most {:9.1} µs",
            times.len(),
            book.id,
            total.as_secs_f64() * 1e6 / times.len() as f64,
            at(50),
            at(95),
            at(100),
        );
    }
}

/// A line of requests as a cycle, if it is one.
fn cycle(line: &str) -> Option<Cycle> {
    let request: Value = serde_json::from_str(line).ok()?;
    let start: Position = fen::parse(request["fen"].as_str()?).ok()?;
    let moves = request["moves"].as_array()?;
    let moves: Option<Vec<&str>> = moves.iter().map(Value::as_str).collect();
    let line = read_line(&start, &moves?).ok()?;
    Cycle::from_period(&start, &line).ok()
}

fn main() {
    let catalog = Catalog::builtin();
    let loaded = ["cxa-1999", "cxa-2020", "wxf"].map(|id| catalog.get(id).unwrap());
    let books: Vec<&RuleBook> = loaded.iter().map(|loaded| &loaded.book).collect();

    if let Some(folder) = std::env::var_os("QILI_RECORDS") {
        let mut forms: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
        let mut found = Vec::new();
        for source in Files::new(&[PathBuf::from(folder)]) {
            let mut file = Vec::new();
            let mut input = source.unwrap().open(&Arc::default()).unwrap();
            input.read_to_end(&mut file).unwrap();
            if asks(&file) {
                found.extend(String::from_utf8_lossy(&file).lines().filter_map(cycle));
            } else if let Ok(form) = Form::of(&file[..file.len().min(1 << 16)]) {
                forms.entry(format!("{form:?}")).or_default().push(file);
            }
        }
        for (form, files) in &forms {
            measure(&format!("real {form}"), files, &books);
        }
        if !found.is_empty() {
            for book in &books {
                cycles("real cycles", &found, book);
            }
        }
    }

    let generator = Generator::new(1, &loaded[0]);
    let made: Vec<Record> = (0..MADE)
        .flat_map(|number| {
            let text = generator.game(number).pgn(Notation::Chinese);
            games(text.as_bytes()).collect::<Vec<_>>()
        })
        .collect();
    let forms: [(&str, Write); 5] = [
        ("made XQF", Record::to_xqf),
        ("made DhtmlXQ", |game| game.to_dhtmlxq().into_bytes()),
        ("made PGN, GBK", |game| {
            let text = game.write(Notation::Chinese);
            Encoding::Gb18030.encode(&text).into_owned()
        }),
        ("made PGN, ICCS", |game| {
            game.write(Notation::Iccs).into_bytes()
        }),
        ("made NDJSON", |game| game.to_row("a", 0).into_bytes()),
    ];
    for (what, write) in forms {
        let files: Vec<Vec<u8>> = made.iter().map(write).collect();
        measure(what, &files, &books);
    }
}
