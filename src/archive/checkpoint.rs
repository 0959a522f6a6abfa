//! How far a run has come: what it takes to go on after it was killed.
//!
//! A checkpoint says which records are done with and how long the output was then. Whatever was
//! written after it is cut off, so that no row is lost and none is there twice.

use super::files::Files;
use super::input::Position;
use super::summary::Summary;
use crate::durable::keep_name;
use crate::version::BUILD;
use crate::written::hex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An input as it was when the run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputOf {
    /// The file.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// The digest of its first 64 KiB.
    pub head: String,
}

/// What a run works on. A checkpoint is good for the same run only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOf {
    /// The version of the program.
    pub version: String,
    /// What is done, and everything the output depends on.
    pub settings: String,
    /// The inputs in their order.
    pub inputs: Vec<InputOf>,
}

/// Where a run stood, and what it had counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint<T = Summary> {
    /// Which run.
    pub run: RunOf,
    /// Whether it has come to its end.
    pub done: bool,
    /// What has been read and written.
    pub input: Position,
    /// How far the output had come: of a file its bytes, of a folder its parts.
    pub output: u64,
    /// What was counted.
    pub summary: T,
}

impl RunOf {
    /// The run with these settings on these files.
    pub fn new(settings: String, files: &[PathBuf]) -> io::Result<Self> {
        let inputs = files
            .iter()
            .map(|path| input_of(path))
            .collect::<Result<_, _>>()?;
        Ok(Self::over(settings, inputs))
    }

    /// The run with these settings on inputs as they are known.
    pub fn over(settings: String, inputs: Vec<InputOf>) -> Self {
        Self {
            version: BUILD.to_owned(),
            settings,
            inputs,
        }
    }
}

/// A folder as it was when the run began: what is in it, and how each file begins.
fn folder_of(path: &Path) -> io::Result<InputOf> {
    let mut bytes = 0;
    let mut digest = Sha256::new();
    for source in Files::new(&[path.to_owned()]) {
        let source = source?;
        digest.update(source.name.as_bytes());
        let length = source.digested(&mut digest)?;
        digest.update(length.to_le_bytes());
        bytes += length;
    }
    Ok(InputOf {
        file: path.display().to_string(),
        bytes,
        head: format!("sha256:{}", hex(&digest.finalize())),
    })
}

fn input_of(path: &Path) -> io::Result<InputOf> {
    if path.is_dir() {
        return folder_of(path);
    }
    let file = path.display().to_string();
    let named = |error: io::Error| io::Error::new(error.kind(), format!("`{file}`: {error}"));
    let opened = File::open(path).map_err(named)?;
    let bytes = opened.metadata().map_err(named)?.len();
    let mut head = Vec::new();
    opened.take(1 << 16).read_to_end(&mut head).map_err(named)?;
    Ok(InputOf {
        file: file.clone(),
        bytes,
        head: format!("sha256:{}", hex(&Sha256::digest(&head))),
    })
}

/// The name with an ending put behind it.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A checkpoint as it is written.
#[derive(Serialize)]
struct CheckpointRef<'a, T> {
    run: &'a RunOf,
    done: bool,
    input: Position,
    output: u64,
    summary: &'a T,
}

impl<T: Default + Serialize + DeserializeOwned> Checkpoint<T> {
    /// A run that has done nothing yet.
    pub fn new(run: RunOf) -> Self {
        Self {
            run,
            done: false,
            input: Position::default(),
            output: 0,
            summary: T::default(),
        }
    }

    /// The checkpoint in a file; `None` where there is no such file.
    ///
    /// # Errors
    /// A file that cannot be read, is no checkpoint, or belongs to another run.
    pub fn load(path: &Path, run: &RunOf) -> io::Result<Option<Self>> {
        let refuse = |why: String| {
            let name = path.display();
            io::Error::new(io::ErrorKind::InvalidInput, format!("`{name}`: {why}"))
        };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refuse(error.to_string())),
        };
        let found: Self = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("this is no checkpoint: {error}")))?;
        if found.run == *run {
            return Ok(Some(found));
        }
        let differs = if found.run.version != run.version {
            format!("it was made by version {}", found.run.version)
        } else if found.run.settings != run.settings {
            format!(
                "it was made with `{}`, this is `{}`",
                found.run.settings, run.settings
            )
        } else {
            let known = found.run.inputs.iter();
            let changed = run
                .inputs
                .iter()
                .find(|input| !known.clone().any(|k| k == *input));
            let name = changed.map_or("the list of files", |input| &input.file);
            format!("the input has changed since: {name}")
        };
        Err(refuse(format!(
            "the checkpoint belongs to another run: {differs}"
        )))
    }

    /// Puts it in the place of the one before, as a whole or not at all.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        self.save_with(path, &self.summary)
    }

    /// The same with other counts in the place of its own.
    pub fn save_with(&self, path: &Path, summary: &T) -> io::Result<()> {
        let new = beside(path, ".new");
        let mut file = File::create(&new)?;
        let checkpoint = CheckpointRef {
            run: &self.run,
            done: self.done,
            input: self.input,
            output: self.output,
            summary,
        };
        let mut text = serde_json::to_vec(&checkpoint)?;
        text.push(b'\n');
        file.write_all(&text)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        keep_name(path);
        Ok(())
    }

    /// The output, cut to where it stood.
    ///
    /// # Errors
    /// It cannot be opened, or is shorter than it was.
    pub fn open_output(&self, path: &Path) -> io::Result<File> {
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let length = file.metadata()?.len();
        if length < self.output {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "`{}` has {length} bytes, and had {} at the checkpoint",
                    path.display(),
                    self.output
                ),
            ));
        }
        file.set_len(self.output)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }
}
