//! Games as a command is given them: moves as arguments, a file, or standard input.

use super::books::unreadable;
use super::out::{Out, complain};
use super::{Failure, Lang, Status};
use crate::board::{Move, Position};
use crate::game::Game;
use crate::notation::pgn::{PgnReader, Record};
use crate::notation::{self, Notation};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Where a command takes its games from.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Source {
    /// The position a list of moves starts from, instead of the opening
    #[arg(long)]
    fen: Option<String>,
    /// Moves in any notation, a file of them, a PGN file, or `-` for standard input
    #[arg(required = true, value_name = "MOVES|FILE|-")]
    given: Vec<String>,
}

/// A game, and the record it stood in.
pub(super) struct Given {
    pub(super) game: Game,
    /// Where it came from a PGN file.
    pub(super) record: Option<Record>,
    /// Its place in that file, from 1.
    pub(super) number: u64,
}

impl Source {
    /// Does some work for each game given. A bad game of a file is complained about, and the
    /// next one taken all the same.
    pub(super) fn each(
        &self,
        out: &mut Out,
        work: impl FnMut(&mut Out, &Given) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        let [one] = self.given.as_slice() else {
            return self.list(&self.given.join(" "), out, work);
        };
        if one == "-" {
            self.read(one, io::stdin().lock(), out, work)
        } else if is_file(Path::new(one)) {
            let file = File::open(one).map_err(|error| unreadable(one, &error))?;
            self.read(one, BufReader::new(file), out, work)
        } else {
            self.list(one, out, work)
        }
    }

    /// Reads a file: game records where it starts with a tag, otherwise a list of moves.
    fn read(
        &self,
        name: &str,
        mut input: impl BufRead,
        out: &mut Out,
        work: impl FnMut(&mut Out, &Given) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        let start = input.fill_buf().map_err(|error| unreadable(name, &error))?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        if start.trim_ascii_start().starts_with(b"[") {
            return self.records(input, out, work);
        }
        let mut bytes = Vec::new();
        input
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(name, &error))?;
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| encoding_rs::GB18030.decode(error.as_bytes()).0.into_owned());
        self.list(&text, out, work)
    }

    fn records(
        &self,
        input: impl BufRead,
        out: &mut Out,
        mut work: impl FnMut(&mut Out, &Given) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        let lang = out.lang;
        if self.fen.is_some() {
            return Err(Failure::Usage(lang.pick(
                "PGN自带起始局面，不能另给 --fen".to_owned(),
                "a PGN says itself where its games start: --fen is for lists of moves".to_owned(),
            )));
        }
        let mut status = Status::Well;
        for (number, record) in (1..).zip(PgnReader::new(input)) {
            match record {
                Ok(record) => {
                    let game = game(record.start.clone(), record.moves.iter().copied(), lang)?;
                    work(
                        out,
                        &Given {
                            game,
                            record: Some(record),
                            number,
                        },
                    )?;
                }
                Err(fault) => {
                    status = Status::Wrong;
                    out.flush()?;
                    complain(&lang.pick(fault.zh(), fault.to_string()));
                }
            }
        }
        Ok(status)
    }

    fn list(
        &self,
        text: &str,
        out: &mut Out,
        mut work: impl FnMut(&mut Out, &Given) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        let lang = out.lang;
        let start = super::position(self.fen.as_deref().unwrap_or("start"), lang)?;
        let moves = notation::read_list(&start, text)
            .map_err(|fault| Failure::Bad(lang.pick(fault.zh(), fault.to_string())))?;
        let game = game(start, moves, lang)?;
        work(
            out,
            &Given {
                game,
                record: None,
                number: 1,
            },
        )?;
        Ok(Status::Well)
    }
}

/// Whether a word names a file: one that is there, or could only be meant as one.
fn is_file(path: &Path) -> bool {
    let named = |extension: &std::ffi::OsStr| {
        extension.eq_ignore_ascii_case("pgn") || extension.eq_ignore_ascii_case("txt")
    };
    path.is_file() || path.extension().is_some_and(named)
}

fn game(
    start: Position,
    moves: impl IntoIterator<Item = Move>,
    lang: Lang,
) -> Result<Game, Failure> {
    Game::with_moves(start, moves)
        .map_err(|illegal| Failure::Bad(lang.pick(illegal.zh(), illegal.to_string())))
}

impl Given {
    /// What the game is called where several are told of: its number and its players.
    pub(super) fn title(&self, lang: Lang) -> Option<String> {
        let record = self.record.as_ref()?;
        let number = self.number;
        let number = lang.pick(format!("第{number}局"), format!("Game {number}"));
        Some(match (record.tag("Red"), record.tag("Black")) {
            (Some(red), Some(black)) => lang.pick(
                format!("{number}　{red} 对 {black}"),
                format!("{number}: {red} – {black}"),
            ),
            _ => number,
        })
    }
}

/// A move's Chinese name.
pub(super) fn chinese(position: &Position, mv: Move) -> String {
    notation::write_move(position, mv, Notation::Chinese)
}
