//! Rulings that are kept line by line, and several at once: the same tests on `SQLite` and, where
//! there is one, `PostgreSQL`.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use super::support::{Answer, FEN, MOVES, Place, ask, count, get, places, post, soon, state};
use actix_web::test::TestRequest;
use qili::http::State;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

fn line(more: &Value) -> Value {
    let mut line = json!({"fen": FEN, "moves": MOVES, "explain": "none"});
    for (key, value) in more.as_object().unwrap() {
        line[key] = value.clone();
    }
    line
}

fn batch(lines: &[Value]) -> TestRequest {
    let mut text = String::new();
    for line in lines {
        writeln!(text, "{line}").unwrap();
    }
    TestRequest::post()
        .uri("/v1/rulings:batch")
        .set_payload(text)
}

fn lines_of(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let read = |line| serde_json::from_str(line).unwrap();
    answer.text.lines().map(read).collect()
}

fn number(line: &Value) -> String {
    assert!(line["number"].is_string(), "{line}");
    line["number"].as_str().unwrap().to_owned()
}

/// A service with keys of a file, each called as it reads.
fn with_keys(place: &Place, name: &str, scopes: &[&str]) -> Arc<State> {
    let keys = std::env::temp_dir().join(format!("qili-{name}-{}.keys", std::process::id()));
    let mut text = String::new();
    for scopes in scopes {
        for byte in <sha2::Sha256 as sha2::Digest>::digest(scopes) {
            write!(text, "{byte:02x}").unwrap();
        }
        writeln!(text, " {scopes} {scopes}").unwrap();
    }
    std::fs::write(&keys, text).unwrap();
    let state = state(&[&place.flag(), &format!("--keys={}", keys.display())]);
    std::fs::remove_file(&keys).unwrap();
    state
}

fn by(key: &str, request: TestRequest) -> TestRequest {
    request.insert_header(("Authorization", format!("Bearer {key}")))
}

#[actix_web::test]
async fn lines_that_are_kept_stand_in_their_order_with_their_numbers() {
    for place in places("batch-lines").await {
        let state = state(&[&place.flag()]);
        let bad = line(&json!({"id": "bad", "record": true, "moves": ["f0e0", "e8e9"]}));
        let sent = [
            line(&json!({"id": 1, "record": true})),
            line(&json!({"id": 2})),
            bad,
            line(&json!({"record": {"event": "全国赛", "round": 3}, "rules": "wxf"})),
            line(&json!({"id": 5, "record": false})),
            line(&json!({"id": 6, "record": {"supersedes": "01KAJ1BXM0V9S4N7Q2ZC8TD6WE"}})),
            line(&json!({"id": 7, "record": true, "explain": "full"})),
        ];
        let answer = ask(&state, batch(&sent)).await;
        let lines = lines_of(&answer);
        assert_eq!(lines.len(), sent.len());
        assert_eq!(
            (
                &lines[2]["id"],
                &lines[2]["line"],
                &lines[2]["error"]["pointer"]
            ),
            (&json!("bad"), &json!(3), &json!("/moves/1"))
        );
        assert_eq!(
            (
                &lines[5]["id"],
                &lines[5]["error"]["code"],
                &lines[5]["error"]["pointer"]
            ),
            (
                &json!(6),
                &json!("unknown_ruling"),
                &json!("/record/supersedes")
            )
        );
        for at in [1, 4] {
            assert_eq!(lines[at]["id"], sent[at]["id"]);
            assert!(lines[at]["number"].is_null() && lines[at]["verdict"].is_object());
        }
        let kept = [0, 3, 6].map(|at| number(&lines[at]));
        assert!(
            kept.is_sorted_by(|a, b| a < b),
            "numbers go by the lines: {kept:?}"
        );
        for (at, number) in [0, 3, 6].into_iter().zip(&kept) {
            // What a ruling is that is not kept, to the byte.
            let mut plain = sent[at].clone();
            plain.as_object_mut().unwrap().remove("record");
            let plain = ask(&state, post("/v1/rulings", &plain)).await.text;
            let text = answer.text.lines().nth(at).unwrap();
            assert!(text.ends_with(&format!("\"ruling\":{plain}}}")), "{text}");
            assert_eq!(lines[at]["id"], sent[at]["id"]);
            assert!(
                lines[at]["ruling"]["number"].is_null(),
                "never inside the ruling"
            );
            let found = ask(&state, get(&format!("/v1/rulings/{number}"))).await;
            assert!(
                found.text.contains(&format!("\"ruling\":{plain}")),
                "{}",
                found.text
            );
        }
        let with = ask(&state, get(&format!("/v1/rulings/{}", kept[1])))
            .await
            .json();
        assert_eq!(with["record"], json!({"event": "全国赛", "round": "3"}));
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 3);
        soon("what was refused is noted", async || {
            count(&place.url, "SELECT count(*) FROM refusals").await == 2
        })
        .await;
        let noted = ask(&state, get("/v1/refusals")).await.json();
        for item in noted["items"].as_array().unwrap() {
            assert_eq!(item["route"], "POST /v1/rulings:batch");
            let request = item["request"].as_str().unwrap();
            assert!(
                [2, 5]
                    .map(|at| sent[at].to_string())
                    .contains(&request.to_owned())
            );
        }
    }
}

