//! The judge as a module of Python: texts and bytes in, JSON out. `qili/__init__.py` makes of it what is
//! pleasant to use.

#![forbid(unsafe_code)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands over is taken as it comes"
)]

use arrow_array::cast::AsArray as _;
use arrow_array::iterator::ArrayIter;
use arrow_array::{Array as _, ArrayAccessor, LargeStringArray, make_array};
use arrow_data::ArrayData;
use arrow_pyarrow::PyArrowType;
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyBytes;
use qili::calls::{self, Operation};
use qili::cases::Corpus;
use qili::compare::{Gathered, Gatherer, compare as set_against};
use qili::rules::{Amendment, Catalog, Fault, LoadedBook, Text};
use qili::version;
use qili::wire::{BadRequest, RequestError};
use serde_json::{Value, json};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A question as Python has it.
#[derive(FromPyObject)]
enum Question {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Question {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

fn told(bad: &BadRequest) -> String {
    serde_json::to_string(bad).unwrap_or_default()
}

/// What is wrong, as JSON in a `ValueError`: the package makes its own error of it.
fn raised(error: RequestError) -> PyErr {
    let id = Value::Null;
    PyValueError::new_err(told(&BadRequest { id, error }))
}

/// Asks by name: a text or bytes in, the text of the answer out.
#[pyfunction]
fn answer(py: Python<'_>, operation: &str, question: Question) -> PyResult<String> {
    let operation: Operation = operation.parse().map_err(raised)?;
    let said = py.detach(|| calls::answer(operation, question.bytes()));
    said.map_err(|bad| PyValueError::new_err(told(&bad)))
}

/// The answer or the error, as a line of its own.
fn line(operation: Operation, question: &[u8]) -> String {
    calls::answer(operation, question).unwrap_or_else(|bad| told(&bad))
}

/// How many questions a thread takes at a time.
const SHARE: usize = 64;
/// No more threads than this are started, however many are asked for.
const MOST_THREADS: usize = 256;

/// The answers to many questions, in their order, on so many threads; 0 for one a core.
fn many<Q: AsRef<[u8]> + Sync>(operation: Operation, asked: &[Q], threads: usize) -> Vec<String> {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    let shares = asked.len().div_ceil(SHARE);
    let answers = |share: usize| -> Vec<String> {
        let range = share * SHARE..asked.len().min((share + 1) * SHARE);
        let asked = asked.get(range).unwrap_or_default();
        asked.iter().map(|q| line(operation, q.as_ref())).collect()
    };
    if threads == 1 || shares < 2 {
        return (0..shares).flat_map(answers).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let share = next.fetch_add(1, Ordering::Relaxed);
            if share >= shares {
                return done;
            }
            done.push((share, answers(share)));
        }
    };
    let mut found: Vec<(usize, Vec<String>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(shares).min(MOST_THREADS))
            .map(|_| scope.spawn(work))
            .collect();
        workers
            .into_iter()
            // No answer is left out: what went wrong on a thread goes wrong here.
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    found.sort_unstable_by_key(|&(share, _)| share);
    found.into_iter().flat_map(|(_, lines)| lines).collect()
}

struct Bytes<'a>(&'a [u8]);

impl AsRef<[u8]> for Bytes<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

/// Many questions, answered in their order; what is wrong with one is told in its place.
#[pyfunction]
#[pyo3(signature = (operation, questions, threads = 0))]
fn answers(
    py: Python<'_>,
    operation: &str,
    questions: Vec<Question>,
    threads: usize,
) -> PyResult<Vec<String>> {
    let operation: Operation = operation.parse().map_err(raised)?;
    Ok(py.detach(|| {
        let asked: Vec<Bytes<'_>> = questions.iter().map(|one| Bytes(one.bytes())).collect();
        many(operation, &asked, threads)
    }))
}

/// Lines in, lines out, as the command does it: blank ones are passed over.
#[pyfunction]
#[pyo3(signature = (operation, text, threads = 0))]
fn lines<'py>(
    py: Python<'py>,
    operation: &str,
    text: Question,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let operation: Operation = operation.parse().map_err(raised)?;
    let said = py.detach(|| {
        // Each with its end, as the command reads it: places in errors are counted alike.
        let lines = text.bytes().split_inclusive(|&byte| byte == b'\n');
        let asked = lines.filter(|line| !line.trim_ascii().is_empty());
        let asked: Vec<Bytes<'_>> = asked.map(Bytes).collect();
        let mut out = Vec::new();
        for line in many(operation, &asked, threads) {
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        }
        out
    });
    Ok(PyBytes::new(py, &said))
}

