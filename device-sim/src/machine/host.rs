//! What the CPUs of the general-purpose zone do with a cluster's memories.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// What host commands cost. The CPUs access all DDR, so that copies are theirs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HostCosts {
    /// Of the host program, for putting a command into a queue, ns.
    pub enqueue: Quantity,
    /// Before a command touches its first byte, ns.
    pub start: Quantity,
    /// Of a copy, bytes copied: byte/s.
    pub copy_bandwidth: Quantity,
    /// Of a fill, byte/s.
    pub fill_bandwidth: Quantity,
    /// Before each row, ns.
    pub row: Quantity,
    /// To invalidate a line of the caches, or write it back, ps.
    pub cache_line: Quantity,
}

impl HostCosts {
    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        let (copy, fill) = (&self.copy_bandwidth, &self.fill_bandwidth);
        vec![
            ("enqueue", &self.enqueue, 0, 1_000_000_000),
            ("start", &self.start, 0, 1_000_000_000),
            ("copy_bandwidth", copy, 1_000_000, 1 << 50),
            ("fill_bandwidth", fill, 1_000_000, 1 << 50),
            ("row", &self.row, 0, 1_000_000_000),
            ("cache_line", &self.cache_line, 0, 1_000_000_000),
        ]
    }
}
