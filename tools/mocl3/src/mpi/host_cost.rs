//! What the simulation of a program cost on this computer.

use serde::Serialize;
use std::time::Duration;

/// The cost of a run.
#[derive(Clone, Copy, Serialize)]
pub struct HostCost {
    /// Wall time, seconds.
    pub seconds: f64,
    /// Time of all processors, seconds.
    pub processor_seconds: f64,
    /// The most memory that the process had, bytes.
    pub memory: u64,
}

impl HostCost {
    /// Of smpirun and the processes that it waited for, which have ended, in that time.
    pub fn of_children(time: Duration) -> Self {
        // SAFETY: all fields are numbers, for which zeros are values.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the call writes one structure of this type.
        let code = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) };
        let kibibytes = if code == 0 { usage.ru_maxrss } else { 0 };
        Self {
            seconds: time.as_secs_f64(),
            processor_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            memory: u64::try_from(kibibytes).unwrap_or(0) * 1024,
        }
    }
}

fn seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 * 1e-6
}
