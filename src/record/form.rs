//! What a file is, told by its first bytes and never by its name.

use crate::language::{Text, both};
use crate::named::named;
use memchr::{memchr, memrchr};

named! {
    /// How games are written down.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Form {
        /// One game of 象棋演播室 (`XQStudio`).
        Xqf "xqf",
        /// A library of 象棋桥 (`CCBridge`) 3.
        Cbl "cbl",
        /// One game of 象棋桥 3.
        Cbr "cbr",
        /// A game or a library of 象棋桥 2.
        OldBridge "cbridge",
        /// The XML of 象棋桥 and 象棋巫师.
        Cbf "cbf",
        /// 东萍 UBB: `[DhtmlXQ]…`, also within a page.
        Dhtmlxq "dhtmlxq",
        /// Games in words: PGN, score sheets, lists of moves.
        Sheet "pgn",
        /// `position … moves …`, a game a line.
        Lines "position",
        /// Links to chessdb.cn.
        Links "chessdb",
        /// Games as rows of JSON.
        Rows "ndjson",
    }
}

/// What a file looks like that is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Looks {
    /// Nothing in it.
    Empty,
    /// A file of a kind that is known by its first bytes.
    Known(&'static str),
    /// A page without a game in it.
    Page,
    /// JSON, but not rows of games.
    Json,
    /// Text in which nothing reads as a move.
    Text,
    /// None of these.
    Binary,
}

impl Looks {
    pub(super) fn text(self) -> Text {
        match self {
            Self::Empty => both!("this is empty", "内容为空"),
            Self::Known(name) => {
                let bare = name.trim_start_matches("an ").trim_start_matches("a ");
                both!("this looks like {name}", "看来是 {bare}")
            }
            Self::Page => both!(
                "this looks like a web page, without `[DhtmlXQ]` in it",
                "看来是网页，其中没有 [DhtmlXQ] 棋谱",
            ),
            Self::Json => both!(
                "this looks like JSON, but not like rows of games",
                "看来是 JSON，但不是棋局的行",
            ),
            Self::Text => both!(
                "this looks like a text in which nothing reads as a move",
                "看来是文字，其中没有可读的着法",
            ),
            Self::Binary => both!(
                "this looks like neither text nor a record that is known",
                "既不是文字，也不是已知的棋谱",
            ),
        }
    }
}

/// The first bytes of files that are no records.
const KNOWN: [(&[u8], &str); 22] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"Rar!\x1A\x07", "a RAR archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"\x1F\x8B", "a gzip file"),
    (b"\x28\xB5\x2F\xFD", "a zstd file"),
    (b"BZh", "a bzip2 file"),
    (b"\xFD7zXZ", "an xz file"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF-", "a PDF document"),
    (
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        "a document of Word or Excel",
    ),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xFF\xD8\xFF", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a RIFF file (picture, sound or film)"),
    (b"BM", "a BMP picture"),
    (b"MZ", "a program of Windows"),
    (b"\x7FELF", "a program"),
    (b"ITSF", "a CHM help file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"ID3", "an MP3 sound"),
];

/// Whether something stands in a text, however it is capitalised. What is looked for is the byte in it that is no letter,
/// where there is one: those are rarer, and found many bytes at a time.
fn has(text: &[u8], what: &[u8]) -> bool {
    let odd = what.iter().rposition(|byte| !byte.is_ascii_alphabetic());
    let ahead = odd.unwrap_or(0);
    let Some(sought) = what.get(ahead) else {
        return true;
    };
    let mut rest = text;
    while !rest.is_empty() {
        let at = if odd.is_some() {
            memchr(*sought, rest)
        } else {
            let is_it = |byte: &u8| byte.eq_ignore_ascii_case(sought);
            rest.iter().position(is_it)
        };
        rest = at.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
        let start = (text.len() - rest.len()).checked_sub(ahead + 1);
        let here = start.and_then(|start| text.get(start..)?.get(..what.len()));
        if here.is_some_and(|here| here.eq_ignore_ascii_case(what)) {
            return true;
        }
    }
    false
}

