//! Requests for rulings that were refused or failed.

use super::error::Result;
use super::moment::Moment;
use super::number::Number;
use super::sql::value;
use super::store_of::Store;
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, Transaction};

/// After so many new ones the oldest are forgotten.
pub(super) const OFTEN: usize = 1000;
/// So many are remembered.
const REMEMBERED: i64 = 100_000;
/// Bytes of a request, and of what was wrong, that are noted.
const LONGEST: usize = 4096;

/// A request that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its number.
    pub number: Number,
    /// Who asked.
    pub caller: String,
    /// What was asked of.
    pub route: String,
    /// The status of the answer.
    pub status: u16,
    /// The code of the problem.
    pub code: String,
    /// What was wrong.
    pub detail: String,
    /// The request, as far as it was read.
    pub request: Option<String>,
}

/// A refused request as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Refusal))]
pub struct RefusedRow {
    /// Its number.
    pub number: String,
    /// When.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub refused_at: String,
    /// Who asked; empty where nobody needs a key, or it was not known.
    pub caller: String,
    /// What was asked of.
    pub route: String,
    /// The status of the answer.
    pub status: u16,
    /// The code of the problem.
    pub code: String,
    /// What was wrong.
    pub detail: String,
    /// The request, as far as it was noted.
    pub request: Option<String>,
}

/// Text as a column takes it: bounded, without the one character that columns do not take.
fn bounded(text: &str) -> String {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end)
        .unwrap_or_default()
        .replace('\0', "\u{fffd}")
}

pub(super) async fn put(transaction: &mut Transaction<'_, Any>, refusals: &[Refusal]) -> Result {
    for refusal in refusals {
        let put = "INSERT INTO refusals (number, refused_at, caller, route, status, code, detail, request) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
        let put = sqlx::query(put)
            .bind(refusal.number.to_string())
            .bind(Moment::now().stored())
            .bind(&refusal.caller)
            .bind(bounded(&refusal.route))
            .bind(i64::from(refusal.status))
            .bind(&refusal.code)
            .bind(bounded(&refusal.detail))
            .bind(refusal.request.as_deref().map(bounded));
        put.execute(&mut **transaction).await?;
    }
    Ok(())
}

/// Forgets the oldest beyond those remembered.
pub(super) async fn forget(transaction: &mut Transaction<'_, Any>) -> Result {
    let forget = "DELETE FROM refusals WHERE number < (SELECT number FROM refusals ORDER BY number DESC LIMIT 1 OFFSET $1)";
    sqlx::query(forget)
        .bind(REMEMBERED)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

impl Store {
    /// Refused requests, the newest first, those of before a number where one is given.
    pub async fn refusals(&self, cursor: Option<Number>, limit: u32) -> Result<Vec<RefusedRow>> {
        let ask = "SELECT number, refused_at, caller, route, status, code, detail, request FROM refusals \
            WHERE number < $1 ORDER BY number DESC LIMIT $2";
        let ask = sqlx::query(ask)
            .bind(Number::before(cursor))
            .bind(i64::from(limit));
        let told = |row: &AnyRow| {
            Ok(RefusedRow {
                number: value(row, 0)?,
                refused_at: Moment::of_stored(value(row, 1)?).to_string(),
                caller: value(row, 2)?,
                route: value(row, 3)?,
                status: u16::try_from(value::<i64, _>(row, 4)?).unwrap_or_default(),
                code: value(row, 5)?,
                detail: value(row, 6)?,
                request: value(row, 7)?,
            })
        };
        self.rows(ask, told).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_bounded() {
        assert_eq!(bounded("a\0b"), "a\u{fffd}b");
        let long = bounded(&"将".repeat(LONGEST));
        assert!(long.len() <= LONGEST && long.len() > LONGEST - 3);
    }
}
