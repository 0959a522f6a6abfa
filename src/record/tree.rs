//! Moves with variations, played as they are read: each before what follows it, the main line
//! before its variations.

use super::MOST_PLIES;
use super::fault::{Fault, FaultKind, Missing, Place, Remark};
use super::raw::RawRecord;
use super::record::{Comment, Record, Variation};
use crate::board::{Move, Position, Setup, Square, Undo};
use crate::notation::fen::FenError;
use crate::notation::read_move;

/// A move as it stands in a file that says of each whether another follows. The first of them, the
/// root, stands for no move: it only says whether there is one, and what is said before it.
pub(super) struct Node {
    /// Where it stands.
    pub(super) at: usize,
    /// The squares, as the format counts.
    pub(super) from: u8,
    pub(super) to: u8,
    /// A move follows.
    pub(super) follows: bool,
    /// There is another move to be played in its place.
    pub(super) alternative: bool,
    pub(super) comment: String,
}

/// A move, or where the file breaks off and in what.
pub(super) type Found = Result<Node, (usize, Missing)>;

/// Where the first move comes from, if the root is followed by one.
pub(super) fn first_from(mut nodes: impl Iterator<Item = Found>) -> Option<u8> {
    nodes.next()?.ok().filter(|root| root.follows)?;
    Some(nodes.next()?.ok()?.from)
}

/// A record that starts from a board, which stands at `byte`. Some programs forget whose move it is; the
/// first piece to move knows.
pub(super) fn begun(
    raw: &RawRecord,
    byte: usize,
    mut setup: Setup,
    first: Option<Square>,
) -> Result<Record, Fault> {
    let told = setup.turn;
    let mover = first.and_then(|from| setup.piece_at(from));
    setup.turn = mover.map_or(told, |piece| piece.side);
    let start = setup
        .position()
        .map_err(|faults| raw.at_byte(byte, FaultKind::Fen(FenError::Impossible(faults))))?;
    let mut record = Record::new(start);
    if setup.turn != told {
        record.remarks.push(Remark::OtherSideFirst);
    }
    Ok(record)
}

/// Plays a tree into a record.
pub(super) struct Tree<'a> {
    raw: &'a RawRecord,
    record: Record,
    position: Position,
    /// The moves from the start to the last one, and the line of each: 0 for the main line, n for
    /// variation n - 1.
    path: Vec<(Undo, usize)>,
    /// How deep the last move was, whether or not it could be played.
    last: usize,
    /// How many moves of the path come before the first of each variation.
    bases: Vec<usize>,
    most: usize,
    dropped: usize,
}

impl<'a> Tree<'a> {
    /// One that plays from where the record starts.
    pub(super) fn new(raw: &'a RawRecord, record: Record) -> Self {
        Self {
            raw,
            position: record.start.clone(),
            record,
            path: Vec::with_capacity(128),
            last: 0,
            bases: Vec::new(),
            // So that what is kept stays in proportion to the file.
            most: (raw.size() / 32).max(16),
            dropped: 0,
        }
    }

    /// What is said before the first move.
    pub(super) fn opening(&mut self, text: String) {
        if !text.is_empty() {
            self.record.comments.push(Comment { after: 0, text });
        }
    }

    /// Whether the main line goes on without a fault.
    pub(super) fn is_whole(&self) -> bool {
        self.record.fault.is_none()
    }

    /// The main line breaks off here.
    pub(super) fn break_off(&mut self, byte: usize, kind: FaultKind) {
        if self.is_whole() {
            let place = Place::Byte(self.raw.at + byte as u64);
            let index = Some(self.record.moves.len());
            self.record.fault = Some(self.raw.fault(place, index, kind));
        }
    }

    /// The next move, so many plies deep, 1 for the first; a move no deeper than the one before
    /// starts a variation. `mv` is the move, or what stands in its place.
    pub(super) fn node(
        &mut self,
        depth: usize,
        mv: Result<Move, String>,
        comment: String,
        byte: usize,
    ) {
        let child = depth == self.last + 1 && self.path.len() == self.last;
        self.last = depth;
        let line = if child {
            self.path.last().map_or(0, |&(_, line)| line)
        } else {
            match self.take_back(depth) {
                Some(replaced) => return self.variation(depth, replaced, mv, comment),
                None => return self.drop_one(),
            }
        };
        if depth > MOST_PLIES && line > 0 {
            return self.drop_one();
        }
        if depth > MOST_PLIES {
            return self.break_off(byte, FaultKind::TooManyMoves(MOST_PLIES));
        }
        match mv.map(|mv| (mv, self.position.make_legal(mv))) {
            Ok((mv, Some(undo))) => self.played(line, mv, undo, comment),
            Ok((mv, None)) if line == 0 => self.break_off(byte, self.why_not(mv)),
            Err(text) if line == 0 => self.break_off(byte, FaultKind::Squares(text)),
            Ok(_) | Err(_) => self.drop_one(),
        }
    }

