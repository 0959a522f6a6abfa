//! A million rulings, and how long reading one by its number takes:
//! `cargo bench --bench store -- [--rows N] [--url URL]`.
//!
//! The rows are made by the writer itself, from one ruling, each under a number of its own.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement: what fails ends it"
)]

use futures_util::future::join_all;
use qili::rules::{Catalog, Outcome};
use qili::store::{Entry, Kept, Options, Store};
use qili::wire::{Details, Request, answer};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Rulings asked for at once while the rows are made.
const ABREAST: usize = 256;
/// Rulings read.
const READS: usize = 20_000;

fn option(name: &str) -> Option<String> {
    let mut arguments = std::env::args();
    arguments.find(|argument| argument == name)?;
    arguments.next()
}

fn main() {
    let rows: usize = option("--rows").map_or(1_000_000, |rows| rows.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("qili-store-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let url = option("--url");
    let url = url.unwrap_or_else(|| format!("sqlite:{}", folder.join("qili.db").display()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(measure(&url, rows));
    std::fs::remove_dir_all(&folder).unwrap();
}

async fn measure(url: &str, rows: usize) {
    let store = Store::open(url, Options::default()).unwrap();
    let moves = ["f0e0", "e8f8", "e0f0", "f8e8"].map(str::to_owned).to_vec();
    let request = Request::cycle("2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1", moves);
    let catalog = Catalog::builtin();
    let book = catalog.get("cxa-1999").unwrap();
    let ruling = answer(&request, catalog).unwrap();
    let template = Entry {
        caller: "bench".to_owned(),
        book,
        engine: "0".to_owned(),
        outcome: ruling.verdict.outcome,
        side: Some("red"),
        details: Details::default(),
        latency_us: 100,
        idempotency: None,
        request: serde_json::to_string(&request).unwrap(),
        ruling: serde_json::to_string(&ruling).unwrap(),
    };
    let begun = Instant::now();
    let mut numbers = Vec::with_capacity(rows);
    while numbers.len() < rows {
        let some = (rows - numbers.len()).min(ABREAST);
        let keep = (0..some).map(|_| store.keep(template.clone()));
        for kept in join_all(keep).await {
            let Kept::New(number) = kept.unwrap() else {
                continue;
            };
            numbers.push(number);
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let groups = store.counts().groups.load(Relaxed);
    println!(
        "{rows} rulings of {} bytes kept in {seconds:.1} s, in {groups} transactions",
        template.ruling.len()
    );
    let mut times = Vec::with_capacity(READS);
    let mut at: usize = 12_345;
    for _ in 0..READS {
        at = (at
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407))
            % numbers.len();
        let begun = Instant::now();
        let found = store.ruling(*numbers.get(at).unwrap()).await.unwrap();
        times.push(begun.elapsed().as_micros());
        assert!(found.is_some_and(|found| found.ruling == template.ruling));
    }
    times.sort_unstable();
    let of = |share: usize| {
        times
            .get(times.len() * share / 1000)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "read by number, microseconds: median {}, 99 % {}, 99.9 % {}",
        of(500),
        of(990),
        of(999)
    );
    let begun = Instant::now();
    let page = store
        .rulings(qili::store::Filter {
            outcome: Some(Outcome::Loss),
            ..Default::default()
        })
        .await
        .unwrap();
    println!(
        "a page of {}: {} us",
        page.items.len(),
        begun.elapsed().as_micros()
    );
    store.close().await;
}
