//! Who is let in: every operation by every kind of key, under every way to write its path; and
//! requests that name other hosts or come from pages of other origins.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "test code: what is missing fails the test"
)]

use super::served::settings;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::{Method, Uri, Version, header};
use actix_web::test as harness;
use qili::http::{State, app, sites};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

fn started(flags: &[&str]) -> Result<Arc<State>, qili::http::StartError> {
    State::new(settings(flags)).map(Arc::new)
}

fn state(flags: &[&str]) -> Arc<State> {
    started(flags).unwrap()
}

/// A folder of a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("doors-{name}"));
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Keys of one scope each, under its name.
const KEYS: [&str; 4] = ["judge", "write", "admin", "record"];

fn keys_file(folder: &std::path::Path) -> PathBuf {
    use sha2::{Digest, Sha256};
    let line = |scope: &str| {
        let digest = Sha256::digest(scope.as_bytes());
        let digits: Vec<String> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{} {scope} {scope}\n", digits.concat())
    };
    let text: String = KEYS.map(line).concat();
    let file = folder.join("keys");
    std::fs::write(&file, text).unwrap();
    file
}

/// A path with every part named.
fn filled(path: &str) -> String {
    let mut filled = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        filled.push('x');
        rest = after.split_once('}').unwrap().1;
    }
    filled + rest
}

/// Other ways to write a path.
fn ways(path: &str) -> Vec<String> {
    let mut ways = Vec::new();
    let escaped = |byte: u8| format!("%{byte:02x}");
    for at in 0..path.len() {
        let (before, rest) = path.split_at(at);
        let (first, after) = rest.split_at(1);
        let byte = first.as_bytes()[0];
        ways.push(format!("{before}{}{after}", escaped(byte)));
        ways.push(format!("{before}{}{after}", escaped(byte).to_uppercase()));
        ways.push(format!("{before}%25{byte:02x}{after}"));
        if byte == b'/' {
            for other in [
                "//",
                "/./",
                "/x/../",
                "/%2e/",
                "/x/%2e%2e/",
                "\\",
                "/;/",
                "%2f/",
            ] {
                ways.push(format!("{before}{other}{after}"));
            }
        }
    }
    ways.push(path.to_uppercase());
    ways.push(path.bytes().map(escaped).collect());
    for behind in [
        "/",
        "//",
        "/.",
        "%00",
        "%20",
        ".",
        ";",
        ";x=1",
        "?",
        "?x=/v1/status",
        "%3f",
        "/healthz",
        "#",
    ] {
        ways.push(format!("{path}{behind}"));
    }
    for before in [
        "/.",
        "//",
        "/healthz/..",
        "/v1/..",
        "http://localhost",
        "/docs/..",
    ] {
        ways.push(format!("{before}{path}"));
    }
    ways
}

async fn status_of<S, B>(service: &S, method: &str, path: &str, key: Option<&str>) -> Option<u16>
where
    S: Service<actix_http::Request, Response = ServiceResponse<B>, Error = actix_web::Error>,
    B: actix_web::body::MessageBody,
{
    // What is no address at all is not even sent.
    let uri: Uri = path.parse().ok()?;
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let mut request = harness::TestRequest::with_uri("/")
        .method(method)
        .insert_header((header::HOST, "localhost"))
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .set_payload("{}");
    if let Some(key) = key {
        request = request.insert_header((header::AUTHORIZATION, format!("Bearer {key}")));
    }
    let mut request = request.to_request();
    request.head_mut().uri = uri;
    Some(match service.call(request).await {
        Ok(answer) => answer.status().as_u16(),
        Err(error) => error.as_response_error().status_code().as_u16(),
    })
}

