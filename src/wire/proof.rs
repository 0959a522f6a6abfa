//! Certificates as they are sent, and what verifying one comes to.

use super::error::RequestError;
use super::request::MOST_MOVES;
use crate::board::Move;
use crate::classify::Assertions;
use crate::definitions::Nature;
use crate::notation::fen;
use crate::proof::{self, Certificate, Flaw};
use crate::prove::{self, Unproved};
use crate::rules::{Catalog, LoadedBook, Outcome, RuleBook, Situation};
use crate::ruling::{Ruling, Verdict};
use serde::{Deserialize, Serialize, Serializer};
use std::cell::RefCell;
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
            Self::Unproved(Unproved::Line) => "着法不能合法地回到原局面",
            Self::Unproved(Unproved::Open(_)) => "所需步数超过限度，或有杀着未能判明",
            Self::Unproved(Unproved::Undetermined) => "裁决本身未定",
            Self::Unproved(Unproved::Differs) => "所能证明的与所裁决的不同",
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
#[derive(PartialEq)]
struct Line {
    digest: String,
    fen: String,
    moves: Vec<Move>,
    natures: Vec<Option<Nature>>,
    verdict: Verdict,
    assertions: Assertions,
}

thread_local! {
    static KNOWN: RefCell<Option<Vec<(Line, Certificate)>>> = const { RefCell::new(None) };
}

/// Does a piece of work within which a line that comes again is proved once. It holds for the thread that does the work.
pub fn proving_once<T>(work: impl FnOnce() -> T) -> T {
    struct Before(Option<Vec<(Line, Certificate)>>);
    impl Drop for Before {
        fn drop(&mut self) {
            KNOWN.set(self.0.take());
        }
    }
    let _before = Before(KNOWN.replace(Some(Vec::new())));
    work()
}

