//! The attack-and-guard graph: every kind of contact on positions made for it, and what must hold
//! on any position.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "test code: a helper that fails fails the test"
)]

use qili::board::{Move, MoveList, Piece, PieceId, PieceSet, Position, Role, Setup, Side, Square};
use qili::exchange::{
    Contact, ContactGraph, ContactKind, DrawLanguage, PinHow, is_material, material,
};
use std::collections::BTreeSet;

fn sq(text: &str) -> Square {
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

fn graph(pieces: &str) -> ContactGraph {
    ContactGraph::of(&place(pieces))
}

fn squares(position: &Position, set: PieceSet) -> Vec<String> {
    let mut squares: Vec<String> = set.map(|id| position.square_of(id).to_string()).collect();
    squares.sort();
    squares
}

/// `kind from to third`, for every contact.
fn told(graph: &ContactGraph) -> BTreeSet<String> {
    graph.contacts().iter().copied().map(tell).collect()
}

fn tell(contact: Contact) -> String {
    let third = contact.third.map(|third| format!(" {}", third.square));
    format!(
        "{} {} {}{}",
        contact.kind.id(),
        contact.from.square,
        contact.to.square,
        third.unwrap_or_default()
    )
}

fn tells(graph: &ContactGraph, expected: &[&str]) {
    let told = told(graph);
    for text in expected {
        assert!(told.contains(*text), "`{text}` is not in {told:#?}");
    }
}

fn lacks(graph: &ContactGraph, unexpected: &[&str]) {
    let told = told(graph);
    for text in unexpected {
        assert!(!told.contains(*text), "`{text}` is in {told:#?}");
    }
}

#[test]
fn every_kind_of_piece_attacks_and_guards() {
    let graph = graph("Kd0 Ad2 Ae1 Bc4 Be2 Na4 Rh2 Pc6 kf9 nb6 rh7 cd6 pc5");
    tells(
        &graph,
        &[
            "guard d2 e1",
            "guard e1 d2",
            "guard e2 c4",
            "guard c4 e2",
            "attack a4 b6",
            "attack a4 c5",
            "attack b6 a4",
            "attack h2 h7",
            "attack h7 h2",
            "guard h2 e2",
            "attack c6 b6",
            "attack c6 d6",
            "attack c5 c4",
        ],
    );
    // A pawn goes forward, an uncrossed one nowhere else.
    lacks(&graph, &["attack c6 c5", "attack a4 c4"]);
}

#[test]
fn a_cannon_attacks_past_its_screen() {
    let graph = graph("Kd0 Ch2 Ph5 kf9 nh7 rh9");
    tells(
        &graph,
        &[
            "attack h2 h7 h5",
            "screen h5 h2 h7",
            // With either screen gone, the third piece is next.
            "hidden_attack h2 h9 h5",
            "hidden_attack h2 h9 h7",
        ],
    );
    let cannon = graph.position().id_at(sq("h2")).unwrap();
    let screens = graph.screens(cannon);
    assert_eq!(screens.len(), 1);
    assert_eq!(screens[0].piece.square, sq("h5"));
    assert_eq!(screens[0].target.square, sq("h7"));
    let rook = graph.hidden_attackers(sq("h9"));
    assert_eq!(rook.len(), 2);
}

#[test]
fn a_horse_is_held_by_its_leg_and_an_elephant_by_its_eye() {
    let graph = graph("Kd0 Nc3 Pc4 kf9 bg9 ni7 ch8 rb5");
    tells(
        &graph,
        &[
            "leg c4 c3 b5",
            "hidden_attack c3 b5 c4",
            "eye h8 g9 i7",
            "hidden_guard g9 i7 h8",
        ],
    );
    lacks(&graph, &["attack c3 b5", "guard g9 i7"]);
    for (piece, block, target) in [("c3", "c4", "b5"), ("g9", "h8", "i7")] {
        let id = graph.position().id_at(sq(piece)).unwrap();
        let blocks = graph.blocks(id);
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].piece.square, sq(block));
        assert_eq!(blocks[0].target.square, sq(target));
    }
}

