//! The host time that the simulation took.

use super::intervals::covered;
use recording::{Command, Process};
use serde::Serialize;

/// Host time and simulation speed. Times are those of the host's clock.
#[derive(Debug, Default, Serialize)]
pub struct HostProfile {
    /// Host threads that ran kernels.
    pub threads: u32,
    /// Nanoseconds from start to end of the program; `None` for an earlier recording.
    pub wall_time_ns: Option<u64>,
    /// Nanoseconds during which processes had the platform loaded; `None` if one was killed,
    /// aborted or called `_exit`.
    pub platform_time_ns: Option<u64>,
    /// Nanoseconds in which kernels ran.
    pub kernel_time_ns: u64,
    /// Simulated cycles of all launches.
    pub cycles: u64,
    /// The machine's instructions in all launches. A vector instruction counts once.
    pub instructions: u64,
    /// Simulated cycles per second of kernel run time.
    pub cycles_per_second: f64,
    /// Instructions per second of kernel run time.
    pub instructions_per_second: f64,
    /// Runs with and without timing, with `--compare`.
    pub comparison: Option<Comparison>,
}

/// Two additional runs of the program, with compiled kernels.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Comparison {
    /// Nanoseconds from start to end of the program, with timing and recording.
    pub timed_wall_time_ns: u64,
    /// Nanoseconds from start to end of the program, without timing and recording.
    pub untimed_wall_time_ns: u64,
    /// Wall time of the timed run divided by that of the untimed one.
    pub slowdown: f64,
}

/// Sums over the launches of several processes.
pub struct Sums {
    cycles: u64,
    instructions: u64,
    /// The intervals of host time in which each process ran kernels.
    intervals: Vec<Vec<(u64, u64)>>,
}

impl Sums {
    /// No launches of a number of processes.
    pub fn new(processes: usize) -> Self {
        Self {
            cycles: 0,
            instructions: 0,
            intervals: vec![Vec::new(); processes],
        }
    }

    /// Adds a command of the process with this place.
    pub fn add(&mut self, process: usize, command: &Command) {
        if let Some(report) = &command.report {
            self.intervals[process].push((command.host_begin, command.host_end));
            self.cycles += report.timing.end.0;
            self.instructions += report.totals.operations;
        }
    }

    /// The sums with what is known of the processes.
    pub fn profile(self, processes: &[Process]) -> HostProfile {
        let threads = processes.iter().map(|process| process.header.host_threads);
        let kernel_time_ns = self.intervals.into_iter().map(covered).sum();
        HostProfile {
            threads: threads.max().unwrap_or(0),
            platform_time_ns: processes
                .iter()
                .map(|process| Some(process.end?.host_time))
                .sum(),
            kernel_time_ns,
            cycles: self.cycles,
            instructions: self.instructions,
            cycles_per_second: per_second(self.cycles, kernel_time_ns),
            instructions_per_second: per_second(self.instructions, kernel_time_ns),
            ..HostProfile::default()
        }
    }
}

/// The rate of `count` events in `nanoseconds`; 0 if no time has passed.
pub fn per_second(count: u64, nanoseconds: u64) -> f64 {
    match nanoseconds {
        0 => 0.0,
        _ => count as f64 * 1e9 / nanoseconds as f64,
    }
}
