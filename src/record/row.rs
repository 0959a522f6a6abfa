//! Games as rows of JSON: one a line, as `qili convert` writes them.

use super::LONGEST_TEXT;
use super::fault::{Fault, FaultKind, Place};
use super::frame;
use super::raw::RawRecord;
use super::record::{Comment, Record};
use crate::board::Position;
use crate::notation::{Location, fen, read_move};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{BufRead, Read};

/// A game as a row.
#[derive(Serialize, Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    index: u64,
    #[serde(borrow)]
    fen: Cow<'a, str>,
    moves: Vec<String>,
    #[serde(borrow, default)]
    red: Cow<'a, str>,
    #[serde(borrow, default)]
    black: Cow<'a, str>,
    #[serde(borrow, default)]
    event: Cow<'a, str>,
    #[serde(borrow, default)]
    date: Cow<'a, str>,
    #[serde(borrow, default)]
    result: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Comment>,
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    title: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    place: Cow<'a, str>,
}

impl Record {
    /// The game as a row of JSON without the end of the line; `file` is where it stood, and `index` its
    /// place there, 0 for the first.
    pub fn to_row(&self, file: &str, index: u64) -> String {
        let told = |name| Cow::Borrowed(self.tag(name).unwrap_or_default());
        let row = Row {
            file: Cow::Borrowed(file),
            index,
            fen: Cow::Owned(fen::write(&self.start)),
            moves: self.moves.iter().map(ToString::to_string).collect(),
            red: told("Red"),
            black: told("Black"),
            event: told("Event"),
            date: told("Date"),
            result: Cow::Borrowed(self.result.id()),
            comments: self.comments.clone(),
            title: told("Title"),
            place: told("Site"),
        };
        serde_json::to_string(&row).unwrap_or_default()
    }
}

/// Cuts rows out of a file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    lines: u64,
    games: u64,
    line: Vec<u8>,
}

impl Rows {
    /// Reads the next row. False at the end of the file.
    pub(super) fn next(
        &mut self,
        input: &mut dyn BufRead,
        game: &mut RawRecord,
    ) -> Result<bool, Fault> {
        loop {
            self.line.clear();
            let most = LONGEST_TEXT as u64;
            let read = input.take(most).read_until(b'\n', &mut self.line);
            let fault = |kind| {
                let place = frame::start_of(self.lines + 1);
                Fault::new(self.games + 1, place, None, kind)
            };
            if read.map_err(|error| fault(FaultKind::Io(error.to_string())))? == 0 {
                return Ok(false);
            }
            let too_long = self.line.len() == LONGEST_TEXT && !self.line.ends_with(b"\n");
            if too_long {
                input
                    .skip_until(b'\n')
                    .map_err(|error| fault(FaultKind::Io(error.to_string())))?;
            }
            self.lines += 1;
            let line = self
                .line
                .strip_prefix(b"\xEF\xBB\xBF")
                .unwrap_or(&self.line);
            if line.trim_ascii().is_empty() {
                continue;
            }
            self.games += 1;
            (game.number, game.line) = (self.games, self.lines);
            if too_long {
                return Err(game.at_start(FaultKind::TooLong(LONGEST_TEXT)));
            }
            game.text
                .push_str(&String::from_utf8_lossy(line.trim_ascii()));
            return Ok(true);
        }
    }
}

pub(super) fn read(raw: &RawRecord) -> Result<Record, Fault> {
    let row: Row<'_> = serde_json::from_str(&raw.text).map_err(|error| {
        let column = u64::try_from(error.column()).unwrap_or(0);
        let place = Place::Text(Location {
            byte: 0,
            line: raw.line,
            column: column.max(1),
        });
        raw.fault(place, None, FaultKind::Row(error.to_string()))
    })?;
    let start = if row.fen.is_empty() {
        Position::start()
    } else {
        fen::parse(&row.fen).map_err(|error| raw.at_start(FaultKind::Fen(error)))?
    };
    let mut record = Record::new(start);
    record.result = row.result.parse().unwrap_or_default();
    for (name, value) in [
        ("Title", row.title),
        ("Event", row.event),
        ("Date", row.date),
        ("Site", row.place),
        ("Red", row.red),
        ("Black", row.black),
    ] {
        record.tell(name, value);
    }
    record.comments = row.comments;
    let mut position = record.start.clone();
    for (index, text) in row.moves.iter().enumerate() {
        match read_move(&position, text) {
            Ok(mv) => {
                position.make(mv);
                record.moves.push(mv);
            }
            Err(error) => {
                let place = frame::start_of(raw.line);
                let kind = FaultKind::Move(Box::new(error));
                record.fault = Some(raw.fault(place, Some(index), kind));
                break;
            }
        }
    }
    Ok(record)
}
