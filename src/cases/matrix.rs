//! What every rule book makes of every case.

use super::case::Case;
use super::corpus::Corpus;
use super::run::{Decision, check, ruling_on};
use super::work::in_order;
use crate::rules::{LoadedBook, Text};
use serde::Serialize;
use std::sync::Arc;

/// What a book makes of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The verdict found; null where there is no ruling.
    pub found: Option<Decision>,
    /// What the case says of the book.
    pub expected: Option<Decision>,
    /// Whether the two agree; null where the case does not say.
    pub agrees: Option<bool>,
    /// Whether a difference is known.
    pub known: bool,
    /// Labels that differ.
    pub differing_labels: usize,
}

/// A case under every book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The case.
    pub id: String,
    /// What it shows.
    pub title: Text,
    /// What each book makes of it, in the order of the books.
    pub cells: Vec<Cell>,
}

/// Cases by books.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matrix {
    /// The books.
    pub books: Vec<String>,
    /// The cases.
    pub cases: Vec<Row>,
}

/// Judges every case under every book, on so many threads.
pub fn matrix(corpus: &Corpus, books: &[Arc<LoadedBook>], threads: usize) -> Matrix {
    let cases: Vec<&Case> = corpus.iter().collect();
    let rows = in_order(&cases, threads, |case| Row {
        id: case.id.clone(),
        title: case.title.clone(),
        cells: books.iter().map(|book| Cell::of(case, book)).collect(),
    });
    Matrix {
        books: books.iter().map(|book| book.book.id.clone()).collect(),
        cases: rows,
    }
}

impl Cell {
    fn of(case: &Case, book: &LoadedBook) -> Self {
        if let Some(result) = check(case, book) {
            return Self {
                found: result.found,
                expected: Some(result.expected),
                agrees: Some(result.is_verdict_right()),
                known: result.known.is_some(),
                differing_labels: result.differing_labels.len(),
            };
        }
        let found = ruling_on(case, book).ok().map(|ruling| Decision {
            outcome: ruling.verdict.outcome,
            side: ruling.verdict.side,
        });
        Self {
            found,
            expected: None,
            agrees: None,
            known: false,
            differing_labels: 0,
        }
    }

    /// How it stands beside what the case says.
    pub const fn mark(&self) -> &'static str {
        match (self.agrees, self.known, self.differing_labels) {
            (None, _, _) => "",
            (Some(true), _, 0) => "✓",
            (Some(_), true, _) => "~",
            (Some(true), false, _) => "✓*",
            (Some(false), false, _) => "✗",
        }
    }
}

impl Matrix {
    /// As comma-separated values: for each book what is found, and what the case expects.
    pub fn csv(&self) -> String {
        let mut csv = String::from("id");
        for book in &self.books {
            csv += &format!(",{book},{book} expected");
        }
        csv.push('\n');
        for row in &self.cases {
            csv += &row.id;
            for cell in &row.cells {
                let told =
                    |decision: Option<Decision>| decision.map_or(String::new(), Decision::id);
                csv += &format!(",{},{}", told(cell.found), told(cell.expected));
            }
            csv.push('\n');
        }
        csv
    }
}
