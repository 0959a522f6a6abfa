//! `qili convert`: moves from one notation to another, and records from one form to another.

use super::books::unreadable;
use super::input::{FromFile, Source, each_record, not_over};
use super::out::{Out, complain};
use super::{Failure, Status};
use crate::notation::{self, Notation, ParseNotationError};
use crate::record::{Encoding, ParseEncodingError, Record};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Writes moves in another notation, and records in another form
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
What is given is found out: moves in any notation, one by one; files by what is in them, in any form \
that is read (XQF, CBL, CBR, CBF, DhtmlXQ, PGN, move lists, `position …` lines, chessdb.cn links, \
rows of JSON), plain or packed; folders with all that is in them, and ZIP archives.

With `--to NOTATION` a list of moves is written as one, and a record as PGN. With `--to ndjson`, `pgn`, \
`xqf` or `dhtmlxq` each game is written in that form, one after the other; XQF holds one game, so that \
for more of them --out names a folder. A row of ndjson is {\"file\", \"index\", \"fen\", \"moves\", \"red\", \
\"black\", \"event\", \"date\", \"result\", \"comments\"?}. Of a game that breaks off the moves before are \
written, the fault is told on standard error, and the status is 1.")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The form written: `ndjson`, `pgn`, `xqf` or `dhtmlxq`; or a notation: `iccs`, `iccs_dashed`,
    /// `chinese`, `traditional`, `short`, `asian` or `english`
    #[arg(long, value_name = "FORM|NOTATION", default_value = "chinese")]
    to: Target,
    /// A move a line, for a list of moves
    #[arg(long)]
    lines: bool,
    /// The notation of the moves of --to pgn
    #[arg(long, value_name = "NOTATION", default_value = "chinese")]
    notation: Notation,
    /// The encoding of --to pgn and dhtmlxq: `utf-8` or `gbk`
    #[arg(long, value_name = "ENCODING", default_value = "utf-8")]
    encoding: Written,
    /// Writes to a file; XQF to a folder, a file for each game
    #[arg(long, value_name = "FILE|FOLDER")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Notation(Notation),
    Form(Form),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Ndjson,
    Pgn,
    Xqf,
    Dhtmlxq,
}

impl FromStr for Target {
    type Err = ParseNotationError;

    fn from_str(text: &str) -> Result<Self, ParseNotationError> {
        Ok(Self::Form(match text {
            "ndjson" => Form::Ndjson,
            "pgn" => Form::Pgn,
            "xqf" => Form::Xqf,
            "dhtmlxq" => Form::Dhtmlxq,
            _ => return text.parse().map(Self::Notation),
        }))
    }
}

/// An encoding to write in.
#[derive(Clone, Copy, Debug)]
struct Written(Encoding);

impl FromStr for Written {
    type Err = ParseEncodingError;

