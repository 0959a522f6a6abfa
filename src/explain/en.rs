//! A finding in English.

use super::facts::{
    Came, Placed, Play, bears_on_nothing, checkers, dodged, guards, screen, sides, threat_came,
    ward, worthless,
};
use super::pick::{chased, quiet, telling};
use super::words::{capitalised, capture, count_en, line_en, listed, piece_en, pieces_en};
use crate::board::{Move, PieceId, Role};
use crate::classify::{
    Attack, ByChecks, Nature, Open, Pardon, Post, Quiet, Reason, Scene, Strength, Threat,
};
use crate::definitions::{ChaseTest, Definitions};
use crate::exchange::{End, Line, Win};
use crate::ruling::MoveJudged;

/// Why the move is what it is.
pub(super) fn tell(m: &MoveJudged, definitions: &Definitions) -> String {
    let teller = Teller { m, definitions };
    capitalised(&teller.text())
}

fn placed((id, at): Placed) -> String {
    piece_en(id, at)
}

/// What a line of captures brings.
fn balance(play: &Play) -> String {
    match (play.won.is_empty(), play.lost.is_empty()) {
        (true, true) => "with nothing won or lost".to_owned(),
        (false, true) => format!("winning {}", pieces_en(&play.won)),
        (true, false) => format!("losing {}", pieces_en(&play.lost)),
        (false, false) => format!(
            "winning {} for {}",
            pieces_en(&play.won),
            pieces_en(&play.lost)
        ),
    }
}

