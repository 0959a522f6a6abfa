//! What a ruling says, without squares: the same however the board is turned.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::Arbiter;
use qili::board::{Move, Position, Side};
use qili::game::Cycle;
use qili::notation::fen;
use qili::rules::{Catalog, Outcome};
use qili::ruling::MoveJudged;

/// Natures (heaviest and the others), verdict and patterns of a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Essence {
    pub natures: Vec<(String, Vec<String>)>,
    pub outcome: Outcome,
    pub side: Option<Side>,
    pub patterns: Option<(&'static str, &'static str)>,
}

impl Essence {
    pub fn of(book: &str, start: &Position, line: &[Move]) -> Self {
        let loaded = Catalog::builtin().get(book).unwrap();
        let cycle = Cycle::from_period(start, line).unwrap();
        let ruling = Arbiter::new(&loaded.book).cycle(cycle);
        let judged = ruling.judged.unwrap();
        let name = |m: &MoveJudged| {
            let nature = m.finding.nature.map_or("open", qili::classify::Nature::id);
            let also = m.finding.also.iter().map(|n| n.id().to_owned()).collect();
            (nature.to_owned(), also)
        };
        Self {
            natures: judged.moves.iter().map(name).collect(),
            outcome: ruling.verdict.outcome,
            side: ruling.verdict.side,
            patterns: judged.conduct.map(|c| (c.red.pattern, c.black.pattern)),
        }
    }

    /// With the colours exchanged.
    pub fn recoloured(mut self) -> Self {
        self.side = self.side.map(Side::opponent);
        self.patterns = self.patterns.map(|(red, black)| (black, red));
        self
    }
}

/// A cycle as it is written: its position, and its moves with blanks between them.
pub fn written(position: &str, moves: &str) -> (Position, Vec<Move>) {
    let line = moves.split(' ').map(|mv| mv.parse().unwrap()).collect();
    (fen::parse(position).unwrap(), line)
}

/// A cycle with left and right exchanged.
pub fn mirrored(start: &Position, line: &[Move]) -> (Position, Vec<Move>) {
    let line = line.iter().map(|mv| mv.mirrored()).collect();
    (start.mirrored(), line)
}

/// A cycle with the colours exchanged.
pub fn recoloured(start: &Position, line: &[Move]) -> (Position, Vec<Move>) {
    let line = line.iter().map(|mv| mv.flipped()).collect();
    (start.colours_swapped(), line)
}
