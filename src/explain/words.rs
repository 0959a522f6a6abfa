//! Names of pieces, moves and lines in both languages, and lists of what is told.

use super::facts::{Placed, Play, Step};
use crate::board::{Move, PieceId, Position, Role, Side};
use crate::language::{Text, both};
use crate::notation::{Notation, write_move};
use std::fmt;

/// Bytes that most texts do not go beyond.
const MOST: usize = 128;

/// A text made of others.
pub(super) fn put_together(told: fmt::Arguments<'_>) -> String {
    if let Some(text) = told.as_str() {
        return text.to_owned();
    }
    let mut text = String::with_capacity(MOST);
    // Writing to memory does not fail.
    fmt::Write::write_fmt(&mut text, told).ok();
    text
}

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A number as each language counts things: 两, 三, … 九十九; one, two, … nine, 10.
pub(super) fn count(number: usize) -> Text {
    const WORDS: [&str; 9] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    let small = |digit: usize| digit.checked_sub(1);
    let numeral = |digit: usize| {
        small(digit)
            .and_then(|place| NUMERALS.get(place))
            .map_or_else(String::new, char::to_string)
    };
    let zh = match (number / 10, number % 10) {
        (0, 2) => "两".to_owned(),
        (0, one @ 1..) => numeral(one),
        (1, one) => format!("十{}", numeral(one)),
        (ten @ 2..=9, one) => format!("{}十{}", numeral(ten), numeral(one)),
        _ => number.to_string(),
    };
    let word = small(number).and_then(|place| WORDS.get(place));
    Text {
        zh,
        en: word.map_or_else(|| number.to_string(), |word| (*word).to_owned()),
    }
}

/// The kind alone, which in Chinese each side has its own word for: 车, 象, 兵.
pub(super) fn kind(id: PieceId) -> Text {
    id.piece().kind()
}

/// The piece with its square; in Chinese with its file as its own side counts it: 9路车（i9）, 中炮（e5）, 帅（e0）.
pub(super) fn piece((id, at): Placed) -> Text {
    let file = match (id.role(), at.file(), id.side()) {
        (Role::King, ..) => String::new(),
        (_, 4, _) => "中".to_owned(),
        (_, file, Side::Red) => NUMERALS
            .get(usize::from(8 - file.min(8)))
            .map_or_else(String::new, |numeral| format!("{numeral}路")),
        (_, file, Side::Black) => format!("{}路", file + 1),
    };
    both!(kind = kind(id); "the {kind} on {at}", "{file}{kind}（{at}）")
}

/// The name of a piece, in Chinese with its side where another of the same name is spoken of: 红车.
fn told_apart(mut name: Text, id: PieceId, other: PieceId) -> Text {
    if id.piece().zh() == other.piece().zh() && id.side() != other.side() {
        let side = match id.side() {
            Side::Red => '红',
            Side::Black => '黑',
        };
        name.zh.insert(0, side);
    }
    name
}

/// The kinds of two pieces, told apart.
pub(super) fn kinds(one: PieceId, other: PieceId) -> (Text, Text) {
    (
        told_apart(kind(one), one, other),
        told_apart(kind(other), other, one),
    )
}

/// Two pieces with their squares, told apart.
pub(super) fn facing(one: Placed, other: Placed) -> (Text, Text) {
    (
        told_apart(piece(one), one.0, other.0),
        told_apart(piece(other), other.0, one.0),
    )
}

/// A word with the article it takes in English.
pub(super) fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {word}")
}

/// The move by its Chinese name.
pub(super) fn move_zh(position: &Position, mv: Move) -> String {
    write_move(position, mv, Notation::Chinese)
}

/// The move by its squares, and by its Chinese name.
pub(super) fn move_played(position: &Position, mv: Move) -> Text {
    Text::new(mv.to_string(), move_zh(position, mv))
}

/// `i2×i9`: the squares of a capture.
pub(super) fn capture(mv: Move) -> String {
    format!("{}×{}", mv.from, mv.to)
}

/// A move of a line: i2×i9 check, 车二进七吃车将.
pub(super) fn step(step: &Step) -> Text {
    let mv = move_played(&step.before, step.mv);
    let mv = match step.captured {
        Some(taken) => Text {
            en: capture(step.mv),
            zh: format!("{}吃{}", mv.zh, taken.piece().zh()),
        },
        None => mv,
    };
    match (step.mate, step.check) {
        (true, _) => both!(mv; "{mv} mate", "{mv}成杀"),
        (false, true) => both!(mv; "{mv} check", "{mv}将"),
        (false, false) => mv,
    }
}

/// The moves of a line, from the given one on: h6g8 check, c8×g8, h0×h9; 马二进三将，炮3平7吃马，车二进九吃车.
pub(super) fn line(play: &Play, from: usize) -> Text {
    let steps = play.steps.iter().take(play.told()).skip(from);
    Text::joined(steps.map(step), ", ", "，")
}

/// What is taken, like pieces together: a rook and two advisors, 车、两士.
pub(super) fn pieces(pieces: &[PieceId]) -> Text {
    let mut kinds: Vec<(PieceId, usize)> = Vec::new();
    for &id in pieces {
        let known = kinds
            .iter_mut()
            .find(|(known, _)| known.role() == id.role());
        match known {
            Some((_, count)) => *count += 1,
            None => kinds.push((id, 1)),
        }
    }
    listed(kinds.into_iter().map(|(id, times)| {
        let kind = kind(id);
        match times {
            1 => Text::new(with_article(&kind.en), kind.zh),
            _ => both!(count = count(times), kind; "{count} {kind}s", "{count}{kind}"),
        }
    }))
}

/// One, two and three; 一、二、三.
pub(super) fn listed(parts: impl IntoIterator<Item = Text>) -> Text {
    listed_with(parts, "and", "、")
}

/// One, two and three, with another word before the last, and with another sign in Chinese.
pub(super) fn listed_with(parts: impl IntoIterator<Item = Text>, en: &str, zh: &str) -> Text {
    let mut parts: Vec<Text> = parts.into_iter().collect();
    let Some(last) = parts.pop() else {
        return Text::default();
    };
    if parts.is_empty() {
        return last;
    }
    let init = Text::joined(parts, ", ", zh);
    both!(init, last; "{init} {en} {last}", "{init}{zh}{last}")
}
