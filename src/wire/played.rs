//! Games: everything that was due in one, what may be played next, and what a move is.

use super::answer::{BookRef, MoveJson, RulingJson, classified_json, ruling_json, told};
use super::error::RequestError;
use super::proof::Proofs;
use super::request::{Explain, Request};
use crate::board::{BySide, Move, Side};
use crate::game::limit::{Audit, Claim, Consequence, CountedPly};
use crate::game::{Ended, Game};
use crate::language::both;
use crate::notation::{Notation, fen, write_move};
use crate::rules::{LoadedBook, Outcome};
use crate::ruling::{Arbiter, Due, Order, Ruling};
use crate::written;
use serde::Serialize;
use serde::ser::Error;
use serde_json::value::RawValue;

/// A pending position of a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingRuling {
    /// How many plies had been played when it stood.
    pub after_ply: usize,
    /// The number of the ruling, if it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The order to change that the ruling calls for, as `ordered` of later requests takes it: there the plies count from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// The ruling due then.
    #[cfg_attr(feature = "openapi", schema(value_type = RulingJson))]
    pub ruling: Box<RawValue>,
}

/// A whole game, audited.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameAudit {
    /// Under which book.
    pub rules: BookRef,
    /// Plies played.
    pub plies: usize,
    /// How the game was decided on the board, if it was.
    pub ended: Option<Ended>,
    /// Every pending position with the ruling due when it stood.
    pub pending: Vec<PendingRuling>,
    /// The natural move limit after the last move, where the book has one.
    pub natural_limit: Option<Audit>,
    /// What either side would get by claiming it then.
    pub limit_claims: Option<BySide<LimitClaimed>>,
}

/// The natural limit as one side might claim it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LimitClaimed {
    /// Whether the claim would be good: the limit is reached, and the game was not over before.
    pub reached: bool,
    /// The count.
    pub count: u32,
    /// The plies left out of it.
    pub left_out: Vec<CountedPly>,
    /// The audit told, sentence by sentence.
    pub zh: Vec<String>,
    /// The same in English.
    pub en: Vec<String>,
}

impl From<Audit> for LimitClaimed {
    fn from(audit: Audit) -> Self {
        Self {
            reached: audit.consequence == Consequence::Draw,
            count: audit.count,
            left_out: audit.left_out().copied().collect(),
            zh: audit.zh(),
            en: audit.en(),
        }
    }
}

/// What either side would get by claiming.
fn claims(arbiter: Arbiter<'_>, game: &Game) -> Option<BySide<LimitClaimed>> {
    let claimed = |by| {
        let claim = Claim {
            by,
            earlier_false_claims: 0,
        };
        arbiter.limit(game, Some(claim)).map(LimitClaimed::from)
    };
    Some(BySide {
        red: claimed(Side::Red)?,
        black: claimed(Side::Black)?,
    })
}

/// Bytes that the rulings on one game may take together: where one cycle of hundreds of moves is pending hundreds of times, what is told
/// of it is some thousand times what was asked.
const MOST_TOLD: usize = 32 << 20;

/// How much is told of one game.
#[derive(Debug, Default)]
pub struct Length(usize);

impl Length {
    /// Counts a ruling that is told.
    ///
    /// # Errors
    /// They take more together than they may.
    pub fn add(&mut self, pending: &PendingRuling) -> Result<(), RequestError> {
        self.0 += pending.ruling.get().len();
        if self.0 <= MOST_TOLD {
            return Ok(());
        }
        let (most, ply) = (MOST_TOLD >> 20, pending.after_ply);
        Err(RequestError::at(
            "audit_too_long",
            "/explain".to_owned(),
            both!(
                "told like this, the rulings on this game take more than {most} MiB up to ply {ply}: ask with `explain` of `none`, or for one \
             ruling at a time",
                "照此详尽程度，此局截至第{ply}着的各次裁决合计超过{most} MiB：请将 explain 设为 none，或逐次请求裁决"
            ),
        ))
    }
}

impl PendingRuling {
    /// The ruling on a moment of a game.
    pub fn of(
        request: &Request,
        loaded: &LoadedBook,
        due: Due,
        ruling: &Ruling,
        proofs: &mut Proofs,
    ) -> Result<Self, serde_json::Error> {
        let verdict = &ruling.verdict;
        let order = match (verdict.outcome, verdict.side) {
            (Outcome::MustChange, Some(side)) => due.after_ply.checked_sub(1).map(|ply| Order {
                after_ply: ply,
                side,
            }),
            _ => None,
        };
        let ruling = RulingJson {
            id: None,
            ..told(request, loaded, ruling, Some(proofs))
        };
        Ok(Self {
            after_ply: due.after_ply,
            number: None,
            order,
            ruling: RawValue::from_string(written::json(&ruling).map_err(Error::custom)?)?,
        })
    }
}

