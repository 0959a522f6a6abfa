//! Made cycles, each of which tells the engine from one in which a single condition has been altered, where no
//! published figure does (`tests/mutants.md`). Both judges agree on every one of them.

use crate::differential::both;
use crate::essence::written;
use qili::Arbiter;
use qili::board::Side;
use qili::classify::{Depth, Nature};
use qili::game::Cycle;
use qili::rules::Catalog;
use qili::ruling::Options;

#[test]
fn what_an_altered_engine_would_rule_otherwise_is_ruled_so() {
    let text = include_str!("../fixtures/told-apart.tsv");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for row in rows {
        let columns: Vec<&str> = row.split('\t').collect();
        let [book, position, moves, natures, outcome, side] = columns.try_into().unwrap();
        let (start, line) = written(position, moves);
        let loaded = Catalog::builtin().get(book).unwrap();
        let options = Options {
            depth: Depth::Verdict,
            ..Options::default()
        };
        let cycle = Cycle::from_period(&start, &line).unwrap();
        let ruling = Arbiter::new(&loaded.book).with(options).cycle(cycle);
        let judged_moves = ruling.judged.iter().flat_map(|judged| &judged.moves);
        let found: Vec<&str> = judged_moves
            .map(|m| m.finding.nature.map_or("-", Nature::id))
            .collect();
        let found = (
            found.join(" "),
            ruling.verdict.outcome.id(),
            ruling.verdict.side.map_or("-", Side::id),
        );
        if found != (natures.to_owned(), outcome, side) {
            wrong.push(format!("{row}: {found:?}"));
        }
        // The other judge, and with all that is told.
        let both = both(book, &start, &line);
        if both.open || both.plain != both.engine || !both.same_natures {
            wrong.push(format!("{row}: {}", both.told));
        }
        judged += 1;
    }
    assert!(judged >= 40, "{judged}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
