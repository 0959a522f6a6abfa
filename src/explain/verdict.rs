//! The verdict, and what it rests on, in words.

use super::pattern::{moves_en, moves_zh};
use super::pick::{Force, strength};
use super::targets::rooted_targets;
use super::words::{Language, capitalised, count_en, count_zh, listed, move_zh};
use crate::board::Side;
use crate::classify::Nature;
use crate::definitions::{BothForbidden, ChaseTest, Definitions};
use crate::exchange::{Terms, Work};
use crate::rules::{Ground, Outcome, RuleBook, Situation, Text};
use crate::ruling::{Conduct, Judged, MoveJudged, Standing, called, natures_told};
use std::cell::OnceCell;

/// How a ruling came to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictContext {
    /// Full cycles played; none where a long run is ruled on that is no cycle.
    pub rounds: u32,
    /// How often the position has stood.
    pub occurrences: u32,
    /// Whether a player asked; otherwise the arbiter rules of his own accord.
    pub claimed: bool,
    /// Whether only one period was given, and taken as played so often.
    pub assumed: bool,
    /// After how many of the moves ruled on the side that must change had been ordered to.
    pub ordered: Option<usize>,
}

/// What a verdict is said with.
struct Words<'a> {
    judged: &'a Judged,
    book: &'a RuleBook,
    context: &'a VerdictContext,
    work: &'a Work<'a>,
    /// Looked for once, and told in both languages.
    kinds: OnceCell<(Vec<Kind>, Vec<Kind>)>,
}

/// The verdict with its reasons: what both sides do, what follows, and what if they go on.
pub fn of_verdict(judged: &Judged, book: &RuleBook, context: &VerdictContext) -> Text {
    verdict_within(judged, book, context, &Work::free(None))
}

/// The same as part of a piece of work.
pub fn verdict_within(
    judged: &Judged,
    book: &RuleBook,
    context: &VerdictContext,
    work: &Work<'_>,
) -> Text {
    let words = Words {
        judged,
        book,
        context,
        work,
        kinds: OnceCell::new(),
    };
    let opening = words.opening();
    let verdict = words.verdict();
    if !book.definitions.conduct_is_judged {
        return Text {
            zh: format!("{}：{}", opening.zh, verdict.zh),
            en: format!("{}. {}", opening.en, verdict.en),
        };
    }
    let side = |side| side_text(judged, book, side);
    let (red, black) = (side(Side::Red), side(Side::Black));
    Text {
        zh: format!("{}：{}；{}。{}", opening.zh, red.zh, black.zh, verdict.zh),
        en: format!("{}. {}; {}. {}", opening.en, red.en, black.en, verdict.en),
    }
}

/// The clauses by which one who goes on after an order to change loses.
pub(super) fn afterwards(book: &RuleBook) -> &[String] {
    let row = book.verdicts.get(&Situation::NotChanged);
    row.map_or(&[], |row| row.clauses.as_slice())
}

/// How often the cycle was played, and what follows, without what the sides did.
pub(super) fn outcome_text(
    judged: &Judged,
    book: &RuleBook,
    context: &VerdictContext,
    work: &Work<'_>,
) -> Text {
    let words = Words {
        judged,
        book,
        context,
        work,
        kinds: OnceCell::new(),
    };
    let (opening, verdict) = (words.opening(), words.verdict());
    Text {
        zh: format!("{}：{}", opening.zh, verdict.zh),
        en: format!("{}. {}", opening.en, verdict.en),
    }
}

/// A clause as it is spoken of: 24.3, but 第3条, since a bare 3 counts something.
fn clause_zh(id: &str) -> String {
    if id.chars().all(|c| c.is_ascii_digit()) {
        format!("第{id}条")
    } else {
        id.to_owned()
    }
}

