//! Tables of what was found out about positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table by position: a few thousand entries that live as long as one question or one certificate, so that a hash
/// which withstands nobody is quick enough. Keys are compared whole; the hash only says where to look.
pub(crate) type Table<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

/// Multiplies and turns what it is given, eight bytes at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixed(u64);

impl Mixed {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

    const fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(Self::ODD);
    }
}

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.mix(u64::from_le_bytes(word));
        }
        for &byte in rest {
            self.mix(u64::from(byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number.cast_unsigned() as u64);
    }

    /// Tables take their place from the low bits and a mark from the high ones.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::Hash;

    #[test]
    fn keys_that_differ_in_a_bit_are_spread_over_a_table() {
        let places = |shift: u32| -> HashSet<u64> {
            let of = |n: u64| {
                let mut hasher = Mixed::default();
                ([n << shift, 7, 0, 0], 3_u32).hash(&mut hasher);
                hasher.finish() % 4096
            };
            (0..4096).map(of).collect()
        };
        // Thrown at random they would meet 2,589 places.
        for shift in [0, 8, 24, 40, 52] {
            let met = places(shift).len();
            assert!(met > 2_300, "{met} of 4096 places by bits from {shift}");
        }
    }
}
