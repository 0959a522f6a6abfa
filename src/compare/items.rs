//! What is judged under both books: cases, and what repeats in games.

use crate::board::{Move, Position};
use crate::cases::Case;
use crate::classify::Depth;
use crate::game::{Cycle, Game};
use crate::rules::{RuleBook, Text};
use crate::ruling::{Options, Order, Ruling};
use crate::wire::{Prepared, Request, RequestError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a cycle stands in what was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The game or request.
    pub id: String,
    /// How many plies of the game had been played; missing where a cycle was given by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
}

/// What is put to the books.
#[derive(Clone, Debug)]
pub enum Ask {
    /// One period, gone round until its position is pending.
    Cycle(Cycle),
    /// A game after its last move, and the changes ordered in it.
    Game(Box<Game>, Vec<Order>),
}

/// One thing to be judged under both books.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name in the report.
    pub id: String,
    /// What it shows, where that is told.
    pub title: Option<Text>,
    /// Where it stands in games; empty for a case.
    pub places: Vec<Place>,
    /// What is put to the books.
    pub ask: Ask,
    /// The request in whose terms rulings on it are given: what is asserted, and by whom.
    pub(super) request: Request,
}

/// Something that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ItemError {
    /// Its name.
    pub id: String,
    /// What is wrong with it.
    pub error: RequestError,
}

impl Item {
    /// A cycle by itself.
    pub fn cycle(id: impl Into<String>, cycle: Cycle) -> Self {
        let request = Request::cycle("", Vec::new());
        Self::of(id.into(), Ask::Cycle(cycle), request)
    }

    /// Anything else that is put to the books; of the request only what it asserts counts.
    pub fn of(id: String, ask: Ask, mut request: Request) -> Self {
        request.id = Some(Value::String(id.clone()));
        request.fen = None;
        request.moves = Vec::new();
        Self {
            id,
            title: None,
            places: Vec::new(),
            ask,
            request,
        }
    }

    /// What stands in a game, called by its place there.
    pub(crate) fn at(place: Place, ask: Ask, request: Request) -> Self {
        let id = match place.ply {
            Some(ply) => format!("{}@{ply}", place.id),
            None => place.id.clone(),
        };
        let mut item = Self::of(id, ask, request);
        item.places.push(place);
        item
    }

    /// A case.
    ///
    /// # Errors
    /// What is wrong with its position or moves.
    pub fn of_case(case: &Case) -> Result<Self, Box<ItemError>> {
        let request = case.request("");
        let prepared = request.prepare().map_err(|error| {
            let id = case.id.clone();
            Box::new(ItemError { id, error })
        })?;
        let ask = match prepared {
            Prepared::Cycle(cycle) => Ask::Cycle(cycle),
            Prepared::Game(game) => Ask::Game(game, request.ordered.clone()),
        };
        let mut item = Self::of(case.id.clone(), ask, request);
        item.title = Some(case.title.clone());
        Ok(item)
    }

    /// The request in whose terms rulings on it are given, without position and moves.
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// The ruling of a book.
    pub(super) fn ruling(&self, book: &RuleBook, depth: Depth) -> Ruling {
        let assertions = self.request.assertions;
        let options = Options { depth, assertions };
        let arbiter = self.request.arbiter(book).with(options);
        match &self.ask {
            Ask::Cycle(cycle) => arbiter.cycle(cycle.clone()),
            Ask::Game(game, ordered) => arbiter.game(game, ordered),
        }
    }
}

/// The line of play a ruling tells of: the position before its first move, and its moves.
pub(super) fn line_of(ruling: &Ruling) -> Option<(Position, Vec<Move>)> {
    if let Some(cycle) = &ruling.cycle {
        return Some((cycle.start().clone(), cycle.moves().to_vec()));
    }
    let moves = &ruling.judged.as_ref()?.moves;
    let start = moves.first()?.scene.before.position().clone();
    Some((start, moves.iter().map(|m| m.scene.mv).collect()))
}
