//! The Asian/World rules: who attacks whom, no search.
//!
//! A piece is *chased* by a move if after it some piece may take it with profit that could not before
//! (25-27: it need not be the piece that moved). With profit: the piece has no real root (34: one that can
//! take back; 35: however many attack), or it is a rook and the taker a horse or cannon (14, 15; World
//! rules 2018: chasing a really rooted piece is no offence, but for a chariot chased by horse or cannon).
//! A side chases *perpetually* when every move of it chases one and the same piece, by whatever pieces
//! (33); but two pieces that take turns at two or more offend nobody (32).
//!
//! Whatever attacks a piece all along, one and the same piece that attacks it anew with every move chases it.
//!
//! Weightier offences go before lighter ones: perpetual check (4); chasing a rook held by a horse (19: 3);
//! one rook chased by horse or cannon, whatever its replies attack (14, 15: 2), unless the rook for its
//! part chases just that piece (diagram 48); any other perpetual chase (1). Check and chase mixed: none.

use super::board::{Kind, Move, Position, Side, Square, crossed};
use super::natures::Nature;
use super::verdict::Judged;

/// (captor, victim) of every capture that would be a gain for `s`, were it to move.
fn gains(place: &Position, s: Side) -> Vec<(Square, Square)> {
    // What was attacked before a check is not newly attacked by the answer to it.
    let mine = if place.turn == s && place.in_check() {
        place.pardoned()
    } else {
        place.with_turn(s)
    };
    let mut found = Vec::new();
    for m in mine.legal_captures() {
        let captor = mine.kind(m.from).unwrap();
        let (owner, victim) = mine.get(m.to).unwrap();
        let exempt = matches!(captor, Kind::King | Kind::Pawn);
        let uncrossed = victim == Kind::Pawn && !crossed(owner, m.to);
        // Pieces of one kind that can take each other exchange (24).
        let theirs = mine.with_turn(owner);
        let back = Move {
            from: m.to,
            to: m.from,
        };
        let mutual = captor == victim && mine.reaches(m.to, m.from) && theirs.is_safe(back);
        if exempt || uncrossed || mutual {
            continue;
        }
        let rooted = !mine.after(m).legal_captures_on(m.to).is_empty();
        let dear = victim == Kind::Rook && matches!(captor, Kind::Horse | Kind::Cannon);
        if dear || !rooted {
            found.push((m.from, m.to));
        }
    }
    found
}

/// A piece that keeps its name while it moves: its square at the start.
struct Names(Vec<Option<Square>>);

impl Names {
    fn new() -> Names {
        Names((0..90).map(Some).collect())
    }
    fn follow(&mut self, m: Move) {
        self.0[m.to] = self.0[m.from].take();
    }
    fn of(&self, s: Square) -> Square {
        self.0[s].unwrap_or(s)
    }
}

/// What one move chases: names of captor and victim.
struct Chase {
    captor: Square,
    victim: Square,
    /// The rook taken holds off a horse's check on its king.
    held: bool,
    captor_kind: Kind,
    victim_kind: Kind,
}

