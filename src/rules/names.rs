//! The closed sets of a rule book, and what their members are called: in files, in Chinese and in English.

use crate::named::named;

named! { read
    /// How certain an article is, as far as the sources go.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Certainty {
        /// The clause itself was read.
        Text "text" "条文" "the text was read",
        /// Fixed by an official figure and its labels.
        Figure "figure" "图例" "fixed by a figure",
        /// Told by a secondary source: a referee's column, a commentary.
        Secondary "secondary" "转述" "told by a secondary source",
        /// Inferred.
        Inference "inference" "推断" "inferred",
    }
}

named! { read
    /// What a pending position comes to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Outcome {
        /// The game is drawn.
        Draw "draw" "判和" "draw",
        /// The side must vary at once.
        MustChange "must_change" "变着" "must change",
        /// The side loses.
        Loss "loss" "判负" "loss",
        /// There is nothing to rule on.
        None "none" "不裁" "nothing to rule on",
        /// It could not be decided within the budget.
        Undetermined "undetermined" "未定" "undetermined",
    }
}

named! { read
    /// The situations of a verdict table.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Situation {
        /// One side checks on every move, the other does not.
        OneSidedCheck "one_sided_check" "单方长将" "one side checks on every move",
        /// Both sides check on every move.
        MutualCheck "mutual_check" "双方长将" "both sides check on every move",
        /// One side's behaviour is forbidden, the other's permitted.
        OneForbidden "one_forbidden" "一方禁止，一方允许" "one side forbidden, the other permitted",
        /// Both sides' behaviour is forbidden, and neither's is worse.
        BothForbidden "both_forbidden" "双方均为禁止着法" "both sides forbidden",
        /// Both are forbidden; one side's attacks are all strong, the other's are not.
        StrongerAttacks "stronger_attacks" "双方禁止，一方着着单独捉子" "both forbidden, one side's attacks all strong",
        /// Both are forbidden; one side's offence is graver.
        GraverOffence "graver_offence" "双方违例，一方较重" "both forbidden, one side's offence graver",
        /// Both sides' behaviour is permitted.
        BothPermitted "both_permitted" "双方均为允许着法" "both sides permitted",
        /// A side that had to change closed the cycle again, as often as the book allows.
        NotChanged "not_changed" "应变不变" "ordered to change and not changed",
        /// The book does not look at conduct at all.
        ConductNotJudged "conduct_not_judged" "不问着法" "conduct is not judged",
    }
}

