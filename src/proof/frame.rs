//! What the questions about captures are asked of.
//!
//! A *frame* is a position with the side whose threats are asked about (the *taker*) to move, and what is left out of
//! account there.

use super::material::{Balance, exchange};
use crate::board::{
    Answers, Move, MoveList, Packed, PieceId, PieceSet, Position, Role, Side, Square,
};
use std::hash::{Hash, Hasher};

/// How the piece about to move is treated where the position before a move is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Like any other.
    Plain,
    /// It cannot be taken where it stands (1999).
    Shield(PieceId),
    /// Taking it is part of the account (2011).
    Dodge(PieceId),
}

/// A capture not to be used: of the partner by the piece offered for it (24.4, 28.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ban {
    pub from: Square,
    pub to: Square,
    pub offered: PieceId,
    pub partner: PieceId,
    /// It is given, having no root: only the partner itself is not its to take.
    pub given: bool,
}

/// It takes its partner, or, unless it is given, what stands on that square once the partner has fallen, wherever that was.
pub(crate) fn is_banned(bans: &[Ban], position: &Position, mv: Move) -> bool {
    bans.iter().any(|ban| {
        (ban.from, ban.to) == (mv.from, mv.to)
            && position.id_at(mv.from) == Some(ban.offered)
            && position.id_at(mv.to).is_some_and(|target| {
                target == ban.partner || (!ban.given && !position.is_alive(ban.partner))
            })
    })
}

/// Which pieces a run of checks is to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Aims {
    Among(PieceSet),
    /// The same without mating whatever the answers.
    Short(PieceSet),
    /// None of the covered, which only pay for it where they are taken on the way; the run does not begin by taking what is begun.
    Beside {
        covered: PieceSet,
        begun: PieceSet,
    },
    /// None of these, nor are they taken on the way.
    Apart(PieceSet),
}

impl Aims {
    pub const ALL: Self = Self::Apart(PieceSet::EMPTY);

    /// What is asked about is named.
    pub const fn are_among(self) -> bool {
        matches!(self, Self::Among(_) | Self::Short(_))
    }

    pub const fn contain(self, id: PieceId) -> bool {
        match self {
            Self::Among(these) | Self::Short(these) => these.contains(id),
            Self::Beside { covered, .. } => !covered.contains(id),
            Self::Apart(these) => !these.contains(id),
        }
    }

    /// Whether a check leaves this piece where it is.
    pub const fn leave(self, id: PieceId, first: bool) -> bool {
        match self {
            Self::Among(_) | Self::Short(_) => false,
            Self::Beside { begun, .. } => first && begun.contains(id),
            Self::Apart(these) => these.contains(id),
        }
    }
}

/// Where a run of checks stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Run {
    /// Checks still to be given at most.
    pub depth: u32,
    pub balance: Balance,
    /// What the check took, where that only pays for it.
    pub credit: Balance,
    /// The grade to be reached.
    pub least: i32,
}

impl Run {
    pub const fn of(depth: u32, balance: Balance, least: i32) -> Self {
        Self {
            depth,
            balance,
            credit: Balance::EVEN,
            least,
        }
    }

    /// What is left of it where this is given for the check.
    pub fn less(self, given: Balance) -> Balance {
        let price = given.minus(self.credit);
        if self.credit == Balance::EVEN || price.number() > 0 {
            self.balance.minus(price)
        } else {
            self.balance
        }
    }
}

/// Which captures are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Any,
    /// Retakes, or what is offered in exchange: all that is lost by taking counts, and, runs of checks apart, all that is won.
    Back,
}

/// What is looked for beside worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefer {
    /// This piece falls.
    Fall(PieceId),
    /// A rook falls to a later capture (26.9).
    Rook,
}

/// What becomes of mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mates {
    /// Who is mated has won nothing.
    Refute,
    /// That the taker might be mated is left out: a piece that is won back by a mate is not won back.
    Spare,
    /// Only what retakes wins back to begin with.
    WinNothing,
}

/// What makes a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameKey {
    pub base: Packed,
    /// The taker's king is left out of account.
    pub careless: bool,
    pub before: Before,
    pub bans: Vec<Ban>,
    pub mates: Mates,
    /// The only piece the taker may use.
    pub alone: Option<PieceId>,
    /// What this piece has let go of by leaving that square does not count (细则 4).
    pub let_go: Option<(PieceId, Square)>,
    /// Which of two lines that come to as much is the better.
    pub prefers: Option<Prefer>,
    /// What the other side has won beforehand, and the most that a line comes to which leaves it a gain.
    pub against: Option<(Balance, i32)>,
    /// The move that led to the base, where runs of checks begin with none that the piece that moved could have given before.
    pub moved: Option<Move>,
    /// A piece about to move that has no part in what a run of checks wins: that it hangs is another matter.
    pub passer_by: Option<PieceId>,
    /// What captures bring elsewhere is not looked at.
    pub beside: bool,
    /// Where the base comes of a capture that is being weighed, the position before it.
    pub since: Option<Packed>,
    /// Where the taker answers a check given by taking, the position before that.
    pub stood: Option<Packed>,
    pub takes: Takes,
}

