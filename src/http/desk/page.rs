//! The arbiter's page: a handful of files, part of the program, that speak to the public API.
//!
//! Given the judge as a WebAssembly module, the page rules by itself, and works with no network; then it
//! can also stand alone, as files on any web space.

use crate::diagram;
use crate::http::edge::settings::StartError;
use crate::language::both;
use crate::written::hex;
use actix_web::web::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/http/web");

/// What the page has besides where it can rule by itself.
static APP: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/http/app");
/// How the judge is spoken to, the same files as in the package for Node and browsers.
const GLUE: [(&str, &str); 4] = [
    (
        "judge.js",
        include_str!("../../../bindings/wasm/package/judge.js"),
    ),
    (
        "remote.js",
        include_str!("../../../bindings/wasm/package/remote.js"),
    ),
    (
        "worker.js",
        include_str!("../../../bindings/wasm/package/worker.js"),
    ),
    (
        "browser.js",
        include_str!("../../../bindings/wasm/package/browser.js"),
    ),
];
const WORKER: &str = "service-worker.js";

/// Nothing from elsewhere, nothing inline, and no text that becomes markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";
/// The same, with workers and WebAssembly of its own.
const JUDGING_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types qili";

/// Where a file has the name of this state of the files, what the page has, what links an app, and
/// the names of all files.
const STATE: &str = "{state}";
const HAS: &str = "{has}";
const LINKS: &str = "{app}";
const NAMES: &str = "{files}";
/// So far into the index it says what the page has.
const INDEX_HEAD: usize = 200;
const APP_LINKS: &str = "<link rel=\"manifest\" href=\"page/{state}/manifest.webmanifest\">\n\
    <link rel=\"apple-touch-icon\" href=\"page/{state}/icon-192.png\">\n";

/// A file as it is sent.
#[derive(Debug)]
pub struct Asset {
    /// The type of its content.
    pub kind: &'static str,
    /// Names its content.
    pub tag: String,
    /// The content.
    pub plain: Bytes,
    /// The content by gzip.
    pub packed: Bytes,
}

/// All files, compressed once.
#[derive(Debug)]
pub struct Page {
    /// Names this state of the files: it is part of their paths, so that they can be kept for good.
    pub state: String,
    /// What the page may load.
    pub policy: &'static str,
    /// The page itself.
    pub index: Asset,
    /// What keeps the page at hand for when there is no network.
    pub worker: Option<Asset>,
    /// All else, by name.
    pub files: BTreeMap<&'static str, Asset>,
}

/// The module of the judge in a file.
pub fn judge_in(file: &Path) -> Result<Vec<u8>, StartError> {
    let name = file.display();
    let module = fs::read(file).map_err(|error| {
        StartError(both!(
            "the judge `{name}` cannot be read: {error}",
            "裁决模块“{name}”读不出来：{error}",
        ))
    })?;
    if module.starts_with(b"\0asm") {
        Ok(module)
    } else {
        Err(StartError(both!(
            "`{name}` is no WebAssembly module: bindings/wasm/run makes `qili.wasm`",
            "“{name}”不是WebAssembly模块：`qili.wasm`由bindings/wasm/run制成",
        )))
    }
}

impl Asset {
    fn new(name: &str, content: Vec<u8>) -> Self {
        let ending = name.rsplit('.').next().unwrap_or_default();
        let kind = match ending {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "wasm" => "application/wasm",
            "webmanifest" => "application/manifest+json",
            _ => "text/plain; charset=utf-8",
        };
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder
            .write_all(&content)
            .and_then(|()| encoder.finish())
            .unwrap_or_default();
        Self {
            kind,
            tag: name_of(&[&content]),
            plain: content.into(),
            packed: packed.into(),
        }
    }
}

impl Page {
    /// The page of a service, which rules by itself where it is given a judge.
    pub fn served(judge: Option<Vec<u8>>) -> Self {
        Self::new(judge, true)
    }

    /// The page without a service.
    pub fn alone(judge: Vec<u8>) -> Self {
        Self::new(Some(judge), false)
    }

