//! Writes what fuzzing starts from into a folder: what the cases, the fixtures and the writers of the crate make.
//! No game anybody played is among it.

use qili::board::{Role, Side, Square};
use qili::cases::{Case, Corpus};
use qili::notation::{fen, read_line};
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "../../../tests/engine/record_every.rs"]
mod record_every;
#[path = "../../../tests/engine/record_made.rs"]
#[allow(dead_code)]
mod record_made;

struct Seeds {
    folder: PathBuf,
    written: usize,
}

impl Seeds {
    fn put(&mut self, target: &str, bytes: &[u8]) {
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder).expect("the folder can be made");
        self.written += 1;
        let file = folder.join(format!("seed-{:04}", self.written));
        fs::write(file, bytes).expect("the seed can be written");
    }

    /// The files of a folder.
    fn put_all(&mut self, target: &str, folder: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(folder);
        let entries = fs::read_dir(folder).expect("the fixtures are there");
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.is_file()) {
            self.put(target, &fs::read(path).expect("the fixture can be read"));
        }
    }
}

/// A case as `qili_fuzz::rulings` has it.
fn encoded(case: &Case, book: u8) -> Option<Vec<u8>> {
    let start = fen::parse(&case.fen).ok()?;
    let line = read_line(&start, &case.moves).ok()?;
    let number = |square: Square| square.rank() * 9 + square.file();
    let setup = start.setup();
    let count = u8::try_from(setup.pieces().count()).ok()?;
    let mut bytes = vec![book, u8::from(start.turn() == Side::Black), count];
    for (square, piece) in setup.pieces() {
        let role = Role::ALL.iter().position(|&role| role == piece.role)?;
        let what = u8::try_from(role).ok()? << 1 | u8::from(piece.side == Side::Black);
        bytes.extend([what, number(square)]);
    }
    if let [a, b, c, d] = line[..]
        && (c, d) == (a.reversed(), b.reversed())
    {
        bytes[1] |= 2;
        bytes.extend(
            [a, b]
                .iter()
                .flat_map(|mv| [number(mv.from), number(mv.to)]),
        );
    } else {
        bytes.extend(line.iter().flat_map(|mv| [number(mv.from), number(mv.to)]));
    }
    Some(bytes)
}

fn main() {
    let folder = env::args_os().nth(1).expect("the folder to write into");
    let mut seeds = Seeds {
        folder: folder.into(),
        written: 0,
    };
    for file in record_every::files() {
        seeds.put("records", &file);
    }
    seeds.put_all("records", "tests/fixtures/compare");
    seeds.put_all("moves", "tests/fixtures/notation");
    seeds.put_all("books", "tests/fixtures/rules/books");
    seeds.put_all("books", "tests/fixtures/rules/amendments");
    seeds.put_all("books", "src/rules/amendments");
    for (index, case) in (0_u8..=255).cycle().zip(Corpus::builtin().iter()) {
        seeds.put("fen", case.fen.as_bytes());
        let list = format!("{}\n{}", case.fen, case.moves.join(" "));
        seeds.put("moves", list.as_bytes());
        let request = case.request(["cxa-2020", "wxf", "cxa-1999"][usize::from(index % 3)]);
        let mut question = vec![index % 8];
        question.extend(serde_json::to_vec(&request).expect("a request is written"));
        seeds.put("requests", &question);
        if let Some(bytes) = encoded(case, index % 6) {
            seeds.put("rulings", &bytes);
        }
    }
    println!("{} seeds", seeds.written);
}
