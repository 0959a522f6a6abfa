//! Backups: everything that is kept, as it stood at one moment, in one file of either kind of
//! store, and from it into either.
//!
//! The file is gzip over lines of JSON: a head with the schema and the columns of every table, a
//! line for each row, and at the end the count of rows and the SHA-256 of all lines before.

use super::error::{Result, StoreError};
use super::link::{Kind, Place, alone};
use super::moment::Moment;
use super::schema::{SCHEMA, migrate};
use super::sql::{places, value};
use crate::durable::keep_name;
use crate::version::BUILD;
use crate::written::hex;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::{Any, AnyConnection, AssertSqlSafe, Connection as _, Transaction};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

/// The version of the format.
const FORMAT: u32 = 1;
/// Rows of one statement.
const STRIDE: usize = 32;
/// Bytes a line may have.
const LONGEST: u64 = 256 << 20;

/// A table: its name, its columns of text, those of numbers, and the order in which its rows can
/// be put in.
struct Table {
    name: &'static str,
    columns: &'static [(&'static str, bool)],
    order: &'static str,
}

const TEXT: bool = false;
const NUMBER: bool = true;

/// Tables: the name of each, the order of its rows, and its columns.
macro_rules! tables {
    ($($name:ident by $order:literal: $($kind:ident $column:ident),+;)+) => {
        &[$(Table {
            name: stringify!($name),
            columns: &[$((stringify!($column), $kind)),+],
            order: $order,
        }),+]
    };
}

/// Every table, those others rest on first.
const TABLES: &[Table] = tables! {
    books by "digest": TEXT digest, TEXT id, TEXT version, TEXT text;
    // A ruling can only take the place of one with a smaller number.
    rulings by "number": TEXT number, NUMBER recorded_at, TEXT caller, TEXT rules_id,
        TEXT rules_digest, TEXT engine, TEXT outcome, TEXT side, TEXT event, TEXT details,
        TEXT supersedes, NUMBER latency_us, TEXT idempotency_key, TEXT body_digest, TEXT request,
        TEXT ruling;
    refusals by "number": TEXT number, NUMBER refused_at, TEXT caller, TEXT route, NUMBER status,
        TEXT code, TEXT detail, TEXT request;
    keys by "id": TEXT id, TEXT name, TEXT hash, TEXT scopes, NUMBER records, NUMBER created_at,
        NUMBER revoked_at;
    cases by "id": TEXT id, NUMBER revision, NUMBER retired;
    case_revisions by "id, revision": TEXT id, NUMBER revision, NUMBER changed_at, TEXT caller,
        TEXT note, NUMBER retired, TEXT ruling, TEXT content;
    drafts by "id": TEXT id, NUMBER version;
    draft_versions by "id, version": TEXT id, NUMBER version, NUMBER changed_at, TEXT caller,
        TEXT title, TEXT status, TEXT digest, TEXT amendment;
    draft_notes by "id, number": TEXT id, TEXT number, NUMBER written_at, TEXT caller,
        NUMBER version, TEXT text;
    draft_reports by "id, number": TEXT id, TEXT number, NUMBER made_at, TEXT caller,
        NUMBER version, TEXT engine, TEXT summary, TEXT report;
};

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    qili_backup: u32,
    schema: i64,
    engine: String,
    made_at: String,
    tables: Vec<Columns>,
}

/// The columns of a table, in the order of the values of its rows.
#[derive(Serialize, Deserialize)]
struct Columns {
    name: String,
    columns: Vec<String>,
}

/// A row: the place of its table in the head, and its values.
#[derive(Serialize, Deserialize)]
struct Row(usize, Vec<Value>);

/// The last line.
#[derive(Serialize, Deserialize)]
struct Tail {
    rows: u64,
    sha256: String,
}

/// What a backup has, or what was restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Backup {
    /// Rows of all tables.
    pub rows: u64,
    /// Rulings among them.
    pub rulings: u64,
    /// The checksum.
    pub sha256: String,
    /// When it was made.
    pub made_at: String,
}

