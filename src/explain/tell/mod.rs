//! Why a move is what it is: one walk through what was found, which tells each fact in both languages.

mod chase;
mod quiet;

use super::facts::{Came, Play, checkers, screen};
use super::pick::{attacks, chased, quiet_effect};
use super::words::{
    count, facing, kind, kinds, line, listed, listed_with, move_played, piece, pieces, with_article,
};
use crate::board::{Move, PieceId, Position, Role};
use crate::classify::{Attack, Nature, Open, Quiet, Reason, Scene};
use crate::definitions::Definitions;
use crate::exchange::{End, RootTarget};
use crate::language::{Text, both};
use crate::ruling::MoveJudged;

/// Why the move is what it is.
pub(super) fn tell(m: &MoveJudged, targets: &[RootTarget], definitions: &Definitions) -> Text {
    let teller = Teller {
        m,
        scene: &m.scene,
        targets,
        definitions,
    };
    teller.text()
}

struct Teller<'a> {
    m: &'a MoveJudged,
    scene: &'a Scene,
    targets: &'a [RootTarget],
    definitions: &'a Definitions,
}

impl Teller<'_> {
    fn text(&self) -> Text {
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
            None => both!(mv = self.mv(); "The nature of {mv} is open.", "{mv}的性质未判明。"),
        }
    }

    /// The move.
    fn mv(&self) -> Text {
        move_played(&self.scene.before, self.scene.mv)
    }

    /// The nature, with what else the move is.
    fn conclusion(&self, heaviest: Nature) -> Text {
        let nature = named(heaviest);
        let victims = chased(self.m);
        // Where a chase counts beside it, it has been told, and neither is the graver.
        if self.definitions.chase_counts_beside(Some(heaviest)) && !victims.is_empty() {
            return both!(nature; ": {nature}, and a chase", "为{nature}，兼捉");
        }
        let mut also = Vec::new();
        if heaviest != Nature::Chase && !victims.is_empty() {
            let victims = listed(victims.into_iter().map(piece));
            also.push(both!(victims; "chases {victims}", "捉{victims}"));
        }
        also.extend(quiet_effect(self.m).map(|effect| match effect {
            Quiet::Exchange { own, other } => {
                let (own, other) = facing(own, other);
                both!(own, other; "offers {own} for {other}", "以{own}邀兑{other}")
            }
            Quiet::Offer { taker } => {
                both!(taker = piece(taker); "offers itself to {taker}", "献于{taker}口下")
            }
            Quiet::Block { attacker, .. } => {
                both!(attacker = piece(attacker); "blocks {attacker}", "拦{attacker}")
            }
            Quiet::Follow { target } => {
                both!(target = piece(target); "follows {target}", "跟{target}")
            }
        }));
        if also.is_empty() {
            both!(nature; ": {nature}", "为{nature}")
        } else {
            both!(
                also = listed(also), nature;
                "; it also {also}, and the heaviest effect names it: {nature}",
                "兼{also}，从重作{nature}",
            )
        }
    }

    fn check(&self) -> Text {
        let scene = self.scene;
        let enemy = scene.side.opponent();
        let king = scene.after.king(enemy);
        let target = piece((PieceId::king(enemy), king));
        let by = checkers(self.m);
        let each = by.iter().map(|&(checker, how)| {
            let name = piece(checker);
            let over = self.over(&scene.after, Move::new(checker.1, king), how);
            match how {
                Came::Moved => {
                    let name = name.en;
                    both!(target, over; "{name} attacks {target}{over}", "{over}直攻{target}")
                }
                Came::Screen => both!(
                    name, target, over;
                    "{name} attacks {target}{over}",
                    "作架，{name}{over}攻{target}",
                ),
                Came::Freed(Role::Elephant) => both!(
                    name, target;
                    "{name}, its eye freed, attacks {target}",
                    "让开象眼，{name}攻{target}",
                ),
                Came::Freed(_) => both!(
                    name, target;
                    "{name}, its leg freed, attacks {target}",
                    "让开马腿，{name}攻{target}",
                ),
                Came::Opened
                | Came::RootCut(_)
                | Came::Unscreened(_)
                | Came::Partner
                | Came::Dodge
                | Came::Still => both!(
                    name, target, over;
                    "{name} is uncovered and attacks {target}{over}",
                    "闪开，{name}{over}攻{target}",
                ),
            }
        });
        let each = listed_with(each, "and", "，又");
        let answering =
            both!(", which answers a check,", "应将而反将，").only_if(scene.answers_check);
        let double = both!(" (double check)", "，是双将").only_if(by.len() > 1);
        both!(
            mv = self.mv(), answering, each, double, conclusion = self.conclusion(Nature::Check);
            "After {mv}{answering} {each}{double}{conclusion}.",
            "{answering}{mv}{each}{double}，{conclusion}。",
        )
    }

    fn kill(&self) -> Text {
        let mate = self.m.finding.reasons.iter().find_map(Reason::mate);
        let play = Play::new(self.scene.threat(), mate.unwrap_or_default());
        let mate = line(&play, 0);
        let how = match play.steps.len().div_ceil(2) {
            0 | 1 => both!(mate; "{mate} on the next move", "下一着{mate}"),
            moves => both!(
                moves = count(moves), mate;
                "mate by checks in at most {moves} moves ({mate})",
                "下一着起连将，至多{moves}步成杀：{mate}",
            ),
        };
        let threatens = if self.scene.answers_check {
            both!("answers the check and at once threatens", "应将，同时要杀")
        } else {
            both!("threatens", "要杀")
        };
        // Where a threat of mate is none of what is forbidden, what goes with it counts.
        let attacks = attacks(self.m).filter(|_| !self.definitions.kill_is_attack);
        let attacks = attacks.map(|attack| {
            both!(attack = self.attack(attack, false); "; besides, {attack}", "另{attack}；")
        });
        let side = self.scene.side.en();
        both!(
            mv = self.mv(), threatens, how, attacks = Text::joined(attacks, "", ""), conclusion = self.conclusion(Nature::Kill);
            "With {mv} {side} {threatens} {how}{attacks}{conclusion}.",
            "{mv}{threatens}，{how}；{attacks}{conclusion}。",
        )
    }

    fn open(&self, open: &Open) -> Text {
        let test = match open.test {
            _ if open.upgrade => both!(
                "is a pawn's attack that counts, both sides attacking on every move,",
                "系兵自身之捉，双方是否着着互打"
            ),
            Nature::Kill => both!("threatens mate", "是否要杀"),
            Nature::Check | Nature::Chase | Nature::Follow | Nature::Idle => {
                both!("threatens to win material", "是否得子")
            }
            Nature::Offer => both!("offers what can be taken", "是否可吃"),
            Nature::Exchange => both!("offers an exchange that can be accepted", "是否可兑"),
            Nature::Block => both!("stops a threat of mate", "是否拦住对方的杀着"),
        };
        let outcome = match open.candidates.as_slice() {
            [] => both!("its nature is open", "性质待定"),
            [yes, no @ ..] => {
                let so = if open.upgrade { "is" } else { "does" };
                both!(
                    yes = named(*yes), no = Text::joined(no.iter().map(|no| named(*no)), " or ", "或");
                    "{yes} if it {so}, {no} if not",
                    "是则为{yes}，否则为{no}，性质待定",
                )
            }
        };
        let (spent, budget) = (open.spent, open.budget);
        both!(
            mv = self.mv(), test, outcome;
            "Whether {mv} {test} was not settled within {spent} positions (limit {budget}): {outcome}.",
            "{mv}{test}，检索{spent}个局面（限额{budget}）仍未判明；{outcome}。",
        )
    }

    /// Why a line comes to nothing, or would have, by what follows from this move on.
    fn failure(&self, play: &Play, from: usize, end: End, would: bool) -> Text {
        let rest = line(play, from);
        let side = self.scene.side.opponent().zh();
        let (is, wins) = if would {
            ("would have been", "would have won")
        } else {
            ("is", "wins")
        };
        match end {
            End::Mated if rest.is_empty() => both!("{is} answered by mate", "即被将死"),
            End::Mated => both!(
                rest;
                "{is} answered by {rest}, the taker being mated",
                "{side}{rest}，反被将死",
            ),
            End::WonBack => both!(
                rest, balance = balance(play);
                "{is} won back by checks ({rest}), {balance}",
                "{side}连将抽回（{rest}），{balance}",
            ),
            End::Settled | End::Mates if rest.is_empty() => both!("{wins} nothing", "并无所得"),
            End::Settled | End::Mates => both!(
                rest, balance = balance(play);
                "{is} answered by {rest}, {balance}",
                "{side}{rest}，{balance}",
            ),
        }
    }

    /// The piece a cannon leaps over, which in Chinese goes by its kind where it has just moved there.
    fn over(&self, position: &Position, take: Move, how: Came) -> Text {
        let Some(screen) = screen(position, take) else {
            return Text::default();
        };
        let over = both!(screen = piece(screen); " over {screen}", "以{screen}为架");
        if how == Came::Screen {
            let mover = kind(self.scene.mover).zh;
            return Text::new(over.en, format!("隔此{mover}"));
        }
        over
    }
}

