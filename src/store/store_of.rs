//! The store itself: its threads, what it is linked to, and how it fares.

use super::drafts::DraftBooks;
use super::error::{Result, StoreError};
use super::keys::{self, Known};
use super::link::{Kind, Link, Place};
use super::moment::Moment;
use super::number::Number;
use super::refusals::Refusal;
use super::rulings::{Entry, Kept, Numbered};
use super::writer::{self, Write};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, Transaction};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock, mpsc as threads};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Mutex as Turn, mpsc, oneshot};
use tokio::time::{sleep, timeout};

/// What may wait for the writer.
const QUEUE: usize = 1024;
/// How often it is asked whether the store is there.
const PROBE: Duration = Duration::from_secs(1);

const BEAT: &str = "INSERT INTO pulse (id, beat_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at";

/// How a store is to be used.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How long anyone waits for it.
    pub wait: Duration,
    /// Whether to go on without it where a server cannot be reached at first.
    pub patient: bool,
    /// Whether it must be there already: one that is only read is not made.
    pub existing: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            wait: Duration::from_secs(5),
            patient: false,
            existing: false,
        }
    }
}

/// How a store fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It answers.
    Well,
    /// It does not, and why.
    Ill(String),
}

/// What was done so far.
#[derive(Debug, Default)]
pub struct Counts {
    /// Rulings kept.
    pub kept: AtomicU64,
    /// Transactions they were kept in.
    pub groups: AtomicU64,
    /// Rulings that could not be kept.
    pub failed: AtomicU64,
    /// Refused requests that were not noted for want of time.
    pub unnoted: AtomicU64,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) place: Place,
    link: RwLock<Option<Arc<Link>>>,
    /// Not known before it was first tried.
    health: Mutex<Option<Health>>,
    keys: RwLock<Option<Arc<Known>>>,
    drafts: RwLock<Arc<DraftBooks>>,
    /// What is at hand is read by one at a time: who read earlier would put back what has been changed since.
    refreshing: Turn<()>,
    /// One writes at a time to a file; on a server they need not wait for each other.
    pub(super) turn: Turn<()>,
    pub(super) counts: Counts,
}

/// What is kept; see the [module](crate::store).
#[derive(Debug)]
pub struct Store {
    shared: Arc<Shared>,
    writes: mpsc::Sender<Write>,
    runtime: Option<Runtime>,
}

/// A job within one transaction.
pub(super) type Job<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;

impl Shared {
    /// The store as it was last opened.
    pub(super) fn link(&self) -> Result<Arc<Link>> {
        let link = self.link.read().unwrap_or_else(PoisonError::into_inner);
        link.clone().ok_or_else(|| match self.health() {
            Health::Ill(fault) => StoreError::Unavailable(fault),
            Health::Well => StoreError::Unavailable("not opened yet".to_owned()),
        })
    }

    fn health(&self) -> Health {
        let known = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.clone();
        known.unwrap_or_else(|| Health::Ill("not opened yet".to_owned()))
    }