#[test]
fn a_piece_is_pinned_four_ways() {
    for (pieces, pinned, by, how) in [
        ("Kd0 Re3 ke9 ne7", "e7", "e3", PinHow::Rook),
        // In front of the king, and in front of the cannon: the other is the screen.
        ("Kd0 Ce3 ke9 ne7 ae8", "e7", "e3", PinHow::Cannon),
        ("Kd0 Ce3 ke9 ne7 ae8", "e8", "e3", PinHow::Cannon),
        ("Kd0 Ce3 Pe5 ke9 ne7", "e7", "e3", PinHow::Cannon),
        ("Ke0 Nc8 kd9 rd8", "d8", "", PinHow::Leg),
        ("Ke0 Nc7 kd9 rc8", "c8", "c7", PinHow::Leg),
        ("Ke0 ke9 ne5", "e5", "e0", PinHow::Kings),
    ] {
        let graph = graph(pieces);
        let id = graph.position().id_at(sq(pinned)).unwrap();
        let pins = graph.pins(id);
        if by.is_empty() {
            assert!(pins.is_empty(), "{pieces}: {pins:?}");
        } else {
            assert_eq!(pins.len(), 1, "{pieces}: {pins:?}");
            assert_eq!((pins[0].by.square, pins[0].how), (sq(by), how), "{pieces}");
        }
    }
    // A piece of the other side in front discovers a check: that is no pin.
    let graph = graph("Kd0 Re3 Ne7 ke9");
    let horse = graph.position().id_at(sq("e7")).unwrap();
    assert!(graph.pins(horse).is_empty());
    tells(&graph, &["hidden_attack e3 e9 e7"]);
}

#[test]
fn a_rook_behind_a_rook_and_a_guard_behind_the_attacker_are_hidden() {
    // Black's rook stands behind the red rook that attacks the horse, Red's behind Red's.
    let graph = graph("Ke0 Rd1 Rd3 kf9 ae8 rd0 nd6");
    let horse = sq("d6");
    assert_eq!(
        squares(graph.position(), graph.attackers(horse)),
        vec!["d3"]
    );
    tells(&graph, &["hidden_attack d1 d6 d3"]);
    // One piece at a time: the black rook is two behind.
    assert!(graph.hidden_guards(horse).is_empty());
    let graph = self::graph("Kf1 Rd3 ke9 ae8 rd0 nd6");
    let roots = graph.roots(horse);
    assert_eq!(roots.len(), 1);
    assert!(roots[0].is_hidden());
    assert_eq!(roots[0].piece.square, sq("d0"));
    assert_eq!(roots[0].front.unwrap().square, sq("d3"));
}

#[test]
fn roots_name_their_pins() {
    let graph = graph("Kd0 Rg0 Re3 ke9 ne7 cg6 rg9");
    let roots = graph.roots(sq("g6"));
    let told: Vec<_> = roots
        .iter()
        .map(|root| (root.piece.square.to_string(), root.pins.len()))
        .collect();
    assert_eq!(told, vec![("e7".to_owned(), 1), ("g9".to_owned(), 0)]);
    assert!(graph.roots(sq("a5")).is_empty());
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

/// Positions met in random play, captures preferred so that lines open.
fn positions(games: u64) -> Vec<Position> {
    let mut found = Vec::new();
    for seed in 0..games {
        let mut dice = Dice(seed);
        let mut position = Position::start();
        for ply in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let captures: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| !position.is_empty(mv.to))
                .collect();
            let mv = if !captures.is_empty() && dice.below(3) == 0 {
                captures[dice.below(captures.len())]
            } else {
                moves[dice.below(moves.len())]
            };
            position.make(mv);
            if ply % 6 == 5 {
                found.push(position.clone());
            }
        }
    }
    assert!(found.len() > usize::try_from(games).unwrap() * 8);
    found
}

#[test]
fn attacks_and_guards_are_what_bears() {
    for position in positions(40) {
        let graph = ContactGraph::of(&position);
        for id in position.pieces() {
            let square = position.square_of(id);
            let bearing = |side| position.bearing_on(square, side);
            assert_eq!(graph.attackers(square), bearing(id.side().opponent()));
            assert_eq!(graph.guards(square), bearing(id.side()), "{position:?}");
        }
    }
}

/// Pairs of pieces, the first bearing on the second.
fn bearing(position: &Position) -> BTreeSet<(PieceId, PieceId)> {
    let mut pairs = BTreeSet::new();
    for to in position.pieces() {
        for side in Side::ALL {
            let by = position.bearing_on(position.square_of(to), side);
            pairs.extend(by.map(|from| (from, to)));
        }
    }
    pairs
}

