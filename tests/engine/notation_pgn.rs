//! Game records: encodings, tags, comments, variations, errors, many games in one file.

use qili::board::Position;
use qili::notation::pgn::{Encoding, PgnError, PgnReader, RawGame, Record};
use qili::notation::{GameResult, Notation, fen, read_list};

const GAMES: &str = "\
[赛事 \"全国象棋个人赛\"]
[红方 \"胡荣华\"]
[黑方 \"杨官璘\"]
[结果 \"1-0\"]
[Format \"Chinese\"]

1. 炮二平五 {中炮} 马8进7 2. 马二进三 (2. 马八进七 车9进1
(车9平8 {不对)}) 3. 车一进一) 车9平8
; 整行注释 ) }
3. 车一平二 $1 炮8进4!? 1-0

[Event \"second \\\"quoted\\\" [x]\"]
[FEN \"3k5/9/9/9/9/9/9/9/4R4/5K3 w\"]

1. R5=6 {
[Event \"not a tag\"]
} K4=5 *
";

fn all(bytes: &[u8]) -> Vec<Result<Record, PgnError>> {
    PgnReader::new(bytes).collect()
}

#[test]
fn either_encoding_gives_the_same_games() {
    let games: Vec<_> = all(GAMES.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(games.len(), 2);
    let [first, second] = &*games else {
        unreachable!()
    };
    assert_eq!(first.tag("Red"), Some("胡荣华"));
    assert_eq!(first.tag("黑方"), Some("杨官璘"));
    assert_eq!(first.moves.len(), 6);
    assert_eq!(first.result, GameResult::RedWins);
    assert_eq!(second.tag("Event"), Some("second \"quoted\" [x]"));
    assert_eq!(second.moves.len(), 2);
    let with_mark = [b"\xEF\xBB\xBF", GAMES.as_bytes()].concat();
    let gb18030 = Encoding::Gb18030.encode(GAMES);
    assert_ne!(&*gb18030, GAMES.as_bytes());
    for bytes in [
        &with_mark[..],
        &gb18030,
        GAMES.replace('\n', "\r\n").as_bytes(),
    ] {
        let read: Vec<_> = all(bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(read, games);
    }
    let told: Vec<_> = PgnReader::with_encoding(&*gb18030, Encoding::Gb18030).collect();
    assert!(told.iter().all(Result::is_ok));
    let wrong = PgnReader::with_encoding(&*gb18030, Encoding::Utf8)
        .next()
        .unwrap()
        .unwrap_err();
    assert_eq!(wrong.code(), "pgn_encoding");
}

#[test]
fn a_brace_within_a_character_is_none() {
    // 亄 is 81 7B and 亇 81 7D in GB18030: their second bytes look like braces.
    let text = "[红方 \"亄\"]\n\n1. h2e2 {亇亄}\n h9g7 *\n\n[红方 \"乙\"]\n\n1. h2e2 *\n";
    let bytes = Encoding::Gb18030.encode(text);
    assert!(bytes.windows(2).any(|pair| pair == b"\x81{"));
    let games: Vec<_> = all(&bytes).into_iter().map(Result::unwrap).collect();
    let lengths: Vec<_> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(lengths, [2, 1]);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let table: [(&str, &str, u64, u64, Option<usize>); 9] = [
        (
            "[Event \"x\"]\n\n1. h2e2 h9g8 *",
            "move_impossible",
            3,
            9,
            Some(1),
        ),
        (
            "1. h2e2\n 马8进7 2. 吃 *",
            "move_unreadable",
            2,
            10,
            Some(2),
        ),
        ("[FEN \"9/9 w\"]\n\n*", "fen_ranks", 1, 7, None),
        (
            "[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 w\"]\n\n*",
            "position_impossible",
            1,
            7,
            None,
        ),
        ("[Event \"x\"]\n[Red 甲]\n\n*", "pgn_tag", 2, 1, None),
        (
            "[Event \"x\"]\n\n1. h2e2 {h9g7 *",
            "text_open_comment",
            3,
            9,
            Some(1),
        ),
        ("1. h2e2 (h9g7 ( *", "text_open_variation", 1, 9, Some(1)),
        ("1. h2e2 ) h9g7 *", "text_stray_close", 1, 9, Some(1)),
        ("1. h2e2 1-0 2. h9g7", "pgn_behind_result", 1, 16, Some(1)),
    ];
    for (text, code, line, column, index) in table {
        // The same fault again as the second game of a file, four lines further down.
        for (before, game, lines) in [("", 1, 0), ("[Event \"x\"]\n\n*\n\n", 2, 4)] {
            if game == 2 && !text.starts_with('[') {
                continue;
            }
            let text = format!("{before}{text}");
            let error = all(text.as_bytes()).pop().unwrap().unwrap_err();
            let place = error.location;
            let told = (
                error.code(),
                error.game,
                place.line,
                place.column,
                error.index,
            );
            assert_eq!(
                told,
                (code, game, line + lines, column, index),
                "{text}\n{error}"
            );
            let zh = format!("第{game}局，第{}行第{column}列", line + lines);
            assert!(error.zh().starts_with(&zh), "{}", error.zh());
        }
    }
}

#[test]
fn a_bad_game_does_not_spoil_the_next() {
    let text = "[Event \"1\"]\n\n1. h2e2 {never closed\n\n[Event \"2\"]\n\n1. h2h3 h9g8 *\n\n\
                [Event \"3\"]\n\n[Event \"4\"]\n\n1. h2e2 *\n";
    let codes: Vec<_> = all(text.as_bytes())
        .into_iter()
        .map(|game| game.err().map(|e| e.code()))
        .collect();
    assert_eq!(
        codes,
        [
            Some("text_open_comment"),
            Some("move_impossible"),
            None,
            None
        ]
    );
    let long = format!(
        "[Event \"1\"]\n\n{}\n[Event \"2\"]\n\n*\n",
        "h2e2 e2h2 ".repeat(300_000)
    );
    let codes: Vec<_> = all(long.as_bytes())
        .into_iter()
        .map(|game| game.err().map(|e| e.code()))
        .collect();
    assert_eq!(codes, [Some("pgn_too_long"), None]);
    let broken = [
        b"[Event \"1\"]\n\n{\xFF\xFF} *\n".as_slice(),
        GAMES.as_bytes(),
    ]
    .concat();
    let codes: Vec<_> = all(&broken)
        .into_iter()
        .map(|game| game.err().map(|e| e.code()))
        .collect();
    assert_eq!(codes, [Some("pgn_encoding"), None, None]);
}

#[test]
fn tags_can_be_read_without_the_moves() {
    let mut reader = PgnReader::new(GAMES.as_bytes());
    let mut game = RawGame::new();
    let mut seen = Vec::new();
    while reader.read_raw(&mut game).unwrap() {
        seen.push((
            game.number(),
            game.line(),
            game.tags().count(),
            game.tag("event").map(std::borrow::Cow::into_owned),
        ));
    }
    let second = "second \"quoted\" [x]".to_owned();
    assert_eq!(
        seen,
        [
            (1, 1, 5, Some("全国象棋个人赛".to_owned())),
            (2, 12, 2, Some(second))
        ]
    );
}

#[test]
fn records_read_back_as_written() {
    let mut games = Vec::new();
    let mut opening = Record::new(Position::start());
    opening.moves = read_list(&opening.start, "炮25 马87 马23 车98 车12 炮84").unwrap();
    opening.result = GameResult::Draw;
    opening.tags = vec![
        ("Event".into(), "a \"b\" \\ ] \\\"".into()),
        ("红方".into(), "甲\\".into()),
    ];
    games.push(opening);
    let mut ending = Record::new(fen::parse("3k5/9/9/9/9/9/9/9/4R4/4K4 b").unwrap());
    ending.moves = read_list(&ending.start, "d9d8 e1d1").unwrap();
    games.push(ending);
    for notation in Notation::ALL {
        for encoding in [Encoding::Utf8, Encoding::Gb18030] {
            let file: String = games.iter().map(|game| game.write(notation)).collect();
            let read = all(&encoding.encode(&file));
            assert_eq!(read.len(), games.len());
            for (game, read) in games.iter().zip(read) {
                let mut read = read.unwrap_or_else(|e| unreachable!("{e}\n{file}"));
                assert!(read.tag("Format").is_some());
                read.tags
                    .retain(|(name, _)| !matches!(name.as_str(), "Result" | "FEN" | "Format"));
                assert_eq!(&read, game, "{file}");
            }
        }
    }
}

/// Some text, then a failure.
struct Failing<'a>(&'a [u8]);

impl std::io::Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(std::io::Error::other("the disk is gone")),
            length => Ok(length),
        }
    }
}

#[test]
fn a_failing_file_ends_the_reading() {
    let text = "[Event \"1\"]\n\n*\n\n[Event \"2\"]\n\n1. h2e2";
    let reader = PgnReader::new(std::io::BufReader::new(Failing(text.as_bytes())));
    let games: Vec<_> = reader.collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_ok());
    let error = games[1].as_ref().unwrap_err();
    assert_eq!((error.code(), error.game), ("pgn_io", 2));
    assert!(error.to_string().contains("the disk is gone"), "{error}");
}

#[test]
fn lines_are_counted_through_games_too_long_and_blank_lines() {
    let long = "h2e2 ".repeat(500_000);
    let text = format!("\n\n[Event \"1\"]\n\n{long}\n\n\n[Event \"2\"]\n\n1. h2h3 x *\n");
    let games = all(text.as_bytes());
    let places: Vec<_> = games
        .iter()
        .map(|game| game.as_ref().unwrap_err().location)
        .map(|at| (at.line, at.column))
        .collect();
    assert_eq!(places, [(3, 1), (10, 9)]);
}
