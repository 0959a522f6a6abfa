//! What must hold of every ruling, whatever the position.

#![expect(clippy::unwrap_used, reason = "test code")]

use crate::essence::{Essence, mirrored, recoloured};
use qili::board::{Move, Position};
use qili::cases::Corpus;
use qili::notation::{fen, read_line};
use qili::rules::{Catalog, Outcome};
use qili::wire::{Explain, Kind, Request, answer};
use serde_json::Value;

fn every_case(mut check: impl FnMut(&str, &str, &Position, &[Move])) -> usize {
    let corpus = Corpus::builtin();
    let mut seen = 0;
    for entry in corpus.iter().filter(|case| case.kind == Kind::Cycle) {
        let start = fen::parse(&entry.fen).unwrap();
        let line = read_line(&start, &entry.moves).unwrap();
        for book in ["cxa-1999", "cxa-2020", "wxf"] {
            check(book, &entry.id, &start, &line);
            seen += 1;
        }
    }
    assert!(seen >= 3 * 142, "the library has lost cases: {seen}");
    seen
}

fn differing(transform: impl Fn(&Position, &[Move], &Essence) -> (Position, Vec<Move>, Essence)) {
    let mut wrong = Vec::new();
    every_case(|book, id, start, line| {
        let here = Essence::of(book, start, line);
        let (start, line, expected) = transform(start, line, &here);
        let there = Essence::of(book, &start, &line);
        if there != expected {
            wrong.push(format!("{id} under {book}: {expected:?}, but {there:?}"));
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mirrored_cycle_gets_the_same_ruling() {
    differing(|start, line, here| {
        let (start, line) = mirrored(start, line);
        (start, line, here.clone())
    });
}

#[test]
fn with_the_colours_exchanged_the_ruling_is_exchanged() {
    differing(|start, line, here| {
        let (start, line) = recoloured(start, line);
        (start, line, here.clone().recoloured())
    });
}

#[test]
fn it_does_not_matter_where_in_the_cycle_one_starts() {
    differing(|start, line, here| {
        let mut line = line.to_vec();
        let mut expected = here.clone();
        let start = start.after(line[0]);
        line.rotate_left(1);
        expected.natures.rotate_left(1);
        (start, line, expected)
    });
}

#[test]
fn a_cycle_told_three_times_is_ruled_as_told_once() {
    differing(|start, line, here| {
        let mut expected = here.clone();
        expected.natures = vec![here.natures.clone(); 3].concat();
        (start.clone(), line.repeat(3), expected)
    });
    // Each time round would cost what the budget allows twice.
    let dear = "3ak1r2/5c2n/R2a2N1b/6N1P/C1b2c3/6B2/p3C4/9/4A3n/4KAB2 w";
    let start = fen::parse(dear).unwrap();
    let line = read_line(&start, &["e1d0", "f5d5", "d0e1", "d5f5"]).unwrap();
    for book in ["cxa-1999", "cxa-2007", "cxa-2011", "cxa-2020"] {
        let told = Essence::of(book, &start, &line.repeat(3));
        assert_eq!(told.outcome, Outcome::Draw, "{book}");
    }
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    let mut wrong = Vec::new();
    every_case(|book, id, start, line| {
        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
        let mut request = Request::cycle(&fen::write(start), moves);
        request.rules = Some(book.to_owned());
        let told =
            || serde_json::to_string(&answer(&request, Catalog::builtin()).unwrap()).unwrap();
        if told() != told() {
            wrong.push(format!("{id} under {book}"));
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The last words said of each move, which have how heavy it weighs, and what its targets' roots are called.
fn words(book: &str, start: &Position, line: &[Move]) -> Vec<(String, Vec<String>)> {
    let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
    let mut request = Request::cycle(&fen::write(start), moves);
    request.rules = Some(book.to_owned());
    request.explain = Explain::Notes;
    let told = serde_json::to_value(answer(&request, Catalog::builtin()).unwrap()).unwrap();
    let moves = told.pointer("/moves").unwrap().as_array().unwrap();
    let told = moves.iter().map(|mv| {
        let reason = mv.pointer("/reason/en").unwrap().as_str().unwrap();
        let targets = mv.pointer("/targets").unwrap().as_array().unwrap();
        let root = |target: &Value| target.get("root").unwrap().to_string();
        let mut roots: Vec<String> = targets.iter().map(root).collect();
        roots.sort();
        (reason.rsplit(": ").next().unwrap().to_owned(), roots)
    });
    told.collect()
}

#[test]
fn a_mirrored_cycle_is_told_in_the_same_words() {
    let mut wrong = Vec::new();
    every_case(|book, id, start, line| {
        let here = words(book, start, line);
        let (start, line) = mirrored(start, line);
        let there = words(book, &start, &line);
        if here != there {
            wrong.push(format!("{id} under {book}: {here:?}, but {there:?}"));
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_published_case_is_undetermined_and_no_threefold_reads_conduct() {
    every_case(|book, id, start, line| {
        let here = Essence::of(book, start, line);
        assert_ne!(here.outcome, Outcome::Undetermined, "{id} under {book}");
        let baseline = Essence::of("threefold", start, line);
        assert_eq!(
            (baseline.outcome, baseline.side),
            (Outcome::Draw, None),
            "{id}"
        );
    });
}
