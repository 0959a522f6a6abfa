//! The natural limit: games counted by hand.

#![expect(clippy::unwrap_used, reason = "test code")]

use proptest::prelude::*;
use qili::board::Side;
use qili::game::Game;
use qili::game::limit::{
    Audit, Claim, Consequence, Counting, ExcessCheck, Rule, Since, Unit, audit,
};
use qili::notation::fen;
use qili::rules::Catalog;

const ROOM: &str = "3k4r/9/9/9/9/9/9/9/9/R3K4 w";
/// Two rounds without a check.
const QUIET: &str = "a0a1 i9i8 a1a0 i8i9 ";
/// Two rounds, the first a check and its answer.
const CHECK: &str = "a0a9 d9d8 a9a0 d8d9 ";

fn rule_of(book: &str) -> Rule {
    Catalog::builtin().get(book).unwrap().book.limit().unwrap()
}

fn play(fen_text: &str, played: &str) -> Game {
    let moves = played.split_whitespace().map(|word| word.parse().unwrap());
    Game::with_moves(fen::parse(fen_text).unwrap(), moves).unwrap()
}

const fn by(by: Side) -> Claim {
    Claim {
        by,
        earlier_false_claims: 0,
    }
}

const fn foul(side: Side) -> Consequence {
    Consequence::Foul {
        side,
        minutes: 5,
        technical: false,
    }
}

fn left_out(audit: &Audit) -> Vec<usize> {
    audit.left_out().map(|ply| ply.ply).collect()
}

#[test]
fn sixty_rounds_make_a_good_claim() {
    let rule = rule_of("cxa-1999");
    for side in Side::ALL {
        let full = audit(&play(ROOM, &QUIET.repeat(30)), &rule, Some(by(side)));
        assert!(full.reached);
        assert_eq!((full.count, full.consequence), (60, Consequence::Draw));
        assert_eq!((full.since, full.plies.len()), (Since::FirstMove, 120));
        // Red has moved sixty times, Black fifty-nine.
        let short = format!("{}a0a1 i9i8 a1a0", QUIET.repeat(29));
        let short = audit(&play(ROOM, &short), &rule, Some(by(side)));
        assert!(!short.reached);
        assert_eq!((short.count, short.consequence), (59, foul(side)));
    }
}

#[test]
fn a_capture_starts_the_count_again() {
    let fen_text = "3k4r/9/9/9/9/9/9/9/p8/R3K4 w";
    // Red takes on a1; from the next move each side needs sixty.
    let played = format!("a0a1 {}", "i9i8 a1a0 i8i9 a0a1 ".repeat(30));
    let full = audit(
        &play(fen_text, &played),
        &rule_of("cxa-1999"),
        Some(by(Side::Black)),
    );
    assert_eq!((full.count, full.consequence), (60, Consequence::Draw));
    assert_eq!(
        full.since,
        Since::Capture {
            ply: 0,
            mv: "a0a1".parse().unwrap()
        }
    );
    assert_eq!((full.plies.len(), full.plies[0].ply), (120, 1));
    let short = played.trim_end().rsplit_once(' ').unwrap().0;
    let short = audit(
        &play(fen_text, short),
        &rule_of("cxa-1999"),
        Some(by(Side::Black)),
    );
    assert_eq!((short.count, short.consequence), (59, foul(Side::Black)));
    // A pawn's step does not: 24 plies, one of them a pawn's.
    let pawn = format!("{}e4e5 i9i8 e0e1 i8i9 {}", QUIET.repeat(2), QUIET.repeat(3));
    let pawn = audit(
        &play("3k4r/9/9/9/9/4P4/9/9/9/R3K4 w", &pawn),
        &rule_of("cxa-1999"),
        None,
    );
    assert_eq!((pawn.count, pawn.since), (12, Since::FirstMove));
}

#[test]
fn ten_checks_of_the_claimant_count() {
    // 24 rounds with twelve checks, then 36 without: sixty, of which two are left out.
    let game = play(ROOM, &(CHECK.repeat(12) + &QUIET.repeat(18)));
    let rule = rule_of("cxa-1999");
    let red = audit(&game, &rule, Some(by(Side::Red)));
    assert_eq!(
        (red.count, red.consequence, red.checks.red),
        (58, foul(Side::Red), 12)
    );
    assert_eq!(
        left_out(&red),
        [40, 41, 44, 45],
        "the eleventh and twelfth, and their answers"
    );
    assert_eq!(red.plies[40].counting, Counting::ExcessCheck { number: 11 });
    assert_eq!(red.plies[41].counting, Counting::Answer { number: 11 });
    assert_eq!(
        (
            red.plies[39].count,
            red.plies[41].count,
            red.plies[43].count
        ),
        (20, 20, 21)
    );
    // Black gave none of them.
    let black = audit(&game, &rule, Some(by(Side::Black)));
    assert_eq!((black.count, black.consequence), (60, Consequence::Draw));
    assert_eq!(left_out(&black), [0; 0]);
    // Two more rounds make Red's claim good.
    let longer = play(ROOM, &(CHECK.repeat(12) + &QUIET.repeat(19)));
    assert_eq!(
        audit(&longer, &rule, Some(by(Side::Red))).consequence,
        Consequence::Draw
    );
}

