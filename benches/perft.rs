//! How fast moves are generated, made and taken back, one thread; every count is checked.
//!
//! `cargo bench --bench perft` measures three positions, once playing every leaf and once with
//! the last ply counted from the length of the list (bulk). `cargo bench --bench perft -- --table`
//! compares every depth of `tests/fixtures/perft.tsv` instead, the deep ones included.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use qili::notation::fen;
use std::error::Error;
use std::time::Instant;

const TABLE: &str = include_str!("../tests/fixtures/perft.tsv");

/// An opening, a middle game with checks about, an endgame, each with the depth measured.
const MEASURED: [(&str, u32); 3] = [("perft-01", 5), ("perft-05", 5), ("perft-07", 6)];

/// Each is timed this often, and the best time kept: the machine may be busy.
const RUNS: u32 = 3;

struct Row {
    id: &'static str,
    fen: &'static str,
    counts: Vec<u64>,
}

fn rows() -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (Some(id), Some(fen), Some(counts)) = (columns.next(), columns.next(), columns.next())
        else {
            return Err(format!("not id, FEN and counts: {line}").into());
        };
        let counts = counts
            .split(' ')
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        rows.push(Row { id, fen, counts });
    }
    Ok(rows)
}

fn leaves(row: &Row, depth: u32, bulk: bool) -> Result<(u64, f64), Box<dyn Error>> {
    let mut position = fen::parse(row.fen)?;
    let start = Instant::now();
    let found = position.perft(depth, bulk);
    let seconds = start.elapsed().as_secs_f64();
    let expected = row.counts.get(depth as usize - 1).copied();
    if expected == Some(found) {
        Ok((found, seconds))
    } else {
        Err(format!("{} depth {depth}: {found}, expected {expected:?}", row.id).into())
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate, to two digits")]
fn measure(rows: &[Row]) -> Result<(), Box<dyn Error>> {
    println!("position  depth       leaves  M/s played  M/s bulk");
    for (id, depth) in MEASURED {
        let row = rows.iter().find(|row| row.id == id).ok_or(id)?;
        let mut count = 0;
        let mut best = [f64::INFINITY; 2];
        for _ in 0..RUNS {
            for (bulk, best) in [false, true].into_iter().zip(&mut best) {
                let (leaves, seconds) = leaves(row, depth, bulk)?;
                count = leaves;
                *best = best.min(seconds);
            }
        }
        let [played, bulk] = best.map(|seconds| count as f64 / seconds / 1e6);
        println!("{id:8}  {depth:5}  {count:11}  {played:10.1}  {bulk:8.1}");
    }
    Ok(())
}

fn compare(rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let (mut compared, mut total) = (0, 0);
    for row in rows {
        for (depth, _) in (1..).zip(&row.counts) {
            let (count, _) = leaves(row, depth, true)?;
            compared += 1;
            total += count;
        }
        println!("{}: {} depths agree", row.id, row.counts.len());
    }
    println!("perft: {compared} counts, {total} leaves, none differs");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = rows()?;
    if std::env::args().any(|arg| arg == "--table") {
        compare(&rows)
    } else {
        measure(&rows)
    }
}
