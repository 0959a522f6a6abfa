//! What a capture brings, worked out by playing the captures and checks that follow from it.
//!
//! A *line* begins with a capture of S, the side whose threat is looked at; O is the other. Each side may
//! stop, take back on the square of the last capture, take what has become worth taking *by the line* (a
//! ward left alone, a piece uncovered, a pin undone), or do either through consecutive checks. What could
//! be taken as well without the line is no part of it: who threatens in turn does not answer a threat.

use super::board::{Kind, Move, Position, Side, Square, crossed};
use super::book::{Book, EVEN, GAIN, MATE, OUTLIVED};
use super::forced::{Answer, force};
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub grade: i32,
    pub moves: Vec<Move>,
}

/// An exchange is on offer, and `ours` does not count on taking `theirs` (24.4, 28.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    pub ours: Square,
    pub theirs: Square,
    pub kind: Kind,
}

fn barred(pairs: &[Pair], pos: &Position, m: Move) -> bool {
    pairs
        .iter()
        .any(|p| p.ours == m.from && p.theirs == m.to && pos.kind(m.from) == Some(p.kind))
}

/// The position a line starts from, and what is left out of it.
#[derive(Clone)]
pub struct Frame {
    /// S is to move here.
    pub start: Position,
    pub s: Side,
    pub pairs: Vec<Pair>,
    /// O may not take what stands here (1999: the piece about to move).
    pub spared: Option<Square>,
    /// O may take what stands here, whatever the line has to do with it.
    pub prey: Option<Square>,
    /// What hung here before the line is not taken in answer to a check: no fruit of the line (reference figure 37).
    pub hanging: Option<Square>,
    /// What falls here is not counted: the captor was its root (1999).
    pub wards: Vec<Square>,
    /// A pawn that fell after it had moved in the line was given, too (25.3 of 1999).
    pub strict: bool,
    /// S is not mated in this frame: it is asked who takes part in an attack, not who guards the king.
    pub unmated: bool,
    /// O gives no checks in this frame: S stands in check, and that is left out of account.
    pub unchecked: bool,
    /// Grades below this need not be told apart.
    pub floor: i32,
    /// Under what lines in this frame are remembered.
    pub id: u64,
}

impl Frame {
    pub fn new(start: Position) -> Frame {
        Frame {
            s: start.turn,
            start,
            pairs: Vec::new(),
            spared: None,
            prey: None,
            hanging: None,
            wards: Vec::new(),
            strict: false,
            unmated: false,
            unchecked: false,
            floor: OUTLIVED,
            id: 0,
        }
    }

    fn banned(&self, pos: &Position, m: Move) -> bool {
        if pos.turn == self.s {
            barred(&self.pairs, pos, m)
        } else {
            let hung = self.hanging == Some(m.to) && self.prey.is_none() && pos.in_check();
            (self.spared == Some(m.to) || hung) && self.stands(pos, m.to)
        }
    }

    /// Does the same stand there as at the start?
    fn stands(&self, pos: &Position, s: Square) -> bool {
        pos.get(s) == self.start.get(s)
    }

    /// Where the piece on `s` stood at the start: there, or where one of its kind has left.
    fn origin(&self, pos: &Position, s: Square) -> Square {
        if self.stands(pos, s) {
            return s;
        }
        let left = |o: &Square| self.start.get(*o) == pos.get(s) && !self.stands(pos, *o);
        (0..90).find(left).unwrap_or(s)
    }
}

/// How far a line has got.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct At {
    /// Where the first captor came from, and where it captured; where the last capture was made.
    from: Square,
    first: Square,
    last: Square,
    /// Where the first captor stands, if it still does.
    captor: Option<Square>,
    /// A pawn of S was given for what it has won.
    given: bool,
    /// The last move of O was an answer to check that took nothing.
    answered: bool,
    /// May sides go on by checks from here?
    checks: bool,
    depth: usize,
}

/// How many positions may be looked at for one question about checks.
const MOST_FOR_KILLS: usize = 5_000;
const MOST_AT_ONCE: usize = 2_000;
/// What takes longer to find is no answer to what is taken at once.
const MOST_TO_REGAIN: usize = 200;
/// No square.
const NOWHERE: Square = usize::MAX;
/// Captures and replies deep into one line.
const DEEPEST: usize = 12;

