//! The rule books built into the program, by id and version.
//!
//! ```
//! use qili::rules::Catalog;
//! let catalog = Catalog::builtin();
//! let loaded = catalog.get("cxa-1999")?;
//! assert!(!loaded.book.definitions.pawn_for_rook);
//! assert_eq!(catalog.get("cxa-1999@1.0.0")?.digest, loaded.digest);
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```

use super::book::RuleBook;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::{Arc, LazyLock};

/// Every book file ever released, by file name. The newest version of a book is `<id>.toml`; when
/// a newer one takes its place it stays as `<id>@<version>.toml`.
const FILES: &[(&str, &str)] = &[
    ("cxa-1999.toml", include_str!("books/cxa-1999.toml")),
    ("cxa-2020.toml", include_str!("books/cxa-2020.toml")),
    ("wxf.toml", include_str!("books/wxf.toml")),
    ("threefold.toml", include_str!("books/threefold.toml")),
];

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

/// No such book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule book `{id}`")]
pub struct UnknownBook {
    /// What was asked for.
    pub id: String,
}

impl LoadedBook {
    /// A book and its digest.
    pub fn new(book: RuleBook) -> Self {
        let canonical = serde_json::to_string(&book).unwrap_or_default();
        let mut digest = String::from("sha256:");
        for byte in Sha256::digest(canonical.as_bytes()) {
            let _ = write!(digest, "{byte:02x}");
        }
        Self { book, digest }
    }
}

impl Catalog {
    /// The books built in.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Catalog> = LazyLock::new(|| Catalog {
            books: FILES
                .iter()
                .filter_map(|(_, text)| toml::from_str(text).ok())
                .map(|book| Arc::new(LoadedBook::new(book)))
                .collect(),
        });
        &BUILTIN
    }

    /// The newest version of a book, or with `id@version` that one.
    pub fn get(&self, id: &str) -> Result<Arc<LoadedBook>, UnknownBook> {
        let (name, version) = id.split_once('@').map_or((id, None), |(a, b)| (a, Some(b)));
        self.books
            .iter()
            .find(|loaded| {
                loaded.book.id == name && version.is_none_or(|v| loaded.book.version == v)
            })
            .cloned()
            .ok_or_else(|| UnknownBook { id: id.to_owned() })
    }

    /// Every book.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<LoadedBook>> {
        self.books.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_book() {
        for (file, text) in FILES {
            let book: Result<RuleBook, _> = toml::from_str(text);
            assert!(book.is_ok(), "{file}: {book:?}");
        }
    }
}
