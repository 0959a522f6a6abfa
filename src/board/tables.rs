//! What each piece could reach on an empty board, worked out at compile time.
//!
//! Squares are `rank * 16 + file`, so the difference of two squares names the step between them:
//! the leg of a horse and the eye of an elephant are looked up by that difference.

#![expect(
    clippy::indexing_slicing,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tables filled at compile time: an index out of range would not compile"
)]

use super::square::Square;

/// From where steps are counted that leave this square. In a program that is sent before it runs they are told as far as
/// they are from it: then most squares have the same steps, and the tables pack. To count so takes time.
const fn origin(from: u8) -> u8 {
    if cfg!(target_family = "wasm") {
        from
    } else {
        0
    }
}

/// Up to eight steps from a square: the square reached and the square that must be empty for it
/// (the leg or the eye; the square reached itself where nothing can be in the way), from their origin.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    len: u8,
    to: [u8; 8],
    via: [u8; 8],
}

impl Steps {
    const NONE: Self = Self {
        len: 0,
        to: [0; 8],
        via: [0; 8],
    };

    const fn push(&mut self, from: u8, to: u8, via: u8) {
        self.to[self.len as usize] = to.wrapping_sub(origin(from));
        self.via[self.len as usize] = via.wrapping_sub(origin(from));
        self.len += 1;
    }

    /// The steps from this square, whose they are.
    #[inline]
    pub(super) fn from(&self, from: Square) -> impl Iterator<Item = (Square, Square)> + '_ {
        let at = move |step: u8| Square(origin(from.0).wrapping_add(step));
        let places = 0..usize::from(self.len);
        places.map(move |place| (at(self.to[place & 7]), at(self.via[place & 7])))
    }
}

const HORSE: [(i8, i8, i8, i8); 8] = [
    (1, 2, 0, 1),
    (-1, 2, 0, 1),
    (1, -2, 0, -1),
    (-1, -2, 0, -1),
    (2, 1, 1, 0),
    (2, -1, 1, 0),
    (-2, 1, -1, 0),
    (-2, -1, -1, 0),
];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

const fn step(square: u8, files: i8, ranks: i8) -> Option<u8> {
    let file = (square & 15) as i8 + files;
    let rank = (square >> 4) as i8 + ranks;
    if file < 0 || file > 8 || rank < 0 || rank > 9 {
        return None;
    }
    Some((rank as u8) << 4 | file as u8)
}

const fn palace(square: u8) -> bool {
    Square(square).in_palace()
}

const fn horse_steps() -> [Steps; 256] {
    let mut table = [Steps::NONE; 256];
    let mut i = 0;
    while i < 90u8 {
        let from = (i / 9) << 4 | (i % 9);
        let mut k = 0;
        while k < 8 {
            let (df, dr, lf, lr) = HORSE[k];
            if let (Some(to), Some(leg)) = (step(from, df, dr), step(from, lf, lr)) {
                table[from as usize].push(from, to, leg);
            }
            k += 1;
        }
        i += 1;
    }
    table
}

const fn elephant_steps() -> [Steps; 256] {
    let mut table = [Steps::NONE; 256];
    let mut i = 0;
    while i < 90u8 {
        let from = (i / 9) << 4 | (i % 9);
        let mut k = 0;
        while k < 4 {
            let (df, dr) = DIAGONAL[k];
            if let (Some(to), Some(eye)) = (step(from, 2 * df, 2 * dr), step(from, df, dr))
                && (from >> 4 < 5) == (to >> 4 < 5)
            {
                table[from as usize].push(from, to, eye);
            }
            k += 1;
        }
        i += 1;
    }
    table
}

const fn palace_steps(directions: [(i8, i8); 4]) -> [Steps; 256] {
    let mut table = [Steps::NONE; 256];
    let mut i = 0;
    while i < 90u8 {
        let from = (i / 9) << 4 | (i % 9);
        let mut k = 0;
        while k < 4 {
            let (df, dr) = directions[k];
            if let Some(to) = step(from, df, dr)
                && palace(from)
                && palace(to)
            {
                table[from as usize].push(from, to, to);
            }
            k += 1;
        }
        i += 1;
    }
    table
}

