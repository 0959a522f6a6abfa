//! `qili_fuzz::fen` under `libFuzzer`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| qili_fuzz::fen(bytes));
