//! One word for a target's root: the data, the Chinese, the English and the account that decides say the same.
//!
//! `QILI_CYCLES` says how many random cycles are looked at, `QILI_REAL_CYCLES` names a file of more (see `differential`).

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::print_stdout,
    reason = "test code: it tells how much it has looked at"
)]

use crate::differential::{cycles, number};
use qili::Arbiter;
use qili::board::{Move, Square};
use qili::classify::{Depth, Nature, Quiet, Reason, Strength};
use qili::definitions::BothForbidden;
use qili::exchange::{Root, is_retaken};
use qili::explain::Told;
use qili::rules::{Catalog, RuleBook};
use qili::ruling::{MoveJudged, Options};
use std::collections::BTreeMap;

/// The books whose chases turn on roots.
const BOOKS: [&str; 5] = ["cxa-1999", "cxa-2007", "cxa-2011", "cxa-2020", "wxf"];

/// How a language says that a piece on a square can be taken, and what protects it.
struct Tongue {
    place: fn(Square) -> String,
    takes: &'static str,
    /// What follows a screen, or goes before it.
    leaps: &'static [&'static str],
    /// What ends the sentence in which the piece is named.
    ends: &'static [char],
    /// What begins to tell of another matter.
    until: &'static str,
    words: &'static [(&'static str, Root)],
}

/// What a text says of the root of the piece on a square, where it says that it can be taken.
fn root_told(text: &str, square: Square, tongue: &Tongue) -> Option<Root> {
    let place = (tongue.place)(square);
    text.match_indices(&place).find_map(|(at, _)| {
        let before = text.get(..at)?.rsplit(tongue.ends).next()?;
        let after = text.get(at + place.len()..)?;
        // What a cannon leaps over is not what it takes.
        let beside = |word: &&str| after.starts_with(word) || before.contains(word);
        let is_screen = tongue.leaps.iter().any(beside);
        let after = after.split(tongue.until).next()?;
        if is_screen || !before.contains(tongue.takes) {
            return None;
        }
        let words = tongue.words.iter();
        let found = words.filter_map(|(word, root)| Some((after.find(word)?, *root)));
        found.min_by_key(|(at, _)| *at).map(|(_, root)| root)
    })
}

const ZH: Tongue = Tongue {
    place: |square| format!("（{square}）"),
    takes: "可",
    leaps: &["为架"],
    ends: &['；', '，'],
    until: "；",
    words: &[
        ("是假根", Root::False),
        ("少根", Root::Under),
        ("无根", Root::None),
        ("为根", Root::Rooted),
    ],
};

const EN: Tongue = Tongue {
    place: |square| format!(" on {square}"),
    takes: "take ",
    leaps: &[" over the "],
    ends: &[';'],
    until: "take ",
    words: &[
        ("guards it in appearance only", Root::False),
        ("fewer roots than attackers", Root::Under),
        ("is under-rooted", Root::Under),
        ("nothing guards it", Root::None),
        ("guards it", Root::Rooted),
    ],
};

/// What speaks against the root told of a target, by what is played on the board.
fn against(m: &MoveJudged, capture: Move, line: &[Move], root: Root) -> Option<&'static str> {
    let could = is_retaken(m.scene.threat(), capture);
    let does = line.get(1).is_some_and(|mv| mv.to == capture.to);
    match root {
        Root::None if could => Some("what has no root can be retaken"),
        Root::None if does => Some("what has no root is retaken"),
        Root::Under if !could && line.len() < 3 => Some("what has too few roots has none"),
        _ => None,
    }
}

/// Where what a move follows stands, unless another piece attacks it as well: then the root told is that one's.
fn followed(m: &MoveJudged) -> Option<Square> {
    let reasons = || m.finding.reasons.iter();
    let attacked = |square| {
        reasons()
            .any(|reason| matches!(reason, Reason::Attack(attack) if attack.capture.to == square))
    };
    let held = reasons().find_map(|reason| match reason {
        Reason::Quiet(Quiet::Follow { target }) => Some(target.1),
        _ => None,
    });
    held.filter(|&square| !attacked(square))
}

