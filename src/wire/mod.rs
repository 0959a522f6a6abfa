//! Requests and rulings as JSON: the shapes every way in shares, the command and the service.
//!
//! ```
//! use qili::rules::Catalog;
//! use qili::wire::{answer, Request};
//! let text = r#"{"id": "my-17", "rules": "cxa-1999",
//!     "fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
//!     "moves": ["f0e0", "将5平6", "e0f0", "f8e8"]}"#;
//! let request = Request::parse(text).map_err(|fault| fault.error)?;
//! let ruling = answer(&request, &Catalog::builtin())?;
//! assert_eq!(ruling.verdict.outcome, qili::rules::Outcome::Loss);
//! # Ok::<_, qili::wire::RequestError>(())
//! ```

mod answer;
mod books;
mod brief;
mod error;
mod limit;
mod place;
mod played;
mod proof;
mod reading;
mod record;
mod request;
mod shape;
mod text;

pub use crate::ruling::BUDGET;
pub use crate::written::Unwritable;
pub use answer::{
    BookRef, CycleJson, MoveJson, OpenJson, RulingJson, SideJson, VerdictJson, answer,
    classified_json, resolve, ruling_json,
};
pub use books::{Ruleset, RulesetList, RulesetSummary};
pub use brief::write_ruling;
pub use error::{BadRequest, RequestError};
pub use limit::limit_json;
pub use played::{
    Classified, Continuation, ContinuationList, GameAudit, Length, LimitClaimed, PendingRuling,
};
#[cfg(feature = "openapi")]
pub use proof::Proved;
pub use proof::{Certified, NoProof, Proofs, Verification, bounded_certificate, certified_book};
pub use reading::{Form, GameList, ListedGame, ReadFault, ReadMove, ReadRemark, Reading, Sheet};
pub use record::{Details, Players, Record, Word};
pub use request::{Explain, Kind, LONGEST_PERIOD, MOST_MOVES, Prepared, Request, Watched};
pub use shape::in_words;
pub use text::{json, text};
