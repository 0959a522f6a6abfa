//! The rule-book files: what is said of each fault, and what holds for the books built in.

#![expect(
    clippy::unwrap_used,
    reason = "test code: a file that cannot be read fails the test"
)]

use qili::rules::{
    Catalog, Certainty, EXAMPLES, Fault, FaultCode, Ground, LoadedBook, Outcome, RuleBook,
    Situation, UnknownBook, Version, read_book,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The files of a folder with their text, in the order of their names.
fn files(name: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder(name)).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                text,
            )
        })
        .collect();
    files.sort();
    files
}

/// What differs between the faults found and those that the first lines of the file announce, as
/// `# <code> <line>: <the first words>`.
fn unexpected(file: &str, text: &str, faults: &[Fault]) -> Vec<String> {
    let announced = text.lines().map_while(|line| line.strip_prefix("# "));
    let mut announced: Vec<_> = announced.collect();
    let mut wrong = Vec::new();
    for fault in faults {
        let line = fault.line.map_or("-".to_owned(), |line| line.to_string());
        wrong.extend(half_told(fault));
        let found = format!("{} {line}: {}", fault.code.id(), fault.message);
        match announced
            .iter()
            .position(|announced| found.starts_with(announced))
        {
            Some(at) => {
                announced.remove(at);
            }
            None => wrong.push(format!("{file}: not announced: {found}")),
        }
    }
    wrong.extend(
        announced
            .iter()
            .map(|missing| format!("{file}: not found: {missing}")),
    );
    wrong
}

/// A fault that is not told in Chinese, or in half. What is wrong with TOML itself only its reader knows.
pub fn half_told(fault: &Fault) -> Option<String> {
    let zh = &fault.message_zh;
    let words = [" is ", "expected", "which", "article `", " and ", "already"];
    let english = fault.code != FaultCode::Syntax && words.iter().any(|word| zh.contains(word));
    let chinese = zh.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    (english || !chinese).then(|| format!("{}: {zh}", fault.message))
}

#[test]
fn every_fault_of_a_book_is_told_with_its_line() {
    let mut wrong = Vec::new();
    for (file, text) in files("tests/fixtures/rules/books") {
        let faults = read_book(&file, &text).err().unwrap_or_default();
        wrong.extend(unexpected(&file, &text, &faults));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_book_file_is_built_in_under_its_name() {
    let catalog = Catalog::builtin();
    let files = files("src/rules/books");
    let mut books: Vec<_> = files
        .iter()
        .map(|(file, text)| read_book(file, text).unwrap())
        .collect();
    // In the order in which their ids are listed, new ones last: a new version stands where the old one stood.
    let place = |book: &RuleBook| {
        let listed = catalog.iter().position(|loaded| loaded.book.id == book.id);
        (listed.unwrap_or(usize::MAX), Version::parse(&book.version))
    };
    books.sort_by_key(place);
    let each: Vec<_> = books
        .iter()
        .map(|book| serde_json::to_string(book).unwrap())
        .collect();
    let written = format!("[\n{}\n]\n", each.join(",\n"));
    let path = folder("src/rules/books.json");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &written).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == written,
        "src/rules/books.json is not what the files beside it say: BLESS=1 writes it again"
    );
    assert_eq!(
        files.len(),
        catalog.iter().count(),
        "a file is not in the catalog"
    );
    for (file, text) in files {
        let book = read_book(&file, &text).unwrap();
        let newest = catalog.get(&book.id).unwrap().book.version == book.version;
        let expected = if newest {
            format!("{}.toml", book.id)
        } else {
            format!("{}@{}.toml", book.id, book.version)
        };
        assert_eq!(file, expected);
        let pinned = catalog
            .get(&format!("{}@{}", book.id, book.version))
            .unwrap();
        assert_eq!(pinned.book, book, "{file}");
    }
}

/// The association's books as they came, then the federation's and the plain rule: lists, the page and comparisons show them so.
#[test]
fn books_are_listed_in_their_order() {
    let ids: Vec<_> = Catalog::builtin()
        .iter()
        .map(|loaded| loaded.book.id.clone())
        .collect();
    assert_eq!(
        ids,
        [
            "cxa-1999",
            "cxa-2007",
            "cxa-2011",
            "cxa-2020",
            "wxf",
            "threefold"
        ]
    );
}

