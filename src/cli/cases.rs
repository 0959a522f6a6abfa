//! `qili cases`: the collection of cases, judged and shown.

use super::books::{bad_cases, builtin, case_fault};
use super::out::{Out, complain, pretty};
use super::{Failure, Format, Lang, Status, board};
use crate::cases::{
    Ablation, BookReport, Case, CaseResult, CaseStatus, Corpus, Coverage, Effect, Exercise, Matrix,
    Precedent, Report, Share, Standing, ablation, all_cores, coverage, junit, matrix, run as judge,
};
use crate::explain::{padded, width};
use crate::language::told;
use crate::notation::fen;
use crate::rules::{Catalog, LoadedBook};
use crate::written::plain;
use clap::ValueEnum;
use serde_json::json;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The collection of cases: judged, listed, shown, and what it covers
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Judges every case that says what to expect, and prints what differs
    #[command(
        after_help = "The status is 1 where a verdict or label is wrong, or a case has no \
                            ruling. Clauses that are expected and not cited are listed as well."
    )]
    Check(Check),
    /// Lists the cases
    List(Which),
    /// Shows a case
    Show(Show),
    /// What every rule book makes of every case
    #[command(
        after_help = "✓ as the case says, ✗ not so, * a label differs, ~ a known \
                            difference; without a mark the case does not say."
    )]
    Matrix(Table),
    /// Which articles no ruling cites, and which parameters decide nothing about any case
    Coverage(Covered),
    /// What each parameter carries: the cases judged otherwise once it is taken away or has another value
    Ablate(Covered),
}

#[derive(Clone, Debug, clap::Args)]
struct Folder {
    /// A folder of case files, or one file [default: the cases built in]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
struct Check {
    /// Under this rule book only
    #[arg(long, value_name = "ID")]
    rules: Option<String>,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Also writes the results as `JUnit` XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Clone, Debug, clap::Args)]
struct Which {
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Clone, Debug, clap::Args)]
struct Show {
    /// The case
    id: String,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Clone, Debug, clap::Args)]
struct Table {
    /// These rule books only
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    rules: Vec<String>,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: TableFormat,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// For reading
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}

#[derive(Clone, Debug, clap::Args)]
struct Covered {
    /// These rule books only [default: those the cases say something about]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    rules: Vec<String>,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    folder: Folder,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    match &args.command {
        Command::Check(args) => check(args, out),
        Command::List(args) => list(args, out),
        Command::Show(args) => show(args, out),
        Command::Matrix(args) => table(args, out),
        Command::Coverage(args) => covered(args, out),
        Command::Ablate(args) => ablate(args, out),
    }
}

impl Folder {
    /// The cases; every fault of the files is told.
    fn corpus(&self, lang: Lang) -> Result<Cow<'static, Corpus>, Failure> {
        let Some(dir) = &self.dir else {
            return Ok(Cow::Borrowed(Corpus::builtin()));
        };
        match Corpus::from_dir(dir) {
            Ok(corpus) => Ok(Cow::Owned(corpus)),
            Err(faults) if !dir.exists() => {
                let told = faults.first().map(|fault| case_fault(fault, lang));
                Err(Failure::Usage(told.unwrap_or_default()))
            }
            Err(faults) => Err(bad_cases(&faults, lang)),
        }
    }
}

fn books(ids: &[String], lang: Lang) -> Result<Vec<Arc<LoadedBook>>, Failure> {
    let found: Result<_, _> = ids.iter().map(|id| builtin(id, lang)).collect();
    found.map_err(Failure::Usage)
}

/// The books the cases say something about, and whether there are others that are unknown.
fn settled_books(corpus: &Corpus, lang: Lang) -> (Vec<Arc<LoadedBook>>, bool) {
    let mut unknown = false;
    let found = corpus.books().into_iter().filter_map(|id| {
        let found = builtin(id, lang);
        if let Err(error) = &found {
            let case = corpus.iter().find(|case| case.expect.contains_key(id));
            let case = case.map(|case| case.id.as_str()).unwrap_or_default();
            complain(&format!("{case}: {error}"));
            unknown = true;
        }
        found.ok()
    });
    (found.collect(), unknown)
}

fn check(args: &Check, out: &mut Out) -> Result<Status, Failure> {
    let corpus = args.folder.corpus(out.lang)?;
    let (books, unknown) = match &args.rules {
        Some(id) => (books(std::slice::from_ref(id), out.lang)?, false),
        None => settled_books(&corpus, out.lang),
    };
    let report = judge(&corpus, &books, all_cores());
    if let Some(path) = &args.junit {
        write(path, &junit(&report))?;
    }
    match args.format {
        Format::Json => out.line(pretty(&report))?,
        Format::Text => tell(&report, out)?,
    }
    Ok(Status::of(!unknown && !report.is_wrong()))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::Bad(format!("cannot write `{}`: {error}", path.display())))
}

