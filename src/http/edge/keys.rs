//! API keys: a file has the SHA-256 of each, what it may do, and whose it is.
//!
//! ```text
//! # sha-256 of the key                                             scopes       name
//! 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  judge,write  club
//! ```

use crate::http::edge::problem::{ApiError, Result};
use crate::http::edge::settings::StartError;
use crate::language::both;
pub use crate::store::KeyScope as Scope;
use crate::store::{KeyInForce, Store, StoreError};
use crate::written;
use actix_web::http::StatusCode;
use actix_web::{HttpMessage as _, HttpRequest};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// What stands among the scopes of a key though it is no right: every ruling the key asks for is kept.
const RECORD: &str = "record";

#[derive(Debug)]
struct Entry {
    hash: [u8; 32],
    holder: Asker,
}

/// The keys of a file.
#[derive(Debug)]
pub struct Keys(Vec<Entry>);

impl Keys {
    /// Reads a file of keys.
    pub fn read(path: &Path) -> Result<Self, StartError> {
        let file = path.display();
        let text = fs::read_to_string(path).map_err(|error| {
            StartError(both!(
                "cannot read the keys in `{file}`: {error}",
                "密钥文件“{file}”读不出来：{error}"
            ))
        })?;
        let mut keys = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let bad = || {
                    StartError(both!(
                        "{file}:{number}: expected a SHA-256 in hexadecimal, scopes (judge,write,admin,record) and a name",
                        "{file}:{number}：应为十六进制的SHA-256、权限（judge,write,admin,record）和名称"
                    ))
                };
                keys.push(Entry::read(line).ok_or_else(bad)?);
            }
        }
        Ok(Self(keys))
    }

    /// Who holds a key. Every entry is compared, in the same time.
    pub fn of(&self, key: &str) -> Option<&Asker> {
        let hash: [u8; 32] = Sha256::digest(key.as_bytes()).into();
        let mut found = None;
        for entry in &self.0 {
            if bool::from(entry.hash.ct_eq(&hash)) {
                found = Some(&entry.holder);
            }
        }
        found
    }
}

impl Entry {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let digits = words.next()?.as_bytes();
        let mut hash = [0; 32];
        if digits.len() != 64 {
            return None;
        }
        for (byte, pair) in hash.iter_mut().zip(digits.chunks(2)) {
            *byte = written::byte(pair)?;
        }
        let (mut scopes, mut records) = (Vec::new(), false);
        for scope in words.next()?.split(',') {
            match scope {
                RECORD => records = true,
                scope => scopes.push(Scope::from_id(scope)?),
            }
        }
        let name = words.collect::<Vec<_>>().join(" ");
        let holder = Asker {
            name,
            scopes,
            records,
        };
        Some(Self { hash, holder })
    }
}

/// Who asks with a key.
#[derive(Clone, Debug)]
pub struct Asker {
    /// The name of the key.
    pub name: String,
    scopes: Vec<Scope>,
    /// Whether every ruling it asks for is kept.
    pub records: bool,
}

impl Asker {
    /// Whether the key may do that.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Who holds a key: one of the file, or of the store. Nobody in particular where there are no
    /// keys at all.
    ///
    /// # Errors
    /// The key is unknown, or nobody knows yet which keys there are.
    pub fn of(
        keys: Option<&Keys>,
        store: Option<&Store>,
        may_be_open: bool,
        key: Option<&str>,
    ) -> Result<Option<Self>> {
        let stored = store.map(Store::keys_in_force);
        match (keys, &stored) {
            (None, None) if may_be_open => return Ok(None),
            (None, Some(Some(stored))) if may_be_open && !stored.required => return Ok(None),
            // It may be that everybody needs a key: until that is known nobody is let in.
            (None, Some(None)) => return Err(unread()),
            _ => {}
        }
        let key = key.ok_or_else(|| unknown_key(false))?;
        if let Some(holder) = keys.and_then(|keys| keys.of(key)) {
            return Ok(Some(holder.clone()));
        }
        let in_force = stored.map(|stored| stored.ok_or_else(unread)).transpose()?;
        let found = in_force
            .as_ref()
            .and_then(|known| KeyInForce::find(&known.keys, key));
        let found = found.ok_or_else(|| unknown_key(true))?;
        Ok(Some(Self {
            name: found.name.clone(),
            scopes: found.scopes.clone(),
            records: found.records,
        }))
    }
}

/// Nobody knows yet which keys the store has.
fn unread() -> ApiError {
    StoreError::Unavailable("its keys were never read".to_owned()).into()
}

/// Who asks, where that is known.
pub fn asker(request: &HttpRequest) -> Option<Arc<Asker>> {
    request.extensions().get::<Arc<Asker>>().cloned()
}

/// The name of who asks; empty where nobody needs a key.
pub fn caller(request: &HttpRequest) -> String {
    name_of(asker(request).as_ref())
}

/// The name of someone; empty where nobody needs a key.
pub fn name_of(asker: Option<&Arc<Asker>>) -> String {
    asker.map_or_else(String::new, |asker| asker.name.clone())
}

/// Nobody is known by a key, or no key was sent.
fn unknown_key(sent: bool) -> ApiError {
    let told = if sent {
        both!(
            "the key that was sent is not known here, or was revoked",
            "所给密钥不存在，或已撤销"
        )
    } else {
        both!(
            "send `Authorization: Bearer` and a key",
            "请在 Authorization: Bearer 中给出密钥"
        )
    };
    ApiError::new(StatusCode::UNAUTHORIZED, "key_unknown", told)
}

/// The answer to a key that may not.
pub fn not_allowed(scope: Scope) -> ApiError {
    ApiError::new(
        StatusCode::FORBIDDEN,
        "scope_missing",
        both!(
            "the key lacks the scope `{}`",
            "密钥没有“{}”权限",
            scope.id()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_their_hash() {
        let line =
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 judge,admin the club";
        let keys = Keys(vec![Entry::read(line).unwrap()]);
        let told = |key| {
            let holder = keys.of(key)?;
            Some((holder.name.as_str(), holder.scopes.as_slice()))
        };
        assert_eq!(
            told("test"),
            Some(("the club", [Scope::Judge, Scope::Admin].as_slice()))
        );
        assert_eq!(told("tesT"), None);
        for bad in [
            "",
            "abc judge",
            &line.replace("judge", "rule"),
            &line.replace("9f", "9g"),
            &line.replace("08 ", "+8 "),
        ] {
            assert!(Entry::read(bad).is_none(), "{bad}");
        }
    }
}
