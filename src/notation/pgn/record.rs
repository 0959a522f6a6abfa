//! A game read from a record, and written back as one.

use super::super::read::read_move;
use super::super::scan::GameResult;
use super::super::write::{Notation, write_move};
use crate::board::{Move, Position, Side};

/// A game with its tags. Comments and variations of the record it was read from are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names as written and what they say, in order.
    pub tags: Vec<(String, String)>,
    /// Where the game starts.
    pub start: Position,
    /// The moves, each legal where it is played.
    pub moves: Vec<Move>,
    /// How it ended.
    pub result: GameResult,
}

/// The Chinese names of tags.
const TAGS: [(&str, &str); 34] = [
    ("赛事", "Event"),
    ("賽事", "Event"),
    ("比赛", "Event"),
    ("比賽", "Event"),
    ("棋赛", "Event"),
    ("地点", "Site"),
    ("地點", "Site"),
    ("日期", "Date"),
    ("时间", "Date"),
    ("轮次", "Round"),
    ("輪次", "Round"),
    ("红方", "Red"),
    ("紅方", "Red"),
    ("红", "Red"),
    ("先手", "Red"),
    ("黑方", "Black"),
    ("黑", "Black"),
    ("后手", "Black"),
    ("红队", "RedTeam"),
    ("红方团体", "RedTeam"),
    ("黑队", "BlackTeam"),
    ("黑方团体", "BlackTeam"),
    ("结果", "Result"),
    ("結果", "Result"),
    ("局面", "FEN"),
    ("开局局面", "FEN"),
    ("初始局面", "FEN"),
    ("格式", "Format"),
    ("记谱", "Format"),
    ("开局", "Opening"),
    ("開局", "Opening"),
    ("变例", "Variation"),
    ("标题", "Title"),
    ("棋类", "Game"),
];

/// English names that are looked for, however they are capitalised.
const ENGLISH: [&str; 4] = ["FEN", "Result", "Format", "Red"];

/// The English name of a tag written in Chinese; else the name as written.
pub(super) fn canonical(name: &str) -> &str {
    if name.is_ascii() {
        if name.eq_ignore_ascii_case("White") {
            return "Red";
        }
        let known = ENGLISH
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name));
        return known.unwrap_or(name);
    }
    TAGS.iter()
        .find(|(chinese, _)| *chinese == name)
        .map_or(name, |(_, english)| english)
}

/// The name the `Format` tag gives a notation.
const fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::Iccs | Notation::IccsDashed => "ICCS",
        Notation::Chinese | Notation::Traditional => "Chinese",
        Notation::English => "WXF",
        Notation::Asian => "Asian",
        Notation::Short => "Short",
    }
}

impl Record {
    /// A game without tags or moves.
    pub const fn new(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            start,
            moves: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// What a tag says, its name in English; it is found under its Chinese name too.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let name = canonical(name);
        let found = |tag: &&(String, String)| canonical(&tag.0).eq_ignore_ascii_case(name);
        self.tags
            .iter()
            .find(found)
            .map(|(_, value)| value.as_str())
    }

    /// The game as PGN, its moves in the notation given. Where the short form would be ambiguous,
    /// the move is written out.
    ///
    /// ```
    /// use qili::board::Position;
    /// use qili::notation::pgn::Record;
    /// use qili::notation::{Notation, read_list};
    /// let mut game = Record::new(Position::start());
    /// game.tags.push(("红方".to_owned(), "甲".to_owned()));
    /// game.moves = read_list(&game.start, "h2e2 h9g7")?;
    /// assert_eq!(
    ///     game.write(Notation::Chinese),
    ///     "[红方 \"甲\"]\n[Result \"*\"]\n[Format \"Chinese\"]\n\n1. 炮二平五 马8进7 *\n\n"
    /// );
    /// # Ok::<_, qili::notation::ListError>(())
    /// ```
    pub fn write(&self, notation: Notation) -> String {
        let mut pgn = String::new();
        let mut tag = |name: &str, value: &str| {
            let name: String = name
                .chars()
                .filter(|&c| !c.is_whitespace() && !"[]\"“”＂".contains(c))
                .collect();
            pgn.push('[');
            pgn.push_str(if name.is_empty() { "?" } else { &name });
            pgn.push_str(" \"");
            for c in value.chars() {
                match c {
                    '"' | '\\' => pgn.extend(['\\', c]),
                    '\n' | '\r' => pgn.push(' '),
                    _ => pgn.push(c),
                }
            }
            pgn.push_str("\"]\n");
        };
        for (name, value) in &self.tags {
            if !matches!(canonical(name), "Result" | "FEN" | "Format") {
                tag(name, value);
            }
        }
        tag("Result", self.result.id());
        if self.start != Position::start() {
            tag("FEN", &self.start.setup().to_string());
        }
        tag("Format", format_name(notation));
        pgn.push('\n');
        self.write_moves(notation, &mut pgn);
        pgn
    }

    fn write_moves(&self, notation: Notation, pgn: &mut String) {
        const WIDTH: usize = 78;
        let mut column = 0;
        let mut word = |word: &str| {
            let length = word.chars().count();
            if column + length > WIDTH {
                pgn.push('\n');
                column = 0;
            }
            pgn.push_str(word);
            pgn.push(' ');
            column += length + 1;
        };
        let mut position = self.start.clone();
        let mut number = 1;
        for (index, &mv) in self.moves.iter().enumerate() {
            match position.turn() {
                Side::Red => word(&format!("{number}.")),
                Side::Black => {
                    if index == 0 {
                        word("1. ...");
                    }
                    number += 1;
                }
            }
            let mut text = write_move(&position, mv, notation);
            if notation == Notation::Short && read_move(&position, &text).is_err() {
                text = write_move(&position, mv, Notation::Asian);
            }
            word(&text);
            position.make(mv);
        }
        pgn.push_str(self.result.id());
        pgn.push_str("\n\n");
    }
}
