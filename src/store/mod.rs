//! What is kept: the decision log, an organisation's own cases, drafts of amendments, API keys.
//!
//! One `SQLite` file, or a `PostgreSQL` database that several instances share; the same code and the
//! same statements for both. [`Store`] works on threads of its own: whoever calls it waits, but
//! never longer than agreed. Rulings go through one writer that commits whatever is waiting in one
//! transaction; nobody hears of a number before its transaction is on the disk.

mod backup;
mod cases;
mod drafts;
mod error;
mod keys;
mod link;
mod moment;
mod number;
mod refusals;
mod replay;
mod rulings;
mod schema;
mod sql;
mod store_of;
mod survey;
mod writer;

pub use backup::{Backup, backup, restore, verify};
pub use cases::{CaseChange, Imported, OwnCase};
pub use drafts::{
    DraftBooks, DraftChange, DraftNote, DraftReport, DraftRow, DraftStatus, read_amendment,
};
pub use error::StoreError;
pub use keys::{KeyInForce, KeyRow, KeyScope, Known, NewKey, is_key_name};
pub use link::{Kind, alone, default_url, shown};
pub use moment::{Moment, Second};
pub use number::{BadNumber, Number};
pub use refusals::{Refusal, RefusedRow};
pub use replay::{differences, request_under, rule_again, verify_kept};
pub use rulings::{Entry, Filter, Idempotency, Kept, Page, RulingRow, RulingText};
pub use schema::SCHEMA;
pub use store_of::{Counts, Health, Options, Store};
pub use survey::{Survey, bring_up_to_date, survey};
