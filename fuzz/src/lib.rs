//! What must hold of whatever bytes come. `run` puts these functions under `libFuzzer`; the tests of the crate above
//! put the kept corpus through them.

use qili::Arbiter;
use qili::board::{Move, Piece, Position, Role, Setup, Side, Square};
use qili::calls::{Operation, answer};
use qili::cases::Case;
use qili::classify::{Assertions, Depth};
use qili::game::Cycle;
use qili::notation::{Notation, fen, read_line, read_list, read_move, split_moves, write_move};
use qili::record::{Encoding, Fault, Reader, Record, Variation};
use qili::rules::{self, Amendment, Catalog, LoadedBook};
use qili::ruling::Options;
use qili::wire::{Explain, Request, answer as ruled};
use std::fmt::Display;

/// Positions a ruling may expand here: most need fewer, and none takes long.
const BUDGET: u32 = 3_000;
/// The books that judge conduct, and one that does not.
const BOOKS: [&str; 6] = [
    "cxa-1999",
    "cxa-2007",
    "cxa-2011",
    "cxa-2020",
    "wxf",
    "threefold",
];

/// A fault is told in both languages.
fn is_told(en: impl Display, zh: &str) {
    assert!(!en.to_string().is_empty() && !zh.is_empty());
}

fn are_told(faults: &[rules::Fault]) {
    for fault in faults {
        is_told(fault, &fault.zh());
    }
}

/// A file of games, in any format and encoding.
pub fn records(bytes: &[u8]) {
    for encoding in [Encoding::Auto, Encoding::Gb18030] {
        let mut games = 0;
        for found in Reader::with_encoding(bytes, encoding) {
            games += 1;
            assert!(games <= bytes.len(), "more games than bytes");
            match found {
                Err(fault) => is_told(&fault, &fault.zh()),
                Ok(game) => record(&game),
            }
        }
    }
}

/// A game can be played, and what is written of it reads the same.
fn record(game: &Record) {
    for remark in &game.remarks {
        is_told(remark, &remark.zh());
    }
    if let Some(fault) = &game.fault {
        is_told(fault, &fault.zh());
    }
    played(&game.start, &game.moves);
    let read = |bytes: &[u8]| -> Result<Record, Fault> {
        let again = Reader::new(bytes).next();
        again.expect("what was written has a game")
    };
    let again = read(&game.to_xqf()).expect("what was written as XQF is read");
    assert_eq!(again.start, game.start);
    assert_eq!(again.moves, game.moves);
    // XQF puts a variation beside a move: one that leaves a line behind its end, where that broke off, has no place.
    let has_place = |variation: &Variation| {
        let left = variation.of.map(|of| &game.variations[of].moves);
        variation.at < left.unwrap_or(&game.moves).len()
    };
    if game.variations.iter().all(has_place) {
        assert_eq!(again.variations.len(), game.variations.len());
    }
    // Words may be such as make another format.
    let mut bare = game.clone();
    bare.tags.clear();
    bare.comments.clear();
    for variation in &mut bare.variations {
        variation.comments.clear();
    }
    for notation in [Notation::Chinese, Notation::Iccs] {
        let again = read(bare.write(notation).as_bytes()).expect("what was written as PGN is read");
        assert_eq!(again.start, game.start);
        assert_eq!(again.moves, game.moves);
    }
    let again = read(game.to_row("file", 1).as_bytes()).expect("what was written as a row is read");
    assert_eq!(again.moves, game.moves);
}

fn played(start: &Position, moves: &[Move]) {
    let mut position = start.clone();
    for &mv in moves {
        assert!(position.is_legal(mv), "{mv} is not legal");
        position.make(mv);
    }
}

/// A FEN, possible or not.
pub fn fen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match fen::parse_setup(text) {
        Err(error) => is_told(&error, &error.zh()),
        Ok(setup) => {
            assert_eq!(fen::parse_setup(&setup.to_string()).as_ref(), Ok(&setup));
            match fen::parse(text) {
                Err(error) => is_told(&error, &error.zh()),
                Ok(position) => {
                    assert_eq!(fen::write(&position), setup.to_string());
                    let legal = position.legal_moves();
                    assert!(legal.iter().all(|&mv| position.is_legal(mv)));
                }
            }
        }
    }
}

/// A position on the first line, or none, and moves in any notation on those that follow.
pub fn moves(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (first, rest) = text.split_once('\n').unwrap_or(("", text));
    let (start, text) = match fen::parse(first) {
        Ok(start) => (start, rest),
        Err(_) => (Position::start(), text),
    };
    if let Err(error) = read_list(&start, text) {
        is_told(&error, &error.zh());
    }
    let Ok(texts) = split_moves(text) else {
        return;
    };
    let texts: Vec<&str> = texts.iter().map(|found| found.text).collect();
    let line = match read_line(&start, &texts) {
        Ok(line) => line,
        Err(error) => {
            is_told(&error, &error.zh());
            // What comes before can be read by itself.
            let before = texts.get(..error.index).unwrap_or_default();
            read_line(&start, before).unwrap_or_default()
        }
    };
    played(&start, &line);
    let mut position = start;
    for mv in line {
        for notation in Notation::ALL {
            let written = write_move(&position, mv, notation);
            // The short form may be that of two moves: then it is not read.
            match read_move(&position, &written) {
                Ok(read) => assert_eq!(read, mv, "{written}"),
                Err(error) => assert!(error.is_ambiguous(), "{written}: {error}"),
            }
        }
        position.make(mv);
    }
}

