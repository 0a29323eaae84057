//! From cycles of a launch to nanoseconds of the simulated clock.

use device_sim::timing::launch_timing::LaunchTiming;
use recording::{Command, Process};

/// A clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    cycles_per_second: u64,
}

/// When a launch's cycle 0 was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin(u64);

impl Clock {
    /// The clock of a process's machine.
    pub fn of(process: &Process) -> Self {
        Self {
            cycles_per_second: process.header.clock.max(1),
        }
    }

    /// Where cycle 0 of a launch is.
    pub fn origin(self, command: &Command, timing: &LaunchTiming) -> Origin {
        let start = u128::from(command.start) * u128::from(self.cycles_per_second) / 1_000_000_000;
        let start = u64::try_from(start).unwrap_or(u64::MAX);
        Origin(start.saturating_sub(timing.start))
    }

    /// Nanoseconds of the simulated clock, so many cycles after `origin`; neighbours meet.
    pub fn time(self, origin: Origin, cycles: u64) -> u64 {
        let cycles = u128::from(origin.0) + u128::from(cycles);
        let time = cycles * 1_000_000_000 / u128::from(self.cycles_per_second);
        u64::try_from(time).unwrap_or(u64::MAX)
    }
}
