//! Checking moves.

use super::budget::Budget;
use super::table::Table;
use crate::board::{Move, MoveList, PieceId, PieceSet, Position, Role, Square};

/// Every legal move of the side to move that gives check, in the order of the move list.
pub fn checking_moves(position: &mut Position, found: &mut Vec<Move>) {
    found.clear();
    let mut moves = MoveList::new();
    position.pseudo_moves_into(&mut moves);
    let side = position.turn();
    let aim = Aim::of(position);
    for &mv in &*moves {
        if !aim.may_check(position, mv) {
            continue;
        }
        let undo = position.make(mv);
        let checks = position.in_check() && !position.attacked(side);
        position.unmake(undo);
        if checks {
            found.push(mv);
        }
    }
}

/// How the side to move may come to touch the enemy king: few moves do, and only those are tried
/// out.
struct Aim {
    king: Square,
    /// Whether the king is attacked already, so that a move need not bring the check about.
    stands: bool,
    /// What checks along its line if one piece leaves it.
    by_leaving: PieceSet,
    /// What checks along its line if one more piece enters it.
    by_entering: PieceSet,
    horses: bool,
}

impl Aim {
    fn of(position: &Position) -> Self {
        let side = position.turn();
        let king = position.king(side.opponent());
        let (mut by_leaving, mut by_entering) = (PieceSet::EMPTY, PieceSet::EMPTY);
        let sliders = position
            .pieces_like(side, Role::Rook)
            .or(position.pieces_like(side, Role::Cannon))
            .with(PieceId::king(side));
        for id in sliders {
            // A move changes the number of pieces between by one at most.
            match position.between(position.square_of(id), king) {
                Some(0) if id.role() == Role::Cannon => by_entering = by_entering.with(id),
                Some(1) if id.role() != Role::Cannon => by_leaving = by_leaving.with(id),
                Some(2) if id.role() == Role::Cannon => by_leaving = by_leaving.with(id),
                _ => {}
            }
        }
        let stands = position.attacked(side.opponent());
        Self {
            king,
            stands,
            by_leaving,
            by_entering,
            horses: stands || !position.pieces_like(side, Role::Horse).is_empty(),
        }
    }

    /// Whether the move may give check: every move that brings one about is among those.
    fn may_check(&self, position: &Position, mv: Move) -> bool {
        let king = self.king;
        if mv.to == king {
            return false;
        }
        let apart = |sq: Square| {
            let files = sq.file().abs_diff(king.file());
            (files, sq.rank().abs_diff(king.rank()))
        };
        let is_near = |sq: Square| sq.file() == king.file() || sq.rank() == king.rank();
        if (self.horses && apart(mv.from) == (1, 1))
            || (self.stands && (is_near(mv.from) || is_near(mv.to)))
        {
            return true;
        }
        let crosses = |mut sliders: PieceSet, sq: Square| {
            is_near(sq) && sliders.any(|id| is_between(sq, position.square_of(id), king))
        };
        if crosses(self.by_leaving, mv.from) || crosses(self.by_entering, mv.to) {
            return true;
        }
        let left_between = || {
            let itself = is_between(mv.from, mv.to, king);
            let between = position.between(mv.to, king);
            between.map(|n| n.saturating_sub(u32::from(itself)))
        };
        match position.id_at(mv.from).map(PieceId::role) {
            Some(Role::Rook) => left_between() == Some(0),
            Some(Role::Cannon) => left_between() == Some(1),
            Some(Role::Horse) => matches!(apart(mv.to), (1, 2) | (2, 1)),
            Some(Role::Pawn) => matches!(apart(mv.to), (0, 1) | (1, 0)),
            Some(Role::King) => mv.to.file() == king.file(),
            Some(Role::Advisor | Role::Elephant) | None => false,
        }
    }
}

/// Whether a square lies strictly between two others of one line.
fn is_between(sq: Square, a: Square, b: Square) -> bool {
    let within = |p: u8, a: u8, b: u8| a.min(b) < p && p < a.max(b);
    if a.file() == b.file() {
        sq.file() == a.file() && within(sq.rank(), a.rank(), b.rank())
    } else {
        a.rank() == b.rank() && sq.rank() == a.rank() && within(sq.file(), a.file(), b.file())
    }
}

/// The legal answers to a check in the order of the move list, looked for one by one: mostly an
/// early one spoils what the check was for.
pub(super) struct Answers {
    moves: MoveList,
    next: usize,
    king: Square,
    /// One piece that gives the check.
    checker: Option<(Square, Role)>,
}

impl Answers {
    pub(super) fn of(position: &Position) -> Self {
        let mut moves = MoveList::new();
        position.pseudo_moves_into(&mut moves);
        let checker = position.checkers().into_iter().next();
        Self {
            moves,
            next: 0,
            king: position.king(position.turn()),
            checker: checker.map(|id| (position.square_of(id), id.role())),
        }
    }

    /// The next answer in the position they were asked for.
    pub(super) fn next(&mut self, position: &mut Position) -> Option<Move> {
        while let Some(&mv) = self.moves.get(self.next) {
            self.next += 1;
            if self.may_help(mv) && position.keeps_king_safe(mv) {
                return Some(mv);
            }
        }
        None
    }

    /// Whether the move may end the check: the king goes, the piece that gives it is taken, or
    /// something comes in between or, before a cannon, leaves from there.
    fn may_help(&self, mv: Move) -> bool {
        let Some((at, role)) = self.checker else {
            return true;
        };
        let king = self.king;
        if mv.from == king || mv.to == at {
            return true;
        }
        let between = |sq: Square| is_between(sq, at, king);
        match role {
            Role::Rook | Role::King => between(mv.to),
            Role::Cannon => between(mv.to) || between(mv.from),
            // On its leg, which stands diagonally beside the king.
            Role::Horse => {
                mv.to.file().abs_diff(king.file()) == 1 && mv.to.rank().abs_diff(king.rank()) == 1
            }
            Role::Pawn | Role::Advisor | Role::Elephant => false,
        }
    }
}

