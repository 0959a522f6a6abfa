//! The rule books that arguments name: built in, or read from files.

use super::{Failure, Lang, Unreadable, refused};
use crate::cases::FileFault;
use crate::rules::{Catalog, Fault, LoadedBook, nearest};
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

/// A rule book that is built in, or what is said where there is none.
pub(super) fn builtin(id: &str, lang: Lang) -> Result<Arc<LoadedBook>, String> {
    let found = Catalog::builtin().get(id);
    found.map_err(|unknown| lang.pick(unknown.zh(), unknown.to_string()))
}

/// A rule book by its id, or from its file.
pub(super) fn book(name: &str, lang: Lang) -> Result<Arc<LoadedBook>, Failure> {
    if !is_file(name) {
        match builtin(name, lang) {
            // A file may be called anything.
            Err(_) if Path::new(name).is_file() => {}
            found => return found.map_err(Failure::Usage),
        }
    }
    let book = LoadedBook::read(name, &read(Path::new(name))?);
    book.map(Arc::new).map_err(|faults| faulty(&faults, lang))
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

/// The book with parameters at other values, by way of trial.
pub(super) fn trying(
    book: Arc<LoadedBook>,
    settings: &[String],
    lang: Lang,
) -> Result<Arc<LoadedBook>, Failure> {
    if settings.is_empty() {
        return Ok(book);
    }
    let tried = book.trying(settings);
    tried
        .map(Arc::new)
        .map_err(|bad| Failure::Usage(lang.pick(bad.zh(), bad.to_string())))
}

/// A fault, in the language of the results.
pub(super) fn fault_told(fault: &Fault, lang: Lang) -> String {
    lang.pick(fault.zh(), fault.to_string())
}

fn faulty(faults: &[Fault], lang: Lang) -> Failure {
    refused(faults.iter().map(|fault| fault_told(fault, lang)))
}

/// Every fault of files of cases.
pub(super) fn bad_cases(faults: &[FileFault], lang: Lang) -> Failure {
    refused(faults.iter().map(|fault| case_fault(fault, lang)))
}

/// One of them.
pub(super) fn case_fault(fault: &FileFault, lang: Lang) -> String {
    lang.of(&fault.told()).to_owned()
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| unreadable(path, &error))
}

/// A file that cannot be read or written.
pub(super) fn unreadable(path: impl AsRef<Path>, error: &io::Error) -> Failure {
    let name = path.as_ref().display().to_string();
    let absent = error.kind() == io::ErrorKind::NotFound;
    let meant = absent.then(|| meant(Path::new(&name))).flatten();
    Failure::File(Unreadable {
        name,
        kind: error.kind(),
        error: error.to_string(),
        meant,
    })
}

/// Refuses files that are not there, before anything is done with the others.
pub(super) fn there<P: AsRef<Path>>(paths: &[P]) -> Result<(), Failure> {
    for path in paths.iter().map(AsRef::as_ref) {
        if path != Path::new("-")
            && let Err(error) = fs::metadata(path)
        {
            return Err(unreadable(path, &error));
        }
    }
    Ok(())
}

/// The folder a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    let named = folder.filter(|folder| !folder.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

/// The file of a folder that has nearly the name of one that is not there.
fn meant(path: &Path) -> Option<String> {
    /// Beyond so many files there is always one of nearly any name.
    const LOOKED_AT: usize = 1000;
    let name = path.file_name()?.to_str()?;
    let files = fs::read_dir(folder_of(path)).ok()?;
    let names: Vec<String> = files
        .take(LOOKED_AT)
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .collect();
    let near = nearest(name, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}
