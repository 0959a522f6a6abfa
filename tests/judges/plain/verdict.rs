//! Section 3: from the natures of the moves to the ruling.

use super::board::{Kind, Move, Position, Side, Square};
use super::natures::{Case, Finding, Judge, Memory, Nature, Threat};
use super::params::{BothForbidden, Method, Params};
use super::wxf;

#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub natures: Vec<Option<Nature>>,
    pub also: Vec<Vec<Nature>>,
    pub red: String,
    pub black: String,
    pub red_forbidden: bool,
    pub black_forbidden: bool,
    pub outcome: String,
    pub side: Option<Side>,
    /// For people: why (not compared).
    pub notes: Vec<Vec<String>>,
}

/// The cycle, checked: legal moves, no captures that stay, closed.
pub struct Cycle {
    /// `positions[i]` is before `moves[i]`; one more at the end.
    pub positions: Vec<Position>,
    pub moves: Vec<Move>,
}

pub fn read_cycle(fen: &str, moves: &[&str]) -> Result<Cycle, String> {
    let start = Position::from_fen(fen)?;
    if moves.is_empty() {
        return Err("there are no moves".into());
    }
    let mut cycle = Cycle {
        positions: vec![start],
        moves: Vec::new(),
    };
    for (ply, text) in moves.iter().enumerate() {
        let m = Move::parse(text)?;
        let p = *cycle.positions.last().unwrap();
        if !p.is_legal(m) {
            return Err(format!("ply {ply}: `{text}` is not legal"));
        }
        cycle.positions.push(p.after(m));
        cycle.moves.push(m);
    }
    if *cycle.positions.last().unwrap() != start {
        return Err("the moves do not lead back to the start".into());
    }
    Ok(cycle)
}

pub fn judge(
    params: &Params,
    fen: &str,
    moves: &[&str],
    theoretical_draw: bool,
) -> Result<Judged, String> {
    let cycle = read_cycle(fen, moves)?;
    Ok(match params.method {
        Method::Chinese => chinese(params, &cycle, theoretical_draw),
        Method::Asian => asian(params, &cycle),
        Method::Threefold => threefold(&cycle),
    })
}

pub fn pattern(natures: &[Nature]) -> String {
    if let Some(first) = natures.first()
        && natures.iter().all(|n| n == first)
    {
        return format!("perpetual_{}", first.name());
    }
    let mut words: Vec<&str> = Vec::new();
    for n in [Nature::Check, Nature::Kill, Nature::Chase] {
        if natures.contains(&n) {
            words.push(n.name());
        }
    }
    if natures.iter().any(|n| !n.is_attack()) {
        words.push("idle");
    }
    words.join("_")
}

fn of_side<T: Clone>(cycle: &Cycle, values: &[T], side: Side) -> Vec<T> {
    values
        .iter()
        .enumerate()
        .filter(|(i, _)| cycle.positions[*i].turn == side)
        .map(|(_, v)| v.clone())
        .collect()
}

// -------------------------------------------------------------------- 3.1 and 3.3

fn chinese(params: &Params, cycle: &Cycle, theoretical_draw: bool) -> Judged {
    let n = cycle.moves.len();
    let memory = Memory::default();
    let judges: Vec<Judge> = (0..n)
        .map(|i| {
            let before = (i + n - 1) % n;
            let case = Case {
                params,
                pm: cycle.positions[before],
                p0: cycle.positions[i],
                m: cycle.moves[i],
                theoretical_draw,
            };
            Judge::new(case, &memory)
        })
        .collect();
    let mut findings: Vec<Finding> = judges.iter().map(Judge::find).collect();
    // 27.2
    if params.pawn_upgrade {
        let pawn: Vec<Option<Threat>> = (0..n)
            .map(|i| {
                let quiet = findings[i].nature.is_some_and(|x| !x.is_attack());
                quiet.then(|| judges[i].pawn_attacks()).flatten()
            })
            .collect();
        let all_attack = |side: Side| {
            (0..n)
                .filter(|i| cycle.positions[*i].turn == side)
                .all(|i| findings[i].nature.is_some_and(Nature::is_attack) || pawn[i].is_some())
        };
        if pawn.iter().any(Option::is_some) && all_attack(Side::Red) && all_attack(Side::Black) {
            for i in 0..n {
                if let Some(threat) = &pawn[i] {
                    findings[i].strong = judges[i].single_handed(threat, false);
                    findings[i].also = findings[i]
                        .nature
                        .filter(|x| *x != Nature::Idle)
                        .into_iter()
                        .chain(findings[i].also.clone())
                        .collect();
                    findings[i].nature = Some(Nature::Chase);
                    findings[i].pawn_attack = true;
                }
            }
        }
    }
    // Every combination of the open moves.
    let open: Vec<usize> = (0..n).filter(|i| findings[*i].nature.is_none()).collect();
    let mut verdicts: Vec<(String, Option<Side>)> = Vec::new();
    let mut last = None;
    for choice in 0..(1u32 << open.len().min(10)) {
        let mut tried = findings.clone();
        for (k, i) in open.iter().enumerate() {
            let killed = choice >> k & 1 == 1;
            tried[*i].nature = Some(if killed {
                Nature::Kill
            } else {
                tried[*i].unless_kill
            });
            tried[*i].strong |= killed;
        }
        let v = chinese_verdict(params, cycle, &tried);
        last = Some(tried);
        if !verdicts.contains(&v) {
            verdicts.push(v);
        }
    }
    let (outcome, side) = if verdicts.len() == 1 {
        verdicts[0].clone()
    } else {
        ("undetermined".into(), None)
    };
    let settled: Vec<Nature> = last.unwrap().iter().map(|f| f.nature.unwrap()).collect();
    let forbidden = |side: Side| of_side(cycle, &settled, side).iter().all(|x| x.is_attack());
    Judged {
        natures: findings.iter().map(|f| f.nature).collect(),
        also: findings.iter().map(|f| f.also.clone()).collect(),
        red: pattern(&of_side(cycle, &settled, Side::Red)),
        black: pattern(&of_side(cycle, &settled, Side::Black)),
        red_forbidden: forbidden(Side::Red),
        black_forbidden: forbidden(Side::Black),
        outcome,
        side,
        notes: findings
            .iter()
            .map(|f| {
                f.notes
                    .iter()
                    .cloned()
                    .chain([format!("strong {}", f.strong)])
                    .collect()
            })
            .collect(),
    }
}

