//! Sections 2.0 and 2.4: what a capture is worth. Balances and grades, exchanges on one square,
//! roots through checks, related exchanges.

use super::board::{Kind, Move, Position, Side, Square, crossed, reaches};
use super::params::Params;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

/// 2.0: `pieces` in R 20, N = C 10, A = B 4; `pawns` in crossed pawns. Never added: pawns float.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Balance {
    pub pieces: i32,
    pub pawns: i32,
}

pub const MATE: i32 = 1000;

impl Balance {
    pub const ZERO: Balance = Balance {
        pieces: 0,
        pawns: 0,
    };
    pub const LOST: Balance = Balance {
        pieces: -MATE,
        pawns: 0,
    };

    pub fn plus(self, o: Balance) -> Balance {
        Balance {
            pieces: self.pieces + o.pieces,
            pawns: self.pawns + o.pawns,
        }
    }

    pub fn minus(self, o: Balance) -> Balance {
        Balance {
            pieces: self.pieces - o.pieces,
            pawns: self.pawns - o.pawns,
        }
    }

    /// The one place where pawns get a number: inside an exchange on one square they count 3.
    pub fn scalar(self) -> i32 {
        self.pieces + 3 * self.pawns
    }
}

pub fn worth(p: &Position, s: Square) -> Balance {
    match p.cells[s] {
        Some((_, Kind::Rook)) => Balance {
            pieces: 20,
            pawns: 0,
        },
        Some((_, Kind::Horse | Kind::Cannon)) => Balance {
            pieces: 10,
            pawns: 0,
        },
        Some((_, Kind::Advisor | Kind::Elephant)) => Balance {
            pieces: 4,
            pawns: 0,
        },
        Some((side, Kind::Pawn)) if crossed(side, s) => Balance {
            pieces: 0,
            pawns: 1,
        },
        _ => Balance::ZERO,
    }
}

pub const GAIN: i32 = 1000;
pub const NEUTRAL: i32 = 500;
/// As much lost as won, and a threat all the same: above every balance that is none.
pub const LEVEL: i32 = 600;
pub const WON_BY_MATE: i32 = 100_000;

/// 2.0: the total order of the minimaxes.
pub fn grade(params: &Params, b: Balance) -> i32 {
    let (pb, wb) = (b.pieces, b.pawns);
    if pb >= MATE / 2 {
        WON_BY_MATE
    } else if pb > 0 && wb >= 0 {
        GAIN + 4 * pb + wb
    } else if pb == 0 && wb > 0 {
        GAIN + wb
    } else if pb >= 20 && wb < 0 && params.pawn_for_rook {
        GAIN + 4 * pb + 3 * wb
    } else if pb > 0 {
        501
    } else if pb == 0 && wb == 0 {
        NEUTRAL
    } else if pb == 0 {
        499 + wb
    } else {
        490 + 4 * pb + wb
    }
}

/// Pawns against pieces below a rook: neither is worth more, for a pawn's value floats.
fn incomparable(b: Balance) -> bool {
    (b.pieces > 0 && b.pawns < 0) || (b.pieces < 0 && b.pieces + 10 * b.pawns >= 0)
}

/// 2.0 `see`: what the side to move nets on that one square when both may stop.
pub fn see(p: &Position, m: Move) -> Balance {
    let taken = worth(p, m.to);
    let next = p.after(m);
    let mut back = Balance::ZERO;
    for r in next.legal_captures_on(m.to) {
        let b = see(&next, r);
        if b.scalar() > back.scalar() {
            back = b;
        }
    }
    taken.minus(back)
}

/// One side of an exchange offered (2.3): `from` may not take on `to` as long as the same kind stands on `from`, and
/// the partner on `to` or was taken there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Ban {
    pub from: Square,
    pub to: Square,
    pub kind: Kind,
    pub partner: Kind,
    /// How many of the partner's kind there were.
    pub partners: usize,
}

impl Ban {
    fn partner_gone(&self, p: &Position) -> bool {
        p.kind(self.to) != Some(self.partner)
            && p.side(self.to)
                .is_some_and(|o| p.count(o, self.partner) == self.partners)
    }
}

pub fn banned(bans: &[Ban], p: &Position, m: Move) -> bool {
    p.cells[m.to].is_some()
        && bans.iter().any(|b| {
            b.from == m.from && b.to == m.to && p.kind(m.from) == Some(b.kind) && !b.partner_gone(p)
        })
}

