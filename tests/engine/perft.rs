//! Leaf counts of move generation against published ones.

use qili::notation::fen;

/// Deeper counts are compared by `.ci/long` (`qili perft --table`).
const MOST_LEAVES: u64 = 4_000_000;

#[test]
fn leaf_counts_match_the_published_ones() {
    let table = include_str!("../fixtures/perft.tsv");
    let mut compared = 0;
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (id, text, counts) = (
            columns.next().unwrap(),
            columns.next().unwrap(),
            columns.next().unwrap(),
        );
        let mut position = fen::parse(text).unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count: u64 = count.parse().unwrap();
            if count > MOST_LEAVES {
                break;
            }
            for bulk in [true, false] {
                let found = position.perft(depth, bulk);
                if found != count {
                    wrong.push(format!("{id} depth {depth}: {found}, expected {count}"));
                }
            }
            compared += 1;
        }
        assert_eq!(
            fen::write(&position),
            text,
            "{id}: perft must leave the position as it was"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(compared, 48, "the table has lost rows");
}
