//! Keys, own cases, drafts and backups: the same tests on `SQLite` and, where there is one, `PostgreSQL`.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::support::{FEN, MOVES, Place, ask, count, get, key, on, places, post, state};
use actix_web::test::TestRequest;
use qili::http::State;
use qili::store::{KeyScope, Options, Store, backup, restore, verify};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const AMENDMENT: &str = r#"
id = "checks-permitted"
title = { zh = "试拟", en = "A trial" }
reason = { zh = "试拟", en = "A trial" }
effective = ""
base = "cxa-1999"
[definitions]
kill_is_attack = false
"#;

fn put(path: &str, body: &Value) -> TestRequest {
    TestRequest::put()
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_string())
}

/// How many there are on all pages of a list of cases.
async fn counted(state: &Arc<State>, path: &str) -> u64 {
    let (mut sum, mut cursor) = (0, String::new());
    loop {
        let page = ask(state, get(&format!("{path}{cursor}"))).await.json();
        sum += page.get("count").and_then(Value::as_u64).unwrap();
        let Some(next) = page.get("next").and_then(Value::as_str) else {
            return sum;
        };
        cursor = format!("&cursor={next}");
    }
}

fn case(id: &str) -> Value {
    json!({
        "id": id, "title": {"zh": "长将", "en": "Perpetual check"}, "fen": FEN, "moves": MOVES,
        "source": {"book": "cxa-1999", "figure": "", "clauses": ["26.1"], "official": false, "position": "composed"},
        "expect": {"cxa-1999": {"natures": ["check", "idle", "check", "idle"], "outcome": "loss", "side": "red", "clauses": ["24.1", "26.1"]}},
        "why": {"zh": "单方长将", "en": "One side checks"},
    })
}

#[actix_web::test]
async fn keys_are_made_used_and_revoked() {
    for place in places("keys").await {
        let state = state(&[&place.flag()]);
        let by = |key: &str, request: TestRequest| {
            request.insert_header(("Authorization", format!("Bearer {key}")))
        };
        assert_eq!(
            ask(&state, get("/v1/rulings")).await.status,
            200,
            "open as long as there are no keys"
        );
        let first = json!({"name": "chief", "scopes": ["judge", "admin"]});
        let locked = ask(&state, post("/v1/keys", &first)).await;
        assert_eq!(
            (locked.status, &locked.json()["code"]),
            (403, &json!("first_key_by_command"))
        );
        let admin = key(&state, "chief", &[KeyScope::Judge, KeyScope::Admin]).await;
        assert!(admin.starts_with("qili_") && admin.len() == 69);
        assert_eq!(
            ask(&state, get("/v1/rulings")).await.status,
            401,
            "now everybody needs one"
        );
        let idle = json!({"name": "idle", "scopes": []});
        let idle = ask(&state, by(&admin, post("/v1/keys", &idle))).await;
        assert_eq!(
            (idle.status, &idle.json()["code"], &idle.json()["pointer"]),
            (422, &json!("no_scopes"), &json!("/scopes"))
        );
        let new = json!({"name": "club", "scopes": ["judge", "write"], "records": true});
        assert_eq!(ask(&state, post("/v1/keys", &new)).await.status, 401);
        let club = ask(&state, by(&admin, post("/v1/keys", &new))).await.json();
        let (id, key) = (club["id"].as_str().unwrap(), club["key"].as_str().unwrap());
        let twice = ask(&state, by(&admin, post("/v1/keys", &new))).await;
        assert_eq!(
            (twice.status, &twice.json()["code"]),
            (409, &json!("conflict"))
        );
        assert_eq!(ask(&state, by(key, get("/v1/keys"))).await.status, 403);

        let sent = json!({"fen": FEN, "moves": MOVES});
        let number = ask(&state, by(key, post("/v1/rulings", &sent)))
            .await
            .number();
        let kept = ask(&state, by(key, get(&format!("/v1/rulings/{number}"))))
            .await
            .json();
        assert_eq!(kept["caller"], "club");
        let batch = ask(&state, by(key, post("/v1/rulings:batch", &sent))).await;
        let kept = &batch.json()["number"];
        let kept = ask(
            &state,
            by(key, get(&format!("/v1/rulings/{}", kept.as_str().unwrap()))),
        )
        .await;
        assert_eq!(
            (kept.status, &kept.json()["caller"]),
            (200, &json!("club")),
            "what is always to be kept is not given unkept"
        );

        let list = ask(&state, by(&admin, get("/v1/keys"))).await;
        assert!(!list.text.contains(key) && list.json()["keys"].as_array().unwrap().len() == 2);
        let hashed = count(
            &place.url,
            "SELECT count(*) FROM keys WHERE hash LIKE 'qili%'",
        )
        .await;
        assert_eq!(hashed, 0, "the keys themselves are not kept");

        let gone = ask(
            &state,
            by(&admin, TestRequest::delete().uri(&format!("/v1/keys/{id}"))),
        )
        .await;
        assert!(gone.json()["revoked_at"].is_string(), "{}", gone.text);
        assert_eq!(ask(&state, by(key, get("/v1/rulings"))).await.status, 401);
        let again = ask(&state, by(&admin, post("/v1/keys", &new))).await;
        assert_eq!(again.status, 201, "the name is free again");
        let missing = ask(&state, by(&admin, TestRequest::delete().uri("/v1/keys/x"))).await;
        assert_eq!(missing.status, 404);
    }
}

