//! Work is counted in positions, never in time: the same question gets the same answer anywhere.

/// How many positions a search may still expand.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    limit: u32,
    spent: u32,
}

impl Budget {
    /// A budget of `limit` positions.
    pub const fn new(limit: u32) -> Self {
        Self { limit, spent: 0 }
    }

    /// Takes one position; whether there was one left.
    #[inline]
    pub const fn take(&mut self) -> bool {
        self.spent = self.spent.saturating_add(1);
        self.spent <= self.limit
    }

    /// Takes as many positions as another search expanded on this one's behalf.
    pub const fn add(&mut self, spent: u32) {
        self.spent = self.spent.saturating_add(spent);
    }

    /// Whether more has been asked for than there was.
    pub const fn is_spent(&self) -> bool {
        self.spent > self.limit
    }

    /// Positions expanded so far.
    pub const fn spent(&self) -> u32 {
        if self.spent < self.limit {
            self.spent
        } else {
            self.limit
        }
    }

    /// Positions there were to begin with.
    pub const fn limit(&self) -> u32 {
        self.limit
    }
}
