//! Exchange partners: an own piece offered for one of the other side's (24.4, 28.5).

use super::asian::is_retaken;
use super::frame::{Aims, Ban, FrameKey, Run, Takes};
use super::guide::Rules;
use super::material::{Balance, EVEN, GAIN, exchange, worth};
use crate::board::{Move, PieceId, PieceSet, Position, Role, Square};
use crate::definitions::ExchangeKinds;

/// An own piece and one of the other side's, each able to take the other (24.4, 28.5).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub own: (PieceId, Square),
    pub other: (PieceId, Square),
    /// Taking is no loss on the square, nor mate at once.
    pub playable: bool,
    /// Nor is anything else lost by it.
    pub acceptable: bool,
}

impl Pair {
    /// Whether what is offered has a root: otherwise it is no exchange but given (24.5, 28.6).
    pub fn is_exchange(self, mut position: Position) -> bool {
        is_retaken(&mut position, Move::new(self.other.1, self.own.1))
    }

    pub const fn ban(self, given: bool) -> Ban {
        Ban {
            from: self.own.1,
            to: self.other.1,
            offered: self.own.0,
            partner: self.other.0,
            given,
        }
    }
}

/// The pieces that count as much as one of this kind.
fn alike(kinds: ExchangeKinds, role: Role, among: &Position) -> PieceSet {
    let of = |role| among.pieces_like(among.turn(), role);
    match (kinds, role) {
        (_, Role::King) => PieceSet::EMPTY,
        (ExchangeKinds::EqualValue, Role::Horse | Role::Cannon) => {
            of(Role::Horse).or(of(Role::Cannon))
        }
        (ExchangeKinds::EqualValue, Role::Advisor | Role::Elephant) => {
            of(Role::Advisor).or(of(Role::Elephant))
        }
        _ => of(role),
    }
}

impl Rules<'_> {
    /// Every pair on a board, the side that may take to move.
    pub fn pairs(&mut self, after: &Position) -> Vec<Pair> {
        let definitions = self.definitions;
        let offering = after.turn().opponent();
        let mut found = Vec::new();
        for own in after.pieces_of(offering) {
            let at = after.square_of(own);
            if worth(after, at) == Balance::EVEN {
                continue;
            }
            for other in alike(definitions.exchange_kinds, own.role(), after) {
                let from = after.square_of(other);
                let take = Move::new(from, at);
                if worth(after, from) == Balance::EVEN
                    || !after.bears(at, from)
                    || !after.is_legal(take)
                {
                    continue;
                }
                let mut position = after.clone();
                let even = exchange(&mut position, take, None).number() >= 0;
                position.make(take);
                let playable = even
                    && !self.mates_within(
                        &mut position,
                        definitions.acceptance_mate_depth,
                        PieceSet::EMPTY,
                    );
                let depth = definitions.acceptance_loss_depth;
                let acceptable = playable && (depth == 0 || !self.loses(after, take, depth));
                found.push(Pair {
                    own: (own, at),
                    other: (other, from),
                    playable,
                    acceptable,
                });
            }
        }
        found
    }

    /// Who accepts loses material at once.
    fn loses(&mut self, after: &Position, take: Move, depth: u32) -> bool {
        let accepted = after.after(take);
        let mut answered = FrameKey::of(&accepted);
        answered.careless = false;
        let answered = self.frame(answered);
        let given = Balance::EVEN.minus(worth(after, take.to));
        let run = Run::of(depth, given, GAIN);
        // Not of what could be won anyhow, what has just taken apart.
        if self.gains_by_checks(&answered, run, Aims::ALL) {
            let frame = self.frame(FrameKey::of(after));
            let offering = after.turn().opponent();
            let captor = accepted.id_at(take.to);
            let mut newly = |rules: &mut Self, aims: Aims, run: Run| {
                let aims = match (aims, captor) {
                    (Aims::Apart(anyhow), Some(captor)) => Aims::Apart(anyhow.without(captor)),
                    _ => aims,
                };
                // What is given counts in the comparison, too: a run that stood may have cost that very piece.
                let run = Run {
                    balance: given,
                    ..run
                };
                rules.by_checks(&answered, run, aims)
            };
            let checked = after.in_check();
            if checked
                || !self
                    .newly_won(&frame, (offering, None), run, &mut newly)
                    .is_empty()
            {
                return true;
            }
        }
        let mut wards = FrameKey::of(after);
        wards.takes = Takes::Back;
        let frame = self.frame(wards);
        self.line(&frame, take, EVEN).is_none() && self.value(&frame, take).balance.number() < 0
    }
}
