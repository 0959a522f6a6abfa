//! The lines that bear out what is said of a move.

use super::facts::{Stood, stood_before};
use super::pick::is_more;
use crate::board::{Move, Position, Square};
use crate::classify::{ByChecks, Foil, Pardon, Reason, Sparing, Threat};
use crate::exchange::Line;
use crate::once::each_once;
use crate::ruling::MoveJudged;
use serde::{Deserialize, Serialize};

/// What a line of evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = EvidenceClaim))]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The king on `victim` is attacked; there is no line.
    Check,
    /// The line ends in mate.
    Mate,
    /// The line ends with what is won.
    Gain,
    /// The line ends with the loss, or the mate, that makes the capture void: after the move, or, where it starts before it, then.
    Refuted,
    /// The line was there before the move already.
    Existed,
    /// The capture is possible, but is not charged.
    Exempt,
}

/// A line that bears out something said of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// What it shows.
    pub claim: Claim,
    /// The line starts from the position after this ply of the cycle.
    pub from_ply: usize,
    /// ICCS moves, `pass` for a null move; empty where no legal line shows it.
    pub line: Vec<String>,
    /// The piece concerned.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub victim: Option<Square>,
}

/// A line as text, or nothing where a move of it would not be legal.
fn written(position: &Position, pass: bool, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut found = Vec::with_capacity(line.len() + 1);
    if pass {
        if position.in_check() {
            return Vec::new();
        }
        position.pass();
        found.push("pass".to_owned());
    }
    for &mv in line {
        if !position.is_legal(mv) {
            return Vec::new();
        }
        position.make(mv);
        found.push(mv.to_string());
    }
    found
}

/// The evidence for what is said of the move of a ply, in the order of its reasons. `period` is
/// the length of the cycle.
pub fn evidence(m: &MoveJudged, ply: usize, period: usize) -> Vec<Evidence> {
    let after = |claim, line: &[Move], victim| Evidence {
        claim,
        from_ply: ply,
        line: written(&m.scene.after, true, line),
        victim,
    };
    let mut found = Vec::new();
    for reason in &m.finding.reasons {
        match reason {
            Reason::Check(_) => found.push(Evidence {
                claim: Claim::Check,
                from_ply: ply,
                line: Vec::new(),
                victim: Some(m.scene.after.king(m.scene.side.opponent())),
            }),
            Reason::Kill(line) => {
                let king = m.scene.after.king(m.scene.side.opponent());
                found.push(after(Claim::Mate, line, Some(king)));
            }
            Reason::Chase(threat, _) => {
                let victim = Some(threat.capture.to);
                found.push(after(Claim::Gain, threat.line.moves(), victim));
                found.extend(failed(m, threat, ply, period));
            }
            Reason::PawnUpgrade(threat, _) => {
                let victim = Some(threat.capture.to);
                found.push(after(Claim::Gain, threat.line.moves(), victim));
            }
            Reason::ByChecks(gain, _) => {
                if is_more(gain, m) {
                    let victim = prize(m.scene.threat(), gain.line.moves());
                    found.push(after(Claim::Gain, gain.line.moves(), victim));
                }
                found.extend(spoilt(m, gain, ply, period));
            }
            Reason::Fortress(_, captures) => {
                for capture in captures {
                    found.push(after(Claim::Exempt, &[*capture], Some(capture.to)));
                }
                if captures.is_empty() {
                    found.push(after(Claim::Exempt, &[], None));
                }
            }
            Reason::Attack(attack) => {
                found.push(after(
                    Claim::Gain,
                    &[attack.capture],
                    Some(attack.capture.to),
                ));
            }
            Reason::Spared(attack, why) => {
                let take = attack.capture;
                let (claim, line) = match why {
                    Sparing::Existed => (Claim::Existed, vec![take]),
                    Sparing::KingOrPawn | Sparing::Mutual => (Claim::Exempt, vec![take]),
                    // There is no such move.
                    Sparing::Pinned => (Claim::Exempt, Vec::new()),
                    Sparing::Rooted(by) => {
                        let back = Move::new(m.scene.threat().square_of(*by), take.to);
                        (Claim::Refuted, vec![take, back])
                    }
                };
                if claim == Claim::Existed {
                    found.push(stood(m, take, ply, period));
                } else {
                    found.push(after(claim, &line, Some(take.to)));
                }
            }
            Reason::SparedCheck(line) | Reason::Uncounted(line, _) => {
                let victim = prize(m.scene.threat(), line.moves());
                found.push(after(Claim::Exempt, line.moves(), victim));
            }
            Reason::KingEvasion => found.push(Evidence {
                claim: Claim::Exempt,
                from_ply: ply,
                line: Vec::new(),
                victim: None,
            }),
            Reason::Pardoned(threat, Pardon::KingOrPawn) => {
                let victim = Some(threat.capture.to);
                found.push(after(Claim::Exempt, threat.line.moves(), victim));
            }
            Reason::Pardoned(threat, Pardon::Existed) => {
                let line = threat.before.as_ref().map(|line| line.moves().to_vec());
                let same = m.scene.same_before(threat.capture);
                found.push(Evidence {
                    claim: Claim::Existed,
                    from_ply: before(ply, period),
                    line: written(&m.scene.before, false, &line.unwrap_or_else(|| vec![same])),
                    victim: Some(threat.capture.to),
                });
            }
            Reason::PardonedChecks(gain) => found.push(old_checks(m, gain, ply, period)),
            Reason::Vain(capture, line) => {
                found.push(after(Claim::Refuted, line.moves(), Some(capture.to)));
            }
            Reason::Quiet(_) => {}
        }
    }
    // Two captures may have been there before by the same one.
    each_once(found)
}

