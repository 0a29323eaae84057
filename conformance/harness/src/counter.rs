//! Counts calls by function.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of calls at one place in the source.
pub struct Counter {
    name: &'static str,
    count: AtomicU64,
    listed: AtomicBool,
}

static COUNTERS: Mutex<Vec<&'static Counter>> = Mutex::new(Vec::new());

impl Counter {
    /// A counter of calls of the function `name`.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            count: AtomicU64::new(0),
            listed: AtomicBool::new(false),
        }
    }

    /// The function's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Counts one call.
    pub fn count(&'static self) {
        self.count.fetch_add(1, Ordering::Relaxed);
        if !self.listed.swap(true, Ordering::Relaxed) {
            COUNTERS.lock().push(self);
        }
    }
}

/// The numbers of calls of this process, by function.
pub fn counts() -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for counter in COUNTERS.lock().iter() {
        *counts.entry(counter.name).or_default() += counter.count.load(Ordering::Relaxed);
    }
    counts
}

/// The number of calls of this process.
pub fn total() -> u64 {
    counts().values().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_function() {
        static FIRST: Counter = Counter::new("clSomething");
        static SECOND: Counter = Counter::new("clSomething");
        FIRST.count();
        FIRST.count();
        SECOND.count();
        assert_eq!(counts()["clSomething"], 3);
        assert!(total() >= 3);
    }
}
