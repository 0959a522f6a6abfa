//! The judge as a WebAssembly module without imports.
//!
//! The host writes a question into the memory that [`qili_question`] gives it, names the operation by its
//! number in [`qili_answer`], and reads the answer where [`qili_told`] says it stands: JSON, or SVG of a board.
//! The memory is Rust's own all the while, a vector that is only grown and read here; so the names by which
//! the host finds these functions are all that is unsafe about it, and no generator of glue is needed.

#![expect(
    unsafe_code,
    reason = "the names by which the host finds what it calls"
)]

use qili::calls::{LONGEST_QUESTION, Operation, answer, fault};
use std::sync::{Mutex, PoisonError};

/// What is asked, and what was answered. One thread at a time asks a module.
static DESK: Mutex<Desk> = Mutex::new(Desk {
    question: Vec::new(),
    told: String::new(),
});

struct Desk {
    question: Vec<u8>,
    told: String,
}

fn at_desk<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    work(&mut DESK.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Where so many bytes of a question are to be written; null where that is too many.
#[unsafe(no_mangle)]
pub extern "C" fn qili_question(length: usize) -> *mut u8 {
    if length > LONGEST_QUESTION {
        return std::ptr::null_mut();
    }
    at_desk(|desk| {
        desk.question.clear();
        desk.question.resize(length, 0);
        desk.question.as_mut_ptr()
    })
}

/// Answers the question that was written: 0 where it could be answered, 1 where what is told is its
/// error, 2 where there is no such operation.
#[unsafe(no_mangle)]
pub extern "C" fn qili_answer(operation: usize) -> u32 {
    at_desk(|desk| {
        let question = std::mem::take(&mut desk.question);
        let Some(&operation) = Operation::ALL.get(operation) else {
            desk.told = String::new();
            return 2;
        };
        match answer(operation, &question) {
            Ok(told) => {
                desk.told = told;
                0
            }
            Err(bad) => {
                desk.told = fault(&bad);
                1
            }
        }
    })
}

/// Takes what was written as the table of GB18030, two bytes a character, the lower first: 0 where it is one.
///
/// Every host has that table; files in GB18030 can be read once it was given.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[unsafe(no_mangle)]
pub extern "C" fn qili_characters() -> u32 {
    at_desk(|desk| {
        let question = std::mem::take(&mut desk.question);
        let units = question.as_chunks::<2>().0.iter();
        let units = units.map(|&unit| u16::from_le_bytes(unit)).collect();
        u32::from(!qili::record::gb18030::characters(units))
    })
}

/// The names of the operations in the order of their numbers, separated by spaces, as an answer.
#[unsafe(no_mangle)]
pub extern "C" fn qili_operations() {
    at_desk(|desk| {
        let names: Vec<&str> = Operation::ALL.iter().map(|one| one.id()).collect();
        desk.told = names.join(" ");
    });
}

/// Where the answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn qili_told() -> *const u8 {
    at_desk(|desk| desk.told.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn qili_told_length() -> usize {
    at_desk(|desk| desk.told.len())
}
