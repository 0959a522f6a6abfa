//! Work on many things by several threads, the results in the order of the things.

use std::num::NonZero;
use std::thread;

/// As many threads as the machine runs at once.
pub fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// What `work` makes of every item, in their order; on one thread where there is no feature `threads`.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    if threads <= 1 || items.len() <= 1 {
        return items.iter().map(work).collect();
    }
    #[cfg(feature = "threads")]
    if let Ok(pool) = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.min(items.len()))
        .build()
    {
        return pool.install(|| spread(items, &work));
    }
    spread(items, work)
}

/// The same by as many threads as the current pool of rayon has.
#[cfg(feature = "threads")]
pub(crate) fn spread<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().map(&work).collect()
}

/// The same, one after another.
#[cfg(not(feature = "threads"))]
pub(crate) fn spread<T, R>(items: &[T], work: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(work).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [0, 1, 2, 7] {
            let results = in_order(&items, threads, |n| n * n);
            assert_eq!(results, items.iter().map(|n| n * n).collect::<Vec<_>>());
        }
    }
}
