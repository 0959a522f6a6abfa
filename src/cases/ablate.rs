//! What each parameter of a book carries: the cases that are judged otherwise once it is taken away.

use super::case::Case;
use super::corpus::Corpus;
use super::coverage::{Essence, alternatives, essence};
use super::work::in_order;
use crate::rules::{LoadedBook, PARAMETERS, ParameterDoc};
use serde::Serialize;
use serde_json::Value;

/// A parameter tried at its other values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ablation {
    /// The parameter.
    pub key: String,
    /// Its value in the book.
    pub value: Value,
    /// The book whose articles these are, with its version.
    pub book: String,
    /// The articles that decide it.
    pub articles: Vec<String>,
    /// What becomes of the cases at each other value.
    pub tried: Vec<Tried>,
}

/// One other value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The value.
    pub value: Value,
    /// Cases whose verdict becomes another.
    pub verdicts: Vec<String>,
    /// Cases of which only labels, or what they come to for a side, become others.
    pub labels: Vec<String>,
}

impl Tried {
    /// Whether nothing changes.
    pub const fn changes_nothing(&self) -> bool {
        self.verdicts.is_empty() && self.labels.is_empty()
    }
}

/// Every parameter the book reads, taken away or tried at the values other books have, over all cases, on so
/// many threads.
pub fn ablation(corpus: &Corpus, loaded: &LoadedBook, threads: usize) -> Vec<Ablation> {
    let cases: Vec<&Case> = corpus.iter().collect();
    let plain = in_order(&cases, threads, |case| essence(case, loaded));
    let read: Vec<&ParameterDoc> = PARAMETERS
        .iter()
        .filter(|parameter| (parameter.is_read)(&loaded.book.definitions))
        .collect();
    in_order(&read, threads, |parameter| {
        of_parameter(parameter, loaded, &cases, &plain)
    })
}

fn of_parameter(
    parameter: &ParameterDoc,
    loaded: &LoadedBook,
    cases: &[&Case],
    plain: &[Option<Essence>],
) -> Ablation {
    let book = &loaded.book;
    let (value, others) = alternatives(parameter, book);
    let tried = others.into_iter().map(|(other, changed)| {
        let mut tried = Tried {
            value: other,
            verdicts: Vec::new(),
            labels: Vec::new(),
        };
        for (case, plain) in cases.iter().zip(plain) {
            let found = essence(case, &changed);
            if found == *plain {
                continue;
            }
            let verdict = |essence: &Option<Essence>| essence.as_ref().map(|e| e.verdict);
            if verdict(&found) == verdict(plain) {
                tried.labels.push(case.id.clone());
            } else {
                tried.verdicts.push(case.id.clone());
            }
        }
        tried
    });
    let tried = tried.collect();
    let target = format!("definitions.{}", parameter.key);
    Ablation {
        key: parameter.key.to_owned(),
        value,
        book: loaded.pinned(),
        articles: book.deciding(&target).map(|a| a.id.clone()).collect(),
        tried,
    }
}
