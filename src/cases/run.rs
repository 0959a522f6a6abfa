//! Cases against what rule books say of them.

use super::case::{Case, Expect};
use super::corpus::Corpus;
use super::work::in_order;
use crate::board::Side;
use crate::classify::Nature;
use crate::explain::Language;
use crate::rules::{LoadedBook, Outcome, Text};
use crate::wire::{RequestError, RulingJson, ruling_json};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How a case came out under a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseStatus {
    /// Verdict and labels are as expected.
    Right,
    /// One of them is not.
    Wrong,
    /// One of them is not, and the case says why that is as it should be.
    KnownDifference,
    /// The case says that something differs, and nothing does.
    NoLongerDiffers,
    /// The verdict was not reached within the budget.
    Undetermined,
    /// There is no ruling.
    Error,
}

/// Outcome and side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Decision {
    /// What it comes to.
    pub outcome: Outcome,
    /// Whom it concerns.
    pub side: Option<Side>,
}

impl Decision {
    /// `draw`, `must_change red`.
    pub fn id(self) -> String {
        let side = self
            .side
            .map(|side| format!(" {}", side.id()))
            .unwrap_or_default();
        format!("{}{side}", self.outcome.id())
    }

    /// In Chinese.
    pub fn zh(self) -> String {
        format!(
            "{}{}",
            self.side.map(Side::zh).unwrap_or_default(),
            self.outcome.zh()
        )
    }

    /// In English.
    pub fn en(self) -> String {
        match (self.outcome, self.side) {
            (Outcome::MustChange, Some(side)) => format!("{} must change", side.en()),
            (Outcome::Loss, Some(side)) => format!("{} loses", side.en()),
            (outcome, _) => outcome.en().to_owned(),
        }
    }
}

/// A label that is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelDifference {
    /// The move, 0 for the first.
    pub ply: usize,
    /// The move, as the case writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The label the case gives.
    pub expected: Nature,
    /// The label found; null where it is open.
    pub found: Option<Nature>,
    /// What else the move was found to be.
    pub also: Vec<Nature>,
}

/// A case judged under a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    /// The case.
    pub id: String,
    /// The book.
    pub book: String,
    /// How it came out.
    pub status: CaseStatus,
    /// The verdict expected.
    pub expected: Decision,
    /// The verdict found.
    pub found: Option<Decision>,
    /// Labels expected.
    pub labels: usize,
    /// Those that differ.
    pub differing_labels: Vec<LabelDifference>,
    /// Clauses expected of the verdict.
    pub clauses: usize,
    /// Those the ruling cites nowhere, neither with the verdict nor with a move.
    pub missing_clauses: Vec<String>,
    /// Those cited with the verdict.
    pub cited: Vec<String>,
    /// Why a difference is as it should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Text>,
    /// Why there is no ruling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RequestError>,
}

/// How many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// As expected.
    pub right: usize,
    /// In all.
    pub of: usize,
}

/// Counts of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Cases that say what the book makes of them.
    pub cases: usize,
    /// Right in verdict and labels.
    pub right: usize,
    /// Not so.
    pub wrong: usize,
    /// Known to differ.
    pub known_differences: usize,
    /// Said to differ, and do not.
    pub no_longer_differ: usize,
    /// Not decided within the budget.
    pub undetermined: usize,
    /// Without a ruling.
    pub errors: usize,
    /// Outcome and side.
    pub verdicts: Share,
    /// Labels of moves.
    pub labels: Share,
    /// Clauses of verdicts.
    pub clauses: Share,
}

/// The cases of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookReport {
    /// Its id.
    pub book: String,
    /// Its version.
    pub version: String,
    /// `sha256:` and the digest of its content.
    pub digest: String,
    /// How many came out how.
    pub counts: Counts,
    /// Each of them, in the order of their ids.
    pub results: Vec<CaseResult>,
}

/// Cases judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// By book, in the order asked for.
    pub books: Vec<BookReport>,
}

