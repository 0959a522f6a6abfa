//! Games and cycles: what repeats, by either way of counting.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

use proptest::prelude::*;
use qili::board::{Move, Position};
use qili::game::{
    Cycle, CycleError, CycleSpan, EndedBy, Game, PendingRule, PendingUnit, RepetitionScan,
};
use qili::notation::fen;

/// Rooks, horses and kings with room to shuffle.
const ROOM: &str = "3k4r/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

fn play(fen_text: &str, played: &str) -> Game {
    Game::with_moves(fen::parse(fen_text).unwrap(), moves(played)).unwrap()
}

const fn span(
    start_ply: usize,
    period: usize,
    rounds: u32,
    occurrences: u32,
    span_start_ply: usize,
) -> CycleSpan {
    CycleSpan {
        start_ply,
        period,
        rounds,
        occurrences,
        span_start_ply,
    }
}

/// The first and last pending position by each way of counting.
fn first_and_last(game: &Game, rule: PendingRule) -> Option<(CycleSpan, CycleSpan)> {
    let all = game.all_pending(rule);
    Some((*all.first()?, *all.last()?))
}

const A: &str = "a0a1 i9i8 a1a0 i8i9 ";
const B: &str = "a0b0 i9h9 b0a0 h9i9 ";
const TRIANGLES: &str = "a0a1 i9i8 a1a2 i8i7 a2a0 i7i9 ";

/// The cycle that ends a game on [`ROOM`], and that every piece itself is back after it.
fn ends_with(name: &str, rule: PendingRule, played: &str, expected: Option<CycleSpan>) {
    let game = play(ROOM, played);
    let cycle = game.pending(rule);
    assert_eq!(cycle.as_ref().map(|c| c.span), expected, "{name}: {played}");
    if let Some(cycle) = cycle {
        assert_eq!(cycle.span.end_ply(), game.len(), "{name}");
        assert_eq!(cycle.turns(), 1, "{name}");
        let last = &game.moves()[game.len() - cycle.span.period..];
        assert_eq!(cycle.moves(), last, "{name}");
        let start = game.position_at(cycle.span.start_ply);
        assert_eq!(Some(cycle.start()), start, "{name}");
    }
}

#[test]
fn the_cycle_of_a_game_is_found() {
    let eight = "a0a1 i9i8 a1b1 i8h8 b1b0 h8h9 b0a0 h9i9 ";
    // Red is back after two moves, Black after three: both after six.
    let twelve = "a0a1 i9i8 a1a0 i8i7 a0a1 i7i9 a1a0 i9i8 a0a1 i8i7 a1a0 i7i9 ";
    for (round, period) in [(A, 4), (TRIANGLES, 6), (eight, 8), (twelve, 12)] {
        let name = format!("{period} plies");
        let rounds = |count: usize, expected: Option<CycleSpan>| {
            ends_with(
                &name,
                PendingRule::THREE_ROUNDS,
                &round.repeat(count),
                expected,
            );
        };
        rounds(2, None);
        rounds(3, Some(span(0, period, 3, 4, 0)));
        rounds(4, Some(span(0, period, 4, 5, 0)));
        let third = |count: usize, expected: Option<CycleSpan>| {
            ends_with(
                &name,
                PendingRule::THIRD_OCCURRENCE,
                &round.repeat(count),
                expected,
            );
        };
        third(1, None);
        third(2, Some(span(0, period, 2, 3, 0)));
        third(3, Some(span(0, period, 3, 4, 0)));
    }
}

#[test]
fn rounds_are_counted_by_their_moves() {
    let three = A.repeat(3);
    let nested = [A, A, B].concat();
    let cases = [
        (
            "a rotation",
            format!("{three}a0a1"),
            Some(span(1, 4, 3, 4, 1)),
        ),
        (
            "a lead-in",
            format!("e0e1 d9d8 {three}"),
            Some(span(2, 4, 3, 4, 2)),
        ),
        ("left for good", format!("{three}e0e1"), None),
        // Three times within each 12 plies, never three times in a row the same way.
        ("nested twice", nested.repeat(2), None),
        ("nested", nested.repeat(3), Some(span(0, 12, 3, 10, 0))),
        (
            "inner cycle",
            format!("{nested}{three}"),
            Some(span(12, 4, 3, 7, 12)),
        ),
        ("different ways", format!("{A}{TRIANGLES}{A}"), None),
    ];
    for (name, played, expected) in cases {
        ends_with(name, PendingRule::THREE_ROUNDS, &played, expected);
    }
}

