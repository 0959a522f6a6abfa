//! Archives in Parquet, as distributed engines keep them.
//!
//! Read are the columns `moves` (a text, the moves with blanks between them, or a list of texts),
//! `id` (a text or a whole number) and `fen` (a text; the opening where it is null); the last two
//! may be missing. Every row is a game. Written are the columns of [`schema`].

use super::checkpoint::Checkpoint;
use super::input::{Entry, Record};
use super::judge::{Found, SideOf};
use super::row::{Rejection, Row};
use super::run::{Form, Keep};
use crate::board::Side;
use crate::wire::{Kind, Request};
use crate::written::plain;
use arrow_array::builder::{Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

/// Rows are decoded so many at a time.
const DECODED: usize = 512;
/// Rows of one group of the output.
const GROUP: usize = 1 << 17;

/// A game as it stands in columns.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    id: Value,
    fen: Option<String>,
    moves: Vec<String>,
}

/// The games of a file.
pub(super) struct Rows {
    reader: ParquetRecordBatchReader,
    waiting: VecDeque<GameRow>,
    number: u64,
    total: u64,
    length: u64,
    bytes: Arc<AtomicU64>,
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

impl GameRow {
    /// The game as a request.
    pub(super) fn request(&self) -> Request {
        let mut request = Request::cycle("", self.moves.clone());
        request.fen.clone_from(&self.fen);
        request.id = Some(self.id.clone());
        request.kind = Kind::Game;
        request
    }

    pub(super) fn size(&self) -> usize {
        32 + 8 * self.moves.len()
    }
}

impl Rows {
    /// Opens a file behind so many rows.
    pub(super) fn open(file: File, skip: u64, bytes: Arc<AtomicU64>) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(other)?;
        let schema = Arc::clone(builder.schema());
        if schema.field_with_name("moves").is_err() {
            let names: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
            return Err(other(format!(
                "there is no column `moves`, only {}",
                names.join(", ")
            )));
        }
        for field in schema.fields() {
            readable(field)?;
        }
        let total = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let wanted = schema.fields().iter().enumerate();
        let wanted = wanted.filter(|(_, f)| ["id", "fen", "moves"].contains(&f.name().as_str()));
        let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.map(|(at, _)| at));
        let reader = builder
            .with_projection(mask)
            .with_batch_size(DECODED)
            .with_offset(usize::try_from(skip).unwrap_or(usize::MAX))
            .build()
            .map_err(other)?;
        Ok(Self {
            reader,
            waiting: VecDeque::new(),
            number: skip,
            total,
            length,
            bytes,
        })
    }

    /// The next game.
    pub(super) fn next_record(&mut self, file: &Arc<str>) -> io::Result<Option<Record>> {
        while self.waiting.is_empty() {
            let Some(batch) = self.reader.next() else {
                return Ok(None);
            };
            let batch = batch.map_err(other)?;
            let share = self.length.saturating_mul(batch.num_rows() as u64) / self.total.max(1);
            self.bytes.fetch_add(share, Ordering::Relaxed);
            self.waiting = games(&batch)?;
        }
        let row = self.waiting.pop_front();
        self.number += u64::from(row.is_some());
        Ok(row.map(|row| Record {
            file: Arc::clone(file),
            number: self.number,
            line: 0,
            found: false,
            entry: Entry::Row(row),
        }))
    }
}

/// Whether a column has a type that is read.
fn readable(field: &Field) -> io::Result<()> {
    let text = |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::LargeUtf8);
    let kind = field.data_type();
    let (good, expected) = match field.name().as_str() {
        "id" => (
            text(kind) || matches!(kind, DataType::Int32 | DataType::Int64),
            "a text or a whole number",
        ),
        "fen" => (text(kind), "a text"),
        "moves" => {
            let list = if let DataType::List(inner) | DataType::LargeList(inner) = kind {
                text(inner.data_type())
            } else {
                text(kind)
            };
            (list, "a text or a list of texts")
        }
        _ => (true, ""),
    };
    if good {
        Ok(())
    } else {
        let name = field.name();
        Err(other(format!(
            "the column `{name}` is {kind}: expected {expected}"
        )))
    }
}

