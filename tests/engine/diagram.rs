//! Diagrams: what is drawn where, and that the drawing can be read wherever it goes.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "test code: what cannot be read fails the test"
)]

use proptest::prelude::*;
use qili::board::{Move, Piece, Position, Role, Setup, Side, Square};
use qili::diagram::{
    Annotation, Annotations, ArrowKind, Coordinates, Diagram, Language, MarkKind, Theme,
};
use std::collections::{BTreeMap, BTreeSet};

/// An element: its name, attributes, and the text directly in it.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

impl Element {
    fn get(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    fn number(&self, name: &str) -> i32 {
        self.get(name).parse().unwrap()
    }
}

fn unescaped(text: &str) -> String {
    assert!(!text.contains('<'), "a bare `<` in {text:?}");
    for after in text.split('&').skip(1) {
        let entity = after.split_once(';').map(|(entity, _)| entity);
        let known = ["amp", "lt", "gt", "quot", "#39"];
        assert!(entity.is_some_and(|e| known.contains(&e)), "{text:?}");
    }
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
    assert!(text.chars().all(allowed), "no XML character in {text:?}");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

fn attributes(mut text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    while !text.is_empty() {
        let rest = text.strip_prefix(' ').unwrap();
        let (name, rest) = rest.split_once("=\"").unwrap();
        let (value, rest) = rest.split_once('"').unwrap();
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '-';
        assert!(!name.is_empty() && name.chars().all(letters), "{name:?}");
        let before = found.insert(name.to_owned(), unescaped(value));
        assert!(before.is_none(), "`{name}` twice");
        text = rest;
    }
    found
}

/// Reads what a diagram may consist of, elements with attributes and text, and nothing else:
/// whatever is read so is well-formed. Elements come in the order they begin.
fn read(svg: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut rest = svg;
    while let Some((text, after)) = rest.split_once('<') {
        match open.last() {
            Some(&index) => elements[index].text.push_str(&unescaped(text)),
            None => assert!(text.is_empty() && elements.is_empty(), "{text:?} outside"),
        }
        let (tag, after) = after.split_once('>').unwrap();
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(elements[open.pop().unwrap()].name, name);
            continue;
        }
        let closed = tag.strip_suffix('/');
        let tag = closed.unwrap_or(tag);
        let (name, _) = tag.split_once(' ').unwrap_or((tag, ""));
        if closed.is_none() {
            open.push(elements.len());
        }
        elements.push(Element {
            name: name.to_owned(),
            attributes: attributes(&tag[name.len()..]),
            text: String::new(),
        });
    }
    assert!(open.is_empty() && rest.is_empty(), "unclosed, or {rest:?}");
    elements
}

/// Reads a diagram and checks that it stands alone.
fn checked(svg: &str) -> Vec<Element> {
    let elements = read(svg);
    let known = "svg title desc defs g path circle rect use text";
    let mut ids = BTreeSet::new();
    for element in &elements {
        assert!(
            known.split(' ').any(|name| name == element.name),
            "{element:?}"
        );
        if let Some(id) = element.attributes.get("id") {
            assert!(ids.insert(id.as_str()), "`{id}` twice");
        }
        let scripted = |name: &String| name.starts_with("on") || name == "style";
        assert!(!element.attributes.keys().any(scripted), "{element:?}");
        if element.name == "path" {
            assert!(element.get("d").starts_with(['M', 'm']), "{element:?}");
        }
    }
    for element in &elements {
        if let Some(reference) = element.attributes.get("href") {
            assert!(
                ids.contains(reference.strip_prefix('#').unwrap()),
                "{reference}"
            );
        }
        for (name, value) in &element.attributes {
            assert!(!value.contains("url("), "{value}");
            assert!(name == "xmlns" || !value.contains("//"), "{value}");
        }
    }
    let svg = &elements[0];
    assert_eq!(svg.get("xmlns"), "http://www.w3.org/2000/svg");
    assert!(ids.contains(svg.get("aria-labelledby")));
    assert!(ids.contains(svg.get("aria-describedby")));
    elements
}

/// Where every piece is drawn.
fn drawn(elements: &[Element], prefix: &str) -> BTreeMap<(i32, i32), Piece> {
    let mut found = BTreeMap::new();
    for element in elements.iter().filter(|e| e.name == "use") {
        let name = element.get("href").strip_prefix('#').unwrap();
        let name = name.strip_prefix(prefix).unwrap();
        let mut letters = name.strip_prefix('-').unwrap().chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            let point = (element.number("x"), element.number("y"));
            let before = found.insert(point, Piece::from_letter(letter).unwrap());
            assert_eq!(before, None, "two pieces at {point:?}");
        }
    }
    found
}

