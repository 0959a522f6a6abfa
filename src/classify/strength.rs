//! Strong and weak attacks (26.9): who attacks single-handed, and who only together with others.

use super::scene::Scene;
use super::threats::Threat;
use crate::board::{Move, PieceId, Position, Role};
use crate::definitions::Definitions;
use crate::exchange::{Account, Budget, Survey};
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
    definitions: &Definitions,
    scene: &Scene,
    threat: &Threat,
    budget: &mut Budget,
) -> Strength {
    let Threat {
        capture,
        captor,
        victim,
        line,
        ..
    } = threat;
    // New only because the piece that moved is no longer hanging: its part is to be there.
    if threat.old_in_plain
        && threat.old_relation
        && !holds_victim(definitions, scene, threat, budget)
    {
        return Strength::Weak;
    }
    // A rook that is won, not one exchanged on the way.
    if line.dearest_later >= 20 && line.balance.pieces() > 0 {
        return Strength::Strong;
    }
    let rook = victim.role() == Role::Rook;
    if rook && captor.role() != Role::Rook {
        return Strength::Strong;
    }
    let again = line
        .moves()
        .iter()
        .skip(2)
        .step_by(2)
        .any(|mv| mv.to == capture.to);
    if again || needs_partners(scene, *capture, rook) {
        return Strength::Weak;
    }
    Strength::Strong
}

/// Captor and victim are alike and the victim bears on its captor, but may not take it: it cannot
/// leave its line (不能离线), and the piece that moved has seen to that.
fn holds_victim(
    definitions: &Definitions,
    scene: &Scene,
    threat: &Threat,
    budget: &mut Budget,
) -> bool {
    let back = threat.capture.reversed();
    if threat.captor.role() != threat.victim.role() || !scene.bears_now(back.from, back.to) {
        return false;
    }
    if !scene.after.is_legal(back) {
        return true;
    }
    let mut account = Account::new(definitions, &scene.after);
    let cap = account.cap(scene.side.opponent(), back);
    budget.absorb(account.budget);
    cap.is_some_and(|cap| cap < 0)
}

/// Whether the victim has a root after the capture, or would have one if another piece of the
/// captor's side than the king were not there.
fn needs_partners(scene: &Scene, capture: Move, rook: bool) -> bool {
    let taken = Survey::of(scene.threat().after(capture));
    taken.contacts().attackers(capture.to).any(|root| {
        let retake = Move::new(taken.square_of(root), capture.to);
        if taken.is_legal(retake) {
            return !rook;
        }
        partners(&taken, retake).next().is_some()
    })
}

/// The pieces, other than king and captor, without which an illegal retake would be legal.
fn partners(taken: &Position, retake: Move) -> impl Iterator<Item = PieceId> {
    let side = taken.turn().opponent();
    let captor = taken.id_at(retake.to);
    taken.pieces_of(side).filter(move |&id| {
        if id.role() == Role::King || Some(id) == captor {
            return false;
        }
        let mut without = taken.clone();
        without.lift(id);
        without.is_legal(retake)
    })
}
