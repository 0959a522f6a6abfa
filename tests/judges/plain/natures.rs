//! What one move is: check, kill, chase, or one of the idle kinds.

use super::board::{Kind, Move, Position};
use super::book::Mutual;
use super::idle;
use super::lines::Lines;
use super::threats::{self, Threat};

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Nature {
    Check,
    Kill,
    Chase,
    Exchange,
    Offer,
    Block,
    Follow,
    Idle,
}

impl Nature {
    pub fn name(self) -> &'static str {
        match self {
            Nature::Check => "check",
            Nature::Kill => "kill",
            Nature::Chase => "chase",
            Nature::Exchange => "exchange",
            Nature::Offer => "offer",
            Nature::Block => "block",
            Nature::Follow => "follow",
            Nature::Idle => "idle",
        }
    }

    /// 打 (28.4).
    pub fn attacks(self) -> bool {
        self <= Nature::Chase
    }
}

/// A move in its place.
#[derive(Clone, Copy)]
pub struct Step {
    /// Before the opponent's previous move.
    pub earlier: Position,
    pub before: Position,
    pub mv: Move,
    pub after: Position,
}

#[derive(Clone, Debug)]
pub struct Finding {
    pub nature: Nature,
    /// What else it is.
    pub also: Vec<Nature>,
    /// A search was not finished: not to be relied on.
    pub open: bool,
    /// Checks and kills are, and chases by one piece alone (26.9) or of an unrooted one (5.9.9).
    pub strong: bool,
    /// A pawn's own attack (27.2).
    pub pawn_attack: bool,
    pub notes: Vec<String>,
}

/// How many positions may be looked at for one move.
pub const MOST_WORK: usize = 110_000;

pub fn judge(lines: &mut Lines<'_>, step: &Step, theoretical_draw: bool) -> Finding {
    lines.allow(MOST_WORK);
    let mut finding = Finding {
        nature: Nature::Idle,
        also: Vec::new(),
        open: false,
        strong: true,
        pawn_attack: false,
        notes: Vec::new(),
    };
    finding.nature = weigh(lines, step, theoretical_draw, &mut finding);
    finding.open = lines.open;
    finding
}

/// The weightiest that applies (27.4, 26.4).
fn weigh(
    lines: &mut Lines<'_>,
    step: &Step,
    theoretical_draw: bool,
    finding: &mut Finding,
) -> Nature {
    let s = step.before.turn;
    if step.after.in_check() {
        return Nature::Check;
    }
    // A king that answers check does nothing else by it (figures 13, 17, 18).
    let evades = step.before.in_check() && step.before.kind(step.mv.from) == Some(Kind::King);
    let mut pairs = threats::exchanges(lines, &step.after, s, false);
    pairs.retain(|p| threats::newly_paired(lines, step, *p));
    if !pairs.is_empty() {
        finding.also.push(Nature::Exchange);
    }
    if !evades {
        if let Some(line) = kill(lines, step) {
            finding.notes.push(format!("kill {line:?}"));
            return Nature::Kill;
        }
        let found: Vec<Threat> = threats::new(lines, step, &pairs, &mut finding.notes);
        if idle::holds_the_draw(step, &found, theoretical_draw) {
            finding.notes.push("holds the draw".into());
        } else if !found.is_empty() {
            finding.strong = match lines.book.mutual {
                Mutual::Unrooted => found.iter().any(|t| !t.rooted),
                _ => found.iter().any(|t| t.single),
            };
            return Nature::Chase;
        }
        finding.pawn_attack = lines.book.pawns_upgraded && idle::pawn_attacks(lines, step);
    }
    finding.also.extend(idle::kinds(lines, step));
    finding.also.first().copied().unwrap_or(Nature::Idle)
}

/// Mate is threatened by checks (28.2, 24.2). A piece that offers itself in exchange does not take its
/// partner on the way, if the other side may take first without being mated for it.
fn kill(lines: &mut Lines<'_>, step: &Step) -> Option<Vec<Move>> {
    let s = step.before.turn;
    let now = step.after.with_turn(s);
    let line = lines.kills(&now, &[])?;
    let mut pairs = threats::exchanges(lines, &step.after, s, true);
    // An exchange is what the move offers, not what stood on the board.
    pairs.retain(|p| threats::newly_paired(lines, step, *p));
    if pairs.is_empty() {
        Some(line)
    } else {
        lines.kills(&now, &pairs)
    }
}
