//! 兑, 献, 拦, 跟: what a move that attacks nothing may still be.
//!
//! All are read from what the move *makes*: relations of the piece that moved, or uncovered by it,
//! that were not there before.

use super::partners::Pair;
use super::scene::Scene;
use super::strength::root_after;
use crate::board::{Move, PieceId, PieceSet, Position, Role, Square};
use crate::definitions::{Nature, Root};
use crate::exchange::{
    Account, Bans, Budget, ContactGraph, MateAnswer, Spent, Terms, has_crossed, is_retaken,
    mate_beginning, mates_within, square_exchange,
};

/// A piece and where it stands.
pub type Placed = (PieceId, Square);

/// A quiet effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// The own piece is offered for the other.
    Exchange {
        /// What is offered.
        own: Placed,
        /// For what.
        other: Placed,
    },
    /// The moved piece may be taken.
    Offer {
        /// By what.
        taker: Placed,
    },
    /// The moved piece stands between an enemy piece and what it bore on.
    Block {
        /// The piece whose way is shut.
        attacker: Placed,
        /// What it bore on, or where it was to give mate.
        target: Square,
        /// Whether it was about to mate there.
        mate: bool,
    },
    /// The moved piece bears on a rooted one.
    Follow {
        /// Which.
        target: Placed,
    },
}

impl Quiet {
    /// What a move is by it.
    pub const fn nature(self) -> Nature {
        match self {
            Self::Exchange { .. } => Nature::Exchange,
            Self::Offer { .. } => Nature::Offer,
            Self::Block { .. } => Nature::Block,
            Self::Follow { .. } => Nature::Follow,
        }
    }
}

/// Every quiet effect of a move, in the order in which they name it. `won` is what could be taken with profit, `shut` the
/// first check of a mate it stopped by stepping in the way. A budget that is spent leaves open what it was for.
pub fn effects(
    terms: Terms<'_>,
    scene: &Scene,
    (pairs, won): (&[Pair], PieceSet),
    shut: Option<Move>,
    open: &mut Vec<(Nature, Spent)>,
) -> Vec<Quiet> {
    let mut found = Vec::new();
    found.extend(pairs.iter().filter_map(|&pair| exchange(scene, pair)));
    let mut asked = |nature, ask: &mut dyn FnMut(&mut Budget<'_>)| {
        let mut budget = terms.chase_budget();
        ask(&mut budget);
        if budget.is_spent() {
            open.push((nature, budget.told()));
        }
    };
    asked(Nature::Offer, &mut |budget| {
        found.extend(offer(terms, scene, budget));
    });
    found.extend(block(scene, shut));
    asked(Nature::Follow, &mut |budget| {
        follow(terms, scene, won, budget, &mut found);
    });
    found
}

/// An exchange that the move offers: it was not there, or is better now for who offers it.
pub fn exchange(scene: &Scene, pair: Pair) -> Option<Quiet> {
    if !pair.acceptable || !pair.is_exchange(&scene.after) {
        return None;
    }
    let ((own, at), from) = (pair.own, pair.other.1);
    let offered = Some(Quiet::Exchange {
        own: pair.own,
        other: pair.other,
    });
    let Some(stood) = pair.worth_before(scene) else {
        return offered;
    };
    let (ours, could) = (
        Move::new(at, from),
        Move::new(scene.before.square_of(own), from),
    );
    let mut before = scene.before.position().clone();
    let mut threat = scene.threat().clone();
    let mut after = scene.after.position().clone();
    let checkers = scene.before.contacts();
    let checkers = checkers.attackers(scene.before.king(scene.side));
    // The check that the move answers is another matter.
    let checked = scene.answers_check.then_some(scene.side);
    let improved = threat.is_legal(ours)
        && (!before.keeps_king_safe_but_for(could, checkers)
            || square_exchange(&mut threat, ours, None)
                > square_exchange(&mut before, could, checked));
    let better = improved || square_exchange(&mut after, ours.reversed(), None) < stood;
    offered.filter(|_| better)
}

