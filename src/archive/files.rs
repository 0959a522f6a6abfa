//! The files of an archive: as they are named, those in folders, and those in ZIP archives, in an
//! order that is always the same.

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zip::{CompressionMethod, ZipArchive};

/// A stream that can be handed from thread to thread.
pub type Stream = Box<dyn BufRead + Send>;

const BUFFER: usize = 1 << 16;

/// A file of an archive.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it is told: the path, in a ZIP archive that of the archive and the name within.
    pub name: Arc<str>,
    /// Whether it was named itself; else it was found in a folder or a ZIP archive.
    pub named: bool,
    path: PathBuf,
    zipped: Option<Zipped>,
}

/// Where a file stands within a ZIP archive.
#[derive(Clone, Copy, Debug)]
struct Zipped {
    start: u64,
    length: u64,
    deflated: bool,
}

/// Goes over the files of an archive.
#[derive(Debug)]
pub struct Files {
    /// What is still to be gone through, next last.
    waiting: Vec<Waiting>,
    /// The files that standard output and standard error go to.
    written: [Option<Identity>; 2],
}

#[derive(Debug)]
enum Waiting {
    Path(PathBuf, bool),
    Found(Source),
}

fn within(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}

impl Files {
    /// Those of these files and folders, in the order in which they are given; a folder's in the order
    /// of their names, a ZIP archive's in its own. `-` is standard input.
    pub fn new(paths: &[PathBuf]) -> Self {
        let waiting = paths.iter().rev();
        Self {
            waiting: waiting
                .map(|path| Waiting::Path(path.clone(), true))
                .collect(),
            written: [behind(io::stdout()), behind(io::stderr())],
        }
    }

    /// Takes them all as if they had been found in a folder: none has to be a record.
    #[must_use]
    pub fn found(mut self) -> Self {
        for waiting in &mut self.waiting {
            if let Waiting::Path(_, named) = waiting {
                *named = false;
            }
        }
        self
    }

    fn take(&mut self, path: PathBuf, named: bool) -> io::Result<Option<Source>> {
        let plain = |path: PathBuf| Source {
            name: path.display().to_string().into(),
            named,
            path,
            zipped: None,
        };
        let meta = if path.as_os_str() == "-" {
            None
        } else {
            Some(fs::metadata(&path).map_err(|error| within(&path, &error))?)
        };
        let read = meta.as_ref().map_or_else(|| behind(io::stdin()), identity);
        // What is said here would be read as it is said, and never come to an end.
        if read.is_some() && self.written.contains(&read) {
            if !named {
                return Ok(None);
            }
            let why = io::Error::other("this program writes to it what it reads from it");
            return Err(within(&path, &why));
        }
        let Some(meta) = meta else {
            return Ok(Some(plain(path)));
        };
        if meta.is_dir() {
            let mut entries = Vec::new();
            for entry in fs::read_dir(&path).map_err(|error| within(&path, &error))? {
                let entry = entry.map_err(|error| within(&path, &error))?;
                // What begins with a dot is nobody's record.
                if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                    entries.push(entry.path());
                }
            }
            entries.sort_unstable();
            let entries = entries.into_iter().rev();
            self.waiting
                .extend(entries.map(|path| Waiting::Path(path, false)));
            return Ok(None);
        }
        if meta.is_file() && is_zip(&path)? {
            let found = zipped(&path).map_err(|error| within(&path, &error))?;
            self.waiting
                .extend(found.into_iter().rev().map(Waiting::Found));
            return Ok(None);
        }
        Ok(Some(plain(path)))
    }
}

/// What tells a file from every other: its device and its number there.
type Identity = (u64, u64);

