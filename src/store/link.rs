//! Where the store is, and connections to it.

use super::error::{Result, StoreError};
use super::schema::migrate;
use sqlx::any::{Any, AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolConnection;
use sqlx::{AnyConnection, AnyPool, ConnectOptions as _, Connection as _, Executor as _};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::str::FromStr as _;
use std::time::Duration;

/// Connections to the store at once, the writer's included.
const CONNECTIONS: u32 = 8;

/// Which database holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    Sqlite,
    /// A server.
    Postgres,
}

impl Kind {
    /// How a transaction that writes begins: `SQLite` must know from the start.
    pub(super) const fn begin(self) -> &'static str {
        match self {
            Kind::Sqlite => "BEGIN IMMEDIATE",
            Kind::Postgres => "BEGIN",
        }
    }
}

/// Where a store is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) kind: Kind,
    pub(super) options: AnyConnectOptions,
    pub(super) file: Option<PathBuf>,
    pub(super) wait: Duration,
}

/// A store that was opened.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) kind: Kind,
    pub(super) pool: AnyPool,
    /// The file and what tells it from another of the same name.
    file: Option<(PathBuf, (u64, u64))>,
}

/// The file used where no database is named: `qili/qili.db` where programs keep the user's data.
pub fn default_url() -> String {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let share = || set("HOME").map(|home| home.join(".local/share"));
    let folder = set("XDG_DATA_HOME")
        .filter(|path| path.is_absolute())
        .or_else(share);
    let file = folder.unwrap_or_default().join("qili/qili.db");
    format!("sqlite:{}", file.display())
}

/// A URL as it may be shown: without a password.
pub fn shown(url: &str) -> String {
    let hidden = || {
        let (scheme, rest) = url.split_once("://")?;
        let (user, host) = rest.rsplit_once('@')?;
        let (name, _) = user.split_once(':')?;
        Some(format!("{scheme}://{name}:***@{host}"))
    };
    let shown = hidden().unwrap_or_else(|| url.to_owned());
    match shown.split_once('?') {
        Some((place, query)) if query.contains("password") => format!("{place}?***"),
        _ => shown,
    }
}

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

impl Place {
    /// Reads a URL.
    pub(super) fn of(url: &str, wait: Duration) -> Result<Self> {
        sqlx::any::install_default_drivers();
        let unread = || {
            let shown = shown(url);
            StoreError::Url(format!(
                "`{shown}` is no database: expected `sqlite:FILE` or `postgres://…`"
            ))
        };
        let (kind, file) = if let Some(rest) = url.strip_prefix("sqlite:") {
            let file = rest.strip_prefix("//").unwrap_or(rest);
            let (file, query) = file.split_once('?').unwrap_or((file, ""));
            if file.is_empty() || file == ":memory:" || query.contains("mode=memory") {
                let told = "a store in memory keeps nothing: name a file, or `none`";
                return Err(StoreError::Url(told.to_owned()));
            }
            (Kind::Sqlite, Some(PathBuf::from(file)))
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            if cfg!(not(feature = "postgres")) {
                let shown = shown(url);
                let told = format!(
                    "cannot open `{shown}`: built without the feature `postgres` \
                     (`cargo install --path . --features postgres`)"
                );
                return Err(StoreError::Url(told));
            }
            (Kind::Postgres, None)
        } else {
            return Err(unread());
        };
        let address = match &file {
            // A path may have any characters a URL has not.
            Some(file) => format!("sqlite://{}?mode=rw", escaped(&text_of(file))),
            None => url.to_owned(),
        };
        let options = AnyConnectOptions::from_str(&address).map_err(|_| unread())?;
        let options = options.disable_statement_logging();
        Ok(Self {
            kind,
            options,
            file,
            wait,
        })
    }

    /// Refuses a file that is not there, where one is only read.
    pub(super) fn must_exist(&self) -> Result {
        let missing = self.file.as_deref().filter(|file| !file.exists());
        missing.map_or(Ok(()), |file| {
            let told = format!("there is no store `{}`", file.display());
            Err(StoreError::Url(told))
        })
    }

    /// Makes the file, if there is none; nothing where a server holds the store.
    pub(super) fn prepare(&self) -> Result {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let bad = |error: std::io::Error| {
            StoreError::Url(format!(
                "cannot open the store `{}`: {error}",
                file.display()
            ))
        };
        // A file that was named may be misspelt: one new folder, not a whole way of them. On a new
        // machine nothing need be there of the way to the default file.
        let is_default = default_url().strip_prefix("sqlite:").map(Path::new) == Some(file);
        if let Some(folder) = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            && (is_default || folder.parent().is_some_and(Path::is_dir))
        {
            fs::create_dir_all(folder).map_err(bad)?;
        }
        let opened = fs::OpenOptions::new().create(true).append(true).open(file);
        opened.map(drop).map_err(bad)
    }

