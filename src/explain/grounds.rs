//! The grounds of the book that the label of a move rests on, and their clauses.

use super::facts::{
    Came, Play, costs_the_captor, dodged, made_by_opponent, plain_root, threat_came, ward,
};
use super::pick::{Force, is_heaviest_of_several, strength, telling, worthless};
use super::targets::Hold;
use crate::board::{MoveList, PieceId, Role, checking_moves};
use crate::classify::{Attack, Nature, Pardon, Reason, Scene, Sparing, Threat, Uncounted};
use crate::definitions::Definitions;
use crate::exchange::{Balance, End, Line, Root, RootTarget, Win, uncovers_check};
use crate::once::each_once;
use crate::rules::{Ground, RuleBook};
use crate::ruling::{MoveJudged, could_take, of_attack, of_king_or_pawn, offers};

/// The ground that says what a nature is.
const fn of_nature(nature: Nature) -> Ground {
    match nature {
        Nature::Check => Ground::Check,
        Nature::Kill => Ground::Kill,
        Nature::Chase => Ground::Chase,
        Nature::Exchange => Ground::Exchange,
        Nature::Offer => Ground::Offer,
        Nature::Block => Ground::Block,
        Nature::Follow => Ground::Follow,
        Nature::Idle => Ground::Idle,
    }
}

/// What the label of a move rests on, the ground of its nature first. Where the nature is open,
/// the ground of the test that ran out.
pub(super) fn grounds(
    m: &MoveJudged,
    targets: &[RootTarget],
    definitions: &Definitions,
) -> Vec<Ground> {
    let mut found = Vec::new();
    let nature = m.finding.nature;
    let test = m.finding.open.as_ref().map(|open| open.test);
    let Some(named) = nature.or(test) else {
        return found;
    };
    found.push(of_nature(named));
    match named {
        Nature::Chase => {
            for reason in &m.finding.reasons {
                of_chase(m, reason, (targets, definitions), &mut found);
            }
            found.extend(strength(m, targets, definitions).and_then(of_force));
        }
        Nature::Exchange | Nature::Offer | Nature::Block | Nature::Follow | Nature::Idle => {
            for reason in telling(m) {
                of_quiet(m, reason, definitions, &mut found);
            }
            if named == Nature::Idle && worthless(m).is_some() {
                found.push(Ground::NoMaterial);
            }
        }
        Nature::Kill => {
            found.extend(kill_stood(m).then_some(Ground::KillExisted));
            // Where threats of mate are no offence, the chase that goes with one may be.
            if definitions.chase_counts_beside(nature) {
                for reason in &m.finding.reasons {
                    if let Reason::Attack(attack) = reason {
                        found.push(Ground::Chase);
                        let root = Hold::of(targets, attack.capture.to).root();
                        found.extend(of_attack(m, *attack, root));
                    }
                }
            }
        }
        Nature::Check => {}
    }
    if m.scene.answers_check && m.scene.mover.role() != Role::King && named != Nature::Check {
        found.push(Ground::EvasionByOther);
    }
    if named == Nature::Chase && offers(m) {
        found.push(Ground::ChaseWithOffer);
    }
    if is_heaviest_of_several(m) {
        found.push(Ground::HeaviestEffect);
    }
    each_once(found)
}

fn of_chase(
    m: &MoveJudged,
    reason: &Reason,
    by: (&[RootTarget], &Definitions),
    found: &mut Vec<Ground>,
) {
    if let Reason::PawnUpgrade(..) = reason {
        found.push(Ground::PawnUpgrade);
    }
    if let Reason::Chase(threat, _) | Reason::PawnUpgrade(threat, _) = reason {
        of_threat(&m.scene, threat, by, found);
    } else if let Reason::ByChecks(gain, _) = reason {
        found.push(Ground::ChaseByChecks);
        if let Some(win) = gain.line.win {
            of_level(win, by.1, found);
        }
        let checks = gain.line.moves().first();
        if checks.is_some_and(|check| check.from != m.scene.mv.to) {
            of_king_move(m.scene.mover, found);
        }
        let play = Play::new(m.scene.threat(), gain.line.moves());
        found.extend(of_pawns(&play, gain.line.balance, by.1));
        found.extend(pawn_uncovers(&play).then_some(Ground::PawnUncovers));
    } else if let Reason::Attack(attack) = reason {
        let root = Hold::of(by.0, attack.capture.to).root();
        found.extend(of_attack(m, *attack, root));
    }
}

