//! What can be read off the board about the facts of a finding: how a piece came to bear, who
//! guards, what a line takes. Nothing here is searched for.

use crate::board::{Move, PieceId, Position, Role, Square};
use crate::classify::{Scene, Threat};
use crate::exchange::{Balance, End, Line, Survey, material};
use crate::ruling::MoveJudged;

/// A piece and its square.
pub(super) type Placed = (PieceId, Square);

/// One move of a line.
pub(super) struct Step {
    pub before: Position,
    pub mv: Move,
    pub captured: Option<PieceId>,
    pub check: bool,
    pub mate: bool,
}

/// A line played out.
pub(super) struct Play {
    pub steps: Vec<Step>,
    /// Material the side that begins takes, and loses.
    pub won: Vec<PieceId>,
    pub lost: Vec<PieceId>,
    /// What falls in answer to a check but hung all along: another matter, not counted as lost.
    pub aside: Option<Placed>,
}

impl Play {
    /// Plays out a line with its account, which may leave out what the answer to a check takes.
    pub fn accounted(start: &Position, line: &Line) -> Self {
        let mut play = Self::new(start, line.moves());
        if line.end != End::Settled {
            return play;
        }
        let side = start.turn();
        let taken: Vec<Placed> = play
            .steps
            .iter()
            .filter_map(|step| Some((step.captured?, step.mv.to)))
            .collect();
        let net = taken.iter().fold(Balance::EVEN, |net, &(id, at)| {
            let worth = material(id, at);
            if id.side() == side {
                net.minus(worth)
            } else {
                net.plus(worth)
            }
        });
        let missing = line.balance.minus(net);
        play.aside = taken.into_iter().find(|&(id, at)| {
            missing != Balance::EVEN && id.side() == side && material(id, at) == missing
        });
        if let Some((aside, _)) = play.aside {
            play.lost.retain(|&id| id != aside);
        }
        play
    }

    /// Plays a line out.
    pub fn new(start: &Position, line: &[Move]) -> Self {
        let mut position = start.clone();
        let side = position.turn();
        let mut play = Self {
            steps: Vec::with_capacity(line.len()),
            won: Vec::new(),
            lost: Vec::new(),
            aside: None,
        };
        for &mv in line {
            let before = position.clone();
            let captured = position.make(mv).captured();
            if let Some(taken) = captured
                && material(taken, mv.to) != Balance::EVEN
            {
                if taken.side() == side {
                    play.lost.push(taken);
                } else {
                    play.won.push(taken);
                }
            }
            let check = position.in_check();
            play.steps.push(Step {
                before,
                mv,
                captured,
                check,
                mate: check && position.is_over(),
            });
        }
        play
    }

    /// The second move, where it takes back on the first one's square.
    pub fn retake(&self) -> Option<Move> {
        let [first, second, ..] = self.steps.as_slice() else {
            return None;
        };
        (second.mv.to == first.mv.to).then_some(second.mv)
    }

    /// Whether pieces are won for pawns.
    pub fn gives_pawns(&self) -> bool {
        let pawn = |id: &PieceId| id.role() == Role::Pawn;
        !self.lost.is_empty() && self.lost.iter().all(pawn) && !self.won.iter().all(pawn)
    }

    /// How many moves of the line are worth telling: up to the last capture, or the mate.
    pub fn told(&self) -> usize {
        let tells = |step: &Step| step.captured.is_some() || step.mate;
        self.steps
            .iter()
            .rposition(tells)
            .map_or(0, |last| last + 1)
    }

    /// Whether the line ends in mate.
    pub fn mates(&self) -> bool {
        self.steps.last().is_some_and(|step| step.mate)
    }
}

/// The piece a cannon leaps over to take.
pub(super) fn screen(position: &Position, mv: Move) -> Option<Placed> {
    if position.piece_at(mv.from)?.role != Role::Cannon {
        return None;
    }
    Position::path(mv.from, mv.to).find_map(|at| position.id_at(at).map(|id| (id, at)))
}

/// How the move lets a captor bear on its victim, or win it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// The moved piece itself attacks.
    Moved,
    /// The moved piece has become the captor's screen.
    Screen,
    /// The moved piece has left the captor's line.
    Opened,
    /// The moved piece has let go of the captor's leg or eye.
    Freed(Role),
    /// The captor bore on the victim already; the moved piece has shut out this guard.
    RootCut(Placed),
    /// The captor bore on the victim already; now the moved piece bears on it too.
    Partner,
    /// The moved piece was itself in danger, and is so no longer.
    Dodge,
    /// The captor bore on the victim already.
    Still,
}

/// How the move brought a capture about.
pub(super) fn came(scene: &Scene, capture: Move, captor: PieceId, dodge: bool) -> Came {
    let to = scene.mv.to;
    if captor == scene.mover {
        return Came::Moved;
    }
    if !scene.bore(capture.from, capture.to) {
        let stepper = matches!(captor.role(), Role::Horse | Role::Elephant);
        let on_path = |square| Position::path(capture.from, capture.to).any(|at| at == square);
        let before = scene.before.contacts();
        return if stepper && before.is_kept_off(capture.from, capture.to, scene.mover) {
            Came::Freed(captor.role())
        } else if captor.role() == Role::Cannon && on_path(to) {
            Came::Screen
        } else {
            Came::Opened
        };
    }
    if let Some(guard) = cut_root(scene, capture) {
        return Came::RootCut(guard);
    }
    if scene.bears_now(to, capture.to) {
        return Came::Partner;
    }
    if dodge { Came::Dodge } else { Came::Still }
}

