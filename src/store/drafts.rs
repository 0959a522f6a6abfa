//! Drafts: amendments under discussion, with their versions, notes and reports.

use super::error::{Result, StoreError};
use super::link::Link;
use super::moment::Moment;
use super::number::Number;
use super::sql::value;
use super::store_of::Store;
use crate::named::named;
use crate::rules::{Amendment, Catalog, Fault, LoadedBook};
use crate::version::BUILD;
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Transaction};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Versions of drafts that can be ruled by at once: those that drafts are at go first, then the newest.
const MOST: i64 = 10_000;
/// Texts that are read one by one.
const AT_ONCE: usize = 32;
/// Amended books kept at hand.
const BUILT: usize = 64;

named! { read
    /// How far a draft has come.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum DraftStatus {
        /// It is being written.
        #[default]
        Draft "draft",
        /// It is put forward.
        Proposed "proposed",
        /// It was adopted.
        Adopted "adopted",
        /// It was rejected.
        Rejected "rejected",
        /// It was taken back.
        Withdrawn "withdrawn",
    }
}

/// A draft as it was at a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftRow {
    /// Its id: the amendment's.
    pub id: String,
    /// The version, from 1.
    pub version: i64,
    /// When it was made.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub changed_at: String,
    /// By whom; empty where nobody needs a key.
    pub caller: String,
    /// Its title.
    pub title: String,
    /// How far it has come.
    pub status: DraftStatus,
    /// `sha256:` and the digest of the amended book.
    pub digest: String,
    /// The amendment, as it was given: the text of its TOML file, or JSON.
    pub amendment: String,
}

/// A change of a draft.
#[derive(Clone, Debug)]
pub struct DraftChange {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How far it has come.
    pub status: DraftStatus,
    /// The digest of the amended book.
    pub digest: String,
    /// The amendment, as it was given.
    pub amendment: String,
    /// By whom.
    pub caller: String,
}

/// A note on a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftNote {
    /// Its number.
    pub number: String,
    /// When it was written.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub written_at: String,
    /// By whom.
    pub caller: String,
    /// On which version.
    pub version: i64,
    /// What it says.
    pub text: String,
}

/// A comparison that was kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftReport {
    /// Its number.
    pub number: String,
    /// When it was made.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub made_at: String,
    /// By whom.
    pub caller: String,
    /// Of which version.
    pub version: i64,
    /// The version of the program.
    pub engine: String,
    /// How many cases came out how.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub summary: serde_json::Value,
}

/// Reads an amendment, from the text of its TOML file or from JSON.
pub fn read_amendment(text: &str) -> Result<Amendment, Vec<Fault>> {
    if text.trim_start().starts_with('{')
        && let Ok(amendment) = serde_json::from_str(text)
    {
        return Ok(amendment);
    }
    Catalog::builtin().read_amendment("", text)
}

/// The versions of drafts that can be ruled by.
#[derive(Debug, Default)]
pub struct DraftBooks {
    /// The version each draft is at.
    current: BTreeMap<String, i64>,
    texts: BTreeMap<(String, i64), Arc<str>>,
    built: Mutex<BTreeMap<(String, i64), Arc<LoadedBook>>>,
}

impl DraftBooks {
    /// The book of a draft: `id` as it is now, or `id@3`; with the version.
    pub fn get(&self, name: &str) -> Option<(String, Arc<LoadedBook>)> {
        let (key, text) = if let Some((id, version)) = name.split_once('@') {
            let number: i64 = version.parse().ok()?;
            // A version has one name.
            let key = (id.to_owned(), number);
            let kept = (number.to_string() == version).then(|| self.texts.get_key_value(&key));
            kept??
        } else {
            let range = (name.to_owned(), 0)..=(name.to_owned(), i64::MAX);
            self.texts.range(range).next_back()?
        };
        let pinned = format!("{}@{}", key.0, key.1);
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(book) = built.get(key) {
            return Some((pinned, Arc::clone(book)));
        }
        let amendment = read_amendment(text).ok()?;
        let base = Catalog::builtin().get(&amendment.base).ok()?;
        let book = Arc::new(base.amended(&amendment).ok()?);
        if built.len() >= BUILT {
            built.pop_first();
        }
        built.insert(key.clone(), Arc::clone(&book));
        Some((pinned, book))
    }