#[test]
fn hidden_contacts_and_screens_are_what_lifting_one_piece_opens_and_shuts() {
    for position in positions(15) {
        let contacts = ContactGraph::of(&position).contacts();
        let now = bearing(&position);
        for gone in position.pieces() {
            let mut without = position.clone();
            without.lift(gone);
            // A king keeps its square for the kings' facing; nothing else looks there.
            if gone.role() == Role::King {
                continue;
            }
            let then = bearing(&without);
            let opened: BTreeSet<_> = then.difference(&now).copied().collect();
            let shut: BTreeSet<_> = now
                .difference(&then)
                .filter(|(from, to)| *from != gone && *to != gone)
                .copied()
                .collect();
            let hidden = |c: &&Contact| {
                matches!(c.kind, ContactKind::HiddenAttack | ContactKind::HiddenGuard)
                    && c.third.is_some_and(|front| front.id == gone)
            };
            let hidden: BTreeSet<_> = contacts
                .iter()
                .filter(hidden)
                .map(|c| (c.from.id, c.to.id))
                .collect();
            assert_eq!(hidden, opened, "{position:?} without {gone:?}");
            let screens: BTreeSet<_> = contacts
                .iter()
                .filter(|c| c.kind == ContactKind::Screen && c.from.id == gone)
                .map(|c| (c.to.id, c.third.unwrap().id))
                .collect();
            assert_eq!(screens, shut, "{position:?} without {gone:?}");
            // A pin is the attack on the king that opens so.
            let king = PieceId::king(gone.side());
            let pins: BTreeSet<_> = contacts
                .iter()
                .filter(|c| c.kind == ContactKind::Pin && c.to.id == gone)
                .map(|c| (c.from.id, king))
                .collect();
            let checks: BTreeSet<_> = opened
                .iter()
                .filter(|(from, to)| *to == king && from.side() != gone.side())
                .copied()
                .collect();
            assert_eq!(pins, checks, "{position:?} without {gone:?}");
        }
    }
}

#[test]
fn roots_are_all_that_bears_after_a_capture() {
    for position in positions(20) {
        let graph = ContactGraph::of(&position);
        for &mv in &*position.legal_moves() {
            let Some(victim) = position.id_at(mv.to) else {
                continue;
            };
            let after = position.after(mv).bearing_on(mv.to, victim.side());
            let captor = position.id_at(mv.from).unwrap();
            let screens_by_captor = |id| {
                let past = graph.screens(id).into_iter();
                past.into_iter()
                    .any(|s| s.piece.id == captor && s.target.id == victim)
            };
            let from_graph: PieceSet = graph
                .roots(mv.to)
                .iter()
                .filter(|root| match root.front {
                    Some(front) => front.id == captor,
                    None => {
                        root.piece.id.role() != Role::Cannon || !screens_by_captor(root.piece.id)
                    }
                })
                .map(|root| root.piece.id)
                .collect();
            assert_eq!(from_graph, after, "{position:?} {mv}");
        }
    }
}

/// The board with one side to move.
fn with_turn(position: &Position, side: Side) -> Position {
    let mut position = position.clone();
    if position.turn() != side {
        position.pass();
    }
    position
}

/// Captures, reach and worth are the board's, in the order of the move generator.
#[test]
fn what_captures_is_read_as_the_generator_has_it() {
    let mut all = 0;
    for position in positions(12) {
        let graph = ContactGraph::of(&position);
        for side in [Side::Red, Side::Black] {
            let turned = with_turn(&position, side);
            let mut list = MoveList::new();
            turned.pseudo_captures_into(&mut list);
            let king = turned.king(side.opponent());
            let expected: Vec<Move> = list.iter().copied().filter(|mv| mv.to != king).collect();
            assert_eq!(
                graph.captures(side).collect::<Vec<_>>(),
                expected,
                "{position:?}"
            );
            all += expected.len();
        }
        let stands: Vec<Square> = graph.stands().iter().map(|stand| stand.square).collect();
        for &from in &stands {
            assert_eq!(graph.is_material(from), is_material(&position, from));
            let id = position.id_at(from).unwrap();
            assert_eq!(graph.worth(from), material(id, from));
            for &to in stands.iter().filter(|to| **to != from) {
                assert_eq!(
                    graph.reaches(from, to),
                    position.bears(from, to),
                    "{position:?} {from}{to}"
                );
            }
        }
    }
    assert!(all > 300, "{all}");
}

/// A piece that nothing pins may take whatever it bears on, unless its king stands in check.
#[test]
fn captures_of_a_free_piece_are_legal() {
    let (mut free, mut held) = (0, 0);
    for position in positions(160) {
        let graph = ContactGraph::of(&position);
        for side in [Side::Red, Side::Black] {
            let turned = with_turn(&position, side);
            if turned.in_check() {
                continue;
            }
            for mv in graph.captures(side) {
                if graph.is_free(turned.id_at(mv.from).unwrap()) {
                    assert!(turned.is_legal(mv), "{position:?} {mv}");
                    free += 1;
                } else if !turned.is_legal(mv) {
                    held += 1;
                }
            }
        }
    }
    assert!(free > 4_000 && held > 40, "{free} {held}");
}

