//! What is told of every move of the case library: it names what it is about, and its evidence
//! ends as claimed.

#![expect(clippy::unwrap_used, reason = "test code")]

use qili::Arbiter;
use qili::board::{Move, Position, Role, Side, Square};
use qili::classify::{
    Assertions, Depth, Nature, Pardon, Post, Quiet, Reason, Root, Sparing, Uncounted,
};
use qili::explain::{
    Claim, Evidence, Language, Sheet, Told, VerdictContext, clauses, evidence, of_verdict, pattern,
    sheet,
};
use qili::game::Cycle;
use qili::notation::{Notation, fen, read_line, write_move};
use qili::rules::{Catalog, Ground, Outcome, RuleBook};
use qili::ruling::{Judged, MoveJudged, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

const CLAIMED: VerdictContext = VerdictContext {
    rounds: 3,
    occurrences: 4,
    claimed: true,
    assumed: false,
    ordered: None,
};

struct Case {
    name: String,
    start: Position,
    line: Vec<Move>,
}

fn book(id: &str) -> RuleBook {
    Catalog::builtin().get(id).unwrap().book.clone()
}

/// The cases of a folder.
fn cases(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("cases")
        .join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let table: toml::Table = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            let moves = table.get("moves").unwrap().as_array().unwrap();
            Case {
                name: path.display().to_string(),
                start: fen::parse(table.get("fen").unwrap().as_str().unwrap()).unwrap(),
                line: moves
                    .iter()
                    .map(|m| m.as_str().unwrap().parse().unwrap())
                    .collect(),
            }
        })
        .collect()
}

fn judged(book: &RuleBook, case: &Case) -> Judged {
    Arbiter::new(book).line(&case.start, &case.line)
}

/// Every case of every folder judged under every book, once for all tests.
static ALL: LazyLock<Vec<(RuleBook, Case, Judged)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for id in ["cxa-1999", "cxa-2020", "wxf", "threefold"] {
        let book = book(id);
        for folder in ["cxa-1999", "cxa-2020", "wxf"] {
            for case in cases(folder) {
                let judged = judged(&book, &case);
                all.push((book.clone(), case, judged));
            }
        }
    }
    all
});

fn each(mut check: impl FnMut(&RuleBook, &Case, &Judged)) {
    for (book, case, judged) in ALL.iter() {
        check(book, case, judged);
    }
}

fn judge(id: &str, position: &str, moves: &[&str], assertions: Assertions) -> Judged {
    let line: Vec<Move> = moves.iter().map(|m| m.parse().unwrap()).collect();
    let options = Options {
        assertions,
        ..Options::default()
    };
    Arbiter::new(&book(id))
        .with(options)
        .line(&fen::parse(position).unwrap(), &line)
}

fn is_chinese(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
        || ('\u{3000}'..='\u{303f}').contains(&c)
        || ('\u{ff00}'..='\u{ffef}').contains(&c)
}

/// The words of Latin letters in a text, squares aside.
fn latin_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.chars().any(|c| c.is_ascii_alphabetic()))
        .filter(|word| word.parse::<Square>().is_err())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_move_is_told_in_both_languages_and_by_name() {
    each(|book, case, judged| {
        for m in &judged.moves {
            let text = Told::new(m, book).reason;
            let at = format!("{} {} {}: {text:?}", book.id, case.name, m.scene.mv);
            let name = write_move(&m.scene.before, m.scene.mv, Notation::Chinese);
            assert!(text.zh.contains(&name), "{at}");
            assert!(text.en.contains(&m.scene.mv.to_string()), "{at}");
            assert!(text.zh.ends_with('。') && text.en.ends_with('.'), "{at}");
            assert!(
                text.en.starts_with(|c: char| c.is_ascii_uppercase()),
                "{at}"
            );
            assert_eq!(latin_words(&text.zh), Vec::<String>::new(), "{at}");
            assert!(!text.zh.contains(", ") && !text.zh.contains("  "), "{at}");
            assert!(!text.en.chars().any(is_chinese), "{at}");
            assert!(!text.en.contains("  ") && !text.en.contains(" ,"), "{at}");
            for bad in ["，，", "；；", "，。", "；。", "（）", "，；", "；，"] {
                assert!(!text.zh.contains(bad), "{at}");
            }
        }
    });
}

#[test]
fn different_moves_are_told_differently() {
    each(|book, case, judged| {
        let mut seen: BTreeMap<String, Move> = BTreeMap::new();
        for m in &judged.moves {
            for text in [Told::new(m, book).reason.zh, Told::new(m, book).reason.en] {
                let known = seen.entry(text.clone()).or_insert(m.scene.mv);
                // The same move may come again, in another position or in the same.
                assert_eq!(*known, m.scene.mv, "{} {}: {text}", book.id, case.name);
            }
        }
    });
}

/// The squares a reason is about.
fn concerned(reason: &Reason, m: &MoveJudged) -> Vec<Square> {
    match reason {
        Reason::Check(by) => {
            let king = m.scene.after.king(m.scene.side.opponent());
            let moved = by
                .iter()
                .map(|(_, at)| *at)
                .filter(|at| *at != m.scene.mv.to);
            moved.chain([king]).collect()
        }
        Reason::Chase(threat, _) | Reason::PawnUpgrade(threat, _) => {
            vec![threat.capture.from, threat.capture.to]
        }
        Reason::Attack(attack) => vec![attack.capture.from, attack.capture.to],
        Reason::Fortress(_, captures) => captures.iter().map(|mv| mv.to).collect(),
        Reason::Kill(_)
        | Reason::ByChecks(..)
        | Reason::KingEvasion
        | Reason::Pardoned(..)
        | Reason::PardonedChecks(_)
        | Reason::Vain(..)
        | Reason::Spared(..)
        | Reason::SparedCheck(_)
        | Reason::Uncounted(..)
        | Reason::Quiet(_) => Vec::new(),
    }
}