#[actix_web::test]
async fn lines_share_their_transactions() {
    for place in places("batch-groups").await {
        let state = state(&[&place.flag()]);
        let sent: Vec<Value> = (0..3000)
            .map(|id| line(&json!({"id": id, "record": id % 3 != 0})))
            .collect();
        let lines = lines_of(&ask(&state, batch(&sent)).await);
        assert_eq!(lines.len(), 3000);
        for (id, line) in lines.iter().enumerate() {
            assert_eq!(line["id"], id);
            assert_eq!(line["number"].is_string(), id % 3 != 0, "{line}");
        }
        let numbers: Vec<String> = (0..3000)
            .filter(|id| id % 3 != 0)
            .map(|id| number(&lines[id]))
            .collect();
        assert!(numbers.is_sorted_by(|a, b| a < b));
        assert_eq!(
            count(&place.url, "SELECT count(*) FROM rulings").await,
            2000
        );
        let groups = state.store.as_ref().unwrap().counts().groups.load(Relaxed);
        assert!(groups <= 200, "{groups} transactions for 2000 rulings");
    }
}

#[actix_web::test]
async fn whose_rulings_are_always_kept_has_every_line_kept() {
    for place in places("batch-always").await {
        let state = with_keys(
            &place,
            "batch-always",
            &["judge", "judge,record", "judge,write"],
        );
        let sent = [
            line(&json!({"id": 1})),
            line(&json!({"id": 2, "record": false})),
            line(&json!({"id": 3, "moves": []})),
        ];
        let lines = lines_of(&ask(&state, by("judge,record", batch(&sent))).await);
        for line in lines.iter().take(2) {
            let found = ask(
                &state,
                by(
                    "judge,record",
                    get(&format!("/v1/rulings/{}", number(line))),
                ),
            )
            .await;
            assert_eq!(found.json()["caller"], "judge,record");
        }
        assert_eq!(lines[2]["error"]["pointer"], "/moves", "{}", lines[2]);
        let sent = [
            line(&json!({"id": 1, "record": true})),
            line(&json!({"id": 2})),
        ];
        let lines = lines_of(&ask(&state, by("judge", batch(&sent))).await);
        assert_eq!(
            (
                &lines[0]["error"]["code"],
                &lines[0]["error"]["pointer"],
                &lines[1]["verdict"]["outcome"]
            ),
            (&json!("scope_missing"), &json!("/record"), &json!("loss"))
        );
        let lines = lines_of(&ask(&state, by("judge,write", batch(&sent))).await);
        assert!(lines[0]["number"].is_string() && lines[1]["number"].is_null());
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 3);
    }
}

#[actix_web::test]
async fn without_the_store_only_lines_to_be_kept_are_refused() {
    for place in places("batch-gone").await {
        let state = state(&[&place.flag(), "--store-wait-ms=1000"]);
        let sent: Vec<Value> = (0..20)
            .map(|id| line(&json!({"id": id, "record": id % 2 == 0})))
            .collect();
        place.take_away().await;
        let lines = lines_of(&ask(&state, batch(&sent)).await);
        assert_eq!(lines.len(), 20);
        for (id, line) in lines.iter().enumerate() {
            assert_eq!(line["id"], id);
            if id % 2 == 0 {
                let error = &line["error"];
                assert_eq!(
                    (&error["code"], &error["retry_after"], &line["line"]),
                    (&json!("store_unavailable"), &json!(2), &json!(id + 1))
                );
            } else {
                assert_eq!(line["verdict"]["outcome"], "loss");
            }
        }
        place.put_back().await;
        soon("the store is back", async || {
            ask(&state, get("/readyz")).await.status == 200
        })
        .await;
        let lines = lines_of(&ask(&state, batch(&sent)).await);
        assert_eq!(
            lines
                .iter()
                .filter(|line| line["number"].is_string())
                .count(),
            10
        );
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 10);
    }
}