#[cfg(feature = "postgres")]
#[actix_web::test]
async fn nobody_is_let_in_before_the_keys_are_known() {
    let state = state(&[
        "--database=postgres://me@127.0.0.1:1/none",
        "--store-wait-ms=500",
    ]);
    let refused = ask(&state, get("/v1/rulesets")).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (503, &json!("store_unavailable"))
    );
    assert_eq!(ask(&state, get("/healthz")).await.status, 200);
    assert_eq!(ask(&state, get("/readyz")).await.status, 503);
}

#[actix_web::test]
async fn no_case_has_an_id_that_no_path_leads_to() {
    for place in places("dots").await {
        let state = state(&[&place.flag()]);
        for id in [".", ".."] {
            let refused = ask(&state, post("/v1/cases", &case(id))).await;
            assert_eq!(
                (refused.status, &refused.json()["code"]),
                (422, &json!("case_faulty")),
                "{id}"
            );
        }
    }
}

#[actix_web::test]
async fn cases_are_revised_and_retired_and_keep_their_history() {
    for place in places("cases").await {
        let state = state(&[&place.flag()]);
        let added = ask(
            &state,
            post(
                "/v1/cases",
                &json!({"case": case("club-1"), "note": "首例"}),
            ),
        )
        .await;
        assert_eq!(
            (added.status, added.header("etag")),
            (201, "\"1\""),
            "{}",
            added.text
        );
        assert_eq!(
            ask(&state, post("/v1/cases", &case("club-1"))).await.status,
            409
        );
        let published = ask(&state, post("/v1/cases", &case("cxa-1999-01"))).await;
        assert_eq!(
            (published.status, &published.json()["code"]),
            (409, &json!("published_case"))
        );
        let mut faulty = case("club-2");
        faulty["moves"] = json!(["f0e0"]);
        let refused = ask(&state, post("/v1/cases", &faulty)).await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (422, &json!("case_faulty"))
        );
        // It names a file where cases are written into files.
        let long = ask(&state, post("/v1/cases", &case(&"x".repeat(201)))).await;
        assert_eq!(
            (long.status, &long.json()["code"]),
            (422, &json!("case_faulty"))
        );
        assert!(
            long.text.contains("at most 200 characters"),
            "{}",
            long.text
        );
        let none = ask(&state, get("/v1/cases/cxa-1999-01/revisions")).await;
        assert_eq!((none.status, &none.json()["revisions"]), (200, &json!([])));

        let shown = ask(&state, get("/v1/cases/club-1")).await;
        assert_eq!(shown.json()["why"]["zh"], "单方长将");
        let held = get("/v1/cases/club-1").insert_header(("If-None-Match", shown.header("etag")));
        let held = ask(&state, held).await;
        assert_eq!(
            (held.status, held.text.as_str(), held.header("etag")),
            (304, "", "\"1\"")
        );
        let mut revised = shown.json();
        revised["why"]["zh"] = json!("红方长将");
        let with =
            |at: &str| put("/v1/cases/club-1", &revised).insert_header(("If-Match", at.to_owned()));
        let first = ask(&state, with("\"1\"")).await;
        assert_eq!(
            (first.status, first.header("etag")),
            (200, "\"2\""),
            "{}",
            first.text
        );
        let late = ask(&state, with("\"1\"")).await;
        assert_eq!(
            (late.status, &late.json()["code"]),
            (412, &json!("revision_mismatch"))
        );
        assert_eq!(
            ask(&state, put("/v1/cases/club-9", &case("club-9")))
                .await
                .status,
            404
        );
        assert_eq!(
            ask(&state, put("/v1/cases/club-9", &case("club-1")))
                .await
                .json()["code"],
            "another_id"
        );

        let own = ask(&state, get("/v1/cases?origin=own")).await.json();
        assert_eq!(
            (&own["count"], &own["cases"][0]["revision"]),
            (&json!(1), &json!(2))
        );
        let all = counted(&state, "/v1/cases?limit=150").await;
        let published = counted(&state, "/v1/cases?origin=published&limit=150").await;
        assert_eq!(all, published + 1);

        let gone = ask(&state, TestRequest::delete().uri("/v1/cases/club-1"))
            .await
            .json();
        assert_eq!(
            (&gone["retired"], &gone["revision"]),
            (&json!(true), &json!(3))
        );
        assert_eq!(
            ask(&state, get("/v1/cases?origin=own")).await.json()["count"],
            0
        );
        let history = ask(&state, get("/v1/cases/club-1/revisions")).await.json();
        let history = history["revisions"].as_array().unwrap();
        assert_eq!(history.len(), 3);
        assert_eq!(
            (&history[2]["note"], &history[2]["case"]["why"]["zh"]),
            (&json!("首例"), &json!("单方长将"))
        );
    }
}