fn chinese_verdict(params: &Params, cycle: &Cycle, findings: &[Finding]) -> (String, Option<Side>) {
    let all = |side: Side, test: &dyn Fn(&Finding) -> bool| {
        of_side(cycle, findings, side).iter().all(test)
    };
    let checks = |side: Side| all(side, &|f| f.nature == Some(Nature::Check));
    let forbidden = |side: Side| all(side, &|f| f.nature.is_some_and(Nature::is_attack));
    let strong = |side: Side| all(side, &|f| f.strong);
    let must_change = |side: Side| ("must_change".to_string(), Some(side));
    let draw = ("draw".to_string(), None);
    match (checks(Side::Red), checks(Side::Black)) {
        (true, true) => return draw,
        (true, false) => {
            return (
                if params.perpetual_check_loses {
                    "loss"
                } else {
                    "must_change"
                }
                .into(),
                Some(Side::Red),
            );
        }
        (false, true) => {
            return (
                if params.perpetual_check_loses {
                    "loss"
                } else {
                    "must_change"
                }
                .into(),
                Some(Side::Black),
            );
        }
        (false, false) => {}
    }
    match (forbidden(Side::Red), forbidden(Side::Black)) {
        (true, false) => must_change(Side::Red),
        (false, true) => must_change(Side::Black),
        (false, false) => draw,
        (true, true) => match params.both_forbidden {
            BothForbidden::Draw => draw,
            BothForbidden::TieBreak => match (strong(Side::Red), strong(Side::Black)) {
                (true, false) => must_change(Side::Red),
                (false, true) => must_change(Side::Black),
                _ => draw,
            },
        },
    }
}

// -------------------------------------------------------------------- 3.4

/// Piece identities at every position: the square where each piece stood at the start.
fn identities(cycle: &Cycle) -> Vec<Vec<Option<Square>>> {
    let mut at: Vec<Option<Square>> = (0..90)
        .map(|s| cycle.positions[0].cells[s].map(|_| s))
        .collect();
    let mut all = vec![at.clone()];
    for m in &cycle.moves {
        at[m.to] = at[m.from].take();
        all.push(at.clone());
    }
    all
}

/// T23: like pieces may have changed places; go round until every piece is home.
fn unrolled(cycle: &Cycle) -> Cycle {
    let mut long = Cycle {
        positions: cycle.positions.clone(),
        moves: cycle.moves.clone(),
    };
    for _ in 0..64 {
        let ids = identities(&long);
        if ids[0] == ids[ids.len() - 1] {
            break;
        }
        long.positions.extend_from_slice(&cycle.positions[1..]);
        long.moves.extend_from_slice(&cycle.moves);
    }
    long
}