/// That of a plain file, where the system tells it.
#[cfg(unix)]
fn identity(meta: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    meta.is_file().then(|| (meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> Option<Identity> {
    None
}

/// That of the file behind a standard stream.
#[cfg(unix)]
fn behind(stream: impl std::os::fd::AsFd) -> Option<Identity> {
    let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
    identity(&file.metadata().ok()?)
}

#[cfg(not(unix))]
fn behind<S>(_: S) -> Option<Identity> {
    None
}

impl Iterator for Files {
    type Item = io::Result<Source>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.waiting.pop()? {
                Waiting::Found(source) => return Some(Ok(source)),
                Waiting::Path(path, named) => match self.take(path, named) {
                    Ok(Some(source)) => return Some(Ok(source)),
                    Ok(None) => {}
                    Err(error) => return Some(Err(error)),
                },
            }
        }
    }
}

fn is_zip(path: &Path) -> io::Result<bool> {
    let mut magic = [0u8; 4];
    let mut file = File::open(path).map_err(|error| within(path, &error))?;
    match file.read_exact(&mut magic) {
        Ok(()) => Ok(matches!(&magic, b"PK\x03\x04" | b"PK\x05\x06")),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(within(path, &error)),
    }
}

/// The files of a ZIP archive.
fn zipped(path: &Path) -> io::Result<Vec<Source>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut sources = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        let raw = entry.name_raw();
        // Names are often in the encoding of the machine that packed them.
        let inner = match std::str::from_utf8(raw) {
            Ok(name) => name.to_owned(),
            Err(_) => encoding_rs::GB18030.decode(raw).0.into_owned(),
        };
        let hidden = inner
            .split('/')
            .any(|part| part.starts_with('.') || part == "__MACOSX");
        if entry.is_dir() || hidden {
            continue;
        }
        let told = |what: &str| io::Error::other(format!("`{inner}` in it {what}"));
        if entry.encrypted() {
            return Err(told("is encrypted"));
        }
        let packed = entry.compression();
        let deflated = packed == CompressionMethod::Deflated;
        if !deflated && packed != CompressionMethod::Stored {
            return Err(told(&format!("is packed by {packed}, which is not read")));
        }
        let start = entry.data_start().ok_or_else(|| told("cannot be found"))?;
        sources.push(Source {
            name: format!("{}/{inner}", path.display()).into(),
            named: false,
            path: path.to_owned(),
            zipped: Some(Zipped {
                start,
                length: entry.compressed_size(),
                deflated,
            }),
        });
    }
    Ok(sources)
}

/// A stream whose bytes are counted as they are read. It counts what its buffer takes in: a buffer around what counts
/// would be cleared before each read.
struct Counted<R> {
    inner: BufReader<R>,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.inner.buffer().is_empty() {
            let read = self.inner.fill_buf()?.len();
            self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        }
        Ok(self.inner.buffer())
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl Source {
    /// A file by its path.
    pub fn file(path: &Path) -> Self {
        Self {
            name: path.display().to_string().into(),
            named: true,
            path: path.to_owned(),
            zipped: None,
        }
    }

    /// Enters how the file begins into a digest, and tells how long it is.
    pub(super) fn digested(&self, digest: &mut Sha256) -> io::Result<u64> {
        if let Some(zipped) = self.zipped {
            return Ok(zipped.length);
        }
        let file = File::open(&self.path).map_err(|error| within(&self.path, &error))?;
        let length = file.metadata()?.len();
        let mut head = Vec::new();
        file.take(BUFFER as u64).read_to_end(&mut head)?;
        digest.update(&head);
        Ok(length)
    }

    /// The file itself where it is a Parquet file.
    pub(super) fn parquet(&self) -> io::Result<Option<File>> {
        if self.zipped.is_some() || self.path.as_os_str() == "-" {
            return Ok(None);
        }
        let mut file = File::open(&self.path)?;
        let mut magic = [0u8; 4];
        let found = file.metadata()?.is_file() && file.read_exact(&mut magic).is_ok();
        // Not rewound: what is no plain file cannot be.
        Ok((found && &magic == b"PAR1").then_some(file))
    }

    /// What is in it, unpacked; `bytes` counts what is read of the disk.
    pub fn open(&self, bytes: &Arc<AtomicU64>) -> io::Result<Stream> {
        let raw: Box<dyn Read + Send> = if self.path.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            let mut file = File::open(&self.path)?;
            match self.zipped {
                None => Box::new(file),
                Some(zipped) => {
                    file.seek(SeekFrom::Start(zipped.start))?;
                    Box::new(file.take(zipped.length))
                }
            }
        };
        let raw = Counted {
            inner: BufReader::with_capacity(BUFFER, raw),
            bytes: Arc::clone(bytes),
        };
        if self.zipped.is_some_and(|zipped| zipped.deflated) {
            let raw = BufReader::with_capacity(BUFFER, DeflateDecoder::new(raw));
            return unpacked(raw);
        }
        unpacked(raw)
    }
}

/// What is packed with gzip or zstd, unpacked.
fn unpacked(mut raw: impl BufRead + Send + 'static) -> io::Result<Stream> {
    let start = raw.fill_buf()?;
    Ok(if start.starts_with(&[0x1F, 0x8B]) {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(raw)))
    } else if start.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
        let decoder = zstd::Decoder::with_buffer(raw)?;
        Box::new(BufReader::with_capacity(BUFFER, decoder))
    } else {
        Box::new(raw)
    })
}
