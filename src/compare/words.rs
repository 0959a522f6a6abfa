//! What the reports say, in both languages.

use super::cause::Lever;
use super::report::{Archive, Both, Change, ChangeKind, Comparison, Group, Reach};
use super::search::SearchReport;
use crate::classify::Nature;
use crate::explain::{Claim, Language, pattern};
use crate::language::told;
use crate::notation::{Notation, write_move};
use crate::rules::{Outcome, ParameterDoc, ParameterKind};
use crate::ruling::Standing;
use crate::wire::{RulingJson, SideJson, VerdictJson};
use crate::written::plain;

/// What became of an item.
pub(super) fn kind(language: Language, kind: ChangeKind) -> &'static str {
    let (zh, en) = match kind {
        ChangeKind::Flipped => ("改判", "flipped"),
        ChangeKind::Undetermined => ("转为未定", "newly undetermined"),
        ChangeKind::Determined => ("转为可判", "no longer undetermined"),
        ChangeKind::Relabelled => ("改性质", "relabelled"),
    };
    language.pick(zh, en)
}

/// Outcome and side: `Black must change`.
pub(super) fn verdict(language: Language, verdict: &VerdictJson) -> String {
    let side = verdict
        .side
        .map_or("", |side| language.pick(side.zh(), side.en()));
    outcome(language, verdict.outcome, side)
}

/// The same where the side has another name.
fn outcome(language: Language, outcome: Outcome, side: &str) -> String {
    match outcome {
        Outcome::Draw => language.pick("不变判和", "draw").to_owned(),
        Outcome::MustChange => told!(language; "{side}应变着"; "{side} must change"),
        Outcome::Loss => told!(language; "{side}判负"; "{side} loses"),
        Outcome::None => language.pick("无可裁决", "nothing to rule on").to_owned(),
        Outcome::Undetermined => language.pick("未定", "undetermined").to_owned(),
    }
}

/// A nature; `?` where it is open or was not looked for.
pub(super) fn nature(language: Language, nature: Option<Nature>) -> &'static str {
    nature.map_or("?", |nature| language.pick(nature.zh(), nature.id()))
}

/// The nature a ruling gives a move; a dash where it does not speak of it.
pub(super) fn nature_at(language: Language, ruling: &RulingJson, index: usize) -> &'static str {
    match ruling.moves.get(index).and_then(|m| m.nature) {
        None => "–",
        Some(told) => nature(language, told),
    }
}

/// What a line of evidence shows.
pub(super) fn claim(language: Language, claim: Claim) -> &'static str {
    let (zh, en) = match claim {
        Claim::Check => ("将军", "check"),
        Claim::Mate => ("成杀", "mate"),
        Claim::Gain => ("得子", "gain"),
        Claim::Refuted => ("不得子", "refuted"),
        Claim::Existed => ("原有", "existed"),
        Claim::Exempt => ("不计", "exempt"),
    };
    language.pick(zh, en)
}

/// What a side does, and whether it may: `perpetual chase, forbidden`.
pub(super) fn conduct(language: Language, side: &SideJson) -> String {
    let (zh, en) = match side.standing {
        None => ("", ""),
        Some(Standing::Forbidden) => ("，禁止", ", forbidden"),
        Some(Standing::Permitted) => ("，允许", ", permitted"),
    };
    let standing = language.pick(zh, en);
    let pattern = side.pattern.map_or_else(
        || language.pick("未判明", "open").to_owned(),
        |named| language.of(&pattern(named)).to_owned(),
    );
    format!("{pattern}{standing}")
}

/// A list with the separator of the language.
pub(super) fn listed<T: AsRef<str>>(language: Language, items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    items.join(language.pick("、", ", "))
}

/// What a lever is called.
pub(super) fn lever(language: Language, lever: &Lever) -> String {
    match lever {
        Lever::Parameter(key) => ParameterDoc::of(key).map_or_else(
            || (*key).to_owned(),
            |doc| language.pick(doc.zh, doc.en).to_owned(),
        ),
        Lever::Row(situation) => told!(language;
            "裁决：{}", situation.zh();
            "verdict where {}", situation.en()),
    }
}

