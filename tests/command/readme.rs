//! The two READMEs are kept equal, and begin with the two commands the gate runs.

/// What must not differ between two languages.
#[derive(Debug, PartialEq, Eq, Default)]
struct Shape {
    /// The level of each heading, in order.
    headings: Vec<usize>,
    /// Each block of commands or data, to the letter.
    blocks: Vec<String>,
    /// The width of each row of a table, and the numbers and names of commands in it.
    rows: Vec<(usize, Vec<String>)>,
    /// Every file linked to, but the other README.
    links: Vec<String>,
    /// Every piece of code in the text, in the order of the alphabet.
    code: Vec<String>,
}

/// The longest runs of digits in a text, commas between them left out.
fn numbers(text: &str) -> Vec<String> {
    let text = text.replace(',', "");
    let runs = text.split(|c: char| !c.is_ascii_digit());
    let runs = runs.filter(|run| !run.is_empty());
    runs.map(str::to_owned).collect()
}

fn code(text: &str) -> Vec<String> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.map(str::to_owned).collect()
}

fn shape(text: &str) -> Shape {
    let mut shape = Shape::default();
    let mut block: Option<String> = None;
    let mut prose = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            match block.take() {
                Some(done) => shape.blocks.push(done),
                None => block = Some(format!("{line}\n")),
            }
        } else if let Some(block) = &mut block {
            block.push_str(line);
            block.push('\n');
        } else if line.starts_with('#') {
            shape
                .headings
                .push(line.chars().take_while(|c| *c == '#').count());
        } else if line.starts_with('|') {
            let unescaped = line.replace("\\|", "/");
            let columns = unescaped.matches('|').count() - 1;
            let mut facts = numbers(&unescaped);
            facts.extend(code(&unescaped));
            shape.rows.push((columns, facts));
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    assert!(block.is_none(), "a block is left open");
    let links = prose.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split(')').next());
    shape.links = links
        .filter(|link| !link.starts_with("README"))
        .map(str::to_owned)
        .collect();
    shape.code = code(&prose);
    shape.code.sort();
    shape
}

const ENGLISH: &str = include_str!("../../README.md");
const CHINESE: &str = include_str!("../../README.zh-CN.md");

#[test]
fn both_languages_say_the_same() {
    let (english, chinese) = (shape(ENGLISH), shape(CHINESE));
    assert!(english.headings.len() > 5 && english.blocks.len() > 3);
    assert_eq!(english.headings, chinese.headings);
    assert_eq!(english.blocks, chinese.blocks);
    assert_eq!(english.rows, chinese.rows);
    assert_eq!(english.links, chinese.links);
    assert_eq!(english.code, chinese.code);
}

#[test]
fn the_first_block_is_the_main_job_and_the_tests() {
    let shape = shape(ENGLISH);
    let lines: Vec<&str> = shape.blocks[0].lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[0], "```sh");
    assert!(lines[1].starts_with("cargo run --release -- "), "{lines:?}");
    assert!(lines[2].starts_with("cargo test"), "{lines:?}");
}

#[test]
fn every_linked_file_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for link in shape(ENGLISH).links {
        assert!(root.join(&link).exists(), "{link}");
    }
}
