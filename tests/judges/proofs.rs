//! Every decided ruling has a certificate, which proves what was ruled and nothing else.
//!
//! `QILI_CYCLES` says how many random and altered cycles are looked at, `QILI_REAL_CYCLES` names a file of more (see
//! `differential`), `QILI_MUTANTS` how many mutants of certificates.

#![expect(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    clippy::print_stdout,
    reason = "test code: it tells how much it has looked at"
)]

use crate::differential::{PLAYED, Random, cycles, number};
use crate::essence::written;
use qili::Arbiter;
use qili::board::{Move, Position, Square};
use qili::cases::Corpus;
use qili::classify::{Assertions, Nature, Reason};
use qili::definitions::{BeforeBasis, Definitions, PawnCapture};
use qili::exchange::Root;
use qili::explain::Told;
use qili::game::Cycle;
use qili::notation::fen;
use qili::proof::{self, Certificate, Target};
use qili::prove::{Unproved, certify};
use qili::rules::{Catalog, LoadedBook, Outcome, Situation};
use qili::ruling::{Judged, Options};
use std::collections::BTreeMap;
use std::sync::Arc;

const BOOKS: [&str; 6] = [
    "cxa-1999",
    "cxa-2007",
    "cxa-2011",
    "cxa-2020",
    "wxf",
    "threefold",
];

fn book(id: &str) -> Arc<LoadedBook> {
    Arc::clone(&Catalog::builtin().get(id).unwrap())
}

/// A line, and what was asserted of it.
type Asked = (String, Position, Vec<Move>, Assertions);

/// The cases that are cycles.
fn cases() -> Vec<Asked> {
    let line = |case: &qili::cases::Case| {
        let start = fen::parse(&case.fen).ok()?;
        let moves: Option<Vec<Move>> = case.moves.iter().map(|mv| mv.parse().ok()).collect();
        let cycle = Cycle::from_period(&start, &moves?).ok()?;
        let line = cycle.unrolled();
        Some((
            case.id.clone(),
            cycle.start().clone(),
            line,
            case.assertions,
        ))
    };
    Corpus::builtin().iter().filter_map(line).collect()
}

fn judged(loaded: &LoadedBook, (_, start, line, assertions): &Asked) -> Judged {
    let options = Options {
        assertions: *assertions,
        ..Options::default()
    };
    Arbiter::new(&loaded.book).with(options).line(start, line)
}

/// The certificate of a line, if it is decided; what is wrong with it otherwise.
fn certified(loaded: &LoadedBook, asked: &Asked) -> Result<Option<Certificate>, String> {
    let judged = judged(loaded, asked);
    let told = |what: String| {
        let moves: Vec<String> = asked.2.iter().map(ToString::to_string).collect();
        let fen = fen::write(&asked.1);
        format!(
            "{} {} {fen} {}: {what}",
            loaded.book.id,
            asked.0,
            moves.join(" ")
        )
    };
    match certify(loaded, &judged, asked.3, None) {
        Err(Unproved::Undetermined) => Ok(None),
        Err(why) => Err(told(why.to_string())),
        Ok(certificate) => match proof::verify(loaded, &certificate) {
            Ok(_) => Ok(Some(certificate)),
            Err(flaw) => Err(told(flaw.to_string())),
        },
    }
}