/// What a side's quiet moves count as: 兑属闲，即一打一闲; nothing where they are plainly idle.
fn quiet_zh(natures: &[Nature]) -> String {
    let strikes = natures.iter().filter(|nature| nature.is_strike()).count();
    let named =
        |kind: &Nature| natures.contains(kind) && !kind.is_strike() && *kind != Nature::Idle;
    let named: Vec<_> = Nature::ALL.into_iter().filter(named).collect();
    if named.is_empty() {
        return "，并非着着是打".to_owned();
    }
    let named: Vec<_> = named.iter().map(|nature| nature.zh()).collect();
    let (strikes_zh, quiet_zh) = (count_zh(strikes), count_zh(natures.len() - strikes));
    format!("，{}属闲，即{strikes_zh}打{quiet_zh}闲", named.join("、"))
}

fn in_brackets(clauses: &[String], language_zh: bool) -> String {
    match (clauses.is_empty(), language_zh) {
        (true, _) => String::new(),
        (false, true) => {
            let each: Vec<_> = clauses.iter().map(|id| clause_zh(id)).collect();
            format!("（{}）", each.join("、"))
        }
        (false, false) => format!(" ({})", clauses.join(", ")),
    }
}

fn own(judged: &Judged, side: Side) -> impl Iterator<Item = &MoveJudged> {
    judged.moves.iter().filter(move |m| m.scene.side == side)
}

/// How a move weighs where both sides attack on every move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nature(Nature),
    Force(Force),
}

impl Kind {
    const fn is_weak(self) -> bool {
        matches!(
            self,
            Self::Force(Force::Joint | Force::Under | Force::Rooted)
        )
    }

    fn told(self, language: Language) -> String {
        let (zh, en) = match self {
            Self::Nature(Nature::Check) => ("将", "a check"),
            Self::Nature(_) => ("杀", "a threat of mate"),
            Self::Force(Force::Rook) => ("捉车", "a chase of a rook"),
            Self::Force(Force::Alone) => ("单独捉子", "a chase single-handed"),
            Self::Force(Force::Unrooted) => ("捉无根子", "a chase of an unrooted piece"),
            Self::Force(Force::Joint) => ("联合捉子", "a joint chase"),
            Self::Force(Force::Under) => ("捉少根子", "a chase of an under-rooted piece"),
            Self::Force(Force::Rooted) => ("捉有根子", "a chase of a rooted piece"),
        };
        language.pick(zh, en).to_owned()
    }
}

/// One, two or three.
fn either(parts: &[String]) -> String {
    match parts {
        [init @ .., last] if !init.is_empty() => format!("{} or {last}", init.join(", ")),
        parts => parts.concat(),
    }
}

/// Why moves that all attack are permitted after all.
#[derive(Clone, Copy)]
enum Spared {
    Kill,
    Mixed,
    SeveralVictims,
}

fn same(natures: &[Nature]) -> bool {
    natures.windows(2).all(|pair| pair.first() == pair.last())
}

fn spared(definitions: &Definitions, conduct: &Conduct, natures: &[Nature]) -> Option<Spared> {
    let strikes = natures.iter().all(|nature| nature.is_strike());
    if conduct.standing == Standing::Forbidden || !strikes {
        return None;
    }
    let kills = natures.iter().all(|&nature| nature == Nature::Kill);
    if kills && !definitions.kill_is_attack {
        return Some(Spared::Kill);
    }
    let same = natures.iter().all(|&nature| nature == Nature::Chase);
    Some(if same {
        Spared::SeveralVictims
    } else {
        Spared::Mixed
    })
}

