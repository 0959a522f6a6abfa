//! Written moves held against a position.

use super::error::{LineError, MoveError, MoveFault, NamedMove};
use super::likes::{Likes, file_number, target};
use super::scan::Word;
use super::symbol::Action;
use super::written::{Landing, NotWritten, Ranks, Spelled, Which, Written};
use crate::board::{Move, Piece, Position, Role, Square, Undo};

/// Reads a legal move in any notation.
///
/// ```
/// use qili::board::Position;
/// use qili::notation::read_move;
/// let start = Position::start();
/// for text in ["h2e2", "H2-E2", "炮二平五", "砲２平５", "炮 2 = 5", "C2=5", "炮25"] {
///     assert_eq!(read_move(&start, text)?.to_string(), "h2e2");
/// }
/// let blocked = read_move(&start, "马二进四").unwrap_err();
/// assert_eq!(blocked.code(), "move_blocked");
/// # Ok::<_, qili::notation::MoveError>(())
/// ```
///
/// # Errors
/// What is wrong with the text or the move, and the legal moves of the piece meant.
pub fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    read_move_counting(position, text, Ranks::Zero)
}

/// Reads a legal move in any notation, the ranks of squares counted as told.
///
/// ```
/// use qili::board::Position;
/// use qili::notation::{Ranks, read_move_counting};
/// let start = Position::start();
/// for text in ["h3e3", "Che3", "C2=5"] {
///     assert_eq!(read_move_counting(&start, text, Ranks::One)?.to_string(), "h2e2");
/// }
/// # Ok::<_, qili::notation::MoveError>(())
/// ```
///
/// # Errors
/// What is wrong with the text or the move, and the legal moves of the piece meant.
pub fn read_move_counting(
    position: &Position,
    text: &str,
    ranks: Ranks,
) -> Result<Move, MoveError> {
    mean(position, text, Written::read(text), ranks)
}

/// The legal move that a text means, by what is written.
fn mean(
    position: &Position,
    text: &str,
    written: Result<Written, NotWritten>,
    ranks: Ranks,
) -> Result<Move, MoveError> {
    let found = match written {
        Ok(Written::Squares(corners)) => match corners.mv(ranks) {
            Some(mv) if position.is_legal(mv) => return Ok(mv),
            Some(mv) => Err(fault_of_squares(position, mv)),
            None => Err((MoveFault::Unreadable, Vec::new())),
        },
        Ok(Written::Lands(landing)) => read_landing(position, landing, ranks),
        Ok(Written::Spelled(spelled)) => read_spelled(position, &[spelled]),
        Ok(Written::Either(one, other)) => read_spelled(position, &[one, other]),
        Err(NotWritten::Empty) => Err((MoveFault::Empty, Vec::new())),
        Err(NotWritten::Unreadable) => Err((MoveFault::Unreadable, Vec::new())),
    };
    found.map_err(|(fault, moves)| MoveError {
        text: shortened(text),
        fault,
        moves: moves
            .into_iter()
            .map(|mv| NamedMove::new(position, mv))
            .collect(),
        over: position.legal_moves().is_empty(),
    })
}

/// Reads a line of play, each move in any notation.
///
/// ```
/// use qili::board::Position;
/// use qili::notation::read_line;
/// let texts = ["炮25", "马87", "马23", "车98", "车12", "炮84"];
/// let moves = read_line(&Position::start(), &texts)?;
/// let iccs: Vec<_> = moves.iter().map(ToString::to_string).collect();
/// assert_eq!(iccs, ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "h7h3"]);
/// let error = read_line(&Position::start(), &["h2e2", "h9g8"]).unwrap_err();
/// assert_eq!((error.index, error.code()), (1, "move_impossible"));
/// # Ok::<_, qili::notation::LineError>(())
/// ```
///
/// # Errors
/// The first move that cannot be played, with its index.
pub fn read_line<T: AsRef<str>>(start: &Position, texts: &[T]) -> Result<Vec<Move>, LineError> {
    play_line(&mut start.clone(), texts)
}

/// Reads a line of play and plays it.
pub(crate) fn play_line<T: AsRef<str>>(
    position: &mut Position,
    texts: &[T],
) -> Result<Vec<Move>, LineError> {
    let ranks = Ranks::of(texts.iter().map(AsRef::as_ref));
    let mut moves = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let played = play_move(position, text.as_ref(), ranks);
        moves.push(played.map_err(|error| LineError { index, error })?.0);
    }
    Ok(moves)
}

/// Reads a move and plays it.
pub(crate) fn play_move(
    position: &mut Position,
    text: &str,
    ranks: Ranks,
) -> Result<(Move, Undo), MoveError> {
    play(position, text, Written::read(text), ranks)
}

/// The same of a word as it was found in a text.
pub(crate) fn play_word(
    position: &mut Position,
    word: Word<'_>,
    ranks: Ranks,
) -> Result<(Move, Undo), MoveError> {
    let written = word.written.map_or_else(|| Written::read(word.text), Ok);
    play(position, word.text, written, ranks)
}