pub fn judge(places: &[Position], period: &[Move]) -> Judged {
    let n = period.len();
    let mut names = Names::new();
    let mut checks = Vec::new();
    let mut chases: Vec<Vec<Chase>> = Vec::new();
    // What a piece attacks that it did not attack before, though another may have.
    let mut renewed: Vec<Vec<Chase>> = Vec::new();
    // Until every piece is back on its own square: like pieces may change places.
    for i in 0.. {
        let (p0, mv, p1) = (&places[i % n], period[i % n], &places[i % n + 1]);
        names.follow(mv);
        let s = p0.turn;
        checks.push(p1.in_check());
        let stood = |(c, v)| (if c == mv.from { mv.to } else { c }, v);
        let before: Vec<(Square, Square)> = gains(p0, s).into_iter().map(stood).collect();
        let (mut made, mut again) = (Vec::new(), Vec::new());
        if !p1.in_check() {
            for (captor, victim) in gains(p1, s) {
                let chase = Chase {
                    captor: names.of(captor),
                    victim: names.of(victim),
                    held: held(p1, victim),
                    captor_kind: p1.kind(captor).unwrap(),
                    victim_kind: p1.kind(victim).unwrap(),
                };
                if !before.iter().any(|(_, old)| *old == victim) {
                    made.push(chase);
                } else if !before.contains(&(captor, victim)) {
                    again.push(chase);
                }
            }
        }
        chases.push(made);
        renewed.push(again);
        let home = (0..90).all(|s| p1.is_empty(s) || names.of(s) == s);
        if (i + 1) % n == 0 && (home || i > 64 * n) {
            break;
        }
    }
    let moves_of = |side: Side| {
        (0..checks.len())
            .filter(move |i| places[i % n].turn == side)
            .collect::<Vec<_>>()
    };
    // One and the same piece that attacks another anew with every move chases it, whatever else attacks that (14, 15, 18).
    for side in [Side::Red, Side::Black] {
        let moves = moves_of(side);
        let pairs = |i: usize| {
            chases[i]
                .iter()
                .chain(&renewed[i])
                .map(|c| (c.captor, c.victim))
        };
        let always: Vec<_> = pairs(moves[0])
            .filter(|pair| moves.iter().all(|i| pairs(*i).any(|other| other == *pair)))
            .collect();
        for i in moves {
            let counts = |c: &mut Chase| always.contains(&(c.captor, c.victim));
            let counted: Vec<_> = renewed[i].extract_if(.., counts).collect();
            chases[i].extend(counted);
        }
    }
    let level = |side: Side| -> u32 {
        let moves = moves_of(side);
        if moves.iter().all(|i| checks[*i]) {
            return 4;
        }
        let every = |f: &dyn Fn(&Chase) -> bool| moves.iter().all(|i| chases[*i].iter().any(f));
        let mut victims: Vec<Square> = chases[moves[0]].iter().map(|c| c.victim).collect();
        victims.sort_unstable();
        victims.dedup();
        victims.retain(|v| every(&|c| c.victim == *v));
        let mut level = 0;
        for &v in &victims {
            let every = |f: &dyn Fn(&Chase) -> bool| every(&|c| c.victim == v && f(c));
            let by_one = chases[moves[0]]
                .iter()
                .any(|first| every(&|c| c.captor == first.captor));
            if by_one || victims.len() == 1 {
                level = level.max(1);
            }
            let rook = |c: &Chase| c.victim_kind == Kind::Rook;
            // A rook that for its part chases just the piece that chases it is level with it (diagram 48).
            let returns = |c: &Chase| {
                moves_of(side.other()).iter().all(|i| {
                    chases[*i]
                        .iter()
                        .any(|r| r.captor == v && r.victim == c.captor)
                })
            };
            if every(&|c| {
                rook(c) && matches!(c.captor_kind, Kind::Horse | Kind::Cannon) && !returns(c)
            }) {
                level = level.max(2);
            }
            if every(&|c| rook(c) && c.held) {
                level = level.max(3);
            }
        }
        level
    };
    let (red, black) = (level(Side::Red), level(Side::Black));
    let (outcome, side) = match red.cmp(&black) {
        std::cmp::Ordering::Greater => ("must_change", Some(Side::Red)),
        std::cmp::Ordering::Less => ("must_change", Some(Side::Black)),
        std::cmp::Ordering::Equal => ("draw", None),
    };
    let nature = |i: usize| {
        if checks[i] {
            Nature::Check
        } else if !chases[i].is_empty() {
            Nature::Chase
        } else {
            Nature::Idle
        }
    };
    let told = |i: usize| {
        chases[i]
            .iter()
            .map(|c| {
                format!(
                    "{:?} x {:?} {}",
                    c.captor_kind,
                    c.victim_kind,
                    super::board::square_name(c.victim)
                )
            })
            .collect()
    };
    Judged {
        natures: (0..n).map(|i| Some(nature(i))).collect(),
        notes: (0..n).map(told).collect(),
        outcome: outcome.into(),
        side,
        work: 0,
    }
}

/// Would the king of this rook's side be in a horse's check if the rook were lifted?
fn held(place: &Position, rook: Square) -> bool {
    let Some((owner, Kind::Rook)) = place.get(rook) else {
        return false;
    };
    let king = place.king(owner);
    let without = place.with(rook, None);
    place.pieces(owner.other()).into_iter().any(|s| {
        place.kind(s) == Some(Kind::Horse) && without.reaches(s, king) && !place.reaches(s, king)
    })
}
