//! `qili serve`: the service.

use super::out::Out;
use super::{Failure, Status};
use crate::http::{Settings, serve};
use clap::Args as ClapArgs;

/// Serve rulings over HTTP
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct Args {
    #[command(flatten)]
    settings: Settings,
    /// Print the settings as they come out of flags, environment and defaults, and end
    #[arg(long)]
    print_config: bool,
}

/// Runs the command.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let settings = args.settings.clone().with_common_environment().with_store();
    if args.print_config {
        out.text(settings.shown())?;
        return Ok(Status::Well);
    }
    let lang = out.lang;
    serve(settings).map_err(|error| Failure::Usage(lang.of(error.text()).to_owned()))?;
    Ok(Status::Well)
}
