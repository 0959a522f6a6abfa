//! `qili rules`: the rule books.

use super::books::{amended, book, fault_told, is_file, read};
use super::out::{Out, pretty};
use super::{Failure, Format, Status};
use crate::language::{Language, told};
use crate::rules::{
    Amendment, Article, Catalog, Fault, LoadedBook, PARAMETERS, ParameterKind, RuleBook, Situation,
    diff, is_amendment, read_book,
};
use crate::written::plain;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The rule books: listed, shown, compared and checked
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Lists the rule books
    List(List),
    /// Shows a rule book
    Show(Show),
    /// Shows what differs between two rule books
    Diff(Diff),
    /// Checks a rule book or an amendment, and names every fault of it
    Check(Check),
}

#[derive(Clone, Debug, clap::Args)]
struct List {
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Debug, clap::Args)]
struct Show {
    /// The book: `cxa-1999`, `cxa-1999@1.1.0`, or a file
    id: String,
    /// Amendment files, applied in order
    #[arg(long, value_name = "FILE")]
    amendment: Vec<PathBuf>,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: BookFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BookFormat {
    /// For reading
    Text,
    /// For programs
    Json,
    /// As the file of a book is written
    Toml,
}

#[derive(Clone, Debug, clap::Args)]
struct Diff {
    /// The one: an id, or a file
    a: String,
    /// The other: an id, a file, or an amendment of the one
    b: String,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Debug, clap::Args)]
struct Check {
    /// A file of a rule book or an amendment
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    match &args.command {
        Command::List(args) => list(args, out),
        Command::Show(args) => show(args, out),
        Command::Diff(args) => differ(args, out),
        Command::Check(args) => check(args, out),
    }
}

fn list(args: &List, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    if args.format == Format::Json {
        let books: Vec<Value> = Catalog::builtin()
            .iter()
            .map(|loaded| head(loaded))
            .collect();
        out.line(pretty(&books))?;
        return Ok(Status::Well);
    }
    for loaded in Catalog::builtin().iter() {
        let book = &loaded.book;
        let title = lang.of(&book.title);
        out.line(format_args!("{:<10} {}  {title}", book.id, book.version))?;
    }
    Ok(Status::Well)
}

/// What identifies a book.
fn head(loaded: &LoadedBook) -> Value {
    let book = &loaded.book;
    json!({
        "id": book.id,
        "version": book.version,
        "digest": loaded.digest,
        "title": book.title,
        "edition": book.edition,
        "effective": book.effective,
    })
}

fn show(args: &Show, out: &mut Out) -> Result<Status, Failure> {
    let mut loaded = book(&args.id, out.lang)?;
    for path in &args.amendment {
        loaded = amended(&loaded, &[path], out.lang)?;
    }
    match args.format {
        BookFormat::Json => {
            let mut shown = serde_json::to_value(&loaded.book).unwrap_or_default();
            if let Some(members) = shown.as_object_mut() {
                members.insert("digest".to_owned(), Value::from(loaded.digest.as_str()));
                members.insert("parameters".to_owned(), parameters(&loaded.book));
            }
            out.line(pretty(&shown))?;
        }
        BookFormat::Toml => {
            let text =
                toml::to_string(&loaded.book).map_err(|error| Failure::Bad(error.to_string()))?;
            out.text(text)?;
        }
        BookFormat::Text => tell(&loaded, out)?,
    }
    Ok(Status::Well)
}

fn values(book: &RuleBook) -> Value {
    serde_json::to_value(&book.definitions).unwrap_or_default()
}

fn deciding(book: &RuleBook, target: &str) -> Vec<String> {
    book.deciding(target)
        .map(|article| article.id.clone())
        .collect()
}

/// The parameters with what they mean, their values and their articles.
fn parameters(book: &RuleBook) -> Value {
    let values = values(book);
    let of = |parameter: &crate::rules::ParameterDoc| {
        let mut shown = serde_json::to_value(parameter).unwrap_or_default();
        if let Some(members) = shown.as_object_mut() {
            let value = values.get(parameter.key).cloned().unwrap_or_default();
            members.insert("value".to_owned(), value);
            members.insert(
                "read".to_owned(),
                (parameter.is_read)(&book.definitions).into(),
            );
            let articles = deciding(book, &format!("definitions.{}", parameter.key));
            members.insert("articles".to_owned(), articles.into());
        }
        shown
    };
    PARAMETERS.iter().map(of).collect()
}