/// A text of a column.
fn text(column: &ArrayRef, row: usize) -> Option<String> {
    if column.is_null(row) {
        return None;
    }
    if let Some(texts) = column.as_string_opt::<i32>() {
        return Some(texts.value(row).to_owned());
    }
    column
        .as_string_opt::<i64>()
        .map(|texts| texts.value(row).to_owned())
}

fn moves(column: &ArrayRef, row: usize) -> Vec<String> {
    let list = if let Some(lists) = column.as_list_opt::<i32>() {
        (!lists.is_null(row)).then(|| lists.value(row))
    } else if let Some(lists) = column.as_list_opt::<i64>() {
        (!lists.is_null(row)).then(|| lists.value(row))
    } else {
        let line = text(column, row).unwrap_or_default();
        return line.split_whitespace().map(str::to_owned).collect();
    };
    let list = list.iter();
    list.flat_map(|texts| (0..texts.len()).map(|at| text(texts, at).unwrap_or_default()))
        .collect()
}

fn id(column: &ArrayRef, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    if let Some(numbers) = column.as_primitive_opt::<Int64Type>() {
        return numbers.value(row).into();
    }
    if let Some(numbers) = column.as_primitive_opt::<Int32Type>() {
        return numbers.value(row).into();
    }
    text(column, row).map_or(Value::Null, Value::String)
}

fn games(batch: &RecordBatch) -> io::Result<VecDeque<GameRow>> {
    let Some(lines) = batch.column_by_name("moves") else {
        return Err(other("there is no column `moves`"));
    };
    let (ids, fens) = (batch.column_by_name("id"), batch.column_by_name("fen"));
    let row = |row| GameRow {
        id: ids.map_or(Value::Null, |ids| id(ids, row)),
        fen: fens.and_then(|fens| text(fens, row)),
        moves: moves(lines, row),
    };
    Ok((0..batch.num_rows()).map(row).collect())
}

fn texts() -> DataType {
    DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)))
}

static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let (text, number, long) = (DataType::Utf8, DataType::Int32, DataType::Int64);
    let columns = [
        ("id", text.clone()),
        ("ply", number.clone()),
        ("start_ply", number.clone()),
        ("period", number.clone()),
        ("rounds", number.clone()),
        ("occurrences", number),
        ("fen", text.clone()),
        ("moves", texts()),
        ("natures", texts()),
        ("red_pattern", text.clone()),
        ("red_standing", text.clone()),
        ("black_pattern", text.clone()),
        ("black_standing", text.clone()),
        ("outcome", text.clone()),
        ("side", text.clone()),
        ("clauses", texts()),
        ("rules", text.clone()),
        ("version", text.clone()),
        ("digest", text.clone()),
        ("spent", long.clone()),
        ("error_code", text.clone()),
        ("error_detail", text.clone()),
        ("file", text.clone()),
        ("record", long.clone()),
        ("line", long),
        ("red", text.clone()),
        ("black", text.clone()),
        ("event", text.clone()),
        ("date", text.clone()),
        ("result", text),
    ];
    let fields = columns.map(|(name, kind)| Field::new(name, kind, true));
    Arc::new(Schema::new(fields.to_vec()))
});

/// The columns written: a row for each pending position, as in NDJSON; of a rejected game one with
/// `error_code`, and null where it says nothing. A text that is no text (an id that is a number)
/// is written as it would be in JSON.
pub fn schema() -> Arc<Schema> {
    Arc::clone(&SCHEMA)
}

/// Columns being filled, in the order of the schema.
#[derive(Default)]
struct Columns {
    texts: Vec<(&'static str, StringBuilder)>,
    numbers: Vec<(&'static str, Int32Builder)>,
    longs: Vec<(&'static str, Int64Builder)>,
    lists: Vec<(&'static str, ListBuilder<StringBuilder>)>,
}

/// The builder of a column, made when it is first asked for.
fn column<'a, B: Default>(
    columns: &'a mut Vec<(&'static str, B)>,
    name: &'static str,
) -> Option<&'a mut B> {
    let at = columns
        .iter()
        .position(|(known, _)| *known == name)
        .unwrap_or_else(|| {
            columns.push((name, B::default()));
            columns.len() - 1
        });
    columns.get_mut(at).map(|(_, builder)| builder)
}

impl Columns {
    fn text(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(builder) = column(&mut self.texts, name) {
            builder.append_option(text);
        }
    }

