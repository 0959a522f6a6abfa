//! Places for what takes long to be taken in and given out: so many in all, so many for one caller.

use crate::http::edge::limits::Caller;
use crate::http::edge::problem::Busy;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Places, shared between callers.
#[derive(Clone, Debug)]
pub struct Places {
    most: usize,
    most_each: usize,
    taken: Arc<Mutex<HashMap<Caller, usize>>>,
}

/// A place; makes room for another when dropped.
#[derive(Debug)]
pub struct Place {
    places: Places,
    caller: Caller,
}

impl Places {
    /// So many in all, so many for one caller: a quarter of all where that is not said.
    pub fn new(most: usize, most_each: Option<usize>) -> Self {
        Self {
            most,
            most_each: most_each.unwrap_or(most / 4).max(1),
            taken: Arc::default(),
        }
    }

    /// Takes a place.
    pub fn take(&self, caller: &Caller) -> Result<Place, Busy> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.get(caller).copied().unwrap_or(0);
        if own >= self.most_each || taken.values().sum::<usize>() >= self.most {
            return Err(Busy::Batches);
        }
        taken.insert(caller.clone(), own + 1);
        Ok(Place {
            places: self.clone(),
            caller: caller.clone(),
        })
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.values().sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self
            .places
            .taken
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.caller) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_every_place() {
        let places = Places::new(8, None);
        let [one, other, third, fourth] =
            ["a", "b", "c", "d"].map(|name| Caller::Key(name.to_owned()));
        let first: Vec<_> = (0..2).map(|_| places.take(&one).unwrap()).collect();
        assert_eq!(places.take(&one).unwrap_err(), Busy::Batches);
        let mut held = Vec::new();
        for caller in [&other, &third, &fourth] {
            held.extend((0..2).map(|_| places.take(caller).unwrap()));
        }
        assert_eq!(places.taken(), 8);
        let late = Caller::Peer(None);
        assert_eq!(places.take(&late).unwrap_err(), Busy::Batches);
        drop(first);
        assert!(places.take(&late).is_ok());
        drop(held);
        assert_eq!(places.taken(), 0);
    }
}
