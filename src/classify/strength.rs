//! Strong and weak attacks (26.9): who attacks single-handed, and who only together with others.

use super::scene::Scene;
use super::threats::Threat;
use crate::board::{Move, Role};
use crate::definitions::{BothForbidden, Root};
use crate::exchange::{Account, Budget, RootStatus, Survey, Terms, is_barred, status_of};
use serde::{Deserialize, Serialize};

/// How an attack weighs where both sides behave as forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Needs several pieces (联合捉子), or attacks a piece that has roots (捉少根子).
    Weak,
    /// One piece attacks an unrooted piece, or any piece but a rook attacks a rook.
    Strong,
}

/// How strong a threat to take is.
pub fn of_threat(
    terms: Terms<'_>,
    scene: &Scene,
    threat: &Threat,
    budget: &mut Budget<'_>,
) -> Strength {
    let Threat {
        capture,
        captor,
        victim,
        line,
        ..
    } = threat;
    if terms.both_forbidden == BothForbidden::RootsOfChases {
        // One that has a root, enough or not; what only seems to be one is none (28.16 of 2007).
        return match root_after(terms, scene, *capture, budget) {
            Root::Rooted | Root::Under => Strength::Weak,
            Root::None | Root::False => Strength::Strong,
        };
    }
    // New only because the piece that moved is no longer hanging: its part is to be there.
    if threat.old_in_plain && threat.old_relation && !holds_victim(terms, scene, threat, budget) {
        return Strength::Weak;
    }
    // What a king or pawn takes counts only together with the piece that moved (26.1.1).
    if captor.is_king_or_pawn() && *captor != scene.mover {
        return Strength::Weak;
    }
    if line.wins_a_rook {
        return Strength::Strong;
    }
    let rook = victim.role() == Role::Rook;
    if rook && captor.role() != Role::Rook {
        return Strength::Strong;
    }
    let mut later = line.moves().iter().skip(2).step_by(2);
    let again = later.any(|mv| mv.to == capture.to);
    if again || needs_partners(scene, *capture, rook) {
        return Strength::Weak;
    }
    Strength::Strong
}

/// Whether what a threat takes is a rook, or one falls to it later.
pub(super) fn takes_a_rook(threat: &Threat) -> bool {
    threat.victim.role() == Role::Rook || threat.line.wins_a_rook
}

/// Captor and victim are alike and the victim bears on its captor, but may not take it: it cannot
/// leave its line (不能离线), and the piece that moved has seen to that.
fn holds_victim(terms: Terms<'_>, scene: &Scene, threat: &Threat, budget: &mut Budget<'_>) -> bool {
    let back = threat.capture.reversed();
    if threat.captor.role() != threat.victim.role() || !scene.bears_now(back.from, back.to) {
        return false;
    }
    if !scene.after.is_legal(back) {
        return true;
    }
    let mut account = Account::new(terms, &scene.after);
    let cap = account.cap(scene.side.opponent(), back);
    budget.absorb(account.budget);
    cap.is_some_and(|cap| cap < 0)
}

/// The word for the root of what a capture takes after the move. Where that is open, the budget has run out.
pub(super) fn root_after(
    terms: Terms<'_>,
    scene: &Scene,
    capture: Move,
    budget: &mut Budget<'_>,
) -> Root {
    let RootStatus { root, open, .. } = status_of(terms, &scene.after, capture);
    if open {
        budget.run_out();
    }
    root
}

/// Whether the victim has a root after the capture, or would have one if another piece of the
/// captor's side than the king were not there.
fn needs_partners(scene: &Scene, capture: Move, rook: bool) -> bool {
    let taken = Survey::of(scene.threat().after(capture));
    let roots = taken.contacts().attackers(capture.to);
    let rooted = roots.into_iter().any(|root| {
        let retake = Move::new(taken.square_of(root), capture.to);
        if taken.is_legal(retake) {
            return !rook;
        }
        is_barred(&taken, retake)
    });
    rooted || bars_root(scene, &taken, capture)
}

/// Whether the piece that moved bears on the victim as well as the captor, and has come between it and a root.
fn bars_root(scene: &Scene, taken: &Survey, capture: Move) -> bool {
    let mover = scene.mover;
    if mover.role() == Role::King
        || Some(mover) == taken.id_at(capture.to)
        || !scene.bears_now(scene.mv.to, capture.to)
    {
        return false;
    }
    let mut without = taken.position().clone();
    without.lift(mover);
    let without = Survey::of(without);
    let bear = |at: &Survey| at.contacts().attackers(capture.to);
    let mut barred = bear(&without).minus(bear(taken));
    barred.any(|root| without.is_legal(Move::new(without.square_of(root), capture.to)))
}
