//! The decision log: rulings as they were given, never changed.

use super::error::{Result, StoreError};
use super::moment::Moment;
use super::number::Number;
use super::sql::{places, value};
use super::store_of::Store;
use crate::rules::{LoadedBook, Outcome};
use crate::wire::{BookRef, Details};
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _, Transaction};
use std::fmt::Write as _;
use std::sync::Arc;

/// Rulings of one page at most.
const MOST_OF_PAGE: u32 = 200;
/// Rows of one statement at most: each number of them is a statement to be prepared.
const MOST_ROWS: usize = 32;

/// A ruling to be kept.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Who asked.
    pub caller: String,
    /// Under which book.
    pub book: Arc<LoadedBook>,
    /// The version of the program.
    pub engine: String,
    /// What it comes to.
    pub outcome: Outcome,
    /// Whom it concerns.
    pub side: Option<&'static str>,
    /// What it belongs to.
    pub details: Details,
    /// How long it took, in microseconds.
    pub latency_us: u64,
    /// The caller's word for this very request.
    pub idempotency: Option<Idempotency>,
    /// The request in canonical form.
    pub request: String,
    /// The ruling as it is sent.
    pub ruling: String,
}

/// What makes a request sent twice one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's word for it.
    pub key: String,
    /// The digest of the body.
    pub body: String,
}

/// How keeping a ruling came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is kept.
    New(Number),
    /// A ruling under the same word was there before.
    Before(Number, Idempotency),
}

/// A ruling in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = KeptRulingSummary))]
pub struct RulingRow {
    /// Its number.
    #[cfg_attr(feature = "openapi", schema(example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE"))]
    pub number: String,
    /// When it was kept.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub recorded_at: String,
    /// Who asked; empty where nobody needs a key.
    pub caller: String,
    /// Under which book.
    pub rules: BookRef,
    /// The version of the program that gave it.
    pub engine: String,
    /// What it comes to.
    pub outcome: String,
    /// Whom it concerns.
    pub side: Option<String>,
    /// What it belongs to.
    pub record: Details,
    /// How long it took, in microseconds.
    pub latency_us: u64,
}

/// A ruling in full.
#[derive(Clone, Debug, PartialEq)]
pub struct RulingText {
    /// As in a list.
    pub row: RulingRow,
    /// Those that take its place, the newest first.
    pub superseded_by: Vec<String>,
    /// The request in canonical form.
    pub request: String,
    /// The ruling as it was sent.
    pub ruling: String,
}

/// Rulings of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = KeptRulings))]
pub struct Page {
    /// They themselves, the newest first.
    pub items: Vec<RulingRow>,
    /// Where the next page begins; null after the last.
    pub next: Option<String>,
}

/// Which rulings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// After this one, going back in time.
    pub cursor: Option<Number>,
    /// So many at most.
    pub limit: Option<u32>,
    /// Under this book.
    pub rules: Option<String>,
    /// That come to this.
    pub outcome: Option<Outcome>,
    /// Of this event.
    pub event: Option<String>,
    /// Asked for by this caller.
    pub caller: Option<String>,
    /// Not before this.
    pub since: Option<Moment>,
    /// Before this.
    pub until: Option<Moment>,
}

/// A ruling on its way into the store.
#[derive(Debug)]
pub(super) struct Numbered {
    pub(super) number: Number,
    /// When the clock says it was: the number only says in which order.
    pub(super) at: Moment,
    pub(super) entry: Entry,
}

impl Numbered {
    /// What it takes up, roughly.
    pub(super) fn size(&self) -> usize {
        self.entry.request.len() + self.entry.ruling.len() + 512
    }
}

pub(super) async fn put_book(
    transaction: &mut Transaction<'_, Any>,
    loaded: &LoadedBook,
) -> Result {
    let put = "INSERT INTO books (digest, id, version, text) VALUES ($1, $2, $3, $4) ON CONFLICT (digest) DO NOTHING";
    let put = sqlx::query(put)
        .bind(&loaded.digest)
        .bind(&loaded.book.id)
        .bind(&loaded.book.version);
    // All of it: what the digest passes over because the program supplies it, another may not.
    let text = serde_json::to_string(&loaded.book);
    let text = text.map_err(|error| StoreError::Broken(error.to_string()))?;
    put.bind(text).execute(&mut **transaction).await?;
    Ok(())
}

const COLUMNS: usize = 16;
const INSERT: &str = "INSERT INTO rulings (number, recorded_at, caller, rules_id, rules_digest, engine, outcome, side, event, \
    details, supersedes, latency_us, idempotency_key, body_digest, request, ruling) VALUES ";

