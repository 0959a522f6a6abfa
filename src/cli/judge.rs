//! `qili judge`: rulings on requests, games and cases.

use super::books::{bad_cases, book, there, trying, unreadable};
use super::input::tell;
use super::out::{Out, complain};
use super::{Failure, Status, board};
use crate::archive::{Files, Source, Stream, asks};
use crate::cases::Corpus;
use crate::classify::Assertions;
use crate::explain::{Sheet, sheet};
use crate::language::told;
use crate::proof::Certificate;
use crate::record::{Fault, FaultKind, Form, Reader, Record};
use crate::rules::{Catalog, LoadedBook, Outcome};
use crate::wire::{
    self, BadRequest, Explain, Kind, Request, RequestError, RulingJson, ruling_json, text,
};
use crate::written::plain;
use clap::{Args as ClapArgs, ValueEnum};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Judge requests (NDJSON or one JSON object), game records, a case file, or a position and moves
#[derive(Clone, Debug, ClapArgs)]
#[command(after_help = "\
What a file is, is told by its content: requests, or games in any form that is read (XQF, CBL, CBR, \
CBF, DhtmlXQ, PGN, move lists, `position …` lines, chessdb.cn links, rows of JSON), plain, packed, or \
in a ZIP archive; of a folder everything in it is read.")]
pub(super) struct Args {
    /// The rule book for requests that name none: `id`, `id@version` or a file
    #[arg(long, value_name = "ID|FILE")]
    rules: Option<String>,
    /// Parameters of that book at other values, by way of trial
    #[arg(long, value_name = "PARAM=VALUE", requires = "rules")]
    set: Vec<String>,
    /// How to tell the rulings [default: text on a terminal, otherwise ndjson]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// A position; the arguments are then the moves of one cycle
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The moves are a game, not one period of a cycle
    #[arg(long, requires = "fen")]
    game: bool,
    /// The arbiter finds that the position is a plain draw while the post is held
    #[arg(long, requires = "fen")]
    theoretical_draw: bool,
    /// How much to explain
    #[arg(long, value_enum)]
    explain: Option<Explain>,
    /// Prove every ruling by a certificate: it stands in the ruling as `proof`, and `qili verify` checks it
    #[arg(long, conflicts_with = "explain")]
    proof: bool,
    /// Write the certificates into a file, one a line; `-` writes them to standard output instead of the rulings
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    proof_to: Option<PathBuf>,
    /// A file (`-` or nothing: standard input), or the moves of --fen
    #[arg(value_name = "FILE|MOVE")]
    inputs: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON document, indented; a list where there are several rulings
    Json,
    /// One ruling a line, in input order, streaming
    Ndjson,
}

/// Longer than this an object over several lines is not waited for.
const LONGEST_OBJECT: usize = 1 << 20;

/// Whether a text could be the beginning of a JSON object, and is not yet one.
fn is_open(line: &[u8]) -> bool {
    let text = text(line).unwrap_or_default();
    text.trim_start().starts_with('{')
        && serde_json::from_str::<IgnoredAny>(text).is_err_and(|error| error.is_eof())
}

/// Whether a file that begins like this holds game records. Words that begin with no tag, number,
/// comment or move are taken for requests, so that one bad line costs no other.
fn holds_records(start: &[u8]) -> bool {
    if asks(start) {
        return false;
    }
    let text = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    let text = text.trim_ascii_start();
    match Form::of(start) {
        Ok(Form::Sheet) => {
            let requests = text
                .split(|&byte| byte == b'\n')
                .any(|line| line.starts_with(b"{\""));
            !requests || starts_sheet(text)
        }
        Ok(_) | Err(_) => true,
    }
}

fn starts_sheet(text: &[u8]) -> bool {
    match text {
        [b'[', next, ..] => next.is_ascii_alphabetic() || *next == b' ',
        [b';' | b'%', ..] => true,
        [first, ..] if first.is_ascii_digit() => {
            let behind = text.iter().find(|byte| !byte.is_ascii_digit());
            behind.is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b',')
        }
        [first, next, ..] if first.is_ascii_alphabetic() => {
            next.is_ascii_digit() || matches!(next, b'+' | b'-' | b'=' | b'.')
        }
        // Chinese, in UTF-8 or GB18030.
        [first, ..] => !first.is_ascii(),
        [] => false,
    }
}

/// Where certificates go.
enum Proofs {
    /// Only into the rulings.
    Rulings,
    /// To standard output, instead of the rulings.
    Alone,
    /// Into a file.
    File(String, BufWriter<File>),
}

impl Proofs {
    fn open(to: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = to else {
            return Ok(Self::Rulings);
        };
        if path == Path::new("-") {
            return Ok(Self::Alone);
        }
        let file = File::create(path).map_err(|error| unreadable(path, &error))?;
        Ok(Self::File(path.display().to_string(), BufWriter::new(file)))
    }

