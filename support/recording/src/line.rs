//! The lines of a recording.
//!
//! Times are nanoseconds of the simulated machine's clock, which event profiling reports. Host times
//! are nanoseconds since the platform was loaded.

use device_sim::machine::{Capacities, Identity};
use device_sim::timing::cost::SourceFile;
use device_sim::timing::launch_report::LaunchReport;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// Version of the format: readers refuse others.
pub const FORMAT: u32 = 7;

/// A line of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// The first line.
    Header(Box<Header>),
    /// A program was built.
    Program(Program),
    /// A command ended.
    Command(Box<Command>),
    /// The host program called an API function.
    Call(Call),
    /// The last line.
    End(End),
}

/// How short lines begin (`crate::short`).
pub(crate) const SHORT: &[u8] = b"[\"";

/// The type of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `Line::Header`
    Header,
    /// `Line::Program`
    Program,
    /// `Line::Command`
    Command,
    /// `Line::Call`
    Call,
    /// `Line::End`
    End,
}

impl Kind {
    /// All types.
    pub const ALL: [Self; 5] = [
        Self::Header,
        Self::Program,
        Self::Command,
        Self::Call,
        Self::End,
    ];

    /// The type of a line as the writer writes it, without parsing the whole line.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let rest = text.strip_prefix(b"{\"line\":\"");
        let rest = rest.or_else(|| text.strip_prefix(SHORT))?;
        let name = rest.split(|byte| *byte == b'"').next()?;
        Some(match name {
            b"header" => Self::Header,
            b"program" => Self::Program,
            b"command" => Self::Command,
            b"call" => Self::Call,
            b"end" => Self::End,
            _ => return None,
        })
    }
}

/// The process that wrote the recording, and its machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// `FORMAT` of the writer.
    pub format: u32,
    /// Process id.
    pub pid: u32,
    /// The host program and its arguments.
    pub arguments: Vec<String>,
    /// Name of the machine.
    pub machine: String,
    /// What the machine is based on, and which of its numbers were set.
    #[serde(default)]
    pub machine_identity: Identity,
    /// Cycles of the clusters per second.
    pub clock: u64,
    /// Lanes of an array.
    pub lanes: u32,
    /// DMA channels of an array.
    pub dma_channels: u32,
    /// The devices, by index: clusters by number, then the custom device if the machine has accelerators.
    pub devices: Vec<Device>,
    /// Peak performance of the machine.
    pub peaks: Peaks,
    /// What the machine has for stack and code.
    pub capacities: Capacities,
    /// Host threads that run kernels.
    pub host_threads: u32,
    /// Whether reports have the times of launches under changes.
    #[serde(default)]
    pub alternatives: bool,
}

/// A device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// `CL_DEVICE_NAME`.
    pub name: String,
    /// Number of arrays, or of accelerators.
    pub arrays: u32,
    /// Cycles of accelerators per second; none of a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
}

impl Header {
    /// Cycles of a device per second; at least 1.
    pub fn clock_of(&self, device: u32) -> u64 {
        let device = self.devices.get(device as usize);
        let own = device.and_then(|device| device.clock);
        own.unwrap_or(self.clock).max(1)
    }

    /// Whether a device is that of accelerators, and no cluster.
    pub fn is_custom(&self, device: u32) -> bool {
        let device = self.devices.get(device as usize);
        device.is_some_and(|device| device.clock.is_some())
    }
}

/// Peak performance. Operations are floating-point operations per second, where a fused multiply-add
/// counts as two; bandwidths are bytes per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peaks {
    /// Operations of an array in single precision.
    pub single: u64,
    /// Operations of an array in double precision.
    pub double: u64,
    /// Bandwidth of a cluster's DDR.
    pub ddr: u64,
    /// Bandwidth of a cluster's GSM.
    pub gsm: u64,
    /// Bandwidth of a cluster's HBSM.
    pub hbsm: u64,
    /// Bandwidth of an array's AM.
    pub am: u64,
    /// Bandwidth of an array's SM.
    pub sm: u64,
    /// Bandwidth of an array's DMA channels together.
    pub dma: u64,
}

