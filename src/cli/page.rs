//! `qili page`: the arbiter's page as files.

use super::out::Out;
use super::{Failure, Lang, Status};
use crate::http::{Page, judge_in};
use crate::language::told;
use clap::Args as ClapArgs;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Write the page as files for any web space: it rules by itself, with no service
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct Args {
    /// Where to: a folder that is made, is empty, or has the page of an earlier version
    dir: PathBuf,
    /// The judge as a WebAssembly module, `qili.wasm`
    #[arg(long, env = "QILI_JUDGE", value_name = "FILE")]
    judge: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let judge = judge_in(&args.judge);
    let judge = judge.map_err(|error| Failure::Usage(lang.of(error.text()).to_owned()))?;
    let page = Page::alone(judge);
    if !is_ours(&args.dir).map_err(|error| unwritten(&args.dir, &error, lang))? {
        let dir = args.dir.display();
        return Err(Failure::Usage(told!(lang;
            "“{dir}”里已有别的文件：请给一个空的或新的文件夹";
            "`{dir}` has other files in it: name a folder that is empty or new")));
    }
    let (mut count, mut bytes) = (0, 0);
    for (path, content) in page.files() {
        let file = args.dir.join(path);
        put(&file, content).map_err(|error| unwritten(&file, &error, lang))?;
        count += 1;
        bytes += content.len();
    }
    let (dir, kilobytes) = (args.dir.display(), bytes.div_ceil(1000));
    out.line(told!(lang;
        "{dir}：{count}个文件，{kilobytes} kB";
        "{dir}: {count} files, {kilobytes} kB"))?;
    Ok(Status::Well)
}

fn unwritten(file: &Path, error: &io::Error, lang: Lang) -> Failure {
    let file = file.display();
    Failure::Bad(told!(lang; "“{file}”写不进去：{error}"; "`{file}` cannot be written: {error}"))
}

/// Whether nothing else would be overwritten: there is nothing, or a page that was written before.
fn is_ours(dir: &Path) -> io::Result<bool> {
    let mut entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    if entries.next().transpose()?.is_none() {
        return Ok(true);
    }
    match fs::read(dir.join("index.html")) {
        Ok(index) => Ok(Page::is_index(&index)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn put(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, content)
}
