//! The idle kinds other than exchange, and what may attack without offence: holding a drawing post, a pawn.

use super::board::{Kind, Move, Position, Side, Square, crossed, file, rank};
use super::book::{EVEN, OUTLIVED};
use super::lines::{Frame, Lines, material};
use super::natures::{Nature, Step};
use super::threats::Threat;

fn strong(kind: Kind) -> bool {
    matches!(kind, Kind::Rook | Kind::Horse | Kind::Cannon)
}

/// Block (28.7, 24.6): the opponent threatened mate, and the piece that moved now stands on the way of the
/// first check; or it cuts a line on which an enemy rook or cannon bore on something.
pub fn blocks(step: &Step) -> bool {
    let theirs = step.before.with_turn(step.before.turn.other());
    theirs.pseudo_moves().into_iter().any(|m| {
        matches!(theirs.kind(m.from), Some(Kind::Rook | Kind::Cannon))
            && on_the_way(m, step.mv.to)
            && (!theirs.is_empty(m.to) || theirs.after(m).in_check())
    })
}

fn on_the_way(m: Move, s: Square) -> bool {
    let inside = |a: i32, b: i32, x: i32| a.min(b) < x && x < a.max(b);
    (file(m.from) == file(m.to)
        && file(s) == file(m.to)
        && inside(rank(m.from), rank(m.to), rank(s)))
        || (rank(m.from) == rank(m.to)
            && rank(s) == rank(m.to)
            && inside(file(m.from), file(m.to), file(s)))
}

/// Follow (28.8, 24.7): a strong piece newly bears on a rooted strong piece.
pub fn follows(step: &Step) -> bool {
    let s = step.before.turn;
    step.after.kind(step.mv.to).is_some_and(strong)
        && step.after.pieces(s.other()).into_iter().any(|v| {
            step.after.kind(v).is_some_and(strong)
                && step.after.reaches(step.mv.to, v)
                && !step.before.reaches(step.mv.from, v)
        })
}

/// Offer (28.6, 24.5): the strong piece that moved may now be taken with profit, as it could not before.
pub fn offers(lines: &mut Lines<'_>, step: &Step) -> bool {
    let s = step.before.turn;
    let taken = |lines: &mut Lines<'_>, place: &Position, at: Square| {
        place
            .legal_captures_on(at)
            .into_iter()
            .any(|m| lines.worth(place, m) > EVEN)
    };
    step.after.kind(step.mv.to).is_some_and(strong)
        && taken(lines, &step.after, step.mv.to)
        && !taken(lines, &step.before.with_turn(s.other()), step.mv.from)
}

/// What the move is besides, that is no attack.
pub fn kinds(lines: &mut Lines<'_>, step: &Step) -> Vec<Nature> {
    let mut found = Vec::new();
    if offers(lines, step) {
        found.push(Nature::Offer);
    }
    if blocks(step) {
        found.push(Nature::Block);
    }
    if follows(step) {
        found.push(Nature::Follow);
    }
    found
}

/// 27.3, 26.2: a side whose only attacking piece keeps to the post that holds a plain draw may attack
/// advisors and elephants in passing. Which endings are plain draws the books do not say: an arbiter does
/// (`asserted`), and the two that the figures show are known.
pub fn holds_the_draw(step: &Step, threats: &[Threat], asserted: bool) -> bool {
    let (s, place) = (step.before.turn, &step.after);
    let weak = |v: Square| matches!(place.kind(v), Some(Kind::Advisor | Kind::Elephant));
    let attackers = |side: Side| -> Vec<Kind> {
        let pieces = place.pieces(side).into_iter().filter_map(|at| {
            let kind = place.kind(at).unwrap();
            (strong(kind) || kind == Kind::Pawn).then_some(kind)
        });
        let mut kinds: Vec<Kind> = pieces.collect();
        kinds.sort_unstable();
        kinds
    };
    if threats.is_empty() || threats.iter().any(|t| !weak(t.victim)) {
        return false;
    }
    let (mine, theirs) = (attackers(s), attackers(s.other()));
    if mine.len() != 1 || mine[0] == Kind::Pawn {
        return false;
    }
    if asserted {
        return true;
    }
    let advisors = place.count(s, Kind::Advisor);
    let moved = place.kind(step.mv.to) == Some(mine[0]);
    let back = if s == Side::Red { 0 } else { 9 };
    let post = |at: Square| rank(at) == back && (3..=5).contains(&file(at));
    // Cannon and two advisors against a rook: the cannon keeps to the palace's bottom rank (图十六).
    let cannon = mine == [Kind::Cannon]
        && theirs == [Kind::Rook]
        && advisors == 2
        && moved
        && post(step.mv.to);
    // Rook and two advisors against rook and horse: the rook holds the middle file behind the horse (图十五).
    let behind = || {
        place.pieces(s.other()).into_iter().any(|v| {
            place.kind(v) == Some(Kind::Horse)
                && file(v) == 4
                && place
                    .cells
                    .between(step.mv.to, v)
                    .is_some_and(|b| b.is_empty())
        })
    };
    let rook = mine == [Kind::Rook]
        && theirs == [Kind::Horse, Kind::Rook]
        && advisors == 2
        && moved
        && file(step.mv.to) == 4
        && behind();
    cannon || rook
}

/// 27.2: the attack of the pawn that moved, which counts where both sides attack for ever.
pub fn pawn_attacks(lines: &mut Lines<'_>, step: &Step) -> bool {
    let s = step.before.turn;
    if step.after.get(step.mv.to) != Some((s, Kind::Pawn)) || !crossed(s, step.mv.to) {
        return false;
    }
    let frame = Frame::new(step.after.with_turn(s));
    frame.start.legal_captures().into_iter().any(|c| {
        let (owner, victim) = frame.start.get(c.to).unwrap();
        c.from == step.mv.to
            && material(owner, victim, c.to)
            && !step.before.reaches(step.mv.from, c.to)
            && lines.capture(&frame, c).grade >= OUTLIVED
    })
}