/// What levers are called that bring something about together.
pub(super) fn levers(language: Language, levers: &[Lever]) -> String {
    let names: Vec<String> = levers
        .iter()
        .map(|lever| self::lever(language, lever))
        .collect();
    names.join(" + ")
}

/// The value of a lever in both books, as it stands in files.
pub(super) fn values(comparison: &Comparison, lever: &Lever) -> Option<Both<String>> {
    let differences = &comparison.differences;
    match lever {
        Lever::Parameter(key) => {
            let change = differences
                .parameters
                .iter()
                .find(|change| change.key == *key)?;
            Some(Both {
                base: plain(&change.from),
                other: plain(&change.to),
            })
        }
        Lever::Row(situation) => {
            let change = differences
                .verdicts
                .iter()
                .find(|change| change.key == *situation)?;
            let outcome = |row: &Option<crate::rules::VerdictRow>| {
                row.as_ref().map_or("-", |row| row.outcome.id()).to_owned()
            };
            Some(Both {
                base: outcome(&change.from),
                other: outcome(&change.to),
            })
        }
    }
}

/// What a value of a lever means, where it is one of several in words.
pub(super) fn meaning(language: Language, lever: &Lever, value: &str) -> Option<&'static str> {
    let Lever::Parameter(key) = lever else {
        return Outcome::from_id(value).map(|o| language.pick(o.zh(), o.en()));
    };
    match ParameterDoc::of(key)?.kind {
        ParameterKind::Choice { values } => values
            .iter()
            .find(|choice| choice.id == value)
            .map(|choice| language.pick(choice.zh, choice.en)),
        ParameterKind::Flag => match value {
            "true" => Some(language.pick("是", "yes")),
            _ => Some(language.pick("否", "no")),
        },
        ParameterKind::Count { .. } => None,
    }
}

/// That several differences bring changes about together.
pub(super) fn together(language: Language, levers: &[Lever]) -> Option<&'static str> {
    let told = language.pick(
        "须各项合在一起方致此。",
        "Only together do these bring it about.",
    );
    (levers.len() > 1).then_some(told)
}

/// What else would bring a change about by itself.
pub(super) fn also_alone(language: Language, change: &Change, group: &Group) -> Option<String> {
    let cause = &change.cause;
    let more = cause
        .levers
        .iter()
        .filter(|lever| !group.levers.contains(lever));
    let more: Vec<String> = more.map(|one| lever(language, one)).collect();
    if !cause.each_alone || more.is_empty() {
        return None;
    }
    Some(told!(language;
        "单独另改此项亦足以致此：{}", more.join("；");
        "each of these brings it about by itself, too: {}", more.join("; ")))
}

/// The moves of a change in Chinese notation, or spelled out for readers of English.
pub(super) fn moves(language: Language, change: &Change) -> Vec<String> {
    let mut position = change.start.clone();
    let mut names = Vec::with_capacity(change.line.len());
    for &mv in &change.line {
        let chinese = write_move(&position, mv, Notation::Chinese);
        let english = write_move(&position, mv, Notation::English);
        names.push(language.pick(chinese, english));
        position.make(mv);
    }
    names
}

/// The reason a ruling gives for a move.
pub(super) fn reason(language: Language, ruling: &RulingJson, index: usize) -> Option<&str> {
    let reason = ruling.moves.get(index)?.reason.as_ref()?;
    Some(language.of(reason))
}

