//! scratch
use qili::board::*;
use qili::classify::*;
use qili::definitions::*;
use qili::game::PendingUnit;
use qili::notation::fen;
fn defs(b: &str) -> Definitions {
    let n = b == "cxa-1999";
    Definitions {
        conduct_is_judged: true,
        pending_unit: PendingUnit::Rounds,
        pending_count: 3,
        extra_cycles_after_warning: 1,
        kill_is_attack: true,
        mixed_attacks_forbidden: true,
        perpetual_chase_same_victim: false,
        chase_test: ChaseTest::Exchange,
        check_gain_depth: 3,
        check_root_depth: 5,
        mate_after_capture_depth: 3,
        acceptance_mate_depth: 4,
        acceptance_loss_depth: 2,
        exchange_kinds: if n {
            ExchangeKinds::EqualValue
        } else {
            ExchangeKinds::Same
        },
        before_basis: if n {
            BeforeBasis::Relation
        } else {
            BeforeBasis::Result
        },
        even_trade_with_survival: true,
        root_ignore_loss: n,
        pawn_for_rook: !n,
        pawn_upgrade: n,
        pawn_in_checks: if n {
            PawnCapture::LeaningOnOthers
        } else {
            PawnCapture::UncoveringCheck
        },
        king_evasion_idle: true,
        king_joint_exempt: false,
        fortress_exemption: if n {
            Fortress::Holding
        } else {
            Fortress::SingleAttacker
        },
        both_forbidden: if n {
            BothForbidden::Draw
        } else {
            BothForbidden::Strength
        },
        pinned_rook_by_horse_level: false,
        irregular_rounds: 0,
        irregular_squares: 0,
        first_capture_excluded_from_perpetual_check: false,
        offer_same_kind_unrooted: n,
        kill_budget: 20000,
        chase_budget: 200000,
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d = defs(&a[1]);
    let verbose = a.len() > 3;
    let v: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&a[2]).unwrap()).unwrap();
    let (mut ok, mut tot) = (0, 0);
    let mut times = vec![];
    for c in v.as_array().unwrap() {
        let id = c["id"].as_str().unwrap();
        if verbose && !id.contains(&a[3]) {
            continue;
        }
        let mut p = fen::parse(c["fen"].as_str().unwrap()).unwrap();
        let mv: Vec<Move> = c["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m.as_str().unwrap().parse().unwrap())
            .collect();
        let n = mv.len();
        let mut pos = vec![];
        for m in &mv {
            pos.push(p.clone());
            p.make(*m);
        }
        let t = std::time::Instant::now();
        let sc: Vec<Scene> = (0..n)
            .map(|i| {
                Scene::new(
                    &pos[i],
                    mv[i],
                    Some((pos[(i + n - 1) % n].clone(), mv[(i + n - 1) % n])),
                )
                .unwrap()
            })
            .collect();
        let st: Vec<Strikes> = sc
            .iter()
            .map(|s| {
                let t = std::time::Instant::now();
                let r = Strikes::find(&d, s, Assertions::default(), Depth::Notes);
                if verbose {
                    println!("  {} {}us", s.mv, t.elapsed().as_micros());
                }
                r
            })
            .collect();
        let ks: Vec<Option<Vec<Move>>> = st.iter().map(|s| s.kill().map(|k| k.to_vec())).collect();
        let fs: Vec<Finding> = st
            .into_iter()
            .enumerate()
            .map(|(i, s)| s.finish(&d, &sc[i], ks[(i + n - 1) % n].as_deref(), Depth::Notes))
            .collect();
        let us = t.elapsed().as_micros();
        times.push((us, id.to_string()));
        for i in 0..n {
            let w = c["labels"][i].as_str().unwrap();
            let f = &fs[i];
            let g = f.nature.map_or("open", |x| x.id());
            let good = w == g
                || (w == "idle" && f.nature.is_some_and(|x| !x.is_strike()))
                || f.also
                    .iter()
                    .any(|x| x.id() == w && f.nature.is_some_and(|x| !x.is_strike()));
            tot += 1;
            if good {
                ok += 1
            } else {
                println!(
                    "{id} ply {i} {} got {g} {:?} want {w} spent {}",
                    mv[i], f.also, f.spent
                );
            }
            if verbose {
                println!("{} {g} {:?} spent {}", mv[i], f.also, f.spent);
                for r in &f.reasons {
                    match r {
                        Reason::Vain(m, l) => {
                            println!("   vain {m} {:?} {:?} {:?}", l.balance, l.end, l.moves())
                        }
                        Reason::Chase(t, s) => println!(
                            "   chase {} {:?} {:?} {:?} {s:?}",
                            t.capture,
                            t.win,
                            t.line.balance,
                            t.line.moves()
                        ),
                        Reason::ByChecks(b, s) => println!(
                            "   bychecks {:?} {:?} {s:?}",
                            b.line.balance,
                            b.line.moves()
                        ),
                        Reason::Pardoned(t, p) => println!(
                            "   pardoned {} {p:?} {:?} {:?} {:?}",
                            t.capture,
                            t.win,
                            t.line.balance,
                            t.line.moves()
                        ),
                        o => println!("   {o:?}"),
                    }
                }
            }
        }
    }
    times.sort();
    println!(
        "{ok}/{tot}; median {:?} max {:?}",
        times[times.len() / 2],
        &times[times.len().saturating_sub(6)..]
    );
}
