//! The description of the API is what the code says, and what it shows is what the service does.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::settings;
use crate::schema::faults;
use actix_web::http::Method;
use actix_web::test as harness;
use qili::cases::Case;
use qili::http::{State, app, description, document};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

#[test]
fn the_committed_document_is_the_one_the_code_gives() {
    let document = document();
    for (name, told, given) in [
        (
            "openapi.yaml",
            description::YAML,
            document.to_yaml().unwrap(),
        ),
        (
            "openapi.json",
            description::JSON,
            document.to_pretty_json().unwrap(),
        ),
    ] {
        let path = root().join("openapi").join(name);
        let given = format!("{}\n", given.trim_end());
        if blessing() {
            fs::write(&path, &given).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == given,
            "openapi/{name} is out of date: BLESS=1 cargo test rewrites it"
        );
        assert!(
            told == given || blessing(),
            "openapi/{name} is not what the program tells"
        );
    }
}

fn tree() -> Value {
    serde_json::to_value(document()).unwrap()
}

fn operations(tree: &Value) -> impl Iterator<Item = (String, &Value)> {
    let paths = tree["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

#[test]
fn every_operation_says_what_it_does_and_how_it_fails() {
    let tree = tree();
    assert_eq!(tree["openapi"], "3.1.0");
    let mut ids = BTreeSet::new();
    for (name, operation) in operations(&tree) {
        assert!(
            operation["summary"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{name}"
        );
        assert!(
            ids.insert(operation["operationId"].as_str().unwrap().to_owned()),
            "{name}: same id"
        );
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.contains_key("500"), "{name}");
        for (status, response) in responses
            .iter()
            .filter(|(status, _)| status.starts_with(['4', '5']))
        {
            let ready = name.starts_with("get /readyz") && status == "503";
            let told = response["content"].as_object().unwrap();
            assert!(
                ready || told.contains_key("application/problem+json"),
                "{name} {status}"
            );
        }
        let body = operation.get("requestBody").is_some() && name != "post /v1/rulings:batch";
        assert!(!body || responses.contains_key("413"), "{name}");
    }
}

#[test]
fn every_operation_is_described_and_every_description_is_served() {
    let tree = tree();
    let scope = |operation: &Value| {
        let asked = operation["security"].as_array()?;
        let keys = asked.iter().find_map(|one| one.get("key"))?.as_array()?;
        Some(keys.first()?.as_str()?.to_owned())
    };
    let described: BTreeSet<(String, Option<String>)> = operations(&tree)
        .map(|(name, operation)| {
            // What asks for no more than to judge says nothing of it.
            let scope = scope(operation).filter(|scope| scope != "judge");
            (name, scope)
        })
        .collect();
    let served: BTreeSet<(String, Option<String>)> = qili::http::sites()
        .map(|site| {
            let scope = site.scope.filter(|&scope| scope != "judge");
            (
                format!("{} {}", site.method, site.path),
                scope.map(str::to_owned),
            )
        })
        .collect();
    assert_eq!(described, served);
}

fn examples() -> BTreeMap<PathBuf, Value> {
    let folder = fs::read_dir(root().join("openapi/examples")).unwrap();
    let files = folder.map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            (
                path.clone(),
                serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap(),
            )
        })
        .collect()
}

#[test]
fn every_operation_has_an_example() {
    let tree = tree();
    let shown: BTreeSet<String> = examples()
        .values()
        .map(|e| {
            format!(
                "{} {}",
                e["method"].as_str().unwrap(),
                e["route"].as_str().unwrap()
            )
        })
        .collect();
    // The files of the page change with every build.
    let page = [
        "get /",
        "get /page/{state}/{file}",
        "get /service-worker.js",
        "get /docs/{file}",
    ];
    for (name, _) in operations(&tree) {
        assert!(
            shown.contains(&name) || page.contains(&name.as_str()),
            "{name} has no example"
        );
    }
    // And the description has them where they belong.
    for (path, example) in examples() {
        let (route, method) = (
            example["route"].as_str().unwrap(),
            example["method"].as_str().unwrap(),
        );
        let name = path.file_stem().unwrap().to_str().unwrap();
        let operation = &tree["paths"][route][method];
        let answer = &operation["responses"][example["status"].to_string()];
        for (kept, described) in [
            (&example["request"], &operation["requestBody"]),
            (&example["response"], answer),
        ] {
            let content = described["content"].as_object();
            let Some(content) = content.and_then(|content| content.values().next()) else {
                continue;
            };
            if !kept.is_null() {
                assert_eq!(&content["examples"][name]["value"], kept, "{name}");
            }
        }
    }
}

#[test]
fn examples_are_cases_of_the_library() {
    for (path, example) in examples() {
        let Some(id) = example["case"].as_str() else {
            continue;
        };
        let found = case(id).unwrap_or_else(|| panic!("{}: no case {id}", path.display()));
        let text = example.to_string();
        let bare = |fen: &str| fen.split(' ').next().unwrap().to_owned();
        assert!(
            text.contains(&bare(&found.fen)),
            "{}: another position",
            path.display()
        );
        for mv in &found.moves {
            assert!(
                text.contains(mv.as_str()),
                "{}: no move {mv}",
                path.display()
            );
        }
    }
}

