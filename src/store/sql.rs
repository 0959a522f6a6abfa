//! Statements that say the same thing for many rows, and values read from rows.

use super::error::Result;
use sqlx::any::AnyRow;
use sqlx::{Any, ColumnIndex, Decode, Row as _, Type};
use std::fmt::Write as _;

/// `($1, $2), ($3, $4)`: places for so many rows of so many values.
pub(super) fn places(rows: usize, columns: usize) -> String {
    let mut text = String::new();
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for column in 1..=columns {
            let comma = if column == 1 { "" } else { ", " };
            let _ = write!(text, "{comma}${}", row * columns + column);
        }
        text.push(')');
    }
    text
}

/// A value of a row.
pub(super) fn value<'r, T, I>(row: &'r AnyRow, column: I) -> Result<T>
where
    T: Decode<'r, Any> + Type<Any>,
    I: ColumnIndex<AnyRow>,
{
    Ok(row.try_get(column)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn places_are_numbered_through() {
        assert_eq!(super::places(2, 3), "($1, $2, $3), ($4, $5, $6)");
    }
}
