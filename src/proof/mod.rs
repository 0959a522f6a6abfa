//! Rulings that prove themselves: a certificate, and a verifier that trusts nobody.
//!
//! A certificate tells what a ruling claims (the nature of each move, the situation, the verdict) and, as a row of numbers, which
//! check, capture or answer makes each step of the reasoning true. The verifier goes through the rules with these numbers: where
//! the rules say *some*, it looks at the one that is named, or, where none is said to be, at every one. It knows the board, the
//! book and this format, and searches nothing: the time it takes grows with the length of what it reads. The format is told in
//! docs/proof.md.

mod asian;
mod chases;
mod frame;
mod gains;
mod guide;
mod kinds;
mod line;
mod material;
mod mates;
mod pairs;
mod post;
mod roots;
mod step;
mod targets;
mod text;
mod verdict;

pub(crate) use frame::{Answer, Ban, Moves, Question};
pub(crate) use guide::{Ask, Guide, Rules, Solve, Test, word_of};
pub(crate) use text::text_of;

use crate::board::{Move, Position, Side, Square};
use crate::definitions::{Assertions, Nature, Root};
use crate::language::{Text, both};
use crate::notation::fen;
use crate::rules::{LoadedBook, Outcome, RuleBook, Situation};
use guide::Told;
use serde::{Deserialize, Serialize};
use step::Step;
use text::words_of;
use verdict::{Ply, renew, upgrade_pawns};

/// The format, with its version.
pub const FORMAT: &str = "qili-proof/12";

/// The book that was judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// Its name.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The digest of what it says.
    pub digest: String,
}

/// A piece that a move chases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Where it stands.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub square: Square,
    /// What it has for a root; null where that depends on which piece takes it.
    pub root: Option<Root>,
}

impl Target {
    /// Its square and what it has for a root.
    pub(crate) fn text(self) -> Text {
        let Self { square, root } = self;
        root.map_or_else(
            || both!("{square}", "{square}"),
            |root| both!(root = Text::new(root.en(), root.zh()); "{square} {root}", "{square} {root}"),
        )
    }
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// What each move is.
    pub natures: Vec<Nature>,
    /// What each move that is a chase could take at once; none where it is another, or wins by checks.
    pub targets: Vec<Vec<Target>>,
    /// What is ruled.
    pub outcome: Outcome,
    /// Whom it concerns.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub side: Option<Side>,
    /// The row of the book's table.
    pub situation: Situation,
    /// The clauses of that row.
    pub clauses: Vec<String>,
}

/// A ruling with its proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// `qili-proof/12`.
    pub format: String,
    /// The book.
    pub rules: Book,
    /// Where the line starts and ends.
    pub fen: String,
    /// The line.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub moves: Vec<Move>,
    /// What the arbiter asserted.
    #[serde(default)]
    pub assertions: Assertions,
    /// What is claimed.
    pub claims: Claims,
    /// What proves it: numbers, each in as many bytes as it needs, in base64.
    pub proof: String,
}

impl Certificate {
    /// The numbers of its proof.
    pub fn numbers(&self) -> Result<Vec<u32>, Flaw> {
        words_of(&self.proof).map_err(|told| Flaw::of("proof", told))
    }

    /// The same certificate with other numbers.
    #[must_use]
    pub fn with_numbers(&self, numbers: &[u32]) -> Self {
        Self {
            proof: text_of(numbers),
            ..self.clone()
        }
    }
}

/// Why a certificate does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Flaw {
    /// The field it is about.
    pub field: String,
    /// The move it is about, counted from 0.
    pub ply: Option<usize>,
    /// How far in the proof, in numbers.
    pub at: Option<usize>,
    /// What is wrong.
    pub detail: String,
    /// The same in Chinese.
    pub detail_zh: String,
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.field)?;
        if let Some(ply) = self.ply {
            write!(f, ", move {}", ply + 1)?;
        }
        if let Some(at) = self.at {
            write!(f, ", number {at} of the proof")?;
        }
        write!(f, ": {}", self.detail)
    }
}

impl std::error::Error for Flaw {}

impl Flaw {
    pub(crate) fn of(field: &str, told: Text) -> Self {
        Self {
            field: field.to_owned(),
            ply: None,
            at: None,
            detail: told.en,
            detail_zh: told.zh,
        }
    }

    fn at(self, ply: Option<usize>, at: usize) -> Self {
        Self {
            ply,
            at: Some(at),
            ..self
        }
    }
}

/// What was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verified {
    /// Moves whose natures are proved.
    pub moves: usize,
    /// Numbers read.
    pub numbers: usize,
}

/// What a certificate proves under this book, whatever it claims, and how many numbers it takes.
///
/// # Errors
/// What does not hold, and where.
pub fn proved(loaded: &LoadedBook, certificate: &Certificate) -> Result<(Claims, usize), Flaw> {
    let rules = &certificate.rules;
    if certificate.format != FORMAT {
        let format = &certificate.format;
        return Err(Flaw::of(
            "format",
            both!(
                "`{format}` is not known, only `{FORMAT}`",
                "不识“{format}”，只识“{FORMAT}”"
            ),
        ));
    }
    let book = &loaded.book;
    if (&rules.id, &rules.version) != (&book.id, &book.version) {
        let (id, version) = (&rules.id, &rules.version);
        let told = both!("it is about {id}@{version}", "证书所据的是{id}@{version}");
        return Err(Flaw::of("rules", told));
    }
    if rules.digest != loaded.digest {
        return Err(Flaw::of(
            "rules.digest",
            both!("the book says something else", "规则的内容与证书所据的不同"),
        ));
    }
    let start = fen::parse(&certificate.fen).map_err(|error| Flaw::of("fen", error.text()))?;
    let words = certificate.numbers()?;
    let told = Told::of(&words);
    let mut judge = Rules::new(&book.definitions, &told);
    let mut ply = None;
    let (line, asserted) = (&certificate.moves, certificate.assertions);
    let judged = judge_line(&mut judge, book, &start, line, asserted, &mut |at| {
        ply = Some(at);
    });
    let read = words.len() - told.left();
    if let Some((en, zh)) = judge.fault {
        return Err(Flaw::of("proof", Text::new(en, zh)).at(ply, read));
    }
    let astray = || {
        both!(
            "they do not lead back by legal moves",
            "着法不能合法地回到原局面"
        )
    };
    let judged = judged.ok_or_else(|| Flaw::of("moves", astray()))?;
    if read < words.len() {
        let told = both!("there is more of it than the claims need", "证明比所需的长");
        return Err(Flaw::of("proof", told).at(None, read));
    }
    Ok((judged, read))
}

