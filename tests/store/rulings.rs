//! What is kept, through the service: the same tests on `SQLite` and, where there is one, `PostgreSQL`.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use super::support::{
    Answer, FEN, MOVES, Place, UNREACHED, ask, count, get, key, on, places, post, soon, state,
};
use actix_web::test::TestRequest;
use futures_util::future::{join, join_all};
use qili::store::{Health, KeyScope, Options, Store, StoreError};
use serde_json::{Value, json};
use sqlx::Connection as _;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

fn request(more: &Value) -> Value {
    let mut request = json!({"fen": FEN, "moves": ["f0e0", "将5平6", "e0f0", "f8e8"]});
    for (key, value) in more.as_object().unwrap() {
        request[key] = value.clone();
    }
    request
}

#[actix_web::test]
async fn a_ruling_that_is_kept_is_given_back_to_the_byte() {
    for place in places("given-back").await {
        let state = state(&[&place.flag()]);
        let details = json!({"event": "全国赛 2026", "round": 3, "board": "12", "players": {"red": "甲", "black": "乙"}});
        let sent = request(&json!({"id": "my-17", "record": details, "claimed": false}));
        let answer = ask(&state, post("/v1/rulings", &sent)).await;
        let number = answer.number();
        assert!(
            !answer.text.contains(&number),
            "the number is not in the ruling"
        );

        let mut plain = sent.clone();
        plain.as_object_mut().unwrap().remove("record");
        let unkept = ask(&state, post("/v1/rulings", &plain)).await;
        assert_eq!(unkept.text, answer.text, "kept or not, the same bytes");
        assert_eq!(unkept.header("qili-ruling-number"), "");

        let kept = ask(&state, get(&format!("/v1/rulings/{number}"))).await;
        assert!(
            kept.text.contains(&format!("\"ruling\":{}", answer.text)),
            "{}",
            kept.text
        );
        let kept = kept.json();
        assert_eq!(kept["number"], number);
        assert_eq!(kept["record"]["event"], "全国赛 2026");
        assert_eq!(kept["record"]["round"], "3");
        assert_eq!(kept["request"]["rules"], "cxa-1999@1.1.0");
        assert_eq!(kept["request"]["fen"], format!("{FEN} - - 0 1"));
        assert_eq!(kept["request"]["moves"][1], "e8f8");
        assert_eq!(kept["request"]["id"], "my-17");
        assert_eq!(kept["request"]["claimed"], false);
        assert_eq!(
            (&kept["outcome"], &kept["side"]),
            (&json!("loss"), &json!("red"))
        );
        assert_eq!(kept["engine"], qili::version::BUILD);
        assert!(kept["recorded_at"].as_str().unwrap().ends_with('Z'));
        assert!(kept["latency_us"].is_u64());

        let lower = ask(
            &state,
            get(&format!("/v1/rulings/{}", number.to_lowercase())),
        )
        .await;
        assert_eq!(lower.json()["number"], number);
        for unknown in ["01KAJ1BXM0V9S4N7Q2ZC8TD6WE", "nonsense"] {
            let missing = ask(&state, get(&format!("/v1/rulings/{unknown}"))).await;
            assert_eq!(
                (missing.status, &missing.json()["code"]),
                (404, &json!("unknown_ruling"))
            );
        }
    }
}

#[actix_web::test]
async fn what_was_kept_is_there_for_the_next_program() {
    for place in places("next-program").await {
        let number = {
            let state = state(&[&place.flag()]);
            let answer = ask(
                &state,
                post("/v1/rulings", &request(&json!({"record": true}))),
            )
            .await;
            state.store.as_ref().unwrap().close().await;
            answer.number()
        };
        let state = state(&[&place.flag()]);
        let replay = ask(
            &state,
            post(&format!("/v1/rulings/{number}:replay"), &json!(null)),
        )
        .await;
        let told = replay.json();
        assert_eq!(
            (&told["changed"], &told["verdict_changed"]),
            (&json!(false), &json!(false))
        );
        let kept = ask(&state, get(&format!("/v1/rulings/{number}"))).await;
        let ruling = told["ruling"].clone();
        assert_eq!(ruling, kept.json()["ruling"]);
    }
}

