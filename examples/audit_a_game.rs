//! Everything that was due in a game, and its natural limit, of a record in any form that is read:
//! `cargo run --no-default-features --example audit_a_game -- FILE`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use qili::Arbiter;
use qili::game::Game;
use qili::record::Reader;
use qili::rules::Catalog;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

/// A rook chases a cannon, which runs to and fro, three times.
const SAMPLE: &str = "[FEN \"3k5/9/9/9/9/9/2r6/9/2C6/4K4 w\"]\n\n\
    1. c1b1 c3b3 2. b1c1 b3c3 3. c1b1 c3b3 4. b1c1 b3c3 5. c1b1 c3b3 6. b1c1 b3c3 *\n";

fn audit(reader: Reader<impl std::io::BufRead>) -> Result<(), Box<dyn Error>> {
    let loaded = Catalog::builtin().get("cxa-2020")?;
    let arbiter = Arbiter::new(&loaded.book);
    for (number, record) in (1..).zip(reader) {
        // A game that breaks off is judged as far as it goes.
        let record = record?;
        let game = Game::with_moves(record.start.clone(), record.moves.iter().copied())?;
        println!("{number}: {} plies", game.len());
        for (due, ruling) in arbiter.every(&game, &[]) {
            let (verdict, ply) = (&ruling.verdict, due.after_ply);
            let side = verdict.side.map_or("", |side| side.en());
            println!("  after ply {ply}: {} {side}", verdict.outcome.en());
        }
        if let Some(limit) = arbiter.limit(&game, None) {
            println!(
                "  without a capture: {} of {}",
                limit.count, limit.rule.count
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args_os().nth(1) {
        Some(path) => audit(Reader::new(BufReader::new(File::open(path)?))),
        None => audit(Reader::new(SAMPLE.as_bytes())),
    }
}
