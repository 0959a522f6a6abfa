//! Rule books as they are listed and shown.

use crate::rules::{Catalog, LoadedBook, PARAMETERS, ParameterDoc, RuleBook, Text};
use serde::Serialize;

/// A rule book in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetSummary {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(example = "cxa-1999"))]
    pub id: String,
    /// Its version.
    pub version: String,
    /// `sha256:` and the digest of its content.
    pub digest: String,
    /// Its title.
    pub title: Text,
    /// Which edition.
    pub edition: String,
    /// Since when it is in force.
    pub effective: String,
    /// How many articles it has.
    pub articles: usize,
}

/// Rule books.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetList {
    /// Every version of every book.
    pub rulesets: Vec<RulesetSummary>,
}

impl RulesetList {
    /// The books of a catalog.
    pub fn of(catalog: &Catalog) -> Self {
        let rulesets = catalog.iter().map(|loaded| RulesetSummary {
            id: loaded.book.id.clone(),
            version: loaded.book.version.clone(),
            digest: loaded.digest.clone(),
            title: loaded.book.title.clone(),
            edition: loaded.book.edition.clone(),
            effective: loaded.book.effective.clone(),
            articles: loaded.book.articles.len(),
        });
        Self {
            rulesets: rulesets.collect(),
        }
    }
}

/// A rule book in full.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ruleset {
    /// `sha256:` and the digest of its content.
    pub digest: String,
    /// What each of its definitions means, and the values it takes.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub parameters: &'static [ParameterDoc],
    /// What it says.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub book: RuleBook,
}

impl Ruleset {
    /// A book in full.
    pub fn of(loaded: &LoadedBook) -> Self {
        Self {
            digest: loaded.digest.clone(),
            parameters: PARAMETERS,
            book: loaded.book.clone(),
        }
    }
}
