//! The operations that need nothing but the library, by name: bytes in, JSON out.
//!
//! Whatever embeds the judge, a browser, Node or Python, asks here; the service and the command answer
//! the same shapes. Nothing is kept, no clock is read, and the same question gets the same bytes.
//!
//! ```
//! use qili::calls::{Operation, answer};
//! let asked = r#"{"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"]}"#;
//! let ruling = answer(Operation::Judge, asked.as_bytes()).unwrap();
//! assert!(ruling.contains(r#""verdict":{"outcome":"loss","side":"red""#));
//! let fault = answer(Operation::Judge, b"{}").unwrap_err();
//! assert_eq!(fault.error.code, "request_shape");
//! ```

mod board;
mod limit;

pub use crate::language::Language as Lang;
pub use board::{BoardAsked, position};
pub use limit::LimitAsked;

use crate::game::Game;
use crate::language::both;
use crate::rules::{Catalog, LoadedBook};
use crate::ruling::{Memory, Ruling};
use crate::version;
use crate::wire::{
    self, BadRequest, Certified, Classified, Continuation, ContinuationList, GameAudit, GameList,
    Kind, Length, MOST_MOVES, PendingRuling, Proofs, Request, RequestError, Ruleset, RulesetList,
    Sheet, Verification, bounded_certificate, certified_book, json,
};
use crate::written;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Positions all rulings on one game may expand together.
pub const MOST_POSITIONS: u64 = 2_000_000;
/// What one question may be long, in bytes.
pub const LONGEST_QUESTION: usize = 64 << 20;

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $name:ident $id:literal;)+) => {
        /// What can be asked.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operation {
            $($(#[doc = $doc])* $name),+
        }

        impl Operation {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The name.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id),+
                }
            }
        }
    };
}

operations! {
    /// A request: its ruling, as `qili judge --format ndjson` and `POST /v1/rulings` give it.
    Judge "judge";
    /// A certificate, or a ruling with one: whether it proves what it claims, as `POST /v1/proofs:verify`.
    Verify "verify";
    /// A game: everything that was due in it, as `POST /v1/games:audit`.
    Audit "audit";
    /// A game so far: what each next move would bring, as `POST /v1/positions:continuations`.
    Next "next";
    /// A game so far: what its last move is, as `POST /v1/moves:classify`.
    Classify "classify";
    /// A text: what can be read of it, as `POST /v1/games:read`.
    Read "read";
    /// A file as it is: its games, as `POST /v1/games:list`.
    List "list";
    /// A game: the audit of the natural move limit, as `qili limit --format json`.
    Limit "limit";
    /// A position: its board as SVG, as `GET /v1/boards.svg`; a text, not JSON.
    Board "board";
    /// The rule books, as `GET /v1/rulesets`.
    Books "books";
    /// One in full (`{"id": …}`), as `GET /v1/rulesets/{id}`.
    Book "book";
    /// Which build this is: `{"version": …}`.
    Version "version";
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Operation {
    type Err = RequestError;

    fn from_str(name: &str) -> Result<Self, RequestError> {
        let found = Self::ALL.iter().find(|one| one.id() == name);
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|one| one.id()).collect();
            let known = known.join(", ");
            RequestError::at(
                "unknown_operation",
                None,
                both!(
                    "there is no operation `{name}`, but {known}",
                    "没有操作“{name}”，只有{known}"
                ),
            )
        })
    }
}

/// What was asked, answered by the books that are built in.
///
/// # Errors
/// What is wrong with the question, and where; with its id, where it has one.
pub fn answer(operation: Operation, question: &[u8]) -> Result<String, Box<BadRequest>> {
    answer_by(Catalog::builtin(), operation, question)
}