/// A ruling names the digest of its book, so a version that was given out never changes. Where verdicts may differ a new one takes
/// its place, and the old one stays listed.
#[test]
fn a_released_version_stays_as_it_is() {
    let path = folder("tests/fixtures/rules/released.tsv");
    let mut released = fs::read_to_string(&path).unwrap();
    let mut names = BTreeSet::new();
    for line in released.lines() {
        let (pinned, _) = line.split_once('\t').unwrap();
        let (id, _) = pinned.split_once('@').unwrap();
        assert!(names.insert(pinned.to_owned()), "{pinned} is listed twice");
        assert!(
            Catalog::builtin().get(id).is_ok(),
            "{pinned} was given out and is gone"
        );
    }
    for loaded in Catalog::builtin().iter() {
        let (pinned, digest) = (loaded.pinned(), &loaded.digest);
        let now = format!("{pinned}\t{digest}");
        if std::env::var_os("BLESS").is_some() && !names.contains(&pinned) {
            released = format!("{released}{now}\n");
            fs::write(&path, &released).unwrap();
        }
        let versions = released.lines().filter_map(|line| {
            let (pinned, _) = line.split_once('\t')?;
            let version = pinned.strip_prefix(&loaded.book.id)?.strip_prefix('@')?;
            Some((Version::parse(version), line))
        });
        let newest = versions.max().map(|(_, line)| line);
        assert_eq!(
            newest,
            Some(now.as_str()),
            "what was given out stays as it is: give the book another version, and BLESS=1 lists it"
        );
    }
}

#[test]
fn articles_say_of_themselves_what_the_tables_cite_them_for() {
    for loaded in Catalog::builtin().iter() {
        let book = &loaded.book;
        let mut cited = BTreeSet::new();
        for (situation, row) in &book.verdicts {
            for clause in row.clauses.iter().chain(&row.unasked) {
                cited.insert((clause.as_str(), format!("verdicts.{}", situation.id())));
            }
        }
        for (ground, clauses) in &book.grounds {
            for clause in clauses {
                cited.insert((clause, format!("grounds.{}", ground.id())));
            }
        }
        let limit = book.natural_limit.iter();
        for clause in limit.flat_map(|limit| &limit.clauses) {
            cited.insert((clause, "natural_limit".to_owned()));
        }
        let decided: BTreeSet<_> = book
            .articles
            .iter()
            .flat_map(|article| {
                article
                    .decides
                    .iter()
                    .map(|target| (&*article.id, target.clone()))
            })
            .filter(|(_, target)| !target.starts_with("definitions."))
            .collect();
        assert_eq!(cited, decided, "{}", book.id);
    }
}

/// The comment behind a parameter names the articles that decide it.
#[test]
fn the_comments_behind_parameters_name_their_articles() {
    for (file, text) in files("src/rules/books") {
        let book = read_book(&file, &text).unwrap();
        let lines = text
            .lines()
            .skip_while(|line| *line != "[definitions]")
            .skip(1);
        for line in lines.take_while(|line| !line.is_empty()) {
            let (key, rest) = line.split_once(" = ").unwrap();
            let comment = rest.split_once("# ").map_or("", |(_, comment)| comment);
            let target = format!("definitions.{key}");
            let decided: Vec<_> = book.deciding(&target).map(|a| a.id.as_str()).collect();
            if book.unwritten.iter().any(|unwritten| unwritten.key == key) {
                assert!(decided.is_empty(), "{file}: {key}: {decided:?}");
            } else {
                assert_eq!(comment, decided.join(", "), "{file}: {key}");
            }
        }
    }
}

#[test]
fn closed_sets_are_named_as_they_are_written() {
    fn check<T: serde::Serialize + Copy>(all: &[T], id: impl Fn(T) -> &'static str) {
        for value in all {
            assert_eq!(serde_json::to_value(value).unwrap(), id(*value));
        }
    }
    check(&Certainty::ALL, Certainty::id);
    check(&Ground::ALL, Ground::id);
    check(&Outcome::ALL, Outcome::id);
    check(&Situation::ALL, Situation::id);
}

fn book(id: &str) -> RuleBook {
    Catalog::builtin().get(id).unwrap().book.clone()
}

#[test]
fn the_newest_version_is_the_one_without_a_number() {
    let text = |version: &str| {
        let text = fs::read_to_string(folder("src/rules/books/threefold.toml")).unwrap();
        text.replace("version = \"1.0.0\"", &format!("version = \"{version}\""))
    };
    let (old, new, newest) = (text("1.2.0"), text("1.10.0"), text("1.9.0"));
    let mut catalog = Catalog::default();
    for text in [&old, &new, &newest] {
        catalog.add(LoadedBook::read("threefold.toml", text).unwrap());
    }
    assert_eq!(catalog.get("threefold").unwrap().book.version, "1.10.0");
    assert_eq!(
        catalog.get("threefold@1.2.0").unwrap().book.version,
        "1.2.0"
    );
    let unknown = catalog.get("threefold@1.3.0").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no version `1.3.0` of rule book `threefold`, there is `1.10.0`, `1.9.0`, `1.2.0`"
    );
    assert_eq!(unknown.code(), "unknown_rules_version");
}

