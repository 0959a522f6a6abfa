//! Games that are asked about.

use crate::game::Game;
use crate::http::desk::books::book_named;
use crate::http::desk::gate::Task;
use crate::http::desk::judging::{affordable, bounded, read, unkept};
use crate::http::desk::state::State;
use crate::rules::LoadedBook;
use crate::ruling::Ruling;
use crate::wire::{Kind, Request, RequestError};
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
    pub fn read(state: &State, text: &[u8], task: &Arc<Task>) -> Result<Self, RequestError> {
        let request = read(text)?;
        unkept(&request)?;
        Self::of(state, request, task)
    }

    /// Makes sense of one; what is searched for it is called off with the task.
    pub fn of(state: &State, mut request: Request, task: &Arc<Task>) -> Result<Self, RequestError> {
        request.kind = Kind::Game;
        request.watch = task.watch();
        let request = bounded(&state.settings, request)?;
        let (loaded, pinned) = book_named(state, &request)?;
        let game = request.game()?;
        Ok(Self {
            request,
            loaded,
            pinned,
            game,
        })
    }
}

/// Counts what a ruling has cost, together with those before.
pub fn counted(
    state: &State,
    loaded: &LoadedBook,
    ruling: &Ruling,
    spent: &mut u64,
) -> Result<(), RequestError> {
    let Some(judged) = &ruling.judged else {
        return Ok(());
    };
    *spent += judged.spent;
    affordable(&state.settings, *spent)?;
    state.metrics.positions.fetch_add(judged.spent, Relaxed);
    state.metrics.ruled(&loaded.book.id, ruling.verdict.outcome);
    Ok(())
}
