//! What an operator can set, by flags or by the environment.

use crate::calls::MOST_POSITIONS;
use crate::language::{Text, both};
use crate::store::{default_url, shown};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

/// The settings of the service.
#[derive(Clone, Debug, Args, Serialize)]
pub struct Settings {
    /// The address to listen on
    #[arg(
        long,
        env = "QILI_BIND",
        value_name = "ADDR",
        default_value = "127.0.0.1:8080"
    )]
    pub bind: SocketAddr,
    /// Names this service goes by besides its address, or `*`: requests for others are refused
    #[arg(long, env = "QILI_HOST", value_name = "NAME", value_delimiter = ',')]
    pub host: Vec<String>,
    /// Let anybody in who reaches the address, with no key in force: said besides an address beyond
    /// this machine's own, which is refused without it
    #[arg(long, env = "QILI_OPEN")]
    pub open: bool,
    /// Where to keep things: `sqlite:FILE`, `postgres://…`, or `none`
    /// [default: an `SQLite` file where programs keep the user's data]
    #[arg(
        long,
        env = "QILI_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(
        serialize_with = "without_password",
        skip_serializing_if = "Option::is_none"
    )]
    pub database: Option<String>,
    /// How long anyone waits for the store, in milliseconds
    #[arg(
        long,
        env = "QILI_STORE_WAIT_MS",
        value_name = "MS",
        default_value_t = 5000
    )]
    pub store_wait_ms: u64,
    /// Threads that serve connections [default: one for each core]
    #[arg(long, env = "QILI_WORKERS", value_name = "N", default_value_t = cores(), hide_default_value = true)]
    pub workers: usize,
    /// Rulings worked on at once [default: one for each core]
    #[arg(long, env = "QILI_RULINGS", value_name = "N", default_value_t = cores(), hide_default_value = true)]
    pub rulings: usize,
    /// Requests that may wait for a ruling
    #[arg(long, env = "QILI_QUEUE", value_name = "N", default_value_t = 256)]
    pub queue: usize,
    /// How long one may wait, in milliseconds
    #[arg(
        long,
        env = "QILI_QUEUE_WAIT_MS",
        value_name = "MS",
        default_value_t = 2000
    )]
    pub queue_wait_ms: u64,
    /// Batches answered at once
    #[arg(long, env = "QILI_BATCHES", value_name = "N", default_value_t = 16)]
    pub batches: usize,
    /// Batches answered at once for one key or peer [default: a quarter of all]
    #[arg(long, env = "QILI_BATCHES_EACH", value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batches_each: Option<usize>,
    /// How long a request, or a line of a batch, may take in all, in milliseconds: one that takes longer
    /// gets 503
    #[arg(
        long,
        env = "QILI_DEADLINE_MS",
        value_name = "MS",
        default_value_t = 30_000
    )]
    pub deadline_ms: u64,
    /// The largest body, and the longest line of a batch, in bytes
    #[arg(long, env = "QILI_MAX_BODY", value_name = "BYTES", default_value_t = 1 << 20)]
    pub max_body: usize,
    /// How long a body, or the next piece of a batch, may take to arrive, in milliseconds
    #[arg(
        long,
        env = "QILI_BODY_WAIT_MS",
        value_name = "MS",
        default_value_t = 15_000
    )]
    pub body_wait_ms: u64,
    /// How long nobody may read an answer, or no more than a trickle of it, in milliseconds
    #[arg(
        long,
        env = "QILI_WRITE_WAIT_MS",
        value_name = "MS",
        default_value_t = 30_000
    )]
    pub write_wait_ms: u64,
    /// Connections at once, as far as the files one may open allow: beyond them idle ones are closed
    #[arg(
        long,
        env = "QILI_CONNECTIONS",
        value_name = "N",
        default_value_t = 16_384
    )]
    pub connections: usize,
    /// Moves a game of one request may have
    #[arg(long, env = "QILI_MAX_MOVES", value_name = "N", default_value_t = 2000)]
    pub max_moves: usize,
    /// The highest `budget` a request may ask for: positions one ruling may expand
    #[arg(
        long,
        env = "QILI_MAX_BUDGET",
        value_name = "POSITIONS",
        default_value_t = 1_000_000
    )]
    pub max_budget: u32,
    /// Positions that all rulings on one game may expand together, in an audit and in continuations
    #[arg(
        long,
        env = "QILI_MAX_POSITIONS",
        value_name = "POSITIONS",
        default_value_t = MOST_POSITIONS
    )]
    pub max_positions: u64,
    /// What rulings that are remembered may take up, in bytes; 0 remembers none
    #[arg(long, env = "QILI_CACHE", value_name = "BYTES", default_value_t = 64 << 20)]
    pub cache: u64,
    /// Requests a second for each key or peer; 0: as many as they like
    #[arg(long, env = "QILI_RATE", value_name = "N", default_value_t = 0)]
    pub rate: u32,
    /// Requests a key or peer may make at once [default: ten seconds' worth]
    #[arg(long, env = "QILI_BURST", value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<u32>,
    /// Lines of batches a second for each key or peer, ten seconds' worth at once; 0: as many as they like
    #[arg(long, env = "QILI_RATE_LINES", value_name = "N", default_value_t = 0)]
    pub rate_lines: u64,
    /// Positions expanded a second for each key or peer, ten seconds' worth at once; 0: as many as they
    /// like
    #[arg(
        long,
        env = "QILI_RATE_POSITIONS",
        value_name = "N",
        default_value_t = 0
    )]
    pub rate_positions: u64,
    /// Take the peer from the last `X-Forwarded-For`: only behind a proxy that sets it
    #[arg(long, env = "QILI_BEHIND_PROXY")]
    pub behind_proxy: bool,
    /// A file of API keys: on each line the SHA-256 of a key, its scopes, and a name
    #[arg(long, env = "QILI_KEYS", value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<PathBuf>,
    /// The judge as a WebAssembly module (`qili.wasm`): the page then rules by itself, and with no network
    #[arg(long, env = "QILI_JUDGE", value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<PathBuf>,
    /// Origins whose pages may use the service, or `*`
    #[arg(long, env = "QILI_CORS", value_name = "ORIGIN", value_delimiter = ',', value_parser = origin)]
    pub cors: Vec<String>,
    /// What to log: `off`, `warn`, `info`, or by module: `info,qili::http=debug`
    #[arg(
        long,
        env = "QILI_LOG",
        value_name = "FILTER",
        default_value = "info,actix_server=warn"
    )]
    pub log: String,
    /// The OTLP collector that spans are sent to, over HTTP: `http://localhost:4318`
    /// [default: `OTEL_EXPORTER_OTLP_ENDPOINT`, or none]
    #[arg(
        long,
        env = "QILI_OTLP_ENDPOINT",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(
        serialize_with = "without_password",
        skip_serializing_if = "Option::is_none"
    )]
    pub otlp_endpoint: Option<String>,
    /// How long to go on at the end while `/readyz` says so, for whoever sends requests here to notice,
    /// in milliseconds
    #[arg(long, env = "QILI_DRAIN_MS", value_name = "MS", default_value_t = 1000)]
    pub drain_ms: u64,
    /// How long running requests may take to finish after that, in seconds
    #[arg(long, env = "QILI_GRACE", value_name = "SECONDS", default_value_t = 30)]
    pub grace: u64,
    /// Also serve what the load script compares with
    #[arg(long, env = "QILI_YARDSTICKS", hide = true)]
    pub yardsticks: bool,
}