impl At {
    fn start(from: Square, to: Square) -> At {
        At {
            from,
            first: to,
            last: to,
            captor: Some(to),
            given: false,
            answered: false,
            checks: true,
            depth: 1,
        }
    }

    /// After the move `m` in `pos`.
    fn then(self, f: &Frame, pos: &Position, m: Move) -> At {
        let taken = pos.get(m.to);
        let theirs = pos.turn != f.s;
        let pawn =
            taken.is_some_and(|(side, kind)| kind == Kind::Pawn && material(side, kind, m.to));
        At {
            last: if taken.is_some() { m.to } else { self.last },
            captor: match self.captor {
                Some(at) if at == m.from => Some(m.to),
                Some(at) if at == m.to => None,
                other => other,
            },
            given: self.given
                || (theirs && pawn && (m.to == self.first || (f.strict && !f.stands(pos, m.to)))),
            answered: theirs && taken.is_none(),
            depth: self.depth + 1,
            ..self
        }
    }
}

/// 25.3: kings and pawns at home are no material.
pub fn material(side: Side, kind: Kind, s: Square) -> bool {
    match kind {
        Kind::King | Kind::Stone => false,
        Kind::Pawn => crossed(side, s),
        _ => true,
    }
}

/// Does the move give check by another piece than the one that moves?
fn uncovers(pos: &Position, m: Move) -> bool {
    let next = pos.after(m);
    next.in_check() && next.with(m.to, Some((pos.turn, Kind::Stone))).in_check()
}

/// What may be won by consecutive checks.
#[derive(Clone, Debug)]
pub struct CheckGain {
    /// Where the pieces that may be won stand before the checks.
    pub victims: Vec<Square>,
    /// The least that is won.
    pub grade: i32,
    pub line: Vec<Move>,
}

pub struct Lines<'b> {
    pub book: &'b Book,
    /// Positions looked at, and how many may be for one move.
    pub work: usize,
    pub limit: usize,
    /// Something was left open.
    pub open: bool,
    mates: HashMap<Position, bool>,
    worths: HashMap<(Position, Move), i32>,
    settled: HashMap<(u64, Position, At), Line>,
    anyway: HashMap<(u64, Side, Square), bool>,
    frames: u64,
}

