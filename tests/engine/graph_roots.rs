//! Roots: every status and every reason for one on positions made for it, and what must hold of
//! any capture.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "test code: a helper that fails fails the test"
)]

use qili::board::{Move, Piece, PieceSet, Position, Setup, Side, Square};
use qili::definitions::Definitions;
use qili::exchange::{
    Account, Aims, End, FalseRoot, Root, RootStatus, Shortage, Survey, Terms, Work, is_material,
    material, root_of, roots_on, square_exchange, target_of,
};
use qili::rules::Catalog;
use serde_json::json;

fn definitions() -> Definitions {
    let book = Catalog::builtin().get("cxa-1999").unwrap();
    book.book.definitions.clone()
}

fn sq(text: &str) -> Square {
    text.parse().unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// The pieces given as letter and square, `Ka0`; Red to move.
fn place(pieces: &str) -> Position {
    let mut setup = Setup::empty(Side::Red);
    for text in pieces.split_whitespace() {
        let piece = Piece::from_letter(text.chars().next().unwrap());
        setup.put(sq(&text[1..]), piece);
    }
    setup.position().unwrap()
}

/// The status, and the same on the board reflected both ways.
fn status(pieces: &str, capture: &str) -> RootStatus {
    let position = place(pieces);
    let capture = mv(capture);
    assert!(position.is_legal(capture), "{pieces} {capture}");
    let status = root_of(&definitions(), &position, capture);
    assert!(!status.open);
    let mirrored = root_of(&definitions(), &position.mirrored(), capture.mirrored());
    assert_eq!(mirrored.root, status.root, "{pieces} mirrored");
    assert_eq!(mirrored.by.len(), status.by.len(), "{pieces} mirrored");
    let swapped = root_of(
        &definitions(),
        &position.colours_swapped(),
        capture.flipped(),
    );
    assert_eq!(swapped.root, status.root, "{pieces} swapped");
    for (piece, other) in status.by.iter().zip(&swapped.by) {
        assert_eq!(
            other.false_because.as_ref().map(std::mem::discriminant),
            piece.false_because.as_ref().map(std::mem::discriminant)
        );
        assert_eq!(
            other.short.as_ref().map(std::mem::discriminant),
            piece.short.as_ref().map(std::mem::discriminant)
        );
    }
    status
}

/// The squares of the roots, hidden ones in brackets.
fn by(status: &RootStatus) -> Vec<String> {
    let told = status.by.iter().map(|piece| {
        if piece.hidden {
            format!("({})", piece.square)
        } else {
            piece.square.to_string()
        }
    });
    told.collect()
}

fn only_false(status: &RootStatus) -> FalseRoot {
    assert_eq!(status.root, Root::False, "{status:?}");
    assert_eq!(status.by.len(), 1, "{status:?}");
    assert!(!status.by[0].is_real());
    status.by[0].false_because.clone().unwrap()
}

fn only_short(status: &RootStatus) -> Shortage {
    assert_eq!(status.root, Root::Under, "{status:?}");
    status.by[0].short.clone().unwrap()
}

#[test]
fn a_guarded_piece_is_rooted_and_another_is_not() {
    let rooted = status("Kd0 Re2 kf9 ne5 pe6", "e2e5");
    assert_eq!(
        (rooted.root, by(&rooted)),
        (Root::Rooted, vec!["e6".into()])
    );
    let none = status("Kd0 Re2 kf9 ne5", "e2e5");
    assert_eq!((none.root, by(&none)), (Root::None, vec![]));
}

#[test]
fn a_dear_piece_is_rooted_though_its_capture_gains() {
    let rooted = status("Kd0 Nf3 kf9 re5 pe6", "f3e5");
    assert_eq!(rooted.root, Root::Rooted);
}

#[test]
fn two_attackers_on_an_even_footing_leave_it_rooted() {
    // Rook for horse and horse: nothing is gained, so the protection is sufficient.
    let status = status("Kd0 Re2 Re1 kf9 ne5 nf7", "e2e5");
    assert_eq!(status.root, Root::Rooted);
}

#[test]
fn a_pinned_guard_is_no_root() {
    for (pieces, capture, by) in [
        ("Kd0 Rg0 Re3 ke9 ne7 cg6", "g0g6", "e3"),
        // The horse is one of the two pieces before a cannon.
        ("Kd0 Rg0 Ce3 ke9 ae8 ne7 cg6", "g0g6", "e3"),
        // It is all that keeps the kings apart.
        ("Ke0 Rg0 ke9 ne7 cg6", "g0g6", "e0"),
        // It stands on the leg of a horse that would give check.
        ("Ke0 Re2 Nc7 kd9 nc8 ce7", "e2e7", "c7"),
    ] {
        let why = only_false(&status(pieces, capture));
        assert_eq!(why, FalseRoot::Pinned { by: vec![sq(by)] }, "{pieces}");
    }
}

#[test]
fn a_pinned_guard_that_stays_on_its_line_is_a_root() {
    // Taking the horse, the rook pins the one that retakes along the same file.
    let status = status("Kd0 Re3 ke9 re7 ne5", "e3e5");
    assert_eq!(
        (status.root, by(&status)),
        (Root::Rooted, vec!["e7".into()])
    );
}

#[test]
fn a_cannon_whose_screen_takes_is_no_root() {
    let why = only_false(&status("Ke0 Rd5 kf9 ca5 ng5", "d5g5"));
    assert_eq!(why, FalseRoot::Unscreened { screen: sq("d5") });
    // With another screen behind the first it comes to bear instead.
    let hidden = status("Ke0 Rd5 kf9 ca5 nb5 ng5", "d5g5");
    assert_eq!(
        (hidden.root, by(&hidden)),
        (Root::Rooted, vec!["(a5)".into()])
    );
}

#[test]
fn a_guard_behind_the_attacker_is_a_hidden_root() {
    let hidden = status("Kf1 Rd3 ke9 ae8 rd0 nd6", "d3d6");
    assert_eq!(
        (hidden.root, by(&hidden)),
        (Root::Rooted, vec!["(d0)".into()])
    );
}

#[test]
fn a_horse_whose_leg_the_captor_leaves_is_a_hidden_root() {
    let hidden = status("Kf0 Ad0 kd9 nc0 pe1", "d0e1");
    assert_eq!(
        (hidden.root, by(&hidden)),
        (Root::Rooted, vec!["(c0)".into()])
    );
    // Another piece on the leg stays there.
    let blocked = status("Kd0 Rg0 Pf7 ke9 ne7 cg6", "g0g6");
    assert_eq!((blocked.root, by(&blocked)), (Root::None, vec![]));
}

#[test]
fn an_elephant_whose_eye_is_filled_is_no_root() {
    let rooted = status("Kd0 Rg0 kf9 be7 cg5", "g0g5");
    assert_eq!(
        (rooted.root, by(&rooted)),
        (Root::Rooted, vec!["e7".into()])
    );
    let filled = status("Kd0 Rg0 Pf6 kf9 be7 cg5", "g0g5");
    assert_eq!(filled.root, Root::None);
}

#[test]
fn a_king_cannot_retake_where_it_would_be_attacked() {
    let why = only_false(&status("Kd0 Re2 Rh8 ke9 ae8", "e2e8"));
    assert_eq!(why, FalseRoot::ExposesKing { by: vec![sq("h8")] });
    let rooted = status("Kd0 Re2 ke9 ae8", "e2e8");
    assert_eq!(
        (rooted.root, by(&rooted)),
        (Root::Rooted, vec!["e9".into()])
    );
}

#[test]
fn a_retake_that_answers_no_check_is_none() {
    let why = only_false(&status("Kd0 Re2 Ne5 ke9 rg9 cg6", "e5g6"));
    assert_eq!(why, FalseRoot::AnswersNoCheck { by: vec![sq("e2")] });
    // A capture that gives check itself is answered by taking it.
    let rooted = status("Kd0 Re2 ke9 ne7 rb9", "e2e7");
    assert_eq!((rooted.root, by(&rooted)), (Root::None, vec![]));
    let rooted = status("Kd0 Re2 ke9 ne7 bc5", "e2e7");
    assert_eq!(
        (rooted.root, by(&rooted)),
        (Root::Rooted, vec!["c5".into()])
    );
}

#[test]
fn whoever_can_retake_is_a_root_under_the_asian_rules() {
    let asian = &Catalog::builtin().get("wxf").unwrap().book.definitions;
    let both = |pieces: &str, capture: &str| {
        let (position, capture) = (place(pieces), mv(capture));
        [&definitions(), asian].map(|book| root_of(book, &position, capture).root)
    };
    // The second rook takes again.
    let few = both("Kf0 Rd2 Rd1 ke9 nd7 rh7", "d2d7");
    assert_eq!(few, [Root::Under, Root::Rooted]);
    // Leaving the file exposes the king; nothing guards the cannon.
    let pinned = both("Kd0 Re2 Nb5 ke9 re6 cd6", "b5d6");
    assert_eq!(pinned, [Root::False, Root::False]);
    let bare = both("Kd0 Re2 Nb5 ke9 re7 cd6", "b5d6");
    assert_eq!(bare, [Root::None, Root::None]);
}

#[test]
fn a_check_that_is_taken_may_be_taken_again() {
    // The rook takes with check; retaken, the second takes again.
    let short = only_short(&status("Kf0 Re2 Re1 ke9 ne7 rd7", "e2e7"));
    assert_eq!(short, Shortage::Outnumbered { by: sq("e1") });
}

#[test]
fn a_guard_whose_retake_is_mated_is_no_root() {
    let why = only_false(&status("Kd0 Rg8 Rh6 Nh3 kf9 ri9 ni5", "h3i5"));
    let line = vec![mv("h6h9")];
    assert_eq!(why, FalseRoot::Mated { line });
    // A mate that threatens anyhow does not come of the rook's leaving.
    let rooted = status("Kd0 Rg8 Rh6 Nb3 kf9 ra9 na5", "b3a5");
    assert_eq!(
        (rooted.root, by(&rooted)),
        (Root::Rooted, vec!["a9".into()])
    );
}

#[test]
fn a_guard_that_is_lost_to_checks_is_no_root() {
    let why = only_false(&status("Kd0 Ra1 Nh7 ke9 ri6 ni9", "h7i9"));
    let line = ["a1a9", "e9e8", "a9i9"].map(mv).to_vec();
    assert_eq!(why, FalseRoot::LostToChecks { line });
}

#[test]
fn a_guard_that_lets_as_much_fall_to_checks_elsewhere_is_no_root() {
    let why = only_false(&status("Kd0 Rg3 Nb3 ke9 ee7 cc5 na9", "b3c5"));
    let line = ["g3g9", "e9e8", "g9a9"].map(mv).to_vec();
    assert_eq!(why, FalseRoot::LostToChecks { line });
    // Nothing falls there.
    let rooted = status("Kd0 Rg3 Nb3 ke9 ee7 cc5", "b3c5");
    assert_eq!(rooted.root, Root::Rooted);
}

#[test]
fn a_guard_whose_retake_is_mated_sooner_than_threatened_is_no_root() {
    // The advisor opens the middle file: the horse mates at once, which takes longer otherwise.
    let why = only_false(&status("Ke0 Cd1 Nd5 Ne5 kd9 ae8 cd7 nb3", "e5d7"));
    let line = vec![mv("d5c7")];
    assert_eq!(why, FalseRoot::Mated { line });
}

#[test]
fn a_guard_that_checks_take_less_from_than_it_took_is_one_too_few() {
    let pieces = "Kf0 Cd1 Nd5 Ne5 kd9 ae8 cd7 nb3";
    let short = only_short(&status(pieces, "e5d7"));
    assert_eq!(short, Shortage::Outnumbered { by: sq("d1") });
}

#[test]
fn fewer_retakes_than_captures_are_too_few() {
    let short = only_short(&status("Kd0 Re2 Re1 kf9 ne5 re7", "e2e5"));
    assert_eq!(short, Shortage::Outnumbered { by: sq("e1") });
    // A rook behind the rook makes up for it.
    let rooted = status("Kd0 Re2 Re1 kf9 ne5 re7 re8", "e2e5");
    assert_eq!(rooted.root, Root::Rooted);
    assert_eq!(by(&rooted), vec!["e7", "(e8)"]);
}

#[test]
fn one_root_with_two_wards_is_too_few() {
    let short = only_short(&status("Kd0 Nb4 Rg0 kf9 ne7 cc6 cg6", "b4c6"));
    let two = Shortage::TwoWards {
        ward: sq("g6"),
        by: sq("g0"),
    };
    assert_eq!(short, two);
    // Rook for cannon and cannon is no gain.
    let rooted = status("Kd0 Rc2 Rg0 kf9 ne7 cc6 cg6", "c2c6");
    assert_eq!(rooted.root, Root::Rooted);
}

#[test]
fn a_guard_whose_leaving_opens_something_is_too_few() {
    let short = only_short(&status("Kd0 Nb4 Re2 kf9 ne7 ce8 cc6", "b4c6"));
    let opens = Shortage::Opens {
        square: sq("e8"),
        by: sq("e2"),
    };
    assert_eq!(short, opens);
}

#[test]
fn what_could_be_taken_all_along_takes_nothing_from_a_root() {
    let pieces = "Kd0 Nd5 Ra0 ke9 ne7 bg9";
    assert_eq!(status(pieces, "d5e7").root, Root::Rooted);
    let beside = status(&format!("{pieces} ra5"), "d5e7");
    assert_eq!(beside.root, Root::Rooted);
}

#[test]
fn a_guard_that_answers_a_check_may_be_lost_to_checks_as_well() {
    let pieces = "Ke0 Ad0 Ae1 Ri8 kf8 ae8 ad9 nh8 rh6";
    assert_eq!(status(pieces, "i8h8").root, Root::Rooted);
    let lost = status(&format!("{pieces} Ni7"), "i8h8");
    assert!(
        matches!(only_false(&lost), FalseRoot::LostToChecks { .. }),
        "{lost:?}"
    );
}

#[test]
fn a_root_may_work_through_checks() {
    let status = status("Ke0 Ri5 kd9 ra8 ni0", "i5i0");
    assert_eq!(
        (status.root, by(&status)),
        (Root::Rooted, vec!["(a8)".into()])
    );
    assert_eq!(status.by[0].through, ["a8a0", "e0e1", "a0i0"].map(mv));
}

#[test]
fn a_root_through_checks_is_a_guard_and_pays_for_its_retake() {
    // Red's rook takes g7 afterwards: it guards nothing of Black's.
    let few = "Ke0 Ad0 Bc0 Nb3 Rg4 ke9 rc5 cc7 be7 ng7";
    let pinned = "Ke0 Ad0 Bc0 Nb3 Rg4 ke9 rc5 cc7 be7 ng7 rc9";
    for (pieces, guards, retake) in [
        (&few.replace(" ke9", " ke9 pe6"), vec!["e7"], "e7c5"),
        (&pinned.to_owned(), vec!["e7", "(c9)"], "c9c5"),
    ] {
        let found = status(pieces, "b3c5");
        assert_eq!(
            (found.root, by(&found)),
            (Root::Under, guards.iter().map(|&g| g.to_owned()).collect()),
            "{found:?}"
        );
        let through = found
            .by
            .iter()
            .find(|piece| !piece.through.is_empty())
            .unwrap();
        assert_eq!(through.through, ["c7c0", "e0e1", retake].map(mv));
        assert_eq!(through.costs, ["g4g7"].map(mv));
        assert!(matches!(
            through.short,
            Some(Shortage::TwoWards { .. } | Shortage::Opens { .. })
        ));
    }
    // Nor is it none where the other side gains by what it lets go of.
    let lets_go = status("Kf1 Rc7 Nh5 ke9 re5 be7 cf6", "h5f6");
    assert_eq!(
        (lets_go.root, by(&lets_go)),
        (Root::Under, vec!["(e5)".into()]),
        "{lets_go:?}"
    );
    assert_eq!(lets_go.by[0].through, ["e5f5", "f1e1", "f5f6"].map(mv));
    // A pawn given on the way is a price as well.
    let given = status("Kd1 Nc4 kf9 ra3 ri3 pd3", "c4a3");
    assert_eq!(
        (given.root, by(&given)),
        (Root::Under, vec!["(i3)".into()]),
        "{given:?}"
    );
    // Where nothing falls it is enough.
    let found = status(&pinned.replace(" ng7", ""), "b3c5");
    assert_eq!(
        (found.root, by(&found)),
        (Root::Rooted, vec!["e7".into(), "(c9)".into()])
    );
}

#[test]
fn the_worst_capture_gives_the_status_of_a_square() {
    let position = place("Kd0 Rg0 Na5 ke9 ne7 cc6");
    let (capture, status) = roots_on(&definitions(), &position, sq("c6")).unwrap();
    assert_eq!((capture, status.root), (mv("a5c6"), Root::Rooted));
    assert!(roots_on(&definitions(), &position, sq("e7")).is_none());
    assert!(roots_on(&definitions(), &position, sq("a1")).is_none());
    // The side that takes need not be on the move.
    let mut passed = position.clone();
    passed.pass();
    assert!(roots_on(&definitions(), &passed, sq("c6")).is_some());
    assert_eq!(
        root_of(&definitions(), &passed, capture),
        root_of(&definitions(), &position, capture)
    );
}

#[test]
fn what_is_no_capture_has_no_roots() {
    let position = place("Kd0 Rg0 ke9 ne7");
    for text in ["g0g1", "a5a6", "g0d0"] {
        let status = root_of(&definitions(), &position, mv(text));
        assert_eq!((status.root, status.by), (Root::None, vec![]));
    }
}

#[test]
fn targets_are_written_as_the_contract_has_them() {
    let position = place("Kd0 Rg0 Re3 ke9 ne7 cg6 rg9");
    let terms = Terms {
        definitions: &definitions(),
        work: &Work::free(None),
    };
    let target = target_of(terms, &Survey::of(position), mv("g0g6")).unwrap();
    assert_eq!(
        serde_json::to_value(&target).unwrap(),
        json!({
            "square": "g6", "piece": "cannon", "root": "rooted",
            "roots": [
                {"square": "e7", "piece": "horse", "hidden": false,
                 "false": {"why": "pinned", "by": ["e3"]}},
                {"square": "g9", "piece": "rook", "hidden": false, "false": null},
            ],
        })
    );
    let position = place("Kd0 Nb4 Rg0 kf9 ne7 cc6 cg6");
    let target = target_of(terms, &Survey::of(position), mv("b4c6")).unwrap();
    let roots = serde_json::to_value(&target.roots).unwrap();
    assert_eq!(
        roots,
        json!([{"square": "e7", "piece": "horse", "hidden": false, "false": null,
                "short": {"why": "two_wards", "ward": "g6", "by": "g0"}, "costs": ["e7c6", "g0g6"]}])
    );
    for root in Root::ALL {
        assert_eq!(serde_json::to_value(root).unwrap(), root.id());
    }
    let (line, by, screen) = (vec![], vec![], sq("a0"));
    let reasons = [
        ("pinned", FalseRoot::Pinned { by: by.clone() }),
        ("exposes_king", FalseRoot::ExposesKing { by: by.clone() }),
        ("answers_no_check", FalseRoot::AnswersNoCheck { by }),
        ("unscreened", FalseRoot::Unscreened { screen }),
        ("mated", FalseRoot::Mated { line: line.clone() }),
        ("lost_to_checks", FalseRoot::LostToChecks { line }),
    ];
    for (id, why) in reasons {
        assert_eq!(serde_json::to_value(&why).unwrap()["why"], id);
    }
}

/// A generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

/// Captures met in random play.
fn captures(games: u64) -> Vec<(Position, Move)> {
    let mut found = Vec::new();
    for seed in 0..games {
        let mut dice = Dice(seed);
        let mut position = Position::start();
        for ply in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % 9 == 8 {
                let captures = moves.iter().filter(|mv| !position.is_empty(mv.to));
                found.extend(captures.map(|&mv| (position.clone(), mv)));
            }
            position.make(moves[dice.below(moves.len())]);
        }
    }
    found
}

