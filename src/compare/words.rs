//! What the reports say, in both languages.

use super::cause::Lever;
use super::report::{Archive, Both, Change, ChangeKind, Comparison, Group, Reach};
use super::search::SearchReport;
use crate::classify::Nature;
use crate::explain::{Claim, Language, pattern_en, pattern_zh};
use crate::notation::{Notation, write_move};
use crate::rules::{Outcome, ParameterDoc, ParameterKind};
use crate::ruling::Standing;
use crate::wire::{RulingJson, SideJson, VerdictJson};
use serde_json::Value;

pub(super) fn pick<T>(language: Language, zh: T, en: T) -> T {
    match language {
        Language::Zh => zh,
        Language::En => en,
    }
}

/// What became of an item.
pub(super) const fn kind(language: Language, kind: ChangeKind) -> &'static str {
    match (language, kind) {
        (Language::Zh, ChangeKind::Flipped) => "改判",
        (Language::Zh, ChangeKind::Undetermined) => "转为未定",
        (Language::Zh, ChangeKind::Determined) => "转为可判",
        (Language::Zh, ChangeKind::Relabelled) => "改性质",
        (Language::En, ChangeKind::Flipped) => "flipped",
        (Language::En, ChangeKind::Undetermined) => "newly undetermined",
        (Language::En, ChangeKind::Determined) => "no longer undetermined",
        (Language::En, ChangeKind::Relabelled) => "relabelled",
    }
}

/// Outcome and side: `Black must change`.
pub(super) fn verdict(language: Language, verdict: &VerdictJson) -> String {
    let side = verdict
        .side
        .map_or("", |side| pick(language, side.zh(), side.en()));
    match (language, verdict.outcome) {
        (Language::Zh, Outcome::Draw) => "不变判和".to_owned(),
        (Language::Zh, Outcome::MustChange) => format!("{side}应变着"),
        (Language::Zh, Outcome::Loss) => format!("{side}判负"),
        (Language::Zh, Outcome::None) => "无可裁决".to_owned(),
        (Language::Zh, Outcome::Undetermined) => "未定".to_owned(),
        (Language::En, Outcome::Draw) => "draw".to_owned(),
        (Language::En, Outcome::MustChange) => format!("{side} must change"),
        (Language::En, Outcome::Loss) => format!("{side} loses"),
        (Language::En, Outcome::None) => "nothing to rule on".to_owned(),
        (Language::En, Outcome::Undetermined) => "undetermined".to_owned(),
    }
}

/// A nature; `?` where it is open or was not looked for.
pub(super) const fn nature(language: Language, nature: Option<Nature>) -> &'static str {
    match (language, nature) {
        (_, None) => "?",
        (Language::Zh, Some(nature)) => nature.zh(),
        (Language::En, Some(nature)) => nature.id(),
    }
}

/// The nature a ruling gives a move; a dash where it does not speak of it.
pub(super) fn nature_at(language: Language, ruling: &RulingJson, index: usize) -> &'static str {
    match ruling.moves.get(index).and_then(|m| m.nature) {
        None => "–",
        Some(told) => nature(language, told),
    }
}

/// What a line of evidence shows.
pub(super) const fn claim(language: Language, claim: Claim) -> &'static str {
    match (language, claim) {
        (Language::Zh, Claim::Check) => "将军",
        (Language::Zh, Claim::Mate) => "成杀",
        (Language::Zh, Claim::Gain) => "得子",
        (Language::Zh, Claim::Refuted) => "不得子",
        (Language::Zh, Claim::Existed) => "原有",
        (Language::Zh, Claim::Exempt) => "不计",
        (Language::En, Claim::Check) => "check",
        (Language::En, Claim::Mate) => "mate",
        (Language::En, Claim::Gain) => "gain",
        (Language::En, Claim::Refuted) => "refuted",
        (Language::En, Claim::Existed) => "existed",
        (Language::En, Claim::Exempt) => "exempt",
    }
}