/// Few are of the same position.
impl Hash for FrameKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.base.hash(state);
    }
}

impl FrameKey {
    /// The frame of a position, its side to move the taker.
    pub fn of(position: &Position) -> Self {
        Self {
            base: position.packed(),
            careless: position.in_check(),
            before: Before::Plain,
            bans: Vec::new(),
            mates: Mates::Refute,
            alone: None,
            let_go: None,
            prefers: None,
            against: None,
            moved: None,
            passer_by: None,
            beside: false,
            since: None,
            stood: None,
            takes: Takes::Any,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Frame {
    pub number: usize,
    pub base: Position,
    pub taker: Side,
    pub key: FrameKey,
}

impl Frame {
    pub fn careless_side(&self) -> Option<Side> {
        self.key.careless.then_some(self.taker)
    }

    /// In what could be taken to begin with a king that stands in check is left out.
    pub fn is_base_careless(&self) -> bool {
        self.key.careless || self.base.in_check()
    }

    /// The board with a side to move.
    pub fn with(&self, side: Side) -> Position {
        with_turn(self.base.clone(), side)
    }

    /// The taker's captures.
    pub fn captures(&self) -> MoveList {
        self.takes(self.taker, self.key.careless)
    }

    pub fn captures_by(&self, side: Side) -> MoveList {
        self.takes(side, self.is_base_careless() && side == self.taker)
    }

    /// A check is left aside; what is tied to the king otherwise stays tied.
    fn takes(&self, side: Side, careless: bool) -> MoveList {
        let mut position = self.with(side);
        let mut moves = captures(&mut position, careless);
        if careless && position.in_check() {
            let checkers = position.checkers();
            moves.retain(|mv| position.keeps_king_safe_but_for(mv, checkers));
        }
        moves
    }

    pub fn may_make(&self, position: &Position, mv: Move) -> bool {
        !is_banned(&self.key.bans, position, mv)
            && (self.key.alone.is_none() || self.key.alone == position.id_at(mv.from))
    }

    /// A check that the piece that moved could have given before its move leads to the very position to which it led then,
    /// with all that comes of it (29.2).
    pub fn was_there(&self, check: Move) -> bool {
        self.key.moved.is_some_and(|moved| {
            let mut before = self.base.clone();
            before.make(moved.reversed());
            before.pass();
            check.from == moved.to && before.is_legal(Move::new(moved.from, check.to))
        })
    }

    /// It takes a piece that cannot be taken where it stood, or a king that is left out of account.
    pub fn takes_shielded(&self, position: &Position, mv: Move) -> bool {
        let target = position.id_at(mv.to);
        let shielded =
            |id| self.key.before == Before::Shield(id) && mv.to == self.base.square_of(id);
        target.is_some_and(|id| id.role() == Role::King || shielded(id))
    }

    /// What checks this side and keeps it from nothing.
    pub fn aside(&self, mater: Side) -> PieceSet {
        if self.key.careless && mater == self.taker {
            self.base.checkers()
        } else {
            PieceSet::EMPTY
        }
    }

    /// The taker, to move, stands in a check that is not left out of account.
    pub fn is_checked(&self, position: &Position) -> bool {
        let checkers = position.checkers();
        !checkers.minus(self.aside(self.taker)).is_empty()
    }

    /// Only the check that stands in the base is left aside.
    pub fn is_safe_but_for_check(&self, position: &mut Position, mv: Move) -> bool {
        position.keeps_king_safe_but_for(mv, self.base.checkers())
    }

    /// What a capture was worth on its one square to begin with, if it was there.
    pub fn see(&self, side: Side, mv: Move) -> Option<i32> {
        let mut position = self.with(side);
        let careless = self.is_base_careless() && side == self.taker;
        let (captor, target) = position.id_at(mv.from).zip(position.id_at(mv.to))?;
        let there = captor.side() == side
            && target.side() != side
            && target.role() != Role::King
            && position.bears(mv.from, mv.to)
            && (careless || position.keeps_king_safe(mv));
        let left_out = self.is_base_careless().then_some(self.taker);
        there.then(|| exchange(&mut position, mv, left_out).number())
    }
}

pub(crate) fn captures(position: &mut Position, careless: bool) -> MoveList {
    let mut moves = MoveList::new();
    if careless {
        position.pseudo_captures_into(&mut moves);
    } else {
        position.legal_captures_into(&mut moves);
    }
    moves.retain(|mv| {
        position
            .id_at(mv.to)
            .is_some_and(|id| id.role() != Role::King)
    });
    moves
}

/// A board with this side to move.
pub(crate) fn with_turn(mut position: Position, side: Side) -> Position {
    if position.turn() != side {
        position.pass();
    }
    position
}

/// Among which moves one is named.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moves {
    Legal,
    /// Captures; of a careless side, whatever its pieces bear on.
    Captures {
        careless: bool,
    },
}

impl Moves {
    /// All of them, as the board generates them.
    pub fn all(self, position: &mut Position) -> MoveList {
        match self {
            Self::Legal => legal(position),
            Self::Captures { careless } => captures(position, careless),
        }
    }

    pub fn have(self, position: &mut Position, mv: Move) -> bool {
        let (quiet, careless) = match self {
            Self::Legal => (true, false),
            Self::Captures { careless } => (false, careless),
        };
        (quiet || !position.is_empty(mv.to))
            && position.is_pseudo_legal(mv)
            && (careless || position.keeps_king_safe(mv))
    }
}

/// Every legal move; the answers, where the side to move stands in check.
pub(crate) fn legal(position: &mut Position) -> MoveList {
    if position.in_check() {
        Answers::of(position).all(position)
    } else {
        position.legal_moves()
    }
}

/// A question that may come again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// Does the side to move mate within so many consecutive checks?
    Mates(usize, u32),
    /// Does it mate by consecutive checks at all, the first past this square if one is given?
    Kill(usize, Option<Square>, Vec<Ban>),
    /// What was the capture worth, if it was there, less what is won back by checks?
    Cap(usize, Side, Move),
    /// Is more than this won back on a square by checks, the next being the so-manieth?
    Back(usize, usize, Square, (u32, i32, Option<Balance>, u32)),
    /// Does the capture come to this grade?
    Line(usize, Move, i32),
    /// What does a run of checks win of what is aimed at?
    Checks(usize, Run, Aims, Asked),
}

/// What is asked about runs of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asked {
    /// Whether one comes to the mark.
    Whether,
    /// To what the best comes.
    Best,
    /// What falls by one or another that comes to the mark.
    Every,
}

