//! What the patterns of a side's moves are called.

use super::words::{count, listed_with};
use crate::classify::Nature;
use crate::language::{Text, both};

fn nature(id: &str) -> Option<Nature> {
    Nature::ALL.into_iter().find(|nature| nature.id() == id)
}

fn perpetual(nature: Nature) -> Text {
    let (en, zh) = (nature.id(), nature.zh());
    both!("perpetual {en}", "长{zh}")
}

/// What a pattern is called: 长捉, 一将一捉; perpetual chase, check and chase in turn. The name itself where it is unknown.
pub fn pattern(pattern: &str) -> Text {
    if let Some(only) = pattern.strip_prefix("perpetual_").and_then(nature) {
        return match only {
            Nature::Idle => both!("idle moves only", "长闲"),
            Nature::Check
            | Nature::Kill
            | Nature::Chase
            | Nature::Exchange
            | Nature::Offer
            | Nature::Block
            | Nature::Follow => perpetual(only),
        };
    }
    let kinds: Option<Vec<Nature>> = pattern.split('_').map(nature).collect();
    let Some(kinds) = kinds else {
        return Text::new(pattern, pattern);
    };
    let each = kinds.into_iter().map(|kind| {
        let (en, zh) = (kind.id(), kind.zh());
        both!("{en}", "一{zh}")
    });
    both!(each = listed_with(each, "and", ""); "{each} in turn", "{each}")
}

fn counted(natures: &[Nature]) -> Vec<(Nature, usize)> {
    let count = |kind: &Nature| natures.iter().filter(|nature| *nature == kind).count();
    Nature::ALL
        .into_iter()
        .map(|kind| (kind, count(&kind)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// What a side's moves of one cycle amount to: 长捉, 三捉一闲; perpetual chase, three chases and one idle move.
pub(super) fn moves(natures: &[Nature]) -> Text {
    let kinds = counted(natures);
    if let [(only, _)] = kinds.as_slice()
        && *only != Nature::Idle
    {
        return perpetual(*only);
    }
    let each = kinds.into_iter().map(|(kind, times)| {
        let (en, zh) = (kind.id(), kind.zh());
        let noun = if kind == Nature::Idle { " move" } else { "" };
        let plural = if times == 1 { "" } else { "s" };
        both!(count = count(times); "{count} {en}{noun}{plural}", "{count}{zh}")
    });
    listed_with(each, "and", "")
}