fn case(id: &str) -> Option<Case> {
    let folders = fs::read_dir(root().join("cases"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = folders
        .filter(|path| path.is_dir())
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"));
    files
        .filter_map(|path| Case::read(&fs::read_to_string(path).unwrap()).ok())
        .find(|case| case.id == id)
}

fn assert_valid(tree: &Value, schema: &Value, value: &Value, told: &str) {
    let faults = faults(tree, schema, value);
    assert!(faults.is_empty(), "{told}:\n{}", faults.join("\n"));
}

#[actix_web::test]
async fn examples_are_what_the_service_answers() {
    let tree = tree();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openapi");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    let mut settings = settings(&[]);
    settings.database = Some(format!("sqlite:{}", folder.join("qili.db").display()));
    let service = harness::init_service(app(Arc::new(State::new(settings).unwrap()))).await;
    let mut in_turn: Vec<_> = examples().into_iter().collect();
    in_turn.sort_by_key(|(_, example)| example["order"].as_u64());
    let mut number = String::new();
    for (path, mut example) in in_turn {
        let told = path.display().to_string();
        let (route, method) = (
            example["route"].as_str().unwrap(),
            example["method"].as_str().unwrap(),
        );
        let operation = &tree["paths"][route][method];
        let mut request = harness::TestRequest::default()
            .uri(
                &example["path"]
                    .as_str()
                    .unwrap()
                    .replace("{number}", &number),
            )
            .method(Method::from_bytes(method.to_uppercase().as_bytes()).unwrap());
        if let Some(sent) = example.get("request") {
            let (kind, content) = operation["requestBody"]["content"]
                .as_object()
                .unwrap()
                .iter()
                .next()
                .unwrap();
            if kind == "application/json" {
                assert_valid(&tree, &content["schema"], sent, &told);
            }
            let text = sent
                .as_str()
                .map_or_else(|| sent.to_string(), str::to_owned);
            request = request
                .insert_header(("content-type", kind.as_str()))
                .set_payload(text);
        }
        let response = harness::call_service(&service, request.to_request()).await;
        let status = response.status().as_u16();
        let kind = response
            .headers()
            .get("content-type")
            .map(|kind| kind.to_str().unwrap().to_owned())
            .unwrap_or_default();
        if let Some(kept) = response.headers().get("qili-ruling-number") {
            kept.to_str().unwrap().clone_into(&mut number);
        }
        let body = harness::read_body(response).await;
        let text = String::from_utf8(body.to_vec()).unwrap();
        // Lines of JSON are shown as they are; only a whole document is taken apart.
        let mut answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| json!(text));
        assert_eq!(json!(status), example["status"], "{told}: {answer}");
        // A redirection has nothing to show.
        let described = &operation["responses"][status.to_string()];
        let Some(content) = described["content"].as_object() else {
            assert!(text.is_empty(), "{told}");
            continue;
        };
        let (described, content) = content.iter().next().unwrap();
        assert!(
            kind.starts_with(described.as_str()),
            "{told}: {kind}, described as {described}"
        );
        if described.ends_with("ndjson") {
            let first = serde_json::from_str(text.lines().next().unwrap()).unwrap();
            assert_valid(&tree, &content["schema"]["x-ndjson-line"], &first, &told);
        } else if described.ends_with("json") {
            assert_valid(&tree, &content["schema"], &answer, &told);
        }
        // What is never the same twice is shown as it might be.
        if example["changes"] == json!(true) {
            if described.ends_with("json") {
                assert_valid(&tree, &content["schema"], &example["response"], &told);
            }
            continue;
        }
        settle(&mut answer);
        if blessing() {
            example["response"] = answer.clone();
            fs::write(
                &path,
                serde_json::to_string_pretty(&example).unwrap() + "\n",
            )
            .unwrap();
        }
        assert_eq!(
            example["response"], answer,
            "{told}: BLESS=1 cargo test rewrites the answers"
        );
    }
}

/// A commit.
const COMMIT: &str = "1d19d96d302d";

/// What is another every time, made the same: numbers, moments, how long something took.
fn settle(value: &mut Value) {
    match value {
        Value::String(text) => {
            if text.parse::<qili::store::Number>().is_ok() {
                "01KAJ1BXM0V9S4N7Q2ZC8TD6WE".clone_into(text);
            } else if text.len() == 24 && qili::store::Moment::parse(text).is_some() {
                "2026-11-21T09:30:00.000Z".clone_into(text);
            } else if text == qili::version::BUILD {
                *text = format!("{}+{COMMIT}", qili::version::PACKAGE);
            } else if let Some((before, rest)) = text.split_once("figure = \"0") {
                let after = rest.split_once('"').unwrap().1;
                *text = format!("{before}figure = \"01KAJ1BXM0V9S4N7Q2ZC8TD6WE\"{after}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(settle),
        Value::Object(members) => {
            for (key, value) in members.iter_mut() {
                settle(value);
                match key.as_str() {
                    "latency_us" => *value = json!(850),
                    "commit" => *value = json!(COMMIT),
                    _ => {}
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
