//! The engine against a second judge: the clauses written down as plainly as possible, on another
//! board, without shared search code (`plain`). Both judge random cycles under every book.
//!
//! `QILI_CYCLES=100000 cargo test --release --test judges differential -- --nocapture` looks at more, with
//! `QILI_SEED` at others, `QILI_STEPS` at no more than so many positions for a move.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "test code"
)]

use crate::essence::{Essence, mirrored, recoloured};
use crate::plain;

use qili::board::{Move, Piece, Position, Role, Setup, Side, Square};
use qili::classify::{Depth, Nature};
use qili::game::Cycle;
use qili::notation::fen;
use qili::rules::Catalog;
use qili::ruling::{Options, Ruling};

/// A small generator of our own: the same numbers in every build.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap_or(0)
    }
}

/// A legal position with a handful of pieces on each side.
fn position(random: &mut Random) -> Option<Position> {
    let squares: Vec<Square> = Square::all().collect();
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
            let square = squares[random.below(squares.len())];
            if setup.piece_at(square).is_none() {
                setup.put(square, Some(Piece::new(side, role)));
            }
        }
    }
    setup.position().ok()
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

/// A case of the library with a piece or two put in, taken away, moved by a square or made another:
/// what a published figure is like when one condition of it is altered.
fn variant(random: &mut Random, cases: &[(Position, Vec<Move>)]) -> (Position, Vec<Move>) {
    let squares: Vec<Square> = Square::all().collect();
    loop {
        let (start, line) = &cases[random.below(cases.len())];
        let mut setup = start.setup();
        for _ in 0..=random.below(3) {
            let at = squares[random.below(squares.len())];
            let side = Side::ALL[random.below(2)];
            let role = Role::ALL[random.below(Role::ALL.len())];
            match setup.piece_at(at) {
                None if role != Role::King => setup.put(at, Some(Piece::new(side, role))),
                Some(piece) if piece.role != Role::King => match random.below(3) {
                    0 => setup.put(at, None),
                    1 if role != Role::King => setup.put(at, Some(Piece::new(piece.side, role))),
                    _ => {
                        let to = squares[random.below(squares.len())];
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
        if let Ok(position) = setup.position()
            && position != *start
            && Cycle::from_period(&position, line).is_ok()
        {
            return (position, line.clone());
        }
    }
}

/// The cycles of the library.
fn library() -> Vec<(Position, Vec<Move>)> {
    let cycle = |case: &qili::cases::Case| {
        let start = fen::parse(&case.fen).ok()?;
        let line: Option<Vec<Move>> = case.moves.iter().map(|mv| mv.parse().ok()).collect();
        let line = line?;
        Cycle::from_period(&start, &line)
            .ok()
            .map(|_| (start, line))
    };
    qili::cases::Corpus::builtin()
        .iter()
        .filter_map(cycle)
        .collect()
}

fn cycles() -> usize {
    number("QILI_CYCLES")
}

/// What a variable asks for, or 0.
fn number(variable: &str) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

struct Tally {
    judged: usize,
    open: usize,
    labels: Vec<String>,
    verdicts: Vec<String>,
}

/// Where the cycles come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Nowhere,
    Library,
}

fn compare(
    book: &str,
    params: &plain::Params,
    seed: u64,
    count: usize,
    labels: bool,
    from: From,
) -> Tally {
    let loaded = Catalog::builtin().get(book).unwrap();
    let mut random = Random(seed ^ number("QILI_SEED") as u64);
    let library = library();
    let mut tally = Tally {
        judged: 0,
        open: 0,
        labels: Vec::new(),
        verdicts: Vec::new(),
    };
    for _ in 0..count {
        let (start, line) = match from {
            From::Nowhere => cycle(&mut random),
            From::Library => variant(&mut random, &library),
        };
        let text = fen::write(&start);
        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
        let given: Vec<&str> = moves.iter().map(String::as_str).collect();
        let theirs = plain::judge(params, &text, &given, false).unwrap();
        let depth = if labels { Depth::Notes } else { Depth::Verdict };
        let options = Options {
            depth,
            ..Options::default()
        };
        let ours = Ruling::on_cycle(
            &loaded.book,
            Cycle::from_period(&start, &line).unwrap(),
            options,
        );
        tally.judged += 1;
        let found: Vec<Option<Nature>> = ours
            .judged
            .iter()
            .flat_map(|j| &j.moves)
            .map(|m| m.finding.nature)
            .collect();
        if found.contains(&None) || theirs.natures.contains(&None) {
            tally.open += 1;
            continue;
        }
        let name = |nature: Option<Nature>| {
            nature.map_or("idle", |n| if n.is_strike() { n.id() } else { "idle" })
        };
        let our_names: Vec<_> = found.into_iter().map(name).collect();
        let their_names: Vec<_> = theirs
            .natures
            .iter()
            .map(|n| n.map_or("idle", plain::Nature::name))
            .map(|n| {
                if matches!(n, "check" | "kill" | "chase") {
                    n
                } else {
                    "idle"
                }
            })
            .collect();
        let told = |what: &str| {
            format!(
                "{book}: {text} {}: {what}: {our_names:?} here, {their_names:?} there; {:?}",
                moves.join(" "),
                theirs.notes
            )
        };
        if labels && our_names != their_names {
            tally.labels.push(told("labels"));
        }
        let outcome = serde_json::to_value(ours.verdict.outcome).unwrap();
        let side = ours.verdict.side.map(Side::id);
        let their_side = theirs.side.map(|side| match side {
            plain::Side::Red => "red",
            plain::Side::Black => "black",
        });
        if outcome != theirs.outcome.as_str() || side != their_side {
            tally.verdicts.push(told("verdict"));
        }
    }
    println!(
        "{book}: {} cycles, {} open, labels differ on {}, verdicts on {}",
        tally.judged,
        tally.open,
        tally.labels.len(),
        tally.verdicts.len()
    );
    for line in tally.labels.iter().chain(&tally.verdicts).take(400) {
        println!("  {line}");
    }
    tally
}

#[test]
fn both_judges_agree_under_the_asian_rules() {
    let count = cycles().max(1_000);
    for from in [From::Nowhere, From::Library] {
        let tally = compare("wxf", &plain::Params::wxf(), 7, count, false, from);
        assert_eq!(tally.judged, count);
        assert!(tally.verdicts.is_empty(), "{}", tally.verdicts.join("\n"));
    }
}

/// Searches of this depth are written down twice nowhere else: over many cycles one in ten thousand may
/// be left to look into.
fn agree(tally: &Tally) {
    let most = tally.judged / 10_000;
    assert!(tally.labels.len() <= most, "{}", tally.labels.join("\n"));
    assert!(
        tally.verdicts.len() <= most,
        "{}",
        tally.verdicts.join("\n")
    );
    assert!(tally.open <= 1 + tally.judged / 50, "{} open", tally.open);
}

/// Both judges over random cycles and altered figures under a Chinese book.
fn both_agree(book: &str, seed: u64) {
    let (params, count) = (plain::Params::by_id(book).unwrap(), cycles().max(60));
    for from in [From::Nowhere, From::Library] {
        agree(&compare(book, &params, seed, count, true, from));
    }
}

#[test]
fn both_judges_agree_under_the_rules_of_1999() {
    both_agree("cxa-1999", 1999);
}

#[test]
fn both_judges_agree_under_the_rules_of_2007() {
    both_agree("cxa-2007", 2007);
}

#[test]
fn both_judges_agree_under_the_rules_of_2011() {
    both_agree("cxa-2011", 2011);
}

#[test]
fn both_judges_agree_under_the_rules_of_2020() {
    both_agree("cxa-2020", 2020);
}

#[test]
fn both_judges_agree_where_a_third_occurrence_is_a_draw() {
    let params = plain::Params::threefold();
    for from in [From::Nowhere, From::Library] {
        let tally = compare("threefold", &params, 3, cycles().max(1_000), false, from);
        assert!(tally.verdicts.is_empty(), "{}", tally.verdicts.join("\n"));
    }
}

/// The order in which pieces and squares come must not matter, over cycles nobody has looked at.
#[test]
fn turned_or_with_the_colours_exchanged_nothing_changes() {
    let library = library();
    let (mut wrong, mut open, seed) = (Vec::new(), 0, 97);
    for book in ["cxa-1999", "cxa-2020", "wxf"] {
        let mut random = Random(seed ^ number("QILI_SEED") as u64);
        for n in 0..cycles().max(200) {
            let (start, line) = if n % 2 == 0 {
                cycle(&mut random)
            } else {
                variant(&mut random, &library)
            };
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
    assert!(open <= 6 + cycles() / 100, "{open} open");
}

/// Judges cycles with both and tells the plain judge's reasons: `QILI_CYCLE="book|fen|moves"`, one a line.
#[test]
fn the_plain_judge_tells_its_reasons() {
    let asked = std::env::var("QILI_CYCLE").unwrap_or_else(|_| {
        "cxa-1999|2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w|f0e0 e8f8 e0f0 f8e8".to_owned()
    });
    for line in asked.lines() {
        let [book, fen, moves] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("book|fen|moves");
        };
        let params = plain::Params::by_id(book).unwrap();
        let loaded = Catalog::builtin().get(book).unwrap();
        let given: Vec<&str> = moves.split(' ').collect();
        let judged = plain::judge(&params, fen, &given, false).unwrap();
        assert_eq!(judged.natures.len(), given.len());
        let start = fen::parse(fen).unwrap();
        let parsed: Vec<Move> = given.iter().map(|mv| mv.parse().unwrap()).collect();
        let ours = Ruling::on_cycle(
            &loaded.book,
            Cycle::from_period(&start, &parsed).unwrap(),
            Options::default(),
        );
        let verdict = (ours.verdict.outcome, ours.verdict.side);
        let natures = ours.judged.iter().flat_map(|judged| &judged.moves);
        let ours = natures.map(|judged| judged.finding.nature);
        println!("{line}");
        for (((mv, nature), notes), ours) in given
            .iter()
            .zip(&judged.natures)
            .zip(&judged.notes)
            .zip(ours)
        {
            println!("  {mv} {nature:?} there, {ours:?} here {notes:?}");
        }
        println!(
            "  {} {:?} there, {verdict:?} here",
            judged.outcome, judged.side
        );
    }
}
