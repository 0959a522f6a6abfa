//! Two books over the case library, over games, and over random cycles.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::cases::Corpus;
use qili::classify::Nature;
use qili::compare::{
    Change, ChangeKind, Comparison, Gathered, Gatherer, Item, Lever, Search, compare, search,
};
use qili::explain::Language;
use qili::rules::{Amendment, Catalog, EXAMPLES, LoadedBook, Outcome};
use qili::ruling::Standing;
use std::sync::{Arc, LazyLock};

fn book(id: &str) -> Arc<LoadedBook> {
    Catalog::builtin().get(id).unwrap()
}

/// The base with one of the amendments that come with the program.
fn example(file: &str) -> LoadedBook {
    let (file, text) = EXAMPLES.iter().find(|(name, _)| *name == file).unwrap();
    let amendment = Amendment::read(file, text).unwrap();
    book(&amendment.base).amended(&amendment).unwrap()
}

fn library() -> Vec<Item> {
    Corpus::builtin()
        .iter()
        .map(|case| Item::of_case(case).unwrap())
        .collect()
}

fn over_library(base: &LoadedBook, other: &LoadedBook) -> Comparison {
    compare(base, other, &library(), Vec::new(), &|| ())
}

static EDITIONS: LazyLock<Comparison> =
    LazyLock::new(|| over_library(&book("cxa-1999"), &book("cxa-2020")));

fn change<'c>(comparison: &'c Comparison, id: &str) -> &'c Change {
    let found = comparison.changes.iter().find(|change| change.id == id);
    assert!(found.is_some(), "{id} does not change");
    found.unwrap()
}

/// Outcome and side, base and other: `must_change red → draw`.
fn flip(change: &Change) -> String {
    let told = change.rulings.map(|ruling| {
        let side = ruling.verdict.side.map_or("", |side| side.id());
        format!("{} {side}", ruling.verdict.outcome.id())
            .trim_end()
            .to_owned()
    });
    format!("{} → {}", told.base, told.other)
}

fn levers(change: &Change) -> Vec<String> {
    change.cause.levers.iter().map(Lever::target).collect()
}

/// What holds of every comparison.
fn hangs_together(comparison: &Comparison) {
    let counts = comparison.counts;
    let of = |kind| comparison.changes.iter().filter(|c| c.kind == kind).count();
    for kind in ChangeKind::ALL {
        assert_eq!(counts.of(kind), of(kind), "{kind:?}");
    }
    let parts = counts.unchanged + comparison.changes.len() + counts.errors;
    assert_eq!(counts.total, parts);
    let grouped: usize = comparison
        .groups
        .iter()
        .map(|group| group.changes.len())
        .sum();
    assert_eq!(grouped, comparison.changes.len());
    for change in &comparison.changes {
        assert!(
            !change.cause.levers.is_empty(),
            "{}: nothing is behind it",
            change.id
        );
        let verdict = change.rulings.map(|r| (r.verdict.outcome, r.verdict.side));
        match change.kind {
            ChangeKind::Flipped => assert_ne!(verdict.base, verdict.other),
            ChangeKind::Relabelled => {
                assert_eq!(verdict.base, verdict.other);
                assert!(!change.changed.is_empty(), "{}", change.id);
            }
            ChangeKind::Undetermined => assert_eq!(verdict.other.0, Outcome::Undetermined),
            ChangeKind::Determined => assert_eq!(verdict.base.0, Outcome::Undetermined),
        }
    }
}

#[test]
fn a_book_compared_with_itself_shows_nothing() {
    let base = book("cxa-1999");
    let comparison = over_library(&base, &base);
    assert!(comparison.changes.is_empty() && comparison.groups.is_empty());
    assert_eq!(comparison.counts.unchanged, Corpus::builtin().len());
    let what = Search {
        cycles: 50,
        seed: 1,
        min_pieces: 4,
        max_pieces: 6,
    };
    assert_eq!(search(&base, &base, what, &|_| ()).differing, 0);
}

