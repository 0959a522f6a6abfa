//! A scan of many games for repetition, where hardly any repeats.

use super::pending::{CycleSpan, Ledger, Memo, PendingRule};
use crate::board::{Move, Position, Role};

/// Whether a move, about to be played, is one after which nothing before can stand again: a
/// capture, or a pawn's step forward.
#[inline]
pub(super) fn is_irreversible(position: &Position, mv: Move) -> bool {
    !position.is_empty(mv.to)
        || (mv.from.rank() != mv.to.rank()
            && position
                .id_at(mv.from)
                .is_some_and(|id| id.role() == Role::Pawn))
}

/// Follows a line of play and tells how often each position has stood. Made once and used for
/// many games; it keeps nothing of a game but what can still repeat, so that a capture that opens a
/// run of checks is for [`Game`](super::Game) to look at.
///
/// ```
/// use qili::board::{Move, Position};
/// use qili::game::{PendingRule, RepetitionScan};
/// let round = ["b0c2", "b9c7", "c2b0", "c7b9"].map(|text| text.parse::<Move>().unwrap());
/// let mut scan = RepetitionScan::new();
/// let rule = PendingRule::THIRD_OCCURRENCE;
/// let span = scan.first_pending(&Position::start(), &round.repeat(2), rule).unwrap();
/// assert_eq!((span.end_ply(), span.period, span.occurrences), (8, 4, 3));
/// assert_eq!(scan.first_pending(&Position::start(), &round, rule), None);
/// ```
#[derive(Clone, Debug)]
pub struct RepetitionScan {
    position: Position,
    /// The plies played before the first position that can still stand again.
    since: usize,
    /// The moves after it.
    moves: Vec<Move>,
    ledger: Ledger,
}

impl Default for RepetitionScan {
    fn default() -> Self {
        Self::new()
    }
}

impl RepetitionScan {
    /// A scan at the opening position.
    pub fn new() -> Self {
        let mut scan = Self {
            position: Position::start(),
            since: 0,
            moves: Vec::new(),
            ledger: Ledger::new(),
        };
        scan.enter();
        scan
    }

    /// Starts over from a position.
    pub fn begin(&mut self, start: &Position) {
        self.position.clone_from(start);
        self.since = 0;
        self.moves.clear();
        self.ledger.clear();
        self.enter();
    }

    /// Plays a move that is known to be legal, and tells how often the position now reached has
    /// stood: 1 where it is new.
    #[inline]
    pub fn push(&mut self, mv: Move) -> u32 {
        let irreversible = is_irreversible(&self.position, mv);
        self.position.make(mv);
        if irreversible {
            self.since = self.ply() + 1;
            self.moves.clear();
            self.ledger.clear();
        } else {
            self.moves.push(mv);
        }
        self.enter()
    }

    #[inline]
    fn enter(&mut self) -> u32 {
        let Self {
            position,
            moves,
            ledger,
            ..
        } = self;
        ledger.enter(position.key(), |earlier| stood(position, moves, earlier))
    }

    /// How many moves have been played.
    pub fn ply(&self) -> usize {
        self.since + self.moves.len()
    }

    /// The position reached.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The cycle closed by the position reached, if it is pending.
    pub fn pending(&self, rule: PendingRule) -> Option<CycleSpan> {
        let span =
            self.ledger
                .closed(&self.moves, self.moves.len(), 0, rule, &mut Memo::default())?;
        Some(CycleSpan {
            start_ply: span.start_ply + self.since,
            span_start_ply: span.span_start_ply + self.since,
            ..span
        })
    }

    /// Plays moves known to be legal up to the first pending position.
    pub fn first_pending(
        &mut self,
        start: &Position,
        moves: &[Move],
        rule: PendingRule,
    ) -> Option<CycleSpan> {
        self.begin(start);
        let least = rule.least_occurrences();
        moves.iter().find_map(|&mv| {
            let times = self.push(mv);
            if times < least {
                None
            } else {
                self.pending(rule)
            }
        })
    }
}

/// Whether the position also stood after the first `earlier` of these moves, none of which
/// captured.
fn stood(position: &Position, moves: &[Move], earlier: usize) -> bool {
    let mut before = position.clone();
    for mv in moves.get(earlier..).unwrap_or_default().iter().rev() {
        before.make(mv.reversed());
    }
    before == *position
}
