//! The account of a capture: what it wins once everything it touches off has been taken.
//!
//! One position is looked at, with the side whose threats are asked about (the *taker*) to move.
//! A capture opens an exchange in which both sides may stop at any time, and in which only
//! *related* captures count: those on the square of the last capture, and those that the line
//! itself made possible or better. What could be taken all along is another matter: it is left
//! out, so that two attacks that have nothing to do with each other are judged apart.

mod by_checks;
mod elsewhere;
mod line;
mod won_back;

pub use by_checks::uncovers_check;
pub use line::{End, Line, Win};

use super::budget::{Budget, Terms};
use super::checks::Spoilers;
use super::graph::Survey;
use super::value::{Balance, Grade, is_material, material};
use crate::board::{
    BySide, Move, MoveList, PieceId, PieceSet, Position, Role, Side, Square, Trade,
};
pub(super) use won_back::Backs;
use won_back::Own;

/// Captures that are not the taker's to use: by a piece that is offered in exchange, of its
/// partner, and of what retakes where the partner was taken.
#[derive(Clone, Debug, Default)]
pub struct Bans(Vec<Ban>);

/// One such capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ban {
    /// The offered piece's square.
    pub from: Square,
    /// Its partner's square.
    pub to: Square,
    /// What is offered.
    pub offered: PieceId,
    /// For what.
    pub partner: PieceId,
    /// It is given, having no root: only the partner itself is not its to take.
    pub given: bool,
}

impl Bans {
    /// Nothing is banned.
    pub const NONE: &'static Self = &Self(Vec::new());

    /// Bans one more capture.
    pub fn push(&mut self, ban: Ban) {
        self.0.push(ban);
    }

    /// Leaves only those of the captures that are to stay banned.
    pub fn retain(&mut self, stays: impl FnMut(&Ban) -> bool) {
        self.0.retain(stays);
    }

    /// Whether nothing is banned.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Ban> {
        self.0.iter()
    }

    /// Whether this move, in this position, is a banned capture: of the partner, or of what stands on its square once it
    /// has fallen. Wherever that was, so that the answer is the position's whichever way it was reached. While the partner
    /// stands elsewhere the offered piece may take what has come there.
    pub fn forbid(&self, position: &Position, mv: Move) -> bool {
        self.0.iter().any(|ban| {
            ban.from == mv.from
                && ban.to == mv.to
                && position.id_at(mv.from) == Some(ban.offered)
                && position.id_at(mv.to).is_some_and(|target| {
                    target == ban.partner || (!ban.given && !position.is_alive(ban.partner))
                })
        })
    }
}

/// How the piece about to move is treated where the position *before* a move is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Like any other.
    Plain,
    /// It cannot be taken.
    Shield(PieceId),
    /// Taking it is part of the account.
    Dodge(PieceId),
}

/// What is looked for in lines beside what they bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// This piece falls.
    Fall(PieceId),
    /// A rook falls to a later capture (26.9).
    Rook,
}

/// Which pieces a run of checks is to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aims {
    /// One of these.
    Among(PieceSet),
    /// The same without mating whatever the answers.
    Short(PieceSet),
    /// None of these, which only pay for it where they are taken on the way.
    Beside {
        /// Those.
        covered: PieceSet,
        /// By taking one of these the run does not begin.
        begun: PieceSet,
    },
    /// None of these, nor are they taken on the way: they are another matter.
    Apart(PieceSet),
}

impl Aims {
    /// Whichever.
    pub const ALL: Self = Self::Apart(PieceSet::EMPTY);

    /// Whether what is asked about is named.
    const fn are_among(self) -> bool {
        matches!(self, Self::Among(_) | Self::Short(_))
    }

    const fn contain(self, id: PieceId) -> bool {
        match self {
            Self::Among(these) | Self::Short(these) => these.contains(id),
            Self::Beside { covered, .. } => !covered.contains(id),
            Self::Apart(these) => !these.contains(id),
        }
    }

    /// Whether a check leaves this piece where it is, the first of a run or a later one.
    const fn leave(self, id: PieceId, first: bool) -> bool {
        match self {
            Self::Among(_) | Self::Short(_) => false,
            Self::Beside { begun, .. } => first && begun.contains(id),
            Self::Apart(these) => these.contains(id),
        }
    }
}

