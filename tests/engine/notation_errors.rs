//! What is said of a move that cannot be played.

use qili::board::Position;
use qili::notation::{MoveError, NamedMove, fen, read_line, read_move};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

fn refused(position: &str, text: &str) -> MoveError {
    let position = fen::parse(position).unwrap_or_else(|e| unreachable!("{position}: {e}"));
    match read_move(&position, text) {
        Err(error) => error,
        Ok(mv) => unreachable!("`{text}` read as {mv}"),
    }
}

fn named(moves: &[NamedMove]) -> Vec<&str> {
    moves.iter().map(|named| named.chinese.as_str()).collect()
}

#[test]
fn a_move_the_piece_cannot_make_is_told_with_those_it_can() {
    let rook = ["车一进一", "车一进二"];
    let horse = ["马二进一", "马二进三"];
    for (text, code, moves, word) in [
        ("车一进三", "move_captures_own", &rook[..], "own pawn on i3"),
        ("i0i3", "move_captures_own", &rook, "own pawn on i3"),
        ("R1+4", "move_blocked", &rook, "between i0 and i4"),
        ("马二进四", "move_blocked", &horse, "the piece on g0"),
        ("h0f1", "move_blocked", &horse, "the piece on g0"),
        (
            "马二进五",
            "move_impossible",
            &horse,
            "not how a horse moves",
        ),
        ("马2+5", "move_impossible", &horse, "not how a horse moves"),
        ("马25", "move_impossible", &horse, "not how a horse moves"),
        (
            "兵五平四",
            "move_impossible",
            &["兵五进一"],
            "not how a pawn moves",
        ),
        (
            "仕五进四",
            "move_no_such_piece",
            &["仕六进五", "仕四进五"],
            "moves an advisor on file 5 (e)",
        ),
        (
            "前车进一",
            "move_no_such_piece",
            &["车九进一", "车九进二", "车一进一", "车一进二"],
            "two on one file",
        ),
        ("h5h6", "move_from_empty", &[], "h5"),
        ("h7e7", "move_wrong_side", &[], "Black's cannon"),
        ("吃车", "move_unreadable", &[], "expected"),
        (" ", "move_empty", &[], "expected"),
        (
            "R+1",
            "move_ambiguous",
            &["车九进一", "车一进一"],
            "ambiguous",
        ),
    ] {
        let error = refused(START, text);
        assert_eq!(
            (error.code(), &*named(&error.moves)),
            (code, moves),
            "{error}"
        );
        let told = error.to_string();
        assert!(told.contains(word) && told.contains(text.trim()), "{told}");
        assert!(
            error.zh().starts_with(&format!("“{}”", text.trim())),
            "{}",
            error.zh()
        );
        assert_eq!(error.clause(), None, "{error}");
        for name in moves {
            assert!(told.contains(name) && error.zh().contains(name), "{told}");
        }
    }
}

#[test]
fn a_move_that_gives_the_king_names_the_clause() {
    for (position, text, code, moves) in [
        (
            "3k5/9/9/9/9/9/9/9/9/4KR3 b",
            "d9e9",
            "move_kings_face",
            &["将4进1"][..],
        ),
        (
            "4k4/9/9/9/9/9/4r4/9/4R4/4K4 w",
            "车五平六",
            "move_gives_king",
            &["车五进二", "车五进一"],
        ),
        (
            "4k4/9/9/9/9/9/4r4/9/9/3RK4 w",
            "R6+1",
            "move_ignores_check",
            &[],
        ),
        (
            "3k5/9/9/9/9/9/9/9/3R5/5K3 b",
            "将4进1",
            "move_ignores_check",
            &["将4平5"],
        ),
    ] {
        let error = refused(position, text);
        assert_eq!(
            (error.code(), &*named(&error.moves)),
            (code, moves),
            "{error}"
        );
        assert_eq!(error.clause(), Some("3.4"));
        assert!(error.to_string().contains("clause 3.4"), "{error}");
        assert!(
            error.zh().contains("自杀") && error.zh().contains("3.4"),
            "{}",
            error.zh()
        );
    }
}

#[test]
fn pieces_in_line_are_ambiguous_only_where_more_than_one_can_go() {
    let three = "3k5/9/3P5/3P5/3P5/9/9/9/9/4K4 w";
    let error = refused(three, "兵六平五");
    assert_eq!(named(&error.moves), ["后兵平五", "中兵平五", "前兵平五"]);
    let two = "4k4/9/9/3P1P3/3P1P3/9/9/9/9/3K5 w";
    let error = refused(two, "前兵平五");
    assert_eq!(named(&error.moves), ["三兵平五", "一兵平五"]);
    let position = fen::parse(two).unwrap();
    for (text, mv) in [
        ("前兵四平五", "f6e6"),
        ("前兵平三", "f6g6"),
        ("四兵平五", "d5e5"),
        ("24=5", "f5e5"),
        ("P16=5", "d6e6"),
        ("兵后平7", "d5c5"),
    ] {
        assert_eq!(
            read_move(&position, text)
                .map(|mv| mv.to_string())
                .as_deref(),
            Ok(mv),
            "{text}"
        );
    }
    let position = fen::parse(three).unwrap();
    for (text, mv) in [
        ("中兵平五", "d6e6"),
        ("二兵平五", "d6e6"),
        ("兵后平五", "d5e5"),
        ("三兵平五", "d5e5"),
        ("16=5", "d7e7"),
    ] {
        assert_eq!(
            read_move(&position, text)
                .map(|mv| mv.to_string())
                .as_deref(),
            Ok(mv),
            "{text}"
        );
    }
}

#[test]
fn a_line_names_the_move_that_stops_it() {
    let error = read_line(
        &Position::start(),
        &["炮二平五", "H8+7", "炮八平五", "i9i7"],
    )
    .unwrap_err();
    assert_eq!((error.index, error.code()), (2, "move_captures_own"));
    assert!(
        error
            .to_string()
            .starts_with("move 3: `炮八平五` would capture"),
        "{error}"
    );
    assert!(
        error.zh().starts_with("第3着：“炮八平五”"),
        "{}",
        error.zh()
    );
}

#[test]
fn a_long_text_is_quoted_in_part() {
    let error = refused(START, &"炮".repeat(10_000));
    assert!(
        error.to_string().len() < 1_000 && error.text.ends_with('…'),
        "{error}"
    );
}

#[test]
fn a_move_after_the_end_of_a_game_is_told_so() {
    // Red has mated with two rooks.
    for text in ["d9d8", "将4进1", "i0i1"] {
        let over = refused("R2k5/1R7/9/9/9/9/9/9/9/4K4 b", text);
        assert!(over.over, "{over}");
        assert!(
            over.to_string().contains("the game was over before"),
            "{over}"
        );
        assert!(over.zh().contains("对局已告结束"), "{}", over.zh());
    }
    assert!(!refused(START, "i0i9").over);
}