#[test]
fn what_an_excess_check_removes_is_a_parameter() {
    // Thirteen checks in 100 plies: three too many.
    let game = play(ROOM, &(CHECK.repeat(13) + &QUIET.repeat(12)));
    let count = |unit: Unit, excess_check_removes: ExcessCheck, checks: u32| {
        let rule = Rule {
            unit,
            excess_check_removes,
            claimant_checks_counted: checks,
            ..rule_of("cxa-2020")
        };
        audit(&game, &rule, Some(by(Side::Red))).count
    };
    assert_eq!(count(Unit::Rounds, ExcessCheck::Round, 10), 47);
    // Black's answers stay, but a round needs Red's move too.
    assert_eq!(count(Unit::Rounds, ExcessCheck::Ply, 10), 47);
    assert_eq!(count(Unit::Plies, ExcessCheck::Round, 10), 94);
    assert_eq!(count(Unit::Plies, ExcessCheck::Ply, 10), 97);
    assert_eq!(count(Unit::Rounds, ExcessCheck::Round, 0), 37);
    assert_eq!(count(Unit::Rounds, ExcessCheck::Round, 13), 50);
}

#[test]
fn a_last_check_has_no_answer_to_leave_out() {
    let game = play(ROOM, &(CHECK.repeat(10) + "a0a9"));
    let red = audit(&game, &rule_of("wxf"), Some(by(Side::Red)));
    assert_eq!((red.count, left_out(&red)), (40, vec![40]));
}

#[test]
fn a_perpetual_check_counts_ten() {
    let fen_text = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
    let game = play(fen_text, &"f0e0 e8f8 e0f0 f8e8 ".repeat(30));
    let rule = rule_of("cxa-1999");
    let red = audit(&game, &rule, Some(by(Side::Red)));
    assert_eq!(
        (red.count, red.checks.red, red.left_out().count()),
        (10, 60, 100)
    );
    assert_eq!(audit(&game, &rule, Some(by(Side::Black))).count, 60);
}

#[test]
fn the_singapore_rules_count_plies() {
    let rule = rule_of("wxf");
    let game = play(ROOM, &QUIET.repeat(25));
    let good = audit(&game, &rule, Some(by(Side::Black)));
    assert_eq!((good.count, good.consequence), (100, Consequence::Draw));
    let game = play(ROOM, &(QUIET.repeat(24) + "a0a1 i9i8 a1a0"));
    let bad = audit(&game, &rule, Some(by(Side::Black)));
    let technical = Consequence::Foul {
        side: Side::Black,
        minutes: 5,
        technical: true,
    };
    assert_eq!((bad.count, bad.consequence), (99, technical));
    assert!(bad.en()[3].contains("technical foul by Black, and 5 minutes off Black's clock"));
}

#[test]
fn an_event_may_lower_the_limit() {
    let game = play(ROOM, &QUIET.repeat(25));
    let rule = Rule {
        count: 50,
        ..rule_of("cxa-1999")
    };
    assert_eq!(
        audit(&game, &rule, Some(by(Side::Red))).consequence,
        Consequence::Draw
    );
    let rule = Rule { count: 51, ..rule };
    assert_eq!(
        audit(&game, &rule, Some(by(Side::Red))).consequence,
        foul(Side::Red)
    );
}

#[test]
fn a_second_false_claim_in_one_stage_loses_in_2011() {
    let game = play(ROOM, QUIET);
    let again = Some(Claim {
        by: Side::Red,
        earlier_false_claims: 1,
    });
    let of = |book: &str, claim| audit(&game, &rule_of(book), claim);
    assert_eq!(
        of("cxa-2011", Some(by(Side::Red))).consequence,
        foul(Side::Red)
    );
    let second = of("cxa-2011", again);
    assert_eq!(second.consequence, Consequence::Loss { side: Side::Red });
    assert_eq!(second.rule.clauses, ["4.1(11)"]);
    assert_eq!(
        second.zh()[3],
        "红方在同一阶段再次提出自然限着不成立，判负。"
    );
    let second = of("cxa-1999", again);
    assert_eq!(
        (second.consequence, second.rule.clauses),
        (foul(Side::Red), vec!["4.2.4".to_owned(), "23.3".to_owned()])
    );
    // A good claim is good however many were false.
    let good = audit(&play(ROOM, &QUIET.repeat(30)), &rule_of("cxa-2011"), again);
    assert_eq!(good.consequence, Consequence::Draw);
}

