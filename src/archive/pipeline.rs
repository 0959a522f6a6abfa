//! Work on many pieces by many threads, its results in the order of the pieces.
//!
//! One thread reads, some work, the caller's writes. A piece is read only when there is room: so
//! many are on their way at most, however slow one of them is.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the reading and the writing took, waiting left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Busy {
    /// In the reader.
    pub reading: Duration,
    /// In the caller's sink.
    pub writing: Duration,
}

/// How many threads there are by default: one a core.
pub fn threads(asked: usize) -> NonZeroUsize {
    NonZeroUsize::new(asked)
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// Reads pieces until there are none, works on them with so many threads, and hands the results
/// to `sink` in the order in which they were read.
///
/// # Errors
/// The first failure of the reader, once all before it is in the sink, or that of the sink.
pub fn run<B: Send, D: Send>(
    threads: NonZeroUsize,
    mut read: impl FnMut() -> io::Result<Option<B>> + Send,
    work: impl Fn(B) -> D + Sync,
    mut sink: impl FnMut(D) -> io::Result<()>,
) -> io::Result<Busy> {
    let room = threads.get() * 4;
    let (take_room, give_room) = mpsc::sync_channel::<()>(room);
    let (hand_out, handed) = mpsc::sync_channel::<(u64, B)>(room);
    let handed = Mutex::new(handed);
    let (done, results) = mpsc::channel::<(u64, io::Result<D>)>();
    let mut busy = Busy::default();
    std::thread::scope(|scope| {
        let reader_done = done.clone();
        // Boxed, so that threads are compiled once and not for all work there is.
        let reads: Box<dyn FnOnce() -> Duration + Send> = Box::new(move || {
            let mut reading = Duration::ZERO;
            for number in 0u64.. {
                // No room any more: the sink has failed.
                if take_room.send(()).is_err() {
                    break;
                }
                let begun = Instant::now();
                let piece = read();
                reading += begun.elapsed();
                match piece {
                    Ok(Some(piece)) => {
                        if hand_out.send((number, piece)).is_err() {
                            break;
                        }
                    }
                    Ok(None) => break,
                    Err(error) => {
                        reader_done.send((number, Err(error))).ok();
                        break;
                    }
                }
            }
            reading
        });
        let reader = scope.spawn(reads);
        for _ in 0..threads.get() {
            let (handed, work, done) = (&handed, &work, done.clone());
            let works: Box<dyn FnOnce() + Send> = Box::new(move || {
                while let Some((number, piece)) = next(handed) {
                    // Whoever waits for this piece would wait for ever if it did not come.
                    let result = catch_unwind(AssertUnwindSafe(|| work(piece)));
                    let result = result
                        .map_err(|_| io::Error::other("a worker failed: this is a fault of qili"));
                    if done.send((number, result)).is_err() {
                        break;
                    }
                }
            });
            scope.spawn(works);
        }
        drop(done);
        let written = in_order(results, &give_room, &mut sink, &mut busy.writing);
        // Without room the reader stops, and the workers after it.
        drop(give_room);
        busy.reading = reader.join().unwrap_or_default();
        written
    })?;
    Ok(busy)
}

fn next<T>(from: &Mutex<Receiver<T>>) -> Option<T> {
    from.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .recv()
        .ok()
}

fn in_order<D>(
    results: Receiver<(u64, io::Result<D>)>,
    give_room: &Receiver<()>,
    sink: &mut impl FnMut(D) -> io::Result<()>,
    writing: &mut Duration,
) -> io::Result<()> {
    let mut early = BTreeMap::new();
    let mut wanted = 0;
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&wanted) {
            let result = result?;
            let begun = Instant::now();
            sink(result)?;
            *writing += begun.elapsed();
            give_room.recv().ok();
            wanted += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn four() -> NonZeroUsize {
        NonZeroUsize::new(4).unwrap()
    }

    #[test]
    fn results_come_in_order_and_few_are_on_their_way() {
        let (read, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut seen = Vec::new();
        run(
            four(),
            || {
                let next = read.fetch_add(1, Ordering::SeqCst);
                assert!(next <= written.load(Ordering::SeqCst) + 17);
                Ok((next < 1000).then_some(next))
            },
            |piece| {
                if piece % 7 == 0 {
                    std::thread::yield_now();
                }
                piece * 2
            },
            |result| {
                written.fetch_add(1, Ordering::SeqCst);
                seen.push(result);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(seen, (0..1000).map(|n| n * 2).collect::<Vec<_>>());
    }

    #[test]
    fn what_was_read_before_a_failure_is_written() {
        let mut next = 0;
        let mut seen = Vec::new();
        let failed = run(
            four(),
            || {
                next += 1;
                if next == 50 {
                    Err(io::Error::other("torn"))
                } else {
                    Ok(Some(next))
                }
            },
            |piece| piece,
            |result| {
                seen.push(result);
                Ok(())
            },
        );
        assert_eq!(failed.unwrap_err().to_string(), "torn");
        assert_eq!(seen, (1..50).collect::<Vec<_>>());
    }

    #[test]
    fn a_sink_that_fails_and_a_worker_that_panics_end_it() {
        let full = run(
            four(),
            || Ok(Some(1)),
            |n| n,
            |_| Err(io::Error::other("full")),
        );
        assert_eq!(full.unwrap_err().to_string(), "full");
        let mut next = 0;
        let broken = run(
            four(),
            || {
                next += 1;
                Ok((next < 500).then_some(next))
            },
            |n| assert_ne!(n, 100),
            |()| Ok(()),
        );
        assert!(broken.unwrap_err().to_string().contains("a worker failed"));
    }
}