fn file_fault(path: &Path) -> impl Fn(std::io::Error) -> StoreError {
    let path = path.display().to_string();
    move |error| StoreError::File(format!("`{path}`: {error}"))
}

fn damaged(path: &Path, what: &str) -> StoreError {
    StoreError::File(format!("`{}` is no whole backup: {what}", path.display()))
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Broken(error.to_string()))
}

/// Lines on their way into the file.
struct Lines {
    out: GzEncoder<BufWriter<File>>,
    digest: Sha256,
}

impl Lines {
    fn put(&mut self, line: &str) -> std::io::Result<()> {
        for part in [line.as_bytes(), b"\n"] {
            self.digest.update(part);
            self.out.write_all(part)?;
        }
        Ok(())
    }
}

/// Writes everything a store holds at this moment into a new file; the store may be in use.
///
/// # Errors
/// There is such a file, it cannot be written, or the store cannot be read.
pub fn backup(url: &str, path: &Path) -> Result<Backup> {
    let place = Place::of(url, Duration::from_secs(30))?;
    place.must_exist()?;
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let fault = file_fault(path);
    if path.exists() {
        return Err(StoreError::File(format!(
            "`{}` exists already",
            path.display()
        )));
    }
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(part)
        .map_err(&fault)?;
    let lines = Lines {
        out: GzEncoder::new(BufWriter::new(file), Compression::default()),
        digest: Sha256::new(),
    };
    let written = alone(write(&place, lines, &fault));
    let renamed =
        written.and_then(|written| fs::rename(part, path).map(|()| written).map_err(&fault));
    if renamed.is_err() {
        fs::remove_file(part).ok();
    }
    keep_name(path);
    renamed
}

async fn write(
    place: &Place,
    mut lines: Lines,
    fault: &impl Fn(std::io::Error) -> StoreError,
) -> Result<Backup> {
    let mut connection = place.connect().await?;
    let schema: i64 = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut connection)
        .await?;
    if schema > SCHEMA {
        return Err(StoreError::Newer {
            found: schema,
            known: SCHEMA,
        });
    }
    migrate(&mut connection, place.kind, None).await?;
    // One view of everything, whatever is written meanwhile.
    let begin = match place.kind {
        Kind::Sqlite => "BEGIN",
        Kind::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    };
    let mut view = connection.begin_with(begin).await?;
    let head = Head {
        qili_backup: FORMAT,
        schema: SCHEMA,
        engine: BUILD.to_owned(),
        made_at: Moment::now().to_string(),
        tables: TABLES
            .iter()
            .map(|table| Columns {
                name: table.name.to_owned(),
                columns: table
                    .columns
                    .iter()
                    .map(|(column, _)| (*column).to_owned())
                    .collect(),
            })
            .collect(),
    };
    lines.put(&json(&head)?).map_err(fault)?;
    let (mut rows, mut rulings) = (0, 0);
    for (place, table) in TABLES.iter().enumerate() {
        let columns: Vec<&str> = table.columns.iter().map(|(column, _)| *column).collect();
        let ask = format!(
            "SELECT {} FROM {} ORDER BY {}",
            columns.join(", "),
            table.name,
            table.order
        );
        let mut found = sqlx::query(AssertSqlSafe(ask)).fetch(&mut *view);
        while let Some(row) = found.next().await {
            let row = row?;
            let mut values = Vec::with_capacity(columns.len());
            for (index, (_, is_number)) in table.columns.iter().enumerate() {
                values.push(if *is_number {
                    value::<Option<i64>, _>(&row, index)?.into()
                } else {
                    value::<Option<String>, _>(&row, index)?.into()
                });
            }
            lines.put(&json(&Row(place, values))?).map_err(fault)?;
            rows += 1;
            rulings += u64::from(table.name == "rulings");
        }
    }
    view.rollback().await?;
    let sha256 = hex(&lines.digest.clone().finalize());
    let tail = Tail {
        rows,
        sha256: sha256.clone(),
    };
    lines.put(&json(&tail)?).map_err(fault)?;
    let mut out = lines.out.finish().map_err(fault)?;
    out.flush().map_err(fault)?;
    out.get_ref().sync_all().map_err(fault)?;
    Ok(Backup {
        rows,
        rulings,
        sha256,
        made_at: head.made_at,
    })
}

