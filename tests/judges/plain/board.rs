//! The board: a plain mailbox of 90 cells, copied for every move.
//!
//! Squares are `rank * 9 + file`, `a0` = 0, `i9` = 89, as seen from Red.

use std::fmt;
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Side {
    Red,
    Black,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }

    pub fn id(self) -> &'static str {
        match self {
            Side::Red => "red",
            Side::Black => "black",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    King,
    Advisor,
    Elephant,
    Horse,
    Rook,
    Cannon,
    Pawn,
    /// Stands there and has no power: what is put in a piece's place to see what the piece does.
    Stone,
}

const KINDS: [Kind; 8] = [
    Kind::King,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Rook,
    Kind::Cannon,
    Kind::Pawn,
    Kind::Stone,
];

pub type Square = usize;

pub fn file(s: Square) -> i32 {
    (s % 9) as i32
}

pub fn rank(s: Square) -> i32 {
    (s / 9) as i32
}

pub fn square(file: i32, rank: i32) -> Option<Square> {
    // Compared by hand: asked more often than anything else, and a call where tests are built quickly.
    (file >= 0 && file < 9 && rank >= 0 && rank < 10).then(|| (rank * 9 + file) as usize)
}

pub fn square_name(s: Square) -> String {
    format!("{}{}", (b'a' + file(s) as u8) as char, rank(s))
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub from: Square,
    pub to: Square,
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", square_name(self.from), square_name(self.to))
    }
}

impl Move {
    /// Reads ICCS, `h2e2`.
    pub fn parse(text: &str) -> Result<Move, String> {
        let wrong = || format!("`{text}` is no move");
        let at = |f: u8, r: u8| {
            square(
                i32::from(f) - i32::from(b'a'),
                i32::from(r) - i32::from(b'0'),
            )
            .ok_or_else(wrong)
        };
        match *text.as_bytes() {
            [a, b, c, d] => Ok(Move {
                from: at(a, b)?,
                to: at(c, d)?,
            }),
            _ => Err(wrong()),
        }
    }
}

/// Has a pawn of `side` standing on `s` crossed the river?
pub fn crossed(side: Side, s: Square) -> bool {
    match side {
        Side::Red => rank(s) >= 5,
        Side::Black => rank(s) <= 4,
    }
}

fn in_palace(side: Side, s: Square) -> bool {
    let home = match side {
        Side::Red => rank(s) <= 2,
        Side::Black => rank(s) >= 7,
    };
    home && (3..=5).contains(&file(s))
}

