//! Sums over the commands of a recording: by kernel, by type of transfer, and for the host.
//!
//! `mocl3 stat --json` prints these structures, and the page of `mocl3 report` shows them;
//! docs/profiling.md describes their keys.

mod arrays;
mod bound;
mod competition;
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
pub use intervals::covered;
pub use kernel::{KernelProfile, Rate};
pub use lines::LineProfile;
pub use shares::{ACTIVITIES, Percentages};
pub use simulated::{ClusterUse, SimulatedTime};
pub use transfers::{IMPLICIT_MIGRATION, TransferProfile};

use machine::Machine;
use recording::{Command, Process};
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
    /// Sums the recordings of `processes`.
    pub fn new(processes: &[Process]) -> Self {
        let mut sums = Sums::new(processes);
        for (number, process) in processes.iter().enumerate() {
            for command in &process.commands {
                sums.add(number, command);
            }
        }
        sums.profile()
    }

    /// Simulated nanoseconds of all kernels.
    pub fn kernel_time(&self) -> u64 {
        self.kernels.iter().map(|kernel| kernel.time_ns).sum()
    }
}

/// Sums over commands that are added one after the other.
pub struct Sums<'a> {
    processes: &'a [Process],
    simulated: simulated::Sums,
    launches: launches::Sums<'a>,
    transfers: transfers::Sums,
    host: host::Sums,
}

impl<'a> Sums<'a> {
    /// No commands of `processes`, whose programs are known.
    pub fn new(processes: &'a [Process]) -> Self {
        Self {
            processes,
            simulated: simulated::Sums::new(processes.len()),
            launches: launches::Sums::default(),
            transfers: transfers::Sums::default(),
            host: host::Sums::new(processes.len()),
        }
    }

    /// Adds a command of a process, which is one of `processes` by its place.
    pub fn add(&mut self, process: usize, command: &Command) {
        self.simulated.add(process, command);
        self.launches
            .add(process, command, &self.processes[process]);
        self.transfers.add(command);
        self.host.add(process, command);
    }

    /// The profile. The machine is that of the first process: all processes of a program have the
    /// same machine.
    pub fn profile(self) -> Profile {
        let header = self.processes.first().map(|process| process.header.clone());
        let machine = Machine::new(&header.unwrap_or_default());
        Profile {
            format: FORMAT,
            programs: self
                .processes
                .iter()
                .map(|process| process.header.arguments.clone())
                .collect(),
            simulated: self.simulated.profile(self.processes),
            kernels: self.launches.profiles(&machine),
            transfers: self.transfers.profiles(),
            host: self.host.profile(self.processes),
            machine,
        }
    }
}