#[test]
fn a_name_tries_a_few_parameters_and_no_more() {
    let get = |id: &str| {
        Catalog::builtin()
            .get(id)
            .map(|loaded| loaded.book.id.clone())
    };
    let twice = "cxa-2020@1.1.0+pawn_upgrade=true+chase_budget=700";
    let tried = Catalog::builtin().get(twice).unwrap();
    assert_eq!(tried.book.id, "cxa-2020+pawn_upgrade=true+chase_budget=700");
    assert!(tried.book.definitions.pawn_upgrade);
    assert_eq!(tried.book.definitions.chase_budget, 700);
    let many = |count: usize| format!("wxf{}", "+pawn_upgrade=false".repeat(count));
    assert_eq!(get(&many(20)), Ok(many(20)));
    for count in [21, 100_000] {
        let refused = get(&many(count)).unwrap_err();
        assert_eq!(refused.code(), "bad_setting");
        assert_eq!(
            refused.to_string(),
            "at most 20 parameters are tried at once"
        );
    }
    let refused = get("wxf+chase_budget=7").unwrap_err();
    assert_eq!(
        (refused.to_string(), refused.zh()),
        (
            "`chase_budget` cannot be `7`, expected a whole number from 100 to 10000000".to_owned(),
            "参数“chase_budget”不能为“7”，应为100至10000000的整数".to_owned()
        )
    );
    for unknown in ["a=b", "+a=b", "wxf+a", "wxf+a+pawn_upgrade=false"] {
        assert_eq!(
            get(unknown).unwrap_err().code(),
            "unknown_rules",
            "{unknown}"
        );
    }
}

#[test]
fn an_unknown_book_is_told_the_nearest() {
    let unknown = Catalog::builtin().get("cxa-202O").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no rule book `cxa-202O`, did you mean `cxa-2020`?"
    );
    let UnknownBook::Id { nearest, known, .. } = unknown else {
        unreachable!("the id is unknown")
    };
    assert_eq!(nearest.as_deref(), Some("cxa-2020"));
    assert!(known.contains(&"wxf".to_owned()));
    let unknown = Catalog::builtin()
        .get("fide@1.0.0")
        .unwrap_err()
        .to_string();
    assert!(
        unknown.starts_with("no rule book `fide`, expected one of `cxa-1999`"),
        "{unknown}"
    );
}

#[test]
fn every_built_in_book_survives_being_written_and_read() {
    for loaded in Catalog::builtin().iter() {
        let text = toml::to_string(&loaded.book).unwrap();
        assert_eq!(read_book("written.toml", &text).as_ref(), Ok(&loaded.book));
    }
    assert_ne!(book("cxa-1999"), book("cxa-2020"));
}

#[test]
fn there_is_a_fixture_for_every_kind_of_fault() {
    let books = files("tests/fixtures/rules/books");
    let amendments = files("tests/fixtures/rules/amendments");
    let announced: BTreeSet<String> = books
        .iter()
        .chain(&amendments)
        .flat_map(|(_, text)| text.lines().map_while(|line| line.strip_prefix("# ")))
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .collect();
    // A file that is long, or hopeless, is written where it is read.
    let by_size = [FaultCode::TooLong, FaultCode::TooMany];
    let codes: BTreeSet<_> = FaultCode::ALL
        .iter()
        .filter(|code| !by_size.contains(code))
        .map(|code| code.id().to_owned())
        .collect();
    assert_eq!(announced, codes);
}

#[test]
fn every_example_file_is_built_in() {
    let built_in: BTreeSet<_> = EXAMPLES
        .iter()
        .map(|(file, _)| (*file).to_owned())
        .collect();
    let files: BTreeSet<_> = files("src/rules/amendments")
        .into_iter()
        .map(|(file, _)| file)
        .collect();
    assert_eq!(built_in, files);
}

/// Whatever line is missing or doubled, there is an answer, and it points into the file.
#[test]
fn a_damaged_book_is_answered_with_lines_of_the_file() {
    for (file, text) in files("src/rules/books") {
        let lines: Vec<_> = text.lines().collect();
        for at in 0..lines.len() {
            let (before, after) = lines.split_at(at);
            // Every other line is left out, those between are doubled.
            let after = if at % 2 == 0 {
                after.get(1..).unwrap().to_vec()
            } else {
                [after.get(..1).unwrap(), after].concat()
            };
            let damaged = [before, &after].concat();
            let faults = read_book(&file, &damaged.join("\n")).err();
            for fault in faults.unwrap_or_default() {
                let line = fault.line.unwrap();
                assert!((1..=damaged.len()).contains(&line), "{fault}");
            }
        }
    }
}
