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
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Kind {
    King,
    Advisor,
    Elephant,
    Horse,
    Rook,
    Cannon,
    Pawn,
}

pub type Square = usize;

pub fn file(s: Square) -> i32 {
    (s % 9) as i32
}

pub fn rank(s: Square) -> i32 {
    (s / 9) as i32
}

pub fn square(file: i32, rank: i32) -> Option<Square> {
    if (0..9).contains(&file) && (0..10).contains(&rank) {
        Some((rank * 9 + file) as usize)
    } else {
        None
    }
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
    pub fn parse(text: &str) -> Result<Move, String> {
        let bytes: Vec<u8> = text
            .bytes()
            .filter(|b| *b != b'-')
            .map(|b| b.to_ascii_lowercase())
            .collect();
        if bytes.len() != 4 {
            return Err(format!("`{text}` is no move"));
        }
        let read = |f: u8, r: u8| -> Result<Square, String> {
            if !f.is_ascii_lowercase() || !r.is_ascii_digit() {
                return Err(format!("`{text}` is no move"));
            }
            square((f - b'a') as i32, (r - b'0') as i32)
                .ok_or_else(|| format!("`{text}` is no move"))
        };
        Ok(Move {
            from: read(bytes[0], bytes[1])?,
            to: read(bytes[2], bytes[3])?,
        })
    }
}

pub type Cells = [Option<(Side, Kind)>; 90];

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub cells: Cells,
    pub turn: Side,
    /// The side whose own king's safety is left out of account, if any: 2.5 "S in check in P0: pseudo
    /// captures, ignoring the check".
    pub careless: Option<Side>,
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

fn at_home(side: Side, s: Square) -> bool {
    !crossed(side, s)
}