impl<'b> Lines<'b> {
    pub fn new(book: &'b Book) -> Lines<'b> {
        Lines {
            book,
            work: 0,
            limit: 0,
            open: false,
            mates: HashMap::new(),
            worths: HashMap::new(),
            settled: HashMap::new(),
            anyway: HashMap::new(),
            frames: 0,
        }
    }

    /// Allows one move's worth of work.
    pub fn allow(&mut self, work: usize) {
        self.limit = self.work + work;
        self.open = false;
        self.mates.clear();
        self.worths.clear();
        self.settled.clear();
        self.anyway.clear();
    }

    fn spent(&mut self) -> bool {
        let spent = self.work > self.limit;
        self.open |= spent;
        spent
    }

    /// What `who` has won between two positions: strong pieces in horses, weak ones, crossed pawns.
    pub fn purse(&self, before: &Position, now: &Position, who: Side) -> (i32, i32, i32) {
        let (mut strong, mut weak, mut pawns) = (0, 0, 0);
        // Of each side: pawns, and crossed ones, that have gone. A pawn that crosses is not lost.
        let mut gone = [[0i32; 2]; 2];
        let mut s = 0;
        while s < 90 {
            // What has stayed counts for nothing.
            let changed: &[_] = if before.get(s) == now.get(s) {
                &[]
            } else {
                &[(before, 1), (now, -1)]
            };
            for &(position, sign) in changed {
                if let Some((side, kind)) = position.get(s) {
                    let mine = if side == who { -sign } else { sign };
                    match kind {
                        Kind::Rook => strong += 2 * mine,
                        Kind::Horse | Kind::Cannon => strong += mine,
                        Kind::Advisor | Kind::Elephant => weak += mine,
                        Kind::Pawn => {
                            gone[side as usize][0] += sign;
                            gone[side as usize][1] += if crossed(side, s) { sign } else { 0 };
                        }
                        Kind::King | Kind::Stone => {}
                    }
                }
            }
            s += 1;
        }
        for side in [Side::Red, Side::Black] {
            let [all, crossed] = gone[side as usize];
            let lost = crossed.clamp(0, all.max(0));
            pawns += if side == who { -lost } else { lost };
        }
        (strong, weak, pawns)
    }

    fn grade(&self, before: &Position, now: &Position, who: Side, given: bool) -> i32 {
        let (strong, weak, pawns) = self.purse(before, now, who);
        self.book.grade(strong, weak, pawns, given)
    }

    fn force(
        &mut self,
        start: &Position,
        banned: &dyn Fn(&Position, Move) -> bool,
        wanted: &mut dyn FnMut(&mut Self, &Position) -> bool,
        most: usize,
    ) -> Option<Vec<Move>> {
        if self.spent() {
            return None;
        }
        let (answer, nodes) = force(start, banned, &mut |p| wanted(self, p), most);
        self.work += nodes;
        match answer {
            Answer::Yes(line) => Some(line),
            Answer::No => None,
            Answer::Open => {
                self.open = true;
                None
            }
        }
    }

    /// Can the side to move mate by consecutive checks, however many, without the captures barred?
    pub fn kills(&mut self, pos: &Position, pairs: &[Pair]) -> Option<Vec<Move>> {
        let banned = |p: &Position, m: Move| p.turn == pos.turn && barred(pairs, p, m);
        self.force(pos, &banned, &mut |_, _| false, MOST_FOR_KILLS)
    }

    /// Can the side to move mate at once, that is by a few consecutive checks?
    pub fn mates(&mut self, pos: &Position, pairs: &[Pair]) -> bool {
        if let Some(known) = self.mates.get(pos)
            && (!known || pairs.is_empty())
        {
            return *known;
        }
        let banned = |p: &Position, m: Move| p.turn == pos.turn && barred(pairs, p, m);
        let found = self
            .force(pos, &banned, &mut |_, _| false, MOST_AT_ONCE)
            .is_some();
        if pairs.is_empty() {
            self.mates.insert(*pos, found);
        }
        found
    }

    /// Exchanges on one square: what comes of them for `who`, whose captures since `start` they are.
    pub fn swap(&mut self, start: &Position, pos: &Position, on: Square, who: Side) -> i32 {
        self.work += 1;
        let mut best = self.grade(start, pos, who, true);
        for k in pos.legal_captures_on(on) {
            let grade = self.swap(start, &pos.after(k), on, who);
            best = if pos.turn == who {
                best.max(grade)
            } else {
                best.min(grade)
            };
        }
        best
    }

    /// What a capture is worth by itself: exchanges on its square, with roots that work through checks.
    pub fn worth(&mut self, pos: &Position, m: Move) -> i32 {
        if let Some(known) = self.worths.get(&(*pos, m)) {
            return *known;
        }
        let who = pos.turn;
        let next = pos.after(m);
        let mut grade = self.swap(pos, &next, m.to, who);
        if grade > EVEN && !next.in_check() {
            // What the other side could have anyway is not the fruit of its checks.
            let theirs = pos.with_turn(next.turn);
            let mut anyway = theirs.legal_captures();
            anyway.retain(|k| {
                k.to != m.to && self.swap(&theirs, &theirs.after(*k), k.to, next.turn) > EVEN
            });
            let banned = |p: &Position, k: Move| p.turn == next.turn && anyway.contains(&k);
            let mut back = |me: &mut Self, node: &Position| {
                node.legal_captures_on(m.to).into_iter().any(|k| {
                    let after = node.after(k);
                    me.swap(pos, &after, m.to, who) <= EVEN && !me.mates(&after, &[])
                })
            };
            if self
                .force(&next, &banned, &mut back, MOST_AT_ONCE)
                .is_some()
            {
                grade = EVEN - 1;
            }
        }
        self.worths.insert((*pos, m), grade);
        grade
    }

    /// May this capture be part of a line?
    fn related(&mut self, f: &Frame, pos: &Position, m: Move, at: At) -> bool {
        if f.banned(pos, m) {
            return false;
        }
        if m.to == at.last {
            return true;
        }
        if pos.turn == f.s {
            let own = matches!(pos.kind(m.from), Some(Kind::King | Kind::Pawn));
            if own && at.first != NOWHERE && m.to != at.first {
                return false;
            }
        } else if f.stands(pos, m.to) {
            if f.wards.contains(&m.to) {
                return false;
            }
            if f.prey == Some(m.to) {
                return true;
            }
        }
        let start = f.start.with_turn(pos.turn);
        let stood = f.stands(pos, m.from)
            && f.stands(pos, m.to)
            && start.legal_captures_on(m.to).contains(&m);
        let then = if stood {
            self.worth(&start, m).max(EVEN)
        } else {
            EVEN
        };
        self.swap(pos, &pos.after(m), m.to, pos.turn) > then
    }

    /// Could the side win what stands on `s` at the start by checks without this line?
    fn anyway(&mut self, f: &Frame, side: Side, s: Square, at: At) -> bool {
        if let Some(known) = self.anyway.get(&(f.id, side, s)) {
            return *known;
        }
        let start = Frame::new(f.start.with_turn(side));
        let found = self
            .by_checks(&start, &|v| v == s, &[at.from, at.first], false, GAIN)
            .is_some();
        self.anyway.insert((f.id, side, s), found);
        found
    }

    /// The first capture `c` in the frame, and how it goes on.
    pub fn capture(&mut self, f: &Frame, c: Move) -> Line {
        let f = self.with_wards(f, c.from);
        let mut line = self.settle(&f, &f.start.after(c), At::start(c.from, c.to));
        line.moves.insert(0, c);
        line
    }

    /// The frame for what this piece takes: what it was the root of is not counted (细则 4 with the course of 2004).
    fn with_wards(&mut self, f: &Frame, captor: Square) -> Frame {
        let mut f = f.clone();
        self.frames += 1;
        f.id = self.frames;
        f.strict = !self.book.pawn_for_rook;
        if self.book.roots_may_lose {
            f.wards = self.wards(&f.start, captor);
        }
        f
    }

    /// Own pieces that would fall if the piece on `root` had no power, and do not as it is.
    fn wards(&mut self, start: &Position, root: Square) -> Vec<Square> {
        let theirs = start.with_turn(start.turn.other());
        let without = theirs.with(root, Some((start.turn, Kind::Stone)));
        let mut wards = Vec::new();
        for m in without.legal_captures() {
            let (side, kind) = without.get(m.to).unwrap();
            if material(side, kind, m.to)
                && self.worth(&without, m) > EVEN
                && !theirs
                    .legal_captures_on(m.to)
                    .into_iter()
                    .any(|m| self.worth(&theirs, m) > EVEN)
            {
                wards.push(m.to);
            }
        }
        wards
    }

    /// May a threat be that this piece takes? Kings and pawns may attack for ever (26.1, 27.1, 27.2), but for
    /// a pawn whose capture uncovers another piece's check (26.8), or that takes by others' checks (the
    /// course of 2004).
    pub fn counts(&self, pos: &Position, m: Move, by_checks: bool) -> bool {
        match pos.kind(m.from) {
            Some(Kind::King) => false,
            Some(Kind::Pawn) => {
                (by_checks && self.book.pawns_with_help)
                    || (self.book.pawns_uncovering && uncovers(pos, m))
            }
            _ => true,
        }
    }

    /// What S, to move in the frame, wins by consecutive checks, of the victims it may be; what is `old` it
    /// does not take with check on the way.
    pub fn by_checks(
        &mut self,
        f: &Frame,
        victim: &dyn Fn(Square) -> bool,
        old: &[Square],
        deep: bool,
        least: i32,
    ) -> Option<CheckGain> {
        let mut f = f.clone();
        self.frames += 1;
        f.id = self.frames;
        let f = &f;
        let (mut victims, mut last, mut grade) = (Vec::new(), None, MATE);
        let banned = |p: &Position, m: Move| {
            f.banned(p, m)
                || (p.turn == f.s && !p.is_empty(m.to) && old.contains(&f.origin(p, m.to)))
        };
        // By who captures: what it was the root of may fall.
        let mut frames: HashMap<Square, Frame> = HashMap::new();
        let mut wins = |me: &mut Self, node: &Position| {
            let given = me.purse(&f.start, node, f.s).2 < 0;
            for k in node.legal_captures() {
                let (side, kind) = node.get(k.to).unwrap();
                let from = f.origin(node, k.to);
                let nowhere = At {
                    given,
                    checks: deep,
                    captor: None,
                    ..At::start(NOWHERE, NOWHERE)
                };
                if !material(side, kind, k.to)
                    || !me.counts(node, k, true)
                    || !victim(from)
                    || !me.related(f, node, k, nowhere)
                {
                    continue;
                }
                let at = At {
                    first: k.to,
                    last: k.to,
                    ..nowhere
                };
                let captor = f.origin(node, k.from);
                let own = frames
                    .entry(captor)
                    .or_insert_with(|| me.with_wards(f, captor));
                let won = me.settle(own, &node.after(k), at).grade;
                if won >= least {
                    grade = grade.min(won);
                    victims.push(from);
                    last = Some(k);
                    return true;
                }
            }
            false
        };
        let line = self.force(&f.start, &banned, &mut wins, MOST_AT_ONCE)?;
        victims.sort_unstable();
        victims.dedup();
        (!victims.is_empty()).then(|| CheckGain {
            victims,
            grade,
            line: line.into_iter().chain(last).collect(),
        })
    }

    /// What comes of a line, the side to move choosing. Told apart are gains, even trades the captor
    /// outlives, and grades below the frame's floor.
    fn settle(&mut self, f: &Frame, pos: &Position, at: At) -> Line {
        let key = (f.id, *pos, At { depth: 0, ..at });
        if let Some(known) = self.settled.get(&key) {
            return known.clone();
        }
        let line = self.play(f, pos, at);
        self.settled.insert(key, line.clone());
        line
    }

    fn play(&mut self, f: &Frame, pos: &Position, at: At) -> Line {
        self.work += 1;
        let mine = pos.turn == f.s;
        let in_check = pos.in_check();
        let mut best = Line {
            grade: self.grade(&f.start, pos, f.s, at.given),
            moves: Vec::new(),
        };
        if best.grade == EVEN && at.captor.is_some() {
            best.grade = OUTLIVED;
        }
        if in_check && pos.legal_moves().is_empty() {
            best.grade = if mine { -MATE } else { MATE };
            return best;
        }
        if at.depth >= DEEPEST || self.spent() {
            return best;
        }
        if let Some(prey) = f.prey
            && mine
            && at.answered
            && !in_check
            && f.stands(pos, prey)
        {
            best = self.save(f, pos, at);
        }
        let better = |best: &mut Line, line: Line, m: Move| {
            if (mine && line.grade > best.grade) || (!mine && line.grade < best.grade) {
                best.grade = line.grade;
                best.moves = std::iter::once(m).chain(line.moves).collect();
            }
        };
        if !mine && in_check {
            // O has to answer; S may then go on.
            best.grade = MATE;
            let moves = pos.legal_moves();
            let none = moves.iter().all(|m| f.banned(pos, *m));
            for m in moves {
                if (none || !f.banned(pos, m)) && best.grade >= f.floor {
                    let line = self.settle(f, &pos.after(m), at.then(f, pos, m));
                    better(&mut best, line, m);
                }
            }
            return best;
        }
        if mine && in_check && at.answered {
            // O's answer to a check gives check, and S has to answer in turn.
            best.grade = -MATE;
            for m in pos.legal_moves() {
                if !f.banned(pos, m) {
                    let line = self.settle(
                        f,
                        &pos.after(m),
                        At {
                            checks: false,
                            ..at.then(f, pos, m)
                        },
                    );
                    better(&mut best, line, m);
                }
            }
            return best;
        }
        let captures = pos.legal_captures();
        for m in &captures {
            if (mine || best.grade >= f.floor) && self.related(f, pos, *m, at) {
                let line = self.settle(f, &pos.after(*m), at.then(f, pos, *m));
                better(&mut best, line, *m);
            }
        }
        let enough = if mine {
            best.grade >= GAIN
        } else {
            best.grade < f.floor
        };
        if !at.checks || in_check || enough || (f.unchecked && !mine) {
            return best;
        }
        let pairs: &[Pair] = if mine { &f.pairs } else { &[] };
        if (mine || !f.unmated) && self.mates(pos, pairs) {
            return Line {
                grade: if mine { MATE } else { -MATE },
                moves: Vec::new(),
            };
        }
        self.through_checks(f, pos, at, &captures).unwrap_or(best)
    }

    /// O has answered a check and is still after the prey: S must see to that before it can stop.
    fn save(&mut self, f: &Frame, pos: &Position, at: At) -> Line {
        let mut best = Line {
            grade: -MATE,
            moves: Vec::new(),
        };
        for m in pos.legal_moves() {
            let next = pos.after(m);
            if pos.is_empty(m.to) && !next.in_check() {
                let line = self.settle(
                    f,
                    &next,
                    At {
                        checks: false,
                        ..at.then(f, pos, m)
                    },
                );
                if line.grade > best.grade {
                    best = line;
                    best.moves.insert(0, m);
                }
            }
        }
        best
    }

    /// Can S, after O has taken back by checks, do the same?
    fn regains(&mut self, f: &Frame, pos: &Position, at: At) -> bool {
        let banned = |p: &Position, m: Move| f.banned(p, m);
        let wins = |me: &mut Self, node: &Position| {
            node.legal_captures_on(at.last).into_iter().any(|k| {
                !f.banned(node, k) && me.swap(&f.start, &node.after(k), at.last, f.s) >= f.floor
            })
        };
        let (answer, nodes) = force(pos, &banned, &mut |p| wins(self, p), MOST_TO_REGAIN);
        self.work += nodes;
        matches!(answer, Answer::Yes(_))
    }

    /// Going on by checks to a capture that belongs to the line: O wins back, or S wins on. Who does must not
    /// be mated for it (reference figure 20).
    fn through_checks(
        &mut self,
        f: &Frame,
        pos: &Position,
        at: At,
        captures: &[Move],
    ) -> Option<Line> {
        let mine = pos.turn == f.s;
        let mut free = Vec::new();
        for m in captures {
            if self.worth(pos, *m) > EVEN && !self.related(f, pos, *m, at) {
                free.push(*m);
            }
        }
        let banned =
            |p: &Position, m: Move| f.banned(p, m) || (p.turn == pos.turn && free.contains(&m));
        let mut found = None;
        let mut wins = |me: &mut Self, node: &Position| {
            node.legal_captures().into_iter().any(|k| {
                let from = f.origin(node, k.to);
                // The captor belongs to the line wherever it has gone.
                let captor = !mine && from == at.from;
                if !captor && !me.related(f, node, k, at) {
                    return false;
                }
                if k.to != at.last
                    && !captor
                    && f.start.side(from) == node.side(k.to)
                    && me.anyway(f, pos.turn, from, at)
                {
                    return false;
                }
                let next = node.after(k);
                let then = me.settle(
                    f,
                    &next,
                    At {
                        checks: false,
                        ..at.then(f, node, k)
                    },
                );
                let good = if mine {
                    then.grade >= GAIN
                } else {
                    then.grade < f.floor
                };
                if good
                    && !me.mates(&next, &[])
                    && (mine || !me.regains(f, &next, at.then(f, node, k)))
                {
                    found = Some(Line {
                        grade: then.grade,
                        moves: vec![k],
                    });
                    return true;
                }
                false
            })
        };
        let checks = self.force(pos, &banned, &mut wins, MOST_AT_ONCE)?;
        found.map(|line| Line {
            grade: line.grade,
            moves: checks.into_iter().chain(line.moves).collect(),
        })
    }
}