/// What a line of captures brings.
fn balance(play: &Play) -> Text {
    let (won, lost) = (pieces(&play.won), pieces(&play.lost));
    match (won.is_empty(), lost.is_empty()) {
        (true, true) => both!("with nothing won or lost", "子力无得失"),
        (false, true) => both!(won; "winning {won}", "净得{won}"),
        (true, false) => both!(lost; "losing {lost}", "净失{lost}"),
        (false, false) => both!(won, lost; "winning {won} for {lost}", "得{won}失{lost}"),
    }
}

/// A nature, in English with its article.
fn named(nature: Nature) -> Text {
    let en = match nature {
        Nature::Idle => nature.id().to_owned(),
        Nature::Check
        | Nature::Kill
        | Nature::Chase
        | Nature::Exchange
        | Nature::Offer
        | Nature::Block
        | Nature::Follow => with_article(nature.id()),
    };
    Text::new(en, nature.zh())
}

/// The captor and its victim with their squares.
fn parties(attack: Attack) -> (Text, Text) {
    let Move { from, to } = attack.capture;
    facing((attack.captor, from), (attack.victim, to))
}

/// The captor and its victim by their kinds.
fn kinds_of(attack: Attack) -> (Text, Text) {
    kinds(attack.captor, attack.victim)
}

/// 打 for a cannon, 吃 for all others.
const fn takes(captor: PieceId) -> &'static str {
    match captor.role() {
        Role::Cannon => "打",
        Role::King | Role::Advisor | Role::Elephant | Role::Horse | Role::Rook | Role::Pawn => "吃",
    }
}
