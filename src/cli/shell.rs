//! `qili completions` and `qili man`: what a shell and `man` know of the command.

use super::books::unreadable;
use super::out::Out;
use super::{Cli, Failure, Status};
use clap::CommandFactory as _;
use clap_complete::Shell;
use std::fs;
use std::path::PathBuf;

/// Print what a shell needs to complete the command
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
bash: qili completions bash > ~/.local/share/bash-completion/completions/qili\n\
zsh:  qili completions zsh > a folder of $fpath, as _qili\n\
fish: qili completions fish > ~/.config/fish/completions/qili.fish")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "qili", &mut script);
    out.bytes(&script)?;
    Ok(Status::Well)
}

/// Write the manual: a page for the command, and one for each of its commands
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ManArgs {
    /// The folder they are put into
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run_man(args: &ManArgs) -> Result<Status, Failure> {
    fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder))
        .map_err(|error| unreadable(&args.folder, &error))?;
    Ok(Status::Well)
}
