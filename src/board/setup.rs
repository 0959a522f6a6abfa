//! A board as set up, which may be impossible, and everything that is wrong with it.

use super::piece::{Piece, PieceId, Role, Side};
use super::position::Position;
use super::square::{Square, SquareSet};
use crate::language::{Text, both, in_both};
use std::fmt;

/// Pieces on squares and the side to move, as written down: not yet known to be possible.
///
/// # Equality
/// Structural: every square and the side to move.
#[derive(Clone, PartialEq, Eq)]
pub struct Setup {
    cells: [Option<Piece>; 90],
    /// The side to move.
    pub turn: Side,
}

/// One thing that makes a setup impossible, and the squares where it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where.
    pub squares: Vec<Square>,
}

/// What can be wrong with a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A side has no king.
    NoKing(Side),
    /// More than a side can have.
    TooMany(Piece),
    /// A king outside its own palace.
    KingOutsidePalace(Side),
    /// An advisor off the five points of its palace.
    AdvisorOffPoints(Side),
    /// An elephant off its seven points.
    ElephantOffPoints(Side),
    /// A pawn behind the rank it starts on.
    PawnBehindStart(Side),
    /// A pawn that has not crossed the river on a file no pawn starts on.
    PawnOffFile(Side),
    /// The kings face each other on an open file.
    KingsFace,
    /// The side that has just moved stands in check.
    WaitingSideInCheck(Side),
}

impl FaultKind {
    /// A stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoKing(_) => "no_king",
            Self::TooMany(_) => "too_many",
            Self::KingOutsidePalace(_) => "king_outside_palace",
            Self::AdvisorOffPoints(_) => "advisor_off_points",
            Self::ElephantOffPoints(_) => "elephant_off_points",
            Self::PawnBehindStart(_) => "pawn_behind_start",
            Self::PawnOffFile(_) => "pawn_off_file",
            Self::KingsFace => "kings_face",
            Self::WaitingSideInCheck(_) => "waiting_side_in_check",
        }
    }
}

impl Fault {
    /// The fault in both languages.
    pub fn text(&self) -> Text {
        let at = Text::listed(&self.squares);
        let named = |side: Side, role| (side.text(), Piece::new(side, role).kind());
        match self.kind {
            FaultKind::NoKing(side) => {
                let (side, king) = named(side, Role::King);
                both!(side, king; "{side} has no {king}", "{side}没有{king}")
            }
            FaultKind::TooMany(piece) => {
                let most = piece.role.most();
                let (side, mut kind) = named(piece.side, piece.role);
                if most > 1 {
                    kind.en.push('s');
                }
                both!(
                    side, kind, at;
                    "{side} has more than {most} {kind} ({at})",
                    "{side}的{kind}多于{most}个（{at}）",
                )
            }
            FaultKind::KingOutsidePalace(side) => {
                let (side, king) = named(side, Role::King);
                both!(
                    side, king, at;
                    "{side}'s {king} stands outside its palace ({at})",
                    "{side}的{king}不在本方九宫内（{at}）",
                )
            }
            FaultKind::AdvisorOffPoints(side) => {
                let (side, advisor) = named(side, Role::Advisor);
                both!(
                    side, advisor, at;
                    "{side}'s {advisor} stands off the five points of its palace ({at})",
                    "{side}的{advisor}不在九宫斜线的点上（{at}）",
                )
            }
            FaultKind::ElephantOffPoints(side) => {
                let (side, elephant) = named(side, Role::Elephant);
                both!(
                    side, elephant, at;
                    "{side}'s {elephant} stands off its seven points ({at})",
                    "{side}的{elephant}不在本方七个{elephant}位上（{at}）",
                )
            }
            FaultKind::PawnBehindStart(side) => {
                let (side, pawn) = named(side, Role::Pawn);
                both!(
                    side, pawn, at;
                    "{side}'s {pawn} stands behind the rank it starts on ({at})",
                    "{side}的{pawn}退到了起点之后（{at}）",
                )
            }
            FaultKind::PawnOffFile(side) => {
                let (side, pawn) = named(side, Role::Pawn);
                both!(
                    side, pawn, at;
                    "{side}'s {pawn} has not crossed the river but stands on a file no pawn starts on ({at})",
                    "{side}的{pawn}未过河而不在起点的直线上（{at}）",
                )
            }
            FaultKind::KingsFace => {
                both!(at; "the kings face each other ({at})", "将帅照面（{at}）")
            }
            FaultKind::WaitingSideInCheck(side) => both!(
                side = side.text(), mover = side.opponent().text(), at;
                "{mover} is to move while {side} stands in check ({at})",
                "轮到{mover}走，而{side}正被将军（{at}）",
            ),
        }
    }
}

in_both!(Fault);

impl Setup {
    /// A board with nothing on it.
    pub const fn empty(turn: Side) -> Self {
        Self {
            cells: [None; 90],
            turn,
        }
    }