#[actix_web::test]
async fn a_replay_says_what_has_changed() {
    for place in places("replay").await {
        let state = state(&[&place.flag()]);
        let answer = ask(
            &state,
            post("/v1/rulings", &request(&json!({"record": true}))),
        )
        .await;
        let number = answer.number();
        // As if an older program had ruled otherwise.
        let alter = "UPDATE rulings SET ruling = replace(ruling, '\"outcome\":\"loss\"', '\"outcome\":\"draw\"'), engine = '0.0.1'";
        on(&place.url, alter).await;
        let told = ask(
            &state,
            post(&format!("/v1/rulings/{number}:replay"), &json!(null)),
        )
        .await
        .json();
        assert_eq!(
            (&told["changed"], &told["verdict_changed"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(told["differences"], json!(["/verdict/outcome"]));
        assert_eq!(told["engine"]["then"], "0.0.1");
        assert_eq!(told["ruling"]["verdict"]["outcome"], "loss");

        // A book that is not built in any more is read as it was kept.
        on(&place.url, "UPDATE rulings SET ruling = replace(ruling, '\"outcome\":\"draw\"', '\"outcome\":\"loss\"')").await;
        let text = count(&place.url, "SELECT count(*) FROM books").await;
        assert_eq!(text, 1);
    }
}

#[actix_web::test]
async fn the_text_of_a_book_is_kept_once() {
    for place in places("books").await {
        let state = state(&[&place.flag()]);
        for rules in ["cxa-1999", "wxf", "cxa-1999", "wxf@1.1.0"] {
            let sent = request(&json!({"record": true, "rules": rules}));
            ask(&state, post("/v1/rulings", &sent)).await.number();
        }
        assert_eq!(count(&place.url, "SELECT count(*) FROM books").await, 2);
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 4);
    }
}

#[actix_web::test]
async fn the_same_word_gets_the_same_answer() {
    for place in places("idempotency").await {
        let state = state(&[&place.flag()]);
        let sent = request(&json!({"record": true, "id": 1}));
        let with =
            |sent: &Value| post("/v1/rulings", sent).insert_header(("Idempotency-Key", "abc-1"));
        let first = ask(&state, with(&sent)).await;
        let again = ask(&state, with(&sent)).await;
        assert_eq!(again.number(), first.number());
        assert_eq!(again.text, first.text);
        let other = ask(&state, with(&request(&json!({"record": true, "id": 2})))).await;
        assert_eq!(
            (other.status, &other.json()["code"]),
            (422, &json!("idempotency_key_reused"))
        );
        let empty = post("/v1/rulings", &sent).insert_header(("Idempotency-Key", ""));
        assert_eq!(
            ask(&state, empty).await.json()["code"],
            "bad_idempotency_key"
        );

        // Sent many times at once, it is one all the same.
        let sent = request(&json!({"record": true, "id": 3}));
        let at_once = (0..16).map(|_| {
            ask(
                &state,
                post("/v1/rulings", &sent).insert_header(("Idempotency-Key", "abc-2")),
            )
        });
        let numbers: std::collections::BTreeSet<String> =
            join_all(at_once).await.iter().map(Answer::number).collect();
        assert_eq!(numbers.len(), 1);
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 2);
    }
}

#[actix_web::test]
async fn a_correction_is_a_new_ruling_that_names_the_old_one() {
    for place in places("supersedes").await {
        let state = state(&[&place.flag()]);
        let first = ask(
            &state,
            post("/v1/rulings", &request(&json!({"record": true}))),
        )
        .await
        .number();
        let correction =
            request(&json!({"rules": "wxf", "record": {"supersedes": first.to_lowercase()}}));
        let second = ask(&state, post("/v1/rulings", &correction)).await.number();
        let old = ask(&state, get(&format!("/v1/rulings/{first}")))
            .await
            .json();
        assert_eq!(old["superseded_by"], json!([second]));
        assert_eq!(old["rules"]["id"], "cxa-1999", "it stays as it was");
        let new = ask(&state, get(&format!("/v1/rulings/{second}")))
            .await
            .json();
        assert_eq!(new["record"]["supersedes"], first);
        for bad in ["01KAJ1BXM0V9S4N7Q2ZC8TD6WE", "x"] {
            let sent = request(&json!({"record": {"supersedes": bad}}));
            let refused = ask(&state, post("/v1/rulings", &sent)).await;
            let told = refused.json();
            assert_eq!(
                (&told["code"], &told["pointer"]),
                (&json!("unknown_ruling"), &json!("/record/supersedes"))
            );
        }
    }
}

#[actix_web::test]
async fn the_log_is_filtered_and_paged() {
    for place in places("paged").await {
        let state = state(&[&place.flag()]);
        let mut numbers = Vec::new();
        for id in 0..25 {
            let rules = if id % 5 == 0 { "wxf" } else { "cxa-1999" };
            let event = if id % 2 == 0 {
                "春季赛"
            } else {
                "秋季赛"
            };
            let sent = request(&json!({"id": id, "rules": rules, "record": {"event": event}}));
            numbers.push(ask(&state, post("/v1/rulings", &sent)).await.number());
            actix_web::rt::time::sleep(Duration::from_millis(2)).await;
        }
        numbers.reverse();
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = ask(&state, get(&format!("/v1/rulings?limit=10{cursor}")))
                .await
                .json();
            let items = page["items"].as_array().unwrap();
            found.extend(
                items
                    .iter()
                    .map(|item| item["number"].as_str().unwrap().to_owned()),
            );
            let Some(next) = page["next"].as_str() else {
                break;
            };
            assert_eq!(items.len(), 10);
            cursor = format!("&cursor={next}");
        }
        assert_eq!(found, numbers, "every one once, the newest first");
        for (query, expected) in [
            ("rules=wxf", 5),
            ("outcome=loss", 20),
            ("outcome=must_change&rules=wxf", 5),
            ("event=%E6%98%A5%E5%AD%A3%E8%B5%9B", 13),
            ("event=none%27%20OR%201=1--", 0),
            ("caller=", 25),
            ("since=2026-01-01&until=9999-01-01", 25),
            ("until=2026-01-01", 0),
        ] {
            let page = ask(&state, get(&format!("/v1/rulings?limit=200&{query}")))
                .await
                .json();
            assert_eq!(
                page["items"].as_array().map(Vec::len),
                Some(expected),
                "{query}: {page}"
            );
        }
        for bad in [
            "cursor=1",
            "since=yesterday",
            "limit=x",
            "what=1",
            "outcome=win",
        ] {
            let refused = ask(&state, get(&format!("/v1/rulings?{bad}"))).await;
            assert_eq!(
                (refused.status, &refused.json()["code"]),
                (400, &json!("bad_query")),
                "{bad}"
            );
        }
    }
}

