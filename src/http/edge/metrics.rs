//! Counts an operator watches, as Prometheus reads them.

use crate::http::edge::problem::Busy;
use crate::rules::{Catalog, Outcome};
use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds in microseconds.
const BOUNDS: [u64; 14] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    5_000_000, 30_000_000,
];

/// How often something took how long.
#[derive(Debug, Default)]
pub struct Histogram {
    counts: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    /// Records one duration.
    pub fn record(&self, taken: Duration) {
        let micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|&bound| bound < micros);
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Relaxed);
        }
        self.micros.fetch_add(micros, Relaxed);
    }

    #[expect(clippy::cast_precision_loss, reason = "seconds are told as fractions")]
    fn write(&self, out: &mut String, name: &str, labels: &str) {
        let comma = if labels.is_empty() { "" } else { "," };
        let mut sum = 0;
        for (at, count) in self.counts.iter().enumerate() {
            sum += count.load(Relaxed);
            let bound = BOUNDS
                .get(at)
                .map_or("+Inf".to_owned(), |&b| (b as f64 / 1e6).to_string());
            let _ = writeln!(out, "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {sum}");
        }
        let braces = braces(labels);
        let seconds = self.micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(
            out,
            "{name}_sum{braces} {seconds}\n{name}_count{braces} {sum}"
        );
    }
}

/// The requests of one route.
#[derive(Debug, Default)]
pub struct RouteCounts {
    path: String,
    by_status: [AtomicU64; 6],
    took: Histogram,
}

/// The rulings under one book.
#[derive(Debug)]
struct Book {
    id: String,
    by_outcome: [AtomicU64; Outcome::ALL.len()],
}

/// Everything counted.
#[derive(Debug, Default)]
pub struct Metrics {
    routes: Mutex<Vec<Arc<RouteCounts>>>,
    /// Requests that were matched to no path.
    pub elsewhere: RouteCounts,
    books: Vec<Book>,
    refused: [AtomicU64; Busy::ALL.len()],
    /// How long requests waited for a place.
    pub queue_wait: Histogram,
    /// How long rulings took that were not remembered.
    pub ruling: Histogram,
    /// Positions expanded.
    pub positions: AtomicU64,
    /// Rulings remembered.
    pub hits: AtomicU64,
    /// Rulings not remembered.
    pub misses: AtomicU64,
    /// Lines of batches ruled on.
    pub lines: AtomicU64,
    /// Lines of batches answered with an error.
    pub bad_lines: AtomicU64,
}

impl Metrics {
    /// Nothing counted yet.
    pub fn new(catalog: &Catalog) -> Self {
        let book = |id: &str| Book {
            id: id.to_owned(),
            by_outcome: Default::default(),
        };
        let books = catalog.ids().into_iter().chain(["other"]);
        Self {
            elsewhere: RouteCounts::new("other"),
            books: books.map(book).collect(),
            ..Self::default()
        }
    }

    /// What is counted of the requests to a path: the same for whoever asks.
    pub fn route(&self, path: &str) -> Arc<RouteCounts> {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = routes.iter().find(|route| route.path == path) {
            return Arc::clone(known);
        }
        let new = Arc::new(RouteCounts::new(path));
        routes.push(Arc::clone(&new));
        new
    }

