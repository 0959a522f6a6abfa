//! The cases of `cases/` against what their rule books say, and the thousand cycles on which three
//! judges of the Asian rules agree.

#![expect(clippy::panic, clippy::unwrap_used, reason = "test code")]

use qili::board::Side;
use qili::cases::{
    BookReport, CaseResult, CaseStatus, Corpus, Report, Share, all_cores, in_order, run,
};
use qili::rules::{Catalog, LoadedBook, Outcome};
use qili::ruling::Order;
use qili::wire::{Explain, Kind, Request};
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};

fn corpus() -> Corpus {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    Corpus::from_dir(&dir).unwrap_or_else(|faults| {
        let faults: Vec<_> = faults.iter().map(|fault| fault.told().en).collect();
        panic!("{}", faults.join("\n"))
    })
}

fn book(id: &str) -> Arc<LoadedBook> {
    Catalog::builtin().get(id).unwrap()
}

/// Every case under every book, judged once for all that is asked of them.
fn checked() -> &'static Report {
    static CHECKED: LazyLock<Report> = LazyLock::new(|| {
        let corpus = corpus();
        let books: Vec<_> = corpus.books().into_iter().map(book).collect();
        run(&corpus, &books, all_cores())
    });
    &CHECKED
}

fn told(result: &CaseResult) -> String {
    let mut told = format!("{} under {}: {:?}", result.id, result.book, result.status);
    if !result.is_verdict_right() {
        let _ = write!(
            told,
            ", expected {:?}, found {:?}",
            result.expected, result.found
        );
    }
    for label in &result.differing_labels {
        let _ = write!(
            told,
            ", {} {}: expected {:?}, found {:?} also {:?}",
            label.ply, label.mv, label.expected, label.found, label.also
        );
    }
    if !result.missing_clauses.is_empty() {
        let _ = write!(
            told,
            ", cites {:?} and not {:?}",
            result.cited, result.missing_clauses
        );
    }
    if let Some(error) = &result.error {
        let _ = write!(told, ", {error}");
    }
    told
}

fn failures(reports: &[BookReport], fails: impl Fn(&CaseResult) -> bool) -> Vec<String> {
    let results = reports.iter().flat_map(|report| &report.results);
    results.filter(|result| fails(result)).map(told).collect()
}