/// 2.0 `Base(P)`: capture -> `cap`, for both sides.
#[derive(Debug, Default)]
pub struct Base {
    caps: HashMap<(Side, Square, Square), i32>,
}

impl Base {
    pub fn of(params: &Params, p: &Position, view: &View) -> Base {
        let mut base = Base::default();
        for side in [Side::Red, Side::Black] {
            let q = p.with_turn(side);
            let mut lines = Lines::new(params, q, Rc::default(), view.clone());
            // The view is S's, whoever takes.
            lines.s = p.turn;
            for m in q.legal_captures() {
                base.caps.insert((side, m.from, m.to), lines.cap(&q, m));
            }
        }
        base
    }

    pub fn cap(&self, side: Side, m: Move) -> Option<i32> {
        self.caps.get(&(side, m.from, m.to)).copied()
    }
}

/// How a position is to be looked at.
#[derive(Clone, Debug)]
pub struct View {
    pub bans: Vec<Ban>,
    /// 2.5 dodge basis: O taking the piece on this square is related.
    pub dodge: Option<Square>,
    /// 2.5 relation basis: O may not capture on this square (as long as S's piece stands there).
    pub shield: Option<Square>,
    /// S may use the piece on this square only (26.9).
    pub alone: Option<Square>,
    /// Being mated after the capture refutes it (29.4); off in removal tests.
    pub mate_refutes: bool,
}

impl View {
    pub fn plain() -> View {
        View {
            bans: Vec::new(),
            dodge: None,
            shield: None,
            alone: None,
            mate_refutes: true,
        }
    }
}

/// The end of a line, seen from S.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub balance: Balance,
    pub grade: i32,
    /// The piece that made the first capture still stands at the end.
    pub survives: bool,
    /// The dearest piece S takes after the first capture, retakes apart (2.4a, flags).
    pub dearest: i32,
    pub moves: Vec<Move>,
}

impl Line {
    fn key(&self) -> (i32, bool, i32) {
        (self.grade, self.survives, self.dearest)
    }
    pub fn better_than(&self, o: &Line) -> bool {
        self.key() > o.key()
    }
}

pub struct Lines<'a> {
    pub params: &'a Params,
    pub s: Side,
    pub origin: Position,
    pub base: Rc<Base>,
    pub view: View,
    retakes: RefCell<HashMap<(Position, Square, u32), Balance>>,
    /// The first captor's square in the origin, for `root_ignore_loss`.
    without_captor: RefCell<HashMap<Square, HashMap<(Square, Square), i32>>>,
}

pub const EXCHANGE_DEPTH: u32 = 5;

thread_local! {
    /// Positions that may still be looked at for one move. What is answered when none is left is not used.
    static LEFT: Cell<u32> = const { Cell::new(0) };
}