#[test]
fn occurrences_are_counted_whatever_the_way_round() {
    let cases = [
        (
            "a longer way",
            format!("{A}{TRIANGLES}"),
            Some(span(4, 6, 1, 3, 0)),
        ),
        (
            "a shorter way",
            format!("{TRIANGLES}{A}"),
            Some(span(6, 4, 1, 3, 0)),
        ),
        (
            "the last way twice",
            format!("{B}{A}{A}"),
            Some(span(4, 4, 2, 4, 4)),
        ),
        (
            "another way long ago",
            format!("{B}{A}{TRIANGLES}"),
            Some(span(8, 6, 1, 4, 4)),
        ),
        (
            "a lead-in",
            format!("e0e1 d9d8 {A}{B}"),
            Some(span(6, 4, 1, 3, 2)),
        ),
    ];
    for (name, played, expected) in cases {
        ends_with(name, PendingRule::THIRD_OCCURRENCE, &played, expected);
    }
}

#[test]
fn a_span_holds_every_way_round() {
    let game = play(ROOM, &format!("e0e1 d9d8 {A}{TRIANGLES}"));
    let cycle = game.pending(PendingRule::THIRD_OCCURRENCE).unwrap();
    assert!(!cycle.span.is_uniform());
    assert_eq!(cycle.moves(), moves(TRIANGLES));
    assert_eq!(
        game.span_moves(cycle.span),
        moves(&format!("{A}{TRIANGLES}"))
    );
    assert_eq!(game.earlier_occurrences(12).collect::<Vec<_>>(), [6, 2]);
}

#[test]
fn every_pending_position_is_told() {
    let game = play(ROOM, &A.repeat(4));
    let plies: Vec<_> = game
        .all_pending(PendingRule::THREE_ROUNDS)
        .iter()
        .map(|s| s.end_ply())
        .collect();
    assert_eq!(plies, [12, 13, 14, 15, 16]);
    let plies: Vec<_> = game
        .all_pending(PendingRule::THIRD_OCCURRENCE)
        .iter()
        .map(|s| s.end_ply())
        .collect();
    assert_eq!(plies, (8..=16).collect::<Vec<_>>());
    let times: Vec<_> = (0..=game.len()).map(|ply| game.times_at(ply)).collect();
    assert_eq!(times, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5]);
}

#[test]
fn like_pieces_may_change_places() {
    // The horses of e4 and f6 change places every eight plies, by the same squares each time.
    let fen_text = "3k5/9/9/5N3/9/4N4/9/9/9/4K4 w - - 0 1";
    let period = "e4g5 d9d8 f6e4 d8d9 g5h7 d9d8 h7f6 d8d9 ";
    let game = play(fen_text, &period.repeat(3));
    let cycle = game.pending(PendingRule::THREE_ROUNDS).unwrap();
    assert_eq!(
        cycle.span,
        span(0, 8, 3, 4, 0),
        "the short period is reported"
    );
    assert_eq!(cycle.turns(), 2);
    assert_eq!(cycle.unrolled(), moves(&period.repeat(2)));
    let positions = cycle.positions();
    assert_eq!(positions.len(), 17);
    assert!(positions[8] == positions[0] && !positions[8].same_pieces(&positions[0]));
    assert!(positions[16].same_pieces(&positions[0]));
    let given = Cycle::from_period(game.start(), &moves(period)).unwrap();
    assert_eq!((given.turns(), given.unrolled()), (2, cycle.unrolled()));
    assert_eq!(given.at_pending(PendingRule::THREE_ROUNDS), cycle);
}

#[test]
fn unlike_pieces_that_change_places_do_not_repeat() {
    // Rook and cannon change places by the same four moves: the position is back after two turns.
    let fen_text = "3k5/9/9/9/9/9/9/9/9/RC2K4 w - - 0 1";
    let turn = "a0a1 d9d8 b0a0 d8d9 a1b1 d9d8 b1b0 d8d9 ";
    let game = play(fen_text, &turn.repeat(6));
    assert_eq!(game.times_at(8), 1);
    assert_eq!(
        first_and_last(&game, PendingRule::THREE_ROUNDS),
        Some((span(0, 16, 3, 4, 0), span(0, 16, 3, 4, 0)))
    );
}

#[test]
fn a_capture_ends_all_that_came_before() {
    let fen_text = "3k4r/9/9/9/9/9/9/9/p8/R3K4 w - - 0 1";
    // The first move captures on a1; those after it look just like it.
    let game = play(fen_text, &A.repeat(3));
    assert_eq!(game.pending(PendingRule::THREE_ROUNDS), None);
    assert_eq!(
        (game.reversible_since(0), game.reversible_since(12)),
        (0, 1)
    );
    let game = play(fen_text, &(A.repeat(3) + "a0a1"));
    assert_eq!(
        game.pending(PendingRule::THREE_ROUNDS).unwrap().span,
        span(1, 4, 3, 4, 1)
    );
    // Matching moves are counted from the capture, not across it.
    let game = play(fen_text, &(A.repeat(4)));
    assert_eq!(
        game.pending(PendingRule::THREE_ROUNDS).unwrap().span,
        span(4, 4, 3, 4, 4)
    );
}

