//! Counts an operator watches, as Prometheus reads them.

use crate::http::edge::problem::Busy;
use crate::rules::{Catalog, Outcome};
use std::fmt::Write;
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
        let braces = if labels.is_empty() {
            String::new()
        } else {
            format!("{{{labels}}}")
        };
        let seconds = self.micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(
            out,
            "{name}_sum{braces} {seconds}\n{name}_count{braces} {sum}"
        );
    }
}

/// The requests of one route.
#[derive(Debug)]
pub struct RouteCounts {
    path: String,
    by_status: [AtomicU64; 6],
    took: Histogram,
}

/// The rulings under one book.
#[derive(Debug)]
struct Book {
    id: String,
    by_outcome: [AtomicU64; OUTCOMES.len()],
}

const OUTCOMES: [(Outcome, &str); 5] = [
    (Outcome::Draw, "draw"),
    (Outcome::MustChange, "must_change"),
    (Outcome::Loss, "loss"),
    (Outcome::None, "none"),
    (Outcome::Undetermined, "undetermined"),
];

/// The name of an outcome.
pub fn named(outcome: Outcome) -> &'static str {
    let named = OUTCOMES.iter().find(|(known, _)| *known == outcome);
    named.map_or("", |(_, name)| name)
}

/// Everything counted.
#[derive(Debug)]
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
        Self {
            routes: Mutex::default(),
            elsewhere: RouteCounts::new("other"),
            books: catalog
                .ids()
                .into_iter()
                .chain(["other"])
                .map(book)
                .collect(),
            refused: Default::default(),
            queue_wait: Histogram::default(),
            ruling: Histogram::default(),
            positions: AtomicU64::new(0),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            lines: AtomicU64::new(0),
            bad_lines: AtomicU64::new(0),
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
        let at = OUTCOMES.iter().position(|(known, _)| *known == outcome);
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
        head(
            out,
            "qili_queue_wait_seconds",
            "histogram",
            "Time requests waited for a place.",
        );
        self.queue_wait.write(out, "qili_queue_wait_seconds", "");
        head(
            out,
            "qili_refused_total",
            "counter",
            "Requests turned away, by reason.",
        );
        for (why, count) in Busy::ALL.iter().zip(&self.refused) {
            let (code, count) = (why.code(), count.load(Relaxed));
            let _ = writeln!(out, "qili_refused_total{{reason=\"{code}\"}} {count}");
        }
        head(
            out,
            "qili_batch_lines_total",
            "counter",
            "Lines of batches, by result.",
        );
        for (result, count) in [("ruling", &self.lines), ("error", &self.bad_lines)] {
            let count = count.load(Relaxed);
            let _ = writeln!(out, "qili_batch_lines_total{{result=\"{result}\"}} {count}");
        }
        head(
            out,
            "qili_cache_requests_total",
            "counter",
            "Rulings looked for in the cache.",
        );
        for (result, count) in [("hit", &self.hits), ("miss", &self.misses)] {
            let count = count.load(Relaxed);
            let _ = writeln!(
                out,
                "qili_cache_requests_total{{result=\"{result}\"}} {count}"
            );
        }
    }

    fn write_requests(&self, out: &mut String) {
        const TOTAL: &str = "qili_http_requests_total";
        const TOOK: &str = "qili_http_request_duration_seconds";
        head(
            out,
            TOTAL,
            "counter",
            "Requests answered, by route and class of status.",
        );
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let routes = routes.iter().map(Arc::as_ref).chain([&self.elsewhere]);
        let asked: Vec<_> = routes.filter(|route| route.was_asked()).collect();
        for route in &asked {
            for (class, count) in route.by_status.iter().enumerate() {
                let (path, count) = (&route.path, count.load(Relaxed));
                if count > 0 {
                    let _ = writeln!(
                        out,
                        "{TOTAL}{{route=\"{path}\",status=\"{class}xx\"}} {count}"
                    );
                }
            }
        }
        head(
            out,
            TOOK,
            "histogram",
            "Time until an answer began, by route.",
        );
        for route in &asked {
            let label = format!("route=\"{}\"", route.path);
            route.took.write(out, TOOK, &label);
        }
    }

    fn write_rulings(&self, out: &mut String) {
        const TOTAL: &str = "qili_rulings_total";
        head(out, TOTAL, "counter", "Rulings given, by book and outcome.");
        for book in &self.books {
            for ((_, outcome), count) in OUTCOMES.iter().zip(&book.by_outcome) {
                let (id, count) = (&book.id, count.load(Relaxed));
                let _ = writeln!(
                    out,
                    "{TOTAL}{{rules=\"{id}\",outcome=\"{outcome}\"}} {count}"
                );
            }
        }
        head(
            out,
            "qili_ruling_duration_seconds",
            "histogram",
            "Time rulings took to work out.",
        );
        self.ruling.write(out, "qili_ruling_duration_seconds", "");
        head(
            out,
            "qili_positions_expanded_total",
            "counter",
            "Positions expanded by searches.",
        );
        let _ = writeln!(
            out,
            "qili_positions_expanded_total {}",
            self.positions.load(Relaxed)
        );
    }
}

impl RouteCounts {
    fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            by_status: Default::default(),
            took: Histogram::default(),
        }
    }

    /// A request was answered.
    pub fn answered(&self, status: u16, took: Duration) {
        if let Some(count) = self.by_status.get(usize::from(status / 100)) {
            count.fetch_add(1, Relaxed);
        }
        self.took.record(took);
    }

    /// The path, with the names of its parts in braces.
    pub fn path(&self) -> &str {
        &self.path
    }

    fn was_asked(&self) -> bool {
        self.by_status.iter().any(|count| count.load(Relaxed) > 0)
    }
}

/// Begins a metric.
pub fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}