    /// The opening position, Red to move.
    pub fn start() -> Self {
        let mut setup = Self::empty(Side::Red);
        for side in Side::ALL {
            let home = |rank: u8| if side == Side::Red { rank } else { 9 - rank };
            let mut put = |file: u8, rank: u8, role: Role| {
                if let Some(square) = Square::new(file, home(rank)) {
                    setup.put(square, Some(Piece::new(side, role)));
                }
            };
            let back = [
                Role::Rook,
                Role::Horse,
                Role::Elephant,
                Role::Advisor,
                Role::King,
            ];
            for (file, role) in (0u8..).zip(back) {
                put(file, 0, role);
                put(8 - file, 0, role);
            }
            for file in [1, 7] {
                put(file, 2, Role::Cannon);
            }
            for file in [0, 2, 4, 6, 8] {
                put(file, 3, Role::Pawn);
            }
        }
        setup
    }

    /// What stands on a square.
    #[expect(clippy::indexing_slicing, reason = "a dense index is below 90")]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.cells[square.index()]
    }

    /// Puts a piece on a square, or clears it.
    #[expect(clippy::indexing_slicing, reason = "a dense index is below 90")]
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.cells[square.index()] = piece;
    }

    /// Every piece and where it stands.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// Reflected left to right.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut other = Self::empty(self.turn);
        for (square, piece) in self.pieces() {
            other.put(square.mirrored(), Some(piece));
        }
        other
    }

    /// Reflected across the river with the colours exchanged, and the move with them.
    #[must_use]
    pub fn colours_swapped(&self) -> Self {
        let mut other = Self::empty(self.turn.opponent());
        for (square, piece) in self.pieces() {
            let piece = Piece::new(piece.side.opponent(), piece.role);
            other.put(square.flipped(), Some(piece));
        }
        other
    }

    /// Everything that makes this setup impossible; nothing where it is a position.
    pub fn faults(&self) -> Vec<Fault> {
        self.position().err().unwrap_or_default()
    }

    /// The position, where the setup is possible.
    ///
    /// # Errors
    /// Every fault there is.
    pub fn position(&self) -> Result<Position, Vec<Fault>> {
        // Faults are looked for only where there are any.
        self.possible().ok_or_else(|| self.told_faults())
    }

    /// The position set up, or nothing where there can be none: for who tries many and asks no reasons.
    #[must_use]
    pub fn possible(&self) -> Option<Position> {
        let mut filling = Filling::default();
        for (square, piece) in self.as_read() {
            filling.put(square, piece);
        }
        filling.position(self.turn)
    }

    /// Every piece in the order in which a FEN names them: from the top rank down, left to right.
    pub(super) fn as_read(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        (0..10u8).rev().flat_map(move |rank| {
            (0..9u8).filter_map(move |file| {
                let square = Square::new(file, rank)?;
                Some((square, self.piece_at(square)?))
            })
        })
    }

    fn told_faults(&self) -> Vec<Fault> {
        let position = &Position::from_valid(self);
        let mut faults = Vec::new();
        for side in Side::ALL {
            for role in Role::ALL {
                let piece = Piece::new(side, role);
                let standing = self.pieces().filter(|&(_, other)| other == piece);
                let squares: Vec<Square> = standing.map(|(square, _)| square).collect();
                if squares.len() > usize::from(role.most()) {
                    faults.push(Fault {
                        kind: FaultKind::TooMany(piece),
                        squares: squares.clone(),
                    });
                }
                for kind in piece_faults(piece).into_iter().flatten() {
                    let shown = squares.iter().copied().filter(|&s| shows(kind, s));
                    let squares: Vec<Square> = shown.collect();
                    if !squares.is_empty() {
                        faults.push(Fault { kind, squares });
                    }
                }
            }
            if !position.is_alive(PieceId::king(side)) {
                faults.push(Fault {
                    kind: FaultKind::NoKing(side),
                    squares: Vec::new(),
                });
            }
        }
        // With a king each and no more of anything than there are, the board can be looked at.
        let all = position.pieces().len() as usize == self.pieces().count();
        if all && has_kings(position) {
            let waiting = self.turn.opponent();
            if position.kings_face() {
                let squares = Side::ALL.iter().map(|&side| position.king(side)).collect();
                faults.push(Fault {
                    kind: FaultKind::KingsFace,
                    squares,
                });
            } else if position.attacked(waiting) {
                let king = position.king(waiting);
                let checkers = position.bearing_on(king, self.turn);
                let squares = std::iter::once(king)
                    .chain(checkers.map(|id| position.square_of(id)))
                    .collect();
                faults.push(Fault {
                    kind: FaultKind::WaitingSideInCheck(waiting),
                    squares,
                });
            }
        }
        faults
    }
}

/// A position put together piece by piece in the order of a FEN: for what is most often possible, and is looked into as
/// a [`Setup`] where it is not.
pub(crate) struct Filling {
    position: Position,
    /// Every piece so far may stand where it does, and there is one.
    possible: bool,
}

impl Default for Filling {
    fn default() -> Self {
        Self {
            position: Position::empty(Side::Red),
            possible: true,
        }
    }
}

