//! Rulings that were given before: by all that determines them, and, before anything is read, by the
//! very text of the request without its id.

use crate::archive::{Memory, memory};
use crate::http::intake::tags;
use crate::notation::fen;
use crate::rules::{LoadedBook, Outcome};
use crate::wire::{Explain, Kind, Prepared, Request};
use actix_web::web::Bytes;
use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{DefaultLifecycle, GuardResult, PlaceholderGuard};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// All that determines a ruling but for the caller's id, in one canonical text: the digest of the
/// book, the options, the position and the moves as ICCS.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(Box<str>);

/// A ruling as it was sent, without the caller's id.
#[derive(Clone, Debug)]
pub struct Known {
    /// The JSON object.
    pub json: Bytes,
    /// What it comes to.
    pub outcome: Outcome,
}

#[derive(Clone, Debug)]
struct Bytewise;

impl Weighter<Key, Known> for Bytewise {
    fn weight(&self, key: &Key, known: &Known) -> u64 {
        (key.0.len() + known.json.len() + 128) as u64
    }
}

impl Weighter<Box<str>, Remembered> for Bytewise {
    fn weight(&self, text: &Box<str>, _: &Remembered) -> u64 {
        (text.len() + 160) as u64
    }
}

/// What a text was found to ask for.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// The ruling.
    pub known: Known,
    /// The book it was given under.
    pub book: Arc<LoadedBook>,
}

/// Leave to work out a ruling that others may wait for meanwhile.
#[expect(missing_debug_implementations, reason = "the cache's own has none")]
pub struct Leave<'a>(
    PlaceholderGuard<'a, Key, Known, Bytewise, RandomState, DefaultLifecycle<Key, Known>>,
);

impl Leave<'_> {
    /// Tells the others.
    pub fn put(self, known: Known) {
        // Where it was put meanwhile, it is the same.
        self.0.insert(known).ok();
    }
}

/// The rulings remembered.
#[derive(Debug)]
pub struct Rulings(Option<Caches>);

#[derive(Debug)]
struct Caches {
    by_key: Memory<Key, Known, Bytewise>,
    /// Shares its rulings with the other.
    by_text: Memory<Box<str>, Remembered, Bytewise>,
}

/// A request whose id stands in front, taken apart without reading it: the id as it is written, and
/// the rest. Only ids that are written again as they are read: whole numbers and plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart<'a> {
    /// The id.
    pub id: Option<&'a str>,
    /// All the rest.
    pub rest: &'a str,
}

impl<'a> Apart<'a> {
    /// Takes the text of a request apart.
    pub fn of(text: &'a str) -> Self {
        Self::led(text).unwrap_or(Self {
            id: None,
            rest: text,
        })
    }

    fn led(text: &'a str) -> Option<Self> {
        let value = text.strip_prefix("{\"id\":")?;
        let value = value.strip_prefix(' ').unwrap_or(value);
        let end = match value.strip_prefix('"') {
            Some(inner) => {
                let plain = |byte: &u8| *byte != b'"' && *byte != b'\\' && *byte >= b' ';
                2 + inner.bytes().take_while(plain).count()
            }
            None => value.bytes().take_while(u8::is_ascii_digit).count(),
        };
        let (id, rest) = (value.get(..end)?, value.get(end..)?);
        let number = (1..=15).contains(&end) && (end == 1 || !id.starts_with('0'));
        let whole = if id.starts_with('"') {
            id.ends_with('"')
        } else {
            number
        };
        (whole && rest.starts_with(',')).then_some(Self { id: Some(id), rest })
    }
}

impl Key {
    /// The key of a request.
    pub fn of(request: &Request, loaded: &LoadedBook, prepared: &Prepared) -> Self {
        let (start, moves) = match prepared {
            Prepared::Cycle(cycle) => (cycle.start(), cycle.moves()),
            Prepared::Game(game) => (game.start(), game.moves()),
        };
        let mut key = String::with_capacity(200 + 4 * moves.len());
        let asserted = request.assertions;
        for text in [&loaded.digest, "|", &loaded.book.id, "|"] {
            key.push_str(text);
        }
        key.push(match request.kind {
            Kind::Cycle => 'c',
            Kind::Game => 'g',
        });
        key.push(match request.explain {
            Explain::None => '0',
            Explain::Notes => 'n',
            Explain::Full => 'f',
            Explain::Proof => 'p',
        });
        for flag in [
            request.claimed,
            asserted.theoretical_draw,
            asserted.without_table,
        ] {
            key.push(if flag { '+' } else { '-' });
        }
        // Writing to memory does not fail.
        if let Some(budget) = request.budget {
            let _ = write!(key, "{budget}");
        }
        key.push('|');
        for order in &request.ordered {
            let _ = write!(key, "{}{},", order.after_ply, order.side);
        }
        key.push('|');
        key.push_str(&fen::write(start));
        key.push('|');
        for square in moves.iter().flat_map(|mv| [mv.from, mv.to]) {
            key.push(char::from(b'a' + square.file()));
            key.push(char::from(b'0' + square.rank()));
        }
        Self(key.into_boxed_str())
    }

