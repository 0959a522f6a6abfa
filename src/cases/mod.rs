//! Cases: positions with their cycles and what rule books make of them.

mod case;

pub use case::{Case, CaseFault, Expect, KnownDifference, Printed, Source, Standing};