/// What is kept off by one piece bears once that is lifted, and not before.
#[test]
fn what_is_kept_off_bears_once_that_piece_has_left() {
    let mut kept = 0;
    for position in positions(6) {
        let graph = ContactGraph::of(&position);
        let stands = graph.stands();
        for (from, to, by) in stands.iter().flat_map(|from| {
            let pairs = stands
                .iter()
                .flat_map(|to| stands.iter().map(move |by| (to, by)));
            pairs.map(move |(to, by)| (from, to, by))
        }) {
            if from == to || by == from || by == to || by.id.role() == Role::King {
                continue;
            }
            let mut without = position.clone();
            without.lift(by.id);
            let opens =
                !position.bears(from.square, to.square) && without.bears(from.square, to.square);
            assert_eq!(
                graph.is_kept_off(from.square, to.square, by.id),
                opens,
                "{position:?}"
            );
            kept += usize::from(opens);
        }
    }
    assert!(kept > 300, "{kept}");
}

#[test]
fn reflections_reflect_the_graph() {
    type Told = (ContactKind, Square, Square, Option<Square>);
    let told = |position: &Position, f: fn(Square) -> Square| -> BTreeSet<Told> {
        let contacts = ContactGraph::of(position).contacts();
        contacts
            .iter()
            .map(|c| {
                let third = c.third.map(|third| f(third.square));
                (c.kind, f(c.from.square), f(c.to.square), third)
            })
            .collect()
    };
    for position in positions(20) {
        let plain = told(&position, |sq| sq);
        assert_eq!(told(&position.mirrored(), Square::mirrored), plain);
        assert_eq!(told(&position.colours_swapped(), Square::flipped), plain);
    }
}

#[test]
fn a_refilled_graph_is_a_fresh_one() {
    let mut reused = ContactGraph::of(&Position::start());
    for position in positions(20) {
        reused.refill(&position);
        let fresh = ContactGraph::of(&position);
        assert_eq!(reused.contacts(), fresh.contacts());
        assert_eq!(reused.stands(), fresh.stands());
        assert_eq!(reused.len(), fresh.len());
        assert_eq!(reused.position(), fresh.position());
    }
}

#[test]
fn drawings_depend_on_the_position_alone() {
    for position in positions(5) {
        // Read back from its setup, like pieces may have changed names.
        let again = position.setup().position().unwrap();
        let mut reused = ContactGraph::of(&Position::start());
        reused.refill(&position);
        let fresh = ContactGraph::of(&again);
        assert_eq!(reused.drawing(), fresh.drawing());
        for language in [DrawLanguage::Zh, DrawLanguage::En] {
            assert_eq!(reused.to_dot(language), fresh.to_dot(language));
        }
        let json = serde_json::to_string(&fresh.drawing()).unwrap();
        assert_eq!(
            serde_json::from_str::<qili::exchange::Drawing>(&json).unwrap(),
            fresh.drawing()
        );
    }
}

#[test]
fn dot_and_json_say_what_is_there() {
    let graph = graph("Kd0 Ch2 Ph5 ke9 rh7");
    assert_eq!(
        graph.to_dot(DrawLanguage::Zh),
        "digraph contacts {\n  \
         layout=neato;\n  \
         node [shape=circle, fixedsize=true, width=0.6];\n  \
         d0 [label=\"帥\\nd0\", pos=\"3,0!\", color=red, fontcolor=red];\n  \
         h2 [label=\"炮\\nh2\", pos=\"7,2!\", color=red, fontcolor=red];\n  \
         h5 [label=\"兵\\nh5\", pos=\"7,5!\", color=red, fontcolor=red];\n  \
         h7 [label=\"車\\nh7\", pos=\"7,7!\", color=black, fontcolor=black];\n  \
         e9 [label=\"將\\ne9\", pos=\"4,9!\", color=black, fontcolor=black];\n  \
         h2 -> h7 [class=attack, label=\"攻 h5\", color=firebrick, style=solid];\n  \
         h7 -> h5 [class=attack, label=\"攻\", color=firebrick, style=solid];\n  \
         h7 -> h2 [class=hidden_attack, label=\"暗攻 h5\", color=firebrick, style=dashed];\n  \
         h5 -> h2 [class=screen, label=\"炮架 h7\", color=gray40, style=dotted];\n\
         }\n"
    );
    let json = serde_json::to_value(graph.drawing()).unwrap();
    assert_eq!(
        json["nodes"][3],
        serde_json::json!({"square": "h7", "side": "black", "piece": "rook", "glyph": "車"})
    );
    assert_eq!(
        json["edges"],
        serde_json::json!([
            {"kind": "attack", "from": "h2", "to": "h7", "via": ["h5"]},
            {"kind": "attack", "from": "h7", "to": "h5", "via": []},
            {"kind": "hidden_attack", "from": "h7", "to": "h2", "via": ["h5"]},
            {"kind": "screen", "from": "h5", "to": "h2", "via": [], "target": "h7"},
        ])
    );
    for kind in ContactKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.id());
        assert!(!kind.zh().is_empty() && !kind.en().is_empty());
    }
}