#[test]
fn the_squares_concerned_are_named() {
    each(|book, case, judged| {
        for m in &judged.moves {
            let text = Told::new(m, book).reason;
            for reason in &m.finding.reasons {
                let names_it = match m.finding.nature {
                    Some(Nature::Check) => matches!(reason, Reason::Check(_)),
                    Some(Nature::Chase) => matches!(
                        reason,
                        Reason::Chase(..) | Reason::PawnUpgrade(..) | Reason::Attack(_)
                    ),
                    _ => matches!(reason, Reason::Fortress(..)),
                };
                for square in concerned(reason, m).iter().filter(|_| names_it) {
                    let at = format!("{} {} {square}: {text:?}", book.id, case.name);
                    assert!(text.zh.contains(&square.to_string()), "{at}");
                    assert!(text.en.contains(&square.to_string()), "{at}");
                }
            }
        }
    });
}

fn value(role: Role) -> i32 {
    match role {
        Role::Rook => 20,
        Role::Horse | Role::Cannon => 10,
        Role::Advisor | Role::Elephant => 4,
        Role::King | Role::Pawn => 0,
    }
}

fn is_crossed(side: Side, square: Square) -> bool {
    (square.rank() >= 5) == (side == Side::Red)
}

/// Where a line leads.
struct Played {
    position: Position,
    /// Pieces of fixed value and crossed pawns that the side making the threat is ahead by.
    pieces: i32,
    pawns: i32,
    captor_lives: bool,
}

/// Plays a line from a position by what a position itself knows, refusing what is illegal.
fn play(start: &Position, line: &[String], taker: Side) -> Result<Played, String> {
    let mut position = start.clone();
    let (mut pieces, mut pawns) = (0, 0);
    let mut captor = None;
    for text in line {
        if text == "pass" {
            if position.in_check() {
                return Err("passes in check".to_owned());
            }
            position.pass();
            continue;
        }
        let mv: Move = text.parse().unwrap();
        if !position.is_legal(mv) {
            return Err(format!("{mv} is not legal"));
        }
        if let Some(taken) = position.piece_at(mv.to) {
            // Checks that take nothing may come first.
            if taken.side != taker {
                captor = captor.or(position.id_at(mv.from));
            }
            let sign = if taken.side == taker { -1 } else { 1 };
            pieces += sign * value(taken.role);
            if taken.role == Role::Pawn && is_crossed(taken.side, mv.to) {
                pawns += sign;
            }
        }
        position.make(mv);
    }
    let captor_lives = captor.is_some_and(|id| position.is_alive(id));
    Ok(Played {
        position,
        pieces,
        pawns,
        captor_lives,
    })
}

fn is_mate(position: &Position) -> bool {
    position.in_check() && position.legal_moves().is_empty()
}

/// What a line of evidence fails to show, if it does.
fn fault(m: &MoveJudged, start: &Position, e: &Evidence, book: &RuleBook) -> Option<String> {
    let played = match play(start, &e.line, m.scene.side) {
        Ok(played) => played,
        Err(why) => return Some(why),
    };
    let Played {
        position,
        pieces,
        pawns,
        captor_lives,
    } = played;
    let mate = is_mate(&position);
    let mates = mate && position.turn() != m.scene.side;
    let for_rook = book.definitions.pawn_for_rook && pieces >= 20;
    let gain = pieces > 0 && pawns >= 0 || pieces == 0 && pawns > 0 || for_rook;
    // Without exchanges in its rules a book claims no more than the capture.
    let search = book.id.starts_with("cxa");
    // An even trade the captor survives, and pawns against pieces where what is lost had hung.
    let even = pieces == 0 && pawns == 0 && captor_lives;
    let incomparable = pieces > 0 && pawns < 0 || pieces < 0 && pieces + 10 * pawns >= 0;
    let duty = incomparable && captor_lives;
    let shown = match e.claim {
        Claim::Check => e.line.is_empty() && m.scene.gives_check,
        Claim::Mate => mates,
        Claim::Gain | Claim::Existed => {
            e.line.is_empty() || !search || mates || gain || even || duty
        }
        Claim::Refuted => e.line.is_empty() || mate && !mates || !gain,
        Claim::Exempt => true,
    };
    let what = format!("{pieces}+{pawns}p, mate {mate}, captor lives {captor_lives}");
    (!shown).then_some(what)
}

