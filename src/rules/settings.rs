//! A parameter tried at another value, without an amendment: `cxa-2020+mate_after_capture_depth=1`.
//!
//! ```
//! use qili::rules::Catalog;
//! let loaded = Catalog::builtin().get("cxa-2020+pawn_for_rook=false")?;
//! assert_eq!(loaded.book.id, "cxa-2020+pawn_for_rook=false");
//! assert!(!loaded.book.definitions.pawn_for_rook);
//! assert!(loaded.book.is_trial());
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```

use super::book::RuleBook;
use super::catalog::LoadedBook;
use super::draft::situations;
use super::fault::meant;
use super::names::Situation;
use super::parameters::{PARAMETERS, ParameterDoc, definitions_of, values_of};
use crate::language::{Text, both, in_both};
use crate::written;
use serde_json::Value;

/// How many parameters are tried at once: each of them makes a book anew.
const MOST_TRIED: usize = 20;

/// Why a parameter cannot be tried so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadSetting {
    /// There are too many.
    Many,
    /// It is no `PARAMETER=VALUE`.
    Form(String),
    /// There is no such parameter.
    Parameter {
        /// What was asked for.
        key: String,
    },
    /// It takes no such value.
    Value {
        /// The parameter.
        key: String,
        /// What was asked for.
        value: String,
        /// What it takes.
        expected: Text,
    },
    /// The book lacks a row of its verdict table that the value asks for.
    Row {
        /// The parameter.
        key: String,
        /// What was asked for.
        value: String,
        /// The row.
        row: Situation,
    },
}

/// Which parameter may have been meant.
fn meant_parameter(key: &str) -> Text {
    meant(key, PARAMETERS.iter().map(|parameter| parameter.key))
}

impl BadSetting {
    /// The error in both languages.
    pub fn text(&self) -> Text {
        match self {
            Self::Many => both!(
                "at most {MOST_TRIED} parameters are tried at once",
                "一次至多试改{MOST_TRIED}项参数",
            ),
            Self::Form(text) => both!(
                "`{text}` is not of the form PARAMETER=VALUE",
                "“{text}”不合“参数=值”的写法",
            ),
            Self::Parameter { key } => both!(
                meant = meant_parameter(key);
                "no parameter `{key}`{meant}",
                "没有参数“{key}”{meant}",
            ),
            Self::Value {
                key,
                value,
                expected,
            } => both!(
                expected;
                "`{key}` cannot be `{value}`, expected {expected}",
                "参数“{key}”不能为“{value}”，应为{expected}",
            ),
            Self::Row { key, value, row } => {
                let row = row.id();
                both!(
                    "`{key}` at `{value}` asks for the verdict row `{row}`, which the book has not: write an amendment that puts it",
                    "参数“{key}”为“{value}”时须有判决“{row}”，此规则没有：请写成修订",
                )
            }
        }
    }
}

in_both!(error BadSetting);

/// The parameter and the value of `PARAMETER=VALUE`.
fn parsed(setting: &str) -> Result<(&'static ParameterDoc, Value), BadSetting> {
    let (key, value) = setting
        .split_once('=')
        .ok_or_else(|| BadSetting::Form(setting.to_owned()))?;
    let (key, value) = (key.trim(), value.trim());
    let parameter = ParameterDoc::of(key).ok_or_else(|| BadSetting::Parameter {
        key: key.to_owned(),
    })?;
    // What is no JSON is a word.
    let read = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    if !parameter.takes(&read) {
        return Err(BadSetting::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            expected: parameter.expected(),
        });
    }
    Ok((parameter, read))
}

impl RuleBook {
    /// The book with one parameter at another value, by way of trial.
    pub fn trying(&self, setting: &str) -> Result<Self, BadSetting> {
        let (parameter, value) = parsed(setting)?;
        let key = parameter.key;
        let told = value
            .as_str()
            .map_or_else(|| written::json(&value).unwrap_or_default(), str::to_owned);
        let mut values = values_of(&self.definitions);
        values.insert(key.to_owned(), value);
        let wrong = || BadSetting::Value {
            key: key.to_owned(),
            value: told.clone(),
            expected: parameter.expected(),
        };
        let definitions = definitions_of(&values).ok_or_else(wrong)?;
        if let Some(&row) = situations(&definitions)
            .iter()
            .find(|row| !self.verdicts.contains_key(row))
        {
            return Err(BadSetting::Row {
                key: key.to_owned(),
                value: told,
                row,
            });
        }
        let mut book = self.clone();
        let setting = format!("{key}={told}");
        book.definitions = definitions;
        book.id = format!("{}+{setting}", self.id);
        book.title.zh = format!("{}（试：{setting}）", self.title.zh);
        book.title.en = format!("{} (trying {setting})", self.title.en);
        book.origins.insert(format!("definitions.{key}"), setting);
        Ok(book)
    }

    /// Whether a parameter is only tried at a value that no book gives it: nothing ruled under it is kept.
    pub fn is_trial(&self) -> bool {
        self.id.split('+').skip(1).any(|part| part.contains('='))
    }
}

impl LoadedBook {
    /// The book with parameters at other values, by way of trial, under a digest of its own.
    ///
    /// # Errors
    /// Why one of them cannot be tried so.
    pub fn trying(&self, settings: &[impl AsRef<str>]) -> Result<Self, BadSetting> {
        if settings.len() > MOST_TRIED {
            return Err(BadSetting::Many);
        }
        let mut book = self.book.clone();
        for setting in settings {
            book = book.trying(setting.as_ref())?;
        }
        Ok(Self::new(book))
    }
}