fn play(
    position: &mut Position,
    text: &str,
    written: Result<Written, NotWritten>,
    ranks: Ranks,
) -> Result<(Move, Undo), MoveError> {
    let plain = match written {
        Ok(Written::Squares(corners)) => corners.mv(ranks),
        Ok(Written::Spelled(spelled)) => only_target(position, spelled),
        Ok(Written::Lands(_) | Written::Either(..)) | Err(_) => None,
    };
    if let Some(mv) = plain
        && let Some(undo) = position.make_legal(mv)
    {
        return Ok((mv, undo));
    }
    let mv = mean(position, text, written, ranks)?;
    let undo = position.make(mv);
    Ok((mv, undo))
}

/// Where the piece on a file comes to that is alone of its kind there, whatever stands in its way.
fn only_target(position: &Position, spelled: Spelled) -> Option<Move> {
    let (Which::File(file), Some(action)) = (spelled.which, spelled.action) else {
        return None;
    };
    let side = position.turn();
    let likes = position.pieces_like(side, spelled.role);
    let mut there = likes
        .map(|id| position.square_of(id))
        .filter(|&square| file_number(side, square) == file);
    let (from, None) = (there.next()?, there.next()) else {
        return None;
    };
    target(side, spelled.role, from, action, spelled.number)
}

/// A text as it is quoted in an error.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut quoted: String = text.trim().chars().take(MOST).collect();
    if quoted.len() < text.trim().len() {
        quoted.push('…');
    }
    quoted
}

/// Whether a text is written like a move, whether or not it can be played anywhere.
pub(crate) fn is_move(text: &str) -> bool {
    Written::read(text).is_ok()
}

/// Whether a text reads as the move, or is ambiguous with the move among the candidates.
pub(super) fn can_mean(position: &Position, text: &str, mv: Move) -> bool {
    match Written::read(text) {
        Ok(Written::Squares(corners)) => corners.mv(Ranks::Zero) == Some(mv),
        Ok(Written::Lands(landing)) => {
            landings(position, landing, Ranks::Zero).any(|found| found == mv)
        }
        Ok(Written::Spelled(spelled)) => legal(position, &spelled).any(|found| found == mv),
        Ok(Written::Either(one, other)) => [one, other]
            .iter()
            .any(|spelled| legal(position, spelled).any(|found| found == mv)),
        Err(NotWritten::Empty | NotWritten::Unreadable) => false,
    }
}

type Fault = (MoveFault, Vec<Move>);

fn read_spelled(position: &Position, readings: &[Spelled]) -> Result<Move, Fault> {
    let mut found: Option<Move> = None;
    for spelled in readings {
        for mv in legal(position, spelled) {
            if found.is_some_and(|other| other != mv) {
                return Err((MoveFault::Ambiguous, candidates(position, readings)));
            }
            found = Some(mv);
        }
    }
    found.ok_or_else(|| fault_of_spelled(position, readings))
}

/// The legal moves of a piece to a square.
fn landings(
    position: &Position,
    landing: Landing,
    ranks: Ranks,
) -> impl Iterator<Item = Move> + '_ {
    let likes = Likes::of(position, position.turn(), landing.role);
    let from = likes
        .iter()
        .filter(move |from| landing.file.is_none_or(|file| from.file() == file));
    let to = landing.to(ranks);
    from.filter_map(move |from| Some(Move::new(from, to?)))
        .filter(|&mv| position.is_legal(mv))
}

fn read_landing(position: &Position, landing: Landing, ranks: Ranks) -> Result<Move, Fault> {
    let mut found = landings(position, landing, ranks);
    match (found.next(), found.next()) {
        (Some(mv), None) => return Ok(mv),
        (Some(_), Some(_)) => {
            let mut moves: Vec<_> = landings(position, landing, ranks).collect();
            moves.sort_unstable();
            return Err((MoveFault::Ambiguous, moves));
        }
        (None, _) => {}
    }
    let side = position.turn();
    let piece = Piece::new(side, landing.role);
    let likes = Likes::of(position, side, landing.role);
    let meant: Vec<Square> = likes
        .iter()
        .filter(|from| landing.file.is_none_or(|file| from.file() == file))
        .collect();
    let (Some(to), Some(&from)) = (landing.to(ranks), meant.first()) else {
        let which = landing.file.and_then(|file| Square::new(file, 0));
        let which = which.map_or(Which::Any, |at| Which::File(file_number(side, at)));
        let fault = if landing.to(ranks).is_none() {
            MoveFault::Unreadable
        } else {
            MoveFault::NoSuchPiece { piece, which }
        };
        return Err((fault, moves_from(position, likes.iter())));
    };
    let fault = why_not(position, Move::new(from, to), piece);
    Err((fault, moves_from(position, meant.into_iter())))
}