#[test]
fn evidence_is_legal_and_ends_as_claimed() {
    let mut faults = Vec::new();
    let mut count: BTreeMap<Claim, usize> = BTreeMap::new();
    each(|book, case, judged| {
        let period = case.line.len();
        for (ply, m) in judged.moves.iter().enumerate() {
            for e in evidence(m, ply, period) {
                let start = &judged.moves[e.from_ply].scene.after;
                *count.entry(e.claim).or_default() += 1;
                if let Some(why) = fault(m, start, &e, book) {
                    faults.push(format!(
                        "{} {} {}: {e:?}: {why}",
                        book.id, case.name, m.scene.mv
                    ));
                }
            }
        }
    });
    assert!(
        faults.is_empty(),
        "{}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert_eq!(count.len(), 6, "{count:?}");
}

/// What was attacked before the move by another piece is shown taken by that one.
#[test]
fn what_hung_before_is_taken_by_whoever_could() {
    let judged = judge(
        "wxf",
        "3k5/8r/9/1n7/9/2C6/9/9/9/4K4 b",
        &["i8i4", "e0e1", "i4i8", "e1e0"],
        Assertions::default(),
    );
    let shown = evidence(&judged.moves[0], 0, 4);
    let existed = shown.iter().find(|e| e.claim == Claim::Existed).unwrap();
    assert_eq!(
        (existed.from_ply, existed.line.join(" ")),
        (3, "b6c4".to_owned())
    );
}

/// A label of a strike is borne out by a line, unless it is a check or stands below one.
#[test]
fn no_strike_without_evidence() {
    each(|book, case, judged| {
        if !book.id.starts_with("cxa") {
            return;
        }
        for (ply, m) in judged.moves.iter().enumerate() {
            let claim = match m.finding.nature {
                Some(Nature::Check) => Claim::Check,
                Some(Nature::Kill) => Claim::Mate,
                Some(Nature::Chase) => Claim::Gain,
                _ => continue,
            };
            let found = evidence(m, ply, case.line.len());
            let shown = found
                .iter()
                .any(|e| e.claim == claim && (claim == Claim::Check || e.line.len() > 1));
            assert!(shown, "{} {} {}: {found:?}", book.id, case.name, m.scene.mv);
        }
    });
}

fn kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::Check(_) => "check",
        Reason::Kill(_) => "kill",
        Reason::Chase(..) => "chase",
        Reason::ByChecks(..) => "by checks",
        Reason::Fortress(Post::Asserted, _) => "fortress asserted",
        Reason::Fortress(Post::Standard(_), _) => "fortress standard",
        Reason::Attack(_) => "attack",
        Reason::KingEvasion => "king evasion",
        Reason::Pardoned(_, Pardon::Existed) => "existed",
        Reason::Pardoned(_, Pardon::KingOrPawn) => "king or pawn",
        Reason::PardonedChecks(_) => "old checks",
        Reason::Vain(..) => "vain",
        Reason::Spared(_, Sparing::KingOrPawn) => "spared king or pawn",
        Reason::Spared(_, Sparing::Existed) => "spared existed",
        Reason::Spared(_, Sparing::Mutual) => "spared mutual",
        Reason::Spared(_, Sparing::Pinned) => "spared pinned",
        Reason::Spared(_, Sparing::Rooted(_)) => "spared rooted",
        Reason::SparedCheck(_) => "spared check",
        Reason::Uncounted(_, Uncounted::Costs) => "uncounted: costs",
        Reason::Uncounted(_, Uncounted::Floats) => "uncounted: floats",
        Reason::Uncounted(_, Uncounted::Pawn) => "uncounted: pawn",
        Reason::PawnUpgrade(..) => "pawn upgrade",
        Reason::Quiet(Quiet::Exchange { .. }) => "exchange",
        Reason::Quiet(Quiet::Offer { .. }) => "offer",
        Reason::Quiet(Quiet::Block { .. }) => "block",
        Reason::Quiet(Quiet::Follow { .. }) => "follow",
    }
}

#[test]
fn the_library_shows_every_kind_of_reason() {
    let mut met = BTreeSet::new();
    each(|_, _, judged| {
        met.extend(
            judged
                .moves
                .iter()
                .flat_map(|m| m.finding.reasons.iter().map(kind)),
        );
    });
    // What only an arbiter can assert is in no case.
    let all = [
        "attack",
        "block",
        "by checks",
        "chase",
        "check",
        "exchange",
        "existed",
        "follow",
        "fortress standard",
        "kill",
        "king evasion",
        "king or pawn",
        "offer",
        "old checks",
        "pawn upgrade",
        "spared check",
        "spared existed",
        "spared king or pawn",
        "spared mutual",
        "spared pinned",
        "spared rooted",
        "uncounted: costs",
        "uncounted: floats",
        "uncounted: pawn",
        "vain",
    ];
    assert_eq!(met, BTreeSet::from(all));
}

const FIGURE_3: &str = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w";

#[test]
fn a_chase_says_over_what_by_what_and_what_is_new() {
    let judged = judge(
        "cxa-1999",
        FIGURE_3,
        &["h6i4", "i9h9", "i4h6", "h9i9"],
        Assertions::default(),
    );
    let text = Told::new(&judged.moves[0], &book("cxa-1999")).reason;
    assert_eq!(
        text.zh,
        "马二退一作炮架，一路炮（i2）可隔此马打9路车（i9），此车无根；走动前此炮打不到此车；为捉。"
    );
    assert_eq!(
        text.en,
        "After h6i4 the cannon on i2 can take the rook on i9 over the horse on i4; nothing guards \
         it; before the move the cannon did not bear on it: a chase."
    );
    let book = book("cxa-1999");
    let cited = clauses(&book, &Told::new(&judged.moves[0], &book).grounds);
    assert_eq!(cited.get(..2).unwrap(), ["28.3", "29.1"]);
    let shown = evidence(&judged.moves[0], 0, 4);
    let gain = shown.iter().find(|e| e.claim == Claim::Gain).unwrap();
    assert_eq!(
        (gain.from_ply, gain.line.join(" ")),
        (0, "pass i2i9".to_owned())
    );
    let target = &Told::new(&judged.moves[0], &book).targets[0];
    assert_eq!(
        (target.square.to_string(), target.piece),
        ("i9".to_owned(), Role::Rook)
    );
}

#[test]
fn a_check_also_chases_what_nothing_guards_once_it_has_been_answered() {
    let also = |board: &str| {
        let moves = ["d5c7", "e8e9", "c7d5", "e9e8"];
        let judged = judge("cxa-2020", board, &moves, Assertions::default());
        let check = judged.moves.first().unwrap();
        assert_eq!(check.finding.nature, Some(Nature::Check));
        check.finding.also.clone()
    };
    // The horse gives check and bears on the cannon, which the rook guards or not.
    assert_eq!(also("9/4k4/9/c8/3N5/9/9/9/9/3K5 w"), [Nature::Chase]);
    assert_eq!(also("r8/4k4/9/c8/3N5/9/9/9/9/3K5 w"), []);
}

#[test]
fn what_is_chased_beside_a_kill_is_not_followed() {
    let board = "1R3ab2/2Nka4/C1n1b2c1/p3r3p/2p4n1/2P2p3/P7P/8B/4A4/2B1KA3 w";
    let moves = ["b9b7", "d8d9", "b7b9", "d9d8"];
    for id in ["cxa-1999", "cxa-2020"] {
        let judged = judge(id, board, &moves, Assertions::default());
        let kill = judged.moves.first().unwrap();
        assert_eq!(kill.finding.nature, Some(Nature::Kill), "{id}");
        // The cannon takes the horse on which the rook has come to bear as well.
        assert_eq!(kill.finding.also, [Nature::Chase], "{id}");
    }
}

