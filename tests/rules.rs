//! The rule-book files: what is said of each fault, and what holds for the books built in.

#![expect(
    clippy::unwrap_used,
    reason = "test code: a file that cannot be read fails the test"
)]

use qili::rules::{Fault, read_book};
use std::fs;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The files of a folder with their text, in the order of their names.
fn files(name: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder(name)).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                text,
            )
        })
        .collect();
    files.sort();
    files
}

/// What differs between the faults found and those that the first lines of the file announce, as
/// `# <code> <line>: <the first words>`.
fn unexpected(file: &str, text: &str, faults: &[Fault]) -> Vec<String> {
    let announced = text.lines().map_while(|line| line.strip_prefix("# "));
    let mut announced: Vec<_> = announced.collect();
    let mut wrong = Vec::new();
    for fault in faults {
        let line = fault.line.map_or("-".to_owned(), |line| line.to_string());
        let found = format!("{} {line}: {}", fault.code.id(), fault.message);
        match announced
            .iter()
            .position(|announced| found.starts_with(announced))
        {
            Some(at) => {
                announced.remove(at);
            }
            None => wrong.push(format!("{file}: not announced: {found}")),
        }
    }
    wrong.extend(
        announced
            .iter()
            .map(|missing| format!("{file}: not found: {missing}")),
    );
    wrong
}

#[test]
fn every_fault_of_a_book_is_told_with_its_line() {
    let mut wrong = Vec::new();
    for (file, text) in files("tests/fixtures/rules/books") {
        let faults = read_book(&file, &text).err().unwrap_or_default();
        wrong.extend(unexpected(&file, &text, &faults));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
