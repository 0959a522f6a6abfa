//! The rule books that arguments name: built in, or read from files.

use super::out::complain;
use super::{Failure, Lang};
use crate::rules::{Catalog, Fault, LoadedBook};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Whether an argument means a file.
pub(super) fn is_file(name: &str) -> bool {
    let toml = Path::new(name)
        .extension()
        .is_some_and(|extension| extension == "toml");
    toml || name.contains(std::path::MAIN_SEPARATOR)
}

/// A rule book by its id, or from its file.
pub(super) fn book(name: &str, lang: Lang) -> Result<Arc<LoadedBook>, Failure> {
    if is_file(name) {
        let text = read(Path::new(name))?;
        let book = LoadedBook::read(name, &text);
        return book.map(Arc::new).map_err(|faults| faulty(&faults, lang));
    }
    Catalog::builtin()
        .get(name)
        .map_err(|unknown| Failure::Usage(unknown.to_string()))
}

/// The base with every amendment, or every fault of the first that does not fit.
pub(super) fn amended<P: AsRef<Path>>(
    base: &LoadedBook,
    files: &[P],
    lang: Lang,
) -> Result<Arc<LoadedBook>, Failure> {
    let mut book = base.book.clone();
    for path in files {
        let path = path.as_ref();
        let amended = book.amended_by_file(&path.display().to_string(), &read(path)?);
        book = amended.map_err(|faults| faulty(&faults, lang))?;
    }
    Ok(Arc::new(LoadedBook::new(book)))
}

/// A fault, in the language of the results.
pub(super) fn fault_told(fault: &Fault, lang: Lang) -> String {
    lang.pick(fault.zh(), fault.to_string())
}

/// Names every fault, each on a line of its own.
fn faulty(faults: &[Fault], lang: Lang) -> Failure {
    let Some((last, others)) = faults.split_last() else {
        return Failure::Bad(String::new());
    };
    for fault in others {
        complain(&fault_told(fault, lang));
    }
    Failure::Bad(fault_told(last, lang))
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| unreadable(&path.display().to_string(), &error))
}

/// A file that cannot be read or written.
pub(super) fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::Usage(format!("`{name}`: {error}"))
}
