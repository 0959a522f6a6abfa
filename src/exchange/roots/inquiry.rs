//! One capture looked into: each guard judged by its retake.

use super::super::account::{Account, Bans, End, Line};
use super::super::budget::Terms;
use super::super::checks::{mates_sooner, mates_within};
use super::super::graph::Survey;
use super::super::mate::{MateAnswer, mate};
use super::super::value::{Balance, Grade, material};
use super::{FalseRoot, Root, RootPiece, RootStatus, Shortage};
use crate::board::{Move, PieceId, PieceSet, Position, Role, Square};
use crate::definitions::ChaseTest;

/// What the other side makes of a retake.
#[derive(Clone, Debug, Default)]
struct Verdict {
    false_because: Option<FalseRoot>,
    short: Option<Shortage>,
    costs: Vec<Move>,
}

impl Verdict {
    /// It is no root.
    fn wrong(why: FalseRoot) -> Self {
        Self {
            false_because: Some(why),
            ..Self::default()
        }
    }

    /// It is one, and enough or not.
    fn real(short: Option<Shortage>, costs: Vec<Move>) -> Self {
        Self {
            false_because: None,
            short,
            costs,
        }
    }
}

/// One capture being looked into.
pub(super) struct Inquiry<'a> {
    terms: Terms<'a>,
    /// The captor to move.
    position: Position,
    /// The same board with who bears on whom.
    stood: &'a Survey,
    capture: Move,
    captor: PieceId,
    victim: PieceId,
    /// After the capture.
    taken: Survey,
    /// Whether the king of what is taken stands in check as it is, and is left out of account.
    pardoned: bool,
    /// Whether the captor's side mates by checks as it is, once asked for.
    mate_stands: Option<bool>,
    open: bool,
}

impl<'a> Inquiry<'a> {
    /// Looks into a capture with the captor's side to move.
    pub fn new(
        terms: Terms<'a>,
        position: Position,
        stood: &'a Survey,
        capture: Move,
        captor: PieceId,
        victim: PieceId,
    ) -> Self {
        Self {
            terms,
            pardoned: position.attacked(victim.side()),
            taken: Survey::of(position.after(capture)),
            position,
            stood,
            capture,
            captor,
            victim,
            mate_stands: None,
            open: false,
        }
    }

    /// The status of what is captured.
    pub fn status(mut self) -> RootStatus {
        let square = self.capture.to;
        let before = self.stood.contacts().guards(square);
        let now = self.taken.contacts().attackers(square);
        let mut by: Vec<RootPiece> = before
            .or(now)
            .map(|id| {
                let verdict = if now.contains(id) {
                    self.judge(id)
                } else {
                    Verdict::wrong(FalseRoot::Unscreened {
                        screen: self.capture.from,
                    })
                };
                RootPiece {
                    hidden: !before.contains(id),
                    false_because: verdict.false_because,
                    short: verdict.short,
                    costs: verdict.costs,
                    ..self.piece(id)
                }
            })
            .collect();
        self.add_seconds(&mut by);
        let is_enough = |piece: &RootPiece| piece.is_real() && piece.short.is_none();
        if !self.by_retake_alone() && !by.iter().any(is_enough) {
            self.add_through_checks(&mut by);
        }
        by.sort_by_key(|piece| (piece.hidden, piece.square));
        let root = if by.iter().any(is_enough) {
            Root::Rooted
        } else if by.iter().any(RootPiece::is_real) {
            Root::Under
        } else if by.is_empty() {
            Root::None
        } else {
            Root::False
        };
        RootStatus {
            root,
            by,
            open: self.open,
        }
    }

    fn piece(&self, id: PieceId) -> RootPiece {
        RootPiece {
            id,
            square: self.position.square_of(id),
            piece: id.role(),
            hidden: true,
            false_because: None,
            short: None,
            costs: Vec::new(),
            through: Vec::new(),
        }
    }

    fn squares(position: &Position, pieces: PieceSet) -> Vec<Square> {
        let mut squares: Vec<Square> = pieces.map(|id| position.square_of(id)).collect();
        squares.sort_unstable();
        squares
    }