/// What is answered: where yes, with what it comes to, as far as the question is about that.
pub(crate) type Answer = Option<Leaf>;

/// How a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    #[default]
    Settled,
    /// The other side is mated.
    Mates,
    /// The taker is.
    Mated,
    /// The captor is lost to checks.
    WonBack,
}

/// Where a line stops.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leaf {
    pub grade: i32,
    pub balance: Balance,
    pub end: End,
    pub captor_lives: bool,
    /// The dearest piece taken after the first capture, retakes apart.
    pub dearest: i32,
    /// That is a rook, not one exchanged for another on the way.
    pub rook: bool,
    /// The taker takes again where it took first.
    pub again: bool,
    /// What is won by checks, after one answer or another.
    pub victims: PieceSet,
    /// What of it falls whichever of the answers that cost least is given.
    pub certain: PieceSet,
    /// What of it falls in this one line.
    pub fallen: PieceSet,
    /// What first takes something in a run, and where.
    pub taken_by: Option<(PieceId, Square)>,
}

impl Leaf {
    /// Where only the number matters.
    pub fn of(grade: i32) -> Self {
        Self {
            grade,
            ..Self::default()
        }
    }

    /// The better of two, with what falls by either.
    pub fn or(known: Option<Self>, leaf: Option<Self>) -> Option<Self> {
        let (Some(known), Some(leaf)) = (known, leaf) else {
            return known.or(leaf);
        };
        let victims = known.victims.or(leaf.victims);
        let better = if known.grade >= leaf.grade {
            known
        } else {
            leaf
        };
        Some(Self { victims, ..better })
    }

    /// The other side is mated: there is no more.
    pub fn mates(&self) -> bool {
        self.end == End::Mates
    }

    /// The same where the piece that has just taken is won back by checks, which leaves this.
    pub fn won_back(self, left: Self) -> Self {
        Self {
            grade: left.grade,
            balance: left.balance,
            rook: left.rook,
            end: End::WonBack,
            captor_lives: false,
            ..self
        }
    }
}
