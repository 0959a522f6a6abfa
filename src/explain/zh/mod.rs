//! A finding in Chinese.

mod chase;
mod quiet;

use super::facts::{Came, Placed, Play, checkers, screen};
use super::pick::{attacks, chased, quiet_effect};
use super::words::{beside_zh, count_zh, kind_zh, line_zh, move_zh, piece_zh, pieces_zh};
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
    piece_zh(id, at)
}

/// A piece that faces another, with its side where both have one name.
fn facing((id, at): Placed, (other, _): Placed) -> String {
    beside_zh(id, at, other)
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
    targets: &'a [RootTarget],
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

    /// 为将, or 兼捉中象（e7），从重作将: what a heavier move also is.
    fn conclusion(&self, heaviest: Nature) -> String {
        let victims: Vec<_> = chased(self.m).into_iter().map(placed).collect();
        let mut also = Vec::new();
        if heaviest != Nature::Chase && !victims.is_empty() {
            also.push(format!("捉{}", victims.join("、")));
        }
        if let Some(effect) = quiet_effect(self.m) {
            also.push(match effect {
                Quiet::Exchange { own, other } => {
                    format!("以{}邀兑{}", facing(own, other), facing(other, own))
                }
                Quiet::Offer { taker } => format!("献于{}口下", placed(taker)),
                Quiet::Block { attacker, .. } => format!("拦{}", placed(attacker)),
                Quiet::Follow { target } => format!("跟{}", placed(target)),
            });
        }
        let nature = heaviest.zh();
        if also.is_empty() {
            format!("为{nature}")
        } else {
            format!("兼{}，从重作{nature}", also.join("、"))
        }
    }

    fn check(&self) -> String {
        let scene = self.scene();
        let enemy = scene.side.opponent();
        let king = scene.after.king(enemy);
        let target = piece_zh(PieceId::king(enemy), king);
        let by = checkers(self.m);
        let each: Vec<String> = by
            .iter()
            .map(|&((id, at), how)| {
                let name = piece_zh(id, at);
                let over = screen(&scene.after, Move::new(at, king))
                    .map_or_else(String::new, |s| format!("以{}为架", placed(s)));
                match how {
                    Came::Moved => format!("{over}直攻{target}"),
                    Came::Screen => format!("作架，{name}隔此{}攻{target}", kind_zh(scene.mover)),
                    Came::Freed(Role::Elephant) => format!("让开象眼，{name}攻{target}"),
                    Came::Freed(_) => format!("让开马腿，{name}攻{target}"),
                    Came::Opened
                    | Came::RootCut(_)
                    | Came::Unscreened(_)
                    | Came::Partner
                    | Came::Dodge
                    | Came::Still => {
                        format!("闪开，{name}{over}攻{target}")
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
        format!(
            "{answering}{}{}{double}，{}。",
            self.name(),
            each.join("，又"),
            self.conclusion(Nature::Check)
        )
    }

    fn kill(&self) -> String {
        let scene = self.scene();
        let line = self.m.finding.reasons.iter().find_map(Reason::mate);
        let play = Play::new(scene.threat(), line.unwrap_or_default());
        let moves = play.steps.len().div_ceil(2);
        let how = if moves <= 1 {
            format!("下一着{}", line_zh(&play, 0))
        } else {
            format!(
                "下一着起连将，至多{}步成杀：{}",
                count_zh(moves),
                line_zh(&play, 0)
            )
        };
        let answering = if scene.answers_check {
            "应将，同时要杀"
        } else {
            "要杀"
        };
        // Where a threat of mate is none of what is forbidden, what goes with it counts.
        let attacks = attacks(self.m).filter(|_| !self.definitions.kill_is_attack);
        let attacks: String = attacks
            .map(|attack| format!("另{}；", self.attack(attack, false)))
            .collect();
        format!(
            "{}{answering}，{how}；{attacks}{}。",
            self.name(),
            self.conclusion(Nature::Kill)
        )
    }

    /// Why a line comes to nothing, by what follows from this move on.
    fn failure(&self, play: &Play, from: usize, end: End) -> String {
        let rest = line_zh(play, from);
        let side = self.scene().side.opponent().zh();
        match end {
            End::Mated if rest.is_empty() => "即被将死".to_owned(),
            End::Mated => format!("{side}{rest}，反被将死"),
            End::WonBack => format!("{side}连将抽回（{rest}），{}", balance(play)),
            End::Settled | End::Mates if rest.is_empty() => "并无所得".to_owned(),
            End::Settled | End::Mates => format!("{side}{rest}，{}", balance(play)),
        }
    }

    fn open(&self, open: &Open) -> String {
        let test = match open.test {
            _ if open.upgrade => "系兵自身之捉，双方是否着着互打",
            Nature::Kill => "是否要杀",
            Nature::Check | Nature::Chase | Nature::Follow | Nature::Idle => "是否得子",
            Nature::Offer => "是否可吃",
            Nature::Exchange => "是否可兑",
            Nature::Block => "是否拦住对方的杀着",
        };
        let named: Vec<_> = open.candidates.iter().map(|nature| nature.zh()).collect();
        let outcome = match named.as_slice() {
            [] => "性质待定".to_owned(),
            [yes, no @ ..] => format!("是则为{yes}，否则为{}，性质待定", no.join("或")),
        };
        format!(
            "{}{test}，检索{}个局面（限额{}）仍未判明；{outcome}。",
            self.name(),
            open.spent,
            open.budget,
        )
    }
}