    /// Writes one, where it does not only stand in its ruling.
    fn put(&mut self, out: &mut Out, certificate: &Certificate) -> Result<(), Failure> {
        match self {
            Self::Rulings => Ok(()),
            Self::Alone => Ok(out.json(certificate)?),
            Self::File(name, file) => {
                let line = serde_json::to_string(certificate).unwrap_or_default();
                writeln!(file, "{line}").map_err(|error| unreadable(name, &error))
            }
        }
    }

    fn end(self) -> Result<(), Failure> {
        match self {
            Self::File(name, mut file) => file.flush().map_err(|error| unreadable(&name, &error)),
            Self::Rulings | Self::Alone => Ok(()),
        }
    }
}

/// What the command works with.
struct Work<'a> {
    args: &'a Args,
    out: &'a mut Out,
    catalog: &'static Catalog,
    /// The book of requests that name none, where it is given.
    book: Option<Arc<LoadedBook>>,
    format: Format,
    /// Where certificates go, besides into the rulings.
    proofs: Proofs,
    /// Rulings to be printed as one document.
    held: Vec<Value>,
    bad: bool,
    /// The line that is judged, from 1, where requests stand in lines.
    at: Option<u64>,
    /// Whether it was said that nothing is kept.
    unkept: bool,
}

/// Runs the command.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let format = args.format.unwrap_or_else(|| {
        if io::stdout().is_terminal() {
            return Format::Text;
        }
        // Whoever did not ask for it might wonder where the words are.
        let in_a_pipe = args.fen.is_none() && args.inputs.is_empty();
        if !in_a_pipe {
            complain(out.lang.pick(
                "标准输出不是终端，故输出NDJSON：要文字请加 --format text",
                "NDJSON, since this goes to no terminal: --format text gives words",
            ));
        }
        Format::Ndjson
    });
    let proofs = Proofs::open(args.proof_to.as_deref())?;
    let mut work = Work {
        args,
        proofs,
        out,
        catalog: Catalog::builtin(),
        book: None,
        format,
        held: Vec::new(),
        bad: false,
        at: None,
        unkept: false,
    };
    if let Some(rules) = &args.rules {
        let lang = work.out.lang;
        work.book = Some(trying(book(rules, lang)?, &args.set, lang)?);
    }
    match (&args.fen, args.inputs.as_slice()) {
        (Some(fen), moves) => {
            let mut request = Request::cycle(fen, moves.to_vec());
            if super::is_start(fen) {
                request.fen = None;
            }
            if args.game {
                request.kind = Kind::Game;
            }
            request.assertions.theoretical_draw = args.theoretical_draw;
            work.judge(request)?;
        }
        (None, []) => work.files(Path::new("-"))?,
        (None, [file]) => work.files(Path::new(file))?,
        (None, _) => {
            let told = work.out.lang.pick(
                "只能给一个文件；着法要与 --fen 同用",
                "one file at a time; moves go with --fen",
            );
            return Err(Failure::Usage(told.to_owned()));
        }
    }
    work.end()
}

