//! Games as a command is given them: moves as arguments, a file, or standard input.

use super::{Failure, Lang};
use crate::board::{Move, Position};
use crate::game::Game;
use crate::notation::{self, Notation};
use std::io::{self, Read};
use std::path::Path;

/// Where a command takes its game from.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Source {
    /// The position the moves start from, or `start`
    #[arg(long, default_value = "start")]
    fen: String,
    /// Moves in any notation, a file of them, or `-` for standard input
    #[arg(required = true, value_name = "MOVES|FILE|-")]
    given: Vec<String>,
}

impl Source {
    /// The game given.
    pub(super) fn games(&self, lang: Lang) -> Result<Vec<Game>, Failure> {
        let start = super::position(&self.fen, lang)?;
        let text = self.text(lang)?;
        Ok(vec![listed(start, &text, lang)?])
    }

    /// What was given, as text.
    fn text(&self, lang: Lang) -> Result<String, Failure> {
        let [one] = self.given.as_slice() else {
            return Ok(self.given.join(" "));
        };
        let bytes = if one == "-" {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else if Path::new(one).is_file() {
            std::fs::read(one)
        } else {
            return Ok(one.clone());
        };
        let bytes = bytes.map_err(|error| Failure::Usage(format!("`{one}`: {error}")))?;
        String::from_utf8(bytes).map_err(|_| {
            Failure::Bad(lang.pick(format!("`{one}`不是UTF-8"), format!("`{one}` is not UTF-8")))
        })
    }
}

/// The game a list of moves makes.
fn listed(start: Position, text: &str, lang: Lang) -> Result<Game, Failure> {
    let moves = notation::read_list(&start, text)
        .map_err(|fault| Failure::Bad(lang.pick(fault.zh(), fault.to_string())))?;
    Game::with_moves(start, moves)
        .map_err(|illegal| Failure::Bad(lang.pick(illegal.zh(), illegal.to_string())))
}

/// A move's Chinese name.
pub(super) fn chinese(position: &Position, mv: Move) -> String {
    notation::write_move(position, mv, Notation::Chinese)
}