#[actix_web::test]
async fn cases_go_out_and_in_as_case_files() {
    for place in places("case-files").await {
        let state = state(&[&place.flag()]);
        for id in ["club-1", "club-2"] {
            assert_eq!(ask(&state, post("/v1/cases", &case(id))).await.status, 201);
        }
        let files = ask(&state, get("/v1/cases:export")).await.json();
        assert_eq!(files["files"].as_array().unwrap().len(), 2);
        let text = files["files"][0]["text"].as_str().unwrap();
        assert_eq!(qili::cases::Case::read(text).unwrap().id, "club-1");
        let mut changed = files.clone();
        changed["files"][0]["text"] = json!(text.replace("单方长将", "长将"));
        changed["files"][1]["text"] = json!(text.replace("club-1", "club-3"));
        let told = ask(&state, post("/v1/cases:import", &changed)).await.json();
        assert_eq!(
            told["cases"],
            json!([{"id": "club-1", "became": "revised"}, {"id": "club-3", "became": "created"}])
        );
        let told = ask(&state, post("/v1/cases:import", &changed)).await.json();
        assert_eq!(told["cases"][0]["became"], "unchanged");
        let mut bad = changed.clone();
        bad["files"][0]["text"] = json!("id = ");
        assert_eq!(
            ask(&state, post("/v1/cases:import", &bad)).await.json()["code"],
            "case_faulty"
        );
    }
}

#[actix_web::test]
async fn a_ruling_becomes_a_case_that_comes_out_as_it_says() {
    for place in places("ruling-case").await {
        let state = state(&[&place.flag()]);
        let sent = json!({"fen": FEN, "moves": MOVES, "record": true});
        let number = ask(&state, post("/v1/rulings", &sent)).await.number();
        let wanted = json!({"id": "club-7", "title": {"zh": "长将", "en": "Check"}});
        let saved = ask(&state, post(&format!("/v1/rulings/{number}:case"), &wanted)).await;
        assert_eq!(saved.status, 201, "{}", saved.text);
        let saved = saved.json();
        assert_eq!(
            (
                &saved["ruling"],
                &saved["case"]["expect"]["cxa-1999"]["outcome"]
            ),
            (&json!(number), &json!("loss"))
        );
        let case: qili::cases::Case = serde_json::from_value(saved["case"].clone()).unwrap();
        let book = qili::rules::Catalog::builtin().get("cxa-1999").unwrap();
        let ruling = qili::cases::ruling_on(&case, &book).unwrap();
        assert_eq!(ruling.verdict.clauses, case.expect["cxa-1999"].clauses);
    }
}

#[actix_web::test]
async fn what_was_proved_under_a_draft_stays_so_when_the_draft_goes_on() {
    for place in places("draft-proof").await {
        let state = state(&[&place.flag()]);
        let added = ask(&state, post("/v1/drafts", &json!({"amendment": AMENDMENT}))).await;
        assert_eq!(added.status, 201, "{}", added.text);
        let mut ruled = Vec::new();
        for rules in ["checks-permitted", "cxa-1999+pawn_upgrade=false"] {
            let sent = json!({"fen": FEN, "moves": MOVES, "rules": rules, "explain": "proof"});
            let answer = ask(&state, post("/v1/rulings", &sent)).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            ruled.push(answer.json());
        }
        let sent = json!({"fen": FEN, "moves": MOVES, "rules": "checks-permitted", "explain": "proof", "record": true});
        let number = ask(&state, post("/v1/rulings", &sent)).await.number();
        let other = AMENDMENT.replace("kill_is_attack = false", "pawn_upgrade = false");
        for turn in 0..2 {
            for ruling in &ruled {
                let told = ask(&state, post("/v1/proofs:verify", ruling)).await;
                assert_eq!(told.json()["verified"], true, "{turn}: {}", told.text);
            }
            let path = format!("/v1/rulings/{number}:verify");
            let told = ask(&state, post(&path, &json!(null))).await.json();
            assert_eq!(told["verified"], true, "{turn}: {told}");
            let change = json!({"amendment": other});
            let at = format!("\"{}\"", turn + 1);
            let change = put("/v1/drafts/checks-permitted", &change);
            let revised = ask(&state, change.insert_header(("If-Match", at))).await;
            assert!(revised.status == 200 || turn > 0, "{}", revised.text);
        }
        // By another text of the draft it is not proved.
        let mut forged = ruled[0]["proof"].clone();
        forged["rules"]["digest"] = ruled[1]["rules"]["digest"].clone();
        let told = ask(&state, post("/v1/proofs:verify", &forged)).await.json();
        assert_eq!(
            (&told["verified"], &told["claim"]),
            (&json!(false), &json!("rules.digest"))
        );
        forged["rules"]["id"] = json!("cxa-1999+nobody");
        let told = ask(&state, post("/v1/proofs:verify", &forged)).await;
        assert_eq!(
            (told.status, &told.json()["code"]),
            (422, &json!("unknown_rules"))
        );
    }
}

