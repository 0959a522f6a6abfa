//! What the closed sets of a rule book are called: in files, in Chinese and in English.

use super::book::{Certainty, Ground, Outcome, Situation};

macro_rules! named {
    ($name:ident { $($variant:ident $id:literal $zh:literal $en:literal,)+ }) => {
        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in files and answers.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id),+ }
            }

            /// The one of that name.
            pub fn from_id(id: &str) -> Option<Self> {
                match id { $($id => Some(Self::$variant),)+ _ => None }
            }

            /// What it is called in Chinese.
            pub const fn zh(self) -> &'static str {
                match self { $(Self::$variant => $zh),+ }
            }

            /// What it is called in English.
            pub const fn en(self) -> &'static str {
                match self { $(Self::$variant => $en),+ }
            }
        }
    };
}

named!(Certainty {
    Text "text" "条文" "the text was read",
    Figure "figure" "图例" "fixed by a figure",
    Secondary "secondary" "转述" "told by a secondary source",
    Inference "inference" "推断" "inferred",
});

named!(Outcome {
    Draw "draw" "判和" "draw",
    MustChange "must_change" "变着" "must change",
    Loss "loss" "判负" "loss",
    None "none" "不裁" "nothing to rule on",
    Undetermined "undetermined" "未定" "undetermined",
});

named!(Situation {
    OneSidedCheck "one_sided_check" "单方长将" "one side checks on every move",
    MutualCheck "mutual_check" "双方长将" "both sides check on every move",
    OneForbidden "one_forbidden" "一方禁止，一方允许" "one side forbidden, the other permitted",
    BothForbidden "both_forbidden" "双方均为禁止着法" "both sides forbidden",
    StrongerAttacks "stronger_attacks" "双方禁止，一方着着单独捉子" "both forbidden, one side's attacks all strong",
    GraverOffence "graver_offence" "双方违例，一方较重" "both forbidden, one side's offence graver",
    BothPermitted "both_permitted" "双方均为允许着法" "both sides permitted",
    NotChanged "not_changed" "应变不变" "ordered to change and not changed",
    ConductNotJudged "conduct_not_judged" "不问着法" "conduct is not judged",
});

named!(Ground {
    Check "check" "将" "check",
    Kill "kill" "杀" "kill",
    Chase "chase" "捉" "chase",
    ChaseByChecks "chase_by_checks" "抽吃之捉" "chase by consecutive checks",
    ChaseByExchange "chase_by_exchange" "交换之捉" "chase by an exchange",
    ChaseByRoot "chase_by_root" "根子之捉" "chase by a root",
    ChaseByOther "chase_by_other" "使他子捉" "chase by another piece",
    ChaseWithKing "chase_with_king" "与帅将兵卒同捉" "chase together with king or pawn",
    HeaviestEffect "heaviest_effect" "从重" "the gravest effect names the move",
    KingOrPawn "king_or_pawn" "帅将兵卒自身之捉" "a king's or pawn's own attack",
    PawnUpgrade "pawn_upgrade" "互相长打时兵卒之捉" "a pawn's attack counted in mutual attack",
    Existed "existed" "从捉到捉" "the threat was there before",
    TakerMated "taker_mated" "吃后被将死" "the taker would be mated",
    Rooted "rooted" "有根" "the victim is rooted",
    NoMaterial "no_material" "不作子力" "no material is attacked",
    KingEvasion "king_evasion" "动帅应将" "a king's move out of check",
    Fortress "fortress" "守正和要点" "the post of a plain draw",
    Exchange "exchange" "兑" "exchange",
    Offer "offer" "献" "offer",
    Block "block" "拦" "block",
    Follow "follow" "跟" "follow",
    Idle "idle" "闲" "idle",
    Forbidden "forbidden" "禁止着法" "forbidden behaviour",
    Permitted "permitted" "允许着法" "permitted behaviour",
    Irregular "irregular" "不成循环的连续禁止着法" "irregular forbidden moves",
});
