//! What every handler shares.

use crate::http::desk::cache::Rulings;
use crate::http::desk::gate::Gate;
use crate::http::desk::page::{Page, judge_in};
use crate::http::desk::places::Places;
use crate::http::edge::admission::Door;
use crate::http::edge::connections::Connections;
use crate::http::edge::hosts::Hosts;
use crate::http::edge::keys::Keys;
use crate::http::edge::limits::{Caller, Cost, Limits};
use crate::http::edge::metrics::Metrics;
use crate::http::edge::settings::{Settings, StartError};
use crate::language::both;
use crate::rules::Catalog;
use crate::store::{Options, Store};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;

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
    pub metrics: Arc<Metrics>,
    /// Who is connected.
    pub connections: Arc<Connections>,
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
    /// The arbiter's page, made when it is first asked for.
    pub page: LazyLock<Page, Box<dyn FnOnce() -> Page + Send>>,
    /// Since when the service runs.
    pub started: Instant,
    /// How near its end it is.
    pub stage: Stage,
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
        settings.refuse_to_be_open(is_keyless(store.as_ref()))?;
        let judge = settings.judge.as_deref().map(judge_in).transpose();
        let judge = judge?;
        Ok(Self {
            page: LazyLock::new(Box::new(|| Page::served(judge))),
            catalog,
            gate: Gate::new(settings.rulings, settings.queue, wait),
            cache: Rulings::new(settings.cache),
            metrics: Arc::new(Metrics::new(catalog)),
            connections: Connections::new(
                connections(&settings),
                Duration::from_millis(settings.write_wait_ms),
            ),
            store,
            hosts: Hosts::of(&settings),
            keys: settings.keys.as_deref().map(Keys::read).transpose()?,
            limits: Limits::of(&settings),
            places: Places::new(settings.batches, settings.batches_each),
            started: Instant::now(),
            stage: Stage::default(),
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

/// So many connections as there are files for, some left for all else.
fn connections(settings: &Settings) -> usize {
    const OTHERS: u64 = 128;
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(1024);
    let most = usize::try_from(files.saturating_sub(OTHERS)).unwrap_or(usize::MAX);
    settings.connections.min(most)
}

/// Whether it is known that the store has no keys; as long as that is not known, nobody is let in.
fn is_keyless(store: Option<&Store>) -> bool {
    store.is_none_or(|store| store.keys_in_force().is_some_and(|known| !known.required))
}

/// How near its end a service is.
#[derive(Debug, Default)]
pub struct Stage(watch::Sender<u8>);

impl Stage {
    /// It goes on, but is about to end.
    pub fn stop(&self) {
        self.0.send_replace(1);
    }

    /// What runs is to finish.
    pub fn end(&self) {
        self.0.send_replace(2);
    }

    /// Whether it is about to end.
    pub fn is_stopping(&self) -> bool {
        *self.0.borrow() > 0
    }

    /// Waits until what runs is to finish.
    pub async fn ends(&self) {
        // The sender is here, so that it cannot be gone.
        self.0.subscribe().wait_for(|stage| *stage > 1).await.ok();
    }
}

/// The store of a URL; none where that says so.
fn open(settings: &Settings) -> Result<Option<Store>, StartError> {
    let url = settings.database.as_deref().filter(|&url| url != "none");
    let options = Options {
        wait: Duration::from_millis(settings.store_wait_ms.max(1)),
        patient: true,
        existing: false,
    };
    let opened = url.map(|url| Store::open(url, options)).transpose();
    opened.map_err(|error| StartError(both!("{error}", "存储无法使用：{error}")))
}