fn asian(params: &Params, short: &Cycle) -> Judged {
    let cycle = unrolled(short);
    let n = cycle.moves.len();
    let ids = identities(&cycle);
    let mut natures = Vec::new();
    let mut notes = Vec::new();
    // For each ply the victims newly chased: (identity, kind, by whom, rook held by a horse).
    let mut chased: Vec<Vec<Chased>> = Vec::new();
    for i in 0..n {
        let (p0, p1) = (cycle.positions[i], cycle.positions[i + 1]);
        if p1.in_check() {
            natures.push(Nature::Check);
            chased.push(Vec::new());
            notes.push(Vec::new());
            continue;
        }
        let new: Vec<Chased> = wxf::newly_chased(&p0, &p1)
            .into_iter()
            .map(|(captor, v)| Chased {
                id: ids[i + 1][v].unwrap(),
                victim: p1.kind(v).unwrap(),
                captor: p1.kind(captor).unwrap(),
                captor_id: ids[i + 1][captor].unwrap(),
                held: wxf::held_by_horse(&p1, v),
            })
            .collect();
        notes.push(new.iter().map(|c| format!("{c:?}")).collect());
        natures.push(if new.is_empty() {
            Nature::Idle
        } else {
            Nature::Chase
        });
        chased.push(new);
    }
    let level = |side: Side| -> u32 {
        let own: Vec<usize> = (0..n)
            .filter(|i| cycle.positions[*i].turn == side)
            .collect();
        if own.iter().all(|i| natures[*i] == Nature::Check) {
            return 4;
        }
        if own.iter().any(|i| natures[*i] == Nature::Check) {
            return 0;
        }
        wxf_level(
            params,
            &own.iter().map(|i| chased[*i].clone()).collect::<Vec<_>>(),
        )
    };
    let (mut red, mut black) = (level(Side::Red), level(Side::Black));
    // Rook against horse or cannon, each chasing the other on every move: clause 14/15 binds the one, clauses 18,
    // 20-23 bind the other; neither is the graver (D48). Against a rook's attacks on anything else clause 14/15
    // holds ("even if the rook's replies themselves attack something", D61).
    let duel = |a: Side, b: Side| -> bool {
        let of = |side: Side| -> Vec<&Vec<Chased>> {
            (0..n)
                .filter(|i| cycle.positions[*i].turn == side)
                .map(|i| &chased[i])
                .collect()
        };
        let (of_a, of_b) = (of(a), of(b));
        of_a[0].iter().any(|first| {
            let (rook, chaser) = (first.id, first.captor_id);
            of_a.iter()
                .all(|m| m.iter().any(|c| c.id == rook && c.captor_id == chaser))
                && of_b
                    .iter()
                    .all(|m| m.iter().any(|c| c.id == chaser && c.captor_id == rook))
        })
    };
    if red == 2 && black == 1 && duel(Side::Red, Side::Black) {
        red = 1;
    }
    if black == 2 && red == 1 && duel(Side::Black, Side::Red) {
        black = 1;
    }
    let (outcome, side) = match red.cmp(&black) {
        std::cmp::Ordering::Greater => ("must_change", Some(Side::Red)),
        std::cmp::Ordering::Less => ("must_change", Some(Side::Black)),
        std::cmp::Ordering::Equal => ("draw", None),
    };
    let k = short.moves.len();
    natures.truncate(k);
    notes.truncate(k);
    notes[0].push(format!("levels {red} {black}"));
    Judged {
        red: pattern(&of_side(short, &natures, Side::Red)),
        black: pattern(&of_side(short, &natures, Side::Black)),
        natures: natures.iter().map(|x| Some(*x)).collect(),
        also: vec![Vec::new(); k],
        red_forbidden: red > 0,
        black_forbidden: black > 0,
        outcome: outcome.into(),
        side,
        notes,
    }
}

#[derive(Clone, Debug)]
struct Chased {
    id: Square,
    victim: Kind,
    captor: Kind,
    captor_id: Square,
    held: bool,
}

fn wxf_level(params: &Params, moves: &[Vec<Chased>]) -> u32 {
    let mut best = 0;
    for first in &moves[0] {
        let every = |test: &dyn Fn(&Chased) -> bool| {
            moves
                .iter()
                .all(|m| m.iter().any(|c| c.id == first.id && test(c)))
        };
        if !every(&|_| true) {
            continue;
        }
        let level = if params.pinned_rook_by_horse_level && every(&|c| c.held) {
            3
        } else if first.victim == Kind::Rook
            && every(&|c| matches!(c.captor, Kind::Horse | Kind::Cannon))
        {
            2
        } else {
            1
        };
        best = best.max(level);
    }
    best
}

// -------------------------------------------------------------------- the baseline

fn threefold(cycle: &Cycle) -> Judged {
    let natures: Vec<Nature> = cycle.positions[1..]
        .iter()
        .map(|p| {
            if p.in_check() {
                Nature::Check
            } else {
                Nature::Idle
            }
        })
        .collect();
    Judged {
        red: pattern(&of_side(cycle, &natures, Side::Red)),
        black: pattern(&of_side(cycle, &natures, Side::Black)),
        also: vec![Vec::new(); natures.len()],
        notes: vec![Vec::new(); natures.len()],
        natures: natures.into_iter().map(Some).collect(),
        red_forbidden: false,
        black_forbidden: false,
        outcome: "draw".into(),
        side: None,
    }
}
