//! `qili verify`: certificates checked against what they claim, by whoever did not make them.

use super::books::{book, there, trying, unreadable};
use super::out::{Out, complain};
use super::{Failure, Format, Lang, Status};
use crate::language::told;
use crate::proof::{Certificate, Claims, Target};
use crate::rules::{Catalog, LoadedBook, Outcome};
use crate::wire::{
    Certified, MOST_MOVES, RequestError, Verification, bounded_certificate, certified_book, json,
};
use serde::Serialize;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

/// Check certificates of rulings: every nature and the verdict are proved, or which claim is not
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
A certificate is what `qili judge --proof` puts into a ruling as `proof`, or `--proof-to FILE` writes. Of a ruling it is \
also checked that it says what its certificate claims. The status is 1 where one does not hold or is missing.")]
pub(super) struct Args {
    /// A book that is not built in, for certificates about it: `id`, `id@version` or a file
    #[arg(long, value_name = "ID|FILE")]
    rules: Option<String>,
    /// Parameters of that book at other values, by way of trial
    #[arg(long, value_name = "PARAM=VALUE", requires = "rules")]
    set: Vec<String>,
    /// How it is told
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Certificates or rulings with one, one JSON document or NDJSON (`-`: standard input)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What came of one of them, for programs.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    /// Its place in the file, from 1.
    number: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(flatten)]
    verification: Option<&'a Verification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'a crate::proof::Book>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<&'a Claims>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RequestError>,
}

/// What the command works with.
struct Work<'a> {
    out: &'a mut Out,
    format: Format,
    given: Option<Arc<LoadedBook>>,
    status: Status,
    file: String,
    number: u64,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let given = match &args.rules {
        Some(rules) => Some(trying(book(rules, lang)?, &args.set, lang)?),
        None => None,
    };
    there(&args.files)?;
    let mut work = Work {
        out,
        format: args.format,
        given,
        status: Status::Well,
        file: String::new(),
        number: 0,
    };
    for path in &args.files {
        work.file = path.display().to_string();
        work.number = 0;
        if work.file == "-" {
            work.read(&mut io::stdin().lock())?;
        } else {
            let file = File::open(path).map_err(|error| unreadable(&work.file, &error))?;
            work.read(&mut BufReader::new(file))?;
        }
    }
    Ok(work.status)
}

impl Work<'_> {
    /// Reads one document over several lines, or one a line.
    fn read(&mut self, input: &mut dyn BufRead) -> Result<(), Failure> {
        let bad =
            |name: &str, error: io::Error| Failure::Bad(format!("cannot read `{name}`: {error}"));
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = input.read_until(b'\n', &mut line);
            if length.map_err(|error| bad(&self.file, error))? == 0 {
                break;
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let told = serde_json::from_slice::<serde::de::IgnoredAny>(&line);
            if self.number == 0 && told.is_err_and(|error| error.is_eof()) {
                let rest = input.read_to_end(&mut line);
                rest.map_err(|error| bad(&self.file, error))?;
            }
            match json::<Value>(line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line)) {
                Ok(Value::Array(many)) => {
                    for one in many {
                        self.one(one)?;
                    }
                }
                Ok(one) => self.one(one)?,
                Err(error) => {
                    self.number += 1;
                    self.refuse(None, &error)?;
                }
            }
        }
        if self.number == 0 {
            let told = self
                .out
                .lang
                .pick("没有证书", "there is no certificate in it");
            complain(&format!("{}: {told}", self.file));
            self.status = Status::Wrong;
        }
        Ok(())
    }

    /// Verifies a certificate, or a ruling with one.
    fn one(&mut self, value: Value) -> Result<(), Failure> {
        self.number += 1;
        let id = value.get("id").cloned();
        match self.verify(value) {
            Ok((certificate, verification)) => self.put(id.as_ref(), &certificate, &verification),
            Err(error) => self.refuse(id.as_ref(), &error),
        }
    }

    fn verify(&self, value: Value) -> Result<(Certificate, Verification), RequestError> {
        let certified = Certified::of(value)?;
        let loaded = self.book(&certified.proof)?;
        let verification = certified.verify(&loaded);
        Ok((certified.proof, verification))
    }

    /// The book of a certificate: the one given, where it is about that, or one built in.
    fn book(&self, certificate: &Certificate) -> Result<Arc<LoadedBook>, RequestError> {
        bounded_certificate(certificate, MOST_MOVES)?;
        let about = &certificate.rules;
        let given = self
            .given
            .as_ref()
            .filter(|given| (&given.book.id, &given.book.version) == (&about.id, &about.version));
        match given {
            Some(given) => Ok(Arc::clone(given)),
            None => certified_book(certificate, Catalog::builtin()),
        }
    }

    fn place(&self, id: Option<&Value>) -> String {
        let place = format!("{}#{}", self.file, self.number);
        match id {
            Some(Value::String(id)) => format!("{place} ({id})"),
            Some(id) if !id.is_null() => format!("{place} ({id})"),
            _ => place,
        }
    }

    fn put(
        &mut self,
        id: Option<&Value>,
        certificate: &Certificate,
        verification: &Verification,
    ) -> Result<(), Failure> {
        if !verification.verified {
            self.status = Status::Wrong;
        }
        if self.format == Format::Json {
            let row = Row {
                file: &self.file,
                number: self.number,
                id,
                verification: Some(verification),
                rules: Some(&certificate.rules),
                claims: Some(&certificate.claims),
                error: None,
            };
            return Ok(self.out.json(&row)?);
        }
        let lang = self.out.lang;
        let told = if verification.verified {
            proved(certificate, lang)
        } else {
            refuted(verification, lang)
        };
        Ok(self.out.line(format!("{}: {told}", self.place(id)))?)
    }

    /// Tells what cannot be verified at all.
    fn refuse(&mut self, id: Option<&Value>, error: &RequestError) -> Result<(), Failure> {
        self.status = Status::Wrong;
        if self.format == Format::Json {
            let row = Row {
                file: &self.file,
                number: self.number,
                id,
                verification: None,
                rules: None,
                claims: None,
                error: Some(error),
            };
            return Ok(self.out.json(&row)?);
        }
        self.out.flush()?;
        let told = self.out.lang.pick(&error.detail_zh, &error.detail);
        complain(&format!("{}: {told}", self.place(id)));
        Ok(())
    }
}