/// A program. It is written when its first kernel is launched, and again with further files once these
/// are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its number from 1, which commands refer to.
    pub number: u64,
    /// Its sources, under the names that `LineCycles::file` gives.
    pub files: Vec<SourceFile>,
}

/// Work-items, one number for each dimension.
pub type Size = SmallVec<[u64; 3]>;

/// A command that ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Its number from 1, in the order of enqueueing.
    pub number: u64,
    /// Number of the queue, from 1.
    pub queue: u64,
    /// Whether the queue is in-order.
    pub in_order: bool,
    /// Number of the cluster.
    pub device: u32,
    /// First of the queue's arrays in the cluster; not 0 only for sub-devices.
    #[serde(default)]
    pub first_array: u32,
    /// Number of arrays of the queue's device.
    pub arrays: u32,
    /// OpenCL's name of the type, e.g. `CL_COMMAND_NDRANGE_KERNEL`; of launches of hthreads programs,
    /// the function that made them.
    pub kind: Cow<'static, str>,
    /// 0, or the error code with which it ended; after exception e of an hthreads program, -1 - e.
    #[serde(default)]
    pub status: i32,
    /// Whether the task queue manager of a custom device gave the task up, so that the host executed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gave_up: bool,
    /// Kernel, of launches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<Arc<str>>,
    /// Number of the kernel's program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<u64>,
    /// Work-items, of launches: one number for each dimension.
    #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
    pub global_size: Size,
    /// Work-items of a group, of launches.
    #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
    pub local_size: Size,
    /// Size of transfers and fills, bytes.
    #[serde(default)]
    pub bytes: u64,
    /// Bytes that had to be migrated before the command (docs/machine-model.md, "Where contents are").
    #[serde(default)]
    pub moved: u64,
    /// The migrations that came before the command; none if they are the command itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration: Option<Migration>,
    /// `CL_PROFILING_COMMAND_QUEUED`.
    pub queued: u64,
    /// `CL_PROFILING_COMMAND_SUBMIT`.
    pub submit: u64,
    /// `CL_PROFILING_COMMAND_START`.
    pub start: u64,
    /// `CL_PROFILING_COMMAND_END`.
    pub end: u64,
    /// Numbers of the commands of its wait list.
    #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
    pub waited_for: SmallVec<[u64; 2]>,
    /// Host time at which it began to run on the host.
    pub host_begin: u64,
    /// Host time at which it had run.
    pub host_end: u64,
    /// The report of a launch. Its cycle 0 is `timing.start` cycles before `start`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Arc<LaunchReport>>,
    /// The prediction of a launch, if it was predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Prediction>,
    /// Number of an earlier command with the same report, which is not written twice. Readers replace
    /// it by the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_report_as: Option<u64>,
}

impl Command {
    /// Whether it launches device code of an hthreads program.
    pub fn is_of_hthreads(&self) -> bool {
        self.kernel.is_some() && !self.kind.starts_with("CL_")
    }
}

/// The prediction of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prediction {
    /// Predicted cycles of the launch, as `report.timing.end`.
    pub cycles: u64,
    /// Host nanoseconds that the prediction took.
    pub host_time: u64,
    /// Whether the launch was executed, too. Otherwise the report is the predicted one.
    pub is_executed: bool,
}

/// Migrations of memory objects before a command, which the simulated host performs one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Migration {
    /// When the first one began.
    pub begin: u64,
    /// When the last one ended.
    pub end: u64,
    /// Bytes that they moved.
    pub bytes: u64,
}

/// A call of an API function by the host program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Name of the function.
    pub function: Cow<'static, str>,
    /// Number of the host program's thread, from 1.
    pub thread: u64,
    /// Simulated time at which it was called.
    pub begin: u64,
    /// Simulated time at which it returned.
    pub end: u64,
    /// Host time at which it was called.
    pub host_begin: u64,
    /// Host time at which it returned.
    pub host_end: u64,
    /// Number of the command that it enqueued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<u64>,
}

/// The end of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Host time: nanoseconds since the platform was loaded.
    pub host_time: u64,
    /// Simulated time.
    pub time: u64,
}
