//! What an amendment changes among the published cases:
//! `cargo run --no-default-features --example amend_a_book`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use qili::cases::{Corpus, ruling_on};
use qili::rules::{Amendment, Catalog, EXAMPLES};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let base = Catalog::builtin().get("cxa-1999")?;
    // Those that come with the program; yours is a file like these.
    for &(file, text) in EXAMPLES {
        let Ok(amendment) = Amendment::read(file, text) else {
            continue;
        };
        let Ok(amended) = base.amended(&amendment) else {
            continue;
        };
        println!("{} {}", amended.book.id, amended.book.title.zh);
        let cases = Corpus::builtin().iter();
        for case in cases.filter(|case| case.expect.contains_key(&base.book.id)) {
            let before = ruling_on(case, &base)?.verdict;
            let after = ruling_on(case, &amended)?.verdict;
            if (before.outcome, before.side) != (after.outcome, after.side) {
                let (from, to) = (before.outcome.zh(), after.outcome.zh());
                println!("  {}: {from} → {to}", case.id);
            }
        }
    }
    Ok(())
}
