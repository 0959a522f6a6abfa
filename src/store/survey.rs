//! What a store is like before it is used: looking changes nothing.

use super::backup::own;
use super::error::{Result, StoreError};
use super::link::{Kind, Place, alone};
use super::schema::{SCHEMA, STEPS, migrate, migrator};
use super::sql::value;
use sqlx::{AnyConnection, ConnectOptions as _, Connection as _};
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::timeout;

/// How long anyone waits for it: what it holds is counted, and a file read through.
const WAIT: Duration = Duration::from_mins(10);

/// What a store is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Which database holds it.
    pub kind: Kind,
    /// The file it is in, where it is one.
    pub file: Option<PathBuf>,
    /// The schema it has; none where nothing was kept yet.
    pub schema: Option<i64>,
    /// Rulings kept.
    pub rulings: i64,
    /// Keys ever made: from the first one on everybody needs one.
    pub keys: i64,
    /// What the database itself finds wrong with its file.
    pub faults: Vec<String>,
}

impl Survey {
    /// The steps that would bring it to the schema of this program.
    pub fn ahead(&self) -> Vec<(i64, &'static str)> {
        let had = self.schema.unwrap_or_default();
        let steps = STEPS.iter().map(|&(number, name, ..)| (number, name));
        steps.filter(|(number, _)| *number > had).collect()
    }
}

/// Looks at a store; a file is read through for damage where that is asked for.
///
/// # Errors
/// It cannot be reached, is newer than this program, or not its own.
pub fn survey(url: &str, thorough: bool) -> Result<Survey> {
    let place = Place::of(url, WAIT)?;
    let nothing = Survey {
        kind: place.kind,
        file: place.file.clone(),
        schema: None,
        rulings: 0,
        keys: 0,
        faults: Vec::new(),
    };
    if place.file.as_ref().is_some_and(|file| !file.exists()) {
        return Ok(nothing);
    }
    alone(async {
        let looked = timeout(WAIT, async {
            let mut connection = place.options.connect().await?;
            let found = look(&mut connection, nothing, thorough).await;
            connection.close().await.ok();
            found
        });
        let late = || StoreError::Unavailable("it takes too long".to_owned());
        looked.await.unwrap_or_else(|_| Err(late()))
    })
}

async fn look(connection: &mut AnyConnection, mut found: Survey, thorough: bool) -> Result<Survey> {
    own(connection, found.kind).await?;
    let steps = match found.kind {
        Kind::Sqlite => "SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'",
        Kind::Postgres => {
            "SELECT count(*) FROM pg_tables WHERE tablename = '_sqlx_migrations' \
             AND schemaname = current_schema()"
        }
    };
    let steps: i64 = sqlx::query_scalar(steps)
        .fetch_one(&mut *connection)
        .await?;
    if steps > 0 {
        found.schema = schema(connection, found.kind).await?;
    }
    if found.schema.is_some() {
        let rulings = sqlx::query_scalar("SELECT count(*) FROM rulings");
        found.rulings = rulings.fetch_one(&mut *connection).await?;
        let keys = sqlx::query_scalar("SELECT count(*) FROM keys");
        found.keys = keys.fetch_one(&mut *connection).await?;
    }
    if thorough && found.kind == Kind::Sqlite {
        let told = sqlx::query_scalar::<_, String>("PRAGMA quick_check(20)");
        let told = told.fetch_all(&mut *connection).await?;
        found.faults = told.into_iter().filter(|line| line != "ok").collect();
    }
    Ok(found)
}

/// The last step taken, where each is one that was released.
async fn schema(connection: &mut AnyConnection, kind: Kind) -> Result<Option<i64>> {
    let released = migrator(kind);
    let taken = sqlx::query("SELECT version, checksum FROM _sqlx_migrations ORDER BY version");
    let mut last = None;
    for row in taken.fetch_all(connection).await? {
        let (number, checksum): (i64, Vec<u8>) = (value(&row, 0)?, value(&row, 1)?);
        let Some(step) = released.iter().find(|step| step.version == number) else {
            let known = SCHEMA;
            return Err(StoreError::Newer {
                found: number,
                known,
            });
        };
        if *step.checksum != checksum {
            let told = format!("step {number} of its schema is not the one released");
            return Err(StoreError::Foreign(told));
        }
        last = Some(number);
    }
    Ok(last)
}

/// Brings a store to the schema of this program; one that is not there yet is made.
///
/// # Errors
/// It cannot be reached, is newer than this program, or not its own.
pub fn bring_up_to_date(url: &str) -> Result {
    let place = Place::of(url, WAIT)?;
    place.prepare()?;
    alone(async {
        let mut connection = place.connect().await?;
        let done = match own(&mut connection, place.kind).await {
            Ok(()) => migrate(&mut connection, place.kind, None).await,
            Err(foreign) => Err(foreign),
        };
        connection.close().await.ok();
        done
    })
}
