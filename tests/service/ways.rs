//! One game, whoever asks: the library, the command, an archive and the service tell the same facts.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use super::served::settings;
use actix_web::test as harness;
use qili::Arbiter;
use qili::archive::Generator;
use qili::board::{Move, Side};
use qili::cases::Corpus;
use qili::classify::Nature;
use qili::game::{Cycle, Game};
use qili::http::{State, app};
use qili::notation::{Notation, fen};
use qili::record::{Reader, Record};
use qili::rules::{Catalog, LoadedBook};
use qili::ruling::Ruling;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

const BOOKS: [&str; 4] = ["cxa-1999", "cxa-2011", "cxa-2020", "wxf"];

/// What is asked about, whole: cycles of the case library played until they have come round often
/// enough and once more, its games, and games made up.
fn games() -> Vec<Game> {
    let mut games = Vec::new();
    for case in Corpus::builtin().iter() {
        let start = fen::parse(&case.fen).unwrap();
        let line: Vec<Move> = case.moves.iter().map(|mv| mv.parse().unwrap()).collect();
        let rounds = if Cycle::from_period(&start, &line).is_ok() {
            4
        } else {
            1
        };
        if let Ok(game) = Game::with_moves(start, line.repeat(rounds)) {
            games.push(game);
        }
    }
    let generator = Generator::new(7, &Catalog::builtin().get("cxa-2020").unwrap());
    for number in 0..40 {
        let text = generator.game(number).pgn(Notation::Iccs);
        let made = Reader::new(text.as_bytes()).map(Result::unwrap);
        games.extend(made.map(|made| Game::with_moves(made.start, made.moves).unwrap()));
    }
    games
}

fn moves(game: &Game) -> Vec<String> {
    game.moves().iter().map(ToString::to_string).collect()
}

/// What everyone must tell of a moment: after which ply, what each move is, and the verdict.
#[derive(Debug, PartialEq)]
struct Facts {
    after_ply: u64,
    natures: Vec<Value>,
    verdict: Value,
}

impl Facts {
    /// Of a ruling as it is written.
    fn written(after_ply: u64, ruling: &Value) -> Self {
        let moves = ruling["moves"].as_array().unwrap();
        // All that the verdict rests on, where not every way round was the same.
        let earlier = ruling["earlier_moves"].as_array().into_iter().flatten();
        Self {
            after_ply,
            natures: earlier
                .chain(moves)
                .map(|mv| mv["nature"].clone())
                .collect(),
            verdict: essence(&ruling["verdict"]),
        }
    }

    fn of(after_ply: usize, ruling: &Ruling) -> Self {
        let judged = ruling.judged.iter().flat_map(|judged| &judged.moves);
        let natures = judged.map(|m| json!(m.finding.nature.map(Nature::id)));
        let verdict = &ruling.verdict;
        let clauses: Vec<String> = verdict.clauses.iter().map(ToString::to_string).collect();
        Self {
            after_ply: after_ply as u64,
            natures: natures.collect(),
            verdict: json!([verdict.outcome, verdict.side.map(Side::id), clauses]),
        }
    }

    /// The same of so many moves, the last.
    fn of_last(&self, moves: usize) -> Self {
        let from = self.natures.len().saturating_sub(moves);
        Self {
            after_ply: self.after_ply,
            natures: self.natures[from..].to_vec(),
            verdict: self.verdict.clone(),
        }
    }

    /// Of a row of `archive judge`.
    fn row(row: &Value) -> Self {
        Self {
            after_ply: row["ply"].as_u64().unwrap(),
            natures: row["natures"].as_array().unwrap().clone(),
            verdict: essence(&row["verdict"]),
        }
    }
}

fn essence(verdict: &Value) -> Value {
    json!([verdict["outcome"], verdict["side"], verdict["clauses"]])
}

fn by_library(book: &LoadedBook, game: &Game) -> Vec<Facts> {
    let arbiter = Arbiter::new(&book.book);
    arbiter
        .every(game, &[])
        .map(|(due, ruling)| Facts::of(due.after_ply, &ruling))
        .collect()
}

/// A file of the test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("ways-{name}"));
    std::fs::write(&path, text).unwrap();
    path
}

