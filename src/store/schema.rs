//! The tables, and how those of an older program become those of this one.

use super::error::{Result, StoreError};
use super::link::Kind;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, SqlSafeStr as _};

/// The schema this program writes.
pub const SCHEMA: i64 = 1;

/// Every step ever released, its number first. A step that was released stays as it is.
pub(super) const STEPS: &[(i64, &str, &str, &str)] = &[(
    1,
    "first",
    include_str!("migrations/sqlite/0001_first.sql"),
    include_str!("migrations/postgres/0001_first.sql"),
)];

pub(super) fn migrator(kind: Kind) -> Migrator {
    let step =
        |&(number, name, sqlite, postgres): &(i64, &'static str, &'static str, &'static str)| {
            let sql = match kind {
                Kind::Sqlite => sqlite,
                Kind::Postgres => postgres,
            };
            Migration::new(
                number,
                name.into(),
                MigrationType::Simple,
                sql.into_sql_str(),
                false,
            )
        };
    Migrator::with_migrations(STEPS.iter().map(step).collect())
}

/// Brings a store to a schema, its latest where none is named. On `PostgreSQL` the others wait
/// meanwhile.
///
/// # Errors
/// The store is newer than the program, another's, or cannot be reached.
pub(super) async fn migrate(connection: &mut AnyConnection, kind: Kind, to: Option<i64>) -> Result {
    let done = migrator(kind).run_direct(to, connection, false).await;
    done.map_err(|error| {
        let foreign = |step: i64, what: &str| {
            StoreError::Foreign(format!("step {step} of its schema {what}"))
        };
        if let MigrateError::VersionMissing(found) = error {
            let known = SCHEMA;
            return StoreError::Newer { found, known };
        }
        if let MigrateError::VersionMismatch(step) = error {
            return foreign(step, "is not the one released");
        }
        if let MigrateError::Dirty(step) = error {
            return foreign(step, "was broken off");
        }
        if let MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) = error {
            return error.into();
        }
        StoreError::Broken(error.to_string())
    })
}