#[actix_web::test]
async fn a_batch_sent_again_gets_the_same_answers() {
    for place in places("batch-again").await {
        let state = state(&[&place.flag()]);
        let with = |lines: &[Value]| batch(lines).insert_header(("Idempotency-Key", "round-3"));
        let mut sent: Vec<Value> = (0..30)
            .map(|id| line(&json!({"id": id, "record": true})))
            .collect();
        // As if the connection had been lost on the way.
        let first = lines_of(&ask(&state, with(&sent[..20])).await);
        let again = lines_of(&ask(&state, with(&sent)).await);
        assert_eq!(first[..], again[..20]);
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 30);
        sent[4]["id"] = json!("other");
        let other = lines_of(&ask(&state, with(&sent)).await);
        assert_eq!(other[4]["error"]["code"], "idempotency_key_reused");
        assert_eq!(other[5..], again[5..]);
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 30);
        let unfit = batch(&sent[..1]).insert_header(("Idempotency-Key", ""));
        let unfit = lines_of(&ask(&state, unfit).await);
        assert_eq!(unfit[0]["error"]["code"], "bad_idempotency_key");
    }
}

#[actix_web::test]
async fn without_a_store_a_line_says_so() {
    let state = state(&["--database=none"]);
    let sent = [
        line(&json!({"id": 1, "record": true})),
        line(&json!({"id": 2})),
    ];
    let lines = lines_of(&ask(&state, batch(&sent)).await);
    assert_eq!(lines[0]["error"]["code"], "no_store");
    assert_eq!(lines[1]["verdict"]["outcome"], "loss");
}

#[actix_web::test]
async fn every_ruling_of_an_audit_is_kept_as_the_ruling_on_the_game_so_far() {
    for place in places("audit").await {
        let state = with_keys(&place, "audit", &["judge", "judge,record", "judge,write"]);
        let moves = MOVES.repeat(4);
        let game = |more: &Value| {
            let mut game = json!({"id": 7, "fen": FEN, "moves": moves, "ordered": [{"after_ply": 12, "side": "red"}]});
            for (key, value) in more.as_object().unwrap() {
                game[key] = value.clone();
            }
            game
        };
        let audit = async |key: &str, more: &Value| {
            ask(&state, by(key, post("/v1/games:audit", &game(more)))).await
        };
        let plain = audit("judge", &json!({})).await.json();
        let kept = audit("judge,write", &json!({"record": {"event": "全国赛"}}))
            .await
            .json();
        let always = audit("judge,record", &json!({})).await.json();
        let of = |audit: &Value| audit["pending"].as_array().unwrap().clone();
        assert_eq!(of(&plain).len(), 5);
        for audit in [&kept, &always] {
            for (kept, plain) in of(audit).iter().zip(of(&plain)) {
                assert!(plain["number"].is_null());
                assert_eq!(
                    (&kept["ruling"], &kept["after_ply"]),
                    (&plain["ruling"], &plain["after_ply"])
                );
                let number = number(kept);
                let path = format!("/v1/rulings/{number}");
                let found = ask(&state, by("judge", get(&path))).await.json();
                assert_eq!(found["ruling"], plain["ruling"]);
                assert_eq!(found["request"]["kind"], "game");
                let played = found["request"]["moves"].as_array().unwrap().len();
                assert_eq!(played, plain["after_ply"]);
                let replay = post(&format!("{path}:replay"), &json!(null));
                let replay = ask(&state, by("judge", replay)).await.json();
                assert_eq!(replay["changed"], false, "{replay}");
            }
        }
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 10);
        let sent = json!({"record": {"supersedes": number(&of(&kept)[0])}});
        for (key, more, status, code) in [
            ("judge", json!({"record": true}), 403, "scope_missing"),
            ("judge,write", sent, 422, "record_not_here"),
        ] {
            let refused = audit(key, &more).await;
            assert_eq!(
                (refused.status, &refused.json()["code"]),
                (status, &json!(code))
            );
        }
        place.take_away().await;
        let gone = audit("judge,write", &json!({"record": true})).await;
        assert_eq!(
            (gone.status, &gone.json()["code"]),
            (503, &json!("store_unavailable"))
        );
        assert_eq!(audit("judge", &json!({})).await.json(), plain);
        place.put_back().await;
    }
}

#[actix_web::test]
async fn what_might_come_and_what_a_move_is_are_no_rulings() {
    for place in places("no-rulings").await {
        let state = with_keys(&place, "no-rulings", &["judge,record"]);
        let played = [&MOVES[..], &MOVES[..], &MOVES[..3]].concat();
        let sent = json!({"fen": FEN, "moves": played});
        for path in ["/v1/positions:continuations", "/v1/moves:classify"] {
            let answer = ask(&state, by("judge,record", post(path, &sent))).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            let mut sent = sent.clone();
            sent["record"] = json!(true);
            let refused = ask(&state, by("judge,record", post(path, &sent))).await;
            assert_eq!(
                (
                    refused.status,
                    &refused.json()["code"],
                    &refused.json()["pointer"]
                ),
                (422, &json!("record_not_here"), &json!("/record"))
            );
        }
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 0);
    }
}