fn all_certified(books: &[&str], asked: &[Asked]) -> usize {
    let mut wrong = Vec::new();
    let mut proved = 0;
    for id in books {
        let loaded = book(id);
        for asked in asked {
            match certified(&loaded, asked) {
                Ok(certificate) => proved += usize::from(certificate.is_some()),
                Err(why) => wrong.push(why),
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    proved
}

#[test]
fn every_case_is_proved_under_every_book() {
    let cases = cases();
    let proved = all_certified(&BOOKS, &cases);
    println!("{proved} rulings on {} cases", cases.len());
    assert!(
        proved >= 6 * cases.len() - 6 && cases.len() > 190,
        "{proved}"
    );
}

/// Books in which more is asked than in those published: what else a threat of mate chases, what a pawn attacks by itself.
const TRIALS: [&str; 5] = [
    "cxa-1999+kill_is_attack=false",
    "cxa-2007+kill_is_attack=false",
    "cxa-2020+pawn_upgrade=true+perpetual_chase_same_victim=true",
    "wxf+kill_is_attack=true",
    "wxf+pawn_upgrade=true",
];
const TRIED: [(&str, &str); 3] = [
    // Who accepts the exchange is mated in five: it is none that counts.
    (
        "c2k2N2/9/9/9/5N3/9/1p6C/4K4/4n4/2r2R3 b",
        "a9c9 f5d4 c9a9 d4f5",
    ),
    // The pawn's own attacks are on one rook all the time.
    (
        "3akab2/9/1cn1b1r2/p3pR1P1/9/9/P3P4/4C4/9/3AKABN1 w",
        "h6g6 g7h7 g6h6 h7g7",
    ),
    (
        "1rb1kac2/4a4/2n1b2r1/p1C1pRP1p/2p6/9/PcP1P3P/N3C1N2/9/1RBAKAB2 w",
        "g6h6 h7g7 h6g6 g7h7",
    ),
];

/// What comes seldom enough to be missed by a sample.
const SELDOM: [(&str, &str, &str); 5] = [
    (
        "a cannon that the captor guarded falls by a check, alone or with a pawn",
        "R2ck4/4a4/4b3b/4r4/2c1C3P/6N2/9/7p1/9/2BAKA3 w",
        "e5e3 i7g5 e3e5 g5i7",
    ),
    (
        "several fell by checks that mate otherwise",
        "2b1k3r/9/2N1b4/3PP4/9/9/9/4B4/5rn1R/2BAK1C2 b",
        "i9h9 i1h1 h9i9 h1i1",
    ),
    (
        "a retake lets pieces fall by checks for pawns",
        "3k5/9/bCRPbr3/9/1CP3r2/8p/8P/9/nn7/4KA3 b",
        "g5g2 b5b6 g2g5 b6b5",
    ),
    (
        "a retake wins pieces for pawns, more of them or fewer",
        "1Pba2r2/4a4/3Rbk3/9/6P2/7p1/9/9/4K4/3R1c3 w",
        "d0d6 g9g6 d6d0 g6g9",
    ),
    (
        "a retake lets a pawn fall for whatever it wins",
        "C2P1a3/3ka4/1P1c5/5N3/2bP2b2/2B6/R4R3/8r/3p5/5K3 b",
        "d7f7 a9c9 f7d7 c9a9",
    ),
];

fn seldom() -> Vec<Asked> {
    let asked = |(id, position, moves): (&str, &str, &str)| {
        let (start, line) = written(position, moves);
        (id.to_owned(), start, line, Assertions::default())
    };
    SELDOM.into_iter().map(asked).collect()
}

#[test]
fn what_is_seldom_is_proved() {
    let asked = seldom();
    let proved = all_certified(&BOOKS, &asked);
    assert_eq!(proved, BOOKS.len() * asked.len());
}

#[test]
fn rulings_of_changed_books_are_proved() {
    let mut asked = cases();
    asked.extend(TRIED.iter().map(|(position, moves)| {
        let (start, line) = written(position, moves);
        ((*position).to_owned(), start, line, Assertions::default())
    }));
    let proved = all_certified(&TRIALS, &asked);
    assert!(proved >= TRIALS.len() * (asked.len() - 1), "{proved}");
}

#[test]
fn random_altered_and_real_cycles_are_proved() {
    let most = number("QILI_CYCLES").max(150);
    for (name, cycles) in cycles() {
        if cycles.is_empty() {
            continue;
        }
        let asked: Vec<Asked> = cycles
            .iter()
            .take(if *name == PLAYED { usize::MAX } else { most })
            .map(|(start, line)| {
                let none = Assertions::default();
                ((*name).to_owned(), start.clone(), line.clone(), none)
            })
            .collect();
        let proved = all_certified(&BOOKS, &asked);
        println!("{proved} of {} rulings on {name} cycles", 6 * asked.len());
        assert!(
            proved * 100 >= asked.len() * 590,
            "{proved} of {}",
            asked.len()
        );
    }
}

/// What is claimed, changed in every way: none of it is verified, and each is refused for what is wrong with it.
#[test]
fn no_changed_claim_is_verified() {
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut accepted = Vec::new();
    for id in BOOKS {
        let loaded = book(id);
        for asked in cases() {
            let Ok(Some(good)) = certified(&loaded, &asked) else {
                continue;
            };
            let mut try_out = |what: &str, change: &dyn Fn(&mut Certificate)| {
                let mut bad = good.clone();
                change(&mut bad);
                if bad == good {
                    return;
                }
                match proof::verify(&loaded, &bad) {
                    Ok(_) => accepted.push(format!("{id} {}: {what}", asked.0)),
                    Err(flaw) => {
                        assert!(flaw.field.starts_with(what), "{what}: {flaw}");
                        *refused.entry(flaw.field).or_default() += 1;
                    }
                }
            };
            for ply in 0..good.claims.natures.len() {
                for nature in Nature::ALL {
                    try_out("claims.natures", &|bad| bad.claims.natures[ply] = nature);
                }
            }
            for ply in 0..good.claims.targets.len() {
                for at in 0..good.claims.targets[ply].len() {
                    for root in [None].into_iter().chain(Root::ALL.map(Some)) {
                        try_out("claims.targets", &|bad| {
                            bad.claims.targets[ply][at].root = root;
                        });
                    }
                    try_out("claims.targets", &|bad| {
                        bad.claims.targets[ply][at].square = asked.2[ply].from;
                    });
                    try_out("claims.targets", &|bad| {
                        bad.claims.targets[ply].remove(at);
                    });
                }
                try_out("claims.targets", &|bad| {
                    bad.claims.targets[ply].push(Target {
                        square: asked.2[ply].to,
                        root: None,
                    });
                });
            }
            try_out("claims.targets", &|bad| {
                bad.claims.targets.pop();
            });
            for situation in Situation::ALL {
                try_out("claims.situation", &|bad| bad.claims.situation = situation);
            }
            for outcome in Outcome::ALL {
                try_out("claims.outcome", &|bad| bad.claims.outcome = outcome);
            }
            try_out("claims.side", &|bad| {
                bad.claims.side = match bad.claims.side {
                    None => Some(asked.1.turn()),
                    Some(side) => Some(side.opponent()),
                };
            });
            try_out("claims.clauses", &|bad| {
                bad.claims.clauses.push("99".into());
            });
            try_out("claims.clauses", &|bad| {
                bad.claims.clauses.pop();
            });
            try_out("claims.natures", &|bad| {
                bad.claims.natures.pop();
            });
            try_out("rules.digest", &|bad| bad.rules.digest.push('0'));
            try_out("rules", &|bad| bad.rules.version.push('1'));
            try_out("format", &|bad| bad.format.push('1'));
            try_out("moves", &|bad| {
                bad.moves.pop();
            });
            try_out("fen", &|bad| bad.fen.insert(0, '9'));
            try_out("proof", &|bad| bad.proof.push('*'));
        }
    }
    println!("{refused:?}");
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
    assert!(refused.values().sum::<usize>() > 30_000, "{refused:?}");
}

/// The targets that are proved, and the words for their roots, are those that the ruling tells.
#[test]
fn targets_are_those_of_the_ruling() {
    let most = number("QILI_CYCLES").max(150);
    let mut asked = cases();
    asked.extend(seldom());
    for (name, cycles) in cycles() {
        let none = Assertions::default();
        asked.extend(
            cycles
                .iter()
                .take(most)
                .map(|(start, line)| ((*name).to_owned(), start.clone(), line.clone(), none)),
        );
    }
    let (mut wrong, mut said) = (Vec::new(), BTreeMap::new());
    for id in BOOKS {
        let loaded = book(id);
        for asked in &asked {
            let judged = judged(&loaded, asked);
            let Ok(certificate) = certify(&loaded, &judged, asked.3, None) else {
                continue;
            };
            for (m, proved) in judged.moves.iter().zip(&certificate.claims.targets) {
                let chases = m.finding.nature == Some(Nature::Chase);
                let told = if chases {
                    Told::new(m, &loaded.book).targets
                } else {
                    Vec::new()
                };
                let root = |square: Square| {
                    let target = told.iter().find(|target| target.square == square);
                    target.map(|target| target.root)
                };
                let agrees = |target: &Target| match target.root {
                    None => root(target.square).is_some(),
                    claimed => root(target.square) == claimed,
                };
                let is_proved = |reason: &Reason| {
                    let capture = match reason {
                        Reason::Chase(threat, _) | Reason::PawnUpgrade(threat, _) => threat.capture,
                        Reason::Attack(attack) => attack.capture,
                        _ => return true,
                    };
                    proved.iter().any(|target| target.square == capture.to)
                };
                if !proved.iter().all(agrees)
                    || (chases && !m.finding.reasons.iter().all(is_proved))
                {
                    wrong.push(format!(
                        "{id} {} {} {}: {proved:?}, {:?}",
                        asked.0,
                        fen::write(&asked.1),
                        m.scene.mv,
                        told.iter().map(|t| (t.square, t.root)).collect::<Vec<_>>()
                    ));
                }
                for target in proved {
                    *said.entry((id, target.root.map(Root::id))).or_insert(0) += 1;
                }
            }
        }
    }
    println!("{said:?}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(said.values().sum::<usize>() > 500, "{said:?}");
}

/// Whatever is done to the numbers of a proof, it proves what was ruled or nothing.
#[test]
fn no_mutant_proves_anything_else() {
    let most = number("QILI_MUTANTS").max(6_000);
    let mut random = Random::new(17);
    let mut certificates = Vec::new();
    for id in BOOKS {
        let loaded = book(id);
        for asked in cases() {
            if let Ok(Some(good)) = certified(&loaded, &asked)
                && !good.proof.is_empty()
            {
                certificates.push((Arc::clone(&loaded), good, asked.0));
            }
        }
    }
    let (mut refused, mut equal, mut wrong) = (0, 0, Vec::new());
    for turn in 0..most {
        let (loaded, good, id) = &certificates[turn % certificates.len()];
        let mut numbers = good.numbers().unwrap();
        for _ in 0..=random.below(2) {
            let at = random.below(numbers.len());
            match random.below(7) {
                0 => numbers[at] = 0,
                1 => numbers[at] += 1,
                2 => numbers[at] = numbers[at].saturating_sub(1),
                3 => numbers[at] = u32::try_from(random.below(40)).unwrap(),
                4 => drop(numbers.remove(at)),
                5 => numbers.insert(at, u32::try_from(random.below(3)).unwrap()),
                _ => {
                    let other = random.below(numbers.len());
                    numbers.swap(at, other);
                }
            }
            if numbers.is_empty() {
                break;
            }
        }
        let bad = good.with_numbers(&numbers);
        if bad == *good {
            continue;
        }
        match proof::proved(loaded, &bad) {
            Err(_) => refused += 1,
            Ok((claims, _)) if claims == good.claims => equal += 1,
            Ok((claims, _)) => wrong.push(format!("{} {id}: {claims:?}", loaded.book.id)),
        }
    }
    println!("{refused} refused, {equal} equally good");
    assert!(
        wrong.is_empty(),
        "{} of {most}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        refused > most / 3,
        "{refused} refused, {equal} equally good"
    );
}

/// Ten faults of a judge: what it takes for proved is no proof under the book.
#[test]
fn a_judge_with_a_fault_is_found_out() {
    type Fault = fn(&mut Definitions);
    let faults: [(&str, &str, Fault); 10] = [
        ("kills are no attacks", "cxa-1999", |d| {
            d.kill_is_attack = false;
        }),
        ("no gains by checks", "cxa-1999", |d| d.check_gain_depth = 0),
        ("no roots through checks", "cxa-2020", |d| {
            d.check_root_depth = 0;
        }),
        ("nobody is mated for taking", "cxa-2020", |d| {
            d.mate_after_capture_depth = 0;
        }),
        ("what stood is compared by relation", "cxa-2020", |d| {
            d.before_basis = BeforeBasis::Relation;
        }),
        ("even trades are nothing", "cxa-1999", |d| {
            d.even_trade_with_survival = false;
        }),
        ("roots lose what they guarded", "cxa-1999", |d| {
            d.root_ignore_loss = false;
        }),
        ("nothing is lost elsewhere", "cxa-2020", |d| {
            d.let_go_check_depth = 0;
        }),
        ("kings answer checks with attacks", "cxa-2020", |d| {
            d.king_evasion_idle = false;
        }),
        ("pawns take in checks as they like", "cxa-2020", |d| {
            d.pawn_in_checks = PawnCapture::LeaningOnOthers;
            d.pawn_for_rook = false;
            d.fallen_pawn_ignored = false;
        }),
    ];
    for (name, id, fault) in faults {
        let honest = book(id);
        let mut mistaken = LoadedBook::clone(&honest);
        fault(&mut mistaken.book.definitions);
        let (mut told, mut caught) = (0, 0);
        for asked in cases() {
            // It says that it judged by the book.
            let Ok(claimed) = certify(&mistaken, &judged(&mistaken, &asked), asked.3, None) else {
                continue;
            };
            let right = certify(&honest, &judged(&honest, &asked), asked.3, None);
            let differs = right.is_ok_and(|right| right.claims != claimed.claims);
            let refused = proof::verify(&honest, &claimed).is_err();
            told += usize::from(differs);
            caught += usize::from(differs && refused);
        }
        println!("{name}: {told} rulings are wrong, {caught} refused");
        assert!(told > 0, "no case tells `{name}` from the book");
        assert_eq!(caught, told, "{name}");
    }
}
