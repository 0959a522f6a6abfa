//! Positions as FEN: `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`.
//!
//! Reading is kind (`h`/`e`, `r` for Red to move, missing fields, underscores for blanks), but
//! never guesses: what it cannot read, it points at.

use crate::board::{Fault, Filling, Piece, Position, Setup, Side, Square};
use crate::language::{Text, both, in_both};

/// A FEN that cannot be read, or describes an impossible position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenError {
    /// No text.
    Empty,
    /// Too few or too many ranks.
    Ranks(usize),
    /// A rank that is not nine points wide.
    Width {
        /// The rank, 0 at Red's back row.
        rank: u8,
        /// How wide it came out.
        width: u32,
        /// As written.
        text: String,
    },
    /// A letter that names no piece.
    Letter {
        /// As written.
        letter: char,
        /// The rank, 0 at Red's back row.
        rank: u8,
    },
    /// A side to move that is neither.
    Turn(String),
    /// A trailing field that is neither `-` nor a number.
    Trailing(String),
    /// The board can be read, but cannot be.
    Impossible(Vec<Fault>),
}

impl FenError {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "fen_empty",
            Self::Ranks(_) => "fen_ranks",
            Self::Width { .. } => "fen_rank_width",
            Self::Letter { .. } => "fen_piece",
            Self::Turn(_) => "fen_turn",
            Self::Trailing(_) => "fen_trailing",
            Self::Impossible(_) => "position_impossible",
        }
    }

    /// The error in both languages.
    pub fn text(&self) -> Text {
        match self {
            Self::Empty => both!(
                "the FEN is empty: expected ten ranks, then the side to move",
                "局面（FEN）为空：应为十行棋子，后接走子方",
            ),
            Self::Ranks(ranks) => both!(
                "the FEN has {ranks} ranks, expected 10 separated by `/`",
                "局面（FEN）有{ranks}行，应为10行，以 / 分隔",
            ),
            Self::Width { rank, width, text } => both!(
                "rank {rank} of the FEN (`{text}`) has {width} points, expected 9",
                "局面（FEN）第{rank}行（{text}）有{width}个点，应为9个",
            ),
            Self::Letter { letter, rank } => both!(
                "unknown piece letter `{letter}` in rank {rank} of the FEN: expected k a b n r c p, upper case for Red",
                "局面（FEN）第{rank}行有不认识的棋子字母 {letter}：应为 k a b n r c p，红方大写",
            ),
            Self::Turn(text) => both!(
                "unknown side to move `{text}` in the FEN: expected `w` or `r` for Red, `b` for Black",
                "局面（FEN）的走子方 {text} 不认识：红方为 w 或 r，黑方为 b",
            ),
            Self::Trailing(text) => both!(
                "unexpected `{text}` after the side to move in the FEN: expected `- - 0 1`",
                "局面（FEN）走子方之后有多余的 {text}：应为 - - 0 1",
            ),
            Self::Impossible(faults) => both!(
                faults = Text::joined(faults.iter().map(Fault::text), "; ", "；");
                "the position cannot be: {faults}",
                "局面不可能出现：{faults}",
            ),
        }
    }
}

in_both!(error FenError);

/// Reads a FEN as a setup, possible or not.
///
/// # Errors
/// The first thing that cannot be read.
pub fn parse_setup(text: &str) -> Result<Setup, FenError> {
    let mut setup = Setup::empty(Side::Red);
    setup.turn = read(text, |square, piece| setup.put(square, Some(piece)))?;
    Ok(setup)
}

/// Reads a FEN piece by piece, and tells who is to move.
fn read(text: &str, put: impl FnMut(Square, Piece)) -> Result<Side, FenError> {
    let text = text.trim_start_matches(is_blank);
    if text.is_empty() {
        return Err(FenError::Empty);
    }
    let read = read_board(text.as_bytes(), put);
    let behind = read.and_then(|length| text.get(length..));
    if let Some(fields) = behind.filter(|rest| rest.is_empty() || rest.starts_with(is_blank)) {
        return read_fields(fields);
    }
    let (board, fields) = text.split_at(text.find(is_blank).unwrap_or(text.len()));
    read_fields(fields)?;
    Err(fault_of(board))
}

fn is_blank(c: char) -> bool {
    c == '_' || c.is_whitespace()
}

/// Reads ten ranks in one pass, and tells how long they are; nothing where something is wrong with them.
fn read_board(text: &[u8], mut put: impl FnMut(Square, Piece)) -> Option<usize> {
    let (mut rank, mut file) = (9u8, 0u8);
    for (at, &letter) in text.iter().enumerate() {
        match letter {
            b'1'..=b'9' => file += letter - b'0',
            b'/' if file == 9 => (rank, file) = (rank.checked_sub(1)?, 0),
            _ => {
                let Some(piece) = Piece::from_letter(char::from(letter)) else {
                    return (rank == 0 && file == 9).then_some(at);
                };
                put(Square::new(file, rank)?, piece);
                file += 1;
            }
        }
        if file > 9 {
            return None;
        }
    }
    (rank == 0 && file == 9).then_some(text.len())
}

