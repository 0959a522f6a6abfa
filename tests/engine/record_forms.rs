//! Records of every form: read from bytes made up here, broken off, mutated, written and read back.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "test code: a helper that fails fails the test"
)]

use super::record_every::{KEYS, files};
use super::record_made::{self as made, ending, game};
use proptest::prelude::*;
use qili::board::Position;
use qili::notation::{GameResult, Notation, fen};
use qili::record::{Comment, Encoding, Fault, Form, Reader, Record, Remark, Variation};

fn all(bytes: &[u8]) -> Vec<Result<Record, Fault>> {
    Reader::new(bytes).collect()
}

fn one(bytes: &[u8]) -> Record {
    let mut games = all(bytes);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap()
}

const TOLD: [&str; 6] = ["Title", "Event", "Date", "Site", "Red", "Black"];

/// Whether two records tell the same game, what the form has no room for left out.
#[track_caller]
fn assert_same(read: &Record, game: &Record, variations: bool) {
    assert_eq!(read.fault, None);
    assert_eq!((&read.start, &read.moves), (&game.start, &game.moves));
    assert_eq!(read.result, game.result);
    assert_eq!(read.comments, game.comments);
    for name in TOLD {
        assert_eq!(
            read.tag(name).unwrap_or_default(),
            game.tag(name).unwrap_or_default(),
            "{name}"
        );
    }
    if variations {
        assert_eq!(read.variations, game.variations);
        assert_eq!(read.remarks, []);
    }
}

#[test]
fn xqf_of_every_version_is_read() {
    for version in [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] {
        for game in [game(), ending()] {
            let file = made::xqf(&game, version, KEYS);
            assert_eq!(Form::of(&file), Ok(Form::Xqf));
            assert_same(&one(&file), &game, true);
        }
    }
}

#[test]
fn whose_move_it_is_is_told_by_the_first_piece() {
    let mut file = made::xqf(&ending(), 12, KEYS);
    file[50] = 0;
    let read = one(&file);
    assert_eq!(read.moves, ending().moves);
    assert_eq!(read.remarks, [Remark::OtherSideFirst]);
}

#[test]
fn games_of_the_third_bridge_are_read() {
    for game in [game(), ending()] {
        let file = made::cbr(&game, 1);
        assert_eq!(Form::of(&file), Ok(Form::Cbr));
        assert_same(&one(&file), &game, true);
    }
}

#[test]
fn libraries_of_the_third_bridge_are_read() {
    // One that takes several blocks.
    let mut long = game();
    long.comments.push(Comment {
        after: 5,
        text: "长".repeat(5_000),
    });
    let files = [
        made::heading("第一组", 1),
        made::cbr(&game(), 2),
        made::cbr(&long, 3),
        made::cbr(&ending(), 4),
        made::cbr(&game(), 5),
    ];
    let games = all(&made::cbl(&files, &[4]));
    let [Err(heading), Ok(first), Ok(second), Ok(third), Ok(deleted)] = &*games else {
        unreachable!("{games:?}");
    };
    assert!(heading.is_heading());
    assert!(heading.to_string().contains("第一组"), "{heading}");
    assert_same(first, &game(), true);
    assert_same(second, &long, true);
    assert_same(third, &ending(), true);
    assert_eq!(deleted.moves, game().moves);
    assert_eq!(deleted.remarks, [Remark::Deleted]);
}

#[test]
fn games_and_libraries_of_the_second_bridge_are_read() {
    for game in [game(), ending()] {
        assert_same(&one(&made::packed(&made::old_game(&game))), &game, true);
    }
    let file = made::old_library(&[game(), ending(), game()]);
    assert_eq!(Form::of(&file), Ok(Form::OldBridge));
    let games: Vec<_> = all(&file).into_iter().map(Result::unwrap).collect();
    assert_eq!(games.len(), 3);
    for (read, made) in games.iter().zip([game(), ending(), game()]) {
        assert_same(read, &made, true);
    }
}

#[test]
fn cbf_is_read_from_either_side() {
    for game in [game(), ending()] {
        let file = made::cbf(&game);
        assert_eq!(Form::of(&file), Ok(Form::Cbf));
        assert_same(&one(&file), &game, false);
    }
    let up = "<MoveList><Move value=\"00-00\"/><Move value=\"72-42\"/><Move value=\"79-67\" end=\"1\"/><Move value=\"19-27\"/></MoveList>";
    let read = one(up.as_bytes());
    let moves: Vec<_> = read.moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["h2e2", "h9g7"]);
    assert_eq!(read.remarks, [Remark::Variations(1)]);
}

