//! A game: a start position and the legal moves played from it.

use super::cycle::Cycle;
use super::pending::{CycleSpan, Ledger, Memo, PendingRule, PendingUnit};
use super::scan::is_irreversible;
use crate::board::{Move, Piece, Position, Side};
use crate::language::{Text, both, in_both};
use crate::named::named;
use serde::{Deserialize, Serialize};

/// How a game was decided on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ended {
    /// By what.
    pub by: EndedBy,
    /// Who lost.
    pub loser: Side,
}

named! { read
    /// The two ways in which a side has no move left.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum EndedBy {
        /// 将死: in check without an answer.
        Checkmate "checkmate" "将死",
        /// 困毙: not in check, without a move; a loss all the same.
        Stalemate "stalemate" "困毙",
    }
}

impl EndedBy {
    pub(super) fn text(self) -> Text {
        Text::new(self.id(), self.zh())
    }
}

impl Ended {
    /// How the position is decided, if its side to move has no move.
    pub fn of(position: &Position) -> Option<Self> {
        position.is_over().then(|| {
            let by = if position.in_check() {
                EndedBy::Checkmate
            } else {
                EndedBy::Stalemate
            };
            Self {
                by,
                loser: position.turn(),
            }
        })
    }
}

/// A move that cannot be played where it stands in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMove {
    /// Its ply, from 0.
    pub ply: usize,
    /// The move.
    pub mv: Move,
    /// Why not.
    pub why: Refusal,
}

/// Why a move cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The game is over.
    Over(Ended),
    /// Nothing stands there.
    NoPiece,
    /// The piece is the other side's.
    NotOwn(Piece),
    /// The piece does not move that way here.
    NoSuchStep(Piece),
    /// The kings would face each other.
    KingsFace,
    /// The side's own king would be taken.
    KingExposed(Side),
}

impl Refusal {
    /// Why a move is illegal, or `None` where it is legal.
    pub fn of(position: &Position, mv: Move) -> Option<Self> {
        if position.is_legal(mv) {
            return None;
        }
        if let Some(ended) = Ended::of(position) {
            return Some(Self::Over(ended));
        }
        let Some(piece) = position.piece_at(mv.from) else {
            return Some(Self::NoPiece);
        };
        if piece.side != position.turn() {
            return Some(Self::NotOwn(piece));
        }
        if !position.is_pseudo_legal(mv) {
            return Some(Self::NoSuchStep(piece));
        }
        let facing = position.after(mv).kings_face();
        Some(if facing {
            Self::KingsFace
        } else {
            Self::KingExposed(piece.side)
        })
    }

    /// A stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Over(_) => "game_over",
            Self::NoPiece => "no_piece",
            Self::NotOwn(_) => "not_own_piece",
            Self::NoSuchStep(_) => "no_such_step",
            Self::KingsFace => "kings_would_face",
            Self::KingExposed(_) => "king_exposed",
        }
    }
}

impl IllegalMove {
    /// A stable name.
    pub const fn code(&self) -> &'static str {
        self.why.code()
    }

    /// The fault in both languages.
    pub fn text(&self) -> Text {
        let Self { ply, mv, why } = *self;
        let (number, from) = (ply + 1, mv.from);
        let why = match why {
            Refusal::Over(ended) => both!(
                loser = ended.loser.text(), by = ended.by.text();
                "the game is over, {loser} lost by {by}",
                "对局已经结束（{loser}被{by}）",
            ),
            Refusal::NoPiece => both!("nothing stands on {from}", "{from}没有棋子"),
            Refusal::NotOwn(piece) => both!(
                kind = piece.kind(), owner = piece.side.text(), turn = piece.side.opponent().text();
                "the {kind} on {from} is {owner}'s and it is {turn}'s move",
                "{from}的{kind}是{owner}的，轮到{turn}走",
            ),
            Refusal::NoSuchStep(piece) => {
                let to = mv.to;
                both!(
                    kind = piece.kind();
                    "the {kind} on {from} does not go to {to}",
                    "{from}的{kind}不能走到{to}",
                )
            }
            Refusal::KingsFace => both!("the kings would face each other", "走后将帅照面"),
            Refusal::KingExposed(side) => {
                both!(side = side.text(); "{side} would be in check", "走后{side}被将军")
            }
        };
        both!(
            why;
            "move {number} (`{mv}`) cannot be played: {why}",
            "第{number}着`{mv}`不合规则：{why}",
        )
    }
}

in_both!(error IllegalMove);

/// A start position and legal moves, with every position on the way.
///
/// A *ply* numbers moves from 0. The position *at* ply `n` is the one before move `n`, so ply 0
/// is the start and ply [`len`](Self::len) the position reached. Every piece keeps its
/// [`PieceId`](crate::board::PieceId) through the game.
#[derive(Clone, Debug)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// For each position, the ply of the first one that could stand again at its time.
    since: Vec<usize>,
    ledger: Ledger,
    key_of: fn(&Position) -> u64,
}

