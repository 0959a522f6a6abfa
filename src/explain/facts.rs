//! What can be read off the board about the facts of a finding: how a piece came to bear, who
//! guards, what a line takes. Nothing here is searched for.

use crate::board::{Move, PieceId, Position, Role, Side, Square};
use crate::classify::{ByChecks, Foil, Scene, Threat};
use crate::definitions::Definitions;
use crate::exchange::{Balance, End, Line, Survey, is_retaken, material, square_exchange};
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
    /// What falls on the way and is another matter, not counted as lost.
    pub aside: Option<Aside>,
    /// Whether its last moves are told as well, whatever they are.
    is_whole: bool,
}

/// What falls on the way without being counted as lost.
#[derive(Clone, Copy)]
pub(super) struct Aside {
    pub what: Placed,
    /// Whether it falls in answer to a check, or to a check.
    pub when: Falls,
    pub why: Apart,
}

/// When something falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Falls {
    AnsweringCheck,
    GivingCheck,
    Otherwise,
}

/// Why it is another matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// It could be taken all along.
    Hung,
    /// The captor was its root, which does not count.
    Ward,
    /// It is taken back.
    TakenBack,
    /// The line has not made it possible or better.
    NotByThis,
}

impl Play {
    /// Plays out a line with its account, which may leave out what falls on the way.
    pub fn accounted(start: &Position, line: &Line, definitions: &Definitions) -> Self {
        let mut play = Self::new(start, line.moves());
        if line.end != End::Settled {
            return play;
        }
        let side = start.turn();
        let net = play.net(side);
        let missing = line.balance.minus(net);
        let fallen = play.steps.iter().position(|step| {
            step.captured.is_some_and(|id| {
                missing != Balance::EVEN && id.side() == side && material(id, step.mv.to) == missing
            })
        });
        play.aside = fallen.and_then(|at| play.apart(start, at, definitions));
        if let Some(Aside { what, .. }) = play.aside {
            play.lost.retain(|&id| id != what.0);
        }
        play
    }

    /// What a side gains by all that is taken.
    pub fn net(&self, side: Side) -> Balance {
        let taken = self.steps.iter();
        let taken = taken.filter_map(|step| Some((step.captured?, step.mv.to)));
        taken.fold(Balance::EVEN, |net, (id, at)| {
            let worth = material(id, at);
            if id.side() == side {
                net.minus(worth)
            } else {
                net.plus(worth)
            }
        })
    }

