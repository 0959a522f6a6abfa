//! What does not fit into a budget is open, and nothing else is said than with enough of it.
//!
//! `QILI_CYCLES` says how many random and altered cycles are looked at, `QILI_REAL_CYCLES` names a file of more (see
//! `differential`).

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "test code")]

use crate::differential::{cycles, number};
use crate::essence::written;
use qili::Arbiter;
use qili::board::{Move, Position};
use qili::cases::Corpus;
use qili::notation::{fen, read_line};
use qili::rules::{Catalog, Outcome, RuleBook};
use qili::ruling::{Judged, Ruling};
use qili::wire::Kind;

/// The books with searches that can break off.
const BOOKS: [&str; 5] = ["cxa-1999", "cxa-2007", "cxa-2011", "cxa-2020", "wxf"];

/// What a ruling may expand.
const BUDGETS: [u32; 4] = [2, 10, 40, 200];

/// Cycles in which a pawn's own attacks count where both sides attack on every move (27.2 of 1999), so that what one move
/// is hangs on what others are; one in which what is offered may not be taken, and one in which the strength of chases
/// counts if there is nothing but chases (细则9 of 2007).
const HARD: [(&str, &str); 4] = [
    (
        "4k4/9/4c4/6PCn/9/9/8P/4B4/4A2N1/3AKRr1c w - - 0 1",
        "h1f2 g0h0 f2h1 h0g0",
    ),
    (
        "1Cbak4/1r2a4/c3b4/p7C/2p1R4/6P1P/2P6/4B4/1r2A4/2BAK4 w - - 0 1",
        "b9a9 b8a8 a9b9 a8b8",
    ),
    (
        "3akab2/9/1cn1b1r2/p3pR1P1/9/9/P3P4/4C4/9/3AKABN1 w - - 0 1",
        "h6g6 g7h7 g6h6 h7g7",
    ),
    (
        "2bak2r1/4a4/4b4/2p6/9/3R5/2P6/4p2p1/3CC2N1/5K3 w - - 0 1",
        "d4e4 e2d2 e4d4 d2e2",
    ),
];

#[derive(Debug, Default)]
struct Seen {
    undetermined: u32,
    open: u32,
    known_sides: u32,
    wrong: Vec<String>,
}

impl Seen {
    /// Holds what is said within a budget against what is said with enough.
    fn compare(&mut self, context: &str, within: &Ruling, full: &Ruling) {
        let verdict = |ruling: &Ruling| (ruling.verdict.outcome, ruling.verdict.side);
        let (part, whole): (&Judged, &Judged) = (
            within.judged.as_ref().unwrap(),
            full.judged.as_ref().unwrap(),
        );
        let mut wrong = |what: String| self.wrong.push(format!("{context}: {what}"));
        if within.verdict.outcome == Outcome::Undetermined {
            self.undetermined += 1;
            if within.verdict.open.is_empty() {
                wrong("undetermined, and nothing is open".to_owned());
            }
        } else if verdict(within) != verdict(full) {
            wrong(format!("{:?} for {:?}", verdict(within), verdict(full)));
        }
        for (ply, (part, whole)) in part.moves.iter().zip(&whole.moves).enumerate() {
            let (found, nature) = (&part.finding, whole.finding.nature);
            let may_be = match &found.open {
                Some(open) => {
                    self.open += 1;
                    open.candidates.clone()
                }
                None => found.nature.into_iter().collect(),
            };
            if nature.is_some_and(|nature| !may_be.contains(&nature)) {
                wrong(format!("ply {ply} is {nature:?}, none of {may_be:?}"));
            }
        }
        for (part, whole) in [
            (&part.sides.red, &whole.sides.red),
            (&part.sides.black, &whole.sides.black),
        ] {
            self.known_sides += u32::from(part.standing.is_some());
            if part.standing.is_some() && part.standing != whole.standing {
                wrong(format!("{part:?} for {whole:?}"));
            }
        }
    }
}

#[test]
fn with_less_to_expand_more_is_open_and_nothing_else_is_said() {
    let case = |case: &qili::cases::Case| {
        let start = fen::parse(&case.fen).unwrap();
        let line = read_line(&start, &case.moves).unwrap();
        (start, line)
    };
    let hard = HARD.map(|(position, moves)| written(position, moves));
    let figures = Corpus::builtin().iter().filter(|c| c.kind == Kind::Cycle);
    let mut looked_at: Vec<(Position, Vec<Move>)> = figures.map(case).chain(hard).collect();
    let most = number("QILI_CYCLES").max(60);
    for (_, cycles) in cycles() {
        looked_at.extend(cycles.iter().take(most).cloned());
    }
    let mut seen = Seen::default();
    for id in BOOKS {
        let book: &RuleBook = &Catalog::builtin().get(id).unwrap().book;
        for (start, line) in &looked_at {
            let Ok(cycle) = qili::game::Cycle::from_period(start, line) else {
                continue;
            };
            let full = Arbiter::new(book).cycle(cycle.clone());
            for budget in BUDGETS {
                let mut small = book.clone();
                small.definitions.kill_budget = budget;
                let mut smaller = small.clone();
                smaller.definitions.chase_budget = budget;
                let rulings = [
                    (
                        "in all",
                        Arbiter::new(book).within(budget).cycle(cycle.clone()),
                    ),
                    ("for mates", Arbiter::new(&small).cycle(cycle.clone())),
                    ("a search", Arbiter::new(&smaller).cycle(cycle.clone())),
                ];
                for (what, ruling) in rulings {
                    let context = format!("{id}, {start:?} {line:?}, {budget} {what}");
                    seen.compare(&context, &ruling, &full);
                }
            }
        }
    }
    println!(
        "{} undetermined, {} open moves, {} known sides, {} wrong",
        seen.undetermined,
        seen.open,
        seen.known_sides,
        seen.wrong.len()
    );
    let first = &seen.wrong[..seen.wrong.len().min(20)];
    assert!(first.is_empty(), "{}", first.join("\n"));
    assert!(
        seen.undetermined > 500 && seen.open > 5_000 && seen.known_sides > 5_000,
        "{seen:?}"
    );
}
