//! What a move can be, and what a guarded piece can be.

pub use crate::exchange::Root;
use serde::{Deserialize, Serialize};

/// The nature of a move (着法性质), heaviest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Nature {
    /// 将: attacks the king.
    Check,
    /// 杀: threatens mate by consecutive checks.
    Kill,
    /// 捉: threatens to win material.
    Chase,
    /// 兑: offers to trade pieces of equal value.
    Exchange,
    /// 献: offers a piece.
    Offer,
    /// 拦: stands in the way of a piece.
    Block,
    /// 跟: holds a rooted piece.
    Follow,
    /// 闲: none of these.
    Idle,
}

impl Nature {
    /// All of them, heaviest first.
    pub const ALL: [Self; 8] = [
        Self::Check,
        Self::Kill,
        Self::Chase,
        Self::Exchange,
        Self::Offer,
        Self::Block,
        Self::Follow,
        Self::Idle,
    ];

    /// The name in requests and answers.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Kill => "kill",
            Self::Chase => "chase",
            Self::Exchange => "exchange",
            Self::Offer => "offer",
            Self::Block => "block",
            Self::Follow => "follow",
            Self::Idle => "idle",
        }
    }

    /// The term of the Chinese rule books.
    pub const fn zh(self) -> &'static str {
        match self {
            Self::Check => "将",
            Self::Kill => "杀",
            Self::Chase => "捉",
            Self::Exchange => "兑",
            Self::Offer => "献",
            Self::Block => "拦",
            Self::Follow => "跟",
            Self::Idle => "闲",
        }
    }

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
