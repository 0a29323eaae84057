//! Converts cycles of a launch to nanoseconds of the simulated clock.

use device_sim::timing::launch_timing::LaunchTiming;
use device_sim::units::{ClockRate, Cycles, Nanoseconds};
use recording::{Command, Process};

/// The clock of a process's machine.
#[derive(Clone, Copy, Debug)]
pub struct Clock(ClockRate);

/// Cycle 0 of a launch, in cycles since the begin of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin(Cycles);

impl Clock {
    /// The clock of a process's machine.
    pub fn new(process: &Process) -> Self {
        Self(ClockRate::new(process.header.clock))
    }

    /// Cycle 0 of a launch.
    pub fn origin(self, command: &Command, timing: &LaunchTiming) -> Origin {
        let start = self.0.complete_cycles(Nanoseconds(command.start));
        Origin(start.saturating_sub(timing.start))
    }

    /// Simulated time, in nanoseconds, of a cycle of a launch. Adjacent intervals stay adjacent.
    pub fn time(self, origin: Origin, cycles: Cycles) -> u64 {
        let cycles = origin.0.saturating_add(cycles);
        self.0.complete_nanoseconds(cycles).0
    }
}
