//! `qili page`: the arbiter's page as files that somebody puts on a web space.

#![expect(clippy::unwrap_used, reason = "test code")]

use crate::told::told;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What begins as a module does; what is in it is the browser's affair.
const MODULE: &[u8] = b"\0asm\x01\0\0\0";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn judge(folder: &Path, content: &[u8]) -> String {
    let file = folder.join("judge.wasm");
    fs::write(&file, content).unwrap();
    file.to_str().unwrap().to_owned()
}

fn page(lang: &str, dir: &Path, judge: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    let command = command.args(["--lang", lang, "page", dir.to_str().unwrap()]);
    told(command.args(["--judge", judge]).output().unwrap())
}

/// Every file below a folder, by its path in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.insert(name.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap()
}

/// The state the index names, by which its files are found.
fn state(files: &BTreeMap<String, Vec<u8>>) -> String {
    let index = text(files, "index.html");
    let (_, rest) = index.split_once("\"page/").unwrap();
    rest.split('/').next().unwrap().to_owned()
}

#[test]
fn the_files_of_the_page_are_written_and_each_names_only_what_there_is() {
    let folder = folder("page-files");
    let site = folder.join("a").join("site");
    let (status, out, err) = page("en", &site, &judge(&folder, MODULE));
    assert_eq!((status, err.as_str()), (0, ""));
    let files = files(&site);
    let bytes: usize = files.values().map(Vec::len).sum();
    let (count, kilobytes) = (files.len(), bytes.div_ceil(1000));
    let expected = format!("{}: {count} files, {kilobytes} kB\n", site.display());
    assert_eq!(out, expected);
    let state = state(&files);
    assert_eq!(state.len(), 16);
    let path = |name: &str| format!("page/{state}/{name}");
    // All lies in the folder of this state, but for what has to be found by its name.
    let outside = files.keys().filter(|name| !name.starts_with(&path("")));
    let outside: Vec<_> = outside.collect();
    assert_eq!(outside, ["index.html", "service-worker.js"]);
    assert_eq!(files[&path("qili.wasm")], MODULE);
    let worker = text(&files, "service-worker.js");
    assert!(
        worker.contains(&format!("const STATE = '{state}'")),
        "{worker}"
    );
    for name in files.keys().filter(|name| name.starts_with("page/")) {
        let kept = worker.split(['\'', ' ']).any(|word| word == name);
        assert!(kept, "{name} is not kept at hand");
    }
    let index = text(&files, "index.html");
    for name in index.split("\"page/").skip(1) {
        let name = format!("page/{}", name.split('"').next().unwrap());
        assert!(files.contains_key(&name), "the index names {name}");
    }
    let manifest: Value = serde_json::from_slice(&files[&path("manifest.webmanifest")]).unwrap();
    let icons = manifest["icons"].as_array().unwrap();
    let mut widths = Vec::new();
    for icon in icons {
        let content = &files[&path(icon["src"].as_str().unwrap())];
        if icon["type"] == "image/png" {
            assert!(content.starts_with(b"\x89PNG\r\n\x1a\n"), "{icon}");
            let number = |at: usize| u32::from_be_bytes(content[at..at + 4].try_into().unwrap());
            let (width, height) = (number(16), number(20));
            assert_eq!(icon["sizes"], format!("{width}x{height}"));
            widths.push((width, icon["purpose"].as_str().unwrap()));
        }
    }
    assert_eq!(
        widths,
        [(192, "any"), (512, "any"), (512, "maskable")],
        "an app is not offered without them"
    );
}

#[test]
fn every_other_content_has_another_state_and_the_same_one_the_same() {
    let folder = folder("page-states");
    let site = folder.join("site");
    let written = |module: &[u8]| {
        let (status, _, err) = page("zh", &site, &judge(&folder, module));
        assert_eq!((status, err.as_str()), (0, ""));
        files(&site)
    };
    let first = written(MODULE);
    assert_eq!(written(MODULE), first);
    let second = written(b"\0asm\x01\0\0\0\0\x01x");
    assert_ne!(state(&second), state(&first));
    // Pages that are open find the files they were opened with.
    for (name, content) in first.iter().filter(|(name, _)| name.starts_with("page/")) {
        assert_eq!(second[name], *content, "{name}");
    }
}

#[test]
fn nothing_of_anybody_elses_is_overwritten() {
    let folder = folder("page-refused");
    let judge = judge(&folder, MODULE);
    let (site, index) = (folder.join("site"), folder.join("site/index.html"));
    fs::create_dir_all(&site).unwrap();
    // An empty folder is taken.
    assert_eq!(page("en", &site, &judge).0, 0);
    for (name, content) in [
        ("index.html", "<html>A club's own</html>"),
        ("notes.txt", ""),
    ] {
        fs::remove_dir_all(&site).unwrap();
        fs::create_dir_all(&site).unwrap();
        fs::write(site.join(name), content).unwrap();
        let before = files(&site);
        let (status, out, err) = page("en", &site, &judge);
        let expected = format!(
            "qili: `{}` has other files in it: name a folder that is empty or new\n",
            site.display()
        );
        assert_eq!((status, out.as_str(), err), (2, "", expected));
        let (status, _, err) = page("zh", &site, &judge);
        let expected = format!(
            "qili: “{}”里已有别的文件：请给一个空的或新的文件夹\n",
            site.display()
        );
        assert_eq!((status, err), (2, expected));
        assert_eq!(files(&site), before);
    }
    // What is no folder at all.
    fs::write(&index, "").unwrap();
    let (status, _, err) = page("en", &index, &judge);
    assert_eq!(status, 1);
    assert!(err.contains("index.html` cannot be written: "), "{err}");
    let (status, _, err) = page("zh", &index, &judge);
    assert_eq!(status, 1);
    assert!(err.contains("index.html”写不进去："), "{err}");
}

#[test]
fn what_is_no_judge_is_refused_before_anything_is_written() {
    let folder = folder("page-judge");
    let site = folder.join("site");
    let text = judge(&folder, b"qili");
    let missing = folder.join("none.wasm");
    let missing = missing.to_str().unwrap();
    for (judge, en, zh) in [
        (
            text.as_str(),
            "is no WebAssembly module: bindings/wasm/run makes `qili.wasm`",
            "不是WebAssembly模块：`qili.wasm`由bindings/wasm/run制成",
        ),
        (missing, "cannot be read: No such file", "读不出来："),
    ] {
        for (lang, words) in [("en", en), ("zh", zh)] {
            let (status, out, err) = page(lang, &site, judge);
            assert_eq!((status, out.as_str()), (2, ""), "{err}");
            assert!(err.contains(words) && err.contains(judge), "{err}");
        }
    }
    assert!(!site.exists());
    let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
    let command = command.arg("page").arg(&site).env_remove("QILI_JUDGE");
    let (status, _, err) = told(command.output().unwrap());
    assert_eq!(status, 2);
    assert!(err.contains("--judge <FILE>"), "{err}");
    for (lang, words) in [
        ("en", "is no WebAssembly module"),
        ("zh", "不是WebAssembly模块"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qili"));
        let serve = command.args(["serve", "--bind", "127.0.0.1:0", "--database", "none"]);
        let serve = serve.args(["--lang", lang, "--judge", &text]);
        let (status, _, err) = told(serve.output().unwrap());
        assert_eq!(status, 2);
        assert!(err.contains(words) && err.contains(&text), "{err}");
    }
}
