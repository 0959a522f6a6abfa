//! What the closed sets of a rule book are called: in files, in Chinese and in English.

use super::book::{Certainty, Ground, Outcome, Situation};
use crate::named::read_by_name;

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

        read_by_name!($name { $($variant $id,)+ });
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
    EvenTrade "even_trade" "等价互吃而该子仍存" "an even trade that the captor survives",
    ChaseByRoot "chase_by_root" "根子之捉" "chase by a root",
    ChaseByOther "chase_by_other" "使他子捉" "chase by another piece",
    ChaseWithKing "chase_with_king" "与帅将兵卒同捉" "chase together with king or pawn",
    HeaviestEffect "heaviest_effect" "从重" "the gravest effect names the move",
    SingleChaseOfRook "single_chase_of_rook" "单独捉车" "a single-handed chase of a rook",
    SingleChaseOfUnrooted "single_chase_of_unrooted" "单独捉无根子" "a single-handed chase of an unrooted piece",
    KingOrPawn "king_or_pawn" "帅将兵卒自身之捉" "a king's or pawn's own attack",
    PawnUpgrade "pawn_upgrade" "互相长打时兵卒之捉" "a pawn's attack counted in mutual attack",
    Existed "existed" "从捉到捉" "the threat was there before",
    TakerMated "taker_mated" "吃后被将死" "the taker would be mated",
    Rooted "rooted" "有根" "the victim is rooted",
    NoGain "no_gain" "互吃无所得" "the exchange brings nothing",
    PawnFloats "pawn_floats" "兵、卒价值浮动" "a pawn's value floats",
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
    NewAttack "new_attack" "由未捉而捉" "nothing attacked the victim before",
    GainFree "gain_free" "白吃" "a piece taken for nothing",
    GainStrong "gain_strong" "净得强子" "a strong piece won on balance",
    GainWeak "gain_weak" "净得弱子" "a weak piece won on balance",
    GainDearer "gain_dearer" "以贱换贵" "a cheaper piece for a dearer one",
    GainThreeWeak "gain_three_weak" "一强换三弱" "a strong piece for three weak ones",
    JointChase "joint_chase" "联合捉子" "a chase that needs several pieces",
    FewRoots "few_roots" "捉少根子" "a chase of an under-rooted piece",
    ChaseWithOffer "chase_with_offer" "捉而兼兑、献" "a chase that also offers something",
    ChaseByScreen "chase_by_screen" "走动炮架之捉" "a chase by moving the screen",
    DiscoveredUnderOffer "discovered_under_offer" "献子而闪出之捉" "a discovered chase while a piece is offered",
    ChaseByKingMove "chase_by_king_move" "动帅将兵卒使他子捉" "a king's or pawn's move that makes another piece chase",
    SameKind "same_kind" "同类子互捉" "pieces of one kind attack each other",
    FalseRoot "false_root" "假根" "a false root",
    PawnVictim "pawn_victim" "捉过河兵卒" "a crossed pawn is chased",
    CheckFirst "check_first" "先将后得" "a gain only after a check",
    EvasionByOther "evasion_by_other" "他子应将" "another piece answers the check",
    MadeByOpponent "made_by_opponent" "对方自成之捉" "a threat the opponent's own move made",
    KillExisted "kill_existed" "原有之杀" "a mate threatened before already",
    PerpetualCheck "perpetual_check" "长将" "perpetual check",
    PerpetualKill "perpetual_kill" "长杀" "perpetual kill",
    MutualKill "mutual_kill" "双方长杀" "perpetual kill by both sides",
    PerpetualChase "perpetual_chase" "长捉" "perpetual chase",
    PerpetualExchange "perpetual_exchange" "长兑长献" "perpetual exchange or offer",
    PerpetualQuiet "perpetual_quiet" "长拦长跟长闲" "perpetual block, follow or idle moves",
    BothStrike "both_strike" "长打对长打" "both sides attack on every move",
    OneStrikes "one_strikes" "长打对非长打" "one side attacks on every move",
    CheckAnswered "check_answered" "还将" "a check answered by checks",
    CheckAndKill "check_and_kill" "一将一杀" "checks and kills in turn",
    CheckAndChase "check_and_chase" "一将一捉" "checks and chases in turn",
    StrikeAndIdle "strike_and_idle" "一打一闲" "attacks and idle moves in turn",
    HorseChasesRook "horse_chases_rook" "马长捉车" "a horse chases a rook",
    CannonChasesRook "cannon_chases_rook" "炮长捉车" "a cannon chases a rook",
    RookChasesCannon "rook_chases_cannon" "车长捉炮" "a rook chases a cannon",
    RookChasesHorse "rook_chases_horse" "车长捉马" "a rook chases a horse",
    HeldRook "held_rook" "捉被马牵之车" "a rook held by a horse is chased",
    ChasersInTurn "chasers_in_turn" "数子轮捉一子" "several pieces chase one in turn",
    KingMovesInTurn "king_moves_in_turn" "动帅将兵卒而捉子者各异" "king or pawn moves, a different piece chasing each time",
    SeveralVictims "several_victims" "轮捉数子" "several pieces chased in turn",
    RooksInTurn "rooks_in_turn" "炮轮捉两车" "cannons chase two rooks in turn",
    KingChases "king_chases" "帅将长捉" "a king chases",
    PawnChases "pawn_chases" "兵卒长捉" "a pawn chases",
    ChaseOfRooted "chase_of_rooted" "长捉有根子" "a rooted piece is attacked",
    JointChaseOfRooted "joint_chase_of_rooted" "数子共捉有根子" "several pieces attack a rooted one",
    RootCutByPawn "root_cut_by_pawn" "走兵断根" "a pawn's move cuts the root",
});
