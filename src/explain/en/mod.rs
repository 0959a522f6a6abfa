//! A finding in English.

mod chase;
mod quiet;

use super::facts::{Came, Placed, Play, checkers, screen};
use super::pick::{attacks, chased, quiet_effect};
use super::words::{count_en, line_en, listed, piece_en, pieces_en};
use crate::board::{Move, PieceId, Role};
use crate::classify::{Nature, Open, Quiet, Reason, Scene};
use crate::definitions::Definitions;
use crate::exchange::{End, RootTarget};
use crate::ruling::MoveJudged;

/// Why the move is what it is.
pub(super) fn tell(m: &MoveJudged, targets: &[RootTarget], definitions: &Definitions) -> String {
    let teller = Teller {
        m,
        targets,
        definitions,
    };
    teller.text()
}

fn placed((id, at): Placed) -> String {
    piece_en(id, at)
}

/// What a line of captures brings.
fn balance(play: &Play) -> String {
    let (won, lost) = (pieces_en(&play.won), pieces_en(&play.lost));
    match (play.won.is_empty(), play.lost.is_empty()) {
        (true, true) => "with nothing won or lost".to_owned(),
        (false, true) => format!("winning {won}"),
        (true, false) => format!("losing {lost}"),
        (false, false) => format!("winning {won} for {lost}"),
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
    targets: &'a [RootTarget],
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
            None => format!("The nature of {} is open.", self.scene().mv),
        }
    }

    /// The nature, with what else the move is.
    fn conclusion(&self, heaviest: Nature) -> String {
        let victims: Vec<_> = chased(self.m).into_iter().map(placed).collect();
        let mut also = Vec::new();
        if heaviest != Nature::Chase && !victims.is_empty() {
            also.push(format!("chases {}", listed(&victims)));
        }
        if let Some(effect) = quiet_effect(self.m) {
            also.push(match effect {
                Quiet::Exchange { own, other } => {
                    format!("offers {} for {}", placed(own), placed(other))
                }
                Quiet::Offer { taker } => format!("offers itself to {}", placed(taker)),
                Quiet::Block { attacker, .. } => format!("blocks {}", placed(attacker)),
                Quiet::Follow { target } => format!("follows {}", placed(target)),
            });
        }
        let nature = named(heaviest);
        if also.is_empty() {
            format!(": {nature}")
        } else {
            let also = listed(&also);
            format!("; it also {also}, and the heaviest effect names it: {nature}")
        }
    }

    fn check(&self) -> String {
        let scene = self.scene();
        let enemy = scene.side.opponent();
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
                    Came::Moved | Came::Screen => format!("{name} attacks {target}{over}"),
                    Came::Freed(Role::Elephant) => {
                        format!("{name}, its eye freed, attacks {target}")
                    }
                    Came::Freed(_) => format!("{name}, its leg freed, attacks {target}"),
                    Came::Opened
                    | Came::RootCut(_)
                    | Came::Unscreened(_)
                    | Came::Partner
                    | Came::Dodge
                    | Came::Still => {
                        format!("{name} is uncovered and attacks {target}{over}")
                    }
                }
            })
            .collect();
        let answering = if scene.answers_check {
            ", which answers a check,"
        } else {
            ""
        };
        let double = if by.len() > 1 { " (double check)" } else { "" };
        format!(
            "After {}{answering} {}{double}{}.",
            scene.mv,
            listed(&each),
            self.conclusion(Nature::Check)
        )
    }

    fn kill(&self) -> String {
        let scene = self.scene();
        let line = self.m.finding.reasons.iter().find_map(Reason::mate);
        let play = Play::new(scene.threat(), line.unwrap_or_default());
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
        // Where a threat of mate is none of what is forbidden, what goes with it counts.
        let attacks = attacks(self.m).filter(|_| !self.definitions.kill_is_attack);
        let attacks: String = attacks
            .map(|attack| format!("; besides, {}", self.attack(attack, false)))
            .collect();
        format!(
            "With {} {} {answering} {how}{attacks}{}.",
            scene.mv,
            scene.side.en(),
            self.conclusion(Nature::Kill)
        )
    }

    fn open(&self, open: &Open) -> String {
        let test = match open.test {
            _ if open.upgrade => {
                "is a pawn's attack that counts, both sides attacking on every move,"
            }
            Nature::Kill => "threatens mate",
            Nature::Check | Nature::Chase | Nature::Follow | Nature::Idle => {
                "threatens to win material"
            }
            Nature::Offer => "offers what can be taken",
            Nature::Exchange => "offers an exchange that can be accepted",
            Nature::Block => "stops a threat of mate",
        };
        let names: Vec<_> = open.candidates.iter().map(|n| named(*n)).collect();
        let outcome = match names.as_slice() {
            [] => "its nature is open".to_owned(),
            [yes, no @ ..] => {
                let so = if open.upgrade { "is" } else { "does" };
                format!("{yes} if it {so}, {} if not", no.join(" or "))
            }
        };
        format!(
            "Whether {} {test} was not settled within {} positions (limit {}): {outcome}.",
            self.scene().mv,
            open.spent,
            open.budget
        )
    }
}

/// Why a line comes to nothing, or would have, by what follows from this move on.
fn failure(play: &Play, from: usize, end: End, would: bool) -> String {
    let rest = line_en(play, from);
    let (is, wins) = if would {
        ("would have been", "would have won")
    } else {
        ("is", "wins")
    };
    match end {
        End::Mated if rest.is_empty() => format!("{is} answered by mate"),
        End::Mated => format!("{is} answered by {rest}, the taker being mated"),
        End::WonBack => format!("{is} won back by checks ({rest}), {}", balance(play)),
        End::Settled | End::Mates if rest.is_empty() => format!("{wins} nothing"),
        End::Settled | End::Mates => format!("{is} answered by {rest}, {}", balance(play)),
    }
}
