//! Exchange partners: an own piece offered for an enemy piece, each able to take the other.

use super::scene::Scene;
use crate::board::{Move, PieceId, PieceSet, Position, Role, Side, Square};
use crate::definitions::ExchangeKinds;
use crate::exchange::{
    Account, Balance, Ban, Bans, Budget, Terms, face_each_other, is_material, is_retaken,
    is_retaken_but_for_check, material, mates_within, square_exchange,
};

/// A pair standing against each other after a move, and how far the other side can accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The offered piece and its square.
    pub own: (PieceId, Square),
    /// The piece that may take it.
    pub other: (PieceId, Square),
    /// Taking it loses nothing on the square and does not lead to mate at once.
    pub playable: bool,
    /// Nor does it lose material at once: the exchange can be accepted.
    pub acceptable: bool,
}

impl Pair {
    /// Whether what is offered has a root: otherwise it is no exchange but given (24.5, 28.6).
    pub fn is_exchange(self, position: &Position) -> bool {
        is_retaken(position, Move::new(self.other.1, self.own.1))
    }

    /// What taking what is offered was worth where it stood before the move, the check that the move answers apart; nothing
    /// where it could not be taken there.
    pub fn worth_before(self, scene: &Scene) -> Option<i32> {
        let took = Move::new(self.other.1, scene.before.square_of(self.own.0));
        let mut waiting = scene.waiting().clone();
        let checked = scene.answers_check.then_some(scene.side);
        (scene.before.contacts().reaches(took.to, took.from) && waiting.is_legal(took))
            .then(|| square_exchange(&mut waiting, took, checked))
    }

    /// Whether the move brought the two together, or gives what could not be taken where it stood, or not for nothing.
    pub fn is_made_by(self, scene: &Scene) -> bool {
        let ((own, at), from) = (self.own, self.other.1);
        if own != scene.mover {
            return !scene.before.contacts().reaches(at, from);
        }
        let gives = || {
            square_exchange(
                &mut scene.after.position().clone(),
                Move::new(from, at),
                None,
            ) > 0
        };
        self.worth_before(scene)
            .is_none_or(|stood| stood <= 0 && gives())
    }
}

/// A side's pieces that may be exchanged for one of a role.
fn like(kinds: ExchangeKinds, position: &Position, side: Side, role: Role) -> PieceSet {
    let other = match (kinds, role) {
        (_, Role::King) => return PieceSet::EMPTY,
        (ExchangeKinds::EqualValue, Role::Cannon) => Role::Horse,
        (ExchangeKinds::EqualValue, Role::Horse) => Role::Cannon,
        (ExchangeKinds::EqualValue, Role::Elephant) => Role::Advisor,
        (ExchangeKinds::EqualValue, Role::Advisor) => Role::Elephant,
        _ => role,
    };
    let same = position.pieces_like(side, role);
    same.or(position.pieces_like(side, other))
}

/// Every pair on the board, with the other side to move. Where the budget runs out, what is said of them is not known.
pub fn pairs(terms: Terms<'_>, after: &Position, budget: &mut Budget<'_>) -> Vec<Pair> {
    let taker = after.turn();
    let offering = taker.opponent();
    let mut found = Vec::new();
    for own in after.pieces_of(offering) {
        let at = after.square_of(own);
        for other in like(terms.exchange_kinds, after, taker, own.role()) {
            let from = after.square_of(other);
            if !face_each_other(after, from, at)
                || !is_material(after, at)
                || !is_material(after, from)
            {
                continue;
            }
            let take = Move::new(from, at);
            if !after.is_legal(take) {
                continue;
            }
            let mut position = after.clone();
            let even = square_exchange(&mut position, take, None) >= 0;
            position.make(take);
            let playable =
                even && !mates_within(&mut position, terms.acceptance_mate_depth, budget);
            let acceptable = playable && {
                let given = Balance::EVEN.minus(material(own, at));
                let depth = terms.acceptance_loss_depth;
                let mut account = Account::new(terms, after);
                let ahead = depth > 0 && account.lets_win_by_checks(take, depth, given);
                budget.absorb(account.budget);
                // Nor may what accepting lets go of fall: what the piece guarded, covered or screened.
                let loses = depth > 0 && {
                    let mut account = Account::new(terms, after).accepting();
                    let left = account.line(take).balance;
                    budget.absorb(account.budget);
                    left.number() < 0
                };
                !ahead && !loses
            };
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

/// The captures the offering side may not use because the pair is on offer, or what is given.
pub fn bans(pairs: &[Pair], of: impl Fn(Pair) -> bool, given: impl Fn(Pair) -> bool) -> Bans {
    let mut bans = Bans::default();
    for &pair in pairs.iter().filter(|pair| of(**pair)) {
        bans.push(Ban {
            from: pair.own.1,
            to: pair.other.1,
            offered: pair.own.0,
            partner: pair.other.0,
            given: given(pair),
        });
    }
    bans
}

/// Those of the captures not to be used whose pieces faced each other in exchange before the move already, from where they
/// stood.
pub fn faced_before(bans: &Bans, scene: &Scene) -> Bans {
    let mut faced = Bans::default();
    for ban in bans.iter() {
        let from = scene.origin(ban.from);
        let contacts = scene.before.contacts();
        if contacts.reaches(from, ban.to)
            && contacts.reaches(ban.to, from)
            && is_retaken_but_for_check(scene.waiting(), Move::new(ban.to, from))
        {
            // What was given then stood in no exchange.
            faced.push(Ban {
                from,
                given: false,
                ..*ban
            });
        }
    }
    faced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Setup};
    use crate::exchange::ContactGraph;

    /// A horse never stands on one line with what it attacks, and advisors and elephants never reach
    /// the other side's: pieces of equal value but of two kinds are never partners.
    #[test]
    fn unlike_pieces_never_bear_on_each_other() {
        let squares: Vec<Square> = Square::all().collect();
        let kings = [(Side::Red, "d0"), (Side::Black, "e9")];
        let mut attacks = 0;
        for (one, other) in [
            (Role::Horse, Role::Cannon),
            (Role::Advisor, Role::Elephant),
            (Role::Elephant, Role::Advisor),
        ] {
            for (&a, &b) in squares
                .iter()
                .flat_map(|a| squares.iter().map(move |b| (a, b)))
            {
                let mut setup = Setup::empty(Side::Red);
                for (side, at) in kings {
                    setup.put(at.parse().unwrap(), Some(Piece::new(side, Role::King)));
                }
                if a == b || setup.piece_at(a).is_some() || setup.piece_at(b).is_some() {
                    continue;
                }
                setup.put(a, Some(Piece::new(Side::Red, one)));
                setup.put(b, Some(Piece::new(Side::Black, other)));
                let Some(position) = setup.possible() else {
                    continue;
                };
                if ContactGraph::of(&position).reaches(a, b) {
                    attacks += 1;
                    // No screen makes a cannon bear off its lines.
                    assert!(a.file() != b.file() && a.rank() != b.rank(), "{a} {b}");
                    assert_eq!((one, other), (Role::Horse, Role::Cannon), "{a} {b}");
                }
            }
        }
        assert!(attacks > 300);
    }
}
