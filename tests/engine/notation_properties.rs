//! Laws of the notations, tried on whatever comes: no text makes a parser panic or loop, and what
//! is written reads back.

use proptest::prelude::*;
use qili::board::{Move, Position};
use qili::notation::{
    GameResult, Notation, fen, read_line, read_list, read_move, split_moves, write_move,
};
use qili::record::{Encoding, Reader, Record};

/// A game of random moves, as many as there are choices.
fn played(choices: &[u16]) -> (Vec<Move>, Position) {
    let mut position = Position::start();
    let mut moves = Vec::new();
    for &choice in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let Some(&mv) = legal.get(usize::from(choice) % legal.len()) else {
            break;
        };
        position.make(mv);
        moves.push(mv);
    }
    (moves, position)
}

/// What moves are made of, and what stands around them.
const SIGNS: &str = "[abcehiknrpxACH0-9一二三五九十车車马炮相士将兵卒進进退平前中后後+=.·–—－ 　１９Ａ、，{}()（）;%$!?\\[\\]\"*…/\r\n-]{0,24}";

proptest! {
    #[test]
    fn no_text_makes_the_move_reader_panic(text in ".*", signs in SIGNS) {
        let start = Position::start();
        for text in [text, signs] {
            if let Err(error) = read_move(&start, &text) {
                prop_assert!(!error.to_string().is_empty() && !error.zh().is_empty());
            }
            let _ = text.parse::<Notation>();
            let _ = text.parse::<GameResult>();
            let _ = fen::parse(&text);
        }
    }

    #[test]
    fn a_list_is_taken_apart_into_pieces_of_itself(text in "(.|\n)*", signs in SIGNS) {
        for text in [text, signs] {
            let _ = read_list(&Position::start(), &text);
            let Ok(moves) = split_moves(&text) else { continue };
            let mut end = 0;
            for found in moves {
                let start = found.location.byte;
                prop_assert!(start >= end && !found.text.is_empty());
                end = start + found.text.len();
                prop_assert_eq!(text.get(start..end), Some(found.text));
                let before = text.get(..start).unwrap();
                let line = before.matches('\n').count() as u64 + 1;
                let column = before.rsplit('\n').next().unwrap().chars().count() as u64 + 1;
                prop_assert_eq!((found.location.line, found.location.column), (line, column));
            }
        }
    }

    #[test]
    fn no_bytes_make_the_record_reader_panic_or_loop(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        lines in prop::collection::vec(SIGNS, 0..12),
        tags in prop::collection::vec("\\[[A-Za-z红方 ]{0,6} ?\"?.{0,8}\"?\\]?", 0..6),
    ) {
        let text = tags.iter().zip(&lines).flat_map(|(tag, line)| [tag, "\n", line, "\n"]).collect::<String>();
        let gb18030 = Encoding::Gb18030.encode(&text);
        for input in [&bytes[..], text.as_bytes(), &gb18030] {
            for encoding in [Encoding::Auto, Encoding::Utf8, Encoding::Gb18030] {
                let games = Reader::with_encoding(input, encoding).count();
                prop_assert!(games <= input.len());
            }
        }
    }

    #[test]
    fn lists_read_back_in_any_mixture(
        choices in prop::collection::vec(any::<u16>(), 1..60),
        notations in prop::collection::vec(0..Notation::ALL.len(), 60),
        joiner in prop::sample::select(vec![" ", "\n", ", ", "  ", "\u{3000}"]),
        numbered in any::<bool>(),
    ) {
        let (moves, _) = played(&choices);
        let start = Position::start();
        let mut position = start.clone();
        let mut texts = Vec::new();
        for (&mv, &which) in moves.iter().zip(&notations) {
            let mut notation = Notation::ALL[which];
            if notation == Notation::Short && read_move(&position, &write_move(&position, mv, notation)) != Ok(mv) {
                notation = Notation::Asian;
            }
            texts.push(write_move(&position, mv, notation));
            position.make(mv);
        }
        prop_assert_eq!(read_line(&start, &texts), Ok(moves.clone()));
        let mut list = String::new();
        for (index, text) in texts.iter().enumerate() {
            if numbered && index % 2 == 0 {
                list.extend([(index / 2 + 1).to_string().as_str(), ". "]);
            }
            list += text;
            list += joiner;
        }
        prop_assert_eq!(read_list(&start, &list), Ok(moves));
    }

    #[test]
    fn blanks_and_dashes_inside_a_move_change_nothing(
        choices in prop::collection::vec(any::<u16>(), 0..40),
        dash in prop::sample::select("-‐‑‒–—−－".chars().collect::<Vec<_>>()),
        blank in prop::sample::select(vec!["", " ", "  ", "\u{3000}", "\t", "\u{A0}"]),
    ) {
        let (_, position) = played(&choices);
        for &mv in &*position.legal_moves() {
            for notation in Notation::ALL.into_iter().filter(|n| n.is_unambiguous()) {
                let text = write_move(&position, mv, notation);
                let spaced: Vec<_> = text.chars().map(|c| if c == '-' { dash } else { c }.to_string()).collect();
                let spaced = spaced.join(blank);
                prop_assert_eq!(read_move(&position, &spaced), Ok(mv), "{}", spaced);
                let list = format!("3. {spaced} 4");
                let split = split_moves(&list).map(|moves| moves[0].text.to_owned());
                prop_assert_eq!(split, Ok(spaced));
            }
        }
    }

    #[test]
    fn records_read_back(
        games in prop::collection::vec((
            prop::collection::vec(any::<u16>(), 0..50),
            // GB 18030 has had characters of its own since 2022 for what it lent private codes before.
            prop::collection::vec(("[A-Z][A-Za-z]{0,8}", "[^\r\n\0\u{E000}-\u{F8FF}]{0,12}"), 0..4),
            0..4usize,
        ), 1..4),
        skipped in 0..20usize,
        notation in prop::sample::select(Notation::ALL.to_vec()),
        encoding in prop::sample::select(vec![Encoding::Utf8, Encoding::Gb18030]),
    ) {
        let results = [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
        let games: Vec<_> = games.into_iter().map(|(choices, tags, result)| {
            let (before, after) = choices.split_at(skipped.min(choices.len()));
            let (_, start) = played(before);
            let mut record = Record::new(start.clone());
            let mut position = start;
            for &choice in after {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[usize::from(choice) % legal.len()];
                position.make(mv);
                record.moves.push(mv);
            }
            let ours = |name: &str| ["FEN", "RESULT", "FORMAT"].contains(&&*name.to_ascii_uppercase());
            record.tags = tags.into_iter().filter(|(name, _)| !ours(name)).collect();
            record.result = results[result];
            record
        }).collect();
        let file: String = games.iter().map(|game| game.write(notation)).collect();
        let reader = Reader::with_encoding(std::io::Cursor::new(encoding.encode(&file)), encoding);
        let read: Vec<_> = reader.map(|game| {
            let mut game = game.unwrap_or_else(|e| unreachable!("{e}\n{file}"));
            game.tags.retain(|(name, _)| !["FEN", "Result", "Format"].contains(&&**name));
            game
        }).collect();
        prop_assert_eq!(read, games, "{}", file);
    }
}
