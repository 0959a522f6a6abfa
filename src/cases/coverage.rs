//! What of the rule books the cases put to the test: which articles their rulings cite, and which
//! parameters decide something about them.

use super::case::Case;
use super::corpus::Corpus;
use super::run::ruling_on;
use super::work::in_order;
use crate::board::Side;
use crate::classify::Nature;
use crate::rules::{
    Catalog, LoadedBook, Outcome, PARAMETERS, ParameterDoc, ParameterKind, RuleBook, Situation,
    VerdictRow,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An article, and the cases whose rulings cite it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArticleCoverage {
    /// The article.
    pub id: String,
    /// How many rulings cite it.
    pub cited: usize,
    /// One of them.
    pub case: Option<String>,
    /// The parameters it decides that some case exercises.
    pub exercised_parameters: Vec<String>,
}

/// What another value of a parameter changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The verdict of a case that says what the book makes of it.
    SettledVerdict,
    /// A label, or a side's standing, of such a case.
    SettledLabel,
    /// The verdict of another case.
    Verdict,
    /// A label of another case.
    Label,
}

/// A case a parameter decides something about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exercise {
    /// The case.
    pub case: String,
    /// The value that changes its ruling.
    pub value: Value,
    /// What it changes.
    pub effect: Effect,
}

/// A parameter, and a case it decides something about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterCoverage {
    /// The parameter.
    pub key: String,
    /// Its value in the book.
    pub value: Value,
    /// Whether the book reads it.
    pub read: bool,
    /// The strongest effect another value has on a case, if it has one.
    pub exercise: Option<Exercise>,
}

/// What the cases put to the test of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The book.
    pub book: String,
    /// Cases that say what the book makes of them.
    pub settled: usize,
    /// Its articles, in its order.
    pub articles: Vec<ArticleCoverage>,
    /// The parameters, in their order.
    pub parameters: Vec<ParameterCoverage>,
}

/// What the cases put to the test of the books, worked out on so many threads.
pub fn coverage(corpus: &Corpus, books: &[Arc<LoadedBook>], threads: usize) -> Vec<Coverage> {
    books
        .iter()
        .map(|book| of_book(corpus, book, threads))
        .collect()
}

fn of_book(corpus: &Corpus, loaded: &LoadedBook, threads: usize) -> Coverage {
    let book = &loaded.book;
    let settles = |case: &Case| case.expect.contains_key(&book.id);
    // Those that say what to expect come first: what they exercise is put to the test.
    let mut cases: Vec<&Case> = corpus.iter().collect();
    cases.sort_by_key(|case| !settles(case));
    let settled = cases.iter().filter(|case| settles(case)).count();

    let cited = in_order(&cases, threads, |case| cites(case, loaded));
    let mut by_article: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (case, clauses) in cases.iter().zip(cited) {
        for clause in clauses {
            by_article.entry(clause).or_default().push(&case.id);
        }
    }

    let plain = in_order(&cases, threads, |case| essence(case, loaded));
    let parameters = in_order(PARAMETERS, threads, |parameter| {
        of_parameter(parameter, loaded, &cases, settled, &plain)
    });
    let exercised: BTreeSet<&str> = parameters
        .iter()
        .filter(|p| p.exercise.is_some())
        .map(|p| p.key.as_str())
        .collect();
    let articles = book.articles.iter().map(|article| {
        let citing = by_article.get(&article.id);
        let decides = article
            .decides
            .iter()
            .filter_map(|t| t.strip_prefix("definitions."));
        ArticleCoverage {
            id: article.id.clone(),
            cited: citing.map_or(0, Vec::len),
            case: citing
                .and_then(|cases| cases.first())
                .map(|&id| id.to_owned()),
            exercised_parameters: decides
                .filter(|key| exercised.contains(key))
                .map(str::to_owned)
                .collect(),
        }
    });
    Coverage {
        book: book.id.clone(),
        settled,
        articles: articles.collect(),
        parameters,
    }
}

impl ArticleCoverage {
    /// Whether some case puts it to the test.
    pub const fn is_exercised(&self) -> bool {
        self.cited > 0 || !self.exercised_parameters.is_empty()
    }
}

/// The clauses the ruling on a case cites.
fn cites(case: &Case, loaded: &LoadedBook) -> BTreeSet<String> {
    let Ok(ruling) = ruling_on(case, loaded) else {
        return BTreeSet::new();
    };
    let of_moves = ruling.moves.into_iter().filter_map(|m| m.clauses).flatten();
    let of_sides = ruling
        .sides
        .into_iter()
        .flat_map(|sides| Side::ALL.map(|side| sides[side].clauses.clone()))
        .flatten();
    let of_verdict = ruling.verdict.clauses.into_iter();
    of_verdict.chain(of_sides).chain(of_moves).collect()
}

/// What of a ruling a parameter can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Essence {
    pub(super) verdict: (Outcome, Option<Side>),
    labels: Vec<(Option<Nature>, Vec<Nature>)>,
    patterns: Vec<String>,
}

