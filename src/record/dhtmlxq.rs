//! 东萍 UBB: `[DhtmlXQ]…[/DhtmlXQ]` around `[DhtmlXQ_binit]…[/DhtmlXQ_binit]` and the like, alone or within
//! a page.

use super::cbf::plain;
use super::fault::{Fault, FaultKind, Place, Remark};
use super::form::Looks;
use super::frame;
use super::pieces;
use super::raw::RawRecord;
use super::record::{Comment, Record, Variation};
use super::{Encoding, LONGEST_TEXT, MOST_PLIES};
use crate::board::{Move, Position, Setup, Side, Square};
use crate::notation::fen::{self, FenError};
use crate::notation::{GameResult, read_move};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, BufRead, Read};

/// Around a game.
const OPEN: &[u8] = b"[DhtmlXQ]";
const CLOSE: &[u8] = b"[/DhtmlXQ]";
/// What every field begins with.
const FIELD: &str = "[DhtmlXQ_";
/// How a field is closed, in small letters, up to its name; and how long names are.
const CLOSED: &str = "[/dhtmlxq_";
const LONGEST_NAME: usize = 64;
/// Plies that are played over to come to where variations begin: more are those of no game.
const MOST_REPLAYED: usize = 1_000_000;

/// Cuts a text into games: from mark to mark, whatever stands between them.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    encoding: Encoding,
    proven: Option<Encoding>,
    lines: u64,
    games: u64,
    /// A game has been opened.
    within: bool,
    /// The line on which it was.
    line: u64,
    bytes: Vec<u8>,
    piece: Vec<u8>,
    ended: bool,
}

fn ends_with(bytes: &[u8], mark: &[u8]) -> bool {
    let end = bytes.len().checked_sub(mark.len());
    end.and_then(|end| bytes.get(end..))
        .is_some_and(|end| end.eq_ignore_ascii_case(mark))
}

impl Blocks {
    pub(super) fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            ..Self::default()
        }
    }

    fn fault(&self, kind: FaultKind) -> Fault {
        let line = if self.within {
            self.line
        } else {
            self.lines + 1
        };
        Fault::new(self.games, frame::start_of(line), None, kind)
    }

    /// Reads the next game. False at the end of the file.
    pub(super) fn next(
        &mut self,
        input: &mut dyn BufRead,
        game: &mut RawRecord,
    ) -> Result<bool, Fault> {
        let mut too_long = false;
        while !self.ended {
            // All marks end with a bracket.
            let piece = self
                .piece(input)
                .map_err(|error| self.fault(FaultKind::Io(error.to_string())))?;
            if !piece {
                self.ended = true;
                break;
            }
            let begins = ends_with(&self.piece, OPEN);
            let found = std::mem::take(&mut self.piece);
            let lines = found.split(|&byte| byte == b'\n').count() as u64 - 1;
            if begins && self.within && (too_long || !self.bytes.is_empty()) {
                // The one before was never closed.
                let result = self.give(game, too_long);
                (self.within, self.line) = (true, self.lines + lines + 1);
                self.lines += lines;
                return result;
            }
            self.lines += lines;
            if begins {
                (self.within, self.line) = (true, self.lines + 1);
            } else if !self.within && has_field(&found) {
                // Fields without marks around them.
                (self.within, self.line) = (true, self.lines + 1);
                self.bytes.extend_from_slice(&found);
            } else if self.within {
                too_long |= self.bytes.len() + found.len() > LONGEST_TEXT;
                if too_long {
                    self.bytes.clear();
                } else {
                    self.bytes.extend_from_slice(&found);
                }
                if ends_with(&found, CLOSE) {
                    return self.give(game, too_long);
                }
            }
            self.piece = found;
        }
        if self.within && (too_long || has_field(&self.bytes)) {
            return self.give(game, too_long);
        }
        if self.games == 0 {
            self.games = 1;
            return Err(self.fault(FaultKind::NoRecord(Looks::Page)));
        }
        Ok(false)
    }

    /// Takes all up to the next closing bracket. False at the end of the file.
    fn piece(&mut self, input: &mut dyn BufRead) -> io::Result<bool> {
        self.piece.clear();
        let most = LONGEST_TEXT as u64;
        Ok(input.take(most).read_until(b']', &mut self.piece)? > 0)
    }

    fn give(&mut self, game: &mut RawRecord, too_long: bool) -> Result<bool, Fault> {
        self.games += 1;
        game.number = self.games;
        game.line = self.line;
        let bytes = std::mem::take(&mut self.bytes);
        let result = if too_long {
            Err(self.fault(FaultKind::TooLong(LONGEST_TEXT)))
        } else if frame::decode(&bytes, self.encoding, &mut self.proven, &mut game.text) {
            Ok(true)
        } else {
            Err(self.fault(FaultKind::Encoding(self.encoding)))
        };
        self.within = false;
        result
    }
}