/// The lines of a backup, one after the other.
struct Reader<'a> {
    path: &'a Path,
    from: BufReader<MultiGzDecoder<BufReader<File>>>,
    line: String,
}

impl<'a> Reader<'a> {
    fn open(path: &'a Path) -> Result<Self> {
        let file = File::open(path).map_err(file_fault(path))?;
        Ok(Self {
            path,
            from: BufReader::new(MultiGzDecoder::new(BufReader::new(file))),
            line: String::new(),
        })
    }

    fn next(&mut self) -> Result<Option<&str>> {
        self.line.clear();
        let read = (&mut self.from).take(LONGEST).read_line(&mut self.line);
        let read = read.map_err(|error| damaged(self.path, &error.to_string()))?;
        if read > 0 && !self.line.ends_with('\n') {
            return Err(damaged(self.path, "it breaks off"));
        }
        Ok((read > 0).then_some(self.line.as_str()))
    }

    fn head(&mut self) -> Result<Head> {
        let path = self.path;
        let line = self.next()?.ok_or_else(|| damaged(path, "it is empty"))?;
        let head: Head =
            serde_json::from_str(line).map_err(|_| damaged(path, "it does not begin as one"))?;
        if head.qili_backup > FORMAT || head.schema > SCHEMA {
            return Err(StoreError::Newer {
                found: head.schema,
                known: SCHEMA,
            });
        }
        let plain = |name: &String| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        };
        let names = head
            .tables
            .iter()
            .flat_map(|table| table.columns.iter().chain([&table.name]));
        if !names.into_iter().all(plain) || head.tables.iter().any(|table| table.columns.is_empty())
        {
            return Err(damaged(path, "its tables have no names"));
        }
        Ok(head)
    }
}

/// Reads a whole backup and checks that it is one.
///
/// # Errors
/// It cannot be read, or is damaged.
pub fn verify(path: &Path) -> Result<Backup> {
    let made_at = Reader::open(path)?.head()?;
    let rulings_at = made_at
        .tables
        .iter()
        .position(|table| table.name == "rulings");
    let mut reader = Reader::open(path)?;
    let mut digest = Sha256::new();
    let (mut lines, mut rulings): (u64, u64) = (0, 0);
    let mut last = String::new();
    while let Some(line) = reader.next()? {
        if lines > 0 {
            digest.update(last.as_bytes());
        }
        lines += 1;
        let ruling = rulings_at.is_some_and(|at| line.starts_with(&format!("[{at},")));
        rulings += u64::from(ruling);
        line.clone_into(&mut last);
    }
    let tail: Tail =
        serde_json::from_str(&last).map_err(|_| damaged(path, "its end is missing"))?;
    if hex(&digest.finalize()) != tail.sha256 || tail.rows.checked_add(2) != Some(lines) {
        return Err(damaged(path, "its checksum is another"));
    }
    Ok(Backup {
        rows: tail.rows,
        rulings,
        sha256: tail.sha256,
        made_at: made_at.made_at,
    })
}

/// Puts everything a backup has into an empty store, all or nothing.
///
/// # Errors
/// The backup is damaged, the store is not empty, or cannot be written.
pub fn restore(path: &Path, url: &str) -> Result<Backup> {
    let found = verify(path)?;
    let place = Place::of(url, Duration::from_secs(30))?;
    place.prepare()?;
    alone(put_back(path, &place, &found))?;
    Ok(found)
}

