//! The memories and caches: sizes, latencies, widths, bandwidths.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// Maximum latency, cycles.
const LONGEST: u64 = 1_000_000;

/// Minimum and maximum bandwidth, byte/s.
const SLOWEST: u64 = 1_000_000;
const FASTEST: u64 = 1 << 50;

/// A memory outside the arrays, which those of a cluster share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SharedMemory {
    /// Global shared memory, on the chip.
    Gsm,
    /// High-bandwidth shared memory.
    Hbsm,
    /// The cluster's part of the DDR.
    Ddr,
}

impl SharedMemory {
    /// All, in the order of `PerMemory`.
    pub const ALL: [Self; 3] = [Self::Gsm, Self::Hbsm, Self::Ddr];
}

/// Something of each shared memory, by its place in `SharedMemory::ALL`.
pub type PerMemory<T> = [T; 3];

/// The memories of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Memories {
    /// The memory that holds OpenCL local memory.
    pub local_memory_in: Scratchpad,
    /// Scalar memory, one per array.
    pub sm: ScalarMemory,
    /// Array memory, one per array.
    pub am: ArrayMemory,
    /// Global shared memory, one per cluster.
    pub gsm: ClusterMemory,
    /// High-bandwidth shared memory, one per cluster.
    pub hbsm: ClusterMemory,
    /// A cluster's part of the DDR.
    pub ddr: ClusterMemory,
    /// An array's port to the memories of the cluster.
    pub port: Port,
    /// Level 1 data cache of a control core.
    pub l1d: DataCache,
    /// Level 1 program cache of a control core.
    pub l1p: ProgramCache,
}

/// A memory of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scratchpad {
    /// Array memory, which the lanes access.
    Am,
    /// Scalar memory, which the control core accesses.
    Sm,
}

/// The scalar memory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarMemory {
    /// Bytes.
    pub size: Quantity,
    /// Cycles from a load to its first use.
    pub load_latency: Quantity,
    /// Cycles from a store to a load that may follow it.
    pub store_latency: Quantity,
    /// Most bytes of an access.
    pub access: Quantity,
    /// Accesses in a cycle.
    pub load_store_units: Quantity,
}

/// The array memory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ArrayMemory {
    /// Bytes.
    pub size: Quantity,
    /// Bytes of it that hold a work-group's local memory.
    pub local_memory: Quantity,
    /// Cycles from a load to its first use.
    pub load_latency: Quantity,
    /// Cycles from a store to a load that may follow it.
    pub store_latency: Quantity,
    /// Most bytes of an access of each lane.
    pub access: Quantity,
    /// Accesses of each lane in a cycle.
    pub load_store_units: Quantity,
    /// Banks, each of which serves one access in a cycle.
    pub banks: Quantity,
    /// Bytes of a bank's word; adjacent words are in adjacent banks.
    pub bank_width: Quantity,
}

/// A memory that the arrays of a cluster share.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterMemory {
    /// Bytes.
    pub size: Quantity,
    /// Bandwidth for all arrays of a cluster together, byte/s.
    pub bandwidth: Quantity,
    /// Cycles from a load to its first use, without contention.
    pub latency: Quantity,
}

/// An array's port to the memories of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Bytes of a line, the unit of loads and stores.
    pub line: Quantity,
    /// Maximum outstanding lines.
    pub outstanding: Quantity,
    /// Maximum bytes per cycle.
    pub rate: Quantity,
}

/// A data cache before the cluster's memories.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DataCache {
    /// Bytes. 0: there is no data cache, and each scalar access reaches the memory.
    pub size: Quantity,
    /// Bytes of a line.
    pub line: Quantity,
    /// Cycles from a load that hits to its first use.
    pub latency: Quantity,
}

/// A program cache.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramCache {
    /// Bytes.
    pub size: Quantity,
    /// Bytes of a line.
    pub line: Quantity,
    /// Maximum outstanding lines from the memory that holds the code.
    pub outstanding: Quantity,
}

impl Memories {
    /// A memory of the cluster.
    pub fn shared(&self, memory: SharedMemory) -> &ClusterMemory {
        match memory {
            SharedMemory::Gsm => &self.gsm,
            SharedMemory::Hbsm => &self.hbsm,
            SharedMemory::Ddr => &self.ddr,
        }
    }

    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        let (sm, am, port) = (&self.sm, &self.am, &self.port);
        let (gsm, hbsm, ddr) = (&self.gsm, &self.hbsm, &self.ddr);
        vec![
            ("sm.size", &sm.size, 1 << 10, 1 << 40),
            ("sm.load_latency", &sm.load_latency, 1, LONGEST),
            ("sm.store_latency", &sm.store_latency, 1, LONGEST),
            ("sm.access", &sm.access, 8, 1 << 10),
            ("sm.load_store_units", &sm.load_store_units, 1, 64),
            ("am.size", &am.size, 32 << 10, 1 << 40),
            // OpenCL 1.2, table 4.3: at least 32 KiB.
            ("am.local_memory", &am.local_memory, 32 << 10, am.size.value),
            ("am.load_latency", &am.load_latency, 1, LONGEST),
            ("am.store_latency", &am.store_latency, 1, LONGEST),
            ("am.access", &am.access, 1, 1 << 10),
            ("am.load_store_units", &am.load_store_units, 1, 64),
            ("am.banks", &am.banks, 1, 1 << 16),
            ("am.bank_width", &am.bank_width, 1, 1 << 10),
            ("gsm.size", &gsm.size, 0, 1 << 50),
            ("gsm.bandwidth", &gsm.bandwidth, SLOWEST, FASTEST),
            ("gsm.latency", &gsm.latency, 1, LONGEST),
            ("hbsm.size", &hbsm.size, 0, 1 << 50),
            ("hbsm.bandwidth", &hbsm.bandwidth, SLOWEST, FASTEST),
            ("hbsm.latency", &hbsm.latency, 1, LONGEST),
            ("ddr.size", &ddr.size, 1 << 27, 1 << 50),
            ("ddr.bandwidth", &ddr.bandwidth, SLOWEST, FASTEST),
            ("ddr.latency", &ddr.latency, 1, LONGEST),
            ("port.line", &port.line, 8, 1 << 16),
            ("port.outstanding", &port.outstanding, 1, 1 << 16),
            ("port.rate", &port.rate, 1, 1 << 20),
            ("l1d.size", &self.l1d.size, 0, 1 << 40),
            ("l1d.line", &self.l1d.line, 8, 1 << 16),
            ("l1d.latency", &self.l1d.latency, 1, LONGEST),
            ("l1p.size", &self.l1p.size, 1, 1 << 40),
            ("l1p.line", &self.l1p.line, 8, 1 << 16),
            ("l1p.outstanding", &self.l1p.outstanding, 1, 1 << 16),
        ]
    }

    /// Those that have to be powers of two.
    pub(super) fn powers_of_two(&self) -> [(&'static str, &Quantity); 5] {
        [
            ("port.line", &self.port.line),
            ("l1d.line", &self.l1d.line),
            ("l1p.line", &self.l1p.line),
            ("am.banks", &self.am.banks),
            ("am.bank_width", &self.am.bank_width),
        ]
    }
}