impl Work<'_> {
    /// Reads a file, or all files of a folder or a ZIP archive.
    fn files(&mut self, path: &Path) -> Result<(), Failure> {
        there(&[path])?;
        for source in Files::new(&[PathBuf::from(path)]) {
            let source = source.map_err(|error| Failure::Usage(format!("cannot read {error}")))?;
            let input = source
                .open(&Arc::default())
                .map_err(|error| unreadable(&*source.name, &error))?;
            self.read(&source, input)?;
        }
        Ok(())
    }

    /// Reads requests, records or a case from one input.
    fn read(&mut self, source: &Source, mut input: Stream) -> Result<(), Failure> {
        let name = &*source.name;
        let unreadable = |error: io::Error| Failure::Bad(format!("cannot read `{name}`: {error}"));
        if Path::new(name)
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
        {
            let mut text = String::new();
            input.read_to_string(&mut text).map_err(unreadable)?;
            return self.case(name, &text);
        }
        if holds_records(input.fill_buf().map_err(unreadable)?) {
            return self.records(source, input);
        }
        self.lines(&mut *input)
    }

    fn lines(&mut self, input: &mut dyn BufRead) -> Result<(), Failure> {
        self.at = Some(0);
        // Bytes that are at hand.
        let mut left = 0;
        let bad = |error: io::Error| Failure::Bad(error.to_string());
        let mut read = |line: &mut Vec<u8>, out: &mut Out| -> Result<bool, Failure> {
            line.clear();
            // Whoever waits for an answer before the next line gets it before that is waited for.
            if left == 0 || !input.fill_buf().map_err(bad)?.contains(&b'\n') {
                out.flush()?;
                left = input.fill_buf().map_err(bad)?.len();
            }
            let length = input.read_until(b'\n', line).map_err(bad)?;
            left = left.saturating_sub(length);
            Ok(length > 0)
        };
        let mut line = Vec::new();
        if !read(&mut line, self.out)? {
            return Ok(());
        }
        // One object over several lines is taken as a whole; where it comes to none, its lines are
        // lines like any other.
        let mut whole = line.clone();
        let mut waiting = vec![line.clone()];
        while whole.len() < LONGEST_OBJECT && is_open(&whole) && read(&mut line, self.out)? {
            whole.extend_from_slice(&line);
            waiting.push(line.clone());
        }
        let lines = waiting.len();
        if lines > 1
            && text(&whole).is_ok_and(|whole| serde_json::from_str::<IgnoredAny>(whole).is_ok())
        {
            waiting = vec![whole];
        }
        for line in waiting {
            self.line(&line)?;
        }
        // One request may have had several lines.
        self.at = u64::try_from(lines).ok();
        while read(&mut line, self.out)? {
            self.line(&line)?;
        }
        self.at = None;
        Ok(())
    }

    /// Judges a line, if it is not blank.
    fn line(&mut self, line: &[u8]) -> Result<(), Failure> {
        self.at = self.at.map(|number| number + 1);
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let unread = |error| {
            Box::new(BadRequest {
                id: Value::Null,
                error,
            })
        };
        match text(line).map_err(unread).and_then(Request::parse) {
            Ok(request) => self.judge(request),
            Err(bad) => self.put_bad(&bad),
        }
    }

    fn records(&mut self, source: &Source, input: Stream) -> Result<(), Failure> {
        let name = &*source.name;
        for (number, record) in (1u64..).zip(Reader::new(input)) {
            match record.and_then(Record::whole) {
                Ok(record) => {
                    for remark in &record.remarks {
                        let told = self.out.lang.pick(remark.zh(), remark.to_string());
                        complain(&format!("{name}#{number}: {told}"));
                    }
                    self.judge(request_of(&record, name, number))?;
                }
                Err(fault) if is_passed(source, &fault) => {
                    tell(source, &fault, self.out.lang);
                }
                Err(fault) => {
                    let error = RequestError::at(fault.code(), None, fault.text());
                    let id = Value::String(format!("{name}#{number}"));
                    self.put_bad(&BadRequest { id, error })?;
                }
            }
        }
        Ok(())
    }

    fn case(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        let (corpus, faults) = Corpus::of_files([(name.to_owned(), text)]);
        let Some(case) = corpus.iter().next() else {
            return Err(bad_cases(&faults, self.out.lang));
        };
        let mut request = case.request(&case.source.book);
        if self.book.is_some() {
            request.rules = None;
        }
        self.judge(request)
    }

    /// The book a request is judged by.
    fn book_of(&self, request: &Request) -> Result<Arc<LoadedBook>, RequestError> {
        match &self.book {
            Some(book) if request.rules.is_none() => Ok(Arc::clone(book)),
            _ => request.book(self.catalog),
        }
    }

    fn judge(&mut self, mut request: Request) -> Result<(), Failure> {
        if let Some(depth) = self.args.explain {
            request.explain = depth;
        }
        if self.args.proof || self.args.proof_to.is_some() {
            request.explain = Explain::Proof;
        }
        let resolved = self.book_of(&request).and_then(|loaded| {
            let ruling = request.rule(&loaded, request.prepare()?);
            Ok((loaded, ruling))
        });
        match resolved {
            Ok((loaded, ruling)) => {
                let record = request.record.take();
                if record.and_then(wire::Record::into_details).is_some() && !self.unkept {
                    self.unkept = true;
                    complain(self.out.lang.pick(
                        "请求中的 record 未予理会：命令不保存裁决，服务（qili serve）才保存",
                        "`record` is passed over: the command keeps no rulings, the service does (`qili serve`)",
                    ));
                }
                if self.format == Format::Ndjson && request.explain != Explain::Proof {
                    return Ok(self.out.ruling(&request, &loaded, &ruling)?);
                }
                let json = ruling_json(&request, &loaded, &ruling);
                if let Some(certificate) = &json.proof {
                    self.proofs.put(self.out, certificate)?;
                }
                match self.format {
                    _ if matches!(self.proofs, Proofs::Alone) => self.tell_unproved(&json),
                    Format::Ndjson => self.out.json(&json)?,
                    Format::Json => self
                        .held
                        .push(serde_json::to_value(json).unwrap_or_default()),
                    Format::Text => {
                        let text = self.page(&request, &loaded.book, &ruling, &json);
                        self.out.text(text)?;
                        if let Some(told) = self.proof_told(&json) {
                            self.out.line(format!("\n{told}"))?;
                        }
                    }
                }
                Ok(())
            }
            Err(error) => {
                let id = request.id.clone().unwrap_or(Value::Null);
                self.put_bad(&BadRequest { id, error })
            }
        }
    }

    /// A line about the certificate, where one was asked for.
    fn proof_told(&self, json: &RulingJson) -> Option<String> {
        let lang = self.out.lang;
        if let Some(why) = json.unproved {
            let told = lang.pick(why.zh().to_owned(), why.to_string());
            return Some(told!(lang; "没有证书：{told}。"; "No certificate: {told}."));
        }
        let bytes = serde_json::to_string(json.proof.as_ref()?).map_or(0, |text| text.len());
        let written = match &self.proofs {
            Proofs::File(name, _) => told!(lang; "已写入 {name}"; "written to {name}"),
            Proofs::Rulings | Proofs::Alone => lang
                .pick("--proof-to 可写入文件", "--proof-to writes it")
                .to_owned(),
        };
        Some(told!(lang;
            "已作成证书，{bytes}字节（{written}；qili verify 可核对）。";
            "A certificate of {bytes} bytes was made ({written}; `qili verify` checks it)."))
    }

    /// Says where the one thing that was asked for cannot be had.
    fn tell_unproved(&self, json: &RulingJson) {
        if json.unproved.is_some()
            && let Some(told) = self.proof_told(json)
        {
            let id = json.id.as_ref().map(|id| format!("{id}: "));
            complain(&format!("{}{told}", id.unwrap_or_default()));
        }
    }

    /// Says what is wrong with a request; people are told in which line, where it has no name: a program that deals lines out
    /// gets the same whoever is given one.
    fn put_bad(&mut self, bad: &BadRequest) -> Result<(), Failure> {
        self.bad = true;
        let alone = matches!(self.proofs, Proofs::Alone);
        let line = self.at;
        match self.format {
            Format::Ndjson if !alone => self.out.json(bad)?,
            Format::Json if !alone => self
                .held
                .push(serde_json::to_value(bad).unwrap_or_default()),
            Format::Ndjson | Format::Json | Format::Text => {
                let told = self.out.lang.pick(&bad.error.detail_zh, &bad.error.detail);
                let id = bad
                    .id
                    .as_str()
                    .map(|id| format!("{id}: "))
                    .or_else(|| line.map(|line| format!("#{line}: ")))
                    .unwrap_or_default();
                complain(&format!("{id}{told}"));
            }
        }
        Ok(())
    }

    /// A ruling for people.
    fn page(
        &self,
        request: &Request,
        book: &crate::rules::RuleBook,
        ruling: &crate::ruling::Ruling,
        json: &RulingJson,
    ) -> String {
        let lang = self.out.lang;
        let title = request.id.as_ref().map(|id| plain(id) + "\n\n");
        let title = title.unwrap_or_default();
        let (Some(judged), Some(first)) = (
            &ruling.judged,
            ruling.judged.as_ref().and_then(|j| j.moves.first()),
        ) else {
            let told = match (json.verdict.outcome, ruling.ended) {
                (_, Some(ended)) => told!(lang;
                    "{}被{}，对局已结束。", ended.loser.zh(), ended.by.zh();
                    "The game is over: {} is beaten by {}.", ended.loser.en(), ended.by.id()),
                (Outcome::None, None) => lang.pick(
                    "没有构成待判局面的循环，无可裁决。".to_owned(),
                    "No cycle has made a position pending: there is nothing to rule on.".to_owned(),
                ),
                _ => String::new(),
            };
            return format!("{title}{told}\n");
        };
        let board = board::draw(&first.scene.before.setup(), self.out.coloured);
        let with = Sheet {
            board: &board,
            context: request.context(ruling),
            language: lang,
        };
        format!("{title}{}", sheet(judged, book, &with))
    }

    fn end(self) -> Result<Status, Failure> {
        if self.format == Format::Json && !matches!(self.proofs, Proofs::Alone) {
            let document = match <[Value; 1]>::try_from(self.held) {
                Ok([one]) => one,
                Err(many) => Value::Array(many),
            };
            self.out
                .line(serde_json::to_string_pretty(&document).unwrap_or_default())?;
        }
        self.proofs.end()?;
        Ok(Status::of(!self.bad))
    }
}

/// Whether what is no game is only told: a heading in a library, or a file among others.
fn is_passed(source: &Source, fault: &Fault) -> bool {
    fault.is_heading() || !source.named && matches!(fault.kind, FaultKind::NoRecord(_))
}

/// A game record as a request.
fn request_of(record: &Record, name: &str, number: u64) -> Request {
    let start = crate::notation::fen::write(&record.start);
    let moves = record.moves.iter().map(ToString::to_string).collect();
    let mut request = Request::cycle(&start, moves);
    request.kind = Kind::Game;
    request.id = Some(Value::String(format!("{name}#{number}")));
    request.assertions = Assertions::default();
    request
}
