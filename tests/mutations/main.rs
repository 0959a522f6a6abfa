//! Files mutated at random: no reader panics, goes on for ever, or takes more memory than the file
//! warrants. A program of its own, because it counts what is allocated.

#![expect(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "test code: a helper that fails fails the test"
)]

#[path = "../engine/record_every.rs"]
mod record_every;
#[path = "../engine/record_made.rs"]
mod record_made;

use peak_alloc::PeakAlloc;
use qili::record::{Form, Reader, Variation};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What a reader may take besides four times the file: buffers, and what one game of few bytes may
/// unfold to.
const BESIDES: usize = 1 << 18;

/// Numbers that follow each other as if by chance.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

/// Mutates a file: bytes changed, cut out, doubled, or put in from another.
fn mutated(file: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=chance.next(6) {
        let at = chance.next(bytes.len());
        match chance.next(7) {
            0 => bytes[at] = chance.next(256) as u8,
            1 => bytes[at] ^= 1 << chance.next(8),
            2 => bytes.truncate(at.max(1)),
            3 => {
                let end = (at + chance.next(64)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let end = (at + chance.next(256)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            5 => {
                let from = chance.next(other.len());
                let end = (from + chance.next(64)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
            _ => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill([0, 0xFF, 0x7F, 0x80][chance.next(4)]);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'X');
        }
    }
    bytes
}

/// The files of a folder, those in folders within too.
fn found(folder: &Path, files: &mut Vec<Vec<u8>>) {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found(&path, files);
        } else {
            files.push(fs::read(path).unwrap());
        }
    }
}

/// `QILI_MUTATIONS` sets how many are tried, `QILI_RECORDS` names a folder with files of one's own.
#[test]
fn mutated_files_do_no_harm() {
    let count = std::env::var("QILI_MUTATIONS").map_or(6_000, |count| count.parse().unwrap());
    let mut files = record_every::files();
    if let Some(folder) = std::env::var_os("QILI_RECORDS") {
        found(Path::new(&folder), &mut files);
    }
    let mut chance = Chance(1);
    let (mut games, mut faults, mut longest, mut most) = (0, 0, Duration::ZERO, 0);
    // What is made once, for every text of GB18030, counts for none of them.
    let chinese = b"1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5";
    assert_eq!(Reader::new(&chinese[..]).flatten().count(), 1);
    for i in 0..count {
        let file = &files[i % files.len()];
        let other = &files[chance.next(files.len())];
        let bytes = mutated(file, other, &mut chance);
        let (began, before) = (Instant::now(), ALLOCATED.current_usage());
        ALLOCATED.reset_peak_usage();
        for (index, found) in (0..).zip(Reader::new(&*bytes)) {
            assert!(index <= bytes.len(), "more games than bytes");
            match found {
                Err(fault) => {
                    faults += 1;
                    assert!(!fault.to_string().is_empty() && !fault.zh().is_empty());
                }
                Ok(_) => games += 1,
            }
        }
        longest = longest.max(began.elapsed());
        let taken = ALLOCATED.peak_usage() - before;
        // What is packed may be long unpacked; there the reader's own bound holds.
        let packed = Form::of(&bytes) == Ok(Form::OldBridge);
        let bound = if packed {
            4 << 22
        } else {
            4 * bytes.len() + BESIDES
        };
        assert!(
            taken <= bound,
            "mutation {i}: {taken} bytes for a file of {}",
            bytes.len()
        );
        if !packed {
            most = most.max(taken.saturating_sub(4 * bytes.len()));
        }
        if i % 8 == 0 {
            holds(&bytes);
        }
    }
    println!(
        "{count} files mutated, {games} games, {faults} faults, the longest {longest:?}, at most {most} bytes beyond 4 times the file"
    );
    assert!(
        games > count / 8 && faults > count / 50,
        "{games} games, {faults} faults"
    );
}

/// Every game that is read can be played, and written and read again.
fn holds(bytes: &[u8]) {
    for game in Reader::new(bytes).flatten() {
        let mut position = game.start.clone();
        for &mv in &game.moves {
            assert!(position.is_legal(mv));
            position.make(mv);
        }
        let again = Reader::new(&*game.to_xqf()).next().unwrap().unwrap();
        assert_eq!(again.moves, game.moves);
        // A variation stands beside a move: one that leaves a line behind its end, where that broke off, has no place.
        let has_place = |variation: &Variation| {
            let left = variation.of.map(|of| &game.variations[of].moves);
            variation.at < left.unwrap_or(&game.moves).len()
        };
        if game.variations.iter().all(has_place) {
            assert_eq!(again.variations.len(), game.variations.len());
        }
    }
}