#[test]
fn targets_tell_false_roots_from_none() {
    let figure_11 = "1Cbak4/1r2a4/c3b4/p8/2p1R4/6P1P/2P6/4B4/4A4/2BAK4 w";
    let moves = ["b9a9", "b8a8", "a9b9", "a8b8"];
    let judged = judge("cxa-2020", figure_11, &moves, Assertions::default());
    let book = book("cxa-2020");
    let elephant = &Told::new(&judged.moves[0], &book).targets[0];
    assert_eq!(
        (elephant.square.to_string(), elephant.root),
        ("e7".to_owned(), Root::False)
    );
    assert_eq!(elephant.roots[0].square.to_string(), "c9");
    let cannon = &Told::new(&judged.moves[1], &book).targets[0];
    assert_eq!(
        (cannon.square.to_string(), cannon.root),
        ("a9".to_owned(), Root::None)
    );
}

/// What the text says of the root of a piece that can be taken on a square, where it does.
fn root_told(text: &str, square: &str) -> Option<(Root, String)> {
    let place = format!("（{square}）");
    text.match_indices(&place).find_map(|(at, _)| {
        let before = text.get(..at)?.rsplit(['；', '，']).next()?;
        let after = text.get(at + place.len()..)?.split('；').next()?;
        if !before.contains('可') {
            return None;
        }
        let words = [
            ("是假根", Root::False),
            ("少根", Root::Under),
            ("无根", Root::None),
            ("为根", Root::Rooted),
        ];
        let (_, root) = words.into_iter().find(|(word, _)| after.contains(word))?;
        Some((root, after.to_owned()))
    })
}

#[test]
fn the_text_has_the_same_word_for_a_root_as_the_data() {
    let (mut chases, mut forces) = ([0; 4], [0; 3]);
    each(|book, case, judged| {
        for m in judged
            .moves
            .iter()
            .filter(|m| m.finding.nature == Some(Nature::Chase))
        {
            let told = Told::new(m, book);
            for target in &told.targets {
                let Some((root, words)) = root_told(&told.reason.zh, &target.square.to_string())
                else {
                    continue;
                };
                assert_eq!(root, target.root, "{} {}: {words}", case.name, m.scene.mv);
                let at = Root::ALL.iter().position(|known| *known == root).unwrap();
                chases[at] += 1;
            }
            let has = |root| told.targets.iter().any(|target| target.root == root);
            let text = &told.reason.zh;
            for (at, (force, of)) in [
                ("系捉有根之子", Root::Rooted),
                ("系捉少根之子", Root::Under),
            ]
            .into_iter()
            .enumerate()
            {
                let said = text.contains(force);
                assert!(!said || has(of), "{}: {text}", case.name);
                forces[at] += usize::from(said);
            }
            forces[2] += usize::from(text.contains("系联合捉子"));
        }
    });
    assert!(chases.iter().all(|&count| count > 5), "{chases:?}");
    assert!(forces[1..].iter().all(|&count| count > 2), "{forces:?}");
    // An advisor at a guarded cannon.
    let moves = ["c9c8", "d9e8", "c8c9", "e8d9"];
    let start = "2Rak4/9/3C5/9/2N6/9/9/9/4A4/4K4 w";
    let judged = judge("cxa-2020", start, &moves, Assertions::default());
    let told = Told::new(&judged.moves[1], &book("cxa-2020"));
    assert_eq!(told.targets[0].root, Root::Rooted);
    assert!(
        told.reason.zh.contains("虽有七路马（c5）为根"),
        "{:?}",
        told.reason
    );
    assert!(
        told.reason.zh.ends_with("系捉有根之子。"),
        "{:?}",
        told.reason
    );
}

#[test]
fn every_false_root_is_named_and_no_gain_is_shown_twice() {
    let (mut several, mut retaken) = (0, 0);
    each(|book, case, judged| {
        for (ply, m) in judged.moves.iter().enumerate() {
            let mut shown = evidence(m, ply, case.line.len());
            shown.retain(|one| one.claim == Claim::Gain);
            for (at, one) in shown.iter().enumerate() {
                let twice = shown.iter().skip(at + 1).any(|other| other == one);
                assert!(!twice, "{} {}: {one:?}", case.name, m.scene.mv);
            }
            if m.finding.nature != Some(Nature::Chase) {
                continue;
            }
            let told = Told::new(m, book);
            for target in &told.targets {
                let Some((_, words)) = root_told(&told.reason.zh, &target.square.to_string())
                else {
                    continue;
                };
                let seeming = target
                    .roots
                    .iter()
                    .filter(|root| root.false_because.is_some());
                if target.root == Root::False {
                    several += usize::from(seeming.clone().count() > 1);
                    for root in seeming {
                        let named = words.contains(&format!("（{}）", root.square));
                        assert!(named, "{} {}: {words}", case.name, m.scene.mv);
                    }
                }
                retaken += usize::from(words.contains("若吃回，续走"));
            }
        }
    });
    assert!(several > 0 && retaken > 0, "{several} {retaken}");
}

#[test]
fn a_piece_steps_aside_for_what_has_just_attacked_it() {
    // The other rook attacks the horse all along.
    let judged = judge(
        "cxa-1999",
        "3k5/9/9/9/4n4/9/9/9/9/R3RK3 w",
        &["a0a5", "e5g6", "a5a0", "g6e5"],
        Assertions::default(),
    );
    let text = Told::new(&judged.moves[1], &book("cxa-1999")).reason.zh;
    assert!(text.contains("避开九路车（a5）"), "{text}");
}

const FIGURE_15: &str = "3k1a3/4a4/b3b4/9/9/4R4/4n4/3Ar4/3KA4/9 w";
const CYCLE_15: [&str; 4] = ["e4d4", "d9e9", "d4e4", "e9d9"];