/// What may be asked: the first byte says which operation, the rest is the question.
pub fn requests(bytes: &[u8]) {
    const ASKED: [Operation; 8] = [
        Operation::Judge,
        Operation::Audit,
        Operation::Next,
        Operation::Classify,
        Operation::Read,
        Operation::Limit,
        Operation::Board,
        Operation::Book,
    ];
    let Some((&which, question)) = bytes.split_first() else {
        return;
    };
    let operation = ASKED[usize::from(which) % ASKED.len()];
    let cheap = std::str::from_utf8(question)
        .ok()
        .and_then(|text| Request::parse(text).ok())
        .map(|mut request| {
            request.budget = Some(request.budget.unwrap_or(BUDGET).min(BUDGET));
            serde_json::to_vec(&request).expect("a request is written")
        });
    let asked = cheap.as_deref().unwrap_or(question);
    match answer(operation, asked) {
        Ok(told) => assert!(!told.is_empty()),
        Err(bad) => {
            is_told(&bad.error, &bad.error.detail_zh);
            assert!(!bad.error.code.is_empty());
        }
    }
}

/// A cycle made of the bytes, judged under one book.
///
/// The first byte is the book, the second has whose move it is (1), whether the line goes back the way it came (2), and what is
/// asserted (4); the third counts pieces, each a byte for what it is and one for its square; then each move is two squares.
pub fn rulings(bytes: &[u8]) {
    let Some((book, options, position, line)) = cycle(bytes) else {
        return;
    };
    let Ok(cycle) = Cycle::from_period(&position, &line) else {
        return;
    };
    let loaded = Catalog::builtin().get(book).expect("a book built in");
    let arbiter = Arbiter::new(&loaded.book).within(BUDGET);
    let ruling = |cycle: Cycle, depth| arbiter.with(Options { depth, ..options }).cycle(cycle);
    let full = ruling(cycle.clone(), Depth::Notes);
    let brief = ruling(cycle, Depth::Outcome);
    let is_open = |ruling: &qili::ruling::Ruling| {
        let moves = ruling.judged.iter().flat_map(|judged| &judged.moves);
        !ruling.verdict.open.is_empty() || moves.into_iter().any(|m| m.finding.open.is_some())
    };
    let decided = |ruling: &qili::ruling::Ruling| (ruling.verdict.outcome, ruling.verdict.side);
    if !is_open(&full) && !is_open(&brief) {
        assert_eq!(decided(&full), decided(&brief), "told briefly");
    }
    let turned: Vec<Move> = line.iter().map(|mv| mv.mirrored()).collect();
    let cycle = Cycle::from_period(&position.mirrored(), &turned).expect("turned it is one too");
    let turned = ruling(cycle, Depth::Notes);
    if !is_open(&full) && !is_open(&turned) {
        assert_eq!(decided(&full), decided(&turned), "turned");
    }
    let written = line.iter().map(ToString::to_string).collect();
    let mut request = Request::cycle(&fen::write(&position), written);
    request.rules = Some(book.to_owned());
    request.explain = Explain::Full;
    request.assertions = options.assertions;
    request.budget = Some(BUDGET);
    let told = ruled(&request, Catalog::builtin()).expect("a cycle is ruled on");
    if !is_open(&full) {
        assert_eq!((told.verdict.outcome, told.verdict.side), decided(&full));
    }
    assert!(serde_json::to_string(&told).is_ok());
}

fn square(byte: u8) -> Square {
    let byte = byte % 90;
    Square::new(byte % 9, byte / 9).expect("one of ninety")
}

fn cycle(bytes: &[u8]) -> Option<(&'static str, Options, Position, Vec<Move>)> {
    let [book, flags, count, rest @ ..] = bytes else {
        return None;
    };
    let turn = if flags & 1 == 0 {
        Side::Red
    } else {
        Side::Black
    };
    let mut setup = Setup::empty(turn);
    let (pieces, moves) = rest.split_at_checked(2 * usize::from(*count))?;
    for piece in pieces.as_chunks::<2>().0 {
        let [what, at] = *piece;
        let role = Role::ALL[usize::from(what >> 1) % Role::ALL.len()];
        setup.put(
            square(at),
            Some(Piece::new(Side::ALL[usize::from(what & 1)], role)),
        );
    }
    let position = setup.possible()?;
    let pairs = moves.as_chunks::<2>().0.iter().take(24);
    let mut line: Vec<Move> = pairs
        .map(|&[from, to]| Move::new(square(from), square(to)))
        .collect();
    if flags & 2 != 0 {
        if line.len() % 2 == 1 {
            line.pop();
        }
        let back: Vec<[Move; 2]> = line.as_chunks::<2>().0.iter().rev().copied().collect();
        line.extend(back.iter().flat_map(|pair| pair.map(Move::reversed)));
    }
    let options = Options {
        depth: Depth::Notes,
        assertions: Assertions {
            theoretical_draw: flags & 4 != 0,
            ..Assertions::default()
        },
    };
    Some((
        BOOKS[usize::from(*book) % BOOKS.len()],
        options,
        position,
        line,
    ))
}

/// A rule book, an amendment, a case.
pub fn books(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match LoadedBook::read("book.toml", text) {
        Ok(loaded) => assert!(loaded.digest.starts_with("sha256:")),
        Err(faults) => {
            assert!(!faults.is_empty());
            are_told(&faults);
        }
    }
    match Amendment::read("amendment.toml", text) {
        Ok(amendment) => {
            if let Ok(base) = Catalog::builtin().get(&amendment.base)
                && let Err(faults) = base.amended(&amendment)
            {
                are_told(&faults);
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            are_told(&faults);
        }
    }
    match Case::read(text) {
        Ok(case) => assert!(!case.id.is_empty()),
        Err(faults) => assert!(!faults.is_empty()),
    }
}
