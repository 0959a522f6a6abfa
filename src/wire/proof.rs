//! Certificates as they are sent, and what verifying one comes to.

use super::error::RequestError;
use super::request::{MOST_MOVES, Request};
use super::{json, text};
use crate::board::{Move, Position};
use crate::classify::Assertions;
use crate::definitions::Nature;
use crate::language::{Text, both};
use crate::notation::fen;
use crate::proof::{self, Certificate, Claims, Flaw};
use crate::prove::{self, Unproved};
use crate::rules::{Catalog, LoadedBook, Outcome, RuleBook, Situation, name_and_settings};
use crate::ruling::{Ruling, Verdict};
use crate::written;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// Why a ruling comes without the certificate that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProof {
    /// There is nothing to rule on.
    Nothing,
    /// None can be given.
    Unproved(Unproved),
}

impl NoProof {
    /// The same in Chinese.
    pub const fn zh(self) -> &'static str {
        match self {
            Self::Nothing => "无可裁决",
            Self::Unproved(why) => why.zh(),
        }
    }
}

impl fmt::Display for NoProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("there is nothing to rule on"),
            Self::Unproved(why) => why.fmt(f),
        }
    }
}

impl Serialize for NoProof {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Certificates that are remembered at a time.
const MOST: usize = 64;

/// A line that was proved, and what was ruled on it.
#[derive(Debug, PartialEq)]
struct Line {
    digest: String,
    fen: String,
    moves: Vec<Move>,
    natures: Vec<Option<Nature>>,
    verdict: Arc<Verdict>,
    assertions: Assertions,
}

/// The certificate of a ruling.
pub(super) fn certificate(
    loaded: &LoadedBook,
    ruling: &Ruling,
    request: &Request,
) -> Result<Certificate, NoProof> {
    let judged = ruling.judged.as_ref().ok_or(NoProof::Nothing)?;
    prove::certify(loaded, judged, request.assertions, request.watch.get())
        .map_err(NoProof::Unproved)
}

/// The certificates of a piece of work in which a line may come again: it is proved once.
#[derive(Debug, Default)]
pub struct Proofs(Vec<(Line, Certificate)>);

impl Proofs {
    /// The certificate of a ruling, made where there is none yet.
    pub(super) fn of(
        &mut self,
        loaded: &LoadedBook,
        ruling: &Ruling,
        request: &Request,
    ) -> Result<Certificate, NoProof> {
        let judged = ruling.judged.as_ref().ok_or(NoProof::Nothing)?;
        let nowhere = NoProof::Unproved(Unproved::Line);
        let first = judged.moves.first().ok_or(nowhere)?;
        let line = Line {
            digest: loaded.digest.clone(),
            fen: fen::write(first.scene.before.position()),
            moves: judged.moves.iter().map(|m| m.scene.mv).collect(),
            natures: judged.moves.iter().map(|m| m.finding.nature).collect(),
            verdict: Arc::clone(&judged.verdict),
            assertions: request.assertions,
        };
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == line) {
            return Ok(known.clone());
        }
        let made = certificate(loaded, ruling, request)?;
        if self.0.len() < MOST {
            self.0.push((line, made.clone()));
        }
        Ok(made)
    }
}

/// What is verified: a certificate, or a ruling that carries one.
#[cfg(feature = "openapi")]
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(untagged)]
pub enum Proved {
    /// By itself.
    Certificate(Box<Certificate>),
    /// In its ruling.
    Ruling(Box<super::RulingJson>),
}

/// What verifying a certificate comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verification {
    /// Whether everything it claims is proved.
    pub verified: bool,
    /// Moves whose natures are proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<usize>,
    /// Numbers of the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<usize>,
    /// The field of the first claim that is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "claims.natures"))]
    pub claim: Option<String>,
    /// The move it is about, 0 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// How far in the proof, in numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The same in Chinese.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail_zh: Option<String>,
}

impl Verification {
    /// Verifies a certificate under a book.
    pub fn of(loaded: &LoadedBook, certificate: &Certificate) -> Self {
        match proof::verify(loaded, certificate) {
            Ok(verified) => Self {
                verified: true,
                moves: Some(verified.moves),
                numbers: Some(verified.numbers),
                ..Self::default()
            },
            Err(flaw) => flaw.into(),
        }
    }
}

impl From<Flaw> for Verification {
    fn from(flaw: Flaw) -> Self {
        Self {
            claim: Some(flaw.field),
            ply: flaw.ply,
            at: flaw.at,
            detail: Some(flaw.detail),
            detail_zh: Some(flaw.detail_zh),
            ..Self::default()
        }
    }
}