/// The same by the books of a catalog.
pub fn answer_by(
    catalog: &Catalog,
    operation: Operation,
    question: &[u8],
) -> Result<String, Box<BadRequest>> {
    if question.len() > LONGEST_QUESTION {
        return Err(nobody(too_long(question.len())));
    }
    let told = match operation {
        Operation::Judge => return judged(catalog, question),
        Operation::Verify => verified(catalog, question).and_then(written),
        Operation::Audit => audited(catalog, question).and_then(written),
        Operation::Next => continuations(catalog, question).and_then(written),
        Operation::Classify => classified(catalog, question).and_then(written),
        Operation::Read => {
            json::<Sheet>(question).and_then(|sheet| written(sheet.reading(MOST_MOVES)))
        }
        Operation::List => GameList::of(question, MOST_MOVES, || true).and_then(written),
        Operation::Limit => {
            let asked: Result<LimitAsked, _> = json(question);
            asked
                .and_then(|asked| asked.audit(catalog))
                .and_then(written)
        }
        Operation::Board => {
            let asked: Result<BoardAsked, _> = json(question);
            asked.and_then(|asked| Ok(asked.diagram(Lang::Zh)?.to_svg()))
        }
        Operation::Books => written(RulesetList::of(catalog)),
        Operation::Book => {
            let asked: Result<BookAsked, _> = json(question);
            asked.and_then(|asked| {
                let found = catalog.get(&asked.id);
                let loaded =
                    found.map_err(|unknown| RequestError::of_book(&unknown, Some("/id")))?;
                written(Ruleset::of(&loaded))
            })
        }
        Operation::Version => written(Build {
            version: version::BUILD,
        }),
    };
    told.map_err(nobody)
}

/// What is wrong with a question, as JSON.
pub fn fault(bad: &BadRequest) -> String {
    written::json(bad).unwrap_or_default()
}

/// A fault of a question that has no id.
fn nobody(error: RequestError) -> Box<BadRequest> {
    let id = Value::Null;
    Box::new(BadRequest { id, error })
}

fn too_long(length: usize) -> RequestError {
    RequestError::at(
        "body_too_large",
        None,
        both!(
            "{length} bytes, at most {LONGEST_QUESTION} are taken",
            "共{length}字节，最多{LONGEST_QUESTION}字节"
        ),
    )
}

/// Which build this is.
#[derive(Serialize)]
struct Build {
    version: &'static str,
}

/// A book, asked for by name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BookAsked {
    id: String,
}

fn written(told: impl Serialize) -> Result<String, RequestError> {
    written::json(&told)
        .map_err(|error| RequestError::at("internal", None, both!("{error}", "无法写出：{error}")))
}

/// A request of which nothing is to be kept.
fn request(question: &[u8]) -> Result<Request, Box<BadRequest>> {
    let request = Request::parse(wire::text(question).map_err(nobody)?)?;
    if request.record.is_some() {
        let error = RequestError::at(
            "record_not_here",
            "/record".to_owned(),
            both!(
                "nothing is kept here: `record` is for a service",
                "此处不保存裁决：record 须由服务办理"
            ),
        );
        let id = request.id.unwrap_or(Value::Null);
        return Err(Box::new(BadRequest { id, error }));
    }
    Ok(request)
}

fn judged(catalog: &Catalog, question: &[u8]) -> Result<String, Box<BadRequest>> {
    let request = request(question)?;
    let told = wire::answer(&request, catalog).and_then(written);
    told.map_err(|error| {
        let id = request.id.unwrap_or(Value::Null);
        Box::new(BadRequest { id, error })
    })
}

fn verified(catalog: &Catalog, question: &[u8]) -> Result<Verification, RequestError> {
    let certified = Certified::read(question)?;
    bounded_certificate(&certified.proof, MOST_MOVES)?;
    let loaded = certified_book(&certified.proof, catalog)?;
    Ok(certified.verify(&loaded))
}

/// A request about a game, with its book and the game.
fn game(
    catalog: &Catalog,
    question: &[u8],
) -> Result<(Request, Arc<LoadedBook>, Game), RequestError> {
    let mut request = request(question).map_err(|bad| bad.error)?;
    request.kind = Kind::Game;
    let loaded = request.book(catalog)?;
    let game = request.game()?;
    Ok((request, loaded, game))
}

/// Counts what the rulings on a game take together.
#[derive(Debug, Default)]
struct Spent(u64);