    fn number(&mut self, name: &'static str, number: Option<usize>) {
        if let Some(builder) = column(&mut self.numbers, name) {
            builder.append_option(number.and_then(|n| i32::try_from(n).ok()));
        }
    }

    fn long(&mut self, name: &'static str, number: Option<u64>) {
        if let Some(builder) = column(&mut self.longs, name) {
            builder.append_option(number.and_then(|n| i64::try_from(n).ok()));
        }
    }

    fn list<T: AsRef<str>>(
        &mut self,
        name: &'static str,
        list: Option<impl Iterator<Item = Option<T>>>,
    ) {
        let Some(builder) = column(&mut self.lists, name) else {
            return;
        };
        match list {
            Some(list) => {
                for text in list {
                    builder.values().append_option(text);
                }
                builder.append(true);
            }
            None => builder.append(false),
        }
    }

    fn row(&mut self, row: &Row) {
        self.text("id", Some(&plain(&row.id)));
        let about = row.about.as_deref();
        self.text("red", about.and_then(|about| about.red.as_deref()));
        self.text("black", about.and_then(|about| about.black.as_deref()));
        self.text("event", about.and_then(|about| about.event.as_deref()));
        self.text("date", about.and_then(|about| about.date.as_deref()));
        self.text("result", about.and_then(|about| about.result));
        self.number("ply", row.ply);
        let span = row.span;
        self.number("start_ply", span.map(|span| span.start_ply));
        self.number("period", span.map(|span| span.period));
        self.number("rounds", span.map(|span| span.rounds as usize));
        self.number("occurrences", span.map(|span| span.occurrences as usize));
        self.text("fen", Some(&row.fen));
        self.list(
            "moves",
            Some(row.moves.iter().map(|mv| Some(mv.to_string()))),
        );
        self.list(
            "natures",
            Some(
                row.natures
                    .iter()
                    .map(|n| n.map(crate::classify::Nature::id)),
            ),
        );
        for (side, pattern, standing) in [
            (Side::Red, "red_pattern", "red_standing"),
            (Side::Black, "black_pattern", "black_standing"),
        ] {
            let of: Option<&SideOf> = row.sides.as_ref().map(|sides| &sides[side]);
            self.text(pattern, of.and_then(|of| of.pattern.as_deref()));
            let said = of
                .and_then(|of| of.standing)
                .map(|standing| match standing {
                    crate::ruling::Standing::Permitted => "permitted",
                    crate::ruling::Standing::Forbidden => "forbidden",
                });
            self.text(standing, said);
        }
        self.text("outcome", Some(row.outcome.id()));
        self.text("side", row.side.map(Side::id));
        self.list("clauses", Some(row.clauses.iter().map(Some)));
        self.text("rules", Some(&row.rules.id));
        self.text("version", Some(&row.rules.version));
        self.text("digest", Some(&row.rules.digest));
        self.long("spent", Some(row.spent));
        for name in ["error_code", "error_detail", "file"] {
            self.text(name, None);
        }
        self.long("record", None);
        self.long("line", None);
    }

    fn rejected(&mut self, rejection: &Rejection) {
        self.text("id", Some(&plain(&rejection.id)));
        for name in ["ply", "start_ply", "period", "rounds", "occurrences"] {
            self.number(name, None);
        }
        for name in ["moves", "natures", "clauses"] {
            self.list::<&str>(name, None::<std::iter::Empty<_>>);
        }
        for name in [
            "fen",
            "red_pattern",
            "red_standing",
            "black_pattern",
            "black_standing",
            "outcome",
            "side",
            "rules",
            "version",
            "digest",
        ] {
            self.text(name, None);
        }
        self.long("spent", None);
        self.text("error_code", Some(rejection.error.code));
        self.text("error_detail", Some(&rejection.error.detail));
        self.text("file", Some(&rejection.place.file));
        self.long("record", Some(rejection.place.record));
        self.long("line", rejection.place.line);
    }