    /// The versions of a draft that can be ruled by, the newest first.
    pub fn versions(&self, id: &str) -> Vec<String> {
        let range = (id.to_owned(), 0)..=(id.to_owned(), i64::MAX);
        let kept = self.texts.range(range).rev();
        kept.map(|((_, version), _)| version.to_string()).collect()
    }

    /// What is there now, if that is not what this has.
    pub(super) async fn refreshed(&self, link: &Link) -> Result<Option<Self>> {
        let mut connection = link.acquire().await?;
        let ask = sqlx::query("SELECT id, version FROM drafts");
        let rows = ask.fetch_all(&mut *connection).await?;
        let current = rows.iter().map(|row| Ok((value(row, 0)?, value(row, 1)?)));
        let current = current.collect::<Result<BTreeMap<_, _>>>()?;
        if current == self.current {
            return Ok(None);
        }
        // What a version says never changes: it is read once, unless there is much to be read.
        let known = |row: &AnyRow| {
            let key = (value(row, 0)?, value(row, 1)?);
            let text = self.texts.get(&key).cloned();
            Ok((key, text))
        };
        let rows = versions(&mut connection, "v.id, v.version").await?;
        let mut texts = rows.iter().map(known).collect::<Result<BTreeMap<_, _>>>()?;
        if texts.values().filter(|text| text.is_none()).count() > AT_ONCE {
            let rows = versions(&mut connection, "v.id, v.version, v.amendment").await?;
            for row in &rows {
                let text: String = value(row, 2)?;
                texts.insert((value(row, 0)?, value(row, 1)?), Some(text.into()));
            }
        }
        for (key, text) in &mut texts {
            if text.is_none() {
                *text = Some(text_of(&mut connection, key).await?);
            }
        }
        let texts = texts.into_iter();
        let texts = texts.filter_map(|(key, text)| Some((key, text?))).collect();
        Ok(Some(Self {
            current,
            texts,
            built: Mutex::default(),
        }))
    }
}

/// The versions that can be ruled by.
async fn versions(connection: &mut AnyConnection, columns: &str) -> Result<Vec<AnyRow>> {
    let ask = format!(
        "SELECT {columns} FROM draft_versions v \
        LEFT JOIN drafts d ON d.id = v.id AND d.version = v.version \
        ORDER BY d.id IS NULL, v.changed_at DESC LIMIT $1"
    );
    let ask = sqlx::query(AssertSqlSafe(ask)).bind(MOST);
    Ok(ask.fetch_all(connection).await?)
}

/// What a version of a draft says.
async fn text_of(
    connection: &mut AnyConnection,
    (id, version): &(String, i64),
) -> Result<Arc<str>> {
    let ask = "SELECT amendment FROM draft_versions WHERE id = $1 AND version = $2";
    let ask = sqlx::query_scalar(ask).bind(id).bind(*version);
    let text: String = ask.fetch_one(connection).await?;
    Ok(text.into())
}

const SELECT: &str = "SELECT v.id, v.version, v.changed_at, v.caller, v.title, v.status, v.digest, v.amendment FROM draft_versions v";
const CURRENT: &str = " JOIN drafts d ON d.id = v.id AND d.version = v.version";