/// A piece that is chased, with what it has for a root where that is proved.
fn target(target: Target, lang: Lang) -> String {
    let square = target.square;
    match target.root {
        None => square.to_string(),
        Some(root) => told!(lang; "{square}（{}）", root.zh(); "{square} ({})", root.en()),
    }
}

/// What is proved, in a sentence.
pub(super) fn proved(certificate: &Certificate, lang: Lang) -> String {
    let Claims {
        natures,
        targets,
        outcome,
        side,
        situation,
        clauses,
    } = &certificate.claims;
    let moves = certificate.moves.iter().zip(natures).zip(targets);
    let moves: Vec<String> = moves
        .map(|((mv, nature), targets)| {
            let nature = lang.pick(nature.zh(), nature.id());
            let targets: Vec<String> = targets.iter().map(|&one| target(one, lang)).collect();
            match targets.join(lang.pick("、", " and ")) {
                none if none.is_empty() => format!("{mv} {nature}"),
                some => told!(lang; "{mv} {nature}{some}"; "{mv} {nature} of {some}"),
            }
        })
        .collect();
    let moves = moves.join(lang.pick("，", ", "));
    let verdict = match (outcome, side) {
        (Outcome::MustChange, Some(side)) => told!(lang;
            "{}须变着", side.zh();
            "{} must change", side.id()),
        (Outcome::Loss, Some(side)) => told!(lang; "{}判负", side.zh(); "{} loses", side.id()),
        (outcome, _) => lang.pick(outcome.zh(), outcome.en()).to_owned(),
    };
    let clauses = match clauses.as_slice() {
        [] => String::new(),
        some => told!(lang; "（第{}条）", some.join("、"); " ({})", some.join(", ")),
    };
    let book = &certificate.rules;
    let book = format!("{}@{}, {}", book.id, book.version, book.digest);
    let assertions = certificate.assertions;
    let mut asserted = String::new();
    if assertions.theoretical_draw {
        asserted.push_str(lang.pick(
            "裁判员认定为单纯和棋。",
            " The arbiter asserts that it is a plain draw.",
        ));
    }
    if assertions.without_table {
        asserted.push_str(lang.pick(
            "不用例和表。",
            " The table of standard draws is left aside.",
        ));
    }
    told!(lang;
        "证书成立。{moves}；{}：{verdict}{clauses}。{asserted}规则 {book}", situation.zh();
        "verified. {moves}; {}: {verdict}{clauses}.{asserted} By {book}", situation.en())
}

/// Which claim is not proved, and where.
pub(super) fn refuted(verification: &Verification, lang: Lang) -> String {
    let mut place = verification.claim.clone().unwrap_or_default();
    if let Some(ply) = verification.ply {
        let ply = ply + 1;
        place.push_str(&told!(lang; "，第{ply}着"; ", move {ply}"));
    }
    if let Some(at) = verification.at {
        place.push_str(&told!(lang; "，证明的第{at}个数"; ", number {at} of the proof"));
    }
    let said = |detail: &Option<String>| detail.clone().unwrap_or_default();
    let (en, zh) = (said(&verification.detail), said(&verification.detail_zh));
    told!(lang; "证书不成立。{place}：{zh}"; "not verified. {place}: {en}")
}
