//! 捉.

use super::{Teller, balance, kinds_of, parties, takes};
use crate::board::{Move, Role, Square};
use crate::classify::{Attack, ByChecks, Nature, Reason, Threat};
use crate::exchange::{FalseRoot, Root, RootPiece, Shortage, Win};
use crate::explain::facts::{
    Apart, Came, Falls, Less, Placed, Play, Stood, is_held_from_exchange, less_before,
    mate_after_retake, stood_before, threat_came, ward,
};
use crate::explain::pick::{Force, is_alone, is_more, strength, threats};
use crate::explain::targets::{
    Exposed, Hold, exposed, insufficient, is_stuck, placed as root_at, retaken, seeming,
};
use crate::explain::words::{capture, kind, line, listed, piece, step, with_article};
use crate::language::{Text, both};

/// Whether a line takes something else in the end than what stood on a square, wherever that has gone.
fn takes_another(line: &[Move], square: Square) -> bool {
    let follow = |at, mv: &Move| if mv.from == at { mv.to } else { at };
    let parts = line.split_last();
    parts.is_some_and(|(last, way)| last.to != way.iter().fold(square, follow))
}

impl Teller<'_> {
    pub(super) fn chase(&self) -> Text {
        let mut parts = Vec::new();
        for (threat, others) in threats(self.m) {
            parts.push(self.threat(threat, &others, parts.is_empty()));
        }
        for reason in &self.m.finding.reasons {
            if let Reason::ByChecks(gain, _) = reason
                && is_more(gain, self.m)
            {
                parts.push(self.by_checks(gain, parts.is_empty()));
            } else if let Reason::Attack(attack) = reason {
                parts.push(self.attack(*attack, parts.is_empty()));
            } else if let Reason::PawnUpgrade(threat, _) = reason {
                parts.push(self.pawn(threat));
            }
        }
        // English says so of the move, where that is told.
        let answering = if self.scene.answers_check {
            "应将，"
        } else {
            ""
        };
        let strength = match strength(self.m, self.targets, self.definitions) {
            None => Text::default(),
            Some(Force::Rook) => both!(" (of a rook)", "，系捉车"),
            Some(Force::Alone) => both!(" (single-handed)", "，系单独捉子"),
            Some(Force::Unrooted) => both!(" (of an unrooted piece)", "，系捉无根之子"),
            Some(Force::Joint) => both!(" (joint)", "，系联合捉子"),
            Some(Force::Under) => both!(" (of an under-rooted piece)", "，系捉少根之子"),
            Some(Force::Rooted) => both!(" (of a rooted piece)", "，系捉有根之子"),
        };
        both!(
            parts = Text::joined(parts, "; besides, ", "；另"), conclusion = self.conclusion(Nature::Chase), strength;
            "{parts}{conclusion}{strength}.",
            "{answering}{parts}；{conclusion}{strength}。",
        )
    }

    /// The move, where it is told first.
    fn after(&self, first: bool) -> Text {
        let answering = if self.scene.answers_check {
            ", which answers a check,"
        } else {
            ""
        };
        both!(mv = self.mv(); "After {mv}{answering} ", "{mv}后，").only_if(first)
    }

    /// One piece that is chased: by what, what protects it, what is new.
    fn threat(&self, threat: &Threat, others: &[&Threat], first: bool) -> Text {
        let how = threat_came(self.scene, threat);
        let over = self.over(self.scene.threat(), threat.capture, how);
        let also = if others.is_empty() {
            Text::default()
        } else {
            let others = others.iter().map(|t| piece((t.captor, t.capture.from)));
            both!(others = listed(others); " (and so can {others})", "（{others}亦可）")
        };
        let (after, takes) = (self.after(first).en, takes(threat.captor));
        both!(
            captor = self.captor(threat, how, first), victim = parties(threat.attack()).1, over, also,
            profit = self.profit(threat), newness = self.newness(threat, how);
            "{after}{captor} can take {victim}{over}{also}; {profit}; {newness}",
            "{captor}可{over}{takes}{victim}{also}，{profit}；{newness}",
        )
    }

    /// What can take, and by what effect of the move.
    fn captor(&self, threat: &Threat, how: Came, first: bool) -> Text {
        let to = self.scene.mv.to;
        let mut captor = parties(threat.attack()).0;
        if how == Came::Moved {
            let kind = kinds_of(threat.attack()).0.zh;
            captor.zh = format!("此{kind}（{}）", threat.capture.from);
        }
        let mover = piece((self.scene.mover, to)).en;
        // In Chinese the move does it, or where that is told already, the piece that made it.
        let after = self.after(first).zh;
        let this = format!("此{}", kind(self.scene.mover).zh);
        let by = if first { self.mv().zh } else { this.clone() };
        match how {
            Came::Screen => both!(captor; "{captor}", "{by}作炮架，{captor}"),
            Came::Opened => both!(captor; "{captor}, its line opened,", "{by}让开线路，{captor}"),
            Came::Freed(Role::Elephant) => {
                both!(captor; "{captor}, its eye freed,", "{by}让开象眼，{captor}")
            }
            Came::Freed(_) => both!(captor; "{captor}, its leg freed,", "{by}让开马腿，{captor}"),
            Came::RootCut(guard) => both!(
                guard = piece(guard), captor;
                "{guard} is shut out, and {captor}",
                "{by}隔断{guard}，{captor}",
            ),
            Came::Unscreened(guard) => both!(
                guard = piece(guard), captor;
                "{guard} loses its screen, and {captor}",
                "{by}撤去{guard}的炮架，{captor}",
            ),
            Came::Partner if !is_alone(self.m, threat) => {
                let kind = kind(threat.captor).zh;
                both!(
                    captor;
                    "{captor}, together with {mover},",
                    "{after}{this}（{to}）与{captor}合力，{kind}",
                )
            }
            Came::Dodge => both!(
                captor;
                "{mover} is out of danger, and {captor}",
                "{by}脱身，{captor}",
            ),
            Came::Moved | Came::Still | Came::Partner => {
                both!(captor; "{captor}", "{after}{captor}")
            }
        }
    }

    /// What protects the victim, and what the exchange comes to.
    fn profit(&self, threat: &Threat) -> Text {
        let scene = self.scene;
        let play = Play::accounted(scene.threat(), &threat.line, self.definitions);
        let retaken = retaken(scene, self.targets, threat, &play);
        let shown = retaken.as_ref().unwrap_or(&play);
        let checks = shown.steps.first().is_some_and(|step| step.check);
        let with = both!("taking with check; ", "吃而带将，").only_if(checks);
        let then = if retaken.is_some() {
            both!("if it is retaken", "若吃回，续走")
        } else {
            both!("then", "续走")
        };
        let comes = match (play.mates(), shown.told()) {
            (true, 0 | 1) => both!("it is mate", "即成杀"),
            (true, _) => both!(rest = line(&play, 1); "then {rest}", "续走{rest}"),
            (false, 0 | 1) => Text::default(),
            (false, _) => both!(
                with, then, rest = line(shown, 1), balance = balance(shown);
                "{with}{then} {rest}, {balance}",
                "{with}{then}{rest}，{balance}",
            ),
        };
        let (captor, victim) = kinds_of(threat.attack());
        let root = self.root(threat.capture, &victim);
        let [aside, sense] = self.account(threat, &play);
        let victim = victim.zh;
        let held = both!(
            captor;
            "that {captor} could not take this one without exposing its king, so that none is offered in exchange",
            "此{victim}若吃此{captor}则自露将帅，故非邀兑",
        );
        let held = held.only_if(is_held_from_exchange(scene, threat));
        Text::joined([root, comes, aside, sense, held], ", ", "，")
    }

    /// What falls on the way without being counted, and why the exchange counts as a gain.
    pub(super) fn account(&self, threat: &Threat, play: &Play) -> [Text; 2] {
        let captor = kinds_of(threat.attack()).0;
        let sense = match threat.win {
            Win::Gain if !threat.line.is_worth_more(self.definitions) => both!(
                "a pawn that falls after the piece is won is no price of it",
                "所失兵、卒在得子之后，不作其价"
            ),
            Win::Gain => {
                ward(self.scene, threat).map_or_else(Text::default, |lost| {
                    let kind = kind(lost.0).zh;
                    both!(
                        captor, lost = piece(lost);
                        "that {lost}, whose root this {captor} was, loses it thereby makes no difference",
                        "此{captor}原为{lost}之根，吃后该{kind}失根，仍作捉论",
                    )
                })
            }
            Win::EvenTrade | Win::LetGo => self.level(threat.win, &captor),
        };
        let aside = play.aside.map_or_else(Text::default, |aside| {
            let lost = piece(aside.what);
            let when = match aside.when {
                Falls::AnsweringCheck => both!("in answer to the check", "应将所吃之"),
                Falls::GivingCheck => both!("to a check", "照将所吃之"),
                Falls::Otherwise => both!("on the way", "其间所失之"),
            };
            match aside.why {
                Apart::Hung => both!(
                    lost, when;
                    "that {lost} falls {when} is another matter, as it hung already",
                    "{when}{lost}原已受攻，另作别论",
                ),
                Apart::Ward => both!(
                    lost, captor, when;
                    "that {lost}, of which this {captor} was the root, falls {when} makes no difference",
                    "{when}{lost}原以此{captor}为根，失根不计",
                ),
                Apart::TakenBack => both!(
                    lost, when;
                    "that {lost} is taken {when} is another matter, as it can be taken back",
                    "{when}{lost}可以吃回，另作别论",
                ),
                Apart::NotByThis => both!(
                    lost, when;
                    "that {lost} falls {when} is another matter, as this capture has not brought it about",
                    "{when}{lost}非因本着而失，另作别论",
                ),
            }
        });
        [aside, sense]
    }

    /// Why what comes to no more than it costs counts as a gain.
    fn level(&self, win: Win, captor: &Text) -> Text {
        let floats = if self.definitions.root_ignore_loss {
            both!("is left out", "，不计")
        } else {
            both!(
                "is no price, as pawns float in value",
                "；兵、卒价值浮动，不作失子论"
            )
        };
        match win {
            Win::Gain => Text::default(),
            Win::EvenTrade => both!(
                captor;
                "an even trade, which counts as a gain because the {captor} survives it",
                "子力相等而此{captor}仍存，作得子论",
            ),
            Win::LetGo => both!(
                captor, floats;
                "what is lost falls only because this {captor} guarded or covered it where it stood, and {floats}",
                "所失之子原赖此{captor}为根或遮护，因其离位而失{floats}",
            ),
        }
    }

    /// What protects a victim.
    fn root(&self, capture: Move, victim: &Text) -> Text {
        match Hold::of(self.targets, capture.to) {
            Hold::None => {
                let victim = &victim.zh;
                both!("nothing guards it", "此{victim}无根")
            }
            Hold::Rooted(root) if root.through.is_empty() => {
                both!(root = piece(root_at(root)); "{root} guards it", "虽有{root}为根")
            }
            Hold::Rooted(root) => both!(
                root = piece(root_at(root));
                "{root} guards it through checks",
                "虽有{root}可经连续照将为根",
            ),
            Hold::Under(roots) => {
                let each =
                    insufficient(roots).map(|(root, short)| self.shortage(capture, root, short));
                let each: Vec<_> = each.collect();
                if each.is_empty() {
                    both!(victim; "the {victim} has fewer roots than attackers", "此{victim}少根")
                } else {
                    both!(
                        each = Text::joined(each, ", ", "，"), victim;
                        "{each}, and the {victim} is under-rooted",
                        "{each}，此{victim}少根",
                    )
                }
            }
            Hold::False(roots) => {
                let each = seeming(roots).map(|(root, why)| {
                    both!(
                        why = self.false_root(capture, root, why), root = piece(root);
                        "{root} guards it in appearance only: {why}",
                        "{root}似为其根，{why}，是假根",
                    )
                });
                Text::joined(each, "; ", "，")
            }
        }
    }

    /// What a real root is short of that does not suffice.
    fn shortage(&self, capture: Move, root: &RootPiece, short: &Shortage) -> Text {
        let (Shortage::TwoWards { ward: at, .. } | Shortage::Opens { square: at, .. }) = short
        else {
            return Text::default();
        };
        // What stands there when it is taken: once the root has come to retake, or on the way there.
        let mut position = self.scene.threat().after(capture);
        if root.costs.first().is_some_and(|next| next.to == *at) {
            for &mv in &root.through {
                position.make(mv);
            }
        }
        let stands = position.id_at(*at).map(|id| piece((id, *at)));
        let stands = stands.unwrap_or_else(|| both!("{at}", "{at}"));
        let root = piece(root_at(root));
        if let Shortage::TwoWards { .. } = short {
            both!(root, stands; "{root} guards {stands} as well", "{root}兼保{stands}")
        } else {
            both!(root, stands; "{root} would lose {stands} by retaking", "{root}吃回则失{stands}")
        }
    }

    /// Why what seems to be a root is none.
    fn false_root(&self, capture: Move, (_, at): Placed, why: &FalseRoot) -> Text {
        match why {
            FalseRoot::Pinned { by } => {
                let goes = if is_stuck(self.m, capture, at) {
                    both!("leave", "一动")
                } else {
                    both!("retake", "吃回")
                };
                match exposed(self.m, capture, by) {
                    Exposed::To(by) => both!(
                        goes, by = piece(by);
                        "it cannot {goes} without {by} giving check",
                        "{goes}即被{by}照将",
                    ),
                    Exposed::ToKing => both!(
                        goes;
                        "it cannot {goes} without the kings facing",
                        "{goes}则将帅照面"
                    ),
                    Exposed::Somehow => {
                        both!(goes; "it cannot {goes} without exposing its king", "{goes}即送将")
                    }
                }
            }
            FalseRoot::ExposesKing { by } => match exposed(self.m, capture, by) {
                Exposed::To(by) => {
                    both!(by = piece(by); "{by} covers the square", "吃回即自入{by}口下")
                }
                Exposed::ToKing => both!("the kings would face", "吃回则将帅照面"),
                Exposed::Somehow => both!("the square is covered", "吃回即送将"),
            },
            FalseRoot::AnswersNoCheck { .. } => both!("retaking answers no check", "吃回不能应将"),
            FalseRoot::Unscreened { .. } => both!("its screen is gone then", "吃后炮架已失"),
            FalseRoot::Mated { line } if line.len() <= 1 => {
                both!("retaking, it is mated", "吃回即被将死")
            }
            FalseRoot::Mated { line: mate } => {
                let play = mate_after_retake(self.scene, capture, at, mate);
                both!(
                    mate = line(&play, 0);
                    "retaking, it is mated by checks ({mate})",
                    "吃回则被连将成杀（{mate}）",
                )
            }
            FalseRoot::LostToChecks { line } if takes_another(line, capture.to) => {
                both!(
                    "retaking, it lets as much fall elsewhere by checks",
                    "吃回则他子被连将抽去"
                )
            }
            FalseRoot::LostToChecks { .. } => {
                both!("retaking, it is won back by checks", "吃回即被连将抽回")
            }
        }
    }

    /// What stood before the move.
    fn newness(&self, threat: &Threat, how: Came) -> Text {
        let scene = self.scene;
        let (captor, Text { zh: victim, .. }) = kinds_of(threat.attack());
        let takes = takes(threat.captor);
        let aside = both!("the check left aside, ", "不计所受之将，").only_if(scene.answers_check);
        // What was level then is less than what is won now.
        let less = both!(", which was less", "，所得少于走动后");
        match stood_before(scene, threat) {
            Stood::Apart => both!(
                captor;
                "before the move the {captor} did not bear on it",
                "走动前此{captor}{takes}不到此{victim}",
            ),
            Stood::OthersVain => both!(
                captor;
                "before the move the {captor} did not bear on it, and what did could not win it",
                "走动前此{captor}{takes}不到此{victim}，他子虽对此{victim}，吃之并无所得",
            ),
            Stood::OtherLess(other, line) => {
                let play = Play::new(&scene.before, line.moves());
                let taking = capture(other);
                let by = scene.before.id_at(other.from);
                let by = by.map_or_else(String::new, |by| piece((by, other.from)).zh);
                both!(
                    aside, captor, fails = self.failure(&play, 1, line.end, true), less = less.only_if(line.win.is_some());
                    "{aside}before the move the {captor} did not bear on it, and {taking} {fails}{less}",
                    "{aside}走动前此{captor}{takes}不到此{victim}，{by}若吃此{victim}，{fails}{less}",
                )
            }
            Stood::Vain => both!(
                captor;
                "before the move the {captor} bore on it but won nothing",
                "走动前此{captor}虽对此{victim}，不能得利",
            ),
            Stood::Held => both!(
                captor;
                "before the move the {captor} could not leave its line to take it",
                "走动前此{captor}不能离线，吃不得此{victim}",
            ),
            // Another piece may have won it.
            Stood::Safe => both!(
                captor;
                "before the move the {captor} could not win it",
                "走动前此{captor}得不到此{victim}",
            ),
            Stood::Refuted(taking, line) => {
                let play = Play::new(&scene.before, line.moves());
                let taking = capture(taking);
                let hung = self.hung(threat, how);
                both!(
                    aside, hung, fails = self.failure(&play, 1, line.end, true), less = less.only_if(line.win.is_some());
                    "{aside}before the move{hung} {taking} {fails}{less}",
                    "{aside}走动前{hung}若吃{victim}，{fails}{less}",
                )
            }
        }
    }

    /// That the piece which moves was in danger until then: 此马受攻, and of one that goes by the captor's name e4之马受攻.
    fn hung(&self, threat: &Threat, how: Came) -> Text {
        let from = self.scene.mv.from;
        let (kind, captor) = (kind(self.scene.mover), kind(threat.captor));
        let which = if kind.zh == captor.zh {
            both!(kind; "the {kind} on {from}", "{from}之{kind}")
        } else {
            both!(kind; "this {kind}", "此{kind}")
        };
        both!(which; ", {which} being attacked,", "{which}受攻，").only_if(how == Came::Dodge)
    }

    fn by_checks(&self, gain: &ByChecks, first: bool) -> Text {
        let play = Play::new(self.scene.threat(), gain.line.moves());
        let fruit = if play.mates() {
            both!("material or mate", "得子或成杀")
        } else {
            balance(&play)
        };
        let level = match (gain.line.win, play.last_captor()) {
            (Some(win), Some(captor)) if !play.mates() => self.level(win, &kind(captor)),
            _ => Text::default(),
        };
        let (side, after) = (self.scene.side.en(), self.after(first).en);
        let mv = self.mv().zh;
        both!(
            line = line(&play, 0), fruit = Text::joined([fruit, level], ", ", "，"), less = self.less_before(gain);
            "{after}{side} threatens to win by checks ({line}), {fruit}; {less}",
            "{mv}后，下一着起可照将抽吃：{line}，{fruit}；{less}",
        )
    }

    /// Why less was to be won by checks before the move.
    fn less_before(&self, gain: &ByChecks) -> Text {
        match less_before(self.scene, gain) {
            Less::NoSuchCheck => both!(
                "before the move that check could not be given",
                "走动前尚不能如此照将"
            ),
            Less::Foiled(answer) => {
                let side = self.scene.side.opponent().zh();
                both!(
                    answer = line(&answer, 0);
                    "before the move {answer} would have answered that check, and left less to be won",
                    "走动前若如此照将，{side}可应以{answer}，得不到这许多",
                )
            }
            Less::Spoilt(then, from, end) => both!(
                fails = self.failure(&then, from, end, true);
                "before the move that {fails}",
                "走动前若如此抽吃，{fails}",
            ),
            Less::Ends(then, next) => both!(
                then = line(&then, 0), next = step(&next);
                "before the move, after {then}, {next} was not there",
                "走动前若如此照将，{then}之后，不能续走{next}",
            ),
            Less::Somehow => both!(
                "before the move checks could not win material like that",
                "走动前连将不能如此得子"
            ),
        }
    }

    pub(super) fn attack(&self, attack: Attack, first: bool) -> Text {
        let (captor, victim) = parties(attack);
        let (by, kind) = kinds_of(attack);
        let held = self.root(attack.capture, &kind);
        let root = match Hold::of(self.targets, attack.capture.to).root() {
            Root::Rooted => {
                let (kind_en, by_en) = (with_article(&kind.en), with_article(&by.en));
                let (kind, by) = (&kind.zh, &by.zh);
                both!(held; "{held}, but {kind_en} is dearer than {by_en}", "{held}，而{kind}贵于{by}")
            }
            Root::None | Root::False | Root::Under => held,
        };
        let over = self.over(self.scene.threat(), attack.capture, Came::Still);
        let (takes, kind) = (takes(attack.captor), kind.zh);
        both!(
            after = self.after(first), captor, victim, over, root, by;
            "{after}{captor} can take {victim}{over}; {root}; before the move the {by} did not chase it",
            "{after}{captor}可{over}{takes}{victim}，{root}；走动前此{by}未捉此{kind}",
        )
    }

    fn pawn(&self, threat: &Threat) -> Text {
        let at = threat.capture.from;
        let captor = parties(threat.attack()).0.en;
        both!(
            after = self.after(true), kind = kind(threat.captor), victim = parties(threat.attack()).1, profit = self.profit(threat);
            "{after}{captor} can take {victim}; {profit}; a {kind}'s own attack is idle by itself, \
             but both sides attack on every move, and so it counts",
            "{after}此{kind}（{at}）可吃{victim}，{profit}；{kind}自身之捉本属闲着，因双方着着互打，作捉论",
        )
    }
}
