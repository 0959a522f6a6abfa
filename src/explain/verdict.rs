//! The verdict, and what it rests on, in words.

use super::pattern::moves;
use super::pick::{Force, strength};
use super::targets::rooted_targets;
use super::words::{count, listed, listed_with, move_played, with_article};
use crate::board::Side;
use crate::classify::Nature;
use crate::definitions::{BothForbidden, ChaseTest, Definitions};
use crate::exchange::{Terms, Work};
use crate::language::{Text, both, capitalised};
use crate::rules::{Ground, Outcome, RuleBook, Situation};
use crate::ruling::{Conduct, Judged, MoveJudged, Standing, called, natures_told};

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
    if !book.definitions.conduct_is_judged {
        return outcome_text(judged, book, context, work);
    }
    let words = Words {
        judged,
        book,
        context,
        work,
    };
    let side = |side| side_text(judged, book, side);
    both!(
        opening = words.opening(), red = side(Side::Red), black = side(Side::Black), verdict = words.verdict();
        "{opening}. {red}; {black}. {verdict}",
        "{opening}：{red}；{black}。{verdict}",
    )
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
    };
    both!(
        opening = words.opening(), verdict = words.verdict();
        "{opening}. {verdict}",
        "{opening}：{verdict}",
    )
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
fn quiet(natures: &[Nature]) -> Text {
    let strikes = natures.iter().filter(|nature| nature.is_strike()).count();
    let named =
        |kind: &Nature| natures.contains(kind) && !kind.is_strike() && *kind != Nature::Idle;
    let named: Vec<_> = Nature::ALL.into_iter().filter(named).collect();
    if named.is_empty() {
        return both!(", not attacking on every move", "，并非着着是打");
    }
    let named = named
        .iter()
        .map(|nature| Text::new(nature.id(), nature.zh()));
    both!(
        named = listed(named), strikes = count(strikes), quiet = count(natures.len() - strikes);
        ", {named} being idle, which is {strikes} of attack and {quiet} of none",
        "，{named}属闲，即{strikes}打{quiet}闲",
    )
}

