//! What one piece can have to do with another.

use crate::board::{PieceId, Square};
use crate::named::named;
use serde::{Deserialize, Serialize};

named! { read
    /// What one piece has to do with another.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum ContactKind {
        /// 攻: bears on an enemy piece.
        Attack "attack" "攻" "attacks",
        /// 保: bears on a piece of its own side.
        Guard "guard" "保" "guards",
        /// 暗攻: would attack once one piece has left.
        HiddenAttack "hidden_attack" "暗攻" "hidden attack",
        /// 暗根: would guard once one piece has left.
        HiddenGuard "hidden_guard" "暗根" "hidden guard",
        /// 牵制: holds an enemy piece whose leaving would expose its king.
        Pin "pin" "牵制" "pins",
        /// 炮架: serves a cannon as its screen.
        Screen "screen" "炮架" "screen for",
        /// 绊马腿: stands on a horse's leg.
        Leg "leg" "绊马腿" "on the leg of",
        /// 塞象眼: stands in an elephant's eye.
        Eye "eye" "塞象眼" "in the eye of",
    }
}

/// A piece where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stand {
    /// Which piece.
    pub id: PieceId,
    /// Where.
    pub square: Square,
}

/// One piece's relation to another, and the third piece it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contact {
    /// What relation.
    pub kind: ContactKind,
    /// The piece that attacks, guards, pins, serves as a screen or stands in the way.
    pub from: Stand,
    /// The piece it does that to.
    pub to: Stand,
    /// For an attack or guard by a cannon the screen; for a hidden one the piece that has to
    /// leave; for a pin the king; for a screen, leg or eye the piece that is, or would otherwise
    /// be, attacked or guarded.
    pub third: Option<Stand>,
}

impl Contact {
    /// The square an attack or guard goes by: the screen jumped, or the piece that has to leave.
    pub const fn via(&self) -> Option<Square> {
        match (self.kind, self.third) {
            (
                ContactKind::Attack
                | ContactKind::Guard
                | ContactKind::HiddenAttack
                | ContactKind::HiddenGuard,
                Some(third),
            ) => Some(third.square),
            _ => None,
        }
    }

    /// The square a pin, screen, leg or eye is about: the king's, or that of the piece borne on.
    pub const fn target(&self) -> Option<Square> {
        match (self.kind, self.third) {
            (
                ContactKind::Pin | ContactKind::Screen | ContactKind::Leg | ContactKind::Eye,
                Some(third),
            ) => Some(third.square),
            _ => None,
        }
    }

    /// The order contacts are listed in: by kind, then by squares.
    pub(super) fn order(self) -> (ContactKind, Square, Square, Option<Square>) {
        let third = self.third.map(|third| third.square);
        (self.kind, self.from.square, self.to.square, third)
    }
}

/// A piece that would bear on a square once another has left its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hidden {
    /// The piece behind.
    pub piece: Stand,
    /// The piece that has to leave: it stands in the way, or is one screen too many.
    pub front: Stand,
}

/// How a piece is kept from leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PinHow {
    /// It is all that stands between its king and a rook.
    Rook,
    /// It is one of the two pieces between its king and a cannon: the other would be the screen.
    Cannon,
    /// It stands on the leg of a horse that would give check.
    Leg,
    /// It is all that stands between the kings.
    Kings,
}

/// What keeps a piece from leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pin {
    /// The enemy piece that would give check.
    pub by: Stand,
    /// How.
    pub how: PinHow,
}

/// A piece a relation leads past, and the piece it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Past {
    /// The screen, or what stands on the leg or in the eye.
    pub piece: Stand,
    /// The piece beyond.
    pub target: Stand,
}

/// A piece that guards a square, or would.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The piece.
    pub piece: Stand,
    /// For a hidden one, what has to leave first.
    pub front: Option<Stand>,
    /// What keeps it from leaving its own place.
    pub pins: Vec<Pin>,
}

impl Guard {
    /// Whether it guards only once something has left (暗根).
    pub const fn is_hidden(&self) -> bool {
        self.front.is_some()
    }
}
