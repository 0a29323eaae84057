//! The memories: sizes, banks, latencies, bandwidths.

use super::Quantity;
use serde::Deserialize;

/// The memories of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memories {
    /// Scalar memory, one per array.
    pub sm: MemorySize,
    /// Array memory, one per array.
    pub am: ArrayMemory,
    /// Global shared memory, one per cluster.
    pub gsm: MemorySize,
    /// High-bandwidth shared memory, one per cluster.
    pub hbsm: MemorySize,
    /// A cluster's part of the DDR.
    pub ddr: MemorySize,
}

/// A memory of which only the size is known.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemorySize {
    /// Bytes.
    pub size: Quantity,
}

/// The array memory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArrayMemory {
    /// Bytes.
    pub size: Quantity,
    /// Bytes of it that hold a work-group's local memory.
    pub local_memory: Quantity,
}