fn point(square: Square, flipped: bool) -> (i32, i32) {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    if flipped {
        ((8 - file) * 100, rank * 100)
    } else {
        (file * 100, (9 - rank) * 100)
    }
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn start() -> Diagram {
    Diagram::new(&Position::start())
}

/// The file numbers in a row, left to right.
fn row(elements: &[Element], y: i32) -> String {
    let mut row: Vec<(i32, char)> = elements
        .iter()
        .filter(|e| e.name == "use" && e.get("y") == y.to_string())
        .filter_map(|e| {
            let code = e.get("href").strip_prefix("#b-u")?;
            let character = u32::from_str_radix(code, 16)
                .ok()
                .and_then(char::from_u32)?;
            Some((e.number("x"), character))
        })
        .collect();
    row.sort_unstable();
    row.into_iter().map(|(_, character)| character).collect()
}

#[test]
fn every_piece_is_drawn_once_where_it_stands() {
    for flipped in [false, true] {
        let elements = checked(&start().flipped(flipped).to_svg());
        let expected: BTreeMap<_, _> = Setup::start()
            .pieces()
            .map(|(square, piece)| (point(square, flipped), piece))
            .collect();
        assert_eq!(drawn(&elements, "b"), expected);
        assert_eq!(expected.len(), 32);
    }
    let elements = checked(&start().to_svg());
    let king = Piece::new(Side::Red, Role::King);
    assert_eq!(drawn(&elements, "b")[&(400, 900)], king);
}

#[test]
fn a_board_that_cannot_be_is_drawn_as_it_stands() {
    let mut setup = Setup::empty(Side::Black);
    assert!(drawn(&checked(&Diagram::new(&setup).to_svg()), "b").is_empty());
    for at in Square::all() {
        setup.put(at, Some(Piece::new(Side::Red, Role::King)));
    }
    let svg = Diagram::new(&setup).to_svg();
    assert_eq!(drawn(&checked(&svg), "b").len(), 90);
}

#[test]
fn each_side_counts_its_files_from_its_own_right() {
    let numbers = |diagram: &Diagram| {
        let elements = checked(&diagram.to_svg());
        let mut rows: Vec<i32> = elements
            .iter()
            .filter(|e| e.name == "use" && e.get("href").starts_with("#b-u"))
            .filter_map(|e| e.get("y").parse().ok())
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let rows: Vec<String> = rows.into_iter().map(|y| row(&elements, y)).collect();
        rows.join(" ")
    };
    assert_eq!(numbers(&start()), "123456789 九八七六五四三二一");
    let flipped = start().flipped(true);
    assert_eq!(numbers(&flipped), "一二三四五六七八九 987654321");
    let iccs = start().coordinates(Coordinates::Iccs);
    assert_eq!(numbers(&iccs), "9 8 7 6 5 4 3 2 1 0 abcdefghi");
    let iccs = iccs.flipped(true);
    assert_eq!(numbers(&iccs), "0 1 2 3 4 5 6 7 8 9 ihgfedcba");
    assert_eq!(numbers(&start().coordinates(Coordinates::None)), "");
}

#[test]
fn the_last_move_is_marked_at_both_ends() {
    let cannon = mv("h2e2");
    let position = Position::start().after(cannon);
    for flipped in [false, true] {
        let diagram = Diagram::new(&position).flipped(flipped).last_move(cannon);
        let elements = checked(&diagram.to_svg());
        let from = elements
            .iter()
            .find(|e| e.get("stroke-dasharray") == "12 6.85")
            .unwrap();
        let place = (from.number("cx"), from.number("cy"));
        assert_eq!(place, point(cannon.from, flipped));
        let (x, y) = point(cannon.to, flipped);
        let corners = format!("M{} {}h-18", x - 32, y - 50);
        assert!(elements.iter().any(|e| e.get("d").starts_with(&corners)));
    }
    let none = Diagram::new(&position).last_move(None);
    assert_eq!(none, Diagram::new(&position));
}

#[test]
fn arrows_and_marks_are_drawn_by_kind() {
    let annotations: Annotations = "attack:a0a3,guard:b0c2,line:h2e2,line:e2e6,mark:c3,cross:d5"
        .parse()
        .unwrap();
    for flipped in [false, true] {
        let diagram = start().flipped(flipped).legend(false);
        let plain = checked(&diagram.to_svg());
        let elements = checked(&diagram.annotate(annotations.clone()).to_svg());
        let heads = |id: &str| {
            let used = elements.iter().filter(|e| e.get("href") == id);
            used.map(|e| e.get("transform").to_owned())
                .collect::<Vec<_>>()
        };
        // The tip of an attack stops short of the middle of its target.
        let (tip, turn) = if flipped {
            ("800 264", "0 1 -1 0")
        } else {
            ("0 636", "0 -1 1 0")
        };
        assert_eq!(heads("#b-attack"), [format!("matrix({turn} {tip})")]);
        assert_eq!(heads("#b-guard").len(), 1);
        assert_eq!(heads("#b-line").len(), 2);
        let dashed = elements
            .iter()
            .filter(|e| e.get("stroke-dasharray") == "13 8");
        assert_eq!(dashed.count(), 1);
        for number in ["#b-u31", "#b-u32"] {
            let uses = |all: &[Element]| all.iter().filter(|e| e.get("href") == number).count();
            assert_eq!(uses(&elements), uses(&plain) + 1);
        }
        let (x, y) = point(square("c3"), flipped);
        let ring = |e: &&Element| e.get("r") == "50" && (e.number("cx"), e.number("cy")) == (x, y);
        // Each with its halo.
        assert_eq!(elements.iter().filter(ring).count(), 2);
        let (x, y) = point(square("d5"), flipped);
        let cross = format!("M{} {}l70 70", x - 35, y - 35);
        let crosses = elements.iter().filter(|e| e.get("d").starts_with(&cross));
        assert_eq!(crosses.count(), 2);
    }
}

#[test]
fn an_arrow_to_its_own_square_is_no_arrow() {
    let nothing = start().arrow(ArrowKind::Attack, mv("e4e4"));
    assert_eq!(nothing, start());
}

#[test]
fn annotations_read_back() {
    let list = [
        Annotation::Arrow(ArrowKind::Attack, mv("h2h9")),
        Annotation::Arrow(ArrowKind::Guard, mv("e0e1")),
        Annotation::Arrow(ArrowKind::Line, mv("a0b0")),
        Annotation::Mark(MarkKind::Target, square("c3")),
        Annotation::Mark(MarkKind::Cross, square("d5")),
    ];
    let list = Annotations(list.to_vec());
    let text = "attack:h2h9,guard:e0e1,line:a0b0,mark:c3,cross:d5";
    assert_eq!(list.to_string(), text);
    assert_eq!(text.parse(), Ok(list.clone()));
    assert_eq!(
        " attack:h2h9 , guard:E0e1,line:a0b0,mark:c3,cross:d5 ".parse(),
        Ok(list)
    );
    assert_eq!(" ".parse(), Ok(Annotations::default()));
}

#[test]
fn an_error_names_the_annotation_and_what_was_expected() {
    let many = ["mark:a0"; Annotations::MOST + 1].join(",");
    let long = "x".repeat(1000);
    for (text, code, words, zh) in [
        (
            "attack",
            "annotation_shape",
            "annotation 1 (`attack`): expected a kind",
            "第1个标注",
        ),
        (
            "mark:c3,",
            "annotation_shape",
            "annotation 2 (``): expected a kind",
            "第2个标注",
        ),
        (
            "mark:c3,hit:c4",
            "annotation_kind",
            "annotation 2 (`hit:c4`): unknown kind, expected `attack`",
            "种类不认识",
        ),
        (
            "attack:h2",
            "annotation_move",
            "expected two squares, as in `attack:h2h9`",
            "两个格点",
        ),
        (
            "attack:h2j9",
            "annotation_move",
            "annotation 1 (`attack:h2j9`)",
            "两个格点",
        ),
        (
            "line:马二进三",
            "annotation_move",
            "expected two squares",
            "两个格点",
        ),
        (
            "guard:e0e0",
            "annotation_same_square",
            "two different squares",
            "不能相同",
        ),
        (
            "mark:h2h9",
            "annotation_square",
            "expected one square, as in `mark:c3`",
            "一个格点",
        ),
        ("cross:k1", "annotation_square", "files `a`-`i`", "一个格点"),
        (
            &many,
            "annotation_too_many",
            "annotation 65 (`mark:a0`): too many, expected at most 64",
            "最多64个",
        ),
        (&long, "annotation_shape", "xxx…`)", "xxx…"),
    ] {
        let error = text.parse::<Annotations>().unwrap_err();
        assert_eq!(error.code(), code, "{text}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.zh().contains(zh), "{}", error.zh());
    }
}

#[test]
fn screen_readers_are_told_the_position() {
    let position = Position::start().after(mv("h2e2"));
    let annotations: Annotations = "attack:e2e6,line:e2e6,cross:d5".parse().unwrap();
    let diagram = Diagram::new(&position)
        .last_move(mv("h2e2"))
        .annotate(annotations);
    let words = |diagram: Diagram| {
        let elements = checked(&diagram.to_svg());
        let text = |name: &str| {
            elements
                .iter()
                .find(|e| e.name == name)
                .unwrap()
                .text
                .clone()
        };
        (text("title"), text("desc"))
    };
    let (title, desc) = words(diagram.clone());
    assert_eq!(title, "象棋局面，黑方走");
    assert_eq!(
        desc,
        "黑方走。红方：帅e0，仕d0、f0，相c0、g0，马b0、h0，车a0、i0，炮b2、e2，兵a3、c3、e3、g3、i3。\
         黑方：将e9，士d9、f9，象c9、g9，马b9、h9，车a9、i9，炮b7、h7，卒a6、c6、e6、g6、i6。\
         上一着h2到e2。攻击：e2到e6。着法 1：e2到e6。假根：d5。"
    );
    let (title, desc) = words(diagram.language(Language::En));
    assert_eq!(title, "Xiangqi position, Black to move");
    assert!(desc.starts_with("Black to move. Red: king e0, advisors d0 f0, elephants"));
    let end = "Last move h2 to e2. Attack: e2 to e6. Line 1: e2 to e6. False root: d5.";
    assert!(desc.ends_with(end), "{desc}");
}

#[test]
fn a_caption_stays_text() {
    let caption = "</text><script>alert('1')</script> & \"图一\" \u{0}\u{FFFF}]]>";
    let svg = start().caption(caption).to_svg();
    assert!(!svg.contains("<script"));
    let elements = checked(&svg);
    let shown = caption.replace(['\u{0}', '\u{FFFF}'], "\u{FFFD}");
    for name in ["title", "text"] {
        let element = elements.iter().find(|e| e.name == name).unwrap();
        assert_eq!(element.text, shown);
    }
    let long = checked(&start().caption("图".repeat(200)).to_svg());
    let text = long.iter().find(|e| e.name == "text").unwrap();
    assert_eq!(text.number("textLength"), 880);
}

#[test]
fn without_a_caption_there_is_no_text_that_needs_a_font() {
    for language in [Language::Zh, Language::En] {
        let elements = checked(&start().language(language).to_svg());
        assert!(elements.iter().all(|e| e.name != "text"));
    }
}

#[test]
fn two_diagrams_of_a_page_share_no_id() {
    let ids = |prefix: &str| -> BTreeSet<String> {
        let elements = checked(&start().id_prefix(prefix).to_svg());
        let ids = elements.iter().map(|e| e.get("id").to_owned());
        ids.filter(|id| !id.is_empty()).collect()
    };
    assert!(ids("one").is_disjoint(&ids("two")));
    for (prefix, kept) in [
        ("7\"><x", "b7x"),
        ("", "b"),
        ("棋", "b"),
        ("case-3_a", "case-3_a"),
    ] {
        let id = format!("{kept}-title");
        assert!(ids(prefix).contains(&id), "{prefix}");
    }
}

/// Every mixture of options that changes what is drawn.
fn mixtures(diagram: &Diagram) -> Vec<Diagram> {
    let mut all = Vec::new();
    for theme in Theme::ALL {
        for language in [Language::Zh, Language::En] {
            for coordinates in [
                Coordinates::None,
                Coordinates::Chinese,
                Coordinates::Iccs,
                Coordinates::Both,
            ] {
                for bits in 0..4 {
                    let diagram = diagram.clone().theme(theme).language(language);
                    let diagram = diagram.coordinates(coordinates).flipped(bits & 1 != 0);
                    all.push(diagram.legend(bits & 2 != 0).turn_marker(bits & 2 != 0));
                }
            }
        }
    }
    all
}

#[test]
fn every_mixture_stands_alone_and_is_small() {
    let some: Annotations = "attack:e3e4,attack:h2h9,guard:b0c2,guard:h0g2,line:h2e2,line:h9g7,\
                             line:h0g2,line:i9h9,mark:e4,cross:e6"
        .parse()
        .unwrap();
    let diagram = start().annotate(some).last_move(mv("b2b4"));
    for diagram in mixtures(&diagram) {
        let svg = diagram.to_svg();
        checked(&svg);
        // Letters and file numbers, legend and all: usually it is a third less.
        assert!(svg.len() < 32_000, "{} bytes", svg.len());
    }
    assert!(diagram.to_svg().len() < 30_000);
    assert!(start().to_svg().len() < 21_000);
    let most = Square::all().filter(|&to| to != square("a0")).map(|to| {
        let mv = Move::new(square("a0"), to);
        Annotation::Arrow(ArrowKind::Line, mv)
    });
    let most = start().annotate(most.take(Annotations::MOST));
    assert!(most.to_svg().len() < 50_000);
}

#[test]
fn the_same_diagram_gives_the_same_bytes() {
    let one = start().theme(Theme::Dark).flipped(true).caption("图一");
    let other = start().caption("图一").flipped(true).theme(Theme::Dark);
    assert_eq!(one.to_svg(), other.to_svg());
    assert_eq!(one.to_svg(), one.to_string());
    let setup = Position::start().setup();
    assert_eq!(Diagram::new(&setup).to_svg(), start().to_svg());
}

#[test]
fn names_of_options_are_their_serde_names() {
    for theme in Theme::ALL {
        let name = serde_json::to_string(&theme).unwrap();
        assert_eq!(name, format!("\"{}\"", theme.id()));
    }
    for (language, name) in [(Language::Zh, "\"zh\""), (Language::En, "\"en\"")] {
        assert_eq!(serde_json::to_string(&language).unwrap(), name);
    }
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..90u8).prop_map(|index| Square::from_index(index).unwrap())
}

fn any_annotation() -> impl Strategy<Value = Annotation> {
    (0..5usize, any_square(), any_square()).prop_map(|(kind, from, to)| match kind {
        0..3 => Annotation::Arrow(ArrowKind::ALL[kind], Move::new(from, to)),
        _ => Annotation::Mark(MarkKind::ALL[kind - 3], from),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_board_and_any_annotations_stand_alone(
        pieces in proptest::collection::vec((any_square(), "[kabnrcpKABNRCP]"), 0..40),
        annotations in proptest::collection::vec(any_annotation(), 0..80),
        caption in any::<String>(),
        prefix in any::<String>(),
        flipped in any::<bool>(),
    ) {
        let mut setup = Setup::empty(Side::Red);
        for (at, letter) in pieces {
            setup.put(at, letter.chars().next().and_then(Piece::from_letter));
        }
        let diagram = Diagram::new(&setup).annotate(annotations).flipped(flipped);
        let elements = checked(&diagram.clone().caption(caption).id_prefix(&prefix).to_svg());
        prop_assert!(!elements.is_empty());
        let expected: BTreeMap<_, _> = setup
            .pieces()
            .map(|(square, piece)| (point(square, flipped), piece))
            .collect();
        prop_assert_eq!(drawn(&checked(&diagram.to_svg()), "b"), expected);
    }

    #[test]
    fn no_text_breaks_the_reading_of_annotations(text in any::<String>()) {
        if let Ok(annotations) = text.parse::<Annotations>() {
            prop_assert_eq!(annotations.to_string().parse(), Ok(annotations));
        }
    }

    #[test]
    fn annotations_written_read_back(list in proptest::collection::vec(any_annotation(), 0..64)) {
        let proper = |a: &Annotation| !matches!(a, Annotation::Arrow(_, mv) if mv.from == mv.to);
        let list: Annotations = list.into_iter().filter(proper).collect();
        prop_assert_eq!(list.to_string().parse(), Ok(list));
    }
}