#[test]
fn the_pawn_upgrade_struck_flips_figure_13() {
    let comparison = over_library(&book("cxa-1999"), &example("pawn-upgrade-struck.toml"));
    hangs_together(&comparison);
    let figure = change(&comparison, "cxa-1999-13");
    assert_eq!(flip(figure), "draw → must_change black");
    let changed: Vec<_> = figure
        .changed
        .iter()
        .map(|m| (m.index, m.nature.base))
        .collect();
    assert_eq!(
        changed,
        [(0, Some(Nature::Chase)), (2, Some(Nature::Chase))]
    );
    for m in &figure.changed {
        assert!(m.nature.other.is_some_and(|nature| !nature.is_strike()));
        assert!(!m.evidence.base.is_empty() && !m.evidence.other.is_empty());
    }
    // The pawn is charged by the clause that was struck.
    assert!(
        figure.cited.base.contains(&"细则11".to_owned()),
        "{:?}",
        figure.cited
    );
    let group = &comparison.groups[0];
    let ids = |articles: &[qili::rules::Article]| -> Vec<String> {
        articles.iter().map(|article| article.id.clone()).collect()
    };
    assert_eq!(ids(&group.articles.base), ["27.2", "细则11"]);
    assert_eq!(ids(&group.articles.other), ["27.2"]);
    // Nothing changes but where a pawn was charged in mutual attack.
    for change in &comparison.changes {
        assert_eq!(
            levers(change),
            ["definitions.pawn_upgrade"],
            "{}",
            change.id
        );
        assert!(
            change.cited.base.contains(&"细则11".to_owned()),
            "{}",
            change.id
        );
    }
}

#[test]
fn kills_permitted_frees_those_who_only_threaten_mate() {
    let comparison = over_library(&book("cxa-1999"), &example("kills-permitted.toml"));
    hangs_together(&comparison);
    // Figure 9: perpetual kill against idle moves was for Red to change; now both are permitted.
    assert_eq!(
        flip(change(&comparison, "cxa-1999-09")),
        "must_change red → draw"
    );
    // Figure 10: check and chase in turn against perpetual kill were both forbidden and a draw;
    // now only the former is forbidden.
    assert_eq!(
        flip(change(&comparison, "cxa-1999-10")),
        "draw → must_change red"
    );
    for change in &comparison.changes {
        assert_eq!(
            levers(change),
            ["definitions.kill_is_attack"],
            "{}",
            change.id
        );
        let sides = change.rulings.map(|ruling| ruling.sides.clone().unwrap());
        // The table: nobody forbidden, one side, or both.
        let freed = qili::board::Side::ALL.into_iter().filter(|&side| {
            let standing = sides.map(|sides| sides[side].standing);
            standing.base != standing.other && standing.other == Some(Standing::Permitted)
        });
        let freed: Vec<_> = freed.collect();
        assert!(!freed.is_empty(), "{}: nobody is freed", change.id);
        for side in freed {
            let base = &change.rulings.base;
            let killed = base
                .moves
                .iter()
                .any(|m| m.side == side && m.nature.flatten() == Some(Nature::Kill));
            // A pawn upgraded because both attacked is freed with the other side's kills.
            let upgraded = change.changed.iter().any(|m| m.side == side);
            assert!(
                killed || upgraded,
                "{}: {side:?} threatened no mate",
                change.id
            );
        }
        let forbidden = |side| sides.other[side].standing == Some(Standing::Forbidden);
        let expected = match (
            forbidden(qili::board::Side::Red),
            forbidden(qili::board::Side::Black),
        ) {
            (false, false) | (true, true) => Outcome::Draw,
            _ => Outcome::MustChange,
        };
        assert_eq!(
            change.rulings.other.verdict.outcome, expected,
            "{}",
            change.id
        );
    }
}

#[test]
fn dodging_by_its_result_flips_the_figures_on_dodging() {
    let comparison = over_library(&book("cxa-1999"), &example("dodging-by-result.toml"));
    hangs_together(&comparison);
    // Figures 6, 7 and 8 stand for detailed rule 6: a dodge after which another piece can take
    // was idle, and chases now, so that both sides attack on every move.
    for figure in ["cxa-1999-06", "cxa-1999-07", "cxa-1999-08"] {
        let figure = change(&comparison, figure);
        assert_eq!(
            figure.rulings.other.verdict.outcome,
            Outcome::Draw,
            "{}",
            figure.id
        );
        assert_eq!(levers(figure), ["definitions.before_basis"]);
        assert!(!figure.changed.is_empty());
        for m in &figure.changed {
            assert_eq!(m.nature.other, Some(Nature::Chase), "{}", figure.id);
        }
    }
    // With the treatment of 2020 the relabelled moves are what 2020 calls them.
    for other in &comparison.changes {
        let full = EDITIONS.changes.iter().find(|change| change.id == other.id);
        let index =
            |change: &Change| -> Vec<usize> { change.changed.iter().map(|m| m.index).collect() };
        if let Some(full) = full {
            let known = index(full);
            assert!(
                index(other).iter().all(|at| known.contains(at)),
                "{}",
                other.id
            );
        }
    }
}

