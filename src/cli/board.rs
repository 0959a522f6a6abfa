//! `qili board`: draws the board.

use super::out::Out;
use super::{Failure, Lang, Status};
use crate::board::{Piece, Position, Setup, Side, Square};
use crate::game::Ended;
use crate::language::told;
use crate::notation::fen;

/// Draws the board of a FEN
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The position, or `start`
    fen: String,
    /// Without colours
    #[arg(long)]
    plain: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let setup = if super::is_start(&args.fen) {
        Setup::start()
    } else {
        fen::parse_setup(&args.fen).map_err(|fault| Failure::Usage(super::tell(&fault, lang)))?
    };
    out.text(draw(&setup, out.coloured && !args.plain))?;
    out.line("")?;
    out.line(format_args!("FEN: {setup}"))?;
    match setup.position() {
        Ok(position) => {
            out.line(state(&position, lang))?;
            Ok(Status::Well)
        }
        // An impossible board is drawn all the same: the drawing shows what is wrong.
        Err(faults) => Err(Failure::Bad(super::tell(
            &fen::FenError::Impossible(faults),
            lang,
        ))),
    }
}

/// Who is to move, and whether in check or out of moves.
fn state(position: &Position, lang: Lang) -> String {
    let side = position.turn();
    let more = match (Ended::of(position), position.in_check()) {
        (Some(ended), _) => told!(lang; "，已被{}", ended.by.zh(); ", lost by {}", ended.by.id()),
        (None, true) => lang.pick("，被将军".to_owned(), ", in check".to_owned()),
        (None, false) => String::new(),
    };
    told!(lang; "轮到{}走{more}", side.zh(); "{} to move{more}", side.en())
}

/// The board, Red at the bottom. A file is four columns wide: a piece takes two of them, and so
/// do the characters of its line beside it.
pub(super) fn draw(setup: &Setup, coloured: bool) -> String {
    let mut lines = vec![
        files(["1", "2", "3", "4", "5", "6", "7", "8", "9"], "   "),
        rank_of(setup, 9, coloured),
    ];
    for rank in (0..9u8).rev() {
        lines.push(format!("   {}", above(rank)));
        lines.push(rank_of(setup, rank, coloured));
    }
    lines.push(files(
        ["九", "八", "七", "六", "五", "四", "三", "二", "一"],
        "  ",
    ));
    lines.push(files(["a", "b", "c", "d", "e", "f", "g", "h", "i"], "   "));
    lines.join("\n") + "\n"
}

/// The names of the nine files.
fn files(names: [&str; 9], gap: &str) -> String {
    format!("   {}", names.join(gap))
}

/// The points of a rank, with its number.
fn rank_of(setup: &Setup, rank: u8, coloured: bool) -> String {
    let mut line = format!(" {rank} ");
    for file in 0..9u8 {
        let piece = Square::new(file, rank).and_then(|square| setup.piece_at(square));
        match piece {
            Some(piece) => line += &drawn(piece, coloured),
            None => line.push(crossing(file, rank)),
        }
        if file < 8 {
            line += if piece.is_some() {
                "──"
            } else {
                "───"
            };
        }
    }
    line
}

/// A piece by the character engraved on it, which tells red from black without colours.
fn drawn(piece: Piece, coloured: bool) -> String {
    let glyph = piece.glyph();
    if !coloured {
        return glyph.to_string();
    }
    let colour = match piece.side {
        Side::Red => 31,
        Side::Black => 30,
    };
    // On white, so that either shows in a dark terminal and in a light one.
    format!("\u{1b}[1;{colour};107m{glyph}\u{1b}[0m")
}

/// The lines that meet on an empty point.
const fn crossing(file: u8, rank: u8) -> char {
    let (top, bottom) = (rank == 9 || rank == 4, rank == 0 || rank == 5);
    match (file, rank) {
        (0, 9) => '┌',
        (8, 9) => '┐',
        (0, 0) => '└',
        (8, 0) => '┘',
        (0, _) => '├',
        (8, _) => '┤',
        _ if top => '┬',
        _ if bottom => '┴',
        _ => '┼',
    }
}

/// What is drawn between a rank and the one above it.
const fn above(rank: u8) -> &'static str {
    match rank {
        4 => "│    楚  河           汉  界    │",
        8 | 1 => "│   │   │   │ ╲ │ ╱ │   │   │   │",
        7 | 0 => "│   │   │   │ ╱ │ ╲ │   │   │   │",
        _ => "│   │   │   │   │   │   │   │   │",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::width;

    #[test]
    fn every_line_of_the_board_is_as_wide() {
        for setup in [Setup::start(), Setup::empty(Side::Red)] {
            let text = draw(&setup, false);
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), 22);
            for (i, line) in lines[1..20].iter().enumerate() {
                // A piece on the last file reaches one column further than its line.
                let last = Square::new(8, 9 - u8::try_from(i / 2).unwrap()).unwrap();
                let piece = i % 2 == 0 && setup.piece_at(last).is_some();
                assert_eq!(width(line), 36 + usize::from(piece), "{line}");
            }
        }
    }

    #[test]
    fn colours_are_put_around_pieces_only() {
        let plain = draw(&Setup::start(), false);
        let coloured = draw(&Setup::start(), true);
        assert!(!plain.contains('\u{1b}'));
        let pieces = coloured.matches("\u{1b}[1;31;107m").count();
        assert_eq!(pieces, 16);
        let stripped = coloured
            .replace("\u{1b}[1;31;107m", "")
            .replace("\u{1b}[1;30;107m", "")
            .replace("\u{1b}[0m", "");
        assert_eq!(stripped, plain);
    }
}
