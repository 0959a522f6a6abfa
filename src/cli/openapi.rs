//! `qili openapi`: the description of the API.

use super::out::Out;
use super::{Failure, Status};
use crate::http::description::{JSON, YAML};
use clap::{Args as ClapArgs, ValueEnum};

/// Print the `OpenAPI` document of the service
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct Args {
    /// How to write it
    #[arg(long, value_enum, default_value = "yaml")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    Yaml,
    /// For programs
    Json,
}

/// Runs the command.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    out.text(match args.format {
        Format::Yaml => YAML,
        Format::Json => JSON,
    })?;
    Ok(Status::Well)
}
