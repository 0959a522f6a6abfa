//! Amendments: what is said of each fault, what they change, and where what they changed comes from.

#![expect(
    clippy::unwrap_used,
    reason = "test code: a file that cannot be read fails the test"
)]

use super::rules::half_told;
use qili::definitions::BeforeBasis;
use qili::rules::{
    Amendment, Catalog, EXAMPLES, FaultCode, LoadedBook, Outcome, RuleBook, read_book,
};
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

fn base() -> Arc<LoadedBook> {
    Catalog::builtin().get("cxa-1999").unwrap()
}

fn example(file: &str) -> Amendment {
    let (file, text) = EXAMPLES.iter().find(|(name, _)| *name == file).unwrap();
    Amendment::read(file, text).unwrap()
}

#[test]
fn what_an_article_decides_is_unwritten_no_more() {
    let unwritten = |book: &RuleBook| {
        let mut unwritten = book.unwritten.iter();
        unwritten.any(|unwritten| unwritten.key == "king_evasion_idle")
    };
    assert!(unwritten(&base().book));
    let amended = base().book.amended_by_file(
        "draft.toml",
        r#"
id = "king-evades"
title = { zh = "将自身应将", en = "A king's evasion" }
reason = { zh = "写成明文", en = "To write it down" }
effective = "2027-01-01"
base = "cxa-1999"

[[articles]]
id = "28.99"
zh = "帅、将应将而走，附带之打不计。"
en = "A king's move out of check is idle whatever it threatens."
certainty = "inference"
decides = ["definitions.king_evasion_idle"]
"#,
    );
    assert!(!unwritten(&amended.unwrap()));
}

/// The first lines of a file announce its faults, as `# <code> <line>: <the first words>`.
#[test]
fn every_fault_of_an_amendment_is_told_with_its_line() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rules/amendments");
    let mut wrong = Vec::new();
    let mut codes = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_string_lossy();
        let announced = text.lines().map_while(|line| line.strip_prefix("# "));
        let mut announced: Vec<_> = announced.collect();
        let faults = base().book.amended_by_file(&file, &text).err();
        for fault in faults.unwrap_or_default() {
            let line = fault.line.unwrap();
            codes.push(fault.code);
            assert_eq!(
                fault.to_string(),
                format!("{file}:{line}: {}", fault.message)
            );
            wrong.extend(half_told(&fault));
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
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for code in [
        FaultCode::BaseMismatch,
        FaultCode::NoChange,
        FaultCode::Contradiction,
    ] {
        assert!(codes.contains(&code), "{code:?}");
    }
}

#[test]
fn the_examples_fit_and_change_what_they_say() {
    let base = base();
    let amended = |file: &str| base.amended(&example(file)).unwrap();

    let dodging = amended("dodging-by-result.toml");
    assert_eq!(dodging.book.id, "cxa-1999+dodging-by-result");
    assert_eq!(dodging.book.definitions.before_basis, BeforeBasis::Result);
    assert_eq!(
        dodging.book.origin_of_article("29.2"),
        Some("dodging-by-result")
    );
    assert_eq!(dodging.book.origin_of_article("29.1"), Some("cxa-1999"));
    assert_eq!(dodging.book.origin_of_article("99.9"), None);

    let pawns = amended("pawn-upgrade-struck.toml");
    assert!(!pawns.book.definitions.pawn_upgrade);
    assert_eq!(pawns.book.article("细则11"), None);
    assert_eq!(pawns.book.amendments.first().unwrap().struck, ["细则11"]);

    let kills = amended("kills-permitted.toml");
    assert!(!kills.book.definitions.kill_is_attack);
    assert_eq!(
        kills.book.origin_of("definitions.kill_is_attack"),
        "kills-permitted"
    );

    let mut digests = vec![&base.digest, &dodging.digest, &pawns.digest, &kills.digest];
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), 4);
    assert_eq!(base.book.id, "cxa-1999", "the base stays as it was");
}

#[test]
fn amendments_apply_in_order() {
    let (first, second) = (
        example("kills-permitted.toml"),
        example("pawn-upgrade-struck.toml"),
    );
    let both = base().amended(&first).unwrap().amended(&second).unwrap();
    assert_eq!(both.book.id, "cxa-1999+kills-permitted+pawn-upgrade-struck");
    assert_eq!(both.book.root_id(), "cxa-1999");
    assert_eq!(
        both.book.origin_of("definitions.kill_is_attack"),
        "kills-permitted"
    );
    assert_eq!(
        both.book.origin_of("definitions.pawn_upgrade"),
        "pawn-upgrade-struck"
    );
    let ids: Vec<_> = both
        .book
        .amendments
        .iter()
        .map(|applied| applied.id.as_str())
        .collect();
    assert_eq!(ids, ["kills-permitted", "pawn-upgrade-struck"]);
    let other = base().amended(&second).unwrap().amended(&first).unwrap();
    assert_eq!(both.book.definitions, other.book.definitions);
    assert_ne!(both.digest, other.digest);

    let faults = both.amended(&first).unwrap_err();
    assert!(faults.iter().any(|fault| {
        fault
            .message
            .contains("amended by `kills-permitted` already")
    }));
    let mut nested = second;
    nested.base = "cxa-1999+kills-permitted".to_owned();
    assert!(base().amended(&nested).is_err());
    assert!(base().amended(&first).unwrap().amended(&nested).is_ok());
}