#[test]
fn every_case_is_right_under_every_book_it_settles() {
    let report = checked();
    let wrong = failures(&report.books, |result| {
        !matches!(
            result.status,
            CaseStatus::Right | CaseStatus::KnownDifference
        )
    });
    assert!(
        wrong.is_empty(),
        "{} fail:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The table of the READMEs, in both languages.
#[test]
fn the_readmes_count_what_is_counted() {
    let report = checked();
    let readmes = [
        (include_str!("../../README.md"), " of "),
        (include_str!("../../README.zh-CN.md"), " / "),
    ];
    for (readme, of) in readmes {
        for BookReport { book, counts, .. } in &report.books {
            let told = |share: Share| format!("{}{of}{}", share.right, share.of);
            let (verdicts, labels) = (told(counts.verdicts), told(counts.labels));
            let row = format!("| `{book}` | {verdicts}");
            let row = readme.lines().find(|line| line.starts_with(&row));
            let row = row.unwrap_or_else(|| panic!("{book}: {verdicts}"));
            let ends = row.ends_with(&format!("| {labels} |"));
            assert!(counts.labels.of == 0 || ends, "{row}: {labels}");
        }
    }
}

#[test]
fn every_clause_expected_is_cited() {
    let report = checked();
    let missing = failures(&report.books, |result| !result.missing_clauses.is_empty());
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// What a diagram of the Asian rules illustrates, and its verdict does not rest on.
const ILLUSTRATED_OTHERWISE: [(&str, &str); 6] = [
    // The cannon has a root on one square only.
    ("wxf-d031", "17"),
    // What is offered threatens mate.
    ("wxf-d051", "24"),
    // The rook chases by itself, and not by turns.
    ("wxf-d073", "30"),
    ("wxf-d073", "31"),
    // One and the same cannon is chased.
    ("wxf-d080-b", "32"),
    // What is offered threatens mate.
    ("wxf-d103", "40"),
];

/// The clause that a diagram of the Asian rules illustrates stands among those of its verdict.
#[test]
fn the_verdicts_of_the_asian_diagrams_cite_what_they_illustrate() {
    let report = checked();
    let wxf = report.books.iter().find(|of| of.book == "wxf").unwrap();
    let (corpus, mut cited, mut missing) = (corpus(), 0, Vec::new());
    for case in corpus.iter().filter(|case| case.id.starts_with("wxf-")) {
        let result = wxf.results.iter().find(|result| result.id == case.id);
        let verdict = &result.unwrap().cited;
        for clause in &case.source.clauses {
            if verdict.contains(clause) {
                cited += 1;
            } else {
                missing.push((case.id.as_str(), clause.as_str()));
            }
        }
    }
    assert_eq!(missing, ILLUSTRATED_OTHERWISE);
    assert!(cited > 40, "{cited}");
}

/// What is cited beside the clauses a case expects decides nothing, and is read by arbiters all the same: a clause
/// that comes or goes is seen here.
#[test]
fn the_clauses_cited_are_those_of_the_table() {
    let report = checked();
    let mut table = String::from(
        "# The clauses cited with the verdict of each case, by book. `BLESS=1 cargo test --test engine cited` writes it again.\n",
    );
    for of_book in &report.books {
        for result in &of_book.results {
            let cited = result.cited.join(" ");
            let _ = writeln!(table, "{}\t{}\t{cited}", of_book.book, result.id);
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cited.tsv");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, table).unwrap();
        return;
    }
    let known = std::fs::read_to_string(path).unwrap();
    let differing: Vec<_> = table
        .lines()
        .zip(known.lines())
        .filter(|(found, known)| found != known)
        .collect();
    assert!(differing.is_empty(), "{differing:#?}");
    assert_eq!(table.lines().count(), known.lines().count());
}

#[test]
fn the_sixteen_figures_are_right_without_exception() {
    let corpus = corpus();
    let report = run(&corpus, &[book("cxa-1999")], all_cores());
    let figures = |result: &&CaseResult| result.id.starts_with("cxa-1999-") && result.labels > 0;
    let figures: Vec<_> = report.books[0].results.iter().filter(figures).collect();
    assert_eq!(figures.len(), 16);
    let wrong: Vec<_> = figures
        .iter()
        .filter(|r| r.status != CaseStatus::Right)
        .map(|r| told(r))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_embedded_corpus_is_that_of_the_folder() {
    let cases = |corpus: &Corpus| corpus.iter().cloned().collect::<Vec<_>>();
    // Where this fails with the files in order, they were added since `src/cases/corpus.rs` was
    // last compiled.
    assert_eq!(cases(Corpus::builtin()), cases(&corpus()));
}

#[test]
fn a_thousand_cycles_of_the_asian_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wxf-cycles.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let wxf = book("wxf");
    let rows: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.starts_with('#'))
        .collect();
    assert_eq!(rows.len(), 1000);
    let wrong = in_order(&rows, all_cores(), |&(line, row)| {
        let [id, fen, moves, outcome, side] =
            row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let mut request = Request::cycle(fen, moves.split(' ').map(str::to_owned).collect());
        request.explain = Explain::None;
        let verdict = request.rule(&wxf, request.prepare().unwrap()).verdict;
        let found = (verdict.outcome, verdict.side.map_or("-", |side| side.id()));
        let expected = (Outcome::from_id(outcome).unwrap(), side);
        (found != expected).then(|| {
            format!(
                "line {}: {id}: expected {expected:?}, found {found:?}",
                line + 1
            )
        })
    });
    let wrong: Vec<_> = wrong.into_iter().flatten().collect();
    assert!(
        wrong.is_empty(),
        "{} fail:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let corpus = corpus();
    let books = [book("cxa-2020"), book("wxf")];
    let one = serde_json::to_string(&run(&corpus, &books, 1)).unwrap();
    for threads in [2, 5] {
        assert_eq!(
            serde_json::to_string(&run(&corpus, &books, threads)).unwrap(),
            one
        );
    }
}

/// Orders are held against a side by several judgements: where there is too little for one of them nothing is told for certain.
#[test]
fn with_too_little_work_an_order_is_open_and_nothing_else() {
    let corpus = corpus();
    let mut open = 0;
    for case in corpus.iter().filter(|case| !case.ordered.is_empty()) {
        for (id, expect) in &case.expect {
            let loaded = book(id);
            let mut request = case.request(id);
            for budget in (2..400).step_by(14) {
                request.budget = Some(budget);
                let prepared = request.prepare().unwrap();
                let found = request.rule(&loaded, prepared).verdict.outcome;
                assert!(
                    [expect.outcome, Outcome::Undetermined].contains(&found),
                    "{} under {id} within {budget}: {found:?}",
                    case.id
                );
                open += usize::from(found == Outcome::Undetermined);
            }
        }
    }
    assert!(open > 20, "{open}");
}

/// The position in which one side was ordered to change comes about again while the other, which was ordered to in another, goes on.
#[test]
fn an_order_in_another_position_says_nothing_of_this_one() {
    let moves = ["f0e0", "e8f8", "e0f0", "f8e8"];
    let moves: Vec<String> = moves
        .iter()
        .cycle()
        .take(10)
        .map(ToString::to_string)
        .collect();
    let fen = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1";
    for id in ["cxa-1999", "cxa-2011", "cxa-2020"] {
        let ruled = |ordered: &[(usize, Side)]| {
            let mut request = Request::cycle(fen, moves.clone());
            request.kind = Kind::Game;
            let orders = ordered.iter();
            request.ordered = orders
                .map(|&(after_ply, side)| Order { after_ply, side })
                .collect();
            let prepared = request.prepare().unwrap();
            let verdict = request.rule(&book(id), prepared).verdict;
            (verdict.outcome, verdict.side)
        };
        let (red, black) = ((4, Side::Red), (5, Side::Black));
        assert_eq!(ruled(&[black]), (Outcome::None, None), "{id}");
        assert_eq!(ruled(&[red, black]), ruled(&[red]), "{id}");
        // In this one it holds.
        let here = (5, Side::Red);
        assert_eq!(ruled(&[here]), (Outcome::Loss, Some(Side::Red)), "{id}");
    }
}