fn row_of(row: &AnyRow) -> Result<DraftRow> {
    let status: String = value(row, 5)?;
    let status = DraftStatus::ALL
        .into_iter()
        .find(|known| known.id() == status);
    Ok(DraftRow {
        id: value(row, 0)?,
        version: value(row, 1)?,
        changed_at: Moment::of_stored(value(row, 2)?).to_string(),
        caller: value(row, 3)?,
        title: value(row, 4)?,
        status: status.unwrap_or_default(),
        digest: value(row, 6)?,
        amendment: value(row, 7)?,
    })
}

async fn put(
    transaction: &mut Transaction<'_, Any>,
    before: i64,
    change: DraftChange,
) -> Result<DraftRow> {
    let version = before.checked_add(1).ok_or(StoreError::Conflict)?;
    let now = Moment::now();
    let put = if before == 0 {
        sqlx::query("INSERT INTO drafts (id, version) VALUES ($1, $2)")
            .bind(&change.id)
            .bind(version)
    } else {
        let put = "UPDATE drafts SET version = $2 WHERE id = $1 AND version = $3";
        sqlx::query(put).bind(&change.id).bind(version).bind(before)
    };
    if put.execute(&mut **transaction).await?.rows_affected() != 1 {
        return Err(StoreError::Conflict);
    }
    let insert = "INSERT INTO draft_versions (id, version, changed_at, caller, title, status, digest, amendment) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let insert = sqlx::query(insert)
        .bind(&change.id)
        .bind(version)
        .bind(now.stored())
        .bind(&change.caller);
    let insert = insert
        .bind(&change.title)
        .bind(change.status.id())
        .bind(&change.digest)
        .bind(&change.amendment);
    insert.execute(&mut **transaction).await?;
    Ok(DraftRow {
        id: change.id,
        version,
        changed_at: now.to_string(),
        caller: change.caller,
        title: change.title,
        status: change.status,
        digest: change.digest,
        amendment: change.amendment,
    })
}

fn new_number() -> Result<Number> {
    Number::new().map_err(|error| StoreError::Broken(error.to_string()))
}

impl Store {
    /// The drafts that can be ruled by, as last read.
    pub fn draft_books(&self) -> Arc<DraftBooks> {
        self.shared().known_drafts()
    }

    /// The drafts as they are now, in the order of their ids: those behind an id, so many at most.
    pub async fn drafts(&self, behind: &str, most: u32) -> Result<Vec<DraftRow>> {
        let only = " WHERE v.id > $1 ORDER BY v.id LIMIT $2";
        let ask = sqlx::query(AssertSqlSafe([SELECT, CURRENT, only].concat()));
        let ask = ask.bind(behind).bind(i64::from(most));
        self.rows(ask, row_of).await
    }