#[actix_web::test]
async fn no_way_of_writing_a_path_opens_it_to_who_may_not() {
    let folder = folder("matrix");
    let flags = [
        format!("--keys={}", keys_file(&folder).display()),
        format!("--database=sqlite:{}", folder.join("qili.db").display()),
    ];
    let state = state(&flags.each_ref().map(String::as_str));
    let service = harness::init_service(app(Arc::clone(&state))).await;
    let mut seen = BTreeSet::new();
    for site in sites() {
        let path = filled(&site.path);
        seen.insert((site.method, site.path.clone()));
        for key in [None, Some("unknown")].into_iter().chain(KEYS.map(Some)) {
            let may = site.scope.is_none() || key == site.scope;
            let told = format!("{} {path} by {key:?}", site.method);
            let status = status_of(&service, site.method, &path, key).await.unwrap();
            let known = key.is_some_and(|key| key != "unknown");
            match (may, known) {
                (true, _) => assert!(![401, 403].contains(&status), "{told}: {status}"),
                (false, true) => assert_eq!(status, 403, "{told}"),
                (false, false) => assert_eq!(status, 401, "{told}"),
            }
            if may {
                continue;
            }
            for way in ways(&path) {
                let Some(status) = status_of(&service, site.method, &way, key).await else {
                    continue;
                };
                assert!(
                    [400, 401, 403, 404, 405].contains(&status) || open(&way),
                    "{} {way} by {key:?}: {status}",
                    site.method
                );
            }
        }
    }
    // None of these made a key.
    let store = state.store.as_ref().unwrap();
    assert!(store.keys(None, 9).await.unwrap().is_empty());
    // Every operation of the description was tried.
    let tree: serde_json::Value = serde_json::to_value(qili::http::document()).unwrap();
    for (path, item) in tree["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "delete", "patch", "head", "options"] {
            if item.get(method).is_some() {
                let tried = seen.iter().any(|(m, p)| *m == method && p == path);
                assert!(tried, "{method} {path}");
            }
        }
    }
    assert!(seen.len() > 45, "{seen:?}");
}

/// Whether a way of writing comes to something that anybody may read.
fn open(way: &str) -> bool {
    // Below /docs/ nothing is looked up as a path: there are only so many files.
    way.starts_with("/docs/")
}

#[actix_web::test]
async fn only_its_own_names_are_answered_to() {
    let from = |host: &'static str, origin: Option<&'static str>, method: Method| {
        let mut request = harness::TestRequest::with_uri("/v1/rulings:judge?moves=h2e2")
            .method(method)
            .insert_header((header::HOST, host));
        if let Some(origin) = origin {
            request = request.insert_header((header::ORIGIN, origin));
        }
        request.to_request()
    };
    let get = Method::GET;
    let post = Method::POST;
    for (flags, host, origin, method, refused) in [
        (&[][..], "localhost:8080", None, &get, None),
        (&[], "127.0.0.1", None, &get, None),
        (&[], "evil.example", None, &get, Some((421, "host_unknown"))),
        (&["--host=qili.example"], "qili.example", None, &get, None),
        (&["--host=*"], "evil.example", None, &get, None),
        (&[], "localhost", Some("http://evil.example"), &get, None),
        (
            &[],
            "localhost",
            Some("http://evil.example"),
            &post,
            Some((403, "origin_foreign")),
        ),
        (
            &[],
            "localhost",
            Some("null"),
            &post,
            Some((403, "origin_foreign")),
        ),
        (
            &[],
            "localhost:8080",
            Some("http://localhost:8080"),
            &post,
            None,
        ),
        (
            &[],
            "localhost:8080",
            Some("http://localhost:9090"),
            &post,
            Some((403, "origin_foreign")),
        ),
        (
            &["--cors=http://evil.example"],
            "localhost",
            Some("http://evil.example"),
            &post,
            None,
        ),
        (
            &["--host=qili.example"],
            "localhost",
            Some("https://qili.example"),
            &post,
            None,
        ),
    ] {
        let service = harness::init_service(app(state(flags))).await;
        let answer = harness::call_service(&service, from(host, origin, method.clone())).await;
        let status = answer.status().as_u16();
        let body = harness::read_body(answer).await;
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
        let told = format!("{flags:?} {host} {origin:?} {method}: {status} {problem}");
        match refused {
            Some((expected, code)) => {
                assert_eq!(
                    (status, problem["code"].as_str().unwrap()),
                    (expected, code),
                    "{told}"
                );
            }
            None => assert!(
                status != 421 && problem["code"] != "origin_foreign",
                "{told}"
            ),
        }
    }
}