/// Why a service could not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartError(pub(in crate::http) Text);

impl StartError {
    /// The error in both languages.
    pub const fn text(&self) -> &Text {
        &self.0
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl std::error::Error for StartError {}

/// The port that browsers leave out, as it stands behind a host.
pub fn usual_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" => Some(":80"),
        "https" => Some(":443"),
        _ => None,
    }
}

/// An origin as browsers send it: in small letters, with no slash behind it and no port that goes without saying.
fn origin(text: &str) -> Result<String, String> {
    let text = text.trim().to_ascii_lowercase();
    if text.is_empty() || text == "*" || text == "null" {
        return Ok(text);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let named = text.split_once("://").and_then(|(scheme, host)| {
        let host = host.strip_suffix('/').unwrap_or(host);
        let usual = usual_port(scheme).unwrap_or_default();
        let host = host.strip_suffix(usual).unwrap_or(host);
        let is_host = |c: char| !matches!(c, '/' | '*' | '?' | '#' | '@') && !c.is_whitespace();
        let is_one = !scheme.is_empty() && scheme.chars().all(plain);
        (is_one && !host.is_empty() && host.chars().all(is_host))
            .then(|| format!("{scheme}://{host}"))
    });
    let told = "an origin is a scheme and a host, `https://club.example`, or `*` for all";
    named.ok_or_else(|| told.to_owned())
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

#[expect(clippy::ref_option, reason = "serde passes it so")]
fn without_password<S: serde::Serializer>(url: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
    url.as_deref().map(shown).serialize(to)
}

impl Settings {
    /// With what stands in the environment under names that are not this program's own.
    #[must_use]
    pub fn with_common_environment(mut self) -> Self {
        let common = || std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok();
        self.otlp_endpoint = self.otlp_endpoint.or_else(common);
        self.otlp_endpoint.take_if(|endpoint| endpoint.is_empty());
        self
    }

    /// With a store, where none is named.
    #[must_use]
    pub fn with_store(mut self) -> Self {
        self.database.get_or_insert_with(default_url);
        self
    }

    /// How long a request, or a line of a batch, may take in all.
    pub const fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms)
    }

    /// Whether nobody needs a key as long as there is none: on this machine alone, or where the
    /// operator says so.
    pub const fn may_be_open(&self) -> bool {
        self.open || self.bind.ip().is_loopback()
    }

    /// Refuses an address that others reach where nobody needs a key: no file has any, and the store is
    /// known to be `keyless`.
    pub fn refuse_to_be_open(&self, keyless: bool) -> Result<(), StartError> {
        if self.may_be_open() || self.keys.is_some() || !keyless {
            return Ok(());
        }
        let bind = self.bind;
        Err(StartError(both!(
            "anybody who reaches {bind} could do anything here: make a key first (`qili keys add --scopes admin NAME`), \
                 or say --open as well",
            "凡能连到{bind}者都可为所欲为：请先建一个密钥（`qili keys add --scopes admin 名称`），或另加 --open"
        )))
    }

    /// The settings as TOML, passwords left out.
    pub fn shown(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}
