//! API keys: of each only the SHA-256, what it may do, and whose it is.

use super::error::{Result, StoreError};
use super::link::Link;
use super::moment::Moment;
use super::number::Number;
use super::sql::value;
use super::store_of::Store;
use crate::named::named;
use crate::written::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use subtle::ConstantTimeEq as _;

/// How a key begins, so that one that got out is recognised.
const PREFIX: &str = "qili_";
/// Characters of a name.
const LONGEST: usize = 100;

named! { read
    /// What a key may do. None contains another.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum KeyScope {
        /// Ask for rulings and look things up.
        Judge "judge",
        /// Have rulings kept, and change cases and drafts.
        Write "write",
        /// Make and revoke keys, and see what others do.
        Admin "admin",
    }
}

/// A key as it is told: never the key itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ApiKey))]
pub struct KeyRow {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE"))]
    pub id: String,
    /// Whose it is.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<KeyScope>,
    /// Whether every ruling it asks for is kept.
    pub records: bool,
    /// When it was made.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub created_at: String,
    /// When it was revoked.
    pub revoked_at: Option<String>,
}

/// A key to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// Whose it is: no two keys in force have the same name.
    pub name: String,
    /// What it may do, one thing at least: to judge, where missing.
    #[serde(default = "judge")]
    pub scopes: Vec<KeyScope>,
    /// Whether every ruling it asks for is kept.
    #[serde(default)]
    pub records: bool,
}

fn judge() -> Vec<KeyScope> {
    vec![KeyScope::Judge]
}

/// The keys in force, and whether everybody needs one.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// They themselves.
    pub keys: Vec<KeyInForce>,
    /// There is a key or was one: then nobody is let in without, even if all were revoked.
    pub required: bool,
}

/// A key in force, by its hash.
#[derive(Clone, Debug)]
pub struct KeyInForce {
    hash: Vec<u8>,
    /// Whose it is.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<KeyScope>,
    /// Whether every ruling it asks for is kept.
    pub records: bool,
}

fn hash(key: &str) -> String {
    hex(&Sha256::digest(key.as_bytes()))
}

impl KeyInForce {
    /// Which of the keys this is. Every one is compared, in the same time.
    pub fn find<'a>(keys: &'a [Self], key: &str) -> Option<&'a Self> {
        let hash = hash(key);
        let mut found = None;
        for one in keys {
            if bool::from(one.hash.as_slice().ct_eq(hash.as_bytes())) {
                found = Some(one);
            }
        }
        found
    }
}

/// A name as keys have it.
pub fn is_key_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=LONGEST).contains(&length) && !name.chars().any(char::is_control) && name.trim() == name
}

const SELECT: &str = "SELECT id, name, scopes, records, created_at, revoked_at FROM keys";

fn row_of(row: &sqlx::any::AnyRow) -> Result<KeyRow> {
    let scopes: String = value(row, 2)?;
    let revoked: Option<i64> = value(row, 5)?;
    Ok(KeyRow {
        id: value(row, 0)?,
        name: value(row, 1)?,
        scopes: scopes.split(',').filter_map(KeyScope::from_id).collect(),
        records: value::<i64, _>(row, 3)? != 0,
        created_at: Moment::of_stored(value(row, 4)?).to_string(),
        revoked_at: revoked.map(|at| Moment::of_stored(at).to_string()),
    })
}

/// The keys in force.
pub(super) async fn in_force(link: &Link) -> Result<Known> {
    let mut connection = link.acquire().await?;
    let ask = "SELECT hash, name, scopes, records, revoked_at FROM keys ORDER BY id";
    let rows = sqlx::query(ask).fetch_all(&mut *connection).await?;
    let mut known = Known {
        keys: Vec::new(),
        required: !rows.is_empty(),
    };
    for row in &rows {
        let revoked: Option<i64> = value(row, 4)?;
        if revoked.is_some() {
            continue;
        }
        let (hash, scopes): (String, String) = (value(row, 0)?, value(row, 2)?);
        known.keys.push(KeyInForce {
            hash: hash.into_bytes(),
            name: value(row, 1)?,
            scopes: scopes.split(',').filter_map(KeyScope::from_id).collect(),
            records: value::<i64, _>(row, 3)? != 0,
        });
    }
    Ok(known)
}

impl Store {
    /// The keys in force, as last read; nothing where they were never read.
    pub fn keys_in_force(&self) -> Option<Arc<Known>> {
        self.shared().known_keys()
    }

    /// Keys there are or were, the newest first: those of before a number where one is given, so many at
    /// most.
    pub async fn keys(&self, before: Option<Number>, most: u32) -> Result<Vec<KeyRow>> {
        let only = " WHERE id < $1 ORDER BY id DESC LIMIT $2";
        let ask = sqlx::query(sqlx::AssertSqlSafe([SELECT, only].concat()));
        let ask = ask.bind(Number::before(before)).bind(i64::from(most));
        self.rows(ask, row_of).await
    }

    /// Makes a key, and gives the key itself: it is told this once.
    ///
    /// # Errors
    /// A key in force has the name, or the store cannot be used.
    pub async fn add_key(&self, new: NewKey) -> Result<(KeyRow, String)> {
        let mut random = [0; 32];
        let broken = |error: &dyn std::fmt::Display| StoreError::Broken(error.to_string());
        getrandom::fill(&mut random).map_err(|error| broken(&error))?;
        let key = format!("{PREFIX}{}", hex(&random));
        let number = Number::new().map_err(|error| broken(&error))?;
        let now = Moment::now();
        let row = KeyRow {
            id: number.to_string(),
            name: new.name,
            scopes: new.scopes,
            records: new.records,
            created_at: now.to_string(),
            revoked_at: None,
        };
        let (kept, hash) = (row.clone(), hash(&key));
        self.change(move |transaction| {
            Box::pin(async move {
                let scopes: Vec<&str> = kept.scopes.iter().map(|scope| scope.id()).collect();
                let put = "INSERT INTO keys (id, name, hash, scopes, records, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
                let put = sqlx::query(put).bind(kept.id).bind(kept.name).bind(hash).bind(scopes.join(","));
                let put = put.bind(i64::from(kept.records)).bind(now.stored());
                put.execute(&mut **transaction).await?;
                Ok(())
            })
        })
        .await?;
        self.refresh().await;
        Ok((row, key))
    }

    /// Revokes a key; nothing where there is none of that id.
    pub async fn revoke_key(&self, id: &str) -> Result<Option<KeyRow>> {
        let id = id.to_owned();
        let revoked = self
            .change(move |transaction| {
                Box::pin(async move {
                    let revoke =
                        "UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL";
                    let revoke = sqlx::query(revoke).bind(Moment::now().stored()).bind(&id);
                    revoke.execute(&mut **transaction).await?;
                    let ask = sqlx::query(sqlx::AssertSqlSafe([SELECT, " WHERE id = $1"].concat()))
                        .bind(&id);
                    let row = ask.fetch_optional(&mut **transaction).await?;
                    row.as_ref().map(row_of).transpose()
                })
            })
            .await?;
        self.refresh().await;
        Ok(revoked)
    }
}