    /// What the step of a line takes without its being counted, and why.
    fn apart(&self, start: &Position, at: usize, definitions: &Definitions) -> Option<Aside> {
        let step = self.steps.get(at)?;
        let take = step.mv;
        let (before, captor) = (self.steps.get(at.checked_sub(1)?)?, self.steps.first()?.mv);
        let when = match (before.check, step.check) {
            (true, _) => Falls::AnsweringCheck,
            (false, true) => Falls::GivingCheck,
            (false, false) => Falls::Otherwise,
        };
        let mut stood = start.clone();
        stood.pass();
        let hung = stood.is_legal(take) && square_exchange(&mut stood, take, None) > 0;
        // A king may not take what is guarded.
        let ward = definitions.root_ignore_loss
            && stood.is_pseudo_legal(take)
            && stood.after(take).is_legal(Move::new(captor.from, take.to));
        let why = if hung {
            Apart::Hung
        } else if ward {
            Apart::Ward
        } else if is_retaken(&step.before, take) {
            Apart::TakenBack
        } else {
            Apart::NotByThis
        };
        let what = (step.captured?, take.to);
        Some(Aside { what, when, why })
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
            is_whole: false,
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

    /// One whose every move is worth telling.
    pub fn whole(start: &Position, line: &[Move]) -> Self {
        Self {
            is_whole: true,
            ..Self::new(start, line)
        }
    }

    /// The second move, where it takes back on the first one's square.
    pub fn retake(&self) -> Option<Move> {
        let [first, second, ..] = self.steps.as_slice() else {
            return None;
        };
        (second.mv.to == first.mv.to).then_some(second.mv)
    }

    /// What the side that begins takes with last.
    pub fn last_captor(&self) -> Option<PieceId> {
        let mut own = self.steps.iter().step_by(2);
        let last = own.rfind(|step| step.captured.is_some())?;
        last.before.id_at(last.mv.from)
    }

    /// How many moves of the line are worth telling: up to the last capture, or the mate.
    pub fn told(&self) -> usize {
        let tells = |step: &Step| self.is_whole || step.captured.is_some() || step.mate;
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
    /// The captor bore on the victim already; the moved piece was this guard's screen.
    Unscreened(Placed),
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
        let after = scene.after.contacts();
        return if after.is_kept_off(guard.1, capture.to, scene.mover) {
            Came::RootCut(guard)
        } else {
            Came::Unscreened(guard)
        };
    }
    if scene.bears_now(to, capture.to) {
        return Came::Partner;
    }
    if dodge { Came::Dodge } else { Came::Still }
}

/// How the move brought a threat about.
pub(super) fn threat_came(scene: &Scene, threat: &Threat) -> Came {
    // It was what the other side took in answer; what the line still gives up is not out of danger.
    let before = threat.before.as_ref();
    let before = before.filter(|line| line.end == End::Settled);
    let answer = before.and_then(|line| line.moves().get(1));
    let fell = answer
        .is_some_and(|&answer| answer.to == scene.mv.from && scene.waiting().is_legal(answer));
    let falls = || {
        let play = Play::new(scene.threat(), threat.line.moves());
        play.lost.contains(&scene.mover)
    };
    let dodge = (threat.old_in_plain || fell) && !falls();
    came(scene, threat.capture, threat.captor, dodge)
}

/// How a threat stood before the move.
pub(super) enum Stood<'m> {
    /// The captor did not bear on its victim.
    Apart,
    /// Nor did it, and no other piece that did could win it.
    OthersVain,
    /// Nor did it, and this is what another piece that did won by this capture.
    OtherLess(Move, &'m Line),
    /// It bore on it, and could not leave its line to take it.
    Held,
    /// It bore on it and won nothing.
    Vain,
    /// Nothing won it.
    Safe,
    /// This capture of it failed, as the line shows.
    Refuted(Move, &'m Line),
}

/// Whether the victim is a like piece that faces its captor, and could not take it without exposing its own king: no exchange.
pub(super) fn is_held_from_exchange(scene: &Scene, threat: &Threat) -> bool {
    let back = Move::new(threat.capture.to, threat.capture.from);
    let waiting = scene.after.position();
    threat.captor.role() == threat.victim.role()
        && matches!(
            threat.captor.role(),
            Role::Rook | Role::Horse | Role::Cannon
        )
        && !scene.gives_check
        && waiting.is_pseudo_legal(back)
        && !waiting.is_legal(back)
}

/// Whether an exchange comes out even, which wins something only for a captor that lives, and this one falls.
pub(super) fn costs_the_captor(line: &Line, definitions: &Definitions) -> bool {
    definitions.even_trade_with_survival
        && line.end == End::Settled
        && line.balance == Balance::EVEN
        && !line.captor_lives
}

/// How a threat stood before the move.
pub(super) fn stood_before<'m>(scene: &Scene, threat: &'m Threat) -> Stood<'m> {
    if !threat.old_relation {
        let mut others = scene.before.contacts().attackers(threat.capture.to);
        let vain = |id: PieceId| {
            let king_or_pawn = id.is_king_or_pawn();
            let take = Move::new(scene.before.square_of(id), threat.capture.to);
            id.side() == scene.side
                && id != threat.captor
                && !king_or_pawn
                && scene.before.is_legal(take)
        };
        let told = threat.before.as_ref();
        let told = told.and_then(|line| Some((*line.moves().first()?, line)));
        return match told {
            Some((other, line)) if other.to == threat.capture.to => Stood::OtherLess(other, line),
            _ if others.any(vain) => Stood::OthersVain,
            _ => Stood::Apart,
        };
    }
    let same = scene.same_before(threat.capture);
    match &threat.before {
        // A king could take nothing that was guarded.
        None if scene.before.is_legal(same)
            || scene.answers_check
            || threat.captor.role() == Role::King =>
        {
            Stood::Vain
        }
        None => Stood::Held,
        Some(line) if line.moves().first() == Some(&same) => Stood::Refuted(same, line),
        Some(_) => Stood::Safe,
    }
}

/// The mate of whoever retakes from a square.
pub(super) fn mate_after_retake(scene: &Scene, capture: Move, from: Square, mate: &[Move]) -> Play {
    let taken = scene.threat().after(capture);
    Play::new(&taken.after(Move::new(from, capture.to)), mate)
}

/// Why less was to be won by checks before a move.
pub(super) enum Less {
    /// The first check was not there.
    NoSuchCheck,
    /// After it this answer was enough.
    Foiled(Play),
    /// The same run could be played, and from this move on it was answered, with this end.
    Spoilt(Play, usize, End),
    /// So far it could be played, but not this move of it.
    Ends(Play, Box<Step>),
    /// It is not told how.
    Somehow,
}

