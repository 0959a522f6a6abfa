//! The language of a caller.

pub use crate::language::Language;
use actix_web::http::header::{self, HeaderMap};

impl Language {
    /// The one a caller asks for; English where none is.
    pub fn asked_for(headers: &HeaderMap) -> Self {
        let accepted = headers
            .get(header::ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok());
        accepted.map_or(Self::En, Self::accepted)
    }

    /// The one preferred by an `Accept-Language`: the first of the heaviest; English where
    /// neither is named.
    pub fn accepted(header: &str) -> Self {
        let mut best = (Self::En, 0.0);
        for range in header.split(',') {
            let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
            let weight = weight
                .trim()
                .strip_prefix("q=")
                .and_then(|q| q.trim().parse().ok());
            let weight: f32 = weight.unwrap_or(0.0);
            let primary = tag.trim().split('-').next().unwrap_or_default();
            let language = match primary {
                _ if primary.eq_ignore_ascii_case("zh") => Self::Zh,
                _ if primary.eq_ignore_ascii_case("en") => Self::En,
                _ => continue,
            };
            if weight > best.1 {
                best = (language, weight);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_heaviest_language_is_taken() {
        for (header, language) in [
            ("", Language::En),
            ("zh", Language::Zh),
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Zh),
            ("en-GB,en;q=0.9,zh;q=0.8", Language::En),
            ("de, zh;q=0.1", Language::Zh),
            ("de;q=x,,;", Language::En),
            ("ZH;q=0.5, en;q=0.6", Language::En),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }
}
