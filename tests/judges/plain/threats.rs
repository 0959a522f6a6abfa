//! Which gains a move threatens, and which of them are new (29.2, 24.3).

use super::board::{Kind, Move, Position, Side, Square, square_name};
use super::book::{EVEN, GAIN, OUTLIVED};
use super::lines::{CheckGain, Frame, Lines, Pair, material};
use super::natures::Step;

#[derive(Clone, Debug)]
pub struct Threat {
    pub captor: Square,
    /// What it takes first, and all that is won in the course of it: where they stand.
    pub victim: Square,
    pub won: Vec<Square>,
    pub grade: i32,
    pub line: Vec<Move>,
    /// One piece does it alone (26.9).
    pub single: bool,
    /// What is chased has a root, if one too few: taking it once brings nothing (2007 5.9.9).
    pub rooted: bool,
}

/// Every capture that S, to move in the frame, threatens: a gain, or an even trade the captor outlives.
pub fn direct(lines: &mut Lines<'_>, f: &Frame) -> Vec<Threat> {
    let captures = f.start.legal_captures();
    captures
        .into_iter()
        .filter_map(|c| {
            lines
                .counts(&f.start, c, false)
                .then(|| threat(lines, f, c))
                .flatten()
        })
        .collect()
}

fn threat(lines: &mut Lines<'_>, f: &Frame, c: Move) -> Option<Threat> {
    let (side, victim) = f.start.get(c.to)?;
    if !material(side, victim, c.to) || f.pairs.iter().any(|p| p.ours == c.from && p.theirs == c.to)
    {
        return None;
    }
    let line = lines.capture(f, c);
    (line.grade >= OUTLIVED).then(|| Threat {
        captor: c.from,
        victim: c.to,
        won: won(f, &line.moves),
        grade: line.grade,
        line: line.moves,
        single: false,
        rooted: rooted(lines, f, c),
    })
}

/// Can the capture be taken back, so that it alone brings nothing?
fn rooted(lines: &Lines<'_>, f: &Frame, c: Move) -> bool {
    let taken = f.start.after(c);
    taken.legal_captures_on(c.to).into_iter().any(|back| {
        let (strong, weak, pawns) = lines.purse(&f.start, &taken.after(back), f.s);
        lines.book.grade(strong, weak, pawns, true) <= EVEN
    })
}

/// Where the pieces S takes in a line stand when it starts.
fn won(f: &Frame, line: &[Move]) -> Vec<Square> {
    let mut names: Vec<Square> = (0..90).collect();
    let (mut place, mut won) = (f.start, Vec::new());
    for m in line {
        if place.turn == f.s && !place.is_empty(m.to) {
            won.push(names[m.to]);
        }
        names[m.to] = names[m.from];
        place = place.after(*m);
    }
    won
}

/// What the move newly threatens.
pub fn new(
    lines: &mut Lines<'_>,
    step: &Step,
    pairs: &[Pair],
    notes: &mut Vec<String>,
) -> Vec<Threat> {
    let s = step.before.turn;
    let mut now = Frame::new(step.after.with_turn(s));
    now.pairs = pairs.to_vec();
    let mut found = direct(lines, &now);
    found.extend(with_king_or_pawn(lines, step, &now));
    // Before the move S was to move, and a check it stood in does not make old attacks new.
    let mut before = Frame::new(if step.before.in_check() {
        step.before.pardoned()
    } else {
        step.before
    });
    before.unmated = step.before.in_check();
    before.unchecked = step.before.in_check();
    let theirs = before.start.with_turn(s.other());
    if lines.book.standing_is_old {
        before.spared = Some(step.mv.from);
    } else if theirs
        .legal_captures_on(step.mv.from)
        .into_iter()
        .any(|m| lines.worth(&theirs, m) > EVEN)
    {
        before.hanging = Some(step.mv.from);
    }
    let plain = direct(lines, &before);
    let mut fresh = Vec::new();
    for t in &found {
        let mut t = t.clone();
        let mut old = covered(lines, &now, &t, &plain);
        let mut part = false;
        if old && !lines.book.standing_is_old {
            part = takes_part(lines, step, &now, &t);
            if part {
                let mut hunted = before.clone();
                hunted.prey = Some(step.mv.from);
                let then = direct(lines, &hunted);
                old = covered(lines, &now, &t, &then);
            }
        }
        if !old {
            t.single = single(lines, &now, &t, part);
        }
        notes.push(format!(
            "{}x{} {} {:?}{}{} {}",
            square_name(t.captor),
            square_name(t.victim),
            t.grade,
            t.line,
            if old { " old" } else { "" },
            if part { " part" } else { "" },
            if t.single { "single" } else { "joint" },
        ));
        if !old {
            fresh.push(t);
        }
    }
    if fresh.is_empty() {
        fresh.extend(new_by_checks(lines, step, &now, &before, &found, notes));
    }
    fresh
}