/// The ruling on a case under a book, as it is sent.
pub fn ruling_on(case: &Case, loaded: &LoadedBook) -> Result<RulingJson, RequestError> {
    let request = case.request(&loaded.book.id);
    let ruling = request.rule(loaded, request.prepare()?);
    Ok(ruling_json(&request, loaded, &ruling))
}

/// Whether a label found meets the one in print: check, kill and chase must be equal, an idle kind
/// the move's nature or among what else it is, and plain idle is met by each of its kinds.
pub fn meets(expected: Nature, found: Option<Nature>, also: &[Nature]) -> bool {
    match expected {
        Nature::Check | Nature::Kill | Nature::Chase => found == Some(expected),
        Nature::Exchange | Nature::Offer | Nature::Block | Nature::Follow => {
            found == Some(expected) || also.contains(&expected)
        }
        Nature::Idle => found.is_some_and(|nature| !nature.is_strike()),
    }
}

/// Judges a case under a book; nothing where the case does not say what the book makes of it.
pub fn check(case: &Case, loaded: &LoadedBook) -> Option<CaseResult> {
    let expect = case.expect.get(&loaded.book.id)?;
    let known = case
        .known_difference
        .get(&loaded.book.id)
        .map(|known| known.reason.clone());
    let mut result = CaseResult {
        id: case.id.clone(),
        book: loaded.book.id.clone(),
        status: CaseStatus::Error,
        expected: Decision {
            outcome: expect.outcome,
            side: expect.side,
        },
        found: None,
        labels: expect.natures.len(),
        differing_labels: Vec::new(),
        clauses: expect.clauses.len(),
        missing_clauses: Vec::new(),
        cited: Vec::new(),
        known,
        error: None,
    };
    match ruling_on(case, loaded) {
        Ok(ruling) => result.compare(case, expect, &ruling),
        Err(error) => result.error = Some(error),
    }
    Some(result)
}

impl CaseResult {
    fn compare(&mut self, case: &Case, expect: &Expect, ruling: &RulingJson) {
        let verdict = &ruling.verdict;
        let found = Decision {
            outcome: verdict.outcome,
            side: verdict.side,
        };
        for (ply, &expected) in expect.natures.iter().enumerate() {
            let judged = ruling.moves.get(ply);
            let nature = judged.and_then(|m| m.nature).flatten();
            let also = judged.and_then(|m| m.also.clone()).unwrap_or_default();
            if !meets(expected, nature, &also) {
                let written = || case.moves.get(ply).cloned();
                let mv = judged
                    .map(|m| m.iccs.to_string())
                    .or_else(written)
                    .unwrap_or_default();
                self.differing_labels.push(LabelDifference {
                    ply,
                    mv,
                    expected,
                    found: nature,
                    also,
                });
            }
        }
        let of_moves = ruling
            .moves
            .iter()
            .filter_map(|m| m.clauses.as_ref())
            .flatten();
        let cited: BTreeSet<_> = verdict.clauses.iter().chain(of_moves).collect();
        let missing = expect
            .clauses
            .iter()
            .filter(|clause| !cited.contains(clause));
        self.missing_clauses = missing.cloned().collect();
        self.cited.clone_from(&verdict.clauses);
        self.found = Some(found);
        let differs = !self.is_verdict_right() || !self.differing_labels.is_empty();
        self.status = match (differs, self.known.is_some()) {
            (false, false) => CaseStatus::Right,
            (false, true) => CaseStatus::NoLongerDiffers,
            (true, true) => CaseStatus::KnownDifference,
            (true, false) if !self.is_verdict_right() && found.outcome == Outcome::Undetermined => {
                CaseStatus::Undetermined
            }
            (true, false) => CaseStatus::Wrong,
        };
    }

    /// What differs, a line for each thing.
    pub fn differences(&self) -> Vec<String> {
        self.differences_in(Language::En)
    }

