//! Games: what may be played next, and what a move is.

use crate::board::Side;
use crate::game::Ended;
use crate::http::desk::books::book_ref;
use crate::http::desk::games::{AskedGame, counted};
use crate::http::desk::gate::Task;
use crate::http::desk::state::State;
use crate::http::desk::work::answer;
use crate::http::edge::failures::{BodyFailures, Busy, Failures};
use crate::http::edge::problem::ApiError;
use crate::notation::{Notation, fen, write_move};
use crate::rules::{LoadedBook, Outcome};
use crate::ruling::Ruling;
use crate::wire::{
    BookRef, MoveJson, Request, RequestError, RulingJson, classified_json, ruling_json,
};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

/// A legal next move, and what it would bring.
#[derive(Serialize, ToSchema)]
pub struct Continuation {
    /// The move.
    #[schema(example = "e0f0")]
    iccs: String,
    /// The move in Chinese.
    chinese: String,
    /// How often the position after it would then have stood: 1 where it is new.
    occurrences: u32,
    /// Whether the position after it would be pending, or forbidden moves come to be ruled on.
    pending: bool,
    /// What the book would then say: `none` where there would be nothing to rule on.
    outcome: Outcome,
    /// Who would have to change or lose.
    side: Option<Side>,
    /// The clauses that say so.
    clauses: Vec<String>,
    /// How it would end the game on the board, if it would.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Ended>,
    /// The whole ruling, where there would be one and `explain` is not `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ruling: Option<RulingJson>,
}

/// What may be played next.
#[derive(Serialize, ToSchema)]
pub struct ContinuationList {
    /// Under which book.
    rules: BookRef,
    /// The position reached.
    fen: String,
    /// Who is to move.
    turn: Side,
    /// The moves played.
    played: usize,
    /// Every legal move.
    continuations: Vec<Continuation>,
}

/// Say what every next move would bring
///
/// A game so far; for each legal next move whether it would bring a repetition that is ruled on, and
/// what the book would then say. `kind` is taken to be `game`. What might come is no ruling on what
/// has been played: nothing of it is kept, whoever asks.
#[utoipa::path(post, path = "/v1/positions:continuations", tag = "games", request_body = Request, responses(
    (status = 200, description = "Every legal next move.", body = ContinuationList), BodyFailures, Busy, Failures))]
pub async fn continuations(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let found = answer(state, request, payload, |state, text, task| {
        Ok(continuations_of(
            state,
            &AskedGame::read(state, text)?,
            task,
        )?)
    });
    found.await
}

fn continuations_of(
    state: &State,
    asked: &AskedGame,
    task: &Task,
) -> Result<ContinuationList, RequestError> {
    let (request, loaded, game) = (&asked.request, &asked.loaded, &asked.game);
    let position = game.position();
    let mut continuations = Vec::new();
    let mut spent = 0;
    for (mv, ruling) in request.arbiter(&loaded.book).next(game, &request.ordered) {
        if !task.goes_on() {
            break;
        }
        let after = position.after(mv);
        let mut next = Continuation {
            iccs: mv.to_string(),
            chinese: write_move(position, mv, Notation::Chinese),
            occurrences: game.times_stood(&after) + 1,
            pending: false,
            outcome: Outcome::None,
            side: None,
            clauses: Vec::new(),
            ended: Ended::of(&after),
            ruling: None,
        };
        if let Some(ruling) = ruling {
            counted(state, loaded, &ruling, &mut spent)?;
            next.fill(request, loaded, &ruling);
        }
        continuations.push(next);
    }
    Ok(ContinuationList {
        rules: book_ref(loaded),
        fen: fen::write(position),
        turn: position.turn(),
        played: game.len(),
        continuations,
    })
}

impl Continuation {
    fn fill(&mut self, request: &Request, loaded: &LoadedBook, ruling: &Ruling) {
        let json = ruling_json(request, loaded, ruling);
        self.pending = ruling.judged.is_some();
        self.outcome = json.verdict.outcome;
        self.side = json.verdict.side;
        self.clauses.clone_from(&json.verdict.clauses);
        if self.pending && request.explain != crate::wire::Explain::None {
            self.ruling = Some(RulingJson { id: None, ..json });
        }
    }
}

/// A move, classified.
#[derive(Serialize, ToSchema)]
pub struct Classified {
    /// Under which book.
    rules: BookRef,
    /// The position before the move.
    fen: String,
    /// The move.
    #[serde(rename = "move")]
    mv: MoveJson,
}

/// Say what a move is
///
/// The last of `moves`, with those before it as its context: its nature under the book, with the
/// evidence. `kind` is taken to be `game`. This is no ruling: nothing of it is kept, whoever asks.
#[utoipa::path(post, path = "/v1/moves:classify", tag = "games", request_body = Request, responses(
    (status = 200, description = "What the move is.", body = Classified), BodyFailures, Busy, Failures))]
pub async fn classify(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let found = answer(state, request, payload, |state, text, _| {
        let asked = AskedGame::read(state, text)?;
        classified(&asked).ok_or_else(|| {
            let (en, zh) = ("no move is given", "没有给出着法");
            RequestError::at("no_moves", "/moves".to_owned(), en, zh).into()
        })
    });
    found.await
}

fn classified(asked: &AskedGame) -> Option<Classified> {
    let (request, loaded, game) = (&asked.request, &asked.loaded, &asked.game);
    let judged = request.arbiter(&loaded.book).last_move(game)?;
    let ply = game.len().checked_sub(1)?;
    let fen = fen::write(&judged.scene.before);
    let mv = classified_json(&judged, ply, request, loaded);
    Some(Classified {
        rules: book_ref(loaded),
        fen,
        mv,
    })
}
