//! Archives in Parquet, as distributed engines keep them.
//!
//! Read are the columns `moves` (a text, the moves with blanks between them, or a list of texts),
//! `id` (a text or a whole number) and `fen` (a text; the opening where it is null); the last two
//! may be missing. Every row is a game. Written are the columns of [`schema`].

use super::checkpoint::Checkpoint;
use super::input::{Entry, Record};
use super::judge::{Found, SideOf};
use super::row::{About, Rejection, Row};
use super::run::{Form, Keep};
use crate::board::Side;
use crate::game::CycleSpan;
use crate::ruling::Standing;
use crate::wire::{Kind, Request};
use crate::written::plain;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde_json::Value;
use std::borrow::Cow;
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

/// What a line of the output tells of: a pending position, or a game that was rejected.
#[derive(Clone, Copy)]
enum Line<'a> {
    Row(&'a Row),
    Bad(&'a Rejection),
}

impl<'a> Line<'a> {
    fn id(self) -> &'a Value {
        match self {
            Self::Row(row) => &row.id,
            Self::Bad(rejection) => &rejection.id,
        }
    }

    fn row(self) -> Option<&'a Row> {
        match self {
            Self::Row(row) => Some(row),
            Self::Bad(_) => None,
        }
    }

    fn bad(self) -> Option<&'a Rejection> {
        match self {
            Self::Row(_) => None,
            Self::Bad(rejection) => Some(rejection),
        }
    }

    fn about(self) -> Option<&'a About> {
        self.row()?.about.as_deref()
    }

    fn span(self) -> Option<CycleSpan> {
        self.row()?.span
    }

    fn side(self, side: Side) -> Option<&'a SideOf> {
        Some(&self.row()?.sides.as_ref()?[side])
    }

    fn standing(self, side: Side) -> Option<&'static str> {
        Some(match self.side(side)?.standing? {
            Standing::Permitted => "permitted",
            Standing::Forbidden => "forbidden",
        })
    }
}

/// Texts of a column of lists.
type List<'a> = Vec<Option<Cow<'a, str>>>;

fn moves_of(row: &Row) -> List<'_> {
    let moves = row.moves.iter();
    moves.map(|mv| Some(mv.to_string().into())).collect()
}

fn natures_of(row: &Row) -> List<'_> {
    let natures = row.natures.iter();
    natures.map(|one| Some(one.as_ref()?.id().into())).collect()
}

fn clauses_of(row: &Row) -> List<'_> {
    row.clauses.iter().map(|one| Some(one.into())).collect()
}

/// What stands in a column, by its type; null where it says nothing of a line.
enum Column {
    Id,
    Text(fn(Line<'_>) -> Option<&str>),
    Number(fn(Line<'_>) -> Option<usize>),
    Long(fn(Line<'_>) -> Option<u64>),
    Texts(fn(&Row) -> List<'_>),
}

use Column::{Id, Long, Number, Text, Texts};

const COLUMNS: [(&str, Column); 30] = [
    ("id", Id),
    ("ply", Number(|line| line.row()?.ply)),
    ("start_ply", Number(|line| Some(line.span()?.start_ply))),
    ("period", Number(|line| Some(line.span()?.period))),
    ("rounds", Number(|line| Some(line.span()?.rounds as usize))),
    (
        "occurrences",
        Number(|line| Some(line.span()?.occurrences as usize)),
    ),
    ("fen", Text(|line| Some(&line.row()?.fen))),
    ("moves", Texts(moves_of)),
    ("natures", Texts(natures_of)),
    (
        "red_pattern",
        Text(|line| line.side(Side::Red)?.pattern.as_deref()),
    ),
    ("red_standing", Text(|line| line.standing(Side::Red))),
    (
        "black_pattern",
        Text(|line| line.side(Side::Black)?.pattern.as_deref()),
    ),
    ("black_standing", Text(|line| line.standing(Side::Black))),
    ("outcome", Text(|line| Some(line.row()?.outcome.id()))),
    ("side", Text(|line| Some(line.row()?.side?.id()))),
    ("clauses", Texts(clauses_of)),
    ("rules", Text(|line| Some(&line.row()?.rules.id))),
    ("version", Text(|line| Some(&line.row()?.rules.version))),
    ("digest", Text(|line| Some(&line.row()?.rules.digest))),
    ("spent", Long(|line| Some(line.row()?.spent))),
    ("error_code", Text(|line| Some(line.bad()?.error.code))),
    ("error_detail", Text(|line| Some(&line.bad()?.error.detail))),
    ("file", Text(|line| Some(&line.bad()?.place.file))),
    ("record", Long(|line| Some(line.bad()?.place.record))),
    ("line", Long(|line| line.bad()?.place.line)),
    ("red", Text(|line| line.about()?.red.as_deref())),
    ("black", Text(|line| line.about()?.black.as_deref())),
    ("event", Text(|line| line.about()?.event.as_deref())),
    ("date", Text(|line| line.about()?.date.as_deref())),
    ("result", Text(|line| line.about()?.result)),
];

impl Column {
    fn kind(&self) -> DataType {
        match self {
            Id | Text(_) => DataType::Utf8,
            Number(_) => DataType::Int32,
            Long(_) => DataType::Int64,
            Texts(_) => DataType::List(Arc::new(Field::new("item", DataType::Utf8, true))),
        }
    }

    fn of(&self, lines: &[Line<'_>]) -> ArrayRef {
        let lines = lines.iter().copied();
        match self {
            Id => {
                let ids = lines.map(|line| Some(plain(line.id())));
                Arc::new(ids.collect::<StringArray>())
            }
            Text(told) => Arc::new(lines.map(told).collect::<StringArray>()),
            Number(told) => {
                let numbers = lines.map(|line| i32::try_from(told(line)?).ok());
                Arc::new(numbers.collect::<Int32Array>())
            }
            Long(told) => {
                let numbers = lines.map(|line| i64::try_from(told(line)?).ok());
                Arc::new(numbers.collect::<Int64Array>())
            }
            Texts(told) => {
                let mut lists = ListBuilder::new(StringBuilder::new());
                lines.for_each(|line| lists.append_option(line.row().map(told)));
                Arc::new(lists.finish())
            }
        }
    }
}

static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let fields = COLUMNS.map(|(name, column)| Field::new(name, column.kind(), true));
    Arc::new(Schema::new(fields.to_vec()))
});

/// The columns written: a row for each pending position, as in NDJSON; of a rejected game one with
/// `error_code`, and null where it says nothing. A text that is no text (an id that is a number)
/// is written as it would be in JSON.
pub fn schema() -> Arc<Schema> {
    Arc::clone(&SCHEMA)
}

/// The rows of games as columns; `None` where there are none.
///
/// # Errors
/// The columns do not fit together, which would be a fault of this module.
pub fn columns(games: &[Found]) -> io::Result<Option<RecordBatch>> {
    let mut lines = Vec::new();
    for found in games {
        match &found.rows {
            Ok(rows) => lines.extend(rows.iter().map(Line::Row)),
            Err(rejection) => lines.push(Line::Bad(rejection)),
        }
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let arrays = COLUMNS.map(|(_, column)| column.of(&lines)).to_vec();
    RecordBatch::try_new(schema(), arrays)
        .map(Some)
        .map_err(other)
}

/// A file being written.
#[derive(Debug)]
pub struct Writer(ArrowWriter<File>);

impl Writer {
    /// Begins a file with these columns.
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
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.0.write(batch).map_err(failed)
    }

    /// Ends the file; it is on the disk then.
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