/// What a side does, and whether it may: `perpetual chase, forbidden`.
pub(super) fn conduct(language: Language, side: &SideJson) -> String {
    let pattern = side.pattern;
    let standing = match (language, side.standing) {
        (_, None) => "",
        (Language::Zh, Some(Standing::Forbidden)) => "，禁止",
        (Language::Zh, Some(Standing::Permitted)) => "，允许",
        (Language::En, Some(Standing::Forbidden)) => ", forbidden",
        (Language::En, Some(Standing::Permitted)) => ", permitted",
    };
    let pattern = pattern.map_or_else(
        || pick(language, "未判明", "open").to_owned(),
        |pattern| pick(language, pattern_zh(pattern), pattern_en(pattern)),
    );
    format!("{pattern}{standing}")
}

/// A list with the separator of the language.
pub(super) fn listed<T: AsRef<str>>(language: Language, items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    items.join(pick(language, "、", ", "))
}

/// What a lever is called.
pub(super) fn lever(language: Language, lever: &Lever) -> String {
    match lever {
        Lever::Parameter(key) => ParameterDoc::of(key).map_or_else(
            || (*key).to_owned(),
            |doc| pick(language, doc.zh, doc.en).to_owned(),
        ),
        Lever::Row(situation) => pick(
            language,
            format!("裁决：{}", situation.zh()),
            format!("verdict where {}", situation.en()),
        ),
    }
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
            let plain = |value: &Value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            };
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
        return Outcome::from_id(value).map(|o| pick(language, o.zh(), o.en()));
    };
    match ParameterDoc::of(key)?.kind {
        ParameterKind::Choice { values } => values
            .iter()
            .find(|choice| choice.id == value)
            .map(|choice| pick(language, choice.zh, choice.en)),
        ParameterKind::Flag => match value {
            "true" => Some(pick(language, "是", "yes")),
            _ => Some(pick(language, "否", "no")),
        },
        ParameterKind::Count { .. } => None,
    }
}

/// That several differences bring changes about together.
pub(super) fn together(language: Language, levers: &[Lever]) -> Option<&'static str> {
    let told = pick(
        language,
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
    Some(pick(
        language,
        format!("单独另改此项亦足以致此：{}", more.join("；")),
        format!(
            "each of these brings it about by itself, too: {}",
            more.join("; ")
        ),
    ))
}

/// The moves of a change in Chinese notation, or spelled out for readers of English.
pub(super) fn moves(language: Language, change: &Change) -> Vec<String> {
    let mut position = change.start.clone();
    let mut names = Vec::with_capacity(change.line.len());
    for &mv in &change.line {
        let chinese = write_move(&position, mv, Notation::Chinese);
        let english = write_move(&position, mv, Notation::English);
        names.push(pick(language, chinese, english));
        position.make(mv);
    }
    names
}

/// The reason a ruling gives for a move.
pub(super) fn reason(language: Language, ruling: &RulingJson, index: usize) -> Option<&str> {
    let reason = ruling.moves.get(index)?.reason.as_ref()?;
    Some(language.of(reason))
}

/// Where a change stands in games.
pub(super) fn places(language: Language, change: &Change) -> Option<String> {
    const SHOWN: usize = 4;
    let place = |place: &super::items::Place| match place.ply {
        Some(ply) => pick(
            language,
            format!("{}（第{ply}着后）", place.id),
            format!("{} (after ply {ply})", place.id),
        ),
        None => place.id.clone(),
    };
    let shown: Vec<String> = change.places.iter().take(SHOWN).map(place).collect();
    let all = change
        .reach
        .and_then(|reach| usize::try_from(reach.positions).ok());
    let more = all
        .unwrap_or(change.places.len())
        .saturating_sub(shown.len());
    let told = listed(language, &shown);
    match (shown.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(told),
        (false, more) => Some(pick(
            language,
            format!("{told}，另{more}处"),
            format!("{told} and {more} more"),
        )),
    }
}

