//! `qili page`: the arbiter's page as files.

use super::out::Out;
use super::{Failure, Status};
use crate::http::{Page, judge_in};
use clap::Args as ClapArgs;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Write the page as files for any web space: it rules by itself, with no service
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct Args {
    /// Where to: a folder, made where there is none
    dir: PathBuf,
    /// The judge as a WebAssembly module, `qili.wasm`
    #[arg(long, env = "QILI_JUDGE", value_name = "FILE")]
    judge: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let judge = judge_in(&args.judge).map_err(|error| Failure::Usage(error.to_string()))?;
    let page = Page::alone(judge);
    let (mut count, mut bytes) = (0, 0);
    for (path, content) in page.files() {
        let file = args.dir.join(path);
        put(&file, content)
            .map_err(|error| Failure::Bad(format!("`{}`: {error}", file.display())))?;
        count += 1;
        bytes += content.len();
    }
    let dir = args.dir.display();
    out.text(format!(
        "{dir}: {count} files, {} kB\n",
        bytes.div_ceil(1000)
    ))?;
    Ok(Status::Well)
}

fn put(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, content)
}
