//! What certificates cost beside rulings: making and verifying them, and their size.
//!
//! `cargo bench --bench proof` takes every case that is a cycle under every Chinese book and the Asian rules; `-- FILE` the cycles of
//! a file instead, one JSON object a line with `fen` and `moves`. Each is timed several times, all four by turns, and the best
//! kept: the machine may be busy.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use qili::Arbiter;
use qili::board::{Move, Position};
use qili::cases::Corpus;
use qili::classify::{Assertions, Depth};
use qili::game::Cycle;
use qili::notation::fen;
use qili::proof::verify;
use qili::prove::certify;
use qili::rules::Catalog;
use qili::ruling::Options;
use serde::Deserialize;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

const RUNS: u32 = 5;

#[derive(Deserialize)]
struct Line {
    fen: String,
    moves: Vec<Move>,
}

type Cycles = Vec<(Position, Vec<Move>)>;

fn cycles() -> Result<Cycles, Box<dyn Error>> {
    let file = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let lines: Vec<Line> = if let Some(file) = file {
        let text = std::fs::read_to_string(file)?;
        text.lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?
    } else {
        let line = |case: &qili::cases::Case| {
            let moves: Option<Vec<Move>> = case.moves.iter().map(|mv| mv.parse().ok()).collect();
            let fen = case.fen.clone();
            Some(Line { fen, moves: moves? })
        };
        Corpus::builtin().iter().filter_map(line).collect()
    };
    let read = |line: Line| Some((fen::parse(&line.fen).ok()?, line.moves));
    Ok(lines.into_iter().filter_map(read).collect())
}

fn seconds<T>(of: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(of());
    start.elapsed().as_secs_f64()
}

fn at(sorted: &[f64], share: usize) -> f64 {
    let place = sorted.len() * share / 1000;
    sorted
        .get(place.min(sorted.len() - 1))
        .copied()
        .unwrap_or(0.0)
}

#[expect(clippy::cast_precision_loss, reason = "sizes of texts")]
fn main() -> Result<(), Box<dyn Error>> {
    let cycles = cycles()?;
    let outcome = Options {
        depth: Depth::Verdict,
        ..Options::default()
    };
    for id in ["cxa-1999", "cxa-2007", "cxa-2011", "cxa-2020", "wxf"] {
        let loaded = Catalog::builtin().get(id)?;
        let arbiter = Arbiter::new(&loaded.book);
        let (mut sums, mut makings, mut verifyings, mut sizes) =
            ([0.0; 4], Vec::new(), Vec::new(), Vec::new());
        for (start, line) in &cycles {
            let Ok(cycle) = Cycle::from_period(start, line) else {
                continue;
            };
            let ruling = arbiter.cycle(cycle.clone());
            let Some(judged) = &ruling.judged else {
                continue;
            };
            let none = Assertions::default();
            let Ok(certificate) = certify(&loaded, judged, none, None) else {
                continue;
            };
            let mut best = [f64::INFINITY; 4];
            for _ in 0..RUNS {
                let times = [
                    seconds(|| arbiter.with(outcome).cycle(cycle.clone())),
                    seconds(|| arbiter.cycle(cycle.clone())),
                    seconds(|| certify(&loaded, judged, none, None)),
                    seconds(|| verify(&loaded, &certificate)),
                ];
                for (best, time) in best.iter_mut().zip(times) {
                    *best = best.min(time);
                }
            }
            for (sum, time) in sums.iter_mut().zip(best) {
                *sum += time;
            }
            makings.push((best[1] + best[2]) / best[1]);
            verifyings.push(best[3] / best[1]);
            sizes.push(certificate.proof.len() as f64);
        }
        verifyings.sort_by(f64::total_cmp);
        makings.sort_by(f64::total_cmp);
        sizes.sort_by(f64::total_cmp);
        let [verdict, notes, make, check] = sums;
        println!(
            "{id}: {} certificates; verdict {verdict:.3} s, notes {notes:.3}, making {make:.3}, verifying {check:.3}; with notes {:.1} times \
             notes in the median; verifying {:.2} of a ruling with notes, {:.2} in the median; size {} in the median, {} of 99 %, {} at most",
            sizes.len(),
            at(&makings, 500),
            check / notes,
            at(&verifyings, 500),
            at(&sizes, 500),
            at(&sizes, 990),
            at(&sizes, 1000),
        );
    }
    Ok(())
}