#[test]
fn the_editions_of_1999_and_2020_differ_where_they_are_known_to() {
    hangs_together(&EDITIONS);
    let figure = change(&EDITIONS, "cxa-1999-13");
    assert_eq!(flip(figure), "draw → must_change black");
    assert_eq!(levers(figure), ["definitions.pawn_upgrade"]);
    let strong = change(&EDITIONS, "cxa-2020-fig-26");
    assert_eq!(levers(strong), ["definitions.both_forbidden"]);
    assert!(strong.changed.is_empty(), "only the tie-break differs");
}

#[test]
fn the_number_of_threads_does_not_show() {
    let (base, other) = (book("cxa-1999"), example("dodging-by-result.toml"));
    let items: Vec<Item> = library().into_iter().take(40).collect();
    let what = Search {
        cycles: 600,
        seed: 3,
        min_pieces: 4,
        max_pieces: 8,
    };
    let told = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let comparison = compare(&base, &other, &items, Vec::new(), &|| ());
            let found = search(&base, &other, what, &|_| ());
            let html = comparison.html(Language::Zh) + &found.html(Language::En);
            (serde_json::to_string(&(comparison, found)).unwrap(), html)
        })
    };
    let one = told(1);
    assert!(one.0.contains("definitions.before_basis"));
    assert_eq!(one, told(2));
    assert_eq!(one, told(5));
}

#[test]
fn a_search_finds_small_positions() {
    let (base, other) = (book("cxa-1999"), book("cxa-2020"));
    let what = Search {
        cycles: 2500,
        seed: 1,
        min_pieces: 4,
        max_pieces: 8,
    };
    let report = search(&base, &other, what, &|_| ());
    hangs_together(&report.found);
    assert!(report.differing > 0 && report.judged >= report.differing);
    let found = &report.found.changes;
    assert!(!found.is_empty());
    for change in found {
        assert_eq!(change.kind, ChangeKind::Flipped);
        assert!((4..=8).contains(&change.pieces), "{}", change.fen);
    }
    let sizes: Vec<_> = found.iter().map(|c| (c.pieces, c.moves.len())).collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
    let shown: Vec<String> = found.iter().flat_map(levers).collect();
    for lever in report.missing {
        assert!(!shown.contains(&lever.target()), "{}", lever.target());
    }
}

const GAMES: &str = include_str!("../fixtures/compare/games.pgn");

fn gathered(name: &str, text: &str, other: &LoadedBook) -> Gathered {
    let base = book("cxa-1999");
    let mut gatherer = Gatherer::new(&base, other);
    gatherer.read(name, &mut text.as_bytes()).unwrap();
    gatherer.finish()
}

#[test]
fn orders_to_change_are_compared_and_what_is_not_is_said() {
    let round = ["b0a0", "a5b5", "a0b0", "b5a5"];
    let wide = ["b0a0", "a5c5", "a0c0", "c5b5", "c0b0", "b5a5"];
    let moves = [&round[..], &round, &round, &wide].concat();
    let game = serde_json::json!({"kind": "game", "fen": "3k5/4a4/9/9/c8/9/9/9/9/1R2K4 w",
        "moves": moves, "ordered": [{"after_ply": 11, "side": "red"}]});
    let base = book("cxa-1999");
    let against = |setting: &str| {
        let other = base.trying(&[setting]).unwrap();
        let found = gathered("g.ndjson", &format!("{game}\n"), &other);
        compare(&base, &other, &found.items, found.errors, &|| ())
    };
    // The position in which it was ordered comes back by another way round, once.
    let patient = against("extra_cycles_after_warning=2");
    let flips: Vec<_> = patient.changes.iter().map(flip).collect();
    assert_eq!(flips, ["loss red → none"]);
    let page = |comparison: &Comparison| {
        let page = qili::compare::Page {
            language: Language::En,
            board: &|_| String::new(),
        };
        comparison.text(&page)
    };
    assert!(!page(&patient).contains("which is not compared in games"));
    assert!(page(&against("pending_count=2")).contains("which is not compared in games"));
}

#[test]
fn every_repetition_of_a_game_is_judged_and_equal_ones_once() {
    let other = book("cxa-2020");
    let found = gathered("g.pgn", GAMES, &other);
    assert_eq!(found.games, 3);
    // The horses and the rooks of the first game; the second game has the horses again.
    let ids: Vec<&str> = found.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["g.pgn#1@12", "g.pgn#1@26"]);
    let places: Vec<String> = found.items[0]
        .places
        .iter()
        .map(|place| format!("{}@{}", place.id, place.ply.unwrap()))
        .collect();
    assert_eq!(places, ["g.pgn#1@12", "g.pgn#1@13", "g.pgn#2@12"]);
    assert_eq!(found.errors.len(), 1, "{:?}", found.errors);
    assert_eq!(found.errors[0].id, "g.pgn#3");
    let comparison = compare(
        &book("cxa-1999"),
        &other,
        &found.items,
        found.errors,
        &|| (),
    );
    let counts = comparison.counts;
    assert_eq!((counts.total, counts.flipped, counts.errors), (3, 0, 1));
    hangs_together(&comparison);
}

