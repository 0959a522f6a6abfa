//! Writing XQF, version 10: the one that hides nothing, which every program reads.

use super::super::Encoding;
use super::super::pieces;
use super::super::record::{Comment, Record};
use super::{TEXTS, TREE};
use crate::board::{Side, Square};
use crate::notation::GameResult;
use std::collections::{HashMap, VecDeque};

/// What is added to the squares moves come from, and go to.
const FROM: u8 = 24;
const TO: u8 = 32;
/// Flags of a move: another follows; another might be played in its place.
const FOLLOWS: u8 = 0xF0;
const ALTERNATIVE: u8 = 0x0F;

impl Record {
    /// The game as a file of 象棋演播室, with its variations. What is too long for its field is cut.
    pub fn to_xqf(&self) -> Vec<u8> {
        let mut file = vec![0; TREE];
        let mut put = |at: usize, bytes: &[u8]| {
            if let Some(field) = file.get_mut(at..at + bytes.len()) {
                field.copy_from_slice(bytes);
            }
        };
        put(0, &[b'X', b'Q', 10]);
        // 0xFF is for those that are not on the board.
        let squares = pieces::squares(&self.start.setup());
        put(16, &squares.map(|square| square.map_or(0xFF, number)));
        put(50, &[u8::from(self.start.turn() == Side::Black)]);
        put(
            51,
            &[match self.result {
                GameResult::Unknown => 0,
                GameResult::RedWins => 1,
                GameResult::BlackWins => 2,
                GameResult::Draw => 3,
            }],
        );
        for (name, at, length) in TEXTS {
            let text = fitting(self.tag(name).unwrap_or_default(), length - 1);
            put(at, &[u8::try_from(text.len()).unwrap_or(0)]);
            put(at + 1, &text);
        }
        self.write_tree(&mut file);
        file
    }

    /// Writes every move before what follows it, and that before what else might be played.
    fn write_tree(&self, file: &mut Vec<u8>) {
        let opening = said(&self.comments, 0);
        let root = Square::new(0, 0).map_or(0, number);
        write(file, [root, root], !self.moves.is_empty(), false, &opening);
        let mut alternatives: HashMap<(Option<usize>, usize), VecDeque<usize>> = HashMap::new();
        for (index, variation) in self.variations.iter().enumerate() {
            let place = alternatives
                .entry((variation.of, variation.at))
                .or_default();
            place.push_back(index);
        }
        // What is still to be written, last first: a line, a move of it, and what else might be
        // played instead.
        let mut waiting: Vec<(Option<usize>, usize, VecDeque<usize>)> =
            vec![(None, 0, VecDeque::new())];
        while let Some((of, at, mut others)) = waiting.pop() {
            let (moves, comments) = match of.map(|of| self.variations.get(of)) {
                None => (&self.moves, &self.comments),
                Some(Some(variation)) => (&variation.moves, &variation.comments),
                Some(None) => continue,
            };
            let Some(mv) = moves.get(at) else { continue };
            if let Some(own) = alternatives.remove(&(of, at)) {
                others.extend(own);
            }
            let follows = at + 1 < moves.len();
            let squares = [number(mv.from), number(mv.to)];
            let text = said(comments, at + 1);
            write(file, squares, follows, !others.is_empty(), &text);
            if let Some(next) = others.pop_front() {
                waiting.push((Some(next), 0, others));
            }
            if follows {
                waiting.push((of, at + 1, VecDeque::new()));
            }
        }
    }
}

/// A square as the format counts: ten to a file, from Red's left corner up.
const fn number(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// As much of a text as fits into so many bytes, whole characters only.
fn fitting(text: &str, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for c in text.chars() {
        let mut utf8 = [0; 4];
        let encoded = Encoding::Gb18030.encode(c.encode_utf8(&mut utf8));
        if bytes.len() + encoded.len() > most {
            break;
        }
        bytes.extend_from_slice(&encoded);
    }
    bytes
}

/// What is said after so many moves of a line.
fn said(comments: &[Comment], after: usize) -> String {
    let said = comments.iter().filter(|comment| comment.after == after);
    let said: Vec<&str> = said.map(|comment| comment.text.as_str()).collect();
    said.join("\n")
}

fn write(file: &mut Vec<u8>, squares: [u8; 2], follows: bool, alternative: bool, text: &str) {
    let [from, to] = squares;
    let flags = if follows { FOLLOWS } else { 0 } | if alternative { ALTERNATIVE } else { 0 };
    let text = Encoding::Gb18030.encode(text);
    file.extend([from.wrapping_add(FROM), to.wrapping_add(TO), flags, 0]);
    file.extend(u32::try_from(text.len()).unwrap_or(0).to_le_bytes());
    file.extend_from_slice(&text);
}