/// How far an account looks beyond the captures that are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    /// What they cost and bring elsewhere is looked at as well.
    Everywhere,
    /// It is not: the account is only there to compare another with.
    Beside,
    /// Nor what falls after a capture with check: a retake is weighed by itself.
    Apart,
}

/// To what end the captures asked about are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// To chase: a king or a pawn opens nothing new in it (26.1.1), and wards are no loss where the book says so (细则 4).
    ToChase,
    /// The same where wards are a loss.
    CountingWards,
    /// To take back, or to accept: all counts that is lost, and, runs of checks apart, all that is won.
    Back,
}

/// A capture that has been asked about in the position looked at.
#[derive(Clone, Copy, Debug)]
struct Known {
    mv: Move,
    /// Its exchange on the one square; none where it is not there.
    see: Option<i32>,
    /// `see` less what is won back by checks, once that has been asked for.
    cap: Option<i32>,
}

/// The captures of one position, and lines of captures from it.
#[derive(Debug)]
pub struct Account<'a> {
    terms: Terms<'a>,
    /// The taker to move.
    position: Position,
    /// The same board with who bears on whom, where that is shared.
    survey: Option<&'a Survey>,
    taker: Side,
    /// The side whose king is left out of account: the taker where it stands in check, or is asked about as if it did; the
    /// other side where it does, and is asked about as if that had been answered.
    careless: Option<Side>,
    before: Before,
    bans: Bans,
    /// Whether a taker that gets mated thereby has won nothing.
    mates_refute: bool,
    /// The only piece the taker may use, where it is asked what one wins by itself.
    alone: Option<PieceId>,
    /// Which pieces are to be won by a run of checks.
    aims: Aims,
    /// A piece about to move that has no part in what the run wins: that it hangs is another matter.
    pub passer_by: Option<PieceId>,
    /// The move that led to the position looked at and the position before it, where runs of checks begin with none that the
    /// piece that moved could have given before.
    moved: Option<(Move, &'a Position)>,
    /// Such a check, if there was one.
    passed_over: Option<Move>,
    /// Whether every run that comes to more than the floor is looked at, for all that falls in one or another of them.
    every: bool,
    /// What the run of checks looked at has won so far.
    fruits: PieceSet,
    /// A piece of the other side and the place it has left, where what it has let go of thereby does not count.
    let_go: Option<(PieceId, Square)>,
    known: BySide<Vec<Known>>,
    /// Which of two lines that bring as much is the better.
    pub prefers: Option<Prefer>,
    /// Where what a run of checks wins is held against what the other side has won beforehand, that: a line that leaves it a gain comes
    /// to no more than this grade. What is asked about by name is only compared.
    against: Option<(Balance, Grade)>,
    looks: Looks,
    takes: Takes,
    /// Where the position looked at comes of a capture that is being weighed, the one before it: what the other side could take
    /// there already is another matter, what the capture has brought about is not.
    since: Option<Box<Self>>,
    /// The position before the capture that the taker answers.
    stood: Option<&'a Position>,
    /// The piece that takes first in the line being looked at, where it started and what it
    /// guarded there.
    captor: Option<PieceId>,
    first: Option<Move>,
    /// Where in the path it took.
    taken_at: usize,
    path: Vec<Move>,
    /// Of gains, by how many checks are left.
    spoilers: Spoilers,
    /// Of what is won back, by the square the check came to.
    spoilers_on: Spoilers,
    /// Of lines of captures, by how far they look.
    refuters: Spoilers,
    /// What last saved the piece about to move.
    saver: Move,
    own: Own,
    /// Positions expanded.
    pub budget: Budget<'a>,
}

