//! The two languages everything is told in.

use crate::named::named;
use serde::{Deserialize, Serialize};

named! { read
    /// A language.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Lang, rename_all = "snake_case"))]
    pub enum Language {
        /// 中文.
        #[default]
        Zh "zh",
        /// English.
        En "en",
    }
}

impl Language {
    /// One of two.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }

    /// The half of a text in this language.
    pub fn of(self, text: &Text) -> &str {
        self.pick(&text.zh, &text.en)
    }
}

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// Chinese.
    pub zh: String,
    /// English.
    pub en: String,
}

impl Text {
    /// What is called so in each language.
    pub(crate) fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self {
            zh: zh.into(),
            en: en.into(),
        }
    }

    /// Whether nothing is said.
    pub(crate) const fn is_empty(&self) -> bool {
        self.en.is_empty() && self.zh.is_empty()
    }

    /// The same things in both languages, one behind the other: `e0, e9`, and `e0、e9`.
    pub(crate) fn listed<T: ToString>(of: impl IntoIterator<Item = T>) -> Self {
        let of: Vec<String> = of.into_iter().map(|one| one.to_string()).collect();
        Self::new(of.join(", "), of.join("、"))
    }

    /// What there is to tell of several things, each language with its own sign between them.
    pub(crate) fn joined(parts: impl IntoIterator<Item = Self>, en: &str, zh: &str) -> Self {
        let mut whole = Self::default();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if !whole.is_empty() {
                whole.en.push_str(en);
                whole.zh.push_str(zh);
            }
            whole.en.push_str(&part.en);
            whole.zh.push_str(&part.zh);
        }
        whole
    }

    /// The text, or nothing.
    pub(crate) fn only_if(self, so: bool) -> Self {
        if so { self } else { Self::default() }
    }
}

/// A text in both languages from the same particulars: `both!(by, taken = piece(at); "{by} takes {taken}", "{by}吃{taken}")`.
/// Of the texts named first each language takes its own half, and one that either does not tell is an unused variable. What
/// else stands in braces is the same in both.
macro_rules! both {
    ($($text:ident $(= $told:expr)?),+; $en:literal, $zh:literal $(,)?) => {
        match ($($crate::language::both!(@half $text $($told)?),)+) {
            ($($text,)+) => $crate::language::Text {
                en: { $(let $text = &$text.en;)+ format!($en) },
                zh: { $(let $text = &$text.zh;)+ format!($zh) },
            },
        }
    };
    ($en:literal, $zh:literal $(, $particular:expr)* $(,)?) => {
        $crate::language::Text {
            en: format!($en $(, $particular)*),
            zh: format!($zh $(, $particular)*),
        }
    };
    (@half $text:ident) => { &$text };
    (@half $text:ident $told:expr) => { &$told };
}
pub(crate) use both;

/// The first letter in upper case.
pub(crate) fn capitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// What tells itself in both languages by `text` has `zh`, and is displayed in English: `in_both!(error Fault)` where it is an
/// error as well.
macro_rules! in_both {
    (error $($of:ty),+) => {
        $crate::language::in_both!($($of),+);

        $(impl std::error::Error for $of {})+
    };
    ($($of:ty),+) => {$(
        impl $of {
            /// The same in Chinese.
            pub fn zh(&self) -> String {
                self.text().zh
            }
        }

        impl std::fmt::Display for $of {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.text().en)
            }
        }
    )+};
}
pub(crate) use in_both;

/// A text in one of two languages, each written as for `format!`: `told!(language; "第{ply}着"; "move {ply}")`.
macro_rules! told {
    ($language:expr; $zh:literal $(, $of:expr)*; $en:literal $(, $by:expr)*) => {
        match $language {
            $crate::language::Language::Zh => format!($zh $(, $of)*),
            $crate::language::Language::En => format!($en $(, $by)*),
        }
    };
}
pub(crate) use told;