/// Why less was to be won by checks before a move.
pub(super) fn less_before(scene: &Scene, gain: &ByChecks) -> Less {
    let Some(&first) = gain.line.moves().first() else {
        return Less::Somehow;
    };
    let check = scene.same_before(first);
    if scene.answers_check {
        return Less::Somehow;
    }
    let before = scene.before.position();
    let checked = before.is_legal(check).then(|| before.after(check));
    match (checked.filter(Position::in_check), &gain.foil) {
        (None, _) => Less::NoSuchCheck,
        (Some(checked), Some(Foil::Answer(answer))) => {
            Less::Foiled(Play::whole(&checked, &[*answer]))
        }
        (Some(_), Some(Foil::Reply(line))) => {
            let play = Play::whole(before, line.moves());
            Less::Spoilt(play, gain.line.moves().len(), line.end)
        }
        (Some(_), Some(Foil::Ends(run))) => {
            let now = Play::new(scene.threat(), gain.line.moves());
            let next = now.steps.into_iter().nth(run.len());
            next.map_or(Less::Somehow, |next| {
                Less::Ends(Play::whole(before, run), Box::new(next))
            })
        }
        (Some(_), None) => Less::Somehow,
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

/// The own piece whose root the captor was, and which falls where a capture would win less if that counted (细则 4).
pub(super) fn ward(scene: &Scene, threat: &Threat) -> Option<Placed> {
    let (line, Move { from, to }) = (threat.without_wards?, threat.capture);
    let mut replies = line.moves().iter().skip(1).step_by(2).map(|mv| mv.to);
    let at = replies.find(|&at| at != to && scene.bears_now(from, at))?;
    Some((scene.threat().id_at(at)?, at))
}

/// Of a threat that stood before an answer to a check, where the capture was not to be made then: whether its victim had come
/// there by the other side's last move.
pub(super) fn stands_checked(scene: &Scene, threat: &Threat, old: Move) -> Option<bool> {
    if !scene.answers_check || scene.before.is_legal(old) {
        return None;
    }
    let came = scene.earlier.as_ref().map(|(_, mv)| mv.to);
    Some(came == Some(threat.capture.to))
}

/// How the other side's last move made a threat between pieces that did not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// It let the captor through.
    Opened,
    /// It took the last guard of the victim away, or cut it off.
    Unguarded,
}

/// How it did so, where it did.
pub(super) fn made_by_opponent(scene: &Scene, threat: &Threat) -> Option<Made> {
    let Move { from, to } = threat.capture;
    let (earlier, played) = scene.earlier.as_ref()?;
    let reached = |at: &Survey| at.contacts().reaches(from, to);
    if threat.captor == scene.mover || played.to == to || !reached(&scene.before) {
        return None;
    }
    if !reached(earlier) {
        return Some(Made::Opened);
    }
    // What could not take back was no guard, and one that guards it again now has not left it.
    let guarded = |at: &Position| is_retaken(at, threat.capture);
    let left = guarded(earlier.passed()) && !guarded(&scene.before) && !guarded(scene.threat());
    left.then_some(Made::Unguarded)
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

/// The first piece this one could now take that is no material.
pub(super) fn worthless(scene: &Scene, by: PieceId) -> Option<Placed> {
    let from = scene.threat().square_of(by);
    let enemies = scene.threat().pieces_of(scene.side.opponent());
    enemies.into_iter().find_map(|id| {
        let at = scene.threat().square_of(id);
        let could = id.role() == Role::Pawn
            && material(id, at) == Balance::EVEN
            && scene.threat().is_legal(Move::new(from, at))
            && !scene.bore(from, at);
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

/// Whether a piece of the other side would have mated by going to a square, had it been to move instead.
pub(super) fn mates_on(scene: &Scene, (_, from): Placed, target: Square) -> bool {
    Play::new(scene.waiting(), &[Move::new(from, target)]).mates()
}

/// Whether the moved piece can take nothing.
pub(super) fn bears_on_nothing(scene: &Scene) -> bool {
    let enemies = scene.threat().pieces_of(scene.side.opponent());
    enemies
        .into_iter()
        .all(|id| !scene.bears_now(scene.mv.to, scene.threat().square_of(id)))
}

/// Like pieces that have come to face each other, each able to take the other: the moved one first, or others by its move.
pub(super) fn faced_anew(scene: &Scene) -> Option<(Placed, Placed)> {
    let now = scene.threat();
    let faced = |own: PieceId| {
        let strong = matches!(own.role(), Role::Rook | Role::Horse | Role::Cannon);
        let stands = now.square_of(own);
        let enemies = now.pieces_like(scene.side.opponent(), own.role());
        let mut enemies = enemies.into_iter().map(|id| (id, now.square_of(id)));
        let other = enemies.find(|&(_, at)| {
            strong
                && !scene.bore(stands, at)
                && now.is_legal(Move::new(stands, at))
                && scene.after.is_legal(Move::new(at, stands))
        });
        Some(((own, stands), other?))
    };
    faced(scene.mover).or_else(|| now.pieces_of(scene.side).find_map(faced))
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
