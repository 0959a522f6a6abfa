//! The engine against a second judge: the texts read again and written down as plainly as possible, on
//! another board, without shared search code (`plain`, whose `README.md` says how it reads them). Both
//! judge random cycles and altered figures under every book. Where they differ, `plain/differences.tsv`
//! names the cycle and the reason; a difference it does not name fails, and so does one that is gone.
//!
//! `QILI_REAL_CYCLES=FILE cargo test --release --test judges differential` takes the cycles of a file as well, one JSON
//! object a line with `fen` and `moves`: of these no verdict may differ that is not listed, and each that does is printed.
//! `QILI_CYCLES=100000 cargo test --release --test judges differential -- --nocapture` looks at more, with
//! `QILI_SEED` at others: what is not listed is then printed, and must stay rare.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "test code"
)]

use crate::essence::{Essence, mirrored, recoloured, written};
use crate::plain;

use qili::Arbiter;
use qili::board::{Move, Piece, Position, Role, Setup, Side, Square};
use qili::cases::{Case, Corpus};
use qili::classify::Nature;
use qili::game::Cycle;
use qili::notation::fen;
use qili::rules::Catalog;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A small generator of our own: the same numbers in every build.
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below the end.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap_or(0)
    }

    fn square(&mut self) -> Square {
        let index = u8::try_from(self.below(90)).unwrap();
        Square::from_index(index).unwrap()
    }
}

/// A legal position with a handful of pieces on each side.
fn position(random: &mut Random) -> Option<Position> {
    let mut setup = Setup::empty(if random.below(2) == 0 {
        Side::Red
    } else {
        Side::Black
    });
    let pool = [
        Role::Rook,
        Role::Rook,
        Role::Horse,
        Role::Horse,
        Role::Cannon,
        Role::Cannon,
        Role::Advisor,
        Role::Elephant,
        Role::Pawn,
        Role::Pawn,
    ];
    for side in Side::ALL {
        let mut roles = vec![Role::King];
        for _ in 0..2 + random.below(5) {
            roles.push(pool[random.below(pool.len())]);
        }
        for role in roles {
            let square = random.square();
            if setup.piece_at(square).is_none() {
                setup.put(square, Some(Piece::new(side, role)));
            }
        }
    }
    setup.possible()
}

/// A cycle of four plies: a move by each side and both back again.
fn cycle(random: &mut Random) -> (Position, Vec<Move>) {
    loop {
        let Some(start) = position(random) else {
            continue;
        };
        let quiet = |position: &Position| -> Vec<Move> {
            let moves = position.legal_moves();
            let keeps = |mv: &&Move| {
                position.is_empty(mv.to)
                    && position
                        .piece_at(mv.from)
                        .is_some_and(|p| p.role != Role::Pawn)
            };
            moves.iter().filter(keeps).copied().collect()
        };
        for _ in 0..20 {
            let first = quiet(&start);
            if first.is_empty() {
                break;
            }
            let out = first[random.below(first.len())];
            let after = start.after(out);
            let second = quiet(&after);
            if second.is_empty() {
                continue;
            }
            let reply = second[random.below(second.len())];
            let line = vec![out, reply, out.reversed(), reply.reversed()];
            if Cycle::from_period(&start, &line).is_ok() {
                return (start, line);
            }
        }
    }
}

/// A case with a piece or two put in, taken away, moved by a square or made another: what a published
/// figure is like when one condition of it is altered.
fn variant(random: &mut Random, (start, line): &(Position, Vec<Move>)) -> (Position, Vec<Move>) {
    loop {
        let mut setup = start.setup();
        for _ in 0..=random.below(3) {
            let at = random.square();
            let side = Side::ALL[random.below(2)];
            let role = Role::ALL[random.below(Role::ALL.len())];
            match setup.piece_at(at) {
                None if role != Role::King => setup.put(at, Some(Piece::new(side, role))),
                Some(piece) if piece.role != Role::King => match random.below(3) {
                    0 => setup.put(at, None),
                    1 if role != Role::King => setup.put(at, Some(Piece::new(piece.side, role))),
                    _ => {
                        let to = random.square();
                        let near = at.file().abs_diff(to.file()) + at.rank().abs_diff(to.rank());
                        if setup.piece_at(to).is_none() && near <= 2 {
                            setup.put(at, None);
                            setup.put(to, Some(piece));
                        }
                    }
                },
                _ => {}
            }
        }
        if let Some(position) = setup.possible()
            && position != *start
            && Cycle::from_period(&position, line).is_ok()
        {
            return (position, line.clone());
        }
    }
}

