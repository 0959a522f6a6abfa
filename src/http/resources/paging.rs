//! Lists, a page at a time: what a page costs does not depend on how long the list is.

use crate::http::edge::problem::{ApiError, Result};
use crate::language::both;
use serde::Deserialize;
use std::str::FromStr;

/// Entries of a page where nothing else is asked for, and the most.
const USUAL: u32 = 50;
pub const MOST: u32 = 200;

/// Which page.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct Part {
    /// Where the page begins: `next` of the page before.
    pub cursor: Option<String>,
    /// So many at most: 50 where missing, 200 at most.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u32>,
}

impl Part {
    /// How many it has, and the number behind which it begins.
    ///
    /// # Errors
    /// That many are never told at once, or the number is none that was given.
    pub fn asked<N: FromStr>(&self) -> Result<(u32, Option<N>)> {
        Ok((limit(self.limit)?, cursor(self.cursor.as_ref())?))
    }
}

/// How many a page has.
///
/// # Errors
/// Fewer than one are asked for, or too many.
pub fn limit(asked: Option<u32>) -> Result<u32> {
    let limit = asked.unwrap_or(USUAL);
    if (1..=MOST).contains(&limit) {
        return Ok(limit);
    }
    let told = both!(
        "a whole number from 1 to {MOST}, not {limit}",
        "应为1至{MOST}的整数，不是{limit}"
    );
    Err(ApiError::query("limit", &told))
}

/// Of the entry behind which a page begins, the number.
pub fn cursor<N: FromStr>(text: Option<&String>) -> Result<Option<N>> {
    let read = |text: &String| text.parse().map_err(|_| no_cursor());
    text.map(read).transpose()
}

/// What is told of a cursor that none of ours is.
pub fn no_cursor() -> ApiError {
    ApiError::query("cursor", &both!("none that was given", "不是答复中给出的"))
}

/// A page of what was found, one more than it may have where there is more; and where the next begins.
pub fn page<T>(
    mut found: Vec<T>,
    limit: u32,
    last: impl FnOnce(&T) -> String,
) -> (Vec<T>, Option<String>) {
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next = found.last().filter(|_| more).map(last);
    (found, next)
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn a_page_says_where_the_next_begins_only_where_there_is_one() {
        let last = |number: &u32| number.to_string();
        assert_eq!(page(vec![1, 2, 3], 2, last), (vec![1, 2], Some("2".into())));
        assert_eq!(page(vec![1, 2], 2, last), (vec![1, 2], None));
        assert_eq!(page(vec![], 2, last), (vec![], None));
    }
}
