//! What operators are given is true of the program: its settings, its alarms, its dashboard.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use super::served::{BODY, Flags, Service, post};
use clap::CommandFactory as _;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn the_settings_of_the_package_are_all_there_are_at_their_defaults() {
    let told: BTreeMap<String, String> = text("dist/debian/qili.conf")
        .lines()
        .filter_map(|line| line.strip_prefix("#QILI_"))
        .map(|line| {
            let (name, value) = line.split_once('=').unwrap();
            (format!("QILI_{name}"), value.to_owned())
        })
        .collect();
    let command = Flags::command();
    let settings: Vec<_> = command
        .get_arguments()
        .filter(|one| !one.is_hide_set())
        .filter_map(|one| Some((one.get_env()?.to_str().unwrap().to_owned(), one)))
        .collect();
    let names: BTreeSet<&String> = settings.iter().map(|(name, _)| name).collect();
    assert_eq!(names, told.keys().collect());
    for (name, setting) in &settings {
        let default: Vec<_> = setting.get_default_values().iter().collect();
        // What depends on the machine is not told.
        if let [default] = default.as_slice()
            && !setting.is_hide_default_value_set()
            && setting.get_action().takes_values()
        {
            assert_eq!(told[name].as_str(), default.to_str().unwrap(), "{name}");
        }
    }
}

#[test]
fn the_unit_says_what_the_pages_say_of_it() {
    let unit = text("dist/debian/qili.service");
    for line in [
        "ExecStart=/usr/bin/qili serve",
        "Environment=QILI_DATABASE=sqlite:/var/lib/qili/qili.db",
        "EnvironmentFile=-/etc/qili/qili.conf",
        "User=qili",
        "StateDirectory=qili",
        "NoNewPrivileges=yes",
    ] {
        assert!(unit.lines().any(|one| one == line), "{line}");
    }
}

/// The names of metrics in a query.
fn named(query: &str) -> BTreeSet<String> {
    query
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with("qili_") || word.starts_with("process_"))
        .map(str::to_owned)
        .collect()
}

/// The labels a query asks for, and the values it wants of them.
fn labels(query: &str) -> Vec<(String, String)> {
    let inside = query
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split('}').next());
    inside
        .flat_map(|labels| labels.split(','))
        .filter_map(|label| label.split_once("=\""))
        .map(|(name, value)| (name.to_owned(), value.trim_end_matches('"').to_owned()))
        .collect()
}

#[test]
fn alarms_and_dashboard_ask_for_what_is_counted() {
    let folder = tempfolder();
    let store = format!("--database=sqlite:{}", folder.join("qili.db").display());
    let service = Service::start(&[&store]);
    service.send(&post("/v1/rulings", BODY));
    service.send(b"POST /v1/rulings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1\r\n\r\n{");
    let told =
        service.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let counted: Vec<&str> = told.lines().filter(|line| !line.starts_with('#')).collect();
    let has = |name: &str| {
        counted.iter().any(|line| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with([' ', '{']))
        })
    };

    let dashboard: Value =
        serde_json::from_str(&text("examples/monitoring/dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let mut queries: Vec<String> = targets
        .map(|target| target["expr"].as_str().unwrap().to_owned())
        .collect();
    assert!(queries.len() > 20);
    let rules = text("examples/monitoring/rules.yml");
    // What stands behind `expr:`, on its line or on those further in.
    for rule in rules.split("\n        expr:").skip(1) {
        let end = ["\n        for:", "\n        labels:"]
            .iter()
            .filter_map(|end| rule.find(end))
            .min();
        queries.push(rule.get(..end.unwrap()).unwrap().to_owned());
    }
    let mut seen = BTreeSet::new();
    for query in &queries {
        let names = named(query);
        assert!(!names.is_empty() || query.contains("up{"), "{query}");
        for name in names {
            assert!(has(&name), "`{name}` is not counted: {query}");
            seen.insert(name);
        }
        for (label, value) in labels(query) {
            // What Prometheus itself puts beside what it is told.
            if label != "job" && label != "instance" {
                let pair = format!("{label}=\"{value}\"");
                let known = counted.iter().any(|line| line.contains(&pair));
                assert!(known || value == "5xx", "nothing has {pair}: {query}");
            }
        }
    }
    // And what is counted is shown.
    for line in counted.iter().filter(|line| line.starts_with("qili_")) {
        let name = line.split([' ', '{']).next().unwrap();
        let shown = name.trim_end_matches("_sum").trim_end_matches("_count");
        let histogram = format!("{shown}_bucket");
        let shown = seen.contains(name) || seen.contains(&histogram);
        assert!(
            shown || name == "qili_cache_entries",
            "`{name}` is shown nowhere"
        );
    }
    service.end();
}

fn tempfolder() -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operating");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}
