//! How fast the attack-and-guard graph of a position is filled and read, one thread.
//!
//! `cargo bench --bench graph` plays seeded random games and takes every position met. Every way
//! of counting the attacks must come to the same number.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use qili::board::{Position, Side};
use qili::exchange::{ContactGraph, ContactKind};
use std::error::Error;
use std::time::Instant;

const GAMES: u64 = 60;
const PLIES: usize = 80;
/// Each is timed this often, and the best time kept: the machine may be busy.
const RUNS: u32 = 5;

fn positions() -> Vec<Position> {
    let mut found = Vec::new();
    for seed in 1..=GAMES {
        let mut state = seed;
        let mut position = Position::start();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let picked = usize::try_from(state >> 33).unwrap_or(0) % moves.len().max(1);
            let Some(&mv) = moves.get(picked) else { break };
            position.make(mv);
            found.push(position.clone());
        }
    }
    found
}

/// Nanoseconds a position, and the sum of what `each` says.
#[expect(clippy::cast_precision_loss, reason = "a time, to three digits")]
fn timed(positions: &[Position], mut each: impl FnMut(&Position) -> usize) -> (f64, usize) {
    let mut best = f64::INFINITY;
    let mut sum = 0;
    for _ in 0..RUNS {
        let start = Instant::now();
        sum = positions.iter().map(&mut each).sum();
        let nanos = start.elapsed().as_secs_f64() * 1e9;
        best = best.min(nanos / positions.len() as f64);
    }
    (best, sum)
}

fn attackers_of_all(position: &Position) -> usize {
    let attackers = position.pieces().map(|id| {
        let by = id.side().opponent();
        position.bearing_on(position.square_of(id), by).len() as usize
    });
    attackers.sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let positions = positions();
    let mut reused = ContactGraph::of(&Position::start());
    let (refill, contacts) = timed(&positions, |position| {
        reused.refill(position);
        reused.len()
    });
    let (fresh, same) = timed(&positions, |position| ContactGraph::of(position).len());
    if contacts != same {
        return Err(format!("{contacts} contacts refilled, {same} fresh").into());
    }
    let (read, by_graph) = timed(&positions, |position| {
        reused.refill(position);
        let attackers = position.pieces().map(|id| {
            let square = position.square_of(id);
            reused.attackers(square).len() as usize
        });
        attackers.sum()
    });
    let (direct, by_rays) = timed(&positions, attackers_of_all);
    let (listed, by_list) = timed(&positions, |position| {
        reused.refill(position);
        let contacts = reused.contacts();
        let attacks = contacts.iter().filter(|c| c.kind == ContactKind::Attack);
        attacks.count()
    });
    if by_graph != by_rays || by_graph != by_list {
        return Err(format!("attacks: {by_graph}, {by_rays} and {by_list}").into());
    }
    let pieces: u32 = positions
        .iter()
        .flat_map(|position| Side::ALL.map(|side| position.pieces_of(side).len()))
        .sum();
    println!(
        "{} positions, {pieces} pieces, {contacts} contacts",
        positions.len()
    );
    println!("refill                          {refill:8.0} ns a position");
    println!("built fresh                     {fresh:8.0}");
    println!("refill and ask all attackers    {read:8.0}");
    println!("  the same by Position's rays   {direct:8.0}");
    println!("refill and list all contacts    {listed:8.0}");
    Ok(())
}
