//! `qili library`: an organisation's own cases.

use super::books::{bad_cases, case_fault};
use super::kept::{Place, missing, wait};
use super::out::{Out, complain, pretty};
use super::{Failure, Format, Status};
use crate::cases::{Corpus, run as check_all};
use crate::language::told;
use crate::rules::Catalog;
use crate::store::{CaseChange, Imported, Store};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An organisation's own cases: listed, taken in, given out, retired, checked
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Lists the cases
    List(List),
    /// Shows a case as a case file
    Show(Named),
    /// Shows the revisions of a case, the newest first
    History(Named),
    /// Takes in a case file or a folder of them: all or none
    Import(Import),
    /// Writes the cases into a folder as case files
    Export(Export),
    /// Retires a case
    Retire(Retire),
    /// Judges every case, and lists what comes out otherwise than it says
    Check,
}

#[derive(Clone, Debug, clap::Args)]
struct List {
    /// Those retired as well
    #[arg(long)]
    retired: bool,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Debug, clap::Args)]
struct Named {
    /// Its id
    id: String,
}

#[derive(Clone, Debug, clap::Args)]
struct Import {
    /// A case file, or a folder
    path: PathBuf,
    /// Why
    #[arg(long, default_value = "")]
    note: String,
}

#[derive(Clone, Debug, clap::Args)]
struct Export {
    /// The folder: made where there is none
    folder: PathBuf,
}

#[derive(Clone, Debug, clap::Args)]
struct Retire {
    /// Its id
    id: String,
    /// Why
    #[arg(long, default_value = "")]
    note: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let store = args.place.open()?;
    match &args.command {
        Command::List(args) => list(args, &store, out)?,
        Command::Show(args) => {
            let own = wait(store.own_case(&args.id))?;
            let own = own.ok_or_else(|| missing(lang, "判例", "case", &args.id))?;
            out.text(toml::to_string(&own.case).unwrap_or_default())?;
        }
        Command::History(args) => {
            let revisions = wait(store.case_revisions(&args.id, None, u32::MAX))?;
            if revisions.is_empty() {
                return Err(missing(lang, "判例", "case", &args.id));
            }
            for own in revisions {
                let retired = if own.retired {
                    lang.pick("  停用", "  retired")
                } else {
                    ""
                };
                out.line(format_args!(
                    "{}  {}  {}{retired}  {}",
                    own.revision, own.changed_at, own.caller, own.note
                ))?;
            }
        }
        Command::Import(args) => return import(args, &store, out),
        Command::Export(args) => export(&args.folder, &store, out)?,
        Command::Retire(args) => {
            let retired = wait(store.retire_case(&args.id, &args.note, "", None))?;
            let own = retired.ok_or_else(|| missing(lang, "判例", "case", &args.id))?;
            out.line(told!(lang; "已停用：{}", own.id; "retired: {}", own.id))?;
        }
        Command::Check => return check(&store, out),
    }
    Ok(Status::Well)
}

fn list(args: &List, store: &Store, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let own = wait(store.own_cases(args.retired))?;
    if args.format == Format::Json {
        return Ok(out.line(pretty(&own))?);
    }
    for own in own {
        let retired = if own.retired {
            lang.pick("  停用", "  retired")
        } else {
            ""
        };
        let title = lang.pick(&own.case.title.zh, &own.case.title.en);
        out.line(format_args!(
            "{:<24} {:>3}  {title}{retired}",
            own.id, own.revision
        ))?;
    }
    Ok(())
}

fn import(args: &Import, store: &Store, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let corpus = Corpus::from_dir(&args.path).map_err(|faults| bad_cases(&faults, lang))?;
    if let Some(taken) = corpus
        .iter()
        .find(|case| Corpus::builtin().get(&case.id).is_some())
    {
        let id = &taken.id;
        return Err(Failure::Bad(told!(lang;
            "“{id}”是已公布的判例，不可改动";
            "`{id}` is a published case, which stays as it is")));
    }
    let change = |case: &crate::cases::Case| CaseChange {
        case: case.clone(),
        note: args.note.clone(),
        caller: String::new(),
        ruling: None,
    };
    for (id, became) in wait(store.import_cases(corpus.iter().map(change).collect()))? {
        let became = match became {
            Imported::Created => lang.pick("新增", "created"),
            Imported::Revised => lang.pick("修订", "revised"),
            Imported::Unchanged => lang.pick("未变", "unchanged"),
        };
        out.line(format_args!("{id}  {became}"))?;
    }
    Ok(Status::Well)
}

fn export(folder: &Path, store: &Store, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let bad = |path: &Path, error: &std::io::Error| {
        Failure::Bad(format!("`{}`: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| bad(folder, &error))?;
    let own = wait(store.own_cases(false))?;
    for own in &own {
        let text = toml::to_string(&own.case).map_err(|error| Failure::Bad(error.to_string()))?;
        let path = folder.join(format!("{}.toml", own.id));
        std::fs::write(&path, text).map_err(|error| bad(&path, &error))?;
    }
    let count = own.len();
    out.line(told!(lang; "已写出{count}个"; "{count} written"))?;
    Ok(())
}

fn check(store: &Store, out: &mut Out) -> Result<Status, Failure> {
    let own = wait(store.own_cases(false))?;
    let files = own.iter().map(|own| {
        let text = toml::to_string(&own.case).unwrap_or_default();
        (format!("{}.toml", own.id), text)
    });
    let (corpus, faults) = Corpus::of_files(files);
    for fault in &faults {
        complain(&case_fault(fault, out.lang));
    }
    let books = corpus.books().into_iter();
    let books: Vec<Arc<_>> = books
        .filter_map(|id| Catalog::builtin().get(id).ok())
        .collect();
    let report = check_all(&corpus, &books, 1);
    let well = faults.is_empty() && !report.is_wrong();
    for book in &report.books {
        for result in &book.results {
            let told = out.lang.pick(result.differences_zh(), result.differences());
            for told in told {
                out.line(format_args!("{}  {}: {told}", book.book, result.id))?;
            }
        }
        let (counts, id) = (&book.counts, &book.book);
        let counts = serde_json::to_string(counts).unwrap_or_default();
        out.line(format_args!("{id}  {counts}"))?;
    }
    Ok(Status::of(well))
}
