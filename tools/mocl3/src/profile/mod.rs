//! What the commands of a recording add up to: by kernel, by type of transfer, and for the host.
//!
//! The structures are what `mocl3 stat --json` prints and what the page of `mocl3 report` is
//! drawn from; docs/profiling.md describes their keys.

mod arrays;
mod bound;
mod host;
mod kernel;
mod lines;
mod shares;
mod transfers;
pub mod units;

pub use host::{Comparison, HostProfile};
pub use kernel::{KernelProfile, Rate};
pub use shares::{ACTIVITIES, Percentages};
pub use transfers::TransferProfile;

use device_sim::units::{ClockRate, Cycles};
use recording::{Header, Peaks, Process};
use serde::Serialize;

/// Version of the JSON.
const FORMAT: u32 = 1;

/// What a recording adds up to.
#[derive(Debug, Serialize)]
pub struct Profile {
    /// Version of the keys.
    pub format: u32,
    /// The host programs and their arguments, as often as processes recorded something.
    pub programs: Vec<Vec<String>>,
    /// The machine.
    pub machine: Machine,
    /// By kernel and local size; those that took longest first.
    pub kernels: Vec<KernelProfile>,
    /// By type: all other commands.
    pub transfers: Vec<TransferProfile>,
    /// The host's part.
    pub host: HostProfile,
}

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
    /// What it can do at most.
    pub peaks: Peaks,
}

impl Machine {
    fn new(header: &Header) -> Self {
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

impl Profile {
    /// Adds up what `processes` recorded. The machine is the first one's: all processes of a
    /// program have the same.
    pub fn new(processes: &[Process]) -> Self {
        let header = processes.first().map(|process| process.header.clone());
        let machine = Machine::new(&header.unwrap_or_default());
        Self {
            format: FORMAT,
            programs: processes
                .iter()
                .map(|process| process.header.arguments.clone())
                .collect(),
            kernels: kernel::profiles(processes, &machine),
            transfers: transfers::profiles(processes),
            host: HostProfile::new(processes),
            machine,
        }
    }

    /// Simulated nanoseconds of all kernels.
    pub fn kernel_time(&self) -> u64 {
        self.kernels.iter().map(|kernel| kernel.time_ns).sum()
    }
}
