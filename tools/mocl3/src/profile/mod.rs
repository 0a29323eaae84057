//! Sums over the commands of a recording: by kernel, by type of transfer, and for the host.
//!
//! `mocl3 stat --json` prints these structures, and the page of `mocl3 report` shows them;
//! docs/profiling.md describes their keys.

mod arrays;
mod bound;
pub mod format;
mod host;
mod intervals;
mod kernel;
mod launches;
mod lines;
mod machine;
mod shares;
mod simulated;
mod transfers;

pub use host::{Comparison, HostProfile};
pub use kernel::{KernelProfile, Rate};
pub use shares::{ACTIVITIES, Percentages};
pub use simulated::{ClusterUse, SimulatedTime};
pub use transfers::{IMPLICIT_MIGRATION, TransferProfile};

use machine::Machine;
use recording::Process;
use serde::Serialize;

/// Version of the JSON's keys.
const FORMAT: u32 = 1;

/// The sums over a recording.
#[derive(Debug, Serialize)]
pub struct Profile {
    /// Version of the keys.
    pub format: u32,
    /// The host programs with their arguments, one for each recorded process.
    pub programs: Vec<Vec<String>>,
    /// The simulated machine.
    pub machine: Machine,
    /// Simulated time from end to end.
    pub simulated: SimulatedTime,
    /// Launches by kernel and local size, ordered by decreasing time.
    pub kernels: Vec<KernelProfile>,
    /// All other commands, by type.
    pub transfers: Vec<TransferProfile>,
    /// Host time and simulation speed.
    pub host: HostProfile,
}

impl Profile {
    /// Sums the recordings of `processes`. The machine is that of the first one: all processes of a
    /// program have the same machine.
    pub fn new(processes: &[Process]) -> Self {
        let header = processes.first().map(|process| process.header.clone());
        let machine = Machine::new(&header.unwrap_or_default());
        Self {
            format: FORMAT,
            programs: processes
                .iter()
                .map(|process| process.header.arguments.clone())
                .collect(),
            simulated: SimulatedTime::new(processes),
            kernels: launches::profiles(processes, &machine),
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