/// A number with its digits in threes.
pub(super) fn number(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut told = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

/// A number and its share of another: `861 (6.6 %)`, in Chinese with the unit between them.
#[expect(clippy::cast_precision_loss, reason = "a share for reading")]
fn share(language: Language, part: u64, unit: &str, whole: u64) -> String {
    let told = number(part);
    let told = language.pick(format!("{told}{unit}"), told.clone());
    if part == 0 || whole == 0 {
        return told;
    }
    let percent = 100.0 * part as f64 / whole as f64;
    let digits = usize::from(percent < 10.0) + usize::from(percent < 0.1);
    match format!("{percent:.digits$}").as_str() {
        "0.00" => told!(language; "{told}（不足0.01%）"; "{told} (less than 0.01 %)"),
        percent => told!(language; "{told}（{percent}%）"; "{told} ({percent} %)"),
    }
}

/// Where a change stands in games.
pub(super) fn places(language: Language, change: &Change) -> Option<String> {
    const SHOWN: usize = 4;
    let place = |place: &super::items::Place| match place.ply {
        Some(ply) => told!(language;
            "{}（第{ply}着后）", place.id;
            "{} (after ply {ply})", place.id),
        None => place.id.clone(),
    };
    let shown: Vec<String> = change.places.iter().take(SHOWN).map(place).collect();
    let games = change.reach.map(|reach| reach.games);
    let all = games.and_then(|games| usize::try_from(games).ok());
    let more = all
        .unwrap_or(change.places.len())
        .saturating_sub(shown.len());
    let told = listed(language, &shown);
    if let Some(reach) = &change.reach
        && !shown.is_empty()
    {
        let (games, positions) = (number(reach.games), number(reach.positions));
        let least = if more > 0 {
            language.pick("，如", ", as in ")
        } else {
            language.pick("：", ": ")
        };
        return Some(told!(language;
            "{games}局，待判局面{positions}个{least}{told}";
            "{}, {}{least}{told}",
            counted(&games, "game"), counted(&positions, "pending position")));
    }
    match (shown.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(told),
        (false, more) => Some(told!(language; "{told}，另{more}处"; "{told} and {more} more")),
    }
}

/// `1 game`, `2 games`.
fn counted(count: &str, what: &str) -> String {
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// How many came out how, in one line.
pub(super) fn counts(language: Language, comparison: &Comparison) -> String {
    let counts = &comparison.counts;
    let all = number(counts.total);
    let mut told: Vec<String> = ChangeKind::ALL
        .into_iter()
        .map(|kind| (self::kind(language, kind), counts.of(kind)))
        .chain([(language.pick("不变", "unchanged"), counts.unchanged)])
        .map(|(name, count)| (name, number(count)))
        .map(|(name, count)| told!(language; "{name}{count}"; "{count} {name}"))
        .collect();
    // Of an archive games are rejected, while positions are counted.
    if comparison.archive.is_none() {
        let errors = number(counts.errors);
        told.push(told!(language; "不能裁{errors}"; "{errors} not judged"));
    }
    told!(language; "共{all}：{}", told.join("，"); "{all} in all: {}", told.join(", "))
}

/// What stands over those that could not be judged.
pub(super) fn unjudged(language: Language, comparison: &Comparison) -> String {
    let (told, all) = (comparison.errors.len(), comparison.counts.errors);
    let heading = language.pick("不能裁者", "Not judged");
    if told >= all {
        return heading.to_owned();
    }
    let all = number(all);
    told!(language;
        "{heading}（共{all}局，列前{told}局）";
        "{heading} (the first {told} of {all} games)")
}

/// How far changes reach.
pub(super) fn reach(language: Language, reach: &Reach) -> String {
    let Reach {
        positions,
        games,
        cycles,
    } = *reach;
    let [games, positions, cycles] = [games, positions, cycles].map(number);
    told!(language;
        "{games}局，待判局面{positions}个，不同循环{cycles}个";
        "{}, {}, {}",
        counted(&games, "game"), counted(&positions, "pending position"),
        counted(&cycles, "different cycle"))
}

/// In what the books differ without its being compared.
pub(super) fn left_out(language: Language, comparison: &Comparison) -> Vec<String> {
    let counting = [
        "pending_unit",
        "pending_count",
        "first_capture_excluded_from_perpetual_check",
    ];
    let differences = &comparison.differences;
    let counts = differences
        .parameters
        .iter()
        .any(|parameter| counting.contains(&parameter.key));
    let counts = counts.then_some(language.pick(
        "两书对何时成为待判局面计法不同，对局中不作比较：一书可裁的循环，均按两书都可裁计。",
        "The books differ in when a position is pending, which is not compared in games: what is pending under one of them is taken as pending under both.",
    ));
    let limit = differences.natural_limit.as_ref().map(|_| {
        language.pick(
            "两书自然限着不同，此项不在比较之列。",
            "The books differ in the natural move limit, which is not compared: `qili limit` tells it of a game.",
        )
    });
    counts.into_iter().chain(limit).map(str::to_owned).collect()
}

/// What archive was looked through, and what came of it.
pub(super) fn archive(language: Language, comparison: &Comparison) -> Vec<String> {
    let Some(archive) = &comparison.archive else {
        return Vec::new();
    };
    let Archive {
        games,
        judged,
        rejected,
        plies,
        repeating,
        ..
    } = *archive;
    let pending = comparison.counts.total as u64;
    let Reach {
        positions,
        games: changed,
        cycles,
    } = archive.reach;
    let cycles = number(cycles);
    let positions = share(language, positions, "个", pending);
    let changed = share(language, changed, "局", games);
    let repeating = share(language, repeating, "局", games);
    let [games, judged, rejected, plies, pending] =
        [games, judged, rejected, plies, pending].map(number);
    let mut told = vec![
        told!(language;
            "棋谱{games}局（裁{judged}局，不能裁{rejected}局；共{plies}着），有待判局面者{repeating}，待判局面计{pending}个。同一局中循环继续，每着之后各为一个待判局面。以下皆按待判局面计数。";
            "An archive of {games} games ({judged} judged, {rejected} rejected; {plies} plies). Games with pending positions: {repeating}; pending positions: {pending}, one after each ply while a repetition goes on. What is counted below is pending positions."),
        told!(language;
            "两书所判不同者：{changed}，待判局面{positions}，不同循环{cycles}个。各项之下仅列数例：先列各种改判各一例，局数多者、子少者在先。";
            "The books make otherwise: games {changed}; pending positions {positions}; different cycles {cycles}. Under each heading only a few are shown: one of each flip first, those of most games and fewest pieces."),
    ];
    if archive.more_cycles {
        told.push(language.pick(
            "循环过多，未尽数分辨：循环数为下限。".to_owned(),
            "There were more cycles than are told apart: the number of cycles is a lower bound."
                .to_owned(),
        ));
    }
    let name = |of| outcome(language, of, language.pick("一方", "one side"));
    let verdicts: Vec<String> = archive
        .verdicts
        .iter()
        .map(|change| {
            let (from, to) = (name(change.outcome.base), name(change.outcome.other));
            let to = if from == to {
                language.pick("另一方".to_owned(), "the other side does".to_owned())
            } else {
                to
            };
            let [positions, games] = [change.positions, change.games].map(number);
            told!(language;
                "{from} → {to}：{games}局，待判局面{positions}个";
                "{from} → {to}: {}, {}",
                counted(&games, "game"), counted(&positions, "pending position"))
        })
        .collect();
    if !verdicts.is_empty() {
        told.push(verdicts.join(language.pick("；", "; ")));
    }
    told
}

/// What was searched, and what was not found.
pub(super) fn search(language: Language, report: &SearchReport) -> Vec<String> {
    let what = report.search;
    let (judged, differing) = (report.judged, report.differing);
    let (cycles, seed) = (what.cycles, what.seed);
    let (min, max) = (what.min_pieces, what.max_pieces);
    let mut told = vec![told!(language;
        "随机循环{judged}个（试{cycles}次，种子{seed}，{min}至{max}子），两书所判不同者{differing}个。以下为各项差异所见之最小局面。";
        "{judged} random cycles ({cycles} tries, seed {seed}, {min} to {max} pieces); the books rule differently on {differing}. The smallest found for each difference between them follows.")];
    if !report.missing.is_empty() {
        let missing: Vec<String> = report.missing.iter().map(Lever::target).collect();
        let missing = listed(language, &missing);
        told.push(told!(language;
            "未见因下列差异而异判者：{missing}。";
            "None was found that turns on: {missing}."));
    }
    told
}
