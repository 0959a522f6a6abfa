//! One capture looked into: each guard judged by its retake.

use super::super::account::{Account, Bans, End, square_exchange};
use super::super::budget::Budget;
use super::super::checks::mates_within;
use super::super::graph::Survey;
use super::super::mate::{MateAnswer, mate};
use super::super::value::{Grade, material};
use super::{FalseRoot, Root, RootPiece, RootStatus, Shortage};
use crate::board::{Move, PieceId, PieceSet, Position, Role, Square};
use crate::definitions::Definitions;

/// What the other side makes of a retake.
#[derive(Clone, Debug, Default)]
struct Verdict {
    false_because: Option<FalseRoot>,
    short: Option<Shortage>,
}

/// One capture being looked into.
pub(super) struct Inquiry<'a> {
    definitions: &'a Definitions,
    /// The same for a retake: what the guard lets go of by taking does count.
    retaking: Definitions,
    /// The captor to move.
    position: Position,
    /// The same board with who bears on whom.
    stood: &'a Survey,
    capture: Move,
    captor: PieceId,
    victim: PieceId,
    /// After the capture.
    taken: Survey,
    /// The account of the whole capture, once asked for.
    whole: Option<Whole>,
    /// Whether the captor's side mates by checks as it is, once asked for.
    mate_stands: Option<bool>,
    open: bool,
}

/// The exchange the capture leads to.
#[derive(Clone)]
struct Whole {
    moves: Vec<Move>,
    end: End,
    gains: bool,
}