#[test]
fn every_root_is_what_it_is_said_to_be() {
    let definitions = definitions();
    let mut seen = [0; 4];
    for (position, capture) in captures(120) {
        let status = root_of(&definitions, &position, capture);
        let told = format!("{position:?} {capture} {status:?}");
        seen[status.root as usize] += 1;
        let taken = position.after(capture);
        let owner = taken.turn();
        let before = position.bearing_on(capture.to, owner);
        let now = taken.bearing_on(capture.to, owner);
        for piece in &status.by {
            let retake = Move::new(piece.square, capture.to);
            let is_legal = taken.is_legal(retake);
            let direct = now.contains(piece.id) && piece.through.is_empty();
            match &piece.false_because {
                None if direct => assert!(is_legal, "{told}"),
                None | Some(FalseRoot::Mated { .. } | FalseRoot::LostToChecks { .. }) => {}
                Some(_) => assert!(!is_legal, "{told}"),
            }
            assert_eq!(piece.hidden, !before.contains(piece.id), "{told}");
        }
        // All that guards, before or after, is told; nothing is told twice.
        for id in before.or(now) {
            let times = status.by.iter().filter(|piece| piece.id == id).count();
            assert_eq!(times, 1, "{told}");
        }
        let retakes = now.filter(|&id| taken.is_legal(Move::new(taken.square_of(id), capture.to)));
        let retakes: Vec<Move> = retakes
            .map(|id| Move::new(taken.square_of(id), capture.to))
            .collect();
        let mut board = taken.clone();
        if retakes
            .iter()
            .any(|&mv| square_exchange(&mut board, mv, None) > 0)
        {
            assert_ne!(status.root, Root::None, "{told}");
        }
        let has_short = |root: &RootStatus| root.by.iter().any(|piece| piece.short.is_some());
        match status.root {
            Root::Rooted => assert!(status.by.iter().any(|p| p.is_real() && p.short.is_none())),
            Root::Under => assert!(has_short(&status), "{told}"),
            Root::False => assert!(status.by.iter().all(|p| !p.is_real()), "{told}"),
            Root::None => assert!(status.by.is_empty() && retakes.is_empty(), "{told}"),
        }
    }
    assert!(seen.iter().all(|&n| n > 5), "{seen:?}");
}

