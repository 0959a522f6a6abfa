//! `qili convert`: moves from one notation to another.

use super::input::Source;
use super::out::Out;
use super::{Failure, Status};
use crate::notation::{self, Notation};

/// Writes moves in another notation
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Which notation a move is given in is found out, move by move. \
                        A PGN is written as PGN."
)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The notation written: `iccs`, `iccs_dashed`, `chinese`, `traditional`, `short`, `asian` or
    /// `english`
    #[arg(long, value_name = "NOTATION", default_value = "chinese")]
    to: Notation,
    /// A move a line, for a list of moves
    #[arg(long)]
    lines: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    args.source.each(out, |out, given| {
        if let Some(record) = &given.record {
            return Ok(out.text(record.write(args.to))?);
        }
        let game = &given.game;
        let written: Vec<String> = game
            .positions()
            .iter()
            .zip(game.moves())
            .map(|(before, &mv)| notation::write_move(before, mv, args.to))
            .collect();
        Ok(out.line(written.join(if args.lines { "\n" } else { " " }))?)
    })
}
