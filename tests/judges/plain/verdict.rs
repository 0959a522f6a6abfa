//! From the natures of the moves to the ruling.

use super::board::{Move, Position, Side};
use super::book::{Book, Method, Mutual};
use super::lines::Lines;
use super::natures::{self, Finding, Nature, Step};
use super::wxf;

#[derive(Clone, Debug)]
pub struct Judged {
    /// One for each move; `None` where a search was not finished.
    pub natures: Vec<Option<Nature>>,
    pub notes: Vec<Vec<String>>,
    pub outcome: String,
    pub side: Option<Side>,
    pub work: usize,
}

/// Judges one period of a cycle that starts and ends in `fen`.
pub fn judge(
    book: &Book,
    fen: &str,
    moves: &[&str],
    theoretical_draw: bool,
) -> Result<Judged, String> {
    let start = Position::from_fen(fen)?;
    let mut places = vec![start];
    let mut period = Vec::new();
    for text in moves {
        let mv = Move::parse(text)?;
        let place = *places.last().unwrap();
        if !place.is_legal(mv) {
            return Err(format!("{text} is not legal"));
        }
        places.push(place.after(mv));
        period.push(mv);
    }
    if places.last() != Some(&start) {
        return Err("the moves do not lead back".into());
    }
    match book.method {
        Method::Threefold => Ok(Judged {
            natures: vec![Some(Nature::Idle); period.len()],
            notes: vec![Vec::new(); period.len()],
            outcome: "draw".into(),
            side: None,
            work: 0,
        }),
        Method::Asian => Ok(wxf::judge(&places, &period)),
        Method::Chinese => Ok(chinese(book, &places, &period, theoretical_draw)),
    }
}

fn chinese(book: &Book, places: &[Position], period: &[Move], theoretical_draw: bool) -> Judged {
    let n = period.len();
    let mut lines = Lines::new(book);
    let mut findings: Vec<Finding> = (0..n)
        .map(|i| {
            let step = Step {
                earlier: places[(i + n - 1) % n],
                before: places[i],
                mv: period[i],
                after: places[i + 1],
            };
            natures::judge(&mut lines, &step, theoretical_draw)
        })
        .collect();
    let side_of = |i: usize| places[i].turn;
    // 27.2: where both sides then attack on every move, pawns' own attacks count.
    let counting = |f: &Finding| f.nature.attacks() || f.pawn_attack;
    if book.pawns_upgraded && findings.iter().all(counting) {
        for f in &mut findings {
            if f.pawn_attack && !f.nature.attacks() {
                f.nature = Nature::Chase;
            }
        }
    }
    let (outcome, side) = rule(book, &findings, &side_of);
    Judged {
        natures: findings
            .iter()
            .map(|f| (!f.open).then_some(f.nature))
            .collect(),
        notes: findings.iter().map(|f| f.notes.clone()).collect(),
        outcome: outcome.into(),
        side,
        work: lines.work,
    }
}

fn rule(
    book: &Book,
    findings: &[Finding],
    side_of: &dyn Fn(usize) -> Side,
) -> (&'static str, Option<Side>) {
    let of = |side: Side| {
        findings
            .iter()
            .enumerate()
            .filter(move |(i, _)| side_of(*i) == side)
            .map(|(_, f)| f)
    };
    let all_checks = |side| of(side).all(|f| f.nature == Nature::Check);
    let forbidden = |side| of(side).all(|f| f.nature.attacks());
    let (red, black) = (Side::Red, Side::Black);
    match (all_checks(red), all_checks(black)) {
        (true, false) => return ("loss", Some(red)),
        (false, true) => return ("loss", Some(black)),
        (true, true) => return ("draw", None),
        _ => {}
    }
    match (forbidden(red), forbidden(black)) {
        (false, false) => ("draw", None),
        (true, false) => ("must_change", Some(red)),
        (false, true) => ("must_change", Some(black)),
        (true, true) => {
            let chases = findings.iter().all(|f| f.nature == Nature::Chase);
            let strong = |side| of(side).all(|f| f.strong);
            match (strong(red), strong(black)) {
                _ if book.mutual == Mutual::Draw => ("draw", None),
                // 2007 5.9.9 speaks of chases only.
                _ if book.mutual == Mutual::Unrooted && !chases => ("draw", None),
                (true, false) => ("must_change", Some(red)),
                (false, true) => ("must_change", Some(black)),
                _ => ("draw", None),
            }
        }
    }
}
