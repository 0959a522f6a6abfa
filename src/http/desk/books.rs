//! The book a request names, and the request with everything said out.

use crate::http::desk::state::State;
use crate::notation::fen;
use crate::proof::Certificate;
use crate::rules::{Catalog, LoadedBook, UnknownBook, name_and_settings};
use crate::store::{DraftBooks, Store};
use crate::wire::{Prepared, Request, RequestError, certified_book};
use std::sync::Arc;

/// The book of a name: one built in, or a draft that is kept, then with its version; in either something may be tried.
pub fn book_of(state: &State, id: &str) -> Result<(Arc<LoadedBook>, Option<String>), UnknownBook> {
    let unknown = match state.catalog.get(id) {
        Ok(loaded) => return Ok((loaded, None)),
        Err(unknown) => unknown,
    };
    let (name, settings) = name_and_settings(id);
    let Some(drafts) = state.store.as_ref().map(Store::draft_books) else {
        return Err(unknown);
    };
    // A draft is named by its id, or as what it ruled on names it: `cxa-1999+trial`.
    let amended = || {
        let found = drafts.get(name.rsplit_once('+')?.1)?;
        (found.1.book.id == name).then_some(found)
    };
    let Some((pinned, draft)) = drafts.get(name).or_else(amended) else {
        return Err(no_such_version(&drafts, name).unwrap_or(unknown));
    };
    if settings.is_empty() {
        return Ok((draft, Some(pinned)));
    }
    let book = draft.trying(&settings)?;
    let tried = id.strip_prefix(name).unwrap_or_default();
    Ok((Arc::new(book), Some(format!("{pinned}{tried}"))))
}

/// That a draft has no such version, where there is the draft.
fn no_such_version(drafts: &DraftBooks, name: &str) -> Option<UnknownBook> {
    let (id, version) = name.split_once('@')?;
    let known = drafts.versions(id);
    (!known.is_empty()).then(|| UnknownBook::Version {
        id: id.to_owned(),
        version: version.to_owned(),
        known,
    })
}

/// The same of the book a request names.
pub fn book_named(
    state: &State,
    request: &Request,
) -> Result<(Arc<LoadedBook>, Option<String>), RequestError> {
    let found = book_of(state, request.book_id());
    found.map_err(|unknown| RequestError::of_book(&unknown, Some("/rules")))
}

/// The book of a certificate: one built in, or a draft that is kept.
pub fn book_certified(
    state: &State,
    certificate: &Certificate,
) -> Result<Arc<LoadedBook>, RequestError> {
    let unknown = match certified_book(certificate, state.catalog) {
        Ok(loaded) => return Ok(loaded),
        Err(unknown) => unknown,
    };
    let about = &certificate.rules;
    // `cxa-1999+draft+pawn_upgrade=false`: a book, the draft over it, what is tried.
    let (amended, _) = name_and_settings(&about.id);
    let name = amended.rsplit('+').next().unwrap_or_default();
    let drafts = state.store.as_ref().map(Store::draft_books);
    let Some((drafts, (pinned, _))) = drafts.and_then(|drafts| {
        let newest = drafts.get(name)?;
        Some((drafts, newest))
    }) else {
        return Err(unknown);
    };
    let newest = pinned
        .rsplit('@')
        .next()
        .and_then(|version| version.parse().ok());
    let versions = (1..=newest.unwrap_or(1_i64)).rev();
    let mut found = versions.filter_map(|version| {
        let (_, draft) = drafts.get(&format!("{name}@{version}"))?;
        let mut catalog = Catalog::default();
        catalog.add(LoadedBook::clone(&draft));
        certified_book(certificate, &catalog).ok()
    });
    // Drafts change: the one it speaks of, or else the newest, which then says something else.
    let newest = found.next().ok_or(unknown)?;
    if newest.digest == about.digest {
        return Ok(newest);
    }
    Ok(found
        .find(|draft| draft.digest == about.digest)
        .unwrap_or(newest))
}

/// A request with everything said out: the version of the book, the position and the moves as
/// they are written.
pub fn canonical(request: &Request, rules: String, prepared: &Prepared) -> Request {
    let (start, moves) = match prepared {
        Prepared::Cycle(cycle) => (cycle.start(), cycle.moves()),
        Prepared::Game(game) => (game.start(), game.moves()),
    };
    let mut canonical = request.clone();
    canonical.record = None;
    canonical.rules = Some(rules);
    canonical.fen = Some(fen::write(start));
    canonical.moves = moves.iter().map(ToString::to_string).collect();
    canonical
}