/// The texts of an array, as the array has them.
fn texts<'a>(
    array: impl ArrayAccessor<Item = &'a str> + 'a,
) -> impl Iterator<Item = Option<Bytes<'a>>> {
    ArrayIter::new(array).map(|text| text.map(|text| Bytes(text.as_bytes())))
}

/// A column of questions as pyarrow has it, a text or nothing in each row, to a column of answers; neither is copied
/// between Python and here.
#[pyfunction]
#[pyo3(signature = (operation, column, threads = 0))]
fn column(
    py: Python<'_>,
    operation: &str,
    column: PyArrowType<ArrayData>,
    threads: usize,
) -> PyResult<PyArrowType<ArrayData>> {
    let operation: Operation = operation.parse().map_err(raised)?;
    let asked = make_array(column.0);
    let said: Option<LargeStringArray> = py.detach(|| {
        let rows: Vec<Option<Bytes<'_>>> = match asked.data_type() {
            DataType::Utf8 => texts(asked.as_string::<i32>()).collect(),
            DataType::LargeUtf8 => texts(asked.as_string::<i64>()).collect(),
            DataType::Utf8View => texts(asked.as_string_view()).collect(),
            DataType::Null => (0..asked.len()).map(|_| None).collect(),
            _ => return None,
        };
        let questions: Vec<&[u8]> = rows.iter().flatten().map(AsRef::as_ref).collect();
        let mut answers = many(operation, &questions, threads).into_iter();
        Some(
            rows.iter()
                .map(|row| row.as_ref().and_then(|_| answers.next()))
                .collect(),
        )
    });
    let kind = asked.data_type();
    let said =
        said.ok_or_else(|| PyTypeError::new_err(format!("a column of {kind} has no texts")))?;
    Ok(PyArrowType(said.into_data()))
}

fn book(id: &str) -> PyResult<Arc<LoadedBook>> {
    let found = Catalog::builtin().get(id);
    found.map_err(|unknown| raised(RequestError::of_book(&unknown, None)))
}

fn faulty(faults: &[Fault]) -> PyErr {
    let (en, zh): (Vec<_>, Vec<_>) = faults
        .iter()
        .map(|fault| (fault.to_string(), fault.zh()))
        .unzip();
    let told = Text {
        en: en.join("\n"),
        zh: zh.join("\n"),
    };
    raised(RequestError::at("amendment_faulty", None, told))
}

/// What an amendment (the text of its file), another book, or parameters at other values change.
#[pyfunction]
#[pyo3(signature = (base, amendment, other, set, games, cases))]
fn compare(
    py: Python<'_>,
    base: &str,
    amendment: Option<&str>,
    other: Option<&str>,
    set: Vec<String>,
    games: Option<PyBackedBytes>,
    cases: bool,
) -> PyResult<String> {
    let base = book(base)?;
    let mut against = match (amendment, other) {
        (_, Some(other)) => book(other)?,
        (Some(text), None) => {
            let read = Amendment::read("", text).map_err(|faults| faulty(&faults))?;
            let amended = base.amended(&read).map_err(|faults| faulty(&faults))?;
            Arc::new(amended)
        }
        (None, None) => Arc::clone(&base),
    };
    if !set.is_empty() {
        let tried = against
            .trying(&set)
            .map_err(|bad| raised(RequestError::at("bad_setting", None, bad.text())))?;
        against = Arc::new(tried);
    }
    let said = py.detach(|| {
        let mut gatherer = Gatherer::new(&base, &against);
        if cases {
            gatherer.cases(Corpus::builtin().iter());
        }
        if let Some(games) = &games {
            // What is read from memory never fails.
            let _ = gatherer.read("games", &mut &**games);
        }
        let Gathered { items, errors, .. } = gatherer.finish();
        let comparison = set_against(&base, &against, &items, errors, &|| ());
        serde_json::to_string(&comparison)
    });
    said.map_err(|error| {
        PyValueError::new_err(
            json!({"id": null, "error": {"code": "internal", "detail": error.to_string()}})
                .to_string(),
        )
    })
}

/// The judge.
#[pymodule]
fn _qili(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", version::BUILD)?;
    module.add_function(wrap_pyfunction!(answer, module)?)?;
    module.add_function(wrap_pyfunction!(answers, module)?)?;
    module.add_function(wrap_pyfunction!(lines, module)?)?;
    module.add_function(wrap_pyfunction!(column, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)
}