impl Spent {
    fn add(&mut self, ruling: &Ruling) -> Result<(), RequestError> {
        self.0 += ruling.judged.as_ref().map_or(0, |judged| judged.spent);
        if self.0 <= MOST_POSITIONS {
            return Ok(());
        }
        Err(too_costly(MOST_POSITIONS))
    }
}

/// The rulings on a game take more positions together than they may.
pub fn too_costly(most: u64) -> RequestError {
    RequestError::at(
        "game_too_costly",
        "/moves".to_owned(),
        both!(
            "the rulings on this game take more than {most} positions together",
            "此局各次裁决合计展开超过{most}个局面"
        ),
    )
}

fn audited(catalog: &Catalog, question: &[u8]) -> Result<GameAudit, RequestError> {
    let (request, loaded, game) = game(catalog, question)?;
    // What is pending again and again is judged and proved once.
    let memory = Memory::of(&loaded.book);
    let arbiter = request.arbiter(&loaded.book).remembering(&memory);
    let (mut proofs, mut spent, mut length) =
        (Proofs::default(), Spent::default(), Length::default());
    let every = arbiter.every(&game, &request.ordered);
    let pending = every.map(|(due, ruling)| {
        spent.add(&ruling)?;
        let told = PendingRuling::of(&request, &loaded, due, &ruling, &mut proofs);
        let told = told.map_err(|error| {
            RequestError::at("internal", None, both!("{error}", "无法写出：{error}"))
        })?;
        length.add(&told)?;
        Ok(told)
    });
    let pending = pending.collect::<Result<_, RequestError>>()?;
    Ok(GameAudit::of(&request, &loaded, &game, pending))
}

fn continuations(catalog: &Catalog, question: &[u8]) -> Result<ContinuationList, RequestError> {
    let (request, loaded, game) = game(catalog, question)?;
    let mut spent = Spent::default();
    let next = request.arbiter(&loaded.book).next(&game, &request.ordered);
    let continuations = next.map(|(mv, ruling)| {
        if let Some(ruling) = &ruling {
            spent.add(ruling)?;
        }
        Ok(Continuation::of(
            &request,
            &loaded,
            &game,
            mv,
            ruling.as_ref(),
        ))
    });
    let continuations = continuations.collect::<Result<_, RequestError>>()?;
    Ok(ContinuationList::of(&loaded, &game, continuations))
}

fn classified(catalog: &Catalog, question: &[u8]) -> Result<Classified, RequestError> {
    let (request, loaded, game) = game(catalog, question)?;
    Classified::of(&request, &loaded, &game)
}

#[cfg(test)]
mod tests {
    use crate::board::Side;
    use crate::definitions::{
        BeforeBasis, BothForbidden, ChaseTest, ExchangeKinds, Fortress, Nature, PawnCapture,
    };
    use crate::diagram::{Coordinates, Theme};
    use crate::game::PendingUnit;
    use crate::game::limit::{ExcessCheck, Unit};
    use crate::named::Named;
    use crate::rules::{Certainty, Ground, Outcome, Situation};
    use crate::wire::{Explain, Kind};
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;

    fn named<T: Named + Serialize + DeserializeOwned + PartialEq + Debug>() {
        for (one, name) in T::ALL.iter().zip(T::NAMES) {
            let written = serde_json::to_string(one).unwrap();
            assert_eq!(written, format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<T>(&written).unwrap(), *one);
        }
        let other = serde_json::from_str::<T>("\"\"").unwrap_err();
        assert!(
            other
                .to_string()
                .starts_with("unknown variant ``, expected ")
        );
    }

    #[test]
    fn sets_are_read_by_the_names_by_which_they_are_written() {
        named::<Side>();
        named::<ChaseTest>();
        named::<BeforeBasis>();
        named::<ExchangeKinds>();
        named::<PawnCapture>();
        named::<Fortress>();
        named::<BothForbidden>();
        named::<Nature>();
        named::<PendingUnit>();
        named::<Unit>();
        named::<ExcessCheck>();
        named::<Certainty>();
        named::<Outcome>();
        named::<Situation>();
        named::<Ground>();
        named::<Coordinates>();
        named::<Theme>();
        named::<Kind>();
        named::<Explain>();
    }
}