#[actix_web::test]
async fn in_a_draft_a_parameter_is_tried_and_a_draft_is_compared_like_any_book() {
    for place in places("draft-tried").await {
        let state = state(&[&place.flag()]);
        let draft = ask(&state, post("/v1/drafts", &json!({"amendment": AMENDMENT}))).await;
        assert_eq!(draft.status, 201, "{}", draft.text);
        let digest = &draft.json()["digest"];
        let by =
            |rules: &str| json!({"fen": FEN, "moves": MOVES, "rules": rules, "explain": "proof"});
        for rules in [
            "checks-permitted+pawn_upgrade=false",
            "checks-permitted@1+pawn_upgrade=false",
        ] {
            let tried = ask(&state, post("/v1/rulings", &by(rules))).await;
            assert_eq!(tried.status, 200, "{}", tried.text);
            let tried = tried.json();
            let id = "cxa-1999+checks-permitted+pawn_upgrade=false";
            assert_eq!(tried["rules"]["id"], id);
            assert_ne!(&tried["rules"]["digest"], digest);
            let verified = ask(&state, post("/v1/proofs:verify", &tried)).await;
            assert_eq!(verified.json()["verified"], true, "{}", verified.text);
            let mut kept = by(rules);
            kept["record"] = json!({"event": "trial"});
            let kept = ask(&state, post("/v1/rulings", &kept)).await;
            assert_eq!(kept.json()["code"], "trial_book", "{}", kept.text);
        }
        let bad = ask(&state, post("/v1/rulings", &by("checks-permitted+pawn=1"))).await;
        assert_eq!(
            (bad.status, &bad.json()["code"], &bad.json()["pointer"]),
            (422, &json!("bad_setting"), &json!("/rules"))
        );

        // It may be rewritten at any moment: only a version of it is held.
        let asked = "fen=2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1_w&moves=f0e0,e8f8,e0f0,f8e8";
        for (book, held) in [
            ("checks-permitted", "no-cache"),
            ("checks-permitted@1", "public, max-age=86400"),
        ] {
            let path = format!("/v1/rulings:judge?{asked}&rules={book}");
            let answer = ask(&state, get(&path)).await;
            assert_eq!(answer.header("cache-control"), held, "{}", answer.text);
        }

        let shown = ask(&state, get("/v1/rulesets/checks-permitted")).await;
        assert_eq!((shown.status, &shown.json()["digest"]), (200, digest));
        let compare = async |trial: &Value| {
            let answer = ask(&state, post("/v1/amendments:compare", trial)).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            answer.json()
        };
        let flipped = |told: &Value| told["counts"]["flipped"].as_u64().unwrap();
        let there = compare(&json!({"base": "cxa-1999", "with": "checks-permitted"})).await;
        let back = compare(&json!({"base": "checks-permitted", "with": "cxa-1999"})).await;
        assert!(flipped(&there) > 0, "{}", there["counts"]);
        assert_eq!(flipped(&there), flipped(&back));
        let trial = json!({"base": "checks-permitted", "set": ["kill_is_attack=true"]});
        assert_eq!(
            flipped(&compare(&trial).await),
            flipped(&there),
            "with what the draft changes at its old value again it rules as the book does"
        );

        // Whoever has an amendment must be able to read it without this store.
        let over = AMENDMENT
            .replace("\"checks-permitted\"", "\"over\"")
            .replace("\"cxa-1999\"", "\"checks-permitted\"");
        let over = ask(&state, post("/v1/drafts", &json!({"amendment": over}))).await;
        assert_eq!(
            (over.status, &over.json()["code"], &over.json()["pointer"]),
            (422, &json!("unknown_rules"), &json!("/amendment/base"))
        );
    }
}

