//! scratch
use qili::board::*;
use qili::classify::*;
use qili::game::Cycle;
use qili::notation::fen;
use qili::ruling::*;
use std::io::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = a
        .iter()
        .skip_while(|x| *x != "--rules")
        .nth(1)
        .unwrap()
        .clone();
    let mut v: toml::Table = toml::from_str(
        &std::fs::read_to_string(format!("/work/wt-books/src/rules/books/{rules}.toml")).unwrap(),
    )
    .unwrap();
    v.remove("unwritten");
    let book: qili::rules::RuleBook = v
        .try_into()
        .map_err(|e: toml::de::Error| e.message().to_string())
        .unwrap();
    let mut times = vec![];
    for l in std::io::stdin().lock().lines() {
        let l = l.unwrap();
        let v: serde_json::Value = serde_json::from_str(&l).unwrap();
        let p = fen::parse(v["fen"].as_str().unwrap()).unwrap();
        let mv: Vec<Move> = v["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m.as_str().unwrap().parse().unwrap())
            .collect();
        let assertions = Assertions {
            theoretical_draw: v["assertions"]["theoretical_draw"]
                .as_bool()
                .unwrap_or(false),
            without_table: false,
        };
        let t = std::time::Instant::now();
        let depth = if std::env::var("NONE").is_ok() {
            Depth::Verdict
        } else {
            Depth::Notes
        };
        let r = Ruling::on_cycle(
            &book,
            Cycle::from_period(&p, &mv).unwrap(),
            Options { depth, assertions },
        );
        times.push((
            t.elapsed().as_nanos(),
            v["id"].as_str().unwrap().to_string(),
        ));
        let j = r.judged.as_ref().unwrap();
        println!(
            "{}",
            serde_json::json!({"id":v["id"],"moves":j.moves.iter().map(|m|serde_json::json!({"nature":m.finding.nature,"also":m.finding.also,"spent":m.finding.spent})).collect::<Vec<_>>(),"sides":j.conduct.as_ref().map(|c|serde_json::json!({"red":c.red.pattern,"black":c.black.pattern,"rs":c.red.strong,"bs":c.black.strong,"rl":c.red.level,"bl":c.black.level})),"verdict":{"outcome":r.verdict.outcome,"side":r.verdict.side}})
        );
    }
    times.sort();
    let n = times.len();
    eprintln!(
        "median {} ns p95 {} max {:?}",
        times[n / 2].0,
        times[n * 95 / 100].0,
        &times[n.saturating_sub(3)..]
    );
}