    /// The entity tag of the ruling.
    pub fn etag(&self) -> String {
        tags::of(&self.0)
    }
}

impl Rulings {
    /// Room for so many bytes; none remembers nothing.
    pub fn new(bytes: u64) -> Self {
        // A ruling takes a few kilobytes, a request a few hundred bytes.
        let entries = |each| usize::try_from(bytes / each).unwrap_or(usize::MAX).max(16);
        let caches = || Caches {
            by_key: memory(entries(2048), bytes - bytes / 8, Bytewise),
            by_text: memory(entries(2048), bytes / 8, Bytewise),
        };
        Self((bytes > 0).then(caches))
    }

    /// The ruling, if it was given before.
    pub fn get(&self, key: &Key) -> Option<Known> {
        self.0.as_ref()?.by_key.get(key)
    }

    /// The ruling; or, where nobody is working it out just now, leave to do so. Whoever is at it already
    /// is waited for as long as that.
    ///
    /// # Errors
    /// There is none, and whoever asks is to work it out: with leave, or without where others are at it
    /// or nothing is remembered.
    pub fn get_or_work(&self, key: &Key, wait: Duration) -> Result<Known, Option<Leave<'_>>> {
        let Some(caches) = &self.0 else {
            return Err(None);
        };
        match caches.by_key.get_value_or_guard(key, Some(wait)) {
            GuardResult::Value(known) => Ok(known),
            GuardResult::Guard(leave) => Err(Some(Leave(leave))),
            GuardResult::Timeout => Err(None),
        }
    }

    /// Remembers a ruling.
    pub fn put(&self, key: Key, known: Known) {
        if let Some(caches) = &self.0 {
            caches.by_key.insert(key, known);
        }
    }

    /// The ruling on a text, its id left out, if it was given before.
    pub fn recall(&self, text: &str) -> Option<Remembered> {
        self.0.as_ref()?.by_text.get(text)
    }

    /// Remembers what a text, its id left out, asks for.
    pub fn remember(&self, text: &str, remembered: Remembered) {
        if let Some(caches) = &self.0 {
            caches.by_text.insert(text.into(), remembered);
        }
    }

    /// Whether anything is remembered at all.
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// How many are remembered, and what they take up.
    pub fn size(&self) -> (u64, u64) {
        self.0
            .as_ref()
            .map_or((0, 0), |Caches { by_key, by_text }| {
                (by_key.len() as u64, by_key.weight() + by_text.weight())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::Apart;

    #[test]
    fn an_id_is_taken_off_only_where_it_is_written_again_as_it_stands() {
        for (text, id) in [
            (r#"{"id":"my-17","moves":[]}"#, Some(r#""my-17""#)),
            (r#"{"id": "局一","moves":[]}"#, Some(r#""局一""#)),
            (r#"{"id":170,"moves":[]}"#, Some("170")),
            (r#"{"id":0,"moves":[]}"#, Some("0")),
            (r#"{"id":"","moves":[]}"#, Some(r#""""#)),
            (r#"{"id":017,"moves":[]}"#, None),
            (r#"{"id":1.0,"moves":[]}"#, None),
            (r#"{"id":1e3,"moves":[]}"#, None),
            (r#"{"id":12345678901234567890,"moves":[]}"#, None),
            (r#"{"id":"a\n","moves":[]}"#, None),
            (r#"{"id":"a"x,"moves":[]}"#, None),
            (r#"{"id":null,"moves":[]}"#, None),
            (r#"{"id":"a"}"#, None),
            (r#"{"id":"a"#, None),
            (r#"{"id":"#, None),
            (r#"{"moves":[],"id":1}"#, None),
        ] {
            let apart = Apart::of(text);
            assert_eq!(apart.id, id, "{text}");
            let whole = id.is_none().then_some(text);
            assert!(whole.is_none_or(|whole| apart.rest == whole), "{text}");
            assert!(text.ends_with(apart.rest), "{text}");
        }
    }
}