impl GameAudit {
    /// The audit of a game with the rulings that were due in it.
    pub fn of(
        request: &Request,
        loaded: &LoadedBook,
        game: &Game,
        pending: Vec<PendingRuling>,
    ) -> Self {
        let arbiter = request.arbiter(&loaded.book);
        Self {
            rules: BookRef::of(loaded),
            plies: game.len(),
            ended: game.ended(),
            pending,
            natural_limit: arbiter.limit(game, None),
            limit_claims: claims(arbiter, game),
        }
    }
}

/// A legal next move, and what it would bring.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Continuation {
    /// The move.
    #[cfg_attr(feature = "openapi", schema(example = "e0f0"))]
    pub iccs: String,
    /// The move in Chinese.
    pub chinese: String,
    /// How often the position after it would then have stood: 1 where it is new.
    pub occurrences: u32,
    /// Whether the position after it would be pending, or forbidden moves come to be ruled on.
    pub pending: bool,
    /// What the book would then say: `none` where there would be nothing to rule on.
    pub outcome: Outcome,
    /// Who would have to change or lose.
    pub side: Option<Side>,
    /// The clauses that say so.
    pub clauses: Vec<String>,
    /// How it would end the game on the board, if it would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// The whole ruling, where there would be one and `explain` is not `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<RulingJson>,
}

/// What may be played next.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContinuationList {
    /// Under which book.
    pub rules: BookRef,
    /// The position reached.
    pub fen: String,
    /// Who is to move.
    pub turn: Side,
    /// The moves played.
    pub played: usize,
    /// How the game was decided on the board, if it was: then nothing goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// Every legal move.
    pub continuations: Vec<Continuation>,
}

impl ContinuationList {
    /// What was found out about the next moves of a game.
    pub fn of(loaded: &LoadedBook, game: &Game, continuations: Vec<Continuation>) -> Self {
        let position = game.position();
        Self {
            rules: BookRef::of(loaded),
            fen: fen::write(position),
            turn: position.turn(),
            played: game.len(),
            ended: game.ended(),
            continuations,
        }
    }
}

impl Continuation {
    /// A next move of a game, and the ruling there would be on it.
    pub fn of(
        request: &Request,
        loaded: &LoadedBook,
        game: &Game,
        mv: Move,
        ruling: Option<&Ruling>,
    ) -> Self {
        let position = game.position();
        let after = position.after(mv);
        let mut next = Self {
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
            next.fill(request, loaded, ruling);
        }
        next
    }

    fn fill(&mut self, request: &Request, loaded: &LoadedBook, ruling: &Ruling) {
        let json = ruling_json(request, loaded, ruling);
        self.pending = ruling.judged.is_some();
        self.outcome = json.verdict.outcome;
        self.side = json.verdict.side;
        self.clauses.clone_from(&json.verdict.clauses);
        if self.pending && request.explain != Explain::None {
            self.ruling = Some(RulingJson { id: None, ..json });
        }
    }
}

/// A move, classified.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Classified {
    /// Under which book.
    pub rules: BookRef,
    /// The position before the move.
    pub fen: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: MoveJson,
}

impl Classified {
    /// The last move of a game, classified.
    pub fn of(request: &Request, loaded: &LoadedBook, game: &Game) -> Result<Self, RequestError> {
        let last = request.arbiter(&loaded.book).last_move(game);
        let (Some(judged), Some(ply)) = (last, game.len().checked_sub(1)) else {
            return Err(RequestError::at(
                "no_moves",
                "/moves".to_owned(),
                both!("no move is given", "没有给出着法"),
            ));
        };
        Ok(Self {
            rules: BookRef::of(loaded),
            fen: fen::write(&judged.scene.before),
            mv: classified_json(&judged, ply, request, loaded),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rulings_of_a_game_are_bounded_together() {
        let pending = |ply, bytes| PendingRuling {
            after_ply: ply,
            number: None,
            order: None,
            ruling: RawValue::from_string(format!("\"{}\"", "a".repeat(bytes - 2))).unwrap(),
        };
        let mut length = Length::default();
        assert!(length.add(&pending(12, MOST_TOLD / 2)).is_ok());
        assert!(length.add(&pending(13, MOST_TOLD / 2)).is_ok());
        let refused = length.add(&pending(14, 2)).unwrap_err();
        assert_eq!(refused.code, "audit_too_long");
        assert!(refused.detail.contains("ply 14"), "{}", refused.detail);
    }
}
