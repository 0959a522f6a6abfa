//! Cycles of a kind: looked for in a position, or taken from the case library.

use super::Plan;
use super::play::{Player, role_at};
use crate::board::{Move, MoveList, Piece, Position, Role, Side, Square};
use crate::cases::Corpus;
use crate::compare::Dice;
use crate::game::Cycle;
use crate::rules::RuleBook;
use crate::ruling::Arbiter;
use crate::wire::{Kind, Prepared};
use std::collections::BTreeMap;

/// So many candidates are taken from one position.
const MOST: usize = 2;

/// What kind of repetition a cycle is, if that can be told soon.
pub(super) fn kind(book: &RuleBook, start: &Position, line: &[Move]) -> Option<Plan> {
    let cycle = Cycle::from_period(start, line).ok()?;
    let judged = Arbiter::new(book).line(cycle.start(), &cycle.unrolled());
    judged.conduct.as_ref().map(Plan::of)
}

fn is_quiet(position: &Position, mv: Move) -> bool {
    let pawn = role_at(position, mv.from) == Some(Role::Pawn);
    position.is_empty(mv.to) && !(pawn && mv.from.rank() != mv.to.rank())
}

/// To and fro by both sides, if that can be played.
fn to_and_fro(position: &Position, first: Move, second: Move) -> Option<[Move; 4]> {
    let line = [first, second, first.reversed(), second.reversed()];
    let mut position = position.clone();
    for mv in line {
        if !is_quiet(&position, mv) || !position.is_legal(mv) {
            return None;
        }
        position.make(mv);
    }
    Some(line)
}

/// The cycles of four plies that look as if they were of this kind; a few.
pub(super) fn candidates(position: &Position, dice: &mut Dice, plan: Plan) -> Vec<[Move; 4]> {
    let mut list = MoveList::new();
    position.clone().legal_moves_into(&mut list);
    let quiet: Vec<Move> = list
        .iter()
        .copied()
        .filter(|&mv| is_quiet(position, mv))
        .collect();
    let mut found = Vec::new();
    if matches!(plan, Plan::Idle | Plan::Short) {
        for _ in 0..4 {
            let Some(first) = dice.pick(&quiet) else {
                break;
            };
            let mut after = position.after(first);
            if after.in_check() {
                continue;
            }
            after.legal_moves_into(&mut list);
            let Some(second) = dice.pick(&list) else {
                break;
            };
            found.extend(to_and_fro(position, first, second));
            if found.len() == MOST {
                break;
            }
        }
        return found;
    }
    let from = dice.below(quiet.len());
    let (front, back) = quiet.split_at_checked(from).unwrap_or((&[], &quiet));
    for &first in back.iter().chain(front) {
        let mut after = position.after(first);
        let Some(mover) = after.id_at(first.to) else {
            continue;
        };
        let side = mover.side();
        let checks = after.in_check();
        if (plan == Plan::Check && !checks) || (plan == Plan::Chase && checks) {
            continue;
        }
        let borne_on: Vec<Square> = after
            .pieces_of(side.opponent())
            .map(|id| after.square_of(id))
            .filter(|&square| after.bears(first.to, square))
            .collect();
        if borne_on.is_empty() && !checks && plan != Plan::Kill {
            continue;
        }
        after.legal_moves_into(&mut list);
        for &second in list.iter() {
            // A piece steps out of the attack, or the check is met.
            if !checks && !borne_on.contains(&second.from) {
                continue;
            }
            let Some(line) = to_and_fro(position, first, second) else {
                continue;
            };
            let back = after.after(second).after(first.reversed());
            let likely = match plan {
                Plan::Check => back.in_check(),
                Plan::Chase | Plan::Exchange | Plan::TwoSided => back.bears(first.from, second.to),
                Plan::Mixed => checks != back.in_check(),
                Plan::None | Plan::Short | Plan::Idle | Plan::Kill => true,
            };
            if likely {
                found.push(line);
                if found.len() == MOST {
                    return found;
                }
            }
        }
    }
    found
}

/// The cycles of the case library by kind.
#[derive(Debug)]
pub(super) struct Studies(BTreeMap<Plan, Vec<(Position, Vec<Move>)>>);

impl Studies {
    pub(super) fn of_library(book: &RuleBook) -> Self {
        let mut studies: BTreeMap<Plan, Vec<_>> = BTreeMap::new();
        for case in Corpus::builtin()
            .iter()
            .filter(|case| case.kind == Kind::Cycle)
        {
            let Ok(Prepared::Cycle(cycle)) = case.request("").prepare() else {
                continue;
            };
            let (start, line) = (cycle.start().clone(), cycle.moves().to_vec());
            if let Some(plan) = kind(book, &start, &line) {
                studies.entry(plan).or_default().push((start, line));
            }
        }
        Self(studies)
    }

    /// A game from a study of this kind.
    pub(super) fn play(&self, dice: &mut Dice, plan: Plan, book: &RuleBook) -> Player {
        let of_kind = if plan == Plan::Short {
            Plan::Idle
        } else {
            plan
        };
        let studies = self.0.get(&of_kind).map(Vec::as_slice).unwrap_or_default();
        let Some((start, line)) = studies.get(dice.below(studies.len())) else {
            return Player::new(Position::start(), 0);
        };
        let (mut start, mut line) = (start.clone(), line.clone());
        if dice.below(2) == 0 {
            start = start.mirrored();
            line = line.iter().map(|mv| mv.mirrored()).collect();
        }
        if dice.below(2) == 0 {
            start = start.colours_swapped();
            line = line.iter().map(|mv| mv.flipped()).collect();
        }
        for _ in 0..3 {
            let Some(richer) = with_more(dice, &start) else {
                continue;
            };
            if kind(book, &richer, &line) == Some(of_kind) {
                start = richer;
                break;
            }
        }
        let mut player = Player::new(start, 0);
        player.go_round(dice, plan, &line);
        player
    }
}

/// The position with a few pieces more.
fn with_more(dice: &mut Dice, start: &Position) -> Option<Position> {
    let mut setup = start.setup();
    for _ in 0..=dice.below(4) {
        let side = dice.pick(Side::ALL.as_slice())?;
        let role = dice.pick(&[Role::Pawn, Role::Pawn, Role::Advisor, Role::Elephant])?;
        let file = u8::try_from(dice.below(9)).ok()?;
        let rank = u8::try_from(dice.below(10)).ok()?;
        let square = Square::new(file, rank)?;
        if setup.piece_at(square).is_none() {
            setup.put(square, Some(Piece::new(side, role)));
            if setup.position().is_err() {
                setup.put(square, None);
            }
        }
    }
    setup.possible()
}