impl Form {
    /// What a file is that begins like this: the first 64 KiB or all of it.
    ///
    /// ```
    /// use qili::record::{Form, Looks};
    /// assert_eq!(Form::of(b"XQ\x0A\0rest"), Ok(Form::Xqf));
    /// assert_eq!(Form::of("1. 炮二平五".as_bytes()), Ok(Form::Sheet));
    /// assert_eq!(Form::of(b"%PDF-1.7"), Err(Looks::Known("a PDF document")));
    /// ```
    ///
    /// # Errors
    /// What it looks like, where it is nothing that is read.
    pub fn of(head: &[u8]) -> Result<Self, Looks> {
        match head {
            // Version 10 is the number of a line's end: a text has no zeros behind it.
            [b'X', b'Q', version, rest @ ..]
                if *version < 0x20 && (!version.is_ascii_whitespace() || rest.contains(&0)) =>
            {
                return Ok(Self::Xqf);
            }
            _ if head.starts_with(b"CCBridge Record\0") => return Ok(Self::Cbr),
            _ if head.starts_with(b"CCBridgeLibrary\0") => return Ok(Self::Cbl),
            _ if head.starts_with(b"CCBridge") && head.get(8).is_some_and(|&byte| byte < 0x20) => {
                return Ok(Self::OldBridge);
            }
            _ => {}
        }
        let known = |(magic, _): &&(&[u8], _)| {
            // Two letters alone begin words, too.
            head.starts_with(magic) && (magic.len() > 2 || has(head, b"\0") || !magic.is_ascii())
        };
        if let Some((_, name)) = KNOWN.iter().find(known) {
            return Err(Looks::Known(name));
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        if text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF") {
            // Text in UTF-16; what of it is told apart once it is turned into UTF-8.
            return Ok(Self::Sheet);
        }
        let odd = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1A);
        // Most have none, and to see that takes less than to count them.
        if text.iter().fold(false, |found, byte| found | odd(*byte)) {
            // Words may have a few of them strewn in, but no zeros.
            let odd = text.iter().filter(|byte| odd(**byte)).count();
            if odd * if text.contains(&0) { 64 } else { 4 } > text.len() {
                return Err(Looks::Binary);
            }
        }
        let start = text.trim_ascii_start();
        match start {
            [] => Err(Looks::Empty),
            [b'<', ..] => markup(text),
            // A brace may open a comment.
            [b'{', rest @ ..] if matches!(rest.trim_ascii_start(), [b'"' | b'}', ..] | []) => {
                json(start)
            }
            _ => Ok(of_words(text)),
        }
    }
}

fn markup(text: &[u8]) -> Result<Form, Looks> {
    if has(text, b"<ChineseChessRecord") || has(text, b"<MoveList") {
        Ok(Form::Cbf)
    } else if has(text, b"DhtmlXQ") || has(text, b"<html") || has(text, b"<!doctype html") {
        // Whether there is one in the page is seen when it is read.
        Ok(Form::Dhtmlxq)
    } else if text.starts_with(b"<?xml") {
        Err(Looks::Known("an XML document"))
    } else {
        Err(Looks::Page)
    }
}

/// Whether an object begins like a row of `qili convert`; requests are told apart elsewhere.
fn json(start: &[u8]) -> Result<Form, Looks> {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or(start);
    if has(line, b"\"file\"") && has(line, b"\"index\"") && has(line, b"\"moves\"") {
        Ok(Form::Rows)
    } else {
        Err(Looks::Json)
    }
}

fn of_words(text: &[u8]) -> Form {
    if has(text, b"[DhtmlXQ") {
        return Form::Dhtmlxq;
    }
    if has_position(text) {
        return Form::Lines;
    }
    // A link may stand in a tag or a remark of a game as well.
    let is_tag = |line: &[u8]| line.starts_with(b"[");
    let lines = || text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines().find(|line| !line.is_empty()).unwrap_or_default();
    let begins = has(first, b"chessdb.cn/") && !is_tag(first);
    if begins || has(text, b"chessdb.cn/") && !lines().any(is_tag) {
        return Form::Links;
    }
    Form::Sheet
}

/// Whether a line gives a position and moves. Such a line has slashes in it or says `startpos`, and only few are looked at.
fn has_position(text: &[u8]) -> bool {
    // All of it is looked at, many bytes at a time, which takes less than to stop.
    let begun = text.array_windows().fold(false, |found, [s, t]| {
        let here = s | 0x20 == b's' && t | 0x20 == b't';
        found | here
    });
    let holds = |line: &[u8]| super::lines::is_position(line.trim_ascii());
    let newline = |byte: &u8| *byte == b'\n';
    if begun && has(text, b"startpos") {
        return text.split(newline).any(holds);
    }
    let mut rest = text;
    while let Some(slash) = memchr(b'/', rest) {
        let (ahead, behind) = rest.split_at_checked(slash).unwrap_or((rest, b""));
        let start = memrchr(b'\n', ahead).map_or(0, |at| at + 1);
        let end = slash + memchr(b'\n', behind).unwrap_or(behind.len());
        if rest.get(start..end).is_some_and(holds) {
            return true;
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    false
}
