//! Games as a command is given them: moves as arguments, files, folders, or standard input.

use super::books::{there, unreadable};
use super::out::{Out, complain};
use super::{Failure, Lang, Status};
use crate::archive::{Files, Source as FileSource};
use crate::board::{Move, Position};
use crate::game::Game;
use crate::language::told;
use crate::notation::{self, Notation};
use crate::record::{Fault, FaultKind, Reader, Record};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Where a command takes its games from.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Source {
    /// The position a list of moves starts from, instead of the opening
    #[arg(long)]
    fen: Option<String>,
    /// Moves in any notation, files of games in any form, folders, ZIP archives, or `-` for standard
    /// input
    #[arg(required = true, value_name = "MOVES|FILE|-")]
    given: Vec<String>,
}

/// A game, and the record it stood in.
pub(super) struct Given {
    pub(super) game: Game,
    /// Where it came from a file.
    pub(super) record: Option<Record>,
    /// Its place in that file, from 1.
    pub(super) number: u64,
}

/// A game of a file.
pub(super) struct FromFile<'a> {
    /// The file as it is told.
    pub(super) file: &'a str,
    /// Its place in the file, from 1.
    pub(super) number: u64,
    /// The game; it may break off.
    pub(super) record: Record,
}

impl Source {
    /// Does some work for each game given. A bad game of a file is complained about, and the
    /// next one taken all the same.
    pub(super) fn each(
        &self,
        out: &mut Out,
        mut work: impl FnMut(&mut Out, &Given) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        let lang = out.lang;
        let Some(paths) = self.files() else {
            return self.list(&self.given.join(" "), out, work);
        };
        if self.fen.is_some() {
            return self.lists(&paths, out, work);
        }
        each_record(&paths, out, |out, found| {
            let FromFile { number, record, .. } = found;
            let record = match record.whole() {
                Ok(record) => record,
                Err(fault) => {
                    out.flush()?;
                    complain(&lang.pick(fault.zh(), fault.to_string()));
                    return Ok(Status::Wrong);
                }
            };
            let game = game(record.start.clone(), record.moves.iter().copied(), lang)?;
            let given = Given {
                game,
                record: Some(record),
                number,
            };
            work(out, &given)?;
            Ok(Status::Well)
        })
    }

    /// The files given; nothing where moves are.
    pub(super) fn files(&self) -> Option<Vec<PathBuf>> {
        let files = self
            .given
            .iter()
            .all(|one| one == "-" || is_file(Path::new(one)));
        files.then(|| self.given.iter().map(PathBuf::from).collect())
    }

    /// Files that hold moves from the position given with them.
    fn lists(
        &self,
        paths: &[PathBuf],
        out: &mut Out,
        mut work: impl FnMut(&mut Out, &Given) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        let mut status = Status::Well;
        for source in Files::new(paths) {
            let source = source.map_err(|error| Failure::Usage(error.to_string()))?;
            let mut bytes = Vec::new();
            let read = source
                .open(&Arc::default())
                .and_then(|mut input| input.read_to_end(&mut bytes));
            read.map_err(|error| unreadable(&*source.name, &error))?;
            if bytes.trim_ascii_start().starts_with(b"[") {
                return Err(Failure::Usage(
                    out.lang.pick(
                        "PGN自带起始局面，不能另给 --fen".to_owned(),
                        "a PGN says itself where its games start: --fen is for lists of moves"
                            .to_owned(),
                    ),
                ));
            }
            let text = String::from_utf8(bytes).unwrap_or_else(|error| {
                encoding_rs::GB18030.decode(error.as_bytes()).0.into_owned()
            });
            status = status.and(self.list(&text, out, &mut work)?);
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

/// Does some work for each game of some files, folders and ZIP archives, in their order; a game that
/// breaks off is given as far as it goes. What cannot be read is complained about, and the next game
/// taken all the same.
pub(super) fn each_record(
    paths: &[PathBuf],
    out: &mut Out,
    mut work: impl FnMut(&mut Out, FromFile<'_>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    there(paths)?;
    let mut status = Status::Well;
    for source in Files::new(paths) {
        let source = source.map_err(|error| Failure::Usage(error.to_string()))?;
        let input = source
            .open(&Arc::new(AtomicU64::new(0)))
            .map_err(|error| unreadable(&*source.name, &error))?;
        let mut number = 0;
        for record in Reader::new(input) {
            number += 1;
            match record {
                Ok(record) => {
                    for remark in &record.remarks {
                        let told = out.lang.pick(remark.zh(), remark.to_string());
                        complain(&format!("{}#{number}: {told}", source.name));
                    }
                    let found = FromFile {
                        file: &source.name,
                        number,
                        record,
                    };
                    status = status.and(work(out, found)?);
                }
                Err(fault) => {
                    out.flush()?;
                    status = status.and(tell(&source, &fault, out.lang));
                }
            }
        }
        if number == 0 {
            let told = out.lang.pick("没有棋局", "there is no game in it");
            complain(&format!("{}: {told}", source.name));
            status = status.and(Status::Wrong);
        }
    }
    Ok(status)
}

/// Complains about what is no game, and says whether that is wrong.
pub(super) fn tell(source: &FileSource, fault: &Fault, lang: Lang) -> Status {
    let no_record = matches!(fault.kind, FaultKind::NoRecord(_));
    let told = if no_record {
        lang.pick(fault.kind.zh(), fault.kind.to_string())
    } else {
        lang.pick(fault.zh(), fault.to_string())
    };
    complain(&format!("{}: {told}", source.name));
    Status::of(fault.is_heading() || no_record && !source.named)
}

/// Whether a word names a file: one that is there, or could only be meant as one.
pub(super) fn is_file(path: &Path) -> bool {
    const ENDINGS: [&str; 10] = [
        "pgn", "txt", "xqf", "cbl", "cbr", "cbf", "ndjson", "zip", "htm", "html",
    ];
    let named = |extension: &std::ffi::OsStr| {
        ENDINGS
            .iter()
            .any(|ending| extension.eq_ignore_ascii_case(ending))
    };
    // No move begins like this.
    let is_path = path.is_absolute() || path.starts_with(".") || path.starts_with("..");
    is_path || path.exists() || path.extension().is_some_and(named)
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
        let number = told!(lang; "第{number}局"; "Game {number}");
        Some(match (record.told("Red"), record.told("Black")) {
            (Some(red), Some(black)) => told!(lang;
                "{number}　{red} 对 {black}";
                "{number}: {red} – {black}"),
            _ => number,
        })
    }
}

/// A move's Chinese name.
pub(super) fn chinese(position: &Position, mv: Move) -> String {
    notation::write_move(position, mv, Notation::Chinese)
}

/// That what is read from is not written over: it would be emptied before it is read.
pub(super) fn not_over<const N: usize>(
    written: [&Option<PathBuf>; N],
    read: &[PathBuf],
    lang: Lang,
) -> Result<(), Failure> {
    let written = written.into_iter().flatten();
    let places: Vec<_> = written
        .filter_map(|path| fs::canonicalize(path).ok())
        .collect();
    let is_one = |path: &&PathBuf| fs::canonicalize(path).is_ok_and(|path| places.contains(&path));
    let Some(path) = read.iter().find(is_one) else {
        return Ok(());
    };
    let path = path.display();
    Err(Failure::Usage(told!(lang;
        "“{path}”既是输入又是输出，会被清空：请另取输出文件名";
        "`{path}` is both read and written, and would be emptied: name another file to write")))
}