    /// A ruling was given.
    pub fn ruled(&self, book: &str, outcome: Outcome) {
        let known = self.books.iter().find(|known| known.id == book);
        let Some(book) = known.or(self.books.last()) else {
            return;
        };
        let at = Outcome::ALL.iter().position(|known| *known == outcome);
        if let Some(count) = at.and_then(|at| book.by_outcome.get(at)) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// A request was turned away, or a line of a batch.
    pub fn refused(&self, why: Busy) {
        if let Some(count) = self.refused.get(why as usize) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Writes all of it.
    pub fn write(&self, out: &mut String) {
        self.write_requests(out);
        self.write_rulings(out);
        let told = "Time requests waited for a place.";
        head(out, "qili_queue_wait_seconds", "histogram", told);
        self.queue_wait.write(out, "qili_queue_wait_seconds", "");
        let refused = Busy::ALL.iter().zip(&self.refused);
        let refused = refused.map(|(why, count)| {
            let reason = format!("reason=\"{}\"", why.id());
            (reason, count.load(Relaxed))
        });
        let told = "Requests turned away, by reason.";
        family(out, "qili_refused_total", "counter", told, refused);
        let by_result = |(result, count): (&str, &AtomicU64)| {
            let result = format!("result=\"{result}\"");
            (result, count.load(Relaxed))
        };
        let lines = [("ruling", &self.lines), ("error", &self.bad_lines)];
        let (name, told) = ("qili_batch_lines_total", "Lines of batches, by result.");
        family(out, name, "counter", told, lines.map(by_result));
        let looked = [("hit", &self.hits), ("miss", &self.misses)];
        let (name, told) = (
            "qili_cache_requests_total",
            "Rulings looked for in the cache.",
        );
        family(out, name, "counter", told, looked.map(by_result));
    }

    fn write_requests(&self, out: &mut String) {
        const TOOK: &str = "qili_http_request_duration_seconds";
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let routes = routes.iter().map(Arc::as_ref).chain([&self.elsewhere]);
        let asked: Vec<_> = routes.filter(|route| route.was_asked()).collect();
        let answered = asked.iter().flat_map(|route| {
            let counts = route.by_status.iter().enumerate();
            counts.map(|(class, count)| {
                let labels = format!("route=\"{}\",status=\"{class}xx\"", route.path);
                (labels, count.load(Relaxed))
            })
        });
        let answered = answered.filter(|&(_, count)| count > 0);
        let told = "Requests answered, by route and class of status.";
        family(out, "qili_http_requests_total", "counter", told, answered);
        let told = "Time until an answer began, by route.";
        head(out, TOOK, "histogram", told);
        for route in &asked {
            let label = format!("route=\"{}\"", route.path);
            route.took.write(out, TOOK, &label);
        }
    }

    fn write_rulings(&self, out: &mut String) {
        let given = self.books.iter().flat_map(|book| {
            let counts = Outcome::ALL.iter().zip(&book.by_outcome);
            counts.map(|(outcome, count)| {
                let (id, outcome) = (&book.id, outcome.id());
                let labels = format!("rules=\"{id}\",outcome=\"{outcome}\"");
                (labels, count.load(Relaxed))
            })
        });
        let told = "Rulings given, by book and outcome.";
        family(out, "qili_rulings_total", "counter", told, given);
        let told = "Time rulings took to work out.";
        head(out, "qili_ruling_duration_seconds", "histogram", told);
        self.ruling.write(out, "qili_ruling_duration_seconds", "");
        let (name, told) = (
            "qili_positions_expanded_total",
            "Positions expanded by searches.",
        );
        single(out, name, "counter", told, self.positions.load(Relaxed));
    }
}

impl RouteCounts {
    fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::default()
        }
    }

    /// A request was answered.
    pub fn answered(&self, status: u16, took: Duration) {
        if let Some(count) = self.by_status.get(usize::from(status / 100)) {
            count.fetch_add(1, Relaxed);
        }
        self.took.record(took);
    }

    fn was_asked(&self) -> bool {
        self.by_status.iter().any(|count| count.load(Relaxed) > 0)
    }
}

/// Begins a metric.
fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// Labels as they stand behind a name.
fn braces(labels: &str) -> String {
    if labels.is_empty() {
        return String::new();
    }
    format!("{{{labels}}}")
}

/// Writes a metric, with its values by their labels.
pub fn family(
    out: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    values: impl IntoIterator<Item = (String, impl Display)>,
) {
    head(out, name, kind, help);
    for (labels, value) in values {
        let _ = writeln!(out, "{name}{} {value}", braces(&labels));
    }
}

/// Writes a metric that has one value.
pub fn single(out: &mut String, name: &str, kind: &str, help: &str, value: impl Display) {
    family(out, name, kind, help, [(String::new(), value)]);
}