/// How the move brought a threat about.
pub(super) fn threat_came(scene: &Scene, threat: &Threat) -> Came {
    came(scene, threat.capture, threat.captor, threat.old_in_plain)
}

/// How a threat stood before the move.
pub(super) enum Stood<'m> {
    /// The captor did not bear on its victim.
    Apart,
    /// It bore on it, and could not leave its line to take it.
    Held,
    /// It bore on it and won nothing.
    Vain,
    /// Nothing won it.
    Safe,
    /// This capture of it failed, as the line shows.
    Refuted(Move, &'m Line),
}

/// How a threat stood before the move.
pub(super) fn stood_before<'m>(scene: &Scene, threat: &'m Threat) -> Stood<'m> {
    if !threat.old_relation {
        return Stood::Apart;
    }
    let same = scene.same_before(threat.capture);
    match &threat.before {
        None if scene.before.is_legal(same) || scene.answers_check => Stood::Vain,
        None => Stood::Held,
        Some(line) if line.moves().first() == Some(&same) => Stood::Refuted(same, line),
        Some(_) => Stood::Safe,
    }
}

/// A guard of the victim whose way the moved piece has shut.
fn cut_root(scene: &Scene, capture: Move) -> Option<Placed> {
    let mut guards = scene.before.contacts().guards(capture.to);
    guards.find_map(|id| {
        let at = scene.before.square_of(id);
        let lost = scene.threat().is_alive(id) && !scene.bears_now(at, capture.to);
        lost.then_some((id, at))
    })
}

/// An own piece that the captor alone guarded against a capture, and lets go of by taking.
pub(super) fn ward(scene: &Scene, threat: &Threat) -> Option<Placed> {
    let (from, to) = (threat.capture.from, threat.capture.to);
    let taken = Survey::of(scene.threat().after(threat.capture));
    let left = |at: Square| {
        let takers = taken.contacts().attackers(at);
        let mut takers = takers.map(|id| Move::new(taken.square_of(id), at));
        takers.any(|take| taken.is_legal(take))
            && taken.contacts().guards(at).is_empty()
            && threat.line.moves().iter().all(|mv| mv.to != at)
    };
    scene.threat().pieces_of(scene.side).find_map(|id| {
        let at = scene.threat().square_of(id);
        let guarded = id != threat.captor
            && id.role() != Role::King
            && material(id, at) != Balance::EVEN
            && scene.bears_now(from, at)
            && !taken.contacts().reaches(to, at);
        (guarded && left(at)).then_some((id, at))
    })
}

/// What the moved piece was attacked by before its move and no longer is.
pub(super) fn dodged(scene: &Scene) -> Option<Placed> {
    let waiting = scene.waiting();
    let attackers = scene.before.contacts().attackers(scene.mv.from);
    let escaped = |id: PieceId| {
        let at = scene.before.square_of(id);
        waiting.is_legal(Move::new(at, scene.mv.from)) && !scene.bears_now(at, scene.mv.to)
    };
    // What has just come to attack it, rather than what did so all along.
    let came = scene.earlier.as_ref().map(|(_, mv)| mv.to);
    let came = came.and_then(|at| scene.before.id_at(at));
    let mut found = None;
    for id in attackers.filter(|&id| escaped(id)) {
        if found.is_none() || Some(id) == came {
            found = Some(id);
        }
    }
    let found = found?;
    Some((found, scene.before.square_of(found)))
}

/// The first piece the moved piece could take that is no material.
pub(super) fn worthless(scene: &Scene) -> Option<Placed> {
    let enemies = scene.threat().pieces_of(scene.side.opponent());
    enemies.into_iter().find_map(|id| {
        let at = scene.threat().square_of(id);
        let take = Move::new(scene.mv.to, at);
        let could = id.role() == Role::Pawn
            && material(id, at) == Balance::EVEN
            && scene.threat().is_legal(take)
            && !scene.bore(scene.mv.to, at);
        could.then_some((id, at))
    })
}

/// The guard, where a line that comes to nothing is a capture that is simply retaken.
pub(super) fn plain_root(play: &Play, line: &Line) -> Option<Placed> {
    let [_, retake] = play.steps.as_slice() else {
        return None;
    };
    let back = play.retake().filter(|_| line.end == End::Settled)?;
    Some((retake.before.id_at(back.from)?, back.from))
}

/// Whether the moved piece can take nothing.
pub(super) fn bears_on_nothing(scene: &Scene) -> bool {
    let enemies = scene.threat().pieces_of(scene.side.opponent());
    enemies
        .into_iter()
        .all(|id| !scene.bears_now(scene.mv.to, scene.threat().square_of(id)))
}

/// The pieces that give check, and whether they bore on the king before.
pub(super) fn checkers(m: &MoveJudged) -> Vec<(Placed, Came)> {
    let scene = &m.scene;
    let king = scene.after.king(scene.side.opponent());
    let checkers = scene.after.contacts().attackers(king);
    let each = checkers.map(|id| {
        let at = scene.after.square_of(id);
        let how = came(scene, Move::new(at, king), id, false);
        ((id, at), how)
    });
    each.collect()
}