#[test]
fn a_pawn_that_advances_ends_all_that_came_before() {
    let fen_text = "3k4r/9/9/9/9/4P4/9/9/9/R3K4 w - - 0 1";
    let played = format!("{}e4e5 d9d8 {}", A.repeat(2), A.repeat(2));
    let game = play(fen_text, &played);
    assert_eq!(game.pending(PendingRule::THREE_ROUNDS), None);
    assert_eq!(
        game.pending(PendingRule::THIRD_OCCURRENCE)
            .unwrap()
            .span
            .span_start_ply,
        10
    );
    assert_eq!(game.reversible_since(game.len()), 9);
    // A step aside can be taken back.
    let aside = "e5f5 d9d8 f5e5 d8d9 ";
    let game = play("3k5/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1", &aside.repeat(3));
    assert_eq!(
        game.pending(PendingRule::THREE_ROUNDS).unwrap().span,
        span(0, 4, 3, 4, 0)
    );
    assert_eq!(game.reversible_since(12), 0);
}

#[test]
fn mate_and_stalemate_end_a_game() {
    let mut mated = play("3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1", "b0b9");
    let ended = mated.ended().unwrap();
    assert_eq!((ended.by, ended.loser.id()), (EndedBy::Checkmate, "black"));
    let refused = mated.push("d9d8".parse().unwrap()).unwrap_err();
    assert_eq!(refused.code(), "game_over");
    assert_eq!(
        refused.to_string(),
        "move 2 (`d9d8`) cannot be played: the game is over, Black lost by checkmate"
    );
    assert_eq!(mated.len(), 1, "a refused move changes nothing");
    let stalemated = play("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1", "a1a8");
    let ended = stalemated.ended().unwrap();
    assert_eq!((ended.by, ended.loser.id()), (EndedBy::Stalemate, "black"));
}

#[test]
fn a_move_that_cannot_be_played_is_told_why() {
    let start = fen::parse("3k5/9/9/9/9/9/9/4r4/4R4/4K4 w").unwrap();
    let cases = [
        ("a0a1", "no_piece", "nothing stands on a0"),
        (
            "d9d8",
            "not_own_piece",
            "the king on d9 is Black's and it is Red's move",
        ),
        ("e0e1", "no_such_step", "the king on e0 does not go to e1"),
        ("e1a1", "king_exposed", "Red would be in check"),
        (
            "e0d0",
            "kings_would_face",
            "the kings would face each other",
        ),
    ];
    for (mv, code, why) in cases {
        let illegal = Game::with_moves(start.clone(), moves(mv)).unwrap_err();
        assert_eq!(illegal.code(), code);
        assert_eq!(
            illegal.to_string(),
            format!("move 1 (`{mv}`) cannot be played: {why}")
        );
        assert!(
            illegal.zh().starts_with(&format!("第1着`{mv}`不合规则：")),
            "{}",
            illegal.zh()
        );
    }
}

#[test]
fn what_is_no_period_is_refused() {
    let start = fen::parse("3k4r/9/9/9/9/9/p8/9/9/R3K4 w").unwrap();
    let fault = |text: &str| Cycle::from_period(&start, &moves(text)).unwrap_err();
    assert_eq!(fault(""), CycleError::Empty);
    assert_eq!(fault("a0a1 i9i8 a1a0"), CycleError::Odd(3));
    let illegal = fault("a0a1 i9i8 a1a0 i9i8");
    assert_eq!((illegal.code(), illegal.ply()), ("no_piece", Some(3)));
    let open = fault("a0a1 i9i8 a1a0 i8i7");
    assert_eq!(
        open.to_string(),
        "the moves do not lead back to their start: i7 was empty and holds a black rook, \
         i9 held a black rook and is empty"
    );
    assert_eq!(
        open.zh(),
        "着法没有回到起始局面：i7原为空，现为黑车；i9原为黑车，现为空"
    );
    let captured = fault("a0a3 i9i8 a3a0 i8i9");
    assert_eq!(captured.ply(), Some(0));
    assert_eq!(
        captured.to_string(),
        "the moves do not lead back to their start: a3 held a black pawn and is empty \
         (move 1, `a0a3`, captures or advances a pawn and cannot be undone)"
    );
}

