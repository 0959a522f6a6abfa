//! Games that are asked about.

use crate::game::Game;
use crate::http::desk::books::book_named;
use crate::http::desk::judging::{affordable, bounded, read, unkept};
use crate::http::desk::state::State;
use crate::rules::LoadedBook;
use crate::ruling::{Order, Ruling};
use crate::wire::{Kind, Prepared, Request, RequestError};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A request about a game, the book it names, and what it is called by where that is a draft.
pub struct AskedGame {
    /// The request.
    pub request: Request,
    /// The book.
    pub loaded: Arc<LoadedBook>,
    /// What the book is called by where it is a draft.
    pub pinned: Option<String>,
    /// The game.
    pub game: Game,
}

impl AskedGame {
    /// Reads one of which nothing is kept.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(state: &State, text: &[u8]) -> Result<Self, RequestError> {
        let request = read(text)?;
        unkept(&request)?;
        Self::of(state, request)
    }

    /// Makes sense of one.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn of(state: &State, mut request: Request) -> Result<Self, RequestError> {
        request.kind = Kind::Game;
        let request = bounded(&state.settings, request)?;
        let (loaded, pinned) = book_named(state, &request)?;
        let game = match request.prepare()? {
            Prepared::Game(game) => *game,
            Prepared::Cycle(cycle) => Game::new(cycle.start().clone()),
        };
        Ok(Self {
            request,
            loaded,
            pinned,
            game,
        })
    }
}

/// The changes that had been ordered when a game was played so far.
pub fn ordered_within(request: &Request, game: &Game) -> Vec<Order> {
    let ordered = request.ordered.iter().copied();
    ordered
        .filter(|order| order.after_ply < game.len())
        .collect()
}

/// The ruling on a game, as far as it can be afforded together with those before.
///
/// # Errors
/// It cannot.
pub fn ruling_on(
    state: &State,
    request: &Request,
    loaded: &LoadedBook,
    game: &Game,
    spent: &mut u64,
) -> Result<Ruling, RequestError> {
    let ordered = ordered_within(request, game);
    let ruling = request.arbiter(&loaded.book).game(game, &ordered);
    if let Some(judged) = &ruling.judged {
        *spent += judged.spent;
        affordable(&state.settings, *spent)?;
        state.metrics.positions.fetch_add(judged.spent, Relaxed);
        state.metrics.ruled(&loaded.book.id, ruling.verdict.outcome);
    }
    Ok(ruling)
}
