//! Every form in which the judge is given out has the same version.

use std::fs;
use std::path::Path;

/// What stands between the first of these and the next of those.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}

#[test]
fn all_manifests_tell_the_version_of_the_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let minor = version.rsplit_once('.').unwrap().0;
    let mut told = Vec::new();
    for (folder, name) in [("wasm", "qili-wasm"), ("python", "qili-python")] {
        let own = "\nversion = \"".to_owned();
        told.push((format!("bindings/{folder}/Cargo.toml"), own, version));
        for package in ["qili", name] {
            let locked = format!("name = \"{package}\"\nversion = \"");
            told.push((format!("bindings/{folder}/Cargo.lock"), locked, version));
        }
    }
    let package = "bindings/wasm/package/package.json".to_owned();
    told.push((package, "\"version\": \"".to_owned(), version));
    let page = "docs/embedding.md".to_owned();
    told.push((page, "\nqili = { version = \"".to_owned(), minor));
    for (path, before, expected) in told {
        let text = read(&path);
        let found = between(&text, &before, "\"");
        assert_eq!(found, Some(expected), "{path}: {before}");
    }
}
