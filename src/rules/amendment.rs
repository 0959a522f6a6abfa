//! Amendments: small files that change a rule book, as data over a base that stays as it was.
//!
//! ```
//! use qili::rules::{Amendment, Catalog};
//! let amendment = Amendment::read("draft.toml", r#"
//!     id = "kills-count-less"
//!     title = { zh = "杀不为打", en = "Kills do not count" }
//!     reason = { zh = "试拟", en = "A trial" }
//!     effective = ""
//!     base = "cxa-1999"
//!     [definitions]
//!     kill_is_attack = false
//! "#).unwrap();
//! let base = Catalog::builtin().get("cxa-1999")?;
//! let amended = base.amended(&amendment).unwrap();
//! assert_eq!(amended.book.id, "cxa-1999+kills-count-less");
//! assert_ne!(amended.digest, base.digest);
//! let book = &amended.book;
//! assert_eq!(book.origin_of("definitions.kill_is_attack"), "kills-count-less");
//! assert_eq!(book.origin_of("definitions.pawn_upgrade"), "cxa-1999");
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```

use super::book::{Article, NaturalLimit, RuleBook, Unwritten, VerdictRow};
use super::catalog::{Catalog, LoadedBook, UnknownBook};
use super::draft::{Complaint, bad_date, bad_id, empty, is_date, is_plain_id};
use super::fault::{Fault, FaultCode, told};
use super::fit::fit;
use super::names::{Ground, Situation};
use super::parts;
use super::reader::{Kind, Lines, Reader};
use crate::language::{Text, both};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The amendments that come with the program, as examples to work from: file name and text.
pub const EXAMPLES: &[(&str, &str)] = &[
    (
        "dodging-by-result.toml",
        include_str!("amendments/dodging-by-result.toml"),
    ),
    (
        "pawn-upgrade-struck.toml",
        include_str!("amendments/pawn-upgrade-struck.toml"),
    ),
    (
        "kills-permitted.toml",
        include_str!("amendments/kills-permitted.toml"),
    ),
];

/// What an amendment changes in a rule book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amendment {
    /// Its id; the amended book is called `<base>+<id>`.
    pub id: String,
    /// Its title.
    pub title: Text,
    /// Why it is made.
    pub reason: Text,
    /// Since when it is in force; empty where that is open.
    #[serde(default)]
    pub effective: String,
    /// The book it changes: `cxa-1999`, a version of it `cxa-1999@1.1.0`, or a book that is
    /// amended itself. It fits that book with further amendments in between, too.
    pub base: String,
    /// The parameters with their new values.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub definitions: Map<String, Value>,
    /// The articles it strikes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strike: Vec<String>,
    /// The articles it adds, or puts in the place of those of the same number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub articles: Vec<Article>,
    /// The verdict rows it puts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub verdicts: BTreeMap<Situation, VerdictRow>,
    /// The clauses it puts behind grounds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grounds: BTreeMap<Ground, Vec<String>>,
    /// The natural move limit it puts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural_limit: Option<NaturalLimit>,
    /// The parameters it says no clause speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<Unwritten>,
    /// Where that was read.
    #[serde(skip)]
    source: Source,
}

/// The file an amendment was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Source {
    file: String,
    lines: Option<Lines>,
}

const REQUIRED: &[&str] = &["id", "title", "reason", "effective", "base"];
const OPTIONAL: &[&str] = &[
    "definitions",
    "strike",
    "articles",
    "verdicts",
    "grounds",
    "natural_limit",
    "unwritten",
];

/// As much of an amendment as can be read; a whole book is none.
fn read(file: &str, text: &str) -> Result<(Reader, Amendment), Vec<Fault>> {
    let mut whole = Reader::new(file, text);
    let document = whole.parse(text);
    let section = whole.section(document.get_ref(), "", REQUIRED, OPTIONAL);
    if whole.kind(document.get_ref()) == Some(Kind::Book) {
        let message = both!(
            "the file is a whole rule book, not an amendment: it names no `base` that it changes",
            "此文件是整部规则，不是修订：没有写明所修订的 base"
        );
        return Err(whole.only("/edition", FaultCode::UnknownKey, message));
    }
    let reader = &mut whole;
    let mut amendment = Amendment {
        id: parts::word(reader, &section, "id"),
        title: parts::text(reader, &section, "title"),
        reason: parts::text(reader, &section, "reason"),
        effective: parts::word(reader, &section, "effective"),
        base: parts::word(reader, &section, "base"),
        definitions: parts::definitions(reader, &section, false),
        strike: parts::words(reader, &section, "strike"),
        articles: parts::articles(reader, &section, "articles"),
        verdicts: parts::verdicts(reader, &section),
        grounds: parts::grounds(reader, &section),
        natural_limit: parts::natural_limit(reader, &section),
        unwritten: parts::unwritten(reader, &section),
        source: Source::default(),
    };
    amendment.source = Source {
        file: file.to_owned(),
        lines: Some(reader.lines.clone()),
    };
    Ok((whole, amendment))
}

impl Amendment {
    /// Reads an amendment; `file` is the name its faults go by.
    ///
    /// # Errors
    /// Every fault that shows without the book it amends.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Fault>> {
        let (reader, amendment) = read(file, text)?;
        let faults = reader.finish(amendment.complaints());
        if faults.is_empty() {
            Ok(amendment)
        } else {
            Err(faults)
        }
    }

    /// What is wrong with it whatever it amends.
    fn complaints(&self) -> Vec<Complaint> {
        let mut complaints = empty("/title", &Text::default(), &self.title);
        complaints.extend(empty("/reason", &Text::default(), &self.reason));
        let mut say = |pointer: &str, code, message| {
            complaints.push(Complaint::new(pointer, code, message));
        };
        if !is_plain_id(&self.id) {
            say("/id", FaultCode::BadId, bad_id(&self.id));
        }
        if !is_date(&self.effective) {
            say("/effective", FaultCode::BadDate, bad_date(&self.effective));
        }
        let idle = self.definitions.is_empty()
            && self.strike.is_empty()
            && self.articles.is_empty()
            && self.verdicts.is_empty()
            && self.grounds.is_empty()
            && self.natural_limit.is_none()
            && self.unwritten.is_empty();
        if idle {
            let message = both!("the amendment changes nothing", "此修订没有改动任何内容");
            say("", FaultCode::NoChange, message);
        }
        complaints
    }

    /// That there is no such book as it amends.
    pub fn without_base(&self, unknown: &UnknownBook) -> Vec<Fault> {
        self.faults(vec![unknown_base(unknown)])
    }

    /// Faults at the lines of the file it was read from.
    fn faults(&self, complaints: Vec<Complaint>) -> Vec<Fault> {
        let lines = self.source.lines.as_ref();
        let mut faults: Vec<_> = complaints
            .into_iter()
            .map(|complaint| Fault {
                file: self.source.file.clone(),
                line: lines.and_then(|lines| lines.of(&complaint.pointer)),
                pointer: complaint.pointer,
                code: complaint.code,
                message: complaint.message.en,
                message_zh: complaint.message.zh,
            })
            .collect();
        faults.sort_by_key(|fault| fault.line);
        told(faults)
    }
}

impl RuleBook {
    /// The book with an amendment; the book itself stays as it is.
    ///
    /// # Errors
    /// Every fault by which the amendment does not fit: it is taken whole or not at all.
    pub fn amended(&self, amendment: &Amendment) -> Result<Self, Vec<Fault>> {
        let (book, complaints) = fit(self, amendment);
        let complaints = [amendment.complaints(), complaints].concat();
        match book {
            Some(book) if complaints.is_empty() => Ok(book),
            Some(_) | None => Err(amendment.faults(complaints)),
        }
    }

    /// The book with an amendment read from a file; `file` is the name the faults go by.
    ///
    /// # Errors
    /// Every fault of the file and every one by which it does not fit, together.
    pub fn amended_by_file(&self, file: &str, text: &str) -> Result<Self, Vec<Fault>> {
        let (reader, amendment) = read(file, text)?;
        let (book, complaints) = fit(self, &amendment);
        let faults = reader.finish([amendment.complaints(), complaints].concat());
        match book {
            Some(book) if faults.is_empty() => Ok(book),
            Some(_) | None => Err(faults),
        }
    }
}

impl Catalog {
    /// Whether a base is an amended one of a book that is here.
    pub fn is_of_amendment(&self, base: &str) -> bool {
        let name = base.split_once('+').map(|(name, _)| name);
        name.is_some_and(|name| self.get(name).is_ok())
    }

    /// Reads an amendment; `file` is the name its faults go by.
    ///
    /// # Errors
    /// Every fault of the file, and with them those of its base: that there is no such book, or by which it does not fit.
    pub fn read_amendment(&self, file: &str, text: &str) -> Result<Amendment, Vec<Fault>> {
        let (reader, amendment) = read(file, text)?;
        let own = amendment.complaints();
        if own.is_empty() && reader.faults.is_empty() {
            return Ok(amendment);
        }
        let base = amendment.base.as_str();
        let of_base = match self.get(base) {
            Ok(base) => fit(&base.book, &amendment).1,
            // One of an amendment that is not here may be well elsewhere.
            Err(_) if base.is_empty() || self.is_of_amendment(base) => Vec::new(),
            Err(unknown) => vec![unknown_base(&unknown)],
        };
        Err(reader.finish([own, of_base].concat()))
    }
}

/// That there is no such book to amend.
fn unknown_base(unknown: &UnknownBook) -> Complaint {
    let message = Text {
        en: unknown.to_string(),
        zh: unknown.zh(),
    };
    Complaint::new("/base", FaultCode::UnknownValue, message)
}

impl LoadedBook {
    /// The book with an amendment, under a digest of its own.
    ///
    /// # Errors
    /// Every fault by which the amendment does not fit.
    pub fn amended(&self, amendment: &Amendment) -> Result<Self, Vec<Fault>> {
        self.book.amended(amendment).map(Self::new)
    }
}