impl<'a> Account<'a> {
    /// The account of a position with the taker to move.
    pub fn new(terms: Terms<'a>, position: &Position) -> Self {
        Self {
            terms,
            taker: position.turn(),
            careless: position.in_check().then_some(position.turn()),
            position: position.clone(),
            survey: None,
            before: Before::Plain,
            bans: Bans::default(),
            mates_refute: true,
            alone: None,
            aims: Aims::ALL,
            passer_by: None,
            moved: None,
            passed_over: None,
            every: false,
            fruits: PieceSet::EMPTY,
            let_go: None,
            prefers: None,
            against: None,
            known: BySide::default(),
            looks: Looks::Everywhere,
            takes: Takes::ToChase,
            since: None,
            stood: None,
            captor: None,
            first: None,
            taken_at: 0,
            path: Vec::new(),
            spoilers: Spoilers::new(),
            spoilers_on: Spoilers::new(),
            refuters: Spoilers::new(),
            saver: Move::NONE,
            own: Own::default(),
            budget: terms.chase_budget(),
        }
    }

    /// The same of a board whose graph is shared: the captures there are read from it, and only played out on the
    /// board. `position` is that board, whichever side is to move.
    pub fn surveyed(terms: Terms<'a>, position: &Position, survey: &'a Survey) -> Self {
        Self {
            survey: Some(survey),
            ..Self::new(terms, position)
        }
    }

    /// Whether what the piece that takes lets go of as its root is no loss of it (细则 4).
    fn ignores_loss(&self) -> bool {
        self.takes == Takes::ToChase && self.terms.root_ignore_loss
    }

    /// Whether the taker's king is left out of account.
    fn is_careless(&self) -> bool {
        self.careless == Some(self.taker)
    }

    /// Whether the other side's is.
    fn is_pardoned(&self) -> bool {
        self.careless == Some(self.taker.opponent())
    }

    /// Within how many checks a mate by this side makes a capture void. Where its king is left out of account the check that
    /// stands is, and nothing else; of the other side's mates that king knows nothing.
    fn mate_depth(&self, mater: Side) -> u32 {
        if self.careless.is_some_and(|careless| careless != mater) {
            0
        } else {
            self.terms.definitions.mate_after_capture_depth
        }
    }

    /// What checks this side and keeps it from nothing.
    fn aside(&self, mater: Side) -> PieceSet {
        if self.is_careless() && mater == self.taker {
            self.checked_by()
        } else {
            PieceSet::EMPTY
        }
    }

    /// Whether what captures cost and bring elsewhere is left out of account.
    const fn is_beside(&self) -> bool {
        !matches!(self.looks, Looks::Everywhere)
    }

    /// Captures the taker may not use.
    #[must_use]
    pub fn banning(mut self, bans: Bans) -> Self {
        self.bans = bans;
        self
    }

    /// How the piece about to move is treated.
    #[must_use]
    pub const fn before(mut self, before: Before) -> Self {
        self.before = before;
        self
    }

    /// The same from now on; how it was treated until now. What has been found so far holds under that alone.
    pub fn treat(&mut self, before: Before) -> Before {
        self.known = BySide::default();
        self.own = Own::default();
        std::mem::replace(&mut self.before, before)
    }

    /// Leaves out of account that the taker might be mated; what that keeps either side from taking in
    /// the position looked at stays as it is.
    #[must_use]
    pub const fn without_mates(mut self) -> Self {
        self.mates_refute = false;
        self
    }

    /// Leaves the taker's own king out of account.
    #[must_use]
    pub const fn careless(mut self) -> Self {
        self.careless = Some(self.taker);
        self
    }

    /// Leaves the other side's king out of account where it stands in check.
    #[must_use]
    pub const fn pardoning(mut self, stands_in_check: bool) -> Self {
        if stands_in_check {
            self.careless = Some(self.taker.opponent());
        }
        self
    }

    /// Leaves out of account what captures cost and bring elsewhere by runs of checks.
    #[must_use]
    pub const fn apart(mut self) -> Self {
        self.looks = Looks::Apart;
        self
    }

    /// Has what the piece that takes lets go of as its root be a loss.
    #[must_use]
    pub const fn counting_wards(mut self) -> Self {
        self.takes = Takes::CountingWards;
        self
    }

    /// Asks about who only takes back, or accepts, and is no chaser: all that is lost counts, and all that is won, by kings and
    /// pawns as well, if not in a run of checks.
    #[must_use]
    pub const fn accepting(mut self) -> Self {
        self.takes = Takes::Back;
        self
    }