/// The certificate of a ruling.
pub(super) fn certificate(
    loaded: &LoadedBook,
    ruling: &Ruling,
    assertions: Assertions,
) -> Result<Certificate, NoProof> {
    let judged = ruling.judged.as_ref().ok_or(NoProof::Nothing)?;
    let certify = || prove::certify(loaded, judged, assertions).map_err(NoProof::Unproved);
    let Some(first) = judged
        .moves
        .first()
        .filter(|_| KNOWN.with_borrow(Option::is_some))
    else {
        return certify();
    };
    let line = Line {
        digest: loaded.digest.clone(),
        fen: fen::write(first.scene.before.position()),
        moves: judged.moves.iter().map(|m| m.scene.mv).collect(),
        natures: judged.moves.iter().map(|m| m.finding.nature).collect(),
        verdict: judged.verdict.clone(),
        assertions,
    };
    let known = KNOWN.with_borrow(|known| {
        let found = known.iter().flatten().find(|(known, _)| *known == line);
        found.map(|(_, certificate)| certificate.clone())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let made = certify()?;
    KNOWN.with_borrow_mut(|known| {
        if let Some(known) = known.as_mut().filter(|known| known.len() < MOST) {
            known.push((line, made.clone()));
        }
    });
    Ok(made)
}

/// What verifying a certificate comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
}

impl Verification {
    /// Verifies a certificate under a book.
    pub fn of(loaded: &LoadedBook, certificate: &Certificate) -> Self {
        match proof::verify(loaded, certificate) {
            Ok(verified) => Self {
                verified: true,
                moves: Some(verified.moves),
                numbers: Some(verified.numbers),
                claim: None,
                ply: None,
                at: None,
                detail: None,
            },
            Err(flaw) => flaw.into(),
        }
    }
}

impl From<Flaw> for Verification {
    fn from(flaw: Flaw) -> Self {
        Self {
            verified: false,
            moves: None,
            numbers: None,
            claim: Some(flaw.field),
            ply: flaw.ply,
            at: flaw.at,
            detail: Some(flaw.detail),
        }
    }
}

/// Checks that a line is no longer than one is judged.
///
/// # Errors
/// It is longer.
pub fn bounded_certificate(certificate: &Certificate, most: usize) -> Result<(), RequestError> {
    let (count, most) = (certificate.moves.len(), most.min(MOST_MOVES));
    if count <= most {
        return Ok(());
    }
    Err(RequestError::at(
        "too_many_moves",
        "/moves".to_owned(),
        format!("{count} moves, at most {most} are taken"),
        format!("共{count}着，最多{most}着"),
    ))
}

/// What the book of a certificate is called with its version.
fn book_of_certificate(certificate: &Certificate) -> String {
    let proof::Book { id, version, .. } = &certificate.rules;
    // What is tried stands behind the version: `cxa-1999@1.0.0+pawn_upgrade=false`.
    let tried = |at: &usize| {
        id.split_at(*at)
            .1
            .split('+')
            .skip(1)
            .all(|one| one.contains('='))
    };
    let at = id.match_indices('+').map(|(at, _)| at).find(tried);
    let (name, settings) = id.split_at(at.unwrap_or(id.len()));
    format!("{name}@{version}{settings}")
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

/// What of a ruling its certificate speaks about.
#[derive(Clone, Debug, Deserialize)]
pub struct Certified {
    /// The certificate.
    pub proof: Certificate,
    rules: proof::Book,
    moves: Vec<Named>,
    verdict: Ruled,
}

#[derive(Clone, Debug, Deserialize)]
struct Named {
    iccs: String,
    nature: Option<Nature>,
}

#[derive(Clone, Debug, Deserialize)]
struct Ruled {
    outcome: Outcome,
    side: Option<crate::board::Side>,
}

impl Certified {
    /// Whether the ruling says what its certificate claims. That an order to change was not kept is seen from the
    /// game, and is no part of a certificate.
    ///
    /// # Errors
    /// The first thing it says otherwise.
    pub fn agrees(&self, book: &RuleBook) -> Result<(), Flaw> {
        let claims = &self.proof.claims;
        let flaw = |field: &str, ply, detail: String| {
            Err(Flaw {
                field: field.to_owned(),
                ply,
                at: None,
                detail,
            })
        };
        if self.rules != self.proof.rules {
            let other = book_of_certificate(&self.proof);
            return flaw(
                "ruling.rules",
                None,
                format!("the certificate is about {other}"),
            );
        }
        // Where several ways round were judged, the last one is told.
        let skipped = self.proof.moves.len().checked_sub(self.moves.len());
        let Some(skipped) = skipped.filter(|_| !self.moves.is_empty()) else {
            let count = self.proof.moves.len();
            return flaw(
                "ruling.moves",
                None,
                format!("the certificate is about {count}"),
            );
        };
        let certified = self.proof.moves.iter().zip(&claims.natures).skip(skipped);
        for (ply, (told, (mv, nature))) in self.moves.iter().zip(certified).enumerate() {
            if told.iccs.parse::<Move>().ok() != Some(*mv) {
                return flaw(
                    "ruling.moves",
                    Some(ply),
                    format!("the certificate is about {mv}"),
                );
            }
            if told.nature.is_some_and(|said| said != *nature) {
                let detail = format!("what is claimed is {}", nature.id());
                return flaw("ruling.moves.nature", Some(ply), detail);
            }
        }
        let Ruled { outcome, side } = self.verdict;
        let broken = book.verdicts.get(&Situation::NotChanged);
        let broken = broken.filter(|_| claims.situation == Situation::OneForbidden);
        let allowed = [Some(claims.outcome), broken.map(|row| row.outcome)];
        if !allowed.contains(&Some(outcome)) {
            let detail = format!("what is claimed is {}", claims.outcome.id());
            return flaw("ruling.verdict.outcome", None, detail);
        }
        if side != claims.side {
            let claimed = claims.side.map_or("neither side", crate::board::Side::id);
            let detail = format!("what is claimed is about {claimed}");
            return flaw("ruling.verdict.side", None, detail);
        }
        Ok(())
    }
}