/// The lines the command writes.
fn by_command(arguments: &[&str], file: &PathBuf) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    let output = command.args(arguments).arg(file).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = told.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// By game, what an archive's rows tell. Rows name the game: in a file of requests by the number it has there,
/// in a record by its place.
fn by_archive(book: &str, file: &PathBuf, count: usize) -> Vec<Vec<Facts>> {
    let mut found: Vec<Vec<Facts>> = (0..count).map(|_| Vec::new()).collect();
    for row in by_command(&["archive", "judge", "--rules", book], file) {
        let number = row["id"].as_u64().unwrap_or_else(|| {
            let (_, number) = row["id"].as_str().unwrap().rsplit_once('#').unwrap();
            number.parse::<u64>().unwrap() - 1
        });
        found[usize::try_from(number).unwrap()].push(Facts::row(&row));
    }
    found
}

async fn by_service(book: &str, games: &[Game]) -> Vec<Vec<Facts>> {
    let state = Arc::new(State::new(settings(&[])).unwrap());
    let service = harness::init_service(app(state)).await;
    let mut found = Vec::new();
    for game in games {
        let body = json!({
            "fen": fen::write(game.start()), "moves": moves(game), "rules": book, "explain": "notes"
        });
        let request = harness::TestRequest::post()
            .uri("/v1/games:audit")
            .peer_addr("192.0.2.7:4000".parse().unwrap())
            .set_payload(body.to_string());
        let answer = harness::call_and_read_body(&service, request.to_request()).await;
        let audit: Value = serde_json::from_slice(&answer).unwrap();
        assert!(audit["pending"].is_array(), "{audit}");
        let pending = audit["pending"].as_array().unwrap();
        let facts =
            |due: &Value| Facts::written(due["after_ply"].as_u64().unwrap(), &due["ruling"]);
        found.push(pending.iter().map(facts).collect());
    }
    found
}

#[actix_web::test]
async fn a_game_is_told_the_same_whoever_asks() {
    let games = games();
    let requests: Vec<String> = games
        .iter()
        .enumerate()
        .map(|(id, game)| {
            let fen = fen::write(game.start());
            json!({"id": id, "kind": "game", "fen": fen, "moves": moves(game), "explain": "notes"})
                .to_string()
        })
        .collect();
    let requests = file("games.ndjson", &requests.join("\n"));
    let records: Vec<String> = games
        .iter()
        .map(|game| {
            let mut record = Record::new(game.start().clone());
            record.moves = game.moves().to_vec();
            record.write(Notation::Chinese)
        })
        .collect();
    let records = file("games.pgn", &records.join("\n"));
    let mut due = 0;
    for id in BOOKS {
        let book = Catalog::builtin().get(id).unwrap();
        let library: Vec<Vec<Facts>> = games.iter().map(|game| by_library(&book, game)).collect();
        due += library.iter().map(Vec::len).sum::<usize>();
        let ways = [
            (
                "an archive of requests",
                by_archive(id, &requests, games.len()),
            ),
            (
                "an archive of records",
                by_archive(id, &records, games.len()),
            ),
            ("the service", by_service(id, &games).await),
        ];
        for (way, told) in ways {
            for ((game, told), known) in games.iter().zip(&told).zip(&library) {
                let game = format!("{} {}", fen::write(game.start()), moves(game).join(" "));
                assert_eq!(told.len(), known.len(), "{way} under {id}: {game}");
                for (told, known) in told.iter().zip(known) {
                    assert!(!told.natures.is_empty(), "{way} under {id}: {game}");
                    // A row tells the moves of the cycle that closed, a ruling all it looked at.
                    let known = known.of_last(told.natures.len());
                    assert_eq!(*told, known, "{way} under {id}: {game}");
                }
            }
        }
        // After the last move: the command, and the same from the library at that ply.
        let last = by_command(&["judge", "--rules", id, "--format", "ndjson"], &requests);
        for ((game, told), known) in games.iter().zip(&last).zip(&library) {
            let ply = game.moves().len();
            let facts = Facts::of(ply, &Arbiter::new(&book.book).game(game, &[]));
            assert_eq!(Facts::written(ply as u64, told), facts, "{id}: {told}");
            if let Some(known) = known.iter().find(|known| known.after_ply == ply as u64) {
                assert_eq!(*known, facts, "{id}: {told}");
            }
        }
    }
    assert!(due > 2_000, "{due}");
}