    /// Has the taker answer a check it stands in. What it could take is still what it could without the check.
    #[must_use]
    pub const fn answering(mut self) -> Self {
        self.careless = None;
        self
    }

    /// The same where what is answered is a capture, of which this was the position before.
    #[must_use]
    pub const fn answering_from(mut self, stood: &'a Position) -> Self {
        self.stood = Some(stood);
        self.answering()
    }

    /// Leaves to one piece of the taker all that is done.
    #[must_use]
    pub const fn alone(mut self, piece: PieceId) -> Self {
        self.alone = Some(piece);
        self
    }

    /// Has runs of checks win one of these pieces from now on.
    pub const fn aim(&mut self, aims: Aims) {
        self.aims = aims;
    }

    /// Has runs of checks begin with none that the piece that moved could have given before its move, or with any again: such
    /// a check leads to the very position to which it led then, with all that comes of it (29.2).
    pub const fn begin_anew(&mut self, moved: Option<(Move, &'a Position)>) {
        self.moved = moved;
    }

    /// Whether some check has been passed over so.
    pub const fn has_passed_over(&self) -> bool {
        self.passed_over.is_some()
    }

    /// Whether the taker may make this move.
    fn may_make(&self, position: &Position, mv: Move) -> bool {
        !self.bans.forbid(position, mv)
            && (self.alone.is_none() || self.alone == position.id_at(mv.from))
    }

    /// The position looked at.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Captures not to be used.
    pub const fn bans(&self) -> &Bans {
        &self.bans
    }

    /// The taker's captures: legal ones, or, where the taker stands in check, all that its pieces
    /// could make if it did not: what is tied to the king otherwise stays tied.
    pub fn captures(&self) -> Vec<Move> {
        self.captures_of(self.taker, self.is_careless())
    }

    /// What either side could take in the position looked at.
    pub fn captures_by(&self, side: Side) -> Vec<Move> {
        self.captures_of(side, self.careless_at_first() == Some(side))
    }

    /// The captures of a side on the board looked at; all its pieces bear on where its king is left out, unless that exposes
    /// the taker's to more than gives it check.
    fn captures_of(&self, side: Side, careless: bool) -> Vec<Move> {
        let mut position = self.position_for(side);
        let all: Vec<Move> = match self.survey {
            Some(survey) => survey.contacts().captures(side).collect(),
            None if !careless => return captures(&mut position, careless),
            None => captures(&mut position, careless),
        };
        let checked = position.in_check();
        let free = |id| !checked && self.survey.is_some_and(|s| s.contacts().is_free(id));
        let spared = match (careless, side == self.taker) {
            (false, _) => PieceSet::EMPTY,
            (true, true) if checked => position.checkers(),
            (true, _) => return all,
        };
        let mut kept = Vec::with_capacity(all.len());
        for mv in all {
            let is_free = position.id_at(mv.from).is_some_and(free);
            if is_free || position.keeps_king_safe_but_for(mv, spared) {
                kept.push(mv);
            }
        }
        kept
    }

    /// Whether the taker can make this capture, a check it stands in left aside.
    pub fn can_take(&self, capture: Move) -> bool {
        self.captures().contains(&capture)
    }

    /// The board looked at with a side to move.
    fn position_for(&self, side: Side) -> Position {
        let mut position = self.position.clone();
        if position.turn() != side {
            position.pass();
        }
        position
    }

    /// The side whose king is left out of account in what either side could take to begin with: nothing is won back
    /// by checks of it either.
    fn careless_at_first(&self) -> Option<Side> {
        let checked = self.position.in_check().then_some(self.taker);
        self.careless.or(checked)
    }

    /// Whether a capture is there in the position looked at.
    fn is_there(&self, position: &mut Position, mv: Move, careless: bool) -> bool {
        let ends = position.id_at(mv.from).zip(position.id_at(mv.to));
        let captures = ends.is_some_and(|(captor, target)| {
            captor.side() == position.turn()
                && target.side() != position.turn()
                && target.role() != Role::King
        });
        let bears = |position: &Position| match self.survey {
            Some(survey) => survey.contacts().reaches(mv.from, mv.to),
            None => position.bears(mv.from, mv.to),
        };
        captures && bears(position) && (careless || position.keeps_king_safe(mv))
    }

    /// What is known of a capture in the position looked at.
    fn known(&mut self, side: Side, mv: Move) -> &mut Known {
        let found = self.known[side].iter().position(|known| known.mv == mv);
        let index = found.unwrap_or_else(|| {
            let mut position = self.position_for(side);
            let careless = self.careless_at_first();
            let see = self
                .is_there(&mut position, mv, careless == Some(side))
                .then(|| exchange(&mut position, mv, careless).number());
            let list = &mut self.known[side];
            list.push(Known { mv, see, cap: None });
            list.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "the place has just been found")]
        &mut self.known[side][index]
    }

    /// What a capture was worth in the position looked at: its exchange on the one square, less
    /// what the other side wins back there by checks. `None` where it was not there.
    pub fn cap(&mut self, side: Side, mv: Move) -> Option<i32> {
        let known = *self.known(side, mv);
        let see = known.see?;
        if let Some(cap) = known.cap {
            return Some(cap);
        }
        let cap = if self.careless_at_first().is_some() {
            see
        } else {
            let mut position = self.position_for(side);
            self.less_what_is_won_back(&mut position, mv, see, self.checks_back())
        };
        self.known(side, mv).cap = Some(cap);
        Some(cap)
    }

    /// Whether the line made this capture possible or better.
    fn is_new_or_better(&mut self, position: &mut Position, mv: Move) -> bool {
        let answers = position.turn() != self.taker;
        match &mut self.since {
            Some(since) if answers => since.is_improved(position, (mv, mv), answers),
            _ => {
                let then = self.position.as_from_home(&self.path, position, mv);
                self.is_improved(position, (mv, then), answers)
            }
        }
    }

    /// Whether a capture is better than it was `then`, in the position looked at. One that was not there has to win something;
    /// where it `answers` the taker's it may come out even.
    fn is_improved(
        &mut self,
        position: &mut Position,
        (mv, then): (Move, Move),
        answers: bool,
    ) -> bool {
        let side = position.turn();
        let now = exchange(position, mv, self.careless).number();
        let Some(see) = self.known(side, then).see else {
            return now > 0 || (answers && now == 0 && is_material(position, mv.to));
        };
        // What loses is made by nobody, however much more it lost before.
        if now < 0 || !is_material(position, mv.to) {
            return false;
        }
        let cap = self.cap(side, then).unwrap_or(see);
        // Like is compared with like: roots through checks may hold the capture back now as well.
        self.is_worth_more(position, mv, now, cap.max(-1))
    }

    /// Whether what a reply takes, now by a piece that has come by something on its way, could be taken where it stands for as
    /// much in the position looked at.
    fn hung_as_much(&mut self, position: &mut Position, mv: Move) -> bool {
        if let Some(since) = &mut self.since {
            return since.hung_as_much(position, mv);
        }
        let stood = position.id_at(mv.to) == self.position.id_at(mv.to);
        let side = position.turn();
        let now = exchange(position, mv, self.careless).number();
        let mut by = self.position.bearing_on(mv.to, side);
        stood
            && by.any(|captor| {
                let before = Move::new(self.position.square_of(captor), mv.to);
                let cap = self.cap(side, before);
                cap.is_some_and(|cap| !self.is_worth_more(position, mv, now, cap.max(-1)))
            })
    }

    /// The piece about to move cannot be taken where it stands; once it has moved in the line, it
    /// can.
    fn is_shielded(&self, id: PieceId, at: Square) -> bool {
        self.before == Before::Shield(id) && at == self.position.square_of(id)
    }

    /// Whether the move takes such a piece, or a king that is left out of account.
    fn takes_shielded(&self, position: &Position, mv: Move) -> bool {
        let target = position.id_at(mv.to);
        target.is_some_and(|id| id.role() == Role::King || self.is_shielded(id, mv.to))
    }

    /// What gives check in the position looked at, and is left aside where the taker's king is.
    fn checked_by(&self) -> PieceSet {
        self.position.checkers()
    }

    fn is_mated(&self, position: &mut Position) -> bool {
        !self.is_careless() && position.in_check() && !position.has_legal_move()
    }
}

/// Every capture of the side to move (never of a king): the legal ones, or, for a side whose king
/// is left out of account, all its pieces bear on.
pub(super) fn captures(position: &mut Position, careless: bool) -> Vec<Move> {
    let mut moves = MoveList::new();
    if careless {
        position.pseudo_captures_into(&mut moves);
    } else {
        position.legal_captures_into(&mut moves);
    }
    let is_king = |mv: &Move| {
        position
            .id_at(mv.to)
            .is_some_and(|id| id.role() == Role::King)
    };
    moves.iter().copied().filter(|mv| !is_king(mv)).collect()
}

/// Whether what captures can really be retaken on its square.
pub fn is_retaken(position: &Position, capture: Move) -> bool {
    retaker(&mut position.clone(), capture).is_some()
}

/// The same by a side that stands in check, were it not for that check.
pub fn is_retaken_but_for_check(position: &Position, capture: Move) -> bool {
    let mut position = position.clone();
    position.pass();
    let checkers = position.checkers();
    position.pass();
    let safe = |at: &mut Position, retake| at.keeps_king_safe_but_for(retake, checkers);
    retaker_if(&mut position, capture, safe).is_some()
}

/// Whether an illegal retake would be legal but for pieces other than king and captor: one of them, or several of which each
/// bars it.
pub fn is_barred(taken: &Position, retake: Move) -> bool {
    let captor = taken.id_at(retake.to);
    let is_partner = |id: &PieceId| id.role() != Role::King && Some(*id) != captor;
    let without = |these: PieceSet| {
        let mut left = taken.clone();
        these.into_iter().for_each(|id| left.lift(id));
        left
    };
    let partners = taken.pieces_of(taken.turn().opponent());
    let frees = |id| without(PieceSet::EMPTY.with(id)).is_legal(retake);
    if partners.filter(is_partner).any(frees) {
        return true;
    }
    let mut exposed = taken.after(retake);
    exposed.pass();
    let bars: PieceSet = exposed.checkers().into_iter().filter(is_partner).collect();
    !bars.is_empty() && is_barred(&without(bars), retake)
}

/// A piece that could really retake.
pub(super) fn retaker(position: &mut Position, capture: Move) -> Option<PieceId> {
    retaker_if(position, capture, Position::keeps_king_safe)
}

/// A piece that bears on what has taken, and whose retake is safe.
fn retaker_if(
    position: &mut Position,
    capture: Move,
    safe: impl Fn(&mut Position, Move) -> bool,
) -> Option<PieceId> {
    let undo = position.make(capture);
    let mut by = position.bearing_on(capture.to, position.turn());
    let found = by.find(|&id| {
        let retake = Move::new(position.square_of(id), capture.to);
        safe(position, retake)
    });
    position.unmake(undo);
    found
}

/// The value of a capture in the exchange on its one square, both sides free to stop. The king of a side that is named, since it
/// stands in check, is left out of account.
pub fn square_exchange(position: &mut Position, mv: Move, checked: Option<Side>) -> i32 {
    exchange(position, mv, checked).number()
}

fn exchange(position: &mut Position, mv: Move, careless: Option<Side>) -> Balance {
    exchange_without(position, mv, careless, PieceSet::EMPTY)
}

/// Whether a piece is itself a root against a capture, not only in somebody's way or a screen: it can take back at once, or
/// the capture would be worth more if it could not.
fn is_root(position: &mut Position, mv: Move, careless: Option<Side>, id: PieceId) -> bool {
    let undo = position.make(mv);
    let back = Move::new(position.square_of(id), mv.to);
    let takes_back = position.bearing_on(mv.to, position.turn()).contains(id)
        && (careless == Some(position.turn()) || position.keeps_king_safe(back));
    position.unmake(undo);
    takes_back || {
        let without = exchange_without(position, mv, careless, PieceSet::EMPTY.with(id));
        without.number() > exchange(position, mv, careless).number()
    }
}

/// The same where these pieces take nothing back.
fn exchange_without(
    position: &mut Position,
    mv: Move,
    careless: Option<Side>,
    idle: PieceSet,
) -> Balance {
    let trade = Trade {
        worth: material,
        careless,
        idle,
    };
    trade.after(position, mv)
}