fn candidates(position: &Position, readings: &[Spelled]) -> Vec<Move> {
    let mut moves: Vec<_> = readings
        .iter()
        .flat_map(|spelled| legal(position, spelled))
        .collect();
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// Where the pieces meant would come to, whatever stands there.
fn targets(
    position: &Position,
    spelled: &Spelled,
    actions: &[Action],
) -> impl Iterator<Item = Move> {
    let &Spelled {
        role,
        which,
        number,
        ..
    } = spelled;
    let side = position.turn();
    let meant = Likes::of(position, side, role).meant(which);
    actions.iter().flat_map(move |&action| {
        meant
            .iter()
            .filter_map(move |from| target(side, role, from, action, number))
    })
}

/// The legal moves a spelling can mean. Where it leaves the direction out, a target file goes
/// before an amount: `车12` is 车一平二, and 车一进二 only where that cannot be played.
fn legal(position: &Position, spelled: &Spelled) -> impl Iterator<Item = Move> {
    let playable =
        |actions: &[Action]| targets(position, spelled, actions).any(|mv| position.is_legal(mv));
    let actions: &[Action] = match spelled.action {
        Some(Action::Advance) => &[Action::Advance],
        Some(Action::Retreat) => &[Action::Retreat],
        Some(Action::Traverse) => &[Action::Traverse],
        None if playable(&[Action::Traverse]) => &[Action::Traverse],
        None => &[Action::Advance, Action::Retreat],
    };
    targets(position, spelled, actions).filter(|&mv| position.is_legal(mv))
}

fn fault_of_spelled(position: &Position, readings: &[Spelled]) -> Fault {
    let side = position.turn();
    let Some(first) = readings.first() else {
        return (MoveFault::Unreadable, Vec::new());
    };
    let piece = Piece::new(side, first.role);
    let likes = Likes::of(position, side, first.role);
    let meant = likes.meant(first.which);
    if meant.is_empty() {
        let fault = MoveFault::NoSuchPiece {
            piece,
            which: first.which,
        };
        return (fault, moves_from(position, likes.iter()));
    }
    let both = [Action::Traverse, Action::Advance, Action::Retreat];
    let ways: Vec<Action> = first.action.map_or(both.to_vec(), |action| vec![action]);
    let mut tried: Vec<_> = targets(position, first, &ways)
        .map(|mv| why_not(position, mv, piece))
        .collect();
    // Nearest to being playable first: only the king's safety, then the way, then an own piece.
    let distance = |fault: &MoveFault| {
        let hindered = matches!(fault, MoveFault::Hindered { .. });
        let own = matches!(fault, MoveFault::OwnPiece { .. });
        (fault.clause().is_none(), !hindered, !own)
    };
    tried.sort_by_key(distance);
    let fault = tried
        .into_iter()
        .next()
        .unwrap_or(MoveFault::Impossible(piece));
    (fault, moves_from(position, meant.iter()))
}

fn fault_of_squares(position: &Position, mv: Move) -> Fault {
    let Some(piece) = position.piece_at(mv.from) else {
        return (MoveFault::NoPiece(mv.from), Vec::new());
    };
    if piece.side != position.turn() {
        return (
            MoveFault::WrongSide {
                square: mv.from,
                piece,
            },
            Vec::new(),
        );
    }
    (
        why_not(position, mv, piece),
        moves_from(position, std::iter::once(mv.from)),
    )
}

/// Why a piece of the side to move cannot make a move that is not legal.
fn why_not(position: &Position, mv: Move, piece: Piece) -> MoveFault {
    if position.is_pseudo_legal(mv) {
        let next = position.after(mv);
        if next.kings_face() {
            return MoveFault::KingsFace(mv);
        }
        let attackers = next.bearing_on(next.king(piece.side), piece.side.opponent());
        let by = attackers.map(|id| next.square_of(id)).collect();
        return if position.in_check() {
            MoveFault::IgnoresCheck { mv, by }
        } else {
            MoveFault::GivesKing { mv, by }
        };
    }
    if mv.from == mv.to {
        return MoveFault::Impossible(piece);
    }
    let own = position
        .piece_at(mv.to)
        .filter(|other| other.side == piece.side);
    let at = position
        .pivot(mv.from, mv.to)
        .filter(|&at| !position.is_empty(at));
    let line = position.between(mv.from, mv.to);
    let in_the_way = match piece.role {
        Role::Rook => line.is_some_and(|n| n > 0),
        Role::Cannon => line.is_some() && own.is_none(),
        Role::Horse | Role::Elephant => at.is_some(),
        Role::King | Role::Advisor | Role::Pawn => false,
    };
    match own {
        _ if in_the_way => MoveFault::Hindered { mv, piece, at },
        Some(other)
            if position.bears(mv.from, mv.to) || piece.role == Role::Cannon && line.is_some() =>
        {
            MoveFault::OwnPiece { mv, piece: other }
        }
        Some(_) | None => MoveFault::Impossible(piece),
    }
}

fn moves_from(position: &Position, squares: impl Iterator<Item = Square>) -> Vec<Move> {
    let squares: Vec<_> = squares.collect();
    let legal = position.legal_moves();
    legal
        .iter()
        .copied()
        .filter(|mv| squares.contains(&mv.from))
        .collect()
}