    fn new(judge: Option<Vec<u8>>, has_server: bool) -> Self {
        let judges = judge.is_some();
        let mut contents = contents_of(&FILES);
        contents.insert("outlines.txt", diagram::OUTLINES.as_bytes().to_vec());
        if let Some(judge) = judge {
            contents.extend(contents_of(&APP));
            contents.extend(GLUE.map(|(name, text)| (name, text.as_bytes().to_vec())));
            contents.insert("qili.wasm", judge);
        }
        let all = contents.values().map(Vec::as_slice);
        let mut state = name_of(&all.collect::<Vec<_>>());
        state.truncate(16);
        let index = contents.remove("index.html").unwrap_or_default();
        let worker = contents.remove(WORKER);
        let names: Vec<_> = contents
            .keys()
            .map(|name| format!("page/{state}/{name}"))
            .collect();
        let worker = worker.map(|worker| {
            let told = String::from_utf8_lossy(&worker).replace(STATE, &state);
            Asset::new(WORKER, told.replace(NAMES, &names.join(" ")).into_bytes())
        });
        let policy = if judges { JUDGING_POLICY } else { POLICY };
        let has = match (has_server, judges) {
            (true, true) => "server judge",
            (true, false) => "server",
            (false, _) => "judge",
        };
        let mut links = if judges { APP_LINKS } else { "" }.to_owned();
        if !has_server {
            // Where nobody sends it with the page, the page says it; frames are the only thing it cannot.
            let policy = policy.replace(" frame-ancestors 'none';", "");
            let meta = "<meta http-equiv=\"Content-Security-Policy\"";
            links = format!("{meta} content=\"{policy}\">\n{links}");
        }
        let index = String::from_utf8_lossy(&index).replace(HAS, has);
        let index = index.replace(LINKS, &links).replace(STATE, &state);
        let files = contents.into_iter();
        Self {
            index: Asset::new("index.html", index.into_bytes()),
            files: files
                .map(|(name, content)| (name, Asset::new(name, content)))
                .collect(),
            worker,
            policy,
            state,
        }
    }

    /// Whether a file is the index of such a page, of whatever state, that stands alone.
    pub fn is_index(file: &[u8]) -> bool {
        let head = file.get(..INDEX_HEAD).unwrap_or(file);
        String::from_utf8_lossy(head).contains("data-has=\"judge\"")
    }

    /// Every file with its path; the index comes last, when all it names is there.
    pub fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        let named = self.files.iter();
        let files = named.map(|(name, file)| (format!("page/{}/{name}", self.state), file));
        let worker = self.worker.iter().map(|file| (WORKER.to_owned(), file));
        let index = [("index.html".to_owned(), &self.index)];
        let all = files.chain(worker).chain(index);
        all.map(|(path, file)| (path, &*file.plain))
    }
}

fn contents_of(folder: &'static Dir<'static>) -> BTreeMap<&'static str, Vec<u8>> {
    let files = folder.files();
    files
        .filter_map(|file| Some((file.path().to_str()?, file.contents().to_vec())))
        .collect()
}

fn name_of(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    format!("{:.32}", hex(&digest.finalize()))
}

#[cfg(test)]
mod tests {
    use super::Page;

    /// What a browser loads, compressed.
    const MOST: usize = 160 << 10;
    const MODULE: &[u8] = b"\0asm a judge";

    #[test]
    fn the_page_is_light_and_whole() {
        let page = Page::served(None);
        let sent: usize = page.files.values().map(|file| file.packed.len()).sum();
        let sent = sent + page.index.packed.len();
        assert!(sent < MOST, "{sent} bytes");
        assert!(sent > 10_000, "{sent} bytes");
    }

    #[test]
    fn the_index_names_files_there_are() {
        for page in [
            Page::served(None),
            Page::served(Some(MODULE.to_vec())),
            Page::alone(MODULE.to_vec()),
        ] {
            let index = String::from_utf8(page.index.plain.to_vec()).unwrap();
            let prefix = format!("page/{}/", page.state);
            let named: Vec<_> = index.split(&prefix).skip(1).collect();
            assert!(named.len() > 1);
            for rest in named {
                let name = rest.split('"').next().unwrap();
                assert!(page.files.contains_key(name), "{name}");
            }
            assert!(!index.contains('{'), "{index}");
            let handles = |word: &str| word.starts_with("on") && word.contains('=');
            assert!(!index.split_whitespace().any(handles));
            assert!(!index.contains("<style") && !index.contains(" style="));
        }
    }

    #[test]
    fn a_page_with_a_judge_keeps_every_file_of_its_at_hand_and_one_without_none() {
        let page = Page::alone(MODULE.to_vec());
        let worker = page.worker.as_ref().unwrap();
        let script = String::from_utf8(worker.plain.to_vec()).unwrap();
        for name in page.files.keys() {
            let path = format!("page/{}/{name}", page.state);
            let listed = script.split(['\'', ' ']).any(|word| word == path);
            assert!(listed, "{name}");
        }
        let other = Page::alone(b"\0asm another".to_vec());
        assert_ne!(page.state, other.state);
        let index = String::from_utf8(page.index.plain.to_vec()).unwrap();
        assert!(Page::is_index(index.as_bytes()) && index.contains("Content-Security-Policy"));
        assert!(!Page::is_index(&Page::served(None).index.plain) && !Page::is_index(b"<html>"));
        let last = page.files().last().unwrap();
        assert_eq!(
            (last.0.as_str(), last.1),
            ("index.html", &*page.index.plain)
        );
        let without = Page::served(None);
        assert!(without.worker.is_none());
        assert!(!without.files.contains_key("manifest.webmanifest"));
        assert!(!without.policy.contains("wasm"));
    }
}