/// A pawn takes in a line and uncovers another piece's check.
fn pawn_uncovers(play: &Play) -> bool {
    play.steps.iter().step_by(2).any(|step| {
        let captor = step.before.id_at(step.mv.from);
        step.captured.is_some()
            && captor.is_some_and(|id| id.role() == Role::Pawn)
            && uncovers_check(&mut step.before.clone(), step.mv)
    })
}

/// Why a chase weighs less.
const fn of_force(force: Force) -> Option<Ground> {
    match force {
        Force::Rooted | Force::Under => Some(Ground::FewRoots),
        Force::Joint => Some(Ground::JointChase),
        Force::Alone | Force::Unrooted | Force::Rook => None,
    }
}

/// A mate was threatened before the move just as well: by a single check, which is seen without a search.
fn kill_stood(m: &MoveJudged) -> bool {
    let mut before = m.scene.before.position().clone();
    let mut checks = MoveList::new();
    checking_moves(&mut before, &mut checks);
    checks.iter().any(|&mv| before.after(mv).is_over())
}

fn of_threat(
    scene: &Scene,
    threat: &Threat,
    (targets, definitions): (&[RootTarget], &Definitions),
    found: &mut Vec<Ground>,
) {
    let came = threat_came(scene, threat);
    if came != Came::Moved {
        match threat.captor.role() {
            Role::King => found.push(Ground::ChaseWithKing),
            Role::Pawn => found.push(Ground::ChaseWithPawn),
            Role::Advisor | Role::Elephant | Role::Horse | Role::Rook | Role::Cannon => {}
        }
        of_king_move(scene.mover, found);
        found.push(Ground::ChaseByOther);
    }
    found.extend((came == Came::Dodge).then_some(Ground::ChaseByDodge));
    of_level(threat.win, definitions, found);
    let play = Play::new(scene.threat(), threat.line.moves());
    if threat.win == Win::Gain {
        if !play.lost.is_empty() && play.steps.len() > 1 {
            found.push(Ground::ChaseByExchange);
        }
        // What a king or a pawn takes for nothing is no gain of that kind (supplement 1 of 1999).
        let own = threat.captor.is_king_or_pawn();
        found.extend(Some(of_gain(&play)).filter(|gain| !own || *gain != Ground::GainFree));
        found.extend(of_pawns(&play, threat.line.balance, definitions));
    }
    found.extend(pawn_uncovers(&play).then_some(Ground::PawnUncovers));
    let enemy = scene.before.contacts().attackers(threat.capture.to);
    if enemy.is_empty() {
        found.push(Ground::NewAttack);
    }
    if ward(scene, threat).is_some() {
        found.push(Ground::ChaseByRoot);
    }
    match Hold::of(targets, threat.capture.to).root() {
        Root::False => found.push(Ground::FalseRoot),
        Root::Under => found.push(Ground::Rooted),
        Root::None | Root::Rooted => {}
    }
}

/// What comes to no more than it costs counts as a gain.
fn of_level(win: Win, definitions: &Definitions, found: &mut Vec<Ground>) {
    match win {
        Win::Gain => {}
        Win::EvenTrade => found.push(Ground::EvenTrade),
        Win::LetGo => {
            found.push(Ground::ChaseByRoot);
            found.extend((!definitions.root_ignore_loss).then_some(Ground::PawnFloats));
        }
    }
}

/// Another piece attacks since the king or a pawn has moved.
fn of_king_move(mover: PieceId, found: &mut Vec<Ground>) {
    if mover.role() == Role::King {
        found.push(Ground::ChaseWithKing);
    }
    if mover.is_king_or_pawn() {
        found.push(Ground::ChaseByKingMove);
    }
}

/// A rook is won for pawns, which are worth less than a rook, however they float.
fn of_pawns(play: &Play, balance: Balance, definitions: &Definitions) -> Option<Ground> {
    let wins_rook = play.won.iter().any(|id| id.role() == Role::Rook);
    (definitions.pawn_for_rook && wins_rook && balance.gives_pawns()).then_some(Ground::PawnFloats)
}

/// Which kind of gain an exchange comes to.
fn of_gain(play: &Play) -> Ground {
    let strong = |id: &PieceId| matches!(id.role(), Role::Rook | Role::Horse | Role::Cannon);
    let strengths = |pieces: &[PieceId]| pieces.iter().filter(|id| strong(id)).count();
    let rooks = |pieces: &[PieceId]| pieces.iter().filter(|id| id.role() == Role::Rook).count();
    let (won, lost) = (strengths(&play.won), strengths(&play.lost));
    if play.lost.is_empty() {
        Ground::GainFree
    } else if lost == 1 && won == 0 && play.won.len() >= 3 {
        Ground::GainThreeWeak
    } else if play.lost.len() == play.won.len() {
        Ground::GainDearer
    } else if won > lost {
        Ground::GainStrong
    } else if won == lost && rooks(&play.won) > rooks(&play.lost) {
        // Whatever else falls with them.
        Ground::GainDearer
    } else {
        Ground::GainWeak
    }
}