/// A nature with its article.
fn named(nature: Nature) -> String {
    match nature {
        Nature::Exchange | Nature::Offer => format!("an {}", nature.id()),
        Nature::Idle => "idle".to_owned(),
        Nature::Check | Nature::Kill | Nature::Chase | Nature::Block | Nature::Follow => {
            format!("a {}", nature.id())
        }
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
            None => format!("the nature of {} is open.", self.scene().mv),
        }
    }

    fn threats(&self) -> Vec<(&Threat, Vec<&Threat>)> {
        let threats = self.m.finding.reasons.iter().filter_map(|r| match r {
            Reason::Chase(threat, _) => Some(threat),
            _ => None,
        });
        chased(threats)
    }

    /// What a heavier move also is.
    fn also(&self, heaviest: Nature) -> String {
        let chased = self.threats();
        let victims: Vec<_> = chased
            .iter()
            .map(|(t, _)| piece_en(t.victim, t.capture.to))
            .collect();
        let mut also = Vec::new();
        if heaviest != Nature::Chase && !victims.is_empty() {
            also.push(format!("chases {}", listed(&victims)));
        }
        if let Some(effect) = quiet(self.m) {
            also.push(match effect {
                Quiet::Exchange { own, other } => {
                    format!("offers {} for {}", placed(*own), placed(*other))
                }
                Quiet::Offer { taker } => format!("is offered to {}", placed(*taker)),
                Quiet::Block { attacker, .. } => format!("blocks {}", placed(*attacker)),
                Quiet::Follow { target } => format!("follows {}", placed(*target)),
            });
        }
        if also.is_empty() {
            named(heaviest)
        } else {
            format!(
                "{}, the heaviest of its effects (it also {})",
                named(heaviest),
                listed(&also)
            )
        }
    }

    fn check(&self) -> String {
        let scene = self.scene();
        let enemy = sides(scene).1;
        let king = scene.after.king(enemy);
        let target = piece_en(PieceId::king(enemy), king);
        let by = checkers(self.m);
        let each: Vec<String> = by
            .iter()
            .map(|&((id, at), how)| {
                let over = screen(&scene.after, Move::new(at, king))
                    .map_or_else(String::new, |s| format!(" over {}", placed(s)));
                let name = piece_en(id, at);
                match how {
                    Came::Moved => format!("{name} attacks {target}{over}"),
                    Came::Screen => format!("{name} attacks {target} over the moved piece"),
                    Came::Freed(Role::Elephant) => {
                        format!("{name}, its eye freed, attacks {target}")
                    }
                    Came::Freed(_) => format!("{name}, its leg freed, attacks {target}"),
                    Came::Opened | Came::RootCut(_) | Came::Partner | Came::Dodge | Came::Still => {
                        format!("{name} is uncovered on {target}{over}")
                    }
                }
            })
            .collect();
        let answering = if scene.answers_check {
            "answers the check, and "
        } else {
            "is played, and "
        };
        let double = if by.len() > 1 {
            " (a double check)"
        } else {
            ""
        };
        format!(
            "{} {answering}{}{double}: {}.",
            scene.mv,
            listed(&each),
            self.also(Nature::Check)
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
            format!("{} on the next move", line_en(&play, 0))
        } else {
            format!(
                "mate by checks in at most {} moves ({})",
                count_en(moves),
                line_en(&play, 0)
            )
        };
        let answering = if scene.answers_check {
            "answers the check and at once threatens"
        } else {
            "threatens"
        };
        format!(
            "{} {answering} {how}: {}.",
            scene.mv,
            self.also(Nature::Kill)
        )
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
        let strength = match strengths.iter().max() {
            None => "",
            Some(Strength::Strong) => ", single-handed and of an unrooted piece or a rook",
            Some(Strength::Weak) => ", joint or of a rooted or under-rooted piece",
        };
        format!(
            "{}: {}{strength}.",
            parts.join("; besides, "),
            self.also(Nature::Chase)
        )
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
        let mover = piece_en(scene.mover, scene.mv.to);
        let mut lead = if first {
            format!("after {} ", scene.mv)
        } else {
            String::new()
        };
        lead += &match how {
            Came::RootCut(guard) => format!("{} no longer guards it: ", placed(guard)),
            Came::Partner => format!("together with {mover}, "),
            Came::Dodge => format!("{mover} is out of danger, and "),
            Came::Moved | Came::Screen | Came::Opened | Came::Freed(_) | Came::Still => {
                String::new()
            }
        };
        let over = screen(&scene.threat, take)
            .map_or_else(String::new, |s| format!(" over {}", placed(s)));
        let freed = match how {
            Came::Opened => ", its line opened,",
            Came::Freed(Role::Elephant) => ", its eye freed,",
            Came::Freed(_) => ", its leg freed,",
            Came::Moved
            | Came::Screen
            | Came::RootCut(_)
            | Came::Partner
            | Came::Dodge
            | Came::Still => "",
        };
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
            "{lead}{}{freed} can take {}{over}{also}; {}, and {}",
            piece_en(captor, take.from),
            piece_en(victim, take.to),
            self.profit(threat),
            self.newness(threat)
        )
    }

    /// What protects the victim, and what the exchange comes to.
    fn profit(&self, threat: &Threat) -> String {
        let scene = self.scene();
        let play = Play::new(&scene.threat, threat.line.moves());
        let root = Self::root(scene, threat, &play);
        let comes = if play.mates() {
            format!("then {}", line_en(&play, 1))
        } else if play.steps.len() <= 1 {
            String::new()
        } else {
            format!("then {}, {}", line_en(&play, 1), balance(&play))
        };
        let sense = match threat.win {
            Win::Gain => ward(scene, threat).map_or_else(String::new, |lost| {
                format!(
                    "that it guards {} and so loses it makes no difference",
                    placed(lost)
                )
            }),
            Win::EvenTrade => format!(
                "an even trade that the {} survives, which counts as a gain",
                threat.captor.role().id()
            ),
            Win::RootDuty => format!(
                "what is lost was under attack and guarded by this very {}, and is left out of account",
                threat.captor.role().id()
            ),
        };
        let parts = [root, comes, sense];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    fn root(scene: &Scene, threat: &Threat, play: &Play) -> String {
        let guards = guards(&scene.threat, threat.capture);
        let victim = threat.victim.role().id();
        if play.takes_again() {
            return format!("the {victim} has fewer roots than attackers");
        }
        if let Some(&guard) = guards.legal.first() {
            return if play.retake().is_some() {
                format!("{} guards it, but", placed(guard))
            } else if play.mates() {
                format!("{} guards it, but mate follows", placed(guard))
            } else {
                format!(
                    "{} guards it, but would only lose by retaking",
                    placed(guard)
                )
            };
        }
        guards.pinned.first().map_or_else(
            || "nothing guards it".to_owned(),
            |pinned| {
                let why = pinned.by.map_or_else(
                    || "cannot leave without the kings facing".to_owned(),
                    |by| format!("cannot leave without {} giving check", placed(by)),
                );
                format!(
                    "{} guards it in appearance only: it {why}",
                    placed(pinned.guard)
                )
            },
        )
    }

    /// What stood before the move.
    fn newness(&self, threat: &Threat) -> String {
        let scene = self.scene();
        let captor = threat.captor.role().id();
        if !threat.old_relation {
            return format!("before the move the {captor} did not bear on it");
        }
        let same = Move::new(scene.origin(threat.capture.from), threat.capture.to);
        let Some(line) = &threat.before else {
            return if scene.before.is_legal(same) || scene.answers_check {
                format!("before the move the {captor} bore on it but won nothing")
            } else {
                format!("before the move the {captor} could not leave its line to take it")
            };
        };
        if line.moves().first() != Some(&same) {
            return "before the move it could not be won".to_owned();
        }
        let play = Play::new(&scene.before, line.moves());
        format!(
            "before the move {} {}",
            capture(same),
            Self::failure(&play, line)
        )
    }

    /// Why a capture comes to nothing.
    fn failure(play: &Play, line: &Line) -> String {
        let rest = line_en(play, 1);
        match line.end {
            End::Mated if rest.is_empty() => "leads to mate".to_owned(),
            End::Mated => format!("is answered by {rest}, and the taker is mated"),
            End::WonBack => format!("is won back by checks ({rest}), {}", balance(play)),
            End::Settled | End::Mates if rest.is_empty() => "wins nothing".to_owned(),
            End::Settled | End::Mates => format!("is answered by {rest}, {}", balance(play)),
        }
    }

    fn by_checks(&self, gain: &ByChecks) -> String {
        let scene = self.scene();
        let play = Play::new(&scene.threat, gain.line.moves());
        let fruit = if play.mates() {
            "material or mate".to_owned()
        } else {
            balance(&play)
        };
        format!(
            "{} threatens to win by checks: {}, {fruit}; before the move no checks won as much",
            scene.mv,
            line_en(&play, 0)
        )
    }

    fn attack(&self, attack: &Attack, first: bool) -> String {
        let scene = self.scene();
        let lead = if first {
            format!("after {} ", scene.mv)
        } else {
            String::new()
        };
        let guards = guards(&scene.threat, attack.capture);
        let root = match (guards.legal.first(), guards.pinned.first()) {
            (Some(&guard), _) => format!(
                "{} guards it, but a {} is dearer than a {}",
                placed(guard),
                attack.victim.role().id(),
                attack.captor.role().id()
            ),
            (None, Some(pinned)) => {
                format!("{} cannot retake, a false root", placed(pinned.guard))
            }
            (None, None) => "nothing guards it".to_owned(),
        };
        let over = screen(&scene.threat, attack.capture)
            .map_or_else(String::new, |s| format!(" over {}", placed(s)));
        format!(
            "{lead}{} can take {}{over}; {root}, and before the move it was not chased",
            piece_en(attack.captor, attack.capture.from),
            piece_en(attack.victim, attack.capture.to),
        )
    }

    fn pawn(&self, threat: &Threat) -> String {
        format!(
            "after {} {} can take {}; {}; by itself that is a {}'s own attack and idle, but both sides attack on every move, so it counts",
            self.scene().mv,
            piece_en(threat.captor, threat.capture.from),
            piece_en(threat.victim, threat.capture.to),
            self.profit(threat),
            threat.captor.role().id(),
        )
    }

    fn idle(&self, nature: Nature) -> String {
        let scene = self.scene();
        let dodge = dodged(scene).filter(|_| scene.mover.role() != Role::King);
        let mut parts = vec![match (scene.answers_check, dodge) {
            (true, _) => format!("{} answers the check", scene.mv),
            (false, Some(from)) => format!("{} steps away from {}", scene.mv, placed(from)),
            (false, None) => {
                format!("{} moves the {}", scene.mv, scene.mover.role().id())
            }
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
        let effective = !effects.is_empty();
        parts.extend(effects);
        let why: Vec<_> = telling(self.m)
            .into_iter()
            .map(|r| self.excuse(r))
            .collect();
        let excused = !why.is_empty();
        parts.extend(why);
        if let Some(pawn) = worthless(scene) {
            parts.push(format!(
                "{} has not crossed the river and is no material",
                placed(pawn)
            ));
        } else if !excused && !effective {
            parts.push(self.nothing());
        }
        format!("{}: {}.", parts.join("; "), named(nature))
    }

    /// A move that does nothing in particular.
    fn nothing(&self) -> String {
        if self.definitions.chase_test == ChaseTest::None {
            return "no check is given".to_owned();
        }
        if bears_on_nothing(self.scene()) {
            "it attacks nothing".to_owned()
        } else {
            "no new attack arises".to_owned()
        }
    }

    fn quiet(&self, effect: &Quiet) -> String {
        match effect {
            Quiet::Exchange { own, other } => {
                format!(
                    "{} is offered in exchange for {}",
                    placed(*own),
                    placed(*other)
                )
            }
            Quiet::Offer { taker } => format!("it is offered to {}", placed(*taker)),
            Quiet::Block {
                attacker,
                target,
                mate: true,
            } => format!(
                "it blocks {} on its way to mate on {target}",
                placed(*attacker)
            ),
            Quiet::Block {
                attacker,
                target,
                mate: false,
            } => {
                let target = self
                    .scene()
                    .after
                    .id_at(*target)
                    .map_or_else(|| target.to_string(), |id| piece_en(id, *target));
                format!("it blocks {} from {target}", placed(*attacker))
            }
            Quiet::Follow { target } => format!("it follows the rooted {}", {
                format!("{} on {}", target.0.role().id(), target.1)
            }),
        }
    }

    /// Why something that looks like an attack is none.
    fn excuse(&self, reason: &Reason) -> String {
        let scene = self.scene();
        match reason {
            Reason::KingEvasion => format!(
                "it is the king's own move out of check, now on {}, and whatever it threatens does not count",
                scene.mv.to
            ),
            Reason::Fortress(post, captures) => self.fortress(*post, captures),
            Reason::Pardoned(threat, Pardon::KingOrPawn) => format!(
                "{} could take {} ({}), but a {}'s own attack is not charged",
                piece_en(threat.captor, threat.capture.from),
                piece_en(threat.victim, threat.capture.to),
                capture(threat.capture),
                threat.captor.role().id()
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
        let same = Move::new(scene.origin(threat.capture.from), threat.capture.to);
        let old = threat
            .before
            .as_ref()
            .and_then(|line| line.moves().first().copied())
            .unwrap_or(same);
        let stood = if old == threat.capture {
            "that very capture stood before the move".to_owned()
        } else {
            format!("it could be won before the move, by {}", capture(old))
        };
        format!(
            "{} can take {}, but {stood}: from chase to chase, nothing new",
            piece_en(threat.captor, threat.capture.from),
            piece_en(threat.victim, threat.capture.to),
        )
    }

    fn vain(&self, take: Move, line: &Line) -> String {
        let position = &self.scene().threat;
        let (Some(captor), Some(victim)) = (position.id_at(take.from), position.id_at(take.to))
        else {
            return String::new();
        };
        let play = Play::new(position, line.moves());
        format!(
            "{} faces {}, but {} {}",
            piece_en(captor, take.from),
            piece_en(victim, take.to),
            capture(take),
            Self::failure(&play, line)
        )
    }

    fn fortress(&self, post: Post, captures: &[Move]) -> String {
        let scene = self.scene();
        let victims: Vec<_> = captures
            .iter()
            .filter_map(|mv| scene.threat.id_at(mv.to).map(|id| piece_en(id, mv.to)))
            .collect();
        let why = match post {
            Post::Asserted => {
                "holds the key point of a plain draw by the arbiter's finding".to_owned()
            }
            Post::Standard(ending) => format!(
                "holds the key point of a standard draw ({}: {})",
                ending.zh, ending.en
            ),
        };
        let attack = if victims.is_empty() {
            "its incidental checks".to_owned()
        } else {
            format!("its incidental attack on {}", listed(&victims))
        };
        format!(
            "{} {why}, and {attack} is not charged",
            piece_en(scene.mover, scene.mv.to)
        )
    }

    fn open(&self, open: &Open) -> String {
        let candidates: Vec<_> = open.candidates.iter().map(|n| named(*n)).collect();
        let test = match open.test {
            Nature::Kill => "threatens mate",
            Nature::Check
            | Nature::Chase
            | Nature::Exchange
            | Nature::Offer
            | Nature::Block
            | Nature::Follow
            | Nature::Idle => "threatens to win material",
        };
        let of = candidates
            .split_first()
            .map_or_else(String::new, |(yes, no)| {
                format!("{yes} if it does, {} if not", no.join(" or "))
            });
        format!(
            "whether {} {test} was not settled within {} positions (limit {}): {of}.",
            self.scene().mv,
            open.spent,
            open.budget
        )
    }
}
