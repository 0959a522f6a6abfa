//! The parameters by which rule books differ: one engine reads them, and a rule book is a value
//! of them. Nothing above or below asks for a book by name.

use crate::game::PendingUnit;
use crate::named::named;
use serde::{Deserialize, Serialize};

named! { read
    /// What makes an attack on a piece a chase.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ChaseTest {
        /// The outcome of the capture and of the exchange it starts (Chinese books).
        Exchange "exchange",
        /// The attacked piece has no real root, or is dearer than its attacker (Asian rules).
        RootAndValue "root_and_value",
        /// Chases are not looked for: the book does not read them.
        None "none",
    }
}

named! { read
    /// With what a threat is compared to know whether the move made it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum BeforeBasis {
        /// With the capture relations before the move, as if the piece about to move could not be
        /// taken.
        Relation "relation",
        /// With what could be won before the move, the capture of the piece about to move counted
        /// where that piece is a party to the threat.
        Result "result",
    }
}

named! { read
    /// Which pieces can be exchanged (兑) for one another.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ExchangeKinds {
        /// Only the same kind.
        Same "same",
        /// The same kind, horse for cannon, advisor for elephant.
        EqualValue "equal_value",
    }
}

named! { read
    /// When a capture by a pawn within a run of checks counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum PawnCapture {
        /// Never.
        Never "never",
        /// Where it uncovers another piece's check.
        UncoveringCheck "uncovering_check",
        /// Where it leans on another piece's force: it comes after or with another piece's check.
        LeaningOnOthers "leaning_on_others",
    }
}

named! { read
    /// The exemption for holding a post that makes a plain draw.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Fortress {
        /// None.
        Off "off",
        /// For the side that holds the post.
        Holding "holding",
        /// Only where that side has a single attacking piece.
        SingleAttacker "single_attacker",
    }
}

named! { read
    /// What becomes of it when both sides behave as forbidden.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum BothForbidden {
        /// A draw.
        Draw "draw",
        /// The side all of whose attacks are strong changes, where the other's are not.
        Strength "strength",
        /// The same, where both sides chase on every move; otherwise a draw.
        StrengthOfChases "strength_of_chases",
        /// Where both sides chase on every move, the one that chases only what has no root changes, where the other does not;
        /// otherwise a draw.
        RootsOfChases "roots_of_chases",
        /// The graver offence changes.
        Levels "levels",
    }
}

impl BothForbidden {
    /// Whether attacks are told apart into strong and weak ones.
    pub const fn grades(self) -> bool {
        matches!(
            self,
            Self::Strength | Self::StrengthOfChases | Self::RootsOfChases
        )
    }
}

