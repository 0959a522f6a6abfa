//! The store as commands use it: opened, asked, and waited for.

use super::{Failure, Lang};
use crate::language::told;
use crate::store::{Options, Store, StoreError, alone, default_url};

/// Which store
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Place {
    /// The store: `sqlite:FILE` or `postgres://…` [default: the file of `qili serve`]
    #[arg(
        long,
        env = "QILI_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    database: Option<String>,
}

impl Place {
    /// Its URL.
    pub(super) fn url(&self) -> String {
        self.database.clone().unwrap_or_else(default_url)
    }

    /// Opens it, and makes it where there is none.
    pub(super) fn open(&self) -> Result<Store, Failure> {
        self.opened(Options::default())
    }

    /// Opens it to read what is kept there: where there is none its name was mistaken.
    pub(super) fn existing(&self) -> Result<Store, Failure> {
        self.opened(Options {
            existing: true,
            ..Options::default()
        })
    }

    fn opened(&self, options: Options) -> Result<Store, Failure> {
        Store::open(&self.url(), options).map_err(|error| failed(&error))
    }
}

/// What went wrong with the store, as a command tells it.
pub(super) fn failed(error: &StoreError) -> Failure {
    if matches!(error, StoreError::Url(_)) {
        return Failure::Usage(error.to_string());
    }
    Failure::Bad(error.to_string())
}

/// Waits for what the store does.
pub(super) fn wait<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T, Failure> {
    alone(work).map_err(|error| failed(&error))
}

/// Something by a name that there is not.
pub(super) fn missing(lang: Lang, zh: &str, en: &str, name: &str) -> Failure {
    Failure::Bad(told!(lang; "没有{zh}“{name}”"; "there is no {en} `{name}`"))
}