#[test]
fn a_post_is_told_by_who_vouches_for_it() {
    let table = judge("cxa-1999", FIGURE_15, &CYCLE_15, Assertions::default());
    let arbiter = Assertions {
        theoretical_draw: true,
        without_table: true,
    };
    let asserted = judge("cxa-1999", FIGURE_15, &CYCLE_15, arbiter);
    let book = book("cxa-1999");
    let (table, asserted) = (
        Told::new(&table.moves[2], &book).reason,
        Told::new(&asserted.moves[2], &book).reason,
    );
    assert!(table.zh.contains("残局定式") && table.en.contains("standard ending"));
    assert!(asserted.zh.contains("经裁判员认定") && asserted.en.contains("arbiter's finding"));
    for text in [table, asserted] {
        assert!(text.zh.contains("中象（e7）") && text.en.contains("the elephant on e7"));
    }
}

#[test]
fn an_open_finding_says_which_test_ran_out() {
    let mut small = book("cxa-2020");
    small.definitions.kill_budget = 1;
    small.definitions.chase_budget = 1;
    let mut tests = BTreeSet::new();
    let mut undetermined = 0;
    for case in cases("cxa-2020") {
        let judged = judged(&small, &case);
        let verdict = of_verdict(&judged, &small, &CLAIMED);
        for m in &judged.moves {
            let Some(open) = &m.finding.open else {
                continue;
            };
            let text = Told::new(m, &small).reason;
            let (zh, en) = match open.test {
                Nature::Kill => ("是否要杀", "threatens mate"),
                Nature::Block => ("是否拦住对方的杀着", "stops a threat of mate"),
                Nature::Exchange => ("是否可兑", "offers an exchange that can be accepted"),
                Nature::Check | Nature::Chase | Nature::Offer | Nature::Follow | Nature::Idle => {
                    ("是否得子", "threatens to win material")
                }
            };
            assert!(
                text.zh.contains(zh) && text.zh.contains("限额1"),
                "{text:?}"
            );
            assert!(
                text.en.contains(en) && text.en.contains("limit 1"),
                "{text:?}"
            );
            assert!(!Told::new(m, &small).grounds.is_empty());
            tests.insert(open.test);
        }
        for &ply in &judged.verdict.open {
            let iccs = judged.moves[ply].scene.mv.to_string();
            assert!(verdict.zh.contains("不作裁决"), "{verdict:?}");
            assert!(verdict.en.contains("Undetermined"), "{verdict:?}");
            assert!(verdict.en.contains(&iccs), "{verdict:?}");
            undetermined += 1;
        }
    }
    assert!(tests.contains(&Nature::Kill) && tests.contains(&Nature::Chase));
    assert!(undetermined > 0);
}

/// A king's move out of check is neither kill nor chase; whether a piece behind it is offered may take looking for.
#[test]
fn a_kings_move_is_open_where_it_is_not_known_what_it_offers() {
    let start = fen::parse("3C1k3/9/3r5/9/3Nc4/9/1rnR5/3K4R/9/3C5 w").unwrap();
    let moves = ["i2f2", "f9e9", "f2i2", "e9f9"].map(|mv| mv.parse().unwrap());
    let evades = |book: &RuleBook| {
        let cycle = Cycle::from_period(&start, &moves).unwrap();
        let judged = Arbiter::new(book).cycle(cycle).judged.unwrap();
        let finding = judged.moves[1].finding.clone();
        (finding, Told::new(&judged.moves[1], book).reason)
    };
    let mut small = book("cxa-2020");
    assert_eq!(evades(&small).0.nature, Some(Nature::Idle));
    small.definitions.chase_budget = 10;
    // Without notes a quiet move is idle, whatever it offers.
    let options = Options {
        depth: Depth::Verdict,
        ..Options::default()
    };
    let cycle = Cycle::from_period(&start, &moves).unwrap();
    let judged = Arbiter::new(&small).with(options).cycle(cycle).judged;
    let without_notes = judged.unwrap().moves[1].finding.nature;
    assert_eq!(without_notes, Some(Nature::Idle));
    let (finding, text) = evades(&small);
    let open = finding.open.unwrap();
    assert_eq!(finding.nature, None);
    assert_eq!(open.test, Nature::Exchange);
    assert!(open.candidates.contains(&Nature::Idle), "{open:?}");
    assert!(text.zh.contains("是否可兑"), "{text:?}");
    assert!(text.en.contains("offers an exchange"), "{text:?}");
}

#[test]
fn grounds_begin_with_the_nature_and_are_cited() {
    each(|book, case, judged| {
        for m in &judged.moves {
            let found = Told::new(m, book).grounds;
            let first = match m.finding.nature {
                Some(Nature::Check) => Ground::Check,
                Some(Nature::Kill) => Ground::Kill,
                Some(Nature::Chase) => Ground::Chase,
                Some(Nature::Exchange) => Ground::Exchange,
                Some(Nature::Offer) => Ground::Offer,
                Some(Nature::Block) => Ground::Block,
                Some(Nature::Follow) => Ground::Follow,
                Some(Nature::Idle) => Ground::Idle,
                None => continue,
            };
            assert_eq!(found.first(), Some(&first), "{} {}", book.id, case.name);
            let once: BTreeSet<_> = found.iter().collect();
            assert_eq!(once.len(), found.len(), "{found:?}");
            let cited = clauses(book, &found);
            let known = |id: &String| book.articles.iter().any(|article| article.id == *id);
            assert!(
                cited.iter().all(known),
                "{} {}: {cited:?}",
                book.id,
                case.name
            );
        }
    });
}