#[test]
fn an_amendment_can_come_as_json() {
    let text = |draft: serde_json::Value| serde_json::from_value::<Amendment>(draft).unwrap();
    let draft = json!({
        "id": "perpetual-check-drawn",
        "title": {"zh": "长将作和", "en": "Perpetual check drawn"},
        "reason": {"zh": "试拟", "en": "A trial"},
        "base": "cxa-1999",
        "verdicts": {"one_sided_check": {"outcome": "draw", "clauses": ["26.1"]}},
        "articles": [{"id": "26.1", "zh": "单方长将，作和。", "en": "Perpetual check is a draw.",
                      "certainty": "text", "decides": ["verdicts.one_sided_check"]}],
    });
    let amendment = text(draft.clone());
    let book: RuleBook = base().book.amended(&amendment).unwrap();
    let row = book.verdicts.values().next().unwrap();
    assert_eq!(row.outcome, Outcome::Draw);
    assert_eq!(text(serde_json::to_value(&amendment).unwrap()), amendment);

    let mut wrong = draft;
    *wrong.get_mut("base").unwrap() = json!("wxf");
    wrong.as_object_mut().unwrap().insert(
        "definitions".to_owned(),
        json!({"pawn_rook": true, "pending_count": [3]}),
    );
    let faults = base().book.amended(&text(wrong)).unwrap_err();
    let told: Vec<_> = faults
        .iter()
        .map(|f| (f.pointer.as_str(), f.code, f.line))
        .collect();
    assert_eq!(
        told,
        [
            ("/base", FaultCode::BaseMismatch, None),
            ("/definitions/pawn_rook", FaultCode::UnknownKey, None),
            ("/definitions/pending_count", FaultCode::WrongType, None),
        ]
    );
}

#[test]
fn an_amended_book_can_be_kept_as_a_file_of_its_own() {
    let amended = base().amended(&example("kills-permitted.toml")).unwrap();
    let text = serde_json::to_string(&amended.book).unwrap();
    let kept: RuleBook = serde_json::from_str(&text).unwrap();
    assert_eq!(LoadedBook::new(kept), amended);
    let text = toml::to_string(&amended.book).unwrap();
    let faults = read_book("kept.toml", &text).unwrap_err();
    assert!(
        faults.iter().any(|fault| fault.code == FaultCode::BadId),
        "{faults:?}"
    );
}

#[test]
fn of_a_hopeless_file_the_first_faults_are_told() {
    let head = r#"
id = "hopeless"
title = { zh = "试", en = "A trial" }
reason = { zh = "试", en = "A trial" }
effective = "2027-01-01"
base = "cxa-1999"
"#;
    let cite: Vec<_> = (0..400).map(|n| format!("\"none-{n}\"")).collect();
    let cite = format!("[grounds]\nidle = [{}]\n", cite.join(", "));
    let empty = format!("articles = [{}]\n", "{}, ".repeat(20_000));
    for rest in ["=\n".repeat(40_000), empty, cite] {
        let read = Amendment::read("bad.toml", &(head.to_owned() + &rest));
        let faults = read.and_then(|amendment| base().amended(&amendment));
        let faults = faults.unwrap_err();
        assert_eq!(faults.len(), 201);
        assert_eq!(faults[200].code, FaultCode::TooMany);
    }
    let long = head.to_owned() + &"# 说明\n".repeat(20_000);
    let faults = Amendment::read("bad.toml", &long).unwrap_err();
    let codes: Vec<_> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [FaultCode::TooLong]);
}

#[test]
fn a_natural_limit_has_its_range_however_it_is_written() {
    let mut amendment = example("kills-permitted.toml");
    let own = base().book.natural_limit.clone().unwrap();
    let limit = amendment.natural_limit.insert(own);
    (limit.count, limit.claimant_checks) = (1_001, u32::MAX);
    let faults = base().amended(&amendment).unwrap_err();
    let told: Vec<_> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(
        told,
        ["/natural_limit/count", "/natural_limit/claimant_checks"]
    );
}
