//! The machine of a recording.

use device_sim::units::{ClockRate, Cycles};
use recording::{Header, Peaks};
use serde::Serialize;

/// The machine that was simulated.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Cycles per second.
    pub clock: u64,
    /// Arrays of the largest cluster.
    pub arrays: u32,
    /// Lanes of an array.
    pub lanes: u32,
    /// Operations and bytes per second, at most.
    pub peaks: Peaks,
}

impl Machine {
    /// The machine that a process recorded.
    pub fn new(header: &Header) -> Self {
        Self {
            name: header.machine.clone(),
            clock: header.clock.max(1),
            arrays: header.devices.iter().map(|d| d.arrays).max().unwrap_or(0),
            lanes: header.lanes,
            peaks: header.peaks,
        }
    }

    /// Complete nanoseconds of `cycles`.
    pub fn nanoseconds(&self, cycles: Cycles) -> u64 {
        ClockRate::new(self.clock).complete_nanoseconds(cycles).0
    }
}
