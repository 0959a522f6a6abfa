//! What is wrong with a file of rules, and where.

use crate::language::{Text, both};
use serde::Serialize;
use std::fmt;

/// A fault in a rule book or an amendment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fault {
    /// The file, as it was named; empty where there is none.
    pub file: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// A JSON pointer to what it is about: `/definitions/pawn_for_rook`; empty for the whole.
    pub pointer: String,
    /// What kind of fault.
    pub code: FaultCode,
    /// What is wrong and what was expected.
    pub message: String,
    /// The same in Chinese.
    pub message_zh: String,
}

/// Faults of a file that are told: who has more has another kind of trouble.
pub const MOST_FAULTS: usize = 200;

/// As many as are told, and that there are others.
pub(super) fn told(mut faults: Vec<Fault>) -> Vec<Fault> {
    if faults.len() > MOST_FAULTS {
        let message = both!(
            "there are more faults; {MOST_FAULTS} are told",
            "另有错误，只列出{MOST_FAULTS}处"
        );
        let untold = faults.drain(MOST_FAULTS..).next();
        let (file, line) = untold.map(|one| (one.file, one.line)).unwrap_or_default();
        faults.push(Fault {
            file,
            line,
            pointer: String::new(),
            code: FaultCode::TooMany,
            message: message.en,
            message_zh: message.zh,
        });
    }
    faults
}

macro_rules! codes {
    ($($variant:ident $id:literal $doc:literal,)+) => {
        /// The kinds of fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum FaultCode {
            $(#[doc = $doc] $variant,)+
        }

        impl FaultCode {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in answers.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id),+ }
            }
        }
    };
}

codes! {
    Syntax "syntax" "The file is no TOML.",
    UnknownKey "unknown_key" "A key that means nothing there.",
    MissingKey "missing_key" "A key that has to be there.",
    WrongType "wrong_type" "A value of another kind than the key takes.",
    UnknownValue "unknown_value" "A value that is none of those the key takes.",
    OutOfRange "out_of_range" "A number outside the range.",
    BadId "bad_id" "An identifier of another form than identifiers have.",
    BadVersion "bad_version" "A version that is no `1.2.3`.",
    BadDate "bad_date" "A date that is none.",
    EmptyText "empty_text" "A text missing in a language.",
    UnknownArticle "unknown_article" "A clause cited or struck that no article defines.",
    DuplicateArticle "duplicate_article" "An article defined twice.",
    UnknownTarget "unknown_target" "What an article is said to decide does not exist.",
    UntiedParameter "untied_parameter" "A parameter that no article decides.",
    MissingRow "missing_row" "A verdict row that can be needed is missing.",
    MissingGround "missing_ground" "A ground that can be needed is missing.",
    SenselessOutcome "senseless_outcome" "An outcome that the situation cannot have.",
    TooLong "too_long" "A file that is longer than any there is.",
    TooMany "too_many" "There are more faults than are told.",
    NoClause "no_clause" "A verdict row that cites nothing.",
    BaseMismatch "base_mismatch" "An amendment of another book.",
    NoChange "no_change" "A change that changes nothing.",
    Contradiction "contradiction" "An article both struck and put.",
}

impl Fault {
    /// The file and the line, where they are known.
    fn place(&self) -> String {
        match (self.file.is_empty(), self.line) {
            (true, _) => String::new(),
            (false, None) => format!("{}: ", self.file),
            (false, Some(line)) => format!("{}:{line}: ", self.file),
        }
    }

    /// The fault in Chinese; keys and values of the file stay as they are.
    pub fn zh(&self) -> String {
        format!("{}{}", self.place(), self.message_zh)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.place(), self.message)
    }
}

/// The known name nearest to `name`, if one is near enough to have been meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let reach = length / 3 + 1;
    // Nothing has a name that long, and to compare what is far longer or shorter would cost something.
    let known = known.into_iter().filter(|_| length <= 80);
    let known = known.filter(|other| other.len() <= 4 * (length + reach));
    known
        .map(|other| (distance(name, other), other))
        .filter(|(distance, _)| *distance <= reach)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// `, did you mean …?`, or nothing where nothing is near.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Text {
    nearest(name, known).map_or_else(Text::default, |other| {
        both!(", did you mean `{other}`?", "，是否指“{other}”？")
    })
}

/// The same, or what there is to choose from.
pub fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Text {
    let near = near(name, known.clone());
    if !near.is_empty() {
        return near;
    }
    let known: Vec<_> = known.into_iter().collect();
    if !(1..=12).contains(&known.len()) {
        return Text::default();
    }
    Text {
        en: format!(", expected one of `{}`", known.join("`, `")),
        zh: format!("，应为“{}”之一", known.join("”“")),
    }
}

/// How many letters must be put in, taken out, changed, or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut last: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut before = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&row, j) + usize::from(x != y))
                .min(at(&row, j + 1) + 1)
                .min(at(&next, j) + 1);
            let swapped = j > 0 && before == Some(y) && b.get(j - 1) == Some(&x);
            if swapped {
                best = best.min(at(&last, j - 1) + 1);
            }
            next.push(best);
        }
        last = std::mem::replace(&mut row, next);
        before = Some(x);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("pawn", "pawn", 0),
            ("pwan", "pawn", 1),
            ("kitten", "sitting", 3),
            ("细则1", "细则11", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_name_is_meant_only_if_it_is_near() {
        let known = ["pawn_for_rook", "pawn_upgrade", "kill_budget"];
        assert_eq!(nearest("pawn_for_rok", known), Some("pawn_for_rook"));
        assert_eq!(nearest("weather", known), None);
        assert_eq!(
            meant("pawn_upgrad", known).en,
            ", did you mean `pawn_upgrade`?"
        );
        let Text { en, zh } = meant("weather", known);
        assert!(en.starts_with(", expected one of `pawn_for_rook`, "));
        assert!(zh.starts_with("，应为“pawn_for_rook”“"));
    }

    #[test]
    fn codes_are_named_as_they_are_written() {
        for code in FaultCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.id());
        }
    }
}