#[actix_web::test]
async fn a_draft_is_discussed_ruled_by_and_compared() {
    for place in places("drafts").await {
        let state = state(&[&place.flag()]);
        let added = ask(&state, post("/v1/drafts", &json!({"amendment": AMENDMENT}))).await;
        assert_eq!(added.status, 201, "{}", added.text);
        assert_eq!(
            (&added.json()["status"], &added.json()["title"]),
            (&json!("draft"), &json!("试拟"))
        );
        assert_eq!(
            ask(&state, post("/v1/drafts", &json!({"amendment": AMENDMENT})))
                .await
                .status,
            409
        );
        let bad = AMENDMENT.replace("kill_is_attack", "kill_is_atack");
        assert_eq!(
            ask(&state, post("/v1/drafts", &json!({"amendment": bad})))
                .await
                .json()["code"],
            "amendment_faulty"
        );

        let sent =
            |rules: &str| json!({"fen": FEN, "moves": MOVES, "rules": rules, "record": true});
        let ruled = ask(&state, post("/v1/rulings", &sent("checks-permitted"))).await;
        let number = ruled.number();
        assert_eq!(ruled.json()["rules"]["id"], "cxa-1999+checks-permitted");
        assert_eq!(ruled.json()["rules"]["digest"], added.json()["digest"]);
        // By the name that its rulings have it is found as well.
        let again = ask(
            &state,
            post("/v1/rulings", &sent("cxa-1999+checks-permitted")),
        )
        .await;
        assert_eq!(
            again.json()["rules"],
            ruled.json()["rules"],
            "{}",
            again.text
        );
        let other = ask(&state, post("/v1/rulings", &sent("wxf+checks-permitted"))).await;
        assert_eq!(other.json()["code"], "unknown_rules");
        for rules in ["checks-permitted", "cxa-1999%2Bchecks-permitted"] {
            let listed = ask(&state, get(&format!("/v1/rulings?rules={rules}"))).await;
            assert_eq!(
                listed.json()["items"].as_array().unwrap().len(),
                2,
                "{rules}"
            );
        }
        for none in ["-1", "0", "2", "x", ""] {
            let rules = format!("checks-permitted@{none}");
            let asked = ask(&state, post("/v1/rulings", &sent(&rules))).await;
            assert_eq!(asked.json()["code"], "unknown_rules_version", "{none}");
        }

        let other = AMENDMENT.replace("kill_is_attack = false", "pawn_upgrade = false");
        let path = "/v1/drafts/checks-permitted";
        let change = json!({"amendment": other, "status": "proposed"});
        let revised = ask(
            &state,
            put(path, &change).insert_header(("If-Match", "\"1\"")),
        )
        .await;
        assert_eq!(
            (revised.status, &revised.json()["version"]),
            (200, &json!(2)),
            "{}",
            revised.text
        );
        let last = put(path, &change).insert_header(("If-Match", "\"9223372036854775807\""));
        assert_eq!(ask(&state, last).await.status, 412);
        let late = ask(
            &state,
            put(path, &change).insert_header(("If-Match", "\"1\"")),
        )
        .await;
        assert_eq!(late.status, 412);
        let now = ask(&state, post("/v1/rulings", &sent("checks-permitted")))
            .await
            .json();
        assert_eq!(now["rules"]["digest"], revised.json()["digest"]);
        let then = ask(&state, post("/v1/rulings", &sent("checks-permitted@1"))).await;
        assert_eq!(then.json()["rules"]["digest"], added.json()["digest"]);
        let kept = ask(&state, get(&format!("/v1/rulings/{}", then.number())))
            .await
            .json();
        assert_eq!(kept["request"]["rules"], "checks-permitted@1");
        let unknown = ask(&state, post("/v1/rulings", &sent("checks-permitted@9"))).await;
        assert_eq!(
            (unknown.status, &unknown.json()["code"]),
            (422, &json!("unknown_rules_version"))
        );
        assert!(
            unknown.text.contains("there is `2`, `1`"),
            "{}",
            unknown.text
        );

        // Whatever becomes of the draft, the ruling rests on the book it was given under.
        let told = ask(
            &state,
            post(&format!("/v1/rulings/{number}:replay"), &json!(null)),
        )
        .await
        .json();
        assert_eq!(told["changed"], false, "{told}");

        let note = ask(
            &state,
            post(&format!("{path}/notes"), &json!({"text": "再议"})),
        )
        .await;
        assert_eq!((note.status, &note.json()["version"]), (201, &json!(2)));
        let notes = format!("{path}/notes");
        let named = json!({"text": "同意", "by": " 周某 "});
        let named = ask(&state, post(&notes, &named)).await.json();
        assert_eq!(named["caller"], "周某");
        let long = json!({"text": "同意", "by": "周".repeat(81)});
        let long = ask(&state, post(&notes, &long)).await;
        assert_eq!((long.status, &long.json()["pointer"]), (422, &json!("/by")));
        let report = ask(&state, post(&format!("{path}/reports"), &json!(null))).await;
        assert_eq!(report.status, 201, "{}", report.text);
        let whole = ask(&state, get(report.header("location"))).await.json();
        assert_eq!(whole["counts"], report.json()["summary"]);
        let draft = ask(&state, get(path)).await.json();
        assert_eq!(
            (&draft["notes"][0]["text"], &draft["status"]),
            (&json!("再议"), &json!("proposed"))
        );
        assert_eq!(draft["reports"].as_array().unwrap().len(), 1);
        let versions = ask(&state, get(&format!("{path}/versions"))).await.json();
        assert_eq!(versions["versions"].as_array().unwrap().len(), 2);
        for none in ["none", "none/versions", "none/versions?cursor=3"] {
            let none = ask(&state, get(&format!("/v1/drafts/{none}"))).await;
            assert_eq!(none.json()["code"], "unknown_draft", "{}", none.text);
        }
        // A version has one name.
        for name in ["checks-permitted@01", "checks-permitted@+1"] {
            let unknown = ask(&state, post("/v1/rulings", &sent(name))).await;
            assert_eq!(unknown.json()["code"], "unknown_rules_version");
        }
        // What is wrong with an object is not told as of a file.
        let mut object = json!({"id": "x", "base": "cxa-1999", "effective": "2027-01-01"});
        object["title"] = json!({"zh": "试", "en": "A trial"});
        object["reason"] = object["title"].clone();
        object["definition"] = json!({"pawn_upgrade": false});
        let bad = ask(&state, post("/v1/drafts", &json!({"amendment": object}))).await;
        assert_eq!(bad.status, 422);
        assert!(
            bad.text.contains("unknown field `definition`"),
            "{}",
            bad.text
        );
    }
}