    /// The same in Chinese.
    pub fn differences_zh(&self) -> Vec<String> {
        self.differences_in(Language::Zh)
    }

    fn differences_in(&self, language: Language) -> Vec<String> {
        let mut told = Vec::new();
        if let Some(error) = &self.error {
            told.push(language.pick(&error.detail_zh, &error.detail).clone());
        } else if !self.is_verdict_right() {
            let of = |decision: Decision| language.pick(decision.zh(), decision.en());
            let (expected, found) = (of(self.expected), self.found.map(of).unwrap_or_default());
            told.push(language.pick(
                format!("应为{expected}，判得{found}"),
                format!("expected {expected}, found {found}"),
            ));
        }
        let of = |nature: Nature| language.pick(nature.zh(), nature.id());
        for label in &self.differing_labels {
            let found = label.found.map_or(language.pick("未定", "open"), of);
            let also: Vec<_> = label.also.iter().copied().map(of).collect();
            let also = match also.join(language.pick("", ", ")) {
                none if none.is_empty() => none,
                some => language.pick(format!("（兼{some}）"), format!(" (also {some})")),
            };
            let (number, mv, expected) = (label.ply + 1, &label.mv, of(label.expected));
            told.push(language.pick(
                format!("第{number}着{mv}：应为{expected}，判得{found}{also}"),
                format!("move {number} {mv}: expected {expected}, found {found}{also}"),
            ));
        }
        told
    }

    /// Whether outcome and side are as expected.
    pub fn is_verdict_right(&self) -> bool {
        self.found == Some(self.expected)
    }
}

impl Counts {
    fn of(results: &[CaseResult]) -> Self {
        let mut counts = Self::default();
        for result in results {
            counts.cases += 1;
            let count = match result.status {
                CaseStatus::Right => &mut counts.right,
                CaseStatus::Wrong => &mut counts.wrong,
                CaseStatus::KnownDifference => &mut counts.known_differences,
                CaseStatus::NoLongerDiffers => &mut counts.no_longer_differ,
                CaseStatus::Undetermined => &mut counts.undetermined,
                CaseStatus::Error => &mut counts.errors,
            };
            *count += 1;
            counts
                .verdicts
                .add(usize::from(result.is_verdict_right()), 1);
            let ruled = usize::from(result.found.is_some());
            let labels = ruled * (result.labels - result.differing_labels.len());
            counts.labels.add(labels, result.labels);
            let clauses = ruled * (result.clauses - result.missing_clauses.len());
            counts.clauses.add(clauses, result.clauses);
        }
        counts
    }
}

impl Share {
    const fn add(&mut self, right: usize, of: usize) {
        self.right += right;
        self.of += of;
    }
}

impl Report {
    /// Whether something was judged wrong, or not at all.
    pub fn is_wrong(&self) -> bool {
        self.books
            .iter()
            .any(|book| book.counts.wrong + book.counts.errors > 0)
    }
}

/// Judges every case that says what to expect under one of the books, on so many threads.
pub fn run(corpus: &Corpus, books: &[Arc<LoadedBook>], threads: usize) -> Report {
    let settled = |book: &LoadedBook| {
        corpus
            .iter()
            .filter(|case| case.expect.contains_key(&book.book.id))
            .count()
    };
    let work: Vec<(&Case, &LoadedBook)> = books
        .iter()
        .flat_map(|book| corpus.iter().map(|case| (case, book.as_ref())))
        .filter(|(case, book)| case.expect.contains_key(&book.book.id))
        .collect();
    let mut results = in_order(&work, threads, |(case, book)| check(case, book)).into_iter();
    let books = books.iter().map(|book| {
        let own: Vec<_> = results.by_ref().take(settled(book)).flatten().collect();
        BookReport {
            book: book.book.id.clone(),
            version: book.book.version.clone(),
            digest: book.digest.clone(),
            counts: Counts::of(&own),
            results: own,
        }
    });
    Report {
        books: books.collect(),
    }
}
