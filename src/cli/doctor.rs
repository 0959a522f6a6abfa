//! `qili doctor`: what is wrong with a build, a configuration, a store.

use super::books::folder_of;
use super::out::{Out, pretty};
use super::{Failure, Format, Lang, Status};
use crate::cases::{CaseStatus, Corpus, all_cores, run as judge};
use crate::http::{Obstacle, Settings, obstacles};
use crate::language::told;
use crate::rules::Catalog;
use crate::store::{SCHEMA, StoreError, Survey, shown, survey};
use crate::version::{BUILD, COMMIT};
use serde::Serialize;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Say what is wrong with this build, the settings of the service, and its store
///
/// Takes the settings of `qili serve`, from flags and the environment, and changes nothing. The status is
/// 1 where something is wrong.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    settings: Settings,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    /// As it should be.
    Well,
    /// Works, but should be known.
    Note,
    /// Does not work.
    Wrong,
}

/// What was found about one thing.
#[derive(Clone, Debug, Serialize)]
struct Finding {
    about: &'static str,
    level: Level,
    told: String,
}

struct Examination {
    lang: Lang,
    found: Vec<Finding>,
}

impl Examination {
    fn put(&mut self, about: &'static str, level: Level, told: String) {
        self.found.push(Finding { about, level, told });
    }
}

/// Puts what is told in both languages, as `told!` has it.
macro_rules! put {
    ($to:ident, $about:literal, $level:ident; $($told:tt)+) => {{
        let told = told!($to.lang; $($told)+);
        $to.put($about, Level::$level, told)
    }};
}

/// Runs the command.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let settings = args.settings.clone().with_common_environment().with_store();
    let mut examination = Examination {
        lang: out.lang,
        found: Vec::new(),
    };
    build(&mut examination);
    let keys = store(settings.database.as_deref(), &mut examination);
    configuration(&settings, keys, &mut examination);
    let Examination { lang, found } = examination;
    if args.format == Format::Json {
        out.line(pretty(&found))?;
    } else {
        for Finding { about, level, told } in &found {
            let about = match *about {
                "build" => lang.pick("程序", about),
                "store" => lang.pick("存储", about),
                about => lang.pick("配置", about),
            };
            let mark = match level {
                Level::Well => "✓",
                Level::Note => "!",
                Level::Wrong => "✗",
            };
            out.line(format_args!("{mark} {about}: {told}"))?;
        }
    }
    let well = found.iter().all(|one| one.level != Level::Wrong);
    Ok(Status::of(well))
}

/// What this build can do, and whether it rules as its cases say.
fn build(to: &mut Examination) {
    const FEATURES: [(&str, bool); 3] = [
        ("postgres", cfg!(feature = "postgres")),
        ("otlp", cfg!(feature = "otlp")),
        ("parquet", cfg!(feature = "parquet")),
    ];
    to.put("build", Level::Well, format!("qili {BUILD}"));
    if COMMIT == "debug" || COMMIT == "unknown" || COMMIT.ends_with(".modified") {
        put!(to, "build", Note;
            "不是由某一提交原样编译的（{COMMIT}）：裁决无法追溯到源码";
            "not built from a commit as it is ({COMMIT}): its rulings cannot be traced to their sources");
    }
    let named = |has: bool| {
        let names = FEATURES.iter().filter(|(_, there)| *there == has);
        names.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    };
    let missing = named(false);
    if !missing.is_empty() {
        put!(to, "build", Note; "编译时未带：{missing}"; "built without {missing}");
    }
    let corpus = Corpus::builtin();
    let books: Vec<_> = Catalog::builtin().iter().cloned().collect();
    let report = judge(corpus, &books, all_cores());
    let results = || report.books.iter().flat_map(|book| &book.results);
    let wrong: Vec<&str> = results()
        .filter(|result| {
            !matches!(
                result.status,
                CaseStatus::Right | CaseStatus::KnownDifference
            )
        })
        .map(|result| result.id.as_str())
        .collect();
    let (count, rulings) = (corpus.len(), results().count());
    if wrong.is_empty() {
        put!(to, "build", Well;
            "{count}例、{rulings}次裁决与所载相符";
            "{count} cases are ruled on as they say, in {rulings} rulings");
    } else {
        let wrong = wrong.join(", ");
        put!(to, "build", Wrong;
            "裁决与所载不符：{wrong}";
            "ruled on otherwise than they say: {wrong}");
    }
}

/// What the store is like; how many keys it has.
fn store(url: Option<&str>, to: &mut Examination) -> i64 {
    let Some(url) = url.filter(|&url| url != "none") else {
        put!(to, "store", Note; "未设存储：裁决一概不保存"; "none: nothing is kept");
        return 0;
    };
    let place = shown(url);
    let found = match survey(url, true) {
        Ok(found) => found,
        Err(error) => {
            // The URL stands in what is told of it.
            let told = if matches!(error, StoreError::Url(_)) {
                error.to_string()
            } else {
                format!("`{place}`: {error}")
            };
            to.put("store", Level::Wrong, told);
            return 0;
        }
    };
    let Survey {
        schema,
        rulings,
        keys,
        ref faults,
        ..
    } = found;
    match schema {
        None => put!(to, "store", Note;
            "`{place}`尚未建立，首次启动时建立";
            "`{place}` is not there yet: it is made when it is first used"),
        Some(schema) if schema < SCHEMA => put!(to, "store", Note;
            "`{place}`：库结构{schema}，使用时升级为{SCHEMA}（`qili migrate --check`）";
            "`{place}`: schema {schema}, brought to {SCHEMA} when it is used (`qili migrate --check`)"),
        Some(schema) => put!(to, "store", Well;
            "`{place}`：库结构{schema}，裁决{rulings}个，密钥{keys}个";
            "`{place}`: schema {schema}, {rulings} rulings, {keys} keys"),
    }
    for fault in faults {
        put!(to, "store", Wrong; "文件已损坏：{fault}"; "the file is damaged: {fault}");
    }
    if let Some(file) = &found.file {
        room(file, to);
    }
    keys
}

/// Whether what is kept beside the file can be written: its log, and room for it.
fn room(file: &Path, to: &mut Examination) {
    const ROOM: usize = 1 << 20;
    let folder = folder_of(file);
    if !folder.is_dir() {
        return;
    }
    let probe = folder.join(format!(".qili-doctor-{}", std::process::id()));
    let tried = fs::OpenOptions::new()
        .create_new(true)
        .write(true)
        .open(&probe)
        .and_then(|mut file| {
            file.write_all(&vec![0; ROOM])?;
            file.sync_all()
        });
    fs::remove_file(&probe).ok();
    if let Err(error) = tried {
        let folder = folder.display();
        put!(to, "store", Wrong;
            "`{folder}`中无法写入1 MiB：{error}";
            "no MiB can be written in `{folder}`: {error}");
    }
}

/// What would keep the service from starting.
fn configuration(settings: &Settings, keys: i64, to: &mut Examination) {
    let found = obstacles(settings, keys);
    if found.is_empty() {
        let bind = settings.bind;
        put!(to, "configuration", Well; "可以在{bind}启动"; "the service can start at {bind}");
    }
    for obstacle in found {
        let (Obstacle::Refused(told) | Obstacle::Taken(told)) = &obstacle;
        let told = to.lang.of(told.text()).to_owned();
        match obstacle {
            Obstacle::Refused(_) => to.put("configuration", Level::Wrong, told),
            Obstacle::Taken(_) => put!(to, "configuration", Note;
                "{told}（也许就是正在运行的 qili）";
                "{told} (perhaps by the qili that runs)"),
        }
    }
}