async fn put_back(path: &Path, place: &Place, found: &Backup) -> Result {
    let mut reader = Reader::open(path)?;
    let head = reader.head()?;
    let mut connection = place.connect().await?;
    own(&mut connection, place.kind).await?;
    // Rows go into the tables as they were, and are brought up to date with them.
    migrate(&mut connection, place.kind, Some(head.schema)).await?;
    let mut work = connection.begin_with(place.kind.begin()).await?;
    for table in &head.tables {
        let ask = format!("SELECT count(*) FROM {}", table.name);
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(ask))
            .fetch_one(&mut *work)
            .await?;
        if count > 0 {
            return Err(StoreError::File(
                "the store is not empty: restore into a new one".to_owned(),
            ));
        }
    }
    let mut left = found.rows;
    // What a ruling takes the place of may come after it, where clocks differed.
    let mut links: Vec<[Value; 2]> = Vec::new();
    let (mut at, mut rows): (usize, Vec<Vec<Value>>) = (0, Vec::new());
    while left > 0 {
        let line = reader
            .next()?
            .ok_or_else(|| damaged(path, "rows are missing"))?;
        let Row(table, mut values) =
            serde_json::from_str(line).map_err(|_| damaged(path, "a row cannot be read"))?;
        let own = head.tables.get(table);
        let own = own.filter(|own| own.columns.len() == values.len());
        let own = own.ok_or_else(|| damaged(path, "a row is of no table"))?;
        if table != at || rows.len() == STRIDE {
            insert(&mut work, head.tables.get(at), &mut rows).await?;
            at = table;
        }
        if own.name == "rulings" {
            links.extend(supersedes(own, &mut values));
        }
        rows.push(values);
        left -= 1;
    }
    insert(&mut work, head.tables.get(at), &mut rows).await?;
    for [number, older] in links {
        let put = sqlx::query("UPDATE rulings SET supersedes = $2 WHERE number = $1");
        let put = put.bind(number.as_str().map(str::to_owned));
        put.bind(older.as_str().map(str::to_owned))
            .execute(&mut *work)
            .await?;
    }
    work.commit().await?;
    migrate(&mut connection, place.kind, None).await?;
    end(connection, place.kind).await
}

/// Refuses a file that holds something else.
pub(super) async fn own(connection: &mut AnyConnection, kind: Kind) -> Result {
    if kind != Kind::Sqlite {
        return Ok(());
    }
    let ask = "SELECT count(*), coalesce(sum(name = '_sqlx_migrations'), 0) FROM sqlite_master \
        WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'";
    let row = sqlx::query(ask).fetch_one(connection).await?;
    let (tables, own): (i64, i64) = (value(&row, 0)?, value(&row, 1)?);
    if tables == 0 || own > 0 {
        return Ok(());
    }
    Err(StoreError::Foreign(format!(
        "the file has {tables} tables of another program"
    )))
}

async fn end(mut connection: AnyConnection, kind: Kind) -> Result {
    if kind == Kind::Sqlite {
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&mut connection)
            .await?;
    }
    Ok(connection.close().await?)
}

/// A ruling's number and that of the one it takes the place of, which is taken out of its row.
fn supersedes(table: &Columns, values: &mut [Value]) -> Option<[Value; 2]> {
    let place = |name: &str| table.columns.iter().position(|column| column == name);
    let number = values.get(place("number")?)?.clone();
    let older = values.get_mut(place("supersedes")?)?.take();
    (!older.is_null()).then_some([number, older])
}

async fn insert(
    work: &mut Transaction<'_, Any>,
    table: Option<&Columns>,
    rows: &mut Vec<Vec<Value>>,
) -> Result {
    let Some(table) = table.filter(|_| !rows.is_empty()) else {
        return Ok(());
    };
    let (name, columns) = (&table.name, table.columns.join(", "));
    let places = places(rows.len(), table.columns.len());
    let text = format!("INSERT INTO {name} ({columns}) VALUES {places}");
    let numbers = TABLES
        .iter()
        .find(|known| known.name == name)
        .map_or(&[][..], |known| known.columns);
    let mut put = sqlx::query(AssertSqlSafe(text));
    for row in rows.drain(..) {
        let mut values = row.into_iter();
        for column in &table.columns {
            let number = numbers
                .iter()
                .any(|(known, is_number)| known == column && *is_number);
            let value = values.next().unwrap_or_default();
            put = if number {
                put.bind(value.as_i64())
            } else {
                put.bind(value.as_str().map(str::to_owned))
            };
        }
    }
    put.execute(&mut **work).await?;
    Ok(())
}