#[actix_web::test]
async fn what_changes_something_says_its_type() {
    let folder = folder("types");
    let database = format!("--database=sqlite:{}", folder.join("qili.db").display());
    let state = state(&[&database]);
    let service = harness::init_service(app(Arc::clone(&state))).await;
    for (path, kind, status) in [
        ("/v1/drafts", "text/plain", 415),
        ("/v1/drafts", "application/x-www-form-urlencoded", 415),
        ("/v1/drafts", "", 415),
        ("/v1/drafts", "application/json; charset=utf-8", 422),
        ("/v1/drafts", "Application/JSON", 422),
        // A ruling changes nothing, and may be asked for as simply as can be.
        ("/v1/rulings", "application/x-www-form-urlencoded", 422),
    ] {
        let mut request = harness::TestRequest::post()
            .uri(path)
            .insert_header((header::CONTENT_LENGTH, "2"))
            .set_payload("{}");
        if !kind.is_empty() {
            request = request.insert_header((header::CONTENT_TYPE, kind));
        }
        let answer = harness::call_service(&service, request.to_request()).await;
        assert_eq!(answer.status().as_u16(), status, "{path} {kind}");
    }
    // Over HTTP/2 a body need not tell its length.
    for (kind, status) in [("text/plain", 415), ("application/json", 422)] {
        let request = harness::TestRequest::post()
            .uri("/v1/drafts")
            .version(Version::HTTP_2)
            .insert_header((header::CONTENT_TYPE, kind))
            .set_payload("{}");
        let answer = harness::call_service(&service, request.to_request()).await;
        assert_eq!(answer.status().as_u16(), status, "{kind}");
    }
}

#[actix_web::test]
async fn a_service_that_others_reach_wants_keys() {
    let folder = folder("open");
    let url = format!("sqlite:{}", folder.join("qili.db").display());
    let database = format!("--database={url}");
    let refused = |flags: &[&str]| started(flags).err().map(|error| error.to_string());
    let beyond = "--bind=0.0.0.0:0";
    for flags in [
        &[beyond][..],
        &[beyond, &database],
        &["--bind=[::]:0", &database],
    ] {
        let told = refused(flags).unwrap();
        assert!(
            told.contains("qili keys add") && told.contains("--open"),
            "{told}"
        );
    }
    assert_eq!(refused(&[beyond, "--open"]), None);
    assert_eq!(refused(&["--bind=127.0.0.1:0", &database]), None);
    let keys = format!("--keys={}", keys_file(&folder).display());
    assert_eq!(refused(&[beyond, &keys]), None);
    // A key made by the command will do, and so will one that was revoked: nobody gets in then.
    let state = state(&[&database]);
    let store = state.store.as_ref().unwrap();
    let new = qili::store::NewKey {
        name: "chief".to_owned(),
        scopes: vec![qili::store::KeyScope::Admin],
        records: false,
    };
    let (row, _) = store.add_key(new).await.unwrap();
    assert_eq!(refused(&[beyond, &database]), None);
    store.revoke_key(&row.id).await.unwrap().unwrap();
    assert_eq!(refused(&[beyond, &database]), None);
    let service = harness::init_service(app(Arc::clone(&state))).await;
    for path in ["/v1/rulesets", "/v1/keys", "/metrics"] {
        let request = harness::TestRequest::get().uri(path).to_request();
        let answer = harness::call_service(&service, request).await;
        assert_eq!(
            answer.status(),
            401,
            "{path}: keys are needed once there was one"
        );
    }
}
