//! Moves in every notation: published lines, and round trips over positions of random play.

use qili::board::{Piece, Position, Role, Setup, Side, Square};
use qili::notation::{Notation, fen, read_line, read_move, write_move};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    /// A number below `bound`.
    fn roll(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound.max(1)
    }
}

#[test]
fn published_lines_are_read_and_written_as_printed() {
    let table = include_str!("../fixtures/notation/chinese.tsv");
    let mut lines = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let &[id, position, iccs, chinese] = &*columns else {
            unreachable!("{line}")
        };
        let mut position = fen::parse(position).unwrap_or_else(|e| unreachable!("{id}: {e}"));
        let iccs: Vec<_> = iccs.split(' ').collect();
        let moves = read_line(&position, &iccs).unwrap_or_else(|e| unreachable!("{id}: {e}"));
        for (&mv, printed) in moves.iter().zip(chinese.split(' ')) {
            let loose = PRINTED_LOOSELY
                .iter()
                .find(|loose| (loose.0, loose.1) == (id, printed));
            let expected = loose.map_or(printed, |loose| loose.2);
            assert_eq!(
                write_move(&position, mv, Notation::Chinese),
                expected,
                "{id}"
            );
            match (read_move(&position, printed), loose) {
                (Ok(read), None) => assert_eq!(read, mv, "{id}: {printed}"),
                (Err(error), Some(_)) => assert!(
                    error.is_ambiguous() && error.moves.iter().any(|named| named.mv == mv),
                    "{id}: {error}"
                ),
                (read, _) => unreachable!("{id}: {printed}: {read:?}"),
            }
            position.make(mv);
        }
        lines += 1;
    }
    assert_eq!(lines, 76);
}

/// Printed by file although two horses stand on it and both can go there.
const PRINTED_LOOSELY: [(&str, &str, &str); 1] = [("cxa-2020-ref-01", "马四进二", "后马进二")];

#[test]
fn moves_another_program_writes_are_read() {
    let table = include_str!("../fixtures/notation/wxf.tsv");
    let mut moves = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let &[position, iccs, wxf] = &*columns else {
            unreachable!("{line}")
        };
        let position = fen::parse(position).unwrap_or_else(|e| unreachable!("{line}: {e}"));
        let read = read_move(&position, wxf).unwrap_or_else(|e| unreachable!("{line}: {e}"));
        assert_eq!(read.to_string(), iccs, "{line}");
        moves += 1;
    }
    assert_eq!(moves, 300);
}

/// Every legal move in every notation, to text and back.
fn round_trip(position: &Position) -> usize {
    let legal = position.legal_moves();
    for &mv in &*legal {
        for notation in Notation::ALL {
            let text = write_move(position, mv, notation);
            let told = || format!("{mv} as `{text}` ({notation}) in {}", fen::write(position));
            match read_move(position, &text) {
                Ok(read) => assert_eq!(read, mv, "{}", told()),
                Err(error) => {
                    assert!(!notation.is_unambiguous(), "{}: {error}", told());
                    assert!(error.is_ambiguous(), "{}: {error}", told());
                    assert!(
                        error.moves.iter().any(|named| named.mv == mv),
                        "{}: {error}",
                        told()
                    );
                }
            }
        }
    }
    legal.len()
}

#[test]
fn every_move_of_random_play_reads_back() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut moves = 0;
    for _ in 0..60 {
        let mut position = Position::start();
        for _ in 0..120 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            moves += round_trip(&position);
            position.make(legal[dice.roll(legal.len())]);
        }
    }
    assert!(moves > 200_000, "{moves}");
}

/// A possible position with many like pieces on few files.
fn crowded(dice: &mut Dice) -> Option<Position> {
    let side = if dice.roll(2) == 0 {
        Side::Red
    } else {
        Side::Black
    };
    let mut setup = Setup::empty(side);
    let king = |file: usize, rank| Square::new(u8::try_from(3 + file).ok()?, rank);
    setup.put(
        king(dice.roll(3), 0)?,
        Some(Piece::new(Side::Red, Role::King)),
    );
    setup.put(
        king(dice.roll(3), 9)?,
        Some(Piece::new(Side::Black, Role::King)),
    );
    let files = (
        u8::try_from(dice.roll(9)).ok()?,
        u8::try_from(dice.roll(9)).ok()?,
    );
    for side in Side::ALL {
        for role in [
            Role::Pawn,
            Role::Rook,
            Role::Cannon,
            Role::Horse,
            Role::Elephant,
            Role::Advisor,
        ] {
            let tries = if role == Role::Pawn { 20 } else { role.most() };
            for _ in 0..tries {
                let file = if dice.roll(2) == 0 { files.0 } else { files.1 };
                let rank = u8::try_from(dice.roll(10)).unwrap_or(0);
                let square = match role {
                    Role::Elephant | Role::Advisor => {
                        Square::from_index(u8::try_from(dice.roll(90)).unwrap_or(0))?
                    }
                    Role::King | Role::Horse | Role::Rook | Role::Cannon | Role::Pawn => {
                        Square::new(file, rank)?
                    }
                };
                if setup.piece_at(square).is_none() && dice.roll(4) > 0 {
                    setup.put(square, Some(Piece::new(side, role)));
                    if !setup.faults().iter().all(|fault| {
                        fault.kind.code() == "waiting_side_in_check"
                            || fault.kind.code() == "kings_face"
                    }) {
                        setup.put(square, None);
                    }
                }
            }
        }
    }
    setup.possible()
}

