//! Section 2: the nature of one move.

use super::board::{Kind, Move, Position, Side, Square, between, reaches};
use super::lines::{
    Balance, Ban, Base, GAIN, LEVEL, Line, Lines, MATE, View, WON_BY_MATE, begin, grade, is_spent,
    see, step, worth,
};
use super::params::{BeforeBasis, BothForbidden, Params, PawnCapture};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
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
    pub fn is_attack(self) -> bool {
        matches!(self, Nature::Check | Nature::Kill | Nature::Chase)
    }
}

/// One capture threat (2.4d) of S in a position where S is on move.
#[derive(Clone, Debug)]
pub struct Threat {
    pub capture: Move,
    pub line: Line,
    pub size: Size,
}

/// 2.4d: what makes it a threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Gain,
    /// An equal trade which the captor survives.
    Even,
    /// A pawn won while a N or C that was attacked already falls because its root has left (f22 / 99-4).
    RootDuty,
}

impl Size {
    /// Was what could be won so before no less than what can be won so now?
    fn covers(self, now: Size) -> bool {
        self == Size::Gain || now != Size::Gain
    }
}

impl Threat {
    fn victim(&self) -> Square {
        self.capture.to
    }
    fn captor(&self) -> Square {
        self.capture.from
    }
}

/// What was found about a move.
#[derive(Clone, Debug)]
pub struct Finding {
    /// `None`: the kill game spent its budget; then `unless_kill` is the answer if it is no kill.
    pub nature: Option<Nature>,
    pub unless_kill: Nature,
    pub also: Vec<Nature>,
    /// 3.3; true for checks and kills.
    pub strong: bool,
    /// 3.1: the moved pawn's own new attack (27.2).
    pub pawn_attack: bool,
    pub notes: Vec<String>,
}

/// A move in its setting.
pub struct Case<'a> {
    pub params: &'a Params,
    /// Before O's previous move.
    pub pm: Position,
    pub p0: Position,
    pub m: Move,
    pub theoretical_draw: bool,
}

/// What is remembered between questions about the same positions.
#[derive(Default)]
pub struct Memory {
    bases: RefCell<HashMap<Position, Rc<Base>>>,
    mates: RefCell<HashMap<(Position, u32), bool>>,
}

impl Memory {
    /// 2.0 `Base(P)`.
    pub fn base(&self, params: &Params, p: &Position) -> Rc<Base> {
        if let Some(b) = self.bases.borrow().get(p) {
            return b.clone();
        }
        let base = Rc::new(Base::of(params, p, &View::plain()));
        self.bases.borrow_mut().insert(*p, base.clone());
        base
    }

    /// Has the side to move a mate by at most `depth` checks?
    pub fn mates_within(&self, p: &Position, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        if let Some(b) = self.mates.borrow().get(&(*p, depth)) {
            return *b;
        }
        let answer = p.checks().into_iter().any(|(_, next)| {
            next.legal_moves()
                .into_iter()
                .all(|r| self.mates_within(&next.after(r), depth - 1))
        });
        self.mates.borrow_mut().insert((*p, depth), answer);
        answer
    }
}

/// 2.2: the kill as a reachability game: is `start` (S on move) won by consecutive checks?
///
/// For every check of a kept position one reply is kept. Go round the positions reachable from the start through
/// kept replies: a position that turns out won makes its parents keep another reply; when nothing is left to
/// expand, the kept positions are closed under S's checks and there is no kill. `None`: the budget is spent.
pub fn kill(start: &Position, bans: &[Ban], budget: usize) -> Option<bool> {
    struct Check {
        replies: Vec<Position>,
        kept: usize,
    }
    struct Node {
        checks: Vec<Check>,
        won: bool,
    }
    let checking_moves = |p: &Position| -> Vec<Position> {
        p.checks()
            .into_iter()
            .filter(|(m, _)| !super::lines::banned(bans, p, *m))
            .map(|(_, next)| next)
            .collect()
    };
    let expand = |p: &Position| -> Node {
        let mut checks = Vec::new();
        for next in checking_moves(p) {
            let mut replies: Vec<(usize, Position)> = next
                .legal_moves()
                .into_iter()
                .map(|r| next.after(r))
                .map(|q| (checking_moves(&q).len(), q))
                .collect();
            if replies.is_empty() {
                return Node {
                    checks: Vec::new(),
                    won: true,
                };
            }
            // The reply that leaves the fewest checks first.
            replies.sort_by_key(|(count, _)| *count);
            checks.push(Check {
                replies: replies.into_iter().map(|(_, q)| q).collect(),
                kept: 0,
            });
        }
        checks.sort_by_key(|c| c.replies.len());
        Node { checks, won: false }
    };
    let mut nodes: HashMap<Position, Node> = HashMap::new();
    loop {
        // Walk through what is kept; expand what is new.
        let mut order = vec![*start];
        let mut seen: HashSet<Position> = HashSet::from([*start]);
        let mut at = 0;
        let mut fresh = 0;
        while at < order.len() {
            let p = order[at];
            at += 1;
            if !nodes.contains_key(&p) {
                if nodes.len() >= budget {
                    return None;
                }
                nodes.insert(p, expand(&p));
                fresh += 1;
                if fresh >= 64 + nodes.len() / 32 {
                    break;
                }
            }
            for check in &nodes[&p].checks {
                let q = check.replies[check.kept];
                if seen.insert(q) {
                    order.push(q);
                }
            }
        }
        // Pass on what is won, until nothing changes.
        let mut moved_any = false;
        loop {
            let mut changed = false;
            for p in order.iter().rev() {
                let Some(node) = nodes.get(p) else { continue };
                if node.won {
                    continue;
                }
                let moved: Vec<usize> = node
                    .checks
                    .iter()
                    .map(|c| {
                        (c.kept..c.replies.len())
                            .find(|i| !nodes.get(&c.replies[*i]).is_some_and(|n| n.won))
                            .unwrap_or(c.replies.len())
                    })
                    .collect();
                let node = nodes.get_mut(p).unwrap();
                for (c, kept) in node.checks.iter_mut().zip(&moved) {
                    changed |= c.kept != *kept;
                    c.kept = *kept;
                }
                if node.checks.iter().any(|c| c.kept == c.replies.len()) {
                    node.won = true;
                    node.checks.clear();
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            moved_any = true;
        }
        if nodes[start].won {
            return Some(true);
        }
        if fresh == 0 && !moved_any {
            return Some(false);
        }
    }
}

/// Which tests an exchange pair must pass (2.3).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// For kills: (i) and (ii).
    Kill,
    /// For chases: (iii) as well.
    Chase,
}

fn same_for_exchange(params: &Params, a: Kind, b: Kind) -> bool {
    let class = |k: Kind| match k {
        Kind::Cannon if params.exchange_equal_value => Kind::Horse,
        Kind::Elephant if params.exchange_equal_value => Kind::Advisor,
        k => k,
    };
    class(a) == class(b)
}

pub struct Judge<'a> {
    pub case: Case<'a>,
    pub memory: &'a Memory,
    s: Side,
    o: Side,
    p1: Position,
    /// P1*: after the move, S on move again.
    star: Position,
    evading: bool,
    /// The gain by checks before the move, with the dodge basis and without, once asked for.
    earlier: [RefCell<Option<Option<Line>>>; 2],
}