#[test]
fn the_clauses_of_a_chase_and_a_dodge_are_those_of_the_words() {
    let mut dodges = [0, 0];
    each(|book, case, judged| {
        for m in &judged.moves {
            let Told {
                grounds, reason, ..
            } = Told::new(m, book);
            let says = |words: &[&str]| words.iter().any(|&word| reason.zh.contains(word));
            let name = (&book.id, &case.name, &reason.zh);
            let joint = grounds.contains(&Ground::JointChase);
            assert_eq!(says(&["系联合捉子"]), joint, "{name:?}");
            let few = grounds.contains(&Ground::FewRoots);
            assert_eq!(says(&["系捉少根之子", "系捉有根之子"]), few, "{name:?}");
            if says(&["脱身"]) {
                dodges[0] += 1;
                assert!(grounds.contains(&Ground::ChaseByDodge), "{name:?}");
            }
            if grounds.contains(&Ground::DodgeAddsNothing) {
                dodges[1] += 1;
                assert!(says(&["从捉到捉"]), "{name:?}");
            }
        }
    });
    assert!(dodges.iter().all(|&seen| seen > 5), "{dodges:?}");
    // The cannon gets out of the way of what its rook would lose by taking.
    let figure_12 = "3k2P2/P3a4/6rc1/8R/9/9/9/B3B4/4A4/4KA3 w";
    // The cannon runs, and what hung before hangs as it did.
    let figure_37 = "2baka3/9/n3b4/p1p1pc1rN/6R2/8c/4P3C/3NB4/9/2BAKA3 w";
    for (board, moves, article) in [
        (figure_12, ["i6h6", "h7i7", "h6i6", "i7h7"], "图12"),
        (figure_37, ["g5g4", "i4i5", "g4g5", "i5i4"], "参考图37"),
    ] {
        let book = book("cxa-2020");
        let judged = judge("cxa-2020", board, &moves, Assertions::default());
        let named = |m: &MoveJudged| {
            clauses(&book, &Told::new(m, &book).grounds)
                .iter()
                .any(|id| id == article)
        };
        let cited: Vec<_> = judged.moves.iter().map(named).collect();
        assert_eq!(cited, [false, true, false, true], "{article}");
    }
}

#[test]
fn a_verdict_names_both_sides_the_clauses_and_what_follows() {
    each(|book, case, judged| {
        let text = of_verdict(judged, book, &CLAIMED);
        let at = format!("{} {}: {text:?}", book.id, case.name);
        for clause in &judged.verdict.clauses {
            assert!(text.zh.contains(clause) && text.en.contains(clause), "{at}");
        }
        if book.definitions.conduct_is_judged {
            assert!(text.zh.contains("红方") && text.zh.contains("黑方"), "{at}");
            assert!(text.en.contains("Red") && text.en.contains("Black"), "{at}");
        }
        let (zh, en) = match judged.verdict.outcome {
            Outcome::Draw => ("判和", "drawn"),
            Outcome::Loss => ("判负", "loses"),
            Outcome::MustChange => ("应立即变着", "must change at once"),
            Outcome::Undetermined | Outcome::None => ("不作裁决", "Undetermined"),
        };
        assert!(text.zh.contains(zh) && text.en.contains(en), "{at}");
        assert!(
            !text.zh.contains("，，") && !text.zh.contains("。。"),
            "{at}"
        );
    });
}

#[test]
fn an_unasked_draw_cites_other_clauses() {
    let judged = judge("cxa-1999", FIGURE_15, &CYCLE_15, Assertions::default());
    let book = book("cxa-1999");
    let unasked = VerdictContext {
        claimed: false,
        ..CLAIMED
    };
    assert!(of_verdict(&judged, &book, &CLAIMED).zh.contains("24.2"));
    let text = of_verdict(&judged, &book, &unasked);
    assert!(
        text.zh.contains("23.2") && !text.zh.contains("24.2"),
        "{text:?}"
    );
}

#[test]
fn what_comes_of_going_on_is_the_books() {
    let case = &cases("cxa-1999")[1];
    let old = book("cxa-1999");
    let text = of_verdict(&judged(&old, case), &old, &CLAIMED);
    assert!(
        text.zh
            .ends_with("红方应立即变着（24.3、26.4）；若再循环一次仍不变，判负（24.3、4.1.7）。"),
        "{text:?}"
    );
    let mut patient = book("cxa-1999");
    patient.definitions.extra_cycles_after_warning = 3;
    let text = of_verdict(&judged(&patient, case), &patient, &CLAIMED);
    assert!(text.zh.contains("若再循环三次仍不变"), "{text:?}");
    assert!(text.en.contains("played three more times"), "{text:?}");
}

#[test]
fn every_pattern_has_a_name() {
    for (name, zh, en) in [
        ("perpetual_check", "长将", "perpetual check"),
        ("perpetual_kill", "长杀", "perpetual kill"),
        ("perpetual_chase", "长捉", "perpetual chase"),
        ("perpetual_exchange", "长兑", "perpetual exchange"),
        ("perpetual_offer", "长献", "perpetual offer"),
        ("perpetual_block", "长拦", "perpetual block"),
        ("perpetual_follow", "长跟", "perpetual follow"),
        ("perpetual_idle", "长闲", "idle moves only"),
        ("check_kill", "一将一杀", "check and kill in turn"),
        ("check_chase", "一将一捉", "check and chase in turn"),
        ("kill_chase", "一杀一捉", "kill and chase in turn"),
        (
            "check_kill_chase",
            "一将一杀一捉",
            "check, kill and chase in turn",
        ),
        ("check_idle", "一将一闲", "check and idle in turn"),
        ("kill_idle", "一杀一闲", "kill and idle in turn"),
        ("chase_idle", "一捉一闲", "chase and idle in turn"),
        (
            "check_chase_idle",
            "一将一捉一闲",
            "check, chase and idle in turn",
        ),
    ] {
        let told = pattern(name);
        assert_eq!((told.zh.as_str(), told.en.as_str()), (zh, en));
    }
    each(|_, _, judged| {
        for side in judged.conduct.iter().flat_map(|c| [&c.red, &c.black]) {
            let told = pattern(side.pattern);
            assert!(told.zh.chars().all(is_chinese), "{}", side.pattern);
            assert!(!told.en.contains('_'), "{}", side.pattern);
        }
    });
}