/// What one side does, in both languages.
pub(super) fn side_text(judged: &Judged, book: &RuleBook, side: Side) -> Text {
    let (Some(named), Some(mut natures)) = (
        called(judged.told(), side),
        natures_told(&book.definitions, judged, side),
    ) else {
        let open = own(judged, side).filter(|m| m.finding.nature.is_none());
        let open: Vec<_> = open.map(|m| &m.scene).collect();
        let zh: Vec<_> = open.iter().map(|s| move_zh(&s.before, s.mv)).collect();
        let en: Vec<_> = open.iter().map(|s| s.mv.to_string()).collect();
        return Text {
            zh: format!("{}{}性质未判明", side.zh(), zh.join("、")),
            en: format!("{}'s {} is open", side.en(), listed(&en)),
        };
    };
    // As many as are listed.
    natures.truncate(named.len());
    let zh = moves_zh(&natures);
    let en = moves_en(&natures);
    let Some(conduct) = judged.conduct.as_ref().map(|conduct| &conduct[side]) else {
        return Text {
            zh: format!("{}{zh}", side.zh()),
            en: format!("{}: {en}", side.en()),
        };
    };
    let idle = natures.iter().any(|nature| !nature.is_strike());
    let forbidden = conduct.standing == Standing::Forbidden;
    let fixed = |zh: &str, en| (zh.to_owned(), en);
    let (why_zh, why_en) = match spared(&book.definitions, conduct, &natures) {
        Some(Spared::Kill) => fixed("，要杀不禁", ", threats of mate being allowed"),
        Some(Spared::Mixed) => fixed("，交替不禁", ", which is allowed in turn"),
        Some(Spared::SeveralVictims) => {
            fixed("，所捉不是同一子", ", not of one and the same piece")
        }
        None if forbidden && same(&natures) && natures != named => fixed(
            "，要杀而着着捉同一子",
            ", threatening mate and chasing one and the same piece on every move",
        ),
        None if forbidden && !same(&natures) => fixed("，着着是打", ", attacking on every move"),
        None if idle && natures.iter().any(|nature| nature.is_strike()) => {
            (quiet_zh(&natures), ", not attacking on every move")
        }
        None => fixed("", ""),
    };
    let (zh_standing, en_standing) = match conduct.standing {
        Standing::Forbidden => ("禁止着法", "forbidden"),
        Standing::Permitted => ("允许着法", "permitted"),
    };
    Text {
        zh: format!("{}{zh}{why_zh}，属{zh_standing}", side.zh()),
        en: format!("{}: {en}{why_en} ({en_standing})", side.en()),
    }
}

