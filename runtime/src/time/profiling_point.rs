//! The four moments of a command that event profiling reports.

use device_sim::units::Nanoseconds;
use std::sync::atomic::{AtomicU64, Ordering};

/// The `CL_PROFILING_COMMAND_*` counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfilingPoint {
    /// The host program enqueued the command.
    Queued,
    /// The command was submitted to the device.
    Submit,
    /// Execution started.
    Start,
    /// Execution ended.
    End,
}

/// A command's times by `ProfilingPoint`, which may be set and read concurrently.
#[derive(Default)]
pub(crate) struct ProfilingTimes {
    /// 0 while unknown.
    times: [AtomicU64; 4],
}

impl ProfilingTimes {
    /// A time; none while it is unknown.
    pub fn get(&self, point: ProfilingPoint) -> Option<Nanoseconds> {
        match self.times[point as usize].load(Ordering::Acquire) {
            0 => None,
            time => Some(Nanoseconds(time)),
        }
    }

    /// Sets a time, which is not 0.
    pub fn set(&self, point: ProfilingPoint, time: Nanoseconds) {
        self.times[point as usize].store(time.0, Ordering::Release);
    }
}