    /// Takes note of how something came out; a change is told in the log.
    pub(super) fn note<T>(&self, result: &Result<T>) {
        let now = match result {
            Err(StoreError::Unavailable(fault)) => Health::Ill(fault.clone()),
            Err(_) => return,
            Ok(_) => Health::Well,
        };
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*health, &now) {
            (None | Some(Health::Well), Health::Ill(fault)) => {
                tracing::warn!(target: "qili::store", %fault, "the store cannot be used");
            }
            (Some(Health::Ill(_)), Health::Well) => {
                tracing::info!(target: "qili::store", "the store is back");
            }
            _ => {}
        }
        *health = Some(now);
    }

    /// Opens the store anew, where it was not open or its file is another.
    async fn mend(&self) {
        let stale = match self.link() {
            Ok(link) => link.in_place().is_err(),
            Err(_) => true,
        };
        if !stale {
            return;
        }
        let opened = timeout(
            self.place.wait.max(Duration::from_secs(30)),
            self.place.open(),
        )
        .await;
        let opened = opened.unwrap_or_else(|_| Err(late()));
        self.note(&opened);
        match opened {
            Ok(link) => {
                let link = Some(Arc::new(link));
                let before = std::mem::replace(
                    &mut *self.link.write().unwrap_or_else(PoisonError::into_inner),
                    link,
                );
                drop(before);
            }
            Err(error) => self.note::<()>(&Err(StoreError::Unavailable(error.to_string()))),
        }
    }

    async fn probe(&self) {
        self.mend().await;
        let Ok(link) = self.link() else { return };
        let writes = self.cannot_write();
        let asked = async {
            let mut connection = link.acquire().await?;
            if writes {
                // One that answers questions may still be full.
                let _turn = self.turn.lock().await;
                sqlx::query(BEAT)
                    .bind(1_i64)
                    .bind(Moment::now().stored())
                    .execute(&mut *connection)
                    .await?;
            } else {
                let ask = "SELECT beat_at FROM pulse WHERE id = 1";
                sqlx::query(ask).fetch_optional(&mut *connection).await?;
            }
            drop(connection);
            self.refresh(&link).await
        };
        let asked = timeout(self.place.wait, asked)
            .await
            .unwrap_or_else(|_| Err(late()));
        let could_not = |error| {
            if writes {
                writer::could_not(error)
            } else {
                error
            }
        };
        self.note(&asked.map_err(could_not));
    }

    /// The keys in force, as last read.
    pub(super) fn known_keys(&self) -> Option<Arc<Known>> {
        self.keys
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The drafts that can be ruled by, as last read.
    pub(super) fn known_drafts(&self) -> Arc<DraftBooks> {
        Arc::clone(&self.drafts.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads what is always at hand.
    async fn refresh(&self, link: &Link) -> Result {
        let _turn = self.refreshing.lock().await;
        // Numbers go on from the latest there is, be it that the clock has been put back or another's is ahead.
        let mut connection = link.acquire().await?;
        let ask = sqlx::query_scalar("SELECT max(number) FROM rulings");
        let latest: Option<String> = ask.fetch_one(&mut *connection).await?;
        drop(connection);
        if let Some(latest) = latest.and_then(|number| number.parse().ok()) {
            Number::go_on_from(latest);
        }
        let keys = Some(Arc::new(keys::in_force(link).await?));
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        if let Some(drafts) = self.known_drafts().refreshed(link).await? {
            *self.drafts.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(drafts);
        }
        Ok(())
    }

    /// Whether it was writing that failed.
    fn cannot_write(&self) -> bool {
        match self.health() {
            Health::Well => false,
            Health::Ill(fault) => fault.starts_with(writer::COULD_NOT),
        }
    }
}

/// What the writer says of a ruling.
type Told = oneshot::Receiver<Result<Kept>>;

/// A ruling for the writer, and where it says what became of it.
fn asked(entry: Entry) -> Result<(Write, Told)> {
    // No number lies before its moment.
    let at = Moment::now();
    let number = Number::new().map_err(|error| StoreError::Broken(error.to_string()))?;
    let (tell, told) = oneshot::channel();
    Ok((
        Write::Ruling(Box::new(Numbered { number, at, entry }), tell),
        told,
    ))
}

pub(super) fn late() -> StoreError {
    StoreError::Unavailable("it does not answer in time".to_owned())
}

impl Store {
    /// Opens a store, makes it where there is none, and brings its schema up to date.
    pub fn open(url: &str, options: Options) -> Result<Self> {
        let place = Place::of(url, options.wait)?;
        if options.existing {
            place.must_exist()?;
        }
        place.prepare()?;
        let broken = |error: std::io::Error| StoreError::Broken(error.to_string());
        let mut threads = Builder::new_multi_thread();
        let runtime = threads
            .worker_threads(1)
            .thread_name("store")
            .enable_all()
            .build()
            .map_err(broken)?;
        let shared = Arc::new(Shared {
            place,
            link: RwLock::new(None),
            health: Mutex::new(None),
            keys: RwLock::new(None),
            drafts: RwLock::default(),
            refreshing: Turn::new(()),
            turn: Turn::new(()),
            counts: Counts::default(),
        });
        let (tell, told) = threads::channel();
        let opening = Arc::clone(&shared);
        runtime.spawn(async move {
            let opened = first(&opening).await;
            tell.send(opened).ok();
        });
        // This may be called where futures run, but runs none itself.
        let opened = told.recv().unwrap_or_else(|_| Err(late()));
        if let Err(error) = opened
            && !(options.patient && error.passes() && shared.place.kind == Kind::Postgres)
        {
            runtime.shutdown_background();
            return Err(error);
        }
        let (writes, waiting) = mpsc::channel(QUEUE);
        runtime.spawn(writer::run(Arc::clone(&shared), waiting));
        let keeper = Arc::downgrade(&shared);
        runtime.spawn(async move {
            loop {
                sleep(PROBE).await;
                let Some(shared) = keeper.upgrade() else {
                    return;
                };
                shared.probe().await;
            }
        });
        Ok(Self {
            shared,
            writes,
            runtime: Some(runtime),
        })
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Reads what is always at hand, after it was changed. If that fails, the next probe does it.
    pub(super) async fn refresh(&self) {
        let shared = Arc::clone(&self.shared);
        let refreshed = self.run(async move |link: Arc<Link>| shared.refresh(&link).await);
        refreshed.await.ok();
    }

    /// How it fares.
    pub fn health(&self) -> Health {
        self.shared.health()
    }

    /// What was done so far.
    pub fn counts(&self) -> &Counts {
        &self.shared.counts
    }

    /// How long anyone waits for it.
    pub fn wait(&self) -> Duration {
        self.shared.place.wait
    }

    /// Keeps a ruling under a number of now. When this returns well, it is on the disk.
    ///
    /// # Errors
    /// It is not kept; or, where time ran out, nobody knows.
    pub async fn keep(&self, entry: Entry) -> Result<Kept> {
        let (write, told) = asked(entry)?;
        let sent = self.writes.try_send(write);
        let full = |_| StoreError::Unavailable("too much is waiting to be stored".to_owned());
        self.told(sent.map_err(full), told).await
    }

    /// The same, but waits for a place in the queue as long as for the store itself: for those who
    /// keep much, and are held back by waiting.
    ///
    /// # Errors
    /// It is not kept; or, where time ran out, nobody knows.
    pub async fn keep_in_turn(&self, entry: Entry) -> Result<Kept> {
        let (write, told) = asked(entry)?;
        let sent = self.writes.send_timeout(write, self.wait()).await;
        self.told(sent.map_err(|_| late()), told).await
    }

    async fn told(&self, sent: Result, told: Told) -> Result<Kept> {
        let answer = match sent {
            Err(error) => Err(error),
            Ok(()) => match timeout(self.wait(), told).await {
                Ok(Ok(kept)) => kept,
                Ok(Err(_)) | Err(_) => Err(late()),
            },
        };
        if matches!(answer, Err(StoreError::Unavailable(_))) {
            self.shared.counts.failed.fetch_add(1, Relaxed);
        }
        answer
    }

    /// Notes a request that was refused, when there is time: notes leave room for rulings.
    pub fn note_refusal(&self, refusal: Refusal) {
        let room = self.writes.capacity() > QUEUE / 2;
        let note = Write::Refusal(Box::new(refusal));
        if !room || self.writes.try_send(note).is_err() {
            self.shared.counts.unnoted.fetch_add(1, Relaxed);
        }
    }

    /// Does something with the store on its own threads, and waits for it so long as agreed.
    pub(super) async fn run<T, F>(&self, job: impl FnOnce(Arc<Link>) -> F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        let link = self.shared.link()?;
        let Some(runtime) = &self.runtime else {
            return Err(late());
        };
        let job = timeout(self.shared.place.wait, job(link));
        let (tell, told) = oneshot::channel();
        // Boxed, what a thread does with a job is compiled once and not for each of them.
        let job: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
            tell.send(job.await).ok();
        });
        runtime.spawn(job);
        let done = match told.await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(late()),
            Err(_) => Err(StoreError::Broken("a job of the store failed".to_owned())),
        };
        if done.is_err() {
            self.shared.note(&done);
        }
        done
    }

    /// What is asked for, each row made into what it tells.
    pub(super) async fn rows<T: Send + 'static>(
        &self,
        ask: Query<'static, Any, AnyArguments>,
        row_of: impl Fn(&AnyRow) -> Result<T> + Send + 'static,
    ) -> Result<Vec<T>> {
        self.run(async move |link| {
            let mut connection = link.acquire().await?;
            let rows = ask.fetch_all(&mut *connection).await?;
            rows.iter().map(row_of).collect()
        })
        .await
    }

    /// The same of one row, if it is there.
    pub(super) async fn row<T: Send + 'static>(
        &self,
        ask: Query<'static, Any, AnyArguments>,
        row_of: impl Fn(&AnyRow) -> Result<T> + Send + 'static,
    ) -> Result<Option<T>> {
        Ok(self.rows(ask, row_of).await?.pop())
    }

    /// Changes something in one transaction.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        job: impl for<'t> FnOnce(&'t mut Transaction<'static, Any>) -> Job<'t, T> + Send + 'static,
    ) -> Result<T> {
        let shared = Arc::clone(&self.shared);
        self.run(async move |link: Arc<Link>| {
            let _turn = match link.kind {
                Kind::Sqlite => Some(shared.turn.lock().await),
                Kind::Postgres => None,
            };
            link.in_place()?;
            let mut transaction = link.pool.begin_with(link.kind.begin()).await?;
            let done = job(&mut transaction).await?;
            transaction.commit().await?;
            Ok(done)
        })
        .await
    }

    /// What kept rulings are measured against: a row put or changed, durably, and read again.
    pub async fn upsert_and_select(&self, id: i64) -> Result<i64> {
        let shared = Arc::clone(&self.shared);
        self.run(async move |link: Arc<Link>| {
            let mut connection = link.acquire().await?;
            let turn = match link.kind {
                Kind::Sqlite => Some(shared.turn.lock().await),
                Kind::Postgres => None,
            };
            let put = sqlx::query(BEAT).bind(id).bind(Moment::now().stored());
            put.execute(&mut *connection).await?;
            drop(turn);
            let ask = sqlx::query_scalar("SELECT beat_at FROM pulse WHERE id = $1");
            Ok(ask.bind(id).fetch_one(&mut *connection).await?)
        })
        .await
    }

    /// Writes out what waits, and closes the store.
    pub async fn close(&self) {
        let (tell, told) = oneshot::channel();
        if self.writes.send(Write::End(tell)).await.is_ok() {
            timeout(self.wait(), told).await.ok();
        }
        if let Ok(link) = self.shared.link() {
            timeout(self.wait(), link.pool.close()).await.ok();
        }
    }
}