/// Checks that a line is no longer than one is judged.
pub fn bounded_certificate(certificate: &Certificate, most: usize) -> Result<(), RequestError> {
    let (count, most) = (certificate.moves.len(), most.min(MOST_MOVES));
    if count <= most {
        return Ok(());
    }
    Err(RequestError::at(
        "too_many_moves",
        "/moves".to_owned(),
        both!(
            "{count} moves, at most {most} are taken",
            "共{count}着，最多{most}着"
        ),
    ))
}

/// What the book of a certificate is called with its version.
fn book_of_certificate(certificate: &Certificate) -> String {
    let proof::Book { id, version, .. } = &certificate.rules;
    // What is tried stands behind the version: `cxa-1999@1.1.0+pawn_upgrade=false`.
    let (name, _) = name_and_settings(id);
    let tried = id.strip_prefix(name).unwrap_or_default();
    format!("{name}@{version}{tried}")
}

/// The book of a certificate.
///
/// # Errors
/// There is none of that name and version.
pub fn certified_book(
    certificate: &Certificate,
    catalog: &Catalog,
) -> Result<Arc<LoadedBook>, RequestError> {
    let found = catalog.get(&book_of_certificate(certificate));
    found.map_err(|unknown| RequestError::of_book(&unknown, Some("/rules")))
}

/// A certificate, and the ruling that carries it, where it comes in one.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate.
    pub proof: Certificate,
    ruling: Option<Value>,
}

impl Certified {
    /// Reads a certificate, or a ruling with one.
    ///
    /// # Errors
    /// It is neither, or the ruling has none.
    pub fn read(bytes: &[u8]) -> Result<Self, RequestError> {
        let value = serde_json::from_str::<Value>(text(bytes)?).ok();
        match value.filter(is_ruling) {
            Some(ruling) => Self::of_ruling(ruling),
            None => json(bytes).map(Self::alone),
        }
    }

    /// The same of one that is read already.
    ///
    /// # Errors
    /// It is neither, or the ruling has none.
    pub fn of(value: Value) -> Result<Self, RequestError> {
        if is_ruling(&value) {
            Self::of_ruling(value)
        } else {
            certificate_of(&value).map(Self::alone)
        }
    }

    const fn alone(proof: Certificate) -> Self {
        let ruling = None;
        Self { proof, ruling }
    }

    fn of_ruling(ruling: Value) -> Result<Self, RequestError> {
        let Some(proof) = ruling.get("proof") else {
            let why = |name| ruling.get(name).and_then(Value::as_str);
            let why = Text {
                en: why("unproved").map_or_else(String::new, |why| format!(": {why}")),
                zh: why("unproved_zh").map_or_else(String::new, |why| format!("：{why}")),
            };
            return Err(RequestError::at(
                "no_certificate",
                "/proof".to_owned(),
                both!(why; "the ruling has no certificate{why}", "裁决没有证书{why}"),
            ));
        };
        let proof = certificate_of(proof).map_err(|error| RequestError {
            pointer: Some(format!("/proof{}", error.pointer.unwrap_or_default())),
            ..error
        })?;
        let ruling = Some(ruling);
        Ok(Self { proof, ruling })
    }

    /// Whether the certificate proves what it claims, and the ruling says that.
    pub fn verify(&self, loaded: &LoadedBook) -> Verification {
        let verification = Verification::of(loaded, &self.proof);
        let ruling = self.ruling.as_ref().filter(|_| verification.verified);
        match ruling.map(|ruling| agrees(ruling, &self.proof, &loaded.book)) {
            Some(Err(flaw)) => flaw.into(),
            _ => verification,
        }
    }
}

/// Whether it is what comes of a request, not a certificate by itself.
fn is_ruling(value: &Value) -> bool {
    let names = ["verdict", "error"];
    names.iter().any(|name| value.get(name).is_some())
}

fn certificate_of(value: &Value) -> Result<Certificate, RequestError> {
    json(written::json(value).unwrap_or_default().as_bytes())
}

/// That a ruling says something else than is claimed.
fn claimed(field: &str, ply: Option<usize>, claim: &Text) -> Result<(), Flaw> {
    flaw(
        field,
        ply,
        both!(claim; "what is claimed is {claim}", "证书所说的是“{claim}”"),
    )
}

fn flaw(field: &str, ply: Option<usize>, told: Text) -> Result<(), Flaw> {
    let flaw = Flaw::of(&format!("ruling.{field}"), told);
    Err(Flaw { ply, ..flaw })
}