impl Game {
    /// A game in which nothing has been played.
    pub fn new(start: Position) -> Self {
        Self::keyed(start, Position::key)
    }

    fn keyed(start: Position, key_of: fn(&Position) -> u64) -> Self {
        let mut ledger = Ledger::new();
        ledger.enter(key_of(&start), |_| false);
        Self {
            positions: vec![start],
            moves: Vec::new(),
            since: vec![0],
            ledger,
            key_of,
        }
    }

    /// A game with its moves.
    ///
    /// # Errors
    /// The first move that cannot be played.
    pub fn with_moves(
        start: Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Self, IllegalMove> {
        let mut game = Self::new(start);
        for mv in moves {
            game.push(mv)?;
        }
        Ok(game)
    }

    /// The same with moves of which is known that each is legal where it is played.
    #[cfg(feature = "archive")]
    pub(crate) fn with_legal(start: Position, moves: &[Move]) -> Self {
        let mut game = Self::new(start);
        game.positions.reserve(moves.len());
        for &mv in moves {
            let next = game.position().after(mv);
            game.goes_on(mv, next);
        }
        game
    }

    /// The game as it stood after so many plies; none where it has fewer.
    pub fn up_to(&self, plies: usize) -> Option<Self> {
        let moves = self.moves().get(..plies)?.iter().copied();
        Self::with_moves(self.start().clone(), moves).ok()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Why it cannot be played; the game is then as before.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let current = self.position();
        let mut next = current.clone();
        if next.make_legal(mv).is_none() {
            return Err(self.refused(mv));
        }
        self.goes_on(mv, next);
        Ok(())
    }

    /// Enters a legal move and the position after it.
    fn goes_on(&mut self, mv: Move, next: Position) {
        let irreversible = is_irreversible(self.position(), mv);
        self.moves.push(mv);
        if irreversible {
            self.ledger.close();
            self.since.push(self.moves.len());
        } else {
            self.since.push(self.since.last().copied().unwrap_or(0));
        }
        let Self {
            positions,
            ledger,
            key_of,
            ..
        } = self;
        ledger.enter(key_of(&next), |earlier| {
            positions.get(earlier) == Some(&next)
        });
        positions.push(next);
    }

    /// Why a move that is not legal cannot be played now.
    #[cold]
    fn refused(&self, mv: Move) -> IllegalMove {
        IllegalMove {
            ply: self.len(),
            mv,
            why: Refusal::of(self.position(), mv).unwrap_or(Refusal::NoPiece),
        }
    }

    /// The number of plies played.
    pub const fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether nothing has been played.
    pub const fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position the game started from.
    #[expect(
        clippy::indexing_slicing,
        reason = "a game always has its start position"
    )]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position reached.
    #[expect(
        clippy::indexing_slicing,
        reason = "there is one more position than moves"
    )]
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// Every position, from the start to the one reached.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The position before move `ply`, or after the last move.
    pub fn position_at(&self, ply: usize) -> Option<&Position> {
        self.positions.get(ply)
    }

    /// How often the position at `ply` had stood by then, itself included; 0 beyond the game.
    pub fn times_at(&self, ply: usize) -> u32 {
        self.ledger.times_at(ply)
    }

    /// How often a position has stood by now, as far as it could stand again.
    pub fn times_stood(&self, position: &Position) -> u32 {
        let since = self.reversible_since(self.len());
        let stood = self.positions.iter().skip(since);
        let times = stood.filter(|earlier| *earlier == position).count();
        u32::try_from(times).unwrap_or(u32::MAX)
    }

    /// The plies before `ply` at which its position had stood, the latest first.
    pub fn earlier_occurrences(&self, ply: usize) -> impl Iterator<Item = usize> + '_ {
        self.ledger.earlier(ply)
    }

    /// The ply of the first position that could still stand again at `ply`: the one after the
    /// last capture or pawn's step forward.
    pub fn reversible_since(&self, ply: usize) -> usize {
        self.since.get(ply).copied().unwrap_or(ply)
    }

    /// Whether move `ply` captured.
    pub fn is_capture(&self, ply: usize) -> bool {
        match (self.positions.get(ply), self.moves.get(ply)) {
            (Some(position), Some(mv)) => !position.is_empty(mv.to),
            _ => false,
        }
    }

    /// How the game was decided on the board, if it was.
    pub fn ended(&self) -> Option<Ended> {
        Ended::of(self.position())
    }

    /// The cycle closed by the last move, if the position reached is pending.
    pub fn pending(&self, rule: PendingRule) -> Option<Cycle> {
        self.pending_at(self.len(), rule)
            .map(|span| self.cycle(span))
    }

    /// The cycle that made the position at `ply` pending, if it was.
    pub fn pending_at(&self, ply: usize, rule: PendingRule) -> Option<CycleSpan> {
        self.closed(ply, rule, &mut Memo::default())
    }

    /// Every pending position of the game, each told by the cycle that ends with it.
    pub fn all_pending(&self, rule: PendingRule) -> Vec<CycleSpan> {
        let mut memo = Memo::default();
        (1..=self.len())
            .filter_map(|ply| self.closed(ply, rule, &mut memo))
            .collect()
    }

    fn closed(&self, ply: usize, rule: PendingRule, memo: &mut Memo) -> Option<CycleSpan> {
        let since = *self.since.get(ply)?;
        let span = self.ledger.closed(&self.moves, ply, since, rule, memo);
        match rule.unit {
            PendingUnit::Rounds if rule.counts_opening_capture => {
                span.or_else(|| self.opened_by_capture(ply, since, rule.count.max(1)))
            }
            PendingUnit::Occurrences if !rule.counts_opening_capture => span.filter(|span| {
                span.occurrences > rule.least_occurrences()
                    || !self.is_run_of_checks(span.span_start_ply, ply)
            }),
            PendingUnit::Rounds | PendingUnit::Occurrences => span,
        }
    }

    /// The cycle of checks at `ply` whose first round opened with the capture before `since`.
    fn opened_by_capture(&self, ply: usize, since: usize, least_rounds: u32) -> Option<CycleSpan> {
        let start_ply = since.checked_sub(1)?;
        let moves = self.moves.get(start_ply..ply)?;
        // The position stood at the end of every round, perhaps within rounds too, and not before the first.
        let occurrences = self.times_at(ply);
        let is_whole = |&rounds: &u32| {
            let period = moves.len() / rounds as usize;
            period * rounds as usize == moves.len()
                && self.positions.get(ply) == self.positions.get(ply - period)
                && moves.get(period..) == moves.get(..moves.len() - period)
        };
        let mut rounds = (least_rounds.max(2)..=occurrences).rev();
        let rounds = rounds.find(is_whole)?;
        self.is_run_of_checks(since, ply).then_some(CycleSpan {
            start_ply,
            period: moves.len() / rounds as usize,
            rounds,
            occurrences,
            span_start_ply: start_ply,
        })
    }

    /// Whether the move before `from` captured, and it and all its side's moves since gave check.
    fn is_run_of_checks(&self, from: usize, to: usize) -> bool {
        let mut checked = self
            .positions
            .get(from..=to)
            .unwrap_or_default()
            .iter()
            .step_by(2);
        from.checked_sub(1).is_some_and(|at| self.is_capture(at)) && checked.all(Position::in_check)
    }

    /// A span of this game as a cycle: its start position and the moves of its last round.
    pub fn cycle(&self, span: CycleSpan) -> Cycle {
        let end = span.end_ply();
        // Before a capture that is counted in, the position was another.
        let start = if self.is_capture(span.start_ply) {
            end
        } else {
            span.start_ply
        };
        let moves = self
            .moves
            .get(end.saturating_sub(span.period)..end)
            .unwrap_or_default();
        let start = self.position_at(start).unwrap_or_else(|| self.start());
        Cycle::closing(span, start.clone(), moves.to_vec())
    }

    /// Every move of the ways round that make the position pending.
    pub fn span_moves(&self, span: CycleSpan) -> &[Move] {
        self.moves
            .get(span.span_start_ply..span.end_ply())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn colliding_keys_change_nothing() {
        let lines = [
            "a0a1 i9i8 a1a0 i8i9 a0b0 i9h9 b0a0 h9i9 a0a1 i9i8 a1a0 i8i9",
            "a0a1 i9i8 a1a2 i8i7 a2a0 i7i9 a0a1 i9i8 a1a2 i8i7 a2a0 i7i9 e0e1 d9d8 e1e0 d8d9",
        ];
        let start = fen::parse("3k4r/9/9/9/9/9/9/9/9/R3K4 w").unwrap();
        for line in lines {
            let mut game = Game::new(start.clone());
            let mut all_alike = Game::keyed(start.clone(), |_| 0);
            let mut narrow = Game::keyed(start.clone(), |position| position.key() & 3);
            for mv in line.split(' ').map(|text| text.parse::<Move>().unwrap()) {
                for game in [&mut game, &mut all_alike, &mut narrow] {
                    game.push(mv).unwrap();
                }
            }
            for count in 2..4 {
                let rule = PendingRule {
                    count,
                    ..PendingRule::THIRD_OCCURRENCE
                };
                let expected = game.all_pending(rule);
                assert!(!expected.is_empty());
                assert_eq!(all_alike.all_pending(rule), expected);
                assert_eq!(narrow.all_pending(rule), expected);
            }
        }
    }
}