#[actix_web::test]
async fn a_ruling_by_a_book_that_is_only_tried_is_never_kept() {
    for place in places("tried").await {
        let state = state(&[&place.flag()]);
        let trial = json!({"rules": "cxa-1999+kill_is_attack=false"});
        let plain = ask(&state, post("/v1/rulings", &request(&trial))).await;
        assert_eq!(plain.status, 200, "{}", plain.text);
        let mut kept = request(&trial);
        kept["record"] = json!({"event": "trial"});
        let refused = ask(&state, post("/v1/rulings", &kept)).await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (422, &json!("trial_book"))
        );
        assert_eq!(refused.json()["pointer"], "/rules");
        let mut game = kept.clone();
        game["kind"] = json!("game");
        game["moves"] = json!(["f0e0", "e8f8", "e0f0", "f8e8"].repeat(3));
        let audit = ask(&state, post("/v1/games:audit", &game)).await;
        assert_eq!(
            (audit.status, &audit.json()["code"]),
            (422, &json!("trial_book"))
        );
        let listed = ask(&state, get("/v1/rulings")).await.json();
        assert_eq!(listed["items"], json!([]));
    }
}

#[actix_web::test]
async fn refused_requests_are_noted() {
    for place in places("refused").await {
        let state = state(&[&place.flag()]);
        let bad = request(&json!({"record": true, "moves": ["a0a1"], "id": "看\u{0}"}));
        let answer = ask(&state, post("/v1/rulings", &bad)).await;
        assert_eq!(answer.status, 422, "{}", answer.text);
        let unasked = ask(
            &state,
            post("/v1/rulings", &request(&json!({"moves": ["a0a1"]}))),
        )
        .await;
        assert_eq!(unasked.status, 422);
        let long = request(&json!({"record": true, "rules": "长".repeat(10_000)}));
        assert_eq!(ask(&state, post("/v1/rulings", &long)).await.status, 422);
        soon("the refusals are noted", async || {
            count(&place.url, "SELECT count(*) FROM refusals").await == 2
        })
        .await;
        let told = ask(&state, get("/v1/refusals?limit=1")).await.json();
        assert_eq!(told["items"][0]["code"], "unknown_rules");
        assert!(told["items"][0]["request"].as_str().unwrap().len() <= 4096 * 3);
        let next = told["next"].as_str().unwrap();
        let told = ask(&state, get(&format!("/v1/refusals?cursor={next}")))
            .await
            .json();
        assert_eq!(told["items"][0]["status"], 422);
        assert_eq!(told["items"][0]["route"], "POST /v1/rulings");
        assert!(
            told["items"][0]["request"]
                .as_str()
                .unwrap()
                .contains("a0a1")
        );
        assert_eq!(told["next"], Value::Null);
    }
}

