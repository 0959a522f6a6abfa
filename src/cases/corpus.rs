//! Collections of cases: the one built in, and folders of case files.

use super::case::{Case, CaseFault};
use crate::language::both;
use crate::rules::Text;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/cases");

/// A case and the file it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFile {
    /// The path of the file, as it was found.
    pub path: String,
    /// The case.
    pub case: Case,
}

/// Cases, in the order of their ids, no two of the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    files: Vec<CaseFile>,
}

/// What is wrong with a file of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFault {
    /// The file, or folder.
    pub path: String,
    /// What is wrong with it.
    pub fault: CaseFault,
}

impl FileFault {
    /// What is wrong, and where.
    pub fn told(&self) -> Text {
        let Self { path, fault } = self;
        let message = &fault.message;
        match fault.line {
            Some(line) => both!(message; "{path}:{line}: {message}", "{path}:{line}: {message}"),
            None => both!(message; "{path}: {message}", "{path}: {message}"),
        }
    }

    fn unreadable(path: &Path, error: &io::Error) -> Self {
        let message = both!("cannot be read: {error}", "无法读取：{error}");
        Self::of(path.display().to_string(), message)
    }

    /// What is wrong with a file as a whole.
    const fn of(path: String, message: Text) -> Self {
        let line = None;
        let fault = CaseFault { line, message };
        Self { path, fault }
    }
}

impl Corpus {
    /// The published cases and our own, built in.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Corpus> = LazyLock::new(|| {
            let mut texts = Vec::new();
            embedded(&FILES, &mut texts);
            Corpus::of_files(texts).0
        });
        &BUILTIN
    }

    /// Every case file (`*.toml`) of a folder and those below it; of a file, that one.
    ///
    /// # Errors
    /// Everything that is wrong with any of them.
    pub fn from_dir(path: &Path) -> Result<Self, Vec<FileFault>> {
        let mut faults = Vec::new();
        let mut paths = Vec::new();
        if path.is_dir() {
            walk(path, &mut paths, &mut faults);
        } else {
            paths.push(path.to_owned());
        }
        let mut texts = Vec::new();
        for path in paths {
            match fs::read_to_string(&path) {
                Ok(text) => texts.push((path.display().to_string(), text)),
                Err(error) => faults.push(FileFault::unreadable(&path, &error)),
            }
        }
        let (corpus, more) = Self::of_files(texts);
        faults.extend(more);
        if faults.is_empty() && corpus.files.is_empty() {
            let message = both!(
                "there are no case files (*.toml) here",
                "这里没有判例文件（*.toml）"
            );
            faults.push(FileFault::of(path.display().to_string(), message));
        }
        if faults.is_empty() {
            Ok(corpus)
        } else {
            Err(faults)
        }
    }

    /// The cases in these files, by path and text, and what is wrong with the rest.
    pub fn of_files<T: AsRef<str>>(
        files: impl IntoIterator<Item = (String, T)>,
    ) -> (Self, Vec<FileFault>) {
        let mut found: BTreeMap<String, CaseFile> = BTreeMap::new();
        let mut faults = Vec::new();
        for (path, text) in files {
            let case = match Case::read(text.as_ref()) {
                Ok(case) => case,
                Err(more) => {
                    let of_file = |fault| FileFault {
                        path: path.clone(),
                        fault,
                    };
                    faults.extend(more.into_iter().map(of_file));
                    continue;
                }
            };
            let key = case.id.clone();
            if let Some(other) = found.get(&key) {
                let (id, other) = (&case.id, &other.path);
                let message = both!(
                    "`{id}` is already the id of `{other}`",
                    "编号“{id}”已用于“{other}”"
                );
                faults.push(FileFault::of(path, message));
            } else {
                found.insert(key, CaseFile { path, case });
            }
        }
        (
            Self {
                files: found.into_values().collect(),
            },
            faults,
        )
    }

    /// The cases with their files.
    pub fn files(&self) -> &[CaseFile] {
        &self.files
    }

    /// The cases.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Case> {
        self.files.iter().map(|file| &file.case)
    }

    /// The case of that id.
    pub fn get(&self, id: &str) -> Option<&Case> {
        self.iter().find(|case| case.id == id)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The rule books the cases say something about.
    pub fn books(&self) -> Vec<&str> {
        let mut books: Vec<_> = self
            .iter()
            .flat_map(|c| c.expect.keys().map(String::as_str))
            .collect();
        books.sort_unstable();
        books.dedup();
        books
    }
}

fn embedded(dir: &Dir<'static>, texts: &mut Vec<(String, &'static str)>) {
    for file in dir.files() {
        let path = file.path();
        if is_case(path)
            && let Some(text) = file.contents_utf8()
        {
            texts.push((format!("cases/{}", path.display()), text));
        }
    }
    for below in dir.dirs() {
        embedded(below, texts);
    }
}

fn walk(dir: &Path, paths: &mut Vec<PathBuf>, faults: &mut Vec<FileFault>) {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) => return faults.push(FileFault::unreadable(dir, &error)),
    };
    let mut found: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    found.sort();
    for path in found {
        if path.is_dir() {
            walk(&path, paths, faults);
        } else if is_case(&path) {
            paths.push(path);
        }
    }
}

fn is_case(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "toml")
}