async fn first(shared: &Shared) -> Result {
    let mut tries = 0;
    loop {
        let opened = timeout(shared.place.wait, shared.place.open()).await;
        let opened = opened.unwrap_or_else(|_| Err(late()));
        let opened = match opened {
            Ok(link) => shared.refresh(&link).await.map(|()| link),
            Err(error) => Err(error),
        };
        tries += 1;
        match opened {
            Ok(link) => {
                *shared.link.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(link));
                shared.note(&Ok(()));
                return Ok(());
            }
            // Two programs that make the same file at once meet each other here.
            Err(error)
                if tries < 5
                    && shared.place.kind == Kind::Sqlite
                    && !matches!(error, StoreError::Newer { .. }) =>
            {
                sleep(Duration::from_millis(100)).await;
            }
            Err(error) => {
                shared.note::<()>(&Err(error.clone()));
                return Err(error);
            }
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Catalog, Outcome};

    #[test]
    fn a_clock_that_jumped_leaves_moments_alone() {
        const DAY: u64 = 86_400_000;
        Number::jump(400);
        let entry = Entry {
            caller: String::new(),
            book: Catalog::builtin().get("wxf").unwrap(),
            engine: String::new(),
            outcome: Outcome::Draw,
            side: None,
            details: crate::wire::Details::default(),
            latency_us: 0,
            idempotency: None,
            request: String::new(),
            ruling: String::new(),
        };
        let before = Number::new().unwrap();
        let (Write::Ruling(kept, _), _) = asked(entry).unwrap() else {
            unreachable!("a ruling is written as one");
        };
        let now = Moment::now().milliseconds();
        assert!(kept.number > before, "numbers stay in order");
        assert!(kept.number.at().milliseconds() > now + 399 * DAY);
        assert!(kept.at.milliseconds() <= now && kept.at.milliseconds() + DAY > now);
    }
}