#[actix_web::test]
async fn many_at_once_share_their_transactions() {
    for place in places("groups").await {
        let state = state(&[&place.flag()]);
        // Nothing can be written before all are judged, however fast the disk is.
        let held = place.hold("rulings").await;
        let release = async {
            soon("all are judged", async || {
                let told = ask(&state, get("/metrics")).await.text;
                let mut given = told
                    .lines()
                    .filter(|line| line.starts_with("qili_rulings_total{"));
                given.any(|line| line.ends_with(" 200"))
            })
            .await;
            assert_eq!(state.store.as_ref().unwrap().counts().kept.load(Relaxed), 0);
            held.close().await.unwrap();
        };
        let sent: Vec<_> = (0..200)
            .map(|id| request(&json!({"id": id, "record": true, "explain": "none"})))
            .collect();
        let asked = sent
            .iter()
            .map(|sent| ask(&state, post("/v1/rulings", sent)));
        let (answers, ()) = join(join_all(asked), release).await;
        let numbers: std::collections::BTreeSet<String> =
            answers.iter().map(Answer::number).collect();
        assert_eq!(numbers.len(), 200);
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 200);
        let counts = state.store.as_ref().unwrap().counts();
        assert_eq!(counts.kept.load(Relaxed), 200);
        let groups = counts.groups.load(Relaxed);
        assert!(groups < 20, "{groups} transactions for 200 rulings");
    }
}

#[actix_web::test]
async fn without_its_store_the_service_goes_on_judging() {
    for place in places("gone").await {
        let state = state(&[&place.flag(), "--store-wait-ms=1000"]);
        let sent = request(&json!({"record": true}));
        let before = ask(&state, post("/v1/rulings", &sent)).await.number();
        place.take_away().await;
        let refused = ask(&state, post("/v1/rulings", &sent)).await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (503, &json!("store_unavailable"))
        );
        assert_eq!(refused.header("retry-after"), "2");
        assert_eq!(refused.header("qili-ruling-number"), "");
        let ready = ask(&state, get("/readyz")).await;
        assert_eq!(
            (ready.status, &ready.json()["database"]["open"]),
            (503, &json!(false))
        );
        let judging = ask(&state, get("/readyz/judging")).await;
        assert_eq!(
            (
                judging.status,
                &judging.json()["keeping"],
                &judging.json()["judging"]
            ),
            (200, &json!(false), &json!(true))
        );
        let judged = ask(&state, post("/v1/rulings", &request(&json!({})))).await;
        assert_eq!(judged.status, 200, "{}", judged.text);
        let unread = ask(&state, get(&format!("/v1/rulings/{before}"))).await;
        assert_eq!(unread.status, 503);

        place.put_back().await;
        soon("the store is back", async || {
            ask(&state, get("/readyz")).await.status == 200
        })
        .await;
        let after = ask(&state, post("/v1/rulings", &sent)).await.number();
        for number in [before, after] {
            assert_eq!(
                ask(&state, get(&format!("/v1/rulings/{number}")))
                    .await
                    .status,
                200
            );
        }
        assert_eq!(count(&place.url, "SELECT count(*) FROM rulings").await, 2);
    }
}

