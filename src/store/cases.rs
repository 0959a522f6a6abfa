//! An organisation's own cases, with every revision of each.

use super::error::{Result, StoreError};
use super::moment::Moment;
use super::sql::value;
use super::store_of::Store;
use crate::cases::Case;
use serde::Serialize;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Transaction};

/// A case of one's own, as it was at a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnCase {
    /// Its id.
    pub id: String,
    /// The revision, from 1.
    pub revision: i64,
    /// When it was made.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub changed_at: String,
    /// By whom; empty where nobody needs a key.
    pub caller: String,
    /// Why.
    pub note: String,
    /// Whether the case is retired with it.
    pub retired: bool,
    /// The number of the ruling it was made of.
    pub ruling: Option<String>,
    /// The case itself.
    pub case: Case,
}

/// A change of a case.
#[derive(Clone, Debug)]
pub struct CaseChange {
    /// The case as it is to be.
    pub case: Case,
    /// Why.
    pub note: String,
    /// By whom.
    pub caller: String,
    /// The number of the ruling it is made of.
    pub ruling: Option<String>,
}

/// What became of a case that was imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Imported {
    /// It is new.
    Created,
    /// It differed, and has a new revision.
    Revised,
    /// It was there to the letter.
    Unchanged,
}

const SELECT: &str = "SELECT r.id, r.revision, r.changed_at, r.caller, r.note, r.retired, r.ruling, r.content FROM case_revisions r";
const CURRENT: &str = " JOIN cases c ON c.id = r.id AND c.revision = r.revision";

fn row_of(row: &AnyRow) -> Result<OwnCase> {
    let content: String = value(row, 7)?;
    let foreign = |error: serde_json::Error| StoreError::Foreign(error.to_string());
    Ok(OwnCase {
        id: value(row, 0)?,
        revision: value(row, 1)?,
        changed_at: Moment::of_stored(value(row, 2)?).to_string(),
        caller: value(row, 3)?,
        note: value(row, 4)?,
        retired: value::<i64, _>(row, 5)? != 0,
        ruling: value(row, 6)?,
        case: serde_json::from_str(&content).map_err(foreign)?,
    })
}

/// Asks for a case as it is now.
fn of_id(id: &str) -> Query<'static, Any, AnyArguments> {
    let ask = [SELECT, CURRENT, " WHERE r.id = $1"].concat();
    sqlx::query(AssertSqlSafe(ask)).bind(id)
}

async fn current(transaction: &mut Transaction<'_, Any>, id: &str) -> Result<Option<OwnCase>> {
    let found = of_id(id).fetch_optional(&mut **transaction).await?;
    found.as_ref().map(row_of).transpose()
}

/// Puts a revision after another, 0 for a case that is new.
async fn put(
    transaction: &mut Transaction<'_, Any>,
    before: i64,
    change: CaseChange,
    retired: bool,
) -> Result<OwnCase> {
    let (revision, now) = (before + 1, Moment::now());
    let id = change.case.id.clone();
    if before == 0 {
        let put = "INSERT INTO cases (id, revision, retired) VALUES ($1, $2, $3)";
        let put = sqlx::query(put)
            .bind(&id)
            .bind(revision)
            .bind(i64::from(retired));
        put.execute(&mut **transaction).await?;
    } else {
        let put = "UPDATE cases SET revision = $1, retired = $2 WHERE id = $3 AND revision = $4";
        let put = sqlx::query(put)
            .bind(revision)
            .bind(i64::from(retired))
            .bind(&id)
            .bind(before);
        if put.execute(&mut **transaction).await?.rows_affected() != 1 {
            return Err(StoreError::Conflict);
        }
    }
    let content = serde_json::to_string(&change.case)
        .map_err(|error| StoreError::Broken(error.to_string()))?;
    let insert = "INSERT INTO case_revisions (id, revision, changed_at, caller, note, retired, ruling, content) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let insert = sqlx::query(insert)
        .bind(&id)
        .bind(revision)
        .bind(now.stored())
        .bind(&change.caller);
    let insert = insert
        .bind(&change.note)
        .bind(i64::from(retired))
        .bind(&change.ruling)
        .bind(content);
    insert.execute(&mut **transaction).await?;
    Ok(OwnCase {
        id,
        revision,
        changed_at: now.to_string(),
        caller: change.caller,
        note: change.note,
        retired,
        ruling: change.ruling,
        case: change.case,
    })
}

