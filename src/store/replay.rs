//! Kept rulings given again, where they differ, and whether they are proved.

use super::error::Result;
use super::rulings::RulingText;
use super::store_of::Store;
use crate::rules::{Catalog, LoadedBook, RuleBook};
use crate::wire::{BookRef, Certified, Prepared, Request, RequestError, Verification, ruling_json};
use serde_json::Value;
use std::sync::Arc;

impl Store {
    /// The book a ruling was given under: the one built in where it is the same, else its text as
    /// it was kept; nothing where this program cannot read that.
    pub async fn book_of(&self, rules: &BookRef) -> Result<Option<Arc<LoadedBook>>> {
        let pinned = format!("{}@{}", rules.id, rules.version);
        let builtin = Catalog::builtin().get(&pinned).ok();
        if let Some(builtin) = builtin.filter(|loaded| loaded.digest == rules.digest) {
            return Ok(Some(builtin));
        }
        let text = self.book(&rules.digest).await?;
        let book = text.and_then(|text| serde_json::from_str::<RuleBook>(&text).ok());
        let loaded = book.map(LoadedBook::new);
        Ok(loaded
            .filter(|loaded| loaded.digest == rules.digest)
            .map(Arc::new))
    }
}

/// The request of a ruling, and the book as it stands for it.
///
/// # Errors
/// The request makes no sense any more.
pub fn request_under(
    kept: &RulingText,
    book: &LoadedBook,
) -> Result<(Request, Arc<LoadedBook>), RequestError> {
    let mut request = Request::parse(&kept.request).map_err(|bad| bad.error)?;
    request.rules = Some(book.book.id.clone());
    let mut catalog = Catalog::default();
    catalog.add(book.clone());
    let loaded = request.book(&catalog)?;
    Ok((request, loaded))
}

/// What this program makes of the request of a ruling, as it is sent.
///
/// # Errors
/// The request makes no sense any more.
pub fn rule_again(kept: &RulingText, book: &LoadedBook) -> Result<String, RequestError> {
    let (request, loaded) = request_under(kept, book)?;
    let prepared: Prepared = request.prepare()?;
    let ruling = request.rule(&loaded, prepared);
    Ok(serde_json::to_string(&ruling_json(&request, &loaded, &ruling)).unwrap_or_default())
}

/// Whether a ruling is proved by the certificate that was kept with it.
///
/// # Errors
/// There is none, or the request makes no sense any more.
pub fn verify_kept(kept: &RulingText, book: &LoadedBook) -> Result<Verification, RequestError> {
    let ruling = Certified::read(kept.ruling.as_bytes())?;
    let (_, loaded) = request_under(kept, book)?;
    Ok(ruling.verify(&loaded))
}

/// Where two texts of JSON differ, as JSON pointers.
pub fn differences(then: &str, now: &str) -> Vec<String> {
    let read = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut found = Vec::new();
    if then != now {
        differ(&read(then), &read(now), &mut String::new(), &mut found);
    }
    found
}

fn differ(then: &Value, now: &Value, at: &mut String, found: &mut Vec<String>) {
    let length = at.len();
    let mut below = |name: &str, then: Option<&Value>, now: Option<&Value>| {
        at.push('/');
        at.push_str(&name.replace('~', "~0").replace('/', "~1"));
        match (then, now) {
            (Some(then), Some(now)) => differ(then, now, at, found),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => found.push(at.clone()),
        }
        at.truncate(length);
    };
    match (then, now) {
        (Value::Object(a), Value::Object(b)) => {
            let new = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(new) {
                below(key, a.get(key), b.get(key));
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for index in 0..a.len().max(b.len()) {
                below(&index.to_string(), a.get(index), b.get(index));
            }
        }
        _ if then != now => found.push(at.clone()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_by_their_places() {
        let then = r#"{"a": [1, {"b": 2}], "c": 3, "x/y": 1}"#;
        let now = r#"{"a": [1, {"b": 4}, 5], "d": 3, "x/y": 2}"#;
        assert_eq!(
            differences(then, now),
            ["/a/1/b", "/a/2", "/c", "/x~1y", "/d"]
        );
        assert!(differences(then, then).is_empty());
    }

    #[test]
    fn every_book_is_read_as_it_is_kept() {
        let books: Vec<LoadedBook> = Catalog::builtin()
            .iter()
            .map(|loaded| LoadedBook::clone(loaded))
            .collect();
        let amended = crate::rules::EXAMPLES.iter().filter_map(|(file, text)| {
            let amendment = crate::rules::Amendment::read(file, text).unwrap();
            let base = Catalog::builtin().get(&amendment.base).unwrap();
            base.amended(&amendment).ok()
        });
        let amended: Vec<LoadedBook> = amended.collect();
        assert!(amended.len() > 1);
        for loaded in books.iter().chain(&amended) {
            let text = serde_json::to_string(&loaded.book).unwrap();
            let book: RuleBook = serde_json::from_str(&text).unwrap();
            assert_eq!(
                LoadedBook::new(book).digest,
                loaded.digest,
                "{}",
                loaded.book.id
            );
        }
    }
}