/// Whether the side to move mates within `depth` consecutive checks.
pub fn mates_within(position: &mut Position, depth: u32, budget: &mut Budget) -> bool {
    Mating::new().mates_within(position, depth, budget)
}

/// Positions whose answer is kept; beyond them it is worked out again.
const KEPT: usize = 1 << 12;
/// Depths for which the answer that spoils a mate is tried first elsewhere.
const SPOILED: usize = 8;

/// Mates by nothing but checks, with what was found on the way.
#[derive(Debug)]
pub(super) struct Mating {
    known: Table<(u64, u32), bool>,
    spoilers: Spoilers<SPOILED>,
}

impl Mating {
    pub(super) fn new() -> Self {
        Self {
            known: Table::default(),
            spoilers: Spoilers::new(),
        }
    }

    /// Whether the side to move mates within `depth` consecutive checks.
    pub(super) fn mates_within(
        &mut self,
        position: &mut Position,
        depth: u32,
        budget: &mut Budget,
    ) -> bool {
        if depth == 0 {
            return false;
        }
        let key = (position.key(), depth);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if !budget.take() {
            return false;
        }
        let mut checks = Vec::new();
        checking_moves(position, &mut checks);
        let mates = checks.iter().any(|&check| {
            let undo = position.make(check);
            let mates = self.is_mated_within(position, depth - 1, budget);
            position.unmake(undo);
            mates
        });
        if !budget.is_spent() && self.known.len() < KEPT {
            self.known.insert(key, mates);
        }
        mates
    }

    /// Whether every answer to the check that stands lets the other side mate within as many more.
    fn is_mated_within(
        &mut self,
        position: &mut Position,
        depth: u32,
        budget: &mut Budget,
    ) -> bool {
        let at = depth as usize;
        let spoiler = self.spoilers.of(position, at);
        if let Some(mv) = spoiler
            && !self.mates_after(position, mv, depth, budget)
        {
            return false;
        }
        let mut answers = Answers::of(position);
        while let Some(answer) = answers.next(position) {
            if Some(answer) != spoiler && !self.mates_after(position, answer, depth, budget) {
                self.spoilers.note(at, answer);
                return false;
            }
        }
        true
    }

    fn mates_after(
        &mut self,
        position: &mut Position,
        answer: Move,
        depth: u32,
        budget: &mut Budget,
    ) -> bool {
        let undo = position.make(answer);
        let mates = self.mates_within(position, depth, budget);
        position.unmake(undo);
        mates
    }
}

/// The answers that last spoilt a run of checks: mostly one spoils the next run as well, and the
/// other answers need not be looked for.
#[derive(Debug)]
pub(super) struct Spoilers<const N: usize>([Move; N]);

impl<const N: usize> Spoilers<N> {
    pub(super) const fn new() -> Self {
        Self([Move::NONE; N])
    }

    /// The one to try first, if it is legal.
    pub(super) fn of(&self, position: &mut Position, at: usize) -> Option<Move> {
        let mv = self.0.get(at).copied()?;
        (position.is_pseudo_legal(mv) && position.keeps_king_safe(mv)).then_some(mv)
    }

    pub(super) fn note(&mut self, at: usize, answer: Move) {
        if let Some(spoiler) = self.0.get_mut(at) {
            *spoiler = answer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Setup, Side};

    /// Positions of a few pieces thrown on the board, the same in every run.
    fn thrown(count: usize) -> impl Iterator<Item = Position> {
        let squares: Vec<Square> = Square::all().collect();
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = move |end: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            usize::try_from(seed % end as u64).unwrap()
        };
        let throw = move || {
            let mut setup = Setup::empty(Side::ALL[below(2)]);
            for side in Side::ALL {
                let home = if side == Side::Red { 0 } else { 7 };
                let files = u8::try_from(below(3)).unwrap();
                let ranks = u8::try_from(below(3)).unwrap();
                let king = Square::new(3 + files, home + ranks).unwrap();
                setup.put(king, Some(Piece::new(side, Role::King)));
                for _ in 0..2 + below(9) {
                    let role = Role::ALL[below(Role::ALL.len())];
                    let at = squares[below(squares.len())];
                    if role != Role::King && setup.piece_at(at).is_none() {
                        setup.put(at, Some(Piece::new(side, role)));
                    }
                }
            }
            setup.position().ok()
        };
        std::iter::repeat_with(throw).flatten().take(count)
    }

    #[test]
    fn checks_are_the_moves_after_which_the_king_is_attacked() {
        let mut found = Vec::new();
        let mut checks = 0;
        for mut position in thrown(3_000) {
            checking_moves(&mut position, &mut found);
            let legal = position.legal_moves();
            let all = legal.iter().filter(|&&mv| position.after(mv).in_check());
            assert_eq!(found, all.copied().collect::<Vec<_>>(), "{position:?}");
            checks += found.len();
        }
        assert!(checks > 3_000, "{checks}");
    }

    #[test]
    fn answers_are_the_legal_moves() {
        let mut checks = 0;
        for position in thrown(3_000) {
            for mv in position.legal_moves().iter() {
                let mut position = position.after(*mv);
                if !position.in_check() {
                    continue;
                }
                checks += 1;
                let mut answers = Answers::of(&position);
                let found: Vec<Move> = std::iter::from_fn(|| answers.next(&mut position)).collect();
                assert_eq!(found, position.legal_moves().to_vec(), "{position:?}");
            }
        }
        assert!(checks > 3_000, "{checks}");
    }
}
