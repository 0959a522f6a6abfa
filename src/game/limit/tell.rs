//! The audit told in both languages.

use super::{Audit, Claim, Consequence, Counting, Since, Unit};
use crate::board::BySide;
use crate::language::{Text, both, capitalised};

/// A number with its word, which takes the plural in English after all but one.
fn many(number: u32, en: &str, zh: &str) -> Text {
    let plural = if number == 1 { "" } else { "s" };
    both!("{number} {en}{plural}", "{number}{zh}")
}

impl Unit {
    fn count(self, number: u32) -> Text {
        match self {
            Self::Rounds => many(number, "round", "回合"),
            Self::Plies if number == 1 => both!("1 ply", "1着"),
            Self::Plies => both!("{number} plies", "{number}着"),
        }
    }
}

impl Consequence {
    /// The consequence in both languages.
    pub fn text(self) -> Text {
        match self {
            Self::Draw => both!("a draw", "判和"),
            Self::MayRuleDraw => both!(
                "the limit is reached: the arbiter may rule a draw unasked",
                "已达自然限着，裁判员可主动判和",
            ),
            Self::PlayOn => both!(
                "the limit is not reached: the game goes on",
                "未达自然限着，继续对局",
            ),
            Self::Foul {
                side,
                minutes,
                technical,
            } => both!(
                side = side.text(), technical = both!("technical ", "技术").only_if(technical);
                "a {technical}foul by {side}, and {minutes} minutes off {side}'s clock; {side} loses if that \
                 runs the clock out, otherwise the game goes on",
                "{side}记{technical}犯规一次，并扣除用时{minutes}分钟；扣时后超时的判负，否则继续对局",
            ),
            Self::Loss { side } => both!(
                side = side.text();
                "{side} loses: another false claim of the natural limit in one stage",
                "{side}在同一阶段再次提出自然限着不成立，判负",
            ),
            Self::GameOver(ended) => both!(
                loser = ended.loser.text(), by = ended.by.text();
                "the game is already over: {loser} lost by {by}",
                "对局已经结束：{loser}被{by}",
            ),
        }
    }
}

/// What the claimant's checks came to.
struct Checks {
    given: u32,
    excess: u32,
    answers: u32,
}

impl Audit {
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

    /// The audit in both languages, a sentence a line.
    pub fn text(&self) -> Vec<Text> {
        let verdict = match (self.consequence, self.claim, self.reached) {
            (Consequence::GameOver(_), ..) => Text::default(),
            (_, Some(_), true) => both!(": the claim is good", "：提出成立"),
            (_, Some(_), false) => both!(": the claim is false", "：提出不成立"),
            (_, None, true) => both!(": the limit is reached", "：已达限着"),
            (_, None, false) => both!(": the limit is not reached", "：未达限着"),
        };
        let since = match self.since {
            Since::FirstMove => both!(
                "Nothing has been captured: counted from the first move",
                "全局无吃子，从第1着起计",
            ),
            Since::Capture { ply, mv } => {
                let number = ply + 1;
                both!(
                    "The last capture was move {number} (`{mv}`): counted from the next",
                    "最后一次吃子为第{number}着`{mv}`，从下一着起计",
                )
            }
        };
        let mut consequence = self.consequence.text();
        consequence.en = capitalised(&consequence.en);
        let played = Unit::Plies.count(u32::try_from(self.plies.len()).unwrap_or(u32::MAX));
        let limit = Text::new(
            self.rule.count.to_string(),
            self.rule.unit.count(self.rule.count).zh,
        );
        vec![
            both!(since, played; "{since}, {played}.", "{since}，共{played}。"),
            self.checks_told(),
            both!(
                count = self.rule.unit.count(self.count), limit, verdict;
                "{count} of {limit}{verdict}.",
                "计{count}，限{limit}{verdict}。",
            ),
            both!(consequence; "{consequence}.", "{consequence}。"),
        ]
    }

    /// The audit in Chinese.
    pub fn zh(&self) -> Vec<String> {
        self.text().into_iter().map(|told| told.zh).collect()
    }

    /// The audit in English.
    pub fn en(&self) -> Vec<String> {
        self.text().into_iter().map(|told| told.en).collect()
    }

    fn checks_told(&self) -> Text {
        let most = self.rule.claimant_checks_counted;
        let Some(claim) = self.claim else {
            let BySide { red, black } = self.if_claimed;
            let red = self.rule.unit.count(red);
            let black = Text::new(black.to_string(), self.rule.unit.count(black).zh);
            return both!(
                red, black;
                "An arbiter's audit: without a claimant no checks are left out. \
                 A claim by Red would count {red}, one by Black {black}.",
                "无人提出，由裁判员审核：提出方将军至多计{most}着之限不适用。\
                 若由红方提出计{red}，若由黑方提出计{black}。",
            );
        };
        let Checks {
            given,
            excess,
            answers,
        } = self.checks_of(claim);
        let (side, gave) = (claim.by.text(), many(given, "check", "着"));
        let mut left = many(excess, "check", "着");
        if excess == 0 {
            return both!(
                side, gave;
                "{side}, who claims, gave {gave}: no more than {most}, all count.",
                "{side}（提出方）将军{gave}，不超过{most}着，全部计入。",
            );
        }
        if answers > 0 {
            let replies = many(answers, "answer", "着");
            left = both!(left, replies; "{left} and {replies}", "{left}及其应着{replies}");
        }
        both!(
            side, gave, left;
            "{side}, who claims, gave {gave}, of which {most} count: {left} left out.",
            "{side}（提出方）将军{gave}，至多计{most}着；超出的{left}不计。",
        )
    }
}
