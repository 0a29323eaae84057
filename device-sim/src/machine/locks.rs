//! What hardware locks cost.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// What an atomic operation under a hardware lock costs, cycles.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LockCosts {
    /// Taking a lock that is free.
    pub take: Quantity,
    /// What is done while it is held: to read, change and write a number in DDR.
    pub hold: Quantity,
    /// Releasing it.
    pub release: Quantity,
}

impl LockCosts {
    /// How long an operation keeps others from the lock.
    pub fn occupied(&self) -> u64 {
        self.take.value + self.hold.value + self.release.value
    }

    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("take", &self.take, 0, 1_000_000),
            ("hold", &self.hold, 1, 1_000_000),
            ("release", &self.release, 0, 1_000_000),
        ]
    }
}
