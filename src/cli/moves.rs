//! `qili moves`: the legal moves of a position.

use super::input;
use super::out::Out;
use super::{Failure, Status};
use crate::board::PieceId;
use crate::game::Ended;
use crate::language::told;

/// How many moves stand on a line.
const PER_LINE: usize = 5;

/// Lists the legal moves of a FEN, piece by piece
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The position, or `start`
    fen: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let position = super::position(&args.fen, lang)?;
    let legal = position.legal_moves();
    let side = position.turn();
    if let Some(ended) = Ended::of(&position) {
        out.line(told!(lang;
            "{}无着可走：{}", side.zh(), ended.by.zh();
            "{} has no move: {}", side.en(), ended.by.id()))?;
        return Ok(Status::Well);
    }
    let many = legal.len();
    let check = position.in_check();
    let moves = if many == 1 { "move" } else { "moves" };
    let checked = if check {
        ("（被将军）", " (in check)")
    } else {
        ("", "")
    };
    out.line(told!(lang;
        "{}{many}种着法{}", side.zh(), checked.0;
        "{}: {many} {moves}{}", side.en(), checked.1))?;
    let mut pieces: Vec<PieceId> = position.pieces_of(side).collect();
    pieces.sort_by_key(|id| (id.role(), position.square_of(*id)));
    for id in pieces {
        let from = position.square_of(id);
        let moves: Vec<String> = legal
            .iter()
            .filter(|mv| mv.from == from)
            .map(|&mv| format!("{mv} {}", input::chinese(&position, mv)))
            .collect();
        for (i, line) in moves.chunks(PER_LINE).enumerate() {
            let head = if i == 0 {
                format!("{} {from}", id.piece().glyph())
            } else {
                " ".repeat(5)
            };
            out.line(format_args!("{head}  {}", line.join("  ")))?;
        }
    }
    Ok(Status::Well)
}
