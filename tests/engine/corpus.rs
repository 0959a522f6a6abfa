//! What fuzzing has found worth keeping (`fuzz/corpus`), put through the same checks (`fuzz/src/lib.rs`): what was mended stays so,
//! with no fuzzer at hand.

#![expect(clippy::unwrap_used, reason = "test code")]

use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
#[expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what does not hold fails the test"
)]
mod checks;

/// Puts the kept inputs of a target through its checks.
fn hold(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() > 20, "{target} has lost its corpus");
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let held = std::panic::catch_unwind(|| check(&bytes));
        assert!(held.is_ok(), "{}", file.display());
    }
}

#[test]
fn kept_records_do_no_harm() {
    hold("records", checks::records);
}

#[test]
fn kept_fens_do_no_harm() {
    hold("fen", checks::fen);
}

#[test]
fn kept_lists_of_moves_do_no_harm() {
    hold("moves", checks::moves);
}

#[test]
fn kept_requests_do_no_harm() {
    hold("requests", checks::requests);
}

#[test]
fn kept_cycles_are_ruled_on() {
    hold("rulings", checks::rulings);
}

#[test]
fn kept_books_and_cases_do_no_harm() {
    hold("books", checks::books);
}