impl Filling {
    /// Puts the next piece on its square, which is empty.
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        self.possible &= may_stand(piece, square) && self.position.add(piece, square);
    }

    /// The position, where it is possible, with this side to move.
    pub(crate) fn position(mut self, turn: Side) -> Option<Position> {
        if turn != self.position.turn() {
            self.position.pass();
        }
        let possible = self.possible
            && has_kings(&self.position)
            && !self.position.kings_face()
            && !self.position.attacked(turn.opponent());
        possible.then_some(self.position)
    }
}

/// Whether nothing is wrong with where a piece stands.
fn may_stand(piece: Piece, square: Square) -> bool {
    let Some(points) = POINTS.get(piece.side as usize * 7 + piece.role as usize) else {
        return false;
    };
    points.contains(square)
}

/// By side and role: the squares on which such a piece may stand.
#[expect(
    clippy::indexing_slicing,
    reason = "what goes wrong does so when it is built"
)]
static POINTS: [SquareSet; 14] = {
    let mut points = [SquareSet::EMPTY; 14];
    let mut at = 0;
    while at < points.len() {
        points[at] = points_of(Piece::new(Side::ALL[at / 7], Role::ALL[at % 7]));
        at += 1;
    }
    points
};

const fn points_of(piece: Piece) -> SquareSet {
    let [one, other] = piece_faults(piece);
    let mut points = SquareSet::EMPTY;
    let mut at = 0;
    while at < 90 {
        if let Some(square) = Square::new(at % 9, at / 9)
            && !has(one, square)
            && !has(other, square)
        {
            points = points.with(square);
        }
        at += 1;
    }
    points
}

/// Whether a piece that can have such a fault, if any, has it there.
const fn has(fault: Option<FaultKind>, square: Square) -> bool {
    match fault {
        Some(fault) => shows(fault, square),
        None => false,
    }
}

fn has_kings(position: &Position) -> bool {
    let king = |&side: &Side| position.is_alive(PieceId::king(side));
    Side::ALL.iter().all(king)
}

/// What can be wrong with where a piece stands.
const fn piece_faults(piece: Piece) -> [Option<FaultKind>; 2] {
    let side = piece.side;
    match piece.role {
        Role::King => [Some(FaultKind::KingOutsidePalace(side)), None],
        Role::Advisor => [Some(FaultKind::AdvisorOffPoints(side)), None],
        Role::Elephant => [Some(FaultKind::ElephantOffPoints(side)), None],
        Role::Pawn => [
            Some(FaultKind::PawnBehindStart(side)),
            Some(FaultKind::PawnOffFile(side)),
        ],
        Role::Horse | Role::Rook | Role::Cannon => [None, None],
    }
}

/// Whether a piece that can have such a fault has it there.
const fn shows(fault: FaultKind, square: Square) -> bool {
    match fault {
        FaultKind::KingOutsidePalace(side) => !in_palace_of(side, square),
        FaultKind::AdvisorOffPoints(side) => {
            let (file, rank) = seen_by(side, square);
            !(in_palace_of(side, square) && (file + rank) % 2 == 1)
        }
        FaultKind::ElephantOffPoints(side) => {
            !matches!(seen_by(side, square), (2 | 6, 0 | 4) | (0 | 4 | 8, 2))
        }
        FaultKind::PawnBehindStart(side) => seen_by(side, square).1 < 3,
        FaultKind::PawnOffFile(side) => {
            let (file, rank) = seen_by(side, square);
            matches!(rank, 3 | 4) && file % 2 == 1
        }
        FaultKind::NoKing(_)
        | FaultKind::TooMany(_)
        | FaultKind::KingsFace
        | FaultKind::WaitingSideInCheck(_) => false,
    }
}

/// File and rank, seen from a side's own back row.
const fn seen_by(side: Side, square: Square) -> (u8, u8) {
    let own = match side {
        Side::Red => square,
        Side::Black => square.flipped(),
    };
    (own.file(), own.rank())
}

const fn in_palace_of(side: Side, square: Square) -> bool {
    square.in_palace() && seen_by(side, square).1 <= 2
}

/// The canonical FEN: `n`, `b`, `w`, and the four trailing fields.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Put together first: a formatter takes for each letter as long as for all of them.
        let mut text = String::with_capacity(100);
        for rank in (0..10).rev() {
            let mut gap = 0;
            for file in 0..9 {
                let piece = Square::new(file, rank).and_then(|square| self.piece_at(square));
                if let Some(piece) = piece {
                    end_gap(&mut text, &mut gap);
                    text.push(piece.letter());
                } else {
                    gap += 1;
                }
            }
            end_gap(&mut text, &mut gap);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(if self.turn == Side::Red { 'w' } else { 'b' });
        text.push_str(" - - 0 1");
        f.write_str(&text)
    }
}

/// Tells how many empty points there were, if any.
fn end_gap(text: &mut String, gap: &mut u8) {
    if *gap > 0 {
        text.push(char::from(b'0' + *gap));
        *gap = 0;
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Setup({self})")
    }
}
