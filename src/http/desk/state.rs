//! What every handler shares.

use crate::http::desk::cache::Rulings;
use crate::http::desk::gate::Gate;
use crate::http::desk::places::Places;
use crate::http::edge::admission::Door;
use crate::http::edge::hosts::Hosts;
use crate::http::edge::keys::Keys;
use crate::http::edge::limits::{Caller, Cost, Limits};
use crate::http::edge::metrics::Metrics;
use crate::http::edge::settings::{Settings, StartError};
use crate::rules::Catalog;
use crate::store::{Options, Store};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What every handler shares.
#[derive(Debug)]
pub struct State {
    /// What the operator set.
    pub settings: Settings,
    /// The rule books.
    pub catalog: &'static Catalog,
    /// What is worked on at once.
    pub gate: Arc<Gate>,
    /// Rulings given before.
    pub cache: Rulings,
    /// What is counted.
    pub metrics: Metrics,
    /// What is kept, where anything is.
    pub store: Option<Store>,
    /// API keys, where any are asked for.
    pub keys: Option<Keys>,
    /// The names this service goes by.
    pub hosts: Hosts,
    /// How often a key or peer may ask, where that is limited.
    pub limits: Option<Limits>,
    /// Batches being answered.
    pub places: Places,
    /// Since when the service runs.
    pub started: Instant,
    /// Whether it is about to end.
    pub stopping: AtomicBool,
}

impl State {
    /// What the settings come to.
    ///
    /// # Errors
    /// A setting that cannot be met.
    pub fn new(settings: Settings) -> Result<Self, StartError> {
        let catalog = Catalog::builtin();
        let wait = Duration::from_millis(settings.queue_wait_ms);
        let store = open(&settings)?;
        refuse_to_be_open(&settings, store.as_ref())?;
        Ok(Self {
            catalog,
            gate: Gate::new(settings.rulings, settings.queue, wait),
            cache: Rulings::new(settings.cache),
            metrics: Metrics::new(catalog),
            store,
            hosts: Hosts::of(&settings),
            keys: settings.keys.as_deref().map(Keys::read).transpose()?,
            limits: Limits::of(&settings),
            places: Places::new(settings.batches, settings.batches_each),
            started: Instant::now(),
            stopping: AtomicBool::new(false),
            settings,
        })
    }

    /// Takes note of what was spent on a caller's behalf.
    pub fn spent(&self, caller: &Caller, cost: Cost, count: u64) {
        if let Some(limits) = &self.limits {
            limits.spend(caller, cost, count);
        }
    }

    /// What decides who is let in.
    pub fn door(&self) -> Door<'_> {
        Door {
            settings: &self.settings,
            keys: self.keys.as_ref(),
            store: self.store.as_ref(),
            limits: self.limits.as_ref(),
        }
    }
}

/// Refuses an address others can reach where it is known that nobody needs a key.
fn refuse_to_be_open(settings: &Settings, store: Option<&Store>) -> Result<(), StartError> {
    let keyless = match store.map(Store::keys_in_force) {
        None => true,
        // As long as that is not known, nobody is let in.
        Some(known) => known.is_some_and(|known| !known.required),
    };
    if settings.may_be_open() || settings.keys.is_some() || !keyless {
        return Ok(());
    }
    Err(StartError(format!(
        "anybody who reaches {} could do anything here: make a key first (`qili keys add --scopes admin NAME`), \
         or say --open as well",
        settings.bind
    )))
}

/// The store of a URL; none where that says so.
fn open(settings: &Settings) -> Result<Option<Store>, StartError> {
    let url = settings.database.as_deref().filter(|&url| url != "none");
    let options = Options {
        wait: Duration::from_millis(settings.store_wait_ms.max(1)),
        patient: true,
    };
    let opened = url.map(|url| Store::open(url, options)).transpose();
    opened.map_err(|error| StartError(error.to_string()))
}
