//! A finding in Chinese.

use super::facts::{
    Came, Placed, Play, bears_on_nothing, checkers, dodged, guards, screen, sides, threat_came,
    ward, worthless,
};
use super::pick::{chased, quiet, telling};
use super::words::{capture, count_zh, kind_zh, line_zh, move_zh, ordinal_zh, piece_zh, pieces_zh};
use crate::board::{Move, PieceId, Position, Role};
use crate::classify::{
    Attack, ByChecks, Nature, Open, Pardon, Post, Quiet, Reason, Scene, Strength, Threat,
};
use crate::definitions::{ChaseTest, Definitions};
use crate::exchange::{End, Line, Win};
use crate::ruling::MoveJudged;

/// Why the move is what it is.
pub(super) fn tell(m: &MoveJudged, definitions: &Definitions) -> String {
    let teller = Teller { m, definitions };
    teller.text()
}

fn placed((id, at): Placed) -> String {
    piece_zh(id, at)
}

/// 打 for a cannon, 吃 for all others.
const fn takes(captor: PieceId) -> &'static str {
    match captor.role() {
        Role::Cannon => "打",
        Role::King | Role::Advisor | Role::Elephant | Role::Horse | Role::Rook | Role::Pawn => "吃",
    }
}

/// 净得一卒, 得车失马: what a line of captures brings.
fn balance(play: &Play) -> String {
    match (play.won.is_empty(), play.lost.is_empty()) {
        (true, true) => "子力无得失".to_owned(),
        (false, true) => format!("净得{}", pieces_zh(&play.won)),
        (true, false) => format!("净失{}", pieces_zh(&play.lost)),
        (false, false) => format!("得{}失{}", pieces_zh(&play.won), pieces_zh(&play.lost)),
    }
}

struct Teller<'a> {
    m: &'a MoveJudged,
    definitions: &'a Definitions,
}