/// Whether a ruling says what its certificate claims. That an order to change was not kept is seen from the game, and is
/// no part of a certificate.
fn agrees(ruling: &Value, proof: &Certificate, book: &RuleBook) -> Result<(), Flaw> {
    let claims = &proof.claims;
    let about = |field: &str, ply, what: &str| {
        flaw(
            field,
            ply,
            both!("the certificate is about {what}", "证书所说的是{what}"),
        )
    };
    let said = |pointer: &str| ruling.pointer(pointer).and_then(Value::as_str);
    let rules = [
        said("/rules/id"),
        said("/rules/version"),
        said("/rules/digest"),
    ];
    let proof::Book {
        id,
        version,
        digest,
    } = &proof.rules;
    if rules != [id, version, digest].map(|text| Some(text.as_str())) {
        return about("rules", None, &book_of_certificate(proof));
    }
    // Where several ways round were judged, the last one is told.
    let moves = ruling.get("moves").and_then(Value::as_array);
    let moves = moves.filter(|moves| !moves.is_empty());
    let Some((moves, skipped)) =
        moves.and_then(|moves| Some((moves, proof.moves.len().checked_sub(moves.len())?)))
    else {
        return about("moves", None, &proof.moves.len().to_string());
    };
    let (before, _) = proof.moves.split_at(skipped);
    let mut position = fen::parse(&proof.fen).unwrap_or_else(|_| Position::start());
    for &mv in before {
        position.make(mv);
    }
    let begun = position.clone();
    let certified = proof.moves.iter().zip(&claims.natures).zip(&claims.targets);
    let told = moves.iter().zip(certified.skip(skipped));
    for (ply, (told, ((mv, nature), targets))) in told.enumerate() {
        let said = |name| told.get(name).and_then(Value::as_str);
        if said("iccs") != Some(mv.to_string().as_str()) {
            return about("moves", Some(ply), &mv.to_string());
        }
        if said("nature") != Some(nature.id()) {
            return claimed(
                "moves.nature",
                Some(ply),
                &Text::new(nature.id(), nature.zh()),
            );
        }
        let side = position.turn();
        if said("side") != Some(side.id()) {
            return claimed("moves.side", Some(ply), &Text::new(side.id(), side.zh()));
        }
        position.make(*mv);
        let shown = told.get("targets").and_then(Value::as_array);
        for target in targets {
            let square = target.square.to_string();
            let stands = |shown: &Value| {
                let says = |name, text| shown.get(name).and_then(Value::as_str) == Some(text);
                says("square", square.as_str())
                    && target.root.is_none_or(|root| says("root", root.id()))
            };
            if !shown.into_iter().flatten().any(stands) {
                return claimed("moves.targets", Some(ply), &target.text());
            }
        }
    }
    // A part that is told is a way round by itself.
    if skipped > 0 && position != begun {
        return about("moves", None, &proof.moves.len().to_string());
    }
    verdict_agrees(ruling, claims, book)
}

/// The same of what follows from the moves.
fn verdict_agrees(ruling: &Value, claims: &Claims, book: &RuleBook) -> Result<(), Flaw> {
    let said = |pointer: &str| ruling.pointer(pointer).and_then(Value::as_str);
    let outcome = said("/verdict/outcome");
    let mut clauses = claims.clauses.clone();
    if outcome != Some(claims.outcome.id()) {
        // Who had been ordered to change and did not may have lost.
        let broken = book.verdicts.get(&Situation::NotChanged);
        let told = broken.is_some_and(|row| outcome == Some(row.outcome.id()));
        if claims.outcome != Outcome::MustChange || !told {
            let proved = claims.outcome;
            return claimed(
                "verdict.outcome",
                None,
                &Text::new(proved.id(), proved.zh()),
            );
        }
        clauses.extend(book.unchanged(Some(claims.situation)));
    }
    let side = ruling.pointer("/verdict/side").unwrap_or(&Value::Null);
    if *side != claims.side.map_or(Value::Null, |side| side.id().into()) {
        return claimed("verdict.side", None, &proof::about(claims.side));
    }
    // The clauses of the cases that a ruling names besides are no part of a certificate.
    let cited = ruling.pointer("/verdict/clauses").and_then(Value::as_array);
    let stands = |clause: &String| cited.into_iter().flatten().any(|cited| cited == clause);
    // Where nobody asked for the ruling it is given by others.
    let row = book.verdicts.get(&claims.situation);
    let unasked = row.map(|row| &row.unasked).filter(|row| !row.is_empty());
    let stand = |clauses: &Vec<String>| clauses.iter().all(stands);
    if !stand(&clauses) && !unasked.is_some_and(stand) {
        return claimed("verdict.clauses", None, &Text::listed(clauses));
    }
    Ok(())
}