fn has_field(bytes: &[u8]) -> bool {
    bytes
        .windows(FIELD.len())
        .any(|window| window.eq_ignore_ascii_case(FIELD.as_bytes()))
}

/// The fields of a game, one by one: where the value starts, the name in small letters, the value.
fn fields(text: &str) -> impl Iterator<Item = (usize, String, &str)> {
    let lower = text.to_ascii_lowercase();
    // Where each name is closed, found once: there may be as many fields that are not.
    let mut closes: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, mark) in lower.match_indices(CLOSED) {
        let behind = lower.get(place + mark.len()..).unwrap_or_default();
        let end = behind
            .bytes()
            .take(LONGEST_NAME)
            .position(|byte| byte == b']');
        if let Some(name) = end.and_then(|end| behind.get(..end)) {
            closes.entry(name.to_owned()).or_default().push(place);
        }
    }
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + lower.get(at..)?.find("[dhtmlxq_")? + FIELD.len();
            let length = lower.get(start..)?.find(']')?;
            let name = lower.get(start..start + length)?.to_owned();
            let value = start + length + 1;
            at = value;
            let end = closes.get(&name).and_then(|places| {
                places
                    .get(places.partition_point(|&place| place < value))
                    .copied()
            });
            if let Some(end) = end {
                at = end + CLOSED.len() + name.len() + 1;
                return Some((value, name, text.get(value..end)?));
            }
            // A field that is not closed ends where the next begins.
            if matches!(&*name, "binit" | "movelist" | "fen") {
                let rest = lower.get(value..)?;
                let length = rest.find('[').unwrap_or(rest.len());
                return Some((value, name, text.get(value..value + length)?));
            }
        }
    })
}

