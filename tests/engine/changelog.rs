//! A ★ line of the changelog says that a verdict may be another: once a book was released, that takes a
//! new version of it, which the line names as `book@version`.
//!
//! What was released is what stands under the headings of releases: each names the versions it came with.

use qili::rules::Catalog;
use std::fs;

/// The ★ lines that name no version that is new, of books as they are `now`.
fn unversioned<'a>(changelog: &'a str, now: &[String]) -> Vec<&'a str> {
    let mut sections = changelog.split("\n## [").skip(1);
    let new = sections.next().unwrap_or_default();
    let released: Vec<&str> = sections.collect();
    if released.is_empty() {
        return Vec::new();
    }
    let is_new = |version: &&String| !released.iter().any(|section| names(section, version));
    let new_ones: Vec<_> = now.iter().filter(is_new).collect();
    let entries = new.split("\n- ").skip(1);
    entries
        .filter(|entry| entry.contains('★'))
        .filter(|entry| !new_ones.iter().any(|version| names(entry, version)))
        .collect()
}

/// Whether a text names a version: `cxa-2020@1.0.1` is not named by `cxa-2020@1.0.10`.
fn names(text: &str, version: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.match_indices(version).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + version.len()..);
        let mut after = after.unwrap_or_default().chars();
        let next = after.next();
        let number = next == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit());
        !before.is_some_and(goes_on) && !next.is_some_and(goes_on) && !number
    })
}

#[test]
fn what_can_change_a_verdict_comes_with_a_new_version_of_its_book() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/CHANGELOG.md");
    let now: Vec<String> = Catalog::builtin()
        .iter()
        .map(|book| book.pinned())
        .collect();
    let changelog = fs::read_to_string(path).unwrap();
    assert!(changelog.contains("\n- ★ "), "there are such lines");
    let found = unversioned(&changelog, &now);
    assert!(
        found.is_empty(),
        "each needs a new version of its book, named as `book@version`:\n- {}",
        found.join("\n- ")
    );
}

#[test]
fn a_line_without_a_new_version_is_found() {
    let now = ["wxf@1.0.0", "cxa-2020@1.0.1"].map(str::to_owned);
    let changelog = |entry: &str| {
        format!(
            "# Changelog\n\n## [Unreleased]\n\n### Rule sets\n\n- Lists are paged.\n- {entry}\n\n\
             ## [0.1.0] - 2026-12-01\n\nRule books: `wxf@1.0.0`, `cxa-2020@1.0.0`.\n\n- ★ All of them.\n"
        )
    };
    for (entry, refused) in [
        ("★ A root may be false (all books).", true),
        ("★ A root may be false (`wxf@1.0.0`).", true),
        ("★ A root may be false (`cxa-2020@1.0.10`).", true),
        ("★ A root may be false (`my-cxa-2020@1.0.1`).", true),
        ("★ A root may be false (`cxa-2020@1.0.1`).", false),
        ("★ A root may be\n  false: cxa-2020@1.0.1.", false),
        ("A root is told otherwise.", false),
    ] {
        let text = changelog(entry);
        let found = unversioned(&text, &now);
        assert_eq!(found.len(), usize::from(refused), "{entry}: {found:?}");
    }
    // Before the first release books are taken as they are.
    let text = changelog("★ A root may be false.");
    let (first, _) = text.split_once("\n## [0.1.0]").unwrap();
    assert!(unversioned(first, &now).is_empty());
}