    /// Whether a piece that bears on the square after the capture really retakes.
    fn judge(&mut self, id: PieceId) -> Verdict {
        let retake = Move::new(self.taken.square_of(id), self.capture.to);
        let mut retaken = self.taken.position().clone();
        retaken.make(retake);
        if !self.pardoned
            && let Some(why) = self.illegal(id, &retaken)
        {
            return Verdict::wrong(why);
        }
        if self.by_retake_alone() {
            return Verdict::default();
        }
        if let Some(line) = self.mated(&retaken) {
            return Verdict::wrong(FalseRoot::Mated { line });
        }
        let own = self.account_of(retake, false);
        let answer = || own.moves().iter().skip(1).copied().collect();
        match own.end {
            End::Mated => return Verdict::wrong(FalseRoot::Mated { line: answer() }),
            End::WonBack if self.left(own.balance).is_gain() => {
                let line: Vec<Move> = answer();
                return match line.last() {
                    // It keeps some of what it took, and is one too few.
                    Some(&by) if own.balance.number() > 0 => {
                        Verdict::real(Some(self.shortage(retake, by)), line)
                    }
                    _ => Verdict::wrong(FalseRoot::LostToChecks { line }),
                };
            }
            End::Mates | End::Settled | End::WonBack => {}
        }
        // Something may fall elsewhere, by checks that the retake has made possible: as much as it took, or it is the root
        // that it is (24.17).
        let apart = self
            .costs(own.balance)
            .then(|| self.account_of(retake, true));
        let costs_apart = apart.filter(|apart| self.costs(apart.balance));
        if apart.is_some() && costs_apart.is_none() && own.balance.number() <= 0 {
            return Verdict::wrong(FalseRoot::LostToChecks { line: answer() });
        }
        let mut costs = Vec::new();
        // Where the capture gains by its value anyhow, only what the retake itself costs counts.
        let next = if self.gains_by_values() {
            costs_apart.and_then(|apart| apart.moves().get(1).copied())
        } else {
            let mut account = self.account();
            let found = account.retaken(self.capture, retake);
            self.open |= account.budget.is_spent();
            found.map(|(next, line)| {
                costs.extend_from_slice(line.moves().get(1..).unwrap_or_default());
                next
            })
        };
        Verdict::real(next.map(|next| self.shortage(retake, next)), costs)
    }

    /// Whether whoever retakes is a root, whatever becomes of it (Asian rules, 34 and 35).
    fn by_retake_alone(&self) -> bool {
        self.terms.chase_test == ChaseTest::RootAndValue
    }

    /// What is left of the capture, the retake being worth so much.
    fn left(&self, own: Balance) -> Grade {
        let left = material(self.victim, self.capture.to).minus(own);
        left.grade(self.terms.scale())
    }

    /// Whether the retake keeps less than it takes, and the capture gains.
    fn costs(&self, own: Balance) -> bool {
        let taken = material(self.captor, self.capture.to);
        self.left(own).is_gain() && own.number() < taken.number()
    }

    /// Whether the piece taken is so much dearer than its captor that taking gains all the same.
    fn gains_by_values(&self) -> bool {
        let cost = material(self.captor, self.capture.to);
        let ahead = material(self.victim, self.capture.to).minus(cost);
        ahead.grade(self.terms.scale()).is_gain()
    }

    /// Why a retake is illegal, if it is. The square stays occupied, so only leaving its place
    /// can expose the king of a piece.
    fn illegal(&self, id: PieceId, retaken: &Position) -> Option<FalseRoot> {
        let owner = self.victim.side();
        let attackers = retaken.bearing_on(retaken.king(owner), owner.opponent());
        if attackers.is_empty() {
            return None;
        }
        let standing = attackers.and(
            self.taken
                .contacts()
                .attackers(self.taken.king(owner))
                .without(self.captor),
        );
        if !standing.is_empty() {
            let by = Self::squares(retaken, standing);
            return Some(FalseRoot::AnswersNoCheck { by });
        }
        let by = Self::squares(retaken, attackers);
        Some(if id.role() == Role::King {
            FalseRoot::ExposesKing { by }
        } else {
            FalseRoot::Pinned { by }
        })
    }

    /// The mate that follows the retake, where the book asks for one. A mate that threatened
    /// before the capture has nothing to do with the guard's leaving its place, unless it comes sooner now.
    fn mated(&mut self, retaken: &Position) -> Option<Vec<Move>> {
        let most = self.terms.mate_after_capture_depth;
        if most == 0 || self.pardoned {
            return None;
        }
        let line = self.mate(retaken)?;
        if line.len().div_ceil(2) > most as usize {
            // The line found need not be the shortest.
            let mut budget = self.terms.kill_budget();
            let soon = mates_within(&mut retaken.clone(), most, &mut budget);
            self.open |= budget.is_spent();
            if !soon {
                return None;
            }
        }
        if self.mate_stands.is_none() {
            let position = self.position.clone();
            self.mate_stands = Some(self.mate(&position).is_some());
        }
        let another = self.mate_stands == Some(false) || {
            let mut budget = self.terms.kill_budget();
            let (mut now, mut anyhow) = (retaken.clone(), self.position.clone());
            let sooner = mates_sooner(&mut now, &mut anyhow, (most, PieceSet::EMPTY), &mut budget);
            self.open |= budget.is_spent();
            sooner
        };
        another.then_some(line)
    }