#[actix_web::test]
async fn an_old_draft_is_ruled_by_however_many_versions_others_have() {
    for place in places("drafts-many").await {
        let state = state(&[&place.flag()]);
        let added = ask(&state, post("/v1/drafts", &json!({"amendment": AMENDMENT}))).await;
        assert_eq!(added.status, 201, "{}", added.text);
        let many = "BEGIN; INSERT INTO drafts (id, version) VALUES ('many', 10001); \
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001) \
            INSERT INTO draft_versions SELECT 'many', i, changed_at + i, caller, title, status, digest, amendment \
            FROM draft_versions, n WHERE version = 1; COMMIT;";
        on(&place.url, many).await;
        let store = state.store.as_ref().unwrap();
        while store.draft_books().get("many").is_none() {
            actix_web::rt::time::sleep(Duration::from_millis(50)).await;
        }
        let known = store.draft_books();
        assert!(known.get("checks-permitted").is_some());
        assert!(known.get("many@1").is_none());
        // Nothing has changed since: nothing is read again.
        actix_web::rt::time::sleep(Duration::from_millis(2500)).await;
        assert!(Arc::ptr_eq(&known, &store.draft_books()));
    }
}

/// Everything there can be in a store.
async fn fill(place: &Place) {
    let state = state(&[&place.flag()]);
    let mut number = Value::Null;
    for id in 0..40 {
        let record = json!({"event": "杯赛\u{1F409}", "supersedes": number});
        let record = if number.is_null() {
            json!(true)
        } else {
            record
        };
        let sent = json!({"id": id, "fen": FEN, "moves": MOVES, "record": record});
        let request =
            post("/v1/rulings", &sent).insert_header(("Idempotency-Key", format!("k{id}")));
        number = json!(ask(&state, request).await.number());
    }
    let bad = json!({"fen": FEN, "moves": ["a0a1"], "record": true});
    assert_eq!(ask(&state, post("/v1/rulings", &bad)).await.status, 422);
    assert_eq!(
        ask(&state, post("/v1/cases", &case("club-1"))).await.status,
        201
    );
    assert_eq!(
        ask(&state, post("/v1/drafts", &json!({"amendment": AMENDMENT})))
            .await
            .status,
        201
    );
    let path = "/v1/drafts/checks-permitted/notes";
    assert_eq!(
        ask(&state, post(path, &json!({"text": "再议"})))
            .await
            .status,
        201
    );
    assert_eq!(
        ask(
            &state,
            post("/v1/drafts/checks-permitted/reports", &json!(null))
        )
        .await
        .status,
        201
    );
    key(&state, "chief", &[KeyScope::Judge, KeyScope::Admin]).await;
    state.store.as_ref().unwrap().close().await;
}

fn off_the_runtime<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::spawn(work).join().unwrap()
}

