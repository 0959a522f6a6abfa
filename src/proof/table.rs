//! Tables of what was shown already, by position: they live as long as one certificate is read.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Keys are compared whole; the hash only says where to look.
pub(super) type Table<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

/// A table with room for as much as most certificates need.
pub(super) fn room<K, V>() -> Table<K, V> {
    Table::with_capacity_and_hasher(56, BuildHasherDefault::default())
}

/// Multiplies and turns what it is given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