/// An account is asked one thing after another: what a run of checks was to do without, a capture may do.
#[test]
fn a_capture_mates_whatever_was_asked_before() {
    let terms = Terms {
        definitions: &definitions(),
        work: &Work::free(None),
    };
    let position = place("Ra1 Rb8 Kd0 ke9 ca9");
    let mut account = Account::new(terms, &position);
    account.aim(Aims::Short(PieceSet::EMPTY));
    assert_eq!(account.line(mv("a1a9")).end, End::Mates);
}

#[test]
fn roots_agree_with_the_account() {
    let definitions = definitions();
    let (mut agreed, mut others, mut odd) = (0, 0, 0);
    for (position, capture) in captures(120) {
        if position.in_check() || !is_material(&position, capture.to) {
            continue;
        }
        let scale = definitions.scale();
        let status = root_of(&definitions, &position, capture);
        let terms = Terms {
            definitions: &definitions,
            work: &Work::free(None),
        };
        let mut account = Account::new(terms, &position);
        let line = account.line(capture);
        let wins = line.win.is_some();
        let captor = position.id_at(capture.from).unwrap();
        let victim = position.id_at(capture.to).unwrap();
        let (cost, prize) = (material(captor, capture.to), material(victim, capture.to));
        let told = format!("{position:?} {capture} {status:?} {line:?}");
        // The other side takes something else on the way: the captor has left a ward of its own.
        let mut answers = line.moves().iter().skip(1).step_by(2);
        let elsewhere = answers.any(|mv| mv.to != capture.to);
        let illegal_only = status.by.iter().all(|piece| {
            !matches!(
                piece.false_because,
                Some(FalseRoot::Mated { .. } | FalseRoot::LostToChecks { .. })
            )
        });
        match status.root {
            // No protection: it is won, unless the taker is mated or loses something else.
            Root::None | Root::False if illegal_only => {
                if wins {
                    agreed += 1;
                } else {
                    assert!(line.end == End::Mated || elsewhere, "{told}");
                    others += 1;
                }
            }
            // Too little: as without.
            Root::Under => {
                assert!(wins || line.end == End::Mated || elsewhere, "{told}");
                agreed += 1;
            }
            // Enough: nothing is won, but for the difference of the two pieces.
            Root::Rooted if prize.minus(cost).grade(scale) <= prize.minus(prize).grade(scale) => {
                if status.by.iter().any(|piece| piece.false_because.is_some()) {
                    continue;
                }
                let even = prize == cost;
                // Once in a long while the other side has better than to retake at once.
                odd += usize::from(wins && !even);
                agreed += 1;
            }
            Root::Rooted | Root::None | Root::False => {}
        }
    }
    assert!(agreed > 300 && others < agreed / 5, "{agreed} {others}");
    assert!(odd < agreed / 200, "{odd} of {agreed}");
}
