//! Whether who asked is still there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the caller has left.
#[derive(Clone, Debug, Default)]
pub struct Gone(Arc<AtomicBool>);

impl Gone {
    /// Whether the caller has left.
    pub fn yes(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Held by the side that waits for the result: dropped with it when the caller leaves.
#[derive(Debug)]
pub struct Present(Gone);

impl Drop for Present {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// A pair that tells one side that the other has gone.
pub fn presence() -> (Present, Gone) {
    let gone = Gone::default();
    (Present(gone.clone()), gone)
}
