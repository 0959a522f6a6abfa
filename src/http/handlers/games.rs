//! Games: what may be played next, what a move is, and everything that repeats in a game.

use crate::board::{BySide, Position, Side};
use crate::classify::{MateThreat, Scene, Strikes};
use crate::game::limit::{self, Audit, CountedPly};
use crate::game::{CycleSpan, Ended, Game};
use crate::http::gate::{Gone, answer};
use crate::http::judging::{affordable, bounded, read};
use crate::http::openapi::{BodyFailures, Busy, Failures};
use crate::http::problem::ApiError;
use crate::http::state::State;
use crate::notation::{Notation, fen, write_move};
use crate::rules::{LoadedBook, Outcome, RuleBook};
use crate::ruling::{MoveJudged, Ruling};
use crate::wire::{
    BookRef, Kind, MoveJson, Prepared, Request, RequestError, RulingJson, classified_json,
    ruling_json,
};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use std::sync::atomic::Ordering::Relaxed;
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
#[expect(clippy::struct_field_names, reason = "the name callers know")]
pub struct Continuations {
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
/// what the book would then say. `kind` is taken to be `game`.
#[utoipa::path(post, path = "/v1/positions:continuations", tag = "games", request_body = Request, responses(
    (status = 200, description = "Every legal next move.", body = Continuations), BodyFailures, Busy, Failures))]
pub async fn continuations(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let found = answer(state, request, payload, |state, text, gone| {
        let (request, loaded, game) = game_of(state, text)?;
        Ok(continuations_of(state, &request, &loaded, &game, gone)?)
    });
    found.await
}

fn book_ref(loaded: &LoadedBook) -> BookRef {
    BookRef {
        id: loaded.book.id.clone(),
        version: loaded.book.version.clone(),
        digest: loaded.digest.clone(),
    }
}

/// A request about a game.
fn game_of(
    state: &State,
    text: &[u8],
) -> Result<(Request, std::sync::Arc<LoadedBook>, Game), RequestError> {
    let mut request = read(text)?;
    request.kind = Kind::Game;
    let request = bounded(&state.settings, request)?;
    let loaded = request.book(state.catalog)?;
    match request.prepare()? {
        Prepared::Game(game) => Ok((request, loaded, *game)),
        Prepared::Cycle(cycle) => Ok((request, loaded, Game::new(cycle.start().clone()))),
    }
}

fn continuations_of(
    state: &State,
    request: &Request,
    loaded: &LoadedBook,
    game: &Game,
    gone: &Gone,
) -> Result<Continuations, RequestError> {
    let position = game.position();
    let mut continuations = Vec::new();
    let mut spent = 0;
    for mv in position.legal_moves().iter().copied() {
        if gone.yes() {
            break;
        }
        let after = position.after(mv);
        let mut next = Continuation {
            iccs: mv.to_string(),
            chinese: write_move(position, mv, Notation::Chinese),
            occurrences: stood(game, &after) + 1,
            pending: false,
            outcome: Outcome::None,
            side: None,
            clauses: Vec::new(),
            ended: Ended::of(&after),
            ruling: None,
        };
        // Nothing is ruled on where the position is new.
        if next.occurrences > 1 {
            let mut longer = game.clone();
            if longer.push(mv).is_ok() {
                let ruling = ruling_on(state, request, loaded, &longer, &mut spent)?;
                next.fill(request, loaded, &ruling);
            }
        }
        continuations.push(next);
    }
    Ok(Continuations {
        rules: book_ref(loaded),
        fen: fen::write(position),
        turn: position.turn(),
        played: game.len(),
        continuations,
    })
}

/// How often a position has stood in a game, as far as it could stand again.
fn stood(game: &Game, position: &Position) -> u32 {
    let since = game.reversible_since(game.len());
    let earlier = game
        .positions()
        .iter()
        .skip(since)
        .filter(|earlier| *earlier == position);
    u32::try_from(earlier.count()).unwrap_or(u32::MAX)
}

fn ruling_on(
    state: &State,
    request: &Request,
    loaded: &LoadedBook,
    game: &Game,
    spent: &mut u64,
) -> Result<Ruling, RequestError> {
    let ordered: Vec<_> = request
        .ordered
        .iter()
        .copied()
        .filter(|o| o.after_ply < game.len())
        .collect();
    let options = request.options();
    let ruling = request.within_budget(|| Ruling::on_game(&loaded.book, game, &ordered, options));
    if let Some(judged) = &ruling.judged {
        *spent += judged.spent;
        affordable(&state.settings, *spent)?;
        state.metrics.positions.fetch_add(judged.spent, Relaxed);
        state.metrics.ruled(&loaded.book.id, ruling.verdict.outcome);
    }
    Ok(ruling)
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
/// evidence. `kind` is taken to be `game`.
#[utoipa::path(post, path = "/v1/moves:classify", tag = "games", request_body = Request, responses(
    (status = 200, description = "What the move is.", body = Classified), BodyFailures, Busy, Failures))]
pub async fn classify(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let found = answer(state, request, payload, |state, text, _| {
        let (request, loaded, game) = game_of(state, text)?;
        let found = request.within_budget(|| classified(&request, &loaded, &game));
        found.ok_or_else(|| {
            let (en, zh) = ("no move is given", "没有给出着法");
            RequestError::at("no_moves", "/moves".to_owned(), en, zh).into()
        })
    });
    found.await
}

