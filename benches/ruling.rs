//! How long a ruling takes: every case of the library and the thousand random cycles, one thread.
//!
//! `cargo bench --bench ruling` prints median, 95th percentile and maximum per cycle, each the
//! best of five runs, with the explanations (`notes`), without (`verdict`), and where
//! nothing but the outcome is asked for (`outcome`).

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
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        let us = |nanos: u128| format!("{}.{:02}", nanos / 1000, nanos % 1000 / 10);
        println!(
            "{book:9} {name:14} {told:8} {:5} cycles  median {:>9} µs  p95 {:>9} µs  max {:>9} µs ({})",
            times.len(),
            us(at(50).0),
            us(at(95).0),
            us(at(100).0),
            at(100).1
        );
    }
}

fn main() {
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
