//! `qili_fuzz::moves` under `libFuzzer`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| qili_fuzz::moves(bytes));