/// What a rule book fixes. Each field names the clauses it comes from in the rule-book files.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a separate decision of a rule book"
)]
pub struct Definitions {
    /// Whether conduct is judged at all.
    pub conduct_is_judged: bool,
    /// What is counted towards a pending position.
    pub pending_unit: PendingUnit,
    /// How many of it.
    pub pending_count: u32,
    /// How many further cycles a side that must change may close before it loses.
    pub extra_cycles_after_warning: u32,
    /// Whether a threat of mate counts as an attack (打).
    pub kill_is_attack: bool,
    /// Whether checks, kills and chases in turn are forbidden like one of them alone.
    pub mixed_attacks_forbidden: bool,
    /// Whether a perpetual chase must be of one and the same piece.
    pub perpetual_chase_same_victim: bool,
    /// What makes an attack a chase.
    pub chase_test: ChaseTest,
    /// Whether only the rook is protected although rooted, from horse and cannon; otherwise every piece is, from
    /// cheaper ones.
    #[serde(default)]
    pub minor_on_rook: bool,
    /// How many consecutive checks a gain by checks (抽吃) may take; 0: such a gain is no chase.
    pub check_gain_depth: u32,
    /// How many consecutive checks a root may work through.
    pub check_root_depth: u32,
    /// Within how many consecutive checks the taker must be mated for the capture to be void.
    pub mate_after_capture_depth: u32,
    /// An exchange is not acceptable where accepting it loses to mate within this many checks …
    pub acceptance_mate_depth: u32,
    /// … or loses material to this many checks.
    pub acceptance_loss_depth: u32,
    /// Which pieces exchange for one another.
    pub exchange_kinds: ExchangeKinds,
    /// With what a threat is compared to know whether it is new.
    pub before_basis: BeforeBasis,
    /// Whether an even trade that the capturing piece survives is a gain.
    pub even_trade_with_survival: bool,
    /// Whether what the taker guarded and thereby loses is left out of the account.
    pub root_ignore_loss: bool,
    /// Through how many consecutive checks what a capture lays open elsewhere, to either side, is followed; 0: not at
    /// all.
    #[serde(default)]
    pub let_go_check_depth: u32,
    /// Through how many plies after the first capture an exchange is followed; beyond them only the last square is
    /// exchanged on.
    #[serde(default = "plies_of_an_exchange")]
    pub exchange_depth: u32,
    /// Whether giving a pawn for a rook is a gain.
    pub pawn_for_rook: bool,
    /// Whether any strong piece (rook, horse, cannon) outweighs any number of weak ones (advisor, elephant).
    #[serde(default)]
    pub strong_outweighs_weak: bool,
    /// Whether a pawn that falls without being the price leaves what was won.
    #[serde(default)]
    pub fallen_pawn_ignored: bool,
    /// Whether a pawn's own attacks count where both sides attack on every move.
    pub pawn_upgrade: bool,
    /// Which captures by pawns within a run of checks count.
    pub pawn_in_checks: PawnCapture,
    /// Whether a king's move out of check is idle whatever it threatens.
    pub king_evasion_idle: bool,
    /// Whether an attack in which king or pawn takes part is exempt.
    pub king_joint_exempt: bool,
    /// The exemption for holding a drawing post.
    pub fortress_exemption: Fortress,
    /// What becomes of it when both sides behave as forbidden.
    pub both_forbidden: BothForbidden,
    /// Whether chasing a rook that a horse holds is graver than other chases.
    pub pinned_rook_by_horse_level: bool,
    /// Consecutive rounds of forbidden moves that bind a side without a cycle; 0: none do.
    pub irregular_rounds: u32,
    /// Over at least how many squares.
    pub irregular_squares: u32,
    /// How many further rounds of them, after the order to change that followed, lose; 0: the position in which it was given
    /// has to come back.
    #[serde(default)]
    pub irregular_rounds_after_warning: u32,
    /// Whether a capture that opens a run of checks is not counted into it.
    pub first_capture_excluded_from_perpetual_check: bool,
    /// Whether only an unrooted piece offered to its own kind is an offer (献).
    pub offer_same_kind_unrooted: bool,
    /// Positions one search for a mate may expand.
    pub kill_budget: u32,
    /// Positions one chase test may expand.
    pub chase_budget: u32,
}

impl Definitions {
    /// Whether a move of this nature attacks (打): a threat of mate may be none.
    pub fn is_attack(&self, nature: Nature) -> bool {
        nature.is_strike() && (nature != Nature::Kill || self.kill_is_attack)
    }

    /// Whether it still counts that a move is a chase where this is the heaviest that it is: a threat of mate may be no attack.
    pub fn chase_counts_beside(&self, nature: Option<Nature>) -> bool {
        nature.is_none_or(|nature| nature == Nature::Kill && !self.kill_is_attack)
    }
}

/// What a figure needs (2020 figure 25), and no figure refutes.
pub const fn plies_of_an_exchange() -> u32 {
    5
}

/// What only an arbiter can know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Assertions {
    /// The position is a plain draw as long as the post is held.
    #[serde(default)]
    pub theoretical_draw: bool,
    /// Leaves the table of standard draws aside: only what is asserted counts.
    #[serde(default)]
    pub without_table: bool,
}

named! { read
    /// Whether a piece is protected (有根, 无根, 假根, 少根).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Root {
        /// 有根: whoever takes it is retaken.
        Rooted "rooted" "有根" "rooted",
        /// 无根: nothing guards it.
        None "none" "无根" "no root",
        /// 假根: what seems to guard it cannot retake, or loses by it.
        False "false" "假根" "a false root",
        /// 少根: fewer guards than attackers, or a guard with two wards.
        Under "under" "少根" "under-rooted",
    }
}

named! { read
    /// The nature of a move (着法性质), heaviest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Nature {
        /// 将: attacks the king.
        Check "check" "将",
        /// 杀: threatens mate by consecutive checks.
        Kill "kill" "杀",
        /// 捉: threatens to win material.
        Chase "chase" "捉",
        /// 兑: offers to trade pieces of equal value.
        Exchange "exchange" "兑",
        /// 献: offers a piece.
        Offer "offer" "献",
        /// 拦: stands in the way of a piece.
        Block "block" "拦",
        /// 跟: holds a rooted piece.
        Follow "follow" "跟",
        /// 闲: none of these.
        Idle "idle" "闲",
    }
}

impl Nature {
    /// 打: check, kill or chase.
    pub const fn is_strike(self) -> bool {
        matches!(self, Self::Check | Self::Kill | Self::Chase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_the_serde_names() {
        for nature in Nature::ALL {
            assert_eq!(
                serde_json::to_string(&nature).unwrap(),
                format!("\"{}\"", nature.id())
            );
        }
    }
}
