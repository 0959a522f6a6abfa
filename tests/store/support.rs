//! Stores to test on: an `SQLite` file always, and a `PostgreSQL` database of its own where
//! `QILI_TEST_POSTGRES` has the URL of a server.

#![expect(clippy::unwrap_used, reason = "test code")]
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "not every test needs all of it"
)]

use actix_web::http::header;
use actix_web::test as harness;
use qili::http::{Settings, State, app};
use qili::store::{KeyScope, NewKey};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    settings: Settings,
}

/// A perpetual check: Red loses.
pub const FEN: &str = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
pub const MOVES: [&str; 4] = ["f0e0", "e8f8", "e0f0", "f8e8"];

/// What a store on `PostgreSQL` comes to that nobody serves.
pub const UNREACHED: &str = if cfg!(feature = "postgres") {
    "cannot be used now"
} else {
    "built without the feature `postgres`"
};

/// Waits for something that takes a moment.
pub async fn soon(what: &str, mut done: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !done().await {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        actix_web::rt::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A database of a test.
pub struct Place {
    pub url: String,
    pub file: Option<PathBuf>,
    server: Option<String>,
}

/// The databases to test on, empty.
pub async fn places(name: &str) -> Vec<Place> {
    sqlx::any::install_default_drivers();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("store-{name}"));
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("qili.db");
    let mut places = vec![Place {
        url: format!("sqlite:{}", file.display()),
        file: Some(file),
        server: None,
    }];
    if let Ok(server) = std::env::var("QILI_TEST_POSTGRES") {
        let (base, _) = server.rsplit_once('/').unwrap();
        let database = format!("qili_test_{}", name.replace('-', "_"));
        on(
            &server,
            &format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"),
        )
        .await;
        on(&server, &format!("CREATE DATABASE {database}")).await;
        places.push(Place {
            url: format!("{base}/{database}"),
            file: None,
            server: Some(server),
        });
    }
    places
}

/// Runs a statement on a database.
pub async fn on(url: &str, statement: &str) {
    let mut connection = sqlx::AnyConnection::connect(url).await.unwrap();
    let done = connection
        .execute(sqlx::raw_sql(AssertSqlSafe(statement.to_owned())))
        .await;
    done.map_err(|error| format!("{statement}: {error}"))
        .unwrap();
    connection.close().await.ok();
}

/// A number a statement asks for.
pub async fn count(url: &str, statement: &str) -> i64 {
    let mut connection = sqlx::AnyConnection::connect(url).await.unwrap();
    let asked = sqlx::query_scalar(AssertSqlSafe(statement.to_owned()));
    let found = asked.fetch_one(&mut connection).await.unwrap();
    connection.close().await.ok();
    found
}

impl Place {
    /// One that is not made.
    pub fn at(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            file: None,
            server: None,
        }
    }

    pub fn flag(&self) -> String {
        format!("--database={}", self.url)
    }

    /// Keeps everybody else from writing to a table, for as long as the connection is there.
    pub async fn hold(&self, table: &str) -> sqlx::AnyConnection {
        let hold = match self.file {
            Some(_) => "BEGIN IMMEDIATE".to_owned(),
            None => format!("BEGIN; LOCK TABLE {table} IN EXCLUSIVE MODE"),
        };
        let mut connection = sqlx::AnyConnection::connect(&self.url).await.unwrap();
        let begun = connection.execute(sqlx::raw_sql(AssertSqlSafe(hold))).await;
        begun.unwrap();
        connection
    }

    /// Takes the store away under the feet of whoever uses it.
    pub async fn take_away(&self) {
        match (&self.file, &self.server) {
            (Some(file), _) => std::fs::rename(file, file.with_extension("away")).unwrap(),
            (None, Some(server)) => {
                let name = self.url.rsplit_once('/').unwrap().1;
                on(
                    server,
                    &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"),
                )
                .await;
                let end = format!(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                );
                on(server, &end).await;
            }
            (None, None) => {}
        }
    }

    /// Puts it back.
    pub async fn put_back(&self) {
        match (&self.file, &self.server) {
            (Some(file), _) => std::fs::rename(file.with_extension("away"), file).unwrap(),
            (None, Some(server)) => {
                let name = self.url.rsplit_once('/').unwrap().1;
                on(
                    server,
                    &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"),
                )
                .await;
            }
            (None, None) => {}
        }
    }
}

/// A service.
pub fn state(flags: &[&str]) -> Arc<State> {
    let flags = ["qili"].iter().chain(flags);
    Arc::new(State::new(<Flags as clap::Parser>::parse_from(flags).settings).unwrap())
}

/// An answer taken apart.
pub struct Answer {
    pub status: u16,
    pub headers: header::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .map_err(|error| format!("{error}: {}", self.text))
            .unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    pub fn number(&self) -> String {
        assert_eq!(self.status, 200, "{}", self.text);
        let number = self.header("qili-ruling-number");
        assert_eq!(
            self.header("location"),
            format!("/v1/rulings/{number}"),
            "{}",
            self.text
        );
        number.to_owned()
    }
}

/// Asks a service.
pub async fn ask(state: &Arc<State>, request: harness::TestRequest) -> Answer {
    let service = harness::init_service(app(Arc::clone(state))).await;
    let peer = "192.0.2.7:4000".parse().unwrap();
    let response = harness::call_service(&service, request.peer_addr(peer).to_request()).await;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = harness::read_body(response).await;
    Answer {
        status,
        headers,
        text: String::from_utf8(body.to_vec()).unwrap(),
    }
}

/// Makes a key as the command does.
pub async fn key(state: &Arc<State>, name: &str, scopes: &[KeyScope]) -> String {
    let new = NewKey {
        name: name.to_owned(),
        scopes: scopes.to_vec(),
        records: false,
    };
    state.store.as_ref().unwrap().add_key(new).await.unwrap().1
}

pub fn get(path: &str) -> harness::TestRequest {
    harness::TestRequest::get().uri(path)
}

pub fn post(path: &str, body: &Value) -> harness::TestRequest {
    harness::TestRequest::post()
        .uri(path)
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .set_payload(body.to_string())
}