fn classified(request: &Request, loaded: &LoadedBook, game: &Game) -> Option<Classified> {
    let definitions = &loaded.book.definitions;
    let depth = request.options().depth;
    let at = |ply: usize, earlier| {
        let (position, &mv) = (game.position_at(ply)?, game.moves().get(ply)?);
        Scene::new(position, mv, earlier)
    };
    let ply = game.len().checked_sub(1)?;
    let before = ply.checked_sub(1).and_then(|ply| at(ply, None));
    let find = |scene: &Scene| Strikes::find(definitions, scene, request.assertions, depth);
    let threat = before
        .as_ref()
        .map_or(MateThreat::None, |scene| find(scene).mate_threat());
    let earlier = before
        .as_ref()
        .map(|scene| (scene.before.clone(), scene.mv));
    let scene = at(ply, earlier)?;
    let finding = find(&scene).finish(definitions, &scene, &threat, depth);
    let fen = fen::write(&scene.before);
    let judged = MoveJudged { scene, finding };
    let mv = classified_json(&judged, ply, request, loaded);
    Some(Classified {
        rules: book_ref(loaded),
        fen,
        mv,
    })
}

/// A pending position of a game.
#[derive(Serialize, ToSchema)]
pub struct PendingRuling {
    /// How many plies had been played when it stood.
    after_ply: usize,
    /// The ruling due then.
    ruling: RulingJson,
}

/// A whole game, audited.
#[derive(Serialize, ToSchema)]
pub struct GameAudit {
    /// Under which book.
    rules: BookRef,
    /// Plies played.
    plies: usize,
    /// How the game was decided on the board, if it was.
    ended: Option<Ended>,
    /// Every pending position with the ruling due when it stood.
    pending: Vec<PendingRuling>,
    /// The natural move limit after the last move, where the book has one.
    natural_limit: Option<Audit>,
    /// What either side would get by claiming it then.
    limit_claims: Option<BySide<LimitClaimed>>,
}

/// The natural limit as one side might claim it.
#[derive(Serialize, ToSchema)]
pub struct LimitClaimed {
    /// Whether the claim would be good.
    reached: bool,
    /// The count.
    count: u32,
    /// The plies left out of it.
    left_out: Vec<CountedPly>,
    /// The audit told, sentence by sentence.
    zh: Vec<String>,
    /// The same in English.
    en: Vec<String>,
}

impl LimitClaimed {
    fn by(side: Side, game: &Game, rule: limit::Rule) -> Self {
        let claim = limit::Claim {
            by: side,
            earlier_false_claims: 0,
        };
        let audit = limit::audit(game, rule, Some(claim));
        Self {
            reached: audit.reached,
            count: audit.count,
            left_out: audit.left_out().copied().collect(),
            zh: audit.zh(),
            en: audit.en(),
        }
    }
}

/// Audit a whole game
///
/// Every pending position with its ruling, and the count of the natural move limit, in one pass.
/// `kind` is taken to be `game`.
#[utoipa::path(post, path = "/v1/games:audit", tag = "games", request_body = Request, responses(
    (status = 200, description = "What repeats, and the count.", body = GameAudit), BodyFailures, Busy, Failures))]
pub async fn audit(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let found = answer(state, request, payload, |state, text, gone| {
        let (request, loaded, game) = game_of(state, text)?;
        Ok(audited(state, &request, &loaded, &game, gone)?)
    });
    found.await
}

fn audited(
    state: &State,
    request: &Request,
    loaded: &LoadedBook,
    game: &Game,
    gone: &Gone,
) -> Result<GameAudit, RequestError> {
    let rule = loaded.book.definitions.pending_rule();
    let mut ends = game
        .all_pending(rule)
        .into_iter()
        .map(CycleSpan::end_ply)
        .peekable();
    let mut played = Game::new(game.start().clone());
    let mut pending = Vec::new();
    let mut spent = 0;
    for &mv in game.moves() {
        if ends.peek().is_none() || gone.yes() || played.push(mv).is_err() {
            break;
        }
        if ends.next_if_eq(&played.len()).is_none() {
            continue;
        }
        let ruling = ruling_on(state, request, loaded, &played, &mut spent)?;
        let ruling = RulingJson {
            id: None,
            ..ruling_json(request, loaded, &ruling)
        };
        pending.push(PendingRuling {
            after_ply: played.len(),
            ruling,
        });
    }
    let rule_of_limit = limit_of(&loaded.book);
    Ok(GameAudit {
        rules: book_ref(loaded),
        plies: game.len(),
        ended: game.ended(),
        pending,
        natural_limit: rule_of_limit.map(|rule| limit::audit(game, rule, None)),
        limit_claims: rule_of_limit
            .map(|rule| BySide::from_fn(|side| LimitClaimed::by(side, game, rule))),
    })
}

/// The natural limit of a book.
fn limit_of(book: &RuleBook) -> Option<limit::Rule> {
    let told = book.natural_limit.as_ref()?;
    let known = limit::Book::ALL
        .into_iter()
        .find(|known| known.id() == book.root_id());
    let rule = known.unwrap_or(limit::Book::Cxa2011).rule();
    let plies = told.unit == "plies";
    Some(limit::Rule {
        unit: if plies {
            limit::Unit::Plies
        } else {
            limit::Unit::Rounds
        },
        count: told.count,
        claimant_checks_counted: told.claimant_checks,
        excess_check_removes: told.excess_check_removes,
        second_false_claim_loses: told.second_false_claim_loses,
        ..rule
    })
}
