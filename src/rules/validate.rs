//! Reads a rule book from a file, and lists every fault it has.

use super::book::RuleBook;
use super::draft::{Complaint, Draft, complaints, is_plain_id};
use super::fault::{Fault, FaultCode};
use super::parameters::definitions_of;
use super::parts;
use super::reader::{Kind, Reader};
use crate::language::both;

const REQUIRED: &[&str] = &[
    "id",
    "version",
    "title",
    "edition",
    "effective",
    "sources",
    "definitions",
    "verdicts",
    "grounds",
    "articles",
];

/// Reads a rule book; `file` is the name the faults go by.
///
/// # Errors
/// Every fault of the file, in the order of its lines.
pub fn read_book(file: &str, text: &str) -> Result<RuleBook, Vec<Fault>> {
    let mut reader = Reader::new(file, text);
    let document = reader.parse(text);
    let section = reader.section(
        document.get_ref(),
        "",
        REQUIRED,
        &["natural_limit", "unwritten"],
    );
    if reader.kind(document.get_ref()) == Some(Kind::Amendment) {
        let message = both!(
            "the file is an amendment, not a whole rule book: it names the `base` that it changes",
            "此文件是修订，不是整部规则：其中写明了所修订的 base"
        );
        return Err(reader.only("/base", FaultCode::UnknownKey, message));
    }
    let values = parts::definitions(&mut reader, &section, true);
    let draft = Draft {
        id: parts::word(&mut reader, &section, "id"),
        version: parts::word(&mut reader, &section, "version"),
        title: parts::text(&mut reader, &section, "title"),
        edition: parts::word(&mut reader, &section, "edition"),
        effective: parts::word(&mut reader, &section, "effective"),
        sources: parts::texts(&mut reader, &section, "sources"),
        definitions: definitions_of(&values),
        values,
        verdicts: parts::verdicts(&mut reader, &section),
        grounds: parts::grounds(&mut reader, &section),
        natural_limit: parts::natural_limit(&mut reader, &section),
        unwritten: parts::unwritten(&mut reader, &section),
        articles: parts::articles(&mut reader, &section, "articles"),
    };
    let mut found = complaints(&draft);
    if draft.id.contains('+') && draft.id.split('+').all(is_plain_id) {
        let message = both!(
            "`id` is `{}`, but `+` stands in the names of amended books only",
            "`id` 是“{}”，但 `+` 只用于修订后的规则之名",
            draft.id
        );
        found.push(Complaint::new("/id", FaultCode::BadId, message));
    }
    let faults = reader.finish(found);
    match draft.book() {
        Some(book) if faults.is_empty() => Ok(book),
        Some(_) | None => Err(faults),
    }
}
