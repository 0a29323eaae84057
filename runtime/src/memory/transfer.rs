//! Transfers between the memories of host and clusters.

use crate::device::Device;
use std::fmt;

/// A memory that contents can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryLocation {
    /// The host's memory.
    Host,
    /// The memory of the cluster with this number.
    Cluster(usize),
}

impl MemoryLocation {
    /// The memory that the device's kernels access: accelerators of fixed functions use the host's.
    pub fn of_device(device: &Device) -> Self {
        match device.accelerators() {
            None => Self::Cluster(device.index()),
            Some(_) => Self::Host,
        }
    }
}

impl fmt::Display for MemoryLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => formatter.write_str("the host"),
            Self::Cluster(number) => write!(formatter, "cluster {number}"),
        }
    }
}

/// A transfer that the machine needs before a command can execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transfer {
    /// The memory that is read.
    pub from: MemoryLocation,
    /// The memory that is written.
    pub to: MemoryLocation,
    /// Size in bytes.
    pub bytes: u64,
}

impl Transfer {
    pub fn is_between_clusters(&self) -> bool {
        self.from != MemoryLocation::Host && self.to != MemoryLocation::Host
    }
}
