//! Rulings as they are sent.

use super::error::RequestError;
use super::proof::{NoProof, Proofs, certificate};
use super::request::{Explain, Prepared, Request};
use crate::board::{BySide, Move, Position, Side};
use crate::classify::{Nature, Open};
use crate::exchange::{RootTarget, Work};
use crate::explain;
use crate::game::{Cycle, CycleSpan, Ended};
use crate::notation::{Notation, write_move};
use crate::proof::Certificate;
use crate::rules::{Catalog, LoadedBook, Outcome, RuleBook, Text, uncertain_articles};
use crate::ruling::{Arbiter, BUDGET, Judged, MoveJudged, Ruling, Standing, side_grounds};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// The book a ruling was given under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BookRef {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// `sha256:` and the digest of its content.
    pub digest: String,
}

impl BookRef {
    /// A book as answers name it.
    pub fn of(loaded: &LoadedBook) -> Self {
        Self {
            id: loaded.book.id.clone(),
            version: loaded.book.version.clone(),
            digest: loaded.digest.clone(),
        }
    }
}

/// The cycle ruled on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CycleJson {
    /// The first ply, 0 at the start of the game or of the period.
    pub start_ply: usize,
    /// Plies in one round.
    pub period: usize,
    /// Rounds played.
    pub rounds: u32,
    /// How often the position has stood.
    pub occurrences: u32,
}

impl From<CycleSpan> for CycleJson {
    fn from(span: CycleSpan) -> Self {
        Self {
            start_ply: span.start_ply,
            period: span.period,
            rounds: span.rounds,
            occurrences: span.occurrences,
        }
    }
}

/// What could not be decided about a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenJson {
    /// The test.
    pub test: Nature,
    /// Positions it was allowed.
    pub budget: u32,
    /// Positions it used.
    pub spent: u32,
}

impl From<&Open> for OpenJson {
    fn from(open: &Open) -> Self {
        Self {
            test: open.test,
            budget: open.budget,
            spent: open.spent,
        }
    }
}

/// A move of the cycle.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveJson {
    /// 0 for the first of the period or the game.
    pub ply: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub iccs: Move,
    /// The move in Chinese.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chinese: Option<String>,
    /// What it is; null where that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Nature>))]
    pub nature: Option<Option<Nature>>,
    /// What it could be, where that is open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Nature>,
    /// What was left open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenJson>,
    /// What else it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<Vec<Nature>>,
    /// The pieces concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<Vec<RootTarget>>,
    /// The clauses behind the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clauses: Option<Vec<String>>,
    /// The lines behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<explain::Evidence>>,
    /// Why, in both languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text>,
}

/// One side over the whole cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SideJson {
    /// `perpetual_chase`, `check_idle`, …; null where it is open.
    pub pattern: Option<&'static str>,
    /// Forbidden or permitted; null where it is open.
    pub standing: Option<Standing>,
    /// The clauses that name the pattern.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
}

/// What is ruled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerdictJson {
    /// What it comes to.
    pub outcome: Outcome,
    /// Who must change or loses.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub side: Option<Side>,
    /// The clauses that decide.
    pub clauses: Vec<String>,
    /// Of the clauses behind it and behind the labels, those that are only told by secondary
    /// sources or inferred.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncertain: Vec<String>,
    /// What would change it if it were asserted: `theoretical_draw` where the side that must change only attacks
    /// advisors or elephants with its one attacking piece.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assertable: Vec<&'static str>,
    /// The moves that leave it open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<usize>,
    /// Why, in both languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text>,
}

/// A ruling.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulingJson {
    /// The caller's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = super::request::id_schema))]
    pub id: Option<Value>,
    /// Under which book.
    pub rules: BookRef,
    /// How the game was decided on the board, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// On which cycle; null where there is nothing to rule on, and where it is ruled on squares that a side keeps coming
    /// back to and not on one period: `moves` then has all of that.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub cycle: Option<CycleJson>,
    /// Each ply of one period.
    pub moves: Vec<MoveJson>,
    /// Where not every way round was the same, the moves of the ways before the last: what the sides did rests on them
    /// as well. Told with notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_moves: Vec<MoveJson>,
    /// Both sides; null where there is nothing to rule on, or the book does not look at conduct.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub sides: Option<BySide<SideJson>>,
    /// What follows.
    pub verdict: VerdictJson,
    /// The certificate that proves it, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Certificate>,
    /// Why there is none, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub unproved: Option<NoProof>,
    /// The same in Chinese.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unproved_zh: Option<&'static str>,
}

impl Request {
    /// What the request calls its book.
    pub fn book_id(&self) -> &str {
        self.rules.as_deref().unwrap_or("cxa-1999")
    }

    /// The book the request names.
    pub fn book(&self, catalog: &Catalog) -> Result<Arc<LoadedBook>, RequestError> {
        let found = catalog.get(self.book_id());
        found.map_err(|unknown| RequestError::of_book(&unknown, Some("/rules")))
    }