    /// A connection outside every pool, with its settings.
    pub(super) async fn connect(&self) -> Result<AnyConnection> {
        let mut connection = self.options.connect().await?;
        settle(&mut connection, self.kind, None).await?;
        Ok(connection)
    }

    /// Opens the store and brings its schema up to date.
    pub(super) async fn open(&self) -> Result<Link> {
        let identity = self.file.as_deref().map(identity).transpose()?;
        let mut connection = self.connect().await?;
        let migrated = migrate(&mut connection, self.kind, None).await;
        connection.close().await?;
        migrated?;
        let (kind, wait) = (self.kind, self.wait);
        let pool = AnyPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(wait)
            .idle_timeout(Duration::from_mins(10))
            .after_connect(move |connection, _| {
                Box::pin(async move { settle(connection, kind, Some(wait)).await })
            })
            .connect_lazy_with(self.options.clone());
        Ok(Link {
            kind,
            pool,
            file: self.file.clone().zip(identity),
        })
    }
}

/// The settings durability and patience need, on one connection.
async fn settle(
    connection: &mut AnyConnection,
    kind: Kind,
    wait: Option<Duration>,
) -> Result<(), sqlx::Error> {
    match kind {
        Kind::Sqlite => {
            let settings = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; \
                PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
            connection.execute(settings).await?;
        }
        Kind::Postgres => {
            connection.execute("SET synchronous_commit = on").await?;
            if let Some(wait) = wait {
                let wait = wait.as_millis().to_string();
                let set = "SELECT set_config(name, $1, false) FROM (VALUES ('statement_timeout'), \
                    ('lock_timeout'), ('idle_in_transaction_session_timeout')) AS of (name)";
                sqlx::query(set).bind(wait).execute(connection).await?;
            }
        }
    }
    Ok(())
}

fn identity(file: &Path) -> Result<(u64, u64)> {
    let found = fs::metadata(file);
    let found =
        found.map_err(|error| StoreError::Unavailable(format!("`{}`: {error}", file.display())))?;
    Ok((found.dev(), found.ino()))
}

fn escaped(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let mut text = String::new();
    for byte in path.bytes() {
        if plain(byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

impl Link {
    /// Whether the file is still the one that was opened: what is written to one that was deleted
    /// or replaced is lost.
    pub(super) fn in_place(&self) -> Result {
        let Some((file, opened)) = &self.file else {
            return Ok(());
        };
        if identity(file)? == *opened {
            return Ok(());
        }
        let told = format!("`{}` is another file than the one opened", file.display());
        Err(StoreError::Unavailable(told))
    }

    /// A connection.
    pub(super) async fn acquire(&self) -> Result<PoolConnection<Any>> {
        self.in_place()?;
        Ok(self.pool.acquire().await?)
    }
}

/// Does some work with a store on this thread.
///
/// # Errors
/// The work fails, or there is nothing it could run on.
pub fn alone<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| StoreError::Broken(error.to_string()))?;
    let mut done = Err(StoreError::Broken("nothing was done".to_owned()));
    {
        let mut work = pin!(async { done = work.await });
        // By reference, so that a runtime is compiled once and not for all work there is.
        let work: Pin<&mut dyn Future<Output = ()>> = work.as_mut();
        runtime.block_on(work);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, told) in [
            (
                "postgres://me:se:cr@et@host/db",
                "postgres://me:***@host/db",
            ),
            (
                "postgres://host/db?user=me&password=secret",
                "postgres://host/db?***",
            ),
            ("sqlite:qili.db", "sqlite:qili.db"),
        ] {
            assert_eq!(shown(url), told);
        }
    }

    #[test]
    fn only_what_can_be_opened_is_taken() {
        let wait = Duration::from_secs(1);
        for bad in [
            "",
            "qili.db",
            "mysql://host/db",
            "sqlite:",
            "sqlite::memory:",
            "postgres",
        ] {
            let error = Place::of(bad, wait).unwrap_err();
            assert!(matches!(error, StoreError::Url(_)), "{bad}: {error}");
        }
        let place = Place::of("sqlite://a 棋?.db", wait).unwrap();
        assert_eq!(place.file, Some(PathBuf::from("a 棋")));
        let bad = Place::of("mysql://me:secret@host/db", wait).unwrap_err();
        assert!(!bad.to_string().contains("secret"), "{bad}");
    }
}
