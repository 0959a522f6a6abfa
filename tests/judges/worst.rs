//! What the hardest cycles known cost, in positions: a change that makes them dearer is seen here,
//! whatever machine it runs on.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::Arbiter;
use qili::classify::Depth;
use qili::rules::Catalog;
use qili::ruling::Options;
use qili::wire::{Prepared, Request};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// The books that look at conduct.
const BOOKS: [&str; 5] = ["cxa-1999", "cxa-2007", "cxa-2011", "cxa-2020", "wxf"];

/// Positions by book and by how far a ruling goes.
type Costs = BTreeMap<(String, String), u64>;

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "benches/worst", name]
        .iter()
        .collect()
}

/// What the cycles cost together now, and a table of what each of them costs.
fn measured() -> (Costs, String) {
    let cycles = std::fs::read_to_string(file("cycles.ndjson")).unwrap();
    let mut table = String::from("# book, how far, cycle, positions\n");
    let mut costs = Costs::new();
    for id in BOOKS {
        let loaded = Catalog::builtin().get(id).unwrap();
        for (told, depth) in [("outcome", Depth::Outcome), ("notes", Depth::Notes)] {
            for line in cycles.lines() {
                let request = Request::parse(line).unwrap();
                let Prepared::Cycle(cycle) = request.prepare().unwrap() else {
                    unreachable!("{line}");
                };
                let options = Options {
                    depth,
                    ..Options::default()
                };
                let ruling = Arbiter::new(&loaded.book).with(options).cycle(cycle);
                let (book, id) = (&loaded.book.id, request.id.unwrap());
                let spent = ruling.judged.unwrap().spent;
                writeln!(table, "{book}\t{told}\t{}\t{spent}", id.as_str().unwrap()).unwrap();
                *costs.entry((book.clone(), told.to_owned())).or_default() += spent;
            }
        }
    }
    (costs, table)
}

#[test]
fn the_hardest_cycles_have_not_become_dearer() {
    let (now, table) = measured();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file("positions.tsv"), table).unwrap();
        return;
    }
    let text = std::fs::read_to_string(file("positions.tsv")).unwrap();
    let mut known = Costs::new();
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let mut columns = row.split('\t').map(str::to_owned);
        let key = (columns.next().unwrap(), columns.next().unwrap());
        let spent: u64 = columns.nth(1).unwrap().parse().unwrap();
        *known.entry(key).or_default() += spent;
    }
    assert!(
        known.keys().eq(now.keys()),
        "a book or a cycle is missing: BLESS=1 measures anew"
    );
    for (key, &before) in &known {
        let spent = now[key];
        assert!(
            spent * 10 <= before * 11,
            "{key:?}: {spent} positions, {before} so far; BLESS=1 takes what it costs now"
        );
    }
}
