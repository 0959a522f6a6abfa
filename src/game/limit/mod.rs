//! The natural move limit (自然限着): so many rounds without a capture, and the game is a draw.
//!
//! ```
//! use qili::board::Side;
//! use qili::game::{Game, limit};
//! use qili::rules::Catalog;
//! let rule = Catalog::builtin().get("cxa-1999")?.book.limit().expect("it has one");
//! let game = Game::new(qili::board::Position::start());
//! let claim = limit::Claim { by: Side::Red, earlier_false_claims: 0 };
//! let audit = limit::audit(&game, &rule, Some(claim));
//! assert!(!audit.reached);
//! assert_eq!(audit.consequence, limit::Consequence::Foul { side: Side::Red, minutes: 5, technical: false });
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```
//!
//! # What is counted
//! - The Chinese books count rounds since the last capture, or from the first move: a round is a
//!   move of each side, so the count is that of the side with fewer moves counted. The Asian
//!   rules count plies by both.
//! - Of the checks the claimant gave in that stretch ten count, by the text; each further one is
//!   left out. The text does not say whether its answer goes with it
//!   ([`Rule::excess_check_removes`]); by default it does, as the answer was no free move.
//! - An arbiter may audit without a claim. What the text limits is "checks given by the claimant
//!   against the other side": it keeps a side from checking its way to a claim of its own. Without
//!   a claimant nobody's checks are left out. [`Audit::if_claimed`] then tells what either side
//!   would have got by claiming, for an arbiter who would rather not give a side what it could
//!   not have claimed.

mod tell;

use super::line::{Ended, Game};
use crate::board::{BySide, Move, Side};
use crate::named::named;
use serde::{Deserialize, Serialize};

named! { read
    /// What a limit counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = LimitUnit, rename_all = "snake_case"))]
    pub enum Unit {
        /// 回合: a move of each side.
        #[cfg_attr(feature = "cli", value(help = "A move of each side"))]
        Rounds "rounds",
        /// 着: a move of either side.
        #[cfg_attr(feature = "cli", value(help = "A move of either side"))]
        Plies "plies",
    }
}

named! { read
    /// What is left out for each of the claimant's checks beyond those that count.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum ExcessCheck {
        /// The check and its answer.
        Round "round",
        /// The check alone.
        Ply "ply",
    }
}

/// A natural limit, as a rule book has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LimitRule))]
pub struct Rule {
    /// The book's id.
    pub book: String,
    /// Its clauses on the limit, as far as their numbers are known.
    pub clauses: Vec<String>,
    /// What is counted.
    pub unit: Unit,
    /// How many make a draw; an event may lower it.
    pub count: u32,
    /// How many of the claimant's own checks count.
    pub claimant_checks_counted: u32,
    /// What each further one takes out of the count.
    pub excess_check_removes: ExcessCheck,
    /// Whether a second false claim in one stage loses.
    pub second_false_claim_loses: bool,
    /// What a false claim takes off the claimant's clock.
    pub false_claim_minutes: u32,
    /// Whether it is a technical foul, by the book's name for it.
    pub false_claim_is_technical: bool,
}

/// A claim to be audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LimitClaim))]
pub struct Claim {
    /// Who claims.
    pub by: Side,
    /// How many false claims of the natural limit the side has made in this stage before.
    #[serde(default)]
    pub earlier_false_claims: u32,
}

/// Where the count starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LimitSince))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Since {
    /// With the first move: nothing has been captured.
    FirstMove,
    /// With the move after a capture.
    Capture {
        /// The capture's ply.
        ply: usize,
        /// The capture.
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        mv: Move,
    },
}

/// Whether a ply counts, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LimitCounting))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Counting {
    /// It counts.
    Counted,
    /// One of the claimant's checks beyond those that count.
    ExcessCheck {
        /// The how-manieth of the claimant's checks it is.
        number: u32,
    },
    /// The answer to such a check.
    Answer {
        /// The how-manieth of the claimant's checks it answers.
        number: u32,
    },
}

/// A ply of the stretch that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LimitPly))]
pub struct CountedPly {
    /// Which, from 0.
    pub ply: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    #[serde(rename = "iccs")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub mv: Move,
    /// Whether it gave check.
    pub check: bool,
    /// Whether it counts.
    pub counting: Counting,
    /// The count after it, in the rule's unit.
    pub count: u32,
}

/// What follows, in the book's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LimitConsequence))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Consequence {
    /// The claim is good: a draw.
    Draw,
    /// No claim, but the limit is reached: the arbiter may rule the draw.
    MayRuleDraw,
    /// No claim, and the limit is not reached.
    PlayOn,
    /// The claim is false: a foul, and time off the claimant's clock.
    Foul {
        /// Who claimed.
        side: Side,
        /// How much time.
        minutes: u32,
        /// A technical foul, by the book's name for it.
        technical: bool,
    },
    /// The claim is false and not the first in this stage: the claimant loses.
    Loss {
        /// Who claimed.
        side: Side,
    },
    /// The game was over before.
    GameOver(Ended),
}

/// An audit of the natural limit after the last move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LimitAudit))]
pub struct Audit {
    /// By which rule.
    pub rule: Rule,
    /// The claim, or an arbiter's own audit.
    pub claim: Option<Claim>,
    /// Whether the limit is reached: the claim is good, unless the game was over before.
    pub reached: bool,
    /// The count, in the rule's unit.
    pub count: u32,
    /// What the count would be if either side had claimed.
    pub if_claimed: BySide<u32>,
    /// Where it starts.
    pub since: Since,
    /// How many checks either side gave in the stretch that is counted.
    pub checks: BySide<u32>,
    /// What follows.
    pub consequence: Consequence,
    /// Every ply of the stretch, counted or left out.
    pub plies: Vec<CountedPly>,
}

/// Counts what has been played without a capture, and says what follows.
pub fn audit(game: &Game, rule: &Rule, claim: Option<Claim>) -> Audit {
    let since = (0..game.len()).rev().find(|&ply| game.is_capture(ply));
    let from = since.map_or(0, |ply| ply + 1);
    let plies = listing(game, from, rule, claim.map(|claim| claim.by));
    let count = total(&plies);
    let reached = count >= rule.count;
    let mut checks = BySide::<u32>::default();
    for ply in plies.iter().filter(|ply| ply.check) {
        checks[ply.side] += 1;
    }
    let consequence = match (game.ended(), claim, reached) {
        (Some(ended), ..) => Consequence::GameOver(ended),
        (None, Some(_), true) => Consequence::Draw,
        (None, None, true) => Consequence::MayRuleDraw,
        (None, None, false) => Consequence::PlayOn,
        (None, Some(claim), false) => refused(rule, claim),
    };
    let since = since.and_then(|ply| {
        Some(Since::Capture {
            ply,
            mv: *game.moves().get(ply)?,
        })
    });
    Audit {
        rule: rule.clone(),
        claim,
        reached,
        count,
        if_claimed: BySide::from_fn(|side| total(&listing(game, from, rule, Some(side)))),
        since: since.unwrap_or(Since::FirstMove),
        checks,
        consequence,
        plies,
    }
}

const fn refused(rule: &Rule, claim: Claim) -> Consequence {
    if rule.second_false_claim_loses && claim.earlier_false_claims > 0 {
        Consequence::Loss { side: claim.by }
    } else {
        Consequence::Foul {
            side: claim.by,
            minutes: rule.false_claim_minutes,
            technical: rule.false_claim_is_technical,
        }
    }
}

fn total(plies: &[CountedPly]) -> u32 {
    plies.last().map_or(0, |last| last.count)
}

fn listing(game: &Game, from: usize, rule: &Rule, claimant: Option<Side>) -> Vec<CountedPly> {
    let mut counted = BySide::<u32>::default();
    let mut checks = 0;
    let mut to_answer = None;
    let positions = game.positions().windows(2).enumerate().skip(from);
    let mut plies = Vec::new();
    for ((ply, pair), &mv) in positions.zip(game.moves().iter().skip(from)) {
        let [before, after] = pair else { continue };
        let side = before.turn();
        let check = after.in_check();
        let own_check = check && claimant == Some(side);
        checks += u32::from(own_check);
        let counting = if let Some(number) = to_answer.take() {
            Counting::Answer { number }
        } else if own_check && checks > rule.claimant_checks_counted {
            if rule.excess_check_removes == ExcessCheck::Round {
                to_answer = Some(checks);
            }
            Counting::ExcessCheck { number: checks }
        } else {
            Counting::Counted
        };
        counted[side] += u32::from(counting == Counting::Counted);
        let count = match rule.unit {
            Unit::Rounds => counted.red.min(counted.black),
            Unit::Plies => counted.red + counted.black,
        };
        plies.push(CountedPly {
            ply,
            side,
            mv,
            check,
            counting,
            count,
        });
    }
    plies
}

impl Audit {
    /// The plies left out of the count.
    pub fn left_out(&self) -> impl Iterator<Item = &CountedPly> {
        self.plies
            .iter()
            .filter(|ply| ply.counting != Counting::Counted)
    }
}
