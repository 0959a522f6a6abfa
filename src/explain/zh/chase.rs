//! 捉, in Chinese.

use super::{Placed, Teller, balance, placed, takes};
use crate::board::{Move, Role, Square};
use crate::classify::{Attack, ByChecks, Nature, Reason, Threat};
use crate::exchange::{FalseRoot, Line, Root, Shortage, Win};
use crate::explain::facts::{
    Apart, Came, Falls, Less, Play, Stood, is_held_from_exchange, less_before, mate_after_retake,
    screen, stood_before, threat_came, ward,
};
use crate::explain::pick::{Force, is_alone, is_more, strength, threats};
use crate::explain::targets::{
    Exposed, Hold, exposed, is_stuck, placed as root_at, retaken, seeming, standing,
};
use crate::explain::words::{beside_zh, kind_beside_zh, kind_zh, line_zh, piece_zh, step_zh};

impl Teller<'_> {
    pub(super) fn chase(&self) -> String {
        let mut parts = Vec::new();
        for (threat, others) in threats(self.m) {
            parts.push(self.threat(threat, &others, parts.is_empty()));
        }
        for reason in &self.m.finding.reasons {
            if let Reason::ByChecks(gain, _) = reason
                && is_more(gain, self.m)
            {
                parts.push(self.by_checks(gain));
            } else if let Reason::Attack(attack) = reason {
                parts.push(self.attack(*attack, parts.is_empty()));
            } else if let Reason::PawnUpgrade(threat, _) = reason {
                parts.push(self.pawn(threat));
            }
        }
        let answering = if self.scene().answers_check {
            "应将，"
        } else {
            ""
        };
        let strength = match strength(self.m, self.targets, self.definitions) {
            None => "",
            Some(Force::Rook) => "，系捉车",
            Some(Force::Alone) => "，系单独捉子",
            Some(Force::Unrooted) => "，系捉无根之子",
            Some(Force::Joint) => "，系联合捉子",
            Some(Force::Under) => "，系捉少根之子",
            Some(Force::Rooted) => "，系捉有根之子",
        };
        format!(
            "{answering}{}；{}{strength}。",
            parts.join("；另"),
            self.conclusion(Nature::Chase)
        )
    }

    /// One piece that is chased: by what, what protects it, what is new.
    fn threat(&self, threat: &Threat, others: &[&Threat], first: bool) -> String {
        let scene = self.scene();
        let take = threat.capture;
        let how = threat_came(scene, threat);
        let joins = how == Came::Partner && !is_alone(self.m, threat);
        let moved = kind_zh(scene.mover);
        let name = if first {
            self.name()
        } else if joins || matches!(how, Came::Moved | Came::Still | Came::Partner) {
            String::new()
        } else {
            format!("此{moved}")
        };
        let captor = if how == Came::Moved {
            format!(
                "此{}（{}）",
                kind_beside_zh(threat.captor, threat.victim),
                take.from
            )
        } else {
            beside_zh(threat.captor, take.from, threat.victim)
        };
        let after = if first { "后，" } else { "" };
        let lead = match how {
            Came::Screen => format!("{name}作炮架，{captor}"),
            Came::Opened => format!("{name}让开线路，{captor}"),
            Came::Freed(Role::Elephant) => format!("{name}让开象眼，{captor}"),
            Came::Freed(_) => format!("{name}让开马腿，{captor}"),
            Came::RootCut(guard) => format!("{name}隔断{}，{captor}", placed(guard)),
            Came::Unscreened(guard) => format!("{name}撤去{}的炮架，{captor}", placed(guard)),
            Came::Partner if joins => {
                format!(
                    "{name}{after}此{moved}（{}）与{captor}合力，{}",
                    scene.mv.to,
                    kind_zh(threat.captor)
                )
            }
            Came::Dodge => format!("{name}脱身，{captor}"),
            Came::Moved | Came::Still | Came::Partner => format!("{name}{after}{captor}"),
        };
        let over = match (how, screen(scene.threat(), take)) {
            (Came::Screen, _) => format!("隔此{moved}"),
            (_, Some(screen)) => format!("以{}为架", placed(screen)),
            (_, None) => String::new(),
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
            "{lead}可{over}{}{}{also}，{}；{}",
            takes(threat.captor),
            beside_zh(threat.victim, take.to, threat.captor),
            self.profit(threat),
            self.newness(threat, how)
        )
    }

    /// What protects the victim, and what the exchange comes to.
    fn profit(&self, threat: &Threat) -> String {
        let scene = self.scene();
        let play = Play::accounted(scene.threat(), &threat.line, self.definitions);
        let retaken = retaken(scene, self.targets, threat, &play);
        let shown = retaken.as_ref().unwrap_or(&play);
        let checks = shown.steps.first().is_some_and(|step| step.check);
        let with = if checks { "吃而带将，" } else { "" };
        let lead = if retaken.is_some() {
            "若吃回，"
        } else {
            ""
        };
        let comes = match (play.mates(), shown.told()) {
            (true, 0 | 1) => "即成杀".to_owned(),
            (true, _) => format!("续走{}", line_zh(&play, 1)),
            (false, 0 | 1) => String::new(),
            (false, _) => format!("{with}{lead}续走{}，{}", line_zh(shown, 1), balance(shown)),
        };
        let victim = kind_beside_zh(threat.victim, threat.captor);
        let mut parts = vec![self.root(threat.capture, &victim), comes];
        parts.extend(self.account(threat, &play));
        if is_held_from_exchange(scene, threat) {
            let captor = kind_beside_zh(threat.captor, threat.victim);
            parts.push(format!("此{victim}若吃此{captor}则自露将帅，故非邀兑"));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("，")
    }

    /// What falls on the way without being counted, and why the exchange counts as a gain.
    pub(super) fn account(&self, threat: &Threat, play: &Play) -> [String; 2] {
        let captor = kind_beside_zh(threat.captor, threat.victim);
        let sense = match threat.win {
            Win::Gain if !threat.line.is_worth_more(self.definitions) => {
                "所失兵、卒在得子之后，不作其价".to_owned()
            }
            Win::Gain => {
                ward(self.scene(), threat, self.definitions).map_or_else(String::new, |lost| {
                    format!(
                        "此{captor}原为{}之根，吃后该{}失根，仍作捉论",
                        placed(lost),
                        kind_zh(lost.0)
                    )
                })
            }
            Win::EvenTrade | Win::LetGo => self.level(threat.win, &captor),
        };
        let aside = play.aside.map_or_else(String::new, |aside| {
            let lost = placed(aside.what);
            let when = match aside.when {
                Falls::AnsweringCheck => "应将所吃之",
                Falls::GivingCheck => "照将所吃之",
                Falls::Otherwise => "其间所失之",
            };
            match aside.why {
                Apart::Hung => format!("{when}{lost}原已受攻，另作别论"),
                Apart::Ward => format!("{when}{lost}原以此{captor}为根，失根不计"),
                Apart::TakenBack => format!("{when}{lost}可以吃回，另作别论"),
                Apart::NotByThis => format!("{when}{lost}非因本着而失，另作别论"),
            }
        });
        [aside, sense]
    }

    /// Why what comes to no more than it costs counts as a gain.
    fn level(&self, win: Win, captor: &str) -> String {
        let floats = if self.definitions.root_ignore_loss {
            "，不计"
        } else {
            "；兵、卒价值浮动，不作失子论"
        };
        match win {
            Win::Gain => String::new(),
            Win::EvenTrade => format!("子力相等而此{captor}仍存，作得子论"),
            Win::LetGo => format!("所失之子原赖此{captor}为根或遮护，因其离位而失{floats}"),
        }
    }

    /// What protects a victim.
    fn root(&self, capture: Move, victim: &str) -> String {
        match Hold::of(self.targets, capture.to) {
            Hold::None => format!("此{victim}无根"),
            Hold::Rooted(root) if root.through.is_empty() => {
                format!("虽有{}为根", placed(root_at(root)))
            }
            Hold::Rooted(root) => format!("虽有{}可经连续照将为根", placed(root_at(root))),
            Hold::Under(_, Shortage::Outnumbered { .. }) => format!("此{victim}少根"),
            Hold::Under(root, Shortage::TwoWards { ward, .. }) => {
                let ward = self.stands(capture, *ward);
                format!("{}兼保{ward}，此{victim}少根", placed(root_at(root)))
            }
            Hold::Under(root, Shortage::Opens { square, .. }) => {
                let lost = self.stands(capture, *square);
                format!("{}吃回则失{lost}，此{victim}少根", placed(root_at(root)))
            }
            Hold::False(roots) => {
                let told = |root: Placed, why: &FalseRoot| {
                    let why = self.false_root(capture, root, why);
                    format!("{}似为其根，{why}，是假根", placed(root))
                };
                seeming(roots, &told, "，")
            }
        }
    }

    /// Why what seems to be a root is none.
    fn false_root(&self, capture: Move, (_, at): Placed, why: &FalseRoot) -> String {
        match why {
            FalseRoot::Pinned { by } => {
                let goes = if is_stuck(self.m, capture, at) {
                    "一动"
                } else {
                    "吃回"
                };
                match exposed(self.m, capture, by) {
                    Exposed::To(by) => format!("{goes}即被{}照将", placed(by)),
                    Exposed::ToKing => format!("{goes}则将帅照面"),
                    Exposed::Somehow => format!("{goes}即送将"),
                }
            }
            FalseRoot::ExposesKing { by } => match exposed(self.m, capture, by) {
                Exposed::To(by) => format!("吃回即自入{}口下", placed(by)),
                Exposed::ToKing => "吃回则将帅照面".to_owned(),
                Exposed::Somehow => "吃回即送将".to_owned(),
            },
            FalseRoot::AnswersNoCheck { .. } => "吃回不能应将".to_owned(),
            FalseRoot::Unscreened { .. } => "吃后炮架已失".to_owned(),
            FalseRoot::Mated { line } if line.len() <= 1 => "吃回即被将死".to_owned(),
            FalseRoot::Mated { line } => {
                let play = mate_after_retake(self.scene(), capture, at, line);
                format!("吃回则被连将成杀（{}）", line_zh(&play, 0))
            }
            FalseRoot::LostToChecks { line }
                if line.last().is_some_and(|mv| mv.to != capture.to) =>
            {
                "吃回则他子被连将抽去".to_owned()
            }
            FalseRoot::LostToChecks { .. } => "吃回即被连将抽回".to_owned(),
        }
    }

    /// What stands on a square once the capture has been made.
    fn stands(&self, capture: Move, at: Square) -> String {
        standing(self.m, capture, at).map_or_else(|| at.to_string(), placed)
    }

    /// What stood before the move.
    fn newness(&self, threat: &Threat, how: Came) -> String {
        let scene = self.scene();
        let captor = kind_beside_zh(threat.captor, threat.victim);
        let victim = kind_beside_zh(threat.victim, threat.captor);
        let aside = if scene.answers_check {
            "不计所受之将，"
        } else {
            ""
        };
        match stood_before(scene, threat) {
            Stood::Apart => format!("走动前此{captor}{}不到此{victim}", takes(threat.captor)),
            Stood::OthersVain => format!(
                "走动前此{captor}{}不到此{victim}，他子虽对此{victim}，吃之并无所得",
                takes(threat.captor)
            ),
            Stood::OtherLess(other, line) => {
                let play = Play::new(&scene.before, line.moves());
                let by = scene.before.id_at(other.from);
                format!(
                    "{aside}走动前此{captor}{}不到此{victim}，{}若吃此{victim}，{}{}",
                    takes(threat.captor),
                    by.map_or_else(String::new, |by| piece_zh(by, other.from)),
                    self.failure(&play, 1, line.end),
                    less(line)
                )
            }
            Stood::Vain => format!("走动前此{captor}虽对此{victim}，不能得利"),
            Stood::Held => format!("走动前此{captor}不能离线，吃不得此{victim}"),
            Stood::Safe => format!("走动前得不到此{victim}"),
            Stood::Refuted(_, line) => {
                let play = Play::new(&scene.before, line.moves());
                let hanging = if how == Came::Dodge {
                    let kind = kind_zh(scene.mover);
                    if kind == kind_zh(threat.captor) {
                        // This one would be the captor.
                        format!("走动前{}之{kind}受攻，", scene.mv.from)
                    } else {
                        format!("走动前此{kind}受攻，")
                    }
                } else {
                    "走动前".to_owned()
                };
                format!(
                    "{aside}{hanging}若吃{victim}，{}{}",
                    self.failure(&play, 1, line.end),
                    less(line)
                )
            }
        }
    }

    fn by_checks(&self, gain: &ByChecks) -> String {
        let play = Play::new(self.scene().threat(), gain.line.moves());
        let fruit = if play.mates() {
            "得子或成杀".to_owned()
        } else {
            balance(&play)
        };
        let mut parts = vec![line_zh(&play, 0), fruit];
        if let (Some(win), Some(captor), false) = (gain.line.win, play.last_captor(), play.mates())
        {
            parts.push(self.level(win, &kind_zh(captor).to_string()));
        }
        parts.retain(|part| !part.is_empty());
        format!(
            "{}后，下一着起可照将抽吃：{}；{}",
            self.name(),
            parts.join("，"),
            self.less_before(gain)
        )
    }

    /// Why less was to be won by checks before the move.
    fn less_before(&self, gain: &ByChecks) -> String {
        match less_before(self.scene(), gain) {
            Less::NoSuchCheck => "走动前尚不能如此照将".to_owned(),
            Less::Foiled(answer) => format!(
                "走动前若如此照将，{}可应以{}，得不到这许多",
                self.scene().side.opponent().zh(),
                line_zh(&answer, 0)
            ),
            Less::Spoilt(then, from, end) => {
                format!("走动前若如此抽吃，{}", self.failure(&then, from, end))
            }
            Less::Ends(then, next) => format!(
                "走动前若如此照将，{}之后，不能续走{}",
                line_zh(&then, 0),
                step_zh(&next)
            ),
            Less::Somehow => "走动前连将不能如此得子".to_owned(),
        }
    }

    pub(super) fn attack(&self, attack: Attack, first: bool) -> String {
        let scene = self.scene();
        let name = if first {
            format!("{}后，", self.name())
        } else {
            String::new()
        };
        let victim = kind_beside_zh(attack.victim, attack.captor);
        let held = self.root(attack.capture, &victim);
        let root = match Hold::of(self.targets, attack.capture.to).root() {
            Root::Rooted => format!("{held}，而{victim}贵于{}", kind_zh(attack.captor)),
            Root::None | Root::False | Root::Under => held,
        };
        let over = screen(scene.threat(), attack.capture)
            .map_or_else(String::new, |s| format!("以{}为架", placed(s)));
        format!(
            "{name}{}可{over}{}{}，{root}；走动前此{}未捉此{victim}",
            beside_zh(attack.captor, attack.capture.from, attack.victim),
            takes(attack.captor),
            beside_zh(attack.victim, attack.capture.to, attack.captor),
            kind_beside_zh(attack.captor, attack.victim),
        )
    }

    fn pawn(&self, threat: &Threat) -> String {
        let take = threat.capture;
        let kind = kind_zh(threat.captor);
        format!(
            "{}后，此{kind}（{}）可吃{}，{}；{kind}自身之捉本属闲着，因双方着着互打，作捉论",
            self.name(),
            take.from,
            piece_zh(threat.victim, take.to),
            self.profit(threat),
        )
    }
}

/// What was level before the move is less than what is won now.
fn less(line: &Line) -> &'static str {
    if line.win.is_some() {
        "，所得少于走动后"
    } else {
        ""
    }
}