impl Words<'_> {
    fn opening(&self) -> Text {
        let VerdictContext {
            rounds,
            occurrences,
            claimed,
            assumed,
            ..
        } = *self.context;
        let (zh, en) = if claimed {
            ("经提请裁决", "on a player's claim")
        } else {
            ("由裁判员径行裁决", "the arbiter ruling unasked")
        };
        // Nothing is gone over again where all of it was played since the order.
        if rounds == 0 && self.context.ordered == Some(0) {
            let rounds = self.judged.moves.len() / 2;
            return Text {
                zh: format!("责令变着以后又走了{}个回合，{zh}", count_zh(rounds)),
                en: format!(
                    "{} more rounds were played after the order to change, {en}",
                    capitalised(&count_en(rounds))
                ),
            };
        }
        if rounds == 0 {
            let long = self.book.definitions.irregular_rounds;
            let full = self.book.definitions.pending_count;
            return Text {
                zh: format!(
                    "最近{}个回合的局面反复出现，而没有循环满{}次，{zh}",
                    count_zh(long as usize),
                    count_zh(full as usize)
                ),
                en: format!(
                    "The positions of the last {} rounds keep coming back, though no cycle has been played {} in full, {en}",
                    count_en(long as usize),
                    times(full)
                ),
            };
        }
        let (rounds_zh, stood_zh) = (count_zh(rounds as usize), count_zh(occurrences as usize));
        let (rounds, stood) = (times(rounds), times(occurrences));
        if assumed {
            return Text {
                zh: format!("按已循环{rounds_zh}次、同一局面出现{stood_zh}次计，{zh}"),
                en: format!(
                    "Taken as played {rounds} in full, the position standing {stood}, {en}"
                ),
            };
        }
        Text {
            zh: format!("循环已满{rounds_zh}次，同一局面出现{stood_zh}次，{zh}"),
            en: format!(
                "The cycle has been played {rounds} in full, the position has stood {stood}, {en}"
            ),
        }
    }

    fn verdict(&self) -> Text {
        Text {
            zh: self.zh_verdict(),
            en: self.en_verdict(),
        }
    }

    /// Whether the book asks who does worse where both do what is forbidden.
    fn weighs(&self) -> bool {
        self.book.definitions.both_forbidden != BothForbidden::Draw
    }

    fn zh_verdict(&self) -> String {
        let verdict = &self.judged.verdict;
        let clauses = in_brackets(verdict.cited(self.book, self.context.claimed), true);
        let side = verdict.side.map_or("", Side::zh);
        let other = verdict.side.map_or("", |side| side.opponent().zh());
        let why = match verdict.bound.or(verdict.situation) {
            Some(Situation::OneSidedCheck) => format!("{side}单方面长将"),
            Some(Situation::MutualCheck) => "双方长将".to_owned(),
            Some(Situation::OneForbidden | Situation::NotChanged) | None => String::new(),
            Some(Situation::BothForbidden) => {
                let why = if self.weighs() { "，轻重相当" } else { "" };
                format!("双方均为禁止着法{why}")
            }
            Some(Situation::StrongerAttacks) => {
                let (all, some) = self.forces(Language::Zh);
                format!("双方均为禁止着法，{side}着着为{all}，{other}有{some}，{side}较重")
            }
            Some(Situation::GraverOffence) => {
                format!("双方均为禁止着法，{}", self.graver(verdict.side, true))
            }
            Some(Situation::BothPermitted) => "双方均为允许着法".to_owned(),
            Some(Situation::ConductNotJudged) => "不论双方着法性质".to_owned(),
        };
        let mut why = vec![why];
        if verdict.situation == Some(Situation::NotChanged) {
            why.push(format!("{side}应变着而未变着"));
        }
        let why: String = why
            .iter()
            .filter(|part| !part.is_empty())
            .map(|part| format!("{part}，"))
            .collect();
        match verdict.outcome {
            Outcome::Draw => {
                let unchanged = if verdict.situation == Some(Situation::ConductNotJudged) {
                    ""
                } else {
                    "双方不变，"
                };
                format!("{why}{unchanged}判和{clauses}。{}", self.doubt(true))
            }
            Outcome::Loss => format!("{why}{side}判负{clauses}。{}", self.doubt(true)),
            Outcome::MustChange => {
                let again = self.book.definitions.extra_cycles_after_warning;
                // What is left of it is less where some has been played.
                let since = if self.context.ordered.is_some() {
                    "自责令变着起"
                } else {
                    ""
                };
                let long = self.book.definitions.irregular_rounds_after_warning as usize;
                let after = in_brackets(afterwards(self.book), true);
                let again = match again {
                    0 => "若不变着".to_owned(),
                    _ if self.context.rounds == 0 && long > 0 => {
                        format!("若{since}{}个回合内仍不变", count_zh(long))
                    }
                    _ if self.context.rounds == 0 => "若仍不变".to_owned(),
                    n => format!("若{since}再循环{}次仍不变", count_zh(n as usize)),
                };
                format!(
                    "{why}{side}应立即变着{clauses}；{again}，判负{after}。{}{}",
                    self.doubt(true),
                    self.assertable(true)
                )
            }
            Outcome::None => "尚无须裁决。".to_owned(),
            Outcome::Undetermined => self.undetermined(true),
        }
    }

    fn en_verdict(&self) -> String {
        let verdict = &self.judged.verdict;
        let clauses = in_brackets(verdict.cited(self.book, self.context.claimed), false);
        let side = verdict.side.map_or("", Side::en);
        let other = verdict.side.map_or("", |side| side.opponent().en());
        let why = match verdict.bound.or(verdict.situation) {
            Some(Situation::OneSidedCheck) => format!("{side} alone checks perpetually"),
            Some(Situation::MutualCheck) => "both sides check perpetually".to_owned(),
            Some(Situation::OneForbidden | Situation::NotChanged) | None => String::new(),
            Some(Situation::BothForbidden) => {
                let why = if self.weighs() {
                    ", and neither is worse"
                } else {
                    ""
                };
                format!("what both sides do is forbidden{why}")
            }
            Some(Situation::StrongerAttacks) => {
                let (all, some) = self.forces(Language::En);
                format!(
                    "what both sides do is forbidden, but every move of {side} is {all}, while {other} has {some}"
                )
            }
            Some(Situation::GraverOffence) => format!(
                "what both sides do is forbidden, but {}",
                self.graver(verdict.side, false)
            ),
            Some(Situation::BothPermitted) => "what both sides do is permitted".to_owned(),
            Some(Situation::ConductNotJudged) => "conduct is not looked at".to_owned(),
        };
        let mut why = vec![why];
        if verdict.situation == Some(Situation::NotChanged) {
            why.push(format!("{side} had to change and did not"));
        }
        why.retain(|part| !part.is_empty());
        let why = match why.as_slice() {
            [] => String::new(),
            parts => format!("{}: ", parts.join("; ")),
        };
        let doubt = self.doubt(false);
        match verdict.outcome {
            Outcome::Draw => capitalised(&format!("{why}the game is drawn{clauses}.{doubt}")),
            Outcome::Loss => capitalised(&format!("{why}{side} loses{clauses}.{doubt}")),
            Outcome::MustChange => {
                let long = self.book.definitions.irregular_rounds_after_warning as usize;
                let since = if self.context.ordered.is_some() {
                    ", counted from the order"
                } else {
                    ""
                };
                let again = match self.book.definitions.extra_cycles_after_warning {
                    0 => "if it does not".to_owned(),
                    _ if self.context.rounds == 0 && long > 0 => {
                        format!("if it goes on for {} more rounds{since}", count_en(long))
                    }
                    _ if self.context.rounds == 0 => "if it goes on all the same".to_owned(),
                    1 => format!("if the cycle is played once more{since}"),
                    n => format!(
                        "if the cycle is played {} more times{since}",
                        count_en(n as usize)
                    ),
                };
                let after = in_brackets(afterwards(self.book), false);
                capitalised(&format!(
                    "{why}{side} must change at once{clauses}; {again}, {side} loses{after}.{doubt}{}",
                    self.assertable(false)
                ))
            }
            Outcome::None => "There is nothing to rule on yet.".to_owned(),
            Outcome::Undetermined => self.undetermined(false),
        }
    }

    /// What every move of the side that must change is, and what the other side has among its own (26.9): each kind that occurs.
    fn forces(&self, language: Language) -> (String, String) {
        let (all, some) = self.kinds.get_or_init(|| {
            let side = self.judged.verdict.side;
            side.map_or_else(Default::default, |side| {
                (self.kinds(side, false), self.kinds(side.opponent(), true))
            })
        });
        let told = |kinds: &[Kind], between: &str| {
            let told: Vec<String> = kinds.iter().map(|kind| kind.told(language)).collect();
            language.pick(told.join(between), either(&told))
        };
        (told(all, "或"), told(some, "、"))
    }

    /// The weak kinds among a side's moves, or the others.
    fn kinds(&self, side: Side, weak: bool) -> Vec<Kind> {
        let definitions = &self.book.definitions;
        let mut found: Vec<Kind> = Vec::new();
        for m in own(self.judged, side) {
            let kind = if let Some(nature @ (Nature::Check | Nature::Kill)) = m.finding.nature {
                Some(Kind::Nature(nature))
            } else {
                // Only weak ones are called by what protects their victims.
                let targets = if weak {
                    let work = self.work;
                    rooted_targets(m, Terms { definitions, work })
                } else {
                    Vec::new()
                };
                strength(m, &targets, definitions).map(Kind::Force)
            };
            found.extend(kind.filter(|kind| kind.is_weak() == weak && !found.contains(kind)));
        }
        found
    }

    /// That a plain draw could be asserted, where that would make the moves of the side that must change idle.
    fn assertable(&self, zh: bool) -> String {
        if !self.judged.could_assert_draw(self.book) {
            return String::new();
        }
        let holding = super::grounds::clauses(self.book, &[Ground::Fortress]);
        let clauses = in_brackets(&holding, zh);
        if zh {
            format!(
                "所捉只有士、象，而捉方仅有一个攻击子力：如有人主张此为例和之形，则作闲{clauses}；此处未作此主张。"
            )
        } else {
            format!(
                " It attacks only advisors or elephants, with a single attacking piece: where the ending is asserted to be a plain draw, such moves are idle{clauses}; that has not been asserted here."
            )
        }
    }

    /// Why one of two offences is the graver.
    fn graver(&self, side: Option<Side>, zh: bool) -> String {
        let Some(side) = side else {
            return String::new();
        };
        let level = self
            .judged
            .conduct
            .as_ref()
            .map_or(0, |conduct| conduct[side].level);
        let (of_zh, of_en) = match level {
            4 => ("长将", "checks perpetually"),
            3 => (
                "长捉被马牵制不能离线之车",
                "chases a rook that a horse holds",
            ),
            2 => ("以马、炮长捉车", "chases a rook with horse or cannon"),
            _ => ("所犯", "offends"),
        };
        if zh {
            format!("{}{of_zh}较重", side.zh())
        } else {
            format!("{} {of_en}, which is graver", side.en())
        }
    }

    /// What was left open without bearing on the verdict.
    fn doubt(&self, zh: bool) -> String {
        let open: Vec<_> = self
            .judged
            .moves
            .iter()
            .filter(|m| m.finding.nature.is_none())
            .collect();
        if open.is_empty() {
            return String::new();
        }
        if zh {
            let moves: Vec<_> = open
                .iter()
                .map(|m| move_zh(&m.scene.before, m.scene.mv))
                .collect();
            format!("（{}性质虽未判明，各种可能均得此裁决。）", moves.join("、"))
        } else {
            let moves: Vec<_> = open.iter().map(|m| m.scene.mv.to_string()).collect();
            format!(
                " The nature of {} is open, but whatever it is the verdict is the same.",
                listed(&moves)
            )
        }
    }

    /// Which moves leave the verdict open, and under which budgets.
    fn undetermined(&self, zh: bool) -> String {
        let moves = self.judged.verdict.open.iter().filter_map(|&ply| {
            let m = self.judged.moves.get(ply)?;
            let open = m.finding.open.as_ref()?;
            let chase = self.book.definitions.chase_test != ChaseTest::None;
            let test = if chase { open.test } else { Nature::Kill };
            Some(if zh {
                format!(
                    "{}{}是否为{}，检索{}个局面（限额{}）未判明",
                    m.scene.side.zh(),
                    move_zh(&m.scene.before, m.scene.mv),
                    test.zh(),
                    open.spent,
                    open.budget
                )
            } else {
                format!(
                    "whether {} (ply {ply}) is a {} was not settled within {} positions (limit {})",
                    m.scene.mv,
                    test.id(),
                    open.spent,
                    open.budget
                )
            })
        });
        let moves: Vec<_> = moves.collect();
        if zh {
            format!(
                "{}；各种可能的裁决不一，故不作裁决（待定{}着）。",
                moves.join("；"),
                count_zh(moves.len())
            )
        } else {
            format!(
                "Undetermined: {}, and the verdict depends on it.",
                moves.join("; ")
            )
        }
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{} times", count_en(n as usize)),
    }
}