#[test]
fn dhtmlxq_is_read_alone_and_within_a_page() {
    let text = game().to_dhtmlxq();
    assert!(text.contains(
        "[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]"
    ));
    let gbk = Encoding::Gb18030.encode(&text);
    let page = format!(
        "<!DOCTYPE html><html><body><div>棋谱：\n{}</div>\n<p>{}</body></html>",
        text.replace('\n', "\r\n"),
        ending().to_dhtmlxq().to_ascii_lowercase()
    );
    for bytes in [text.as_bytes(), &gbk, page.as_bytes()] {
        let games = all(bytes);
        assert_same(games[0].as_ref().unwrap(), &game(), true);
    }
    let games = all(page.as_bytes());
    assert_eq!(games.len(), 2);
    assert_same(games[1].as_ref().unwrap(), &ending(), true);
    let bare = "[DhtmlXQ_title]无界[/DhtmlXQ_title][DhtmlXQ_movelist]7747706[/DhtmlXQ_movelist]";
    let read = one(bare.as_bytes());
    assert_eq!((read.moves.len(), read.tag("Title")), (1, Some("无界")));
    assert_eq!(read.fault.map(|fault| fault.code()), Some("move_off_board"));
}

#[test]
fn variations_that_begin_late_without_end_are_dropped() {
    // 马八进七 and back, for both sides: 10,004 plies.
    let around = "1927102227192210".repeat(2_501);
    let field = |name: &str, value: &str| format!("[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
    let late: Vec<_> = (1..=150)
        .map(|number| field(&format!("move_0_9997_{number}"), "1927"))
        .collect();
    let text = field("movelist", &around) + &late.concat();
    let read = one(text.as_bytes());
    let code = read.fault.map(|fault| fault.code());
    assert_eq!((read.moves.len(), code), (10_000, Some("too_many_moves")));
    assert_eq!(read.variations.len(), 101);
    assert_eq!(read.remarks, [Remark::Variations(49)]);
    // One that begins nowhere takes nothing from the others.
    let text = field("movelist", "19271022") + &field("move_0_1000001_1", "1927");
    let text = text + &field("move_0_2_2", "7062");
    assert_eq!(one(text.as_bytes()).variations.len(), 1);
}

#[test]
fn rows_are_read_back() {
    let row = game().to_row("甲/乙.xqf", 3);
    assert!(row.starts_with(
        "{\"file\":\"甲/乙.xqf\",\"index\":3,\"fen\":\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\",\
         \"moves\":[\"h2e2\",\"h9g7\",\"h0g2\",\"i9h9\",\"i0h0\"],\"red\":\"甲某\",\"black\":\"乙某\",\"event\":\"某赛\",\
         \"date\":\"2001.2.3\",\"result\":\"1-0\",\"comments\":[{\"after\":0,\"text\":\"开头\"}"
    ), "{row}");
    let file = format!("{row}\n\n{}\n{{\"file\": 1}}\n", ending().to_row("b", 0));
    assert_eq!(Form::of(file.as_bytes()), Ok(Form::Rows));
    let games = all(file.as_bytes());
    assert_eq!(games.len(), 3);
    assert_same(games[0].as_ref().unwrap(), &game(), false);
    assert_same(games[1].as_ref().unwrap(), &ending(), false);
    let fault = games[2].as_ref().unwrap_err();
    assert_eq!((fault.code(), fault.line()), ("record_row", Some(4)));
}

#[test]
fn a_file_that_breaks_off_keeps_what_comes_before() {
    for (form, file) in files().into_iter().enumerate() {
        let whole = all(&file);
        // Of a library the introduction is long, and empty.
        for end in (0..file.len())
            .filter(|end| file.len() < 9_000 || end % 97 == 0 || *end > file.len() - 300)
        {
            for read in all(&file[..end]).iter().flatten() {
                // The game is one of the file, or the beginning of one.
                let begins =
                    |game: &Record| game.start == read.start && game.moves.starts_with(&read.moves);
                assert!(
                    whole.iter().flatten().any(begins) || read.moves.is_empty(),
                    "form {form} cut at {end}: {read:?}"
                );
            }
        }
    }
    // The moves before the break are there, and the break is told.
    let file = made::xqf(&game(), 12, KEYS);
    let cut = (1024..file.len())
        .map(|end| one(&file[..end]))
        .filter(|game| game.fault.is_some());
    let counts: Vec<usize> = cut.map(|game| game.moves.len()).collect();
    assert!(
        counts.is_sorted() && counts.contains(&0) && counts.contains(&4),
        "{counts:?}"
    );
    let read = one(&file[..file.len() - 1]);
    let fault = read.fault.unwrap();
    assert_eq!(fault.code(), "record_breaks_off");
    assert!(
        fault.to_string().contains("more moves were to come"),
        "{fault}"
    );
}

#[test]
fn a_move_that_cannot_be_played_ends_the_main_line_there() {
    let mut bad = game();
    bad.variations.clear();
    bad.moves[2] = "h0g3".parse().unwrap();
    for file in [
        made::xqf(&bad, 18, KEYS),
        made::cbr(&bad, 1),
        made::packed(&made::old_game(&bad)),
        made::cbf(&bad),
        bad.to_dhtmlxq().into_bytes(),
    ] {
        let read = one(&file);
        assert_eq!(read.moves, game().moves[..2]);
        let fault = read.fault.unwrap();
        assert_eq!(
            (fault.code(), fault.index),
            ("move_impossible", Some(2)),
            "{fault}"
        );
    }
}

/// A game of random moves from a random position, with comments and variations.
fn random(choices: &[u16], skipped: usize, said: &[String], result: usize) -> Record {
    let mut position = Position::start();
    let step = |position: &mut Position, choice: u16| {
        let legal = position.legal_moves();
        let mv = *legal.get(usize::from(choice) % legal.len().max(1))?;
        position.make(mv);
        Some(mv)
    };
    let (before, after) = choices.split_at(skipped.min(choices.len()));
    for &choice in before {
        step(&mut position, choice);
    }
    let mut game = Record::new(position.clone());
    for &choice in after {
        if let Some(mv) = step(&mut position, choice) {
            game.moves.push(mv);
        }
    }
    let results = [
        GameResult::RedWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ];
    game.result = results[result % 4];
    for (i, text) in said.iter().enumerate() {
        let after = (i * 7) % (game.moves.len() + 1);
        if !text.trim().is_empty() && game.comments.last().is_none_or(|last| last.after < after) {
            let text = text.trim().to_owned();
            game.comments.push(Comment { after, text });
        }
    }
    for (name, value) in ["Title", "Event", "Date", "Site", "Red", "Black"]
        .iter()
        .zip(said)
    {
        let value: String = value.trim().chars().take(6).collect();
        if !value.trim().is_empty() {
            game.tags
                .push(((*name).to_owned(), value.trim().to_owned()));
        }
    }
    // Another move in the place of some, last first, as trees have them.
    for at in (0..game.moves.len()).rev().filter(|at| at % 5 == 2) {
        let mut position = game.start.clone();
        for &mv in &game.moves[..at] {
            position.make(mv);
        }
        let legal = position.legal_moves();
        if let Some(&mv) = legal.iter().find(|&&mv| mv != game.moves[at]) {
            game.variations.push(Variation {
                of: None,
                at,
                moves: vec![mv],
                comments: Vec::new(),
            });
        }
    }
    game
}

proptest! {
    #[test]
    fn whatever_is_written_reads_back(
        choices in prop::collection::vec(any::<u16>(), 0..80),
        skipped in 0..40usize,
        said in prop::collection::vec("[a-z炮马车相士兵将红黑先胜 ，。!?]{0,12}", 0..6),
        result in 0..4usize,
    ) {
        let game = random(&choices, skipped, &said, result);
        assert_same(&one(&game.to_xqf()), &game, true);
        assert_same(&one(&made::xqf(&game, 12, KEYS)), &game, true);
        assert_same(&one(&made::cbr(&game, 9)), &game, true);
        assert_same(&one(&made::packed(&made::old_game(&game))), &game, true);
        let dhtmlxq = game.to_dhtmlxq();
        assert_same(&one(dhtmlxq.as_bytes()), &game, true);
        assert_same(&one(&Encoding::Gb18030.encode(&dhtmlxq)), &game, true);
        assert_same(&one(game.to_row("x", 0).as_bytes()), &game, false);
        for notation in Notation::ALL {
            let pgn = game.write(notation);
            let gbk = Encoding::Gb18030.encode(&pgn);
            for bytes in [pgn.as_bytes(), &gbk] {
                let mut read = one(bytes);
                read.variations.sort_by_key(|variation| std::cmp::Reverse(variation.at));
                assert_same(&read, &game, true);
            }
        }
        prop_assert_eq!(fen::write(&one(&game.to_xqf()).start), fen::write(&game.start));
    }

    #[test]
    fn xqf_of_any_keys_reads_back(version in 10..=18u8, keys in any::<[u8; 9]>()) {
        assert_same(&one(&made::xqf(&game(), version, keys)), &game(), true);
        assert_same(&one(&made::xqf(&ending(), version, keys)), &ending(), true);
    }
}

#[test]
fn a_remark_in_brackets_is_no_tag_and_a_link_in_one_no_form() {
    let remark = "[Event \"a\"]\n\n1. h2e2 h9g7\n[注：好棋]\n2. h0g2 i9h9 *\n";
    // It belongs to its game, and that the moves cannot be read on is told.
    let read = one(remark.as_bytes());
    assert_eq!((read.moves.len(), read.fault.is_some()), (2, true));
    let named = "[赛事 \"联赛\"]\n\n1. h2e2 h9g7 *\n";
    assert_eq!(one(named.as_bytes()).tags.len(), 1);
    let link = "[Site \"https://www.chessdb.cn/query/\"]\n\n1. h2e2 h9g7 *\n";
    assert_eq!(one(link.as_bytes()).moves.len(), 2);
}

#[test]
fn a_game_that_is_never_closed_is_told_and_takes_no_other_with_it() {
    let good = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]\n";
    let long = format!("[DhtmlXQ][DhtmlXQ_title]{}\n", "长".repeat(400_000));
    let read = |text: &str| -> Vec<Option<&'static str>> {
        let games = all(text.as_bytes()).into_iter();
        games
            .map(|game| game.err().map(|fault| fault.code()))
            .collect()
    };
    assert_eq!(read(&format!("{good}{long}")), [None, Some("pgn_too_long")]);
    assert_eq!(
        read(&format!("{good}{long}{good}{good}")),
        [None, Some("pgn_too_long"), None, None]
    );
}
