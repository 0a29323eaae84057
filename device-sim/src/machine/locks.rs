//! The costs of hardware locks.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// The costs of an atomic operation under a hardware lock, cycles.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LockCosts {
    /// Acquiring a free lock.
    pub take: Quantity,
    /// Holding it: a load, an operation and a store of a number in DDR.
    pub hold: Quantity,
    /// Releasing it.
    pub release: Quantity,
}

impl LockCosts {
    /// Cycles for which an operation blocks others.
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