fn tell(report: &Report, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let mut any = false;
    for result in report.books.iter().flat_map(|book| &book.results) {
        if result.status == CaseStatus::Right && result.missing_clauses.is_empty() {
            continue;
        }
        any = true;
        tell_result(result, out)?;
    }
    if any {
        out.line("")?;
    }
    let heads = lang.pick(
        [
            "规则",
            "图例",
            "对",
            "错",
            "已知差异",
            "不再相异",
            "未定",
            "无裁决",
            "裁决",
            "着法性质",
            "条款",
        ],
        [
            "rules",
            "cases",
            "right",
            "wrong",
            "known",
            "no longer",
            "undetermined",
            "errors",
            "verdicts",
            "labels",
            "clauses",
        ],
    );
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(report.books.iter().map(counts));
    aligned(&rows, out)
}

fn counts(book: &BookReport) -> Vec<String> {
    let counts = &book.counts;
    let share = |share: Share| format!("{}/{}", share.right, share.of);
    let numbers = [
        counts.cases,
        counts.right,
        counts.wrong,
        counts.known_differences,
        counts.no_longer_differ,
        counts.undetermined,
        counts.errors,
    ];
    let mut row = vec![book.book.clone()];
    row.extend(numbers.map(|n| n.to_string()));
    row.extend([counts.verdicts, counts.labels, counts.clauses].map(share));
    row
}

fn tell_result(result: &CaseResult, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let status = match result.status {
        CaseStatus::Right => lang.pick("条款不同", "clauses"),
        CaseStatus::Wrong => lang.pick("错", "wrong"),
        CaseStatus::KnownDifference => lang.pick("已知差异", "known difference"),
        CaseStatus::NoLongerDiffers => lang.pick("不再相异", "no longer differs"),
        CaseStatus::Undetermined => lang.pick("未定", "undetermined"),
        CaseStatus::Error => lang.pick("无裁决", "error"),
    };
    out.line(format_args!("{} · {}: {status}", result.id, result.book))?;
    for difference in lang.pick(result.differences_zh(), result.differences()) {
        out.line(format_args!("  {difference}"))?;
    }
    if !result.missing_clauses.is_empty() {
        let missing = result.missing_clauses.join(", ");
        let cited = result.cited.join(", ");
        out.line(told!(lang;
            "  应引{missing}，裁决引{cited}";
            "  expected to cite {missing}, the verdict cites {cited}"))?;
    }
    if let Some(reason) = &result.known {
        out.line(format_args!("  {}", lang.of(reason)))?;
    }
    Ok(())
}

/// Writes rows with their columns below one another.
fn aligned(rows: &[Vec<String>], out: &mut Out) -> Result<(), Failure> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|at| {
            rows.iter()
                .filter_map(|row| row.get(at))
                .map(|cell| width(cell))
                .max()
                .unwrap_or(0)
        })
        .collect();
    for row in rows {
        let mut line = String::new();
        for (cell, widest) in row.iter().zip(&widths) {
            line += &padded(cell, widest + 2);
        }
        out.line(line.trim_end())?;
    }
    Ok(())
}

fn list(args: &Which, out: &mut Out) -> Result<Status, Failure> {
    let corpus = args.folder.corpus(out.lang)?;
    match args.format {
        Format::Json => {
            let cases: Vec<_> = corpus.iter().map(summary).collect();
            out.line(pretty(&cases))?;
        }
        Format::Text => {
            let row = |case: &Case| {
                let books: Vec<_> = case.expect.keys().map(String::as_str).collect();
                vec![
                    case.id.clone(),
                    out.lang.of(&case.title).to_owned(),
                    books.join(" "),
                    case.precedent
                        .as_ref()
                        .map_or_else(String::new, |game| decided(game, out.lang)),
                ]
            };
            let rows: Vec<_> = corpus.iter().map(row).collect();
            aligned(&rows, out)?;
        }
    }
    Ok(Status::Well)
}

/// Of which game a precedent is.
fn decided(game: &Precedent, lang: Lang) -> String {
    let name = match lang {
        Lang::Zh => "判例",
        Lang::En => "precedent",
    };
    let players: Vec<_> = [&game.red, &game.black]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let mut parts = vec![name.to_owned()];
    if !players.is_empty() {
        parts.push(players.join("–"));
    }
    parts.extend([game.event.clone(), game.date.clone()]);
    parts.join(" ")
}