#[actix_web::test]
async fn a_backup_restores_everything_into_either_kind() {
    let from = places("backup-from").await;
    let to = places("backup-to").await;
    for place in &from {
        fill(place).await;
        // Where clocks differed a ruling may take the place of one with a greater number.
        let link = "UPDATE rulings SET supersedes = (SELECT max(number) FROM rulings) \
            WHERE number = (SELECT min(number) FROM rulings)";
        on(&place.url, link).await;
    }
    for (index, place) in from.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let file = folder.join(format!("backup-{index}.gz"));
        std::fs::remove_file(&file).ok();
        let (url, path) = (place.url.clone(), file.clone());
        let made = off_the_runtime(move || backup(&url, &path)).unwrap();
        assert_eq!((made.rulings, &verify(&file).unwrap()), (40, &made));
        // Into the other kind, where there is one.
        let target = to.get(to.len() - 1 - index).unwrap();
        let (url, path) = (target.url.clone(), file.clone());
        let put = off_the_runtime(move || restore(&path, &url)).unwrap();
        assert_eq!(put, made);
        let linked = "SELECT count(*) FROM rulings WHERE supersedes IS NOT NULL";
        let forward = "SELECT count(*) FROM rulings WHERE supersedes > number";
        for url in [&place.url, &target.url] {
            assert_eq!(count(url, linked).await, 40, "{url}");
            assert_eq!(count(url, forward).await, 1, "{url}");
        }
        let (url, path) = (target.url.clone(), file.clone());
        let twice = off_the_runtime(move || restore(&path, &url)).unwrap_err();
        assert!(twice.to_string().contains("not empty"), "{twice}");
        let again = folder.join(format!("backup-{index}-again.gz"));
        std::fs::remove_file(&again).ok();
        let (url, path) = (target.url.clone(), again.clone());
        let second = off_the_runtime(move || backup(&url, &path)).unwrap();
        assert_eq!((second.rows, second.rulings), (made.rows, made.rulings));

        // One flipped byte, or a missing end, is found.
        let bytes = std::fs::read(&file).unwrap();
        for damaged in [
            bytes[..bytes.len() / 2].to_vec(),
            {
                let mut b = bytes.clone();
                let at = b.len() / 2;
                b[at] ^= 1;
                b
            },
            Vec::new(),
        ] {
            let path = folder.join(format!("backup-{index}-damaged.gz"));
            std::fs::write(&path, damaged).unwrap();
            let fault = verify(&path).unwrap_err().to_string();
            assert!(fault.contains("no whole backup"), "{fault}");
        }
        let (url, path) = (place.url.clone(), file.clone());
        let there = off_the_runtime(move || backup(&url, &path)).unwrap_err();
        assert!(there.to_string().contains("exists"), "{there}");
    }
}