fn tell(loaded: &LoadedBook, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let book = &loaded.book;
    out.line(format_args!(
        "{}  {}",
        loaded.pinned(),
        lang.of(&book.title)
    ))?;
    out.line(format_args!("{}", loaded.digest))?;
    out.line(told!(lang;
        "版本：{}；生效：{}", book.edition, book.effective;
        "edition {}, in force since {}", book.edition, book.effective))?;
    for source in &book.sources {
        out.line(format_args!(
            "{}{}",
            lang.pick("来源：", "source: "),
            lang.of(source)
        ))?;
    }

    out.line(lang.pick("\n参数", "\nParameters"))?;
    let values = values(book);
    for parameter in PARAMETERS {
        if !(parameter.is_read)(&book.definitions) {
            continue;
        }
        let value = values.get(parameter.key).cloned().unwrap_or_default();
        let mut line = format!("  {} = {}", parameter.key, plain(&value));
        let articles = deciding(book, &format!("definitions.{}", parameter.key));
        if !articles.is_empty() {
            let _ = write!(line, "  [{}]", articles.join(", "));
        }
        out.line(line)?;
        let meaning = lang.pick(parameter.zh, parameter.en);
        let choice = match parameter.kind {
            ParameterKind::Choice { values } => {
                values.iter().find(|v| Some(v.id) == value.as_str())
            }
            ParameterKind::Flag | ParameterKind::Count { .. } => None,
        };
        match choice {
            Some(choice) => out.line(format_args!(
                "      {meaning}{}{}",
                lang.pick("：", ": "),
                lang.pick(choice.zh, choice.en)
            ))?,
            None => out.line(format_args!("      {meaning}"))?,
        }
    }

    out.line(lang.pick("\n裁决", "\nVerdicts"))?;
    for (situation, row) in &book.verdicts {
        let (situation, outcome): (&Situation, _) = (situation, row.outcome);
        out.line(format_args!(
            "  {}{}{}  [{}]",
            lang.pick(situation.zh(), situation.en()),
            lang.pick("：", ": "),
            lang.pick(outcome.zh(), outcome.en()),
            row.clauses.join(", "),
        ))?;
    }
    if let Some(limit) = &book.natural_limit {
        let limit = limit.told(lang);
        out.line(told!(lang; "  自然限着：{limit}"; "  natural move limit: {limit}"))?;
    }

    out.line(lang.pick("\n条文", "\nArticles"))?;
    for article in &book.articles {
        tell_article(article, out)?;
    }
    for unwritten in &book.unwritten {
        let certainty = lang.pick(unwritten.certainty.zh(), unwritten.certainty.en());
        out.line(format_args!(
            "  ({})  {} ({certainty})",
            unwritten.key,
            lang.of(&unwritten.text)
        ))?;
    }
    Ok(())
}

fn tell_article(article: &Article, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let mut line = format!("  {}  {}", article.id, lang.of(&article.text));
    if article.is_uncertain() {
        let certainty = lang.pick(article.certainty.zh(), article.certainty.en());
        line += &told!(lang; "（{certainty}）"; " ({certainty})");
    }
    Ok(out.line(line)?)
}

fn differ(args: &Diff, out: &mut Out) -> Result<Status, Failure> {
    let a = book(&args.a, out.lang)?;
    let b = if is_file(&args.b) && is_amendment(&read(Path::new(&args.b))?) {
        amended(&a, &[&args.b], out.lang)?
    } else {
        book(&args.b, out.lang)?
    };
    let found = diff(&a.book, &b.book);
    match args.format {
        Format::Json => out.line(pretty(&found))?,
        Format::Text => {
            let text = out.lang.pick(found.zh(), found.en());
            out.line(text.trim_end())?;
        }
    }
    Ok(Status::Well)
}

fn check(args: &Check, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let mut all = Vec::new();
    for path in &args.files {
        let text = read(path)?;
        let file = path.display().to_string();
        let (named, faults) = if is_amendment(&text) {
            check_amendment(&file, &text, lang)
        } else {
            let checked = read_book(&file, &text);
            checked.map_or_else(
                |faults| (None, faults),
                |book| (Some(LoadedBook::new(book).pinned()), Vec::new()),
            )
        };
        if args.format == Format::Text {
            for fault in &faults {
                out.line(fault_told(fault, lang))?;
            }
            if let Some(named) = named {
                out.line(told!(lang; "{file}：{named}，无误"; "{file}: {named}, no fault"))?;
            }
        }
        all.extend(faults);
    }
    if args.format == Format::Json {
        out.line(pretty(&all))?;
    }
    Ok(Status::of(all.is_empty()))
}

/// An amendment by itself, and over its base where that is a book built in; what an amendment of another is checked against is
/// not at hand, and is said to be missing.
fn check_amendment(file: &str, text: &str, lang: Language) -> (Option<String>, Vec<Fault>) {
    let amendment = match Catalog::builtin().read_amendment(file, text) {
        Ok(amendment) => amendment,
        Err(faults) => return (None, faults),
    };
    match Catalog::builtin().get(&amendment.base) {
        Ok(base) => match base.book.amended(&amendment) {
            Ok(book) => (Some(LoadedBook::new(book).pinned()), Vec::new()),
            Err(faults) => (None, faults),
        },
        Err(_) if Catalog::builtin().is_of_amendment(&amendment.base) => {
            let Amendment { id, base, .. } = amendment;
            let unchecked = told!(lang;
                "{id}（未与其所修订之“{base}”对照）";
                "{id} (not checked against `{base}`)");
            (Some(unchecked), Vec::new())
        }
        Err(unknown) => (None, amendment.without_base(&unknown)),
    }
}
