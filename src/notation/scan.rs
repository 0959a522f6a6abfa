//! Moves found in running text: between move numbers, comments, variations and results.

use super::skip;
use super::symbol::{Action, Symbol, is_blank, is_mark};
use super::written::{LONGEST, Written};
use crate::language::{Text, both, in_both};
use crate::named::named;
use memchr::memchr2;
use std::fmt;
use std::str::FromStr;

/// Variations nested deeper than this are refused.
pub(super) const DEEPEST: u32 = 64;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Bytes before it.
    pub byte: usize,
    /// Its line, from 1.
    pub line: u64,
    /// Characters before it on its line, and one.
    pub column: u64,
}

impl Location {
    /// The place in both languages.
    pub fn text(self) -> Text {
        let Self { line, column, .. } = self;
        both!("line {line}, column {column}", "第{line}行第{column}列")
    }
}

in_both!(Location);

/// A move as it stands in a text, blanks inside it included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveText<'a> {
    /// As written.
    pub text: &'a str,
    /// Where it starts.
    pub location: Location,
}

impl AsRef<str> for MoveText<'_> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

named! {
    /// How a game ended, as its record says.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum GameResult {
        /// `1-0`
        RedWins "1-0" "红胜",
        /// `0-1`
        BlackWins "0-1" "黑胜",
        /// `1/2-1/2`
        Draw "1/2-1/2" "和棋",
        /// `*`
        #[default]
        Unknown "*" "未知",
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The ways results are written; a longer one before those it starts with.
const RESULTS: [(&str, GameResult); 24] = [
    ("1/2-1/2", GameResult::Draw),
    ("½-½", GameResult::Draw),
    ("1-0", GameResult::RedWins),
    ("0-1", GameResult::BlackWins),
    ("1–0", GameResult::RedWins),
    ("0–1", GameResult::BlackWins),
    ("*", GameResult::Unknown),
    ("红先胜", GameResult::RedWins),
    ("红先负", GameResult::BlackWins),
    ("红先和", GameResult::Draw),
    ("先胜", GameResult::RedWins),
    ("先负", GameResult::BlackWins),
    ("先和", GameResult::Draw),
    ("红方胜", GameResult::RedWins),
    ("黑方胜", GameResult::BlackWins),
    ("红胜", GameResult::RedWins),
    ("黑胜", GameResult::BlackWins),
    ("紅勝", GameResult::RedWins),
    ("黑勝", GameResult::BlackWins),
    ("紅先勝", GameResult::RedWins),
    ("紅先負", GameResult::BlackWins),
    ("和棋", GameResult::Draw),
    ("和局", GameResult::Draw),
    ("未知", GameResult::Unknown),
];

/// The text is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown result `{0}`: expected `1-0`, `0-1`, `1/2-1/2` or `*`")]
pub struct ParseResultError(pub String);

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = RESULTS.iter().find(|(written, _)| *written == text.trim());
        found
            .map(|&(_, result)| result)
            .ok_or_else(|| ParseResultError(text.to_owned()))
    }
}

/// Why a text cannot be taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScanFault {
    /// `{` without `}`.
    OpenComment,
    /// `(` without `)`.
    OpenVariation,
    /// `)` without `(`, or `}` without `{`.
    StrayClose,
    /// Too many variations inside each other.
    TooDeep,
}

impl ScanFault {
    /// A stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::OpenComment => "text_open_comment",
            Self::OpenVariation => "text_open_variation",
            Self::StrayClose => "text_stray_close",
            Self::TooDeep => "text_too_deep",
        }
    }

    /// The fault in both languages.
    pub fn text(self) -> Text {
        match self {
            Self::OpenComment => both!(
                "the comment that starts here is not closed: expected `}}`",
                "此处开始的注释没有结束：应有 }}",
            ),
            Self::OpenVariation => both!(
                "the variation that starts here is not closed: expected `)`",
                "此处开始的变着没有结束：应有 )",
            ),
            Self::StrayClose => both!("closes what was never opened", "多余的右括号"),
            Self::TooDeep => both!(
                "variations are nested more than {DEEPEST} deep",
                "变着嵌套超过{DEEPEST}层",
            ),
        }
    }
}

in_both!(error ScanFault);

/// A word that is a move, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// As written.
    pub(crate) text: &'a str,
    /// Bytes before it.
    pub(crate) at: usize,
    /// What it says, where that was found out on the way.
    pub(super) written: Option<Written>,
}

