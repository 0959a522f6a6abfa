//! The same work on many things, in their order.

/// What the work makes of each thing, worked on by as many threads as the current pool of rayon has.
#[cfg(feature = "threads")]
pub(super) fn spread<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use rayon::prelude::*;
    things.par_iter().map(&work).collect()
}

/// What the work makes of each thing, one after another.
#[cfg(not(feature = "threads"))]
pub(super) fn spread<T, R>(things: &[T], work: impl Fn(&T) -> R) -> Vec<R> {
    things.iter().map(work).collect()
}
