//! Rulings written straight are those of the value that `serde_json` writes, to the byte.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::calls::Operation;
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

/// The answer to one request, as JSON.
fn judged(request: &str) -> Value {
    let answer = qili::calls::answer(Operation::Judge, request.as_bytes()).unwrap();
    serde_json::from_str(&answer).unwrap()
}

#[test]
fn what_a_search_that_broke_off_seemed_to_find_is_not_told() {
    let check = r#"{"fen": "4k3N/9/4b3b/9/1r7/6n2/9/9/9/4K4 w", "moves": ["i9g8", "e9f9", "g8i9", "f9e9"],
        "rules": "cxa-1999", "budget": 10}"#;
    let first = &judged(check)["moves"][0];
    assert_eq!(
        (&first["nature"], &first["also"]),
        (&json!("check"), &json!([]))
    );
    assert_eq!(
        (&first["targets"], &first["clauses"]),
        (&json!([]), &json!(["28.1"]))
    );
}

#[test]
fn a_verdict_that_rests_on_one_row_or_another_names_none_for_certain() {
    let cycle = r#"{"fen": "8n/2P1k4/b8/R8/6N2/5r3/9/9/3K5/8C b", "moves": ["e8e9", "g5i4", "e9e8", "i4g5"],
        "rules": "cxa-2020", "budget": 300}"#;
    let verdict = &judged(cycle)["verdict"];
    assert_eq!(
        (&verdict["outcome"], &verdict["side"]),
        (&json!("must_change"), &json!("black"))
    );
    let clauses = verdict["clauses"].as_array().unwrap();
    assert!(
        ["25.4", "26.9"]
            .iter()
            .all(|clause| clauses.contains(&json!(clause))),
        "{clauses:?}"
    );
    let reason = verdict["reason"]["en"].as_str().unwrap();
    assert!(
        !reason.contains("joint chase") && reason.contains("is open"),
        "{reason}"
    );
}