/// What the king or a pawn takes by the help of the piece that moved, which bears on it as well (27.1, 26.1.1).
fn with_king_or_pawn(lines: &mut Lines<'_>, step: &Step, now: &Frame) -> Vec<Threat> {
    let own = |s: Square| matches!(now.start.kind(s), Some(Kind::King | Kind::Pawn));
    let mut found = Vec::new();
    if own(step.mv.to) {
        return found;
    }
    for c in now.start.legal_captures() {
        if !own(c.from)
            || !now.start.reaches(step.mv.to, c.to)
            || lines.counts(&now.start, c, false)
        {
            continue;
        }
        let Some(t) = threat(lines, now, c) else {
            continue;
        };
        let mut idle = without(now, step.mv.to);
        idle.unmated = true;
        if threat(lines, &idle, c).is_none() {
            found.push(t);
        }
    }
    found
}

/// Was this threat there before? It goes by victim (29.2): what was threatened on the same piece covers it
/// (from chase to chase), unless it wins more by the other pieces it takes. Where what comes of the move
/// counts, it must not have been less either (figure 5).
fn covered(lines: &Lines<'_>, now: &Frame, t: &Threat, before: &[Threat]) -> bool {
    let enough = if lines.book.standing_is_old {
        t.grade.min(GAIN)
    } else {
        t.grade
    };
    if !before
        .iter()
        .any(|o| o.victim == t.victim && o.grade >= enough)
    {
        return false;
    }
    let old: Vec<Square> = before.iter().flat_map(|o| o.won.clone()).collect();
    if t.won.iter().all(|v| old.contains(v)) {
        return true;
    }
    let mut start = now.start;
    for v in t.won.iter().filter(|v| old.contains(v)) {
        start = start.with(*v, None);
    }
    let end = t.line.iter().fold(now.start, |place, m| place.after(*m));
    let (strong, weak, pawns) = lines.purse(&start, &end, now.s);
    lines.book.grade(strong, weak, pawns, false) < GAIN
}

/// Does the piece that moved take part in this threat? It does if it is the captor, if the move opened the
/// way for it, if without its power the threat is gone, or if it guards or holds what the threat rests on.
fn takes_part(lines: &mut Lines<'_>, step: &Step, now: &Frame, t: &Threat) -> bool {
    if t.captor == step.mv.to || !step.before.reaches(t.captor, t.victim) {
        return true;
    }
    let c = Move {
        from: t.captor,
        to: t.victim,
    };
    let mut idle = without(now, step.mv.to);
    idle.unmated = true;
    if idle.start.is_safe(c) && threat(lines, &idle, c).is_none() {
        return true;
    }
    // What O could take to be rid of it, and cannot for the piece that moved.
    let theirs = now.start.with_turn(now.s.other());
    let free = idle.start.with_turn(now.s.other());
    free.legal_captures().into_iter().any(|m| {
        m.to != step.mv.to
            && !free.after(m).reaches(t.captor, t.victim)
            && lines.worth(&free, m) > EVEN
            && !(theirs.legal_captures().contains(&m)
                && lines.worth(&theirs, m) > EVEN
                && !lines.mates(&theirs.after(m), &[]))
    })
}

