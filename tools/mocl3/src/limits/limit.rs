//! A limit, from the profile of a micro-benchmark.

use crate::profile::{KernelProfile, Rate};
use device_sim::timing::launch_timing::Activity;
use serde::{Deserialize, Serialize};

/// What a micro-benchmark has measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The rate per second, or the time in seconds.
    pub measured: f64,
    /// The rate that the machine's description has, of the same arrays.
    pub peak: Option<f64>,
}

/// The rate of what arrays do by themselves, while they run.
pub fn of_arrays(kernel: &KernelProfile, rate: Rate) -> Limit {
    let of = |activity| kernel.array_cycles[activity];
    let idle = of(Activity::Launch) + of(Activity::Idle);
    let busy = kernel.array_cycles.total().saturating_sub(idle);
    let seconds = busy.0 as f64 / f64::from(kernel.arrays.max(1)) / kernel.clock.max(1) as f64;
    Limit {
        measured: rate.total as f64 / seconds.max(f64::MIN_POSITIVE),
        peak: Some(rate.peak),
    }
}

/// The rate of what arrays share, from the start of the first one on.
pub fn of_shared(time_ns: u64, rate: Rate) -> Limit {
    Limit {
        measured: rate.total as f64 * 1e9 / time_ns.max(1) as f64,
        peak: Some(rate.peak),
    }
}

/// A time for each of `count`.
pub fn seconds(all: f64, count: u64) -> Limit {
    Limit {
        measured: all / count.max(1) as f64,
        peak: None,
    }
}

/// What an activity of one array takes for each of `count`.
pub fn in_activity(kernel: &KernelProfile, activity: Activity, count: u64) -> Limit {
    let cycles = kernel.array_cycles[activity].0 as f64;
    seconds(cycles / kernel.clock.max(1) as f64, count)
}