#[test]
fn an_arbiter_leaves_out_nobodys_checks() {
    let game = play(ROOM, &(CHECK.repeat(12) + &QUIET.repeat(18)));
    let rule = rule_of("cxa-1999");
    let found = audit(&game, &rule, None);
    assert_eq!(
        (found.count, found.consequence),
        (60, Consequence::MayRuleDraw)
    );
    assert_eq!((found.if_claimed.red, found.if_claimed.black), (58, 60));
    assert_eq!(found.left_out().count(), 0);
    let short = audit(&play(ROOM, QUIET), &rule, None);
    assert_eq!((short.count, short.consequence), (2, Consequence::PlayOn));
    assert_eq!(audit(&play(ROOM, ""), &rule, None).count, 0);
}

#[test]
fn a_game_that_is_over_has_no_claim() {
    let fen_text = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w";
    let rule = Rule {
        count: 0,
        ..rule_of("cxa-1999")
    };
    let over = audit(&play(fen_text, "b0b9"), &rule, Some(by(Side::Red)));
    assert!(matches!(over.consequence, Consequence::GameOver(_)));
    assert!(over.zh()[3].contains("将死"));
}

#[test]
fn an_audit_tells_what_it_counted() {
    let game = play(ROOM, &(CHECK.repeat(12) + &QUIET.repeat(18)));
    let red = audit(&game, &rule_of("cxa-1999"), Some(by(Side::Red)));
    assert_eq!(
        red.en(),
        [
            "Nothing has been captured: counted from the first move, 120 plies.",
            "Red, who claims, gave 12 checks, of which 10 count: 2 checks and 2 answers left out.",
            "58 rounds of 60: the claim is false.",
            "A foul by Red, and 5 minutes off Red's clock; Red loses if that runs the clock out, \
             otherwise the game goes on.",
        ]
    );
    assert_eq!(
        red.zh(),
        [
            "全局无吃子，从第1着起计，共120着。",
            "红方（提出方）将军12着，至多计10着；超出的2着及其应着2着不计。",
            "计58回合，限60回合：提出不成立。",
            "红方记犯规一次，并扣除用时5分钟；扣时后超时的判负，否则继续对局。",
        ]
    );
    let json = serde_json::to_value(&red).unwrap();
    assert_eq!(json["rule"]["book"], "cxa-1999");
    assert_eq!(json["consequence"]["kind"], "foul");
    assert_eq!(json["since"]["kind"], "first_move");
    assert_eq!(json["plies"][40]["counting"]["kind"], "excess_check");
    assert_eq!(json["plies"][40]["iccs"], "a0a9");
}

proptest! {
    #[test]
    fn a_claim_never_counts_more_than_was_played(
        choices in prop::collection::vec(any::<u8>(), 0..200),
        most in 0u32..4,
    ) {
        let mut game = Game::new(fen::parse("3k4r/9/9/p8/9/9/p8/9/9/RC2K4 w").unwrap());
        for choice in choices {
            let legal = game.position().legal_moves();
            let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            game.push(mv).unwrap();
        }
        for unit in [Unit::Rounds, Unit::Plies] {
            let rule = Rule { unit, claimant_checks_counted: most, ..rule_of("cxa-1999") };
            let plain = audit(&game, &rule, None);
            for side in Side::ALL {
                let claimed = audit(&game, &rule, Some(by(side)));
                prop_assert_eq!(claimed.count, plain.if_claimed[side]);
                prop_assert!(claimed.count <= plain.count);
                let given = claimed.checks[side];
                prop_assert_eq!(claimed.left_out().count() > 0, given > most);
                if given <= most {
                    prop_assert_eq!(claimed.count, plain.count);
                }
                let counted = claimed.plies.len() - claimed.left_out().count();
                if unit == Unit::Plies {
                    prop_assert_eq!(claimed.count as usize, counted);
                } else {
                    prop_assert!(claimed.count as usize <= counted / 2);
                }
            }
        }
    }
}

#[test]
fn an_amendment_reaches_the_limit() {
    let base = &Catalog::builtin().get("cxa-2011").unwrap().book;
    let text = r#"
id = "league"
base = "cxa-2011"
effective = "2026"
title = { zh = "联赛", en = "league" }
reason = { zh = "联赛规程", en = "the league's regulations" }

[natural_limit]
unit = "plies"
count = 80
claimant_checks = 6
clauses = ["4.1(11)"]
excess_check_removes = "ply"
false_claim_minutes = 3
false_claim_is_technical = true
"#;
    let amended = base.amended_by_file("league.toml", text).unwrap();
    let rule = amended.limit().unwrap();
    assert_eq!(
        (rule.book.as_str(), rule.unit, rule.count),
        ("cxa-2011+league", Unit::Plies, 80)
    );
    let found = audit(&play(ROOM, QUIET), &rule, Some(by(Side::Red)));
    let foul = Consequence::Foul {
        side: Side::Red,
        minutes: 3,
        technical: true,
    };
    assert_eq!(found.consequence, foul);
    assert!(
        Catalog::builtin()
            .get("threefold")
            .unwrap()
            .book
            .limit()
            .is_none()
    );
}
