//! One request, read and prepared.

use super::error::{BadRequest, RequestError};
use super::record::Record;
use super::text::value_of;
use crate::board::{Move, Position};
use crate::classify::{Assertions, Depth};
use crate::exchange::Watch;
use crate::explain::VerdictContext;
use crate::game::{Cycle, Game};
use crate::language::both;
use crate::named::named;
use crate::notation::{fen, play_line};
use crate::ruling::{Options, Order, Ruling};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Moves a game may have.
pub const MOST_MOVES: usize = 10_000;
/// Moves one period may have.
pub const LONGEST_PERIOD: usize = 600;

named! { read
    /// What the moves of a request are.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Kind {
        /// Exactly one period that leads back to the start position.
        #[default]
        Cycle "cycle",
        /// A game from the position.
        Game "game",
    }
}

named! { read
    /// How much a ruling explains. With `none` moves have the nature that the verdict reads alone: what is nothing else to it is
    /// `idle`, be it a block, or a kill where the book does not forbid any; so the pattern of a side may be another, and the clauses of
    /// the verdict are those of its row in the table alone, without those of the case.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Explain {
        /// Only what the verdict reads: a move that is nothing else to it is `idle`, and the case's own clauses may be missing.
        None "none",
        /// The nature of every move with its reason.
        #[default]
        Notes "notes",
        /// Also what was looked at and found wanting.
        Full "full",
        /// As `notes`, with a certificate that proves what is ruled.
        #[cfg_attr(feature = "cli", value(help = "As notes, with a certificate"))]
        Proof "proof",
    }
}

/// One request as it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The caller's own, echoed back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = id_schema))]
    pub id: Option<Value>,
    /// A rule book: `cxa-1999` where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The start position: the opening where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The moves, in any notation.
    pub moves: Vec<String>,
    /// A cycle, or a game.
    #[serde(default)]
    pub kind: Kind,
    /// Changes that have been ordered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ordered: Vec<Order>,
    /// Facts only an arbiter can supply.
    #[serde(default)]
    pub assertions: Assertions,
    /// How much to explain.
    #[serde(default)]
    pub explain: Explain,
    /// Whether a player asked for the ruling; an arbiter may also rule unasked.
    #[serde(default = "yes")]
    pub claimed: bool,
    /// Positions the searches of the ruling may expand together; 200,000 where missing. Tests that
    /// come too late for it are left open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
    /// Whether the service is to keep the ruling, and what it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
    /// Who may call off the work for it.
    #[serde(skip)]
    pub watch: Watched,
}

/// Whoever may call off the work for a request: no part of what is asked.
#[derive(Clone, Debug, Default)]
pub struct Watched(Option<Arc<dyn Watch>>);

impl Watched {
    /// Work that this one looks after.
    pub fn by(watch: Arc<dyn Watch>) -> Self {
        Self(Some(watch))
    }

    /// Who looks after it, if anybody does.
    pub fn get(&self) -> Option<&dyn Watch> {
        self.0.as_deref()
    }
}

impl PartialEq for Watched {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The caller's id: text, a number, or null.
#[cfg(feature = "openapi")]
pub(super) fn id_schema() -> utoipa::openapi::Schema {
    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    let types = [Type::String, Type::Number, Type::Null];
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter(types))
        .description(Some("The caller's own, echoed back: text or a number."))
        .into()
}

const fn yes() -> bool {
    true
}

/// What a request asks about, on the board.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// A cycle.
    Cycle(Cycle),
    /// A game.
    Game(Box<Game>),
}

impl Request {
    /// A request about one period, under the default book.
    pub fn cycle(fen: &str, moves: Vec<String>) -> Self {
        Self {
            id: None,
            rules: None,
            fen: Some(fen.to_owned()),
            moves,
            kind: Kind::Cycle,
            ordered: Vec::new(),
            assertions: Assertions::default(),
            explain: Explain::Notes,
            claimed: true,
            budget: None,
            record: None,
            watch: Watched::default(),
        }
    }

    /// Reads a request from JSON, which is to be an object.
    ///
    /// # Errors
    /// What is wrong with the text, with the caller's id where that can be read.
    pub fn parse(text: &str) -> Result<Self, Box<BadRequest>> {
        // A list of values would pass for an object without its names.
        if text.trim_start().starts_with('[') {
            let error = RequestError::at(
                "request_shape",
                None,
                both!("a request is one JSON object", "一个请求是一个JSON对象"),
            );
            let id = Value::Null;
            return Err(Box::new(BadRequest { id, error }));
        }
        let error = match value_of::<Self>(text) {
            Ok(request) => return request.checked(),
            Err(error) => error,
        };
        let id = serde_json::from_str::<Value>(text)
            .ok()
            .and_then(|value| value.get("id").cloned());
        Err(Box::new(BadRequest {
            id: id.filter(is_id).unwrap_or(Value::Null),
            error,
        }))
    }

