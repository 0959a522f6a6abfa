//! What the patterns of a side's moves are called.

use super::words::{count_en, count_zh, listed};
use crate::classify::Nature;

fn nature(id: &str) -> Option<Nature> {
    Nature::ALL.into_iter().find(|nature| nature.id() == id)
}

/// A pattern in Chinese: 长捉, 一将一捉, 一将一闲; the name itself where it is unknown.
pub fn pattern_zh(pattern: &str) -> String {
    if let Some(only) = pattern.strip_prefix("perpetual_").and_then(nature) {
        return format!("长{}", only.zh());
    }
    let kinds: Option<Vec<_>> = pattern.split('_').map(nature).collect();
    kinds.map_or_else(
        || pattern.to_owned(),
        |kinds| {
            let each: Vec<_> = kinds
                .iter()
                .map(|kind| format!("一{}", kind.zh()))
                .collect();
            each.concat()
        },
    )
}

/// A pattern in English: perpetual chase, check and chase in turn.
pub fn pattern_en(pattern: &str) -> String {
    if let Some(only) = pattern.strip_prefix("perpetual_").and_then(nature) {
        return match only {
            Nature::Idle => "idle moves only".to_owned(),
            Nature::Check
            | Nature::Kill
            | Nature::Chase
            | Nature::Exchange
            | Nature::Offer
            | Nature::Block
            | Nature::Follow => format!("perpetual {}", only.id()),
        };
    }
    let kinds: Option<Vec<_>> = pattern
        .split('_')
        .map(|id| nature(id).map(|nature| nature.id().to_owned()))
        .collect();
    kinds.map_or_else(
        || pattern.to_owned(),
        |kinds| format!("{} in turn", listed(&kinds)),
    )
}

fn counted(natures: &[Nature]) -> Vec<(Nature, usize)> {
    let count = |kind: &Nature| natures.iter().filter(|nature| *nature == kind).count();
    Nature::ALL
        .into_iter()
        .map(|kind| (kind, count(&kind)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// What a side's moves of one cycle amount to: 长捉, 一将一捉, 三捉一闲, 两闲.
pub(super) fn moves_zh(natures: &[Nature]) -> String {
    let kinds = counted(natures);
    match kinds.as_slice() {
        [(only, _)] if *only != Nature::Idle => format!("长{}", only.zh()),
        kinds => {
            let each = kinds.iter();
            let each = each.map(|(kind, count)| format!("{}{}", count_zh(*count), kind.zh()));
            each.collect::<Vec<_>>().concat()
        }
    }
}

/// What a side's moves of one cycle amount to: perpetual chase, one check and one chase.
pub(super) fn moves_en(natures: &[Nature]) -> String {
    let kinds = counted(natures);
    let plural = |kind: Nature, count: usize| match (kind, count) {
        (Nature::Idle, 1) => "one idle move".to_owned(),
        (Nature::Idle, _) => format!("{} idle moves", count_en(count)),
        (_, 1) => format!("one {}", kind.id()),
        _ => format!("{} {}s", count_en(count), kind.id()),
    };
    match kinds.as_slice() {
        [(only, _)] if *only != Nature::Idle => format!("perpetual {}", only.id()),
        kinds => {
            let parts: Vec<_> = kinds.iter().map(|(k, n)| plural(*k, *n)).collect();
            listed(&parts)
        }
    }
}