#[test]
fn a_long_game_is_quick() {
    let mut long = A.repeat(2499);
    long += TRIANGLES;
    let game = play(ROOM, &long);
    for rule in [PendingRule::THREE_ROUNDS, PendingRule::THIRD_OCCURRENCE] {
        assert!(game.all_pending(rule).len() > 9900);
    }
    assert_eq!(
        game.all_pending(PendingRule::THREE_ROUNDS)
            .last()
            .unwrap()
            .rounds,
        2499
    );
}

// A plain reference: positions as text, every period tried, everything compared.

fn reference(game: &Game, rule: PendingRule) -> Vec<CycleSpan> {
    let stood: Vec<String> = game.positions().iter().map(fen::write).collect();
    let mv = game.moves();
    let mut found = Vec::new();
    for end in 1..stood.len() {
        let times = (0..=end).filter(|&at| stood[at] == stood[end]).count();
        let least_times = match rule.unit {
            PendingUnit::Rounds => rule.count as usize + 1,
            PendingUnit::Occurrences => rule.count as usize,
        };
        let counted = (0..=end)
            .rev()
            .filter(|&at| stood[at] == stood[end])
            .nth(least_times - 1);
        let rounds_of = |period: usize| {
            let alike = |back: usize| {
                let low = end - back * period;
                stood[low] == stood[end] && (0..period).all(|i| mv[low + i] == mv[end - period + i])
            };
            (1..=end / period).take_while(|&back| alike(back)).count()
        };
        let least = if rule.unit == PendingUnit::Rounds {
            rule.count as usize
        } else {
            1
        };
        if rule.unit == PendingUnit::Occurrences && times < rule.count as usize {
            continue;
        }
        if let Some(period) = (1..=end).find(|&period| rounds_of(period) >= least) {
            let rounds = rounds_of(period);
            let start_ply = end - rounds * period;
            found.push(CycleSpan {
                start_ply,
                period,
                rounds: rounds.try_into().unwrap(),
                occurrences: times.try_into().unwrap(),
                span_start_ply: counted.unwrap().min(start_ply),
            });
        }
    }
    found
}

const STARTS: [&str; 6] = [
    ROOM,
    "4k4/9/9/9/9/9/9/9/9/3K5 w",
    "3k5/9/9/5N3/9/4N4/9/9/9/4K4 w",
    "3k5/9/9/4P4/3PPP3/4p4/9/9/9/4K4 b",
    "3k4r/9/9/p8/9/9/p8/9/9/RC2K4 w",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
];

/// A game in which much repeats: a choice takes back the side's last move, plays the move of some
/// plies ago again, or is any legal move.
fn shuffled(start: &Position, choices: &[u8]) -> Game {
    let mut game = Game::new(start.clone());
    for &choice in choices {
        let played = game.moves();
        let ago = |plies: usize| played.len().checked_sub(plies).map(|at| played[at]);
        let wish = match choice {
            0..90 => ago(2).map(Move::reversed),
            90..220 => ago(2 * (2 + usize::from(choice % 4))),
            220.. => None,
        };
        let legal = game.position().legal_moves();
        let Some(&any) = legal.get(usize::from(choice) % legal.len().max(1)) else {
            break;
        };
        let mv = wish
            .filter(|&mv| game.position().is_legal(mv))
            .unwrap_or(any);
        game.push(mv).unwrap();
    }
    game
}

fn rules() -> impl Strategy<Value = PendingRule> {
    let unit = prop_oneof![Just(PendingUnit::Rounds), Just(PendingUnit::Occurrences)];
    (unit, 2u32..=4).prop_map(|(unit, count)| PendingRule {
        unit,
        count,
        // What captures is tried apart.
        counts_opening_capture: unit == PendingUnit::Occurrences,
    })
}

/// A rook that takes with check and goes on checking, until a position is pending.
fn pending_at(rule: PendingRule, start: &str, round: &str) -> Option<CycleSpan> {
    let start = fen::parse(start).unwrap();
    let mut game = Game::new(start);
    let round: Vec<Move> = round.split(' ').map(|mv| mv.parse().unwrap()).collect();
    round.iter().cycle().take(40 * round.len()).find_map(|&mv| {
        game.push(mv).unwrap();
        let found = game.pending(rule);
        if let Some(cycle) = &found {
            assert_eq!(cycle.start(), game.position());
            assert_eq!(cycle.moves().len(), cycle.span.period);
        }
        found.map(|cycle| cycle.span)
    })
}

