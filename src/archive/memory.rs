//! What is remembered within so many bytes.

use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use std::hash::Hash;

/// Answers remembered by their questions, as heavy as a weigher says.
pub type Memory<K, V, W> = Cache<K, V, W, RandomState>;

/// Room for so many bytes, about so many answers.
pub fn memory<K: Eq + Hash, V: Clone, W: Weighter<K, V> + Clone>(
    entries: usize,
    bytes: u64,
    weigher: W,
) -> Memory<K, V, W> {
    let (hashes, lifecycle) = (RandomState::default(), DefaultLifecycle::default());
    Cache::with(entries, bytes, weigher, hashes, lifecycle)
}