    fn checked(self) -> Result<Self, Box<BadRequest>> {
        if self.id.as_ref().is_none_or(is_id) {
            return Ok(self);
        }
        let error = RequestError::at(
            "id_kind",
            "/id".to_owned(),
            both!("the id must be a string or a number", "id 应为字符串或数字"),
        );
        Err(Box::new(BadRequest {
            id: Value::Null,
            error,
        }))
    }

    /// The options the engine takes.
    pub const fn options(&self) -> Options {
        let depth = match self.explain {
            Explain::None => Depth::Verdict,
            Explain::Notes | Explain::Full | Explain::Proof => Depth::Notes,
        };
        Options {
            depth,
            assertions: self.assertions,
        }
    }

    /// Reads position and moves, without asking whether the moves close a cycle.
    pub fn line(&self) -> Result<(Position, Vec<Move>), RequestError> {
        let start = self.start()?;
        let line = self.play(&mut start.clone())?;
        Ok((start, line))
    }

    fn start(&self) -> Result<Position, RequestError> {
        match &self.fen {
            Some(text) => fen::parse(text).map_err(|error| RequestError::of_fen(&error)),
            None => Ok(Position::start()),
        }
    }

    /// Plays the moves from a position.
    fn play(&self, position: &mut Position) -> Result<Vec<Move>, RequestError> {
        let most = match self.kind {
            Kind::Cycle => LONGEST_PERIOD,
            Kind::Game => MOST_MOVES,
        };
        if self.moves.len() > most {
            let count = self.moves.len();
            return Err(RequestError::at(
                "too_many_moves",
                "/moves".to_owned(),
                both!(
                    "{count} moves, at most {most} are taken",
                    "共{count}着，最多{most}着"
                ),
            ));
        }
        play_line(position, &self.moves).map_err(|error| RequestError::of_line(&error))
    }

    /// What the words of a verdict on it need to know.
    pub fn context(&self, ruling: &Ruling) -> VerdictContext {
        let span = ruling.cycle.as_ref().map(|cycle| cycle.span);
        // An order holds while what it was given for goes on: not what was ordered later, nor what was changed since.
        let holds = |order: &Order| {
            let since = order.given_at();
            let (from, to) = ruling.plies()?;
            let may_be_its = ruling.verdict.side.is_none_or(|side| side == order.side);
            (may_be_its && since <= to).then(|| since.checked_sub(from))?
        };
        VerdictContext {
            rounds: span.map_or(0, |span| span.rounds),
            occurrences: span.map_or(0, |span| span.occurrences),
            claimed: self.claimed,
            assumed: self.kind == Kind::Cycle,
            ordered: self.ordered.iter().find_map(holds),
        }
    }

    /// Whether every change that was ordered stands in a game of so many plies.
    pub fn check_orders(&self, plies: usize) -> Result<(), RequestError> {
        if self.kind == Kind::Cycle {
            return Ok(());
        }
        // What was played is counted from 1 elsewhere: an order that comes after the last move is told so.
        let (last, last_zh) = match plies.checked_sub(1) {
            Some(last) => (
                format!("its last is {last}, counted from 0"),
                format!("最后一着是{last}"),
            ),
            None => ("no move was played".to_owned(), "一着未走".to_owned()),
        };
        for (i, order) in self.ordered.iter().enumerate() {
            if order.after_ply >= plies {
                return Err(RequestError::at(
                    "order_beyond_game",
                    format!("/ordered/{i}/after_ply"),
                    both!(
                        "ply {} is not in the game: {last}",
                        "对局没有第{}着（从0数起），{last_zh}",
                        order.after_ply
                    ),
                ));
            }
        }
        // After each move one of either side at most: every one of them is looked into wherever something is due.
        let most = 2 * plies;
        if self.ordered.len() > most {
            return Err(RequestError::at(
                "too_many_orders",
                "/ordered".to_owned(),
                both!(
                    "at most {most} orders can stand in a game of {plies} plies",
                    "共走{plies}着，至多{most}次责令变着"
                ),
            ));
        }
        Ok(())
    }

    /// Reads position and moves.
    pub fn prepare(&self) -> Result<Prepared, RequestError> {
        match self.kind {
            Kind::Cycle => {
                let start = Box::new(self.start()?);
                let mut end = Position::clone(&start);
                let line = self.play(&mut end)?;
                let cycle = Cycle::of_played(start, line, &mut end);
                let cycle = cycle.map_err(|error| RequestError::of_cycle(&error))?;
                Ok(Prepared::Cycle(cycle))
            }
            Kind::Game => Ok(Prepared::Game(Box::new(self.game()?))),
        }
    }

    /// The game its moves are.
    pub fn game(&self) -> Result<Game, RequestError> {
        let (start, line) = self.line()?;
        let game = Game::with_moves(start, line);
        let game = game.map_err(|illegal| RequestError::of_illegal(&illegal))?;
        self.check_orders(game.len())?;
        Ok(game)
    }
}

const fn is_id(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Null)
}
