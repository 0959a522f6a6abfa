//! Plain move lists, with or without numbers.

use super::error::MoveError;
use super::read::play_word;
use super::scan::{Element, Location, MoveText, ScanFault, Scanner, Word};
use super::written::Ranks;
use crate::board::{Move, Position};
use crate::language::{Text, both, in_both};

/// A move list that cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListError {
    /// How many moves come before.
    pub index: usize,
    /// Where in the text.
    pub location: Location,
    /// What is wrong there.
    pub fault: ListFault,
}

/// What can be wrong with a move list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListFault {
    /// The text cannot be taken apart.
    #[error(transparent)]
    Text(#[from] ScanFault),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
}

impl ListError {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match &self.fault {
            ListFault::Text(fault) => fault.code(),
            ListFault::Move(error) => error.code(),
        }
    }

    /// The error in both languages.
    pub fn text(&self) -> Text {
        let fault = match &self.fault {
            ListFault::Text(fault) => fault.text(),
            ListFault::Move(error) => error.text(),
        };
        let number = self.index + 1;
        both!(
            fault, at = self.location.text();
            "move {number} ({at}): {fault}",
            "第{number}着（{at}）：{fault}",
        )
    }
}

in_both!(error ListError);

/// Takes a list apart into its moves, without reading them. Move numbers, comments in `{}` and
/// `()`, results, commas and line ends are passed over; blanks may stand between moves and in
/// them, or nothing at all.
///
/// ```
/// use qili::notation::split_moves;
/// let moves = split_moves("1. 炮 2 = 5 马8进7\n2.h0g2 {常见} ……车98 3 R + 6, 1 6 = 5")?;
/// let texts: Vec<_> = moves.iter().map(|found| found.text).collect();
/// assert_eq!(texts, ["炮 2 = 5", "马8进7", "h0g2", "车98", "R + 6", "1 6 = 5"]);
/// assert_eq!((moves[2].location.line, moves[2].location.column), (2, 3));
/// # Ok::<_, qili::notation::ListError>(())
/// ```
///
/// # Errors
/// A bracket without its other half. What is no move is not found out here: it is given as it
/// stands.
pub fn split_moves(text: &str) -> Result<Vec<MoveText<'_>>, ListError> {
    let mut scanner = Scanner::list(text);
    let mut moves = Vec::new();
    while let Some(found) = scanner.next() {
        match found {
            Ok(Element::Move(Word { text, at, .. })) => {
                let location = scanner.location(at);
                moves.push(MoveText { text, location });
            }
            Ok(_) => {}
            Err((fault, location)) => {
                let fault = ListFault::Text(fault);
                return Err(ListError {
                    index: moves.len(),
                    location,
                    fault,
                });
            }
        }
    }
    Ok(moves)
}

/// Reads a list of moves from a position on, each in any notation.
///
/// ```
/// use qili::board::Position;
/// use qili::notation::read_list;
/// let moves = read_list(&Position::start(), "1. 炮二平五 H8+7 2. h0g2")?;
/// assert_eq!(moves.len(), 3);
/// let error = read_list(&Position::start(), "1. 炮二平五\n   炮9平5").unwrap_err();
/// assert_eq!((error.index, error.location.line, error.location.column), (1, 2, 4));
/// # Ok::<_, qili::notation::ListError>(())
/// ```
///
/// # Errors
/// The first move that cannot be played, with its index and place.
pub fn read_list(start: &Position, text: &str) -> Result<Vec<Move>, ListError> {
    let mut position = start.clone();
    let ranks = if text.contains("10") {
        split_moves(text).map_or(Ranks::Zero, |texts| {
            Ranks::of(texts.iter().map(|found| found.text))
        })
    } else {
        Ranks::Zero
    };
    let mut scanner = Scanner::list(text);
    let mut moves = Vec::new();
    while let Some(found) = scanner.next() {
        let index = moves.len();
        match found {
            Ok(Element::Move(word)) => {
                let played = play_word(&mut position, word, ranks);
                let (mv, _) = played.map_err(|error| ListError {
                    index,
                    location: scanner.location(word.at),
                    fault: error.into(),
                })?;
                moves.push(mv);
            }
            Ok(_) => {}
            Err((fault, location)) => {
                return Err(ListError {
                    index,
                    location,
                    fault: fault.into(),
                });
            }
        }
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        let moves = split_moves(text);
        moves
            .unwrap_or_else(|e| unreachable!("{text}: {e}"))
            .iter()
            .map(|found| found.text)
            .collect()
    }

    #[test]
    fn lists_come_in_many_shapes() {
        let expected = ["炮二平五", "马8进7", "马二进三", "车9平8"];
        for text in [
            "炮二平五 马8进7 马二进三 车9平8",
            "1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0",
            "1.炮二平五 马8进7\r\n2.马二进三 车9平8",
            "１．炮二平五　马8进7\n２．马二进三　车9平8",
            "1、炮二平五，马8进7；2、马二进三，车9平8。",
            "1 炮二平五 马8进7 2 马二进三 车9平8 *",
            "炮二平五马8进7马二进三车9平8",
            "1) 炮二平五 1... 马8进7 2) 马二进三 2…… 车9平8 红胜",
            "1.炮二平五! 马8进7?! {好 (棋} 2.马二进三 (2.马八进七 (车9进1) 炮8平5) $14 车9平8 （完）",
            "炮二平五; 马8进7; 马二进三; 车9平8",
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
        assert_eq!(split("1.h2e2 h9g7 2.h0g2"), ["h2e2", "h9g7", "h0g2"]);
        assert_eq!(split("h2e2h9g7, H2 - E2"), ["h2e2", "h9g7", "H2 - E2"]);
        assert_eq!(
            split("1 R+6 R-6 2 +R6 16=5 3 1 6 = 5"),
            ["R+6", "R-6", "+R6", "16=5", "1 6 = 5"]
        );
        assert_eq!(split("1.C2.5 H8+7 2.16.5"), ["C2.5", "H8+7", "16.5"]);
        assert_eq!(
            split("炮25 马87 +R6 马 3 – 5 前车 6"),
            ["炮25", "马87", "+R6", "马 3 – 5", "前车 6"]
        );
        assert_eq!(
            split("1.C2=5+ 1 兵七进一 1兵平五"),
            ["C2=5", "兵七进一", "1兵平五"]
        );
        assert_eq!(split("1. —— 马8进7"), ["马8进7"]);
        assert_eq!(split(""), Vec::<&str>::new());
    }

    #[test]
    fn what_is_no_move_is_left_whole() {
        assert_eq!(
            split("C2=55 h2e22 吃车 炮二"),
            ["C2=55", "h2e22", "吃车", "炮二"]
        );
    }

    #[test]
    fn a_bracket_without_its_other_half_is_told_with_its_place() {
        for (text, code, line, column) in [
            ("炮二平五\n {开局", "text_open_comment", 2, 2),
            ("炮二平五 (马8进7 {x}", "text_open_variation", 1, 6),
            ("炮二平五 )", "text_stray_close", 1, 6),
            (&"(".repeat(1000), "text_too_deep", 1, 65),
        ] {
            let error = split_moves(text).unwrap_err();
            let place = (error.location.line, error.location.column);
            assert_eq!((error.code(), place), (code, (line, column)), "{text}");
        }
    }
}