#[test]
fn a_sheet_holds_all_an_arbiter_reads_out() {
    each(|book, case, judged| {
        for language in [Language::Zh, Language::En] {
            let with = Sheet {
                board: "the board",
                context: CLAIMED,
                language,
            };
            let page = sheet(judged, book, &with);
            let at = format!("{} {}\n{page}", book.id, case.name);
            assert!(page.contains("the board"), "{at}");
            for m in &judged.moves {
                assert!(
                    page.contains(language.of(&Told::new(m, book).reason)),
                    "{at}"
                );
                assert!(page.contains(&m.scene.mv.to_string()), "{at}");
            }
            let verdict = of_verdict(judged, book, &CLAIMED);
            let verdict = language.of(&verdict).replace(". ", ";");
            for part in verdict.split(['；', '。', ';', '：']) {
                assert!(page.contains(part.trim_end_matches('.')), "{part}: {at}");
            }
            for clause in &judged.verdict.clauses {
                let article = book.articles.iter().find(|a| a.id == *clause);
                let text = article.map(|a| language.of(&a.text));
                assert!(text.is_none_or(|text| page.contains(text)), "{clause} {at}");
            }
            assert!(page.lines().all(|line| line == line.trim_end()), "{at}");
        }
    });
}

#[test]
fn what_hung_already_and_falls_in_answer_to_a_check_is_named_as_another_matter() {
    let book = book("cxa-1999");
    let start = fen::parse("3c5/3ka4/R4a3/9/8N/9/9/4B4/9/3AnK3 w").unwrap();
    let line = read_line(&start, &["a7b7", "d9e9", "b7a7", "e9d9"]).unwrap();
    let judged = Arbiter::new(&book).line(&start, &line);
    let text = Told::new(&judged.moves[3], &book).reason;
    let (zh, en) = (
        "应将所吃之",
        "falls in answer to the check is another matter",
    );
    assert!(
        text.zh.contains(zh) && text.zh.contains("净得仕"),
        "{}",
        text.zh
    );
    assert!(text.en.contains(en), "{}", text.en);
    assert!(text.en.contains("winning an advisor,"), "{}", text.en);
}

#[test]
fn a_rook_that_one_piece_wins_alone_stays_chased_as_one_whoever_could_help() {
    let book = book("cxa-2020");
    // The horse wins the rook by checks; the rook added takes part in the same line, or attacks a
    // cannon together with the horse.
    for start in [
        "2b1k4/7c1/9/9/2r4N1/9/9/9/4A4/5K3 w",
        "2b1k4/7c1/9/9/2r4N1/9/9/3R5/4A4/5K3 w",
        "2b1k4/6c1r/9/9/2r4N1/9/9/9/4A4/5K3 w",
        "2b1k4/6c1r/9/9/2r4N1/9/9/9/4A1R2/5K3 w",
    ] {
        let start = fen::parse(start).unwrap();
        let line = read_line(&start, &["h5f6", "c9a7", "f6h5", "a7c9"]).unwrap();
        let judged = Arbiter::new(&book).line(&start, &line);
        let text = Told::new(&judged.moves[0], &book).reason;
        assert!(text.zh.ends_with("为捉，系捉车。"), "{}", text.zh);
        assert!(text.en.ends_with(": a chase (of a rook)."), "{}", text.en);
    }
}

/// Who retakes is taken at once, and its captor then takes something else with check: it is another piece that falls.
#[test]
fn what_falls_to_checks_after_a_retake_is_named() {
    let position = "4k1b2/4a4/1Cn1bcr2/2N6/9/9/4P4/9/9/4KA3 b";
    let moves = ["g7g8", "b7b8", "g8g7", "b8b7"];
    let judged = judge("cxa-2020", position, &moves, Assertions::default());
    let text = Told::new(&judged.moves[3], &book("cxa-2020")).reason;
    assert!(
        text.zh.contains("吃回则他子被连将抽去，是假根"),
        "{}",
        text.zh
    );
}

/// The clauses a move of a cycle cites under the Asian rules, and its words.
fn cited(position: &str, moves: &str, ply: usize) -> (Vec<String>, String) {
    let moves: Vec<&str> = moves.split(' ').collect();
    let judged = judge("wxf", position, &moves, Assertions::default());
    let book = book("wxf");
    let told = Told::new(judged.moves.get(ply).unwrap(), &book);
    (clauses(&book, &told.grounds), told.reason.zh)
}

#[test]
fn under_the_asian_rules_a_label_cites_what_it_rests_on() {
    let has = |(cited, _): &(Vec<String>, String), clause: &str| cited.iter().any(|c| c == clause);
    // What can simply be taken needs no check first.
    let simply = cited(
        "2n1k4/4aP3/2R6/9/9/9/9/8B/5Kr2/9 w",
        "f1f0 g1g2 f0f1 g2g1",
        0,
    );
    assert!(!has(&simply, "39"), "{simply:?}");
    // A piece that stays where it is attacked, and one that has just fled into another attack.
    let stays = cited("3k5/9/9/9/7r1/5N3/9/9/9/5K1C1 w", "f4h3 d9d8 h3f4 d8d9", 2);
    assert!(has(&stays, "术语8") && !has(&stays, "附录2"), "{stays:?}");
    let again = cited("3ak4/4a4/9/9/c4R3/9/9/9/9/5K3 w", "f5g5 e9f9 g5f5 f9e9", 0);
    assert!(has(&again, "术语8") && has(&again, "附录2"), "{again:?}");
    let fled = "1c2kab2/3Ra4/3cb1n2/4p3p/PC1N5/3r1NB2/8P/4B4/4A4/3AK4 b";
    let fled = cited(fled, "d7c7 d8c8 c7d7 c8d8", 1);
    assert!(
        fled.1.contains("已在受捉") && !has(&fled, "术语8"),
        "{fled:?}"
    );
    assert!(has(&fled, "17") && !has(&fled, "35"), "{fled:?}");
    // A pawn's move that frees the captor cuts no root.
    let freed = cited(
        "4k2P1/3P5/4b4/9/9/2B6/4p4/9/4K1p2/9 b",
        "e3d3 h9g9 d3e3 g9h9",
        2,
    );
    assert!(has(&freed, "30") && !has(&freed, "附录1"), "{freed:?}");
    // A chase that goes with a threat of mate is cited for as well.
    let both = "C1cak4/4a1P2/9/2p6/1P7/1C7/9/B2p5/2p2p3/4K4 w";
    let both = cited(both, "b4c4 c9b9 c4b4 b9c9", 0);
    assert!(
        ["术语2", "术语3", "24"].iter().all(|c| has(&both, c)),
        "{both:?}"
    );
    // What is stopped mates at once, or is the first of several checks.
    let first = "1Cbak1bn1/R3a4/9/6p1p/5N3/2rN5/4P2nc/9/4A4/3A1KB2 b";
    let first = cited(first, "c4c7 d4b5 c7c4 b5d4", 3);
    assert!(first.1.contains("走到f4连将成杀之路"), "{first:?}");
}