    fn finish(mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if self.texts.is_empty() {
            return Ok(None);
        }
        let arrays: Vec<ArrayRef> = SCHEMA
            .fields()
            .iter()
            .filter_map(|field| {
                let name = field.name().as_str();
                let text = self.texts.iter_mut().find(|(known, _)| *known == name);
                let number = self.numbers.iter_mut().find(|(known, _)| *known == name);
                let long = self.longs.iter_mut().find(|(known, _)| *known == name);
                let list = self.lists.iter_mut().find(|(known, _)| *known == name);
                text.map(|(_, builder)| Arc::new(builder.finish()) as ArrayRef)
                    .or(number.map(|(_, builder)| Arc::new(builder.finish()) as ArrayRef))
                    .or(long.map(|(_, builder)| Arc::new(builder.finish()) as ArrayRef))
                    .or(list.map(|(_, builder)| Arc::new(builder.finish()) as ArrayRef))
            })
            .collect();
        RecordBatch::try_new(schema(), arrays).map(Some)
    }
}

/// The rows of games as columns; `None` where there are none.
///
/// # Errors
/// The columns do not fit together, which would be a fault of this module.
pub fn columns(games: &[Found]) -> io::Result<Option<RecordBatch>> {
    let mut columns = Columns::default();
    for found in games {
        match &found.rows {
            Ok(rows) => rows.iter().for_each(|row| columns.row(row)),
            Err(rejection) => columns.rejected(rejection),
        }
    }
    columns.finish().map_err(other)
}

/// A file being written.
#[derive(Debug)]
pub struct Writer(ArrowWriter<File>);

impl Writer {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: &Path, schema: Arc<Schema>) -> io::Result<Self> {
        let level = ZstdLevel::try_new(3).map_err(other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_max_row_group_row_count(Some(GROUP))
            .build();
        let file = File::create(path)?;
        let writer = ArrowWriter::try_new(file, schema, Some(properties));
        Ok(Self(writer.map_err(failed)?))
    }

    /// Writes rows.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.0.write(batch).map_err(failed)
    }

    /// Ends the file; it is on the disk then.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.0.into_inner().map_err(failed)?.sync_all()
    }
}

/// Pending positions as columns.
#[derive(Clone, Copy, Debug)]
pub struct Columnar;

impl Form for Columnar {
    type Out = Option<RecordBatch>;

    fn make(&self, games: &[Found]) -> io::Result<Option<RecordBatch>> {
        columns(games)
    }
}

/// A folder of files, one for each stretch between two checkpoints: a file that was not ended can
/// not be gone on with, so it is made again.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    number: u64,
    open: Option<Writer>,
}

impl Parts {
    /// The folder behind so many parts.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(folder: &Path, checkpoint: &Checkpoint) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            number: checkpoint.output,
            open: None,
        })
    }
}

impl Keep for Parts {
    type Out = Option<RecordBatch>;

    fn take(&mut self, batch: Option<RecordBatch>) -> io::Result<()> {
        let writer = if let Some(writer) = &mut self.open {
            writer
        } else {
            let name = format!("part-{:05}.parquet", self.number);
            let writer = Writer::create(&self.folder.join(name), schema())?;
            self.open.insert(writer)
        };
        batch.map_or(Ok(()), |batch| writer.write(&batch))
    }

    fn settle(&mut self) -> io::Result<u64> {
        if let Some(writer) = self.open.take() {
            writer.finish()?;
            self.number += 1;
        }
        Ok(self.number)
    }
}

fn failed(error: ParquetError) -> io::Error {
    if let ParquetError::External(inner) = error {
        return match inner.downcast::<io::Error>() {
            Ok(io) => *io,
            Err(inner) => other(inner),
        };
    }
    other(error)
}

/// The columns of games that were made up: `id`, `fen` and `moves`.
pub fn game_schema() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("fen", DataType::Utf8, true),
        Field::new("moves", DataType::Utf8, false),
    ]))
}

/// Games that were made up, as columns.
///
/// # Errors
/// The columns do not fit together, which would be a fault of this module.
pub fn game_columns(games: &[super::generate::Made]) -> io::Result<RecordBatch> {
    let (mut ids, mut fens, mut lines) = (
        StringBuilder::new(),
        StringBuilder::new(),
        StringBuilder::new(),
    );
    for made in games {
        ids.append_value(&made.id);
        fens.append_option(made.fen());
        let moves: Vec<String> = made.record.moves.iter().map(ToString::to_string).collect();
        lines.append_value(moves.join(" "));
    }
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(ids.finish()),
        Arc::new(fens.finish()),
        Arc::new(lines.finish()),
    ];
    RecordBatch::try_new(game_schema(), arrays).map_err(other)
}