/// Whether a certificate proves what it claims, under this book.
///
/// # Errors
/// The first claim that is not proved, and where.
pub fn verify(loaded: &LoadedBook, certificate: &Certificate) -> Result<Verified, Flaw> {
    let said = &certificate.claims;
    let (proved, numbers) = proved(loaded, certificate)?;
    let nature = |nature: &Nature| Text::new(nature.id(), nature.zh());
    agree("claims.natures", &proved.natures, &said.natures, nature)?;
    agree("claims.targets", &proved.targets, &said.targets, |all| {
        Text::joined(all.iter().map(|target| target.text()), ", ", ", ")
    })?;
    let Claims {
        situation,
        outcome,
        side,
        clauses,
        ..
    } = proved;
    let (field, told) = if situation != said.situation {
        ("situation", Text::new(situation.id(), situation.zh()))
    } else if outcome != said.outcome {
        ("outcome", Text::new(outcome.id(), outcome.zh()))
    } else if side != said.side {
        ("side", about(side))
    } else if clauses != said.clauses {
        ("clauses", Text::listed(clauses))
    } else {
        return Ok(Verified {
            moves: proved.natures.len(),
            numbers,
        });
    };
    Err(wrong(&format!("claims.{field}"), &told))
}

/// Whom a verdict is about, by the names that certificates have for the sides.
pub(crate) fn about(side: Option<Side>) -> Text {
    side.map_or_else(
        || both!("about neither side", "不涉及任何一方"),
        |side| Text::new(side.id(), side.zh()),
    )
}

/// Whether what is proved of each move is what is claimed.
fn agree<T: PartialEq>(
    field: &str,
    proved: &[T],
    said: &[T],
    told: impl Fn(&T) -> Text,
) -> Result<(), Flaw> {
    if proved.len() != said.len() {
        return Err(Flaw::of(
            field,
            both!("one for each move is wanted", "每着应有一项"),
        ));
    }
    let mut each = proved.iter().zip(said).enumerate();
    let Some((ply, (proved, _))) = each.find(|(_, (proved, said))| proved != said) else {
        return Ok(());
    };
    Err(Flaw {
        ply: Some(ply),
        ..wrong(field, &told(proved))
    })
}

fn wrong(field: &str, proved: &Text) -> Flaw {
    Flaw::of(
        field,
        both!(proved; "what is proved is {proved}", "所能证明的是“{proved}”"),
    )
}

/// What a line that leads back to its start comes to, whoever guides.
pub(crate) fn judge_line(
    rules: &mut Rules<'_>,
    book: &RuleBook,
    start: &Position,
    line: &[Move],
    asserted: Assertions,
    at: &mut dyn FnMut(usize),
) -> Option<Claims> {
    let steps = Step::of_line(start, line)?;
    if *steps.last()?.after != *start {
        return None;
    }
    let mut strikes = Vec::with_capacity(steps.len());
    for (ply, step) in steps.iter().enumerate() {
        at(ply);
        strikes.push(rules.strike(step, asserted));
        if rules.fault.is_some() {
            return None;
        }
    }
    let mut plies: Vec<Ply> = Vec::with_capacity(steps.len());
    let natures: Vec<Option<Nature>> = strikes.iter().map(|strike| strike.nature).collect();
    for (ply, (step, strike)) in steps.into_iter().zip(strikes).enumerate() {
        at(ply);
        let last = ply.checked_sub(1).unwrap_or(natures.len() - 1);
        let mate = natures.get(last) == Some(&Some(Nature::Kill));
        let nature = strike
            .nature
            .unwrap_or_else(|| rules.quiet(&step, &strike, mate));
        plies.push(Ply {
            step,
            strike,
            nature,
        });
        if rules.fault.is_some() {
            return None;
        }
    }
    for side in Side::ALL {
        renew(&mut plies, side);
    }
    upgrade_pawns(&book.definitions, &mut plies);
    let (situation, side) = if book.definitions.conduct_is_judged {
        rules.situation(&plies)
    } else {
        (Situation::ConductNotJudged, None)
    };
    let mut targets = Vec::with_capacity(plies.len());
    for (ply, one) in plies.iter().enumerate() {
        at(ply);
        targets.push(if one.nature == Nature::Chase {
            rules.targets(&one.step, &one.strike.attacks)
        } else {
            Vec::new()
        });
    }
    let row = book.verdicts.get(&situation);
    let outcome = row.map_or(Outcome::Draw, |row| row.outcome);
    let concerns = matches!(outcome, Outcome::MustChange | Outcome::Loss);
    Some(Claims {
        natures: plies.iter().map(|ply| ply.nature).collect(),
        targets,
        outcome,
        side: side.filter(|_| concerns),
        situation,
        clauses: row.map(|row| row.clauses.clone()).unwrap_or_default(),
    })
}