    fn mate(&mut self, position: &Position) -> Option<Vec<Move>> {
        let mut budget = self.terms.kill_budget();
        match mate(position, Bans::NONE, &mut budget) {
            MateAnswer::Mates(line) => Some(line),
            MateAnswer::Escapes => None,
            MateAnswer::Open => {
                self.open = true;
                None
            }
        }
    }

    /// The account of the retake as a capture of its own, with what falls elsewhere by checks or apart from that.
    /// Mates by checks are looked for by themselves.
    fn account_of(&mut self, retake: Move, apart: bool) -> Line {
        let account = Account::surveyed(self.terms, &self.taken, &self.taken);
        let mut account = account.accepting().without_mates();
        if !self.pardoned {
            account = account.answering_from(&self.position);
        }
        if apart {
            account = account.apart();
        }
        let line = account.line(retake);
        self.open |= account.budget.is_spent();
        line
    }

    fn shortage(&self, retake: Move, next: Move) -> Shortage {
        if next.to == retake.to {
            Shortage::Outnumbered { by: next.from }
        } else if self.taken.contacts().reaches(retake.from, next.to) {
            Shortage::TwoWards {
                ward: next.to,
                by: next.from,
            }
        } else {
            Shortage::Opens {
                square: next.to,
                by: next.from,
            }
        }
    }

    /// Adds the guards that stand behind a real guard: they come to bear when it retakes.
    fn add_seconds(&self, by: &mut Vec<RootPiece>) {
        if !by.iter().any(RootPiece::is_real) {
            return;
        }
        for hidden in self.taken.contacts().hidden_attackers(self.capture.to) {
            let real = |piece: &RootPiece| piece.id == hidden.front.id && piece.is_real();
            let known = by.iter().any(|piece| piece.id == hidden.piece.id);
            if !known && by.iter().any(real) {
                let second = self.piece(hidden.piece.id);
                by.push(RootPiece {
                    // It only tells with the guard in front of it.
                    short: by
                        .iter()
                        .find(|piece| real(piece))
                        .and_then(|piece| piece.short.clone()),
                    ..second
                });
            }
        }
    }

    /// The account in which the capture is one of many.
    fn account(&self) -> Account<'a> {
        Account::surveyed(self.terms, &self.position, self.stood).pardoning(self.pardoned)
    }

    /// Adds the piece that retakes after a run of checks, where the account finds one.
    fn add_through_checks(&mut self, by: &mut Vec<RootPiece>) {
        let mut account = self.account();
        let whole = account.line(self.capture);
        self.open |= account.budget.is_spent();
        if whole.end != End::WonBack {
            return;
        }
        // What comes after the retake is what it costs, as of any other: as much as was won back, or some of it.
        let kept = material(self.victim, self.capture.to).minus(whole.balance);
        if kept.number() <= 0 {
            return;
        }
        let answers = whole.moves().get(1..).unwrap_or_default();
        let retakes = |(at, mv): &(usize, &Move)| at % 2 == 0 && mv.to == self.capture.to;
        let retake = answers.iter().enumerate().rev().find(retakes);
        // Else the captor falls elsewhere, having answered a check.
        let end = retake.map_or(answers.len().saturating_sub(1) | 1, |(at, _)| at + 1);
        let Some((through, costs)) = answers.split_at_checked(end) else {
            return;
        };
        let mut position = self.taken.position().clone();
        let (mut root, mut short) = (None, None);
        for (at, &mv) in through.iter().enumerate() {
            // What an answer takes on the way is a price of it as well.
            if at % 2 == 1
                && let Some(id) = position.id_at(mv.to)
            {
                let (square, by) = (self.taken.square_of(id), mv.from);
                short = Some(Shortage::Opens { square, by });
            }
            root = position.id_at(mv.from);
            position.make(mv);
        }
        let (Some(id), Some(&last)) = (root, through.last()) else {
            return;
        };
        if let Some(&next) = costs.first() {
            short = Some(self.shortage(last, next));
        }
        let (short, costs) = if self.costs(kept) {
            (short, costs.to_vec())
        } else {
            (None, Vec::new())
        };
        let through = through.to_vec();
        if let Some(known) = by.iter_mut().find(|piece| piece.id == id) {
            // What is lost for having come to the square is lost whichever way it comes.
            if matches!(known.false_because, Some(FalseRoot::LostToChecks { .. })) {
                return;
            }
            (known.short, known.costs) = (short, costs);
            known.through = through;
        } else {
            by.push(RootPiece {
                short,
                costs,
                through,
                ..self.piece(id)
            });
        }
    }
}