/// Does the piece that moved take part in what is won by checks? It does if it makes a move of the line, or if without its
/// power so much is not won.
fn takes_part_in_gain(
    lines: &mut Lines<'_>,
    step: &Step,
    now: &Frame,
    gain: &CheckGain,
    old: &[Square],
) -> bool {
    let mut idle = without(now, step.mv.to);
    idle.unmated = true;
    gain.line.iter().step_by(2).any(|m| m.from == step.mv.to)
        || lines
            .by_checks(&idle, &|v| gain.victims.contains(&v), old, true, gain.grade)
            .is_none()
}

/// The frame with a piece bereft of its power.
fn without(now: &Frame, s: Square) -> Frame {
    let mut idle = now.clone();
    idle.start = now.start.with(s, Some((now.s, Kind::Stone)));
    idle
}

/// The position in which of S only one piece and the king have power.
fn alone(now: &Frame, piece: Square) -> Position {
    let mut place = now.start;
    for at in now.start.pieces(now.s) {
        if at != piece && now.start.kind(at) != Some(Kind::King) {
            place = place.with(at, Some((now.s, Kind::Stone)));
        }
    }
    place
}

/// Does one piece make this threat alone (26.9)? It does if it, or what it uncovers, wins a rook and is none
/// itself (26.9.2); or if nothing could take back, were the other pieces of its side without power. Not if
/// the threat stood before and the piece that dodged guards a screen of its own side that it needs
/// (reference figure 39).
fn single(lines: &mut Lines<'_>, now: &Frame, t: &Threat, by_dodge: bool) -> bool {
    let (s, o) = (now.s, now.s.other());
    let alone = alone(now, t.captor);
    let screen = alone
        .cells
        .between(t.captor, t.victim)
        .and_then(|b| b.first().copied());
    if let Some(screen) = screen
        && by_dodge
        && now.start.side(screen) == Some(s)
    {
        let bare = alone.with_turn(o).with(screen, now.start.get(screen));
        let falls = |m: Move| lines.swap(&bare, &bare.after(m), screen, o) > EVEN;
        if bare.legal_captures_on(screen).into_iter().any(falls) {
            return false;
        }
    }
    let mut place = now.start;
    for m in &t.line {
        if place.turn == s
            && place.kind(m.to) == Some(Kind::Rook)
            && place.kind(m.from) != Some(Kind::Rook)
        {
            return true;
        }
        place = place.after(*m);
    }
    let c = Move {
        from: t.captor,
        to: t.victim,
    };
    alone.legal_captures().contains(&c) && lines.swap(&alone, &alone.after(c), c.to, s) > EVEN
}

