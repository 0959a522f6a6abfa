//! Roots (根): what becomes of whoever takes a piece.
//!
//! 28.16 (1999): a piece is rooted where another of its side protects it sufficiently, hidden
//! roots (暗根) included; a false root (假根) or too few roots (少根) are none. So the question is
//! always asked of one capture, and the answer is what the exchange account comes to, told guard
//! by guard:
//!
//! - a guard is *false* where its retake is illegal, or gets its side mated (by a mate that did
//!   not threaten anyhow), or is answered by a run of checks that wins the retaking piece back,
//!   or something elsewhere, for as much as it took: where it keeps some of that it is one too few;
//! - a real guard is *short* where retaking leaves the other side another capture that makes it
//!   come out ahead all the same: a second attacker takes again, or the guard had another ward.
//!   What could be taken all along is another matter here too; and where the piece taken is so
//!   much dearer that the capture is ahead anyhow, only what the retake itself costs counts;
//! - a root may work through checks: a piece that cannot retake at once but does after a run of
//!   checks is a hidden root.
//!
//! A retake that settles the matter makes the piece rooted, even where the piece taken is dearer
//! than its captor: that such a capture gains is a matter of values, not of roots.

mod inquiry;

use super::budget::{Terms, Work};
use super::graph::Survey;
use crate::board::{Move, PieceId, Position, Role, Square};
use crate::definitions::Definitions;
pub use crate::definitions::Root;
use inquiry::Inquiry;
use serde::{Deserialize, Serialize};

/// How much of a protection a root is, none at all first.
const fn strength(root: Root) -> u8 {
    match root {
        Root::None => 0,
        Root::False => 1,
        Root::Under => 2,
        Root::Rooted => 3,
    }
}

/// Why what seems to be a root is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum FalseRoot {
    /// Leaving its place exposes its king.
    Pinned {
        /// To these.
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
        by: Vec<Square>,
    },
    /// It is the king, and would step into an attack.
    ExposesKing {
        /// Of these.
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
        by: Vec<Square>,
    },
    /// The capture gives check, and retaking is no answer to it.
    AnswersNoCheck {
        /// These go on giving check.
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
        by: Vec<Square>,
    },
    /// It is a cannon, and the captor was its screen.
    Unscreened {
        /// Where the screen stood.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        screen: Square,
    },
    /// Having retaken, its side is mated.
    Mated {
        /// From the check after the retake to the mate.
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
        line: Vec<Move>,
    },
    /// Having retaken, it is won by a run of checks, or as much elsewhere is.
    LostToChecks {
        /// From the check after the retake.
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
        line: Vec<Move>,
    },
}

/// Why a real root is not enough.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Shortage {
    /// Another piece takes again on the same square.
    Outnumbered {
        /// From here.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        by: Square,
    },
    /// It guarded another piece as well, which is lost now.
    TwoWards {
        /// The other ward.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        ward: Square,
        /// What takes it.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        by: Square,
    },
    /// By then something else can be taken: its leaving, or the capture, opened the way.
    Opens {
        /// What.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        square: Square,
        /// What takes it.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        by: Square,
    },
}

/// A piece that guards the piece taken, or seems to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RootPiece {
    /// Which piece.
    #[serde(skip)]
    pub id: PieceId,
    /// Where it stands before the capture.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub square: Square,
    /// What it is.
    pub piece: Role,
    /// 暗根: it bears on the square only after the capture, or after another guard's retake, or
    /// works through checks.
    pub hidden: bool,
    /// Why it is no root, where it is none.
    #[serde(rename = "false")]
    pub false_because: Option<FalseRoot>,
    /// Why it is not enough, where it is real.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short: Option<Shortage>,
    /// What comes of its retake, where that is not enough: from the retake on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub costs: Vec<Move>,
    /// The checks and answers through which it retakes, the retake last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub through: Vec<Move>,
}

impl RootPiece {
    /// Whether it does retake.
    pub const fn is_real(&self) -> bool {
        self.false_because.is_none() || !self.through.is_empty()
    }
}

/// What a capture meets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RootStatus {
    /// The word for it.
    pub root: Root,
    /// The pieces that make it so: open guards first, by squares.
    pub by: Vec<RootPiece>,
    /// Whether a search ran out of its budget: a guard told as real may yet be false.
    pub open: bool,
}

/// A target as a ruling shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RootTarget {
    /// Where it stands.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub square: Square,
    /// What it is.
    pub piece: Role,
    /// Whether it is protected.
    pub root: Root,
    /// By what.
    pub roots: Vec<RootPiece>,
}

/// What a capture meets: whether the piece taken is rooted, and the pieces that make it so.
///
/// The side that captures is taken to be on the move, whichever it is.
///
/// ```
/// use qili::board::{Move, Position};
/// use qili::definitions::Definitions;
/// use qili::exchange::{FalseRoot, root_of};
/// /// The pieces that only seem to guard what is taken, and why they do not.
/// fn false_roots(book: &Definitions, position: &Position, capture: Move) -> Vec<FalseRoot> {
///     let status = root_of(book, position, capture);
///     status.by.into_iter().filter_map(|piece| piece.false_because).collect()
/// }
/// ```
pub fn root_of(definitions: &Definitions, position: &Position, capture: Move) -> RootStatus {
    let work = &Work::free(None);
    let terms = Terms { definitions, work };
    status_of(terms, &Survey::of(position.clone()), capture)
}

/// The same within a piece of work, of a board with who bears on whom.
pub fn status_of(terms: Terms<'_>, stood: &Survey, capture: Move) -> RootStatus {
    let none = RootStatus {
        root: Root::None,
        by: Vec::new(),
        open: false,
    };
    let (Some(captor), Some(victim)) = (stood.id_at(capture.from), stood.id_at(capture.to)) else {
        return none;
    };
    if captor.side() == victim.side() {
        return none;
    }
    let mut position = stood.position().clone();
    if position.turn() != captor.side() {
        position.pass();
    }
    Inquiry::new(terms, position, stood, capture, captor, victim).status()
}

/// The target of a capture as a ruling shows it, where there is one.
pub fn target_of(terms: Terms<'_>, stood: &Survey, capture: Move) -> Option<RootTarget> {
    let victim = stood.id_at(capture.to)?;
    let status = status_of(terms, stood, capture);
    Some(RootTarget {
        square: capture.to,
        piece: victim.role(),
        root: status.root,
        roots: status.by,
    })
}

/// The status of the piece on a square: the worst for it of all legal captures the other side
/// has, and that capture. `None` where it cannot be taken.
pub fn roots_on(
    definitions: &Definitions,
    position: &Position,
    square: Square,
) -> Option<(Move, RootStatus)> {
    let work = &Work::free(None);
    let terms = Terms { definitions, work };
    let victim = position.id_at(square)?;
    let stood = Survey::of(position.clone());
    let mut position = position.clone();
    if position.turn() == victim.side() {
        position.pass();
    }
    let captures = stood.contacts().captures(victim.side().opponent());
    captures
        .filter(|&mv| mv.to == square && position.is_legal(mv))
        .map(|mv| (mv, status_of(terms, &stood, mv)))
        .min_by_key(|(mv, status)| (strength(status.root), *mv))
}