/// How many came out how, in one line.
pub(super) fn counts(language: Language, counts: &super::report::Counts) -> String {
    let super::report::Counts {
        total,
        unchanged,
        flipped,
        relabelled,
        undetermined,
        determined,
        errors,
    } = *counts;
    pick(
        language,
        format!(
            "共{total}：改判{flipped}，改性质{relabelled}，转为未定{undetermined}，转为可判{determined}，不变{unchanged}，不能裁{errors}"
        ),
        format!(
            "{total} in all: {flipped} flipped, {relabelled} relabelled, {undetermined} newly undetermined, {determined} no longer undetermined, {unchanged} unchanged, {errors} not judged"
        ),
    )
}

/// How far changes reach.
pub(super) fn reach(language: Language, reach: &Reach) -> String {
    let Reach {
        positions,
        games,
        cycles,
    } = *reach;
    pick(
        language,
        format!("{games}局，待判局面{positions}个，不同循环{cycles}个"),
        format!("{games} games, {positions} pending positions, {cycles} different cycles"),
    )
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
    let (pending, reached) = (comparison.counts.total, reach(language, &archive.reach));
    let mut told = vec![
        pick(
            language,
            format!(
                "棋谱{games}局（裁{judged}局，不能裁{rejected}局；共{plies}着），其中{repeating}局有待判局面，计{pending}个。以下皆按待判局面计数。"
            ),
            format!(
                "An archive of {games} games ({judged} judged, {rejected} rejected; {plies} plies); {repeating} of them have {pending} pending positions. What is counted below is pending positions."
            ),
        ),
        pick(
            language,
            format!("两书所判不同者：{reached}。各项之下仅列数例，局数多者、子少者在先。"),
            format!(
                "The books make otherwise: {reached}. Under each heading only a few are shown, those of most games and fewest pieces first."
            ),
        ),
    ];
    if archive.more_cycles {
        told.push(pick(
            language,
            "循环过多，未尽数分辨：循环数为下限。".to_owned(),
            "There were more cycles than are told apart: the number of cycles is a lower bound."
                .to_owned(),
        ));
    }
    let name = |outcome| {
        let verdict = VerdictJson {
            outcome,
            side: None,
            clauses: Vec::new(),
            uncertain: Vec::new(),
            open: Vec::new(),
            reason: None,
        };
        match (language, outcome) {
            (Language::En, Outcome::MustChange) => "one side must change".to_owned(),
            (Language::En, Outcome::Loss) => "one side loses".to_owned(),
            (Language::Zh, Outcome::MustChange) => "一方应变着".to_owned(),
            (Language::Zh, Outcome::Loss) => "一方判负".to_owned(),
            _ => self::verdict(language, &verdict),
        }
    };
    let verdicts: Vec<String> = archive
        .verdicts
        .iter()
        .map(|change| {
            let (from, to) = (name(change.outcome.base), name(change.outcome.other));
            let to = if from == to {
                pick(
                    language,
                    "另一方".to_owned(),
                    "the other side does".to_owned(),
                )
            } else {
                to
            };
            format!("{from} → {to}: {}", change.positions)
        })
        .collect();
    if !verdicts.is_empty() {
        told.push(verdicts.join(pick(language, "；", "; ")));
    }
    told
}

/// What was searched, and what was not found.
pub(super) fn search(language: Language, report: &SearchReport) -> Vec<String> {
    let what = report.search;
    let (judged, differing) = (report.judged, report.differing);
    let (cycles, seed) = (what.cycles, what.seed);
    let (min, max) = (what.min_pieces, what.max_pieces);
    let mut told = vec![pick(
        language,
        format!(
            "随机循环{judged}个（试{cycles}次，种子{seed}，{min}至{max}子），两书所判不同者{differing}个。以下为各项差异所见之最小局面。"
        ),
        format!(
            "{judged} random cycles ({cycles} tries, seed {seed}, {min} to {max} pieces); the books rule differently on {differing}. The smallest found for each difference between them follows."
        ),
    )];
    if !report.missing.is_empty() {
        let missing: Vec<String> = report.missing.iter().map(Lever::target).collect();
        let missing = listed(language, &missing);
        told.push(pick(
            language,
            format!("未见因下列差异而异判者：{missing}。"),
            format!("None was found that turns on: {missing}."),
        ));
    }
    told
}
