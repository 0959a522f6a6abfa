//! The audit told, in Chinese and in English.

use super::{Audit, Claim, Consequence, Counting, Since, Unit};
use crate::board::BySide;

impl Unit {
    const fn zh(self) -> &'static str {
        match self {
            Self::Rounds => "回合",
            Self::Plies => "着",
        }
    }

    const fn en(self) -> (&'static str, &'static str) {
        match self {
            Self::Rounds => ("round", "rounds"),
            Self::Plies => ("ply", "plies"),
        }
    }
}

impl Consequence {
    /// The consequence in Chinese.
    pub fn zh(self) -> String {
        match self {
            Self::Draw => "判和".to_owned(),
            Self::MayRuleDraw => "已达自然限着，裁判员可主动判和".to_owned(),
            Self::PlayOn => "未达自然限着，继续对局".to_owned(),
            Self::Foul {
                side,
                minutes,
                technical,
            } => format!(
                "{}记{}犯规一次，并扣除用时{minutes}分钟；扣时后超时的判负，否则继续对局",
                side.zh(),
                if technical { "技术" } else { "" }
            ),
            Self::Loss { side } => {
                format!("{}在同一阶段再次提出自然限着不成立，判负", side.zh())
            }
            Self::GameOver(ended) => {
                format!("对局已经结束：{}被{}", ended.loser.zh(), ended.by.zh())
            }
        }
    }

    /// The consequence in English.
    pub fn en(self) -> String {
        match self {
            Self::Draw => "a draw".to_owned(),
            Self::MayRuleDraw => {
                "the limit is reached: the arbiter may rule a draw unasked".to_owned()
            }
            Self::PlayOn => "the limit is not reached: the game goes on".to_owned(),
            Self::Foul {
                side,
                minutes,
                technical,
            } => format!(
                "a {}foul by {who}, and {minutes} minutes off {who}'s clock; {who} loses if that \
                 runs the clock out, otherwise the game goes on",
                if technical { "technical " } else { "" },
                who = side.en()
            ),
            Self::Loss { side } => format!(
                "{} loses: another false claim of the natural limit in one stage",
                side.en()
            ),
            Self::GameOver(ended) => {
                format!(
                    "the game is already over: {} lost by {}",
                    ended.loser.en(),
                    ended.by.id()
                )
            }
        }
    }
}

/// A number with its word, which takes the plural after all but one.
fn many(number: u32, (one, more): (&str, &str)) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

const CHECKS: (&str, &str) = ("check", "checks");
const PLIES: (&str, &str) = ("ply", "plies");

/// What the claimant's checks came to.
struct Checks {
    given: u32,
    excess: u32,
    answers: u32,
}

impl Audit {
    fn played(&self) -> u32 {
        u32::try_from(self.plies.len()).unwrap_or(u32::MAX)
    }

    fn checks_of(&self, claim: Claim) -> Checks {
        let mut found = Checks {
            given: self.checks[claim.by],
            excess: 0,
            answers: 0,
        };
        for ply in &self.plies {
            match ply.counting {
                Counting::Counted => {}
                Counting::ExcessCheck { .. } => found.excess += 1,
                Counting::Answer { .. } => found.answers += 1,
            }
        }
        found
    }

    /// The audit told in Chinese, a sentence a line.
    pub fn zh(&self) -> Vec<String> {
        let unit = self.rule.unit.zh();
        let verdict = match (self.consequence, self.claim, self.reached) {
            (Consequence::GameOver(_), ..) => "",
            (_, Some(_), true) => "：提出成立",
            (_, Some(_), false) => "：提出不成立",
            (_, None, true) => "：已达限着",
            (_, None, false) => "：未达限着",
        };
        let since = match self.since {
            Since::FirstMove => "全局无吃子，从第1着起计".to_owned(),
            Since::Capture { ply, mv } => {
                format!("最后一次吃子为第{}着`{mv}`，从下一着起计", ply + 1)
            }
        };
        vec![
            format!("{since}，共{}着。", self.played()),
            self.checks_zh(),
            format!(
                "计{}{unit}，限{}{unit}{verdict}。",
                self.count, self.rule.count
            ),
            format!("{}。", self.consequence.zh()),
        ]
    }

    fn checks_zh(&self) -> String {
        let most = self.rule.claimant_checks_counted;
        let Some(claim) = self.claim else {
            let BySide { red, black } = self.if_claimed;
            let unit = self.rule.unit.zh();
            return format!(
                "无人提出，由裁判员审核：提出方将军至多计{most}着之限不适用。\
                 若由红方提出计{red}{unit}，若由黑方提出计{black}{unit}。"
            );
        };
        let side = claim.by.zh();
        let Checks {
            given,
            excess,
            answers,
        } = self.checks_of(claim);
        match (excess, answers) {
            (0, _) => format!("{side}（提出方）将军{given}着，不超过{most}着，全部计入。"),
            (_, 0) => {
                format!("{side}（提出方）将军{given}着，至多计{most}着；超出的{excess}着不计。")
            }
            _ => format!(
                "{side}（提出方）将军{given}着，至多计{most}着；\
                 超出的{excess}着及其应着{answers}着不计。"
            ),
        }
    }

    /// The audit told in English, a sentence a line.
    pub fn en(&self) -> Vec<String> {
        let verdict = match (self.consequence, self.claim, self.reached) {
            (Consequence::GameOver(_), ..) => "",
            (_, Some(_), true) => ": the claim is good",
            (_, Some(_), false) => ": the claim is false",
            (_, None, true) => ": the limit is reached",
            (_, None, false) => ": the limit is not reached",
        };
        let since = match self.since {
            Since::FirstMove => "Nothing has been captured: counted from the first move".to_owned(),
            Since::Capture { ply, mv } => {
                format!(
                    "The last capture was move {} (`{mv}`): counted from the next",
                    ply + 1
                )
            }
        };
        let consequence = self.consequence.en();
        let mut letters = consequence.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        vec![
            format!("{since}, {}.", many(self.played(), PLIES)),
            self.checks_en(),
            format!(
                "{} of {}{verdict}.",
                many(self.count, self.rule.unit.en()),
                self.rule.count
            ),
            first.into_iter().chain(letters).chain(['.']).collect(),
        ]
    }

    fn checks_en(&self) -> String {
        let most = self.rule.claimant_checks_counted;
        let Some(claim) = self.claim else {
            let BySide { red, black } = self.if_claimed;
            return format!(
                "An arbiter's audit: without a claimant no checks are left out. \
                 A claim by Red would count {}, one by Black {black}.",
                many(red, self.rule.unit.en())
            );
        };
        let side = claim.by.en();
        let Checks {
            given,
            excess,
            answers,
        } = self.checks_of(claim);
        let gave = many(given, CHECKS);
        let left = many(excess, CHECKS);
        match (excess, answers) {
            (0, _) => format!("{side}, who claims, gave {gave}: no more than {most}, all count."),
            (_, 0) => {
                format!("{side}, who claims, gave {gave}, of which {most} count: {left} left out.")
            }
            _ => format!(
                "{side}, who claims, gave {gave}, of which {most} count: {left} and {} left out.",
                many(answers, ("answer", "answers"))
            ),
        }
    }
}
