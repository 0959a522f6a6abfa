//! 兑, 献, 拦, 跟 and 闲.

use super::{Teller, balance, kinds_of, named, parties, takes};
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
use crate::explain::words::{capture, facing, kind, kinds, line, listed, piece};
use crate::language::{Text, both};

impl Teller<'_> {
    pub(super) fn idle(&self, nature: Nature) -> Text {
        let scene = self.scene;
        let mv = self.mv();
        let is_king = scene.mover.role() == Role::King;
        let kind = scene.mover.role().id();
        let dodge = dodged(scene).filter(|_| !is_king);
        let lead = match (scene.answers_check, dodge) {
            (true, _) => {
                // Said with what that excuses.
                let said = telling(self.m);
                let said = said
                    .iter()
                    .any(|reason| matches!(reason, Reason::KingEvasion));
                let answers = if said { "" } else { "应将" };
                both!(mv; "With {mv} the {kind} answers the check", "{mv}{answers}")
            }
            (false, Some(from)) => both!(
                mv, from = piece(from);
                "With {mv} the {kind} steps away from {from}",
                "{mv}避开{from}",
            ),
            (false, None) => {
                let to = scene.mv.to;
                both!(mv; "With {mv} the {kind} goes to {to}", "{mv}")
            }
        };
        let effects = quiet_effects(self.m).take(2);
        let mut parts: Vec<Text> = effects.map(|effect| self.quiet(effect)).collect();
        parts.extend(
            telling(self.m)
                .into_iter()
                .map(|reason| self.excuse(reason)),
        );
        if let Some((captor, pawn)) = worthless(self.m) {
            let at = pawn.1;
            let captor = if captor.0 == scene.mover {
                both!("it", "")
            } else {
                facing(captor, pawn).0
            };
            let pawn = piece(pawn).zh;
            parts.push(both!(
                captor;
                "the pawn {captor} faces on {at} has not crossed the river and is no material",
                "{captor}所对{pawn}未过河，不作子力",
            ));
        }
        if parts.is_empty() {
            parts.push(self.nothing());
        }
        both!(
            lead, parts = Text::joined(parts, "; ", "；"), nature = named(nature);
            "{lead}; {parts}: {nature}.",
            "{lead}，{parts}，为{nature}。",
        )
    }

    /// A move that does nothing in particular.
    fn nothing(&self) -> Text {
        if self.definitions.chase_test == ChaseTest::None {
            both!("no check is given", "不是照将")
        } else if let Some((own, other)) = faced_anew(self.scene) {
            let moved = own.0 == self.scene.mover;
            let (mut own, other) = facing(own, other);
            if moved {
                "it".clone_into(&mut own.en);
            }
            both!(
                own, other;
                "{own} faces {other}, either of which may take the other: no chase",
                "{own}与{other}相对，可以互吃，不作捉",
            )
        } else if bears_on_nothing(self.scene) {
            both!("it attacks nothing", "不攻击任何一子")
        } else {
            both!("no new chase arises", "没有新的捉子")
        }
    }

    fn quiet(&self, effect: Quiet) -> Text {
        match effect {
            Quiet::Exchange { own, other } => {
                let (own, other) = facing(own, other);
                both!(
                    own, other;
                    "{own} is offered in exchange for {other}",
                    "以{own}与{other}相对邀兑",
                )
            }
            Quiet::Offer { taker } => {
                both!(taker = piece(taker); "it is offered to {taker}", "送于{taker}口下")
            }
            Quiet::Block {
                attacker,
                target: at,
                mate: true,
            } => {
                let mates = if mates_on(self.scene, attacker, at) {
                    both!("mate", "成杀")
                } else {
                    both!("the first of the checks that mate,", "连将成杀")
                };
                both!(
                    attacker = piece(attacker), mates;
                    "it blocks {attacker} on its way to {mates} on {at}",
                    "拦住{attacker}走到{at}{mates}之路",
                )
            }
            Quiet::Block {
                attacker,
                target: at,
                mate: false,
            } => {
                let Some(id) = self.scene.after.id_at(at) else {
                    return both!(
                        attacker = piece(attacker);
                        "it blocks {attacker} from {at}",
                        "拦住{attacker}，使其到不了{at}",
                    );
                };
                // A king is attacked, never taken.
                let takes = if id.role() == Role::King {
                    "攻"
                } else {
                    takes(attacker.0)
                };
                both!(
                    attacker = piece(attacker), target = facing((id, at), attacker).0;
                    "it blocks {attacker} from {target}",
                    "拦住{attacker}，使其{takes}不到{target}",
                )
            }
            Quiet::Follow { target } => {
                let (kind, at) = (target.0.role().id(), target.1);
                let target = piece(target).zh;
                both!("it follows the rooted {kind} on {at}", "跟住有根的{target}")
            }
        }
    }

    /// Why something that looks like an attack is none.
    fn excuse(&self, reason: &Reason) -> Text {
        let threat = self.scene.threat();
        match reason {
            Reason::KingEvasion => {
                let king = kind(self.scene.mover).zh;
                both!(
                    "whatever a king's own move out of check threatens does not count",
                    "{king}自身应将，纵有所打亦不计"
                )
            }
            Reason::Fortress(post, captures) => self.fortress(*post, captures),
            Reason::Pardoned(threat, Pardon::KingOrPawn) => {
                self.spared(threat.attack(), Sparing::KingOrPawn)
            }
            Reason::Pardoned(threat, Pardon::Existed) => self.existed(threat),
            Reason::PardonedChecks(gain) => self.old_checks(gain),
            Reason::Vain(take, line) => self.vain(*take, line),
            Reason::Spared(attack, why) => self.spared(*attack, *why),
            Reason::Uncounted(checks, why) => {
                let play = Play::new(threat, checks.moves());
                let why = match why {
                    Uncounted::Floats => both!(
                        "pawns float in value, which makes it no gain",
                        "兵、卒价值浮动，不作得子"
                    ),
                    Uncounted::Pawn => both!(
                        "what a pawn takes by itself does not count",
                        "兵、卒自身所吃不计"
                    ),
                    Uncounted::Costs => both!(
                        "it costs as much, which makes it no gain",
                        "所得不抵所失，不作得子"
                    ),
                };
                both!(
                    line = line(&play, 0), balance = balance(&play), why;
                    "checks could take something ({line}, {balance}), but {why}",
                    "虽可照将而后吃子（{line}，{balance}），{why}",
                )
            }
            Reason::SparedCheck(gain) => both!(
                line = line(&Play::new(threat, gain.moves()), 0);
                "a check first would win something ({line}), but that is not charged",
                "虽可先照将而后得子（{line}），不作捉论",
            ),
            Reason::Check(_)
            | Reason::Kill(_)
            | Reason::Chase(..)
            | Reason::ByChecks(..)
            | Reason::Attack(_)
            | Reason::PawnUpgrade(..)
            | Reason::Quiet(_) => Text::default(),
        }
    }

    fn spared(&self, attack: Attack, why: Sparing) -> Text {
        let (captor, victim) = parties(attack);
        match why {
            Sparing::KingOrPawn => both!(
                captor, victim, kind = kind(attack.captor);
                "{captor} could take {victim}, but a {kind}'s own attack is not charged",
                "{captor}虽攻{victim}，系{kind}自身之捉，不作捉论",
            ),
            Sparing::Mutual => both!(
                captor, victim;
                "{captor} and {victim} can take each other",
                "{captor}与{victim}可以互吃",
            ),
            Sparing::Rooted(by) => both!(
                captor, victim, root = piece((by, self.scene.threat().square_of(by)));
                "{captor} faces {victim}, which {root} guards",
                "{captor}所对{victim}有{root}为根",
            ),
            Sparing::Pinned => both!(
                captor, victim;
                "{captor} faces {victim}, but is pinned: to take would expose its king, and so it does not attack",
                "{captor}虽对{victim}，但受牵制，一离线即送将，不为攻击",
            ),
            Sparing::Existed => both!(
                captor, victim;
                "{captor} can take {victim}, but that piece was attacked before the move already",
                "{captor}可吃{victim}，但走动前此子已在受捉，不是新捉",
            ),
        }
    }

    fn existed(&self, threat: &Threat) -> Text {
        let scene = self.scene;
        let before = threat.before.as_ref().map(Line::moves);
        let old = before.and_then(|line| line.first().copied());
        let old = old.unwrap_or_else(|| scene.same_before(threat.capture));
        let other = scene.before.id_at(old.from);
        let stood = match other.filter(|&by| by != threat.captor) {
            Some(by) => both!(
                by = piece((by, old.from));
                "{by} could take it before the move already",
                "走动前已可由{by}吃去",
            ),
            None => match made_by_opponent(scene, threat) {
                Some(Made::Opened) => both!(
                    "the other side's own last move let it, and so it could before this one",
                    "对方上一着自行让开，走动前已可如此吃"
                ),
                Some(Made::Unguarded) => both!(
                    "the other side's own last move left it without a guard, and so it could before this one",
                    "对方上一着自行去其根，走动前已可如此吃"
                ),
                None => both!("so it could before the move", "走动前已可如此吃"),
            },
        };
        let stood = match stands_checked(scene, threat, old) {
            None => stood,
            Some(true) => {
                let victim = kinds_of(threat.attack()).1.zh;
                both!(
                    "the other side's last move put it there, not this one",
                    "此{victim}系对方上一着自行走到其口下，非本着所成"
                )
            }
            Some(false) => both!(stood; "the check left aside, {stood}", "不计所受之将，{stood}"),
        };
        let play = Play::accounted(scene.threat(), &threat.line, self.definitions);
        let comes = if play.told() > 1 {
            let [aside, sense] = self.account(threat, &play);
            let comes = [line(&play, 1), balance(&play), aside, sense];
            both!(comes = Text::joined(comes, ", ", "，"); " (then {comes})", "（续走{comes}）")
        } else {
            Text::default()
        };
        let (captor, victim) = parties(threat.attack());
        both!(
            captor, victim, comes, stood;
            "{captor} can take {victim}{comes}, but {stood}: from chase to chase, nothing new",
            "{captor}可吃{victim}{comes}，但{stood}，从捉到捉，不是新捉",
        )
    }

    fn old_checks(&self, gain: &ByChecks) -> Text {
        let play = Play::new(self.scene.threat(), gain.line.moves());
        let when = match (self.scene.answers_check, gain.aside) {
            (true, true) => both!(
                "before the move, the check left aside",
                "不计所受之将，走动前"
            ),
            (true, false) => both!("before that check", "被将之前"),
            (false, _) => both!("before the move", "走动前"),
        };
        let had = if gain.was_apart() {
            both!(
                "each of these could simply be taken",
                "所得各子已可分别白吃"
            )
        } else {
            both!("as much was there", "已能有此所得")
        };
        both!(
            line = line(&play, 0), had, when;
            "checks could win something ({line}), but {had} {when}: from chase to chase, nothing new",
            "虽可照将抽吃（{line}），{when}{had}，从捉到捉，不是新捉",
        )
    }

    fn vain(&self, take: Move, line: &Line) -> Text {
        let position = self.scene.threat();
        let (Some(by), Some(id)) = (position.id_at(take.from), position.id_at(take.to)) else {
            return Text::default();
        };
        let (mut captor, victim) = facing((by, take.from), (id, take.to));
        if by == self.scene.mover {
            captor.zh.clear();
        }
        let play = Play::new(position, line.moves());
        if let Some(root) = plain_root(&play, line) {
            return both!(
                captor, victim, root = piece(root);
                "{captor} faces {victim}, which {root} guards",
                "{captor}所对{victim}有{root}为根",
            );
        }
        let (this, kind) = kinds(by, id);
        let (this, kind) = (this.zh, kind.zh);
        let floats = if costs_the_captor(line, self.definitions) {
            both!(
                "; it comes out even, and the piece that took first is lost",
                "，子力相等而此{this}不存，不作得子"
            )
        } else if line.balance.gives_pawns() {
            both!(
                "; a pawn's value floats, and to give one is no gain",
                "，兵、卒价值浮动，不作得子"
            )
        } else {
            Text::default()
        };
        let taking = capture(take);
        both!(
            captor, victim, fails = self.failure(&play, 1, line.end, false), floats;
            "{captor} faces {victim}, but {taking} {fails}{floats}",
            "{captor}虽对{victim}，若吃此{kind}，{fails}{floats}，不算捉",
        )
    }

    fn fortress(&self, post: Post, captures: &[Move]) -> Text {
        let scene = self.scene;
        let victims = captures.iter().filter_map(|mv| {
            let id = scene.threat().id_at(mv.to)?;
            Some(piece((id, mv.to)))
        });
        let victims = listed(victims);
        let why = match post {
            Post::Asserted => both!("by the arbiter's finding", "经裁判员认定"),
            Post::Standard(ending) => {
                let (en, zh) = (ending.en, ending.zh);
                both!("by a standard ending ({en})", "依残局定式“{zh}”")
            }
        };
        let attack = if victims.is_empty() {
            both!("its gain by checks", "附带抽吃士、象")
        } else {
            both!(victims; "its attack on {victims}", "附带攻{victims}")
        };
        both!(
            holder = piece((scene.mover, scene.mv.to)), why, attack;
            "{holder} holds the key point of a plain draw {why}; {attack} is incidental and not charged",
            "{holder}守住要点，{why}可立成正和，{attack}不作捉论",
        )
    }
}