fn summary(case: &Case) -> serde_json::Value {
    json!({
        "id": case.id,
        "title": case.title,
        "source": case.source,
        "precedent": case.precedent,
        "expect": case.expect,
    })
}

fn show(args: &Show, out: &mut Out) -> Result<Status, Failure> {
    let corpus = args.folder.corpus(out.lang)?;
    let Some(case) = corpus.get(&args.id) else {
        let near: Vec<_> = corpus
            .iter()
            .map(|c| c.id.as_str())
            .filter(|id| id.contains(&args.id))
            .take(5)
            .collect();
        let near = if near.is_empty() {
            String::new()
        } else {
            format!(": {}", near.join(", "))
        };
        let told = out.lang.pick("没有图例", "no case");
        return Err(Failure::Usage(format!("{told} `{}`{near}", args.id)));
    };
    match args.format {
        Format::Json => out.line(pretty(case))?,
        Format::Text => tell_case(case, out)?,
    }
    Ok(Status::Well)
}

fn tell_case(case: &Case, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    out.line(format_args!("{}  {}", case.id, lang.of(&case.title)))?;
    let source = &case.source;
    let clauses = source.clauses.join(lang.pick("、", ", "));
    let standing = match source.position {
        Standing::Printed => lang.pick("局面照原图", "position as printed"),
        Standing::Identified => lang.pick(
            "局面据他书认定",
            "position identified with one printed elsewhere",
        ),
        Standing::Reconstructed => {
            lang.pick("局面据文字重构", "position reconstructed from the text")
        }
        Standing::Corrected => lang.pick("局面已订正", "printed position corrected"),
        Standing::Composed => lang.pick("自拟局面", "composed position"),
    };
    let head: Vec<_> = [source.book.as_str(), &source.figure, &clauses, standing]
        .into_iter()
        .filter(|t| !t.is_empty())
        .collect();
    out.line(head.join(" · "))?;
    if let Some(note) = &source.note {
        out.line(lang.of(note))?;
    }
    out.line("")?;
    match fen::parse_setup(&case.fen) {
        Ok(setup) => out.text(board::draw(&setup, out.coloured))?,
        Err(fault) => out.line(super::tell(&fault, lang))?,
    }
    out.line(format_args!("FEN: {}", case.fen))?;
    out.line(case.moves.join(" "))?;
    out.line("")?;
    for (book, expect) in &case.expect {
        let decision = crate::cases::Decision {
            outcome: expect.outcome,
            side: expect.side,
        };
        let natures: Vec<_> = expect
            .natures
            .iter()
            .map(|n| lang.pick(n.zh(), n.id()))
            .collect();
        let clauses = if expect.clauses.is_empty() {
            String::new()
        } else {
            format!(" ({})", expect.clauses.join(", "))
        };
        out.line(
            format_args!(
                "{book}: {}{clauses}  {}",
                lang.pick(decision.zh(), decision.en()),
                natures.join(" ")
            )
            .to_string()
            .trim_end(),
        )?;
        if let Some(known) = case.known_difference.get(book) {
            out.line(format_args!(
                "  {} {}",
                lang.pick("已知差异：", "known difference:"),
                lang.of(&known.reason)
            ))?;
        }
    }
    out.line("")?;
    out.line(lang.of(&case.why))?;
    Ok(())
}

fn table(args: &Table, out: &mut Out) -> Result<Status, Failure> {
    let corpus = args.folder.corpus(out.lang)?;
    let books = if args.rules.is_empty() {
        Catalog::builtin().iter().cloned().collect()
    } else {
        books(&args.rules, out.lang)?
    };
    let matrix = matrix(&corpus, &books, all_cores());
    match args.format {
        TableFormat::Json => out.line(pretty(&matrix))?,
        TableFormat::Csv => out.text(matrix.csv())?,
        TableFormat::Text => tell_matrix(&matrix, out)?,
    }
    Ok(Status::Well)
}

fn tell_matrix(matrix: &Matrix, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let mut rows = vec![vec![lang.pick("图例", "case").to_owned()]];
    if let Some(head) = rows.first_mut() {
        head.extend(matrix.books.iter().cloned());
    }
    for row in &matrix.cases {
        let cells = row.cells.iter().map(|cell| {
            let found = cell
                .found
                .map_or_else(|| "–".to_owned(), |d| lang.pick(d.zh(), d.en()));
            format!("{found} {}", cell.mark()).trim_end().to_owned()
        });
        rows.push(std::iter::once(row.id.clone()).chain(cells).collect());
    }
    aligned(&rows, out)
}

