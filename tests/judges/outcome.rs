//! Asked for nothing but the outcome, the engine gives the outcome it always gives.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::Arbiter;
use qili::cases::Corpus;
use qili::classify::Depth;
use qili::game::Cycle;
use qili::notation::{fen, read_line};
use qili::rules::{Catalog, Outcome, RuleBook};
use qili::ruling::{Options, Ruling};
use qili::wire::Kind;

/// The books that look at conduct.
const BOOKS: [&str; 5] = ["cxa-1999", "cxa-2007", "cxa-2011", "cxa-2020", "wxf"];

fn ruling(book: &RuleBook, cycle: &Cycle, depth: Depth) -> Ruling {
    let options = Options {
        depth,
        ..Options::default()
    };
    Arbiter::new(book).with(options).cycle(cycle.clone())
}

/// Every case of the library, and some of the random cycles.
fn cycles() -> Vec<(String, Cycle)> {
    let cycle = |text: &str, moves: &[String]| {
        let start = fen::parse(text).unwrap();
        let line = read_line(&start, moves).unwrap();
        Cycle::from_period(&start, &line).unwrap()
    };
    let cases = Corpus::builtin().iter().filter(|c| c.kind == Kind::Cycle);
    let mut found: Vec<_> = cases
        .map(|c| (c.id.clone(), cycle(&c.fen, &c.moves)))
        .collect();
    let random = include_str!("../fixtures/wxf-cycles.tsv").lines();
    for line in random.filter(|line| !line.starts_with('#')).step_by(7) {
        let [id, text, moves, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            continue;
        };
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        found.push((id.to_owned(), cycle(text, &moves)));
    }
    found
}

#[test]
fn the_outcome_alone_is_the_same_outcome_for_less() {
    let (mut spent, mut spent_alone, mut skipped) = (0, 0, 0);
    let cycles = cycles();
    assert!(cycles.len() > 280, "{}", cycles.len());
    for book in BOOKS {
        let loaded = Catalog::builtin().get(book).unwrap();
        for (id, cycle) in &cycles {
            let whole = ruling(&loaded.book, cycle, Depth::Verdict);
            let alone = ruling(&loaded.book, cycle, Depth::Outcome);
            let read = |ruling: &Ruling| {
                let verdict = ruling.verdict.clone();
                let judged = ruling.judged.as_ref().unwrap();
                let standings = [judged.sides.red.standing, judged.sides.black.standing];
                (
                    verdict.outcome,
                    verdict.side,
                    verdict.situation,
                    verdict.clauses,
                    standings,
                )
            };
            if whole.verdict.outcome != Outcome::Undetermined {
                assert_eq!(read(&whole), read(&alone), "{id} under {}", loaded.book.id);
            }
            let (whole, alone) = (whole.judged.unwrap(), alone.judged.unwrap());
            for (m, alone) in whole.moves.iter().zip(&alone.moves) {
                let known = alone.finding.nature.is_some() || alone.finding.open.is_some();
                skipped += usize::from(!known);
                assert!(!known || m.finding.nature == alone.finding.nature, "{id}");
            }
            spent += whole.spent;
            spent_alone += alone.spent;
        }
    }
    assert!(skipped > 1_000, "{skipped}");
    assert!(spent_alone * 5 < spent * 4, "{spent_alone} of {spent}");
}
