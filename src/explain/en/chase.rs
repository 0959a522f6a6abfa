//! Chases, in English.

use super::{Placed, Teller, balance, failure, placed};
use crate::board::{Move, Role, Square};
use crate::classify::{Attack, ByChecks, Nature, Reason, Scene, Threat};
use crate::exchange::{FalseRoot, Root, Shortage, Win};
use crate::explain::facts::{
    Apart, Came, Falls, Less, Play, Stood, is_held_from_exchange, less_before, mate_after_retake,
    screen, stood_before, threat_came, ward,
};
use crate::explain::pick::{Force, is_alone, is_more, strength, threats};
use crate::explain::targets::{
    Exposed, Hold, exposed, placed as root_at, retaken, seeming, standing,
};
use crate::explain::words::{capture, line_en, listed, piece_en, step_en};

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
                parts.push(self.by_checks(gain, parts.is_empty()));
            } else if let Reason::Attack(attack) = reason {
                parts.push(self.attack(*attack, parts.is_empty()));
            } else if let Reason::PawnUpgrade(threat, _) = reason {
                parts.push(self.pawn(threat));
            }
        }
        let strength = match strength(self.m, self.targets, self.definitions) {
            None => "",
            Some(Force::Rook) => " (of a rook)",
            Some(Force::Alone) => " (single-handed)",
            Some(Force::Unrooted) => " (of an unrooted piece)",
            Some(Force::Joint) => " (joint)",
            Some(Force::Under) => " (of an under-rooted piece)",
            Some(Force::Rooted) => " (of a rooted piece)",
        };
        format!(
            "{}{}{strength}.",
            parts.join("; besides, "),
            self.conclusion(Nature::Chase)
        )
    }

    /// The move, where it is told first.
    fn after(&self, first: bool) -> String {
        let scene = self.scene();
        match (first, scene.answers_check) {
            (true, false) => format!("After {} ", scene.mv),
            (true, true) => format!("After {}, which answers a check, ", scene.mv),
            (false, _) => String::new(),
        }
    }

    /// One piece that is chased: by what, what protects it, what is new.
    fn threat(&self, threat: &Threat, others: &[&Threat], first: bool) -> String {
        let scene = self.scene();
        let take = threat.capture;
        let how = threat_came(scene, threat);
        let joins = how == Came::Partner && !is_alone(self.m, threat);
        let mover = piece_en(scene.mover, scene.mv.to);
        let after = self.after(first);
        let lead = match how {
            Came::RootCut(guard) => format!("{} is shut out, and ", placed(guard)),
            Came::Unscreened(guard) => format!("{} loses its screen, and ", placed(guard)),
            Came::Dodge => format!("{mover} is out of danger, and "),
            Came::Moved
            | Came::Screen
            | Came::Opened
            | Came::Freed(_)
            | Came::Partner
            | Came::Still => String::new(),
        };
        let freed = match how {
            Came::Opened => ", its line opened,".to_owned(),
            Came::Freed(Role::Elephant) => ", its eye freed,".to_owned(),
            Came::Freed(_) => ", its leg freed,".to_owned(),
            Came::Partner if joins => format!(", together with {mover},"),
            Came::Moved
            | Came::Screen
            | Came::RootCut(_)
            | Came::Unscreened(_)
            | Came::Dodge
            | Came::Partner
            | Came::Still => String::new(),
        };
        let over = screen(scene.threat(), take)
            .map_or_else(String::new, |s| format!(" over {}", placed(s)));
        let also = match others {
            [] => String::new(),
            others => {
                let each: Vec<_> = others
                    .iter()
                    .map(|t| piece_en(t.captor, t.capture.from))
                    .collect();
                format!(" (and so can {})", listed(&each))
            }
        };
        format!(
            "{after}{lead}{}{freed} can take {}{over}{also}; {}; {}",
            piece_en(threat.captor, take.from),
            piece_en(threat.victim, take.to),
            self.profit(threat),
            newness(scene, threat)
        )
    }

    /// What protects the victim, and what the exchange comes to.
    fn profit(&self, threat: &Threat) -> String {
        let scene = self.scene();
        let play = Play::accounted(scene.threat(), &threat.line, self.definitions);
        let retaken = retaken(scene, self.targets, threat, &play);
        let shown = retaken.as_ref().unwrap_or(&play);
        let checks = shown.steps.first().is_some_and(|step| step.check);
        let with = if checks { "taking with check; " } else { "" };
        let lead = if retaken.is_some() {
            "if it is retaken"
        } else {
            "then"
        };
        let comes = match (play.mates(), shown.told()) {
            (true, 0 | 1) => "it is mate".to_owned(),
            (true, _) => format!("then {}", line_en(&play, 1)),
            (false, 0 | 1) => String::new(),
            (false, _) => format!("{with}{lead} {}, {}", line_en(shown, 1), balance(shown)),
        };
        let mut parts = vec![self.root(threat.capture, threat.victim.role()), comes];
        parts.extend(self.account(threat, &play));
        if is_held_from_exchange(scene, threat) {
            let role = threat.captor.role().id();
            parts.push(format!(
                "that {role} could not take this one without exposing its king, so that none is offered in exchange"
            ));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    /// Why what comes to no more than it costs counts as a gain.
    fn level(&self, win: Win, captor: &str) -> String {
        let floats = if self.definitions.root_ignore_loss {
            "is left out"
        } else {
            "is no price, as pawns float in value"
        };
        match win {
            Win::Gain => String::new(),
            Win::EvenTrade => {
                format!("an even trade, which counts as a gain because the {captor} survives it")
            }
            Win::LetGo => format!(
                "what is lost falls only because this {captor} guarded or covered it where it stood, and {floats}"
            ),
        }
    }

    /// What falls on the way without being counted, and why the exchange counts as a gain.
    pub(super) fn account(&self, threat: &Threat, play: &Play) -> [String; 2] {
        let captor = threat.captor.role().id();
        let sense = match threat.win {
            Win::Gain if !threat.line.is_worth_more(self.definitions) => {
                "a pawn that falls after the piece is won is no price of it".to_owned()
            }
            Win::Gain => {
                ward(self.scene(), threat, self.definitions).map_or_else(String::new, |lost| {
                    format!(
                        "that {} loses its root thereby makes no difference",
                        placed(lost)
                    )
                })
            }
            Win::EvenTrade | Win::LetGo => self.level(threat.win, captor),
        };
        let aside = play.aside.map_or_else(String::new, |aside| {
            let lost = placed(aside.what);
            let when = match aside.when {
                Falls::AnsweringCheck => "in answer to the check",
                Falls::GivingCheck => "to a check",
                Falls::Otherwise => "on the way",
            };
            match aside.why {
                Apart::Hung => {
                    format!("that {lost} falls {when} is another matter, as it hung already")
                }
                Apart::Ward => {
                    format!("that {lost}, of which this {captor} was the root, falls {when} makes no difference")
                }
                Apart::TakenBack => {
                    format!("that {lost} is taken {when} is another matter, as it can be taken back")
                }
                Apart::NotByThis => {
                    format!("that {lost} falls {when} is another matter, as this capture has not brought it about")
                }
            }
        });
        [aside, sense]
    }

    fn by_checks(&self, gain: &ByChecks, first: bool) -> String {
        let scene = self.scene();
        let play = Play::new(scene.threat(), gain.line.moves());
        let fruit = if play.mates() {
            "material or mate".to_owned()
        } else {
            balance(&play)
        };
        let mut parts = vec![fruit];
        if let (Some(win), Some(captor), false) = (gain.line.win, play.last_captor(), play.mates())
        {
            parts.push(self.level(win, captor.role().id()));
        }
        parts.retain(|part| !part.is_empty());
        let after = self.after(first);
        format!(
            "{after}{} threatens to win by checks ({}), {}; {}",
            scene.side.en(),
            line_en(&play, 0),
            parts.join(", "),
            match less_before(scene, gain) {
                Less::NoSuchCheck => "before the move that check was not to be given".to_owned(),
                Less::Foiled(answer) => format!(
                    "before the move {} would have been enough against that check",
                    line_en(&answer, 0)
                ),
                Less::Spoilt(then, from, end) =>
                    format!("before the move that {}", failure(&then, from, end, true)),
                Less::Ends(then, next) => format!(
                    "before the move, after {}, {} was not there",
                    line_en(&then, 0),
                    step_en(&next)
                ),
                Less::Somehow =>
                    "before the move checks could not win material like that".to_owned(),
            }
        )
    }

    /// What protects a victim.
    fn root(&self, capture: Move, victim: Role) -> String {
        let victim = victim.id();
        match Hold::of(self.targets, capture.to) {
            Hold::None => "nothing guards it".to_owned(),
            Hold::Rooted(root) if root.through.is_empty() => {
                format!("{} guards it", placed(root_at(root)))
            }
            Hold::Rooted(root) => format!("{} guards it through checks", placed(root_at(root))),
            Hold::Under(_, Shortage::Outnumbered { .. }) => {
                format!("the {victim} has fewer roots than attackers")
            }
            Hold::Under(root, Shortage::TwoWards { ward, .. }) => {
                let ward = self.stands(capture, *ward);
                format!(
                    "{} guards {ward} as well, and the {victim} is under-rooted",
                    placed(root_at(root))
                )
            }
            Hold::Under(root, Shortage::Opens { square, .. }) => {
                let lost = self.stands(capture, *square);
                format!(
                    "{} would lose {lost} by retaking, and the {victim} is under-rooted",
                    placed(root_at(root))
                )
            }
            Hold::False(roots) => {
                let told = |root: Placed, why: &FalseRoot| {
                    let why = self.false_root(capture, root, why);
                    format!("{} guards it in appearance only: {why}", placed(root))
                };
                seeming(roots, &told, "; ")
            }
        }
    }

    /// Why what seems to be a root is none.
    fn false_root(&self, capture: Move, (_, at): Placed, why: &FalseRoot) -> String {
        match why {
            FalseRoot::Pinned { by } => match exposed(self.m, capture, by) {
                Exposed::To(by) => format!("it cannot leave without {} giving check", placed(by)),
                Exposed::ToKing => "it cannot leave without the kings facing".to_owned(),
                Exposed::Somehow => "it cannot leave without exposing its king".to_owned(),
            },
            FalseRoot::ExposesKing { by } => match exposed(self.m, capture, by) {
                Exposed::To(by) => format!("{} covers the square", placed(by)),
                Exposed::ToKing => "the kings would face".to_owned(),
                Exposed::Somehow => "the square is covered".to_owned(),
            },
            FalseRoot::AnswersNoCheck { .. } => "retaking answers no check".to_owned(),
            FalseRoot::Unscreened { .. } => "its screen is gone then".to_owned(),
            FalseRoot::Mated { line } if line.len() <= 1 => "retaking, it is mated".to_owned(),
            FalseRoot::Mated { line } => {
                let play = mate_after_retake(self.scene(), capture, at, line);
                format!("retaking, it is mated by checks ({})", line_en(&play, 0))
            }
            FalseRoot::LostToChecks { line }
                if line.last().is_some_and(|mv| mv.to != capture.to) =>
            {
                "retaking, it lets as much fall elsewhere by checks".to_owned()
            }
            FalseRoot::LostToChecks { .. } => "retaking, it is won back by checks".to_owned(),
        }
    }

    /// What stands on a square once the capture has been made.
    fn stands(&self, capture: Move, at: Square) -> String {
        standing(self.m, capture, at).map_or_else(|| at.to_string(), placed)
    }

    pub(super) fn attack(&self, attack: Attack, first: bool) -> String {
        let scene = self.scene();
        let after = self.after(first);
        let held = self.root(attack.capture, attack.victim.role());
        let root = match Hold::of(self.targets, attack.capture.to).root() {
            Root::Rooted => format!(
                "{held}, but a {} is dearer than {} {}",
                attack.victim.role().id(),
                if matches!(attack.captor.role(), Role::Advisor | Role::Elephant) {
                    "an"
                } else {
                    "a"
                },
                attack.captor.role().id()
            ),
            Root::None | Root::False | Root::Under => held,
        };
        let over = screen(scene.threat(), attack.capture)
            .map_or_else(String::new, |s| format!(" over {}", placed(s)));
        format!(
            "{after}{} can take {}{over}; {root}; before the move the {} did not chase it",
            piece_en(attack.captor, attack.capture.from),
            piece_en(attack.victim, attack.capture.to),
            attack.captor.role().id(),
        )
    }

    fn pawn(&self, threat: &Threat) -> String {
        format!(
            "{}{} can take {}; {}; a {}'s own attack is idle by itself, but both sides attack on every move, and so it counts",
            self.after(true),
            piece_en(threat.captor, threat.capture.from),
            piece_en(threat.victim, threat.capture.to),
            self.profit(threat),
            threat.captor.role().id(),
        )
    }
}

/// What stood before the move.
fn newness(scene: &Scene, threat: &Threat) -> String {
    let captor = threat.captor.role().id();
    match stood_before(scene, threat) {
        Stood::Apart => format!("before the move the {captor} did not bear on it"),
        Stood::OthersVain => format!(
            "before the move the {captor} did not bear on it, and what did could not win it"
        ),
        Stood::Vain => format!("before the move the {captor} bore on it but won nothing"),
        Stood::Held => format!("before the move the {captor} could not leave its line to take it"),
        Stood::Safe => "before the move it could not be won".to_owned(),
        Stood::Refuted(taking, line) | Stood::OtherLess(taking, line) => {
            let play = Play::new(&scene.before, line.moves());
            let aside = if scene.answers_check {
                "the check left aside, "
            } else {
                ""
            };
            let apart = if threat.old_relation {
                String::new()
            } else {
                format!("the {captor} did not bear on it, and ")
            };
            // What was level then is less than what is won now.
            let less = if line.win.is_some() {
                ", which was less"
            } else {
                ""
            };
            format!(
                "{aside}before the move {apart}{} {}{less}",
                capture(taking),
                failure(&play, 1, line.end, true)
            )
        }
    }
}