/// What S wins by consecutive checks (29.1, 24.3) and could not win before, neither by checks nor directly.
/// It goes by victim (29.2).
fn new_by_checks(
    lines: &mut Lines<'_>,
    step: &Step,
    now: &Frame,
    before: &Frame,
    held: &[Threat],
    notes: &mut Vec<String>,
) -> Option<Threat> {
    lines.by_checks(now, &|_| true, &[], true, GAIN)?;
    let mut then = before.clone();
    let mut old: Vec<Square> = held.iter().map(|t| t.victim).collect();
    old.extend(direct(lines, &then).iter().map(|t| t.victim));
    if step.before.in_check() {
        then.start = step.earlier.with_turn(now.s);
    }
    let gain = loop {
        let gain = lines.by_checks(now, &|v| !old.contains(&v), &old, true, GAIN)?;
        // What could be won, but only at a price it no longer has, is new (reference figure 34).
        let least = if lines.book.standing_is_old {
            GAIN
        } else {
            gain.grade
        };
        // What would have cost the piece that moved was not to be had, if that piece has a part in it (reference figure 37).
        let part = !lines.book.standing_is_old && takes_part_in_gain(lines, step, now, &gain, &old);
        then.prey = part.then_some(step.mv.from);
        let mut could = gain.victims.clone();
        could.retain(|v| {
            lines
                .by_checks(&then, &|w| w == *v, &[], true, least)
                .is_some()
        });
        if could.is_empty()
            && lines
                .by_checks(&then, &|w| gain.victims.contains(&w), &[], true, least)
                .is_some()
        {
            could = gain.victims.clone();
        }
        if could.is_empty() {
            break gain;
        }
        old.extend(could);
    };
    // Had the piece that moved not been hanging it would be old: two do it together, it and who checks.
    then.prey = None;
    let least = if lines.book.standing_is_old {
        GAIN
    } else {
        gain.grade
    };
    let by_dodge = gain.line.iter().step_by(2).all(|m| m.from != step.mv.to)
        && lines
            .by_checks(&then, &|w| gain.victims.contains(&w), &[], true, least)
            .is_some();
    // One piece does it if it still does when the others have no power.
    let doers: Vec<Square> = now.start.pieces(now.s);
    let single = !by_dodge
        && doers.into_iter().any(|piece| {
            let mut one = now.clone();
            one.start = alone(now, piece);
            now.start.kind(piece) != Some(Kind::King)
                && lines
                    .by_checks(&one, &|v| !old.contains(&v), &old, false, GAIN)
                    .is_some()
        });
    let victims: Vec<String> = gain.victims.iter().map(|v| square_name(*v)).collect();
    notes.push(format!(
        "by checks {} {:?}{}",
        victims.join(" "),
        gain.line,
        if single { " single" } else { "" }
    ));
    Some(Threat {
        captor: gain.line[0].from,
        victim: gain.victims[0],
        won: gain.victims,
        grade: GAIN,
        line: gain.line,
        single,
        rooted: false,
    })
}

/// The exchanges S offers in `after`, O to move: O can take `ours` with a piece `ours` bears on, and may,
/// without being mated for it and, unless it is about kills, without losing by it (24.4, 28.5).
pub fn exchanges(lines: &mut Lines<'_>, after: &Position, s: Side, for_kill: bool) -> Vec<Pair> {
    let mut found = Vec::new();
    if after.turn == s || after.in_check() {
        return found;
    }
    for m in after.legal_captures() {
        let (theirs, ours) = (after.kind(m.from).unwrap(), after.kind(m.to).unwrap());
        if !lines.book.exchangeable(ours, theirs) || !after.reaches(m.to, m.from) {
            continue;
        }
        let accepted = if for_kill {
            let next = after.after(m);
            lines.swap(after, &next, m.to, after.turn) >= EVEN && lines.kills(&next, &[]).is_none()
        } else {
            let frame = Frame {
                floor: EVEN,
                ..Frame::new(*after)
            };
            lines.capture(&frame, m).grade >= EVEN
        };
        if accepted {
            found.push(Pair {
                ours: m.to,
                theirs: m.from,
                kind: ours,
            });
        }
    }
    found
}

/// Does this exchange come of the move: made possible by it, or better for S than it was?
pub fn newly_paired(lines: &mut Lines<'_>, step: &Step, pair: Pair) -> bool {
    let s = step.before.turn;
    let ours = if pair.ours == step.mv.to {
        step.mv.from
    } else {
        pair.ours
    };
    let (take, back) = (
        Move {
            from: ours,
            to: pair.theirs,
        },
        Move {
            from: pair.theirs,
            to: ours,
        },
    );
    let theirs = step.before.with_turn(s.other());
    if !step.before.legal_captures().contains(&take) || !theirs.legal_captures().contains(&back) {
        return true;
    }
    let now = step.after.with_turn(s);
    let (take_now, back_now) = (
        Move {
            from: pair.ours,
            ..take
        },
        Move {
            to: pair.ours,
            ..back
        },
    );
    lines.worth(&now, take_now) > lines.worth(&step.before, take)
        || lines.worth(&step.after, back_now) < lines.worth(&theirs, back)
}
