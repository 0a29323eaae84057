//! The machine of a recording.

use super::kernel::ExceededMemory;
use device_sim::machine::{Capacities, Identity, KernelMemory};
use recording::{Header, Peaks};
use serde::Serialize;

/// The simulated machine.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The machine's name.
    pub name: String,
    /// What it is based on, and which of its numbers were set.
    #[serde(flatten)]
    pub identity: Identity,
    /// Cycles per second.
    pub clock: u64,
    /// Arrays of the largest cluster.
    pub arrays: u32,
    /// Lanes of an array.
    pub lanes: u32,
    /// Peak rates: operations and bytes per second.
    pub peaks: Peaks,
    /// What it has for stack and code, bytes.
    pub capacities: Capacities,
}

impl Machine {
    /// The machine that a process recorded.
    pub fn new(header: &Header) -> Self {
        let devices = header.devices.iter();
        let clusters = devices.filter(|device| device.clock.is_none());
        Self {
            name: header.machine.clone(),
            identity: header.machine_identity.clone(),
            clock: header.clock.max(1),
            arrays: clusters.map(|cluster| cluster.arrays).max().unwrap_or(0),
            lanes: header.lanes,
            peaks: header.peaks,
            capacities: header.capacities,
        }
    }

    /// What a kernel needs more of than the machine has.
    pub fn exceeded(&self, kernel: &KernelMemory) -> Vec<ExceededMemory> {
        let exceeded = self.capacities.exceeded(kernel).into_iter();
        exceeded
            .map(|exceeded| ExceededMemory {
                sentence: exceeded.to_string(),
                exceeded,
            })
            .collect()
    }
}
