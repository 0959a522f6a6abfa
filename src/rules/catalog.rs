//! Rule books by id and version: those built into the program, and others added to them.
//!
//! ```
//! use qili::rules::Catalog;
//! let catalog = Catalog::builtin();
//! let loaded = catalog.get("cxa-1999")?;
//! assert!(!loaded.book.definitions.pawn_for_rook);
//! assert_eq!(catalog.get("cxa-1999@1.1.0")?.digest, loaded.digest);
//! let unknown = catalog.get("cxa-1998").unwrap_err();
//! assert_eq!(unknown.to_string(), "no rule book `cxa-1998`, did you mean `cxa-1999`?");
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```

use super::book::RuleBook;
use super::builtin;
use super::fault::{Fault, meant, nearest};
use super::parameters::ParameterDoc;
use super::settings::BadSetting;
use super::validate::read_book;
use crate::language::{Text, both, in_both};
use crate::written::{self, hex};
use serde::{Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// Every book ever released, as the files of `books` say it; a test writes it from those (`BLESS=1`), so that what only rules
/// need read no TOML. The newest version of a book stands there as `<id>.toml`; when a newer one takes its place it stays as
/// `<id>@<version>.toml`, so that what was ruled under it can be ruled again.
const BOOKS: &str = include_str!("books.json");

/// A semantic version without its extras.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u64, u64, u64);

impl Version {
    /// `1.2.3`, each without leading zeros.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|part| {
            let plain = part.bytes().all(|byte| byte.is_ascii_digit());
            let padded = part.len() > 1 && part.starts_with('0');
            (plain && !padded).then(|| part.parse().ok()).flatten()
        });
        let version = Self(numbers.next()??, numbers.next()??, numbers.next()??);
        numbers.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// A rule book with the digest of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedBook {
    /// The book.
    pub book: RuleBook,
    /// `sha256:` and the hash of the book's canonical serialisation, in hexadecimal.
    pub digest: String,
}

/// Rule books by id and version.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    books: Vec<Arc<LoadedBook>>,
}

/// No such book, or no such version of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownBook {
    /// No book of that id.
    Id {
        /// What was asked for.
        id: String,
        /// The one that was probably meant.
        nearest: Option<String>,
        /// Those there are.
        known: Vec<String>,
    },
    /// No such version.
    Version {
        /// The book.
        id: String,
        /// What was asked for.
        version: String,
        /// The versions there are, the newest first.
        known: Vec<String>,
    },
    /// A parameter is to be tried at a value, and cannot.
    Setting(#[from] BadSetting),
}

impl UnknownBook {
    /// The name of the error in answers.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Id { .. } => "unknown_rules",
            Self::Version { .. } => "unknown_rules_version",
            Self::Setting(_) => "bad_setting",
        }
    }

    /// The error in both languages.
    pub fn text(&self) -> Text {
        match self {
            Self::Id { id, known, .. } => both!(
                meant = meant(id, known.iter().map(String::as_str));
                "no rule book `{id}`{meant}",
                "没有规则“{id}”{meant}",
            ),
            Self::Version { id, version, known } => both!(
                known = Text::new(known.join("`, `"), known.join("、"));
                "no version `{version}` of rule book `{id}`, there is `{known}`",
                "规则“{id}”没有版本“{version}”，现有{known}",
            ),
            Self::Setting(bad) => bad.text(),
        }
    }
}

in_both!(UnknownBook);

impl LoadedBook {
    /// A book and its digest.
    pub fn new(book: RuleBook) -> Self {
        let canonical = canonical(&book);
        Self::of(book, &canonical)
    }

    fn of(book: RuleBook, canonical: &str) -> Self {
        let digest = format!("sha256:{}", hex(&Sha256::digest(canonical.as_bytes())));
        Self { book, digest }
    }

    /// Reads a book from a file; `file` is the name its faults go by.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Fault>> {
        read_book(file, text).map(Self::new)
    }

    /// `cxa-2020@1.1.0`.
    pub fn pinned(&self) -> String {
        format!("{}@{}", self.book.id, self.book.version)
    }

    fn version(&self) -> Option<Version> {
        Version::parse(&self.book.version)
    }
}

/// A book's name, and what is tried in it: of `cxa-2020@1.1.0+pawn_upgrade=false`, `cxa-2020@1.1.0` and `pawn_upgrade=false`.
pub fn name_and_settings(id: &str) -> (&str, Vec<&str>) {
    let (mut name, mut settings) = (id, Vec::new());
    while let Some((before, last)) = name.rsplit_once('+')
        && last.contains('=')
    {
        settings.push(last);
        name = before;
    }
    settings.reverse();
    (name, settings)
}

/// A book as JSON without white space, its keys in order. A parameter that has the value it has
/// where a book is silent is left out: so a parameter that is added later, and left alone by the
/// books there are, leaves their digests as they were.
pub fn canonical(book: &RuleBook) -> String {
    canonical_of(written::tree(&Whole { book }))
}

/// A book as it was read.
fn canonical_of(mut book: Value) -> String {
    if let Some(Value::Object(definitions)) = book.get_mut("definitions") {
        definitions.retain(|key, value| {
            ParameterDoc::of(key).is_none_or(|parameter| !parameter.is_silent(value))
        });
    }
    written::json(&Sorted(&book)).unwrap_or_default()
}

/// A book as it stands among other members, so that it is written by one program either way.
#[derive(Serialize)]
struct Whole<'b> {
    #[serde(flatten)]
    book: &'b RuleBook,
}

/// A value whose members stand in the order of their names, without those that are null.
struct Sorted<'v>(&'v Value);

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().filter(|(_, v)| !v.is_null()).collect();
                members.sort_by_key(|(key, _)| *key);
                let members = members.into_iter();
                to.collect_map(members.map(|(key, value)| (key, Sorted(value))))
            }
            Value::Array(items) => to.collect_seq(items.iter().map(Sorted)),
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                plain.serialize(to)
            }
        }
    }
}

impl Catalog {
    /// The books built in.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Catalog> = LazyLock::new(|| {
            let mut catalog = Catalog::default();
            for (book, read) in builtin::books(BOOKS) {
                catalog.add(LoadedBook::of(book, &canonical_of(read)));
            }
            catalog
        });
        &BUILTIN
    }

    /// Adds a book, in the place of one of the same id and version.
    pub fn add(&mut self, loaded: LoadedBook) {
        let same = |other: &Arc<LoadedBook>| other.pinned() == loaded.pinned();
        self.books.retain(|other| !same(other));
        self.books.push(Arc::new(loaded));
    }

    /// The newest version of a book, or with `id@version` that one; with `+parameter=value` behind it,
    /// the book with that parameter tried at that value.
    pub fn get(&self, id: &str) -> Result<Arc<LoadedBook>, UnknownBook> {
        let (name, settings) = name_and_settings(id);
        let found = self.find(name)?;
        if settings.is_empty() {
            return Ok(found);
        }
        Ok(Arc::new(found.trying(&settings)?))
    }

    fn find(&self, id: &str) -> Result<Arc<LoadedBook>, UnknownBook> {
        let (name, version) = match id.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (id, None),
        };
        // Of the same version, or where none is told, the first that came.
        let of_it = || self.books.iter().filter(|loaded| loaded.book.id == name);
        let newest = of_it().rev().max_by_key(|loaded| loaded.version());
        let Some(newest) = newest else {
            let known = self.ids();
            return Err(UnknownBook::Id {
                id: name.to_owned(),
                nearest: nearest(name, known.iter().copied()).map(str::to_owned),
                known: known.into_iter().map(str::to_owned).collect(),
            });
        };
        let Some(version) = version else {
            return Ok(Arc::clone(newest));
        };
        let found = of_it().find(|loaded| loaded.book.version == version);
        found.cloned().ok_or_else(|| UnknownBook::Version {
            id: name.to_owned(),
            version: version.to_owned(),
            known: self
                .versions(name)
                .iter()
                .map(|loaded| loaded.book.version.clone())
                .collect(),
        })
    }

    /// Every version of a book, the newest first.
    pub fn versions(&self, id: &str) -> Vec<Arc<LoadedBook>> {
        let of_it = self.books.iter().filter(|loaded| loaded.book.id == id);
        let mut versions: Vec<_> = of_it.cloned().collect();
        versions.sort_by_key(|loaded| std::cmp::Reverse(loaded.version()));
        versions
    }

    /// The ids of the books, in the order they came.
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for loaded in &self.books {
            if !ids.contains(&loaded.book.id.as_str()) {
                ids.push(&loaded.book.id);
            }
        }
        ids
    }

    /// Every book in every version.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<LoadedBook>> {
        self.books.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_book_built_in_is_read() {
        let books: Vec<RuleBook> = serde_json::from_str(BOOKS).unwrap();
        assert!(!books.is_empty());
        let loaded = books.into_iter().map(LoadedBook::new).map(Arc::new);
        assert_eq!(Catalog::builtin().books, loaded.collect::<Vec<_>>());
    }

    #[test]
    fn versions_compare_by_number() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("1.10.0") > version("1.9.9"));
        assert_eq!(version("1.10.0").to_string(), "1.10.0");
        for bad in [
            "", "1", "1.0", "1.0.0.0", "1.0.x", "01.0.0", "1..0", "+1.0.0", "v1.0.0",
        ] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
    }
}