/// What was there before the move is none of its doing, nor does a dodge make it so.
fn old(m: &MoveJudged, found: &mut Vec<Ground>) {
    found.push(Ground::Existed);
    found.extend(dodged(&m.scene).map(|_| Ground::DodgeAddsNothing));
}

/// A threat not charged, as it was there before the move: also by whose doing.
fn of_existed(m: &MoveJudged, threat: &Threat, found: &mut Vec<Ground>) {
    old(m, found);
    found.extend(made_by_opponent(&m.scene, threat).map(|_| Ground::MadeByOpponent));
}

fn of_quiet(m: &MoveJudged, reason: &Reason, definitions: &Definitions, found: &mut Vec<Ground>) {
    match reason {
        Reason::KingEvasion => found.push(Ground::KingEvasion),
        Reason::Fortress(..) => found.push(Ground::Fortress),
        Reason::Pardoned(threat, Pardon::Existed) => of_existed(m, threat, found),
        Reason::PardonedChecks(_) => old(m, found),
        Reason::Pardoned(threat, Pardon::KingOrPawn) => found.push(of_king_or_pawn(threat.captor)),
        Reason::SparedCheck(_) => found.push(Ground::CheckFirst),
        Reason::Uncounted(_, why) => found.push(match why {
            Uncounted::Floats => Ground::PawnFloats,
            Uncounted::Pawn => Ground::PawnChases,
            Uncounted::Costs => Ground::NoGain,
        }),
        Reason::Spared(attack, why) => of_spared(m, *attack, *why, found),
        Reason::Vain(_, line) if line.end == End::Mated => found.push(Ground::TakerMated),
        Reason::Vain(_, line) => of_vain(m, line, definitions, found),
        Reason::Check(_)
        | Reason::Kill(_)
        | Reason::Chase(..)
        | Reason::ByChecks(..)
        | Reason::Attack(_)
        | Reason::PawnUpgrade(..)
        | Reason::Quiet(_) => {}
    }
}

/// Why an attack of the Asian rules is none.
fn of_spared(m: &MoveJudged, attack: Attack, why: Sparing, found: &mut Vec<Ground>) {
    let at = attack.capture.to;
    match why {
        Sparing::KingOrPawn => found.push(of_king_or_pawn(attack.captor)),
        Sparing::Mutual => found.push(Ground::SameKind),
        Sparing::Pinned => found.push(Ground::PinnedAttacker),
        Sparing::Rooted(_) => {
            found.push(Ground::Rooted);
            if could_take(&m.scene, at) > 1 {
                found.push(Ground::JointChaseOfRooted);
            }
        }
        // Of what has just fled into another attack the book does not speak.
        Sparing::Existed => {
            let came = m.scene.earlier.as_ref().map(|(_, played)| played.to);
            if came != Some(at) {
                found.push(Ground::Existed);
                let again = (attack.captor.role(), attack.victim.role());
                found.extend((again == (Role::Rook, Role::Cannon)).then_some(Ground::RookAgain));
            }
        }
    }
}

/// Why a capture comes to nothing: the victim has a root, only pawns pay for it, or the exchange does not.
fn of_vain(m: &MoveJudged, line: &Line, definitions: &Definitions, found: &mut Vec<Ground>) {
    let play = Play::new(m.scene.threat(), line.moves());
    let plain = plain_root(&play, line).is_some();
    if !plain && costs_the_captor(line, definitions) {
        found.push(Ground::EvenTrade);
        return;
    }
    let floats = !plain && line.balance.gives_pawns();
    if plain || play.retake().is_some() {
        found.push(Ground::Rooted);
    } else if !floats {
        found.push(Ground::NoGain);
    }
    found.extend(floats.then_some(Ground::PawnFloats));
}

/// The clauses of the book behind these grounds, in their order, each once.
pub fn clauses(book: &RuleBook, grounds: &[Ground]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for ground in grounds {
        let wider = || {
            matches!(ground, Ground::KingChases | Ground::PawnChases).then_some(&Ground::KingOrPawn)
        };
        let cited = book.grounds.get(ground);
        let cited = cited.or_else(|| book.grounds.get(wider()?));
        for clause in cited.into_iter().flatten() {
            if !found.contains(clause) {
                found.push(clause.clone());
            }
        }
    }
    found
}
