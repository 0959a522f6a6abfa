//! A score sheet as it was written down, read.

use crate::http::desk::state::State;
use crate::http::desk::work::answer;
use crate::http::edge::failures::{BodyFailures, Busy, Failures};
use crate::http::edge::problem::ApiError;
use crate::http::intake::body;
use crate::notation::{Notation, fen, write_move};
use crate::record::{Fault, FaultKind, Form as Told, Place, Reader, Record, Remark};
use crate::rules::Text;
use crate::wire::RequestError;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A text to be read.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// A FEN, moves in any notation, both, or a game record in words (PGN, 东萍 UBB, `position … moves …`,
    /// a chessdb.cn link).
    #[schema(example = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w 车四平五 将5平6")]
    text: String,
    /// Which game of a record, from 1; the first where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>, maximum = 4_294_967_295.0)]
    game: Option<u32>,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A position.
    Fen,
    /// Moves, perhaps behind a position.
    Moves,
    /// A game record with tags.
    Pgn,
    /// A file of 象棋演播室.
    Xqf,
    /// A library of 象棋桥.
    Cbl,
    /// A game of 象棋桥.
    Cbr,
    /// A game or a library of 象棋桥 2.
    Cbridge,
    /// A game as XML.
    Cbf,
    /// 东萍 UBB.
    Dhtmlxq,
    /// `position … moves …`.
    Position,
    /// Links to chessdb.cn.
    Chessdb,
    /// Rows of JSON.
    Ndjson,
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
    /// The moves that could be meant, where the one at fault is a piece's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<ReadMove>,
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
    /// What is worth a word about what was read all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<ReadRemark>,
}

/// Something about a record that was read all the same.
#[derive(Serialize, ToSchema)]
pub struct ReadRemark {
    /// A stable name, in snake case.
    code: &'static str,
    /// What it is.
    detail: Text,
}