impl<'a> Inquiry<'a> {
    /// Looks into a capture with the captor's side to move.
    pub fn new(
        definitions: &'a Definitions,
        position: Position,
        stood: &'a Survey,
        capture: Move,
        captor: PieceId,
        victim: PieceId,
    ) -> Self {
        Self {
            definitions,
            retaking: Definitions {
                root_ignore_loss: false,
                ..definitions.clone()
            },
            taken: Survey::of(position.after(capture)),
            position,
            stood,
            capture,
            captor,
            victim,
            whole: None,
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
                    Verdict {
                        false_because: Some(FalseRoot::Unscreened {
                            screen: self.capture.from,
                        }),
                        short: None,
                    }
                };
                RootPiece {
                    hidden: !before.contains(id),
                    false_because: verdict.false_because,
                    short: verdict.short,
                    ..self.piece(id)
                }
            })
            .collect();
        self.add_seconds(&mut by);
        let is_enough = |piece: &RootPiece| piece.is_real() && piece.short.is_none();
        if !by.iter().any(is_enough) {
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
        if let Some(why) = self.illegal(id, &retaken) {
            return Verdict {
                false_because: Some(why),
                short: None,
            };
        }
        if let Some(line) = self.mated(&retaken) {
            return Verdict {
                false_because: Some(FalseRoot::Mated { line }),
                short: None,
            };
        }
        let verdict = if self.taken.in_check() {
            Verdict {
                false_because: None,
                short: self.outnumbered(retake),
            }
        } else {
            self.account_of(retake)
        };
        self.reconciled(retake, verdict)
    }

    /// The account of the whole capture has the last word on whether a real retake is enough: it
    /// also knows what the capture itself opened.
    fn reconciled(&mut self, retake: Move, mut verdict: Verdict) -> Verdict {
        if verdict.false_because.is_some() {
            return verdict;
        }
        let whole = self.whole();
        let reply = whole.moves.get(1) == Some(&retake);
        if !whole.gains {
            if reply && whole.end == End::Settled {
                verdict.short = None;
            }
            return verdict;
        }
        if verdict.short.is_none() && !self.gains_by_values() {
            verdict.short = match whole.moves.get(2) {
                Some(&next) if reply && self.takes(retake, next) => {
                    Some(self.shortage(retake, next))
                }
                _ => self.opened(retake),
            };
        }
        verdict
    }

    /// Whether the piece taken is so much dearer than its captor that taking gains all the same.
    fn gains_by_values(&self) -> bool {
        let cost = material(self.captor, self.capture.to);
        let ahead = material(self.victim, self.capture.to).minus(cost);
        ahead.grade(self.definitions.scale()).is_gain()
    }

    /// The best capture after the retake, among those on the square and those the line made
    /// possible or better, if it makes up for the captor.
    fn opened(&mut self, retake: Move) -> Option<Shortage> {
        let cost = material(self.captor, self.capture.to);
        let ahead = material(self.victim, self.capture.to).minus(cost);
        let mut earlier = Account::surveyed(self.definitions, &self.position, self.stood);
        let mut account = Account::new(self.definitions, &self.taken.after(retake));
        let mut best: Option<(Grade, Move)> = None;
        for mv in account.captures() {
            let won = account.line(mv).balance;
            let grade = ahead.plus(won).grade(self.definitions.scale());
            let before = earlier.cap(self.captor.side(), mv);
            let is_related =
                mv.to == retake.to || before.is_none_or(|before| won.number() > before);
            if is_related && grade.is_gain() && best.is_none_or(|best| grade > best.0) {
                best = Some((grade, mv));
            }
        }
        self.open |= account.budget.is_spent() || earlier.budget.is_spent();
        best.map(|(_, next)| self.shortage(retake, next))
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
    /// before the capture has nothing to do with the guard's leaving its place.
    fn mated(&mut self, retaken: &Position) -> Option<Vec<Move>> {
        let most = self.definitions.mate_after_capture_depth;
        if most == 0 {
            return None;
        }
        let line = self.mate(retaken)?;
        if line.len().div_ceil(2) > most as usize {
            // The line found need not be the shortest.
            let mut budget = Budget::new(self.definitions.kill_budget);
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
        (self.mate_stands == Some(false)).then_some(line)
    }

    fn mate(&mut self, position: &Position) -> Option<Vec<Move>> {
        let mut budget = Budget::new(self.definitions.kill_budget);
        match mate(position, Bans::NONE, &mut budget) {
            MateAnswer::Mates(mate) => Some(mate.line),
            MateAnswer::Escapes => None,
            MateAnswer::Open => {
                self.open = true;
                None
            }
        }
    }

    /// The account of the retake as a capture of its own: what the other side takes next, or wins
    /// back by checks, and whether the first capture gains by that after all.
    fn account_of(&mut self, retake: Move) -> Verdict {
        // Mates by checks are looked for apart.
        let mut account =
            Account::surveyed(&self.retaking, &self.taken, &self.taken).without_mates();
        let line = account.line(retake);
        self.open |= account.budget.is_spent();
        let answer: Vec<Move> = line.moves().iter().skip(1).copied().collect();
        let total = material(self.victim, self.capture.to).minus(line.balance);
        let is_enough = !total.grade(self.definitions.scale()).is_gain();
        let Some(&next) = answer.first() else {
            return Verdict::default();
        };
        match line.end {
            End::Mated => Verdict {
                false_because: Some(FalseRoot::Mated { line: answer }),
                short: None,
            },
            _ if is_enough => Verdict::default(),
            End::WonBack => Verdict {
                false_because: Some(FalseRoot::LostToChecks { line: answer }),
                short: None,
            },
            End::Settled | End::Mates => Verdict {
                false_because: None,
                short: if self.takes(retake, next)
                    && (next.to == retake.to || self.is_made_by(retake, next))
                {
                    Some(self.shortage(retake, next))
                } else {
                    self.outnumbered(retake)
                },
            },
        }
    }

    /// Whether the exchange on the one square leaves the retake short.
    fn outnumbered(&self, retake: Move) -> Option<Shortage> {
        let mut taken = self.taken.position().clone();
        let back = square_exchange(&mut taken, retake);
        let captor = material(self.captor, self.capture.to).number();
        let victim = material(self.victim, self.capture.to).number();
        if back >= captor || victim <= back {
            return None;
        }
        let retaken = self.taken.after(retake);
        let mut again = retaken.clone();
        retaken
            .bearing_on(retake.to, retaken.turn())
            .map(|id| Move::new(retaken.square_of(id), retake.to))
            .filter(|mv| again.keeps_king_safe(*mv))
            .min_by_key(|mv| mv.from)
            .map(|mv| Shortage::Outnumbered { by: mv.from })
    }

    /// Whether what is taken after the retake is worth more than it was before the capture: what
    /// could be taken all along is another matter.
    fn is_made_by(&self, retake: Move, next: Move) -> bool {
        let mut retaken = self.taken.after(retake);
        let now = square_exchange(&mut retaken, next);
        let mut account = Account::surveyed(self.definitions, &self.position, self.stood);
        let before = account.cap(self.captor.side(), next);
        before.is_none_or(|before| now > before)
    }

    /// Whether what follows the retake is a capture, not the answer to the check that it gives.
    fn takes(&self, retake: Move, next: Move) -> bool {
        next.to == retake.to || self.taken.after(retake).id_at(next.to).is_some()
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

    fn whole(&mut self) -> Whole {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let mut account = Account::surveyed(self.definitions, &self.position, self.stood);
        let line = account.line(self.capture);
        self.open |= account.budget.is_spent();
        let whole = Whole {
            moves: line.moves().to_vec(),
            end: line.end,
            gains: line.win.is_some(),
        };
        self.whole = Some(whole.clone());
        whole
    }

    /// Adds the piece that retakes after a run of checks, where the account finds one and that is
    /// enough.
    fn add_through_checks(&mut self, by: &mut Vec<RootPiece>) {
        let whole = self.whole();
        let in_vain = whole.gains && !self.gains_by_values();
        if whole.end != End::WonBack || in_vain {
            return;
        }
        let through: Vec<Move> = whole.moves.iter().skip(1).copied().collect();
        let mut position = self.taken.position().clone();
        let Some((last, run)) = through.split_last() else {
            return;
        };
        for &mv in run {
            position.make(mv);
        }
        let Some(id) = position.id_at(last.from) else {
            return;
        };
        if let Some(known) = by.iter_mut().find(|piece| piece.id == id) {
            // What is lost for having come to the square is lost whichever way it comes.
            if matches!(known.false_because, Some(FalseRoot::LostToChecks { .. })) {
                return;
            }
            known.short = None;
            known.through = through;
        } else {
            by.push(RootPiece {
                through,
                ..self.piece(id)
            });
        }
    }
}
