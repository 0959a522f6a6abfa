//! Rulings that were given before, by all that determines them.

use crate::notation::fen;
use crate::rules::{LoadedBook, Outcome};
use crate::wire::{Explain, Kind, Prepared, Request};
use actix_web::web::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};
use std::fmt::Write;

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

/// The rulings remembered.
#[derive(Debug)]
pub struct Rulings(Option<Cache<Key, Known, Bytewise>>);

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

    /// A strong entity tag: the same for the same ruling by the same version of the program.
    pub fn etag(&self) -> String {
        let hash = Sha256::new()
            .chain_update(env!("CARGO_PKG_VERSION"))
            .chain_update(self.0.as_bytes())
            .finalize();
        let mut tag = String::from("\"");
        for byte in hash.iter().take(16) {
            let _ = write!(tag, "{byte:02x}");
        }
        tag.push('"');
        tag
    }
}

impl Rulings {
    /// Room for so many bytes; none remembers nothing.
    pub fn new(bytes: u64) -> Self {
        // A ruling takes a few kilobytes.
        let entries = usize::try_from(bytes / 2048).unwrap_or(usize::MAX).max(16);
        Self((bytes > 0).then(|| Cache::with_weighter(entries, bytes, Bytewise)))
    }

    /// The ruling, if it was given before.
    pub fn get(&self, key: &Key) -> Option<Known> {
        self.0.as_ref()?.get(key)
    }

    /// Remembers a ruling.
    pub fn put(&self, key: Key, known: Known) {
        if let Some(cache) = &self.0 {
            cache.insert(key, known);
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
            .map_or((0, 0), |cache| (cache.len() as u64, cache.weight()))
    }
}