    /// Why a move that is not legal cannot be played.
    fn why_not(&self, mv: Move) -> FaultKind {
        match read_move(&self.position, &mv.to_string()) {
            Err(error) => FaultKind::Move(Box::new(error)),
            Ok(_) => FaultKind::Squares(mv.to_string()),
        }
    }

    fn drop_one(&mut self) {
        self.dropped += 1;
    }

    /// Takes moves back to before the one that stands at this depth, and tells its line.
    fn take_back(&mut self, depth: usize) -> Option<usize> {
        let mut replaced = None;
        while depth > 0 && self.path.len() >= depth {
            let (undo, line) = self.path.pop()?;
            self.position.unmake(undo);
            replaced = Some(line);
        }
        replaced
    }

    /// Starts another way to play on than the line that was taken back.
    fn variation(&mut self, depth: usize, replaced: usize, mv: Result<Move, String>, text: String) {
        let room = self.bases.len() < self.most;
        let mv = mv.ok().filter(|_| room);
        let Some((mv, undo)) = mv.and_then(|mv| Some((mv, self.position.make_legal(mv)?))) else {
            return self.drop_one();
        };
        let of = replaced.checked_sub(1);
        let base = of.and_then(|of| self.bases.get(of)).copied().unwrap_or(0);
        let (of, at) = self.record.leaves(of, depth - 1 - base);
        self.bases.push(depth - 1);
        self.record.variations.push(Variation {
            of,
            at,
            moves: Vec::new(),
            comments: Vec::new(),
        });
        self.played(self.bases.len(), mv, undo, text);
    }

    /// Enters a move that has been made on the board.
    fn played(&mut self, line: usize, mv: Move, undo: Undo, text: String) {
        let (moves, comments) = match line.checked_sub(1) {
            None => (&mut self.record.moves, &mut self.record.comments),
            Some(of) => match self.record.variations.get_mut(of) {
                Some(variation) => (&mut variation.moves, &mut variation.comments),
                None => return,
            },
        };
        moves.push(mv);
        if !text.is_empty() {
            let after = moves.len();
            comments.push(Comment { after, text });
        }
        self.path.push((undo, line));
    }

    /// Goes through a tree, each move before what follows it and that before what else might be
    /// played, and gives the record.
    pub(super) fn read(
        mut self,
        mut nodes: impl Iterator<Item = Found>,
        square: fn(u8) -> Option<Square>,
    ) -> Record {
        match nodes.next() {
            None => {}
            Some(Err((at, missing))) => self.break_off(at, FaultKind::Ends(missing)),
            Some(Ok(root)) => {
                self.opening(root.comment);
                if root.follows {
                    self.play(nodes, square);
                }
            }
        }
        self.finish()
    }

    fn play(&mut self, mut nodes: impl Iterator<Item = Found>, square: fn(u8) -> Option<Square>) {
        let mut waiting = Vec::new();
        let mut depth = 1;
        // What follows a break cannot be placed.
        while self.is_whole() {
            let next = nodes.next();
            let next = next.unwrap_or(Err((self.raw.bytes.len(), Missing::Moves)));
            let node = match next {
                Err((at, missing)) => return self.break_off(at, FaultKind::Ends(missing)),
                Ok(node) => node,
            };
            if node.alternative {
                waiting.push(depth);
            }
            let mv = match (square(node.from), square(node.to)) {
                (Some(from), Some(to)) => Ok(Move::new(from, to)),
                _ => Err(format!("{}-{}", node.from, node.to)),
            };
            self.node(depth, mv, node.comment, node.at);
            if node.follows {
                depth += 1;
            } else if let Some(next) = waiting.pop() {
                depth = next;
            } else {
                return;
            }
        }
    }

    /// The record.
    pub(super) fn finish(mut self) -> Record {
        if self.dropped > 0 {
            self.record.remarks.push(Remark::Variations(self.dropped));
        }
        self.record
    }
}
