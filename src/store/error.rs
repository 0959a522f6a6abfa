//! What can be wrong with the store.

use sqlx::Error as Sql;

/// What comes of some work with the store, or what is wrong with it.
pub(super) type Result<T = (), E = StoreError> = std::result::Result<T, E>;

/// What is wrong with the store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, is full, or takes too long: another try may do.
    #[error("the store cannot be used now: {0}")]
    Unavailable(String),
    /// The URL is none this program can open.
    #[error("{0}")]
    Url(String),
    /// A newer version of the program has written it.
    #[error(
        "the store has schema {found}, this program knows up to {known}: use the program that wrote it, or a newer one"
    )]
    Newer {
        /// The schema it has.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// What it holds is not what this program wrote.
    #[error("the store holds something else: {0}")]
    Foreign(String),
    /// A file of a backup cannot be used.
    #[error("{0}")]
    File(String),
    /// Somebody else was faster, or the name is taken.
    #[error("it is there already, or has been changed meanwhile")]
    Conflict,
    /// A statement failed that should not.
    #[error("the store failed: {0}")]
    Broken(String),
}

impl StoreError {
    /// Whether another try may do.
    pub const fn passes(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

/// What `SQLite` says where the file, the disk or a lock is at fault: busy, locked, read only,
/// interrupted, input and output, corrupt, full, cannot open, protocol, not a database.
const SQLITE_PASSING: &[u32] = &[5, 6, 8, 9, 10, 11, 13, 14, 15, 26];
/// The classes and codes of `PostgreSQL` for the same: connection, resources, the server's doings,
/// the system, a transaction that only reads, one that met another.
const POSTGRES_PASSING: &[&str] = &["08", "53", "57", "58", "25006", "40", "55", "XX"];

fn passes(code: &str) -> bool {
    // SQLite has numbers with details in their higher bytes, PostgreSQL five characters.
    let sqlite = |code: &str| {
        code.parse::<u32>()
            .is_ok_and(|code| SQLITE_PASSING.contains(&(code & 0xFF)))
    };
    let postgres = |code: &str| POSTGRES_PASSING.iter().any(|class| code.starts_with(class));
    if code.len() == 5 {
        postgres(code)
    } else {
        sqlite(code)
    }
}

impl From<Sql> for StoreError {
    fn from(error: Sql) -> Self {
        if let Sql::Database(told) = &error {
            if told.is_unique_violation() {
                return Self::Conflict;
            }
            let code = told.code().unwrap_or_default();
            // The message only: what was to be stored is not told.
            let text = format!("{} ({code})", told.message());
            return if passes(&code) {
                Self::Unavailable(text)
            } else {
                Self::Broken(text)
            };
        }
        let lost = matches!(
            error,
            Sql::Io(_)
                | Sql::Tls(_)
                | Sql::Protocol(_)
                | Sql::PoolTimedOut
                | Sql::PoolClosed
                | Sql::WorkerCrashed
        );
        if lost {
            Self::Unavailable(error.to_string())
        } else if matches!(error, Sql::Configuration(_)) {
            Self::Url(error.to_string())
        } else {
            Self::Broken(error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn what_passes_is_told_from_what_does_not() {
        for code in ["13", "10", "778", "5", "57P01", "53100", "40001", "08006"] {
            assert!(passes(code), "{code}");
        }
        for code in ["19", "1", "23505", "42601", "22021", ""] {
            assert!(!passes(code), "{code}");
        }
    }
}
