//! The costs of host commands, which the CPUs of the general-purpose zone execute.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// The costs of host commands. The CPUs access all DDR and make all copies.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HostCosts {
    /// Time of the host program to enqueue a command, ns.
    pub enqueue: Quantity,
    /// Time until a command accesses its first byte, ns.
    pub start: Quantity,
    /// Bandwidth of copies, in bytes copied: byte/s.
    pub copy_bandwidth: Quantity,
    /// Bandwidth of fills, byte/s.
    pub fill_bandwidth: Quantity,
    /// Overhead per row, ns.
    pub row: Quantity,
    /// Bytes that the FIFO between the host and the memory takes at once; 0: there is none.
    pub fifo: Quantity,
    /// Time until an emptied FIFO is filled again, ns: for each `fifo` bytes of a transfer but the
    /// first.
    pub fifo_refill: Quantity,
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
            ("fifo", &self.fifo, 0, 1 << 40),
            ("fifo_refill", &self.fifo_refill, 0, 1_000_000_000),
            ("cache_line", &self.cache_line, 0, 1_000_000_000),
        ]
    }
}