fn in_brackets(clauses: &[String]) -> Text {
    let each = clauses.iter().map(|id| Text::new(id, clause_zh(id)));
    let each = Text::joined(each, ", ", "、");
    both!(each; " ({each})", "（{each}）").only_if(!clauses.is_empty())
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

    fn told(self) -> Text {
        match self {
            Self::Nature(Nature::Check) => both!("a check", "将"),
            Self::Nature(_) => both!("a threat of mate", "杀"),
            Self::Force(Force::Rook) => both!("a chase of a rook", "捉车"),
            Self::Force(Force::Alone) => both!("a chase single-handed", "单独捉子"),
            Self::Force(Force::Unrooted) => both!("a chase of an unrooted piece", "捉无根子"),
            Self::Force(Force::Joint) => both!("a joint chase", "联合捉子"),
            Self::Force(Force::Under) => both!("a chase of an under-rooted piece", "捉少根子"),
            Self::Force(Force::Rooted) => both!("a chase of a rooted piece", "捉有根子"),
        }
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
    let name = side.text();
    let (Some(named), Some(mut natures)) = (
        called(judged.told(), side),
        natures_told(&book.definitions, judged, side),
    ) else {
        let open = own(judged, side).filter(|m| m.finding.nature.is_none());
        return both!(
            name, moves = listed(open.map(played));
            "the nature of {name}'s {moves} is open",
            "{name}{moves}性质未判明",
        );
    };
    // As many as are listed.
    natures.truncate(named.len());
    let moves = moves(&natures);
    let Some(conduct) = judged.conduct.as_ref().map(|conduct| &conduct[side]) else {
        return both!(name, moves; "{name}: {moves}", "{name}{moves}");
    };
    let idle = natures.iter().any(|nature| !nature.is_strike());
    let forbidden = conduct.standing == Standing::Forbidden;
    let why = match spared(&book.definitions, conduct, &natures) {
        Some(Spared::Kill) => both!(", threats of mate being allowed", "，要杀不禁"),
        Some(Spared::Mixed) => both!(", which is allowed in turn", "，交替不禁"),
        Some(Spared::SeveralVictims) => {
            both!(", not of one and the same piece", "，所捉不是同一子")
        }
        None if forbidden && same(&natures) && natures != named => both!(
            ", threatening mate and chasing one and the same piece on every move",
            "，要杀而着着捉同一子"
        ),
        None if forbidden && !same(&natures) => both!(", attacking on every move", "，着着是打"),
        None if idle && natures.iter().any(|nature| nature.is_strike()) => quiet(&natures),
        None => Text::default(),
    };
    let standing = match conduct.standing {
        Standing::Forbidden => both!("forbidden", "禁止着法"),
        Standing::Permitted => both!("permitted", "允许着法"),
    };
    both!(
        name, moves, why, standing;
        "{name}: {moves}{why} ({standing})",
        "{name}{moves}{why}，属{standing}",
    )
}

fn played(m: &MoveJudged) -> Text {
    move_played(&m.scene.before, m.scene.mv)
}

/// The text as English begins a sentence with it.
fn sentence(text: Text) -> Text {
    Text {
        en: capitalised(&text.en),
        ..text
    }
}

impl Words<'_> {
    fn opening(&self) -> Text {
        let VerdictContext {
            rounds,
            occurrences,
            claimed,
            assumed,
            ordered,
        } = *self.context;
        let asked = if claimed {
            both!("on a player's claim", "经提请裁决")
        } else {
            both!("the arbiter ruling unasked", "由裁判员径行裁决")
        };
        // Nothing is gone over again where all of it was played since the order.
        if rounds == 0 && ordered == Some(0) {
            return sentence(both!(
                rounds = count(self.judged.moves.len() / 2), asked;
                "{rounds} more rounds were played after the order to change, {asked}",
                "责令变着以后又走了{rounds}个回合，{asked}",
            ));
        }
        if rounds == 0 {
            let definitions = &self.book.definitions;
            return both!(
                long = count(definitions.irregular_rounds as usize), full = times(definitions.pending_count), asked;
                "The positions of the last {long} rounds keep coming back, though no cycle has been played {full} in full, {asked}",
                "最近{long}个回合的局面反复出现，而没有循环满{full}，{asked}",
            );
        }
        let (rounds, stood) = (times(rounds), times(occurrences));
        if assumed {
            return both!(
                rounds, stood, asked;
                "Taken as played {rounds} in full, the position standing {stood}, {asked}",
                "按已循环{rounds}、同一局面出现{stood}计，{asked}",
            );
        }
        both!(
            rounds, stood, asked;
            "The cycle has been played {rounds} in full, the position has stood {stood}, {asked}",
            "循环已满{rounds}，同一局面出现{stood}，{asked}",
        )
    }

    /// Whether the book asks who does worse where both do what is forbidden.
    fn weighs(&self) -> bool {
        self.book.definitions.both_forbidden != BothForbidden::Draw
    }

    /// What follows, and why.
    fn verdict(&self) -> Text {
        let verdict = &self.judged.verdict;
        let why = self.why();
        let why = both!(why; "{why}: ", "{why}，").only_if(!why.is_empty());
        let clauses = in_brackets(verdict.cited(self.book, self.context.claimed));
        let side = verdict.side.map(Side::text).unwrap_or_default();
        match verdict.outcome {
            Outcome::Draw => {
                let judged = verdict.situation != Some(Situation::ConductNotJudged);
                let unchanged = both!("neither side changing, ", "双方不变，").only_if(judged);
                sentence(both!(
                    why, unchanged, clauses, doubt = self.doubt();
                    "{why}{unchanged}the game is drawn{clauses}.{doubt}",
                    "{why}{unchanged}判和{clauses}。{doubt}",
                ))
            }
            Outcome::Loss => sentence(both!(
                why, side, clauses, doubt = self.doubt();
                "{why}{side} loses{clauses}.{doubt}",
                "{why}{side}判负{clauses}。{doubt}",
            )),
            Outcome::MustChange => {
                let loser = &side.en;
                sentence(both!(
                    why, side, clauses, again = self.again(), after = in_brackets(&self.book.unchanged(verdict.situation)),
                    doubt = self.doubt(), assertable = self.assertable();
                    "{why}{side} must change at once{clauses}; {again}, {loser} loses{after}.{doubt}{assertable}",
                    "{why}{side}应立即变着{clauses}；{again}，判负{after}。{doubt}{assertable}",
                ))
            }
            Outcome::None => both!("There is nothing to rule on yet.", "尚无须裁决。"),
            Outcome::Undetermined => self.undetermined(),
        }
    }

    /// How the conduct of the two sides compares, and that an order to change was not obeyed.
    fn why(&self) -> Text {
        let verdict = &self.judged.verdict;
        let named = |side: Option<Side>| side.map(Side::text).unwrap_or_default();
        let side = named(verdict.side);
        let other = named(verdict.side.map(Side::opponent));
        let why = match verdict.bound.or(verdict.situation) {
            Some(Situation::OneSidedCheck) => {
                both!(side; "{side} alone checks perpetually", "{side}单方面长将")
            }
            Some(Situation::MutualCheck) => both!("both sides check perpetually", "双方长将"),
            Some(Situation::OneForbidden | Situation::NotChanged) | None => Text::default(),
            Some(Situation::BothForbidden) => {
                let level = both!(", and neither is worse", "，轻重相当").only_if(self.weighs());
                both!(level; "what both sides do is forbidden{level}", "双方均为禁止着法{level}")
            }
            Some(Situation::StrongerAttacks) => {
                let (all, some) = self.forces();
                both!(
                    side, all, other, some;
                    "what both sides do is forbidden, but every move of {side} is {all}, while {other} has {some}, and {side} does worse",
                    "双方均为禁止着法，{side}着着为{all}，{other}有{some}，{side}较重",
                )
            }
            Some(Situation::GraverOffence) => both!(
                graver = self.graver();
                "what both sides do is forbidden, but {graver}",
                "双方均为禁止着法，{graver}",
            ),
            Some(Situation::BothPermitted) => {
                both!("what both sides do is permitted", "双方均为允许着法")
            }
            Some(Situation::ConductNotJudged) => {
                both!("conduct is not looked at", "不论双方着法性质")
            }
        };
        let unchanged = both!(side; "{side} had to change and did not", "{side}应变着而未变着");
        let unchanged = unchanged.only_if(verdict.situation == Some(Situation::NotChanged));
        Text::joined([why, unchanged], "; ", "，")
    }

    /// Going on with what makes the side that must change lose.
    fn again(&self) -> Text {
        let definitions = &self.book.definitions;
        let long = definitions.irregular_rounds_after_warning as usize;
        // What is left of it is less where some has been played.
        let since = both!(", counted from the order", "自责令变着起");
        let since = since.only_if(self.context.ordered.is_some());
        match definitions.extra_cycles_after_warning {
            0 => both!("if it does not", "若不变着"),
            _ if self.context.rounds == 0 && long > 0 => both!(
                long = count(long), since;
                "if it goes on for {long} more rounds{since}",
                "若{since}{long}个回合内仍不变",
            ),
            _ if self.context.rounds == 0 => both!("if it goes on all the same", "若仍不变"),
            1 => both!(
                since;
                "if the cycle is played once more{since}",
                "若{since}再循环一次仍不变",
            ),
            n => both!(
                n = count(n as usize), since;
                "if the cycle is played {n} more times{since}",
                "若{since}再循环{n}次仍不变",
            ),
        }
    }

    /// What every move of the side that must change is, and what the other side has among its own (26.9): each kind that occurs.
    fn forces(&self) -> (Text, Text) {
        let told = |side, weak, zh| {
            let kinds = self.kinds(side, weak).into_iter();
            listed_with(kinds.map(Kind::told), "or", zh)
        };
        let side = self.judged.verdict.side;
        side.map_or_else(Default::default, |side| {
            (told(side, false, "或"), told(side.opponent(), true, "、"))
        })
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
    fn assertable(&self) -> Text {
        if !self.judged.could_assert_draw() {
            return Text::default();
        }
        let holding = super::grounds::clauses(self.book, &[Ground::Fortress]);
        let own = self.judged.told().iter();
        let own = own.filter(|m| Some(m.scene.side) == self.judged.verdict.side);
        let idle = own.filter(|m| m.finding.is_idle_if_drawn());
        both!(
            clauses = in_brackets(&holding), moves = listed(idle.map(played));
            " By {moves} it attacks only advisors or elephants, with a single attacking piece: where the ending is asserted \
             to be a plain draw, such moves are idle{clauses}; that has not been asserted here.",
            "{moves}所捉只有士、象，而捉方仅有一个攻击子力：如有人主张此为例和之形，则作闲{clauses}；此处未作此主张。",
        )
    }

    /// Why one of two offences is the graver.
    fn graver(&self) -> Text {
        let Some(side) = self.judged.verdict.side else {
            return Text::default();
        };
        let conduct = self.judged.conduct.as_ref();
        let does = match conduct.map_or(0, |conduct| conduct[side].level) {
            4 => both!("checks perpetually", "长将"),
            3 => both!(
                "chases a rook that a horse holds",
                "长捉被马牵制不能离线之车"
            ),
            2 => both!("chases a rook with horse or cannon", "以马、炮长捉车"),
            _ => both!("offends", "所犯"),
        };
        both!(
            side = side.text(), does;
            "{side} {does}, which is graver",
            "{side}{does}较重",
        )
    }

    /// What was left open without bearing on the verdict.
    fn doubt(&self) -> Text {
        let moves = self.judged.moves.iter();
        let open = moves.filter(|m| m.finding.nature.is_none());
        let moves = listed(open.map(played));
        if moves.is_empty() {
            return moves;
        }
        both!(
            moves;
            " The nature of {moves} is open, but whatever it is the verdict is the same.",
            "（{moves}性质虽未判明，各种可能均得此裁决。）",
        )
    }

    /// Which moves leave the verdict open, and under which budgets.
    fn undetermined(&self) -> Text {
        let moves = self.judged.verdict.open.iter().filter_map(|&ply| {
            let m = self.judged.moves.get(ply)?;
            let open = m.finding.open.as_ref()?;
            let chase = self.book.definitions.chase_test != ChaseTest::None;
            let test = if chase { open.test } else { Nature::Kill };
            let test = Text::new(with_article(test.id()), test.zh());
            let side = m.scene.side.text();
            let (spent, budget) = (open.spent, open.budget);
            Some(both!(
                side, mv = played(m), test;
                "whether {side}'s {mv} is {test} was not settled within {spent} positions (limit {budget})",
                "{side}{mv}是否为{test}，检索{spent}个局面（限额{budget}）未判明",
            ))
        });
        let moves: Vec<Text> = moves.collect();
        both!(
            moves = Text::joined(moves, "; ", "；");
            "Undetermined: {moves}, and the verdict depends on it.",
            "{moves}；各种可能的裁决不一，故不作裁决。",
        )
    }
}

/// 三次; once, twice, three times.
fn times(number: u32) -> Text {
    let count = count(number as usize);
    let en = match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{} times", count.en),
    };
    Text::new(en, format!("{}次", count.zh))
}
