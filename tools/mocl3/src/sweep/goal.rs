//! Goals: what a sweep measures of a run. Less is better.

use crate::profile::Profile;
use serde::{Deserialize, Serialize};

/// A goal.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Simulated nanoseconds of all kernels.
    Time,
    /// Simulated nanoseconds from end to end.
    Elapsed,
    /// Bytes between the arrays and DDR.
    DdrBytes,
    /// Instructions of the machine.
    Instructions,
    /// Bytes of local memory of a work-group, the largest of all kernels.
    LocalMemory,
    /// Nanoseconds of the host, which differ from run to run.
    WallTime,
}

impl Goal {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Elapsed => "elapsed",
            Self::DdrBytes => "ddr-bytes",
            Self::Instructions => "instructions",
            Self::LocalMemory => "local-memory",
            Self::WallTime => "wall-time",
        }
    }

    /// Its value in a profile.
    pub fn value(self, profile: &Profile) -> f64 {
        let kernels = profile.kernels.iter();
        let number = match self {
            Self::Time => profile.kernel_time(),
            Self::Elapsed => profile.simulated.elapsed_ns,
            Self::DdrBytes => kernels.map(|kernel| kernel.bandwidth.ddr.total).sum(),
            Self::Instructions => kernels.map(|kernel| kernel.instructions).sum(),
            Self::LocalMemory => kernels.map(|kernel| kernel.local_memory).max().unwrap_or(0),
            Self::WallTime => profile.host.wall_time_ns.unwrap_or(0),
        };
        number as f64
    }

    /// The value with its unit.
    pub fn shown(self, value: f64) -> String {
        use crate::profile::format::{bytes, count, time};
        let number = value.round() as u64;
        match self {
            Self::Time | Self::Elapsed | Self::WallTime => time(number),
            Self::DdrBytes | Self::LocalMemory => bytes(number),
            Self::Instructions => count(number),
        }
    }
}
