//! The two languages everything is told in.

use crate::named::named;
use serde::Serialize;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Lang))]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// 中文.
    #[default]
    Zh,
    /// English.
    En,
}

named!(read Language {
    Zh "zh",
    En "en",
});

impl Language {
    /// One of two.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}

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
