//! What differs between two rule books.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use qili::rules::{Amendment, Catalog, EXAMPLES, RuleBook, Situation, diff, uncertain_articles};

fn book(id: &str) -> RuleBook {
    Catalog::builtin().get(id).unwrap().book.clone()
}

fn amended(file: &str) -> RuleBook {
    let (file, text) = EXAMPLES.iter().find(|(name, _)| *name == file).unwrap();
    let amendment = Amendment::read(file, text).unwrap();
    book("cxa-1999").amended(&amendment).unwrap()
}

#[test]
fn a_book_does_not_differ_from_itself() {
    let diff = diff(&book("wxf"), &book("wxf"));
    assert!(diff.is_empty());
    assert_eq!(diff.zh(), "wxf@1.1.0 → wxf@1.1.0\n\n两者无异。\n");
}

#[test]
fn a_note_on_what_is_unwritten_is_part_of_a_book() {
    let text = r#"
id = "a-new-note"
title = { zh = "改写说明", en = "A new note" }
reason = { zh = "说得更清楚", en = "To say it better" }
effective = "2027-01-01"
base = "cxa-1999"

[[unwritten]]
key = "king_evasion_idle"
zh = "比照图十五。"
en = "After figure 15."
certainty = "figure"
"#;
    let base = book("cxa-1999");
    let amended = base.amended_by_file("note.toml", text).unwrap();
    let told = diff(&base, &amended);
    assert!(!told.is_empty());
    assert_eq!(told.unwritten.len(), 1);
    assert!(
        told.zh()
            .contains("无明文参数\n  king_evasion_idle\n    - 帅、将应将而走"),
        "{}",
        told.zh()
    );
    assert!(
        told.zh().contains("    + 比照图十五。 (figure)"),
        "{}",
        told.zh()
    );
    // Put as it stands it changes nothing.
    let note = base
        .unwritten
        .iter()
        .find(|note| note.key == "king_evasion_idle")
        .unwrap();
    let same = text
        .replace("比照图十五。", &note.text.zh)
        .replace("After figure 15.", &note.text.en)
        .replace("\"figure\"", &format!("\"{}\"", note.certainty.id()));
    let faults = base.amended_by_file("note.toml", &same).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(
        faults[0].message.contains("as it stands already"),
        "{faults:?}"
    );
}

#[test]
fn what_differs_in_the_other_language_alone_is_shown_in_it() {
    let base = book("cxa-1999");
    let mut other = base.clone();
    let article = &mut other.articles[0];
    article.text.en.push_str(" Indeed.");
    let told = diff(&base, &other);
    assert!(told.zh().contains(" Indeed."), "{}", told.zh());
}

#[test]
fn what_an_article_decides_is_shown_beside_its_new_words() {
    let base = book("cxa-1999");
    let mut other = base.clone();
    let article = &mut other.articles[0];
    article.text.zh.push_str("另行规定。");
    article.decides.push("definitions.pawn_upgrade".to_owned());
    let told = diff(&base, &other).zh();
    assert!(told.contains("另行规定。"), "{told}");
    assert!(told.contains(", definitions.pawn_upgrade"), "{told}");
}

#[test]
fn an_amendment_shows_as_what_it_changes() {
    let (base, pawns) = (book("cxa-1999"), amended("pawn-upgrade-struck.toml"));
    let diff = diff(&base, &pawns);
    assert!(diff.related);
    let keys: Vec<_> = diff.parameters.iter().map(|change| change.key).collect();
    assert_eq!(keys, ["pawn_upgrade"]);
    assert!(diff.verdicts.is_empty());
    let articles: Vec<_> = diff
        .articles
        .iter()
        .map(|change| change.key.as_str())
        .collect();
    assert_eq!(articles, ["27.2", "细则11"]);
    assert_eq!(
        diff.en(),
        "\
cxa-1999@1.1.0 → cxa-1999+pawn-upgrade-struck@1.1.0

parameters
  pawn_upgrade: true → false  [27.2, 细则11 → 27.2] whether a pawn's own attacks count where both sides attack on every move

grounds
  pawn_upgrade (a pawn's attack counted in mutual attack): 27.2, 细则11 → none

articles
  ~ 27.2
    - A pawn's own attacks are idle, checks and kills excepted; where both sides attack each other perpetually, a pawn's attacks count as chases.
    + A pawn's own attacks are idle, checks and kills excepted, and this is so where both sides attack each other perpetually, too.
    - text; definitions.pawn_upgrade, grounds.king_or_pawn, grounds.pawn_chases, grounds.pawn_upgrade
    + text; definitions.pawn_upgrade, grounds.king_or_pawn
  - 细则11
    - Where both sides attack each other perpetually a pawn's attacks are chases, and the game is drawn if neither changes (figure 13).
"
    );
    let json = serde_json::to_value(&diff).unwrap();
    let from = json.pointer("/parameters/0/from").unwrap();
    assert_eq!(from, &serde_json::json!(true));
}

#[test]
fn two_books_show_their_parameters_and_rows() {
    let diff = diff(&book("cxa-1999"), &book("cxa-2020"));
    assert!(!diff.related);
    let keys: Vec<_> = diff.parameters.iter().map(|change| change.key).collect();
    assert_eq!(
        keys,
        [
            "exchange_kinds",
            "before_basis",
            "root_ignore_loss",
            "pawn_for_rook",
            "strong_outweighs_weak",
            "fallen_pawn_ignored",
            "pawn_upgrade",
            "pawn_in_checks",
            "fortress_exemption",
            "both_forbidden",
            "irregular_rounds",
            "irregular_squares",
            "irregular_rounds_after_warning",
            "first_capture_excluded_from_perpetual_check",
            "offer_same_kind_unrooted",
        ]
    );
    let stronger = diff
        .verdicts
        .iter()
        .find(|change| change.key == Situation::StrongerAttacks);
    assert!(stronger.unwrap().from.is_none());
    let text = diff.zh();
    assert!(
        text.contains("pawn_for_rook: false → true  [25.3, 细则10 → 26.6] 以兵、卒换车是否为得子"),
        "{text}"
    );
    assert!(text.contains("两书条文各自编号"), "{text}");
}

#[test]
fn what_is_uncertain_is_told_of_a_ruling_that_rests_on_it() {
    let ids = |book: &RuleBook, cited: &[&str]| -> Vec<String> {
        let articles = uncertain_articles(book, cited);
        articles.iter().map(|article| article.id.clone()).collect()
    };
    assert!(ids(&book("cxa-1999"), &["24.3", "26.4", "28.3"]).is_empty());
    assert_eq!(ids(&book("cxa-1999"), &["补充6"]), ["补充6"]);
    assert_eq!(
        ids(&book("cxa-2007"), &["细则9", "24.3"]),
        ["24.3", "细则9"]
    );
    assert_eq!(ids(&book("cxa-2011"), &["4.1(4)", "26.6"]), ["26.6"]);
    assert_eq!(ids(&book("cxa-2020"), &["grounds.joint_chase"]), ["24.16"]);
    // What figures carry is certain.
    assert!(ids(&book("cxa-2020"), &["verdicts.both_permitted"]).is_empty());
    // 24.15 is certain, so that 24.17 is not leads to no doubt.
    assert!(ids(&book("cxa-2020"), &["definitions.check_root_depth"]).is_empty());
    assert!(ids(&book("threefold"), &["1", "2"]).is_empty());
}
