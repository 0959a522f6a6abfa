//! Cases: positions with their cycles and what rule books make of them.
//!
//! ```
//! use qili::cases::{Corpus, run};
//! use qili::rules::Catalog;
//! let book = Catalog::builtin().get("cxa-1999")?;
//! let report = run(Corpus::builtin(), &[book], 1);
//! assert!(report.books[0].counts.cases >= 16);
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```

mod case;
mod corpus;
mod run;
mod work;

pub use case::{Case, CaseFault, Expect, KnownDifference, Printed, Source, Standing};
pub use corpus::{CaseFile, Corpus, FileFault};
pub use run::{
    BookReport, CaseResult, CaseStatus, Counts, Decision, LabelDifference, Report, Share, check,
    meets, rule, ruling_on, run,
};
pub use work::{all_cores, in_order};
