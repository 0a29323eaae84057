//! Identifiers of objects in the recording.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of an object in the recording, given to it when it is first recorded.
#[derive(Default)]
pub(crate) struct RecordId(AtomicU64);

impl RecordId {
    /// The number, from 1 on. `count` is the number of objects of that kind recorded so far.
    pub fn number(&self, count: &AtomicU64) -> u64 {
        self.number_or_new(count).0
    }

    /// The number, and whether it has just been given.
    pub fn number_or_new(&self, count: &AtomicU64) -> (u64, bool) {
        let known = self.0.load(Ordering::Relaxed);
        if known != 0 {
            return (known, false);
        }
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        match self
            .0
            .compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed)
        {
            Ok(_) => (number, true),
            Err(known) => (known, false),
        }
    }
}