impl Covered {
    fn books(&self, corpus: &Corpus, lang: Lang) -> Result<Vec<Arc<LoadedBook>>, Failure> {
        if self.rules.is_empty() {
            return Ok(settled_books(corpus, lang).0);
        }
        books(&self.rules, lang)
    }
}

fn covered(args: &Covered, out: &mut Out) -> Result<Status, Failure> {
    let corpus = args.folder.corpus(out.lang)?;
    let books = args.books(&corpus, out.lang)?;
    let found = coverage(&corpus, &books, all_cores());
    match args.format {
        Format::Json => out.line(pretty(&found))?,
        Format::Text => {
            for (at, coverage) in found.iter().enumerate() {
                if at > 0 {
                    out.line("")?;
                }
                tell_coverage(coverage, out)?;
            }
        }
    }
    Ok(Status::Well)
}

fn ablate(args: &Covered, out: &mut Out) -> Result<Status, Failure> {
    let corpus = args.folder.corpus(out.lang)?;
    let books = args.books(&corpus, out.lang)?;
    let found: Vec<_> = books
        .iter()
        .flat_map(|book| ablation(&corpus, book, all_cores()))
        .collect();
    match args.format {
        Format::Json => out.line(pretty(&found))?,
        Format::Text => {
            for ablation in &found {
                tell_ablation(ablation, out)?;
            }
        }
    }
    Ok(Status::Well)
}

fn tell_ablation(ablation: &Ablation, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let articles = if ablation.articles.is_empty() {
        lang.pick("无条文", "no article").to_owned()
    } else {
        ablation.articles.join(lang.pick("、", ", "))
    };
    out.line(format_args!(
        "{} = {}  [{} {articles}]",
        ablation.key,
        plain(&ablation.value),
        ablation.book
    ))?;
    for tried in &ablation.tried {
        let value = plain(&tried.value);
        if tried.changes_nothing() {
            out.line(format_args!(
                "  {value}: {}",
                lang.pick("无变化", "nothing changes")
            ))?;
        }
        for (name, cases) in [
            (lang.pick("裁决", "verdicts"), &tried.verdicts),
            (lang.pick("着法", "labels"), &tried.labels),
        ] {
            if !cases.is_empty() {
                out.line(format_args!(
                    "  {value}: {name} {}: {}",
                    cases.len(),
                    cases.join(" ")
                ))?;
            }
        }
    }
    Ok(())
}

fn tell_coverage(coverage: &Coverage, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    let cited = coverage.articles.iter().filter(|a| a.cited > 0).count();
    let (articles, settled) = (coverage.articles.len(), coverage.settled);
    out.line(told!(lang;
        "{}：{settled}个图例有定论，引用条文{cited}/{articles}条", coverage.book;
        "{}: {settled} cases settle it, {cited} of {articles} articles cited", coverage.book))?;
    let uncited: Vec<_> = coverage
        .articles
        .iter()
        .filter(|a| !a.is_exercised())
        .map(|a| a.id.as_str())
        .collect();
    if !uncited.is_empty() {
        out.line(
            lang.pick("  未经检验的条文：", "  articles no case exercises: ")
                .to_owned()
                + &uncited.join(lang.pick("、", ", ")),
        )?;
    }
    let rows: Vec<Vec<String>> = coverage
        .parameters
        .iter()
        .filter(|parameter| parameter.read)
        .map(|parameter| {
            let exercise = match &parameter.exercise {
                Some(exercise) => tell_exercise(exercise, lang),
                None => lang.pick("无图例检验", "no case exercises it").to_owned(),
            };
            vec![
                format!("  {} = {}", parameter.key, plain(&parameter.value)),
                exercise,
            ]
        })
        .collect();
    aligned(&rows, out)
}

fn tell_exercise(exercise: &Exercise, lang: Lang) -> String {
    let Exercise {
        case,
        value,
        effect,
    } = exercise;
    let value = plain(value);
    let what = match effect {
        Effect::SettledVerdict => lang.pick("裁决改变", "the verdict of"),
        Effect::SettledLabel => lang.pick("性质改变", "a label of"),
        Effect::Verdict => lang.pick("裁决改变（图例无定论）", "the verdict, unsettled, of"),
        Effect::Label => lang.pick("性质改变（图例无定论）", "a label, unsettled, of"),
    };
    told!(lang; "若为{value}：{case}{what}"; "{value} changes {what} {case}")
}