/// What stands in a text besides what is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element<'a> {
    Move(Word<'a>),
    Result(GameResult),
    /// In game records: what stands in `{}`, or behind `;`.
    Comment(&'a str),
    /// In game records: what stands in `()`.
    Aside(&'a str),
    /// In game records: what is printed below a game. Nothing more comes.
    Below(&'a str),
}

/// Goes through a text once, from move to move.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The place that was asked for last.
    told: Location,
    /// In game records `;` starts a comment, and `%` on a line's first column; in lists `;`
    /// stands between moves.
    record: bool,
    /// A move has been found.
    begun: bool,
    /// Where the line begins that may hold an address next.
    addressed: usize,
}

impl<'a> Scanner<'a> {
    /// A plain list of moves.
    pub(super) const fn list(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            told: Location {
                byte: 0,
                line: 1,
                column: 1,
            },
            record: false,
            begun: false,
            addressed: 0,
        }
    }

    /// The moves of a game record, from byte `at`, which is on line `line`.
    pub(crate) fn record(text: &'a str, at: usize, line: u64) -> Self {
        let before = text.get(..at).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            text,
            at,
            told: Location {
                byte: line_start,
                line,
                column: 1,
            },
            record: true,
            begun: false,
            addressed: at,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The place of a byte, no earlier than the one asked for last: it is counted on from there, so that a long
    /// line costs no more than many short ones, and nothing where no place is asked for.
    pub(crate) fn location(&mut self, byte: usize) -> Location {
        let passed = self.text.get(self.told.byte..byte).unwrap_or_default();
        let mut lines = passed.split('\n');
        let mut last = lines.next().unwrap_or_default();
        for line in lines {
            self.told.line += 1;
            self.told.column = 1;
            last = line;
        }
        self.told.column += last.chars().count() as u64;
        self.told.byte = byte;
        self.told
    }

    /// Goes on by `bytes`.
    fn pass(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
    }

    /// Whether nothing but blanks stands before on this line.
    fn begins_line(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let before = before.trim_end_matches(|c| c != '\n' && is_blank(c));
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether a line begins here on which an address may stand; if not, where the next such line begins is kept.
    fn may_be_addressed(&mut self) -> bool {
        if self.at < self.addressed || !self.begins_line() {
            return false;
        }
        let rest = self.rest();
        let [one, other] = skip::LETTERS_OF_ADDRESSES;
        let letter = memchr2(one, other, rest.as_bytes());
        let before = rest.get(..letter.unwrap_or(rest.len())).unwrap_or_default();
        self.addressed = self.at + before.rfind('\n').map_or(0, |newline| newline + 1);
        self.addressed == self.at
    }

    fn pass_to_line_end(&mut self) {
        let rest = self.rest();
        self.pass(rest.find('\n').unwrap_or(rest.len()));
    }

    /// Behind the comment that starts here.
    fn pass_comment(&mut self) -> Result<&'a str, (ScanFault, Location)> {
        let rest = self.rest();
        let Some(end) = rest.find('}') else {
            return Err((ScanFault::OpenComment, self.location(self.at)));
        };
        self.pass(end + 1);
        Ok(rest.get(1..end).unwrap_or_default())
    }

    /// Behind the variation that starts here, and all those in it.
    fn pass_variation(&mut self) -> Result<&'a str, (ScanFault, Location)> {
        let start = self.location(self.at);
        let from = self.at;
        let mut depth = 0u32;
        loop {
            let Some(c) = self.rest().chars().next() else {
                return Err((ScanFault::OpenVariation, start));
            };
            match c {
                '{' => {
                    self.pass_comment()?;
                    continue;
                }
                ';' if self.record => {
                    self.pass_to_line_end();
                    continue;
                }
                '(' | '（' => depth += 1,
                ')' | '）' => depth -= 1,
                _ => {}
            }
            if depth > DEEPEST {
                return Err((ScanFault::TooDeep, self.location(self.at)));
            }
            self.pass(c.len_utf8());
            if depth == 0 {
                let whole = self.text.get(from..self.at).unwrap_or_default();
                let inner = whole.strip_prefix(['(', '（']).unwrap_or(whole);
                return Ok(inner.strip_suffix([')', '）']).unwrap_or(inner));
            }
        }
    }

    /// The next move or result; of game records also what stands beside them.
    pub(crate) fn next(&mut self) -> Option<Result<Element<'a>, (ScanFault, Location)>> {
        loop {
            let plain = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            self.at += self.rest().bytes().take_while(plain).count();
            let rest = self.rest();
            let c = rest.chars().next()?;
            let found = match c {
                '{' => self.pass_comment().map(Element::Comment),
                '(' | '（' => self.pass_variation().map(Element::Aside),
                ')' | '）' | '}' => Err((ScanFault::StrayClose, self.location(self.at))),
                _ => match self.elsewhere(rest, c) {
                    Some(element) => Ok(element),
                    None => continue,
                },
            };
            match found {
                Ok(Element::Comment(_) | Element::Aside(_)) if !self.record => {}
                Ok(element) => return Some(Ok(element)),
                Err(fault) => {
                    // Nothing behind an unclosed bracket can be trusted.
                    self.at = self.text.len();
                    return Some(Err(fault));
                }
            }
        }
    }

    /// What stands outside brackets; nothing where it means nothing.
    fn elsewhere(&mut self, rest: &'a str, c: char) -> Option<Element<'a>> {
        if is_blank(c) {
            self.pass(c.len_utf8());
            return None;
        }
        if self.record {
            let line = || rest.split('\n').next().unwrap_or_default();
            match c {
                ';' => {
                    self.pass_to_line_end();
                    return Some(Element::Comment(line().get(1..).unwrap_or_default()));
                }
                '%' if self.at == 0 || self.text.as_bytes().get(self.at - 1) == Some(&b'\n') => {
                    self.pass_to_line_end();
                    return None;
                }
                _ => {}
            }
            let may_be = skip::may_be_printed(c) || self.may_be_addressed();
            if may_be && self.begins_line() && skip::is_printed(line()) {
                if self.begun {
                    self.at = self.text.len();
                    return Some(Element::Below(line().trim()));
                }
                self.pass_to_line_end();
                return None;
            }
        }
        // What most words are is seen first.
        let number = plain_number(rest);
        let behind = rest.get(number..).unwrap_or_default();
        if let Some((written, length)) = move_in_words(behind) {
            self.pass(number);
            return Some(self.found_move(behind, length, Some(written)));
        }
        if let Some(length) = skipped(rest, c).or_else(|| skip::mark(rest)) {
            self.pass(length);
            return None;
        }
        self.word(rest)
    }

    /// The move or result that starts here; nothing where it is a move number.
    fn word(&mut self, rest: &'a str) -> Option<Element<'a>> {
        if let Some((result, length)) = result_at(rest) {
            self.begun = true;
            self.pass(length);
            return Some(Element::Result(result));
        }
        match number_or_move(rest) {
            Found::Number(length) => {
                self.pass(length);
                None
            }
            Found::Move(length) => Some(self.found_move(rest, length, None)),
        }
    }

    /// The move of this length that starts here.
    fn found_move(
        &mut self,
        rest: &'a str,
        length: usize,
        written: Option<Written>,
    ) -> Element<'a> {
        self.begun = true;
        let at = self.at;
        let (text, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        self.pass(text.len() + check_mark(behind));
        Element::Move(Word { text, at, written })
    }
}

/// How much at the start of `rest` stands between moves and means nothing.
fn skipped(rest: &str, c: char) -> Option<usize> {
    let filler = |c: char| Symbol::of(c) == Some(Symbol::Sign(Action::Retreat));
    if is_separator(c) || is_mark(c) || matches!(c, ';' | '.' | '…' | '。' | '．' | '⋯') {
        Some(c.len_utf8())
    } else if c == '$' {
        Some(1 + rest.bytes().skip(1).take_while(u8::is_ascii_digit).count())
    } else if filler(c) {
        // Two dashes and more stand for a move left out.
        let length = rest.find(|c| !filler(c)).unwrap_or(rest.len());
        (length > c.len_utf8()).then_some(length)
    } else {
        None
    }
}

/// The length of the `+` or `#` that says a move gives check or mate.
fn check_mark(behind: &str) -> usize {
    let mut after = behind.chars();
    let marked = matches!(after.next(), Some('+' | '#')) && after.next().is_none_or(ends_word);
    usize::from(marked)
}

const fn is_separator(c: char) -> bool {
    matches!(c, ',' | '，' | '、' | '；' | '|' | '/' | '"' | '\'')
}

/// What ends a word that cannot be read as a move.
const fn ends_word(c: char) -> bool {
    is_blank(c) || is_separator(c) || matches!(c, ';' | '{' | '}' | '(' | ')' | '（' | '）' | '$')
}

fn result_at(rest: &str) -> Option<(GameResult, usize)> {
    // Most words are moves: look only at those a result can start with.
    if !rest.starts_with(['1', '0', '½', '*', '红', '紅', '黑', '先', '和', '未']) {
        return None;
    }
    RESULTS.iter().find_map(|&(written, result)| {
        let behind = rest.strip_prefix(written)?;
        let ended = behind
            .chars()
            .next()
            .is_none_or(|c| ends_word(c) || matches!(c, '.' | '。'));
        ended.then_some((result, written.len()))
    })
}

enum Found {
    /// A move number, this long, with the dots behind it.
    Number(usize),
    /// A move, or a word that is none, this long.
    Move(usize),
}

fn number_or_move(rest: &str) -> Found {
    if let &[a, b, c, d, ref behind @ ..] = rest.as_bytes()
        && a.is_ascii_alphabetic()
        && b.is_ascii_digit()
        && c.is_ascii_alphabetic()
        && d.is_ascii_digit()
        && behind.first().is_none_or(u8::is_ascii_whitespace)
    {
        return Found::Move(4);
    }
    if let Some((_, length)) = Written::in_ascii(rest)
        && rest.get(length..).is_some_and(|behind| {
            let behind = behind.get(check_mark(behind)..).unwrap_or_default();
            behind
                .chars()
                .next()
                .is_none_or(|c| ends_word(c) || is_mark(c))
        })
    {
        return Found::Move(length);
    }
    let number = number_at(rest).map(|length| {
        let (number, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        (length, number.ends_with(is_digit), behind)
    });
    if let Some((length, false, behind)) = number
        && move_in_words(behind).is_some()
    {
        return Found::Number(length);
    }
    let here = move_at(rest);
    if let Some((length, glued, behind)) = number {
        // `1 6 = 5` is a move, `1 兵七进一` a number and a move, `16.5` a move, `16.` a number.
        let next = move_at(behind).is_some_and(|_| !(glued && here.is_some()));
        if next || here.is_none() && !glued {
            return Found::Number(length);
        }
    }
    let word = || rest.find(ends_word).unwrap_or(rest.len());
    Found::Move(here.unwrap_or_else(word).max(1))
}

/// A move in words behind which a blank stands, or nothing, and its length: that it is a move, and no more of one, is plain.
fn move_in_words(rest: &str) -> Option<(Written, usize)> {
    let (written, length) = Written::in_words(rest)?;
    let behind = rest.get(length..)?;
    let ended = behind.chars().next().is_none_or(is_blank);
    ended.then_some((written, length))
}

/// The length of a move number as most are written, `12. `; 0 where none stands there.
fn plain_number(rest: &str) -> usize {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest.get(digits..).and_then(|rest| rest.strip_prefix('.')) {
        Some(dotted) if digits > 0 => rest.len() - dotted.trim_start_matches(' ').len(),
        _ => 0,
    }
}

fn is_digit(c: char) -> bool {
    matches!(Symbol::of(c), Some(Symbol::Digit(_)))
}

/// The length of a move number with dots and blanks behind it, or of bare digits.
fn number_at(rest: &str) -> Option<usize> {
    let digits = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
    if digits == 0 {
        return None;
    }
    let behind = rest.get(digits..)?;
    let dots = |c: char| {
        matches!(c, '.' | '．' | '。' | '…' | '、' | ')' | '）' | ':' | '：') || is_blank(c)
    };
    Some(digits + behind.find(|c| !dots(c)).unwrap_or(behind.len()))
}

/// The length of the longest move at the start of `rest`, if one starts there and nothing that
/// belongs to it is left over. A move does not go over the end of a line.
fn move_at(rest: &str) -> Option<usize> {
    let mut signs = [Symbol::Digit(0); LONGEST];
    let mut ends = [0usize; LONGEST];
    let mut length = 0;
    for (offset, c) in rest.char_indices() {
        if is_blank(c) && c != '\n' {
            continue;
        }
        let Some(symbol) = Symbol::of(c) else { break };
        let (Some(sign), Some(end)) = (signs.get_mut(length), ends.get_mut(length)) else {
            break;
        };
        (*sign, *end) = (symbol, offset + c.len_utf8());
        length += 1;
    }
    let end = (3..=length).rev().find_map(|used| {
        Written::of(signs.get(..used)?)?;
        ends.get(used - 1).copied()
    })?;
    // `C2=55` is no move; `C2=5+` is one that checks, `C2=5H8+7` are two.
    let behind = rest.get(end..)?;
    let whole = check_mark(behind) > 0
        || match behind.chars().next().and_then(Symbol::of) {
            Some(Symbol::Digit(_) | Symbol::Numeral(_) | Symbol::Word(_)) => false,
            Some(Symbol::Sign(action)) => action == Action::Traverse,
            Some(Symbol::Piece(_) | Symbol::Letter(_) | Symbol::Place(_)) | None => true,
        };
    whole.then_some(end)
}
