//! The command: one file for each of its commands, which parse, call the engine and print.
//!
//! Results go to standard output, diagnostics to standard error. Exit status: 0 all went well,
//! 1 something was judged wrong or some of what was to be read was bad, 2 wrong usage.

mod archive;
#[cfg(feature = "store")]
mod backup;
mod board;
mod books;
mod cases;
mod compare;
mod convert;
#[cfg(feature = "server")]
mod doctor;
#[cfg(feature = "server")]
mod health;
mod input;
mod judge;
#[cfg(feature = "store")]
mod kept;
#[cfg(feature = "store")]
mod keys;
#[cfg(feature = "store")]
mod library;
mod limit;
#[cfg(feature = "store")]
mod log;
#[cfg(feature = "store")]
mod migrate;
mod moves;
#[cfg(feature = "server")]
mod openapi;
mod out;
#[cfg(feature = "server")]
mod page;
mod perft;
mod rules;
#[cfg(feature = "server")]
mod serve;
mod shell;
mod verify;

use crate::board::Position;
use crate::language::Language as Lang;
use crate::notation::fen;
use crate::notation::fen::FenError;
use crate::version::BUILD;
use clap::{Parser, Subcommand, ValueEnum};
use out::Out;
use std::io;
use std::process::ExitCode;

/// 棋例: adjudicates repetition in xiangqi.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "qili",
    version = BUILD,
    propagate_version = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// The language of results and diagnostics [default: by the locale]
    #[arg(long, global = true, value_enum)]
    lang: Option<Lang>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    Judge(judge::Args),
    Verify(verify::Args),
    Perft(perft::Args),
    Board(board::Args),
    Moves(moves::Args),
    Convert(convert::Args),
    Limit(limit::Args),
    Cases(cases::Args),
    Rules(rules::Args),
    Compare(compare::Args),
    Archive(Box<archive::Args>),
    #[cfg(feature = "store")]
    Log(log::Args),
    #[cfg(feature = "store")]
    Library(library::Args),
    #[cfg(feature = "store")]
    Keys(keys::Args),
    #[cfg(feature = "store")]
    Backup(backup::Args),
    #[cfg(feature = "store")]
    Restore(backup::RestoreArgs),
    #[cfg(feature = "store")]
    Migrate(migrate::Args),
    #[cfg(feature = "server")]
    Serve(Box<serve::Args>),
    #[cfg(feature = "server")]
    Doctor(Box<doctor::Args>),
    #[cfg(feature = "server")]
    Health(health::Args),
    #[cfg(feature = "server")]
    Page(page::Args),
    #[cfg(feature = "server")]
    Openapi(openapi::Args),
    Completions(shell::Args),
    #[command(hide = true)]
    Man(shell::ManArgs),
}

/// The language of the locale: Chinese where it says so.
fn language_of_locale() -> Lang {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find(|name| set(name));
    let locale = locale
        .and_then(|name| std::env::var(name).ok())
        .unwrap_or_default();
    if locale.starts_with("zh") {
        Lang::Zh
    } else {
        Lang::En
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    Text,
    /// For programs
    Json,
}

/// How a command that could do its work came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// All went well.
    Well,
    /// Something was judged wrong.
    Wrong,
}

impl Status {
    /// Well where something is so.
    const fn of(well: bool) -> Self {
        if well { Self::Well } else { Self::Wrong }
    }