impl Store {
    /// The cases as they are now, in the order of their ids; the retired ones too where asked for.
    pub async fn own_cases(&self, retired: bool) -> Result<Vec<OwnCase>> {
        let only = if retired { "" } else { " WHERE c.retired = 0" };
        let ask = [SELECT, CURRENT, only, " ORDER BY r.id"].concat();
        self.rows(sqlx::query(AssertSqlSafe(ask)), row_of).await
    }

    /// The cases as they are now behind an id, in the order of their ids, so many at most; the retired
    /// ones are not among them.
    pub async fn own_cases_after(&self, id: &str, most: u32) -> Result<Vec<OwnCase>> {
        let only = " WHERE c.retired = 0 AND c.id > $1 ORDER BY c.id LIMIT $2";
        let ask = sqlx::query(AssertSqlSafe([SELECT, CURRENT, only].concat()));
        let ask = ask.bind(id).bind(i64::from(most));
        self.rows(ask, row_of).await
    }

    /// Revisions of a case, the newest first: those before one, where that is given, so many at most.
    pub async fn case_revisions(
        &self,
        id: &str,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<OwnCase>> {
        let only = " WHERE r.id = $1 AND r.revision < $2 ORDER BY r.revision DESC LIMIT $3";
        let ask = sqlx::query(AssertSqlSafe([SELECT, only].concat()));
        let ask = ask.bind(id).bind(before.unwrap_or(i64::MAX));
        self.rows(ask.bind(i64::from(most)), row_of).await
    }

    /// A case as it is now.
    pub async fn own_case(&self, id: &str) -> Result<Option<OwnCase>> {
        self.row(of_id(id), row_of).await
    }

    /// Adds a case.
    ///
    /// # Errors
    /// There is one of its id, or the store cannot be used.
    pub async fn add_case(&self, change: CaseChange) -> Result<OwnCase> {
        self.change(move |transaction| {
            Box::pin(async move { put(transaction, 0, change, false).await })
        })
        .await
    }

    /// Revises a case, at a certain revision where that is given; nothing where there is none. A
    /// retired one is taken up again.
    ///
    /// # Errors
    /// It is at another revision, or the store cannot be used.
    pub async fn revise_case(
        &self,
        change: CaseChange,
        at: Option<i64>,
    ) -> Result<Option<OwnCase>> {
        self.change(move |transaction| {
            Box::pin(async move {
                let Some(now) = current(transaction, &change.case.id).await? else {
                    return Ok(None);
                };
                if at.is_some_and(|at| at != now.revision) {
                    return Err(StoreError::Conflict);
                }
                put(transaction, now.revision, change, false)
                    .await
                    .map(Some)
            })
        })
        .await
    }

    /// Retires a case, at a certain revision where that is given; nothing where there is none.
    ///
    /// # Errors
    /// It is at another revision, or the store cannot be used.
    pub async fn retire_case(
        &self,
        id: &str,
        note: &str,
        caller: &str,
        at: Option<i64>,
    ) -> Result<Option<OwnCase>> {
        let (id, note, caller) = (id.to_owned(), note.to_owned(), caller.to_owned());
        self.change(move |transaction| {
            Box::pin(async move {
                let Some(now) = current(transaction, &id).await? else {
                    return Ok(None);
                };
                if at.is_some_and(|at| at != now.revision) {
                    return Err(StoreError::Conflict);
                }
                if now.retired {
                    return Ok(Some(now));
                }
                let (ruling, case) = (now.ruling, now.case);
                let change = CaseChange {
                    case,
                    note,
                    caller,
                    ruling,
                };
                put(transaction, now.revision, change, true).await.map(Some)
            })
        })
        .await
    }

    /// Takes in cases, all or none: new ones are added, those that differ are revised.
    pub async fn import_cases(&self, changes: Vec<CaseChange>) -> Result<Vec<(String, Imported)>> {
        self.change(move |transaction| {
            Box::pin(async move {
                let mut told = Vec::with_capacity(changes.len());
                for change in changes {
                    let id = change.case.id.clone();
                    let became = match current(transaction, &id).await? {
                        None => {
                            put(transaction, 0, change, false).await?;
                            Imported::Created
                        }
                        Some(now) if now.case == change.case && !now.retired => Imported::Unchanged,
                        Some(now) => {
                            put(transaction, now.revision, change, false).await?;
                            Imported::Revised
                        }
                    };
                    told.push((id, became));
                }
                Ok(told)
            })
        })
        .await
    }
}