#[actix_web::test]
async fn a_lost_connection_is_no_reason_to_refuse() {
    for place in places("lost")
        .await
        .iter()
        .filter(|place| place.file.is_none())
    {
        let state = state(&[&place.flag()]);
        let sent = request(&json!({"record": true}));
        ask(&state, post("/v1/rulings", &sent)).await.number();
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
        on(&place.url, end).await;
        ask(&state, post("/v1/rulings", &sent)).await.number();
    }
}

#[actix_web::test]
async fn a_service_without_a_store_says_so() {
    for flags in [&[][..], &["--database=none"]] {
        let state = state(flags);
        let refused = ask(
            &state,
            post("/v1/rulings", &request(&json!({"record": true}))),
        )
        .await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (422, &json!("no_store"))
        );
        let missing = ask(&state, get("/v1/rulings")).await;
        assert_eq!(
            (missing.status, &missing.json()["code"]),
            (404, &json!("no_store"))
        );
        assert_eq!(ask(&state, get("/readyz")).await.status, 200);
        let plain = request(&json!({"record": false}));
        assert_eq!(ask(&state, post("/v1/rulings", &plain)).await.status, 200);
    }
}

#[actix_web::test]
async fn keys_see_what_their_scopes_allow() {
    for place in places("scopes").await {
        let keys = place
            .file
            .clone()
            .unwrap_or_else(|| std::env::temp_dir().join("qili-scopes-test"))
            .with_extension("keys");
        let line = |key: &str, scopes: &str| {
            let mut hash = String::new();
            for byte in <sha2::Sha256 as sha2::Digest>::digest(key) {
                write!(hash, "{byte:02x}").unwrap();
            }
            format!("{hash} {scopes} {key}\n")
        };
        let text = [
            line("judge", "judge"),
            line("writer", "judge,write"),
            line("always", "judge,record"),
            line("admin", "judge,admin"),
        ]
        .concat();
        std::fs::write(&keys, text).unwrap();
        let state = state(&[&place.flag(), &format!("--keys={}", keys.display())]);
        let by = |key: &str, request: TestRequest| {
            request.insert_header(("Authorization", format!("Bearer {key}")))
        };
        let sent = request(&json!({"record": true}));
        let refused = ask(&state, by("judge", post("/v1/rulings", &sent))).await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (403, &json!("scope_missing"))
        );
        ask(&state, by("writer", post("/v1/rulings", &sent)))
            .await
            .number();
        ask(
            &state,
            by("always", post("/v1/rulings", &request(&json!({})))),
        )
        .await
        .number();
        let query = format!(
            "/v1/rulings:judge?fen={}&moves=f0e0,e8f8,e0f0,f8e8",
            FEN.replace(' ', "_")
        );
        ask(&state, by("always", get(&query))).await.number();
        for (key, seen) in [("judge", 0), ("writer", 1), ("always", 2), ("admin", 3)] {
            let page = ask(&state, by(key, get("/v1/rulings"))).await.json();
            assert_eq!(
                page["items"].as_array().map(Vec::len),
                Some(seen),
                "{key}: {page}"
            );
        }
        assert_eq!(
            ask(&state, by("writer", get("/v1/rulings?caller=always")))
                .await
                .status,
            403
        );
        assert_eq!(
            ask(&state, by("writer", get("/v1/refusals"))).await.status,
            403
        );
        assert_eq!(
            ask(&state, by("admin", get("/v1/refusals"))).await.status,
            200
        );
        assert_eq!(ask(&state, get("/v1/rulings")).await.status, 401);
    }
}

#[actix_web::test]
async fn a_newer_schema_is_refused() {
    for place in places("newer").await {
        drop(Store::open(&place.url, Options::default()).unwrap());
        let insert = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
            SELECT 99, 'later', success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
        on(&place.url, insert).await;
        let error = Store::open(
            &place.url,
            Options {
                patient: true,
                ..Options::default()
            },
        )
        .unwrap_err();
        assert_eq!(
            error,
            StoreError::Newer {
                found: 99,
                known: qili::store::SCHEMA
            }
        );
        assert!(error.to_string().contains("newer"), "{error}");
    }
}