    /// Who judges by a book as the request asks.
    pub fn arbiter<'a>(&'a self, book: &'a RuleBook) -> Arbiter<'a> {
        Arbiter::new(book)
            .with(self.options())
            .within(self.budget.unwrap_or(BUDGET))
            .watched(self.watch.get())
    }

    /// The ruling on what the request asks about.
    pub fn rule(&self, loaded: &LoadedBook, prepared: Prepared) -> Ruling {
        let arbiter = self.arbiter(&loaded.book);
        match prepared {
            Prepared::Cycle(cycle) => arbiter.cycle(cycle),
            Prepared::Game(game) => arbiter.game(&game, &self.ordered),
        }
    }
}

/// The ruling a request asks for, and the book it was given under.
pub fn resolve(
    request: &Request,
    catalog: &Catalog,
) -> Result<(Arc<LoadedBook>, Ruling), RequestError> {
    let loaded = request.book(catalog)?;
    let ruling = request.rule(&loaded, request.prepare()?);
    Ok((loaded, ruling))
}

/// The ruling a request asks for, as it is sent.
pub fn answer(request: &Request, catalog: &Catalog) -> Result<RulingJson, RequestError> {
    let (loaded, ruling) = resolve(request, catalog)?;
    Ok(ruling_json(request, &loaded, &ruling))
}

/// A ruling in the shape in which it is sent.
pub fn ruling_json(request: &Request, loaded: &LoadedBook, ruling: &Ruling) -> RulingJson {
    told(request, loaded, ruling, None)
}

/// The same; where others are told as well, with what was proved for them.
pub(super) fn told(
    request: &Request,
    loaded: &LoadedBook,
    ruling: &Ruling,
    proofs: Option<&mut Proofs>,
) -> RulingJson {
    let book = &loaded.book;
    let work = Work::free(request.watch.get());
    let telling = Telling::new(request, loaded, &work);
    let explained = telling.explained;
    let span = ruling.cycle.as_ref().map(|cycle| cycle.span);
    let moves = ruling
        .judged
        .as_ref()
        .map(|judged| moves_json(ruling, judged, telling))
        .filter(|moves| !moves.is_empty())
        .or_else(|| ruling.cycle.as_ref().map(moves_alone))
        .unwrap_or_default();
    let earlier_moves = match (&ruling.judged, span) {
        (Some(judged), Some(span)) if explained => earlier_json(judged, span, telling),
        _ => Vec::new(),
    };
    let context = request.context(ruling);
    let reason = ruling
        .judged
        .as_ref()
        .filter(|_| explained)
        .map(|judged| explain::verdict_within(judged, book, &context, &work));
    let clauses = ruling.verdict.cited(book, request.claimed).to_vec();
    let uncertain = if explained {
        uncertain(book, &clauses, &moves)
    } else {
        Vec::new()
    };
    let asked = request.explain == Explain::Proof;
    let made = asked.then(|| match proofs {
        Some(proofs) => proofs.of(loaded, ruling, request),
        None => certificate(loaded, ruling, request),
    });
    let (proof, unproved) = match made {
        None => (None, None),
        Some(Ok(certificate)) => (Some(certificate), None),
        Some(Err(why)) => (None, Some(why)),
    };
    RulingJson {
        id: request.id.clone(),
        rules: BookRef::of(loaded),
        ended: ruling.ended,
        cycle: span.map(CycleJson::from),
        moves,
        earlier_moves,
        sides: ruling
            .judged
            .as_ref()
            .and_then(|judged| sides_json(judged, book, explained)),
        verdict: VerdictJson {
            outcome: ruling.verdict.outcome,
            side: ruling.verdict.side,
            clauses,
            uncertain,
            assertable: ruling
                .judged
                .iter()
                .filter(|judged| judged.could_assert_draw())
                .map(|_| "theoretical_draw")
                .collect(),
            open: ruling.open_plies(),
            reason,
        },
        proof,
        unproved,
        unproved_zh: unproved.map(NoProof::zh),
    }
}

/// The clauses cited that are not read in the book itself, nor fixed by one of its figures.
fn uncertain(book: &RuleBook, verdict: &[String], moves: &[MoveJson]) -> Vec<String> {
    let of_moves = moves.iter().flat_map(|m| m.clauses.iter().flatten());
    let cited: Vec<&String> = verdict.iter().chain(of_moves).collect();
    uncertain_articles(book, &cited)
        .into_iter()
        .map(|article| article.id.clone())
        .collect()
}

fn sides_json(judged: &Judged, book: &RuleBook, explained: bool) -> Option<BySide<SideJson>> {
    let definitions = &book.definitions;
    definitions.conduct_is_judged.then(|| {
        BySide::from_fn(|side| SideJson {
            pattern: judged.sides[side].pattern,
            standing: judged.sides[side].standing,
            clauses: if explained {
                explain::clauses(book, &side_grounds(definitions, judged, side))
            } else {
                Vec::new()
            },
        })
    })
}

