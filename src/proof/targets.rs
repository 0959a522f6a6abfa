//! What a move chases, and what the board tells of its roots (24.15, 28.16).

use super::Target;
use super::asian::Attack;
use super::frame::FrameKey;
use super::guide::Rules;
use super::step::Step;
use crate::board::Move;
use serde::{Deserialize, Serialize};

/// What a piece without a real root has for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unrooted {
    /// 无根: nothing guards it.
    None,
    /// 假根: what seems to guard it cannot retake.
    False,
}

impl Unrooted {
    /// The name in requests and answers.
    pub const fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::False => "false",
        }
    }

    /// The term of the Chinese rule books.
    pub const fn zh(self) -> &'static str {
        match self {
            Self::None => "无根",
            Self::False => "假根",
        }
    }

    /// The same in English.
    pub const fn en(self) -> &'static str {
        match self {
            Self::None => "no root",
            Self::False => "a false root",
        }
    }
}

impl Rules<'_> {
    /// What is taken at once by these attacks of a move.
    pub fn targets(&mut self, step: &Step, attacks: &[Attack]) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for &(captor, victim) in attacks {
            let square = step.after.square_of(victim);
            let root = self.unrooted(step, Move::new(step.after.square_of(captor), square));
            match targets.iter_mut().find(|known| known.square == square) {
                // What it has for a root may depend on what takes it.
                Some(known) => known.root = known.root.filter(|_| known.root == root),
                None => targets.push(Target { square, root }),
            }
        }
        targets
    }

    /// Whoever takes is not retaken, neither at once nor by checks.
    fn unrooted(&mut self, step: &Step, capture: Move) -> Option<Unrooted> {
        let mut taken = step.threat.after(capture);
        let guards = taken.bearing_on(capture.to, taken.turn());
        let retakes = |id| taken.is_legal(Move::new(taken.square_of(id), capture.to));
        if guards.into_iter().any(retakes) {
            return None;
        }
        let frame = self.frame(FrameKey::of(&step.threat));
        if self.most_back(&frame, &mut taken, capture.to, 0).is_some() {
            return None;
        }
        let guarded = step.after.bearing_on(capture.to, taken.turn());
        Some(if guards.or(guarded).is_empty() {
            Unrooted::None
        } else {
            Unrooted::False
        })
    }
}