#[actix_web::test]
async fn several_may_open_it_at_once() {
    for place in places("at-once").await {
        let open = |place: &Place| {
            let url = place.url.clone();
            std::thread::spawn(move || {
                Store::open(&url, Options::default()).map(|store| store.health())
            })
        };
        let threads: Vec<_> = (0..6).map(|_| open(&place)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), Ok(Health::Well));
        }
        assert_eq!(
            count(&place.url, "SELECT count(*) FROM _sqlx_migrations").await,
            qili::store::SCHEMA
        );
    }
}

#[test]
fn what_cannot_be_opened_is_told() {
    for (url, words) in [
        ("mysql://me:secret@host/db", "expected `sqlite:FILE`"),
        ("sqlite:/nowhere/at/all/qili.db", "cannot open the store"),
        ("postgres://me:secret@127.0.0.1:1/none", UNREACHED),
    ] {
        let error = Store::open(url, Options::default())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(words) && !error.contains("secret"),
            "{error}"
        );
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_patient_caller_gets_a_store_that_cannot_be_reached_yet() {
    let patient = Options {
        patient: true,
        wait: Duration::from_secs(1),
        existing: false,
    };
    let store = Store::open("postgres://me@127.0.0.1:1/none", patient).unwrap();
    assert!(matches!(store.health(), Health::Ill(_)) && store.keys_in_force().is_none());
    let _: Arc<Store> = Arc::new(store);
}

#[actix_web::test]
async fn instances_that_are_told_the_same_at_once_do_not_wait_for_each_other() {
    for place in places("instances").await {
        let (one, other) = (state(&[&place.flag()]), state(&[&place.flag()]));
        for round in 0..6 {
            let asked = |state: &Arc<_>, order: Vec<usize>| {
                let state = Arc::clone(state);
                async move {
                    let sent = order.into_iter().map(|at| {
                        let sent = request(&json!({"id": at, "record": true}));
                        let word = format!("{round}-{at}");
                        let sent =
                            post("/v1/rulings", &sent).insert_header(("Idempotency-Key", word));
                        ask(&state, sent)
                    });
                    join_all(sent).await
                }
            };
            // What the one writes first the other writes last.
            let (first, second) = join(
                asked(&one, (0..32).collect()),
                asked(&other, (0..32).rev().collect()),
            )
            .await;
            for (one, other) in first.iter().zip(second.iter().rev()) {
                assert_eq!(one.number(), other.number(), "one ruling under one word");
            }
        }
        let kept = count(&place.url, "SELECT count(*) FROM rulings").await;
        assert_eq!(kept, 6 * 32);
    }
}

#[actix_web::test]
async fn what_is_answered_to_a_key_is_for_nobody_else() {
    for place in places("private").await {
        let state = state(&[&place.flag()]);
        let fen = FEN.replace(' ', "_");
        let path = format!("/v1/rulings:judge?fen={fen}&moves=f0e0,e8f8,e0f0,f8e8");
        let open = ask(&state, get(&path)).await;
        assert!(
            open.header("cache-control").starts_with("public"),
            "{}",
            open.text
        );
        let key = key(&state, "club", &[KeyScope::Judge]).await;
        // The name of the scheme is the same in small letters.
        let keyed = get(&path).insert_header(("Authorization", format!("bearer {key}")));
        let keyed = ask(&state, keyed).await;
        assert_eq!(keyed.status, 200, "{}", keyed.text);
        assert!(keyed.header("cache-control").starts_with("private"));
        let vary = keyed
            .headers
            .get_all("vary")
            .any(|vary| vary == "Authorization");
        assert!(vary, "{:?}", keyed.headers);
        assert_eq!(keyed.text, open.text);
        // What says nothing of being held is held nowhere, or asked about again where it has a tag.
        let by = |request: TestRequest| {
            request.insert_header(("Authorization", format!("Bearer {key}")))
        };
        let ruled = ask(
            &state,
            by(post("/v1/rulings", &json!({"fen": FEN, "moves": MOVES}))),
        )
        .await;
        assert_eq!(
            (ruled.status, ruled.header("cache-control")),
            (200, "no-store")
        );
        let book = ask(&state, by(get("/v1/rulesets/cxa-2020"))).await;
        assert!(!book.header("etag").is_empty(), "{:?}", book.headers);
        assert_eq!(book.header("cache-control"), "private, no-cache");
    }
}
