//! Figures 15 and 16 of 1999: the post of a plain draw, known from the table of standard draws or
//! asserted by an arbiter; where it is neither, what is attacked by the way is chased.

use qili::board::Side;
use qili::cases::{Corpus, meets, ruling_on};
use qili::classify::{Assertions, Nature};
use qili::rules::{Catalog, Outcome};

const FIGURES: [&str; 2] = ["cxa-1999-15", "cxa-1999-16"];

#[test]
fn the_table_holds_them_and_so_does_the_arbiter_without_it() {
    let book = Catalog::builtin().get("cxa-1999").unwrap();
    for id in FIGURES {
        for (without_table, theoretical_draw) in [(false, false), (false, true), (true, true)] {
            let mut case = Corpus::builtin().get(id).unwrap().clone();
            case.assertions = Assertions {
                theoretical_draw,
                without_table,
            };
            let ruling = ruling_on(&case, &book).unwrap();
            assert_eq!(ruling.verdict.outcome, Outcome::Draw, "{id}");
            for (judged, &expected) in ruling.moves.iter().zip(&case.expect["cxa-1999"].natures) {
                let also = judged.also.clone().unwrap_or_default();
                assert!(
                    meets(expected, judged.nature.flatten(), &also),
                    "{id} {}",
                    judged.iccs
                );
            }
            let told = serde_json::to_string(&ruling).unwrap();
            assert!(told.contains("27.3"), "{id}");
        }
    }
}

#[test]
fn with_neither_their_attacks_are_chases() {
    let book = Catalog::builtin().get("cxa-1999").unwrap();
    // In figure 15 Red checks and chases against kill and idle, in figure 16 Black chases.
    let expected = [
        (
            vec![Nature::Check, Nature::Idle, Nature::Chase, Nature::Kill],
            Side::Red,
        ),
        (
            vec![Nature::Idle, Nature::Chase, Nature::Idle, Nature::Chase],
            Side::Black,
        ),
    ];
    for (id, (natures, side)) in FIGURES.into_iter().zip(expected) {
        let mut request = Corpus::builtin().get(id).unwrap().request("cxa-1999");
        request.assertions = Assertions {
            theoretical_draw: false,
            without_table: true,
        };
        let ruling = request.rule(&book, request.prepare().unwrap());
        let found: Vec<_> = ruling
            .judged
            .unwrap()
            .moves
            .iter()
            .map(|m| m.finding.nature)
            .collect();
        let wanted: Vec<_> = natures.into_iter().map(Some).collect();
        assert_eq!(found, wanted, "{id}");
        assert_eq!(
            (ruling.verdict.outcome, ruling.verdict.side),
            (Outcome::MustChange, Some(side)),
            "{id}"
        );
    }
}

#[test]
fn every_standard_draw_has_three_positions_of_our_own_two_of_them_negative() {
    let own = |ids: [&str; 4]| {
        let outcome = |id| {
            Corpus::builtin()
                .get(id)
                .map(|case| case.expect["cxa-1999"].outcome)
        };
        ids.map(outcome)
    };
    let one_of_four = [
        Some(Outcome::Draw),
        Some(Outcome::MustChange),
        Some(Outcome::MustChange),
        Some(Outcome::MustChange),
    ];
    let cannon = [
        "own-cannon-holds",
        "own-cannon-off-its-row",
        "own-cannon-against-rook-and-horse",
        "own-cannon-with-pawn",
    ];
    assert_eq!(own(cannon), one_of_four);
    let rook = [
        "own-rook-holds",
        "own-rook-leaves-middle",
        "own-rook-with-one-advisor",
        "own-rook-before-rook",
    ];
    assert_eq!(own(rook), one_of_four);
}
