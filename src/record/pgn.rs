//! Writing PGN.

use super::record::{Comment, Record, Variation};
use super::tags::canonical;
use crate::board::{Position, Side};
use crate::notation::{Notation, read_move, write_move};
use std::collections::HashMap;

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
    /// The game as PGN, its moves in the notation given. Where the short form would be ambiguous,
    /// the move is written out.
    ///
    /// ```
    /// use qili::board::Position;
    /// use qili::record::Record;
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
                    // What holds zeros is taken for no text.
                    '\n' | '\r' | '\0' => pgn.push(' '),
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
        let mut variations: HashMap<(Option<usize>, usize), Vec<usize>> = HashMap::new();
        for (index, variation) in self.variations.iter().enumerate() {
            let place = variations.entry((variation.of, variation.at)).or_default();
            place.push(index);
        }
        let mut text = Movetext {
            record: self,
            notation,
            variations,
            pgn,
            column: 0,
        };
        text.line(None, &self.start, 0, 0);
        pgn.push_str(self.result.id());
        pgn.push_str("\n\n");
    }
}

/// Variations within each other are written so deep.
const DEEPEST: u32 = 32;

struct Movetext<'a> {
    record: &'a Record,
    notation: Notation,
    variations: HashMap<(Option<usize>, usize), Vec<usize>>,
    pgn: &'a mut String,
    column: usize,
}

impl Movetext<'_> {
    fn word(&mut self, word: &str) {
        const WIDTH: usize = 78;
        let length = word.chars().count();
        if self.column + length > WIDTH {
            self.pgn.push('\n');
            self.column = 0;
        }
        self.pgn.push_str(word);
        self.pgn.push(' ');
        self.column += length + 1;
    }

    fn said(&mut self, comments: &[Comment], after: usize) {
        for comment in comments.iter().filter(|comment| comment.after == after) {
            // A brace within would end the comment, and what holds zeros is taken for no text.
            let unfit = |c: char| matches!(c, '{' | '}' | '\0');
            let text = comment.text.replace(unfit, " ");
            self.word(&format!("{{{}}}", text.trim()));
        }
    }

    /// Writes a line and the variations that leave it; `ply` counts from a red first move.
    fn line(&mut self, of: Option<usize>, start: &Position, ply: usize, depth: u32) {
        let record = self.record;
        let (moves, comments) = match of.and_then(|of| record.variations.get(of)) {
            None => (&record.moves, &record.comments),
            Some(Variation {
                moves, comments, ..
            }) => (moves, comments),
        };
        let mut position = start.clone();
        let first = ply + usize::from(of.is_none() && position.turn() == Side::Black);
        let mut numbered = false;
        self.said(comments, 0);
        for (index, &mv) in moves.iter().enumerate() {
            let ply = first + index;
            let number = ply / 2 + 1;
            match position.turn() {
                Side::Red => self.word(&format!("{number}.")),
                Side::Black if !numbered => self.word(&format!("{number}. ...")),
                Side::Black => {}
            }
            numbered = true;
            let mut text = write_move(&position, mv, self.notation);
            if self.notation == Notation::Short && read_move(&position, &text).is_err() {
                text = write_move(&position, mv, Notation::Asian);
            }
            self.word(&text);
            self.said(comments, index + 1);
            if let Some(others) = self.variations.remove(&(of, index))
                && depth < DEEPEST
            {
                for other in others {
                    self.pgn.push('(');
                    self.column += 1;
                    self.line(Some(other), &position, ply, depth + 1);
                    if self.pgn.ends_with(' ') {
                        self.pgn.pop();
                    }
                    self.pgn.push_str(") ");
                    self.column += 1;
                }
                numbered = false;
            }
            position.make(mv);
        }
    }
}