#[test]
fn a_position_pending_in_one_book_only_is_judged_by_its_cycle() {
    // Two rounds: the third occurrence of the Asian rules, not yet the third round of 1999.
    let other = book("wxf");
    let line = r#"{"id": "two", "kind": "game", "fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
        "moves": ["f0e0", "e8f8", "e0f0", "f8e8", "f0e0", "e8f8", "e0f0", "f8e8"]}"#;
    let found = gathered("g.ndjson", &line.replace('\n', ""), &other);
    assert_eq!(found.items.len(), 1, "{:?}", found.errors);
    let base = book("cxa-1999");
    let comparison = compare(&base, &other, &found.items, found.errors, &|| ());
    let one = change(&comparison, "two@8");
    // One-sided perpetual check loses at once in China; the Asian rules let the side change.
    assert_eq!(flip(one), "loss red → must_change red");
    assert_eq!(levers(one), ["verdicts.one_sided_check"]);
}

#[test]
fn requests_are_taken_a_line_each() {
    let text = [
        r#"{"id": "a", "fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"]}"#,
        "",
        // The same cycle a move later, under a number for a name.
        r#"{"id": 7, "fen": "2b6/4k4/9/9/9/9/9/9/2p6/3KR1Bc1 b", "moves": ["e8f8", "e0f0", "f8e8", "f0e0"]}"#,
        r#"{"id": "c", "fen": "9/9 w", "moves": []}"#,
        "nonsense",
    ];
    let found = gathered("g.ndjson", &text.join("\n"), &book("wxf"));
    let places: Vec<&str> = found.items[0]
        .places
        .iter()
        .map(|place| place.id.as_str())
        .collect();
    assert_eq!((found.items.len(), places), (1, vec!["a", "7"]));
    let errors: Vec<&str> = found.errors.iter().map(|error| error.id.as_str()).collect();
    assert_eq!(errors, ["c", "g.ndjson#5"]);
}

#[test]
fn an_order_makes_a_difference_once_it_is_ignored() {
    let round = ["f0e0", "e8f8", "e0f0", "f8e8"];
    let moves: Vec<&str> = round.into_iter().cycle().take(40).collect();
    let request = serde_json::json!({
        "id": "warned", "kind": "game", "fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
        "moves": moves, "ordered": [{"after_ply": 11, "side": "red"}],
    });
    let other = book("wxf");
    let found = gathered("g.ndjson", &request.to_string(), &other);
    let outcomes: Vec<String> = found
        .items
        .iter()
        .map(|item| {
            let one = compare(
                &book("cxa-1999"),
                &other,
                std::slice::from_ref(item),
                Vec::new(),
                &|| (),
            );
            one.changes.first().map_or_else(|| "same".to_owned(), flip)
        })
        .collect();
    assert_eq!(outcomes.first().unwrap(), "loss red → must_change red");
    assert!(outcomes.contains(&"same".to_owned()), "{outcomes:?}");
    assert!(
        found.items.len() < 8,
        "the same again and again: {outcomes:?}"
    );
}

#[test]
fn two_games_of_one_name_are_two() {
    let base = book("cxa-2020");
    let other = base.trying(&["irregular_rounds=0"]).unwrap();
    let case = Corpus::builtin().get("own-nine-rounds").unwrap();
    let mut one = case.request("cxa-2020");
    one.rules = None;
    one.id = Some(1.into());
    let mut turned = one.clone();
    // Black does with its pieces what Red did.
    turned.fen = Some("1r2k4/9/9/9/9/C8/9/9/4A4/3K5 b".to_owned());
    let turn = |square: &str| {
        let (file, rank) = square.split_at(1);
        format!("{file}{}", 9 - rank.parse::<u32>().unwrap())
    };
    turned.moves = one
        .moves
        .iter()
        .map(|mv| mv.split_at(2))
        .map(|(from, to)| turn(from) + &turn(to))
        .collect();
    let mut gatherer = Gatherer::new(&base, &other);
    for request in [one, turned] {
        gatherer.request(String::new(), request);
    }
    let Gathered { items, errors, .. } = gatherer.finish();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(items.len(), 2);
}
