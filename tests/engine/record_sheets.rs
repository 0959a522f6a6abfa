//! Games in words: encodings, tags, comments, variations, errors, many games in one file.

use qili::board::Position;
use qili::notation::{GameResult, Location, Notation, fen, read_list};
use qili::record::{Comment, Encoding, Fault, Place, RawRecord, Reader, Record, Remark};

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

fn all(bytes: &[u8]) -> Vec<Result<Record, Fault>> {
    Reader::new(bytes)
        .map(|game| game.and_then(Record::whole))
        .collect()
}

/// Where a fault of a text is.
fn at(fault: &Fault) -> Location {
    match fault.place {
        Place::Text(location) => location,
        Place::Byte(byte) => unreachable!("byte {byte}"),
    }
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
    let told: Vec<_> = Reader::with_encoding(&*gb18030, Encoding::Gb18030).collect();
    assert!(told.iter().all(Result::is_ok));
    let wrong = Reader::with_encoding(&*gb18030, Encoding::Utf8)
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
    let table: [(&str, &str, u64, u64, Option<usize>); 8] = [
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
    ];
    for (text, code, line, column, index) in table {
        // The same fault again as the second game of a file, four lines further down.
        for (before, game, lines) in [("", 1, 0), ("[Event \"x\"]\n\n*\n\n", 2, 4)] {
            if game == 2 && !text.starts_with('[') {
                continue;
            }
            let text = format!("{before}{text}");
            let error = all(text.as_bytes()).pop().unwrap().unwrap_err();
            let place = at(&error);
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
    let mut reader = Reader::new(GAMES.as_bytes());
    let mut game = RawRecord::new();
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

/// A header of a binary format may hold zeros: written out as they are they would make the sheet none.
#[test]
fn zeros_in_words_leave_a_sheet_a_text() {
    let mut game = Record::new(Position::start());
    game.moves = read_list(&game.start, "炮25").unwrap();
    game.tags = vec![("Event".into(), "a\0\0b".into())];
    game.comments = vec![Comment {
        after: 1,
        text: "c\0\0d".into(),
    }];
    let read = one(&game.write(Notation::Iccs));
    assert_eq!(read.moves, game.moves);
    assert_eq!(read.tag("Event"), Some("a  b"));
    assert_eq!(read.comments[0].text, "c  d");
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
    let reader = Reader::new(std::io::BufReader::new(Failing(text.as_bytes())));
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
        .map(|game| at(game.as_ref().unwrap_err()))
        .map(|at| (at.line, at.column))
        .collect();
    assert_eq!(places, [(3, 1), (10, 9)]);
}

fn one(text: &str) -> Record {
    let games: Vec<_> = Reader::new(text.as_bytes()).collect();
    let [Ok(game)] = &*games else {
        unreachable!("{text}: {games:?}");
    };
    game.clone()
}

fn iccs(game: &Record) -> String {
    let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

const OPENING: &str = "h2e2 h9g7 h0g2 i9h9";

#[test]
fn what_is_printed_below_a_game_is_no_part_of_it() {
    let footer = "============================\n 欢迎访问《象棋百科全书网》 \n 推荐用《象棋巫师》观赏棋谱\n\
                  http://www.elephantbase.net/\n";
    for (below, told) in [
        (
            format!(" 1/2-1/2\n{footer}"),
            "============================",
        ),
        (footer.to_owned(), "============================"),
        (" 1-0 3. 车一平二".to_owned(), "车一平二"),
        (" 红胜\n棋谱由某网生成".to_owned(), "棋谱由某网生成"),
        (
            "\nhttp://www.example.net/1.html".to_owned(),
            "http://www.example.net/1.html",
        ),
        (" 1-0 )".to_owned(), ")"),
    ] {
        let text = format!("[Red \"甲\"]\n\n 1. 炮二平五 马８进７\n 2. 马二进三 车９平８\n{below}");
        let game = one(&text);
        assert_eq!(iccs(&game), OPENING, "{text}");
        assert_eq!(game.fault, None, "{text}");
        assert_eq!(game.remarks, [Remark::Behind(told.to_owned())], "{text}");
    }
    // The next game starts with its tags, whatever stands before them.
    let two = format!("[Red \"甲\"]\n1. 炮二平五 1-0\n{footer}\n[Red \"乙\"]\n1. 兵七进一 *\n");
    let games: Vec<_> = all(two.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let reds: Vec<_> = games.iter().map(|game| game.tag("Red")).collect();
    assert_eq!(reds, [Some("甲"), Some("乙")]);
}

#[test]
fn moves_are_read_as_people_write_them() {
    for text in [
        "第1回合 炮二平五 马8进7\n第2回合：马二进三 车9平8",
        "第一回合\n红方：炮二平五\n黑方：马8进7\n第二回合\n红方：马二进三\n黑方：车9平8",
        "①炮二平五 马8进7 ②马二进三 车9平8",
        "⒈炮二平五　马8进7\n⒉马二进三　车9平8",
        "1. 炮二平五 0:00:12 马8进7 0:00:05 2. 马二进三 00:31 车9平8 1:02",
        "1. 炮二平五 [%clk 0:10:00] 马8进7 {[%clk 0:09:58]} 2. 马二进三 12'30\" 车9平8 1分20秒",
        "1. Che2 Hg7 2. Hg2 Rh9",
        "1. h3e3 h10g8 2. h1g3 i10h10",
        "h3e3 h10g8 h1g3 i10h10",
        "position startpos moves h2e2 h9g7 h0g2 i9h9",
        "position startpos moves h3e3 h10g8 h1g3 i10h10",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves h2e2 h9g7 h0g2 i9h9",
        "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7 h0g2 i9h9",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n1. 炮二平五 马8进7 2. 马二进三 车9平8",
        "https://www.chessdb.cn/chessdb.php?action=queryrule&board=rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR%20w&movelist=h2e2|h9g7|h0g2|i9h9",
    ] {
        let game = one(text);
        assert_eq!(
            (iccs(&game), game.fault),
            (OPENING.to_owned(), None),
            "{text}"
        );
        assert_eq!(game.start, Position::start(), "{text}");
    }
}

#[test]
fn ranks_are_counted_from_one_where_that_alone_can_be_played() {
    let game = one("[Red \"甲\"]\n\n1. h3e3 h8e8 2. h1g3 b8d8 1-0");
    assert_eq!(iccs(&game), "h2e2 h7e7 h0g2 b7d7");
    assert_eq!(game.remarks, [Remark::CountedFromOne]);
    // A slip is told as it stands, not read as something else.
    let slip = one("[Red \"甲\"]\n\n1. h2e2 h9g7 2. h0g3 *");
    assert_eq!(iccs(&slip), "h2e2 h9g7");
    assert_eq!(
        slip.fault.map(|fault| fault.code()),
        Some("move_impossible")
    );
}

#[test]
fn headers_stand_for_tags_and_prose_for_a_title() {
    let text = "胡荣华与吕钦之战\n赛事：全国象棋个人赛\n日期: 1999.11.3\n红方：胡荣华\n黑方：吕钦\n结果：红胜\n\
                ----------------\n 1. 炮二平五 马8进7\n 2. 马二进三 车9平8\n";
    for bytes in [text.as_bytes(), &Encoding::Gb18030.encode(text)] {
        let games = all(bytes);
        let [Ok(game)] = &*games else {
            unreachable!("{games:?}");
        };
        assert_eq!(iccs(game), OPENING);
        let told = ["Title", "Event", "Date", "Red", "Black"].map(|name| game.tag(name).unwrap());
        assert_eq!(
            told,
            [
                "胡荣华与吕钦之战",
                "全国象棋个人赛",
                "1999.11.3",
                "胡荣华",
                "吕钦"
            ]
        );
        assert_eq!(game.result, GameResult::RedWins);
    }
}

#[test]
fn games_without_tags_follow_each_other_behind_their_results() {
    let sheets = "红方：甲\n1. 炮二平五 马8进7 红胜\n\n红方：乙\n1. 兵七进一 和棋\n";
    let lists = "1. 炮二平五 马8进7 1-0\n\n1. 兵七进一 1/2-1/2\n";
    let lines = "position startpos moves h2e2\ngo depth 5\nposition startpos moves h2e2 h9g7\n\
                 position startpos moves c3c4\n";
    for text in [sheets, lists, lines] {
        let games: Vec<_> = all(text.as_bytes())
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let moves: Vec<_> = games.iter().map(iccs).collect();
        assert_eq!(moves, ["h2e2 h9g7", "c3c4"], "{text}");
    }
}

#[test]
fn comments_and_variations_are_kept() {
    let game = one(
        "[Red \"甲\"]\n{开头} 1. 炮二平五 {中炮} 马8进7 (1. ... 炮8平5 {列炮} 2. 马二进三) (此着正常) *",
    );
    assert_eq!(iccs(&game), "h2e2 h9g7");
    let comments: Vec<_> = game.comments.iter().map(|c| (c.after, &*c.text)).collect();
    assert_eq!(comments, [(0, "开头"), (1, "中炮"), (2, "此着正常")]);
    let [variation] = &*game.variations else {
        unreachable!("{game:?}");
    };
    let moves: Vec<_> = variation.moves.iter().map(ToString::to_string).collect();
    assert_eq!(
        (variation.of, variation.at, moves.join(" ")),
        (None, 1, "h7e7 h0g2".to_owned())
    );
    assert_eq!(variation.comments[0].text, "列炮");
}

#[test]
fn what_is_no_record_says_what_it_looks_like() {
    for (bytes, says) in [
        (&b"%PDF-1.7 ..."[..], "this looks like a PDF document"),
        (b"PK\x03\x04....", "this looks like a ZIP archive"),
        (b"\x89PNG\r\n\x1A\n....", "this looks like a PNG picture"),
        (
            b"{\"a\": 1}",
            "this looks like JSON, but not like rows of games",
        ),
        (
            b"<html><body>hello</body></html>",
            "this looks like a web page, without `[DhtmlXQ]` in it",
        ),
        (
            b"\x01\x02\x00\x00\x03\x04 \x00\x01",
            "this looks like neither text nor a record that is known",
        ),
        (
            "今天天气很好\n我们去公园".as_bytes(),
            "this looks like a text in which nothing reads as a move",
        ),
    ] {
        let games = all(bytes);
        let [Err(fault)] = &*games else {
            unreachable!("{games:?}");
        };
        assert_eq!(fault.code(), "no_record");
        let told = fault.kind.to_string();
        assert!(told.starts_with(says), "{told}");
        assert!(told.contains("XQF, CBL, CBR, CBF, DhtmlXQ, PGN"), "{told}");
        assert!(fault.zh().contains("能读的是XQF"), "{}", fault.zh());
    }
}

#[test]
fn text_in_utf_16_is_read_like_any_other() {
    let text = "[红方 \"甲\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n".repeat(3_000);
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [
        [b"\xFF\xFE", &*little].concat(),
        [b"\xFE\xFF", &*big].concat(),
    ] {
        let games = all(&bytes);
        assert_eq!(games.len(), 3_000);
        assert!(
            games
                .iter()
                .all(|game| game.as_ref().is_ok_and(|game| iccs(game) == OPENING))
        );
    }
}