/// What one move may cost, in positions: fewer where many cycles matter more than the hardest of them.
static STEPS: LazyLock<u32> = LazyLock::new(|| {
    let asked = std::env::var("QILI_STEPS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(2_000_000)
});

/// A move's worth of work.
pub fn begin() {
    LEFT.set(*STEPS);
}

pub fn is_spent() -> bool {
    LEFT.get() == 0
}

/// One more position; false when none is left.
pub fn step() -> bool {
    LEFT.set(LEFT.get().saturating_sub(1));
    !is_spent()
}

impl<'a> Lines<'a> {
    /// `origin` has S on move.
    pub fn new(params: &'a Params, origin: Position, base: Rc<Base>, view: View) -> Lines<'a> {
        let s = origin.turn;
        Lines {
            params,
            s,
            origin,
            base,
            view,
            retakes: RefCell::default(),
            without_captor: RefCell::default(),
        }
    }

    fn grade(&self, b: Balance) -> i32 {
        grade(self.params, b)
    }

    fn line(&self, balance: Balance, survives: bool, dearest: i32, moves: &[Move]) -> Line {
        let material = self.grade(balance);
        let level = material < GAIN
            && self.params.even_trade_with_survival
            && survives
            && (balance == Balance::ZERO || incomparable(balance) && self.only_ward_lost(moves));
        Line {
            balance,
            grade: if level { LEVEL } else { material },
            survives,
            dearest,
            moves: moves.to_vec(),
        }
    }

    /// 26.5: is all that the line loses one piece that falls because the first captor has left, as its root or
    /// its cover?
    fn only_ward_lost(&self, moves: &[Move]) -> bool {
        let mut p = self.origin;
        let mut lost = Vec::new();
        for m in moves {
            if p.side(m.to) == Some(self.s) {
                lost.push(*m);
            }
            p = p.after(*m);
        }
        match (lost.as_slice(), moves) {
            ([one], [first, reply, ..]) if one == reply => {
                let before = self.base.cap(self.s.other(), *one);
                self.cap_without(first.from, *one) > before.unwrap_or_default().max(-1)
            }
            _ => false,
        }
    }

    /// May the side to move play m under this view?
    pub fn allowed(&self, p: &Position, m: Move) -> bool {
        if p.turn == self.s {
            !banned(&self.view.bans, p, m)
        } else {
            !(self.view.shield == Some(m.to)
                && p.side(m.to) == Some(self.s)
                && self.origin.cells[m.to] == p.cells[m.to])
        }
    }

    /// 2.4c: what O (to move in `p`) wins back on `sq` by consecutive checks, every reply tried.
    pub fn check_retake(&self, p: &Position, sq: Square, depth: u32) -> Balance {
        if depth == 0 || p.careless.is_some() || !step() {
            return Balance::ZERO;
        }
        if let Some(b) = self.retakes.borrow().get(&(*p, sq, depth)) {
            return *b;
        }
        let mut best = Balance::ZERO;
        for (m, next) in p.checks() {
            // S may take its partner to win something back; it is O's shielded piece alone that nobody takes.
            if m.to == sq || p.turn != self.s && !self.allowed(p, m) {
                continue;
            }
            let mut worst: Option<Balance> = None;
            let replies = next.legal_moves();
            let is_mate = replies.is_empty();
            for r in replies {
                if !self.allowed(&next, r) {
                    continue;
                }
                // What the checks cost O; what they take is set against it, but is no profit of its own (it has
                // nothing to do with the capture on `sq`).
                let mut lost = worth(&next, r.to).minus(worth(p, m.to));
                if lost.scalar() < 0 {
                    lost = Balance::ZERO;
                }
                let after = next.after(r);
                let mut here = Balance::ZERO;
                for x in after.legal_captures_on(sq) {
                    if self.allowed(&after, x) {
                        let b = see(&after, x);
                        if b.scalar() > here.scalar() {
                            here = b;
                        }
                    }
                }
                let further = self.check_retake(&after, sq, depth - 1);
                if further.scalar() > here.scalar() {
                    here = further;
                }
                // A mate costs nothing.
                if here.pieces < MATE / 2 {
                    here = here.minus(lost);
                }
                if worst.is_none_or(|w| here.scalar() < w.scalar()) {
                    worst = Some(here);
                }
                if here.scalar() <= best.scalar() {
                    break;
                }
            }
            // Where the exchange is the only answer it is no mate, and nothing is won back.
            let worst = worst.unwrap_or(Balance {
                pieces: if is_mate { MATE } else { 0 },
                pawns: 0,
            });
            if worst.scalar() > best.scalar() {
                best = worst;
            }
        }
        self.retakes.borrow_mut().insert((*p, sq, depth), best);
        best
    }

    /// 2.0 `cap`: `see` less what is won back on that square through checks.
    pub fn cap(&self, p: &Position, m: Move) -> i32 {
        let plain = see(p, m).scalar();
        let next = p.after(m);
        let retake = self.check_retake(&next, m.to, self.params.check_root_depth);
        plain.min(worth(p, m.to).minus(retake).scalar())
    }

    /// 2.4a: is the capture m (side to move in p) related to the line?
    fn related(&self, p: &Position, m: Move, last: Square, first_reply: Option<Square>) -> bool {
        // A king or a pawn that retakes is a root like any other.
        if m.to == last {
            return true;
        }
        if p.turn != self.s
            && self.view.dodge == Some(m.to)
            && self.origin.cells[m.to] == p.cells[m.to]
        {
            return true;
        }
        // 2.4a end: S's later captures by K or P count only on v's own square (`last` is checked above).
        if p.turn == self.s && matches!(p.kind(m.from), Some(Kind::King | Kind::Pawn)) {
            return false;
        }
        self.improved(p, m, first_reply)
    }

    /// New or improved by the line, against `Base` of the origin.
    pub fn improved(&self, p: &Position, m: Move, first_reply: Option<Square>) -> bool {
        if worth(p, m.to) == Balance::ZERO {
            return false;
        }
        let now = see(p, m).scalar();
        match self.base.cap(p.turn, m) {
            None => now > 0,
            Some(before) => {
                // Like with like: `before` has roots through checks in it, so `now` must as well.
                // What loses is made by nobody, however much more it lost before.
                let floor = before.max(-1);
                if now <= floor || self.cap(p, m) <= floor {
                    return false;
                }
                // 1999, 2004 ruling: what falls because its root (the captor) has gone is not counted.
                if let Some(captor) = first_reply
                    && self.params.root_ignore_loss
                    && self.cap_without(captor, m) > floor
                {
                    return false;
                }
                true
            }
        }
    }

    /// `cap` of O's capture m in the origin when the piece on `captor` is not there: was it a root (open or hidden)?
    fn cap_without(&self, captor: Square, m: Move) -> i32 {
        if let Some(v) = self
            .without_captor
            .borrow()
            .get(&captor)
            .and_then(|h| h.get(&(m.from, m.to)))
        {
            return *v;
        }
        let mut p = self.origin.without(captor).with_turn(self.s.other());
        // Where the captor shielded O's king, that king is left out of account.
        if p.in_check() || p.kings_face() {
            p.careless = Some(p.turn);
        }
        let value = if reaches(&p.cells, m.from, m.to) {
            Lines::new(self.params, p, self.base.clone(), View::plain()).cap(&p, m)
        } else {
            i32::MIN
        };
        self.without_captor
            .borrow_mut()
            .entry(captor)
            .or_default()
            .insert((m.from, m.to), value);
        value
    }

    /// 2.4a/b: the related exchange after a capture on `last`; minimax, both sides may stop.
    fn exchange(
        &self,
        p: &Position,
        last: Square,
        balance: Balance,
        depth: u32,
        captor: Option<Square>,
        dearest: i32,
        first: Option<Square>,
        answered: bool,
        moves: &mut Vec<Move>,
    ) -> Line {
        let ours = p.turn == self.s;
        if !step() {
            return self.line(balance, captor.is_some(), dearest, moves);
        }
        let captures: Vec<Move> = p
            .legal_captures()
            .into_iter()
            .filter(|m| {
                self.allowed(p, *m)
                    && !(ours && self.view.alone.is_some() && captor != Some(m.from))
                    && if depth == 0 {
                        m.to == last
                    } else {
                        self.related(p, *m, last, first)
                    }
            })
            .collect();
        let in_check = p.in_check();
        let mut best: Option<Line> = None;
        let mut offer = |line: Line| {
            if best.as_ref().is_none_or(|b| {
                if ours {
                    line.better_than(b)
                } else {
                    b.better_than(&line)
                }
            }) {
                best = Some(line);
            }
        };
        for m in &captures {
            let taken = worth(p, m.to);
            let bal = if ours {
                balance.plus(taken)
            } else {
                balance.minus(taken)
            };
            let captor = if ours {
                captor.map(|c| if c == m.from { m.to } else { c })
            } else {
                captor.filter(|c| *c != m.to)
            };
            // What is taken back where something was given is not won there.
            let dearest = if ours && m.to != last {
                dearest.max(taken.pieces)
            } else {
                dearest
            };
            moves.push(*m);
            let line = self.exchange(
                &p.after(*m),
                m.to,
                bal,
                depth.saturating_sub(1),
                captor,
                dearest,
                None,
                false,
                moves,
            );
            moves.pop();
            offer(line);
        }
        if !in_check || depth == 0 {
            if in_check && captures.is_empty() && p.legal_moves().is_empty() {
                return self.mated(ours, balance, moves);
            }
            offer(self.stop(p, last, balance, depth, captor, dearest, answered, moves));
            return best.unwrap();
        }
        // In check: stopping means answering the check.
        let replies: Vec<Move> = p
            .legal_moves()
            .into_iter()
            .filter(|m| self.allowed(p, *m) && !captures.contains(m))
            .collect();
        if replies.is_empty() && captures.is_empty() && p.legal_moves().is_empty() {
            return self.mated(ours, balance, moves);
        }
        // Where the only answers may not be used, it is no mate; there it stops.
        if ours || replies.is_empty() && captures.is_empty() {
            offer(self.stop(p, last, balance, depth, captor, dearest, answered, moves));
            return best.unwrap();
        }
        // 2.4b: O answers quietly, S goes on with new or improved captures, or stops.
        for r in replies {
            // What it may take on the way hung all along: another matter.
            let gone = captor.filter(|c| *c != r.to);
            let q = p.after(r);
            moves.push(r);
            let line = self.exchange(
                &q,
                last,
                balance,
                depth - 1,
                gone,
                dearest,
                None,
                true,
                moves,
            );
            moves.pop();
            offer(line);
        }
        best.unwrap()
    }

    /// Nothing more is taken. After an answer to a check S has to look after the dodging piece as well.
    fn stop(
        &self,
        p: &Position,
        last: Square,
        balance: Balance,
        depth: u32,
        captor: Option<Square>,
        dearest: i32,
        answered: bool,
        moves: &mut Vec<Move>,
    ) -> Line {
        let stop = self.line(balance, captor.is_some(), dearest, moves);
        if answered && depth > 0 && self.must_save_dodger(p) {
            return self.save_dodger(p, last, stop, depth, captor, moves);
        }
        stop
    }

    /// S is on move, and O could take the dodging piece where it stands.
    pub fn must_save_dodger(&self, q: &Position) -> bool {
        self.view.dodge.is_some_and(|d| {
            q.cells[d] == self.origin.cells[d]
                && q.kind(d) != Some(Kind::King)
                && q.pieces(self.s.other())
                    .into_iter()
                    .any(|x| reaches(&q.cells, x, d))
        })
    }

    /// 2.4b in the dodge basis: S stops, and has one quiet move to look after the dodging piece with.
    pub fn save_dodger(
        &self,
        q: &Position,
        last: Square,
        stop: Line,
        depth: u32,
        captor: Option<Square>,
        moves: &mut Vec<Move>,
    ) -> Line {
        let mut best: Option<Line> = None;
        for m in q.legal_moves() {
            if q.cells[m.to].is_some() {
                continue;
            }
            let captor = captor.map(|c| if c == m.from { m.to } else { c });
            moves.push(m);
            let line = self.exchange(
                &q.after(m),
                last,
                stop.balance,
                depth.saturating_sub(1),
                captor,
                stop.dearest,
                None,
                false,
                moves,
            );
            moves.pop();
            if best.as_ref().is_none_or(|b| line.better_than(b)) {
                best = Some(line);
            }
        }
        // A move that saves a piece wins nothing by it.
        best.filter(|best| !best.better_than(&stop)).unwrap_or(stop)
    }

    fn mated(&self, ours: bool, balance: Balance, moves: &[Move]) -> Line {
        if ours {
            let balance = if self.view.mate_refutes {
                balance.plus(Balance::LOST)
            } else {
                balance
            };
            self.line(balance, false, 0, moves)
        } else {
            Line {
                balance,
                grade: WON_BY_MATE,
                survives: true,
                dearest: 0,
                moves: moves.to_vec(),
            }
        }
    }

    /// 2.4: the outcome of the capture c (S to move in p), starting from `balance`.
    pub fn outcome(&self, p: &Position, c: Move, balance: Balance, first: Option<Square>) -> Line {
        let bal = balance.plus(worth(p, c.to));
        let next = p.after(c);
        let mut moves = vec![c];
        let mut line = self.exchange(
            &next,
            c.to,
            bal,
            EXCHANGE_DEPTH,
            Some(c.to),
            0,
            first,
            false,
            &mut moves,
        );
        if let Some(other) = self.retaken(&next, c.to, bal, &[c])
            && line.better_than(&other)
        {
            line = other;
        }
        line
    }

    /// Does a check that O may give mate at once?
    pub fn mated_in_one(&self, p: &Position) -> bool {
        let mut checks = p.checks().into_iter();
        checks.any(|(m, next)| self.allowed(p, m) && next.legal_moves().is_empty())
    }

    /// What is left when O (to move in `next`) wins back what has just taken on `sq` by checks; in check itself,
    /// the first of them is its answer.
    pub fn retaken(
        &self,
        next: &Position,
        sq: Square,
        bal: Balance,
        moves: &[Move],
    ) -> Option<Line> {
        let retake = self.check_retake(next, sq, self.params.check_root_depth);
        let is_mate = retake.pieces >= MATE / 2;
        (retake.scalar() > 0 && (!is_mate || self.view.mate_refutes))
            .then(|| self.line(bal.minus(retake), false, 0, moves))
    }
}