/// The published cases that are cycles, by their ids.
fn figures() -> Vec<(&'static str, (Position, Vec<Move>))> {
    let cycle = |case: &'static Case| {
        let start = fen::parse(&case.fen).ok()?;
        let line: Option<Vec<Move>> = case.moves.iter().map(|mv| mv.parse().ok()).collect();
        let line = line?;
        let published = case.source.official || !case.id.starts_with("own-");
        let cycle = Cycle::from_period(&start, &line).ok();
        (published && cycle.is_some()).then_some((case.id.as_str(), (start, line)))
    };
    let cases: &'static Corpus = Corpus::builtin();
    cases.iter().filter_map(cycle).collect()
}

/// Altered figures, so many of each. Each figure has its own numbers: another figure changes no others.
fn altered(seed: u64, each: usize) -> Vec<(Position, Vec<Move>)> {
    let mut found = Vec::new();
    for (id, figure) in figures() {
        let own = id.bytes().fold(seed, |n, b| {
            n.wrapping_mul(1_099_511_628_211) ^ u64::from(b)
        });
        let mut random = Random(own);
        for _ in 0..each {
            found.push(variant(&mut random, &figure));
        }
    }
    found
}

/// Cycles from random positions.
fn random(seed: u64, count: usize) -> Vec<(Position, Vec<Move>)> {
    let mut random = Random(seed);
    (0..count).map(|_| cycle(&mut random)).collect()
}

/// What a variable asks for, or 0.
pub fn number(variable: &str) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

/// What both judges make of a cycle.
pub struct Both {
    /// `book|fen|moves`.
    pub cycle: String,
    /// Outcome and side.
    pub plain: String,
    pub engine: String,
    /// What one of them left open is not compared.
    pub open: bool,
    pub same_natures: bool,
    pub told: String,
}

pub fn both(book: &str, start: &Position, line: &[Move]) -> Both {
    let rules = plain::Book::by_id(book).unwrap();
    let fen = fen::write(start);
    let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
    let given: Vec<&str> = moves.iter().map(String::as_str).collect();
    let theirs = plain::judge(&rules, &fen, &given, false).unwrap();
    let loaded = Catalog::builtin().get(book).unwrap();
    let cycle = Cycle::from_period(start, line).unwrap();
    let ours = Arbiter::new(&loaded.book).cycle(cycle);
    let found: Vec<Option<Nature>> = ours
        .judged
        .iter()
        .flat_map(|j| &j.moves)
        .map(|m| m.finding.nature)
        .collect();
    let attack = |name: &'static str| match name {
        "check" | "kill" | "chase" => name,
        _ => "idle",
    };
    let engine_natures: Vec<_> = found
        .iter()
        .map(|n| n.map_or("open", |n| attack(n.id())))
        .collect();
    let plain_natures: Vec<_> = theirs
        .natures
        .iter()
        .map(|n| n.map_or("open", |n| attack(n.name())))
        .collect();
    let verdict = |outcome: String, side: Option<&str>| match side {
        Some(side) => format!("{outcome} {side}"),
        None => outcome,
    };
    let outcome = serde_json::to_value(ours.verdict.outcome).unwrap();
    let engine = verdict(
        outcome.as_str().unwrap().to_owned(),
        ours.verdict.side.map(Side::id),
    );
    let plain = verdict(theirs.outcome, theirs.side.map(plain::Side::id));
    Both {
        cycle: format!("{book}|{}|{}", placed(&fen), moves.join(" ")),
        told: format!(
            "{plain_natures:?} {plain}, the engine {engine_natures:?} {engine}; {:?}, {} positions",
            theirs.notes, theirs.work
        ),
        plain,
        engine,
        open: found.contains(&None) || theirs.natures.contains(&None),
        // Only verdicts count where a kill is no offence, or nothing is.
        same_natures: matches!(book, "wxf" | "threefold") || engine_natures == plain_natures,
    }
}

