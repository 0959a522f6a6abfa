//! 兑, 献, 拦, 跟 and 闲, in Chinese.

use super::{Teller, balance, facing, placed, takes};
use crate::board::{Move, Role};
use crate::classify::{
    Attack, ByChecks, Nature, Pardon, Post, Quiet, Reason, Sparing, Threat, Uncounted,
};
use crate::definitions::ChaseTest;
use crate::exchange::Line;
use crate::explain::facts::{
    Made, Play, bears_on_nothing, costs_the_captor, dodged, faced_anew, made_by_opponent, mates_on,
    plain_root, stands_checked,
};
use crate::explain::pick::{quiet_effects, telling, worthless};
use crate::explain::words::{beside_zh, kind_beside_zh, kind_zh, line_zh, piece_zh};

impl Teller<'_> {
    pub(super) fn idle(&self, nature: Nature) -> String {
        let scene = self.scene();
        let name = self.name();
        let dodge = dodged(scene).filter(|_| scene.mover.role() != Role::King);
        let lead = match (scene.answers_check, dodge) {
            (true, _) if scene.mover.role() == Role::King => name,
            (true, _) => format!("{name}应将"),
            (false, Some(from)) => format!("{name}避开{}", placed(from)),
            (false, None) => name,
        };
        let mut parts: Vec<String> = quiet_effects(self.m)
            .take(2)
            .map(|q| self.quiet(q))
            .collect();
        let why = telling(self.m);
        parts.extend(why.iter().map(|reason| self.excuse(reason)));
        if let Some((captor, pawn)) = worthless(self.m) {
            let captor = if captor.0 == scene.mover {
                String::new()
            } else {
                facing(captor, pawn)
            };
            parts.push(format!("{captor}所对{}未过河，不作子力", placed(pawn)));
        }
        if parts.is_empty() {
            parts.push(self.nothing());
        }
        format!("{lead}，{}，为{}。", parts.join("；"), nature.zh())
    }

    /// A move that does nothing in particular.
    fn nothing(&self) -> String {
        let scene = self.scene();
        let text = if self.definitions.chase_test == ChaseTest::None {
            "不是照将"
        } else if let Some((own, other)) = faced_anew(scene) {
            return format!(
                "{}与{}相对，可以互吃，不作捉",
                facing(own, other),
                facing(other, own)
            );
        } else if bears_on_nothing(scene) {
            "不攻击任何一子"
        } else {
            "没有新的捉子"
        };
        text.to_owned()
    }

    fn quiet(&self, effect: Quiet) -> String {
        match effect {
            Quiet::Exchange { own, other } => {
                format!("以{}与{}相对邀兑", facing(own, other), facing(other, own))
            }
            Quiet::Offer { taker } => format!("送于{}口下", placed(taker)),
            Quiet::Block {
                attacker,
                target,
                mate: true,
            } => {
                let way = if mates_on(self.scene(), attacker, target) {
                    "成杀"
                } else {
                    "连将成杀"
                };
                format!("拦住{}走到{target}{way}之路", placed(attacker))
            }
            Quiet::Block {
                attacker,
                target,
                mate: false,
            } => {
                let attacker_name = placed(attacker);
                self.scene().after.id_at(target).map_or_else(
                    || format!("拦住{attacker_name}，使其到不了{target}"),
                    |id| {
                        // A king is attacked, never taken.
                        let verb = if id.role() == Role::King {
                            "攻"
                        } else {
                            takes(attacker.0)
                        };
                        let target = beside_zh(id, target, attacker.0);
                        format!("拦住{attacker_name}，使其{verb}不到{target}")
                    },
                )
            }
            Quiet::Follow { target } => format!("跟住有根的{}", placed(target)),
        }
    }

    /// Why something that looks like an attack is none.
    fn excuse(&self, reason: &Reason) -> String {
        let scene = self.scene();
        match reason {
            Reason::KingEvasion => {
                format!("{}自身应将，纵有所打亦不计", kind_zh(scene.mover))
            }
            Reason::Fortress(post, captures) => self.fortress(*post, captures),
            Reason::Pardoned(threat, Pardon::KingOrPawn) => {
                self.spared(threat.attack(), Sparing::KingOrPawn)
            }
            Reason::Pardoned(threat, Pardon::Existed) => self.existed(threat),
            Reason::PardonedChecks(gain) => self.old_checks(gain),
            Reason::Vain(take, line) => self.vain(*take, line),
            Reason::Spared(attack, why) => self.spared(*attack, *why),
            Reason::Uncounted(line, why) => {
                let play = Play::new(scene.threat(), line.moves());
                let why = match why {
                    Uncounted::Floats => "兵、卒价值浮动，不作得子",
                    Uncounted::Pawn => "兵、卒自身所吃不计",
                    Uncounted::Costs => "所得不抵所失，不作得子",
                };
                format!(
                    "虽可照将而后吃子（{}，{}），{why}",
                    line_zh(&play, 0),
                    balance(&play)
                )
            }
            Reason::SparedCheck(line) => {
                let play = Play::new(scene.threat(), line.moves());
                format!("虽可先照将而后得子（{}），不作捉论", line_zh(&play, 0))
            }
            Reason::Check(_)
            | Reason::Kill(_)
            | Reason::Chase(..)
            | Reason::ByChecks(..)
            | Reason::Attack(_)
            | Reason::PawnUpgrade(..)
            | Reason::Quiet(_) => String::new(),
        }
    }

    fn spared(&self, attack: Attack, why: Sparing) -> String {
        let captor = beside_zh(attack.captor, attack.capture.from, attack.victim);
        let victim = beside_zh(attack.victim, attack.capture.to, attack.captor);
        match why {
            Sparing::KingOrPawn => format!(
                "{captor}虽攻{victim}，系{}自身之捉，不作捉论",
                kind_zh(attack.captor)
            ),
            Sparing::Mutual => format!("{captor}与{victim}可以互吃"),
            Sparing::Rooted(by) => {
                let at = self.scene().threat().square_of(by);
                format!("{captor}所对{victim}有{}为根", piece_zh(by, at))
            }
            Sparing::Existed => format!("{captor}可吃{victim}，但走动前此子已在受捉，不是新捉"),
        }
    }

    fn existed(&self, threat: &Threat) -> String {
        let scene = self.scene();
        let take = threat.capture;
        let same = scene.same_before(take);
        let before = threat.before.as_ref().map(Line::moves);
        let old = before
            .and_then(|line| line.first().copied())
            .unwrap_or(same);
        let stood = match scene.before.id_at(old.from) {
            Some(by) if by != threat.captor => {
                format!("走动前已可由{}吃去", piece_zh(by, old.from))
            }
            _ => match made_by_opponent(scene, threat) {
                Some(Made::Opened) => "对方上一着自行让开，走动前已可如此吃".to_owned(),
                Some(Made::Unguarded) => "对方上一着自行去其根，走动前已可如此吃".to_owned(),
                None => "走动前已可如此吃".to_owned(),
            },
        };
        let stood = match stands_checked(scene, threat, old) {
            None => stood,
            Some(true) => format!(
                "此{}系对方上一着自行走到其口下，非本着所成",
                kind_beside_zh(threat.victim, threat.captor)
            ),
            Some(false) => format!("不计所受之将，{stood}"),
        };
        let play = Play::accounted(scene.threat(), &threat.line, self.definitions);
        let comes = if play.told() > 1 {
            let mut parts = vec![line_zh(&play, 1), balance(&play)];
            parts.extend(self.account(threat, &play));
            parts.retain(|part| !part.is_empty());
            format!("（续走{}）", parts.join("，"))
        } else {
            String::new()
        };
        format!(
            "{}可吃{}{comes}，但{stood}，从捉到捉，不是新捉",
            beside_zh(threat.captor, take.from, threat.victim),
            beside_zh(threat.victim, take.to, threat.captor),
        )
    }

    fn old_checks(&self, gain: &ByChecks) -> String {
        let play = Play::new(self.scene().threat(), gain.line.moves());
        let when = match (self.scene().answers_check, gain.aside) {
            (true, true) => "不计所受之将，走动前",
            (true, false) => "被将之前",
            (false, _) => "走动前",
        };
        let had = if gain.was_apart() {
            "所得各子已可分别白吃"
        } else {
            "已能有此所得"
        };
        format!(
            "虽可照将抽吃（{}），{when}{had}，从捉到捉，不是新捉",
            line_zh(&play, 0)
        )
    }

    fn vain(&self, take: Move, line: &Line) -> String {
        let scene = self.scene();
        let position = scene.threat();
        let (Some(captor), Some(victim)) = (position.id_at(take.from), position.id_at(take.to))
        else {
            return String::new();
        };
        let captor_name = if captor == scene.mover {
            String::new()
        } else {
            beside_zh(captor, take.from, victim)
        };
        let victim_name = beside_zh(victim, take.to, captor);
        let play = Play::new(position, line.moves());
        if let Some(root) = plain_root(&play, line) {
            return format!("{captor_name}所对{victim_name}有{}为根", placed(root));
        }
        let floats = if costs_the_captor(line, self.definitions) {
            let kind = kind_beside_zh(captor, victim);
            format!("，子力相等而此{kind}不存，不作得子")
        } else if play.gives_pawns() {
            "，兵、卒价值浮动，不作得子".to_owned()
        } else {
            String::new()
        };
        format!(
            "{captor_name}虽对{victim_name}，若吃此{}，{}{floats}，不算捉",
            kind_beside_zh(victim, captor),
            self.failure(&play, 1, line.end)
        )
    }

    fn fortress(&self, post: Post, captures: &[Move]) -> String {
        let scene = self.scene();
        let victims: Vec<_> = captures
            .iter()
            .filter_map(|mv| scene.threat().id_at(mv.to).map(|id| piece_zh(id, mv.to)))
            .collect();
        let why = match post {
            Post::Asserted => "守住要点，经裁判员认定可立成正和".to_owned(),
            Post::Standard(ending) => format!("守住要点，依残局定式“{}”可立成正和", ending.zh),
        };
        let attack = if victims.is_empty() {
            "附带抽吃士、象".to_owned()
        } else {
            format!("附带攻{}", victims.join("、"))
        };
        let at = piece_zh(scene.mover, scene.mv.to);
        format!("{at}{why}，{attack}不作捉论")
    }
}
