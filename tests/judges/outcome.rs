//! Asked for nothing but the outcome, the engine gives the outcome it always gives.

#![expect(clippy::unwrap_used, reason = "test code")]

use crate::essence::written;
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
                    verdict.clauses.clone(),
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
    assert!(spent_alone * 6 < spent * 5, "{spent_alone} of {spent}");
}

/// Books with a parameter at another value, and cycles in which it decides.
const TRIALS: [&str; 6] = [
    "cxa-1999+kill_is_attack=false",
    "cxa-2020+kill_is_attack=false",
    "cxa-1999+chase_test=none",
    "cxa-2020+chase_test=root_and_value",
    "wxf+kill_is_attack=true",
    "wxf+pawn_upgrade=true+perpetual_chase_same_victim=false",
];
const TRIED: [(&str, &str); 9] = [
    // A pawn's own attack beside a threat of mate.
    (
        "5k3/3r2Cr1/2P1R4/9/9/9/3N5/9/R8/3K5 w - - 0 1",
        "c7d7 d8c8 d7c7 c8d8",
    ),
    (
        "5k3/9/5P3/5r3/4P4/5c3/4C4/9/9/2RK5 w - - 0 1",
        "e5f5 f6e6 f5e5 e6f6",
    ),
    (
        "4k4/9/3N5/7n1/9/2r6/9/3n4R/7R1/3K5 b - - 0 1",
        "e9d9 d7c9 d9e9 c9d7",
    ),
    (
        "3k3r1/9/9/9/N1r2n3/9/4R4/8p/2n1K4/2R6 b - - 0 1",
        "h9h4 c0f0 h4h9 f0c0",
    ),
    (
        "5aR2/3ka4/3cc4/3R5/4p4/2P3p2/2r6/4B4/4A2n1/2B1KA3 w - - 0 1",
        "d6e6 d7b7 e6d6 b7d7",
    ),
    (
        "9/1r1k5/9/9/2C6/9/9/r8/3R5/5Kn2 b - - 0 1",
        "a2d2 c5d5 d2a2 d5c5",
    ),
    (
        "2r2k3/9/9/5r3/1n7/6P2/9/9/p4R3/3K5 w - - 0 1",
        "f1b1 f6g6 b1f1 g6f6",
    ),
    (
        "1R3a3/3ka4/bRr4r1/p3p1P1P/4c4/6B2/9/3A5/9/4KA3 w - - 0 1",
        "b7b8 d8d7 b8b7 d7d8",
    ),
    (
        "2bak2r1/3naP3/4b4/2r1C4/4P4/2B6/4R2R1/B8/1p7/c3K4 b - - 0 1",
        "h9i9 h3i3 i9g9 i3g3 g9h9 g3h3",
    ),
];

#[test]
fn without_words_every_move_has_the_nature_it_has_with_them() {
    for book in BOOKS {
        let loaded = Catalog::builtin().get(book).unwrap();
        for (name, cycle) in cycles() {
            let [words, natures] = [Depth::Notes, Depth::Natures].map(|depth| {
                let judged = ruling(&loaded.book, &cycle, depth).judged.unwrap();
                let natures = judged.moves.iter().map(|m| m.finding.nature);
                (natures.collect::<Vec<_>>(), judged.sides, judged.verdict)
            });
            assert_eq!(natures, words, "{name} under {book}");
        }
    }
}

#[test]
fn how_much_is_told_changes_no_outcome_whatever_is_tried() {
    let mut cycles = cycles();
    cycles.extend(TRIED.iter().map(|(text, moves)| {
        let (start, line) = written(text, moves);
        (
            (*text).to_owned(),
            Cycle::from_period(&start, &line).unwrap(),
        )
    }));
    let mut outcomes = std::collections::BTreeSet::new();
    for id in TRIALS {
        let loaded = Catalog::builtin().get(id).unwrap();
        for (name, cycle) in &cycles {
            let told = [Depth::Notes, Depth::Verdict, Depth::Outcome].map(|depth| {
                let verdict = ruling(&loaded.book, cycle, depth).verdict;
                (verdict.outcome, verdict.side)
            });
            assert!(
                told.iter().all(|one| *one == told[0]),
                "{name} under {id}: {told:?}"
            );
            outcomes.insert(format!("{id} {:?}", told[0]));
        }
    }
    assert!(outcomes.len() >= 3 * TRIALS.len(), "{outcomes:?}");
}
