//! A score sheet as it was written down, read.

use crate::board::{Move, Position};
use crate::http::desk::state::State;
use crate::http::desk::work::answer;
use crate::http::edge::failures::{BodyFailures, Busy, Failures};
use crate::http::edge::problem::ApiError;
use crate::http::intake::body;
use crate::notation::fen::{self, FenError};
use crate::notation::pgn::{PgnError, PgnReader, RawGame};
use crate::notation::{ListError, Location, Notation, read_move, split_moves, write_move};
use crate::rules::Text;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A text to be read.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// A FEN, moves in any notation, both, or a game record (PGN).
    #[schema(example = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w 车四平五 将5平6")]
    text: String,
    /// Which game of a record, from 1; the first where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
}

/// What a text is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A position.
    Fen,
    /// Moves, perhaps behind a position.
    Moves,
    /// A game record.
    Pgn,
}

/// A move that was read.
#[derive(Serialize, ToSchema)]
pub struct ReadMove {
    /// The move.
    #[schema(example = "f0e0")]
    iccs: String,
    /// The move in Chinese.
    chinese: String,
}

/// What stopped the reading, and where.
#[derive(Serialize, ToSchema)]
pub struct ReadFault {
    /// A stable name, in snake case.
    code: &'static str,
    /// What is wrong.
    detail: Text,
    /// The move at fault, 0 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// The line of the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The character of the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

/// As much of a text as could be read.
#[derive(Serialize, ToSchema)]
pub struct Reading {
    /// What it is.
    form: Form,
    /// How many games it has.
    games: u64,
    /// What the tags of a record say, under their English names.
    tags: BTreeMap<String, String>,
    /// The start position; null where that is what is wrong.
    fen: Option<String>,
    /// The moves, up to the one at fault.
    moves: Vec<ReadMove>,
    /// What stopped the reading; null where all was read.
    fault: Option<ReadFault>,
}

/// Read a score sheet
///
/// A FEN, moves in any notation, or a game record: what it is, the start position, and every move
/// as ICCS and in Chinese. Where something cannot be read, what comes before it is given all the
/// same, with the fault and its place.
#[utoipa::path(post, path = "/v1/games:read", tag = "games", request_body = Sheet, responses(
    (status = 200, description = "What it says, as far as it can be read.", body = Reading), BodyFailures, Busy, Failures))]
pub async fn read(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let found = answer(state, request, payload, |state, text, _| {
        let sheet: Sheet = body::json(text)?;
        Ok(sheet.reading(state.settings.max_moves))
    });
    found.await
}

impl From<&FenError> for ReadFault {
    fn from(error: &FenError) -> Self {
        Self {
            code: error.code(),
            detail: Text {
                zh: error.zh(),
                en: error.to_string(),
            },
            index: None,
            line: None,
            column: None,
        }
    }
}

impl ReadFault {
    fn placed(mut self, index: Option<usize>, location: Location) -> Self {
        self.index = index;
        self.line = Some(location.line);
        self.column = Some(location.column);
        self
    }

    fn told(code: &'static str, zh: String, en: String) -> Self {
        let detail = Text { zh, en };
        Self {
            code,
            detail,
            index: None,
            line: None,
            column: None,
        }
    }
}

impl From<ListError> for ReadFault {
    fn from(error: ListError) -> Self {
        let told = Self::told(error.code(), error.zh(), error.to_string());
        told.placed(Some(error.index), error.location)
    }
}

impl From<PgnError> for ReadFault {
    fn from(error: PgnError) -> Self {
        let told = Self::told(error.code(), error.zh(), error.to_string());
        told.placed(error.index, error.location)
    }
}

impl Sheet {
    fn reading(&self, most: usize) -> Reading {
        if self.text.trim_start().starts_with('[') {
            return self.record(most);
        }
        let (head, rest) = parted(&self.text);
        let mut reading = Reading {
            form: Form::Moves,
            games: 1,
            tags: BTreeMap::new(),
            fen: None,
            moves: Vec::new(),
            fault: None,
        };
        let start = head.as_deref().map_or(Ok(Position::start()), fen::parse);
        if head.is_some() && rest.trim().is_empty() {
            reading.form = Form::Fen;
        }
        match start {
            Ok(start) => reading.play(&start, &rest, most),
            Err(error) => reading.fault = Some(ReadFault::from(&error)),
        }
        reading
    }

    fn record(&self, most: usize) -> Reading {
        let mut reading = Reading {
            form: Form::Pgn,
            games: 0,
            tags: BTreeMap::new(),
            fen: None,
            moves: Vec::new(),
            fault: None,
        };
        let wanted = self.game.unwrap_or(1).max(1);
        let mut reader = PgnReader::new(self.text.as_bytes());
        let mut raw = RawGame::default();
        loop {
            match reader.read_raw(&mut raw) {
                Ok(false) => break,
                Ok(true) => reading.games += 1,
                Err(error) => {
                    reading.games += 1;
                    if reading.games == wanted {
                        reading.fault = Some(error.into());
                    }
                    continue;
                }
            }
            if reading.games == wanted {
                reading.take(&raw, most);
            }
        }
        if reading.games < wanted {
            let (zh, en) = (
                format!("没有第{wanted}局，共{}局", reading.games),
                format!("there is no game {wanted}, but {}", reading.games),
            );
            reading.fault = Some(ReadFault::told("game_unknown", zh, en));
        }
        reading
    }
}

