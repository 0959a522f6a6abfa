//! `qili keys`: the API keys of the service.

use super::kept::{Place, missing, wait};
use super::out::{Out, pretty};
use super::{Failure, Format, Status};
use crate::language::told;
use crate::store::{KeyScope, NewKey, is_key_name};

/// The API keys of the service: made, listed, revoked
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Makes a key and prints it: it is told this once
    ///
    /// A service that is running asks for keys from the first one on: it looks for them every second.
    Add(Add),
    /// Lists the keys, those revoked as well
    List(List),
    /// Revokes a key
    Revoke(Revoke),
}

#[derive(Clone, Debug, clap::Args)]
struct Add {
    /// Whose it is
    name: String,
    /// What it may do
    #[arg(long, value_enum, value_delimiter = ',', default_value = "judge")]
    scopes: Vec<KeyScope>,
    /// Keep every ruling it asks for
    #[arg(long)]
    records: bool,
}

#[derive(Clone, Debug, clap::Args)]
struct List {
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Debug, clap::Args)]
struct Revoke {
    /// Its id, as the list has it
    id: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    if let Command::Add(args) = &args.command
        && !is_key_name(&args.name)
    {
        let (zh, en) = ("名称应为1至100个字符", "a name has 1 to 100 characters");
        return Err(Failure::Usage(lang.pick(zh, en).to_owned()));
    }
    let store = args.place.open()?;
    match &args.command {
        Command::Add(add) => {
            let new = NewKey {
                name: add.name.clone(),
                scopes: add.scopes.clone(),
                records: add.records,
            };
            let (_, key) = wait(store.add_key(new))?;
            out.line(key)?;
        }
        Command::List(args) => {
            let keys = wait(store.keys(None, u32::MAX))?;
            if args.format == Format::Json {
                out.line(pretty(&keys))?;
                return Ok(Status::Well);
            }
            for key in keys {
                let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.id()).collect();
                let records = if key.records {
                    lang.pick("  必存", "  records")
                } else {
                    ""
                };
                let revoked = key.revoked_at.map_or_else(
                    String::new,
                    |at| told!(lang; "  已于{at}撤销"; "  revoked {at}"),
                );
                out.line(format_args!(
                    "{}  {}  {:<18}  {}{records}{revoked}",
                    key.id,
                    key.created_at,
                    scopes.join(","),
                    key.name,
                ))?;
            }
        }
        Command::Revoke(args) => {
            let revoked = wait(store.revoke_key(&args.id))?;
            let key = revoked.ok_or_else(|| missing(lang, "密钥", "key", &args.id))?;
            out.line(told!(lang; "已撤销：{}", key.name; "revoked: {}", key.name))?;
        }
    }
    Ok(Status::Well)
}