#[test]
fn a_capture_that_opens_a_run_of_checks_counts_where_the_book_says_so() {
    let round = "f0e0 e9f9 e0f0 f9e9";
    let (quiet, taking) = (
        "4k4/9/9/9/9/9/9/9/3K5/5R3 w",
        "4k4/9/9/9/9/9/9/9/3K5/4pR3 w",
    );
    let at = |start, unit, counts_opening_capture| {
        let rule = PendingRule {
            unit,
            count: 3,
            counts_opening_capture,
        };
        let span = pending_at(rule, start, round).unwrap();
        (span.start_ply, span.end_ply(), span.occurrences)
    };
    for counts in [false, true] {
        assert_eq!(at(quiet, PendingUnit::Rounds, counts), (0, 12, 4));
        assert_eq!(at(quiet, PendingUnit::Occurrences, counts), (0, 8, 3));
    }
    assert_eq!(at(taking, PendingUnit::Rounds, true), (0, 12, 3));
    assert_eq!(at(taking, PendingUnit::Rounds, false), (1, 13, 4));
    assert_eq!(at(taking, PendingUnit::Occurrences, true), (1, 9, 3));
    assert_eq!(at(taking, PendingUnit::Occurrences, false), (2, 10, 3));
    // A run that is not one of checks on every move is not that of a perpetual check.
    let mixed = "4k4/9/9/9/9/9/9/9/3K5/4pR3 w";
    let round = "f0e0 e9f9 e0g0 f9e9 g0h0 e9e8 h0f0 e8e9";
    let rule = |counts_opening_capture| PendingRule {
        counts_opening_capture,
        ..PendingRule::THREE_ROUNDS
    };
    assert_eq!(
        pending_at(rule(true), mixed, round),
        pending_at(rule(false), mixed, round)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn pending_positions_are_those_of_a_plain_reference(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u8>(), 0..120),
        rule in rules(),
    ) {
        let start = fen::parse(STARTS[start]).unwrap();
        let game = shuffled(&start, &choices);
        let expected = reference(&game, rule);
        let found = game.all_pending(rule);
        prop_assert_eq!(&found, &expected);
        for ply in 0..=game.len() {
            let single = game.pending_at(ply, rule);
            prop_assert_eq!(single, expected.iter().copied().find(|s| s.end_ply() == ply));
        }
        let mut scan = RepetitionScan::new();
        let first = scan.first_pending(&start, game.moves(), rule);
        prop_assert_eq!(first, expected.first().copied());
        scan.begin(&start);
        for (ply, &mv) in game.moves().iter().enumerate() {
            prop_assert_eq!(scan.push(mv), game.times_at(ply + 1));
            prop_assert_eq!(scan.pending(rule), game.pending_at(ply + 1, rule));
        }
        for span in found {
            let cycle = game.cycle(span);
            let again = Cycle::from_period(cycle.start(), cycle.moves()).unwrap();
            prop_assert_eq!(again.turns(), cycle.turns());
            let unrolled = cycle.positions();
            prop_assert!(unrolled[unrolled.len() - 1].same_pieces(cycle.start()));
        }
    }

    #[test]
    fn a_lead_in_changes_no_cycle(
        choices in prop::collection::vec(any::<u8>(), 1..80),
        rule in rules(),
    ) {
        // The red pawn's step forward leads in: what comes after never meets what came before.
        let before = fen::parse("3k4r/9/9/9/9/4P4/9/9/9/R3K4 b").unwrap();
        let mut led = Game::with_moves(before, moves("d9d8 e4e5")).unwrap();
        let game = shuffled(&led.position().clone(), &choices);
        for &mv in game.moves() {
            led.push(mv).unwrap();
        }
        let shifted: Vec<_> = game
            .all_pending(rule)
            .into_iter()
            .map(|s| CycleSpan {
                start_ply: s.start_ply + 2,
                span_start_ply: s.span_start_ply + 2,
                ..s
            })
            .collect();
        prop_assert_eq!(led.all_pending(rule), shifted);
    }

    #[test]
    fn one_more_round_of_a_cycle_makes_one_more_round(
        choices in prop::collection::vec(any::<u8>(), 20..80),
    ) {
        let start = fen::parse(ROOM).unwrap();
        let game = shuffled(&start, &choices);
        if let Some(cycle) = game.pending(PendingRule::THREE_ROUNDS) {
            let longer = Game::with_moves(start, game.moves().iter().chain(cycle.moves()).copied());
            let span = longer.unwrap().pending(PendingRule::THREE_ROUNDS).unwrap().span;
            prop_assert_eq!((span.period, span.start_ply), (cycle.span.period, cycle.span.start_ply));
            prop_assert_eq!(span.rounds, cycle.span.rounds + 1);
        }
    }
}