/// The pieces and the side to move of a FEN: what a cycle is listed by, however much else is written.
fn placed(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Book, position and moves of `book|fen|moves`.
fn parts(cycle: &str) -> [&str; 3] {
    cycle.split('|').collect::<Vec<_>>().try_into().unwrap()
}

/// The differences known: what the judges make of a cycle, and why, by cycle.
fn known() -> BTreeMap<String, [String; 3]> {
    let text = include_str!("plain/differences.tsv");
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [reason, plain, engine, cycle]: [&str; 4] = columns.try_into().unwrap();
            let told = [plain, engine, reason].map(str::to_owned);
            (cycle.to_owned(), told)
        })
        .collect()
}

/// The plain judge, too, judges the figures of each book as they were published: every label, every verdict.
#[test]
fn the_plain_judge_judges_the_figures_as_published() {
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for case in Corpus::builtin().iter().filter(|c| c.source.official) {
        let book = plain::Book::by_id(&case.source.book);
        let (Some(book), Some(expected)) = (book, case.expect.get(&case.source.book)) else {
            continue;
        };
        let moves: Vec<&str> = case.moves.iter().map(AsRef::as_ref).collect();
        let found = plain::judge(&book, &case.fen, &moves, false).unwrap();
        let side = found.side.map(plain::Side::id);
        let outcome = serde_json::to_value(expected.outcome).unwrap();
        judged += 1;
        if outcome != found.outcome.as_str() || side != expected.side.map(Side::id) {
            wrong.push(format!("{}: {} {side:?}", case.id, found.outcome));
        }
    }
    assert!(judged >= 140, "{judged}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every difference listed is there still, and its reason is told in the readings.
#[test]
fn every_difference_listed_is_there_and_has_its_reason() {
    let readings = include_str!("plain/README.md");
    let mut wrong = Vec::new();
    for (cycle, [plain, engine, reason]) in known() {
        let [book, position, moves] = parts(&cycle);
        if !readings.contains(&format!("**{reason}**")) {
            wrong.push(format!("no reason `{reason}` in the readings: {cycle}"));
        }
        let (start, line) = written(position, moves);
        let both = both(book, &start, &line);
        if both.plain == both.engine || both.plain != plain || both.engine != engine {
            wrong.push(format!("{cycle}: {}", both.told));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A line of a file of cycles: more may stand in it.
#[derive(serde::Deserialize)]
struct Played {
    fen: String,
    moves: Vec<String>,
}

/// The cycles in the file `QILI_REAL_CYCLES` names, one JSON object a line with `fen` and `moves`; none if it names none.
fn played() -> Vec<(Position, Vec<Move>)> {
    let Ok(path) = std::env::var("QILI_REAL_CYCLES") else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(&path).unwrap();
    let cycle = |line: &str| {
        let played: Played = serde_json::from_str(line).unwrap();
        let moves = played.moves.iter().map(|mv| mv.parse().unwrap()).collect();
        (fen::parse(&played.fen).unwrap(), moves)
    };
    text.lines().map(cycle).collect()
}

/// What published figures are like when a condition of them is altered.
const ALTERED: &str = "altered figures";
/// The cycles of a file.
pub const PLAYED: &str = "cycles from games";

/// Where cycles come from, and they.
pub type Sample = (&'static str, Vec<(Position, Vec<Move>)>);

/// The same cycles under every book: random ones and altered figures, and those a file gives.
pub fn cycles() -> &'static [Sample] {
    static CYCLES: OnceLock<Vec<Sample>> = OnceLock::new();
    CYCLES.get_or_init(|| {
        let (more, seed) = (number("QILI_CYCLES"), 0x7e4 ^ number("QILI_SEED") as u64);
        vec![
            ("random cycles", random(seed, more.max(2_000))),
            (ALTERED, altered(seed, (more / 130).max(2))),
            (PLAYED, played()),
        ]
    })
}

/// How many of a thousand verdicts may differ, beyond those listed: none on cycles that were played. The judges were written apart, from the texts
/// alone; where these leave a choice they may choose otherwise (`plain/README.md`).
fn allowed(book: &str, source: &str) -> usize {
    match (book, source) {
        ("threefold", _) | (_, PLAYED) => 0,
        ("wxf", _) => 10,
        (_, ALTERED) => 60,
        _ => 15,
    }
}

/// Both judges over the same cycles.
fn both_agree(book: &str) {
    let known = known();
    for (source, cycles) in cycles() {
        let (mut open, mut labels, mut listed, mut unlisted) = (0, 0, 0, Vec::new());
        for (start, line) in cycles {
            let both = both(book, start, line);
            if both.open {
                open += 1;
                continue;
            }
            labels += usize::from(!both.same_natures);
            if both.plain == both.engine {
                continue;
            }
            if known.contains_key(&both.cycle) {
                listed += 1;
            } else {
                let Both {
                    plain,
                    engine,
                    cycle,
                    told,
                    ..
                } = &both;
                unlisted.push(format!("?\t{plain}\t{engine}\t{cycle}\n  {told}"));
            }
        }
        let judged = cycles.len();
        println!(
            "{book}, {source}: {judged}, {open} open, labels differ on {labels}, verdicts on {listed} listed and {} not",
            unlisted.len()
        );
        let told = unlisted.join("\n");
        println!("{told}");
        assert!(
            unlisted.len() <= judged * allowed(book, source) / 1000,
            "{told}"
        );
        assert!(open <= judged / 20, "{open} open");
        assert!(labels <= judged / 10, "{labels} differ in labels");
    }
}

#[test]
fn both_judges_agree_under_the_asian_rules() {
    both_agree("wxf");
}

#[test]
fn both_judges_agree_under_the_rules_of_1999() {
    both_agree("cxa-1999");
}

#[test]
fn both_judges_agree_under_the_rules_of_2007() {
    both_agree("cxa-2007");
}

#[test]
fn both_judges_agree_under_the_rules_of_2011() {
    both_agree("cxa-2011");
}

#[test]
fn both_judges_agree_under_the_rules_of_2020() {
    both_agree("cxa-2020");
}

#[test]
fn both_judges_agree_where_a_third_occurrence_is_a_draw() {
    both_agree("threefold");
}

/// The order in which pieces and squares come must not matter, over cycles nobody has looked at.
#[test]
fn turned_or_with_the_colours_exchanged_nothing_changes() {
    let (mut wrong, mut open, seed) = (Vec::new(), 0, 0x61 ^ number("QILI_SEED") as u64);
    let more = number("QILI_CYCLES");
    for book in ["cxa-1999", "cxa-2020", "wxf"] {
        let cycles = random(seed, (more / 2).max(100));
        for (start, line) in cycles.into_iter().chain(altered(seed, (more / 260).max(1))) {
            let here = Essence::of(book, &start, &line);
            let (position, moves) = mirrored(&start, &line);
            let turned = Essence::of(book, &position, &moves);
            let (position, moves) = recoloured(&start, &line);
            let flipped = Essence::of(book, &position, &moves).recoloured();
            // Where a search runs out of its budget may depend on the order of moves.
            let is_open = |essence: &Essence| essence.natures.iter().any(|(n, _)| n == "open");
            if [&here, &turned, &flipped].into_iter().any(is_open) {
                open += 1;
                continue;
            }
            if here != turned || here != flipped {
                let fen = fen::write(&start);
                wrong.push(format!(
                    "{book}|{fen}|{line:?}: {here:?}, turned {turned:?}, exchanged {flipped:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(open <= 6 + more / 100, "{open} open");
}

/// Judges cycles with both and tells the plain judge's reasons: `QILI_CYCLE="book|fen|moves"`, one a line.
#[test]
fn the_plain_judge_tells_its_reasons() {
    let asked = std::env::var("QILI_CYCLE").unwrap_or_else(|_| {
        "cxa-1999|2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w|f0e0 e8f8 e0f0 f8e8".to_owned()
    });
    for line in asked.lines() {
        let [book, position, moves] = parts(line);
        let (start, moves) = written(position, moves);
        let both = both(book, &start, &moves);
        assert!(!both.plain.is_empty());
        println!("{line}\n  {}", both.told);
    }
}
