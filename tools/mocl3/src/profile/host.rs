//! The host time that the simulation took.

use super::intervals::covered;
use recording::Process;
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

impl HostProfile {
    /// Sums the recordings of `processes`.
    pub fn new(processes: &[Process]) -> Self {
        let mut profile = Self {
            platform_time_ns: processes
                .iter()
                .map(|process| Some(process.end?.host_time))
                .sum(),
            ..Self::default()
        };
        for process in processes {
            profile.threads = profile.threads.max(process.header.host_threads);
            let launches = process.commands.iter().filter_map(|command| {
                let report = command.report.as_ref()?;
                Some((command, report))
            });
            let mut intervals = Vec::new();
            for (command, report) in launches {
                intervals.push((command.host_begin, command.host_end));
                profile.cycles += report.timing.end.0;
                profile.instructions += report.totals.operations;
            }
            profile.kernel_time_ns += covered(intervals);
        }
        profile.cycles_per_second = per_second(profile.cycles, profile.kernel_time_ns);
        profile.instructions_per_second = per_second(profile.instructions, profile.kernel_time_ns);
        profile
    }
}

/// The rate of `count` events in `nanoseconds`; 0 if no time has passed.
pub fn per_second(count: u64, nanoseconds: u64) -> f64 {
    match nanoseconds {
        0 => 0.0,
        _ => count as f64 * 1e9 / nanoseconds as f64,
    }
}