impl<'a> Judge<'a> {
    pub fn new(case: Case<'a>, memory: &'a Memory) -> Judge<'a> {
        let s = case.p0.turn;
        let p1 = case.p0.after(case.m);
        let star = p1.with_turn(s);
        let evading = case.p0.in_check();
        Judge {
            case,
            memory,
            s,
            o: s.other(),
            p1,
            star,
            evading,
            earlier: Default::default(),
        }
    }

    fn params(&self) -> &'a Params {
        self.case.params
    }

    // ---------------------------------------------------------------- 2.3 exchange pairs

    /// The pairs (a of S, b of O) standing in `p` (O to move).
    pub fn exchange_pairs(&self, p: &Position, variant: Variant) -> Vec<Ban> {
        let o = p.turn;
        let s = o.other();
        let mut pairs = Vec::new();
        for a in p.pieces(s) {
            let kind = p.kind(a).unwrap();
            if matches!(kind, Kind::King) || worth(p, a) == Balance::ZERO {
                continue;
            }
            for b in p.pieces(o) {
                let other = p.kind(b).unwrap();
                if other == Kind::King
                    || !same_for_exchange(self.params(), kind, other)
                    || worth(p, b) == Balance::ZERO
                {
                    continue;
                }
                if !reaches(&p.cells, a, b) || !reaches(&p.cells, b, a) {
                    continue;
                }
                let take = Move { from: b, to: a };
                if !p.is_safe(take) {
                    continue;
                }
                // (i)
                if see(p, take).scalar() < 0 {
                    continue;
                }
                // (ii)
                let next = p.after(take);
                if self
                    .memory
                    .mates_within(&next, self.params().accept_mate_depth)
                {
                    continue;
                }
                // (iii)
                if variant == Variant::Chase {
                    // A check must be answered; what hung all along hung in spite of it.
                    let careless = next.in_check().then_some(s);
                    let base = self
                        .memory
                        .base(self.params(), &Position { careless, ..next });
                    let lines = Lines::new(self.params(), next, base, View::plain());
                    let start = Balance::ZERO.minus(worth(p, a));
                    if let Some(line) = self.check_gain(
                        &lines,
                        &next,
                        self.params().accept_loss_depth,
                        start,
                        &mut Vec::new(),
                    ) && line.grade >= GAIN
                    {
                        continue;
                    }
                }
                pairs.push(Ban {
                    from: a,
                    to: b,
                    kind,
                    partner: other,
                    partners: p.count(o, other),
                });
            }
        }
        pairs
    }

    fn lines(&self, origin: Position, view: View) -> Lines<'a> {
        // Like with like: what nobody may take in the lines, nobody may take in what they are compared with.
        let base = if view.shield.is_some() {
            Rc::new(Base::of(self.params(), &origin, &view))
        } else {
            self.memory.base(self.params(), &origin)
        };
        Lines::new(self.params(), origin, base, view)
    }

    // ---------------------------------------------------------------- 2.4d threats

    fn is_threat(&self, line: &Line) -> Option<Size> {
        if line.grade >= GAIN {
            return Some(Size::Gain);
        }
        (line.grade == LEVEL).then_some(if line.balance == Balance::ZERO {
            Size::Even
        } else {
            // f22 / 99-4: pawns against pieces, and what falls had hung already: its root has gone.
            Size::RootDuty
        })
    }

    fn threat_by(&self, lines: &Lines, c: Move) -> Option<Threat> {
        let p = &lines.origin;
        if worth(p, c.to) == Balance::ZERO || !lines.allowed(p, c) {
            return None;
        }
        let line = lines.outcome(p, c, Balance::ZERO, Some(c.from));
        let size = self.is_threat(&line)?;
        Some(Threat {
            capture: c,
            line,
            size,
        })
    }

    fn threats(&self, lines: &Lines) -> Vec<Threat> {
        lines
            .origin
            .legal_captures()
            .into_iter()
            .filter_map(|c| self.threat_by(lines, c))
            .collect()
    }

    fn is_king_or_pawn(&self, p: &Position, s: Square) -> bool {
        matches!(p.kind(s), Some(Kind::King | Kind::Pawn))
    }

    // ---------------------------------------------------------------- 2.5 before

    fn before_position(&self) -> Position {
        Position {
            careless: if self.evading { Some(self.s) } else { None },
            ..self.case.p0
        }
    }

    fn before_view(&self, dodge: bool, bans: &[Ban]) -> View {
        let mut view = View::plain();
        // Like with like: a capture that is an exchange (2.3) in P1* and so no threat is none in P0 either. In check
        // nothing could be accepted: the pairs are those of P1* that faced each other already.
        let p0 = &self.case.p0;
        view.bans = if self.evading {
            let faced =
                |b: &Ban| reaches(&p0.cells, b.from, b.to) && reaches(&p0.cells, b.to, b.from);
            let back = |b: &Ban| Ban {
                from: self.back(b.from),
                ..*b
            };
            bans.iter().map(back).filter(faced).collect()
        } else {
            self.exchange_pairs(&p0.with_turn(self.o), Variant::Chase)
        };
        view.mate_refutes = !self.evading;
        match self.params().before_basis {
            BeforeBasis::ShieldTheMover => view.shield = Some(self.case.m.from),
            BeforeBasis::DodgeIfParty if dodge => view.dodge = Some(self.case.m.from),
            BeforeBasis::DodgeIfParty => {}
        }
        view
    }

    /// A square of P1 as it was in P0.
    fn back(&self, s: Square) -> Square {
        if s == self.case.m.to {
            self.case.m.from
        } else {
            s
        }
    }

    fn removed_lines(&self, square: Square, bans: &[Ban]) -> Lines<'a> {
        let mut view = View::plain();
        view.bans = bans.to_vec();
        view.mate_refutes = false;
        let mut without = self.star.without(square);
        // What shields its own king has no part in a threat for that: the king is then left out of account.
        if without.in_check() || without.kings_face() {
            without.careless = Some(self.s);
        }
        self.lines(without, view)
    }

    /// 2.5: is the moved piece a party to the threat?
    fn is_party(&self, t: &Threat, bans: &[Ban], notes: &mut Vec<String>) -> bool {
        let m = self.case.m;
        // 1. the relation is new
        if !reaches(&self.case.p0.cells, self.back(t.captor()), t.victim()) {
            return true;
        }
        if t.captor() == m.to {
            return false;
        }
        // 2. participation
        let lines = self.removed_lines(m.to, bans);
        let c = t.capture;
        if !self.stands(&lines, c) {
            notes.push(format!("{c:?}: mover participates"));
            return true;
        }
        // 3. support: without the moved piece O has a profitable capture that dissolves the threat
        let o_view = lines.origin.with_turn(self.o);
        let profit_without = self.memory.base(self.params(), &lines.origin);
        let profit_with = self.memory.base(self.params(), &self.star);
        for x in o_view.legal_captures() {
            let cap = |base: &Base| base.cap(self.o, x).unwrap_or(0);
            if cap(&profit_without) <= 0 || cap(&profit_with) > 0 {
                continue;
            }
            // Dissolved by what it takes, not by a check it happens to give: S's own check is left out of account.
            let after = Position {
                careless: Some(self.s),
                ..o_view.after(x)
            };
            let mut view = View::plain();
            view.mate_refutes = false;
            view.bans = bans.to_vec();
            if !self.stands(&self.lines(after, view), c) {
                notes.push(format!("{c:?}: mover supports against {x:?}"));
                return true;
            }
        }
        false
    }

    /// Is c (still) possible and a threat in the origin of `lines`?
    fn stands(&self, lines: &Lines, c: Move) -> bool {
        let p = &lines.origin;
        p.side(c.from) == Some(self.s)
            && p.side(c.to) == Some(self.o)
            && reaches(&p.cells, c.from, c.to)
            && p.is_safe(c)
            && self.threat_by(lines, c).is_some()
    }

    /// The moved piece (when S was in check: any piece) had the same pseudo capture before, with `cap > 0`.
    fn had_the_same(&self, c: Move) -> bool {
        if c.from != self.case.m.to && !self.evading {
            return false;
        }
        let p0 = self.before_position();
        let same = Move {
            from: self.back(c.from),
            to: c.to,
        };
        if !reaches(&p0.cells, same.from, same.to) {
            return false;
        }
        let lines = self.lines(p0, View::plain());
        lines.cap(&p0, same) > 0
    }

    // ---------------------------------------------------------------- 2.7 check gain

    /// Best S can force by at most `depth` consecutive checks, or `None` when there is no check.
    fn check_gain(
        &self,
        lines: &Lines,
        p: &Position,
        depth: u32,
        balance: Balance,
        moves: &mut Vec<Move>,
    ) -> Option<Line> {
        if depth == 0 || !step() {
            return None;
        }
        let mut best: Option<Line> = None;
        for (m, next) in p.checks() {
            if !lines.allowed(p, m) {
                continue;
            }
            let others_check = self.others_check(&next, m.to);
            // One piece by itself: it makes every move and gives every check.
            if let Some(alone) = lines.view.alone
                && (self.origin_of(moves, m.from) != alone || others_check)
            {
                continue;
            }
            // 26.8: a pawn's capture counts only when it uncovers another piece's check; a king's never.
            let own_force = match p.kind(m.from) {
                Some(Kind::King) => true,
                Some(Kind::Pawn) => {
                    !self.uncovers(&next, m.to) && !self.leans_on_others(lines, moves, m.from)
                }
                _ => false,
            };
            let taken = if own_force {
                Balance::ZERO
            } else {
                worth(p, m.to)
            };
            let bal = balance.plus(taken);
            moves.push(m);
            let mut worst: Option<Line> = None;
            let replies = next.legal_moves();
            let is_mate = replies.is_empty();
            for r in replies {
                if !lines.allowed(&next, r) {
                    continue;
                }
                let bal = bal.minus(worth(&next, r.to));
                let q = next.after(r);
                moves.push(r);
                let mut here = self.stop(lines, &q, m.to, bal, moves);
                for c in q.legal_captures() {
                    // 2.6d, T21: the king never; a pawn only where it uncovers another piece's check, or leaning on
                    // one counts.
                    let own_force = match q.kind(c.from) {
                        Some(Kind::King) => true,
                        Some(Kind::Pawn) => {
                            !self.uncovers(&q.after(c), c.to)
                                && !self.leans_on_others(lines, moves, c.from)
                        }
                        _ => false,
                    };
                    if own_force
                        || lines
                            .view
                            .alone
                            .is_some_and(|a| self.origin_of(moves, c.from) != a)
                        || !lines.allowed(&q, c)
                        || worth(&q, c.to) == Balance::ZERO
                        || !(c.to == r.to && next.cells[r.to].is_some())
                            && !lines.improved(&q, c, None)
                    {
                        continue;
                    }
                    // mated in one afterwards: nothing
                    if lines.view.mate_refutes && lines.mated_in_one(&q.after(c)) {
                        continue;
                    }
                    let origin = self.origin_of(moves, c.from);
                    let mut line = lines.outcome(&q, c, bal, Some(origin));
                    if line.better_than(&here) {
                        let mut all = moves.clone();
                        all.append(&mut line.moves);
                        line.moves = all;
                        here = line;
                    }
                }
                if let Some(line) = self.check_gain(lines, &q, depth - 1, bal, moves)
                    && line.better_than(&here)
                {
                    here = line;
                }
                moves.pop();
                if worst.as_ref().is_none_or(|w| w.better_than(&here)) {
                    worst = Some(here);
                }
                if let (Some(w), Some(b)) = (&worst, &best)
                    && !w.better_than(b)
                {
                    break;
                }
            }
            // Where the only answers may not be used, it is no mate; there it stops.
            let worst = worst.unwrap_or_else(|| {
                let balance = if is_mate {
                    Balance {
                        pieces: MATE,
                        pawns: 0,
                    }
                } else {
                    bal
                };
                Line {
                    balance,
                    grade: grade(self.params(), balance),
                    survives: true,
                    dearest: 0,
                    moves: moves.clone(),
                }
            });
            let retaken = if taken == Balance::ZERO {
                None
            } else {
                lines.retaken(&next, m.to, bal, moves)
            };
            let worst = match retaken {
                Some(other) if worst.better_than(&other) => other,
                _ => worst,
            };
            moves.pop();
            if best.as_ref().is_none_or(|b| worst.better_than(b)) {
                best = Some(worst);
            }
        }
        best
    }

    /// Does another piece of S than the one on `at` check O's king?
    fn others_check(&self, p: &Position, at: Square) -> bool {
        let king = p.king(self.o).unwrap();
        let mut pieces = p.pieces(self.s).into_iter();
        pieces.any(|x| x != at && reaches(&p.cells, x, king))
    }

    /// 26.8: does a pawn that has just taken on `at` uncover another piece's check, where that counts?
    fn uncovers(&self, p: &Position, at: Square) -> bool {
        self.params().pawn_capture != PawnCapture::Never && self.others_check(p, at)
    }

    /// T21: did another piece than the pawn now on `pawn` give one of the checks, where the book asks?
    fn leans_on_others(&self, lines: &Lines, moves: &[Move], pawn: Square) -> bool {
        let mut at = self.origin_of(moves, pawn);
        let mut p = lines.origin;
        let mut others_check = |m: &Move| {
            if m.from == at {
                at = m.to;
            }
            p = p.after(*m);
            p.turn == self.o && self.others_check(&p, at)
        };
        self.params().pawn_capture == PawnCapture::LeaningOnOthers
            && moves.iter().any(&mut others_check)
    }

    /// After O's reply S stops: nothing more is won. With the dodging piece still hanging (dodge basis) S's move is
    /// spent on it; without a legal move S is lost.
    fn stop(
        &self,
        lines: &Lines,
        q: &Position,
        last: Square,
        balance: Balance,
        moves: &[Move],
    ) -> Line {
        let balance = if q.legal_moves().is_empty() {
            balance.plus(Balance::LOST)
        } else {
            balance
        };
        let stop = Line {
            balance,
            grade: grade(self.params(), balance),
            survives: false,
            dearest: 0,
            moves: moves.to_vec(),
        };
        if lines.must_save_dodger(q) {
            let depth = super::lines::EXCHANGE_DEPTH;
            return lines.save_dodger(q, last, stop, depth, None, &mut moves.to_vec());
        }
        stop
    }

    /// Where the piece now on `s` stood before the moves were played.
    fn origin_of(&self, moves: &[Move], s: Square) -> Square {
        moves
            .iter()
            .rev()
            .fold(s, |at, m| if m.to == at { m.from } else { at })
    }

    // ---------------------------------------------------------------- the tests in order (2.1)

    pub fn find(&self) -> Finding {
        begin();
        let mut finding = self.natures();
        if is_spent() {
            finding.nature = None;
        }
        finding
    }

    fn natures(&self) -> Finding {
        let mut finding = Finding {
            nature: Some(Nature::Idle),
            unless_kill: Nature::Idle,
            also: Vec::new(),
            strong: false,
            pawn_attack: false,
            notes: Vec::new(),
        };
        let params = self.params();
        if self.p1.in_check() {
            finding.nature = Some(Nature::Check);
            finding.strong = true;
            // Contract: below a check only direct new captures are listed.
            let mut below = finding.clone();
            if self.chase(&[], true, &mut below) {
                finding.also.push(Nature::Chase);
            }
            return finding;
        }
        if params.king_evasion_idle
            && self.evading
            && self.case.p0.kind(self.case.m.from) == Some(Kind::King)
        {
            finding.notes.push("king evades check".into());
            self.idle_kinds(&mut finding);
            return finding;
        }
        // Pairs that this move made: with those that stood before, the move offers nothing.
        let before = &self.case.p0;
        let mut kill_bans = self.exchange_pairs(&self.p1, Variant::Kill);
        kill_bans
            .retain(|ban| ban.from == self.case.m.to || !reaches(&before.cells, ban.from, ban.to));
        let killed = kill(&self.star, &kill_bans, params.kill_budget);
        if killed == Some(true) {
            finding.nature = Some(Nature::Kill);
            finding.strong = true;
            return finding;
        }
        let bans = self.exchange_pairs(&self.p1, Variant::Chase);
        if !bans.is_empty() {
            finding.notes.push(format!(
                "pairs {:?}",
                bans.iter()
                    .map(|b| Move {
                        from: b.from,
                        to: b.to
                    })
                    .collect::<Vec<_>>()
            ));
        }
        if self.chase(&bans, false, &mut finding) {
            finding.nature = Some(Nature::Chase);
        }
        if finding.nature == Some(Nature::Idle) {
            self.idle_kinds(&mut finding);
        }
        if killed.is_none() {
            finding.unless_kill = finding.nature.unwrap();
            finding.nature = None;
        }
        finding
    }

    /// 2.4-2.7.
    fn chase(&self, bans: &[Ban], direct_only: bool, finding: &mut Finding) -> bool {
        let params = self.params();
        let notes = &mut finding.notes;
        let star = self.lines(
            self.star,
            View {
                bans: bans.to_vec(),
                ..View::plain()
            },
        );
        let now = self.threats(&star);
        let before_position = self.before_position();
        let plain_lines = self.lines(before_position, self.before_view(false, bans));
        let plain = self.threats_before(&plain_lines);
        let dodge_lines = self.lines(before_position, self.before_view(true, bans));
        let dodge = if self.params().before_basis == BeforeBasis::DodgeIfParty {
            self.threats_before(&dodge_lines)
        } else {
            plain.clone()
        };
        for t in plain.iter() {
            notes.push(format!(
                "before {:?} {:?} {:?} {:?}",
                t.capture, t.line.balance, t.size, t.line.moves
            ));
        }
        if params.before_basis == BeforeBasis::DodgeIfParty {
            for t in dodge.iter() {
                notes.push(format!(
                    "before (dodge) {:?} {:?} {:?} {:?}",
                    t.capture, t.line.balance, t.size, t.line.moves
                ));
            }
        }
        let covers = |old: &[Threat], t: &Threat| {
            old.iter()
                .any(|o| o.victim() == t.victim() && o.size.covers(t.size))
        };
        let mut new = Vec::new();
        let mut old_best = i32::MIN;
        for t in &now {
            let by_king_or_pawn = self.is_king_or_pawn(&self.star, t.captor());
            if by_king_or_pawn {
                if !self.joint_with(t, bans) {
                    continue;
                }
            }
            // A joint chase with king or pawn is new if it did not exist before (26.1.1): the same capture, and no
            // other piece's, can make it old that king or pawn makes first.
            let stood = |lines: &Lines| {
                let same = Move {
                    from: self.back(t.captor()),
                    to: t.victim(),
                };
                let before = self.threats(lines);
                by_king_or_pawn
                    && before
                        .iter()
                        .any(|o| o.capture == same && o.size.covers(t.size))
            };
            let in_plain = covers(&plain, t) || stood(&plain_lines);
            let in_dodge = covers(&dodge, t)
                || stood(if params.before_basis == BeforeBasis::DodgeIfParty {
                    &dodge_lines
                } else {
                    &plain_lines
                });
            let party = params.before_basis == BeforeBasis::DodgeIfParty
                && (in_plain || in_dodge)
                && self.is_party(t, bans, notes);
            let old = if party { in_dodge } else { in_plain };
            let old = old || self.had_the_same(t.capture);
            notes.push(format!(
                "{} {:?} {:?} grade {} {:?} {:?}",
                if old { "old" } else { "NEW" },
                t.capture,
                t.line.balance,
                t.line.grade,
                t.size,
                t.line.moves
            ));
            if old {
                // What existed before counts with what it was worth before (2.7).
                let basis = if in_dodge && !in_plain || party {
                    &dodge
                } else {
                    &plain
                };
                let then = basis
                    .iter()
                    .filter(|o| o.victim() == t.victim())
                    .map(|o| o.line.grade)
                    .max();
                old_best = old_best.max(then.map_or(t.line.grade, |g| g.min(t.line.grade)));
            } else {
                let relation_old = reaches(&self.case.p0.cells, self.back(t.captor()), t.victim());
                new.push((t.clone(), in_plain && relation_old));
            }
        }
        if !new.is_empty() {
            if self.fortress(&new.iter().map(|(t, _)| t.clone()).collect::<Vec<_>>()) {
                notes.push("fortress".into());
                return false;
            }
            finding.strong = new
                .iter()
                .any(|(t, dodge_only)| self.single_handed(t, *dodge_only))
                || !direct_only && self.gains_alone(bans, &[&plain, &dodge], old_best);
            return true;
        }
        // 2.7
        let depth = self.params().check_gain_depth;
        if depth == 0 || direct_only {
            return false;
        }
        let Some(gain) = self.check_gain(&star, &self.star, depth, Balance::ZERO, &mut Vec::new())
        else {
            return false;
        };
        notes.push(format!(
            "check gain {:?} grade {} {:?}",
            gain.balance, gain.grade, gain.moves
        ));
        if !self.is_new_gain(&gain, bans, &[&plain, &dodge], old_best, notes) {
            return false;
        }
        finding.strong = self.gains_alone(bans, &[&plain, &dodge], old_best);
        true
    }

    /// 3.3: does one piece of S have a new gain by checks all by itself?
    fn gains_alone(&self, bans: &[Ban], old: &[&[Threat]; 2], old_best: i32) -> bool {
        let depth = self.params().check_gain_depth;
        self.params().both_forbidden == BothForbidden::TieBreak
            && self.star.pieces(self.s).into_iter().any(|piece| {
                let view = View {
                    bans: bans.to_vec(),
                    alone: Some(piece),
                    ..View::plain()
                };
                let lines = self.lines(self.star, view);
                self.check_gain(&lines, &self.star, depth, Balance::ZERO, &mut Vec::new())
                    .is_some_and(|gain| {
                        self.is_new_gain(&gain, bans, old, old_best, &mut Vec::new())
                    })
            })
    }

    /// 2.7: is a gain by checks above all that could be won before?
    fn is_new_gain(
        &self,
        gain: &Line,
        bans: &[Ban],
        [plain, dodge]: &[&[Threat]; 2],
        old_best: i32,
        notes: &mut Vec<String>,
    ) -> bool {
        if gain.grade < GAIN || gain.grade >= WON_BY_MATE {
            return false;
        }
        let before = if self.evading {
            self.case.pm.with_turn(self.s)
        } else {
            self.case.p0
        };
        let party =
            self.params().before_basis == BeforeBasis::DodgeIfParty && self.gain_party(gain, bans);
        let known = self.earlier[usize::from(party)].borrow().clone();
        let earlier = known.unwrap_or_else(|| {
            // O in check already: there is no such question.
            if self.evading && self.case.pm.in_check() {
                return None;
            }
            let before_lines = if self.evading {
                self.lines(before, View::plain())
            } else {
                self.lines(before, self.before_view(party, bans))
            };
            self.check_gain(
                &before_lines,
                &before,
                self.params().check_gain_depth,
                Balance::ZERO,
                &mut Vec::new(),
            )
        });
        *self.earlier[usize::from(party)].borrow_mut() = Some(earlier.clone());
        let mut old = old_best;
        if let Some(e) = &earlier {
            notes.push(format!(
                "earlier check gain {:?} grade {} {:?}",
                e.balance, e.grade, e.moves
            ));
            old = old.max(e.grade);
        }
        for t in if party { *dodge } else { *plain } {
            if t.size == Size::Gain {
                old = old.max(t.line.grade);
            }
        }
        if gain.grade <= old {
            notes.push(format!("old: {old}"));
        }
        gain.grade > old
    }

    fn threats_before(&self, lines: &Lines) -> Vec<Threat> {
        self.threats(lines)
            .into_iter()
            .filter(|t| !self.is_king_or_pawn(&lines.origin, t.captor()))
            .collect()
    }

    /// 2.6b: a K/P threat counts when the moved piece (neither K nor P) bears on the victim itself and takes part.
    fn joint_with(&self, t: &Threat, bans: &[Ban]) -> bool {
        let m = self.case.m;
        if self.is_king_or_pawn(&self.star, m.to) || !reaches(&self.star.cells, m.to, t.victim()) {
            return false;
        }
        let lines = self.removed_lines(m.to, bans);
        let c = t.capture;
        !self.stands(&lines, c)
    }

    /// 2.7: could so much not be won, by checks or at once, without the moved piece?
    fn gain_party(&self, gain: &Line, bans: &[Ban]) -> bool {
        let lines = self.removed_lines(self.case.m.to, bans);
        let without = self.check_gain(
            &lines,
            &lines.origin,
            self.params().check_gain_depth,
            Balance::ZERO,
            &mut Vec::new(),
        );
        let as_much = |line: &Line| line.grade >= gain.grade;
        !without.as_ref().is_some_and(as_much)
            && !self
                .threats(&lines)
                .iter()
                .any(|t| as_much(&t.line) && !self.is_king_or_pawn(&lines.origin, t.captor()))
    }

    // ---------------------------------------------------------------- 2.6e fortress

    fn fortress(&self, new: &[Threat]) -> bool {
        if !self.params().fortress_exemption {
            return false;
        }
        let p = &self.star;
        if !new
            .iter()
            .all(|t| matches!(p.kind(t.victim()), Some(Kind::Advisor | Kind::Elephant)))
        {
            return false;
        }
        let attackers = |side: Side| -> Vec<Kind> {
            let mut kinds: Vec<Kind> = p
                .pieces(side)
                .into_iter()
                .map(|s| p.kind(s).unwrap())
                .filter(|k| !matches!(k, Kind::King | Kind::Advisor | Kind::Elephant))
                .collect();
            kinds.sort();
            kinds
        };
        let ours = attackers(self.s);
        let theirs = attackers(self.o);
        if ours.len() != 1 || ours[0] == Kind::Pawn {
            return false;
        }
        if self.case.theoretical_draw {
            return true;
        }
        let advisors = p
            .pieces(self.s)
            .into_iter()
            .filter(|s| p.kind(*s) == Some(Kind::Advisor))
            .count();
        let m = self.case.m;
        let bottom = if self.s == Side::Red { 0 } else { 9 };
        // (1) cannon and two advisors against a lone rook
        if ours[0] == Kind::Cannon && advisors == 2 && theirs == [Kind::Rook] {
            let f = super::board::file(m.to);
            return self.star.kind(m.to) == Some(Kind::Cannon)
                && super::board::rank(m.to) == bottom
                && (3..=5).contains(&f);
        }
        // (2) rook and two advisors against rook and horse: the middle file behind the horse
        if ours[0] == Kind::Rook
            && advisors == 2
            && theirs == [Kind::Horse, Kind::Rook]
            && self.star.kind(m.to) == Some(Kind::Rook)
            && super::board::file(m.to) == 4
        {
            let up: Vec<Square> = (0..10).map(|r| r * 9 + 4).collect();
            let here = up.iter().position(|s| *s == m.to).unwrap();
            let first_up = up[here + 1..].iter().find(|s| p.cells[**s].is_some());
            let first_down = up[..here].iter().rev().find(|s| p.cells[**s].is_some());
            let horse =
                |s: Option<&Square>| s.is_some_and(|s| p.cells[*s] == Some((self.o, Kind::Horse)));
            return horse(first_up) || horse(first_down);
        }
        false
    }

    // ---------------------------------------------------------------- 3.3 strong and weak

    pub fn single_handed(&self, t: &Threat, dodge_only: bool) -> bool {
        let p = &self.star;
        let (c, v) = (t.capture, t.victim());
        let victim = p.kind(v).unwrap();
        let captor = p.kind(c.from).unwrap();
        // 1. new only because of the dodge basis: joint, unless the dodger holds the victim (不能离线)
        if dodge_only {
            let held = captor == victim
                && reaches(&p.cells, v, c.from)
                && self
                    .memory
                    .base(self.params(), p)
                    .cap(
                        self.o,
                        Move {
                            from: v,
                            to: c.from,
                        },
                    )
                    .is_none_or(|cap| cap < 0);
            if !held {
                return false;
            }
        }
        // 2. the line wins a rook at a later capture
        if t.line.dearest >= 20 && t.line.balance.pieces > 0 {
            return true;
        }
        // 3. 26.9.2
        if victim == Kind::Rook && captor != Kind::Rook {
            return true;
        }
        // 4. 26.9.3 the line needs a second capture on the victim's square
        let own_captures_on_v = {
            let mut q = *p;
            let mut count = 0;
            for m in &t.line.moves {
                if q.side(m.from) == Some(self.s) && m.to == v {
                    count += 1;
                }
                q = q.after(*m);
            }
            count
        };
        if own_captures_on_v >= 2 {
            return false;
        }
        // 5. retakes on the victim's square after the capture
        let next = p.after(c);
        for x in next.pieces(self.o) {
            if !reaches(&next.cells, x, v) {
                continue;
            }
            let retake = Move { from: x, to: v };
            if next.is_safe(retake) {
                if victim != Kind::Rook {
                    return false;
                }
                continue;
            }
            for helper in next.pieces(self.s) {
                if helper == v || next.kind(helper) == Some(Kind::King) {
                    continue;
                }
                if next.without(helper).is_safe(retake)
                    && reaches(&next.without(helper).cells, x, v)
                {
                    return false;
                }
            }
        }
        true
    }

    // ---------------------------------------------------------------- 3.1 pawn upgrade

    /// 27.2: a new attack of the moved pawn itself, a gain by 2.4.
    pub fn pawn_attacks(&self) -> Option<Threat> {
        let m = self.case.m;
        if self.star.kind(m.to) != Some(Kind::Pawn) {
            return None;
        }
        let bans = self.exchange_pairs(&self.p1, Variant::Chase);
        let lines = self.lines(
            self.star,
            View {
                bans,
                ..View::plain()
            },
        );
        self.threats(&lines)
            .into_iter()
            .find(|t| t.captor() == m.to && !reaches(&self.case.p0.cells, m.from, t.victim()))
    }

    // ---------------------------------------------------------------- 2.8 idle kinds

    fn idle_kinds(&self, finding: &mut Finding) {
        let mut kinds = Vec::new();
        if self.makes_exchange() {
            kinds.push(Nature::Exchange);
        }
        if self.makes_offer() {
            kinds.push(Nature::Offer);
        }
        if self.makes_block() {
            kinds.push(Nature::Block);
        }
        if self.makes_follow() {
            kinds.push(Nature::Follow);
        }
        if let Some(first) = kinds.first() {
            finding.nature = Some(*first);
            finding.also = kinds[1..].to_vec();
        }
    }

    fn makes_exchange(&self) -> bool {
        for pair in self.exchange_pairs(&self.p1, Variant::Chase) {
            let (a, b) = (pair.from, pair.to);
            // S can retake, else it is an offer.
            let next = self.p1.after(Move { from: b, to: a });
            if next.legal_captures_on(a).is_empty() {
                continue;
            }
            let before = self.case.p0;
            let (a0, b0) = (self.back(a), b);
            let there = reaches(&before.cells, a0, b0) && reaches(&before.cells, b0, a0);
            let ours = Move { from: a0, to: b0 };
            let theirs = Move { from: b0, to: a0 };
            if !there
                || !before.is_safe(ours) && self.star.is_safe(Move { from: a, to: b })
                || !before.with_turn(self.o).is_safe(theirs)
            {
                return true;
            }
            let ours_before = see(&before, ours).scalar();
            let ours_now = see(&self.star, Move { from: a, to: b }).scalar();
            let theirs_before = see(&before.with_turn(self.o), theirs).scalar();
            let theirs_now = see(&self.p1, Move { from: b, to: a }).scalar();
            if ours_now > ours_before || theirs_now < theirs_before {
                return true;
            }
        }
        false
    }

    fn makes_offer(&self) -> bool {
        let m = self.case.m;
        if !matches!(
            self.star.kind(m.to),
            Some(Kind::Rook | Kind::Horse | Kind::Cannon)
        ) {
            return false;
        }
        let profitable = |p: &Position, at: Square| -> Vec<Square> {
            p.legal_captures_on(at)
                .into_iter()
                .filter(|x| {
                    let same = p.kind(x.from) == p.kind(at);
                    let unrooted = p.after(*x).legal_captures_on(at).is_empty();
                    see(p, *x).scalar() > 0
                        && (!self.params().offer_same_kind_unrooted || (same && unrooted))
                        && !self.memory.mates_within(&p.after(*x), 2)
                })
                .map(|x| x.from)
                .collect()
        };
        let now = profitable(&self.p1, m.to);
        let then = profitable(&self.case.p0.with_turn(self.o), m.from);
        !now.is_empty() && then.is_empty()
    }

    fn makes_block(&self) -> bool {
        let m = self.case.m;
        let (p0, p1) = (&self.case.p0, &self.p1);
        // Any line, leg, eye or screen of an O piece that the moved piece shortens.
        let fallback = p0.with_turn(self.o);
        let threatened = fallback.legal_moves().into_iter().any(|x| {
            let q = fallback.after(x);
            q.in_check() && between(&q.cells, x.from, x.to).is_some() && on_way(x.from, x.to, m.to)
        });
        if threatened {
            return true;
        }
        p0.pieces(self.o).into_iter().any(|x| {
            p0.pieces(self.s).into_iter().any(|v| {
                v != m.from
                    && v != m.to
                    && reaches(&p0.cells, x, v)
                    && p1.side(x) == Some(self.o)
                    && !reaches(&p1.cells, x, v)
            })
        })
    }

    fn makes_follow(&self) -> bool {
        let m = self.case.m;
        if !matches!(
            self.star.kind(m.to),
            Some(Kind::Rook | Kind::Horse | Kind::Cannon)
        ) {
            return false;
        }
        self.star.pieces(self.o).into_iter().any(|v| {
            matches!(
                self.star.kind(v),
                Some(Kind::Rook | Kind::Horse | Kind::Cannon)
            ) && reaches(&self.star.cells, m.to, v)
                && !reaches(&self.case.p0.cells, m.from, v)
                && {
                    let take = Move { from: m.to, to: v };
                    !self.star.after(take).legal_captures_on(v).is_empty()
                }
        })
    }
}

/// Does `s` lie strictly between two squares of one line?
fn on_way(a: Square, b: Square, s: Square) -> bool {
    use super::board::{file, rank};
    let inside = |x: i32, lo: i32, hi: i32| x > lo.min(hi) && x < lo.max(hi);
    (file(a) == file(b) && file(s) == file(a) && inside(rank(s), rank(a), rank(b)))
        || (rank(a) == rank(b) && rank(s) == rank(a) && inside(file(s), file(a), file(b)))
}
