//! The signs moves are written with, whatever the script: one table for every notation.

use crate::board::Role;

/// Which way a piece goes, seen from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// 进
    Advance,
    /// 退
    Retreat,
    /// 平
    Traverse,
}

/// Which of several like pieces on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// 前, the farthest on.
    Front,
    /// 中, neither first nor last.
    Middle,
    /// 后, the last.
    Back,
}

impl Place {
    /// 前, 中 or 后.
    pub const fn zh(self) -> char {
        match self {
            Self::Front => '前',
            Self::Middle => '中',
            Self::Back => '后',
        }
    }

    /// `front`, `middle` or `rear`.
    pub const fn en(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Middle => "middle",
            Self::Back => "rear",
        }
    }
}

/// One sign of a written move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A piece's character.
    Piece(Role),
    /// A Latin letter, lower case: a piece, or a file of the ICCS notation.
    Letter(u8),
    /// `0`–`9`, full-width ones too.
    Digit(u8),
    /// 一–九.
    Numeral(u8),
    /// 进, 退, 平.
    Word(Action),
    /// `+`, `-`, `=`, `.`.
    Sign(Action),
    /// 前, 中, 后.
    Place(Place),
}

impl Symbol {
    /// The sign a character stands for.
    pub(super) const fn of(c: char) -> Option<Self> {
        Some(match c {
            'a'..='z' => Self::Letter(c as u8),
            'A'..='Z' => Self::Letter((c as u8).to_ascii_lowercase()),
            '0'..='9' => Self::Digit(c as u8 - b'0'),
            _ if c.is_ascii() => match c {
                '+' => Self::Sign(Action::Advance),
                '-' => Self::Sign(Action::Retreat),
                '=' | '.' => Self::Sign(Action::Traverse),
                _ => return None,
            },
            // Full-width forms lie at a fixed distance from the ASCII ones.
            '\u{FF01}'..='\u{FF5E}' => match char::from_u32(c as u32 - 0xFEE0) {
                Some(narrow) => return Self::of(narrow),
                None => return None,
            },
            '帅' | '帥' | '将' | '將' => Self::Piece(Role::King),
            '仕' | '士' => Self::Piece(Role::Advisor),
            '相' | '象' => Self::Piece(Role::Elephant),
            '马' | '馬' | '傌' | '㐷' => Self::Piece(Role::Horse),
            '车' | '車' | '俥' | '\u{F902}' => Self::Piece(Role::Rook),
            '炮' | '砲' | '包' => Self::Piece(Role::Cannon),
            '兵' | '卒' => Self::Piece(Role::Pawn),
            '一' => Self::Numeral(1),
            '二' => Self::Numeral(2),
            '三' => Self::Numeral(3),
            '四' => Self::Numeral(4),
            '五' => Self::Numeral(5),
            '六' => Self::Numeral(6),
            '七' => Self::Numeral(7),
            '八' => Self::Numeral(8),
            '九' => Self::Numeral(9),
            '进' | '進' => Self::Word(Action::Advance),
            '退' => Self::Word(Action::Retreat),
            '平' => Self::Word(Action::Traverse),
            '前' => Self::Place(Place::Front),
            '中' => Self::Place(Place::Middle),
            '后' | '後' => Self::Place(Place::Back),
            '﹢' | '⁺' | '➕' => Self::Sign(Action::Advance),
            '\u{AD}' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹘' | '﹣' | '⁃' | '˗' | '⁻'
            | '₋' | '─' | '━' | '➖' => Self::Sign(Action::Retreat),
            '﹦' | '·' | '•' | '∙' | '⋅' | '・' => Self::Sign(Action::Traverse),
            _ => return None,
        })
    }

    pub(super) const fn role(self) -> Option<Role> {
        match self {
            Self::Piece(role) => Some(role),
            Self::Letter(letter) => match letter {
                b'k' => Some(Role::King),
                b'a' => Some(Role::Advisor),
                b'b' | b'e' => Some(Role::Elephant),
                b'n' | b'h' => Some(Role::Horse),
                b'r' => Some(Role::Rook),
                b'c' => Some(Role::Cannon),
                b'p' => Some(Role::Pawn),
                _ => None,
            },
            Self::Digit(_) | Self::Numeral(_) | Self::Word(_) | Self::Sign(_) | Self::Place(_) => {
                None
            }
        }
    }

    /// 1–9.
    pub(super) const fn number(self) -> Option<u8> {
        match self {
            Self::Digit(n @ 1..) | Self::Numeral(n) => Some(n),
            Self::Digit(0)
            | Self::Piece(_)
            | Self::Letter(_)
            | Self::Word(_)
            | Self::Sign(_)
            | Self::Place(_) => None,
        }
    }

    pub(super) const fn action(self) -> Option<Action> {
        match self {
            Self::Word(action) | Self::Sign(action) => Some(action),
            Self::Piece(_)
            | Self::Letter(_)
            | Self::Digit(_)
            | Self::Numeral(_)
            | Self::Place(_) => None,
        }
    }

    /// 前中后, or `+` and `-` where a place may stand.
    pub(super) const fn place(self) -> Option<Place> {
        match self {
            Self::Place(place) => Some(place),
            Self::Sign(Action::Advance) => Some(Place::Front),
            Self::Sign(Action::Retreat) => Some(Place::Back),
            Self::Sign(Action::Traverse)
            | Self::Piece(_)
            | Self::Letter(_)
            | Self::Digit(_)
            | Self::Numeral(_)
            | Self::Word(_) => None,
        }
    }
}

/// What may stand between the signs of one move and means nothing.
#[inline]
pub(crate) const fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

/// Praise and blame behind a move.
pub(super) const fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '！' | '？')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dash_is_one_sign_and_the_numeral_one_is_none() {
        for c in "-‐‑‒–—−－﹣".chars() {
            assert_eq!(Symbol::of(c), Some(Symbol::Sign(Action::Retreat)), "{c}");
        }
        assert_eq!(Symbol::of('一'), Some(Symbol::Numeral(1)));
    }

    #[test]
    fn full_width_forms_are_the_narrow_ones() {
        for c in "０９Ａｚ＋＝．".chars() {
            let narrow = char::from_u32(u32::from(c) - 0xFEE0).unwrap();
            assert_eq!(Symbol::of(c), Symbol::of(narrow), "{c}");
            assert!(Symbol::of(c).is_some());
        }
        assert_eq!(Symbol::of('（'), None);
    }
}