named! { read
    /// What a label can rest on: each has the clauses that say so.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Ground {
        /// 将.
        Check "check" "将" "check",
        /// 杀.
        Kill "kill" "杀" "kill",
        /// 捉: a piece can be taken.
        Chase "chase" "捉" "chase",
        /// 捉 by consecutive checks (抽吃).
        ChaseByChecks "chase_by_checks" "抽吃之捉" "chase by consecutive checks",
        /// 捉 by an exchange that brings more than it costs.
        ChaseByExchange "chase_by_exchange" "交换之捉" "chase by an exchange",
        /// 捉 by an even exchange that the captor survives.
        EvenTrade "even_trade" "等价互吃而该子仍存" "an even trade that the captor survives",
        /// 捉 by a piece that is the root of another.
        ChaseByRoot "chase_by_root" "根子之捉" "chase by a root",
        /// 捉 in which the moved piece lets another piece attack.
        ChaseByOther "chase_by_other" "使他子捉" "chase by another piece",
        /// 捉 in which the moved piece, in danger where it stood, is out of it, and another may take therefore.
        ChaseByDodge "chase_by_dodge" "避捉而使他子得吃" "a dodge that lets another piece take",
        /// 捉 together with the king, or leaning on it.
        ChaseWithKing "chase_with_king" "与帅将同捉" "chase together with the king",
        /// 捉 by a pawn together with another piece, or leaning on one.
        ChaseWithPawn "chase_with_pawn" "兵卒借他子之力捉" "chase by a pawn that leans on others",
        /// A pawn takes and uncovers a check.
        PawnUncovers "pawn_uncovers" "兵卒吃子而闪将" "a pawn's capture that uncovers a check",
        /// 捉 although the move also offers something: the heaviest effect names the move.
        HeaviestEffect "heaviest_effect" "从重" "the gravest effect names the move",
        /// Where both sides attack: the attacks of one are chases of a rook that a piece makes alone.
        SingleChaseOfRook "single_chase_of_rook" "单独捉车" "a single-handed chase of a rook",
        /// The same of a piece without a root.
        SingleChaseOfUnrooted "single_chase_of_unrooted" "单独捉无根子" "a single-handed chase of an unrooted piece",
        /// A king's or pawn's own attack.
        KingOrPawn "king_or_pawn" "帅将兵卒自身之捉" "a king's or pawn's own attack",
        /// A pawn's own attack that counts, both sides attacking on every move.
        PawnUpgrade "pawn_upgrade" "互相长打时兵卒之捉" "a pawn's attack counted in mutual attack",
        /// 从捉到捉: the threat was there before.
        Existed "existed" "从捉到捉" "the threat was there before",
        /// The moved piece only gets out of danger: that adds no attack to what was there before.
        DodgeAddsNothing "dodge_adds_nothing" "避捉而未增攻击" "a dodge that adds no attack",
        /// The taker would be mated.
        TakerMated "taker_mated" "吃后被将死" "the taker would be mated",
        /// The victim is rooted.
        Rooted "rooted" "有根" "the victim is rooted",
        /// The exchange comes to nothing, whatever guards the victim.
        NoGain "no_gain" "互吃无所得" "the exchange brings nothing",
        /// A pawn's value floats: given for a piece it is no gain.
        PawnFloats "pawn_floats" "兵、卒价值浮动" "a pawn's value floats",
        /// What is attacked is no material.
        NoMaterial "no_material" "不作子力" "no material is attacked",
        /// A king's move out of check.
        KingEvasion "king_evasion" "动帅应将" "a king's move out of check",
        /// The post that makes a plain draw.
        Fortress "fortress" "守正和要点" "the post of a plain draw",
        /// 兑.
        Exchange "exchange" "兑" "exchange",
        /// 献.
        Offer "offer" "献" "offer",
        /// 拦.
        Block "block" "拦" "block",
        /// 跟.
        Follow "follow" "跟" "follow",
        /// 闲.
        Idle "idle" "闲" "idle",
        /// Forbidden behaviour (禁止着法).
        Forbidden "forbidden" "禁止着法" "forbidden behaviour",
        /// Permitted behaviour (允许着法).
        Permitted "permitted" "允许着法" "permitted behaviour",
        /// Irregular forbidden moves over many rounds.
        Irregular "irregular" "不成循环的连续禁止着法" "irregular forbidden moves",
        /// A victim that nothing attacked before is attacked.
        NewAttack "new_attack" "由未捉而捉" "nothing attacked the victim before",
        /// A piece is taken for nothing.
        GainFree "gain_free" "白吃" "a piece taken for nothing",
        /// A strong piece is won on balance.
        GainStrong "gain_strong" "净得强子" "a strong piece won on balance",
        /// A weak piece is won on balance.
        GainWeak "gain_weak" "净得弱子" "a weak piece won on balance",
        /// A cheaper piece is given for a dearer one.
        GainDearer "gain_dearer" "以贱换贵" "a cheaper piece for a dearer one",
        /// A strong piece is given for three weak ones.
        GainThreeWeak "gain_three_weak" "一强换三弱" "a strong piece for three weak ones",
        /// A chase that gains only by several pieces together.
        JointChase "joint_chase" "联合捉子" "a chase that needs several pieces",
        /// A chase of a piece that has fewer roots than attackers.
        FewRoots "few_roots" "捉少根子" "a chase of an under-rooted piece",
        /// A chase by a move that also offers a piece, in exchange or for nothing.
        ChaseWithOffer "chase_with_offer" "捉而兼兑、献" "a chase that also offers something",
        /// A cannon attacks because its screen has moved.
        ChaseByScreen "chase_by_screen" "走动炮架之捉" "a chase by moving the screen",
        /// Another piece attacks, while the moved one is offered.
        DiscoveredUnderOffer "discovered_under_offer" "献子而闪出之捉" "a discovered chase while a piece is offered",
        /// A king or pawn moves, and another piece attacks.
        ChaseByKingMove "chase_by_king_move" "动帅将兵卒使他子捉" "a king's or pawn's move that makes another piece chase",
        /// Captor and victim are of one kind.
        SameKind "same_kind" "同类子互捉" "pieces of one kind attack each other",
        /// What seems to guard the victim cannot retake.
        FalseRoot "false_root" "假根" "a false root",
        /// The victim is a pawn that has crossed the river.
        PawnVictim "pawn_victim" "捉过河兵卒" "a crossed pawn is chased",
        /// What is threatened begins with a check.
        CheckFirst "check_first" "先将后得" "a gain only after a check",
        /// A piece other than the king answers a check.
        EvasionByOther "evasion_by_other" "他子应将" "another piece answers the check",
        /// The opponent's own last move made the threat, between pieces that did not move.
        MadeByOpponent "made_by_opponent" "对方自成之捉" "a threat the opponent's own move made",
        /// The same mate was threatened before the move.
        KillExisted "kill_existed" "原有之杀" "a mate threatened before already",
        /// A rook attacks a cannon that was attacked before.
        RookAgain "rook_again" "车再捉炮" "a rook attacks a cannon again",
        /// Every move of a side is a check.
        PerpetualCheck "perpetual_check" "长将" "perpetual check",
        /// Every move of a side is a kill.
        PerpetualKill "perpetual_kill" "长杀" "perpetual kill",
        /// Every move of both sides is a kill.
        MutualKill "mutual_kill" "双方长杀" "perpetual kill by both sides",
        /// What seems to attack may not leave its place.
        PinnedAttacker "pinned_attacker" "受牵制的子不为攻击" "a pinned piece does not attack",
        /// Every move of a side is a chase.
        PerpetualChase "perpetual_chase" "长捉" "perpetual chase",
        /// Every move of a side is an exchange or an offer.
        PerpetualExchange "perpetual_exchange" "长兑长献" "perpetual exchange or offer",
        /// Every move of a side is a block, a follow or idle.
        PerpetualQuiet "perpetual_quiet" "长拦长跟长闲" "perpetual block, follow or idle moves",
        /// Both sides attack on every move.
        BothStrike "both_strike" "长打对长打" "both sides attack on every move",
        /// One side attacks on every move, the other does not.
        OneStrikes "one_strikes" "长打对非长打" "one side attacks on every move",
        /// The side that does not check on every move checks as well.
        CheckAnswered "check_answered" "还将" "a check answered by checks",
        /// A side checks and kills in turn.
        CheckAndKill "check_and_kill" "一将一杀" "checks and kills in turn",
        /// A side checks and chases in turn.
        CheckAndChase "check_and_chase" "一将一捉" "checks and chases in turn",
        /// A side's attacks alternate with other moves.
        StrikeAndIdle "strike_and_idle" "一打一闲" "attacks and idle moves in turn",
        /// The rook is chased by horse on every move.
        HorseChasesRook "horse_chases_rook" "马长捉车" "a horse chases a rook",
        /// The rook is chased by cannon on every move.
        CannonChasesRook "cannon_chases_rook" "炮长捉车" "a cannon chases a rook",
        /// The cannon is chased by rook on every move.
        RookChasesCannon "rook_chases_cannon" "车长捉炮" "a rook chases a cannon",
        /// The horse is chased by rook on every move.
        RookChasesHorse "rook_chases_horse" "车长捉马" "a rook chases a horse",
        /// The rook chased is held by a horse.
        HeldRook "held_rook" "捉被马牵之车" "a rook held by a horse is chased",
        /// Several pieces take turns chasing one.
        ChasersInTurn "chasers_in_turn" "数子轮捉一子" "several pieces chase one in turn",
        /// King or pawn moves, a different piece chasing each time.
        KingMovesInTurn "king_moves_in_turn" "动帅将兵卒而捉子者各异" "king or pawn moves, a different piece chasing each time",
        /// What is chased is not always the same piece.
        SeveralVictims "several_victims" "轮捉数子" "several pieces chased in turn",
        /// Cannons chase two rooks in turn.
        RooksInTurn "rooks_in_turn" "炮轮捉两车" "cannons chase two rooks in turn",
        /// The king attacks on every move.
        KingChases "king_chases" "帅将长捉" "a king chases",
        /// A pawn attacks on every move.
        PawnChases "pawn_chases" "兵卒长捉" "a pawn chases",
        /// A rooted piece is attacked on every move.
        ChaseOfRooted "chase_of_rooted" "长捉有根子" "a rooted piece is attacked",
        /// Several pieces attack a rooted one on every move.
        JointChaseOfRooted "joint_chase_of_rooted" "数子共捉有根子" "several pieces attack a rooted one",
        /// A pawn's move has cut the victim's root.
        RootCutByPawn "root_cut_by_pawn" "走兵断根" "a pawn's move cuts the root",
    }
}
