//! The launches of a kernel with one local size.

use super::arrays::ArrayProfile;
use super::format;
use super::host::per_second;
use super::lines::LineProfile;
use super::shares::{Percentages, serialize_cycles};
use device_sim::timing::launch_timing::CyclesByActivity;
use serde::Serialize;

/// The launches of a kernel with one local size. Times, rates and shares are those of launches
/// that were timed.
#[derive(Debug, Serialize)]
pub struct KernelProfile {
    /// Kernel.
    pub name: String,
    /// Work-items of a group.
    pub local_size: Vec<u64>,
    /// Distinguishes kernels of several programs with this name and local size; else none.
    pub program: Option<u64>,
    /// Work-items, if all launches have the same number.
    pub global_size: Option<Vec<u64>>,
    /// Number of launches.
    pub launches: u64,
    /// Number of failed launches.
    pub failed: u64,
    /// Number of launches without simulated time.
    pub untimed: u64,
    /// Arrays of the largest launch.
    pub arrays: u32,
    /// Work-groups.
    pub groups: u64,
    /// Work-items.
    pub work_items: u64,
    /// Simulated nanoseconds from when the device had the command until the host knew of its end.
    pub time_ns: u64,
    /// The same as event profiling reports it: from `CL_PROFILING_COMMAND_START` to `_END`.
    pub event_time_ns: u64,
    /// `time_ns` in cycles.
    pub cycles: u64,
    /// Percent by activity, of all arrays' cycles.
    pub shares: Percentages,
    /// All arrays' cycles by activity.
    #[serde(serialize_with = "serialize_cycles")]
    pub array_cycles: CyclesByActivity,
    /// The activity that bounds it.
    pub bound: Bound,
    /// The machine's instructions; one for all lanes is one.
    pub instructions: u64,
    /// Floating-point operations.
    pub flops: Flops,
    /// Bytes between arrays and memories, DMA included.
    pub bandwidth: Bandwidth,
    /// DMA transfers.
    pub dma_transfers: u64,
    /// Bytes of DMA transfers.
    pub dma_bytes: u64,
    /// Hardware locks taken.
    pub locks: u64,
    /// Bytes of local memory of a group, at most.
    pub local_memory: u64,
    /// Bytes of AM for a group's private variables, at most.
    pub private_memory: u64,
    /// Bytes of a group's stack in SM, at most.
    pub stack: u64,
    /// Lanes of the code; 0: the control core runs work-items one after another.
    pub lanes: u32,
    /// Mean number of active lanes; none if there are no lanes.
    pub lanes_active: Option<f64>,
    /// The busiest array's cycles by the mean of all; 1 is balanced.
    pub imbalance: f64,
    /// Host nanoseconds, launch by launch.
    pub host_time_ns: u64,
    /// Array by array.
    pub per_array: Vec<ArrayProfile>,
    /// Lines of the source, those with most cycles first.
    pub lines: Vec<LineProfile>,
}

/// The activity that bounds a kernel.
#[derive(Debug, Default, Serialize)]
pub struct Bound {
    /// The activity with the largest share: a key of the shares; none if no launch was
    /// timed.
    pub by: Option<&'static str>,
    /// For the reports.
    pub sentence: String,
}

/// Floating-point operations.
#[derive(Debug, Serialize)]
pub struct Flops {
    /// Of single precision and below.
    pub single: Rate,
    /// Of double precision.
    pub double: Rate,
    /// Of the control cores, of any precision.
    pub scalar: u64,
}

/// Bytes, by memory.
#[derive(Debug, Serialize)]
pub struct Bandwidth {
    /// The cluster's DDR; DMA included.
    pub ddr: Rate,
    /// The cluster's GSM.
    pub gsm: Rate,
    /// The cluster's HBSM.
    pub hbsm: Rate,
    /// The arrays' SM and AM; the peak is AM's.
    pub scratchpad: Rate,
}

/// Operations or bytes that the machine performs at a limited rate.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Rate {
    /// Operations or bytes in all.
    pub total: u64,
    /// Per simulated second.
    pub per_second: f64,
    /// The most per second that the launched arrays could do.
    pub peak: f64,
    /// Percentage of the peak.
    pub percent: f64,
}

impl Rate {
    /// The rate of `total` in `time_ns`, in which `possible` is the most.
    pub fn new(total: u64, time_ns: u64, possible: f64) -> Self {
        let per_second = per_second(total, time_ns);
        let peak = match time_ns {
            0 => 0.0,
            _ => possible * 1e9 / time_ns as f64,
        };
        Self {
            total,
            per_second,
            peak,
            percent: match peak > 0.0 {
                true => per_second * 100.0 / peak,
                false => 0.0,
            },
        }
    }
}

impl KernelProfile {
    /// Name and local size, and the program if need be.
    pub fn label(&self) -> String {
        let size = format::size(&self.local_size);
        match self.program {
            None => format!("{} ({size})", self.name),
            Some(number) => format!("{} ({size}, program {number})", self.name),
        }
    }
}