/// Whether these rulings take no more than one statement.
pub(super) fn are_one_statement(rulings: &[Box<Numbered>]) -> bool {
    let mut words = rulings.iter().map(|ruling| &ruling.entry.idempotency);
    rulings.len() <= MOST_ROWS && words.all(Option::is_none)
}

/// Puts rulings, and says of each what its number is.
pub(super) async fn put(
    connection: &mut AnyConnection,
    rulings: &[Box<Numbered>],
) -> Result<Vec<Kept>> {
    let plain: Vec<&Numbered> = rulings
        .iter()
        .filter(|ruling| ruling.entry.idempotency.is_none())
        .map(Box::as_ref)
        .collect();
    for some in plain.chunks(MOST_ROWS) {
        insert(connection, some).await?;
    }
    let mut kept: Vec<Kept> = rulings
        .iter()
        .map(|ruling| Kept::New(ruling.number))
        .collect();
    // Two that write the same words at once wait for each other only where they write them in another
    // order: so everybody writes them in the same.
    let mut worded: Vec<_> = rulings
        .iter()
        .zip(&mut kept)
        .filter_map(|(ruling, kept)| Some((ruling, ruling.entry.idempotency.as_ref()?, kept)))
        .collect();
    worded.sort_by_key(|(ruling, word, _)| (&ruling.entry.caller, &word.key));
    for (ruling, word, kept) in worded {
        *kept = put_once(connection, ruling, word).await?;
    }
    Ok(kept)
}

async fn insert(connection: &mut AnyConnection, rulings: &[&Numbered]) -> Result<u64> {
    // A number that is there already was written by this very program, before it lost its connection.
    let text = format!(
        "{INSERT}{} ON CONFLICT DO NOTHING",
        places(rulings.len(), COLUMNS)
    );
    let mut put = sqlx::query(AssertSqlSafe(text));
    for Numbered { number, at, entry } in rulings {
        let details = &entry.details;
        put = put
            .bind(number.to_string())
            .bind(at.stored())
            .bind(&entry.caller)
            .bind(&entry.book.book.id)
            .bind(&entry.book.digest)
            .bind(&entry.engine)
            .bind(entry.outcome.id())
            .bind(entry.side)
            .bind(
                details
                    .event
                    .as_ref()
                    .map(|event| event.as_str().to_owned()),
            )
            .bind(serde_json::to_string(details).unwrap_or_default())
            .bind(
                details
                    .supersedes
                    .as_ref()
                    .map(|number| number.as_str().to_owned()),
            )
            .bind(i64::try_from(entry.latency_us).unwrap_or(i64::MAX))
            .bind(entry.idempotency.as_ref().map(|word| word.key.clone()))
            .bind(entry.idempotency.as_ref().map(|word| word.body.clone()))
            .bind(&entry.request)
            .bind(&entry.ruling);
    }
    Ok(put.execute(connection).await?.rows_affected())
}

async fn put_once(
    connection: &mut AnyConnection,
    ruling: &Numbered,
    word: &Idempotency,
) -> Result<Kept> {
    if insert(connection, &[ruling]).await? == 1 {
        return Ok(Kept::New(ruling.number));
    }
    let row = sqlx::query(BY_WORD)
        .bind(&ruling.entry.caller)
        .bind(&word.key)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else {
        return Err(StoreError::Conflict);
    };
    let there = before(&row)?;
    if matches!(there, Kept::Before(number, _) if number == ruling.number) {
        return Ok(Kept::New(ruling.number));
    }
    Ok(there)
}

const BY_WORD: &str = "SELECT number, idempotency_key, body_digest FROM rulings WHERE caller = $1 AND idempotency_key = $2";

fn before(row: &AnyRow) -> Result<Kept> {
    let word = Idempotency {
        key: value(row, 1)?,
        body: value(row, 2)?,
    };
    Ok(Kept::Before(number(row, 0)?, word))
}

fn number(row: &AnyRow, column: usize) -> Result<Number> {
    let text: String = value(row, column)?;
    text.parse()
        .map_err(|_| StoreError::Foreign(format!("`{text}` is no number")))
}

const ROW: &str = "SELECT r.number, r.caller, r.rules_id, b.version, r.rules_digest, r.engine, r.outcome, r.side, r.details, r.latency_us, r.recorded_at";
const FROM: &str = " FROM rulings r JOIN books b ON b.digest = r.rules_digest";