impl Reading {
    /// Takes a game of a record.
    fn take(&mut self, raw: &RawGame, most: usize) {
        for tag in raw.tags() {
            self.tags
                .insert(tag.english().to_owned(), tag.value.clone().into_owned());
        }
        let fault = match raw.parse() {
            Ok(record) => return self.write(&record.start, &record.moves, most),
            Err(error) => error,
        };
        let start = raw
            .tag("FEN")
            .map_or(Ok(Position::start()), |text| fen::parse(&text));
        if let (Ok(start), Some(index)) = (start, fault.index) {
            self.play(&start, raw.movetext(), index.min(most));
        }
        self.fault = Some(fault.into());
    }

    /// Plays a list, as far as it goes.
    fn play(&mut self, start: &Position, list: &str, most: usize) {
        let texts = match split_moves(list) {
            Ok(texts) => texts,
            Err(error) => {
                self.fault = Some(error.into());
                Vec::new()
            }
        };
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (index, found) in texts.iter().enumerate().take(most.saturating_add(1)) {
            match read_move(&position, found.text) {
                Ok(mv) => {
                    position.make(mv);
                    moves.push(mv);
                }
                Err(error) => {
                    let (location, fault) = (found.location, error.into());
                    self.fault = Some(ReadFault::from(ListError {
                        index,
                        location,
                        fault,
                    }));
                    break;
                }
            }
        }
        self.write(start, &moves, most);
    }

    fn write(&mut self, start: &Position, moves: &[Move], most: usize) {
        self.fen = Some(fen::write(start));
        let mut position = start.clone();
        for &mv in moves.iter().take(most) {
            self.moves.push(ReadMove {
                iccs: mv.to_string(),
                chinese: write_move(&position, mv, Notation::Chinese),
            });
            position.make(mv);
        }
        if moves.len() > most {
            let (zh, en) = (
                format!("最多{most}着，其后未读"),
                format!("at most {most} moves are taken, the rest is not read"),
            );
            self.fault = Some(ReadFault::told("too_many_moves", zh, en));
        }
    }
}

/// The FEN of a text, and the text with blanks in its place, so that all else keeps its own.
fn parted(text: &str) -> (Option<String>, String) {
    let mut fields: Vec<(usize, &str)> = Vec::new();
    for field in text.split_whitespace() {
        // Both are slices of the same text.
        let at = field.as_ptr() as usize - text.as_ptr() as usize;
        fields.push((at, field));
    }
    let is_board = |field: &str| field.matches('/').count() >= 7;
    let Some(first) = fields.iter().position(|(_, field)| is_board(field)) else {
        return (None, text.to_owned());
    };
    let mut fen = Vec::new();
    let mut end = 0;
    for (i, &(at, field)) in fields.iter().enumerate().skip(first) {
        let belongs = match i - first {
            0 => true,
            1 => matches!(field, "w" | "r" | "b" | "W" | "R" | "B"),
            2 | 3 => field == "-",
            4 | 5 => fen.len() == i - first && field.chars().all(|c| c.is_ascii_digit()),
            _ => false,
        };
        if !belongs {
            break;
        }
        // `FEN:` may stand before it.
        let from = field.rfind([':', '=', '：', '"']).filter(|_| i == first);
        let skipped = from.and_then(|from| {
            field
                .get(from..)?
                .chars()
                .next()
                .map(|c| from + c.len_utf8())
        });
        fen.push(field.get(skipped.unwrap_or(0)..).unwrap_or(field));
        end = at + field.len();
    }
    let begin = match first.checked_sub(1).and_then(|before| fields.get(before)) {
        Some(&(at, label)) if is_label(label) => at,
        _ => fields.get(first).map_or(0, |&(at, _)| at),
    };
    let blank = |(at, c): (usize, char)| {
        if (begin..end).contains(&at) && c != '\n' {
            ' '
        } else {
            c
        }
    };
    (
        Some(fen.join(" ")),
        text.char_indices().map(blank).collect(),
    )
}

fn is_label(text: &str) -> bool {
    let name = text.trim_end_matches([':', '：', '=']);
    name.eq_ignore_ascii_case("fen") || name == "局面"
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn a_position_before_moves_is_found() {
        const BOARD: &str = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1";
        for (text, fen, moves) in [
            (BOARD.to_owned(), BOARD.to_owned(), ""),
            (format!("{BOARD} w"), format!("{BOARD} w"), ""),
            (
                format!("FEN: {BOARD} w - - 0 1"),
                format!("{BOARD} w - - 0 1"),
                "",
            ),
            (
                format!("fen={BOARD} b\n1. f0e0"),
                format!("{BOARD} b"),
                "1. f0e0",
            ),
            (
                format!("{BOARD} w 1 f0e0 e8f8"),
                format!("{BOARD} w"),
                "1 f0e0 e8f8",
            ),
            (
                format!("{BOARD} w - - 0 1 1. f0e0"),
                format!("{BOARD} w - - 0 1"),
                "1. f0e0",
            ),
        ] {
            let (head, rest) = parted(&text);
            assert_eq!(head, Some(fen), "{text}");
            assert_eq!(rest.trim(), moves, "{text}");
            assert_eq!(rest.chars().count(), text.chars().count());
        }
        assert_eq!(parted("炮二平五").0, None);
    }
}