fn moves_json(ruling: &Ruling, judged: &Judged, telling: Telling<'_>) -> Vec<MoveJson> {
    let span = ruling.cycle.as_ref().map(|cycle| cycle.span);
    let first = ruling.told_from();
    // A long run leads back to nothing.
    let period = match &ruling.run {
        Some(_) => None,
        None => Some(span.map_or(judged.moves.len(), |span| span.period)),
    };
    told_moves(judged, span)
        .iter()
        .enumerate()
        .map(|(index, m)| telling.of(m, index, first, period))
        .collect()
}

/// The moves of the ways round before the last.
fn earlier_json(judged: &Judged, span: CycleSpan, telling: Telling<'_>) -> Vec<MoveJson> {
    let (moves, first) = (&judged.moves, span.span_start_ply);
    let earlier = moves.iter().take(judged.before_the_last(span));
    earlier
        .enumerate()
        .map(|(index, m)| telling.of(m, index, first, Some(moves.len())))
        .collect()
}

/// The moves of one period.
pub(super) fn told_moves(judged: &Judged, span: Option<CycleSpan>) -> &[MoveJudged] {
    let Some(span) = span else {
        return &judged.moves;
    };
    // Where several ways round were judged, the last one is told.
    let told = judged.moves.get(judged.before_the_last(span)..);
    let told = told.unwrap_or_default();
    told.get(..span.period).unwrap_or(told)
}

/// The moves of a cycle of which none was looked into: the verdict reads nothing of them.
fn moves_alone(cycle: &Cycle) -> Vec<MoveJson> {
    let (mut side, first) = (cycle.start().turn(), cycle.span.start_ply);
    let mut moves = Vec::with_capacity(cycle.moves().len());
    for (index, mv) in cycle.moves().iter().enumerate() {
        moves.push(MoveJson {
            ply: first + index,
            side,
            iccs: *mv,
            chinese: None,
            nature: None,
            candidates: Vec::new(),
            open: None,
            also: None,
            targets: None,
            clauses: None,
            evidence: None,
            reason: None,
        });
        side = side.opponent();
    }
    moves
}

/// One move of a game, classified, in the shape in which it is sent.
pub fn classified_json(
    m: &MoveJudged,
    ply: usize,
    request: &Request,
    loaded: &LoadedBook,
) -> MoveJson {
    let work = Work::free(request.watch.get());
    Telling::new(request, loaded, &work).of(m, ply, 0, Some(ply + 1))
}

/// How the moves of a ruling are told.
#[derive(Clone, Copy)]
struct Telling<'a> {
    explained: bool,
    book: &'a RuleBook,
    /// What is searched to tell them.
    work: &'a Work<'a>,
}

impl<'a> Telling<'a> {
    fn new(request: &Request, loaded: &'a LoadedBook, work: &'a Work<'a>) -> Self {
        Self {
            explained: request.explain != Explain::None,
            book: &loaded.book,
            work,
        }
    }

    /// A move, in a line that begins at a ply and leads back to its start after so many moves, if it does.
    fn of(self, m: &MoveJudged, index: usize, first: usize, period: Option<usize>) -> MoveJson {
        let Self {
            explained,
            book,
            work,
        } = self;
        let MoveJudged { scene, finding } = m;
        let reads_nature = explained || book.definitions.conduct_is_judged;
        let notes = |position: &Position| write_move(position, scene.mv, Notation::Chinese);
        let open = finding.open.as_ref();
        let told = explained.then(|| explain::Told::within(m, book, work));
        let (reason, targets, clauses) = told.map_or((None, None, None), |told| {
            let clauses = explain::clauses(book, &told.grounds);
            (Some(told.reason), Some(told.targets), Some(clauses))
        });
        MoveJson {
            ply: first + index,
            side: scene.side,
            iccs: scene.mv,
            chinese: explained.then(|| notes(&scene.before)),
            nature: reads_nature.then_some(finding.nature),
            candidates: open.map(|open| open.candidates.clone()).unwrap_or_default(),
            open: open.map(OpenJson::from),
            also: explained.then(|| finding.also.clone()),
            targets,
            clauses,
            evidence: explained.then(|| evidence_from(m, index, first, period)),
            reason,
        }
    }
}

/// The evidence of a move, its plies counted like those of the moves.
fn evidence_from(
    m: &MoveJudged,
    index: usize,
    first: usize,
    period: Option<usize>,
) -> Vec<explain::Evidence> {
    let Some(period) = period else {
        // What does not lead back to its start goes on from what was played before it. A game's first position comes
        // after no ply.
        let ply = first + index;
        let mut found = explain::evidence(m, ply, ply + 2);
        found.retain(|evidence| evidence.from_ply <= ply);
        return found;
    };
    let mut found = explain::evidence(m, index, period);
    for evidence in &mut found {
        evidence.from_ply += first;
    }
    found
}
