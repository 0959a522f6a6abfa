//! Exchange, offer, block, follow and idle moves, in English.

use super::{Teller, balance, failure, named, placed};
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
use crate::explain::words::{capture, line_en, listed, piece_en};

impl Teller<'_> {
    pub(super) fn idle(&self, nature: Nature) -> String {
        let scene = self.scene();
        let kind = scene.mover.role().id();
        let dodge = dodged(scene).filter(|_| scene.mover.role() != Role::King);
        let lead = match (scene.answers_check, dodge) {
            (true, _) => format!("With {} the {kind} answers the check", scene.mv),
            (false, Some(from)) => {
                format!(
                    "With {} the {kind} steps away from {}",
                    scene.mv,
                    placed(from)
                )
            }
            (false, None) => format!("With {} the {kind} goes to {}", scene.mv, scene.mv.to),
        };
        let mut parts = vec![lead];
        parts.extend(quiet_effects(self.m).take(2).map(|q| self.quiet(q)));
        let why = telling(self.m);
        parts.extend(why.iter().map(|reason| self.excuse(reason)));
        if let Some((captor, (_, at))) = worthless(self.m) {
            let captor = if captor.0 == scene.mover {
                "it".to_owned()
            } else {
                placed(captor)
            };
            parts.push(format!(
                "the pawn {captor} faces on {at} has not crossed the river and is no material"
            ));
        }
        if parts.len() == 1 {
            parts.push(self.nothing());
        }
        format!("{}: {}.", parts.join("; "), named(nature))
    }

    /// A move that does nothing in particular.
    fn nothing(&self) -> String {
        let scene = self.scene();
        let text = if self.definitions.chase_test == ChaseTest::None {
            "no check is given"
        } else if let Some((own, other)) = faced_anew(scene) {
            let name = if own.0 == scene.mover {
                "it".to_owned()
            } else {
                placed(own)
            };
            return format!(
                "{name} faces {}, either of which may take the other: no chase",
                placed(other)
            );
        } else if bears_on_nothing(scene) {
            "it attacks nothing"
        } else {
            "no new chase arises"
        };
        text.to_owned()
    }

    fn quiet(&self, effect: Quiet) -> String {
        match effect {
            Quiet::Exchange { own, other } => {
                format!(
                    "{} is offered in exchange for {}",
                    placed(own),
                    placed(other)
                )
            }
            Quiet::Offer { taker } => format!("it is offered to {}", placed(taker)),
            Quiet::Block {
                attacker,
                target,
                mate: true,
            } => {
                let way = if mates_on(self.scene(), attacker, target) {
                    "mate"
                } else {
                    "the first of the checks that mate,"
                };
                format!(
                    "it blocks {} on its way to {way} on {target}",
                    placed(attacker)
                )
            }
            Quiet::Block {
                attacker,
                target,
                mate: false,
            } => {
                let target = self
                    .scene()
                    .after
                    .id_at(target)
                    .map_or_else(|| target.to_string(), |id| piece_en(id, target));
                format!("it blocks {} from {target}", placed(attacker))
            }
            Quiet::Follow { target: (id, at) } => {
                format!("it follows the rooted {} on {at}", id.role().id())
            }
        }
    }

    /// Why something that looks like an attack is none.
    fn excuse(&self, reason: &Reason) -> String {
        match reason {
            Reason::KingEvasion => {
                "whatever a king's own move out of check threatens does not count".to_owned()
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
                let play = Play::new(self.scene().threat(), line.moves());
                let why = match why {
                    Uncounted::Floats => "pawns float in value, which makes it no gain",
                    Uncounted::Pawn => "what a pawn takes by itself does not count",
                    Uncounted::Costs => "it costs as much, which makes it no gain",
                };
                format!(
                    "checks could take something ({}, {}), but {why}",
                    line_en(&play, 0),
                    balance(&play)
                )
            }
            Reason::SparedCheck(line) => {
                let play = Play::new(self.scene().threat(), line.moves());
                format!(
                    "a check first would win something ({}), but that is not charged",
                    line_en(&play, 0)
                )
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
        let captor = piece_en(attack.captor, attack.capture.from);
        let victim = piece_en(attack.victim, attack.capture.to);
        match why {
            Sparing::KingOrPawn => format!(
                "{captor} could take {victim}, but a {}'s own attack is not charged",
                attack.captor.role().id()
            ),
            Sparing::Mutual => format!("{captor} and {victim} can take each other"),
            Sparing::Rooted(by) => format!(
                "{captor} faces {victim}, which {} guards",
                piece_en(by, self.scene().threat().square_of(by))
            ),
            Sparing::Existed => format!(
                "{captor} can take {victim}, but that piece was attacked before the move already"
            ),
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
                format!(
                    "{} could take it before the move already",
                    piece_en(by, old.from)
                )
            }
            _ => match made_by_opponent(scene, threat) {
                Some(Made::Opened) => {
                    "the other side's own last move let it, and so it could before this one".to_owned()
                }
                Some(Made::Unguarded) => {
                    "the other side's own last move left it without a guard, and so it could before this one".to_owned()
                }
                None => "so it could before the move".to_owned(),
            },
        };
        let stood = match stands_checked(scene, threat, old) {
            None => stood,
            Some(true) => "the other side's last move put it there, not this one".to_owned(),
            Some(false) => format!("the check left aside, {stood}"),
        };
        let play = Play::accounted(scene.threat(), &threat.line, self.definitions);
        let comes = if play.told() > 1 {
            let mut parts = vec![line_en(&play, 1), balance(&play)];
            parts.extend(self.account(threat, &play));
            parts.retain(|part| !part.is_empty());
            format!(" (then {})", parts.join(", "))
        } else {
            String::new()
        };
        format!(
            "{} can take {}{comes}, but {stood}: from chase to chase, nothing new",
            piece_en(threat.captor, take.from),
            piece_en(threat.victim, take.to),
        )
    }

    fn old_checks(&self, gain: &ByChecks) -> String {
        let play = Play::new(self.scene().threat(), gain.line.moves());
        let when = match (self.scene().answers_check, gain.aside) {
            (true, true) => "before the move, the check left aside",
            (true, false) => "before that check",
            (false, _) => "before the move",
        };
        let had = if gain.was_apart() {
            "each of these could simply be taken"
        } else {
            "as much was there"
        };
        format!(
            "checks could win something ({}), but {had} {when}: from chase to chase, nothing new",
            line_en(&play, 0)
        )
    }

    fn vain(&self, take: Move, line: &Line) -> String {
        let position = self.scene().threat();
        let (Some(captor), Some(victim)) = (position.id_at(take.from), position.id_at(take.to))
        else {
            return String::new();
        };
        let captor = piece_en(captor, take.from);
        let victim = piece_en(victim, take.to);
        let play = Play::new(position, line.moves());
        plain_root(&play, line).map_or_else(
            || {
                let floats = if costs_the_captor(line, self.definitions) {
                    "; it comes out even, and the piece that took first is lost"
                } else if play.gives_pawns() {
                    "; a pawn's value floats, and to give one is no gain"
                } else {
                    ""
                };
                format!(
                    "{captor} faces {victim}, but {} {}{floats}",
                    capture(take),
                    failure(&play, 1, line.end, false)
                )
            },
            |root| format!("{captor} faces {victim}, which {} guards", placed(root)),
        )
    }

    fn fortress(&self, post: Post, captures: &[Move]) -> String {
        let scene = self.scene();
        let victims: Vec<_> = captures
            .iter()
            .filter_map(|mv| scene.threat().id_at(mv.to).map(|id| piece_en(id, mv.to)))
            .collect();
        let why = match post {
            Post::Asserted => "by the arbiter's finding".to_owned(),
            Post::Standard(ending) => format!("by a standard ending ({})", ending.en),
        };
        let attack = if victims.is_empty() {
            "its gain by checks".to_owned()
        } else {
            format!("its attack on {}", listed(&victims))
        };
        format!(
            "{} holds the key point of a plain draw {why}; {attack} is incidental and not charged",
            piece_en(scene.mover, scene.mv.to)
        )
    }
}