fn row_of(row: &AnyRow) -> Result<RulingRow> {
    let number = number(row, 0)?;
    let details: String = value(row, 8)?;
    let foreign = |error: serde_json::Error| StoreError::Foreign(error.to_string());
    Ok(RulingRow {
        number: number.to_string(),
        recorded_at: Moment::of_stored(value(row, 10)?).to_string(),
        caller: value(row, 1)?,
        rules: BookRef {
            id: value(row, 2)?,
            version: value(row, 3)?,
            digest: value(row, 4)?,
        },
        engine: value(row, 5)?,
        outcome: value(row, 6)?,
        side: value(row, 7)?,
        record: serde_json::from_str(&details).map_err(foreign)?,
        latency_us: u64::try_from(value::<i64, _>(row, 9)?).unwrap_or_default(),
    })
}

impl Store {
    /// The ruling of a number.
    pub async fn ruling(&self, number: Number) -> Result<Option<RulingText>> {
        self.run(async move |link| {
            let mut connection = link.acquire().await?;
            let text = [ROW, ", r.request, r.ruling, (SELECT count(*) FROM rulings s WHERE s.supersedes = r.number)", FROM, " WHERE r.number = $1"].concat();
            let found = sqlx::query(AssertSqlSafe(text)).bind(number.to_string()).fetch_optional(&mut *connection).await?;
            let Some(row) = found else { return Ok(None) };
            let mut superseded_by = Vec::new();
            if value::<i64, _>(&row, 13)? > 0 {
                let ask = "SELECT number FROM rulings WHERE supersedes = $1 ORDER BY number DESC LIMIT 100";
                let rows = sqlx::query(ask).bind(number.to_string()).fetch_all(&mut *connection).await?;
                for row in &rows {
                    superseded_by.push(row.try_get(0)?);
                }
            }
            Ok(Some(RulingText {
                superseded_by,
                request: value(&row, 11)?,
                ruling: value(&row, 12)?,
                row: row_of(&row)?,
            }))
        })
        .await
    }

    /// Whether there is a ruling of that number.
    pub async fn has_ruling(&self, number: Number) -> Result<bool> {
        let ask = sqlx::query("SELECT number FROM rulings WHERE number = $1");
        let found = self.row(ask.bind(number.to_string()), |_| Ok(())).await?;
        Ok(found.is_some())
    }

    /// The ruling a caller has been given before under his word for it.
    pub async fn ruling_by_word(&self, caller: &str, key: &str) -> Result<Option<Kept>> {
        let ask = sqlx::query(BY_WORD).bind(caller).bind(key);
        self.row(ask, before).await
    }

    /// A page of rulings, the newest first.
    pub async fn rulings(&self, filter: Filter) -> Result<Page> {
        let limit = filter.limit.unwrap_or(50).clamp(1, MOST_OF_PAGE);
        let mut text = [ROW, FROM, " WHERE r.number < $1 AND r.number >= $2"].concat();
        let mut bound = Vec::new();
        for (column, asked) in [
            ("rules_id", filter.rules),
            ("outcome", filter.outcome.map(|it| it.id().to_owned())),
            ("event", filter.event),
            ("caller", filter.caller),
        ] {
            if let Some(asked) = asked {
                bound.push(asked);
                let _ = write!(text, " AND r.{column} = ${}", bound.len() + 2);
            }
        }
        // Numbers never lie before their moments; where the clock was put back, they lie behind.
        for (moment, compared) in [(filter.since, ">="), (filter.until, "<")] {
            if let Some(moment) = moment {
                let _ = write!(text, " AND r.recorded_at {compared} {}", moment.stored());
            }
        }
        // One more tells whether there is another page.
        let _ = write!(text, " ORDER BY r.number DESC LIMIT {}", limit + 1);
        let cursor = filter.cursor.map(|number| number.to_string());
        let below = cursor.unwrap_or_else(|| "Z".to_owned());
        let from = filter
            .since
            .map_or_else(String::new, |since| Number::first_of(since).to_string());
        let mut ask = sqlx::query(AssertSqlSafe(text)).bind(below).bind(from);
        for asked in bound {
            ask = ask.bind(asked);
        }
        let mut items = self.rows(ask, row_of).await?;
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|row| row.number.clone());
        Ok(Page { items, next })
    }

    /// What the book of a digest says.
    pub async fn book(&self, digest: &str) -> Result<Option<String>> {
        let ask = sqlx::query("SELECT text FROM books WHERE digest = $1").bind(digest);
        self.row(ask, |row| value(row, 0)).await
    }
}