    /// Well where both are.
    const fn and(self, other: Self) -> Self {
        match self {
            Self::Well => other,
            Self::Wrong => Self::Wrong,
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
enum Failure {
    /// What was asked for makes no sense.
    Usage(String),
    /// What was to be read is bad.
    Bad(String),
    /// A file that cannot be read or written.
    File(Unreadable),
    /// Nothing more can be written.
    Output(io::Error),
}

/// Why a file cannot be read or written.
#[derive(Debug)]
struct Unreadable {
    name: String,
    kind: io::ErrorKind,
    error: String,
    /// What it may have been meant to be.
    meant: Option<String>,
}

impl Unreadable {
    fn told(&self, lang: Lang) -> String {
        let Self { name, error, .. } = self;
        let known = [
            (io::ErrorKind::NotFound, "没有这个文件"),
            (io::ErrorKind::PermissionDenied, "没有权限"),
            (io::ErrorKind::InvalidData, "不是UTF-8，请另存为UTF-8编码"),
            (io::ErrorKind::IsADirectory, "是文件夹，不是文件"),
        ];
        let zh = known.iter().find(|(kind, _)| *kind == self.kind);
        let zh = zh.map_or(error.as_str(), |(_, zh)| zh);
        let meant = self.meant.as_ref();
        let (meant_zh, meant) = meant.map_or_else(Default::default, |near| {
            (
                format!("，是否指“{near}”？"),
                format!(", did you mean `{near}`?"),
            )
        });
        lang.pick(
            format!("“{name}”：{zh}{meant_zh}"),
            format!("`{name}`: {error}{meant}"),
        )
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// What somebody is shown who names no command.
const FIRST_EN: &str = "\
qili 棋例 adjudicates repetition in xiangqi by the clauses of the rule books.

  qili judge game.pgn      who must change, and why (also: --fen FEN MOVE…)
  qili cases check         the published cases, judged
  qili serve               the page and the API at http://127.0.0.1:8080

`qili --help` lists all commands, `qili COMMAND --help` has the details.
";
const FIRST_ZH: &str = "\
qili 棋例：按规则条文裁决象棋的循环着法。

  qili judge game.pgn      谁该变着，为什么（也可用 --fen FEN 着法…）
  qili cases check         逐一裁决公布的图例
  qili serve               网页与接口，见 http://127.0.0.1:8080

`qili --help` 列出全部命令，`qili 命令 --help` 有详细说明。
";

/// Runs the command.
pub fn run(cli: &Cli) -> ExitCode {
    let lang = cli.lang.unwrap_or_else(language_of_locale);
    let mut out = Out::new(lang);
    let Some(command) = &cli.command else {
        let shown = out.text(lang.pick(FIRST_ZH, FIRST_EN));
        // Whoever closed the output has seen enough.
        shown.and_then(|()| out.flush()).ok();
        return ExitCode::SUCCESS;
    };
    let result = match command {
        Command::Judge(args) => judge::run(args, &mut out),
        Command::Verify(args) => verify::run(args, &mut out),
        Command::Perft(args) => perft::run(args, &mut out),
        Command::Board(args) => board::run(args, &mut out),
        Command::Moves(args) => moves::run(args, &mut out),
        Command::Convert(args) => convert::run(args, &mut out),
        Command::Limit(args) => limit::run(args, &mut out),
        Command::Cases(args) => cases::run(args, &mut out),
        Command::Rules(args) => rules::run(args, &mut out),
        Command::Compare(args) => compare::run(args, &mut out),
        Command::Archive(args) => archive::run(args, &mut out),
        #[cfg(feature = "store")]
        Command::Log(args) => log::run(args, &mut out),
        #[cfg(feature = "store")]
        Command::Library(args) => library::run(args, &mut out),
        #[cfg(feature = "store")]
        Command::Keys(args) => keys::run(args, &mut out),
        #[cfg(feature = "store")]
        Command::Backup(args) => backup::run(args, &mut out),
        #[cfg(feature = "store")]
        Command::Restore(args) => backup::run_restore(args, &mut out),
        #[cfg(feature = "store")]
        Command::Migrate(args) => migrate::run(args, &mut out),
        #[cfg(feature = "server")]
        Command::Doctor(args) => doctor::run(args, &mut out),
        #[cfg(feature = "server")]
        Command::Health(args) => health::run(args, &mut out),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(args, &mut out),
        #[cfg(feature = "server")]
        Command::Page(args) => page::run(args, &mut out),
        #[cfg(feature = "server")]
        Command::Openapi(args) => openapi::run(args, &mut out),
        Command::Completions(args) => shell::run(args, &mut out),
        Command::Man(args) => shell::run_man(args),
    };
    let result = result.and_then(|status| {
        out.flush()?;
        Ok(status)
    });
    match result {
        Ok(Status::Well) => ExitCode::SUCCESS,
        Ok(Status::Wrong) => ExitCode::from(1),
        Err(Failure::Usage(fault)) => {
            out::complain(&fault);
            ExitCode::from(2)
        }
        Err(Failure::File(file)) => {
            out.flush().ok();
            out::complain(&file.told(lang));
            // What is in it is bad, or it is not there.
            ExitCode::from(if file.kind == io::ErrorKind::InvalidData {
                1
            } else {
                2
            })
        }
        Err(Failure::Bad(fault)) => {
            // What was found before stands.
            out.flush().ok();
            out::complain(&fault);
            ExitCode::from(1)
        }
        // Whoever read the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => {
            out::complain(&error.to_string());
            ExitCode::from(1)
        }
    }
}

/// Names every fault, each on a line of its own, as why the command could not do its work.
fn refused(faults: impl IntoIterator<Item = String>) -> Failure {
    let mut faults = faults.into_iter().peekable();
    while let Some(fault) = faults.next() {
        if faults.peek().is_none() {
            return Failure::Bad(fault);
        }
        out::complain(&fault);
    }
    Failure::Bad(String::new())
}

/// Whether a FEN argument means the opening position.
fn is_start(text: &str) -> bool {
    text.trim() == "start"
}

/// The position a FEN argument describes; `start` is the opening position.
fn position(text: &str, lang: Lang) -> Result<Position, Failure> {
    if is_start(text) {
        return Ok(Position::start());
    }
    fen::parse(text).map_err(|fault| Failure::Usage(tell(&fault, lang)))
}

fn tell(fault: &FenError, lang: Lang) -> String {
    lang.pick(fault.zh(), fault.to_string())
}
