//! Records as they are read: one text, or the games of a file.

use super::error::RequestError;
use crate::language::both;
use crate::notation::{Notation, fen, write_move};
use crate::record::{Fault, FaultKind, Form as Told, Place, Reader, Record, Remark};
use crate::rules::Text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A text to be read.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// A FEN, moves in any notation, both, or a game record in words (PGN, 东萍 UBB, `position … moves …`,
    /// a chessdb.cn link).
    #[cfg_attr(
        feature = "openapi",
        schema(example = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w 车四平五 将5平6")
    )]
    pub text: String,
    /// Which game of a record, from 1; the first where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>, maximum = 4_294_967_295.0))]
    pub game: Option<u32>,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReadMove {
    /// The move.
    #[cfg_attr(feature = "openapi", schema(example = "f0e0"))]
    pub iccs: String,
    /// The move in Chinese.
    pub chinese: String,
}

/// What stopped the reading, and where.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReadFault {
    /// A stable name, in snake case.
    pub code: &'static str,
    /// What is wrong.
    pub detail: Text,
    /// The move at fault, 0 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The line of the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The character of the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The moves that could be meant, where the one at fault is a piece's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<ReadMove>,
}

/// As much of a text as could be read.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reading {
    /// What it is.
    pub form: Form,
    /// How many games it has.
    pub games: u64,
    /// What the tags of a record say, under their English names.
    pub tags: BTreeMap<String, String>,
    /// The start position; null where that is what is wrong.
    pub fen: Option<String>,
    /// The moves, up to the one at fault.
    pub moves: Vec<ReadMove>,
    /// What stopped the reading; null where all was read.
    pub fault: Option<ReadFault>,
    /// What is worth a word about what was read all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<ReadRemark>,
}

/// Something about a record that was read all the same.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReadRemark {
    /// A stable name, in snake case.
    pub code: &'static str,
    /// What it is.
    pub detail: Text,
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

impl From<&Fault> for ReadFault {
    fn from(fault: &Fault) -> Self {
        let (line, column) = match fault.place {
            Place::Text(location) => (Some(location.line), Some(location.column)),
            Place::Byte(_) => (None, None),
        };
        let detail = fault.of_the_game();
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
    const fn told(code: &'static str, detail: Text) -> Self {
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
    /// As much of it as can be read, of a game so many moves.
    pub fn reading(&self, most: usize) -> Reading {
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
            let told = match reading.games {
                0 => both!("there is no game in it", "其中没有棋局"),
                1 => both!(
                    "there is no game {wanted}, only one",
                    "没有第{wanted}局，只有一局"
                ),
                games => both!(
                    "there is no game {wanted}, but {games}",
                    "没有第{wanted}局，共{games}局"
                ),
            };
            reading.fault = Some(ReadFault::told("game_unknown", told));
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
            let told = both!(
                "at most {most} moves are taken, the rest is not read",
                "最多{most}着，其后未读"
            );
            self.fault = Some(ReadFault::told("too_many_moves", told));
        }
    }
}

/// Games a list may have.
const MOST_LISTED: usize = 2_000;
/// Moves the games of a list may have together.
const MOST_LISTED_MOVES: usize = 200_000;

/// A game of a file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedGame {
    /// Its place in the file, 0 for the first.
    pub index: u64,
    /// What it is called, where its record says so.
    pub title: String,
    /// Who had Red.
    pub red: String,
    /// Who had Black.
    pub black: String,
    /// Where it was played.
    pub event: String,
    /// When.
    pub date: String,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[cfg_attr(feature = "openapi", schema(example = "1-0"))]
    pub result: &'static str,
    /// Where it starts; empty where that is what is wrong.
    pub fen: String,
    /// The moves, as far as they can be read.
    pub moves: Vec<String>,
    /// What stopped the reading; null where all was read.
    pub fault: Option<ReadFault>,
}

/// The games of a file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameList {
    /// What the file is.
    pub form: Form,
    /// The games, in their order.
    pub games: Vec<ListedGame>,
    /// Whether there are more than a list may have.
    pub more: bool,
}

impl GameList {
    /// The games of a file, of each as many moves as are taken, while it goes on.
    ///
    /// # Errors
    /// It is no record at all.
    pub fn of(file: &[u8], most: usize, goes_on: impl Fn() -> bool) -> Result<Self, RequestError> {
        let mut reader = Reader::new(file);
        let form = reader
            .form()
            .map_err(|fault| RequestError::of_file(&fault))?;
        let (mut games, mut moves, mut more) = (Vec::new(), 0, false);
        for (index, found) in (0u64..).zip(reader) {
            if games.len() == MOST_LISTED || moves >= MOST_LISTED_MOVES || !goes_on() {
                more = true;
                break;
            }
            match found {
                Err(fault) if fault.is_heading() => {}
                Err(fault) if matches!(fault.kind, FaultKind::NoRecord(_)) && games.is_empty() => {
                    return Err(RequestError::of_file(&fault));
                }
                found => {
                    let game = ListedGame::of(index, found, most);
                    moves += game.moves.len();
                    games.push(game);
                }
            }
        }
        let form = form.into();
        Ok(Self { form, games, more })
    }
}

impl ListedGame {
    /// A game of a file as it was found, with so many moves at most.
    pub fn of(index: u64, found: Result<Record, Fault>, most: usize) -> Self {
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