impl From<&Remark> for ReadRemark {
    fn from(remark: &Remark) -> Self {
        let detail = Text {
            zh: remark.zh(),
            en: remark.to_string(),
        };
        Self {
            code: remark.code(),
            detail,
        }
    }
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

impl From<&Fault> for ReadFault {
    fn from(fault: &Fault) -> Self {
        let (line, column) = match fault.place {
            Place::Text(location) => (Some(location.line), Some(location.column)),
            Place::Byte(_) => (None, None),
        };
        let (zh, en) = fault.of_the_game();
        let detail = Text { zh, en };
        let choices = if let FaultKind::Move(error) = &fault.kind {
            error.moves.as_slice()
        } else {
            &[]
        };
        let choices = choices.iter().map(|choice| ReadMove {
            iccs: choice.mv.to_string(),
            chinese: choice.chinese.clone(),
        });
        Self {
            code: fault.code(),
            detail,
            index: fault.index,
            line,
            column,
            choices: choices.collect(),
        }
    }
}

impl ReadFault {
    fn told(code: &'static str, zh: String, en: String) -> Self {
        let detail = Text { zh, en };
        Self {
            code,
            detail,
            index: None,
            line: None,
            column: None,
            choices: Vec::new(),
        }
    }
}

impl From<Told> for Form {
    fn from(form: Told) -> Self {
        match form {
            Told::Xqf => Self::Xqf,
            Told::Cbl => Self::Cbl,
            Told::Cbr => Self::Cbr,
            Told::OldBridge => Self::Cbridge,
            Told::Cbf => Self::Cbf,
            Told::Dhtmlxq => Self::Dhtmlxq,
            Told::Sheet => Self::Pgn,
            Told::Lines => Self::Position,
            Told::Links => Self::Chessdb,
            Told::Rows => Self::Ndjson,
        }
    }
}

impl Sheet {
    fn reading(&self, most: usize) -> Reading {
        let mut reading = Reading {
            form: Form::Moves,
            games: 0,
            tags: BTreeMap::new(),
            fen: None,
            moves: Vec::new(),
            fault: None,
            remarks: Vec::new(),
        };
        let wanted = u64::from(self.game.unwrap_or(1).max(1));
        let mut reader = Reader::new(self.text.as_bytes());
        let tagged = self.text.trim_start().starts_with('[');
        match reader.form() {
            Ok(Told::Sheet) if !tagged => {}
            Ok(form) => reading.form = form.into(),
            Err(Fault {
                kind: FaultKind::NoRecord(_),
                ..
            }) if self.text.trim().is_empty() => {
                reading.fen = Some(fen::write(&crate::board::Position::start()));
                reading.games = 1;
                return reading;
            }
            Err(_) => {}
        }
        for found in reader {
            reading.games += 1;
            if reading.games == wanted {
                match found {
                    Ok(record) => reading.take(&record, most),
                    Err(fault) => reading.fault = Some(ReadFault::from(&fault)),
                }
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
    /// Takes a game, as far as it goes.
    fn take(&mut self, record: &Record, most: usize) {
        for (name, value) in &record.tags {
            let name = Record::english(name).to_owned();
            self.tags.entry(name).or_insert_with(|| value.clone());
        }
        self.fen = Some(fen::write(&record.start));
        self.fault = record.fault.as_ref().map(ReadFault::from);
        self.remarks = record.remarks.iter().map(ReadRemark::from).collect();
        if self.form == Form::Moves && record.moves.is_empty() && self.fault.is_none() {
            self.form = Form::Fen;
        }
        let mut position = record.start.clone();
        for &mv in record.moves.iter().take(most) {
            self.moves.push(ReadMove {
                iccs: mv.to_string(),
                chinese: write_move(&position, mv, Notation::Chinese),
            });
            position.make(mv);
        }
        if record.moves.len() > most {
            let (zh, en) = (
                format!("最多{most}着，其后未读"),
                format!("at most {most} moves are taken, the rest is not read"),
            );
            self.fault = Some(ReadFault::told("too_many_moves", zh, en));
        }
    }
}

/// Games a list may have.
const MOST_LISTED: usize = 2_000;
/// Moves the games of a list may have together.
const MOST_LISTED_MOVES: usize = 200_000;

/// A game of a file.
#[derive(Serialize, ToSchema)]
pub struct ListedGame {
    /// Its place in the file, 0 for the first.
    index: u64,
    /// What it is called, where its record says so.
    title: String,
    /// Who had Red.
    red: String,
    /// Who had Black.
    black: String,
    /// Where it was played.
    event: String,
    /// When.
    date: String,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[schema(example = "1-0")]
    result: &'static str,
    /// Where it starts; empty where that is what is wrong.
    fen: String,
    /// The moves, as far as they can be read.
    moves: Vec<String>,
    /// What stopped the reading; null where all was read.
    fault: Option<ReadFault>,
}

/// A file as it is.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only described")]
pub struct GameFile(String);

/// The games of a file.
#[derive(Serialize, ToSchema)]
pub struct GameList {
    /// What the file is.
    form: Form,
    /// The games, in their order.
    games: Vec<ListedGame>,
    /// Whether there are more than a list may have.
    more: bool,
}

/// List the games of a file
///
/// The bytes of a file in any form that is read: XQF, CBL, CBR, CBF, 东萍 UBB, PGN, moves, and the rest.
/// What it is, is told by its content. At most 2,000 games and 200,000 moves are given; a game that
/// breaks off is given as far as it goes, with its fault. What is no record at all is told as such.
#[utoipa::path(post, operation_id = "list_games", path = "/v1/games:list", tag = "games",
    request_body(content = GameFile, content_type = "application/octet-stream", description = "The file as it is."),
    responses((status = 200, description = "Its games.", body = GameList), BodyFailures, Busy, Failures))]
pub async fn list(
    state: web::Data<State>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let found = answer(state, request, payload, |state, file, task| {
        let mut reader = Reader::new(&**file);
        let form = reader.form().map_err(|fault| no_record(&fault))?;
        let (mut games, mut moves, mut more) = (Vec::new(), 0, false);
        for (index, found) in (0u64..).zip(reader) {
            if games.len() == MOST_LISTED || moves >= MOST_LISTED_MOVES || !task.goes_on() {
                more = true;
                break;
            }
            match found {
                Err(fault) if fault.is_heading() => {}
                Err(fault) if matches!(fault.kind, FaultKind::NoRecord(_)) && games.is_empty() => {
                    return Err(no_record(&fault));
                }
                found => {
                    let game = ListedGame::of(index, found, state.settings.max_moves);
                    moves += game.moves.len();
                    games.push(game);
                }
            }
        }
        let form = form.into();
        Ok(GameList { form, games, more })
    });
    found.await
}

fn no_record(fault: &Fault) -> ApiError {
    let (en, zh) = (fault.kind.to_string(), fault.kind.zh());
    RequestError::at(fault.code(), None, en, zh).into()
}

impl ListedGame {
    fn of(index: u64, found: Result<Record, Fault>, most: usize) -> Self {
        let mut game = Self {
            index,
            title: String::new(),
            red: String::new(),
            black: String::new(),
            event: String::new(),
            date: String::new(),
            result: "*",
            fen: String::new(),
            moves: Vec::new(),
            fault: None,
        };
        match found {
            Err(fault) => game.fault = Some(ReadFault::from(&fault)),
            Ok(record) => {
                let told = |name| record.told(name).unwrap_or_default().to_owned();
                game.title = told("Title");
                game.red = told("Red");
                game.black = told("Black");
                game.event = told("Event");
                game.date = told("Date");
                game.result = record.result.id();
                game.fen = fen::write(&record.start);
                let moves = record.moves.iter().take(most);
                game.moves = moves.map(ToString::to_string).collect();
                game.fault = record.fault.as_ref().map(ReadFault::from);
            }
        }
        game
    }
}
