//! A diagram in words, for captions and screen readers.

use super::annotation::{Annotation, ArrowKind, MarkKind};
use super::{Diagram, Language};
use crate::board::{Piece, Role, Side, Square};
use std::borrow::Cow;
use std::fmt::Write;

/// Text for the inside of an element or an attribute in double quotes. What XML has no way to say
/// becomes the replacement character.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| !matches!(c, '&' | '<' | '>' | '"' | '\'') && is_xml(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_xml(c) => out.push(c),
            _ => out.push(char::REPLACEMENT_CHARACTER),
        }
    }
    Cow::Owned(out)
}

/// Whether XML 1.0 allows a character at all.
const fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{FFFD}' | '\u{10000}'..)
}

/// 红方走 or `Red to move`.
pub(super) const fn to_move(side: Side, language: Language) -> &'static str {
    match (language, side) {
        (Language::Zh, Side::Red) => "红方走",
        (Language::Zh, Side::Black) => "黑方走",
        (Language::En, Side::Red) => "Red to move",
        (Language::En, Side::Black) => "Black to move",
    }
}

/// What an arrow is called in the legend.
pub(super) const fn arrow(kind: ArrowKind, language: Language) -> &'static str {
    match (language, kind) {
        (Language::Zh, ArrowKind::Attack) => "攻击",
        (Language::Zh, ArrowKind::Guard) => "保护",
        (Language::Zh, ArrowKind::Line) => "着法",
        (Language::En, ArrowKind::Attack) => "attack",
        (Language::En, ArrowKind::Guard) => "guard",
        (Language::En, ArrowKind::Line) => "line",
    }
}

/// What a mark is called in the legend.
pub(super) const fn mark(kind: MarkKind, language: Language) -> &'static str {
    match (language, kind) {
        (Language::Zh, MarkKind::Target) => "目标",
        (Language::Zh, MarkKind::Cross) => "假根",
        (Language::En, MarkKind::Target) => "target",
        (Language::En, MarkKind::Cross) => "false root",
    }
}

/// The name of a diagram, not yet escaped.
pub(super) fn title(diagram: &Diagram) -> String {
    let turn = to_move(diagram.setup.turn, diagram.language);
    match (&diagram.caption, diagram.language) {
        (Some(caption), _) => caption.clone(),
        (None, Language::Zh) => format!("象棋局面，{turn}"),
        (None, Language::En) => format!("Xiangqi position, {turn}"),
    }
}

/// Everything a diagram shows.
pub(super) fn description(diagram: &Diagram) -> String {
    let language = diagram.language;
    let (stop, colon) = match language {
        Language::Zh => ("。", "："),
        Language::En => (". ", ": "),
    };
    let mut sentences = vec![to_move(diagram.setup.turn, language).to_owned()];
    for side in Side::ALL {
        let name = match language {
            Language::Zh => side.zh(),
            Language::En => side.en(),
        };
        sentences.push(format!("{name}{colon}{}", pieces(diagram, side)));
    }
    if let Some(mv) = diagram.last_move {
        sentences.push(match language {
            Language::Zh => format!("上一着{}到{}", mv.from, mv.to),
            Language::En => format!("Last move {} to {}", mv.from, mv.to),
        });
    }
    let mut number = 0;
    for annotation in &diagram.annotations {
        sentences.push(match *annotation {
            Annotation::Arrow(kind, mv) => {
                let mut text = capitalized(arrow(kind, language));
                if kind == ArrowKind::Line {
                    number += 1;
                    let _ = write!(text, " {number}");
                }
                match language {
                    Language::Zh => format!("{text}：{}到{}", mv.from, mv.to),
                    Language::En => format!("{text}: {} to {}", mv.from, mv.to),
                }
            }
            Annotation::Mark(kind, square) => {
                format!("{}{colon}{square}", capitalized(mark(kind, language)))
            }
        });
    }
    let mut text = sentences.join(stop);
    text.push_str(stop.trim_end());
    text
}

/// A side's pieces and where they stand: `king e0, advisors d0 f0`.
fn pieces(diagram: &Diagram, side: Side) -> String {
    let mut kinds = Vec::new();
    for role in Role::ALL {
        let piece = Piece::new(side, role);
        let standing = diagram.setup.pieces().filter(|&(_, p)| p == piece);
        let squares: Vec<Square> = standing.map(|(square, _)| square).collect();
        if squares.is_empty() {
            continue;
        }
        let plural = if squares.len() > 1 { "s" } else { "" };
        let squares = |joiner| {
            let squares = squares.iter().map(ToString::to_string);
            squares.collect::<Vec<_>>().join(joiner)
        };
        let text = match diagram.language {
            Language::Zh => format!("{}{}", piece.zh(), squares("、")),
            Language::En => format!("{}{plural} {}", role.id(), squares(" ")),
        };
        kinds.push(text);
    }
    match diagram.language {
        Language::Zh if kinds.is_empty() => "无子".to_owned(),
        Language::En if kinds.is_empty() => "no pieces".to_owned(),
        Language::Zh => kinds.join("，"),
        Language::En => kinds.join(", "),
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