pub(super) fn essence(case: &Case, loaded: &LoadedBook) -> Option<Essence> {
    let request = case.request(&loaded.book.id);
    let ruling = request.rule(loaded, request.prepare().ok()?);
    let judged = ruling.judged.as_ref();
    let conduct = judged.and_then(|judged| judged.conduct.as_ref());
    let label = |m: &crate::ruling::MoveJudged| (m.finding.nature, m.finding.also.clone());
    Some(Essence {
        verdict: (ruling.verdict.outcome, ruling.verdict.side),
        labels: judged
            .map(|judged| judged.moves.iter().map(label).collect())
            .unwrap_or_default(),
        patterns: conduct
            .map(|conduct| {
                Side::ALL
                    .map(|side| format!("{} {:?}", conduct[side].pattern, conduct[side].standing))
                    .to_vec()
            })
            .unwrap_or_default(),
    })
}

fn of_parameter(
    parameter: &ParameterDoc,
    loaded: &LoadedBook,
    cases: &[&Case],
    settled: usize,
    plain: &[Option<Essence>],
) -> ParameterCoverage {
    let read = (parameter.is_read)(&loaded.book.definitions);
    let (value, others) = alternatives(parameter, &loaded.book);
    let mut best: Option<Exercise> = None;
    if read {
        for (index, (case, plain)) in cases.iter().zip(plain).enumerate() {
            let is_settled = index < settled;
            // Nothing better is to come.
            if best
                .as_ref()
                .is_some_and(|b| b.effect == Effect::SettledVerdict || !is_settled)
            {
                break;
            }
            for (other, book) in &others {
                let Some(effect) = effect(plain.as_ref(), essence(case, book).as_ref(), is_settled)
                else {
                    continue;
                };
                if best.as_ref().is_none_or(|b| effect < b.effect) {
                    best = Some(Exercise {
                        case: case.id.clone(),
                        value: other.clone(),
                        effect,
                    });
                }
            }
        }
    }
    ParameterCoverage {
        key: parameter.key.to_owned(),
        value,
        read,
        exercise: best,
    }
}

fn effect(plain: Option<&Essence>, other: Option<&Essence>, settled: bool) -> Option<Effect> {
    if plain == other {
        return None;
    }
    let verdict = plain.map(|e| e.verdict) != other.map(|e| e.verdict);
    Some(match (verdict, settled) {
        (true, true) => Effect::SettledVerdict,
        (false, true) => Effect::SettledLabel,
        (true, false) => Effect::Verdict,
        (false, false) => Effect::Label,
    })
}

/// The value of a parameter in a book, and the book with each other value it takes.
pub(super) fn alternatives(
    parameter: &ParameterDoc,
    book: &RuleBook,
) -> (Value, Vec<(Value, LoadedBook)>) {
    let values = serde_json::to_value(&book.definitions).unwrap_or_default();
    let value = values.get(parameter.key).cloned().unwrap_or_default();
    let others = other_values(parameter, &value, elsewhere(parameter.key)).into_iter();
    let changed = |other: Value| {
        let changed = with(book, &values, parameter.key, other.clone())?;
        Some((other, changed))
    };
    let others = others.filter_map(changed).collect();
    (value, others)
}

/// The numbers the books built in have for a parameter.
fn elsewhere(key: &str) -> BTreeSet<u32> {
    let books = Catalog::builtin().iter();
    let numbers = books.filter_map(|loaded| {
        let values = serde_json::to_value(&loaded.book.definitions).ok()?;
        u32::try_from(values.get(key)?.as_u64()?).ok()
    });
    numbers.collect()
}

/// Other values a parameter takes: every one of a choice; of numbers those beside, the least, and
/// those of other books.
fn other_values(parameter: &ParameterDoc, value: &Value, elsewhere: BTreeSet<u32>) -> Vec<Value> {
    let others: Vec<Value> = match parameter.kind {
        ParameterKind::Flag => vec![Value::Bool(value != &Value::Bool(true))],
        ParameterKind::Choice { values } => values.iter().map(|v| Value::from(v.id)).collect(),
        ParameterKind::Count { min, .. } => {
            let now = value
                .as_u64()
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(min);
            let mut numbers = elsewhere;
            numbers.extend([min, now.saturating_sub(1), now.saturating_add(1)]);
            numbers.into_iter().map(Value::from).collect()
        }
    };
    others
        .into_iter()
        .filter(|other| other != value && parameter.takes(other))
        .collect()
}

/// The book with another value of one parameter, and a row for every situation that can arise.
fn with(book: &RuleBook, values: &Value, key: &str, value: Value) -> Option<LoadedBook> {
    let mut values = values.clone();
    *values.get_mut(key)? = value;
    let mut book = book.clone();
    book.definitions = serde_json::from_value(values).ok()?;
    for situation in Situation::ALL {
        book.verdicts
            .entry(situation)
            .or_insert_with(|| VerdictRow {
                outcome: match situation {
                    Situation::OneSidedCheck
                    | Situation::OneForbidden
                    | Situation::StrongerAttacks
                    | Situation::GraverOffence => Outcome::MustChange,
                    Situation::NotChanged => Outcome::Loss,
                    Situation::MutualCheck
                    | Situation::BothForbidden
                    | Situation::BothPermitted
                    | Situation::ConductNotJudged => Outcome::Draw,
                },
                clauses: Vec::new(),
                unasked: Vec::new(),
            });
    }
    Some(LoadedBook {
        book,
        digest: String::new(),
    })
}
