//! Names of pieces, moves and lines in both languages.

use super::facts::{Play, Step};
use crate::board::{Move, PieceId, Position, Role, Side, Square};
pub use crate::language::Language;
use crate::notation::{Notation, write_move};
use crate::rules::Text;
use std::fmt;

impl Language {
    /// The half of a text in this language.
    pub fn of(self, text: &Text) -> &str {
        self.pick(&text.zh, &text.en)
    }
}

/// Bytes that most texts do not go beyond.
const MOST: usize = 128;

/// A text made of others.
pub(super) fn put_together(told: fmt::Arguments<'_>) -> String {
    let mut text = String::with_capacity(MOST);
    // Writing to memory does not fail.
    fmt::Write::write_fmt(&mut text, told).ok();
    text
}

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A number as Chinese counts things: 两, 三, … 九十九.
pub(super) fn count_zh(number: usize) -> String {
    let numeral = |digit: usize| {
        digit
            .checked_sub(1)
            .and_then(|place| NUMERALS.get(place))
            .map_or_else(String::new, char::to_string)
    };
    match (number / 10, number % 10) {
        (0, 2) => "两".to_owned(),
        (0, one @ 1..) => numeral(one),
        (1, one) => format!("十{}", numeral(one)),
        (ten @ 2..=9, one) => format!("{}十{}", numeral(ten), numeral(one)),
        _ => number.to_string(),
    }
}

/// A small number in English words.
pub(super) fn count_en(number: usize) -> String {
    const WORDS: [&str; 9] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    number
        .checked_sub(1)
        .and_then(|n| WORDS.get(n))
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// 车, 象, 兵: the kind alone, as its side calls it.
pub(super) fn kind_zh(id: PieceId) -> char {
    id.piece().zh()
}

/// 9路车（i9）, 中炮（e5）, 帅（e0）: kind, file as its own side counts it, square.
pub(super) fn piece_zh(id: PieceId, at: Square) -> String {
    let kind = kind_zh(id);
    if id.role() == Role::King {
        return format!("{kind}（{at}）");
    }
    if at.file() == 4 {
        return format!("中{kind}（{at}）");
    }
    let file = match id.side() {
        Side::Red => NUMERALS
            .get(usize::from(8 - at.file().min(8)))
            .map_or_else(String::new, char::to_string),
        Side::Black => (at.file() + 1).to_string(),
    };
    format!("{file}路{kind}（{at}）")
}

/// The kind of a piece, with its side where another of the same name is spoken of: 红车, or 车.
pub(super) fn kind_beside_zh(id: PieceId, other: PieceId) -> String {
    told_apart(id, other, kind_zh(id).to_string())
}

/// A piece with its place, and its side where another of the same name is spoken of.
pub(super) fn beside_zh(id: PieceId, at: Square, other: PieceId) -> String {
    told_apart(id, other, piece_zh(id, at))
}

fn told_apart(id: PieceId, other: PieceId, name: String) -> String {
    if kind_zh(id) != kind_zh(other) || id.side() == other.side() {
        return name;
    }
    match id.side() {
        Side::Red => format!("红{name}"),
        Side::Black => format!("黑{name}"),
    }
}

/// The rook on i9.
pub(super) fn piece_en(id: PieceId, at: Square) -> String {
    format!("the {} on {at}", id.role().id())
}

/// The move by its Chinese name.
pub(super) fn move_zh(position: &Position, mv: Move) -> String {
    write_move(position, mv, Notation::Chinese)
}

/// `i2×i9`, `h6i4`.
pub(super) fn move_en(position: &Position, mv: Move) -> String {
    if position.is_empty(mv.to) {
        mv.to_string()
    } else {
        format!("{}×{}", mv.from, mv.to)
    }
}

/// `i2×i9`: the squares of a capture.
pub(super) fn capture(mv: Move) -> String {
    format!("{}×{}", mv.from, mv.to)
}

pub(super) fn step_zh(step: &Step) -> String {
    let mut text = move_zh(&step.before, step.mv);
    if let Some(taken) = step.captured {
        text.push('吃');
        text.push(kind_zh(taken));
    }
    if step.mate {
        text.push_str("成杀");
    } else if step.check {
        text.push('将');
    }
    text
}

pub(super) fn step_en(step: &Step) -> String {
    let mut text = move_en(&step.before, step.mv);
    if step.mate {
        text.push_str(" mate");
    } else if step.check {
        text.push_str(" check");
    }
    text
}

/// The moves of a line, from the given one on: 马二进三将，炮3平7吃马，车二进九吃车.
pub(super) fn line_zh(play: &Play, from: usize) -> String {
    let steps = play.steps.iter().take(play.told()).skip(from);
    let steps = steps.map(step_zh);
    steps.collect::<Vec<_>>().join("，")
}

/// The moves of a line: h6g8 check, c8×g8, h0×h9.
pub(super) fn line_en(play: &Play, from: usize) -> String {
    let steps = play.steps.iter().take(play.told()).skip(from);
    let steps = steps.map(step_en);
    steps.collect::<Vec<_>>().join(", ")
}

fn grouped(pieces: &[PieceId]) -> Vec<(PieceId, usize)> {
    let mut kinds: Vec<(PieceId, usize)> = Vec::new();
    for &id in pieces {
        match kinds
            .iter_mut()
            .find(|(known, _)| known.role() == id.role())
        {
            Some((_, count)) => *count += 1,
            None => kinds.push((id, 1)),
        }
    }
    kinds
}

/// 车、两士.
pub(super) fn pieces_zh(pieces: &[PieceId]) -> String {
    let each = grouped(pieces).into_iter().map(|(id, count)| {
        if count == 1 {
            kind_zh(id).to_string()
        } else {
            format!("{}{}", count_zh(count), kind_zh(id))
        }
    });
    each.collect::<Vec<_>>().join("、")
}

/// A rook and two advisors.
pub(super) fn pieces_en(pieces: &[PieceId]) -> String {
    let each = grouped(pieces).into_iter().map(|(id, count)| {
        let kind = id.role().id();
        match count {
            1 if kind.starts_with(['a', 'e']) => format!("an {kind}"),
            1 => format!("a {kind}"),
            _ => format!("{} {kind}s", count_en(count)),
        }
    });
    listed(&each.collect::<Vec<_>>())
}

/// One, two and three.
pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

/// The first letter in upper case.
pub(super) fn capitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