#[test]
fn two_that_chase_two_by_turns_offend_nobody_though_both_hang_all_along() {
    let moves = "d9e8 d6d8 e8d9 f8f6 f9e8 f6f8 e8f9 d8d6";
    let position = "3akab2/c4R2c/4b4/3R5/9/9/9/4B4/4K4/2B6 b";
    let judged = judge(
        "wxf",
        position,
        &moves.split(' ').collect::<Vec<_>>(),
        Assertions::default(),
    );
    let text = of_verdict(&judged, &book("wxf"), &CLAIMED);
    assert!(
        text.zh.contains("红方长捉，所捉不是同一子，属允许着法"),
        "{text:?}"
    );
    assert!(text.zh.contains("第32条"), "{text:?}");
}

/// A case that expects an idle move is met by each of its kinds: this is not.
#[test]
fn no_quiet_kind_is_told_where_the_move_has_no_part_in_it() {
    let natures = |start, moves: &[&str]| -> Vec<Option<Nature>> {
        let judged = judge("cxa-1999", start, moves, Assertions::default());
        judged.moves.iter().map(|m| m.finding.nature).collect()
    };
    // The rooks faced each other before the check that the king answers.
    let found = natures(
        "4ka3/4a4/9/9/5N3/3R5/4P4/4n4/3r5/2B2K3 w",
        &["f0e0", "e2g1", "e0f0", "g1e2"],
    );
    let (idle, check) = (Some(Nature::Idle), Some(Nature::Check));
    assert_eq!(found, [idle, check, idle, check]);
    // The cannon has one root against two, and the rook could take it before.
    let found = natures(
        "3akr3/4a4/9/9/7N1/R4c3/9/9/4A4/3AK4 w",
        &["h5f6", "f9f8", "f6h5", "f8f9"],
    );
    assert_eq!(found.get(2), Some(&idle));
    // With enough roots it is held.
    let found = natures(
        "3akr3/4a4/9/9/7N1/5c3/9/9/4A4/3AK4 w",
        &["h5f6", "f9f8", "f6h5", "f8f9"],
    );
    assert_eq!(found.get(2), Some(&Some(Nature::Follow)));
}

/// A run of checks that wins now could have been played before the move, too: what spoilt it then is told, and shown.
#[test]
fn a_run_of_checks_says_what_spoilt_it_before() {
    let told = |position: &str, moves: &[&str], ply: usize| {
        let judged = judge("cxa-2020", position, moves, Assertions::default());
        let m = &judged.moves[ply];
        let words = Told::new(m, &book("cxa-2020")).reason.zh;
        let line = evidence(m, ply, moves.len())
            .pop()
            .map(|e| (e.claim, e.line.join(" ")));
        (words, line.unwrap())
    };
    let (words, line) = told(
        "2b1k4/9/4b4/9/4p4/7R1/9/2r6/4A4/3K3c1 b",
        &["h0g0", "h4g4", "g0h0", "g4h4"],
        0,
    );
    assert!(
        words.contains("走动前若如此抽吃，红方车二退四吃炮，得仕失炮；"),
        "{words}"
    );
    assert_eq!(
        line,
        (Claim::Refuted, "c2c0 d0d1 c0c1 d1d2 c1e1 h4h0".to_owned())
    );
    let (words, line) = told(
        "4k1b2/4a4/4b4/7rC/8p/1R7/5p3/4B4/4A4/2B1KA3 w",
        &[
            "i6i8", "h6i6", "i8h8", "i6h6", "h8i8", "h6h8", "i8i6", "h8h6",
        ],
        2,
    );
    assert!(words.contains("之后，不能续走炮"), "{words}");
    assert_eq!(line, (Claim::Refuted, "b4b9 e8d9".to_owned()));
    // Where its first check was not there nothing is to be shown.
    let (words, line) = told(
        "3akab2/5n3/9/4p4/4NP3/9/9/1r3C3/4K4/9 w",
        &["f2e2", "g9i7", "e2f2", "i7g9"],
        0,
    );
    assert!(words.contains("走动前尚不能如此照将"), "{words}");
    assert_eq!(line, (Claim::Gain, "pass e5d3 b2e2 e1e2".to_owned()));
}

#[test]
fn one_way_round_is_told_where_like_pieces_only_change_places() {
    let position = "2baka3/9/4b4/9/9/9/9/4B4/4A4/2B1KA3 w - - 0 1";
    // The elephants have changed places after the first round.
    let round = [
        "e2c4", "d9e8", "c4a2", "e8d9", "c0e2", "d9e8", "a2c0", "e8d9",
    ];
    let judged = judge(
        "cxa-2020",
        position,
        &round.repeat(2),
        Assertions::default(),
    );
    assert_eq!((judged.moves.len(), judged.told().len()), (16, 8));
    let text = of_verdict(&judged, &book("cxa-2020"), &CLAIMED);
    assert!(text.zh.contains("红方四闲"), "{}", text.zh);
    assert!(text.en.contains("Red: four idle moves"), "{}", text.en);
    let with = Sheet {
        board: "",
        context: CLAIMED,
        language: Language::Zh,
    };
    let page = sheet(&judged, &book("cxa-2020"), &with);
    assert!(
        page.contains("\n  8. ") && !page.contains("\n  9. "),
        "{page}"
    );
    // Nobody has changed places where a round is given several times: as many moves are listed.
    let there_and_back = ["e2c4", "d9e8", "c4e2", "e8d9"].repeat(2);
    let judged = judge("cxa-2020", position, &there_and_back, Assertions::default());
    assert_eq!(judged.told().len(), 8);
}
