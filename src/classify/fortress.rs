//! Holding a post that makes a plain draw (27.3, 26.2): the advisor or elephant attacked by the
//! way is not chased.
//!
//! Which endings are plain draws is knowledge from outside: a table of standard ones, each with
//! the condition that *is* the holding, and what an arbiter asserts.

use super::scene::Scene;
use crate::board::{PieceSet, Position, Role, Side, Square};
use crate::definitions::{Assertions, Definitions, Fortress};

/// Why a post is taken to make a plain draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Post {
    /// The arbiter says so.
    Asserted,
    /// A standard ending.
    Standard(&'static Ending),
}

/// A standard drawn ending: what both sides have, kings apart, and what holding it means.
#[derive(Debug, PartialEq, Eq)]
pub struct Ending {
    /// A stable name.
    pub id: &'static str,
    /// As it is called in Chinese.
    pub zh: &'static str,
    /// In English.
    pub en: &'static str,
    /// Where it can be read up.
    pub source: &'static str,
    /// What the holding side has.
    pub holder: &'static [(Role, u8)],
    /// What the holding side may have besides.
    pub holder_free: &'static [Role],
    /// What the other side has.
    pub attacker: &'static [(Role, u8)],
    /// What the other side may have besides.
    pub attacker_free: &'static [Role],
    /// The piece that holds, and where.
    pub holding: Holding,
}

/// The condition that defines a holding, looked at after the holding side's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// The piece has moved to the back row of its own palace.
    PalaceBackRow(Role),
    /// The piece has moved to the middle file, and the first piece before it there, towards the
    /// own king, is this enemy piece.
    MiddleFileBehind(Role, Role),
}

/// The table. It is short on purpose: an ending stands here when the literature calls it a draw
/// and the condition of the draw can be read off the board.
pub static ENDINGS: &[Ending] = &[
    Ending {
        id: "cannon_two_advisors_rook",
        zh: "单车例和炮双士",
        en: "a lone rook does not win against cannon and two advisors",
        source: "残局定式：单车对炮双士（例和），守法为炮不离九宫底线",
        holder: &[(Role::Cannon, 1), (Role::Advisor, 2)],
        holder_free: &[Role::Elephant],
        attacker: &[(Role::Rook, 1)],
        attacker_free: &[Role::Advisor, Role::Elephant],
        holding: Holding::PalaceBackRow(Role::Cannon),
    },
    Ending {
        id: "rook_two_advisors_rook_horse",
        zh: "车马例和车双士（车占中路）",
        en: "rook and horse do not win against rook and two advisors while the rook holds the middle file",
        source: "残局定式：车马对车双士（例和），守法为车占中路",
        holder: &[(Role::Rook, 1), (Role::Advisor, 2)],
        holder_free: &[Role::Elephant],
        attacker: &[(Role::Rook, 1), (Role::Horse, 1)],
        attacker_free: &[Role::Advisor, Role::Elephant],
        holding: Holding::MiddleFileBehind(Role::Rook, Role::Horse),
    },
];

impl Ending {
    fn matches(&self, scene: &Scene) -> bool {
        let has = |side: Side, must: &[(Role, u8)], free: &[Role]| {
            Role::ALL.iter().all(|&role| {
                let count = scene.after.pieces_like(side, role).len();
                let wanted = must
                    .iter()
                    .find(|(kind, _)| *kind == role)
                    .map_or(0, |(_, n)| *n);
                role == Role::King || free.contains(&role) || count == u32::from(wanted)
            })
        };
        has(scene.side, self.holder, self.holder_free)
            && has(scene.side.opponent(), self.attacker, self.attacker_free)
            && self.holding.is_met(scene)
    }
}

impl Holding {
    fn is_met(self, scene: &Scene) -> bool {
        let at = scene.mv.to;
        match self {
            Self::PalaceBackRow(role) => {
                let back = if scene.side == Side::Red { 0 } else { 9 };
                scene.mover.role() == role && at.in_palace() && at.rank() == back
            }
            Self::MiddleFileBehind(role, before) => {
                scene.mover.role() == role
                    && at.file() == 4
                    && first_towards(&scene.after, at, scene.side)
                        .and_then(|square| scene.after.piece_at(square))
                        .is_some_and(|p| p.side != scene.side && p.role == before)
            }
        }
    }
}

/// The first piece met going from a square towards the side's own back row.
fn first_towards(position: &Position, from: Square, side: Side) -> Option<Square> {
    let [up, down, _, _] = position.rays(from);
    if side == Side::Red {
        down.first
    } else {
        up.first
    }
}

/// Why the chases of a move, of these victims, are exempt, if they are.
pub fn exempts(
    definitions: &Definitions,
    scene: &Scene,
    assertions: Assertions,
    mut victims: PieceSet,
) -> Option<Post> {
    if definitions.fortress_exemption == Fortress::Off || victims.is_empty() {
        return None;
    }
    let only_guards = victims.all(|id| matches!(id.role(), Role::Advisor | Role::Elephant));
    if !only_guards || !may_hold(scene) {
        return None;
    }
    if assertions.theoretical_draw {
        return Some(Post::Asserted);
    }
    if assertions.without_table {
        return None;
    }
    ENDINGS
        .iter()
        .find(|ending| ending.matches(scene))
        .map(Post::Standard)
}

/// Whether there is something to hold, and one piece that can attack (rook, horse, cannon or pawn) to hold it with: against a
/// side that has none it is the other who makes the draw.
fn may_hold(scene: &Scene) -> bool {
    let attackers = |side| {
        let count = |role| scene.after.pieces_like(side, role).len();
        let kinds = [Role::Rook, Role::Horse, Role::Cannon, Role::Pawn];
        kinds.into_iter().map(count).sum::<u32>()
    };
    attackers(scene.side) == 1 && attackers(scene.side.opponent()) > 0
}
