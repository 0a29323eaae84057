//! Converts cycles of a launch to nanoseconds of the simulated clock.

use crate::labels::DeviceLabel;
use device_sim::timing::launch_timing::LaunchTiming;
use device_sim::units::{ClockRate, Cycles, Nanoseconds};
use recording::{Command, Header, Process};

/// The clocks of a process's devices.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a>(&'a Header);

/// Cycle 0 of a launch, in cycles of its device since the begin of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    cycle: Cycles,
    /// The device's cycles per second.
    hertz: u64,
}

impl<'a> Clock<'a> {
    /// The clocks of a process's devices.
    pub fn new(process: &'a Process) -> Self {
        Self(&process.header)
    }

    /// The label of a device.
    pub fn label(self, device: u32) -> DeviceLabel {
        DeviceLabel::new(self.0, device)
    }

    /// Cycle 0 of a launch.
    pub fn origin(self, command: &Command, timing: &LaunchTiming) -> Origin {
        let hertz = self.0.clock_of(command.device);
        let start = ClockRate::new(hertz).complete_cycles(Nanoseconds(command.start));
        let cycle = start.saturating_sub(timing.start);
        Origin { cycle, hertz }
    }
}

impl Origin {
    /// Simulated time, in nanoseconds, of a cycle of a launch. Adjacent intervals stay adjacent.
    pub fn time(self, cycles: Cycles) -> u64 {
        let cycles = self.cycle.saturating_add(cycles);
        ClockRate::new(self.hertz).complete_nanoseconds(cycles).0
    }
}
