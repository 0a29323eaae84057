//! The launches of a kernel with one local size.

use super::arrays::ArrayProfile;
use super::format;
use super::host::per_second;
use super::lines::LineProfile;
use super::shares::{Percentages, serialize_cycles};
use device_sim::machine::{Exceeded, PerMemory};
use device_sim::timing::launch_timing::CyclesByActivity;
use device_sim::timing::what_if::{Change, LocalCopy};
use serde::Serialize;
use std::collections::BTreeMap;

/// The launches of a kernel with one local size. Times, rates and shares are sums over the timed
/// launches.
#[derive(Debug, Serialize)]
pub struct KernelProfile {
    /// The kernel's name.
    pub name: String,
    /// The local size: work-items per work-group.
    pub local_size: Vec<u64>,
    /// Distinguishes kernels of several programs with this name and local size; `None` if there is
    /// one.
    pub program: Option<u64>,
    /// The program's source; `None` if the recording lacks it.
    #[serde(skip)]
    pub source: Option<String>,
    /// The global size, if all launches have the same.
    pub global_size: Option<Vec<u64>>,
    /// Number of launches.
    pub launches: u64,
    /// Number of failed launches.
    pub failed: u64,
    /// Number of launches without simulated time.
    pub untimed: u64,
    /// Number of tasks that the task queue manager gave up, so that the host executed them.
    pub given_up: u64,
    /// Maximum number of arrays of a launch.
    pub arrays: u32,
    /// Work-groups in all launches.
    pub groups: u64,
    /// Work-items in all launches.
    pub work_items: u64,
    /// Simulated nanoseconds from when the device had the command until the host knew of its end.
    pub time_ns: u64,
    /// Simulated nanoseconds from `CL_PROFILING_COMMAND_START` to `_END` of event profiling.
    pub event_time_ns: u64,
    /// `time_ns` in cycles.
    pub cycles: u64,
    /// Cycles per second of the device that executed it.
    pub clock: u64,
    /// Share of each activity in all arrays' cycles, percent.
    pub shares: Percentages,
    /// All arrays' cycles of each activity.
    #[serde(serialize_with = "serialize_cycles")]
    pub array_cycles: CyclesByActivity,
    /// The activity that bounds the kernel.
    pub bound: Bound,
    /// The machine's instructions. A vector instruction counts once.
    pub instructions: u64,
    /// Floating-point operations.
    pub flops: Flops,
    /// Bytes between arrays and memories, DMA included.
    pub bandwidth: Bandwidth,
    /// Bandwidth of memories that launches use which run at the same time on the same cluster, percent of the peak.
    #[serde(skip)]
    pub competing: PerMemory<f64>,
    /// DMA transfers.
    pub dma_transfers: u64,
    /// Bytes of DMA transfers.
    pub dma_bytes: u64,
    /// Hardware locks taken.
    pub locks: u64,
    /// Maximum local memory of a work-group, bytes.
    pub local_memory: u64,
    /// Maximum AM for the private variables of a work-group, bytes.
    pub private_memory: u64,
    /// Maximum stack of a work-group in SM, bytes.
    pub stack: u64,
    /// Bytes of code.
    pub code: u64,
    /// What it needs more of than the machine has.
    pub exceeded: Vec<ExceededMemory>,
    /// Lanes of the code; 0 if the control core runs work-items one after another.
    pub lanes: u32,
    /// Mean number of active lanes; `None` for code without lanes.
    pub lanes_active: Option<f64>,
    /// Instructions for the lanes.
    pub vector_instructions: u64,
    /// Active lanes, summed over these.
    pub lane_instructions: u64,
    /// The busiest array's cycles divided by the mean of all arrays; 1 is balanced.
    pub imbalance: f64,
    /// Host time of each launch, ns.
    pub host_time_ns: u64,
    /// The activities of each array.
    pub per_array: Vec<ArrayProfile>,
    /// Source lines, ordered by decreasing cycles.
    pub lines: Vec<LineProfile>,
    /// Whether it is device code of hthreads.
    #[serde(skip)]
    pub is_of_hthreads: bool,
    /// Cycles of the launches that changes would save, where the recording has them.
    #[serde(skip)]
    pub saved: BTreeMap<Change, u64>,
    /// What `Change::LocalCopies` copies in the launch that loads most of each argument.
    #[serde(skip)]
    pub local_copies: Vec<LocalCopy>,
    /// Of `cycles`, those before all arrays had begun and after the last one ended.
    #[serde(skip)]
    pub overhead_cycles: u64,
}

/// A memory that a kernel exceeds.
#[derive(Debug, Serialize)]
pub struct ExceededMemory {
    /// The memory, and how many bytes the kernel needs and the machine has.
    #[serde(flatten)]
    pub exceeded: Exceeded,
    /// The sentence that reports print.
    pub sentence: String,
}

/// The activity that bounds a kernel.
#[derive(Debug, Default, Serialize)]
pub struct Bound {
    /// The activity with the largest share: a key of the shares; none if no launch was
    /// timed.
    pub by: Option<&'static str>,
    /// The sentence that reports print.
    pub sentence: String,
}

/// Floating-point operations.
#[derive(Debug, Serialize)]
pub struct Flops {
    /// Vector operations of single precision and below.
    pub single: Rate,
    /// Vector operations of double precision.
    pub double: Rate,
    /// Operations of the control cores, of any precision.
    pub scalar: u64,
}

/// Bytes transferred, by memory.
#[derive(Debug, Serialize)]
pub struct Bandwidth {
    /// Bytes of the cluster's DDR, including DMA.
    pub ddr: Rate,
    /// Bytes of the cluster's GSM.
    pub gsm: Rate,
    /// Bytes of the cluster's HBSM.
    pub hbsm: Rate,
    /// Bytes of the arrays' SM and AM; the peak is that of AM.
    pub scratchpad: Rate,
}

/// Operations or bytes that the machine performs at a limited rate.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Rate {
    /// Total operations or bytes.
    pub total: u64,
    /// Operations or bytes per simulated second.
    pub per_second: f64,
    /// Peak rate of the launched arrays, per second.
    pub peak: f64,
    /// The rate as a percentage of the peak.
    pub percent: f64,
}

impl Rate {
    /// The rate of `total` in `time_ns`, in which the peak is `possible`.
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
    /// Name and local size, and the program if several have the kernel.
    pub fn label(&self) -> String {
        let size = format::size(&self.local_size);
        match self.program {
            None => format!("{} ({size})", self.name),
            Some(number) => format!("{} ({size}, program {number})", self.name),
        }
    }
}