fn offer(terms: Terms<'_>, scene: &Scene, budget: &mut Budget<'_>) -> Option<Quiet> {
    let role = scene.mover.role();
    if !matches!(role, Role::Rook | Role::Horse | Role::Cannon) {
        return None;
    }
    let mut takers =
        |(contacts, position): (&ContactGraph, &Position), at, narrow| -> Vec<Placed> {
            let by = contacts.attackers(at);
            by.into_iter()
                .map(|id| (id, position.square_of(id)))
                .filter(|&(id, from)| {
                    let take = Move::new(from, at);
                    let mut position = position.clone();
                    if !position.is_legal(take) || square_exchange(&mut position, take, None) <= 0 {
                        return false;
                    }
                    if narrow && (id.role() != role || is_retaken(&position, take)) {
                        return false;
                    }
                    // Whoever takes loses nothing at once (28.6; 24.5 of 2020): not what it lets go of either.
                    let mut account = Account::new(terms, &position).accepting();
                    let wins = account.line(take).balance.number() > 0;
                    budget.absorb(account.budget);
                    position.make(take);
                    let depth = terms.acceptance_mate_depth;
                    wins && !mates_within(&mut position, depth, budget)
                })
                .collect()
        };
    let narrow = terms.offer_same_kind_unrooted;
    let now = (scene.after.contacts(), scene.after.position());
    let taker = *takers(now, scene.mv.to, narrow).first()?;
    // What hung already is given no more, whoever could take it.
    let before = (scene.before.contacts(), scene.waiting());
    takers(before, scene.mv.from, false)
        .is_empty()
        .then_some(Quiet::Offer { taker })
}

/// The first check of a mate into whose way the piece has stepped: of the one that was found, or of another, so
/// that it does not matter which of several was found. An error where the budget does not tell.
pub fn mate_shut(terms: Terms<'_>, scene: &Scene, found: &[Move]) -> Result<Option<Move>, Spent> {
    let shut = |check: Move| Position::passes(check, scene.mv.to);
    if let Some(&check) = found.first()
        && shut(check)
    {
        return Ok(Some(check));
    }
    let mut budget = terms.kill_budget();
    match mate_beginning(scene.waiting(), shut, Bans::NONE, &mut budget) {
        MateAnswer::Mates(line) => Ok(line.first().copied()),
        MateAnswer::Escapes => Ok(None),
        MateAnswer::Open => Err(budget.told()),
    }
}

fn block(scene: &Scene, shut: Option<Move>) -> Option<Quiet> {
    if let Some(check) = shut
        && let Some(attacker) = scene.after.id_at(check.from)
    {
        return Some(Quiet::Block {
            attacker: (attacker, check.from),
            target: check.to,
            mate: true,
        });
    }
    // What bore on an own piece before the move and would again, were the moved piece not there.
    let (before, after) = (scene.before.contacts(), scene.after.contacts());
    for target in scene.after.pieces_of(scene.side) {
        let at = scene.after.square_of(target);
        if target == scene.mover {
            continue;
        }
        for attacker in before.attackers(at) {
            if !scene.after.is_alive(attacker) {
                continue;
            }
            let from = scene.after.square_of(attacker);
            if after.is_kept_off(from, at, scene.mover) && !after.reaches(from, at) {
                return Some(Quiet::Block {
                    attacker: (attacker, from),
                    target: at,
                    mate: false,
                });
            }
        }
    }
    None
}

/// A false root is none, and one too few is not enough (28.8, 28.16; 24.7, 24.15).
fn follow(
    terms: Terms<'_>,
    scene: &Scene,
    won: PieceSet,
    budget: &mut Budget<'_>,
    found: &mut Vec<Quiet>,
) {
    for target in held(scene, won) {
        let take = Move::new(scene.mv.to, target.1);
        if root_after(terms, scene, take, budget) == Root::Rooted {
            found.push(Quiet::Follow { target });
        }
    }
}

/// Whether the piece that moved may hold another as one follows, but for what could be taken with profit.
pub fn holds(scene: &Scene) -> bool {
    held(scene, PieceSet::EMPTY).next().is_some()
}

/// The strong pieces and crossed pawns on which a strong one bears since it moved, and is retaken where it takes them.
fn held(scene: &Scene, won: PieceSet) -> impl Iterator<Item = Placed> + '_ {
    let major = |role: Role| matches!(role, Role::Rook | Role::Horse | Role::Cannon);
    let crossed =
        |target: PieceId, at| target.role() == Role::Pawn && has_crossed(target.side(), at);
    let stands = scene.mv.to;
    let targets = scene.after.pieces_of(scene.side.opponent());
    let placed = targets.map(|target| (target, scene.after.square_of(target)));
    placed.filter(move |&(target, at)| {
        // What can be taken with profit has no root, or too few (28.16).
        major(scene.mover.role())
            && (major(target.role()) || crossed(target, at))
            && !won.contains(target)
            && scene.bears_now(stands, at)
            && !scene.bore(stands, at)
            && scene.threat().is_legal(Move::new(stands, at))
            && is_retaken(scene.threat(), Move::new(stands, at))
    })
}