/// Where a book weighs chases by their roots: whether none of those of a square is weighed as its root says.
fn weighed_against(m: &MoveJudged, square: Square, root: Root) -> bool {
    let has_root = matches!(root, Root::Rooted | Root::Under);
    let mut weights = m.finding.reasons.iter().filter_map(|reason| match reason {
        Reason::Chase(threat, Some(strength)) if threat.capture.to == square => Some(*strength),
        _ => None,
    });
    let first = weights.next();
    let fits = |strength| (strength == Strength::Weak) == has_root;
    first.is_some_and(|first| !fits(first) && !weights.any(fits))
}

#[test]
fn prose_data_and_account_tell_one_root() {
    let most = number("QILI_CYCLES").max(250);
    let mut wrong = Vec::new();
    let mut said: BTreeMap<(String, Root), usize> = BTreeMap::new();
    let mut told_in = [0_usize; 2];
    for book in BOOKS {
        let loaded = Catalog::builtin().get(book).unwrap();
        let book: &RuleBook = &loaded.book;
        let weighs_roots = book.definitions.both_forbidden == BothForbidden::RootsOfChases;
        let options = Options {
            depth: Depth::Notes,
            ..Options::default()
        };
        let arbiter = Arbiter::new(book).with(options);
        for (_, cycles) in cycles() {
            for (start, line) in cycles.iter().take(most) {
                let judged = arbiter.line(start, line);
                for m in judged.moves.iter().filter(|m| followed(m).is_some()) {
                    let targets = Told::new(m, book).targets;
                    let held = targets
                        .iter()
                        .find(|target| Some(target.square) == followed(m));
                    if held.is_none_or(|target| target.root != Root::Rooted) {
                        wrong.push(format!(
                            "{} {start:?} {line:?}: followed without a root",
                            book.id
                        ));
                    }
                }
                let chases = judged
                    .moves
                    .iter()
                    .filter(|m| m.finding.nature == Some(Nature::Chase));
                for m in chases {
                    let told = Told::new(m, book);
                    for target in &told.targets {
                        let here = || {
                            format!(
                                "{} {start:?} {line:?}: {} {}",
                                book.id, m.scene.mv, target.square
                            )
                        };
                        *said.entry((book.id.clone(), target.root)).or_default() += 1;
                        let square = target.square;
                        let zh = root_told(&told.reason.zh, square, &ZH);
                        let en = root_told(&told.reason.en, square, &EN);
                        for (at, (language, text)) in [(zh, &told.reason.zh), (en, &told.reason.en)]
                            .into_iter()
                            .enumerate()
                        {
                            told_in[at] += usize::from(language.is_some());
                            if language.is_some_and(|root| root != target.root) {
                                wrong.push(format!("{}: {:?}, but {text}", here(), target.root));
                            }
                        }
                        // Several pieces may take it: one of them is told, and that one's root.
                        let accounts = m.finding.reasons.iter().filter_map(|reason| match reason {
                            Reason::Chase(threat, _) if threat.capture.to == square => {
                                Some(against(m, threat.capture, threat.line.moves(), target.root))
                            }
                            _ => None,
                        });
                        let faults: Vec<_> = accounts.collect();
                        if weighs_roots && weighed_against(m, square, target.root) {
                            wrong.push(format!("{}: weighed by another root", here()));
                        }
                        if let Some(Some(fault)) = faults.first()
                            && faults.iter().all(Option::is_some)
                        {
                            wrong.push(format!("{}: {fault}", here()));
                        }
                    }
                }
            }
        }
    }
    println!("{said:?} {told_in:?}");
    assert!(
        wrong.is_empty(),
        "{} of {said:?}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(told_in.iter().all(|&count| count > 300), "{told_in:?}");
}
