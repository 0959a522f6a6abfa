//! What every handler shares.

use super::cache::Rulings;
use super::gate::Gate;
use super::keys::Keys;
use super::limits::Limits;
use super::metrics::Metrics;
use super::settings::Settings;
use crate::rules::Catalog;
use std::fs::OpenOptions;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

/// What every handler shares.
#[derive(Debug)]
pub struct State {
    /// What the operator set.
    pub settings: Settings,
    /// The rule books.
    pub catalog: &'static Catalog,
    /// What is worked on at once.
    pub gate: Gate,
    /// Rulings given before.
    pub cache: Rulings,
    /// What is counted.
    pub metrics: Metrics,
    /// API keys, where any are asked for.
    pub keys: Option<Keys>,
    /// How often a key or peer may ask, where that is limited.
    pub limits: Option<Limits>,
    /// Batches being answered.
    pub batches: AtomicUsize,
    /// Since when the service runs.
    pub started: Instant,
    /// Whether it is about to end.
    pub stopping: AtomicBool,
}

/// Why a service could not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StartError(pub String);

impl State {
    /// What the settings come to.
    ///
    /// # Errors
    /// A setting that cannot be met.
    pub fn new(settings: Settings) -> Result<Self, StartError> {
        let catalog = Catalog::builtin();
        let wait = Duration::from_millis(settings.queue_wait_ms);
        Ok(Self {
            catalog,
            gate: Gate::new(settings.rulings, settings.queue, wait),
            cache: Rulings::new(settings.cache),
            metrics: Metrics::new(catalog, super::routes::PATTERNS),
            keys: settings.keys.as_deref().map(Keys::read).transpose()?,
            limits: Limits::new(settings.rate, settings.burst),
            batches: AtomicUsize::new(0),
            started: Instant::now(),
            stopping: AtomicBool::new(false),
            settings,
        })
    }

    /// Whether the database that was named can be opened; nothing where none was.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn database(&self) -> Option<Result<(), String>> {
        let url = self.settings.database.as_deref()?;
        let file = url
            .strip_prefix("sqlite:")
            .map(|rest| rest.trim_start_matches("//"));
        Some(match file {
            Some(":memory:") => Ok(()),
            Some(file) => {
                let file = file.split('?').next().unwrap_or(file);
                let opened = OpenOptions::new().create(true).append(true).open(file);
                opened.map(drop).map_err(|error| error.to_string())
            }
            None => Err("only sqlite: can be opened by this version".to_owned()),
        })
    }
}
