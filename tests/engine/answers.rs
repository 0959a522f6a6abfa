//! Rulings written straight are those of the value that `serde_json` writes, to the byte.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::cases::Corpus;
use qili::rules::Catalog;
use qili::wire::{Explain, Kind, Request, resolve, ruling_json, write_ruling};
use serde_json::{Value, json};

/// What a request asks for, written both ways.
fn told(request: &Request) -> String {
    let (loaded, ruling) = resolve(request, Catalog::builtin()).unwrap();
    let told = serde_json::to_string(&ruling_json(request, &loaded, &ruling)).unwrap();
    let mut written = Vec::new();
    write_ruling(&mut written, request, &loaded, &ruling).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), told);
    told
}

#[test]
fn a_ruling_written_straight_is_the_value_of_it() {
    let ids = [
        None,
        Some(Value::Null),
        Some(json!("a\"b")),
        Some(json!(-7)),
    ];
    let mut open = 0;
    for (case, id) in Corpus::builtin().iter().zip(ids.iter().cycle()) {
        for book in ["cxa-1999", "cxa-2020", "wxf", "threefold"] {
            for explain in [Explain::None, Explain::Notes] {
                for (claimed, budget) in [(true, None), (false, Some(8))] {
                    let request = Request {
                        id: id.clone(),
                        explain,
                        claimed,
                        budget,
                        ..case.request(book)
                    };
                    open += usize::from(told(&request).contains("\"candidates\""));
                }
            }
        }
    }
    assert!(open > 10, "{open}");
}

#[test]
fn games_are_written_straight_too() {
    let round = ["b0c2", "b9c7", "c2b0", "c7b9"].map(str::to_owned);
    let game = |book: &str, moves: Vec<String>| {
        let mut game = Request::cycle("", moves);
        (game.fen, game.kind, game.explain) = (None, Kind::Game, Explain::None);
        game.rules = Some(book.to_owned());
        game
    };
    for book in ["cxa-1999", "wxf", "threefold"] {
        for plies in 0..=13 {
            told(&game(
                book,
                round.iter().cycle().take(plies).cloned().collect(),
            ));
        }
        let mate = Request {
            fen: Some("3k5/R8/9/9/9/9/9/9/9/1R2K4 w".to_owned()),
            ..game(book, vec!["b0b9".to_owned()])
        };
        assert!(told(&mate).contains("\"ended\":{\"by\":\"checkmate\""));
    }
}