fn forward(side: Side) -> i32 {
    match side {
        Side::Red => 1,
        Side::Black => -1,
    }
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// What stands on the board: a byte a square, 0 for nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cells([u8; 90]);

fn code(side: Side, kind: Kind) -> u8 {
    1 + kind as u8 + 8 * side as u8
}

impl Cells {
    pub fn get(&self, s: Square) -> Option<(Side, Kind)> {
        match self.0[s] {
            0 => None,
            n if n <= 8 => Some((Side::Red, KINDS[n as usize - 1])),
            n => Some((Side::Black, KINDS[n as usize - 9])),
        }
    }

    pub fn set(&mut self, s: Square, piece: Option<(Side, Kind)>) {
        self.0[s] = piece.map_or(0, |(side, kind)| code(side, kind));
    }

    pub fn is_empty(&self, s: Square) -> bool {
        self.0[s] == 0
    }

    fn code(&self, s: Square) -> u8 {
        self.0[s]
    }

    /// The pieces strictly between two squares of one line; `None` when they share no line.
    pub fn between(&self, a: Square, b: Square) -> Option<Vec<Square>> {
        if a == b || (file(a) != file(b) && rank(a) != rank(b)) {
            return None;
        }
        let step = (file(b) - file(a)).signum() + 9 * (rank(b) - rank(a)).signum();
        let (mut found, mut s) = (Vec::new(), a as i32 + step);
        while s != b as i32 {
            if !self.is_empty(s as usize) {
                found.push(s as usize);
            }
            s += step;
        }
        Some(found)
    }

    fn count_between(&self, a: Square, b: Square) -> Option<u32> {
        if a == b || (file(a) != file(b) && rank(a) != rank(b)) {
            return None;
        }
        let step = (file(b) - file(a)).signum() + 9 * (rank(b) - rank(a)).signum();
        let (mut count, mut s) = (0, a as i32 + step);
        while s != b as i32 {
            count += u32::from(!self.is_empty(s as usize));
            s += step;
        }
        Some(count)
    }

    /// Could the piece on `from` go to `to` by its way of moving (a cannon: capture when `to` is occupied)?
    /// The colour of what stands on `to` is not looked at: the same question serves for guarding.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        let Some((side, kind)) = self.get(from) else {
            return false;
        };
        let (df, dr) = (file(to) - file(from), rank(to) - rank(from));
        let empty = |f: i32, r: i32| square(f, r).is_some_and(|s| self.is_empty(s));
        match kind {
            Kind::King => df.abs() + dr.abs() == 1 && in_palace(side, to),
            Kind::Advisor => df.abs() == 1 && dr.abs() == 1 && in_palace(side, to),
            Kind::Elephant => {
                df.abs() == 2
                    && dr.abs() == 2
                    && !crossed(side, to)
                    && empty(file(from) + df / 2, rank(from) + dr / 2)
            }
            Kind::Horse => match (df.abs(), dr.abs()) {
                (1, 2) => empty(file(from), rank(from) + dr / 2),
                (2, 1) => empty(file(from) + df / 2, rank(from)),
                _ => false,
            },
            Kind::Rook => self.count_between(from, to) == Some(0),
            Kind::Cannon => self.count_between(from, to) == Some(u32::from(!self.is_empty(to))),
            Kind::Pawn => {
                (df == 0 && dr == forward(side))
                    || (dr == 0 && df.abs() == 1 && crossed(side, from))
            }
            Kind::Stone => false,
        }
    }

    /// The pieces of `side` that reach `target`, looked for from there outwards.
    fn reaching(&self, side: Side, target: Square, mut found: impl FnMut(Square)) {
        let (f, r) = (file(target), rank(target));
        for (df, dr) in STRAIGHT {
            let mut met = 0;
            for n in 1..10 {
                let Some(s) = square(f + n * df, r + n * dr) else {
                    break;
                };
                if self.is_empty(s) {
                    continue;
                }
                let own = (self.code(s) > 8) == (side == Side::Black);
                if own && self.reaches(s, target) {
                    found(s);
                }
                met += 1;
                if met == 2 {
                    break;
                }
            }
        }
        for (df, dr) in DIAGONAL {
            for (a, b) in [(1, 1), (2, 2), (1, 2), (2, 1)] {
                if let Some(s) = square(f + a * df, r + b * dr)
                    && !self.is_empty(s)
                    && (self.code(s) > 8) == (side == Side::Black)
                    && self.reaches(s, target)
                {
                    found(s);
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub cells: Cells,
    pub turn: Side,
    kings: [u8; 2],
    /// Attackers of this side's king that are left out of account: the check it stands in is.
    pardoned: Option<(Side, [u8; 2])>,
}

/// By what stands where.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut key = 1 + self.turn as u64 + 2 * u64::from(self.pardoned.is_some());
        for row in self.cells.0.chunks(15) {
            let word = row
                .iter()
                .fold(0u64, |word, cell| word * 17 + u64::from(*cell));
            key = (key.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        state.write_u64(key ^ (key >> 29));
    }
}

impl Position {
    /// Reads a FEN; the trailing fields may be missing.
    pub fn from_fen(fen: &str) -> Result<Position, String> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().ok_or("the FEN is empty")?;
        let mut cells = Cells([0; 90]);
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 10 {
            return Err(format!("the FEN has {} ranks, not 10", rows.len()));
        }
        for (i, row) in rows.iter().enumerate() {
            let (r, mut f) = (9 - i as i32, 0);
            for letter in row.chars() {
                if let Some(n) = letter.to_digit(10) {
                    f += n as i32;
                    continue;
                }
                let kind = match letter.to_ascii_lowercase() {
                    'k' => Kind::King,
                    'a' => Kind::Advisor,
                    'b' | 'e' => Kind::Elephant,
                    'n' | 'h' => Kind::Horse,
                    'r' => Kind::Rook,
                    'c' => Kind::Cannon,
                    'p' => Kind::Pawn,
                    _ => return Err(format!("`{letter}` is no piece")),
                };
                let side = if letter.is_ascii_uppercase() {
                    Side::Red
                } else {
                    Side::Black
                };
                let s = square(f, r).ok_or_else(|| format!("rank {r} has more than 9 points"))?;
                cells.set(s, Some((side, kind)));
                f += 1;
            }
            if f != 9 {
                return Err(format!("rank {r} has {f} points, not 9"));
            }
        }
        let turn = match fields.next() {
            None | Some("w" | "r") => Side::Red,
            Some("b") => Side::Black,
            Some(other) => return Err(format!("`{other}` is no side to move")),
        };
        let mut kings = [0; 2];
        for side in [Side::Red, Side::Black] {
            let at: Vec<usize> = (0..90)
                .filter(|s| cells.get(*s) == Some((side, Kind::King)))
                .collect();
            let [king] = at[..] else {
                return Err(format!("{side:?} has {} kings", at.len()));
            };
            kings[side as usize] = king as u8;
        }
        let position = Position {
            cells,
            turn,
            kings,
            pardoned: None,
        };
        if position.king_attacked(turn.other()) || position.kings_face() {
            return Err("the side that has just moved left its king to be taken".into());
        }
        Ok(position)
    }

    pub fn king(&self, side: Side) -> Square {
        self.kings[side as usize] as usize
    }

    pub fn kings_face(&self) -> bool {
        let (a, b) = (self.king(Side::Red), self.king(Side::Black));
        file(a) == file(b) && self.cells.count_between(a, b) == Some(0)
    }

    /// The enemy pieces that give check to the king of `side`.
    pub fn checkers(&self, side: Side) -> Vec<Square> {
        let mut found = Vec::new();
        self.cells.reaching(side.other(), self.king(side), |s| {
            if self.kind(s) != Some(Kind::King) {
                found.push(s);
            }
        });
        found
    }

    /// Is the king of `side` attacked by an enemy piece that is not pardoned? (Asked more often than anything
    /// else: looked for from the king outwards.)
    pub fn king_attacked(&self, side: Side) -> bool {
        let king = self.king(side);
        let (f, r) = (file(king), rank(king));
        let enemy = |s: Square, kind: Kind| {
            self.cells.code(s) == code(side.other(), kind)
                && !matches!(self.pardoned, Some((whose, who)) if whose == side && who.contains(&(s as u8)))
        };
        for (df, dr) in STRAIGHT {
            let room = match (df, dr) {
                (1, _) => 8 - f,
                (-1, _) => f,
                (_, 1) => 9 - r,
                _ => r,
            };
            let (mut met, mut n) = (0, 1);
            while n <= room {
                let s = (king as i32 + n * (df + 9 * dr)) as Square;
                if !self.is_empty(s) {
                    let pawn = n == 1 && enemy(s, Kind::Pawn) && dr != forward(side.other());
                    if (met == 0 && (enemy(s, Kind::Rook) || pawn))
                        || (met == 1 && enemy(s, Kind::Cannon))
                    {
                        return true;
                    }
                    met += 1;
                    if met == 2 {
                        break;
                    }
                }
                n += 1;
            }
        }
        DIAGONAL.iter().any(|(df, dr)| {
            let at = |a: i32, b: i32| square(f + a * df, r + b * dr);
            at(1, 1).is_some_and(|leg| self.is_empty(leg))
                && (at(2, 1).is_some_and(|s| enemy(s, Kind::Horse))
                    || at(1, 2).is_some_and(|s| enemy(s, Kind::Horse)))
        })
    }

    /// Is the side to move in check?
    pub fn in_check(&self) -> bool {
        self.king_attacked(self.turn)
    }

    /// The same position as if the pieces that give check to the side to move gave none.
    pub fn pardoned(&self) -> Position {
        let mut who = [u8::MAX; 2];
        for (slot, s) in who.iter_mut().zip(self.checkers(self.turn)) {
            *slot = s as u8;
        }
        Position {
            pardoned: Some((self.turn, who)),
            ..*self
        }
    }

    pub fn after(&self, m: Move) -> Position {
        let mut next = *self;
        next.cells.0[m.to] = next.cells.0[m.from];
        next.cells.0[m.from] = 0;
        if next.kings[self.turn as usize] as usize == m.from {
            next.kings[self.turn as usize] = m.to as u8;
        }
        next.turn = self.turn.other();
        next
    }

    /// The same position with `side` to move (a null move where it was the other's turn).
    pub fn with_turn(&self, side: Side) -> Position {
        Position {
            turn: side,
            ..*self
        }
    }

    /// The same position with something else on a square, kings apart.
    pub fn with(&self, s: Square, piece: Option<(Side, Kind)>) -> Position {
        let mut next = *self;
        next.cells.set(s, piece);
        next
    }

    pub fn get(&self, s: Square) -> Option<(Side, Kind)> {
        self.cells.get(s)
    }

    pub fn kind(&self, s: Square) -> Option<Kind> {
        self.get(s).map(|(_, kind)| kind)
    }

    pub fn side(&self, s: Square) -> Option<Side> {
        self.get(s).map(|(side, _)| side)
    }

    pub fn is_empty(&self, s: Square) -> bool {
        self.cells.is_empty(s)
    }

    pub fn reaches(&self, from: Square, to: Square) -> bool {
        self.cells.reaches(from, to)
    }

    pub fn pieces(&self, side: Side) -> Vec<Square> {
        (0..90).filter(|s| self.side(*s) == Some(side)).collect()
    }

    pub fn count(&self, side: Side, kind: Kind) -> usize {
        (0..90)
            .filter(|s| self.get(*s) == Some((side, kind)))
            .count()
    }

    /// Moves by the pieces' ways of moving, kings never taken, own king's safety not looked at.
    pub fn pseudo_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        let mut from = 0;
        while from < 90 {
            let code = self.cells.code(from);
            if code != 0 && (code > 8) == (self.turn == Side::Black) {
                self.moves_of(from, &mut moves);
            }
            from += 1;
        }
        moves
    }

    fn moves_of(&self, from: Square, moves: &mut Vec<Move>) {
        let Some((side, kind)) = self.get(from) else {
            return;
        };
        let (f, r) = (file(from), rank(from));
        let mut add = |to: Square| {
            if !matches!(self.get(to), Some((who, on)) if who == side || on == Kind::King) {
                moves.push(Move { from, to });
            }
        };
        let mut step = |df: i32, dr: i32| {
            if let Some(to) = square(f + df, r + dr)
                && self.reaches(from, to)
            {
                add(to);
            }
        };
        match kind {
            Kind::Stone => {}
            Kind::King | Kind::Pawn => STRAIGHT.iter().for_each(|(df, dr)| step(*df, *dr)),
            Kind::Advisor => DIAGONAL.iter().for_each(|(df, dr)| step(*df, *dr)),
            Kind::Elephant => DIAGONAL.iter().for_each(|(df, dr)| step(2 * df, 2 * dr)),
            Kind::Horse => DIAGONAL.iter().for_each(|(df, dr)| {
                step(*df, 2 * dr);
                step(2 * df, *dr);
            }),
            Kind::Rook | Kind::Cannon => {
                let last = if kind == Kind::Rook { 1 } else { 2 };
                for (df, dr) in STRAIGHT {
                    let (mut met, mut n) = (0, 0);
                    while let Some(to) = square(f + (n + 1) * df, r + (n + 1) * dr) {
                        n += 1;
                        let occupied = !self.is_empty(to);
                        met += i32::from(occupied);
                        if if occupied { met == last } else { met == 0 } {
                            add(to);
                        }
                        if met == last {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// May the side to move leave this behind? Own king safe, kings not facing.
    pub fn is_safe(&self, m: Move) -> bool {
        let next = self.after(m);
        !next.kings_face() && !next.king_attacked(self.turn)
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_moves();
        moves.retain(|m| self.is_safe(*m));
        moves
    }

    pub fn legal_captures(&self) -> Vec<Move> {
        let mut moves = self.pseudo_moves();
        moves.retain(|m| !self.is_empty(m.to) && self.is_safe(*m));
        moves
    }

    /// Legal moves that give check, with the position after each.
    pub fn checks(&self) -> Vec<(Move, Position)> {
        let mut found = Vec::new();
        for m in self.pseudo_moves() {
            let next = self.after(m);
            if next.in_check() && !next.kings_face() && !next.king_attacked(self.turn) {
                found.push((m, next));
            }
        }
        found
    }

    /// Legal captures on one square.
    pub fn legal_captures_on(&self, target: Square) -> Vec<Move> {
        let mut found = Vec::new();
        if matches!(self.get(target), Some((who, kind)) if who != self.turn && kind != Kind::King) {
            self.cells.reaching(self.turn, target, |from| {
                found.push(Move { from, to: target })
            });
            found.retain(|m| self.is_safe(*m));
            found.sort_unstable();
        }
        found
    }

    pub fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().contains(&m)
    }
}