impl Teller<'_> {
    fn scene(&self) -> &Scene {
        &self.m.scene
    }

    fn name(&self) -> String {
        move_zh(&self.scene().before, self.scene().mv)
    }

    fn text(&self) -> String {
        let finding = &self.m.finding;
        if let Some(open) = &finding.open {
            return self.open(open);
        }
        match finding.nature {
            Some(Nature::Check) => self.check(),
            Some(Nature::Kill) => self.kill(),
            Some(Nature::Chase) => self.chase(),
            Some(
                nature @ (Nature::Exchange
                | Nature::Offer
                | Nature::Block
                | Nature::Follow
                | Nature::Idle),
            ) => self.idle(nature),
            None => format!("{}的性质未判明。", self.name()),
        }
    }

    fn threats(&self) -> Vec<(&Threat, Vec<&Threat>)> {
        let threats = self.m.finding.reasons.iter().filter_map(|r| match r {
            Reason::Chase(threat, _) => Some(threat),
            _ => None,
        });
        chased(threats)
    }

    /// 兼捉中象（e7）: what a heavier move also is.
    fn also(&self, heaviest: Nature) -> String {
        let chased = self.threats();
        let victims: Vec<_> = chased
            .iter()
            .map(|(t, _)| piece_zh(t.victim, t.capture.to))
            .collect();
        let mut also = Vec::new();
        if heaviest != Nature::Chase && !victims.is_empty() {
            also.push(format!("捉{}", victims.join("、")));
        }
        if let Some(effect) = quiet(self.m) {
            also.push(match effect {
                Quiet::Exchange { own, other } => {
                    format!("以{}邀兑{}", placed(*own), placed(*other))
                }
                Quiet::Offer { taker } => format!("献于{}口下", placed(*taker)),
                Quiet::Block { attacker, .. } => format!("拦{}", placed(*attacker)),
                Quiet::Follow { target } => format!("跟{}", placed(*target)),
            });
        }
        if also.is_empty() {
            String::new()
        } else {
            format!("兼{}，从重", also.join("、"))
        }
    }

    fn check(&self) -> String {
        let scene = self.scene();
        let enemy = sides(scene).1;
        let king = scene.after.king(enemy);
        let target = piece_zh(PieceId::king(enemy), king);
        let by = checkers(self.m);
        let each: Vec<String> = by
            .iter()
            .map(|&((id, at), how)| {
                let over = screen(&scene.after, Move::new(at, king))
                    .map_or_else(String::new, |s| format!("以{}为架", placed(s)));
                match how {
                    Came::Moved => format!("{over}直攻{target}"),
                    Came::Screen => format!("作架，{}{over}攻{target}", piece_zh(id, at)),
                    Came::Freed(Role::Elephant) => {
                        format!("让开象眼，{}攻{target}", piece_zh(id, at))
                    }
                    Came::Freed(_) => format!("让开马腿，{}攻{target}", piece_zh(id, at)),
                    Came::Opened | Came::RootCut(_) | Came::Partner | Came::Dodge | Came::Still => {
                        format!("闪开，露出{}{over}攻{target}", piece_zh(id, at))
                    }
                }
            })
            .collect();
        let answering = if scene.answers_check {
            "应将而反将，"
        } else {
            ""
        };
        let double = if by.len() > 1 { "，是双将" } else { "" };
        let also = self.also(Nature::Check);
        let also = if also.is_empty() {
            "为将".to_owned()
        } else {
            format!("{also}作将")
        };
        format!(
            "{answering}{}{}{double}，{also}。",
            self.name(),
            each.join("，又")
        )
    }

    fn kill(&self) -> String {
        let scene = self.scene();
        let line = self.m.finding.reasons.iter().find_map(|r| match r {
            Reason::Kill(line) => Some(line),
            _ => None,
        });
        let play = Play::new(&scene.threat, line.map_or(&[][..], Vec::as_slice));
        let moves = play.steps.len().div_ceil(2);
        let how = if moves <= 1 {
            format!("下一着{}", line_zh(&play, 0))
        } else {
            format!(
                "下一着起连将，至多{}步成杀：{}",
                ordinal_zh(moves),
                line_zh(&play, 0)
            )
        };
        let answering = if scene.answers_check {
            "应将，同时要杀"
        } else {
            "要杀"
        };
        let also = self.also(Nature::Kill);
        let also = if also.is_empty() {
            "为杀".to_owned()
        } else {
            format!("{also}作杀")
        };
        format!("{}{answering}，{how}；{also}。", self.name())
    }

    fn chase(&self) -> String {
        let mut parts = Vec::new();
        let mut strengths: Vec<Strength> = Vec::new();
        for (threat, others) in self.threats() {
            parts.push(self.threat(threat, &others, parts.is_empty()));
        }
        for reason in &self.m.finding.reasons {
            match reason {
                Reason::Chase(_, strength) => strengths.extend(*strength),
                Reason::ByChecks(gain, strength) => {
                    strengths.extend(*strength);
                    parts.push(self.by_checks(gain));
                }
                Reason::Attack(attack) => parts.push(self.attack(attack, parts.is_empty())),
                Reason::PawnUpgrade(threat) => parts.push(self.pawn(threat)),
                Reason::Check(_)
                | Reason::Kill(_)
                | Reason::Fortress(..)
                | Reason::KingEvasion
                | Reason::Pardoned(..)
                | Reason::Vain(..)
                | Reason::Quiet(_) => {}
            }
        }
        let also = self.also(Nature::Chase);
        let strength = match strengths.iter().max() {
            None => "",
            Some(Strength::Strong) => "，属单独捉无根子或捉车",
            Some(Strength::Weak) => "，属联合捉子或捉有根、少根子",
        };
        let end = if also.is_empty() {
            "故为捉".to_owned()
        } else {
            format!("{also}作捉")
        };
        format!("{}；{end}{strength}。", parts.join("；另"))
    }

    /// One piece that is chased: by what, what protects it, what is new.
    fn threat(&self, threat: &Threat, others: &[&Threat], first: bool) -> String {
        let scene = self.scene();
        let Threat {
            capture: take,
            captor,
            victim,
            ..
        } = *threat;
        let how = threat_came(scene, threat);
        let lead = if first { self.name() } else { String::new() };
        let captor_name = piece_zh(captor, take.from);
        let victim_name = piece_zh(victim, take.to);
        let moved_kind = kind_zh(scene.mover);
        let leads = match how {
            Came::Moved => format!("{lead}后，{captor_name}"),
            Came::Screen => format!("{lead}作炮架，{captor_name}"),
            Came::Opened => format!("{lead}让开线路，{captor_name}"),
            Came::Freed(Role::Elephant) => format!("{lead}让开象眼，{captor_name}"),
            Came::Freed(_) => format!("{lead}让开马腿，{captor_name}"),
            Came::RootCut(guard) => {
                format!("{lead}切断{}对此子的保护，{captor_name}", placed(guard))
            }
            Came::Partner => format!("{lead}，此{moved_kind}与{captor_name}合力"),
            Came::Dodge => format!("{lead}脱身后，{captor_name}"),
            Came::Still => format!("{lead}后，{captor_name}"),
        };
        let leads = leads.trim_start_matches(['后', '，']);
        let over = screen(&scene.threat, take)
            .filter(|_| how != Came::Screen)
            .map_or_else(String::new, |s| format!("以{}为架", placed(s)));
        let over = if how == Came::Screen {
            format!("借此{moved_kind}")
        } else {
            over
        };
        let also = match others {
            [] => String::new(),
            others => {
                let each: Vec<_> = others
                    .iter()
                    .map(|t| piece_zh(t.captor, t.capture.from))
                    .collect();
                format!("（{}亦可）", each.join("、"))
            }
        };
        format!(
            "{leads}可{over}{}{victim_name}（{}）{also}，{}；{}",
            takes(captor),
            capture(take),
            self.profit(threat),
            self.newness(threat, how)
        )
    }

    /// What protects the victim, and what the exchange comes to.
    fn profit(&self, threat: &Threat) -> String {
        let scene = self.scene();
        let play = Play::new(&scene.threat, threat.line.moves());
        let victim = kind_zh(threat.victim);
        let captor = kind_zh(threat.captor);
        let root = self.root(threat, &play);
        let comes = if play.mates() {
            format!("续走{}", line_zh(&play, 1))
        } else if play.steps.len() <= 1 {
            String::new()
        } else {
            format!("续走{}，{}", line_zh(&play, 1), balance(&play))
        };
        let sense = match threat.win {
            Win::Gain => match ward(scene, threat) {
                Some(lost) => format!(
                    "虽为{}之根，吃后失此{}，仍作捉论",
                    placed(lost),
                    kind_zh(lost.0)
                ),
                None => String::new(),
            },
            Win::EvenTrade => format!("子力相等而此{captor}仍存，作得子论"),
            Win::RootDuty => format!("所失系原受攻而由此{captor}保护之子，不计，得{victim}仍为捉"),
        };
        let parts = [root, comes, sense];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("，")
    }

    fn root(&self, threat: &Threat, play: &Play) -> String {
        let scene = self.scene();
        let guards = guards(&scene.threat, threat.capture);
        let victim = kind_zh(threat.victim);
        if play.takes_again() {
            return format!("此{victim}少根");
        }
        if let Some(&guard) = guards.legal.first() {
            return if play.retake().is_some() {
                String::new()
            } else if play.mates() {
                format!("虽有{}看守，吃后即有将杀", placed(guard))
            } else {
                format!("虽有{}看守，吃回反而不利", placed(guard))
            };
        }
        match guards.pinned.first() {
            None => format!("此{victim}无根"),
            Some(pinned) => {
                let why = pinned.by.map_or_else(
                    || "一动则将帅照面".to_owned(),
                    |by| format!("一动即被{}照将", placed(by)),
                );
                format!("{}似为其根，{why}，系假根", placed(pinned.guard))
            }
        }
    }

    /// What stood before the move.
    fn newness(&self, threat: &Threat, how: Came) -> String {
        let scene = self.scene();
        let captor = kind_zh(threat.captor);
        let victim = kind_zh(threat.victim);
        if !threat.old_relation {
            return format!("走动前此{captor}{}不到此{victim}", takes(threat.captor));
        }
        let same = Move::new(scene.origin(threat.capture.from), threat.capture.to);
        let Some(line) = &threat.before else {
            return if scene.before.is_legal(same) || scene.answers_check {
                format!("走动前此{captor}虽对此{victim}，不能得利")
            } else {
                format!("走动前此{captor}不能离线，吃不得此{victim}")
            };
        };
        if line.moves().first() != Some(&same) {
            return format!("走动前得不到此{victim}");
        }
        let play = Play::new(&scene.before, line.moves());
        let failed = self.failure(&play, line);
        match how {
            Came::Dodge => format!(
                "走动前{}自身受攻，若吃{victim}，{failed}",
                kind_zh(scene.mover)
            ),
            Came::Moved
            | Came::Screen
            | Came::Opened
            | Came::Freed(_)
            | Came::RootCut(_)
            | Came::Partner
            | Came::Still => format!("走动前若吃{victim}，{failed}"),
        }
    }

    /// Why a capture comes to nothing.
    fn failure(&self, play: &Play, line: &Line) -> String {
        let rest = line_zh(play, 1);
        let side = sides(self.scene()).1.zh();
        match line.end {
            End::Mated if rest.is_empty() => "即被将死".to_owned(),
            End::Mated => format!("{side}{rest}，反被将死"),
            End::WonBack => format!("{side}连将抽回：{rest}，{}", balance(play)),
            End::Settled | End::Mates if rest.is_empty() => "并无所得".to_owned(),
            End::Settled | End::Mates => format!("{side}{rest}，{}", balance(play)),
        }
    }

    fn by_checks(&self, gain: &ByChecks) -> String {
        let scene = self.scene();
        let play = Play::new(&scene.threat, gain.line.moves());
        let name = self.name();
        let fruit = if play.mates() {
            "得子或成杀".to_owned()
        } else {
            balance(&play)
        };
        format!(
            "{name}后，下一着起可照将抽吃：{}，{fruit}；走动前抽不到这许多",
            line_zh(&play, 0)
        )
    }

    fn attack(&self, attack: &Attack, first: bool) -> String {
        let scene = self.scene();
        let name = if first {
            format!("{}后，", self.name())
        } else {
            String::new()
        };
        let guards = guards(&scene.threat, attack.capture);
        let victim = kind_zh(attack.victim);
        let root = match (guards.legal.first(), guards.pinned.first()) {
            (Some(&guard), _) => format!(
                "虽有{}为根，{victim}价值高于{}",
                placed(guard),
                kind_zh(attack.captor)
            ),
            (None, Some(pinned)) => format!("{}不能吃回，是假根", placed(pinned.guard)),
            (None, None) => format!("此{victim}无根"),
        };
        let over = screen(&scene.threat, attack.capture)
            .map_or_else(String::new, |s| format!("以{}为架", placed(s)));
        format!(
            "{name}{}可{over}{}{}（{}），{root}；走动前此{victim}未被捉",
            piece_zh(attack.captor, attack.capture.from),
            takes(attack.captor),
            piece_zh(attack.victim, attack.capture.to),
            capture(attack.capture),
        )
    }

    fn pawn(&self, threat: &Threat) -> String {
        format!(
            "{}，{}攻{}（{}），{}；{kind}自身之捉本属闲着，但双方着着互打，此捉作捉论",
            self.name(),
            piece_zh(threat.captor, threat.capture.from),
            piece_zh(threat.victim, threat.capture.to),
            capture(threat.capture),
            self.profit(threat),
            kind = kind_zh(threat.captor),
        )
    }

    fn idle(&self, nature: Nature) -> String {
        let scene = self.scene();
        let name = self.name();
        let dodge = dodged(scene).filter(|_| scene.mover.role() != Role::King);
        let mut parts = vec![match (scene.answers_check, dodge) {
            (true, _) => format!("{name}应将"),
            (false, Some(from)) => format!("{name}避开{}", placed(from)),
            (false, None) => name,
        }];
        let effects: Vec<_> = self
            .m
            .finding
            .reasons
            .iter()
            .filter_map(|r| match r {
                Reason::Quiet(quiet) => Some(self.quiet(quiet)),
                _ => None,
            })
            .take(2)
            .collect();
        let named = !effects.is_empty();
        parts.extend(effects);
        let why: Vec<_> = telling(self.m)
            .into_iter()
            .map(|r| self.excuse(r))
            .collect();
        let excused = !why.is_empty();
        parts.extend(why);
        if let Some(pawn) = worthless(scene) {
            parts.push(format!("所对{}未过河，不作子力", placed(pawn)));
        } else if !excused && !named {
            parts.push(self.nothing());
        }
        format!("{}，为{}。", parts.join("，"), nature.zh())
    }

    /// A move that does nothing in particular.
    fn nothing(&self) -> String {
        if self.definitions.chase_test == ChaseTest::None {
            return "不是照将".to_owned();
        }
        if bears_on_nothing(self.scene()) {
            "不攻击任何一子".to_owned()
        } else {
            "没有新的攻击".to_owned()
        }
    }

    fn quiet(&self, effect: &Quiet) -> String {
        match effect {
            Quiet::Exchange { own, other } => {
                format!("以{}与{}相对，邀兑", placed(*own), placed(*other))
            }
            Quiet::Offer { taker } => format!("送于{}口下，是献", placed(*taker)),
            Quiet::Block {
                attacker,
                target,
                mate: true,
            } => format!("拦住{}往{target}成杀之路", placed(*attacker)),
            Quiet::Block {
                attacker,
                target,
                mate: false,
            } => {
                let target = self
                    .scene()
                    .after
                    .id_at(*target)
                    .map_or_else(|| target.to_string(), |id| piece_zh(id, *target));
                format!("拦住{}对{target}的去路", placed(*attacker))
            }
            Quiet::Follow { target } => {
                format!("跟住有根的{}", placed(*target))
            }
        }
    }

    /// Why something that looks like an attack is none.
    fn excuse(&self, reason: &Reason) -> String {
        let scene = self.scene();
        match reason {
            Reason::KingEvasion => format!("系{}自身应将，由此附带之打不计", kind_zh(scene.mover)),
            Reason::Fortress(post, captures) => self.fortress(*post, captures),
            Reason::Pardoned(threat, Pardon::KingOrPawn) => format!(
                "{}对{}（{}），系{}自身之捉，不作捉论",
                piece_zh(threat.captor, threat.capture.from),
                piece_zh(threat.victim, threat.capture.to),
                capture(threat.capture),
                kind_zh(threat.captor)
            ),
            Reason::Pardoned(threat, Pardon::Existed) => self.existed(threat),
            Reason::Vain(take, line) => self.vain(*take, line),
            Reason::Check(_)
            | Reason::Kill(_)
            | Reason::Chase(..)
            | Reason::ByChecks(..)
            | Reason::Attack(_)
            | Reason::PawnUpgrade(_)
            | Reason::Quiet(_) => String::new(),
        }
    }

    fn existed(&self, threat: &Threat) -> String {
        let scene = self.scene();
        let before = threat
            .before
            .as_ref()
            .and_then(|line| line.moves().first().copied());
        let same = Move::new(scene.origin(threat.capture.from), threat.capture.to);
        let old = before.unwrap_or(same);
        let by = scene.before.id_at(old.from).unwrap_or(threat.captor);
        format!(
            "{}{}{}（{}）走动前已能成立（{}），动后依旧，从捉到捉，不是新捉",
            piece_zh(threat.captor, threat.capture.from),
            takes(threat.captor),
            piece_zh(threat.victim, threat.capture.to),
            capture(threat.capture),
            if by == threat.captor && old == threat.capture {
                "同一吃法".to_owned()
            } else {
                format!("{}{}", kind_zh(by), capture(old))
            }
        )
    }

    fn vain(&self, take: Move, line: &Line) -> String {
        let scene = self.scene();
        let position: &Position = &scene.threat;
        let (Some(captor), Some(victim)) = (position.id_at(take.from), position.id_at(take.to))
        else {
            return String::new();
        };
        let play = Play::new(position, line.moves());
        format!(
            "{}虽对{}，若吃（{}），{}，不算捉",
            piece_zh(captor, take.from),
            piece_zh(victim, take.to),
            capture(take),
            self.failure(&play, line)
        )
    }

    fn fortress(&self, post: Post, captures: &[Move]) -> String {
        let scene = self.scene();
        let victims: Vec<_> = captures
            .iter()
            .filter_map(|mv| scene.threat.id_at(mv.to).map(|id| piece_zh(id, mv.to)))
            .collect();
        let why = match post {
            Post::Asserted => "经裁判员认定为守和要点，立成正和".to_owned(),
            Post::Standard(ending) => format!("守住要点，依残局定式“{}”可成正和", ending.zh),
        };
        let attack = if victims.is_empty() {
            "附带的抽吃".to_owned()
        } else {
            format!("附带攻{}", victims.join("、"))
        };
        let at = piece_zh(scene.mover, scene.mv.to);
        format!("{at}{why}，{attack}不作捉论")
    }

    fn open(&self, open: &Open) -> String {
        let candidates: Vec<_> = open.candidates.iter().map(|nature| nature.zh()).collect();
        let test = match open.test {
            Nature::Kill => "是否成杀",
            Nature::Check
            | Nature::Chase
            | Nature::Exchange
            | Nature::Offer
            | Nature::Block
            | Nature::Follow
            | Nature::Idle => "是否得子",
        };
        let of = candidates
            .split_first()
            .map_or_else(String::new, |(yes, no)| {
                format!("成立则为{yes}，不成立则为{}", no.join("或"))
            });
        format!(
            "{}{test}，检索{}个局面（限额{}）仍未判明：{of}；性质待定（{}种可能）。",
            self.name(),
            open.spent,
            open.budget,
            count_zh(candidates.len())
        )
    }
}
