//! A game as it was recorded.

use super::fault::{Fault, Remark};
use super::tags::canonical;
use crate::board::{Move, Position};
use crate::notation::GameResult;
use serde::{Deserialize, Serialize};

/// A game with what its record says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names as written and what they say, in order.
    pub tags: Vec<(String, String)>,
    /// Where the game starts.
    pub start: Position,
    /// The moves of the main line, each legal where it is played.
    pub moves: Vec<Move>,
    /// How it ended.
    pub result: GameResult,
    /// What is said about the moves, in their order.
    pub comments: Vec<Comment>,
    /// Other ways to play on, each behind the line it leaves.
    pub variations: Vec<Variation>,
    /// What is worth a word.
    pub remarks: Vec<Remark>,
    /// Where the record breaks off, if it does: the moves before are there.
    pub fault: Option<Fault>,
}

/// What is said about a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// How many moves of the line come before: 0 for what is said before the first.
    pub after: usize,
    /// What is said.
    pub text: String,
}

/// Moves that might have been played instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The variation it leaves; `None` for the main line.
    pub of: Option<usize>,
    /// How many moves of that line come before.
    pub at: usize,
    /// The moves, each legal where it is played.
    pub moves: Vec<Move>,
    /// What is said about them, counted from the variation's own first move.
    pub comments: Vec<Comment>,
}

impl Record {
    /// A game without tags or moves.
    pub const fn new(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            start,
            moves: Vec::new(),
            result: GameResult::Unknown,
            comments: Vec::new(),
            variations: Vec::new(),
            remarks: Vec::new(),
            fault: None,
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

    /// The English name of one of its tags; as written where it has none.
    pub fn english(name: &str) -> &str {
        canonical(name)
    }

    /// What a tag says, nothing where it is empty or says that it is not known.
    pub fn told(&self, name: &str) -> Option<&str> {
        let told = self.tag(name)?.trim();
        let unknown = |c: char| matches!(c, '?' | '.' | '-' | ' ');
        (!told.chars().all(unknown)).then_some(told)
    }

    /// Enters what a record says, unless it is nothing.
    pub(super) fn tell(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.tags.push((name.to_owned(), value));
        }
    }

    /// Where a variation leaves that has `at` moves of a line before it: another way to play the first
    /// move of a variation is another way to play the move that one takes the place of.
    pub(super) fn leaves(&self, of: Option<usize>, at: usize) -> (Option<usize>, usize) {
        let (mut of, mut at) = (of, at);
        while at == 0
            && let Some(variation) = of.and_then(|of| self.variations.get(of))
        {
            (of, at) = (variation.of, variation.at);
        }
        (of, at)
    }

    /// The whole game, or why it breaks off.
    pub fn whole(mut self) -> Result<Self, Fault> {
        match self.fault.take() {
            None => Ok(self),
            Some(fault) => Err(fault),
        }
    }
}

/// 1 Red wins, 2 Black wins, 3 a draw; anything else is not known.
pub(super) const fn result(number: u32) -> GameResult {
    match number {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 => GameResult::Draw,
        _ => GameResult::Unknown,
    }
}