const fn pawn_steps(forward: i8) -> [Steps; 256] {
    let mut table = [Steps::NONE; 256];
    let mut i = 0;
    while i < 90u8 {
        let from = (i / 9) << 4 | (i % 9);
        let crossed = if forward > 0 {
            from >> 4 >= 5
        } else {
            from >> 4 <= 4
        };
        if let Some(to) = step(from, 0, forward) {
            table[from as usize].push(from, to, to);
        }
        if crossed {
            if let Some(to) = step(from, -1, 0) {
                table[from as usize].push(from, to, to);
            }
            if let Some(to) = step(from, 1, 0) {
                table[from as usize].push(from, to, to);
            }
        }
        i += 1;
    }
    table
}

const fn legs() -> [u8; 256] {
    let mut table = [0; 256];
    let mut k = 0;
    while k < 8 {
        let (df, dr, lf, lr) = HORSE[k];
        table[(dr * 16 + df) as u8 as usize] = (lr * 16 + lf) as u8;
        k += 1;
    }
    table
}

const fn eyes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut k = 0;
    while k < 4 {
        let (df, dr) = DIAGONAL[k];
        table[(dr * 32 + df * 2) as u8 as usize] = (dr * 16 + df) as u8;
        k += 1;
    }
    table
}

pub(super) static HORSE_STEPS: [Steps; 256] = horse_steps();
pub(super) static ELEPHANT_STEPS: [Steps; 256] = elephant_steps();
pub(super) static ADVISOR_STEPS: [Steps; 256] = palace_steps(DIAGONAL);
pub(super) static KING_STEPS: [Steps; 256] = palace_steps(STRAIGHT);
pub(super) static PAWN_STEPS: [[Steps; 256]; 2] = [pawn_steps(1), pawn_steps(-1)];

static LEGS: [u8; 256] = legs();
static EYES: [u8; 256] = eyes();

fn via(table: &[u8; 256], from: Square, to: Square) -> Option<Square> {
    let delta = table[usize::from(to.0.wrapping_sub(from.0))];
    (delta != 0).then(|| Square(from.0.wrapping_add(delta)))
}

/// The leg of a horse going between the two squares, if it can.
pub(super) fn leg(from: Square, to: Square) -> Option<Square> {
    via(&LEGS, from, to)
}

/// The eye of an elephant going between the two squares, if it can (the river apart).
pub(super) fn eye(from: Square, to: Square) -> Option<Square> {
    via(&EYES, from, to).filter(|_| (from.rank() < 5) == (to.rank() < 5))
}

/// The number of a kind of piece (role, plus 8 for Black) on a square, by splitmix64.
const fn key(kind: u8, square: u8) -> u64 {
    let place = (kind as u64 & 15) << 8 | square as u64;
    let step = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(place + 1);
    let mut z = step.wrapping_add(0x0051_494C_4900_0001);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

static KEYS: [[u64; 256]; 16] = {
    let mut table = [[0; 256]; 16];
    let mut place = 0u16;
    while place < 16 * 256 {
        let [kind, square] = place.to_be_bytes();
        table[kind as usize][square as usize] = key(kind, square);
        place += 1;
    }
    table
};

/// A number for each kind of piece (role, plus 8 for Black) on each square. A program that is sent before it runs
/// works it out: the table is random, and does not pack.
#[inline]
pub(super) fn key_of(kind: u8, square: Square) -> u64 {
    if cfg!(target_family = "wasm") {
        key(kind, square.0)
    } else {
        KEYS[usize::from(kind & 15)][usize::from(square.0)]
    }
}

/// Added to the key when Black is to move.
pub(super) const BLACK_TO_MOVE: u64 = 0x9D39_247E_3377_6D41;