    /// Versions of a draft, the newest first: those before one, where that is given, so many at most.
    pub async fn draft_versions(
        &self,
        id: &str,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<DraftRow>> {
        let only = " WHERE v.id = $1 AND v.version < $2 ORDER BY v.version DESC LIMIT $3";
        let ask = sqlx::query(AssertSqlSafe([SELECT, only].concat()));
        let ask = ask.bind(id).bind(before.unwrap_or(i64::MAX));
        self.rows(ask.bind(i64::from(most)), row_of).await
    }

    /// Adds a draft, or a version of it after another.
    ///
    /// # Errors
    /// There is one of its id, it is at another version, or the store cannot be used.
    pub async fn put_draft(&self, change: DraftChange, before: i64) -> Result<DraftRow> {
        let put = self.change(move |transaction| {
            Box::pin(async move { put(transaction, before, change).await })
        });
        let put = put.await?;
        self.refresh().await;
        Ok(put)
    }

    /// Adds a note to a draft.
    ///
    /// # Errors
    /// There is no such draft, or the store cannot be used.
    pub async fn add_note(
        &self,
        id: &str,
        version: i64,
        caller: &str,
        text: &str,
    ) -> Result<DraftNote> {
        let (number, now) = (new_number()?, Moment::now());
        let note = DraftNote {
            number: number.to_string(),
            written_at: now.to_string(),
            caller: caller.to_owned(),
            version,
            text: text.to_owned(),
        };
        let (id, kept) = (id.to_owned(), note.clone());
        self.change(move |transaction| {
            Box::pin(async move {
                let put = "INSERT INTO draft_notes (id, number, written_at, caller, version, text) VALUES ($1, $2, $3, $4, $5, $6)";
                let put = sqlx::query(put).bind(id).bind(kept.number).bind(now.stored());
                put.bind(kept.caller).bind(version).bind(kept.text).execute(&mut **transaction).await?;
                Ok(())
            })
        })
        .await?;
        Ok(note)
    }

    /// The notes on a draft, the newest first: those of before a number where one is given, so many at most.
    pub async fn notes(
        &self,
        id: &str,
        before: Option<Number>,
        most: u32,
    ) -> Result<Vec<DraftNote>> {
        let ask = "SELECT number, written_at, caller, version, text FROM draft_notes \
            WHERE id = $1 AND number < $2 ORDER BY number DESC LIMIT $3";
        let ask = sqlx::query(ask).bind(id).bind(Number::before(before));
        let read = |row: &AnyRow| {
            Ok(DraftNote {
                number: value(row, 0)?,
                written_at: Moment::of_stored(value(row, 1)?).to_string(),
                caller: value(row, 2)?,
                version: value(row, 3)?,
                text: value(row, 4)?,
            })
        };
        self.rows(ask.bind(i64::from(most)), read).await
    }

    /// Keeps a comparison with a draft.
    ///
    /// # Errors
    /// There is no such draft, or the store cannot be used.
    pub async fn add_report(
        &self,
        id: &str,
        version: i64,
        caller: &str,
        summary: serde_json::Value,
        report: String,
    ) -> Result<DraftReport> {
        let (number, now) = (new_number()?, Moment::now());
        let kept = DraftReport {
            number: number.to_string(),
            made_at: now.to_string(),
            caller: caller.to_owned(),
            version,
            engine: BUILD.to_owned(),
            summary,
        };
        let (id, told) = (id.to_owned(), kept.clone());
        self.change(move |transaction| {
            Box::pin(async move {
                let put = "INSERT INTO draft_reports (id, number, made_at, caller, version, engine, summary, report) \
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
                let put = sqlx::query(put).bind(id).bind(kept.number).bind(now.stored()).bind(kept.caller);
                let put = put.bind(version).bind(kept.engine).bind(kept.summary.to_string()).bind(report);
                put.execute(&mut **transaction).await?;
                Ok(())
            })
        })
        .await?;
        Ok(told)
    }

    /// Comparisons kept with a draft, the newest first: those of before a number where one is given, so
    /// many at most.
    pub async fn reports(
        &self,
        id: &str,
        before: Option<Number>,
        most: u32,
    ) -> Result<Vec<DraftReport>> {
        let ask = "SELECT number, made_at, caller, version, engine, summary FROM draft_reports \
            WHERE id = $1 AND number < $2 ORDER BY number DESC LIMIT $3";
        let ask = sqlx::query(ask).bind(id).bind(Number::before(before));
        let read = |row: &AnyRow| {
            let summary: String = value(row, 5)?;
            Ok(DraftReport {
                number: value(row, 0)?,
                made_at: Moment::of_stored(value(row, 1)?).to_string(),
                caller: value(row, 2)?,
                version: value(row, 3)?,
                engine: value(row, 4)?,
                summary: serde_json::from_str(&summary).unwrap_or_default(),
            })
        };
        self.rows(ask.bind(i64::from(most)), read).await
    }

    /// A comparison in full, as it was kept.
    pub async fn report(&self, id: &str, number: &str) -> Result<Option<String>> {
        let ask = sqlx::query("SELECT report FROM draft_reports WHERE id = $1 AND number = $2");
        self.row(ask.bind(id).bind(number), |row| value(row, 0))
            .await
    }
}
