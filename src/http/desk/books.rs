//! The book a request names, and the request with everything said out.

use crate::http::desk::state::State;
use crate::notation::fen;
use crate::rules::{Catalog, LoadedBook};
use crate::store::Store;
use crate::wire::{Prepared, Request, RequestError};
use std::sync::Arc;

/// The book a request names: one built in, or a draft that is kept, then with its version.
///
/// # Errors
/// There is no such book.
pub fn book_named(
    state: &State,
    request: &Request,
) -> Result<(Arc<LoadedBook>, Option<String>), RequestError> {
    let unknown = match request.book(state.catalog) {
        Ok(loaded) => return Ok((loaded, None)),
        Err(unknown) => unknown,
    };
    let name = request.rules.as_deref().unwrap_or_default();
    let drafts = state.store.as_ref().map(Store::draft_books);
    let Some((pinned, draft)) = drafts.and_then(|drafts| drafts.get(name)) else {
        return Err(unknown);
    };
    let mut catalog = Catalog::default();
    catalog.add(LoadedBook::clone(&draft));
    let mut named = request.clone();
    named.rules = Some(draft.book.id.clone());
    Ok((named.book(&catalog)?, Some(pinned)))
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
