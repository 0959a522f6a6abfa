//! Rules on one cycle and tells why:
//! `cargo run --no-default-features --example rule_on_a_cycle`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use qili::Arbiter;
use qili::explain;
use qili::game::Cycle;
use qili::notation::{Notation, fen, read_line, write_move};
use qili::rules::Catalog;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let start = fen::parse("2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")?;
    // Any notation, mixed if need be.
    let period = read_line(&start, &["车四平五", "e8f8", "R5=4", "f8e8"])?;
    let cycle = Cycle::from_period(&start, &period)?;
    let loaded = Catalog::builtin().get("cxa-1999")?;
    let ruling = Arbiter::new(&loaded.book).cycle(cycle);

    let judged = ruling.judged.iter().flat_map(|judged| &judged.moves);
    for judged in judged.take(period.len()) {
        let told = write_move(&judged.scene.before, judged.scene.mv, Notation::Chinese);
        let nature = judged.finding.nature.map_or("未定", |nature| nature.zh());
        println!("{told} {nature}");
        println!("  {}", explain::Told::new(judged, &loaded.book).reason.zh);
    }
    let verdict = &ruling.verdict;
    let side = verdict.side.map_or("", |side| side.zh());
    println!(
        "{side}{} {}",
        verdict.outcome.zh(),
        verdict.clauses.join(" ")
    );
    Ok(())
}
