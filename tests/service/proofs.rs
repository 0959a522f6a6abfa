//! Certificates over HTTP: the same ones whoever asks, and what is said of those that are sent.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use super::served::settings;
use actix_web::body::MessageBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::test as harness;
use qili::calls::{Operation, answer};
use qili::cases::Corpus;
use qili::http::{State, app};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

const CHECKS: &str = r#"{"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"], "explain": "proof"}"#;

fn state(flags: &[&str]) -> Arc<State> {
    Arc::new(State::new(settings(flags)).unwrap())
}

async fn post<S, B>(service: &S, path: &str, body: impl Into<String>) -> (u16, String)
where
    S: Service<actix_http::Request, Response = ServiceResponse<B>, Error = actix_web::Error>,
    B: MessageBody,
{
    let request = harness::TestRequest::post()
        .uri(path)
        .peer_addr("192.0.2.7:4000".parse().unwrap())
        .set_payload(body.into());
    let response = harness::call_service(service, request.to_request()).await;
    let status = response.status().as_u16();
    let body = harness::read_body(response).await;
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// 1999, figure 2, which takes numbers to prove.
const THREATS: &str = r#"{"fen": "2ba1k3/4a4/4b4/9/1n5R1/9/9/4B4/4A4/2BAK4 w", "moves": ["h5h9", "f9f8", "h9h5", "f8f9"], "explain": "proof"}"#;

/// Its certificate.
fn certificate() -> Value {
    let ruling = answer(Operation::Judge, THREATS.as_bytes()).unwrap();
    read(&ruling)["proof"].clone()
}

/// What the command says to lines.
fn by_command(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    let command = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let written = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    written.join().unwrap().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[actix_web::test]
async fn a_certificate_is_the_same_whoever_asks() {
    let corpus = Corpus::builtin();
    let cases = corpus
        .iter()
        .filter(|case| case.source.book == "cxa-1999")
        .take(12);
    let requests: Vec<String> = cases
        .map(|case| {
            let asked =
                json!({"id": case.id, "fen": case.fen, "moves": case.moves, "explain": "proof"});
            asked.to_string()
        })
        .collect();
    assert!(requests.len() > 8);
    let lines = requests.join("\n") + "\n";
    let told = by_command(&["judge", "--format", "ndjson"], &lines);
    let service = harness::init_service(app(state(&[]))).await;
    let (status, batch) = post(&service, "/v1/rulings:batch", lines).await;
    assert_eq!((status, &batch), (200, &told));
    // A third time they are remembered.
    for _ in 0..2 {
        for (request, told) in requests.iter().zip(told.lines()) {
            let (status, ruling) = post(&service, "/v1/rulings", request.as_str()).await;
            assert_eq!((status, ruling.as_str()), (200, told));
            assert_eq!(answer(Operation::Judge, request.as_bytes()).unwrap(), told);
        }
    }
    let (mut proved, mut aimed) = (0, 0);
    for told in told
        .lines()
        .map(read)
        .filter(|told| told.get("proof").is_some())
    {
        let sent = told["proof"].to_string();
        let (status, said) = post(&service, "/v1/proofs:verify", sent.as_str()).await;
        assert_eq!(status, 200, "{said}");
        assert_eq!(answer(Operation::Verify, sent.as_bytes()).unwrap(), said);
        let said = read(&said);
        assert_eq!(said["verified"], true, "{said}");
        assert_eq!(said["moves"], told["moves"].as_array().unwrap().len());
        // In its ruling it proves that.
        let ruling = told.to_string();
        let (_, again) = post(&service, "/v1/proofs:verify", ruling.as_str()).await;
        assert_eq!(read(&again), said);
        assert_eq!(answer(Operation::Verify, ruling.as_bytes()).unwrap(), again);
        let other = ["offer", "follow"].map(|nature| json!(nature));
        let other = other
            .into_iter()
            .find(|one| *one != told["moves"][0]["nature"]);
        for (pointer, other, claim) in [
            ("/verdict/outcome", json!("none"), "ruling.verdict.outcome"),
            ("/verdict/outcome", json!(7), "ruling.verdict.outcome"),
            (
                "/verdict/clauses",
                json!(["24.9"]),
                "ruling.verdict.clauses",
            ),
            ("/verdict/clauses", Value::Null, "ruling.verdict.clauses"),
            ("/verdict/side", json!(["red"]), "ruling.verdict.side"),
            ("/moves/0/nature", json!(other), "ruling.moves.nature"),
            ("/moves/0/nature", json!(1), "ruling.moves.nature"),
            ("/moves/1/iccs", json!("a0a1"), "ruling.moves"),
            ("/moves", json!([]), "ruling.moves"),
            ("/moves", json!("none"), "ruling.moves"),
            ("/rules/digest", json!("sha256:0"), "ruling.rules"),
        ] {
            let mut forged = told.clone();
            *forged.pointer_mut(pointer).unwrap() = other;
            let (_, said) = post(&service, "/v1/proofs:verify", forged.to_string()).await;
            let said = read(&said);
            assert_eq!(
                (&said["verified"], &said["claim"]),
                (&json!(false), &json!(claim)),
                "{pointer}"
            );
            assert!(said["detail_zh"].as_str().unwrap().starts_with("证书所说"));
        }
        proved += 1;
        let claimed = told["proof"]["claims"]["targets"].as_array().unwrap();
        for (ply, targets) in claimed.iter().enumerate() {
            let targets = targets.as_array().unwrap();
            let rooted = targets.iter().any(|target| !target["root"].is_null());
            let mut forgeries = vec![json!([])];
            if rooted {
                let others = told["moves"][ply]["targets"].as_array().unwrap();
                let rooted = others.iter().cloned().map(|mut target| {
                    target["root"] = json!("rooted");
                    target
                });
                forgeries.push(rooted.collect());
            }
            for other in forgeries.into_iter().filter(|_| !targets.is_empty()) {
                let mut forged = told.clone();
                forged["moves"][ply]["targets"] = other;
                let (_, said) = post(&service, "/v1/proofs:verify", forged.to_string()).await;
                let said = read(&said);
                assert_eq!(
                    (&said["claim"], &said["ply"]),
                    (&json!("ruling.moves.targets"), &json!(ply)),
                    "{said}"
                );
                aimed += 1;
            }
        }
    }
    assert!(proved > 8 && aimed > 8, "{proved} {aimed}");
}

#[actix_web::test]
async fn what_was_due_in_a_game_is_proved_too() {
    let service = harness::init_service(app(state(&[]))).await;
    let cycle = ["f0e0", "e8f8", "e0f0", "f8e8"];
    let game = json!({"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": cycle.repeat(4), "kind": "game", "explain": "proof"});
    let (status, audit) = post(&service, "/v1/games:audit", game.to_string()).await;
    assert_eq!(status, 200, "{audit}");
    let audit = read(&audit);
    let pending = audit["pending"].as_array().unwrap();
    assert!(!pending.is_empty());
    for due in pending {
        let (_, said) = post(&service, "/v1/proofs:verify", due["ruling"].to_string()).await;
        assert_eq!(read(&said)["verified"], true, "{said}");
    }
}

#[actix_web::test]
async fn what_is_remembered_with_a_certificate_is_not_given_to_who_asked_for_none() {
    let service = harness::init_service(app(state(&[]))).await;
    let notes = CHECKS.replace("proof", "notes");
    for _ in 0..2 {
        let (_, proved) = post(&service, "/v1/rulings", CHECKS).await;
        let (_, told) = post(&service, "/v1/rulings", notes.as_str()).await;
        assert!(read(&proved)["proof"].is_object());
        assert!(read(&told).get("proof").is_none());
        assert!(proved.starts_with(told.strip_suffix('}').unwrap()));
    }
    // Nor to who gets it with a tag.
    let mut tags = Vec::new();
    for explain in ["notes", "proof"] {
        let uri = format!(
            "/v1/rulings:judge?fen=2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1_w&moves=f0e0,e8f8,e0f0,f8e8&explain={explain}"
        );
        let request = harness::TestRequest::get().uri(&uri);
        let request = request.peer_addr("192.0.2.7:4000".parse().unwrap());
        let response = harness::call_service(&service, request.to_request()).await;
        tags.push(response.headers().get("etag").unwrap().clone());
        let body = harness::read_body(response).await;
        let ruling: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(ruling.get("proof").is_some(), explain == "proof");
    }
    assert_ne!(tags[0], tags[1]);
}

#[actix_web::test]
async fn what_is_changed_is_refused_with_its_place() {
    let service = harness::init_service(app(state(&[]))).await;
    let good = certificate();
    for (place, other, claim, ply) in [
        (
            "/claims/natures/1",
            json!("chase"),
            "claims.natures",
            json!(1),
        ),
        (
            "/claims/outcome",
            json!("draw"),
            "claims.outcome",
            json!(null),
        ),
        ("/claims/side", json!("black"), "claims.side", json!(null)),
        (
            "/rules/digest",
            json!("sha256:0"),
            "rules.digest",
            json!(null),
        ),
        ("/proof", json!(""), "proof", json!(2)),
    ] {
        let mut changed = good.clone();
        *changed.pointer_mut(place).unwrap() = other;
        let (status, said) = post(&service, "/v1/proofs:verify", changed.to_string()).await;
        let said = read(&said);
        assert_eq!((status, &said["verified"]), (200, &json!(false)), "{place}");
        assert_eq!(
            (&said["claim"], &said["ply"]),
            (&json!(claim), &ply),
            "{place}: {said}"
        );
    }
}

#[actix_web::test]
async fn what_is_no_certificate_is_told_as_a_problem() {
    let service = harness::init_service(app(state(&["--max-moves=50", "--max-body=20000"]))).await;
    let good = certificate();
    let changed = |place: &str, other: Value| {
        let mut changed = good.clone();
        *changed.pointer_mut(place).unwrap() = other;
        changed.to_string()
    };
    let long = json!(vec!["f0e0"; 51]);
    for (body, status, code, pointer) in [
        ("{".to_owned(), 400, "json_syntax", json!(null)),
        ("{}".to_owned(), 422, "request_shape", json!(null)),
        (
            changed("/claims/natures/1", json!("chess")),
            422,
            "request_shape",
            json!("/claims/natures/1"),
        ),
        (
            changed("/moves/0", json!("f0")),
            422,
            "request_shape",
            json!("/moves/0"),
        ),
        (
            changed("/rules/id", json!("cxa-1998")),
            422,
            "unknown_rules",
            json!("/rules"),
        ),
        (
            changed("/rules/version", json!("9.9.9")),
            422,
            "unknown_rules_version",
            json!("/rules"),
        ),
        (
            changed("/moves", long),
            422,
            "too_many_moves",
            json!("/moves"),
        ),
        (
            changed("/proof", json!("A".repeat(20_000))),
            413,
            "body_too_large",
            json!(null),
        ),
    ] {
        let (answered, said) = post(&service, "/v1/proofs:verify", body).await;
        let said = read(&said);
        assert_eq!((answered, &said["code"]), (status, &json!(code)), "{said}");
        assert_eq!(said["pointer"], pointer, "{said}");
    }
}
