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

mod ablate;
mod case;
mod corpus;
mod coverage;
mod junit;
mod matrix;
mod run;
mod work;

pub use ablate::{Ablation, Tried, ablation};
pub use case::{Case, CaseFault, Expect, KnownDifference, Precedent, Printed, Source, Standing};
pub use corpus::{CaseFile, Corpus, FileFault};
pub use coverage::{ArticleCoverage, Coverage, Effect, Exercise, ParameterCoverage, coverage};
pub use junit::junit;
pub use matrix::{Cell, Matrix, Row, matrix};
pub use run::{
    BookReport, CaseResult, CaseStatus, Counts, Decision, LabelDifference, Report, Share, check,
    meets, ruling_on, run,
};
pub(crate) use work::spread;
pub use work::{all_cores, in_order};
