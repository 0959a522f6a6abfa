//! How long a ruling takes: every case of the library and the thousand random cycles, one thread.
//!
//! `cargo bench --bench ruling` prints what the median costs, what the dearest of 100 and of 1,000, and the
//! dearest of all, each the best of five runs, with the explanations (`notes`), without (`verdict`), and where
//! nothing but the outcome is asked for (`outcome`). `-- FILE` takes the cycles of a file instead, one JSON object a
//! line with `fen` and `moves`.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench prints what it measures"
)]

use qili::Arbiter;
use qili::board::Position;
use qili::cases::Corpus;
use qili::classify::Depth;
use qili::game::Cycle;
use qili::notation::{fen, read_line};
use qili::rules::{Catalog, Outcome};
use qili::ruling::Options;
use std::hint::black_box;
use std::time::Instant;

struct Item {
    id: String,
    start: Position,
    cycle: Cycle,
}

/// A cycle; `None` for a case that is a game.
fn item(id: &str, text: &str, moves: &[String]) -> Option<Item> {
    let start = fen::parse(text).unwrap();
    let line = read_line(&start, moves).unwrap();
    let cycle = Cycle::from_period(&start, &line).ok()?;
    Some(Item {
        id: id.to_owned(),
        start,
        cycle,
    })
}

fn measure(name: &str, book: &str, items: &[Item]) {
    let loaded = Catalog::builtin().get(book).unwrap();
    for (told, depth) in [
        ("outcome", Depth::Outcome),
        ("verdict", Depth::Verdict),
        ("notes", Depth::Notes),
    ] {
        let options = Options {
            depth,
            ..Options::default()
        };
        let mut times: Vec<(u128, &str)> = Vec::new();
        for item in items {
            let once = || {
                let cycle = item.cycle.clone();
                let began = Instant::now();
                let ruling = black_box(Arbiter::new(&loaded.book).with(options).cycle(cycle));
                let took = began.elapsed().as_nanos();
                assert_ne!(ruling.verdict.outcome, Outcome::None, "{}", item.id);
                took
            };
            times.push(((0..5).map(|_| once()).min().unwrap(), &item.id));
        }
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 1000];
        let us = |nanos: u128| format!("{}.{:02}", nanos / 1000, nanos % 1000 / 10);
        println!(
            "{book:9} {name:14} {told:8} {:5} cycles  median {:>8} µs  95 % {:>9}  99 % {:>9}  99.9 % {:>9}  most {:>10} ({})",
            times.len(),
            us(at(500).0),
            us(at(950).0),
            us(at(990).0),
            us(at(999).0),
            us(at(1000).0),
            at(1000).1
        );
    }
}

/// The cycles of a file.
fn of_file(path: &str) -> Vec<Item> {
    let text = std::fs::read_to_string(path).unwrap();
    let read = |(at, line): (usize, &str)| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves: Vec<String> = serde_json::from_value(line["moves"].clone()).unwrap();
        let id = line["id"]
            .as_str()
            .map_or_else(|| (at + 1).to_string(), str::to_owned);
        item(&id, line["fen"].as_str().unwrap(), &moves)
    };
    text.lines().enumerate().filter_map(read).collect()
}

fn main() {
    if let Some(path) = std::env::args().skip(1).find(|arg| !arg.starts_with('-')) {
        let items = of_file(&path);
        for book in ["wxf", "cxa-1999", "cxa-2020"] {
            measure("of a file", book, &items);
        }
        return;
    }
    let of_book = |book: &str| -> Vec<Item> {
        let cases = Corpus::builtin()
            .iter()
            .filter(|case| case.source.book == book);
        cases
            .filter_map(|case| item(&case.id, &case.fen, &case.moves))
            .collect()
    };
    measure("its figures", "cxa-1999", &of_book("cxa-1999"));
    measure("its figures", "cxa-2020", &of_book("cxa-2020"));
    measure("its diagrams", "wxf", &of_book("wxf"));
    let random: Vec<Item> = include_str!("../tests/fixtures/wxf-cycles.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let moves: Vec<String> = columns[2].split(' ').map(str::to_owned).collect();
            item(columns[0], columns[1], &moves)
        })
        .collect();
    for book in ["wxf", "cxa-1999", "cxa-2020"] {
        measure("random cycles", book, &random);
    }
    black_box(&random[0].start);
}