/// Why the same capture came to nothing before the move, or one by another piece.
fn failed(m: &MoveJudged, threat: &Threat, ply: usize, period: usize) -> Option<Evidence> {
    let (Stood::Refuted(_, line) | Stood::OtherLess(_, line)) = stood_before(&m.scene, threat)
    else {
        return None;
    };
    refuted_before(
        m,
        line.moves(),
        Some(threat.capture.to),
        before(ply, period),
    )
}

/// The run that wins now as it could be played before the move, as far as it is told why it won less then.
fn spoilt(m: &MoveJudged, gain: &ByChecks, ply: usize, period: usize) -> Option<Evidence> {
    let then = match gain.foil.as_ref()? {
        Foil::Reply(line) => line.moves(),
        Foil::Ends(run) => run,
        Foil::Answer(_) => return None,
    };
    let victim = prize(m.scene.threat(), gain.line.moves());
    refuted_before(m, then, victim, before(ply, period))
}

/// A line from the position before the move that came to nothing.
fn refuted_before(
    m: &MoveJudged,
    line: &[Move],
    victim: Option<Square>,
    from_ply: usize,
) -> Option<Evidence> {
    let line = written(&m.scene.before, false, line);
    (!line.is_empty()).then_some(Evidence {
        claim: Claim::Refuted,
        from_ply,
        line,
        victim,
    })
}

/// The ply that a move of the cycle follows.
fn before(ply: usize, period: usize) -> usize {
    let period = period.max(1);
    (ply + period - 1) % period
}

/// The piece could be taken before the move already, by this one or another.
fn stood(m: &MoveJudged, take: Move, ply: usize, period: usize) -> Evidence {
    let scene = &m.scene;
    let same = scene.same_before(take);
    let others = scene.before.contacts().attackers(take.to);
    let each: Vec<Move> = others
        .into_iter()
        .map(|id| Move::new(scene.before.square_of(id), take.to))
        .filter(|&mv| scene.before.is_legal(mv))
        .collect();
    let line = each.iter().find(|&&mv| mv == same).or(each.first());
    Evidence {
        claim: Claim::Existed,
        from_ply: before(ply, period),
        line: written(&scene.before, false, line.map_or(&[], std::slice::from_ref)),
        victim: Some(take.to),
    }
}

/// What could be won before the move as well: from the position before it, or, where the move
/// answers a check, from the one before that check.
fn old_checks(m: &MoveJudged, gain: &ByChecks, ply: usize, period: usize) -> Evidence {
    let line = gain.before.as_ref().filter(|_| !gain.aside);
    let line = line.map_or(&[][..], Line::moves);
    let from_before = written(&m.scene.before, false, line);
    let earlier = m.scene.earlier.as_ref().filter(|_| from_before.is_empty());
    let (from_ply, line, start) = match earlier {
        Some((earlier, _)) => {
            let mut threat = earlier.position().clone();
            threat.pass();
            (
                before(before(ply, period), period),
                written(earlier, true, line),
                threat,
            )
        }
        None => (
            before(ply, period),
            from_before,
            m.scene.before.position().clone(),
        ),
    };
    let moves: Vec<Move> = gain.before.iter().flat_map(Line::moves).copied().collect();
    Evidence {
        claim: Claim::Existed,
        from_ply,
        victim: prize(&start, &moves).filter(|_| !line.is_empty()),
        line,
    }
}

/// The square of the last piece the side that begins takes, if that piece stands there already.
fn prize(start: &Position, line: &[Move]) -> Option<Square> {
    let mut position = start.clone();
    let mut prize = None;
    for (i, &mv) in line.iter().enumerate() {
        if i % 2 == 0
            && let Some(taken) = position.id_at(mv.to)
        {
            prize = Some(start.square_of(taken));
        }
        position.make(mv);
    }
    prize
}