    fn from_str(text: &str) -> Result<Self, ParseEncodingError> {
        text.parse().map(Self)
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    match args.to {
        Target::Notation(to) => rewrite(args, to, out),
        Target::Form(form) => convert(args, form, out),
    }
}

fn rewrite(args: &Args, to: Notation, out: &mut Out) -> Result<Status, Failure> {
    if args.out.is_some() {
        let told = out.lang.pick(
            "--out 用于 --to ndjson、pgn、xqf 和 dhtmlxq",
            "--out is for --to ndjson, pgn, xqf and dhtmlxq",
        );
        return Err(Failure::Usage(told.to_owned()));
    }
    args.source.each(out, |out, given| {
        if let Some(record) = given.record.as_ref().filter(|record| !is_list(record)) {
            return Ok(out.text(record.write(to))?);
        }
        let game = &given.game;
        let written: Vec<String> = game
            .positions()
            .iter()
            .zip(game.moves())
            .map(|(before, &mv)| notation::write_move(before, mv, to))
            .collect();
        Ok(out.line(written.join(if args.lines { "\n" } else { " " }))?)
    })
}

/// Whether a record says nothing but moves.
fn is_list(record: &Record) -> bool {
    record.tags.is_empty()
}

/// Writes every game in a form.
fn convert(args: &Args, form: Form, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let Some(paths) = args.source.files() else {
        // Moves as arguments: a game without a file.
        return args.source.each(out, |out, given| {
            let mut record = Record::new(given.game.start().clone());
            record.moves = given.game.moves().to_vec();
            let bytes = written(args, form, "-", 1, &record);
            Ok(out.bytes(&bytes)?)
        });
    };
    not_over([&args.out], &paths, lang)?;
    let mut sink = Sink::new(args, form)?;
    let status = each_record(&paths, out, |out, found| {
        let FromFile {
            file,
            number,
            mut record,
        } = found;
        let fault = record.fault.take();
        let bytes = written(args, form, file, number, &record);
        sink.put(file, &bytes, out)?;
        let Some(fault) = fault else {
            return Ok(Status::Well);
        };
        out.flush()?;
        let told = lang.pick(fault.zh(), fault.to_string());
        complain(&format!("{file}: {told}"));
        Ok(Status::Wrong)
    })?;
    sink.end()?;
    Ok(status)
}

/// A game in a form.
fn written(args: &Args, form: Form, file: &str, number: u64, record: &Record) -> Vec<u8> {
    let encoded = |text: String| args.encoding.0.encode(&text).into_owned();
    match form {
        Form::Ndjson => (record.to_row(file, number - 1) + "\n").into_bytes(),
        Form::Pgn => encoded(record.write(args.notation)),
        Form::Dhtmlxq => encoded(record.to_dhtmlxq()),
        Form::Xqf => record.to_xqf(),
    }
}

/// Where games are written to.
enum Sink {
    Stdout,
    File(BufWriter<File>),
    /// A file of its own for each game.
    Folder {
        folder: PathBuf,
        written: u64,
    },
    /// Standard output, for the only game.
    One {
        written: bool,
    },
}

impl Sink {
    fn new(args: &Args, form: Form) -> Result<Self, Failure> {
        Ok(match (&args.out, form) {
            (None, Form::Xqf) => Self::One { written: false },
            (None, _) => Self::Stdout,
            (Some(path), Form::Xqf) if !is_xqf(path) => {
                fs::create_dir_all(path).map_err(|error| unreadable(path, &error))?;
                Self::Folder {
                    folder: path.clone(),
                    written: 0,
                }
            }
            (Some(path), _) => {
                let file = File::create(path).map_err(|error| unreadable(path, &error))?;
                Self::File(BufWriter::new(file))
            }
        })
    }

    fn put(&mut self, file: &str, bytes: &[u8], out: &mut Out) -> Result<(), Failure> {
        match self {
            Self::Stdout => out.bytes(bytes)?,
            Self::File(file) => file.write_all(bytes)?,
            Self::One { written: true } => {
                let told = out.lang.pick(
                    "一个 XQF 文件只有一局：棋局不止一局时请用 --out 指定文件夹",
                    "an XQF file holds one game: for more of them --out names a folder",
                );
                return Err(Failure::Usage(told.to_owned()));
            }
            Self::One { written } => {
                *written = true;
                out.bytes(bytes)?;
            }
            Self::Folder { folder, written } => {
                *written += 1;
                let stem = Path::new(file).file_stem();
                let stem = stem.map_or("game".into(), |stem| stem.to_string_lossy());
                // Numbered, so that no game takes the place of another.
                let path = folder.join(format!("{written:06}-{stem}.xqf"));
                fs::write(&path, bytes).map_err(|error| unreadable(&path, &error))?;
            }
        }
        Ok(())
    }

    fn end(self) -> Result<(), Failure> {
        if let Self::File(mut file) = self {
            file.flush()?;
        }
        Ok(())
    }
}

fn is_xqf(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("xqf"))
}
