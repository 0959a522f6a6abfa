//! Which position stood before: constant time a position, no false match when keys collide.

#![expect(
    clippy::indexing_slicing,
    reason = "a slot's place is masked to the table, and the table's length is a power of two"
)]

const SMALLEST: usize = 256;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    ply: usize,
    /// 0 is never a table's, so that a fresh slot is free.
    generation: u32,
}

/// An open-addressing table from positions, known by key and an equality asked of the caller, to
/// the last ply they stood at. Emptied in constant time.
#[derive(Clone, Debug)]
pub(super) struct KeyTable {
    slots: Vec<Slot>,
    generation: u32,
    used: usize,
}

impl KeyTable {
    pub(super) fn new() -> Self {
        Self {
            slots: vec![Slot::default(); SMALLEST],
            generation: 1,
            used: 0,
        }
    }

    /// Forgets every position.
    pub(super) fn clear(&mut self) {
        self.used = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    /// Notes that the position with this key stands at `ply`, and tells where it stood last.
    /// `same` says whether what stood at an earlier ply, and has the same key, is the position.
    pub(super) fn note(
        &mut self,
        key: u64,
        ply: usize,
        mut same: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let mut place = self.home(key);
        loop {
            let slot = &mut self.slots[place];
            if slot.generation != self.generation {
                *slot = Slot {
                    key,
                    ply,
                    generation: self.generation,
                };
                self.used += 1;
                if self.used * 2 > self.slots.len() {
                    self.grow();
                }
                return None;
            }
            if slot.key == key && same(slot.ply) {
                return Some(std::mem::replace(&mut slot.ply, ply));
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "only the low bits are wanted"
    )]
    fn home(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        for slot in old
            .into_iter()
            .filter(|slot| slot.generation == self.generation)
        {
            let mut place = self.home(slot.key);
            while self.slots[place].generation == self.generation {
                place = (place + 1) & (self.slots.len() - 1);
            }
            self.slots[place] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_found_where_it_stood_last() {
        let mut table = KeyTable::new();
        assert_eq!(table.note(7, 0, |_| true), None);
        assert_eq!(table.note(7, 4, |_| true), Some(0));
        assert_eq!(table.note(7, 8, |_| true), Some(4));
        table.clear();
        assert_eq!(table.note(7, 9, |_| true), None);
    }

    #[test]
    fn equal_keys_are_told_apart() {
        let stood = ["one", "other", "one", "other", "third"];
        let mut table = KeyTable::new();
        let found: Vec<_> = (0..5)
            .map(|ply| table.note(42, ply, |at| stood[at] == stood[ply]))
            .collect();
        assert_eq!(found, [None, None, Some(0), Some(1), None]);
    }

    #[test]
    fn growth_loses_nothing() {
        let mut table = KeyTable::new();
        // Multiples of a large power of two all want the same slot.
        let key = |i: usize| (i as u64) << 40 | (i as u64 % 3);
        for i in 0..3000 {
            assert_eq!(table.note(key(i), i, |_| true), None);
        }
        for i in 0..3000 {
            assert_eq!(table.note(key(i), i + 3000, |_| true), Some(i));
        }
    }

    #[test]
    fn a_generation_that_wraps_leaves_nothing_behind() {
        let mut table = KeyTable::new();
        table.note(7, 0, |_| true);
        table.generation = u32::MAX;
        table.note(8, 1, |_| true);
        table.clear();
        assert_eq!(table.note(7, 2, |_| true), None);
        assert_eq!(table.note(8, 3, |_| true), None);
    }
}