fn forward(side: Side) -> i32 {
    match side {
        Side::Red => 1,
        Side::Black => -1,
    }
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// How many pieces stand strictly between two squares of one line; `None` when they share no line.
pub fn between(cells: &Cells, a: Square, b: Square) -> Option<Vec<Square>> {
    if a == b || (file(a) != file(b) && rank(a) != rank(b)) {
        return None;
    }
    let (df, dr) = ((file(b) - file(a)).signum(), (rank(b) - rank(a)).signum());
    let step = df + 9 * dr;
    let mut found = Vec::new();
    let mut s = a as i32 + step;
    while s != b as i32 {
        if cells[s as usize].is_some() {
            found.push(s as usize);
        }
        s += step;
    }
    Some(found)
}

fn count_between(cells: &Cells, a: Square, b: Square) -> Option<u32> {
    if a == b || (file(a) != file(b) && rank(a) != rank(b)) {
        return None;
    }
    let step = (file(b) - file(a)).signum() + 9 * (rank(b) - rank(a)).signum();
    let mut count = 0;
    let mut s = a as i32 + step;
    while s != b as i32 {
        count += cells[s as usize].is_some() as u32;
        s += step;
    }
    Some(count)
}

/// Could the piece on `from` go to `to` by its way of moving (a cannon: capture when `to` is occupied)?
/// The colour of what stands on `to` is not looked at: the same question serves for guarding.
pub fn reaches(cells: &Cells, from: Square, to: Square) -> bool {
    let Some((side, kind)) = cells[from] else {
        return false;
    };
    if from == to {
        return false;
    }
    let (df, dr) = (file(to) - file(from), rank(to) - rank(from));
    let empty = |f: i32, r: i32| square(f, r).is_some_and(|s| cells[s].is_none());
    match kind {
        Kind::King => df.abs() + dr.abs() == 1 && in_palace(side, to),
        Kind::Advisor => df.abs() == 1 && dr.abs() == 1 && in_palace(side, to),
        Kind::Elephant => {
            df.abs() == 2
                && dr.abs() == 2
                && at_home(side, to)
                && empty(file(from) + df / 2, rank(from) + dr / 2)
        }
        Kind::Horse => match (df.abs(), dr.abs()) {
            (1, 2) => empty(file(from), rank(from) + dr / 2),
            (2, 1) => empty(file(from) + df / 2, rank(from)),
            _ => false,
        },
        Kind::Rook => count_between(cells, from, to) == Some(0),
        Kind::Cannon => {
            count_between(cells, from, to) == Some(if cells[to].is_some() { 1 } else { 0 })
        }
        Kind::Pawn => {
            (df == 0 && dr == forward(side)) || (dr == 0 && df.abs() == 1 && crossed(side, from))
        }
    }
}

/// By what stands where, a byte a square: as the derived one, in a tenth of the time.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut key = self.turn as u64 | (self.careless.map_or(0, |side| 1 + side as u64) << 1);
        for row in self.cells.chunks(9) {
            let mut word = 0u64;
            for cell in row {
                word = word * 15 + cell.map_or(0, |(side, kind)| 1 + side as u64 * 7 + kind as u64);
            }
            key = (key.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        state.write_u64(key ^ (key >> 29));
    }
}

/// Is there a piece of `side` that reaches `target` and is `wanted`? Looked for from `target` outwards.
fn any_reaching(
    cells: &Cells,
    side: Side,
    target: Square,
    mut wanted: impl FnMut(Square, Kind) -> bool,
) -> bool {
    let (f, r) = (file(target), rank(target));
    // Along the lines: kings, rooks, pawns; and a cannon behind one piece, or none to go to an empty square.
    for (df, dr) in STRAIGHT {
        let mut met = 0;
        for n in 1..10 {
            let Some(s) = square(f + n * df, r + n * dr) else {
                break;
            };
            let Some((who, kind)) = cells[s] else {
                continue;
            };
            if who == side && reaches(cells, s, target) && wanted(s, kind) {
                return true;
            }
            met += 1;
            if met == 2 {
                break;
            }
        }
    }
    // Beside them: advisors, elephants, horses.
    DIAGONAL.iter().any(|(df, dr)| {
        [(1, 1), (2, 2), (1, 2), (2, 1)].iter().any(|(a, b)| {
            square(f + a * df, r + b * dr).is_some_and(|s| {
                cells[s].is_some_and(|(who, kind)| {
                    who == side && reaches(cells, s, target) && wanted(s, kind)
                })
            })
        })
    })
}

/// The squares, in order, from which a piece of `side` reaches `target`.
fn reaching(cells: &Cells, side: Side, target: Square) -> Vec<Square> {
    let mut found = Vec::new();
    any_reaching(cells, side, target, |s, _| {
        found.push(s);
        false
    });
    found.sort_unstable();
    found
}

impl Position {
    /// Reads a FEN; the trailing fields may be missing.
    pub fn from_fen(fen: &str) -> Result<Position, String> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().ok_or("the FEN is empty")?;
        let mut cells: Cells = [None; 90];
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 10 {
            return Err(format!("the FEN has {} ranks, not 10", rows.len()));
        }
        for (i, row) in rows.iter().enumerate() {
            let r = 9 - i;
            let mut f = 0usize;
            for ch in row.chars() {
                if let Some(n) = ch.to_digit(10) {
                    if n == 0 {
                        return Err(format!("rank {r}: `0` is no number of empty points"));
                    }
                    f += n as usize;
                    if f > 9 {
                        return Err(format!("rank {r} has more than 9 points"));
                    }
                    continue;
                }
                let kind = match ch.to_ascii_lowercase() {
                    'k' => Kind::King,
                    'a' => Kind::Advisor,
                    'b' | 'e' => Kind::Elephant,
                    'n' | 'h' => Kind::Horse,
                    'r' => Kind::Rook,
                    'c' => Kind::Cannon,
                    'p' => Kind::Pawn,
                    _ => return Err(format!("`{ch}` is no piece")),
                };
                if f >= 9 {
                    return Err(format!("rank {r} has more than 9 points"));
                }
                let side = if ch.is_ascii_uppercase() {
                    Side::Red
                } else {
                    Side::Black
                };
                cells[r * 9 + f] = Some((side, kind));
                f += 1;
            }
            if f != 9 {
                return Err(format!("rank {r} has {f} points, not 9"));
            }
        }
        let turn = match fields.next() {
            None | Some("w") | Some("r") => Side::Red,
            Some("b") => Side::Black,
            Some(other) => return Err(format!("`{other}` is no side to move")),
        };
        let position = Position {
            cells,
            turn,
            careless: None,
        };
        for side in [Side::Red, Side::Black] {
            let kings = cells
                .iter()
                .filter(|c| **c == Some((side, Kind::King)))
                .count();
            if kings != 1 {
                return Err(format!("{side:?} has {kings} kings"));
            }
        }
        for s in 0..90 {
            if let Some((side, kind)) = cells[s] {
                let ok = match kind {
                    Kind::King | Kind::Advisor => in_palace(side, s),
                    Kind::Elephant => at_home(side, s),
                    Kind::Pawn => {
                        crossed(side, s)
                            || (rank(s) - if side == Side::Red { 3 } else { 6 }) * forward(side)
                                >= 0
                    }
                    _ => true,
                };
                if !ok {
                    return Err(format!(
                        "{side:?} {kind:?} cannot stand on {}",
                        square_name(s)
                    ));
                }
            }
        }
        if position.king_attacked(turn.other()) || position.kings_face() {
            return Err("the side that has just moved left its king to be taken".into());
        }
        Ok(position)
    }

    pub fn king(&self, side: Side) -> Option<Square> {
        let ranks = if side == Side::Red { 0..3 } else { 7..10 };
        ranks
            .flat_map(|r| (3..6).map(move |f| r * 9 + f))
            .find(|s| self.cells[*s] == Some((side, Kind::King)))
    }

    pub fn kings_face(&self) -> bool {
        match (self.king(Side::Red), self.king(Side::Black)) {
            (Some(a), Some(b)) => file(a) == file(b) && count_between(&self.cells, a, b) == Some(0),
            _ => false,
        }
    }

    /// Is the king of `side` attacked by an enemy piece? (A careless side's king never is.)
    pub fn king_attacked(&self, side: Side) -> bool {
        if self.careless == Some(side) {
            return false;
        }
        let Some(king) = self.king(side) else {
            return false;
        };
        let enemy = side.other();
        any_reaching(&self.cells, enemy, king, |_, kind| kind != Kind::King)
    }

    /// Is the side to move in check?
    pub fn in_check(&self) -> bool {
        self.king_attacked(self.turn)
    }

    pub fn after(&self, m: Move) -> Position {
        let mut next = *self;
        next.cells[m.to] = next.cells[m.from].take();
        next.turn = self.turn.other();
        next
    }

    /// The same position with `side` on move (a null move where it was the other's turn).
    pub fn with_turn(&self, side: Side) -> Position {
        Position {
            turn: side,
            ..*self
        }
    }

    pub fn without(&self, s: Square) -> Position {
        let mut next = *self;
        next.cells[s] = None;
        next
    }

    /// Moves by the pieces' ways of moving, kings never taken, own king's safety not looked at.
    pub fn pseudo_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        for from in 0..90 {
            if matches!(self.cells[from], Some((side, _)) if side == self.turn) {
                self.pseudo_moves_of(from, &mut moves);
            }
        }
        moves
    }

    fn pseudo_moves_of(&self, from: Square, moves: &mut Vec<Move>) {
        let Some((side, kind)) = self.cells[from] else {
            return;
        };
        let (f, r) = (file(from), rank(from));
        let mut add = |to: Square| {
            let takes_own = matches!(self.cells[to], Some((who, _)) if who == side);
            let takes_king = matches!(self.cells[to], Some((_, Kind::King)));
            if !takes_own && !takes_king {
                moves.push(Move { from, to });
            }
        };
        let mut try_step = |df: i32, dr: i32| {
            if let Some(to) = square(f + df, r + dr)
                && reaches(&self.cells, from, to)
            {
                add(to);
            }
        };
        match kind {
            Kind::King | Kind::Pawn => STRAIGHT.iter().for_each(|(df, dr)| try_step(*df, *dr)),
            Kind::Advisor => DIAGONAL.iter().for_each(|(df, dr)| try_step(*df, *dr)),
            Kind::Elephant => DIAGONAL
                .iter()
                .for_each(|(df, dr)| try_step(2 * df, 2 * dr)),
            Kind::Horse => DIAGONAL.iter().for_each(|(df, dr)| {
                try_step(*df, 2 * dr);
                try_step(2 * df, *dr);
            }),
            Kind::Rook | Kind::Cannon => {
                for (df, dr) in STRAIGHT {
                    let mut met = 0;
                    for n in 1..10 {
                        let Some(to) = square(f + n * df, r + n * dr) else {
                            break;
                        };
                        let occupied = self.cells[to].is_some();
                        met += occupied as u32;
                        let may = match (kind, occupied) {
                            (Kind::Rook, _) => true,
                            (_, false) => met == 0,
                            (_, true) => met == 2,
                        };
                        if may {
                            add(to);
                        }
                        if met == if kind == Kind::Rook { 1 } else { 2 } {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// May the side to move leave this behind? (Own king safe, kings not facing; a careless side may do anything.)
    pub fn is_safe(&self, m: Move) -> bool {
        if self.careless == Some(self.turn) {
            return true;
        }
        let next = self.after(m);
        // Kings that face each other already do so because the other side's king is left out of account.
        let faced = self.careless.is_some() && self.kings_face();
        (faced || !next.kings_face()) && !next.king_attacked(self.turn)
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        self.pseudo_moves()
            .into_iter()
            .filter(|m| self.is_safe(*m))
            .collect()
    }

    pub fn legal_captures(&self) -> Vec<Move> {
        self.pseudo_moves()
            .into_iter()
            .filter(|m| self.cells[m.to].is_some() && self.is_safe(*m))
            .collect()
    }

    /// Legal moves that give check, with the position after each.
    pub fn checks(&self) -> Vec<(Move, Position)> {
        self.pseudo_moves()
            .into_iter()
            .map(|m| (m, self.after(m)))
            .filter(|(m, next)| next.in_check() && self.is_safe(*m))
            .collect()
    }

    /// Legal captures landing on `target`.
    pub fn legal_captures_on(&self, target: Square) -> Vec<Move> {
        if !matches!(self.cells[target], Some((who, kind)) if who != self.turn && kind != Kind::King)
        {
            return Vec::new();
        }
        reaching(&self.cells, self.turn, target)
            .into_iter()
            .map(|from| Move { from, to: target })
            .filter(|m| self.is_safe(*m))
            .collect()
    }

    pub fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().contains(&m)
    }

    pub fn kind(&self, s: Square) -> Option<Kind> {
        self.cells[s].map(|(_, kind)| kind)
    }

    pub fn side(&self, s: Square) -> Option<Side> {
        self.cells[s].map(|(side, _)| side)
    }

    pub fn pieces(&self, side: Side) -> Vec<Square> {
        (0..90).filter(|s| self.side(*s) == Some(side)).collect()
    }

    pub fn count(&self, side: Side, kind: Kind) -> usize {
        let like = self.cells.iter().filter(|c| **c == Some((side, kind)));
        like.count()
    }
}