/// The names fields have in the tags of a record.
const TAGS: [(&str, &str); 19] = [
    ("title", "Title"),
    ("event", "Event"),
    ("class", "Class"),
    ("group", "Group"),
    ("round", "Round"),
    ("table", "Table"),
    ("date", "Date"),
    ("place", "Site"),
    ("timerule", "TimeControl"),
    ("red", "Red"),
    ("redname", "Red"),
    ("redteam", "RedTeam"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackname", "Black"),
    ("blackteam", "BlackTeam"),
    ("blacktime", "BlackTime"),
    ("open", "Opening"),
    ("author", "Author"),
];

/// What a value says, the marks of a page left out.
fn value(text: &str) -> String {
    let text = text
        .replace("<br>", "\n")
        .replace("<br/>", "\n")
        .replace("<br />", "\n")
        .replace("||", "\n");
    plain(&text)
}

const fn digit(byte: u8) -> Option<u8> {
    if byte.is_ascii_digit() {
        Some(byte - b'0')
    } else {
        None
    }
}

/// A square: the file from Red's left, the row from Black's side.
fn square(file: u8, row: u8) -> Option<Square> {
    Square::new(digit(file)?, 9 - digit(row)?)
}

/// The digits of a value, with the place of each.
fn digits(text: &str) -> Vec<(usize, u8)> {
    text.bytes()
        .enumerate()
        .filter(|(_, byte)| !byte.is_ascii_whitespace())
        .collect()
}

/// Where the pieces stand; those taken off have a square that is none, 99.
fn setup(binit: &str) -> Setup {
    let digits = digits(binit);
    let squares = digits.as_chunks::<2>().0.iter();
    let squares = squares.map(|&[(_, file), (_, row)]| square(file, row));
    pieces::placed(Side::Red, 0, squares)
}

fn result(text: &str) -> GameResult {
    match text.trim() {
        "1" | "red" => GameResult::RedWins,
        "2" | "-1" | "black" => GameResult::BlackWins,
        "0" => GameResult::Unknown,
        other => other.parse().unwrap_or_else(|_| {
            let has = |words: &[&str]| words.iter().any(|word| other.contains(word));
            if has(&["红胜", "先胜", "红方胜", "黑负"]) {
                GameResult::RedWins
            } else if has(&["黑胜", "先负", "黑方胜", "红负"]) {
                GameResult::BlackWins
            } else if has(&["和"]) {
                GameResult::Draw
            } else {
                GameResult::Unknown
            }
        }),
    }
}

/// The moves of one list, as far as they can be played.
fn moves_of(
    raw: &RawRecord,
    start: &Position,
    (at, list): (usize, &str),
) -> (Vec<Move>, Option<Fault>) {
    let mut position = start.clone();
    let mut moves = Vec::new();
    let digits = digits(list);
    let mut chunks = digits.chunks(4);
    let fault = chunks.find_map(|four| {
        let &(offset, _) = four.first()?;
        if moves.len() == MOST_PLIES {
            let place = Place::Text(raw.location(at + offset));
            return Some((place, FaultKind::TooManyMoves(MOST_PLIES)));
        }
        let mv = match four {
            &[(_, a), (_, b), (_, c), (_, d)] => square(a, b).zip(square(c, d)),
            _ => None,
        };
        let kind = match mv.map(|(from, to)| Move::new(from, to)) {
            Some(mv) if position.make_legal(mv).is_some() => {
                moves.push(mv);
                return None;
            }
            Some(mv) => read_move(&position, &mv.to_string())
                .err()
                .map(|error| FaultKind::Move(Box::new(error)))?,
            None => FaultKind::Squares(four.iter().map(|&(_, byte)| char::from(byte)).collect()),
        };
        let place = Place::Text(raw.location(at + offset));
        Some((place, kind))
    });
    let index = Some(moves.len());
    let fault = fault.map(|(place, kind)| raw.fault(place, index, kind));
    (moves, fault)
}

pub(super) fn read(raw: &RawRecord) -> Result<Record, Fault> {
    let fault = |at, kind| raw.fault(Place::Text(raw.location(at)), None, kind);
    let mut record = Record::new(Position::start());
    let mut board: Option<(usize, Setup)> = None;
    let mut told: Option<(usize, Setup)> = None;
    let mut main = (0, "");
    let (mut lists, mut comments) = (Vec::new(), Vec::new());
    for (at, name, text) in fields(&raw.text) {
        match &*name {
            "binit" if !text.trim().is_empty() => board = Some((at, setup(text))),
            "fen" if !text.trim().is_empty() => {
                let setup = fen::parse_setup(text.trim());
                told = Some((at, setup.map_err(|error| fault(at, FaultKind::Fen(error)))?));
            }
            "movelist" if main.1.is_empty() => main = (at, text),
            "result" => record.result = result(&value(text)),
            _ => {
                let numbers = |name: &str| {
                    let numbers = name.split('_').map(str::parse);
                    numbers.collect::<Result<Vec<usize>, _>>().ok()
                };
                if let Some(numbers) = name.strip_prefix("move_").and_then(numbers) {
                    lists.push((numbers, (at, text)));
                } else if let Some(numbers) = name.strip_prefix("comment").and_then(numbers) {
                    comments.push((numbers, value(text)));
                } else if let Some((_, tag)) = TAGS.iter().find(|(known, _)| *known == name)
                    && record.tag(tag).is_none_or(str::is_empty)
                {
                    record.tell(tag, value(text));
                }
            }
        }
    }
    // The squares alone do not say whose move it is.
    if let (Some((_, board)), Some((_, told))) = (&mut board, &told) {
        board.turn = told.turn;
    }
    if let Some((at, mut setup)) = board.or(told) {
        let digits = digits(main.1);
        let first = digits.first_chunk::<2>();
        let from = first.and_then(|&[(_, file), (_, row)]| square(file, row));
        if let Some(piece) = from.and_then(|from| setup.piece_at(from)) {
            setup.turn = piece.side;
        }
        record.start = setup
            .position()
            .map_err(|faults| fault(at, FaultKind::Fen(FenError::Impossible(faults))))?;
    } else if main.1.is_empty() {
        return Err(fault(0, FaultKind::NoRecord(Looks::Page)));
    }
    (record.moves, record.fault) = moves_of(raw, &record.start, main);
    let known = variations(raw, &mut record, &lists);
    said(&mut record, &known, comments);
    Ok(record)
}

/// What is said about moves: `comment12` or `comment0_12` of the main line, `comment3_12` of list 3. Steps are counted from
/// the start of the game, whatever list they are in.
fn said(record: &mut Record, known: &Lists, comments: Vec<(Vec<usize>, String)>) {
    for (numbers, text) in comments {
        let (list, step) = match *numbers {
            [step] => (0, step),
            [list, step] => (list, step),
            _ => continue,
        };
        let Some(&of) = known.get(&list) else {
            continue;
        };
        let Some(after) = step.checked_sub(before(record, of)) else {
            continue;
        };
        let (moves, comments) = match of.and_then(|of| record.variations.get_mut(of)) {
            None => (&record.moves, &mut record.comments),
            Some(variation) => (&variation.moves, &mut variation.comments),
        };
        if after <= moves.len() && !text.is_empty() {
            comments.push(Comment { after, text });
        }
    }
    record.comments.sort_by_key(|comment| comment.after);
    for variation in &mut record.variations {
        variation.comments.sort_by_key(|comment| comment.after);
    }
}

/// The lists of moves by their numbers: the main line is 0.
type Lists = BTreeMap<usize, Option<usize>>;

/// `move_0_12_1`: list 1 leaves list 0, the main line, with its move 12.
fn variations(
    raw: &RawRecord,
    record: &mut Record,
    lists: &[(Vec<usize>, (usize, &str))],
) -> Lists {
    let mut known = Lists::from([(0, None)]);
    let (mut dropped, mut replayed) = (0, 0);
    for (numbers, list) in lists {
        let &[parent, step, number] = &**numbers else {
            dropped += 1;
            continue;
        };
        let start = known.get(&parent).and_then(|&of| {
            if replayed > MOST_REPLAYED {
                return None;
            }
            let at = step.checked_sub(before(record, of) + 1)?;
            let line = of.and_then(|of| record.variations.get(of));
            if at > line.map_or(record.moves.len(), |line| line.moves.len()) {
                return None;
            }
            replayed += step;
            let position = reached(record, of, at)?;
            let (of, at) = record.leaves(of, at);
            Some((position, of, at))
        });
        let kept = start.and_then(|(position, of, at)| {
            let (moves, _) = moves_of(raw, &position, *list);
            (!moves.is_empty()).then_some(Variation {
                of,
                at,
                moves,
                comments: Vec::new(),
            })
        });
        match kept {
            Some(variation) => {
                known.entry(number).or_insert(Some(record.variations.len()));
                record.variations.push(variation);
            }
            None => dropped += 1,
        }
    }
    if dropped > 0 {
        record.remarks.push(Remark::Variations(dropped));
    }
    known
}

/// A line and those it comes from, the last first.
fn chain(record: &Record, of: Option<usize>) -> impl Iterator<Item = &Variation> {
    let variation = |of: Option<usize>| record.variations.get(of?);
    std::iter::successors(variation(of), move |one| variation(one.of))
}

/// How many plies of the game come before the first move of a line.
fn before(record: &Record, of: Option<usize>) -> usize {
    chain(record, of).map(|variation| variation.at).sum()
}

/// The position in a line after so many of its moves.
fn reached(record: &Record, of: Option<usize>, at: usize) -> Option<Position> {
    let mut chain: Vec<_> = chain(record, of).collect();
    chain.reverse();
    let lines = chain.iter().map(|variation| &variation.moves);
    let lines = std::iter::once(&record.moves).chain(lines);
    let lengths = chain.iter().map(|variation| variation.at);
    let mut position = record.start.clone();
    for (line, length) in lines.zip(lengths.chain([at])) {
        for &mv in line.get(..length)? {
            position.make(mv);
        }
    }
    Some(position)
}

impl Record {
    /// The game as 东萍 UBB, with its variations.
    ///
    /// ```
    /// use qili::board::Position;
    /// use qili::record::Record;
    /// let mut game = Record::new(Position::start());
    /// game.moves = qili::notation::read_list(&game.start, "h2e2 h9g7")?;
    /// let text = game.to_dhtmlxq();
    /// assert!(text.contains("[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"));
    /// # Ok::<_, qili::notation::ListError>(())
    /// ```
    pub fn to_dhtmlxq(&self) -> String {
        let mut text = String::from("[DhtmlXQ]\n");
        let mut field = |name: &str, value: &str| {
            // Nothing that is told may end its field.
            let value = value.replace(['[', ']'], " ").replace('\n', "||");
            let _ = writeln!(text, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
        };
        for (name, tag) in TAGS {
            // Of two names for one tag the first is written.
            let first = TAGS.iter().find(|(_, other)| *other == tag);
            if first.is_some_and(|(first, _)| *first == name)
                && let Some(told) = self.tag(tag).filter(|told| !told.is_empty())
            {
                field(name, told);
            }
        }
        if self.result != GameResult::Unknown {
            field("result", self.result.zh());
        }
        let squares = pieces::squares(&self.start.setup()).into_iter();
        let binit: String = squares
            .map(|square| square.map_or("99".to_owned(), digits_of))
            .collect();
        field("binit", &binit);
        if self.moves.is_empty() && self.start.turn() == Side::Black {
            // Nothing else would say so.
            field("fen", &fen::write(&self.start));
        }
        field("movelist", &list(&self.moves));
        for (number, variation) in (1..).zip(&self.variations) {
            let parent = variation.of.map_or(0, |of| of + 1);
            let step = before(self, Some(number - 1)) + 1;
            field(
                &format!("move_{parent}_{step}_{number}"),
                &list(&variation.moves),
            );
        }
        for (after, comment) in joined(&self.comments) {
            field(&format!("comment{after}"), &comment);
        }
        for (number, variation) in (1..).zip(&self.variations) {
            let before = before(self, Some(number - 1));
            for (after, comment) in joined(&variation.comments) {
                field(&format!("comment{number}_{}", before + after), &comment);
            }
        }
        text.push_str("[/DhtmlXQ]\n");
        text
    }
}

/// What is said of each move, in one piece.
fn joined(comments: &[Comment]) -> Vec<(usize, String)> {
    let mut told: Vec<(usize, String)> = Vec::new();
    for comment in comments {
        match told.last_mut() {
            Some((after, text)) if *after == comment.after => {
                text.push('\n');
                text.push_str(&comment.text);
            }
            _ => told.push((comment.after, comment.text.clone())),
        }
    }
    told
}

fn digits_of(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

fn list(moves: &[Move]) -> String {
    let squares = moves.iter().flat_map(|mv| [mv.from, mv.to]);
    squares.map(digits_of).collect()
}