#[test]
fn every_move_of_crowded_positions_reads_back() {
    let mut dice = Dice(0xD1B5_4A32_D192_ED03);
    let (mut positions, mut numbered) = (0, 0);
    while positions < 2_000 {
        let Some(position) = crowded(&mut dice) else {
            continue;
        };
        round_trip(&position);
        positions += 1;
        let mut names = position
            .legal_moves()
            .iter()
            .map(|&mv| write_move(&position, mv, Notation::Asian))
            .collect::<Vec<_>>()
            .into_iter();
        numbered += usize::from(names.any(|name| name.starts_with(|c: char| c.is_ascii_digit())));
    }
    assert!(numbered > 300, "{numbered}");
}

#[test]
fn tandem_pieces_are_told_apart() {
    let position = fen::parse("3k5/9/9/P7P/P7P/4P4/9/4R4/4R4/5K3 w").unwrap();
    for (text, mv) in [
        ("一兵平二", "i6h6"),
        ("1兵平2", "i6h6"),
        ("四兵平八", "a5b5"),
        ("前兵九平八", "a6b6"),
        ("16=2", ""),
        ("11=2", "i6h6"),
        ("29=8", "a5b5"),
        ("兵五平四", ""),
        ("五兵进一", ""),
        ("前车平六", "e2d2"),
        ("车前平六", "e2d2"),
        ("后車平６", "e1d1"),
        ("R-=6", "e1d1"),
        ("+R6", "e2d2"),
        ("R+4", "e2f2"),
        ("R+1", ""),
    ] {
        let read = read_move(&position, text);
        match mv {
            "" => assert!(read.is_err(), "{text}: {read:?}"),
            mv => assert_eq!(read.map(|mv| mv.to_string()).as_deref(), Ok(mv), "{text}"),
        }
    }
    let right = "i6h6".parse().unwrap();
    assert_eq!(write_move(&position, right, Notation::Chinese), "一兵平二");
    assert_eq!(write_move(&position, right, Notation::English), "11=2");
}

#[test]
fn the_short_form_puts_a_target_file_before_an_amount() {
    let start = Position::start();
    let opening = read_line(&start, &["炮25", "马87", "马23", "车98"]).unwrap();
    let mut position = start;
    for mv in opening {
        position.make(mv);
    }
    let short = |mv: &str| write_move(&position, mv.parse().unwrap(), Notation::Short);
    assert_eq!(
        (short("i0h0"), short("i0i2")),
        ("车12".to_owned(), "车1+2".to_owned())
    );
    assert_eq!(
        read_move(&position, "车12")
            .map(|mv| mv.to_string())
            .as_deref(),
        Ok("i0h0")
    );
    let tandem = fen::parse("3k5/9/9/9/9/9/3N5/9/3N5/5K3 w").unwrap();
    let error = read_move(&tandem, "马65").unwrap_err();
    let found: Vec<_> = error
        .moves
        .iter()
        .map(|named| named.mv.to_string())
        .collect();
    assert_eq!(
        (error.code(), found),
        (
            "move_ambiguous",
            vec!["d1e3".into(), "d3e1".into(), "d3e5".into()]
        )
    );
}

#[test]
fn every_way_to_write_a_piece_a_number_or_a_direction_is_read() {
    let start = Position::start();
    let black = start.after("h2e2".parse().unwrap());
    for (characters, red, mirrored) in [
        ("车車俥", "X一进一", "i0i1"),
        ("马馬傌", "X二进三", "h0g2"),
        ("炮砲包", "X二平五", "h2e2"),
        ("仕士", "X四进五", "f0e1"),
        ("相象", "X三进五", "g0e2"),
        ("帅帥将將", "X五进一", "e0e1"),
        ("兵卒", "X七进一", "c3c4"),
    ] {
        for character in characters.chars() {
            let text = red.replace('X', &character.to_string());
            let arabic: String = text.chars().map(narrow).collect();
            let wide: String = arabic.chars().map(widened).collect();
            let traditional = text.replace('进', "進");
            let asian = arabic.replace('进', "+").replace('平', "=");
            for text in [text, arabic, wide, traditional, asian] {
                let read = read_move(&start, &text).map(|mv| mv.to_string());
                assert_eq!(read.as_deref(), Ok(mirrored), "{text}");
                // Black's files count from the other side.
                let read = read_move(&black, &text).map(|mv| mv.flipped().mirrored().to_string());
                assert_eq!(read.as_deref(), Ok(mirrored), "{text} by Black");
            }
        }
    }
}

fn narrow(c: char) -> char {
    let place = "一二三四五六七八九"
        .chars()
        .zip('1'..='9')
        .find(|pair| pair.0 == c);
    place.map_or(c, |pair| pair.1)
}

fn widened(c: char) -> char {
    if c.is_ascii() {
        char::from_u32(u32::from(c) + 0xFEE0).unwrap_or(c)
    } else {
        c
    }
}