#[actix_web::test]
async fn every_released_schema_is_brought_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/store");
    let mut seen = 0;
    for schema in 1..=qili::store::SCHEMA {
        for place in places(&format!("schema-{schema}")).await {
            let kind = if place.file.is_some() {
                "sqlite"
            } else {
                "postgres"
            };
            let file = folder.join(format!("schema-{schema}-{kind}.sql"));
            let text = std::fs::read_to_string(&file).unwrap();
            if let Some(file) = &place.file {
                std::fs::File::create(file).unwrap();
            }
            on(&place.url, &text).await;
            let url = place.url.clone();
            drop(off_the_runtime(move || Store::open(&url, Options::default())).unwrap());
            let state = state(&[&place.flag()]);
            // One of its keys was revoked: they are asked for since.
            assert_eq!(ask(&state, get("/v1/rulings")).await.status, 401);
            let heir = key(&state, "heir", &[KeyScope::Judge, KeyScope::Admin]).await;
            let by = |request: TestRequest| {
                request.insert_header(("Authorization", format!("Bearer {heir}")))
            };
            let page = ask(&state, by(get("/v1/rulings"))).await.json();
            let number = page["items"][0]["number"].as_str().unwrap().to_owned();
            let replay = post(&format!("/v1/rulings/{number}:replay"), &json!(null));
            let told = ask(&state, by(replay)).await.json();
            assert_eq!(told["verdict_changed"], false, "{told}");
            for path in ["/v1/cases/club-1", "/v1/drafts/checks-permitted"] {
                assert_eq!(ask(&state, by(get(path))).await.status, 200, "{path}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 1);
}

/// Every page of a list, from the first on: what stands in it under `name`.
async fn pages(state: &Arc<State>, path: &str, name: &str) -> Vec<Vec<Value>> {
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = ask(state, get(&format!("{path}{cursor}"))).await;
        assert_eq!(page.status, 200, "{path}{cursor}: {}", page.text);
        let page = page.json();
        found.push(page.get(name).and_then(Value::as_array).unwrap().clone());
        assert!(found.len() < 100, "{path} never ends");
        let Some(next) = page.get("next").and_then(Value::as_str) else {
            return found;
        };
        cursor = format!("&cursor={next}");
    }
}

#[actix_web::test]
async fn lists_are_told_a_page_at_a_time() {
    for place in places("pages").await {
        let state = state(&[&place.flag()]);
        for id in 0..7 {
            let added = ask(&state, post("/v1/cases", &case(&format!("club-{id}")))).await;
            assert_eq!(added.status, 201, "{}", added.text);
        }
        let lengths = |pages: &[Vec<Value>]| pages.iter().map(Vec::len).collect::<Vec<_>>();
        let found = pages(&state, "/v1/cases?origin=own&limit=3", "cases").await;
        assert_eq!(lengths(&found), [3, 3, 1]);
        let ids: Vec<_> = found.iter().flatten().map(|case| &case["id"]).collect();
        let all: Vec<_> = (0..7).map(|id| json!(format!("club-{id}"))).collect();
        assert_eq!(ids, all.iter().collect::<Vec<_>>());
        let none = pages(&state, "/v1/cases?origin=own&verdict=draw&limit=3", "cases").await;
        assert_eq!(lengths(&none), [0]);
        // The published ones come first, and not one of either is lost between pages.
        let both = pages(&state, "/v1/cases?limit=60", "cases").await;
        let both: Vec<_> = both.into_iter().flatten().collect();
        let published = qili::cases::Corpus::builtin().iter().count();
        assert_eq!(both.len(), published + 7);
        assert!(
            both[..published]
                .iter()
                .all(|case| case["origin"] == "published")
        );

        for at in 1..5 {
            let mut changed = case("club-0");
            changed["title"] = json!({"zh": format!("第{at}稿"), "en": format!("Draft {at}")});
            let revised = ask(&state, put("/v1/cases/club-0", &changed)).await;
            assert_eq!(revised.status, 200, "{}", revised.text);
        }
        let found = pages(&state, "/v1/cases/club-0/revisions?limit=2", "revisions").await;
        assert_eq!(lengths(&found), [2, 2, 1]);
        let revisions: Vec<_> = found.iter().flatten().map(|own| &own["revision"]).collect();
        assert_eq!(revisions, [5, 4, 3, 2, 1]);

        for at in 0..3 {
            let text = AMENDMENT.replace("checks-permitted", &format!("trial-{at}"));
            let added = ask(&state, post("/v1/drafts", &json!({"amendment": text}))).await;
            assert_eq!(added.status, 201, "{}", added.text);
            let title = json!({"title": format!("试拟{at}")});
            ask(&state, put("/v1/drafts/trial-0", &title)).await;
            let made = ask(&state, post("/v1/drafts/trial-0/reports", &json!({}))).await;
            assert_eq!(made.status, 201, "{}", made.text);
            let note = json!({"text": format!("第{at}条意见")});
            let noted = ask(&state, post("/v1/drafts/trial-0/notes", &note)).await;
            assert_eq!(noted.status, 201, "{}", noted.text);
        }
        let found = pages(&state, "/v1/drafts/trial-0/notes?limit=2", "notes").await;
        assert_eq!(lengths(&found), [2, 1]);
        let whole = ask(&state, get("/v1/drafts/trial-0")).await.json();
        let texts = |notes: &Value| -> Vec<String> {
            let notes = notes.as_array().unwrap().iter();
            notes
                .map(|note| note["text"].as_str().unwrap().to_owned())
                .collect()
        };
        let told = found.iter().map(|page| texts(&json!(page))).rev();
        let newest_last: Vec<_> = told.flat_map(|page| page.into_iter().rev()).collect();
        assert_eq!(newest_last, ["第0条意见", "第1条意见", "第2条意见"]);
        assert_eq!(texts(&whole["notes"]), newest_last);
        let found = pages(&state, "/v1/drafts?limit=2", "drafts").await;
        assert_eq!(lengths(&found), [2, 1]);
        let found = pages(&state, "/v1/drafts/trial-0/versions?limit=3", "versions").await;
        assert_eq!(lengths(&found), [3, 1]);
        assert_eq!(found[1][0]["version"], 1);
        let found = pages(&state, "/v1/drafts/trial-0/reports?limit=2", "reports").await;
        assert_eq!(lengths(&found), [2, 1]);

        for (path, status) in [
            ("/v1/cases?limit=0", 400),
            ("/v1/cases?limit=201", 400),
            ("/v1/cases?cursor=club-1", 400),
            ("/v1/cases?cursor=published:nowhere", 400),
            ("/v1/cases/club-0/revisions?cursor=two", 400),
            ("/v1/cases/none/revisions", 404),
            ("/v1/drafts?limit=1000", 400),
            ("/v1/keys?cursor=first", 400),
        ] {
            assert_eq!(ask(&state, get(path)).await.status, status, "{path}");
        }
        let admin = key(&state, "chief", &[KeyScope::Judge, KeyScope::Admin]).await;
        key(&state, "other", &[KeyScope::Judge]).await;
        let mut names = Vec::new();
        let mut cursor = String::new();
        for _ in 0..2 {
            let asked = get(&format!("/v1/keys?limit=1{cursor}"));
            let asked = asked.insert_header(("Authorization", format!("Bearer {admin}")));
            let page = ask(&state, asked).await.json();
            names.push(page["keys"][0]["name"].clone());
            cursor = format!("&cursor={}", page["next"].as_str().unwrap_or_default());
        }
        assert_eq!(
            (names, cursor.as_str()),
            (vec![json!("other"), json!("chief")], "&cursor=")
        );
    }
}