/// Who is to move, by what stands behind the board.
fn read_fields(text: &str) -> Result<Side, FenError> {
    let mut fields = text.split(is_blank).filter(|field| !field.is_empty());
    let turn = match fields.next() {
        None | Some("w" | "r" | "W" | "R") => Side::Red,
        Some("b" | "B") => Side::Black,
        Some(other) => return Err(FenError::Turn(other.to_owned())),
    };
    for (i, field) in fields.enumerate() {
        let number = field.bytes().all(|b| b.is_ascii_digit());
        if i >= 4 || !(field == "-" || number) {
            return Err(FenError::Trailing(field.to_owned()));
        }
    }
    Ok(turn)
}

/// What is wrong with a board that cannot be read.
fn fault_of(board: &str) -> FenError {
    let ranks = board.split('/').count();
    if ranks != 10 {
        return FenError::Ranks(ranks);
    }
    for (rank, text) in (0..10u8).rev().zip(board.split('/')) {
        let mut width = 0u32;
        for letter in text.chars() {
            if let Some(gap) = letter.to_digit(10).filter(|gap| *gap > 0) {
                width += gap;
            } else if Piece::from_letter(letter).is_some() {
                width += 1;
            } else {
                return FenError::Letter { letter, rank };
            }
        }
        if width != 9 {
            return FenError::Width {
                rank,
                width,
                text: text.to_owned(),
            };
        }
    }
    // Whatever cannot be read is one of these.
    FenError::Ranks(ranks)
}

/// Reads a FEN as a position.
///
/// ```
/// use qili::notation::fen;
/// let position = fen::parse("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r")?;
/// assert_eq!(position, qili::board::Position::start());
/// # Ok::<_, qili::notation::fen::FenError>(())
/// ```
///
/// # Errors
/// The first thing that cannot be read, or everything that makes the position impossible.
pub fn parse(text: &str) -> Result<Position, FenError> {
    let mut filling = Filling::default();
    let turn = read(text, |square, piece| filling.put(square, piece))?;
    match filling.position(turn) {
        Some(position) => Ok(position),
        // Its faults are looked for only where there are any.
        None => parse_setup(text)?.position().map_err(FenError::Impossible),
    }
}

/// The canonical FEN of a position.
pub fn write(position: &Position) -> String {
    position.setup().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_is_written_canonically() {
        let start = write(&Position::start());
        assert_eq!(
            start,
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
        );
        for text in [
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR_r_-_-_0_1",
            "  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR  w 12 ",
        ] {
            assert_eq!(parse(text).map(|p| write(&p)), Ok(start.clone()), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_pointed_at() {
        for (text, code) in [
            ("", "fen_empty"),
            ("9/9 w", "fen_ranks"),
            (
                "rnbakabnr/8/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                "fen_rank_width",
            ),
            (
                "rnbakabnr/99999999999999999999/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                "fen_rank_width",
            ),
            (
                "rnbakabnx/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                "fen_piece",
            ),
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR x",
                "fen_turn",
            ),
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w KQkq",
                "fen_trailing",
            ),
        ] {
            assert_eq!(
                parse(text).map_err(|e| e.code()).err(),
                Some(code),
                "{text}"
            );
        }
    }

    #[test]
    fn every_way_of_reading_finds_the_same() {
        let text = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let mut read = 0;
        for (at, _) in text.char_indices() {
            for other in [
                "", "0", "1", "8", "9", "/", " ", "_", "\u{3000}", "x", "é", "k", "K", "R", "//",
                "-",
            ] {
                let (before, behind) = text.split_at(at);
                let changed = format!("{before}{other}{}", behind.split_at(1).1);
                let setup = parse_setup(&changed);
                assert_ne!(setup, Err(FenError::Ranks(10)), "{changed}");
                let told = setup.and_then(|setup| setup.position().map_err(FenError::Impossible));
                assert_eq!(parse(&changed), told, "{changed}");
                read += usize::from(told.is_ok());
            }
        }
        assert!(read > 100, "{read}");
    }

    #[test]
    fn an_impossible_position_is_refused_with_all_its_faults() {
        let text = "R3k4/9/4A4/9/9/1P7/9/4b4/9/P7K w";
        let Err(FenError::Impossible(faults)) = parse(text) else {
            unreachable!("the position is impossible");
        };
        let told: Vec<_> = faults
            .iter()
            .map(|f| (f.kind.code(), f.squares.clone()))
            .collect();
        let at = |text: &str| vec![text.parse::<Square>().unwrap()];
        assert_eq!(
            told,
            [
                ("king_outside_palace", at("i0")),
                ("advisor_off_points", at("e7")),
                ("pawn_behind_start", at("a0")),
                ("pawn_off_file", at("b4")),
                ("elephant_off_points", at("e2")),
                (
                    "waiting_side_in_check",
                    vec!["e9".parse().unwrap(), "a9".parse().unwrap()]
                ),
            ]
        );
        let facing = parse("4k4/9/9/9/9/9/9/9/9/4K4 w").unwrap_err();
        assert!(facing.to_string().contains("e0, e9"), "{facing}");
        let checked = parse("3k5/9/9/9/9/9/9/9/9/3R1K3 w").unwrap_err();
        assert_eq!(
            checked.to_string(),
            "the position cannot be: Red is to move while Black stands in check (d9, d0)"
        );
        let kings = parse("4k4/4k4/9/9/9/9/9/9/9/9 w").unwrap_err();
        assert!(kings.zh().contains("红方没有帅") && kings.zh().contains("黑方的将多于1个"));
    }
}
